"""Computer players: their sight, places and presses; the frame rate changes none of them."""

from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter
from typing import TypeVar

import pytest

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from firmware.players import features, levels
from firmware.players.alone import pass_time
from firmware.players.computer_team import ComputerTeam
from firmware.players.ground import Ground
from firmware.players.hint import Hint
from firmware.players.player import IDLE, Player
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width
from tests.support.drill import Drill, Garbage, choose

AnyGame = TypeVar("AnyGame", bound=Game)
I, S = 1, 5  # noqa: E741 - Tetriminos
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


def play(game: AnyGame, player: Player, pieces: int, frame_ms: float = 50 / 3) -> AnyGame:
    player.watch(game)
    frame = 0
    while not game.over and game.lock_downs < pieces:
        frame += 1
        assert frame < 20_000
        pass_time(player, int(frame * frame_ms))
    return game


class Storm(Garbage):
    """Send rows with another gap after every third Lock Down."""

    def complete(self, game: Game) -> None:
        if game.lock_downs % 3 == 0:
            self.gap = game.lock_downs % 10
            Garbage.complete(self, game)


def arrange(order: str, lines: Sequence[str], hold: int = 0, hold_on: int = 1) -> Game:
    """Return a game that deals these Tetriminos over and over, with these rows, the lowest last, and one in Hold."""
    game = Drill(order, "\n".join(lines), hold_on=hold_on).game
    game.hold = hold
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
        game = arrange("TSZLJOI", ["####.#####"] * 2)
        game.input(controls.HOLD, 1, game.now_ms)
        play(game, Player(5), 20)
        assert game.lock_downs == 20 and not game.over


@pytest.mark.parametrize(("level", "slides", "spins"), [(1, 0, 0), (2, 0, 0), (3, 1, 0), (4, 1, 1), (5, 1, 1)])
def test_only_the_upper_levels_slide_and_spin(level: int, slides: int, spins: int) -> None:
    beam = Player(level).beam
    assert (beam.slides, beam.spins) == (slides, spins)


class TestHands:
    @pytest.mark.parametrize("level", range(1, 6))
    def test_presses_keep_the_pace_of_the_level(self, level: int) -> None:
        game = play(begin(3), Player(level), 40)
        pressed_ms = [t_ms for t_ms, button, pressed in game.edges if pressed and button != controls.SOFT_DROP]
        assert len(pressed_ms) > 40
        assert min(later - sooner for sooner, later in pairwise(pressed_ms)) >= levels.TABLE[level - 1][levels.PACE_MS]

    @pytest.mark.slow
    @pytest.mark.parametrize("level", range(1, 6))
    @pytest.mark.parametrize("speed", [1, 15])
    def test_each_button_alternates_between_down_and_up(self, level: int, speed: int) -> None:
        """At speed 15 a fall takes 0.15 s: presses planned for it never reach the next Tetrimino."""
        for seed in range(1, 6):
            game = play(begin(seed, level=speed), Player(level), 60)
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
    def find(self, order: str, lines: Sequence[str], level: int = 5) -> Game:
        game = play(arrange(order, lines, hold_on=0), Player(level), 1)
        game.advance(game.now_ms + 400)
        return game

    @pytest.mark.parametrize("direction", [1, -1])
    def test_a_t_spin_double_on_either_side(self, direction: int) -> None:
        slot = ("##........", "#...######", "##.#######")
        game = self.find("TOILJSZ", [row[::direction] for row in slot])
        assert game.statistics.kinds[12] == 1

    @pytest.mark.parametrize("below", [0, 2])
    @pytest.mark.parametrize(("piece", "gap"), [("J", 9), ("L", 0)], ids=["to the left", "to the right"])
    def test_a_slide_under_an_overhang(self, piece: str, gap: int, below: int) -> None:
        lines = ["########..", "#######..."] if piece == "J" else ["..########", "...#######"]
        game = self.find(piece + "OOOOOO", lines + ["####.#####"] * below, level=3)
        assert game.matrix.masks[below] >> 3 & FULL == FULL ^ 1 << gap

    def test_player_holds_for_a_more_useful_tetrimino(self) -> None:
        """An S fits nowhere; the I in Hold makes a Tetris."""
        game = play(arrange("SOOOOOO", ["#########."] * 4, hold=I), Player(5), 1)
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
        game = Drill("", mode=Garbage(1, 4), seed=2).game
        player = Player(5)
        begun: list[Game] = []
        begin_search = player.begin
        player.begin = lambda game: (begun.append(game), begin_search(game))[1]  # type: ignore[method-assign,func-returns-value]
        play(game, player, 12)
        assert len(begun) == 1

    def test_player_plays_on_under_any_garbage(self) -> None:
        """Up to five rows rise after every third Lock Down, until the game is over."""
        for seed in range(1, 13):
            mode = Storm(1 + seed % 5)
            game = play(Drill("", mode=mode, seed=seed).game, Player(1 + seed % 5), 400)
            assert game.over and mode.answers


class TestThought:
    @pytest.mark.parametrize("level", range(1, 6))
    def test_frame_rate_changes_nothing(self, level: int) -> None:
        games = [play(begin(4), Player(level, 9), 25, frame_ms) for frame_ms in (50 / 3, 7, 40)]
        edges = [[edge for edge in game.edges if edge[0] < 12_000] for game in games]
        assert edges[0] == edges[1] == edges[2]

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
        game = play(arrange("O", ["#.#.#.#.#.", ".#.#.#.#.#"] * 9), Player(5), 3)
        assert game.lock_downs >= 1 or game.over


class TestHint:
    def wait(self, game: Game, hint: Hint) -> None:
        frame = 0
        while not hint.is_known:
            frame += 1
            game.advance(game.now_ms + 16)
            hint.look()
            assert frame < 200

    def begin(self, game: Game) -> tuple[Game, Hint]:
        hint = Hint()
        hint.watch(game)
        self.wait(game, hint)
        return game, hint

    def test_hint_shows_a_place_for_the_piece(self) -> None:
        _game, hint = self.begin(arrange("ISZLJOT", ["#########."] * 4))
        assert (hint.piece_shown, hint.facing, hint.y, hint.from_hold) == (I, 1, 0, False)
        assert hint.x == 7 and hint.due_ms == IDLE

    def test_another_piece_needs_another_hint(self) -> None:
        game: Game = begin(3)
        game.advance(300)
        game, hint = self.begin(game)
        for button in (controls.HOLD, controls.HARD_DROP):
            for pressed in (1, 0):
                game.input(button, pressed, game.now_ms)
            hint.look()
            assert not hint.is_known
            self.wait(game, hint)
            assert hint.piece_shown == (game.hold if hint.from_hold else game.piece)

    @pytest.mark.parametrize(("piece", "from_hold"), [("S", True), ("I", False)])
    def test_a_hint_to_hold_stays_until_the_held_piece_locks_down(self, piece: str, from_hold: bool) -> None:
        """The hint says to hold first, so this Hold keeps it. Any other Hold needs a new hint."""
        held = S if piece == "I" else I
        game, hint = self.begin(arrange(piece + "OOOOOO", ["#########."] * 4, hold=held))
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


def test_each_level_has_a_name_and_a_description_that_fit_the_screen() -> None:
    assert len(levels.TABLE) == levels.BEST == levels.LEVELS
    assert len(levels.NAMES) == len(levels.DESCRIPTIONS) == levels.STRONGEST
    assert all(name.isascii() and len(name) <= 5 for name in levels.NAMES)
    for lines in (words.split(b"|") for words in levels.DESCRIPTIONS):
        assert len(lines) <= 3 and all(text_width(line, FONT_3X5) <= 63 for line in lines)
