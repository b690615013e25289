"""Find the mode RUSH in every list of a copy of the sources, and play it (tests/house/test_recipes.py)."""

from datetime import datetime
from pathlib import Path

import firmware
from firmware.engine.controls import ROTATE_CW, SOFT_DROP
from firmware.engine.game import AIM_REACHED
from firmware.modes.catalogue import make_mode
from firmware.modes.listing import list_tables, name_table
from firmware.save.recordings.recording import Recording
from firmware.save.settings import Settings
from firmware.scenes.again import pack
from sim import command_line
from sim.library import KINDS, Library
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tools import robot

RUSH = len(KINDS) - 3  # the last mode, before the matches
assert Path(firmware.__file__).parents[1] == Path.cwd(), "this is no copy"

# The menu leads to a game.
handheld = Handheld(store=[RamStore(4096)], first="menus.more_modes")
scene = handheld.scene
line = scene.lines.index(b"RUSH")
assert scene.notes[line] == b"LOCK DOWN 40|TETRIMINOS AS|FAST AS YOU CAN"
for _ in range(line):
    handheld.tap(SOFT_DROP)
assert scene.value(line) == b"40"
handheld.tap(ROTATE_CW, ROTATE_CW)
assert handheld.name == "play.play" and handheld.scene.view.timed
assert handheld.game.goal == 40 and handheld.session.variant == RUSH
# The choice outlives power-off, after the first picture.
handheld.step(16, 2)
settings = Settings()
settings.restore(handheld.journal.read(1))
assert (settings.variant, settings.aim) == (RUSH, 40)

# The robot plays it to its result, from the command line.
assert "rush" in command_line.make_parser().format_help()
assert robot.main(["--variant", "rush", "--seed", "3", "--pace", "30", "--output", "rush.sky"]) == 0
blob = Path("rush.sky").read_bytes()
recording = Recording(blob)
assert recording.variant == RUSH
game = recording.game(make_mode(RUSH))
game.start(0)
while recording.read():
    game.input(recording.button, recording.pressed, recording.time_ms)
game.advance(recording.time_ms)
assert (game.over, game.lock_downs, game.goal) == (AIM_REACHED, 40, 0)
result = game.mode.result(game)
assert result == game.time_ms > 0

# The result has a place in its table, and the lowest time wins.
headings = [name_table(choice) for choice in list_tables()]
assert headings[-1] == b"RUSH 40"
game.options.aim = 0
handheld.session.finish(game, pack(game.options))
assert handheld.session.placed == (0, len(headings) - 1)
game.time_ms += 1000
handheld.session.finish(game, pack(game.options))
assert handheld.session.placed == (1, len(headings) - 1)
placed = handheld.session.placed
for name, subject in (("menus.over", game), ("menus.scores_initials", placed), ("menus.scores", placed)):
    handheld.open(name, subject, ms=0, frames=3)
assert handheld.scene.at == len(headings) - 1

# HELP has a page for RUSH, and the library lists the recording.
handheld.go("help.modes")
handheld.step(0, 3)
assert handheld.scene.pages[-1].startswith(b"RUSH|") and handheld.scene.pictures[-1]
entry = Library(Path("games")).add(blob, KINDS.index("rush"), result, bytes(1024), datetime(2026, 11, 23))
minutes, seconds = divmod(result // 10, 6000)
assert entry.describe().endswith(f" rush         {minutes}:{seconds // 100:02}.{seconds % 100:02}"), entry.describe()
