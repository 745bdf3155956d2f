"""What a page shows: the templates filled in with what a notebook answers; nothing is decided."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

from markupsafe import Markup

from clue_solver.answers.corrections import Correction
from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.answers.turns import odd_turns
from clue_solver.conversation.dialog import Dialog
from clue_solver.conversation.questions import DoubtKind, own_hand
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, counted
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.board_panel import board_panel
from clue_solver.faces.web.card_to_show import Asked, asked
from clue_solver.faces.web.drafts import OTHER, Draft, draft_in, draft_of
from clue_solver.faces.web.following import Following
from clue_solver.faces.web.sheet_pane import CardState, Query, drawn_sheet, first, sheet, templates
from clue_solver.faces.web.tables import Notebook, ServedTable
from clue_solver.faces.web.touch_entry import entering
from clue_solver.faces.web.turn_keys import TurnKeys, turn_keys
from clue_solver.notation import normalise
from clue_solver.record import Record
from clue_solver.rules.observations import Suggestion
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.views import charts
from clue_solver.views.reasons import turn_texts
from clue_solver.views.sentences import (
    ending_text,
    entry_text,
    header_value,
    outside_text,
    remark_on,
)

TABS = {"enter": "Enter", "sheet": "Sheet", "log": "Log", "table": "Table"}
HEADER = {
    "hands": "Cards in each hand ({})",
    "seats": "Players, clockwise: other names, or another order",
    "pieces": "Who plays whom ({}; ? for one not known)",
    "first": "Who begins",
    "house": "Rules that your table leaves out (turns, play, all)",
}
"""The parts of the header that may be changed, each with what the page calls it."""

_OFFERED = 9
"""The most corrections of a kind that are offered."""


class Viewing(NamedTuple):
    """What is served to one page: table, notebook; host, and path, before the secret."""

    table: ServedTable
    book: Notebook
    origin: str
    before: str = ""

    @property
    def base(self) -> str:
        """The address of the page on its host."""
        return f"{self.before}/{self.book.secret}"


class SeatLink(NamedTuple):
    """A seat, its page's address, whether that is in use, and what a form says that ends it."""

    seat: str
    href: str
    taken: bool
    ends: str


def page(shown: Viewing, query: Query) -> str:
    """Return the page of a notebook as an address asks for it."""
    book = shown.book
    if "cover" in query:
        left = [(name, value) for name, said in query.items() for value in said if name != "cover"]
        return filled("cover", shown, title="Covered", uncovered=f"?{urlencode(left)}")
    current = shown.table.current(book)
    session = current.still()
    draft = Draft.of(query, session, book.version)
    tab = first(query, "tab")
    tab = tab if tab in TABS else "enter"
    kept = {"tab": tab if tab != "enter" else ""}
    report, trouble = _report(book, session)
    verdict = book.thought_of(session.record)
    given: dict[str, Any] = {
        "title": _title(book, session.record.table),
        "session": session,
        "table": session.record.table,
        "tab": tab,
        "tabs": [(name, label, draft.query(tab=name)) for name, label in TABS.items()],
        "cover": draft.query(**kept, cover="1"),
        "verdict": verdict,
        "begin": _begin(book, session, public=shown.table.public),
        "players": tuple(_players(session.record, shown.table.machines)),
        "report": report,
        "trouble": trouble,
        "clashes": report is not None and not report.consistent,
        "undo": shown.table.undoing(book, session),
        "redoing": current.redoing,
        "outside": outside_text(session.outside) if session.outside else "",
        "draft": draft,
        "now": str(Following.end_of(session.lines, book.version)),
        "meanwhile": None,
        "recorder": book.seat is None and not shown.table.dealt,
        "play": None,
        "chairs": (),
        "own": session.record.table.viewer,
        "error": first(query, "wrong"),
        "typed": first(query, "line"),
        "another": bool(first(query, "another")),
        "settled": settled_in(query),
        "doubt": None,
        "colours": charts.pieces_of(session.record.table),
        "kinds": {
            card.name: number % 3
            for number, kind in enumerate(session.record.table.edition.category)
            for card in kind.cards
        },
        "states": {},
        "likely": (),
        "ticked": first(query, "line").partition(" holds ")[2].split(", "),
        "size": _hand_size(session.record.table),
        "insert": False,
        "knowing": "",
        "entered": None,
        "keys": TurnKeys(),
        "faces": charts.coloured(session.record.table.edition.features),
        "showings": "",
        "asks": _heard(shown, session),
        "line_value": "",
        "hand": own_hand(session.record),
        "header": {
            part: (
                label.format(", ".join(session.record.table.seats)),
                header_value(part, session.record.table),
            )
            for part, label in HEADER.items()
            if part != "seats" or not shown.table.public
        },
        "questions": book.questions if book.seat and not shown.table.dealt else (),
        "alone": shown.table.alone,
    }
    if shown.table.dealt:
        from clue_solver.faces.web.dealt_page import dealt_fields  # late: it needs the arena

        given |= sheet(book, session, report, query, draft)
        given |= _log(shown, session, report, None)
        return filled("game", shown, **given | dealt_fields(shown.table, book, draft, given))
    if book.seat is None:
        given["meanwhile"] = _meanwhile(session, draft, given["typed"], given["now"])
    if given["meanwhile"]:
        given["line_value"] = ""
    elif given["typed"] and (given["error"] or "again" in query):
        given["line_value"] = given["typed"]
    elif given["typed"]:
        given |= _asked(Dialog(session.still()), given["typed"], query, draft)
    given |= _entering(session, report, draft, given)
    given["board"] = board_panel(
        session,
        draft,
        logs=given["recorder"],
        report=report,
    )
    given |= sheet(book, session, report, query, draft)
    for card in given["keys"].aside:
        given["states"].setdefault(card, CardState("aside"))
    given |= _log(shown, session, report, verdict)
    return filled("game", shown, **given)


class Meanwhile(NamedTuple):
    """
    What was logged since an entry was begun on this phone, and what may become of that.

    Attributes:
        told: What to say about it.
        entries: The entries that came, each with its number.
        own: What was begun.
        line: The whole line, which is logged by keeping it; empty where it is half-made.
        keep: Where it leads to go on with it, where it is half-made.
        change: Where it leads to change it.
        instead: The number and the line of the entry whose place it may take, if there is one.
        replace: Where it leads to put it there, where it is half-made.
    """

    told: str
    entries: tuple[tuple[int, str], ...]
    own: str
    line: str
    keep: str
    change: str
    instead: tuple[int, str] | None
    replace: str


def _meanwhile(session: Session, draft: Draft, line: str, now: str) -> Meanwhile | None:
    """Return what came before an entry that was begun here, if something did."""
    after = Following.read(draft.after)
    begun = draft.begun or bool(line)
    if not begun or draft.editing is not None or after is None or after.fits(session.lines):
        return None
    if line:
        draft = draft_in(line, session) or draft
    numbers = after.since(session.lines)
    entries = tuple((number, session.lines[number - 1]) for number in numbers)
    whose = [
        number
        for number in numbers
        if draft.by and getattr(session.entry(number).observation, "by", None) == draft.by
    ]
    instead = (whose[0], session.lines[whose[0] - 1]) if whose else None
    if not after.stands(session.lines):
        told = "Somebody changed the log meanwhile"
    elif whose:
        told = f"{draft.by}'s turn is logged already"
    else:
        told = "Somebody logged something meanwhile"
    kept = draft._replace(after=now)
    if line:
        change = f"?{urlencode({'line': line, 'again': '1'})}"
        if draft.picked:
            change = kept.query()
        return Meanwhile(told, entries, line, line, "", change, instead, "")
    own = ", ".join(draft.chosen or (draft.by, *draft.picked)).strip(", ")
    place = ""
    if instead is not None:
        number, was = instead
        place = kept._replace(editing=number, was=was).query()
    change = kept._replace(picked=draft.picked[:-1], chosen=draft.chosen[:-1]).query()
    return Meanwhile(told, entries, own, "", kept.query(), change, instead, place)


def _report(book: Notebook, session: Session) -> tuple[Report | None, str]:
    """Return the report, or why there is none."""
    try:
        return book.report(session), ""
    except ClueError as error:
        return None, str(error)


def _hand_size(table: Table) -> str:
    """Return how many cards the viewer holds, in words; empty if a spectator looks."""
    if table.viewer is None:
        return ""
    low, high = table.size_bounds()[table.seats.index(table.viewer)]
    return str(low) if low == high else f"{low} or {high}"


def _title(book: Notebook, table: Table) -> str:
    who = book.seat or table.viewer
    return f"{who}'s notes" if who else "Everybody's log"


def _begin(book: Notebook, session: Session, *, public: bool) -> tuple[str, str] | None:
    """Return what to do before there is anything to weigh, and a remark; `None` if that is done."""
    table = session.record.table
    if book.seat is not None and own_hand(session.record) is None:
        return "Tick the cards of your hand.", "Nobody else sees them."
    if book.seat is None and public and not session.lines:
        who = session.turn or table.begins
        first = f"Tap what {who} asks for." if who else "Tap who asks, then the cards."
        return first, "The players' own pages are under Table."
    return None


class Player(NamedTuple):
    """A player, and how many cards they have and whom they play."""

    seat: str
    told: str


def _players(record: Record, machines: Mapping[str, str]) -> Iterator[Player]:
    """Yield the players; of the viewer's own hand it is known how many cards it has."""
    table, hand = record.table, own_hand(record)
    known = {table.viewer: len(hand)} if table.viewer and hand is not None else {}
    pieces = dict(zip(table.seats, table.pieces, strict=False))
    for seat, (low, high) in zip(table.seats, table.size_bounds(known), strict=True):
        cards = counted(low, "card") if low == high else f"{low} or {high} cards"
        plays = f", plays {pieces[seat]}" if pieces.get(seat) else ""
        machine = f"; a machine ({machines[seat]})" if seat in machines else ""
        yield Player(seat, f"{cards}{plays}{machine}")


def _asked(dialog: Dialog, line: str, query: Query, draft: Draft) -> dict[str, Any]:
    """Return what is asked, or wrong, about the line that was typed last."""
    insert = bool(first(query, "insert")) and draft.editing is not None
    if draft.editing is not None:
        dialog.edit(draft.editing, insert=insert)
    ahead = dialog.typed(line).preview
    meaning = ahead.text + remark_on(ahead.told)
    fields: dict[str, Any] = {"line_value": line, "line_told": meaning, "insert": insert}
    outcome = dialog.enter(line, settled=settled_in(query))
    if outcome.asked is not None:
        fields["doubt"] = outcome.asked.doubt
    if outcome.error is not None:
        fields["error"] = str(outcome.error)
    return fields


def settled_in(query: Query) -> tuple[DoubtKind, ...]:
    """Return which kinds of doubts an address, or a form, says to be settled."""
    every: tuple[DoubtKind, ...] = get_args(DoubtKind)
    return tuple(kind for kind in every if kind in query.get("settled", ()))


def _entering(
    session: Session, report: Report | None, draft: Draft, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the buttons of an entry, and the line field beside them."""
    fields: dict[str, Any] = {"finished": ending_text(session.ended) if session.ended else ""}
    if not given["recorder"]:
        own = given["own"]
        fields["knowing"] = Draft(OTHER, chosen=("Knowing", own)).query()
        if draft.chosen[:2] != ("Knowing", own):
            return fields
    sound = report is not None and report.consistent
    entered = entering(session, draft, sound=sound)
    fields["entered"] = entered
    if given["recorder"] and entered.columns:
        fields["keys"] = turn_keys(session, draft, entered.by, sound=sound)
    if draft.editing is not None and not given["line_value"]:
        entry = session.record.entries[draft.editing - 1]
        fields["line_value"] = entry_text(entry, session.record.table)
    viewer = session.record.table.viewer
    if entered.rows and entered.by != viewer and viewer and given["hand"] and not draft.kind:
        fields["showings"] = _showings(session, entered.by, [card.label for card in entered.picked])
    fields["skips"] = f"{entered.by} skips" if entered.by else ""
    fields["turn"] = session.turn
    return fields


def _showings(session: Session, by: str, cards: Sequence[str]) -> str:
    """Return which of the viewer's cards may be shown, and which tells least, in a sentence."""
    with suppress(ClueError):
        suggestion = Suggestion(by=by, cards=tuple(cards))
        found = asked(session, normalise(suggestion, session.record.table))
        return found.text if found is not None else ""
    return ""


def _heard(shown: Viewing, session: Session) -> Asked | None:
    """Return what a seat is asked now, if anything."""
    suggestion = shown.table.asking
    if shown.book.seat is None or suggestion is None:
        return None
    with suppress(ClueError):
        return asked(session, suggestion)
    return None


def _meant(correction: Correction) -> str:
    """Return what may have been meant, with its chance where that is worth a word."""
    lines = [
        f"{change.entry}: {change.after}" if change.entry else change.after
        for change in correction.changes
    ]
    chance = percent(correction.probability)
    return f"{'; '.join(lines)}{'' if chance.startswith('<') else f' ({chance} %)'}"


def _log(
    shown: Viewing, session: Session, report: Report | None, verdict: Thought | None
) -> dict[str, Any]:
    """Return the entries, the last first, and how a log that contradicts itself may be mended."""
    conflict = report.conflict if report else ()
    entries = [
        (
            number,
            line,
            entry.comment,
            number in conflict,
            draft_of(session, number).query(tab="enter"),
            shown.table.may_forget(shown.book, entry.observation),
        )
        for number, (line, entry) in enumerate(
            zip(session.lines, session.record.entries, strict=True), 1
        )
    ]
    mine: list[tuple[int, str]] = []
    others: list[str] = []
    likeliest = None
    if verdict and verdict.check:
        for number, correction in enumerate(verdict.check.corrections, 1):
            line = _meant(correction)
            if shown.table.may_correct(shown.book, correction):
                mine.append((number, line))
            else:
                others.append(line)
        if verdict.likeliest:
            likeliest = Markup(drawn_sheet(verdict.likeliest[0], ""))
    return {
        "entries": tuple(reversed(entries)),
        "likeliest": likeliest,
        "mine": mine[:_OFFERED],
        "others": others[:_OFFERED],
        "odd_turns": _odd_turns(session.record),
        "clashing": [entry for entry in reversed(entries) if entry[3]],
    }


def _odd_turns(record: Record) -> Iterator[str]:
    """Yield what is odd about the turns; worked out only where the log is shown."""
    yield from turn_texts(odd_turns(record.table, record.observations))


def tables_page(base: str, tables: Sequence[tuple[str, str]], shown: int, *, more: bool) -> str:
    """
    Return the page of whoever runs several tables.

    Args:
        base: The address of the page on its host.
        tables: The address and the line of each.
        shown: The number of the one whose code is shown; 0 for none.
        more: Whether there may be more.
    """
    return (
        templates()
        .get_template("tables.html")
        .render(
            title="All tables",
            base=base,
            tables=tables,
            shown=shown,
            more=more,
            qr=qr,
        )
    )


@cache
def qr(address: str) -> Markup:
    """Return an address as a QR code, for a page."""
    import segno

    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, border=4, light="#fff", dark="#000"))


def filled(name: str, shown: Viewing, **given: Any) -> str:
    """Return a page of a notebook: a template, filled in with this and with what all have."""
    links = [
        SeatLink(
            seat,
            f"{shown.origin}/{notebook.secret}",
            taken=notebook.links.taken,
            ends=notebook.links.ends,
        )
        for seat, notebook in shown.table.seats.items()
        if shown.table.plays(seat)
    ]
    book = shown.book
    return (
        templates()
        .get_template(f"{name}.html")
        .render(
            given
            | {
                "base": shown.base,
                "book": book,
                "version": book.version,
                "public": shown.table.public,
                "address": f"{shown.origin}/{book.secret}",
                "qr": qr,
                "links": links if book.seat is None else (),
                "envelope": ENVELOPE,
            }
        )
    )
