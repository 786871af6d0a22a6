// A table as elements of a page. It draws a view (docs/protocol.md, TableView) and knows neither rules nor where the
// view comes from, so that a table that is played and one that is looked at again are drawn alike. Texts of players
// become text nodes, never markup.

const RANKS = "23456789TJQKA";
const RANK_NAMES = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SUITS = [["clubs", "♣"], ["diamonds", "♦"], ["hearts", "♥"], ["spades", "♠"]];

/** An element with a class and children; texts are children too. */
export function element(tag, name = "", ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children.filter((child) => child !== null && child !== ""));
  return made;
}

export const cardName = (card) => (card === null ? "face down" : `${RANK_NAMES[card >> 2]} of ${SUITS[card & 3][0]}`);

/** A card as it is typed: its rank and the letter of its suit. */
export const cardText = (card) => `${RANKS[card >> 2]}${"cdhs"[card & 3]}`;

/** A card as a tile; null is a card that is face down. */
export function tile(card, look = "") {
  if (card === null) return element("span", `card back ${look}`);
  const [suit, sign] = SUITS[card & 3];
  const rank = RANKS[card >> 2] === "T" ? "10" : RANKS[card >> 2];
  return element("span", `card ${suit} ${look}`, element("b", "", rank), element("i", "", `${sign}\uFE0E`));
}

/** A card within a sentence: its name for those who hear it, its signs for those who see it. */
export function cardWord(card) {
  const [suit, sign] = SUITS[card & 3];
  const seen = element("span", `word ${suit}`, `${RANKS[card >> 2]}${sign}\uFE0E`);
  seen.setAttribute("aria-hidden", "true");
  return element("span", "", seen, spoken(cardName(card)));
}

/** A sentence of the server (docs/protocol.md, Told) as texts and elements. */
export const sentence = (spans) =>
  spans.map((span) => {
    if (typeof span === "number") return cardWord(span);
    return Array.isArray(span) ? element("bdi", "", ...span) : span;
  });

/** The cards that the sentences of a showdown name as those that win; null where nothing is won yet. */
export function winningCards(awards) {
  const cards = awards.flat().filter((span) => typeof span === "number");
  return cards.length ? new Set(cards) : null;
}

/** What only those read who do not see the table. */
const spoken = (text) => element("span", "spoken", text);

/** A player's name, which cannot turn the direction of the text around it. */
export const nameOf = (view, seat) => element("bdi", "", view.seats[seat - 1]?.name || `seat ${seat}`);

/**
 * The hidden cards of a seat as `viewer` sees them: a seat, null for a spectator, or "all". Of a folded hand they are
 * only those that the viewer knows.
 */
export function downCards(seat, viewer) {
  const seen = viewer === "all" || viewer === seat.seat;
  let down = seen ? seat.down : seat.down.map(() => null);
  if (seat.shown.length && (down.includes(null) || seat.shown.length >= down.length)) {
    down = [...seat.shown, ...down.slice(seat.shown.length).map(() => null)];
  }
  return seat.hand === "folded" && down.includes(null) && !seat.shown.length ? [] : down;
}

/** A row of cards, read aloud as ``down: king of hearts``. */
export function row(name, cards, look = "", bright = null) {
  const said = cards.map(cardName).join(", ");
  const looks = (card) => `${look} ${bright?.has(card) ? "bright" : ""}`;
  const made = element("span", `row ${name}`, ...cards.map((card) => tile(card, looks(card))));
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", `${name}: ${said}`);
  return made;
}

/** The pots, the cards in the middle and the street, as one line. */
function middle(view) {
  const amount = view.pots.reduce((sum, pot) => sum + pot.amount, 0) + view.seats.reduce((sum, seat) => sum + seat.bet, 0);
  const line = element("div", "middle", element("span", "game", view.title));
  if (view.hand) line.append(element("span", "street", view.playing ? view.street : "the hand is over"));
  if (view.wilds.length) line.append(element("span", "", `wild: ${view.wilds.map((rank) => RANKS[rank]).join(" ")}`));
  if (view.community.length) line.append(row("common", view.community, ""));
  const pots = view.pots.filter((pot) => pot.amount);
  const parts = pots.length > 1 ? ` (${pots.map((pot) => pot.amount).join(" + ")})` : "";
  if (view.hand && (view.playing || amount)) line.append(element("span", "pot", `pot ${amount}${parts}`));
  return line;
}

/** What stands beside a seat's cards, in a few words each. */
function marks(view, seat) {
  const found = [];
  if (seat.pending) found.push(["turn", "to act"]);
  if (seat.won) found.push(["won", `won ${seat.won}`]);
  if (seat.hand === "folded") found.push(["", "folded"]);
  if (seat.last && seat.hand !== "folded" && view.playing && !seat.choice) {
    const { action, amount, to } = seat.last;
    const chips = ["raise", "complete"].includes(action) ? `to ${to}` : amount || "";
    found.push(["", `${action.replace("_", "-")} ${chips}`]);
  }
  if (seat.all_in) found.push(["turn", "all in"]);
  if (seat.choice) found.push(["", "has chosen"]);
  if (seat.declared) found.push(["", seat.declared]);
  if (seat.mucked) found.push(["", "mucked"]);
  if (seat.away) found.push(["", "sits out"]);
  if (!seat.online) found.push(["", "disconnected"]);
  return found.map(([name, text]) => element("span", `mark ${name}`, text));
}

function seatBox(view, seat, viewer, { more, bright }) {
  const box = element("li", "seat");
  box.classList.toggle("out", seat.hand !== "live");
  box.classList.toggle("asked", seat.pending !== null);
  box.classList.toggle("winner", seat.won > 0);
  box.classList.toggle("own", seat.seat === viewer);
  const head = element("div", "head", element("span", "number", `${seat.seat}`), nameOf(view, seat.seat));
  if (view.button === seat.seat) head.append(Object.assign(element("abbr", "dealer", "D"), { title: "dealer" }));
  if (view.hosts?.includes(seat.seat)) head.append(element("span", "host", "host"));
  const chips = element("span", "chips", `${seat.chips}`, spoken(" chips"));
  const down = downCards(seat, viewer);
  const cards = element("div", "cards");
  const dim = seat.hand === "folded" ? "dim" : "";
  if (down.length) cards.append(row("down", down, dim, bright));
  if (seat.up.length) cards.append(row("up", seat.up, dim, bright));
  else if (seat.before.length) cards.append(row("before", seat.before, "dim"));
  const foot = element("div", "foot");
  if (seat.bet) foot.append(element("span", "bet", spoken("bet "), `${seat.bet}`));
  foot.append(...marks(view, seat));
  const mark = more(seat);
  if (mark !== null) foot.append(mark);
  const made = seat.values.map(([, hand]) => element("span", "made", hand));
  box.append(head, chips, cards, foot, ...made);
  return box;
}

/**
 * Draws the table into an element, in the place of what is there. `viewer`: as in `downCards`. `more`: gives one more mark
 * for a seat, or null. `bright`: the cards that win, once that is known.
 */
export function drawTable(place, view, viewer, { more = () => null, bright = null } = {}) {
  const gone = new Map(view.gone.map((seat) => [seat.seat, seat]));
  const seats = view.seats.map((seat) => gone.get(seat.seat) ?? seat).filter((seat) => seat.name);
  const asEnded = { ...view, seats: view.seats.map((seat) => gone.get(seat.seat) ?? seat) };
  const list = element("ol", `seats of-${seats.length}`, ...seats.map((seat) => seatBox(asEnded, seat, viewer, { more, bright })));
  place.replaceChildren(middle(view), list);
}
