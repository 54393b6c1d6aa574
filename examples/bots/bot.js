// A bot for every game, without dependencies: the first legal move that it has not played lately.
//   stammtisch bot check "node examples/bots/bot.js"
const lines = require("readline").createInterface({ input: process.stdin });
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
let lately = [];

lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") say({ type: "hello", protocol: 1, name: "something new, in JavaScript" });
  if (message.type === "begin") lately = [];
  if (message.type === "turn") {
    const move = message.moves.find((one) => !lately.includes(one)) ?? message.moves[0];
    lately = [move, ...lately].slice(0, 10);
    say({ type: "move", id: message.id, move });
  }
  if (message.type === "end") lines.close();
});
