"""Place the parts of the handheld: one record a part; the circuit board, the case and the guide are made from it.

Millimetres. The origin is the upper left corner of the board's front; x goes right, y down, z out of the front. The
handheld is held with the USB socket up, the cross left and A and B right.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

WIDTH, HEIGHT = 100.0, 64.0
CORNER_RADIUS = 4.0
THICKNESS = 1.6
HOLES = ((4.0, 4.0), (96.0, 4.0), (4.0, 60.0), (96.0, 60.0))  # of the screws that hold board and case together
HOLE = 2.7  # their diameter, for M2.5
# A thumb turns about the lower corner of its side, where the hand holds the board, and its tip reaches 80 mm. It does
# not fold far enough for what is nearer than 15 mm.
THUMB = (15.0, 80.0)
RIGHT_THUMB = ("ROTATE_CW", "ROTATE_CCW", "PAUSE")  # presses these, the left one the others


class Box(NamedTuple):
    """What a body fills: x and y of its corners from the origin before the turn, and its height above the face."""

    left: float
    top: float
    right: float
    bottom: float
    height: float


NO_BODY = Box(0.0, 0.0, 0.0, 0.0, 0.0)


class Mouth(NamedTuple):
    """What passes through the case's wall: x and y of its corners, its lowest and highest point above the face."""

    left: float
    top: float
    right: float
    bottom: float
    low: float
    high: float


@dataclass(frozen=True)
class Part:
    """One part: where its footprint's origin lies, and what it fills. Without a height it has no body.

    name: its reference on the board. what: its name for people. footprint: library and name in KiCad 6, or nothing.
    turn: degrees counterclockwise, as KiCad counts. back: whether it is soldered from the back.
    lead: the diameter of its leads, or their diagonal: of a header 0.64 x 0.64 mm, of a jack 1.5 x 0.5, of a button
    0.7 x 0.3. drill: of its holes, 0 as in the footprint.
    A part on the back has its y mirrored before the turn, as in KiCad.
    """

    name: str
    what: str
    footprint: str
    x: float
    y: float
    turn: float = 0.0
    back: bool = False
    box: Box = NO_BODY
    mouth: Mouth | None = None
    lead: float = 0.0
    drill: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the footprint lies on the board."""
        angle = math.radians(self.turn)
        y = -y if self.back else y
        return (
            round(self.x + x * math.cos(angle) + y * math.sin(angle), 4),
            round(self.y - x * math.sin(angle) + y * math.cos(angle), 4),
        )

    def area(self, corners: tuple[float, ...] = ()) -> tuple[float, float, float, float]:
        """Return left, top, right and bottom on the board of the box, or of other corners such as the mouth's."""
        x0, y0, x1, y1 = (corners or self.box)[:4]
        (ax, ay), (bx, by) = self.point(x0, y0), self.point(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


_BUTTON = "Button_Switch_THT:SW_PUSH_6mm_H5mm"
_BUTTON_BOX = Box(0.25, -0.75, 6.25, 5.25, 3.5)  # without the stem, which ends 5 mm above the board
# By the key of firmware/device/wiring.py: the middle of each button.
BUTTONS = {
    "LEFT": (9.0, 34.0),
    "RIGHT": (29.0, 34.0),
    "HARD_DROP": (19.0, 24.0),
    "SOFT_DROP": (19.0, 44.0),
    "ROTATE_CW": (91.0, 30.0),
    "ROTATE_CCW": (79.0, 38.0),
    "HOLD": (43.0, 58.0),
    "PAUSE": (57.0, 58.0),
}

_SOCKET = "Connector_PinSocket_2.54mm:PinSocket_1x20_P2.54mm_Vertical"
_SOCKET_BOX = Box(-1.33, -1.33, 1.33, 49.59, 8.5)
_JACK = "Connector_Audio:Jack_3.5mm_CUI_SJ1-3533NG_Horizontal_CircularHoles"
_JACK_BOX = Box(-4.0, -1.2, 4.2, 12.8, 12.3)
_JACK_MOUTH = Mouth(-2.1, -5.2, 3.9, -1.2, 4.0, 10.0)  # its barrel, 6 mm across
_JUMPER = "Jumper:SolderJumper-3_P1.3mm_Open_Pad1.0x1.5mm"
_HEADER = "Connector_PinHeader_2.54mm:PinHeader_1x04_P2.54mm_Vertical"
_RESISTOR = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal"
_RESISTOR_BOX = Box(0.66, -1.25, 6.96, 1.25, 2.6)
_DIODE = "Diode_THT:D_DO-41_SOD81_P7.62mm_Horizontal"
_DIODE_BOX = Box(1.21, -1.35, 6.41, 1.35, 2.8)
_BATTERY = "Connector_JST:JST_PH_B2B-PH-K_1x02_P2.00mm_Vertical"
_BATTERY_BOX = Box(-1.95, -1.7, 3.95, 2.8, 6.0)
_SWITCH = "Button_Switch_THT:SW_CuK_OS102011MA1QN1_SPDT_Angled"
_SWITCH_BOX = Box(-2.3, -2.2, 6.3, 2.2, 4.7)
_SWITCH_MOUTH = Mouth(0.0, 2.2, 4.0, 6.2, 1.0, 3.5)
_PIEZO = "Buzzer_Beeper:Buzzer_TDK_PS1240P02BT_D12.2mm_H6.5mm"
_PIEZO_BOX = Box(-3.6, -6.1, 8.6, 6.1, 6.5)
_PICO_BOX = Box(-10.5, -1.37, 10.5, 49.63, 12.1)
_PICO_MOUTH = Mouth(-4.0, -2.67, 4.0, 4.33, 12.1, 15.0)
_PICO_TOP = 2.37  # y of the Pico's pins 1 and 40
_DISPLAY_X, _DISPLAY_Y = 37.5, 27.0  # the middle of the display's header

# From the middle of the header to the four holes of a display's module that stands with its right edge up.
MODULES = {
    "0.96": ((0.5, -11.65), (24.3, -11.65), (0.5, 11.65), (24.3, 11.65)),
    "1.3": ((0.8, -15.2), (29.3, -15.2), (0.8, 15.2), (29.3, 15.2)),
}
# The modules' outlines, from the middle of the header: left, top, right, bottom.
OUTLINES = {"0.96": (-1.5, -13.65, 26.3, 13.65), "1.3": (-1.5, -17.7, 32.0, 17.7)}


def measure_reach() -> dict[str, tuple[float, float]]:
    """Return by button x of the lower corner where its thumb turns, and how far from there its middle is."""
    reach = {}
    for key, (x, y) in BUTTONS.items():
        corner = WIDTH if key in RIGHT_THUMB else 0.0
        reach[key] = corner, math.hypot(x - corner, y - HEIGHT)
    return reach


def is_hole(name: str) -> bool:
    """Return whether the reference of a footprint is that of a screw's hole: H and a number."""
    return name.startswith("H") and name[1:].isdigit()


def place_button(key: str) -> Part:
    """Return the button of a key: its footprint's origin is a pad, not its middle."""
    x, y = BUTTONS[key]
    return Part(key, "button", _BUTTON, x - 3.25, y - 2.25, box=_BUTTON_BOX, lead=0.76)


def place_hole(name: str, x: float, y: float, footprint: str, screw: float) -> Part:
    return Part(name, f"hole for M{screw:g}", f"MountingHole:{footprint}", x, y, lead=screw)


def list_parts() -> tuple[Part, ...]:
    """Return all parts; buttons lie where BUTTONS says."""
    left, top, right, bottom = OUTLINES["1.3"]  # the larger one
    display = Box(-right, 3.81 - bottom, -left, 3.81 - top, 6.0)  # turned by 180 degrees about the header's first pin
    return (
        *(place_button(key) for key in BUTTONS),
        # Seen from the front, pins 1 to 20 are on the right: the Pico faces backwards.
        Part("J1", "socket of the Pico's pins 1 to 20", _SOCKET, 58.89, _PICO_TOP, 180, True, _SOCKET_BOX, lead=0.7),
        Part("J2", "socket of the Pico's pins 40 to 21", _SOCKET, 41.11, _PICO_TOP, 180, True, _SOCKET_BOX, lead=0.7),
        Part("PICO", "Raspberry Pi Pico", "", 50.0, _PICO_TOP, 180, True, _PICO_BOX, _PICO_MOUTH),
        Part("DISPLAY", "OLED display", _HEADER, _DISPLAY_X, _DISPLAY_Y + 3.81, 180, False, display, None, 0.905, 1.15),
        Part("JP1", "jumper of the display's first pin", _JUMPER, 31.5, 27.6, back=True),
        Part("JP2", "jumper of the display's second pin", _JUMPER, 31.5, 23.6, back=True),
        Part("OUT", "link socket", _JACK, 25.0, 2.7, 180, True, _JACK_BOX, _JACK_MOUTH, lead=1.6),
        Part("IN", "link socket", _JACK, 76.8, 2.7, 180, True, _JACK_BOX, _JACK_MOUTH, lead=1.6),
        Part("R1", "1 kOhm", _RESISTOR, 32.0, 4.0, 270, True, _RESISTOR_BOX, lead=0.6, drill=0.9),
        Part("D1", "Schottky diode", _DIODE, 35.3, 4.91, 270, True, _DIODE_BOX, lead=0.86),
        Part("BATTERY", "socket of the battery", _BATTERY, 11.0, 13.0, 0, True, _BATTERY_BOX, lead=0.71, drill=0.95),
        Part("POWER", "slide switch", _SWITCH, 12.2, 2.6, 0, True, _SWITCH_BOX, _SWITCH_MOUTH, lead=0.6),
        Part("PIEZO", "piezo", _PIEZO, 84.5, 53.0, 0, True, _PIEZO_BOX, lead=0.7),
        *(place_hole(f"H{i}", x, y, "MountingHole_2.7mm_M2.5", 2.5) for i, (x, y) in enumerate(HOLES, 1)),
        *(
            place_hole(f"H{i}", _DISPLAY_X + x, _DISPLAY_Y + y, "MountingHole_2.5mm", 2.0)
            for i, (x, y) in enumerate(MODULES["0.96"] + MODULES["1.3"], 5)
        ),
    )


PARTS = list_parts()
