"""Puzzles (firmware/modes/README.md 7): the engine solves each, and each plays on the handheld."""

from dataclasses import replace
from pathlib import Path

import pytest
from py_fumen_py import Field, Page, encode

from firmware.engine.game import AIM_REACHED
from firmware.engine.options import Options
from firmware.modes.lessons import puzzle_file
from firmware.modes.puzzle import MISSED, Puzzle, PuzzleGame
from firmware.save.journal import PUZZLES
from firmware.save.puzzles import Progress
from firmware.scenes.play_state import PAUSED
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width
from tests.support.flash import RamStore
from tests.support.handhelds.command_lines import refused
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.lesson import Lesson
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B
from tests.support.needs import needs_wasm
from tools.measure import scripts
from tools.puzzles import __main__ as command
from tools.puzzles import packing, text
from tools.puzzles.fumen import read_fumen
from tools.puzzles.solver import find_rests, solve

SOURCES = text.read()
HEAP_BYTES = 3 * 1024
PLAIN = "goal clear all\nqueue T\n"

# Prints the heap of a Marathon game and of a puzzle.
HEAP_SCRIPT = """
import gc
from firmware.engine.options import Options
from firmware.engine.game import Game
from firmware.modes.marathon import Marathon
from firmware.modes.puzzle import Puzzle, PuzzleGame
def weigh(make):
    make()
    gc.collect()
    before = gc.mem_alloc()
    game = make()
    gc.collect()
    return gc.mem_alloc() - before
print(weigh(lambda: Game(1, Options(), Marathon())), weigh(lambda: PuzzleGame(43, Options(), Puzzle())))
"""


def puzzle_text(name: str, goal: str, queue: str, more: str = "", rows: str = "XXXX......\nXXXX......\n") -> str:
    return f"= {name}\ngoal {goal}\n{more}queue {queue}\n{rows}"


ONE_WAY = puzzle_text("ONE WAY", "clear all", "OO", rows="XXXXXX....\nXXXXXX....\n")
TWO_WAYS = puzzle_text("TWO WAYS", "clear all", "OII", "hold off\n")
HELD = puzzle_text("HELD", "clear all", "LL", "hold O\n")
NEVER = puzzle_text("NEVER", "t-spin double", "TT", rows="XXXX......\n")
LONELY = puzzle_text("ONE", "clear all", "I", rows="XXXX......\n")


def parse(tmp_path: Path, words: str) -> text.Puzzle:
    path = tmp_path / "one.txt"
    path.write_text(words, encoding="utf-8")
    return text.read(path)[0]


def read_facts(number: int) -> puzzle_file.Facts:
    found = puzzle_file.Facts()
    puzzle_file.fill(found, puzzle_file.fetch(number))
    return found


class TestHandheld:
    def test_forty_puzzles_include_three_lessons_in_t_spins(self) -> None:
        puzzles = [read_facts(number) for number in range(puzzle_file.count())]
        lessons = [puzzle_file.describe(puzzle) for puzzle in puzzles if puzzle.lesson]
        assert len(puzzles) >= 40 and len(lessons) == 3 and all(b"T-SPIN" in goal for goal in lessons)
        assert {puzzle.goal for puzzle in puzzles} >= {text.CLEAR_ALL, text.ACTION}

    def test_puzzle_file_matches_its_text(self) -> None:
        assert packing.TARGET.read_bytes() == packing.pack_all(SOURCES)

    def test_every_proof_solves_its_puzzle_press_by_press(self) -> None:
        """Rules 7.1 to 7.4, with the handheld's file and Game.input alone."""
        for number, source in enumerate(SOURCES):
            game = PuzzleGame(number, Options(), Puzzle())
            packing.play(game, source.proof)
            assert game.over == AIM_REACHED and game.mode.led, source.name

    @pytest.mark.parametrize("count", [12, pytest.param(len(SOURCES), marks=pytest.mark.long)])
    def test_solver_finds_the_number_of_solutions_in_the_text(self, count: int) -> None:
        for source in SOURCES[:count]:
            assert solve(source).unique is (source.solutions == 1), source.name

    def test_names_and_goals_fit_the_screen(self) -> None:
        for number, name in enumerate(puzzle_file.names(), 1):
            goal = puzzle_file.describe(read_facts(number - 1))
            assert text_width(b"%d+%s" % (number, name), FONT_3X5) <= 60
            assert all(text_width(line, FONT_3X5) <= 44 for line in goal.split(b"|"))

    def test_unknown_puzzle_number_raises_value_error(self) -> None:
        with pytest.raises(ValueError, match="there is no puzzle 100 in this version"):
            PuzzleGame(99, Options(), Puzzle())

    @needs_wasm
    def test_a_puzzle_takes_at_most_3_kilobytes_more_than_marathon(self) -> None:
        marathon, puzzle = map(int, scripts.run(HEAP_SCRIPT).last_line.split())
        assert puzzle - marathon <= HEAP_BYTES


class TestRules:
    """firmware/modes/README.md 7."""

    def begin(self, game: PuzzleGame) -> PuzzleGame:
        game.start(0)
        game.advance(1000)
        return game

    def game(self, tmp_path: Path, words: str) -> PuzzleGame:
        proved = replace(parse(tmp_path, words), proof=(text.Step(1, 0, 3, 0),), solutions=1)
        return self.begin(PuzzleGame(0, Options(), packing.Packed(packing.pack(proved))))

    def drop(self, game: PuzzleGame) -> int:
        game.input(UP, 1, game.now_ms)
        game.advance(game.now_ms + 1000)
        return game.piece

    def test_7_1_held_tetrimino_comes_when_the_queue_is_empty(self, tmp_path: Path) -> None:
        game = self.game(tmp_path, HELD)
        assert [game.piece, self.drop(game), self.drop(game)] == [3, 3, 4] and game.hold == 0

    def test_7_1_holding_the_last_tetrimino_brings_it_back(self, tmp_path: Path) -> None:
        game = self.game(tmp_path, LONELY)
        game.input(HOLD, 1, game.now_ms)
        assert (game.piece, game.hold) == (1, 0)

    def test_7_2_nothing_falls_or_locks_down_by_itself(self, tmp_path: Path) -> None:
        game = self.game(tmp_path, HELD)
        row = game.y
        game.advance(game.now_ms + 400_000)
        assert game.y == row
        game.input(DOWN, 1, game.now_ms)
        game.advance(game.now_ms + 400_000)
        assert game.y == game.ghost_y and game.lock_downs == 0
        game.input(DOWN, 0, game.now_ms)
        game.input(A, 1, game.now_ms)
        game.advance(game.now_ms + 400_000)
        assert game.piece
        game.input(UP, 1, game.now_ms)
        assert game.lock_downs == 1

    def test_7_4_puzzle_is_missed_with_the_last_tetrimino(self, tmp_path: Path) -> None:
        game = self.game(tmp_path, LONELY)
        self.drop(game)
        assert game.over == MISSED

    @pytest.mark.parametrize(
        ("goal", "solved"),
        [("lines 2", True), ("lines 3", False), ("combo 2", True), ("single x2", True), ("double", False)],
    )
    def test_7_3_goals(self, tmp_path: Path, goal: str, solved: bool) -> None:
        game = self.game(tmp_path, puzzle_text("GOAL", goal, "II", rows="XXX....XXX\nXXX....XXX\n"))
        self.drop(game)
        self.drop(game)
        assert (game.over == AIM_REACHED) is solved

    def test_7_6_a_wrong_place_misses_a_lesson(self) -> None:
        game = self.begin(PuzzleGame(0, Options(), Puzzle()))
        self.drop(game)
        assert (game.over, game.mode.led) == (MISSED, False)


class TestSolver:
    def test_two_pictures_are_two_solutions(self, tmp_path: Path) -> None:
        assert solve(parse(tmp_path, ONE_WAY), 9).unique, "either O first: the same picture"
        assert len(solve(parse(tmp_path, TWO_WAYS), 9).pictures) == 2, "the O on the left or on the right"

    def test_solver_uses_hold(self, tmp_path: Path) -> None:
        held = parse(tmp_path, HELD)
        answer = solve(held, 9)
        assert answer.first and len(answer.first) == held.count

    def test_solver_finds_the_places_of_the_engine(self) -> None:
        """They include a T that rotation point 5 moves down two rows (Guideline A1.4)."""
        assert any(rest.place.spin == 2 and len(rest.lines) == 3 for rest in find_rests(SOURCES[1].masks, 6))

    @pytest.mark.parametrize(
        ("step", "why"),
        [((7, 0, 3, 0), "neither in play nor in Hold"), ((3, 0, 4, 9), "cannot get there")]
        + [((3, 0, 4, -1), "does not solve it")],
    )
    def test_a_false_proof_is_refused(self, tmp_path: Path, step: tuple[int, int, int, int], why: str) -> None:
        with pytest.raises(text.PuzzleError, match=why):
            packing.prove(replace(parse(tmp_path, HELD), proof=(text.Step(*step),), solutions=1))

    def test_impossible_puzzle_has_no_solution(self, tmp_path: Path) -> None:
        assert not solve(parse(tmp_path, NEVER)).first


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("queue T", "A: no goal"),
        ("goal clear all", "A: no queue"),
        ("goal win\nqueue T", "A: goal 'win' is none of"),
        ("goal lines 99\nqueue T", "A: goal 'lines 99' is none of"),
        (f"goal combo {'9' * 5000}\nqueue T", "A: goal 'combo 9+' is none of"),
        ("goal clear all\nqueue TX", "A: queue: 'X' is no Tetrimino"),
        (f"{PLAIN}XX", "A: row 'XX' has 2 cells, not 10"),
        (f"{PLAIN}XXXXXXXXX?", r"A: row 'XXXXXXXXX\?': a cell is"),
        (f"{PLAIN}XXXXXXXXXX", "A: a row is full already"),
        (PLAIN + "X.........\n" * 19, "A: the Blocks take 19 rows"),
        (f"{PLAIN}= a name\n{PLAIN}", "a name: a name has 1 to 12 capitals"),
        (f"{PLAIN}words no", "A: words are 1 to 2 lines"),
        ("goal clear all\nqueue TTTTTTTTTTTTT", "A: there are 1 to 12"),
        (f"{PLAIN}proof TQ1", "A: proof: 'TQ1' is no place"),
        (f"{PLAIN}solutions 3", "A: solutions is 1 or many"),
        ("foo bar", "line 2: 'foo' is none of"),
        (f"{PLAIN}= A\n{PLAIN}", "A: there are two of this name"),
    ],
)
def test_bad_text_is_reported_in_one_line(tmp_path: Path, words: str, why: str) -> None:
    with pytest.raises(text.PuzzleError, match=why) as caught:
        parse(tmp_path, f"= A\n{words}\n")
    assert "\n" not in str(caught.value)


def test_written_text_reads_back_as_the_same_puzzle(tmp_path: Path) -> None:
    for source in (*SOURCES, parse(tmp_path, HELD)):
        assert parse(tmp_path, text.write(source)) == source


class TestCommand:
    @pytest.fixture
    def files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        source = tmp_path / "puzzles.txt"
        source.write_text("\n".join(map(text.write, SOURCES[:4])), encoding="utf-8")
        monkeypatch.setattr(command, "SOURCE", source)
        monkeypatch.setattr(command, "TARGET", tmp_path / "puzzles.bin")
        monkeypatch.setattr(command, "read", lambda path=source: text.read(path))
        return tmp_path

    def test_a_file_is_added_solved_and_packed(self, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
        mine = files / "mine.txt"
        mine.write_text(TWO_WAYS, encoding="utf-8")
        assert command.main(["add", str(mine)]) == 0
        assert capsys.readouterr().out == "added TWO WAYS: more than one solution\n"
        assert text.read(files / "puzzles.txt")[4].proof and command.main(["check", "--solve"]) == 0
        assert command.main(["add", str(mine)]) == 2
        assert capsys.readouterr().err == "tools.puzzles: TWO WAYS: there is one of this name\n"

    def test_a_fumen_is_added_with_its_quiz(self, files: Path) -> None:
        field = Field(["XXXX______", "XXXX______"])
        link = "https://fumen.zui.jp/?" + encode([Page(field=field, comment="#Q=[O](L)L")])
        assert read_fumen(link) == (["XXXX......", "XXXX......"], "LL", "O")
        assert command.main(["add", link, "--name", "from afar"]) == 0
        added = text.read(files / "puzzles.txt")[4]
        assert (added.name, added.queue, added.hold) == ("FROM AFAR", (3, 3), 4)

    @pytest.mark.parametrize(
        ("arguments", "why"),
        [
            (["add", "v115@nonsense"], "this fumen cannot be read"),
            (["add", "@"], "this is no fumen"),
            (["add", "nowhere.txt"], "cannot read nowhere.txt"),
            *(
                (["add", "mine.txt", f"--{name}", "i"], f"--{name} goes with a fumen")
                for name in ("name", "goal", "queue", "hold", "words")
            ),
            (["show", "99"], "there is no puzzle '99'"),
        ],
    )
    def test_bad_argument_is_reported_in_one_line(self, files: Path, capsys, arguments: list[str], why: str) -> None:
        assert why in refused(capsys, *arguments, program="tools.puzzles", run=command.main)

    def test_unsolvable_puzzle_is_not_added(self, files: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (files / "mine.txt").write_text(NEVER, encoding="utf-8")
        message = refused(capsys, "add", files / "mine.txt", program="tools.puzzles", run=command.main)
        assert "NEVER: it cannot be solved" in message
        assert len(text.read(files / "puzzles.txt")) == 4

    def test_check_reports_a_packed_file_of_other_puzzles(self, files: Path, capsys) -> None:
        assert command.main(["check"]) == 1 and "is not current" in capsys.readouterr().err
        assert command.main(["build"]) == command.main(["check"]) == 0

    @pytest.mark.parametrize(
        ("arguments", "shown_text"),
        [("list", "A ROOF FIRST"), ("show 3 --solution", "XTTT"), ("solve 1", "TURN IT IN: 1 solution, ")]
        + [("invent clear 2 2 --count 1", "")],
    )
    def test_commands_list_show_solve_and_invent(self, files: Path, capsys, arguments: str, shown_text: str) -> None:
        assert command.main(arguments.split()) == 0 and shown_text in capsys.readouterr().out


class Console(Lesson):
    def enter(self, name: str, subject: object = None) -> None:
        self.open(name, subject, frames=4)
        self.step(frames=24)

    def solve(self) -> None:
        number = self.scene.number
        self.play_steps(PuzzleGame(number, self.game.options, Puzzle()), SOURCES[number].proof)

    def fall(self) -> int:
        """Soft-drop for a while; return the number of rows."""
        before = self.game.y
        self.hold(DOWN, 20)
        return int(before - self.game.y)

    def read_tries(self) -> list[int]:
        return list(Progress(len(SOURCES), self.journal.read(PUZZLES)).tries)


@pytest.fixture
def console() -> Console:
    return Console()


class TestScenes:
    def test_learn_leads_to_the_list_and_the_list_to_a_puzzle(self, console: Console) -> None:
        assert console.follow(A) == "learn.puzzle_menu"
        console.step()
        console.compare("puzzles")
        console.follow(UP)
        assert console.scene.at == len(SOURCES) - 1
        assert (console.follow(DOWN, A), console.scene.number) == ("learn.puzzle_play", 0)
        console.enter("learn.puzzle_menu", 3)
        assert (console.follow(B), console.scene.at) == ("learn.menu", 0)

    def test_a_lesson_marks_the_place_of_the_tetrimino(self, console: Console) -> None:
        console.enter("learn.puzzle_play", 2)
        console.scene.view.frames = 0
        console.step(0)
        console.compare("puzzle_lesson")

    def test_screens_of_a_puzzle_with_hold_and_next(self, console: Console) -> None:
        console.settings.motion_on = 0
        console.enter("learn.puzzle_play", 40)
        console.compare("puzzle_play")
        console.hold(START, 48)
        console.compare("puzzle_pause")
        console.tap(A)
        assert console.scene.is_playing()
        console.tap_and_wait(START, RIGHT)
        assert console.scene.shown
        console.compare("puzzle_shown")

    @pytest.mark.parametrize("name", ["learn.puzzle_play", "learn.opener_play", "learn.all_clear_play"])
    def test_a_panel_offers_undo_only_after_a_lock_down(self, console: Console, name: str) -> None:
        console.enter(name)
        console.hold(START, 48)
        scene = console.scene
        assert scene.state == PAUSED and b"< UNDO" not in scene.rest().list_rows(scene)
        scene.game.lock_downs = 1
        assert b"< UNDO" in scene.rest().list_rows(scene)

    def test_7_5_solved_puzzles_are_kept_with_their_tries(self) -> None:
        store = RamStore()
        console = Console(store)
        console.enter("learn.puzzle_play", 3)
        console.tap_and_wait(UP)
        console.tap_and_wait(START)  # one press starts it again
        assert (console.scene.tries, console.game.lock_downs) == (2, 0)
        console.solve()
        console.compare("puzzle_solved")
        assert console.read_tries()[3] == 2
        console.tap_and_wait(A)
        assert console.scene.number == 3, "a late press skips no result"
        console.step(frames=63)
        console.tap_and_wait(A)
        assert (console.name, console.scene.number) == ("learn.puzzle_play", 4)
        restarted = Console(store)
        assert restarted.read_tries()[3] == 2
        restarted.enter("learn.puzzle_menu")
        restarted.follow(DOWN, DOWN, DOWN)
        restarted.compare("puzzles_solved")

    def test_7_5_the_last_tetrimino_is_taken_back(self, console: Console) -> None:
        console.enter("learn.puzzle_play", 3)
        first = console.game.piece
        console.tap_and_wait(LEFT, UP)
        rows = [bytes(row) for row in console.game.matrix.rows]
        console.tap(UP)
        console.step(frames=120)
        console.compare("puzzle_missed")
        console.tap_and_wait(LEFT)
        assert [bytes(row) for row in console.game.matrix.rows] == rows
        assert (console.game.lock_downs, console.scene.tries) == (1, 2)
        console.hold(START, 48)
        console.tap_and_wait(LEFT)
        assert (console.game.lock_downs, console.game.piece) == (0, first)

    @pytest.mark.parametrize(("slow", "rows"), [(0, 7), (2, 4)])
    def test_13_a_slow_puzzle_stays_slow_after_undo(self, console: Console, slow: int, rows: int) -> None:
        console.settings.slow = slow
        console.enter("learn.puzzle_play", 3)
        assert console.fall() == rows

        console.tap_and_wait(UP)
        console.hold(START, 48)
        console.tap_and_wait(LEFT)

        assert console.game.lock_downs == 0 and console.fall() == rows

    def test_7_5_a_puzzle_whose_solution_was_shown_is_not_solved(self, console: Console) -> None:
        console.enter("learn.puzzle_play", 3)
        console.tap_and_wait(START, RIGHT)
        console.solve()
        assert console.scene.game.over == AIM_REACHED and console.read_tries()[3] == 0

    def test_7_1_starting_blocks_of_the_options_do_not_stand_in_a_puzzle(self, console: Console) -> None:
        console.settings.garbage_rows = 8
        console.open("learn.puzzle_play", 3, frames=4)
        assert console.game.matrix.top == len(SOURCES[3].masks)

    def test_following_the_steps_solves_every_lesson(self, console: Console) -> None:
        for number in range(3):
            console.enter("learn.puzzle_play", number)
            console.solve()
            assert console.read_tries()[number] == 1

    def test_puzzle_is_playable_without_a_store(self) -> None:
        console = Handheld(first="learn.menu")
        console.open("learn.puzzle_play", 0, frames=30)
        console.tap(UP)
        console.step(frames=120)
        assert console.follow(B) == "learn.puzzle_menu"


def test_a_game_that_left_its_solution_never_follows_it_again() -> None:
    mode = Puzzle()
    game = PuzzleGame(0, Options(), mode)
    game.start(0)
    game.advance(0)
    mode.led = False
    mode.follow(game)
    assert not mode.led
