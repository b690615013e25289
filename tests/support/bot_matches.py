"""Compare matches of Skyline-Versus-v0 with matches of firmware/match/, field by field."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from firmware.match.match import NOBODY, Match
from firmware.match.options import MatchOptions
from tests.support.batches import read_cells, read_columns, read_game, set_rows
from tools.bots.env import Placements

SEAT = ("queued", "received", "countered", "sent", "gap", "gap_left", "out_ms")


class Reference:
    """A match by the engine, each of whose seats is played as an environment plays its game."""

    def __init__(self, seed: int, **options: Any) -> None:
        self.envs: list[Any] = [Placements(**options) for _ in range(2)]
        self.match = Match(seed, MatchOptions(), [env.options for env in self.envs])
        for env, seats in zip(self.envs, (self.match.seats, self.match.seats[::-1]), strict=True):
            env.game = seats[0].game
            env.match = SimpleNamespace(seats=seats, over=False)
            env._finder = None  # searches as sim/bots/places.py does, not as the batch
            env._advance_to = lambda _t_ms: None
            env._inform()  # finds the places

    def step(self, actions: Any) -> None:
        for env, action in zip(self.envs, actions, strict=True):
            if not env.game.over:
                env.match.over = True  # an action does not wait for the next Tetrimino
                env._act(int(action))
                self.match.decide_round()
        self.match.advance(self.match.time_ms + self.envs[0].options.generation_ms)
        for env in self.envs:
            env.match.over = self.match.over

    def read(self, i: int) -> dict[str, Any]:
        """Return the state of one seat by the fields of the batch's games."""
        seat = self.match.seats[i]
        own = {name: getattr(seat, name) for name in SEAT}
        return {**read_game(self.envs[i].game), **own, "ended": int(self.match.over), "flights": seat.coming.count}

    def win(self, i: int) -> int:
        if not self.match.over or self.match.winner == NOBODY:
            return 0
        return 1 if self.match.winner == i else -1


def check_matches(
    batch: Any, steps: int, seed: int = 1, choose: Any = None, stack: Any = (), **options: Any
) -> dict[str, int]:
    """Play steps in all matches of a batch and by the engine, and compare; return what happened how often.

    choose: see `check_steps`.  stack: rows of the Matrix in which the first games begin, see `set_rows`.
    """
    chance = np.random.default_rng(seed)
    choose = choose or (lambda _i, mask: chance.choice(np.flatnonzero(mask)))
    _observations, infos = batch.reset(seed=seed)
    references = [begin(batch, at, **options) for at in range(0, batch.num_envs, 2)]
    put_stack(batch, references, stack)
    happened = dict.fromkeys(("steps", "ends", "draws", "received", "countered"), 0)
    for _ in range(steps):
        actions = np.array([choose(i, mask) for i, mask in enumerate(infos["action_mask"])])
        observations, rewards, ended, truncated, infos = batch.step(actions)
        assert not truncated.any()
        for at, reference in enumerate(references):
            before = [env._total() for env in reference.envs]
            if reference.match.over:
                references[at] = reference = begin(batch, 2 * at, **options)
                before = [0, 0]
            else:
                reference.step(actions[2 * at : 2 * at + 2])
            for side, i in enumerate((2 * at, 2 * at + 1)):
                env = reference.envs[side]
                gained = reference.win(side) if env.reward == "win" else env._total() - before[side]
                assert (rewards[i], ended[i]) == (gained, reference.match.over)
                check_seat(batch, i, reference, side)
                seen, info = env._observe_and_inform()
                np.testing.assert_equal({name: array[i] for name, array in observations.items()}, seen)
                np.testing.assert_equal({name: infos[name][i] for name in info}, info)
                happened["steps"] += 1
            if reference.match.over:
                happened["ends"] += 1
                happened["draws"] += reference.match.winner == NOBODY
                tally(reference, happened)
    for reference in references:
        if not reference.match.over:
            tally(reference, happened)
    return happened


def put_stack(batch: Any, references: list[Reference], stack: Any) -> None:
    """Let all games of the batch and of the engine begin with the rows of `stack`."""
    for i in range(batch.num_envs):
        reference, side = references[i // 2], i & 1
        matrix = reference.match.seats[side].game.matrix
        set_rows(reference.match.seats[side].game, *stack)
        batch.games.cells[i] = read_cells(matrix)
        batch.games.columns[i] = read_columns(read_cells(matrix))
        reference.envs[side]._inform()


def check_seat(batch: Any, i: int, reference: Reference, side: int) -> None:
    """Check that game `i` of a batch has the state of a seat, and the same attacks on their way."""
    for name, value in reference.read(side).items():
        found = batch.games[i][name].tolist()
        assert found == value, (i, name, found, value)
    flights = reference.match.seats[side].coming
    assert batch.games.due[i][: flights.count].tolist() == flights.due_ms[: flights.count]
    assert batch.games.coming[i].tolist()[: flights.count] == [*flights.lines[: flights.count]]


def tally(reference: Reference, happened: dict[str, int]) -> None:
    for seat in reference.match.seats:
        happened["received"] += seat.received
        happened["countered"] += seat.countered


def begin(batch: Any, i: int, **options: Any) -> Reference:
    game = batch.games[i]
    return Reference(int(game.seeds[game.drawn - 1]), **options)
