"""The screen of a game that a person logs: lines are told, changed, taken back."""

from collections.abc import Iterator
from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from clue_solver.conversation.changes import Change
from clue_solver.conversation.commands import COMMAND, Said, change, said_in
from clue_solver.conversation.dialog import Asking, Dialog, Outcome, TypedEntry, in_place
from clue_solver.conversation.doubts import YES, Doubt
from clue_solver.conversation.hands import missing_hand, own_hand, own_refusal
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError, counted, printable
from clue_solver.faces.asking import Prompt, asked_after
from clue_solver.faces.thoughts import Thought, looks
from clue_solver.faces.tui.colours import Depth
from clue_solver.faces.tui.commands import bindings, meant
from clue_solver.faces.tui.dialogs import Choose
from clue_solver.faces.tui.line import Line
from clue_solver.faces.tui.screen import GameScreen, Look
from clue_solver.game import Game
from clue_solver.notation import Completion
from clue_solver.notation.reading import reading_of
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import Hand
from clue_solver.views.sentences import (
    HANDLESS,
    done_text,
    ending_text,
    entry_text,
    header_value,
    outside_text,
    remark_on,
)

HEADER = ("hands", "seats", "pieces", "first", "house")
"""The commands that change the header: alone they put what it has into the line."""


class PlayScreen(GameScreen):
    """The screen of a game that is played at a table, and logged here."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(),
        Binding("insert", "change_entry('insert')", show=False),
        Binding("delete", "change_entry('delete')", show=False),
    ]

    def __init__(
        self, session: Session, *, typed: tuple[str, ...] = (), depth: Depth = "true"
    ) -> None:
        """
        Show a game.

        Args:
            session: The game.
            typed: The lines that were typed and not taken when it was left.
            depth: The colours that the terminal has.
        """
        super().__init__(session, depth=depth)
        self._typed_before = typed
        self.dialog = Dialog(session, hand=True)
        self._begun = session.record
        self._accuses = False  # whether it was last said that the viewer had best accuse
        self._given = ""  # the line that was taken back last
        self._draft = ""  # what was typed before an edit began
        self._edited = ""  # the entry that is edited, as it stood in the line at first
        self._pasted: list[str] = []
        self._mends: tuple[Record, str] | None = None  # what there was as F5 came too early
        self._typed: dict[str, str] = {}  # what was typed, by the entry as it stands in the log

    def on_mount(self) -> None:
        """Draw what there is, and look for what another program writes."""
        super().on_mount()
        self.set_interval(1, self._poll)
        for line in self._typed_before:
            self.line.remember(line)
        self.line.value = "".join(self._typed_before[-1:])

    @property
    def untaken(self) -> tuple[str, ...]:
        """The lines that were typed and not taken."""
        typed = "" if self.line.value == self._edited else self.line.value
        lines = (self._draft, in_place(typed, self.dialog.place) if typed else "", *self._pasted)
        return tuple(line.strip() for line in lines if line.strip())

    def _poll(self) -> None:
        """Take in what another program has written to the file, and say so."""
        before, said = self.session.record, self.session.outside
        outside = self.session.poll()
        if outside is None:
            return
        if self.session.record is not before:
            self._show_change(outside_text(outside))
        elif said is None or str(outside.error) != str(said.error):
            self.say(outside_text(outside))

    # The line.

    def prompt(self) -> tuple[str, str]:
        """Return the number of the entry that is typed, and what may be typed."""
        place, session = self.dialog.place, self.session
        if place.insert:
            return f"ins {place.entry}>", f"what happened just before {place.entry}? Esc: nothing"
        if place.entry is not None:
            return f"edit {place.entry}>", "as it should be; Esc leaves it as it is"
        before = f"{len(session.lines) + 1:>2}>"
        if session.record.finished:
            return before, "the game is over: review looks back on it, new begins another"
        who = f"{session.turn}'s turn: " if session.turn else ""
        viewer = session.record.table.viewer
        if self._accuses and viewer == session.game.play().turn != session.turn:
            return before, f"accuse, or else {session.turn}'s turn"
        if bonus := self._bonus_wanted():
            return before, f"{session.turn}: bonus die, {bonus}"
        if roll := self._roll_wanted():
            return before, f"{session.turn}: {roll}" if session.turn else f"who {roll}?"
        return before, f"{who}who asks for what?"

    def _bonus_wanted(self) -> str:
        """Return how what the bonus die lets one do is typed, where that comes next."""
        play = self.session.game.play()
        if not play.pending or play.due != play.turn:
            return ""
        bonus = self.session.record.table.edition.bonus
        return " ".join(f"{bonus[face]} ..." for face in play.dice if face in bonus)

    def _roll_wanted(self) -> str:
        """Return how a roll of dice with suspects is typed, where that comes next."""
        edition = self.session.record.table.edition
        if not edition.suspect_dice or not self.session.game.play().may("rolls"):
            return ""
        faces = [*[*edition.features][: edition.suspect_dice], *[*edition.bonus][:1]]
        return f"rolls {' '.join(face[:4] for face in faces)}".casefold()

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return what a line may become."""
        said = said_in(text, self.dialog, self.words)
        if said is None:
            return self.dialog.completions(text)
        words = () if said.rest else (word for word in self.words if word.startswith(said.word))
        return tuple(
            Completion(line=f"/{word}", label=f"{word}: {COMMAND[word].does}") for word in words
        )

    def meaning(self, text: str) -> Text:
        """Return what a line means so far, or what is wrong with it and where."""
        if said_in(text, self.dialog, self.words) is not None:
            return Text()
        ahead = self.dialog.typed(text)
        if ahead.error is not None and not ahead.unfinished:
            late = self.dialog.late_answer(text)
            if late is not None:
                number = late.place.entry if late.place is not None else ""
                return Text(f"to entry {number}: {late.lines[0]}")
            if self.dialog.takes_back(text):
                return Text("takes the last change back")
            return self._pointed(self.dialog.fault(ahead.error, text), text)
        if ahead.reading is None:
            return Text()
        refusal = own_refusal(self.session.record, ahead.reading.whole)
        if refusal is not None:
            return Text(f"✗ {refusal.reason}")
        whole = Text(f"→ {printable(ahead.text, most=500)}{remark_on(ahead.reading)}")
        if ahead.reading.guessed is not None:
            whole.stylize("italic", 2, 2 + len(ahead.reading.guessed))
        return whole

    def _pointed(self, error: ClueError, text: str, mark: str = "") -> Text:
        """Return what is wrong, under its place in the line where it has one."""
        if not isinstance(error, NotationError):
            return Text(f"✗ {mark}{error}")
        if not error.line:
            return Text(f"✗ {mark}{error.reason}")
        room = max(20, self.line.size.width)
        start = self.line.region.x - self.query_one("#note").content_region.x
        before = start + error.column - self.line.scroll_offset.x
        reason = mark + error.reason + (" Tab takes it" if self.dialog.typed(text).mended else "")
        if before >= 0 and before + len(reason) + 2 <= room + start:
            return Text(f"{' ' * before}^ {reason}")
        return Text(f"{' ' * max(0, min(before, room))}^\n{reason}")

    def action_complete(self) -> None:
        """Take what is offered, or the name that was meant by a slip."""
        text = self.line.value
        mended = self.dialog.typed(text).mended if text and not self.matches_of(text) else None
        if mended is not None:
            self.line.write(mended)
        else:
            super().action_complete()

    def take(self, text: str) -> None:
        """Do what a command says, or take a line."""
        said = said_in(text, self.dialog, self.words)
        if said is None:
            self.follow(self.dialog.enter(text))
            return
        word = meant(said, self.words)
        if word is None:
            self.refuse(f"no command {printable(said.word)}; Ctrl+P lists them all")
            return
        self.line.remember(text)
        self.line.write("")
        self.call_later(self.do, Said(word, said.rest))

    def command(self, said: Said) -> None:
        """Do what a command says of the game; what lacks something stands in the line."""
        command = COMMAND[said.word]
        bare = not said.rest
        if said.word == "advise" and bare and (asked := self.dialog.ask_hand("/advise")):
            self.follow(asked)
        elif said.asks and (not bare or said.word not in ("as", "suppose")):
            self.open(said)
        elif bare and command.example:
            now = header_value(said.word, self.session.record.table)
            self.line.write(f"/{said.word} {now if said.word in HEADER else ''}")
            self.say(f"go on, such as {said.word} {command.example}")
        else:
            self._change(said)

    # What comes of a line.

    def follow(self, outcome: Outcome) -> None:
        """Show what comes of a line or of an answer, and go on with what was pasted behind it."""
        table = self.session.record.table
        if outcome.outside is not None:
            self.notify(outside_text(outcome.outside))
        if outcome.taken is not None:
            self._show_taken(outcome, outcome.taken)
        if outcome.asked is not None:
            self._ask(outcome.asked, "" if outcome.error is None else _why(outcome.error))
        elif outcome.error is not None:
            self._refuse(outcome.line, outcome.error)
        elif outcome.undone is not None:
            self.line.write("")
            self._show_change(done_text("undo", outcome.undone, table))
        if outcome.left is not None and outcome.line:
            self._say_left(outcome.left)
        if outcome.entries and outcome.asked is None and self._pasted:
            self._take_pasted()

    def _say_left(self, asking: Asking) -> None:
        """Say that another line was typed in the place of one that was asked about."""
        line = in_place(asking.typed.line, asking.typed.again)
        if line and not line.startswith("/advise"):
            if self.line.value.strip() == asking.typed.line.strip():
                self.line.write("")
            self.line.remember(line)
            self.say_besides(f"not taken: {printable(line)} (Ctrl+Up brings it back)")

    def _show_taken(self, outcome: Outcome, taken: TypedEntry) -> None:
        """Show that a line is in the log, and make room for the next."""
        record, place = self.session.record, taken.place
        entry = outcome.entries[-1]
        self._typed[entry_text(record.entries[entry - 1], record.table)] = outcome.line
        self.line.remember(outcome.line)
        done = f"✓ {entry}"
        if self.session.trouble:
            done = "in memory only:"
        elif outcome.clashes:
            done = f"✗ {entry} contradicts the log:"
        elif place.entry is not None:
            done += " is put in:" if place.insert else " is now"
        ended = record.ended
        over = f"\n{ending_text(ended)}: review looks back on it." if ended else ""
        self._end_edit()
        line = printable(self.session.lines[entry - 1], most=500)
        self._show_change(f"{done} {line}{remark_on(taken.told)}{over}")

    def _refuse(self, line: str, error: ClueError) -> None:
        """Say why a line is not taken; it stays to be put right."""
        if self.line.value.strip() != line.strip() and not line.startswith("/"):
            self.line.write(line)
        self.refuse(self._pointed(error, line, "not taken: "))

    def _ask(self, asking: Asking, hint: str = "") -> None:
        """Ask what is doubtful about a line, in a dialog; another line may be typed there, too."""
        doubt = asking.doubt
        labels = [choice.label for choice in doubt.offered]

        def fitting(text: str) -> int | None:
            answer = self.dialog.answer_in(text)
            if text == str(len(labels)) and doubt.offered[-1:] == (YES,):
                answer = YES
            return doubt.offered.index(answer) if answer in doubt.offered else None

        def answered(chosen: int | str | None) -> None:
            if chosen is None:
                self.dialog.escape()
                self._leave_pasted()
            elif isinstance(chosen, str) and self._leaves(doubt, chosen):
                self.dialog.leave()
                self.line.write(chosen)
                self.take(chosen)
                self._say_left(asking)
            elif isinstance(chosen, str):
                self.follow(self.dialog.say(chosen))
            else:
                self.follow(self.dialog.answer(doubt.offered[chosen]))
            if asking.typed.line == "/advise" and chosen is not None and self.dialog.asking is None:
                self.open(Said("advise"))

        if not asking.typed.line.startswith("/"):
            self.line.write(asking.typed.line)
        self.app.push_screen(Choose(doubt.question, labels, fits=fitting, hint=hint), answered)

    def _leaves(self, doubt: Doubt, text: str) -> bool:
        """Whether a text that was typed to a question leaves it: a command, or another line."""
        if self.dialog.answer_in(text) is not None:
            return False
        said = said_in(text, self.dialog, self.words)
        return said is not None or (" " in text and doubt.kind != "hand")

    def on_line_pasted(self, event: Line.Pasted) -> None:
        """Type what is pasted; of several lines each is told, until one is asked about."""
        first, *more = event.text.splitlines(keepends=True) or [""]
        self.set_focus(self.line)
        self.line.replace(first.rstrip("\r\n"), *self.line.selection)
        self._pasted = [line for line in more if line.strip()]
        if first.endswith(("\r", "\n")):
            self._pasted.insert(0, self.line.value + "\n")
            self._take_pasted()

    def _take_pasted(self) -> None:
        """Tell the next pasted line; the last one is left to be ended if nothing ended it."""
        text = self._pasted.pop(0)
        self.line.write(text.rstrip("\r\n"))
        if text != self.line.value:
            self.take(self.line.value)

    def _leave_pasted(self) -> None:
        """Leave the lines that were pasted behind one that is asked about, to be brought back."""
        for line in reversed(self._pasted):
            self.line.remember(line.strip())
        if self._pasted:
            self.say(f"{counted(len(self._pasted), 'line')} left out: Ctrl+Up brings them back")
        self._pasted = []

    # Changes.

    def _change(self, said: Said) -> None:
        """Make the change that a command says; one that cannot be stays in the line."""
        try:
            said.check()
            if said.word in ("edit", "insert"):
                self._edit(said.number, insert=said.word == "insert", line=said.line)
            else:
                done = change(self.session, said, self.check)
                text = done_text(said.word, done, self.session.record.table)
                self._show_change(f"{text}; Ctrl+Z undoes it")
        except ClueError as error:
            if said.word not in ("undo", "redo"):
                self.line.write(f"/{said.word} {said.rest}")
            self.refuse(str(error))

    def _show_change(self, text: str) -> None:
        """Show the game after a change, and say what was done."""
        self.look = Look()
        self.check = None
        self.redraw()
        self.say(text)

    def _edit(self, entry: int, *, insert: bool = False, line: str = "") -> None:
        """Write in the place of an entry, or before it."""
        draft = self.line.value if self.dialog.place.entry is None else self._draft
        self.dialog.edit(entry, insert=insert)
        self._draft = draft
        old = entry_text(self.session.entry(entry), self.session.record.table)
        self._edited = "" if insert else old
        self.line.write(line or self._edited)
        self.redraw()
        if line:
            self.follow(self.dialog.enter(line))

    def _end_edit(self) -> None:
        """Write at the end again: what was typed before the edit stands there."""
        self.line.write(self._draft)
        self._draft = self._edited = ""

    def action_undo(self) -> None:
        """Take back what was done last, and give its line back; before all that, set up anew."""
        fresh = all(isinstance(each, Hand) for each in self._begun.observations)
        if fresh and self.session.record in (self._begun, self._begun.upto(0)):
            self.dismiss(None)
            return
        self._step("undo")

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self._step("redo")

    def _step(self, word: str) -> None:
        """Go a step back or forth."""
        try:
            done = change(self.session, Said(word))
        except ClueError as error:
            self.say(str(error))
            return
        table = self.session.record.table
        if isinstance(done, Change) and self.line.value in ("", self._given):
            gone = done.before if word == "undo" and done.kind == "removed" else None
            line = entry_text(gone, table) if isinstance(gone, Entry) else ""
            self._given = self._typed.get(line, line)
            self.line.write(self._given)
        self._show_change(done_text(word, done, table))

    def action_skip(self) -> None:
        """Tell that whose turn it is makes no suggestion."""
        if self.session.turn is None:
            self.say("the log does not say whose turn it is: type who skips")
        else:
            typed = self.line.value
            self.follow(self.dialog.enter(f"{self.session.turn} skips"))
            if self.dialog.asking is None:
                done = self._note
                self.line.write(typed)
                self.say(done)

    def action_show(self) -> None:
        """Say which card to show in answer to the suggestion in the line."""
        if self.line.value.strip():
            self.open(Said("show", self.line.value))
        else:
            self.say("type the suggestion that you are asked, then F3")

    def action_fix(self) -> None:
        """Choose how to mend a log that contradicts itself."""
        if self.drawn is None or self.drawn.consistent:
            self.say("nothing to mend: the entries fit together")
        elif self.check is None:
            self._mends = (self.session.record, self.line.value)
            self.say("looking for what may be wrong …")
        else:
            self._mends = None
            self.say("")
            ways = self.check.corrections
            labels = [self._way(place) for place in range(len(ways))]
            labels.append("none of these: change an entry yourself (Enter in the log)")

            def mend(chosen: int | str | None) -> None:
                if isinstance(chosen, int) and chosen < len(ways):
                    self._change(Said("fix", str(chosen + 1)))

            self.app.push_screen(Choose("What is it that was meant?", labels, marked=0), mend)

    def tell(self, look: Look, record: Record, thought: Thought) -> None:
        """Write what to do; what F5 has waited for is opened, unless somebody types."""
        super().tell(look, record, thought)
        advice = thought.advice
        self._accuses = advice is not None and advice.kind in ("accuse", "solution")
        self.write_prompt()
        if self.check is not None and self._mends == (record, self.line.value):
            self.action_fix()

    def _way(self, place: int) -> str:
        """Return one correction, as a list has it."""
        assert self.check is not None
        changes = self.check.corrections[place].changes
        return " and ".join(f"{each.entry or 'header'}: {each.after}" for each in changes)

    def action_lists(self) -> None:
        """Choose what happened from lists, question after question."""
        self._choose_next(())

    def _choose_next(self, chosen: tuple[str, ...]) -> None:
        table = self.session.record.table
        own = own_hand(self.session.record)
        question = asked_after(table, self.session.game.play().turns, chosen, own)
        if not isinstance(question, Prompt):  # what was not heard is left out on purpose
            self.line.write(reading_of(question, table, unheard=True).line)
            return
        values = [value for _, value in question.choices]

        def go_on(answer: int | str | None) -> None:
            if isinstance(answer, int):
                self._choose_next((*chosen, values[answer]))
            elif answer is None and chosen:
                self._choose_next(chosen[:-1])

        labels = [label for label, _ in question.choices]
        dialog = Choose(question.title, labels, marked=0, words=False, hint=question.line)
        self.app.push_screen(dialog, go_on)

    # The log.

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Edit an entry of the log."""
        if event.option_list.id == "log":
            self._edit(event.option_index + 1)

    def action_change_entry(self, word: str) -> None:
        """Put an entry in before the one that is marked in the log, or take that out."""
        log = self.query_one("#log", OptionList)
        if self.focused is log and log.highlighted is not None:
            self._change(Said(word, str(log.highlighted + 1)))
        elif word == "delete":
            self.line.action_delete_right()

    def action_back(self) -> None:
        """Go one step back: out of an edit, a view, a pane, the line; at the beginning set up."""
        if self.dialog.place.entry is not None:
            if self.line.value.strip():
                self.line.remember(in_place(self.line.value, self.dialog.place))
            self.dialog.leave()
            self._end_edit()
            self.redraw()
        elif self.line.value or self.look != Look() or self.focused is not self.line:
            super().action_back()
        elif all(isinstance(each, Hand) for each in self.session.record.observations):
            self.dismiss(None)

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield what to do; before that, where it is not, that one's hand is not in the log."""
        own = self.look.viewer is None and missing_hand(game) is not None
        for thought in looks(game):
            text = f"{HANDLESS} {thought.text}" if own and thought.advice else thought.text
            yield thought._replace(text=text)


def _why(error: ClueError) -> str:
    """Return why an answer is none."""
    reason = error.reason if isinstance(error, NotationError) else str(error)
    return reason or "this is no answer"
