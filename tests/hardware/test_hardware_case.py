"""The case to print: its solids against the layout of the board, and faults that the checks name in one line."""

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support import needs
from tools import ROOT

needs.demand("manifold3d", allow_module_level=True)  # the imports below need it

from tools.hardware import HardwareError, board_files, case, case_checks, layout, solids  # noqa: E402
from tools.hardware.case import Figures  # noqa: E402
from tools.hardware.solids import Solid  # noqa: E402

FILES = ROOT / "tools" / "hardware" / "files"
FIGURES = Figures()


@pytest.fixture(scope="module")
def prints() -> Mapping[str, Solid]:
    return case.make_prints(FIGURES)


@pytest.fixture(scope="module")
def built_case(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return case.build(tmp_path_factory.mktemp("case"))


def move_part(monkeypatch: pytest.MonkeyPatch, name: str, x: float, y: float) -> None:
    parts = [dataclasses.replace(part, x=x, y=y) if part.name == name else part for part in layout.PARTS]
    monkeypatch.setattr(layout, "PARTS", tuple(parts))


def move_button(monkeypatch: pytest.MonkeyPatch, key: str, x: float, y: float) -> None:
    old_x, old_y = layout.BUTTONS[key]
    monkeypatch.setattr(layout, "BUTTONS", {**layout.BUTTONS, key: (old_x + x, old_y + y)})
    monkeypatch.setattr(layout, "PARTS", layout.list_parts())


def expect_fault(check, *arguments) -> str:
    with pytest.raises(HardwareError) as caught:
        check(*arguments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.slow
def test_committed_files_are_watertight_and_pass_every_check():
    kept = case_checks.read_prints(FILES, FIGURES)
    case_checks.check_prints(kept, FIGURES)


def test_committed_files_are_what_the_code_makes(built_case):
    assert board_files.list_changed(FILES, built_case) == []


def test_folder_holds_no_other_file_of_the_case(built_case):
    kept = {path.name for path in FILES.iterdir() if path.name.startswith("case")}
    assert kept <= {path.name for path in built_case}


def test_files_stay_below_1_5_mb(built_case):
    assert sum(path.stat().st_size for path in built_case) < 1_500_000


@pytest.mark.parametrize("name", ["front", "back", "buttons"])
def test_print_lies_flat_on_the_bed(prints, name):
    solid = case.turn_for_printing(name, prints[name], FIGURES)
    assert solid.bounding_box()[2] == pytest.approx(0)
    assert solid.slice(0.01).area() > 10


@pytest.mark.slow
def test_holder_for_aaa_cells_fits_too():
    figures = Figures(battery=case.AAA)
    case_checks.check_prints(case.make_prints(figures), figures)


@pytest.mark.slow
@pytest.mark.parametrize("display", sorted(case.VIEWS))
def test_window_for_one_display_fits_too(display):
    figures = Figures(displays=(display,))
    case_checks.check_prints(case.make_prints(figures), figures)


def test_window_for_the_small_display_would_hide_the_large_ones_picture():
    front = case.make_front(Figures(displays=("0.96",)))
    fault = expect_fault(case_checks.check_window, {"front": front}, FIGURES)
    assert fault.startswith("the picture of the 1.3 inch display meets the front")


def test_plates_of_the_sandwich_leave_room_for_every_part():
    case_checks.check_sandwich(FIGURES)


def test_plate_that_meets_a_part_is_named(monkeypatch):
    plates = case.list_plates()
    move_part(monkeypatch, "OUT", 14.0, 2.7)
    monkeypatch.setattr(case, "list_plates", lambda: plates)

    assert expect_fault(case_checks.check_sandwich, FIGURES).startswith(
        "the plate 'back ring 1' meets the plug of OUT: "
    )


def test_gap_in_a_surface_is_named(prints, tmp_path):
    for name in prints:
        data = (FILES / f"case-{name}.stl").read_bytes()
        count = int.from_bytes(data[80:84], "little") - 1
        (tmp_path / f"case-{name}.stl").write_bytes(data[:80] + count.to_bytes(4, "little") + data[84:-50])

    fault = expect_fault(case_checks.read_prints, tmp_path, FIGURES)

    assert fault.startswith("case-front.stl is not watertight: its surface is open at (")


def test_wall_of_0_8_mm_is_named():
    thin = dataclasses.replace(FIGURES, wall=0.8)
    fault = expect_fault(case_checks.check_walls, "case-back", case.make_back(thin))
    assert fault.startswith("case-back: the wall at (") and fault.endswith("is 0.8 mm thick, 1.2 wanted")


@pytest.mark.parametrize("key", layout.BUTTONS)
def test_button_moved_by_3_mm_is_named(monkeypatch, prints, key):
    move_button(monkeypatch, key, 0, -3)
    fault = expect_fault(case_checks.check_prints, prints, FIGURES)
    assert fault.startswith(f"the cap of {key} ")


def test_part_that_a_shell_leaves_no_room_for_is_named(monkeypatch, prints):
    move_part(monkeypatch, "PIEZO", x=89.0, y=57.0)
    assert expect_fault(case_checks.check_shells, prints, FIGURES).startswith("the back meets PIEZO: they share ")


def test_board_that_cannot_be_put_in_is_named(prints):
    whole = {**prints, "back": prints["back"] + solids.box(20, -0.3, -4, 30, -0.1, -3)}
    fault = expect_fault(case_checks.check_shells, whole, FIGURES)
    assert fault.startswith("the back, the board ") and " mm above its place, meets OUT: " in fault


def test_cap_without_a_flange_can_fall_out(monkeypatch, prints):
    monkeypatch.setattr(case, "CAP_FLANGE", 0.4)
    narrow = solids.unite(case.make_caps(FIGURES).values())
    fault = expect_fault(case_checks.check_buttons, {**prints, "buttons": narrow}, FIGURES)
    assert fault == "the cap of LEFT can fall out: its flange is not 0.8 mm wider than its opening"


def test_cap_that_cannot_go_down_is_named(monkeypatch, prints):
    monkeypatch.setattr(case, "CAP_SOCKET", 1.2)
    long = solids.unite(case.make_caps(FIGURES).values())
    fault = expect_fault(case_checks.check_buttons, {**prints, "buttons": long}, FIGURES)
    assert fault.startswith("the cap of LEFT, pressed by 0.5 mm, meets LEFT")


def test_plug_that_meets_the_wall_is_named(monkeypatch, prints):
    monkeypatch.setattr(case, "PLUG", (14.0, 8.0))
    assert expect_fault(case_checks.check_plugs, prints, FIGURES).startswith("the USB plug meets the back: they share ")


def test_face_turned_up_would_print_in_the_air(prints):
    fault = expect_fault(case_checks.check_overhangs, "case-front", prints["front"])
    assert fault.startswith("case-front: ") and fault.endswith("would print in the air")
