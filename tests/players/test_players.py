"""Computer players: their sight, places and presses; the frame rate changes none of them."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import pytest

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.engine.profiles import FACINGS
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.players import features, levels, opening, weights
from firmware.players.alone import pass_time
from firmware.players.beam import Beam
from firmware.players.computer_team import ComputerTeam
from firmware.players.ground import Ground
from firmware.players.hint import Hint
from firmware.players.opening import HELD
from firmware.players.planner import PressPlanner
from firmware.players.player import IDLE, Player
from firmware.players.ply import Ply, raise_places
from firmware.players.rating import PlacementEvaluator
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width
from tests.support.drill import choose

I, J, L, O, S, T, Z = range(1, 8)  # noqa: E741
FULL = 1023


class LoggedGame(Game):
    def __init__(self, seed: int, options: Options) -> None:
        super().__init__(seed, options)
        self.edges: list[tuple[int, int, int]] = []

    def input(self, button: int, pressed: int, t_ms: int) -> int:
        self.edges.append((t_ms, button, pressed))
        return Game.input(self, button, pressed, t_ms)


def begin(seed: int = 1, **options: int) -> LoggedGame:
    game = LoggedGame(seed, choose(Options(), **options))
    game.start(0)
    game.advance(0)
    return game


def play(game: LoggedGame, player: Player, pieces: int, frame_ms: float = 50 / 3) -> LoggedGame:
    player.watch(game)
    frame = 0
    while not game.over and game.lock_downs < pieces:
        frame += 1
        assert frame < 20_000
        pass_time(player, int(frame * frame_ms))
    return game


def arrange(lines: Sequence[str], pieces: list[int], hold: int = 0, **options: int) -> LoggedGame:
    """Return a game with these rows, the lowest last, these Tetriminos, the first in play, and one in Hold."""
    game = begin(**options)
    for y, line in enumerate(reversed(lines)):
        game.matrix.set_row(y, bytes(8 * (cell == "#") for cell in line))
    game.hold = hold
    for i, piece in enumerate(pieces[1:7]):
        game.next[i] = piece
    game.enter(pieces[0])
    return game


class TestSight:
    @pytest.mark.parametrize("level", range(1, 6))
    def test_hidden_part_of_the_next_queue_changes_nothing(self, level: int) -> None:
        edges = []
        for hidden in (b"\1\1\1\1", b"\5\7\5\7"):
            game = begin(5, next_count=2)
            game.next[2:6] = hidden
            edges.append(play(game, Player(level), 1).edges)
        assert edges[0] == edges[1]

    @pytest.mark.parametrize("level", [3, 4, 5])
    def test_best_levels_hold_the_first_tetrimino_then_useful_ones(self, level: int) -> None:
        game = begin(5)
        first = game.piece
        player = Player(level)
        player.watch(game)
        while not game.hold:
            pass_time(player, game.time_ms + 16)
        assert game.hold == first and game.lock_downs == 0
        play(game, player, 60)
        assert game.statistics.holds > 5

    @pytest.mark.parametrize(("level", "hold_on"), [(1, 1), (2, 1), (5, 0)])
    def test_low_levels_and_games_without_hold_hold_nothing(self, level: int, hold_on: int) -> None:
        game = play(begin(5, hold_on=hold_on), Player(level), 30)
        assert game.lock_downs == 30 and not game.statistics.holds

    def test_player_can_start_in_the_middle_of_a_game(self) -> None:
        game = arrange(["####.#####"] * 2, [T, S, Z, L, J, O, I])
        game.input(controls.HOLD, 1, game.now_ms)
        play(game, Player(5), 20)
        assert game.lock_downs == 20 and not game.over


@pytest.mark.parametrize(("level", "slides", "spins"), [(1, 0, 0), (2, 0, 0), (3, 1, 0), (4, 1, 1), (5, 1, 1)])
def test_only_the_upper_levels_slide_and_spin(level: int, slides: int, spins: int) -> None:
    beam = Player(level).beam
    assert (beam.slides, beam.spins) == (slides, spins)


class TestHands:
    @pytest.mark.parametrize("level", range(1, 6))
    def test_edges_are_possible_for_a_person(self, level: int) -> None:
        """Each button alternates down and up; presses keep the level's pace."""
        game = play(begin(3), Player(level), 40)
        down, last_ms = 0, -1000
        for t_ms, button, pressed in game.edges:
            assert down >> button & 1 != pressed
            down ^= 1 << button
            if pressed and button != controls.SOFT_DROP:
                assert t_ms - last_ms >= levels.TABLE[level - 1][levels.PACE_MS]
                last_ms = t_ms
        assert len(game.edges) > 80

    @pytest.mark.parametrize("level", [1, 3, 5])
    def test_buttons_are_released_when_a_tetrimino_locks_down_by_itself(self, level: int) -> None:
        """At level 15 a fall takes 0.15 s: presses planned for it never reach the next Tetrimino."""
        for seed in range(1, 6):
            game = play(begin(seed, level=15), Player(level), 60)
            down = 0
            for _, button, pressed in game.edges:
                assert down >> button & 1 != pressed
                down ^= 1 << button
            assert game.lock_downs > 10

    @pytest.mark.parametrize("level", range(1, 6))
    def test_player_reacts_no_faster_than_its_level(self, level: int) -> None:
        game = play(begin(3), Player(level), 1)
        assert game.edges[0][0] >= levels.TABLE[level - 1][levels.REACTION_MS]

    def test_tetriminos_land_where_the_player_planned(self) -> None:
        game = begin(8)
        player = Player(5)
        player.watch(game)
        frame = strayed = 0
        while game.lock_downs < 80:
            frame += 1
            place, before = player.place, game.lock_downs
            pass_time(player, frame * 50 // 3)
            if game.lock_downs != before:
                root, ground = player.beam.root, Ground()
                at, x = (place & 31) * 10, place >> 5 & 15
                y = place >> 9 & 31 if place >> 14 & 7 else root.land(at, x)
                ground.fill(at, x, y, root.rows, 0, root.top, root.cells)
                while game.hit_count:
                    pass_time(player, game.time_ms + 1)
                strayed += [mask >> 3 & FULL for mask in game.matrix.masks[:20]] != list(ground.rows[:20])
        assert strayed == 0


class TestPlaces:
    def find(self, lines: Sequence[str], pieces: list[int], level: int = 5, **options: int) -> Game:
        game = play(arrange(lines, pieces, hold_on=0, **options), Player(level), 1)
        game.advance(game.now_ms + 400)
        return game

    @pytest.mark.parametrize("direction", [1, -1])
    def test_a_t_spin_double_on_either_side(self, direction: int) -> None:
        slot = ("##........", "#...######", "##.#######")
        game = self.find([row[::direction] for row in slot], [T, O, I, L, J, S, Z])
        assert game.statistics.kinds[12] == 1

    @pytest.mark.parametrize("below", [0, 2])
    @pytest.mark.parametrize(("piece", "gap"), [(J, 9), (L, 0)], ids=["to the left", "to the right"])
    def test_a_slide_under_an_overhang(self, piece: int, gap: int, below: int) -> None:
        lines = ["########..", "#######..."] if piece == J else ["..########", "...#######"]
        game = self.find(lines + ["####.#####"] * below, [piece, O, O, O, O, O, O], level=3)
        assert game.matrix.masks[below] >> 3 & FULL == FULL ^ 1 << gap

    def test_player_holds_for_a_more_useful_tetrimino(self) -> None:
        """An S fits nowhere; the I in Hold makes a Tetris."""
        game = play(arrange(["#########."] * 4, [S, *[O] * 6], hold=I), Player(5), 1)
        game.advance(game.now_ms + 400)
        assert game.lines == 4 and game.hold == S

    def test_player_does_not_wait_for_solid_lines_to_clear(self) -> None:
        game = begin(2)
        for _ in range(5):
            game.matrix.raise_row(10)
        play(game, Player(5), 40)
        assert not game.over and game.lines >= 10

    def test_rising_rows_do_not_restart_the_search(self) -> None:
        """The player keeps its search: `begin` is called once."""
        game = begin(2)
        player = Player(5)
        begun: list[Game] = []
        begin_search = player.begin
        player.begin = lambda game: (begun.append(game), begin_search(game))[1]  # type: ignore[method-assign,func-returns-value]
        complete = game.mode.complete
        game.mode.complete = lambda game: (complete(game), game.receive(1, 4))[0]  # type: ignore[method-assign]
        play(game, player, 12)
        assert len(begun) == 1

    def test_places_that_garbage_makes_impossible_are_given_up(self) -> None:
        """Places found in a Matrix of 17 rows are replayed in one of 24."""
        game = begin()
        for _ in range(17):
            game.matrix.raise_row(9)
        beam = make_beam([T, S, Z, L, J], O, matrix=game.matrix, most_holes=40)
        while beam.ply.number < 3:
            beam.think(60)
        for _ in range(7):
            game.matrix.raise_row(0)
        beam.root.see(game.matrix)
        beam.shift(7)
        think(beam, 100)
        assert beam.ply.number >= 3

    def test_player_plays_on_under_any_garbage(self) -> None:
        """Up to five rows rise after every third Lock Down, until the game is over."""
        for seed in range(1, 13):
            game = begin(seed)
            complete = game.mode.complete
            rows = 1 + seed % 5
            game.mode.complete = lambda game, complete=complete, rows=rows: (  # type: ignore[method-assign,misc]
                complete(game),
                game.lock_downs % 3 == 0 and game.receive(rows, game.lock_downs % 10),
            )[0]
            play(game, Player(1 + seed % 5), 400)
            assert game.over


class TestThought:
    @pytest.mark.parametrize("level", range(1, 6))
    def test_frame_rate_changes_nothing(self, level: int) -> None:
        games = [play(begin(4), Player(level, 9), 25, frame_ms) for frame_ms in (50 / 3, 7, 40)]
        edges = [[edge for edge in game.edges if edge[0] < 12_000] for game in games]
        assert edges[0] == edges[1] == edges[2]

    @pytest.mark.parametrize("slices", [[1], [7], [500], [60, 3, 200]])
    def test_slices_change_neither_cost_nor_result_of_a_search(self, slices: list[int]) -> None:
        """The cost leaves out the unused units of each slice."""
        found = []
        for units in ([60], slices):
            beam = make_beam([T, S, Z, L, J], O)
            cost = unused = turn = 0
            while not beam.idle:
                given = units[turn % len(units)]
                turn += 1
                cost += given + unused
                unused = beam.think(given + unused)
                cost -= unused
            found.append((cost, beam.choose(0), sorted(beam.after.values)))
        assert found[0] == found[1] and found[0][0] > 5000

    def test_every_level_but_the_best_slips(self) -> None:
        assert [row[levels.SLIPS] > 0 for row in levels.TABLE] == [True, True, True, True, False]

    @pytest.mark.parametrize(("x", "slips"), [(0, {0, 1}), (1, {0, 2}), (3, {2, 4}), (6, {5, 6}), (7, {6, 7})])
    def test_a_slip_moves_one_column_where_any_piece_fits(self, x: int, slips: set[int]) -> None:
        """A piece of four columns fits at column 6 at most; only plain drops slip."""
        player = Player(1)
        for rest in (0, 5 | 3 << 9):
            places = [player.slip(x << 5 | rest) for _ in range(60)]
            assert {place >> 5 & 15 for place in places} == slips
            assert {place & ~(15 << 5) for place in places} == {rest}
        for place in (1 << 14 | x << 5, 5 | x << 5 | features.SPIN_CW << 14):
            assert {player.slip(place) for _ in range(20)} == {place}

    def test_search_for_a_place_with_any_holes_happens_once(self) -> None:
        player, game = Player(5), begin()
        player.watch(game)
        assert [player.try_anything(game) for _ in range(3)] == [True, False, False]

    def test_player_drops_even_if_nothing_fits(self) -> None:
        game = play(arrange(["#.#.#.#.#.", ".#.#.#.#.#"] * 9, [O] * 7), Player(5), 3)
        assert game.lock_downs >= 1 or game.over


def make_beam(queue: list[int], hold: int, *lines: str, chain: int = 0, matrix: Any = None, **settings: int) -> Beam:
    """Return a beam ready to search with these Tetriminos, one in Hold, and these rows, the lowest last."""
    beam = choose(Beam(8), **settings)
    beam.queue[: len(queue)] = bytes(queue)
    beam.known = len(queue)
    beam.root.see(matrix or arrange(lines or ("###..#####", "####.#####"), [O] * 7).matrix)
    beam.begin(0, hold, chain)
    return beam


def think(beam: Beam, units: int = 400) -> None:
    beam.idle = False
    while not beam.idle:
        beam.think(units)


def drop(rows: list[int], piece: list[int]) -> int:
    """Return the landing row of a piece that falls from above all Blocks."""
    y = 28
    while y and not any(rows[y - 1 + i] & row for i, row in enumerate(piece)):
        y -= 1
    return y


@dataclass
class Way:
    """The state after some Tetriminos: rows, Hold, whether the next Tetris is Back-to-Back, and the gain.

    combo: Line Clears in a row; None by the guideline, which does not count them.  rough: the judge only estimates a
    drop here, because of holes or of lines cleared in a stack over eight rows.
    """

    rows: list[int]
    hold: int
    chain: bool
    gain: int = 0
    rough: bool = False
    combo: int | None = None


# One pass by the definitions, too.
def walk(way: Way, pieces: Iterable[int], places: Iterable[int]) -> None:
    """Lock the Tetriminos in their places and add their gain by the weights of weights.py."""
    rows, hold, chain = way.rows, way.hold, way.chain
    for current, place in zip(pieces, places, strict=True):
        at, x, how = (place & 31) * 10, place >> 5 & 15, place >> 14 & 7
        if place & HELD:
            current, hold = hold, current
        assert at // 40 + 1 == current
        piece = [row << x for row in features.PROFILES[at + 6 : at + 10]]
        y = place >> 9 & 31 if how else drop(rows, piece)
        for i, row in enumerate(piece):
            assert not rows[y + i] & row
            rows[y + i] |= row
        kept = [row for row in rows if row != FULL]
        lines = len(rows) - len(kept)
        way.rough |= lines > 0 and rows[features.HIGH] > 0
        rows = kept + [0] * lines
        way.rough |= any(rows[high] & ~rows[low] for low in range(28) for high in range(low + 1, 28))
        spin = how >= features.SPIN_CW
        way.gain += weights.LANDING * y + (weights.SPINS if spin else weights.CLEARS)[lines]
        if current == T and not (spin and lines):
            way.gain += opening._WASTED_T
        if way.combo is not None:
            way.gain += opening._COMBO * way.combo if lines else 0
            way.combo = way.combo + 1 if lines else 0
        if lines:
            strong = spin or lines == 4
            if strong:
                way.gain += opening._BACK_TO_BACK if chain else opening._CHAINED
            elif chain:
                way.gain -= opening._CHAINED
            chain = strong
    way.rows, way.hold, way.chain = rows, hold, chain


def compare(beam: Beam, begun: Way) -> int:
    """Check the values of a beam against replays from its root; return how many were not rough."""
    compared = 0
    for i, value in enumerate(beam.after.values):
        if value > weights.NEVER:
            numbers = range(beam.first, beam.after.number)
            places = [beam.trace(beam.after, i, number) for number in numbers]
            way = replace(begun, rows=[*beam.root.rows, *[0] * 8])
            walk(way, [beam.queue[number & 7] for number in numbers], places)
            assert beam.after.holds[i] == way.hold
            if not way.rough or places[-1] >> 14 & 7:
                seen = recount(way.rows)["worth"]
                assert value == way.gain + seen + {I: opening.HELD_I_POINTS, T: opening.HELD_T_POINTS}.get(way.hold, 0)
                compared += 1
    return compared


QUEUES = [[T, S, Z, L, J], [I, O, T, I, S], [J, T, T, O, I], [L, I, J, S, T]]
CASES = {
    "flat": (("..........",), I, False),
    "stairs": (("#.........", "##........", "###.......", "####......"), T, False),
    "tetrises": ((*["#########."] * 8,), I, True),
    "slot": (("##........", "#...######", "##.#######"), T, True),
    "overhang": (("########..", "#######...", "########.."), O, False),
}


def scatter(chance: random.Random) -> list[int]:
    """Return random rows, which may have holes, a well and a slot for a T."""
    heights = [max(0, chance.randint(2, 14) // 2 + chance.randint(-2, 2)) for _ in range(10)]
    rows = [sum(1 << x for x in range(10) if y < heights[x]) for y in range(28)]
    for _ in range(chance.randrange(4)):
        rows[chance.randrange(6)] &= ~(1 << chance.randrange(10))
    if chance.random() < 0.5:
        well = 1 << chance.randrange(10)
        rows = [FULL ^ well] * chance.randrange(1, 6) + [row & ~well for row in rows]
    if chance.random() < 0.5:
        x, low = chance.randrange(8), chance.randrange(3)
        upper, lower = (chance.choice((FULL, rows[low + i] | 5 << x)) for i in (1, 0))
        rows[low : low + 2] = [lower & ~(2 << x), upper & ~(7 << x)]
        side = x if chance.random() < 0.5 else x + 2
        rows[low + 2 :] = [row & ~(7 << x) for row in rows[low + 2 :]]
        rows[low + 2] |= 1 << side
    kept = [row for row in rows if row not in (0, FULL)][:24]
    return kept + [0] * (28 - len(kept))


# One pass by the definitions, so that it shares no step with the firmware, which updates most of these by changes.
def recount(rows: list[int]) -> dict[str, int]:
    """Return the features of rows and their worth, counted cell by cell."""

    def cell(x: int, y: int) -> int:
        return 1 if not 0 <= x < 10 else rows[y] >> x & 1

    heights = [max((y + 1 for y in range(24) if cell(x, y)), default=0) for x in range(10)]
    roofs = [max((y for y in range(heights[x]) if not cell(x, y)), default=-1) for x in range(10)]
    top = max(heights)
    holes = sum(not cell(x, y) for x in range(10) for y in range(heights[x]))
    changes = sum(cell(x, y) != cell(x + 1, y) for y in range(top) for x in range(-1, 10))
    roofed = [x for x in range(10) if roofs[x] >= 0]
    cover = sum(min(heights[x] - roofs[x] - 1, features.MOST_COVER) for x in roofed)
    value = features.TRANSITION_POINTS * changes + features.HOLE_POINTS * holes + features.COVER_POINTS * cover
    value += sum(weights.STEPS[heights[x + 1] - heights[x]] for x in range(9))
    value += features.ABOVE_HIGH_POINTS * max(0, top - features.HIGH)
    value += features.ABOVE_HIGHER_POINTS * max(0, top - features.HIGHER)
    well = heights.index(min(heights))
    ready = 0
    while ready < features.MOST_READY and rows[min(heights) + ready] == FULL ^ 1 << well:
        ready += 1
    best, slot, care_rows = -1, (-1, 0, 0), 0
    for x in range(10):
        y = roofs[x]
        if y > 0 and cell(x, y - 1):
            # The overhang with its hole of one row, the step that the T's stem stands on, and the step behind.
            for away, way in ((1, features.SPIN_CW), (-1, features.SPIN_CCW)):
                if 0 <= x + 2 * away < 10 and (heights[x + away], heights[x + 2 * away]) == (y - 1, y):
                    care_rows |= 3 << y - 1
                    full = int(all(cell(i, y) or abs(i - x - away) < 2 for i in range(10)))
                    full += all(cell(i, y - 1) or i == x + away for i in range(10))
                    if full > best:
                        best, slot = full, (x + away, y, way)
    eaves = [x for x in roofed if any(0 <= i < 10 and heights[i] <= roofs[x] for i in (x - 1, x + 1))]
    return {
        "worth": value + features.READY_POINTS * ready + (weights.SLOTS[best] if best > 0 else 0),
        "care_rows": care_rows,
        "slot": slot[0],
        "slot_row": slot[1] if best >= 0 else -1,
        "slot_way": slot[2] if best >= 0 else -1,
        "holed": sum(1 << x for x in roofed),
        "eaves": sum(1 << x for x in eaves),
    }


class TestJudge:
    """The judge rates a drop like the Matrix after it (rating.py)."""

    def test_a_place_has_the_worth_of_the_matrix_after_it(self) -> None:
        """This holds without holes; the cover of holes is only estimated."""

        class OfferLog(PlacementEvaluator):
            offers: dict[tuple[int, int, int], int]

            def offer_place(self, value: int, at: int, x: int, y: int, way: int) -> None:
                self.offers[at, x, y] = value

        judge = OfferLog()
        chance = random.Random(1)
        compared = 0
        for _ in range(60):
            ground = judge.ground
            heights = [max(0, min(9, 5 + chance.randint(-3, 3))) for _ in range(9)] + [chance.randint(0, 9)]
            for y in range(28):
                ground.rows[y] = sum(1 << x for x in range(10) if y < heights[x])
            ground.rows[:] = [row for row in ground.rows if row != FULL] + [0] * ground.rows.count(FULL)
            ground.top = sum(row > 0 for row in ground.rows)
            ground.cells = sum(bin(row).count("1") for row in ground.rows)
            judge.measure_ground(ground)
            judge.find_fits(ground)
            assert not ground.holed
            judge.offers = {}
            judge.base, judge.least = ground.worth, weights.NEVER
            for piece in range(7):
                judge.at = piece * 40
                judge.beyond = judge.at + FACINGS[piece] * 10
                judge.spots = judge.fit(judge.at)
                judge.sweep(9999)
            for (at, x, y), value in dict(judge.offers).items():
                judge.complete(at, x, y, features.DROP)
                if not judge.spare.holed:
                    assert judge.offers[at, x, y] == value
                    compared += 1
        assert compared > 1000

    def test_features_of_a_matrix_match_a_count_of_its_cells(self) -> None:
        """Holes, eaves, slots, and their worth by the weights of weights.py."""
        chance = random.Random(3)
        judge, ground = PlacementEvaluator(), Ground()
        slots = ready = 0
        for _ in range(600):
            rows = scatter(chance)
            ground.rows[:] = rows[: len(ground.rows)]
            ground.top = sum(row > 0 for row in rows)
            ground.cells = sum(bin(row).count("1") for row in rows)
            judge.measure_ground(ground)
            expected = recount(rows)
            if expected["slot"] < 0:
                del expected["slot_row"], expected["slot_way"]  # undefined without a slot
            assert {name: getattr(ground, name) for name in expected} == expected
            slots += ground.slot >= 0 and ground.fine > 0
            ready += ground.slot < 0 and ground.fine > 0
        assert slots > 60 and ready > 60

    def test_rows_of_all_slots_count_and_a_slot_has_a_hole_of_one_row(self) -> None:
        """Two slots, beside columns 0 and 3; the hole in column 6 has two rows, so it is no slot."""
        lines = ("......#...", "..........", "...#....#.", "#.....###.", "...#.####.", "#.#######.")
        game = arrange(lines, [O] * 7)
        judge, ground = PlacementEvaluator(), Ground()
        ground.see(game.matrix)
        judge.measure_ground(ground)
        assert ground.care_rows == recount(ground.rows)["care_rows"] == 0b111

    def test_rows_up_to_the_24th_are_read_and_solid_rows_are_marked(self) -> None:
        matrix = begin().matrix
        matrix.raise_row(10)
        for y in (1, 23, 26):
            matrix.set_row(y, b"\x08" + bytes(9))
        ground = Ground()
        ground.see(matrix)
        assert [y for y in range(28) if ground.rows[y]] == [0, 1, 23]
        assert (ground.rows[0], ground.rows[1], ground.top, ground.cells) == (2047, 1, 24, 12)

    def test_a_drop_lands_on_the_first_block_below_any_cell(self) -> None:
        chance = random.Random(4)
        judge = PlacementEvaluator()
        ground = judge.ground
        for _ in range(20):
            rows = scatter(chance)
            ground.rows[:], ground.top = rows, sum(row > 0 for row in rows)
            judge.measure_ground(ground)
            for at in range(0, 280, 10):
                for x in range(11 - features.PROFILES[at + 1]):
                    y = drop([*rows, *[0] * 8], [row << x for row in features.PROFILES[at + 6 : at + 10]])
                    assert ground.land(at, x) == judge.land(at, x) == y

    def test_each_matrix_has_one_unique_key(self) -> None:
        judge = opening.Opening(80)
        judge.ground.rows[0], judge.ground.top = 0b11, 1
        judge.key = judge.tell(judge.ground)
        judge.hold, judge.open = I, 0
        keys = set()
        for at in (3 * 40, 5 * 40):  # an O and a T
            for x in range(2, 8):
                judge.offer_place(x, at, x, 0, features.DROP)
                judge.spare.fill(at, x, 0, judge.ground.rows, 0, 1, 2)
                key = judge.tell(judge.spare) ^ I * opening.HOLD_KEY
                assert key in judge.after.keys
                keys.add(key)
        assert len(keys) == 12

    def test_fitting_columns_leave_at_most_one_hole(self) -> None:
        judge = PlacementEvaluator()
        chance = random.Random(2)
        for _ in range(50):
            judge.ground.heights[:] = heights = [chance.randint(0, 6) for _ in range(10)]
            judge.find_fits(judge.ground)
            for at in range(0, 280, 10):
                if at % 40 // 10 < FACINGS[at // 40]:
                    profile = features.PROFILES[at : at + 10]
                    found = 0
                    for x in range(11 - profile[1]):
                        gaps = [heights[x + i] - (profile[2 + i] & 15) for i in range(profile[1])]
                        y = max(*gaps, 0) if len(gaps) > 1 else max(gaps[0], 0)
                        if sum(y - gap for gap in gaps) <= 1:
                            found |= 1 << x
                    assert judge.fit(at) & (1 << 11 - profile[1]) - 1 == found

    @pytest.mark.parametrize("combo", [None, 0, 3])
    @pytest.mark.parametrize("case", CASES)
    def test_lines_of_a_ply_have_the_worth_of_a_replay(self, case: str, combo: int | None) -> None:
        """The replay counts lines, T-Spins, Back-to-Back, combos, wasted Ts, rows, Hold and the Matrix."""
        lines, hold, chain = CASES[case]
        compared = 0
        for queue in QUEUES:
            beam = make_beam(queue, hold, *lines, chain=chain | (combo or 0) << 1, modern=int(combo is not None))
            while not beam.idle:
                beam.think(400)
                compared += compare(beam, Way([], hold, chain, combo=combo))
        assert compared > (25 if combo else 50)  # combos lead to lines that the judge only estimates

    @pytest.mark.parametrize("combo", [None, 1])
    @pytest.mark.parametrize("risen", [0, 1, 3])
    @pytest.mark.parametrize("case", ["stairs", "tetrises", "slot"])
    def test_lines_after_a_played_place_have_the_worth_of_a_replay(
        self, case: str, risen: int, combo: int | None
    ) -> None:
        """The search continues after the place, with or without new garbage."""
        lines, hold, chain = CASES[case]
        compared = 0
        for queue in QUEUES:
            beam = make_beam(queue, hold, *lines, chain=chain | (combo or 0) << 1, modern=int(combo is not None))
            think(beam)
            way = Way([*beam.root.rows, *[0] * 8], hold, chain, combo=combo)
            for number, piece in enumerate([I, Z, O, S]):
                place = beam.choose(number)
                beam.commit(number, place)
                walk(way, [beam.queue[number & 7]], [place])
                for _ in range(risen):
                    way.rows.insert(0, FULL ^ 1 << 9)
                matrix = begin().matrix
                for y, row in enumerate(way.rows[:24]):
                    matrix.set_row(y, bytes(8 * (row >> x & 1) for x in range(10)))
                assert beam.follow(matrix, place) and beam.has_any()
                beam.queue[number + 5 & 7] = piece
                beam.known += 1
                think(beam)
                assert beam.after.number == beam.known
                compared += compare(beam, replace(way, rough=False))
        assert compared > 5


class TestHint:
    def wait(self, game: Game, hint: Hint) -> None:
        frame = 0
        while not hint.is_known:
            frame += 1
            game.advance(game.now_ms + 16)
            hint.look()
            assert frame < 200

    def begin(self, game: LoggedGame) -> tuple[LoggedGame, Hint]:
        hint = Hint()
        hint.watch(game)
        self.wait(game, hint)
        return game, hint

    def test_hint_shows_a_place_for_the_piece(self) -> None:
        _game, hint = self.begin(arrange(["#########."] * 4, [I, S, Z, L, J, O, T]))
        assert (hint.piece_shown, hint.facing, hint.y, hint.from_hold) == (I, 1, 0, False)
        assert hint.x == 7 and hint.due_ms == IDLE

    def test_another_piece_needs_another_hint(self) -> None:
        game = begin(3)
        game.advance(300)
        game, hint = self.begin(game)
        for button in (controls.HOLD, controls.HARD_DROP):
            for pressed in (1, 0):
                game.input(button, pressed, game.now_ms)
            hint.look()
            assert not hint.is_known
            self.wait(game, hint)
            assert hint.piece_shown == (game.hold if hint.from_hold else game.piece)

    @pytest.mark.parametrize(("piece", "from_hold"), [(S, True), (I, False)])
    def test_a_hint_to_hold_stays_until_the_held_piece_locks_down(self, piece: int, from_hold: bool) -> None:
        """The hint says to hold first, so this Hold keeps it. Any other Hold needs a new hint."""
        held = S if piece == I else I
        game, hint = self.begin(arrange(["#########."] * 4, [piece, *[O] * 6], hold=held))
        assert (hint.piece_shown, hint.from_hold, hint.is_of_use()) == (I, from_hold, True)
        for button, of_use in ((controls.HOLD, from_hold), (controls.HARD_DROP, False)):
            for pressed in (1, 0):
                game.input(button, pressed, game.now_ms)
            assert hint.is_of_use() == of_use


class TestComputerTeam:
    def match(self, who: int, players: int, frame_ms: float, until_ms: int) -> Match:
        options = choose(MatchOptions(), players=players, who=who)
        match = Match(7, options, [Options() for _ in range(players)])
        team = ComputerTeam(match)
        frame = 0
        while match.time_ms < until_ms and not match.over:
            frame += 1
            team.advance(min(until_ms, int(frame * frame_ms)))
        return match

    def test_frame_rate_changes_nothing(self) -> None:
        first, second = (self.match(0x354, 3, frame_ms, 20_000) for frame_ms in (50 / 3, 35))
        assert first.seats[0].game.lock_downs > 10
        read_state = attrgetter("sent", "received", "game.score", "game.matrix.masks")
        assert list(map(read_state, first.seats)) == list(map(read_state, second.seats))

    def test_computers_do_not_play_a_persons_seat(self) -> None:
        match = self.match(0x30, 2, 50 / 3, 5000)
        assert match.seats[0].game.lock_downs == 0 and match.seats[1].game.lock_downs > 2

    @pytest.mark.parametrize("rules", [0, 1])
    def test_18_8_computers_count_line_clears_in_a_row_in_modern_only(self, rules: int) -> None:
        match = Match(3, choose(MatchOptions(), who=0x55, rules=rules), [Options(), Options()])
        team = ComputerTeam(match)
        seen = set()
        while match.time_ms < 40_000 and not match.over:
            team.advance(match.time_ms + 50)
            for seat, player in zip(match.seats, team.players, strict=True):
                if player.number == seat.game.lock_downs and seat.game.piece:
                    counted = player.beam.root_chain >> 1
                    seen.add(counted)
                    assert counted == rules * (seat.game.statistics.combo + 1)
        assert max(seen) > 1 if rules else seen == {0}

    def test_a_new_round_is_played_too(self) -> None:
        match = self.match(0x33, 2, 50 / 3, 1000)
        team = ComputerTeam(match)
        match.begin_round(1)
        team.watch()
        team.advance(5000)
        assert all(seat.game.lock_downs > 2 for seat in match.seats)


class TestPlans:
    def read(self, planner: PressPlanner) -> list[tuple[int, int, int]]:
        """Return button, pressed and time of each edge."""
        edges = zip(planner.edges, planner.moments_ms, strict=True)
        return [(edge >> 1, edge & 1, time_ms) for edge, time_ms in edges][: planner.count]

    def test_a_button_is_down_for_half_of_a_press(self) -> None:
        planner = PressPlanner(101)
        planner.begin()
        left, drop = controls.LEFT, controls.HARD_DROP
        for button in (left, drop):
            planner.press(button)
        assert self.read(planner) == [(left, 1, 0), (left, 0, 50), (drop, 1, 101), (drop, 0, 151)]
        planner.drop()
        assert self.read(planner) == [(drop, 1, 0), (drop, 0, 50)] and planner.time_ms == 101

    @pytest.mark.parametrize("given", range(5))
    def test_giving_up_a_plan_only_releases_pressed_buttons(self, given: int) -> None:
        planner = PressPlanner(100)
        planner.begin()
        left, soft = controls.LEFT, controls.SOFT_DROP
        for button, pressed in ((soft, 1), (left, 1), (left, 0), (soft, 0)):
            planner.note(button, pressed, planner.count * 10)
        planner.give_up(given)
        rest = {0: [], 1: [(soft, 0, 30)], 2: [(left, 0, 20), (soft, 0, 30)], 3: [(soft, 0, 30)], 4: []}
        assert self.read(planner)[given:] == rest[given]

    def test_a_plan_has_at_most_48_edges(self) -> None:
        planner = PressPlanner(100)
        for i in range(60):
            planner.note(controls.LEFT, 1, i)
        assert planner.count == 48 and planner.moments_ms[47] == 47

    @pytest.mark.parametrize("x", [0, 9])
    def test_an_i_turns_the_other_way_where_only_that_is_possible(self, x: int) -> None:
        heights = (15, 17, 17, 19, 18, 16, 18, 16, 16, 17)
        lines = ["".join(".#"[y < height] for height in heights) for y in range(18, -1, -1)]
        planner = PressPlanner(100)
        assert planner.plan(arrange(lines, [I] * 7), 1 | x << 5)
        assert next(button for button, pressed, _ms in self.read(planner) if pressed) == controls.ROTATE_CCW

    @pytest.mark.parametrize(("passed_ms", "rows", "fallen_ms"), [(99, 0, 0), (100, 1, 100), (250, 2, 250)])
    def test_a_tetrimino_falls_while_it_is_moved(self, passed_ms: int, rows: int, fallen_ms: int) -> None:
        planner = PressPlanner(100)
        planner.begin()
        planner.shadow.matrix = begin().matrix
        assert planner.shadow.place(T, 3, 10, 0)
        planner.interval_us, planner.time_ms = 100_000, passed_ms
        planner.sink()
        assert (planner.shadow.y, planner.fallen_ms) == (10 - rows, fallen_ms)
        planner.time_ms = 9000
        planner.sink()
        assert planner.shadow.y == planner.shadow.ghost_y

    @pytest.mark.parametrize(("piece", "y"), [(I, 17), (T, 18)])
    def test_held_tetrimino_enters_one_row_below_its_first_row(self, piece: int, y: int) -> None:
        planner = PressPlanner(100)
        planner.shadow.matrix = begin().matrix
        assert planner.enter(piece) and (planner.shadow.x, planner.shadow.y) == (3, y)


class TestPly:
    def test_a_better_line_replaces_the_worst_or_the_one_with_its_key(self) -> None:
        ply = Ply(2)
        assert ply.find_best() == -1 and ply.insert_line(50, 1, 2, 3, 4) == weights.NEVER
        assert ply.insert_line(70, 5, 6, 7, 1) == 50
        assert ply.insert_line(50, 9, 9, 3, 9) == 50 and ply.parents[0] == 1, "the same key needs a higher value"
        assert ply.insert_line(60, 8, 9, 3, 2) == 60 and ply.find_best() == 1
        assert (ply.parents[0], ply.places[0], ply.keys[0], ply.holds[0]) == (8, 9, 3, 2)
        assert ply.insert_line(65, 1, 1, 8, 1) == 65 and sorted(ply.keys) == [7, 8]

    def test_a_dropped_line_is_replaced_first(self) -> None:
        ply = Ply(2)
        ply.insert_line(50, 1, 2, 3, 4)
        ply.insert_line(70, 5, 6, 7, 1)
        assert ply.drop(1) == weights.NEVER and ply.find_best() == 0 and ply.keys[1] == -1
        ply.insert_line(10, 2, 2, 7, 2)
        assert ply.values == [50, 10]
        ply.clear()
        assert ply.values == [weights.NEVER] * 2 and ply.keys == [-1] * 2 and ply.worst == 0

    def test_garbage_raises_places_of_spins_and_slides(self) -> None:
        dropped, spun = 5 | 3 << 5 | 2 << 9, 5 | 3 << 5 | features.SPIN_CW << 14
        slid = 5 | 3 << 5 | features.SLIDE_LEFT << 14
        places = [dropped, spun | 2 << 9, spun | 22 << 9, slid | 2 << 9]
        raise_places(places, 3)
        assert places == [dropped, spun | 5 << 9, spun | 24 << 9, slid | 5 << 9]


def test_each_level_has_a_name_and_a_description_that_fit_the_screen() -> None:
    assert len(levels.TABLE) == levels.BEST == levels.LEVELS
    assert len(levels.NAMES) == len(levels.DESCRIPTIONS) == levels.STRONGEST
    assert all(name.isascii() and len(name) <= 5 for name in levels.NAMES)
    for lines in (words.split(b"|") for words in levels.DESCRIPTIONS):
        assert len(lines) <= 3 and all(text_width(line, FONT_3X5) <= 63 for line in lines)


def test_held_flag_is_above_all_bits_of_a_place() -> None:
    assert HELD > 27 | 9 << 5 | 31 << 9 | features.SPIN_CCW << 14
