"""The commands on notes: import and export."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from clue_solver.errors import ClueError, Contradiction, RecordError, counted, printable
from clue_solver.faces.commands import shared

if TYPE_CHECKING:
    from clue_solver.exchange.headers import Disagreement
    from clue_solver.exchange.imports import Imported, Unclear
    from clue_solver.exchange.mapping import Question
    from clue_solver.exchange.merging import Merged
    from clue_solver.game import Game
    from clue_solver.record import Record


@click.command("import")
@click.argument(
    "given", metavar="FILE...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@shared.output_option
@shared.edition_option
@shared.players_option
@click.option("--viewer", metavar="SEAT", help="Whose notes these are.")
@click.option("--hands", metavar="LIST", default="", help="Hand sizes, same order: 5,5,?.")
@click.option("--hand", metavar="LIST", default="", help="The viewer's own cards.")
@click.option(
    "--columns",
    metavar="LIST",
    default="",
    help="What the columns are, card,Ann,Ben,envelope or asker,cards,shower,shown; or some of "
    "them, by title or letter: Soln=envelope,G=aside.",
)
@click.option(
    "--marks",
    metavar="LIST",
    default="",
    help="What marks mean: has, lacks, maybe, nothing, asks or either-or, as in X=lacks,O=has; "
    "'numbers' means all of them.",
)
@click.option(
    "--called",
    metavar="LIST",
    default="",
    help="Cards and players that the notes call otherwise: gun=Revolver,Mum=Ann.",
)
@click.option("--leave", metavar="LIST", default="", help="Rows to leave out: Cellar,row 12.")
@click.option("--sheet", metavar="LIST", default="", help="Which sheets of a workbook.")
@click.option(
    "--keep",
    metavar="LIST",
    default="",
    help="Whose account to keep where notebooks differ: a file, or both; for all, or one by one.",
)
@click.option("--face-up", metavar="LIST", default="", help="Cards that lie open: White,Rope.")
@click.option("--face-down", metavar="LIST", default="", help="Undealt cards: Hall,Pool 3.")
@click.option("--order", type=click.Choice(("left", "right")), help="Who answers first.")
@click.option(
    "--answers",
    type=click.Choice(("first", "all")),
    help="Who shows a card: the first who can, or all.",
)
@click.option(
    "--names", metavar="LANGUAGE", help="The language of the cards' names: de, fr, es, or own."
)
@shared.force_option
@click.option("--json", "as_json", is_flag=True, help="Print what was understood as JSON.")
def import_(
    given: tuple[str, ...],
    *,
    called: str,
    keep: str,
    output: str | None,
    force: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """
    Read notes: pads, spreadsheets, several notebooks.

    FILE is a detective's pad (cards down, players across), a table of suggestions, as CSV, a
    workbook (.xlsx, .ods) or markdown, or lines of words; it becomes a record. You see what its
    columns and marks are taken for, and nothing is written until you say yes. A script says it with
    --columns and --marks.

    Several records of one game become one, with all that their players know.

    \b
    Examples:
      clue-solver import pad.csv -o evening.clue
      clue-solver import pad.xlsx --columns card,Ann,Ben,envelope --marks X=lacks,O=has
      clue-solver import ann.clue ben.clue -o all.clue
    """
    shared.check_free(output, force=force)
    names = _pairs("--called", called)
    asks = not as_json and shared.STDOUT not in given and _can_ask()
    if len(given) == 1:
        said["called"] = names
        _import_notes(given[0], said, output, force=force, as_json=as_json, asks=asks)
        return
    for param in click.get_current_context().command.params:
        if said.get(str(param.name)):
            raise click.UsageError(
                f"{param.opts[-1]} is for one file of notes; several are records of one game"
            )
    chosen = [name.strip() for name in keep.split(",")] if keep else []
    _merge(given, output, called=names, keep=chosen, force=force, as_json=as_json, asks=asks)


def _can_ask() -> bool:
    """Whether a person sits at both ends."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(",")) if text.strip() else ()


def _pairs(option: str, text: str) -> dict[str, str]:
    """Return what an option gives meanings: `X=lacks,O=has`."""
    pairs = {}
    for pair in _listed(text):
        name, _, meaning = pair.rpartition("=")
        if not name or not meaning:
            raise click.UsageError(f"{option}: expected 'X=...'; found '{printable(pair)}'")
        pairs[name.strip()] = meaning.strip()
    return pairs


# One file of notes.


def _import_notes(
    file: str,
    said: dict[str, Any],
    output: str | None,
    *,
    force: bool,
    as_json: bool,
    asks: bool,
) -> None:
    """Write notes as a record, once a person or the options say what they mean."""
    from clue_solver.exchange.imports import Unclear, import_notes
    from clue_solver.record.files import placed

    columns = said["columns"]
    for name in ("players", "face_up", "leave", "sheet"):
        said[name] = _listed(said[name])
    said["marks"] = _pairs("--marks", said["marks"])
    said["columns"] = _pairs("--columns", columns) if "=" in columns else _listed(columns)
    try:
        notes = (
            _confirmed(partial(import_notes, file), said) if asks else import_notes(file, **said)
        )
    except Unclear as error:
        raise RecordError(_refusal(error), path=error.path) from None
    beside = Path(file).parent if notes.kind == "record" else Path()
    record = placed(notes.record, beside, Path(output or "").parent)
    answer = notes.to_dict() if as_json else None
    told = [] if asks else [*_told(notes.understood, notes.items, notes.aside)]
    _write(record, output, answer=answer, lines=lambda _: told, force=force)


def _refusal(error: Unclear) -> str:
    """Return what stands against notes, and the options that would say what is asked."""
    options: dict[str, list[str]] = {}
    for question in error.questions:
        answer = question.guess or "?"
        said = f"{question.about}={answer}" if question.about else answer
        said = question.about if question.argument == "leave" else said
        name = question.argument
        if question.row and "," in question.about:  # no option can say a whole line
            name, said = "leave", f"row {question.row}"
        options.setdefault(name, []).append(said)
    lines = [f"  --{name} {shlex.quote(','.join(each))}" for name, each in options.items()]
    say = ["\n  say what it is:", *(f"  {line}" for line in lines)] if lines else []
    return "\n".join([str(error).removeprefix(f"{error.path}: "), *say])


def _told(shown: Sequence[str], items: Sequence[Question], aside: Sequence[str]) -> Iterator[str]:
    """Yield what notes were taken for, a line each, with the numbers that change it."""
    what, *samples = shown or [""]
    yield what
    groups: dict[str, list[str]] = {"table": [], "columns": [], "marks": []}
    for number, item in enumerate(items, 1):
        means = item.guess or "?"
        about = "" if item.about in ("", means) else f"{printable(item.about)} "
        count = f" ({item.cells})" if item.cells else ""
        group = item.argument if item.argument in groups else "table"
        groups[group].append(f"{number} {about}{printable(means)}{count}")
    for group, told in groups.items():
        if told:
            yield f"{group:8} {'   '.join(told)}"
    yield from samples
    if aside:
        yield f"left out: {'; '.join(aside)}"


def _confirmed(reading: Callable[..., Imported], said: dict[str, Any]) -> Imported:
    """Return notes as a person confirms them, who answers what is asked and changes guesses."""
    from clue_solver.exchange.imports import Imported, Unclear

    known: dict[str, Any] | None = None  # before the last correction
    known_faults = 0
    while True:
        found: Imported | Unclear | None = None
        faults: tuple[str, ...] = ()
        asked: list[Question] = []
        try:
            found = reading(**said, guess=True)
        except Unclear as error:
            found = error
            faults = error.faults
            asked = [question for question in error.questions if not question.guess]
        except ClueError as error:
            if known is None:
                raise
            faults = (str(error),)
        if known is not None and len(faults) > known_faults:  # it cannot be
            found, said = None, known
        for fault in faults:
            click.echo(printable(f"! {fault}", most=len(fault) + 3), err=True)
        if found is None:
            continue
        if isinstance(found, Imported) and found.kind == "record":
            return found
        known, known_faults = None if asked else said, len(faults)
        for line in _told(found.understood, found.items, found.aside):
            click.echo(printable(line, most=len(line) + 1), err=True)
        if asked:
            said = _answered(asked[0], said, found.items)
            continue
        ready = not isinstance(found, Unclear)
        writes = "y writes the record, " if ready else ""
        text = f"{writes}n stops, a number changes that guess"
        answer = click.prompt(text, err=True).strip().casefold()
        if answer in ("n", "no"):
            raise click.ClickException("nothing was written")
        if answer in ("y", "yes") and not isinstance(found, Unclear):
            return found
        if answer.isdecimal() and 0 < int(answer) <= len(found.items):
            said = _answered(found.items[int(answer) - 1], said, found.items)


_MOST_CHOICES = 16
"""How many answers to a question are listed at most."""


def _answered(
    question: Question, said: dict[str, Any], items: Sequence[Question]
) -> dict[str, Any]:
    """Ask a person a question of the notes; return all that is said with the answer."""
    name = question.argument
    click.echo(printable(question.text, most=400), err=True)
    if name == "leave":
        if not click.confirm("Leave it out?", default=True, err=True):
            raise click.ClickException("nothing was written: correct the notes first")
        return {**said, name: (*said[name], question.about)}
    choices = question.choices if len(question.choices) < _MOST_CHOICES else ()
    if choices:
        numbered = (f"{number} {printable(each)}" for number, each in enumerate(choices, 1))
        click.echo(f"  {'   '.join(numbered)}", err=True)
    default = question.guess or ("" if name == "called" else None)
    title = printable(question.about or name)
    chosen = partial(_chosen, choices, only=name in ("viewer", "edition", "answers", "marks"))
    answer = click.prompt(title, default=default, value_proc=chosen, err=True)
    if name == "called" and not answer:
        return {**said, "leave": (*said["leave"], question.about)}
    if name in ("players", "sheet"):
        return {**said, name: _listed(answer)}
    if name not in ("columns", "marks", "called"):
        return {**said, name: answer}
    known = said[name]
    if isinstance(known, tuple):  # all columns were said in their order
        known = {item.about: item.guess for item in items if known and item.argument == name}
    return {**said, name: {**known, question.about: answer}}


def _chosen(choices: Sequence[str], text: str, *, only: bool) -> str:
    """Return the answer that a person typed, or its number; refuse others if `only` these are."""
    answer = text.strip()
    if answer.isdecimal() and 0 < int(answer) <= len(choices):
        return choices[int(answer) - 1]
    if only and choices and answer.casefold() not in map(str.casefold, choices):
        raise click.UsageError(f"expected one of {', '.join(choices)}")
    return answer


# Several notebooks.


def _merge(
    games: Sequence[str],
    output: str | None,
    *,
    called: dict[str, str],
    keep: Sequence[str],
    force: bool,
    as_json: bool,
    asks: bool,
) -> None:
    """Write notebooks of one game as one record, once it is chosen what to keep of each."""
    from clue_solver.exchange.headers import Disagreement
    from clue_solver.exchange.merging import merge
    from clue_solver.record import load_record
    from clue_solver.record.files import placed

    records = [load_record(game) for game in games]
    names = _names(games)
    if not called and asks:
        called = _asked_who(records, names)
    kept: str | Sequence[str] = keep[0] if len(keep) == 1 else keep
    while True:
        try:
            merged = merge(records, names=names, called=called, keep=kept)
            break
        except Disagreement as error:
            if not (asks and error.books):
                hint = f"\n  say what to keep: --keep {names[0]}, or both" if error.books else ""
                raise RecordError(f"{error}{hint}", argument="keep") from None
            kept = list(_kept(error))
    record = placed(merged.record, Path(games[0]).parent, Path(output or "").parent)
    answer = merged.to_dict() if as_json else None
    _write(record, output, answer=answer, lines=partial(_laid, merged), force=force)


def _kept(error: Disagreement) -> Iterator[str]:
    """Yield whose account a person keeps of each difference."""
    for difference, books in zip(error.differences, error.books, strict=True):
        click.echo(printable(difference, most=400), err=True)
        yield click.prompt("Keep", type=click.Choice([*books, "both"]), err=True)


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


def _names(paths: Sequence[str]) -> tuple[str, ...]:
    """What to call notebooks: their files' names, or their paths where two are called the same."""
    names = [os.path.basename(path) for path in paths]  # noqa: PTH119
    return tuple(names if len(set(names)) == len(names) else paths)


def _laid(merged: Merged, conflict: tuple[int, ...] | None) -> Iterator[str]:
    """Yield what laying notebooks together did, a line each."""
    yield f"{len(merged.names)} notebooks, {counted(len(merged.told), 'entry')} in all"
    for difference in merged.differences:
        yield f"  the notebooks differ: {difference}"
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
    from clue_solver.views.reasons import turn_texts

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
        shared.tell_written(output, counted(len(record.entries), "entry"))
    elif answer is None:
        shared.put(format_record(record))
    if conflict is not None:
        raise Contradiction(conflict)


# Out again.

Form = Literal["pad", "suggestions", "clue", "jsonl", "dimacs"]
FORMS: tuple[Form, ...] = get_args(Form)
ENDINGS: dict[str, Form] = {
    ".csv": "pad",
    ".xlsx": "pad",
    ".clue": "clue",
    ".jsonl": "jsonl",
    ".cnf": "dimacs",
    ".dimacs": "dimacs",
}
"""The form that a file's ending means."""
_SHEETS = (".csv", ".xlsx")


@click.command()
@shared.game_argument
@shared.view_options
@click.option(
    "--as",
    "form",
    type=click.Choice(FORMS),
    help="A viewer's pad, the table of suggestions, the record (clue, jsonl), or a formula for SAT "
    "solvers. Default: by the ending of the output, else a pad.",
)
@shared.output_option
@shared.force_option
def export(
    game: str | None, *, form: Form | None, output: str | None, force: bool, **view: Any
) -> None:
    """
    Write a pad, a table, a record or a formula.

    A pad has what a viewer can know of GAME: a tick for a card, a dot for none; cells of a column
    with the same number are an either-or: at least one of these cards is there. Pads and tables are
    CSV, or a workbook by the ending. A formula (DIMACS CNF) has the deals that fit as its models.

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
        raise click.UsageError(f"expected {expected} to say what to write; found {ending}")
    form = form or ENDINGS.get(ending, "pad")
    shared.check_free(output, force=force)
    what, content = _exported(shared.open_game(game), view, form, ending)
    if output is None:
        shared.put(content.decode("utf-8"))
        return
    mark = b"\xef\xbb\xbf" if ending == ".csv" else b""  # without it Excel takes it for Latin-1
    shared.write(mark + content, output, what)


def _exported(game: Game, view: dict[str, Any], form: Form, ending: str) -> tuple[str, bytes]:
    """Return what is written, in words and as bytes; say what it leaves out."""
    from clue_solver.exchange.export import export_pad, export_suggestions
    from clue_solver.record import format_record, to_jsonl

    if form == "dimacs":
        return "the clauses as DIMACS CNF", game.dimacs(**view).encode("utf-8")
    if form in ("clue", "jsonl"):
        if any(each not in (None, ()) for each in view.values()):
            raise click.UsageError(
                "a record is written whole: --viewer, --upto and --suppose choose what goes into "
                "a formula (--as dimacs)"
            )
        text = to_jsonl(game.record) if form == "jsonl" else format_record(game.record)
        return counted(len(game.record.entries), "entry"), text.encode("utf-8")
    if ending and ending not in _SHEETS:
        raise click.UsageError(f"expected {' or '.join(_SHEETS)} to write to; found {ending}")
    if view["suppose"]:
        raise click.UsageError("--suppose chooses what goes into a formula: add --as dimacs")
    table = (export_pad if form == "pad" else export_suggestions)(
        game, viewer=view["viewer"], upto=view["upto"]
    )
    if table.left_out:
        entries = ", ".join(map(str, table.left_out))
        what = "a pad cannot say that somebody lacks one of several cards"
        if form == "suggestions":
            what = "a table holds only suggestions and accusations"
        click.echo(f"left out: entry {entries}; {what}", err=True)
    rows = counted(len(table.rows) - 1, "row")
    what = f"a pad of {rows}" if form == "pad" else f"suggestions in {rows}"
    content = table.to_workbook() if ending == ".xlsx" else table.to_csv().encode("utf-8")
    return what, content
