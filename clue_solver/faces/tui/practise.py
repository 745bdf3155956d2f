"""The screen of a game against machines: each decision of the person is one line."""

from collections.abc import Iterator
from typing import ClassVar

from rich.text import Text
from textual.worker import get_current_worker

from clue_solver.errors import ClueError
from clue_solver.faces.leaving import Say
from clue_solver.faces.practising import Practice, PracticeChoice
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.tui.entry import EntryScreen
from clue_solver.game import Game
from clue_solver.notation import Completion
from clue_solver.views.document import render

WORDS = (
    *("quit", "new", "help", "lists", "advise", "why", "hints", "log", "sheet", "best", "board"),
    *("review", "pane", "back", "light"),
)
"""The commands in such a game; none of them changes what has happened."""


_HOW = """\
Machines play the others; the program deals, rolls and moves. It asks whenever you may do something:
answer by a number, by the arrows or by a word, then Enter. Enter alone asks again. You can also
type it: a room, the cards of a suggestion, 'accuse' and its cards; you are asked once more before
an accusation counts. The log and the sheet keep themselves.
"""

_MOST = 12
"""The most choices that are listed above the line."""


class PractiseScreen(EntryScreen):
    """The screen of a game against machines; a decision stays in the line until Enter."""

    words: ClassVar[tuple[str, ...]] = WORDS
    how: ClassVar[str] = _HOW.replace("\n", " ")
    marks_first = False
    hints = "sheet"

    def __init__(self, practice: Practice) -> None:
        super().__init__(practice.session)
        self.practice = practice

    def on_mount(self) -> None:
        """Let the machines play until the person has to decide."""
        self._play_on()

    @property
    def turn(self) -> str | None:
        """The player whose turn it is."""
        return self.practice.game.state.turn

    @property
    def trouble(self) -> object:
        """Why the game is not completely in its file; empty if it is."""
        return self.practice.trouble

    def leave(self, say: Say) -> bool:
        """Close the game and say where it is; return whether it is in its file."""
        say(self.practice.leave())
        return not self.practice.trouble

    # What the others do.

    def _write_question(self) -> None:
        """Show what the machines do; a question to the person is in the menu instead."""
        self.write_verdict(*("", "") if self.practice.is_asked else self.practice.question)

    def _play_on(self) -> None:
        self._write_question()
        self.run_worker(self._let_others_play, thread=True, exclusive=True, group="machines")

    def _let_others_play(self) -> None:
        """Let the machines decide until the person has to, or the game is over. (In a thread.)"""
        worker = get_current_worker()
        practice = self.practice
        while not (practice.over or practice.is_asked or practice.left or worker.is_cancelled):
            practice.let_machine_decide()
            self.call_later(self._follow)
        self.call_later(self._follow)
        self.call_later(self._ask_person)

    def _follow(self) -> None:
        """Show what has happened."""
        happened = self.practice.follow()
        if happened:
            self.redraw()
            self.say("\n".join(happened[-3:]))

    def _ask_person(self) -> None:
        """Ask for the next decision, or play a forced one; after the game show the review."""
        self.redraw()
        self._write_question()
        if self.practice.over:
            self.do_review()
        elif len(self.practice.ways) == 1:  # there is no choice
            self._decide(self.practice.ways[0], typed=False)
        elif not self.line.value and self.app.screen is self:
            self.enter_nothing()

    # What the person does.

    def prompt(self) -> tuple[str, str]:
        """Return the text before the line, and the placeholder in it."""
        if self.practice.over:
            return ">", "over: type 'review' or 'new'"
        if not self.practice.is_asked:
            return ">", "the others play …"
        return ">", "Enter lists what you may do"

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return completions for a line: the choices that match it, up to a limit."""
        try:
            ways = self.practice.read(text)[:_MOST]
        except ClueError:
            return ()
        found = (Completion(line=way.line, label=" ".join(way.words)) for way in ways)
        return tuple(each for each in found if each.line != text)

    def meaning(self, text: str) -> Text:
        """Return the line that Enter would play."""
        try:
            ways = self.practice.read(text)
        except ClueError as error:
            return Text() if self.matches_of(text) else Text(f"✗ {error}")
        if len(ways) > 1:
            return Text("→ ?")
        way = ways[0]
        towards = f", {way.words[0]}" if way.words[0].startswith("towards") else ""
        return Text(f"→ {way.line}{towards}: Enter plays it")

    def enter_line(self, text: str) -> None:
        """Play a line, or the choice with that number; a refused line stays to be corrected."""
        first = [*dict.fromkeys(way.words[0] for way in self.practice.ways)]
        if text.isdecimal() and 0 < int(text) <= len(first):
            self.do_lists((first[int(text) - 1],))
            return
        try:
            ways = self.practice.read(text)
        except ClueError as error:
            self.refuse(f"✗ not accepted: {error}")
            return
        if len(ways) > 1:
            labels = [(way.line.removeprefix(f"{self.practice.seat} "), way.line) for way in ways]
            self._confirm(Prompt("Which do you mean?", tuple(labels)))
        elif ways[0].accuses:
            answers = (("accuse", ways[0].line), ("not yet", ""))
            hint = "If it's wrong, you're out, but you still show cards."
            self._confirm(Prompt(f"{ways[0].line}?", answers, hint=hint))
        else:
            self._decide(ways[0])

    def _confirm(self, question: Prompt) -> None:
        """Let the person choose one of several lines, or confirm a single one, and play it."""

        def chosen(line: str | None) -> None:
            if line in question.values and line:
                self._decide(*self.practice.read(line))
            elif line:
                self.put(line)

        self.ask(question, chosen)

    def write_chosen(self, line: str) -> None:
        """Play the line that menus gave if it is harmless; otherwise write it for Enter to play."""
        (way,) = self.practice.read(line)[:1]
        if way.is_harmless:
            self._decide(way)
        else:
            self.line.write(line)
            self.line.select_all()  # what is typed instead replaces it

    def _decide(self, way: PracticeChoice, *, typed: bool = True) -> None:
        """
        Play a choice.

        Args:
            way: The choice.
            typed: Whether its line was typed, and is to be cleared; other text stays in the line.
        """
        try:
            self.practice.decide(way)
        except ClueError as error:
            self.refuse(f"✗ not accepted: {error}")
            return
        if typed:
            self.line.remember(way.line)
            self.line.write("")
        self._follow()
        self._play_on()

    def do_review(self, _: str = "") -> None:
        """Open the review of the finished game."""
        if self.practice.over:
            self.read("The game, turn by turn", lambda: render(self.practice.review()))
        else:
            self.say("the review comes when the game is over")

    def paste(self, text: str) -> None:
        """Type pasted text as one line."""
        self.line.replace(" ".join(text.split()), *self.line.selection)

    def enter_nothing(self) -> None:
        """Handle Enter without text: show the menu."""
        if self.practice.is_asked:
            self.do_lists()

    def next_menu(self, chosen: tuple[str, ...]) -> Prompt | str:
        """Return the menu after these choices, or the line if only one choice is left."""
        known = len(chosen)
        ways = [way for way in self.practice.ways if way.words[:known] == chosen]
        if known and (len(ways) == 1 or len(ways[0].words) == known):
            return ways[0].line
        words = dict.fromkeys(way.words[known] for way in ways)
        question, remark = self.practice.question
        choices = tuple((word, word) for word in words)
        if known:
            kind = self.session.record.table.edition.category_of.get(next(iter(words)), "card")
            return Prompt(f"Which {kind}?", choices, line=" ".join(chosen))
        return Prompt(question, choices, hint=remark)

    def do_back(self) -> None:
        """Clear the line and show the menu again, or leave a view or a pane."""
        chosen = self.line.value
        super().do_back()
        if chosen:
            self.enter_nothing()

    def do_hints(self) -> None:
        """Show less help, or all of it again after the least; the question stays."""
        super().do_hints()
        self._write_question()

    # What is thought.

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield advice if the person has to decide."""
        if self.practice.is_asked:
            yield from super().thoughts(game)
