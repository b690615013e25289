"""Compare a batch of Skyline-v0 with gymnasium's vector of single environments, game by game."""

import copy
from typing import Any

import numpy as np

from firmware.engine.game import Game
from firmware.engine.matrix import HEIGHT, WIDTH, Matrix

SEED = 1
# Fields of a game that are the same in an engine's Game.
SAME = ("piece", "hold", "lines", "score", "level", "goal", "chain", "lock_downs", "over", "time_ms")


def read_fields(env: Any) -> dict[str, Any]:
    """Return the state of an environment's Game by the fields of the batch's games."""
    return {**read_game(env.game), "entry_y": env.game.y, "sent": env._line_counter.sent}


def read_game(game: Game) -> dict[str, Any]:
    """Return the part of it that a seat of a match has, too."""
    return {
        **{name: getattr(game, name) for name in SAME},
        "held": int(game.held),
        "next": [*game.next],
        "order": [*game.dealer.order],
        "left": game.dealer.left,
        "random": (game.random.a, game.random.b),
        "garbage": (game.garbage.a, game.garbage.b),
        "combo": game.statistics.combo,
        "cells": read_cells(game.matrix).tolist(),
        "columns": read_columns(read_cells(game.matrix)).tolist(),
    }


def read_cells(matrix: Matrix) -> np.ndarray[Any, Any]:
    return np.frombuffer(b"".join(matrix.rows), np.uint8)


def read_columns(cells: Any) -> np.ndarray[Any, Any]:
    bits = 1 << np.arange(HEIGHT - 1, -1, -1, dtype=np.int64)
    columns: np.ndarray[Any, Any] = ((cells.reshape(HEIGHT, WIDTH) > 0) * bits[:, None]).sum(axis=0)
    return columns


def check_games(batch: Any, sync: Any) -> None:
    """Check that each game of a batch has the state of its environment's Game."""
    for i, env in enumerate(sync.envs):
        wanted = read_fields(env.unwrapped)
        if not env.unwrapped.game.piece:
            del wanted["entry_y"]
        assert {name: batch.games[i][name].tolist() for name in wanted} == wanted, i


def put_game(batch: Any, i: int, env: Any) -> None:
    """Put the state of an environment's Game into game `i` of a batch."""
    for name, value in read_fields(env).items():
        batch.games[name][i] = value


def set_rows(game: Game, *rows: str) -> None:
    """Set the lowest rows of a Matrix, the lowest one last; a letter is garbage, a dot is empty."""
    game.matrix.clear()
    for y, row in enumerate(reversed(rows)):
        game.matrix.set_row(y, bytes(0 if cell == "." else 8 for cell in row))


def check_steps(batch: Any, sync: Any, steps: int, choose: Any = None) -> int:
    """Take random steps in both and check that all is equal; return the number of episodes that ended.

    choose: returns the action of a game from its number and its mask; by default random, nearly always allowed.
    """
    chance = np.random.default_rng(SEED)

    def choose_random(_i: int, mask: Any) -> Any:
        allowed = np.flatnonzero(mask)
        return chance.choice(allowed) if len(allowed) and chance.random() < 0.95 else chance.integers(len(mask))

    for env in sync.envs:
        env.unwrapped._finder = None  # search as sim/bots/places.py does, not as the batch
    choose = choose or choose_random
    observations, infos = batch.reset(seed=SEED)
    np.testing.assert_equal((observations, infos), sync.reset(seed=SEED))
    check_games(batch, sync)
    ends = 0
    for _ in range(steps):
        actions = np.array([choose(i, mask) for i, mask in enumerate(infos["action_mask"])])
        results = batch.step(actions)
        np.testing.assert_equal(results, sync.step(actions))
        check_games(batch, sync)
        infos = results[4]
        ends += int(results[2].sum())
    for name, array in results[0].items():
        assert array.dtype == sync.observation_space[name].dtype
    return ends


def choose_well(batch: Any, tries: int = 40) -> Any:
    """Return a choice that keeps the Matrix low and likes attacks, so that games last and every kind of clear comes."""
    from tools.bots.batch.turns import Steps, play_slice

    trial = copy.deepcopy(batch.games)
    chance = np.random.default_rng(3)
    count, seats = batch.num_envs, batch.seats
    ends = np.zeros((2, count), np.bool_)
    steps = Steps(batch.sent, np.zeros(count, np.int64), np.zeros(count), *ends)

    def rate(i: int, action: int) -> float:
        first = i // seats * seats
        trial[first : first + seats] = batch.games[first : first + seats]
        steps.actions[i] = action
        play_slice(trial, batch.rules, steps, first, first + seats)
        blocks = trial.cells[i].reshape(40, 10) > 0
        heights = np.where(blocks.any(axis=0), 40 - blocks[::-1].argmax(axis=0), 0)
        holes = heights.sum() - blocks.sum()
        sent = trial.sent[i] + trial.countered[i] - batch.games.sent[i] - batch.games.countered[i]
        chained = trial.chain[i] > batch.games.chain[i]
        return float(8 * sent + 20 * chained - 1000 * (trial.over[i] > 0) - 6 * holes - np.abs(np.diff(heights)).sum())

    def choose(i: int, mask: Any) -> int:
        allowed = np.flatnonzero(mask)
        if chance.random() < 0.02:
            return int(chance.integers(len(mask)))
        if batch.games.over[i] or chance.random() < 0.1:
            return int(chance.choice(allowed))
        tried = chance.choice(allowed, min(tries, len(allowed)), replace=False)
        return max(map(int, tried), key=lambda action: rate(i, action))

    return choose
