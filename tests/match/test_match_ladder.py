"""The ladder: each computer in turn, best of three; where the player stands is kept and shown to friends."""

from typing import Any

import pytest

from firmware import refusing
from firmware.device.handheld import Machine
from firmware.match.options import MatchOptions
from firmware.players.levels import STRONGEST
from firmware.save import match_choices
from firmware.save.journal import VERSUS, Journal
from firmware.save.match_scores import FIELDS, LADDER, Versus, read_ladder
from firmware.save.match_suspended import suspend
from tests.support.drill import choose
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import DOWN, LEFT, RIGHT, TOWER, UP, A, Arcade, B, set_matrix
from tests.support.handhelds.linked import Table


def stand_at(rung: int, journal: Journal | None = None) -> list[Any]:
    """Return the banks of a player who has beaten the computers up to level `rung`."""
    journal = journal or Journal([RamStore(4096)])
    versus = Versus(journal.read(VERSUS))
    versus.counts[LADDER] = rung
    assert journal.append(VERSUS, versus.pack(journal.payload))
    return journal.stores


def open_ladder(rung: int = 0) -> Arcade:
    arcade = Arcade("match.ladder", store=stand_at(rung))
    arcade.step()
    return arcade


def end_round(arcade: Arcade, loser: int) -> None:
    """Let a player lose the round, and go on."""
    arcade.step(16, 30)
    set_matrix(arcade.match, loser, TOWER)
    if loser:
        arcade.finish_round()
    else:
        arcade.lose_round()
    arcade.step(frames=80)
    arcade.follow(A)


def test_the_field_of_the_ladder_comes_after_those_of_all_levels() -> None:
    assert LADDER == STRONGEST * FIELDS


def test_versus_leads_to_the_ladder_and_b_leads_back() -> None:
    arcade = Arcade("match.menu")
    arcade.follow(DOWN, DOWN, DOWN, A)
    assert arcade.name == "match.ladder"
    arcade.compare("ladder_0")
    arcade.follow(B)
    assert (arcade.name, arcade.scene.lines[arcade.scene.at]) == ("match.menu", b"LADDER")


@pytest.mark.parametrize(("rung", "at"), [(2, 2), (5, 4), (7, 4)])
def test_the_ladder_begins_at_the_first_rival_not_beaten_yet(rung: int, at: int) -> None:
    arcade = open_ladder(rung)
    assert (arcade.scene.at, len(arcade.scene.lines)) == (at, 5)
    arcade.compare(f"ladder_{min(rung, 5)}")


def test_a_rival_after_the_next_one_must_wait() -> None:
    arcade = open_ladder(1)
    arcade.follow(DOWN, A)
    assert (arcade.name, arcade.scene.at, arcade.settings.last_match) == ("match.ladder", 2, 0)
    arcade.follow(UP, UP, A)
    assert arcade.match.options.level_of(1) == 1, "a rival that was beaten plays again"


def test_on_a_pc_the_last_rung_is_roc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "levels", STRONGEST)
    arcade = open_ladder(7)
    assert arcade.scene.lines[-1] == b"ROC"
    arcade.compare("ladder_7")


def test_a_rung_is_a_match_of_two_best_of_three_whatever_versus_has() -> None:
    arcade = Arcade("match.ladder", store=stand_at(3), OPPONENTS=2, HANDICAP=1, STARTING=5, WINS=3)
    arcade.follow(A)
    options = arcade.match.options
    default = choose(MatchOptions(), players=2, wins=2, who=4 << 4)
    assert {name: getattr(options, name) for name in vars(default)} == vars(default)
    assert match_choices.unpack(arcade.settings.versus)[match_choices.OPPONENTS] == 2


def test_start_in_versus_leaves_the_ladder() -> None:
    arcade = Arcade("match.menu", OPPONENTS=2)
    arcade.settings.last_match = 5
    arcade.follow(A)
    assert (arcade.settings.last_match, arcade.match.options.players) == (1, 4)


def test_room_is_asked_for_one_rival() -> None:
    arcade = Arcade("menus.title", OPPONENTS=2)
    arcade.settings.last_match = 4
    assert refusing.describe(arcade.context, "match.play") == (1, 0)


def test_two_rounds_won_are_a_rung_and_the_next_rival_waits() -> None:
    arcade = open_ladder()
    arcade.follow(A)
    end_round(arcade, 1)
    assert read_ladder(arcade.journal) == 0, "one round is no match"
    end_round(arcade, 0)
    end_round(arcade, 1)
    assert (arcade.name, read_ladder(arcade.journal)) == ("match.over", 1)
    arcade.step(1000)
    arcade.follow(A)
    assert (arcade.name, arcade.scene.lines[arcade.scene.at]) == ("match.ladder", b"DUCK")


@pytest.mark.parametrize("rung", [0, 2])
def test_a_rung_counts_only_after_the_one_before_and_once(rung: int) -> None:
    versus = Versus()
    versus.counts[LADDER] = rung
    versus.climb(2, choose(MatchOptions(), players=2, wins=2))
    assert versus.counts[LADDER] == rung


@pytest.mark.parametrize(
    ("change", "climbs"),
    [({}, 1), ({"wins": 1}, 0), ({"wins": 3}, 0), ({"players": 3}, 0), ({"handicaps": 1}, 0)],
)
def test_a_match_of_versus_by_the_same_rules_is_a_rung(change: dict[str, int], climbs: int) -> None:
    versus = Versus()
    versus.climb(1, choose(MatchOptions(), **{"players": 2, "wins": 2} | change))
    assert versus.counts[LADDER] == climbs


def test_a_match_lost_is_no_rung() -> None:
    arcade = open_ladder()
    arcade.follow(A)
    end_round(arcade, 0)
    end_round(arcade, 0)
    assert (arcade.name, read_ladder(arcade.journal)) == ("match.over", 0)


def test_a_rung_goes_on_after_power_off() -> None:
    arcade = open_ladder(1)
    arcade.follow(A)
    end_round(arcade, 1)
    assert suspend(arcade.match, arcade.journal)
    again = Arcade("menus.main", store=arcade.banks)
    again.follow(A)
    again.step(frames=200)
    assert again.match.options.level_of(1) == 2 and bytes(again.match.wins) == b"\1\0"


@pytest.mark.parametrize(("record", "rung"), [(b"", 0), (b"\x01" + bytes(42), 0), (b"\x01" + bytes(42) + b"\x09", 7)])
def test_an_older_or_damaged_record_is_read(record: bytes, rung: int) -> None:
    journal = Journal([RamStore(4096)])
    journal.payload[: len(record)] = record
    journal.append(VERSUS, len(record))
    assert read_ladder(journal) == rung


def test_the_lobby_shows_whom_each_player_has_beaten() -> None:
    table = Table(2, "match.menu")
    for place, rung in ((0, 3), (1, 0)):
        stand_at(rung, table[place].journal)
        table.tap(place, DOWN, A)
    table.step(60)
    table[1].compare("lobby_ladder")
    table.tap(0, DOWN, RIGHT, UP, frames=40)
    assert [member.ladder for member in table.lobby(1).members] == [3, 0]
    table[1].compare("lobby_ladder_teams")


def test_left_and_right_change_nothing_on_the_ladder() -> None:
    arcade = open_ladder(2)
    arcade.follow(LEFT, RIGHT, UP)
    assert (arcade.name, arcade.scene.at) == ("match.ladder", 1)
