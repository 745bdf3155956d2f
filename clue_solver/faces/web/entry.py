"""
The panels on which a player logs an event by tapping.

For a suggestion, the player first taps its cards. Then come the questions of `faces.asking`, one by
one. Each answer leads to the next question, or completes the line.
"""

from collections.abc import Container, Iterator
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

from msgspec.structs import replace

from clue_solver.answers.report import Report
from clue_solver.conversation.changes import LogPlace
from clue_solver.conversation.meaning import own_hand, own_refusal, state_at
from clue_solver.conversation.session import Session
from clue_solver.errors import ArgumentError, ClueError, NotationError
from clue_solver.faces.asking import next_question
from clue_solver.faces.prompt import Prompt
from clue_solver.faces.web.drafts import Answered, Draft
from clue_solver.faces.web.panel import Choice, Panel, Row
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.sight import seen
from clue_solver.knowledge.viewer import knowledge_of
from clue_solver.notation.canonical import format_line
from clue_solver.notation.checks import normalise, without_implied
from clue_solver.notation.places import NOBODY, UNHEARD
from clue_solver.rules.observations import (
    Accusation,
    Draw,
    Knowing,
    Move,
    Nobody,
    Observation,
    Reveal,
    Suggestion,
    kinds,
)
from clue_solver.rules.play import ACTIONS, Play
from clue_solver.rules.position import ROLLING
from clue_solver.rules.table import Table

_SUGGESTION = Suggestion.__name__
_ACCUSATION = Accusation.__name__
_ACCUSES = Accusation.form.verb
_SETTLED = (("settled", "turn"), ("settled", "no answers"), ("settled", "card seen"))
"""Form fields that name the doubts to leave out, because whoever taps a line has settled them."""

_MORE = {"Hand": "Somebody shows their whole hand", "Knowing": "Something is known about a card"}
"""The page's labels for some kinds of events; for the others, those of all interfaces fit."""


Deed = tuple[str, str]
"""A seat, and the verb of what it does in a turn besides a suggestion, such as `rolls`."""


class EntryForm(NamedTuple):
    """
    The form with which a page logs an event.

    Attributes:
        panels: The questions with their choices, in the order of the page.
        by: Who suggests; empty if that is not known.
        cards: The cards of the suggestion; empty until all are picked.
        barred: The cards that cannot be picked because the dice do not allow them.
        faces: The faces of the dice that have been tapped so far.
        goes: The panel for rolls and moves; `None` if it is unknown whose turn it is.
        foot: The panels for other events, side by side: a turn without a suggestion, an
            accusation, the rest.
        back: The draft as it was at the previous question; `None` if there is none.
        kept: The line of the entry that is edited, with the player and the cards tapped since;
            empty if there is no such entry, or if its answers do not go with them.
    """

    panels: tuple[Panel, ...]
    by: str = ""
    cards: tuple[str, ...] = ()
    barred: frozenset[str] = frozenset()
    faces: tuple[str, ...] = ()
    goes: Panel | None = None
    foot: tuple[Panel, ...] = ()
    back: Draft | None = None
    kept: str = ""


class EntryPanels:
    """
    Creates the form on which a page logs an event.

    Args:
        session: The game.
        draft: The entry as far as its player has tapped it.
        report: The sheet; answers that it rules out are dimmed. `None` to dim none.
    """

    def __init__(self, session: Session, draft: Draft, report: Report | None = None) -> None:
        self.session = session
        self.draft = draft
        self.report = None if draft.editing else report
        self.table: Table = session.record.table
        self.cards = self.table.edition.category_of
        self.state = state_at(session.game, LogPlace(draft.editing))
        self.hand = own_hand(session.record)
        self.by = draft.by or self.state.turn(self.table) or ""
        self.kept = None if draft.editing is None else self._kept_entry(draft.editing)

    def entry(self) -> EntryForm:
        """Return the form with the next question, or with the cards if nothing is tapped yet."""
        path = self.draft.path(self.table, self.by)
        try:
            return self._next_form(path) if path else self._new_form()
        except ClueError:  # an address that was written by hand
            plain = Draft(editing=self.draft.editing, was=self.draft.was)
            return EntryPanels(self.session, plain)._new_form()

    def _new_form(self) -> EntryForm:
        """Return the form on which an entry begins: a suggestion or another event."""
        by, asked = self.by, self._card_panel()
        if self.draft.accuses:
            return EntryForm((asked,), by, back=Draft())
        if self.draft.editing is not None:
            return EntryForm((asked,), by)
        rows: dict[Deed, Row] = {}
        others: dict[Deed, Choice] = {}
        barred, skips, elsewhere = frozenset[str](), list[Choice](), {"suggests"}
        if by:
            now = self.session.game.play()
            play = now.turn_of(by)
            rows = {deed: row for deed, row in self._turn_rows(play, by) if row.choices}
            others = dict(self._other_choices(play, by, rows))
            barred = _excluded_cards(play)
            skips = [] if now.suggested(by) else [Choice("No suggestion", f"{by} skips")]
            elsewhere |= {"skips", *(verb for seat, verb in (*rows, *others) if seat == by)}
        # Whoever has just suggested may accuse in the same turn, and comes first.
        accuse = [each for (_, verb), each in others.items() if verb == _ACCUSES][:1]
        elsewhere |= {_ACCUSES} if accuse else set()
        walks = [each for (seat, verb), each in others.items() if seat == by and verb in ROLLING]
        rest = [each for each in others.values() if each.role != "accuse" and each not in walks]
        happened = self._next_step(())
        assert isinstance(happened, Prompt)
        verbs = {kind.__name__: kind.form.verb for kind in kinds()}
        events = [
            Choice(_MORE.get(value, f"Somebody {label}"), href=self._draft_with((value,)).query())
            for label, value in happened.choices
            if verbs[value] not in elsewhere
        ]
        in_turn = Row("In the turn", tuple(rest), own=True)
        first = [_settled_panel(*rows.values())] if rows else []
        foot = [_settled_panel(Row("", tuple(each))) for each in (skips, accuse) if each]
        goes = _settled_panel(Row("On the board", tuple(walks))) if by else None
        foot.append(_settled_panel(in_turn, Row("At any time", tuple(events), own=True)))
        return EntryForm((*first, asked), by, barred=barred, goes=goes, foot=tuple(foot))

    def _card_panel(self) -> Panel:
        """Return the panel for the player and the cards of a suggestion or an accusation."""
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
            rows=(Row("Who accuses?" if draft.accuses else "Who asks?", askers, name="by"),),
            columns=columns,
            fields=Draft(draft.kind, editing=draft.editing, was=draft.was).fields,
            button="Right or wrong?" if draft.accuses else "Who shows a card?",
            most=draft.most(edition),
        )

    # One question after the other.

    def _next_form(self, path: Answered) -> EntryForm:
        """Return the form after the answers in `path`: the next question, or the complete line."""
        step, suggests = self._next_step(path), path[0] == _SUGGESTION
        fields = (*_SETTLED, *self.draft.fields)
        if isinstance(step, Prompt):
            rows = self._answer_rows(step, path)
            # The headline asks who shows a card; the cards of a suggestion stand above.
            begun = suggests and not self.draft.chosen
            title = "" if begun and not step.seat else step.title
            remark = "" if begun else step.line
            panel = Panel("tell", title=title, remark=remark, rows=rows, fields=fields)
        else:
            rows = (Row("", tuple(each._replace(main=True) for each in self.line("Log it", step))),)
            line = format_line(step, self.table)
            panel = Panel("tell", title="Log this?", remark=line, rows=rows, fields=fields)
        faces = path[2:] if path[0] == "Roll" and self.table.edition.suspect_dice else ()
        cards = self.draft.picked if suggests else ()
        if self.draft.editing is not None and not self.draft.chosen:
            # All of the entry can be tapped at once, so that the rest of it stays.
            title = step.title if isinstance(step, Prompt) else ""
            rows = tuple(row._replace(title=row.title or title, own=True) for row in panel.rows)
            panel = panel._replace(title="", remark="", rows=rows)
            kept = "" if self.kept is None else format_line(self.kept, self.table)
            return EntryForm((panel, self._card_panel()), path[1], cards, kept=kept)
        by, back = path[1] if suggests else "", self._draft_with(path[:-1])
        return EntryForm((panel,), by, cards, faces=faces, back=back)

    def _kept_entry(self, entry: int) -> Observation | None:
        """Return an entry with the tapped player and cards; `None` if that cannot be logged."""
        old, draft = self.session.entry(entry).observation, self.draft
        if isinstance(old, Suggestion | Accusation) and type(old).__name__ == draft.kind:
            with suppress(ClueError):
                changed = replace(old, by=draft.by, cards=draft.picked)
                changed = normalise(changed, self.table, self.state)
                return changed if self._may_log(changed) else None
        return None

    def _next_step(self, path: Answered) -> Prompt | Observation:
        """Return the question after the answers in `path`, or the observation if it is complete."""
        if path[:1] == (Move.__name__,) and path[2:]:  # the board has squares, too
            return normalise(Move(by=path[1], to=path[2]), self.table, self.state)
        return next_question(self.table, self.state, path, self.hand)

    def _answer_rows(self, step: Prompt, path: Answered) -> tuple[Row, ...]:
        """
        Return the rows of buttons that answer a question.

        To the question who showed a card, each player whose card the viewer saw gets a row with
        the possible cards.

        Args:
            step: The question.
            path: The answers before it.
        """
        rows, unseen = list[Row](), list[Choice]()
        offered = [] if step.seat else [*self._possible_answers(step, path)]
        for label, seat in offered:
            if cards := self._visible_cards(seat, path):
                told = [self._named_choices(card, card, (*path, seat, card)) for card in cards]
                rows.append(Row(label, tuple(chain(*told)), own=True))
                unseen += self._named_choices(label, seat, (*path, seat, "shows"))
        seen = [row.title for row in rows]
        rest = Row(
            "", tuple(each for each in self._answer_choices(step, path) if each.label not in seen)
        )
        first = not seen or offered[0][0] not in seen  # whoever answers first stands first
        rows.insert(0 if first else len(rows), rest)
        if unseen:
            rows.append(Row("A card that I do not know", tuple(unseen), own=True))
        return tuple(rows)

    def _visible_cards(self, seat: str, path: Answered) -> list[str]:
        """
        Return the cards that a seat may have shown to the viewer.

        The result is empty if the viewer saw no card, or if only one card is possible.

        Args:
            seat: The seat, as the answer to the question who showed a card.
            path: The answers before that.
        """
        with suppress(ArgumentError, NotationError):
            which = self._next_step((*path, seat))
            if isinstance(which, Prompt) and which.seat == seat:
                only = self._only_possible(which, (*path, seat))
                seen = self._possible_answers(which, path)
                return [] if only else [card for _, card in seen if card in self.cards]
        return []

    def _answer_choices(self, step: Prompt, path: Answered) -> tuple[Choice, ...]:
        """
        Return the buttons that answer a question; faces of dice are drawn as dice.

        Args:
            step: The question.
            path: The answers before it.
        """
        faces = path[0] == "Roll" and len(path) > 1 and self.table.edition.suspect_dice
        choices = [
            choice._replace(role="die", of=value) if faces else choice
            for label, value in self._possible_answers(step, path)
            for choice in self._named_choices(label, value, (*path, value))
        ]
        if step.seat and self.table.everyone_shows:
            with suppress(ClueError):  # the viewer has to show a card
                rest: Prompt | Observation = step
                while isinstance(rest, Prompt):
                    path = (*path, "passes")
                    rest = self._next_step(path)
                pass_all = self.line("The others pass", rest)
                choices[-1:-1] = [each._replace(role="apart") for each in pass_all]
        return tuple(choices)

    def _possible_answers(self, step: Prompt, path: Answered) -> Iterator[tuple[str, str]]:
        """
        Yield the label and value of each answer that the viewer could have seen or heard.

        For example, which card a player showed is known only to the two who saw it. `step` is the
        question, `path` the answers to the questions before it.
        """
        viewer = self.table.viewer
        for label, value in step.choices:
            if path[0] == Knowing.__name__ and value == viewer and self.hand is not None:
                continue  # the viewer knows the whole hand
            if step.seat not in ("", viewer) and value in (self.hand or ()):
                continue  # the viewer holds that card
            unseen = step.seat and value in self.cards and viewer not in (step.seat, path[1])
            if not unseen and (step.seat != viewer or value not in ("shows", "")):
                yield label, value

    def _named_choices(self, label: str, name: str, path: Answered) -> Iterator[Choice]:
        """
        Yield the button for an answer, drawn as the player or the card that it names.

        Args:
            label: What the button says.
            name: The player or card; any other value is drawn without one.
            path: All answers, with this one last.
        """
        role = "seat" if name in self.table.seats else "card" if name in self.cards else ""
        role = "apart" if name == NOBODY or label == UNHEARD else role
        for choice in self._next_choices("Didn't see" if label == UNHEARD else label, path):
            yield choice._replace(role=role, of=name)

    def _next_choices(self, label: str, path: Answered) -> Iterator[Choice]:
        """Yield the button that goes on after the answers in `path`, if they are possible."""
        with suppress(ArgumentError, NotationError):
            step = self._next_step(path)
            if isinstance(step, Prompt):
                only = self._only_possible(step, path)
                if only is None:
                    out = "" in step.values and self._is_ruled_out(self._next_step((*path, "")))
                    yield Choice(label, href=self._draft_with(path).query(), out=out)
                    return
                step = only
            yield from self.line(label, step)

    def _only_possible(self, step: Prompt, path: Answered) -> Observation | None:
        """
        Return the only observation to which an answer to the question `step` can lead.

        The result is `None` if there are several, or none, or if another question may follow.
        """
        ways: list[Observation] = []
        for _, value in self._possible_answers(step, path):
            with suppress(ClueError):
                way = self._next_step((*path, value))
                if isinstance(way, Prompt):
                    return None
                if self._may_log(way):
                    ways.append(way)
        return ways[0] if len(ways) == 1 else None

    def _draft_with(self, path: Answered) -> Draft:
        """Return the draft that has the answers in `path`."""
        draft = Draft(editing=self.draft.editing, was=self.draft.was)
        if path[:1] not in ((_SUGGESTION,), (_ACCUSATION,)):
            return draft._replace(chosen=path)
        draft = draft._replace(kind=path[0], by="".join(path[1:2]))
        cards = 2 + draft.most(self.table.edition)
        return draft._replace(picked=path[2:cards], chosen=path[cards:])

    def line(self, label: str, observation: Observation) -> Iterator[Choice]:
        """
        Yield the button that logs an observation; nothing if the viewer may not log it.

        Args:
            label: The text on the button.
            observation: The observation.
        """
        if self._may_log(observation):
            said = without_implied(observation, self.table)  # without what the log fills in
            line, on = format_line(said, self.table), observation == self.kept
            yield Choice(label, line, on=on, out=self._is_ruled_out(observation))

    def _may_log(self, observation: Observation) -> bool:
        """
        Return whether the page offers an observation to its viewer.

        It does not if the viewer saw only a part of it, or if the viewer's own hand rules it out.
        If the viewer saw nothing of it, it is offered, because somebody may have told of it.
        """
        share = seen(observation, table=self.table, viewer=self.table.viewer)
        refused = own_refusal(self.session.record, observation)
        return refused is None and share in (None, observation)

    def _is_ruled_out(self, step: Prompt | Observation) -> bool:
        """Return whether the cells of the sheet show that an observation cannot be true."""
        if self.report is None or isinstance(step, Prompt):
            return False
        # A clause is broken if the holder lacks (2) all of its cards, or has (1) all of them.
        verdicts = self.report.verdicts
        return any(
            (verdicts[card_numbers(each.cards), each.holder] == (2 if each.has else 1)).all()
            for each in knowledge_of(self.table, [step], viewer=self.table.viewer).clauses
        )

    # What the rules allow besides a suggestion.

    def _action_row(self, title: str, *path: str) -> Row:
        """
        Return the row of buttons for an action.

        The buttons answer the next question about the action. If only one observation is possible,
        a single button logs that.

        Args:
            title: The title of the row, or the text of the single button.
            path: The answers that begin an entry about the action: its kind, the seat, and so on.
        """
        step = self._next_step(path)
        if isinstance(step, Prompt) and self._only_possible(step, path) is None:
            return Row(title, self._answer_choices(step, path), own=True)
        return Row(title, tuple(self._next_choices(title, path)), own=True)

    def _turn_rows(self, play: Play, by: str) -> Iterator[tuple[Deed, Row]]:
        """
        Yield the rows for what comes before a suggestion in a seat's turn.

        These are the actions of a bonus die, rolls, draws and what a clue card calls for, and looks
        at a card in a room. Each row comes after the deed that it logs: the seat that acts, and the
        verb.

        Args:
            play: The state of play in the turn.
            by: The seat.
        """
        table, now = self.table, self.session.game.play()
        if now.due is not None and now.pending and now.due == now.turn:
            doing = _kind_by_verb(table)
            for verb in sorted(now.uses):
                row = self._action_row(f"{now.due} {verb}", doing[verb], now.due)
                yield (now.due, verb), row
        if table.edition.suspect_dice and play.may("rolls") and table.keeps("play"):
            yield (by, "rolls"), self._action_row(f"{by} rolls", "Roll", by)
        if play.dice and play.may("draws"):
            yield (by, "draws"), self._action_row(f"{by} draws", "Draw", by)
        last = self.session.record.observations[-1:]
        called = play.goes_on(by) and play.drawn and play.drawn[-1] not in ("move", "passage")
        if called and isinstance(last[0], Draw | Reveal | Nobody):
            seats = [self._named_choices(seat, seat, ("Reveal", seat)) for seat in table.seats]
            nobody = self._next_choices("nobody", ("Nobody",))
            yield ("", ""), Row("A card is shown by", tuple(chain(*seats, nobody)), own=True)
        if (room := play.place(by)) in play.face_down:
            looks = self._next_choices(f"at {room}", ("Look", by, str(room)))
            yield (by, "looks"), Row(f"{by} looks", tuple(looks), own=True)

    def _other_choices(
        self, play: Play, by: str, rows: Container[Deed]
    ) -> Iterator[tuple[Deed, Choice]]:
        """
        Yield the buttons for all other deeds in a turn, each after its deed: the seat and the verb.

        If the previous turn may still go on, its deeds come first.

        Args:
            play: The state of play in the turn.
            by: The seat whose turn it is.
            rows: The deeds that have a row of their own, and are left out here.
        """
        before = self.session.game.play()
        going = before.turn
        turns = {going: before} if going and before.goes_on(going) else {}
        for seat, state in (turns | {by: play}).items():
            for verb, name in _kind_by_verb(self.table).items():
                if (seat, verb) not in rows and state.may(verb):
                    label = "Accuse" if verb == _ACCUSES else f"{seat} {verb}"
                    role = "accuse" if verb == _ACCUSES else ""
                    for choice in self._next_choices(label, (name, seat)):
                        yield (seat, verb), choice._replace(role=role)


def _settled_panel(*rows: Row) -> Panel:
    """
    Return a panel whose buttons each log a line.

    Nothing is asked that a tap on one of them has settled, such as whose turn it is (`_SETTLED`).
    """
    return Panel("tell", rows=rows, fields=_SETTLED)


def _excluded_cards(play: Play) -> frozenset[str]:
    """Return the cards that the dice do not allow in a suggestion."""
    edition = play.rules.edition
    faces = {face for face in play.dice if face in edition.features and play.may("suggests")}
    return frozenset(card.name for card in edition.cards if faces and card.feature not in faces)


def _kind_by_verb(table: Table) -> dict[str, str]:
    """Return the kind of observation for each verb of a turn, except suggesting and skipping."""
    named = {kind.form.verb: kind.__name__ for kind in kinds() if kind.form.subject}
    told = [verb for verb in ACTIONS if verb not in ("suggests", "skips")]
    kept = table.keeps("play")
    return {verb: named[verb] for verb in told if kept or verb not in ROLLING}
