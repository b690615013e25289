"""Draw firmware/device/wiring.svg and fill the tables of wires and boards in two READMEs.

They come from firmware/device/wiring.py, firmware/device/profiles.txt and sim/blinka/wiring.py.

    python -m tools.assets.wiring            rewrite all
    python -m tools.assets.wiring --check    exit 1 when a committed file differs
"""

import sys

from firmware.device import profiles
from firmware.device.wiring import BUTTONS, KEYS, NONE, PIN, PIN_OR_NONE, PREFIX, WORD
from sim import board_screens, terminal
from sim.blinka.wiring import DEFAULTS, NUMBERS
from tools import ROOT, markdown
from tools.assets import generation
from tools.svg import INK, Drawing

SVG = ROOT / "firmware/device/wiring.svg"
README = ROOT / "firmware/device/README.md"
SIM_README = ROOT / "sim/README.md"

# The pins of a Raspberry Pi Pico or Pico 2 seen from above, USB on top: the left and the right side, from the top down.
_PINS = """
GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15
VBUS VSYS GND 3V3_EN 3V3 VREF GP28 AGND GP27 GP26 RUN GP22 GND GP21 GP20 GP19 GP18 GND GP17 GP16
"""
LEFT, RIGHT = (line.split() for line in _PINS.strip().splitlines())

# By key: the part on the pin's wire, and the action of its button.
PARTS = {
    "SDA": ("display, SDA", ""),
    "SCL": ("display, SCL (SCK)", ""),
    "LEFT": ("left", "move left"),
    "RIGHT": ("right", "move right"),
    "SOFT_DROP": ("down", "Soft Drop"),
    "HARD_DROP": ("up", "Hard Drop"),
    "ROTATE_CW": ("A", "rotate clockwise"),
    "ROTATE_CCW": ("B", "rotate counterclockwise"),
    "HOLD": ("C", "Hold"),
    "PAUSE": ("Start", "pause"),
    "BUZZER": ("piezo", ""),
}

PITCH = 34  # between two pins
TOP = 120  # of the first pins
BOARD_X, BOARD_WIDTH = 580, 190
WIDTH, HEIGHT = 900, TOP + 20 * PITCH + 30
RAIL = 262  # from the board's edge to the common ground wire
BUTTON = 120  # from the board's edge to the middle of a button
GROUND = "#222222"
SOCKET = 190  # from the board's edge to the middle of a socket of the link
SOCKETS = {"OUT": "to the next handheld's IN", "IN": "from the OUT of the one before"}
COLOURS = {
    "SDA": "#1c6fd0",
    "SCL": "#d08a00",
    "3V3": "#cc2a2a",
    "BUZZER": "#8a3fb5",
    "button": "#1d8a4e",
    "link": "#0b8793",
}


def pins() -> dict[str, str]:
    """Return the default pins by key, without keys whose default is no pin."""
    return {key: str(default) for key, default, allowed in KEYS if allowed in (PIN, PIN_OR_NONE) and default != NONE}


def link_pins() -> tuple[str, str, int]:
    """Return TX and RX of the first UART on the left whose pins are free by default, and the row of the next ground."""
    used = set(pins().values())
    pairs = [(f"GP{n}", f"GP{n + 1}") for n in (0, 4, 8, 12, 16, 20)]  # of neighbouring pins that belong to one UART
    tx, rx = next(pair for pair in pairs if pair[0] in LEFT and not used & set(pair))
    return tx, rx, LEFT.index("GND", LEFT.index(tx))


def place(pin: str) -> tuple[int, int, int]:
    """Return a pin's x, y and side: -1 is left of the board, 1 is right."""
    if pin in LEFT:
        return BOARD_X, TOP + LEFT.index(pin) * PITCH, -1
    return BOARD_X + BOARD_WIDTH, TOP + RIGHT.index(pin) * PITCH, 1


def draw_board(drawing: Drawing) -> None:
    drawing.box(BOARD_X, TOP - 40, BOARD_WIDTH, 20 * PITCH + 46, "#0f7a55", 10)
    drawing.box(BOARD_X + 65, TOP - 52, 60, 40, "#b9c0c6", 3, "#7b858d")
    drawing.text(BOARD_X + 95, TOP - 32, "USB", size=13)
    drawing.text(BOARD_X + 95, TOP + 9 * PITCH, "Raspberry", size=15, fill="#ffffff")
    drawing.text(BOARD_X + 95, TOP + 9 * PITCH + 20, "Pi Pico", size=15, fill="#ffffff")
    used = {*pins().values(), *link_pins()[:2], "GND", "3V3"}
    for side, names in ((0, LEFT), (1, RIGHT)):
        for i, name in enumerate(names):
            x, y = BOARD_X + side * BOARD_WIDTH, TOP + i * PITCH
            inward = -1 if side else 1
            drawing.disc(x, y, 7, "#e6c35c" if name in used else "#cfc9b4", "#8a7430")
            anchor = "end" if side else "start"
            drawing.text(x + inward * 12, y, name, anchor, 13, "#ffffff" if name in used else "#9fd3bd")
            number, anchor = (40 - i, "start") if side else (i + 1, "end")
            drawing.text(x - inward * 10, y - 10, str(number), anchor, 9, "#8894a0")


def draw_display(drawing: Drawing) -> None:
    """Draw the OLED beside the pins of its bus."""
    default_pins = pins()
    x, y, side = place(default_pins["SDA"])
    left = x + side * 250 - (0 if side < 0 else -20)
    edge = left + 130 if side < 0 else left
    rows = {"VCC": y - PITCH, "SDA": y, "SCL": place(default_pins["SCL"])[1], "GND": TOP + LEFT.index("GND") * PITCH}
    drawing.box(left - 130, y - PITCH - 30, 260, 4 * PITCH + 8, "#20386b", 8)
    drawing.box(left - 112, y - PITCH - 8, 176, 88, "#0a0d12", 3, "#5b6f9c")
    drawing.text(left - 24, y - PITCH + 28, "OLED 128x64", size=15, fill="#8fd0ff")
    drawing.text(left - 24, y - PITCH + 50, "SSD1306, I2C", size=13, fill="#8fd0ff")
    power_x, power_y, _ = place("3V3")
    over = TOP - 74
    wires = {
        "VCC": ([(edge, rows["VCC"]), (edge + 40, rows["VCC"]), (edge + 40, over), (power_x + 60, over)], "3V3"),
        "SDA": ([(edge, y), (x, y)], "SDA"),
        "SCL": ([(edge, rows["SCL"]), (x, rows["SCL"])], "SCL"),
    }
    for points, colour in wires.values():
        if colour == "3V3":
            points = [*points, (power_x + 60, power_y), (power_x, power_y)]
        drawing.line(*points, colour=COLOURS[colour])
    drawing.line((edge, rows["GND"]), (x, rows["GND"]))
    for name, row in rows.items():
        drawing.disc(edge, row, 5, "#e6c35c", "#8a7430")
        drawing.text(edge - 10, row, name, "end", 12, "#ffffff")


def draw_buttons(drawing: Drawing) -> None:
    default_pins = pins()
    for key in BUTTONS:
        x, y, side = place(default_pins[key])
        name, action = PARTS[key]
        middle = x + side * BUTTON
        rail = x + side * RAIL
        drawing.line((x, y), (middle - side * 16, y), colour=COLOURS["button"])
        drawing.line((middle + side * 16, y), (rail, y))
        drawing.box(middle - 18, y - 14, 36, 28, "#d9dee3", 5, "#7b858d")
        drawing.disc(middle, y, 9, INK)
        drawing.text(rail + side * 14, y, f"{name}: {action}", "end" if side < 0 else "start", 15)


def draw_buzzer(drawing: Drawing) -> None:
    x, y, side = place(pins()["BUZZER"])
    middle = x + side * BUTTON
    drawing.line((x, y), (middle, y), colour=COLOURS["BUZZER"])
    drawing.line((middle, y), (x + side * RAIL, y))
    drawing.disc(middle, y, 25, "#c9a227", "#7a6210")
    drawing.disc(middle, y, 13, "#efe6c8", "#7a6210")
    drawing.text(x + side * (RAIL + 14), y, "piezo disc or passive buzzer", "end" if side < 0 else "start", 15)


def draw_link(drawing: Drawing) -> None:
    """Draw the two sockets of the link; their sleeves share a separate ground."""
    tx, rx, ground_row = link_pins()
    ground = TOP + ground_row * PITCH
    for socket, pin in zip(SOCKETS, (tx, rx), strict=True):
        x, y, side = place(pin)
        middle = x + side * SOCKET
        sleeve = middle + side * 30
        drawing.line((middle, y), (x, y), colour=COLOURS["link"])
        drawing.line((middle, y), (sleeve, y), (sleeve, ground))
        drawing.box(middle - 22, y - 14, 44, 28, "#3a4048", 5, "#20252b")
        drawing.text(middle, y, socket, size=13, fill="#ffffff")
        drawing.text(x + side * (RAIL + 14), y, f"{socket}: {SOCKETS[socket]}", "end", 15)
    x, y, side = place(tx)
    drawing.box(x + side * 100, y - 9, 56, 18, "#d8c49a", 8, "#7a6210")
    drawing.text(x + side * 72, y, "1 kOhm", size=12)
    drawing.line((sleeve, ground), (x, ground))
    drawing.text(x + side * (RAIL + 14), ground, "only for a link: ground of its sockets", "end", 15)


def draw_ground(drawing: Drawing) -> None:
    """Connect the grounds of each side with each other and with a GND pin."""
    default_pins = pins()
    for side, names in ((-1, LEFT), (1, RIGHT)):
        rows = [place(default_pins[key])[1] for key in (*BUTTONS, "BUZZER") if place(default_pins[key])[2] == side]
        if not rows:
            continue
        grounds = [TOP + i * PITCH for i, name in enumerate(names) if name == "GND"]
        ground = min((row for row in grounds if row not in rows), key=lambda row: abs(row - TOP - 12 * PITCH))
        x = place(names[0])[0]
        rail = x + side * RAIL
        drawing.line((rail, min([*rows, ground])), (rail, max([*rows, ground])))
        drawing.line((rail, ground), (x, ground))
        drawing.text(rail + side * 14, ground, "ground of buttons and piezo", "end" if side < 0 else "start", 15)


def draw() -> str:
    drawing = Drawing(GROUND, 4)
    drawing.text(WIDTH // 2, 22, "Skyline on a Raspberry Pi Pico or Pico 2, seen from above", size=20)
    draw_ground(drawing)
    draw_buttons(drawing)
    draw_buzzer(drawing)
    draw_link(drawing)
    draw_display(drawing)
    draw_board(drawing)
    round_ends = {"stroke_linejoin": "round", "stroke_linecap": "round"}
    return drawing.finish(WIDTH, HEIGHT, "python -m tools.assets.wiring", **round_ends)


def wiring_table() -> str:
    rows = ["| part | pin | number on the Pico | the other side |", "|---|---|---|---|"]
    rows.append("| display VCC | 3V3(OUT) | 36 | |")
    rows.append("| display GND | GND | 3 | |")
    for key, pin in pins().items():
        number = LEFT.index(pin) + 1 if pin in LEFT else 40 - RIGHT.index(pin)
        rows.append(f"| {name_part(key)} | {pin} | {number} | {'' if key in ('SDA', 'SCL') else 'ground '}|")
    return "\n".join(rows)


def name_part(key: str) -> str:
    name, action = PARTS[key]
    return f"button {name} ({action})" if action else name


def blinka_table() -> str:
    rows = ["| part | pin | number on the header | the other side | key |", "|---|---|---|---|---|"]
    rows += [f"| display {part} | {pin} | {NUMBERS[pin]} | | |" for part, pin in (("VCC", "3V3"), ("GND", "GND"))]
    for key, pin in DEFAULTS.items():
        other = "" if key in ("SDA", "SCL") else "ground "
        rows.append(f"| {name_part(key)} | {pin} | {NUMBERS[pin]} | {other}| `{PREFIX}{key}` |")
    return "\n".join(rows)


def settings_table() -> str:
    rows = ["| key | default | what it may be |", "|---|---|---|"]
    words = {PIN: "a pin", PIN_OR_NONE: 'a pin, or `"none"`', WORD: 'a name of [Boards](#boards), or `"none"`'}
    for key, default, allowed in KEYS:
        value = f'"{default}"' if isinstance(default, str) else str(default)
        if key == "I2C_ADDRESS":
            value = hex(default) if isinstance(default, int) else value
        if isinstance(allowed, str):
            what = words[allowed]
        elif isinstance(allowed[0], str):
            what = ", ".join(f'`"{word}"`' for word in allowed)
        elif len(allowed) == 2:
            what = " to ".join(hex(int(n)) if key == "I2C_ADDRESS" else str(n) for n in allowed)
        else:
            what = ", ".join(map(str, allowed))
        rows.append(f"| `{PREFIX}{key}` | `{value}` | {what} |")
    return "\n".join(rows)


def weigh_picture(record: dict[str, str]) -> tuple[int, float, float]:
    """Return the bytes of a board's whole picture, the ms that they take on the bus to its screen, and all its ms."""
    screen = board_screens.find(record["board"])
    pixels = screen.shown[0] * screen.shown[1]
    return pixels * screen.bits // 8, 1000 * pixels * screen.bus_s, 1000 * pixels * (screen.bus_s + screen.work_s)


def profile_table() -> str:
    rows = [
        "| board | name | screen | picture | a whole picture: bytes, on the bus, in all | played | note |",
        "|---|---|---|---|---|---|---|",
    ]
    played = {"nobody": "on hardware by nobody yet", "emulator": "in the emulator", "board": "on the board"}
    for record in profiles.read():
        shown = board_screens.find(record["board"]).shown
        sizes = record["display"].replace("x", " x ") + " | {} x {}".format(*shown)
        size, bus_ms, all_ms = weigh_picture(record)
        facts = f"{size:,} B, {bus_ms:.1f} ms, {all_ms:.0f} ms | {played[record['tried']]} | {record['note']}"
        rows.append(f"| {record['name']} | `{record['board']}` | {sizes} | {facts} |")
    return "\n".join(rows)


def link_table() -> str:
    tx, rx, ground_row = link_pins()
    rows = ["| socket | contact | goes to | number on the Pico | in settings.toml |", "|---|---|---|---|---|"]
    for socket, key, pin, way in (("OUT", "LINK_TX", tx, "1 kOhm, then "), ("IN", "LINK_RX", rx, "")):
        rows.append(f'| {socket} | tip | {way}{pin} | {LEFT.index(pin) + 1} | `{PREFIX}{key} = "{pin}"` |')
        rows.append(f"| {socket} | sleeve | ground | {ground_row + 1} | |")
    return "\n".join(rows)


def fill(text: str) -> str:
    """Return a README with its tables generated again; raise Refusal if it has no place for one."""
    tables = {"wiring": wiring_table, "settings": settings_table, "link": link_table, "profiles": profile_table}
    for name, make_table in tables.items():
        text = markdown.fill(text, name, "python -m tools.assets.wiring", f"{make_table()}\n")
    return text


def main(arguments: list[str] | None = None) -> int:
    targets = {
        SVG: draw,
        README: lambda: fill(README.read_text(encoding="utf-8")),
        SIM_README: lambda: markdown.fill_file(
            SIM_README, "blinka", "python -m tools.assets.wiring", blinka_table() + "\n"
        ),
    }
    return generation.main("tools.assets.wiring", __doc__, targets, arguments)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
