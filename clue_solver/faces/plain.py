"""
The interface without a full screen, for screen readers and pipes: it answers line by line.

At a terminal, questions about a doubtful line are asked before it is logged. On a pipe the line is
logged with a warning.
"""

import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

import click
from rich.console import Console

from clue_solver.conversation.changes import END
from clue_solver.conversation.commands import WORDS, TypedCommand
from clue_solver.conversation.session import Session
from clue_solver.errors import (
    WIDEST,
    ClueError,
    Contradiction,
    RecordError,
    counted,
    with_caret,
)
from clue_solver.faces import games, leaving
from clue_solver.faces.feed import Account, PendingQuestion, TextRemark
from clue_solver.faces.line_input import LineInput
from clue_solver.faces.logged import LoggedGame
from clue_solver.faces.opening import opening
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.setup import NewGame, Typed
from clue_solver.views import sentences
from clue_solver.views.reports import likeliest, settled_lines

_BEST = 3
"""How many of the likeliest solutions are printed."""

_LONG = 40
"""If a label has more characters, the choices are printed one below the other."""

_MEANT = {"q": "/quit", "exit": "/quit", "new game": "/new"}
"""Texts that may be typed in place of a command, with that command."""


def run(path: Path | None, typed: Typed, console: Console) -> None:
    """
    Run the plain interface: log a game line by line, without a full screen.

    Args:
        path: The game's file; if it does not exist, a new game is set up. If `None`, the
            unfinished games and a new one are offered.
        typed: The known fields of a new game.
        console: Where answers are printed.

    Raises:
        RecordError: If the game is open in another window, was dealt, or cannot be read.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    lines = LineInput(sys.stdin)
    if path is not None and games.game_file(path).exists():
        raise RecordError("the program deals this game: open it without --plain", path=str(path))
    goes_on = True
    while goes_on:
        session = _open(path, typed, lines)
        assert session.keeper is not None
        plain = Plain(session, console, lines)
        with leaving.closing(plain.close):
            leaving.say(f"{session.keeper.path}\nhelp lists the commands")
            for warning in leaving.warnings_of(session):
                leaving.say(f"! {warning}")
            goes_on = plain.run()
        path, typed = None, {}


def _open(path: Path | None, typed: Typed, lines: LineInput) -> Session:
    """
    Open a game, or set up a new one.

    Args:
        path: The file. If it does not exist, a new game is set up there. If `None`, the person is
            asked which game to open, or sets up a new one.
        typed: The known fields of a new game.
        lines: Asks the person.
    """
    if path is not None and path.exists():
        return games.open_session(path)
    kept = games.offered_games(games.games_folder()) if lines.asks else ()
    kept = tuple(game for game in kept if not (game.over or game.dealt))
    asking = opening(path, typed or None, person=lines.asks, kept=kept)
    answer: str | None = None
    while True:
        try:
            question, _ = asking.send(answer)
        except StopIteration as done:
            chosen: NewGame | str = done.value
            break
        answer = lines.choose(question)
    if isinstance(chosen, NewGame):
        return chosen.begin(path or games.fresh_path())
    return games.open_session(Path(chosen))


class Plain:
    """Logs one session line by line, and prints the result of each line on a console."""

    def __init__(self, session: Session, console: Console, lines: LineInput) -> None:
        self.session = session
        self.console = console
        self.lines = lines
        leaves = ("quit", "new") if self.lines.asks else ("quit",)
        self.feed = LoggedGame(session, (*WORDS, *leaves), careful=self.lines.asks, by_line=True)
        self.feed.waiting = self.lines.pasted
        self._question: PendingQuestion | None = None
        self._left_by = ""  # the command that ended the game
        self._before = ""  # `/edit 5 ` while what is typed is for entry 5
        self._anew = False  # whether a line is to be typed before those that wait
        self._sound = True  # whether the log was consistent when news was last printed

    def run(self) -> bool:
        """Answer every line until `quit` or `new` is typed; return whether it was `new`."""
        lines = self.lines
        for before in leaving.take_kept_lines(self.session.keeper) if lines.asks else ():
            self._say(f"not accepted yet: {before}")
        if lines.asks:
            with suppress(ClueError):
                self._say_news(settled=False)
        else:
            self._say_turn()
        while not self._left_by:
            try:
                line = self._next()
                self.handle("/quit" if line is None else line)
            except KeyboardInterrupt:
                if not lines.asks:
                    raise
                self._say(f"\nquit leaves; {leaving.saved_text(self.session)}")
        return self._left_by == "new"

    def close(self, say: leaving.Say = leaving.say) -> bool:
        """
        Close the game, and keep the lines that were typed but not logged.

        Return whether all of the game is in its file. `say` prints messages.
        """
        return self.feed.close(say, self._question.prompt.line if self._question else "")

    def _next(self) -> str | None:
        """Ask for the next line, and return it; `None` at the end of the input."""
        asks = self._question is not None
        anew, self._anew = asks or self._anew, False
        if self.feed.waiting:
            now = f"next: {self.feed.waiting[0].strip()}"
            self._say(f"  {self.feed.waiting_text if anew else now}")
        prompt = "? " if asks else f"{self.feed.prompt(self._before)[0].strip()} "
        line = self.lines.next(prompt, answer=anew)
        return None if line is None else line.strip()

    def handle(self, line: str) -> None:
        """Handle one line; if it is wrong, the error is printed and nothing changes."""
        asked, line = self._question, _MEANT.get(line.casefold(), line)
        if asked is not None:
            chosen = asked.meant(line) if line else asked.prompt.usual
            self._follow(asked.settle(line if chosen is None else chosen), line)
        elif line:
            self._follow(self.feed.handle_text(self._before + line), self._before + line)
        else:
            self._before = ""

    def _follow(self, account: Account, typed: str = "") -> None:
        """Print the result of a typed text, or note the command that ends the game."""
        if account.command is not None and account.command.kind == "leaves":
            self._left_by = account.command.word
            return
        # What happened elsewhere, then here, and what is new as a result.
        if account.outside:
            self._say(f"! {account.outside}")
        if account.logged_at is not None:
            self._say(f"{'! ' if account.clashes else ''}{account.said}")
            self._say_news(settled=account.logged_at == END)
        elif account.changed:
            self._say(f"   {account.said}")
            self._say(f"now {counted(len(self.session.lines), 'entry')}")
            self._say_news(settled=False)
        elif account.said:
            self._say(f"   {account.said}" if account.line else account.said)
        # The reply to a command, or why the text is refused, or what to type instead.
        if account.command is not None:
            try:
                self._print_reply(account.command)
            except ClueError as error:
                self._refuse(self.feed.fault(error, typed), typed)
        elif account.refused is not None:
            self._refuse(account.refused, typed)
        elif account.line and account.question is None and not (account.said or account.changed):
            self._say(f"   {account.line}")
        # What is asked now; a line to be typed again goes before those that wait.
        dropped = self._question is not None and account.question is None and not account.logged_at
        self._before = account.kept if self.lines.asks else ""
        if self._before:
            self._say("   Enter alone leaves the edit")
        self._anew = dropped or account.refused is not None or bool(self._before)
        self._question = account.question
        if account.question is not None:
            self._ask(account.question.prompt)

    def _print_reply(self, said: TypedCommand) -> None:
        """Print the reply to a command that only asks."""
        if outside := self.feed.news().said:
            self._say(f"! {outside}")
        for part in self.feed.replies(said):
            if isinstance(part, str):
                self._say(part)
            else:
                self.console.print(part)

    def _ask(self, prompt: Prompt) -> None:
        """Print a question with its choices, after the reason why the last answer was refused."""
        if prompt.fault and prompt.line:
            self._say(f"not accepted yet (n drops it): {prompt.line}")
        if prompt.fault:
            self._say(f"  {prompt.fault}")
        self._say(f"? {prompt.title}")
        labels = [f"{number} {label}" for number, (label, _) in enumerate(prompt.choices, 1)]
        between = "\n  " if any(len(label) > _LONG for label in labels) else "   "
        self._say(f"  {prompt.hint or between.join(labels)}")

    def _refuse(self, why: TextRemark, line: str) -> None:
        """Print why a text was refused, and before that the line with a mark at the mistake."""
        if why.column is not None:
            widest = min(WIDEST, max(self.console.width - 4, 8))
            self._say(with_caret(line, why.column, widest=widest))
        self._say(f"? {why.text}")

    # News.

    def _say_news(self, *, settled: bool = True) -> None:
        """
        Print the likeliest solutions and the advice, or that the log contradicts itself.

        If `settled`, what the last entry made certain is printed, too.
        """
        report = self.session.game.report()
        if self.session.trouble:
            self._say(f"! not saved: {self.session.trouble}; the game continues in memory")
        was_sound, self._sound = self._sound, report.consistent
        if not report.consistent:
            if was_sound:
                self._print_reply(TypedCommand("check"))
            else:
                still = f"still, {Contradiction(report.conflict)}: check says why"
                self._say(f"! {still}, fix 1 corrects it, undo takes back the last entry")
            self._say_turn()
            return
        if not was_sound:
            self._say("   the log is consistent again")
        for line in settled_lines(report) if settled else ():
            self._say(f"   {line}")
        best = (f"{chance} {', '.join(cards)}" for chance, cards in likeliest(report, _BEST))
        self._say(f"   likeliest: {'; '.join(best)}")
        self._say_turn()
        self._say_advice()

    def _say_advice(self) -> None:
        """
        Print what to do now: on a terminal the full advice, on a pipe the quick one.

        Nothing is printed between pasted lines.
        """
        if self.session.record.finished or self.lines.pasted:
            return
        for thought in self.feed.thoughts(self.session.game):
            advice, text = thought.advice, f"{thought.text} {thought.remark}".rstrip()
            if advice is not None and not (self.lines.asks and thought.first):
                self._say(f"*** {text} ***" if advice.certain else f"   {text}")
                return

    def _say_turn(self) -> None:
        """Print whose turn it is, or how the game ended."""
        if ended := self.session.record.ended:
            over = "the game is over: 'review' goes through it; 'quit' exits"
            over += "; 'new' starts another" if self.lines.asks else ""
            self._say(f"   {sentences.ending_text(ended)}; {over}")
        elif self.session.turn:
            self._say(f"   turn: {self.session.turn}")

    def _say(self, text: str) -> None:
        """Print a text; at a terminal long lines are wrapped and indented."""
        for line in text.split("\n"):
            indent, shown = " " * (len(line) - len(line.lstrip()) + 3), line
            if self.console.is_terminal:
                shown = click.wrap_text(line, self.console.width, subsequent_indent=indent)
            self.console.print(shown, soft_wrap=True)
