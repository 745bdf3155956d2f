"""What the game asks of whoever looks at a page of a dealt table, and what may be answered."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from clue_solver.arena.chairs import MACHINES, PERSON
from clue_solver.arena.players import ROLL
from clue_solver.arena.referee import Request
from clue_solver.arena.view import View
from clue_solver.errors import listed
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.tables import Notebook
from clue_solver.notation import format_line
from clue_solver.rules.observations import Draw, Finger, Question, Suggestion
from clue_solver.rules.play import Play
from clue_solver.views.board import Tap
from clue_solver.views.editions import CLUE_CARDS
from clue_solver.views.table_talk import said

_WAITING = {
    "move": "{} is on the move",
    "ask": "{} is about to ask",
    "show": "{} is choosing a card to show",
    "accuse": "{} may accuse now",
}
"""What everybody else waits for."""


_TOWARDS = 3
"""The most rooms that a way towards them is called by."""


class PanelButton(NamedTuple):
    """A button: what it says, what it sends, and whether it is the usual one."""

    label: str
    value: str
    main: bool = False


class Column(NamedTuple):
    """A category with the cards of it that may be named."""

    title: str
    cards: tuple[str, ...]


class Chair(NamedTuple):
    """A seat, who plays it, and who else may: each what a button says and sends."""

    seat: str
    player: str
    others: tuple[PanelButton, ...]


class RequestPanel(NamedTuple):
    """
    What a page asks.

    Attributes:
        question, remark: What is to be decided, or who decides.
        number: How many decisions there were before it.
        kind: What kind of decision it is; empty where this page has none to make.
        answers: What may be answered by a tap.
        named: The cards that a question may name; empty where none may.
        several: Whether several of a category may be named.
        pointed: The cards that the finger may point at.
        nothing: What the button says that does nothing; empty where something has to be done.
        accused: The cards of an accusation; empty where one may not accuse.
        happened: What has happened since the seat's last turn.
        turn: Whose turn it is; `None` once the game is over.
        over: Whether the game is over.
        trouble: Why the game is not saved.
        story: What the review of a game that is over begins with.
        hands: Once it is over, everybody's cards by seat.
    """

    question: str
    remark: str = ""
    number: int = 0
    kind: str = ""
    answers: tuple[PanelButton, ...] = ()
    named: tuple[Column, ...] = ()
    several: bool = False
    pointed: tuple[Column, ...] = ()
    nothing: str = ""
    accused: tuple[Column, ...] = ()
    happened: tuple[str, ...] = ()
    turn: str | None = None
    over: bool = False
    trouble: str = ""
    story: str = ""
    hands: tuple[tuple[str, tuple[str, ...]], ...] = ()


def request_panel(table: DealtTable, book: Notebook) -> RequestPanel:
    """Return what a page of a table asks."""
    chairs = table.chairs
    game, request = chairs.game, chairs.game.request
    dealt = game.dealt.table
    shown = RequestPanel(
        question="",
        number=chairs.number,
        happened=tuple(said(each, dealt, viewer=book.seat) for each in table.happened(book)),
        turn=game.state.turn,
        over=request is None,
        trouble=table.trouble,
        story=table.story or "",
    )
    if request is None:
        held = f"The envelope held {listed(game.solution)}."
        remark = f"{_ending(game.state, book.seat)} {held}"
        cards = dealt.edition.names
        hands = tuple(
            (seat, tuple(sorted(game.dealt.hands[seat], key=cards.index))) for seat in dealt.seats
        )
        return shown._replace(question="The game is over.", remark=remark, hands=hands)
    view = game.views[request.seat]
    if table.asked(book) is None:
        waiting = f"{_WAITING[request.kind].format(request.seat)}."
        why = _asked_for(view) if request.kind == "show" else ""
        return shown._replace(question=waiting, remark=f"{_apart(table, book)} {why}".strip())
    shown = _asked(shown._replace(kind=request.kind), view, request)
    if chairs.may_accuse:
        shown = shown._replace(accused=tuple(_columns(view)))
    return shown


def taps(table: DealtTable, book: Notebook) -> dict[str, Tap]:
    """Return what a tap on each place of the board answers, where a page is asked to move."""
    request = table.asked(book)
    if request is None or request.kind != "move":
        return {}
    view = table.chairs.game.views[request.seat]
    return {
        place: Tap(Draft(chosen=(place,)).query(), place, f"Go to {place}")
        for place in view.places
        if place in view.state.rules.ground.places
    }


def _asked(shown: RequestPanel, view: View, request: Request) -> RequestPanel:
    """Return a panel with what is asked of its seat."""
    state = view.state
    match request.kind:
        case "move":
            rolled = _standing(view) if state.total is None else f"You rolled {state.total}."
            looks = state.rules.board is None
            where = "Where do you look at the face-down card?" if looks else "Where do you go?"
            nothing = "Look at none" if looks else "Stay where you are"
            return shown._replace(
                question=where, remark=rolled, answers=tuple(_ways(view)), nothing=nothing
            )
        case "ask":
            return _question(shown, view)
        case "show":
            answers = tuple(
                PanelButton(f"Show {card}", card, main=len(request.cards) == 1)
                for card in request.cards
            )
            to = request.to or "everybody"
            question = f"Which card do you show {to}?"
            if len(answers) == 1:
                question = f"You have one card to show {to}."
            return shown._replace(question=question, remark=_asked_for(view), answers=answers)
        case "accuse":
            if not state.done:
                return shown._replace(question="It is your turn.", nothing="Roll the dice")
            last = " ".join(shown.happened[-1:])
            return shown._replace(question="Do you accuse?", remark=last, nothing="End my turn")


def _asked_for(view: View) -> str:
    """Return what a seat is to show a card for, as everybody heard it."""
    match view.asked:
        case Suggestion(by=by, cards=cards) | Finger(by=by, cards=cards):
            return f"{by} asks for {listed(cards)}."
        case Question(by=by, about=about):
            return f"{by} asks about {listed(about)}."
        case Draw(kind=kind):
            return f"The clue card: {CLUE_CARDS[kind]}."
    return ""


def _standing(view: View) -> str:
    """Return whom a seat plays and where its piece stands, in words; empty without a board."""
    place = view.state.place(view.seat)
    if view.state.rules.board is None or place is None:
        return ""
    piece = dict(zip(view.table.seats, view.table.pieces, strict=False)).get(view.seat)
    plays = f"You play {piece}, and stand" if piece else "You stand"
    return f"{plays} {'in' if place in view.edition.rooms else 'on'} {place}."


def _question(shown: RequestPanel, view: View) -> RequestPanel:
    """Return a panel that asks for a suggestion, or how to use what else the rules allow."""
    state, edition = view.state, view.edition
    extras = tuple(state.extras())
    answers = tuple(
        PanelButton(line.removeprefix(f"{view.seat} "), line)
        for line in (
            format_line(each, view.table) for each in extras if not isinstance(each, Finger)
        )
    )
    pointed = tuple(_columns(view)) if any(isinstance(each, Finger) for each in extras) else ()
    dice = f"You rolled {listed(state.dice)}." if edition.suspect_dice else ""
    named: tuple[Column, ...] = ()
    question = "What do you do besides?"
    if state.may("suggests"):
        question = "What do you suggest?"
        cards = {card for each in state.suggestions() for card in each}
        named = tuple(_columns(view, cards))
    return shown._replace(
        question=question,
        remark=dice,
        answers=answers,
        named=named,
        several=edition.named < len(edition.category),
        pointed=pointed,
        nothing="Suggest nothing" if named else "Do nothing",
    )


def _ways(view: View) -> Iterator[PanelButton]:
    """Yield where a seat may go, and towards which rooms."""
    places, rooms = view.places, view.edition.rooms
    if ROLL in places:
        yield PanelButton("Roll the dice", ROLL, main=True)
    near = [room for room in rooms if room in places]
    passage = "Secret passage to " if ROLL in places else ""
    yield from (PanelButton(f"{passage}{room}", room) for room in near)
    far: dict[str, list[str]] = {}
    if len(places) > len(near) + (ROLL in places):
        for room in rooms:
            place = view.state.towards(room)
            if room not in near and place is not None and place not in near:
                far.setdefault(place, []).append(room)
    for place, towards in far.items():
        nearest = sorted(towards, key=lambda room: view.steps(room) or 0)[:_TOWARDS]
        yield PanelButton(f"towards {listed(nearest, 'or')}", place)


def _columns(view: View, cards: Sequence[str] | set[str] = ()) -> Iterator[Column]:
    """Yield the categories with their cards, or with those that are given."""
    for kind in view.edition.category:
        names = tuple(card.name for card in kind.cards if not cards or card.name in cards)
        if names:
            yield Column(kind.plural or kind.name, names)


def chairs_of(players: Mapping[str, str], own: str | None) -> Iterator[Chair]:
    """Yield the seats that a page may give to others: its own, or every one for the host."""
    for seat, player in players.items():
        if own in (None, seat):
            whose = "Take my chair back" if own else "A person plays"
            person = () if player == PERSON else (PanelButton(whose, PERSON, main=own == seat),)
            machines = (
                PanelButton(level.capitalize(), level) for level in MACHINES if level != player
            )
            yield Chair(seat, player, (*person, *machines))


def _apart(table: DealtTable, book: Notebook) -> str:
    """Return why somebody who looks at the own page decides nothing; empty for no reason."""
    machine = table.machines.get(book.seat or "")
    if machine is not None:
        return f"A machine ({machine}) plays for you; take your chair back under Table."
    if book.seat in table.chairs.game.state.out:
        return "You accused wrongly: you are out, and still show cards."
    return ""


def _ending(state: Play, own: str | None) -> str:
    if state.winner is None:
        return "Nobody found out."
    return "You won!" if state.winner == own else f"{state.winner} won!"
