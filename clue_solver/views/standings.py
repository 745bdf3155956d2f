"""How a tournament of the arena stands, in words."""

from collections.abc import Iterator

from clue_solver.answers.standings import Mean, Standings
from clue_solver.errors import counted, printable


def standings_text(standings: Standings) -> str:
    """Return who won how often, and what it took."""
    return "\n".join(_lines(standings))


def _lines(standings: Standings) -> Iterator[str]:
    yield f"{standings.edition}: {counted(standings.games, 'game')}, seed {standings.seed}"
    widest = max(len(each.player) for each in standings.players)
    yield f"{'player':<{widest}}  games   wins   rate  95 % interval    wrong"
    for each in standings.players:
        low, high = (f"{end * 100:.1f}" for end in each.interval)
        yield (
            f"{printable(each.player):<{widest}}  {each.games:>5}  {each.wins:>5}  "
            f"{each.rate * 100:>4.1f}%  {low + ' to ' + high:<15}  {each.wrong_accusations:>5}"
        )
    yield f"whoever moved first won {standings.first * 100:.1f} % of the games"
    yield f"turns until somebody was certain: {_mean(standings.turns, 2)}"
    yield f"games without a winner: {standings.unsolved}"
    asking, watching = _mean(standings.asking, 3), _mean(standings.watching, 3)
    yield f"bits a turn: {asking} on one's own, {watching} on another's"
    for told in standings.calibration:
        made = counted(told.accusations, "accusation")
        chance = f"{told.said * 100:.1f} % likely to be right"
        yield f"{made}, {chance}: {told.right * 100:.1f} % were"


def _mean(told: Mean, digits: int) -> str:
    if told.mean is None:
        return "none"
    ends = told.interval
    spread = f" ± {(ends[1] - ends[0]) / 2:.{digits}f}" if ends else ""
    return f"{told.mean:.{digits}f}{spread}"
