"""What is typed and said at a table comes to what it means or to a question, never to else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.transcripts import by_reader, judged, transcripts


def verdicts(file: str) -> list[tuple[str, bool, str]]:
    """What each line of a file became, whether it means an entry, and what came of it."""
    found = []
    for typed in transcripts(Path(__file__).with_name(f"{file}.txt")):
        came = by_reader(typed)
        told = f"{typed.place}: {' // '.join(typed.lines)}: {came}"
        found.append((judged(typed, came), typed.due[0] not in "?!", told))
    return found


def test_a_typed_line_is_taken_for_what_it_means_or_asked_about_where_it_must_be() -> None:
    assert [told for verdict, _, told in verdicts("typed") if verdict != "right"] == []


@pytest.mark.parametrize(("file", "share"), [("said", 0.85), ("tempting", 0.7)])
def test_nothing_that_is_said_is_misread_and_most_of_what_means_an_entry_is_taken(
    file: str, share: float
) -> None:
    found = verdicts(file)
    assert [told for verdict, _, told in found if verdict in ("misread", "asked amiss")] == []
    meant = [verdict for verdict, means, _ in found if means]
    assert meant.count("right") >= share * len(meant)
