"""Rules of the circuit board: what the checks must find, and files that are what the code makes."""

import csv
import io
import re
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PIL import Image

from firmware.device.wiring import BUTTONS
from tests.support import needs
from tools.assets import wiring
from tools.hardware import (
    HardwareError,
    __main__,
    bill,
    board_files,
    checks,
    circuit_board,
    kicad,
    layout,
    netlist,
    routing,
    silkscreen,
)

pytestmark = needs.mark("kicad")

COMMITTED = board_files.FOLDER / circuit_board.NAME


@pytest.fixture
def board():
    """Return the committed board, loaded anew, so that a test may spoil it."""
    return kicad.read_board(COMMITTED)


@pytest.fixture(scope="module")
def built_board(tmp_path_factory):
    """Return the files, built far away; each run of Python has other hashes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Asia/Tokyo")
        return board_files.build(tmp_path_factory.mktemp("board"))


def wire(monkeypatch, **pins):
    keys = tuple((key, pins.get(key, default), allowed) for key, default, allowed in wiring.KEYS)
    monkeypatch.setattr(wiring, "KEYS", keys)


def move(monkeypatch, key, dx, dy):
    x, y = layout.BUTTONS[key]
    monkeypatch.setitem(layout.BUTTONS, key, (x + dx, y + dy))


def tracks(board):
    return [item for item in board.GetTracks() if item.GetClass() == "PCB_TRACK"]


# The board as committed


def test_board_passes_kicads_design_rules_and_leaves_nothing_unconnected(board):
    checks.check_rules(board)


def test_each_pin_of_the_table_reaches_its_pad_and_no_other(board):
    checks.check_pins()
    checks.check_wiring(board)


def test_board_houses_can_make_each_track_hole_and_ring(board):
    checks.check_sizes(board)


def test_each_lead_fits_its_hole(board):
    checks.check_holes(board)


def test_parts_lie_on_the_board_and_keep_apart(board):
    checks.check_edge(board)
    checks.check_bodies(board)


def test_a_thumb_reaches_each_button():
    checks.check_reach()


def test_board_is_no_larger_than_board_houses_make_cheapest():
    assert max(layout.WIDTH, layout.HEIGHT) <= 100


def test_pico_faces_backwards_with_its_usb_up(board):
    sockets = {part.GetReference(): part for part in board.GetFootprints()}
    first, last = (sockets["J1"].FindPadByNumber(number).GetPosition() for number in ("1", "20"))
    pin_40 = sockets["J2"].FindPadByNumber("1").GetPosition()

    assert first.y < last.y  # the USB socket is beside pins 1 and 40
    assert first.x > pin_40.x  # the left of the Pico lies on the right, seen from the front
    assert kicad.mm(first.x - pin_40.x) == pytest.approx(17.78)
    assert all(part.IsFlipped() for name, part in sockets.items() if name in ("J1", "J2"))


def test_every_part_is_soldered_through_holes_but_the_jumpers(board):
    for pad in board.GetPads():
        assert pad.GetDrillSize().x or pad.GetParent().GetReference() in ("JP1", "JP2")


def test_layout_places_each_part_of_the_netlist_and_the_bill_buys_it():
    placed = {part.name for part in layout.PARTS}
    bought = {name for item in bill.ITEMS for name in item.parts.split()}
    assert {part for pads in netlist.list_nets().values() for part, _ in pads} <= placed
    assert {name for name in placed if not re.fullmatch(r"H([5-9]|1\d)|JP\d", name)} == bought


def test_each_button_has_its_name_beside_it(board):
    words = {item.GetText() for item in board.GetDrawings() if item.GetClass() == "PTEXT"}
    assert {silkscreen.name_button(key) for key in BUTTONS} <= words
    assert {silkscreen.TITLE, "LINK OUT", "LINK IN", "USB", "+", "-"} <= words


# Faults


@pytest.mark.parametrize(
    ("pins", "words"),
    [
        ({"LEFT": "GP3", "RIGHT": "GP2"}, r"GP2 \(pin 4 of the Pico\) reaches pad 1 of LEFT, not pad 1 of RIGHT"),
        ({"BUZZER": "GP22"}, r"GP15 \(pin 20 of the Pico\) reaches pad 1 of PIEZO, not nothing"),
    ],
    ids=["swapped", "moved"],
)
def test_another_pin_in_the_table_is_found(board, monkeypatch, pins, words):
    wire(monkeypatch, **pins)
    with pytest.raises(HardwareError, match=f"^{words}$"):
        checks.check_wiring(board)


@pytest.mark.parametrize(
    ("pin", "words"), [("GP2", "HOLD and LEFT share the pin GP2"), ("GP29", "HOLD: the Pico has no pin GP29")]
)
def test_a_pin_given_twice_or_that_no_pico_has_is_found(monkeypatch, pin, words):
    wire(monkeypatch, HOLD=pin)
    with pytest.raises(HardwareError, match=f"^{words}$"):
        checks.check_pins()


def test_a_button_moved_by_3_mm_collides_with_the_display(board, monkeypatch):
    move(monkeypatch, "RIGHT", 3, 0)
    with pytest.raises(HardwareError, match=r"^RIGHT is 1\.0 mm from DISPLAY, 2 mm wanted between them$"):
        checks.check_bodies(board)


@pytest.mark.slow
def test_kicad_too_finds_a_button_moved_onto_another_part(monkeypatch):
    move(monkeypatch, "RIGHT", 3, 0)
    with pytest.raises(HardwareError, match=r"^courtyards_overlap: "):
        checks.check_rules(circuit_board.place(layout.list_parts()))


def test_a_button_out_of_reach_is_found(monkeypatch):
    move(monkeypatch, "HOLD", 40, 0)
    with pytest.raises(HardwareError, match=r"^HOLD is 83 mm from the corner where its thumb turns, 15 to 80 wanted$"):
        checks.check_reach()


def test_a_thin_track_is_found(board):
    track = next(track for track in tracks(board) if track.GetNetname() == "SDA")
    track.SetWidth(kicad.nm(0.15))
    with pytest.raises(HardwareError, match=r"^the track of SDA at \(\S+ \S+\) is 0\.15 mm wide, 0\.2 wanted$"):
        checks.check_sizes(board)


def test_a_missing_track_is_found(board):
    board.Delete(next(track for track in tracks(board) if track.GetNetname() == "HOLD"))
    with pytest.raises(HardwareError, match=r"^unconnected_items: "):
        checks.check_rules(board)


def test_a_track_from_one_pin_to_another_is_found(board):
    pins = next(part for part in board.GetFootprints() if part.GetReference() == "J1")
    track = tracks(board)[0].Duplicate()
    track.SetStart(pins.FindPadByNumber("11").GetPosition())
    track.SetEnd(pins.FindPadByNumber("12").GetPosition())
    board.Add(track)

    with pytest.raises(HardwareError, match=r"^(clearance|shorting_items|tracks_crossing): "):
        checks.check_rules(board)


def test_a_small_via_hole_is_found(board):
    next(item for item in board.GetTracks() if item.GetClass() == "PCB_VIA").SetDrill(kicad.nm(0.2))
    with pytest.raises(HardwareError, match=r"^the via at \(\S+ \S+\) has a hole of 0\.2 mm, 0\.3 wanted$"):
        checks.check_sizes(board)


@pytest.mark.parametrize(
    ("check", "name", "changed", "words"),
    [
        (
            checks.check_holes,
            "D1",
            {"lead": 1},
            r"D1: a hole of 1\.1 mm for a lead of 1 mm leaves 0\.1 mm, 0\.2 to 0\.6",
        ),
        (checks.check_edge, "PIEZO", {"x": 95.0}, "PIEZO lies beyond the board's edge"),
        (checks.check_bodies, "BATTERY", {"x": 20.0, "y": 42.0}, "BATTERY lies on a solder joint of SOFT_DROP"),
        (checks.check_bodies, "BATTERY", {"x": 4, "y": 9}, r"BATTERY lies under the head of the screw at \(4, 4\)$"),
    ],
)
def test_a_part_that_does_not_fit_there_is_found(board, monkeypatch, check, name, changed, words):
    parts = tuple(replace(part, **changed) if part.name == name else part for part in layout.PARTS)
    monkeypatch.setattr(layout, "list_parts", lambda: parts)
    with pytest.raises(HardwareError, match=f"^{words}"):
        check(board)


@pytest.mark.slow
def test_a_pad_that_no_track_can_leave_is_refused():
    parts = list(layout.PARTS)
    walls = [layout.Part(f"JP{i}", "wall", "Jumper:SolderJumper-3_P1.3mm_Open_Pad1.0x1.5mm", 0, 0) for i in range(3, 7)]
    x, y = 84.5, 53.0
    around = ((x, y - 1.8, 0), (x, y + 1.8, 0), (x - 1.8, y, 90), (x + 1.8, y, 90))
    for back in (False, True):
        for wall, (wall_x, wall_y, turn) in zip(walls, around, strict=True):
            parts.append(replace(wall, name=f"{wall.name}{back}", x=wall_x, y=wall_y, turn=turn, back=back))

    with pytest.raises(HardwareError, match=r"^no way is left for the net BUZZER: move its parts apart$"):
        routing.route(circuit_board.place(tuple(parts)), netlist.GROUND)


def test_a_footprint_that_kicad_lacks_is_refused():
    part = replace(layout.PARTS[0], footprint="Jumper:No_Such_Thing")
    with pytest.raises(HardwareError, match=r"^LEFT: KiCad has no footprint Jumper:No_Such_Thing$"):
        circuit_board.place((part,))


# Files


def test_committed_files_are_what_the_code_makes(built_board):
    assert board_files.list_changed(board_files.FOLDER, built_board) == []


def test_files_of_the_board_stay_below_1_mb(built_board):
    assert sum(path.stat().st_size for path in built_board) < 1_000_000


def test_zip_has_each_layer_and_both_drill_files_without_a_date(built_board):
    archive = zipfile.ZipFile(next(path for path in built_board if path.name == "gerbers.zip"))
    texts = {name: archive.read(name).decode() for name in archive.namelist()}

    assert len(texts) == 9
    assert all("CreationDate" not in text and not re.search(r"20\d\d-\d\d-\d\d", text) for text in texts.values())
    assert "T1C0.400" in texts["skyline-PTH.drl"]  # vias
    assert "T2C2.700" in texts["skyline-NPTH.drl"]  # screws


def test_lists_and_pictures_can_be_read(built_board):
    files = {path.name: path for path in built_board}
    rows = list(csv.DictReader(io.StringIO(files["positions.csv"].read_text())))

    assert {row["part"] for row in rows} >= set(BUTTONS)
    assert ElementTree.parse(files["schematic.svg"]).getroot().tag.endswith("svg")
    sizes = {Image.open(files[f"board-{side}.png"]).size for side in ("front", "back")}
    assert len(sizes) == 1


def test_a_changed_file_is_named(built_board, tmp_path):
    for path in built_board:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "bom.csv").write_text("nothing")
    (tmp_path / "gerbers.zip").write_text("nothing")
    (tmp_path / "board-front.png").unlink()

    assert board_files.list_changed(tmp_path, built_board) == ["gerbers.zip", "bom.csv", "board-front.png"]


# Command line


def run(capsys, *arguments):
    """Run the command line; return its exit code and what it printed on stderr."""
    code = __main__.main([str(argument) for argument in arguments])
    return code, capsys.readouterr().err


def test_check_of_an_empty_folder_says_so_in_one_line(capsys, tmp_path):
    code, words = run(capsys, "check", "--folder", tmp_path)
    assert code == 2
    assert words == f"tools.hardware: {tmp_path / 'skyline.kicad_pcb'} does not exist: python -m tools.hardware build\n"


def test_check_of_a_file_that_is_no_board_says_so_in_one_line(capsys, tmp_path):
    (tmp_path / circuit_board.NAME).write_text("hello")
    code, words = run(capsys, "check", "--folder", tmp_path)
    assert (code, words.count("\n")) == (2, 1)
    assert "is no board of KiCad 6" in words
