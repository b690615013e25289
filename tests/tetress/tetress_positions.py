"""Make positions of Tetress from drawings or by chance."""

import random

from firmware.tetress.game import ACTIONS, LONGEST, SIZE, Game


def legal(game: Game) -> list[int]:
    actions = [0] * ACTIONS
    del actions[game.list_actions(actions) :]
    return actions


def position(text: str, moves: int = 2) -> Game:
    """Return a game with the board drawn as text, R, B and dots, after `moves` actions."""
    game = Game()
    for r, line in enumerate(text.split()):
        for c, cell in enumerate(line):
            if cell != ".":
                game.tokens["RB".index(cell)][r] |= 1 << c
    game.played = moves
    game.find()
    return game


def board(game: Game) -> list[str]:
    return ["".join(".RB"[game.token(r, c)] for c in range(SIZE)) for r in range(SIZE)]


def by_chance(seed: int, actions: int = LONGEST) -> Game:
    """Return a game after `actions` random actions, or at its end."""
    choice = random.Random(seed)
    game = Game()
    while game.played < actions and not game.over:
        game.play(choice.choice(legal(game)))
    return game


def middle_games(count: int = 60) -> list[Game]:
    """Return random games with 60 to 260 legal actions."""
    games: list[Game] = []
    seed = 0
    while len(games) < count:
        game = by_chance(seed, 12 + seed % 24)
        seed += 1
        if not game.over and 60 <= len(legal(game)) <= 260:
            games.append(game)
    return games


BLOCKED = """
.RRRRRRRRRR
R.RRRRRRRRR
RR.RRRRRRRR
RRR.RRRRRRR
RRB..RRR.RR
RRR...RRRRR
RRRRRR.RRRR
RRRRRRR.RRR
RRRR.RRR.RR
RRRRRRRRR.R
RRRRRRRRRR.
"""
