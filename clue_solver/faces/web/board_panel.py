"""The board on a page. It shows pieces and reachable places, and a tap on a place is a move."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from markupsafe import Markup

from clue_solver.answers.report import Report
from clue_solver.conversation.session import Session
from clue_solver.faces.web.drafts import Answered, Draft
from clue_solver.faces.web.line_pieces import nearest
from clue_solver.notation.canonical import format_line
from clue_solver.rules.observations import Move, Stay, Suggestion
from clue_solver.rules.play import Play
from clue_solver.views.board import Tap, board_picture
from clue_solver.views.html import board_section
from clue_solver.views.sentences import possessive

_NUMBERS = "A number says how likely it is that the room is in the envelope."


class BoardPanel(NamedTuple):
    """
    The board of a page.

    Attributes:
        picture: The drawing of the board.
        lines: The explanations below the board.
        marked: Whether a place on the board is chosen.
    """

    picture: Markup
    lines: tuple[str, ...]
    marked: bool


def board_panel(
    session: Session,
    draft: Draft,
    *,
    logs: bool,
    report: Report | None = None,
    dealt: tuple[Play, Mapping[str, Tap]] | None = None,
    asked: Suggestion | None = None,
) -> BoardPanel | None:
    """
    Return the board of a game; `None` if there is none, or if an entry is being edited.

    Args:
        session: The game.
        draft: The unfinished entry, which may name the player who moves.
        logs: Whether a tap on a place logs a move.
        report: The report whose chances the board shows; `None` for no chances.
        dealt: For a dealt game, the state of play and the taps on places.
        asked: A suggestion that is being answered; it has already moved the pieces that it names.
    """
    play = session.game.play() if dealt is None else dealt[0]
    if play.rules.board is None or draft.editing is not None:
        return None
    mover = draft.by or (play.due if dealt is None else play.turn) or ""
    if asked is not None:
        play, logs = play.after(asked), False
    reach = play.reach(mover)
    taps = {} if dealt is None else dict(dealt[1])
    if logs and mover and not play.moved(mover):
        taps = dict(_taps(play.turn_of(mover), mover, draft))
    drawn = board_picture(play, mover=mover, reach=reach, taps=taps, report=report)
    assert drawn is not None
    what = "a room or a square" if drawn.tappable else "a room"
    lines = [f"Tap {what} to log {mover}'s move."] if logs and taps else []
    if reach:
        kinds = {room.reach for room in drawn.rooms}
        whose = possessive(mover, session.record.table.viewer)
        coloured = drawn.near or "reach" in kinds
        if coloured:
            lines.append(f"Coloured: in {whose} reach.")
        if "maybe" in kinds:
            what = "" if coloured else f"in {whose} reach "
            lines.append(f"Dashed: {what}with a good roll.")
    lines += [_NUMBERS] if any("%" in room.prospect.sign for room in drawn.rooms) else []
    marked = any(tap.on for tap in taps.values())
    return BoardPanel(Markup(board_section(drawn)), tuple(lines), marked)


def _taps(state: Play, seat: str, draft: Draft) -> Iterator[tuple[str, Tap]]:
    """
    Yield each place to which a tap may move a seat's piece, with what the tap does.

    The places are all rooms and the squares in reach. The place where the piece stands is one of
    them only if the player may stay there.

    Args:
        state: The state of play in the seat's turn.
        seat: The seat.
        draft: The unfinished entry, which may have one of the places chosen.
    """
    table = state.rules.table
    for place in (*state.rules.ground.rooms, *state.squares(seat)):
        room = place if place in state.rules.rooms else nearest(place, table)
        printed = table.printed(room)
        where = printed if room == place else f"a square near {printed}"
        if state.place(seat) != place:
            line, said = format_line(Move(by=seat, to=place), table), f"Move to {where}"
            chosen: Answered = (Move.__name__, seat, place)
        elif state.may("stays"):
            line, said = format_line(Stay(by=seat), table), f"Stay in {printed}"
            chosen = (Stay.__name__, seat)
        else:
            continue
        yield place, Tap(Draft(chosen=chosen).query(), line, said, on=chosen == draft.chosen)
