"""The JSON Lines form of records."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from clue_solver.record import (
    Record,
    format_record,
    from_jsonl,
    parse_record,
    to_jsonl,
)
from tests.observing import SHORT, records, refusal
from tests.rows import rows


def has_a_clue_form(record: Record) -> bool:
    """Whether no slot's name ends in a digit, which a header line would take for its count."""
    return not any(slot.name[-1].isdigit() for slot in record.table.slots)


MISTAKES = r"""
{ | Input data was truncated
[] | Expected `object`, got `array`
{} | $.event: expected a kind of event; found nothing
{"event": "sugestion"} | unknown kind of event 'sugestion'; did you mean 'suggestion'?
{"event": []} | unknown kind of event '[]'
{"event": "game"} | $.event: the header object comes first and only once
{"event": "look", "by": "Ann"} | `holder`
{"event": "look", "by": 5, "holder": "Ben"} | $.by: Expected `str`, got `int`
{"event": "look", "by": "Ann", "holder": "Ben", "crad": "Plum"} | unknown field 'crad'; did you mean 'card'?
{"event": "look", "by": "Ann", "holder": "Ben", "card": "Plmu"} | $.card: unknown card 'Plmu'; did you mean 'Professor Plum'?
{"event": "suggestion", "by": "Ann", "cards": ["Plum", "Rope", "Hal"]} | $.cards[2]: unknown card 'Hal'
{"event": "suggestion", "by": "Ann", "cards": ["Plum", "Rope", "Hall"], "answers": [{"seat": "Ann", "answer": "passes"}]} | $.answers[0].seat: Ann cannot answer their own suggestion
{"event": "suggestion", "by": "Ann", "cards": ["Plum", "Rope", "Hall"], "answers": [{"seat": "Ben", "answr": "passes"}]} | $.answers[0]: unknown field 'answr'; did you mean 'answer'?
{"event": "nobody", "card": "Plum", "comment": "a\nb"} | one line as a comment
{"event": "nobody", "card": "Plum", "before": ["Ann peeks"]} | expected a comment
{"event": "nobody", "card": "Plum", "before": "# x"} | $.before: Expected `array`, got `str`
{"event": "nobody", "card": "Pl | Input data was truncated
{"event": "nobody", "card": ""} | $.card: expected a card; found nothing
{"event": "nobody", "card": "plu"} | unknown card 'plu'; did you mean 'Professor
{"event" "nobody"} | (byte 9)
"""  # noqa: E501
HEADERS = r"""
{"event": "peek"} | $.event: expected 'game'
{"event": "game", "edition": "clue-classic"} | `players`
{"event": "game", "edition": "x", "players": ["Ann", "Ben"]} | called 'x'
{"event": "game", "edition": "clue-classic", "players": [" Ann", "Ben"]} | ' Ann'
{"event": "game", "edition": "clue-classic", "players": ["A\nB", "Ben"]} | B'
{"event": "game", "edition": "clue-classic", "players": ["A", 5]} | $.players[1]
{"event": "game", "edition": "clue-classic", "players": ["A", "B"], "hands": [1, 2.5]} | $.hands[1]: Expected `int
{"event": "game", "edition": "clue-classic", "players": ["A", "B"], "hnds": [1]} | unknown field 'hnds'; did you mean 'hands'?
{"event": "game", "edition": "clue-classic", "players": ["A", "B"], "remarks": {"hands": {}}} | $.remarks: unknown field 'hands'; expected edition or players
{"event": "game", "edition": "clue-classic", "players": ["A", "B"], "asks": "A"} | $.asks: 'A' can be any or adaptive
"""  # noqa: E501


class TestJson:
    @given(records().filter(has_a_clue_form))
    def test_a_record_survives_json(self, record: Record) -> None:
        again = from_jsonl(to_jsonl(record))
        assert again.table == record.table
        assert again.entries == record.entries
        assert again.after == record.after
        assert format_record(again) == format_record(record)
        assert all(json.loads(line) for line in to_jsonl(record).split("\n") if line)

    @pytest.mark.parametrize("card", ["Plum", "plum", "PROFESSOR PLUM", "Prof. Plum"])
    def test_a_name_may_stand_in_any_case_and_as_a_title_or_alias(self, card: str) -> None:
        answer = {"seat": "BEN", "answer": "shows", "card": card}
        record = parse_record(
            '{"event": "game", "edition": "clue-classic", "players": ["Ann", "Ben", "Cat"], '
            '"viewer": "ann", "face-up": ["the study"]}\n'
            f'{{"event": "suggestion", "by": "ann", "cards": ["{card}", "rope", "the hall"], '
            f'"answers": [{json.dumps(answer)}]}}\n'
            f'{{"event": "knowledge", "by": "ann", "holder": "Envelope", "has": ["{card}"]}}\n'
        )
        assert format_record(record).splitlines()[2:] == [
            "viewer: Ann",
            "face-up: Study",
            "Ann suggests Plum, Rope, Hall: Ben shows Plum",
            "Ann knows envelope has Plum",
        ]

    def test_what_follows_from_an_answer_is_filled_in(self) -> None:
        header = to_jsonl(parse_record(SHORT))
        record = parse_record(
            header + '{"event": "suggestion", "by": "Ann", "cards": ["Plum", "Rope", "Hall"], '
            '"answers": [{"seat": "Cat", "answer": "shows"}]}\n\n'
            '{"event": "suggestion", "by": "Ann", "cards": ["Plum", "Rope", "Hall"], '
            '"answers": [{"seat": "Ben", "answer": "unheard"}]}\n'
        )
        assert format_record(record).splitlines()[2:] == [
            "Ann suggests Plum, Rope, Hall: Ben passes, Cat shows",
            "Ann suggests Plum, Rope, Hall",
        ]

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            *rows(MISTAKES, " | "),
            ("[" * 100_000, "Expected `object`, got `array`"),
            ('{"event": ' + "[" * 100_000, "maximum recursion depth"),
        ],
    )
    def test_an_object_with_a_mistake_says_where_and_why(self, line: str, reason: str) -> None:
        error = refusal(to_jsonl(parse_record(SHORT)) + line + "\n")
        assert error.number == 2
        assert reason in str(error)

    @pytest.mark.parametrize(("line", "reason"), rows(HEADERS, " | "))
    def test_a_header_object_with_a_mistake_says_where_and_why(
        self, line: str, reason: str
    ) -> None:
        error = refusal(line + "\n")
        assert error.number == 1
        assert reason in str(error)
