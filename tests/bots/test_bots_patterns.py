"""The strong player's patterns, and how it learns them. These tests run its Numba code as plain Python."""

import random
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim.bots import attacks
from tests.support.handhelds.command_lines import refused
from tests.support.plain_numba import load_plain
from tools.bots.__main__ import choose_bot, is_learned, main
from tools.workers import Workers

# Compiled keys wrap without a warning.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
ASKED = {
    "policy": "",
    "strong": False,
    "tuned": False,
    "learned": None,
    "think": 5,
    "nodes": 10,
    "attacks": "guideline",
}
TABLES = Path(attacks.__file__).with_name("tables")


@pytest.fixture(scope="module", autouse=True)
def strong() -> Iterator[Any]:
    names = ("ahead", "beam", "bot", "columns", "evaluation", "learning", "patterns", "search", "self_play", "weights")
    with load_plain(*(f"strong.{name}" for name in names)) as modules:
        yield modules


def find(strong: Any, *rows: str) -> list[int]:
    """Return the patterns of rows, the lowest one last; # is a Block."""
    masks = [sum(1 << x for x, cell in enumerate(row) if cell == "#") for row in reversed(rows)]
    return find_in(strong, strong.columns.make_columns(masks))


def find_in(strong: Any, columns: Any) -> list[int]:
    room = strong.beam.make_room()
    ones = np.zeros(len(strong.weights.NAMES) + strong.patterns.ENTRIES, np.int64)
    strong.evaluation.rate_position(columns, 0, 0, ones, room.full_rows)
    return [int(entry) for entry in room.full_rows[strong.patterns.FIRST :]]


class TestPatterns:
    @pytest.mark.parametrize("seed", range(6))
    def test_mirrored_matrices_have_the_same_patterns(self, seed: int, strong: Any) -> None:
        chance = random.Random(seed)
        rows = ["".join(chance.choices("#.", (4, 1), k=10)) for _ in range(chance.randrange(20))]
        found, mirrored = find(strong, *rows), find(strong, *(row[::-1] for row in rows))
        assert Counter(found) == Counter(mirrored) and len(found) == strong.patterns.PATTERNS
        assert all(0 <= entry < strong.patterns.ENTRIES for entry in found)

    def test_a_hole_below_the_surface_is_part_of_a_pattern(self, strong: Any) -> None:
        flat, hole = find(strong, "##########", "#.########"), find(strong, "##########", "##########")
        changed = [at for at, (one, other) in enumerate(zip(flat, hole, strict=True)) if one != other]
        assert changed == [0, 1, 9, 10]  # pairs and triples that have its column

    def test_a_row_that_only_the_pair_leaves_open_counts(self, strong: Any) -> None:
        open_row, other = find(strong, "..########"), find(strong, "..#######.")
        assert open_row[0] - other[0] == 1 << 14

    def test_height_differences_count_up_to_three(self, strong: Any) -> None:
        heights = [*["#........."] * 3, "##########"]
        assert find(strong, *heights)[17] == find(strong, "#.........", *heights)[17] != find(strong, *heights[1:])[17]

    def test_points_of_patterns_add_to_a_rating(self, strong: Any) -> None:
        columns = strong.columns.make_columns([0b1111111110, 0b0000000110])
        room = strong.beam.make_room()
        known = len(strong.weights.NAMES)
        weights = np.zeros(known + strong.patterns.ENTRIES, np.int64)
        entries = find_in(strong, columns)
        weights[[known + entry for entry in entries]] = 1
        assert strong.evaluation.rate_position(columns, 0, 0, weights, room.full_rows) == len(entries)
        assert strong.evaluation.rate_position(columns, 0, 0, weights[:known], room.full_rows) == 0


@pytest.fixture
def small(strong: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Learning with few and short lessons."""
    for name, value in {"_SHARE": 1, "_POSITIONS": 3, "_LEAST": 8, "_SAMPLES": 1, "_DEPTH": 1, "_WIDTH": 2}.items():
        monkeypatch.setattr(strong.learning, name, value)
    return strong.learning.Plan(7, 2, 1, pieces=18, nodes=60, step=1.0)


def learn(strong: Any, plan: Any) -> list[Any]:
    with Workers(1) as workers:
        return [*strong.learning.learn(plan, workers)]


def begin_search(strong: Any) -> Any:
    search = strong.search.Search(widest=64)
    search.set_position(np.zeros(10, np.int64), 1, 0, [2, 3])
    search.budget = 1000
    return search


class TestLearning:
    @pytest.mark.slow
    def test_equal_plans_learn_equal_points(self, small: Any, strong: Any) -> None:
        once, again = (learn(strong, small) for _ in range(2))
        assert [row for _, row in once] == [row for _, row in again] and len(once) == small.rounds
        assert once[-1][0].weights == again[-1][0].weights != strong.weights.ATTACK
        assert (once[-1][0].patterns == again[-1][0].patterns).all() and once[-1][0].patterns.any()
        assert once[-1][0].defence == strong.weights.DEFENCE and not len(once[-1][0].defence_patterns)

    @pytest.mark.slow
    def test_lessons_for_matches_teach_points_for_a_high_matrix(self, small: Any, strong: Any) -> None:
        """In the second half of the rounds, when those for a low one rest."""
        (low, _), (high, _) = learn(strong, small._replace(match=True, pieces=80))
        assert low.weights != strong.weights.ATTACK and low.defence == strong.weights.DEFENCE
        assert high.weights == low.weights and (high.patterns == low.patterns).all()
        assert high.defence != strong.weights.DEFENCE and high.defence_patterns.any()

    @pytest.mark.slow
    def test_line_clears_in_a_row_count_in_a_high_matrix_too(
        self, small: Any, strong: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By tables that send for them, lessons' values have their points."""
        taught = []

        def fit(_lessons: Any, learned: Any, *_: Any) -> tuple[Any, float]:
            taught.append(learned.weights)
            return learned, 0.0

        monkeypatch.setattr(strong.learning, "fit", fit)
        learn(strong, small._replace(match=True, rounds=3, attacks="modern"))
        names, extras = len(strong.weights.NAMES), strong.weights.find_extras("modern")
        assert [weights[names:] for weights in taught] == [extras] * 3
        assert taught[1][:names] == taught[2][:names] == strong.weights.DEFENCE

    def test_a_lost_queue_is_the_worst_that_a_lesson_knows(self, small: Any, strong: Any) -> None:
        """Only in a high Matrix, and not if both queues of a position are lost."""
        search = begin_search(strong)
        for weights, values, said in (
            (search.defence, (strong.beam.LOST, 100), {strong.learning._LOSS}),
            (search.defence, (strong.beam.LOST, strong.beam.LOST), set()),
            (search.attack, (strong.beam.LOST, 100), set()),
        ):
            found, search.weights = iter(values * 100), weights
            teacher = strong.learning.Teacher(1, weights is search.defence)
            search.replay(0)
            search.think(1000)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(strong.learning, "_SAMPLES", 2)
                patch.setattr(teacher, "rate", lambda *_, found=found: next(found))
                teacher.look(search)
            assert {2 * value - 100 for *_, value, _ in teacher.lessons} == said

    def test_games_without_lessons_teach_nothing(
        self, small: Any, strong: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(strong.learning, "_SHARE", 0)
        ((learned, row), *_) = learn(strong, small)
        assert learned.weights == strong.weights.ATTACK and not learned.patterns.any()
        assert row[:3] == ("1", "0", "0.0")

    def test_a_lesson_has_room_for_all_the_ends_of_a_narrow_beam(self, strong: Any) -> None:
        search = begin_search(strong)
        search.think(1000)
        assert search.limits[0] > 64
        assert search.find_ends(512)[1] == 64

    def test_points_fit_into_the_file(self, strong: Any, small: Any) -> None:
        start = strong.weights.Learned(strong.weights.ATTACK, np.zeros(strong.patterns.ENTRIES, np.int64))
        columns = ((1 << np.arange(200).reshape(20, 10) % 7) - 1) << 40 - np.arange(200).reshape(20, 10) % 7
        nothing, values = np.zeros(20, np.int64), np.arange(20) * 100
        lessons = strong.learning.Lessons(columns, nothing, nothing, values, np.arange(20) // 2)
        learned, _ = strong.learning.fit(lessons, start, 1e9, 1)
        assert np.abs(learned.patterns).max() == strong.weights.MOST_POINTS == np.iinfo(np.int16).max

    def test_a_lesson_searches_what_the_beam_found(self, small: Any, strong: Any) -> None:
        weights = strong.weights.ATTACK
        setup = strong.self_play.Setup(weights, 7, small.pieces, small.nodes, defence=strong.weights.DEFENCE)
        lessons, _sent = strong.learning.take_lessons(setup)
        assert Counter(lessons.numbers.tolist()).most_common(1)[0][1] <= 3 and len(set(lessons.numbers.tolist())) > 4
        assert len(lessons.columns) == len(lessons.values) > 10

    def test_a_search_one_piece_further_finds_what_the_beam_finds(self, strong: Any) -> None:
        """`foresee` rates a position with one more piece, too."""
        search, teacher = strong.search.Search(widest=64), strong.learning.Teacher(1)
        slot = strong.columns.make_columns([0b1111111011, 0b1111110001, 0b0000000011])
        for piece, hold in ((6, 1), (1, 6), (4, 0)):
            search.set_position(slot, hold, 1, [piece])
            strong.beam.foresee(search.ply, 1, np.array([piece]), search.weights, search.room, search.foreseen)
            assert teacher.rate(search, slot, hold, 1, np.array([piece])) == search.foreseen[0] != 0

    @pytest.mark.slow
    def test_the_gradient_finds_the_points_that_made_the_differences(self, strong: Any) -> None:
        """Here the search rates as the player does, but for a hundred points of a feature that patterns do not tell."""
        chance = np.random.default_rng(1)
        heights = chance.integers(1, 6, (600, 10))
        columns = ((1 << heights) - 1) << 40 - heights
        numbers, nothing = np.arange(600) // 3, np.zeros(600, np.int64)
        start = strong.weights.Learned(strong.weights.ATTACK, np.zeros(strong.patterns.ENTRIES, np.int64))
        height, other = strong.weights.NAMES.index("height"), np.array(start.weights)
        other[height] += 100
        room = strong.beam.make_room()
        values = np.array([strong.evaluation.rate_position(each, 0, 0, other, room.full_rows) for each in columns])
        lessons = strong.learning.Lessons(columns, nothing, nothing, values, numbers)
        learned, explained = strong.learning.fit(lessons, start, 1.0, 1)
        gains = np.array(learned.weights) - start.weights
        assert explained > 0.5 and gains[height] > 20

    def test_points_are_read_as_they_were_saved(self, strong: Any, tmp_path: Path) -> None:
        patterns = np.zeros(strong.patterns.ENTRIES, np.int64)
        patterns[[5, 70_000]] = 300, -4000
        defence = strong.weights.DEFENCE[::-1], patterns[::-1].copy()
        learned = strong.weights.Learned(strong.weights.ATTACK, patterns, *defence)
        with (tmp_path / "learned.npz").open("wb") as file:
            strong.weights.save_learned(learned, file)
        again = strong.weights.read_learned(tmp_path / "learned.npz")
        assert again.weights == learned.weights and (again.patterns == patterns).all()
        assert again.defence == defence[0] and (again.defence_patterns == defence[1]).all()
        assert is_learned((tmp_path / "learned.npz").read_bytes())

    @pytest.mark.parametrize("match", [False, True])
    def test_a_damaged_file_is_refused_in_one_line(self, match: bool, strong: Any, tmp_path: Path) -> None:
        whole = strong.weights.find_file("guideline", match).read_bytes()
        path = tmp_path / "learned.npz"
        flipped = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(0, len(whole), 97)]
        said = []
        for content in [b"", b"hello", whole[:50], whole[: len(whole) // 2], *flipped]:
            path.write_bytes(content)
            try:
                strong.weights.read_learned(path)
            except ValueError as problem:
                said.append(str(problem))
        assert len(said) > len(flipped) // 2  # a bit of a date changes nothing
        assert set(said) == {f"{path} has no learned points: get it again, or write it by tools.bots learn"}

    @pytest.mark.parametrize(
        "changed",
        [
            {"weights": None, "seen": None, "points": None},
            {"defence_weights": None},
            {"defence_seen": None},
            {"weights": [2**63] * 36},
            {"defence_weights": [1e300] * 36},
            {"defence_weights": [1] * 37},
            {"seen": [-1]},
            {"seen": [1 << 20]},
            {"defence_seen": [1, 2]},
            {"points": [1 << 15]},
            {"defence_points": [0.5]},
        ],
    )
    def test_arrays_that_nobody_saved_are_refused(self, changed: Any, strong: Any, tmp_path: Path) -> None:
        arrays: Any = {"entries": strong.patterns.ENTRIES}
        for role in strong.weights._ROLES:
            arrays |= {role + "weights": [1] * 36, role + "seen": [1], role + "points": np.ones(1, np.int16)}
        path = tmp_path / "learned.npz"
        np.savez(path, **arrays)
        strong.weights.read_learned(path)
        np.savez(path, **{name: value for name, value in (arrays | changed).items() if value is not None})
        with pytest.raises(ValueError, match=r"learned\.npz has no learned points"):
            strong.weights.read_learned(path)

    def test_the_points_in_use_are_small(self, strong: Any) -> None:
        files = [strong.weights.find_file("guideline", match) for match in (False, True)]
        assert sum(file.stat().st_size for file in files) < 50_000
        alone, match = map(strong.weights.read_learned, files)
        for patterns in (alone.patterns, match.patterns, match.defence_patterns):
            assert len(patterns) == strong.patterns.ENTRIES and np.abs(patterns).max() < 1 << 15
        assert alone.defence == strong.weights.DEFENCE != match.defence and not len(alone.defence_patterns)

    def test_the_tuned_player_has_no_patterns_and_a_file_has_its_own(self, strong: Any) -> None:
        chosen = {"strong": True, "tuned": True, "learned": strong.weights.find_file("guideline")}
        bots: list[Any] = [choose_bot(Namespace(**ASKED | {name: value})) for name, value in chosen.items()]
        assert [len(bot.search.attack) > 1000 for bot in bots] == [True, False, True]

    def test_garbage_that_is_announced_brings_the_points_of_matches(self, strong: Any) -> None:
        """Points of one's own file stay."""
        alone, match = (strong.weights.find_learned("guideline", match) for match in (False, True))
        for own, learned in ((None, match), (alone, alone)):
            bot = strong.bot.StrongBot(nodes=20, learned=own)
            for height, role in ((0, "attack"), (20, "defence")):
                bot.search.columns[:] = (1 << height) - 1 << 40 - height
                bot.search.choose_weights()
                bot.accept_other({"type": "garbage", "rows": 0})
                assert bot.search.weights is getattr(bot.search, role)
            points = strong.search.make_points
            assert (bot.search.attack == points(learned.weights, learned.patterns)).all()
            assert (bot.search.defence == points(learned.defence, learned.defence_patterns)).all()

    def test_kept_paths_are_rated_by_the_new_points(self, strong: Any) -> None:
        search = strong.search.Search(widest=64)
        search.set_position(strong.columns.make_columns([0b1111111110] * 4), 1, 0, [2, 3, 4])
        search.budget = 3000
        search.think(2000)
        depth, paths = search.depth, search.ply.paths[: search.count].tolist()
        assert depth and search.ply.gains[: search.count].any()
        search.set_points(strong.weights.Learned((0,) * len(strong.weights.NAMES), ()))
        assert not search.ply.gains[: search.count].any() and not search.opened
        assert search.depth == depth and sorted(search.ply.paths[: search.count].tolist()) == sorted(paths)

    @pytest.mark.parametrize("match", [False, True])
    @pytest.mark.parametrize("name", ["botris", "custom-1", str(TABLES / "botris.txt")])
    def test_a_table_without_learned_points_has_those_of_the_guideline(
        self, name: str, match: bool, strong: Any
    ) -> None:
        learned, ours = strong.weights.find_learned(name, match), strong.weights.find_learned("guideline", match)
        assert learned.weights == ours.weights + strong.weights.find_extras(name)
        assert learned.defence == ours.defence and (learned.patterns == ours.patterns).all()


class TestCommand:
    def test_another_file_is_not_replaced(self, tmp_path: Path, capsys: Any) -> None:
        other = tmp_path / "other.npz"
        other.write_bytes(b"PK and more")
        said = refused(capsys, "learn", "--output", str(other), program="tools.bots", run=main)
        assert "another file has this name" in said and other.read_bytes() == b"PK and more"

    @pytest.mark.parametrize(
        ("arguments", "line"),
        [
            (["--attacks", TABLES / "botris.txt"], "botris.txt need a file of their own: --output FILE.npz"),
            (["--rounds", "1", "--fill"], "--fill learns with the default --rounds, --games, --seed and --attacks"),
        ],
    )
    def test_a_wrong_argument_gets_one_line(self, arguments: list[Any], line: str, capsys: Any) -> None:
        assert refused(capsys, "learn", *arguments, program="tools.bots", run=main).endswith(f"{line}\n")
