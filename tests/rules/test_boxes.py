"""The table of what is known of each box: whole, and each row held by a test of its own."""

from __future__ import annotations

import ast
import inspect

import pytest

from tests import boxes
from tests.rules import (
    test_boxes_classic,
    test_boxes_custom,
    test_boxes_diced,
    test_boxes_orchid,
    test_boxes_watson,
)

MODULES = (
    test_boxes_diced,
    test_boxes_classic,
    test_boxes_watson,
    test_boxes_orchid,
    test_boxes_custom,
)
ROWS = boxes.rules()


def test_every_rule_has_a_test_and_every_test_a_rule() -> None:
    assert boxes.PROOFS.keys() == ROWS.keys() - boxes.OUTSIDE.keys()
    assert len(ROWS) == 65
    for code, proof in boxes.PROOFS.items():
        found = [vars(module).get(proof.__name__) for module in MODULES]
        assert proof in found, f"another test has the name of that of {code}"


@pytest.mark.parametrize("code", ROWS)
def test_every_cell_says_that_it_holds_or_why_not(code: str) -> None:
    cells = ROWS[code].cells
    for column, cell in cells.items():
        word, _, why = cell.partition(": ")
        allowed = ("no",) if code in boxes.OUTSIDE else ("yes", "-", "partly")
        assert word in allowed, (code, column)
        assert bool(why) == (word in ("partly", "no")), (code, column)
    assert ROWS[code].rule.endswith(".")


@pytest.mark.parametrize("code", boxes.PROOFS)
def test_every_proof_asserts_something(code: str) -> None:
    tree = ast.parse(inspect.getsource(inspect.unwrap(boxes.PROOFS[code])))
    claims = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    columns = ROWS[code].held
    assert len(claims) >= len(columns)
