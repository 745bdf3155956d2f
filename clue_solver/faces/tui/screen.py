"""The screen of a game: sheet, log, what to do, and one line to type in."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Lock
from typing import ClassVar

from msgspec import Struct
from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.markup import escape
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static, Tab, Tabs
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from clue_solver.answers.corrections import Check
from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.conversation.commands import COMMAND, Said
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, counted, printable
from clue_solver.faces.answering import answered
from clue_solver.faces.helping import help_text
from clue_solver.faces.thoughts import Thought, looks
from clue_solver.faces.tui.colours import Depth
from clue_solver.faces.tui.commands import action
from clue_solver.faces.tui.dialogs import Reader
from clue_solver.faces.tui.line import Line, Matches
from clue_solver.faces.tui.sheet import HINTS, Hints, Sheet
from clue_solver.game import Game
from clue_solver.notation import Completion
from clue_solver.record import Record
from clue_solver.rules.table import SPECTATOR
from clue_solver.views.document import render
from clue_solver.views.reports import HABITS, RULES, quoted, settled_lines
from clue_solver.views.sentences import brief_texts, correction_text

PANES = {"sheet": "Sheet", "log": "Log", "side": "Advice"}
"""The panes of a narrow screen, of which one is seen."""

_MOST_NEW = 12
"""The most facts that are told as settled: a hand settles more than is worth reading."""

_BESIDE = 28
"""The columns beside the sheet in which a line may be typed; else it stands below."""

_WIDEST = 92
"""The columns of what is opened to be read, at most."""


class Look(Struct, frozen=True, kw_only=True):
    """
    One way to look at a game; `Look()` is the game as it stands, by its own viewer's notes.

    Attributes:
        viewer: Through whose eyes; the viewer's own for `None`.
        upto: How many entries count; all for `None`.
        supposed: A line that is assumed besides.
    """

    viewer: str | None = None
    upto: int | None = None
    supposed: str | None = None

    @property
    def banner(self) -> str:
        """What to say of it; empty for the game as it stands."""
        return "; ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if self.supposed is not None:
            yield f"What if {self.supposed}?"
        if self.upto is not None:
            yield f"As of entry {self.upto}"
        if self.viewer == SPECTATOR:
            yield "As a spectator sees it"
        elif self.viewer is not None:
            yield f"As {self.viewer} sees it, from what everybody can know"


class Log(OptionList):
    """The entries; the last that counts stays in view, whatever takes the room beside it."""

    def __init__(self) -> None:
        super().__init__(id="log", markup=False, compact=True)

    def write(self, entries: Iterable[Text], last: int) -> None:
        """Write the entries, with a mark at the last that counts."""
        self.clear_options()
        self.add_options(Option(entry) for entry in entries)
        self.highlighted = last - 1 if last else None
        self.call_after_refresh(self.scroll_to_highlight)

    def on_resize(self) -> None:
        """Show the last entry again where the log has more room, or less."""
        self.call_after_refresh(self.scroll_to_highlight)


class GameScreen(Screen[None]):
    """
    The screen of a game; what feeds it, a person who logs or a referee, is a subclass.

    Attributes:
        words: The commands that it has.
        session: The game.
        look: How it is looked at.
        hints: How much is told of what the program knows.
        asks: What is expected of how players ask, as `Game.report` has it.
        drawn: The report on the screen.
        check: How a log that contradicts itself may be mended, once that is known.
    """

    CSS_PATH: ClassVar[str] = "game.tcss"
    AUTO_FOCUS: ClassVar[str] = "#line"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (70, "-two"), (120, "-three")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-low"), (20, "-usual"), (32, "-tall")]  # noqa: RUF012

    words: ClassVar[tuple[str, ...]] = tuple(COMMAND)
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "complete", show=False),
        Binding("up", "move(-1, 0)", show=False),
        Binding("down", "move(1, 0)", show=False),
        Binding("ctrl+down,alt+down", "recall(1)", show=False),
    ]
    hints: Hints = "advice"

    def __init__(self, session: Session, *, depth: Depth = "true") -> None:
        super().__init__()
        self.session = session
        self.look = Look()
        self.asks: str | None = None
        self.drawn: Report | None = None
        self.check: Check | None = None
        self._depth: Depth = depth
        self._said_of = ""  # the line as it was when something was said under it
        self._note: str | Text = ""
        self._thinking, self._deciding = Lock(), Lock()
        self._found: tuple[str, object, tuple[Completion, ...]] = ("", None, ())

    def compose(self) -> ComposeResult:
        yield Static(id="head", markup=False)
        yield Static(id="banner", markup=False)
        yield Tabs(*(Tab(title, id=f"to-{pane}") for pane, title in PANES.items()))
        with Container(id="room"):
            yield Sheet(self._depth)
            with Vertical(id="side"):
                yield Static(id="verdict", markup=False)
                yield Static(id="best", markup=False)
            yield Log()
            with Vertical(id="telling"):
                yield Matches()
                with Horizontal(id="typing"):
                    yield Static(id="prompt", markup=False)
                    yield Line(self.rest_of, self.action_move)
                yield Static(id="note", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Draw what there is."""
        self.query_one(Matches).display = False
        self.query_one(Tabs).can_focus = False
        titles = {"#verdict": "What to do", "#best": "Envelope", "#log": "Log"}
        for pane, title in titles.items():
            self.query_one(pane).border_title = title
        self._write_at_once()
        self.call_after_refresh(self.redraw)  # it is seen before anything is thought of

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:  # noqa: ARG002
        """Whether a key does something here and now; else the foot does not show it."""
        if action == "fix":
            return self.drawn is not None and not self.drawn.consistent
        return action != "undo" or self.session.earlier is not None

    @property
    def line(self) -> Line:
        """The line."""
        return self.query_one(Line)

    # What a subclass knows.

    def completions(self, text: str) -> tuple[Completion, ...]:
        """Return what a line may become."""
        raise NotImplementedError

    def take(self, text: str) -> None:
        """Do what a line says."""
        raise NotImplementedError

    def take_nothing(self) -> None:
        """Do what Enter does with nothing typed: say why of the cell."""
        self.action_why()

    def meaning(self, text: str) -> Text:
        """Return what a line means so far, to stand under it."""
        raise NotImplementedError

    def prompt(self) -> tuple[str, str]:
        """Return what stands before the line, and in it while nothing is typed."""
        raise NotImplementedError

    # Drawing.

    def redraw(self) -> None:
        """Draw the log and the head at once, and the rest as soon as it is known."""
        self._write_at_once()
        look, record = self.look, self.session.record
        think = partial(self._think, look, record)
        self.run_worker(think, thread=True, exclusive=True, group="report")

    def _write_at_once(self) -> None:
        """Write the log, the head and what may be typed."""
        self.write_log()
        self.write_prompt()
        self._write_head()
        self.refresh_bindings()

    def write_prompt(self) -> None:
        """Write what may be typed."""
        before, placeholder = self.prompt()
        self.query_one("#prompt", Static).update(before)
        self.line.placeholder = placeholder

    def write_log(self) -> None:
        """Write the entries, those that cannot all be true marked, those to come struck out."""
        record = self.session.record
        clash = () if self.drawn is None else self.drawn.conflict
        upto = len(record.entries) if self.look.upto is None else self.look.upto

        def entries() -> Iterator[Text]:
            for number, text in enumerate(brief_texts(record.entries, record.table), 1):
                mark = "✗" if number in clash else " "
                style = "dim strike" if number > upto else "bold" if number in clash else ""
                yield Text(f"{mark}{number:>2} {text}", style, no_wrap=True)

        self.query_one(Log).write(entries(), upto)

    def _write_head(self) -> None:
        """Write whose turn it is and whose notes these are; under it what is unusual."""
        session, table = self.session, self.session.record.table
        whose = "a spectator's notes" if table.viewer is None else f"{table.viewer}'s notes"
        turn = "the game is over" if session.record.finished else f"{session.turn}'s turn"
        parts = [turn] if session.record.finished or session.turn else []
        parts += [counted(len(session.lines), "entry"), whose, table.edition.title]
        self.query_one("#head", Static).update(" · ".join(parts))
        self.query_one(Sheet).border_title = escape(whose)
        own = session.turn is not None and session.turn == table.viewer
        self.query_one("#telling").set_class(own, "-own")
        banner = f"{self.look.banner} (Esc comes back)" if self.look.banner else ""
        if session.trouble is not None:
            why = printable(str(session.trouble), most=300)
            banner = f"! not written: {why}; the game goes on in memory"
        self.hang_out(banner)

    def hang_out(self, text: str) -> None:
        """Say something above the sheet for as long as it is so."""
        banner = self.query_one("#banner", Static)
        banner.update(text)
        banner.display = bool(text)

    def _think(self, look: Look, record: Record) -> None:
        """Draw up the report, in a thread, then what to do, or how to mend the log."""
        worker = get_current_worker()
        try:
            with self._thinking:
                if worker.is_cancelled:
                    return
                game = self.looked_at(look)
                report = game.report()
            self.call_later(self._draw, look, record, report)
            wanted = self.hints == "advice" or not report.consistent
            with self._deciding:
                for thought in self.thoughts(game) if wanted else ():
                    if worker.is_cancelled:
                        return
                    self.call_later(self.tell, look, record, thought)
        except ClueError as error:
            self.call_later(self.say, str(error))

    def looked_at(self, look: Look) -> Game:
        """Return the game as it is looked at; raises as `Game.suppose`."""
        game = self.session.game
        game = game.suppose(look.supposed) if look.supposed else game
        return game.seen(viewer=look.viewer, upto=look.upto, asks=self.asks)

    def thoughts(self, game: Game) -> Iterator[Thought]:
        """Yield what to do, in a thread: at a first look, then at a closer one."""
        yield from looks(game)

    def _is_current(self, look: Look, record: Record) -> bool:
        """Whether this is still what is looked at."""
        return look == self.look and record is self.session.record

    def tell(self, look: Look, record: Record, thought: Thought) -> None:
        """Write what to do in its place; of a log that contradicts itself how it may be mended."""
        if not self._is_current(look, record):
            return
        if self.drawn is not None and self.drawn.consistent:
            self.write_verdict(thought.text, thought.remark, certain=thought.certain)
            return
        self.write_verdict(f"✗ {thought.text}.", "F5 mends that.")
        self.check = thought.check
        self.refresh_bindings()
        if thought.likeliest is not None:
            sheet, correction = thought.likeliest
            self.draw_sheet(sheet)
            self.hang_out(f"Provisional: the sheet if {correction_text(correction)}")

    def write_verdict(self, text: str, remark: str = "", *, certain: bool = False) -> None:
        """Write what to do, or what is asked, in its place."""
        verdict = self.query_one("#verdict", Static)
        verdict.update(Text.assemble((text, "bold"), f"\n{remark}" if remark else ""))
        verdict.set_class(certain, "-certain")

    def _draw(self, look: Look, record: Record, report: Report) -> None:
        """Draw a report; of a log that contradicts itself the sheet stays as it was."""
        if not self._is_current(look, record):
            return
        was = self.drawn
        self.drawn = report
        if was is not None and was.conflict and report.consistent and look == Look():
            self.say_besides("The entries fit again.")
        if report.consistent:
            self.check = None
            self.draw_sheet(report)
            self.query_one("#best", Static).update(_findings(report, self.size.height // 5))
        else:
            clash = quoted(self.session.lines, report.conflict)
            why = "\n".join(f"{number:>2} {line}" for number, line in clash)
            self.query_one("#best", Static).update(why or "No deal fits: check players and hands.")
        self.refresh_bindings()
        if report.conflict or (was is not None and was.conflict):
            self.write_log()

    def draw_sheet(self, report: Report) -> None:
        """Draw a sheet; what is in no log is not told where no hints are wanted."""
        sheet = self.query_one(Sheet)
        kinds = len(report.table.edition.category)
        sheet.roomy = self.size.width >= 100 and self.size.height >= len(report.cards) + kinds + 6
        sheet.show(report, dark=self.app.current_theme.dark, hints=self.hints)
        self.set_class(sheet.columns_wide + _BESIDE > self.size.width, "-full")
        self.query_one("#best").display = self.hints in ("sheet", "advice")

    def on_resize(self) -> None:
        """Give the sheet the room that there is."""
        if self.drawn is not None and self.drawn.consistent:
            self.draw_sheet(self.drawn)

    def say(self, text: str | Text) -> None:
        """Say something under the line as it is; what is typed next takes its place."""
        self._said_of, self._note = self.line.value, text
        self.line.remove_class("-refused")
        self.query_one("#note", Static).update(text)

    def say_besides(self, text: str) -> None:
        """Say something under what is said."""
        self._note = Text("\n").join(Text.assemble(each) for each in (self._note, text) if each)
        self.query_one("#note", Static).update(self._note)

    def refuse(self, why: str | Text) -> None:
        """Say why the line is not taken; it is marked until something else is said."""
        self.say(why)
        self.line.add_class("-refused")
        self.app.bell()

    def fail(self, error: ClueError) -> None:
        """Say why a command is not done, and let it stand in the line to be put right."""
        if not self.line.value and self.line.just_left:
            self.line.recall(-1)
        self.refuse(str(error))

    # The line.

    def matches_of(self, text: str) -> tuple[Completion, ...]:
        """Return what a line may become; what was found last is kept."""
        line, record, found = self._found
        if (line, record) != (text, self.session.record):
            found = self.completions(text) if text.strip() else ()
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
        self.query_one(Matches).offer(self.matches_of(event.value))
        if event.value != self._said_of:
            self.say(self.meaning(event.value) if event.value.strip() else "")

    @on(Input.Submitted, "#line")
    def enter(self, event: Input.Submitted) -> None:
        """Take the match that an arrow has marked, else the line."""
        picked = self.query_one(Matches).picked
        if picked is not None:
            self.line.write(picked)
        elif event.value.strip():
            self.take(event.value)
        else:
            self.take_nothing()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take what the line may become, by a click."""
        if event.option_list.id == "matches":
            self.line.write(self.matches_of(self.line.value)[event.option_index].line)

    def action_complete(self) -> None:
        """Take what is offered; with nothing typed go to the next pane."""
        found = self.matches_of(self.line.value)
        picked = self.query_one(Matches).picked
        if self.focused is not self.line or not self.line.value:
            self.action_pane()
        elif picked or found:
            self.line.write(picked or found[0].line)

    def action_move(self, rows: int, columns: int) -> None:
        """Mark another match or bring a line back; with nothing typed, move on the sheet."""
        if self.line.value and not self.line.is_recalled:
            self.query_one(Matches).choose(rows)
        elif rows and (self.line.is_recalled or (rows < 0 and self.line.just_left)):
            self.line.recall(rows)
        else:
            self.line.just_left = False
            self.query_one(Sheet).steer(rows, columns)

    def action_recall(self, by: int) -> None:
        """Bring an earlier line back."""
        self.line.recall(by)

    # Commands.

    async def do(self, said: Said) -> None:
        """Do what a command says: something of the screen, or else of the game."""
        does = action(COMMAND[said.word])
        if said.word == "help":
            self.action_help(more=bool(said.rest))
        elif not said.rest and not does.startswith("do("):
            await self.run_action(does)
        else:
            self.command(said)

    async def action_do(self, word: str) -> None:
        """Do what a word says, by a key or from the palette."""
        await self.do(Said(word))

    def command(self, said: Said) -> None:
        """Do what a command says of the game."""
        self.open(said)

    def open(self, said: Said) -> None:
        """Open what a command that only asks is answered, to be read."""
        game, width = self.session.game, min(_WIDEST, self.size.width - 8)

        def answer() -> RenderableType:
            parts = answered(game, said, width=width, asks=self.asks)
            return Group(*(Text(part) if isinstance(part, str) else part for part in parts))

        self.read(f"{said.word} {said.rest}".strip().capitalize(), answer)

    def read(self, title: str, answer: Callable[[], RenderableType]) -> None:
        """Look for an answer beside the typing, and open it; never over a line that was begun."""
        before, front = self.line.value, self.app.screen
        self.say(f"{title} …")

        def show(text: RenderableType) -> None:
            if self.app.screen is front and self.line.value == before:
                self.say("")
                self.app.push_screen(Reader(title, text))

        def find() -> None:
            try:
                with self._thinking:
                    text = answer()
            except ClueError as error:
                self.call_later(self.fail, error)
            else:
                self.call_later(show, text)

        self.run_worker(find, thread=True, exclusive=True, group="answer")

    def action_why(self) -> None:
        """Say why the card under the cursor is where it is, or may be."""
        cell, look = self.query_one(Sheet).cell, self.look
        if cell is None:
            return
        card, holder = cell

        def answer() -> RenderableType:
            return render(self.looked_at(look).why(card, holder))

        self.read(f"Why: {card}, {holder}", answer)

    def on_data_table_cell_selected(self) -> None:
        """Say why, at Enter in the sheet or at a click on the cell of the cursor."""
        self.action_why()

    def action_help(self, *, more: bool = False) -> None:
        """Open the help."""
        text = help_text(self.session.record.table, self.words, more=more)
        self.app.push_screen(Reader("Help", text))

    # What changes how the game is looked at.

    def look_at(self, look: Look) -> None:
        """Look at the game in another way."""
        self.look = look
        self.redraw()

    def action_what_if(self) -> None:
        """Suppose that the holder of the cell has the card; asked again, that it has not."""
        cell = self.query_one(Sheet).cell
        if cell is not None:
            card, holder = cell
            has, lacks = f"{holder} has {card}", f"{holder} lacks {card}"
            supposed = lacks if self.look.supposed == has else has
            self.look_at(replace(self.look, supposed=supposed))

    def action_as_of(self, step: int) -> None:
        """See the game an entry earlier or later."""
        last = len(self.session.lines)
        at = last if self.look.upto is None else self.look.upto
        upto = max(0, min(last, at + step))
        self.look_at(replace(self.look, upto=None if upto == last else upto))

    def action_eyes(self) -> None:
        """See it through the eyes of the next player, then of a spectator, then of the viewer."""
        own, seats = self.session.record.table.viewer, self.session.record.table.seats
        others = [seat for seat in seats if seat != own]
        around = [None, *others, *([SPECTATOR] if own else [])]
        following = (around.index(self.look.viewer) + 1) % len(around)
        self.look_at(replace(self.look, viewer=around[following]))

    def action_habits(self) -> None:
        """Let the chances go by the rules alone, or by how people play as well again."""
        self.asks = "any" if self.asks is None else None
        self.redraw()
        self.say(f"the chances go {HABITS if self.asks is None else RULES}")

    def action_hints(self) -> None:
        """Tell less of what the program knows, and after the least all of it again."""
        self.hints = HINTS[HINTS.index(self.hints) - 1]
        self.redraw()
        told = {"nothing": "your own hand alone", "marks": "what is certain"}
        told |= {"sheet": "the sheet, no advice", "advice": "all that it knows"}
        self.write_verdict("…" if self.hints == "advice" else "")
        self.say(f"The program tells {told[self.hints]}.")

    def action_pane(self) -> None:
        """Go to the next pane."""
        around = [self.query_one(pane) for pane in ("#line", "#sheet", "#log")]
        here = next((n for n, pane in enumerate(around) if pane is self.focused), 0)
        pane = around[(here + 1) % len(around)]
        if pane.id in PANES:
            self.query_one(Tabs).active = f"to-{pane.id}"
        self.set_focus(pane)

    def on_tabs_tab_activated(self, event: Tabs.TabActivated) -> None:
        """Show one pane of a narrow screen."""
        for pane in PANES:
            self.set_class(event.tab.id == f"to-{pane}", f"-{pane}")

    def action_back(self) -> None:
        """Leave the view, else the pane, else what is typed, which Up brings back."""
        if self.look != Look():
            self.look_at(Look())
        elif self.focused is not self.line:
            self.set_focus(self.line)
        else:
            self.line.remember(self.line.value)
            self.line.write("")


def _findings(report: Report, most: int) -> Text:
    """Return the likeliest solutions, and what the last entry settled."""
    certain = len(report.solutions) == 1
    rows = [
        f"{'100' if certain else percent(chance):>3}%  {', '.join(cards)}"
        for cards, chance in report.solutions[: max(3, most)]
    ]
    if len(report.solutions) > len(rows):
        rows.append(f"       and {len(report.solutions) - len(rows):,} more")
    new = settled_lines(report) if len(report.new) <= _MOST_NEW else ()
    return Text("\n".join([*rows, *new]))
