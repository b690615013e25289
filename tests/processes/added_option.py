"""Find two options in every list of a copy of the sources, and set them (tests/save/test_option_table.py)."""

import sys
from pathlib import Path

import firmware
from firmware.engine.controls import HARD_DROP, RIGHT, ROTATE_CCW, SOFT_DROP
from firmware.engine.options import Options
from firmware.option_table import GAME_FIELDS
from firmware.save.presets import FAST, HANDLING, handle
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.settings import Settings
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tools.deploy import minifying

assert Path(firmware.__file__).parents[1] == Path.cwd(), "this is no copy"

# Older settings get the defaults of the new options and keep the rest.
older = Settings()
older.restore(bytes.fromhex(sys.argv[1]))
assert (older.tune, older.day, older.das_ms, older.sparks, older.lift_ms) == (2, 7, 200, 1, 40)

# Each is a line of its menu, and the choice outlives power-off.
store = [RamStore(4096)]
handheld = Handheld(store=store, first="options.display")
assert handheld.scene.lines[-1] == b"SPARKS"
handheld.tap(HARD_DROP, RIGHT)
assert (handheld.settings.sparks, handheld.scene.value(handheld.scene.at)) == (2, b"MANY")
handheld.tap(ROTATE_CCW)
handheld.go("options.handling")
handheld.step(0, 3)
assert handheld.scene.lines[-1] == b"LIFT" and handheld.scene.notes[-1] == b"LIFT: MS|BEFORE A|DROP"
handheld.tap(HARD_DROP, RIGHT, ROTATE_CCW)
restarted = Handheld(store=[RamStore(store[0].image)])
assert (restarted.settings.sparks, restarted.settings.lift_ms) == (2, 90)

# A line joined of two sets both, on any page.
handheld.go("options.game_rules")
handheld.step(0, 3)
for shown, both in ((b"+", (1, 1)), (b"-", (0, 0)), (b"HOLD", (1, 0)), (b"GHOST", (0, 1))):
    assert (handheld.settings.hold_on, handheld.settings.ghost_on) == both
    assert (handheld.scene.lines[1], handheld.scene.value(1)) == (b"HOLD GHOST", shown)
    handheld.tap(*[SOFT_DROP] * (handheld.scene.at < 1), RIGHT)

# A damaged record leaves them within their bounds.
buffer = bytearray(437)
for name, wrong in (("sparks", 3), ("lift_ms", 501)):
    damaged = Settings()
    setattr(damaged, name, wrong)
    length = damaged.pack(buffer)
    damaged.restore(bytes(buffer[:length]))
    assert (damaged.sparks, damaged.lift_ms) == (1, 40)

# A preset sets the option of games, a game in progress may change it, and a recording stores it.
assert "lift_ms" in HANDLING and GAME_FIELDS[-1] == ("lift_ms", 0, 500, 20)
handle(restarted.settings, FAST)
assert restarted.settings.lift_ms == 10
chosen = Options()
chosen.lift_ms = 300
recorder = Recorder(200)
recorder.begin_game(0, 1, chosen)
assert Recording(recorder.recorded(0)).options.lift_ms == 300

# Deploy keeps both in the sources for a board.
words = {"scenes/options/display": "SPARKS", "save/settings_fields": "sparks", "engine/options": "lift"}
for path, word in words.items():
    text = Path("firmware", f"{path}.py").read_text(encoding="utf-8")
    assert word in minifying.minify(text, f"firmware/{path}.py"), path
print("all lists")
