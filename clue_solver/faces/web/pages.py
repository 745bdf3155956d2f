"""Creates the HTML of the pages: fills templates with the values that one seat may see."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from secrets import token_urlsafe
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from clue_solver.answers.display import percent
from clue_solver.answers.opened import OpenedSheet
from clue_solver.answers.report import Report
from clue_solver.answers.turns import odd_turns
from clue_solver.conversation.doubts import Doubt, DoubtChoice
from clue_solver.conversation.meaning import own_hand
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, counted, sentences
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.board_panel import BoardPanel, board_panel
from clue_solver.faces.web.card_to_show import CardRequest, card_request
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.dealt_panels import (
    ShownPlay,
    moves_by_tap,
    pace_panel,
    seat_panels,
    shown_play,
)
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.entry import EntryForm, EntryPanels
from clue_solver.faces.web.eyes import Eyes, OpenQuestion
from clue_solver.faces.web.forms import HEADER, HOUSE
from clue_solver.faces.web.line_pieces import LineSplitter
from clue_solver.faces.web.links import HELP
from clue_solver.faces.web.log_pane import clash_pane, entry_names, log_entries
from clue_solver.faces.web.panel import NOTHING, Choice, FormAnswer, Panel, Query, Row, text_in
from clue_solver.faces.web.sheet_pane import CardState, card_states, likeliest_cards, sheet_pane
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.templating import templates
from clue_solver.rules.observations import Accusation, Hand
from clue_solver.rules.table import ENVELOPE, HouseRule, Table
from clue_solver.views import charts
from clue_solver.views.checks import turn_texts
from clue_solver.views.headlines import odds
from clue_solver.views.sentences import (
    ending_text,
    entry_text,
    header_value,
    outside_text,
    remark_on,
)

TABS = {"enter": "Enter", "sheet": "Sheet", "log": "Log", "table": "Table"}


class PageContext(NamedTuple):
    """
    What is needed to create the page of a seat or of the recorder.

    Attributes:
        served: The table.
        eyes: The seat or recorder whose page it is.
        origin, before: What comes before the secret in the page's address: all of it, and the path
            alone.
    """

    served: ServedTable
    eyes: Eyes
    origin: str
    before: str

    @property
    def base(self) -> str:
        """The path of the page."""
        return f"{self.before}/{self.eyes.secret}"

    @property
    def reachable(self) -> bool:
        """Whether other phones can open pages at this address."""
        return not is_local(self.origin.partition("//")[2])


class ToDo(NamedTuple):
    """
    What the head of a page tells its player to do now.

    Attributes:
        text, remark: The instruction, and a remark.
        above: A line above the instruction: whose turn it is, or who asks whom; may be empty.
        advised: Whether the instruction is advice.
    """

    text: str
    remark: str = ""
    above: str = ""
    advised: bool = False


class Ending(NamedTuple):
    """
    How a game ended.

    Attributes:
        text: How it ended, in a sentence.
        won: The winner; empty if nobody won.
        solution: The cards in the envelope, if they are known.
        hands: Each player, and the player's cards in words, as far as they are certain; empty if
            no hand was logged.
    """

    text: str
    won: str
    solution: tuple[str, ...]
    hands: tuple[tuple[str, str], ...]


class GamePage:
    """
    What the page of a game shows; its attributes are the values of the template.

    Args:
        shown: The table and whose page it is.
        draft: The unfinished entry that the page continues.
        query: The values in the page's address, or in the form that was sent.
        answer: The result of that form.

    Attributes:
        title: The heading.
        session, table: The game and its header.
        own, hand: The viewer, and the viewer's hand; `None` if there is none or it is unknown.
        draft, at: The unfinished entry, and the version of the page.
        tab, tabs: The tab that is shown; the name, label and address of each tab.
        cover: The address of the page that covers this one, against curious neighbours.
        answer, came, doubt: The result of the form that was sent, the entries that others logged
            before it arrived, and the question about its line.
        line: The text in the field where a line is typed.
        another: Whether the page shows how to open it on another phone.
        thought: The advice, if the page gives any.
        sheet, states, likely: The sheet, what is certain about each card, the likeliest solution.
        entries, clash: The entries of the log, and which of them contradict each other.
        odd_turns: Sentences on turns that are out of order.
        trouble, outside: Why there is no sheet; what another program has changed in the file.
        players, chairs: A row on each player; the panels that change who plays, by seat.
        help, pace, rules, header: The settings: the panels for help and for the speed of machines,
            the switches for rules, and the fields for the header.
        knowing: The address of the form on which a seat enters what it knows.
        ending, story: How the game ended, and the sentences of its review.
        file, deck: The names of the files to save: of the game, and of the players' own deck.
        todo: What to do now.
        calls: Whether the phone should call its player, who has to answer something.
        recorder: Whether the log for everybody is kept by hand on this page.
        board: The board; `None` if there is none.
        entry: The form for an event of a game that is logged by hand.
        advice, advised: The cards of the advised suggestion, each with a remark; the address that
            picks them.
        asked, question: The cards that the viewer is asked for, and an open question to the viewer.
        ticked, size: The cards ticked so far when the hand is entered; the size of the hand.
        anew: The form fields for entering the hand again in place of a wrong one; empty otherwise.
        play, counsel: The decision of a dealt game, and the advice on it.
    """

    # Values that only one of the two kinds of games has.
    todo: ToDo = ToDo("")
    calls: bool = False
    recorder: bool = False
    board: BoardPanel | None = None
    knowing: str = ""
    entry: EntryForm | None = None
    advice: Sequence[tuple[str, str]] = ()
    advised: str = ""
    asked: CardRequest | None = None
    question: OpenQuestion | None = None
    ticked: Sequence[str] = ()
    size: str = ""
    anew: Mapping[str, Any] = {}
    play: ShownPlay | None = None
    counsel: tuple[str, str] | None = None
    chairs: Sequence[tuple[str, tuple[Panel, ...]]] = ()
    pace: Panel | None = None

    def __init__(
        self, shown: PageContext, draft: Draft, query: Query, answer: FormAnswer = NOTHING
    ) -> None:
        eyes, served = shown.eyes, shown.served
        self.session, self.draft, self.answer = eyes.game, draft, answer
        self.table = table = self.session.record.table
        self.own, self.hand = table.viewer, own_hand(self.session.record)
        who, level, review = eyes.seat or table.viewer, served.help(eyes), served.review
        self.title = f"{who}'s notes" if who else "Everybody's log"
        self.at = served.stamp(eyes)

        # The request, and its result.
        tab = answer.tab or text_in(query, "tab")
        self.tab = tab if tab in TABS else "enter"
        self.tabs = [(name, label, draft.query(tab=name)) for name, label in TABS.items()]
        self.cover = draft.query(tab=self.tab, cover="1")
        self.another = bool(text_in(query, "another"))
        self.came = [*_new_lines(shown, answer)]
        self.doubt = _line_question(shown, answer, draft.query()) if answer.asked else None
        self.line = answer.line or text_in(query, "line")
        if draft.editing is not None and not self.line:
            self.line = entry_text(self.session.entry(draft.editing), table)

        # What is known.
        self.report, self.trouble = _report(eyes)
        report = self.report
        consistent = report if report is not None and report.consistent else None
        seen, numbers = level >= HELP.index("sheet"), served.entry_numbers(eyes)
        self.sheet = sheet_pane(eyes, report, query, draft, numbers, level=level)
        self.states, self.likely = dict[str, CardState](), list[tuple[str, float, str]]()
        if level and consistent:
            self.states = card_states(consistent, charts.seat_colours(table))
            self.likely = [*likeliest_cards(consistent)] if seen and consistent.entries else []
        self.clash = clash_pane(served, eyes, report) if report and not consistent else None
        self.thought = eyes.thought if level == HELP.index("advice") else None

        # The log, and how the game ended.
        self.entries = log_entries(served, eyes, report)
        odd = odd_turns(table, self.session.record.observations)
        self.odd_turns = [*turn_texts(odd, table.viewer)]
        self.outside = outside_text(self.session.outside) if self.session.outside else ""
        self.ending = _ending(self.session, report if served.open else None)
        self.story = review.story.get(who, ()) if review is not None else ()
        self.file = file_name(table)
        self.deck = served.deck.name if served.deck is not None else ""

        # The players and the settings.
        self.players = [*_player_rows(self.session, served.machines)]
        self.help = _help_panel(level)
        self.rules = [*_rule_switches(table)]
        self.header = {
            part: (label.format(", ".join(table.seats)), header_value(part, table))
            for part, label in HEADER.items()
            if part != "seats" or not served.public
        }

    @property
    def values(self) -> dict[str, Any]:
        """All values of the template by name; those that this kind of page lacks have defaults."""
        return {name: getattr(self, name) for name in (*GamePage.__annotations__, *vars(self))}

    @property
    def shown_report(self) -> Report | None:
        """The report on the game; `None` if the page shows no sheet."""
        return self.report if self.sheet.still else None


class LoggedPage(GamePage):
    """
    The page of a game that is logged by hand.

    Args:
        shown: The table and whose page it is.
        draft: The unfinished entry that the page continues.
        query: The values in the page's address, or in the form that was sent.
        answer: The result of that form.
    """

    def __init__(
        self, shown: PageContext, draft: Draft, query: Query, answer: FormAnswer = NOTHING
    ) -> None:
        super().__init__(shown, draft, query, answer)
        seat, asking = shown.eyes.seat, shown.served.asking
        if seat is None:
            asking = None  # the recorder's own draft says what is asked
        self.recorder = seat is None
        self.advice = [*_advised_cards(self.thought, self.report, self.states)]
        if self.recorder or draft.chosen:
            self.entry = entry = EntryPanels(self.session, draft, self.shown_report).entry()
            self.states = dict.fromkeys(entry.barred, CardState("aside")) | self.states
            if self.recorder and not draft.fields:
                self.advised = _advice_address(self.thought, entry.by, draft)
            if entry.cards and entry.back:  # not while an entry is edited
                asking = draft.suggestion(self.session)
        if seat is not None:
            low, high = self.table.size_bounds()[self.table.seats.index(seat)]
            self.size = str(low) if low == high else f"{low} or {high}"
            self.question, self.ticked = shown.eyes.question, query.get("card", ())
            if "hand" in query and self.clash is not None and (place := self.clash.hand):
                self.anew = {"edit": place, "was": self.session.lines[place - 1]}
                self.ticked, self.hand, self.clash = tuple(self.hand or ()), None, None
            self.knowing = Draft(chosen=("Knowing", seat)).query()
        if asking is not None and (seat or (self.hand and self.own != asking.by)):
            self.asked = card_request(self.session, asking)
        self.todo = self._to_do(seat)
        self.calls = bool(self.question or (self.asked and self.asked.mine))
        self.board = board_panel(
            self.session, draft, logs=self.recorder, report=self.shown_report, asked=asking
        )

    def _to_do(self, seat: str | None) -> ToDo:
        """
        Return what the reader of the page has to do now.

        `seat` is the reader's seat; `None` for the recorder, who logs the game.
        """
        entry, asked, thought, own = self.entry, self.asked, self.thought, self.own
        above = asked.title if asked is not None else ""
        if seat is not None and self.hand is None:
            return ToDo("Tick the cards in your hand.", "Nobody else sees them.", above)
        if seat is not None and asked is not None:
            return ToDo(asked.headline, asked.note, above)
        if self.question is not None:
            return ToDo(self.question.doubt.text)
        if self.draft.editing is not None and entry is not None:
            rest = "Tap what was different; the rest stays." if entry.kept else "Say what happened."
            return ToDo(f"Change entry {self.draft.editing}.", rest)
        if entry is not None and entry.cards:
            return ToDo(f"Who shows {entry.by} a card?", above=above)
        if entry is not None and self.draft.accuses:
            by, asks = self.draft.by, entry.panels[0].action == "ask"
            cards = f"Tap the cards that {by} names." if by else "Tap who accuses, then the cards."
            return ToDo(cards if asks else f"Is {by} right?")
        if thought is not None and not _is_too_early(thought):
            return _advice_to_do(thought, self.session.turn, own)
        who = self.session.turn or self.table.begins
        if who == own and who is not None:
            return ToDo("It is your turn.")
        if who is None:
            return ToDo("Tap who asks, then the cards." if seat is None else "The game begins.")
        asks_for = entry.by or who if seat is None and entry is not None and not entry.back else ""
        return ToDo(f"{who} is next.", f"Tap what {asks_for} asks for." if asks_for else "")


class DealtPage(GamePage):
    """
    The page of a dealt game.

    Args:
        shown: The table and whose page it is.
        draft: What the player has tapped so far.
        query: The values in the page's address, or in the form that was sent.
        answer: The result of that form.
    """

    def __init__(
        self, shown: PageContext, draft: Draft, query: Query, answer: FormAnswer = NOTHING
    ) -> None:
        super().__init__(shown, draft, query, answer)
        eyes, served = shown.eyes, shown.served
        assert isinstance(served, DealtTable)
        game = served.chairs.game
        self.play = play = shown_play(served, eyes, draft, (text_in(query, "what"), answer.error))
        whose = f"{play.turn}'s turn" if play.turn and not play.panels else ""
        whose = "Your turn" if play.turn and play.turn == eyes.seat else whose
        self.title = eyes.seat or "The table"
        self.tabs[0] = ("enter", "Play", self.tabs[0][2])
        self.todo = ToDo(play.question, play.remark, whose)
        self.counsel = _counsel(served, self.thought) if served.advises(eyes) else None
        self.calls = bool(eyes.seat and play.panels)
        if not served.over:
            self.chairs = [*seat_panels(served, eyes.seat)]
            self.pace = pace_panel(eyes) if served.machines else None
        self.board = board_panel(
            self.session,
            draft,
            logs=False,
            report=self.shown_report,
            dealt=(game.state, moves_by_tap(served, eyes, draft)),
            asked=served.suggested,
        )


def page(shown: PageContext, query: Query, answer: FormAnswer = NOTHING) -> str:
    """
    Return the HTML of a page of a game.

    Args:
        shown: The table and the seat whose page it is.
        query: The values in the page's address, or in the form that was sent.
        answer: The result of that form.
    """
    eyes, served = shown.eyes, shown.served
    if "cover" in query:
        left = [(name, value) for name, said in query.items() for value in said if name != "cover"]
        return fill_template("cover", shown, title="Covered", uncovered=f"?{urlencode(left)}")
    if "last" in query and served.last is not None:
        return _last_page(shown, served.last)
    draft = Draft.of(query, eyes.game)
    if not served.dealt and eyes.seat is not None and draft.chosen[:2] != ("Knowing", eyes.seat):
        draft = Draft()  # a seat begins no other entries
    if eyes.seat is None and draft.begun and not eyes.is_current(draft.at):
        answer = answer._replace(late=draft.at)
    if eyes.seat is None and served.asking is not None and not draft.fields:
        draft = Draft(by=served.asking.by, picked=served.asking.cards)  # until it is answered
    draft = draft._replace(at=served.stamp(eyes))
    kind = DealtPage if served.dealt else LoggedPage
    return fill_template("game", shown, **kind(shown, draft, query, answer).values)


def _last_page(shown: PageContext, last: ServedTable) -> str:
    """Return the page of the finished game `last`, as the seat of this page saw it."""
    then = shown._replace(served=last, eyes=last.of(shown.eyes.seat))
    page = GamePage(then, Draft(), {})
    page.title = "The last game"
    return fill_template("last", shown, **page.values)


def joining_page(shown: PageContext, error: str = "") -> str:
    """Return the page on which players choose their seats; `error` says why a choice failed."""
    return fill_template("join", shown, title="Who are you?", error=error)


def is_local(host: str) -> bool:
    """Return whether a host name means this computer, so that no other phone can open its pages."""
    return host.startswith(("127.", "localhost", "[::1]"))


def file_name(table: Table) -> str:
    """Return the name for the downloaded file of a game: its players and today's date."""
    players = re.sub(r"[^\w-]+", "-", "-".join(table.seats))[:60]
    return f"{players}-{date.today().isoformat()}.clue"


def fill_template(name: str, shown: PageContext, **given: Any) -> str:
    """
    Return the HTML of a template, filled with `given` and with the values that all pages need.

    One of these is a random mark, `once`, which the forms of the page send along. If a form arrives
    again, it is known by that.
    """
    always = {"calls": False, "shown": shown, "served": shown.served, "eyes": shown.eyes, "qr": qr}
    always["once"] = token_urlsafe(16)
    session = shown.served.recorder.session
    if session is not None:
        always |= _looks(session.record.table)
    return templates().get_template(f"{name}.html").render(always | {"base": shown.base} | given)


def _looks(table: Table) -> dict[str, Any]:
    """
    Return what templates need to draw a table's seats, dice, cards and lines, by the template's
    names.
    """
    numbered = enumerate(table.edition.category)
    return {
        "colours": charts.seat_colours(table),
        "faces": charts.suspect_colours(table.edition.features),
        "kinds": {card.name: number % 3 for number, kind in numbered for card in kind.cards},
        "printed": {table.printed(card): card for card in table.cards},
        "told": LineSplitter(table),
    }


def _ending(session: Session, report: Report | None) -> Ending | None:
    """
    Return how a game ended; `None` while it goes on.

    Args:
        session: The game.
        report: The report from which the players' hands are taken; `None` to list no hands.
    """
    ended = session.record.ended
    if ended is None:
        return None
    right = ended if isinstance(ended, Accusation) and ended.right else None
    return Ending(
        sentences(ending_text(ended)),
        right.by if right else "",
        right.cards if right else session.record.table.solution,
        tuple(_hand_lines(session, report)),
    )


def _new_lines(shown: PageContext, answer: FormAnswer) -> Iterator[str]:
    """
    Yield the entries that others logged before a form arrived, each as `number: line`.

    Args:
        shown: The table and the page that sent the form.
        answer: The result of the form.
    """
    numbers = shown.served.entry_numbers(shown.eyes)
    for entry in shown.eyes.added_since(answer.late):
        number, line = numbers[entry - 1], shown.eyes.game.lines[entry - 1]
        yield f"{number}: {line}" if number else line


def _key_label(doubt: Doubt, choice: DoubtChoice) -> str:
    """
    Return the text on the button of an answer to a doubt.

    It is the answer's label, but `Yes, log it` for a `yes` that logs the line as it is.
    """
    if choice.label == "yes" and doubt.keeps_line(choice):
        return "Yes, log it"
    told = choice.label.removeprefix("? (").removesuffix(")")
    return "I missed it" if told == "missed" else told


def _line_question(shown: PageContext, answer: FormAnswer, back: str) -> Panel:
    """
    Return the question that the result of a form asks, with a remark: the line that was sent.

    Args:
        shown: The table and the page that sent the form.
        answer: The result of the form, with a question.
        back: The address that drops the line.
    """
    assert answer.asked is not None
    doubt, pending = answer.asked, answer.pending
    question, place = doubt.text, pending.place
    if doubt.kind == "clash" and doubt.entries and shown.eyes.seat is not None:
        against = entry_names(shown.served, shown.eyes, doubt.entries)
        question = f"This contradicts {against}: are you sure?"
    named = dict.fromkeys(shown.served.recorder.game.record.table.cards, "card")
    choices = [
        Choice(_key_label(doubt, each), each.label, role=named.get(each.label, ""), of=each.label)
        for each in doubt.choices
    ]
    fields = [("line", pending.line), *(("settled", each) for each in pending.settled)]
    fields += (("earlier", each.line) for each in pending.earlier)
    if place.entry is not None:
        fields += [("edit", str(place.entry)), ("was", shown.eyes.game.lines[place.entry - 1])]
    if place.insert:
        fields.append(("insert", "1"))
    choices.append(Choice("Back", href=back))
    told = doubt.reading
    line = f"You wrote: {pending.line}" if told is None else told.text
    rows, line = (Row("", tuple(choices)),), line + remark_on(told)
    return Panel("tell", "answer", question, line, rows, fields=tuple(fields))


def _counsel(table: DealtTable, thought: Thought | None) -> tuple[str, str]:
    """
    Return the advice on the decision that is due in a dealt game, and a remark; both are texts.

    `thought` is the advice; `None` while it is computed.
    """
    state, request = table.chairs.game.state, table.chairs.game.request
    if thought is None:
        return "Thinking …", ""
    advice = thought.advice
    ends = request is not None and request.kind == "accuse" and state.done
    if ends and advice is not None and advice.kind != "accuse" and not thought.first:
        return "Don't accuse yet: end your turn.", ""
    return _advice_text(thought)


def _advice_text(thought: Thought) -> tuple[str, str]:
    """Return the headline and the remark that show advice. Quick advice may still change."""
    return thought.text, "The best so far; still thinking …" if thought.first else thought.remark


def _report(eyes: Eyes) -> tuple[Report | None, str]:
    """Return the report on a page's notes and `''`, or `None` and why there is no report."""
    try:
        return eyes.game.game.report(), ""
    except ClueError as error:
        return None, str(error)


def _advice_to_do(thought: Thought, turn: str | None, own: str | None) -> ToDo:
    """
    Return what to do according to advice; advice for a later turn is only in the remark.

    Args:
        thought: The advice.
        turn: The player whose turn it is; `None` if unknown.
        own: The viewer; `None` on a page for everybody.
    """
    text, remark = _advice_text(thought)
    above = ""
    if turn and thought.advice is not None and thought.advice.later and not thought.certain:
        return ToDo(f"{turn} is next.", f"{text} {remark}", advised=True)
    if turn and turn == own:
        above = "Your turn"
    elif turn and own is None and not thought.certain:
        above = f"{turn} is next"
    return ToDo(text, remark, above, advised=True)


def _advice_address(thought: Thought | None, by: str, draft: Draft) -> str:
    """
    Return the address at which the cards of the advised suggestion are picked.

    Empty unless the advice is to suggest something now, and is for the player who suggests.

    Args:
        thought: The advice; `None` if there is none.
        by: The player who suggests; empty if that is not known.
        draft: The unfinished entry of the page.
    """
    advice = thought.advice if thought is not None else None
    if advice is None or advice.kind != "ask" or advice.later or advice.viewer != by:
        return ""
    return draft._replace(by=by, picked=advice.cards).query()


def _advised_cards(
    thought: Thought | None, report: Report | None, states: Mapping[str, CardState]
) -> Iterator[tuple[str, str]]:
    """
    Yield each card of the advised suggestion with what is certain about it, such as `Ben has it`.

    If nothing is certain about a card, the text is the chance that it is in the envelope.

    Args:
        thought: The advice; `None` if there is none.
        report: The report on the game; `None` if there is none.
        states: What is certain about cards.
    """
    advice = thought.advice if thought is not None else None
    if advice is not None and advice.kind == "ask" and report is not None and report.consistent:
        for card in advice.cards:
            known = states.get(card)
            yield card, known.said if known else f"{percent(report.probability(card, ENVELOPE))}%"


def _is_too_early(thought: Thought) -> bool:
    """Return whether advice only names the likeliest solution, with a chance too low to show."""
    advice = thought.advice
    return advice is not None and advice.kind == "solution" and not odds(advice.accuse.probability)


def _help_panel(level: int) -> Panel:
    """Return the panel that sets how much help a page gives, now `level` as an index in `HELP`."""
    choices = tuple(Choice(n.capitalize(), n, on=at == level) for at, n in enumerate(HELP))
    rows, fields = (Row("", choices),), (("tab", "table"),)
    remark = "Marks show what is certain; the sheet adds chances, and advice says what to do."
    return Panel("help", "level", "How much help this page gives", remark, rows, fields=fields)


def _hand_lines(session: Session, report: Report | None) -> Iterator[tuple[str, str]]:
    """
    Yield each player with the cards held, in words, as far as they are certain.

    Nothing is yielded if no hand was logged, or without a report.
    """
    told = {each.seat for each in session.record.observations if isinstance(each, Hand)}
    if not told or report is None or not report.consistent:
        return
    opened = OpenedSheet(report)
    for seat in report.table.seats:
        verdicts = {card: opened.verdict(card, seat) for card in report.cards}
        cards = [report.table.printed(card) for card in verdicts if verdicts[card] == "holds"]
        others = ["others unknown"] if "open" in verdicts.values() else []
        yield seat, f"had {', '.join((*cards, *others))}" if cards else "unknown"


def _player_rows(session: Session, machines: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """
    Yield what everybody may know of each player, as three texts: name, description and state.

    The description has the kind of computer player, the piece and the number of cards, as far as
    they are known. The state says who is to move, is out, has left or has won.
    """
    table, turns = session.record.table, session.game.play().turns
    pieces = dict(zip(table.seats, table.pieces, strict=False))
    states = dict.fromkeys(turns.out, "out") | dict.fromkeys(turns.left, "has left")
    states |= {turns.winner: "won"} if turns.winner else {session.turn or "": "turn"}
    for seat, (low, high) in zip(table.seats, table.size_bounds(), strict=True):
        parts = [f"computer, {machines[seat]}"] if seat in machines else []
        cards = counted(low, "card") if low == high else ""
        parts += [pieces.get(seat) or "", cards]
        yield seat, " · ".join(filter(None, parts)), states.get(seat, "")


def _rule_switches(header: Table) -> Iterator[tuple[str, str, bool, str]]:
    """Yield each switch for a rule: the header's part, label, whether it is on, what a tap sets."""
    if header.edition.board is not None:
        moves = header_value("board", header) != "none"
        yield "board", "We move on the board", moves, "none" if moves else ""
    kept: dict[HouseRule, bool] = {rule: header.keeps(rule) for rule in HOUSE}
    for rule, label in HOUSE.items():
        then = kept | {rule: not kept[rule]}
        yield "house", label, kept[rule], ", ".join(each for each in then if not then[each])


@cache
def qr(address: str) -> Markup:
    """Return the QR code of an address as SVG."""
    import segno

    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, border=4, light="#fff", dark="#000"))
