"""The JSON Lines form of records."""

from __future__ import annotations

import json
from pathlib import Path

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
from tests.rows import rows_in


def has_a_clue_form(record: Record) -> bool:
    """Whether no slot's name ends in a digit, which a header line would take for its count."""
    return not any(slot.name[-1].isdigit() for slot in record.table.slots)


CASES = rows_in(Path(__file__).with_name("objects.txt"))


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
            *CASES["lines"],
            ("[" * 100_000, "Expected `object`, got `array`"),
            ('{"event": ' + "[" * 100_000, "maximum recursion depth"),
        ],
    )
    def test_an_object_with_a_mistake_says_where_and_why(self, line: str, reason: str) -> None:
        error = refusal(to_jsonl(parse_record(SHORT)) + line + "\n")
        assert error.number == 2
        assert reason in str(error)

    @pytest.mark.parametrize(("line", "reason"), CASES["headers"])
    def test_a_header_object_with_a_mistake_says_where_and_why(
        self, line: str, reason: str
    ) -> None:
        error = refusal(line + "\n")
        assert error.number == 1
        assert reason in str(error)
