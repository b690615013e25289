"""Two to four handhelds on one ring, played by buttons: lobby, match, pauses and result."""

import random
from typing import Any

import pytest

from firmware.device.handheld import Machine
from firmware.link import lobby as lobbies
from firmware.link.members import OVER, PAUSED, READY, RUNNING
from firmware.link.ring import BEAT, GREETING, HEAD, PLAY
from firmware.match.seat import NOT_YET
from firmware.resuming import resume_game
from firmware.save import match_choices
from firmware.save.journal import SETTINGS
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from tests.support import golden
from tests.support.call_depth import DEEPEST_OF_A_MATCH, Depth
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.linked import DOWN, FRAME_MS, HOLD, LEFT, NAMES, RIGHT, START, UP, A, B, Linked, Table
from tests.support.handhelds.ring_harness import Line, Pipe, arm
from tools.board.player import loading

LEAVE = (START, UP, A, A)


@pytest.fixture
def table() -> Table:
    return Table().start_match()


def choose_and_start(table: Table, *buttons: int) -> None:
    """Choose options in the lobby of the first handheld and start the match."""
    table.meet()
    table.tap(0, *buttons, frames=40)
    table.tap(0, *[UP] * (buttons.count(DOWN) - buttons.count(UP)))
    table.start_match()


def play_first_of_two_rounds() -> Table:
    table = Table()
    choose_and_start(table, DOWN, DOWN, DOWN, RIGHT)
    table.finish(0)
    return table


class TestLobby:
    def test_without_a_link_versus_has_no_link_line(self) -> None:
        assert b"LINK" not in Handheld(first="match.menu").scene.lines

    def test_the_link_line_of_versus_opens_the_lobby_and_b_leads_back(self) -> None:
        table = Table(2, "match.menu")
        table.tap(0, DOWN, A)
        assert table[0].scene.is_playing(), "a waiting handheld does not sleep"
        table.step(120)
        table[0].compare("lobby_alone")
        table.tap(0, B)
        assert table[0].name == "match.menu" and table[0].scene.at == 1

    @pytest.mark.parametrize("count", [2, 4])
    def test_the_lobby_shows_all_players_with_their_initials(self, count: int) -> None:
        table = Table(count).meet()
        table.tap(1, A, frames=40)
        table[0].compare(f"lobby_{count}")
        assert {bytes(member.name) for member in table.lobby(0).members} == set(NAMES[:count])

    def test_a_change_of_options_reaches_all_and_clears_every_ready(self) -> None:
        table = Table(3).meet()
        table.tap(1, A, frames=40)
        for i in range(1, 10):
            table.tap(0, DOWN, RIGHT)
            assert table.lobby(0).me.changes == i
        table.step(40)
        assert len({bytes(handheld.scene.choices) for handheld in table.handhelds}) == 1
        assert [table.lobby(i).me.level for i in range(3)] == [2, 2, 2] and not table.lobby(1).me.ready

    def test_the_rules_of_custom_stand_below_it_and_are_agreed_on(self) -> None:
        table = Table(2).meet()
        for place in (0, 1):
            table[place].settings.spins = 2  # of the games of one player
        table.tap(0, UP, RIGHT, RIGHT, frames=40)
        assert len(table[1].scene.lines) == 20
        table.tap(1, *[UP] * 8, RIGHT, DOWN, RIGHT, RIGHT, frames=40)  # COMBO CLASSIC, B2B CHAIN
        table[1].compare("lobby_custom")
        assert bytes(table[0].scene.choices) == bytes(table[1].scene.choices)
        table.tap(0, *[UP] * 11)
        table.tap(1, *[UP] * 13)
        table.start_match()
        assert {one.match.options.rules for one in table.handhelds} == {2 + 1 + 3 * 2}
        assert {choice.spins for one in table.handhelds for choice in one.match.choices} == {0}

    def test_a_lobby_without_custom_has_none_of_its_lines(self) -> None:
        table = Table(2).meet()
        table.tap(0, UP, RIGHT, RIGHT, frames=40)
        table.tap(1, UP, frames=4)
        table.tap(0, RIGHT, frames=40)
        assert [len(one.scene.lines) for one in table.handhelds] == [12, 12]
        assert all(one.scene.at < 12 for one in table.handhelds)

    def test_a_lobby_whose_last_lines_go_shows_as_many_as_before(self) -> None:
        table = Table(2).meet()
        table.tap(0, UP, RIGHT, RIGHT, frames=40)
        table.tap(0, *[DOWN] * 8, *[UP] * 8, RIGHT, frames=40)
        scene = table[0].scene
        assert (len(scene.lines), scene.at, scene.top) == (12, 11, 12 - scene.rows)

    def test_a_lobby_keeps_own_rules_while_others_are_chosen(self) -> None:
        table = Table(2).meet()
        table.tap(0, UP, RIGHT, RIGHT, DOWN, RIGHT, RIGHT, UP, RIGHT, frames=40)  # COMBO MODERN, then GUIDE
        assert {one.scene.choices[match_choices.RULES] for one in table.handhelds} == {0}
        table.tap(0, LEFT, frames=40)
        assert {match_choices.make_options(one.scene.choices).rules for one in table.handhelds} == {2 + 2}

    def test_a_lobby_offers_the_own_rules_of_its_settings(self) -> None:
        table = Table(2, "match.menu")
        for one in table.handhelds:
            one.settings.custom = 7
            one.open("link.lobby")
        table.meet()
        table.tap(1, UP, LEFT, frames=40)
        assert {match_choices.make_options(one.scene.choices).rules for one in table.handhelds} == {2 + 7}

    def test_teams_chosen_in_the_lobby_are_used_in_the_match(self) -> None:
        table = Table(4).meet()
        table.tap(0, DOWN, RIGHT, frames=40)
        table[0].compare("lobby_teams")
        table.tap(0, UP)
        table.start_match()
        assert {(one.match.options.teams, one.match.options.who) for one in table.handhelds} == {(0b1100, 0)}
        assert match_choices.unpack(table[0].settings.versus)[match_choices.TEAMS] == 0

    def test_another_version_is_refused_on_both_screens(self, monkeypatch: pytest.MonkeyPatch) -> None:
        table = Table(2, "match.menu")
        for place in (0, 1):
            table.tap(place, DOWN, A)
        table.step(60)
        for place in (0, 1):
            wire = table.lobby(place).wire

            def send(frame: bytearray, length: int, version: int = 6 + place, send: Any = wire.send) -> Any:
                if frame[1] != 13 - version:  # frames of the other handheld pass unchanged
                    frame[1] = version
                return send(frame, length)

            monkeypatch.setattr(wire, "send", send)
        table.step(60)
        for place in (0, 1):
            assert table.lobby(place).refused == (7 - place, lobbies.RULES)
            told = b"THE OTHER ONE IS|VERSION %d OF THE|LINK, THIS IS %d" % (7 - place, lobbies.VERSION)
            assert table[place].scene.explain() == told
        table[0].compare("lobby_version")
        table.lobby(0).refused = (lobbies.VERSION, 9)
        assert b"RULES" in table[0].scene.explain()

    @pytest.mark.parametrize(("free_bytes", "most"), [(-1, 4), (150_000, 2), (400_000, 4)])
    def test_the_free_heap_limits_the_number_of_players(self, monkeypatch, free_bytes: int, most: int) -> None:
        monkeypatch.setattr(Machine, "free_bytes", lambda _machine: free_bytes)
        assert Table().lobby(0).most == most

    @pytest.mark.parametrize("chooser", [0, 1])
    def test_nobody_is_ready_for_rules_without_the_room_whoever_chose_them(self, chooser: int) -> None:
        table = Table().meet()
        table[0].session.refusal = b"THIS NEEDS MORE|MEMORY:|TURN OFF 1 KEY"
        table.tap(1, A, frames=40)
        table.tap(chooser, UP, RIGHT, DOWN, frames=40)
        assert [scene.choices[match_choices.RULES] for scene in (table[0].scene, table[1].scene)] == [1, 1]

        table.tap(1, A, frames=40)
        table.tap(0, A, frames=40)

        assert [table.lobby(i).me.ready for i in (0, 1)] == [False, True]
        assert table[0].scene.explain() == table[0].session.refusal != table[1].scene.explain()

        table.tap(chooser, UP, LEFT, DOWN, frames=40)
        table.start_match()
        assert table[0].match.options.rules == 0

    def test_the_lobby_explains_every_state(self) -> None:
        table = Table()
        scene, lobby = table[0].scene, table.lobby(0)
        seen = {scene.explain()}
        for name, value in (("crowded", True), ("crowded", False), ("length", 1), ("length", 0), ("lost", True)):
            setattr(lobby, name, value)
            seen.add(scene.explain())
        table.meet()
        seen.add(scene.explain())
        for changes in ({}, {"length": 9}, {"crowded": True, "most": 2}):
            lobby.me.ready = True
            vars(lobby).update(changes)
            seen.add(scene.explain())
        assert len(seen) == 8 and all(len(line) <= 16 for words in seen for line in words.split(b"|"))


class TestInitials:
    @staticmethod
    def enter(initials: int = 0) -> Linked:
        handheld = Linked(Pipe(Line(random.Random(1)), Line(random.Random(2))), 0, "menus.title")
        handheld.settings.initials = initials
        handheld.open("link.lobby", frames=4)
        return handheld

    def test_a_player_without_initials_chooses_them_first(self) -> None:
        handheld = self.enter()
        assert handheld.name == "menus.scores_initials"
        golden.compare(handheld.display.canvas, "scores_initials_link")
        handheld.follow(DOWN, A, DOWN, A, UP, START, frames=3)
        assert handheld.name == "link.lobby" and handheld.settings.initials
        assert bytes(handheld.scene.lobby.me.name) == b"BB-"

    def test_initials_are_saved_and_asked_for_once(self) -> None:
        handheld = self.enter()
        handheld.follow(START, frames=3)
        assert handheld.name == "link.lobby" and bytes(handheld.scene.lobby.me.name) == b"AAA"
        again = Linked(handheld.pipe, 0, "menus.title")
        again.settings.restore(handheld.context.journal.read(SETTINGS))
        assert again.settings.initials == handheld.settings.initials > 0
        again.open("link.lobby", frames=4)
        assert again.name == "link.lobby"

    def test_initials_from_a_score_table_are_used_without_asking(self) -> None:
        assert self.enter(1).name == "link.lobby"

    @pytest.mark.parametrize("button", [B, LEFT])
    def test_b_or_left_at_the_first_letter_leads_back(self, button: int) -> None:
        handheld = self.enter()
        handheld.follow(A, button, button, frames=3)
        assert handheld.name == "match.menu"


class TestPlay:
    def test_countdown_and_match_match_their_golden_frames(self) -> None:
        table = Table()
        table.agree()
        table.tap(0, *[UP] * 20)
        assert not table[0].own_seat.game.lock_downs, "presses before the start do nothing"
        table.wait(lambda: table[0].link_session.clock.counting)
        table.step(20)
        table[0].compare("countdown")
        messages = set()
        table.wait(lambda: messages.add(table[0].scene.said) or table[0].match.time_ms > 0)  # type: ignore[func-returns-value]
        assert "READY 1" in messages and "READY 0" not in messages
        table.tap(1, UP, UP, frames=60)
        table[0].compare("play")

    def test_two_equal_names_get_numbers_everywhere(self) -> None:
        table = Table()
        for handheld in table.handhelds:
            handheld.settings.initials = 59319  # AAA, chosen by the player
            handheld.go("link.lobby")
        table.meet()
        table[0].compare("lobby_same_names")
        table.start_match()
        assert [handheld.scene.view.names for handheld in table.handhelds] == [[b"AA1", b"AA2"]] * 2
        table.tap(0, START, frames=20)
        table[1].compare("pause_same_names")
        table.tap(0, START)
        table.wait(lambda: table[0].link_session.state == RUNNING)
        table.finish(0)
        assert watch(table, 0).scene.names == [b"AA1", b"AA2"]

    def test_words_cover_a_high_stack_that_is_drawn_over_frames(self) -> None:
        table = Table().start_match()
        table.wait(lambda: table[1].match.time_ms > 1000)
        game = table[1].own_seat.game
        for y in range(12):
            game.matrix.set_row(y, bytes([8] * 9 + [0]))
        game.lines = 10
        table.tap(1, UP)
        assert not game.piece
        table.tap(0, START, frames=20)
        table[1].compare("pause_high")

    def test_all_see_the_same_result_and_return_to_the_lobby(self, table: Table) -> None:
        suspended = object()
        for handheld in table.handhelds:
            handheld.session.suspended = suspended
        table.finish(0)
        assert {handheld.match.winner for handheld in table.handhelds} == {table.number(1)}
        table[0].compare("lost_round")
        table[1].compare("won_round")
        table.tap(0, A)
        assert table[0].name == "link.over" and table[0].session.suspended is suspended
        table.step(4)
        table[0].compare("over_mine")
        table.step(80)
        table.tap(0, RIGHT, frames=1)
        table[0].compare("over_other")
        table.step()
        table.tap(0, A)
        assert table[0].name == "link.lobby"

    def test_presses_after_the_end_are_recorded_at_the_end(self, table: Table) -> None:
        """The other player's report up to the end has not arrived."""
        match = table[0].match
        table.wait(lambda: table.drop(1) and match.ends_ms != NOT_YET)
        table.wait(lambda: match.time_ms >= match.ends_ms - 100)
        table.lines[1].cut = True
        table.wait(lambda: match.time_ms == match.ends_ms)
        table.step(3)
        assert not match.over and table[0].link_session.state == RUNNING
        for button in (LEFT, START):
            table.tap(0, button)
            assert table[0].scene.noted.recorder.last_ms == match.ends_ms

    def test_the_next_round_begins_when_all_are_ready(self) -> None:
        table = play_first_of_two_rounds()
        table.tap(0, A, frames=20)
        assert table[0].link_session.state == READY and table[0].scene.said.endswith("WAIT")
        table.tap(1, A)
        table.wait(lambda: all(handheld.match.round and handheld.match.time_ms > 0 for handheld in table.handhelds))
        assert table[0].scene.view.message == ""
        table.finish(0)
        handheld = watch(table, 0)
        play_to_the_end(handheld)
        assert sum(handheld.match.wins) == 2

    def test_loading_shows_while_a_board_loads_the_next_round(self) -> None:
        table = play_first_of_two_rounds()
        handheld = table[0]
        show, pictures = handheld.display.show, set()

        def note() -> Any:
            sent = show()
            pictures.add(handheld.picture())
            return sent

        handheld.display.show = note  # type: ignore[method-assign]
        table.tap(0, A)
        table.tap(1, A)
        table.wait(lambda: handheld.match.round > 0)
        assert loading() in pictures

    def test_hold_with_start_moves_the_target_mark(self) -> None:
        table = Table(3)
        choose_and_start(table, DOWN, DOWN, RIGHT, RIGHT)
        mark = table[0].own_seat.mark
        for button in (HOLD, START):
            table[0].buttons.edges.append((button, 1, table[0].clock.now_ms))
        table.step(5)
        assert table[0].own_seat.mark != mark


class TestPause:
    @pytest.mark.parametrize("resume", [(START,), (UP, A, B)])
    def test_start_pauses_all_until_the_same_player_resumes(self, table: Table, resume: tuple[int, ...]) -> None:
        table.step(30)
        table.tap(0, START, frames=20)
        assert table[0].link_session.state == PAUSED
        table[0].compare("pause")
        table[1].compare("pause_of_other")
        paused_ms = table[1].match.time_ms
        table.step(200)
        assert table[1].match.time_ms == paused_ms
        table.tap(0, *resume)
        table.wait(lambda: all(handheld.match.time_ms > paused_ms + 100 for handheld in table.handhelds))
        assert table[1].scene.said == ""

    def test_options_change_the_players_own_games_and_recording_only(self, table: Table) -> None:
        table.step(30)
        match, other = table[0].match, table[1].match
        table.tap(0, START, DOWN, A, frames=20)
        table[0].compare("pause_options")
        table.tap(0, *[RIGHT] * 3, DOWN, RIGHT, *[DOWN] * 4, RIGHT, DOWN, RIGHT, B)
        chosen = match.choices[match.me]
        assert (chosen.das_ms, chosen.arr_ms, chosen.cut_repeat) == (303, 56, 1)
        assert other.choices[match.me].das_ms == 300 and not table[0].settings.music_on
        table.tap(0, START)
        table.wait(table[0].link_session.is_running)
        for _ in range(3):
            table.tap(0, HOLD)
            for pressed in (1, 0):
                table[0].buttons.edges.append((LEFT, pressed, table[0].clock.now_ms))
                table.step(40)
            table.tap(0, UP)
        table.finish(1)
        handheld = watch(table, 0)
        assert handheld.match.choices[match.me].das_ms == 300
        play_to_the_end(handheld)
        assert handheld.match.hash() == match.hash() and handheld.match.choices[match.me].das_ms == 303
        player = LinkPlayer(handheld.scene.recording)
        for _ in range(2):
            assert player.match.choices[match.me].das_ms == 300
            player.play()
            assert player.match.hash() == match.hash()
            player.rewind_round()

    def test_without_a_change_options_record_nothing(self, table: Table) -> None:
        used = table[0].scene.noted.recorder.used
        table.tap(0, START, DOWN, A, B, DOWN, frames=2)
        table[0].compare("pause_options_left")
        assert table[0].scene.noted.recorder.used == used

    def test_leaving_asks_twice_and_is_shown_to_the_other_player(self, table: Table) -> None:
        table.tap(0, START, UP, A, frames=1)
        table[0].compare("pause_leave")
        table.tap(0, A, frames=30)
        assert table[0].name == "link.lobby" and table[0].scene.explain() == b"YOU LEFT"
        assert table[1].match.winner == table.number(1) and table[1].link_session.state == OVER
        table[1].compare("other_left")
        table.step(60)
        table.tap(1, A, frames=1)
        assert table[1].name == "link.over"

    def test_a_suspended_game_continues_after_a_linked_match(self) -> None:
        table = Table(2, "menus.title")
        table[0].go("play")
        table.wait(lambda: table[0].name == "play.play" and table[0].scene.is_playing())
        table.tap(0, START)
        for handheld in table.handhelds:
            handheld.go("link.lobby")
        table.start_match()
        table.step(100)
        me = table[0].match.me
        table.tap(0, UP, *LEAVE, frames=30)
        resume_game(table[0].context)
        table.step(2)
        table.tap(0, START)
        table.wait(lambda: table[0].scene.is_playing())
        table.tap(0, LEFT, UP)
        assert table[0].game.lock_downs == 1
        assert LinkRecording(table[0].session.last()).me == me and table[0].session.watcher == "link.watch"

    def test_a_player_who_left_still_passes_frames_on(self) -> None:
        table = Table(3).start_match()
        table.tap(0, *LEAVE)
        table.wait(lambda: table[0].name == "link.lobby")
        table.step()
        table[0].compare("left")
        paused_ms = table[1].match.time_ms
        table.wait(lambda: all(table[place].match.time_ms > paused_ms + 3000 for place in (1, 2)))
        assert not any(table[place].match.seats[table.number(3 - place)].gone for place in (1, 2))

    def test_a_leave_without_a_cable_waits_two_seconds(self, table: Table) -> None:
        table.cut()
        table.tap(0, *LEAVE, frames=60)
        assert table[0].name == "link.play" and table[0].scene.said == "WAIT"
        table.wait(lambda: table[0].name == "link.lobby", 120)

    def test_b_after_a_round_leaves(self) -> None:
        table = play_first_of_two_rounds()
        table.tap(0, B)
        table.wait(lambda: table[0].name == "link.lobby")
        table.step(2)
        assert table[1].scene.said.startswith("ANN LEFT YOU WIN")


class TestCable:
    def test_a_pulled_cable_is_shown_until_it_is_plugged_in(self, table: Table) -> None:
        table.step(60)
        table.cut()
        table.step(40)
        table[0].compare("cable_out")
        table.cut(False)
        table.wait(lambda: all(handheld.scene.said == "" for handheld in table.handhelds))

    def test_a_player_silent_in_a_pause_is_shown_as_not_linked(self, table: Table) -> None:
        table.step(60)
        table.tap(0, START, frames=20)
        assert table[1].scene.said.startswith("PAUSE BY ")
        table.cut()
        table.step(200)
        assert table[1].scene.said.startswith("NO LINK TO ")

    def test_a_player_who_may_still_load_the_match_is_not_called_silent(self) -> None:
        table = Table()
        table.agree()
        table.cut()
        table.step(150)
        assert table[0].scene.said == "WAIT" and table[0].scene.session.away
        table.step(60)
        assert table[0].scene.said.startswith("NO LINK TO ")

    @pytest.mark.no_cover
    def test_after_half_a_minute_the_link_is_lost(self, table: Table) -> None:
        table.cut()
        table.step(1900)
        table[0].compare("cable_lost")
        table.tap(0, A)
        assert table[0].name == "link.lobby" and table[0].scene.explain() == b"LINK LOST"
        table.tap(1, B)
        assert table[1].name == "menus.main"

    @pytest.mark.no_cover
    @pytest.mark.parametrize("seed", range(3))
    def test_random_frames_with_the_match_key_change_no_saves(self, seed: int, table: Table) -> None:
        chance = random.Random(seed)
        first, other = table.handhelds
        first.context.save_settings()
        saves = [bytes(bank.image) for bank in first.banks], vars(first.settings).copy()
        ring, peer = other.link_session.ring, first.link_session.ring.peers[table.number(1)]
        for _ in range(40):
            kind = chance.choice((GREETING, PLAY, BEAT))
            head = [kind << 4, ring.key & 255, ring.key >> 8, ring.me << 4, peer.expected]
            frame = bytearray(head) + chance.randbytes(57)
            if kind == PLAY:
                frame[HEAD] = chance.randrange(1, 11) << 4 | frame[HEAD] & 15
            ring.wire.send(frame, chance.randrange(HEAD, 61))
            table.step(5)
        assert ([bytes(bank.image) for bank in first.banks], vars(first.settings)) == saves


def press(handheld: Linked, *buttons: int, frames: int = 0) -> None:
    for button in buttons:
        handheld.press(button)
        handheld.step(FRAME_MS)
    handheld.step(FRAME_MS, frames)


def watch(table: Table, place: int) -> Linked:
    """Choose LAST GAME on a handheld and wait until the card of keys is gone."""
    handheld = table[place]
    handheld.open("learn.menu", ms=FRAME_MS)
    press(handheld, *[DOWN] * handheld.scene.lines.index(b"LAST GAME"), A)
    assert handheld.name == "link.watch"
    handheld.wait_until(lambda: not handheld.scene.card_ms, FRAME_MS)
    return handheld


def play_to_the_end(handheld: Linked) -> None:
    press(handheld, UP, UP, UP)
    handheld.wait_until(lambda: handheld.scene.finished, FRAME_MS)


class TestWatch:
    def test_a_watched_match_shows_the_players_own_side(self, table: Table) -> None:
        table.tap(1, HOLD, UP)
        table.finish(0)
        played = table[1].match
        handheld = watch(table, 1)
        assert handheld.scene.me == played.me and handheld.scene.names == [b"ANN", b"BOB"]
        handheld.step(FRAME_MS, 60)
        handheld.compare("watch_own")
        play_to_the_end(handheld)
        assert handheld.match.hash() == played.hash()
        handheld.compare("watch_won")
        for seat, again in zip(played.seats, handheld.match.seats, strict=True):
            assert seat.game.matrix.masks == again.game.matrix.masks
        press(handheld, HOLD, frames=19)
        handheld.compare("watch_equal")

    def test_a_watched_match_ends_where_a_player_left(self, table: Table) -> None:
        number = table.number(1)
        table.tap(1, UP, frames=30)
        table.tap(0, *LEAVE, frames=60)
        for place in range(2):
            handheld = watch(table, place)
            play_to_the_end(handheld)
            assert handheld.match.seats[number].game.lock_downs == 1

    def test_a_watched_match_has_steps_but_cannot_be_played_on(self, table: Table) -> None:
        table.finish(0)
        handheld = watch(table, 0)
        play_to_the_end(handheld)
        press(handheld, LEFT)
        handheld.wait_until(lambda: not handheld.scene.line.seeking, FRAME_MS)
        assert not handheld.match.over and not handheld.scene.view.message
        assert handheld.match.seats[handheld.scene.me].game.lock_downs > 5
        press(handheld, START)
        assert handheld.name == "link.watch"


def test_a_linked_match_keeps_the_call_depth_of_a_watched_match() -> None:
    table = Table(3).start_match()
    for handheld in table.handhelds:
        arm(handheld.match)
    depth = Depth()
    for frame in range(200):
        table.now_ms += FRAME_MS
        for line in table.lines:
            line.now_ms = table.now_ms
        for handheld in table.handhelds:
            if frame % 50 in (0, 4):
                handheld.press(UP if frame % 50 else A, 5)
            depth.of(handheld, 1, FRAME_MS, mash=False)
    assert sum(seat.sent for seat in table[0].match.seats)
    assert len(depth.longest) <= DEEPEST_OF_A_MATCH, depth.longest
