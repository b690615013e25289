"""The longest chain of calls of any scene: a board's stack is small."""

import sys
from pathlib import Path
from types import FunctionType

import pytest

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import FINESSE, MARATHON, ZEN, make_mode
from firmware.modes.slow import STILL
from firmware.save import match_choices
from firmware.save.recorder import Recorder
from firmware.save.recordings.match_recording import MatchRecording
from firmware.scenes.play_state import PAUSED
from tests.support.call_depth import DEEPEST_OF_A_MATCH, DEEPEST_OF_A_MENU, Depth, is_short
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.walker import KITS, Walker
from tests.support.recorded import NAMES, read

QUICK = ("fast", "standard")
PRESSED = (
    *(controls.LEFT, controls.RIGHT, controls.ROTATE_CW, controls.HARD_DROP, controls.ROTATE_CCW, controls.HARD_DROP),
    *(controls.HOLD, controls.SOFT_DROP, controls.PAUSE),
)
MATCHES = Path(__file__).parents[1] / "matches"
SCENES = {
    "menus": ("legal", "title", "main", "more_modes", "choose_level", "score_list", "scores"),
    "options": ("options", "game_rules", "handling", "sound", "display", "controls", "device", "facts"),
    "setup": ("buttons", "upright", "speed", "loudness"),
    "help": ("help",),
}


def make_handheld(first: str, recorder: Recorder | None = None) -> Handheld:
    return Handheld(first=first, recorder=recorder or Recorder(), store=[RamStore(), RamStore()])


class DeepWalker(Walker):
    """A Walker that counts nested calls in each frame."""

    depth: Depth | None = None

    def advance(self) -> None:
        if self.depth:
            self.depth.of(self, 1, mash=False)
        else:
            super().advance()


def open_pause(first: str) -> Handheld:
    """Return a handheld in the pause of a game or a match that continues without a countdown."""
    handheld = make_handheld(first, Recorder(1 << 20))
    handheld.session.counts_down = False
    handheld.open(first, frames=2)
    handheld.tap(controls.PAUSE)
    assert handheld.scene.state == PAUSED
    return handheld


def play_and_pause(depth: Depth, handheld: Handheld) -> None:
    depth.of(handheld, 150)
    for _ in range(2):
        handheld.press(controls.PAUSE)
        depth.of(handheld, 5, mash=False)


class TestCallDepth:
    @pytest.mark.parametrize("name", [f"{room}.{name}" for room, names in SCENES.items() for name in names])
    def test_menu_scenes_keep_the_call_depth(self, name: str) -> None:
        chain = Depth().of(make_handheld(name), 50)
        assert is_short(chain), chain

    @pytest.mark.parametrize(
        ("first", "name", "frames", "ms", "mash"),
        [
            *(
                pytest.param("play", name, 1000, 33, False, marks=[pytest.mark.long] * (name not in QUICK))
                for name in NAMES
            ),
            ("replay.watch", "fast", 300, 16, True),
            ("menus.title", "", 900, 16, False),  # the game that the title shows
        ],
    )
    def test_playing_or_watching_a_recording_keeps_the_call_depth(
        self, first: str, name: str, frames: int, ms: int, mash
    ) -> None:
        chain = Depth().of(Handheld(first=first, recording=read(name) if name else None), frames, ms, mash)
        assert is_short(chain), chain

    def test_play_with_chords_pauses_and_saves_keeps_the_call_depth(self) -> None:
        handheld = make_handheld("play")
        handheld.settings.buttons[controls.HOLD] = 3 << controls.ROTATE_CW
        handheld.context.apply_settings()
        depth = Depth()
        for _ in range(3):
            play_and_pause(depth, handheld)
        assert is_short(depth.longest), depth.longest

    @pytest.mark.parametrize("first", ["play", "match.play"])
    @pytest.mark.parametrize("button", [controls.ROTATE_CW, controls.ROTATE_CCW, controls.PAUSE])
    def test_a_press_that_ends_a_pause_keeps_the_call_depth(self, first: str, button: int) -> None:
        handheld = open_pause(first)
        depth = Depth()
        handheld.press(button)
        depth.of(handheld, 3, mash=False)
        assert handheld.scene.is_playing() and is_short(depth.longest), depth.longest

    @pytest.mark.parametrize("first", ["play", "match.play"])
    def test_each_line_of_a_pause_keeps_the_call_depth_of_a_menu(self, first: str) -> None:
        """Each line is chosen twice, because some ask first."""
        depth = Depth()
        left = set()
        for line in range(len(open_pause(first).scene.cover.lines)):
            handheld = open_pause(first)
            handheld.tap(*[controls.SOFT_DROP] * line)
            for _ in range(2):
                handheld.press(controls.ROTATE_CW)
                depth.of(handheld, 4, mash=False)
            left.add(handheld.name)
        assert len(left) > 1 and len(depth.longest) <= DEEPEST_OF_A_MENU, depth.longest

    @pytest.mark.parametrize(("presses", "counts_down"), [(40, False), pytest.param(400, True, marks=pytest.mark.long)])
    @pytest.mark.parametrize("name", KITS)
    def test_a_random_walk_keeps_the_call_depth_of_a_menu(self, name: str, presses: int, counts_down: bool) -> None:
        walker = DeepWalker(KITS[name], 1)
        walker.session.counts_down = counts_down
        walker.depth = Depth()
        for _ in range(presses):
            chosen = walker.choose_presses()
            walker.run(chosen, max(press.up for press in chosen) + 5)
        assert len(walker.depth.longest) <= DEEPEST_OF_A_MENU, walker.depth.longest

    def test_a_review_and_its_moments_keep_the_call_depth(self) -> None:
        handheld = make_handheld("menus.legal")
        depth = Depth()
        handheld.go("review.review", read("lost").blob)
        depth.of(handheld, 4, mash=False)
        assert handheld.name == "review.moments"
        for _ in range(2):
            handheld.press(controls.RIGHT)
            depth.of(handheld, 60, mash=False)
        handheld.press(controls.ROTATE_CW)
        depth.of(handheld, 4, mash=False)
        assert handheld.name == "replay.practise" and is_short(depth.longest), depth.longest

    @pytest.mark.parametrize("name", ["learn.all_clear_play", "learn.first_game", "learn.puzzle_play"])
    def test_a_lesson_after_a_game_with_blocks_keeps_the_call_depth(self, name: str) -> None:
        handheld = make_handheld("menus.legal")
        handheld.settings.garbage_rows = 5
        handheld.go(name, 0)
        depth = Depth()
        depth.of(handheld, 4, mash=False)
        assert handheld.name == name and is_short(depth.longest), depth.longest

    @pytest.mark.parametrize("players", [2, pytest.param(3, marks=pytest.mark.long), 4])
    def test_a_match_with_practice_and_pauses_keeps_the_call_depth(self, players: int) -> None:
        handheld = make_handheld("menus.title", Recorder(1 << 20))
        chosen = match_choices.unpack(0)
        chosen[match_choices.OPPONENTS] = players - 2
        chosen[match_choices.LEVELS] = chosen[match_choices.LEVELS + 1] = 4
        handheld.settings.versus = match_choices.pack(chosen)
        handheld.go("match.play")
        depth = Depth()
        depth.of(handheld, 3, mash=False)
        match = handheld.scene.match
        while not match.over and match.time_ms < 15_000:
            play_and_pause(depth, handheld)
        assert match.seats[1].game.lock_downs > 5 and is_short(depth.longest), depth.longest

    def test_watching_a_match_keeps_its_call_depth(self) -> None:
        recording = MatchRecording((MATCHES / "three.sky").read_bytes())
        handheld = Handheld(first="match.watch", recording=recording)
        depth = Depth()
        depth.of(handheld, 600, 33, mash=False)
        for button in (controls.RIGHT, controls.LEFT, controls.LEFT):
            handheld.press(button)
            depth.of(handheld, 60, 33, mash=False)
        assert len(depth.longest) <= DEEPEST_OF_A_MATCH, depth.longest

    def test_power_on_with_a_suspended_game_keeps_the_call_depth(self) -> None:
        banks = [RamStore(), RamStore()]
        before = Handheld(store=banks)
        before.tap(controls.PAUSE)
        depth = Depth()
        sys.setprofile(depth.see)
        try:
            restarted = Handheld(store=banks)
        finally:
            sys.setprofile(None)
        assert restarted.session.has_game()
        assert is_short(depth.longest), depth.longest

    @pytest.mark.parametrize("variant", [MARATHON, ZEN])
    @pytest.mark.parametrize(("slow", "step_ms"), [(3, 0), (STILL, 0), (0, 100)])
    def test_slow_play_and_one_switch_keep_the_call_depth(self, variant: int, slow: int, step_ms: int) -> None:
        handheld = make_handheld("options.access")
        handheld.settings.slow, handheld.settings.one_switch = slow, step_ms
        handheld.scene.back()
        handheld.session.variant = variant
        handheld.session.counts_down = False
        handheld.open("play")
        assert handheld.game.options.slow == (STILL if step_ms else slow)
        depth = Depth()
        for _ in range(3):
            chain = depth.of(handheld, 150, 33)
        assert is_short(chain), chain

    def test_a_chain_that_is_too_long_is_found(self) -> None:
        """A scene whose draw() calls itself 15 times."""
        handheld = Handheld()

        def dive(depth: int) -> None:
            if depth:
                dive(depth - 1)

        code = dive.__code__.replace(co_filename="/firmware/dive.py")
        dive = FunctionType(code, {}, "dive", None, dive.__closure__)
        handheld.scene.draw = lambda: dive(15)
        assert not is_short(Depth().of(handheld, 2, mash=False))

    @pytest.mark.parametrize(
        ("first", "variant", "opened"),
        [
            ("play", ZEN, "play.zen"),
            ("play", FINESSE, "learn.finesse"),
            ("replay.practise", MARATHON, "replay.practise"),
        ],
    )
    def test_rewind_finesse_trainer_and_practise_keep_the_call_depth(
        self, first: str, variant: int, opened: str
    ) -> None:
        handheld = make_handheld("menus.legal")
        handheld.session.variant = variant
        handheld.session.counts_down = False
        game = Game(1, Options(), make_mode(variant))
        game.advance(0)
        handheld.go(first, game if first == "replay.practise" else None)
        depth = Depth()
        depth.of(handheld, 60, mash=False)
        assert handheld.name == opened
        for _ in range(4):
            depth.of(handheld, 60, mash=False)
            if handheld.name != opened:
                break  # the game is over
            if not handheld.scene.is_playing():
                handheld.tap(controls.SOFT_DROP, controls.ROTATE_CW)
            for _ in range(40):
                step = handheld.clock.now_ms // 16
                handheld.press(PRESSED[step * 7 % len(PRESSED)], 40)
                depth.of(handheld, 8, mash=False)
        assert is_short(depth.longest), depth.longest
