"""Editions as text for a terminal: a list of all, and the details of one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from clue_solver.errors import counted
from clue_solver.rules.board import Board
from clue_solver.rules.edition import ClueCard, Edition


def edition_list(editions: Iterable[Edition]) -> RenderableType:
    """Return a list of editions: name, players, cards by category, what is special."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for wrapped in (False, False, False, True):
        grid.add_column(no_wrap=not wrapped)
    for edition in editions:
        low, high = edition.players
        deck = "/".join(str(len(kind.cards)) for kind in edition.category)
        about = Text(edition.title, "bold").append(f" {edition.note}", "not bold")
        grid.add_row(Text(edition.name, "cyan"), f"{low}-{high}", deck, about)
    return grid


def edition_details(edition: Edition) -> RenderableType:
    """Return the details of an edition: cards with their aliases, rules, board."""
    parts: list[RenderableType] = [Text(edition.title, "bold"), Text(edition.name, "cyan")]
    if edition.note:
        parts.append(Text(edition.note))
    for kind in edition.category:
        parts.append(Text(f"\n{kind.plural or kind.name}", "bold italic"))
        for card in kind.cards:
            others = [name for name in (card.title, *card.aliases) if name and name != card.name]
            line = Text(f"  {card.name}")
            if others:
                line.append(f"  ({', '.join(others)})", "dim")
            parts.append(line)
    parts.append(Text("\nrules", "bold italic"))
    parts += [Padding(Text(rule), (0, 0, 0, 2)) for rule in rules_of(edition)]
    return Group(*parts)


CLUE_CARDS: Mapping[str, str] = {
    "suspect": "the player who has the suspect that it names reveals that card",
    "weapon": "the player who has the weapon that it names reveals that card",
    "room": "the player who has the room that it names reveals that card",
    "left": "everybody shows a card to the neighbour on the left",
    "all": "everybody shows everybody a card",
    "one": "a player of your choice shows you a card",
    "move": "move to any room",
    "passage": "move to any room with a secret passage",
}
"""What each kind of clue card tells players to do."""


def rules_of(edition: Edition) -> Iterable[str]:
    """Yield the rules of an edition, one sentence each."""
    low, high = edition.players
    yield f"{low} to {high} players; the turn passes to the left"
    who = "everyone who can show a card does so"
    if edition.answers != "all":
        who = "the first player who can show a card does so"
    yield f"the neighbour on the asker's {edition.order} answers first; {who}"
    named = edition.named
    kinds = len(edition.category)
    of = f"of {named} of the {kinds} categories" if named < kinds else "one of each category"
    yield f"a suggestion names {counted(named, 'card')}, {of}"
    yield "you may name your own cards"
    if edition.accuse_when == "last":
        bonus = " and the bonus die" if edition.bonus else ""
        yield f"an accusation comes last in a turn, after the suggestion{bonus}"
    elif edition.accuse_when == "after":
        yield "you can accuse only right after your own suggestion"
    else:
        yield "you may accuse in the same turn, after your suggestion"
    if edition.accuse_in == "room":
        yield "you can accuse only in a room"
    if edition.first:
        following = f"if nobody plays {edition.first}, the next in the list"
        yield f"{edition.first} has the first turn; {following}"
    if edition.adopts == "nearest":
        yield "everybody plays the piece that starts nearest"
    if edition.spare == "rooms":
        yield "unused pieces are placed in rooms"
    for players, count in edition.face_down.items():
        lying = f"with {players} players, {count} cards lie face down in rooms"
        yield f"{lying}; a player who enters may look at the card there"
    yield f"what can be logged: {', '.join(edition.observes)}"
    if edition.features:
        yield f"the notch shows: {', '.join(edition.features)}"
    if edition.suspect_dice:
        yield f"{edition.suspect_dice} dice show suspects; a suggestion uses {named} of them"
    for face, effect in edition.dice.items():
        yield f"die, {face}: {effect}"
    if edition.board is not None:
        yield from _of_board(edition.board, edition.clues)


def _of_board(board: Board, clues: Sequence[ClueCard]) -> Iterator[str]:
    yield f"board: {board.dice} dice" if board.dice != 1 else "board: one die"
    if board.icon:
        yield "an icon on the dice counts 1 and draws a clue card"
    for clue, many in Counter(clues).items():
        yield f"clue card, {clue}{f' ({many} of them)' if many > 1 else ''}: {CLUE_CARDS[clue]}"
    if board.stay:
        yield "a player may stay in a room and suggest there again"
    else:
        called = ", unless a suggestion called you there" if board.called else ""
        yield f"you must leave a room before you suggest there again{called}"
    if not board.short:
        yield "a move uses up the whole roll, unless it ends in a room"
    if board.out == "enters":
        yield "a player who accuses wrongly in a doorway steps into the room"
    how = "after the dice are read" if board.passage == "after" else "instead of rolling"
    for a, b in board.passages:
        yield f"secret passage, taken {how}: {a} - {b}"
