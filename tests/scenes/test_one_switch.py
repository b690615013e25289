"""One-switch play (firmware/modes/README.md, 14): every test presses one button only."""

import gc
from collections.abc import Callable
from typing import Any
from weakref import ref

import pytest

from firmware.engine import controls
from firmware.modes.catalogue import MARATHON, ZEN, make_mode
from firmware.modes.lessons import puzzle_file
from firmware.modes.slow import STILL
from firmware.players.reachable import COLUMN, GROUP
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.play_state import PAUSED, PLAYING
from sim.bots.places import cells_of
from tests.support.drill import state
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Buttons, Handheld
from tests.support.handhelds.pauses import begin_game
from tests.support.recorded import RECORDINGS
from tests.support.variants import DIG

RECORDING = (RECORDINGS / "lost.sky").read_bytes()
STEP_MS = 600
SWITCH = controls.LEFT  # any button
FRAME_MS = 16
SOLVED = 3
BARRED = 4
FACING, COLUMNS, ROWS = 1, 2, 3  # what the cursor of a game steps through


class Person:
    """Press one button of a handheld when the wanted entry is lit."""

    def __init__(self, handheld: Handheld, step_ms: int = STEP_MS) -> None:
        self.handheld = handheld
        handheld.settings.ready = 1
        if not handheld.settings.one_switch:
            handheld.open("options.access", frames=2)
            handheld.scene.set("one_switch", step_ms)
            handheld.scene.back()
            handheld.step()

    @property
    def scene(self) -> Any:
        return self.handheld.scene

    @property
    def cursor(self) -> Any:
        buttons: Any = self.handheld.device.buttons
        return buttons.cursor

    def press(self, ms: int = 80) -> None:
        """Press the switch for so long, and rest for 0.2 s."""
        frames = ms // FRAME_MS
        self.handheld.hold(SWITCH, frames)
        self.handheld.step(FRAME_MS, 13)

    def wait(self, until: Callable[[], Any]) -> None:
        """Wait for at most 100 s."""
        for _ in range(100_000 // FRAME_MS):
            if until():
                return
            self.handheld.step(FRAME_MS)
        raise AssertionError(f"it does not come in {self.handheld.name}")

    def pick(self, line: bytes) -> str:
        """Press when a line of the menu is lit, BACK for the heading; return the scene that follows."""
        menu = self.scene.cover if getattr(self.scene, "cover", None) else self.scene
        at = -1 if line == b"BACK" else list(menu.lines).index(line)
        self.wait(lambda: menu.at == at)
        self.press()
        return self.handheld.name

    def find_place(self) -> int:
        """Return the number of the lowest place, the leftmost of equal ones."""
        reach = self.cursor.reach
        keys = list(reach.keys[: reach.count])
        return min(range(reach.count), key=lambda i: (-(keys[i] & 31), keys[i] >> COLUMN & 15, keys[i]))

    def put(self, place: int | None = None) -> None:
        cursor = self.cursor
        game = self.handheld.game
        self.wait(lambda: cursor.level)
        place = self.find_place() if place is None else place
        key = cursor.reach.keys[place]
        before = game.lock_downs
        if cursor.level == FACING:
            self.wait(lambda: cursor.entry == key >> GROUP)
            self.press()
        self.wait(lambda: cursor.reach.keys[cursor.place] >> COLUMN == key >> COLUMN)
        self.press()
        if cursor.level == ROWS and not cursor.running:
            self.wait(lambda: cursor.place == place)
            self.press()
        self.wait(lambda: game.lock_downs > before)


def person(variant: int = MARATHON, **settings: int) -> Person:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title", recorder=Recorder())
    made = Person(handheld)
    handheld.change_settings(**settings)
    handheld.session.variant = handheld.settings.variant = variant
    handheld.session.counts_down = False
    handheld.open("play", frames=4)
    return made


def at_menu(name: str = "menus.main") -> Person:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    made = Person(handheld)
    handheld.open(name, frames=2)
    return made


def puzzle(number: int, scene: str = "learn.puzzle_play") -> Person:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    made = Person(handheld)
    handheld.open(scene, number, frames=3)
    return made


class TestSwitch:
    def test_a_menu_that_goes_is_freed_before_the_next_scene_is_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A match's entrance asks how much memory is left."""
        person = at_menu()
        person.wait(lambda: person.scene.at == 1)
        menu, stays, collect = ref(person.scene), [], gc.collect

        def look() -> None:
            collect()
            stays.append(menu() is not None)

        monkeypatch.setattr(gc, "collect", look)
        person.press()
        assert stays and not any(stays)

    @pytest.mark.parametrize("button", range(8))
    def test_14_any_button_is_the_switch(self, button: int) -> None:
        made = at_menu()
        made.handheld.hold(button, 5)
        made.handheld.step(FRAME_MS, 2)
        assert made.handheld.name == "menus.choose_level"

    def test_14_while_off_nothing_stands_before_the_buttons(self) -> None:
        assert isinstance(begin_game().device.buttons, Buttons)

    def test_14_it_is_there_after_power_on(self) -> None:
        store = [RamStore(4096)]
        first = Handheld(store=store, first="menus.title")
        Person(first)
        first.context.save_settings()
        again = Handheld(store=[RamStore(store[0].image)], first="menus.title")
        assert again.settings.one_switch == STEP_MS and not isinstance(again.device.buttons, Buttons)

    def test_14_the_page_turns_it_off_with_the_switch_alone(self) -> None:
        made = at_menu("options.access")
        for _ in range(3):
            made.pick(b"1 KEY")
        made.handheld.step()
        assert not made.handheld.settings.one_switch and isinstance(made.handheld.device.buttons, Buttons)

    def test_14_1_the_button_picks_when_it_goes_up(self) -> None:
        made = at_menu()
        made.handheld.move(SWITCH, 1, frames=5)
        assert made.handheld.name == "menus.main"
        made.handheld.move(SWITCH, 0, frames=2)
        assert made.handheld.name == "menus.choose_level"

    def test_14_1_the_cursor_stands_still_while_the_button_is_down(self) -> None:
        made = at_menu()
        made.handheld.move(SWITCH, 1, frames=1900 // FRAME_MS)
        assert made.scene.at == 0

    @pytest.mark.parametrize(("rest_ms", "counts"), [(140, False), (160, True)])
    def test_14_1_a_press_right_after_a_release_is_ignored(self, rest_ms: int, counts: bool) -> None:
        made = at_menu("options.access")
        made.wait(lambda: made.scene.at == 0)
        now_ms = made.handheld.clock.now_ms
        edges = [(1, 0), (0, 50), (1, 50 + rest_ms), (0, 100 + rest_ms)]
        for pressed, ms in edges:
            made.handheld.buttons.edges.append((SWITCH, pressed, now_ms + ms))
            made.handheld.clock.now_ms = now_ms + ms
            made.handheld.step(0)
        made.handheld.step(0, 2)
        assert made.handheld.settings.slow == 1 + counts

    def test_14_1_held_for_two_seconds_it_is_b(self) -> None:
        made = at_menu("options.access")
        made.press(2100)
        assert made.handheld.name == "options.options"

    @pytest.mark.parametrize("variant", [MARATHON, ZEN, DIG])
    def test_14_1_held_for_two_seconds_in_play_it_is_start(self, variant: int) -> None:
        made = person(variant)
        made.press(2100)
        assert made.scene.state == PAUSED and made.pick(b"RESUME") == made.handheld.name
        made.wait(lambda: made.scene.state == PLAYING)

    def test_14_1_a_press_that_wakes_the_screen_does_nothing_else(self) -> None:
        made = at_menu()
        made.handheld.settings.sleep_s = 30
        made.handheld.step(500, 80)
        assert made.handheld.context.idling.asleep
        made.press()
        assert not made.handheld.context.idling.asleep and made.handheld.name == "menus.main"


class TestMenus:
    def test_14_2_the_cursor_steps_through_the_lines_and_back(self) -> None:
        made = at_menu()
        seen = [made.scene.at]
        for _ in range(12 * STEP_MS // FRAME_MS):
            made.handheld.step(FRAME_MS)
            if made.scene.at != seen[-1]:
                seen.append(made.scene.at)
        count = len(made.scene.lines)
        assert seen == ([*range(count), -1] * 2)[: len(seen)] and len(seen) > count + 1

    def test_14_2_a_step_takes_as_long_as_set(self) -> None:
        made = at_menu()
        made.wait(lambda: made.scene.at == 1)
        made.handheld.step(1, STEP_MS - 1)
        assert made.scene.at == 1
        made.handheld.step(1, 2)
        assert made.scene.at == 2

    def test_14_2_back_is_shown_in_the_heading(self) -> None:
        made = at_menu()
        made.wait(lambda: made.scene.at == -1)
        made.handheld.step()
        made.handheld.compare("switch_back")
        assert made.pick(b"BACK") == "menus.title"

    def test_14_2_after_back_the_menu_is_whole_again(self) -> None:
        made = at_menu()
        before = bytes(made.handheld.picture())
        made.wait(lambda: made.scene.at == -1)
        made.wait(lambda: made.scene.at == 0)
        assert made.handheld.step(0) == before

    def test_14_2_a_setting_takes_its_next_value(self) -> None:
        made = at_menu("options.access")
        made.pick(b"SPEED")
        assert (made.handheld.settings.slow, made.handheld.name) == (1, "options.access")

    def test_14_2_after_three_rounds_the_cursor_rests(self) -> None:
        made = at_menu()
        made.handheld.step(100, 3 * 9 * STEP_MS // 100 + 20)
        assert made.scene.at == 0
        made.handheld.step(100, 50)
        assert made.scene.at == 0
        made.press()
        assert made.handheld.name == "menus.main"
        made.wait(lambda: made.scene.at == 1)

    def test_14_2_a_question_waits_for_two_steps(self) -> None:
        made = at_menu("options.device")
        made.pick(b"RESET ALL")
        made.handheld.step(FRAME_MS, STEP_MS // FRAME_MS)
        assert made.scene.asked
        made.press()
        assert not made.handheld.settings.one_switch

    def test_14_2_a_forgotten_question_is_gone(self) -> None:
        made = at_menu("options.device")
        made.pick(b"RESET ALL")
        made.wait(lambda: made.scene.at == -1)
        assert not made.scene.asked

    def test_14_2_pages_offer_a_and_b_and_turn_by_themselves(self) -> None:
        made = at_menu("menus.lifetime_statistics")
        made.handheld.step(FRAME_MS, 2)
        made.handheld.compare("switch_page")
        page = made.scene.at
        made.wait(lambda: made.scene.at != page)
        made.handheld.step(FRAME_MS, STEP_MS // FRAME_MS + 2)
        made.press()
        assert made.handheld.name != "menus.lifetime_statistics"

    def test_the_page_of_the_options(self) -> None:
        handheld = Handheld(store=[RamStore(4096)], first="options.access")
        handheld.compare_at_rest("options_access")
        handheld.settings.slow = 2
        handheld.open("options.access", frames=2)
        handheld.tap(controls.SOFT_DROP, controls.RIGHT, controls.RIGHT)
        handheld.step(0, 2)
        handheld.compare("options_access_1")


class TestPlaces:
    @pytest.mark.parametrize("variant", [MARATHON, ZEN])
    def test_14_3_a_game_begins_still(self, variant: int) -> None:
        assert person(variant).handheld.game.options.slow == STILL

    def test_14_3_other_modes_begin_as_ever(self) -> None:
        assert person(DIG).handheld.game.options.slow == 0

    def test_14_3_facings_come_first_and_then_hold(self) -> None:
        made = person()
        made.wait(lambda: made.cursor.level)
        seen: list[int] = []
        while len(seen) < 4:
            if not seen or made.cursor.entry != seen[-1]:
                seen.append(made.cursor.entry)
            made.handheld.step(FRAME_MS)
        assert (made.handheld.game.piece, seen) == (1, [0, 1, 4, 0])  # I

    def test_14_3_picked_hold_holds(self) -> None:
        made = person()
        piece = made.handheld.game.piece
        made.wait(lambda: made.cursor.entry == 4)
        made.handheld.step()
        made.handheld.compare("switch_hold")
        made.press()
        assert made.handheld.game.hold == piece

    def test_14_3_hold_is_lit_above_large_cells_too(self) -> None:
        made = person(ZEN, large_cells=1)
        made.wait(lambda: made.cursor.entry == 4)
        made.handheld.step()
        made.handheld.compare("switch_hold_large")

    def test_14_3_columns_come_from_left_to_right(self) -> None:
        made = person()
        made.wait(lambda: made.cursor.level)
        made.handheld.step()
        made.handheld.compare("switch_facing")
        made.press()
        seen: list[int] = []
        while len(seen) < 7:
            key = made.cursor.reach.keys[made.cursor.place]
            if key not in seen:
                seen.append(key)
            made.handheld.step(FRAME_MS)
        made.handheld.compare("switch_column")
        assert seen == sorted(seen) and [key >> COLUMN & 15 for key in seen] == list(range(7))

    def test_14_3_a_picked_place_gets_the_tetrimino(self) -> None:
        made = person()
        made.wait(lambda: made.cursor.level)
        made.put(made.cursor.reach.find((1 << GROUP) + (9 << COLUMN), 2 << GROUP))
        assert [row[9] for row in made.handheld.game.matrix.rows[:5]] == [1, 1, 1, 1, 0]

    def test_14_5_two_rounds_of_columns_lead_back(self) -> None:
        made = person()
        made.wait(lambda: made.cursor.level)
        made.press()
        assert made.cursor.level == COLUMNS
        made.handheld.step(FRAME_MS, (2 * 7 - 1) * STEP_MS // FRAME_MS)
        assert made.cursor.level == COLUMNS
        made.handheld.step(FRAME_MS, 2 * STEP_MS // FRAME_MS)
        assert made.cursor.level == FACING

    def test_14_5_three_rounds_of_facings_open_the_pause(self) -> None:
        made = person()
        made.wait(lambda: made.cursor.level)
        made.handheld.step(FRAME_MS, (3 * 3 - 1) * STEP_MS // FRAME_MS)
        assert made.scene.state == PLAYING
        made.handheld.step(FRAME_MS, 3 * STEP_MS // FRAME_MS)
        assert made.scene.state == PAUSED

    def test_14_5_after_the_pause_the_search_begins_again(self) -> None:
        made = person()
        made.press(2100)
        made.pick(b"RESUME")
        made.put()
        assert made.handheld.game.lock_downs == 1

    def test_14_6_a_recording_holds_the_presses(self) -> None:
        made = person()
        for _ in range(8):
            made.put()
        game = made.handheld.game
        recorder: Any = made.handheld.session.recorder
        recording = Recording(recorder.recorded(made.scene.played_ms))
        replayed = recording.game(make_mode(MARATHON))
        replayed.start(0)
        Player(recording, replayed).advance(made.scene.played_ms)
        assert state(replayed) == state(game)


class TestPuzzles:
    def follow(self, made: Person) -> None:
        while made.scene.state == PLAYING:
            made.wait(lambda: made.cursor.level)
            game = made.handheld.game
            reach = made.cursor.reach
            step = game.mode.step(game)
            piece = step >> 12
            if game.piece != piece:
                made.wait(lambda: made.cursor.entry == 4)
                made.press()
                continue
            wanted = cells_of(piece, step & 3, (step >> 2 & 15) - 3, (step >> 6 & 63) - 3)
            rests = list(reach.landings[: reach.count])
            places = [cells_of(piece, rest >> 9, (rest >> 5 & 15) - 3, (rest & 31) - 3) for rest in rests]
            made.put(places.index(wanted))
            made.handheld.step(FRAME_MS, 40)

    @pytest.mark.parametrize(
        "number",
        [pytest.param(i, marks=[pytest.mark.long] * (i not in (0, 9, 20, 44))) for i in range(puzzle_file.count())],
    )
    def test_14_4_every_solution_can_be_played(self, number: int) -> None:
        made = puzzle(number)
        self.follow(made)
        assert made.scene.state == SOLVED

    def test_14_7_the_panel_has_a_cursor(self) -> None:
        made = puzzle(0)
        made.press(2100)
        made.wait(lambda: made.scene.state == PAUSED)
        made.handheld.step(FRAME_MS, 2)
        made.handheld.compare("switch_panel")
        buttons: Any = made.handheld.device.buttons
        made.wait(lambda: buttons.entry == 3)
        made.press()
        assert made.handheld.name == "learn.puzzle_menu"

    def test_14_7_an_all_clear_task_can_be_skipped(self) -> None:
        made = puzzle(0, "learn.all_clear_play")
        task = made.scene.task
        made.press(2100)
        made.wait(lambda: made.scene.state == PAUSED)
        buttons: Any = made.handheld.device.buttons
        made.wait(lambda: buttons.entry == 2)
        made.handheld.compare("switch_skip")
        made.press()
        assert made.scene.task != task

    def test_14_7_a_barred_bag_can_be_exchanged(self) -> None:
        made = puzzle(64, "learn.opener_play")
        while made.scene.state != BARRED:
            made.handheld.open("learn.opener_play", 64, frames=3)
        buttons: Any = made.handheld.device.buttons
        order = made.scene.order
        made.wait(lambda: buttons.entry == 1)
        made.handheld.step(FRAME_MS, 2)
        made.handheld.compare("switch_barred")
        made.press()
        assert made.scene.order != order

    def test_14_7_a_solved_puzzle_leads_to_the_next_one(self) -> None:
        made = puzzle(0)
        self.follow(made)
        made.handheld.step(FRAME_MS, 65)
        buttons: Any = made.handheld.device.buttons
        made.wait(lambda: buttons.entry == 0)
        made.press()
        assert made.scene.number == 1


def test_14_7_zen_takes_back_by_presses_and_goes_on_by_itself() -> None:
    made = person(ZEN)
    for _ in range(3):
        made.put()
    made.wait(lambda: made.cursor.level)
    made.press(2100)
    made.pick(b"TAKE BACK")
    made.press()
    made.press()
    made.wait(lambda: made.scene.state == PLAYING)
    assert made.handheld.game.lock_downs == 1
    made.put()


def test_14_8_in_a_replay_the_switch_is_a_and_held_b() -> None:
    made = at_menu()
    made.handheld.open("replay.watch", RECORDING)
    made.wait(lambda: made.scene.playing)
    made.press()
    assert not made.scene.playing
    made.press(2100)
    assert made.handheld.name == "menus.main"


def test_marathon_of_30_pieces_from_the_title_to_a_restart() -> None:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title", recorder=Recorder())
    handheld.settings.one_switch = STEP_MS
    handheld.context.save_settings()
    handheld = Handheld(store=[RamStore(handheld.banks[0].image)], first="menus.title", recorder=Recorder())
    made = Person(handheld)

    made.press()
    assert made.pick(b"MARATHON") == "menus.choose_level"
    made.press()  # level 1
    made.wait(lambda: handheld.name == "play.play" and made.scene.state == PLAYING)
    for _ in range(30):
        made.put()
    assert (handheld.game.lock_downs, handheld.game.over) == (30, 0)

    made.press(2100)
    made.pick(b"RESTART")
    made.press()  # the question
    made.wait(lambda: made.scene.state == PLAYING)
    assert handheld.game.lock_downs == 0

    while not handheld.game.over:
        made.wait(lambda: made.cursor.level or handheld.game.over)
        made.press()
    made.wait(lambda: handheld.name == "menus.over")
    assert handheld.session.placed is None
    handheld.step(100, 11)
    made.press()
    made.wait(lambda: handheld.name != "menus.over")
    assert handheld.name in ("menus.scores", "menus.main")
