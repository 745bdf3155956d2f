"""The commands on files: import and export, editions, examples."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal, NoReturn, get_args

import click

from clue_solver.errors import Contradiction, counted, printable
from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from clue_solver.exchange.imports import Imported, Unsaid
    from clue_solver.exchange.merging import Merged
    from clue_solver.record import Record


@click.command(
    "import",
    cls=shared.Command,
    examples=(
        "import pad.csv -o evening.clue",
        "import table.xlsx -o evening.clue --players Ann,Ben,Cat,Dan --viewer Ann",
        "import ann.clue ben.clue -o all.clue",
    ),
)
@click.argument(
    "given", metavar="FILE...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@shared.to_file
@click.option(
    "--edition",
    metavar="NAME",
    shell_complete=shared.of_the_shelf,
    help="A shipped edition, or the path of a file.",
)
@click.option("--players", metavar="LIST", default="", help="The players, clockwise: Ann,Ben,Cat.")
@click.option("--viewer", metavar="SEAT", help="Whose notes these are.")
@click.option("--hands", metavar="LIST", default="", help="Hand sizes, same order: 5,5,?.")
@click.option("--hand", metavar="LIST", default="", help="The viewer's own cards.")
@click.option(
    "--mark",
    "marks",
    multiple=True,
    metavar="MARK=MEANING",
    help="What a mark on a pad means: 'X=lacks', 'o=has', '-=maybe'. May be repeated.",
)
@click.option(
    "--sheet", metavar="NAME", multiple=True, help="Which sheet of a workbook. May be repeated."
)
@shared.seldom("--face-up", metavar="LIST", default="", help="Cards that lie open: White,Rope.")
@shared.seldom("--face-down", metavar="LIST", default="", help="Undealt cards: Hall,Pool 3.")
@shared.seldom("--order", type=click.Choice(("left", "right")), help="Who answers first.")
@shared.seldom(
    "--answers",
    type=click.Choice(("first", "all")),
    help="Who shows a card: the first who can, or all.",
)
@shared.seldom("--names", metavar="LANGUAGE", help="The language of the cards' names: de, fr, es.")
@shared.seldom("--mend", is_flag=True, help="Take the names that are proposed for misspelt ones.")
@shared.seldom(
    "--leave", multiple=True, metavar="TITLE", help="A column or row to ignore. May be repeated."
)
@shared.seldom(
    "--called",
    multiple=True,
    metavar="MUM=ANN",
    help="A player or card that the notes, or some of several notebooks, call otherwise. May be "
    "repeated.",
)
@shared.forced
@click.option("--json", "as_json", is_flag=True, help="Print what was understood as JSON.")
def import_(
    given: tuple[str, ...],
    *,
    called: tuple[str, ...],
    output: str | None,
    force: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """
    Read notes: pads, spreadsheets, several notebooks.

    FILE is a detective's pad (cards down, players across) or a table of suggestions, as CSV, a
    workbook (.xlsx, .ods) or markdown; it becomes a record. It asks for what the notes do not
    say, unless options say it, and shows what it understood.

    Several records of one game become one, with all that their players know.
    """
    shared.check_free(output, force=force)
    names = dict(_renaming(pair) for pair in called)
    if len(given) == 1:
        said["called"] = names
        _import_notes(given[0], said, output=output, force=force, as_json=as_json)
        return
    for param in click.get_current_context().command.params:
        if said.get(str(param.name)):
            raise click.UsageError(
                f"{param.opts[-1]} is for one file of notes; several are records of one game"
            )
    _lay_together(given, output=output, force=force, as_json=as_json, called=names)


def _renaming(pair: str) -> tuple[str, str]:
    """Return what a player is called in a notebook, and the name that is meant."""
    name, equals, meant = (part.strip() for part in pair.partition("="))
    if not (name and equals and meant):
        raise click.UsageError(f"--called: expected 'Mum=Ann'; found '{printable(pair)}'")
    return name, meant


def _import_notes(
    file: str, said: dict[str, Any], *, output: str | None, force: bool, as_json: bool
) -> None:
    """Write notes as a record."""
    from clue_solver.exchange.marks import parse_marks
    from clue_solver.exchange.pads import import_notes
    from clue_solver.record.files import placed

    said = said | {
        "players": _listed(said["players"]),
        "face_up": _listed(said["face_up"]),
        "marks": parse_marks(said["marks"]),
    }
    asks = file != shared.STDOUT and not as_json and _can_ask()
    notes, asked = _imported(partial(import_notes, file), said, asks=asks)
    beside = Path(file).parent if notes.kind == "record" else Path()
    record = placed(notes.record, beside, Path(output or "").parent)
    answer = notes.to_dict() if as_json else None
    if asked:
        from clue_solver.record import format_record

        for line in (*_understood(notes), *format_record(record).splitlines()):
            click.echo(printable(line, most=len(line) + 1), err=True)
        if not click.confirm("Write this?", default=True, err=True):
            click.echo("nothing was written", err=True)
            return
    lines = (lambda _: ()) if asked else (lambda _: _understood(notes))
    _write(record, output, answer=answer, lines=lines, force=force)


def _lay_together(
    games: Sequence[str],
    *,
    output: str | None,
    force: bool,
    as_json: bool,
    called: Mapping[str, str],
) -> None:
    """Write notebooks of one game as one record, and say where they differ."""
    from clue_solver.exchange.merging import merge
    from clue_solver.record import load_record
    from clue_solver.record.files import placed

    records = [load_record(game) for game in games]
    if not called and not as_json and shared.STDOUT not in games and _can_ask():
        called = _asked_who(records, _names(games))
    merged = merge(records, names=_names(games), called=called, force=force)
    record = placed(merged.record, Path(games[0]).parent, Path(output or "").parent)
    answer = merged.to_dict() if as_json else None
    _write(record, output, answer=answer, lines=partial(_laid, merged), force=force)


def _asked_who(records: Sequence[Record], books: Sequence[str]) -> dict[str, str]:
    """Ask who the players are that the first notebook calls otherwise; none if it cannot be."""
    called: dict[str, str] = {}
    seats = records[0].table.seats
    for record, book in zip(records[1:], books[1:], strict=True):
        others = record.table.seats
        left = [seat for seat in seats if seat not in others]
        for name in others if len(others) == len(seats) else ():
            if name not in seats and name not in called:
                click.echo(f"{book}: who is {printable(name)} in {books[0]}?", err=True)
                called[name] = click.prompt(name, type=click.Choice(left), err=True)
    return called


def _can_ask() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _imported(
    reading: Callable[..., Imported], said: dict[str, Any], *, asks: bool
) -> tuple[Imported, bool]:
    """Return what notes tell, and whether a person was asked for what they do not say."""
    from clue_solver.exchange.imports import Unclear

    asked = False
    while True:
        try:
            return reading(**said), asked
        except Unclear as error:
            if not asks or error.faults or not error.questions:
                raise
            for question in error.questions:
                said |= _answered(question, said)
            asked = True


def _answered(question: Unsaid, said: dict[str, Any]) -> dict[str, Any]:
    """Ask a person a question of the notes; return the argument that the answer is."""
    name = question.argument
    click.echo(question.text, err=True)
    if name == "marks":
        kind = click.Choice(question.choices)
        meanings = {
            mark: click.prompt(f"'{printable(mark)}' means", type=kind, err=True)
            for mark in question.marks
        }
        return {name: {**said[name], **meanings}}
    if name == "called":
        meant = {
            text: click.prompt(
                f"'{printable(text)}' is (empty to leave it aside)", default="", err=True
            )
            for text in question.marks
        }
        left = tuple(text for text in meant if not meant[text])
        known = {text: name for text, name in meant.items() if name}
        return {"called": {**said["called"], **known}, "leave": (*said["leave"], *left)}
    if name == "mend":
        return {
            name: click.confirm("Do you mean these names?", default=True, err=True) or _give_up()
        }
    if name == "leave":
        if not click.confirm("Leave it aside?", default=False, err=True):
            _give_up()
        return {name: (*said[name], question.column)}
    several = name in ("players", "sheet")
    choice = click.Choice(question.choices) if question.choices and not several else None
    answer = click.prompt(name.replace("_", " "), type=choice, err=True)
    return {name: _listed(answer) if several else answer}


def _give_up() -> NoReturn:
    raise click.ClickException("nothing was written: mend the notes and import them again")


Form = Literal["pad", "suggestions", "clue", "jsonl", "dimacs"]
FORMS: tuple[Form, ...] = get_args(Form)
ENDINGS: dict[str, Form] = {
    ".csv": "pad",
    ".xlsx": "pad",
    ".ods": "pad",
    ".clue": "clue",
    ".jsonl": "jsonl",
    ".cnf": "dimacs",
    ".dimacs": "dimacs",
}
"""The form that a file's ending means."""


@click.command(
    cls=shared.OnLastGame,
    examples=(
        "export evening.clue -o pad.xlsx",
        "export evening.clue --as suggestions -o table.csv",
        "export evening.clue -o evening.jsonl",
        "export evening.clue --as dimacs --upto 9",
    ),
)
@shared.reads_game
@click.option(
    "--as",
    "form",
    type=click.Choice(FORMS),
    help="A viewer's pad, the table of suggestions, the record (clue, jsonl), or a formula for SAT "
    "solvers. Default: by the ending of the output, else a pad.",
)
@shared.to_file
@shared.forced
def export(
    asked: shared.GameOptions, *, form: Form | None, output: str | None, force: bool
) -> None:
    """
    Write a pad, a table, a record or a formula.

    A pad has what a viewer can know of GAME: a tick for a card, a dot for none; cells of a column
    with the same number are an either-or: at least one of these cards is there. Pads and tables are
    CSV, or a workbook by the ending. A formula (DIMACS CNF) has the deals that fit as its models.
    """
    ending = Path(output or "").suffix.casefold()
    if form is None and ending and ending not in ENDINGS:
        expected = f"{', '.join([*ENDINGS][:-1])} or --as"
        raise click.UsageError(f"expected {expected} to say what to write; found {ending}")
    form = form or ENDINGS.get(ending, "pad")
    shared.check_free(output, force=force)
    if form in ("pad", "suggestions"):
        _write_table(asked, output, ending=ending, suggestions=form == "suggestions")
    else:
        _write_record(asked, output, form)


def _write_table(
    asked: shared.GameOptions, output: str | None, *, ending: str, suggestions: bool
) -> None:
    """Write a pad or the table of suggestions; say what is not on it."""
    from clue_solver.exchange.pads import export_pad, export_suggestions
    from clue_solver.record.files import write_whole

    if ending and ENDINGS.get(ending) != "pad":
        raise click.UsageError(f"expected .csv, .xlsx or .ods to write to; found {ending}")
    if asked.game.supposed:
        raise click.UsageError("--suppose chooses what goes into a formula: add --as dimacs")
    write = export_suggestions if suggestions else export_pad
    table = write(asked.game, viewer=asked.seen["viewer"], upto=asked.seen["upto"])
    if output is None:
        shared.put(table.to_csv())
    elif ending in (".xlsx", ".ods"):
        write_whole(table.to_workbook(ending), output)
    else:
        write_whole(table.to_csv().encode("utf-8-sig"), output)
    if table.left_out:
        entries = ", ".join(map(str, table.left_out))
        what = "a pad cannot say that somebody lacks one of several cards"
        if suggestions:
            what = "a table holds suggestions and accusations alone"
        click.echo(f"left out: entry {entries}; {what}", err=True)


def _write_record(asked: shared.GameOptions, output: str | None, form: Form) -> None:
    """Write a game as a record in the notation or in JSON Lines, or as a formula."""
    from clue_solver.record import format_record, save, to_jsonl
    from clue_solver.record.files import write_whole

    record = asked.game.record
    if form == "dimacs":
        text = asked.game.dimacs(viewer=asked.seen["viewer"], upto=asked.seen["upto"])
        if output is None:
            shared.put(text)
        else:
            write_whole(text.encode("utf-8"), output)
    elif set(asked.seen.values()) != {None} or asked.game.supposed:
        raise click.UsageError(
            "a record is written whole: --viewer, --upto and --suppose choose what goes into a "
            "formula (--as dimacs)"
        )
    elif output is None:
        shared.put(to_jsonl(record) if form == "jsonl" else format_record(record))
    else:
        save(record, output, form="jsonl" if form == "jsonl" else "clue")


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(",")) if text.strip() else ()


def _names(paths: Sequence[str]) -> tuple[str, ...]:
    """What to call notebooks: their files' names, or their paths where two are called the same."""
    names = [os.path.basename(path) for path in paths]  # noqa: PTH119
    return tuple(names if len(set(names)) == len(names) else paths)


def _understood(notes: Imported) -> Iterator[str]:
    """Yield what was understood of notes, a line each, and what was left aside."""
    yield "understood"
    for line in notes.understood:
        yield f"  {line}"
    for mark, meaning, cells in notes.marks:
        yield f"  {printable(mark)} is {meaning}, in {counted(cells, 'cell')}"
    if notes.aside:
        yield "left aside"
    for line in notes.aside:
        yield f"  {line}"


def _laid(merged: Merged, conflict: tuple[int, ...] | None) -> Iterator[str]:
    """Yield what laying notebooks together did, a line each."""
    from clue_solver.notation import format_line

    yield (
        f"{len(merged.names)} notebooks, {len(merged.told)} entries together; "
        f"{merged.filled} filled in from another notebook"
    )
    for number, lacking in merged.missed:
        line = format_line(merged.told[number - 1].entry.observation, merged.record.table)
        where = ", ".join(map(printable, lacking))
        yield f"  entry {number} is not in {where}: {printable(line, most=200)}"
    for difference in merged.differences:
        yield f"  they disagree: {difference}"
    for number in conflict or ():
        yield f"  entry {number} is {merged.places(number)}"


def _write(
    record: Record,
    output: str | None,
    *,
    answer: dict[str, Any] | None,
    lines: Callable[[tuple[int, ...] | None], Iterable[str]],
    force: bool,
) -> None:
    """
    Say what was understood, and write the record to its file or to standard output.

    Args:
        record, output: What to write, and where.
        answer: What to print as JSON, with the record where it goes to no file; else `None`.
        lines: Gives what to say instead, from the entries that cannot all be true.
        force: Whether to write a record that contradicts itself.

    Raises:
        Contradiction: If its entries cannot all be true; nothing is written then unless forced.
    """
    from clue_solver.answers.turns import odd_turns
    from clue_solver.exchange.merging import clash
    from clue_solver.notation import format_line
    from clue_solver.record import format_record, save
    from clue_solver.views.arguments import turn_texts

    conflict = clash(record)
    turns = odd_turns(record.table, record.observations)
    if answer is not None:
        answer |= {"conflict": None if conflict is None else list(conflict)}
        answer |= {"turns": None if turns is None else [turn._asdict() for turn in turns]}
        answer |= {"record": format_record(record)} if output is None else {}
        click.echo(json.dumps(answer, ensure_ascii=False))
    for said in (*lines(conflict), *turn_texts(turns)) if answer is None else ():
        click.echo(said, err=True)
    for number in conflict or ():
        line = format_line(record.entries[number - 1].observation, record.table)
        click.echo(f"  {number:>4}  {printable(line, most=200)}", err=True)
    if conflict is not None and not force:
        click.echo("nothing was written (--force writes it anyway)", err=True)
    elif output is not None:
        save(record, output)
        click.echo(f"{output} written: {len(record.entries)} entries", err=True)
    elif answer is None:
        shared.put(format_record(record))
    if conflict is not None:
        raise Contradiction(conflict)


@click.command(
    cls=shared.Command,
    examples=("editions", "editions clue-2015", "editions --template > our-deck.toml"),
)
@click.argument("name", required=False, shell_complete=shared.of_the_shelf)
@click.option("--template", is_flag=True, help="Print an edition file with comments, to change.")
def editions(name: str | None, *, template: bool) -> None:
    """
    List the editions, or show the rules and cards of one.

    NAME is that of a shipped edition, or the path of an edition file.
    """
    from clue_solver.rules import edition as shelf

    if template:
        click.echo(shelf.template(), nl=False)
        return
    from clue_solver.views.editions import edition_details, edition_list

    if name is None:
        known = [shelf.load_edition(shipped) for shipped in shelf.shipped_editions()]
        shared.terminal().print(edition_list(known))
    else:
        shared.terminal().print(edition_details(shelf.load_edition(name)))


def example_files() -> Iterator[tuple[PurePath, bytes]]:
    """Yield the examples, of the installed package, even a zipped one, or beside a checkout's."""
    from importlib import resources

    package = resources.files("clue_solver")
    inside = package / "examples"
    beside = Path(__file__).resolve().parents[3] / "examples"
    yield from _files_in(inside if inside.is_dir() else beside, PurePath())


def _files_in(folder: Traversable, within: PurePath) -> Iterator[tuple[PurePath, bytes]]:
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.startswith((".", "__")):
            continue
        if file.is_dir():
            yield from _files_in(file, within / file.name)
        else:
            yield within / file.name, file.read_bytes()


@click.command(cls=shared.Command, examples=("examples", "examples ~/clue"))
@click.argument("folder", default="examples", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Overwrite files that differ.")
def examples(folder: Path, *, force: bool) -> None:
    """
    Copy games, decks, pads and notebooks to try.

    They go to FOLDER, 'examples' if left out.
    """
    contents = {folder / path: content for path, content in example_files()}
    if not force:
        for there, content in contents.items():
            if there.exists() and there.read_bytes() != content:
                shared.check_free(str(there), force=False)
    for there, content in contents.items():
        there.parent.mkdir(parents=True, exist_ok=True)
        if not there.exists() or there.read_bytes() != content:
            there.write_bytes(content)
        click.echo(there)
