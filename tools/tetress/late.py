"""Play long games on from turn 90, the strong player against the one for whom tokens do not count before the end.

The positions are of games of that one against itself that lasted to turn 150. Both look at the same number of
positions an action and read no clock: the games are the same every time. Needs the extra `solve`.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

from firmware.tetress.game import ACTIONS, DRAWN, LONGEST, Game
from sim import terminal
from tools.tetress.agent import LEAST_POSITIONS, WEIGHTS, Agent
from tools.tetress.notation import SIZE, cells_of

FILE = Path(__file__).resolve().parent.parent.parent / "tests" / "tetress" / "late.txt"
BEGUN = 90  # actions played
GAMES = 20

_BEFORE = (*WEIGHTS[:4], 0)
_BESIDE = 10  # boards beside each other in the file
_BLOCKS = 4
_OPENING = 4  # actions by chance
_QUICK_POSITIONS = 3000
_TOKENS = ".RB"


def read_positions(path: Path = FILE) -> list[Game]:
    """Return the positions that a file draws: boards beside each other, blocks of them one below the other."""
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    games = []
    for top in range(0, len(lines), SIZE):
        for board in zip(*lines[top : top + SIZE], strict=True):
            game = Game()
            for r, row in enumerate(board):
                for c, token in enumerate(row):
                    if token != ".":
                        game.tokens[_TOKENS.index(token) - 1][r] |= 1 << c
            game.played = BEGUN
            game.find()
            games.append(game)
    return games


def write_positions(boards: Iterable[list[str]], path: Path = FILE) -> None:
    """Draw boards, each eleven rows of text, to a file."""
    boards = list(boards)
    lines = [
        "# Made by `python -m tools.tetress.late --make`: positions after 90 actions of games that lasted to the 150th."
    ]
    for first in range(0, len(boards), _BESIDE):
        lines += ["", *(" ".join(rows) for rows in zip(*boards[first : first + _BESIDE], strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def long_games() -> Iterator[list[str]]:
    """Play the version before against itself, from openings by chance; return boards of those games that are long."""
    seed = 0
    while True:
        seed += 1
        choice = random.Random(seed)
        game = Game()
        actions = [0] * ACTIONS
        for _ in range(_OPENING):
            game.play(actions[choice.randrange(game.list_actions(actions))])
        board: list[str] = []
        agents = [Agent(colour, weights=_BEFORE, positions=_QUICK_POSITIONS) for colour in (0, 1)]
        for agent in agents:
            agent.game = game
        while not game.over:
            if game.played == BEGUN:
                board = ["".join(_TOKENS[game.token(r, c)] for c in range(SIZE)) for r in range(SIZE)]
            game.play(agents[game.played & 1].think())
        if game.played == LONGEST:
            yield board


def play_on(position: Game, colour: int, positions: int) -> Game:
    """Return how a position's game ends, played by today's player as `colour` and by the one before."""
    agents = []
    for side in (0, 1):
        agent = Agent(side, weights=WEIGHTS if side == colour else _BEFORE, positions=positions)
        for own, given in zip(agent.game.tokens, position.tokens, strict=True):
            own[:] = given
        agent.game.played = position.played
        agent.game.find()
        agents.append(agent)
    game = agents[0].game
    while not game.over:
        mover = game.played & 1
        cells = cells_of(agents[mover].think())
        for agent in agents:
            agent.update(mover, cells)
    return game


def contest(positions: int = LEAST_POSITIONS, games: int = GAMES) -> Iterator[tuple[int, Game]]:
    """Play each position with either colour until so many games lasted to the end; return today's colour and the game.

    positions: to look at for every action.
    """
    for position in read_positions():
        for colour in (0, 1):
            game = play_on(position, colour, positions)
            games -= game.played == LONGEST
            yield colour, game
            if not games:
                return


def won(colour: int, game: Game) -> bool:
    """Return whether a colour won."""
    return bool(game.over == colour + 1)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 2 with one line on stderr for what cannot be done."""
    parser = terminal.Parser(prog="python -m tools.tetress.late", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--make", action="store_true", help="make the positions anew (takes minutes)")
    options = parser.parse_args(arguments)
    if find_spec("numba") is None or find_spec("tqdm") is None:
        return parser.refuse("this needs the extra `solve`; pip install -e .[solve]")
    from tqdm import tqdm

    try:
        if options.make:
            boards = long_games()
            write_positions(next(boards) for _ in tqdm(range(_BESIDE * _BLOCKS), unit="position"))
            return 0
        ended = []
        with tqdm(total=GAMES, unit="long game") as bar:
            for colour, game in contest():
                ended.append((colour, game))
                bar.update(game.played == LONGEST)
    except OSError as problem:
        return parser.refuse(f"{FILE}: {problem.strerror}")
    for name, chosen in (
        (f"lasted to action {LONGEST}", [one for one in ended if one[1].played == LONGEST]),
        ("ended before", [one for one in ended if one[1].played < LONGEST]),
    ):
        drawn = sum(game.over == DRAWN for _, game in chosen)
        print(f"{name}: {len(chosen)} games, {sum(won(*one) for one in chosen)} won, {drawn} drawn")
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
