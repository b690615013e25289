"""Draw positions of Tetress."""

from __future__ import annotations

from firmware.tetress.game import ACTIONS, Game

SIZE = 11


def legal(game: Game) -> list[int]:
    """Return the numbers of all legal actions."""
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
    """Return the board as lines of R, B and dots."""
    return ["".join(".RB"[game.token(r, c)] for c in range(SIZE)) for r in range(SIZE)]


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
