// An exported page: steps through the journal inside it. The sentences were made when the page was written.
import { Recording, stepsOf } from "./recording.js";
import { cardText, drawTable, element, sentence, winningCards } from "./table.js";

const BEATS = [3000, 1500, 750, 200];
const SWIPE = 50; // pixels
const SILENT = ["action_requested", "went_on"];

const at = (id) => document.getElementById(id);

/** What is packed into a part of the page: the bytes of a file. */
async function unpacked(id) {
  const packed = Uint8Array.from(atob(at(id).textContent.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

class Replay {
  position = 0;
  beat = 1;
  timer = null;
  drawn = { hand: -1, viewer: undefined, position: -1 };

  /**
   * words.views: the viewpoints, that of the page first. words.story: the lines as [position, spans, views], where a span
   * is a text, the number of a card, or a name alone in a list, and views the viewpoints that are told the line; all are where it is missing.
   * words.chances: what the cards say at a decision, as [position of the request, number of its viewpoint, lines].
   * words.clock: whether the time of day is told.
   */
  constructor(recording, words) {
    this.recording = recording;
    this.views = words.views;
    this.story = words.story;
    this.chances = words.chances;
    this.clock = words.clock;
    this.viewer = words.views[0];
    this.stops = this.#stops();
    at("story").classList.toggle("timeless", !this.clock);
    at("seen").hidden = this.views.length < 2;
  }

  /**
   * Where a step ends: at events that the story tells, with the requests behind them. That a game is picked, in the step
   * that deals the next hand, belongs to neither hand.
   */
  #stops() {
    const { events } = this.recording;
    const stops = new Set();
    for (const [position] of this.story) {
      let end = position;
      while (end < events.length && SILENT.includes(events[end].event)) end += 1;
      if (events[end - 1].event !== "game_picked" || events[end]?.event !== "hand_started") stops.add(end);
    }
    return [...stops].sort((a, b) => a - b);
  }

  get lines() {
    const viewer = this.views.indexOf(this.viewer);
    return this.story.filter(([, , views]) => views === undefined || views.includes(viewer));
  }

  get handStops() {
    const { recording, position } = this;
    const [first, last] = [recording.handStart(position), recording.handEnd(position)];
    return this.stops.filter((stop) => stop >= first && stop <= last);
  }

  /** Goes to the step that ends at a position or behind it. */
  goTo(position) {
    this.position = this.stops.find((stop) => stop >= position) ?? this.stops.at(-1) ?? 0;
    this.show();
  }

  next(marks) {
    this.goTo(marks.find((mark) => mark > this.position) ?? Infinity);
  }

  /** To the last mark whose step ends before this one; the start of the recording where there is none. */
  previous(marks) {
    const ends = marks.map((mark) => this.stops.find((stop) => stop >= mark) ?? 0);
    this.goTo(ends.findLast((end) => end < this.position) ?? 0);
  }

  /** Where the seat that sees it is asked for a decision; where anybody is, for a spectator and with all cards. */
  get decisions() {
    const seat = typeof this.viewer === "number" ? this.viewer : null;
    return this.recording.events.flatMap((event, before) =>
      event.event === "action_requested" && (seat === null || event.seat === seat) ? [before + 1] : [],
    );
  }

  /** Carries out a command; returns false for one that there is not. */
  do(name) {
    const { recording, stops } = this;
    const commands = {
      forward: () => this.next(stops),
      back: () => this.previous(stops),
      next_street: () => this.next(recording.streets),
      previous_street: () => this.previous(recording.streets),
      next_hand: () => this.next(recording.hands),
      previous_hand: () => this.previous(recording.hands),
      next_decision: () => this.next(this.decisions),
      previous_decision: () => this.previous(this.decisions),
      start: () => this.goTo(0),
      end: () => this.goTo(Infinity),
      play: () => this.play(this.timer === null),
      faster: () => (this.beat = Math.min(this.beat + 1, BEATS.length - 1)),
      slower: () => (this.beat = Math.max(this.beat - 1, 0)),
      all_cards: () => this.lookAs(this.viewer === this.views[0] ? this.views.at(-1) : this.views[0]),
      search: () => at("search").focus(),
      help: () => (at("help").open ? at("help").close() : at("help").showModal()),
    };
    if (!commands[name]) return false;
    if (!["play", "faster", "slower", "search", "help"].includes(name)) this.play(false);
    commands[name]();
    return true;
  }

  play(on) {
    clearTimeout(this.timer);
    this.timer = null;
    const more = this.position < this.stops.at(-1);
    if (on && more) {
      this.timer = setTimeout(() => {
        this.next(this.stops);
        this.play(true);
      }, BEATS[this.beat]);
    }
    at("play").classList.toggle("on", this.timer !== null);
    at("play").setAttribute("aria-label", this.timer === null ? "play" : "pause");
  }

  lookAs(viewer) {
    if (!this.views.includes(viewer)) return;
    this.viewer = viewer;
    this.show();
  }

  /** Draws everything at the present position. */
  show() {
    const view = this.recording.table(this.position);
    drawTable(at("table"), view, this.viewer, { bright: this.#bright() });
    this.#tell();
    this.#worth();
    this.#controls(view);
  }

  /** The story of this hand up to here. Lines that come next are only added, so that a reader aloud says just these. */
  #tell() {
    const log = at("story");
    const start = this.recording.handStart(this.position);
    const due = this.lines.filter(([position]) => position >= start && position <= this.position);
    const { drawn } = this;
    const on = drawn.hand === start && drawn.viewer === this.viewer && drawn.position <= this.position;
    const fresh = on ? due.filter(([position]) => position > drawn.position) : due;
    log.setAttribute("aria-live", on ? "polite" : "off");
    if (!on) log.replaceChildren();
    log.append(...fresh.map(([position, spans]) => this.#line(position, spans)));
    log.scrollTop = log.scrollHeight;
    const last = due.at(-1);
    at("now").replaceChildren(...(last ? sentence(last[1]) : []));
    at("said").replaceChildren(...(on || !last ? [] : sentence(last[1])));
    this.drawn = { hand: start, viewer: this.viewer, position: this.position };
  }

  /** The cards that win, as far as the hand's story has told them. */
  #bright() {
    const start = this.recording.handStart(this.position);
    const awards = this.lines.filter(([position]) => position >= start && position <= this.position && this.recording.events[position - 1].event === "pot_awarded");
    return winningCards(awards.map(([, spans]) => spans));
  }

  /** What the cards say to the seat that sees it, where it is asked for a decision. */
  #worth() {
    const viewer = this.views.indexOf(this.viewer);
    const stop = this.stops.findLast((other) => other < this.position) ?? 0;
    const found = this.chances.find(([position, view]) => view === viewer && position > stop && position <= this.position);
    at("worth").hidden = found === undefined;
    at("worth-lines").replaceChildren(...(found ?? [0, 0, []])[2].map((line) => element("p", "", line)));
  }

  /** To the next line of the story, from here on and then from the beginning, that has these words in it. */
  search(words) {
    const wanted = words.trim().toLowerCase();
    if (!wanted) return;
    const text = ([, spans]) => element("p", "", ...sentence(spans)).textContent.toLowerCase();
    const plain = ([, spans]) => spans.map((span) => (typeof span === "number" ? cardText(span) : span)).join("").toLowerCase();
    const found = this.lines.filter((line) => text(line).includes(wanted) || plain(line).includes(wanted)).map(([position]) => position);
    const next = found.find((position) => position > this.position) ?? found[0];
    at("found").textContent = found.length ? `${found.indexOf(next) + 1} of ${found.length}` : "not found";
    if (next !== undefined) this.goTo(next);
  }

  #line(position, spans) {
    const time = new Date(this.recording.times[position - 1]);
    const clock = time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const stamp = element("time", "", clock);
    stamp.setAttribute("aria-hidden", "true");
    return element("p", "", this.clock ? stamp : null, element("span", "", ...sentence(spans)));
  }

  #controls(view) {
    const { recording, handStops, position } = this;
    const hand = recording.hands.indexOf(recording.handStart(position));
    if (at("hand")) at("hand").value = hand;
    const step = Math.max(handStops.indexOf(position), 0);
    const slider = at("step");
    Object.assign(slider, { min: 1, max: Math.max(handStops.length, 1), value: step + 1 });
    slider.setAttribute("aria-valuetext", `step ${step + 1} of ${handStops.length}`);
    at("of").textContent = `step ${step + 1} of ${handStops.length}`;
    for (const [id, viewer] of this.views.entries()) at("viewer").options[id].replaceChildren(...seenBy(view, viewer));
    at("viewer").value = this.views.indexOf(this.viewer);
    const mark = document.querySelector("#stacks .now");
    if (mark) {
      const x = Number(mark.dataset.left) + Number(mark.dataset.each) * (hand + (view.playing ? 0 : 1));
      mark.setAttribute("x1", x);
      mark.setAttribute("x2", x);
    }
  }
}

function seenBy(view, viewer) {
  if (viewer === "all") return ["all cards"];
  return viewer === null ? ["a spectator"] : [view.seats[viewer - 1]?.name || `seat ${viewer}`];
}

const KEYS = {
  ArrowRight: "forward", ArrowLeft: "back", l: "forward", h: "back", ArrowDown: "next_hand", ArrowUp: "previous_hand",
  "]": "next_street", "[": "previous_street", ".": "next_decision", ",": "previous_decision", Home: "start", End: "end",
  "/": "search", " ": "play", "+": "faster", "=": "faster", "-": "slower", x: "all_cards", "?": "help", F1: "help",
};

/** Whether the element that has the focus needs a key for itself. */
function taken(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  if (event.target.closest("select, dialog")) return event.key !== "?";
  if (event.target.id === "search") return true;
  if (event.target.closest("input")) return event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
  return event.key === " " && event.target.closest("button, a, summary") !== null;
}

function listen(replay) {
  addEventListener("keydown", (event) => {
    if (taken(event)) return;
    const seat = /^[0-9]$/.test(event.key) ? Number(event.key) || null : undefined;
    if (seat !== undefined) replay.lookAs(seat);
    else if (!replay.do(KEYS[event.key])) return;
    event.preventDefault();
  });
  for (const button of document.querySelectorAll("button[data-do]")) {
    button.addEventListener("click", () => replay.do(button.dataset.do));
  }
  at("step").addEventListener("input", (event) => {
    replay.play(false);
    replay.goTo(replay.handStops[event.target.value - 1]);
  });
  at("viewer").addEventListener("change", (event) => replay.lookAs(replay.views[event.target.value]));
  at("hand")?.addEventListener("change", (event) => replay.goTo(replay.recording.hands[event.target.value]));
  at("searching").addEventListener("submit", (event) => {
    event.preventDefault();
    replay.search(at("search").value);
  });
  at("search").addEventListener("keydown", (event) => {
    if (event.key === "Escape") at("search").blur();
  });
  listenToSwipes(at("table"), (command) => replay.do(command));
}

/** To the left is forward. Two fingers, and movements up or down, are the browser's. */
function listenToSwipes(place, command) {
  let from = null;
  const started = (event) => (from = event.touches.length === 1 ? event.touches[0] : null);
  place.addEventListener("touchstart", started, { passive: true });
  place.addEventListener("touchend", (event) => {
    if (from === null) return;
    const to = event.changedTouches[0];
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) command(x < 0 ? "forward" : "back");
  });
}

async function open() {
  if (typeof DecompressionStream === "undefined") throw new Error("this browser is older than 2023");
  const words = JSON.parse(new TextDecoder().decode(await unpacked("words")));
  const recording = new Recording(stepsOf(await unpacked("journal")));
  const replay = new Replay(recording, words);
  listen(replay);
  replay.goTo(recording.hands[0] ?? 0);
  document.documentElement.dataset.ready = "yes";
}

open().catch((error) => (at("now").textContent = `This page cannot be shown here: ${error.message}.`));
