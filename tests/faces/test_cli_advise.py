"""Advice on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.faces.test_cli import CLASHING, CLASSIC, EXAMPLES, run, small

DICED = str(EXAMPLES / "diced.clue")


def advice(*words: str) -> dict[str, Any]:
    result = run("advise", *words, "--json")
    assert result.exit_code == 0, result.stderr
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def test_json_is_the_contract() -> None:
    found = advice(CLASSIC, "--upto", "9")
    assert {"viewer", "bits", "suggestions", "accuse", "opponents"} <= set(found)
    assert 324 == len(found["suggestions"])
    keys = {"cards", "gain", "error", "settles", "best_after", "leak", "reach"}
    for each in found["suggestions"]:
        assert keys <= set(each)
        assert pytest.approx(1) == sum(answer["probability"] for answer in each["answers"])
    gains = [each["gain"] for each in found["suggestions"]]
    assert sorted(gains, reverse=True) == gains
    assert [0] * 5 == [each["error"] for each in found["suggestions"][:5]]
    chances = {"win_now", "win_wait", "win_error"}
    assert {"cards", "probability", "advice", "why"} | chances == set(found["accuse"])
    assert ["Ben", "Cat", "Dan"] == [each["seat"] for each in found["opponents"]]
    assert 3 == len(advice(CLASSIC, "--upto", "9", "--top", "3")["suggestions"])


def test_what_is_certain_is_accused() -> None:
    found = advice(CLASSIC, "--upto", "16")
    assert ("accuse", 1.0) == (found["accuse"]["advice"], found["accuse"]["probability"])
    assert ["Green", "Rope", "Library"] == found["accuse"]["cards"]


def test_rooms_and_rolls_limit_what_is_in_reach() -> None:
    within = advice(CLASSIC, "--upto", "9", "--rooms", "hall,study")["suggestions"]
    assert {"Hall", "Study"} == {each["cards"][2] for each in within}
    rolled = advice(CLASSIC, "--upto", "9", "--at", "study", "--roll", "4")["suggestions"]
    assert {"Hall"} == {each["cards"][2] for each in rolled}  # a passage is instead of a roll
    anywhere = advice(CLASSIC, "--upto", "9", "--at", "study")["suggestions"]
    assert any(each["reach"] < 1 for each in anywhere)
    assert all(each["reach"] > 0 for each in anywhere)
    worth = [each["gain"] * each["reach"] for each in anywhere]
    assert sorted(worth, reverse=True) == worth


def test_where_no_room_is_in_reach_one_to_head_for_is_named() -> None:
    found = advice(CLASSIC, "--upto", "9", "--at", "library", "--roll", "2")
    assert [] == found["suggestions"]
    assert "ask" not in found
    assert "wait" == found["accuse"]["advice"]  # that nothing can be asked is no reason
    assert found["heading"]["room"] in ("Billiard Room", "Hall", "Study", "Conservatory", "Kitchen")
    assert "head for" in run("advise", CLASSIC, "--upto", "9", "--at", "libr", "--roll", "2").stdout


def test_dice_allow_two_of_three_suspects_and_the_bonus_die_is_weighed() -> None:
    found = advice(DICED, "--upto", "10", "--dice", "plum,green,mustard")
    assert 6 == len(found["suggestions"])
    actions = [each["action"] for each in found["bonus"]]
    assert {"Mia looks at Leo", "Mia peeks", "Mia asks Zoe about Plum"} <= set(actions)
    assert any(action.startswith("Mia points at") for action in actions)
    gains = [each["gain"] for each in found["bonus"]]
    assert sorted(gains, reverse=True) == gains
    master = "edition: clue-diced-master\nplayers: A, B, C\nviewer: A\n"
    result = run("advise", "-", "--json", "--dice", "plum,green,mustard", stdin=master)
    assert 18 == len(json.loads(result.stdout)["suggestions"])


def test_the_bonus_die_and_the_third_die_are_planned_with_the_suggestion() -> None:
    dice = ("--dice", "plum,green,mustard,question mark")
    found = advice(DICED, "--upto", "10", *dice)
    for each in found["suggestions"]:
        named = [card.split()[1] for card in each["cards"]]
        (third,) = {"Plum", "Green", "Mustard"} - {*named}
        (then,) = each["then"]
        assert then["action"] in (f"Mia asks Leo about {third}", f"Mia asks Zoe about {third}")
        assert then["gain"] >= each["gain"] - 1e-9
    assert all(each["action"].startswith("Mia asks") for each in found["bonus"])
    text = run("advise", DICED, "--upto", "10", *dice).stdout
    assert "then Mia asks" in text


def test_the_record_tells_the_dice_and_what_is_left_of_the_turn() -> None:
    lines = Path(DICED).read_text("utf-8").splitlines(keepends=True)
    header = "".join(lines[: lines.index("\n") + 2])
    rolled = header + "Mia rolls Plum, Green, Mustard, question\n"
    found = json.loads(run("advise", "-", "--json", stdin=rolled).stdout)
    assert 6 == len(found["suggestions"])
    asked = rolled + "Mia suggests Brains Plum, Brawn Green: nobody shows\n"
    found = json.loads(run("advise", "-", "--json", stdin=asked).stdout)
    assert 36 == len(found["suggestions"])  # of the next turn
    actions = {each["action"] for each in found["bonus"]}
    assert {"Mia asks Leo about Mustard", "Mia asks Zoe about Mustard"} == actions
    assert "wait" == found["accuse"]["advice"]


def test_the_least_that_a_seat_must_know_is_its_public_share(tmp_path: Path) -> None:
    result = run("advise", small(tmp_path), "--as", "cat", "--json")
    found = json.loads(result.stdout)
    assert "Cat" == found["viewer"]
    row = next(each for each in found["cards"] if each["card"] == "Mustard")
    assert "holds" == row["verdict"]["Cat"]  # Ann saw the card that Cat showed
    own = next(each for each in found["cards"] if each["card"] == "Plum")
    assert "open" == own["verdict"]["Ann"]  # Ann's own hand is hers


def test_text_tells_what_to_ask_and_whether_to_accuse() -> None:
    result = run("advise", CLASSIC, "--upto", "9")
    for told in ("What to ask", "Accuse?", "Opponents who may already know the solution"):
        assert told in result.stdout
    assert "What to ask" in run("report", CLASSIC, "--upto", "9", "--advise").stdout


BAD = {
    "a room that is no room": ((CLASSIC, "--rooms", "cellar"), "cellar"),
    "a roll no dice can give": ((CLASSIC, "--at", "hall", "--roll", "13"), "2 to 12"),
    "a roll from nowhere": ((CLASSIC, "--roll", "7"), "start from"),
    "dice in an edition without": ((CLASSIC, "--dice", "plum,green,white"), "no dice"),
    "two bonus dice": ((DICED, "--dice", "plum,green,orchid,glass,eye"), "2 faces of the bonus"),
    "no room at all": ((CLASSIC, "--rooms", ""), "expected a room; found nothing"),
    "two dice": ((DICED, "--dice", "plum,green"), "three rolled suspects"),
    "a room in an edition without": ((DICED, "--rooms", "hall"), "no rooms"),
    "a spectator": ((CLASSIC, "--viewer", "spectator"), "spectator"),
}


@pytest.mark.parametrize(("words", "told"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_message_and_status_2(words: tuple[str, ...], told: str) -> None:
    result = run("advise", *words)
    assert (2, "") == (result.exit_code, result.stdout)
    assert told in result.stderr
    assert "Traceback" not in result.stderr


def test_who_is_out_is_not_advised_and_a_clash_is_said(tmp_path: Path) -> None:
    out = small(tmp_path, CLASHING.rpartition("Ben")[0] + "Ann accuses White, Rope, Hall: wrong\n")
    result = run("advise", out)
    assert 2 == result.exit_code
    assert "out of the game" in result.stderr
    assert 3 == run("advise", small(tmp_path, CLASHING)).exit_code
