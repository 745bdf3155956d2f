"""The commands for editions and examples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from clue_solver.rules.edition import Edition


@click.command()
@click.argument("name", required=False)
@click.option("--template", is_flag=True, help="Print a commented edition file for you to adapt.")
def editions(name: str | None, *, template: bool) -> None:
    """
    List the editions, or print the file of one.

    NAME is a shipped edition, or the path of your own edition file, which is checked.

    \b
    Examples:
      clue-solver editions
      clue-solver editions clue-2015
      clue-solver editions --template > our-deck.toml
    """
    from clue_solver.rules import edition_files
    from clue_solver.views.document import DrawnBlocks, Rows

    shipped = edition_files.shipped_editions()
    name = edition_files.TEMPLATE if template else name
    if name is None:
        rows = [_facts(edition_files.load_edition(each)) for each in shipped]
        heads = ("name", "players", "cards", "")
        shared.terminal().print(DrawnBlocks([Rows("Editions", rows, heads, words=(0, 3))]))
    elif name in shipped:
        click.echo(edition_files.shipped_text(name), nl=False)
    else:
        own = Path(edition_files.load_edition(name).name)  # a mistake is told first
        click.echo(own.read_text("utf-8-sig"), nl=False)


def _facts(edition: Edition) -> tuple[str, str, str, str]:
    """Return an edition's name, numbers of players and of cards by category, and a description."""
    low, high = edition.players
    deck = "/".join(str(len(kind.cards)) for kind in edition.category)
    return edition.name, f"{low}-{high}", deck, f"{edition.title}. {edition.note}"


@click.command()
@click.argument("folder", default="examples", type=click.Path(file_okay=False, path_type=Path))
def examples(folder: Path) -> None:
    """
    Copy example games, decks, pads and notebooks to a folder.

    They go to FOLDER (by default, 'examples'). An existing file that differs is left unchanged.

    \b
    Examples:
      clue-solver examples
      clue-solver examples ~/clue
    """
    installed = Path(__file__).resolve().parents[2] / "examples"
    source = installed if installed.is_dir() else installed.parents[1] / "examples"  # a checkout
    for file in sorted(source.rglob("*")):
        within = file.relative_to(source)
        if file.is_dir() or any(part.startswith((".", "__")) for part in within.parts):
            continue
        there = folder / within
        there.parent.mkdir(parents=True, exist_ok=True)
        if there.exists() and there.read_bytes() != file.read_bytes():
            click.echo(f"{there}: your file differs and was left unchanged", err=True)
            continue
        there.write_bytes(file.read_bytes())
        click.echo(there)
