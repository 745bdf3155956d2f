"""A new game, set up by one question after another; what is told so far stands behind them."""

from contextlib import suppress
from functools import partial

from rich.text import Text
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from clue_solver.errors import ClueError, NotationError
from clue_solver.faces import setup
from clue_solver.faces.tui.dialogs import Choose
from clue_solver.record import Record
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.table import Table

ORDER = ("edition", "players", "viewer", "face_down", "hand", "hands", "pieces", "first", "face_up")
"""The questions in their order."""

LABELS = {"edition": "Edition"} | {field.name: field.label for field in setup.FIELDS}
QUESTIONS = LABELS | {
    "edition": "Which edition?",
    "face_down": "In which rooms do cards lie?",
    "hands": "Who was dealt the first card?",
    "first": "Who begins?",
}

_LOST = "Esc once more goes back: what is typed here is lost."


class SetupScreen(Screen[Record | None]):
    """
    A new game: Enter takes an answer, Esc goes back to the question before, Ctrl+S starts.

    Attributes:
        new: The game so far.
    """

    def __init__(
        self, typed: setup.Typed, last: Table | None = None, *, offers: bool = False
    ) -> None:
        """
        Ask for what is not known.

        Args:
            typed: What is known.
            last: The table that is played at again, with its customs.
            offers: Whether something else was offered, to which Escape goes back.
        """
        super().__init__()
        self._editions = {edition.name: edition for edition in setup.offered_editions()}
        name = typed.get("edition", setup.USUAL)
        again = last.edition if last is not None else load_edition(name)
        edition = self._editions.setdefault(name, again)
        self.new = setup.NewGame(
            edition, dict.fromkeys(ORDER, "") | typed | {"edition": name}, last
        )
        self._known = typed
        self._offers = offers
        self._starts = False  # whether the game starts with the answer that is given
        self._settled = {asked for asked, _ in setup.doubtful_players(last)} if last else set()

    def compose(self) -> ComposeResult:
        keys = "   Enter goes on, Esc goes back, Ctrl+S starts, Ctrl+Q quits"
        yield Static(Text.assemble(("A new game", "bold"), keys), classes="title")
        yield Static(id="so-far", markup=False)

    def on_mount(self) -> None:
        """Ask for the first thing that is not known."""
        asked = ("edition", "players", "viewer")
        self._ask(next((name for name in asked if not self._known.get(name)), "hand"))

    # What is asked.

    def _ask(self, name: str, hint: str = "", text: str | None = None) -> None:
        """Ask a question; again, where there is something to say to the text that was typed."""
        self.query_one("#so-far", Static).update(self._so_far())
        answers = self._answers(name)
        told = self.new.typed[name] if text is None else text
        values = [value for value, _ in answers]
        usual = values.index(told) if told in values else 0
        listed = bool(values) and (told in values or not told)
        if name != "edition":
            hint = hint or self.new.hint(name)
        dialog = Choose(
            QUESTIONS[name],
            [label for _, label in answers],
            marked=usual if listed else None,
            hint=hint,
            typed="" if listed else told,
            example=_whole(self.new).typed[name] or self.new.examples.get(name, ""),
        )
        self.app.push_screen(dialog, partial(self._take, name, values))

    def _answers(self, name: str) -> list[tuple[str, str]]:
        """Return what may be chosen: what it stands for, and how it is listed."""
        edition, unknown = self.new.edition, [("", "not known")]
        if name == "edition":
            lines = self._editions.items()
            return [(called, setup.edition_line(each, note=False)) for called, each in lines]
        if name == "pieces":
            return [(piece, piece) for piece in edition.suspects] + unknown
        if name not in ("viewer", "hands", "first"):
            return []
        seats = [(seat, seat) for seat in self.new.table.seats]
        return seats + ([("-", "nobody: I only watch")] if name == "viewer" else unknown)

    def _is_asked(self, name: str) -> bool:
        """Return whether a question is asked at this table."""
        if name in ("hands", "face_up"):  # what is left over lies open, or some have a card more
            return "?" in _whole(self.new).guess("hands")
        return name == "edition" or self.new.asks(name, person=True)

    def _so_far(self) -> Text:
        """Return what is told so far, and what is unusual about it."""
        told = _whole(self.new).typed | {"edition": self.new.edition.title}
        rows = [
            Text.assemble((f"{LABELS[name]:24}", "dim"), told[name]) for name in ORDER if told[name]
        ]
        with suppress(ClueError):
            rows += map(Text, self.new.warnings)
        return Text("\n").join(rows)

    # What is answered.

    def action_start(self) -> None:
        """Start with the answer that is given."""
        if isinstance(self.app.screen, Choose):
            self._starts = True
            self.app.screen.on_input_submitted()

    def _take(self, name: str, values: list[str], chosen: int | str | None) -> None:
        """Take an answer, and ask what comes next; or go back."""
        starts, self._starts = self._starts, False
        if chosen is None:
            self._go_back(name)
            return
        text = values[chosen] if isinstance(chosen, int) else chosen
        before = self.new
        try:
            if name == "edition":
                edition = setup.edition_called(text, self._editions.values())
                self.new = _saying(before._replace(edition=edition), name, edition.name)
            else:
                self.new = self.new.with_answer(name, text)
                self._doubt(name)
            record = _whole(self.new).record if name != "edition" or starts else None
        except ClueError as error:
            self.new = before
            wrong = error.argument if starts and error.argument in ORDER else name
            self._ask(wrong, f"✗ {error}", text if wrong == name else None)
            return
        follows = next(filter(self._is_asked, ORDER[ORDER.index(name) + 1 :]), None)
        if starts or follows is None:
            self.dismiss(record)
        else:
            self._ask(follows)

    def _doubt(self, name: str) -> None:
        """Raise a `ClueError` of what is doubtful about an answer, where it was not said before."""
        if name == "hand" and (missing := _whole(self.new).missing):
            raise NotationError(f"{missing}: type the rest")
        for asked, otherwise in setup.doubtful_players(self.new.table):
            if asked not in self._settled:  # nobody is asked twice
                self._settled.add(asked)
                raise NotationError(f"{asked} Enter again if so; if not, {otherwise}.")

    def _go_back(self, name: str) -> None:
        """Ask the question before again; before the first there is what was offered."""
        before = next(filter(self._is_asked, reversed(ORDER[: ORDER.index(name)])), None)
        if before is not None:
            self._ask(before)
        elif self._offers and (not self.new.typed["players"] or _LOST in self._settled):
            self.dismiss(None)
        else:
            self._settled.add(_LOST)
            self._ask(name, _LOST if self._offers else "Ctrl+Q leaves.")


def _saying(new: setup.NewGame, name: str, text: str) -> setup.NewGame:
    return new._replace(typed=new.typed | {name: text})


def _whole(new: setup.NewGame) -> setup.NewGame:
    """Return a game with what follows from what is told of it."""
    with suppress(ClueError):
        for name in ("face_down", "hands"):
            guess = new.guess(name)
            new = _saying(new, name, new.typed[name] or ("" if "?" in guess else guess))
    return new
