// A hand that is over, or what has been played of one, step by step: from its record (docs/protocol.md, section 9).
import { Recording } from "./recording.js";
import { drawTable, element, sentence, winningCards } from "./table.js";

const at = (id) => document.getElementById(id);

/** Puts the parts of a record together; `done` is given the steps and the viewer when all of them have come. */
export class Records {
  #steps = [];
  #told = [];

  constructor(ask, done) {
    this.ask = ask;
    this.done = done;
  }

  /** hand 0: the last one that is over. running: it may be the hand that is being played. */
  get(hand, running = false) {
    this.#steps = [];
    this.#told = [];
    this.request = { type: "get_hand", hand, running };
    this.ask(this.request);
  }

  /** One part; the steps know the table before the first of them. */
  take(record) {
    if (record.view) {
      this.#steps = [];
      this.#told = [];
    }
    record.steps.forEach((step, number) => {
      this.#steps.push(number === 0 && record.view ? { ...step, view: record.view } : step);
      this.#told.push(record.told?.[number]?.lines ?? []);
    });
    if (record.more) this.ask({ ...this.request, after: record.steps.at(-1).seq + record.steps.at(-1).events.length - 1 });
    else this.done({ hand: record.hand, viewer: record.viewer || null, steps: this.#steps, told: this.#told, running: this.request.running });
  }
}

/** The window in which a hand is stepped through. */
export class LookBack {
  constructor() {
    at("back-step").addEventListener("input", () => this.#show());
    at("back-before").addEventListener("click", () => this.#move(-1));
    at("back-next").addEventListener("click", () => this.#move(1));
    at("back").addEventListener("keydown", (event) => {
      const steps = { ArrowRight: 1, ArrowLeft: -1, l: 1, h: -1 };
      if (!(event.key in steps) || event.target.id === "back-step") return;
      event.preventDefault();
      this.#move(steps[event.key]);
    });
  }

  open({ hand, viewer, steps, told }) {
    this.recording = new Recording(steps);
    this.viewer = viewer;
    let position = 0;
    this.lines = []; // [position, sentences] of every event that is told
    for (const step of told) for (const lines of step) {
      position += 1;
      if (lines.length) this.lines.push([position, lines]);
    }
    at("back-head").textContent = `Hand ${hand}`;
    Object.assign(at("back-step"), { min: 0, max: this.lines.length - 1, value: 0 });
    at("back").showModal();
    this.#show();
  }

  #move(by) {
    at("back-step").value = Number(at("back-step").value) + by;
    this.#show();
  }

  #show() {
    const step = Number(at("back-step").value);
    const [position, lines] = this.lines[step];
    const awards = this.lines.slice(0, step + 1).filter(([place]) => this.recording.events[place - 1].event === "pot_awarded");
    const bright = winningCards(awards.flatMap(([, told]) => told));
    drawTable(at("back-table"), this.recording.table(position), this.viewer, { bright });
    at("back-words").replaceChildren(...lines.map((line) => element("p", "", ...sentence(line))));
    at("back-step").setAttribute("aria-valuetext", `step ${step + 1} of ${this.lines.length}`);
    at("back-before").disabled = step === 0;
    at("back-next").disabled = step === this.lines.length - 1;
  }
}
