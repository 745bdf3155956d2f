"""What is against the rules, as facts: whoever asks a player makes a sentence of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from clue_solver.rules import observations as observed
from clue_solver.rules.observations import Event, Observation
from clue_solver.rules.permissions import Permissions
from clue_solver.rules.state import BONUS, CLOSED, MOVED, ROLLED, SUGGESTED, GameState

Rule = Literal[
    "over",
    "out",
    "turn",
    "again",
    "order",
    "place",
    "reach",
    "stay",
    "look",
    "dice",
    "deck",
    "edition",
]
"""
Which rule something breaks: the game is `over`; the seat is `out`; it is not its `turn`; it is done
`again` in one turn; in another `order` than that of a turn; somewhere that is no `place` for it;
out of `reach`; it may not `stay`; without the `look` that comes first; against the `dice`; more of
a clue card than the `deck` has; against the `edition`.
"""

_USES: Mapping[type[Event], str] = {
    observed.Look: "looks",
    observed.Question: "asks",
    observed.Peek: "peeks",
    observed.Finger: "points",
}
"""The verbs of what a bonus die, a snoop and the like let a player do besides suggesting."""


class Irregularity(NamedTuple):
    """
    A rule that an observation breaks, as far as the state of play tells; facts, no words.

    Attributes:
        rule: Which rule.
        seat: Whose observation it is.
        turn: Whose turn it is.
        skipped: The seats whose turns must have passed without a suggestion, if it is true.
        place: The room that it is about.
        roll: What was rolled, where that does not reach.
        expected: What would have been right: verbs, faces, places or suspects.

    >>> from clue_solver import Session, Skip, load
    >>> play = Session(load("examples/classic.clue").record.upto(4)).play
    >>> [(doubt.rule, doubt.turn) for doubt in play.doubts(Skip(by="Ben"))]
    [('turn', 'Dan')]
    """

    rule: Rule
    seat: str
    turn: str | None = None
    skipped: tuple[str, ...] = ()
    place: str | None = None
    roll: int | None = None
    expected: tuple[str, ...] = ()


def irregularities(state: GameState, observation: Observation) -> Iterator[Irregularity]:
    """Yield which rules it breaks if this happens now; nothing if it is within them."""
    if not observation.turn:
        yield from _of_clue_card(state, observation)
        return
    seat = str(getattr(observation, observation.form.subject))
    if state.over:
        yield Irregularity("over", seat)
        return
    if seat in state.out:
        yield Irregularity("out", seat, state.turn)
        return
    # A turn that begins comes after the turns of all seats between.
    if state.begins_turn(observation, seat):
        skipped = state.skipped(seat)
        if skipped:
            yield Irregularity("turn", seat, skipped[0], skipped)
            return
        state = state.opened(seat)
    # What is done in a turn has its order and its place.
    may = Permissions(state, seat)
    match observation:
        case observed.Roll():
            yield from _of_roll(observation, may)
        case observed.Draw(kind=kind):
            yield from _of_draw(kind, may)
        case observed.Move(to=to):
            yield from _of_move(to, may)
        case observed.Stay():
            yield from _of_staying(may)
        case observed.Suggestion(cards=cards):
            yield from _of_suggestion(cards, may)
        case observed.Look(holder=holder) if holder not in may.rules.seats:
            yield from _of_look(holder, may)
        case observed.Look() | observed.Question() | observed.Peek() | observed.Finger():
            yield from _of_use(observation, may)
        case observed.Accusation():
            if may.before_accusing:
                yield Irregularity("order", seat, seat, expected=may.before_accusing)
            elif not may.where_one_accuses:
                yield Irregularity("place", seat, seat)
        case _:
            pass


def _of_roll(roll: observed.Roll, may: Permissions) -> Iterator[Irregularity]:
    rules = may.rules
    edition = rules.edition
    seat = may.seat
    if rules.board is None and not edition.suspect_dice:
        if rules.exact:
            yield Irregularity("edition", seat, seat)
        return
    if not may.may_roll:
        yield Irregularity("again" if may.done & ROLLED else "order", seat, seat)
    if roll.total is None and not roll.dice:
        return
    if edition.suspect_dice:
        suspects = [face for face in roll.dice if face in rules.suspects]
        marks = [face for face in roll.dice if face not in rules.suspects]
        known = all(face in edition.faces for face in marks)
        whole = len(marks) == bool(edition.bonus) or (not rules.exact and not marks)
        if roll.total or len(suspects) != edition.suspect_dice or not (known and whole):
            yield Irregularity("dice", seat, seat)
    elif rules.board is not None:
        total = roll.total or rules.board.dice
        icons = len(roll.icons)
        others = rules.board.dice - icons  # which show 2 to 6 beside an icon, else 1 to 6
        shown = icons or (rules.exact and rules.board.icon)  # else icons may have been left out
        least = icons + others * (2 if shown else 1)
        if (roll.dice and rules.exact) or not least <= total <= icons + 6 * others:
            yield Irregularity("dice", seat, seat, roll=roll.total)


def _of_draw(kind: str, may: Permissions) -> Iterator[Irregularity]:
    state = may.state
    seat = may.seat
    if kind not in may.rules.table.clues:
        yield Irregularity("edition", seat, seat)
    elif may.done & (MOVED | SUGGESTED):
        yield Irregularity("order", seat, seat)
    elif not may.may_draw and (may.rules.exact or state.total is not None):
        rule: Rule = "again" if state.drawn else "dice"
        yield Irregularity(rule, seat, seat, roll=state.total)
    elif may.rules.exact and kind not in state.next_clues():
        yield Irregularity("deck", seat, seat, expected=tuple(sorted(state.next_clues())))


def _of_staying(may: Permissions) -> Iterator[Irregularity]:
    seat = may.seat
    if may.rules.board is None:
        if may.rules.exact:
            yield Irregularity("edition", seat, seat)
    elif may.done & (MOVED | SUGGESTED):
        yield Irregularity("again", seat, seat)
    elif not may.place & may.rules.ground.inside:
        yield Irregularity("place", seat, seat)
    elif not may.may_stay:
        where = may.state.where(seat)
        yield Irregularity("stay", seat, seat, place=where[0] if len(where) == 1 else None)


def _of_move(to: str, may: Permissions) -> Iterator[Irregularity]:
    rules = may.rules
    seat = may.seat
    if rules.board is None:
        if rules.exact:
            yield Irregularity("edition", seat, seat, place=to)
        return
    bit = rules.ground.places.get(to, 0)
    if not bit:
        yield Irregularity("place", seat, seat, place=to)
    elif may.done & MOVED:
        yield Irregularity("again", seat, seat, place=to)
    elif may.waits_for and not bit & may.ahead:
        yield Irregularity("order", seat, seat, place=to, expected=may.waits_for)
    elif not bit & may.ahead:
        yield Irregularity("reach", seat, seat, place=to, roll=may.state.total)


def _of_suggestion(cards: Sequence[str], may: Permissions) -> Iterator[Irregularity]:
    rules = may.rules
    seat = may.seat
    if may.waits_for:
        yield Irregularity("order", seat, seat, expected=may.waits_for)
    if rules.edition.suspect_dice and not may.on_dice(cards):
        yield Irregularity("dice", seat, seat, expected=may.suspects)
    room = next((card for card in cards if card in rules.rooms), None)
    if room is None:
        return
    bit = rules.ground.bit[room]
    if not bit & may.standing:
        known = may.done & MOVED or rules.told
        rule: Rule = "place" if known else "reach"
        if bit == may.place and not may.done & MOVED:
            rule = "stay"
        stands = may.state.where(seat) if known else ()
        yield Irregularity(rule, seat, seat, place=room, roll=may.state.total, expected=stands)
    if bit & may.locked:
        yield Irregularity("look", seat, seat, place=room)


def _of_look(slot: str, may: Permissions) -> Iterator[Irregularity]:
    rules = may.rules
    seat = may.seat
    if slot not in rules.slots:
        if rules.exact:
            yield Irregularity("place", seat, seat, place=slot)
        return
    bit = rules.ground.bit[slot]
    if not bit & may.entered:
        yield Irregularity("place", seat, seat, place=slot, expected=may.state.where(seat))
    elif rules.exact and may.done & SUGGESTED:
        yield Irregularity("order", seat, seat, place=slot)
    elif rules.exact and not bit & may.locked:
        yield Irregularity("again", seat, seat, place=slot)


def _of_use(observation: Event, may: Permissions) -> Iterator[Irregularity]:
    rules = may.rules
    seat = may.seat
    verb = _USES[type(observation)]
    if may.done & BONUS:
        yield Irregularity("again", seat, seat)
    elif rules.edition.bonus and not may.done & SUGGESTED:
        yield Irregularity("order", seat, seat, expected=("suggests",))
    elif verb not in may.uses:
        rule: Rule = "dice" if verb in rules.uses else "edition"
        yield Irregularity(rule, seat, seat, expected=tuple(sorted(may.uses)))
    elif isinstance(observation, observed.Question) and rules.edition.suspect_dice:
        third = may.third or tuple(rules.edition.features)
        if len(observation.about) != 1 or observation.about[0] not in third:
            yield Irregularity("dice", seat, seat, expected=third)


def _of_clue_card(state: GameState, observation: Observation) -> Iterator[Irregularity]:
    """Yield what is against a card revealed now, where everything is told."""
    rules = state.rules
    if not rules.exact or observation.sight.owner:
        return
    seats = rules.table.seats
    seat = str(getattr(observation, "seat", ""))
    if state.over:
        yield Irregularity("over", seat)
    elif not state.drawn or state.done & (MOVED | SUGGESTED | CLOSED):
        yield Irregularity("order" if rules.table.clues else "edition", seat)
    else:
        to = observation.to if isinstance(observation, observed.Reveal) else None
        expected = None
        if state.drawn[-1] == "left":
            expected = seats[(seats.index(seat) + 1) % len(seats)] if seat else ""
        elif state.drawn[-1] == "one":
            expected = state.turn
        if to != expected or state.drawn[-1] in ("move", "passage"):
            yield Irregularity(
                "edition", seat, state.turn, expected=(expected,) if expected else ()
            )
