"""Computer players (issue 15, 6 to 8): what they see, find and press, and that nothing depends on frames."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.engine.profiles import FACINGS
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.players import levels, survey, worth
from firmware.players.alone import pass_time
from firmware.players.beam import Beam
from firmware.players.company import Company
from firmware.players.ground import Ground
from firmware.players.hint import Hint
from firmware.players.judge import Judge
from firmware.players.opening import HELD
from firmware.players.player import IDLE, Player

I, J, L, O, S, T, Z = range(1, 8)  # noqa: E741
FULL = 1023


class Noted(Game):
    """A Game that tells its edges to a Log."""

    log: Log | None = None

    def input(self, button: int, pressed: int, t_ms: int) -> int:
        if self.log:
            self.log.edges.append((t_ms, button, pressed))
        return Game.input(self, button, pressed, t_ms)


class Log:
    """Take a game's edges down."""

    def __init__(self, game: Noted) -> None:
        self.edges: list[tuple[int, int, int]] = []
        game.log = self


def begin(seed: int = 1, **options: int) -> Noted:
    chosen = Options()
    for name, value in options.items():
        setattr(chosen, name, value)
    game = Noted(seed, chosen)
    game.start(0)
    game.advance(0)
    return game


def play(game: Game, player: Player, pieces: int, frame_ms: float = 50 / 3) -> None:
    """Play at so many milliseconds a frame."""
    player.watch(game)
    frame = 0
    while not game.over and game.lock_downs < pieces:
        frame += 1
        assert frame < 20_000
        pass_time(player, int(frame * frame_ms))


def draw(*lines: str) -> Callable[[Game], None]:
    """Return what puts rows, the lowest one last, into a game's Matrix: `#` is a Block."""

    def put(game: Game) -> None:
        for y, line in enumerate(reversed(lines)):
            game.matrix.set_row(y, bytes(8 if cell == "#" else 0 for cell in line))

    return put


def arrange(put: Callable[[Game], None], pieces: list[int], **options: int) -> Noted:
    """Return a game with these Blocks where these Tetriminos come, the first one in play."""
    game = begin(**options)
    put(game)
    for i, piece in enumerate(pieces[1:7]):
        game.next[i] = piece
    game.enter(pieces[0])
    return game


class TestSight:
    """A player sees what a person sees."""

    @pytest.mark.parametrize("level", range(1, 6))
    def test_what_the_next_queue_does_not_show_changes_nothing(self, level: int) -> None:
        edges = []
        for hidden in (b"\1\1\1\1", b"\5\7\5\7"):
            game = begin(5, next_count=2)
            for i in range(4):
                game.next[2 + i] = hidden[i]
            log = Log(game)
            play(game, Player(level), 1)
            edges.append(log.edges)
        assert edges[0] == edges[1]

    def test_without_hold_nothing_is_held(self) -> None:
        game = begin(5, hold_on=0)
        play(game, Player(5), 30)
        assert game.lock_downs == 30 and not game.statistics.holds

    @pytest.mark.parametrize("level", [3, 4, 5])
    def test_the_best_levels_hold_the_first_tetrimino_and_then_what_is_of_use_later(self, level: int) -> None:
        game = begin(5)
        first = game.piece
        player = Player(level)
        player.watch(game)
        while not game.hold:
            pass_time(player, game.time_ms + 16)
        assert game.hold == first and game.lock_downs == 0
        play(game, player, 60)
        assert game.statistics.holds > 5

    @pytest.mark.parametrize("level", [1, 2])
    def test_low_levels_hold_nothing(self, level: int) -> None:
        game = begin(5)
        play(game, Player(level), 20)
        assert not game.statistics.holds

    def test_a_game_is_taken_up_wherever_it_stands(self) -> None:
        game = arrange(draw("####.#####", "####.#####"), [T, S, Z, L, J, O, I])
        game.input(controls.HOLD, 1, game.now_ms)
        play(game, Player(5), 20)
        assert game.lock_downs == 20 and not game.over


class TestHands:
    """It cannot do what a person cannot."""

    @pytest.mark.parametrize("level", range(1, 6))
    def test_edges_are_those_of_a_person(self, level: int) -> None:
        """Each button goes down and up in turn, one press follows the other at the level's pace."""
        game = begin(3)
        log = Log(game)
        play(game, Player(level), 40)
        down: set[int] = set()
        last_ms = -1000
        pace_ms = levels.TABLE[level - 1][levels.PACE_MS]
        for t_ms, button, pressed in log.edges:
            assert (button in down) != bool(pressed)
            if pressed:
                down.add(button)
                assert button == controls.SOFT_DROP or t_ms - last_ms >= pace_ms
                last_ms = t_ms if button != controls.SOFT_DROP else last_ms
            else:
                down.remove(button)
        assert len(log.edges) > 80

    @pytest.mark.parametrize("level", [1, 3, 5])
    def test_buttons_are_let_go_when_a_tetrimino_locks_down_by_itself(self, level: int) -> None:
        """At level 15 it falls within 0.15 s: nothing that was meant for it is pressed for the next one."""
        for seed in range(1, 6):
            game = begin(seed, level=15)
            log = Log(game)
            play(game, Player(level), 60)
            down = 0
            for _, button, pressed in log.edges:
                assert bool(down >> button & 1) != bool(pressed)
                down ^= 1 << button
            assert game.lock_downs > 10

    @pytest.mark.parametrize("level", range(1, 6))
    def test_it_looks_at_a_tetrimino_before_it_presses(self, level: int) -> None:
        game = begin(3)
        log = Log(game)
        play(game, Player(level), 1)
        assert log.edges[0][0] >= levels.TABLE[level - 1][levels.REACTION_MS]

    def test_where_it_plans_to_go_it_comes_to_lie(self) -> None:
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
    """What it finds."""

    def find(self, put: Callable[[Game], None], pieces: list[int], level: int = 5, **options: int) -> Game:
        game = arrange(put, pieces, hold_on=0, **options)
        play(game, Player(level), 1)
        game.advance(game.now_ms + 400)
        return game

    def test_a_t_spin_double(self) -> None:
        game = self.find(
            draw(
                "##........",
                "#...######",
                "##.#######",
            ),
            [T, O, I, L, J, S, Z],
        )
        assert game.statistics.kinds[12] == 1

    def test_a_t_spin_double_on_the_other_side(self) -> None:
        game = self.find(
            draw(
                "........##",
                "######...#",
                "#######.##",
            ),
            [T, O, I, L, J, S, Z],
        )
        assert game.statistics.kinds[12] == 1

    def test_a_slide_under_an_overhang(self) -> None:
        game = self.find(draw("########..", "#######..."), [J, O, O, O, O, O, O], level=3)
        assert game.matrix.masks[0] >> 3 & FULL == 0b0111111111

    def test_hold_for_what_is_of_more_use_now(self) -> None:
        """An S fits nowhere, the I that is held makes a Tetris."""
        game = begin()
        draw(*["#########."] * 4)(game)
        game.hold = I
        for i in range(6):
            game.next[i] = O
        game.enter(S)
        play(game, Player(5), 1)
        game.advance(game.now_ms + 400)
        assert game.lines == 4 and game.hold == S

    def test_solid_lines_are_no_rows_to_clear(self) -> None:
        game = begin(2)
        for _ in range(5):
            game.matrix.raise_row(10)
        play(game, Player(5), 40)
        assert not game.over and game.lines >= 10

    def test_rows_that_rise_are_followed(self) -> None:
        """What is in mind stays there: no thought begins anew."""
        game = begin(2)
        player = Player(5)
        begun: list[Game] = []
        anew = player.begin

        def note(game: Game) -> None:
            begun.append(game)
            anew(game)

        player.begin = note  # type: ignore[method-assign]
        complete = game.mode.complete
        game.mode.complete = lambda game: (complete(game), game.receive(1, 4))[0]  # type: ignore[method-assign]
        play(game, player, 12)
        assert len(begun) == 1


    def test_what_garbage_makes_impossible_is_given_up(self) -> None:
        """Places thought of for a Matrix of 17 rows, replayed on one of 24."""
        beam = Beam(8)
        beam.most_holes = 40
        beam.queue[:5] = bytes([T, S, Z, L, J])
        beam.known = 5
        game = begin()
        for _ in range(17):
            game.matrix.raise_row(9)
        beam.root.see(game.matrix)
        beam.begin(0, O, False)
        while beam.ply.number < 3:
            beam.think(60)
        for _ in range(7):
            game.matrix.raise_row(0)
        beam.root.see(game.matrix)
        beam.shift(7)
        beam.idle = False
        while not beam.idle:
            beam.think(100)
        assert beam.ply.number >= 3

    def test_it_plays_on_whatever_rises(self) -> None:
        """To the very top, and with half a well behind it."""
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
    """It thinks in slices, the same whatever they are."""

    @pytest.mark.parametrize("level", range(1, 6))
    def test_frames_change_nothing(self, level: int) -> None:
        edges = []
        for frame_ms in (50 / 3, 7, 40):
            game = begin(4)
            log = Log(game)
            play(game, Player(level, 9), 25, frame_ms)
            edges.append([edge for edge in log.edges if edge[0] < 12_000])
        assert edges[0] == edges[1] == edges[2]

    @pytest.mark.parametrize("slice_", [1, 7, 500])
    def test_the_same_thought_in_slices_leads_to_the_same_place(self, slice_: int) -> None:
        places = []
        for units in (slice_, 60):
            game = arrange(draw("###..#####", "####.#####"), [T, S, Z, L, J, O, I])
            beam = Beam(8)
            for i, piece in enumerate([T, S, Z, L, J]):
                beam.queue[i] = piece
            beam.known = 5
            beam.root.see(game.matrix)
            beam.begin(0, O, False)
            left = 0
            while not beam.idle:
                left = beam.think(units + left)
            places.append((beam.choose(0), sorted(beam.after.values)))
        assert places[0] == places[1]

    def test_a_slip_goes_a_column_astray_and_only_low_levels_slip(self) -> None:
        assert [row[levels.SLIPS] > 0 for row in levels.TABLE] == [True, True, True, True, False]
        player = Player(1)
        place = 3 << 5
        assert {player.slip(place) for _ in range(20)} == {2 << 5, 4 << 5}
        assert player.slip(1 << 14 | place) == 1 << 14 | place

    def test_where_nothing_fits_it_drops_all_the_same(self) -> None:
        game = arrange(draw(*["#.#.#.#.#.", ".#.#.#.#.#"] * 9), [O, O, O, O, O, O, O])
        play(game, Player(5), 3)
        assert game.lock_downs >= 1 or game.over


class TestJudge:
    """What a drop changes and what the Matrix is worth after it are the same (judge.py)."""

    def test_a_place_is_worth_what_its_matrix_is_worth(self) -> None:
        """Where no hole is about; the cover of holes is told roughly."""

        class Taking(Judge):
            taken: dict[tuple[int, int, int], int]

            def take(self, value: int, at: int, x: int, y: int, way: int) -> None:
                self.taken[at, x, y] = value

        judge = Taking()
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
            judge.survey(ground)
            judge.find_fits(ground)
            assert not ground.holed
            judge.taken = {}
            judge.base, judge.least = ground.worth, worth.NEVER
            for piece in range(7):
                judge.at = piece * 40
                judge.beyond = judge.at + FACINGS[piece] * 10
                judge.spots = judge.fit(judge.at)
                judge.sweep(9999)
            for (at, x, y), value in dict(judge.taken).items():
                judge.complete(at, x, y, survey.DROP)
                if not judge.spare.holed:
                    assert judge.taken[at, x, y] == value
                    compared += 1
        assert compared > 1000

    def test_columns_that_fit_are_those_with_one_hole_at_most(self) -> None:
        judge = Judge()
        chance = random.Random(2)
        for _ in range(50):
            judge.ground.heights[:] = heights = [chance.randint(0, 6) for _ in range(10)]
            judge.find_fits(judge.ground)
            for at in range(0, 280, 10):
                if at % 40 // 10 < FACINGS[at // 40]:
                    profile = survey.PROFILES[at : at + 10]
                    found = 0
                    for x in range(11 - profile[1]):
                        gaps = [heights[x + i] - (profile[2 + i] & 15) for i in range(profile[1])]
                        y = max(*gaps, 0) if len(gaps) > 1 else max(gaps[0], 0)
                        if sum(y - gap for gap in gaps) <= 1:
                            found |= 1 << x
                    assert judge.fit(at) & (1 << 11 - profile[1]) - 1 == found


class TestHint:
    """Where level 5 would put the piece (8)."""

    def wait(self, game: Game, hint: Hint) -> None:
        frame = 0
        while not hint.is_known:
            frame += 1
            game.advance(game.now_ms + 16)
            hint.look()
            assert frame < 200

    def test_it_shows_a_place_where_the_piece_can_lie(self) -> None:
        game = arrange(draw("#########.", "#########.", "#########.", "#########."), [I, S, Z, L, J, O, T])
        hint = Hint()
        hint.watch(game)
        self.wait(game, hint)
        assert (hint.piece_shown, hint.facing, hint.y, hint.from_hold) == (I, 1, 0, False)
        assert hint.x == 7 and hint.due_ms == IDLE

    def test_another_piece_needs_another_hint(self) -> None:
        game = begin(3)
        game.advance(300)
        hint = Hint()
        hint.watch(game)
        self.wait(game, hint)
        for button in (controls.HOLD, controls.HARD_DROP):
            game.input(button, 1, game.now_ms)
            game.input(button, 0, game.now_ms)
            hint.look()
            assert not hint.is_known
            self.wait(game, hint)
            assert hint.piece_shown == (game.hold if hint.from_hold else game.piece)


class TestCompany:
    """All computers of a match."""

    def match(self, who: int, players: int, frame_ms: float, until_ms: int) -> Match:
        options = MatchOptions()
        options.players, options.who = players, who
        match = Match(7, options, [Options() for _ in range(players)])
        company = Company(match)
        frame = 0
        while match.time_ms < until_ms and not match.over:
            frame += 1
            company.advance(min(until_ms, int(frame * frame_ms)))
        return match

    def test_frames_change_nothing(self) -> None:
        one, two = (self.match(0x354, 3, frame_ms, 20_000) for frame_ms in (50 / 3, 35))
        assert one.seats[0].game.lock_downs > 10
        for here, there in zip(one.seats, two.seats, strict=True):
            assert (here.sent, here.received, here.game.score, here.game.matrix.masks) == (
                there.sent,
                there.received,
                there.game.score,
                there.game.matrix.masks,
            )

    def test_a_persons_seat_is_left_to_the_person(self) -> None:
        match = self.match(0x30, 2, 50 / 3, 5000)
        assert match.seats[0].game.lock_downs == 0
        assert match.seats[1].game.lock_downs > 2

    def test_a_new_round_is_played_too(self) -> None:
        match = self.match(0x33, 2, 50 / 3, 1000)
        company = Company(match)
        match.begin(1)
        company.watch()
        company.advance(5000)
        assert all(seat.game.lock_downs > 2 for seat in match.seats)


def test_each_level_has_a_name_and_a_description_that_fit_the_screen() -> None:
    assert len(levels.TABLE) == len(levels.NAMES) == len(levels.DESCRIPTIONS) == levels.LEVELS
    assert all(name.isascii() and len(name) <= 8 for name in levels.NAMES)


def test_held_is_beyond_all_that_a_place_is_made_of() -> None:
    assert HELD > 27 | 9 << 5 | 31 << 9 | survey.SPIN_CCW << 14
