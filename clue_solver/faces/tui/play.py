"""The screen of a game that a person logs: entering, changing and undoing lines."""

from collections.abc import Iterator

from msgspec.structs import replace
from rich.text import Text
from textual import on
from textual.widgets import OptionList

from clue_solver.answers.corrections import Check
from clue_solver.conversation.changes import END, Change, LogPlace
from clue_solver.conversation.commands import COMMAND, TypedCommand, change, parse_command
from clue_solver.conversation.dialog import Outcome, PendingLine, command_for
from clue_solver.conversation.doubts import (
    NO,
    Doubt,
    answers_of,
    missing_hand,
    own_hand,
    own_refusal,
)
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError, printable
from clue_solver.faces.asking import next_question
from clue_solver.faces.helping import wanted_line
from clue_solver.faces.leaving import Say, keep_lines, leave
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.tui.entry import EntryScreen
from clue_solver.faces.tui.line import EDIT
from clue_solver.game import Game
from clue_solver.notation import Completion
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record import Entry
from clue_solver.rules.observations import Observation
from clue_solver.views import sentences

HEADER = ("hands", "seats", "pieces", "first", "house")
"""The commands that change the header; without a value they show the current one to edit."""


class PlayScreen(EntryScreen):
    """The screen of a game that is played at a table and logged here."""

    def __init__(self, session: Session, typed: tuple[str, ...] = ()) -> None:
        """
        Show a game.

        Args:
            session: The game.
            typed: The lines that were typed but not logged when the game was closed.
        """
        super().__init__(session)
        self._given = ""  # the line that was taken back last
        self._typed: dict[str, str] = {}  # what was typed, by the entry as it stands in the log
        self.pasted = [*typed]

    def on_mount(self) -> None:
        """Start to watch the file for outside changes, and restore the unfinished line."""
        self.write_verdict("working …")
        self.set_interval(1, self._poll)
        for line in self.pasted:
            self.line.remember(line)
        self.line.value = "".join(self.pasted[-1:])
        self.pasted = []

    @property
    def unlogged_lines(self) -> tuple[str, ...]:
        """The lines that were typed but not logged."""
        typed = self.line.value
        as_it_was = typed == self._given and EDIT.match(typed)
        lines = ("" if as_it_was else typed, *self.pasted)
        return tuple(line.strip() for line in lines if line.strip())

    def leave(self, say: Say) -> bool:
        """Close the game and report unfinished lines; return whether the game is in its file."""
        if self.unlogged_lines:
            kept = keep_lines(self.unlogged_lines, self.session.keeper)
            became = "not accepted yet, but kept with the game" if kept else "not accepted"
            say("\n".join(f"{became}: {printable(line)}" for line in self.unlogged_lines))
        return leave(self.session, say=say)

    def _poll(self) -> None:
        """Read the changes that another program made to the file, and show them."""
        before, last = self.session.record, self.session.outside
        outside = self.session.poll()
        if outside is None:
            return
        if self.session.record is not before:
            self._show_change(sentences.outside_text(outside))
        elif last is None or str(outside.error) != str(last.error):
            self.say(sentences.outside_text(outside))

    # The line.

    def prompt(self) -> tuple[str, str]:
        """Return the number of the entry that is typed, and a placeholder for it."""
        if edit := EDIT.match(self.line.value):
            return f"{edit[1]} {edit[2]}>", ""
        record, turn = self.session.record, self.session.turn
        before = f"{len(record.entries) + 1:>2}>"
        if record.finished:
            return before, "over: type 'review' or 'new'"
        if wanted := wanted_line(self.session.game):
            return before, f"{turn}: {wanted}" if turn else f"who {wanted}?"
        return before, f"{turn}'s turn: which suggestion?" if turn else "who suggests what?"

    def meaning(self, text: str) -> Text:
        """Return what a line means so far, or what is wrong with it and where."""
        place, column = _place_in(text)
        text = text[column:]
        if (place.entry or 0) > len(self.session.lines):
            return Text(f"✗ there is no entry {place.entry}")
        ahead = self.dialog.typed_line(text, place)
        told = self.dialog.reading_at(text, place)
        if told is None and ahead.error is not None and not ahead.unfinished:
            if (late := self.dialog.late_answer(text)) is not None:
                answered, there = late
                return Text(f"to entry {there.entry}: {answered.line}")
            return self._error_text(ahead.error, ahead.corrected, column)
        if told is None:
            return Text()
        refusal = own_refusal(self.session.record, told.whole)
        if refusal is not None:
            return Text(f"✗ {refusal.reason}")
        whole = Text(f"→ {printable(told.text, most=500)}{sentences.remark_on(told)}")
        if told.guessed is not None:
            whole.stylize("italic", 2, 2 + len(told.guessed))
        return whole

    def _error_text(
        self, error: ClueError, mended: str | None, column: int = 0, mark: str = ""
    ) -> Text:
        """Return an error message, placed below the mistake if its column is known."""
        if not isinstance(error, NotationError):
            return Text(f"✗ {mark}{error}")
        if not error.line:
            return Text(f"✗ {mark}{error.reason}")
        start = self.line.region.x - self.note.content_region.x
        before = start + column + error.column - self.line.scroll_offset.x
        tab = " Tab takes it" if mended and not column else ""
        return Text(f"{' ' * max(0, min(before, self.line.size.width))}^ {mark}{error.reason}{tab}")

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a line, at the end of the log or after `edit 4`."""
        place, column = _place_in(text)
        if (place.entry or 0) > len(self.session.lines):
            return ()
        found = self.dialog.completions(text[column:], place)
        return tuple(
            replace(each, line=text[:column] + each.line)
            for each in found
            if each.observation is None or place != END or self._is_possible(each.observation)
        )

    def _is_possible(self, observation: Observation) -> bool:
        """Return whether the sheet allows the answers in an observation."""
        report, table = self.drawn, self.session.record.table
        if report is None or not report.consistent:
            return True
        for answer, asked in answers_of(observation, table):
            seat = answer.seat
            if seat is None or answer.answer == "unheard":
                continue
            verdicts = {card: report.verdict(card, seat) for card in asked}
            shown = [answer.card] if answer.card is not None else asked
            if answer.answer == "passes" and "holds" in verdicts.values():
                return False
            if answer.answer == "shows" and all(verdicts.get(each) == "lacks" for each in shown):
                return False
        return True

    def enter_line(self, text: str) -> None:
        """Enter a line that is no command."""
        self.follow(self.dialog.enter(text))

    # What comes of a line.

    def follow(self, outcome: Outcome, answer: str = "") -> None:
        """
        Show the outcome of a line or an answer, and go on with pasted lines.

        Args:
            outcome: The outcome.
            answer: The typed answer; if refused, it stays to be corrected.
        """
        if outcome.outside is not None:
            self.notify(sentences.outside_text(outcome.outside))
        if outcome.taken is not None:
            self._show_taken(outcome, outcome.taken)
        if outcome.doubt is not None:
            if outcome.error is None:
                self._ask(outcome.doubt, hint=_left_text(outcome.left))
            else:
                self._ask(outcome.doubt, fault=_why(outcome.error), typed=answer)
        elif outcome.error is not None:
            line = command_for(outcome.line.strip(), outcome.place)
            if self.line.value.strip() != line:
                self.line.write(line)  # it stays to be put right
            mended = self.dialog.typed_line(outcome.line).corrected
            column = len(line) - len(outcome.line.strip())
            self.refuse(self._error_text(outcome.error, mended, column, "not accepted: "))
        if outcome.left is not None and outcome.line:
            self._say_left(outcome.left)
        if outcome.entries and outcome.doubt is None:
            self.type_pasted()

    def _say_left(self, left: PendingLine) -> None:
        """Show that a doubtful line was dropped because another line was typed."""
        line, text = command_for(left.text, left.place), _left_text(left)
        if text:
            self.line.remember(line)
            if self.line.value.strip() == line.strip():
                self.line.write("")
            self.say_besides(text)

    def _show_taken(self, outcome: Outcome, taken: Reading) -> None:
        """Show that a line was logged, and clear it."""
        record, place = self.session.record, outcome.place
        entry = outcome.entries[-1]
        self._typed[sentences.entry_text(record.entries[entry - 1], record.table)] = outcome.line
        self.line.remember(outcome.line)
        done = f"✓ {entry}"
        if self.session.trouble:
            done = "in memory only:"
        elif outcome.clashes:
            done = f"✗ {entry} contradicts the log:"
        elif place.entry is not None:
            done += " is put in:" if place.insert else " is now"
        ended = record.ended
        over = f"\n{sentences.ending_text(ended)}: 'review' goes through it." if ended else ""
        self.line.write("")
        line = printable(self.session.lines[entry - 1], most=500)
        self._show_change(f"{done} {line}{sentences.remark_on(taken)}{over}")

    def _ask(self, doubt: Doubt, *, hint: str = "", fault: str = "", typed: str = "") -> None:
        """
        Ask about a doubt in a dialog, where another line may be typed as well.

        Args:
            doubt: The doubt.
            hint: What else to know.
            fault: Why the last answer was refused.
            typed: The last answer, to be corrected.
        """
        choices = {choice.label: choice for choice in doubt.choices}
        if len(choices) == 1 and doubt.kind != "hand":  # one answer alone is no question
            choices["no: correct the line"] = NO

        def fitting(text: str) -> str | None:
            numbered = [*choices.values()][int(text) - 1 :] if text in ("1", "2") else []
            answer = numbered[0] if numbered else self.dialog.answer_in(text)
            return next((label for label, choice in choices.items() if choice == answer), None)

        def answered(chosen: str | None) -> None:
            if chosen is None:
                self._escape()
            elif chosen in choices:
                self.follow(self.dialog.answer(choices[chosen]))
            else:
                self._answer(chosen)

        pending = self.dialog.pending
        about = ""
        if pending.text:
            about = command_for(pending.text, pending.place)
            self.line.write(about)
            self.say("")
        self.matches.offer(())
        labels = tuple((label, label) for label in choices)
        question = Prompt(doubt.text, labels, about, hint=hint, fault=fault, typed=typed)
        self.ask(question, answered, fitting)

    def _answer(self, text: str) -> None:
        """Handle a text typed while a doubt is open: an answer, another line, or a command."""
        answers = self.dialog.answer_in(text) is not None
        said = None if answers else parse_command(text, self.dialog, self.words)
        if said is None:
            self.follow(self.dialog.say(text), text)
        elif said.word == "undo":
            self._escape()
        else:
            left = self.dialog.leave()
            self.put(text)
            if left is not None:
                self._say_left(left)

    def _escape(self) -> None:
        """Drop the doubtful line, which stays in the input line to be corrected."""
        self.dialog.leave(anew=True)
        self.leave_pasted()

    # Changes.

    def command(self, said: TypedCommand) -> None:
        """Run a command; if it lacks its argument, write it in the line to be completed."""
        table, bare = self.session.record.table, not said.rest
        if said.asks:
            super().command(said)
        elif bare and COMMAND[said.word].example:
            now = sentences.header_value(said.word, table) if said.word in HEADER else ""
            self.line.write(f"/{said.word} {now}")
            self.say(f"go on, such as {said.word} {COMMAND[said.word].example}")
        elif said.word in ("edit", "insert"):
            self._edit(said.number, insert=said.word == "insert", line=said.line)
        else:
            done = change(self.session, said)
            self._show_change(f"{sentences.done_text(said.word, done, table)}; Ctrl+Z undoes it")

    def _show_change(self, text: str) -> None:
        """Redraw the game after a change, and say what was changed."""
        self.redraw()
        self.say(text)

    def _edit(self, entry: int, *, insert: bool, line: str) -> None:
        """Replace an entry, or insert a line before it; without a line, let the person type it."""
        old = sentences.entry_text(self.session.entry(entry), self.session.record.table)
        place = LogPlace(entry, insert)
        if line:
            self.follow(self.dialog.enter(line, place))
            return
        self.line.remember(self.line.value)
        self._given = command_for("" if insert else old, place)
        self.line.write(self._given)

    def do_undo(self) -> None:
        """Clear the typed line; if it is empty, undo the last change and show its line again."""
        if self.line.value in ("", self._given):
            self._undo_or_redo("undo")
            return
        self.clear()

    def do_redo(self) -> None:
        """Redo the change that was undone last."""
        self._undo_or_redo("redo")

    def _undo_or_redo(self, word: str) -> None:
        """
        Undo or redo a change; an entry that is undone goes back to the input line.

        Args:
            word: `undo` or `redo`.
        """
        done = change(self.session, TypedCommand(word))
        table = self.session.record.table
        if isinstance(done, Change) and self.line.value in ("", self._given):
            gone = done.before if (word, done.kind) == ("undo", "removed") else None
            line = sentences.entry_text(gone, table) if isinstance(gone, Entry) else ""
            self._given = self._typed.get(line, line)
            self.line.write(self._given)
        self._show_change(sentences.done_text(word, done, table))

    def do_show(self, rest: str = "") -> None:
        """Show which card to show in answer to the suggestion in the line."""
        asked = rest or self.line.value.strip()
        if asked:
            super().command(TypedCommand("show", asked))
        else:
            self.say("type the suggestion that you are asked, then F3")

    def do_fix(self, rest: str = "") -> None:
        """Correct a contradictory log; unless `rest` gives a number, let the person choose how."""
        game = self.session.game

        def find() -> Check:
            with self._deciding:  # it is looked for already
                return game.check()

        if self.drawn is None or self.drawn.consistent:
            self.say("nothing to fix: the entries are consistent")
        elif rest:
            self.command(TypedCommand("fix", rest))
        else:
            self.look_up("looking for what may be wrong", find, self._choose_correction)

    def _choose_correction(self, check: Check) -> None:
        """Let the person choose a correction of the log."""
        ways = [
            (f"{way.entry or 'header'}: {way.after}", str(number))
            for number, way in enumerate(check.corrections, 1)
        ]
        none = ("none of these: change an entry yourself (Enter in the log)", "")

        def mend(chosen: str | None) -> None:
            if chosen and chosen in dict(ways).values():
                self.do(TypedCommand("fix", chosen))
            elif chosen:
                self.put(chosen)

        question = Prompt("What is it that was meant?", (*ways, none))
        self.ask(question._replace(usual=question.values[0]), mend)

    def next_menu(self, chosen: tuple[str, ...]) -> Prompt | str:
        """Return the menu after these choices, or the line that they give."""
        record = self.session.record
        turns = self.session.game.play().turns
        question = next_question(record.table, turns, chosen, own_hand(record))
        if isinstance(question, Prompt):
            return question
        return reading_of(question, record.table, unheard=True).line

    # The log.

    @on(OptionList.OptionSelected, "#log")
    def edit_entry(self) -> None:
        """Edit the highlighted entry of the log."""
        if self.entries.highlighted is not None:
            self.action_do("edit", str(self.entries.highlighted + 1))

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield advice; if the viewer's hand is missing from the log, it begins by saying so."""
        own = not game.record.finished and missing_hand(game) is not None
        for thought in super().thoughts(game):
            lead = f"{sentences.HANDLESS} " if own and thought.advice else ""
            yield thought._replace(text=f"{lead}{thought.text}")


def _left_text(left: PendingLine | None) -> str:
    """Return that a line was dropped; empty if none was."""
    if left is None or not left.text:
        return ""
    return f"not accepted: {printable(command_for(left.text, left.place))} (Up brings it back)"


def _why(error: ClueError) -> str:
    """Return why an answer was refused."""
    reason = error.reason if isinstance(error, NotationError) else str(error)
    return reason or "this is no answer"


def _place_in(text: str) -> tuple[LogPlace, int]:
    """Return the place in the log that a text names, and the column where its line begins."""
    edit = EDIT.match(text)
    if edit is None:
        return END, 0
    return LogPlace(int(edit[2]), insert=edit[1] == "insert"), edit.end()
