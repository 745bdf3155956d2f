"""The one thing that a line leaves out: what it is, and what it can be."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import fields as fields_of
from msgspec.structs import replace

from clue_solver.notation.checks import TurnState
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import joined
from clue_solver.notation.places import Places
from clue_solver.rules import observations as seen
from clue_solver.rules.forms import Name
from clue_solver.rules.observations import Answer, Event
from clue_solver.rules.table import Table

Fields = Mapping[str, Any]
"""What is told of an observation: its fields by their names."""

REQUIRED = {
    kind: {field.name for field in fields_of(kind) if field.required} for kind in seen.kinds()
}
"""The fields of each kind that no line is without."""

_CALLED = {"right": "right or wrong", "cards": "the cards", "about": "a card to ask about"}
"""What a question calls fields whose form has no words for it."""


class Gap(Struct, frozen=True):
    """
    The one thing that a line leaves out.

    Attributes:
        field: The field of the observation that it is, or is part of.
        expected: What is expected there, for a question.
        names: What it can be, in order.
        column: Where it might stand in the line.
    """

    field: str
    expected: str
    names: tuple[str, ...]
    column: int


def filled(told: Fields, field: str, name: str) -> dict[str, Any]:
    """Return the fields of an observation with a name in the one that has a gap."""
    value: Any = name
    if field == "answers":
        answers: tuple[Answer, ...] = told["answers"]
        value = tuple(
            replace(one, seat=name) if one.seat is None and one.answer == "shows" else one
            for one in answers
        )
    elif field == "right":
        value = name == "right"
    elif field == "total":
        value = int(name)
    elif field in ("about", "cards", "has", "dice"):
        value = (*told.get(field, ()), name)
    return {**told, field: value}


def gaps_of(
    kind: type[Event], told: Fields, table: Table, state: TurnState, column: int
) -> list[Gap]:
    """Return what the fields of an observation leave out; the line ends in the column."""
    gaps = [
        Gap(field, _called(kind, field), _names(kind, field, told, table), column)
        for field in REQUIRED[kind]
        if field not in told
    ]
    if kind is seen.Roll and not (told.get("dice") or "total" in told):
        totals = Places(table, state).totals
        faces = lexicon_of(table).faces.names
        field = "total" if totals else "dice"
        gaps.append(Gap(field, "what was rolled", totals or faces, column))
    if kind is seen.Knowing and not (told.get("has") or told.get("lacks")):
        gaps.append(Gap("has", "a card", table.cards, column))
    if kind is seen.Reveal and "card" not in told and "to" not in told:
        gaps.append(Gap("card", "the card revealed", table.cards, column))
    cards: tuple[str, ...] = told.get("cards", ())
    if kind is seen.Hand and cards and "seat" in told:
        gaps += _of_hand(told["seat"], cards, table, state, column)
    elif "cards" in told and kind is not seen.Hand:
        gaps += _of_cards(kind, cards, table, column)
    if any(one.seat is None and one.answer == "shows" for one in told.get("answers", ())):
        order = table.answering(told["by"], left=state.left) if "by" in told else ()
        gaps.append(Gap("answers", "who shows", order, column))
    fields = kind.__struct_fields__
    return sorted(gaps, key=lambda gap: fields.index(gap.field))


def _called(kind: type[Event], field: str) -> str:
    """Return what a question calls a field."""
    if field == kind.form.subject:
        return f"who {kind.form.verb}"
    for part in kind.form.parts:
        if isinstance(part, Name) and part.field == field and part.wanted:
            return part.wanted
    return _CALLED.get(field, "a card")


def _names(kind: type[Event], field: str, told: Fields, table: Table) -> tuple[str, ...]:
    """Return the names that can stand in a field, in order."""
    bearers = kind.form.bearers().get(field)
    if bearers is None:
        return ("wrong", "right")
    if bearers == "things":
        return lexicon_of(table).things.names
    if bearers == "cards":
        return table.cards
    if bearers == "spots":
        return lexicon_of(table).rooms.names
    others = {value for value in told.values() if isinstance(value, str)}  # not to themselves
    return tuple([name for name in lexicon_of(table).of(bearers).names if name not in others])


def _of_cards(kind: type[Event], cards: tuple[str, ...], table: Table, column: int) -> list[Gap]:
    """Return the gaps of a suggestion or an accusation that names too few cards."""
    edition = table.edition
    size = edition.named if kind is seen.Suggestion else len(edition.category)
    kind_of = lexicon_of(table).kind
    kinds = {kind_of[card] for card in cards}
    if len(kinds) != len(cards):
        return []
    left = [category.name for category in edition.category if category.name not in kinds]
    names = tuple([card for card in edition.names if kind_of[card] in left])
    gap = Gap("cards", joined([f"a {category}" for category in left]), names, column)
    return [gap] * (size - len(cards))


def _of_hand(
    seat: str, cards: tuple[str, ...], table: Table, state: TurnState, column: int
) -> list[Gap]:
    """Return the gap of a hand that is not whole yet."""
    sizes = {other: size for other, size in state.sizes.items() if other != seat}
    least, _ = table.size_bounds(sizes)[table.seats.index(seat)]
    left = least - len(cards)
    names = tuple([card for card in table.cards if card not in cards])
    wanted = f"{left} more cards" if left > 1 else "one more card"
    return [Gap("cards", wanted, names, column)] if left > 0 else []
