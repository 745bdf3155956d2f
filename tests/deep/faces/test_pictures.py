"""Pictures of the full screen at all sizes."""

from __future__ import annotations

import pytest

from tests.faces.test_pictures import PICTURES, STATES, drawn


@pytest.mark.asyncio
@pytest.mark.parametrize("state", STATES)
async def test_each_state_looks_as_it_is_drawn(state: str) -> None:
    assert await drawn(state) == (PICTURES / f"{state}.txt").read_text("utf-8")
