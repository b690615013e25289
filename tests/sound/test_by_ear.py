"""Games are told by ear: firmware/sound/README.md, 1 and 2."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.device.edges import EdgeQueue
from firmware.engine import controls, events
from firmware.listening import connect
from firmware.modes.catalogue import ZEN
from firmware.save.settings import Settings
from firmware.sound import by_ear
from firmware.sound.by_ear import COLUMN_NOTE, FIGURES, FLOOR_NOTE, STARTS, STEP, WALL_NOTE, Ear
from firmware.sound.effects import NOTES
from firmware.sound.voice import Voice, pitch_hz
from sim.bots.places import CELLS
from sim.spoken import describe
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.polling import read_untimed
from tools.assets import tunes

RULES = (Path(__file__).parents[2] / "firmware" / "sound" / "README.md").read_text(encoding="utf-8")
LEFT, RIGHT, DOWN, UP = controls.LEFT, controls.RIGHT, controls.SOFT_DROP, controls.HARD_DROP
A, HOLD, START = controls.ROTATE_CW, controls.HOLD, controls.PAUSE
NEXT, ALL = 1, 2
NAMES = "IJLOSTZ"
FRAME_MS = 16
NOTE_OF = {pitch_hz(note): note for note in range(1, 73)}
Run = tuple[int, int]


def begin(setting: int = ALL, variant: int = 0, **settings: int) -> Handheld:
    """Return a handheld in a game without countdown and music."""
    handheld = Handheld(store=[RamStore(4096)], first="menus.title")
    handheld.change_settings(**{"by_ear": setting, "music_on": 0, "motion_on": 0, **settings})
    handheld.context.apply_settings()
    handheld.session.variant = handheld.settings.variant = variant
    handheld.session.counts_down = False
    handheld.open("play", ms=0)
    return handheld


def listen(handheld: Handheld, frames: int = 60, before: tuple[Run, ...] = ()) -> list[Run]:
    """Let time pass; return what sounds as runs of (note, ms), 0 for silence, after those heard before."""
    runs: list[Run] = list(before)
    for _ in range(frames):
        handheld.step(FRAME_MS)
        note = NOTE_OF.get(handheld.buzzer.hz, 0)
        if runs and runs[-1][0] == note:
            runs[-1] = (note, runs[-1][1] + FRAME_MS)
        else:
            runs.append((note, FRAME_MS))
    return runs


def notes(runs: list[Run]) -> list[int]:
    return [note for note, _ms in runs if note]


def figure(piece: str) -> list[Run]:
    at = STARTS[NAMES.index(piece)]
    runs = []
    while FIGURES[at]:
        runs.append((FIGURES[at + 1], 8 * FIGURES[at]))
        at += 2
    return runs


def figure_notes(*pieces: str) -> list[int]:
    return [note for piece in pieces for note in notes(figure(piece))]


def name(piece: int) -> str:
    return NAMES[piece - 1]


def ask(handheld: Handheld, frames: int = 80) -> list[Run]:
    """Press HOLD and START together, then listen."""
    for button in (HOLD, START):
        handheld.buttons.edges.append((button, 1, handheld.clock.now_ms))
    handheld.step(0)
    runs = listen(handheld, 2)
    for button in (HOLD, START):
        handheld.buttons.edges.append((button, 0, handheld.clock.now_ms))
    return listen(handheld, frames, tuple(runs))


def heights_of(runs: list[Run]) -> list[int]:
    return [(note - FLOOR_NOTE) // STEP for note in notes(runs)]


class TestFigures:
    @pytest.mark.parametrize("piece", NAMES)
    def test_1_1_each_figure_is_as_written(self, piece: str) -> None:
        row = re.search(rf"^  \| {piece} \| (.*) \|$", RULES, re.MULTILINE)
        assert row
        written = [tunes.read_note(word, tunes.Fraction(0)) for word in row[1].split()]
        assert [(note.number, note.length_ms) for note in written] == figure(piece)

    def test_1_1_every_two_figures_differ_to_the_ear(self) -> None:
        contours = [[note for note, ms in figure(piece) for _ in range(ms)] for piece in NAMES]
        for one, other in itertools.combinations(contours, 2):
            apart = [a for a, b in itertools.zip_longest(one, other) if a is None or b is None or abs(a - b) > 3]
            assert len(apart) >= 48

    def test_the_end_of_an_effect_is_where_tones_rest(self) -> None:
        assert NOTES[by_ear._SILENT_AT] == 0

    def test_off_by_default_and_then_a_game_has_the_usual_voice(self) -> None:
        assert Settings().by_ear == 0
        assert type(begin(0).scene.voice) is Voice
        assert type(begin(NEXT).scene.voice) is type(begin(ALL).scene.voice) is Ear


class TestNext:
    def test_1_2_the_next_tetrimino_sounds_when_one_enters(self) -> None:
        handheld = begin(NEXT)
        handheld.step(0)
        assert notes(listen(handheld)) == figure_notes(name(handheld.game.next[0]))

    def test_1_2_music_goes_on_below(self) -> None:
        handheld = begin(NEXT, music_on=1)
        handheld.step(0)
        heard = listen(handheld, 100)
        own = notes(figure(name(handheld.game.next[0])))
        assert notes(heard)[: len(own)] == own and len(notes(heard)) > len(own) + 3
        assert handheld.scene.voice.playing and not handheld.voice.playing

    def test_1_2_the_other_sounds_are_those_of_every_game(self) -> None:
        sounds = []
        for setting in (0, NEXT):
            handheld = begin(setting)
            listen(handheld, 60)
            handheld.press(LEFT)
            sounds.append(listen(handheld, 10))
        assert sounds[0] == sounds[1]


class TestAll:
    @pytest.fixture
    def handheld(self) -> Handheld:
        handheld = begin(ALL)
        listen(handheld, 60)
        return handheld

    def test_1_3_a_new_tetrimino_tells_itself_and_the_next(self) -> None:
        handheld = begin(ALL, music_on=1)
        game = handheld.game
        handheld.step(0)
        assert notes(listen(handheld, 100)) == figure_notes(name(game.piece), name(game.next[0]))
        handheld.press(HOLD, 20)
        heard = notes(listen(handheld))
        own = figure_notes(name(game.piece), name(game.next[0]))
        assert heard[-len(own) :] == own

    def test_1_3_after_a_pause_both_sound_again(self, handheld: Handheld) -> None:
        handheld.tap(START)
        listen(handheld, 20)
        handheld.tap(START)
        game = handheld.game
        assert notes(listen(handheld)) == figure_notes(name(game.piece), name(game.next[0]))

    def test_1_4_a_step_sounds_its_column_and_the_wall(self, handheld: Handheld) -> None:
        heard = []
        for _ in range(3):
            handheld.press(LEFT, FRAME_MS)
            heard.append(notes(listen(handheld, 12)))
        assert heard == [[COLUMN_NOTE + 4], [COLUMN_NOTE + 2], [COLUMN_NOTE, WALL_NOTE]]
        handheld.press(LEFT, FRAME_MS)
        assert notes(listen(handheld, 12)) == [WALL_NOTE]

    def test_1_4_blocks_beside_it_sound_as_a_wall(self, handheld: Handheld) -> None:
        wall = bytes([1, *[0] * 9])
        handheld.game.matrix.set_row(handheld.game.y + handheld.game.base, wall)
        listen(handheld)  # they warn of a Top Out
        handheld.game.matrix.set_row(handheld.game.y + handheld.game.base, wall)
        handheld.press(LEFT, FRAME_MS)
        handheld.step(0)
        handheld.press(LEFT, FRAME_MS)
        assert notes(listen(handheld, 12))[-2:] == [COLUMN_NOTE + 2, WALL_NOTE]

    def test_1_4_a_turn_sounds_its_effect_then_the_column(self, handheld: Handheld) -> None:
        before = by_ear.find_column(handheld.game)
        handheld.press(A)
        heard = notes(listen(handheld, 12))
        after = by_ear.find_column(handheld.game)
        assert heard[-1] == COLUMN_NOTE + STEP * after and before != after  # an upright I

    def test_1_5_landing_and_lock_down_sound_as_ever(self, handheld: Handheld) -> None:
        plain = begin(0)
        listen(plain, 60)
        heard = []
        for each in (plain, handheld):
            each.buttons.edges.append((DOWN, 1, each.clock.now_ms))
            heard.append(notes(listen(each, 80))[:5])
        assert heard[0] == heard[1]

    @pytest.mark.parametrize("lines", [1, 2, 3, 4])
    def test_1_5_lines_sound_as_ever(self, lines: int) -> None:
        heard = []
        for setting in (0, ALL):
            handheld = begin(setting)
            listen(handheld, 60)
            handheld.scene.voice.tell(events.LOCKED | events.SINGLE << lines - 1, handheld.scene.last_ms)
            heard.append(listen(handheld, 40))
        assert heard[0] == heard[1] and notes(heard[0])

    def test_1_6_the_control_tells_the_surface(self, handheld: Handheld) -> None:
        for y, columns in enumerate((10, 7, 3)):
            handheld.game.matrix.set_row(y, bytes([1] * (columns - (y == 0)) + [0] * (10 - columns + (y == 0))))
        runs = ask(handheld)
        assert heights_of(runs) == [3, 3, 3, 2, 2, 2, 2, 1, 1, 0]
        rests = [ms for note, ms in runs[1:-1] if not note]
        assert rests == [16, 16, 16, 16, 64, 16, 16, 16, 16]

    def test_1_6_again_it_tells_the_queues_then_the_surface(self, handheld: Handheld) -> None:
        handheld.press(HOLD, 20)
        listen(handheld, 60)
        game = handheld.game
        first = heights_of(ask(handheld))
        queues = notes(ask(handheld, 140))
        assert queues == figure_notes(name(game.hold), *map(name, game.next))
        assert heights_of(ask(handheld)) == first == [0] * 10

    def test_1_6_a_new_tetrimino_begins_with_the_surface(self, handheld: Handheld) -> None:
        ask(handheld)
        handheld.tap(UP)
        listen(handheld, 60)
        assert max(heights_of(ask(handheld))) > 0

    def test_1_6_the_queues_end_with_the_visible_tetriminos(self) -> None:
        handheld = begin(ALL, next_count=2)
        listen(handheld, 60)
        ask(handheld)
        assert notes(ask(handheld, 140)) == figure_notes(*map(name, handheld.game.next[:2]))

    def test_1_6_it_is_no_control_of_the_game(self) -> None:
        asked, silent = begin(ALL), begin(ALL)
        ask(asked, 0)
        listen(silent, 2)
        asked.step(0)
        assert asked.scene.state == silent.scene.state == 0
        assert (asked.game.pressed, asked.game.hold, asked.game.statistics.presses) == (0, 0, 0)

    def test_1_7_zen_takes_back_by_its_pause_only(self) -> None:
        handheld = begin(ALL, ZEN)
        listen(handheld, 60)
        assert heights_of(ask(handheld)) == [0] * 10 and handheld.scene.state == 0

    def test_1_6_a_ninth_button_is_this_control(self) -> None:
        mapping = connect(Settings())
        edges = EdgeQueue(8)
        for button, pressed in ((8, True), (8, False), (LEFT, True), (LEFT, False)):
            edges.append(button, pressed, 100)
        queue = mapping.translate(edges, 100)
        assert mapping.asked == 1
        assert read_untimed(queue) == [(LEFT, True), (LEFT, False)]

    def test_a_match_has_the_usual_voice(self) -> None:
        handheld = Handheld(store=[RamStore(4096)], first="menus.title")
        handheld.settings.by_ear = ALL
        handheld.context.apply_settings()
        handheld.open("match.play", ms=0, frames=3)
        assert handheld.name == "match.play" and handheld.scene.voice is handheld.voice


class TestWords:
    """sim/spoken.py says for a screen reader what the tones tell."""

    @pytest.fixture
    def handheld(self) -> Handheld:
        handheld = begin(ALL)
        handheld.step(FRAME_MS, 3)
        return handheld

    def test_a_new_tetrimino_and_the_next(self, handheld: Handheld) -> None:
        game = handheld.game
        assert describe(handheld.scene) == f"{name(game.piece)}, next {name(game.next[0])}."
        assert describe(handheld.scene) == ""

    @pytest.mark.parametrize(
        ("told", "said"),
        [("HELD", "Hold J."), ("HOLD_FAILED", "Hold is used."), ("ROTATE_FAILED", "Cannot turn.")]
        + [("MOVE_FAILED", "Wall."), ("LANDED", "Landed."), ("LOCKED", "Locked."), ("GARBAGE", "Garbage.")],
    )
    def test_each_event(self, handheld: Handheld, told: str, said: str) -> None:
        handheld.game.hold = 2
        handheld.scene.voice.told = getattr(events, told)
        assert describe(handheld.scene) == said

    def test_what_the_control_asks_for(self, handheld: Handheld) -> None:
        game = handheld.game
        game.matrix.set_row(2, bytes([1] * 3 + [0] * 7))
        handheld.scene.voice.told = by_ear.SURFACE | by_ear.QUEUES
        queue = " ".join(map(name, game.next))
        assert describe(handheld.scene) == f"Surface 3 3 3 0 0 0 0 0 0 0. Hold empty. Next {queue}."

    def test_nothing_is_said_if_only_the_next_one_is_told(self) -> None:
        handheld = begin(NEXT)
        handheld.press(LEFT)
        handheld.step(FRAME_MS, 5)
        assert handheld.scene.voice.told == 0


class TestPriorities:
    def test_2_a_figure_waits_until_a_line_clear_ends(self) -> None:
        handheld = begin(ALL)
        handheld.scene.voice.tell(events.LOCKED | events.TETRIS, handheld.scene.last_ms)
        heard = notes(listen(handheld, 90))
        own = figure_notes(name(handheld.game.piece), name(handheld.game.next[0]))
        assert heard[-len(own) :] == own and heard[:3] == [37, 44, 49]

    def test_2_the_wall_interrupts_a_figure_whose_note_begins_again(self) -> None:
        handheld = begin(ALL)
        handheld.step(0)
        first = listen(handheld, 2)
        handheld.scene.voice.tell(events.MOVE_FAILED, handheld.scene.last_ms)
        heard = notes(first + listen(handheld, 80))
        own = figure_notes(name(handheld.game.piece), name(handheld.game.next[0]))
        assert heard == [own[0], WALL_NOTE, *own]

    def test_2_steps_are_silent_while_a_new_tetrimino_is_told(self) -> None:
        handheld = begin(ALL)
        handheld.step(0)
        handheld.press(RIGHT, FRAME_MS)
        heard = notes(listen(handheld, 80))
        assert heard == figure_notes(name(handheld.game.piece), name(handheld.game.next[0]))

    def test_2_a_step_ends_the_surface(self) -> None:
        handheld = begin(ALL)
        listen(handheld, 60)
        ask(handheld, 4)
        handheld.press(RIGHT, FRAME_MS)
        heard = notes(listen(handheld, 60))
        assert len(heard) <= 2 and heard[-1] == COLUMN_NOTE + 8

    def test_2_lock_down_ends_the_tones_of_the_last_tetrimino(self) -> None:
        handheld = begin(ALL)
        handheld.step(0)
        handheld.press(UP)
        heard = notes(listen(handheld, 12))
        assert heard[:4] == [44, 37, 30, 18]

    def test_2_a_menu_sound_and_the_pause_silence_all(self) -> None:
        handheld = begin(ALL)
        ask(handheld, 2)
        handheld.tap(START)
        handheld.wait_until(lambda: not handheld.app.router.scene.is_playing())  # half of a chord waits
        assert notes(listen(handheld, 30)) == []


# What follows decides by tones alone.


def shapes_of(piece: str) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """Yield (presses of A, cells) of each turned shape: columns and rows from 0."""
    seen = []
    for facing in range(4):
        cells = CELLS[NAMES.index(piece)][facing]
        left, bottom = min(x for x, _ in cells), min(y for _, y in cells)
        cells = sorted((x - left, y - bottom) for x, y in cells)
        if cells not in seen:
            seen.append(cells)
            yield facing, cells


def choose_place(piece: str, heights: list[int]) -> tuple[int, int]:
    """Return (presses of A, column) of the place that leaves the fewest holes and the flattest, lowest Surface."""
    best: tuple[int, int, int] | None = None
    for turns, cells in shapes_of(piece):
        for column in range(10 - max(x for x, _ in cells)):
            rest = max(heights[column + x] - y for x, y in cells)
            after = list(heights)
            for x, y in cells:
                after[column + x] = max(after[column + x], rest + y + 1)
            holes = sum(after) - sum(heights) - 4
            bumps = sum(abs(a - b) for a, b in itertools.pairwise(after))
            cost = 12 * holes + 2 * bumps + 3 * max(after) + sum(after)
            if best is None or (cost, turns, column) < best:
                best = cost, turns, column
    assert best
    return best[1:]


class Blind:
    """Play a handheld by its tones; nothing of the game is read."""

    def __init__(self, handheld: Handheld) -> None:
        self.handheld = handheld
        self.figures = {tuple(notes(figure(piece))): piece for piece in NAMES}

    def hear_figures(self, runs: list[Run]) -> list[str]:
        """Return the Tetriminos that the end of what was heard names: rests of 64 ms part figures."""
        groups: list[list[int]] = [[]]
        for note, ms in runs:
            if note:
                groups[-1].append(note)
            elif ms >= 64:
                groups.append([])
        return [self.figures[tuple(group)] for group in groups if tuple(group) in self.figures]

    def drop_one(self) -> None:
        """Listen, ask for the Surface, choose a place, turn, step until the column sounds, and drop."""
        runs = listen(self.handheld, 75)
        piece = self.hear_figures(runs)[-2]
        turns, column = choose_place(piece, heights_of(ask(self.handheld, 50)))
        at = -1
        for _ in range(turns):
            at = self.press(A)
        if at < 0:
            at = self.press(LEFT)
        for _ in range(12):
            if at == column:
                break
            at = self.press(LEFT if at > column else RIGHT)
        self.handheld.tap(UP)

    def press(self, button: int) -> int:
        """Press a button; return the column that sounds then."""
        self.handheld.press(button, FRAME_MS)
        heard = [note for note in notes(listen(self.handheld, 8)) if note >= COLUMN_NOTE]
        return (heard[-1] - COLUMN_NOTE) // STEP if heard else -1


@pytest.mark.no_cover
def test_tones_are_enough_to_play_sixty_tetriminos_and_clear_lines() -> None:
    handheld = begin(ALL)
    player = Blind(handheld)
    for _ in range(60):
        player.drop_one()
    game: Any = handheld.game
    assert not game.over and game.lock_downs == 60 and game.lines >= 15
    assert game.matrix.top <= 10
