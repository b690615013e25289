"""Watching a recording: playing, stepping both ways, and playing on from it, also without a recorder."""

from types import SimpleNamespace
from typing import Any

import pytest

from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.modes.slow import STILL
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.save.recordings.recording_timeline import Timeline
from tests.support.drill import state
from tests.support.handhelds.handheld import Clock, Handheld
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B
from tests.support.kept import start_game
from tests.support.needs import needs_wasm
from tests.support.recorded import NAMES, RECORDINGS, edges_of, read
from tools.measure import scripts

STATUS = slice(9 * 8, 24 * 8)  # the pixel rows of the status line, the time and the Hold Queue
REST = slice(25 * 8, 128 * 8)


class Watcher(Handheld):
    def __init__(self, name: str, recorder: Recorder | None = None, slow: bool = False) -> None:
        super().__init__(recorder=recorder)
        self.requests: list[tuple[str, Any]] = []
        self.go("replay.watch", (RECORDINGS / f"{name}.sky").read_bytes())
        if slow:
            self.clock = Clock(self.clock.now_ms, 5)
            self.context.clock = self.device.clock = self.clock
        self.step()
        self.router.go = self.ask  # type: ignore[method-assign]
        if not slow:
            self.step()

    def ask(self, name: str, subject: object = None, keeps: str = "") -> None:
        self.requests.append((name, subject))

    @property
    def line(self) -> Timeline:
        return self.scene.line

    @property
    def game(self):
        return self.line.game

    def tap(self, *buttons: int) -> None:
        """Press one button after another, then run one more frame."""
        super().tap(*buttons)
        self.step()

    def seen_after(self, button: int) -> bytes:
        self.tap(button)
        return self.picture()

    def after(self, ms: int, frames: int) -> "Watcher":
        self.step(ms, frames)
        return self

    def settle(self) -> None:
        """Run frames until the target is simulated."""
        while self.line.reading or self.line.seeking:
            self.step(0)

    def stop(self) -> "Watcher":
        """Step back to the beginning and stop there."""
        self.tap(LEFT)
        while self.game.time_ms:
            self.tap(LEFT)
        return self


def game_at(name: str, time_ms: int):
    """Return the recorded game at a time, played by the engine alone."""
    recording = read(name)
    game = recording.game(make_mode(recording.variant))
    Player(recording, game).advance(time_ms)
    return game


class TestPlaying:
    def test_watch_plays_the_recorded_game_at_its_own_speed(self) -> None:
        watcher = Watcher("fast").after(16, 500)
        assert watcher.game.time_ms == 8000 and state(watcher.game) == state(game_at("fast", 8000))

    def test_picture_equals_that_of_play_below_the_status_line(self) -> None:
        watcher = Watcher("marathon")
        player = Handheld(recording=read("marathon"))
        watcher.step(16, 700)
        player.step(0)
        while player.game.time_ms < 700 * 16:
            player.step()
        assert watcher.picture()[REST] == player.picture()[REST]

    @pytest.mark.no_cover
    @pytest.mark.parametrize(
        ("presses", "speed"),
        [((), 1), ((UP,), 2), ((UP,) * 2, 4), ((UP,) * 3, 8), ((UP,) * 5, 8), ((UP, DOWN, DOWN), 1)],
    )
    def test_up_plays_up_to_eight_times_faster_and_down_slower(self, presses: tuple[int, ...], speed: int) -> None:
        watcher = Watcher("fast")
        for button in presses:
            watcher.press(button)
            watcher.step(0)
        watcher.step(16, 100)
        assert watcher.game.time_ms == 1600 * speed

    def test_a_stops_and_continues_the_recording(self) -> None:
        watcher = Watcher("fast").after(16, 200)
        watcher.press(A)
        stopped = watcher.step()
        assert watcher.step(16, 100) == stopped
        watcher.press(A)
        watcher.step(16, 50)
        assert watcher.game.time_ms == 250 * 16

    def test_watch_stops_at_the_end_and_a_restarts_it(self) -> None:
        watcher = Watcher("lost").after(1000, 40)
        assert watcher.game.over
        end = watcher.picture()
        assert watcher.step(16, 50) == end
        watcher.tap(A)
        watcher.step(16, 10)
        assert 0 < watcher.game.time_ms < 500

    def test_sounds_follow_the_game(self) -> None:
        watcher = Watcher("fast")
        assert any(watcher.step() and watcher.buzzer.hz for _ in range(200))


@pytest.mark.no_cover
class TestStepping:
    @pytest.mark.parametrize("name", NAMES)
    def test_right_goes_from_lock_down_to_lock_down_and_then_to_the_end(self, name: str) -> None:
        watcher = Watcher(name).stop()
        total = watcher.line.total
        for number in range(1, total + 1):
            watcher.tap(RIGHT)
            assert watcher.game.lock_downs == number
        watcher.tap(RIGHT)
        assert state(watcher.game) == state(game_at(name, 10_000_000))
        last = watcher.picture()
        assert watcher.seen_after(RIGHT) == last

    def test_a_step_ends_at_the_first_millisecond_of_the_lock_down(self) -> None:
        watcher = Watcher("lost").stop()
        for number in range(1, 12):
            watcher.tap(RIGHT)
            assert game_at("lost", watcher.game.time_ms - 1).lock_downs == number - 1
            assert state(watcher.game) == state(game_at("lost", watcher.game.time_ms))

    @pytest.mark.parametrize(
        ("name", "count"), [("lost", 31), ("fast", 40), ("marathon", 30), ("sprint", 25), ("standard", 25)]
    )
    def test_steps_back_give_the_same_pictures_as_steps_forward(self, name: str, count: int) -> None:
        watcher = Watcher(name).stop()
        forward = [watcher.seen_after(RIGHT) for _ in range(count)]
        back = [watcher.seen_after(LEFT) for _ in range(count - 1)]
        assert back == forward[-2::-1] and len(set(forward)) == count

    def test_left_leads_to_earlier_lock_downs_and_to_the_beginning(self) -> None:
        watcher = Watcher("fast")
        beginning = watcher.stop().picture()
        watcher.tap(A)
        while watcher.game.lock_downs < 2:
            watcher.step()
        watcher.step(16, 10)
        for number in (2, 1):
            watcher.tap(LEFT)
            assert watcher.game.time_ms == watcher.line.times[number]
        for _ in range(2):
            assert watcher.seen_after(LEFT) == beginning

    def test_a_step_stops_the_game(self) -> None:
        watcher = Watcher("fast").after(16, 100)
        stopped = watcher.seen_after(RIGHT)
        assert watcher.step(16, 100) == stopped

    def test_a_held_direction_repeats(self) -> None:
        watcher = Watcher("fast").stop()
        now_ms = watcher.clock.now_ms
        watcher.buttons.edges.append((RIGHT, 1, now_ms))
        watcher.step(16, 62)  # 350 ms, then every 110: six more
        watcher.buttons.edges.append((RIGHT, 0, now_ms + 992))
        watcher.step(16, 50)
        assert watcher.game.lock_downs == 7

    def test_presses_in_a_row_add_up(self) -> None:
        watcher = Watcher("fast").stop()
        for button in (RIGHT,) * 9 + (LEFT,) * 4:
            watcher.press(button)
            watcher.step(0)
        assert watcher.game.lock_downs == 5

    def test_every_step_equals_a_fresh_drawing(self) -> None:
        watcher = Watcher("marathon").stop()
        for _ in range(60):
            stepped = watcher.seen_after(RIGHT)
            watcher.scene.view.reset()
            watcher.scene.fresh = True
            assert watcher.step() == stepped


class TestSlices:
    """During a long simulation, frames continue and show its progress."""

    def test_reading_takes_many_frames_and_its_bar_grows(self) -> None:
        watcher = Watcher("fast", slow=True)
        lit_pixels = []
        while watcher.line.reading:
            began_ms = watcher.clock.now_ms
            watcher.step(0)
            assert watcher.clock.now_ms - began_ms <= 45
            if watcher.line.reading:
                lit_pixels.append(sum(byte.bit_count() for byte in watcher.picture()))
        assert len(lit_pixels) > 10 and lit_pixels == sorted(lit_pixels) and lit_pixels[-1] > lit_pixels[0] + 100

    def test_reading_can_be_left(self) -> None:
        watcher = Watcher("fast", slow=True)
        for button in (A, RIGHT, START, B):
            watcher.press(button)
            watcher.step(0)
        assert watcher.line.reading and watcher.requests == [(watcher.router.home, None)]

    def seek(self) -> Watcher:
        """Return a watcher that seeks back from Lock Down 90 to 89."""
        watcher = Watcher("fast", slow=True)
        watcher.settle()
        for _ in range(90):
            watcher.press(RIGHT)
            watcher.step(0)
        watcher.settle()
        assert watcher.game.lock_downs == 90
        watcher.press(LEFT)
        return watcher

    def test_seeking_leaves_the_picture_and_moves_the_bar(self) -> None:
        watcher = self.seek()
        before = watcher.picture()
        status = [watcher.step(0)[STATUS]]
        while watcher.line.seeking:
            assert watcher.picture()[REST] == before[REST]
            began_ms = watcher.clock.now_ms
            status.append(watcher.step(0)[STATUS])
            assert watcher.clock.now_ms - began_ms <= 45
        assert watcher.game.lock_downs == 89 and len(status) > 10
        assert len(set(status)) > 10 and watcher.picture()[REST] != before[REST]
        assert state(watcher.game) == state(game_at("fast", watcher.line.times[89]))

    def test_steps_during_a_seek_count_from_its_target(self) -> None:
        watcher = self.seek()
        watcher.step(0)
        for button in (LEFT,) * 4 + (RIGHT,):
            watcher.press(button)
            watcher.step(0)
        watcher.settle()
        assert watcher.game.lock_downs == 86


def practise(name: str, time_ms: int, button: int = START) -> Watcher:
    """Watch until a moment of the game and press a button."""
    watcher = Watcher(name, Recorder())
    watcher.step(time_ms, 1)
    watcher.press(button)
    watcher.step(0)
    return watcher


class TestPractising:
    @pytest.mark.no_cover
    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize("time_ms", [0, 1, 4321, 11_987, 29_500])
    def test_start_practises_from_the_moment_on_the_screen(self, name: str, time_ms: int) -> None:
        watcher = practise(name, time_ms)
        assert watcher.requests == [("replay.practise", watcher.game)] and watcher.game.time_ms == time_ms
        assert watcher.game.matrix.rows == game_at(name, time_ms).matrix.rows

    def test_hold_does_the_same_as_start(self) -> None:
        assert [practise("fast", 5000, button).requests[0][0] for button in (START, HOLD)] == ["replay.practise"] * 2

    def test_held_buttons_are_released(self) -> None:
        held_ms = next(t_ms for button, pressed, t_ms in edges_of(read("marathon")) if button == LEFT and pressed)
        watcher = practise("marathon", held_ms)
        assert watcher.game.pressed == 0 and watcher.game.shift_step == 0

    def test_the_variant_is_that_of_the_recording(self) -> None:
        watcher = practise("sprint", 1000)
        assert watcher.session.variant == read("sprint").variant != 0

    def test_a_game_in_progress_and_the_recorder_stay_as_they_are(self) -> None:
        recorder = Recorder()
        watcher = Watcher("fast", recorder)
        watcher.session.suspended = game = Game(1)
        watcher.step(5000)
        used = recorder.used
        watcher.tap(START)
        assert (recorder.used, watcher.session.suspended) == (used, game)
        assert watcher.requests == [("replay.practise", watcher.game)]

    def test_a_game_that_is_over_cannot_be_practised(self) -> None:
        watcher = Watcher("lost").after(1000, 40)
        watcher.press(START)
        watcher.step()
        assert watcher.requests == []


class TestScene:
    def test_b_leaves(self) -> None:
        watcher = Watcher("fast")
        watcher.press(B)
        watcher.step()
        assert watcher.requests == [(watcher.router.home, None)]

    def test_watch_takes_a_recording_or_its_bytes(self) -> None:
        handheld = Handheld()
        handheld.go("replay.watch", read("fast"))
        handheld.step(16, 2)
        assert handheld.scene.line.total == 105

    def test_a_damaged_recording_is_refused(self) -> None:
        handheld = Handheld()
        handheld.go("replay.watch", b"SKY\x01" + bytes(40))
        with pytest.raises(ValueError, match="check sum"):
            handheld.step()

    @pytest.mark.parametrize("total", [108, 999, 1234])
    def test_position_and_speed_are_a_glyph_apart(self, total: int) -> None:
        watcher = Watcher("sprint").after(1000, 100)
        watcher.line.total = total
        watcher.scene.digits = len(str(total))
        watcher.scene.fresh = True
        watcher.scene.draw_status()
        canvas = watcher.display.canvas
        assert any(canvas.pixel(57, y) for y in range(8, 13))
        assert not any(canvas.pixel(x, y) for x in range(53, 57) for y in range(8, 13))


class TestPictures:
    def test_reading(self) -> None:
        watcher = Watcher("fast", slow=True).after(0, 12)
        watcher.compare("watch_reading")

    def test_playing(self) -> None:
        watcher = Watcher("marathon")
        watcher.tap(UP)
        watcher.step(1000, 15)
        watcher.compare("watch_playing")

    def test_stepping_to_a_line_clear(self) -> None:
        watcher = Watcher("marathon").stop()
        while not watcher.game.hit_count:
            watcher.tap(RIGHT)
        watcher.compare("watch_line_clear")

    def test_the_end(self) -> None:
        watcher = Watcher("sprint").after(1000, 100)
        watcher.compare("watch_end")


def seek(line: Timeline) -> Timeline:
    """Simulate until the target is reached."""
    while not line.work(SimpleNamespace(ticks_ms=lambda: 0), 0):
        pass
    return line


def test_steps_stop_at_the_beginning_and_at_the_end() -> None:
    line = seek(Timeline(read("lost"), make_mode))
    for mark, step, end_ms in ((0, -1, 0), (len(line.times) - 1, 1, line.end_ms)):
        line.leap(mark)
        seek(line)
        for _ in range(3):
            line.step(step)
            assert line.target_ms == end_ms


@pytest.mark.parametrize("slow", [0, STILL])
def test_game_that_ends_with_a_lock_down_has_no_step_after_it(slow: int) -> None:
    options = Options()
    options.slow = slow
    options.animate_ms = 0
    game = start_game(7, MARATHON, options)
    recorder = Recorder()
    recorder.begin_game(MARATHON, 7, options)
    while not game.over:
        for pressed in (1, 0):
            t_ms = game.time_ms + 300
            if not game.over:
                game.input(UP, pressed, t_ms)
                recorder.record_edge(UP, pressed, t_ms)
    line = seek(Timeline(Recording(recorder.recorded(game.time_ms)), make_mode))
    assert line.total == game.lock_downs == len(line.times) - 1
    assert line.times[-1] == line.end_ms == game.time_ms


LOCKED_SCRIPT = """
begin()
go("replay.watch", {blob!r}, 2)
line = app.router.scene.line
assert not line.reading
play(200)
app.router.scene.press(3)
app.router.scene.press(3)
play_locked(800)
print(line.game.lock_downs, line.game.lines)
"""


@needs_wasm
def test_a_frame_of_watch_allocates_nothing() -> None:
    script = scripts.ON_BOARD + LOCKED_SCRIPT.format(blob=(RECORDINGS / "fast.sky").read_bytes())
    lock_downs, lines = scripts.run(script).last_line.split()
    assert int(lock_downs) > 40 and int(lines) > 0
