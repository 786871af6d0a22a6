// The fold: docs/protocol.md, section 13. Each function changes the view by one event.

const HAND = {
  bet: 0, total: 0, all_in: false, down: [], up: [], before: [], shown: [], values: [], mucked: false,
  choice: null, declared: "", last: null, won: 0, pending: null,
};

const newSeat = (seat) => ({
  seat, name: "", chips: 0, bot: false, away: false, online: true, went_on: false, hand: "out", stack: 0, ...HAND,
});

/** The table before the first event. */
export const emptyTable = () => ({
  seq: 0, table: "", rules: null, game: "", title: "", stakes: null, hand: 0, hand_id: "", playing: false, button: 0,
  street: "", opener: 0, why: "", community: [], wilds: [], odd_man: 0, keep: 0, pots: [], awards: [], seats: [], gone: [],
});

/** An independent table: the fold changes seats in place and replaces everything else. */
export const copyOf = (view) => ({ ...view, seats: view.seats.map((seat) => ({ ...seat })) });

/** A row less one card, or less one hidden card where this one is not seen. */
function without(row, card) {
  let at = row.indexOf(card);
  if (at < 0) at = row.indexOf(null);
  if (at < 0) throw new Error(`no card ${card} in ${row}`);
  return [...row.slice(0, at), ...row.slice(at + 1)];
}

const nils = (count) => Array(count).fill(null);

function pay(seat, amount) {
  seat.chips -= amount;
  seat.bet += amount;
  seat.total += amount;
}

export const FOLD = {
  table_opened(view, e) {
    const offer = e.rules.games.find((one) => one.id === view.game);
    if (!offer || e.rules.seats < view.seats.length) {
      Object.assign(view, { pots: [], awards: [], gone: [], opener: 0, odd_man: 0 });
    }
    view.button = Math.min(view.button, e.rules.seats);
    view.table = e.table;
    view.rules = e.rules;
    view.seats = Array.from({ length: e.rules.seats }, (_, i) => view.seats[i] ?? newSeat(i + 1));
    const { id, title, stakes } = offer ?? e.rules.games[0];
    Object.assign(view, { game: id, title, stakes });
  },
  player_seated(view, e, seat) {
    Object.assign(seat, newSeat(e.seat), { name: e.name, chips: e.chips, bot: e.bot });
  },
  player_left(view, e, seat) {
    if (!view.playing && seat.hand !== "out") view.gone = [...view.gone, { ...seat, down: nils(seat.down.length) }];
    Object.assign(seat, newSeat(e.seat));
    if (view.hosts) setHost(view, e.seat, false);
  },
  player_away: (view, e, seat) => (seat.away = true),
  player_back: (view, e, seat) => (seat.away = false),
  connection_changed: (view, e, seat) => (seat.online = e.online),
  chips_added: (view, e, seat) => (seat.chips = e.chips),
  chips_ordered() {},
  said(view, e) {
    const { fact } = e;
    if (fact?.fact === "host") setHost(view, fact.seat, fact.host);
    else if (fact?.fact === "paused") {
      view.pause = fact.pause;
      if (fact.pause.kind === "break" && fact.pause.until) delete view.next_break;
    }
    else if (fact?.fact === "resumed") delete view.pause;
    else if (fact?.fact === "break_planned") view.next_break = fact.at;
  },
  game_picked(view, e) {
    Object.assign(view, { game: e.game, title: e.title });
    for (const seat of view.seats) if (seat.pending?.request.decision === "game") seat.pending = null;
  },
  went_on: (view, e, seat) => (seat.went_on = true),
  hand_started(view, e) {
    const { hand, game, title, button, stakes } = e;
    Object.assign(view, { hand, hand_id: e.id, game, title, button, stakes, playing: true });
    Object.assign(view, { street: "", why: "", opener: 0, odd_man: 0, keep: 0 });
    Object.assign(view, { community: [], wilds: [], pots: [], awards: [], gone: [] });
    const stacks = new Map(e.stacks);
    for (const seat of view.seats) {
      Object.assign(seat, HAND, { went_on: false });
      seat.hand = stacks.has(seat.seat) ? "live" : "out";
      seat.stack = stacks.get(seat.seat) ?? seat.chips;
    }
  },
  antes_posted(view, e) {
    for (const [number, amount] of e.antes) {
      const seat = view.seats[number - 1];
      pay(seat, amount);
      seat.all_in = seat.chips === 0;
    }
  },
  cards_dealt(view, e) {
    view.street = e.street;
    for (const [number, down, up] of e.cards) {
      const seat = view.seats[number - 1];
      seat.down = [...seat.down, ...down];
      seat.up = [...seat.up, ...up];
    }
  },
  community_dealt: (view, e) => (view.community = [...view.community, e.card]),
  wilds_named: (view, e) => (view.wilds = e.ranks),
  round_opened(view, e) {
    Object.assign(view, { street: e.street, opener: e.opener, why: e.why });
    for (const seat of view.seats) seat.last = null;
  },
  round_skipped(view, e) {
    Object.assign(view, { street: e.street, opener: 0, why: e.why });
    for (const seat of view.seats) seat.last = null;
  },
  action_requested: (view, e, seat) => (seat.pending = { seq: view.seq, request: e }),
  acted(view, e, seat) {
    seat.pending = null;
    seat.last = e;
    if (e.amount) {
      pay(seat, e.amount);
      seat.all_in = e.all_in;
    }
    if (e.action === "fold") seat.hand = "folded";
  },
  choice_made(view, e, seat) {
    seat.pending = null;
    seat.choice = e;
    if (e.decision === "arrange") seat.down = e.action ? e.action.cards : nils(view.keep);
  },
  cards_turned(view, e) {
    for (const [number, card] of e.cards) {
      const seat = view.seats[number - 1];
      seat.down = without(seat.down, card);
      seat.up = [...seat.up, card];
      seat.pending = null;
    }
    closeChoices(view);
  },
  brought_back(view, e) {
    view.keep = e.keep;
    for (const number of e.seats) {
      const seat = view.seats[number - 1];
      const seen = !seat.down.includes(null);
      seat.before = seat.up;
      seat.down = seen ? [...seat.up, ...seat.down] : nils(seat.up.length + seat.down.length);
      seat.up = [];
    }
  },
  cards_passed(view, e) {
    for (const [giver, , cards] of e.passes) {
      const seat = view.seats[giver - 1];
      for (const card of seat.choice?.action?.cards ?? nils(cards.length)) seat.down = without(seat.down, card);
    }
    for (const [, taker, cards] of e.passes) view.seats[taker - 1].down = [...view.seats[taker - 1].down, ...cards];
    closeChoices(view);
  },
  cards_discarded(view, e) {
    for (const [number, cards] of e.cards) {
      for (const card of cards) view.seats[number - 1].down = without(view.seats[number - 1].down, card);
    }
    closeChoices(view);
  },
  declared(view, e) {
    for (const [number, direction] of e.declarations) view.seats[number - 1].declared = direction;
    view.odd_man = e.odd_man ?? 0;
    closeChoices(view);
  },
  bet_returned(view, e, seat) {
    pay(seat, -e.amount);
    seat.all_in = false;
  },
  pots_gathered(view, e) {
    view.pots = e.pots.map(([amount, seats]) => ({ amount, seats }));
    for (const seat of view.seats) seat.bet = 0;
  },
  hand_shown: (view, e, seat) => Object.assign(seat, { shown: e.cards, values: e.values }),
  hand_mucked: (view, e, seat) => (seat.mucked = true),
  pot_awarded(view, e) {
    view.pots = view.pots.map((pot, i) => (i === e.pot ? { ...pot, amount: pot.amount - e.amount } : pot));
    view.awards = [...view.awards, e];
    for (const [number, amount] of e.winners) {
      view.seats[number - 1].chips += amount;
      view.seats[number - 1].won += amount;
    }
  },
  hand_ended(view) {
    view.playing = false;
    for (const seat of view.seats) seat.pending = seat.choice = null;
  },
  hand_voided(view, e) {
    Object.assign(view, { playing: false, pots: [], why: e.why });
    const stacks = new Map(e.stacks);
    for (const seat of view.seats) {
      Object.assign(seat, { pending: null, choice: null, bet: 0, total: 0, won: 0, all_in: false });
      seat.chips = stacks.get(seat.seat) ?? seat.chips;
    }
  },
};

/** The key is left out where nobody is a host. */
function setHost(view, seat, host) {
  const others = (view.hosts ?? []).filter((other) => other !== seat);
  const hosts = host ? [...others, seat].sort((one, other) => one - other) : others;
  if (hosts.length) view.hosts = hosts;
  else delete view.hosts;
}

function closeChoices(view) {
  for (const seat of view.seats) seat.choice = null;
}

/** Changes the view by the events of one message; throws where one is missing. */
export function apply(view, message) {
  if (message.seq !== view.seq + 1) throw new Error(`event ${message.seq} after ${view.seq}`);
  for (const event of message.events) {
    view.seq += 1;
    FOLD[event.event](view, event, event.seat ? view.seats[event.seat - 1] : null);
  }
}
