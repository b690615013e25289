"""List the parts to buy, with prices as a range.

The part numbers are the makers' own: each large distributor finds a part by them. Parts without a number are sold
under many; the words say what to look for.
"""

import csv
import io
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One line of the bill. parts: names in the layout. euros: the lowest and the highest usual price of one."""

    count: int
    parts: str
    what: str
    maker: str
    number: str
    euros: tuple[float, float]
    optional: str = ""


ITEMS = (
    Item(1, "PICO", "Raspberry Pi Pico, without headers", "Raspberry Pi", "SC0915", (4.0, 6.0), "or Pico 2: SC1631"),
    Item(2, "PICO", "pin header 1x20, 2.54 mm, to solder to the Pico", "", "", (0.2, 0.8)),
    Item(2, "J1 J2", "socket 1x20, 2.54 mm, 8.5 mm high, through-hole", "", "", (0.5, 1.5)),
    Item(
        1,
        "DISPLAY",
        "OLED module 128x64, SSD1306, I2C, four pins, 0.96 inch",
        "",
        "",
        (3.0, 6.0),
        "or 1.3 inch, SH1106",
    ),
    Item(
        8,
        "LEFT RIGHT HARD_DROP SOFT_DROP ROTATE_CW ROTATE_CCW HOLD PAUSE",
        "tactile switch 6x6 mm, 5 mm high, through-hole, 6.5 x 4.5 mm between its leads",
        "",
        "",
        (0.05, 0.3),
    ),
    Item(1, "PIEZO", "piezo without an oscillator, 12.2 mm, leads 5 mm apart", "TDK", "PS1240P02BT", (0.5, 1.0)),
    Item(
        2,
        "OUT IN",
        "3.5 mm socket, three contacts, through-hole",
        "CUI Devices",
        "SJ1-3533NG",
        (0.8, 1.6),
        "for a link",
    ),
    Item(1, "R1", "resistor 1 kOhm, 1/4 W, axial", "", "", (0.02, 0.1), "for a link"),
    Item(1, "BATTERY", "socket JST PH, two pins, upright", "JST", "B2B-PH-K-S", (0.1, 0.3), "for a battery"),
    Item(1, "POWER", "slide switch, right angle", "C&K", "OS102011MA1QN1", (0.5, 1.0), "for a battery"),
    Item(1, "D1", "Schottky diode, 1 A, DO-41", "", "1N5817", (0.1, 0.4), "for a battery"),
    Item(1, "", "LiPo cell 603040 with its own protection and a JST PH plug", "", "", (4.0, 9.0), "for a battery"),
    Item(4, "H1 H2 H3 H4", "screw M2.5 x 12, countersunk", "", "", (0.05, 0.2), "for the printed case"),
    Item(1, "", "this board, one of five ordered", "", "", (0.5, 4.0), "carriage not counted"),
)


def make() -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["count", "parts", "what", "maker", "part number", "EUR each, from", "EUR each, to", "note"])
    for item in ITEMS:
        low, high = (f"{price:.2f}" for price in item.euros)
        writer.writerow([item.count, item.parts, item.what, item.maker, item.number, low, high, item.optional])
    low, high = (f"{sum(item.count * item.euros[i] for item in ITEMS):.2f}" for i in (0, 1))
    writer.writerow(["", "", "all of it", "", "", low, high, ""])
    return stream.getvalue()
