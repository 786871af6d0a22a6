// One seat at one table over a WebSocket: docs/protocol.md. It comes back by itself after a break, and an action is done
// at most once: it has a number, and is sent again only if the server has not seen that number.
import { decode } from "./msgpack.js";
import { encode } from "./msgpack_encode.js";
import { apply } from "./view.js";

const PAUSES = [0, 500, 1000, 2000, 5000]; // milliseconds before the next try
const PING = 10_000;
const ANSWER = 4000; // time for a sign of life after a sleep, and for a new connection before another wake replaces it
const SILENT = 16_000; // nothing heard for so long: the connection is taken for broken
const SECRET = ["choose", "arrange", "declare", "pass", "discard"];
const ROOM = 64; // bytes of a secret choice with its padding
const BANKED = ["bet", "arrange"]; // decisions for which there is a time bank
const FRAME = 4;
const TEMPORARY = ["storage", "busy", "closed", "knocking"]; // refusals of the own seat that will not last

const PASSING = ["full"]; // refusals of the way in that will not last

/** Cuts a stream of bytes into messages. */
class Frames {
  #rest = new Uint8Array(0);

  feed(data) {
    const all = new Uint8Array(this.#rest.length + data.length);
    all.set(this.#rest);
    all.set(data, this.#rest.length);
    const found = [];
    let at = 0;
    while (all.length - at >= FRAME) {
      const length = new DataView(all.buffer, at).getUint32(0);
      if (all.length - at - FRAME < length) break;
      found.push(decode(all.subarray(at + FRAME, at + FRAME + length)));
      at += FRAME + length;
    }
    this.#rest = all.slice(at);
    return found;
  }
}

/**
 * status: "connecting", "lobby" (welcomed, at no table), "online", "reconnecting" or "closed". view: the table, null
 * before it is known. seat: 0 for a spectator. told: the words for the last message. clocks: seat -> { end, bank }: the
 * time (as performance.now) at which it ends, and the seconds of the time bank in it.
 *
 * Listeners: onChange(events, told), where events is null for a whole new table; onStatus(), onTables(tables),
 * onNotice(text), onRefused(text, code) for the way in, onAnswer(text) to the word of a host, onRecord(message).
 */
export class Connection {
  status = "connecting";
  trouble = ""; // why it is closed, or what the server said before it went
  view = null;
  seat = 0;
  place = 0;
  told = null;
  clocks = new Map();
  banks = new Map();
  watching = 0;
  paused = false;
  breakAt = null; // when the next planned break begins, as performance.now()
  since = 0;
  #socket = null;
  #frames = null;
  #entry = null; // the message by which the client came to its table, and comes back
  #lastId = 0;
  #unsettled = null;
  #session = "";
  #tries = 0;
  #timer = null;
  #heard = 0; // when the server was last heard, or the connection begun
  #doubted = 0; // when it was asked for a sign of life; 0 once there is one

  constructor(address, listeners) {
    this.address = address;
    this.listeners = listeners;
    setInterval(() => this.#check(), 1000);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.wake();
    });
    addEventListener("online", () => this.wake());
    addEventListener("offline", () => this.wake());
    addEventListener("pageshow", () => this.wake());
  }

  // ------------------------------------------------------------------- the way in

  open() {
    clearTimeout(this.#timer);
    this.#drop();
    this.#frames = new Frames();
    this.#heard = performance.now();
    this.#doubted = 0;
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.#heard = performance.now();
      this.send({ type: "hello", protocol: [1, 1], client: "page", features: ["told"] });
    };
    socket.onmessage = (event) => this.#received(new Uint8Array(event.data));
    socket.onclose = () => this.#broken();
    this.#socket = socket;
  }

  /** After a sleep: a connection that may have broken meanwhile is made anew at once. One that is being made is left alone. */
  wake() {
    if (this.status === "closed") return;
    const silent = performance.now() - this.#heard;
    if (this.#socket?.readyState === WebSocket.CONNECTING && silent < ANSWER) return;
    if (this.status === "reconnecting") this.open();
    else if (silent > PING + 2000) this.#broken();
    else if (this.#isOpen) {
      this.send({ type: "ping" });
      this.#doubted = performance.now();
    }
  }

  /** Sits down (`join`) or watches (`watch`): the message as in the protocol, without what is for coming back. */
  enter(message) {
    this.#entry = message;
    if (this.#isOpen) this.send(message);
  }

  /** Ends for good. */
  close(trouble = "") {
    clearTimeout(this.#timer);
    this.#drop();
    this.trouble = trouble;
    this.#become("closed");
  }

  get #isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  #drop() {
    if (this.#socket === null) return;
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null;
    this.#socket.close();
    this.#socket = null;
  }

  #broken() {
    if (this.status === "closed") return;
    this.#drop();
    this.#become("reconnecting");
    const pause = PAUSES[Math.min(this.#tries, PAUSES.length - 1)];
    this.#tries += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.open(), pause * (0.8 + 0.4 * Math.random()));
  }

  #become(status) {
    if (status === "reconnecting" && this.status !== "reconnecting") this.since = performance.now();
    if (status === "online" || status === "lobby") this.trouble = "";
    this.status = status;
    this.listeners.onStatus();
  }

  #check() {
    const now = performance.now();
    const silent = now - this.#heard;
    if (this.status === "reconnecting") this.listeners.onStatus();
    if (this.#socket === null) return;
    if (silent > SILENT || (this.#doubted && now - this.#doubted > ANSWER)) this.#broken();
    else if (silent > PING && this.#isOpen) this.send({ type: "ping" });
  }

  // ------------------------------------------------------------------ what is said

  send(message) {
    if (!this.#isOpen) return false;
    const body = encode(message);
    const frame = new Uint8Array(FRAME + body.length);
    new DataView(frame.buffer).setUint32(0, body.length);
    frame.set(body, FRAME);
    this.#socket.send(frame);
    return true;
  }

  /** The open request of the own seat; null if there is none, and while an answer is on its way. */
  get asked() {
    if (this.#unsettled !== null || this.seat === 0 || this.status !== "online" || this.halted) return null;
    return this.view?.seats[this.seat - 1]?.pending ?? null;
  }

  /** Whether a host lets the table stand still. */
  get halted() {
    const { pause, playing } = this.view ?? {};
    return pause !== undefined && (pause.kind === "pause" || !playing);
  }

  /** Whether the own seat is a host of the table. */
  get isHost() {
    return this.seat !== 0 && (this.view?.hosts ?? []).includes(this.seat);
  }

  /** Whether an answer is on its way. */
  get waiting() {
    return this.#unsettled !== null;
  }

  /** Answers the open request; false if there is none. A second answer to the same request is not sent. */
  act(action) {
    const asked = this.asked;
    if (asked === null) return false;
    const message = { type: "act", id: ++this.#lastId, answers: asked.seq, action };
    if (SECRET.includes(action.kind)) message.pad = new Uint8Array(ROOM - encode(action).length);
    this.#unsettled = message;
    this.send(message);
    this.listeners.onChange([], this.told);
    return true;
  }

  // ---------------------------------------------------------------- what is heard

  #received(data) {
    this.#heard = performance.now();
    this.#doubted = 0;
    let messages;
    try {
      messages = this.#frames.feed(data);
      for (const message of messages) this.#take(message);
    } catch (error) {
      console.error(error);
      this.#broken(); // a snapshot will put it right
    }
  }

  #take(message) {
    const { listeners } = this;
    switch (message.type) {
      case "welcome":
        this.#tries = 0;
        if (this.#entry !== null) this.send(this.#entry);
        else this.send({ type: "list_tables" });
        break;
      case "tables":
        this.#become("lobby");
        listeners.onTables(message.tables);
        break;
      case "joined":
        this.seat = message.seat;
        this.place = message.place ?? 0;
        this.#settleUpTo(message.last_id ?? 0);
        break;
      case "snapshot":
        this.#snapshot(message);
        break;
      case "events":
        this.#events(message);
        break;
      case "time_left":
        this.#times(message);
        listeners.onChange([], this.told);
        break;
      case "done":
        if (this.#unsettled?.id === message.id) this.#unsettled = null;
        listeners.onChange([], this.told);
        break;
      case "rejected":
        this.#rejected(message);
        break;
      case "host_answer":
        listeners.onAnswer(message.text);
        break;
      case "hand_record":
        listeners.onRecord(message);
        break;
      case "refused":
        if (PASSING.includes(message.code)) this.#later(message.text);
        else this.close(message.text);
        break;
      case "bye":
        if (message.again && message.code !== "replaced") this.#later(message.text);
        else this.close(message.text);
        break;
    }
  }

  /** The server ends the connection, and it makes sense to come back; the reason stands on the screen meanwhile. */
  #later(text) {
    this.#broken();
    this.trouble = text;
    this.listeners.onStatus();
  }

  #settleUpTo(id) {
    if (this.#unsettled !== null && this.#unsettled.id <= id) this.#unsettled = null;
    this.#lastId = Math.max(this.#lastId, id);
  }

  #snapshot(message) {
    this.view = { ...message.view, seats: message.view.seats };
    this.seat = message.seat ?? 0;
    if (this.seat) this.place = 0;
    if (this.#session !== message.session) this.#unsettled = null;
    this.#session = message.session;
    this.#settleUpTo(message.last_id ?? 0);
    this.#times({ ...message, clocks: message.clocks ?? [] });
    this.told = message.told ?? null;
    this.#sendAgain();
    this.#become("online");
    if (message.notice) this.listeners.onNotice(message.notice);
    this.listeners.onChange(null, this.told);
  }

  /** An action that the server has not seen is sent again if its request is still open. */
  #sendAgain() {
    if (this.#unsettled === null) return;
    const pending = this.view.seats[this.seat - 1]?.pending;
    if (pending?.seq === this.#unsettled.answers) this.send(this.#unsettled);
    else this.#unsettled = null;
  }

  #events(message) {
    if (this.view === null) return;
    apply(this.view, message);
    this.told = message.told ?? null;
    for (const event of message.events) this.#runClock(event);
    const left = message.events.some((event) => event.event === "player_left" && event.seat === this.seat);
    const pending = this.view.seats[this.seat - 1]?.pending;
    if (this.#unsettled !== null && pending?.seq !== this.#unsettled.answers) this.#unsettled = null;
    this.listeners.onChange(message.events, this.told);
    if (left) this.#stoodUp();
  }

  /** The own seat is free: from now on a spectator. */
  #stoodUp() {
    this.seat = 0;
    const { table, invite = "", password = "" } = this.#entry;
    this.#entry = { type: "watch", table, invite, password };
    this.listeners.onStatus();
  }

  #runClock(event) {
    if (event.event === "action_requested") {
      const bank = this.#bankOf(event.seat);
      if (event.seconds) this.clocks.set(event.seat, { end: performance.now() + 1000 * (event.seconds + bank), bank });
      else this.clocks.delete(event.seat);
    }
    for (const seat of this.clocks.keys()) if (!this.view.seats[seat - 1]?.pending) this.clocks.delete(seat);
  }

  #times(message) {
    const now = performance.now();
    this.banks = new Map(message.banks ?? []);
    const ends = (message.clocks ?? []).map(([seat, tenths]) => [seat, { end: now + 100 * tenths, bank: this.#bankOf(seat) }]);
    this.clocks = new Map(ends);
    this.watching = message.watching ?? 0;
    this.paused = message.paused ?? false;
    this.breakAt = (message.break_in ?? -1) < 0 ? null : now + 1000 * message.break_in;
  }

  /** Seconds of the time bank that the running clock of a seat has in it: only while its player is there. */
  #bankOf(seat) {
    const { online, pending } = this.view.seats[seat - 1];
    if (!online || !BANKED.includes(pending?.request.decision)) return 0;
    return (this.banks.get(seat) ?? 10 * (this.view.rules?.clocks?.bank ?? 0)) / 10;
  }

  #rejected(message) {
    if (message.id && this.#unsettled?.id === message.id) this.#unsettled = null;
    if (message.hand) {
      this.listeners.onRecord(message);
      return;
    }
    if (this.status === "online") {
      this.listeners.onNotice(message.text);
      this.listeners.onChange([], this.told);
    } else if (TEMPORARY.includes(message.code)) this.#broken();
    else this.listeners.onRefused(message.text, message.code);
  }

  /** The way in was refused: the next connection begins in the lobby. */
  forget() {
    this.#entry = null;
    this.send({ type: "list_tables" });
  }
}
