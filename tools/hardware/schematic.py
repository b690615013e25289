"""Draw the schematic as SVG, from the netlist: the Pico in the middle, each part at the end of its wire."""

from firmware.device.wiring import BUTTONS
from tools.assets import wiring
from tools.hardware import netlist, silkscreen
from tools.svg import INK, Drawing

PITCH = 30
TOP = 90
MIDDLE, HALF = 640, 95  # x of the Pico's middle, and half of its width
WIDTH, HEIGHT = 1240, TOP + 20 * PITCH + 40
STUB = 46  # of wire at a pin
WIRE, GROUND, BODY = "#1d6f9e", "#222222", "#fbf7ea"


class Sheet(Drawing):
    def frame(self, x: float, y: float, width: float, height: float) -> None:
        self.box(x, y, width, height, BODY, 0, INK)

    def ground(self, x: float, y: float) -> None:
        """Draw the sign of ground below a point."""
        self.line((x, y), (x, y + 6), colour=GROUND)
        for i, half in enumerate((8, 5, 2)):
            self.line((x - half, y + 6 + 3 * i), (x + half, y + 6 + 3 * i), colour=GROUND)

    def flag(self, x: float, y: float, net: str, side: int) -> None:
        """Name the net at the end of a wire; `side` is where the wire ends, -1 left and 1 right."""
        self.text(x + side * 5, y, net, "end" if side < 0 else "start", 12, WIRE)

    def end(self, x: float, y: float, net: str, side: int) -> None:
        """Draw the end of a wire: the sign of ground, or the name of another net."""
        if net == netlist.GROUND:
            self.ground(x, y)
        else:
            self.flag(x, y, net, side)


def draw() -> str:
    sheet = Sheet(WIRE, 2)
    sheet.text(MIDDLE, 26, f"{silkscreen.TITLE}: schematic of the circuit board", size=20)
    sheet.text(MIDDLE, 50, "Wires with the same name are connected.", size=13)
    draw_pico(sheet)
    draw_buttons(sheet)
    draw_display(sheet)
    draw_link(sheet)
    draw_power(sheet)
    return sheet.finish(WIDTH, HEIGHT, "python -m tools.hardware build")


def draw_pico(sheet: Sheet) -> None:
    """Draw the Pico with all its pins; those in use have their net beside them."""
    nets = netlist.name_pin_nets()
    sheet.frame(MIDDLE - HALF, TOP - 20, 2 * HALF, 20 * PITCH + 10)
    sheet.text(MIDDLE, TOP - 6, "USB", size=12)
    sheet.text(MIDDLE, TOP + 8.4 * PITCH, "Raspberry", size=14)
    sheet.text(MIDDLE, TOP + 9 * PITCH, "Pi Pico", size=14)
    sheet.text(MIDDLE, TOP + 10 * PITCH, "J1: pins 1 to 20", size=12)
    sheet.text(MIDDLE, TOP + 11 * PITCH, "J2: pins 40 to 21", size=12)
    for side, names in ((-1, wiring.LEFT), (1, wiring.RIGHT)):
        for i, name in enumerate(names):
            x, y = MIDDLE + side * HALF, TOP + i * PITCH
            number = i + 1 if side < 0 else 40 - i
            sheet.text(x - side * 6, y, name, "start" if side < 0 else "end", 11)
            sheet.text(x + side * 4, y - 8, str(number), "end" if side < 0 else "start", 9, "#7a8590")
            if name not in nets:
                continue
            sheet.line((x, y), (x + side * STUB, y))
            sheet.end(x + side * STUB, y, nets[name], side)


def draw_buttons(sheet: Sheet) -> None:
    """Draw the buttons and the piezo between their nets and ground, on the left."""
    pads = netlist.list_part_pads()
    for i, key in enumerate((*BUTTONS, "PIEZO")):
        x, y = 130, TOP + i * 58
        sheet.end(x, y, pads[key, "1"], -1)
        sheet.line((x, y), (x + 50, y))
        if key == "PIEZO":
            sheet.frame(x + 50, y - 12, 34, 24)
            sheet.text(x + 67, y - 22, key)
        else:
            sheet.line((x + 50, y), (x + 80, y - 9))
            sheet.line((x + 84, y - 4), (x + 84, y + 4))
            sheet.text(x + 67, y - 20, silkscreen.name_button(key))
        sheet.line((x + 84, y), (x + 134, y))
        sheet.end(x + 134, y, pads[key, "2"], 1)


def draw_display(sheet: Sheet) -> None:
    x, y = 1090, TOP + 20
    pads = netlist.list_part_pads()
    sheet.frame(x, y - 20, 110, 4 * PITCH + 10)
    sheet.text(x + 60, y - 32, "DISPLAY")
    sheet.text(x + 62, y + 38, "OLED", size=12)
    sheet.text(x + 62, y + 54, "128x64", size=12)
    for i in range(4):
        pin = str(i + 1)
        sheet.text(x + 8, y + i * PITCH, pin, "start", 11)
        net = pads["DISPLAY", pin]
        row = y + i * PITCH
        if net not in netlist.DISPLAY_PINS:
            sheet.line((x - STUB, row), (x, row))
            sheet.end(x - STUB, row, net, -1)
            continue
        jumper = f"JP{i + 1}"
        assert pads[jumper, "2"] == net
        left = x - 130
        sheet.line((left + 36, row), (x, row))
        sheet.frame(left, row - 11, 36, 22)
        sheet.text(left + 18, row, jumper, size=11)
        for pad, shift in (("1", -6), ("3", 6)):
            sheet.line((left - 14, row + shift), (left, row + shift))
            sheet.text(left - 17, row + shift, f"{pad}: {pads[jumper, pad]}", "end", 10, WIRE)
    sheet.text(x - 20, y + 4 * PITCH + 14, "Modules with GND, VCC: close 1 and 2 of both jumpers.", size=11)
    sheet.text(x - 20, y + 4 * PITCH + 32, "Modules with VCC, GND: close 2 and 3 of both jumpers.", size=11)


def draw_link(sheet: Sheet) -> None:
    pads = netlist.list_part_pads()
    assert pads["R1", "1"] == pads["OUT", "T"]
    for i, name in enumerate(("OUT", "IN")):
        x, y = 1090, TOP + 270 + i * 90
        sheet.frame(x, y - 18, 70, 50)
        sheet.text(x + 35, y - 28, f"LINK {name}")
        sheet.text(x + 8, y, "tip", "start", 11)
        sheet.text(x + 8, y + 18, "sleeve", "start", 11)
        sheet.line((x - 30, y + 18), (x, y + 18))
        sheet.end(x - 30, y + 18, pads[name, "S"], -1)
        start = x - 170
        if name == "OUT":
            sheet.line((start, y), (start + 50, y))
            sheet.frame(start + 50, y - 8, 50, 16)
            sheet.text(start + 75, y - 17, "R1, 1 kOhm", size=11)
            sheet.line((start + 100, y), (x, y))
            sheet.end(start, y, pads["R1", "2"], -1)
        else:
            sheet.line((start, y), (x, y))
            sheet.end(start, y, pads["IN", "T"], -1)


def draw_power(sheet: Sheet) -> None:
    pads = netlist.list_part_pads()
    assert pads["BATTERY", "1"] == pads["POWER", "2"] and pads["POWER", "1"] == pads["D1", "2"]
    x, y = 870, TOP + 490
    sheet.frame(x, y - 18, 74, 54)
    sheet.text(x + 37, y - 28, "BATTERY")
    sheet.text(x + 66, y, "+", "end", 13)
    sheet.text(x + 66, y + 22, "-", "end", 13)
    sheet.line((x + 74, y + 22), (x + 94, y + 22))
    sheet.end(x + 94, y + 22, pads["BATTERY", "2"], 1)
    sheet.line((x + 74, y), (x + 134, y))
    sheet.line((x + 134, y), (x + 164, y - 10))
    sheet.line((x + 168, y), (x + 228, y))
    sheet.text(x + 150, y - 22, "POWER")
    sheet.line((x + 228, y - 9), (x + 228, y + 9), (x + 246, y), (x + 228, y - 9))
    sheet.line((x + 246, y - 9), (x + 246, y + 9))
    sheet.text(x + 238, y - 22, "D1, 1N5817")
    sheet.line((x + 246, y), (x + 296, y))
    sheet.end(x + 296, y, pads["D1", "1"], 1)
