"""The screen of a game against machines: the referee asks, and each move is one line."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from rich.text import Text
from textual.binding import BindingType
from textual.worker import get_current_worker

from clue_solver.conversation.commands import Said, asks_advice
from clue_solver.errors import ClueError
from clue_solver.faces.practising import Practice, Way
from clue_solver.faces.thoughts import Thought, looks
from clue_solver.faces.tui.colours import Depth
from clue_solver.faces.tui.commands import bindings, meant
from clue_solver.faces.tui.dialogs import Choose
from clue_solver.faces.tui.line import Line
from clue_solver.faces.tui.screen import GameScreen
from clue_solver.game import Game
from clue_solver.notation import Completion
from clue_solver.views.document import render

WORDS = (
    *("quit", "new", "help", "lists", "advise", "why", "hints", "log", "sheet", "best", "board"),
    *("review", "habits", "pane", "back", "recall", "earlier", "later", "light"),
)
"""The commands of such a game: what has happened stands."""


_MOST = 12
"""The most ways that are listed over the line."""


class PractiseScreen(GameScreen):
    """The screen of a game that is dealt; what is chosen stands in the line until Enter."""

    words: ClassVar[tuple[str, ...]] = WORDS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WORDS)]
    hints = "sheet"

    def __init__(self, practice: Practice, *, depth: Depth = "true") -> None:
        super().__init__(practice.session, depth=depth)
        self.practice = practice

    def on_mount(self) -> None:
        """Draw what there is, and let the others play until the person is asked."""
        super().on_mount()
        self._play_on()

    # What the others do.

    def _play_on(self) -> None:
        self.write_verdict(*self.practice.question)
        self.run_worker(self._let_others_play, thread=True, exclusive=True, group="machines")

    def _let_others_play(self) -> None:
        """Let the machines decide, in a thread, until the person is asked or the game is over."""
        worker = get_current_worker()
        practice = self.practice
        while not (practice.over or practice.asked or practice.left or worker.is_cancelled):
            practice.let_machine_decide()
            self.call_later(self._follow)
        self.call_later(self._follow)
        self.call_later(self._ask)

    def _follow(self) -> None:
        """Show what has happened."""
        happened = self.practice.follow()
        if happened:
            self.redraw()
            self.say("\n".join(happened[-3:]))

    def _ask(self) -> None:
        """Ask the person, once all is seen that led there; in the end show the review."""
        self.redraw()
        self.write_verdict(*self.practice.question)
        if self.practice.over:
            self.read("The game, turn by turn", lambda: render(self.practice.review()))
        elif not self.line.value and self.app.screen is self:
            self.action_lists()

    # What the person does.

    def prompt(self) -> tuple[str, str]:
        """Return what stands before the line, and in it while nothing is typed."""
        if self.practice.over:
            return ">", "the game is over: review looks back on it, new deals another"
        if not self.practice.asked:
            return ">", "the others play …"
        return ">", "Enter lists what you may do; or type it"

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return the ways of which one word begins so, where they are few enough to list."""
        said = text.strip().casefold()
        lines: dict[str, str] = {}
        for way in self.practice.ways:
            label = " ".join(way.words)
            if said in label.casefold() or way.line.casefold().startswith(said):
                lines.setdefault(way.line, label)
        few = [] if text in lines else [*lines.items()][:_MOST]
        return tuple(Completion(line=line, label=label) for line, label in few)

    def meaning(self, text: str) -> Text:
        """Return the line that would be played."""
        if meant(self._said(text), self.words) is not None:
            return Text()
        try:
            ways = self.practice.read(text)
            return Text(f"→ {ways[0].line}" if len(ways) == 1 else "→ ?")
        except ClueError as error:
            return Text() if self.matches_of(text) else Text(f"✗ {error}")

    def _said(self, text: str) -> Said:
        if asks_advice(text):
            return Said("advise")
        word, _, rest = text.strip().removeprefix("/").partition(" ")
        return Said(word.casefold() or "?", rest)

    def take(self, text: str) -> None:
        """Do what a word says, or play the line; what cannot be played stays to be put right."""
        said = self._said(text)
        if said.word in self.words:
            self.line.write("")
            self.call_later(self.do, said)
            return
        try:
            ways = self.practice.read(text)
        except ClueError as error:
            self.refuse(f"✗ not taken: {error}")
            return
        seat, accuses = self.practice.seat, ways[0].words[0] == "accuse"
        labels = [way.line.removeprefix(f"{seat} ") for way in ways]
        if len(ways) > 1:
            self._make_sure("Which do you mean?", ways, labels)
        elif accuses:
            hint = "If it is wrong you are out, and still show cards."
            self._make_sure(f"{ways[0].line}?", ways, ["accuse", "not yet"], hint)
        else:
            self._decide(ways[0])

    def _make_sure(
        self, question: str, ways: tuple[Way, ...], labels: Sequence[str], hint: str = ""
    ) -> None:
        """Ask which of some ways is meant, if one is, and play that."""

        def chosen(place: int | str | None) -> None:
            if isinstance(place, int) and place < len(ways):
                self._decide(ways[place])

        self.app.push_screen(Choose(question, labels, words=False, hint=hint), chosen)

    def _decide(self, way: Way) -> None:
        """Play what was chosen."""
        try:
            self.practice.decide(way)
        except ClueError as error:
            self.refuse(f"✗ not taken: {error}")
            return
        self.line.remember(way.line)
        self.line.write("")
        self._follow()
        self._play_on()

    def command(self, said: Said) -> None:
        """Do what a command says of the game; the review comes when that is over."""
        if said.word != "review":
            self.open(said)
        elif self.practice.over:
            self._ask()
        else:
            self.say("the review comes when the game is over")

    def on_line_pasted(self, event: Line.Pasted) -> None:
        """Type what is pasted, its lines as one."""
        self.line.replace(" ".join(event.text.split()), *self.line.selection)

    def take_nothing(self) -> None:
        """List what may be done: Enter alone chooses nothing."""
        self.action_lists()

    def action_lists(self) -> None:
        """Choose from lists; the line that comes of it is played by Enter."""
        if self.practice.asked:
            self._choose(self.practice.ways, 0)

    def _choose(self, ways: tuple[Way, ...], known: int) -> None:
        """Ask for the next word of the ways that are left; where there is but one, for none."""
        words = [*dict.fromkeys(way.words[known] for way in ways)]
        if len(words) == 1 and known and len(ways[0].words) > known + 1:
            self._choose(ways, known + 1)
            return
        question, remark = self.practice.question
        if known:
            kind = self.session.record.table.edition.category_of.get(words[0], "card")
            question, remark = f"Which {kind}?", " ".join(ways[0].words[:known])

        def chosen(place: int | str | None) -> None:
            if place is None and known > 1:
                self._choose(self.practice.ways, 0)
            if isinstance(place, str):
                self.line.write(place)
                self.take(place)
            if not isinstance(place, int):
                return
            left = tuple(way for way in ways if way.words[known] == words[place])
            if len(left) == 1 or len(left[0].words) == known + 1:
                self.line.write(left[0].line)
                self.say("Enter plays it, Esc takes it back")
            else:
                self._choose(left, known + 1)

        self.app.push_screen(Choose(question, words, hint=remark), chosen)

    def action_back(self) -> None:
        """Take back what was chosen, or leave a view or a pane."""
        chosen = self.line.value
        super().action_back()
        if chosen and self.practice.asked:
            self.action_lists()

    def action_hints(self) -> None:
        """Tell less, and after the least all again; what is asked stays."""
        super().action_hints()
        self.write_verdict(*self.practice.question)

    # What is thought.

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield what to do, under what is asked."""
        question, remark = self.practice.question
        for thought in looks(game):
            advice = f"{remark}\n{thought.text} {thought.remark}".strip()
            yield thought._replace(text=question, remark=advice)
