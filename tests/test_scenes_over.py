"""The end of a game (Guideline 11): statistics, fireworks, initials and the tables, by button edges alone."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

from firmware.engine import controls, events
from firmware.engine.game import AIM_REACHED, BLOCK_OUT, Game
from firmware.engine.options import Options
from firmware.housekeeping import NO_INITIALS, sign
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA, ULTRA_LINES, make_mode
from firmware.save.scores import PLACES, TABLE_AIMS, find_table, read_table
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import HEIGHT, WIDTH, Canvas, text_width
from firmware.view.fireworks import MOST, Fireworks
from tests import golden
from tests.flash import RamStore
from tests.test_call_depth import Depth, is_short
from tests.test_play import Handheld
from tests.test_scenes_menus import glyph_of
from tests.test_view_cost import TURN_MS
from tools import interpreters
from tools.measure import scripts

LEFT, RIGHT, DOWN, UP = controls.LEFT, controls.RIGHT, controls.SOFT_DROP, controls.HARD_DROP
A, B, HOLD, START = controls.ROTATE_CW, controls.ROTATE_CCW, controls.HOLD, controls.PAUSE
SKY_ROWS = 44
HEAP_BYTES = 80 * 1024
ROOFS = bytes([60] * 14)

needs_wasm = pytest.mark.skipif(
    bool(interpreters.missing(interpreters.WASM)), reason=interpreters.missing(interpreters.WASM) or "installed"
)


@pytest.fixture(autouse=True, scope="module")
def _light() -> Iterator[None]:
    """Let the collection at each change of scenes look at what these tests make, not at all of pytest."""
    gc.freeze()
    yield
    gc.unfreeze()


def game_of(
    variant: int = MARATHON,
    aim: int = 0,
    score: int = 123_456,
    lines: int = 142,
    level: int = 13,
    time_ms: int = 723_450,
    over: int = BLOCK_OUT,
) -> Game:
    """Return a game that ended like this."""
    options = Options()
    options.aim = aim
    game = Game(5, options, make_mode(variant))
    game.score, game.lines, game.level, game.time_ms = score, lines, level, time_ms
    game.end(over)
    counts = game.statistics
    counts.kinds[:] = [88, 12, 9, 5, 21, 1, 2, 0, 0, 0, 3, 4, 11, 2, 0]
    counts.back_to_backs, counts.longest_combo, counts.pieces, counts.holds, counts.faults = 17, 6, 412, 63, 41
    return game


class Player(Handheld):
    """A Handheld with a store, on which games end as a test wants."""

    def __init__(self, banks: list[RamStore] | None = None, first: str = "main") -> None:
        super().__init__(store=banks or [RamStore(), RamStore()], first=first)

    @property
    def scene(self) -> Any:
        return self.app.scene

    @property
    def name(self) -> str:
        return type(self.app.scene).__module__.rpartition(".")[2]

    def end(self, game: Game, variant: int = MARATHON) -> None:
        """Let `game` end in play, and enter what follows."""
        self.app.variant = variant
        self.app.finish(game)
        self.app.go("over", game)
        self.step(0)
        self.step(0)

    def rank(self, initials: bytes, game: Game, variant: int = MARATHON) -> None:
        """Put a game and its initials into a table."""
        self.app.variant = variant
        self.app.finish(game)
        sign(self.app, initials)

    def tap(self, *buttons: int) -> None:
        for button in buttons:
            self.press(button)
            self.step()
            self.step(0)

    def table(self, variant: int = MARATHON, aim: int = 0) -> list[tuple[bytes, int]]:
        table = read_table(self.app.journal, find_table(variant, aim))
        return [table.entry(place)[:2] for place in range(table.count)]

    def compare(self, name: str) -> None:
        golden.compare(self.display.canvas, f"over_{name}")


@pytest.fixture
def player() -> Player:
    return Player()


class TestEnd:
    def test_11_a_game_among_the_best_is_congratulated_and_goes_on_to_the_initials(self, player: Player) -> None:
        player.end(game_of())
        assert player.name == "over"
        assert player.app.placed == (0, 0)
        player.step(40, 40)
        player.compare("record")
        player.tap(A)
        assert player.name == "initials"

    def test_11_any_other_goes_on_to_its_table(self, player: Player) -> None:
        player.end(game_of(SPRINT, 40, over=BLOCK_OUT), SPRINT)
        assert player.app.placed is None
        player.compare("sprint_lost")
        player.tap(A)
        assert (player.name, player.scene.at) == ("scores", find_table(SPRINT, 40))

    def test_11_1_the_sound_of_a_reached_goal_greets_a_place_and_nothing_else(self, player: Player) -> None:
        player.end(game_of())
        assert player.app.voice.priority == events.COMPLETED
        player = Player()
        player.end(game_of(score=0))
        assert player.app.voice.priority == 0

    @pytest.mark.parametrize("button", [B, HOLD])
    def test_b_leaves_to_the_menu_but_not_past_the_initials(self, button: int) -> None:
        player = Player()
        player.end(game_of(score=0))
        player.tap(button)
        assert player.name == "main"
        player.end(game_of())
        player.tap(button)
        assert player.name == "initials"

    def test_every_page_shows_its_statistics(self, player: Player) -> None:
        player.end(game_of())
        for name in ("result", "line_clears", "t_spins", "tetriminos"):
            player.tap(RIGHT)
            player.compare(name)
        player.tap(DOWN)
        assert player.scene.show, "after the last page comes the first"
        player.tap(LEFT, UP)
        player.compare("t_spins")

    @pytest.mark.parametrize(
        ("name", "variant", "aim", "first"),
        [
            ("marathon", MARATHON, 0, b"SCORE"),
            ("sprint", SPRINT, 40, b"TIME"),
            ("ultra", ULTRA, 2, b"SCORE"),
            ("ultra_lines", ULTRA_LINES, 3, b"LINES"),
        ],
    )
    def test_what_counts_in_the_variant_comes_first(
        self, player: Player, name: str, variant: int, aim: int, first: bytes
    ) -> None:
        player.end(game_of(variant, aim, 23_456, 40, 3, 73_450, AIM_REACHED), variant)
        player.tap(RIGHT)
        assert player.scene.list_rows(0)[0][0] == first
        player.compare(f"result_{name}")

    def test_a_sprint_that_failed_says_how_far_it_came(self, player: Player) -> None:
        player.end(game_of(SPRINT, 40, lines=31), SPRINT)
        assert player.scene.list_rows(0)[0] == (b"LINES", 31)

    def test_a_game_without_a_tetrimino_has_statistics_too(self, player: Player) -> None:
        game = Game(1)
        game.end(BLOCK_OUT)
        player.end(game)
        player.tap(RIGHT, RIGHT, RIGHT)
        player.compare("nothing")

    def test_the_largest_numbers_fit(self, player: Player) -> None:
        game = game_of(score=4_000_000_000, lines=65_535, level=255, time_ms=1 << 29)
        counts = game.statistics
        counts.kinds[:] = [999] * 15
        counts.back_to_backs = counts.longest_combo = counts.holds = 999
        counts.pieces, counts.faults = 99_999, 99_999
        player.end(game)
        for number in range(4):
            player.tap(RIGHT)
            player.compare(f"largest_{number}")
        rows = [row for page in range(4) for row in player.scene.list_rows(page)]
        for name, value in rows:
            codes = value if isinstance(value, bytes) else str(value).encode()
            assert text_width(name, FONT_3X5) + 3 + text_width(codes, FONT_3X5) <= WIDTH, name

    def test_rates_are_the_guidelines(self, player: Player) -> None:
        """TPM and LPM: Tetriminos and lines a minute (2.3.1)."""
        player.end(game_of(lines=45, time_ms=90_000))
        rows = dict(player.scene.list_rows(0))
        assert (rows[b"TPM"], rows[b"LPM"]) == (b"274.6", b"30.0")
        assert dict(player.scene.list_rows(3))[b"FINESSE"] == b"90.0"


def volley(count: int) -> tuple[int, int]:
    """Return how many rockets a volley has, and how many pixels are lit at most."""
    canvas = Canvas()
    show = Fireworks(canvas, ROOFS, 0, count, 99)
    fired = lit = 0
    for _ in range(2000):
        before = show.fired
        show.tick()
        fired += show.fired > before
        lit = max(lit, sum(bin(byte).count("1") for byte in canvas.buffer))
        if before and not show.fired:
            assert not any(canvas.buffer[1:]), "a volley leaves a dark sky"
            return fired, lit
    raise AssertionError("the volley does not end")


class TestFireworks:
    @pytest.mark.parametrize("count", [1, 2, 7, MOST])
    def test_11_1_a_volley_has_as_many_rockets_as_it_is_told(self, count: int) -> None:
        assert volley(count)[0] == count

    def test_11_1_there_are_between_one_and_the_most(self) -> None:
        assert (volley(-5)[0], volley(500)[0]) == (1, MOST)

    def test_11_1_the_more_the_larger(self) -> None:
        sizes = [volley(count)[1] for count in (1, 5, 10, 20)]
        assert sizes == sorted(sizes)
        assert sizes[3] > 2 * sizes[0]

    @pytest.mark.parametrize(
        ("variant", "aim", "worse", "better"),
        [
            (MARATHON, 0, {"score": 30_000}, {"score": 90_000}),
            (ULTRA, 2, {"score": 6_000}, {"score": 18_000}),
            (ULTRA_LINES, 2, {"lines": 15}, {"lines": 45}),
            (SPRINT, 40, {"lines": 40, "time_ms": 100_000}, {"lines": 40, "time_ms": 33_333}),
        ],
    )
    def test_11_1_they_are_in_proportion_to_the_result(
        self, player: Player, variant: int, aim: int, worse: dict[str, int], better: dict[str, int]
    ) -> None:
        """Three times the points, the lines or the pace, three times the rockets."""
        counts = []
        for numbers in (worse, better):
            player.end(game_of(variant, aim, over=AIM_REACHED, **numbers), variant)
            counts.append(player.scene.show.count)
        assert counts[1] == 3 * counts[0]

    def test_the_town_hides_what_is_behind_it_and_nothing_leaves_the_sky(self) -> None:
        canvas = Canvas()
        roofs = bytes([30, 60] * 7)
        show = Fireworks(canvas, roofs, 5, MOST, 3)
        seen = 0
        for _ in range(800):
            show.tick()
            for x in range(WIDTH):
                roof = roofs[(x + 3) // 5]
                assert not any(canvas.pixel(x, y) for y in range(roof, roof + 20))
            assert not any(canvas.buffer[1 : 1 + 5 * 8])
            seen |= any(canvas.buffer)
        assert seen
        assert not any(canvas.buffer[1 + 60 * 8 :])

    def test_dirty_rows_are_those_that_change(self) -> None:
        canvas = Canvas()
        show = Fireworks(canvas, ROOFS, 0, MOST, 3)
        for _ in range(300):
            before = bytes(canvas.buffer)
            canvas.dirty[:] = bytes(HEIGHT)
            show.tick()
            for y in range(HEIGHT):
                row = slice(1 + 8 * y, 9 + 8 * y)
                assert canvas.dirty[y] or before[row] == canvas.buffer[row]

    def test_2_5_without_motion_a_picture_stands(self, player: Player) -> None:
        player.app.settings.motion_on = 0
        player.end(game_of(score=80_000))
        player.compare("still")
        before = player.picture()
        assert any(before[: 8 * SKY_ROWS])
        assert player.step(40, 30) == before


class TestInitials:
    @pytest.fixture
    def entry(self, player: Player) -> Player:
        player.end(game_of())
        player.tap(A)
        return player

    def test_11_2_three_letters_are_entered_and_stand_in_the_table(self, entry: Player) -> None:
        assert entry.table() == [(NO_INITIALS, 123_456)]
        entry.compare("initials")
        entry.tap(DOWN, A, DOWN, DOWN, A)
        entry.compare("initials_last")
        entry.tap(UP, A)
        assert entry.table() == [(b"BC ", 123_456)]
        assert entry.name == "scores"
        entry.compare("entered")

    def test_the_alphabet_goes_round_through_letters_digits_dot_and_space(self, entry: Player) -> None:
        seen = b""
        for _ in range(38):
            seen += entry.scene.glyphs[entry.scene.codes[0]]
            entry.tap(DOWN)
        assert seen == b"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789. "
        assert entry.scene.codes[0] == 0

    def test_all_of_the_alphabet_has_a_glyph(self, entry: Player) -> None:
        glyphs = [glyph_of(code[0], FONT_5X7) for code in entry.scene.glyphs]
        assert all(any(glyph) for glyph in glyphs[:-1])
        assert not any(glyphs[-1])

    def test_a_held_direction_repeats(self, entry: Player) -> None:
        entry.buttons.edges.append((DOWN, 1, entry.clock.now_ms))
        entry.step(16, 100)
        assert entry.scene.codes[0] > 8

    def test_left_right_and_b_go_from_letter_to_letter_and_stop_at_the_ends(self, entry: Player) -> None:
        places = []
        for button in (LEFT, B, RIGHT, RIGHT, RIGHT, B, HOLD, B):
            entry.tap(button)
            places.append(entry.scene.at)
        assert places == [0, 0, 1, 2, 2, 1, 0, 0]
        assert entry.name == "initials"

    def test_start_takes_what_there_is(self, entry: Player) -> None:
        entry.tap(DOWN, START)
        assert entry.table() == [(b"BAA", 123_456)]

    def test_they_are_offered_the_next_time_and_after_power_off(self) -> None:
        banks = [RamStore(), RamStore()]
        player = Player(banks)
        player.end(game_of())
        player.tap(A, DOWN, A, UP, A, UP, UP, A)
        assert player.table()[0][0] == b"B ."
        for again in (player, None):
            again = again or Player(banks)
            again.end(game_of(score=200))
            again.tap(A, START)
            assert again.table()[-1][0] == b"B ."

    def test_power_off_before_they_are_entered_loses_only_them(self) -> None:
        banks = [RamStore(), RamStore()]
        player = Player(banks)
        player.end(game_of())
        player.tap(A, DOWN)
        assert Player(banks).table() == [(NO_INITIALS, 123_456)]

    def test_they_go_to_the_place_that_was_reached_and_to_no_other(self, player: Player) -> None:
        for initials, score in ((b"ONE", 500_000), (b"TWO", 300_000), (b"SIX", 100)):
            player.rank(initials, game_of(score=score))
        player.end(game_of(score=300_000))
        player.tap(A, START)
        assert player.table() == [(b"ONE", 500_000), (b"TWO", 300_000), (b"AAA", 300_000), (b"SIX", 100)]

    def test_without_motion_nothing_blinks(self, entry: Player) -> None:
        entry.app.settings.motion_on = 0
        before = entry.picture()
        assert entry.step(100, 10) == before

    def test_the_mark_blinks(self, entry: Player) -> None:
        assert len({entry.step(100) for _ in range(10)}) == 2

    def test_entered_with_nothing_placed_they_lead_on(self, player: Player) -> None:
        player.app.go("initials")
        player.step(0)
        player.step(0)
        player.tap(START)
        assert player.name == "scores"


class TestScores:
    @pytest.fixture
    def full(self, player: Player) -> Player:
        """Fill a table of each variant."""
        for i, initials in enumerate((b"SKY", b"A.B", b"ZOE", b"007", b"MI ")):
            player.rank(initials, game_of(score=1_987_654 >> 2 * i, lines=150 >> i, level=15 - i))
            player.rank(initials, game_of(SPRINT, 40, 0, 40, 1 + i, 59_990 + i * 171_110, AIM_REACHED), SPRINT)
            player.rank(initials, game_of(ULTRA, 2, 24_680 >> i, 33 - i, 5, 120_000, AIM_REACHED), ULTRA)
            player.rank(initials, game_of(ULTRA_LINES, 3, 9_000, 61 - i, 10, 180_000, AIM_REACHED), ULTRA_LINES)
        player.app.variant = MARATHON
        player.app.placed = None
        return player

    def open(self, player: Player, subject: object = None) -> None:
        player.app.go("scores", subject)
        player.step(0)
        player.step(0)

    def test_11_2_they_are_reached_from_the_main_menu_and_lead_back(self, full: Player) -> None:
        full.tap(DOWN, DOWN, A)
        assert full.name == "scores"
        full.compare("scores_marathon")
        full.tap(B)
        assert (full.name, full.scene.lines[full.scene.at]) == ("main", b"SCORES")

    def test_11_2_each_variant_has_a_table_with_the_columns_that_matter(self, full: Player) -> None:
        self.open(full)
        for table in range(1, len(TABLE_AIMS) // 2):
            full.tap(RIGHT)
            assert full.scene.at == table
            if table == find_table(SPRINT, 40):
                full.compare("scores_sprint")
            elif table == find_table(ULTRA, 2):
                full.compare("scores_ultra")
            elif table == find_table(ULTRA_LINES, 3):
                full.compare("scores_ultra_lines")
        full.tap(RIGHT)
        assert full.scene.at == 0
        full.tap(LEFT, LEFT)
        assert full.scene.at == len(TABLE_AIMS) // 2 - 2

    def test_11_2_the_tables_are_named_like_the_variants(self) -> None:
        variant = import_module("firmware.scenes.variant")
        assert variant._AIMS == TABLE_AIMS
        assert len(variant.Scene.lines) == len(variant.Scene.words) == len(TABLE_AIMS) // 2

    def test_every_name_fits_between_the_arrows(self) -> None:
        variant = import_module("firmware.scenes.variant").Scene
        for name, words in zip(variant.lines, variant.words, strict=True):
            width = text_width(name, FONT_5X7) + (text_width(words, FONT_3X5) + 4 if words else 0)
            assert width <= WIDTH - 2 * 5, name

    def test_an_empty_table_says_so(self, player: Player) -> None:
        self.open(player)
        player.compare("scores_empty")

    def test_the_variant_played_last_comes_first(self, full: Player) -> None:
        full.app.variant, full.app.settings.aim = ULTRA, 2
        self.open(full)
        assert full.scene.at == find_table(ULTRA, 2)

    def test_a_game_of_ones_own_aim_has_no_table_and_shows_the_first(self, player: Player) -> None:
        player.end(game_of(SPRINT, 33, lines=33, over=AIM_REACHED), SPRINT)
        player.tap(A)
        assert (player.name, player.scene.at) == ("scores", 0)

    @pytest.mark.parametrize("place", range(PLACES))
    def test_what_was_entered_stands_out_and_blinks(self, full: Player, place: int) -> None:
        self.open(full)
        plain = full.picture()
        self.open(full, (place, 0))
        marked = full.picture()
        # The foot differs, too: it says what A does.
        rows = [y for y in range(HEIGHT - 10) if marked[8 * y : 8 * y + 8] != plain[8 * y : 8 * y + 8]]
        assert rows == list(range(rows[0], rows[0] + 19))
        assert rows[0] == 12 + 20 * place
        assert {full.step(100)[:800] for _ in range(10)} == {plain[:800], marked[:800]}

    def test_it_stands_out_in_its_own_table_only(self, full: Player) -> None:
        self.open(full, (0, 0))
        full.tap(RIGHT)
        assert len({full.step(100) for _ in range(10)}) == 1
        full.tap(LEFT)
        assert len({full.step(100) for _ in range(10)}) == 2

    def test_without_motion_it_stands_out_and_does_not_blink(self, full: Player) -> None:
        full.app.settings.motion_on = 0
        self.open(full, (2, 0))
        full.compare("scores_marked")
        assert len({full.step(100) for _ in range(10)}) == 1

    @pytest.mark.parametrize("button", [A, START])
    def test_after_a_game_a_plays_again(self, player: Player, button: int) -> None:
        player.end(game_of())
        player.tap(A, START, button)
        assert player.name == "play"
        assert player.game.score == 0

    def test_after_a_game_b_leads_to_the_menu(self, player: Player) -> None:
        player.end(game_of())
        player.tap(A, START, B)
        assert player.name == "main"

    def test_from_the_menu_a_turns_the_page(self, player: Player) -> None:
        self.open(player)
        player.tap(A)
        assert (player.name, player.scene.at) == ("scores", 1)

    def test_without_a_store_there_are_no_games_and_no_error(self) -> None:
        player = Handheld(first="main")
        player.app.go("scores")
        player.step(0)
        player.step(0)
        assert any(player.picture())


def test_from_the_last_lock_down_to_the_next_game_by_buttons_alone() -> None:
    player = Player(first="play")
    while not player.game.over:
        player.press(controls.HARD_DROP)
        player.step(300)
    player.step(100, 15)
    player.tap(A)
    assert player.name == "over"
    player.tap(A)
    assert player.name == "initials"
    player.tap(A, A, A)
    assert player.name == "scores"
    player.tap(A)
    assert player.name == "play"
    assert not player.game.over


@pytest.mark.parametrize("name", ["over", "initials", "scores"])
def test_the_longest_chain_of_calls(name: str) -> None:
    player = Player()
    player.end(game_of())
    player.app.go(name, {"over": game_of()}.get(name))
    chain = Depth().of(player, 200)
    assert is_short(chain), chain


SCRIPT = """
import micropython

class RamStore:
    size = 4096
    def __init__(self):
        self.bytes = bytearray(b"\\xff" * 4096)
    def read(self, offset, buffer):
        for i in range(len(buffer)):
            buffer[i] = self.bytes[offset + i]
    def write(self, offset, data):
        for i in range(len(data)):
            self.bytes[offset + i] = data[i]
    def erase(self):
        for i in range(4096):
            self.bytes[i] = 255

def frames(count):
    micropython.heap_lock()
    for frame in range(count):
        device.clock.tick()
        app.step()
    micropython.heap_unlock()

def press(button):
    app.scene.press(button)
    frames(2)

stores = (RamStore(), RamStore())
gc.collect()
OURS = gc.mem_alloc()

from firmware.app import App
from firmware.engine.game import Game
from firmware.modes.catalogue import make_mode

device = build(Bus(), 0)
device.store = stores
app = App(device, 1, first="main")
app.change()
app.step()
game = Game(1, None, make_mode(0))
game.score = 200000
game.lines = 150
game.time_ms = 600000
game.end(1)
app.finish(game)
assert app.placed == (0, 0)
app.go("over", game)
game = None
for name in ("over", "initials", "scores"):
    if name != "over":
        app.go(name, app.placed)
    app.change()
    app.step()
    gc.collect()
    print("heap", gc.mem_alloc() - OURS)
    lit = 0
    for turn in range(10):
        frames(60)
        lit = max(lit, sum(app.canvas.buffer[1:351]))
    assert lit
    if name == "initials":
        for button in b"\\x02\\x04\\x03\\x00":
            press(button)
        assert app.scene.at == 0 and app.scene.codes[0] == 1
print("done")
"""


TICKS = """
from time import ticks_us as mark
from firmware.view.canvas import Canvas
from firmware.view.fireworks import Fireworks
show = Fireworks(Canvas(), bytes([60] * 14), 0, 20, 5)
for tick in range(200):
    mark()
    show.tick()
    mark()
"""


@needs_wasm
def test_a_tick_of_the_largest_fireworks_keeps_its_time() -> None:
    """With the rows it changes on the bus it fits the 40 ms from tick to tick twice."""
    marks = interpreters.marks_of(interpreters.run(interpreters.WASM, TICKS))
    unit = interpreters.turn_fuel() / TURN_MS
    assert max((after - before) / unit for before, after in zip(marks[::2], marks[1::2], strict=True)) <= 8


@needs_wasm
def test_no_frame_allocates_and_all_of_it_fits_the_heap() -> None:
    played = scripts.run(SCRIPT)
    sizes = [int(line.split()[1]) for line in played.stdout.splitlines() if line.startswith("heap")]
    assert played.last_line == "done"
    assert max(sizes) <= HEAP_BYTES, sizes
