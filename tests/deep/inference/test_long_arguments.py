"""Arguments for every forced fact of many random tables: 100,000 facts in the whole run."""

from __future__ import annotations

from random import Random

import pytest

from tests.arguing import check_arguments, random_knowledge


@pytest.mark.long(keep=2)
@pytest.mark.parametrize("number", range(40))
def test_every_forced_fact_has_an_argument(number: int) -> None:
    random = Random(f"long {number}")
    facts = 0
    while facts < 2_500:
        large, nest = random.random() < 0.1, random.random() < 0.5
        facts += len(check_arguments(random_knowledge(random, large=large, nest=nest)))
