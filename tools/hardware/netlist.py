"""Connect the parts' pads: the table of pins in firmware/device/wiring.py says which pin of the Pico goes where."""

from firmware.device.wiring import BUTTONS
from tools.assets import wiring

Pad = tuple[str, str]  # the part's name and the pad's name on its footprint

GROUND, POWER = "GND", "3V3"
DISPLAY_PINS = ("DISPLAY_1", "DISPLAY_2")  # nets between the jumpers and the display's first two pins


def list_pico_pads() -> dict[Pad, str]:
    """Return the name of the Pico's pin behind each pad of its two sockets."""
    pads: dict[Pad, str] = {}
    for socket, names in (("J1", wiring.LEFT), ("J2", wiring.RIGHT)):
        pads |= {(socket, str(i)): name for i, name in enumerate(names, 1)}
    return pads


def name_pin_nets() -> dict[str, str]:
    tx, rx, _ = wiring.link_pins()
    nets = {pin: key for key, pin in wiring.pins().items()}
    nets |= {tx: "LINK_TX", rx: "LINK_RX"}
    return nets | {"GND": GROUND, "AGND": GROUND, "3V3": POWER, "VSYS": "VSYS"}


def list_part_pads() -> dict[Pad, str]:
    """Return the net of each connected pad of all parts but the Pico's sockets."""
    pads: dict[Pad, str] = {}
    for key in BUTTONS:
        pads |= {(key, "1"): key, (key, "2"): GROUND}
    pads |= {("PIEZO", "1"): "BUZZER", ("PIEZO", "2"): GROUND}
    first, second = DISPLAY_PINS
    pads |= {("DISPLAY", "1"): first, ("DISPLAY", "2"): second, ("DISPLAY", "3"): "SCL", ("DISPLAY", "4"): "SDA"}
    # Both jumpers closed at pad 1: the module's pins are GND, VCC. Both closed at pad 3: VCC, GND.
    pads |= {("JP1", "1"): GROUND, ("JP1", "2"): first, ("JP1", "3"): POWER}
    pads |= {("JP2", "1"): POWER, ("JP2", "2"): second, ("JP2", "3"): GROUND}
    pads |= {("R1", "1"): "OUT_TIP", ("R1", "2"): "LINK_TX", ("OUT", "T"): "OUT_TIP", ("OUT", "S"): GROUND}
    pads |= {("IN", "T"): "LINK_RX", ("IN", "S"): GROUND}
    pads |= {
        ("BATTERY", "1"): "BATTERY",
        ("BATTERY", "2"): GROUND,
        ("POWER", "2"): "BATTERY",
        ("POWER", "1"): "SWITCHED",
    }
    pads |= {("D1", "1"): "VSYS", ("D1", "2"): "SWITCHED"}  # pad 1 is the stripe
    return pads


def list_nets() -> dict[str, list[Pad]]:
    names = name_pin_nets()
    pads = list_part_pads()
    pads |= {pad: names[pin] for pad, pin in list_pico_pads().items() if pin in names}
    nets: dict[str, list[Pad]] = {}
    for pad, net in pads.items():
        nets.setdefault(net, []).append(pad)
    return nets
