"""
The interface without a full screen: a line in, its answer out. For screen readers and pipes.

At a terminal, questions about a doubtful line are asked before it is logged. On a pipe the line is
logged with a warning.
"""

import sys
from contextlib import suppress
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import cast

import click
from rich.console import Console

from clue_solver.answers.display import share
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
from clue_solver.faces.answering import answers_to
from clue_solver.faces.feed import Account, PendingQuestion, TextRemark
from clue_solver.faces.helping import help_text
from clue_solver.faces.line_input import LineInput
from clue_solver.faces.logged import LoggedGame
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.setup import NewGame, Typed, questions
from clue_solver.rules.table import Table
from clue_solver.views import sentences
from clue_solver.views.reports import settled_lines

ANSWERS = """\
You can leave out the / before a word that cannot begin a
line, such as undo. Answer a question with a number, a
name, y or n. After n the doubtful line is not accepted,
and Up brings it back. Another line waits until the
question is answered. Enter alone is not an answer."""

_BEST = 3
_LEAVE = ("quit", "q", "exit")
_NEW = ("new", "new game")


def run(path: Path | None, typed: Typed, console: Console) -> None:
    """
    Run the plain interface: log a game line by line, without a full screen.

    Args:
        path: The game's file; a new game is set up if it does not exist. If left out, the
            unfinished games or a new one are offered.
        typed: What is known about a new game.
        console: Where answers are printed.

    Raises:
        RecordError: If the game is open in another window, was dealt, or cannot be read.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    lines = LineInput(sys.stdin)
    if path is not None and games.game_file(path).exists():
        raise RecordError("the program deals this game: open it without --plain", path=str(path))
    while _play(path, typed, console, lines):
        path, typed = None, {}


def _play(path: Path | None, typed: Typed, console: Console, lines: LineInput) -> bool:
    """Log one game; return whether to begin another. Arguments and errors are those of `run`."""
    last: Table | None = None
    if lines.asks and not typed and not (path and path.exists()):
        path, last = _choose_start(path, lines)
    path = path or games.fresh_path()
    session = games.open_session(path) if path.exists() else _set_up(typed, last, lines).begin(path)
    plain = Plain(session, console, lines)
    with leaving.closing(plain.close):
        leaving.say(f"{path}\nhelp lists the commands")
        for warning in leaving.warnings_of(session):
            leaving.say(f"! {warning}")
        return plain.run()


def _choose_start(path: Path | None, lines: LineInput) -> tuple[Path | None, Table | None]:
    """Ask which game to continue if no path is given, and at which table to begin a new one."""
    offered = () if path else games.offered_games(games.games_folder())
    last = games.last_table()
    kept = [game for game in offered if not (game.over or game.dealt)]
    question = games.starting_question(kept, last)
    if len(question.choices) == 1:
        return path, None
    chosen = lines.choose(question)
    while chosen not in question.values:
        chosen = lines.choose(question._replace(fault=question.fault_of(chosen)))
    if chosen in (games.NEW, games.AGAIN):
        return path, last if chosen == games.AGAIN else None
    return Path(chosen), None


def _set_up(typed: Typed, last: Table | None, lines: LineInput) -> NewGame:
    """Ask how to set up a new game, perhaps at the table of the last one."""
    asking, answer = questions(typed, last, person=lines.asks), None
    while True:
        try:
            question, _ = asking.send(answer)
        except StopIteration as done:
            return cast(NewGame, done.value)
        answer = lines.choose(question)


class Plain:
    """Logs one session line by line, and prints what comes of each line on a console."""

    def __init__(self, session: Session, console: Console, lines: LineInput | None = None) -> None:
        self.session = session
        self.console = console
        self.lines = lines or LineInput(StringIO())
        self.feed = LoggedGame(session, WORDS, careful=self.lines.asks, by_line=True)
        self.feed.waiting = self.lines.pasted
        self._question: PendingQuestion | None = None
        self._anew = False  # whether a line is to be typed before those that wait
        self._sound = True  # whether the log could be true when it was last spoken of

    def run(self) -> bool:
        """Answer every line until `quit` or `new`; return whether it was `new`."""
        lines = self.lines
        for before in leaving.take_kept_lines(self.session.keeper) if lines.asks else ():
            self._say(f"not accepted yet: {before}")
        if lines.asks:
            with suppress(ClueError):
                self._say_news(settled=False)
        else:
            self._say_turn()
        while True:
            try:
                line = self._next()
                word = "quit" if line is None else line.casefold().removeprefix("/")
                if line is None or word in (*_LEAVE, *(_NEW if lines.asks else ())):
                    return word in _NEW
                self.answer(line)
            except KeyboardInterrupt:
                if not lines.asks:
                    raise
                self._say(f"\nquit leaves; {leaving.saved_text(self.session)}")

    def close(self, say: leaving.Say = leaving.say) -> bool:
        """Close the game and say where it is; return whether it is in its file."""
        waits = self._question.prompt.line if self._question is not None else ""
        return self.feed.close(say, (waits, *self.feed.waiting))

    def _next(self) -> str | None:
        asks = self._question is not None
        anew, self._anew = asks or self._anew, False
        if self.feed.waiting:
            now = f"next: {self.feed.waiting[0].strip()}"
            self._say(f"  {self.feed.waiting_text if anew else now}")
        prompt = "? " if asks else f"{len(self.session.lines) + 1}> "
        line = self.lines.next(prompt, answer=anew)
        return None if line is None else line.strip()

    def answer(self, line: str) -> None:
        """Answer one line; if it is wrong, the error is printed and nothing changes."""
        asked = self._question
        if asked is not None:
            chosen = asked.meant(line) if line else asked.prompt.usual
            self._follow(asked.answer(line if chosen is None else chosen), line)
        elif line:
            self._follow(self.feed.handle_text(line), line)

    def _follow(self, account: Account, typed: str = "") -> None:
        """Print what came of a text: a line, an answer or a command."""
        if account.outside:
            self._say(f"! {account.outside}")
        if account.took is not None:
            self._say(f"{'! ' if account.clashes else ''}{account.said}")
            self._say_news(settled=account.took.entry is None)
        elif account.changed:
            self._say(f"   {account.said}")
            self._say(f"now {counted(len(self.session.lines), 'entry')}")
            self._say_news(settled=False)
        elif account.said:
            self._say(f"   {account.said}" if account.line else account.said)
        if account.command is not None:
            try:
                self._answer_command(account.command)
            except ClueError as error:
                self._refuse(self.feed.fault(error, typed), typed)
        elif account.refused is not None:
            self._refuse(account.refused, typed)
        elif account.line and account.question is None and not (account.said or account.changed):
            self._say(f"   {account.line}")
        dropped = self._question is not None and account.question is None and not account.took
        self._anew = dropped or account.refused is not None
        self._question = account.question
        if account.question is not None:
            self._ask(account.question.prompt)

    def _answer_command(self, said: TypedCommand) -> None:
        """Print the answer to a command that only asks; make the first correction of `fix`."""
        if said.word == "help":
            table = self.session.record.table
            self.console.print(help_text(table, (*WORDS, "quit"), keys=False))
            self._say(ANSWERS)
            return
        if said.word == "fix":
            self._follow(self.feed.run(TypedCommand("fix", "1")))
            return
        if outside := self.feed.news().said:
            self._say(f"! {outside}")
        width, ascii_only = self.console.width, self.console.options.ascii_only
        for part in answers_to(self.session.game, said, width=width, ascii_only=ascii_only):
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
        choices = enumerate(prompt.choices, 1)
        ways = "   ".join(f"{number} {label}" for number, (label, _) in choices)
        self._say(f"  {prompt.hint or ways}")

    def _refuse(self, why: TextRemark, line: str) -> None:
        """Print why a line or a command is refused, below the place of the mistake."""
        if why.column is not None:
            widest = min(WIDEST, max(self.console.width - 4, 8))
            self._say(with_caret(line, why.column, widest=widest))
        self._say(f"? {why.text}")

    # News.

    def _say_news(self, *, settled: bool = True) -> None:
        """Print what is new: what was settled, the likeliest solutions, or a contradiction."""
        report = self.session.game.report()
        if self.session.trouble:
            self._say(f"! not saved: {self.session.trouble}; the game continues in memory")
        was_sound, self._sound = self._sound, report.consistent
        if not report.consistent and was_sound:
            self._answer_command(TypedCommand("check"))
        elif not report.consistent:
            still = f"still, {Contradiction(report.conflict)}"
            self._say(
                f"! {still}: check says why, fix 1 corrects it, undo takes back the last entry"
            )
        if not report.consistent:
            self._say_turn()
            return
        if not was_sound:
            self._say("   the log is consistent again")
        for line in settled_lines(report) if settled else ():
            self._say(f"   {line}")
        likeliest_first = report.solutions[:_BEST]
        best = "; ".join(f"{share(chance)} {', '.join(cards)}" for cards, chance in likeliest_first)
        self._say(f"   likeliest: {best}")
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
            if advice is not None and (advice.final or not (self.lines.asks and thought.first)):
                self._say(f"*** {text} ***" if advice.certain else f"   {text}")
                return

    def _say_turn(self) -> None:
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
