"""
The game as a PettingZoo environment, for learning: each seat is an agent, each step a decision.

    from clue_solver.arena.environment import ClueEnvironment
    env = ClueEnvironment("clue-classic", seats=3, board=False)
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        mask = None if termination or truncation else observation["action_mask"]
        env.step(None if mask is None else env.action_space(agent).sample(mask))

An agent makes the same decisions as a player of the arena (`Referee.request`): where to go, what to
ask, which card to show, whether to accuse. Decisions with only one possible action are made
automatically.

**Actions** are numbers, the indices in `env.actions`, which lists what they mean in this order:
nothing (stay, ask no more, do not accuse); rolling; going to each place (rooms, then squares); each
suggestion; each use of a bonus die or a snoop; showing each card; each accusation. The mask has 1
for each action that is allowed now, else 0.

**Observations** are vectors of numbers from 0 to 1. They have, in this order: for each card and
holder, the chance that the holder has the card, given all that this seat saw, with `asks: any`
(cards in edition order; seats in table order, slots, envelope); for each seat, whether it is the
agent's own; for each seat, whether it is out; for each seat, whether its piece is in each room, and
whether it is on a square; for each of the four kinds of decision, whether this seat must make it
now; the roll, as a share of the highest; for each suspect, the share of the dice that show it; for
each card, whether it could be shown now.

**Rewards** come at the end: 1 for the agent that made the right accusation and -1 for all others,
or 0 for all if none did. After a wrong accusation, an agent goes on showing cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from clue_solver.arena.dealing import deal
from clue_solver.arena.players import ROLL
from clue_solver.arena.referee import MOST_TURNS, Deciding, Referee
from clue_solver.errors import ArgumentError, import_extra
from clue_solver.rules import observations as observed
from clue_solver.rules.edition_files import load_edition
from clue_solver.rules.position import GameRules
from clue_solver.rules.table import Table

import_extra("pettingzoo", extra="arena")

from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402

KINDS: tuple[Deciding, ...] = ("move", "ask", "show", "accuse")

Action = tuple[str, Any]
"""
The meaning of an action: its kind (`nothing`, `move`, `ask`, `show` or `accuse`), and what is done.

That is a place, a question, a card or the cards of an accusation; `None` for `nothing`. In a
question the asking seat is left empty (`by=""`).
"""


class ClueEnvironment(AECEnv):  # type: ignore[misc]
    """
    An environment that plays one game after another at one table.

    Args:
        edition: A shipped edition's name, or the path of an edition file.
        seats: How many players.
        board: Whether to play on the board, if the edition has one.
        most_turns: The number of turns, of all players together, after which a game is truncated.

    Attributes:
        actions: The meaning of each action; an action's number is its index here.

    Raises:
        MissingExtra: If PettingZoo is not installed; raised when this module is imported.
        EditionError, SetupError: If there is no such edition, or it is not for this number of
            players.
    """

    metadata: Mapping[str, Any] = {"name": "clue_v0", "is_parallelizable": False}

    def __init__(
        self,
        edition: str = "clue-classic",
        *,
        seats: int = 3,
        board: bool = True,
        most_turns: int = MOST_TURNS,
    ) -> None:
        super().__init__()
        self.edition = load_edition(edition)
        self.board = board
        self.most_turns = most_turns
        table = deal(self.edition, seats, np.random.default_rng(0), board=board).table
        self.possible_agents = list(table.seats)
        self.actions = tuple(_meanings(table))
        self._number = {meaning: number for number, meaning in enumerate(self.actions)}
        self._rng = np.random.default_rng()
        self.reset()
        length, most = len(self._see(table.seats[0])), len(self.actions)
        seen = spaces.Box(0.0, 1.0, (length,), np.float32)
        mask = spaces.Box(0, 1, (most,), np.int8)
        space = spaces.Dict({"observation": seen, "action_mask": mask})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = dict.fromkeys(self.possible_agents, spaces.Discrete(most))

    def observation_space(self, agent: str) -> Any:
        """
        Return the space of an agent's observations: a vector of numbers, and the mask of actions.
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the space of an agent's actions, which are the indices of `actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """
        Deal a new game.

        The same seed and the same actions give the same game; without a seed the random numbers go
        on from the last game. `options` has no effect.
        """
        del options
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        agents = list(self.possible_agents)
        self.referee = Referee(
            deal(self.edition, len(agents), self._rng, board=self.board),
            rng=self._rng,
            rngs=[self._rng] * len(agents),
            most_turns=self.most_turns,
        )
        self.agents = agents
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        self._go_on()

    def step(self, action: int | None) -> None:
        """
        Take an action for the agent that must decide now, and go on to the next decision.

        `action` is an index of `actions`; it is `None` only for an agent whose game is over.

        Raises:
            ArgumentError: If the action is not allowed now.
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
        """
        Return what an agent sees (`observation`) and what it may do (`action_mask`), as arrays.

        The mask has 1 for each allowed action; it is all 0 if the agent has nothing to decide.
        """
        mask = np.zeros(len(self.actions), np.int8)
        request = self.referee.request
        if request is not None and request.seat == agent:
            mask[[*self._allowed]] = 1
        return {"observation": self._see(agent), "action_mask": mask}

    def _go_on(self) -> None:
        """Let the referee go on to the next decision with a choice, or to the end of the game."""
        while (request := self.referee.request) is not None:
            self._allowed: dict[int, Any] = {}
            for choice in self.referee.choices():
                what = replace(choice, by="") if isinstance(choice, observed.Event) else choice
                meaning = ("nothing", None) if choice is None else (request.kind, what)
                self._allowed[self._number[meaning]] = choice
            if len(self._allowed) > 1:
                self.agent_selection = request.seat
                return
            self.referee.decide(*self._allowed.values())
        # The agent whose accusation was right wins, and all others lose.
        state = self.referee.state
        self.terminations = dict.fromkeys(self.agents, state.over)
        self.truncations = dict.fromkeys(self.agents, not state.over)
        if (winner := state.turns.winner) is not None:
            self.rewards = dict.fromkeys(self.agents, -1.0) | {winner: 1.0}
        self.agent_selection = self.agents[0]

    def _see(self, agent: str) -> npt.NDArray[np.float32]:
        """
        Return an agent's observation: a vector of numbers from 0 to 1.

        The module's own docstring says what they mean.
        """
        view, state, request = self.referee.views[agent], self.referee.state, self.referee.request
        if request is not None and request.seat != agent:
            request = None
        rooms, seats = self.edition.rooms, self.possible_agents
        parts = [view.sheet.marginals.ravel().tolist()]
        parts.append([seat == agent for seat in seats])
        parts.append([seat in state.turns.out for seat in seats])
        for place in map(state.place, seats):
            parts.append([*(room == place for room in rooms), place not in (None, *rooms)])
        parts.append([request is not None and request.kind == kind for kind in KINDS])
        parts.append([(state.total or 0) / max(state.rules.most, 1)])
        dice = state.suspects
        parts.append([dice.count(face) / max(len(dice), 1) for face in self.edition.features])
        parts.append([request is not None and card in request.cards for card in view.cards])
        return np.clip(np.concatenate(parts), 0.0, 1.0).astype(np.float32)


def _meanings(table: Table) -> Iterator[Action]:
    """
    Yield the meaning of each action that is possible at a table, in the order of their numbers.
    """
    edition, rules = table.edition, GameRules(table, exact=True)
    kinds = rules.kinds
    yield "nothing", None
    if rules.board is not None:
        squares = (name for name in rules.ground.places if name not in edition.rooms)
        yield from (("move", place) for place in (ROLL, *edition.rooms, *squares))
    elif edition.undealt(len(table.seats)):
        yield from (("move", room) for room in edition.rooms)
    for chosen in combinations(kinds, edition.named):
        for cards in product(*chosen):
            yield "ask", observed.Suggestion(by="", cards=cards)
    if "looks" in rules.uses:
        yield from (("ask", observed.Look(by="", holder=seat)) for seat in table.seats)
    if "asks" in rules.uses:
        for seat, name in product(table.seats, edition.features):
            yield "ask", observed.Question(by="", seat=seat, about=(name,))
    if "peeks" in rules.uses:
        yield "ask", observed.Peek(by="")
    if "points" in rules.uses:
        yield from (("ask", observed.Finger(by="", cards=cards)) for cards in product(*kinds))
    yield from (("show", card) for kind in kinds for card in kind)
    yield from (("accuse", cards) for cards in product(*kinds))
