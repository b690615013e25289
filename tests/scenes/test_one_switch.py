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
from firmware.players.reachable import COLUMN, GROUP, OFFSET
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.play_state import PAUSED, PLAYING
from sim.bots.places import cells_of
from tests.support.drill import state
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Buttons, Handheld
from tests.support.handhelds.lesson import unpack_step
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
HOLD_ENTRY = 4  # after the four facings


class Person:
    """Press one button of a handheld when the wanted entry is lit."""

    def __init__(self, handheld: Handheld) -> None:
        self.handheld = handheld
        handheld.settings.ready = 1
        if not handheld.settings.one_switch:
            handheld.open("options.access", frames=2)
            handheld.scene.set("one_switch", STEP_MS)
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

    def wait_for_entry(self, entry: int) -> None:
        """Wait until an entry of a panel is lit."""
        buttons: Any = self.handheld.device.buttons
        self.wait(lambda: buttons.entry == entry)

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


def begin(variant: int = MARATHON, **settings: int) -> Person:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title", recorder=Recorder())
    person = Person(handheld)
    handheld.change_settings(**settings)
    handheld.session.variant = handheld.settings.variant = variant
    handheld.session.counts_down = False
    handheld.open("play", frames=4)
    return person


def visit(name: str = "menus.main", subject: object = None) -> Person:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    person = Person(handheld)
    handheld.open(name, subject, frames=3)
    return person


class TestSwitch:
    def test_a_menu_that_goes_is_freed_before_the_next_scene_is_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A match's entrance asks how much memory is left."""
        person = visit()
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
        person = visit()
        person.handheld.hold(button, 5)
        person.handheld.step(FRAME_MS, 2)
        assert person.handheld.name == "menus.choose_level"

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
        person = visit("options.access")
        for _ in range(3):
            person.pick(b"1 KEY")
        person.handheld.step()
        assert not person.handheld.settings.one_switch and isinstance(person.handheld.device.buttons, Buttons)

    def test_14_1_the_button_picks_when_it_goes_up(self) -> None:
        person = visit()
        person.handheld.move(SWITCH, 1, frames=5)
        assert person.handheld.name == "menus.main"
        person.handheld.move(SWITCH, 0, frames=2)
        assert person.handheld.name == "menus.choose_level"

    def test_14_1_the_cursor_stands_still_while_the_button_is_down(self) -> None:
        person = visit()
        person.handheld.move(SWITCH, 1, frames=1900 // FRAME_MS)
        assert person.scene.at == 0

    @pytest.mark.parametrize(("rest_ms", "counts"), [(140, False), (160, True)])
    def test_14_1_a_press_right_after_a_release_is_ignored(self, rest_ms: int, counts: bool) -> None:
        person = visit("options.access")
        person.wait(lambda: person.scene.at == 0)
        now_ms = person.handheld.clock.now_ms
        edges = [(1, 0), (0, 50), (1, 50 + rest_ms), (0, 100 + rest_ms)]
        for pressed, ms in edges:
            person.handheld.buttons.edges.append((SWITCH, pressed, now_ms + ms))
            person.handheld.clock.now_ms = now_ms + ms
            person.handheld.step(0)
        person.handheld.step(0, 2)
        assert person.handheld.settings.slow == 1 + counts

    def test_14_1_held_for_two_seconds_it_is_b(self) -> None:
        person = visit("options.access")
        person.press(2100)
        assert person.handheld.name == "options.options"

    @pytest.mark.parametrize("variant", [MARATHON, ZEN, DIG])
    def test_14_1_held_for_two_seconds_in_play_it_is_start(self, variant: int) -> None:
        person = begin(variant)
        person.press(2100)
        assert person.scene.state == PAUSED and person.pick(b"RESUME") == person.handheld.name
        person.wait(lambda: person.scene.state == PLAYING)

    def test_14_1_a_press_that_wakes_the_screen_does_nothing_else(self) -> None:
        person = visit()
        person.handheld.settings.sleep_s = 30
        person.handheld.step(500, 80)
        assert person.handheld.context.idling.asleep
        person.press()
        assert not person.handheld.context.idling.asleep and person.handheld.name == "menus.main"


class TestMenus:
    def test_14_2_the_cursor_steps_through_the_lines_and_back(self) -> None:
        person = visit()
        seen = [person.scene.at]
        for _ in range(12 * STEP_MS // FRAME_MS):
            person.handheld.step(FRAME_MS)
            if person.scene.at != seen[-1]:
                seen.append(person.scene.at)
        count = len(person.scene.lines)
        assert seen == ([*range(count), -1] * 2)[: len(seen)] and len(seen) > count + 1

    def test_14_2_a_step_takes_as_long_as_set(self) -> None:
        person = visit()
        person.wait(lambda: person.scene.at == 1)
        person.handheld.step(1, STEP_MS - 1)
        assert person.scene.at == 1
        person.handheld.step(1, 2)
        assert person.scene.at == 2

    def test_14_2_back_is_shown_in_the_heading(self) -> None:
        person = visit()
        person.wait(lambda: person.scene.at == -1)
        person.handheld.step()
        person.handheld.compare("switch_back")
        assert person.pick(b"BACK") == "menus.title"

    def test_14_2_after_back_the_menu_is_whole_again(self) -> None:
        person = visit()
        before = bytes(person.handheld.picture())
        person.wait(lambda: person.scene.at == -1)
        person.wait(lambda: person.scene.at == 0)
        assert person.handheld.step(0) == before

    def test_14_2_a_setting_takes_its_next_value(self) -> None:
        person = visit("options.access")
        person.pick(b"SPEED")
        assert (person.handheld.settings.slow, person.handheld.name) == (1, "options.access")

    def test_14_2_after_three_rounds_the_cursor_rests(self) -> None:
        person = visit()
        person.handheld.step(100, 3 * 9 * STEP_MS // 100 + 20)
        assert person.scene.at == 0
        person.handheld.step(100, 50)
        assert person.scene.at == 0
        person.press()
        assert person.handheld.name == "menus.main"
        person.wait(lambda: person.scene.at == 1)

    def test_14_2_a_question_waits_for_two_steps(self) -> None:
        person = visit("options.device")
        person.pick(b"RESET ALL")
        person.handheld.step(FRAME_MS, STEP_MS // FRAME_MS)
        assert person.scene.asked
        person.press()
        assert not person.handheld.settings.one_switch

    def test_14_2_a_forgotten_question_is_gone(self) -> None:
        person = visit("options.device")
        person.pick(b"RESET ALL")
        person.wait(lambda: person.scene.at == -1)
        assert not person.scene.asked

    def test_14_2_pages_offer_a_and_b_and_turn_by_themselves(self) -> None:
        person = visit("menus.lifetime_statistics")
        person.handheld.step(FRAME_MS, 2)
        person.handheld.compare("switch_page")
        page = person.scene.at
        person.wait(lambda: person.scene.at != page)
        person.handheld.step(FRAME_MS, STEP_MS // FRAME_MS + 2)
        person.press()
        assert person.handheld.name != "menus.lifetime_statistics"

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
        assert begin(variant).handheld.game.options.slow == STILL

    def test_14_3_other_modes_begin_as_ever(self) -> None:
        assert begin(DIG).handheld.game.options.slow == 0

    def test_14_3_facings_come_first_and_then_hold(self) -> None:
        person = begin()
        person.wait(lambda: person.cursor.level)
        seen: list[int] = []
        while len(seen) < 4:
            if not seen or person.cursor.entry != seen[-1]:
                seen.append(person.cursor.entry)
            person.handheld.step(FRAME_MS)
        assert (person.handheld.game.piece, seen) == (1, [0, 1, HOLD_ENTRY, 0])  # I

    def test_14_3_picked_hold_holds(self) -> None:
        person = begin()
        piece = person.handheld.game.piece
        person.wait(lambda: person.cursor.entry == HOLD_ENTRY)
        person.handheld.step()
        person.handheld.compare("switch_hold")
        person.press()
        assert person.handheld.game.hold == piece

    def test_14_3_hold_is_lit_above_large_cells_too(self) -> None:
        person = begin(ZEN, large_cells=1)
        person.wait(lambda: person.cursor.entry == HOLD_ENTRY)
        person.handheld.step()
        person.handheld.compare("switch_hold_large")

    def test_14_3_columns_come_from_left_to_right(self) -> None:
        person = begin()
        person.wait(lambda: person.cursor.level)
        person.handheld.step()
        person.handheld.compare("switch_facing")
        person.press()
        seen: list[int] = []
        while len(seen) < 7:
            key = person.cursor.reach.keys[person.cursor.place]
            if key not in seen:
                seen.append(key)
            person.handheld.step(FRAME_MS)
        person.handheld.compare("switch_column")
        assert seen == sorted(seen) and [key >> COLUMN & 15 for key in seen] == list(range(7))

    def test_14_3_a_picked_place_gets_the_tetrimino(self) -> None:
        person = begin()
        person.wait(lambda: person.cursor.level)
        person.put(person.cursor.reach.find((1 << GROUP) + (9 << COLUMN), 2 << GROUP))
        assert [row[9] for row in person.handheld.game.matrix.rows[:5]] == [1, 1, 1, 1, 0]

    def test_14_5_two_rounds_of_columns_lead_back(self) -> None:
        person = begin()
        person.wait(lambda: person.cursor.level)
        person.press()
        assert person.cursor.level == COLUMNS
        person.handheld.step(FRAME_MS, (2 * 7 - 1) * STEP_MS // FRAME_MS)
        assert person.cursor.level == COLUMNS
        person.handheld.step(FRAME_MS, 2 * STEP_MS // FRAME_MS)
        assert person.cursor.level == FACING

    def test_14_5_three_rounds_of_facings_open_the_pause(self) -> None:
        person = begin()
        person.wait(lambda: person.cursor.level)
        person.handheld.step(FRAME_MS, (3 * 3 - 1) * STEP_MS // FRAME_MS)
        assert person.scene.state == PLAYING
        person.handheld.step(FRAME_MS, 3 * STEP_MS // FRAME_MS)
        assert person.scene.state == PAUSED

    def test_14_5_after_the_pause_the_search_begins_again(self) -> None:
        person = begin()
        person.press(2100)
        person.pick(b"RESUME")
        person.put()
        assert person.handheld.game.lock_downs == 1

    def test_14_6_a_recording_holds_the_presses(self) -> None:
        person = begin()
        for _ in range(8):
            person.put()
        game = person.handheld.game
        recorder: Any = person.handheld.session.recorder
        recording = Recording(recorder.recorded(person.scene.played_ms))
        replayed = recording.game(make_mode(MARATHON))
        replayed.start(0)
        Player(recording, replayed).advance(person.scene.played_ms)
        assert state(replayed) == state(game)


def find_cells(piece: int, landing: int) -> frozenset[tuple[int, int]]:
    """Return the cells in which a Tetrimino lands, from the place that the search packs into a number."""
    return cells_of(piece, landing >> 9, (landing >> 5 & 15) - OFFSET, (landing & 31) - OFFSET)


class TestPuzzles:
    def follow(self, person: Person) -> None:
        while person.scene.state == PLAYING:
            person.wait(lambda: person.cursor.level)
            game = person.handheld.game
            reach = person.cursor.reach
            step = unpack_step(game.mode.step(game))
            if game.piece != step.piece:
                person.wait(lambda: person.cursor.entry == HOLD_ENTRY)
                person.press()
                continue
            places = [find_cells(step.piece, landing) for landing in reach.landings[: reach.count]]
            person.put(places.index(cells_of(*step)))
            person.handheld.step(FRAME_MS, 40)

    @pytest.mark.parametrize(
        "number",
        [pytest.param(i, marks=[pytest.mark.long] * (i not in (0, 9, 20, 44))) for i in range(puzzle_file.count())],
    )
    def test_14_4_every_solution_can_be_played(self, number: int) -> None:
        person = visit("learn.puzzle_play", number)
        self.follow(person)
        assert person.scene.state == SOLVED

    def test_14_7_the_panel_has_a_cursor(self) -> None:
        person = visit("learn.puzzle_play", 0)
        person.press(2100)
        person.wait(lambda: person.scene.state == PAUSED)
        person.handheld.step(FRAME_MS, 2)
        person.handheld.compare("switch_panel")
        person.wait_for_entry(3)
        person.press()
        assert person.handheld.name == "learn.puzzle_menu"

    def test_14_7_an_all_clear_task_can_be_skipped(self) -> None:
        person = visit("learn.all_clear_play", 0)
        task = person.scene.task
        person.press(2100)
        person.wait(lambda: person.scene.state == PAUSED)
        person.wait_for_entry(2)
        person.handheld.compare("switch_skip")
        person.press()
        assert person.scene.task != task

    def test_14_7_a_barred_bag_can_be_exchanged(self) -> None:
        person = visit("learn.opener_play", 64)
        while person.scene.state != BARRED:
            person.handheld.open("learn.opener_play", 64, frames=3)
        order = person.scene.order
        person.wait_for_entry(1)
        person.handheld.step(FRAME_MS, 2)
        person.handheld.compare("switch_barred")
        person.press()
        assert person.scene.order != order

    def test_14_7_a_solved_puzzle_leads_to_the_next_one(self) -> None:
        person = visit("learn.puzzle_play", 0)
        self.follow(person)
        person.handheld.step(FRAME_MS, 65)
        person.wait_for_entry(0)
        person.press()
        assert person.scene.number == 1


def test_14_7_zen_takes_back_by_presses_and_goes_on_by_itself() -> None:
    person = begin(ZEN)
    for _ in range(3):
        person.put()
    person.wait(lambda: person.cursor.level)
    person.press(2100)
    person.pick(b"TAKE BACK")
    person.press()
    person.press()
    person.wait(lambda: person.scene.state == PLAYING)
    assert person.handheld.game.lock_downs == 1
    person.put()


def test_14_8_in_a_replay_the_switch_is_a_and_held_b() -> None:
    person = visit()
    person.handheld.open("replay.watch", RECORDING)
    person.wait(lambda: person.scene.playing)
    person.press()
    assert not person.scene.playing
    person.press(2100)
    assert person.handheld.name == "menus.main"


def test_marathon_of_30_pieces_from_the_title_to_a_restart() -> None:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title", recorder=Recorder())
    handheld.settings.one_switch = STEP_MS
    handheld.context.save_settings()
    handheld = Handheld(store=[RamStore(handheld.banks[0].image)], first="menus.title", recorder=Recorder())
    person = Person(handheld)

    person.press()
    assert person.pick(b"MARATHON") == "menus.choose_level"
    person.press()  # level 1
    person.wait(lambda: handheld.name == "play.play" and person.scene.state == PLAYING)
    for _ in range(30):
        person.put()
    assert (handheld.game.lock_downs, handheld.game.over) == (30, 0)

    person.press(2100)
    person.pick(b"RESTART")
    person.press()  # the question
    person.wait(lambda: person.scene.state == PLAYING)
    assert handheld.game.lock_downs == 0

    while not handheld.game.over:
        person.wait(lambda: person.cursor.level or handheld.game.over)
        person.press()
    person.wait(lambda: handheld.name == "menus.over")
    assert handheld.session.placed is None
    handheld.step(100, 11)
    person.press()
    person.wait(lambda: handheld.name != "menus.over")
    assert handheld.name in ("menus.scores", "menus.main")
