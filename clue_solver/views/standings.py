"""How a tournament of the arena stands, in words."""

from collections.abc import Iterator

from clue_solver.answers.standings import Mean, Standings
from clue_solver.errors import counted, printable


def standings_text(standings: Standings) -> str:
    """Return who won how often, and what it took."""
    return "\n".join(_lines(standings))


def _lines(standings: Standings) -> Iterator[str]:
    yield f"{standings.edition}: {counted(standings.games, 'game')}, seed {standings.seed}"
    widest = max(len(player.player) for player in standings.players)
    yield f"{'player':<{widest}}  games   wins   rate  95 % interval    wrong"
    for player in standings.players:
        low, high = (f"{end * 100:.1f}" for end in player.interval)
        yield (
            f"{printable(player.player):<{widest}}  {player.games:>5}  {player.wins:>5}  "
            f"{player.rate * 100:>4.1f}%  {low + ' to ' + high:<15}  {player.wrong_accusations:>5}"
        )
    yield f"whoever moved first won {standings.first * 100:.1f} % of the games"
    yield f"turns until somebody was certain: {_mean(standings.turns, 2)}"
    yield f"games without a winner: {standings.unsolved}"


def _mean(mean: Mean, digits: int) -> str:
    if mean.mean is None:
        return "none"
    ends = mean.interval
    spread = f" ± {(ends[1] - ends[0]) / 2:.{digits}f}" if ends else ""
    return f"{mean.mean:.{digits}f}{spread}"
