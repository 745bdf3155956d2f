"""What pages show of the machines at a shared table: what they say, ask, and have to be told."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from clue_solver.faces.web.drafts import OTHER, Draft
from clue_solver.faces.web.machines import MachineTurn, Owed, SharedTable
from clue_solver.faces.web.request_panel import chairs_of
from clue_solver.faces.web.shown_cards import card_of, showings
from clue_solver.faces.web.tables import Notebook, ServedTable
from clue_solver.faces.web.touch_entry import Button, ButtonRow, Entering
from clue_solver.notation import format_line
from clue_solver.rules.observations import (
    Accusation,
    Draw,
    Finger,
    Look,
    Move,
    Observation,
    Peek,
    Question,
    Roll,
    Skip,
    Suggestion,
)
from clue_solver.rules.table import Table
from clue_solver.views.table_talk import announced

_WAITS = {
    "hand": "{0} does not know its cards yet: whoever deals ticks them on {0}'s page, under Table.",
    "place": "{0} does not know where its token stands: say under Log who plays whom.",
    "log": "{0} cannot go on: the log contradicts what it knows. Look at what is logged of it.",
    "wits": "{0} cannot decide: log for it what you like.",
}


class Announcement(NamedTuple):
    """What a machine says, and what may be tapped then."""

    text: str
    buttons: tuple[Button, ...] = ()


def machine_fields(
    table: ServedTable, book: Notebook, draft: Draft, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a page of a shared table shows of its machines."""
    assert isinstance(table, SharedTable)
    fields: dict[str, Any] = {"chairs": (), "said": (), "seen_cards": tuple(_shown(table, book))}
    if book.seat is None:
        fields["chairs"] = tuple(chairs_of(table.players, None))
        fields["said"] = () if draft.begun else tuple(announcements(table))
        if given["entered"] is not None and table.machines:
            fields["entered"] = _asked(given["entered"], draft, table)
    return fields


def machine_page_fields(table: ServedTable, book: Notebook, opened: str) -> dict[str, Any]:
    """Return what the page of a machine shows: nothing of its hand, and nothing that it knows."""
    assert isinstance(table, SharedTable)
    seat = str(book.seat)
    return {
        "title": f"{seat}, a machine ({table.machines[seat]})",
        "seat": seat,
        "told": table.hand(seat) is not None,
        "said": tuple(announcements(table, seat)),
        "owed": tuple(_owed(seat, each) for each in table.owed(seat)),
        "to_show": table.to_show(seat),
        "opened": table.opened(seat, opened),
        "opening": opened,
    }


def announcements(table: SharedTable, seat: str = "") -> Iterator[Announcement]:
    """Yield what the machines say now, or that of one seat, and what they wait for."""
    if table.recorder.game.finished:
        return
    if table.thinking:
        yield Announcement("A machine is thinking.")
    for turn in table.turns:
        if seat in ("", turn.seat):
            yield from _announced(turn, table)
    for machine in table.machines:
        if seat == "" and table.hand(machine) is not None:
            for each in table.owed(machine)[:1]:
                yield Announcement(_owed(machine, each)[0])


def _announced(turn: MachineTurn, table: SharedTable) -> Iterator[Announcement]:
    """Yield what a machine does, and what a tap logs of it or leads on to."""
    if turn.waits:
        yield Announcement(_WAITS[turn.waits].format(turn.seat))
    if turn.action is None:
        return
    played = table.recorder.game.record.table
    text = announced(turn.action, played, towards=turn.towards)
    yield Announcement(text, tuple(_buttons(turn.action, played)))


def _buttons(action: Observation, table: Table) -> Iterator[Button]:
    """Yield what may be tapped once a machine has said what it does."""

    def leads(label: str, *chosen: str) -> Button:
        return Button(label, Draft(kind=OTHER, chosen=chosen).query())

    match action:
        case Roll(by=by):
            yield leads("Log the roll", "Roll", by)
        case Draw(by=by):
            yield leads("Log the card", "Draw", by)
        case Move():
            yield Button("Log its move", line=format_line(action, table))
        case Look() | Peek() | Skip():
            yield Button("Log it", line=format_line(action, table))
        case Suggestion(by=by, cards=cards):
            yield Button("Enter the answers", Draft(by=by, picked=cards).query())
        case Finger(by=by, cards=cards):
            yield leads("Enter the answers", "Finger", by, *cards)
        case Question(by=by, seat=seat, about=about):
            yield leads("Enter the answer", "Question", by, seat, *about)
        case Accusation(by=by, cards=cards):
            for right, label in ((True, "Right"), (False, "Wrong")):
                told = Accusation(by=by, cards=cards, right=right)
                yield Button(label, line=format_line(told, table))


def _owed(seat: str, owed: Owed) -> tuple[str, Owed]:
    """Return what a machine has to be told, as a request and its choices."""
    if owed.teller:
        return f"{owed.teller}, which card did you show {seat}?", owed
    return f"Which card did {seat} see?", owed


def _shown(table: SharedTable, book: Notebook) -> Iterator[str]:
    """Yield which cards machines have shown a seat since it did something else."""
    if book.seat is None:
        return
    record = table.current(book).record
    for observation in reversed(record.observations):
        for showing in showings(observation, record.table):
            card = card_of(observation, showing.giver, record.table)
            if showing.taker == book.seat and showing.giver in table.machines and card:
                yield f"{showing.giver} shows you {card}."
        if getattr(observation, "by", None) == book.seat:
            return


def _asked(entered: Entering, draft: Draft, table: SharedTable) -> Entering:
    """Return an entry in which machines are asked, and those who have passed have done so."""
    rows = entered.rows
    match draft.chosen:
        case _ if not draft.kind:
            pass
        case ("Reveal", seat) if seat in table.machines:
            return entered._replace(rows=(*_revealed(seat, table), *rows))
        case ("Question", _, seat, *_) if seat in table.machines:
            asks = _ask(seat, [each.line for each in rows[0].buttons])
            return entered._replace(rows=(ButtonRow(seat, asks),)) if asks else entered
        case ("Finger", *_) if rows and _NOBODY in [each.label for each in rows[0].buttons]:
            ends = tuple(each for each in rows[0].buttons if each.label in (_NOBODY, _UNHEARD))
            others = (each for each in rows[0].buttons if each not in ends)
            split = (ButtonRow(each.label.removesuffix(" shows"), (each,)) for each in others)
            rows = (*split, ButtonRow("", ends))
        case _:
            return entered
    cards = ", ".join(each.label for each in entered.picked)
    line = f"{entered.by} suggests {cards}: {{}} shows"
    several = table.recorder.game.record.table.several_show
    titles = [row.title for row in rows]
    passed = [titles.index(seat) for seat in draft.passed if seat in titles]
    left = rows[max(passed, default=-1) + 1 :]
    return entered._replace(rows=tuple(_reached(left, table, line if several else "")))


_NOBODY, _UNHEARD = "nobody shows", "no idea"
"""The answers to a suggestion that are no seat's."""


def _reached(rows: Sequence[ButtonRow], table: SharedTable, line: str) -> Iterator[ButtonRow]:
    """
    Yield the rows of those who may answer yet, up to the first machine, which is asked.

    Args:
        rows: The rows.
        table: The table.
        line: The line that a machine is asked by, where everybody answers; else each row has it.
    """
    asked = bool(line)
    for row in rows:
        if row.title in table.machines and (line or not asked):
            asked = True
            lines = [line.format(row.title)] if line else [each.line for each in row.buttons]
            yield ButtonRow(row.title, _ask(row.title, lines))
        elif not row.title and asked:
            yield ButtonRow("", tuple(each for each in row.buttons if each.label != _NOBODY))
        elif line or not asked:
            yield row


def _ask(seat: str, lines: Sequence[str]) -> tuple[Button, ...]:
    """Return the button that asks a machine, by the line that is logged if it shows a card."""
    shows = [line for line in lines if line.endswith(" shows")]
    return (Button(f"Ask {seat}", line=shows[0], asks=True),) if shows else ()


def _revealed(seat: str, table: SharedTable) -> Iterator[ButtonRow]:
    """Yield what a machine may be asked to show everybody: any card, or one that is named."""
    edition = table.recorder.game.record.table.edition
    any_card = Button(f"Ask {seat} for a card", line=f"{seat} reveals", asks=True)
    yield ButtonRow("To everybody", (any_card,))
    for kind in edition.category:
        buttons = (
            Button(f"Has it {card.name}?", line=f"{seat} reveals {card.name}", asks=True)
            for card in kind.cards
        )
        yield ButtonRow(kind.plural or kind.name, tuple(buttons))
