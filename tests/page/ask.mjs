// Answers questions about the page's code: a list of {file, name, args} on standard input, a list of values on the other
// side. `name` is a function to be called or a constant. Maps become lists of pairs, undefined becomes null.

import { readFileSync } from "node:fs";

const plain = (key, value) => (value instanceof Map ? [...value] : value instanceof Set ? [...value] : value === undefined ? null : value);
const answers = [];
for (const { file, name, args } of JSON.parse(readFileSync(0, "utf8"))) {
  const found = (await import(file))[name];
  answers.push(typeof found === "function" ? found(...args) : found);
}
process.stdout.write(JSON.stringify(answers, plain));
