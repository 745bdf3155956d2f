"""
A line as people say it: its words, their clauses, the lines of the notation that they mean.

    i asked plum with the rope in the hall, ben had nothing and cat showed me hall
    Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Hall

Only what the grammar refuses comes here. Each word is a name, or stands in a table; a line with any
other word means nothing here, so that none is half understood. What comes out is read by the
grammar as if it had been typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product, zip_longest
from typing import NamedTuple

from clue_solver.notation.hearing import Unclear, Word, words_of_speech
from clue_solver.errors import NotationError
from clue_solver.notation.normalising import TurnState
from clue_solver.notation.reading import Told, read_line
from clue_solver.notation.words import split_comment
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

_MOST_WAYS, _MOST_READ = 12, 64

_SUBJECTS = frozenset(("seat", "he", "nobody", "all", "others", "both", "someone"))
_TO_WHOM = frozenset(("ask", "show", "look"))
"""Verbs that are followed by whom one asks, shows to, looks at."""
_ANSWERS = frozenset(("show", "could", "have", "yes", "no", "shown"))
_ASKS = frozenset(("ask", "say", "asked", "point"))
_NOT_VERBS = frozenset(("card", "number", "him", "break", "to", "by", "or", "for"))


@dataclass
class _Clause:
    """Who does what to whom with which cards, as far as it is said."""

    subjects: list[Word] = field(default_factory=list)
    verb: str = ""
    denied: bool = False
    cards: list[Word] = field(default_factory=list)
    to: list[Word] = field(default_factory=list)
    by: list[Word] = field(default_factory=list)
    either: bool = False
    """Whether it says `or`."""

    def named(self) -> list[str]:
        """Return its cards."""
        if not all(word.names for word in self.cards):
            raise Unclear
        return [word.names[0] for word in self.cards]


def heard(line: str, table: Table, state: TurnState) -> tuple[tuple[Told, ...], ...]:
    """
    Return what a line can mean, each way some lines that were read; none if it is not understood.

    Args:
        line: What was said; a comment is left aside.
        table: The table.
        state: What the earlier lines mean for it.

    Raises:
        NotationError: If it has one meaning, which cannot be at this table.
    """
    body, comment = split_comment(line)
    ways = _spoken(body, table, state)
    found: dict[tuple[Observation, ...], tuple[Told, ...]] = {}
    for way in ways:
        after = state
        read: list[Told] = []
        try:
            for one in way:
                told = read_line(one, table, after)
                read.append(told._replace(comment=comment, spoken=True))
                after = after.after(read[-1].observation)
        except NotationError:
            if len(ways) == 1:
                raise
            continue
        found.setdefault(tuple(told.observation for told in read), tuple(read))
    return tuple(found.values())


def _spoken(line: str, table: Table, state: TurnState) -> tuple[tuple[str, ...], ...]:
    """Return the lines of the notation that a line can mean, each way one or several."""
    ways: dict[tuple[str, ...], None] = {}
    try:
        words = words_of_speech(line, table)
        every = [range(max(1, len(word.names))) for word in words]
        for count, picks in enumerate(product(*every)):
            if count == _MOST_READ:
                return ()
            one = [
                word._replace(names=word.names[pick : pick + 1])
                for word, pick in zip(words, picks, strict=True)
            ]
            for clauses in _one_shows(_clauses(one), table):
                ways |= dict.fromkeys(_Meaning(clauses, table, state).lines())
    except Unclear:
        return ()
    return tuple(ways) if len(ways) <= _MOST_WAYS else ()


def _clauses(words: Sequence[Word]) -> list[_Clause]:
    """Return the clauses: one begins with who does something, or with another verb."""
    clauses = [_Clause()]
    for at, word in enumerate(words):
        one = clauses[-1]
        before = words[at - 1].kind if at else ""
        after = words[at + 1].kind if at + 1 < len(words) else ""
        if word.kind in _SUBJECTS:
            place = _place_of(one, word, before, after)
            if place is None:
                one = _Clause()
                clauses.append(one)
                place = one.subjects
            place.append(word)
            if word.owns and after == "card" and not one.verb:
                one.verb = "ask"  # `ben's plum, rope and hall`
        elif word.kind in ("card", "number"):
            if one.verb == "turn":
                one.verb = "ask"  # `Eli's turn: Green, rope, hall`
            if one.by and one.cards and one.verb in _ANSWERS:
                one = _Clause(verb=one.verb)  # `got plum from Ben and rope from Cat`
                clauses.append(one)
            one.cards.append(word)
        elif word.kind == "to" and after not in (*_NOT_VERBS, *_SUBJECTS):
            raise Unclear  # `wants to ask`
        elif word.kind == "or":
            one.either = True
        elif word.kind == "never":
            clauses.append(_Clause(denied=True))
        elif word.kind == "dice" and one.verb in ("", "have"):
            one.verb = "roll"
        elif word.kind == "maybe":
            if before != "or":
                raise Unclear
        elif word.kind == "for" and one.verb in (*_ANSWERS, "look", "peek"):
            clauses.append(_Clause(verb="see" if one.verb in ("look", "peek") else "ask"))
        elif word.kind == "except":
            clauses.append(_Clause())
            if after in ("seat", "he") and one.verb in ("no", ""):
                clauses[-1].verb = "yes"  # `nobody but Dan`
        elif word.kind not in _NOT_VERBS and not _goes_on(one, word.kind, before):
            clauses.append(_Clause(verb=word.kind))
    return [one for one in clauses if one not in (_Clause(), _Clause(verb="yes"))]


def _place_of(one: _Clause, word: Word, before: str, after: str) -> list[Word] | None:
    """Return where in a clause a player stands; `None` if another clause begins."""
    if word.owns and after == "card" and one.verb:
        return None
    acts = after not in _NOT_VERBS and after not in _SUBJECTS and after != ""
    if before == "by":
        return one.by
    if before == "to" and one.verb:
        return one.to
    if one.verb in _TO_WHOM and before == one.verb and not acts:
        return one.to
    if one.to and before in _SUBJECTS and not acts and not word.apart:
        return one.to
    if one.verb == "no" and before == "no" and not one.subjects and not acts:
        return one.subjects  # `not Ben`
    if one.verb == "yes" and before == "except":
        return one.subjects
    if not one.verb and not one.cards:
        return one.subjects
    return None


def _goes_on(one: _Clause, verb: str, before: str) -> bool:
    """Give a clause its verb, or the one that its verb leads to; return whether that fits."""
    if one.cards and (one.verb or one.subjects or verb not in ("ask", "say")):
        return False
    if one.cards:
        return False
    was = one.verb
    if not was:
        one.verb = "no" if one.denied and verb == "have" else verb
        one.denied = False
    elif was == "could" and verb in ("show", "have", "no"):
        one.verb = "no" if verb == "no" else "show"
    elif was == "could":
        raise Unclear
    elif was == "no" and verb == "ask":
        one.verb, one.denied = "ask", True
    elif was == "no" and verb in ("right", "wrong"):
        if before != "no":
            return False
        one.verb = "wrong" if verb == "right" else "right"
    elif was == "no" and verb == "no" and before == "break":
        return False
    elif was == "no" and verb in ("have", "show", "could", "no", "yes"):
        pass
    elif was == "ask" and verb == "have":
        pass  # `asked who has`
    elif was == "no":
        raise Unclear
    elif was in ("have", "say", "yes") or (was == "show" and verb in ("no", "have", "show")):
        one.verb = verb
    elif was == verb and verb not in ("ask", "accuse"):
        pass
    else:
        return False
    return True


def _one_shows(clauses: list[_Clause], table: Table) -> Iterator[list[_Clause]]:
    """Yield the clauses with one player for each `someone` and `Ben or Cat` who shows a card."""
    showing = [one for one in clauses if one.verb == "show" and len(one.subjects) == 1]
    seats_of = {one.subjects[0].names for one in showing if one.subjects[0].kind == "seat"}
    if len(seats_of) > 1 and not table.several_show and any(one.verb == "ask" for one in clauses):
        for alone in showing:
            yield [one for one in clauses if one is alone or one not in showing]
        return
    for at, one in enumerate(clauses):
        if one.verb not in ("show", "could", "have", "yes"):
            continue
        seats = [word for word in one.subjects if word.kind == "seat"]
        if one.subjects and one.subjects[0].kind == "someone":
            acting = {word.names for other in clauses if other.verb != "move" for word in other.subjects}
            left = [seat for seat in table.seats if (seat,) not in acting]
            seats = [Word("seat", (seat,)) for seat in left]
        elif len(seats) < 2 or (table.several_show and not one.either):
            continue
        for seat in seats:
            alone = replace(one, subjects=[seat], either=False)
            yield from _one_shows([*clauses[:at], alone, *clauses[at + 1 :]], table)
        return
    yield clauses


def _of_oneself(one: _Clause) -> bool:
    return [word.kind for word in one.subjects] == ["he"] and one.verb in ("have", "no")


class _Meaning:
    """The lines that some clauses mean at a table."""

    def __init__(self, clauses: Sequence[_Clause], table: Table, state: TurnState) -> None:
        self.table = table
        self.turn = state.turn(table)
        self.verbs = {one.verb for one in clauses}
        self.clauses = [
            one
            for one, then in zip_longest(clauses, clauses[1:])
            if not (then and one.verb == "say" and not one.cards and _of_oneself(then))
        ]  # `Cat said she hasn't got it`
        every = (word for one in clauses for word in (*one.subjects, *one.to, *one.by))
        self.named = list(dict.fromkeys(word.names[0] for word in every if word.kind == "seat"))

    def lines(self) -> list[tuple[str, ...]]:
        """Return the ways in which they can be meant."""
        if self.verbs & {"accuse", "solve"}:
            return [(self._accusation(),)]
        if self._is_hand():
            return [(self._hand(self.clauses[0].named()),)]
        asked = [one for one in self.clauses if one.verb in _ASKS]
        if any(not one.denied for one in asked) or any(
            one.cards and not one.verb for one in self.clauses
        ):
            if any(word.kind == "number" for one in self.clauses for word in one.cards):
                raise Unclear
            return self._suggestion()
        return [tuple(self._facts())]

    def _is_hand(self) -> bool:
        """Whether cards are listed that are no suggestion, and may be the viewer's hand."""
        kinds = {self.table.edition.category_of.get(card) for card in self.clauses[0].named()}
        viewer, cards = self.table.viewer, self.clauses[0].cards
        if viewer is None or self.clauses != [_Clause(cards=cards)] or len(cards) <= len(kinds):
            return False
        least, most = self.table.size_bounds()[self.table.seats.index(viewer)]
        return least <= len(cards) <= most

    def _hand(self, cards: Sequence[str]) -> str:
        """Return the line of the viewer's hand."""
        viewer = self.table.viewer
        if viewer is None:
            raise Unclear
        return f"{viewer} holds {', '.join(self._in_order(cards))}"

    # Who is meant.

    def _seats(self, words: Sequence[Word]) -> list[str]:
        """Return the players that some words name; raise `Unclear` if it is not them alone."""
        if any(word.kind not in ("seat", "both", "all") for word in words):
            raise Unclear
        return [word.names[0] for word in words if word.kind == "seat"]

    def _one(self, words: Sequence[Word], others: Sequence[str] = ()) -> str:
        """Return the one player who is named, or meant by `he`; empty for nobody."""
        seats = list(dict.fromkeys(word.names[0] for word in words if word.kind == "seat"))
        if any(word.kind == "he" for word in words):
            seats = [one for one in self.named if one not in (*others, self.table.viewer)]
            if not seats and self.turn is not None:
                seats = [self.turn]
        elif len(seats) < len(words):
            raise Unclear
        if len(seats) > 1:
            raise Unclear
        return seats[0] if seats else ""

    # A suggestion, or a question.

    def _suggestion(self) -> list[tuple[str, ...]]:
        head: list[Word] = []
        askers: list[list[Word]] = []
        addressed: list[str] = []
        answers: list[tuple[list[Word], bool, str]] = []  # who, whether they show, and what
        shown_to: list[str] = []
        for one in self.clauses:
            if one.denied or one.either and one.verb in _ANSWERS:
                raise Unclear
            if one.verb in _ASKS:
                askers.append(one.by if one.verb == "asked" else one.subjects)
                addressed += self._seats(one.subjects if one.verb == "asked" else one.to)
                late = answers and len(one.cards) == 1 and not one.subjects and head
                if late and answers[-1][1] and not answers[-1][2]:
                    answers[-1] = (*answers[-1][:2], *one.named())  # `it was the plum`
                else:
                    head += one.cards
            elif not one.verb and {word.kind for word in one.subjects} == {"nobody"}:
                answers.append((one.subjects, False, ""))
            elif not one.verb and one.cards:
                if len(one.cards) == 1 and one.subjects and len(head) > 1:
                    answers.append((one.subjects, True, *one.named()))
                else:
                    head += one.cards
                    askers.append(one.subjects)
            elif one.verb == "move" and len(one.cards) == 1:
                askers.append(one.subjects)
                rooms = one.named()[0]
                if rooms not in self.table.edition.rooms:
                    raise Unclear
                if rooms not in [card.names[0] for card in head]:
                    head += one.cards
            elif one.verb == "turn" and not one.cards:
                askers.append(one.subjects)
            elif one.verb in _ANSWERS:
                self._answer(one, head, answers, shown_to)
            else:
                raise Unclear
        return self._told(head, askers, addressed, answers, shown_to)

    def _answer(
        self,
        one: _Clause,
        head: list[Word],
        answers: list[tuple[list[Word], bool, str]],
        shown_to: list[str],
    ) -> None:
        """Note the answer that a clause tells."""
        who, whom = (one.by, one.subjects) if one.by or one.verb == "shown" else (one.subjects, one.to)
        kinds = {word.kind for word in who}
        shows = one.verb != "no" and "nobody" not in kinds
        shown_to += [word.names[0] for word in whom if word.kind == "seat"]
        if len(one.cards) > 1 and not shows and not head:
            head += one.cards  # `none of us had green, wrench or hall`
        elif one.cards and (not shows or len(one.cards) > 1):
            raise Unclear
        if not head and not who:
            raise Unclear  # `no, Ben asked Plum`
        if shows and kinds & {"all", "others"}:
            raise Unclear
        if shows and not who and self.verbs >= {"asked"}:
            who = next(clause.subjects for clause in self.clauses if clause.verb == "asked")
        answers.append((who, shows, one.named()[0] if shows and one.cards else ""))

    def _told(
        self,
        head: list[Word],
        askers: list[list[Word]],
        addressed: list[str],
        answers: list[tuple[list[Word], bool, str]],
        shown_to: list[str],
    ) -> list[tuple[str, ...]]:
        """Return the lines of a suggestion, its cards and answers put in order."""
        answering = [
            word.names[0] for who, _, _ in answers for word in who if word.kind == "seat"
        ]
        seats = {self._one(words, answering) for words in askers} - {""} or set(shown_to)
        if len(seats) > 1 or len(head) < 2 and not addressed or not head:
            raise Unclear
        by = next(iter(seats), "")
        asker = by or self.turn
        if asker is None or asker in (*answering, *addressed):
            raise Unclear
        order = self.table.answering(asker)
        said: dict[str, str] = {}
        rest = False
        for who, shows, card in answers:
            kinds = {word.kind for word in who}
            named = self._seats([word for word in who if word.kind in ("seat", "all", "both")])
            if "he" in kinds:
                gone = [asker, *(seat for seat, answer in said.items() if answer == "passes")]
                named = [self._one(who, gone)]
            elif kinds == {"both"}:
                named = addressed
            elif not named:
                if shows:
                    raise Unclear
                rest = True
            for seat in named:
                answer = f"shows {card}".strip() if shows else "passes"
                if said.get(seat, answer) not in (answer, "shows"):
                    raise Unclear
                said[seat] = answer
        showing = [seat for seat in said if said[seat] != "passes"]
        if len(showing) > 1 and not self.table.several_show:
            raise Unclear
        if not set(addressed) <= {*order[: len(addressed)], *said}:
            raise Unclear
        if rest:
            last = order.index(showing[0]) if showing and not self.table.several_show else None
            for seat in order[:last]:
                said.setdefault(seat, "passes")
        listed = said if self.table.everyone_shows else [seat for seat in order if seat in said]
        tail = ", ".join(f"{seat} {said[seat]}" for seat in listed)
        if "asks" in self.table.edition.observes and len(head) == 1 and len(addressed) == 1:
            answer = said.get(addressed[0], "")
            thing = head[0].feature or head[0].names[0]
            return [(f"{asker} asks {addressed[0]} about {thing}{': ' if answer else ''}{answer}",)]
        verb = "points at" if "point" in self.verbs else "suggests"
        return [
            (f"{by} {verb} {', '.join(cards)}{': ' if tail else ''}{tail}".strip(),)
            for cards in self._choices([card.names[0] for card in head])
        ]

    def _choices(self, cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield the cards, one of each category where there are more."""
        kinds: dict[str, dict[str, None]] = {}
        for card in self._in_order(cards):
            kinds.setdefault(self.table.edition.category_of[card], {}).setdefault(card)
        yield from product(*kinds.values())

    def _in_order(self, cards: Sequence[str]) -> list[str]:
        return sorted(cards, key=self.table.edition.names.index)

    # An accusation.

    def _accusation(self) -> str:
        cards: list[str] = []
        who: set[str] = set()
        verdicts = {"right"} if "solve" in self.verbs else set()
        for one in self.clauses:
            if one.denied or one.to or one.either:
                raise Unclear
            if one.verb in ("accuse", "solve", "ask", "say", "have", "") and one.cards:
                cards += one.named()
            elif one.verb in ("no", "right", "wrong") and not one.cards:
                verdicts.add("wrong" if one.verb == "no" else one.verb)
            elif one.verb not in ("accuse", "solve"):
                raise Unclear
            who.add(self._one(one.subjects + one.by))
        who.discard("")
        if len(who) > 1 or len(verdicts) > 1 or not cards:
            raise Unclear
        by = next(iter(who), "")
        return f"{by} accuses {', '.join(self._in_order(cards))}{': ' if verdicts else ''}{''.join(verdicts)}".strip()

    # Anything else.

    def _facts(self) -> Iterator[str]:
        """Yield a line for each fact."""
        who = ""
        seen = [one for one in self.clauses if one.verb == "see"]
        for one in self.clauses:
            words = one.subjects + one.by
            both = one.verb == "no" and len(words) > 1 and all(w.kind == "seat" for w in words)
            seats = self._seats(words) if both else [self._one(words) or who]
            who = seats[-1]
            idle = one.verb == "turn" and not one.cards and not words
            if one.verb != "see" and not idle:
                yield from self._fact(one, seats, seen[0].cards if seen else [])

    def _fact(self, one: _Clause, seats: Sequence[str], seen: Sequence[Word]) -> Iterator[str]:
        who, viewer = seats[0], self.table.viewer
        cards = one.named()
        number = [word.names[0] for word in one.cards if word.kind == "number"]
        room = len(cards) == 1 and cards[0] in self.table.edition.rooms
        own = who == viewer or (not who and one.verb in ("have", "hand"))
        if number and one.verb != "roll":
            raise Unclear
        if own and one.verb in ("have", "hand") and not one.either:
            yield self._hand(cards)
        elif one.verb in ("have", "no") and cards and who and who != viewer and viewer:
            if one.verb == "no":
                for seat in seats:
                    yield from (f"{viewer} knows {seat} lacks {card}" for card in cards)
            elif one.either:
                yield f"{viewer} knows {who} has {' or '.join(cards)}"
            else:
                yield from (f"{viewer} knows {who} has {card}" for card in cards)
        elif not cards and one.verb in ("skip", "idle") or (one.denied and not cards):
            yield f"{who} skips".strip()
        elif one.verb == "roll" and cards:
            faces = (word.feature or word.names[0] for word in one.cards)
            yield f"{who} rolls {', '.join(faces)}".strip()
        elif one.verb == "move" and room:
            yield f"{who} moves to {cards[0]}".strip()
        elif one.verb == "stay" and (room or not cards):
            yield f"{who} stays".strip()
        elif one.verb == "peek" and not cards and len(seen) < 2:
            yield f"{who} peeks{''.join(': ' + (word.feature or '') for word in seen)}".strip()
        elif one.verb == "look" and len(seen) < 2:
            at = self._seats(one.to) or [word.slot for word in one.cards]
            if len(at) != 1 or not at[0]:
                raise Unclear
            yield f"{who} looks at {at[0]}{''.join(': ' + word.names[0] for word in seen)}".strip()
        elif one.verb == "reveal" or (one.verb == "show" and [w.kind for w in one.to] == ["all"]):
            if len(cards) != 1 or not who:
                raise Unclear
            yield f"{who} reveals {cards[0]}"
        else:
            raise Unclear
