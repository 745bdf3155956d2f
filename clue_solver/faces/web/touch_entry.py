"""
Entry by touch: the buttons that may follow what has been tapped so far.

They walk over the description of a line, as the lists of the full screen do.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple, cast

from msgspec.structs import replace

from clue_solver.conversation.changes import Place
from clue_solver.conversation.questions import own_refusal
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, printable
from clue_solver.faces.asking import Prompt, asked_after
from clue_solver.faces.web.drafts import Draft
from clue_solver.knowledge.evidence import seen
from clue_solver.notation import TurnState, format_line, normalise
from clue_solver.notation.places import answer_of, passes
from clue_solver.rules.observations import Answer, Observation, Reply, Suggestion
from clue_solver.rules.table import Table


class Button(NamedTuple):
    """
    Something to tap.

    Attributes:
        label: What it says.
        href: Where it leads; empty where it tells a line.
        line: The line that it tells.
        on: Whether it was tapped.
        clash: Whether the line contradicts the log.
        card, seat: The card that a tap picks, the seat that a tap has asked.
        face: The face of a die that a tap tells.
    """

    label: str
    href: str = ""
    line: str = ""
    on: bool = False
    clash: bool = False
    card: str = ""
    seat: str = ""
    face: str = ""


class ButtonRow(NamedTuple):
    """A title and the buttons beside it."""

    title: str
    buttons: tuple[Button, ...]


class Entering(NamedTuple):
    """
    What the page shows of an entry.

    Attributes:
        askers: Who asks.
        by: Who that is; empty if it does not follow.
        columns: The cards by category, until enough are tapped.
        picked: Those that were tapped; a tap takes one back.
        question: What is asked next; empty while cards are tapped.
        rows: The answers.
        line: The line so far.
        back: Where one step back leads; empty at the beginning.
        most: How many cards are tapped.
        dice: The faces of the dice so far.
    """

    askers: tuple[Button, ...] = ()
    by: str = ""
    columns: tuple[ButtonRow, ...] = ()
    picked: tuple[Button, ...] = ()
    question: str = ""
    rows: tuple[ButtonRow, ...] = ()
    line: str = ""
    back: str = ""
    most: int = 0
    dice: tuple[str, ...] = ()


def entering(session: Session, draft: Draft, *, sound: bool) -> Entering:
    """
    Return what may be tapped.

    Args:
        session: The game.
        draft: What has been tapped so far.
        sound: Whether the log is consistent, so that a line can contradict it.
    """
    walk = _Walk(session, draft, sound=sound)
    try:
        return walk.other() if draft.kind else walk.suggestion()
    except ClueError:  # an address that was written by hand
        return _Walk(session, Draft(editing=draft.editing, was=draft.was), sound=sound).suggestion()


def suggestion_so_far(session: Session, draft: Draft) -> Suggestion:
    """
    Return the suggestion whose cards were tapped, with the answers of one seat after the other.

    Raises:
        ClueError: If an address says what nobody can tap.
    """
    table, state = session.record.table, session.state_before(draft.editing)
    order = table.answering(draft.by, left=state.left)
    if len(draft.chosen) > len(order):
        raise ArgumentError("more answers than players")
    answers = tuple(
        _reply(seat, said, draft.picked) for seat, said in zip(order, draft.chosen, strict=False)
    )
    told = Suggestion(by=draft.by, cards=draft.picked, answers=answers)
    return normalise(told, table, state)


def _reply(seat: str, said: str, asked: Sequence[str]) -> Answer:
    """Return the answer that an address says: a card, `passes`, `shows`, or nothing heard."""
    if said in asked:
        return answer_of(seat, "shows", said)
    if said not in ("passes", "shows", ""):
        raise ArgumentError(f"no such answer: '{printable(said)}'")
    return answer_of(seat, cast(Reply, said or "unheard"))


def leading(
    session: Session, draft: Draft, label: str, chosen: tuple[str, ...], *, sound: bool
) -> Iterator[Button]:
    """
    Yield the button that leads on from some answers, or tells the line where it is whole, if any.

    Args:
        session: The game.
        draft: What it leads on from.
        label: What the button says.
        chosen: The answers.
        sound: Whether the log is consistent, so that a line can contradict it.
    """
    yield from _Walk(session, draft, sound=sound).next(label, chosen, draft)


class _Walk:
    """The walk over the description of a line, as far as it has been tapped."""

    def __init__(self, session: Session, draft: Draft, *, sound: bool) -> None:
        self.session = session
        self.draft = draft
        self.sound = sound
        self.table: Table = session.record.table
        editing = draft.editing
        self.state: TurnState = session.state_before(editing)

    def asked(self, chosen: Sequence[str]) -> Prompt | Observation:
        return asked_after(self.table, self.state, chosen)

    def other(self) -> Entering:
        """Return one list of what may have happened after the other."""
        draft = self.draft
        step = self.asked(draft.chosen)
        if not isinstance(step, Prompt):
            rows = (ButtonRow("", tuple(self.leaf("Log it", step))),)
            line = format_line(step, self.table)
            return Entering(question="Log this?", rows=rows, line=line, back=self.back())
        rolls = draft.chosen[:1] == ("Roll",) and self.table.edition.suspect_dice > 0
        buttons = tuple(
            button._replace(face=value if rolls and len(draft.chosen) > 1 else "")
            for label, value in step.choices
            for button in self.next(label, (*draft.chosen, value), draft)
        )
        return Entering(
            question=step.title,
            rows=(ButtonRow("", buttons),),
            line=step.line,
            back=self.back(),
            dice=draft.chosen[2:] if rolls else (),
        )

    def next(self, label: str, chosen: tuple[str, ...], draft: Draft) -> Iterator[Button]:
        """Yield the button that leads on, or tells the line where it is whole, if either."""
        with suppress(ClueError):
            step = self.asked(chosen)
            if isinstance(step, Prompt):
                only = self.only(step, chosen)
                if only is None:
                    yield Button(label, draft._replace(chosen=chosen).query())
                else:
                    yield from (one._replace(label=label) for one in self.leaf(label, only))
            else:
                yield from self.leaf(label, step)

    def only(self, step: Prompt, chosen: tuple[str, ...]) -> Observation | None:
        """Return what was observed, where the viewer can have seen one of the answers alone."""
        ways: list[Observation] = []
        for _, value in step.choices:
            with suppress(ClueError):
                way = self.asked((*chosen, value))
                if isinstance(way, Prompt):
                    return None
                if self.visible(way):
                    ways.append(way)
        return ways[0] if len(ways) == 1 else None

    def visible(self, observation: Observation) -> bool:
        """Return whether the viewer saw all that is told of what others notice as well."""
        share = seen(observation, table=self.table, viewer=self.table.viewer)
        return share in (None, observation)

    def back(self) -> str:
        draft = self.draft
        if draft.chosen:
            return draft._replace(chosen=draft.chosen[:-1]).query()
        return draft._replace(kind="", picked=draft.picked[:-1]).query()

    def suggestion(self) -> Entering:
        """Return who asks, the columns of cards and, once enough are tapped, the answers."""
        draft, table = self.draft, self.table
        by = draft.by or self.state.turn(table) or ""
        most = table.edition.named
        kinds = [kind.name for kind in table.edition.category]
        known = table.edition.category_of
        picked = tuple(sorted(draft.picked[:most], key=lambda card: kinds.index(known[card])))
        draft = self.draft = draft._replace(by=by, picked=picked)
        anew = draft._replace(chosen=())
        askers = tuple(
            Button(seat, anew._replace(by=seat).query(), on=seat == by, seat=seat)
            for seat in table.seats
        )
        taken = tuple(Button(card, self.without(card), on=True) for card in picked)
        whole = len(picked) == most
        columns = () if whole else tuple(self.columns(picked))
        shown = Entering(askers, by, columns, taken, most=most)
        if not (whole and by):
            return shown._replace(
                question="Who asks?" if whole else "", back=self.back() if picked else ""
            )
        question, rows, line = self.everyone() if table.everyone_shows else self.first()
        return shown._replace(question=question, rows=rows, line=line, back=self.back())

    def without(self, card: str) -> str:
        left = tuple(other for other in self.draft.picked if other != card)
        return self.draft._replace(picked=left, chosen=()).query()

    def columns(self, picked: Sequence[str]) -> Iterator[ButtonRow]:
        """Yield the categories with their cards."""
        for kind in self.table.edition.category:
            names = [card.name for card in kind.cards]
            others = [card for card in picked if card not in names]
            buttons = tuple(
                Button(
                    card,
                    self.without(card)
                    if card in picked
                    else self.draft._replace(picked=(*others, card), chosen=()).query(),
                    on=card in picked,
                    card=card,
                )
                for card in names
            )
            yield ButtonRow(kind.plural or kind.name, buttons)

    def first(self) -> tuple[str, tuple[ButtonRow, ...], str]:
        """Return what is asked, the lines that the first who shows makes, the line so far."""
        asked = suggestion_so_far(self.session, self.draft._replace(chosen=()))
        order = self.table.answering(asked.by, left=self.state.left)
        rows = []
        for place, seat in enumerate(order):
            shows = [answer_of(seat, "shows", card) for card in (*asked.cards, None)]
            ways = [replace(asked, answers=(*passes(order[:place]), each)) for each in shows]
            rows.append(ButtonRow(seat, tuple(chain.from_iterable(self.leaf("", w) for w in ways))))
        ends = (
            *self.leaf("nobody shows", replace(asked, answers=passes(order))),
            *self.leaf("no idea", asked),
        )
        kept = (row for row in rows if row.buttons)
        return "Who shows a card?", (*kept, ButtonRow("", ends)), format_line(asked, self.table)

    def everyone(self) -> tuple[str, tuple[ButtonRow, ...], str]:
        """Return the same where everybody answers: one seat after the other."""
        begun = bool(self.draft.chosen)
        draft = self.draft = self.forced(self.draft)
        asked = suggestion_so_far(self.session, draft)
        order = self.table.answering(asked.by, left=self.state.left)
        line = format_line(asked, self.table)
        if len(draft.chosen) == len(order):
            return "Log this?", (ButtonRow("", tuple(self.leaf("Log it", asked))),), line
        seat = order[len(draft.chosen)]
        rows = [ButtonRow(seat, tuple(self.replies(draft, seat)))]
        if not begun:
            ends = (
                *self.leaf("nobody shows", replace(asked, answers=passes(order))),
                *self.leaf("no idea", replace(asked, answers=())),
            )
            rows.append(ButtonRow("", ends))
        return f"And {seat}?", tuple(rows), line

    def forced(self, draft: Draft) -> Draft:
        """Return a draft with the viewer's next answer, where only a pass is possible."""
        order = self.table.answering(draft.by, left=self.state.left)
        viewer = self.table.viewer
        if viewer is None or order[len(draft.chosen) :][:1] != (viewer,):
            return draft
        sure = [said for said in (*draft.picked, "passes") if [*self.reply(draft, viewer, said)]]
        return draft._replace(chosen=(*draft.chosen, "passes")) if sure == ["passes"] else draft

    def reply(self, draft: Draft, seat: str, said: str) -> Iterator[Button]:
        """Yield the button of one seat's answer, if it is possible."""
        with suppress(ClueError):
            then = draft._replace(chosen=(*draft.chosen, said))
            label = said or "no idea"
            yield from self.leaf(label, suggestion_so_far(self.session, then), seat)

    def replies(self, draft: Draft, seat: str) -> Iterator[Button]:
        """Yield one seat's possible answers, each with what follows from the viewer's hand."""
        order = self.table.answering(draft.by, left=self.state.left)
        for said in ("passes", *draft.picked, "shows", ""):
            then = self.forced(draft._replace(chosen=(*draft.chosen, said)))
            for button in self.reply(draft, seat, said):
                if len(then.chosen) < len(order):
                    yield button._replace(href=then.query(), line="")
                else:
                    whole = suggestion_so_far(self.session, then)
                    yield button._replace(line=format_line(whole, self.table))

    def leaf(self, label: str, observation: Observation, seat: str = "") -> Iterator[Button]:
        """
        Yield the button that tells an observation, if it is possible and the viewer's to say.

        Its label is the answer of the seat; the last that was heard if none is named.
        """
        if not self.visible(observation):
            return
        answer = _last_answer(observation, seat)
        viewer = self.table.viewer
        if answer is not None and answer.answer == "shows":
            involved = viewer in (getattr(observation, "by", None), answer.seat)
            if answer.card is None and answer.seat == viewer:
                return
            label = answer.card or ("unseen" if involved else "shows")
        if own_refusal(self.session.record, observation) is not None:
            return
        yield Button(
            label, line=format_line(observation, self.table), clash=self.clashes(observation)
        )

    def clashes(self, observation: Observation) -> bool:
        return self.sound and self.session.clashes(observation, Place(self.draft.editing))


def _last_answer(observation: Observation, seat: str = "") -> Answer | None:
    """Return the last answer that was heard, of a seat if one is named."""
    answers: tuple[Answer, ...] = getattr(observation, "answers", ())
    heard = [answer for answer in answers if answer.seat is not None and seat in ("", answer.seat)]
    return heard[-1] if heard else None
