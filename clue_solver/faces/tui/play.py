"""The screen of a game that a person logs: lines are told, changed, taken back."""

from collections.abc import Iterator
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.binding import Binding, BindingType
from textual.widgets import Input, OptionList

from clue_solver.answers.corrections import Check
from clue_solver.conversation.changes import Change, Place
from clue_solver.conversation.commands import COMMAND, Said, change, said_in
from clue_solver.conversation.dialog import Asking, Dialog, Outcome, TypedEntry, in_place
from clue_solver.conversation.doubts import YES, Doubt
from clue_solver.conversation.hands import missing_hand, own_hand, own_refusal
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, NotationError, counted, printable
from clue_solver.faces.asking import Prompt, asked_after
from clue_solver.faces.leaving import Say, keep_typed, leave
from clue_solver.faces.thoughts import Thought, looks
from clue_solver.faces.tui.dialogs import Choose
from clue_solver.faces.tui.line import Rest
from clue_solver.faces.tui.screen import GameScreen
from clue_solver.game import Game
from clue_solver.notation import Completion
from clue_solver.notation.reading import reading_of
from clue_solver.record import Entry
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
    """
    The screen of a game that is played at a table, and logged here.

    Attributes:
        dialog: What is made of a line.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", show=False),
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("insert", "change_entry('insert')", show=False),
        Binding("delete", "change_entry('delete')", show=False),
    ]

    def __init__(self, session: Session, typed: tuple[str, ...] = ()) -> None:
        """
        Show a game.

        Args:
            session: The game.
            typed: The lines that were typed and not taken when it was left.
        """
        super().__init__(session)
        self.dialog = Dialog(session, hand=True)
        self.line.suggester = Rest(self.rest_of)
        self._accuses = False  # whether it was last said that the viewer had best accuse
        self._given = ""  # the line that was taken back last
        self._draft = ""  # what was typed before an edit began
        self._edited = ""  # the entry that is edited, as it stood in the line at first
        self._pasted = [*typed[-1:]]
        self._found: tuple[str, object, tuple[Completion, ...]] = ("", None, ())
        self._typed: dict[str, str] = {}  # what was typed, by the entry as it stands in the log
        for line in typed:
            self.line.remember(line)

    def on_mount(self) -> None:
        """Look for what another program writes, and let stand what was typed before."""
        self.set_interval(1, self._poll)
        self.line.value = "".join(self._pasted)
        self._pasted = []

    @property
    def trouble(self) -> object:
        """Why not all of the game is in its file."""
        return self.session.trouble

    @property
    def untaken(self) -> tuple[str, ...]:
        """The lines that were typed and not taken."""
        typed = "" if self.line.value == self._edited else self.line.value
        lines = (self._draft, in_place(typed, self.dialog.place) if typed else "", *self._pasted)
        return tuple(line.strip() for line in lines if line.strip())

    def leave(self, *, ask: bool, say: Say) -> bool:
        """Let go of the game, and say what became of what was typed; whether it is in its file."""
        if self.untaken:
            kept = keep_typed(self.untaken, self.session.keeper)
            became = "not taken yet, and kept with the game" if kept else "not taken"
            say("\n".join(f"{became}: {printable(line)}" for line in self.untaken))
        return leave(self.session, ask=ask, say=say)

    def _poll(self) -> None:
        """Take in what another program has written to the file, and say so."""
        before, last = self.session.record, self.session.outside
        outside = self.session.poll()
        if outside is None:
            return
        if self.session.record is not before:
            self._show_change(outside_text(outside))
        elif last is None or str(outside.error) != str(last.error):
            self.say(outside_text(outside))

    # The line.

    def prompt(self) -> tuple[str, str]:
        """Return the number of the entry that is typed, and what may be typed."""
        place, record, turn = self.dialog.place, self.session.record, self.session.turn
        if place.insert:
            return f"ins {place.entry}>", f"what happened just before {place.entry}? Esc: nothing"
        if place.entry is not None:
            return f"edit {place.entry}>", "as it should be; Esc leaves it as it is"
        before = f"{len(record.entries) + 1:>2}>"
        if record.finished:
            return before, "the game is over: review looks back on it, new begins another"
        if self._accuses and record.table.viewer == self.session.game.play().turn != turn:
            return before, f"accuse, or else {turn}'s turn"
        if dice := self._dice_wanted():
            return before, f"{turn}: {dice}" if turn else f"who {dice}?"
        return before, f"{turn}'s turn: who asks for what?" if turn else "who asks for what?"

    def _dice_wanted(self) -> str:
        """Return how a roll, or what the bonus die lets one do, is typed, where it comes next."""
        play, edition = self.session.game.play(), self.session.record.table.edition
        if play.pending and play.due == play.turn:
            actions = [edition.bonus[face] for face in play.dice if face in edition.bonus]
            if actions:
                return f"bonus die, {' '.join(f'{action} ...' for action in actions)}"
        if not edition.suspect_dice or not play.may("rolls"):
            return ""
        faces = [*[*edition.features][: edition.suspect_dice], *[*edition.bonus][:1]]
        return f"rolls {' '.join(face[:4] for face in faces)}".casefold()

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return what a line that is no command may become."""
        return self.dialog.completions(text)

    def meaning(self, text: str) -> Text:
        """Return what a line means so far, or what is wrong with it and where."""
        return self._meaning_at(self.dialog.place, text)

    def _meaning_of_change(self, said: Said, text: str) -> Text:
        """Return what the line behind `edit 4` or `insert 4` means so far."""
        try:
            self.session.entry(said.number)
        except ClueError as error:
            return Text(f"✗ {error}")
        place = Place(said.number, insert=said.word == "insert")
        return self._meaning_at(place, said.line, len(text) - len(said.line))

    def _meaning_at(self, place: Place, text: str, column: int = 0) -> Text:
        """Return what is meant, or wrong, in a place of the log, from a column of the line on."""
        ahead = self.dialog.typed(text, place)
        if ahead.error is not None and not ahead.unfinished:
            late = self.dialog.late_answer(text)
            if late is not None and late.place is not None:
                return Text(f"to entry {late.place.entry}: {late.lines[0]}")
            if self.dialog.takes_back(text):
                return Text("takes the last change back")
            return self._pointed(self.dialog.fault(ahead.error, text), ahead.mended, column)
        if ahead.reading is None:
            return Text()
        refusal = own_refusal(self.session.record, ahead.reading.whole)
        if refusal is not None:
            return Text(f"✗ {refusal.reason}")
        whole = Text(f"→ {printable(ahead.text, most=500)}{remark_on(ahead.reading)}")
        if ahead.reading.guessed is not None:
            whole.stylize("italic", 2, 2 + len(ahead.reading.guessed))
        return whole

    def _pointed(
        self, error: ClueError, mended: str | None, column: int = 0, mark: str = ""
    ) -> Text:
        """Return what is wrong, under its place in the line where it has one."""
        if not isinstance(error, NotationError):
            return Text(f"✗ {mark}{error}")
        if not error.line:
            return Text(f"✗ {mark}{error.reason}")
        start = self.line.region.x - self.note.content_region.x
        before = start + column + error.column - self.line.scroll_offset.x
        tab = " Tab takes it" if mended and not column else ""
        return Text(f"{' ' * max(0, min(before, self.line.size.width))}^ {mark}{error.reason}{tab}")

    def take(self, text: str) -> None:
        """Do what a command says, or take a line."""
        said = said_in(text, self.dialog, self.words)
        if said is None:
            self.tell_line(text)
            return
        word = self.word_of(said)
        if word is None:
            self.refuse(f"no command {printable(said.word)}; Ctrl+P lists them all")
            return
        self.line.remember(text)
        self.line.write("")
        self.do(Said(word, said.rest), text)

    def put(self, text: str) -> None:
        """Take a line that was typed elsewhere."""
        self.line.write(text)
        self.take(text)

    def tell_line(self, text: str) -> None:
        """Take a line that is no command."""
        self.follow(self.dialog.enter(text))

    def on_paste(self, event: events.Paste) -> None:
        """Type what is pasted."""
        self.paste(event.text)

    def paste(self, text: str) -> None:
        """Type what is pasted; of several lines each is told, until one is asked about."""
        self._pasted = [line for line in text.splitlines(keepends=True) if line.strip()]
        self._type_pasted()

    def _type_pasted(self) -> None:
        """Type the next pasted line, and tell it if it was ended."""
        if self._pasted:
            line = self._pasted.pop(0)
            self.set_focus(self.line)
            self.line.replace(line.rstrip("\r\n"), *self.line.selection)
            if line.endswith(("\r", "\n")):
                self.take(self.line.value)

    def matches_of(self, text: str) -> tuple[Completion, ...]:
        """Return what a line may become; what was found last is kept."""
        line, record, found = self._found
        if (line, record) == (text, self.session.record):
            return found
        said = said_in(text, self.dialog, self.words)
        if said is None:
            found = self.completions(text) if text.strip() else ()
        else:
            words = [each for each in self.words if each.startswith(said.word) and not said.rest]
            labels = {f"/{word}": f"{word}: {COMMAND[word].does}" for word in words}
            found = tuple(Completion(line=line, label=label) for line, label in labels.items())
        self._found = text, self.session.record, found
        return found

    def rest_of(self, text: str) -> str | None:
        """Return the likeliest line that goes on so."""
        begun = text.casefold()
        lines = (each.line for each in self.matches_of(text))
        return next((line for line in lines if line.casefold().startswith(begun)), None)

    @on(Input.Changed, "#line")
    def offer(self, event: Input.Changed) -> None:
        """Offer what the line may become, and say what it means so far."""
        if event.value != self.line.value:
            return
        asks = self.app.screen is not self  # then a box lists what may be answered
        self.matches.offer(() if asks else self.matches_of(event.value))
        if event.value == self._said_of:
            return
        said = said_in(event.value, self.dialog, self.words)
        if said is None:
            self.say(self.meaning(event.value) if event.value.strip() else "")
        else:
            is_change = said.word in ("edit", "insert") and said.line
            self.say(self._meaning_of_change(said, event.value) if is_change else "")

    @on(Input.Submitted, "#line")
    def enter(self, event: Input.Submitted) -> None:
        """Take the match that an arrow has marked, else the line; with nothing typed say why."""
        if self.matches.picked is not None:
            self.line.write(self.matches.picked)
        elif event.value.strip():
            self.take(event.value)
        else:
            self.take_nothing()

    def take_nothing(self) -> None:
        """Do what Enter does with nothing typed: say why of the cell."""
        self.do_why()

    @on(OptionList.OptionSelected, "#matches")
    def take_match(self, event: OptionList.OptionSelected) -> None:
        """Take what the line may become, by a click."""
        self.line.write(self.matches.found[event.option_index].line)

    def action_complete(self) -> None:
        """Take what is offered, or the name meant by a slip; with nothing typed the next pane."""
        text, found = self.line.value, self.matches_of(self.line.value)
        if self.focused is not self.line or not text:
            self.do_pane()
        elif found:
            self.line.write(self.matches.picked or found[0].line)
        elif (mended := self.dialog.typed(text).mended) is not None:
            self.line.write(mended)

    def action_move(self, by: int) -> None:
        """Mark another match, or bring an earlier line back."""
        if self.matches.found and not self.line.is_recalled:
            self.matches.choose(by)
        else:
            self.line.recall(by)

    # Lists.

    def do_lists(self, chosen: tuple[str, ...] = ()) -> None:
        """Choose from lists, question after question; the line that comes of it waits for Enter."""
        question = self.listed(chosen)
        if isinstance(question, str):
            self.write_chosen(question)
            return
        values = [value for _, value in question.choices]

        def go_on(answer: int | str | None) -> None:
            if isinstance(answer, int):
                self.do_lists((*chosen, values[answer]))
            elif answer is not None:
                self.put(answer)
            elif chosen:
                self.do_lists(chosen[:-1])

        labels = [label for label, _ in question.choices]
        dialog = Choose(question.title, labels, marked=self.marked, hint=question.line)
        self.app.push_screen(dialog, go_on)

    @property
    def marked(self) -> int | None:
        """Which answer of a list Enter alone chooses; `None` for none."""
        return 0

    def write_chosen(self, line: str) -> None:
        """Write the line that was chosen from lists, which Enter takes."""
        self.line.write(line)

    # What comes of a line.

    def follow(self, outcome: Outcome, answer: str = "") -> None:
        """
        Show what comes of a line or of an answer, and go on with what was pasted behind it.

        An answer of several words that is refused stays to be put right.
        """
        if outcome.outside is not None:
            self.notify(outside_text(outcome.outside))
        if outcome.taken is not None:
            self._show_taken(outcome, outcome.taken)
        if outcome.asked is not None:
            if outcome.error is None:
                self._ask(outcome.asked)
            else:
                self._ask(outcome.asked, _why(outcome.error), answer if " " in answer else "")
        elif outcome.error is not None:
            if self.line.value.strip() != outcome.line.strip():
                self.line.write(outcome.line)  # it stays to be put right
            mended = self.dialog.typed(outcome.line).mended
            self.refuse(self._pointed(outcome.error, mended, mark="not taken: "))
        elif outcome.undone is not None:
            self.line.write("")
            self._show_change(done_text("undo", outcome.undone, self.session.record.table))
        if outcome.left is not None and outcome.line:
            self._say_left(outcome.left)
        if outcome.entries and outcome.asked is None:
            self._type_pasted()

    def _say_left(self, asking: Asking) -> None:
        """Say that another line was typed in the place of one that was asked about."""
        line = in_place(asking.typed.line, asking.typed.again)
        if line and not line.startswith("/advise"):
            left = f"not taken: {printable(line)} (Up brings it back)"
            self.line.remember(line)
            if self.line.value.strip() == asking.typed.line.strip():
                self.line.write("")
                self.say(left)
            else:
                self.say_besides(left)

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

    def _ask(self, asking: Asking, hint: str = "", typed: str = "") -> None:
        """Ask what is doubtful about a line, in a dialog; another line may be typed there, too."""
        doubt = asking.doubt
        labels = [choice.label for choice in doubt.offered]

        def fitting(text: str) -> int | None:
            answer = self.dialog.answer_in(text)
            if text == str(len(labels)) and doubt.offered[-1:] == (YES,):
                answer = YES
            return doubt.offered.index(answer) if answer in doubt.offered else None

        def answered(chosen: int | str | None) -> None:
            if chosen is None or self._takes_back(chosen):
                self.dialog.escape()
                self._leave_pasted()
            elif isinstance(chosen, int):
                self.follow(self.dialog.answer(doubt.offered[chosen]))
            elif self._leaves(doubt, chosen):
                self.dialog.leave()
                self.put(chosen)
                self._say_left(asking)
            else:
                self.follow(self.dialog.say(chosen), chosen)
            if asking.typed.line == "/advise" and chosen is not None and self.dialog.asking is None:
                super(PlayScreen, self).command(Said("advise"))

        if asking.typed.line and not asking.typed.line.startswith("/"):
            self.line.write(asking.typed.line)
        self.matches.offer(())
        question = Choose(doubt.question, labels, fits=fitting, hint=hint, typed=typed)
        self.app.push_screen(question, answered)

    def _takes_back(self, chosen: int | str) -> bool:
        """Whether a text that was typed to a question takes its line back: `undo`."""
        said = said_in(chosen, self.dialog, self.words) if isinstance(chosen, str) else None
        return said is not None and said.word == "undo"

    def _leaves(self, doubt: Doubt, text: str) -> bool:
        """Whether a text that was typed to a question leaves it: a command, or another line."""
        if self.dialog.answer_in(text) is not None:
            return False
        said = said_in(text, self.dialog, self.words)
        return said is not None or (" " in text and doubt.kind != "hand")

    def _leave_pasted(self) -> None:
        """Leave the lines that were pasted behind one that is asked about, to be brought back."""
        for line in reversed(self._pasted):
            self.line.remember(line.strip())
        if self._pasted:
            self.say(f"{counted(len(self._pasted), 'line')} left out: Up brings them back")
        self._pasted = []

    # Changes.

    def command(self, said: Said) -> None:
        """Do what a command says of the game; what lacks something stands in the line."""
        table, bare = self.session.record.table, not said.rest
        if said.word == "advise" and bare and (asked := self.dialog.ask_hand("/advise")):
            self.follow(asked)
        elif said.asks:
            super().command(said)
        elif bare and COMMAND[said.word].example:
            now = header_value(said.word, table) if said.word in HEADER else ""
            self.line.write(f"/{said.word} {now}")
            self.say(f"go on, such as {said.word} {COMMAND[said.word].example}")
        elif said.word in ("edit", "insert"):
            self._edit(said.number, insert=said.word == "insert", line=said.line)
        else:
            done = change(self.session, said)
            self._show_change(f"{done_text(said.word, done, table)}; Ctrl+Z undoes it")

    def _show_change(self, text: str) -> None:
        """Show the game after a change, and say what was done."""
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

    def do_undo(self) -> None:
        """Take back what is typed, else what was done last, and give its line back."""
        if self.line.value in ("", self._given, self._edited):
            self._retrace("undo")
            return
        self.line.remember(self.line.value)
        self.line.write(self._edited)
        self.say("cleared (Up brings it back); Ctrl+Z once more takes the last entry back")

    def do_redo(self) -> None:
        """Do again what was taken back."""
        self._retrace("redo")

    def _retrace(self, word: str) -> None:
        """Go a step back or forth; an entry that is gone then stands in the line."""
        done = change(self.session, Said(word))
        table = self.session.record.table
        if isinstance(done, Change) and self.line.value in ("", self._given):
            gone = done.before if (word, done.kind) == ("undo", "removed") else None
            line = entry_text(gone, table) if isinstance(gone, Entry) else ""
            self._given = self._typed.get(line, line)
            self.line.write(self._given)
        self._show_change(done_text(word, done, table))

    def do_skip(self) -> None:
        """Tell that whose turn it is makes no suggestion."""
        if self.session.turn is None:
            self.say("the log does not say whose turn it is: type who skips")
            return
        if self.dialog.place.entry is not None:
            self.say("a skip goes at the end: Enter or Escape ends the edit first")
            return
        typed = self.line.value
        self.follow(self.dialog.enter(f"{self.session.turn} skips"))
        if self.dialog.asking is None:
            done = self._note
            self.line.write(typed)
            self.say(done)

    def do_show(self, rest: str = "") -> None:
        """Say which card to show in answer to the suggestion in the line."""
        asked = rest or self.line.value.strip()
        if asked:
            super().command(Said("show", asked))
        else:
            self.say("type the suggestion that you are asked, then F3")

    def do_fix(self, rest: str = "") -> None:
        """Mend a log that contradicts itself: choose how, if that is not said."""
        game = self.session.game

        def find() -> Check:
            with self._deciding:  # it is looked for already
                return game.check()

        if self.drawn is None or self.drawn.consistent:
            self.say("nothing to mend: the entries fit together")
        elif rest:
            self.command(Said("fix", rest))
        else:
            self.look_up("looking for what may be wrong", find, self._choose_mend)

    def _choose_mend(self, check: Check) -> None:
        """Choose how to mend the log."""
        labels = [
            " and ".join(f"{each.entry or 'header'}: {each.after}" for each in way.changes)
            for way in check.corrections
        ]
        labels.append("none of these: change an entry yourself (Enter in the log)")

        def mend(chosen: int | str | None) -> None:
            if isinstance(chosen, str):
                self.put(chosen)
            elif chosen is not None and chosen < len(check.corrections):
                self.do(Said("fix", str(chosen + 1)))

        question = "What is it that was meant?"
        self.app.push_screen(Choose(question, labels, marked=0), mend)

    def tell(self, thought: Thought) -> None:
        """Write what to do, which may be what is typed next."""
        super().tell(thought)
        advice = thought.advice
        self._accuses = advice is not None and advice.kind in ("accuse", "solution")
        self.write_prompt()

    def listed(self, chosen: tuple[str, ...]) -> Prompt | str:
        """Return what is asked next of what happened; what was not heard is left out on purpose."""
        record = self.session.record
        turns = self.session.game.play().turns
        question = asked_after(record.table, turns, chosen, own_hand(record))
        if isinstance(question, Prompt):
            return question
        return reading_of(question, record.table, unheard=True).line

    # The log.

    @on(OptionList.OptionSelected, "#log")
    def edit_entry(self) -> None:
        """Edit the entry that is marked in the log."""
        self.action_change_entry("edit")

    def action_change_entry(self, word: str) -> None:
        """Edit the entry that is marked in the log, put one in before it, or take it out."""
        if (
            word in self.words
            and self.focused is self.entries
            and self.entries.highlighted is not None
        ):
            self.action_do(word, str(self.entries.highlighted + 1))

    def do_back(self) -> None:
        """Go one step back: out of an edit, a pane, the line."""
        if self.dialog.place.entry is not None:
            if self.line.value.strip():
                self.line.remember(in_place(self.line.value, self.dialog.place))
            self.dialog.leave()
            self._end_edit()
            self.redraw()
        else:
            super().do_back()

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield what to do; before that, where it is not, that one's hand is not in the log."""
        own = not game.record.finished and missing_hand(game) is not None
        for thought in looks(game):
            text = f"{HANDLESS} {thought.text}" if own and thought.advice else thought.text
            yield thought._replace(text=text)


def _why(error: ClueError) -> str:
    """Return why an answer is none."""
    reason = error.reason if isinstance(error, NotationError) else str(error)
    return reason or "this is no answer"
