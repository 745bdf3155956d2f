"""The commands for notes: import and export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clue_solver.errors import counted, named_entries
from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from clue_solver.game import Game


@click.command("import")
@click.argument(
    "given", metavar="FILE...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@shared.output_option
@shared.edition_option
@shared.list_option("--players", "The players in clockwise order: Ann,Ben,Cat.")
@click.option("--viewer", metavar="SEAT", help="Whose notes: a player's name, or 'spectator'.")
@click.option("--hand", metavar="LIST", default="", help="The viewer's own cards.")
@shared.list_option(
    "--columns",
    "What each column contains, in order (card,Ann,Ben,envelope or asker,cards,shower,shown); or "
    "only some columns, by title or letter (Soln=envelope,G=aside).",
    lambda text: shared.parse_pairs(text) if "=" in text else shared.parse_list(text),
)
@shared.list_option(
    "--marks",
    "What marks mean: has, lacks, maybe, nothing, either-or, or asks (only in a table of "
    "suggestions), as in X=lacks,O=has; 'numbers' stands for all numbers.",
    shared.parse_pairs,
)
@shared.list_option(
    "--called",
    "Cards and players that the notes call by other names, such as gun=Revolver,Mum=Ann.",
    shared.parse_pairs,
)
@shared.list_option("--leave", "Rows to leave out: Cellar,row 12.")
@shared.list_option("--sheet", "Which sheets of a workbook to read.")
@shared.list_option(
    "--keep",
    "Which notebook to follow where they differ: its file, or 'both'. Give one answer for all "
    "differences, or one for each, in order.",
)
@click.option(
    "--header",
    multiple=True,
    metavar="LINE",
    help="A line of the record's header: 'hands: 5, 5, ?' or 'order: right'. May be repeated.",
)
@click.option(
    "--names",
    metavar="LANGUAGE",
    help="The language of the cards' names: de, fr, es, or own (the deck's).",
)
@shared.force_option
@shared.json_option
def import_(given: tuple[str, ...], **how: Any) -> None:
    """
    Read notes as a game: a pad, a spreadsheet, several notebooks.

    FILE may be a detective's pad (cards down, players across) or a table of suggestions, as CSV, a
    workbook (.xlsx, .ods) or Markdown, or lines of text. You see how its columns and marks are
    understood, and no record is written until you say yes. In a script, say what they mean with
    --columns and --marks.

    Several records of one game are merged into one, with everything that their players know.

    \b
    Examples:
      clue-solver import pad.csv -o evening.clue
      clue-solver import pad.xlsx --columns card,Ann,Ben,envelope --marks X=lacks,O=has
      clue-solver import ann.clue ben.clue -o all.clue
    """
    from clue_solver.faces.commands.importing import import_files

    import_files(given, **how)


# Export.

FORMS = ("pad", "suggestions", "clue", "jsonl", "dimacs")
_SHEETS = (".csv", ".xlsx")
ENDINGS = {
    **dict.fromkeys(_SHEETS, "pad"),
    ".clue": "clue",
    ".jsonl": "jsonl",
    **dict.fromkeys((".cnf", ".dimacs"), "dimacs"),
}
"""The format of an exported file, by the ending of its name."""


@click.command()
@shared.game_argument
@shared.view_options
@click.option(
    "--as",
    "form",
    type=click.Choice(FORMS),
    help="A viewer's pad, the table of suggestions, the record (clue, jsonl), or a formula for SAT "
    "solvers. Default: the format implied by the output's extension, or a pad.",
)
@shared.output_option
@shared.force_option
def export(
    game: str | None, *, form: str | None, output: str | None, force: bool, **view: Any
) -> None:
    """
    Write a pad, a table, a record or a formula.

    A pad contains what a viewer can know about GAME. A tick means that a player has the card, a dot
    that the player doesn't; the same number in several cells of a column, that the player has at
    least one of these cards. Pads and tables are CSV, or a workbook if the extension says so. The
    formula (DIMACS CNF) is true for exactly the deals that fit.

    \b
    Examples:
      clue-solver export evening.clue -o pad.xlsx
      clue-solver export evening.clue --as suggestions -o table.csv
      clue-solver export evening.clue -o evening.jsonl
      clue-solver export evening.clue --as dimacs --upto 9
    """
    ending = Path(output or "").suffix.casefold()
    if form is None and ending and ending not in ENDINGS:
        expected = f"{', '.join([*ENDINGS][:-1])} or --as"
        raise click.UsageError(f"expected {expected} as the format; found {ending}")
    form = form or ENDINGS.get(ending, "pad")
    shared.check_free(output, force=force)
    what, content = _content(shared.open_game(game), view, form, ending)
    if output is None:
        shared.print_text(content.decode("utf-8"))
        return
    mark = b"\xef\xbb\xbf" if ending == ".csv" else b""  # without it Excel takes it for Latin-1
    shared.write(mark + content, output, what)


def _content(game: Game, view: dict[str, Any], form: str, ending: str) -> tuple[str, bytes]:
    """
    Return a description of what is written, and its bytes; print what is left out.

    Args:
        game: The game.
        view: The values of the view options, by name.
        form: The format, one of `FORMS`.
        ending: The ending of the file's name; empty for standard output.
    """
    from clue_solver.exchange.export import export_pad, export_suggestions
    from clue_solver.record.clue import format_record
    from clue_solver.record.jsonl import to_jsonl

    if form == "dimacs":
        return "the clauses as DIMACS CNF", game.dimacs(**view).encode("utf-8")
    if form in ("clue", "jsonl"):
        if any(each not in (None, ()) for each in view.values()):
            reason = "a record is always written whole: leave out --viewer, --upto and --suppose"
            raise click.UsageError(reason)
        text = to_jsonl(game.record) if form == "jsonl" else format_record(game.record)
        return counted(len(game.record.entries), "entry"), text.encode("utf-8")
    if ending and ending not in _SHEETS:
        raise click.UsageError(f"expected {' or '.join(_SHEETS)} to write to; found {ending}")
    if view["suppose"]:
        raise click.UsageError("--suppose works only with --as dimacs")
    table = (export_pad if form == "pad" else export_suggestions)(
        game, viewer=view["viewer"], upto=view["upto"]
    )
    if table.left_out:
        what = "a pad can't show that a player lacks at least one of several cards"
        if form == "suggestions":
            what = "a table contains only suggestions and accusations"
        click.echo(f"left out: {named_entries(table.left_out)}; {what}", err=True)
    rows = counted(len(table.rows) - 1, "row")
    what = f"a pad of {rows}" if form == "pad" else f"suggestions in {rows}"
    content = table.to_workbook() if ending == ".xlsx" else table.to_csv().encode("utf-8")
    return what, content
