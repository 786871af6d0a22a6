// A seat at a table in the browser. The server says every sentence (docs/protocol.md, `told`) and offers every action;
// this page draws the table and has a button for each option.
import { Connection } from "./connection.js";
import { CALM, Decision } from "./decision.js";
import { LookBack, Records } from "./look_back.js";
import { downCards, drawTable, element, row, sentence, winningCards } from "./table.js";

const LINES = 600; // sentences of the story that are kept
const NEAR = 40; // pixels from its end within which the story goes on by itself
const TWICE = 1000; // milliseconds in which a second press of a button is the same one
const NOTE = 6000; // milliseconds that a note stays
const BREAK_NEAR = 600_000; // milliseconds before a planned break from which it is shown
const LATE = 8; // seconds left from which a clock is marked
const END = ["hand_voided", "pot_awarded", "hand_ended"]; // in the order of the panel; the hands lie on the table

const LOOKS = { hand_started: "hand", said: "said", round_opened: "street", round_skipped: "street" };

const at = (id) => document.getElementById(id);
const fragment = new URLSearchParams(location.hash.slice(1));

// ------------------------------------------------------------- what the browser keeps

/** A browser without storage, in a private window perhaps, forgets with the page. */
const kept = {
  memory: new Map(),
  get(key) {
    try {
      return localStorage.getItem(`ryo.${key}`);
    } catch {
      return this.memory.get(key) ?? null;
    }
  },
  set(key, value) {
    try {
      if (value === null) localStorage.removeItem(`ryo.${key}`);
      else localStorage.setItem(`ryo.${key}`, value);
    } catch {
      this.memory.set(key, value);
    }
  },
};

const toText = (bytes) => btoa(String.fromCharCode(...bytes));
const toBytes = (text) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

/** The token of the seat at a table: made once, and the only proof whose seat it is. */
function tokenOf(table) {
  const found = kept.get(`token.${table}`);
  if (found) return toBytes(found);
  const token = crypto.getRandomValues(new Uint8Array(32));
  kept.set(`token.${table}`, toText(token));
  return token;
}

/** The invitation to a table, from the link or from an earlier visit by one: a page on the home screen begins without. */
function inviteTo(table) {
  return (linkedTo(table) ? fragment.get("t") : kept.get(`invite.${table}`)) ?? "";
}

/** Whether the address of the page has an invitation, and it can be for this table. */
const linkedTo = (table) => fragment.has("t") && (fragment.get("table") ?? table) === table;

// ------------------------------------------------------------------------- the page

class Page {
  tables = [];
  table = ""; // where the player is, or wants to be
  result = []; // sentences of the end of the hand
  returning = false; // whether the player has a seat and is on the way to it, so that no form is wanted
  own = false; // whether a hand's end has been told to the player
  following = true; // whether the story stands at its end

  constructor() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.connection = new Connection(`${scheme}://${location.host}/play`, {
      onStatus: () => this.show(),
      onTables: (tables) => this.meet(tables),
      onChange: (events, told) => this.changed(events, told),
      onNotice: (text) => this.note(text),
      onRefused: (text, code) => this.refused(text, code),
      onAnswer: (text) => text.split("\n").forEach((line) => this.line("own", [line])),
      onRecord: (message) => (message.type === "hand_record" ? this.records.take(message) : this.note(message.text)),
    });
    this.records = new Records((message) => this.connection.send(message), (record) => this.recorded(record));
    this.lookBack = new LookBack();
    this.decision = new Decision(at("answers"), (action) => this.answer(action), (game) => this.titleOf(game));
    this.connection.open();
    setInterval(() => this.tick(), 250);
    this.watchStory(at("story"));
  }

  get view() {
    return this.connection.view;
  }

  get seat() {
    const { view, connection } = this;
    return view === null || !connection.seat ? null : view.seats[connection.seat - 1] ?? null;
  }

  /** The sentences of the hand's end, who wins what first. */
  get ending() {
    return [...this.result].sort(([one], [other]) => one - other).map(([, line]) => line);
  }

  titleOf(game) {
    return this.view?.rules?.games.find((offer) => offer.id === game)?.title ?? game;
  }

  // ---------------------------------------------------------------------- the door

  /** The tables of the server: somebody with a seat comes back to it, anybody else is asked. */
  meet(tables) {
    this.tables = tables;
    const wanted = fragment.get("table") ?? kept.get("table");
    const linked = fragment.get("table");
    if (linked) this.remember(linked);
    const seated = tables.find(({ table }) => kept.get(`seat.${table}`) && (!linked || table === linked));
    if (seated && !this.asked) {
      this.table = seated.table;
      this.returning = true;
      this.show();
      this.sit(kept.get(`seat.${seated.table}`));
      return;
    }
    const select = at("table-name");
    select.replaceChildren(...tables.map(({ table, rules }) => Object.assign(element("option", "", rules.name), { value: table })));
    if (tables.some(({ table }) => table === wanted)) select.value = wanted;
    at("choose-table").hidden = tables.length < 2;
    at("name").value ||= fragment.get("name") ?? kept.get("name") ?? "";
    this.about();
    this.show();
  }

  /** The table, and the invitation to it, are found again by a page that is opened without them. */
  remember(table) {
    kept.set("table", table);
    if (linkedTo(table)) kept.set(`invite.${table}`, fragment.get("t"));
  }

  get chosen() {
    return this.tables.find(({ table }) => table === at("table-name").value) ?? this.tables[0] ?? null;
  }

  /** What is played at the chosen table, and who is there. */
  about() {
    const { chosen } = this;
    if (chosen === null) return;
    const { rules, players = [], told = [] } = chosen;
    const bdi = (kind, text) => element(kind, "", element("bdi", "", text));
    at("about").replaceChildren(...told.flatMap(([label, text]) => [bdi("dt", label), bdi("dd", text)]));
    Object.assign(at("chips"), { min: rules.buy_in_least, max: rules.buy_in_most, value: rules.buy_in });
    at("watch").hidden = rules.spectators === false;
    at("sit").textContent = players.length < rules.seats ? "Sit down" : "Wait for a seat";
  }

  sit(name) {
    this.asked = false;
    const password = at("password").value;
    this.connection.enter({
      type: "join", name, table: this.table, token: tokenOf(this.table), wait: true,
      chips: Number(at("chips").value) || 0, invite: inviteTo(this.table), ...(password ? { password } : {}),
    });
  }

  watch() {
    const password = at("password").value;
    this.table = this.chosen.table;
    this.connection.enter({
      type: "watch", table: this.table, invite: inviteTo(this.table), ...(password ? { password } : {}),
    });
  }

  /** The way in is refused: the reason stands over the form. */
  refused(text, code) {
    if (code === "bad_password") at("password-label").hidden = false;
    if (code === "bad_invite") kept.set(`invite.${this.table}`, null);
    if (code === "name_taken") kept.set(`seat.${this.table}`, null);
    this.asked = true;
    this.returning = false;
    at("refused").textContent = text;
    at("refused").hidden = false;
    this.connection.forget();
  }

  // ----------------------------------------------------------------- what has changed

  /** events: null for a whole new table. */
  changed(events, told) {
    const { view, connection } = this;
    if (view === null) return;
    const lines = events?.flatMap((event, number) => this.tell(event, told?.lines?.[number] ?? []));
    if (events === null) this.entered();
    if (connection.seat) kept.set(`seat.${this.table}`, view.seats[connection.seat - 1].name);
    this.show();
    if (lines?.length) this.add(lines); // after the table, so that the browser has one layout to make
  }

  entered() {
    const { view, connection } = this;
    if (view.playing) this.result = [];
    at("refused").hidden = true;
    this.returning = false;
    this.remember(this.table);
    this.line("hand", [connection.seat ? "You are at the table." : "You are watching."]);
    this.before = at("story").lastChild;
    this.entrySeq = view.seq;
    if (view.playing) this.records.get(view.hand, true);
  }

  /** A record has come: the hand that is being played is told from its beginning, one that is over is opened. */
  recorded(record) {
    if (!record.running) this.lookBack.open(record);
    else if (this.before?.isConnected) {
      const lines = [];
      record.steps.forEach((step, at) =>
        step.events.forEach((event, number) => {
          if (step.seq + number > this.entrySeq) return; // that was told when it happened
          record.told[at][number].forEach((line, first) => lines.push(paragraph(first ? "" : LOOKS[event.event] ?? "", line)));
        }),
      );
      this.before.after(...lines);
      this.follow();
    }
  }

  /** Takes an event in; its sentences as paragraphs. */
  tell(event, lines) {
    if (event.event === "hand_started") this.result = [];
    if (event.event === "player_left" && event.seat === this.connection.seat) this.stoodUp(event);
    if (END.includes(event.event)) this.result.push(...lines.map((line) => [END.indexOf(event.event), line]));
    return lines.map((line, number) => paragraph(number === 0 ? LOOKS[event.event] ?? "" : "", line));
  }

  line(look, spans) {
    this.add([paragraph(look, spans)]);
  }

  /** Adds to the story. */
  add(paragraphs) {
    const log = at("story");
    log.append(...paragraphs);
    while (log.children.length > LINES) log.firstChild.remove();
    this.follow();
  }

  /** Scrolling by the player is told from what a new size of the window does. */
  watchStory(log) {
    let [width, height] = [0, 0];
    log.addEventListener("scroll", () => {
      if (log.clientWidth !== width || log.clientHeight !== height) return;
      this.following = log.scrollHeight - log.scrollTop - height < NEAR;
    });
    new ResizeObserver(() => {
      [width, height] = [log.clientWidth, log.clientHeight];
      this.follow();
    }).observe(log);
  }

  /** The newest sentence is on the screen, unless the player has gone back to an older one. */
  follow() {
    if (this.following) at("story").scrollTop = at("story").scrollHeight;
  }

  stoodUp(event) {
    kept.set(`seat.${this.table}`, null);
    kept.set(`token.${this.table}`, null);
    this.note(`You left with ${event.chips} chips.`);
  }

  // ------------------------------------------------------------------------ the screen

  show() {
    const { connection, view } = this;
    const atTable = view !== null && connection.status !== "lobby" && !this.asked;
    at("room").hidden = at("menu").hidden = !atTable;
    document.body.classList.toggle("playing", atTable);
    at("door").hidden = atTable || this.returning || connection.status !== "lobby";
    at("plain").hidden = location.protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
    this.showState();
    if (!atTable) return;
    at("title").textContent = view.rules?.name || "Roll Your Own";
    const awards = this.result.filter(([place]) => END[place] === "pot_awarded").map(([, line]) => line);
    this.bright = view.playing ? null : winningCards(awards);
    drawTable(at("table"), view, connection.seat || null, { more: (seat) => this.clockMark(seat), bright: this.bright });
    this.showOwn();
    this.showDecision();
    this.showMenu();
  }

  /** What is true for a while: no connection, paused, watching. */
  showState() {
    const { connection } = this;
    const seconds = Math.round((performance.now() - connection.since) / 1000);
    let text = "";
    if (connection.status === "reconnecting") text = `${connection.trouble} No connection for ${seconds} s; trying again.`.trim();
    else if (connection.status === "connecting") text = "Connecting ...";
    else if (connection.status === "closed") text = connection.trouble || "Not connected any more.";
    else if (connection.view?.pause) text = pauseWords(connection.view);
    else if (connection.paused && connection.view?.seats.some((seat) => seat.name)) text = "Paused: nobody is there to play.";
    else if (connection.view?.next_break && connection.breakAt !== null) text = breakWords(connection.breakAt - performance.now());
    const place = at("state");
    if (place.dataset.text === text) return;
    place.dataset.text = text;
    place.replaceChildren(text);
    place.hidden = !text;
    if (connection.status === "closed") {
      const again = element("button", "", "Come back here");
      again.addEventListener("click", () => location.reload());
      place.append(" ", again);
    }
  }

  clockMark(seat) {
    return this.connection.clocks.has(seat.seat) ? Object.assign(element("span", "mark clock"), { id: `clock-${seat.seat}` }) : null;
  }

  showOwn() {
    const { seat, connection } = this;
    const playing = seat !== null && seat.hand !== "out" && (seat.down.length || seat.up.length);
    at("own").classList.toggle("none", !playing);
    if (!playing) return;
    const hide = at("cover").checked && !this.peeking;
    const down = downCards(seat, connection.seat).map((card) => (hide ? null : card));
    at("own-cards").replaceChildren(...(down.length ? [row("down", down, "", this.bright)] : []), ...(seat.up.length ? [row("up", seat.up, "", this.bright)] : []));
    const hands = connection.told?.hands ?? [];
    at("own-hands").replaceChildren(...(hide ? [] : hands.map(([side, name]) => element("span", "", side ? `${side}: ${name}` : name))));
  }

  /** What the player is asked, or what the table waits for, and the buttons. */
  showDecision() {
    const { connection, view, seat } = this;
    const { asked } = connection;
    this.decision.show(asked, connection.told?.offers ?? []);
    this.showOthers(asked === null ? this.otherButtons() : []);
    const over = !view.playing && this.result.length > 0;
    at("result").hidden = !over;
    document.body.classList.toggle("over", over && !at("cover").checked);
    at("result").replaceChildren(...(over ? this.ending.map((line) => element("p", "", ...sentence(line))) : []));
    const question = this.question(asked, seat);
    if (at("question").dataset.text !== question.key) {
      at("question").dataset.text = question.key;
      const turn = asked === null ? [] : [element("span", "turn", "Your turn"), " "];
      at("question").replaceChildren(...turn, ...question.parts, " ", Object.assign(element("span", "clock"), { id: "own-clock" }));
    }
    at("decision").classList.toggle("asked", asked !== null);
    this.turn(asked);
    this.tick();
  }

  /** Buttons that stay as they are are left alone, so that the keyboard does not lose its place. */
  showOthers(buttons) {
    const name = buttons.map((button) => button.textContent).join("|");
    if (name === this.others && (name === "" || at("answers").firstChild !== null)) return;
    this.others = name;
    if (this.connection.asked === null) at("answers").replaceChildren(...buttons);
    this.calmUntil = performance.now() + CALM;
  }

  question(asked, seat) {
    const { connection, view } = this;
    if (connection.status !== "online") return { key: "off", parts: ["The table as it was when the connection broke."] };
    if (asked !== null) return { key: `a${asked.seq}`, parts: sentence(connection.told?.request ?? ["It is your turn."]) };
    if (connection.waiting) return { key: "sent", parts: ["Sent ..."] };
    const say = (text) => ({ key: text, parts: [text] });
    if (seat === null) return say(connection.place ? `You are number ${connection.place} on the waiting list.` : "You are watching.");
    if (!seat.chips && !(view.playing && seat.hand === "live")) return say("You have no chips left.");
    const others = view.seats.filter((other) => other.pending && other.seat !== seat.seat).map((other) => other.name);
    if (others.length) return say(`To act: ${others.join(", ")}.`);
    if (!view.playing && this.result.length && !seat.went_on) return say("The hand is over.");
    if (seat.away) return say("You sit out.");
    if (connection.halted && seat.pending !== null) return say("You go on from here when the table does.");
    if (view.playing) return say("");
    return say(view.seats.filter((other) => other.name).length < 2 ? "Waiting for players." : "Waiting for the next hand.");
  }

  /** Buttons for what can be done while nothing is asked. */
  otherButtons() {
    const { connection, view, seat } = this;
    if (connection.status !== "online") return [];
    const make = (words, key, press) => {
      const button = element("button", "", words, element("span", "key", key));
      button.type = "button";
      button.dataset.key = key;
      button.addEventListener("click", () => {
        if (performance.now() < this.calmUntil) return;
        this.calmUntil = performance.now() + TWICE;
        press();
      });
      return button;
    };
    if (seat === null) {
      return connection.place ? [] : [make("Take a seat", "", () => this.askForSeat())];
    }
    const found = [];
    const broke = !seat.chips && !(view.playing && seat.hand === "live");
    if (broke) found.push(make(`Buy ${view.rules?.buy_in ?? 100} chips`, " ", () => connection.send({ type: "top_up", amount: view.rules.buy_in })));
    if (!view.playing && this.result.length) {
      if (!seat.went_on && !broke) found.push(make("Go on", "n", () => connection.send({ type: "go_on" })));
      if (seat.hand !== "out" && seat.down.length && !seat.shown.length) found.push(make("Show my cards", "e", () => connection.send({ type: "show" })));
    }
    if (!view.playing && view.hand) found.push(make("Look back", "", () => this.records.get(0)));
    if (seat.away && !broke) found.push(make("Come back", "z", () => this.do("away")));
    found[0]?.classList.add("first");
    return found;
  }

  showMenu() {
    const { seat } = this;
    at("away").hidden = at("buy").hidden = at("move").hidden = seat === null;
    at("away").textContent = seat?.away ? "Come back" : "Sit out";
    at("chat").hidden = seat === null;
    at("host").hidden = !this.connection.isHost;
  }

  /** The turn begins: the title says so, and what is wanted sounds. */
  turn(asked) {
    document.title = asked === null ? at("title").textContent : `● your turn - ${at("title").textContent}`;
    const allowed = navigator.userActivation?.hasBeenActive ?? true; // browsers want a press before the first sound
    if (asked !== null && this.told !== asked.seq && at("bell").checked && allowed) {
      navigator.vibrate?.(150);
      beep();
    }
    this.told = asked?.seq ?? 0;
  }

  /** Clocks go on between messages. */
  tick() {
    const { connection } = this;
    if (connection.status === "reconnecting" || connection.breakAt !== null) this.showState();
    for (const [seat, { end, bank }] of connection.clocks) {
      const left = Math.max(0, (end - performance.now()) / 1000);
      const text = connection.paused ? "" : words(left, bank);
      const mark = at(`clock-${seat}`);
      if (mark !== null) mark.textContent = text;
      if (seat === connection.seat && connection.asked !== null) {
        at("own-clock").textContent = text;
        at("own-clock").classList.toggle("late", left < LATE);
      }
    }
  }

  note(text) {
    at("note").textContent = text;
    at("note").hidden = false;
    clearTimeout(this.noteTimer);
    this.noteTimer = setTimeout(() => (at("note").hidden = true), NOTE);
  }

  // ------------------------------------------------------------------------- doing

  answer(action) {
    this.connection.act(action);
  }

  /** A line of chat, or behind a slash a word of the host. */
  say(text) {
    if (!text.startsWith("/")) return this.connection.send({ type: "say", text });
    const word = text.slice(1).trim();
    const claim = word.match(/^claim\s+(.+)$/i);
    if (claim) return this.connection.send({ type: "claim_host", key: claim[1] });
    const move = word.match(/^move\s+(\d{1,3})$/i);
    if (move) return this.connection.send({ type: "move_seat", seat: Number(move[1]) });
    return this.connection.send({ type: "host_word", text: word.replace(/^stop after this hand/i, "last-hand") });
  }

  askForSeat() {
    this.asked = true;
    this.connection.forget();
  }

  async do(name) {
    const { connection, seat, view } = this;
    const commands = {
      away: () => connection.send({ type: seat?.away ? "sit_in" : "sit_out" }),
      buy: async () => {
        const amount = await ask("How many chips do you buy?", { number: view.rules.buy_in, yes: "Buy" });
        if (amount > 0) connection.send({ type: "top_up", amount });
      },
      leave: async () => {
        if (seat === null) return location.reload();
        if (await ask("Give your seat back? Your chips leave the table with you.", { yes: "Leave", no: "Stay" })) connection.send({ type: "stand_up" });
      },
      move: async () => {
        at("settings").close();
        const free = view.seats.find((one) => !one.name)?.seat ?? seat.seat;
        const to = await ask(`To which seat do you move between hands? You sit in seat ${seat.seat}.`, { number: free, yes: "Move" });
        if (to > 0) connection.send({ type: "move_seat", seat: to });
      },
      settings: () => at("settings").showModal(),
      host: () => at("hosting").showModal(),
      back: () => {
        at("settings").close();
        this.records.get(0);
      },
      help: () => (at("help").open ? at("help").close() : at("help").showModal()),
    };
    await commands[name]?.();
  }
}

const paragraph = (look, spans) => element("p", look, ...sentence(spans));

/** When the next break begins, in the last minutes before it. */
function breakWords(left) {
  if (left > BREAK_NEAR) return "";
  return left > 0 ? `A break in ${Math.ceil(left / 60000)} min.` : "A break after this hand.";
}

/** How a host lets the table stand still. */
function pauseWords({ pause: { kind, by = "", why = "", minutes = 0, until = 0 }, playing }) {
  const reason = [by ? `by ${by}` : "", why].filter((part) => part).join(": ");
  const behind = reason ? ` (${reason})` : "";
  if (kind === "pause") return `The table is paused${behind}.`;
  if (kind === "stop") return playing ? `This is the last hand${behind}.` : `No more hands are dealt${behind}.`;
  if (!until) return `A break of ${minutes} minutes begins after this hand${behind}.`;
  const end = new Date(until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return `A break until ${end}${behind}.`;
}

/** ``23 s``, with the time bank apart: ``23 s + 42``, then ``bank 42 s``. */
function words(left, bank) {
  const own = Math.ceil(left - bank);
  if (!bank) return `${Math.ceil(left)} s`;
  return own > 0 ? `${own} s + ${Math.round(bank)}` : `bank ${Math.ceil(left)} s`;
}

/** Asks in a dialog; true or the number for yes. */
function ask(text, { number = null, yes = "Yes", no = "No" }) {
  const dialog = at("ask");
  at("ask-text").textContent = text;
  at("ask-yes").textContent = yes;
  at("ask-no").textContent = no;
  at("ask-number").hidden = number === null;
  at("ask-number").value = number ?? "";
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    const done = () => {
      const chosen = number === null ? true : Math.round(Number(at("ask-number").value));
      resolve(dialog.returnValue === "yes" ? chosen : false);
    };
    dialog.addEventListener("close", done, { once: true });
  });
}

let audio = null;

/** A short tone, where the browser allows one. */
function beep() {
  try {
    audio ??= new AudioContext();
    audio.resume();
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    volume.gain.value = 0.05;
    tone.frequency.value = 660;
    tone.connect(volume).connect(audio.destination);
    tone.onended = () => audio.suspend(); // one that runs costs power, and keeps other sound from a phone
    tone.start();
    tone.stop(audio.currentTime + 0.12);
  } catch {
    // no sound then
  }
}

// ---------------------------------------------------------------------- keys and forms

function listen(page) {
  at("door").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = at("name").value.trim();
    if (!name || page.chosen === null) return;
    kept.set("name", name);
    page.table = page.chosen.table;
    page.sit(name);
  });
  at("watch").addEventListener("click", () => page.watch());
  at("table-name").addEventListener("change", () => page.about());
  at("chat").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = at("line").value.trim();
    if (text && page.say(text)) at("line").value = "";
  });
  at("hosting").addEventListener("close", async () => {
    const word = at("hosting").returnValue;
    const why = at("host-why").value.trim();
    at("host-why").value = "";
    at("hosting").returnValue = "";
    if (!word || word === "close") return;
    if (word === "void" && !(await ask("Void this hand? Everybody gets back what they have put in.", { yes: "Void" }))) return;
    page.say(`/${word}${why ? ` ${why}` : ""}`);
  });
  for (const button of document.querySelectorAll("button[data-do]")) {
    button.addEventListener("click", () => page.do(button.dataset.do));
  }
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.target.closest("input, select, textarea, dialog")) {
      if (event.key === "Escape" && event.target.id === "line") event.target.blur();
      return;
    }
    if (event.key === "Enter" && event.target.closest("button, a")) return;
    if (pressed(page, event.key)) event.preventDefault();
  });
  settings(page);
}

/** Does what a key means; false if it means nothing now. */
function pressed(page, key) {
  if (at("room").hidden) return false;
  if (page.decision.press(key)) return true;
  const button = at("answers").querySelector(`[data-key="${CSS.escape(key === " " ? "n" : key)}"]`) ?? at("answers").querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (button !== null) button.click();
  else if (key === "t") at("line").focus();
  else if (key === "z") page.do("away");
  else if (key === "?" || key === "F1") page.do("help");
  else return false;
  return true;
}

function settings(page) {
  at("suits").value = kept.get("suits") ?? "four";
  at("bell").checked = kept.get("bell") !== "off";
  at("cover").checked = kept.get("cover") === "on";
  const apply = () => {
    document.documentElement.dataset.suits = at("suits").value;
    kept.set("suits", at("suits").value);
    kept.set("bell", at("bell").checked ? "on" : "off");
    kept.set("cover", at("cover").checked ? "on" : "off");
    page.show();
  };
  for (const id of ["suits", "bell", "cover"]) at(id).addEventListener("change", apply);
  apply();
  const peek = (on) => {
    page.peeking = on;
    if (page.view !== null) page.showOwn();
  };
  at("own").addEventListener("pointerdown", () => peek(true));
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) at("own").addEventListener(end, () => peek(false));
}

// Of a page with a manifest an iPhone puts the manifest's address on the home screen, and keeps nothing for it that this
// page keeps; without one it takes the address of this page, with the invitation.
if ("standalone" in navigator) at("manifest").remove();

const page = new Page();
listen(page);
document.documentElement.dataset.ready = "yes";
