// The panel of one's own decision: a button for every option that the server offers, and nothing else. An answer that
// needs an amount, cards or an order is put together here; a request that is asked again keeps what was begun.
import { cardName, element, tile } from "./table.js";

const WAGERS = ["bet", "complete", "raise"];
const KEYS = { fold: "f", check: "c", call: "c", bring_in: "b", bet: "b", complete: "r", raise: "r", decline: "n", buy: "b" };
const CONFIRM = { choose: "Turn up", arrange: "Keep in this order", pass: "Pass", discard: "Discard" };
const DRAFT = "ryo.draft"; // what is begun, in the storage of this window: a connection that comes back, and a reload, keep it
export const CALM = 300; // milliseconds after a change in which a press that was meant for what stood there before does nothing

export class Decision {
  #drawn = ""; // which request is on the screen
  #since = 0;
  #cards = [];
  #amounts = {}; // by the number of the option
  #folding = false;

  /** place: where the buttons go. act: takes the finished action. titles: names of games by their id. */
  constructor(place, act, titles) {
    this.place = place;
    this.act = act;
    this.titles = titles;
  }

  /** Shows the buttons of an open request with the words for its options; null takes them away. */
  show(pending, offers) {
    const name = pending === null ? "" : `${pending.seq}`;
    if (name === this.#drawn) return;
    this.#drawn = name;
    const { cards = [], amounts = {} } = this.#begun(name);
    this.#cards = cards;
    this.#amounts = amounts;
    this.#folding = false;
    this.#since = performance.now();
    this.place.replaceChildren();
    if (pending === null) return;
    const { options } = pending.request;
    options.forEach((option, number) => this.#offer(option, number, offers[number] ?? option.kind, options));
    this.place.classList.add("dead");
    setTimeout(() => this.place.classList.remove("dead"), CALM);
  }

  /** What was begun of the answer to the request of that name. */
  #begun(name) {
    try {
      const draft = JSON.parse(sessionStorage.getItem(DRAFT) ?? "{}");
      return name && draft.name === name ? draft : {};
    } catch {
      return {}; // no storage, or not of ours
    }
  }

  #keep() {
    try {
      sessionStorage.setItem(DRAFT, JSON.stringify({ name: this.#drawn, cards: this.#cards, amounts: this.#amounts }));
    } catch {
      // it is lost with a reload then
    }
  }

  #offer(option, number, words, options) {
    const { kind } = option;
    if (option.cards?.length) this.#cardChoice(option, number);
    else if (option.directions?.length) {
      for (const direction of option.directions) {
        this.#button(number, `declare ${direction}`, direction === "both" ? "" : direction[0], { kind, direction });
      }
    } else if (option.games?.length) {
      option.games.forEach((game, at) => this.#button(number, this.titles(game), `${at + 1}`, { kind, game }));
    } else if (WAGERS.includes(kind) && option.least !== option.most) this.#wager(option, number);
    else if (WAGERS.includes(kind)) this.#button(number, words, KEYS[kind], { kind, to: option.least ?? 0 });
    else if (kind === "fold") this.#fold(number, words, options);
    else this.#button(number, words, KEYS[kind] ?? "", { kind });
  }

  #make(number, words, letter, press) {
    const taken = letter && this.place.querySelector(`[data-key="${letter}"]`) !== null;
    const key = taken ? letter.toUpperCase() : letter; // of two wagers of a kind, the second one
    const button = element("button", "", words);
    button.type = "button";
    button.dataset.option = number;
    if (key) {
      button.dataset.key = key;
      const hint = element("span", "key", key);
      hint.setAttribute("aria-hidden", "true");
      button.append(hint);
    }
    button.addEventListener("click", () => {
      if (performance.now() - this.#since >= CALM) press(button);
    });
    return button;
  }

  #button(number, words, key, action) {
    const button = this.#make(number, words, key, () => this.act(action));
    if (["call", "check"].includes(action.kind)) button.classList.add("first");
    if (action.kind === "game") button.classList.add("long");
    this.place.append(button);
  }

  /** Folding where checking is free asks once more. */
  #fold(number, words, options) {
    const free = options.some((option) => option.kind === "check");
    const press = (button) => {
      if (!free || this.#folding) this.act({ kind: "fold" });
      else {
        this.#folding = true;
        button.firstChild.textContent = "fold although checking is free?";
      }
    };
    this.place.append(this.#make(number, words, KEYS.fold, press));
  }

  #wager(option, number) {
    const { kind } = option;
    const [least, most] = [option.least ?? 0, option.most ?? 0];
    const verb = kind === "bet" ? "bet" : `${kind} to`;
    const entry = Object.assign(element("input"), { type: "number", min: least, max: most, step: 1, value: this.#amounts[number] ?? least });
    entry.inputMode = "numeric";
    entry.setAttribute("aria-label", `${verb}: ${least} to ${most}`);
    const amount = () => Math.round(Number(entry.value));
    const fits = () => entry.value !== "" && amount() >= least && amount() <= most;
    const button = this.#make(number, "", KEYS[kind], () => {
      if (fits()) this.act({ kind, to: amount() });
    });
    const label = document.createTextNode("");
    button.prepend(label);
    const update = () => {
      this.#amounts[number] = entry.value;
      this.#keep();
      label.data = fits() ? `${verb} ${amount()}` : `${least} to ${most}`;
      button.disabled = !fits();
    };
    const by = (words, step) => {
      const made = element("button", "", words);
      made.type = "button";
      made.setAttribute("aria-label", step > 0 ? "one more" : "one less");
      made.addEventListener("click", () => {
        entry.value = Math.min(most, Math.max(least, (fits() ? amount() : least) + step));
        update();
      });
      return made;
    };
    entry.addEventListener("input", update);
    entry.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      button.click();
    });
    update();
    this.place.append(element("div", "wager", by("−", -1), entry, by("+", 1), button));
  }

  /** Cards as buttons, pressed in the order that counts; one more button confirms them. */
  #cardChoice(option, number) {
    const { kind, cards } = option;
    const count = option.count ?? 0;
    const exact = kind !== "discard";
    const ordered = kind === "arrange";
    this.#cards = this.#cards.filter((card) => cards.includes(card)).slice(0, count);
    const row = element("div", "choices");
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", `${exact ? "" : "up to "}${count} of these cards`);
    const confirm = this.#make(number, "", "", () => this.act({ kind, cards: [...this.#cards] }));
    confirm.dataset.confirm = "yes";
    confirm.classList.add("first");
    const update = () => {
      this.#keep();
      for (const button of row.children) {
        const at = this.#cards.indexOf(Number(button.dataset.card));
        button.setAttribute("aria-pressed", at >= 0);
        button.querySelector(".order").textContent = ordered && at >= 0 ? at + 1 : "";
        button.querySelector(".order").hidden = !ordered || at < 0;
      }
      const ready = exact ? this.#cards.length === count : true;
      confirm.disabled = !ready;
      const more = count - this.#cards.length;
      const none = kind === "discard" && !this.#cards.length ? "Discard none" : CONFIRM[kind] ?? kind;
      confirm.firstChild.data = ready ? none : `${more} more card${more === 1 ? "" : "s"}`;
    };
    confirm.prepend(document.createTextNode(""));
    cards.forEach((card, at) => {
      const seen = tile(card);
      seen.setAttribute("aria-hidden", "true");
      const button = element("button", "choice", seen, element("span", "spoken", cardName(card)), element("span", "order"));
      button.type = "button";
      button.dataset.card = card;
      button.dataset.key = `${at + 1}`;
      button.addEventListener("click", () => {
        const taken = this.#cards.indexOf(card);
        if (taken >= 0) this.#cards.splice(taken, 1);
        else if (this.#cards.length < count) this.#cards.push(card);
        else if (count === 1) this.#cards = [card];
        update();
      });
      row.append(button);
    });
    this.#takeBack = () => {
      this.#cards.pop();
      update();
    };
    update();
    this.place.append(row, confirm);
  }

  #takeBack = () => {};

  /** Does what a key means now; false if it means nothing. */
  press(key) {
    if (this.#drawn === "") return false;
    if (key === "Backspace") {
      this.#takeBack();
      return true;
    }
    const wanted = key === "Enter" ? "[data-confirm]" : `[data-key="${CSS.escape(key)}"]`;
    const button = this.place.querySelector(wanted);
    if (button === null) return false;
    const entry = button.closest(".wager")?.querySelector("input");
    if (entry) {
      entry.focus();
      entry.select();
    } else button.click();
    return true;
  }
}
