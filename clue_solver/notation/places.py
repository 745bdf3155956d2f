"""The names that may stand at each place of a line: what completion and lists of choices offer."""

from collections.abc import Sequence
from contextlib import suppress

from clue_solver.errors import SetupError
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.names import Names
from clue_solver.rules import forms
from clue_solver.rules.table import Table
from clue_solver.rules.turns import TurnState


class Places:
    """
    The names that may stand at the places of lines at one table, in one state of its turns.

    Attributes:
        table, state: The table, and what the earlier lines mean.
        lexicon: The table's names.
        cards: The cards in play.
    """

    def __init__(self, table: Table, state: TurnState) -> None:
        self.table = table
        self.state = state
        self.lexicon = lexicon_of(table)
        self.cards = table.cards

    def possible(self, form: forms.Form) -> bool:
        """Return whether the table has names for every place of a form."""
        names = [part for part in form.parts if isinstance(part, forms.Name)]
        names += [form.tail.name] if isinstance(form.tail, forms.Seen) else []
        needed = [name.of for name in names]
        if form.needs is not None:
            needed.append(form.needs)
        return all(self.names_of(bearers).names for bearers in needed)

    def names_of(self, of: forms.Bearers) -> Names:
        """Return the names that can be offered: rooms alone of where a piece moves."""
        return self.lexicon.rooms if of == "spots" else self.lexicon.of(of)

    def offered(self, form: forms.Form) -> bool:
        """Return whether lists and completion offer a form: whether the rules bring it about."""
        verb = form.verb if form.subject else "nobody"
        return verb in self.table.edition.verbs and self.possible(form)

    @property
    def totals(self) -> tuple[str, ...]:
        """The totals that the dice by which one moves can show: of two, where no board is drawn."""
        edition = self.table.edition
        dice = 2 if edition.board is None else edition.board.dice
        return tuple(map(str, range(dice, 6 * dice + 1))) if edition.rooms else ()

    def choice(self, part: forms.Name, by: str) -> tuple[str, ...]:
        """Return the names that may stand at a place of the line, likeliest first."""
        names = self.names_of(part.of).names
        if part.of == "cards":
            return self.cards if part.held else names
        if part.of in ("things", "features", "clues", "spots"):
            return names
        others = tuple(name for name in names if name != by)
        return others if part.nobody else (*others, by)

    def sizes(self, part: forms.Several, by: str) -> tuple[int, int]:
        """Return the least and the most names of a list."""
        match part.size:
            case "suggestion":
                return self.table.edition.named, self.table.edition.named
            case "accusation":
                count = len(self.table.edition.category)
                return count, count
            case "hand":
                sizes = {seat: size for seat, size in self.state.sizes.items() if seat != by}
                with suppress(SetupError):
                    least, most = self.table.size_bounds(sizes)[self.table.seats.index(by)]
                    return max(least, 1), most
                return 1, 0
        return 1, len(self.lexicon.of(part.of).names)

    def left(self, part: forms.Several, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return what may still stand in a list."""
        every = self.lexicon.of(part.of).names
        if part.size in ("suggestion", "accusation"):
            named = {self.lexicon.kind[card] for card in names}
            return tuple(card for card in every if self.lexicon.kind[card] not in named)
        every = self.cards if part.of == "cards" else every
        return tuple(name for name in every if name not in names)

    def hidden(self, cards: Sequence[str]) -> tuple[str, ...]:
        """Return those of the cards that somebody can show."""
        return tuple(card for card in cards if card not in self.table.face_up)
