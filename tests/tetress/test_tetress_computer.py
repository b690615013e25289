"""The handheld's computer chooses well, in time, in slices, in little memory; each level beats the one below."""

import pytest

from firmware.tetress.computer import LEVELS, Computer
from firmware.tetress.game import DRAWN, LONGEST, Game
from firmware.tetress.mobility import count_actions
from firmware.tetress.record import HEAD, start_record
from tests.support.needs import needs_wasm
from tests.tetress.tetress_positions import BLOCKED, by_chance, legal, middle_games, position
from tools import interpreters
from tools.measure import scenes, scripts
from tools.measure.board import TURN_US
from tools.tetress.notation import parse_action

HEAP_BYTES = 68 * 1024
EASY_S = 2.0
HARDEST_S = 15.0
FRAME_S = 0.003  # time of a frame without thinking: buttons, sound, the bar and its bytes
ACTION_TURNS = 11.0  # time to find and store a legal action, in turns of `s += i & 3`
SLICE = 3  # positions a frame, at best four


def think(computer: Computer, game: Game, level: int, positions: int) -> int:
    computer.begin(game, level)
    while not computer.think(positions):
        pass
    return computer.action


def choose(game: Game, level: int, positions: int = 50) -> int:
    return think(Computer(1), game, level, positions)


def play(red: int, blue: int, seed: int) -> int:
    """Let two levels play; return how the game ended."""
    game = Game()
    computers = (Computer(seed * 7 + 1), Computer(seed * 13 + 5))
    while not game.over:
        mover = game.played & 1
        assert game.play(think(computers[mover], game, (red, blue)[mover], 100)) == 0
    return game.over


class TestComputer:
    @pytest.mark.parametrize("seed", range(5))
    def test_mobility_is_the_difference_of_legal_actions(self, seed: int) -> None:
        game, other = by_chance(seed, 10 + seed), by_chance(seed, 10 + seed)
        other.played += 1
        other.find()
        both = count_actions(game.free, game.touch, other.touch, Computer().ones)
        assert (both >> 12, both & 0xFFF) == (len(legal(game)), len(legal(other)))

    @pytest.mark.parametrize("level", [1, 2, 3, pytest.param(4, marks=pytest.mark.long)])
    def test_every_choice_of_a_whole_game_is_legal(self, level: int) -> None:
        assert play(level, 1, 3) in (1, 2, 3)

    @pytest.mark.parametrize("level", range(1, LEVELS + 1))
    def test_slices_change_nothing(self, level: int) -> None:
        game = by_chance(2, 14)
        assert choose(game, level, positions=1) == choose(game, level, positions=1000)

    def test_thinking_leaves_the_game_as_it_was(self) -> None:
        game = by_chance(2, 9)
        before = ([list(rows) for rows in game.tokens], game.played, list(game.found))
        choose(game, LEVELS)
        assert ([list(rows) for rows in game.tokens], game.played, list(game.found)) == before

    @pytest.mark.parametrize("level", [3, 4])
    def test_a_winning_action_is_found(self, level: int) -> None:
        """As in figure 7, but with more actions: one of them wins at once."""
        game = position(BLOCKED, 3)
        assert len(legal(game)) > 1
        game.play(choose(game, level))
        assert game.over

    def test_the_last_action_is_chosen_for_tokens(self) -> None:
        game = position("...........\n" * 4 + "RRRRRRR....\n" + "BB.........\n", LONGEST - 1)
        game.tokens[1][4] |= 0b111 << 8
        game.find()
        game.play(choose(game, 4))
        assert not game.token(4, 0), "a full row of Red's was to be had"

    def test_the_only_action_is_chosen_without_thinking(self) -> None:
        game = position(BLOCKED, 2)
        game.tokens[0][3] |= 1 << 3
        game.tokens[0][5] |= 1 << 5
        game.find()
        assert len(legal(game)) == 1
        computer = Computer()
        computer.begin(game, LEVELS)
        assert computer.think(1) and computer.action == parse_action("PLACE[(4,3), (4,4), (5,3), (5,4)]")

    @pytest.mark.parametrize(
        ("level", "games", "least"),
        [(2, 6, 4), pytest.param(3, 6, 4, marks=pytest.mark.long)]
        + [pytest.param(level, 100, 65, marks=pytest.mark.long) for level in range(2, LEVELS + 1)],
    )
    def test_a_level_beats_the_one_below(self, level: int, games: int, least: int) -> None:
        """A draw is half a win; colours alternate."""
        points = 0.0
        for seed in range(games):
            over = play(level - 1, level, seed) if seed & 1 else play(level, level - 1, seed)
            points += 0.5 if over == DRAWN else over == (2 if seed & 1 else 1)
        assert points >= least


LISTED = """
from time import ticks_us as mark
from firmware.tetress.game import ACTIONS, Game
game = Game()
actions = [0] * ACTIONS
count = 0
for red, blue, played in {positions!r}:
    for r in range(11):
        game.tokens[0][r] = red[r]
        game.tokens[1][r] = blue[r]
    game.played = played
    mark()
    game.find()
    count += game.list_actions(actions)
    mark()
print(count)
"""

TIMED = """
from time import ticks_us as mark
from firmware.tetress.computer import Computer
from firmware.tetress.game import Game
game = Game()
computer = Computer({seed})
for i in range({actions}):
    computer.begin(game, 2)
    while not computer.think(1):
        pass
    game.play(computer.action)
assert not game.over
for level in range(1, 5):
    mark()
    computer.begin(game, level)
    frames = 0
    while not computer.think({slice}):
        frames += 1
    mark()
    print(frames)
"""

HANDHELD = """
import sys
import firmware.app
device = build(Bus())
app = firmware.app.App(device, 1, first="menus.main")
kept = ("firmware.engine.events", "firmware.engine.controls", "firmware.engine.randomizer", "firmware.view.canvas")
blocks = ("firmware.engine.", "firmware.modes.", "firmware.scenes.", "firmware.view.", "firmware.save.suspended")
app.router.resident = [name for name in app.router.resident if name in kept or not name.startswith(blocks)]
app.context.go("tetress.play", bytearray({record!r}))
for frame in range(100):
    device.clock.tick()
    app.step()
gc.collect()
assert not [name for name in sys.modules if name in ("firmware.engine.game", "firmware.view.playfield")]
print("heap", gc.mem_alloc() - BASE, app.router.scene.game.played)
"""

LOCKED = """
begin()
go("tetress.play", bytearray({record!r}), 100)
game = app.router.scene.game
played = game.played

def poll(sink):
    step = clock.frame // 3
    sink.append(b"\\x00\\x02\\x05\\x06\\x01\\x03\\x04\\x00"[step >> 1 & 7], step & 1, clock.now_ms)

device.buttons.poll = poll
play_locked({frames})
print("played", game.played - played)
"""


class TestOnABoard:
    @needs_wasm
    def test_a_legal_action_takes_as_many_instructions_as_action_turns_says(self) -> None:
        """Over 60 positions with about 150 actions each; the limit is 10 % above the figure of 2026-11-21."""
        games = middle_games()
        count = sum(len(legal(game)) for game in games)
        assert 120 * 60 <= count <= 180 * 60
        positions = [(*game.tokens, game.played) for game in games]
        played = interpreters.run(interpreters.WASM, LISTED.format(positions=positions))
        assert int(played.last_line) == count
        marks = interpreters.marks_of(played)
        turns = sum(marks[i + 1] - marks[i] for i in range(0, len(marks), 2)) / interpreters.turn_fuel()
        assert turns / count <= ACTION_TURNS * 1.1

    @needs_wasm
    @pytest.mark.parametrize(("seed", "actions"), [(3, 0), (3, 6), (5, 14), (8, 26)])
    def test_levels_answer_in_time_on_a_board(self, seed: int, actions: int) -> None:
        """Estimated as in tools.measure: in turns of `s += i & 3`, whose time on a board is known."""
        played = interpreters.run(interpreters.WASM, TIMED.format(seed=seed, actions=actions, slice=SLICE))
        marks = interpreters.marks_of(played)
        frames = [int(line) for line in played.stdout.split()]
        turns = [(marks[i + 1] - marks[i]) / interpreters.turn_fuel() for i in range(0, 8, 2)]
        seconds = [turn * TURN_US * 1e-6 + count * FRAME_S for turn, count in zip(turns, frames, strict=True)]
        assert max(seconds[:3]) <= EASY_S and seconds[3] <= HARDEST_S

    @needs_wasm
    def test_heap_of_a_handheld_against_the_hardest_tetress_level(self) -> None:
        """Includes the main loop, journal, settings and the display's driver."""
        script = HANDHELD.format(record=bytes(start_record(4, 4, 5)))
        # As deployed: sources load firmware/option_table.py, too, which no board does.
        root = scenes.deployed()
        lines = [scripts.run(f"{layout}\n{script}", root=root).last_line.split() for layout in scripts.LAYOUTS]
        assert all(int(actions) > 0 for _, _, actions in lines)
        assert min(int(heap) for _, heap, _ in lines) <= HEAP_BYTES

    @needs_wasm
    @pytest.mark.parametrize(("players", "frames"), [((4, 4), 150), ((0, 0), 480), ((2, 3), 480)])
    def test_a_frame_allocates_nothing(self, players: tuple[int, int], frames: int) -> None:
        """Neither while a person moves the piece nor while a computer thinks and plays."""
        record = bytes(start_record(*players, 5))
        assert len(record) == HEAD
        played = scripts.run(scripts.ON_BOARD + LOCKED.format(record=record, frames=frames))
        assert int(played.last_line.split()[1]) > 0
