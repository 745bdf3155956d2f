"""What the forms of a page do: each is a function, which says what the page tells then."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import get_args

from msgspec.structs import replace

from clue_solver.conversation import commands
from clue_solver.conversation.changes import LogPlace
from clue_solver.conversation.doubts import Doubt, DoubtChoice, DoubtKind, own_hand
from clue_solver.errors import ArgumentError, ClueError
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.eyes import HELP, Eyes, FormAnswer
from clue_solver.faces.web.logged import LoggedTable
from clue_solver.faces.web.panel import Form, Query, number_in, one
from clue_solver.faces.web.tables import ServedTable
from clue_solver.notation import format_line, normalise
from clue_solver.rules.observations import Hand

Do = Callable[[LoggedTable, Eyes, Form], FormAnswer | None]

_REMEMBERED = 200
"""How many forms are known again that come twice."""

HEADER = {
    "hands": "Cards in each hand ({})",
    "seats": "Players, clockwise (change the names or the order)",
    "pieces": "Who plays whom ({}; ? for one not known)",
    "first": "Who begins",
    "house": "Rules that your table leaves out (turns, play, all)",
}
"""The parts of the header that may be changed, each with what the page calls it."""


def answer_to(
    table: ServedTable, eyes: Eyes, action: str, form: Form, do: Mapping[str, Do]
) -> FormAnswer:
    """
    Do what a form asks for, and return what the page says then.

    What comes again from the same page was done already: its answer was lost, or late. Where the
    log was changed since the page was drawn, nothing is done; `LATE` may be done all the same.
    """
    table.poll()
    key = (action, *sorted((name, *form[name]) for name in form if name != "tab"))
    stamp = one(form, "at")
    if stamp and (known := eyes.done.get(key)) is not None:
        return known
    own = action in LATE or table.dealt or _stands(eyes, action, form)
    if not own and eyes.since(stamp) is not None:
        return FormAnswer(late=stamp, line=one(form, "line"))
    version = eyes.version
    try:
        answer = do[action](table, eyes, form) or FormAnswer()  # type: ignore[arg-type]
    except ClueError as error:
        return FormAnswer(error=str(error), line=one(form, "line"))
    if eyes.version != version:
        eyes.done[key] = answer
        while len(eyes.done) > _REMEMBERED:
            del eyes.done[next(iter(eyes.done))]
    return answer


def _stands(eyes: Eyes, action: str, form: Form) -> bool:
    """Return whether a seat tells its own, which nobody else can have changed."""
    same = one(form, "was") in eyes.game.lines
    return eyes.seat is not None and (action == "hand" or (action == "tell" and same))


def tell(table: LoggedTable, eyes: Eyes, form: Form) -> FormAnswer | None:
    """Take a line, or an answer to what is asked about one."""
    line = one(form, "line").strip()
    draft = Draft.of(form, table.current(eyes))
    if not line:
        return None
    place = LogPlace(draft.editing, insert=bool(one(form, "insert")))
    dialog = table.dialog(eyes)
    place = table.place_of(eyes, line, place)
    skips = tuple(form.get("skips", ()))
    outcome = dialog.enter(line, place, settled=settled_in(form), skips=skips)
    if outcome.doubt is not None:
        answer = _answer(outcome.doubt, one(form, "answer"))
        if answer is not None:
            outcome = dialog.answer(answer)
    if outcome.doubt is not None:
        pending = dialog.pending
        return FormAnswer(line=pending.text, asked=outcome.doubt, pending=pending)
    if outcome.error is not None:
        return FormAnswer(error=str(outcome.error), line=outcome.line)
    return None


def ask(table: LoggedTable, eyes: Eyes, form: Form) -> None:
    """Let everybody see what is asked, once its cards are tapped, or that it is not."""
    draft = Draft.of(form, table.current(eyes))
    if eyes.seat is None and draft.editing is None:
        table.overhear(draft.suggestion(eyes.game))


def hold(table: LoggedTable, eyes: Eyes, form: Form) -> FormAnswer | None:
    """Take a seat's whole hand, or ask what is doubtful about it."""
    if eyes.seat is None:
        raise ArgumentError("enter this on your own page")
    session = table.current(eyes)
    told = own_hand(session.record)
    if told == frozenset(form.get("card", [])):
        return None
    if told is not None:
        cards = ", ".join(sorted(told))
        again = "remove that from the log before you enter another"
        raise ArgumentError(f"you have already entered your hand ({cards}): {again}")
    hand = Hand(seat=eyes.seat, cards=tuple(form.get("card", [])))
    normalise(hand, session.record.table, session.game.play().turns)
    return tell(table, eyes, {**form, "line": [format_line(hand, session.record.table)]})


def undo(table: LoggedTable, eyes: Eyes, form: Form) -> None:  # noqa: ARG001
    """Take the last change back."""
    table.undo(eyes)


def delete(table: LoggedTable, eyes: Eyes, form: Form) -> None:
    """Take an entry out."""
    table.delete(eyes, number_in(form, "entry") or 0)


def fix(table: LoggedTable, eyes: Eyes, form: Form) -> None:
    """Make a correction."""
    number = number_in(form, "number") or 0
    verdict = eyes.current
    corrections = verdict.check.corrections if verdict and verdict.check else ()
    if not 0 < number <= len(corrections):
        raise ArgumentError("the corrections have changed: look again")
    table.correct(eyes, corrections[number - 1])


def set_header(table: LoggedTable, eyes: Eyes, form: Form) -> None:
    """Change a part of the header."""
    for part in (part for part in HEADER if part in form):
        if part == "seats" and table.public:
            raise ArgumentError("the seats at a shared table can't be changed")
        command = commands.TypedCommand(part, one(form, part))
        table.change(eyes, partial(commands.change, said=command))


def lay_open(table: LoggedTable, eyes: Eyes, form: Form) -> None:  # noqa: ARG001
    """Lay all cards open."""
    if eyes.seat is not None:
        raise ArgumentError("only the recorder reveals the cards")
    table.lay_open()


def set_help(table: ServedTable, eyes: Eyes, form: Form) -> None:
    """Say how much help a page gives."""
    level = one(form, "level")
    if level not in HELP:
        raise ArgumentError(f"expected one of {', '.join(HELP)}", argument="level")
    table.relink(eyes, replace(eyes.links, help=level))


def free_seat(table: ServedTable, eyes: Eyes, form: Form) -> None:
    """End the link of a seat's page."""
    if eyes.seat is not None:
        raise ArgumentError("only the recorder ends others' links")
    table.free_seat(one(form, "seat"))


LOGGED: Mapping[str, Do] = {
    "ask": ask,
    "tell": tell,
    "hand": hold,
    "undo": undo,
    "delete": delete,
    "fix": fix,
    "header": set_header,
    "open": lay_open,
    "free": free_seat,
    "help": set_help,
}
"""What the pages of a table may do where the game is logged by hand."""

LATE = ("free", "open", "help")
"""What is done whatever has changed since the page was drawn."""


def settled_in(form: Query) -> tuple[str, ...]:
    """Return which kinds of doubts a form says to be settled."""
    return tuple(kind for kind in get_args(DoubtKind) if kind in form.get("settled", ()))


def _answer(doubt: Doubt, label: str) -> DoubtChoice | None:
    """Return the answer of a button; `None` where there was none, or it is offered no more."""
    return next((choice for choice in doubt.choices if choice.label == label), None)
