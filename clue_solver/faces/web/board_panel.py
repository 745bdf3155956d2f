"""The board on a page: where the pieces stand, what is in reach, and a tap that logs a move."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from clue_solver.conversation.session import Session
from clue_solver.faces.answering import reach_of
from clue_solver.faces.web.drafts import OTHER, Draft
from clue_solver.notation import format_line
from clue_solver.notation.names import joined
from clue_solver.rules.observations import Move, Stay
from clue_solver.rules.play import PlayState
from clue_solver.views.board import Tap, board_picture
from clue_solver.views.html import board_section

_REACHED = {
    (True, True): "Lit rooms are in reach, dashed ones if the dice are kind.",
    (True, False): "Lit rooms are in reach.",
    (False, True): "Dashed rooms are in reach if the dice are kind.",
    (False, False): "No room is in reach.",
}
"""What is in reach: whether some rooms are for certain, whether some may be by the dice."""

_NAMED = 3
"""The most players that are named whose pieces may be anywhere."""


class BoardPanel(NamedTuple):
    """The board as it is drawn, what stands under it, and whether its rooms can be tapped."""

    picture: Markup
    lines: tuple[str, ...]
    tapped: bool


def board_panel(
    session: Session,
    draft: Draft,
    *,
    logs: bool,
    seats: Mapping[str, str],
    suspects: Mapping[str, str],
    dealt: tuple[PlayState, Mapping[str, Tap]] | None = None,
) -> BoardPanel | None:
    """
    Return the board of a game; `None` where it has none, or an earlier entry is changed.

    Args:
        session: The game.
        draft: What has been tapped so far, which says whose move it is if the log does not.
        logs: Whether a tap on a room logs the move.
        seats, suspects: The colours of the players, and of the suspects' pieces.
        dealt: Where the program deals, the state of play and what a tap on a room answers.
    """
    play = session.play if dealt is None else dealt[0]
    if play.rules.board is None or draft.editing is not None:
        return None
    mover = draft.by or play.due or ""
    reach = reach_of(play, mover)
    taps = {} if dealt is None else dict(dealt[1])
    if logs and mover and not play.moved(mover):
        taps = dict(_taps(play.turn_of(mover), mover))
    drawn = board_picture(play, mover=mover, reach=reach, taps=taps, seats=seats, suspects=suspects)
    assert drawn is not None
    shown = {room.reach for room in drawn.rooms}
    lines = [f"Tap a room to log {mover}'s move."] if logs and taps else []
    if play.goes_on(mover) and play.total:
        lines.append(f"{mover} rolled {play.total}.")
    if reach:
        lines.append(_REACHED["reach" in shown, "maybe" in shown])
    places = {seat: play.stands(seat) for seat in play.rules.table.seats}
    lost = [seat for seat, place in places.items() if place & (place - 1)]
    if len(lost) > _NAMED:
        lines.append("The log does not say where most pieces stand.")
    elif lost:
        lines.append(f"The log does not say where {joined(lost, 'and')} {_stands(lost)}.")
    return BoardPanel(Markup(board_section(drawn)), tuple(lines), bool(taps))


def _taps(state: PlayState, seat: str) -> Iterator[tuple[str, Tap]]:
    """Yield what a tap on each room means in a seat's turn."""
    table = state.rules.table
    for room in state.rules.ground.bit:
        printed = table.edition.printed(room, table.language)
        if state.place(seat) != room:
            href = Draft(kind=OTHER, chosen=("Move", seat, room)).query()
            line = format_line(Move(by=seat, to=room), table)
            yield room, Tap(href, line, f"Move to {printed}")
        elif state.may("stays"):
            href = Draft(kind=OTHER, chosen=("Stay", seat)).query()
            yield room, Tap(href, format_line(Stay(by=seat), table), f"Stay in {printed}")


def _stands(seats: list[str]) -> str:
    return "stands" if len(seats) == 1 else "stand"
