"""The wiring diagram and the build guide's tables are made from the firmware's table of pins."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.device import profiles
from firmware.device.wiring import KEYS, PREFIX
from sim import board_screens
from sim.terminal import Refusal
from tools.assets import wiring

ROOT = Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"


class TestGuide:
    @pytest.mark.parametrize(("key", "pin"), wiring.pins().items())
    def test_guide_names_every_pin(self, key: str, pin: str) -> None:
        text = wiring.README.read_text(encoding="utf-8")
        number = wiring.LEFT.index(pin) + 1
        assert re.search(rf"^\| .+ \| {pin} \| {number} \| (ground )?\|$", text, re.M), key
        assert f'| `{PREFIX}{key}` | `"{pin}"` | a pin' in text

    def test_guide_names_every_key(self) -> None:
        text = wiring.README.read_text(encoding="utf-8")
        assert all(f"`{PREFIX}{key}`" in text for key, _, _ in KEYS)

    def test_main_readme_names_the_pins_of_the_table(self) -> None:
        text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
        pins = wiring.pins()
        assert f"SDA and SCL to {pins['SDA']} and {pins['SCL']}" in text
        assert f"Connect {pins['LEFT']} to {pins['PAUSE']} each through a button to ground" in text
        assert f"{pins['BUZZER']} through the piezo to ground" in text


class TestDiagram:
    def test_every_pin_has_one_wire(self) -> None:
        ends = []
        for line in ElementTree.fromstring(wiring.draw()).iter(f"{SVG}polyline"):
            points = [tuple(map(int, point.split(","))) for point in str(line.get("points")).split()]
            edges = (wiring.BOARD_X, wiring.BOARD_X + wiring.BOARD_WIDTH)
            ends += [point for point in (points[0], points[-1]) if point[0] in edges]
        names = [name for name in wiring.LEFT if name in wiring.pins().values()]
        assert len(names) == len(wiring.pins())
        assert len(set(ends)) == len(ends) == len(names) + 6, (
            "six more: 3V3, two of the link, and grounds of display, link and others"
        )

    def test_sockets_of_the_link_are_drawn_beside_their_pins(self) -> None:
        picture = ElementTree.fromstring(wiring.draw())
        label_y = {text.text: float(str(text.get("y"))) for text in picture.iter(f"{SVG}text")}
        for socket, words in wiring.SOCKETS.items():
            (pin,) = re.findall(rf"^\| {socket} \| tip \| .*?(GP\d+) \|", wiring.link_table(), re.M)
            assert label_y[f"{socket}: {words}"] == pytest.approx(label_y[pin] + 0.7), "a larger label beside its pin"
        assert "1 kOhm" in label_y

    def test_a_part_on_a_right_hand_pin_is_drawn_on_the_right(self, monkeypatch: pytest.MonkeyPatch) -> None:
        moved = {**wiring.pins(), "LEFT": "GP28", "BUZZER": "GP16"}
        monkeypatch.setattr(wiring, "pins", lambda: moved)
        picture = ElementTree.fromstring(wiring.draw())
        (label,) = [text for text in picture.iter(f"{SVG}text") if text.text == "left: move left"]
        assert int(str(label.get("x"))) > 770
        assert "| button left (move left) | GP28 | 34 | ground |" in wiring.wiring_table()

    def test_a_page_without_a_place_for_the_table_is_an_error(self) -> None:
        with pytest.raises(Refusal, match="no place for the table of wiring"):
            wiring.fill("# A guide\n")

    def test_the_command_writes_diagram_and_guide(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(wiring, "SVG", tmp_path / "wiring.svg")
        copy = tmp_path / "README.md"
        copy.write_text(wiring.README.read_text(encoding="utf-8").replace("| piezo | GP15", "| piezo | GP1"))
        monkeypatch.setattr(wiring, "README", copy)
        assert wiring.main([]) == 0
        assert "| piezo | GP15 |" in copy.read_text() and (tmp_path / "wiring.svg").exists()


@pytest.mark.parametrize(
    ("board", "size", "bus_ms"),
    [
        ("raspberry_pi_pico", 1024, 23.1),
        ("adafruit_macropad_rp2040", 1024, 0.8),
        ("waveshare_pico_lcd_1_3", 57_600, 19.2),
    ],
)
def test_a_whole_picture_takes_its_bytes_at_the_speed_of_the_bus(board: str, size: int, bus_ms: float) -> None:
    record = profiles.find(board)
    assert record
    found_bytes, found_bus_ms, all_ms = wiring.weigh_picture(record)
    assert (found_bytes, found_bus_ms) == (size, pytest.approx(bus_ms, abs=0.1))
    screen = board_screens.find(board)
    assert 1000 * screen.time_change_s(bytes(1024), b"\xff" * 1024) == pytest.approx(all_ms)
    if board != "raspberry_pi_pico":  # displayio redraws 32 rows for two changes in their corners
        corners = b"\1" + bytes(8 * 32 - 2) + b"\1" + bytes(1024 - 8 * 32)
        assert 1000 * screen.time_change_s(bytes(1024), corners) == pytest.approx(all_ms / 4)
