"""The strong player. These tests run its Numba code as plain Python; the long tests compile it."""

import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import distributed
import numpy as np
import pytest

from firmware.engine.extra_rules import ALL, STUCK, ExtraRulesGame
from firmware.engine.matrix import Matrix
from firmware.engine.mode import Mode
from firmware.engine.options import INFINITE, Options
from sim.bots.attacks import find_attacks, list_names
from sim.bots.host import Host
from sim.bots.places import Places, play_steps
from sim.bots.process import Bot
from sim.bots.protocol import LETTERS, Move, find_place, find_places, write_matrix
from sim.bots.snapshot import restore, snapshot
from tests.support.drill import choose
from tests.support.handhelds.bot_processes import SUGGEST, start, talk
from tests.support.handhelds.command_lines import refused
from tests.support.plain_numba import load_plain
from tests.support.running import run_python
from tools import markdown, versus
from tools.bots.__main__ import main
from tools.bots.bot_server import InProcessBot
from tools.bots.plain_bot import PLAIN, PlainBot

# Compiled keys wrap without a warning.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
T, I, L, O = 6, 1, 3, 4  # noqa: E741 - Tetriminos


@pytest.fixture(scope="module", autouse=True)
def strong() -> Iterator[Any]:
    names = ("ahead", "beam", "bot", "columns", "evaluation", "search", "self_play", "tune", "weights")
    with load_plain(*(f"strong.{name}" for name in names)) as modules:
        yield modules


def make_matrix(*rows: str) -> Matrix:
    """Return a Matrix with these rows, the lowest one last; # is a Block."""
    matrix = Matrix()
    for y, row in enumerate(reversed(rows)):
        if "#" in row:
            matrix.set_row(y, bytes(8 if cell == "#" else 0 for cell in row.ljust(10)))
    return matrix


def stack_at_random(chance: random.Random) -> Matrix:
    """Return a Matrix with holes and overhangs, sometimes up to the row of generation."""
    ground = chance.randrange(chance.choice([6, 12, 19, 21]))
    heights = [min(21, max(0, ground + chance.randrange(-3, 4))) for _ in range(10)]
    rows = []
    for y in range(max(heights)):
        density = chance.choice([0.75, 0.9, 1])
        row = ["#" if y < height and chance.random() < density else "." for height in heights]
        if "." not in row:
            row[chance.randrange(10)] = "."
        rows.append("".join(row))
    return make_matrix(*reversed(rows))


def begin(matrix: Matrix, queue: str, hold: str | None = None, **more: object) -> dict[str, Any]:
    return start(queue, hold, write_matrix(matrix), **more)


def play(piece: int, x: int = 3) -> dict[str, Any]:
    """Return the message that a piece was played at its generation place."""
    return {"type": "play", "move": Move(piece, 0, x, -1, 0).as_json()}


def find_landings(
    strong: Any, matrix: Matrix, piece: int, spins: int = 0
) -> dict[frozenset[tuple[int, int]], int] | None:
    """Return the cells of all places, each with its spin; None if the piece cannot enter."""
    scratch = strong.columns.make_scratch()
    top = strong.columns.widen(strong.bot.read_columns(matrix), scratch.wide)
    kinds = strong.columns.find_landings(scratch, top, piece, spins)
    found = {}
    for spin in range(kinds):
        for facing in range(strong.columns.KINDS[piece]):
            for x in range(1, strong.columns.SPOTS - 1):
                for bit in range(48):
                    if int(scratch.landings[spin, facing, x]) >> bit & 1:
                        cells = Move(piece, facing, x - strong.columns.EDGE, 39 - bit, 0).cells()
                        assert cells not in found
                        found[cells] = spin
    return found if kinds else None


@pytest.mark.parametrize("seed", range(12))
def test_places_equal_those_of_the_engine(seed: int, strong: Any) -> None:
    """Equal to places.py, which equals `Game.input`; each place with its best spin."""
    chance = random.Random(seed)
    compare_landings(strong, stack_at_random(chance), chance.choice([1, 2, 3, 4, 5, T, T, T, 7]))


def compare_landings(strong: Any, matrix: Matrix, piece: int, spins: int = 0) -> int:
    """Compare with places.py; return how many landings are spins."""
    places = find_places(matrix, piece, spins)
    wanted: dict[frozenset[tuple[int, int]], int] = {}
    for place in places or ():
        cells = Move(piece, *place[:4]).cells()
        wanted[cells] = max(place.spin, wanted.get(cells, 0))
    assert find_landings(strong, matrix, piece, spins) == (wanted if places else None)
    return sum(spin > 0 for spin in wanted.values())


@pytest.mark.parametrize("seed", [286, 398, 664])
def test_23_spins_equal_those_of_the_engine(seed: int, strong: Any) -> None:
    """What cannot move after a turn has spun: a T by 1, each other Tetrimino but O by 2."""
    matrix = stack_at_random(random.Random(seed))
    for spins, pieces in ((STUCK, [T]), (ALL, [1, 2, 3, 5, 7])):
        assert all(compare_landings(strong, matrix, piece, spins) for piece in pieces)
        assert not any(
            compare_landings(strong, matrix, piece, spins) for piece in {1, 2, 3, O, 5, 7}.difference(pieces)
        )


@pytest.mark.parametrize("seed", range(8))
def test_lanes_of_16_bits_find_what_those_of_64_find(seed: int, strong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    rows = ["".join(chance.choices("#.", (4, 1), k=9)) for _ in range(chance.choice([4, 9, 12]))]
    matrix = make_matrix(*(row[:gap] + "." + row[gap:] for row in rows for gap in [chance.randrange(10)]))
    low = [find_landings(strong, matrix, piece) for piece in range(1, 8)]
    monkeypatch.setattr(strong.columns, "LOW", -1)
    assert low == [find_landings(strong, matrix, piece) for piece in range(1, 8)]


class TestWorth:
    """Each feature of a Matrix, rated alone."""

    @pytest.fixture
    def weigh(self, strong: Any) -> Callable[..., int]:
        def weigh(name: str, *rows: str, hold: int = 0, chain: int = 0) -> int:
            weights = [int(other == name) for other in strong.evaluation.NAMES]
            columns, full_rows = strong.bot.read_columns(make_matrix(*rows)), strong.beam.make_room().full_rows
            return int(strong.evaluation.rate_position(columns, hold, chain, weights, full_rows))

        return weigh

    @pytest.mark.parametrize(
        ("full", "rows"),
        [
            (2, ("##........", "#...######", "##.#######")),
            (2, (".....##...", "###...####", "####.#####")),
            (1, ("##........", "#...#####.", "##.#######")),
            (0, ("##........", "#...###.##", "##.###.###")),
        ],
    )
    def test_a_slot_for_a_t_spin_double(self, full: int, rows: tuple[str, ...], weigh: Callable[..., int]) -> None:
        assert [weigh(f"slot_{count}", *rows) for count in range(3)] == [count == full for count in range(3)]
        assert weigh("hold_t_slot", *rows, hold=T) == (full == 2)

    @pytest.mark.parametrize(
        "rows", [("#...######", "##.#######"), ("##........", "##........", "#...######", "###.######")]
    )
    def test_no_slot_without_an_overhang_or_a_hole_for_the_nose(self, rows: tuple[str, ...], weigh) -> None:
        assert not any(weigh(f"slot_{count}", *rows) for count in range(3))
        assert weigh("notch", *rows) == (len(rows) == 2)

    @pytest.mark.parametrize("mirrored", [False, True])
    def test_a_slot_for_a_t_spin_triple(self, mirrored: bool, strong: Any, weigh: Callable[..., int]) -> None:
        rows = ["##........", "#.........", "#.########", "#..#######", "#.########"]
        if mirrored:
            rows = [row[::-1] for row in rows]
        assert weigh("triple_3", *rows) == 1 and weigh("triple_2", *rows) == 0
        matrix = make_matrix(*rows)
        lines = max(
            int(strong.columns.lock(strong.bot.read_columns(matrix), strong.bot.find_code(Move(T, *place[:4]), False)))
            for place in find_places(matrix, T) or ()
            if place.spin == 2
        )
        assert lines == 3

    def test_rows_ready_for_a_tetris_and_holes(self, weigh: Callable[..., int]) -> None:
        ready = ["#########."] * 3
        assert weigh("ready", *ready) == 3 and weigh("ready_4", *ready) == 0
        assert weigh("ready", *ready * 2) == 4 and weigh("ready_4", *ready * 2) == 1
        holes = ["###.......", "##........", "##.#......", "##........", "#.........", "#.#......."]
        assert (weigh("buried", *holes), weigh("overhung", *holes), weigh("hole_rows", *holes)) == (5, 4, 5)
        assert weigh("buried", "###", "#.#", "###") == 1 == weigh("chain", "#", chain=1) == weigh("hold_i", "#", hold=I)


class TestBot:
    @pytest.fixture
    def make(self, strong: Any) -> Callable[..., Any]:
        return lambda nodes=150: strong.bot.StrongBot(nodes=nodes)

    @pytest.mark.slow
    def test_the_bot_plays_reachable_places(self, make: Callable[..., Any]) -> None:
        """The host refuses other places; the search keeps its results when garbage rises."""
        bot = make()
        host = Host(InProcessBot(bot), 3, garbage=(2, 4))
        host.play(14)
        assert host.game.lock_downs == 14 and not host.game.over
        assert host.game.statistics.holds and bot.search.depth > 3

    def test_the_same_messages_get_the_same_answers(self, make: Callable[..., Any]) -> None:
        messages = [start("TISZOLJ"), SUGGEST]
        first, second = (talk(make(), *messages) for _ in range(2))
        assert first[0]["moves"] == second[0]["moves"] and first[0]["move_info"]["nodes"] >= 120

    def test_the_first_hold_takes_two_pieces_of_the_queue(self, make: Callable[..., Any]) -> None:
        bot = make()
        (answer,) = talk(bot, start("TISZOLJ"), SUGGEST)
        assert answer["moves"][0]["location"]["type"] == "I"
        talk(bot, {"type": "play", "move": answer["moves"][0]}, {"type": "new_piece", "piece": "T"})
        assert bot.hold == T and bot.search.hold == T and [LETTERS[piece] for piece in bot.queue] == list("SZOLJT")
        assert talk(bot, SUGGEST)[0]["move_info"]["depth"] > 4

    def test_the_bot_takes_a_tetris_and_a_t_spin_double(self, make: Callable[..., Any]) -> None:
        tetris = make_matrix(*["#########."] * 4)
        slot = make_matrix("##........", "#...######", "##.#######")
        (answer,) = talk(make(), begin(tetris, "OS", "I", back_to_back=True), SUGGEST)
        assert answer["moves"][0]["location"] == {"type": "I", "orientation": "east", "x": 9, "y": 2}
        (answer,) = talk(make(), begin(slot, "TO", "S"), SUGGEST)
        assert answer["moves"][0]["location"] == {"type": "T", "orientation": "south", "x": 2, "y": 1}
        assert answer["moves"][0]["spin"] == "full"

    def test_the_bot_follows_a_move_that_it_did_not_suggest(self, make: Callable[..., Any]) -> None:
        bot = make()
        talk(bot, start("TISZ", "O"), SUGGEST)
        talk(bot, play(4, x=7), SUGGEST)
        assert bot.hold == T and [int(column) for column in bot.search.columns] == [0] * 8 + [3 << 38] * 2

    def test_announced_garbage_rises_in_the_search(self, strong: Any, make: Callable[..., Any]) -> None:
        """Our extension: lines sent cancel rows; the rest lie under every position that is searched later."""
        bot = make()
        message = begin(make_matrix(*["#########."] * 4), "OS", "I")
        talk(bot, message, {"type": "garbage", "rows": 6}, SUGGEST)
        search = bot.search
        search.play(bot.suggested)
        assert search.risen == 2 and [int(column) >> 38 for column in search.columns] == [3] * 9 + [0]

    @pytest.mark.parametrize("rows", [1, 3])
    def test_kept_plies_are_replayed_when_garbage_rises(self, rows: int, strong: Any) -> None:
        search = strong.search.Search(widest=256)
        search.set_position([0] * 10, L, 0, [1, 2, 5, T], barred=True)
        search.budget = 160
        search.think(160)
        search.play(search.choose())
        before = search.count
        columns = search.columns.copy()
        assert strong.columns.raise_rows(columns, rows, 9) and search.follow_matrix(columns)
        assert search.depth > 1 and search.count > before // 2
        for i in range(min(20, search.count)):
            again = columns.copy()
            for code in search.ply.paths[i, : search.depth]:
                assert strong.columns.lock(again, int(code)) >= 0
            assert (again == search.ply.columns[i]).all()

    @pytest.mark.parametrize(("hold", "bag"), [(I, [T, 2]), (T, [I, 2, T]), (4, [I, T, 5])])
    def test_a_leaf_is_worth_the_mean_over_the_pieces_in_the_bag(self, hold: int, bag: list[int], strong: Any) -> None:
        """Each piece is rated by a search that sees it."""
        slot = strong.bot.read_columns(make_matrix("##........", "#...######", "##.#######"))
        leaves = strong.beam.make_ply(1)
        leaves.columns[0], leaves.holds[0], leaves.chains[0], leaves.gains[0] = slot, hold, 1, 50
        search, worth = strong.search.Search(widest=64), [0]
        judged = strong.beam.foresee(leaves, 1, bag, search.weights, search.room, worth)
        seen = []
        for piece in bag:
            search.set_position(slot, hold, 1, [piece])
            search.think(1000)
            seen.append(int(search.pool.values[: search.limits[0]].max()))
        assert worth[0] == 50 + sum(seen) // len(bag) and judged > 20 * len(bag)

    def test_the_pieces_in_the_bag_decide_between_moves(self, strong: Any) -> None:
        search = strong.search.Search(widest=64)
        search.set_position(strong.bot.read_columns(make_matrix("##......##", "###....###")), I, 1, [L, 7])
        search.budget = 3000
        search.think(100)
        search.bag = [T, 2]
        search.foreseen[:] = -(1 << 30)
        assert search.choose() == search.spare.paths[search.foreseen.argmax(), 0]

    def test_they_also_decide_if_no_piece_became_visible(self, strong: Any) -> None:
        """The last piece of a bag was known before it became visible, so that all paths are searched to their end."""
        search = strong.search.Search(widest=64)
        search.set_position(strong.bot.read_columns(make_matrix("##......##", "###....###")), I, 1, [L, 7, 2])
        search.budget = 3000
        search.think(2000)
        search.play(search.choose())
        search.bag = [T, 5]
        assert search.depth == len(search.queue) and search.think(1000) == 0
        search.foreseen[:] = -(1 << 30)
        assert search.choose() == search.ply.paths[search.foreseen.argmax(), 0] and search.rated > 20

    def test_sampled_queues_are_what_the_bag_allows(self, strong: Any) -> None:
        """What is known comes first, then the rest of the bag, then whole bags; the first unseen pieces differ."""
        queues = strong.ahead.complete([I], [T, 2, L], 6, 12)
        assert all(queue[0] == I and sorted(queue[1:4]) == [2, L, T] for queue in queues)
        assert all(sorted(queue[4:11]) == list(range(1, 8)) for queue in queues)
        assert sorted(int(queue[1]) for queue in queues[:3]) == [2, L, T] and len({*map(tuple, queues)}) > 3
        again = strong.ahead.complete([I], [L, T, 2], 6, 12)  # in the order of a dealer: it tells nothing
        assert [queue.tolist() for queue in queues] == [queue.tolist() for queue in again]

    @pytest.mark.slow
    def test_sampled_queues_decide_between_moves(self, strong: Any) -> None:
        """With a large budget; a small one goes into the first unseen piece."""
        search = strong.search.Search(widest=64)
        slot = strong.bot.read_columns(make_matrix("##......##", "###....###"))
        search.set_position(slot, I, 1, [L, 7])
        assert search.set_budget(100) == 85 and not search.beyond
        first = search.set_budget(10_000)
        assert (first, search.beyond) == (2000, 8000)
        search.beyond = 1
        search.think(100)
        search.bag = [T, 2]
        asked: list[Any] = []
        rate = search.ahead.rate

        def follow(*given: Any) -> Any:
            asked.append(given)
            return rate(*given)

        search.ahead.rate = follow
        move = search.choose()
        ((_ply, count, known, bag, nodes, _weights),) = asked
        assert known == [] and bag == [T, 2] and nodes > 1 and count and move >= 0 and search.rated > 100

    def test_a_first_move_that_a_sample_drops_falls_behind_with_it(self, strong: Any) -> None:
        """Else it would gain from being dropped early: differences grow with depth."""
        search = strong.search.Search(widest=64)
        search.set_position(strong.bot.read_columns(make_matrix("##......##", "###....###")), I, 1, [L])
        search.think(1000)
        search.keep_children(search.find_best(np.arange(int(search.limits[0])), 8), 0)
        ahead, behind = search.ahead, []
        for queue in [T], [T, 2], [T, 2, 5]:
            behind.append([0] * 8)
            given = search.spare, 8, np.arange(8), queue, 3, search.weights, ahead.pool, ahead.plies, search.room
            strong.ahead.follow(*given, behind[-1])
        assert all(max(each) == 0 for each in behind)
        worst = behind[0].index(min(behind[0]))
        assert behind[2][worst] <= behind[1][worst] <= behind[0][worst] < 0

    def test_the_bot_uses_the_defence_weights_in_a_high_matrix(self, strong: Any) -> None:
        """With six rows or more with holes, lower than without: garbage fills it faster than slots."""
        search = strong.search.Search(widest=64)
        attack, defence = search.attack, search.defence
        for rows, low, high in (0, 10, 13), (3, 10, 13), (6, 7, 10), (7, 7, 10):
            for height, weights in (low + 1, attack), (high + 1, defence), (low + 1, defence), (low, attack):
                search.columns[:] = (1 << height) - 1 << 40 - height
                search.columns[4] -= (1 << rows) - 1 << 40 - rows
                search.choose_weights()
                assert search.weights is weights

    def test_the_bot_plays_a_place_even_if_every_place_ends_the_game(self, make: Callable[..., Any]) -> None:
        high = make_matrix(*["#########."] * 19)
        bot = make()
        (answer,) = talk(bot, begin(high, "OO", "O"), {"type": "garbage", "rows": 20}, SUGGEST)
        assert answer["moves"][0]["location"]["type"] == "O"

    def test_the_bot_gives_up_if_no_piece_can_enter(self, make: Callable[..., Any]) -> None:
        full = make_matrix(*["#########."] * 24)
        answers = talk(make(), begin(full, "TIS"), SUGGEST, {"type": "stop"}, SUGGEST)
        assert answers == [{"type": "suggestion", "moves": []}] * 2

    def test_a_move_into_blocks_is_refused_in_one_line(self, make: Callable[..., Any]) -> None:
        with pytest.raises(ValueError, match=r"^[^\n]{1,150}$"):
            talk(make(), begin(make_matrix("#" * 10), "TIS"), play(T))

    def test_over_pipes_the_bot_greets_suggests_and_quits(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
        with Bot(f'"{sys.executable}" -m tools.bots tbp --strong --think 1', 60.0) as bot:
            bot.goodbye_s = 60.0
            bot.greet()
            assert bot.name == "Skyline STRONG" and "garbage" in bot.features
            bot.send(start("TI"))
            bot.send(SUGGEST)
            assert bot.receive("suggestion")["moves"]
        assert bot.process.returncode == 0


class TestAttacks:
    @pytest.mark.parametrize("name", list_names())
    def test_the_search_counts_what_the_table_counts(self, name: str, strong: Any) -> None:
        beam, table, attacks = strong.beam, strong.beam.make_table(find_attacks(name)), find_attacks(name)
        chance = random.Random(3)
        state = chain = combo = 0
        for _ in range(400):
            lines, spin = chance.choice([0, 1, 2, 2, 4, 4, 4]), chance.choice([0, 0, 1, 2])
            empty = chance.random() < 0.2
            columns = [0] * 9 + [0 if empty else 1 << 39]
            sent = beam.count_sent(spin << strong.columns.SPIN, lines, state, columns, table)
            assert sent == attacks.count_lines(spin, lines, chain, combo, empty)
            state = beam.update_chain(state, spin << strong.columns.SPIN, lines, table)
            chain = attacks.follow_chain(spin, lines, chain)
            combo = combo + 1 if lines else 0

    @pytest.mark.parametrize("seed", [1102, 1581, 16462])
    def test_18_2_the_search_counts_spins_as_a_match_does(self, seed: int, strong: Any) -> None:
        """All Line Clears in a Matrix, played by buttons."""
        attacks, counted, spun = find_attacks("modern"), [], 0

        class Counting(Mode):
            def complete(self, game: Any) -> None:
                counted.append(attacks.count_lock_down(game, 1))

        game = ExtraRulesGame(1, choose(Options(), lock_rule=INFINITE, spins=ALL), Counting())
        game.start(0)
        game.advance(0)
        game.matrix = stack_at_random(random.Random(seed))
        columns, room = strong.bot.read_columns(game.matrix), strong.beam.make_room(strong.beam.make_table(attacks))
        here = snapshot(game)
        for piece in range(1, 8):
            restore(game, here)
            game.enter(piece)
            there = snapshot(game)
            search = strong.search.Search(widest=64, attacks=attacks)
            search.set_position(columns, 0, 1, [piece])
            search.think(1000)
            for move in map(int, search.pool.moves[: search.limits[0]]):
                after = columns.copy()
                if lines := strong.columns.lock(after, move):
                    places = Places(game, spins=ALL)
                    place = find_place(places, strong.bot.read_code(move))
                    assert place
                    play_steps(game, places.steps(place))
                    game.advance(game.now_ms + 1000)
                    assert counted.pop() == strong.beam.count_sent(move, lines, 1, after, room.table)
                    spun += piece != T and place.spin
                    restore(game, there)
        assert spun

    def test_lines_beyond_the_guideline_and_combos_have_a_value(self, strong: Any) -> None:
        """An I ends a combo of three with a Tetris that leaves no Block."""
        values = []
        columns = strong.bot.read_columns(make_matrix(*["#########."] * 4))
        for extras in ((0, 0), (100, 0), (100, 7)):
            attack = strong.weights.ATTACK + extras
            search = strong.search.Search(attack, widest=64, attacks=find_attacks("botris"))
            search.set_position(columns, 0, 2 << strong.beam.COMBO, [I])
            search.think(1000)
            values.append(int(search.pool.values[: search.limits[0]].max()))
        assert [value - values[0] for value in values] == [0, 600, 621]  # ten lines instead of four

    def test_the_bot_reads_the_combo_and_keeps_its_chain(self, strong: Any) -> None:
        bot = strong.bot.StrongBot(nodes=100, attacks="tetrio")
        bot.search.chain = 4 | 3 << strong.beam.COMBO
        going_on: dict[str, Any] = {"combo": 3, "back_to_back": True}
        for change, wanted in (({}, (4, 3)), ({"combo": 2}, (1, 2)), ({"combo": 1, "back_to_back": False}, (0, 1))):
            talk(bot, begin(make_matrix("##"), "TISZ", **{**going_on, **change}))
            assert (bot.chain & strong.beam.CHAIN, bot.chain >> strong.beam.COMBO) == wanted

    def test_the_guideline_bot_ignores_combos(self, strong: Any) -> None:
        bot = strong.bot.StrongBot(nodes=100)
        talk(bot, begin(make_matrix("##"), "TISZ", combo=9, back_to_back=True))
        assert bot.chain == 1

    @pytest.mark.parametrize(("name", "combos"), [("custom-0", False), ("custom-4", True), ("custom-3", False)])
    def test_18_8_by_custom_a_combo_has_worth_if_it_sends_lines(self, name: str, combos: bool, strong: Any) -> None:
        find_extras = strong.weights.find_extras
        assert find_extras(name)[0] > 0 and bool(find_extras(name)[1]) == combos
        assert (find_extras(name) == find_extras("modern")) == combos

    def test_tuning_for_a_table_has_more_weights(self, strong: Any, tmp_path: Path) -> None:
        weights = strong.weights.find_tuned("tetrio").weights
        tuning = tune(strong, tmp_path / "log", strong.tune.Plan(**PLAN, start=weights, attacks="tetrio"))
        again = strong.tune.Tuning(tmp_path / "log", None)
        assert again.mean() == tuning.mean() and len(again.mean()) == len(weights)
        assert strong.tune.list_weights(weights).splitlines()[-1].split()[0] == "combo"


def test_the_plain_bot_clears_lines() -> None:
    host = Host(InProcessBot(PlainBot()), 3)
    host.play(60)
    assert host.game.lines > 15 and not host.game.over


PLAN = {"seed": 5, "population": 4, "games": 1, "pieces": 3, "nodes": 20, "rows": 0, "every": 0}


def tune(strong: Any, log: Path, plan: Any, generations: int = 1) -> Any:
    tuning = strong.tune.Tuning(log, plan)
    with strong.tune.Workers(1) as workers:
        for _ in range(generations):
            tuning.advance(workers, quiet=True)
    return tuning


class TestTuning:
    def test_tuning_continues_after_an_interruption(self, strong: Any, tmp_path: Path) -> None:
        plan = strong.tune.Plan(**PLAN)
        once = tune(strong, tmp_path / "once", plan, 2)
        _first, again = (tune(strong, tmp_path / "again", plan) for _ in range(2))
        assert (tmp_path / "once").read_bytes() == (tmp_path / "again").read_bytes()
        assert once.mean() == again.mean() != strong.weights.ATTACK

    def test_tuning_continues_from_a_log_with_a_cut_last_line(self, strong: Any, tmp_path: Path) -> None:
        """The generation of the cut line is tried again."""
        log, plan = tmp_path / "log", strong.tune.Plan(**PLAN)
        tune(strong, log, plan, 2)
        whole = log.read_bytes()
        before = whole.rindex(b"\n", 0, -1) + 1
        for end in (before, before + 1, len(whole) - 2, len(whole) - 1, len(whole)):
            log.write_bytes(whole[:end])
            left = 2 - len(strong.tune.Tuning(log, plan).scores)
            tune(strong, log, plan, left)
            assert log.read_bytes() == whole

    def test_garbage_rises_in_every_other_game_of_a_candidate(self, strong: Any, tmp_path: Path) -> None:
        asked: list[Any] = []

        def ask(_play: Any, setups: list[Any], **_how: Any) -> list[Any]:
            asked.extend(setups)
            return [SimpleNamespace(sent=0)] * len(setups)

        plan = strong.tune.Plan(**PLAN | {"games": 3, "rows": 2, "every": 5})
        strong.tune.Tuning(tmp_path / "log", plan).advance(SimpleNamespace(map=ask))
        assert [(each.rows, each.every) for each in asked[:3]] == [(0, 0), (2, 5), (0, 0)]

    def test_tuning_the_learned_player_keeps_its_points(self, strong: Any, tmp_path: Path) -> None:
        log, file = tmp_path / "mine.jsonl", tmp_path / "mine.npz"
        plan = strong.tune.Plan(**PLAN, start=strong.weights.find_learned("guideline").weights, learned=True)
        tune(strong, log, plan)
        names = ["tune", "--learned", "--generations", "0", "--log", str(log), "--output", str(file)]
        assert main(names) == 0
        before, after = strong.weights.find_learned("guideline"), strong.weights.read_learned(file)
        assert (after.patterns == before.patterns).all() and after.weights != before.weights
        assert list(after.weights) == json.loads(log.read_text(encoding="utf-8").splitlines()[-1])[1]

    @pytest.mark.parametrize(
        ("mine", "flags", "refusal"),
        [
            (True, (), "of the learned player: call again with --learned"),
            (False, ("--learned",), "not of the learned player: call again without --learned"),
            (False, ("--output", "mine.npz"), "--output goes with --learned"),
            (False, ("--attacks", "botris"), "is of the table guideline, not of botris"),
        ],
    )
    def test_a_log_of_another_player_or_table_is_refused(
        self, mine: bool, flags: tuple[str, ...], refusal: str, strong: Any, tmp_path: Path, capsys: Any
    ) -> None:
        log = tmp_path / "log"
        strong.tune.Tuning(log, strong.tune.Plan(**PLAN, learned=mine))
        said = refused(capsys, "tune", "--generations", "0", "--log", str(log), *flags, program="tools.bots", run=main)
        assert said.endswith(f"{refusal}\n")

    @pytest.mark.parametrize(
        "changed",
        [
            *({"attacks": name} for name in (5, None, "nix")),
            *({name: 0} for name in ("population", "games", "pieces", "nodes", "step")),
            *({name: -1} for name in ("seed", "rows", "every", "checksum")),
            {"step": 0.0},
        ],
        ids=str,
    )
    def test_a_plan_that_nobody_wrote_is_refused(self, changed: Any, strong: Any, tmp_path: Path) -> None:
        path = tmp_path / "log"
        plan = strong.tune.Plan(**PLAN)._asdict()
        path.write_text(json.dumps(plan), encoding="utf-8")
        strong.tune.read_log(path)
        path.write_text(json.dumps(plan | changed), encoding="utf-8")
        with pytest.raises(ValueError, match="is not a log of this player's weights"):
            strong.tune.read_log(path)

    def test_a_log_of_other_learned_points_is_refused(self, strong: Any, tmp_path: Path) -> None:
        path = tmp_path / "log"
        plan = strong.tune.Tuning(path, strong.tune.Plan(**PLAN, learned=True)).plan
        path.write_text(json.dumps(plan._replace(checksum=plan.checksum ^ 1)._asdict()), encoding="utf-8")
        with pytest.raises(ValueError, match="other learned points than those in use: begin a new one with --log FILE"):
            strong.tune.Tuning(path, None)

    @pytest.mark.parametrize("learned", [False, True])
    def test_weights_are_those_of_the_log_in_use(self, learned: bool, strong: Any) -> None:
        log = strong.tune.find_log("guideline", learned)
        *_, last = map(json.loads, log.read_text(encoding="utf-8").splitlines())
        find = strong.weights.find_learned if learned else strong.weights.find_tuned
        assert tuple(last[1]) == find("guideline").weights and log.stat().st_size < 20_000

    @pytest.mark.parametrize(
        ("cut", "refusal"),
        [
            (lambda log: log[:20], "is not a log of this player's weights"),
            (lambda _log: b"hello", "is not a log of this player's weights"),
            (
                lambda log: b"".join([*log.splitlines(True)[:2], log.splitlines()[-1]]),
                "version of NumPy or cmaes: begin a new one with --log FILE",
            ),
        ],
        ids=["cut in its plan", "no log", "with other results here"],
    )
    def test_an_invalid_log_is_refused_in_one_line(self, cut: Any, refusal: str, strong: Any, tmp_path) -> None:
        path = tmp_path / "log"
        path.write_bytes(cut(strong.tune.find_log("guideline").read_bytes()))
        with pytest.raises(ValueError, match=rf"^[^\n]+{refusal}$"):
            strong.tune.Tuning(path, None)


@pytest.mark.long
class TestCompiled:
    def test_the_bot_reports_compiling_once_and_again_after_damage(self, tmp_path: Path) -> None:
        def prepare() -> str:
            code = "from tools.bots.strong.preparing import prepare; prepare()"
            return run_python("-c", code, check=True, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)}).stderr

        for _ in range(2):
            assert prepare().startswith("tools.bots: compiling the strong player") and prepare() == ""
            for path in tmp_path.rglob("*.nbc"):
                path.write_bytes(path.read_bytes()[:100])

    def test_the_bot_sends_lines_survives_garbage_and_beats_level_5(self) -> None:
        code = """
from sim.bots.host import Host
from tools.bots.bot_server import InProcessBot
from tools.bots.strong.bot import StrongBot
from tools import versus
for pieces, garbage in (300, (0, 0)), (500, (4, 7)):
    host = Host(InProcessBot(StrongBot(nodes=2000)), 1, garbage=garbage)
    host.play(pieces)
    print(host.mode.sent / host.game.lock_downs, host.game.lock_downs)
for other in 5, 'dellacherie':
    pairing = versus.Pairing(versus.STRONG, other, 1, pace_ms=300, nodes=2000)
    print(versus.play_match(pairing)[0].wins)
"""
        sent, pieces, _, survived, *wins = run_python("-c", code, check=True).stdout.split()
        assert float(sent) > 0.6 and (pieces, survived, *wins) == ("300", "500", "1.0", "1.0")

    def test_moves_equal_those_before_the_search_by_vectors(self) -> None:
        """A hash of the moves of six games, made with weights of that day by the search that moved column by column."""
        code = """
import hashlib
from tools.bots.strong import search, self_play
moves = []
play = search.Search.play
search.Search.play = lambda self, move: moves.append(int(move)) or play(self, move)
weights = (
    -43, -76, -59, -55, -20, 6, -2, 1, -374, -190, 43, -7, 9, 309, 889, 231, 82, 331, 127, 199, 122, 17,
    6, -508, -450, -175, 216, -21, -36, 579, 471, -171, -101, 231, -514, 10,
)
for seed in 1, 2:
    for nodes, rows, every in (800, 0, 0), (800, 4, 7), (9000, 2, 5):
        self_play.play(self_play.Setup(weights, seed, 100, nodes, rows, every))
print(len(moves), hashlib.sha256(repr(moves).encode()).hexdigest()[:16])
"""
        assert run_python("-c", code, check=True).stdout == "600 dddfc4475d1d6694\n"

    @pytest.mark.parametrize("other", ["5", PLAIN])
    def test_the_page_shows_the_matches_that_the_command_prints(self, other: str) -> None:
        command = ["-m", "tools.versus", "strong", other, "--nodes", "5000", "--games", "100"]
        done = run_python(*command, check=True)
        page = versus.PAGE.read_text(encoding="utf-8")
        assert markdown.fill(page, "match", f"python {' '.join(command)} --fill", done.stdout) == page

    def test_a_cluster_plays_the_same_matches(self) -> None:
        tasks = [versus.Pairing(1, 2, seed) for seed in (1, 2)]
        with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
            played = versus.run(versus.play_match, tasks, 1, True, cluster.scheduler_address)
        assert played == versus.run(versus.play_match, tasks, 1, True)


def test_the_curve_names_the_command_that_made_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr("tools.bots.strong.preparing.prepare", lambda: None)
    monkeypatch.setattr("tools.bots.strong.sending.measure_curve", lambda *_arguments: [])
    monkeypatch.setattr("tools.bots.__main__.show", lambda _table, _page, _name, command, _fills: shown.append(command))
    for given in (["--games", "1"], ["--think", "5", "--games", "2", "--pieces", "9"]):
        assert main(["curve", *given]) == 0
        assert shown.pop() == f"python -m tools.bots curve {' '.join(given)} --fill"
