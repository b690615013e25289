"""Run our engine and tetris-tui's alternately on the same work; print the seconds as JSON.

tools/measure/peers.py runs this in an environment that has the peer.

A player acts once a frame of 1/60 s. Our engine gets an edge down and, 8 ms later, an edge up. The peer gets one
`update` with one action, as in its own main loop. That loop draws a Ghost Piece after every action, and both engines
find its row on demand. So the race runs twice: with the row read after each action, and without. After a Hard Drop
half a second passes in our engine, so that generation delay and Line Clear cost time as well. After a Game Over a new
game begins; making it is part of the time.
"""

import json
import random
import sys
import time

from terminal_tetris import engine as peer  # type: ignore[import-not-found]

from firmware.engine import controls, phases
from firmware.engine.game import Game
from firmware.modes.marathon import Marathon

FRAME_S = 1 / 60
FRAME_MS = 17
TAP_MS = 8
DROP_MS = 500

BUTTONS = {
    "left": controls.LEFT,
    "right": controls.RIGHT,
    "cw": controls.ROTATE_CW,
    "ccw": controls.ROTATE_CCW,
    "hard": controls.HARD_DROP,
}


def make_pieces(count: int) -> list[str]:
    """Return the actions of `count` Tetriminos: up to three rotations, up to five steps, a Hard Drop."""
    chance = random.Random(count)
    actions = []
    for _ in range(count):
        turn = chance.choice(("cw", "ccw"))
        steps = chance.randint(-5, 5)
        actions += [turn] * chance.randrange(4) + ["left" if steps < 0 else "right"] * abs(steps) + ["hard"]
    return actions


def make_moves(count: int) -> list[str]:
    """Return `count` single moves at random: left, right, and rotations both ways."""
    return random.Random(count).choices(("left", "right", "cw", "ccw"), k=count)


def run_ours(actions: list[str], ghost: bool) -> float:
    """Return the seconds our engine needs for `actions`."""
    buttons = [BUTTONS[action] for action in actions]
    seed = 1
    t_ms = 0
    start_s = time.process_time()
    game = Game(seed, None, Marathon())
    game.start(0)
    for button in buttons:
        t_ms += FRAME_MS
        game.input(button, 1, t_ms)
        game.input(button, 0, t_ms + TAP_MS)
        if ghost:
            game.ghost_y  # noqa: B018
        if button == controls.HARD_DROP:
            t_ms += DROP_MS
        if game.phase == phases.GAME_OVER:
            seed += 1
            game = Game(seed, None, Marathon())
            game.start(t_ms)
    return time.process_time() - start_s


def run_peer(actions: list[str], ghost: bool) -> float:
    lists = {action: [action] for action in BUTTONS}
    work = [lists[action] for action in actions]
    seed = 1
    start_s = time.process_time()
    game = peer.Game(1, seed)
    for frame_actions in work:
        game.update(FRAME_S, frame_actions)
        if ghost:
            game.ghost_y()
        if game.phase == peer.GAME_OVER:
            seed += 1
            game = peer.Game(1, seed)
    return time.process_time() - start_s


def main() -> None:
    """Print {name: [[ours, theirs] of each round]}; the arguments are rounds, pieces and moves."""
    rounds, pieces, moves = (int(word) for word in sys.argv[1:4])
    work = {"pieces": make_pieces(pieces), "moves": make_moves(moves)}
    times: dict[str, list[list[float]]] = {}
    for number in range(rounds):
        for name, actions in work.items():
            for ghost in (True, False):
                runs = [run_ours, run_peer]
                pair = [run(actions, ghost) for run in (runs if number % 2 else runs[::-1])]
                pair = pair if number % 2 else pair[::-1]
                times.setdefault(f"{name} {'shown' if ghost else 'bare'}", []).append(pair)
    print(json.dumps(times))
