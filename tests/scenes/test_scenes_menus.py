"""Every menu: pictures, navigation by buttons, settings and memory."""

import sys
from collections import deque
from importlib import import_module
from typing import Any

import pytest

from firmware.device.handheld import Machine
from firmware.engine import controls, events
from firmware.engine.game import Game
from firmware.engine.tables import FALL_US
from firmware.modes.catalogue import DAILY, MARATHON, PUZZLE, SPRINT, STANDARD, ULTRA, WORST, ZEN
from firmware.modes.days import unpack_day
from firmware.modes.lessons import puzzle_file
from firmware.router import find_scene
from firmware.save import presets
from firmware.save.buttons import CONTROLS
from firmware.save.settings import Settings
from firmware.scenes import menu
from firmware.scenes.link.options import Page
from firmware.scenes.menu import Menu
from firmware.scenes.options.controls import name_buttons
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import DOWN, LEFT, MENUS, OURS, RIGHT, START, UP, A, B, Console
from tests.support.needs import needs_wasm
from tests.support.records import packed
from tests.support.variants import DIG, MASTER, SURVIVE
from tools.assets import logo
from tools.measure import scripts

Ways = dict[Any, dict[int, Any]]
READ = ("help.help", "learn.menu", "menus.score_list")  # the tests of the help walk through its pages


@pytest.fixture
def console() -> Console:
    return Console()


def scene_class(name: str) -> Any:
    """Return the class of a scene; its module is imported again if a console dropped it."""
    return import_module(find_scene(name, 0)).Scene


def make_scene(name: str) -> Any:
    """Return a scene as the App makes it; some scenes set their lines when they are made."""
    return scene_class(name)(Console().context, None)


def list_records(name: str) -> list[Any]:
    """Return the records of a menu's settings: line, note, setting, values, words."""
    return [record for record in scene_class(name).records if len(record) == 5]


MS = (b"MS",)  # the words of a setting with every millisecond from its first value to its last


CHOICES = [name for name in MENUS if list_records(name)]


class TestNavigation:
    """All menus as a graph: a place is a node, a press an edge. It is walked press by press."""

    BUTTONS = (UP, DOWN, LEFT, RIGHT, A, B, START)
    PLAIN = (UP, DOWN, A, B, START)  # for menus where left and right change values that no place contains

    @pytest.fixture(scope="class")
    @classmethod
    def ways(cls) -> Ways:
        """Press every button in every place that can be reached from the title; return the place after each press.

        From a finished place the walk continues, by buttons too, to the nearest unfinished one.
        """
        console = Console(suspended=Game(1), last=b"recording", ours=(*OURS, *READ))
        console.display.show = lambda: None  # type: ignore[method-assign]
        ways: Ways = {console.place(): {}}
        while path := cls.path(ways, console.place()):
            for button in path:
                before = console.place()
                console.follow(button)
                after = console.place()
                console.settings.reset()  # else a menu would open at the last choice
                assert ways[before].setdefault(button, after) == after, f"{before} {button} leads to two places"
                ways.setdefault(after, {})
        return ways

    @classmethod
    def path(cls, ways: Ways, start: object) -> list[int]:
        """Return the fewest presses of which only the last is untried, by breadth-first search."""
        queue: deque[tuple[Any, list[int]]] = deque([(start, [])])
        seen = {start}
        while queue:
            place, buttons = queue.popleft()
            for button in cls.PLAIN if place[0] in ("menus.main", "menus.more_modes") else cls.BUTTONS:
                after = ways[place].get(button)
                if after is None:
                    return [*buttons, button]
                if after not in seen:
                    seen.add(after)
                    queue.append((after, [*buttons, button]))
        return []

    def test_every_menu_is_reached_by_buttons_from_the_title(self, ways: Ways) -> None:
        assert {place[0] for place in ways} == {*OURS, *READ}

    def test_every_line_of_every_menu_is_reached(self, ways: Ways) -> None:
        for name in MENUS:
            count = len(make_scene(name).lines) + (name == "menus.main")  # a game in progress adds a line
            assert {place[1] for place in ways if place[0] == name} == set(range(count)), name

    def test_b_alone_leads_to_the_title_from_everywhere(self, ways: Ways) -> None:
        for start in ways:
            place = start
            for _ in range(5):
                place = ways[place][B]
            assert place[0] == "menus.title", f"B from {start}"

    def test_b_returns_to_the_line_that_led_there(self, ways: Ways) -> None:
        assert len(ways) > 60
        for start, presses in ways.items():
            after = presses[A]
            if start[0] in ("menus.main", "options.options") and after[0] not in (start[0], "menus.title"):
                assert ways[after][B] == start

    def test_up_and_down_wrap(self, ways: Ways) -> None:
        for start, presses in ways.items():
            if start[0] in MENUS and start[0] != "menus.choose_level" and not start[2] and not start[3]:
                assert ways[presses[DOWN]][UP] == start and ways[presses[UP]][DOWN] == start

    def test_right_cycles_through_all_levels(self, ways: Ways) -> None:
        for count, variant in ((15, MARATHON), (10, STANDARD)):
            start: Any = ("menus.choose_level", 0, False, False, 0, 0, variant, ())
            place = start
            for turn in range(count):
                assert (place == start) == (turn == 0)
                place = ways[place][RIGHT]
            assert place == start


class TestLegal:
    def test_a_page_or_a_simulator_begins_with_the_title(self) -> None:
        assert Handheld(store=[RamStore()], first="").name == "menus.title"

    def test_the_notice_ends_by_itself_after_three_seconds(self) -> None:
        console = Console("menus.legal")
        for frames, name in ((28, "menus.legal"), (4, "menus.title")):
            console.step(100, frames)
            assert console.name == name

    def test_a_button_ends_the_notice(self) -> None:
        assert Console("menus.legal").leads(LEFT) == "menus.title"

    def test_credits_stay_until_a_button_and_lead_back(self) -> None:
        console = Console("options.device")
        console.tap(UP, A)
        for frames in (0, 50):
            console.step(100, frames)
            assert console.name == "menus.legal"
        assert console.leads(B) == "options.device" and console.scene.lines[console.scene.at] == b"CREDITS"


class TestTitle:
    def test_logo_has_two_thirds_of_the_width_and_is_not_below_the_centre(self) -> None:
        """Guideline 2.2.1: centred, at least as high as the centre, not touching the top."""
        canvas = Console().display.canvas
        rows = [y for y in range(80) if any(canvas.pixel(x, y) for x in range(64))]
        columns = [x for x in range(64) if any(canvas.pixel(x, y) for y in range(80))]
        assert columns[-1] - columns[0] + 1 >= 64 * 2 / 3 and columns[0] == 63 - columns[-1]
        assert rows[0] > 0 and (rows[0] + rows[-1]) / 2 <= 63.5

    @pytest.mark.parametrize("presses", [(), (DOWN, A)])
    def test_a_game_in_progress_is_the_first_line_and_a_continues_it(self, presses: tuple[int, ...]) -> None:
        game = Game(1)
        console = Console(suspended=game)
        assert console.leads(*presses) == ("menus.main" if presses else "menus.title") and not console.left
        console.tap(A)
        assert console.left == [("play", game)]

    def test_press_a_blinks_unless_motion_is_off(self, console: Console) -> None:
        assert console.picture() != console.step(700)
        console.settings.motion_on = 0
        still = console.picture()
        assert all(console.step(100) == still for _ in range(30))


class TestMain:
    @pytest.mark.parametrize(
        ("variant", "first"),
        [(MARATHON, b"MARATHON SPRINT"), (SPRINT, b"SPRINT MARATHON")]
        + [(ULTRA, b"ULTRA SPRINT MARATHON"), (WORST, b"WORST SPRINT MARATHON")]
        + [(PUZZLE, b"SPRINT MARATHON")],  # no line of a menu begins it
    )
    def test_the_last_mode_is_the_first_line_and_only_once(self, console: Console, variant: int, first: bytes) -> None:
        console.settings.variant = variant
        console.tap(A)
        lines = [*first.split(), b"DAILY", b"VERSUS"]
        assert console.scene.at == 0 and console.scene.lines[: len(lines)] == lines

    def test_a_rematch_takes_one_press(self, console: Console) -> None:
        console.settings.last_match = 1
        console.tap(A)
        assert console.scene.lines[:2] == [b"REMATCH", b"SPRINT"]
        console.step()
        console.compare("main_rematch")
        console.tap(A)
        assert console.left == [("match.play", None)]

    def test_a_rematch_asks_before_a_game_in_progress_ends(self) -> None:
        console = Console(suspended=Game(1))
        console.settings.last_match = 1
        assert console.leads(DOWN, A, DOWN, A) == "menus.continue_or_new"
        assert (console.leads(B), console.scene.at) == ("menus.main", 1)
        console.tap(A, DOWN, A)
        assert console.left == [("match.play", None)]

    def test_without_a_last_game_there_is_nothing_to_watch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        console = Console("learn.menu")
        sounds: list[int] = []
        monkeypatch.setattr(console.voice, "begin", sounds.append)
        console.choose(b"LAST GAME")
        assert console.name == "learn.menu" and not console.left
        assert sounds[-1] == events.HOLD_FAILED and console.scene.value(console.scene.at) == b"-"

    @pytest.mark.parametrize("watcher", ["replay.watch", "match.watch"])
    def test_the_last_game_is_watched_and_leads_back(self, watcher: str) -> None:
        console = Console("learn.menu", last=b"recording")
        console.session.watcher = watcher
        console.choose(b"LAST GAME")
        assert console.left == [(watcher, None)] and console.router.home == "learn.menu"


# By mode: its menu, its line, its variant, and the aims that RIGHT leads through.
AIMS = [("menus.main", b"MARATHON", MARATHON, [0, 1]), ("menus.main", b"SPRINT", SPRINT, [40, 100])]
AIMS += [("menus.more_modes", b"ULTRA", ULTRA, [2, 3]), ("menus.more_modes", b"DIG", DIG, [10, 18, 100])]
AIMS += [("menus.more_modes", b"SURVIVE", SURVIVE, [0]), ("menus.more_modes", b"MASTER", MASTER, [0])]
AIMS += [("menus.more_modes", b"ZEN", ZEN, [0])]
ASKING = (MARATHON, ULTRA, MASTER)  # modes that ask for a level


class TestNewGame:
    def test_marathon_from_level_one_is_two_presses_away(self) -> None:
        """Guideline 2.3.2, 2.3.3: Marathon and level 1 are the defaults."""
        console = Console("menus.main")
        console.tap(A, A)
        assert console.left == [("play", None)]
        assert (console.session.variant, console.settings.level, console.settings.aim) == (0, 1, 0)

    @pytest.mark.parametrize(
        ("name", "line", "variant", "turns", "aim"),
        [("menus.main", b"SPRINT", SPRINT, -1, 20)]
        + [(name, line, variant, *turned) for name, line, variant, aims in AIMS for turned in enumerate(aims)],
    )
    def test_right_takes_the_next_aim(self, name: str, line: bytes, variant: int, turns: int, aim: int) -> None:
        console = Console(name)
        console.choose(line, *[RIGHT if turns > 0 else LEFT] * abs(turns))
        settings = console.settings
        assert (console.session.variant, settings.variant, settings.aim) == (variant, variant, aim)
        if variant not in ASKING:
            assert console.left == [("play", None)] and settings.level == 1 and console.kept == 1
            return
        assert console.name == "menus.choose_level"
        assert console.leads(B) == name and console.scene.variants[console.scene.mode_of(console.scene.at)] == variant

    def test_an_aim_with_a_plus_asks_for_the_level(self) -> None:
        console = Console("menus.main")
        console.choose(b"SPRINT", LEFT, LEFT)
        assert console.name == "menus.choose_level" and console.settings.aim == 100
        console.tap(DOWN, A)
        assert console.left == [("play", None)] and console.settings.level == 4

    def test_a_race_keeps_the_level_of_other_modes(self) -> None:
        console = Console("menus.choose_level")
        console.tap(DOWN, A)
        console.open("menus.main", ms=0, frames=2)
        console.choose(b"SPRINT")
        assert console.settings.level == 1
        console.open("menus.choose_level", ms=0, frames=2)
        assert console.scene.at == 3

    @pytest.mark.parametrize(
        ("day", "turns", "name"),
        [(20261122, (), "play"), (0, (), "menus.choose_day"), (20261122, (RIGHT,), "menus.choose_day")],
    )
    def test_a_daily_game_may_ask_for_the_day(self, monkeypatch, day: int, turns: tuple[int, ...], name: str) -> None:
        console = Console("menus.main")
        monkeypatch.setattr(console.device.machine, "read_day", lambda: day)
        console.choose(b"DAILY", *turns)
        assert (console.name == name or console.left == [(name, None)]) and console.session.variant == DAILY
        assert turns or unpack_day(console.settings.day) == (day or unpack_day(Settings().day))

    def test_choosing_a_new_game_keeps_the_one_in_progress(self) -> None:
        game = Game(1)
        console = Console("menus.main", suspended=game)
        console.choose(b"SPRINT")
        console.tap(A)
        assert console.left == [("play", game)] and console.session.variant == MARATHON

    def test_level_is_remembered_and_saved(self) -> None:
        console = Console("menus.choose_level")
        console.tap(DOWN, RIGHT, A)
        assert console.settings.level == 5 and console.kept == 1
        console.open("menus.choose_level")
        assert console.scene.at == 4

    def test_2_4_starting_blocks_are_chosen_with_start(self) -> None:
        console = Console("menus.choose_level")
        console.tap(START, DOWN, DOWN, *[RIGHT] * 5, UP, UP, A)
        assert console.left == [("play", None)] and console.settings.garbage_rows == 5
        console.open("menus.choose_level", frames=2)
        console.tap(START, DOWN, DOWN)
        assert console.scene.value(2) == b"5"
        console.tap(B, A)
        assert console.settings.garbage_rows == 0, "a game that begins without that page has none"

    def test_the_seed_of_a_marathon_is_chosen(self) -> None:
        console = Console("menus.choose_level")
        console.tap(START, DOWN, A, UP, UP, LEFT, DOWN, A)  # units 2, tens 9
        console.tap(UP, A)
        assert console.left == [("play", None)] and console.session.next_seed() == 92

    def test_the_worst_piece_has_no_seed(self) -> None:
        console = Console("menus.choose_level")
        console.session.variant = WORST
        console.tap(START)
        assert console.scene.lines == (b"PLAY", b"BLOCKS")
        console.tap(DOWN, LEFT)
        assert console.settings.garbage_rows == 15

    @pytest.mark.parametrize("level", range(1, 16))
    def test_sample_falls_at_the_pace_of_the_level(self, level: int) -> None:
        """Guideline 7: six rows take six times the time of one row, to a frame."""
        console = Console("menus.choose_level")
        console.tap(*[RIGHT] * (level - 1))
        console.scene.start_ms = console.clock.now_ms
        expected_ms = -(-6 * FALL_US[level - 1] // 1000)
        console.step(max(expected_ms - 17, 1))
        assert console.scene.row <= 6
        console.step(18)
        assert console.scene.row >= 6 or expected_ms < 10


class TestSettings:
    @pytest.mark.parametrize("name", CHOICES)
    def test_each_offered_value_is_saved_and_restored(self, name: str) -> None:
        console = Console(name)
        scene, settings = console.scene, console.settings
        for _line, _note, setting, values, words in list_records(name):
            assert words == MS or scene.get(setting) in values
            assert words in (None, MS) or len(words) == len(values)
            for value in values:
                scene.set(setting, value)
                saved = packed(settings)
                scene.set(setting, values[0])
                settings.restore(saved)
                assert scene.get(setting) == value, "a value out of its range becomes the default"

    @pytest.mark.parametrize("name", CHOICES)
    def test_every_offered_value_is_reached_by_left_and_right(self, name: str) -> None:
        console = Console(name)
        records = scene_class(name).records
        for line, record in enumerate(records):
            if record in list_records(name) and record[4] != MS:  # test_handling.py has those
                _line, _note, setting, values, _words = record
                seen = {console.scene.get(setting)}
                for button in [RIGHT] * len(values) + [LEFT] * len(values):
                    console.tap(button)
                    if getattr(console.scene, "taking", False):
                        console.tap(button)  # one switch asks again
                    seen.add(console.scene.get(setting))
                assert seen == set(values), setting
            console.tap(DOWN)
            assert console.scene.at == (line + 1) % len(records)

    def test_every_rule_of_the_guideline_can_be_set(self) -> None:
        """Guideline 2.5.1 to 2.5.6."""
        offered = {record[2] for name in ("options.game_rules", "options.sound") for record in list_records(name)}
        assert offered >= {
            *("next_count", "hold_on", "ghost_on", "lock_rule", "goal_rule"),
            *("music_on", "music_volume", "tune", "effects_on", "effects_volume"),
        }

    @pytest.mark.parametrize("button", [RIGHT, A])
    def test_numbers_wrap_around_like_words(self, button: int) -> None:
        console = Console("options.game_rules")
        console.tap(button)
        assert console.settings.next_count == 1
        console.tap(LEFT)
        assert console.settings.next_count == 6
        console.tap(DOWN, DOWN, DOWN, LEFT)
        assert console.settings.lock_rule == 2

    def test_a_change_of_brightness_is_seen_at_once(self) -> None:
        console = Console("options.display")
        console.tap(LEFT)
        assert console.display.chip.contrast == 175

    def test_a_preset_sets_the_handling_and_shows_while_it_matches(self) -> None:
        console = Console("options.handling")
        settings = console.settings
        assert console.scene.value(0) == b"GUIDELINE"
        console.tap(RIGHT)
        assert presets.find_preset(settings) == presets.FAST and console.scene.value(0) == b"FAST"
        console.tap(DOWN, RIGHT, UP)
        assert presets.find_preset(settings) == presets.CUSTOM and console.scene.value(0) == b"OWN"
        console.tap(RIGHT)
        assert presets.find_preset(settings) == presets.RELAXED

    def test_reset_asks_once(self) -> None:
        console = Console("options.device")
        settings = console.settings
        settings.das_ms, settings.buttons[0] = 100, 3
        console.tap(UP, UP, A)
        assert settings.das_ms == 100
        console.tap(A)
        assert settings.das_ms == 300 and settings.buttons[0] == 1

    @pytest.mark.parametrize("button", [LEFT, RIGHT, DOWN, UP])
    def test_any_other_button_cancels_the_question(self, button: int) -> None:
        console = Console("options.device")
        console.settings.das_ms = 100
        console.tap(UP, UP, A, button)
        assert not console.scene.asked and console.settings.das_ms == 100


def find_groups() -> dict[str, int]:
    """Return the pages of options, and how many presses of A from the main menu open each."""
    groups = {"options.options": 1}
    waiting = deque(groups)
    while waiting:
        parent = waiting.popleft()
        for record in scene_class(parent).records:
            name = record[2] if len(record) in (3, 4) else None
            if isinstance(name, str) and name.startswith("options.") and name not in groups:
                groups[name] = groups[parent] + 1
                waiting.append(name)
    return groups


GROUPS = find_groups()
LONGER = {"options.controls": CONTROLS + 1}  # a line for each control, and RESET


class TestGroups:
    def test_every_page_of_options_is_found(self) -> None:
        found = {name for name in MENUS if name.startswith("options.")}
        assert found == GROUPS.keys() - {"options.changed"}, "which is as long as a player's changes"

    @pytest.mark.parametrize("name", GROUPS)
    def test_a_group_has_eight_lines_at_most(self, name: str) -> None:
        assert len(make_scene(name).lines) <= LONGER.get(name, 8)

    @pytest.mark.parametrize("name", GROUPS)
    def test_a_group_is_three_presses_deep_at_most(self, name: str) -> None:
        assert GROUPS[name] <= 3

    def test_the_pause_of_a_match_by_cable_has_eight_lines_at_most(self) -> None:
        assert len(Page.records) <= 8


class TestHandlingSample:
    @pytest.mark.parametrize(("das_ms", "arr_ms"), [(300, 55), (100, 0), (500, 120)])
    def test_sample_crosses_in_the_time_of_the_delay_and_the_repeats(self, das_ms: int, arr_ms: int) -> None:
        """Guideline 5.2: one step, the delay, then step after step."""
        console = Console("options.handling")
        settings = console.settings
        settings.das_ms, settings.arr_ms = das_ms, arr_ms
        places: dict[int, int] = {}
        start = console.clock.now_ms
        for _ in range(4000):
            console.step(1)
            places.setdefault(console.scene.place, console.clock.now_ms - start)
            if console.scene.place == 9:
                break
        assert places[9] - places[1] == das_ms + 7 * arr_ms

    def test_soft_drop_shows_its_pace(self) -> None:
        console = Console("options.handling")
        console.tap(DOWN, DOWN, DOWN)
        times: dict[int, int] = {}
        for _ in range(2000):
            console.step(1)
            times.setdefault(console.scene.place, console.clock.now_ms)
        assert times[3] - times[2] == 1000 // 20


class TestButtons:
    DEFAULTS = (1, 2, 4, 8, 16, 32, 64, 128)

    @pytest.fixture
    def console(self) -> Console:
        return Console("options.controls")

    def test_control_swaps_buttons_with_the_one_pressed_next(self, console: Console) -> None:
        console.tap(A, controls.HOLD)
        buttons = console.settings.buttons
        assert (buttons[controls.LEFT], buttons[controls.HOLD]) == (1 << 6, 1 << 0)

    @pytest.mark.parametrize(("line", "pressed"), [(controls.HOLD, (A, B)), (controls.LEFT, (A, B, START))])
    def test_a_control_takes_a_chord_of_two(self, console: Console, line: int, pressed: tuple[int, ...]) -> None:
        console.tap(*[DOWN] * line, A)
        console.tap_together(*pressed)
        console.step(frames=len(pressed))  # a frame takes one press
        assert console.settings.buttons[line] == 3 << 4 and console.scene.value(line) == b"A+B"

    def test_the_press_that_picked_the_line_is_not_assigned(self, console: Console) -> None:
        console.hold(A, 10)
        assert console.scene.taking

    def test_the_next_press_in_the_frame_of_the_pick_is_the_controls(self, console: Console) -> None:
        console.tap(UP, UP)
        console.tap_together(A, controls.HOLD)
        console.step(16, 3)
        assert console.settings.target_buttons == 1 << controls.HOLD and console.scene.at == 8

    def test_a_picked_control_waits_five_seconds_for_a_press(self, console: Console) -> None:
        console.tap(A)
        console.step(100, 48)
        assert console.scene.taking
        console.step(100, 4)
        assert not console.scene.taking and tuple(console.settings.buttons) == self.DEFAULTS

    def test_every_control_keeps_its_own_buttons_after_any_press(self, console: Console) -> None:
        for line in range(8):
            for button in range(8):
                console.tap(A, button)
                assert len(set(console.settings.buttons)) == 8
            assert console.scene.at == line
            console.tap(DOWN)

    def test_reset_restores_all_buttons(self, console: Console) -> None:
        console.tap(A, START, UP, A)
        assert tuple(console.settings.buttons) == self.DEFAULTS

    def test_menus_ignore_the_mapping(self, console: Console) -> None:
        console.tap(A, DOWN)  # now the button of DOWN moves left
        console.tap(DOWN)
        assert console.scene.at == 1


class TextCanvas:
    def __init__(self, texts: list[bytes]) -> None:
        self.texts = texts

    def fill(self, *rectangle: int) -> None:
        pass

    def text(self, x: int, y: int, text: bytes, font: bytes) -> None:
        self.texts.append(text)


class TestFit:
    @pytest.mark.parametrize("name", MENUS)
    def test_lines_are_ten_glyphs_at_most_and_values_fit_beside_them(self, name: str) -> None:
        scene = make_scene(name)
        assert all(len(line) <= 10 for line in scene.lines) and len(scene.heading) <= 10
        shown = {
            line: [b"%d MS" % values[1]] if words == MS else words or [str(value).encode() for value in values]
            for line, _note, _setting, values, words in list_records(name)
        }
        for line in scene.lines:
            values = list(shown.get(line, []))
            if name == "options.controls" and line != b"RESET":
                values += [name_buttons(1 << i | 1 << j) for i in range(8) for j in range(8)]
            if line == b"ALL":
                values += presets.NAMES
            for value in values:
                assert 2 + text_width(line, FONT_5X7) + 3 + text_width(value, FONT_3X5) <= 61, (line, value)

    def test_every_choice_of_a_match_fits_beside_its_line_and_has_a_note(self) -> None:
        scene = make_scene("match.rules")
        for at, line in enumerate(scene.lines):
            notes = set()
            first = scene.value(at)
            while True:
                assert 2 + text_width(line, FONT_5X7) + 3 + text_width(scene.value(at), FONT_3X5) <= 61
                scene.at = at
                texts: list[bytes] = []
                scene.draw_note(TextCanvas(texts), scene.notes[at])
                assert len(texts) <= 3 and all(text_width(text, FONT_3X5) <= 63 for text in texts)
                notes.add(b"|".join(texts))
                scene.turn(at, 1)
                if scene.value(at) == first:
                    break
            assert len(notes) == 1 + scene.notes[at].count(b"/")

    @pytest.mark.parametrize("at", range(puzzle_file.count()))
    def test_every_goal_of_a_puzzle_fits(self, at: int) -> None:
        scene = make_scene("learn.puzzle_menu")
        texts: list[bytes] = []
        scene.at = at
        scene.draw_note(TextCanvas(texts), b"")
        assert len(texts) <= 3 and all(text_width(text, FONT_3X5) <= 63 for text in texts), texts

    @pytest.mark.parametrize("name", [name for name in MENUS if name != "menus.choose_level"])
    def test_every_line_has_a_description_of_three_lines_at_most(self, name: str) -> None:
        scene = make_scene(name)
        assert len(scene.notes) == len(scene.lines) and all(scene.notes)
        values_of = {note: values for _line, note, _setting, values, _words in list_records(name)}
        for note in scene.notes:
            of_values = note.split(b"/")
            assert note not in values_of or len(of_values) in (1, len(values_of[note])), note
            for lines in (of_value.split(b"|") for of_value in of_values):
                assert len(lines) <= 3
                assert all(line and text_width(line, FONT_3X5) <= 63 for line in lines), note

    @pytest.mark.parametrize("name", CHOICES)
    def test_every_word_of_a_value_has_its_own_note(self, name: str) -> None:
        """A note per value, not per line; a brightness or a time needs none."""
        for line, note, _setting, values, words in list_records(name):
            if words and line not in (b"LIGHT", b"DIM", b"SLEEP", b"FLIPPED", b"SOFT") and words != MS:
                assert len(set(note.split(b"/"))) == len(values), line

    @pytest.mark.parametrize("term", [b"DAS", b"ARR", b"IRS", b"IHS", b"DCD", b"SOFT DROP FACTOR"])
    def test_notes_name_the_terms_that_players_know(self, term: bytes) -> None:
        scene = make_scene("options.handling")
        assert any(term in words for words in (*scene.lines, *scene.notes))


class TestPictures:
    @pytest.mark.parametrize("name", OURS)
    def test_first_picture(self, name: str) -> None:
        Console(name).compare(name)

    @pytest.mark.parametrize("name", ["title", "main"])
    def test_picture_with_a_game_in_progress(self, name: str) -> None:
        Console(f"menus.{name}", suspended=Game(1), last=b"recording").compare(f"{name}_continue")

    def test_the_title_says_what_b_at_power_on_risks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Machine, "owns_drive", lambda _machine: True)
        Console("menus.title", suspended=Game(1), last=b"recording").compare("title_drive")

    @pytest.mark.parametrize(
        ("name", "line"),
        [("options.game_rules", line) for line in ("HOLD", "GHOST", "LOCK", "GOAL", "VANISH", "EXTRAS")]
        + [
            ("options.options", line)
            for line in ("SOUND", "SCREEN", "BUTTONS", "GAME RULES", "EASIER", "SHARE", "DEVICE")
        ]
        + [("options.handling", "SOFT"), ("options.handling", "GUARD"), ("options.sound", "effects_volume")]
        + [("options.controls", "HOLD"), ("options.controls", "TARGET")]
        + [("menus.main", "SPRINT"), ("menus.main", "OPTIONS"), ("menus.more_modes", "BAD DEALER")]
        + [("options.display", line) for line in ("FLIPPED", "DIM", "SLEEP", "MOTION", "CELLS")],
    )
    def test_picture_of_a_line(self, name: str, line: str) -> None:
        """By its words, or by the name of its setting if two lines have the same words."""
        console = Console(name)
        while line not in (console.scene.lines[console.scene.at].decode(), *console.scene.records[console.scene.at]):
            console.tap(DOWN)
        console.compare(f"{name}_at_{line.lower().replace(' ', '_')}")

    def test_picture_of_level_15(self) -> None:
        console = Console("menus.choose_level")
        console.tap(*[RIGHT] * 14)
        console.compare("menus.choose_level_14")

    @pytest.mark.parametrize(
        ("name", "letters"),
        [("options.game_rules", letters) for letters in ("LL", "DR", "DDR", "DDDDR")]
        + [
            ("options.device", "UUA"),
            ("options.display", "DDDDDDR"),
            ("options.sound", "R"),
            ("options.sound", "DDDDDA"),
            ("options.controls", "A"),
        ],
    )
    def test_picture_after_a_change(self, name: str, letters: str) -> None:
        console = Console(name)
        console.tap(*["LRDUAB".index(letter) for letter in letters])
        console.compare(f"{name}_{letters}")

    def test_picture_of_starting_blocks(self) -> None:
        console = Console("menus.choose_seed")
        console.tap(DOWN, DOWN, *[RIGHT] * 9)
        console.compare("choose_seed_blocks")

    @pytest.mark.parametrize(("moves", "name"), [(0, "landed"), (15, "spent"), (16, "locked")])
    def test_picture_of_the_lock_down_sample(self, moves: int, name: str) -> None:
        console = Console("options.game_rules")
        console.tap(DOWN, DOWN, DOWN)
        console.scene.begin_lock()
        console.step(10, 22 * moves + 20 if moves < 16 else 22 * 15 + 40)
        console.compare(f"options_lock_{name}")

    @pytest.mark.parametrize("name", MENUS)
    def test_nothing_is_left_over_from_another_line(self, name: str) -> None:
        """The picture of a line does not depend on the line before it."""
        console = Console(name)
        if name in ("options.game_rules", "options.handling", "options.display", "menus.choose_level"):
            console.step = lambda ms=0, frames=1: Handheld.step(console, 0, frames)  # type: ignore[method-assign]
        count = len(console.scene.lines)
        button = RIGHT if name == "menus.choose_level" else DOWN
        console.tap(button)
        before = console.picture()
        console.tap(*[button] * count)
        assert console.scene.at == 1
        if count <= console.scene.rows or name == "menus.choose_level":
            assert console.picture() == before


@pytest.mark.parametrize(
    "name", ["menus.main", "menus.more_modes", "options.options", "options.sound", "options.controls"]
)
def test_a_menu_at_rest_sends_nothing_to_the_display(name: str) -> None:
    console = Console(name)
    console.step()
    assert not any(console.display.canvas.dirty)
    console.scene.draw()
    assert not any(console.display.canvas.dirty)


LOCKED_SCRIPT = """
from firmware.save.settings import Settings

begin()
app.context.settings = Settings()
app.context.save_settings = app.context.apply_settings = lambda: None
app.idling.rest = lambda now_ms, scene: None  # the game behind the title has a test of its own
for name, lines in ({scenes}):
    go(name, frames=1)
    while app.router.loading:
        app.router.load_ahead(app.context)
    for line in range(lines):
        if line:
            app.router.scene.choose(line)
        play(3)
        play_locked(150)
    assert app.router.scene.at == lines - 1
print("frames", clock.frame)
"""


@needs_wasm
def test_a_frame_without_an_edge_allocates_nothing_at_any_line() -> None:
    """Two and a half seconds on each line; the samples move, the title blinks."""
    lines = {"menus.title": 1} | {name: len(make_scene(name).lines) for name in MENUS}
    played = scripts.run(scripts.ON_BOARD + LOCKED_SCRIPT.format(scenes=", ".join(map(str, lines.items()))))
    assert played.last_line == f"frames {153 * sum(lines.values()) + len(lines)}"


@pytest.mark.parametrize("first", ["options.options", "help.scoring"])
def test_leaving_the_menus_leaves_no_module_behind(first: str) -> None:
    console = Console(first)
    console.open("play")
    loaded = {name for name in sys.modules if name.startswith(("firmware.scenes.", "firmware.modes.demo"))}
    stays = {"firmware.scenes.play", "firmware.scenes.play.play"}  # for the next game
    assert loaded - console.router.resident <= stays


def test_sample_of_the_menu_has_room_above_its_description() -> None:
    assert menu.SAMPLE_Y > 13 + 10 * menu.SAMPLE_ROWS - 1 and menu.SAMPLE_Y + menu.SAMPLE_HEIGHT < 101
    assert Menu.rows == menu.ROWS


def test_skyline_is_built_of_whole_tetriminos() -> None:
    """The cells of each letter form connected groups of four or a multiple."""
    cells = {(x, y): c for y, row in enumerate(logo.read_city()) for x, c in enumerate(row) if c != logo.EMPTY}
    while cells:
        (start, piece) = cells.popitem()
        group, grown = {start}, [start]
        while grown:
            x, y = grown.pop()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if cells.get(near) == piece:
                    del cells[near]
                    group.add(near)
                    grown.append(near)
        assert len(group) % 4 == 0, piece
