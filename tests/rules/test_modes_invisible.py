"""Invisible Blocks: firmware/modes/README.md, 12."""

from typing import Any

import pytest

from firmware import finishing
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.matrix import GARBAGE_CELL, HEIGHT, SKYLINE, WIDTH
from firmware.engine.mode import Mode
from firmware.engine.options import Options
from firmware.engine.phases import ANIMATE
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA, find
from firmware.modes.listing import list_tables
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.scores import find_kind, find_splits, find_table, open_table
from firmware.save.settings import Settings
from firmware.scenes.again import pack
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld, lose
from tests.support.handhelds.pauses import DOWN, RIGHT, START, UP, A, begin_game
from tests.support.recorded import RECORDINGS
from tests.support.variants import SURVIVE

NOW, FADING = 1, 2
FRAME_MS = 16


def visible(handheld: Handheld) -> list[bytes]:
    """Return the Blocks that the screen shows, as rows of cell codes."""
    return [bytes(c if c <= GARBAGE_CELL else 0 for c in row) for row in handheld.scene.view.matrix._shown]


def blocks(handheld: Handheld) -> list[bytes]:
    return [bytes(row) for row in handheld.game.matrix.rows[: SKYLINE + 1]]


def count(rows: list[bytes]) -> int:
    return sum(map(bool, b"".join(rows)))


def begin(variant: int = MARATHON, invisible: int = NOW, **settings: int) -> Handheld:
    return begin_game(variant, invisible=invisible, motion_on=0, **settings)


class Faded(Recording):
    def game(self, mode: Mode) -> Game:
        self.options.invisible = FADING
        return super().game(mode)


class Ages:
    """Note when each Block of a game appeared, by the calls of its Matrix."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self.rows: list[list[int | None]] = [[None] * WIDTH for _ in range(HEIGHT)]
        self.follow("lock", self.lock)
        self.follow("collapse", self.collapse)
        self.follow("raise_row", self.raise_row)

    def follow(self, name: str, note: Any) -> None:
        real = getattr(self.game.matrix, name)

        def call(*arguments: Any) -> Any:
            answer = real(*arguments)
            note(*arguments)
            return answer

        setattr(self.game.matrix, name, call)

    def lock(self, *_arguments: int) -> None:
        for y in range(HEIGHT):
            for x in range(WIDTH):
                if self.game.matrix.rows[y][x] and self.rows[y][x] is None:
                    self.rows[y][x] = self.game.time_ms

    def collapse(self, hits: bytearray, hit_count: int) -> None:
        for y in reversed(hits[:hit_count]):
            self.rows.pop(y)
            self.rows.append([None] * WIDTH)

    def raise_row(self, gap: int) -> None:
        self.rows.pop()
        self.rows.insert(0, [None if x == gap else self.game.time_ms for x in range(WIDTH)])

    def check(self, shown: list[bytes]) -> None:
        """Fail if a Block shows that is older than five seconds and a frame, or a younger one does not."""
        for y in range(SKYLINE + 1):
            for x in range(WIDTH):
                born = self.rows[y][x]
                age = self.game.time_ms - born if born is not None else 1 << 20
                if not 5000 <= age <= 5000 + 2 * FRAME_MS:
                    assert bool(shown[y][x]) == (age < 5000), (x, y, age)


def test_12_blocks_stay_visible_by_default() -> None:
    assert Options().invisible == Settings().invisible == 0
    handheld = begin(invisible=0)
    handheld.tap(UP)
    handheld.step(FRAME_MS, 4)
    assert visible(handheld) == blocks(handheld) and count(visible(handheld)) == 4


def test_12_1_blocks_vanish_at_lock_down() -> None:
    handheld = begin(invisible=NOW)
    for _ in range(4):
        handheld.tap(UP)
        handheld.step(FRAME_MS, 20)
        assert count(visible(handheld)) == 0 < count(blocks(handheld))


def test_12_1_blocks_vanish_five_seconds_after_lock_down() -> None:
    handheld = begin(invisible=FADING)
    handheld.tap(UP)
    handheld.step(FRAME_MS, 300)
    assert count(visible(handheld)) == 4
    handheld.step(FRAME_MS, 16)
    assert count(visible(handheld)) == 0


@pytest.mark.parametrize(("invisible", "shown"), [(NOW, 0), (FADING, 27)])
def test_12_1_starting_blocks_vanish_too(invisible: int, shown: int) -> None:
    handheld = begin(invisible=invisible, garbage_rows=3)
    assert count(visible(handheld)) == shown
    handheld.step(FRAME_MS, 320)
    assert count(visible(handheld)) == 0


@pytest.mark.no_cover
@pytest.mark.parametrize(("name", "frames"), [("marathon", 3000), ("modes/dig_race", 3000), ("modes/survive", 4000)])
def test_12_1_each_block_shows_for_five_seconds_in_any_game(name: str, frames: int) -> None:
    handheld = Handheld(first="menus.title")
    handheld.settings.motion_on = 0
    handheld.open("play", Faded((RECORDINGS / f"{name}.sky").read_bytes()), ms=0)
    ages = Ages(handheld.game)
    ages.rows[:20] = [[0 if cell else None for cell in row] for row in handheld.game.matrix.rows[:20]]
    for _ in range(frames):
        handheld.step(FRAME_MS)
        if handheld.game.over:
            break
        if handheld.scene.view.matrix.version >= 0 and handheld.game.phase != ANIMATE:  # all is drawn
            ages.check(visible(handheld))
    assert handheld.game.lines > 8


def test_12_1_more_lock_downs_than_waves_vanish_early() -> None:
    handheld = begin(MARATHON, FADING)
    matrix = handheld.game.matrix
    for i in range(40):
        matrix.set_row(i % 4, bytes([1 if x <= i // 4 else 0 for x in range(WIDTH)]))
        handheld.step(FRAME_MS)
    assert 0 < count(visible(handheld)) < count(blocks(handheld)) == 40


def test_12_2_the_tetrimino_in_play_and_its_ghost_show() -> None:
    handheld, plain = begin(invisible=NOW), begin(invisible=0)
    assert handheld.picture() == plain.picture()


def test_12_2_a_line_clear_still_flashes() -> None:
    handheld = begin_game(invisible=NOW)
    handheld.game.matrix.set_row(0, bytes([1] * WIDTH))
    handheld.game.matrix.set_row(1, bytes([1] * WIDTH))
    handheld.tap(UP)
    shown = {bytes(handheld.step(FRAME_MS)) for _ in range(18)}
    assert len(shown) > 4


def test_12_3_a_saved_game_continues_with_all_blocks_hidden() -> None:
    handheld = begin(invisible=FADING)
    handheld.tap(UP)
    handheld.step(FRAME_MS, 40)
    handheld.tap(START)
    again = Handheld(store=handheld.device.store, first="resume_game")
    again.session.counts_down = False
    again.step(FRAME_MS, 3)
    again.tap(START)
    again.step(FRAME_MS, 5)
    assert again.game.options.invisible == FADING
    assert count(visible(again)) == 0 < count(blocks(again))


@pytest.mark.parametrize("invisible", [NOW, FADING])
def test_12_4_the_end_shows_all_blocks(invisible: int) -> None:
    handheld = begin_game(invisible=invisible)
    lose(handheld)
    handheld.step(FRAME_MS, 60)
    assert visible(handheld) == blocks(handheld)
    handheld.compare(f"invisible_over_{invisible}")


def test_12_4_watch_shows_all_blocks() -> None:
    handheld = Handheld(first="menus.title", recorder=Recorder())
    handheld.settings.invisible = NOW
    handheld.session.counts_down = False
    handheld.open("play", ms=0, frames=3)
    for _ in range(3):
        handheld.tap(UP)
        handheld.step(FRAME_MS, 20)
    handheld.tap(START)
    handheld.open("replay.watch", handheld.session.replay(), frames=40)
    handheld.step(FRAME_MS, 200)
    assert count(visible(handheld)) > 0


@pytest.mark.parametrize("variant", [MARATHON, SPRINT])
@pytest.mark.parametrize("invisible", [0, NOW, FADING])
def test_12_5_each_value_has_its_own_table(variant: int, invisible: int) -> None:
    handheld = begin(variant, invisible)
    game = handheld.game
    game.score, game.time_ms, game.goal, game.lines = 500, 90_000, 0, 40
    game.end(AIM_REACHED)
    handheld.session.finish(game, pack(game.options))
    numbers = [find_table(variant, 0, value) for value in range(3)]
    tables = [open_table(handheld.journal, list_tables()[number].kind) for number in numbers]
    assert handheld.session.placed == (0, numbers[invisible])
    assert [table.count for table in tables] == [value == invisible for value in range(3)]
    assert [handheld.session.best(0, value) > 0 for value in range(3)] == [value == invisible for value in range(3)]


@pytest.mark.parametrize("variant", [ULTRA, SURVIVE])
def test_12_5_other_modes_have_no_table(variant: int) -> None:
    handheld = begin(variant, NOW)
    game = handheld.game
    game.score, game.time_ms = 500, 90_000
    game.end(AIM_REACHED)
    handheld.session.finish(game, pack(game.options))
    assert handheld.session.placed is None and not find_kind(find(variant), 0, NOW)
    assert find_table(variant, 0, NOW) == -1


def test_12_5_the_best_of_the_own_table_shows_in_play() -> None:
    handheld = begin(MARATHON, FADING)
    game = handheld.game
    game.score = 700
    game.end(AIM_REACHED)
    handheld.session.finish(game, pack(game.options))
    handheld.open("play", ms=0, frames=3)
    assert handheld.scene.view.best == 700
    handheld.settings.invisible = NOW
    handheld.open("play", ms=0, frames=3)
    assert handheld.scene.view.best == 0


def test_12_5_each_value_has_its_own_split_times() -> None:
    handheld = begin(SPRINT, NOW)
    game = handheld.game
    game.mode.splits = [9_000, 18_000, 27_000]
    game.goal, game.time_ms = 0, 36_000
    game.end(AIM_REACHED)
    finishing.count(handheld.journal, SPRINT, game, True)
    kept = [find_splits(handheld.journal, 40, value, 36_000) for value in (0, NOW, FADING)]
    assert kept == [[], game.mode.splits, []]


def test_12_5_tables_have_a_page_with_a_small_heading() -> None:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    handheld.settings.variant, handheld.settings.invisible = SPRINT, FADING
    handheld.open("menus.scores", ms=0, frames=3)
    assert handheld.scene.choice.name == b"SPRINT 40 FADES"
    handheld.compare("scores_invisible")


def test_12_the_options_offer_it() -> None:
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    handheld.open("options.game_rules", ms=0, frames=2)
    while handheld.scene.setting() != "invisible":
        handheld.tap(DOWN)
    handheld.tap(A, RIGHT)
    handheld.compare_at_rest("options_invisible")
    assert handheld.settings.invisible == FADING
    handheld.tap(RIGHT)
    assert handheld.settings.invisible == 0
