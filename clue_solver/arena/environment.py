"""
The game as a PettingZoo environment, for learning: every seat is an agent, one decision a step.

    from clue_solver.arena.environment import ClueEnvironment
    env = ClueEnvironment("clue-classic", seats=3, board=False)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = None if termination or truncation else observation["action_mask"]
        env.step(None if mask is None else env.action_space(agent).sample(mask))

An agent decides whatever a player of the arena does (`Referee.request`): where to go, what to ask,
which card to show, whether to accuse. Decisions with one possible action are made by themselves.

**Actions** are numbers; `env.meaning(action)` tells what one means, `env.numbers` how many there
are of each kind, in this order: nothing (stay, ask no more, do not accuse); rolling; going to each
place (rooms, then squares); each suggestion; each use of a bonus die or a snoop; showing each card;
each accusation. The mask has 1 for those that are allowed now.

**Observations** are vectors of numbers from 0 to 1: for each card and holder the chance by complete
deduction of what this seat saw, `asks: any` (cards in edition order; seats in table order, slots,
envelope); then one number for each seat that is 1 for the agent's own; which seats are out; for
each seat the room in which its piece stands, and whether it is on a square; for each of the four
kinds of decision whether it is this one; the roll, as a share of the highest; for each suspect the
share of the dice that show it; for each card whether it could be shown now.

**Rewards** come at the end: 1 for whoever made the right accusation, -1 for all others; 0 for all
where nobody did. A wrong accuser's agent goes on showing cards.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt

from clue_solver.arena.dealing import deal
from clue_solver.arena.players import ROLL
from clue_solver.arena.referee import MOST_TURNS, Deciding, Referee
from clue_solver.arena.saving import plain
from clue_solver.errors import ArgumentError, import_extra
from clue_solver.record import format_record
from clue_solver.rules.board import ground_of
from clue_solver.rules.edition import Edition, load_edition

import_extra("pettingzoo", extra="arena")

from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402

Kind = str
KINDS: tuple[Deciding, ...] = ("move", "ask", "show", "accuse")

Action = tuple[Kind, Any]
"""What a number means: `nothing`, `move`, `ask`, `show` or `accuse`, and what exactly."""


class ClueEnvironment(AECEnv):  # type: ignore[misc]
    """
    One game after the other at one table.

    Args:
        edition: A shipped edition's name, or the path of an edition file.
        seats: How many players.
        board: Whether on the board, if the edition has one.
        most_turns: After so many turns of all players together a game is truncated.

    Raises:
        MissingExtra: When this module is imported without PettingZoo.
        EditionError, SetupError: If so many cannot play that.
    """

    metadata: Mapping[str, Any] = {
        "name": "clue_v0",
        "is_parallelizable": False,
        "render_modes": ["ansi"],
    }

    def __init__(
        self,
        edition: str = "clue-classic",
        *,
        seats: int = 3,
        board: bool = True,
        most_turns: int = MOST_TURNS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.edition = load_edition(edition)
        self.board = board
        self.most_turns = most_turns
        self.render_mode = render_mode
        table = deal(self.edition, seats, np.random.default_rng(0), board=board).table
        self.possible_agents = list(table.seats)
        self._meanings = list(_meanings(self.edition, table.seats, board=board))
        self._number = {meaning: number for number, meaning in enumerate(self._meanings)}
        holders = len(table.holders)
        length = len(table.cards) * holders + 2 * seats + seats * (len(self.edition.rooms) + 1)
        length += len(KINDS) + 1 + len(self.edition.features) + len(table.cards)
        box = spaces.Box(0.0, 1.0, (length,), np.float32)
        mask = spaces.Box(0, 1, (len(self._meanings),), np.int8)
        space = spaces.Dict({"observation": box, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            agent: spaces.Discrete(len(self._meanings)) for agent in self.possible_agents
        }
        self._rng = np.random.default_rng()
        self.agents: list[str] = []

    @property
    def numbers(self) -> dict[Kind, int]:
        """How many actions there are of each kind, in the order of their numbers."""
        counts: dict[Kind, int] = {}
        for kind, _ in self._meanings:
            counts[kind] = counts.get(kind, 0) + 1
        return counts

    def meaning(self, action: int) -> Action:
        """
        Return what an action means: its kind, and the place, question, card or cards.

        The seat in a question is `by=""`, whoever asks it.
        """
        return self._meanings[action]

    def observation_space(self, agent: str) -> Any:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew; the same seed is the same game, as long as the same is done in it."""
        del options
        if seed is not None:
            self._rng = np.random.default_rng(seed)
            for number, space in enumerate(self.action_spaces.values()):
                space.seed(seed + number)
        dealt = deal(self.edition, len(self.possible_agents), self._rng, board=self.board)
        self.referee = Referee(
            dealt,
            rng=self._rng,
            rngs=[self._rng] * len(self.possible_agents),
            most_turns=self.most_turns,
        )
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def step(self, action: int | None) -> None:
        """
        Do what an agent has decided.

        Raises:
            ArgumentError: If that is not allowed now.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self._allowed:
            raise ArgumentError(f"action: {agent} may not do {action} now", argument="action")
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.referee.decide(self._allowed[int(action)])
        self._go_on()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return what an agent sees, and what it may do; nothing where it has nothing to decide."""
        mask = np.zeros(len(self._meanings), np.int8)
        request = self.referee.request
        if request is not None and request.seat == agent:
            mask[[*self._allowed]] = 1
        return {"observation": self._seen(agent), "action_mask": mask}

    def render(self) -> str | None:
        """Return the game so far as a record's lines, all hands open, for `render_mode="ansi"`."""
        return format_record(self.referee.record) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: nothing is open."""

    # Decisions.

    def _go_on(self) -> None:
        """Let the referee go on to the next decision in which there is a choice, or to the end."""
        while (request := self.referee.request) is not None:
            self._allowed: dict[int, Any] = {
                0 if choice is None else self._number[request.kind, plain(choice)]: choice
                for choice in self.referee.choices()
            }
            if len(self._allowed) > 1:
                self.agent_selection = request.seat
                return
            self.referee.decide(*self._allowed.values())
        self._end()

    def _end(self) -> None:
        winner = self.referee.state.winner
        over = self.referee.state.over
        for agent in self.agents:
            self.terminations[agent] = over
            self.truncations[agent] = not over
            if winner is not None:
                self.rewards[agent] = 1.0 if agent == winner else -1.0
        self.agent_selection = self.agents[0]

    # What is seen.

    def _seen(self, agent: str) -> npt.NDArray[np.float32]:
        view = self.referee.views[agent]
        state = self.referee.state
        request = self.referee.request
        rooms = self.edition.rooms
        seats = self.possible_agents
        if request is not None and request.seat != agent:
            request = None
        parts: list[Sequence[float]] = [
            view.sheet.marginals.ravel().tolist(),
            [float(seat == agent) for seat in seats],
            [float(seat in state.out) for seat in seats],
        ]
        for seat in seats:
            place = state.place(seat)
            parts.append([float(room == place) for room in rooms])
            parts.append([float(place is not None and place not in rooms)])
        parts.append([float(request is not None and request.kind == kind) for kind in KINDS])
        parts.append([(state.total or 0) / max(state.rules.most, 1)])
        dice = [face for face in state.dice if face in self.edition.features]
        parts.append(
            [dice.count(face) / len(dice) if dice else 0.0 for face in self.edition.features]
        )
        could = request.cards if request is not None else ()
        parts.append([float(card in could) for card in view.cards])
        flat = np.array([number for part in parts for number in part], np.float32)
        return np.clip(flat, 0.0, 1.0)


def _meanings(
    edition: Edition, seats: Sequence[str], *, board: bool
) -> Generator[Action, None, None]:
    """Yield what each action means, in order."""
    kinds = [[card.name for card in kind.cards] for kind in edition.category]
    yield "nothing", None
    drawn = edition.board if board else None
    if drawn is not None:
        yield "move", ROLL
    ground = ground_of(drawn, edition.rooms)
    if drawn is not None or edition.undealt(len(seats)):
        yield from (("move", room) for room in edition.rooms)
    if drawn is not None:
        others = (name for name in ground.places if name not in edition.rooms)
        yield from (("move", name) for name in others)
    for chosen in combinations(kinds, edition.named):
        yield from (("ask", ("suggests", cards)) for cards in product(*chosen))
    uses: set[str] = {*edition.bonus.values()} or (
        {*edition.observes} if not edition.face_down else set()
    )
    if "looks" in uses:
        yield from (("ask", ("looks", seat)) for seat in seats)
    if "asks" in uses:
        yield from (
            ("ask", ("asks", seat, (name,))) for seat, name in product(seats, edition.features)
        )
    if "peeks" in uses:
        yield "ask", ("peeks",)
    if "points" in uses:
        yield from (("ask", ("points", cards)) for cards in product(*kinds))
    yield from (("show", card) for kind in kinds for card in kind)
    yield from (("accuse", cards) for cards in product(*kinds))
