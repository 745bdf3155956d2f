"""The panels on which people make their decisions on the pages of a dealt game."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from clue_solver.arena.chairs import MACHINES, PERSON
from clue_solver.arena.view import View
from clue_solver.errors import listed, sentences
from clue_solver.faces import decisions
from clue_solver.faces.decisions import Decision, Option, decision_due
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.line_pieces import without_squares
from clue_solver.faces.web.panel import Choice, Panel, Row
from clue_solver.notation.canonical import format_line
from clue_solver.rules.observations import Observation, Suggestion
from clue_solver.views.board import Tap, near_room, stop_question
from clue_solver.views.sentences import card_list
from clue_solver.views.table_talk import observation_sentence

_SENDS = {
    decisions.SUGGEST: "Suggest",
    decisions.POINT: "Point at them",
    decisions.ACCUSE: "I accuse",
}
"""For each option that needs cards, the label of the button that sends the picked cards."""


class ShownPlay(NamedTuple):
    """
    What a page of a dealt game shows.

    Attributes:
        question, remark: The decision to make, or who is deciding; empty once the game is over.
        panels: The panels with the possible decisions.
        happened: What has happened since the seat's last turn, as lines, the newest first.
        turn: Whose turn it is; `None` once the game is over.
        shown: The card that was last shown to this page's seat, and a sentence that says so; `None`
            if there is none.
        asked: The cards of a suggestion that somebody else is answering; empty if there is none.
        rolled: The total of the dice with which this page's seat moves now; `None` if it does not.
    """

    question: str
    remark: str = ""
    panels: tuple[Panel, ...] = ()
    happened: tuple[str, ...] = ()
    turn: str | None = None
    shown: tuple[str, str] | None = None
    asked: tuple[str, ...] = ()
    rolled: int | None = None


def shown_play(
    table: DealtTable, eyes: Eyes, draft: Draft, wrong: tuple[str, str] = ("", "")
) -> ShownPlay:
    """
    Return what a page of a dealt game shows, including what its player has tapped so far.

    Args:
        table, eyes, draft: The table, the page and what was tapped.
        wrong: If the last form was refused, the panel that sent it and the reason; otherwise two
            empty texts.
    """
    # What has happened since the player's last decision.
    game, request = table.chairs.game, table.chairs.game.request
    dealt = game.dealt.table
    recent = table.recent_events(eyes)
    happened = tuple(format_line(each, dealt) for each in reversed(recent))
    held = decisions.card_shown(recent[-1] if recent else None, eyes.seat)
    last = observation_sentence(recent[-1], dealt, viewer=eyes.seat) if recent and not held else ""
    last = without_squares(last, dealt)
    shown = ShownPlay("", happened=happened, turn=game.state.turn)
    if request is None:
        return shown
    if request.kind == "move" and request.seat == eyes.seat:
        shown = shown._replace(rolled=game.state.total)
    shown = shown._replace(shown=(held[0], f"{held[1]} shows you this.") if held else None)
    due, view = decision_due(table.chairs, eyes.seat), game.views[request.seat]
    asked = table.suggested
    if asked is not None:
        shown = shown._replace(happened=(format_line(asked, dealt), *happened))
    skips: tuple[Panel, ...] = ()
    if eyes.seat in game.state.turns.out and eyes.seat not in table.machines:
        skips = (_button_panel("skip", "skip", Choice("Skip to the end")),)
    # Nothing is to be decided on this page: whom the game waits for.
    if not due.options:
        panels, news = skips, due.remark
        if table.waits_for_tap and table.chairs.machine:
            pace = _button_panel("pace", "steps", Choice("Without taps, a second each"))
            panels = (pace, *panels) if eyes.link.steps else panels
            panels = (_button_panel("step", "step", Choice("Next", "next", main=True)), *panels)
        shown = shown._replace(asked=asked.cards if asked is not None else (), panels=panels)
        if asked is not None and asked.by == eyes.seat:
            news = f"You suggest {', '.join(asked.cards)}."
        news = news or " ".join(filter(None, (last, _called_to(table, eyes, recent[-1:]))))
        remark = " ".join(filter(None, (_idle_reason(table, eyes), news and due.question)))
        return shown._replace(question=news or due.question, remark=remark)
    # A place or an accusation that was tapped waits for a second tap.
    chosen = draft.chosen[0] if draft.chosen else ""
    taps = moves_by_tap(table, eyes, draft) if chosen else {}
    if chosen in taps:
        choices = Choice("Go there", chosen, main=True), Choice("Back", href="?")
        question, near = stop_question(view.state, view.seat, chosen, taps[chosen].description)
        remark, panels = f"{due.remark} {near}".strip(), tuple(_buttons("move", choices))
        return shown._replace(question=question, remark=remark, panels=panels)
    if chosen == decisions.ACCUSE and any(option.words == draft.chosen for option in due.options):
        return _confirmation(shown, draft.chosen[1:], view)
    # The decision, and what to know for it.
    panels = (*_panels(due, request.kind, view, draft.picked, wrong), *skips)
    called = _called_to(table, eyes, recent) if request.kind in ("move", "accuse") else ""
    remark = " ".join(filter(None, (called, due.remark)))
    question = without_squares(due.question, dealt)
    if held and request.kind == "accuse":  # what was shown stands beside the card
        shown = shown._replace(shown=(held[0], question))
        question, remark = due.remark, called
    return shown._replace(question=question, remark=remark, panels=panels)


def _called_to(table: DealtTable, eyes: Eyes, recent: Sequence[Observation]) -> str:
    """
    Return a sentence with the room to which another player's suggestion moved the page's piece.

    The text is empty if no such suggestion is among the `recent` observations since the seat of
    the page last acted.
    """
    state, dealt = table.chairs.game.state, table.chairs.game.dealt.table
    if eyes.seat is None or state.rules.board is None or not any(dealt.pieces):
        return ""
    piece, place = dealt.pieces[dealt.seats.index(eyes.seat)], state.place(eyes.seat)
    for each in reversed(recent):
        if getattr(each, "by", None) == eyes.seat:  # what happened before is no news
            break
        if isinstance(each, Suggestion) and {piece, place} <= {*each.cards}:
            return f"You were called to {card_list([str(place)], dealt.edition)}."
    return ""


def _confirmation(shown: ShownPlay, cards: tuple[str, ...], view: View) -> ShownPlay:
    """
    Return what the page shows to confirm an accusation, which cannot be taken back.

    It warns of cards that the seat holds, as its `view` says.
    """
    question = f"Accuse {', '.join(cards)}?"
    yes, back = Choice("Yes, I accuse", "yes", main=True, role="accuse"), Choice("Back", href="?")
    choices = (yes, back)
    if own := len({*view.hand} & {*cards}):
        question = f"You hold {own} of these cards: this is wrong."
        choices = (back._replace(main=True), yes._replace(main=False))
    named = tuple((f"card-{number}", card) for number, card in enumerate(cards))
    fields = (("what", decisions.ACCUSE), *named)
    panel = Panel("answer", "sure", rows=(Row("", choices),), fields=fields)
    remark = f"You can't take it back. {decisions.RISK}"
    return shown._replace(question=question, remark=remark, panels=(panel,))


def moves_by_tap(table: DealtTable, eyes: Eyes, draft: Draft) -> dict[str, Tap]:
    """
    Return the moves that taps on the board choose, by place.

    The result is empty if the page's seat does not have to move now.

    Args:
        table: The table.
        eyes: The page.
        draft: What was tapped so far.
    """
    request = table.request_for(eyes)
    if request is None or request.kind != "move":
        return {}
    view = table.chairs.game.views[request.seat]
    due = decision_due(table.chairs, eyes.seat)
    labels = {option.choice: option.words[0] for option in due.options}
    for place in view.places:
        labels.setdefault(place, f"Stop {near_room(view.state, place)}")
    return {
        place: Tap(Draft(chosen=(place,)).query(), place, label, on=place in draft.chosen)
        for place, label in labels.items()
        if place in view.state.rules.ground.places
    }


def _panels(
    due: Decision, kind: str, view: View, picked: Sequence[str], wrong: tuple[str, str]
) -> Iterator[Panel]:
    """
    Yield the panels with the options of a decision.

    Args:
        due: The decision.
        kind: The kind of the referee's request, such as `move`.
        view: What the seat sees.
        picked: The cards picked so far.
        wrong: If the last form was refused, the panel that sent it and the reason; otherwise two
            empty texts.
    """
    groups: dict[str, list[Option]] = {}
    for option in due.options:
        groups.setdefault(option.words[0], []).append(option)
    first = [options[0] for options in groups.values() if options[0].choice is not None]
    single = (option for option in first if len(option.words) == 1)
    yield from _buttons(kind, (_button(option, kind, view) for option in single))
    for label, options in groups.items():
        if options[0].choice is None:
            role = "roll" if label == decisions.ROLL_DICE else ""
            choice = Choice(label, "nothing", main=options[0].main, role=role)
            yield _button_panel("answer", "what", choice)
        elif label in _SENDS:
            error = sentences(wrong[1]) if label == wrong[0] else ""
            mine = picked if error or label == decisions.SUGGEST else ()
            folded = "" if label == decisions.SUGGEST else label
            panel = _card_panel(label, options, view, mine)
            yield panel._replace(folded=folded, error=error, accuses=options[0].accuses)


def _button(option: Option, kind: str, view: View) -> Choice:
    """Return the button that chooses an option at once, for a request of this `kind`."""
    label = option.words[0]
    sent = option.choice if isinstance(option.choice, str) else option.line
    role = {"show": "card", "move": "room"}.get(kind, "")
    role = "roll" if label == decisions.ROLL_DICE else role
    of = view.towards().get(sent, (sent,))[0] if role == "room" else sent
    return Choice(label, sent, main=option.main, role=role, of=of)


def _buttons(what: str, choices: Iterable[Choice]) -> Iterator[Panel]:
    """
    Yield one panel with some buttons, each of which answers a request at once; none without
    buttons.

    Args:
        what: The kind of the request, such as `move`.
        choices: The buttons.
    """
    if every := tuple(choices):
        yield Panel("answer", "choice", rows=(Row("", every),), fields=(("what", what),))


def _button_panel(action: str, field: str, choice: Choice) -> Panel:
    """
    Return a panel with one button.

    Args:
        action: The action of the panel's form.
        field: The form field in which the button sends its value.
        choice: The button.
    """
    return Panel(action, field, rows=(Row("", (choice,)),))


def _card_panel(
    label: str, options: Sequence[Option], view: View, picked: Sequence[str] = ()
) -> Panel:
    """
    Return the panel on which a player picks one card of each category.

    Args:
        label: The first word of all the options, such as `Suggest`.
        options: The options. Each has cards that can be picked together.
        view: What the seat sees.
        picked: The cards picked so far. If the dice do not allow a card together with these, it
            is disabled.
    """
    every = [{*option.words[1:]} for option in options]
    columns, open_kinds, off = list[Row](), list[str](), False
    for number, kind in enumerate(view.edition.category):
        cards = [card.name for card in kind.cards]
        names = [name for name in cards if any(name in each for each in every)]
        others, choices = {*picked} - {*cards}, []
        for name in names:
            alone = not any({name, *others} <= each for each in every)
            on = name in picked or len(names) == 1
            choices.append(Choice(name, name, on=on, off=alone and not on))
        off = off or any(choice.off for choice in choices)
        if choices:
            title = (choices[1:] and kind.plural) or kind.name
            columns.append(Row(title, tuple(choices), name=f"card-{number}"))
            name = kind.name.lower()
            article = "" if name == kind.plural.lower() else "a "
            open_kinds += [article + name] if choices[1:] else []
    dice = label == decisions.SUGGEST and view.edition.suspect_dice
    most = view.edition.named if dice else 0
    if most and len(columns) > most:
        open_kinds = [f"{most} cards of different kinds"]
    remark = decisions.RISK if label == decisions.ACCUSE else ""
    if off:
        remark = f"With {listed([*picked])}, the dice do not allow the grey cards."
    return Panel(
        "answer",
        remark=remark,
        columns=tuple(columns),
        fields=(("what", label),),
        button=_SENDS[label],
        before=f"Pick {listed(open_kinds)}" if open_kinds else "",
        most=most,
    )


def _idle_reason(table: DealtTable, eyes: Eyes) -> str:
    """Return why the person at a page has no decisions to make; empty if the person plays."""
    machine = table.machines.get(eyes.seat or "")
    if machine is not None:
        return f"The computer ({machine}) is playing for you; take your seat back under Table."
    if eyes.seat in table.chairs.game.state.turns.out:
        return decisions.OUT
    return ""


def seat_panels(table: DealtTable, own: str | None) -> Iterator[tuple[str, tuple[Panel, ...]]]:
    """
    Yield each seat whose player a page may change, with the panels for that.

    `own` is the page's seat, which may change only itself; `None` for the host's page.
    """
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
    """Return the panel that sets whether machines wait for a tap before they act."""
    steps = eyes.link.steps
    choices = (Choice("A second each", "", on=not steps), Choice("I tap Next", "1", on=steps))
    fields = (("tab", "table"),)
    return Panel("pace", "steps", "How the computer plays", rows=(Row("", choices),), fields=fields)
