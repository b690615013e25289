"""The help: pages, pictures, navigation, and demonstrations that match the guideline's table."""

import re
from collections.abc import Iterator

import pytest

from firmware.engine import controls, events
from firmware.engine.game import Game
from firmware.engine.phases import ANIMATE, FALLING
from firmware.modes.lessons import demonstrations as table
from firmware.modes.lessons.demonstration import Demonstration, find_blob
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.menu import ROWS
from firmware.scenes.options.controls import name_buttons
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import Console
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B
from tests.support.needs import needs_wasm
from tests.support.placed import find_strange
from tools.assets import demonstrations
from tools.measure import scenes, scripts

LISTS = ("help.help", "help.mapping", "help.scoring", "help.words")
BOOKS = ("help.basics", "help.spins", "help.modes")
OURS = (*LISTS, *BOOKS, "help.demo")
HEAP_BYTES = 80 * 1024  # of the largest scene, the demonstration; tests/budgets/test_lean.py says what counts
GROWTH_BYTES = 512

SCRIPTS = demonstrations.read_scripts()
NAMES = [script.name for script in SCRIPTS]
NUMBERS = range(len(SCRIPTS))


class Reader(Console):
    def __init__(self, first: str = "help.help", subject: object = None) -> None:
        super().__init__("help.help", ours=OURS)
        self.open(first, subject, ms=0)
        self.step(0)

    def watch(self, limit: int = 2000) -> None:
        """Run frames until the demonstration has ended and its title stops flashing."""
        show, self.display.show = self.display.show, lambda: None  # type: ignore[method-assign]
        while not self.scene.ended:
            self.step()
            limit -= 1
            assert limit, "it does not end"
        self.step(16, 50)
        self.display.show = show  # type: ignore[method-assign]
        self.step(0)


def load_demonstration(number: int) -> tuple[Game, Recording]:
    blob = find_blob(table.DEMONSTRATIONS, number)
    mode = Demonstration(blob)
    recording = Recording(blob[mode.first :])
    return recording.game(mode), recording


def play(number: int) -> tuple[Game, list[tuple[int, int]]]:
    """Play a demonstration; return its game, and for each Lock Down its event bits and the points of its Tetrimino."""
    game, recording = load_demonstration(number)
    player = Player(recording, game)
    locked: list[tuple[int, int]] = []
    happened = score_before = 0
    for t_ms in range(100_000):
        bits = player.advance(t_ms)
        if bits & events.GENERATED and happened & events.LOCKED:
            locked.append((happened, game.score - score_before))
            happened, score_before = 0, game.score
        happened |= bits
        if player.finished():
            return game, [*locked, (happened, game.score - score_before)]
    raise AssertionError("it does not end")


class TestDemonstrations:
    """Guideline 8: a demonstration of every action that scores."""

    # From the table: name, kind (spin * 5 + lines, see Statistics), points at level 1
    TABLE: tuple[tuple[str, int, int], ...] = (("SINGLE", 1, 100), ("DOUBLE", 2, 300), ("TRIPLE", 3, 500))
    TABLE += (("TETRIS", 4, 800), ("MINI|T-SPIN", 5, 100), ("MINI T-SPIN|SINGLE", 6, 200), ("T-SPIN", 10, 400))
    TABLE += (("T-SPIN|SINGLE", 11, 800), ("T-SPIN|DOUBLE", 12, 1200), ("T-SPIN|TRIPLE", 13, 1600))
    BACK_TO_BACK: tuple[tuple[str, int, int], ...] = (("BACK-TO-BACK|TETRIS", 4, 800),)
    BACK_TO_BACK += (("BACK-TO-BACK|MINI T-SPIN|SINGLE", 6, 200), ("BACK-TO-BACK|T-SPIN SINGLE", 11, 800))
    BACK_TO_BACK += (("BACK-TO-BACK|T-SPIN DOUBLE", 12, 1200), ("BACK-TO-BACK|T-SPIN TRIPLE", 13, 1600))
    BITS = (0, events.MINI_T_SPIN, events.T_SPIN)
    LINES = (0, events.SINGLE, events.DOUBLE, events.TRIPLE, events.TETRIS)
    NAMED = events.LINES | events.T_SPIN | events.MINI_T_SPIN | events.BACK_TO_BACK

    def test_every_action_of_the_table_has_a_demonstration(self) -> None:
        named = [row[0] for row in self.TABLE + self.BACK_TO_BACK]
        assert sorted(NAMES) == sorted([*named, "BACK-TO-BACK", "SOFT|DROP", "HARD|DROP"])

    @pytest.mark.parametrize(("name", "kind", "points"), TABLE, ids=str)
    def test_the_engine_names_and_counts_the_action_with_its_points(self, name: str, kind: int, points: int) -> None:
        game, ((happened, gained),) = play(NAMES.index(name))
        assert happened & self.NAMED == self.BITS[kind // 5] | self.LINES[kind % 5]
        assert gained == game.score == points and game.lines == kind % 5
        assert game.statistics.kinds[kind] == sum(game.statistics.kinds) == 1

    @pytest.mark.parametrize(("name", "kind", "points"), BACK_TO_BACK, ids=str)
    def test_a_back_to_back_scores_one_half_more(self, name: str, kind: int, points: int) -> None:
        game, locked = play(NAMES.index(name))
        happened, gained = locked[-1]
        assert locked[0][0] & self.NAMED == events.TETRIS and locked[0][1] == 800
        assert happened & self.NAMED == self.BITS[kind // 5] | self.LINES[kind % 5] | events.BACK_TO_BACK
        assert gained == points * 3 // 2 and game.score == 800 + gained and game.statistics.back_to_backs == 1

    def test_the_example_of_8_1_makes_5400_points(self) -> None:
        game, locked = play(NAMES.index("BACK-TO-BACK"))
        assert [happened & self.NAMED for happened, _ in locked] == [
            events.TETRIS,
            events.BACK_TO_BACK | events.T_SPIN | events.DOUBLE,
            events.T_SPIN,
            events.BACK_TO_BACK | events.TETRIS,
            events.BACK_TO_BACK | events.T_SPIN | events.SINGLE,
        ]
        assert [points for _, points in locked] == [800, 1200 + 600, 400, 800 + 400, 800 + 400]
        assert game.score == 5400

    @pytest.mark.parametrize(
        ("name", "button", "bit", "points"),
        [("SOFT|DROP", DOWN, events.SOFT_DROPPED, 1), ("HARD|DROP", UP, events.HARD_DROPPED, 2)],
    )
    def test_a_drop_scores_for_each_line_it_falls(self, name: str, button: int, bit: int, points: int) -> None:
        game, ((happened, gained),) = play(NAMES.index(name))
        assert happened & bit and not happened & self.NAMED
        falling, recording = load_demonstration(NAMES.index(name))
        while recording.read() and recording.button != button:
            falling.input(recording.button, recording.pressed, recording.time_ms)
        falling.advance(recording.time_ms)
        rows = falling.y - falling.ghost_y
        assert rows >= 15 and gained == game.score == points * rows

    @pytest.mark.parametrize("number", NUMBERS, ids=NAMES)
    def test_written_points_match_a_game_with_default_options(self, number: int) -> None:
        _, locked = play(number)
        assert [points for _, points in locked] == SCRIPTS[number].points
        without_options = {"edition": 0}  # as of any recording that has none
        assert vars(load_demonstration(number)[1].options) == vars(Game(0).options) | without_options


class TestDemo:
    def test_demonstration_runs_in_the_engine_and_restarts(self) -> None:
        reader = Reader("help.demo", 0)
        game = reader.scene.game
        assert isinstance(game, Game)
        reader.watch()
        assert game.score == reader.scene.view.points == 100
        reader.step(16, 200)
        assert reader.scene.game is not game
        reader.watch()
        assert reader.scene.game.score == 100

    def test_a_restarts_a_demonstration_at_once(self) -> None:
        reader = Reader("help.demo", 3)
        reader.step(16, 100)
        game = reader.scene.game
        reader.tap(A)
        assert reader.scene.at == 3 and reader.scene.game is not game and reader.scene.played_ms < 200

    def test_left_and_right_cycle_through_the_demonstrations(self) -> None:
        reader = Reader("help.demo", 0)
        for number in NUMBERS:
            assert reader.scene.at == number
            reader.tap(RIGHT)
        assert reader.scene.at == 0
        reader.tap(LEFT)
        assert reader.scene.at == NUMBERS[-1]

    @pytest.mark.parametrize("number", [0, 17])
    def test_b_goes_back_to_its_line_of_the_list(self, number: int) -> None:
        reader = Reader("help.scoring", number)
        assert reader.leads(A) == "help.demo" and reader.scene.at == number
        reader.tap(B)
        assert reader.place()[:2] == ("help.scoring", number)

    def test_time_runs_faster_only_while_a_tetrimino_falls_untouched(self) -> None:
        reader = Reader("help.demo", 3)
        scene = reader.scene
        fast_frames = 0
        while not scene.ended:
            before, phase = scene.played_ms, scene.game.phase
            pending = scene.recording.time_ms - before if scene.player.waiting else 10_000
            reader.step()
            if scene.ended:
                break
            if phase != FALLING or pending <= 500:
                assert scene.played_ms - before == 16
            else:
                fast_frames += scene.played_ms - before > 100
        assert fast_frames > 50

    @pytest.mark.parametrize("frame_ms", [10, 16, 66, 250])
    def test_slow_frames_still_show_every_step(self, frame_ms: int) -> None:
        """Frames show the landed T before it turns, and the Line Clear."""
        reader = Reader("help.demo", NAMES.index("T-SPIN|DOUBLE"))
        scene = reader.scene
        seen = set()
        while not scene.ended:
            game = scene.game
            if game.piece:
                seen.add((game.facing, game.y == game.ghost_y))
            if game.phase == ANIMATE:
                seen.add((-1, True))
            reader.step(frame_ms)
        assert {(1, False), (1, True), (2, True), (-1, True)} <= seen and scene.game.score == 1200

    def test_title_flashes_and_stands_still_again_unless_motion_is_off(self) -> None:
        for motion_on in (1, 0):
            reader = Reader()
            reader.settings.motion_on = motion_on
            reader.open("help.demo", 3, ms=0)
            title = reader.step()[: 17 * 8]
            pictures = set()
            while not reader.scene.ended:
                pictures.add(reader.step()[: 17 * 8])
            assert len(pictures) == 1 + motion_on
            reader.watch()
            assert reader.picture()[: 17 * 8] == title

    @pytest.mark.parametrize("number", NUMBERS, ids=NAMES)
    def test_title_fits_and_the_end_comes_within_twenty_seconds(self, number: int) -> None:
        reader = Reader("help.demo", number)
        canvas, start = reader.display.canvas, reader.clock.now_ms
        assert not any(canvas.pixel(x, 17) for x in range(64))
        assert all(text_width(line.encode(), FONT_3X5) <= 53 for line in NAMES[number].split("|"))
        reader.watch()
        assert reader.clock.now_ms - start < 20_000
        reader.compare(f"help_demo_{number:02}_{re.sub('[|_ -]', '_', NAMES[number].lower())}")

    @pytest.mark.parametrize(("frames", "name"), [(40, "begun"), (66, "pressed"), (100, "falling"), (200, "landed")])
    def test_picture_during_a_demonstration(self, frames: int, name: str) -> None:
        reader = Reader("help.demo", NAMES.index("T-SPIN|DOUBLE"))
        reader.step(16, frames)
        reader.compare(f"help_demo_{name}")


class TestNavigation:
    @pytest.mark.parametrize(
        ("line", "name"), list(enumerate(["help.basics", "help.mapping", "help.scoring", "help.spins", "help.words"]))
    )
    @pytest.mark.parametrize("button", [B, HOLD])
    def test_each_line_leads_to_a_scene_that_returns_to_it(self, line: int, name: str, button: int) -> None:
        reader = Reader()
        assert reader.leads(*[DOWN] * line, A) == name
        reader.tap(button)
        assert reader.place()[:2] == ("help.help", line)

    def test_a_word_leads_nowhere(self) -> None:
        assert Reader("help.words").leads(A) == "help.words"

    def test_b_returns_to_the_line_help_of_the_learn_menu(self) -> None:
        console = Console("learn.menu", ours=("learn.menu",))
        console.choose(b"HELP")
        assert console.left == [("help.help", None)]
        reader = Reader()
        reader.tap(B)
        assert reader.left == [("learn.menu", "help.help")]
        console.open(*reader.left[0], ms=0, frames=2)
        assert console.scene.lines[console.scene.at] == b"HELP"

    def test_a_player_gets_from_the_main_menu_to_a_demonstration_and_back(self) -> None:
        handheld = Handheld(first="menus.main")
        names = []
        for button in (*[DOWN] * 5, A, *[DOWN] * 9, A, DOWN, DOWN, A, DOWN, A, RIGHT, B, B, B, B):
            handheld.follow(button)
            names.append(handheld.name)
        way = [("menus.main", 5), ("learn.menu", 10), ("help.help", 3), ("help.scoring", 2), ("help.demo", 2)]
        back = [("help.scoring", 1), ("help.help", 1), ("learn.menu", 1), ("menus.main", 1)]
        assert names == [name for name, count in way + back for _ in range(count)] and handheld.scene.at == 5

    @pytest.mark.parametrize("name", BOOKS)
    def test_pages_turn_both_ways_and_wrap_around(self, name: str) -> None:
        reader = Reader(name)
        pictures = []
        for page in reader.scene.pages:
            assert page.count(b"|") <= 7
            pictures.append(reader.picture())
            reader.tap(RIGHT)
        assert len(set(pictures)) == len(pictures) and reader.picture() == pictures[0]
        for button, page in ((LEFT, -1), (A, 0)):
            reader.tap(button)
            assert reader.picture() == pictures[page]


class TestControls:
    def test_mapping_shows_the_present_buttons(self) -> None:
        reader = Reader("help.mapping")
        settings = reader.settings
        settings.buttons[controls.HOLD] = 3 << 4
        settings.buttons[controls.LEFT] = 1 << 6
        assert [reader.scene.value(at) for at in range(8)] == [b"C", b"R", b"D", b"U", b"A", b"B", b"A+B", b"S"]

    def test_mapping_page_changes_nothing(self) -> None:
        reader = Reader("help.mapping")
        before = bytes(reader.settings.buttons)
        reader.tap(A, LEFT, START, RIGHT, DOWN, A, B)
        assert bytes(reader.settings.buttons) == before and reader.kept == 0 and reader.name == "help.help"

    def test_there_is_a_line_for_every_control_and_every_chord_fits_beside_it(self) -> None:
        lines = Reader("help.mapping").scene.lines
        assert len(lines) == 8
        chords = [name_buttons(1 << i | 1 << j) for i in range(8) for j in range(8) if i != j]
        longest = max(text_width(chord, FONT_3X5) for chord in chords)
        assert all(2 + text_width(line, FONT_3X5) + 3 + longest <= 61 for line in lines)

    def test_chords_picture(self) -> None:
        reader = Reader()
        reader.settings.buttons[controls.HOLD] = 3 << 4
        reader.open("help.mapping", controls.HOLD, frames=2)
        reader.compare("help_mapping_chord")


def texts(name: str) -> Iterator[tuple[bytes, bytes]]:
    """Yield every line of text of a scene with its font."""
    scene = Reader(name).scene
    if name in BOOKS:
        for page in scene.pages:
            title, *lines = page.split(b"|")
            yield title, FONT_5X7 if text_width(title, FONT_5X7) < 64 else FONT_3X5
            yield from ((line, FONT_3X5) for line in lines)
        return
    yield scene.heading, FONT_5X7
    yield from ((line, scene.font) for line in scene.lines)
    for note in scene.notes:
        yield from ((line, FONT_3X5) for line in note.split(b"|"))
    if name == "help.scoring":
        yield from ((line, FONT_3X5) for line in table.NOTES.replace(b"\n", b"|").split(b"|"))


class TestText:
    @pytest.mark.parametrize("name", [*LISTS, *BOOKS])
    def test_every_line_fits_and_its_glyphs_are_drawn(self, name: str) -> None:
        for line, font in texts(name):
            assert line and text_width(line, font) <= 63 and not find_strange(line, font), line

    @pytest.mark.parametrize("name", LISTS)
    def test_every_line_has_a_note_that_fits_below_the_list(self, name: str) -> None:
        scene = Reader(name).scene
        assert len(scene.notes) == len(scene.lines)
        worth = [note.count(b"|") + 1 for note in table.NOTES.split(b"\n")]
        for at, note in enumerate(scene.notes):
            lines = note.count(b"|") + 1 + (worth[at] if name == "help.scoring" else 0)
            assert scene.note_y + 7 * lines - 2 <= 128, note
        assert 13 + scene.pitch * scene.rows - 1 <= (scene.note_y - 4 if scene.rows >= ROWS else 65)

    def test_values_of_the_list_fit_beside_their_names(self) -> None:
        for line, worth in zip(table.LINES.split(b"\n"), table.POINTS.split(b"\n"), strict=True):
            assert 2 + text_width(line, FONT_3X5) + (3 + text_width(worth, FONT_3X5) if worth else 0) <= 62, line

    @pytest.mark.parametrize("name", [*LISTS, *BOOKS])
    def test_texts_use_the_terms_of_the_guideline(self, name: str) -> None:
        """Guideline 2.6: no Grid, and no block or piece for a Tetrimino."""
        text = b" ".join(line for line, _ in texts(name))
        assert not any(word in text for word in (b"GRID", b"BRICK", b"BOARD", b"SQUARE BLOCK", b"FIELD"))
        assert text.count(b"PIECE") == text.count(b"GHOST PIECE")

    def test_glossary_is_sorted_and_has_the_main_terms(self) -> None:
        lines = Reader("help.words").scene.lines
        assert sorted(lines, key=lambda word: word.replace(b"-", b"").replace(b" ", b"")) == list(lines)
        assert {b"BACK-TO-BACK", b"BLOCK", b"LINE CLEAR", b"LOCK DOWN", b"MATRIX", b"MINO", b"T-SLOT"} <= set(lines)


class TestPictures:
    @pytest.mark.parametrize(
        ("name", "at"),
        [("help.help", 2), ("help.mapping", 0), ("help.mapping", 7), ("help.scoring", 0), ("help.scoring", 12)]
        + [("help.words", 0), ("help.words", 31)]
        + [(name, at) for name, pages in zip(BOOKS, (9, 5, 9), strict=True) for at in range(pages)],
    )
    def test_picture(self, name: str, at: int) -> None:
        Reader(name, at).compare(f"{name}_{at}")

    @pytest.mark.parametrize("name", [*LISTS, *BOOKS])
    def test_a_page_at_rest_sends_nothing_to_the_display(self, name: str) -> None:
        reader = Reader(name)
        reader.step()
        reader.scene.draw()
        assert not any(reader.display.canvas.dirty)


LOCKED_SCRIPT = """
begin()
go("help.demo", {number}, 2)
scene = app.router.scene
while not scene.ended:
    play_locked(1)
print("score", scene.game.score, "frames", clock.frame)
"""


@needs_wasm
@pytest.mark.parametrize("name", ["BACK-TO-BACK|MINI T-SPIN|SINGLE", "SOFT|DROP"])
def test_a_frame_of_a_demonstration_allocates_nothing(name: str) -> None:
    number = NAMES.index(name)
    played = scripts.run(scripts.ON_BOARD + LOCKED_SCRIPT.format(number=number))
    assert played.last_line.startswith(f"score {sum(SCRIPTS[number].points)} frames")


@needs_wasm
def test_every_scene_of_the_help_stays_within_its_heap_and_frees_it() -> None:
    _names, second, third = scenes.measure_scenes([*LISTS, *BOOKS, "help.demo"], b"", 3)
    assert max(second.values()) <= HEAP_BYTES, second
    assert all(third[name] - size <= GROWTH_BYTES for name, size in second.items()), third
