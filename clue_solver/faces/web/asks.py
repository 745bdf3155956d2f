"""The panels on the pages of a dealt game, and the functions that process their forms."""

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
from clue_solver.faces.web.panel import Choice, Form, Panel, Row, text_in
from clue_solver.faces.web.told import nearest
from clue_solver.notation import format_line
from clue_solver.rules.observations import (
    Draw,
    Finger,
    Look,
    Observation,
    Peek,
    Question,
    Suggestion,
)
from clue_solver.views.board import Tap
from clue_solver.views.sentences import card_list
from clue_solver.views.table_talk import observation_sentence as told

_WAITING = {
    "move": "{} is moving",
    "ask": "{} is about to ask",
    "show": "{} is choosing a card to show",
    "accuse": "{} may accuse now",
}
"""What the other pages show while a player decides."""


class ShownPlay(NamedTuple):
    """
    What a page of a dealt game shows.

    Attributes:
        question, remark: The decision to make, or who is deciding; empty once the game is over.
        panels: The panels with the possible decisions.
        happened: Lines of what has happened since the seat's last turn, the newest first.
        turn: Whose turn it is; `None` once the game is over.
        shown: The card that was last shown to this page's seat, and who showed it; `None` if none.
    """

    question: str
    remark: str = ""
    panels: tuple[Panel, ...] = ()
    happened: tuple[str, ...] = ()
    turn: str | None = None
    shown: tuple[str, str] | None = None


def shown_play(table: DealtTable, eyes: Eyes, draft: Draft) -> ShownPlay:
    """Return what a page of a dealt game shows, with what was tapped so far."""
    game, request = table.chairs.game, table.chairs.game.request
    dealt = game.dealt.table
    recent = table.recent_events(eyes)
    happened = tuple(format_line(each, dealt) for each in reversed(recent))
    last = told(recent[-1], dealt, viewer=eyes.seat) if recent else ""
    shown = ShownPlay("", happened=happened, turn=game.state.turn)
    if request is None:
        return shown
    shown = shown._replace(shown=_shown_card(recent[-1] if recent else None, eyes.seat))
    view = game.views[request.seat]
    if table.request_for(eyes) is None:
        waiting = f"{_WAITING[request.kind].format(request.seat)}."
        why = _asked_text(view) if request.kind == "show" else ""
        if table.waits_for_tap and table.chairs.machine:
            why = last
            row = Row("", (Choice("Next", "next", main=True),))
            shown = shown._replace(panels=(Panel("step", "step", rows=(row,)),))
        return shown._replace(question=waiting, remark=f"{_idle_reason(table, eyes)} {why}".strip())
    taps = moves_by_tap(table, eyes, draft) if draft.chosen else {}
    for place in (place for place in draft.chosen[:1] if place in taps):
        room = place if place in view.edition.rooms else nearest(place, view.table)
        go = f"Go to {room}" if room == place else f"Stop near {room}"
        ways = (Choice(go, place, main=True), Choice("Back", href="?"))
        remark = f"{taps[place].description}." if room != place else ""
        panels = tuple(_buttons("move", ways))
        return shown._replace(question=f"{go}?", remark=remark, panels=panels)
    shown = _request_play(shown, view, request, draft.picked, last)
    if table.chairs.may_accuse:
        remark = "If it's wrong, you're out, but you still show cards."
        accuse = _card_panel("accuse", view, "I accuse")._replace(folded="Accuse", remark=remark)
        shown = shown._replace(panels=(*shown.panels, accuse))
    return shown


def _shown_card(last: Observation | None, seat: str | None) -> tuple[str, str] | None:
    """Return the card that a seat was shown just now, and who showed it; `None` if none."""
    match last:
        case Suggestion(by=by, answers=answers) | Finger(by=by, answers=answers) if by == seat:
            shown = ((each.card, str(each.seat)) for each in answers if each.card is not None)
            return next(shown, None)
        case Question(by=by, seat=holder, card=str(card)) if by == seat:
            return card, holder
    return None


def moves_by_tap(table: DealtTable, eyes: Eyes, draft: Draft) -> dict[str, Tap]:
    """Return the move that a tap on each place of the board chooses; empty if no move is due."""
    request = table.request_for(eyes)
    if request is None or request.kind != "move":
        return {}
    view = table.chairs.game.views[request.seat]
    ground = view.state.rules.ground.places
    return {
        place: Tap(Draft(chosen=(place,)).query(), place, way, on=place in draft.chosen)
        for place, way in _ways(view).items()
        if place in ground
    }


def _ways(view: View) -> dict[str, str]:
    """Return each place to which a seat may move, with what a button or the board calls it."""
    towards, rooms = view.towards(), view.edition.rooms
    go = "Secret passage to" if ROLL in view.places else "Go to"
    ways = {ROLL: "Roll the dice"} if ROLL in view.places else {}
    ways |= {room: f"{go} {room}" for room in rooms if room in view.places}
    ways |= {place: f"Go towards {listed(others, 'or')}" for place, others in towards.items()}
    for place in view.places:
        ways.setdefault(place, f"Go to a square near {nearest(place, view.table)}")
    return ways


def _request_play(
    shown: ShownPlay, view: View, request: Request, picked: Sequence[str], last: str
) -> ShownPlay:
    """Add the question and the panels for a request to what a page shows; `last` came last."""
    state = view.state
    match request.kind:
        case "move":
            question, nothing = "Where do you go?", "Stay where you are"
            remark = "" if state.total is None else f"You rolled {state.total}."
            offered = (ROLL, *view.edition.rooms, *view.towards())
            ways = [Choice(way, place) for place, way in _ways(view).items() if place in offered]
            if state.rules.board is None:
                question, nothing = "Where do you look at the face-down card?", "Look at none"
            elif ROLL in view.places:
                question = "Roll, or take the passage." if ways[1:] else "You are on the move."
            if ways and (ROLL in view.places or not ways[1:]):
                ways[0] = ways[0]._replace(main=True)
            panels = (*_buttons("move", ways), _nothing_panel(nothing))
        case "ask":
            return _suggestion_play(shown, view, picked)
        case "show":
            only = len(request.cards) == 1
            to, remark = request.to or "everybody", _asked_text(view)
            question = f"Which card do you show {to}?"
            if only:
                question = f"You have one card to show {to}."
            cards = (Choice(f"Show {card}", card, main=only) for card in request.cards)
            panels = (*_buttons("show", cards),)
        case "accuse":
            question, remark, nothing = "It is your turn.", "", "Roll the dice"
            if state.done:
                question = last or question
                remark, nothing = "End your turn, or accuse.", "End my turn"
                if shown.shown is not None:
                    card, holder = shown.shown
                    question = f"{holder} shows you {card_list([card], view.edition)}."
                    shown = shown._replace(happened=shown.happened[1:])
            panels = (_nothing_panel(nothing, main=True),)
    return shown._replace(question=question, remark=remark, panels=panels)


def _suggestion_play(shown: ShownPlay, view: View, picked: Sequence[str]) -> ShownPlay:
    """Add the panels for a suggestion, or for whatever else the rules allow."""
    state, edition = view.state, view.edition
    extras = tuple(state.extras())
    others = [each for each in extras if not isinstance(each, Finger)]
    panels = [*_buttons("ask", (_extra_choice(each, view) for each in others))]
    question, nothing = "What else do you do?", "Do nothing"
    if state.may("suggests"):
        question, nothing = "What do you suggest?", "No suggestion"
        every = [{*each} for each in state.suggestions()]
        panels.append(_card_panel("ask", view, "Suggest", every, picked))
    if any(isinstance(each, Finger) for each in extras):
        folded = "Point the finger at cards"
        panels.append(_card_panel("point", view, "Point at them")._replace(folded=folded))
    panels.append(_nothing_panel(nothing, main=not panels))
    remark = f"You rolled {listed(state.dice)}." if edition.suspect_dice else ""
    return shown._replace(question=question, remark=remark, panels=tuple(panels))


def _extra_choice(extra: Observation, view: View) -> Choice:
    """Return the choice of what the rules allow besides, such as `Ask Ben about Plum`."""
    line = format_line(extra, view.table)
    if isinstance(extra, Look) and extra.holder in view.table.seats:
        return Choice(f"Look at one of {extra.holder}'s cards", line)
    if isinstance(extra, Peek):
        return Choice("Peek into the envelope", line)
    verb, _, rest = line.removeprefix(f"{view.seat} ").partition(" ")
    return Choice(f"{verb.removesuffix('s').capitalize()} {rest}".strip(), line)


def _buttons(what: str, choices: Iterable[Choice]) -> Iterator[Panel]:
    """Yield a panel of buttons that answer at once; nothing if there are no choices."""
    if every := tuple(choices):
        yield Panel("answer", "choice", rows=(Row("", every),), fields=(("what", what),))


def _nothing_panel(label: str, *, main: bool = False) -> Panel:
    """Return a panel with a button to do nothing."""
    return Panel("answer", "what", rows=(Row("", (Choice(label, "nothing", main=main),)),))


def _card_panel(
    what: str,
    view: View,
    button: str,
    every: Sequence[Set[str]] | None = None,
    picked: Sequence[str] = (),
) -> Panel:
    """
    Return the panel on which a player picks one card of each category.

    Args:
        what: The kind of decision that the form sends.
        view: What the seat sees.
        button: The label of the button that sends the form.
        every: The cards of each possible suggestion. By default, any cards can be picked.
        picked: The cards picked so far. Cards that the dice do not allow with them are disabled.
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
            name = kind.name.lower()
            article = "" if name == kind.plural.lower() else "a "
            open_kinds += [article + name] if choices[1:] else []
    most = view.edition.named if every and view.edition.suspect_dice else 0
    if most and len(columns) > most:
        open_kinds = [f"{most} cards of different kinds"]
    return Panel(
        "answer",
        remark=f"The dice do not show the grey cards with {listed([*picked])}." if off else "",
        columns=tuple(columns),
        fields=(("what", what),),
        button=button,
        before=f"Pick {listed(open_kinds)}" if open_kinds else "",
        most=most,
    )


def _asked_text(view: View) -> str:
    """Return a sentence that states why a seat has to show a card."""
    asked = view.asked
    assert asked is not None
    if isinstance(asked, Draw):
        return told(asked, view.table, viewer=None)
    return f"{format_line(asked, view.table)}."


def _idle_reason(table: DealtTable, eyes: Eyes) -> str:
    """Return why the seat of a page does not play itself; empty if it does."""
    machine = table.machines.get(eyes.seat or "")
    if machine is not None:
        return f"The computer ({machine}) is playing for you; take your seat back under Table."
    if eyes.seat in table.chairs.game.state.out:
        return "You accused wrongly: you're out, but you still show cards."
    return ""


def seat_panels(table: DealtTable, own: str | None) -> Iterator[tuple[str, tuple[Panel, ...]]]:
    """Yield each seat whose player this page may change, with the panels for it."""
    for seat, player in table.chairs.players.items():
        if own in (None, seat):
            fields = (("seat", seat), ("tab", "table"))
            person = Choice("Take my seat back" if own else "A person plays", PERSON, main=True)
            levels = (Choice(each.capitalize(), each) for each in MACHINES if each != player)
            machine = Panel(
                "sit",
                "player",
                remark=f"It knows only what {'you have' if own else seat + ' has'} seen.",
                rows=(Row("", tuple(levels)),),
                fields=fields,
                folded="Another level" if player else "Let the computer take over",
            )
            back = Panel("sit", "player", rows=(Row("", (person,)),), fields=fields)
            yield seat, (back, machine) if player else (machine,)


def pace_panel(eyes: Eyes) -> Panel:
    """Return the panel that sets whether machines wait for a tap."""
    steps = eyes.links.steps
    choices = (Choice("A second each", "", on=not steps), Choice("I tap Next", "1", on=steps))
    fields = (("tab", "table"),)
    return Panel("pace", "steps", "How the computer plays", rows=(Row("", choices),), fields=fields)


def set_pace(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Set whether machines wait for a tap before each action."""
    table.relink(eyes, replace(eyes.links, steps=bool(text_in(form, "steps"))))
    table.all_changed()


def step(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Let the waiting machine act, unless it has acted since the page was drawn."""
    if text_in(form, "at") == table.stamp(eyes):
        table.step()


def answer(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Make the decision that a seat sent, unless it was already made."""
    chairs, request = table.chairs, table.request_for(eyes)
    if text_in(form, "at") != table.stamp(eyes) or request is None:
        return
    what = text_in(form, "what")
    choice = _decision_in(chairs.game.views[request.seat], what, form)
    table.decide(choice, accuses=what == "accuse")


def sit(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Change who plays a seat. A player may change only their own, the host may change any."""
    seat, player = text_in(form, "seat"), text_in(form, "player")
    if eyes.seat not in (None, seat):
        raise ArgumentError(f"only {seat} and the host can choose who plays there")
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
"""The actions of the forms on the pages of a dealt game."""


def _decision_in(view: View, what: str, form: Form) -> Any:
    """
    Return the decision that a form sent, as one of `Referee.choices`.

    Raises:
        ArgumentError: If the form has too few cards, or cards that the dice do not allow.
    """
    if what == "nothing":
        return None
    if chosen := text_in(form, "choice") or text_in(form, "line"):
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
