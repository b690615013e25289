"""The replay of a match: whose view it shows, its steps, and playing on from it."""

from typing import Any

import pytest

from firmware.save.journal import VERSUS
from firmware.save.match_revival import restore
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import DOWN, HOLD, LEFT, RIGHT, START, UP, A, Arcade, B, begin
from tests.support.standings import standing


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
