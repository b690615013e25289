"""A match on the handheld, played by buttons: menu, Matrices, rounds, Practice, pause and replay."""

from typing import Any

import pytest

from firmware import refusing
from firmware.device.edges import EdgeQueue
from firmware.device.handheld import Machine
from firmware.engine.game import BLOCK_OUT, LOCK_OUT, TOP_OUT
from firmware.engine.options import CLASSIC, EXTENDED, HALF_TURNS, Options
from firmware.match.match import Match
from firmware.match.options import MARKED, MatchOptions
from firmware.match.seat import NOT_YET
from firmware.players.levels import LEVELS, NAMES, STRONGEST
from firmware.resuming import open_first
from firmware.save import goals, journal_compaction, match_choices, suspended
from firmware.save.journal import REPORT, VERSUS, Journal
from firmware.save.match_revival import restore
from firmware.save.match_scores import WON, Versus
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.scenes.match.names import name_players
from firmware.scenes.match.result import explain
from firmware.scenes.play_state import OVER
from firmware.view.art import FONT_3X5
from firmware.view.canvas import WIDTH, Canvas, text_width
from firmware.view.layouts.equal import EqualView
from firmware.view.minos import CELLS
from sim.contacts import Contacts
from tests.support.drill import choose
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import DOWN, HOLD, LEFT, RIGHT, START, UP, A, Arcade, B, begin, set_matrix
from tests.support.handhelds.handheld import Buttons, Handheld
from tests.support.standings import standing
from tools.board.player import loading

RIVALS_END = 8 * 22  # bytes of a picture with the rivals, which are drawn over several frames
FULL = "#########.\n"
TOWER = "....##....\n" * 19


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


def press(arcade: Arcade, hand: Any, button: int) -> None:
    hand.edges.append((button, 1, arcade.clock.now_ms))
    arcade.step()


def find_no_memory(*_: object) -> None:
    raise MemoryError


def redraw(arcade: Arcade, times: int = 40) -> bytes:
    arcade.scene.view.reset()
    for _ in range(times):
        arcade.scene.draw()
    arcade.display.show()
    return arcade.picture()


def go_to_line(arcade: Arcade, name: bytes) -> int:
    """Go down to a line of a menu; return its number."""
    while arcade.scene.lines[arcade.scene.at] != name:
        arcade.tap(DOWN)
    return int(arcade.scene.at)


class TestMenu:
    def test_the_default_rival_has_level_3(self) -> None:
        handheld = Handheld(first="match.menu")
        handheld.tap(A)
        assert handheld.name == "match.play" and handheld.scene.match.options.level_of(1) == 3
        assert handheld.settings.last_match == 1

    @pytest.mark.parametrize(
        ("first", "free_bytes", "rivals", "words"),
        [
            ("match.play", 32_300, 3, b"FEWER RIVALS"),
            ("match.play", 26_499, 3, b"NO MATCH"),
            ("match.play", 26_499, 1, b"NO MATCH"),
            ("link.lobby", 23_000, 1, b"NO LINK"),
            ("resume_game", 26_499, 1, b"NO MATCH"),
        ],
    )
    def test_a_match_without_room_in_the_heap_is_refused_by_name(
        self, monkeypatch: pytest.MonkeyPatch, first: str, free_bytes: int, rivals: int, words: bytes
    ) -> None:
        monkeypatch.setattr(Machine, "renews", True)
        monkeypatch.setattr(Machine, "free_bytes", lambda _machine: free_bytes)
        arcade = Arcade("menus.title", OPPONENTS=rivals - 1)
        open_first(arcade.context, EdgeQueue(), first, None)
        arcade.step()
        assert arcade.name == "match.menu" and {note.split(b"|")[2] for note in arcade.scene.notes} == {words}

    @pytest.mark.parametrize(
        ("settings", "missing", "words"),
        [
            ({"one_switch": 600}, 4_700, b"TURN OFF 1 KEY"),
            ({"one_switch": 600, "by_ear": 2}, 4_700, b"TURN OFF 1 KEY"),
            ({"by_ear": 2}, 3_100, b"TURN OFF BY EAR"),
            ({"by_ear": 1}, 3_100, b"FEWER RIVALS"),
            ({"by_ear": 2}, 3_101, b"FEWER RIVALS"),
            # A map of buttons takes as much, whether BY EAR needs it or not.
            ({"by_ear": 2, "modern": HALF_TURNS}, 3_100, b"FEWER RIVALS"),
            ({"by_ear": 2, "buttons": b"\2\1\4\x08\x10\x20\x40\x80"}, 3_100, b"FEWER RIVALS"),
            ({"one_switch": 600}, 14_501, b"NO MATCH"),
            ({"rules": 1}, 0, b"RULES: GUIDE"),
            ({"rules": 1}, 1, b"FEWER RIVALS"),
        ],
    )
    def test_a_menu_refuses_a_match_before_it_loads(
        self, monkeypatch: pytest.MonkeyPatch, settings: dict[str, int | bytes], missing: int, words: bytes
    ) -> None:
        monkeypatch.setattr(Machine, "renews", True)
        monkeypatch.setattr(
            Machine, "free_bytes", lambda _machine: refusing._NEEDED[3] + refusing._MATCH_BYTES - missing
        )
        arcade = Arcade("match.menu", OPPONENTS=2)
        arcade.change_settings(**settings)
        arcade.scene.pick(0)
        arcade.step(frames=2)
        assert arcade.name == "match.menu"
        assert {note.split(b"|")[2] for note in arcade.scene.notes} == {words}, "on each line: SWITCH has a cursor"

    def test_with_switch_no_map_of_buttons_takes_the_pause(self) -> None:
        """The switch gives controls, so a map that needs no START would drop its hold."""
        arcade = Arcade("menus.title", TARGET=MARKED, OPPONENTS=1)
        arcade.settings.one_switch = 600
        arcade.context.apply_settings()
        arcade.open("match.play", None, ms=0)
        assert arcade.match.options.target == MARKED and arcade.scene.mapping is None

    def test_the_last_choices_are_saved(self) -> None:
        arcade = Arcade("match.menu")
        arcade.tap(DOWN, RIGHT, RIGHT, DOWN, RIGHT, B)
        assert arcade.name == "menus.main"
        arcade.tap(A)
        choices = match_choices.unpack(arcade.settings.versus)
        assert (choices[match_choices.OPPONENTS], choices[match_choices.LEVELS]) == (1, 3)

    @pytest.mark.parametrize(("name", "lines"), [("match.menu", range(1, 3)), ("match.rules", range(9))])
    def test_right_changes_every_choice_and_left_undoes_it(self, name: str, lines: range) -> None:
        for at in lines:
            arcade = Arcade(name)
            arcade.tap(*[DOWN] * at)
            before = arcade.settings.versus
            for button, same in ((RIGHT, False), (LEFT, True)):
                arcade.tap(button)
                assert (arcade.settings.versus == before) == same

    def test_each_computer_in_the_match_has_a_line(self) -> None:
        arcade = Arcade("match.menu")
        names = [arcade.scene.lines[1:-3]]
        for _ in range(2):
            go_to_line(arcade, b"RIVALS")
            arcade.tap(RIGHT)
            names.append(arcade.scene.lines[1:-3])
            assert arcade.scene.lines[arcade.scene.at] == b"RIVALS"
        two, three = [b"FIRST", b"SECOND", b"RIVALS"], [b"FIRST", b"SECOND", b"THIRD", b"RIVALS"]
        assert names == [[b"RIVAL", b"RIVALS"], two, three]
        arcade.compare("menu_3")

    def test_a_computer_is_named_and_described_by_its_level(self) -> None:
        arcade = Arcade("match.menu")
        arcade.step()
        arcade.compare("menu")
        at = go_to_line(arcade, b"RIVAL")
        arcade.compare("menu_level")
        seen = set()
        for _ in range(LEVELS):
            arcade.tap(RIGHT)
            seen.add((arcade.scene.value(at), arcade.picture()))
        assert {name for name, _picture in seen} == set(NAMES[:LEVELS]) and len(seen) == LEVELS

    def test_a_pc_offers_two_levels_more(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Machine, "levels", STRONGEST)
        arcade = Arcade("match.menu")
        chosen = arcade.settings.versus
        at = go_to_line(arcade, b"RIVAL")
        names = []
        for _ in range(STRONGEST):
            arcade.tap(RIGHT)
            names.append(arcade.scene.value(at))
            arcade.step()
            if names[-1] in NAMES[LEVELS:]:
                arcade.compare(f"menu_{names[-1].decode().lower()}")
        assert sorted(names) == sorted(NAMES)
        assert arcade.settings.versus == chosen

    def test_rules_are_saved_and_b_returns_to_their_line(self) -> None:
        arcade = Arcade("match.menu", store=[RamStore()])
        at = go_to_line(arcade, b"RULES...")
        arcade.tap(A)
        arcade.compare("rules")
        arcade.tap(DOWN, DOWN, A, B)
        assert (arcade.name, arcade.scene.at) == ("match.menu", at)
        again = Handheld(store=arcade.device.store)
        assert match_choices.unpack(again.settings.versus)[match_choices.WINS] == 1

    def test_seats_set_by_the_device_cannot_be_changed(self) -> None:
        arcade = Arcade()
        arcade.device.seats = b"\0\0\4"
        arcade.open("match.menu", ms=0, frames=2)
        assert arcade.scene.lines == [b"START", b"RIVAL", b"RULES...", b"SCORES"] and arcade.scene.value(1) == b"FOX"
        before = arcade.settings.versus
        arcade.tap(DOWN, RIGHT, A)
        assert arcade.settings.versus == before and arcade.name == "match.menu"

    def test_computers_of_one_level_differ_by_a_number(self) -> None:
        options = match_choices.make_options(bytes([2, 2, 2, 4]) + bytes(13))
        assert name_players(options) == [b"P1", b"CAT", b"CAT2", b"HAWK"]


class TestPlay:
    def test_computers_of_one_level_play_differently(self) -> None:
        arcade = Arcade(OPPONENTS=2, LEVELS=3, QUICKEN=0)
        for place in range(3):
            assert arcade.match.options.level_of(place + 1) in (1, 4)
        arcade = begin(24_000, OPPONENTS=1)
        first, second = (arcade.match.seats[i].game for i in (1, 2))
        assert [bytes(row) for row in first.matrix.rows] != [bytes(row) for row in second.matrix.rows]

    def test_the_recording_replays_the_same_match(self) -> None:
        arcade = Arcade(LEVELS=4)
        arcade.lose_round()
        player = MatchPlayer(MatchRecording(arcade.scene.noted.replay()))
        while not player.is_round_over():
            player.advance(player.match.time_ms + 1000)
        assert standing(player.match) == standing(arcade.match)

    def test_a_player_who_is_out_sees_and_plays_practice(self) -> None:
        arcade = self.begin_practice()
        assert arcade.scene.view.practised and arcade.scene.shown is arcade.match.seats[0].practice
        arcade.compare("practice")
        before = arcade.picture()
        arcade.tap(LEFT)
        assert arcade.picture() != before

    def test_movement_under_practice_leaves_no_stray_pixels(self) -> None:
        arcade = Arcade(OPPONENTS=1)
        arcade.play_until_out()
        for _ in range(12):
            arcade.follow(UP, frames=40)
        arcade.step(16, 90)
        arcade.clock.now_ms -= 16
        kept = arcade.picture()
        assert redraw(arcade) == kept

    def begin_practice(self, lock_downs: int = 0) -> Arcade:
        arcade = Arcade(OPPONENTS=1)
        arcade.play_until_out()
        arcade.step(16, 10)
        for _ in range(lock_downs):
            arcade.follow(LEFT, UP, frames=30)
        return arcade

    def test_a_restarted_practice_reuses_its_game_with_an_empty_matrix(self) -> None:
        arcade = self.begin_practice()
        seat = arcade.match.seats[0]
        game = seat.practice
        while seat.practised == 1:
            arcade.follow(UP, frames=10)
        arcade.step(16, 40)
        assert seat.practice is game and game.matrix.top == 0 and arcade.scene.view.practised == 2
        kept = arcade.picture()
        assert redraw(arcade) == kept

    def test_hold_at_the_place_of_generation_leaves_no_stray_pixels(self) -> None:
        arcade = self.begin_practice()
        game = arcade.scene.shown
        while {1, 4} & set(game.next[:2]):  # I and O begin elsewhere
            arcade.follow(UP, frames=30)
        for y in range(16):
            game.matrix.set_row(y, b"\x08" * 9 + b"\0")  # the Ghost Piece lies under the word
        redraw(arcade)
        was = game.next[0]
        arcade.tap(UP)
        arcade.wait_until(lambda: game.piece == was)

        arcade.tap(HOLD)
        arcade.wait_until(lambda: game.hold == was)  # half of a chord waits for the other
        arcade.step(0, 40)

        kept = arcade.picture()
        assert redraw(arcade) == kept

    def ask_for_hint(self, arcade: Arcade) -> None:
        arcade.tap_together(HOLD, START)
        arcade.wait_until(lambda: arcade.scene.adviser.mark.piece)

    def test_in_practice_hold_with_start_asks_for_a_hint(self) -> None:
        arcade = self.begin_practice(2)
        game = arcade.scene.shown
        mark = [seat.mark for seat in arcade.match.seats]
        self.ask_for_hint(arcade)
        shown, hint = arcade.scene.adviser.mark, arcade.scene.adviser.hint
        assert shown.piece == (game.hold or game.next[0] if hint.from_hold else game.piece)
        arcade.step(16, 10)
        arcade.compare("hint")
        assert mark == [seat.mark for seat in arcade.match.seats] and arcade.scene.is_playing()
        arcade.follow(UP)
        assert not arcade.scene.adviser.mark.piece, "a Hard Drop removes the hint"

    def test_a_hint_shows_a_free_place_on_the_floor_or_on_blocks(self) -> None:
        arcade = self.begin_practice()
        game = arcade.scene.shown
        self.ask_for_hint(arcade)
        mark = arcade.scene.adviser.mark
        minos = CELLS[16 * mark.piece + 4 * mark.facing - 16 :][:4]
        cells = [(mark.x + (mino & 3), mark.y + (mino >> 2 & 3)) for mino in minos]
        assert all(0 <= x < 10 and y >= 0 and not game.matrix.rows[y][x] for x, y in cells)
        assert any(y == 0 or game.matrix.rows[y - 1][x] for x, y in cells)

    def test_movement_under_a_hint_leaves_no_stray_pixels(self) -> None:
        arcade = self.begin_practice(3)
        self.ask_for_hint(arcade)
        for button in (LEFT, A, RIGHT, RIGHT, B):
            arcade.tap(button)
        arcade.step(16, 40)
        assert arcade.scene.adviser.mark.piece
        arcade.clock.now_ms -= 16
        kept = arcade.picture()
        assert redraw(arcade)[RIVALS_END:] == kept[RIVALS_END:]

    def test_the_pause_of_practice_offers_a_hint(self) -> None:
        arcade = self.begin_practice()
        arcade.follow(START, frames=3)  # half of a chord waits for the other
        arcade.compare("pause_practice")
        arcade.tap(DOWN, A)
        arcade.wait_until(arcade.scene.is_playing)
        assert arcade.scene.adviser.is_asked
        arcade.step(16, 60)
        assert arcade.scene.adviser.mark.piece

    def test_the_next_round_has_no_hint(self) -> None:
        arcade = Arcade(OPPONENTS=1, WINS=2, LEVELS=0)
        arcade.play_until_out()
        set_matrix(arcade.match, 1, TOWER)
        arcade.step(16, 10)
        assert arcade.scene.adviser
        arcade.finish_round()
        arcade.step(16, 80)
        arcade.follow(A)
        assert arcade.match.round == 1 and not arcade.scene.adviser and not arcade.scene.view.mark
        arcade.tap(START)
        assert not arcade.scene.is_playing() and b"HINT" not in arcade.scene.cover.lines

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
        press(arcade, arcade.buttons, LEFT)
        arcade.tap(START)
        assert not arcade.match.seats[0].game.pressed


class TestRounds:
    def test_a_second_persons_presses_before_the_match_are_ignored(self) -> None:
        other: Any = Contacts()
        arcade = Arcade("menus.title")
        arcade.device.others = [other]
        for button in [UP, START] * 20:
            other.tap(button, arcade.clock.now_ms)
            arcade.step()
        arcade.open("match.play", frames=30)
        assert arcade.scene.is_playing() and arcade.match.seats[1].game.lock_downs == 0
        other.tap(UP, arcade.clock.now_ms)
        arcade.step()
        assert arcade.match.seats[1].game.lock_downs == 1

    def test_loading_stands_while_the_next_round_is_made(self) -> None:
        arcade = Arcade(WINS=1)
        arcade.lose_round(80)
        shown: list[bytes] = []
        begin_round = arcade.match.begin_round

        def look(number: int) -> None:
            shown.append(bytes(arcade.canvas.buffer[1:]))
            begin_round(number)

        arcade.match.begin_round = look  # type: ignore[method-assign]
        arcade.follow(A)
        assert shown == [loading()] and arcade.match.round == 1

    def test_any_person_can_start_the_next_round(self) -> None:
        other = Buttons()
        arcade = begin_with_other(other, WINS=1)
        arcade.lose_round()
        arcade.step(16, 80)
        for button in (LEFT, A):
            assert arcade.match.over
            press(arcade, other, button)
        assert arcade.match.round == 1 and arcade.scene.is_playing()

    @pytest.mark.parametrize("start", [(LEFT, RIGHT), (HOLD,)])
    @pytest.mark.parametrize("held_frames", [3, 40])
    @pytest.mark.parametrize("late_frames", [0, 5, 80])
    def test_any_button_of_start_held_begins_another_match(self, start, held_frames: int, late_frames: int) -> None:
        arcade = Arcade("menus.title", WINS=0)
        if len(start) > 1:
            arcade.device.wired = 63
        else:
            masks = arcade.settings.buttons
            masks[START], masks[HOLD] = masks[HOLD], masks[START]
        arcade.context.apply_settings()
        arcade.open("match.play", ms=0)
        match = arcade.match
        arcade.play_until_out()
        arcade.wait_until(lambda: match.time_ms >= match.ends_ms - 16)
        if late_frames:
            arcade.wait_until(lambda: arcade.scene.state == OVER)
            arcade.step(16, late_frames)
        for pressed in (1, 0):
            arcade.buttons.edges += [(button, pressed, arcade.clock.now_ms + 15) for button in start]
            arcade.step(16, held_frames)
        if held_frames > 3:
            assert arcade.match is not match and arcade.scene.is_playing()
        else:
            assert arcade.name == ("match.over" if late_frames > 60 else "match.play") and arcade.scene.match is match

    def test_a_round_ends_with_its_result_and_the_next_begins(self) -> None:
        arcade = Arcade(WINS=1, LEVELS=1)
        arcade.lose_round()
        assert bytes(arcade.match.wins) == b"\x00\x01"
        arcade.compare("round_lost")
        arcade.tap(A)
        assert arcade.match.over, "a press right after the round is ignored"
        arcade.step(16, 80)
        arcade.follow(A)
        assert arcade.match.round == 1 and arcade.scene.is_playing()
        arcade.step(16, 600)
        assert arcade.match.seats[1].game.lock_downs, "the computer plays in this round"

    def test_a_full_journal_is_rewritten_between_two_rounds(self, monkeypatch) -> None:
        roomy, short = (Arcade(store=[RamStore(), RamStore()], WINS=1, LEVELS=1) for _ in range(2))
        for arcade in (roomy, short):
            arcade.lose_round(80)
        journal = short.session.journal
        while not journal.is_short():
            assert journal.append(REPORT, 40)
        erased = []
        for bank in journal.stores:

            def erase(erase=bank.erase) -> None:
                erased.append(short.match.seats)
                erase()

            monkeypatch.setattr(bank, "erase", erase)
        for arcade in (roomy, short):
            arcade.follow(A, frames=30)
            assert arcade.match.round == 1
        assert erased == [[]], "the last round is freed before"
        assert short.picture() == roomy.picture(), "the word SAVING is gone"

    @pytest.mark.parametrize("has_memory", [True, False])
    def test_a_full_journal_is_rewritten_before_a_match_goes_on(self, monkeypatch, has_memory: bool) -> None:
        """So the next pause does not wait for it. Without memory the match goes on all the same."""
        bank = RamStore()
        arcade = begin(store=[bank])
        journal = arcade.journal
        start = journal.end
        arcade.follow(START, A, frames=120)
        size = journal.end - start
        while bank.size - journal.end > 2 * size:
            assert journal.append(REPORT, 40)
        if not has_memory:
            monkeypatch.setattr(journal_compaction, "bytearray", find_no_memory, raising=False)

        erases = []
        for button in (START, A) * 2 if has_memory else (START, A):
            arcade.follow(button, frames=120)
            erases.append(bank.erases)

        assert erases == ([0, 1, 1, 1] if has_memory else [0, 0])
        assert arcade.scene.is_playing() and restore(Journal([bank])) is not None

    @pytest.mark.parametrize("failing", ["pack", "bytearray"])
    def test_a_pause_without_memory_to_save_goes_on_and_says_so(self, monkeypatch, failing: str) -> None:
        """pack: before anything is written. bytearray: while a full journal is rewritten."""
        arcade = begin(store=[RamStore()])
        while arcade.journal.append(REPORT, 40):
            pass

        module = suspended if failing == "pack" else journal_compaction
        monkeypatch.setattr(module, failing, find_no_memory, raising=False)
        arcade.follow(START, DOWN, DOWN, DOWN)
        assert arcade.scene.cover.notes[-1] == b"IT IS NOT SAVED:|POWER OFF LOSES|IT"
        arcade.compare("pause_unsaved")
        arcade.follow(A)
        assert arcade.name == "menus.main"
        assert arcade.session.suspended, "the match waits in memory"
        monkeypatch.undo()
        arcade.follow(A)
        assert arcade.name == "match.play"

    def test_after_the_last_round_a_leads_to_statistics_and_a_rematch(self) -> None:
        arcade = Arcade()
        arcade.lose_round(80)
        arcade.follow(A)
        assert arcade.name == "match.over"
        arcade.compare("over")
        arcade.tap(A)
        assert arcade.name == "match.over", "a press right after the match skips no result"
        arcade.step(1000)
        arcade.tap(RIGHT)
        arcade.compare("over_rival")
        arcade.follow(A)
        assert arcade.name == "match.play" and arcade.scene.is_playing()

    @pytest.mark.parametrize("button", [START, B])
    @pytest.mark.parametrize("frame_ms", [16, 120, 300, 600])
    def test_22_3_the_goals_come_before_a_press_on_the_result(self, frame_ms: int, button: int) -> None:
        """A board's frames may be long; START is held from the first one on."""
        arcade = begin(store=[RamStore()])
        arcade.lose_round(80)
        versus = Versus(arcade.journal.read(VERSUS))
        versus.counts[WON] = 1
        arcade.journal.save(VERSUS, versus.pack(arcade.journal.payload))
        arcade.follow(A)
        result = arcade.scene
        arcade.move(START, int(button == START), frame_ms)
        while arcade.scene is result:
            arcade.move(B, int(button == B), frame_ms)
        assert any(goals.load(arcade.journal)[1:])

    def test_a_result_that_cannot_be_saved_says_so(self) -> None:
        arcade = begin(store=[RamStore()])
        arcade.lose_round(80)
        arcade.journal.failed = True
        arcade.follow(A, frames=4)
        assert arcade.scene.told == b"NOT SAVED"
        arcade.compare("over_unsaved")

    def test_the_winner_of_a_round_sees_it(self) -> None:
        arcade = begin()
        set_matrix(arcade.match, 1, TOWER)
        arcade.finish_round()
        assert arcade.match.winner == 0
        arcade.compare("round_won")


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
        for _ in range(64):  # all parts are drawn within 64 frames; a blink takes 32
            scene.draw()
        arcade.display.show()
        kept = arcade.picture()
        shown = redraw(arcade, 64)
        # The lowest rows of the meter may blink.
        rows = [y for y in range(128) if kept[8 * y : 8 * y + 8] != shown[8 * y : 8 * y + 8]]
        assert not [y for y in rows if y < 122]


class TestWatch:
    def record(self, **choices: Any) -> bytes:
        arcade = Arcade(**choices)
        for _ in range(5):
            arcade.follow(LEFT, UP, frames=40)
        arcade.tap(START)
        return arcade.scene.noted.replay()

    def test_the_last_match_is_watched_from_learn(self) -> None:
        arcade = Arcade()
        arcade.follow(UP, frames=200)
        arcade.tap(START, UP, A)
        assert arcade.name == "menus.main"
        arcade.open("learn.menu")
        arcade.tap(UP, UP, UP, A)
        assert arcade.name == "match.watch"

    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_hold_shows_each_players_view_and_then_all_players_equally(self, players: int) -> None:
        arcade = Arcade("match.watch", self.record(OPPONENTS=players - 2, LEVELS=3))
        arcade.step(16, 200)
        for side in range(players):
            assert arcade.scene.me == side
            arcade.step(16, 10)
            if side == 1:
                arcade.compare(f"watch_{players}")
            arcade.tap(HOLD)
        arcade.follow(A, frames=60)
        arcade.compare(f"equal_{players}")
        arcade.tap(HOLD)
        assert arcade.scene.me == 0

    def test_in_a_replay_a_pauses_up_speeds_up_and_b_leaves(self) -> None:
        arcade = Arcade("match.watch", self.record())
        arcade.tap(A)
        paused_ms = arcade.scene.line.time_ms
        arcade.step(16, 20)
        assert arcade.scene.line.time_ms == paused_ms
        arcade.follow(A, UP, frames=10)
        assert arcade.scene.line.time_ms - paused_ms > 10 * 16
        arcade.tap(DOWN, DOWN, B)
        assert arcade.name == "menus.main"

    def test_a_replay_of_the_last_match_begins_with_the_card_of_keys(self) -> None:
        blob = self.record()
        arcade = Arcade("menus.title")
        arcade.session.remember(lambda: blob, "match.watch")
        arcade.open("match.watch", frames=2)
        arcade.compare("watch_keys")
        assert not arcade.match.time_ms
        arcade.step(100, 30)
        assert arcade.match.time_ms

    def steps(self, arcade: Arcade, button: int, count: int) -> list[list[object]]:
        """Step `count` times; return the state of the match after each step."""
        found = []
        for _ in range(count):
            arcade.tap(button)
            arcade.wait_until(lambda: not arcade.scene.line.seeking)
            found.append(standing(arcade.match))
        return found

    def test_a_replay_is_stepped_forwards_and_backwards(self) -> None:
        arcade = Arcade("match.watch", self.record())
        first = self.steps(arcade, RIGHT, 4)
        assert arcade.match.seats[0].game.lock_downs == 4 and not arcade.scene.playing
        assert self.steps(arcade, LEFT, 3) == first[2::-1] and self.steps(arcade, RIGHT, 3) == first[1:]
        assert arcade.match.seats[0].game.lock_downs == 4
        self.steps(arcade, LEFT, 9)
        assert arcade.match.time_ms == 0 and not arcade.match.seats[0].game.lock_downs

    def test_a_step_back_in_the_middle_leads_to_the_lock_down_before(self) -> None:
        arcade = Arcade("match.watch", self.record())
        one = self.steps(arcade, RIGHT, 1)
        arcade.follow(A, frames=12)
        assert self.steps(arcade, LEFT, 1) == one

    def test_a_step_goes_to_the_next_lock_down_of_the_shown_player(self) -> None:
        arcade = Arcade("match.watch", self.record(LEVELS=3))
        arcade.tap(HOLD)
        self.steps(arcade, RIGHT, 2)
        assert arcade.match.seats[1].game.lock_downs == 2

    def watch_to_the_end(self, arcade: Arcade) -> None:
        """Watch to the end; check that the second player has won two rounds."""
        arcade.wait_until(lambda: arcade.scene.finished, 100)
        assert bytes(arcade.match.wins) == b"\x00\x02"

    def test_steps_back_from_the_end_lead_into_the_last_round(self) -> None:
        played = Arcade(WINS=1, LEVELS=1)
        for _ in range(2):
            played.lose_round(80)
            if not played.match.is_decided():
                played.follow(A)
        arcade = Arcade("match.watch", played.scene.noted.replay())
        self.watch_to_the_end(arcade)
        arcade.step()
        assert arcade.scene.view.message
        self.steps(arcade, LEFT, 2)
        assert not arcade.scene.view.message
        assert bytes(arcade.match.wins) == b"\x00\x01" and not arcade.match.over and not arcade.scene.finished
        arcade.tap(A)
        self.watch_to_the_end(arcade)

    def replay_last(self, arcade: Arcade) -> list[object]:
        player = MatchPlayer(MatchRecording(arcade.session.last()))
        player.advance(10**6)
        return standing(player.match)

    def test_start_plays_on_from_a_replay_as_the_shown_player(self) -> None:
        arcade = Arcade("match.watch", self.record(OPPONENTS=1, LEVELS=3))
        self.steps(arcade, RIGHT, 2)
        arcade.tap(HOLD)
        before = standing(arcade.match)
        arcade.follow(START)
        assert arcade.name == "match.play" and not arcade.scene.is_playing()
        assert standing(arcade.match) == before and arcade.scene.me == 1
        assert [arcade.match.options.level_of(i) for i in range(3)] == [3, 0, 1]
        arcade.resume()
        x = arcade.match.seats[1].game.x
        arcade.tap(LEFT)
        assert arcade.match.seats[1].game.x == x - 1
        arcade.step(16, 300)
        assert arcade.match.seats[0].game.lock_downs > 2, "a computer replaces the person"
        arcade.tap(START)
        assert self.replay_last(arcade) == standing(arcade.match), "the recording continues"

    def test_a_match_from_a_replay_is_practice_and_counts_for_nothing(self) -> None:
        blob = self.record(WINS=0, LEVELS=4)
        store = [RamStore(4096)]
        arcade = Arcade("match.watch", blob, store)
        self.steps(arcade, RIGHT, 2)
        arcade.follow(START)
        assert arcade.scene.cover.heading == b"TRAINING"
        revived = restore(arcade.journal)
        assert revived and revived.options.practice == 1, "the journal knows, too"
        arcade.resume()
        arcade.lose_round(80)
        assert not len(arcade.journal.read(VERSUS))
        assert arcade.follow(A, frames=2) == "match.over"
        arcade.compare("over_practice")
        arcade.step(frames=80)
        arcade.follow(A, frames=2)
        assert arcade.name == "match.play" and not arcade.match.options.practice

    def test_playing_on_asks_before_it_discards_a_game_in_progress(self) -> None:
        blob = self.record()
        arcade = Arcade()
        arcade.tap(START, UP, A)
        arcade.open("match.watch", blob, frames=60)
        arcade.follow(START)
        assert arcade.name == "match.watch" and arcade.scene.asked
        arcade.compare("watch_asks")
        arcade.tap(B)
        assert arcade.name == "match.watch" and not arcade.scene.asked
        arcade.follow(START, START)
        assert arcade.name == "match.play"

    def test_start_does_nothing_if_all_players_are_shown_equally(self) -> None:
        arcade = Arcade("match.watch", self.record())
        arcade.follow(HOLD, HOLD, START)
        assert arcade.name == "match.watch" and arcade.scene.playing

    def test_a_resumed_match_continues_its_recording(self) -> None:
        arcade = begin(960)
        arcade.tap(START, UP, A)
        arcade.follow(A)
        arcade.follow(A, LEFT, UP, frames=90)
        arcade.tap(START)
        assert self.replay_last(arcade) == standing(arcade.match)

    def test_a_replay_stops_at_its_end_and_a_restarts_it(self) -> None:
        arcade = Arcade("match.watch", self.record())
        arcade.step(16, 600)
        assert arcade.scene.finished
        arcade.follow(A)
        assert not arcade.scene.finished and arcade.scene.line.time_ms < 100


class TestCoOp:
    """A match in which all clear lines together, without attacks."""

    @pytest.mark.parametrize(("teams", "name"), [(0, "menu_co_op"), (1, "")])
    def test_start_tells_the_goal_instead_of_the_last_player(self, teams: int, name: str) -> None:
        arcade = Arcade("match.menu", TOGETHER=1, TEAMS=teams)
        assert arcade.scene.notes[0].startswith(b"CLEAR 40 LINES|TOGETHER")
        if name:
            arcade.step()
            arcade.compare(name)

    @pytest.mark.parametrize(
        ("opponents", "teams", "word"), [(0, 0, b"PLAYER"), (0, 1, b"PLAYER"), (1, 0, b"PLAYER"), (1, 1, b"TEAM")]
    )
    def test_else_start_tells_who_wins(self, opponents: int, teams: int, word: bytes) -> None:
        arcade = Arcade("match.menu", OPPONENTS=opponents, TEAMS=teams)
        assert arcade.scene.notes[0].startswith(b"LAST %s|STANDING WINS" % word)

    def test_start_names_other_rules_than_the_guideline(self) -> None:
        notes = []
        for rules in range(3):
            arcade = Arcade("menus.main")
            arcade.settings.rules = rules
            arcade.open("match.menu")
            notes.append(arcade.scene.notes[0].split(b"|")[2])
        assert notes == [b"", b"BY MODERN", b"BY CUSTOM"]

    def test_its_pause_counts_lines_of_each_player(self) -> None:
        arcade = begin(OPPONENTS=1, TOGETHER=1)
        for seat, lines in zip(arcade.match.seats, (7, 12, 0), strict=True):
            seat.game.lines = lines
        arcade.follow(START)
        arcade.step()
        arcade.compare("pause_co_op")

    def test_its_result_tells_the_lines_of_all_and_no_attacks(self) -> None:
        arcade = begin(OPPONENTS=1, TOGETHER=1)
        match = arcade.match
        match.gathered[0], match.winner, match.over = 40, 0, True
        match.seats[0].game.lines = 23
        arcade.open("match.over", match, ms=0)
        arcade.step()
        arcade.compare("over_co_op")

    def test_its_result_tells_who_was_out(self) -> None:
        arcade = begin(OPPONENTS=1, TOGETHER=1)
        match = arcade.match
        match.gathered[0], match.over = 7, True
        match.seats[0].out_ms, match.seats[0].game.over = 83_900, LOCK_OUT
        arcade.open("match.over", match, ms=0)
        arcade.step()
        arcade.compare("over_co_op_lost")


@pytest.mark.parametrize(
    ("out_ms", "over", "words"),
    [
        (NOT_YET, 0, b"LAST STANDING"),
        (83_900, LOCK_OUT, b"LOCK OUT 83 S"),
        (999_000, BLOCK_OUT, b"BLOCK OUT 999 S"),
        (1000, TOP_OUT, b"TOP OUT 1 S"),
        (1000, 0, b"OUT 1 S"),
    ],
)
def test_a_result_tells_how_the_round_ended_for_each_player(out_ms: int, over: int, words: bytes) -> None:
    seat = begin(ms=16).match.seats[1]
    seat.out_ms, seat.game.over = out_ms, over
    assert explain(seat) == words and text_width(words, FONT_3X5) <= WIDTH
