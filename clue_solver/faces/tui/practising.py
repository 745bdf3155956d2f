"""
A game against autonomous players on the full screen: one's own sheet and log, and a line to answer.

The game goes on in a thread of its own; where the person is asked, it waits for what is typed.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from queue import SimpleQueue
from typing import ClassVar

from rich.console import Console
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input, Static

from clue_solver.answers.report import Report
from clue_solver.arena.players import Player
from clue_solver.arena.referee import Referee, play
from clue_solver.conversation.commands import COMMANDS, GameCommand
from clue_solver.conversation.session import Session
from clue_solver.faces.practising import HELP, REVIEWED, Left, Person, outcome
from clue_solver.faces.tui.app import PlayApp
from clue_solver.faces.tui.entry import EntryLine, Matches
from clue_solver.faces.tui.panes import Findings, TextDialog, action_of
from clue_solver.faces.tui.seating import PlaceScreen
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.faces.tui.table import AskingScreen, ViewOptions
from clue_solver.game import Game
from clue_solver.notation import Completion
from clue_solver.record import Entry, Record
from clue_solver.views.document import render

_HERE = (
    *("help", "advise", "why", "habits", "review", "pane", "back", "earlier", "later", "light"),
)
_LONG = 6
"""An answer of more rows than these opens to be read."""

_KEYS = """\
With nothing typed the arrows move the cursor on the sheet, F9 asks why of its cell, and + and - \
mark it (teach me). Tab completes what is typed, Esc empties the line. Ctrl+G advises, F6 goes to \
the log, [ and ] show the sheet as of an entry, Ctrl+Q leaves."""

_TAUGHT = """\
You keep the sheet: + says that the cell's holder has the card, - that it cannot have it. A mark \
that is not certain by what you saw is not made; F9 and hint help."""


class Practice:
    """
    A game in a thread of its own, as a person on the full screen plays it.

    Attributes:
        session: The notes of the person's seat.
        greeting: What is said at the beginning.
        trouble: What ended the game, if an error did.
    """

    def __init__(
        self, referee: Referee, opponents: Mapping[str, Player], greeting: str, *, teach: bool
    ) -> None:
        """
        Hold a game that has not begun; the seat without an opponent is the person's.

        Args:
            referee: The game.
            opponents: Who plays the other seats.
            greeting: What to say at the beginning.
            teach: Whether the person keeps the sheet.
        """
        (seat,) = {*referee.views} - {*opponents}
        self.referee, self.view = referee, referee.views[seat]
        self._told = StringIO()
        console = Console(file=self._told, width=76, highlight=False, markup=False, emoji=False)
        self.person = Person(self._line, console, teach=teach)
        self.greeting = greeting
        self.person.say(greeting)
        self._players: dict[str, Player] = {seat: self.person, **opponents}
        self.session = Session(self.view.game.record)
        self.trouble: BaseException | None = None
        self._typed: SimpleQueue[str | None] = SimpleQueue()
        self._left = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def begin(self, screen: "PractiseScreen") -> None:
        """Let the game begin, and show it on a screen."""
        self._screen = screen
        self._thread.start()

    def type(self, line: str) -> None:
        """Answer what is asked."""
        self._typed.put(line)

    def leave(self) -> None:
        """End the game, and wait until it has ended; raises what went wrong in it."""
        self._left = True
        self._typed.put(None)
        if self._thread.is_alive():
            self._thread.join()
        if self.trouble is not None:
            raise self.trouble

    # What is done in the thread of the game.

    def _run(self) -> None:
        try:
            play(self.referee, self._players, watch=self._watch)
            self._watch(self.referee)
        except Left:
            return
        except BaseException as error:  # `leave` raises it
            self.trouble = error
        self._screen.call_later(self._screen.end)

    def _watch(self, _: Referee) -> None:
        if self._left:
            raise Left
        self._screen.call_later(self._screen.follow, self.view.game.record.entries)

    def _line(self, prompt: str) -> str | None:
        output = self._told.getvalue().rstrip()
        self._told.seek(0)
        self._told.truncate()
        self._screen.call_later(self._screen.question, prompt.strip(), output)
        return self._typed.get()


class PractiseScreen(AskingScreen):
    """The screen of a game against autonomous players."""

    commands: ClassVar[tuple[GameCommand, ...]] = (
        GameCommand("quit", "", "leave the game", "screen", "ctrl+q", "Quit"),
        *(command for command in COMMANDS if command.word in _HERE),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(command.keys, action_of(command), command.label, show=bool(command.label))
        for command in commands
        if command.keys and not action_of(command).startswith("app.")
    ]

    def __init__(self, practice: Practice) -> None:
        super().__init__(practice.session, EntryLine(self.rest_of, id="entry"))
        self.practice = practice
        self._asked = ""  # what the game waits for; empty while the others play
        self._ended = ""
        self._typed = ""
        self._shown = 0

    def on_mount(self) -> None:
        """Draw what there is, and let the game begin."""
        super().on_mount()
        self.query_one("#prompt", Static).update(">", layout=False)
        self._mark_sheet()
        self.practice.begin(self)

    # What the game tells, on the screen's own thread.

    def follow(self, entries: tuple[Entry, ...]) -> None:
        """Add what happened to the log."""
        if len(entries) > len(self.session.record.entries):
            self.session.rewrite(entries)
            self.refresh_all()

    def question(self, asked: str, output: str) -> None:
        """Show what is asked, after what was told."""
        self._asked = asked
        answers = self._typed
        self._typed = ""
        self._mark_sheet()
        self._prompt()
        happened = self.session.lines[self._shown :]
        self._shown = len(self.session.lines)
        if self.practice.person.refused:  # it is there to be typed better
            self.line.write(answers)
        elif output.count("\n") >= _LONG:
            self.app.push_screen(TextDialog(answers, Text.from_ansi(output)))
            output = ""
        self._offer(self.line.value)
        self.say(Text.from_ansi("\n".join(filter(None, (*happened[-_LONG:], output)))))

    def end(self) -> None:
        """Say how the game ended, and open its review."""
        if self.practice.trouble is not None:
            self.app.exit()
            return
        self._asked, self._ended = "", outcome(self.practice.referee)
        self._prompt()
        self._offer("")
        self.action_review()

    # What is typed.

    def take_key(self, key: str, mark: str | None) -> bool:
        """Take a key that steers, marks or answers; whether it did."""
        line = self.line
        offered = self.query_one(Matches)
        if self.passing:
            self.say("")
        if self.focused is not line:
            if mark is not None and mark not in "wi[]?+- ":
                self.set_focus(line)
            return self._marks(key)
        match key:
            case "enter":
                chosen = offered.match
                if offered.picked and chosen is not None and line.value.strip():
                    self.line.write(chosen.line)
                else:
                    self._take(line.value.strip())
            case "tab" if line.value and offered.match is not None:
                self.line.write(offered.match.line)
            case "up" | "down" if line.value:
                offered.choose(1 if key == "down" else -1)
            case _ if line.value:
                return False
            case _:
                return self.steer(key) or self._marks(key)
        return True

    def _marks(self, key: str) -> bool:
        """Mark the cell under the cursor by a key, where the player keeps the sheet."""
        cell = self.query_one(SheetView).cell
        if not self._teaches or cell is None or key not in ("plus", "minus"):
            return False
        card, holder = cell
        self._take(f"{holder} {'has' if key == 'plus' else 'lacks'} {card}")
        return True

    def rest_of(self, line: str) -> str | None:
        """Return the first completion, where it begins as the line does."""
        completions = self._completions(line) if line.strip() else ()
        return next(
            (completion.line for completion in completions if completion.line.startswith(line)),
            None,
        )

    def on_input_changed(self, event: Input.Changed) -> None:
        """Offer what the line may become."""
        if event.input.id == "entry" and event.value == event.input.value:
            self._offer(event.value)

    def _take(self, text: str) -> None:
        """Answer what is asked, or do what a word says."""
        word = text.removeprefix("/").casefold()
        known = {command.word: action_of(command) for command in self.commands} | {"?": "help"}
        if word in known:
            self.line.write("")
            self.call_later(self.run_action, known[word])
        elif not self._asked:
            self.say("the game is over" if self._ended else "wait: it is not your turn to answer")
        else:
            self._asked = ""
            self._typed = text
            self.line.write("")
            self._prompt()
            self.practice.type(text.removeprefix("/"))

    def _completions(self, line: str) -> tuple[Completion, ...]:
        """Return what the last word of a line may become, of what answers the question."""
        choices = self.practice.person.choices if self._asked else ()
        before, comma, _ = line.rpartition(",")
        lead = f"{before}{comma} " if comma else ""
        word = line[len(lead) :].strip().casefold()
        return tuple(
            Completion(line=f"{lead}{choice}", label=choice)
            for choice in choices
            if choice.casefold().startswith(word) and choice not in before
        )

    def _offer(self, line: str) -> None:
        self.query_one(Matches).offer(self._completions(line))

    # What is drawn.

    @property
    def turn(self) -> str:
        """Whose turn it is."""
        return self.practice.view.state.turn or ""

    @property
    def _teaches(self) -> bool:
        return self.practice.person.teach

    def _prompt(self) -> None:
        """Say what is asked, or how the game ended."""
        said = self._asked or self._ended or "The others play ..."
        self.query_one("#verdict", Static).update(Text(said))
        self.line.placeholder = (
            "Ctrl+Q leaves, /review shows the review again"
            if self._ended
            else "type it; Enter alone: nothing; F1 helps"
        )

    def _mark_sheet(self) -> None:
        """Show what the player has marked, where the player keeps the sheet."""
        if self._teaches:
            view = self.practice.view
            own = {(view.seat, card): card in view.hand for card in view.cards}
            self.query_one(SheetView).marked = own | self.practice.person.marked

    def refresh_all(self) -> None:
        """Draw everything as of now; above the line stands what is asked."""
        super().refresh_all()
        self._prompt()

    def _draw(self, view: ViewOptions, report: Report) -> None:
        super()._draw(view, report)
        self._prompt()
        if self._teaches and report.consistent:
            self.query_one("#best", Findings).write(lambda _: Text(_TAUGHT))

    def _decide(self, view: ViewOptions, report: Report) -> None:
        """Leave it to the player what to do, until advice is asked for."""

    def action_help(self) -> None:
        """Open the help."""
        self.app.push_screen(TextDialog("Practise", Text(f"{HELP}\n\n{_KEYS}")))

    def action_review(self) -> None:
        """Open the review of the game that is over."""
        if self._ended:
            game = Game(self.practice.referee.record)
            self.ask("The game, turn by turn", lambda: render(game.review(sample=REVIEWED)))
        else:
            self.say("the review comes when the game is over")

    def action_back(self) -> None:
        """Go one step back: from a view, a pane, the line."""
        self.step_back()


class PractiseApp(PlayApp):
    """
    The game on the full screen.

    Args:
        practice: The game; where there is none, the person says where it begins.
        begin: Begins it at a seat, counted from 1, and with a piece, or by lot.
        pieces: Whom the person may play; none where no pieces are played.
        opponents: Who plays the other seats, clockwise.
    """

    def __init__(
        self,
        practice: Practice | None = None,
        *,
        begin: Callable[[int, str], Practice] | None = None,
        pieces: Sequence[str] = (),
        opponents: Sequence[str] = (),
    ) -> None:
        super().__init__(None if practice is None else practice.session)
        self.practice = practice
        self._begins = begin
        self._pieces, self._opponents = pieces, opponents

    def _set_up(self, _record: Record | None = None) -> None:
        self.push_screen(PlaceScreen(self._pieces, self._opponents), self._placed)

    def _placed(self, chosen: tuple[int, str] | None) -> None:
        assert chosen is not None
        assert self._begins is not None
        self.practice = self._begins(*chosen)
        self._play(self.practice.session)

    def _play(self, session: Session) -> None:
        assert self.practice is not None
        self.session = session
        self.push_screen(PractiseScreen(self.practice))
