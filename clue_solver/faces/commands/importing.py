"""Imports notes. A person answers the questions about them, or the options of the command do."""

import json
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from clue_solver.answers.turns import odd_turns
from clue_solver.errors import ClueError, Contradiction, RecordError, counted, printable
from clue_solver.exchange.findings import LEAVE_OUT, ImportQuestion
from clue_solver.exchange.imports import Imported, Unclear, import_notes
from clue_solver.exchange.merging import Disagreement, Merged, clash, merge
from clue_solver.faces.commands import shared
from clue_solver.faces.line_input import LineInput, tell
from clue_solver.faces.prompt import Prompt
from clue_solver.notation.canonical import format_line
from clue_solver.notation.names import numbered
from clue_solver.record.clue import format_record
from clue_solver.record.contents import Record
from clue_solver.record.files import load_record, relocated, save
from clue_solver.views.checks import turn_texts


def import_files(
    given: tuple[str, ...],
    *,
    keep: tuple[str, ...],
    output: str | None,
    force: bool,
    as_json: bool,
    **said: Any,
) -> None:
    """
    Import a file of notes, or merge several notebooks, and write the record.

    Args:
        given: The paths of the files.
        keep: Which notebook to follow where several differ.
        output: The file to write; `None` to print the record.
        force: Whether to write it even if it contradicts itself, or if the file exists.
        as_json: Whether to print everything as JSON.
        said: What the options say about the notes, by the name of the option.

    Raises:
        ClueError: If the notes cannot be read, or the record contradicts itself.
    """
    shared.check_free(output, force=force)
    piped = as_json or shared.STDOUT in given
    asks = not piped and shared.is_terminal(sys.stdin, sys.stderr)
    lines = LineInput(sys.stdin) if asks else None
    found: Imported | Merged
    beside = Path(given[0]).parent
    if len(given) == 1:
        found = notes = _import(given[0], said, lines)
        texts = [*_guess_lines(notes)] if lines is None else []
        beside = beside if notes.kind == "record" else Path()
    else:
        called = said.pop("called")
        if any(said.values()):
            several = "if there are several files, they must all be records of the same game"
            raise click.UsageError(f"only --called and --keep are for several files: {several}")
        found = merged = _merge(given, called, keep, lines)
        texts = [f"{len(given)} notebooks, {counted(merged.entries, 'entry')} in all"]
        texts += [f"  the notebooks differ: {difference}" for difference in merged.differences]
    record = relocated(found.record, beside, Path(output or "").parent)
    conflict = _report(found, record, texts, alone=output is None, as_json=as_json)
    if conflict is not None and not force:
        click.echo("nothing was written (use --force to write it anyway)", err=True)
    elif output is not None:
        save(record, output)
        shared.tell_written(output, counted(len(record.entries), "entry"))
    elif not as_json:
        shared.print_text(format_record(record))
    if conflict is not None:
        raise Contradiction(conflict)


# One file of notes.


def _import(file: str, said: dict[str, Any], lines: LineInput | None) -> Imported:
    """
    Import a file of notes.

    Args:
        file: The path of the file.
        said: What the options say about the notes, by the name of the option.
        lines: Asks a person about the rest; `None` if nobody can be asked.
    """
    try:
        return _import_by_asking(file, said, lines) if lines else import_notes(file, **said)
    except Unclear as error:
        raise RecordError(_refusal(error), path=error.path) from None


def _refusal(error: Unclear) -> str:
    """Return why notes could not be read, and which options would answer the open questions."""
    options: dict[str, list[str]] = {}
    for question in error.questions:
        answer = question.guess or "?"
        said = f"{question.about}={answer}" if question.about else answer
        said = question.about if question.argument == "leave" else said
        name = question.argument
        if question.row and "," in question.about:  # no option can say a whole line
            name, said = "leave", f"row {question.row}"
        options.setdefault(name, []).append(said)
    lines = [f"\n    --{name} {shlex.quote(','.join(each))}" for name, each in options.items()]
    say = "\n  answer with these options:" if lines else ""
    return "".join([str(error).removeprefix(f"{error.path}: "), say, *lines])


def _guess_lines(found: Imported | Unclear) -> Iterator[str]:
    """Yield lines on how notes are understood. A person can change each guess by its number."""
    what, *samples = found.understood or [""]
    yield what
    groups: dict[str, list[str]] = {
        name: [] for name in ("table", "columns", "marks", "called", "leave")
    }
    for number, item in enumerate(found.items, 1):
        means = item.guess or "?"
        about = "" if item.about in ("", means) else f"{item.about} "
        group = item.argument if item.argument in groups else "table"
        about = f"'{item.about}' " if group == "marks" else about
        if group == "table":
            about = f"{'card names' if item.argument == 'names' else item.argument}: "
        if means == LEAVE_OUT:
            group, about, means = "leave", "", item.about
        count = f" ({item.cells})" if item.cells else ""
        groups[group].append(f"{number} {printable(about + means)}{count}")
    for group, texts in groups.items():
        if texts:
            yield f"{group:8} {'   '.join(texts)}"
    yield from samples
    if found.aside:
        yield f"left out: {'; '.join(found.aside)}"


def _import_by_asking(file: str, said: dict[str, Any], lines: LineInput) -> Imported:
    """
    Import a file of notes; a person answers the questions and confirms the guesses.

    Args:
        file: The path of the file.
        said: What the options say about the notes, by the name of the option.
        lines: Asks the person.
    """
    before: dict[str, Any] | None = None  # what was said before the last answer
    while True:
        found: Imported | Unclear
        faults: tuple[str, ...] = ()
        try:
            found = import_notes(file, **said, guess=True)
        except Unclear as error:
            found, faults = error, error.faults
        except ClueError as error:
            if before is None:
                raise
            tell(f"! {error}", indent=2)
            said = before
            continue
        for fault in faults:
            tell(f"! {printable(fault, most=len(fault))}", indent=2)
        ready = found if isinstance(found, Imported) else None
        if ready is not None and ready.kind == "record":
            return ready
        for line in _guess_lines(found):
            tell(printable(line, most=len(line)), indent=9)
        asked = next((question for question in found.questions if not question.guess), None)
        before = said
        if asked is None:
            writes = "y writes the record, " if ready else ""
            text = f"{writes}n stops, a number changes the guess with that number"
            answer = lines.choose(Prompt(text)).casefold()
            if answer in ("n", "no"):
                raise click.ClickException("nothing was written")
            if answer in ("y", "yes") and ready:
                return ready
            asked = numbered(answer, found.items)
        if asked is not None:
            said = _with_answer(asked, _ask(asked, lines), said, found.items)


def _ask(question: ImportQuestion, lines: LineInput) -> str:
    """Return a person's answer to a question about the notes."""
    text = printable(question.text, most=400)
    if question.argument == "leave":
        ways = (("yes", "yes"), ("no: stop, to correct the notes first", "no"))
        if lines.choose_one(Prompt("Leave it out?", ways, hint=text, usual="yes")) == "no":
            raise click.ClickException("nothing was written")
        return question.about
    choices = tuple((printable(each), each) for each in question.choices)
    prompt = Prompt(text, choices, usual=question.guess)
    if question.argument == "marks":
        return lines.choose_one(prompt)
    answer = lines.choose(prompt)
    while not answer and question.argument != "called":
        answer = lines.choose(prompt._replace(fault="an answer is needed"))
    return answer


def _with_answer(
    question: ImportQuestion, answer: str, said: dict[str, Any], items: Sequence[ImportQuestion]
) -> dict[str, Any]:
    """
    Return all that was `said` about the notes, with the answer to one more question.

    Args:
        question: The question that was answered.
        answer: Its answer.
        said: What was said before, by the name of the option.
        items: All questions and guesses about the notes.
    """
    name, about = question.argument, question.about
    if name == "called" and not answer:
        name, answer = "leave", about
    known: Any = said[name]
    match name:
        case "players" | "sheet":
            known = shared.parse_list(answer)
        case "leave":
            known = (*known, answer)
        case "columns" | "marks" | "called":
            if known and not isinstance(known, dict):  # all columns were said in their order
                known = {item.about: item.guess for item in items if item.argument == name}
            known = {**dict(known), about: answer}
        case _:
            known = answer
    return {**said, name: known}


# Several notebooks.


def _merge(
    games: Sequence[str], called: dict[str, str], keep: Sequence[str], lines: LineInput | None
) -> Merged:
    """
    Merge the notebooks of one game.

    Args:
        games: The paths of the notebooks.
        called: Other names of cards and players, with the names to use.
        keep: Which notebook to follow where they differ: one for all differences, or one for each.
        lines: Asks a person if that is not given; `None` if nobody can be asked.
    """
    records = [load_record(game) for game in games]
    names = [os.path.basename(game) for game in games]  # noqa: PTH119
    names = names if len({*names}) == len(names) else [*games]
    kept = keep[0] if len(keep) == 1 else keep
    while True:
        try:
            return merge(records, names=names, called=called, keep=kept)
        except Disagreement as error:
            if lines is None or not error.books:
                hint = f"\n  say what to keep: --keep {names[0]}, or both" if error.books else ""
                argument = "keep" if error.books else "called"
                raise RecordError(f"{error}{hint}", argument=argument) from None
            kept = [*_ask_versions(error, lines)]


def _ask_versions(error: Disagreement, lines: LineInput) -> Iterator[str]:
    """Ask a person which notebook to follow; yield its name, or `both`, for each difference."""
    for difference, books in zip(error.differences, error.books, strict=True):
        choices = tuple((book, book) for book in (*books, "both"))
        yield lines.choose_one(Prompt("Keep", choices, hint=printable(difference, most=400)))


def _report(
    found: Imported | Merged, record: Record, texts: Sequence[str], *, alone: bool, as_json: bool
) -> tuple[int, ...] | None:
    """
    Print how the notes were understood.

    Args:
        found: What was read.
        record: The record made from it.
        texts: The lines to print.
        alone: Whether the record is not written to a file.
        as_json: Whether to print everything as JSON.

    Returns:
        The numbers of entries that cannot all be true; `None` if all can.
    """
    conflict = clash(record)
    turns = odd_turns(record.table, record.observations)
    if as_json:
        answer = found.to_dict()
        answer["conflict"] = conflict
        answer["turns"] = None if turns is None else [turn._asdict() for turn in turns]
        answer |= {"record": format_record(record)} if alone else {}
        click.echo(json.dumps(answer, ensure_ascii=False))
    else:
        for line in (*texts, *turn_texts(turns, record.table.viewer)):
            click.echo(line, err=True)
    for number in conflict or ():
        line = format_line(record.entries[number - 1].observation, record.table)
        where = f"  ({found.places(number)})" if isinstance(found, Merged) else ""
        click.echo(f"  {number:>4}  {printable(line, most=200)}{where}", err=True)
    return conflict
