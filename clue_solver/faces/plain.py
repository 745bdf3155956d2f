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

from clue_solver.answers.corrections import Correction
from clue_solver.answers.display import share
from clue_solver.conversation.changes import END, Change, LogPlace, OutsideChange
from clue_solver.conversation.commands import WORDS, TypedCommand, change, parse_command
from clue_solver.conversation.dialog import Dialog, Outcome, command_for
from clue_solver.conversation.doubts import Doubt, missing_hand
from clue_solver.conversation.session import Session
from clue_solver.errors import (
    WIDEST,
    ArgumentError,
    ClueError,
    Contradiction,
    NotationError,
    RecordError,
    counted,
    with_caret,
)
from clue_solver.faces import games, leaving
from clue_solver.faces.answering import answers_to
from clue_solver.faces.helping import help_text
from clue_solver.faces.line_input import LineInput, wrap_text
from clue_solver.faces.setup import NewGame, Typed, questions
from clue_solver.faces.thoughts import thoughts_on
from clue_solver.notation.names import Names
from clue_solver.record.files import RecordFile
from clue_solver.views import sentences
from clue_solver.views.reports import settled_lines

ANSWERS = """\
The / may be left out where the word begins no line: undo.
A question is answered by a number, a name, y or n;
n or another line: it is not accepted, and Up brings
it back. Enter alone answers nothing."""

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
    if path is None and not typed:
        path = _unfinished(lines)
    keeper = RecordFile(path or games.fresh_path())
    try:
        new = not keeper.path.exists()
        record = _set_up(typed, lines).record_in(keeper.path.parent) if new else keeper.read()
        session = Session(record, keeper=keeper)
    except BaseException:
        keeper.close()
        raise
    with leaving.leaving(lambda: leaving.leave(session)):
        if new:
            session.write_out()
        click.echo(f"{keeper.path}\nhelp lists the commands", err=True)
        for warning in leaving.warnings_of(record.table, keeper):
            click.echo(f"! {warning}", err=True)
        return Plain(session, console, lines).run()


def _set_up(typed: Typed, lines: LineInput) -> NewGame:
    """Ask how to set up a new game; the table of the last game may be used again."""
    last = games.last_table() if lines.asks and not typed else None
    if last is not None:
        same = f"Same table as last time: {last.edition.title}; {', '.join(last.seats)}?"
        last = last if lines.confirm(same, default=True) else None
    asking, answer = questions(typed, last, person=lines.asks), None
    while True:
        try:
            question, _ = asking.send(answer)
        except StopIteration as done:
            return cast(NewGame, done.value)
        answer = lines.choose(question)


def _unfinished(lines: LineInput) -> Path | None:
    """Return the unfinished game that the person chooses; `None` for a new game."""
    for game in games.unfinished_games(games.games_folder())[: 2 if lines.asks else 1]:
        if lines.confirm(f"{game.line}. Go on with it?", default=lines.asks):
            return game.path
    return None


class Plain:
    """Logs one session line by line, and prints the answers on a console."""

    def __init__(self, session: Session, console: Console, lines: LineInput | None = None) -> None:
        self.session = session
        self.console = console
        self.lines = lines or LineInput(StringIO())
        self.dialog = Dialog(session, careful=self.lines.asks, hand=True)
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
                    break
                self.answer(line)
            except KeyboardInterrupt:
                if not lines.asks:
                    raise
                self._say(f"\nquit leaves; {leaving.saved_text(self.session)}")
        waits = self.dialog.pending.text if self.dialog.doubt else ""
        typed = (waits, *lines.pasted)
        left = [each for each in typed if each.strip()]
        kept = bool(left) and lines.asks and leaving.keep_lines(left, self.session.keeper)
        for each in left:
            self._say(f"! not accepted{' yet, but kept with the game' if kept else ''}: {each}")
        return word in _NEW

    def _next(self) -> str | None:
        waits = self.dialog.doubt is not None
        if waits and self.lines.pasted:
            self._say(f"  {counted(len(self.lines.pasted), 'pasted line')} after it")
        prompt = "? " if waits else f"{self._entries + 1}> "
        line = self.lines.next(prompt, answer=waits)
        return None if line is None else line.strip()

    def answer(self, line: str) -> None:
        """Answer one line; if it is wrong, the error is printed and nothing changes."""
        dialog = self.dialog
        doubt = dialog.doubt
        said = parse_command(line, dialog) if line else None
        if said is None or dialog.answer_in(line) is not None:
            if line or doubt is not None:
                self._follow(dialog.say(line))
            return
        if doubt is not None and said.word == "undo":
            self._follow(Outcome(left=dialog.leave(anew=True)))
            return
        if doubt is None or not said.asks:
            self._follow(Outcome(line=line, left=dialog.leave()))
        try:
            self._run_command(said)
        except ClueError as error:
            self._refuse(error, "" if line.startswith("/") else line)
        if doubt is not None and doubt is dialog.doubt:
            self._ask(doubt)

    @property
    def _entries(self) -> int:
        return len(self.session.record.entries)

    # Commands.

    def _run_command(self, said: TypedCommand) -> None:
        """Carry out a command."""
        word = Names("command", WORDS).find(said.word)
        said = said._replace(word=word)
        table = self.session.record.table
        if word == "help":
            self.console.print(help_text(table, (*WORDS, "quit"), more=True, keys=False))
            self._say(ANSWERS)
        elif said.asks:
            self._say_outside(self.session.poll())
            self._print_answer(said)
        elif word in ("edit", "insert"):
            self._enter_at(said)
        elif word in ("seats", "pieces", "first", "house") and not said.rest:
            self._say(f"   {sentences.header_text(word, table)}")
        else:
            first = TypedCommand("fix", "1") if said == TypedCommand("fix") else said
            self._say_changed(word, change(self.session, first))

    def _enter_at(self, said: TypedCommand) -> None:
        """Replace an entry, or insert a line before it; without a line, print the entry."""
        number = said.number
        if said.line:
            self.session.entry(number)
            place = LogPlace(number, insert=said.word == "insert")
            self._follow(self.dialog.enter(said.line, place))
        elif said.word == "insert":
            raise ArgumentError(f"expected a line after it, as in insert {number} Ann skips")
        else:
            old = sentences.entry_text(self.session.entry(number), self.session.record.table)
            self._say(f"   {number}  {old}")

    def _print_answer(self, said: TypedCommand) -> None:
        """Print the answer to a command that only answers."""
        width, ascii_only = self.console.width, self.console.options.ascii_only
        for part in answers_to(self.session.game, said, width=width, ascii_only=ascii_only):
            if isinstance(part, str):
                self._say(part)
            else:
                self.console.print(part)

    def _say_changed(self, word: str, done: Change | Correction) -> None:
        """Print what a command changed."""
        self._say(f"   {sentences.done_text(word, done, self.session.record.table)}")
        self._say(f"now {counted(self._entries, 'entry')}")
        self._say_news(settled=False)

    # Lines and doubts.

    def _follow(self, outcome: Outcome) -> None:
        """Print the outcome of a line or an answer."""
        if (left := outcome.left) is not None and left.text:
            again = command_for(left.text, left.place)
            self._say(f"! not accepted: {again}" if outcome.line else "not accepted")
        if outcome.outside is not None and outcome.outside.aside is None:  # that is news
            self._say_outside(outcome.outside)
        for number in outcome.entries:
            self._say_taken(number, outcome)
        doubt, error = outcome.doubt, outcome.error
        if doubt is not None and error is not None:
            self._say_unanswered(doubt, error)
        elif doubt is not None:
            self._ask(doubt)
        elif error is not None:
            self._refuse(error, outcome.line, self._guess_meant(outcome, error))

    def _say_taken(self, number: int, outcome: Outcome) -> None:
        """Print a logged entry, with all remarks if it is the last of its line."""
        line, taken = self.session.lines[number - 1], outcome.taken
        if taken is None or number != outcome.entries[-1]:
            self._say(f"{number}  {line}")
            return
        mark = "! " if outcome.clashes else ""
        guess = f"  (if it is {taken.guessed}'s turn)" if taken.guessed else ""
        self._say(f"{mark}{number}  {line}{sentences.remark_on(taken)}{guess}")
        if outcome.warning is not None:
            self._say(f"! {outcome.warning.text}")
        self._say_news(settled=outcome.place.entry is None)

    def _ask(self, doubt: Doubt) -> None:
        self._say(f"? {doubt.text}")
        choices = enumerate(doubt.choices, 1)
        ways = "   ".join(f"{number} {choice.label}" for number, choice in choices)
        if doubt.kind == "hand":
            ways = "their names (abbreviations will do); or just press Enter to give them later"
        if ways:
            self._say(f"  {ways}")

    def _say_unanswered(self, doubt: Doubt, error: ClueError) -> None:
        """Print what a doubt can be answered with, and ask it again."""
        if doubt.kind != "hand":
            self._say(f"not yet taken (n drops it): {self.dialog.pending.text}")
        if isinstance(error, NotationError) and error.reason:
            self._say(f"{'?' if doubt.kind == 'hand' else ' '} {error.reason}")
        self._ask(doubt)

    def _guess_meant(self, outcome: Outcome, error: ClueError) -> str:
        """Return what a refused line may have been: a late answer, or a misspelt command."""
        line = outcome.line
        late = self.dialog.late_answer(line) if line and outcome.place == END else None
        if late is not None:
            told, place = late
            again = command_for(told.line, place).removeprefix("/")
            return f"; to add it to entry {place.entry}: {again}"
        if line and isinstance(error, NotationError) and not (error.column or error.nearest):
            words = Names("command", (*WORDS, *_LEAVE))
            if near := words.nearest(line.split(maxsplit=1)[0]):
                return f"; did you mean the command '{near[0]}'?"
        return ""

    def _refuse(self, error: ClueError, line: str, more: str = "") -> None:
        """Print why a line or a command is refused, below the place of the mistake."""
        if isinstance(error, NotationError):
            if line and error.line:
                widest = min(WIDEST, max(self.console.width - 4, 8))
                self._say(with_caret(line, error.column, widest=widest))
            self._say(f"? {error.reason}{more}")
        else:
            self._say(f"? {error}")

    # News.

    def _say_outside(self, outside: OutsideChange | None) -> None:
        """Print what another program changed in the file."""
        if outside is not None:
            self._say(f"! {sentences.outside_text(outside)}")

    def _say_news(self, *, settled: bool = True) -> None:
        """Print what is new: what was settled, the likeliest solutions, or a contradiction."""
        report = self.session.game.report()
        outside = self.session.outside
        self._say_outside(outside if outside is not None and outside.aside is not None else None)
        if self.session.trouble:
            self._say(f"! not written: {self.session.trouble}; the game goes on in memory")
        was_sound, self._sound = self._sound, report.consistent
        if not report.consistent and was_sound:
            self._print_answer(TypedCommand("check"))
        elif not report.consistent:
            still = f"still, {Contradiction(report.conflict)}"
            self._say(f"! {still}: check says why, fix 1 corrects it, undo takes the last back")
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
        lead = "" if missing_hand(self.session.game) is None else f"{sentences.HANDLESS} "
        for thought in thoughts_on(self.session.game):
            advice = thought.advice
            if advice is not None and (advice.final or not (self.lines.asks and thought.first)):
                self._say(f"*** {advice.text} ***" if advice.certain else f"   {lead}{advice.text}")
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
            indent = len(line) - len(line.lstrip()) + 3
            shown = (
                wrap_text(line, self.console.width, indent) if self.console.is_terminal else line
            )
            self.console.print(shown, soft_wrap=True)
