"""
Whether a log holds together, and if not, why not and what would mend it.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from clue_solver.answers.corrections import Correction
from clue_solver.answers.reasons import ReasonStep


class Check(Struct, frozen=True, kw_only=True):
    """
    The outcome of checking a log.

    Attributes:
        conflict: A smallest set of entries that cannot all be true; `None` where all can.
        steps: The argument that they cannot; its last step is what cannot be.
        corrections: What would mend the log, likeliest first.
    """

    conflict: tuple[int, ...] | None = None
    steps: tuple[ReasonStep, ...] = ()
    corrections: tuple[Correction, ...] = ()

    @property
    def consistent(self) -> bool:
        """Whether some deal fits the log."""
        return self.conflict is None

    def to_dict(self) -> dict[str, Any]:
        """
        Return what `to_json` writes, as dicts and lists.

        A correction of two changes has the second under `"and"`.
        """
        return {
            "consistent": self.consistent,
            "conflict": list(self.conflict or ()),
            "why": [step.to_dict() for step in self.steps],
            "corrections": [_correction(each) for each in self.corrections],
        }

    def to_json(self) -> str:
        """Return the outcome as one JSON object."""
        return json.dumps(self.to_dict(), ensure_ascii=False)


def _correction(correction: Correction) -> dict[str, Any]:
    first, *more = (
        {"entry": change.entry, "before": change.before, "after": change.after}
        for change in correction.changes
    )
    answer = first | {"probability": correction.probability}
    return answer | {"and": more} if more else answer
