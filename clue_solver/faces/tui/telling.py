"""The line where entries are told: what it may become, what it means so far, what it is asked."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import cast

from rich.cells import cell_len
from rich.text import Text
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from clue_solver.conversation.changes import Place
from clue_solver.conversation.commands import COMMAND, Said, said_in
from clue_solver.conversation.dialog import Asking, Dialog, Outcome, in_place
from clue_solver.conversation.questions import own_refusal
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError, printable
from clue_solver.faces.tui.entry import EntryLine, Matches, QuestionKeys, Recalled, pointing
from clue_solver.faces.tui.table import TableScreen
from clue_solver.notation import Completion, TypedLine
from clue_solver.rules.observations import Observation
from clue_solver.views.sentences import (
    done_text,
    entry_text,
    outside_text,
    sorted_text,
)


class TellingLine(EntryLine):
    """
    The entry line of a game in progress.

    Attributes:
        dialog: What takes the lines; what may be done next is asked of it.
        question: What is asked about the line, and how the answer begins; `None` if nothing is.
        left: The line that was left without its answer last; empty if none is.
        draft: What was typed before an edit began.
        noted: The line that what is said stands under: it is not replaced by what the line means.
        pasted: The lines that wait behind this one.
        recalled: The lines that keys bring back.
        just_taken: Whether Up brings the last line back.
        given: The line that was taken back and is there to be told anew.
        taken: What was typed, by the entry as it stands in the log.
    """

    def __init__(
        self,
        dialog: Dialog,
        *,
        run: Callable[[Said], object],
        changed: Callable[[], None],
    ) -> None:
        """
        Begin with nothing typed.

        Args:
            dialog: What takes the lines.
            run: Does what a command says.
            changed: Shows the game after a change.
        """
        super().__init__(self.rest_of, id="entry")
        self.dialog = dialog
        self.question: QuestionKeys | None = None
        self.left, self.draft = "", ""
        self.noted: str | None = None
        self.pasted: list[str] = []
        self.recalled = Recalled(dialog.session.lines)
        self.just_taken, self.given = False, ""
        self._blamed = "", "", 0  # by the own hand: why a line is wrong, up to and from where
        self.taken: dict[str, str] = {}
        self._pointed: tuple[str, NotationError | None] = ("", None)
        self._pointing = Text()
        self._run = run
        self._changed = changed

    @property
    def session(self) -> Session:
        """The game."""
        return self.dialog.session

    @property
    def table(self) -> TableScreen:
        """The screen that it stands on."""
        return cast(TableScreen, self.screen)

    @property
    def matches(self) -> Matches:
        """What the line may become."""
        return self.screen.query_one(Matches)

    @property
    def untaken(self) -> tuple[str, ...]:
        """The lines that were typed and not taken, in order."""
        typed = self.value if self.dialog.place.entry is None else self.draft
        lines = (self.left, typed, *self.pasted)
        return tuple(line.strip() for line in lines if line.strip())

    @property
    def known(self) -> str:
        """The line, where it was brought back and not changed since."""
        back = self.recalled.shows(self.value) or self.value == self.given
        return self.value.strip() if back else ""

    @property
    def waits(self) -> Text:
        """What to say of the line that was left, and which keys bring it back or forget it."""
        if not self.left or self.session.finished:
            return Text()
        line = printable(self.left, most=200)
        keys = "Ctrl+Up brings it back" + (", Esc forgets it" if not self.value else "")
        return Text.assemble(("not taken: ", "bold"), f"{line} ({keys})")

    def rest_of(self, line: str) -> str | None:
        """Return the likeliest completion, where it begins as the line does."""
        clashing = self.matches.clashing
        for match in self.session.completions(self.dialog.typed(line)):
            begins = match.line[: len(line)].casefold() == line.casefold()
            if begins and match.line not in clashing:
                return match.line
        return None

    # Keys.

    def take_key(self, key: str, mark: str | None) -> bool:
        """Take a key that answers, tells, completes or recalls; return whether it did."""
        if self._answered_by(key, mark):
            return True
        offered = self.matches
        match key:
            case "enter" if self.value.strip():
                chosen = offered.match
                if offered.picked and chosen is not None:
                    self.write(chosen.line)
                elif self.take(self.value):
                    self._take_pasted()
            case "up" | "down" if self.recalled.shows(self.value) or (
                key == "up" and not self.value and (self.just_taken or self.left)
            ):
                self.recall(1 if key == "down" else -1)
            case "tab" if self.value:
                self.offer()
                if offered.match is not None:
                    self.write(offered.match.line)
                elif (mended := self.dialog.typed(self.value).mended) is not None:
                    self.write(mended)
            case "up" | "down" if self.value:
                offered.choose(1 if key == "down" else -1)
            case _:
                return False
        return True

    def _answered_by(self, key: str, mark: str | None) -> bool:
        """Take a key that answers the question under the line; what answers nothing is a line."""
        question = self.question
        if question is None or question.line != self.value:
            return False
        if key == "backspace" and question.typed:
            question.typed = question.typed[:-1]
        elif key == "enter":
            answer = self.dialog.answer_in(question.typed)
            if answer == "no":
                question.typed = ""
                self.drop()
                return True
            if answer is not None:
                if self.follow(self.dialog.answer(answer)) or not self.value:
                    self._take_pasted()
                self._go_on(question)
                return True
            if question.doubt.kind == "hand" and question.tells:  # a line was meant
                self._leave_question()
                self.write(question.typed)
                self.take(question.typed)
                return True
        elif key == "tab":
            question.complete()
        elif mark is None:
            return False
        elif not question.type(mark):
            begins = mark.isalnum() or mark == "/"
            edits = not begins or self.cursor_position < len(self.value)
            if edits and not question.typed:
                return False
            self._leave_question()
            self.write(question.typed + mark)
            return True
        self.say_again()
        return True

    def _go_on(self, question: QuestionKeys) -> None:
        """Do the command before which the hand was asked for, or forget that it was."""
        if question.doubt.kind != "hand" or self.dialog.asking is not None:
            return
        if self.question is question:  # nothing was told
            self.question = None
            self.offer()
        if question.line.startswith("/"):
            self.take(question.line)

    def recall(self, step: int) -> None:
        """Bring an earlier line back, for what is typed; behind all it is empty."""
        typed = "" if self.known else self.value.strip()
        back = self.recalled.step(step, in_place(typed, self.dialog.place) if typed else "")
        if back is not None:
            if back == self.left:
                self.left = ""
            self.write(back)

    def give(self, line: str, *, anew: bool, known: bool) -> None:
        """Let a line that was taken back be told anew, or else come back if it is not known."""
        line = self.taken.get(line, line)
        if self.value in ("", self.given):
            self.given = line if anew else ""
            self.write(self.given)
            self.offer()
            self.noted = self.given
        elif line and known:
            self.recalled.add(line)

    def paste(self, text: str) -> None:
        """Type what is pasted at the cursor; of several lines each is told, until one cannot be."""
        first, *more = text.splitlines(keepends=True) or [""]
        self.screen.set_focus(self)
        self.replace(first.rstrip("\r\n"), *self.selection)
        self.pasted = [line for line in more if line.strip()]
        if first.endswith(("\r", "\n")):
            self.pasted.insert(0, self.value + "\n")
            self._take_pasted()

    def drop(self) -> bool:
        """
        Leave what is begun as an answer, else what is asked and the lines pasted behind it.

        Returns:
            Whether there was any of it.
        """
        if not self.pasted and self.dialog.asking is None:
            return False
        if self.question is not None and self.question.typed:
            self.question.typed = ""
            self.say_again()
            return True
        if self.dialog.asking is not None:
            self.dialog.escape()
        self.question = None
        if self.pasted:
            self.pasted = []
            self.table.say("the other pasted lines are left out")
        else:
            self.offer()
        return True

    # What is said of the line while it is typed.

    def on_input_changed(self, event: Input.Changed) -> None:
        """Offer what the line may become, and say what it means so far."""
        value = event.value
        if value != self.value:
            return
        if not value:
            self.matches.offer(())
            if self.dialog.asking is not None and self.dialog.asking.line:
                self._leave_question()
        if value != self.noted:
            self.question = self.noted = None
            if self.dialog.asking is not None:
                self.dialog.escape()
            self.offer()

    def say_again(self) -> None:
        """Say what is asked, or else what the line means, once something else was said."""
        if self.question is None:
            self.offer()
        else:
            self.table.say(self.question.text, passing=False)

    def offer(self) -> None:
        """Offer what the line may become, and say what it means so far."""
        line, say = self.value, self.table.say
        if not line.strip():
            self.matches.offer(())
            self.prompt()
            if line or not self.table.passing:  # what was said of a line goes with the line
                say("")
            return
        if (said := said_in(line, self.dialog, COMMAND)) is not None:
            commands = _commands(said)
            self.matches.offer(commands)
            say(_command_text(said, line, commands, self.session), passing=False)
            return
        typed = self.dialog.typed(line)
        completions = self.session.completions(typed)
        if completions != self.matches.found:
            self.matches.offer(completions)
        ahead = typed.preview
        if ahead.error is not None and not ahead.unfinished:
            late = self.dialog.late(line)
            if late is None and self.dialog.takes_back(line):
                say("Enter does it", passing=False)
            elif late is None:
                self._wrong(self.dialog.fault(ahead.error, line), passing=False)
            else:
                number = late.place.entry if late.place is not None else None
                text = Text.assemble((f"to entry {number}? ", "bold"), late.lines[0])
                say(text, passing=False)
        elif ahead.observation is not None:
            error = own_refusal(self.session.record, ahead.observation)
            if error is not None:
                self._wrong(error, passing=False)
                return
            say(_meaning(line, self.dialog), passing=False)
        else:
            say("")
        self._look_for_clashes(line, typed.whole)

    def _look_for_clashes(self, line: str, whole: Mapping[str, Observation]) -> None:
        """Look beside the typing which whole lines would contradict the log."""
        place, drawn, fitting = self.dialog.place, self.table.drawn, self.table.fitting
        if place.entry is not None:
            whole = {line: whole[line]} if line in whole else {}
        if not whole or drawn is None or not drawn.consistent:
            return

        def look() -> None:
            clashing = _clashing(whole, self.dialog, place, fitting)
            if clashing:
                self.app.call_from_thread(self._mark, line, clashing)

        self.screen.run_worker(look, thread=True, exclusive=True, group="clashes")

    def _mark(self, line: str, clashing: frozenset[str]) -> None:
        if line != self.value or self.question is not None:
            return
        self.matches.mark(clashing)
        self._suggestion = self.rest_of(line) or ""
        if line in clashing and line != self.noted:  # what Enter has said stays
            mark = "✗ contradicts the log: "
            self.table.say(_meaning(line, self.dialog, mark=mark), passing=False)

    def _column_of(self, error: NotationError, line: str) -> int:
        """Return where the word begins from which on a line is wrong by what the viewer holds."""
        reason, upto, column = self._blamed
        if reason == error.reason and line.startswith(upto):
            return column
        words = [*re.finditer(r"[^\s,:;>]+", line)]
        while len(words) > 1:
            before = self.dialog.typed(line[: words[-2].end()]).preview.observation
            earlier = None if before is None else own_refusal(self.session.record, before)
            if earlier is None or earlier.reason != error.reason:
                break
            words.pop()
        wrong = words[-1]
        self._blamed = error.reason, line[: wrong.end()], wrong.start()
        return wrong.start()

    def _wrong(self, error: ClueError, *, passing: bool = True) -> None:
        line = self.value
        if not isinstance(error, NotationError):
            self.table.say(str(error))
            return
        column = error.column if error.line else self._column_of(error, line)
        left = self.screen.query_one("#note").region.x + 1
        place = cell_len(line[:column]) - self.scroll_offset.x
        if place >= 0:
            place += self.region.x - left
        self._pointed = line, error
        reason = error.reason
        if self.matches.match is None and self.dialog.typed(line).mended:
            reason += " Tab takes it"
        self._pointing = pointing(reason, place, max(20, self.table.columns - 2))
        self.table.say(self._pointing, passing=passing and not line)

    def watch_scroll_x(self, before: float, now: float) -> None:
        """Point at the same word, where the line is scrolled."""
        super().watch_scroll_x(before, now)
        self._point_again()

    def on_resize(self) -> None:
        """Fit what is said of the line to the new width."""
        super().on_resize()
        if self.question is not None:
            self.question.fit(*self._room)
            self.say_again()
        self._point_again()

    @property
    def _room(self) -> tuple[int, int]:
        """The columns and rows that there are for a question."""
        return self.table.columns - 2, self.table.noted

    def _point_again(self) -> None:
        """Point at what is wrong once more, where that is what was said last."""
        line, error = self._pointed
        if error is not None and line == self.value and self.table.said is self._pointing:
            self._wrong(error, passing=self.table.passing)

    def prompt(self) -> None:
        """Say before the line which entry is typed, and in it whose turn it is."""
        place = self.dialog.place
        prompt = self.screen.query_one("#prompt", Static)
        prompt.set_class(place.entry is not None, "-editing")
        prompt.update(_prompt(self.session, place), layout=False)
        self.placeholder = _placeholder(self.session, place)

    # What comes of a line.

    def take(self, text: str) -> bool:
        """Do what a command says, or take a line; return whether it is in the log."""
        if (said := said_in(text, self.dialog, COMMAND)) is None:
            return self.follow(self.dialog.enter(text))
        commands = _commands(said)
        if commands:
            self.recalled.begin()
            self.write("")
            self.table.say("")
            self.screen.call_later(self._run, said._replace(word=commands[0].label[1:]))
        return False

    def follow(self, outcome: Outcome) -> bool:
        """Show what comes of a line or an answer; return whether it is in the log."""
        outside = "" if outcome.outside is None else f"\n{outside_text(outcome.outside)}"
        if outcome.left is not None and outcome.line:
            self._show_left(outcome.left)
        if outcome.entries:
            self._show_taken(outcome, outside)
        if outcome.asked is not None:
            self._ask(outcome.asked)
        elif outcome.error is not None:
            self._wrong(outcome.error)
            self._say_left(outcome.line)
        elif outcome.changed is not None:
            done, table = outcome.changed, self.session.record.table
            if done.kind == "seats":
                self._show_done(f"{done_text('seats', done, table)}; Ctrl+Z undoes it")
            else:
                self._show_done(done_text("undo", done, table))
        elif outcome.left is not None and not outcome.line:
            self._show_done("left out")
        return bool(outcome.entries) and outcome.asked is None

    def _show_done(self, text: str) -> None:
        """Say what a line did that tells nothing of the game."""
        self.recalled.add(self.value)
        self._write_next()
        self._changed()
        self.table.say(text)

    def _ask(self, asking: Asking) -> None:
        """Show a question about a line, which stands in the entry line."""
        if self.value != asking.line:
            self.write(asking.line)
        self.prompt()
        self.question = QuestionKeys(self.dialog, asking, width=0)
        self.question.fit(*self._room)
        self.table.say(self.question.text, passing=False)
        self._say_left(asking.line)
        self.matches.offer(())
        self._suggestion = ""

    def _leave_question(self) -> None:
        """Leave the line that is asked about, as another one begins."""
        left = self.dialog.leave()
        self.question = None
        if left is not None and left.line and not left.line.startswith("/"):
            self._show_left(left)
        self.prompt()

    def _show_left(self, left: Asking) -> None:
        """Let a line that was left come back by a key."""
        self.left = in_place(left.line, left.place)
        self.recalled.add(*filter(None, (self.draft, self.left)))
        self.draft = ""

    def _show_taken(self, outcome: Outcome, outside: str) -> None:
        """Show that a line is in the log, and make room for the next."""
        sound = self.table.drawn is None or self.table.drawn.consistent
        record, told = self.session.record, outcome.told
        line = outcome.line
        if told is not None:
            line = f"{told.line}  # {told.comment}" if told.comment else told.line
        self.taken[entry_text(record.entries[outcome.entries[-1] - 1], record.table)] = line
        if self.left == line:
            self.left = ""
        self.recalled.add(*filter(None, (line, self.left)))  # what was left comes back first
        self.noted = None
        self._write_next()
        self._changed()
        self.just_taken = True
        self.table.say(_taken_text(outcome, self.session, sound) + outside)

    def _take_pasted(self) -> None:
        """Take pasted lines until one is not taken; the last is left to be ended if nothing did."""
        while self.pasted and self.dialog.asking is None:
            text = self.pasted.pop(0)
            line = text.rstrip("\r\n")
            self.matches.offer(())
            self.write(line)
            if text == line or not self.take(line):
                return

    def _say_left(self, line: str) -> None:
        """Say which pasted lines wait behind one that was not taken."""
        self.noted = line
        if self.pasted:
            self.table.say(f"{self.table.said}\n{_left_text(self.pasted)}", passing=False)

    # Editing.

    def edit(self, number: int, *, insert: bool = False) -> None:
        """Write in the place of an entry, or before it; raises as `Dialog.edit`."""
        draft = self.value if self.dialog.place.entry is None else self.draft
        self.dialog.edit(number, insert=insert)
        self.draft = draft
        self.write(_entry_at(self.dialog.place, self.session))
        self.prompt()

    def keep_edit(self) -> None:
        """Let what was typed in an edit come back, where it is left."""
        left, place = self.value, self.dialog.place
        if place.entry is None:
            return
        if left.strip() and left != _entry_at(place, self.session):
            self.recalled.add(in_place(left, place))

    def leave_edit(self) -> None:
        """End an edit: what was typed before it stands in the line again."""
        if self.dialog.place.entry is not None:
            self._write_next()
            self.prompt()

    def _write_next(self) -> None:
        """Write at the end again."""
        if self.dialog.asking is None:
            self.dialog.leave()
        self.write(self.draft)
        self.draft = ""


def _clashing(
    whole: Mapping[str, Observation],
    dialog: Dialog,
    place: Place,
    fitting: AbstractContextManager[object],
) -> frozenset[str]:
    """Return which lines would contradict the log; none once the worker that asks is cancelled."""
    worker = get_current_worker()
    clashing = set()
    for line, observation in whole.items():
        with fitting:
            if worker.is_cancelled:
                break
            if dialog.session.clashes(observation, place):
                clashing.add(line)
    return frozenset() if worker.is_cancelled else frozenset(clashing)


def _meaning(line: str, dialog: Dialog, *, mark: str = "-> ") -> Text:
    """Return what a line says; who asks is marked where that is only guessed."""
    ahead = dialog.typed(line).preview
    place = dialog.place
    text = printable(ahead.text, most=500) + sorted_text(ahead.told)
    if place.entry is not None:
        where = f"before {place.entry}" if place.insert else f"{place.entry} becomes"
        mark = f"{where} {mark}"
    if ahead.told is None or ahead.told.guessed is None:
        return Text.assemble((mark, "bold"), text)
    seat = ahead.told.guessed
    return Text.assemble((mark, "bold"), (f"{seat}?", "bold italic"), text.removeprefix(seat))


def _entry_at(place: Place, session: Session) -> str:
    """Return what the line has at first: the entry that is edited, or nothing."""
    if place.entry is None or place.insert:
        return ""
    return entry_text(session.entry(place.entry), session.record.table)


def _prompt(session: Session, place: Place) -> str:
    """Return what stands before the line: the number of the entry that is typed."""
    if place.entry is not None:
        return f"{'ins' if place.insert else 'edit'} {place.entry}>"
    return f"{len(session.record.entries) + 1:>2}>"


def _placeholder(session: Session, place: Place) -> str:
    """Return what stands in the line while nothing is typed."""
    if place.insert:
        return f"what happened just before entry {place.entry}? Esc: nothing after all"
    if place.entry is not None:
        return f"type entry {place.entry} as it should be; Esc leaves it as it is"
    if session.finished:
        return "the game is over: /review, or Ctrl+Q leaves"
    if session.turn is None:
        return "who asks for what? F2 chooses from lists"
    return f"{session.turn}'s turn: who asks for what? F2 chooses from lists"


def _taken_text(outcome: Outcome, session: Session, sound: bool) -> str:
    """Return what to say of a line that was taken, into a log that was sound or not."""
    number = outcome.entries[-1]
    done = f"✓ {number}"
    mended = not sound and session.report().consistent
    if session.trouble:
        done = "in memory only:"
    elif outcome.clashes:
        done = f"✗ {number} contradicts the log:"
    elif not sound and not mended:  # what clashes was there before
        done = f"{number}, in a log that contradicts itself:"
    elif outcome.place.entry is not None:
        done += " is put in:" if outcome.place.insert else " is now"
    fits = "; the log fits again" if mended else ""
    ended = "\nThe game is over: /review looks back on it." if session.finished else ""
    line = printable(session.lines[number - 1], most=500)
    return f"{done} {line}{sorted_text(outcome.told)}{fits}{ended}"


def _left_text(pasted: Sequence[str]) -> str:
    """Return how many pasted lines wait, and the first of them."""
    count = "1 more line follows" if len(pasted) == 1 else f"{len(pasted)} more lines follow"
    return f"{count} (Esc drops): {pasted[0].strip()}"


def _commands(said: Said) -> tuple[Completion, ...]:
    """Return the commands that may be meant, the one that is named first."""
    words = [word for word in COMMAND if word == said.word]
    if not said.rest:
        words += [word for word in COMMAND if word.startswith(said.word) and word != said.word]
    return tuple(
        Completion(line=f"/{word} {said.rest}".rstrip(), label=f"/{word}") for word in words
    )


def _command_text(said: Said, line: str, commands: Sequence[Completion], session: Session) -> str:
    """Return what a line that is a command would do; `commands` are those that may be meant."""
    if meaning := _in_its_place(said, session):
        return meaning
    if commands:
        return f"Enter: {COMMAND[commands[0].label[1:]].does}"
    return f"no command {printable(line.strip())}; Ctrl+P lists them all"


def _in_its_place(said: Said, session: Session) -> str:
    """Return what a line says that is typed behind `/edit 7` or `/insert 7`; empty if none."""
    number = said.rest.partition(" ")[0]
    if said.word not in ("edit", "insert") or not said.line or not number.isdecimal():
        return ""
    if not 0 < said.number <= len(session.lines):
        return ""
    where = f"before {number}" if said.word == "insert" else f"{number} becomes"
    ahead = TypedLine(said.line, session.record.table, session.state_before(said.number)).preview
    if ahead.error is not None and not ahead.unfinished:
        return ahead.error.reason
    return ahead.text and f"{where} -> {printable(ahead.text, most=500)}"
