"""
A line as people say it, and the lines of the notation that it means.

    i asked plum with the rope in the hall, ben had nothing and cat showed me hall
    Ann suggests Plum, Rope, Hall: Ben passes, Cat shows Hall

Only what the grammar refuses comes here. Each word is a name, or stands in a table (`hearing`); a
line with any other word means nothing here, so that none is half understood. The words make
`clauses`, the clauses an observation. What comes out is read by the grammar as if it had been
typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import product, zip_longest
from typing import NamedTuple

from clue_solver.errors import NotationError, printable
from clue_solver.notation.checks import TurnState, answering
from clue_solver.notation.clauses import ANSWERS, ASKS, Clause, clauses_of, each_showing
from clue_solver.notation.hearing import KNOWN, Unclear, Word, mended, words_of_speech
from clue_solver.notation.lexicon import lexicon_of
from clue_solver.notation.reading import Told, read_line
from clue_solver.notation.words import split_comment
from clue_solver.rules.observations import Observation
from clue_solver.rules.table import Table

_MOST_WAYS, _MOST_READ = 12, 64
"""The most meanings of a line that are told, and the most that are looked at."""


def heard(
    line: str, table: Table, state: TurnState, *, most: int | None = None
) -> tuple[tuple[Told, ...], ...]:
    """
    Return what a line can mean, each way some lines that were read; none if it is not understood.

    Args:
        line: What was said; a comment is left aside.
        table: The table.
        state: What the earlier lines mean for it.
        most: After so many ways no more are looked for.

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
                said = answering(told.observation) if told.said is None else told.said
                read.append(told._replace(comment=comment, spoken=True, said=said))
                after = after.after(read[-1].observation)
        except NotationError:
            if len(ways) == 1:
                raise
            continue
        found.setdefault(tuple(told.observation for told in read), tuple(read))
        if len(found) == most:
            break
    if not ways and (spelt := mended(body, table)) != body:
        with suppress(NotationError):
            told = read_line(spelt, table, state)
            return ((told._replace(comment=comment, spoken=True),),)
    return tuple(found.values())


def blames_speech(error: NotationError) -> bool:
    """Return whether the grammar takes a word for a slip that people say: `asked`."""
    blamed = re.match(r"[^\s,:;]*", error.line[error.column :])
    return bool(error.nearest) and blamed is not None and blamed[0].casefold() in KNOWN


def clearer(error: NotationError, table: Table) -> NotationError:
    """Return why a line is not understood, where the grammar blames a word that people say."""
    line = error.line
    if not blames_speech(error):
        return error
    try:
        words_of_speech(line, table)
    except Unclear as unclear:
        for word in unclear.args:
            found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line, re.IGNORECASE)
            column = found.start() if found else 0
            cards = lexicon_of(table).cards
            if cards.nearest(word):
                return cards.unknown(word, line=line, column=column)
            return NotationError(f"unknown word '{printable(word)}'", line=line, column=column)
        return error
    reason = "expected who asks, one card of each kind, then who shows: say it shorter"
    return NotationError(reason, line=line, column=error.column)


def _spoken(line: str, table: Table, state: TurnState) -> tuple[tuple[str, ...], ...]:
    """Return the lines of the notation that a line can mean, each way one or several."""
    ways: dict[tuple[str, ...], None] = {}
    mended: dict[tuple[str, ...], None] = {}
    try:
        words = words_of_speech(line, table)
        if not clauses_of(words):
            return ()
        every = [range(max(1, len(word.names))) for word in words]
        for count, picks in enumerate(product(*every)):
            if count == _MOST_READ:
                return ()
            one = [
                word._replace(names=word.names[pick : pick + 1])
                for word, pick in zip(words, picks, strict=True)
            ]
            for clauses in each_showing(clauses_of(one), table):
                meaning = _Meaning(clauses, table, state)
                lines = dict.fromkeys(meaning.lines())
                if meaning.mended:
                    mended |= lines
                else:
                    ways |= lines
    except Unclear:
        return ()
    ways = ways or mended  # `I showed scarlett`: the one that was asked for
    return tuple(ways) if len(ways) <= _MOST_WAYS else ()


class _Answer(NamedTuple):
    """What some players answered: whether they show, and which card if it is said."""

    who: list[Word]
    shows: bool
    card: str = ""


@dataclass
class _Suggested:
    """
    What is said of a suggestion, in any order.

    Attributes:
        cards: The cards.
        askers: Who may ask, each as some words.
        asked: Who is asked first, where it is said.
        shown_to: To whom cards are shown.
    """

    cards: list[Word] = field(default_factory=list)
    askers: list[list[Word]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    answers: list[_Answer] = field(default_factory=list)
    shown_to: list[str] = field(default_factory=list)


def _of_oneself(one: Clause) -> bool:
    """Whether a clause is what somebody said of themselves: `she doesn't have it`."""
    return [word.kind for word in one.subjects] == ["he"] and one.verb in ("have", "no")


class _Meaning:
    """The lines that some clauses mean at a table."""

    def __init__(self, clauses: Sequence[Clause], table: Table, state: TurnState) -> None:
        self.table = table
        self.turn = state.turn(table)
        self.left = state.left
        self.mended = False  # whether a card is shown that was not asked for
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
        asked = [one for one in self.clauses if one.verb in ASKS]
        size = self.table.edition.named
        if any(not one.denied for one in asked) or any(
            (one.cards and not one.verb)
            or (one.verb in ("show", "shown") and len(one.cards) >= size)
            for one in self.clauses
        ):
            others = (one for one in self.clauses if one.verb != "roll")
            if any(word.kind == "number" for one in others for word in one.cards):
                raise Unclear
            return self._suggestion()
        return [tuple(dict.fromkeys(self._facts()))]

    def _is_hand(self) -> bool:
        """Whether cards are listed that are no suggestion, and may be the viewer's hand."""
        kinds = {self.table.edition.category_of.get(card) for card in self.clauses[0].named()}
        viewer, cards = self.table.viewer, self.clauses[0].cards
        if viewer is None or self.clauses != [Clause(cards=cards)] or len(cards) <= len(kinds):
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
        elif any(word.kind != "seat" for word in words):
            raise Unclear
        if len(seats) > 1:
            raise Unclear
        return seats[0] if seats else ""

    # A suggestion, or a question.

    def _suggestion(self) -> list[tuple[str, ...]]:
        """Return the ways in which they can be meant as a suggestion."""
        said = _Suggested()
        for one in self.clauses:
            if one.denied:
                raise Unclear
            if one.verb in ASKS:
                said.askers.append(one.by if one.verb == "asked" else one.subjects)
                said.asked += self._seats(one.subjects if one.verb == "asked" else one.to)
                last = said.answers[-1] if said.answers else None
                alone = len(one.cards) == 1 and not one.subjects
                if alone and said.cards and last is not None and last.shows and not last.card:
                    said.answers[-1] = last._replace(card=one.named()[0])  # `it was the plum`
                else:
                    said.cards += one.cards
            elif one.verb in ANSWERS or [word.kind for word in one.subjects] == ["nobody"]:
                self._answer(one, said)
            elif not one.verb and len(one.cards) == 1 and one.subjects and len(said.cards) > 1:
                said.answers.append(_Answer(one.subjects, True, one.named()[0]))
            elif one == Clause(subjects=one.subjects) and self._shows_last(one, said):
                said.answers.append(_Answer(one.subjects, True))
            elif one.cards and one.verb in ("", "move"):
                said.askers.append(one.subjects)
                room = one.named()[0]
                if one.verb and (len(one.cards) > 1 or room not in self.table.edition.rooms):
                    raise Unclear
                if room not in [card.names[0] for card in said.cards]:
                    said.cards += one.cards
            elif one.verb == "skip" and not one.subjects and not one.cards:
                said.answers.append(_Answer([], False))
            elif one.verb == "unheard" and not one.cards:
                pass
            elif one.verb == "roll" or (one.verb == "turn" and not one.cards):
                said.askers.append(one.subjects)
            else:
                raise Unclear
        return self._told(said)

    def _shows_last(self, one: Clause, said: _Suggested) -> bool:
        """Whether a player who is only named behind the cards is who shows."""
        asked = len(said.cards) > 1 and not self.verbs.isdisjoint(ASKS)
        named = asked and [word.kind for word in one.subjects] == ["seat"]
        shown = self.table.everyone_shows or any(answer.shows for answer in said.answers)
        return named and not shown

    def _answer(self, one: Clause, said: _Suggested) -> None:
        """Note the answer that a clause tells."""
        who, whom = one.subjects, one.to
        if one.by or one.verb == "shown":
            who, whom = one.by, one.subjects
        kinds = {word.kind for word in who}
        shows = one.verb not in ("no", "") and "nobody" not in kinds
        said.shown_to += [word.names[0] for word in whom if word.kind == "seat"]
        cards, size = one.cards, self.table.edition.named
        if len(cards) > 1 and not shows and not said.cards:
            said.cards += cards  # `none of us had green, wrench or hall`
            cards = []
        elif shows and not said.cards and size <= len(cards) <= size + 1:
            said.cards += cards[-size:]  # `Ben showed me the rope: plum, rope, hall`
            cards = cards[:-size]
        elif shows and len(cards) > 1 and len(said.cards) + len(cards) == size:
            said.cards += cards  # `Ben asked Plum, Cat showed, weapon was rope, room was hall`
            cards = []
        elif cards and (not shows or len(cards) > 1 or one.either):
            raise Unclear
        if not said.cards and not who:
            raise Unclear  # `no, Ben asked Plum`
        if shows and not who and "asked" in self.verbs:
            who = next(other.subjects for other in self.clauses if other.verb == "asked")
        if kinds > {"nobody"} or (shows and (not who or kinds & {"all", "others"})):
            raise Unclear
        said.answers.append(_Answer(who, shows, cards[0].names[0] if shows and cards else ""))

    def _told(self, said: _Suggested) -> list[tuple[str, ...]]:
        """Return the lines of a suggestion, its cards and answers put in order."""
        asks = "asks" in self.table.edition.observes and len(said.cards) == len(said.asked) == 1
        by = self._asker(said)
        asker = by or self.turn
        if asker is None or asker in said.asked or not (asks or len(said.cards) > 1):
            raise Unclear
        heard = self._in_turn(said, asker)
        if asks:
            answer = heard.get(said.asked[0], "")
            thing = said.cards[0].feature or said.cards[0].names[0]
            return [(_line(f"{asker} asks {said.asked[0]} about {thing}", answer),)]
        verb = "points at" if "point" in self.verbs else "suggests"
        lines: list[tuple[str, ...]] = []
        cards = [card.names[0] for card in said.cards]
        slots = len(cards) < self.table.edition.named and any(card.slot for card in said.cards)
        if len({*cards}) < len(cards) or slots:
            raise Unclear  # one of them was shown, but by whom? or does one lie there?
        for named, answers in self._mended(cards, heard):
            tail = ", ".join(f"{seat} {answer}" for seat, answer in answers.items())
            lines += [
                (_line(f"{by} {verb} {', '.join(choice)}".strip(), tail),)
                for choice in self._choices(named)
            ]
        return lines

    def _asker(self, said: _Suggested) -> str:
        """Return who asks; empty where it is not said."""
        words = (word for answer in said.answers for word in answer.who)
        answering = [word.names[0] for word in words if word.kind == "seat"]
        seats = {self._one(words, answering) for words in said.askers} - {""}
        seats = seats or set(said.shown_to)
        if len(seats) > 1 or seats & {*answering}:
            raise Unclear
        return "".join(seats)

    def _in_turn(self, said: _Suggested, asker: str) -> dict[str, str]:
        """Return what each player answered, in the order of answering where there is one."""
        order = self.table.answering(asker, left=self.left)
        heard: dict[str, str] = {}
        others_pass = False
        for who, shows, card in said.answers:
            kinds = {word.kind for word in who}
            named = [word.names[0] for word in who if word.kind == "seat"]
            if "he" in kinds:
                gone = [asker, *(seat for seat, answer in heard.items() if answer == "passes")]
                named = [self._one(who, gone)]
            elif kinds == {"both"}:
                named = said.asked
            others_pass = others_pass or not named
            for seat in named:
                answer = f"shows {card}".strip() if shows else "passes"
                if heard.get(seat, answer) not in (answer, "shows"):
                    raise Unclear
                heard[seat] = answer
        showing = [seat for seat in heard if heard[seat] != "passes"]
        if asker in heard or not set(said.asked) <= {*order[: len(said.asked)], *heard}:
            raise Unclear
        if len(showing) > 1 and not self.table.everyone_shows:
            raise Unclear
        if others_pass and not showing and "skip" in self.verbs:
            raise Unclear  # it is not said how many
        if others_pass:
            last = order.index(showing[0]) if showing and not self.table.everyone_shows else None
            for seat in order[:last]:
                heard.setdefault(seat, "passes")
        if self.table.everyone_shows:
            return heard
        return {seat: heard[seat] for seat in order if seat in heard}

    def _mended(
        self, cards: list[str], heard: dict[str, str]
    ) -> Iterator[tuple[list[str], dict[str, str]]]:
        """Yield cards and answers; the ways out where a card is shown that was not asked for."""
        kind = self.table.edition.category_of
        wrong = {seat: answer.partition(" ")[2] for seat, answer in heard.items()}
        wrong = {seat: card for seat, card in wrong.items() if card and card not in cards}
        if not wrong:
            yield cards, heard
        self.mended = bool(wrong)
        for seat, card in wrong.items():
            yield [card if kind[one] == kind[card] else one for one in cards], heard
            for one in cards:
                if kind[one] == kind[card]:
                    yield cards, {**heard, seat: f"shows {one}"}
            yield cards, {**heard, seat: "shows"}

    def _choices(self, cards: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield the cards, one of each category where there are more."""
        kinds: dict[str, dict[str, None]] = {}
        for card in self._in_order(cards):
            kinds.setdefault(self.table.edition.category_of[card], {}).setdefault(card)
        yield from product(*kinds.values())

    def _in_order(self, cards: Sequence[str]) -> list[str]:
        """Return cards as the edition lists them; raise `Unclear` of what is none of its cards."""
        names = self.table.edition.names
        if not {*cards} <= {*names}:
            raise Unclear
        return sorted(cards, key=names.index)

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
        cards = self._in_order(cards)
        return _line(f"{by} accuses {', '.join(cards)}".strip(), "".join(verdicts))

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

    def _fact(self, one: Clause, seats: Sequence[str], seen: Sequence[Word]) -> Iterator[str]:
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
        elif not cards and (one.denied or one.verb in ("skip", "idle")):
            yield f"{who} skips".strip()
        elif one.verb == "roll" and cards:
            faces = (word.feature or word.names[0] for word in one.cards)
            yield f"{who} rolls {', '.join(faces)}".strip()
        elif one.verb == "move" and room:
            yield f"{who} moves to {cards[0]}".strip()
        elif one.verb == "draw" and [word.kind for word in one.cards] == ["clue"]:
            yield f"{who} draws {cards[0]}".strip()
        elif one.verb == "stay" and (room or not cards):
            yield f"{who} stays".strip()
        elif one.verb == "peek" and not cards and len(seen) < 2:
            if seen or "peeks" in self.table.edition.observes:
                yield _line(f"{who} peeks".strip(), "".join(word.feature for word in seen))
        elif one.verb == "look" and len(seen) < 2:
            at = self._seats(one.to) or [word.slot for word in one.cards]
            if len(at) != 1 or not at[0]:
                raise Unclear
            card = "".join(word.names[0] for word in seen)
            yield _line(f"{who} looks at {at[0]}".strip(), card)
        elif one.verb == "reveal" or (one.verb == "show" and [w.kind for w in one.to] == ["all"]):
            if len(cards) != 1 or not who:
                raise Unclear
            yield f"{who} reveals {cards[0]}"
        else:
            raise Unclear


def _line(head: str, tail: str) -> str:
    """Return a line with what stands after its colon, if anything does."""
    return f"{head}: {tail}" if tail else head
