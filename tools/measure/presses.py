"""Print what becomes of presses on the deployed game, on each CircuitPython that is here.

Two presses close together act in their order, and one press leads from GAME OVER to the next Tetrimino.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sim import terminal
from sim.terminal import add_fill, add_path
from tools.board import BoardError
from tools.markdown import lay_out, show

if TYPE_CHECKING:
    from tools.board.handheld import Handheld
    from tools.board.player import Player

PAGE = Path(__file__).parents[2] / "firmware" / "device" / "README.md"
FIGURES = ("presses", "python -m tools.measure.presses --fill")
MOMENTS = 24  # of a frame, at which the first press comes
BOUNCES_MS = (0, 3, 5)
ORDER = "rotation, 1 ms later Hard Drop, {}: in order"
ONCE = "rotation, {}: acts once"
_FRAME_MS = 1000 / 60
AGAIN = "GAME OVER, START held: the next Tetrimino"
_GAP_MS = 1.0
_FAR_MS = 60.0
_DOWN_MS = 60.0
_WATCHED_MS = 420.0
_OVER_S = 2.0  # until GAME OVER stands
_SEEDS = 8  # of the first Tetrimino, which must not be an O

Move = tuple[float, str, bool]  # when a contact moves, in ms, and whether it closes


def close(button: str, at_ms: float, bounce_ms: float, chance: random.Random) -> list[Move]:
    """Return how a contact closes at `at_ms`, bounces for `bounce_ms`, and opens later."""
    moves, down, passed_ms = [(at_ms, button, True)], True, 0.0
    while (passed_ms := passed_ms + chance.uniform(0.1, 0.7)) < bounce_ms:
        down = not down
        moves.append((at_ms + passed_ms, button, down))
    return [*moves, (at_ms + bounce_ms, button, True), (at_ms + _DOWN_MS, button, False)]


class Show:
    """Show what contacts do from one moment of a game on."""

    def __init__(self, handheld: "Handheld") -> None:
        self.handheld = handheld
        self.start = handheld.snapshot()

    def see(self, moment: int, *moves: Move) -> bytes:
        """Return the picture some time after contacts have moved."""
        handheld = self.handheld
        handheld.restore(self.start)
        handheld.run(moment * _FRAME_MS / MOMENTS / 1000)
        now_ms = 0.0
        for at_ms, button, down in sorted(moves):
            handheld.run((at_ms - now_ms) / 1000)
            handheld.hold(button, down)
            now_ms = at_ms
        handheld.run((_WATCHED_MS - now_ms) / 1000)
        return handheld.picture()


def measure(uf2: Path) -> Iterator[tuple[str, str]]:
    """Yield how often, of MOMENTS, a pair of presses acts in its order and one acts once, and the way to a new game."""
    from tools.board import prepared
    from tools.board.bench import Bench

    bench = Bench(uf2)
    for seed in range(1, 1 + _SEEDS):
        player = bench.to_title(prepared.read_choices(()), seed=seed)
        player.start_game()
        show = Show(player.handheld)
        steady = random.Random(0)
        turned = show.see(0, *close("A", 0, 0, steady))
        right = show.see(0, *close("A", 0, 0, steady), *close("U", _FAR_MS, 0, steady))
        wrong = show.see(0, *close("U", 0, 0, steady), *close("A", _FAR_MS, 0, steady))
        if len({turned, right, wrong}) == 3:
            break
    else:
        raise BoardError("every first Tetrimino looks the same after a turn")
    for bounce_ms in BOUNCES_MS:
        name = f"contacts bounce {bounce_ms} ms" if bounce_ms else "clean contacts"
        ordered = once = 0
        for moment in range(MOMENTS):
            chance = random.Random(moment)
            first, second = close("A", 0, bounce_ms, chance), close("U", _GAP_MS, bounce_ms, chance)
            ordered += show.see(moment, *first, *second) == right
            once += show.see(moment, *first) == turned
        yield ORDER.format(name), f"{ordered} of {MOMENTS}"
        yield ONCE.format(name), f"{once} of {MOMENTS}"
    player = bench.to_title(prepared.read_choices(()))
    player.start_game()
    yield AGAIN, f"1 press, {1000 * time_again(player):.0f} ms"


def time_again(player: "Player") -> float:
    """Top out, and hold START; return the seconds from its press to a picture with a Tetrimino in an empty Matrix."""
    while not player.shows("OVER"):
        player.tap("U", 0.05, 0.12)
        player.check()
    player.run(_OVER_S)
    over = player.handheld.picture()
    seconds = player.time_load("S")
    if over == player.handheld.picture() or player.shows("OVER", "PAUSE"):
        raise BoardError("START held begins no game")
    return seconds


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.measure.presses", description=__doc__)
    add_path(parser, "--uf2", "FILE", "only this CircuitPython (default: SKYLINE_UF2 and all in the cache)")
    add_fill(parser, "put the table into firmware/device/README.md, too")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    from tools.board import firmware_image

    versions = firmware_image.choose(options.uf2)
    try:
        found = {version: dict(measure(uf2)) for version, uf2 in versions.items()}
    except BoardError as problem:
        raise terminal.Refusal(str(problem).splitlines()[0]) from None
    rows = [[what, *(found[version][what] for version in versions)] for what in next(iter(found.values()))]
    table = lay_out(["presses", *versions], rows)
    show(table, PAGE, *FIGURES, options.fill)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
