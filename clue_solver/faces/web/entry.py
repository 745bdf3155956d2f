"""What may be tapped to log what happened: a suggestion, or anything else the notation has."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.conversation.changes import Place
from clue_solver.conversation.meaning import clashes, own_refusal, state_at
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError
from clue_solver.faces.asking import Prompt, asked_after
from clue_solver.faces.web.drafts import OTHER, Draft
from clue_solver.faces.web.panel import Choice, Panel, Row
from clue_solver.knowledge.evidence import seen
from clue_solver.notation import format_line
from clue_solver.notation.places import answer_of, passes
from clue_solver.rules.observations import (
    Answer,
    Draw,
    Nobody,
    Observation,
    Reveal,
    Suggestion,
    kinds,
)
from clue_solver.rules.play import ACTIONS, Play
from clue_solver.rules.position import ROLLING
from clue_solver.rules.table import Table

_SETTLED = (("settled", "turn"), ("settled", "no answers"), ("settled", "card seen"))
"""What is not asked again about a line that was tapped: the panel has asked it."""


class EntryForm(NamedTuple):
    """
    What a page offers to log something.

    Attributes:
        panels: What is asked.
        by: Who asks, where a suggestion is logged; empty if it does not follow.
        cards: The cards of a suggestion, once all are chosen.
        aside: The cards that the dice do not show.
        faces: The faces of the dice so far, and the line that they begin.
        foot: What else may have happened.
    """

    panels: tuple[Panel, ...]
    by: str = ""
    cards: tuple[str, ...] = ()
    aside: frozenset[str] = frozenset()
    faces: tuple[str, ...] = ()
    foot: tuple[Choice, ...] = ()


class EntryPanels:
    """
    What may be tapped in a game, with what was tapped so far.

    Args:
        session: The game.
        draft: What was tapped so far.
        sound: Whether the log is consistent, so that a line can contradict it.
    """

    def __init__(self, session: Session, draft: Draft, *, sound: bool) -> None:
        self.session = session
        self.draft = draft
        self.sound = sound
        self.table: Table = session.record.table
        self.state = state_at(session.game, Place(draft.editing))
        self.fields = (*_SETTLED, *draft.fields)

    def entry(self) -> EntryForm:
        """Return what a page offers."""
        try:
            if self.draft.kind:
                return self._other()
            suggestion = self.draft.suggestion(self.session)
            if suggestion is None:
                return self._first_step()
            return self._second_step(suggestion)
        except ClueError:  # an address that was written by hand
            plain = Draft(editing=self.draft.editing, was=self.draft.was)
            return EntryPanels(self.session, plain, sound=self.sound)._first_step()

    # A suggestion: who asks for which cards, then who shows one.

    def _first_step(self) -> EntryForm:
        draft, edition = self.draft, self.table.edition
        by = draft.by or self.state.turn(self.table) or ""
        askers = tuple(Choice(seat, seat, on=seat == by) for seat in self.table.seats)
        columns = tuple(
            Row(
                kind.plural or kind.name,
                tuple(Choice(c.name, c.name, on=c.name in draft.picked) for c in kind.cards),
                name=f"pick-{number}",
            )
            for number, kind in enumerate(edition.category)
        )
        step = Panel(
            "ask",
            rows=(Row("Who asks?", askers, name="by"),),
            columns=columns,
            fields=Draft(editing=draft.editing, was=draft.was).fields,
            button="Who shows a card?",
            most=edition.named,
        )
        if draft.editing is not None:
            return EntryForm((step,), by)
        play = self.session.game.play().turn_of(by) if by else None
        rows = tuple(self._first_rows(play, by)) if play is not None else ()
        first = (Panel("tell", rows=rows, fields=_SETTLED),) if rows else ()
        skips = (Choice("No suggestion", f"{by} skips"),) if by else ()
        anything = Choice("Something else", href=Draft(OTHER).query())
        others = () if play is None else tuple(self._others(play, by, [r.title for r in rows]))
        aside = frozenset[str]() if play is None else _aside(play)
        foot = (*skips, *others, anything)
        return EntryForm((*first, step), by, aside=aside, foot=foot)

    def _second_step(self, asked: Suggestion) -> EntryForm:
        self.draft = self.draft._replace(by=asked.by)
        self.fields = (*_SETTLED, *self.draft.fields)
        order = self.table.answering(asked.by, left=self.state.left)
        taken = Panel(
            "ask",
            field="without",
            rows=(Row("The cards; tap one to change it", _same(asked.cards)),),
            fields=self.draft.fields,
        )
        nobody = self.line("nobody shows", replace(asked, answers=passes(order)))
        unheard = self.line("no idea", replace(asked, answers=()))
        ends = Row("", (*nobody, *unheard))
        if self.table.everyone_shows:
            step = self._everyone(asked, order)
            return EntryForm(
                (taken, step, Panel("tell", rows=(ends,), fields=self.fields)),
                asked.by,
                asked.cards,
            )
        rows = []
        for place, seat in enumerate(order):
            shows = [answer_of(seat, "shows", card) for card in (*asked.cards, None)]
            ways = [replace(asked, answers=(*passes(order[:place]), each)) for each in shows]
            choices = tuple(chain.from_iterable(self.line("", way) for way in ways))
            rows.append(Row(seat, choices, folded=asked.by == self.table.viewer))
        kept = tuple(row for row in (*rows, ends) if row.choices)
        step = Panel("tell", title=f"Who shows {asked.by} a card?", rows=kept, fields=self.fields)
        return EntryForm((taken, step), asked.by, asked.cards)

    def _everyone(self, asked: Suggestion, order: Iterable[str]) -> Panel:
        """Return what is asked where everybody answers: a row for each seat."""
        rows = []
        for seat in order:
            choices = []
            for reply in ("passes", *asked.cards, "shows"):
                card = reply if reply in asked.cards else None
                answer = answer_of(seat, "passes" if reply == "passes" else "shows", card)
                for choice in self.line(reply, replace(asked, answers=(answer,)), seat):
                    choices.append(choice._replace(value=reply, clash=False))
            forced = [each._replace(on=len(choices) == 1) for each in choices]
            rows.append(Row(seat, tuple(forced), name=f"reply-{seat}"))
        ends = Row(
            "", (Choice("The others pass", "passes", main=True), Choice("The rest unheard", "?"))
        )
        return Panel(
            "tell", "rest", f"Who shows {asked.by} a card?", rows=(*rows, ends), fields=self.fields
        )

    def line(self, label: str, observation: Observation, seat: str = "") -> Iterator[Choice]:
        """
        Yield the choice that tells an observation, if it is possible and the viewer's to say.

        Its label is the answer of the seat; the last that was heard if none is named.
        """
        viewer = self.table.viewer
        if not self._visible(observation):
            return
        answer = _last_answer(observation, seat)
        if answer is not None and answer.answer == "shows":
            involved = viewer in (getattr(observation, "by", None), answer.seat)
            if answer.card is None and answer.seat == viewer:
                return
            label = answer.card or ("unseen" if involved else "shows")
        if own_refusal(self.session.record, observation) is not None:
            return
        clash = self.sound and clashes(self.session.game, observation, Place(self.draft.editing))
        yield Choice(label, format_line(observation, self.table), clash=clash)

    def _visible(self, observation: Observation) -> bool:
        """Return whether the viewer saw all that is told of what others notice as well."""
        share = seen(observation, table=self.table, viewer=self.table.viewer)
        return share in (None, observation)

    # Anything else: one question after the other.

    def _other(self) -> EntryForm:
        chosen = self.draft.chosen
        step = asked_after(self.table, self.state, chosen)
        if not isinstance(step, Prompt):
            rows = (Row("", tuple(self.line("Log it", step))),)
            line = format_line(step, self.table)
            return EntryForm(
                (Panel("tell", title="Log this?", remark=line, rows=rows, fields=self.fields),)
            )
        rolls = chosen[:1] == ("Roll",) and self.table.edition.suspect_dice > 0
        choices = self._answers(step, chosen)
        back = self.draft._replace(chosen=chosen[:-1], kind=OTHER if chosen else "")
        panel = Panel(
            "tell", title=step.title, remark=step.line, rows=(Row("", choices),), fields=self.fields
        )
        faces = chosen[2:] if rolls else ()
        return EntryForm((panel,), faces=faces, foot=(Choice("Back", href=back.query()),))

    def _answers(self, step: Prompt, chosen: tuple[str, ...]) -> tuple[Choice, ...]:
        """Return the answers to a question, those of dice with their faces."""
        faces = chosen[:1] == ("Roll",) and len(chosen) > 1 and self.table.edition.suspect_dice
        return tuple(
            choice._replace(face=value if faces else "")
            for label, value in step.choices
            for choice in self._leading(label, (*chosen, value))
        )

    def _leading(self, label: str, chosen: tuple[str, ...]) -> Iterator[Choice]:
        """Yield the choice that leads on, or tells the line where it is whole, if either."""
        with suppress(ArgumentError, NotationError):
            step = asked_after(self.table, self.state, chosen)
            if isinstance(step, Prompt):
                only = self._only(step, chosen)
                if only is None:
                    draft = self.draft._replace(kind=OTHER, by="", picked=(), chosen=chosen)
                    yield Choice(label, href=draft.query())
                    return
                step = only
            for choice in self.line(label, step):
                yield choice._replace(label=label)

    def _only(self, step: Prompt, chosen: tuple[str, ...]) -> Observation | None:
        """Return what was observed, where the viewer can have seen one of the answers alone."""
        ways: list[Observation] = []
        for _, value in step.choices:
            with suppress(ClueError):
                way = asked_after(self.table, self.state, (*chosen, value))
                if isinstance(way, Prompt):
                    return None
                if self._visible(way):
                    ways.append(way)
        return ways[0] if len(ways) == 1 else None

    # What the rules offer beside a suggestion.

    def _first_rows(self, play: Play, by: str) -> Iterator[Row]:
        """Yield what the rules ask for first: the dice, a clue card, a card in the room."""
        yield from (row for row in (*self._left_over(), *self._next(play, by)) if row.choices)

    def _row(self, title: str, *path: str) -> Row:
        """Return the first answers to what is asked of something that is done."""
        step = asked_after(self.table, self.state, path)
        if isinstance(step, Prompt) and self._only(step, path) is None:
            return Row(title, self._answers(step, path), own=True)
        return Row(title, tuple(self._leading(title, path)), own=True)

    def _left_over(self) -> Iterator[Row]:
        """Yield what a bonus die lets whoever has suggested do still."""
        play, doing = self.session.game.play(), _doing(self.table)
        by = play.due
        if by is not None and play.pending and by == play.turn:
            yield from (self._row(f"{by} {verb}", doing[verb], by) for verb in sorted(play.uses))

    def _next(self, play: Play, by: str) -> Iterator[Row]:
        """Yield what a seat does first in its turn."""
        table = self.table
        if table.edition.suspect_dice and play.may("rolls") and table.keeps("play"):
            yield self._row(f"{by} rolls", "Roll", by)
        if play.dice and play.may("draws"):
            yield self._row(f"{by} draws", "Draw", by)
        last = self.session.record.observations[-1:]
        called = play.goes_on(by) and play.drawn and play.drawn[-1] not in ("move", "passage")
        if called and isinstance(last[0], Draw | Reveal | Nobody):
            seats = [self._leading(seat, ("Reveal", seat)) for seat in table.seats]
            nobody = self._leading("nobody", ("Nobody",))
            yield Row("A card is shown by", tuple(chain(*seats, nobody)), own=True)
        if (room := play.place(by)) in play.face_down:
            looks = self._leading(f"at {room}", ("Look", by, str(room)))
            yield Row(f"{by} looks", tuple(looks), own=True)

    def _others(self, play: Play, by: str, titles: list[str]) -> Iterator[Choice]:
        """Yield what else may be done in the turn, or still by whoever has suggested."""
        before = self.session.game.play()
        going = before.turn
        turns = {going: before} if going and before.goes_on(going) else {}
        for seat, state in (turns | {by: play}).items():
            for verb, name in _doing(self.table).items():
                label = f"{seat} {verb}"
                if label not in titles and state.may(verb):
                    yield from self._leading(label, (name, seat))


def _same(names: Iterable[str]) -> tuple[Choice, ...]:
    return tuple(Choice(name, name) for name in names)


def _aside(play: Play) -> frozenset[str]:
    """Return the cards that the dice do not show, where they choose what is asked for."""
    edition = play.rules.edition
    faces = {face for face in play.dice if face in edition.features and play.may("suggests")}
    return frozenset(card.name for card in edition.cards if faces and card.feature not in faces)


def _doing(table: Table) -> dict[str, str]:
    """Return what may happen in a turn besides a suggestion: each verb and its kind."""
    named = {kind.form.verb: kind.__name__ for kind in kinds() if kind.form.subject}
    told = [verb for verb in ACTIONS if verb not in ("suggests", "skips")]
    kept = table.keeps("play")
    return {verb: named[verb] for verb in told if kept or verb not in ROLLING}


def _last_answer(observation: Observation, seat: str = "") -> Answer | None:
    """Return the last answer that was heard, of a seat if one is named."""
    answers: tuple[Answer, ...] = getattr(observation, "answers", ())
    heard = [answer for answer in answers if answer.seat is not None and seat in ("", answer.seat)]
    return heard[-1] if heard else None
