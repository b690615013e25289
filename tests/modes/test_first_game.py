"""FIRST GAME (firmware/modes/README.md 21): each step waits for the player, names the buttons and can be skipped."""

from typing import Any

import pytest

from firmware.engine import controls
from firmware.engine.game import AIM_REACHED
from firmware.modes.catalogue import MARATHON
from firmware.modes.first_game import DONE, TOLD
from firmware.save import goals
from firmware.save.presets import FAST, GUIDELINE, find_preset
from firmware.scenes.play_state import PAUSED, PLAYING
from sim.desktop.computer import Computer
from sim.desktop.keyboard import Keys
from sim.reading import ReadCanvas, Reader
from tests.support.drill import CONTROLS
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B
from tools.puzzles import first_game
from tools.puzzles.text import PuzzleError

STEPS = first_game.read()
TAUGHT = 0  # the goal FIRST GAME, in the order of goals.txt
NAMES = [step.name for step in STEPS]
SECOND = 63  # frames
# What a player does in each step; a negative button is kept down for a second.
DOES: dict[str, tuple[int, ...]] = {
    "MOVE": (LEFT, RIGHT),
    "TURN": (A, B),
    "SINK": (-DOWN,),
    "DROP": (UP,),
    "GHOST": (LEFT, LEFT, LEFT, UP),
    "HOLD": (HOLD,),
    "LINE": (RIGHT, RIGHT, RIGHT, RIGHT, UP),
    "NEXT": (LEFT, LEFT, UP),
    "TETRIS": (A, RIGHT, RIGHT, RIGHT, RIGHT, UP),
    "UNDER": (B, -DOWN),
    "SPIN": (B,),
    "T-SPIN": (UP,),
}
WRONG = [name for name in NAMES if name in ("MOVE", "TURN", "GHOST", "LINE", "NEXT", "TETRIS", "UNDER", "SPIN")]


class Pupil(Handheld):
    """A handheld that has opened FIRST GAME from LEARN."""

    pictures = "first_game_"

    def __init__(self, number: int = 0, subject: object = None, **arguments: Any) -> None:
        super().__init__(store=[RamStore(), RamStore()], first="menus.main", **arguments)
        self.open("learn.first_game", subject, frames=3)
        self.begin(number)

    def begin(self, number: int) -> None:
        """Begin a step as if the ones before it were done."""
        first = number
        while STEPS[first].goes_on:
            first -= 1
        self.scene.number = first
        self.scene.begin(0, False)
        self.step(frames=3)
        for each in range(first, number):
            self.do(NAMES[each])
            self.pass_praise()

    def do(self, name: str) -> None:
        """Do what a step asks for, and see its Line Clear."""
        for button in DOES[name]:
            if button < 0:
                self.hold(-button, SECOND * 3 // 2)
            else:
                self.tap(button)
        self.step(frames=25)

    def pass_praise(self) -> None:
        assert self.scene.state == TOLD
        self.step(frames=2 * SECOND)


class TestPlayed:
    """21.1: from the first step to the last, by somebody who does what the screen asks."""

    def test_21_1_first_game_is_played_from_begin_to_end(self) -> None:
        pupil = Pupil()
        since_ms = pupil.clock.now_ms
        for number, name in enumerate(NAMES):
            assert (pupil.scene.number, pupil.scene.state) == (number, PLAYING)
            pupil.compare(f"{number + 1:02}")
            pupil.do(name)
            assert pupil.scene.state == TOLD and pupil.scene.good, name
            pupil.compare(f"{number + 1:02}_done")
            pupil.pass_praise()
        assert pupil.scene.state == DONE and pupil.clock.now_ms - since_ms < 60_000
        assert goals.has(goals.load(pupil.journal), TAUGHT)
        pupil.compare("end")
        assert pupil.follow(A, frames=3) == "play.play" and pupil.session.variant == MARATHON

    def test_21_1_the_last_step_is_a_t_spin_double(self) -> None:
        pupil = Pupil(len(NAMES) - 1)
        pupil.do("T-SPIN")
        assert pupil.game.over == AIM_REACHED and pupil.game.statistics.kinds[12] == 1

    def test_21_1_start_plays_it_again_and_b_leaves(self) -> None:
        pupil = Pupil(len(NAMES) - 1)
        pupil.do("T-SPIN")
        pupil.pass_praise()
        pupil.tap(START)
        assert (pupil.scene.number, pupil.scene.state) == (0, PLAYING)
        pupil.begin(len(NAMES) - 1)
        pupil.do("T-SPIN")
        pupil.pass_praise()
        assert pupil.follow(B) == "learn.menu" and pupil.scene.lines[pupil.scene.at] == b"FIRST GAME"

    def test_21_1_a_game_in_progress_is_not_lost(self) -> None:
        pupil = Pupil(len(NAMES) - 1)
        pupil.session.is_in_journal = True
        pupil.do("T-SPIN")
        pupil.pass_praise()
        assert pupil.follow(A) == "menus.main"


class TestSteps:
    @pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
    def test_21_2_a_step_waits_until_the_player_did_it(self, number: int) -> None:
        pupil = Pupil(number)
        pupil.step(frames=10 * SECOND)
        assert (pupil.scene.number, pupil.scene.state) == (number, PLAYING)

    @pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
    def test_21_2_half_of_a_step_is_not_enough(self, number: int) -> None:
        pupil = Pupil(number)
        for button in DOES[NAMES[number]][:-1]:
            pupil.tap(abs(button))
        pupil.step(frames=25)
        assert (pupil.scene.number, pupil.scene.state) == (number, PLAYING)

    @pytest.mark.parametrize("name", WRONG)
    def test_21_3_a_wrong_lock_down_is_told_and_taken_back(self, name: str) -> None:
        number = NAMES.index(name)
        pupil = Pupil(number)
        pupil.tap(RIGHT, UP) if name == "NEXT" else pupil.tap(UP)
        pupil.step(frames=25)
        assert pupil.scene.state == TOLD and not pupil.scene.good
        if name == "GHOST":
            pupil.compare("wrong")
        pupil.pass_praise()
        while STEPS[number].goes_on:
            number -= 1
        assert (pupil.scene.number, pupil.scene.state, pupil.game.lock_downs) == (number, PLAYING, 0)
        pupil.do(NAMES[number])
        assert pupil.scene.good

    def test_21_3_what_is_held_at_the_end_of_a_step_is_released(self) -> None:
        pupil = Pupil(NAMES.index("UNDER"))
        pupil.tap(B)
        pupil.move(DOWN, 1, frames=2 * SECOND)
        pupil.move(DOWN, 0, frames=2 * SECOND)
        assert STEPS[pupil.scene.number].name == "SPIN" and not pupil.game.pressed

    @pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
    def test_21_4_each_step_can_be_skipped(self, number: int) -> None:
        pupil = Pupil(number)
        pupil.tap(START)
        assert pupil.scene.state == PAUSED
        pupil.step()
        if not number:
            pupil.compare("pause")
        pupil.tap(RIGHT)
        after = [each for each in range(number + 1, len(STEPS)) if not STEPS[each].goes_on]
        if after:
            assert (pupil.scene.number, pupil.scene.state) == (after[0], PLAYING)
        else:
            assert pupil.scene.state == DONE
            assert not goals.has(goals.load(pupil.journal), TAUGHT), "the goal is for those who played it all"

    @pytest.mark.parametrize("button", [A, START])
    def test_21_4_the_panel_leads_back(self, button: int) -> None:
        pupil = Pupil()
        pupil.tap(START, button)
        assert (pupil.scene.number, pupil.scene.state) == (0, PLAYING)

    def test_21_4_who_is_stuck_for_twenty_seconds_reads_how_to_skip(self) -> None:
        pupil = Pupil()
        before = pupil.step()
        pupil.step(ms=1000, frames=21)
        pupil.compare("stuck")
        pupil.step(ms=1000, frames=3)
        assert pupil.step() == before

    @pytest.mark.parametrize("name", ["MOVE", "GHOST", "SPIN"])
    def test_21_4_three_mistakes_tell_how_to_skip(self, name: str) -> None:
        pupil = Pupil(NAMES.index(name))
        for mistakes in range(3):
            assert not pupil.scene.view.is_stuck, mistakes
            if pupil.scene.number < NAMES.index(name):
                pupil.do("UNDER")
                pupil.pass_praise()
            pupil.tap(RIGHT, UP)
            pupil.step(frames=25)
            assert not pupil.scene.good
            pupil.pass_praise()
        assert pupil.scene.view.is_stuck
        pupil.step(ms=1000, frames=4)
        assert not pupil.scene.view.is_stuck, "the words of the step come back"

    def test_21_4_start_skips_the_step_while_the_screen_says_so(self) -> None:
        pupil = Pupil()
        pupil.step(ms=1000, frames=21)
        pupil.tap(START)
        assert (pupil.scene.number, pupil.scene.state) == (1, PLAYING) and not pupil.scene.whole

    @pytest.mark.parametrize("way", [(START,), (START, RIGHT)])
    def test_21_4_no_step_begins_with_the_words_of_who_is_stuck(self, way: tuple[int, ...]) -> None:
        pupil = Pupil()
        pupil.clock.step_ms = 2  # a step takes time to load
        pupil.step(ms=1000, frames=21 if len(way) == 1 else 1)
        for button in way:
            pupil.press(button)
            pupil.step()
        assert (pupil.scene.number, pupil.scene.state, pupil.scene.view.is_stuck) == (1, PLAYING, False)

    def test_21_4_who_skips_the_last_step_can_begin_again(self) -> None:
        pupil = Pupil(len(NAMES) - 1)
        for _mistakes in range(3):
            pupil.begin(len(NAMES) - 3)
            pupil.tap(UP)
            pupil.pass_praise()
        assert pupil.scene.view.is_stuck
        pupil.tap(START)
        assert pupil.scene.state == DONE
        pupil.tap(START)
        assert (pupil.scene.number, pupil.scene.state) == (0, PLAYING)
        pupil.step(frames=3)
        assert not pupil.scene.view.is_stuck, "these mistakes are over"

    @pytest.mark.parametrize(
        ("name", "said"), [("MOVE", b"NOT THAT BUTTON"), ("GHOST", b"NOT THERE"), ("UNDER", b"NO DROP YET")]
    )
    def test_21_3_a_mistake_is_named(self, name: str, said: bytes) -> None:
        pupil = Pupil(NAMES.index(name))
        pupil.tap(UP)
        assert pupil.scene.view.heading == said + b"|TRY AGAIN"

    def test_21_4_presses_during_the_praise_do_nothing_but_start(self) -> None:
        pupil = Pupil()
        pupil.do("MOVE")
        pupil.tap(B, A, UP)
        assert pupil.scene.state == TOLD
        pupil.tap(START)
        assert (pupil.scene.number, pupil.scene.state) == (1, PAUSED)
        pupil.tap(A)
        assert (pupil.scene.number, pupil.scene.state) == (1, PLAYING)

    def test_21_4_start_during_the_last_praise_does_not_begin_again(self) -> None:
        pupil = Pupil(len(NAMES) - 1)
        pupil.do("T-SPIN")
        pupil.tap(START)
        assert pupil.scene.state == DONE and goals.has(goals.load(pupil.journal), TAUGHT)

    def test_21_5_the_options_make_it_no_harder(self) -> None:
        pupil = Pupil(NAMES.index("GHOST"))
        pupil.change_settings(ghost_on=0, hold_on=0, next_count=1, garbage_rows=5, invisible=1)
        pupil.begin(NAMES.index("GHOST"))
        assert pupil.scene.view.show_ghost and pupil.game.matrix.top == 2
        pupil.begin(NAMES.index("HOLD"))
        pupil.do("HOLD")
        assert pupil.scene.good


class TestButtons:
    """21.6: the very button, whatever the player has chosen."""

    def test_21_6_the_handheld_names_its_buttons(self) -> None:
        assert Pupil().scene.names == [b"LEFT", b"RIGHT", b"DOWN", b"UP", b"A", b"B", b"C", b"START"]

    def test_21_6_chosen_buttons_and_chords_are_named(self) -> None:
        pupil = Pupil()
        pupil.settings.buttons = bytes((1, 2, 4, 8, 1 << B, 1 << A, 1 << A | 1 << B, 128))
        pupil.context.apply_settings()
        pupil.open("learn.first_game", frames=3)
        assert pupil.scene.names[A : HOLD + 1] == [b"B", b"A", b"A+B"]

    def test_21_6_a_window_names_its_keys(self) -> None:
        pupil = Pupil()
        pupil.device.machine = Computer(keys=Keys())
        pupil.open("learn.first_game", frames=3)
        machine: Any = pupil.device.machine
        assert pupil.scene.names == [machine.keys.prompt(0, control) for control in range(8)]
        assert all(pupil.scene.names) and pupil.scene.names[LEFT] == b"<"
        pupil.compare("keys")

    def test_21_6_one_switch_is_named(self) -> None:
        pupil = Pupil()
        pupil.settings.one_switch = 1
        pupil.open("learn.first_game", frames=3)
        assert set(pupil.scene.names) == {b"1 KEY"}

    def test_21_6_long_names_are_cut_to_the_room(self) -> None:
        pupil = Pupil()
        pupil.scene.names[:] = [b"LONGKEYNAME"] * 8
        for number in range(len(NAMES)):
            pupil.begin(number)  # a text beyond the screen raises


class TestWords:
    @pytest.mark.parametrize("step", STEPS, ids=NAMES)
    def test_21_7_the_reader_tells_each_step_and_its_buttons(self, step: first_game.Lesson) -> None:
        pupil = Pupil(NAMES.index(step.name), canvas=ReadCanvas())
        canvas: Any = pupil.canvas
        reader = Reader(canvas)
        for _ in range(3):
            told = reader.read(pupil.scene, 0)
            if told:
                break
        buttons = [pupil.scene.names[control].decode().lower() for control in step.controls]
        for word in [*" ".join(step.words[:2]).replace(">", "").split(), *buttons]:
            assert word.lower().rstrip(",:?") in told.lower(), told

    def test_21_7_the_reader_tells_the_praise(self) -> None:
        pupil = Pupil(NAMES.index("TETRIS"), canvas=ReadCanvas())
        canvas: Any = pupil.canvas
        reader = Reader(canvas)
        for _ in range(2):
            reader.read(pupil.scene, 0)
        pupil.do("TETRIS")
        reader.read(pupil.scene, 6)
        assert reader.read(pupil.scene, 6).startswith("4 rows: A tetris")


class TestOffer:
    """21.8: the first start offers it beside the handling, LEARN later."""

    @pytest.mark.parametrize(
        ("button", "name", "preset"), [(A, "menus.main", FAST), (B, "learn.first_game", GUIDELINE)]
    )
    def test_21_8_the_first_start_offers_it(self, button: int, name: str, preset: int) -> None:
        handheld = Handheld(store=[RamStore(), RamStore()], first="menus.title")
        assert handheld.follow(A) == "setup.handling" and handheld.follow(button, frames=3) == name
        assert find_preset(handheld.settings) == preset and handheld.settings.ready

    def test_21_8_from_the_first_start_b_leads_to_the_main_menu(self) -> None:
        pupil = Pupil(subject="menus.main")
        assert pupil.follow(START, B, frames=2) == "menus.main"

    def test_21_8_learn_offers_it(self) -> None:
        handheld = Handheld(store=[RamStore()], first="learn.menu")
        handheld.go_down_to(b"FIRST GAME")
        assert handheld.follow(A, frames=2) == "learn.first_game"


class TestFile:
    def test_21_9_the_file_is_made_of_the_text(self) -> None:
        assert first_game.TARGET.read_bytes() == first_game.pack_all(STEPS)

    @pytest.mark.parametrize(
        ("fields", "problem"),
        [
            ({}, "no until"),
            ({"until": "soon"}, "until is one of"),
            ({"until": "pressed", "press": "left up"}, "the controls are"),
            ({"until": "pressed", "press": "left", "words": "ONE", "praise": "GOOD"}, "words are two lines"),
            ({"until": "there", "press": "hard", "place": "TX1"}, "is no place"),
        ],
    )
    def test_21_9_a_wrong_step_is_refused_in_one_line(self, fields: dict[str, str], problem: str) -> None:
        with pytest.raises(PuzzleError, match=problem):
            first_game.pack(first_game.Lesson("X", {"queue": "T", **fields}, ()))

    def test_21_9_a_place_that_cannot_be_reached_is_refused(self) -> None:
        step = STEPS[NAMES.index("TETRIS")]
        wrong = first_game.Lesson("X", {**step.fields, "place": "IE0,0"}, step.rows)
        with pytest.raises(PuzzleError, match="cannot get there"):
            first_game.pack_all([wrong])

    def test_21_9_each_control_of_the_text_has_its_number(self) -> None:
        assert [CONTROLS[name] for name in first_game.CONTROLS] == list(range(controls.PAUSE))
