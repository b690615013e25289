"""Print names on the board: of buttons, sockets and poles, and the title."""

from typing import Any

from firmware.device.wiring import BUTTONS
from tools.assets import wiring
from tools.hardware import kicad, layout

TITLE = "SKYLINE"
_LINE = 0.15  # the thinnest that board houses print well

# Text, x and y of its middle, height (they print 0.8 well, not less), degrees; one list a side.
Text = tuple[str, float, float, float, int]
FRONT: tuple[Text, ...] = (
    (TITLE, 50.0, 48.6, 2.2, 0),
    ("USB", 50.0, 2.2, 1.0, 0),
    ("LINK OUT", 24.1, 13.6, 1.0, 0),
    ("LINK IN", 75.9, 13.6, 1.0, 0),
    ("ON", 11.4, 6.6, 1.0, 0),
    ("OFF", 17.0, 6.6, 1.0, 0),
    ("BATTERY", 12.0, 10.6, 1.0, 0),
    ("+", 11.0, 15.2, 1.2, 0),
    ("-", 13.0, 15.2, 1.2, 0),
    ("SDA", 34.6, 23.19, 0.8, 0),
    ("SCL", 34.6, 25.73, 0.8, 0),
    ("2", 35.4, 28.27, 0.8, 0),
    ("1", 35.4, 30.81, 0.8, 0),
    ("0.96", 65.0, 15.35, 0.8, 0),
    ("0.96", 65.0, 38.65, 0.8, 0),
    ("1.3", 69.6, 11.8, 0.8, 0),
    ("1.3", 69.6, 42.2, 0.8, 0),
    ("PIEZO", 87.0, 56.0, 1.0, 0),
)
BACK: tuple[Text, ...] = (
    (TITLE, 20.0, 56.0, 3.0, 0),
    ("RASPBERRY", 50.0, 21.0, 1.2, 0),
    ("PI PICO", 50.0, 23.0, 1.2, 0),
    ("USB UP", 50.0, 2.4, 1.2, 0),
    ("1", 56.6, 2.4, 1.0, 0),
    ("20", 56.4, 50.6, 1.0, 0),
    ("40", 43.6, 2.4, 1.0, 0),
    ("21", 43.6, 50.6, 1.0, 0),
    ("LINK OUT", 24.9, 17.0, 1.0, 0),
    ("LINK IN", 76.7, 17.0, 1.0, 0),
    ("1N5817", 38.3, 6.4, 0.8, 90),
    ("1 kOhm", 32.0, 7.8, 0.8, 90),
    ("BATTERY 2.2-5.5 V", 12.2, 18.0, 0.9, 0),
    ("+", 11.0, 16.2, 1.2, 0),
    ("-", 13.0, 16.2, 1.2, 0),
    ("PIEZO", 87.0, 56.0, 1.0, 0),
    ("MODULE'S PINS:", 31.5, 19.6, 0.8, 0),
    ("CLOSE ONE SIDE", 31.5, 21.0, 0.8, 0),
    ("VCC", 28.0, 23.6, 0.8, 0),
    ("GND", 35.0, 23.6, 0.8, 0),
    ("GND", 28.0, 27.6, 0.8, 0),
    ("VCC", 35.0, 27.6, 0.8, 0),
    ("2", 25.4, 23.6, 0.8, 0),
    ("1", 25.4, 27.6, 0.8, 0),
)
# From the middle of a button to the middle of its name.
_BESIDE = {"HOLD": (-7.4, 0.0), "PAUSE": (7.6, 0.0), "HARD_DROP": (0.0, -5.0)}
_BELOW = (0.0, 5.2)


def name_button(key: str) -> str:
    name, action = wiring.PARTS[key]
    return (action if key == "HOLD" else name).upper()


def list_button_names() -> tuple[Text, ...]:
    texts = []
    for key in BUTTONS:
        (x, y), (dx, dy) = layout.BUTTONS[key], _BESIDE.get(key, _BELOW)
        texts.append((name_button(key), x + dx, y + dy, 1.4, 0))
    return tuple(texts)


def draw(board: Any) -> None:
    """Print our texts, and of the footprints' own drawings what lies on the board."""
    pcbnew = kicad.load()
    for footprint in board.GetFootprints():
        tidy(footprint)
    for texts, layer in ((FRONT + list_button_names(), pcbnew.F_SilkS), (BACK, pcbnew.B_SilkS)):
        for words, x, y, height, turn in texts:
            item = pcbnew.PCB_TEXT(board)
            item.SetText(words)
            item.SetLayer(layer)
            item.SetMirrored(layer == pcbnew.B_SilkS)
            item.SetTextPos(kicad.spot(x, y))
            item.SetTextSize(pcbnew.wxSize(kicad.nm(height), kicad.nm(height)))
            item.SetTextThickness(kicad.nm(max(height * 0.15, _LINE)))
            item.SetTextAngle(turn * 10)
            board.Add(item)


def tidy(footprint: Any) -> None:
    """Hide a footprint's texts, and remove what it would print beyond the edge."""
    pcbnew = kicad.load()
    silk = (pcbnew.F_SilkS, pcbnew.B_SilkS)
    footprint.Reference().SetVisible(False)
    footprint.Value().SetVisible(False)
    is_hole = layout.is_hole(footprint.GetReference())
    for item in list(footprint.GraphicalItems()):
        # The holes of the two displays lie together; only one display is there.
        is_spare = is_hole and item.GetLayer() in (pcbnew.F_CrtYd, pcbnew.B_CrtYd)
        is_wrong = item.GetLayer() in silk and (item.GetClass() == "MTEXT" or is_outside(item))
        if is_spare or is_wrong:
            footprint.Delete(item)  # after Remove, later boards of a process can lose their types


def is_outside(item: Any) -> bool:
    left, top, right, bottom = kicad.measure_box(item)
    return left < 0.2 or top < 0.2 or right > layout.WIDTH - 0.2 or bottom > layout.HEIGHT - 0.2
