"""How players stand after many games, in words."""

from collections.abc import Iterator

from clue_solver.answers.standings import Standings
from clue_solver.errors import counted, printable


def standings_text(standings: Standings) -> str:
    """Return who won how often, and who began."""
    return "\n".join(_lines(standings))


def _lines(standings: Standings) -> Iterator[str]:
    yield f"{', '.join(standings.editions)}: {counted(standings.games, 'game')}"
    widest = max([6, *(len(player.player) for player in standings.players)])
    yield f"{'player':<{widest}}  games   wins   rate  95 % interval    wrong"
    for player in standings.players:
        low, high = (f"{end * 100:.1f}" for end in player.interval)
        yield (
            f"{printable(player.player):<{widest}}  {player.games:>5}  {player.wins:>5}  "
            f"{player.rate * 100:>4.1f}%  {low + ' to ' + high:<15}  {player.wrong_accusations:>5}"
        )
    yield f"whoever moved first won {standings.first * 100:.1f} % of the games"
    yield f"games without a winner: {standings.unsolved}"
