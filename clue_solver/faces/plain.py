"""
The session as lines: one in, its answer out. For plain terminals, screen readers and pipes.
"""

import shlex
from collections.abc import Callable, Iterable

from rich.console import Console

from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.errors import ArgumentError, ClueError, NotationError, escape, pointed
from clue_solver.notation.names import Names
from clue_solver.session import Session
from clue_solver.views.charts import ASCII, UNICODE
from clue_solver.views.explanations import advice_text, check_text, reason_text
from clue_solver.views.text import settled_lines, sheet

HELP = """\
Type what happens, in full or in short: ann mus wr lou : cat mus
/undo, /redo           take the last change back, do it again
/edit 7 LINE           replace entry 7          /delete 7   take it out
/hands 5,5,4,4         change the hand sizes
/sheet [7]             the whole sheet, as of entry 7        /log   all entries
/best                  the likeliest solutions
/why plum envelope     why a card is where it is, or may be
/check, /fix 1         does the log hold together; make a proposed correction
/suppose ben has rope  what if
/as ben                the sheet through another player's eyes
/show ben plum rope hall   which of your cards to show, and what each would tell
/advise                what to ask next, whether to accuse, who is close
/quit                  leave; every entry is in the file already"""

_BEST = 3


class Plain:
    """Answers the lines of one session on a console."""

    def __init__(self, session: Session, console: Console) -> None:
        self.session, self.console = session, console
        self._commands: dict[str, Callable[[str], None]] = {
            "undo": lambda _: self._step(self.session.undo, "undo"),
            "redo": lambda _: self._step(self.session.redo, "redo"),
            "edit": self._edit, "delete": self._delete, "help": lambda _: self._say(HELP),
            "hands": self._hands, "sheet": self._sheet, "log": self._log, "best": self._best,
            "why": self._why, "check": self._check, "fix": self._fix,
            "show": self._show,
            "advise": lambda _: self.console.print(advice_text(self.session.game.advice(), most=5)),
            "suppose": lambda fact: self._draw_sheet(self.session.game.suppose(fact).report()),
            "as": lambda viewer: self._draw_sheet(self.session.report(viewer=viewer)),
        }  # fmt: skip

    def run(self, lines: Iterable[str]) -> None:
        """Answer each line until `/quit` or the last."""
        self._say_turn()
        for line in lines:
            text = line.strip()
            if text in ("/quit", "/q", "/exit"):
                return
            if text:
                self.answer(text)

    def answer(self, line: str) -> None:
        """Answer one line; what is wrong with it is said, and nothing has changed then."""
        try:
            if line.startswith("/"):
                word, _, rest = line[1:].partition(" ")
                command = Names("command", self._commands).find(word)
                self._commands[command](rest.strip())
            else:
                self._tell(line)
        except NotationError as error:
            if not line.startswith("/"):
                self._say(pointed(line, error.column))
            self._say(f"? {error.reason}")
        except ClueError as error:
            self._say(f"? {error}")

    def _tell(self, line: str) -> None:
        entry = self.session.tell(line)
        self._say(f"{entry}  {self.session.game.lines[-1]}")
        self._say_news(self.session.report())

    def _say_news(self, report: Report, *, settled: bool = True) -> None:
        """Say what is new: what was settled, the best solutions, or that the log clashes."""
        if self.session.trouble:
            self._say(f"! not written: {self.session.trouble}; the game goes on in memory")
        if not report.consistent:
            self._check("")
            return
        for line in settled_lines(report) if settled else ():
            self._say(f"   {line}")
        best = "; ".join(
            f"{_chance(report, chance)} {', '.join(cards)}"
            for cards, chance in report.solutions[:_BEST]
        )
        self._say(f"   {report.bits:.2f} bits left: {best}")
        self._say_turn()

    def _say_turn(self) -> None:
        if self.session.finished:
            self._say("   the game is over; /log shows it, /quit leaves")
        elif self.session.turn:
            self._say(f"   turn: {self.session.turn}")

    def _changed(self) -> None:
        entries = len(self.session.record.entries)
        self._say(f"now {entries} entr{'y' if entries == 1 else 'ies'}")
        self._say_news(self.session.report(), settled=False)

    def _step(self, move: Callable[[], object], word: str) -> None:
        """Undo or redo the last change, if there is one."""
        if move():
            self._changed()
        else:
            self._say(f"? nothing to {word}")

    def _edit(self, rest: str) -> None:
        number, _, line = rest.partition(" ")
        self.session.edit(_number(number, "/edit 7 Ann suggests ..."), line)
        self._changed()

    def _delete(self, rest: str) -> None:
        self.session.delete(_number(rest, "/delete 7"))
        self._changed()

    def _hands(self, rest: str) -> None:
        self.session.set_hands(rest)
        self._changed()

    def _sheet(self, rest: str) -> None:
        upto = _number(rest, "/sheet 7") if rest else None
        self._draw_sheet(self.session.report(upto=upto))

    def _log(self, _: str) -> None:
        for number, line in enumerate(self.session.game.lines, 1):
            self._say(f"{number:>3}  {line}")

    def _best(self, _: str) -> None:
        report = self.session.report()
        for cards, chance in report.solutions[:10]:
            self._say(f"{_chance(report, chance):>5}  {', '.join(cards)}")

    def _why(self, rest: str) -> None:
        try:
            words = shlex.split(rest)
        except ValueError:
            words = rest.split()
        if len(words) < 2:
            raise ArgumentError("expected a card and a holder, such as: /why plum envelope")
        last = NotationError("")
        for cut in range(len(words) - 1, 0, -1):
            try:
                reason = self.session.game.why(" ".join(words[:cut]), " ".join(words[cut:]))
            except NotationError as error:
                last = error
                continue
            self.console.print(reason_text(reason))
            return
        raise last

    def _check(self, _: str) -> None:
        check = self.session.check()
        self.console.print(check_text(check))
        if check.corrections:
            self._say("/fix 1 makes the first correction, /undo takes the last entry back")

    def _fix(self, rest: str) -> None:
        corrections = self.session.check().corrections
        number = _number(rest or "1", "/fix 1")
        if not 1 <= number <= len(corrections):
            raise ArgumentError(f"no correction {number}: there are {len(corrections)}")
        for change in corrections[number - 1].changes:
            self._say(f"   {change.after}")
        self.session.correct(corrections[number - 1])
        self._changed()

    def _show(self, rest: str) -> None:
        choices = self.session.showings(rest)
        if not choices:
            self._say("   you have none of these cards")
        for card, known, bits in choices:
            told = f"seen already, entry {known}" if known else f"tells {max(bits, 0):.2f} bits"
            self._say(f"   {card}: {told}")

    def _draw_sheet(self, report: Report) -> None:
        marks = ASCII if self.console.options.ascii_only else UNICODE
        lines = self.session.game.lines
        self.console.print(sheet(report, lines, width=self.console.width, marks=marks))

    def _say(self, text: str) -> None:
        self.console.print(text, soft_wrap=True)


def _chance(report: Report, chance: float) -> str:
    return f"{percent(chance) if len(report.solutions) > 1 else '100'} %"


def _number(text: str, example: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ArgumentError(f"expected a number, as in {example}; found '{escape(text)}'")
    return int(text)
