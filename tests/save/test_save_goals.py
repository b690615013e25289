"""GOALS (firmware/modes/README.md 22): one table of forty, judged by counts, kept in six bytes."""

import re
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.game import AIM_REACHED, BLOCK_OUT, Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA, ZEN, make_mode
from firmware.modes.rules import find_rules
from firmware.save import goals, week
from firmware.save.all_clears import Runs
from firmware.save.goals import COUNT, GOALS, STEP
from firmware.save.journal import ALL_CLEARS, NUMBERS, OPENERS, PUZZLES, VERSUS
from firmware.save.life import Life
from firmware.save.match_scores import FIELDS, LADDER, WON, Versus
from firmware.save.puzzles import Progress
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, LEFT, RIGHT, START, A, begin_game, paused
from tests.support.records import packed, save
from tests.support.variants import MASTER, SURVIVE

TABLE = [(name.decode(), condition.decode(), words.decode()) for name, condition, words in goals.read()]
NAMES = [name for name, _condition, _words in TABLE]
MINUTE_MS = 60_000
TODAY = 20261122


class Player:
    """A handheld whose games end as a test says."""

    def __init__(self) -> None:
        self.handheld = Handheld(store=[RamStore()], first="menus.legal")
        self.context = self.handheld.context

    def end(self, variant: int, over: int = BLOCK_OUT, **facts: Any) -> Game:
        """Return a game of a mode that has ended with these facts, options and counts."""
        options = Options()
        for name in [name for name in facts if hasattr(options, name) and name not in ("lines",)]:
            setattr(options, name, facts.pop(name))
        mode = make_mode(variant)
        game = find_rules(mode, options)(facts.pop("seed", 7), options, mode)
        game.over = over
        game.statistics.pieces = 50
        for name, value in facts.items():
            setattr(game.statistics if hasattr(game.statistics, name) else game, name, value)
        self.context.session.variant = variant
        return game

    def judge(self, game: "Game | None" = None, done: bytes = b"") -> bytes:
        return goals.judge(self.context, goals.count_saves(self.context.journal, done), game)

    def reached(self) -> set[str]:
        record = goals.load(self.context.journal)
        return {name for number, name in enumerate(NAMES) if goals.has(record, number)}

    def save(self, kind: int, record: Any) -> None:
        save(self.context.journal, kind, packed(record))


@pytest.fixture
def player() -> Player:
    return Player()


def kinds(**counts: int) -> list[int]:
    """Return Statistics.kinds by words such as t2 and l4: spin or none, and lines."""
    found = [0] * 15
    for word, count in counts.items():
        found[{"l": 0, "m": 5, "t": 10}[word[0]] + int(word[1])] = count
    return found


class TestTable:
    def test_22_1_there_are_forty_goals_in_five_steps(self) -> None:
        assert len(TABLE) == COUNT == 40 and COUNT // STEP == 5 and len(set(NAMES)) == COUNT

    @pytest.mark.parametrize("name", NAMES)
    def test_22_1_names_and_words_fit_the_screen(self, name: str) -> None:
        words = TABLE[NAMES.index(name)][2].split("|")
        assert re.fullmatch(r"[A-Z0-9-]+( [A-Z0-9:]+)*", name) and len(name) <= 11  # behind GOAL
        assert len(words) <= 2 and all(0 < text_width(line.encode(), FONT_3X5) <= 64 for line in words)

    @pytest.mark.parametrize("name", NAMES)
    def test_22_1_each_condition_is_a_figure_that_the_code_knows(self, name: str) -> None:
        figure, least = TABLE[NAMES.index(name)][1].split(" ")
        source = Path(goals.__file__).read_text(encoding="utf-8")
        known = set(re.findall(r'figures\[b"([^"]+)"\]', source)) | {"taught", "cable"}
        known |= {*goals._LEVELS.decode().split()}
        assert figure in known and re.fullmatch(r"-?[1-9][0-9]*", least)

    def test_22_1_a_figure_gets_harder_with_each_step(self) -> None:
        least: dict[str, int] = {}
        for _name, condition, _words in TABLE:
            figure, number = condition.split(" ")
            assert int(number) > least.get(figure, -10_000), condition
            least[figure] = int(number)


GAMES: dict[str, tuple[int, dict[str, Any], set[str]]] = {
    "a line": (MARATHON, {"lines": 1}, {"FIRST LINE"}),
    "ten lines": (ULTRA, {"lines": 10}, {"FIRST LINE", "10 LINES"}),
    "a hundred": (MARATHON, {"lines": 100}, {"FIRST LINE", "10 LINES", "40 LINES", "100 LINES"}),
    "double": (MARATHON, {"kinds": kinds(l2=1)}, {"2 AT ONCE"}),
    "triple": (MARATHON, {"kinds": kinds(l3=1)}, {"3 AT ONCE"}),
    "tetris": (MARATHON, {"kinds": kinds(l4=1)}, {"TETRIS"}),
    "t-spin single": (MARATHON, {"kinds": kinds(t1=1)}, {"T-SPIN"}),
    "t-spin without a line": (MARATHON, {"kinds": kinds(t0=1)}, set()),
    "mini": (MARATHON, {"kinds": kinds(m1=1)}, set()),
    "t-spin double": (MARATHON, {"kinds": kinds(t2=1)}, {"T-SPIN", "T DOUBLE", "2 AT ONCE"}),
    "t-spin triple": (MARATHON, {"kinds": kinds(t3=1)}, {"T-SPIN", "T TRIPLE", "3 AT ONCE"}),
    "hold": (MARATHON, {"holds": 5}, {"HOLD"}),
    "combo": (MARATHON, {"longest_combo": 7}, {"COMBO 3", "COMBO 7"}),
    "b2b": (MARATHON, {"back_to_backs": 10}, {"B2B", "B2B X10"}),
    "clean": (MARATHON, {"keys": 99, "faults": 2}, {"CLEAN"}),
    "not clean": (MARATHON, {"keys": 99, "faults": 3}, set()),
    "unknown presses": (MARATHON, {"keys": 0, "faults": 0}, set()),
    "short and clean": (MARATHON, {"keys": 99, "pieces": 39}, set()),
    "sprint": (SPRINT, {"over": AIM_REACHED, "time_ms": 180_000}, {"SPRINT"}),
    "sprint 2:59": (SPRINT, {"over": AIM_REACHED, "time_ms": 179_999}, {"SPRINT", "SPRINT 3:00"}),
    "sprint 1:00": (SPRINT, {"over": AIM_REACHED, "time_ms": 60_000}, {"SPRINT", "SPRINT 3:00", "SPRINT 1:30"}),
    "sprint 0:59": (
        SPRINT,
        {"over": AIM_REACHED, "time_ms": 59_999},
        {"SPRINT", "SPRINT 3:00", "SPRINT 1:30", "SPRINT 1:00"},
    ),
    "sprint given up": (SPRINT, {"time_ms": 20_000}, set()),
    "sprint of 20": (SPRINT, {"over": AIM_REACHED, "time_ms": 20_000, "aim": 20}, set()),
    "slow sprint": (SPRINT, {"over": AIM_REACHED, "time_ms": 59_000, "slow": 1}, set()),
    "slow line": (MARATHON, {"lines": 1, "slow": 1}, {"FIRST LINE"}),
    "marathon": (MARATHON, {"over": AIM_REACHED}, {"MARATHON"}),
    "marathon from 15": (MARATHON, {"over": AIM_REACHED, "level": 15}, set()),
    "blocks first": (MARATHON, {"lines": 40, "garbage_rows": 1}, set()),
    "zen": (ZEN, {"lines": 100, "kinds": kinds(l4=9)}, set()),
    "survive": (SURVIVE, {"time_ms": 3 * MINUTE_MS}, {"3 MINUTES"}),
    "no more": (SURVIVE, {"time_ms": 3 * MINUTE_MS - 1}, set()),
    "nothing": (MARATHON, {"lines": 4, "pieces": 0}, set()),
}


class TestJudged:
    @pytest.mark.parametrize("name", GAMES)
    def test_22_2_a_game_reaches_goals_by_its_counts(self, player: Player, name: str) -> None:
        variant, facts, reached = GAMES[name]
        player.judge(player.end(variant, **facts))
        assert player.reached() == reached

    def test_22_2_a_grade_of_master(self, player: Player) -> None:
        game = player.end(MASTER)
        game.level = 18
        player.judge(game)
        assert player.reached() == set()
        game.level = 19
        player.judge(game)
        assert player.reached() == {"GRADE M1"}

    def test_22_3_saves_reach_goals_without_a_game(self, player: Player) -> None:
        puzzles = Progress(46, b"")
        puzzles.tries[:20] = bytes([3]) * 20
        player.save(PUZZLES, puzzles)
        openers = Progress(20, b"")
        openers.tries[3] = 1
        player.save(OPENERS, openers)
        runs = Runs(b"")
        runs.key = 1
        runs.mark_solved(2)
        player.save(ALL_CLEARS, runs)
        life = Life()
        life.games = 10
        player.save(NUMBERS, life)
        versus = Versus()
        versus.counts[4 * FIELDS + WON] = versus.counts[0 * FIELDS + WON] = 1
        versus.counts[LADDER] = 5
        player.save(VERSUS, versus)
        player.judge()
        lessons = {"A PUZZLE", "5 PUZZLES", "20 PUZZLES", "AN OPENER", "ALL CLEAR"}
        assert player.reached() == lessons | {"10 GAMES", "BEAT SNAIL", "BEAT HAWK", "LADDER"}

    @pytest.mark.parametrize(("done", "name"), [(b"taught", "FIRST GAME"), (b"cable", "BY CABLE")])
    def test_22_3_what_leaves_no_count_is_told_at_once(self, player: Player, done: bytes, name: str) -> None:
        assert player.judge(None, done) == b"GOAL " + name.encode()
        assert player.reached() == {name} and player.judge(None, done) == b""

    def test_22_7_of_several_the_hardest_is_told_and_each_once(self, player: Player) -> None:
        game = player.end(MARATHON, lines=40)
        assert player.judge(game) == b"GOAL 40 LINES" and player.judge(game) == b""


class TestDays:
    @pytest.mark.parametrize(("days", "reached"), [(0, set()), (2, {"TODAY"}), (7, {"TODAY", "3 DAYS", "7 DAYS"})])
    def test_22_5_days_of_daily_in_a_row(self, player: Player, days: int, reached: set[str]) -> None:
        for day in range(TODAY, TODAY + days):
            week.add(player.context.journal, day)
        player.judge()
        assert player.reached() == reached


class TestSaved:
    def test_22_6_the_record_has_six_bytes_and_outlives_the_power(self) -> None:
        store = RamStore()
        handheld = Handheld(store=[store], first="menus.legal")
        goals.judge(handheld.context, {b"taught": 1})
        assert len(handheld.journal.read(GOALS)) == 6
        again = Handheld(store=[store], first="menus.legal")
        assert goals.has(goals.load(again.journal), 0) and not goals.has(goals.load(again.journal), 1)

    @pytest.mark.parametrize("record", [b"", b"\2" + bytes(5), b"\1\xff", bytes(20)])
    def test_22_6_an_unknown_record_counts_as_empty(self, player: Player, record: bytes) -> None:
        save(player.context.journal, GOALS, record)
        assert player.reached() == set()

    def test_22_6_without_news_nothing_is_written(self, player: Player) -> None:
        player.judge(None, b"taught")
        end = player.context.journal.end
        player.judge(None, b"taught")
        assert player.context.journal.end == end

    def test_22_6_a_failed_store_reaches_nothing(self, player: Player) -> None:
        player.context.journal.failed = True
        assert player.judge(None, b"taught") == b""


def finish_game(handheld: Handheld) -> None:
    lose(handheld)
    handheld.step(frames=80)
    while handheld.name != "menus.over":
        handheld.follow(A, frames=20)


class TestToast:
    def test_22_7_a_result_tells_a_goal_in_one_line(self) -> None:
        handheld = begin_game()
        handheld.game.lines = 1
        finish_game(handheld)
        assert handheld.scene.told == b"GOAL FIRST LINE"
        handheld.compare("goals_congratulation")
        handheld.step(frames=70)
        handheld.tap(RIGHT)
        handheld.step()
        handheld.compare("goals_result")

    def test_22_7_start_held_at_the_end_loses_no_goal(self) -> None:
        handheld = begin_game()
        handheld.game.lines = 1
        lose(handheld)
        handheld.hold(START, 40)
        assert handheld.name == "play.play"
        assert goals.has(goals.load(handheld.journal), 1)

    def test_22_4_a_game_that_is_only_watched_earns_nothing(self) -> None:
        handheld = paused(3)
        handheld.tap(START)
        handheld.wait_until(lambda: handheld.scene.is_playing())
        lose(handheld)
        recording = handheld.session.replay()
        handheld.journal.save(GOALS, 0)
        handheld.router.watch("replay.watch", recording)
        handheld.step(ms=100, frames=400)
        assert len(handheld.journal.read(GOALS)) == 0


class TestPage:
    def test_22_8_the_page_begins_with_what_is_next(self) -> None:
        handheld = Handheld(store=[RamStore()], first="menus.legal")
        save(handheld.journal, GOALS, bytes((1, 0b0101_1111, 1, 0, 0, 0)))
        handheld.open("learn.goals_menu", frames=2)
        scene = handheld.scene
        assert (scene.at, scene.done) == (5, 7)
        assert (scene.lines[0], scene.lines[5]) == (b"+ FIRST GAME", b"  10 LINES")
        handheld.compare("goals")
        handheld.tap(RIGHT)
        handheld.step()
        assert scene.at == STEP
        handheld.compare("goals_step_2")
        handheld.tap(LEFT, LEFT)
        assert scene.at == COUNT - STEP
        handheld.tap(A)
        assert scene.at == 0

    def test_22_8_the_page_counts_what_no_result_has_told(self) -> None:
        handheld = Handheld(store=[RamStore()], first="menus.legal")
        puzzles = Progress(46, b"")
        puzzles.tries[0] = 1
        save(handheld.journal, PUZZLES, packed(puzzles))
        handheld.open("learn.goals_menu", frames=2)
        assert b"+ A PUZZLE" in handheld.scene.lines

    def test_22_8_with_all_goals_it_begins_at_the_top(self) -> None:
        handheld = Handheld(store=[RamStore()], first="menus.legal")
        save(handheld.journal, GOALS, b"\1" + b"\xff" * 5)
        handheld.open("learn.goals_menu", frames=2)
        assert (handheld.scene.at, handheld.scene.done) == (0, COUNT)

    def test_22_8_learn_leads_there_and_back(self) -> None:
        handheld = Handheld(store=[RamStore()], first="learn.menu")
        while handheld.scene.lines[handheld.scene.at] != b"GOALS":
            handheld.tap(DOWN)
        assert handheld.follow(A, frames=2) == "learn.goals_menu"
        assert handheld.follow(6, frames=2) == "learn.menu"
