"""What is said to a game that is being logged: none of it is taken for what it does not mean."""

from __future__ import annotations

from pathlib import Path

from tests.transcripts import in_dialog, judged, transcripts

HERE = Path(__file__).parent
NOTATION = HERE.parent / "notation"


def test_what_is_said_is_not_misread_and_little_of_it_is_refused() -> None:
    told = [
        *transcripts(HERE / "said.txt"),
        *[*transcripts(NOTATION / "said.txt")][::3],
        *[*transcripts(NOTATION / "tempting.txt")][::3],
    ]
    verdicts = [(typed, judged(typed, in_dialog(typed))) for typed in told]
    assert [typed for typed, verdict in verdicts if verdict in ("misread", "asked amiss")] == []
    meant = [verdict for typed, verdict in verdicts if typed.due[0] not in "?!"]
    assert meant.count("refused") < 0.2 * len(meant)
