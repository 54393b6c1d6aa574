// The connection to a table: says hello, hears what happened since, comes back when it was lost.

import { prefs } from "./prefs.js";
import { t } from "./texts.js";

const FINAL = [1003, 1007, 1008, 1009, 4404, 4500]; // the server would refuse us again
const CLOSED = { 4404: "no_table", 4500: "bad_table" };
const LONGEST_WAIT = 5000;

export async function call(path, body) {
  const headers = { "x-token": prefs.token };
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(path, init);
  const answer = await response.json();
  if (!response.ok) throw Object.assign(new Error(answer.text || answer.why), { why: answer.why });
  return answer;
}

export class Connection {
  /** `change` is called with {state, events, online, closed} whenever something is new; `refuse` with a refusal. */
  constructor(code, change, refuse) {
    this.code = code;
    this.change = change;
    this.refuse = refuse;
    this.state = null;
    this.events = [];
    this.heard = 0; // of the stream, also what the server no longer tells
    this.stream = null;
    this.answers = new Map();
    this.nextId = 1;
    this.wait = 250;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws/${this.code}`);
    this.socket.onopen = () => {
      const last = this.stream === null ? null : this.heard;
      this.send({ type: "hello", token: prefs.token, name: prefs.name || t("guest"), last, stream: this.stream });
    };
    this.socket.onmessage = (message) => this.hear(JSON.parse(message.data));
    this.socket.onclose = (event) => this.lost(event);
  }

  hear(message) {
    if (message.type === "state") {
      this.wait = 250;
      this.stream = message.stream;
      this.heard = message.n;
      this.events = message.reset ? message.events : [...this.events, ...message.events];
      const until = (left) => (left === null ? null : performance.now() + left);
      const { deadline, clock, patience } = message;
      this.state = { ...message, deadline: until(deadline), clock: until(clock), patience: until(patience) };
      this.tell({ online: true });
    } else if (message.type === "answer") {
      this.answers.get(message.id)?.(message);
      this.answers.delete(message.id);
    } else if (message.type === "refused") {
      this.answers.get(message.id)?.(message);
      this.answers.delete(message.id);
      this.refuse(message);
    }
  }

  lost(event) {
    for (const answer of this.answers.values()) answer({ why: "offline" });
    this.answers.clear();
    if (this.left) return;
    if (FINAL.includes(event.code)) {
      this.tell({ online: false, closed: CLOSED[event.code] ?? "closed" });
      return;
    }
    this.tell({ online: false });
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
  }

  tell(more) {
    this.change({ state: this.state, events: this.events, online: true, closed: null, ...more });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Send a message that is answered; a promise of the answer. */
  ask(message) {
    const id = this.nextId++;
    return new Promise((resolve) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        resolve({ why: "offline" });
        return;
      }
      this.answers.set(id, resolve);
      this.send({ ...message, id });
    });
  }

  play(move) {
    this.send({ type: "move", move, at: this.heard, id: this.nextId++ });
  }

  close() {
    this.left = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
