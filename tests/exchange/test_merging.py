"""
Notebooks of one game laid together: filled in, or at odds, entry by entry.

Those of true games have entries missing: every seat's notebook holds what that seat saw, each of
its entries dropped with a chance that is drawn for the game; what comes of them is true.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from msgspec.structs import replace

from clue_solver import ArgumentError, RecordError, parse_record
from clue_solver.exchange.merging import Disagreement, alike, clash, merge
from clue_solver.knowledge import sight
from clue_solver.knowledge.clauses import card_numbers
from clue_solver.knowledge.viewer import everyones_knowledge
from clue_solver.notation.checks import normalise
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Entry, Record
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.observations import Hand, Knowing, Observation, Suggestion
from clue_solver.rules.table import ENVELOPE, Table
from tests.random_games import answers, random_cards, random_deal
from tests.rows import blocks, rows_in, spelt
from tests.strategies import records


def game(random: Random) -> tuple[Record, dict[str, str]]:
    """Return a game of Clue that everybody saw all of, and where each card lies."""
    edition = load_edition("clue-classic")
    dealt = random_deal(random, edition, random.randint(3, 6))
    table = replace(dealt.table, viewer=None)
    told: list[Observation] = [
        Hand(seat=seat, cards=tuple(card for card in table.cards if card in held))
        for seat, held in dealt.hands.items()
    ]
    last: dict[str, tuple[str, ...]] = {}
    for turn in range(random.choice((8, 15, 30, 60))):
        by = table.seats[turn % len(table.seats)]
        cards = random_cards(random, edition)
        if by in last:
            cards = tuple(
                old if random.random() < 0.5 else new
                for old, new in zip(last[by], cards, strict=True)
            )
        last[by] = cards
        heard = answers(dealt, by, cards, choose=lambda could, _seat, _by: random.choice(could))
        told.append(Suggestion(by=by, cards=cards, answers=heard))
    entries = tuple(Entry(observation=normalise(each, table)) for each in told)
    places = {card: seat for seat, held in dealt.hands.items() for card in held}
    return Record(table=table, entries=entries), places


def notebooks(record: Record, random: Random, chance: float) -> list[Record]:
    """Return what each seat's notebook holds, with entries missing."""
    found = []
    numbered = list(enumerate(record.observations, 1))
    for seat in record.table.seats:
        seen = sight.seen_part(numbered, table=record.table, viewer=seat)
        kept = [each for _, each in seen if random.random() >= chance]
        entries = tuple(Entry(observation=each) for each in kept)
        found.append(Record(table=replace(record.table, viewer=seat), entries=entries))
    return found


def untrue(record: Record, places: dict[str, str]) -> bool:
    """Whether a record says anything that is not so where the cards lie."""
    table: Table = record.table
    known = everyones_knowledge(table, record.observations)
    lies = [places.get(card, ENVELOPE) for card in table.cards]
    for clause in known.clauses:
        there = [lies[card] == table.holders[clause.holder] for card in card_numbers(clause.cards)]
        if clause.has != any(there) if clause.has else all(there):
            return True
    return False


BOOKS = Path(__file__).with_name("merged.txt")
ANN, BEN, TOGETHER = (blocks(BOOKS)[name] for name in ("ann", "ben", "together"))
CHANGES = rows_in(BOOKS)


def book(text: str, *changes: tuple[str, str]) -> Record:
    """The record in a text, once some of it was said otherwise."""
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return parse_record(text)


def shares(record: Record) -> list[Record]:
    """What each seat's notebook holds of a record; each begins the circle with that seat."""
    found, table = [], record.table
    for place, seat in enumerate(table.seats):
        seats = table.seats[place:] + table.seats[:place]
        hands = table.hands[place:] + table.hands[:place]
        pieces = table.pieces[place:] + table.pieces[:place]
        turned = replace(table, seats=seats, hands=hands, pieces=pieces, viewer=seat)
        share = Record(table=turned)
        numbered = enumerate(record.observations, 1)
        for _, observation in sight.seen_part(numbered, table=record.table, viewer=seat):
            share = share.append(observation)
        found.append(share)
    return found


def public(record: Record) -> list[Observation]:
    return [each for each in record.observations if not isinstance(each, Hand | Knowing)]


def private(record: Record) -> list[tuple[int, str]]:
    """What one seat alone noticed, each with the number of public entries before it."""
    found, before = [], 0
    for each in record.observations:
        if isinstance(each, Hand | Knowing):
            found.append((before, repr(each)))
        else:
            before += 1
    return sorted(found)


@given(records())
def test_the_seats_notebooks_laid_together_are_the_whole_record_again(record: Record) -> None:
    merged = merge(shares(record)).record
    assert clash(record) is None
    assert public(record) == public(merged)
    assert private(record) == private(merged)
    assert replace(record.table, viewer=None) == merged.table


@given(records())
def test_a_record_laid_onto_one_of_its_shares_is_itself(record: Record) -> None:
    for share in shares(record):
        assert record.observations == merge([record, share]).record.observations


@given(records())
def test_an_entry_that_one_notebook_lacks_is_filled_in_from_the_other(record: Record) -> None:
    """Of two entries that may be one event nobody can tell which is missing."""
    for missing, lacking in enumerate(record.observations):
        if sum(alike(lacking, each) or lacking == each for each in record.observations) > 1:
            continue
        entries = record.entries[:missing] + record.entries[missing + 1 :]
        shorter = replace(record, entries=entries)
        if 2 * len(public(shorter)) < len(public(record)):
            continue
        merged = merge([shorter, record])
        assert len(record.entries) == len(merged.record.entries)
        assert sorted(map(repr, record.observations)) == sorted(
            map(repr, merged.record.observations)
        )


def test_cards_answers_sizes_and_remarks_are_filled_in_and_the_seats_may_begin_anywhere() -> None:
    merged = merge([book(ANN), book(BEN)])
    assert format_record(merged.record) == TOGETHER
    assert merged.places(4) == "entry 3 of notebook 1 and entry 3 of notebook 2"


def test_the_notes_of_one_viewer_stay_that_viewers() -> None:
    assert merge([book(ANN), book(ANN)]).record.table.viewer == "Ann"


def disagreement(*books: Record) -> tuple[str, ...]:
    with pytest.raises(Disagreement) as caught:
        merge(books, names=["ann.clue", "ben.clue", "cat.clue"][: len(books)])
    return caught.value.differences


@pytest.mark.parametrize("row", CHANGES["accounts of one suggestion"])
def test_two_accounts_of_one_suggestion_are_named_by_their_entries(
    row: tuple[str, ...],
) -> None:
    before, after, told = map(spelt, row)
    (said,) = disagreement(book(ANN), book(BEN, (before, after)))
    assert said.startswith("entry 2 of ann.clue says 'Ann suggests Mustard, Wrench, Lounge: Ben")
    assert " but entry 2 of ben.clue says 'Ann suggests Mustard, " in said
    assert said.endswith(told)


@pytest.mark.parametrize("row", CHANGES["headers"])
def test_headers_that_differ_are_named(row: tuple[str, ...]) -> None:
    before, after, told = map(spelt, row)
    header = "viewer: Ann\nhands: 6, 6, 6\npieces: ?, Green, ?\nhouse: play\ngame: 7f"
    ann = book(ANN, ("viewer: Ann", header))
    lines = "".join(line for line in BEN.splitlines(True) if "suggests" not in line[:13])
    plain = lines.replace("Ben holds White, Peacock, Revolver, Conservatory, Library, Ballroom", "")
    other = parse_record(plain.replace(before, after))
    assert any(each.startswith(told) for each in disagreement(ann, other))


def test_what_either_notebook_alone_tells_of_the_table_is_kept() -> None:
    first = "viewer: Ann\nfirst: Ann\npieces: ?, White, ?\nclue-cards: none\ngame: 7f3a9c"
    pieces = "hands: 6, ?, ?\npieces: ?, Plum, Green\nhouse: play"
    told = (book(ANN, ("viewer: Ann", first)), book(BEN, ("hands: 6, ?, ?", pieces)))
    for books in (told, told[::-1]):
        table = merge(books).record.table
        assert table.first == "Ann"
        pieces_of = dict(zip(table.seats, table.pieces, strict=True))
        assert pieces_of == {"Ann": "Green", "Ben": "White", "Cat": "Plum"}
        assert (table.house, table.clue_cards) == (("play",), "none")
        assert table.game == "7f3a9c"


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("Ben ?, Cat shows", "Ben passes, ?", "Ben passes, Cat shows"),
        ("Ben ?, Cat shows", "Ben ?, Cat shows", "Ben ?, Cat shows"),
    ],
)
def test_what_one_notebook_did_not_hear_of_an_answer_the_other_fills_in(
    one: str, other: str, both: str
) -> None:
    heard = "Mustard, Wrench, Lounge: Ben passes, Cat shows"
    ann = book(ANN, (f"{heard} Mustard", f"Mustard, Wrench, Lounge: {one}"))
    ben = book(BEN, (heard, f"Mustard, Wrench, Lounge: {other}"))
    for books in ((ann, ben), (ben, ann)):
        assert f"Lounge: {both}\n" in format_record(merge(books).record)


def test_notebooks_with_entries_missing_are_laid_together_and_tell_nothing_false() -> None:
    random = Random(11)
    for _ in range(12):
        record, places = game(random)
        merged = merge(notebooks(record, random, 0.35), keep="both").record
        assert clash(merged) is None
        assert not untrue(merged, places)


def test_players_who_are_called_otherwise_are_mapped_where_that_is_told() -> None:
    mine, theirs = parse_record(ANN), parse_record(BEN.replace("Ann", "Mum"))
    with pytest.raises(Disagreement) as caught:
        merge([mine, theirs])
    told = "players: notebook 1 says Ann, Ben, Cat, notebook 2 says Ben, Cat, Mum"
    assert caught.value.differences[0] == f"{told} (say who is called Mum)"
    merged = merge([mine, theirs], called={"Mum": "Ann"})
    assert format_record(merged.record) == TOGETHER
    with pytest.raises(ArgumentError, match="no notebook has a player 'Dad'"):
        merge([mine, theirs], called={"Dad": "Ann"})


@pytest.mark.parametrize("row", CHANGES["hands"])
def test_hands_that_cannot_be_of_one_game_are_the_reason_to_refuse(
    row: tuple[str, ...],
) -> None:
    before, after, told = map(spelt, row)
    other = book(BEN, (before, after), ("hands: 6, ?, ?\n", ""))
    with pytest.raises(RecordError, match=f"not notes of the same game: .* {told}"):
        merge([book(ANN), other])


QUESTIONS = {
    "Ann": ("Peacock, Candlestick, Kitchen", "White, Knife, Study", "Mustard, Wrench, Lounge"),
    "Ben": ("Scarlett, Lead Pipe, Hall", "Mustard, Candlestick, Hall", "White, Wrench, Study"),
    "Cat": ("Green, Lead Pipe, Hall", "Green, Candlestick, Hall", "Green, Wrench, Study"),
}


@pytest.mark.parametrize("order", [("Ann", "Ben", "Cat"), ("Cat", "Ann", "Ben")])
def test_notebooks_that_share_nothing_are_laid_together_by_turns(order: tuple[str, ...]) -> None:
    header = ANN.partition("viewer")[0]
    books = {
        seat: parse_record("\n".join((header, *(f"{seat} suggests {each}: ?" for each in asked))))
        for seat, asked in QUESTIONS.items()
    }
    told = merge([books[seat] for seat in order]).record.observations
    assert [getattr(each, "by", "") for each in told] == ["Ann", "Ben", "Cat"] * 3
    apart = [parse_record(f"{header}\nAnn suggests {each}: ?") for each in QUESTIONS["Ann"][:2]]
    assert len(merge(apart).record.entries) == 2


@pytest.mark.parametrize("keep", ["ann", "ben", "both", ["ben"]])
def test_what_differs_is_listed_and_chosen(keep: str | list[str]) -> None:
    books = [book(ANN), book(BEN, ("Ben passes, Cat shows\n", "Ben shows\n"))]
    merged = merge(books, names=["ann", "ben"], keep=keep)
    lines = format_record(merged.record)
    assert ("Ben passes, Cat shows Mustard" in lines) == (keep in ("ann", "both"))
    assert ("Lounge: Ben shows" in lines) == (keep != "ann")
    assert len(merged.differences) == 1
    with pytest.raises(ArgumentError, match="keep"):
        merge(books, names=["ann", "ben"], keep="cat")
