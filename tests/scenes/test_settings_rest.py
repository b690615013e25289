"""Settings are written once, when a changed value has rested for a second, and not at all without a change."""

import importlib
import pkgutil
from typing import Any

import pytest

from firmware import scenes
from firmware.save.journal import SETTINGS, Journal
from firmware.save.settings import Settings
from firmware.scenes import setup
from firmware.scenes.settings_menu import SettingsMenu
from firmware.scenes.setup.step import ALONE, Step
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import VERSUS, Bus, Handheld
from tests.support.handhelds.pauses import DOWN, LEFT, RIGHT, A, B
from tests.support.records import packed

PAGES = sorted(
    path.name.removeprefix("firmware.scenes.")
    for path in pkgutil.walk_packages(scenes.__path__, "firmware.scenes.")
    if issubclass(getattr(importlib.import_module(path.name), "Scene", object), SettingsMenu)
    and path.name != "firmware.scenes.help.mapping"  # shows the buttons and changes none
)
KEYS = {"options.controls": (A, RIGHT), "options.changed": (A,)}  # that change a value
FRAME_MS = 16
REST_FRAMES = 1000 // FRAME_MS


class Desk:
    def __init__(self, name: str) -> None:
        self.store = RamStore(4096)
        self.handheld = Handheld(store=[self.store], first="menus.title")
        self.handheld.settings.versus = VERSUS
        for setting in ("contrast", "sleep_s", "dim_s"):  # options.changed offers to reset them
            setattr(self.handheld.settings, setting, 0)
        self.handheld.settings.ready = 1
        self.handheld.context.save_settings()
        self.handheld.open(name, frames=2)

    @property
    def written(self) -> int:
        """The number of bytes that the journal has written."""
        return self.handheld.journal.end

    def saved(self) -> bytes:
        """Return the settings after a power cut now, as a record."""
        settings = Settings()
        settings.restore(Journal([self.store]).read(SETTINGS))
        return packed(settings)

    def change(self) -> None:
        """Go down to a line with another value and set it."""
        handheld = self.handheld
        for _ in range(len(handheld.scene.lines)):
            before = packed(handheld.settings)
            handheld.tap(*KEYS.get(handheld.name, (RIGHT,)))
            handheld.step(frames=2)
            if packed(handheld.settings) != before:
                return
            handheld.tap(DOWN)
        raise AssertionError("no line changes a setting")


def test_every_page_of_options_and_of_versus_is_found() -> None:
    assert {"options.game_rules", "options.handling", "options.controls", "options.extra_rules"} < set(PAGES)
    assert {"match.menu", "match.rules", "options.sound", "options.display", "options.access"} < set(PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_value_is_written_after_a_second_of_rest(name: str) -> None:
    desk = Desk(name)
    before = desk.written
    desk.change()
    desk.handheld.step(frames=REST_FRAMES - 4)
    assert desk.written == before
    desk.handheld.step(frames=8)
    assert desk.written > before and desk.saved() == packed(desk.handheld.settings)
    after = desk.written
    desk.handheld.step(frames=5 * REST_FRAMES)
    desk.handheld.tap(B)
    desk.handheld.step(frames=2)
    assert desk.written == after, "once"


@pytest.mark.parametrize("name", PAGES)
def test_a_value_is_written_on_leaving_before_it_rests(name: str) -> None:
    desk = Desk(name)
    desk.change()
    desk.handheld.tap(B)
    desk.handheld.step(frames=2)
    assert desk.saved() == packed(desk.handheld.settings)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_without_a_change_writes_nothing(name: str) -> None:
    desk = Desk(name)
    before = desk.written
    desk.handheld.tap(DOWN, DOWN)
    desk.handheld.step(frames=2 * REST_FRAMES)
    desk.handheld.tap(B)
    desk.handheld.step(frames=2)
    assert desk.written == before


def test_a_held_direction_writes_only_its_last_value() -> None:
    desk = Desk("match.menu")
    desk.handheld.tap(DOWN)
    before = desk.written
    desk.handheld.hold(RIGHT, 4 * REST_FRAMES)
    assert desk.written == before
    desk.handheld.step(frames=REST_FRAMES + 2)
    assert desk.saved() == packed(desk.handheld.settings)
    assert desk.written - before <= 11 + len(desk.saved())


@pytest.mark.parametrize("name", PAGES)
def test_a_cursor_that_moves_on_does_not_keep_a_value_from_being_written(name: str) -> None:
    desk = Desk(name)
    desk.change()
    for _ in range(5):
        desk.handheld.tap(DOWN)
        desk.handheld.step(frames=REST_FRAMES // 3)
    assert desk.saved() == packed(desk.handheld.settings)


@pytest.mark.parametrize("key", [A, RIGHT, LEFT])
def test_a_value_whose_line_moves_is_written_too(key: int) -> None:
    """RIVALS in VERSUS, which adds lines above itself."""
    desk = Desk("match.menu")
    desk.handheld.tap(DOWN, DOWN)
    for _ in range(4):
        before = packed(desk.handheld.settings)
        assert desk.handheld.scene.lines[desk.handheld.scene.at] == b"RIVALS"
        desk.handheld.tap(key)
        desk.handheld.step(frames=REST_FRAMES + 2)
        assert desk.saved() == packed(desk.handheld.settings) != before


def find_steps() -> list[str]:
    """Return the questions of the first start that change a setting before they are answered, with their button."""
    found = []
    for path in pkgutil.walk_packages(setup.__path__, "setup."):
        if not issubclass(getattr(importlib.import_module(f"firmware.scenes.{path.name}"), "Scene", object), Step):
            continue
        desk = Desk(path.name)
        before = packed(desk.handheld.settings)
        desk.handheld.tap(RIGHT)
        if packed(desk.handheld.settings) != before:
            found.append(path.name)
    return found


@pytest.mark.parametrize("subject", [None, ALONE])
def test_a_question_about_the_handheld_keeps_its_value_through_a_power_cut(subject: str | None) -> None:
    steps = find_steps()
    assert {"setup.loudness", "setup.upright"} <= set(steps)
    for name in steps:
        for leaves in (False, True):
            desk = Desk("menus.title")
            desk.handheld.open(name, subject, frames=2)
            before = desk.written
            desk.handheld.tap(RIGHT)
            assert desk.written == before
            if leaves:
                desk.handheld.follow(A)
            else:
                desk.handheld.step(frames=REST_FRAMES + 2)
            assert desk.saved() == packed(desk.handheld.settings), (name, leaves)


def test_a_speed_on_trial_is_not_saved() -> None:
    """The display may be unreadable with it."""
    desk = Desk("menus.title")
    desk.handheld.device.bus = Bus()
    desk.handheld.open("setup.speed", ALONE, frames=2)
    desk.handheld.tap(A)
    desk.handheld.step(frames=2 * REST_FRAMES)
    assert desk.handheld.settings.fast_bus and desk.saved() != packed(desk.handheld.settings)
    desk.handheld.follow(A)
    assert desk.saved() == packed(desk.handheld.settings)


def find_changers() -> list[str]:
    """Return the scenes with lines whose values are settings, found by pressing right on each line."""
    found = []
    for path in pkgutil.walk_packages(scenes.__path__, "firmware.scenes."):
        name = path.name.removeprefix("firmware.scenes.")
        scene: Any = getattr(importlib.import_module(path.name), "Scene", None)
        if not hasattr(scene, "turn") or not hasattr(scene, "find"):
            continue
        desk = Desk("menus.main")
        try:
            desk.handheld.open(name, frames=2)
        except (TypeError, AttributeError, IndexError):
            continue  # it needs a subject, as the pages of a paused match and of rules
        for _ in getattr(desk.handheld.scene, "lines", ()):
            before = packed(desk.handheld.settings)
            desk.handheld.tap(RIGHT, DOWN)
            if packed(desk.handheld.settings) != before:
                found.append(name)
                break
    return found


@pytest.mark.slow
def test_every_menu_that_changes_settings_writes_them_at_rest() -> None:
    changers = find_changers()
    assert len(changers) > 8 and set(changers) <= set(PAGES)
