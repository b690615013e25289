"""Buttons and sticks of gamepads press the eight controls; a file may change them."""

from pathlib import Path

import pytest

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from sim.cli import main
from sim.contacts import Contacts
from sim.desktop import gamepad
from sim.desktop.gamepad import DEFAULTS, Gamepads, MapError, read_map, write_map
from tests.support.polling import poll_untimed


@pytest.fixture
def contacts() -> Contacts:
    return Contacts()


@pytest.fixture
def pads(contacts: Contacts) -> Gamepads:
    return Gamepads(contacts)


# Guideline, table 4.1, column Joystick
@pytest.mark.parametrize(
    ("names", "control"),
    [
        *(("dpleft", LEFT), ("dpright", RIGHT), ("dpup", HARD_DROP), ("dpdown", SOFT_DROP)),
        *(("a", ROTATE_CW), ("b", ROTATE_CCW), ("leftshoulder rightshoulder", HOLD), ("start back", PAUSE)),
    ],
)
def test_every_button_of_the_table_presses_its_control(names: str, control: int, pads: Gamepads, contacts) -> None:
    for name in names.split():
        pads.move_button(0, name, True, 1)
        pads.move_button(0, name, False, 2)
        assert poll_untimed(contacts) == [(control, 1), (control, 0)]


def test_a_stick_presses_far_out_and_releases_further_in(pads: Gamepads, contacts: Contacts) -> None:
    for value in (0.5, 0.6, 0.5, 0.45, 0.6, 0.35, -0.6, 0.9):
        pads.move_axis(0, "leftx", value, 1)
    assert poll_untimed(contacts) == [(RIGHT, 1), (RIGHT, 0), (LEFT, 1), (LEFT, 0), (RIGHT, 1)]


def test_a_stick_pushed_up_is_up_in_menus_but_no_hard_drop(pads: Gamepads, contacts: Contacts) -> None:
    pads.move_axis(0, "lefty", -1, 1)
    pads.move_axis(0, "lefty", 0, 1)
    assert poll_untimed(contacts) == []
    contacts.at_menu = True
    pads.move_axis(0, "lefty", -1, 1)
    assert poll_untimed(contacts) == [(HARD_DROP, 1)]


def test_trigger_is_a_button(pads: Gamepads, contacts: Contacts) -> None:
    for value in (0.2, 1, 0):
        pads.move_axis(0, "righttrigger", value, 1)
    assert poll_untimed(contacts) == [(HOLD, 1), (HOLD, 0)]


def test_two_gamepads_hold_one_control(pads: Gamepads, contacts: Contacts) -> None:
    pads.move_button(0, "dpleft", True, 1)
    pads.move_button(1, "dpleft", True, 2)
    pads.remove(0, 3)
    assert poll_untimed(contacts) == [(LEFT, 1)]
    pads.remove(1, 4)
    assert poll_untimed(contacts) == [(LEFT, 0)]


class TestMap:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "gamepad.ini"

    def test_read_map_reads_the_text_of_write_map(self, path: Path) -> None:
        text = write_map(DEFAULTS, path)
        assert str(path) in text
        path.write_text(text, encoding="utf-8")
        assert read_map(path) == DEFAULTS

    def test_a_file_changes_only_the_buttons_that_it_names(self, path: Path) -> None:
        path.write_text("[gamepad]\nA = HOLD # thumb\nguide=none\nlefty- = hard_drop\n", encoding="utf-8")
        assert read_map(path) == DEFAULTS | {"a": HOLD, "guide": None, "lefty-": HARD_DROP}

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", r"has not one section \[gamepad\]"),
            ("a = hold", "no section headers"),
            ("[gamepad]\nl1 = hold", "l1 is no button of a gamepad; allowed: a b x y"),
            ("[gamepad]\na = jump", "a is jump; allowed: left right"),
            ("[gamepad]\na = hold\na = left", "already exists"),
            ("\xff\xfe", "UTF-8"),
        ],
    )
    def test_an_invalid_file_is_refused_in_one_line(self, text: str, words: str, path: Path) -> None:
        path.write_text(text, encoding="latin-1")
        with pytest.raises(MapError, match=words) as refused:
            read_map(path)
        assert "\n" not in str(refused.value)

    def test_the_command_prints_the_players_own_map(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path.write_text("[gamepad]\na = hold\n", encoding="utf-8")
        assert main(["--gamepad-map", "--gamepad", str(path)]) == 0
        printed = capsys.readouterr().out
        assert "\na = hold\n" in printed
        path.write_text(printed, encoding="utf-8")
        assert read_map(path)["a"] == HOLD

    def test_the_players_file_is_in_the_config_folder(self) -> None:
        assert gamepad.map_path().parts[-2:] == ("skyline", "gamepad.ini")
