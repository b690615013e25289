"""The figures of play (firmware/modes/README.md, F), and where a handheld shows them."""

from pathlib import Path

import pytest

from firmware.engine import events
from firmware.engine.game import Game
from firmware.engine.mode import Mode
from firmware.engine.options import HALF_TURNS
from firmware.match.figures import APM, APP, FINESSE, KPP, PPS, count, measure, write, write_hundredths
from firmware.modes.catalogue import MARATHON, STANDARD, make_mode
from firmware.save import suspended, suspended_revival
from firmware.save.recordings.recording import Player, Recording
from sim.bots.attacks import GUIDELINE, find_attacks
from tests.support import kept
from tests.support.drill import Drill, choose
from tests.support.handhelds.arcade import DOWN, HOLD, RIGHT, A, Arcade
from tests.support.handhelds.handheld import Handheld
from tests.support.recorded import PATHS, RECORDINGS, play, read
from tests.support.results import Console, ended


def make_game(rules: type[Game] = Game, **counts: int) -> Game:
    game = rules(1)
    choose(game.statistics, **counts)
    return game


class Attacks(Mode):
    """Sum up what each Lock Down would send in a match."""

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.rules = mode.rules
        self.sent = 0

    def begin(self, game: Game) -> None:
        self.mode.begin(game)

    def complete(self, game: Game) -> None:
        self.sent += find_attacks(GUIDELINE).count_lock_down(game, game.action & events.BACK_TO_BACK)
        self.mode.complete(game)


def test_f1_pps_is_lock_downs_by_the_time_of_the_game() -> None:
    assert measure(make_game(pieces=30), 45_000, 0)[PPS] == 66, "rounded down"


@pytest.mark.parametrize("spun", range(3))
@pytest.mark.parametrize("lines", range(5))
def test_f2_attack_is_the_table_of_matches(spun: int, lines: int) -> None:
    for chained in (False, True) if spun and lines or lines == 4 else (False,):
        game = make_game()
        game.statistics.count(spun, lines, events.BACK_TO_BACK if chained else 0)
        assert count(game) == find_attacks(GUIDELINE).count_lines(spun, lines, chained, 0, False)


@pytest.mark.parametrize("path", [*PATHS, RECORDINGS / "modes/modern.sky"], ids=lambda path: path.stem)
@pytest.mark.no_cover
def test_f2_the_attack_of_a_game_is_the_sum_of_its_lock_downs(path: Path) -> None:
    recording = Recording(path.read_bytes())
    attacks = Attacks(make_mode(recording.variant))
    game = recording.game(attacks)
    Player(recording, game).advance(1 << 28)
    assert count(game) == attacks.sent


def test_f2_apm_and_app_are_attack_a_minute_and_a_piece() -> None:
    figures = measure(make_game(pieces=40), 90_000, 25)
    assert (figures[APM], figures[APP]) == (1666, 62)


@pytest.mark.parametrize(
    ("script", "keys"),
    [
        pytest.param("left right cw ccw hold hard 200", 6, id="each control"),
        pytest.param("+soft 300 -soft", 1, id="a Soft Drop, however long"),
        pytest.param("+left 2000", 1, id="Auto-Repeat presses nothing"),
        pytest.param("hold hold left*9", 11, id="also without effect"),
        pytest.param("hard left left 200", 3, id="before the next Tetrimino comes"),
        pytest.param("+cw +ccw -cw -ccw", 2, id="two rotations without half turns"),
    ],
)
def test_f3_each_press_counts(script: str, keys: int) -> None:
    assert Drill("T", early_presses=1, script=script).game.statistics.keys == keys


@pytest.mark.parametrize(("script", "keys"), [("+cw +ccw -cw -ccw", 1), ("+left +cw +ccw", 2), ("hard +cw +ccw", 2)])
def test_f3_a_half_turn_is_one_press(script: str, keys: int) -> None:
    drill = Drill("T", mode=make_mode(MARATHON), modern=HALF_TURNS, early_presses=1, script=script)
    assert drill.game.statistics.keys == keys


def test_f3_kpp_is_presses_a_piece() -> None:
    assert measure(make_game(pieces=3, keys=10), 1000, 0)[KPP] == 333


def test_f4_finesse_is_the_percentage_without_a_fault() -> None:
    assert measure(make_game(), 1000, 0)[FINESSE] == 100
    assert measure(make_game(pieces=3, faults=1), 1000, 0)[FINESSE] == 66


def test_f4_standard_has_no_finesse() -> None:
    rules = make_mode(STANDARD).rules
    assert rules and write(make_game(rules, pieces=4, keys=8), 8000, 1)[KPP:] == [b"2.00", b"-"]


def test_a_standard_game_has_a_page_of_figures() -> None:
    console = Console(ended(STANDARD), STANDARD)
    console.tap(A, RIGHT, RIGHT)
    assert console.scene.list_lines()[2:6] == [b"0.80", b"32.27", b"0.67", b"3.10"]
    assert console.scene.count == 3


def test_f5_what_nobody_counted_is_a_dash() -> None:
    assert write(make_game(pieces=5), 10_000, 3)[KPP:] == [b"-", b"-"]
    assert write(make_game(pieces=5, keys=5), 10_000, 3)[KPP:] == [b"1.00", b"100"]


def test_f6_a_suspended_game_keeps_its_counts() -> None:
    drill = Drill("", mode=make_mode(MARATHON), script="left*3 hard 200 cw hard")
    drill.game.statistics.minis = 2
    restored = kept.copy(drill.game, MARATHON).statistics
    assert (restored.keys, restored.minis) == (6, 2)


def test_f6_a_game_of_an_earlier_version_counts_from_there_on(monkeypatch: pytest.MonkeyPatch) -> None:
    drill = Drill("", mode=make_mode(MARATHON), script="left*3 hard 200")
    with monkeypatch.context() as older:
        older.setattr(suspended, "FORMAT", 2)
        older.setattr(suspended, "_STATISTICS", suspended._STATISTICS[: suspended._OLD_STATISTICS])
        record = kept.packed(drill.game, MARATHON)
    assert record[0] == 2
    restored = suspended_revival.restore(record, make_mode)
    assert restored is not None and (restored.statistics.keys, restored.statistics.pieces) == (0, 1)


def test_nothing_divides_by_zero() -> None:
    assert write(make_game(), 0, 0) == [b"0.00"] * 4 + [b"100"]
    assert measure(make_game(pieces=1), 0, 1)[:APP] == [0, 0]


def test_text_has_two_digits_after_the_point() -> None:
    assert [write_hundredths(number) for number in (0, 5, 100, 1234)] == [b"0.00", b"0.05", b"1.00", b"12.34"]


class TestReplay:
    def watch(self) -> Handheld:
        handheld = Handheld(first="menus.title")
        handheld.open("replay.watch", read("marathon"), ms=0)
        for _ in range(2000):
            handheld.step()
            if not handheld.scene.line.reading:
                break
        return handheld

    def test_down_shows_them_when_stopped(self) -> None:
        handheld = self.watch()
        handheld.step(16, 1500)
        handheld.tap(DOWN)
        assert not handheld.scene.told
        handheld.tap(A, DOWN)
        handheld.step()
        handheld.compare("watch_figures")

    def test_any_button_but_a_step_removes_them(self) -> None:
        handheld = self.watch()
        handheld.step(16, 100)
        handheld.tap(A)
        before = handheld.step()
        handheld.tap(DOWN)
        assert handheld.step() != before
        handheld.tap(DOWN)
        assert handheld.step() == before

    def test_a_step_shows_those_of_the_new_moment(self) -> None:
        handheld = self.watch()
        handheld.tap(A, DOWN)
        pictures = {handheld.step()}
        for _ in range(3):
            handheld.tap(RIGHT)
            handheld.step(16, 10)
            pictures.add(handheld.picture())
        stepped = handheld.picture()
        handheld.tap(DOWN, DOWN)
        assert len(pictures) == 4 and handheld.step() == stepped

    def test_a_match_shows_those_of_the_side(self) -> None:
        arcade = Arcade()
        arcade.lose_round(80)
        blob = arcade.session.last()
        arcade.open("match.watch", blob, ms=0)
        arcade.step(16, 100)
        arcade.tap(A, DOWN)
        arcade.step()
        arcade.compare("watch_figures")
        seen = arcade.picture()
        arcade.tap(HOLD, DOWN)
        assert arcade.step() != seen, "of the other side"
        arcade.tap(HOLD, DOWN)
        assert not arcade.scene.told, "all sides at once have no figures"


def test_the_lifetime_keeps_the_best_attack_a_minute() -> None:
    console = Console(ended())
    console.open("menus.lifetime_statistics", 1)
    assert console.scene.value(5) == b"32.27"


def test_a_replay_measures_the_same_game() -> None:
    """The figures of a recording do not depend on how it is sliced."""
    found = []
    for slice_ms in (17, 1000):
        game, _trace = play(read("fast"), slice_ms)
        found.append(measure(game, game.time_ms, count(game)))
    assert found[0] == found[1] and min(found[0]) > 0
