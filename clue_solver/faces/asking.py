"""Menus that build an entry of the log: what happened, then each value that is still missing."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, cast

from clue_solver.errors import ArgumentError, printable
from clue_solver.faces.prompt import Prompt
from clue_solver.notation.canonical import format_beginning
from clue_solver.notation.checks import normalise
from clue_solver.notation.places import NOBODY, Gap, Places
from clue_solver.rules.observations import Event, Observation, kinds
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


def next_question(
    table: Table, state: TurnState, chosen: Iterable[str], own: Collection[str] | None = None
) -> Prompt | Observation:
    """
    Return the question that follows some answers, or the observation once it is complete.

    Args:
        table: The table.
        state: Whose turn it is and who has left, as the earlier entries say.
        chosen: The values of the answers so far, in order.
        own: The viewer's whole hand, which limits the viewer's answers; `None` if it is unknown.

    Raises:
        ArgumentError: If an answer is none of the choices.
        NotationError: If the observation makes no sense at this table.
    """
    entry: _Entry | None = None
    step: Prompt | Observation = Prompt("What happened? Somebody …", _event_choices(table), "")
    for answer in chosen:
        if not isinstance(step, Prompt):
            break
        if answer not in [value for _, value in step.choices]:
            raise ArgumentError(f"{step.title} no such answer: '{printable(answer)}'")
        if entry is None:
            kind = next(kind for kind in kinds() if kind.__name__ == answer)
            entry = _Entry(kind, table, state, own)
        else:
            entry.apply(answer)
        step = entry.next_step()
    return step


def _event_choices(table: Table) -> tuple[tuple[str, str], ...]:
    """
    Return the kinds of event that the edition allows, as choices: each with its label and name.

    Kinds that end a turn come first.
    """
    places = Places(table, TurnState())
    offered = sorted(kinds(), key=lambda kind: kind.turn != "ends")
    return tuple((k.form.doing, k.__name__) for k in offered if places.is_offered(k.form))


class _Entry:
    """
    An entry of one kind, filled in answer by answer.

    Args:
        kind: The kind of observation.
        table: The table.
        state: Whose turn it is and who has left, as the earlier entries say.
        own: The viewer's whole hand; `None` if it is unknown.
    """

    def __init__(
        self, kind: type[Event], table: Table, state: TurnState, own: Collection[str] | None
    ) -> None:
        self.kind = kind
        self.table = table
        self.state = state
        self.own = own
        self.places = Places(table, state)
        self.fields: dict[str, Any] = {}
        self.asked: Gap | None = None
        self.left_out: set[str] = set()

    def next_step(self) -> Prompt | Observation:
        """Return the question for the next missing value, or the complete observation."""
        gaps = [
            gap
            for gap in self.places.gaps(self.kind, self.fields)
            if gap.question and gap.field not in self.left_out
        ]
        if not gaps:
            return normalise(cast(Observation, self.kind(**self.fields)), self.table, self.state)
        gap = self.asked = gaps[0]
        title, names = gap.question, gap.names
        category = self.table.edition.category_of
        open_ones = list(dict.fromkeys(category.get(name) for name in names))
        if gap.field == "cards" and len(open_ones) == gaps.count(gap):  # one of each is needed
            title = f"Which {open_ones[0]}?"
            names = tuple(name for name in names if category[name] == open_ones[0])
        if gap.field == self.kind.form.subject:
            first = self.table.viewer if self.kind.sight.owner else self.state.turn(self.table)
            names = tuple(sorted(names, key=lambda seat: seat != first))
        choices = [(printable(name), name) for name in names]
        if gap.seat:
            choices = self.reply_choices(gap.seat, names)
        elif NOBODY in names:
            choices = self.shower_choices(names)
        if gap.without:
            of_answers = gap.seat or NOBODY in gap.names
            choices.insert(len(choices) if of_answers else 0, (gap.without, ""))
        line = format_beginning(self.kind, self.fields, self.table)
        return Prompt(title, tuple(choices), line, gap.seat)

    def apply(self, answer: str) -> None:
        """
        Apply the value that answers the last question.

        If it changes nothing, that question is not asked again.
        """
        gap = self.asked
        assert gap is not None
        before = self.fields
        self.fields = {**before, **gap.options.get(answer, {})}
        if self.fields == before:
            self.left_out.add(gap.field)

    def shower_choices(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """
        Return the choices of who showed a card, each as label and seat.

        The viewer's hand rules some out: a viewer with one of the cards shows it, so nobody after
        the viewer is a choice. A viewer without any of them is no choice.
        """
        viewer, held = self.table.viewer, self.held_cards(self.fields["cards"])
        may = list(names)
        if viewer in may and held is not None:
            at = may.index(viewer)
            may = may[: at + 1] if held else [seat for seat in may if seat != viewer]
        return [(f"{printable(seat)} shows", seat) for seat in may]

    def reply_choices(self, seat: str, names: Sequence[str]) -> list[tuple[str, str]]:
        """
        Return the choices for the answer of `seat`, each as label and value.

        A pass comes first, then the cards that may have been shown. "A card that I did not see"
        comes last if the viewer sees what is shown; if not, it comes before the cards. `names` are
        the values that the rules allow.
        """
        cards = [name for name in names if name not in ("passes", "shows")]
        passes = [("passes", "passes")] if "passes" in names else []
        unseen = ("shows a card that I did not see", "shows")
        own = self.held_cards(cards) if seat == self.table.viewer else None
        if own == []:
            return passes
        if own is not None:
            cards, passes = own, []
            unseen = ("shows a card that I forgot", "shows")
        seen = [(f"shows {printable(card)}", card) for card in cards]
        sees = self.table.viewer in (seat, self.fields.get(self.kind.form.subject))
        return [*passes, *seen, unseen] if sees else [*passes, unseen, *seen]

    def held_cards(self, cards: Sequence[str]) -> list[str] | None:
        """Return which of the cards the viewer holds; `None` if the viewer's hand is unknown."""
        return None if self.own is None else [card for card in cards if card in self.own]
