"""The one screen at work: telling entries, changing them, and asking the sheet."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widgets import OptionList

from clue_solver.answers.corrections import Check
from clue_solver.answers.report import Report
from clue_solver.conversation.changes import Change
from clue_solver.conversation.commands import COMMAND, COMMANDS, Said, change
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.questions import missing_hand, own_hand
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.tui.entry import Choosing
from clue_solver.faces.tui.panes import Correcting, InputDialog, LogView, action_of
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.faces.tui.table import STEERING, AskingScreen, Provisional, ViewOptions
from clue_solver.faces.tui.telling import TellingLine
from clue_solver.notation import reading_of
from clue_solver.record import Entry, Record
from clue_solver.rules.observations import Hand, Observation
from clue_solver.views.sentences import HANDLESS, done_text, entry_text, header_value, outside_text


class PlayScreen(AskingScreen):
    """
    The screen of a game in progress.

    Attributes:
        dialog: What takes the lines; what may be done next is asked of it.
        line: Where they are typed.
    """

    line: TellingLine

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(command.keys, action_of(command), command.label, show=bool(command.label))
            for command in COMMANDS
            if command.keys and command.word != "light"
        ),
        Binding("shift+tab", "pane(-1)", show=False),
        Binding("insert", "begin('insert')", show=False),
        Binding("ctrl+down,alt+down", "recall(1)", show=False),
    ]

    def __init__(self, session: Session) -> None:
        self.dialog = Dialog(session, hand=True)
        line = TellingLine(self.dialog, run=self._run, changed=self._changed)
        super().__init__(session, line)
        self._begun = session.record
        self._wanting = False  # whether corrections are waited for

    def on_mount(self) -> None:
        """Draw what there is, and say whose turn it is."""
        super().on_mount()
        self.line.prompt()
        self.say("")
        self.set_interval(1, self._poll)

    def _draw(self, view: ViewOptions, report: Report) -> None:
        """Draw a report; on the viewer's turn its hand is asked for, if that is not known."""
        super()._draw(view, report)
        own = self.turn != "" and self.turn == report.table.viewer
        if own and self.drawn is report and not self.line.value and self.line.question is None:
            self._ask_hand()

    def _tell(self, view: ViewOptions, report: Report, told: Thought) -> None:
        """Write what to do now; without the viewer's hand, which changes it, that is said."""
        own = view.viewer is None and not told.certain
        if own and missing_hand(self.session.record) is not None:
            told = told._replace(text=f"{HANDLESS} {told.text}")
        super()._tell(view, report, told)

    def _ask_hand(self, line: str = "") -> bool:
        """Ask for the viewer's hand before advice, where it is missing; whether it is asked."""
        if self.view == ViewOptions() and not self.session.finished:
            asked = self.dialog.ask_hand(line)
            if asked is not None:
                self.line.follow(asked)
                return True
        return False

    def action_advise(self, **where: str) -> None:
        """Give advice; without one's hand it is worth little, so that is asked for first."""
        if where or self.line.value or not self._ask_hand("/advise"):
            super().action_advise(**where)

    def on_screen_resume(self) -> None:
        """Ask again what was asked before something else was read."""
        if self.line.question is not None:
            self.line.say_again()

    def take_key(self, key: str, mark: str | None) -> bool:
        """Take a key that answers, steers or commands; return whether it did."""
        line = self.line
        if self.passing:
            self.say("")
            self._wanting = False
            line.say_again()
        if self.focused is line:
            return line.take_key(key, mark) or self._commanded(key, mark)
        commands = "wi[]?" if isinstance(self.focused, SheetView) else "[]? "
        if mark is None or mark in commands:
            return False
        if self.check is not None and mark in "123456789":
            self._correct_by(mark)
            return True
        self.set_focus(line)
        return False

    def _commanded(self, key: str, mark: str | None) -> bool:
        """Take a key that is a command where nothing is typed; return whether it is."""
        if key == "enter":
            self.action_why()
        elif self.line.value:
            return False
        elif mark is not None and mark in "123456789" and self.check is not None:
            self._correct_by(mark)
        else:
            if key in STEERING:
                self.line.just_taken = False
            return self.steer(key)
        return True

    def on_paste(self, event: events.Paste) -> None:
        """Type what is pasted into the line, wherever the focus is."""
        self.line.paste(event.text)

    async def _run(self, said: Said) -> None:
        """Do what a word typed in the line, or chosen in the palette, says."""
        word, rest = said
        if not rest:
            await self.run_action(action_of(COMMAND[word]))
        elif said.asks and COMMAND[word].example:
            self.action_tell(word, rest)
        else:
            try:
                said.check()
                self._change(said)
            except ClueError as error:
                self.line.noted = f"/{word} {rest}"
                self.line.write(self.line.noted)  # to be put right
                self.say(str(error))

    def action_begin(self, word: str) -> None:
        """Type a command that needs more than its word."""
        self.line.write(f"/{word} ")
        self.line.noted = f"/{word} "
        self.say(f"go on: /{word} {COMMAND[word].example}", passing=False)

    def _change(self, said: Said) -> None:
        """Change the game as a command says; raises a `ClueError` where it cannot be."""
        if said.word == "fix":
            self._correct(said.number)
        elif said.word in ("edit", "insert"):
            self.line.edit(said.number, insert=said.word == "insert")
            if said.line:
                self.line.write(said.line)
                self.line.take(said.line)
        elif said.word == "seats" and (asked := self.dialog.ask_seats(said.rest)):
            self.line.follow(asked)
        else:
            self._make(said)

    def _make(self, said: Said) -> None:
        """Make a change, and say what it was; a line taken back is there to be told anew."""
        before = self.session.record
        try:
            done = change(self.session, said, self.check)
        except ClueError as error:
            if self.session.record is not before:  # another program has changed it
                self._done("")
            self.say(str(error))
            return
        table = self.session.record.table
        line = ""
        self._done("")
        keys = "; Ctrl+Z undoes it"
        if said.word in ("undo", "redo") and isinstance(done, Change):
            if isinstance(done.before, Entry):
                line = entry_text(done.before, table)
            back = said.word == "undo" and done.kind == "removed" and done.after is None
            self.line.give(line, anew=back, known=done.kind != "added")
            keys = "; Ctrl+Y brings it back" if said.word == "undo" else ""
        self.say(done_text(said.word, done, table) + keys)

    def _changed(self) -> None:
        self.view = ViewOptions()
        self.check = None
        self.line.question = None
        if self.dialog.asking is not None:
            self.dialog.escape()
        self.line.prompt()
        self.refresh_all()

    def _done(self, said: str) -> None:
        """Show the game after a change, and say what was done."""
        self.line.leave_edit()
        self._changed()
        self.say(said)

    def action_undo(self) -> None:
        """Take back what was done last: a question, else a change."""
        if self.dialog.asking is not None:
            self.line.drop()
        elif self.session.record in (self._begun, self._begun.upto(0)) and _fresh(self._begun):
            self.dismiss(None)
        else:
            self._make(Said("undo"))

    def action_redo(self) -> None:
        self._make(Said("redo"))

    def action_recall(self, step: int) -> None:
        self.line.recall(step)

    def action_skip(self) -> None:
        """Tell that whose turn it is makes no suggestion."""
        turn = self.session.turn
        if turn is None:
            self.say("the log does not say whose turn it is: type who skips")
            return
        self.line.leave_edit()
        typed = self.line.value
        if self.line.take(f"{turn} skips") and typed:
            self.line.write(typed)

    def _poll(self) -> None:
        """Take in what another program has written to the file, and say so."""
        before, said = self.session.record, self.session.outside
        outside = self.session.poll()
        if self.session.record is not before and outside is not None:
            self.line.keep_edit()
            self._done(outside_text(outside))
        elif outside is not None and (said is None or str(outside.error) != str(said.error)):
            self.say(outside_text(outside))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Edit an entry of the log, or make a correction."""
        if event.option_list.id == "log":
            self.line.edit(event.option_index + 1)
        elif event.option_list.id == "corrections":
            self._correct(event.option_index + 1)

    def action_delete(self) -> None:
        if (number := self.query_one(LogView).entry) is not None:
            self._make(Said("delete", str(number)))

    def action_header(self, part: str) -> None:
        """Open a part of the header to be changed."""
        table = self.session.record.table
        names, unknown = ", ".join(table.seats), "(? for one unknown; empty for all)"
        titles = {
            "hands": f"Cards in each hand, of {table.dealt}: {names}\n{unknown}",
            "seats": "Players, clockwise: other names, or another order",
            "pieces": f"Who plays whom: {names}\n{unknown}",
            "first": "Who begins (empty if that is not known)",
            "house": "Rules that you leave out: turns, play, all",
        }

        def use(text: str) -> None:
            change(self.session, Said(part, text))

        dialog = InputDialog(titles[part], header_value(part, table), use)
        self.app.push_screen(dialog, self._filled)

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

    def _mend(self, view: ViewOptions, check: Check, likeliest: Provisional) -> None:
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
        else:
            self._make(Said("fix", str(number)))
            self.set_focus(self.line)

    def action_choose(self) -> None:
        table = self.session.record.table

        def done(chosen: Observation | None) -> None:
            if chosen is not None:  # what was not heard is left out on purpose
                self.line.write(reading_of(chosen, table, unheard=True).line)

        own = own_hand(self.session.record)
        self.app.push_screen(Choosing(table, self.session.state, own), done)

    def action_insert(self) -> None:
        """Type an entry that was forgotten, before the one that is marked in the log."""
        if (number := self.query_one(LogView).entry) is not None:
            self.line.edit(number, insert=True)
            self.set_focus(self.line)

    def action_back(self) -> None:
        """Go one step back: from what is asked, an edit, a view, a pane, the line, what waits."""
        line, typed = self.line, self.line.value
        if line.drop():
            return
        if self.dialog.place.entry is not None:
            line.keep_edit()
            line.leave_edit()
        elif self.step_back(known=line.known):
            if typed and not line.value:
                line.recalled.add(typed)
        elif line.left:
            line.left = ""
            line.offer()
        elif _fresh(self.session.record):
            self.dismiss(None)


def _fresh(record: Record) -> bool:
    """Whether nothing has happened in a game yet."""
    return all(isinstance(each, Hand) for each in record.observations)
