"""What the game asks of whoever looks at a page of a dealt table, and what its forms do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from msgspec.structs import replace

from clue_solver.arena.chairs import MACHINES, PERSON
from clue_solver.arena.players import ROLL
from clue_solver.arena.referee import Request
from clue_solver.arena.view import View
from clue_solver.errors import ArgumentError, listed
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.forms import free_seat, set_help
from clue_solver.faces.web.panel import Choice, Form, Panel, Row, one
from clue_solver.notation import format_line
from clue_solver.rules.observations import Draw, Finger, Observation, Question, Suggestion
from clue_solver.views.board import Tap
from clue_solver.views.editions import CLUE_CARDS
from clue_solver.views.sentences import card_list
from clue_solver.views.table_talk import observation_sentence as told

_WAITING = {
    "move": "{} is on the move",
    "ask": "{} is about to ask",
    "show": "{} is choosing a card to show",
    "accuse": "{} may accuse now",
}
"""What everybody else waits for."""


class ShownPlay(NamedTuple):
    """
    What a page of a dealt table shows of the play.

    Attributes:
        question, remark: What is to be decided, or who decides; nothing once the game is over.
        panels: What may be answered.
        happened: What has happened since the seat's last turn.
        turn: Whose turn it is; `None` once the game is over.
        shown: The card that was shown to this page's seat last, and by whom; `None` for none.
    """

    question: str
    remark: str = ""
    panels: tuple[Panel, ...] = ()
    happened: tuple[str, ...] = ()
    turn: str | None = None
    shown: tuple[str, str] | None = None


def asks(table: DealtTable, eyes: Eyes, picked: Sequence[str] = ()) -> ShownPlay:
    """Return what a page of a table asks, where cards of a suggestion are picked so far."""
    game, request = table.chairs.game, table.chairs.game.request
    dealt = game.dealt.table
    happened = tuple(told(each, dealt, viewer=eyes.seat) for each in table.happened(eyes))
    shown = ShownPlay("", happened=happened, turn=game.state.turn)
    if request is None:
        return shown
    shown = shown._replace(shown=_shown_card(table.happened(eyes), eyes.seat))
    view = game.views[request.seat]
    if table.asked(eyes) is None:
        waiting = f"{_WAITING[request.kind].format(request.seat)}."
        why = _asked_for(view) if request.kind == "show" else ""
        if table.steps and table.chairs.machine:
            why = " ".join(happened[-1:])
            row = Row("", (Choice("Next", "next", main=True),))
            shown = shown._replace(panels=(Panel("step", "step", rows=(row,)),))
        return shown._replace(question=waiting, remark=f"{_apart(table, eyes)} {why}".strip())
    shown = _asked(shown, view, request, picked)
    if table.chairs.may_accuse:
        remark = "If it's wrong, you're out, but you still show cards."
        accuse = _naming("accuse", view, "I accuse")._replace(folded="Accuse", remark=remark)
        shown = shown._replace(panels=(*shown.panels, accuse))
    return shown


def _shown_card(happened: Sequence[Observation], seat: str | None) -> tuple[str, str] | None:
    """Return the card that somebody has just shown to a seat, and who; `None` for none."""
    for each in reversed(happened):
        match each:
            case Suggestion(by=by, answers=answers) | Finger(by=by, answers=answers) if by == seat:
                shown = [(each.card, str(each.seat)) for each in answers if each.card is not None]
                return shown[0] if shown else None
            case Question(by=by, seat=holder, card=card) if by == seat:
                return None if card is None else (card, holder)
    return None


def taps(table: DealtTable, eyes: Eyes) -> dict[str, Tap]:
    """Return what a tap on each place of the board answers, where a page is asked to move."""
    request = table.asked(eyes)
    if request is None or request.kind != "move":
        return {}
    view = table.chairs.game.views[request.seat]
    ground = view.state.rules.ground.places
    places = [place for place in view.places if place in ground]
    return {place: Tap(Draft(chosen=(place,)).query(), place, f"Go to {place}") for place in places}


def _asked(shown: ShownPlay, view: View, request: Request, picked: Sequence[str]) -> ShownPlay:
    """Return what is asked of a seat."""
    state = view.state
    match request.kind:
        case "move":
            remark = "" if state.total is None else f"You rolled {state.total}."
            ways, question, nothing = [*_ways(view)], "Where do you go?", "Stay where you are"
            if state.rules.board is None:
                question, nothing = "Where do you look at the face-down card?", "Look at none"
            elif ROLL in view.places:
                question = "Roll the dice, or take the passage." if ways[1:] else "Roll the dice."
            panels = (*_buttons("move", ways), _nothing(nothing))
        case "ask":
            return _question(shown, view, picked)
        case "show":
            only = len(request.cards) == 1
            to, remark = request.to or "everybody", _asked_for(view)
            question = f"Which card do you show {to}?"
            if only:
                question = f"You have one card to show {to}."
            cards = (Choice(f"Show {card}", card, main=only) for card in request.cards)
            panels = (*_buttons("show", cards),)
        case "accuse":
            question, remark, nothing = "It is your turn.", "", "Roll the dice"
            if state.done:
                question = " ".join(shown.happened[-1:]) or question
                remark, nothing = "End your turn, or accuse.", "End my turn"
                if shown.shown is not None:
                    card, holder = shown.shown
                    question = f"{holder} shows you {card_list([card], view.edition)}."
                    shown = shown._replace(happened=shown.happened[:-1])
            panels = (_nothing(nothing, main=True),)
    return shown._replace(question=question, remark=remark, panels=panels)


def _question(shown: ShownPlay, view: View, picked: Sequence[str]) -> ShownPlay:
    """Return what may be suggested, or what else the rules allow."""
    state, edition = view.state, view.edition
    extras = tuple(state.extras())
    lines = [format_line(each, view.table) for each in extras if not isinstance(each, Finger)]
    panels = [*_buttons("ask", (Choice(_request(line, view.seat), line) for line in lines))]
    question, nothing = "What do you do besides?", "Do nothing"
    if state.may("suggests"):
        question, nothing = "What do you suggest?", "Suggest nothing"
        every = [{*each} for each in state.suggestions()]
        panels.append(_naming("ask", view, "Suggest", every, picked))
    if any(isinstance(each, Finger) for each in extras):
        folded = "Point the finger at cards"
        panels.append(_naming("point", view, "Point at them")._replace(folded=folded))
    panels.append(_nothing(nothing, main=not panels))
    remark = f"You rolled {listed(state.dice)}." if edition.suspect_dice else ""
    return shown._replace(question=question, remark=remark, panels=tuple(panels))


def _request(line: str, seat: str) -> str:
    """Return what a seat's line says as a request: Ask Ben about Plum."""
    verb, _, rest = line.removeprefix(f"{seat} ").partition(" ")
    return f"{verb.removesuffix('s').capitalize()} {rest}".strip()


def _buttons(what: str, choices: Iterable[Choice]) -> Iterator[Panel]:
    """Yield the panel whose choices answer at once, if there are any."""
    if every := tuple(choices):
        yield Panel("answer", "choice", rows=(Row("", every),), fields=(("what", what),))


def _nothing(label: str, *, main: bool = False) -> Panel:
    """Return the panel that does nothing."""
    return Panel("answer", "what", rows=(Row("", (Choice(label, "nothing", main=main),)),))


def _naming(
    what: str,
    view: View,
    button: str,
    every: Sequence[Set[str]] | None = None,
    picked: Sequence[str] = (),
) -> Panel:
    """
    Return the panel that names a card of each category.

    Args:
        what: What that answers.
        view: What the seat sees.
        button: What sends it.
        every: The cards of each suggestion that there can be; any cards if left out.
        picked: The cards that are chosen so far; those that the dice do not show with them are off.
    """
    columns, open_kinds, off = list[Row](), list[str](), False
    for number, kind in enumerate(view.edition.category):
        cards = [card.name for card in kind.cards]
        names = [name for name in cards if every is None or any(name in each for each in every)]
        others, choices = {*picked} - {*cards}, []
        for name in names:
            alone = every is not None and not any({name, *others} <= each for each in every)
            on = name in picked or len(names) == 1
            choices.append(Choice(name, name, on=on, off=alone and not on))
        off = off or any(choice.off for choice in choices)
        if choices:
            columns.append(Row(kind.plural or kind.name, tuple(choices), name=f"card-{number}"))
            open_kinds += [kind.name.lower()] if choices[1:] else []
    return Panel(
        "answer",
        remark=f"The dice do not show the grey cards with {listed([*picked])}." if off else "",
        columns=tuple(columns),
        fields=(("what", what),),
        button=button,
        before=f"Pick {listed(['a ' + each for each in open_kinds])}" if open_kinds else "",
        most=view.edition.named if every and view.edition.suspect_dice else 0,
    )


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


def _ways(view: View) -> Iterator[Choice]:
    """Yield where a seat may go, and towards which rooms."""
    places, rooms = view.places, view.edition.rooms
    if ROLL in places:
        yield Choice("Roll the dice", ROLL, main=True)
    near = [room for room in rooms if room in places]
    passage = "Secret passage to " if ROLL in places else ""
    yield from (Choice(f"{passage}{room}", room) for room in near)
    for place, towards in view.towards().items():
        yield Choice(f"Towards {listed(towards, 'or')}", place)


def _apart(table: DealtTable, eyes: Eyes) -> str:
    """Return why a seat has nothing to decide on its own page; empty for no reason."""
    machine = table.machines.get(eyes.seat or "")
    if machine is not None:
        return f"A machine ({machine}) plays for you; take your chair back under Table."
    if eyes.seat in table.chairs.game.state.out:
        return "You accused wrongly: you're out, but you still show cards."
    return ""


def chairs_of(table: DealtTable, own: str | None) -> Iterator[tuple[str, tuple[Panel, ...]]]:
    """Yield the seats that a page may give to others, its own or all for the host, and how."""
    for seat, player in table.chairs.players.items():
        if own in (None, seat):
            fields = (("seat", seat), ("tab", "table"))
            person = Choice("Take my seat back" if own else "A person plays", PERSON, main=True)
            levels = (Choice(each.capitalize(), each) for each in MACHINES if each != player)
            machine = Panel(
                "sit",
                "player",
                remark=f"It goes on with what {'you have' if own else seat + ' has'} seen.",
                rows=(Row("", tuple(levels)),),
                fields=fields,
                folded="Another machine" if player else "Let a machine take over",
            )
            back = Panel("sit", "player", rows=(Row("", (person,)),), fields=fields)
            yield seat, (back, machine) if player else (machine,)


def pace_of(eyes: Eyes) -> Panel:
    """Return the panel that asks whether machines wait for a tap."""
    steps = eyes.links.steps
    choices = (Choice("A second each", "", on=not steps), Choice("I tap Next", "1", on=steps))
    fields = (("tab", "table"),)
    return Panel(
        "pace", "steps", "What computer players do", rows=(Row("", choices),), fields=fields
    )


def set_pace(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Say whether machines wait for a tap."""
    table.relink(eyes, replace(eyes.links, steps=bool(one(form, "steps"))))
    table.all_changed()


def step(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Let a machine do what it waits to do, unless that was done already."""
    if one(form, "at") == table.stamp(eyes):
        table.step()


def answer(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Answer what the game asks of a seat; nothing if that was done already."""
    chairs, request = table.chairs, table.asked(eyes)
    if one(form, "at") != table.stamp(eyes) or request is None:
        return
    what = one(form, "what")
    choice = _choice(chairs.game.views[request.seat], what, form)
    table.decide(choice, accuses=what == "accuse")


def sit(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Let a machine or a person play a seat: one's own, or any for the host."""
    seat, player = one(form, "seat"), one(form, "player")
    if eyes.seat not in (None, seat):
        raise ArgumentError(f"only {seat} and the host say who plays there")
    if player not in (PERSON, *MACHINES):
        raise ArgumentError(f"expected one of {', '.join(MACHINES)}", argument="player")
    table.sit(seat, player)


DEALT: Mapping[str, Any] = {
    "answer": answer,
    "step": step,
    "pace": set_pace,
    "sit": sit,
    "free": free_seat,
    "help": set_help,
}
"""What the pages of a table may do at which the program deals."""


def _choice(view: View, what: str, form: Form) -> Any:
    """
    Return what a form of a dealt table has chosen, as `Referee.choices` has it.

    Raises:
        ArgumentError: If it names too few cards, or what is offered no more.
    """
    if what == "nothing":
        return None
    if chosen := one(form, "choice") or one(form, "line"):
        extras = {format_line(extra, view.table): extra for extra in view.state.extras()}
        return extras.get(chosen, chosen)
    named = {card for name, cards in form.items() if name.startswith("card-") for card in cards}
    cards = tuple(card for card in view.cards if card in named)
    kinds = view.edition.category
    least = view.edition.named if what == "ask" else len(kinds)
    if len(cards) != least:
        each = listed([kind.name for kind in kinds])
        raise ArgumentError(
            f"choose {least} cards of different kinds"
            if least < len(kinds)
            else f"choose one of each: {each}"
        )
    if what == "ask":
        if view.state.dice and cards not in view.state.suggestions():
            raise ArgumentError(f"the dice show {listed(view.state.dice)}: choose accordingly")
        return Suggestion(by=view.seat, cards=cards)
    return Finger(by=view.seat, cards=cards) if what == "point" else cards
