"""The one screen at work: telling entries, changing them, and asking the sheet."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from clue_solver.conversation.dialog import (
    Asking,
    EntryDialog,
    Outcome,
    Refused,
    Taken,
    in_place,
)
from clue_solver.conversation.doubts import own_hand, refuse_own
from clue_solver.conversation.history import Change, Outside
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError, printable
from clue_solver.faces.plain import LOOKING, Plain
from clue_solver.faces.tui.entry import (
    Choosing,
    EntryLine,
    History,
    Matches,
    QuestionKeys,
    pointing,
)
from clue_solver.faces.tui.panes import COMMANDS, Correcting, Filling, LogView, Reading
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.faces.tui.table import STEERING, AskingScreen, Looking, Provisional
from clue_solver.notation import Completion, TypedLine, told_as
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


def _takes(word: str, rest: str) -> bool:
    """Whether what is typed behind the word of a command belongs to it."""
    return not rest or word in (*LOOKING, *_CHANGING, "serve")


class PlayScreen(AskingScreen):
    """
    The screen of a game in progress.

    Attributes:
        dialog: What takes the lines; what may be done next is asked of it.
        page: The page beside the screen; `None` where there is none.
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
        self.dialog = EntryDialog(session)
        self.page: Served | None = None
        self._serve, self._starting = serve, Lock()
        self._question: QuestionKeys | None = None
        self._noted: str | None = None  # the line that what is said stands under
        self._wanting = False  # whether corrections are waited for
        self._pasted: list[str] = []
        self._history = History(session.lines)
        self._said = Text()
        self._just_taken = False  # whether Up brings the last line back
        self._given = ""  # the line that was taken back and is there to be told anew

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
        """Take a key that answers, steers or commands; return whether it did."""
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
        recalled = self._history.shows(line.value)
        match key:
            case "enter" if line.value.strip():
                chosen = offered.match
                if offered.picked and chosen is not None:
                    self._type(chosen.line)
                elif self._take(line.value):
                    self._take_pasted()
            case "enter":
                self.action_why()
            case "up" | "down" if recalled or (
                key == "up" and not line.value and (self._just_taken or self.dialog.waiting)
            ):
                self.action_recall(1 if key == "down" else -1)
            case "tab" if line.value:
                self._offer(line.value)
                if offered.match is not None:
                    self._type(offered.match.line)
                elif (mended := self.dialog.typed(line.value).mended) is not None:
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
        if key == "backspace" and question.typed:
            question.typed = question.typed[:-1]
        elif key == "enter":
            answer = self.dialog.answer_in(question.typed)
            if answer == "no":
                self.action_back()
                return True
            if answer is not None:
                if self._follow(self.dialog.answer(answer)):
                    self._take_pasted()
                return True
        elif key == "tab":
            question.complete()
        elif mark is None:
            return False
        elif not question.type(mark):
            begins = mark.isalnum() or mark == "/"
            edits = not begins or line.cursor_position < len(line.value)
            if edits and not question.typed:
                return False
            self._put_off()
            self._type(question.typed + mark)
            return True
        self.say(question.text, passing=False)
        return True

    def _put_off(self) -> None:
        """Let the line that is asked about wait, as another one begins."""
        before = len(self.dialog.waiting)
        self.dialog.put_off()
        self._question = None
        self._history.add(*self.dialog.waiting[before:])
        self._prompt()

    def say(self, text: str | Text, *, passing: bool = True) -> None:
        """Say something under the entry line, and which line was left without its answer."""
        self._said = Text(text) if isinstance(text, str) else text
        if not self.dialog.waiting:
            super().say(self._said, passing=passing)
            return
        waits = printable(self.dialog.waiting[-1], most=200)
        keys = f"{waits}; it waits: Ctrl+Up brings it back, Esc drops it"
        begin = Text.assemble(self._said, "\n") if self._said else Text()
        told = Text.assemble(begin, ("not taken: ", "bold"), keys)
        super().say(told, passing=passing and bool(self._said))

    @property
    def typed(self) -> str:
        """What stands in the entry line."""
        return self.query_one(EntryLine).value

    @property
    def untaken(self) -> tuple[str, ...]:
        """The lines that were typed and not taken, in order."""
        typed = self.typed if self.dialog.place.entry is None else self.dialog.draft
        lines = (*self.dialog.waiting, typed, *self._pasted)
        return tuple(each.strip() for each in lines if each.strip())

    def rest_of(self, line: str) -> str | None:
        """Return the likeliest completion, where it begins as the line does."""
        clashing = self.query_one(Matches).clashing
        for match in self.session.completions(self.dialog.typed(line)):
            begins = match.line[: len(line)].casefold() == line.casefold()
            if begins and match.line not in clashing:
                return match.line
        return None

    def on_input_changed(self, event: Input.Changed) -> None:
        """Offer what the line may become, and say what it means so far."""
        value = event.value
        if event.input.id != "entry" or value != event.input.value:
            return
        if not value:
            self.query_one(Matches).offer(())
            if self.dialog.asking is not None:
                self._put_off()
        if value != self._noted:
            self._question = self._noted = None
            if self.dialog.asking is not None:
                self.dialog.escape()
            self._offer(value)

    def on_paste(self, event: events.Paste) -> None:
        """Type what is pasted at the cursor; of several lines each is told, until one cannot be."""
        line = self.query_one(EntryLine)
        first, *more = event.text.splitlines(keepends=True) or [""]
        self.set_focus(line)
        line.replace(first.rstrip("\r\n"), *line.selection)
        self._pasted = [each for each in more if each.strip()]
        if first.endswith(("\r", "\n")):
            self._pasted.insert(0, line.value + "\n")
            self._take_pasted()

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
            unknown = f"no command {printable(line.strip())}; Ctrl+P lists them all"
            does = f"Enter: {_WORDS[command[0].label[1:]].does}" if command else unknown
            self.say(self._in_its_place(line) or does, passing=False)
            return
        typed = self.dialog.typed(line)
        found = self.session.completions(typed)
        if found != offered.found:
            offered.offer(found)
        ahead = typed.preview
        if ahead.error is not None and not ahead.unfinished:
            late = self.dialog.late(line)
            if late is None:
                self._wrong(ahead.error, passing=False)
            else:
                told = Text.assemble((f"to entry {late.entry}? ", "bold"), late.lines[0])
                self.say(told, passing=False)
        elif ahead.text:
            self.say(self._preview(line), passing=False)
        else:
            self.say("")
        self._look_for_clashes(line, typed.whole)

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
        return told.text and f"{where} -> {printable(told.text, most=500)}"

    def _preview(self, line: str, *, mark: str = "-> ") -> Text:
        """Return what a line says; who asks is marked where that is only guessed."""
        ahead, place = self.dialog.typed(line).preview, self.dialog.place
        text = printable(ahead.text, most=500)
        if place.entry is not None:
            where = f"before {place.entry}" if place.insert else f"{place.entry} becomes"
            mark = f"{where} {mark}"
        if ahead.told is None or ahead.told.guessed is None:
            return Text.assemble((mark, "bold"), text)
        seat = ahead.told.guessed
        return Text.assemble((mark, "bold"), (f"{seat}?", "bold italic"), text.removeprefix(seat))

    def _command(self, line: str) -> tuple[Completion, ...] | None:
        """Return the commands that a line begins with, if it is one; none where it is no such."""
        word, _, rest = line.strip().partition(" ")
        bare = word.removeprefix("/").casefold()
        if word == line.strip() and line.startswith("/"):
            found = [each for each in _WORDS if each.startswith(bare)]
        else:
            found = [bare] * (bare in _WORDS and (line.startswith("/") or _takes(bare, rest)))
        if line.startswith("/") or (found and self.dialog.typed(line).preview.told is None):
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
            self.say(f"expected nothing after /{word}; found '{printable(rest)}'")

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
        else:
            self._edit(int(number), insert=word == "insert")
            if line:
                self._type(line)
                self._take(line)

    def _look_for_clashes(self, line: str, whole: Mapping[str, Observation]) -> None:
        """Look beside the typing which whole lines would contradict the log."""
        place = self.dialog.place
        if place.entry is not None:
            whole = {each: told for each, told in whole.items() if each == line}
        if not whole or self.drawn is None or not self.drawn.consistent:
            return

        def look() -> None:
            worker, clashing = get_current_worker(), set()
            for each, observation in whole.items():
                with self._fitting:
                    if worker.is_cancelled:
                        return
                    if self.dialog.clashes(observation, place):
                        clashing.add(each)
            if clashing and not worker.is_cancelled:
                self.app.call_from_thread(self._mark, line, frozenset(clashing))

        self.run_worker(look, thread=True, exclusive=True, group="clashes")

    def _mark(self, line: str, clashing: frozenset[str]) -> None:
        if line != self.query_one(EntryLine).value or self._question is not None:
            return
        self.query_one(Matches).mark(clashing)
        self.query_one(EntryLine)._suggestion = self.rest_of(line) or ""
        if line in clashing and line != self._noted:  # what Enter has said stays
            self.say(self._preview(line, mark="✗ contradicts the log: "), passing=False)

    def _take(self, text: str) -> bool:
        """Do what a command says, or take a line; return whether it is in the log."""
        if (command := self._command(text)) is None:
            return self._follow(self.dialog.enter(text))
        if command:
            self._history.begin()
            self._type("")
            self.say("")
            self.call_later(self._run, command[0].line)
        return False

    def _follow(self, outcomes: Iterable[Outcome]) -> bool:
        """Show what comes of a line or an answer; return whether it is in the log."""
        taken, outside = False, ""
        for outcome in outcomes:
            match outcome:
                case Outside():
                    outside = f"\n{outside_text(outcome)}"
                case Taken():
                    self._show_taken(outcome, outside)
                    taken = True
                case Asking():
                    self._ask(outcome)
                    taken = False
                case Refused(line=line, error=error):
                    if isinstance(error, NotationError):
                        self._wrong(error)
                    else:
                        self.say(str(error))
                    self._say_left(line)
        return taken

    def _ask(self, asking: Asking) -> None:
        """Show a question about a line, which stands in the entry line."""
        if self.typed != asking.line:
            self._type(asking.line)
        self._prompt()
        self._question = QuestionKeys(self.dialog, asking, width=self.size.width - 2)
        self.say(self._question.text, passing=False)
        self._say_left(asking.line)
        self.query_one(Matches).offer(())
        self.query_one(EntryLine)._suggestion = ""

    def _show_taken(self, taken: Taken, outside: str) -> None:
        """Show that a line is in the log, and make room for the next."""
        entry, sound = taken.entry, self.drawn is None or self.drawn.consistent
        line = taken.told.line
        line = f"{line}  # {taken.told.comment}" if taken.told.comment else line
        self._history.add(line, *self.dialog.waiting)  # what waits is the first to come back
        self._noted = None
        self._type(self.dialog.leave())
        self._changed()
        self._just_taken = True
        done = f"✓ {entry}"
        if self.session.trouble:
            done = "in memory only:"
        elif taken.clashes:
            done = f"✗ {entry} contradicts the log:"
        elif not sound:  # what clashes was there before
            done = f"{entry}, in a log that contradicts itself:"
        elif taken.place.entry is not None:
            done += " is put in:" if taken.place.insert else " is now"
        ended = "\nThe game is over: /review looks back on it." if self.session.finished else ""
        self.say(f"{done} {printable(self.session.lines[entry - 1], most=500)}{ended}{outside}")

    def _take_pasted(self) -> None:
        """Take pasted lines until one is not taken; the last is left to be ended if nothing did."""
        while self._pasted and self.dialog.asking is None:
            text = self._pasted.pop(0)
            line = text.rstrip("\r\n")
            self.query_one(Matches).offer(())
            self._type(line)
            if text == line or not self._take(line):
                return

    def _say_left(self, line: str) -> None:
        """Say which pasted lines wait behind one that was not taken."""
        self._noted = line
        if self._pasted:
            count = f"{len(self._pasted)} more line{'s' * (len(self._pasted) > 1)}"
            self.say(f"{self._said}\n{count} follow{'s' * (len(self._pasted) == 1)} (Esc drops): "
                     f"{self._pasted[0].strip()}", passing=False)  # fmt: skip

    def _wrong(self, error: NotationError, *, passing: bool = True) -> None:
        line = self.query_one(EntryLine)
        column = error.column if error.line else self._place(line.value, error)
        place = line.region.x - 1 + cell_len(line.value[:column]) - line.scroll_offset.x
        reason = error.reason
        if self.query_one(Matches).match is None and self.dialog.typed(line.value).mended:
            reason += " Tab takes it"
        told = pointing(reason, place, max(20, self.size.width - 2))
        self.say(told, passing=passing and not line.value)

    def _place(self, line: str, error: NotationError) -> int:
        """Return where the word begins from which on a line is wrong by what the viewer holds."""
        for word in re.finditer(r"[^\s,:;>]+", line):
            told = self.dialog.typed(line[: word.end()]).preview.observation
            try:
                if told is not None:
                    refuse_own(self.session.record, told)
            except NotationError as found:
                if found.reason == error.reason:
                    return word.start()
        return 0

    def _prompt(self) -> None:
        """Say before the line which entry is typed, and in it whose turn it is."""
        place, turn, line = self.dialog.place, self.session.turn, self.query_one(EntryLine)
        prompt = f"{len(self.session.record.entries) + 1:>2}>"
        if place.entry is not None:
            prompt = f"{'ins' if place.insert else 'edit'} {place.entry}>"
        self.set_class(place.entry is not None, "-editing")
        self.query_one("#prompt", Static).update(prompt, layout=False)
        if place.insert:
            line.placeholder = f"what happened before entry {place.entry}? Esc leaves it out"
        elif place.entry is not None:
            line.placeholder = f"entry {place.entry} again, otherwise; Esc leaves it as it is"
        elif self.session.finished:
            line.placeholder = "the game is over: /review, or Ctrl+Q leaves"
        elif turn is None:
            line.placeholder = "who asks for what? F2 chooses from lists"
        else:
            line.placeholder = f"{turn}? suggests ...  (F2: from lists, ^N: skips)"

    def _changed(self) -> None:
        self.view, self.check, self._question = Looking(), None, None
        if self.dialog.asking is not None:
            self.dialog.escape()
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
        if self.dialog.asking is not None:
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
            self._history.add(line)
        if word == "undo":
            self.say(f"taken back: {undone_text(done, table)}; Ctrl+Y does it again")
        else:
            self.say(f"done again: {redone_text(done, table)}")

    def action_recall(self, step: int) -> None:
        """Bring an earlier line back into the entry line; beyond the last one it is empty."""
        back = self._history.step(step)
        if back is not None:
            self.dialog.take_up(back)
            self._type(back)

    def action_skip(self) -> None:
        """Tell that whose turn it is makes no suggestion."""
        turn = self.session.turn
        if turn is None:
            self.say("whose turn it is does not follow from the log: type who skips")
            return
        self._leave_edit()
        typed = self.typed
        if self._take(f"{turn} skips") and typed:
            self._type(typed)

    def _poll(self) -> None:
        """Take in what another program has written to the file, and say so."""
        before, said = self.session.record, self.session.outside
        outside = self.session.poll()
        if self.session.record is not before and outside is not None:
            self._keep_edit()
            self._done(outside_text(outside))
        elif outside is not None and (said is None or str(outside.error) != str(said.error)):
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
        told = (
            f"{len(now)} {printable(now[-1], most=500)}" if len(now) > len(before) else "a change"
        )
        if now[: len(before)] != tuple(before):
            self._keep_edit()
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
            if chosen is not None:  # what was not heard is left out on purpose
                self._type(told_as(chosen, table, unheard=True).line)

        own = own_hand(self.session.record)
        self.app.push_screen(Choosing(table, self.session.state, own), done)

    def action_insert(self) -> None:
        """Type an entry that was forgotten, before the one that is marked in the log."""
        if (number := self.query_one(LogView).entry) is not None:
            self._edit(number, insert=True)
            self.set_focus(self.query_one(EntryLine))

    def _edit(self, number: int, *, insert: bool = False) -> None:
        self.dialog.edit(number, insert=insert, draft=self.typed)
        self._type(self._entry_text())
        self._prompt()

    def _entry_text(self) -> str:
        """Return what the line has at first: the entry that is edited, or nothing."""
        place = self.dialog.place
        if place.entry is None or place.insert:
            return ""
        return entry_text(self.session.entry(place.entry), self.session.record.table)

    def _keep_edit(self) -> None:
        """Let what was typed in an edit come back, where it is left."""
        if self.dialog.place.entry is not None:
            left = self.typed
            if left.strip() and left != self._entry_text():
                self._history.add(in_place(left, self.dialog.place))

    def _leave_edit(self) -> None:
        """End an edit: what was typed before it stands in the line again."""
        if self.dialog.place.entry is not None:
            self._type(self.dialog.leave())
            self._prompt()

    def action_back(self) -> None:
        """Leave the edit, else the view, else the pane."""
        if self._pasted or self.dialog.asking is not None:
            if self.dialog.asking is not None:
                self.dialog.escape()
            self._question = None
            if self._pasted:
                self._pasted = []
                self.say("the other pasted lines are dropped")
            else:
                self._offer(self.typed)
        elif self.dialog.place.entry is not None:
            self._keep_edit()
            self._leave_edit()
        elif self.dialog.waiting:
            self.dialog.escape()
            self._offer(self.typed)
        elif self.view != Looking():
            self.look(Looking())
            self.say("")
        else:
            self.set_focus(self.query_one(EntryLine))
