"""Perft: two implementations count the same nodes, by the rules of tools/bots/README.md."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.handhelds.command_lines import refused
from tests.support.plain_numba import load_plain
from tests.support.running import run_python
from tools.bots.__main__ import main
from tools.bots.perft.by_places import PlaceCounter, lock
from tools.bots.perft.positions import COUNTS, Counts, Position, Rules, read_counts, read_queue, read_rows, write_line

# Compiled keys wrap without a warning.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
PUBLISHED = read_counts(COUNTS)
FEW_NODES = 700
ALL_RULES = [Rules(*(bool(bits >> i & 1) for i in range(3))) for bits in range(8)]


@pytest.fixture(scope="module")
def by_columns() -> Iterator[Any]:
    with load_plain("perft.by_columns") as modules:
        yield modules.by_columns


def stack(chance: random.Random, rows: int) -> tuple[str, ...]:
    """Return rows with holes and overhangs, none of them full."""
    found = []
    for _ in range(rows):
        row = ["#" if chance.random() < 0.7 else "." for _ in range(10)]
        row[chance.randrange(10)] = "."
        found.append("".join(row))
    return tuple(found)


def make(queue: str, *rows: str) -> Position:
    return Position("own", read_rows(list(rows)), read_queue(queue))


def count(depth: int, rules: Rules, queue: str, *rows: str) -> int:
    return PlaceCounter(make(queue, *rows), rules).count(depth)


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", PUBLISHED, ids=lambda line: f"{line.position.name}-{''.join(map(str, map(int, line.rules)))}"
)
def test_both_count_the_published_nodes(line: Counts, by_columns: Any) -> None:
    """To the depths that plain Python counts quickly; -m long counts the others."""
    reference = PlaceCounter(line.position, line.rules)
    for depth, nodes in enumerate(line.nodes, 1):
        if depth == 1 or nodes < 4000:
            assert reference.count(depth) == nodes
        if depth == 1 or nodes < FEW_NODES:
            assert by_columns.ColumnCounter(line.position, line.rules).count(depth) == nodes


def test_every_position_has_all_rules_and_thousands_of_nodes() -> None:
    for name in {line.position.name for line in PUBLISHED}:
        lines = [line for line in PUBLISHED if line.position.name == name]
        assert sorted(line.rules for line in lines) == sorted(ALL_RULES)
        assert all(line.nodes[-1] > 50_000 for line in lines) and len({line.position for line in lines}) == 1


def test_each_rule_changes_a_published_count() -> None:
    found = {(line.position.name, line.rules): line.nodes for line in PUBLISHED}
    for field in Rules._fields:
        assert any(found[name, rules] != found[name, rules._replace(**{field: True})] for name, rules in found)


@pytest.mark.parametrize("seed", range(6))
def test_both_agree_in_random_positions(seed: int, by_columns: Any) -> None:
    chance = random.Random(seed)
    rows = stack(chance, chance.choice((3, 9, 16, 21)))
    queue = "".join(chance.sample("IJLOSZ", 2)) + "T"
    for rules in ALL_RULES:
        position = make(queue[::-1], *rows)
        assert by_columns.ColumnCounter(position, rules).count(1) == PlaceCounter(position, rules).count(1)


@pytest.mark.parametrize("seed", range(4))
def test_maps_of_the_piece_before_count_the_same_landings(seed: int, by_columns: Any) -> None:
    """They count the last piece in a low Matrix, unless the piece before it clears a row."""
    chance = random.Random(seed)
    rows = (*stack(chance, (1, 3, 6, 8)[seed]), "#########.")
    for last in "IJLOSZT":
        position = make("IT"[seed & 1] + last, *rows)
        assert by_columns.ColumnCounter(position, Rules()).count(2) == PlaceCounter(position, Rules()).count(2)


@pytest.mark.parametrize(("piece", "rows"), [("L", ("......#..#", "#.###..##.")), ("J", ("#..#......", ".##..###.#"))])
def test_a_half_turn_counts_where_no_quarter_turn_fits(piece: str, rows: tuple[str, ...], by_columns: Any) -> None:
    found = [by_columns.ColumnCounter(make(piece, *rows), Rules(half_turns=half)).count(1) for half in (False, True)]
    assert found == [34, 35] == [count(1, Rules(half_turns=half), piece, *rows) for half in (False, True)]


class TestNodes:
    def test_equal_cells_count_once(self) -> None:
        assert [count(1, Rules(), piece) for piece in "OISZJLT"] == [9, 17, 17, 17, 34, 34, 34]

    def test_hold_adds_the_next_piece_and_later_the_held_one(self) -> None:
        hold = Rules(hold=True)
        assert count(1, hold, "OI") == 9 + 17
        assert count(2, hold, "OOOO") == 2 * 9 * 9 + 9 * 9  # a held O beside an O in play adds nothing

    def test_a_slot_with_a_roof_is_entered_by_turning(self) -> None:
        slot = ("##........", "#...######", "##.#######")
        plain, spins = count(1, Rules(), "T", *slot), count(1, Rules(spins=True), "T", *slot)
        assert spins == plain + 1  # a Mini and a plain drop at the left wall

    def test_a_lock_down_above_the_skyline_is_no_node(self) -> None:
        wall = (".#########", *["#.########"] * 19)
        assert count(1, Rules(), "O", *wall) == 0
        assert count(1, Rules(), "I", *wall) == 1  # upright in the gap of row 19

    def test_a_piece_that_cannot_enter_has_no_nodes(self) -> None:
        assert count(1, Rules(), "O", *["....##...."] * 21) == 0

    def test_full_rows_disappear(self) -> None:
        rows = read_rows(["#.........", "####....##"])
        assert lock(rows, ((0, 0b0011110000),) * 1) == (1,)


def test_a_line_is_read_as_it_was_written() -> None:
    for line in PUBLISHED:
        assert json.loads(write_line(line))["position"] == line.position.name
    text = COUNTS.read_text(encoding="utf-8")
    assert "".join(map(write_line, PUBLISHED)) == text


class TestCommand:
    def test_the_command_prints_nodes_and_speeds(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["perft", "2", "--by", "places", "--position", "t-spin-double", "--spins"]) == 0
        head, _, *rows = capsys.readouterr().out.splitlines()
        assert "nodes a CPU second, places" in head and [row.split("|")[2].strip() for row in rows] == ["38", "1,332"]

    def test_check_names_each_difference(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "counts"
        path.write_text(write_line(PUBLISHED[0]._replace(nodes=(17, 154))), encoding="utf-8")
        assert main(["perft", "2", "--by", "places", "--check", str(path)]) == 1
        out = capsys.readouterr().out.splitlines()
        assert out[0] == "empty with no extra rule, depth 2: the file has 154, places count 153"
        assert out[1] == "2 counts of 1 lines checked by places, 1 differ"

    @pytest.mark.parametrize(
        ("arguments", "line"),
        [
            (["3", "--rows", "###"], "'###' is not a row"),
            (["3", "--rows", "#" * 10], "a row is full"),
            (["3", "--queue", "IX"], "'IX' is not a queue"),
            (["3", "--queue", "IOL", "--hold"], "depth 3 with Hold needs 4 pieces, the queue has 3"),
            (["3", "--position", "nix"], "there is no position 'nix'; there are empty, "),
            (["3", "--position", "empty", "--rows", "." * 10], "--position and --rows cannot be used together"),
            (["3", "--check", "--hold"], "--hold and --check cannot be used together"),
            (["3", "--fill"], "--fill goes with DEPTH and both"),
        ],
    )
    def test_a_wrong_argument_gets_one_line(self, arguments: list[str], line: str, capsys: Any) -> None:
        arguments = ["perft", *arguments, "--by", "places"]
        assert refused(capsys, *arguments, program="tools.bots", run=main).startswith(f"tools.bots: {line}")

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("", "is empty"),
            ("hello", "line 1: not JSON"),
            ("[1]", "line 1: needs an object with position"),
            (write_line(PUBLISHED[0]).replace("[17", '["17"'), "line 1: nodes is not a list of whole numbers"),
            (write_line(PUBLISHED[0]).replace("IOLJSZTI", "I"), "line 1: depth "),
            (write_line(PUBLISHED[0]).replace("false", "0"), "line 1: hold, half_turns, spins are true or false"),
        ],
    )
    def test_a_wrong_file_gets_one_line(self, text: str, problem: str, tmp_path: Path, capsys: Any) -> None:
        path = tmp_path / "counts"
        path.write_text(text, encoding="utf-8")
        said = refused(capsys, "perft", "1", "--by", "places", "--check", str(path), program="tools.bots", run=main)
        assert problem in said


@pytest.mark.long
def test_both_count_all_published_nodes() -> None:
    done = run_python("-m", "tools.bots", "perft", "12", "--check", check=True)
    assert done.stdout.endswith(" 0 differ\n")


@pytest.mark.long
@pytest.mark.parametrize(("queue", "nodes"), [("IOLJSZT", 2_647_076_135), ("TIOLJSZ", 2_785_677_550)])
def test_the_columns_count_what_another_generator_does(queue: str, nodes: int) -> None:
    """Figures of ImpleLee/fast-reachability: an empty Matrix, no Hold, SRS, generation in rows 21 and 22."""
    code = f"""
from tools.bots.perft.by_columns import ColumnCounter
from tools.bots.perft.positions import Position, Rules, read_queue
print(ColumnCounter(Position("", (), read_queue("{queue}")), Rules()).count(7))
"""
    assert run_python("-c", code, check=True).stdout == f"{nodes}\n"
