"""
The one screen: its layout, how a report gets onto it without the typing ever waiting, and asking
the sheet: why, what if, as of when, through whose eyes, and which card to show.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from threading import Lock
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.content import Content
from textual.events import Resize
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from clue_solver.answers.corrections import Check, Correction
from clue_solver.answers.own_turn import OwnTurn, place_named
from clue_solver.answers.report import Report
from clue_solver.conversation.commands import COMMANDS, GameCommand, Said
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, counted, printable
from clue_solver.faces.answering import answered
from clue_solver.faces.thoughts import Thought, looks, provisional
from clue_solver.faces.tui.blocks import Blocks
from clue_solver.faces.tui.entry import EntryLine, Matches
from clue_solver.faces.tui.panes import (
    ADVISED,
    Advising,
    Clash,
    Findings,
    InputDialog,
    LogView,
    TextDialog,
    findings,
    help_text,
)
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.game import Game
from clue_solver.rules.table import ANY, SPECTATOR
from clue_solver.views.document import render
from clue_solver.views.reports import HABITS, RULES, basis
from clue_solver.views.sentences import brief_texts, correction_text, logged_text


class ViewOptions(Struct, frozen=True, kw_only=True):
    """
    One way to look at a game; `ViewOptions()` is the game as it stands, by its own viewer's notes.

    So many entries count, all for `None`; `supposed` is a line that is assumed besides.
    """

    viewer: str | None = None
    upto: int | None = None
    supposed: str | None = None

    def game(self, session: Session) -> Game:
        """Return the game with what is assumed; raises as `Game.suppose`."""
        return session.game.suppose(self.supposed) if self.supposed else session.game

    @property
    def banner(self) -> str:
        """What to say about the view; empty for the game as it stands."""
        return "; ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if self.supposed is not None:
            yield f"What if {self.supposed}"
        if self.upto is not None:
            yield f"As of entry {self.upto}"
        if self.viewer == SPECTATOR:
            yield "As a spectator sees it"
        elif self.viewer is not None:
            yield f"As {self.viewer} sees it, from what everybody can know"


def next_viewer(session: Session, viewer: str | None) -> str | None:
    """Return whose eyes follow these: the other seats in order, a spectator, then one's own."""
    own = session.record.table.viewer
    others = [seat for seat in (*session.record.table.seats, SPECTATOR) if seat != own]
    if own is None:
        others.remove(SPECTATOR)
    around: list[str | None] = [None, *others]
    return around[(around.index(viewer) + 1) % len(around)]


Provisional = tuple[Report, Correction] | None
"""A report under the likeliest correction of a log that contradicts itself."""

Fold = Literal["sheet", "log", "best"]
FOLDS: dict[Fold, str] = {"sheet": "Sheet", "log": "Log", "best": "Solutions"}

TITLES = {
    "#verdict": "What to do",
    "#best": "Solutions",
    "#clash": "The log",
    "#log": "Log",
}
"""What frames are called, where there is room for them."""

TITLED = {
    "sheet": "The sheet",
    "log": "The log",
    "best": "The likeliest solutions",
    "board": "The board",
    "why": "Why",
    "check": "Check the log",
    "suppose": "What if?",
    "as": "Through other eyes",
    "show": "Which card may I show?",
    "advise": "What to do",
    "review": "The game, turn by turn",
}
"""What the answer to a word is called that is opened to be read."""

STEERING = {
    "up": (-1, 0),
    "down": (1, 0),
    "left": (0, -1),
    "right": (0, 1),
    "pageup": (-8, 0),
    "pagedown": (8, 0),
}
"""How many cards and holders a key moves the sheet's cursor by."""

_CHROME, _BESIDE, _READABLE, _FRAMED, _TALL = 8, 38, 9, 110, 32
"""Rows around a pane alone; columns beside the sheet; letters that tell a card; room for frames."""


class TableScreen(Screen[None]):
    """
    Sheet, log, findings and entry line of one session.

    Attributes:
        commands: What the palette lists.
        session: The game.
        view: How it is looked at.
        drawn: The report on the screen.
        check: How the log may be corrected, where it contradicts itself and that is known.
        line: Where one types.
        said: What was said last; `passing` says whether the next key takes it away.
        columns: The columns of what stands beside the sheet.
        asks: What is expected of how players ask, as `Game.report` has it.
        fitting: Held while it is looked for what contradicts the log.
    """

    commands: ClassVar[tuple[GameCommand, ...]] = COMMANDS
    CSS_PATH: ClassVar[str] = "table.tcss"
    AUTO_FOCUS = "#entry"

    def __init__(self, session: Session, line: EntryLine) -> None:
        super().__init__()
        self._held = ExitStack()
        self.session = session
        self.line = line
        self.view = ViewOptions()
        self.drawn: Report | None = None
        self.check: Check | None = None
        self._fold: Fold = "sheet"
        self._waiting = False
        self.said = Text()
        self.passing = False
        self._note_text = Text()
        self._leaving = ""  # the line that Escape empties when it is pressed once more
        self.columns = 0
        self.asks: str | None = None
        self._thinking, self._deciding, self.fitting = Lock(), Lock(), Lock()

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="folds")
        with Container(id="room"):
            with Container(id="left"):
                yield SheetView(id="sheet")
            with Container(id="right"):
                yield Static(id="trouble", markup=False)
                yield Static(id="banner", markup=False)
                yield Static(id="verdict", markup=False)
                with Container(id="below"):
                    with Container(id="side"):
                        yield Findings(id="best")
                        yield Clash(id="clash")
                    with Container(id="main"):
                        yield LogView(id="log")
                        with Container(id="telling"):
                            yield Matches(id="matches")
                            with Horizontal(id="typing"):
                                yield Static(id="prompt", markup=False)
                                yield self.line
                            yield Static(id="note", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        for pane, title in TITLES.items():
            self.query_one(pane).border_title = title
        self.refresh_all()

    def take_key(self, key: str, mark: str | None) -> bool:
        """Take a key that means more than typing, or types from elsewhere; whether it did."""
        raise NotImplementedError

    @property
    def turn(self) -> str:
        """Whose turn it is, as far as it follows from the log; empty if it does not."""
        return self.session.turn or ""

    def on_matches_clicked(self, message: Matches.Clicked) -> None:
        self.line.write(message.match.line)

    def refresh_all(self) -> None:
        """Draw the log, the head and the rest as of now, and ask for the report."""
        self._waiting = True
        self._write_log()
        self._write_head()
        trouble, banner = self.session.trouble, self.view.banner
        why = f"! not written: {printable(str(trouble), most=300)}; the game goes on in memory"
        self._hang_out("#trouble", why if trouble is not None else "")
        self._hang_out("#banner", f"{banner} — Esc comes back" if banner else "")
        view = self.view
        self.query_one("#verdict", Static).update("...")
        self.query_one("#verdict").remove_class("-certain")
        self._held.close()
        self._held.enter_context(self.app.batch_update())  # log and sheet are painted at once
        self.set_timer(0.03, self._held.close)
        self.run_worker(lambda: self._think(view), thread=True, exclusive=True, group="report")

    def ask(
        self,
        title: str,
        answer: Callable[[], RenderableType],
        screen: Callable[[str, RenderableType], TextDialog] = TextDialog,
        then: Callable[[str | None], None] | None = None,
    ) -> None:
        """
        Look for an answer beside the typing, and open it to read; say that it is looked for.

        It does not open over a line that was begun meanwhile: its letters would be taken as keys.
        """
        self.say(f"{title} ...")
        before = self.line.value

        def look() -> None:
            try:
                with self._thinking:
                    text = answer()
            except ClueError as error:
                self.call_later(self._refused, str(error))
            else:
                self.call_later(self._answered, before, title, screen(title, text), then)

        self.run_worker(look, thread=True, exclusive=True, group="answer")

    def say(self, text: str | Text, *, passing: bool = True) -> None:
        """Say something under the entry line, whole; a passing word goes with the next key."""
        self.said = Text(text) if isinstance(text, str) else text
        self._note_text = Text("\n").join(filter(None, (self.said, self.line.waits)))
        self._fit_note()
        self.passing = passing and bool(self.said)

    def _fit_note(self) -> None:
        """Give what is said under the entry line the rows that it needs; what is cut ends so."""
        note = self.query_one("#note", Static)
        lines = self._note_text.wrap(self.app.console, max(8, self.columns - 2))
        height = max(2, min(len(lines), self.noted))
        cut = len(lines) > height
        shown = Text("\n").join([*lines[: height - 1], Text("…")]) if cut else self._note_text
        note.update(shown, layout=False)
        if note.styles.height is None or note.styles.height.value != height:
            note.styles.height = height
            scarce = 24 if self.has_class("-framed") else 17
            self.set_class(height > self.size.height - scarce, "-long")

    @property
    def noted(self) -> int:
        """How many rows there are for what is said under the entry line, at most."""
        return self.size.height - (11 if self.narrow else 10)

    def _answered(
        self, before: str, title: str, dialog: TextDialog, then: Callable[[str | None], None] | None
    ) -> None:
        """Open an answer that was looked for in a thread."""
        if self.app.screen is not self:
            return
        if self.line.value != before:
            self.say(f"{title} is there; ask for it once more to read it", passing=False)
            return
        self.say("")
        self.app.push_screen(dialog, then)

    def _refused(self, trouble: str) -> None:
        """Say why what was asked for in a thread cannot be."""
        self.say(trouble)
        self._waiting = False
        self._write_head()

    def _current(self, view: ViewOptions, report: Report) -> bool:
        """Whether a report is still what is looked at."""
        table = self.session.record.table
        entries = len(self.session.record.entries)
        seen = replace(report.table, asks=table.asks, viewer=table.viewer)
        same = report.table is table or seen == table
        return view == self.view and same and (view.upto is not None or report.entries == entries)

    def _draw(self, view: ViewOptions, report: Report) -> None:
        """Draw a report, unless something else is looked at by now; a clash leaves the sheet."""
        if not self._current(view, report):
            return
        self.drawn = report
        self._waiting = False
        sheet, clash = self.query_one(SheetView), self.query_one(Clash)
        if report.consistent:
            sheet.report = report
            self.query_one("#best", Findings).write(partial(findings, report))
        else:
            clash.tell(report, self.session.lines)
            self.query_one("#verdict", Static).update(
                "✗ The log contradicts itself; F5 lists the corrections"
            )
            self._hang_out("#banner", "Provisional: the sheet as it was; looking for corrections")
        if clash.display == report.consistent:
            clash.display = not report.consistent
            self.query_one("#best").display = report.consistent
        self._write_log()
        self._arrange()
        self._write_head()
        self._held.close()
        if report.consistent:
            self.call_after_refresh(self._look_closer, view, report)

    def _look_closer(self, view: ViewOptions, report: Report) -> None:
        """Begin to look what to do, now that the sheet is on the screen and waits for nothing."""
        if self._current(view, report):
            decide = partial(self._decide, view, report)
            self.run_worker(decide, thread=True, exclusive=True, group="decision")

    def _mend(self, view: ViewOptions, check: Check, likeliest: Provisional) -> None:
        """Offer the corrections, and draw the sheet under the likeliest one."""
        if view != self.view or self.drawn is None or self.drawn.consistent:
            return
        self.check = check
        self.query_one(Clash).mend(check)
        if count := len(check.corrections):
            ways = f"all {count} corrections" if count > 1 else "the correction"
            self.query_one("#verdict", Static).update(
                f"✗ The log contradicts itself; F5 lists {ways}"
            )
        if likeliest is not None:
            self.query_one(SheetView).report, correction = likeliest
            self._hang_out("#banner", f"Provisional: the sheet if {correction_text(correction)}")
            self._arrange()

    def _decide(self, view: ViewOptions, report: Report) -> None:
        """Find what to do now, in a thread of its own, after the sheet: by quick advice at once."""
        worker = get_current_worker()
        try:
            game = view.game(self.session)
            thoughts = looks(game.seen(viewer=view.viewer, upto=view.upto, asks=self.asks))
            first = next(thoughts)
            if worker.is_cancelled:
                return
            self.call_later(self._tell, view, report, first)
            with self._deciding:  # closer looks, which take longer, come one by one
                closer = first if worker.is_cancelled else next(thoughts, first)
                if closer.advice is not first.advice:
                    self.call_later(self._tell, view, report, closer)
        except ClueError as error:
            self.call_later(self._tell, view, report, Thought(self.session.record, str(error)))

    def _tell(self, view: ViewOptions, report: Report, told: Thought) -> None:
        """Write what to do now in its place, half a why and the odds under it."""
        if self._current(view, report):
            text = Text(told.text, "bold")
            if told.remark:
                text = Text.assemble(text, f"\n{told.remark}")
            self.query_one("#verdict", Static).update(text)
            self.query_one("#verdict").set_class(told.certain, "-certain")

    def on_resize(self, _: Resize) -> None:
        self._arrange()
        self._write_head()
        self._fit_note()

    def action_fold(self, fold: Fold) -> None:
        """Show one pane of a narrow screen."""
        self._fold = fold
        self._arrange()

    @property
    def narrow(self) -> bool:
        """Whether the panes are folded behind tabs."""
        return self.has_class("-narrow")

    def _think(self, view: ViewOptions) -> None:
        """Draw up the report of a view, in a thread of its own; a clash is checked afterwards."""
        worker = get_current_worker()
        with self._thinking:
            if worker.is_cancelled:
                return
            try:
                game = view.game(self.session)
                report = game.report(viewer=view.viewer, upto=view.upto, asks=self.asks)
            except ClueError as error:
                self.call_later(self._refused, str(error))
                return
            self.call_later(self._draw, view, report)
            if report.consistent or worker.is_cancelled:
                return
            check = self.session.game.check(viewer=view.viewer, upto=view.upto)
            likeliest = provisional(self.session.game) if view == ViewOptions() else None
            if not worker.is_cancelled:
                self.call_later(self._mend, view, check, likeliest)

    def _hang_out(self, bar: str, text: str) -> None:
        """Show a bar with words, or none; the layout is left alone where nothing changes."""
        hung = self.query_one(bar, Static)
        if text or hung.display:
            hung.update(Text(text))
            hung.display = bool(text)

    def _write_log(self) -> None:
        conflict = () if self.drawn is None else self.drawn.conflict
        log = self.query_one(LogView)
        record = self.session.record
        briefs = [brief_texts(record.entries, record.table, letters=most) for most in (9, 4)]
        whole = (logged_text(entry, record.table) for entry in record.entries)
        lines = tuple(zip(whole, *briefs, strict=True))
        log.write(lines, upto=self.view.upto, conflict=conflict)

    def _write_head(self) -> None:
        table = self.session.record.table
        entries = len(self.session.record.entries)
        who = "a spectator" if table.viewer is None else table.viewer
        facts = [counted(entries, "entry")]
        if self._waiting:
            facts.append("working it out ...")
        if self.session.finished:
            facts.insert(0, "the game is over")
        elif self.turn:
            facts.insert(0, f"{self.turn}'s turn")
        drawn, kept = self.drawn, self.query_one(SheetView).marked is not None
        how = "" if drawn is None or kept or not drawn.consistent else basis(drawn)
        parts = [*facts, f"notes of {who}", table.edition.title]
        if how and not self.has_class("-framed"):  # else it stands in the frame of the sheet
            parts.insert(-1 if self.asks is None else len(facts), f"chances {how}")
        while len(parts) > 1 and cell_len(" · ".join(parts)) > self.size.width - 2:
            parts.pop()  # what matters least stands last
        self.query_one("#head", Static).update(Text(" · ".join(parts), no_wrap=True), layout=False)
        notes = f"{who}'s notes" if table.viewer else "The table"
        self.query_one("#sheet").border_title = escape(notes)
        self.query_one("#sheet").border_subtitle = how
        turn = "" if self.session.finished or not self.turn else f" · {self.turn}'s turn"
        telling = self.query_one("#telling")
        telling.border_title = escape(f"{entries + 1}{turn}")
        telling.set_class(self.session.turn == table.viewer is not None, "-mine")

    def _arrange(self) -> None:
        """Give the sheet the room that it needs; fold the panes where nothing is left for them."""
        sheet = self.query_one(SheetView)
        width, height = self.size
        framed = width >= _FRAMED and height >= _TALL
        frame = 2 if framed else 0
        rows = height - 2 - frame
        sheet.roomy = framed
        side = width - _BESIDE - frame
        sheet.titled = True
        number = _first(sheet.plans(side), rows, _READABLE)
        if not number and (one := next(sheet.plans(side), None)) is not None:
            number = int(one.fits and one.label >= min(_READABLE, one.longest))
            sheet.titled = False  # a row for each card, and the rest is scrolled to
        narrow = not number
        if narrow:
            sheet.titled = True
            number = _first(sheet.plans(width), height - _CHROME) or sheet.fewest_rows(width)
        sheet.number = number
        classes = {f"-{fold}": narrow and fold == self._fold for fold in FOLDS}
        classes |= {"-narrow": narrow, "-framed": framed and not narrow, "-tall": height >= _TALL}
        classes["-clashing"] = self.drawn is not None and not self.drawn.consistent
        self.update_classes(classes)  # at once: every change of one styles the screen anew
        breadth = min(side, sheet.breadth) + frame
        self.query_one("#left").styles.width = "1fr" if narrow else breadth
        self.columns = width if narrow else width - breadth - 1 - frame
        sheet.refresh()
        if narrow:
            tabs = [
                Content.styled(f" {name} ", "reverse" if fold == self._fold else "").stylize(
                    f"@click=screen.fold('{fold}')"
                )
                for fold, name in FOLDS.items()
            ]
            self.query_one("#folds", Static).update(Content(" ").join(tabs))


def _rolled(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ArgumentError(f"expected a number; found '{printable(text)}'")
    return int(text)


def _first(plans: Iterator[Blocks], rows: int, label: int = 0) -> int:
    """Return the number of the first plan that fits into so many rows; 0 if none does."""
    for number, plan in enumerate(plans, 1):
        if plan.fits and plan.height <= rows and plan.label >= min(label, plan.longest):
            return number
    return 0


class AskingScreen(TableScreen):
    """The screen as something to ask; it changes what is looked at, never the game."""

    def steer(self, key: str) -> bool:
        """Take a key that is for the sheet, or asks, where nothing is typed; whether it is one."""
        if key in STEERING:
            self.query_one(SheetView).action_move(*STEERING[key])
        elif key == "question_mark":
            self.action_help()
        elif key in ("left_square_bracket", "right_square_bracket"):
            self.action_as_of(-1 if key.startswith("left") else 1)
        else:
            return False
        return True

    def step_back(self, *, known: str = "") -> bool:
        """
        Leave the view, else the pane, else the line; return whether there was one to leave.

        What was typed is emptied only by the second Escape.

        Args:
            known: A line that was not typed, or comes back anyway: it goes at once.
        """
        line = self.line
        if self.view != ViewOptions():
            self.look(ViewOptions())
            self.say("")
        elif self.focused is not line:
            self.set_focus(line)
        elif line.value.strip() in ("", known, self._leaving):
            self._leaving = ""
            left = bool(line.value)
            line.write("")
            return left
        else:
            self._leaving = line.value.strip()
            self.say("Esc once more empties the line")
        return True

    def on_sheet_view_asked(self) -> None:
        self.action_why()

    def action_why(self) -> None:
        """Say why the card under the cursor is where it is, or may be."""
        cell = self.query_one(SheetView).cell
        if cell is None or self.drawn is None:
            return
        if not self.drawn.consistent:
            self.say("no reason can be given while the log contradicts itself; F5 corrects it")
            return
        view, session = self.view, self.session

        def answer() -> RenderableType:
            game = view.game(session)
            return render(game.why(*cell, viewer=view.viewer, upto=view.upto, asks=self.asks))

        self.ask("Why", answer)

    def action_what_if(self) -> None:
        """Suppose that the holder has the card; asked again, that it has not."""
        cell = self.query_one(SheetView).cell
        if cell is None:
            return
        card, holder = cell
        has, lacks = f"{holder} has {card}", f"{holder} lacks {card}"
        supposed, other = (lacks, has) if self.view.supposed == has else (has, lacks)
        self.look(ViewOptions(viewer=self.view.viewer, upto=self.view.upto, supposed=supposed))
        self.say(f"the same key again: what if {other}; Esc comes back")

    def action_as_of(self, step: int = 0) -> None:
        """See the game as of an earlier or later entry; as of the highlighted one for 0."""
        last = len(self.session.record.entries)
        at = self.view.upto if self.view.upto is not None else last
        upto = max(0, min(last, at + step)) if step else self.query_one(LogView).entry
        self.look(ViewOptions(viewer=self.view.viewer, upto=None if upto == last else upto))

    def action_habits(self) -> None:
        """Let the chances go by the rules alone, or by how people play as well again."""
        if self.session.record.table.asks == ANY:
            self.say(f"the record has asks: any, so the chances go {RULES} anyway")
            return
        self.asks = "any" if self.asks is None else None
        self.refresh_all()
        now, other = (HABITS, RULES) if self.asks is None else (RULES, HABITS)
        self.say(f"the chances go {now}; Ctrl+R: {other}")

    def action_eyes(self) -> None:
        viewer = next_viewer(self.session, self.view.viewer)
        self.look(ViewOptions(viewer=viewer, upto=self.view.upto))

    def action_showings(self) -> None:
        """Say which cards may be shown in answer to the typed suggestion, and what each tells."""
        line = self.line.value
        if not line.strip():
            self.say("type the suggestion that you are asked, then F3 says which card to show")
            return

        self.action_tell("show", line)

    def action_tell(self, word: str, rest: str = "") -> None:
        """Open what a command that only asks is answered, to read."""
        session = self.session.still()
        width = max(20, min(92, self.size.width - 8))
        asks = self.asks

        def answer() -> RenderableType:
            parts = answered(session, Said(word, rest), width=width, asks=asks)
            return Group(*(Text(part) if isinstance(part, str) else part for part in parts))

        title = TITLED[word]
        self.ask(f"{title.rstrip('?')}: {rest}" if rest else title, answer)

    def action_advise(self, **where: str) -> None:
        """
        Say whether to accuse, what to ask and why, as the record has it.

        From where, and with what dice, is asked; what the record tells is filled in.
        """
        if self.session.finished and self.view == ViewOptions():
            self.say("the game is over: /review looks back on it")
            return
        game = self.session.game
        upto, asks = self.view.upto, self.asks
        title = "What to do" if asks is None else f"What to do, {RULES}"
        if where:
            title += f" ({', '.join(f'{name}: {text}' for name, text in where.items())})"

        def answer() -> RenderableType:
            roll = _rolled(where["roll"]) if "roll" in where else None
            at, dice = where.get("at"), where.get("dice")
            return render(game.advice(upto=upto, asks=asks, at=at, roll=roll, dice=dice))

        def asked(name: str | None) -> None:
            if name == "roll" and "at" not in where:  # a roll says nothing without a room
                fill("at", lambda: asked("roll"))
            elif name is not None:
                fill(name, lambda: self.action_advise(**where))

        def fill(name: str, then: Callable[[], None]) -> None:
            viewer, seen = game.table.viewer, game.observations[:upto]
            known = OwnTurn(game.table, seen, viewer).recorded if viewer else {}

            def use(text: str) -> None:
                named = place_named(game.table.edition, text) if name == "at" else text
                where.update({name: named})

            dialog = InputDialog(ADVISED[name], known.get(name, ""), use, offered=True)
            self.app.push_screen(dialog, lambda done: then() if done else None)

        self.ask(title, answer, Advising, asked)

    def action_review(self) -> None:
        self.action_tell("review")

    def action_help(self) -> None:
        self.app.push_screen(TextDialog("Keys and short forms", help_text()))

    def action_pane(self, step: int = 1) -> None:
        """Go to the next pane; the entry line follows the last."""
        best = "#best" if self.drawn is None or self.drawn.consistent else "#corrections"
        around = ["#entry", "#sheet", "#log", best]
        places = (n for n, pane in enumerate(around) if self.query_one(pane) is self.focused)
        pane = around[(next(places, 0) + step) % len(around)]
        self.action_fold("log" if pane == "#log" else "best" if pane == best else "sheet")
        self.set_focus(self.query_one(pane))

    def look(self, view: ViewOptions) -> None:
        self.view = view
        self.check = None
        self.refresh_all()
