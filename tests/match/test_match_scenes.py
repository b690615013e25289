"""A match on the handheld, played by buttons: several persons, the pause, and the Matrices that it shows."""

from typing import Any

import pytest

from firmware.device.edges import EdgeQueue
from firmware.engine.options import CLASSIC, EXTENDED, Options
from firmware.match.match import Match
from firmware.match.options import MARKED, MatchOptions
from firmware.match.seat import NOT_YET
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.scenes.play_state import OVER
from firmware.view.canvas import Canvas
from firmware.view.layouts.equal import EqualView
from tests.support.drill import choose
from tests.support.handhelds.arcade import DOWN, HOLD, LEFT, RIGHT, START, TOWER, UP, A, Arcade, B, begin, set_matrix
from tests.support.handhelds.handheld import Buttons
from tests.support.standings import standing

FULL = "#########.\n"


def begin_with_other(hand: Any, subject: object = None, frames: int = 1, **choices: Any) -> Arcade:
    """Return a match of two persons, the second one on further buttons of the device."""
    arcade = Arcade("menus.title", **choices)
    arcade.device.others = [hand]
    arcade.open("match.play", subject, ms=0, frames=frames)
    return arcade


def set_das(arcade: Arcade, das_ms: int) -> None:
    """Set the Auto-Repeat delay in the options of a match's pause, and return to the pause."""
    arcade.follow(START, DOWN, DOWN, A)
    arcade.settings.das_ms = das_ms
    arcade.follow(B, frames=2)


class TestPlay:
    def test_computers_of_one_level_play_differently(self) -> None:
        arcade = begin(24_000, OPPONENTS=1)
        first, second = (arcade.match.seats[i].game for i in (1, 2))
        assert [bytes(row) for row in first.matrix.rows] != [bytes(row) for row in second.matrix.rows]

    def test_a_second_person_plays_on_further_buttons(self) -> None:
        other: Any = Buttons()
        match = Match(3, MatchOptions(), [Options(), Options()])
        arcade = begin_with_other(other, match)
        arcade.resume()
        arcade.step(frames=30)
        x = [seat.game.x for seat in match.seats]
        other.edges.append((RIGHT, 1, arcade.clock.now_ms))
        arcade.tap(LEFT)
        assert [seat.game.x for seat in match.seats] == [x[0] - 1, x[1] + 1]

    def test_edges_of_two_persons_are_played_in_order_of_time(self) -> None:
        arcade = Arcade()
        scene: Any = arcade.scene
        scene.players = [None, None]
        seen: list[tuple[int, int]] = []
        scene.match.input = lambda number, button, pressed, t_ms: seen.append((number, t_ms))
        now_ms, time_ms = scene.last_ms, scene.time_ms
        first = EdgeQueue()
        for t_ms in (5, 9):
            first.append(LEFT, True, now_ms + t_ms)

        class Second:
            def poll(self, sink: EdgeQueue) -> None:
                for t_ms in (3, 7):
                    sink.append(LEFT, True, now_ms + t_ms)

        scene.sources, scene.queues = [Second()], [first, EdgeQueue()]
        scene.at, scene.persons = bytearray(2), bytearray((0, 1))
        scene.update(first, now_ms + 10)
        assert [(number, t_ms - time_ms) for number, t_ms in seen] == [(1, 3), (0, 5), (1, 7), (0, 9)]

    def test_hold_with_start_moves_the_target_mark(self) -> None:
        arcade = Arcade(OPPONENTS=2, TARGET=MARKED)
        assert arcade.match.seats[0].mark == 1
        arcade.tap_together(HOLD, START)
        seat = arcade.match.seats[0]
        assert arcade.scene.is_playing() and seat.mark == 2 and not seat.game.hold

    def test_a_second_person_moves_the_target_mark_with_the_same_chord(self) -> None:
        arcade = Arcade("menus.title", TARGET=MARKED)
        other: Any = Buttons()
        arcade.device.others = [other, Buttons()]
        arcade.open("match.play", ms=0)
        assert arcade.match.options.who == 0 and arcade.match.options.players == 3
        arcade.step(16, 10)
        assert arcade.match.seats[1].mark == 2
        arcade.tap_together(HOLD, START, hand=other)
        assert arcade.scene.is_playing() and [seat.mark for seat in arcade.match.seats] == [1, 0, 0]


class TestPause:
    def test_start_pauses_the_match_and_resumes_it_after_a_countdown(self) -> None:
        arcade = begin()
        arcade.tap(START)
        time_ms = arcade.match.time_ms
        arcade.step(16, 60)
        assert arcade.match.time_ms == time_ms and not arcade.scene.is_playing()
        arcade.compare("pause")
        arcade.tap(START)
        arcade.step(50, 2)
        arcade.compare("resume_3")
        arcade.step(50, 28)
        assert arcade.match.time_ms == time_ms
        arcade.step(50, 10)
        assert arcade.match.time_ms > time_ms

    def test_a_match_left_for_the_menu_resumes_where_it_was(self) -> None:
        arcade = begin(3200)
        arcade.tap(START, UP, A)
        assert arcade.name == "menus.main"
        match = arcade.session.suspended
        arcade.follow(A)
        assert arcade.name == "match.play" and arcade.match is match and not arcade.scene.is_playing()
        arcade.tap(A)
        lock_downs = match.seats[1].game.lock_downs
        arcade.step(16, 600)
        assert match.seats[1].game.lock_downs > lock_downs, "the computer continues"

    def test_rematch_asks_for_confirmation(self) -> None:
        arcade = begin()
        match = arcade.match
        arcade.tap(START, DOWN, A)
        assert arcade.match is match
        arcade.follow(A)
        assert arcade.match is not match and arcade.scene.is_playing()

    def test_options_opened_in_a_pause_return_to_it(self) -> None:
        arcade = begin()
        match = arcade.match
        arcade.tap(START, DOWN, DOWN)
        assert arcade.leads(A) == "options.options"
        arcade.follow(A, B, frames=2)
        assert arcade.name == "options.options", "B on a page returns to the options"
        arcade.follow(B, frames=2)
        assert arcade.name == "match.play" and arcade.match is match and not arcade.scene.is_playing()

    def test_options_return_to_the_menu_if_the_match_is_gone(self) -> None:
        arcade = begin()
        arcade.tap(START, DOWN, DOWN, A)
        arcade.step()
        arcade.session.hold_game(None)
        arcade.follow(B, frames=2)
        assert arcade.name == "menus.main"

    def test_handling_set_in_a_pause_applies_to_all_persons_only(self) -> None:
        options = choose(MatchOptions(), players=3, who=3 << 8)
        arcade = begin_with_other(Buttons(), Match(3, options, [Options(), Options(), Options()]))
        arcade.tap(A)
        games = [seat.game for seat in arcade.match.seats]
        before = games[2].options.das_ms
        arcade.settings.lock_rule = CLASSIC
        set_das(arcade, 300)
        assert [game.options.lock_rule for game in games] == [EXTENDED] * 3, "a rule is no handling"
        assert [game.options.das_ms for game in games] == [300, 300, before]
        assert [choice.das_ms for choice in arcade.match.choices] == [300, 300, before]

    def test_handling_set_in_a_pause_is_recorded(self) -> None:
        arcade = begin_with_other(Buttons(), WINS=1)
        before = arcade.match.choices[0].das_ms
        arcade.follow(UP, UP, frames=30)
        set_das(arcade, before + 50)
        arcade.tap(A, A)
        arcade.follow(UP, UP, frames=30)
        arcade.tap(START)
        recording = MatchRecording(arcade.scene.noted.replay())
        assert recording.choices[1].das_ms == before
        player = MatchPlayer(recording)
        for _ in range(2):  # the second time from the beginning of the round
            player.advance(1 << 20)
            assert standing(player.match) == standing(arcade.match)
            assert [choice.das_ms for choice in player.match.choices] == [before + 50, before + 50]
            player.rewind_round()
            assert player.match.choices[0].das_ms == before

    @pytest.mark.parametrize(("played_ms", "restarts"), [(3200, True), (11_000, False)])
    def test_holding_start_restarts_and_asks_later_in_a_round(self, played_ms: int, restarts: bool) -> None:
        arcade = begin(played_ms)
        match = arcade.match
        arcade.move(START, 1)
        arcade.step(16, 20)
        assert arcade.match is match
        arcade.step(16, 20)
        assert (arcade.match is not match) == restarts
        if not restarts:
            assert arcade.scene.cover.asked
            arcade.move(START, 0)
            arcade.follow(A)
            assert arcade.match is not match and arcade.scene.is_playing()

    @pytest.mark.parametrize("held_ms", [600, 50])
    def test_start_again_confirms_if_held_and_resumes_if_not(self, held_ms: int) -> None:
        arcade = Arcade()
        arcade.step(16, 10_500 // 16)
        match = arcade.match
        arcade.hold(START, 600 // 16)
        assert arcade.scene.cover.asked
        arcade.hold(START, held_ms // 16)
        arcade.wait_until(arcade.scene.is_playing)
        assert (arcade.match is match) == (held_ms < 500)

    def test_start_in_the_deciding_frame_does_not_pause(self) -> None:
        arcade = Arcade(WINS=0)
        arcade.play_until_out()
        match = arcade.match
        arcade.wait_until(lambda: match.time_ms >= match.ends_ms - 16)
        assert not match.over
        arcade.buttons.edges.append((START, 1, arcade.clock.now_ms + 16))
        arcade.step()
        assert match.over and match.is_decided() and arcade.scene.state == OVER

    def test_a_pause_releases_held_buttons(self) -> None:
        arcade = begin()
        arcade.move(LEFT, 1)
        arcade.tap(START)
        assert not arcade.match.seats[0].game.pressed


class TestView:
    def arrange(self, players: int, **choices: Any) -> Arcade:
        """Return a match in which all players have Blocks and lines on their way."""
        arcade = begin(OPPONENTS=players - 2, WINS=2, **choices)
        match = arcade.match
        for number in range(players):
            set_matrix(match, number, "..I.......\n" * number + FULL * (3 + number))
            match.seats[number].queued = 3
            match.seats[number].coming.send(match.time_ms + 400, 2)
        arcade.step(16, 12)
        return arcade

    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_the_own_matrix_is_large_and_the_others_are_small(self, players: int) -> None:
        self.arrange(players).compare(f"players_{players}")

    def test_the_meter_shows_queued_lines_solid_and_coming_lines_thin(self) -> None:
        canvas = self.arrange(2).display.canvas
        tops = range(122, 97, -5)
        rows = [[canvas.pixel(x, y) for y in range(top, top + 5) for x in (51, 52, 53)] for top in tops]
        solid, thin = [0] * 3 + [1] * 12, [0] * 3 + [0, 1, 0] * 4
        assert rows == [solid, solid, solid, thin, thin]

    @pytest.mark.parametrize(("players", "right", "floor"), [(2, 33, 62), (4, 23, 48)])
    def test_a_meter_stands_beside_each_matrix_of_equal_size(self, players: int, right: int, floor: int) -> None:
        canvas = Canvas()
        view = EqualView(canvas, self.arrange(players).match)
        view.names = [b"ABC"] * players
        for _ in range(60):
            view.draw()
        lit = [y for y in range(64) if any(canvas.pixel(x, y) for x in (right, right + 1))]
        assert lit and floor - 16 < min(lit) <= max(lit) < floor

    def test_a_rival_who_is_out_is_marked(self) -> None:
        arcade = begin(OPPONENTS=1)
        set_matrix(arcade.match, 1, TOWER)
        arcade.wait_until(lambda: arcade.match.seats[1].out_ms != NOT_YET)
        arcade.step(16, 8)
        arcade.compare("rival_out")

    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_rising_lines_leave_no_stray_pixels(self, players: int) -> None:
        arcade = self.arrange(players, QUICKEN=0)
        for _ in range(3):
            arcade.match.seats[0].queued += 2
            arcade.follow(UP, frames=40)
        scene: Any = arcade.scene
        arcade.step(16, 60)
        assert scene.is_playing() and scene.match.seats[0].received > 6
        pictures = []
        for _ in range(2):
            for _ in range(64):  # all parts are drawn within 64 frames; a blink takes 32
                scene.draw()
            arcade.display.show()
            pictures.append(arcade.picture())
            scene.view.reset()
        kept, shown = pictures
        # The lowest rows of the meter may blink.
        rows = [y for y in range(128) if kept[8 * y : 8 * y + 8] != shown[8 * y : 8 * y + 8]]
        assert not [y for y in rows if y < 122]
