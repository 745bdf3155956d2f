"""What a page shows: the templates filled in with what some eyes have seen; nothing is decided."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from clue_solver.answers.corrections import Correction
from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.answers.turns import odd_turns
from clue_solver.conversation.hands import own_hand
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, counted, listed
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.asks import asks, chairs_of, pace_of, taps
from clue_solver.faces.web.board_panel import board_panel
from clue_solver.faces.web.card_to_show import Asked, asked
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import OTHER, Draft
from clue_solver.faces.web.entry import EntryPanels
from clue_solver.faces.web.eyes import NOTHING, Eyes, FormAnswer
from clue_solver.faces.web.forms import HEADER
from clue_solver.faces.web.links import HELP
from clue_solver.faces.web.panel import Choice, Panel, Row
from clue_solver.faces.web.said import Query, one
from clue_solver.faces.web.sheet_pane import CardState, drawn_sheet, sheet, templates
from clue_solver.faces.web.tables import ServedTable
from clue_solver.rules.observations import Accusation, Hand
from clue_solver.rules.table import ENVELOPE
from clue_solver.views import charts
from clue_solver.views.headlines import odds
from clue_solver.views.reasons import turn_texts
from clue_solver.views.reports import clash_title
from clue_solver.views.sentences import (
    ending_text,
    entry_text,
    header_value,
    outside_text,
    remark_on,
)

TABS = {"enter": "Enter", "sheet": "Sheet", "log": "Log", "table": "Table"}

_OFFERED = 9
"""The most corrections of a kind that are offered."""

_HERE = ("127.", "localhost", "[::1]")
"""How hosts begin that no phone can open."""


class Viewing(NamedTuple):
    """
    What is served to one page.

    Attributes:
        table, eyes: The table, and whose page it is.
        secret: The link that was asked for.
        origin, before: The host, and the path, before the secret.
        phones: How many phones show the pages of which eyes.
    """

    table: ServedTable
    eyes: Eyes
    secret: str
    origin: str
    before: str
    phones: Mapping[Eyes, int]

    @property
    def base(self) -> str:
        """The address of the page on its host."""
        return f"{self.before}/{self.secret}"


class SeatLink(NamedTuple):
    """A seat, whether it is taken, what ends its link, and how many phones show its page."""

    seat: str
    taken: bool
    ends: str
    phones: int


class LogEntry(NamedTuple):
    """
    An entry as the log shows it.

    Attributes:
        place: Where it stands in these notes.
        number: Its number on all pages; empty if nobody else sees it.
        line, comment: What it says.
        clashes: Whether it is one of those that contradict each other.
        edit: Where it is changed.
        mine: Whether this page may take it out.
    """

    place: int
    number: str
    line: str
    comment: str
    clashes: bool
    edit: str
    mine: bool


def page(shown: Viewing, query: Query, answer: FormAnswer = NOTHING) -> str:
    """
    Return the page of a pair of eyes.

    Args:
        shown: What is served.
        query: What its address says, or the form that was sent.
        answer: What came of that form.
    """
    eyes, table = shown.eyes, shown.table
    if "cover" in query:
        left = [(name, value) for name, said in query.items() for value in said if name != "cover"]
        return filled("cover", shown, title="Covered", uncovered=f"?{urlencode(left)}")
    session = copy(table.current(eyes))
    draft = Draft.of(query, session)
    if draft.begun and not table.dealt and eyes.since(draft.at) is not None:
        answer = answer._replace(late=draft.at)
    draft = draft._replace(at=table.stamp(eyes))
    report, trouble = _report(eyes, session)
    given = _always(shown, session, draft, query, answer)
    given |= {"report": report, "trouble": trouble}
    given["clashes"] = report is not None and not report.consistent
    given |= sheet(eyes, report, query, draft, table.numbers(eyes), help_level=table.help(eyes))
    given |= _log(shown, session, report)
    told = report if given["rows"] else None
    if table.dealt:
        return filled("game", shown, **given | _dealt(shown, draft, given, told))
    recorder = eyes.seat is None
    given["recorder"] = recorder
    ended = session.record.ended
    given["finished"] = ending_text(ended) if ended else ""
    if recorder or draft.chosen[:2] == ("Knowing", eyes.seat):
        given |= _entry(session, draft, given)
    if not recorder:
        given |= _own(shown, session, query)
    given["begin"] = _headline(shown, session, given)
    given["calls"] = bool(given["questions"] or (given["asked"] and given["asked"].mine))
    given["board"] = board_panel(session, draft, logs=recorder, report=told)
    return filled("game", shown, **given)


def joining_page(shown: Viewing, error: str = "") -> str:
    """Return the page that asks players who they are, and why one is not taken for that."""
    return filled("join", shown, title="Who are you?", free=shown.table.free, error=error)


def _always(
    shown: Viewing, session: Session, draft: Draft, query: Query, answer: FormAnswer
) -> dict[str, Any]:
    """Return what every page has."""
    eyes, table = shown.eyes, shown.table
    header = session.record.table
    tab = answer.tab or one(query, "tab")
    tab = tab if tab in TABS else "enter"
    line = answer.line or one(query, "line")
    if draft.editing is not None and not line:
        line = entry_text(session.entry(draft.editing), header)
    who = eyes.seat or header.viewer
    return {
        "title": f"{who}'s notes" if who else "Everybody's log",
        "session": session,
        "table": header,
        "own": header.viewer,
        "tab": tab,
        "tabs": [(name, label, draft.query(tab=name)) for name, label in TABS.items()],
        "cover": draft.query(tab=tab, cover="1"),
        "draft": draft,
        "at": table.stamp(eyes),
        "verdict": eyes.current if table.help(eyes) == len(HELP) - 1 else None,
        "help": _help(table.help(eyes)),
        "players": tuple(_players(session, table.machines)),
        "undo": table.undoing(eyes),
        "outside": outside_text(session.outside) if session.outside else "",
        "unsaved": session.trouble or table.trouble,
        "answer": answer,
        "came": [*_came(shown, session, answer)],
        "doubt": None if answer.asked is None else _doubt(shown, session, answer),
        "line": line,
        "another": bool(one(query, "another")),
        "colours": charts.pieces_of(header),
        "faces": charts.coloured(header.edition.features),
        "kinds": {
            card.name: number % 3
            for number, kind in enumerate(header.edition.category)
            for card in kind.cards
        },
        "hand": own_hand(session.record),
        "recorder": False,
        "play": None,
        "entry": None,
        "board": None,
        "asked": None,
        "begin": None,
        "finished": "",
        "questions": (),
        "chairs": (),
        "pace": None,
        "knowing": Draft(OTHER, chosen=("Knowing", eyes.seat or "")).query(),
        "open": table.open,
        "over": table.over,
        "solution": _solution(session),
        "story": table.story if table.open or not table.public else None,
        "hands": [*_hands(session)] if table.over and table.open else (),
        "reachable": not shown.origin.partition("//")[2].startswith(_HERE),
        "phones": shown.phones.get(eyes, 0),
    }


def _came(shown: Viewing, session: Session, answer: FormAnswer) -> Iterator[tuple[str, str]]:
    """Yield the entries that came before what a page has sent: their numbers and lines."""
    numbers = shown.table.numbers(shown.eyes)
    for entry in (answer.late and shown.eyes.since(answer.late)) or ():
        yield numbers[entry - 1], session.lines[entry - 1]


class AskedAbout(NamedTuple):
    """What is asked about a line: the line, the question, and what answers it."""

    line: str
    question: str
    panel: Panel


def _doubt(shown: Viewing, session: Session, answer: FormAnswer) -> AskedAbout:
    """Return what is asked about a line that was sent."""
    assert answer.asked is not None
    typed, doubt = answer.asked.typed, answer.asked.doubt
    numbers = shown.table.numbers(shown.eyes)
    question = doubt.question
    if doubt.kind == "clash" and doubt.entries and shown.eyes.seat is not None:
        others = [numbers[entry - 1] for entry in doubt.entries]
        named = listed([f"entry {each}" for each in others if each])
        own = "what you told" if "" in others else ""
        against = listed([each for each in (own, named) if each])
        question = f"This contradicts {against}: are you sure?"
    choices = [
        Choice("Yes, log it", "yes") if each.stands else Choice(each.label, each.label)
        for each in doubt.offered
    ]
    place = typed.place
    fields = [("line", typed.line), *(("settled", each) for each in typed.settled)]
    fields += (("skips", each.line) for each in typed.skips)
    if place.entry is not None:
        fields += [("edit", str(place.entry)), ("was", session.lines[place.entry - 1])]
    if place.insert:
        fields.append(("insert", "1"))
    told = typed.told
    line = typed.line if told is None or told.observation is None else told.line
    line += remark_on(told)
    panel = Panel("tell", "answer", rows=(Row("", tuple(choices)),), fields=tuple(fields))
    return AskedAbout(line, question, panel)


def _entry(session: Session, draft: Draft, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be tapped to log something."""
    report = given["report"]
    sound = report is not None and report.consistent
    entry = EntryPanels(session, draft, sound=sound).entry()
    states = dict(given["states"])
    for card in entry.aside:
        states.setdefault(card, CardState("aside"))
    fields: dict[str, Any] = {"entry": entry, "states": states}
    suggestion = draft.suggestion(session)
    if entry.cards and suggestion is not None and given["hand"]:
        fields["asked"] = asked(session, suggestion)
    return fields


def _own(shown: Viewing, session: Session, query: Query) -> dict[str, Any]:
    """Return what a seat's own page asks it."""
    table, asking = session.record.table, shown.table.asking
    low, high = table.size_bounds()[table.seats.index(str(shown.eyes.seat))]
    return {
        "asked": None if asking is None else asked(session, asking),
        "questions": shown.eyes.questions,
        "ticked": query.get("card", ()),
        "size": str(low) if low == high else f"{low} or {high}",
    }


def _dealt(
    shown: Viewing, draft: Draft, given: Mapping[str, Any], report: Report | None
) -> dict[str, Any]:
    """Return what a page has otherwise where the program deals."""
    table, eyes, session = shown.table, shown.eyes, given["session"]
    assert isinstance(table, DealtTable)
    play, ways = asks(table, eyes, draft.picked), taps(table, eyes)
    going = [Choice(ways[at].description, at, main=True) for at in draft.chosen if at in ways]
    if going:
        panel = Panel("answer", "choice", rows=(Row("", tuple(going)),), fields=(("what", "move"),))
        play = play._replace(panels=(panel, *play.panels))
    tabs = [(tab, "Play" if tab == "enter" else label, to) for tab, label, to in given["tabs"]]
    drawn = (table.chairs.game.state, ways)
    return {
        "play": play,
        "chairs": () if play.over else tuple(chairs_of(table, eyes.seat)),
        "pace": pace_of(eyes) if table.machines and not play.over else None,
        "title": eyes.seat or "The table",
        "tabs": tabs,
        "finished": play.remark.rstrip(".") if play.over else "",
        "begin": (play.question, play.remark),
        "calls": bool(eyes.seat and play.panels),
        "board": board_panel(session, draft, logs=False, report=report, dealt=drawn),
    }


def _report(eyes: Eyes, session: Session) -> tuple[Report | None, str]:
    """Return the report, or why there is none."""
    try:
        return eyes.report(session), ""
    except ClueError as error:
        return None, str(error)


def _headline(shown: Viewing, session: Session, given: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return what to do before there is advice, and a remark; `None` if that is what to tell."""
    seat, table, entry = shown.eyes.seat, session.record.table, given["entry"]
    asked_now: Asked | None = given["asked"]
    if seat is not None and given["hand"] is None:
        return "Tick the cards of your hand.", "Nobody else sees them."
    if seat is not None and asked_now is not None and asked_now.mine is not None:
        return asked_now.headline, ""
    if given["questions"]:
        return given["questions"][0].doubt.question, ""
    if entry is not None and entry.cards:
        return f"Who shows {entry.by} a card?", ""
    verdict = given["verdict"]
    if verdict is not None and not _early(verdict):
        return None
    remark = ""
    if seat is None and shown.table.public and not session.lines:
        remark = "The code by which the others join is under Table."
    who = session.turn or table.begins
    if who == table.viewer and who is not None:
        return "It is your turn.", remark
    if who is None:
        return "Tap who asks, then the cards." if seat is None else "The game begins.", remark
    return f"{who} is next{f': tap what {who} asks for' if seat is None else ''}.", remark


def _early(verdict: Thought) -> bool:
    """Whether nothing can be said yet but whose turn it is."""
    advice = verdict.advice
    return advice is not None and advice.kind == "solution" and not odds(advice.accuse.probability)


def _help(level: int) -> Panel:
    """Return what says how much help a page gives."""
    choices = tuple(
        Choice(HELP_TEXTS[name], name, main=at == level) for at, name in enumerate(HELP)
    )
    fields = (("tab", "table"),)
    return Panel(
        "help", "level", "How much help this page gives", rows=(Row("", choices),), fields=fields
    )


HELP_TEXTS = {
    "nothing": "Nothing",
    "marks": "Marks on the cards",
    "sheet": "And the sheet",
    "advice": "And advice",
}


def _solution(session: Session) -> tuple[str, ...]:
    """Return the cards of the envelope, once somebody has named them."""
    right = (each for each in session.record.observations if isinstance(each, Accusation))
    return next((each.cards for each in right if each.right), session.record.table.solution)


def _hands(session: Session) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each player's cards, as far as their hands were told."""
    cards = session.record.table.cards
    for each in session.record.observations:
        if isinstance(each, Hand):
            yield each.seat, tuple(sorted(each.cards, key=cards.index))


class Player(NamedTuple):
    """A player, and how many cards they have and whom they play."""

    seat: str
    told: str


def _players(session: Session, machines: Mapping[str, str]) -> Iterator[Player]:
    """Yield the players; of the viewer's own hand it is known how many cards it has."""
    table, hand = session.record.table, own_hand(session.record)
    known = {table.viewer: len(hand)} if table.viewer and hand is not None else {}
    pieces = dict(zip(table.seats, table.pieces, strict=False))
    for seat, (low, high) in zip(table.seats, table.size_bounds(known), strict=True):
        cards = counted(low, "card") if low == high else f"{low} or {high} cards"
        plays = f", plays {pieces[seat]}" if pieces.get(seat) else ""
        machine = f"; a machine ({machines[seat]})" if seat in machines else ""
        yield Player(seat, f"{cards}{plays}{machine}")


def _meant(correction: Correction, numbers: Sequence[str]) -> str:
    """Return what may have been meant, with its chance where that is worth a word."""
    lines = []
    for change in correction.changes:
        number = numbers[change.entry - 1] if change.entry else ""
        lines.append(f"{number}: {change.after}" if number else change.after)
    chance = percent(correction.probability)
    return f"{'; '.join(lines)}{'' if chance.startswith('<') else f' ({chance}%)'}"


def _log(shown: Viewing, session: Session, report: Report | None) -> dict[str, Any]:
    """Return the entries, the last first, and how a log that contradicts itself may be mended."""
    table, eyes = shown.table, shown.eyes
    numbers = table.numbers(eyes)
    conflict = report.conflict if report else ()
    entries = [
        LogEntry(
            place,
            numbers[place - 1],
            line,
            entry.comment,
            place in conflict,
            Draft.editing_entry(session, place).query(tab="enter"),
            table.may_delete(eyes, place),
        )
        for place, (line, entry) in enumerate(
            zip(session.lines, session.record.entries, strict=True), 1
        )
    ]
    meant: list[tuple[int, str, bool]] = []
    likeliest = None
    verdict = eyes.current
    if verdict and verdict.check:
        kinds = {True: 0, False: 0}
        for number, correction in enumerate(verdict.check.corrections, 1):
            mine = table.may_correct(eyes, correction)
            kinds[mine] += 1
            if kinds[mine] <= _OFFERED:
                meant.append((number, _meant(correction, numbers), mine))
        if verdict.likeliest and table.help(eyes) >= HELP.index("sheet"):
            likeliest = Markup(drawn_sheet(verdict.likeliest[0], ""))
    header = session.record.table
    return {
        "entries": tuple(reversed(entries)),
        "clash": clash_title(conflict),
        "likeliest": likeliest,
        "meant": meant,
        "looking": verdict is None or verdict.first,
        "odd_turns": turn_texts(odd_turns(header, session.record.observations)),
        "redoing": shown.table.current(eyes).redoing,
        "header": {
            part: (label.format(", ".join(header.seats)), header_value(part, header))
            for part, label in HEADER.items()
            if part != "seats" or not table.public
        },
    }


@cache
def qr(address: str) -> Markup:
    """Return an address as a QR code, for a page."""
    import segno

    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, border=4, light="#fff", dark="#000"))


def filled(name: str, shown: Viewing, **given: Any) -> str:
    """Return a page: a template, filled in with this and with what all have."""
    eyes, table = shown.eyes, shown.table
    links = [
        SeatLink(
            seat,
            taken=each.links.taken,
            ends=each.links.ends,
            phones=shown.phones.get(each, 0),
        )
        for seat, each in table.seats.items()
        if seat not in table.machines
    ]
    return (
        templates()
        .get_template(f"{name}.html")
        .render(
            {"calls": False}
            | given
            | {
                "base": shown.base,
                "version": eyes.version,
                "public": table.public,
                "alone": table.alone,
                "address": f"{shown.origin}/{shown.secret}",
                "coming": eyes.links.coming,
                "qr": qr,
                "links": links if eyes.seat is None else (),
                "join": f"{shown.origin}/{table.joining.secret}",
                "seats": table.seats,
                "envelope": ENVELOPE,
            }
        )
    )
