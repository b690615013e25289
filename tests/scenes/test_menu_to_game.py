"""From the notice by the title and the main menu to a new game."""

import sys

import pytest

from firmware.engine import events
from firmware.engine.game import Game
from firmware.engine.tables import FALL_US
from firmware.modes.catalogue import DAILY, MARATHON, PUZZLE, SPRINT, ULTRA, WORST, ZEN
from firmware.modes.days import unpack_day
from firmware.save.settings import Settings
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import DOWN, LEFT, RIGHT, START, UP, A, B, Console
from tests.support.variants import DIG, MASTER, SURVIVE


@pytest.fixture
def console() -> Console:
    return Console()


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


@pytest.mark.parametrize("first", ["options.options", "help.scoring"])
def test_leaving_the_menus_leaves_no_module_behind(first: str) -> None:
    console = Console(first)
    console.open("play")
    loaded = {name for name in sys.modules if name.startswith(("firmware.scenes.", "firmware.modes.demo"))}
    stays = {"firmware.scenes.play", "firmware.scenes.play.play"}  # for the next game
    assert loaded - console.router.resident <= stays
