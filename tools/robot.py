"""Let a robot play a game at a person's pace, and record it.

    python -m tools.robot --seed 7 --seconds 200 --output game.sky

The robot presses the same controls as a person, one press at a time. It stacks with the rightmost column open and waits
for the I to make a Tetris. It holds pieces that do not fit, and holds a direction down to reach a wall. In DIG it digs:
`--variant dig --aim 10 --seed 8` completes after 38 Tetriminos. It made the recordings of the demonstration and of the
tests.
"""

import argparse
import itertools
import random
import sys

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.manipulation import Manipulation
from firmware.engine.options import Options
from firmware.engine.randomizer import SEEDS
from firmware.modes.catalogue import find, make_mode
from firmware.modes.delays import set_delays
from firmware.modes.rules import find_rules
from firmware.option_table import GAME_FIELDS
from firmware.save.recorder import Recorder
from firmware.save.rules import knows
from sim import progress, terminal
from sim.game_record import is_recording
from sim.library import VARIANTS
from sim.ownership import output, to_file
from sim.terminal import Refusal, add_number, writing

Plan = list[str]

_HURRY_MS = 10
DELAYS = ("guideline", "short", "none")
_RULES = {"aim": "aim", "generation_ms": "delays"}  # those that not all modes know, by the option that sets them
_SPANS = {name: (least, most) for name, least, most, _ in GAME_FIELDS}

PRESSES = {
    "left": controls.LEFT,
    "right": controls.RIGHT,
    "cw": controls.ROTATE_CW,
    "ccw": controls.ROTATE_CCW,
    "hold": controls.HOLD,
    "hard": controls.HARD_DROP,
    "soft": controls.SOFT_DROP,
}
STEPS = {"left": -1, "right": 1}
TO_WALL = {"wall left": "left", "wall right": "right"}  # a direction that is held until the Tetrimino stops
_TO_WALL_MS = 300 + 9 * 55  # the delay of Auto-Repeat, and nine steps
# All turns come before the steps, or only the first: turns after them, at a wall, use later rotation points.
TURNS: list[Plan] = [[], ["cw"], ["ccw"], ["cw", "cw"], ["cw", "ccw"]]
TURNS_ONE_WAY: list[Plan] = [[], ["ccw"], ["ccw", "ccw"], ["ccw", "ccw", "ccw"]]


def value(heights: list[int], holes: int, lines: int) -> float:
    """Return the value of a Matrix: best if flat, without holes, and open in its rightmost column for a Tetris."""
    stack = heights[:9]
    bumps = sum(abs(a - b) for a, b in itertools.pairwise(stack))
    danger = max(0, max(heights) - 12)
    gain = {0: 0.0, 1: -4.0, 2: -3.0, 3: -1.0, 4: 40.0}[lines] if max(heights) < 12 else 12.0 * lines
    return gain - 9 * holes - 1.2 * bumps - 0.4 * sum(stack) / 9 - 3 * heights[9] - 4 * danger**2


def value_digging(heights: list[int], holes: int, lines: int) -> float:
    """Return the value of a Matrix for digging: best if low, flat and without holes."""
    bumps = sum(abs(a - b) for a, b in itertools.pairwise(heights))
    return 0.76 * lines - 0.51 * sum(heights) - 0.36 * holes - 0.18 * bumps


def follow(rules: type[Game], tetrimino: Manipulation, plan: Plan) -> int:
    """Carry out a plan in free fall; return how often a later rotation point was used, or -1 if it cannot be played."""
    kicks = 0
    for press in plan:
        if press in ("cw", "ccw"):
            point = rules.turn(tetrimino, 1 if press == "cw" else 0)  # other rules override turn()
            if not point:
                return -1
            kicks += point > 1
        elif press in TO_WALL:
            while tetrimino.shift(STEPS[TO_WALL[press]]):
                pass
        elif not tetrimino.shift(STEPS[press]):
            return -1
    return kicks


class Robot:
    """Choose a place for each Tetrimino, and press the controls that take it there."""

    def __init__(self, seed: int, options: Options, variant: int, pace_ms: int) -> None:
        mode = make_mode(variant)
        self.game = find_rules(mode, options)(seed, options, mode)
        self.is_standard = find(variant)[b"rules"] == b"standard"
        self.turns = TURNS_ONE_WAY if self.is_standard else TURNS
        self.value = value
        self.recorder = Recorder(1 << 20)
        self.recorder.begin_game(variant, seed, options)
        self.chance = random.Random(seed)
        self.pace_ms = pace_ms

    def wait(self, ms: int) -> None:
        self.game.advance(self.game.now_ms + ms)

    def edge(self, name: str, pressed: bool) -> None:
        if not self.game.over:
            self.recorder.record_edge(PRESSES[name], pressed, self.game.time_ms)
            self.game.input(PRESSES[name], pressed, self.game.now_ms)

    def press(self, name: str, held_ms: int = 0) -> None:
        """Press and release one control; without `held_ms` it is held as long as a finger would."""
        self.edge(name, True)
        self.wait(held_ms or self.chance.randint(self.pace_ms // 3, 7 * self.pace_ms // 9))
        self.edge(name, False)
        self.wait(self.chance.randint(self.pace_ms // 2, self.pace_ms))

    def outcome(self, piece: int, plan: Plan) -> tuple[float, bool]:
        """Return the value of the Matrix after `plan` and a Hard Drop, and whether the plan can be played."""
        tetrimino = self.appear(piece)
        kicks = follow(type(self.game), tetrimino, plan) if tetrimino else -1
        if not tetrimino or kicks < 0:
            return 0.0, False
        y = tetrimino.ghost_y
        masks = list(self.game.matrix.masks[:40])
        for row, mask in enumerate((tetrimino.a, tetrimino.b, tetrimino.c, tetrimino.d)):
            if mask:
                masks[y + row] |= mask
        lines = sum(mask == 0xFFFF for mask in masks)
        masks = [mask for mask in masks if mask != 0xFFFF]
        heights, holes = [], 0
        for x in range(10):
            taken = [index for index, mask in enumerate(masks) if mask >> x + 3 & 1]
            heights.append(taken[-1] + 1 if taken else 0)
            holes += heights[-1] - len(taken)
        # Among equal plans prefer a later rotation point: recordings should contain some.
        return self.value(heights, holes, lines) + 0.05 * kicks, True

    def appear(self, piece: int) -> Manipulation | None:
        """Return a Tetrimino where it comes into play, or None if there is no room."""
        game = self.game
        tetrimino = Manipulation()
        tetrimino.matrix = game.matrix
        if not self.is_standard:
            if not tetrimino.place(piece, 3, 18 if piece == 1 else 19, 0):
                return None
            tetrimino.sink(1 if tetrimino.y > tetrimino.ghost_y else 0)
        elif not tetrimino.place(piece, game.x, game.y, game.facing):
            return None
        return tetrimino

    def choose(self, piece: int) -> tuple[float, Plan]:
        best: tuple[float, Plan] = (-1e9, [])
        for turns in self.turns:
            for wall, side in TO_WALL.items():
                for count in range(7):
                    # Under other rules no direction repeats, and a fast pace leaves no time for it.
                    holds = count == 6 and not self.is_standard and self.pace_ms >= _HURRY_MS
                    steps = [wall] if holds else [side] * count
                    for plan in (turns + steps, [*turns[:1], *steps, *turns[1:]]):
                        rating, possible = self.outcome(piece, plan)
                        rating -= 0.01 * len(plan)
                        if possible and rating > best[0]:
                            best = (rating, plan)
        return best

    def play_tetrimino(self) -> None:
        game = self.game
        while not game.piece and not game.over:
            self.wait(5)
        if game.over:
            return
        self.wait(self.chance.randint(self.pace_ms, 2 * self.pace_ms))
        while self.is_standard and game.piece and not game.lowest:
            self.wait(self.pace_ms // 2)  # no rotation fits at the top edge
        if not game.piece:
            return
        rating, plan = self.choose(game.piece)
        if game.can_hold():
            other_rating, _ = self.choose(game.hold or game.next[0])
            if other_rating > rating + 1:
                self.press("hold")
                if game.over:
                    return
                _, plan = self.choose(game.piece)
        for press in plan:
            if press in TO_WALL:
                self.press(TO_WALL[press], _TO_WALL_MS)
            else:
                self.press(press)
        if game.piece:
            if self.chance.random() < 0.15 and self.pace_ms >= _HURRY_MS:
                self.press("soft", self.chance.randint(100, 400))
            self.press("hard")

    def play(self, seconds: int) -> bytes:
        """Play for `seconds` of game time, or to the end; return the recording."""
        self.game.start(0)
        if self.game.matrix.top:  # garbage, as in DIG
            self.value = value_digging
        self.game.advance(0)
        with progress.bar("playing", seconds, "s") as bar:
            while not self.game.over and self.game.time_ms < seconds * 1000:
                self.play_tetrimino()
                bar.update(self.game.time_ms / 1000 - bar.n)
        return self.recorder.recorded(self.game.now_ms)


def main(arguments: list[str] | None = None) -> int:
    """Play and write the recording; return the exit code."""
    words = "Let a simple robot play a game at human speed, and record it."
    parser = terminal.Parser(prog="python -m tools.robot", description=words)
    add_number(parser, "--seed", 0, SEEDS - 1, 1, "seed of the game and of the robot")
    add_number(parser, "--seconds", 1, None, 200, "stop after this much game time")
    parser.add_argument("--variant", choices=VARIANTS, default="marathon")
    add_number(parser, "--level", *_SPANS["level"], 1, "starting level")
    add_number(parser, "--aim", *_SPANS["aim"], 0, "goal of the mode, such as the number of rows in Dig")
    words = "delays before the next Tetrimino and of a Line Clear (default: guideline)"
    parser.add_argument("--delays", choices=DELAYS, default="guideline", help=words)
    add_number(parser, "--pace", 1, None, 90, "time between presses", "MS")
    to_recording = to_file(ours=is_recording)
    parser.add_argument("--output", type=to_recording, required=True, metavar="FILE", help="recording to write")
    return parser.run(play, arguments)


def play(options: argparse.Namespace) -> None:
    chosen = Options()
    chosen.level = options.level
    chosen.aim = options.aim
    set_delays(chosen, DELAYS.index(options.delays))
    for name in _RULES:
        if getattr(chosen, name) != getattr(Options(), name) and not knows(find(VARIANTS[options.variant]), name):
            raise Refusal(f"--{_RULES[name]}: {options.variant} has no such rule")
    robot = Robot(options.seed, chosen, VARIANTS[options.variant], options.pace)
    recording = robot.play(options.seconds)
    with writing(options.output), output(options.output, is_recording) as file:
        file.write(recording)
    game, kinds = robot.game, robot.game.statistics.kinds
    print(
        f"{options.output}: {len(recording)} bytes, {game.time_ms / 1000:.1f} s, {game.lock_downs} Tetriminos, "
        f"{game.lines} lines, {kinds[4]} Tetrises, {game.statistics.holds} holds, {game.score} points"
    )


if __name__ == "__main__":
    sys.exit(terminal.run(main))
