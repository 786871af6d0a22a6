// A minimal player: node client.mjs NAME PORT HANDS [FINGERPRINT]. Prints what it saw as one line of JSON.
// Written from docs/protocol.md alone: it knows no rules, it takes what is offered.
import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { apply } from "./view.mjs";
import { connect } from "./wire.mjs";

const LAZY = ["check", "call", "bring_in", "decline"];

/** One of the options as an action: cheap, and the first of whatever there is to choose from. */
function choose(options) {
  const lazy = LAZY.map((kind) => options.find((one) => one.kind === kind)).find((one) => one);
  const option = lazy ?? options.find((one) => one.kind !== "fold") ?? options[0];
  const action = { kind: option.kind };
  if (["bet", "complete", "raise"].includes(option.kind)) action.to = option.least ?? 0;
  if (option.cards) action.cards = option.cards.slice(0, option.count);
  if (option.directions) action.direction = option.directions[0];
  if (option.games) action.game = option.games[0];
  return action;
}

class Player {
  view = null;
  seat = 0;
  id = 0;
  answered = 0;
  kinds = new Set();
  rejected = [];
  acts = 0;

  constructor(port, pin, name) {
    this.port = port;
    this.pin = pin;
    this.join = { type: "join", name, token: randomBytes(32) };
  }

  /** Sits down, or comes back with what has been seen so far. */
  async enter(seen = 0) {
    this.line = await connect(this.port, this.pin);
    const proof = this.receipt ? { session: this.session, receipt: this.receipt } : {};
    this.line.send({ ...this.join, seen, ...proof });
    for (this.seat = 0; !this.seat; ) await this.read();
  }

  /** One message of the server. */
  async read() {
    const message = await this.line.next();
    if (message.type === "snapshot") this.session = message.session;
    if (message.receipt) this.receipt = message.receipt;
    if (message.type === "joined") {
      this.seat = message.seat;
      this.id = Math.max(this.id, message.last_id ?? 0);
    } else if (message.type === "snapshot") {
      this.view = message.view;
    } else if (message.type === "events") {
      apply(this.view, message);
      for (const event of message.events) this.kinds.add(event.event);
    } else if (message.type === "rejected") {
      this.rejected.push(message.code);
      if (!this.seat) throw new Error(message.text);
    } else if (message.type === "bye") {
      throw new Error(message.text);
    }
    return message;
  }

  get asked() {
    return this.view?.seats[this.seat - 1].pending ?? null;
  }

  answer() {
    const { seq, request } = this.asked;
    if (seq === this.answered) return;
    this.answered = seq;
    this.acts += 1;
    this.line.send({ type: "act", id: ++this.id, answers: seq, action: choose(request.options) });
  }

  /** Plays until that many hands are over; comes back over a new connection in the middle of each. */
  async play(hands) {
    let over = 0;
    let broken = 0;
    while (over < hands) {
      if (this.asked) {
        if (this.view.hand !== broken && this.acts % 3 === 2) {
          broken = this.view.hand;
          this.line.close();
          await this.enter(this.view.seq);
        }
        this.answer();
      }
      const message = await this.read();
      if (message.type !== "events") continue;
      if (message.events.some((event) => event.event === "hand_ended")) {
        over += 1;
        if (over < hands) this.line.send({ type: "go_on" });
      }
    }
  }

  /**
   * Whether the folded view is the one the server has. Joins again over a second connection without having seen
   * anything; the first one is told everything up to that moment, and then that it was replaced.
   */
  async agrees() {
    const older = this.line;
    this.line = await connect(this.port, this.pin);
    this.line.send({ ...this.join, seen: 0 });
    for (;;) {
      const message = await older.next();
      if (message.type === "bye" && message.code === "replaced") break;
      if (message.type === "events") apply(this.view, message);
    }
    const folded = this.view;
    this.view = null;
    while (!this.view) await this.read();
    const same = isDeepStrictEqual(folded, this.view);
    if (!same) console.error(JSON.stringify({ folded, server: this.view }));
    return same;
  }
}

const [myName, port, hands, pin] = process.argv.slice(2);
const player = new Player(Number(port), pin, myName);
await player.enter();
await player.play(Number(hands));
const report = { seat: player.seat, hands: player.view.hand, acts: player.acts, rejected: player.rejected };
report.kinds = [...player.kinds].sort();
report.agrees = await player.agrees();
player.line.send({ type: "stand_up" });
const name = () => player.view.seats[player.seat - 1].name;
while (name() === myName) {
  await player.read();
  if (player.asked) player.answer();
}
report.left = true;
player.line.close();
console.log(JSON.stringify(report));
