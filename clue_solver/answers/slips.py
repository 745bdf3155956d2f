"""
Slips: how people mistype and mishear what happens at a table.

A slip turns one line into another, and just as easily the second into the first. So one list serves
both ways: the lines that may have been meant by a written line, and those that may be written in
place of a meant one. The more lines there are, the less likely each of them is.
"""

from collections import Counter
from collections.abc import Container, Iterator
from contextlib import suppress
from itertools import product
from typing import Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from clue_solver.errors import NotationError
from clue_solver.notation.checks import normalise
from clue_solver.notation.places import answer_of, passes
from clue_solver.rules import observations as observed
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.rules.turns import TurnState

SlipKind = Literal[
    "shower",
    "answer",
    "asked card",
    "shown card",
    "card",
    "odd card",
    "player",
    "verdict",
    "unheard",
    "count",
    "size",
]

COMMON: dict[SlipKind, float] = {
    "shower": 0.11,  # another seat showed
    "answer": 0.11,  # nobody showed after all, or somebody did
    "asked card": 0.28,  # a suggestion named another card of the category
    "shown card": 0.10,  # another of the asked cards was shown
    "card": 0.08,  # another card of the category was held, seen, revealed or accused
    "odd card": 0.01,  # a card of another category was held, seen, revealed or accused
    "player": 0.25,  # another player did it, or another holder has the card
    "count": 0.10,  # a hand was logged with a card too few or too many
    "size": 0.02,  # a hand has one card more, another one less
    "unheard": 0.005,  # an answer was written although none was heard
    "verdict": 0.02,  # right for wrong, has for lacks
}
"""
How common each kind of slip is assumed to be, before the log is considered.

Nobody has counted them. Most kinds are assumed to be equally common among the slips that make a log
contradictory. Only one in four wrong cards or players does that, but three in four of the other
slips, so that a kind that rarely shows gets a higher number.
"""

INVENTED = 0.1
"""How likely a writer is to name a shown card without having seen it."""

T = TypeVar("T")


class Slip(NamedTuple):
    """
    A slip that may be behind an entry, and what was meant if it is.

    Attributes:
        kind: The kind of slip.
        meant: The observation that was meant.
        place: Where in the observation the slip is: the index of the name in its list, or of the
            answer among the possible ones; 0 if neither is at fault.
    """

    kind: SlipKind
    meant: observed.Observation
    place: int = 0


def lines_meant(written: observed.Observation, table: Table, state: TurnState) -> Iterator[Slip]:
    """
    Yield the slips that may be behind an entry, each with what was meant.

    Args:
        written: The entry.
        table: The table.
        state: The state of the turns before the entry.
    """
    meanings: dict[observed.Observation, Slip] = {}
    for slip in slips(written, table, state.left):
        meant = _canonical(slip.meant, table, state)
        if meant not in (None, written):
            meanings.setdefault(meant, slip._replace(meant=meant))
    yield from meanings.values()


def chance(slip: Slip, written: observed.Observation, table: Table, state: TurnState) -> float:
    """
    Return how likely a slip of this kind turns what was meant into just what was written.

    Args:
        slip: The slip, with what was meant.
        written: The entry as it was written.
        table: The table.
        state: The state of the turns before the entry.
    """
    alike = [each for each in slips(slip.meant, table, state.left) if each.kind == slip.kind]
    places = Counter(each.place for each in alike)
    ways = [each.place for each in alike if _canonical(each.meant, table, state) == written]
    likely = 1 / len(places) / places[ways[0]] if ways else 1 / max(len(alike), 1)
    shown = _cards_shown(slip.meant)
    unseen = shown and not any(shown) and any(_cards_shown(written))
    return likely * INVENTED if unseen else likely


def _canonical(
    observation: observed.Observation, table: Table, state: TurnState
) -> observed.Observation | None:
    """
    Return an observation in canonical form; `None` if it is not possible at the table.

    `state` is the state of the turns before it.
    """
    with suppress(NotationError):
        return normalise(observation, table, state)
    return None


def slips(written: observed.Observation, table: Table, left: Container[str] = ()) -> Iterator[Slip]:
    """
    Yield what one slip could make of a line: the kind of slip, and the other observation.

    As slips work both ways, these are also the observations that may have been meant if this line
    was written. Some may be impossible at the table, and some may occur twice. Seats in `left` have
    left the table and answer no suggestion.
    """
    match written:
        case observed.Inquiry():
            yield from _suggestion_slips(written, table, left)
            return
        case observed.Knowing(has=has, lacks=lacks):
            yield Slip("verdict", replace(written, has=lacks, lacks=has))
        case observed.Accusation(right=right):
            yield Slip("verdict", replace(written, right=not right))
        case observed.Hand(cards=cards):
            for place in range(len(cards)):
                yield Slip(
                    "count", replace(written, cards=cards[:place] + cards[place + 1 :]), place
                )
            for card in sorted({*table.cards} - {*cards}):
                yield Slip("count", replace(written, cards=(*cards, card)), len(cards))
        case observed.Question(answer=answer):
            other: observed.Reply = "shows" if answer == "passes" else "passes"
            yield Slip("answer", replace(written, answer=other, card=None))
            yield Slip("unheard", replace(written, answer="unheard", card=None))
    asked = isinstance(written, observed.Question)
    who = _confusable_field(written)
    for field in written.__struct_fields__:
        value = getattr(written, field)
        match field:
            case "by" | "seat" | "holder" if field == who:
                for person in _confusable_people(field, written, table):
                    yield Slip("player", replace(written, **{field: person}))
            case "cards" | "has" | "lacks" | "about":
                for place, card in enumerate(value):
                    for kind, name in _confusable_cards(card, table):
                        if name not in value:
                            cards = _with(value, place, name)
                            near: SlipKind = "asked card" if asked else kind
                            yield Slip(near, replace(written, **{field: cards}), place)
            case "card" | "feature" if value is not None:
                for kind, name in _confusable_cards(value, table):
                    near = "shown card" if asked else kind
                    yield Slip(near, replace(written, **{field: name}))
                if not isinstance(written, observed.Question | observed.Nobody):
                    yield Slip("unheard", replace(written, **{field: None}))


def _confusable_field(written: observed.Observation) -> str | None:
    """
    Return the field of an entry with the player whom a slip can confuse with another.

    `None` if there is none.
    """
    fields = written.__struct_fields__
    field = next((name for name in ("holder", "seat", "by") if name in fields), None)
    seen_by = written.sight.by if field == "by" else ()
    return None if field in (None, written.sight.owner, *seen_by) else field


def _confusable_people(field: str, written: observed.Observation, table: Table) -> Iterator[str]:
    """Yield the other players or holders that may have been meant in a field of an entry."""
    known = {getattr(written, "by", None), getattr(written, "to", None), ENVELOPE}
    anybody = field == "by" or isinstance(written, observed.Knowing)
    for holder in table.holders if field == "holder" else table.seats:
        if holder != getattr(written, field) and (anybody or holder not in known):
            yield holder


def _confusable_cards(card: str, table: Table) -> Iterator[tuple[SlipKind, str]]:
    """
    Yield the cards or features that may have been meant by `card`, each with the kind of slip.
    """
    for feature in table.edition.features if card in table.edition.features else ():
        if feature != card:
            yield "card", feature
    category = table.edition.category_of
    for name in table.cards if card in category else ():
        if name != card:
            yield "card" if category[name] == category[card] else "odd card", name


def _suggestion_slips(
    written: observed.Suggestion | observed.Finger, table: Table, left: Container[str]
) -> Iterator[Slip]:
    """Yield the possible slips in a suggestion: in its answers, its cards, or who made it."""
    answers, asked = written.answers, written.cards

    # Somebody else showed, or nobody, or somebody after all; or no answer was heard.
    yield from _answer_slips(written, table, left)

    # Another of the cards was shown.
    for place, answer in enumerate(answers):
        for card in asked if answer.card else ():
            if card != answer.card:
                given = _with(answers, place, replace(answer, card=card))
                yield Slip("shown card", replace(written, answers=given))

    # Another card was asked for, and perhaps shown.
    for place, card in enumerate(asked):
        for kind, other in _confusable_cards(card, table):
            if kind == "card":
                given = tuple(replace(a, card=other) if a.card == card else a for a in answers)
                meant = replace(written, cards=_with(asked, place, other), answers=given)
                yield Slip("asked card", meant, place)

    # Another seat asked, but if only the first who can shows a card, not the one who showed.
    first = next((each.seat for each in answers if each.answer == "shows"), None)
    if table.everyone_shows:
        first = None
    for by in table.seats if answers else ():
        if by in (written.by, first):
            continue
        given = tuple(each for each in answers if each.seat != by)
        if not table.everyone_shows:  # `_canonical` adds the passes before the one who showed
            given = tuple(each for each in given if first and each.seat and each.answer != "passes")
        given = given or passes(table.answering(by, left=left))
        yield Slip("player", replace(written, by=by, answers=given))


def _answer_slips(
    written: observed.Suggestion | observed.Finger, table: Table, left: Container[str]
) -> Iterator[Slip]:
    """
    Yield the slips about who showed a card in answer to a suggestion.

    It was another seat, one more or one fewer, or no answer was heard.
    """
    answers, order = written.answers, table.answering(written.by, left=left)
    given = {str(each.seat): each for each in answers if each.seat}
    shows = [seat for seat in given if given[seat].answer == "shows"]
    heard = bool(shows) or any(each.answer == "passes" for each in answers[-1:])
    changes: list[tuple[str | None, str | None]]  # who shows after all, and who does not
    if table.everyone_shows:
        silent = [seat for seat in given if seat not in shows]
        changes = [(None, seat) if seat in shows else (seat, None) for seat in given]
        changes += product(silent, shows)
    else:
        last = shows[0] if shows else None
        changes = [(new, last) for new in (*order, None) if new != last]
    for place, (new, old) in enumerate(changes):
        # The cards that may have been shown; `None` if the viewer did not see the card.
        seen: tuple[str | None, ...] = (None,)
        if new and (table.viewer is None or (old and table.viewer == written.by)):
            seen = (given[old].card if old else None,)
        elif new and table.viewer in (written.by, new):
            seen = (*written.cards, None)
        # The others who showed or were not heard stay as they are; the rest pass.
        kept = {
            seat: each
            for seat, each in given.items()
            if seat != old and each.answer in ("shows", "unheard")
        }
        seats = tuple(given) if table.everyone_shows else table.asked(written.by, (new,), left=left)
        kind: SlipKind = "unheard" if not heard else "shower" if new and old else "answer"
        for card in seen:
            if new:
                kept[new] = observed.Answer(seat=new, answer="shows", card=card)
            answered = tuple(kept.get(seat) or answer_of(seat) for seat in seats)
            yield Slip(kind, replace(written, answers=answered), place)
    if heard:
        yield Slip("unheard", replace(written, answers=()))
    if heard and not table.everyone_shows:
        passed = (answer for answer in answers if answer.answer == "passes")
        unheard = (*passed, observed.Answer(answer="unheard"))
        yield Slip("unheard", replace(written, answers=unheard))


def _cards_shown(asked: observed.Observation) -> list[str | None]:
    """Return the cards that were shown in answer to an entry; `None` stands for one not seen."""
    answers: tuple[observed.Answer, ...] = getattr(asked, "answers", ())
    return [answer.card for answer in answers if answer.answer == "shows"]


def _with(things: tuple[T, ...], place: int, thing: T) -> tuple[T, ...]:
    """Return the tuple `things` with the item at the index `place` replaced by `thing`."""
    return (*things[:place], thing, *things[place + 1 :])
