"""What a page shows of its own where the program deals."""

from collections.abc import Mapping
from typing import Any

from clue_solver.faces.web.board_panel import board_panel
from clue_solver.faces.web.dealt import DealtTable
from clue_solver.faces.web.drafts import Draft
from clue_solver.faces.web.request_panel import PanelButton, chairs_of, request_panel, taps
from clue_solver.faces.web.tables import Notebook, ServedTable


def dealt_fields(
    table: ServedTable, book: Notebook, draft: Draft, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what a page of a table shows otherwise than one that is logged by hand."""
    assert isinstance(table, DealtTable)
    session = given["session"]
    play, ways = request_panel(table, book), taps(table, book)
    chosen = (ways[place] for place in draft.chosen if place in ways)
    going = tuple(PanelButton(tap.said, tap.line, main=True) for tap in chosen)
    play = play._replace(answers=(*going, *play.answers))
    return {
        "play": play,
        "chairs": () if play.over else tuple(chairs_of(table.chairs.players, book.seat)),
        "title": book.seat or "The table",
        "tabs": [
            (tab, "Play" if tab == "enter" else label, to) for tab, label, to in given["tabs"]
        ],
        "finished": play.remark.rstrip(".") if play.over else "",
        "begin": (play.question, play.remark),
        "board": board_panel(
            session,
            draft,
            logs=False,
            report=given["report"],
            dealt=(table.chairs.game.state, ways),
        ),
    }
