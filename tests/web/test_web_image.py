"""The firmware as the page loads it: what its images hold, how they are packed, and the tables beside them."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.device import profiles
from firmware.device.chip import FREE_SLICE
from firmware.engine.controls import HARD_DROP, LEFT, ROTATE_CCW
from sim.web import memory
from tests.support import needs
from tests.support.running import ROOT
from tests.web import realm
from tools.deploy import compiling, image, mpy
from tools.web import numbering, packing, romfs, sorting, tables

SOURCES = {
    "one.py": "def turn(piece, *, times=1):\n    try:\n        return lambda: [piece.x + i for i in range(times)]\n"
    "    except ValueError as problem:\n        raise problem\n",
    "two.py": "import sys\nfor times in sys.argv:\n    print(times.x, **{'piece': 100000})\n",
}


def test_the_image_holds_the_firmware_without_hardware_modules() -> None:
    names = {name for name in image.read_sources() if romfs.is_wanted(name)}
    assert {"firmware/app.py", "firmware/scenes/play/play.py", "firmware/device/edges.py"} <= names
    assert not {"firmware/device/boot/pico.py", "safemode.py", "code.py", "boot.py"} & names
    for name in names | {*romfs.CHECKING}:
        imported = re.findall(r"^(?:from|import) (\w+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        assert set(imported) <= {"firmware", "gc", "sys", "array", "binascii", "struct"}


def test_the_builders_image_checks_settings_without_the_game(dist: Path, tmp_path: Path) -> None:
    needs.demand("node")
    parts = realm.unpack(dist, tmp_path, "builder-*.bin")
    pins = {
        "LEFT": "LEFT",
        "RIGHT": "RIGHT",
        "SOFT_DROP": "DOWN",
        "HARD_DROP": "UP",
        "ROTATE_CW": "A",
        "ROTATE_CCW": "B",
    }
    chosen = {"DISPLAY": "board", "HOLD": "none", "PAUSE": "none"} | {key: f"BUTTON_{pin}" for key, pin in pins.items()}
    record = json.dumps(profiles.find("tinycircuits_thumby_color"))

    def check(buzzer: str) -> str:
        lines = [f'SKYLINE_{key} = "{value}"\n' for key, value in {**chosen, "BUZZER": buzzer}.items()]
        text = "".join(["SKYLINE_ROTATION = 0\n", *lines])
        command = [needs.find_node(), str(realm.ANSWERER.with_name("checker.mjs")), *parts, text, record]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert check("none") == ""
    assert check("SPEAKER") == f"SKYLINE_BUZZER is SPEAKER, allowed: {FREE_SLICE}"


@settings(max_examples=20)
@given(st.binary(max_size=2000))
def test_unpacking_inverts_packing(content: bytes) -> None:
    assert packing.unpack(packing.pack(content)) == content


def test_restoring_inverts_sorting_which_cuts_modules_by_kind() -> None:
    module = b"M\x06\x00\x1f" + b"\x03\x04" + b"\x02a\x00\x81\x01\x02b\x00"
    constants = b"\x05\x01x\x00" + b"\x0a\x02\x01\x07\x0212" + b"\x03" + b"\x06\x00\x00"
    files = [module + constants + b"code", b"no module\xff", b"a text", module + constants]
    assert [sorting.cut(file) for file in files] == [(6, 14, 29), (0, 0, 10), (0, 0, 6), (6, 14, 29)]
    one, two = (compiling.compile_source(name, text, "-O3") for name, text in SOURCES.items())
    image = b"head" + one + b"between" + files[1] + files[2] + files[3] + two + b"foot"
    content = sorting.sort(image, [one, *files[1:], two])
    modules = [mpy.read(each) for each in (one, two)]
    names = [each.content[each.names_at : each.constants_at] for each in modules if each]
    assert names[0] + module[6:] + names[1] in content and b"no module\xffa text" + constants in content
    assert sorting.restore(content) == image


def test_renumbered_modules_share_numbers_and_use_the_same_names() -> None:
    files = {name: compiling.compile_source(name, text, "-O3") for name, text in SOURCES.items()}
    numbered = numbering.renumber({**files, "winning.bin": b"no module"})
    assert numbered.pop("winning.bin") == b"no module"
    before, after = ([mpy.read(content) for content in each.values()] for each in (files, numbered))
    for old, new in zip(before, after, strict=True):
        assert old and new
        used = [[module.names[module.content[at]] for at in module.find_uses()] for module in (old, new)]
        assert used[0] == used[1] and old.names[0] == new.names[0]
    for name in (b"\x0atimes\x00", b"\x0apiece\x00"):
        assert len({module.names.index(name) for module in after if module}) == 1
        assert len({module.names.index(name) for module in before if module}) == 2


def test_tables_use_the_browsers_names_of_keys() -> None:
    found: Any = tables.build()
    assert found["KEYS"][LEFT] == "ArrowLeft Numpad4" and "KeyZ ControlLeft" in found["KEYS"][ROTATE_CCW]
    assert found["LABELS"]["Escape"] == "Esc" and not {"KeyA", "Digit1", "Numpad1", "F1"} & set(found["LABELS"])
    assert found["PAD_BUTTONS"][12] == HARD_DROP and found["PAD_STICKS"]["0-"] == LEFT
    assert found["MENU_STICKS"] == {"1-": HARD_DROP}


def test_states_have_the_numbers_of_their_names() -> None:
    assert [getattr(memory, name) for name in memory.STATE] == list(range(len(memory.STATE)))
