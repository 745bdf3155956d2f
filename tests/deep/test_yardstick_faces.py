"""What the full screen and the pages have always done, they do (`tests/yardstick/faces.py`)."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.yardstick.faces import CASES, anew

pytest.importorskip("pty", reason="the full screen wants a POSIX terminal")
pytest.importorskip("starlette")


@pytest.mark.long(keep=8)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_what_goes_in_comes_out_as_ever(case: Path) -> None:
    expected, found = case.read_text("utf-8"), anew(case)
    if found != expected and case.parent.name == "screens":
        found = anew(case, pace=2.0)  # the machine may have been too busy for fast fingers
    told = unified_diff(expected.splitlines(), found.splitlines(), "kept", "now", lineterm="")
    assert found == expected, "\n".join(told)
