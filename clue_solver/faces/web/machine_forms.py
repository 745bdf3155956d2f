"""What the forms of a shared table's pages do where machines play: ask them, and tell them."""

from urllib.parse import parse_qs

from msgspec.structs import replace

from clue_solver.conversation.doubts import answers_of
from clue_solver.errors import ArgumentError
from clue_solver.faces.web.drafts import OTHER, Draft
from clue_solver.faces.web.forms import Answered, Forms, Said, number_in, one
from clue_solver.faces.web.machines import SharedTable
from clue_solver.faces.web.tables import Notebook, ServedTable
from clue_solver.notation import format_line
from clue_solver.rules.observations import Finger, Observation, Question, Suggestion

_OF_MACHINES = frozenset(("hand", "owed", "open", "close"))
"""What the page of a machine may do."""


class SharedForms(Forms):
    """What the pages of a shared table may do to it."""

    actions = Forms.actions | _OF_MACHINES | {"sit"}

    def __init__(self, table: ServedTable) -> None:
        super().__init__(table)
        assert isinstance(table, SharedTable)
        self.shared = table

    def done(self, book: Notebook, action: str, said: Said) -> Answered:
        """Do what a form asks for; raises as `Forms.done`."""
        if book.links.machine and action not in _OF_MACHINES:
            raise ArgumentError("a machine plays here: this page is told what it sees, and no more")
        return super().done(book, action, said)

    def do_sit(self, book: Notebook, said: Said) -> None:
        """Let a machine or a person play a seat, which is the recorder's to say."""
        if book.seat is not None:
            raise ArgumentError("only the recorder says who plays")
        self.shared.sit(one(said, "seat"), one(said, "player"))

    def do_tell(self, book: Notebook, said: Said) -> Answered | None:
        """Take a line; where a machine is asked, only what it answers."""
        line = one(said, "asks")
        if not line or book.seat is not None:
            return super().do_tell(book, said)
        session = self.shared.current(book)
        seat, revealing, card = line.partition(" reveals")
        if revealing:
            return self._reveal(book, said, seat, card.strip())
        asked, table = session.read(line).observation, session.record.table
        answers = answers_of(asked, table)
        seat = str(answers[-1].seat)
        shows = bool(self._able(seat, answers[-1].asked))
        if isinstance(asked, Question) and not shows:
            line = format_line(replace(asked, answer="passes"), table)
        elif table.several_show and not isinstance(asked, Question):
            return _half(asked, said, chosen=(*said.get("x", ()), "shows" if shows else "passes"))
        elif not shows:
            passed = tuple(str(each.seat) for each in answers if each.seat in self.shared.machines)
            return _half(asked, said, passed=passed)
        return super().do_tell(book, {**said, "line": [line]})

    def _reveal(self, book: Notebook, said: Said, seat: str, card: str) -> Answered | None:
        """Log a card that a machine shows everybody: any of its hand, or this one if it has it."""
        could = self._able(seat, (card,) if card else ())
        if not could:
            raise ArgumentError(f"{seat} does not have {card}")
        shown = card or self.shared.chosen(seat, could, None)
        return super().do_tell(book, {**said, "line": [f"{seat} reveals {shown}"]})

    def _able(self, seat: str, cards: tuple[str, ...]) -> list[str]:
        """Return which of some cards a machine can show; refuse what is no machine's to say."""
        if seat not in self.shared.machines:
            raise ArgumentError("somebody else plays there now: look again")
        if self.shared.hand(seat) is None:
            raise ArgumentError(f"{seat}'s cards are not told yet: tick them on {seat}'s page")
        return self.shared.able(seat, cards)

    # What the page of a machine tells it, and shows.

    def do_hand(self, book: Notebook, said: Said) -> Answered | None:
        """Take a seat's whole hand, or a machine's, which is not shown again."""
        if not book.links.machine:
            return super().do_hand(book, said)
        self.shared.hand_in(str(book.seat), said.get("card", []))
        return None

    def do_owed(self, book: Notebook, said: Said) -> None:
        """Tell a machine which card it saw."""
        seat = str(book.seat)
        number = self.shared.entry_now(
            self.shared.recorder, number_in(said, "entry") or 0, one(said, "was")
        )
        teller = one(said, "teller")
        for each in self.shared.owed(seat):
            if (each.number, each.teller) == (number, teller):
                self.shared.told(seat, each, one(said, "card"))

    def do_open(self, book: Notebook, said: Said) -> Answered:
        """Show a card to whoever has no page of their own."""
        number = number_in(said, "entry") or 0
        return {"opened": self.shared.open_card(str(book.seat), number)}

    def do_close(self, book: Notebook, said: Said) -> None:
        """Show that card no more."""
        self.shared.close_card(str(book.seat), one(said, "opened"))


def _half(
    asked: Observation, said: Said, *, chosen: tuple[str, ...] = (), passed: tuple[str, ...] = ()
) -> Answered:
    """Return what asks for the page of an entry that goes on, as far as it has been answered."""
    draft = Draft(after=one(said, "at"), passed=passed)
    match asked:
        case Suggestion(by=by, cards=cards):
            draft = draft._replace(by=by, picked=cards, chosen=chosen)
        case Finger(by=by, cards=cards):
            draft = draft._replace(kind=OTHER, chosen=("Finger", by, *cards, *chosen))
    query: Answered = {name: list(each) for name, each in parse_qs(draft.query()[1:]).items()}
    return query
