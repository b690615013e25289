"""Write the tables that the page's scripts share with the simulator as a JavaScript module: keys, colours, memory."""

import json
import re
from collections.abc import Mapping

from firmware.device import profiles, wiring
from firmware.engine import events
from firmware.engine.game import AIM_REACHED
from sim import oled
from sim.clock import POWER_ON_MS
from sim.desktop import archive, gamepad, keyboard, legend_rows
from sim.library import KINDS
from sim.web import memory
from tools.assets import wiring as drawing

# The buttons of a browser's "standard gamepad", in the order of its numbers, by SDL's names.
_PAD_BUTTONS = (
    *("a", "b", "x", "y", "leftshoulder", "rightshoulder", "lefttrigger", "righttrigger", "back", "start"),
    *("leftstick", "rightstick", "dpup", "dpdown", "dpleft", "dpright", "guide"),
)
# The page's names of the event bits of a Lock Down, in the order in which it shows them.
CLEARS = {
    "Back-to-Back": events.BACK_TO_BACK,
    "Mini T-Spin": events.MINI_T_SPIN,
    "T-Spin": events.T_SPIN,
    "Single": events.SINGLE,
    "Double": events.DOUBLE,
    "Triple": events.TRIPLE,
    "Tetris": events.TETRIS,
}
# The keys whose name tells their label (keys.js).
_PLAIN = re.compile(r"(Key|Digit|Numpad).|F\d+|Space|Enter|Backspace|Insert|Delete|Home|End|Page(Up|Down)")
# The address of a relay: encrypted, or on this computer; also a JavaScript pattern.
RELAY = r"^(wss://[\w.-]+|ws://(localhost|127\.0\.0\.1))(:\d{1,5})?(/[\w-]+)*$"
_LOOKED_UP = ("ALWAYS_IN_MENUS", "LETTERS", "PAD_STICKS", "MENU_STICKS")
_PAD_AXES = ("leftx", "lefty", "rightx", "righty")


def sticks(controls: Mapping[str, int | None]) -> dict[str, int]:
    """Return the controls of the sticks' directions, by number and sign of an axis."""
    directions = {f"{at}{sign}": controls.get(axis + sign) for at, axis in enumerate(_PAD_AXES) for sign in "-+"}
    return {direction: control for direction, control in directions.items() if control is not None}


def build() -> dict[str, object]:
    return {
        "KEYS": [
            " ".join(key for key, other in keyboard.ALONE.items() if other == control)
            for control in range(keyboard.RESTART + 1)
        ],
        "LABELS": {key: label for key, label in keyboard.LABELS.items() if not _PLAIN.fullmatch(key)},
        "ALWAYS_IN_MENUS": keyboard.ALWAYS_IN_MENUS,
        "LETTERS": keyboard.LETTERS,
        "RESTART": keyboard.RESTART,
        "IN_PLAY": legend_rows.IN_PLAY,
        "IN_MENUS": legend_rows.IN_MENUS,
        "MOST_CAPS": legend_rows.MOST_CAPS,
        "RESTART_HELD_MS": keyboard.RESTART_HELD_MS,
        "KINDS": KINDS,
        "PAD_BUTTONS": [gamepad.DEFAULTS.get(name) for name in _PAD_BUTTONS],
        "PAD_STICKS": sticks(gamepad.DEFAULTS),
        "MENU_STICKS": sticks(gamepad.AT_MENU),
        # At the lowest and the highest contrast; the page mixes them for other contrasts.
        "PALETTES": {name: [oled.palette(name, 0), oled.palette(name, 255)] for name in oled.COLOURS},
        "GLASS_PX": oled.GLASS_PX,
        "GLOW": oled.GLOW_RGB[0],
        "GRID_OPACITY": oled.GRID_OPACITY,
        "CLEARS": CLEARS,
        "AIM_REACHED": AIM_REACHED,
        "POWER_ON_MS": POWER_ON_MS,
        "STATE": {name: at for at, name in enumerate(memory.STATE)},
        "PLACES": {name: at for at, name in enumerate(memory.PLACES)},
        "HEAP_BYTES": memory.HEAP_BYTES,
        "CAPACITY": memory.CAPACITY,
        "LARGEST": memory.LARGEST,
        "BANK_BYTES": memory.BANK_BYTES,
        "LINK_BYTES": memory.LINK_BYTES,
        "RELAY": RELAY,
    }


def build_wiring() -> dict[str, object]:
    keys = [
        {"key": key, "start": f"{default:#x}" if key == "I2C_ADDRESS" else default, "allowed": allowed}
        | {"what": drawing.PARTS.get(key, (key,))[0], "usual": key in (*drawing.PARTS, "DISPLAY", "ROTATION")}
        for key, default, allowed in wiring.KEYS
    ]
    return {
        "BOARDS": [
            {key: value for key, value in record.items() if key not in ("tried", "display", "shown", "bus")}
            for record in profiles.read()
        ],
        "KEYS": keys,
        "PICO": {"left": drawing.LEFT, "right": drawing.RIGHT},
        "PREFIX": wiring.PREFIX,
        "NONE": wiring.NONE,
        "PIN": wiring.PIN,
        "PIN_OR_NONE": wiring.PIN_OR_NONE,
    }


def build_archive() -> dict[str, object]:
    """Return the form of the file that the page and the simulator exchange."""
    return {
        "VERSION": archive.VERSION,
        "MOST_BYTES": archive.MOST_BYTES,
        "MOST_GAMES": archive.MOST_GAMES,
        "MANIFEST": archive.MANIFEST,
        "NAME": f"^{archive.NAME}$",
        "BANK_FILES": archive.BANKS,
        "GAME_FILE": archive.GAME,
        "SECTION": archive.SECTION,
    }


def script(tables: dict[str, object]) -> str:
    """Return the module that exports these tables, with types for tables in which a script looks up any name."""
    lines = []
    for name, table in tables.items():
        if name in _LOOKED_UP and isinstance(table, dict):
            lines.append("/** @type {Record<string, number|null|undefined>} */")
        elif name == "LABELS":
            lines.append("/** @type {Record<string, string>} */")
        elif name in ("IN_PLAY", "IN_MENUS"):
            lines.append("/** @type {[string, number[]][]} */")
        elif name == "BOARDS":
            lines.append("/** @type {Record<string, string|undefined>[]} */")
        lines.append(f"export const {name} = {json.dumps(table, separators=(',', ':'))};")
    return "// Made by tools/web/tables.py\n" + "\n".join(lines) + "\n"
