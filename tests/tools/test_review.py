"""A review knows what the player knew, values both places alike, and shows what cost most (tools/review/README.md)."""

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, HOLD
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, SPRINT
from firmware.modes.daily import Daily
from firmware.save.recorder import Recorder
from firmware.save.recordings.match_recording import MatchRecording
from firmware.save.recordings.recording import Recording
from sim.bots.attacks import GUIDELINE, find_attacks
from sim.bots.protocol import Move
from sim.terminal import Refusal
from tests.support.drill import choose
from tests.support.faults import FAULTS, FOLDER, record
from tests.support.recorded import RECORDINGS, read
from tests.support.variants import MASTER
from tools import placements
from tools.bots.bot_server import InProcessBot
from tools.bots.level_bot import LevelBot
from tools.bots.strong.bot import find_code
from tools.bots.strong.weights import ATTACK, NAMES
from tools.review import measure, planted, retry
from tools.review.judging import MOST_LOSS, Judge, Setup, Verdict, choose_table, judge_one
from tools.review.let_go import LetGo, find_let_go
from tools.review.pictures import draw_matrix
from tools.review.positions import Position, count_lines, read_game, read_match
from tools.review.reasons import KEY_COST, Comparison, Outcome, explain
from tools.review.report import MOST_MOMENTS, Side

I, O, T = 1, 4, 6  # noqa: E741
NODES = 2000
MATCHES = [RECORDINGS.parent / "matches" / f"{name}.sky" for name in ("two", "three")]
FAULTY = dict(zip(FAULTS, (25, 49, 25, 21, 20), strict=True))  # the number of the piece
GAMES = [RECORDINGS / f"{name}.sky" for name in ("marathon", "lost", "sprint", "modes/modern", "modes/dig")]


def read_any(path: Path) -> list[list[Position]]:
    if path not in MATCHES:
        return [read_game(Recording(path.read_bytes()))]
    recording = MatchRecording(path.read_bytes())
    return [read_match(recording, number) for number in range(recording.options.players)]


def stack(*rows: str) -> tuple[bytes, ...]:
    """Return a Matrix with these rows, the lowest one last; # is a Block."""
    cells = [bytes(8 if cell == "#" else 0 for cell in row.ljust(10)) for row in reversed(rows)]
    return tuple(cells + [bytes(10)] * (40 - len(cells)))


def place(rows: tuple[bytes, ...], move: Move, **more: Any) -> Position:
    """Return the position of a Tetrimino without Hold and without others to come."""
    times = {"began_ms": 0, "generated_ms": 0, "locked_ms": 500}
    known = {"hold": 0, "can_hold": False, "chain": 0, "bag": (), "coming": 0, "gap": 4, "level": 1}
    chosen = {"move": move, "held": False, "presses": 0, "fewest": 0}
    first: dict[str, Any] = {"number": 1, "round": 1, "rows": rows, "queue": (move.piece, O, O)}
    return Position(**first | times | known | chosen | more)


def review(path: Path) -> Side:
    recording = Recording(path.read_bytes())
    positions = read_game(recording)
    judge = Judge(Setup(recording.variant, nodes=NODES))
    return Side("", 0, positions, [judge.judge(position) for position in positions])


class TestKnowledge:
    """1: what a position holds."""

    @pytest.mark.parametrize("name", ["marathon", "lost", "sprint"])
    def test_places_of_a_game_are_those_of_the_export(self, name: str) -> None:
        wanted = [(one.piece, one.facing, one.x, one.y) for one in placements.witness(read(name)).placements]
        assert [position.move[:4] for position in read_game(read(name))] == wanted

    @pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
    def test_places_of_a_match_are_those_of_the_export(self, path: Path) -> None:
        recording = MatchRecording(path.read_bytes())
        for number, positions in enumerate(read_any(path)):
            wanted = [one.cells() for one in placements.witness_match(recording, number)]
            assert [position.move.cells() for position in positions] == wanted

    @pytest.mark.parametrize("path", GAMES + MATCHES, ids=lambda path: path.stem)
    def test_the_piece_placed_is_the_first_or_that_of_hold(self, path: Path) -> None:
        for positions in read_any(path):
            for position in positions:
                first, second = position.queue[:2]
                assert position.move.piece == ((position.hold or second) if position.held else first)

    @pytest.mark.parametrize(("shown", "hold_on"), [(1, 0), (3, 1), (6, 1)])
    def test_the_queue_is_as_long_as_the_player_saw(self, shown: int, hold_on: int) -> None:
        options = Options()
        options.next_count, options.hold_on = shown, hold_on
        recorder = Recorder()
        recorder.begin_game(MARATHON, 5, options)
        recorder.record_edge(3, 1, 500)
        (position,) = read_game(Recording(recorder.recorded(600)))
        assert len(position.queue) == 1 + shown and position.can_hold == bool(hold_on)

    def test_a_tetrimino_held_at_generation_shows_one_fewer(self) -> None:
        options = Options()
        options.next_count, options.initial_hold = 3, 1
        recorder = Recorder()
        recorder.begin_game(MARATHON, 5, options)
        for button, pressed, at_ms in ((HARD_DROP, 1, 500), (HARD_DROP, 0, 520), (HOLD, 1, 540), (HARD_DROP, 1, 1500)):
            recorder.record_edge(button, pressed, at_ms)
        first, second = read_game(Recording(recorder.recorded(1600)))
        assert second.held and sorted([first.move.piece, *second.queue, *second.bag]) == [*range(1, 8)]

    @pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
    def test_garbage_that_was_coming_rises_or_is_cancelled(self, path: Path) -> None:
        risen = 0
        for positions in read_any(path):
            for position, after in itertools.pairwise(positions):
                if position.round == after.round:
                    left = Outcome(position.rows, position.move)
                    rose = next(rows for rows in range(21) if after.rows[rows:] == left.rows[: 40 - rows])
                    special = left.lines == 4 or position.move.spin > 0
                    chained = bool(position.chain and special)
                    sent = find_attacks(GUIDELINE).count_lines(position.move.spin, left.lines, chained, 0, False)
                    assert rose >= max(0, position.coming - sent)
                    risen += rose > 0 and rose == position.coming - sent
        assert risen > 2

    @pytest.mark.parametrize("name", ["marathon", "modes/modern"])
    def test_a_combo_counts_the_last_lock_downs_with_lines(self, name: str) -> None:
        combo, longest = 0, 0
        for position in read_game(read(name)):
            assert position.combo == combo
            combo = combo + 1 if Outcome(position.rows, position.move).lines else 0
            longest = max(longest, combo)
        assert longest

    def test_wasted_presses_are_those_that_the_game_calls_faults(self) -> None:
        game = placements.witness(read("marathon"))
        assert sum(position.wasted > 0 for position in read_game(read("marathon"))) == game.statistics.faults > 9


@pytest.fixture(scope="module")
def positions() -> list[Position]:
    return read_game(read("marathon"))[20:60]


class TestLoss:
    """2 to 4: what a place costs."""

    def test_a_loss_is_never_negative(self, positions: list[Position]) -> None:
        judge = Judge(Setup(nodes=NODES))
        losses = [judge.judge(position).loss for position in positions]
        assert 0 == min(losses) < max(losses)

    def test_a_verdict_does_not_depend_on_the_position_before(self) -> None:
        judge = Judge(Setup(nodes=NODES))
        high = place(stack(*["..#######."] * 12), Move(O, 0, -1, -1, 0))
        middle = [one for one in read_any(MATCHES[0])[0] if 8 <= max(Outcome(one.rows).heights) <= 9]
        after_itself = [judge.judge(one) for one in middle for _again in range(2)][1::2]
        after_high = [judge.judge(one) for before in middle for one in (high, before)][1::2]
        assert after_itself == after_high and len(middle) > 2

    def test_the_best_place_found_costs_nothing(self, positions: list[Position]) -> None:
        judge = Judge(Setup(nodes=NODES))
        costly = [(one, verdict) for one in positions if (verdict := judge.judge(one)).loss]
        assert len(costly) > 5
        for position, verdict in costly:
            assert judge.judge(position._replace(move=verdict.move, held=verdict.held)).loss == 0

    @pytest.mark.parametrize("hold", [0, O])
    def test_without_hold_no_better_place_needs_it(self, hold: int, positions: list[Position]) -> None:
        judge = Judge(Setup(nodes=NODES))
        for position in positions:
            if not position.held:
                verdict = judge.judge(position._replace(can_hold=False, hold=hold))
                assert not verdict.held and verdict.move.piece == position.move.piece

    def test_a_place_that_ends_the_game_costs_the_most(self) -> None:
        tower = stack("", *["...####..."] * 20)
        verdict = Judge(Setup(nodes=NODES)).judge(place(tower, Move(O, 0, 3, 20, 0)))
        assert verdict.lost and verdict.loss == MOST_LOSS

    def test_a_single_costs_less_where_points_are_no_result(self) -> None:
        position = place(stack("######....", "######...."), Move(I, 0, 6, -2, 0), queue=(I, O, O, I, T))
        points, race = (Judge(Setup(variant, nodes=NODES)).judge(position).loss for variant in (MARATHON, SPRINT))
        assert points > race

    def test_a_place_that_ends_a_combo_costs_what_the_table_counts(self) -> None:
        """By the guideline a Single in the same Matrix only spends rows."""
        rows = stack(*["######...."] * 3)
        losses = []
        for attacks, combo in (("modern", 5), ("modern", 0), (GUIDELINE, 5)):
            keeps, ends = (
                place(rows, move, queue=(I, O, O, I, T), combo=combo)
                for move in (Move(I, 0, 6, -2, 0), Move(I, 0, 0, 1, 0))
            )
            judge = Judge(Setup(attacks=attacks, nodes=NODES))
            verdict = judge.judge(ends)
            losses.append(verdict.loss - judge.judge(keeps).loss)
            words = {reason.kind: reason.words for reason in explain(ends, verdict)}
            assert words.get("combo") == (
                "It ends a combo after 5 Line Clears." if (attacks, combo) == ("modern", 5) else None
            )
            assert 0 <= verdict.ended <= verdict.loss
        assert losses[0] > 5 + max(losses[1:])

    @pytest.mark.parametrize(
        ("variant", "options", "table"),
        [
            (MARATHON, {}, GUIDELINE),
            (MARATHON, {"modern": 7}, "custom-97"),
            (MARATHON, {"spins": 1}, "custom-36"),
            (SPRINT, {"modern": 1, "spins": 2}, "custom-72"),
            (MASTER, {"modern": 7, "spins": 2}, GUIDELINE),
        ],
    )
    def test_a_game_has_the_table_of_its_combos_and_spins(self, variant: int, options: Any, table: str) -> None:
        assert choose_table(variant, choose(Options(), **options)) == table
        attacks = find_attacks(table)
        points = variant == MARATHON and options.get("modern", 0) & 1
        assert (attacks.count_lines(0, 2, 0, 5, False) > 1) == bool(points)

    @pytest.mark.parametrize(("level", "reached"), [(1, True), (19, False)])
    def test_a_place_behind_a_tower_needs_time(self, level: int, reached: bool) -> None:
        position = place(stack(*["..#......."] * 10), Move(I, 0, 5, 0, 0), level=level)
        judge = Judge(Setup(MASTER, nodes=NODES))
        verdict = judge.judge(position)
        assert judge.can_play(position, find_code(Move(I, 1, -2, 0, 0), False)) == reached
        assert judge.can_play(position, find_code(Move(I, 0, 5, -2, 0), False)) and verdict.loss >= 0


class TestReasons:
    """7: what the words say."""

    def find_kinds(self, rows: tuple[bytes, ...], mine: Move, better: Move) -> dict[str, str]:
        compared = Comparison(place(rows, mine), Verdict(3.0, better, False)).compare()
        return {reason.kind: reason.words for reason in compared if reason.cost > 0}

    def test_a_hole_is_counted(self) -> None:
        assert "hole" not in self.find_kinds(stack("##........"), Move(O, 0, -1, 0, 0), Move(O, 0, 1, -1, 0))
        found = self.find_kinds(stack("##.......#"), Move(I, 0, 1, -1, 0), Move(I, 0, 2, -2, 0))
        assert found["hole"] == "It makes 3 holes."

    def test_a_hole_that_a_line_clear_lowers_is_not_a_new_one(self) -> None:
        rows = stack(".........#", "..........", "####.#####")
        found = self.find_kinds(rows, Move(I, 1, 2, 0, 0), Move(I, 0, 6, -1, 0))
        assert found["hole"] == "It leaves 1 hole more."

    def test_a_covered_well_is_named_by_its_column(self) -> None:
        rows = stack(*["#########."] * 4)
        found = self.find_kinds(rows, Move(I, 0, 6, 2, 0), Move(I, 1, 7, 0, 0))
        assert found["well"] == "It covers the well in column 10."
        assert found["lines"] == "The better place clears a Tetris."

    def test_a_t_spin_given_away_is_named(self) -> None:
        rows = stack("##........", "#...######", "##.#######")
        found = self.find_kinds(rows, Move(T, 0, 5, 1, 0), Move(T, 2, 1, 0, 2))
        assert found["t_slot"] == "It gives a T-Spin Double away."

    def test_height_is_told_in_rows(self) -> None:
        found = self.find_kinds(stack("####......"), Move(I, 1, -2, 1, 0), Move(I, 0, 4, -2, 0))
        assert found["height"] == "It raises the stack by 4 rows, the better place by 0."

    def test_keys_are_told_and_cost_a_tenth_each(self) -> None:
        position = place(stack(), Move(O, 0, 3, -1, 0), presses=9, fewest=2)
        side = Side("", 0, [position], [Verdict(0.0, position.move, False)])
        assert side.costs == [7 * KEY_COST] and side.moments[0].reasons[0].words == "9 presses where 2 would do."

    def test_one_hole_is_the_unit(self) -> None:
        weights = dict(zip(NAMES, ATTACK, strict=True))
        compared = Comparison(place(stack(), Move(O, 0, 3, -1, 0)), Verdict(1.0, Move(O, 0, 3, -1, 0), False))
        assert compared.hole == -(weights["buried"] + weights["hole_rows"] + weights["cover"])

    def test_there_is_always_a_reason_and_never_more_than_three(self) -> None:
        side = review(RECORDINGS / "lost.sky")
        found = [explain(one, verdict) for one, verdict in zip(side.positions, side.verdicts, strict=True)]
        lengths = {len(reasons) for reasons, verdict in zip(found, side.verdicts, strict=True) if verdict.loss}
        assert lengths <= {1, 2, 3}


class TestAllClears:
    """7: a good chance that was let go."""

    WELL = stack("######....", "######....")
    BESIDE, INTO = Move(I, 1, -2, 2, 0), Move(I, 0, 6, -2, 0)

    def test_a_chance_counts_what_may_come_of_the_bag(self) -> None:
        known: dict[str, Any] = {"queue": (I,), "bag": (I, O)}
        assert find_let_go(place(self.WELL, self.BESIDE, **known)) == LetGo(0.5, 2)
        assert find_let_go(place(self.WELL, self.INTO, **known)) is None

    def test_hold_counts_only_if_it_is_on(self) -> None:
        top = Move(O, 0, -1, 1, 0)
        rows = stack("######....")
        assert find_let_go(place(rows, top, queue=(O, I), can_hold=True)) == LetGo(1.0, 1)
        assert find_let_go(place(rows, self.INTO, queue=(O, I), can_hold=True, held=True)) is None
        assert find_let_go(place(rows, top, queue=(O, I))) is None

    def test_it_is_not_let_go_if_the_place_only_delays_it(self) -> None:
        rows = stack("####......", "####......")
        known: dict[str, Any] = {"queue": (O, I, I), "hold": 0, "can_hold": True}
        assert find_let_go(place(rows, Move(I, 0, 4, -2, 0), held=True, **known)) is None
        assert find_let_go(place(rows, Move(I, 1, -2, 2, 0), held=True, **known)) == LetGo(1.0, 3)

    def test_garbage_high_blocks_and_an_empty_matrix_have_none(self) -> None:
        assert find_let_go(place(self.WELL, self.BESIDE, queue=(I, I), coming=1)) is None
        assert find_let_go(place(stack(), self.INTO, queue=(I, I))) is None
        assert find_let_go(place(stack(*["######...."] * 5), self.BESIDE, queue=(I,) * 5)) is None

    def test_solid_lines_are_never_cleared(self) -> None:
        rows = stack("######....", "######....", "##########")
        assert find_let_go(place(rows, Move(I, 1, -2, 3, 0), queue=(I, I))) is None

    @pytest.mark.parametrize(
        ("name", "most"),
        [("marathon", {4}), ("lost", {0}), ("modes/survive", {0}), ("modes/dig", {0}), ("sprint", {1, 2, 3, 4})],
    )
    def test_the_end_of_a_game_garbage_and_fast_falls_leave_none(self, name: str, most: set[int]) -> None:
        assert {position.most_lines for position in read_game(read(name))} <= most
        assert find_let_go(place(self.WELL, self.BESIDE, queue=(I, I), most_lines=1)) is None

    def test_the_daily_game_ends_after_a_hundred(self) -> None:
        game = Game(1, None, Daily())
        game.start(0)
        game.goal = 5
        assert count_lines(game) == 2

    def test_a_review_tells_it_whatever_the_place_cost(self) -> None:
        position = place(self.WELL, self.BESIDE, queue=(I, I))
        found = judge_one((Setup(nodes=NODES), position))[0]
        assert found.let_go == LetGo(1.0, 2)
        side = Side("", 0, [position], [Verdict(0.0, self.BESIDE, False, let_go=LetGo(0.841, 1))])
        (reason,) = side.examples["all_clear"].reasons
        assert reason.words == "84 % would have been there: an all-clear with 1 Tetrimino." and not side.moments


class TestFaults:
    """6: five games of a good player with one fault each."""

    @pytest.mark.parametrize("kind", FAULTS)
    def test_a_fault_put_in_is_among_the_five_moments(self, kind: str) -> None:
        side = review(FOLDER / f"{kind}.sky")
        assert len(side.moments) == MOST_MOMENTS
        found = {moment.position.number: moment.reasons for moment in side.moments}
        assert kind in {reason.kind for reason in found[FAULTY[kind]]}

    @pytest.mark.long
    @pytest.mark.parametrize("kind", FAULTS)
    def test_the_recordings_can_be_made_again(self, kind: str) -> None:
        assert record(kind) == ((FOLDER / f"{kind}.sky").read_bytes(), FAULTY[kind])


class TestExamples:
    """6: the five moments of a player who misses T-Spins hide other faults."""

    # 22 of 25 in the README; these also hold at a fixed effort.
    @pytest.mark.slow
    @pytest.mark.parametrize(("kind", "seed"), [("hole", 2), ("well", 4), ("t_slot", 1), ("height", 2), ("keys", 1)])
    def test_a_fault_put_into_a_game_of_hawk_is_shown(self, kind: str, seed: int) -> None:
        _among, shown = planted.find_shown(planted.Planted(kind, seed, Setup(nodes=4000)))
        assert shown

    @pytest.mark.slow
    def test_a_game_without_room_for_a_fault_gives_way_to_a_later_seed(self) -> None:
        kind, seed = "t_slot", 5
        host = planted.FaultyHost(kind, InProcessBot(LevelBot(planted.LEVEL)), seed)
        host.play(planted.PIECES)
        assert not host.at and planted.plant(kind, seed).at > 0

    @pytest.mark.long
    def test_a_review_shows_twenty_of_25_faults(self) -> None:
        found = re.findall("[0-9]+", planted.tell_shown(Setup(nodes=20_000), 2))
        assert found[0] == "25" and int(found[2]) >= 20 > int(found[1])

    def test_an_example_is_the_worst_of_its_kind_and_no_moment_shows_it(self) -> None:
        side = review(RECORDINGS / "lost.sky")
        assert side.examples
        for kind, moment in side.examples.items():
            assert moment not in side.moments and kind in {reason.kind for reason in moment.reasons}
            assert moment.cost <= side.moments[-1].cost


def test_the_mean_loss_falls_with_the_level() -> None:
    losses = []
    for level in (1, 3, measure.STRONG):
        results = [measure.play_and_judge((level, seed, 20, Setup(nodes=NODES))) for seed in (1, 2)]
        losses.append(sum(result.loss for result in results) / sum(result.pieces for result in results))
    assert losses == sorted(losses, reverse=True) and losses[0] > 4 * losses[2]


class TestRetry:
    """The link and the command lead to the moment."""

    @pytest.mark.parametrize("number", [1, 57, 214])
    def test_a_cut_game_ends_at_the_generation(self, number: int) -> None:
        positions = read_game(read("marathon"))
        position = positions[number - 1]
        cut = Recording(retry.cut_game(read("marathon"), position.generated_ms))
        assert read_game(cut) == positions[: number - 1]
        while cut.read():
            pass
        assert cut.time_ms == position.generated_ms

    @pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.stem)
    def test_a_cut_match_ends_at_the_generation(self, path: Path) -> None:
        recording = MatchRecording(path.read_bytes())
        for player, positions in enumerate(read_any(path)):
            for number in (1, 9, len(positions)):
                cut = MatchRecording(retry.cut_match(recording, positions[number - 1]))
                assert read_match(cut, player) == positions[: number - 1]

    def test_the_command_of_a_match_names_the_side(self) -> None:
        recording = MatchRecording(MATCHES[1].read_bytes())
        position = read_match(recording, 2)[-1]
        assert position.round == 2 and position.at_ms > position.generated_ms
        path = Path("my match.sky")
        words = f"--play '{path.resolve()}' --at {position.at_ms} --side 3"
        assert retry.make_command(path, recording, position, 2, False) == f"skyline {words}"
        in_clone = retry.make_command(path, recording, position, 2, True)
        assert in_clone.endswith(f" && python3 -m tools.setup sim {words}")


def test_a_picture_marks_the_tetrimino_its_holes_and_its_lines() -> None:
    hole = draw_matrix(stack("##.......#"), Move(I, 0, 1, -1, 0), 8, "A label")
    assert (hole.count('class="now c1"'), hole.count('class="hole"'), hole.count('class="clear"')) == (4, 3, 0)
    over = draw_matrix(stack("#.........", ".#........", "######...."), Move(I, 0, 6, -2, 0), 8, "A label")
    assert over.count('class="hole"') == 0  # they were there before
    line = draw_matrix(stack("######...."), Move(I, 0, 6, -2, 0), 8, "A label")
    assert (line.count('class="hole"'), line.count('class="clear"'), len(re.findall('class="c8"', line))) == (0, 1, 6)


def test_a_game_by_another_rotation_system_is_refused() -> None:
    recording = Recording((RECORDINGS / "lost.sky").read_bytes())
    recording.options.kicks = 2
    with pytest.raises(Refusal, match=r"^this game turns by another rotation system than SRS"):
        read_game(recording)
