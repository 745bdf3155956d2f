"""
The session as lines: one in, its answer out. For plain terminals, screen readers and pipes.

At a terminal what is doubtful is asked before a line is taken. On a pipe nothing waits: the line is
taken with a warning, and the next line may still answer it.
"""

import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import date
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

import click
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from clue_solver.answers.advice import Advice
from clue_solver.answers.corrections import Correction
from clue_solver.answers.display import share
from clue_solver.answers.report import Report
from clue_solver.conversation.changes import Change, Place
from clue_solver.conversation.commands import WORDS, Said, change, said_in
from clue_solver.conversation.dialog import Asking, Dialog, Outcome, in_place
from clue_solver.conversation.doubts import Doubt
from clue_solver.conversation.hands import missing_hand, own_hand
from clue_solver.conversation.session import Session
from clue_solver.errors import (
    WIDEST,
    ArgumentError,
    ClueError,
    Contradiction,
    NotationError,
    RecordError,
    counted,
    pointed,
)
from clue_solver.faces.answering import answered
from clue_solver.faces.games import fresh_path, game_file, games_folder, unfinished_games
from clue_solver.faces.helping import help_text
from clue_solver.faces.leaving import (
    in_file,
    keep_typed,
    kept_typed,
    leave,
    leaving,
    warnings_of,
)
from clue_solver.faces.plain_setup import asked_record, leave_what_follows, wrapped
from clue_solver.faces.setup import Typed
from clue_solver.faces.thoughts import looks, provisional
from clue_solver.notation.names import Names
from clue_solver.record import Entry
from clue_solver.record.files import RecordFile
from clue_solver.views.reports import settled_lines
from clue_solver.views.sentences import (
    HANDLESS,
    done_text,
    ending_text,
    entry_text,
    header_text,
    outside_text,
    remark_on,
)

ANSWERS = """\
/advise --at study --roll 7: from there (--rooms, --dice).
The / may be left out where the word begins no line: undo.
A question is answered by a number, a name, y or n;
n or another line: it is not taken, and Up brings it
back. Enter alone answers nothing."""

_BEST = 3
_LEAVE = ("quit", "q", "exit")


def run(path: Path | None, typed: Typed, console: Console) -> None:
    """
    Log a game on lines.

    Args:
        path: The game's file; one that is not there is set up. Without it the games that have not
            ended are offered, or a new one.
        typed: What is known of a new game.
        console: Where answers go.

    Raises:
        RecordError: If the game is open in another window, was dealt, or cannot be read.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    leave_what_follows()
    if path is not None and game_file(path).exists():
        raise RecordError("the program deals this game: open it without --plain", path=str(path))
    if path is None and not typed:
        path = _unfinished()
    keeper = RecordFile(path or fresh_path(games_folder(), date.today()))
    try:
        new = not keeper.path.exists()
        record = asked_record(keeper.path.parent, typed) if new else keeper.read()
        session = Session(record, keeper=keeper)
    except BaseException:
        keeper.close()
        raise
    with leaving(lambda ask: leave(session, ask=ask)):
        if new:
            session.write_out()
        click.echo(f"{keeper.path}\nhelp lists the commands", err=True)
        for warning in () if new else warnings_of(record.table, keeper):
            click.echo(f"! {warning}", err=True)
        Plain(session, console).run(sys.stdin)


def _unfinished() -> Path | None:
    """Return the game to go on with that somebody chooses."""
    person = sys.stdin.isatty()  # whom Enter brings to the first, as on the full screen
    for game in unfinished_games(games_folder())[: 2 if person else 1]:
        asked = wrapped(f"Go on with {game.line}?", margin=7)
        if click.confirm(asked, default=person, err=True):
            return game.path
    return None


class LineInput:
    """
    Where lines come from: a terminal, which brings earlier ones back, or a pipe.

    Attributes:
        asks: Whether somebody is there to be asked.
        pasted: The lines that were pasted and are not taken yet.
    """

    def __init__(self, stream: TextIO, earlier: Iterable[str]) -> None:
        self.asks = stream.isatty() and stream is sys.stdin
        self.pasted: list[str] = []
        self._stream = stream
        for line in earlier:
            self.recall(line)

    def next(self, prompt: str, *, answer: bool = False) -> str | None:
        """
        Return the next line without its end; `None` after the last, or where nobody types.

        Pasted lines are no `answer` to what is asked: they come after it.
        """
        if not self.asks:
            return next((line.rstrip("\n") for line in self._stream), None)
        if answer or not self.pasted:
            try:
                self.pasted[:0] = input(prompt).splitlines() or [""]
            except (EOFError, OSError):  # the terminal may be gone
                return None
        return self.pasted.pop(0)

    def recall(self, line: str) -> bool:
        """Let Up bring a line back first; return whether there is such a key."""
        if not self.asks or not line:
            return False
        try:
            import readline
        except ImportError:
            return False
        readline.add_history(line)
        return True


class Plain:
    """Answers the lines of one session on a console."""

    def __init__(self, session: Session, console: Console) -> None:
        self.session = session
        self.console = console
        self.dialog = Dialog(session, asks="nothing", hand=True)
        self._input: LineInput | None = None
        self._sound = True  # whether the log could be true when it was last spoken of
        self._clash: tuple[str, ...] = ()  # the lines that were said to contradict each other

    def run(self, stream: TextIO) -> None:
        """Answer each line until `quit` or the last."""
        self._input = LineInput(stream, self.session.lines)
        for before in kept_typed(self.session.keeper) if self._input.asks else ():
            self._say(f"not taken yet: {before}{self._recalled(before)}")
        if self._input.asks:
            self.dialog.asks = "what matters"
            with suppress(ClueError):
                self._say_news(self.session.game.report(), settled=False)
        else:
            self._say_turn()
        while True:
            try:
                asks, waits = self.dialog.open is not None, self.dialog.asking is not None
                if waits and self._input.pasted:
                    self._say(f"  {counted(len(self._input.pasted), 'pasted line')} after it")
                prompt = "? " if asks else f"{self._entries + 1}> "
                line = self._input.next(prompt, answer=waits)
                if line is None or line.strip().casefold().removeprefix("/") in _LEAVE:
                    break
                self.answer(line.strip())
            except KeyboardInterrupt:
                if not self._input.asks:
                    raise
                self._say(f"\nquit leaves; {in_file(self.session)}")
        left = [self.dialog.asking.typed.line] if self.dialog.asking else []
        left = [line for line in (*left, *self._input.pasted) if line.strip()]
        kept = bool(left) and self._input.asks and keep_typed(left, self.session.keeper)
        for line in left:
            self._say(f"! not taken{' yet, and kept with the game' if kept else ''}: {line}")

    def answer(self, line: str) -> None:
        """Answer one line; what is wrong with it is said, and nothing has changed then."""
        dialog = self.dialog
        asking = dialog.asking
        said = said_in(line, dialog) if line else None
        if said is None or dialog.answer_in(line) is not None:
            if line or dialog.open is not None:
                self._follow(dialog.say(line))
            if asking is not None and asking.doubt.kind == "hand" and dialog.asking is None:
                self._go_on(asking)
            return
        if asking is not None and said.word == "undo":
            self._follow(dialog.escape())
            return
        if asking is None or not said.asks:
            left = dialog.leave()
            self._follow(Outcome(line=line, left=left))
        try:
            self._do(said)
        except ClueError as error:
            self._refuse(error, "" if line.startswith("/") else line)
        if asking is not None and asking is dialog.asking:
            self._ask("?", asking.doubt)

    def _go_on(self, asking: Asking) -> None:
        """Do what the question for the hand was asked before, where that is no line."""
        if asking.typed.line.startswith("/"):
            self.answer(asking.typed.line)
        elif not asking.typed.line and own_hand(self.session.record) is None:
            self._decide(self.session.game.report())

    @property
    def _entries(self) -> int:
        return len(self.session.record.entries)

    def _do(self, said: Said) -> None:
        """Do what a command says."""
        said = said._replace(word=Names("command", WORDS).find(said.word))
        asked = None
        if said.word == "advise" and not self.session.record.finished:
            asked = self.dialog.ask_hand(f"/advise {said.rest}".rstrip())
        if asked is not None:
            self._follow(asked)
        elif said.word == "help":
            words = (*WORDS, "quit")
            self.console.print(help_text(self.session.record.table, words, more=True, keys=False))
            self._say(ANSWERS)
        elif said.asks:
            if outside := self.session.poll():
                self._say(f"! {outside_text(outside)}")
            self._look(said)
        elif said.word in ("edit", "insert"):
            self._tell_at(said)
        elif said.word in ("seats", "pieces", "first", "house") and not said.rest:
            self._say(f"   {header_text(said.word, self.session.record.table)}")
        else:
            first = Said("fix", "1") if said == Said("fix") else said
            self._say_changed(said.word, change(self.session, first))

    def _follow(self, outcome: Outcome) -> None:
        """Say what comes of a line or an answer."""
        if (left := outcome.left) is not None and left.typed.line:
            again = in_place(left.typed.line, left.typed.again)
            text = f"! not taken: {again}" if outcome.line else "not taken"
            self._say(f"{text}{self._recalled(again)}")
        if outcome.outside is not None and outcome.outside.aside is None:  # that is news
            self._say(f"! {outside_text(outcome.outside)}")
        for number in outcome.entries:
            self._say_taken(number, outcome)
        if outcome.undone is not None:
            self._say_changed("undo", outcome.undone)
        asked, error = outcome.asked, outcome.error
        if asked is not None and error is not None:
            self._say_unanswered(asked, error)
        elif asked is not None and asked.waits:
            self._ask("?", asked.doubt)
        elif error is not None:
            self._refuse(error, outcome.line, self._meant(outcome.line, error))
        if self.dialog.open is None:
            self.dialog.leave()  # each line says its place

    def _say_taken(self, number: int, outcome: Outcome) -> None:
        """Say an entry that a line became; those before its last are skips, or the hand."""
        last = number == outcome.entries[-1]
        taken = outcome.taken if last else None
        told = taken.told if taken is not None else None
        mark = "! " if last and outcome.clashes else ""
        guess = f"  (if it is {told.guessed}'s turn)" if told and told.guessed else ""
        self._say(f"{mark}{number}  {self.session.lines[number - 1]}{remark_on(told)}{guess}")
        if taken is None:
            return
        if outcome.asked is not None and not outcome.asked.waits:
            self._ask("!", outcome.asked.doubt)
        self._say_news(self.session.game.report(), settled=taken.place.entry is None)

    def _ask(self, mark: str, doubt: Doubt) -> None:
        self._say(f"{mark} {doubt.question}")
        choices = enumerate(doubt.choices, 1)
        ways = "   ".join(f"{number} {choice.label}" for number, choice in choices)
        if doubt.kind == "hand":
            ways = "their names, in short; Enter alone: later"
        if ways:
            self._say(f"  {ways}")

    def _say_unanswered(self, asked: Asking, error: ClueError) -> None:
        """Say what answers a question there are, and ask it once more."""
        doubt = asked.doubt
        if doubt.kind != "hand" and asked.waits:
            takes = "y takes it as it stands, "
            if doubt.yes is None:
                takes = ""
            elif doubt.yes in doubt.choices:
                takes = f"y: {doubt.choices.index(doubt.yes) + 1}, "
            self._say(f"not yet taken ({takes}n drops it): {asked.typed.line}")
        if isinstance(error, NotationError) and error.reason:
            self._say(f"{'?' if doubt.kind == 'hand' else ' '} {error.reason}")
        self._ask("?", doubt)

    def _meant(self, line: str, error: ClueError) -> str:
        """Return what a refused line may be instead: an answer that comes late, or a command."""
        late = self.dialog.late_answer(line) if line else None
        if late is not None and late.place is not None:
            again = in_place(late.lines[0], late.place).removeprefix("/")
            return f"; to add it to entry {late.place.entry}: {again}"
        if line and isinstance(error, NotationError) and not (error.column or error.nearest):
            words = Names("command", (*WORDS, *_LEAVE))
            if near := words.nearest(line.split(maxsplit=1)[0]):
                return f"; did you mean the command '{near[0]}'?"
        return ""

    def _refuse(self, error: ClueError, line: str, more: str = "") -> None:
        """Say why a line or a command is refused, under what was typed of it."""
        if not isinstance(error, NotationError):
            self._say(f"? {error}")
            return
        if line and error.line:
            widest = min(WIDEST, max(self.console.width - 4, 8))
            self._say(pointed(line, error.column, widest=widest))
        self._say(f"? {error.reason}{more}")

    def _say_news(self, report: Report, *, settled: bool = True) -> None:
        """Say what is new: what was settled, the best solutions, or that the log clashes."""
        outside = self.session.outside
        if outside is not None and outside.aside is not None:
            self._say(f"! {outside_text(outside)}")
        if self.session.trouble:
            self._say(f"! not written: {self.session.trouble}; the game goes on in memory")
        was_sound = self._sound
        self._sound = report.consistent
        if not report.consistent:
            self._say_clash(report.conflict)
            likeliest = provisional(self.session.game)
            if likeliest is None:
                return
            self._say("   provisional, as after fix 1:")
            report = likeliest[0]
            settled = False
        elif not was_sound:
            self._say("   the log fits again")
        for line in settled_lines(report) if settled else ():
            self._say(f"   {line}")
        best = "; ".join(
            f"{share(chance)} {', '.join(cards)}" for cards, chance in report.solutions[:_BEST]
        )
        self._say(f"   likeliest: {best}")
        self._say_turn()
        self._decide(report)

    def _say_clash(self, conflict: Sequence[int]) -> None:
        """Say what contradicts itself: all of it once, then that it still does."""
        clash = tuple(self.session.lines[entry - 1] for entry in conflict)
        if clash == self._clash:
            still = f"still, {Contradiction(tuple(conflict))}"
            self._say(f"! {still}: check says why, fix 1 corrects it, undo takes the last back")
        else:
            self._look(Said("check"))
        self._clash = clash

    def _decide(self, report: Report) -> None:
        """
        Say what to do now by quick advice; to a person what a closer look changes of it, too.

        Nothing is said between lines that were pasted.
        """
        person = self._input is not None and self._input.asks
        pasted = self._input is not None and self._input.pasted
        if self.session.record.finished or pasted or not self.session.game.report().consistent:
            return
        own = self.session.turn is not None and self.session.turn == report.table.viewer
        if own and (asked := self.dialog.ask_hand()) is not None:
            self._follow(asked)
            return
        lead = "" if missing_hand(self.session.game) is None else f"{HANDLESS} "
        said: Advice | None = None
        for thought in looks(self.session.game):
            advice = thought.advice
            if advice is None:
                return
            if said is None:
                self._say(f"*** {advice.text} ***" if advice.certain else f"   {lead}{advice.text}")
            elif (advice.kind, advice.cards) != (said.kind, said.cards):
                self._say(f"   Better, on a closer look: {advice.text}")
            said = advice
            if not person:
                return

    def _say_turn(self) -> None:
        if ended := self.session.record.ended:
            over = "the game is over: review goes through it, quit leaves"
            self._say(f"   {ending_text(ended)}; {over}")
        elif self.session.turn:
            self._say(f"   turn: {self.session.turn}")

    def _say_changed(self, word: str, done: Change | Correction) -> None:
        """Say what a command changed; a line that was taken back can be typed anew."""
        back = ""
        table = self.session.record.table
        if word == "undo" and isinstance(done, Change) and done.kind in ("removed", "replaced"):
            assert isinstance(done.before, Entry)
            place = Place(done.entry if done.kind == "replaced" else None)
            back = self._recalled(in_place(entry_text(done.before, table), place))
        self._say(f"   {done_text(word, done, table)}{back}")
        self._say(f"now {counted(self._entries, 'entry')}")
        self._say_news(self.session.game.report(), settled=False)

    def _recalled(self, line: str) -> str:
        """Let Up bring a line back, and return what says so; empty where there is no such key."""
        known = self._input is not None and self._input.recall(line)
        return "  (Up brings the line back)" if known else ""

    def _tell_at(self, said: Said) -> None:
        """Tell a line in the place of an entry, or before it; of an entry alone say what it is."""
        number = said.number
        insert = said.word == "insert"
        if said.line:
            self.dialog.edit(number, insert=insert)
            self._follow(self.dialog.enter(said.line))
        elif insert:
            raise ArgumentError(f"expected a line behind it, as in insert {number} Ann skips")
        else:
            old = entry_text(self.session.entry(number), self.session.record.table)
            again = in_place(old, Place(number))
            self._say(f"   {number}  {old}{self._recalled(again)}")

    def _look(self, said: Said) -> None:
        """Answer a command that only asks."""
        console = self.console
        for answer in answered(
            self.session.game, said, width=console.width, ascii_only=console.options.ascii_only
        ):
            if isinstance(answer, str):
                self._say(answer)
            else:
                console.print(answer)

    def _say(self, text: str) -> None:
        """Say something; on a terminal what is too long for a line goes on under it, indented."""
        for line in text.split("\n"):
            room = self.console.width
            indent = len(line) - len(line.lstrip()) + 3
            if self.console.is_terminal and cell_len(line) > room > 2 * indent:
                first = Text(line).wrap(self.console, room)[0].plain
                self.console.print(first.rstrip())
                for row in Text(line[len(first) :].lstrip()).wrap(self.console, room - indent):
                    self.console.print(" " * indent + row.plain.rstrip())
            else:
                self.console.print(line, soft_wrap=not self.console.is_terminal)
