"""The functions that process the forms of a page. Each returns what the page shows next."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from clue_solver.arena.chairs import MACHINES, PERSON
from clue_solver.arena.view import View
from clue_solver.conversation.changes import HeaderPart, LogPlace
from clue_solver.conversation.meaning import own_hand, read
from clue_solver.errors import ArgumentError, ClueError, listed
from clue_solver.faces import decisions
from clue_solver.faces.decisions import Decision, decision_due
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.eyes import Eyes
from clue_solver.faces.web.links import HELP
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.panel import NOTHING, Form, FormAnswer, Query, number_in, text_in
from clue_solver.faces.web.tables import ServedTable
from clue_solver.notation.canonical import format_line
from clue_solver.notation.checks import normalise
from clue_solver.rules.observations import Hand
from clue_solver.rules.table import HouseRule
from clue_solver.views.sentences import header_text

_WISHES = {
    "correct": "thinks that entry {} is wrong",
    "open": "would like to see everybody's cards",
    "again": "would like another game",
}
"""What a seat can ask the recorder for, as the recorder's page says it."""

Do = Callable[[Any, Eyes, Form], FormAnswer | None]
"""A function that processes a form, given the table, the page that sent it, and its values."""

_REMEMBERED = 200
"""How many forms of a page are remembered, in case they are sent again."""

HEADER: Mapping[HeaderPart, str] = {
    "hands": "Cards in each hand ({})",
    "seats": "Players, clockwise (change the names or the order)",
    "pieces": "Each player's piece ({}; ? if not known)",
    "first": "Who begins",
}
"""The parts of the header that are typed on a page, with their labels."""

RULES: tuple[HeaderPart, ...] = ("board", "house")
"""The parts of the header that are switches on a page."""

HOUSE: Mapping[HouseRule, str] = {
    "turns": "Ask when somebody plays out of turn",
    "play": "Ask when somebody breaks another rule",
}
"""The rules that a table may ignore, with the labels of their switches."""


def actions_of(table: ServedTable) -> Mapping[str, Do]:
    """Return the function that processes each kind of form on the pages of a table."""
    return DEALT if table.dealt else LOGGED


def answer_to(table: ServedTable, eyes: Eyes, action: str, form: Form) -> FormAnswer:
    """
    Do what a form requests, and return the result for the page.

    A browser may send a form again, because the answer was lost or late. It is not processed twice:
    its field `once` has the mark of the drawn page. The same form on another page is a new one.

    Every form of a page names the version of the page. If the log has changed since the page was
    drawn, only these are still allowed: the actions in `ALWAYS`, any action in a dealt game, and a
    seat's entry of its own notes. A form without a mark or a version, which no page sends, is
    always processed.
    """
    table.poll()
    key = (action, *sorted((name, *form[name]) for name in form if name != "tab"))
    stamp = text_in(form, "at")
    if "once" in form and (known := eyes.done.get(key)) is not None:
        return known
    may_be_old = action in ALWAYS or table.dealt or _is_own_note(eyes, action, form)
    if not may_be_old and not eyes.is_current(stamp):
        return FormAnswer(late=stamp, line=text_in(form, "line"))
    try:
        answer = actions_of(table)[action](table, eyes, form) or NOTHING
    except ClueError as error:
        return FormAnswer(error=str(error), line=text_in(form, "line"))
    eyes.done[key] = answer
    while len(eyes.done) > _REMEMBERED:
        del eyes.done[next(iter(eyes.done))]
    return answer


def _is_own_note(eyes: Eyes, action: str, form: Form) -> bool:
    """Return whether a form logs a seat's own notes, so that changes of others do not matter."""
    lines = eyes.game.lines  # another who saw the card may have logged it meanwhile
    same = "edit" not in form or not {text_in(form, "was"), text_in(form, "line")}.isdisjoint(lines)
    return eyes.seat is not None and (action == "hand" or (action == "tell" and same))


def tell(table: LoggedTable, eyes: Eyes, form: Form) -> FormAnswer | None:
    """
    Log the line in a form, or process the answer to the question about a doubtful line.

    Return a question about the line, or why it was refused; `None` if it was logged.
    """
    line = text_in(form, "line").strip()
    draft = Draft.of(form, eyes.game)
    if not line:
        return None
    place = LogPlace(draft.editing, insert=bool(text_in(form, "insert")))
    dialog = table.dialog(eyes)
    if eyes.seat is not None:
        place = table.own_place(eyes, read(eyes.game.game, line, place).whole, place)
    settled, earlier = (tuple(form.get(each, ())) for each in ("settled", "earlier"))
    outcome = dialog.enter(line, place, settled=settled, earlier=earlier)
    choices = outcome.doubt.choices if outcome.doubt is not None else ()
    chosen = [choice for choice in choices if choice.label == text_in(form, "answer")]
    if chosen:
        outcome = dialog.answer(chosen[0])
    if outcome.doubt is not None:
        pending = dialog.pending
        return FormAnswer(line=pending.line, asked=outcome.doubt, pending=pending)
    if outcome.error is not None:
        return FormAnswer(error=str(outcome.error), line=outcome.line)
    return None


def ask(table: LoggedTable, eyes: Eyes, form: Query) -> None:
    """
    Show on all pages the suggestion whose cards the recorder has tapped, before its answers are
    known.

    If not all its cards are tapped, the pages no longer show it.
    """
    draft = Draft.of(form, eyes.game)
    if eyes.seat is None and draft.editing is None:
        table.overhear(draft.suggestion(eyes.game))


def hold(table: LoggedTable, eyes: Eyes, form: Form) -> FormAnswer | None:
    """
    Log the whole hand of the seat that sent the form.

    Return a question about it, or why it was refused; `None` if it is logged.
    """
    if eyes.seat is None:
        raise ArgumentError("enter this on your own page")
    session = eyes.game
    told = own_hand(session.record)
    if told == frozenset(form.get("card", [])):
        return None
    if told is not None and "edit" not in form:
        cards = ", ".join(sorted(told))
        again = "remove that from the log before you enter another"
        raise ArgumentError(f"you have already entered your hand ({cards}): {again}")
    hand = Hand(seat=eyes.seat, cards=tuple(form.get("card", [])))
    normalise(hand, session.record.table, session.game.play().turns)
    return tell(table, eyes, {**form, "line": [format_line(hand, session.record.table)]})


def forget(table: LoggedTable, eyes: Eyes, form: Form) -> None:
    """Stop asking a seat which card it saw in an entry. The form gives the line of the entry."""
    if (line := text_in(form, "line")) in eyes.game.lines:
        table.note(eyes, line)
        table.change_page(eyes)


def undo(table: LoggedTable, eyes: Eyes, _: Form) -> None:
    """Undo the recorder's last change; for a seat's page, restore what the seat deleted last."""
    table.undo(eyes)


def delete(table: LoggedTable, eyes: Eyes, form: Form) -> None:
    """Delete an entry, or the part of it that only the page's seat saw."""
    table.delete(eyes, number_in(form, "entry") or 0)


def fix(table: LoggedTable, eyes: Eyes, form: Form) -> None:
    """Apply one of the corrections that the page offers, by its number."""
    number = number_in(form, "number") or 0
    thought = eyes.thought
    corrections = thought.check.corrections if thought and thought.check else ()
    if not 0 < number <= len(corrections):
        raise ArgumentError("the corrections have changed: look again")
    table.correct(eyes, corrections[number - 1])


def wish(table: LoggedTable, eyes: Eyes, form: Form) -> None:
    """
    Show a player's wish on the recorder's page, such as that an entry is wrong.

    The player's page says that the recorder has been told, until the log changes.
    """
    asked = _WISHES.get(text_in(form, "wish"))
    if eyes.seat is None or asked is None:
        return
    eyes.news = "The recorder has been told."
    table.recorder.news = f"{eyes.seat} {asked.format(number_in(form, 'entry'))}."
    table.change_page(table.recorder)


def set_header(table: LoggedTable, eyes: Eyes, form: Form) -> FormAnswer | None:
    """
    Change the part of the header that a form names.

    Return a message for the page; `None` if the page itself shows the change.
    """
    part = next((part for part in (*HEADER, *RULES) if part in form), None)
    if part is None:
        return None
    if part == "seats" and table.public:
        raise ArgumentError("the seats at a shared table can't be changed")
    table.change(eyes, lambda session: session.set_header(part, text_in(form, part)))
    return None if part in RULES else FormAnswer(done=header_text(part, eyes.game.record.table))


def lay_open(table: LoggedTable, eyes: Eyes, _: Form) -> None:
    """Reveal all cards on all pages."""
    if eyes.seat is not None:
        raise ArgumentError("only the recorder can reveal the cards")
    table.lay_open()


def set_help(table: ServedTable, eyes: Eyes, form: Form) -> None:
    """Set how much help the page that sent the form gives."""
    level = text_in(form, "level")
    if level not in HELP:
        raise ArgumentError(f"expected one of {', '.join(HELP)}", argument="level")
    table.relink(eyes, replace(eyes.link, help=level))


def free_seat(table: ServedTable, eyes: Eyes, form: Form) -> None:
    """End the link of a seat's page."""
    if eyes.seat is not None:
        raise ArgumentError("only the recorder can revoke other players' links")
    table.free_seat(text_in(form, "seat"))


# The forms of a dealt game.


def set_pace(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Set whether machines wait for a tap before each action."""
    table.relink(eyes, replace(eyes.link, steps=bool(text_in(form, "steps"))))


def step(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Let the waiting machine act, unless it has acted since the page was drawn."""
    if text_in(form, "at") == table.stamp(eyes):
        table.step()


def skip(table: DealtTable, eyes: Eyes, _: Form) -> None:
    """Let the computer play on for a seat that is out."""
    if eyes.seat in table.chairs.game.state.turns.out:
        table.relink(eyes, replace(eyes.link, steps=False))
        table.sit(str(eyes.seat), "easy")


def answer(table: DealtTable, eyes: Eyes, form: Form) -> FormAnswer | None:
    """
    Carry out the decision that a seat sent, unless the game has gone on.

    Return the cards of an accusation, which must first be confirmed; otherwise `None`.
    """
    chairs, request = table.chairs, table.request_for(eyes)
    if text_in(form, "at") != table.stamp(eyes) or request is None:
        return None
    due = decision_due(chairs, eyes.seat)
    choice = _choice_in(due, chairs.game.views[request.seat], form)
    accuses = text_in(form, "what") == decisions.ACCUSE
    if accuses and not text_in(form, "sure"):
        return FormAnswer(chosen=(decisions.ACCUSE, *choice))
    table.decide(choice, accuses=accuses)
    return None


def sit(table: DealtTable, eyes: Eyes, form: Form) -> None:
    """Change who plays a seat. A player may change only their own seat, the host any."""
    seat, player = text_in(form, "seat"), text_in(form, "player")
    if eyes.seat not in (None, seat):
        raise ArgumentError(f"only {seat} and the host can choose who plays there")
    if player not in (PERSON, *MACHINES):
        raise ArgumentError(f"expected one of {', '.join(MACHINES)}", argument="player")
    table.sit(seat, player)


LOGGED: Mapping[str, Do] = {
    "ask": ask,
    "tell": tell,
    "hand": hold,
    "forget": forget,
    "undo": undo,
    "delete": delete,
    "fix": fix,
    "header": set_header,
    "open": lay_open,
    "wish": wish,
    "free": free_seat,
    "help": set_help,
}
"""The functions for the forms on the pages of a game that is logged by hand, by action."""

DEALT: Mapping[str, Do] = {
    "answer": answer,
    "step": step,
    "skip": skip,
    "pace": set_pace,
    "sit": sit,
    "free": free_seat,
    "help": set_help,
}
"""The functions for the forms on the pages of a dealt game, by action."""

ALWAYS = ("free", "open", "help", "forget", "wish")
"""The actions that are allowed even if the log has changed since the page was drawn."""


def _choice_in(due: Decision, view: View, form: Form) -> Any:
    """
    Return the decision that a form sent, as the referee of the game takes it.

    That is `None` for doing nothing, a place, a card, cards to suggest or to accuse, or a question.

    Args:
        due: The decision that the page asked for.
        view: What the seat sees of the game.
        form: The form.

    Raises:
        ArgumentError: If the form has too few cards, or cards that the dice do not allow.
    """
    what = text_in(form, "what")
    if what == "nothing":
        return None
    if chosen := text_in(form, "choice"):  # a place, a card, or the line of a question
        lines = {option.line: option.choice for option in due.options}
        return lines.get(chosen, chosen)
    named = {card for name, cards in form.items() if name.startswith("card-") for card in cards}
    cards = tuple(card for card in view.cards if card in named)
    found = {option.words[1:]: option.choice for option in due.options if option.words[0] == what}
    if cards in found:
        return found[cards]
    kinds = [kind.name for kind in view.edition.category]
    least = min(map(len, found), default=len(kinds))
    if view.state.dice and len(cards) == least:
        raise ArgumentError(f"the dice show {listed(view.state.dice)}: choose accordingly")
    if least < len(kinds):
        raise ArgumentError(f"choose {least} cards of different kinds")
    raise ArgumentError(f"choose one of each: {listed(kinds)}")
