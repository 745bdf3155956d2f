"""
What the log shows of how a seat used what it knew: its accusations, and proofs it did not use.

Nothing is said of a seat that does not follow from entries it saw. Where the record holds only a
part of them, what follows from the part follows from the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from clue_solver.advising import Weighed
from clue_solver.inference.deduction import Deduction
from clue_solver.knowledge.layout import Numbers, card_numbers
from clue_solver.names import joined
from clue_solver.notation import TurnState
from clue_solver.observation import Accusation, Look, Observation, Peek, Question, Suggestion
from clue_solver.report.review import AccusationVerdict, Accused, Moment, Unused
from clue_solver.report.text import percent, since_when
from clue_solver.table import Table

_TELLING = 1e-6
"""Bits from which a suggestion counts as one that tells something."""


class Notes(NamedTuple):
    """
    One seat's notes of a game.

    Attributes:
        deduction: What follows from them.
        timeline: What it knew after each entry.
        proved: The first entry after which the solution was certain.
        even: The first entry after which the true solution had even odds.
        weighed: Its suggestions, by entry, each beside the best there was.
    """

    deduction: Deduction
    timeline: tuple[Moment, ...]
    proved: int | None
    even: int | None
    weighed: Mapping[int, Weighed]


class Turns:
    """
    Whose turns there were, as far as the log tells.

    Attributes:
        entries: The entries of each turn, in order.
        over: The entry of the right accusation that ended the game; past the last one without it.
    """

    def __init__(self, observations: Sequence[Observation]) -> None:
        self.observations = observations
        self.entries: list[list[int]] = []
        self.over = len(observations) + 1
        self._out: dict[str, int] = {}
        course = TurnState()
        for entry, observation in enumerate(observations, 1):
            match observation:
                case Suggestion(by=by) | Question(by=by) | Look(by=by) | Peek(by=by):
                    again = course.moved and isinstance(observation, Suggestion)
                    self._add(entry, new=by != course.seat or again)
                case Accusation(by=by, right=right):
                    self._add(entry, new=by != course.seat)
                    if right:
                        self.over = min(self.over, entry)
                    else:
                        self._out.setdefault(by, entry)
                case _:
                    pass
            course = course.after(observation)

    def out(self, seat: str) -> int:
        """Return the entry with which the seat was out; that of the game's end if it never was."""
        return min(self._out.get(seat, self.over), self.over)

    def passed_up(self, seat: str, since: int) -> list[int]:
        """Return what the seat did, after an entry, in turns in which it did not accuse."""
        mine = [turn for turn in self.entries if self._by(turn[-1]) == seat]
        silent = [
            turn
            for turn in mine
            if not any(isinstance(self.observations[entry - 1], Accusation) for entry in turn)
        ]
        last = self.out(seat)
        return [entry for turn in silent for entry in turn if since < entry < last]

    def before(self, seat: str, entry: int, earlier: int) -> bool:
        """Return whether an earlier entry is of a turn of the seat that ended before this one."""
        current = next(turn for turn in self.entries if entry in turn)
        past = self.entries[: self.entries.index(current)]
        return any(earlier in turn and self._by(earlier) == seat for turn in past)

    def _by(self, entry: int) -> str | None:
        return getattr(self.observations[entry - 1], "by", None)

    def _add(self, entry: int, *, new: bool) -> None:
        if new or not self.entries:
            self.entries.append([])
        self.entries[-1].append(entry)


def accusations(
    table: Table, observations: Sequence[Observation], notes: Mapping[str, Notes], turns: Turns
) -> Iterator[Accused]:
    """Yield the accusations with a verdict on each, in the order of the entries."""
    numbers = Numbers(table)
    for entry, observation in enumerate(observations, 1):
        if not isinstance(observation, Accusation):
            continue
        seat, cards = observation.by, observation.cards
        own = notes[seat]
        proved = own.proved if own.proved is not None and own.proved < entry else None
        chance = _chance(own.deduction, entry - 1, numbers, cards)
        waited = [] if proved is None else [e for e in turns.passed_up(seat, proved) if e < entry]
        verdict: AccusationVerdict
        if not observation.right:
            since = _excluded(own.deduction, entry - 1, numbers, cards) if chance == 0 else None
            verdict, why = "rash", _wrong(chance, since)
        elif chance < 0.5:
            verdict, why = "rash", f"right by luck, at a chance of {percent(chance)} %"
        elif waited:
            told = f"right, and certain since entry {proved}"
            verdict, why = "late", f"{told}, before its turn of entry {waited[0]}"
        elif proved is not None:
            verdict, why = "right", f"right, and certain since entry {proved}"
            if table.edition.accuses and turns.before(seat, entry, proved):
                why += ", its turn before, in which it could have accused already"
        else:
            verdict, why = "right", f"right, at a chance of {percent(chance)} %"
        yield Accused(
            entry=entry, seat=seat, cards=cards, right=observation.right, chance=chance,
            verdict=verdict, proved=proved, why=why,
        )  # fmt: skip


def _wrong(chance: float, since: int | None) -> str:
    if since is not None:
        return f"wrong, and its own notes excluded it {since_when(since)}"
    if chance >= 0.5:
        return f"wrong, at a chance of {percent(chance)} %: bad luck more than haste"
    return f"wrong, at a chance of {percent(chance)} %"


def unused(
    table: Table,
    observations: Sequence[Observation],
    notes: Mapping[str, Notes],
    turns: Turns,
    *,
    solution: tuple[str, ...],
    whole: Collection[str],
) -> Iterator[Unused]:
    """
    Yield what seats could prove and evidently did not use, in no order.

    That another question would have told more is said only of seats in `whole`, those whose notes
    the record holds in full: what it does not hold may have left nothing to ask.
    """
    numbers = Numbers(table)
    for seat, own in notes.items():
        waited = [] if own.proved is None else turns.passed_up(seat, own.proved)
        if own.proved is not None and waited:
            where = f"entr{'y' if len(waited) == 1 else 'ies'} {joined(map(str, waited), 'and')}"
            what = f"could prove {', '.join(solution)} and went on without accusing in {where}"
            yield Unused(entry=waited[0], seat=seat, what=what, since=own.proved)
    for entry, observation in enumerate(observations, 1):
        match observation:
            case Suggestion(by=seat, cards=cards) if seat in whole:
                since = _since_foregone(table, notes[seat], entry, observation, numbers)
                if since is not None:
                    best = notes[seat].weighed[entry]
                    what = (
                        f"asked for {', '.join(cards)} and could tell every answer; "
                        f"{', '.join(best.best)} was expected to bring "
                        f"{best.best_gain.bits:.2f} bits"
                    )
                    yield Unused(entry=entry, seat=seat, what=what, since=since)
            case Accusation(by=seat, cards=cards, right=False):
                deduction = notes[seat].deduction
                since = _excluded(deduction, entry - 1, numbers, cards)
                if since is not None:
                    alone = _alone(deduction, entry - 1, numbers, cards)
                    what = f"accused {', '.join(cards)}, which its own notes excluded"
                    if 0 < len(alone) < len(cards):
                        what += f", {joined(alone, 'and')} above all"
                    yield Unused(entry=entry, seat=seat, what=what, since=since)
            case _:
                pass


def _chance(deduction: Deduction, upto: int, numbers: Numbers, cards: tuple[str, ...]) -> float:
    """Return the probability that these cards are the solution."""
    posterior = deduction.solutions(upto)
    chosen = card_numbers(numbers.cards(cards))
    if len(chosen) < len(cards):
        return 0.0  # one of them lies face-up
    same = (posterior.cards == chosen).all(axis=1)
    return float(posterior.probability[same].sum())


def _excluded(
    deduction: Deduction, upto: int, numbers: Numbers, cards: tuple[str, ...]
) -> int | None:
    """Return the entry since which the seat could exclude that these are the solution."""
    chosen = card_numbers(numbers.cards(cards))
    solver, envelope = deduction.solver, numbers.layout.envelope
    inside = [solver.has(card, envelope) for card in chosen]

    def excluded(entry: int) -> bool:
        known = [solver.entry(number) for number in range(1, entry + 1)]
        return len(chosen) < len(cards) or solver.model([*known, *inside]) is None

    return _first(excluded, upto)


def _alone(deduction: Deduction, upto: int, numbers: Numbers, cards: tuple[str, ...]) -> list[str]:
    """Return those of the cards that the seat knew not to be in the envelope."""
    possible, envelope = deduction.possible(upto), numbers.layout.envelope

    def inside(card: str) -> bool:
        return any(possible[place] >> envelope & 1 for place in card_numbers(numbers.card(card)))

    return [card for card in cards if not inside(card)]


def _since_foregone(
    table: Table, own: Notes, entry: int, suggestion: Suggestion, numbers: Numbers
) -> int | None:
    """Return since when the asker could tell the answers, where asking something else told more."""
    weighed = own.weighed.get(entry)
    if weighed is None:
        return None
    best = weighed.best_gain
    if best.bits <= max(_TELLING, 4 * best.error):
        return None
    cards = card_numbers(numbers.cards(suggestion.cards))
    seats = [numbers.holder(seat) for seat in table.answering(suggestion.by)]

    def foregone(upto: int) -> bool:
        return _foregone(own.deduction.possible(upto), cards, seats, everyone=table.everyone_shows)

    return _first(foregone, entry - 1)


def _foregone(possible: list[int], cards: list[int], seats: list[int], *, everyone: bool) -> bool:
    """Whether it is certain who shows, and out of which cards; then the answer tells nothing."""
    for seat in seats:
        could = [card for card in cards if possible[card] >> seat & 1]
        if any(possible[card] != 1 << seat for card in could):
            return False
        if could and not everyone:
            return True
    return True


def _first(true: Callable[[int], bool], upto: int) -> int | None:
    """Return the first entry after which something is so that then stays so; `None` if never."""
    if not true(upto):
        return None
    return next(entry for entry in range(upto + 1) if true(entry))
