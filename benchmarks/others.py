"""
Public Clue programs as ways of the benchmark of deduction, where a folder holds checkouts of them.

Nothing of them is here, only how each is fed a position and how its sheet is read:

- cluesolver (gregstoll): its engine in Python, by the text in which it saves its state;
- Cluedo (PHochmann): its knowledge base in C, where there is a compiler `cc`;
- effect-clue (LetsGetIntoIt): its deducer in TypeScript, where there is `node` and in its folder
  the packages that it needs, and esbuild.

They play with 21 cards. All are fed the clauses that this program read from the log; to read them
is not in their time. A position that a program cannot be told is left out.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from limited import GaveUp
from methods import Floats, known
from positions import Position
from ways import Way

from clue_solver.knowledge.clauses import card_numbers

CLASSIC = [6, 6, 9]
"""How many cards each category has in their deck."""


class Told(NamedTuple):
    """
    A position in plain numbers; the envelope is the last holder.

    Attributes:
        sizes: How many cards each seat has.
        clauses: Holder, cards, and whether it has one of them; else it lacks the one card.
    """

    sizes: list[int]
    clauses: list[tuple[int, list[int], bool]]

    @property
    def holders(self) -> int:
        """Number of holders, the envelope included."""
        return len(self.sizes) + 1

    def table(self) -> Floats:
        """Return a table with nothing known."""
        return np.full((sum(CLASSIC), self.holders), np.nan)


def told(position: Position) -> Told | None:
    """Return a position as these programs can be told it; nothing where they cannot."""
    knowledge = known(position)
    layout = knowledge.layout
    clauses = [(each.holder, card_numbers(each.cards), each.has) for each in knowledge.clauses]
    if (
        [mask.bit_count() for mask in layout.categories] != CLASSIC
        or layout.envelope != layout.seats
        or any(least != most for least, most in layout.bounds)
        or any(len(cards) not in ((1, 3) if has else (1,)) for _, cards, has in clauses)
        or any(holder == layout.envelope and len(cards) > 1 for holder, cards, _ in clauses)
    ):
        return None
    return Told([most for _, most in layout.bounds], clauses)


def cluesolver(folder: Path) -> Way | None:
    """The engine in Python of gregstoll/cluesolver."""
    file = folder / "clueengine.py"
    spec = spec_from_file_location("clueengine", file)
    if not file.exists() or spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return Way(partial(_by_its_state, module.ClueEngine), told)


def _by_its_state(engine: Any, asked: Told) -> Floats:
    text = str(len(asked.sizes))
    for holder, size in enumerate([*asked.sizes, len(CLASSIC)]):
        held, missing, either = "", "", ""
        for whose, cards, has in asked.clauses:
            letters = "".join(chr(ord("A") + card) for card in cards)
            if whose != holder:
                continue
            if not has:
                missing += letters
            elif len(cards) == 1:
                held += letters
            else:
                either += "-" + letters
        text += f"{size}{held}-{missing}{either}."
    state, _ = engine.loadFromString(text)
    table = asked.table()
    for card in range(len(table)):
        name = engine.cardFromChar(chr(ord("A") + card))
        for holder, player in enumerate(state.players):
            if name in player.hasCards:
                table[card, holder] = 1.0
            elif name in player.notHasCards:
                table[card, holder] = 0.0
    return table


class _Settings(ctypes.Structure):
    """What PHochmann/Cluedo wants to know of a game; its player 0 is the envelope."""

    _fields_ = (
        ("human", ctypes.c_uint8),
        ("players", ctypes.c_uint8),
        ("sizes", ctypes.c_uint8 * 7),
        ("names", ctypes.c_char_p * 7),
    )


def cluedo(folder: Path) -> Way | None:
    """The knowledge base in C of PHochmann/Cluedo."""
    sources = [folder / "src" / name for name in ("kb.c", "cards.c")]
    parts = [folder / "src" / name for name in ("sat", "util")]
    compiler = shutil.which("cc")
    if compiler is None or not sources[0].exists():
        return None
    for part in parts:
        sources += sorted(part.glob("*.c"))
    with TemporaryDirectory() as made:
        library = Path(made) / "cluedo.so"
        flags = ["-std=c2x", "-O2", "-DNDEBUG", "-shared", "-fPIC", "-o", str(library)]
        include = [f"-I{part}" for part in (folder / "src", *parts)]
        subprocess.run([compiler, *flags, *include, *sources, "-lm"], check=True)
        base = ctypes.CDLL(str(library))
    base.kb_newGame.restype = ctypes.c_void_p
    return Way(partial(_by_its_base, base), told)


def _by_its_base(base: Any, asked: Told) -> Floats:
    settings = _Settings(1, asked.holders, (0, *asked.sizes))
    game = ctypes.c_void_p(base.kb_newGame(ctypes.byref(settings)))
    for holder, cards, has in asked.clauses:
        player = (holder + 1) % asked.holders
        if len(cards) == 1:
            base.kb_addKeyGuessClauses(game, player, cards[0], has)
        else:
            suspect, weapon, room = np.array(cards) - [0, *np.cumsum(CLASSIC)[:-1]]
            named = int(suspect), int(weapon), int(room)
            base.kb_addGuessAnswerClauses(game, *named, player, True, False)
    base.kb_updateAssignment(game)
    table = asked.table()
    values = np.array([np.nan, 0.0, 1.0])
    for card, holder in np.ndindex(table.shape):
        player = (holder + 1) % asked.holders
        table[card, holder] = values[base.kb_getAssignmentValue(game, card, player)]
    base.kb_freeGame(game)
    return table


DRIVER = """
import { createInterface } from "node:readline";
import { deduceSync } from "./src/logic/Deducer";
import { CaseFileOwner, PlayerOwner } from "./src/logic/GameObjects";
import { CardEntry, Category, GameSetup } from "./src/logic/GameSetup";
import { Cell, emptyKnowledge, getCell, setCell, setHandSize } from "./src/logic/Knowledge";
import { Suggestion } from "./src/logic/Suggestion";

const sheet = ({ kinds, sizes, clauses }) => {
  const players = sizes.map((_, seat) => `player ${seat}`);
  const owners = [...players.map(PlayerOwner), CaseFileOwner()];
  let card = 0;
  const categories = kinds.map((size, kind) => Category({
    id: `kind ${kind}`, name: `kind ${kind}`,
    cards: Array.from({ length: size }, () => CardEntry({ id: `${card}`, name: `${card++}` })),
  }));
  let known = emptyKnowledge;
  sizes.forEach((size, seat) => { known = setHandSize(known, owners[seat], size); });
  known = setHandSize(known, owners[sizes.length], kinds.length);
  const suggestions = [];
  for (const [holder, cards, has] of clauses) {
    if (cards.length === 1) {
      known = setCell(known, Cell(owners[holder], `${cards[0]}`), has ? "Y" : "N");
    } else {
      suggestions.push(Suggestion({
        suggester: players[(holder + 1) % sizes.length], cards: cards.map(String),
        nonRefuters: [], refuter: players[holder],
      }));
    }
  }
  const found = deduceSync(GameSetup({ players, categories }), suggestions, [], known);
  const told = (owner, card) => ({ Y: 1, N: 0 })[getCell(found.success, Cell(owner, `${card}`))];
  return Array.from({ length: card }, (_, at) => owners.map(owner => told(owner, at) ?? null));
};

let seconds = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const begun = process.cpuUsage();
  const table = sheet(JSON.parse(line));
  const { user, system } = process.cpuUsage(begun);
  seconds += (user + system) / 1e6;
  console.log(JSON.stringify({ table, seconds }));
}
"""


class Deducer:
    """The deducer in TypeScript of LetsGetIntoIt/effect-clue, in a process of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.seconds = 0.0

    def sheet(self, asked: Told) -> Floats:
        """Return what it tells of a position."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        line = json.dumps({"kinds": CLASSIC, "sizes": asked.sizes, "clauses": asked.clauses})
        print(line, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        if not answer:
            raise GaveUp("it ended")
        told = json.loads(answer)
        self.seconds = told["seconds"]
        return np.array(told["table"], float)

    def clock(self) -> float:
        """Return the processor seconds that all sheets took."""
        return self.seconds


def effect_clue(folder: Path) -> Way | None:
    """The deducer in TypeScript of LetsGetIntoIt/effect-clue."""
    bundler, node = folder / "node_modules" / ".bin" / "esbuild", shutil.which("node")
    if node is None or not bundler.exists():
        return None
    flags = ["--bundle", "--platform=node", "--format=esm", "--loader=ts", "--log-level=error"]
    place = TemporaryDirectory()
    bundle = Path(place.name) / "deducer.mjs"
    flags.append(f"--outfile={bundle}")
    subprocess.run([bundler, *flags], input=DRIVER, check=True, text=True, cwd=folder)
    pipe = subprocess.PIPE
    process = subprocess.Popen([node, bundle], stdin=pipe, stdout=pipe, text=True)
    atexit.register(place.cleanup)
    atexit.register(process.kill)
    deducer = Deducer(process)
    return Way(deducer.sheet, told, clock=deducer.clock)


PROGRAMS: dict[str, Callable[[Path], Way | None]] = {
    "Cluedo": cluedo,
    "effect-clue": effect_clue,
    "cluesolver": cluesolver,
}
"""By the name of its repository how a program becomes a way."""


def found_in(folder: Path | None) -> dict[str, Way]:
    """Return the ways of the programs that stand in a folder, under their names there."""
    if folder is None:
        return {}
    ways = {name: made(folder / name) for name, made in PROGRAMS.items()}
    return {name: way for name, way in ways.items() if way is not None}
