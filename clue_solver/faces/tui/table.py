"""
The one screen: its layout, how a report gets onto it without the typing ever waiting, and asking
the sheet: why, what if, as of when, through whose eyes, and which card to show.
"""

from collections.abc import Callable, Iterator
from threading import Lock
from typing import ClassVar, Literal

from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Footer, Static
from textual.worker import get_current_worker

from clue_solver.answers.corrections import Check
from clue_solver.answers.report import Report
from clue_solver.errors import ClueError, escape
from clue_solver.faces.tui.entry import EntryLine, Matches
from clue_solver.faces.tui.panes import Clash, Findings, LogView, Reading
from clue_solver.faces.tui.sheet import SheetView
from clue_solver.game import Game
from clue_solver.rules.table import ENVELOPE, SPECTATOR
from clue_solver.session import Session
from clue_solver.views.explanations import advice_text, reason_text
from clue_solver.views.text import amount, labelled


class View(Struct, frozen=True, kw_only=True):
    """
    One way to look at a game; `View()` is the game as it stands, by its own viewer's notes.

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
            yield f"WHAT IF {self.supposed}"
        if self.upto is not None:
            yield f"AS OF ENTRY {self.upto}"
        if self.viewer == SPECTATOR:
            yield "AS A SPECTATOR SEES IT"
        elif self.viewer is not None:
            yield f"THROUGH {self.viewer}'S EYES, by what everybody can know"


def next_viewer(session: Session, viewer: str | None) -> str | None:
    """Return whose eyes follow these: the other seats in order, a spectator, then one's own."""
    own = session.record.table.viewer
    others = [seat for seat in (*session.record.table.seats, SPECTATOR) if seat != own]
    if own is None:
        others.remove(SPECTATOR)
    around: list[str | None] = [None, *others]
    return around[(around.index(viewer) + 1) % len(around)]


Fold = Literal["sheet", "log", "best"]
FOLDS: dict[Fold, str] = {"sheet": "Sheet", "log": "Log", "best": "Solutions"}

_BESIDE, _ROOMY, _TALL = 26, 34, 32


class TableScreen(Screen[None]):
    """Sheet, log, findings and entry line of one session; `drawn` is the report on the screen."""

    CSS_PATH: ClassVar[str] = "table.tcss"
    AUTO_FOCUS = "#entry"

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.view = View()
        self.drawn: Report | None = None
        self.check: Check | None = None
        self._fold: Fold = "sheet"
        self._left: int | str = ""
        self._waiting = False
        self._thinking, self._fitting = Lock(), Lock()

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="trouble", markup=False)
        yield Static(id="banner", markup=False)
        yield Static(id="folds")
        with Horizontal(id="room"):
            with Vertical(id="left"):
                yield SheetView(id="sheet")
                yield Clash(id="clash")
            with Vertical(id="right"):
                yield Findings(id="best")
                yield LogView(id="log")
        yield Matches(id="matches")
        with Horizontal(id="typing"):
            yield Static(id="prompt", markup=False)
            yield EntryLine(self.rest_of, id="entry")
        yield Static(id="note", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.refresh_all()

    def rest_of(self, line: str) -> str | None:
        """Return the line with its likeliest rest, to be dimmed."""
        raise NotImplementedError

    def refresh_all(self) -> None:
        """Draw the log, the head and the rest as of now, and ask for the report."""
        self._waiting = True
        self._write_log()
        self._write_head()
        trouble, banner = self.session.trouble, self.view.banner
        why = f"! not written: {escape(trouble or '', most=300)}; the game goes on in memory"
        self._hang_out("#trouble", why if trouble is not None else "")
        self._hang_out("#banner", f"{banner} — Esc comes back" if banner else "")
        view = self.view
        self.run_worker(lambda: self._think(view), thread=True, exclusive=True, group="report")

    def ask(self, title: str, answer: Callable[[], RenderableType]) -> None:
        """Look for an answer beside the typing, and open it to read."""

        def look() -> None:
            try:
                with self._thinking:
                    text = answer()
            except ClueError as error:
                self.call_later(self._refused, str(error))
            else:
                self.call_later(self._answered, title, text)

        self.run_worker(look, thread=True, exclusive=True, group="answer")

    def say(self, text: str | Text) -> None:
        """Say something under the entry line."""
        note = Text(text) if isinstance(text, str) else text
        self.query_one("#note", Static).update(note, layout=False)

    def _answered(self, title: str, text: RenderableType) -> None:
        """Open an answer that was looked for in a thread."""
        if self.app.screen is self:
            self.app.push_screen(Reading(title, text))

    def _refused(self, trouble: str) -> None:
        """Say why what was asked for in a thread cannot be."""
        self.say(trouble)
        self._waiting = False
        self._write_head()

    def _draw(self, view: View, report: Report) -> None:
        """Draw a report, unless something else is looked at by now."""
        if view != self.view or report.table is not self.session.record.table:
            return
        if view.upto is None and report.entries != len(self.session.record.entries):
            return
        self.drawn, self._waiting = report, False
        self.query_one(SheetView).report = report
        clash = self.query_one(Clash)
        if clash.display == report.consistent:
            clash.display = not report.consistent
            self.query_one(SheetView).display = report.consistent
        if not report.consistent:
            clash.tell(report, self.session.lines)
        self.query_one(Findings).tell(report, most=8 if self.size.height >= _TALL else 5)
        self._write_log()
        self._write_head()
        self._arrange()

    def _mend(self, view: View, check: Check) -> None:
        """Offer the corrections, unless something else is looked at by now."""
        if view == self.view and self.drawn is not None and not self.drawn.consistent:
            self.check = check
            self.query_one(Clash).mend(check)

    def on_resize(self, _: Resize) -> None:
        self._arrange()

    def action_fold(self, fold: Fold) -> None:
        """Show one pane of a narrow screen."""
        self._fold = fold
        self._arrange()

    @property
    def narrow(self) -> bool:
        """Whether the panes are folded behind tabs."""
        return self.has_class("-narrow")

    def _think(self, view: View) -> None:
        """Draw up the report of a view, in a thread of its own; a clash is checked afterwards."""
        worker = get_current_worker()
        with self._thinking:
            if worker.is_cancelled:
                return
            try:
                report = view.game(self.session).report(viewer=view.viewer, upto=view.upto)
            except ClueError as error:
                self.call_later(self._refused, str(error))
                return
            self.call_later(self._draw, view, report)
            if report.consistent or worker.is_cancelled:
                return
            game = self.session.game
            check = game.check(viewer=view.viewer, upto=view.upto)
            if not worker.is_cancelled:
                self.call_later(self._mend, view, check)

    def _hang_out(self, bar: str, text: str) -> None:
        """Show a bar with words, or none; the layout is left alone where nothing changes."""
        hung = self.query_one(bar, Static)
        if text or hung.display:
            hung.update(Text(text))
            hung.display = bool(text)

    def _write_log(self) -> None:
        conflict = () if self.drawn is None else self.drawn.conflict
        log = self.query_one(LogView)
        log.write(self.session.lines, upto=self.view.upto, conflict=conflict)

    def _write_head(self) -> None:
        table, report = self.session.record.table, self.drawn
        entries = len(self.session.record.entries)
        who = "a spectator" if table.viewer is None else table.viewer
        parts = [f"{entries} entr{'y' if entries == 1 else 'ies'}"]
        if self._waiting:
            parts.append("working it out ...")
        elif report is not None and report.consistent:
            parts.append(f"{report.bits:.2f} bits, {amount(report.deals)} deals left")
        parts += [f"notes of {who}", table.edition.title]
        if self.session.finished:
            parts.insert(0, "the game is over")
        elif self.session.turn is not None:
            parts.insert(0, f"turn: {self.session.turn}")
        self.query_one("#head", Static).update(Text(" · ".join(parts), no_wrap=True), layout=False)

    def _arrange(self) -> None:
        """Give the sheet the room that it needs; fold the panes where nothing is left beside it."""
        sheet = self.query_one(SheetView)
        least, most = sheet.breadths
        width = self.size.width
        narrow = width - least < _BESIDE
        self.set_class(narrow, "-narrow")
        self.set_class(self.size.height >= _TALL, "-tall")
        for fold in FOLDS:
            self.set_class(narrow and fold == self._fold, f"-{fold}")
        left = self.query_one("#left")
        clashing = self.drawn is not None and not self.drawn.consistent
        wide = max(least, min(most, width - _ROOMY), width // 2 if clashing else 0)
        width_of_left = "1fr" if narrow else wide
        if width_of_left != self._left:
            left.styles.width = self._left = width_of_left
        if narrow:
            tabs = [
                Content.styled(f" {name} ", "reverse" if fold == self._fold else "")
                .stylize(f"@click=screen.fold('{fold}')")
                for fold, name in FOLDS.items()
            ]  # fmt: skip
            self.query_one("#folds", Static).update(Content(" ").join(tabs))


HELP = """\
Type what happens, in full or in short, then Enter:
  ann mus wr lou : cat mus     Ann suggests Mustard, Wrench, Lounge: ... Cat shows Mustard
  mus wr lou -                 whose turn it is suggests; nobody shows
  ben asks cat about plum : -  see the README for all kinds of lines
Tab accepts the match, Up and Down choose another one, Enter tells the line.
A half-typed line stays until you tell it or delete it.

F1 or ?   this help                 F2   choose what happened from lists
F3        which of your cards to show in answer to the typed suggestion
F4        hand sizes                F5   the first correction (1-9: that one)
F6, Tab   the next pane: sheet, log, solutions, entry line
F7        the next player's eyes    [ ]  the game as of an earlier, later entry
F8        what if: the cell's holder has the card; once more: has it not
F9        why: Enter on a cell, or with nothing typed
F10       what to ask next, whether to accuse, who is close (Ctrl+G where F10 is taken)
Ctrl+Z, Ctrl+Y   undo, redo         Ctrl+T   dark, light
Ctrl+Q    leave; every entry is in the file already
Esc       leaves an edit, then comes back from a view, then to the entry line

With nothing typed the arrows move the cursor on the sheet.
In the sheet: w why, i what if.     In the log: Enter edits, Del takes out,
                                    Space shows the game as of that entry.
✓ has it   · cannot have it   number: chance in percent   ✗ contradicts the log"""


class AskingScreen(TableScreen):
    """The screen as something to ask; it changes what is looked at, never the game."""

    def on_sheet_view_asked(self) -> None:
        self.action_why()

    def action_why(self) -> None:
        """Say why the card under the cursor is where it is, or may be."""
        cell = self.query_one(SheetView).cell
        if cell is None or self.drawn is None or not self.drawn.consistent:
            return
        view, session = self.view, self.session

        def answer() -> RenderableType:
            game = view.game(session)
            return reason_text(game.why(*cell, viewer=view.viewer, upto=view.upto))

        self.ask("Why?", answer)

    def action_what_if(self) -> None:
        """Suppose that the holder has the card; asked again, that it has not."""
        cell = self.query_one(SheetView).cell
        if cell is None:
            return
        card, holder = cell
        has, lacks = f"{holder} has {card}", f"{holder} lacks {card}"
        supposed = lacks if self.view.supposed == has else has
        self.look(View(viewer=self.view.viewer, upto=self.view.upto, supposed=supposed))
        name = "the envelope" if holder == ENVELOPE else holder
        self.say(f"supposing about {name} and {card}; once more for the contrary, Esc comes back")

    def action_as_of(self, step: int = 0) -> None:
        """See the game as of an earlier or later entry; as of the highlighted one for 0."""
        last = len(self.session.record.entries)
        at = self.view.upto if self.view.upto is not None else last
        upto = max(0, min(last, at + step)) if step else self.query_one(LogView).entry
        self.look(View(viewer=self.view.viewer, upto=None if upto == last else upto))

    def action_eyes(self) -> None:
        viewer = next_viewer(self.session, self.view.viewer)
        self.look(View(viewer=viewer, upto=self.view.upto))

    def action_showings(self) -> None:
        """Say which cards may be shown in answer to the typed suggestion, and what each tells."""
        line = self.query_one(EntryLine).value
        if not line.strip():
            self.say("type the suggestion that you are asked, then F3 says which card to show")
            return

        def answer() -> RenderableType:
            rows = [
                (each.card, f"they know it, entry {each.known}" if each.known
                 else f"tells {max(each.bits, 0):.2f} bits")
                for each in self.session.showings(line)
            ]  # fmt: skip
            if not rows:
                return Text("You have none of these cards: you pass.")
            return labelled("What tells least stands first", rows)

        self.ask("Which card may I show?", answer)

    def action_advise(self) -> None:
        game, upto = self.session.game, self.view.upto
        self.ask("What to ask", lambda: advice_text(game.advice(upto=upto)))

    def action_help(self) -> None:
        self.app.push_screen(Reading("Keys and short forms", Text(HELP)))

    def action_pane(self, step: int = 1) -> None:
        """Go to the next pane; the entry line follows the last."""
        main = "#sheet" if self.drawn is None or self.drawn.consistent else "#corrections"
        around = ["#entry", main, "#log", "#best"]
        places = (n for n, pane in enumerate(around) if self.query_one(pane) is self.focused)
        pane = around[(next(places, 0) + step) % len(around)]
        self.action_fold("log" if pane == "#log" else "best" if pane == "#best" else "sheet")
        self.set_focus(self.query_one(pane))

    def look(self, view: View) -> None:
        self.view, self.check = view, None
        self.refresh_all()
