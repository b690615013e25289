"""The wiring diagram and the tables of the build guide are drawn from the board's own table of pins."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.device.wiring import KEYS, PREFIX
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

    def test_main_readme_agrees_with_the_table(self) -> None:
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
        assert len(set(ends)) == len(ends) == len(names) + 6, "3V3, the link's two, grounds of display, link, others"

    def test_sockets_of_the_link_are_drawn_where_the_guide_says(self) -> None:
        picture = ElementTree.fromstring(wiring.draw())
        said = {text.text: int(str(text.get("y"))) for text in picture.iter(f"{SVG}text")}
        for socket, words in wiring.SOCKETS.items():
            (pin,) = re.findall(rf"^\| {socket} \| tip \| .*?(GP\d+) \|", wiring.link_table(), re.M)
            assert said[f"{socket}: {words}"] == said[pin] + 1, "beside its pin, in larger letters"
        assert "1 kOhm" in said

    def test_part_on_the_other_side_of_the_board_is_drawn_there(self, monkeypatch: pytest.MonkeyPatch) -> None:
        moved = {**wiring.pins(), "LEFT": "GP28", "BUZZER": "GP16"}
        monkeypatch.setattr(wiring, "pins", lambda: moved)
        picture = ElementTree.fromstring(wiring.draw())
        (label,) = [text for text in picture.iter(f"{SVG}text") if text.text == "left: move left"]
        assert int(str(label.get("x"))) > 770
        assert "| button left (move left) | GP28 | 34 | ground |" in wiring.wiring_table()

    def test_place_for_a_table_must_be_there(self) -> None:
        with pytest.raises(ValueError, match="no place for the table of wiring"):
            wiring.fill("# A guide\n")

    def test_command_writes_both(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(wiring, "SVG", tmp_path / "wiring.svg")
        copy = tmp_path / "README.md"
        copy.write_text(wiring.README.read_text(encoding="utf-8").replace("| piezo | GP15", "| piezo | GP1"))
        monkeypatch.setattr(wiring, "README", copy)
        assert wiring.main([]) == 0
        assert "| piezo | GP15 |" in copy.read_text() and (tmp_path / "wiring.svg").exists()
