"""The PC's keys and the buttons and sticks of gamepads press the eight controls of Guideline table 4.1."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from sim.cli import main
from sim.clock import VirtualClock
from sim.contacts import Contacts
from sim.desktop import gamepad
from sim.desktop.control_file import MapError
from sim.desktop.gamepad import DEFAULTS, Gamepads, read_map, write_map
from sim.desktop.keyboard import TARGET, Keyboard
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from tests.support.polling import poll, poll_untimed

GUIDELINE_4_1 = [
    (LEFT, "left arrow, numpad 4", "ArrowLeft Numpad4"),
    (RIGHT, "right arrow, numpad 6", "ArrowRight Numpad6"),
    (HARD_DROP, "space bar, numpad 8", "Space Numpad8"),
    (SOFT_DROP, "down arrow, numpad 2", "ArrowDown Numpad2"),
    (ROTATE_CW, "up arrow, X, numpad 1, 5, 9", "ArrowUp KeyX Numpad1 Numpad5 Numpad9"),
    (ROTATE_CCW, "control, Z, numpad 3, 7", "ControlLeft ControlRight KeyZ Numpad3 Numpad7"),
    (HOLD, "shift, C, numpad 0", "ShiftLeft ShiftRight KeyC Numpad0"),
    (PAUSE, "escape, F1", "Escape F1"),
]

# The labels of the handheld's buttons, as in the screen's "PRESS A".
ON_THE_BUTTONS = [("KeyA", ROTATE_CW), ("KeyB", ROTATE_CCW), ("KeyC", HOLD), ("KeyS", PAUSE)]


@pytest.fixture
def contacts() -> Contacts:
    return Contacts()


@pytest.fixture
def keyboard(contacts: Contacts) -> Keyboard:
    return Keyboard(contacts)


def tap(keyboard: Keyboard, key: str) -> None:
    keyboard.press(key, 7)
    keyboard.release(key, 9)


@pytest.mark.parametrize(
    ("control", "keys"), [(control, keys) for control, _, keys in GUIDELINE_4_1], ids=[row[1] for row in GUIDELINE_4_1]
)
def test_every_key_of_the_table_presses_its_control(control: int, keys: str, keyboard, contacts) -> None:
    for key in keys.split():
        tap(keyboard, key)
        assert poll(contacts) == [(control, 1, 7), (control, 0, 9)]


@pytest.mark.parametrize("at_menu", [False, True], ids=["in play", "at a menu"])
@pytest.mark.parametrize(("key", "control"), ON_THE_BUTTONS)
def test_letters_of_the_handhelds_buttons_press_them(key: str, control: int, at_menu: bool, keyboard, contacts) -> None:
    contacts.at_menu = at_menu
    tap(keyboard, key)
    assert poll(keyboard.people[0]) == [(control, 1, 7), (control, 0, 9)]


class TestPuzzle:
    """A puzzle on the PC: play has the keys of play, its panel those of a menu."""

    @pytest.fixture
    def clock(self) -> VirtualClock:
        return VirtualClock()

    @pytest.fixture
    def session(self, clock: VirtualClock, contacts: Contacts) -> Session:
        session = Session(clock, contacts, NoSpeaker(), seed=1, first="learn.puzzle_play")
        session.app.step()
        return session

    @pytest.fixture
    def press(self, session: Session, clock: VirtualClock, keyboard: Keyboard, contacts) -> Callable[..., None]:
        def press(key: str, held_ms: int = 40) -> None:
            contacts.at_menu = session.at_menu
            for move in (keyboard.press, keyboard.release):
                move(key, clock.ticks_ms())
                for _ in range(0, held_ms, 10):
                    clock.wait_until(clock.ticks_ms() + 10)
                    session.app.step()

        return press

    @pytest.mark.parametrize(("key", "facing"), [("ArrowUp", 1), ("KeyX", 1), ("ControlLeft", 3), ("KeyZ", 3)])
    def test_the_keys_that_rotate_drop_nothing(self, key: str, facing: int, session: Session, press) -> None:
        game: Any = session.app.router.scene.game
        press(key)
        assert (game.facing, game.lock_downs) == (facing, 0)

    def test_space_drops_in_play_and_chooses_in_the_panel(self, session: Session, press) -> None:
        game: Any = session.app.router.scene.game
        press("Escape", 500)
        assert session.at_menu
        press("Space")
        assert not session.at_menu and game.lock_downs == 0
        press("Space")
        assert game.lock_downs == 1

    def test_leaving_the_window_would_not_pause_it(self, session: Session) -> None:
        """PAUSE would begin the puzzle anew."""
        assert not session.playing


def test_the_control_key_does_not_lead_out_of_a_menu(keyboard: Keyboard, contacts: Contacts) -> None:
    contacts.at_menu = True
    tap(keyboard, "ControlLeft")
    assert poll(keyboard.people[0]) == []


def test_control_is_released_with_the_last_of_its_keys(keyboard: Keyboard) -> None:
    keyboard.press("ArrowLeft", 1)
    keyboard.press("Numpad4", 2)
    keyboard.release("ArrowLeft", 3)
    assert poll(keyboard.people[0]) == [(LEFT, 1, 1)]
    keyboard.release("Numpad4", 4)
    assert poll(keyboard.people[0]) == [(LEFT, 0, 4)]


def test_repeated_and_unknown_keys_do_nothing(keyboard: Keyboard) -> None:
    keyboard.press("KeyX", 1)
    keyboard.press("KeyX", 2)
    tap(keyboard, "KeyQ")
    keyboard.release("KeyZ", 5)
    assert poll(keyboard.people[0]) == [(ROTATE_CW, 1, 1)]


def test_all_held_keys_can_be_released(keyboard: Keyboard) -> None:
    for key in ("ArrowLeft", "Numpad4", "ArrowDown"):
        keyboard.press(key, 1)
    poll(keyboard.people[0])
    keyboard.people[0].release_all(8)
    assert sorted(poll(keyboard.people[0])) == [(LEFT, 0, 8), (SOFT_DROP, 0, 8)]
    keyboard.release("ArrowLeft", 9)
    assert poll(keyboard.people[0]) == []


def test_edges_beyond_the_capacity_come_with_the_next_poll(keyboard: Keyboard, contacts: Contacts) -> None:
    contacts.tap(PAUSE, 5)
    keyboard.people[0].tap(HOLD, 6)
    assert poll(keyboard.people[0], capacity=3) == [(PAUSE, 1, 5), (PAUSE, 0, 5), (HOLD, 1, 6)]
    assert poll(keyboard.people[0], capacity=3) == [(HOLD, 0, 6)]


def test_the_ninth_control_reaches_what_knows_it(keyboard: Keyboard, contacts: Contacts) -> None:
    for key in ("KeyV", "Backspace"):
        tap(keyboard, key)
        assert poll(contacts) == [(TARGET, 0, 9)], "a menu knows no such button"
    contacts.connect(lambda: True)
    tap(keyboard, "Backspace")
    assert poll(contacts) == [(TARGET, 1, 7), (TARGET, 0, 9)]
    contacts.at_menu = True
    tap(keyboard, "Backspace")
    assert poll(contacts) == [(ROTATE_CCW, 1, 7), (ROTATE_CCW, 0, 9)]


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
            ("a = hold", r", line 1: no section stands above it; write \[gamepad\] above it"),
            ("[gamepad]\nl1 = hold", ", line 2: there is no button of a gamepad 'l1'; there are a, b, x, y"),
            ("[gamepad]\na = hold\n left", ", line 3: 'left' has no equals sign; write a button of a gamepad, = and"),
        ],
    )
    def test_an_invalid_file_is_refused(self, text: str, words: str, path: Path) -> None:
        path.write_text(text, encoding="utf-8")
        with pytest.raises(MapError, match=words):
            read_map(path)

    def test_the_command_prints_the_players_own_map(self, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path.write_text("[gamepad]\na = hold\n", encoding="utf-8")
        assert main(["--gamepad-map", "--gamepad", str(path)]) == 0
        printed = capsys.readouterr().out
        assert "\na = hold\n" in printed
        path.write_text(printed, encoding="utf-8")
        assert read_map(path)["a"] == HOLD

    def test_the_players_file_is_in_the_config_folder(self) -> None:
        assert gamepad.controls_path().parts[-2:] == ("skyline", "gamepad.ini")
