"""One advice on every face, to the digit and proved; reviews that do not deny themselves."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from clue_solver import Game, parse_record
from clue_solver.answers.weighing import MOST_ANSWERS
from clue_solver.arena.tournament import Tournament
from clue_solver.faces.cli import main
from clue_solver.faces.thoughts import thoughts_on
from clue_solver.rules.edition_files import load_edition, shipped_editions
from clue_solver.rules.table import ANY, Asks
from tests.answers.stories import contradictions

HARD = Path(__file__).resolve().parents[2] / "games" / "hard"
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
