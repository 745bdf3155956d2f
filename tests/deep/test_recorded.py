"""The recorded games after each of their entries."""

from __future__ import annotations

import pytest

from tests.games.test_recorded import (
    recorded,
    test_deals_are_equal_after_every_entry,
    test_probabilities_agree,
    test_solutions_agree,
)

__all__ = [
    "recorded",
    "test_deals_are_equal_after_every_entry",
    "test_probabilities_agree",
    "test_solutions_agree",
]


@pytest.fixture
def every() -> int:
    """Each entry is compared."""
    return 1
