// A journal file as events, and the table after any number of them: docs/replay-format.md.
import { decode } from "./msgpack.js";
import { apply, copyOf, emptyTable } from "./view.js";

const FRONT = 24; // the magic word and the salt
const HEAD = 24; // of a record: length, checksum, digest

/** The steps in a journal file; `ryo verify` is what checks their chain. */
export function* stepsOf(bytes) {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = FRONT; at + HEAD <= bytes.length; ) {
    const length = data.getUint32(at, true) & 0x7fffffff;
    const record = decode(bytes.subarray(at + HEAD, at + HEAD + length));
    if (record.record === "step") yield record;
    at += HEAD + length;
  }
}

/**
 * The events of recorded steps in order. Position 3 is the table after three events.
 *   events: as in section 13 of the protocol; times: UTC milliseconds of each
 *   hands: the positions right after each `hand_started`
 *   streets: the positions right after the first event of every street
 */
export class Recording {
  events = [];
  times = [];
  hands = [];
  streets = [];
  #tables = new Map(); // position: the table from which the next event continues
  #kept = new Map([[0, emptyTable()]]);

  /** steps: with `at`, `events`, and `view`, the table before the step, where it does not follow from the one before. */
  constructor(steps) {
    for (const step of steps) {
      if (step.view) this.#tables.set(this.events.length, step.view);
      for (const event of step.events) {
        this.events.push(event);
        this.times.push(step.at);
        if (event.event === "hand_started") this.hands.push(this.events.length);
      }
    }
    this.#keep();
  }

  /** Keeps a copy of the table before each hand, from which later positions are folded. */
  #keep() {
    const view = emptyTable();
    let showing = false;
    this.events.forEach((event, at) => {
      const street = view.street;
      if (event.event === "hand_started") this.#kept.set(at, copyOf(this.#tables.get(at) ?? view));
      this.#step(view, at);
      const shows = ["hand_shown", "hand_mucked", "pot_awarded"].includes(event.event);
      const fresh = ["hand_started", "brought_back"].includes(event.event);
      if (fresh || (view.street && view.street !== street) || (shows && !showing)) this.streets.push(at + 1);
      showing = shows || (showing && event.event !== "hand_started");
    });
  }

  #step(view, at) {
    if (this.#tables.has(at)) Object.assign(view, copyOf(this.#tables.get(at)));
    apply(view, { seq: view.seq + 1, events: [this.events[at]] });
  }

  /** The position of the hand's start, 0 before the first hand. */
  handStart(position) {
    return this.hands.findLast((start) => start <= position) ?? 0;
  }

  /** The last position of the hand of a position. */
  handEnd(position) {
    const next = this.hands.find((start) => start > position);
    if (next === undefined) return this.events.length;
    return this.events[next - 2]?.event === "game_picked" ? next - 2 : next - 1;
  }

  /** The table at a position. */
  table(position) {
    let from = 0;
    for (const at of this.#kept.keys()) if (at <= position && at > from) from = at;
    const view = copyOf(this.#kept.get(from));
    for (let at = from; at < position; at++) this.#step(view, at);
    return view;
  }
}
