"""The one screen at work: telling entries, changing them, and asking the sheet."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from io import StringIO
from textwrap import wrap
from threading import Lock
from typing import Any, ClassVar, Protocol, cast

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList, Static
from textual.worker import get_current_worker

from clue_solver.answers.corrections import Check
from clue_solver.conversation.doubts import Doubt, DoubtChoice, own_hand, refuse_own, whose_turn
from clue_solver.conversation.session import Change, Session
from clue_solver.errors import ArgumentError, ClueError, NotationError, escape
from clue_solver.faces.plain import LOOKING, Plain
from clue_solver.faces.tui.entry import Choosing, EntryLine, Matches, OpenDoubt, pointing
from clue_solver.faces.tui.panes import COMMANDS, Correcting, Filling, LogView, Reading
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.faces.tui.table import STEERING, AskingScreen, Looking, Provisional
from clue_solver.notation import Completion, Told, TypedLine, format_line, split_comment
from clue_solver.record import Entry
from clue_solver.rules.observations import Observation
from clue_solver.views.sentences import (
    entry_text,
    outside_text,
    redone_text,
    sizes_text,
    undone_text,
)

_WORDS = {each.word: each for each in COMMANDS}
_CHANGING = ("edit", "insert", "delete", "hands", "seats", "fix")
"""The words that change the game where more is typed behind them."""


_SERVED = "Whoever has this address keeps the log with you. The page ends with this screen."
_NOBODY_ELSE = " It is for this machine alone; /serve 0.0.0.0 lets the phones of this network in."


class Served(Protocol):
    """
    The game as a page beside the screen.

    Attributes:
        host: Where it is listened.
        address, code: Where the page is; its QR code in rows of block letters, light on dark.
    """

    host: str

    @property
    def address(self) -> str: ...

    @property
    def code(self) -> str: ...

    def changed(self) -> None:
        """Let the page show what was changed here."""

    def end(self) -> None:
        """Serve it no more."""


Serving = Callable[[Session, str, Callable[[Callable[[], Any]], Any]], Served]
"""Serves a session at a host; what its pages change is done by what is given last."""


def _amends(line: str, waiting: str) -> bool:
    """
    Whether a line that was taken says what one that waits was to say, itself or put right.

    >>> _amends("tom rev kit study: eva", "tom rev kit hall: eva")
    True
    >>> _amends("eva rev kit study: max", "tom mus rope hall: eva")
    False
    """
    return SequenceMatcher(None, line.casefold(), waiting.casefold(), autojunk=False).ratio() > 0.7


def _takes(word: str, rest: str) -> bool:
    """Whether what is typed behind the word of a command belongs to it."""
    return not rest or word in (*LOOKING, *_CHANGING, "serve")


class PlayScreen(AskingScreen):
    """
    The screen of a game in progress.

    Attributes:
        editing: The number of the entry to be replaced; `None` where a new one is typed.
        inserting: Whether the line is to be put in before that entry instead.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(each.keys, each.action, each.label, show=bool(each.label))
            for each in COMMANDS
            if each.keys and each.action != "app.turn_light"
        ),
        Binding("shift+tab", "pane(-1)", show=False),
        Binding("insert", "begin('insert')", show=False),
        Binding("ctrl+down,alt+down", "recall(1)", show=False),
    ]

    def __init__(self, session: Session, *, serve: Serving | None = None) -> None:
        super().__init__(session)
        self.page: Served | None = None
        self._serve, self._starting = serve, Lock()
        self.editing: int | None = None
        self.inserting = False
        self._draft = ""
        self._typed = self._type_of("")
        self._question: OpenDoubt | None = None
        self._noted: str | None = None  # the line that what is said stands under
        self._wanting = False  # whether corrections are waited for
        self._pasted: list[str] = []
        self._earlier = list(session.lines)
        self._recalled: int | None = None
        self._waiting_lines: list[str] = []  # those whose question was not answered
        self._said = Text()
        self._just_taken, self._clashed, self._given = False, False, ""
        self._left_out = False  # whether the line before was left without an answer
        self._sound = True

    def on_mount(self) -> None:
        """Draw what there is, and say whose turn it is."""
        super().on_mount()
        self._prompt()
        self.set_interval(1, self._poll)

    def on_screen_resume(self) -> None:
        """Ask again what was asked before something else was read."""
        if self._question is not None:
            self.say(self._question.text, passing=False)

    def take_key(self, key: str, mark: str | None) -> bool:
        """Take a key that answers, steers or commands; whether it did."""
        line = self.query_one(EntryLine)
        if self._passing:
            self.say("")
            self._wanting = False
            if self._question is None:
                self._offer(line.value)
            else:
                self.say(self._question.text, passing=False)
        if self.focused is line:
            return self._answered_by(key, mark) or self._entry_key(line, key, mark)
        commands = "wi[]?" if isinstance(self.focused, SheetView) else "[]? "
        if mark is None or mark in commands:
            return False
        if self.check is not None and mark in "123456789":
            self._correct_by(mark)
            return True
        self.set_focus(line)
        return False

    def _entry_key(self, line: EntryLine, key: str, mark: str | None) -> bool:
        """Take Enter, Tab and the arrows, and where nothing is typed yet the one-key commands."""
        offered = self.query_one(Matches)
        recalled = self._recalled is not None and line.value == self._earlier[self._recalled]
        match key:
            case "enter" if line.value.strip():
                chosen = offered.match
                if offered.picked and chosen is not None:
                    self._type(chosen.line)
                else:
                    self._take(line.value)
            case "enter":
                self.action_why()
            case "up" | "down" if recalled or (
                key == "up" and not line.value and (self._just_taken or self._waiting_lines)
            ):
                self.action_recall(1 if key == "down" else -1)
            case "tab" if line.value:
                self._offer(line.value)
                if offered.match is not None:
                    self._type(offered.match.line)
                elif (mended := self._reading(line.value).mended) is not None:
                    self._type(mended)
            case "up" | "down" if line.value:
                offered.choose(1 if key == "down" else -1)
            case _ if line.value:
                return False
            case "up" | "down" | "left" | "right" | "pageup" | "pagedown":
                self._just_taken = False
                self.query_one(SheetView).action_move(*STEERING[key])
            case "question_mark":
                self.action_help()
            case "left_square_bracket" | "right_square_bracket":
                self.action_as_of(-1 if key.startswith("left") else 1)
            case _ if mark is not None and mark in "123456789" and self.check is not None:
                self._correct_by(mark)
            case _:
                return False
        return True

    def _answered_by(self, key: str, mark: str | None) -> bool:
        """Take a key that answers the question under the line; what answers nothing is a line."""
        question, line = self._question, self.query_one(EntryLine)
        if question is None or question.line != line.value:
            return False
        answer = None
        if key == "backspace" and question.typed:
            question.typed = question.typed[:-1]
        elif key == "enter":
            answer = question.named()
        elif key == "tab":
            question.complete()
        elif mark is None:
            return False
        elif not question.type(mark):
            begins = mark.isalnum() or mark == "/"
            edits = not begins or line.cursor_position < len(line.value)
            if edits and not question.typed:
                return False
            self._put_off(question.line, question.typed + mark)
            return True
        match answer:
            case None:
                self.say(question.text, passing=False)
            case "yes":
                self._take(question.line)
            case "no":
                self.action_back()
            case DoubtChoice():
                self._choose(question, answer)
        return True

    def _put_off(self, line: str, typed: str) -> None:
        """Begin another line with what answers no question; the line that is asked about waits."""
        if self.editing is not None:
            self._waiting_lines += [self._draft] * bool(self._draft)
        self._leave(line)
        self._left_out = True
        if self.editing is not None:
            self.editing, self.inserting, self._draft = None, False, ""
            self._prompt()
        self._type(typed)

    def _leave(self, line: str) -> None:
        """Let a line wait whose question was not answered, with the number that it corrects."""
        self._question, self._recalled = None, None
        line = self._in_place(line)
        self._waiting_lines.append(line)
        self._earlier.append(line)

    def say(self, text: str | Text, *, passing: bool = True) -> None:
        """Say something under the entry line, and which line was left without its answer."""
        self._said = Text(text) if isinstance(text, str) else text
        if not self._waiting_lines:
            super().say(self._said, passing=passing)
            return
        waits = escape(self._waiting_lines[-1], most=200)
        keys = f"{waits}; it waits: Ctrl+Up brings it back, Esc drops it"
        begin = Text.assemble(self._said, "\n" * bool(self._said))
        told = Text.assemble(begin, ("not taken: ", "bold"), keys)
        super().say(told, passing=passing and bool(self._said))

    @property
    def typed(self) -> str:
        """What stands in the entry line."""
        return self.query_one(EntryLine).value

    @property
    def untaken(self) -> tuple[str, ...]:
        """The lines that were typed and not taken, in order."""
        edited = self.editing is not None
        typed = (self._draft if edited else self.query_one(EntryLine).value, *self._pasted)
        return tuple(each.strip() for each in (*self._waiting_lines, *typed) if each.strip())

    def _choose(self, question: OpenDoubt, choice: DoubtChoice) -> None:
        """Tell the lines of a choice; what else is doubtful about the last one is asked."""
        *before, last = choice.lines
        if choice.stands:
            self._take(question.line)
            return
        if (number := choice.entry or choice.before) is not None:
            self._question = None
            self._edit(number, insert=choice.before is not None)
            self._draft = ""  # the line goes into the entry
        for each in before:
            self._told(each)
        if before:  # the line stands as it is, and what is still doubtful about it is asked
            self._type(question.line)
            self._question = question
            self._take(question.line)
        else:
            self._question = None
            comment = split_comment(question.line)[1]
            self._pasted.insert(0, f"{last}  # {comment}\n" if comment else f"{last}\n")
            self._next_pasted()

    def rest_of(self, line: str) -> str | None:
        """Return the likeliest completion, where it begins as the line does."""
        clashing = self.query_one(Matches).clashing
        for match in self.session.completions(self._reading(line)):
            begins = match.line[: len(line)].casefold() == line.casefold()
            if begins and match.line not in clashing:
                return match.line
        return None

    def on_input_changed(self, event: Input.Changed) -> None:
        """Offer what the line may become, and say what it means so far."""
        now = event.input.id == "entry" and event.value == event.input.value
        if now and not event.value:
            self.query_one(Matches).offer(())
            if self._question is not None:
                self._leave(self._question.line)
        if now and event.value != self._noted:
            self._question = self._noted = None
            self._offer(event.value)

    def on_paste(self, event: events.Paste) -> None:
        """Type what is pasted at the cursor; of several lines each is told, until one cannot be."""
        event.stop()
        line = self.query_one(EntryLine)
        first, *more = event.text.splitlines(keepends=True) or [""]
        self.set_focus(line)
        line.replace(first.rstrip("\r\n"), *line.selection)
        self._pasted = [each for each in more if each.strip()]
        if first.endswith(("\r", "\n")):
            self._pasted.insert(0, line.value + "\n")
            self._next_pasted()

    def _reading(self, line: str) -> TypedLine:
        """Return the line as it is read where it is typed; the last one asked for is kept."""
        last, now = self._typed, self._type_of(line)
        if (last.line, last.table, last.state) != (now.line, now.table, now.state):
            self._typed = now
        return self._typed

    def _type_of(self, line: str) -> TypedLine:
        session = self.session
        state = session.state if self.editing is None else session.state_before(self.editing)
        return TypedLine(line, session.record.table, state)

    def _offer(self, line: str) -> None:
        offered = self.query_one(Matches)
        if not line.strip():
            offered.offer(())
            self._prompt()
            if line or not self._passing:  # what was said of a line goes with the line
                self.say("")
            return
        if (command := self._command(line)) is not None:
            offered.offer(command)
            unknown = f"no command {escape(line.strip())}; Ctrl+P lists them all"
            does = f"Enter: {_WORDS[command[0].label[1:]].does}" if command else unknown
            self.say(self._in_its_place(line) or does, passing=False)
            return
        typed = self._reading(line)
        found = self.session.completions(typed)
        if found != offered.found:
            offered.offer(found)
        ahead = typed.preview
        if ahead.error is not None and not ahead.unfinished:
            late = self._late(ahead.error)
            if late is None:
                self._wrong(ahead.error, passing=False)
            else:
                (add,) = late.choices
                self.say(Text.assemble((f"to entry {add.entry}? ", "bold"), add.lines[0]),
                         passing=False)  # fmt: skip
        elif ahead.text:
            self.say(self._preview(line), passing=False)
        else:
            self.say("")
        whole = typed.whole
        if self.editing is not None:
            whole = {each: told for each, told in whole.items() if each == line}
        if whole:
            self.run_worker(
                lambda: self._clashes(line, whole), thread=True, exclusive=True, group="clashes"
            )

    def _in_its_place(self, line: str) -> str:
        """Return what a line says that is typed behind `/edit 7` or `/insert 7`; empty if none."""
        found = re.fullmatch(r"\s*/?(edit|insert) ([0-9]{1,6}) (.*\S.*)", line, re.IGNORECASE)
        if found is None or not 0 < (number := int(found[2])) <= len(self.session.lines):
            return ""
        where = f"{number} becomes" if found[1].casefold() == "edit" else f"before {number}"
        table, state = self.session.record.table, self.session.state_before(number)
        told = TypedLine(found[3].strip(), table, state).preview
        if told.error is not None and not told.unfinished:
            return told.error.reason
        return told.text and f"{where} -> {escape(told.text, most=500)}"

    def _preview(self, line: str, *, mark: str = "-> ") -> Text:
        """Return what a line says; who asks is marked where that is only guessed."""
        text = escape(self._reading(line).preview.text, most=500)
        typed = self._reading(line)
        if self.editing is not None:
            where = f"before {self.editing}" if self.inserting else f"{self.editing} becomes"
            mark = f"{where} {mark}"
        seat = typed.preview.told.guessed if typed.preview.told else None
        rest = text.removeprefix(seat) if seat is not None else text
        guess = f"{seat}?" if seat is not None else ""
        return Text.assemble((mark, "bold"), (guess, "bold italic"), rest)

    def _command(self, line: str) -> tuple[Completion, ...] | None:
        """Return the commands that a line begins with, if it is one; none where it is no such."""
        word, _, rest = line.strip().partition(" ")
        bare = word.removeprefix("/").casefold()
        if word == line.strip() and line.startswith("/"):
            found = [each for each in _WORDS if each.startswith(bare)]
        else:
            found = [bare] * (bare in _WORDS and (line.startswith("/") or _takes(bare, rest)))
        if line.startswith("/") or (found and self._reading(line).preview.observation is None):
            return tuple(
                Completion(line=f"/{each} {rest}".rstrip(), label=f"/{each}", kind="word",
                           whole=True)
                for each in sorted(found, key=lambda each: each != bare)
            )  # fmt: skip
        return None

    async def _run(self, line: str) -> None:
        """Do what a word typed in the line, or chosen in the palette, says."""
        word, _, rest = line.strip().removeprefix("/").partition(" ")
        if not rest:
            await self.run_action(_WORDS[word].action)
        elif word == "serve":
            self.action_serve(rest)
        elif word in _CHANGING:
            try:
                self._change(word, rest)
            except ClueError as error:
                self.say(str(error))
        elif word in LOOKING:
            self.action_tell(word, rest)
        else:
            self._type(f"/{word} {rest}")
            self._noted = f"/{word} {rest}"
            self.say(f"expected nothing after /{word}; found '{escape(rest)}'")

    def action_begin(self, word: str) -> None:
        """Type a command that needs more than its word."""
        self._type(f"/{word} ")
        self._noted = f"/{word} "
        self.say(f"go on: /{word} {_WORDS[word].rest}", passing=False)

    def action_tell(self, word: str, rest: str = "") -> None:
        """Open what a word of the line mode answers, to read."""
        console = Console(file=StringIO(), width=max(20, min(92, self.size.width - 8)))
        plain = Plain(self.session, console)

        def answer() -> Text:
            plain.answer(f"/{word} {rest}".rstrip())
            return Text.from_ansi(cast(StringIO, console.file).getvalue())

        self.ask(f"/{word} {rest}".rstrip(), answer)

    def _change(self, word: str, rest: str) -> None:
        """Change the game as a word typed in the line says."""
        if word in ("hands", "seats"):
            (self.session.set_hands if word == "hands" else self.session.set_seats)(rest)
            self._done(f"{'hand sizes' if word == 'hands' else 'players'}: {rest}")
            return
        number, _, line = rest.partition(" ")
        if not (number.isascii() and number.isdigit()):
            raise ArgumentError(f"expected a number, as in /{word} 7", argument=word)
        if word == "fix":
            self._correct(int(number))
        elif word == "delete":
            self._delete(int(number))
        elif 0 < int(number) <= len(self.session.lines):
            self._edit(int(number), insert=word == "insert")
            if line:
                self._type(line)
                self._take(line)
        else:
            self.say(f"no entry {number}: the log has {len(self.session.lines)}")

    def _clashes(self, line: str, whole: Mapping[str, Observation]) -> None:
        """Find what would contradict the log, in a thread of its own."""
        worker, editing = get_current_worker(), self.editing
        clashing = set()
        for each, observation in whole.items():
            with self._fitting:
                if worker.is_cancelled:
                    return
                if self._contradicts(observation, editing):
                    clashing.add(each)
        if clashing and not worker.is_cancelled:
            self.app.call_from_thread(self._mark, line, frozenset(clashing))

    def _contradicts(self, told: Observation, editing: int | None) -> bool:
        """Return whether a line would contradict a log that does not contradict itself so far."""
        if editing is None:
            known = self.drawn is not None and self.drawn.consistent
            return known and self.session.clashes(told)
        try:
            doubts = self.session.doubts(told, editing=editing, insert=self.inserting)
            return any(each.kind == "clash" for each in doubts)
        except ClueError:
            return False

    def _mark(self, line: str, clashing: frozenset[str]) -> None:
        if line != self.query_one(EntryLine).value or self._question is not None:
            return
        self.query_one(Matches).mark(clashing)
        self.query_one(EntryLine)._suggestion = self.rest_of(line) or ""
        if line in clashing and line != self._noted:  # what Enter has said stays
            self.say(self._preview(line, mark="✗ contradicts the log: "), passing=False)

    def _take(self, text: str) -> None:
        """Tell the line, ask what is doubtful about it, or say what is wrong while it stays."""
        if (command := self._command(text)) is not None:
            if command:
                self._recalled = None
                self._type("")
                self.say("")
                self.call_later(self._run, command[0].line)
            return
        asked, changed = self._question, "put in:" if self.inserting else "now"
        changed = f" is {changed}" if self.editing is not None else ""
        try:
            known = asked is not None and asked.line == text
            doubts = asked.doubts[1:] if asked is not None and known else self._doubts(text)
            if doubts:
                self._question = OpenDoubt(
                    text, doubts, lambda line: self._type_of(line).preview,
                    width=self.size.width - 2,
                )  # fmt: skip
                self.say(self._question.text, passing=False)
                self._say_left(text)
                self.query_one(Matches).offer(())
                self.query_one(EntryLine)._suggestion = ""
                return
            number = self._told(text)
        except NotationError as error:
            self._wrong(error)
            self._say_left(text)
        except ClueError as error:
            self.say(str(error))
            self._say_left(text)
        else:
            line = escape(self.session.lines[number - 1], most=500)
            mark = f"✗ {number} contradicts the log:" if self._clashed else f"✓ {number}"
            mark += changed * (not self._clashed)
            if not (self._clashed or self._sound):  # what clashes was there before
                mark = f"{number}, in a log that contradicts itself:"
            done = "in memory only:" if self.session.trouble else mark
            ended = "\nThe game is over: /review looks back on it." * self.session.finished
            outside = ""
            if self.session.outside is not None:
                outside = f"\n{outside_text(self.session.outside)}"
            self.say(f"{done} {line}{ended}{outside}")
            self._next_pasted()

    def _doubts(self, text: str) -> list[Doubt]:
        """Return what is doubtful about a line."""
        self._sound = self.drawn is None or self.drawn.consistent
        try:
            told = self._read(text)
        except NotationError as error:
            lacking = self.session.lacking(error, editing=self.editing)
            if (lacking := lacking or self._late(error)) is None:
                raise
            return [lacking]
        found = self.session.doubts(told, editing=self.editing, insert=self.inserting)
        self._clashed = any(each.kind == "clash" for each in found)
        if not self._left_out or self.editing is not None:
            return list(found)
        return [*found, *([] if told.guessed is None else [whose_turn(told)])]

    def _late(self, error: NotationError) -> Doubt | None:
        """Return the question whether a line that is none by itself belongs to the last entry."""
        return self.session.late(error) if self.editing is None else None

    def _next_pasted(self) -> None:
        """Take the next pasted line; the last one is left to be ended, where nothing ended it."""
        while self._pasted and self._question is None:
            text = self._pasted.pop(0)
            line = text.rstrip("\r\n")
            self.query_one(Matches).offer(())
            self._type(line)
            if text != line:
                self._question = None
                self._take(line)
                return

    def _say_left(self, line: str) -> None:
        """Say which pasted lines wait behind one that was not taken."""
        self._noted = line
        if self._pasted:
            count = f"{len(self._pasted)} more line{'s' * (len(self._pasted) > 1)}"
            self.say(f"{self._said}\n{count} follow{'s' * (len(self._pasted) == 1)} (Esc drops): "
                     f"{self._pasted[0].strip()}", passing=False)  # fmt: skip

    def _read(self, text: str) -> Told:
        ahead = self._reading(text).preview
        if ahead.error is not None:
            raise ahead.error
        return ahead.told or self.session.read(text)  # none: no line

    def _told(self, text: str) -> int:
        """Add the entry of a line, or put it in the place of the one that is edited."""
        told, comment = self._read(text).observation, split_comment(text)[1]
        if self.editing is None:
            number = self.session.append(told, comment=comment)
        else:
            number = self.editing
            change = self.session.insert if self.inserting else self.session.replace
            change(number, told, comment=comment)
        self._waiting_lines = [each for each in self._waiting_lines if not _amends(text, each)]
        self._earlier += [text, *self._waiting_lines]  # what waits is the first to come back
        self._noted, self._recalled, self._left_out = None, None, False
        self._type_draft()
        self._changed()
        self._just_taken = True
        return number

    def _wrong(self, error: NotationError, *, passing: bool = True) -> None:
        line = self.query_one(EntryLine)
        column = error.column if error.line else self._place(line.value, error)
        place = line.region.x - 1 + cell_len(line.value[:column]) - line.scroll_offset.x
        reason = error.reason
        if self.query_one(Matches).match is None and self._reading(line.value).mended is not None:
            reason += " Tab takes it"
        told = pointing(reason, place, max(20, self.size.width - 2))
        self.say(told, passing=passing and not line.value)

    def _place(self, line: str, error: NotationError) -> int:
        """Return where the word begins from which on a line is wrong by what the viewer holds."""
        table, state = self._reading(line).table, self._reading(line).state
        for word in re.finditer(r"[^\s,:;>]+", line):
            told = TypedLine(line[: word.end()], table, state).preview.observation
            try:
                if told is not None:
                    refuse_own(self.session.record, told)
            except NotationError as found:
                if found.reason == error.reason:
                    return word.start()
        return 0

    def _prompt(self) -> None:
        """Say before the line which entry is typed, and in it whose turn it is."""
        number = len(self.session.record.entries) + 1
        edits = self.editing is not None
        word = "ins" if self.inserting else "edit"
        prompt = f"{word} {self.editing}>" if edits else f"{number:>2}>"
        self.set_class(edits, "-editing")
        self.query_one("#prompt", Static).update(prompt, layout=False)
        turn = self.session.turn
        self.query_one(EntryLine).placeholder = (
            f"what happened before entry {self.editing}? Esc leaves it out"
            if self.inserting
            else f"entry {self.editing} again, otherwise; Esc leaves it as it is"
            if edits
            else "the game is over: /review, or Ctrl+Q leaves"
            if self.session.finished
            else "who asks for what? F2 chooses from lists"
            if turn is None
            else f"{turn}? suggests ...  (F2: from lists, ^N: skips)"
        )

    def _changed(self) -> None:
        self.view, self.check, self._question = Looking(), None, None
        self._prompt()
        self.refresh_all()
        if self.page is not None:
            self.page.changed()

    def _done(self, said: str) -> None:
        """Show the game after a change, and say what was done."""
        self._leave_edit()
        self._changed()
        self.say(said)

    def action_undo(self) -> None:
        """Take back what was done last: a question, else a change."""
        if self._question is not None:
            self.action_back()
        else:
            self._step(self.session.undo, "undo")

    def action_redo(self) -> None:
        self._step(self.session.redo, "do again")

    def _step(self, go: Callable[[], Change | None], word: str) -> None:
        """Undo or redo the last change; a line that is taken back is there to be told anew."""
        try:
            done = go()
        except ClueError as error:
            self._done(str(error))
            return
        if done is None:
            self.say(f"nothing to {word}")
            return
        table, value = self.session.record.table, self.query_one(EntryLine).value
        line = entry_text(done.before, table) if isinstance(done.before, Entry) else ""
        self._done("")
        if value in ("", self._given):
            back = word == "undo" and done.kind == "removed" and done.after is None
            self._given = line if back else ""
            self._type(self._given)
            self._offer(self._given)
            self._noted = self._given
        elif line and done.kind != "added":
            self._earlier.append(line)
        if word == "undo":
            self.say(f"taken back: {undone_text(done, table)}; Ctrl+Y does it again")
        else:
            self.say(f"done again: {redone_text(done, table)}")

    def action_recall(self, step: int) -> None:
        """Bring an earlier line back into the entry line; beyond the last one it is empty."""
        place = (len(self._earlier) if self._recalled is None else self._recalled) + step
        if 0 <= place < len(self._earlier):
            back = self._earlier[place]
            self._waiting_lines = [each for each in self._waiting_lines if each != back]
            self._type(back)
            self._recalled = place
        elif place >= len(self._earlier):
            self._type("")
            self._recalled = None

    def action_skip(self) -> None:
        """Tell that whose turn it is makes no suggestion."""
        turn, line = self.session.turn, self.query_one(EntryLine)
        if turn is None:
            self.say("whose turn it is does not follow from the log: type who skips")
            return
        self._leave_edit()
        typed = line.value
        self._take(f"{turn} skips")
        if typed:
            self._type(typed)

    def _poll(self) -> None:
        """Take in what another program has written to the file, and say so."""
        before, said = self.session.record, self.session.outside
        outside = self.session.poll()
        if outside is None:
            return
        if self.session.record is not before:
            if self.editing is not None:
                self._earlier.append(self.query_one(EntryLine).value)
            self._done(outside_text(outside))
        elif said is None or outside_text(outside) != outside_text(said):
            self.say(outside_text(outside))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Edit an entry of the log, or make a correction."""
        if event.option_list.id == "log":
            self._edit(event.option_index + 1)
        elif event.option_list.id == "corrections":
            self._correct(event.option_index + 1)

    def action_delete(self) -> None:
        if (number := self.query_one(LogView).entry) is not None:
            self._delete(number)

    def _delete(self, number: int) -> None:
        try:
            self.session.delete(number)
        except ClueError as error:
            self.say(str(error))
        else:
            self._done(f"entry {number} taken out; Ctrl+Z brings it back")

    def action_hands(self) -> None:
        table = self.session.record.table
        sizes = sizes_text(table)
        names = ", ".join(table.seats)
        title = f"Cards in each hand, of {table.dealt}: {names}\n(? for one unknown; empty for all)"

        self.app.push_screen(Filling(title, sizes, self.session.set_hands), self._filled)

    def action_seats(self) -> None:
        title = "Players, clockwise: other names, or another order"
        names = ", ".join(self.session.record.table.seats)
        self.app.push_screen(Filling(title, names, self.session.set_seats), self._filled)

    def _filled(self, changed: bool | None) -> None:
        if changed:
            self._changed()

    def action_corrections(self, typed: str = "") -> None:
        """Open the corrections to choose from, once they are found."""
        if self.drawn is None or self.drawn.consistent:
            self.say("nothing to correct: the log is consistent")
        elif self.check is None:
            self._wanting = True
            self.say("still looking for corrections ...")
        elif not self.check.corrections:
            self.say("no correction is found: edit or delete an entry, or undo")
        else:
            self.app.push_screen(Correcting(self.check, typed), self._correct)

    def _mend(self, view: Looking, check: Check, likeliest: Provisional) -> None:
        super()._mend(view, check, likeliest)
        if self._wanting and self.check is check and self.app.screen is self:
            self.say("")
            self.action_corrections()
        self._wanting = False

    def _correct_by(self, mark: str) -> None:
        """Make the correction of a number, or where it may go on, open them all with it marked."""
        if self.check is not None and len(self.check.corrections) >= 10 * int(mark):
            self.action_corrections(mark)
        else:
            self._correct(int(mark))

    def _correct(self, number: int | None) -> None:
        """Make a correction, if one was chosen."""
        if number is None:
            return
        if self.drawn is None or self.drawn.consistent:
            self.say("nothing to correct: the log is consistent")
        elif self.check is None:
            self.say("still looking for corrections ...")
        elif not 1 <= number <= len(self.check.corrections):
            self.say(f"no correction {number}: there are {len(self.check.corrections)}")
        else:
            correction = self.check.corrections[number - 1]
            try:
                self.session.correct(correction)
            except ClueError as error:
                self.say(str(error))
                return
            told = "; ".join(
                f"{f'entry {each.entry}' if each.entry else 'header'} corrected: {each.after}"
                for each in correction.changes
            )
            self._done(f"{told} (Ctrl+Z takes it back)")
            self.set_focus(self.query_one(EntryLine))

    def action_serve(self, host: str = "") -> None:
        """Serve the game as a page beside this screen, and show its address; again where it is."""
        serve, before = self._serve, self.typed

        def begin() -> None:
            try:
                if serve is None:
                    raise ArgumentError("no page can be served from here: clue-solver serve does")
                with self._starting:
                    if self.page is not None and host not in ("", self.page.host):
                        self.page.end()
                        self.page = None
                    if self.page is None:
                        self.page = serve(self.session, host or "127.0.0.1", self._change_beside)
                    alone = _NOBODY_ELSE * self.page.address.startswith("http://127.")
                    code = Text(self.page.code, "#ffffff on #000000")
                    words = Text("\n".join(wrap(_SERVED + alone, 30)))
                    shown = Reading(self.page.address, Columns([code, words], padding=(0, 2)))
            except ClueError as error:
                self.call_later(self._refused, str(error))
            else:
                self.call_later(self._answered, before, "the page", shown, None)

        self.say("opening the page ...")
        self.run_worker(begin, thread=True, group="page")

    def _change_beside(self, change: Callable[[], Any]) -> Any:
        """Make a change that a page asks for in the thread of this screen, and say what it was."""

        def changed() -> Any:
            before, lines = self.session.record, self.session.lines
            try:
                return change()
            finally:
                if self.session.record is not before:
                    self._show_change(lines)

        return self.app.call_from_thread(changed)

    def _show_change(self, before: Sequence[str]) -> None:
        """Show what was changed on a page, and leave the line as it is; an edit only if it may."""
        now = self.session.lines
        told = f"{len(now)} {escape(now[-1], most=500)}" if len(now) > len(before) else "a change"
        if now[: len(before)] != tuple(before) and self.editing is not None:
            self._earlier.append(self.query_one(EntryLine).value)
            self._leave_edit()
        self._changed()
        self.say(f"from the page: {told}; entries: {len(now)}")

    def on_unmount(self) -> None:
        """End the page with the screen."""
        if self.page is not None:
            self.page.end()

    def action_choose(self) -> None:
        table = self.session.record.table

        def done(chosen: Observation | None) -> None:
            if chosen is not None:
                line = format_line(chosen, table)
                with suppress(ClueError):  # what cannot be is said where it is typed
                    doubts = self.session.doubts(
                        chosen, editing=self.editing, insert=self.inserting
                    )
                    unheard = (each.choices[-1] for each in doubts if each.kind == "no answers")
                    line = next((each.lines[-1] for each in unheard), line)  # as it was chosen
                self._type(line)

        own = own_hand(self.session.record)
        self.app.push_screen(Choosing(table, self.session.state, own), done)

    def action_insert(self) -> None:
        """Type an entry that was forgotten, before the one that is marked in the log."""
        if (number := self.query_one(LogView).entry) is not None:
            self._edit(number, insert=True)
            self.set_focus(self.query_one(EntryLine))

    def _edit(self, number: int, *, insert: bool = False) -> None:
        line = self.query_one(EntryLine)
        if self.editing is None:
            self._draft = line.value
        self.editing, self.inserting = number, insert
        self._type(self._entry_text(number))
        self._prompt()

    def _in_place(self, line: str) -> str:
        """Return a line with the command that tells it where it is typed now."""
        word = "insert" if self.inserting else "edit"
        return line if self.editing is None else f"/{word} {self.editing} {line}"

    def _entry_text(self, number: int) -> str:
        """Return what the line has at first where an entry is edited; nothing where one is new."""
        if self.inserting:
            return ""
        return entry_text(self.session.record.entries[number - 1], self.session.record.table)

    def _leave_edit(self) -> None:
        if self.editing is not None:
            self._type_draft()
            self._prompt()

    def _type_draft(self) -> None:
        """End an edit: what was typed before it stands in the line again."""
        self.editing, self.inserting, draft, self._draft = None, False, self._draft, ""
        self._type(draft)

    def action_back(self) -> None:
        """Leave the edit, else the view, else the pane."""
        if self._pasted:
            self._pasted, self._question = [], None
            self.say("the other pasted lines are dropped")
        elif self._question is not None:
            self._question = None
            self._offer(self.query_one(EntryLine).value)
        elif self.editing is not None:
            left = self.query_one(EntryLine).value
            if left.strip() and left != self._entry_text(self.editing):
                self._earlier.append(self._in_place(left))
            self._leave_edit()
        elif self._waiting_lines:
            self._waiting_lines.clear()
            self._offer(self.query_one(EntryLine).value)
        elif self.view != Looking():
            self.look(Looking())
            self.say("")
        else:
            self.set_focus(self.query_one(EntryLine))
