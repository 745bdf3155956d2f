"""A game that a person logs: how lines, answers, commands and menus change it."""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from clue_solver.conversation.changes import END, Change, LogPlace
from clue_solver.conversation.commands import COMMAND, TypedCommand, change, parse_command
from clue_solver.conversation.dialog import Dialog, Outcome, PendingLine, command_for
from clue_solver.conversation.doubts import NO, Doubt, DoubtChoice, missing_hand
from clue_solver.conversation.meaning import own_hand, own_refusal
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError, printable
from clue_solver.faces.asking import next_question
from clue_solver.faces.feed import Account, Feed, PendingQuestion, TextRemark
from clue_solver.faces.helping import wanted_line
from clue_solver.faces.leaving import Say, close_session, keep_lines
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.thoughts import Thought
from clue_solver.game import Game
from clue_solver.notation.checks import without_implied
from clue_solver.notation.completion import Completion
from clue_solver.notation.names import Names, numbered
from clue_solver.notation.reading import Reading, reading_of
from clue_solver.record.contents import Entry
from clue_solver.views import sentences
from clue_solver.views.checks import NO_CORRECTION, correction_text

_PLACED = re.compile(r"(?:\s*(?:/\S+|edit:?|insert:?) +([1-9][0-9]{0,4}) )+", re.IGNORECASE)
"""The beginning of a text that replaces an entry or inserts one; of several, the last counts."""


class LoggedGame(Feed):
    """A game that is played at a table and logged here, on the full screen or line by line."""

    def __init__(
        self,
        session: Session,
        words: Sequence[str] = tuple(COMMAND),
        *,
        careful: bool = True,
        by_line: bool = False,
    ) -> None:
        """
        Go on with a game.

        Args:
            session: The game.
            words: The commands that may be typed.
            careful: Whether somebody is there to be asked about a doubtful line.
            by_line: Whether there is no input line that a command can fill.
        """
        super().__init__(session)
        self.dialog = Dialog(session, careful=careful, hand=True)
        self.by_line = by_line
        self.words = words
        # What was typed for an entry; known by `id`, since equal entries may be typed differently.
        self._typed: dict[int, tuple[Entry, str]] = {}
        self._kept = ""  # what stays of the input while an entry is edited: `/edit 5 `
        self._outside = ""  # the last message about a change from outside

    # While a line is typed.

    def place_in(self, text: str) -> tuple[LogPlace, int]:
        """
        Return the place in the log that a typed text names, and where in the text the line begins.

        `edit 4 ...` and `insert 4 ...` name entry 4, and the line begins behind the number. All
        other texts are for the end of the log and begin at 0.
        """
        begun, said = _PLACED.match(text), self.command_in(text)
        if begun is None or said is None or said.word not in ("edit", "insert"):
            return END, 0
        return LogPlace(int(begun[1]), said.word == "insert"), begun.end()

    def prompt(self, text: str) -> tuple[str, str]:
        """Return the number of the entry that is typed, and a hint to show in an empty line."""
        place, _ = self.place_in(text)
        if place != END:
            return f"{'insert' if place.insert else 'edit'} {place.entry}>", ""
        record, turn = self.session.record, self.session.turn
        before = f"{len(record.entries) + 1:>2}>"
        if record.finished:
            return before, "game over: type 'review' or 'new'"
        if wanted := wanted_line(self.session.game):
            return before, f"{turn}: {wanted}" if turn else f"who {wanted}?"
        return before, f"{turn} suggests what?" if turn else "who suggests what?"

    def meaning(self, text: str) -> TextRemark:
        """Return what a begun line means, or what is wrong with it and where."""
        place, column = self.place_in(text)
        line = text[column:]
        if not line.strip() or (place == END and self.command_in(text) is not None):
            return TextRemark()
        if (place.entry or 0) > len(self.session.lines):
            return TextRemark(f"there is no entry {place.entry}", wrong=True)
        ahead = self.dialog.typed_line(line, place)
        if (told := ahead.reading) is not None:
            refusal = own_refusal(self.session.record, told.whole)
            if refusal is not None:
                return TextRemark(refusal.reason, wrong=True)
            return TextRemark(f"→ {printable(told.text, most=500)}{sentences.remark_on(told)}")
        if ahead.error is None:
            return TextRemark()
        if late := self.dialog.late_answers(line):
            texts = (f"to entry {there.entry}: {answered.text}" for answered, there in late)
            return TextRemark(" or ".join(texts))
        return self._fault_at(ahead.error, line, column)

    def _fault_at(self, error: ClueError, line: str, column: int) -> TextRemark:
        """
        Return what is wrong with a line, and the column of the mistake in the whole input.

        Args:
            error: Why the line is refused.
            line: The line.
            column: The column of the input where the line begins, from 0.
        """
        fault = self.fault(error, line)
        if fault.column is None:
            return fault
        return fault._replace(column=fault.column + column)

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return the completions of a command, of a line, or of the line after `edit 4`."""
        place, column = self.place_in(text)
        if place == END and self.command_in(text) is not None:
            return super().completions(text)
        if not text[column:].strip() or (place.entry or 0) > len(self.session.lines):
            return ()
        found = self.dialog.completions(text[column:], place)
        return tuple(replace(each, line=text[:column] + each.line) for each in found)

    # Lines, answers and doubts.

    def command_in(self, text: str) -> TypedCommand | None:
        """Return the command that a text stands for; `None` for a line or an answer to a doubt."""
        if self.dialog.answer_in(text) is not None:
            return None
        said = parse_command(text, self.dialog, self.words)
        if said is None or said.word not in ("edit", "insert"):
            return said
        return self.command_in(said.line) or said  # a command leaves an edit

    def run(self, said: TypedCommand, *, line: str = "", typed: str = "") -> Account:
        """
        Carry out a command that changes the game; leave any other to the interface.

        While the program asks about a doubtful line, a typed command that would change the game has
        to wait; `undo` drops that line.

        Args:
            said: The command.
            line: What stands in the input line, if a key gave the command.
            typed: The command as it was typed; empty if a key or a menu gave it.
        """
        doubt = self.dialog.doubt
        if doubt is None or not typed or said.kind == "leaves":
            return super().run(said, line=line, typed=typed)
        if said.word == "undo":
            return self._take_back()
        done = Account()
        if said.word == "lists" or said.kind == "changes":
            self.waiting.append(f"{typed}\n")
        else:
            done = super().run(said, line=line, typed=typed)
        pending = _pending_text(self.dialog.pending) or None
        return done._replace(question=self._question(doubt), line=pending)

    def handle_line(self, line: str) -> Account:
        """Handle an answer to the open question about a doubtful line, or a new line."""
        if self.dialog.doubt is None:
            self._kept = ""
        return self._account(self.dialog.say(line), line)

    def _account(self, outcome: Outcome, answer: str = "") -> Account:
        """
        Return the account of what the dialog did with a line or an answer.

        If the answer was refused, the question is asked again with `answer` filled in.
        """
        if outcome.later is not None:
            place = len(self.waiting) if outcome.line == outcome.later.line else 0
            self.waiting.insert(place, f"{_pending_text(outcome.later)}\n")
        account, error = self._account_of_log(outcome), outcome.error
        if outcome.doubt is not None:
            fault = None if error is None else self.fault(error, answer)
            question = self._question(outcome.doubt, fault, answer if fault else "")
            line = _pending_text(self.dialog.pending) or account.line
            return account._replace(question=question, line=line)
        return account if error is None else self._with_refusal(account, outcome, error)

    def _account_of_log(self, outcome: Outcome) -> Account:
        """Return the account of what happened to the log: what others wrote, what was logged."""
        outside = outcome.outside
        account = Account(outside="" if outside is None else sentences.outside_text(outside))
        if outcome.taken is not None:
            return account._replace(
                said=self._taken_text(outcome, outcome.taken),
                changed=True,
                logged_at=outcome.place,
                clashes=outcome.clashes,
                line="",
            )
        if _pending_text(outcome.left) and not outcome.line.strip():
            return account._replace(said="not accepted", waits=True, kept=self._kept)
        return account

    def _with_refusal(self, account: Account, outcome: Outcome, error: ClueError) -> Account:
        """Add to an account why a line was refused, and what it may have been meant to be."""
        entered = outcome.line.strip()
        line = command_for(entered, outcome.place)
        fault = self._fault_at(error, entered, len(line) - len(entered))
        refused = fault._replace(text=f"{fault.text}{self._guess_meant(outcome, error)}")
        return account._replace(line=line, kept=self._kept, refused=refused)

    def _guess_meant(self, outcome: Outcome, error: ClueError) -> str:
        """Return a message on what a refused line may have meant; empty if that is unclear."""
        line = outcome.line
        late = self.dialog.late_answers(line) if line and outcome.place == END else ()
        if late:
            ways = (
                f"to add it to entry {place.entry}: {command_for(told.line, place)[1:]}"
                for told, place in late
            )
            return f"; {'; '.join(ways)}"
        if line and isinstance(error, NotationError) and not (error.column or error.nearest):
            words = Names("command", self.words)
            if near := words.nearest(line.split(maxsplit=1)[0]):
                return f"; did you mean the command '{near[0]}'?"
        return ""

    def _taken_text(self, outcome: Outcome, taken: Reading) -> str:
        """
        Return the text of the new entries, with what was assumed and what is doubtful.

        The line is remembered as it was typed, so that `undo` can bring it back.
        """
        session = self.session
        lines = ((number, session.lines[number - 1]) for number in outcome.entries)
        text = "\n".join(f"{number}  {printable(line, most=500)}" for number, line in lines)
        entry = session.entry(outcome.entries[-1])
        self._typed[id(entry)] = entry, outcome.line
        guessed = None if self.dialog.careful else taken.guessed
        guess = f"  (if it is {guessed}'s turn)" if guessed else ""
        warning = f"\n! {outcome.warning.text}" if outcome.warning is not None else ""
        return f"{text}{sentences.remark_on(taken)}{guess}{warning}"

    def _question(
        self, doubt: Doubt, fault: TextRemark | None = None, typed: str = ""
    ) -> PendingQuestion:
        """
        Return the question about a doubtful line; another line may be typed instead of an answer.

        Args:
            doubt: The doubt.
            fault: Why the last answer was refused; `None` if there was none.
            typed: The refused answer, which is filled in to be corrected.
        """
        choices: dict[str, DoubtChoice] = {choice.label: choice for choice in doubt.choices}
        hand = doubt.kind == "hand"
        later = hand and self.by_line  # on the full screen, Enter alone answers nothing
        if len(choices) == 1 and not hand:  # a single choice is no question
            choices["no: correct the line"] = NO
        prompt = Prompt(
            doubt.text,
            tuple((label, label) for label in choices),
            _pending_text(self.dialog.pending),
            hint="Abbreviated names will do; Enter alone: later." if later else "",
            usual=next(iter(choices)) if later and not typed else None,
            typed=typed,
        )
        if fault is not None:
            prompt = prompt._replace(fault=fault.text or prompt.fault_of(typed))

        def meant(text: str) -> str | None:
            """Return the label of the choice that a text means; `None` if it means none."""
            answer = numbered(text, [*choices.values()]) or self.dialog.answer_in(text)
            return next((label for label, choice in choices.items() if choice == answer), None)

        def settle(text: str | None) -> Account:
            """Handle the label of a choice, another text, or `None` for going back."""
            if text is None:
                return self._take_back()
            if text in choices:
                return self._account(self.dialog.answer(choices[text]))
            return self.handle_text(text)

        return PendingQuestion(prompt, settle, meant)

    def _take_back(self) -> Account:
        """Do not log the doubtful line, but leave it in the input to be corrected."""
        return self._account(Outcome(left=self.dialog.leave()))

    # Changes.

    def change(self, said: TypedCommand, line: str) -> Account:
        """
        Carry out a command that changes the game; if it lacks its argument, ask for that.

        Usually the command is put into the input line, for the person to go on.

        Args:
            said: The command.
            line: What stands in the input line.

        Raises:
            ClueError: If the change is not possible.
        """
        record, word = self.session.record, said.word
        if word == "fix" and not said.rest:
            return self._ask_for_correction()
        if word in ("undo", "redo"):
            return self._undo_or_redo(said, line)
        if word in ("edit", "insert") and said.rest:
            return self._edit(said)
        if not said.rest and word in sentences.HEADER:  # a command without a value shows it
            now = sentences.header_value(word, record.table)
            return Account(sentences.header_text(word, record.table), line=f"/{word} {now}")
        if COMMAND[word].example and not said.rest:
            return Account(_example_text(word), line=f"/{word} ")
        done = change(self.session, said)
        return Account(sentences.change_text(done, record.table), changed=True)

    def _ask_for_correction(self) -> Account:
        """
        Ask which correction of a contradictory log to make.

        If nobody is there to be asked, the first one is made.
        """
        check = self.session.game.check()
        if check.consistent:
            raise ArgumentError("nothing to fix: the entries are consistent")
        if not check.corrections:
            return Account(NO_CORRECTION)
        if not self.dialog.careful:
            return self.run(TypedCommand("fix", "1"))
        texts = map(correction_text, check.corrections)
        choices = [(text, str(number)) for number, text in enumerate(texts, 1)]
        how = "with edit" if self.by_line else "(Enter in the log)"
        none = (f"none of these: change an entry yourself {how}", "")
        prompt = Prompt("What was meant?", (*choices, none), usual="1")
        return self.ask_for(
            prompt, lambda text: self.run(TypedCommand("fix", text)) if text else Account()
        )

    def _edit(self, said: TypedCommand) -> Account:
        """
        Replace an entry, or insert a line before it.

        If the command has no line yet, its beginning is put in the input for the person to go on.
        """
        old = sentences.entry_text(self.session.entry(said.number), self.session.record.table)
        place = LogPlace(said.number, said.word == "insert")
        self._kept = command_for("", place)
        if said.line:
            return self._account(self.dialog.enter(said.line, place))
        self.given = command_for("" if place.insert else old, place)
        how = _example_text(said.word) if place.insert else ""
        return Account(how, line=self.given, kept=self._kept)

    def _undo_or_redo(self, said: TypedCommand, line: str) -> Account:
        """
        Undo or redo a change.

        If an entry is undone, it is put into the input line, unless the person has typed something
        there.

        Args:
            said: The command.
            line: What stands in the input line.
        """
        table = self.session.record.table
        done = change(self.session, said)
        text = sentences.change_text(done, table)
        if not isinstance(done, Change) or line not in ("", self.given):
            return Account(text, changed=True)
        gone = done.before if (said.word, done.kind) == ("undo", "removed") else None
        self.given = ""
        if isinstance(gone, Entry):
            _, line = self._typed.get(id(gone), (gone, sentences.entry_text(gone, table)))
            inside = done.entry is not None and done.entry <= len(self.session.lines)
            place = LogPlace(done.entry, insert=True) if inside else END
            self.given = command_for(line, place)
        return Account(text, changed=True, line=self.given, waits=bool(self.given))

    def next_menu(self, chosen: tuple[str, ...]) -> Prompt | Account:
        """
        Return the menu that follows the choices made in earlier menus.

        If the choices are complete, an account is returned that puts their line into the input.
        """
        record = self.session.record
        turns = self.session.game.play().turns
        found = next_question(record.table, turns, chosen, own_hand(record))
        if isinstance(found, Prompt):
            return found._replace(usual=found.values[0])
        told = reading_of(without_implied(found, record.table), record.table, unheard=True)
        return Account(line=told.line, waits=True)

    # The file and its end.

    def news(self) -> Account:
        """Read what another program has changed in the game's file, and return it as an account."""
        before, last = self.session.record, self._outside
        outside = self.session.poll()
        self._outside = "" if outside is None else sentences.outside_text(outside)
        changed = self.session.record is not before
        return Account(self._outside if changed or self._outside != last else "", changed=changed)

    def close(self, say: Say, typed: str = "") -> bool:
        """
        Close the game, and say where its file is; keep the lines that were typed but not logged.

        They are saved in a hidden file beside the game.

        Args:
            say: Prints a message.
            typed: The first of these lines, before those that wait; empty if there is none.

        Returns:
            Whether all of the game is in its file.
        """
        as_it_was = "" if self.place_in(self.given)[0] == END else self.given
        lines = (typed, *self.waiting)
        left = [line.strip() for line in lines if line.strip() and line != as_it_was]
        if left:
            kept = keep_lines(left, self.session.keeper)
            became = "not accepted yet, but kept with the game" if kept else "not accepted"
            say("\n".join(f"{became}: {printable(line)}" for line in left))
        return close_session(self.session, say=say)

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield advice; if the viewer's hand is missing from the log, it begins by saying so."""
        own = not game.record.finished and missing_hand(game) is not None
        for thought in super().thoughts(game):
            lead = f"{sentences.HANDLESS} " if own and thought.advice else ""
            yield thought._replace(text=f"{lead}{thought.text}", remark=self._until(thought))

    def _until(self, thought: Thought) -> str:
        """
        Return a thought's remark; for advice to accuse, also until when that is possible.

        Once the viewer's own turn is done, it is possible until the next player begins.
        """
        advice, turn = thought.advice, self.session.turn
        if advice is None or advice.kind != "accuse" or advice.later:
            return thought.remark
        if turn in (None, self.session.record.table.viewer):
            return thought.remark
        return f"{thought.remark} You still can, until {turn} begins.".strip()


def _example_text(word: str) -> str:
    """Return a message with an example of what may follow a command."""
    return f"go on, such as {word} {COMMAND[word].example}"


def _pending_text(pending: PendingLine | None) -> str:
    """Return a line that waits for an answer, as a person types it; empty if there is none."""
    return "" if pending is None or not pending.line else command_for(pending.line, pending.place)
