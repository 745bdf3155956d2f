"""The commands that ask about a game: report, why, check, advise."""

from __future__ import annotations

from typing import Any

import click

from clue_solver.errors import Contradiction
from clue_solver.faces.commands import shared
from clue_solver.faces.commands.shared import examples, json_option, open_game, view_options

game_argument = click.argument("game", required=False, type=click.Path(allow_dash=True))


@click.command(
    epilog=examples(
        "report evening.clue",
        "report evening.clue --upto 9 --viewer Ben",
        "report --suppose 'Ben has Rope'",
    )
)
@game_argument
@view_options
@click.option(
    "--asks",
    metavar="MODEL",
    help="How players choose what to ask: any, adaptive (learned from the log), careful or "
    "'careful 0.3', then single players ('careful, Ben any'). Default: what the record says, "
    "else adaptive.",
)
@json_option
def report(game: str | None, *, as_json: bool, **view: Any) -> None:
    """
    Show the sheet: who has what, and how likely.

    GAME is a record; '-' reads standard input. Without it the last game is meant.
    """
    from clue_solver.views.charts import ASCII, UNICODE

    asked = open_game(game, **view)
    answer = asked.game.report(**asked.seen)
    console = shared.terminal()
    marks = ASCII if console.options.ascii_only else UNICODE
    shared.show(answer, as_json=as_json, width=console.width, marks=marks, lines=asked.game.lines)
    if not answer.consistent:
        raise Contradiction(answer.conflict)


@click.command(
    epilog=examples("why evening.clue rope ben", "why plum envelope", "why rope ben --upto 9")
)
@click.argument("words", metavar="[GAME] CARD HOLDER", nargs=-1, type=click.Path(allow_dash=True))
@view_options
@json_option
def why(words: tuple[str, ...], *, as_json: bool, **view: Any) -> None:
    """
    Explain why somebody has a card, or cannot have it.

    HOLDER is a player, the envelope or a face-down slot; CARD may be abbreviated. Where it is open,
    it names the entries of GAME that made it more or less likely.
    """
    game = words[0] if len(words) == 3 else None
    if len(words) not in (2, 3) or (game is None and is_record(words[0])):
        raise click.UsageError(
            "type the card and the holder, as in clue-solver why evening.clue rope ben"
        )
    card, holder = words[-2:]
    asked = open_game(game, **view)
    shared.show(asked.game.why(card, holder, **asked.seen), as_json=as_json)


def is_record(path: str) -> bool:
    """Return whether a word is the path of a record."""
    return path == shared.STDOUT or path.endswith(shared.RECORDS)


@click.command(epilog=examples("check evening.clue", "check"))
@game_argument
@view_options
@json_option
def check(game: str | None, *, as_json: bool, **view: Any) -> None:
    """
    Find what contradicts itself in a log, and suggest fixes.

    It names the entries of GAME that cannot all be true, the likeliest corrections, and the entries
    that do not follow the order of turns.
    """
    asked = open_game(game, **view)
    answer = asked.game.check(**asked.seen)
    shared.show(answer, as_json=as_json)
    if answer.conflict is not None:
        raise Contradiction(answer.conflict)


@click.command(
    epilog=examples(
        "advise evening.clue", "advise --at Hall --roll 7", "advise --rooms Hall,Study --top 3"
    )
)
@game_argument
@view_options
@click.option("--rooms", metavar="LIST", help="The rooms that you can reach: Hall,Study.")
@click.option(
    "--at",
    metavar="ROOM",
    help="Where you are; the board tells what you can reach. Default: as GAME says.",
)
@click.option("--roll", type=int, help="What you rolled. Default: every roll counts.")
@click.option(
    "--dice",
    metavar="LIST",
    help="Your roll in Clue Diced: three suspects and the bonus die, Plum,Green,Orchid,glass.",
)
@click.option("--top", type=click.IntRange(min=1), help="How many suggestions to list.")
@click.option("--explain", is_flag=True, help="Show all numbers, and what they mean.")
@json_option
def advise(
    game: str | None,
    *,
    viewer: str | None,
    upto: int | None,
    suppose: tuple[str, ...],
    top: int | None,
    explain: bool,
    as_json: bool,
    **turn: Any,
) -> None:
    """
    Say what to ask next, and whether to accuse now.

    It also says which other players of GAME may be about to solve it.
    """
    from clue_solver.views.sentences import ending_text

    asked = open_game(game, viewer=viewer, upto=upto, suppose=suppose)
    with shared.working("advice"):
        answer = asked.game.advice(**asked.seen, **turn)
    record = asked.game.record
    over = (record if upto is None else record.upto(upto)).ended
    if as_json:
        click.echo(answer.top(top).to_json() if top else answer.to_json())
    elif over:
        click.echo(f"The game is over: {ending_text(over)}")
    else:
        shared.show(answer, as_json=False, most=top, explain=explain)
