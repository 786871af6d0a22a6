"""The betting rules once more, written as plainly as possible, to check the engine's options against.

Nothing here keeps state: `options` goes through the round's actions from the start and says, in the words of
`tests.support.stacked_hand.words`, what the player in turn may do (`rules.md` 4 and 7.3).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from protocol.events import Acted, Chips, Seat
from protocol.stakes import Stakes
from server.engine.steps.betting import Bet


@dataclass
class Round:
    """What is known about a betting round from outside.

    Fields:
        step: the step of the game.
        opener: the seat that the rule named.
        chips: of the live players when the round began.
        up: their boards, as ranks.
        odd_man: the odd man of the declaration.
        acted: the actions so far.
    """

    step: Bet
    stakes: Stakes
    opener: Seat
    chips: Mapping[Seat, Chips]
    up: Mapping[Seat, Sequence[int]]
    odd_man: Seat | None = None
    acted: list[Acted] = field(default_factory=list)

    def options(self, me: Seat) -> str:
        """What `me` may do now."""
        stakes, spread = self.stakes, self.stakes.limit == "spread"
        pair = self.step.open_pair and not spread and stakes.open_pair != "off" and any(map(_paired, self.up.values()))
        small, big = (stakes.small, stakes.big) if pair or self.step.size == "small" else (stakes.big, stakes.big)
        force = stakes.bring_in if self.step.bring_in else 0

        chips, bet = dict(self.chips), dict.fromkeys(self.chips, 0)
        price = level = wagers = 0
        last_raise = force or stakes.least
        big_made = posted = free = False
        done: set[Seat] = set()
        checked: set[Seat] = set()
        called: set[Seat] = set()
        for act in [None, *self.acted]:
            if act is not None:
                put, seat = act.amount, act.seat
                chips[seat] -= put
                bet[seat] += put
                if act.action == "fold":
                    del chips[seat]
                elif act.action == "bring_in":
                    posted, price = True, force
                    if spread or force == stakes.small:
                        level, wagers, last_raise = force, 1, force
                elif act.action in ("check", "call"):
                    (checked if act.action == "check" else called).add(seat)
                    done.add(seat)
                else:
                    posted = True
                    price = bet[seat]
                    unit = last_raise if spread else big if big_made else small
                    rule = stakes.short_allin or ("full" if spread else "half")
                    if price - level >= (unit if rule == "full" else unit / 2):
                        last_raise = max(last_raise, price - level)
                        big_made = big_made or (pair and price - level >= big)
                        level, wagers, done = price, wagers + 1, set()
                    done.add(seat)
            able = [seat for seat in chips if chips[seat]]
            if len(able) <= 2 and wagers - 1 < (stakes.cap or 0):
                free = stakes.heads_up_uncapped

        mine, stack = bet[me], chips[me]
        everything = mine + stack
        if force and not posted:
            words = [] if me == self.opener else ["fold"]
            words.append(f"post {min(force, stack)}" + " all in" * (stack <= force))
            if spread and stack > force:
                words += _between("bet", force + 1, stakes.most, everything)
            elif stakes.small > force and stack > force:
                words.append(f"bet {min(stakes.small, stack)}" + " all in" * (stack <= stakes.small))
            return ", ".join(words)

        call = price - mine
        stay = "check" if call <= 0 else f"call {stack} all in" if stack <= call else f"call {call}"
        words = ["fold", stay]
        capped = stakes.cap is not None and wagers == stakes.cap + 1 and not free
        shut = me in done and price > level
        house = stakes.no_check_raise and me in checked and me not in called
        odd = self.step.odd_man and me == self.odd_man
        alone = not any(chips[seat] for seat in chips if seat != me)
        if capped or alone or stack <= call or (call > 0 and (shut or house or odd)):
            return ", ".join(words)
        kind = "bet" if not price else "raise to" if price == level else "complete to"
        if spread:
            words += _between(kind, max(level + last_raise, price + 1), level + stakes.most, everything)
            return ", ".join(words)
        sizes = [small]
        if pair:
            sizes = [small, big] if stakes.open_pair == "any_active" or _paired(self.up[me]) else [small]
            sizes = [big] if big_made else sorted(set(sizes))
        tos = [level + size for size in sizes if level + size > price]
        reachable = [str(to) for to in tos if to < everything]
        if len(reachable) < len(tos):
            reachable.append(f"{everything} all in")
        return ", ".join([*words, f"{kind} {' or '.join(reachable)}"])


def _between(kind: str, least: int, most: int, everything: int) -> list[str]:
    if most < least:
        return []
    if everything > most:
        return [f"{kind} {least}" if least == most else f"{kind} {least} to {most}"]
    least = min(least, everything)
    return [f"{kind} {least} all in" if least == everything else f"{kind} {least} to {everything}"]


def _paired(ranks: Sequence[int]) -> bool:
    return len(set(ranks)) < len(ranks)
