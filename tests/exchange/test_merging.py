"""Notebooks of one game laid together: filled in, or at odds, entry by entry."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from clue_solver import ArgumentError, RecordError, parse_record
from clue_solver.exchange import agreeing
from clue_solver.exchange.agreeing import Disagreement, filled
from clue_solver.exchange.merging import clash, merge
from clue_solver.knowledge import evidence
from clue_solver.record import Record, format_record
from clue_solver.rules.observations import Hand, Knowing, Look, Observation
from tests.strategies import records

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))

from merging import game, notebooks, untrue

ANN = """\
edition: clue-classic
players: Ann, Ben, Cat
viewer: Ann

Ann holds Plum, Rope, Hall, Study, Knife, Green
Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard
Ben suggests Scarlett, Rope, Kitchen: Cat shows
Cat suggests Plum, Knife, Library: Ann shows Plum
"""
BEN = """\
edition: clue-classic
players: Ben, Cat, Ann
hands: 6, ?, ?
viewer: Ben

Ben holds White, Peacock, Revolver, Conservatory, Library, Ballroom
Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows
Ben suggests Rope, Kitchen, Scarlett: Cat shows Kitchen  # at last
Cat suggests Plum, Knife, Library: ?
"""
TOGETHER = """\
edition: clue-classic
players: Ann, Ben, Cat
hands: ?, 6, ?

Ann holds Plum, Rope, Hall, Study, Knife, Green
Ben holds White, Peacock, Revolver, Conservatory, Library, Ballroom
Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows Mustard
Ben suggests Scarlett, Rope, Kitchen: Cat shows Kitchen  # at last
Cat suggests Plum, Knife, Library: Ann shows Plum
"""


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
        for _, observation in evidence.share(numbered, table=record.table, viewer=seat):
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
    for missing in range(len(record.entries)):
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
    assert merged.missed == ()
    assert merged.filled == 1
    assert merged.places(4) == "entry 3 of notebook 1 and entry 3 of notebook 2"


def test_the_remarks_of_all_notebooks_are_kept() -> None:
    ann = book(ANN, ("edition", "# at Ann's\nedition"), ("Ben suggests", "# late\nBen suggests"))
    ben = book(BEN, ("edition", "# at Ann's\n# Ben's pen\nedition"), ("Cat, Ann", "Cat, Ann  # by"))
    text = format_record(merge([ann, replace(ben, after=("# end",))]).record)
    assert text.startswith(
        "# at Ann's\n# Ben's pen\n# by\nedition: clue-classic\nplayers: Ann, Ben"
    )
    assert "\n# late\nBen suggests" in text
    assert text.endswith("\n# end\n")


def test_the_notes_of_one_viewer_stay_that_viewers() -> None:
    assert merge([book(ANN), book(ANN)]).record.table.viewer == "Ann"


def test_what_one_notebook_missed_is_told() -> None:
    later = book(BEN, ("Ann suggests Mustard, Wrench, Lounge: Ben passes, Cat shows\n", ""))
    merged = merge([book(ANN), later], names=["ann.clue", "ben.clue"])
    assert merged.missed == ((2, ("ben.clue",)),)
    assert sorted(TOGETHER) == sorted(format_record(merged.record))
    earlier = merge([later, book(ANN)], names=["ben.clue", "ann.clue"])
    assert earlier.missed == ((3, ("ben.clue",)),)
    assert earlier.record.table.seats[1] == "Cat"


def disagreement(*books: Record) -> tuple[str, ...]:
    with pytest.raises(Disagreement) as caught:
        merge(books, names=["ann.clue", "ben.clue", "cat.clue"][: len(books)])
    return caught.value.differences


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("Ben passes, Cat shows\n", "Ben shows\n"), "Ben shows'"),
        (("Lounge: Ben passes, Cat shows\n", "Lounge: -\n"), "nobody shows'"),
        (("Wrench, Lounge", "Wrench, Hall"), "Wrench, Hall: Ben passes, Cat shows'"),
        (("Cat shows\n", "Cat shows Wrench\n"), "Cat shows Wrench'"),
    ],
)
def test_two_accounts_of_one_suggestion_are_named_by_their_entries(
    change: tuple[str, str], told: str
) -> None:
    (said,) = disagreement(book(ANN), book(BEN, change))
    assert said.startswith("entry 2 of ann.clue says 'Ann suggests Mustard, Wrench, Lounge: Ben")
    assert " but entry 2 of ben.clue says 'Ann suggests Mustard, " in said
    assert said.endswith(told)


def test_all_disagreements_are_named_at_once_and_the_notebook_that_differs_is_blamed() -> None:
    unheard = book(ANN, ("Ben passes, Cat shows Mustard", "?"), ("Cat shows\n", "?\n"))
    odd = book(ANN, ("Ben passes, Cat shows Mustard", "Ben shows"), ("Cat shows\n", "-\n"))
    said = disagreement(unheard, book(BEN), odd)
    assert len(said) == 2
    assert all(each.startswith("entry ") and " of ben.clue says " in each for each in said)
    assert all(" but entry " in each and " of cat.clue says " in each for each in said)


def test_two_hands_of_one_seat_are_a_disagreement() -> None:
    other = book(BEN, ("Ben holds White", "Ann holds White"), ("hands: 6, ?, ?\n", ""))
    (said,) = disagreement(book(ANN), other)
    assert said.startswith("entry 1 of ann.clue says 'Ann holds Plum")
    assert "entry 1 of ben.clue says 'Ann holds White" in said


def test_a_card_that_one_notebook_saw_fills_the_other_in_and_two_cards_disagree() -> None:
    look, *seen = (Look(by="Ann", holder="Ben", card=card) for card in (None, "Plum", "Rope"))
    assert filled(look, seen[0]) == seen[0] == filled(seen[0], look)
    assert filled(*seen) is None


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("clue-classic", "clue-1996"), "edition: ann.clue says clue-classic, ben.clue says"),
        (("Ben, Cat, Ann", "Ben, Ann, Cat"), "players: ann.clue says Ann, Ben, Cat, ben.clue"),
        (("Ben, Cat, Ann\n", "Ben, Cat, Ann\nanswers: all\n"), "answers: ann.clue says first"),
        (("Ben, Cat, Ann\n", "Ben, Cat, Ann\norder: right\n"), "order: ann.clue says left"),
        (
            ("Ben, Cat, Ann\n", "Ben, Cat, Ann\nface-up: Knife, Hall, Plum\n"),
            "face-up: ann.clue says none",
        ),
        (("hands: 6", "pieces: Plum, ?, White\nhands: 6"), "pieces, Ben: ann.clue says Green, ben"),
        (("Ben, Cat, Ann\n", "Ben, Cat, Ann\nhouse: turns\n"), "house: ann.clue says play"),
        (("hands: 6", "hands: 5"), "hands, Ben: ann.clue says 6, ben.clue says 5"),
    ],
)
def test_headers_that_differ_are_named(change: tuple[str, str], told: str) -> None:
    header = "viewer: Ann\nhands: 6, 6, 6\npieces: ?, Green, ?\nhouse: play"
    ann = book(ANN, ("viewer: Ann", header))
    lines = "".join(line for line in BEN.splitlines(True) if "suggests" not in line[:13])
    plain = lines.replace("Ben holds White, Peacock, Revolver, Conservatory, Library, Ballroom", "")
    other = parse_record(plain.replace(*change))
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


def test_notes_of_different_games_are_not_laid_together() -> None:
    one, other = (book(ANN, ("viewer: Ann", f"viewer: Ann\ngame: {mark}")) for mark in ("7f", "8a"))
    assert [*disagreement(one, other)] == ["game: ann.clue says 7f, ben.clue says 8a"]


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


def test_notebooks_of_different_games_are_refused() -> None:
    header = ANN.partition("\nAnn holds")[0]
    other = parse_record(
        f"{header}\nCat suggests Green, Rope, Hall: -\nAnn suggests White, Pipe, Study: -\n"
        "Cat suggests Plum, Rope, Library: Ann shows\n"
    )
    with pytest.raises(RecordError, match=r"different games: of the 3 suggestions .* both have 1"):
        merge([book(ANN), other], names=["ann.clue", "other.clue"])


def test_long_notebooks_are_laid_together_unless_they_have_too_little_in_common(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ann, ben = book(ANN), book(BEN, ("Rope, Kitchen, Scarlett", "Scarlett, Rope, Kitchen"))
    monkeypatch.setattr(agreeing, "MOST_PLACES", 5_000)
    long = [replace(record, entries=record.entries[1:3] * 600) for record in (ann, ben)]
    assert len(merge(long).record.entries) == 1200
    reversed_ = replace(long[1], entries=long[1].entries[::-1])
    with pytest.raises(RecordError, match="of 1,200 and 1,200 entries differ in too many places"):
        merge([long[0], reversed_])


@given(
    st.lists(st.integers(0, 8), max_size=8), st.lists(st.integers(0, 8), max_size=8), st.integers()
)
def test_lists_are_laid_side_by_side_as_the_whole_table_of_costs_says(
    one: list[int], two: list[int], odd: int
) -> None:
    """Numbers of one remainder by three can be taken for the same; it costs 0, 1 or 10."""

    def cost(mine: int, theirs: int) -> int | None:
        return (0, 1, 10)[abs(mine - theirs) // 3] if mine % 3 == theirs % 3 else None

    def alone(number: int) -> int:
        return 1 if number % 3 == odd % 3 else 8

    rest: dict[tuple[int, int], tuple[int, list[agreeing.Pair]]] = {(len(one), len(two)): (0, [])}
    for row in range(len(one), -1, -1):
        for column in range(len(two), -1, -1):
            ways = []
            if row < len(one) and column < len(two):
                same = cost(one[row], two[column])
                if same is not None:
                    spent, pairs = rest[row + 1, column + 1]
                    ways.append((spent + same, 0, [(row, column), *pairs]))
            if row < len(one):
                spent, pairs = rest[row + 1, column]
                ways.append((spent + alone(one[row]), 1, [(row, None), *pairs]))
            if column < len(two):
                spent, pairs = rest[row, column + 1]
                ways.append((spent + alone(two[column]), 2, [(None, column), *pairs]))
            if ways:
                spent, _, pairs = min(ways, key=lambda way: way[:2])
                rest[row, column] = spent, pairs
    assert rest[0, 0][1] == agreeing.aligned(one, two, cost=cost, alone=alone)


def test_one_notebook_is_nothing_to_merge() -> None:
    with pytest.raises(RecordError, match="expected two or more notebooks"):
        merge([book(ANN)])


def test_hands_that_no_deal_fits_clash_though_no_seat_sees_both() -> None:
    other = book(BEN, ("White, Peacock", "Plum, Peacock"))
    merged = merge([book(ANN), other])
    assert clash(merged.record) == (1, 2)
    assert clash(merge([book(ANN), book(BEN)]).record) is None


def test_notebooks_with_entries_missing_are_laid_together_and_tell_nothing_false() -> None:
    random = Random(11)
    for _ in range(12):
        record, places = game(random)
        merged = merge(notebooks(record, random, 0.35)).record
        assert clash(merged) is None
        assert not untrue(merged, places)


def test_a_slip_in_notebooks_that_lack_little_is_still_a_disagreement() -> None:
    asked = ("White, Wrench, Hall", "Plum, Rope, Hall", "Green, Knife, Study", "Plum, Knife, Hall")
    header = ANN.partition("\nAnn holds")[0]
    turns = [
        f"{seat} suggests {asked[at % 4]}: ?" for at, seat in enumerate(("Ann", "Ben", "Cat") * 5)
    ]
    books = [parse_record("\n".join((header, "", *turns, ""))) for _ in range(3)]
    slipped = [
        line.replace("Green, Knife", "Green, Rope") if at == 6 else line
        for at, line in enumerate(turns)
    ]
    books[1] = parse_record("\n".join((header, "", *slipped, "")))
    (said,) = disagreement(*books)
    assert "Green, Rope, Study' but" in said or said.endswith("Green, Rope, Study'")
    forced = merge(books, force=True)
    assert (len(forced.differences), len(forced.record.entries)) == (1, 16)


def test_players_who_are_called_otherwise_are_mapped_where_that_is_told() -> None:
    mine, theirs = parse_record(ANN), parse_record(BEN.replace("Ann", "Mum"))
    with pytest.raises(Disagreement) as caught:
        merge([mine, theirs])
    told = "players: notebook 1 says Ann, Ben, Cat, notebook 2 says Ben, Cat, Mum"
    assert caught.value.differences[0] == f"{told} (say who Mum is there)"
    merged = merge([mine, theirs], called={"Mum": "Ann"})
    assert format_record(merged.record) == TOGETHER
    with pytest.raises(ArgumentError, match="no notebook has a player 'Dad'"):
        merge([mine, theirs], called={"Dad": "Ann"})
