"""Play solo games with default options, and count the erases of the journal's page."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from firmware.save.journal import NUMBERS
from firmware.save.life import Life
from tools.board.firmware_image import DRIVE_START
from tools.board.handheld import make_handheld
from tools.board.nvm import make_nvm, open_journal
from tools.board.player import Player
from tools.markdown import lay_out

HEADS = ("rewriting", "games since the last", "Tetriminos since the last", "erases")
_RESULT = "A NEXT"
_WAYS = ("LLLL", "RRRR", "LL", "RR", "", "LLL", "RRR", "R", "L")
_BURST_S = 0.5


@dataclass(frozen=True)
class Rewriting:
    """What was played since the last rewriting, and how many erases this one took."""

    games: int
    tetriminos: int
    erases: int


def play(uf2: Path, files: dict[str, bytes], count: int) -> list[Rewriting]:
    """Play Marathons, one after the other, until the journal has been rewritten `count` times."""
    handheld = make_handheld(uf2, files, nvm=make_nvm())
    handheld.run(3)
    player = Player(handheld)
    found: list[Rewriting] = []
    games = drops = place = seen = 0
    is_over = True
    while len(found) < count:
        finished = read_games(handheld.nvm)
        if is_over:  # switched off and on, as a player may do at any time
            handheld.restart()
            seen = 0
            player.to_title()
            player.start_game()
        for button in _WAYS[place % len(_WAYS)]:
            player.tap(button, 0.03, 0.03)
        player.tap("U", 0.05, 0.3)
        player.check()
        place += 1
        drops += 1
        is_over = player.shows(_RESULT, small=True)
        if is_over:
            player.run(2)  # until the statistics are saved
        games += read_games(handheld.nvm) - finished
        erases = [each.time_s for each in handheld.writes[seen:] if each.erases and each.address < DRIVE_START]
        seen = len(handheld.writes)
        if erases:
            found.append(Rewriting(games, drops, sum(each - erases[0] < _BURST_S for each in erases)))
            games = drops = 0
    return found


def read_games(nvm: bytes) -> int:
    return Life(open_journal(nvm).read(NUMBERS)).games


def tabulate(rewritings: Sequence[Rewriting]) -> str:
    rows = [
        (str(number), str(each.games), str(each.tetriminos), str(each.erases))
        for number, each in enumerate(rewritings, 1)
    ]
    return lay_out(HEADS, rows)
