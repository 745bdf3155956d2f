"""More right lines with a word left out, doubled, swapped or misspelt, other ones in each slice."""

from __future__ import annotations

from tests.notation.test_edits import misread_edits


def test_a_thousand_edited_lines_are_right_or_asked_about_or_refused(seed: str) -> None:
    assert misread_edits(seed, 1_000) == []
