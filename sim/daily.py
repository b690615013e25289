"""Write the result of a daily game as a line that its recording proves; runs in the page, too (sim/web)."""

from binascii import crc32

from firmware.engine.options import NAMES
from firmware.modes.catalogue import find, make_mode
from firmware.modes.days import is_day, write_day
from firmware.save.presets import HANDLING
from firmware.save.recordings.recording import Player, Recording

_STEP_MS = 1000


class Proof(Recording):
    """Read a recording in which only the handling changes during the game."""

    def change(self, number: int) -> None:
        """Change an option; raise ValueError if it does not belong to the handling."""
        place = number >> 10
        if place < len(NAMES) and NAMES[place] not in HANDLING:
            raise ValueError(f"the recording changes {NAMES[place]} during the game, so it is not a daily game")
        super().change(number)


def is_daily(variant: int) -> bool:
    """Return whether the seed of a variant is a day."""
    return find(variant)[b"below"] == b"day"


def describe(blob: bytes) -> str:
    """Play a recorded daily game and return its line; raise ValueError with one line for any other game."""
    recording = Proof(blob)
    if not is_daily(recording.variant):
        raise ValueError("the recording is not of a daily game")
    if not is_day(recording.seed):
        raise ValueError(f"the recording's seed {recording.seed} is not a day")
    if recording.options.garbage_rows:
        raise ValueError("the recording begins with Starting Blocks, so it is not a daily game")
    mode = make_mode(recording.variant)
    game = recording.game(mode)
    player = Player(recording, game)
    time_ms = 0
    while not player.finished():
        time_ms += _STEP_MS
        player.advance(time_ms)
    if not game.over:
        raise ValueError("the recording ends before the game does")
    day = write_day(recording.seed).decode()
    return sign(f"SKYLINE DAILY {day} {mode.result(game)} {game.lines} LINES {crc32(blob):08X}")


def sign(line: str) -> str:
    """Return a line followed by its checksum."""
    return f"{line} {crc32(line.encode()):08X}"
