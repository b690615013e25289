"""The schematic shows the netlist."""

from contextlib import suppress
from xml.etree import ElementTree

import pytest

from tools.assets import wiring
from tools.hardware import netlist, schematic

PADS = netlist.list_part_pads()


@pytest.mark.parametrize(("side", "pins"), [(-1, wiring.LEFT), (1, wiring.RIGHT)], ids=["left", "right"])
def test_schematic_names_each_net_at_the_pico(side: int, pins: tuple[str, ...]) -> None:
    x = schematic.MIDDLE + side * (schematic.HALF + schematic.STUB + 5)
    nets = [net for net in map(netlist.name_pin_nets().get, pins) if net not in (None, netlist.GROUND)]
    words = ElementTree.fromstring(schematic.draw()).findall(".//{*}text")
    assert [word.text for word in words if word.get("x") == str(x)] == nets


@pytest.mark.parametrize("pad", PADS, ids="-".join)
def test_no_pad_changes_unseen(pad: netlist.Pad, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = schematic.draw()
    monkeypatch.setattr(netlist, "list_part_pads", lambda: PADS | {pad: "OTHER"})
    changed = "refused"
    with suppress(AssertionError):
        changed = schematic.draw()
    assert changed != drawn
