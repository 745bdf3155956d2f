"""
What may be tapped to log what happened: a suggestion by its cards, then one question after the
other (`faces.asking`), each answer a whole line or what leads to the next.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from clue_solver.conversation.changes import LogPlace
from clue_solver.conversation.doubts import own_hand, own_refusal
from clue_solver.conversation.meaning import state_at
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError
from clue_solver.faces.asking import next_question
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.web.drafts import Answered, Draft
from clue_solver.faces.web.panel import Choice, Panel, Row
from clue_solver.knowledge.evidence import seen
from clue_solver.notation import format_line
from clue_solver.rules.observations import Draw, Nobody, Observation, Reveal, Suggestion, kinds
from clue_solver.rules.play import ACTIONS, Play
from clue_solver.rules.position import ROLLING
from clue_solver.rules.table import Table

_SUGGESTION = Suggestion.__name__
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
        back: Where the question before is asked; empty if there is none.
    """

    panels: tuple[Panel, ...]
    by: str = ""
    cards: tuple[str, ...] = ()
    aside: frozenset[str] = frozenset()
    faces: tuple[str, ...] = ()
    foot: tuple[Choice, ...] = ()
    back: str = ""


class EntryPanels:
    """
    What may be tapped in a game, with what was tapped so far.

    Args:
        session: The game.
        draft: What was tapped so far.
    """

    def __init__(self, session: Session, draft: Draft) -> None:
        self.session = session
        self.draft = draft
        self.table: Table = session.record.table
        self.cards = self.table.edition.category_of
        self.state = state_at(session.game, LogPlace(draft.editing))
        self.hand = own_hand(session.record)
        self.by = draft.by or self.state.turn(self.table) or ""

    def entry(self) -> EntryForm:
        """Return what a page offers: who asks for which cards, or the next question."""
        path = self.draft.path(self.table, self.by)
        try:
            return self._question(path) if path else self._begin()
        except ClueError:  # an address that was written by hand
            plain = Draft(editing=self.draft.editing, was=self.draft.was)
            return EntryPanels(self.session, plain)._begin()

    def _begin(self) -> EntryForm:
        """Return what may have happened next: a suggestion, by its cards, or anything else."""
        by, asked = self.by, self._suggestion()
        if self.draft.editing is not None:
            return EntryForm((asked,), by)
        rows: tuple[Row, ...] = ()
        foot: tuple[Choice, ...] = ()
        others: tuple[Choice, ...] = ()
        aside, above = frozenset[str](), {"suggests"}
        if by:
            play = self.session.game.play().turn_of(by)
            rows = tuple(r for r in (*self._left_over(), *self._next(play, by)) if r.choices)
            others = tuple(self._others(play, by, [row.title for row in rows]))
            ends = tuple(each for each in others if each.label.endswith(" accuses"))
            foot, aside = (Choice("No suggestion", f"{by} skips"), *ends), _aside(play)
            offered = (*(row.title for row in rows), *(each.label for each in others))
            above |= {"skips", *(each.removeprefix(f"{by} ") for each in offered)}
        first = (Panel("tell", rows=rows, fields=_SETTLED),) if rows else ()
        verbs = {kind.__name__: kind.form.verb for kind in kinds()}
        happened = self._after(())
        assert isinstance(happened, Prompt)
        rest = tuple(
            Choice(label, href=Draft(chosen=(value,)).query())
            for label, value in happened.choices
            if verbs[value] not in above
        )
        more = Row("", tuple(each for each in others if each not in foot))
        below = (more, Row("Somebody …", rest, own=True))
        anything = Panel("tell", rows=below, fields=_SETTLED, folded="Something else")
        return EntryForm((*first, asked, anything), by, aside=aside, foot=foot)

    def _suggestion(self) -> Panel:
        """Return the panel that asks who suggests which cards."""
        draft, edition = self.draft, self.table.edition
        askers = tuple(Choice(seat, seat, on=seat == self.by) for seat in self.table.seats)
        columns = tuple(
            Row(
                kind.plural or kind.name,
                tuple(Choice(c.name, c.name, on=c.name in draft.picked) for c in kind.cards),
                name=f"pick-{number}",
            )
            for number, kind in enumerate(edition.category)
        )
        return Panel(
            "ask",
            rows=(Row("Who asks?", askers, name="by"),),
            columns=columns,
            fields=Draft(editing=draft.editing, was=draft.was).fields,
            button="Who shows a card?",
            most=edition.named,
        )

    # One question after the other.

    def _question(self, path: Answered) -> EntryForm:
        """Return what is asked after some answers, or the line that they tell."""
        step, suggests = self._after(path), path[0] == _SUGGESTION
        fields = (*_SETTLED, *self.draft.fields)
        if isinstance(step, Prompt):
            rows = self._rows(step, path)
            begun = (
                suggests and not self.draft.chosen
            )  # the headline asks, and its cards stand above
            title, remark = ("", "") if begun else (step.title, step.line)
            panel = Panel("tell", title=title, remark=remark, rows=rows, fields=fields)
        else:
            rows = (Row("", tuple(self.line("Log it", step))),)
            line = format_line(step, self.table)
            panel = Panel("tell", title="Log this?", remark=line, rows=rows, fields=fields)
        faces = path[2:] if path[0] == "Roll" and self.table.edition.suspect_dice else ()
        back = self._drafted(path[:-1]).query()
        if not suggests:
            return EntryForm((panel,), faces=faces, back=back)
        if self.draft.editing is not None and not self.draft.chosen:
            return EntryForm((panel, self._suggestion()), path[1], self.draft.picked)
        return EntryForm((panel,), path[1], self.draft.picked, back=back)

    def _after(self, path: Answered) -> Prompt | Observation:
        """Return the question that follows from some answers, or what they tell."""
        return next_question(self.table, self.state, path, self.hand)

    def _rows(self, step: Prompt, path: Answered) -> tuple[Row, ...]:
        """Return the answers to a question; who shows has the cards that the viewer sees."""
        rows, unseen = list[Row](), list[Choice]()
        offered = [] if step.seat else [*self._offered(step, path)]
        for label, seat in offered:
            if cards := self._seen_of(seat, path):
                told = [self._leading(card, (*path, seat, card)) for card in cards]
                rows.append(Row(label, tuple(chain(*told)), own=True))
                unseen += self._leading(label, (*path, seat, "shows"))
        seen = [row.title for row in rows]
        rest = Row("", tuple(each for each in self._answers(step, path) if each.label not in seen))
        first = not seen or offered[0][0] not in seen  # whoever answers first stands first
        rows.insert(0 if first else len(rows), rest)
        if unseen:
            rows.append(Row("A card that I did not see", tuple(unseen), own=True))
        return tuple(rows)

    def _seen_of(self, seat: str, path: Answered) -> list[str]:
        """Return the cards that a seat may have shown, where the viewer sees which; else none."""
        with suppress(ArgumentError, NotationError):
            which = self._after((*path, seat))
            if isinstance(which, Prompt) and which.seat == seat:
                only = self._only(which, (*path, seat))
                return [] if only else [card for _, card in which.choices if card in self.cards]
        return []

    def _answers(self, step: Prompt, path: Answered) -> tuple[Choice, ...]:
        """Return the answers to a question, those of dice with their faces."""
        faces = path[0] == "Roll" and len(path) > 1 and self.table.edition.suspect_dice
        choices = [
            choice._replace(face=value if faces else "")
            for label, value in self._offered(step, path)
            for choice in self._leading(label, (*path, value))
        ]
        if step.seat and self.table.everyone_shows:
            with suppress(ClueError):  # the viewer has to show a card
                rest: Prompt | Observation = step
                while isinstance(rest, Prompt):
                    path = (*path, "passes")
                    rest = self._after(path)
                choices += self.line("The others pass", rest)
        return tuple(choices)

    def _offered(self, step: Prompt, path: Answered) -> Iterator[tuple[str, str]]:
        """Yield the answers that the viewer can give: of cards those seen, of its own all."""
        viewer = self.table.viewer
        for label, value in step.choices:
            unseen = step.seat and value in self.cards and viewer not in (step.seat, path[1])
            if not unseen and (step.seat != viewer or value not in ("shows", "")):
                yield label, value

    def _leading(self, label: str, path: Answered) -> Iterator[Choice]:
        """Yield the choice that leads on, or tells the line where it is whole, if either."""
        with suppress(ArgumentError, NotationError):
            step = self._after(path)
            if isinstance(step, Prompt):
                only = self._only(step, path)
                if only is None:
                    yield Choice(label, href=self._drafted(path).query())
                    return
                step = only
            yield from self.line(label, step)

    def _only(self, step: Prompt, path: Answered) -> Observation | None:
        """Return what was observed, where the viewer can have seen one of the answers alone."""
        ways: list[Observation] = []
        for _, value in self._offered(step, path):
            with suppress(ClueError):
                way = self._after((*path, value))
                if isinstance(way, Prompt):
                    return None
                if self._known(way):
                    ways.append(way)
        return ways[0] if len(ways) == 1 else None

    def _drafted(self, path: Answered) -> Draft:
        """Return the draft of some answers."""
        editing, cards = self.draft.editing, 2 + self.table.edition.named
        if path[:1] != (_SUGGESTION,):
            return Draft(chosen=path, editing=editing, was=self.draft.was)
        return self.draft._replace(by=path[1], picked=path[2:cards], chosen=path[cards:])

    def line(self, label: str, observation: Observation) -> Iterator[Choice]:
        """Yield the choice that tells an observation, if it is possible and the viewer's to say."""
        if self._known(observation):
            yield Choice(label, format_line(observation, self.table))

    def _known(self, observation: Observation) -> bool:
        """Whether the viewer has seen all that is told of what others notice as well."""
        share = seen(observation, table=self.table, viewer=self.table.viewer)
        refused = own_refusal(self.session.record, observation)
        return refused is None and share in (None, observation)

    # What the rules offer beside a suggestion.

    def _row(self, title: str, *path: str) -> Row:
        """Return the first answers to what is asked of something that is done."""
        step = self._after(path)
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
