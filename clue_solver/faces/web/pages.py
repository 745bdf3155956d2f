"""Creates the HTML of the pages: templates, filled with the values that one seat may see."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from clue_solver.answers.display import percent
from clue_solver.answers.report import Report
from clue_solver.answers.turns import odd_turns
from clue_solver.conversation.meaning import own_hand
from clue_solver.conversation.session import Session
from clue_solver.errors import ClueError, listed, sentences
from clue_solver.faces.thoughts import Thought
from clue_solver.faces.web.asks import moves_by_tap, pace_panel, seat_panels, shown_play
from clue_solver.faces.web.board_panel import board_panel
from clue_solver.faces.web.card_to_show import card_request
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.entry import EntryPanels
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.forms import HEADER, RULES
from clue_solver.faces.web.links import HELP
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.panel import NOTHING, Choice, FormAnswer, Panel, Query, Row, text_in
from clue_solver.faces.web.sheet_pane import CardState, sheet, sheet_grid, templates
from clue_solver.faces.web.tables import ServedTable
from clue_solver.faces.web.told import LineSplitter
from clue_solver.faces.web.whole_log import shown_cards
from clue_solver.inference.rounding import ROUNDING
from clue_solver.rules.observations import Accusation, Hand, Observation
from clue_solver.rules.table import ENVELOPE, Table
from clue_solver.views import charts
from clue_solver.views.headlines import odds
from clue_solver.views.reasons import correction_text, turn_texts
from clue_solver.views.reports import clash_title
from clue_solver.views.sentences import (
    ending_text,
    entry_text,
    header_value,
    outside_text,
    remark_on,
)

TABS = {"enter": "Enter", "sheet": "Sheet", "log": "Log", "table": "Table"}

_OFFERED, _AT_ONCE, _LIKELY = 9, 3, 0.02
"""The most corrections offered, the most shown at once, and the least probability of those."""

_HERE = ("127.", "localhost", "[::1]")
"""The beginnings of host names that other phones cannot open."""


_SENTENCES = re.compile(r"(?<=\.) ")


class PageContext(NamedTuple):
    """
    What is needed to create one page.

    Attributes:
        table: The table.
        eyes: The seat or recorder whose page it is.
        origin, before: The parts of the page's address before the secret, with and without host.
    """

    table: ServedTable
    eyes: Eyes
    origin: str
    before: str

    @property
    def base(self) -> str:
        """The path of the page."""
        return f"{self.before}/{self.eyes.secret}"

    @property
    def reachable(self) -> bool:
        """Whether other phones can open the page."""
        return not self.origin.partition("//")[2].startswith(_HERE)


class LogEntry(NamedTuple):
    """
    An entry as the log shows it.

    Attributes:
        place: The number of the entry in the notes of this page.
        number: The number of the entry on all pages; empty if nobody else sees the entry.
        line, comment: The text of the entry.
        clashes: Whether the entry is one of several that contradict each other.
        edit: The address at which the entry is edited.
        mine: The question before this page takes the entry out; empty if it may not.
    """

    place: int
    number: str
    line: str
    comment: str
    clashes: bool
    edit: str
    mine: str


class ToDo(NamedTuple):
    """
    What the head of a page says to do now.

    Attributes:
        text, remark: The instruction, and a remark.
        above: Whose turn it is, or who asks whom; empty if the instruction says so.
        advised: Whether it is the advice.
    """

    text: str
    remark: str = ""
    above: str = ""
    advised: bool = False


class AskedAbout(NamedTuple):
    """A question about a line: the line, the question, and the panel of answers."""

    line: str
    question: str
    panel: Panel


def page(shown: PageContext, query: Query, answer: FormAnswer = NOTHING) -> str:
    """
    Return the HTML of a page of a game.

    Args:
        shown: The table and the seat whose page it is.
        query: The values in the page's address, or in the form that was sent.
        answer: The result of that form.
    """
    eyes, table = shown.eyes, shown.table
    if "cover" in query:
        left = [(name, value) for name, said in query.items() for value in said if name != "cover"]
        return fill_template("cover", shown, title="Covered", uncovered=f"?{urlencode(left)}")
    if "last" in query and table.last is not None:
        return _last_page(shown, table.last)
    session = eyes.game
    draft = Draft.of(query, session)
    if not table.dealt and eyes.seat is not None and draft.chosen[:2] != ("Knowing", eyes.seat):
        draft = Draft()  # a seat begins no other entries
    if eyes.seat is None and draft.begun and not eyes.is_current(draft.at):
        answer = answer._replace(late=draft.at)
    draft = draft._replace(at=table.stamp(eyes))
    report, trouble = _report(eyes, session)
    given = _common_values(shown, session, draft, query, answer)
    given["trouble"] = trouble
    given["hands"] = [*_hand_lines(session, report)] if table.over and table.open else ()
    given["clashes"] = report is not None and not report.consistent
    given |= sheet(
        eyes, report, query, draft, table.entry_numbers(eyes), help_level=table.help(eyes)
    )
    given |= _log_values(shown, session, report)
    known = report if given["rows"] else None
    if isinstance(table, DealtTable):
        given |= _dealt_page_values(table, eyes, draft, query, given | {"known": known})
    else:
        given |= _logged_page_values(shown, session, draft, query, given | {"report": report})
        given["board"] = board_panel(session, draft, logs=eyes.seat is None, report=known)
    return fill_template("game", shown, **given)


def _last_page(shown: PageContext, last: ServedTable) -> str:
    """Return the page of the finished game before this one, as the same seat saw it."""
    eyes = last.of(shown.eyes.seat)
    session, then = eyes.game, shown._replace(table=last, eyes=eyes)
    report, _ = _report(eyes, session)
    given = _common_values(then, session, Draft(), {}, NOTHING) | {"title": "The last game"}
    given["hands"] = [*_hand_lines(session, report)] if last.open else ()
    given |= _log_values(then, session, report)
    return fill_template("last", shown, **given)


def joining_page(shown: PageContext, error: str = "") -> str:
    """Return the page on which players choose their seats, with an error message if one failed."""
    colours = charts.seat_colours(shown.table.recorder.game.record.table)
    return fill_template("join", shown, title="Who are you?", error=error, colours=colours)


def file_name(table: Table) -> str:
    """Return the name under which a game is saved: its players and the date."""
    players = re.sub(r"[^\w-]+", "-", "-".join(table.seats))[:60]
    return f"{players}-{date.today().isoformat()}.clue"


def fill_template(name: str, shown: PageContext, **given: Any) -> str:
    """Fill a template with these values and with those that all pages need."""
    always = {"calls": False, "shown": shown, "served": shown.table, "eyes": shown.eyes, "qr": qr}
    return templates().get_template(f"{name}.html").render(always | {"base": shown.base} | given)


def _common_values(
    shown: PageContext, session: Session, draft: Draft, query: Query, answer: FormAnswer
) -> dict[str, Any]:
    """Return the template values that every page of a game needs."""
    eyes, table = shown.eyes, shown.table
    header = session.record.table
    tab = answer.tab or text_in(query, "tab")
    tab = tab if tab in TABS else "enter"
    line = answer.line or text_in(query, "line")
    if draft.editing is not None and not line:
        line = entry_text(session.entry(draft.editing), header)
    who, level, review = eyes.seat or header.viewer, table.help(eyes), table.review
    ended = session.record.ended
    story = _SENTENCES.split(review.story) if review and review.story else []
    right = ended if isinstance(ended, Accusation) and ended.right else None
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
        "verdict": eyes.thought if level == len(HELP) - 1 else None,
        "help": _help_panel(level),
        "players": tuple(_player_lines(session, table.machines)),
        "outside": outside_text(session.outside) if session.outside else "",
        "answer": answer,
        "came": [*_new_lines(shown, session, answer)],
        "doubt": None if answer.asked is None else _line_question(shown, session, answer),
        "line": line,
        "another": bool(text_in(query, "another")),
        "colours": charts.seat_colours(header),
        "faces": charts.suspect_colours(header.edition.features),
        "kinds": {
            card.name: number % 3
            for number, kind in enumerate(header.edition.category)
            for card in kind.cards
        },
        "hand": own_hand(session.record),
        "chairs": (),
        "knowing": Draft(chosen=("Knowing", eyes.seat or "")).query(),
        "finished": sentences(ending_text(ended)) if ended else "",
        "won": right.by if right else "",
        "solution": right.cards if right else header.solution,
        "told": LineSplitter(header),
        "story": story,
        "file": file_name(header),
        "deck": table.deck.name if table.deck is not None else "",
    } | dict.fromkeys(
        (
            "play",
            "entry",
            "board",
            "asked",
            "question",
            "pace",
            "advice",
            "advised",
            "counsel",
            "recorder",
        )
    )


def _new_lines(shown: PageContext, session: Session, answer: FormAnswer) -> Iterator[str]:
    """Yield the entries that others logged before the form of this page arrived."""
    numbers = shown.table.entry_numbers(shown.eyes)
    for entry in shown.eyes.added_since(answer.late):
        number, line = numbers[entry - 1], session.lines[entry - 1]
        yield f"{number}: {line}" if number else line


def _line_question(shown: PageContext, session: Session, answer: FormAnswer) -> AskedAbout:
    """Return the question about a line that was sent."""
    assert answer.asked is not None
    doubt, pending = answer.asked, answer.pending
    question, place = doubt.text, pending.place
    if doubt.kind == "clash" and doubt.entries and shown.eyes.seat is not None:
        numbers = shown.table.entry_numbers(shown.eyes)
        others = [numbers[entry - 1] for entry in doubt.entries]
        against = ["what you entered"] if "" in others else []
        against += [f"entry {each}" for each in others if each]
        question = f"This contradicts {listed(against)}: are you sure?"
    named = dict.fromkeys(shown.table.recorder.game.record.table.cards, "card")
    choices = [
        Choice(
            "Yes, log it" if doubt.keeps_line(each) else each.label,
            each.label,
            role=named.get(each.label, ""),
            of=each.label,
        )
        for each in doubt.choices
    ]
    fields = [("line", pending.text), *(("settled", each) for each in pending.settled)]
    fields += (("skips", each.line) for each in pending.skips)
    if place.entry is not None:
        fields += [("edit", str(place.entry)), ("was", session.lines[place.entry - 1])]
    if place.insert:
        fields.append(("insert", "1"))
    told = doubt.reading
    line = pending.text if told is None else told.line
    panel = Panel("tell", "answer", rows=(Row("", tuple(choices)),), fields=tuple(fields))
    return AskedAbout(line + remark_on(told), question, panel)


def _logged_page_values(
    shown: PageContext,
    session: Session,
    draft: Draft,
    query: Query,
    given: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the template values for the page of a game that is logged by hand."""
    eyes, table = shown.eyes, session.record.table
    seat, asking = eyes.seat, shown.table.asking
    fields: dict[str, Any] = {"recorder": seat is None}
    fields["advice"] = [*_advised_cards(given["verdict"], given["report"], given["states"])]
    if seat is None or draft.chosen:
        entry = EntryPanels(session, draft).entry()
        aside = dict.fromkeys(entry.barred, CardState("aside"))
        fields |= {"entry": entry, "states": aside | given["states"]}
        if seat is None and not draft.fields:
            fields["advised"] = _advice_address(given["verdict"], entry.by, draft)
        if entry.cards and given["hand"]:
            asking = draft.suggestion(session)
    if seat is not None:
        low, high = table.size_bounds()[table.seats.index(seat)]
        fields["question"] = eyes.question
        fields["ticked"] = query.get("card", ())
        fields["size"] = str(low) if low == high else f"{low} or {high}"
    fields["asked"] = None if asking is None else card_request(session, asking)
    fields["todo"] = _to_do(shown, session, {**given, **fields})
    fields["calls"] = bool(fields.get("question") or (fields["asked"] and fields["asked"].mine))
    return fields


def _dealt_page_values(
    table: DealtTable, eyes: Eyes, draft: Draft, query: Query, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the template values that are different if the program deals the cards."""
    wrong = text_in(query, "what"), given["answer"].error
    play, state = shown_play(table, eyes, draft, wrong), table.chairs.game.state
    drawn, request = (state, moves_by_tap(table, eyes, draft)), table.chairs.game.request
    moves = request is not None and request.kind in ("move", "accuse")
    whose = f"{play.turn}'s turn" if play.turn and not play.panels else ""
    whose = "Your turn" if play.turn and play.turn == eyes.seat else whose
    return {
        "play": play,
        "chairs": () if table.over else tuple(seat_panels(table, eyes.seat)),
        "pace": pace_panel(eyes) if table.machines and not table.over else None,
        "title": eyes.seat or "The table",
        "tabs": [("enter", "Play", given["tabs"][0][2]), *given["tabs"][1:]],
        "todo": ToDo(play.question, play.remark, whose),
        "counsel": _counsel(table, given["verdict"]) if table.advises(eyes) else None,
        "calls": bool(eyes.seat and play.panels),
        "board": board_panel(
            given["session"], draft, logs=False, report=given["known"], dealt=drawn, moves=moves
        ),
    }


def _counsel(table: DealtTable, verdict: Thought | None) -> tuple[str, str]:
    """Return the advice on the decision of a dealt game, and a remark."""
    state, request = table.chairs.game.state, table.chairs.game.request
    if verdict is None:
        return "Thinking …", ""
    advice = verdict.advice
    if advice is not None and advice.certain:
        return f"You know it: accuse {', '.join(advice.accuse.cards)}.", ""
    ends = request is not None and request.kind == "accuse" and state.done
    if ends and advice is not None and advice.kind != "accuse" and not verdict.first:
        return "Don't accuse yet: end your turn.", ""
    return _advice_text(verdict)


def _advice_text(verdict: Thought) -> tuple[str, str]:
    """Return the advice as a headline and a remark; what may still change is only a remark."""
    if verdict.first:
        return "Thinking …", f"So far: {verdict.text[:1].lower()}{verdict.text[1:]}"
    return verdict.text, verdict.remark


def _report(eyes: Eyes, session: Session) -> tuple[Report | None, str]:
    """Return the report, or a message that explains why there is none."""
    try:
        return eyes.report(session), ""
    except ClueError as error:
        return None, str(error)


def _to_do(shown: PageContext, session: Session, given: Mapping[str, Any]) -> ToDo:
    """Return what to do now in a game that is logged by hand."""
    seat, table, entry = shown.eyes.seat, session.record.table, given["entry"]
    asked, verdict = given["asked"], given["verdict"]
    above = asked.title if asked is not None else ""
    if seat is not None and given["hand"] is None:
        return ToDo("Tick the cards in your hand.", "Nobody else sees them.", above)
    if seat is not None and asked is not None:
        return ToDo(asked.headline, asked.remark, above)
    if given["question"] is not None:
        return ToDo(given["question"].doubt.text)
    if entry is not None and entry.cards:
        return ToDo(f"Who shows {entry.by} a card?", above=above)
    if entry is not None and given["draft"].accuses:
        by, asks = given["draft"].by, entry.panels[0].action == "ask"
        cards = f"Tap the cards that {by} names." if by else "Tap who accuses, then the cards."
        return ToDo(cards if asks else f"Is {by} right?")
    if verdict is not None and not _is_too_early(verdict):
        return _advice_to_do(verdict, session.turn, table.viewer)
    who = session.turn or table.begins
    if who == table.viewer and who is not None:
        return ToDo("It is your turn.")
    if who is None:
        return ToDo("Tap who asks, then the cards." if seat is None else "The game begins.")
    asks = entry.by or who if seat is None and entry is not None and not entry.back else ""
    return ToDo(f"{who} is next.", f"Tap what {asks} asks for." if asks else "")


def _advice_to_do(verdict: Thought, turn: str | None, own: str | None) -> ToDo:
    """Return the advice; what is for a later turn is only a remark."""
    text, remark = _advice_text(verdict)
    above = ""
    if turn and verdict.advice is not None and verdict.advice.later and not verdict.certain:
        return ToDo(f"{turn} is next.", f"{text} {remark}", advised=True)
    if turn and turn == own:
        above = "Your turn"
    elif turn and own is None and not verdict.certain:
        above = f"{turn} is next"
    return ToDo(text, remark, above, advised=True)


def _advice_address(verdict: Thought | None, by: str, draft: Draft) -> str:
    """Return the address that picks the advised suggestion; empty if there is no such advice."""
    advice = verdict.advice if verdict is not None else None
    if advice is None or advice.kind != "ask" or advice.later or advice.viewer != by:
        return ""
    return draft._replace(by=by, picked=advice.cards).query()


def _advised_cards(
    verdict: Thought | None, report: Report | None, states: Mapping[str, CardState]
) -> Iterator[tuple[str, str]]:
    """Yield each card of the advised suggestion: what is certain of it, or how likely it is."""
    advice = verdict.advice if verdict is not None else None
    if advice is not None and advice.kind == "ask" and report is not None and report.consistent:
        for card in advice.cards:
            known = states.get(card)
            yield card, known.said if known else f"{percent(report.probability(card, ENVELOPE))}%"


def _is_too_early(verdict: Thought) -> bool:
    """Return whether it is too early to show a verdict."""
    advice = verdict.advice
    return advice is not None and advice.kind == "solution" and not odds(advice.accuse.probability)


def _help_panel(level: int) -> Panel:
    """Return the panel that sets how much help a page gives."""
    choices = tuple(Choice(n.capitalize(), n, on=at == level) for at, n in enumerate(HELP))
    rows, fields = (Row("", choices),), (("tab", "table"),)
    remark = "Marks show on the cards what is known; the sheet adds chances, advice what to do."
    return Panel("help", "level", "How much help this page gives", remark, rows, fields=fields)


def _hand_lines(session: Session, report: Report | None) -> Iterator[tuple[str, str]]:
    """Yield what each player held, as far as it is certain; nothing if no hand was logged."""
    told = {each.seat for each in session.record.observations if isinstance(each, Hand)}
    if not told or report is None or not report.consistent:
        return
    had: dict[str, list[str]] = {holder: [] for holder in report.holders}
    uncertain = set[str]()
    for card, cells in chain(*(cards for _, cards in charts.sheet_rows(report))):
        for holder, cell in zip(report.holders, cells, strict=True):
            had[holder] += [card] if cell.verdict == "holds" else []
            if cell.verdict == "open":
                uncertain.add(holder)
    for seat in report.table.seats:
        cards, others = had[seat], ("others unknown",) if seat in uncertain else ()
        yield seat, f"had {', '.join((*cards, *others))}" if cards else "unknown"


def _player_lines(session: Session, machines: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each player with a description: the strength of the computer, and the piece."""
    table = session.record.table
    pieces = dict(zip(table.seats, table.pieces, strict=False))
    for seat in table.seats:
        parts = [f"computer, {machines[seat]}"] if seat in machines else []
        parts += [f"plays {pieces[seat]}"] if pieces.get(seat) else []
        text = ", ".join(parts)
        yield seat, f"{text[:1].upper()}{text[1:]}"


def _log_values(shown: PageContext, session: Session, report: Report | None) -> dict[str, Any]:
    """Return the template values for the log: its entries, header and suggested corrections."""
    table, eyes, header = shown.table, shown.eyes, session.record.table
    numbers, verdict = table.entry_numbers(eyes), eyes.thought
    conflict = report.conflict if report else ()
    entries = [
        LogEntry(
            place,
            numbers[place - 1],
            line,
            entry.comment,
            place in conflict,
            Draft.editing_entry(session, place).query(tab="enter"),
            _removal_question(entry.observation)
            if isinstance(table, LoggedTable) and table.may_delete(eyes, place)
            else "",
        )
        for place, (line, entry) in enumerate(
            zip(session.lines, session.record.entries, strict=True), 1
        )
    ]
    likeliest = None
    if verdict and verdict.likeliest and table.help(eyes) >= HELP.index("sheet"):
        likeliest = sheet_grid(verdict.likeliest[0])
    named = partial(_entry_name, session, numbers)
    return {
        "entries": entries[::-1],
        "clash": clash_title(conflict),
        "clashing": _clash_headline(conflict, named),
        "likeliest": likeliest,
        "looking": verdict is None or verdict.first,
        "odd_turns": turn_texts(odd_turns(header, session.record.observations), header.viewer),
        **_corrections(table, eyes, named),
        "header": {
            part: (label.format(", ".join(header.seats)), header_value(part, header))
            for part, label in HEADER.items()
            if part != "seats" or not table.public
        },
        "rules": tuple(_rule_panels(header)),
    }


def _rule_panels(header: Table) -> Iterator[Panel]:
    """Yield the panels on which the rules of the table are chosen."""
    for part, (question, answers) in RULES.items():
        if part != "board" or header.edition.board is not None:
            now = header_value(part, header)
            choices = (Choice(name, value, on=value == now) for name, value in answers.items())
            rows = (Row("", tuple(choices)),)
            yield Panel("header", part, question, rows=rows, fields=(("tab", "table"),))


def _entry_name(session: Session, numbers: Sequence[str], entry: int | None) -> str:
    """Return what the reader of a page calls an entry; empty for the header."""
    if entry is None:
        return ""
    if number := numbers[entry - 1]:
        return f"entry {number}"
    return "your hand" if isinstance(session.entry(entry).observation, Hand) else "what you entered"


def _removal_question(observation: Observation) -> str:
    """Return the question before a seat takes its part of an entry out of the log."""
    if cards := shown_cards(observation):
        return f"Take out {listed([*cards.values()])}? The rest of the entry stays."
    return (
        "Take your hand out of the log?" if isinstance(observation, Hand) else "Take this note out?"
    )


def _clash_headline(conflict: Sequence[int], named: Callable[[int], str]) -> str:
    """Return which entries contradict each other; empty if none do."""
    found = [*dict.fromkeys(map(named, conflict))]
    found.sort(key=lambda name: not name.startswith("entry"))
    if not found:
        return "The log contradicts itself."
    if not found[1:]:
        return sentences(f"{found[0]} cannot be right")
    return sentences(f"{found[0]} clashes with {listed(found[1:])}")


def _corrections(
    table: ServedTable, eyes: Eyes, named: Callable[[int | None], str]
) -> dict[str, Any]:
    """Return the suggested corrections that this page may make, and those for others."""
    verdict, mine, others = eyes.thought, list[Choice](), list[str]()
    found = verdict.check.corrections if verdict and verdict.check else ()
    best = dict[str, None]()
    for number, each in enumerate(found, 1):
        own = isinstance(table, LoggedTable) and table.may_correct(eyes, each)
        chance = percent(each.probability)
        text = correction_text(each, named(each.entry))
        text += "" if chance.startswith("<") else f" ({chance}%)"
        if own:
            likely = each.probability > 0.5
            mine.append(Choice(f"Change {text}", str(number), main=likely))
        else:
            others.append(text)
        if each.entry and each.probability + ROUNDING >= found[0].probability:
            best["" if own else named(each.entry)] = None
    wanted = f"Ask the recorder to correct {listed([*best], 'or')}." if best else ""
    return {
        "mine": mine[:_OFFERED],
        "others": others[:_AT_ONCE],
        "at_once": max(1, min(_AT_ONCE, sum(each.probability >= _LIKELY for each in found))),
        "assumed": correction_text(found[0], named(found[0].entry)) if found else "",
        "wanted": "" if "" in best else wanted,
    }


@cache
def qr(address: str) -> Markup:
    """Return the QR code of an address as SVG."""
    import segno

    code = segno.make(address, error="m", micro=False)
    return Markup(code.svg_inline(omitsize=True, border=4, light="#fff", dark="#000"))
