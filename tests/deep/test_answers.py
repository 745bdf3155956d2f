"""One advice on every face, to the digit; reviews that do not deny themselves; planted slips."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from clue_solver import Game, parse_record
from clue_solver.answers.review import Review
from clue_solver.answers.weighing import MOST_ANSWERS
from clue_solver.arena.tournament import Tournament
from clue_solver.faces.cli import main
from clue_solver.faces.thoughts import thoughts_on
from clue_solver.notation.canonical import format_line
from clue_solver.rules.edition_files import load_edition, shipped_editions
from clue_solver.rules.table import ANY, Asks
from clue_solver.views.document import Rows, document

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import planted_slips


def contradictions(review: Review) -> Iterator[str]:
    """Yield what the story of a review says and its tables deny."""
    tables = {
        block.title.partition(":")[0]: block
        for block in document(review)
        if isinstance(block, Rows)
    }
    players = {row[0]: row[1:] for row in _rows(tables, "Players")}
    asked = {int(row[0]): row[1:] for row in _rows(tables, "Suggestions")}

    def seats(text: str) -> list[str]:
        you = re.sub(r"(?i)\byou\b", review.table.viewer or "", text)
        return [seat.seat for seat in review.seats if re.search(rf"\b{seat.seat}\b", you)]

    for claim in re.split(r"(?<=\.) ", review.story):
        entries = [int(entry) for entry in re.findall(r"entry (\d+)", claim)]
        if "made no big mistakes" in claim or claim == "Nobody made a big mistake.":
            for seat in seats(claim) or [*players]:
                labels = [row[2].split(" ")[0] for row in asked.values() if row[0] == seat]
                if players[seat][-1] != "0" or {"mistake", "blunder"} & {*labels}:
                    yield f"{claim}: {players[seat]}, {labels}"
        elif "lucky: the answer" in claim:
            word = "unlucky" if "unlucky" in claim else "lucky"
            player, _, grade, _ = asked[entries[0]]
            if f"({word})" not in grade or [player] != seats(claim):
                yield f"{claim}: {asked[entries[0]]}"
        elif "out of the game" in claim:
            wrong = [(each.seat, each.entry) for each in review.accusations if not each.right]
            if (*seats(claim), *entries) not in wrong:
                yield f"{claim}: {wrong}"
        elif "could have won" in claim:
            (seat,) = seats(claim)
            proved = review.seat(seat).proved
            if proved is None or proved > entries[0] or seat == review.winner:
                yield f"{claim}: {proved}"
            if any(each.seat == seat and each.entry <= entries[0] for each in review.accusations):
                yield f"{claim}: {review.accusations}"
        elif "suggestion solved it, though" in claim:
            player, _, grade, _ = asked[entries[0]]
            proved = review.seat(player).proved
            if grade.split(" ")[0] not in ("mistake", "blunder") or proved != entries[0]:
                yield f"{claim}: {asked[entries[0]]}, {proved}"
        elif "should have" in claim:
            steps, _, why = claim.partition(": ")
            (seat,) = seats(steps)
            if "already knew" in why and any(card in why for card in review.solution):
                yield f"{claim}: {review.solution}"
            if review.seat(seat).whole and players[seat][-1] == "0":
                yield f"{claim}: no mistake of {seat}"
            if "suggested" in steps and asked[entries[0]][2].split(" ")[0] not in (
                "mistake",
                "blunder",
            ):
                yield f"{claim}: {asked[entries[0]]}"
    yield from _values(review)


def _values(review: Review) -> Iterator[str]:
    """Yield what a highlight says and the values deny."""
    labels = {each.entry: each.label for each in review.suggestions}
    luck = {each.entry: each.luck for each in review.suggestions}
    verdicts = {each.entry: each.verdict for each in review.accusations}
    for each in review.highlights:
        seat = review.seat(each.seat)
        moment = seat.after(each.entry)
        holds = {
            "proof": moment is not None and moment.bits == 0 and seat.proved == each.entry,
            "swing": each.after - each.before >= 0.1 - 1e-9,
            "lead": each.after > each.before,
            "out": verdicts.get(each.entry) in ("unlucky", "unknown"),
            "rash": verdicts.get(each.entry) == "rash",
            "missed win": each.seat != review.winner and seat.proved is not None,
            "unused proof": each.seat == review.winner and seat.proved is not None,
            "wasted question": labels.get(each.entry) in ("mistake", "blunder"),
            "lucky": (luck.get(each.entry) or 0) >= 1 - 1e-9,
            "unlucky": (luck.get(each.entry) or 0) <= 1e-9 - 1,
        }
        if not holds[each.kind] or not 0 <= each.before <= 1 or each.weight < 0:
            yield repr(each)


def _rows(tables: dict[str, Rows], title: str) -> list[tuple[str, ...]]:
    return [tuple(row) for row in tables[title].rows] if title in tables else []


HARD = Path(__file__).resolve().parents[1] / "games" / "hard"
EDITIONS = tuple(shipped_editions())
NUMBERS = range(1, 46)
"""Of each edition: 45 games of 11 editions are 495 positions."""


def notes(edition: str, number: int) -> Game:
    """One seat's notes of a game of so many players as the number says."""
    least, most = load_edition(edition).players
    seats = least + number % (min(most, 6) - least + 1)
    whole = Tournament(edition=edition, players=("likeliest",) * seats, seed=5858).play(number)
    return whole.notes_of(whole.table.seats[0])


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_face_says_the_same_to_the_digit(edition: str, number: int, tmp_path: Path) -> None:
    game = notes(edition, number)
    game = game.at(Random(number).randint(1, len(game.observations)))
    path = tmp_path / "game.clue"
    path.write_text(str(game), "utf-8")
    *_, closer = thoughts_on(game)  # what the screen tells at F10, and the page
    assert closer.advice is not None
    said = CliRunner().invoke(main, ["advise", str(path), "--json"]).output
    assert json.loads(said) == json.loads(closer.advice.to_json())


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("edition", EDITIONS)
def test_certain_is_what_the_rules_alone_leave(edition: str, number: int) -> None:
    """However little is expected of own cards, chances that round to 1 are no proof."""
    game = notes(edition, number)
    exponent = number % 5
    asks = (Asks(model="careful", level=10.0**-exponent),)
    careful = game.changed(replace(game.record, table=replace(game.table, asks=asks)))
    proof = game.changed(replace(game.record, table=replace(game.table, asks=ANY))).deduction
    for upto in range(1, len(game.observations) + 1, 5):
        accuse = careful.seen(upto=upto).advice(quick=True).accuse
        assert accuse.certain == (len(proof.solutions(upto).probability) == 1), upto
        assert accuse.certain == (accuse.probability == 1.0)


def test_where_too_many_answers_are_possible_the_sample_weighs_them() -> None:
    record = parse_record(
        f"edition: {HARD / 'six-categories.toml'}\nviewer: Ann\nanswers: all\n"
        "players: Ann, Ben, Cat, Dan, Eve, Flo, Gus, Hal\n\n"
        "Ann holds Suspect 1, Weapon 1, Room 1, Motive 1\n"
        "Ann suggests Suspect 2, Weapon 2, Room 2, Motive 2, Hour 2, Pet 2: Cat shows Room 2\n"
    )
    advice = Game(record).advice(rooms=["Room 3"], quick=True)
    best = advice.suggestions[0]
    assert 0 < best.error < best.gain
    assert best.gain > 0.5
    assert len(best.answers) == MOST_ANSWERS


REVIEWED = ("clue-classic", "clue-2015", "clue-diced", "clue-express", "cluedo-watson")


@pytest.mark.long(keep=1)
@pytest.mark.parametrize("number", range(1, 51))
@pytest.mark.parametrize("edition", REVIEWED)
def test_no_story_is_denied_by_its_tables_nor_verdict_by_another(edition: str, number: int) -> None:
    players = ("likeliest", "random", "note-taker")
    games = Tournament(edition=edition, players=players, board=False, seed=59)
    whole = games.play(number)
    record = whole.record
    if not any(getattr(each, "right", False) for each in record.observations):
        pytest.skip("nobody won")
    full = whole.review(sample=200)
    assert [*contradictions(full)] == []
    part = whole.notes_of(record.table.seats[0]).review(sample=200)
    assert [*contradictions(part)] == []
    for one, other in zip(part.accusations, full.accusations, strict=True):
        assert one.verdict in ("unknown", other.verdict)
    missed = {each.seat for each in full.of("missed win")}
    assert {each.seat for each in part.of("missed win")} <= missed


CASES = 12


def cases(kind: str) -> list[planted_slips.Case]:
    random = Random(f"deep {kind}")
    made = (
        planted_slips.planted(planted_slips.KINDS[kind], random, seed=77_000 + game)
        for game in range(CASES)
    )
    return [each for each in made if isinstance(each, planted_slips.Case)]


@pytest.mark.parametrize("kind", planted_slips.KINDS)
def test_a_planted_slip_is_corrected_about_as_often_as_it_can_be(kind: str) -> None:
    reached, bound = 0.0, 0.0
    clash = {
        name: 0.25 if name in ("asked card", "asker") else 0.75 for name in planted_slips.KINDS
    }
    for case in cases(kind):
        found = Game(case.record).check().corrections
        assert found
        reached += format_line(case.meant, case.record.table) in [each.after for each in found[:5]]
        likely = planted_slips.posterior(case.record, clash)
        true = case.entry, format_line(case.meant, case.record.table)
        assert likely[true] > 0
        bound += sum(each > likely[true] for each in likely.values()) < 5
    assert reached >= bound - 2
