"""
Whether a log holds together, and if not, why not and what would mend it.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from clue_solver.errors import Contradiction
from clue_solver.report.displayed import at_prompt
from clue_solver.report.reasons import ReasonStep
from clue_solver.slips import Correction
from clue_solver.table import SPECTATOR


class Check(Struct, frozen=True, kw_only=True):
    """
    The outcome of checking a log.

    Attributes:
        conflict: A smallest set of entries that cannot all be true; `None` where all can.
        minimum: Whether it is proved that no set is smaller; else that took too long.
        steps: The argument that they cannot; its last step is what cannot be.
        corrections: What would mend the log, likeliest first.
        viewer: The seat whose log it is, or `spectator`.
        lines: The entries of the log as lines, in order, to quote from.
    """

    conflict: tuple[int, ...] | None = None
    minimum: bool = True
    steps: tuple[ReasonStep, ...] = ()
    corrections: tuple[Correction, ...] = ()
    viewer: str = SPECTATOR
    lines: tuple[str, ...] = ()

    @property
    def consistent(self) -> bool:
        """Whether some deal fits the log."""
        return self.conflict is None

    def __repr__(self) -> str:
        if self.conflict is None:
            return f"<Check: the log holds together; {self.viewer}>"
        many = f"corrections: {len(self.corrections)}"
        return f"<Check: {Contradiction(self.conflict)}; {self.viewer}; {many}>"

    def __str__(self) -> str:
        from clue_solver.report.text import plain
        from clue_solver.report.words import checked

        return plain(checked(self, self.lines, viewer=self.who))

    _repr_pretty_ = at_prompt

    def _repr_html_(self) -> str:
        from clue_solver.report.html import check

        return check(self)

    @property
    def who(self) -> str:
        """The viewer in a sentence."""
        return "a spectator" if self.viewer == SPECTATOR else self.viewer

    def to_dict(self) -> dict[str, Any]:
        """
        Return what `to_json` writes, as dicts and lists.

        A correction of two changes has the second under `"and"`; `"minimum": false` stands there
        where it could not be proved that the conflict is smallest.
        """
        unproved: dict[str, Any] = {} if self.minimum else {"minimum": False}
        return {
            "consistent": self.consistent,
            "conflict": list(self.conflict or ()),
            **unproved,
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
