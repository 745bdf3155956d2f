"""The properties of the light suite, with more examples, other ones in each slice."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import hypothesis
import pytest
from hypothesis import settings

from tests.exchange import test_merging
from tests.inference import test_batch, test_budgets, test_certain, test_twins
from tests.notation import test_completion, test_names, test_reading

PROPERTIES = [
    test
    for module in (
        *(test_merging, test_completion, test_names, test_reading),
        *(test_batch, test_budgets, test_certain, test_twins),
    )
    for name, test in vars(module).items()
    if name.startswith("test_") and hypothesis.is_hypothesis_test(test)
    if not inspect.signature(test).parameters  # no fixtures
]


@pytest.mark.long(keep=4)
@pytest.mark.parametrize("holds", PROPERTIES, ids=lambda test: test.__name__)
def test_it_holds_for_more_examples(holds: Callable[[], None], seed: str) -> None:
    more = settings(settings.default, max_examples=150, derandomize=False, database=None)
    hypothesis.seed(seed)(more(holds))()
