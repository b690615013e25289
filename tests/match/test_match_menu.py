"""VERSUS before a match: its menu, its rules, and a match without room, which it refuses by name."""

import pytest

from firmware import refusing
from firmware.device.edges import EdgeQueue
from firmware.device.handheld import Machine
from firmware.engine.options import HALF_TURNS
from firmware.match.fields import check
from firmware.match.options import MARKED
from firmware.players.levels import LEVELS, NAMES, STRONGEST
from firmware.resuming import open_first
from firmware.save import match_choices
from firmware.scenes.match.names import name_players
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import DOWN, LEFT, RIGHT, A, Arcade, B
from tests.support.handhelds.handheld import Handheld


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
            arcade.go_down_to(b"RIVALS")
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
        arcade.go_down_to(b"RIVAL")
        at = arcade.scene.at
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
        arcade.go_down_to(b"RIVAL")
        at = arcade.scene.at
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
        arcade.go_down_to(b"RULES...")
        at = arcade.scene.at
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

    @pytest.mark.parametrize(("teams", "name"), [(0, "menu_co_op"), (1, "")])
    def test_start_tells_the_goal_of_a_co_op_match(self, teams: int, name: str) -> None:
        arcade = Arcade("match.menu", TOGETHER=1, TEAMS=teams)
        assert arcade.scene.notes[0].startswith(b"CLEAR 40 LINES|TOGETHER")
        if name:
            arcade.step()
            arcade.compare(name)

    @pytest.mark.parametrize(
        ("opponents", "teams", "word"), [(0, 0, b"PLAYER"), (0, 1, b"PLAYER"), (1, 0, b"PLAYER"), (1, 1, b"TEAM")]
    )
    def test_start_tells_who_wins(self, opponents: int, teams: int, word: bytes) -> None:
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


class TestChoices:
    def test_every_number_survives_unpack_and_pack(self) -> None:
        for number in (0, 1, 1_188_003, 28_511_999, 12_345_678, 769_823_999):
            assert match_choices.pack(match_choices.unpack(number)) == number

    def test_levels_of_the_strong_player_leave_the_other_choices_alone(self) -> None:
        choices = match_choices.unpack(12_345_678)
        for level in range(1, STRONGEST + 1):
            match_choices.set_level(choices, 2, level)
            number = match_choices.pack(choices)
            seats = match_choices.make_options(match_choices.unpack(number - number % 3 + 2))
            assert seats.level_of(3) == level and match_choices.pack_link(choices) == 12_345_678 // 375

    def test_the_default_is_one_opponent_of_level_two(self) -> None:
        options = match_choices.make_options(match_choices.unpack(1_188_003))
        check(options)
        assert (options.players, options.level_of(0), options.level_of(1), options.quicken_s) == (2, 0, 2, 30)

    @pytest.mark.parametrize(
        ("opponents", "teams", "mask"),
        [(1, 0, 0), (1, 1, 0b10), (1, 2, 0b10), (2, 1, 0b100), (3, 1, 0b1100), (3, 2, 0b1110)],
    )
    def test_teams_leave_nobody_without_an_opponent(self, opponents: int, teams: int, mask: int) -> None:
        choices = match_choices.unpack(0)
        choices[match_choices.OPPONENTS] = opponents - 1
        choices[match_choices.TEAMS] = teams
        options = match_choices.make_options(choices)
        check(options)
        assert options.teams == mask
