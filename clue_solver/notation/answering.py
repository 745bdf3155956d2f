"""The grammar of answers: who passes, who shows, and what is left out where it follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from clue_solver.errors import printable
from clue_solver.notation import nodes
from clue_solver.notation.checks import passes
from clue_solver.notation.names import joined
from clue_solver.notation.nodes import Choice, Edge, Keyword, Node, Offer, Path
from clue_solver.notation.places import Places
from clue_solver.rules.observations import Answer, Event, Reply

NO = ("no", "nope", "none", "nothing", "-")
"""What tells that one player passes, and without a player that all of them do."""

_CANNOT = (
    *("doesn't", "doesnt", "does not", "didn't", "didnt", "did not"),
    *("can't", "cant", "cannot", "couldn't", "couldnt"),
)
PASSES = (
    *("passes", "passed", "pass", "pas", "pa", "p", *NO, "not", "no card", "no cards", "has none"),
    *(f"{word}{rest}" for word in _CANNOT for rest in ("", " show", " have")),
)
SHOWS = ("shows", "showed", "show", "saw")
NOBODY = (
    *("nobody shows", "nobody", *NO, "nobody show", "nobody showed"),
    *("no one", "no one shows", "no one showed", "noone"),
)
_UNHEARD = Answer(answer="unheard")


class Answering(NamedTuple):
    """
    The answers of a line so far.

    Attributes:
        tell: Returns what the line tells with some answers.
        field: The field of the observation that holds them.
        by: The seat that asks; empty where it is not known.
        asked: The cards asked for.
        left: The seats that may answer next.
        before: The answers so far.
        late: The seats that may have answered before and are not told yet.
    """

    tell: Callable[[tuple[Answer, ...]], Event]
    field: str
    by: str
    asked: tuple[str, ...]
    left: tuple[str, ...]
    before: tuple[Answer, ...] = ()
    late: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The part of the observation that the next answer is."""
        return (self.field, len(self.before))

    def told(self) -> Event:
        """Return what the line tells."""
        return self.tell(self.before)


class AnswerGrammar:
    """The answers at one table; the lenient one reads those that make no sense as well."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.table = places.table
        self.lenient = places.lenient
        self.lexicon = places.lexicon

    def after(self, said: Answering) -> Node:
        """Return the node after some answers, or before the first."""
        if not said.left:
            return Node(whole=said.told, silent=lambda: self._told_late(said))
        return Node(
            lambda: self._answers(said),
            *(nodes.NEXT, lambda: f"{said.left[0]} passes", said.told),
            expected="who answers",
            silent=lambda: (*self._unsaid_passes(said), *self._told_late(said)),
        )

    def alone(
        self, seat: str, things: Sequence[str], tell: Callable[[Reply, str | None], Event]
    ) -> Node:
        """
        Return the node before the answer of the one player who was asked.

        Args:
            seat: Who was asked.
            things: The cards and features that it was asked for.
            tell: Returns what the line tells with an answer and the card shown.
        """
        asked = self.lexicon.marked_by(things)

        def then(reply: Reply, card: str | None) -> Node:
            return Node(whole=partial(tell, reply, card))

        def edges() -> Iterator[Edge]:
            return self.replies(asked, then, ())

        again = Node(edges, nodes.SAME, lambda: "passes", then("shows", None).whole)
        unheard = then("unheard", None)
        left_out = Keyword("?", unheard, (), nodes.SAME, "answer")
        return Node(
            lambda: (*edges(), left_out),
            *(nodes.WORD, lambda: "passes", unheard.whole),
            expected="passes, shows, one of these cards, or ?",
            silent=lambda: (
                Keyword("passes", then("passes", None), NOBODY, nodes.SAME),
                Choice(self.lexicon.seats, (seat,), lambda _: again, nodes.SAME, "player"),
            ),
        )

    def _told_late(self, said: Answering) -> Iterator[Edge]:
        """Yield what is read after some answers and not offered: earlier answers."""
        last = said.before[-1] if said.before else _UNHEARD
        if said.late:
            yield self._answer(said, said.late)
        if not said.left and last.seat is not None and last.answer != "shows":
            yield self._unheard(said)  # of nobody: it says what is so

    def _unsaid_passes(self, said: Answering, *, counted: bool = False) -> Iterator[Edge]:
        """
        Yield the short forms of passes, which are read and not offered.

        That is a `no` for each seat that passes, in order: `no no Dan`; unless they are `counted`
        so, one that stands before who passes, as well: `no Ben`, which is all of `not Ben`.
        """
        if self.table.everyone_shows:
            if said.before:
                yield self._unheard(said)
            return

        def passed(seat: str, left: tuple[str, ...]) -> Answering:
            one = self._with(self._begun(said, seat), Answer(seat=seat, answer="passes"))
            return one._replace(left=left)

        def named() -> Iterator[Edge]:
            then: Callable[[str], Node] = lambda seat: self.after(  # noqa: E731
                passed(seat, self._begun(said, seat).left)
            )
            path = (*said.path, "seat")
            seats = self.lexicon.seats  # behind a comma another answer begins
            yield Choice(seats, said.left, then, nodes.SAME, kind="player", path=path)

        def edges() -> Iterator[Edge]:
            if not counted:
                yield from named()
            yield from (*self._answers(one), *self._unsaid_passes(one, counted=True))
            if counted:
                yield from self._next_shows(one)

        gone = {said.by, *(answer.seat for answer in said.before)}
        if order := tuple(seat for seat in said.left if seat not in gone):
            one = passed(order[0], order[1:])
            wanted = f"who answers after {printable(order[0])}, {joined(order[1:])}"
            wanted = wanted if order[1:] else "nothing more, as all have passed"
            wanted = wanted if counted else f"who passes, or {wanted}"
            whole = None if order[1:] else one.told
            after = Node(whole=whole, expected=wanted, silent=edges)
            yield Keyword("-", after, NO, nodes.NEXT)
        yield Keyword("not", Node(expected="who passes", silent=named), join=nodes.NEXT)

    def _next_shows(self, said: Answering) -> Iterator[Edge]:
        """Yield the card alone that the next seat shows behind several passes: `- - Plum`."""
        if not said.left:
            return
        seat, *_ = said.left
        cards, following = self.places.hidden(said.asked), self._begun(said, seat)

        def then(card: str) -> Node:
            return self.after(self._with(following, Answer(seat=seat, answer="shows", card=card)))

        path = (*said.path, "card")
        yield Choice(self.lexicon.cards, cards, then, nodes.SAME, path=path, only=True)

    def _unheard(self, said: Answering) -> Keyword:
        then = self.after(self._with(said, _UNHEARD))
        return Keyword("?", then, (), nodes.NEXT if said.before else nodes.SAME, "answer")

    def _answers(self, said: Answering) -> Iterator[Edge]:
        """Yield what may be written where some seats have not answered."""
        yield self._answer(said, said.left)
        if not said.before:
            nobody = partial(said.tell, passes(said.left))
            yield Keyword("nobody shows", Node(whole=nobody), NOBODY, nodes.SAME, "answer")
        if not (said.before and self.table.everyone_shows):
            yield self._unheard(said)

    def _answer(self, said: Answering, seats: tuple[str, ...]) -> Choice:
        """Return the choice of who answers next; behind each stands what it answers."""
        path = said.path

        def then(seat: str) -> Node:
            one = self._begun(said, seat)

            def answered(reply: Reply, card: str | None) -> Node:
                return self.after(self._with(one, Answer(seat=seat, answer=reply, card=card)))

            def silent() -> Iterator[Edge]:
                unheard = answered("unheard", None)
                yield Keyword("?", unheard, (), nodes.SAME, path=(*path, "answer"))
                for shows in self.replies(said.asked, answered, path):
                    if isinstance(shows, Keyword) and "saw" in shows.forms:
                        yield shows._replace(text="saw", forms=(), join=nodes.WORD)
                late = (edge for edge in unseen.silent if isinstance(edge, Choice))
                for edge in (*unseen.edges, *late):
                    yield edge._replace(join=edge.join._replace(comma=apart))

            unseen = answered("shows", None)
            apart = None if self.table.everyone_shows else True
            return Node(
                lambda: self.replies(said.asked, answered, path),
                *(nodes.SAME, lambda: "passes", unseen.whole),
                expected="passes, shows, one of these cards, or ?",
                silent=silent,
            )

        def phrased(seat: str, typed: bool) -> Iterator[Offer]:
            for edge in then(seat).edges:
                for offer in chain.from_iterable(
                    edge.offers(name, typed=True) for name in edge.all()
                ):
                    next_passes = seat == seats[0] and offer.text == "passes"
                    if typed or offer.text == "shows" or next_passes:
                        text = f"{seat} {offer.text}"
                        yield Offer(text, text, "answer", offer.then)

        return Choice(
            *(self.lexicon.seats, seats, then, nodes.NEXT if said.before else nodes.SAME),
            kind="player",
            path=(*path, "seat"),
            phrased=phrased,
        )

    def replies(
        self, asked: Sequence[str], then: Callable[[Reply, str | None], Node], path: Path
    ) -> Iterator[Edge]:
        """Yield what a player who was asked for cards can answer."""
        card = Choice(
            *(self.lexicon.cards, self.places.hidden(asked), partial(then, "shows"), nodes.SAME),
            path=(*path, "card"),
            only=True,
            apart=self.lexicon.seats,
        )
        unseen = then("shows", None)
        answer = (*path, "answer")
        left_out = Keyword("?", unseen, (), nodes.SAME, path=card.path)
        every = card._replace(choice=self.lexicon.cards.names, only=False, last=True)
        others = (every,) if self.lenient else ()
        shows = Node(
            lambda: (card, *unseen.edges, *others),
            *(nodes.SAME, unseen.end, unseen.whole),
            expected="the card shown",
            silent=lambda: (left_out, *unseen.silent),
        )
        yield Keyword("shows", shows, SHOWS, nodes.SAME, "answer", answer)
        yield from others
        yield card._replace(
            phrased=lambda name, _: (
                Offer(f"shows {name}", f"shows {name}", "answer", then("shows", name)),
            )
        )
        yield Keyword("passes", then("passes", None), PASSES, nodes.SAME, "answer", answer)

    def _begun(self, said: Answering, seat: str) -> Answering:
        """Return the answers once a seat begins to answer."""
        if self.lenient:
            return said
        if self.table.everyone_shows:
            return said._replace(left=tuple(other for other in said.left if other != seat))
        if seat in said.late:
            return said._replace(late=tuple(other for other in said.late if other != seat))
        place = said.left.index(seat)
        return said._replace(left=said.left[place + 1 :], late=(*said.late, *said.left[:place]))

    def _with(self, said: Answering, answer: Answer) -> Answering:
        """Return the answers with one more."""
        left, late = said.left, said.late
        if answer.seat is None:
            late = ()
        over = answer.answer == "shows" and not self.table.everyone_shows
        if not self.lenient and (over or answer.seat is None):
            left = ()
        return said._replace(before=(*said.before, answer), left=left, late=late)
