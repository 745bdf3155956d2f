"""At a prompt of IPython an answer alone is its page, in a list its line."""

from __future__ import annotations

from typing import Any

import pytest
from IPython.lib.pretty import pretty

from clue_solver.answers.display import MOST_LINES
from tests.views.displays import EVENING
from tests.views.test_document import ASKED


@pytest.mark.parametrize(
    "shown", [*(asked() for asked in ASKED.values()), EVENING, EVENING.advice(upto=17)], ids=repr
)
def test_alone_the_page_is_shown_and_in_a_list_the_line(shown: Any) -> None:
    page, at_prompt = str(shown).split("\n"), pretty(shown).split("\n")
    assert len(at_prompt) <= MOST_LINES
    assert at_prompt[: MOST_LINES - 1] == page[: MOST_LINES - 1]
    assert "\n" not in repr(shown)
    assert repr(shown) in pretty([shown], max_width=10_000)


def test_of_a_page_that_no_screen_holds_the_beginning_is_shown() -> None:
    review = EVENING.review(sample=100)
    *first, last = pretty(review).split("\n")
    lines = str(review).split("\n")
    assert first == lines[: MOST_LINES - 1]
    assert last == f"... and {len(lines) - MOST_LINES + 1} lines more: print() shows all"
