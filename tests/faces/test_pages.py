"""
Evenings at pages, in `pages.txt`: what is done on a phone, and what its page shows then.

A block begins with `@`: a header's line, `@ shared` where players have pages of their own, an entry
(`@ .`); with `@ new` there is nothing yet; `@ browser` is the page without a server. A line is
`WHO: DEED`: whoever looks at a page, a seat or `recorder`, `two recorder` on a second phone, and a
deed of `Phone.does`. Indented below it stands what the page shows by then: all after `looks` and
`waits`, else what is new:

    = what to do, and a remark      ! what is wrong, or came first     ? what is asked, the answers
    < what can be taken back        # the log on the page        . the log, or file, at the end
    * what is ticked or typed; what is offered (`WHO: offers`); the board; the cards' marks

A line `file: ENTRY` is what another program writes to the game's file; after `restart` another
server has it.

`ANEW=1 python -m pytest tests/faces/test_pages.py` writes anew what pages show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from html import unescape
from pathlib import Path

import pytest

from tests.faces.alone import Browser, begun_again
from tests.faces.phones import Phone, begun, words
from tests.faces.serving import Served, opened
from tests.rows import blocks, held

PAGES = Path(__file__).with_name("pages.txt")
PARTS = (
    ("=", r'<div class="decision.*?</div>'),
    ("=", r'<aside id="cell".*?</aside>'),
    ("!", r'<div class="doubt" id="late".*?</div>'),
    ("=", r'<p role="status" data-stays>.*?</p>'),
    ("!", r'<p class="wrong" role="alert".*?</p>'),
    ("?", r'<div class="doubt" id="doubt".*?</form>'),
    ("?", r'<section id="asked".*?</section>'),
    ("?", r"<h2>Which card did .*?</h2>"),
    ("?", r'<form[^>]*class="cards opened".*?</form>'),
    ("?", r'<p role="alert">[^<]+'),
    ("?", r"<p>It is [^<]*'s turn. <button.*?</button>"),
    ("!", r'<p class="editing">.*?</p>'),
    ("?", r'<p id="news".*?</p>'),
    ("<", r'(?<=id="undo">).*?</button>'),
    ("!", r'<p class="wrong">.*?</p>'),
    ("=", r'<p id="counsel".*?</p>'),
    ("?", r'<p class="shown">.*?</p>'),
    ("?", r'(?<=data-before=")[^"]*'),
    ("?", r'<ul class="cards opened">(?:(?!</ul>).)*<small>.*?</ul>'),
    ("#", r'<ol class="entries" reversed>.*?</ol>'),
    ("*", r"<li[^>]* aria-current=true.*?</li>"),
)
"""What is looked at on a page, with the mark before it."""


def shown(page: str) -> list[str]:
    """What a page shows of what stories tell, a line each."""
    found = []
    for mark, pattern in PARTS:
        if mark == "#" and " tab-log " not in page:
            continue
        for part in re.findall(
            pattern, re.sub(r'<a [^>]*aria-label="Change.*?</a>', "", page), re.S
        ):
            apart = re.sub(r"<(?=/li|/p|button|small|a )", " | <", re.sub("<(?=div|p)", " <", part))
            text = re.sub(r"( \|)+(?= \||$)", "", words(apart)).strip(" |")
            found += [f"  {mark} {text}"] if text else []
    filled = re.findall(r'name="card" value="([^"]*)" checked', page)
    filled += re.findall(r'id="line" name="line" value="([^"]+)"', page)
    filled += re.findall(r'name="name-\d+" value="([^"]+)"', page)
    filled += re.findall(r'value="(\w+)" selected', page)
    filled += re.findall(r'name="(board)"[^>]* checked', page)
    return [*found, *[f"  * {unescape(', '.join(filled))}"] * bool(filled)]


def offered(page: str) -> Iterator[str]:
    """Yield what a page offers to tap, cards and who asks apart."""
    form = page.partition('<section id="enter"')[2].partition("</section>")[0]
    for kind, title, group in re.findall(
        r'<div class="answers([^"]*)" role="group" aria-label="([^"]*)">(.*?)</div>', form, re.S
    ):
        labels = re.findall(r'<(?:a|button) class="key[^>]*>(.*?)</(?:a|button)>', group, re.S)
        if "askers" not in kind and title != "Somebody …":
            yield f"  * {unescape(title)}: {' | '.join(map(words, labels))}"
    yield from (
        f"  * as it is: {each}" for each in re.findall(r'pressed=true[^>]*value="([^"]*)', form)
    )
    aside = re.findall(r'class="key check aside[^"]*"><input [^>]*value="([^"]*)"', form)
    yield from [f"  * put aside: {', '.join(aside)}"] * bool(aside)


def board(page: str) -> Iterator[str]:
    """Yield what the board on a page offers, and what it says."""
    panel = page.partition('<details id="board"')[2].partition("</details>")[0]
    lines = re.findall(r'data-line="([^"]*)"', panel)
    rooms = [line for line in lines if not re.search(" to [A-Z][0-9]+$", line)]
    said = re.findall(r'aria-label="(Board[^"]*)"', panel)
    said += re.findall(r'<p class="faint">([^<]*)</p>', panel)
    yield from (f"  * {unescape(each)}" for each in said if each)
    yield f"  * {' | '.join((*rooms, f'{len(lines) - len(rooms)} squares'))}"


def marks(page: str) -> Iterator[str]:
    """Yield what marks the cards that can be tapped, as far as one is marked, and the sheet."""
    keys = re.findall(r'class="key check ([^"]+)"><input [^>]*name="pick-\d" value="([^"]*)"', page)
    keys += re.findall(r'<td class="[^"]* (asked) [^"]*"><a [^>]*aria-label="([^"]*)"', page)
    yield from (f"  * {mark}: {card}" for mark, card in keys)
    moved = re.findall(r"<i>(▴|▾)</i></a></td>", page)
    yield from [f"  * {moved.count('▴')} up, {moved.count('▾')} down"] * bool(moved)


ASIDE = {"offers": offered, "board": board, "marks": marks}
"""What is looked at only where a story asks for it."""


def told(text: str, folder: Path) -> Iterator[str]:
    """Yield the lines of an evening with what its pages show."""
    head = [line[2:] for line in text.splitlines() if line[0] == "@"]
    yield from (f"@ {line}" for line in head)
    path = folder / "game.clue"
    kinds = ("shared", "dealt ", "browser")
    kind = next((each for each in head if each.startswith(kinds)), "alone")
    disk: dict[str, bytes] = {}

    def opening(begins: str) -> AbstractContextManager[Served | Browser]:
        return begun_again(folder, disk) if kind == "browser" else opened(path, kind, begins)

    with ExitStack() as serving:
        table = serving.enter_context(opening(begun(text)))
        phones: dict[str, Phone] = {}
        for line in text.splitlines():
            if line == "restart":
                yield line
                serving.close()
                table = serving.enter_context(opening(""))
                for phone in phones.values():
                    phone.served = table
            elif line[0] not in "@ ":
                yield line
                yield from done(line, table, phones)
        if "new" in head or kind[:5] == "dealt":
            lines = path.read_text("utf-8").splitlines() if path.exists() else []
            yield from (f"  . {line}" for line in lines if line and line[:5] != "game:")
        elif isinstance(table, Served):
            yield from (f"  . {line}" for line in table.lines())


def done(line: str, table: Served | Browser, phones: dict[str, Phone]) -> list[str]:
    """Do what a line says; return what its page shows that it did not show before."""
    who, _, deed = line.partition(": ")
    if who == "file" and isinstance(table, Served):
        table.write(deed)
        return []
    seat = who.rpartition(" ")[2]
    if who not in phones:
        phones[who] = Phone(table, None if seat == "recorder" else seat)
    phone = phones[who]
    if deed in ASIDE:
        return [*ASIDE[deed](phone.text)]
    before = shown(phone.text)
    phone.does(deed)
    after = shown(phone.text)
    return [each for each in after if each not in before or deed.startswith(("looks", "waits"))]


@pytest.mark.parametrize("name", blocks(PAGES))
def test_what_is_done_on_phones_is_shown_on_their_pages(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))  # nobody has played before
    held(PAGES, name, told(blocks(PAGES)[name], tmp_path))
