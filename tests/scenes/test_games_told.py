"""What a game tells: a Top Out that is near, combos, all-clears, points, and the distance to the best result."""

from typing import Any

import pytest

from firmware.engine import controls, events
from firmware.engine.game import AIM_REACHED
from firmware.modes.catalogue import MARATHON, SPRINT, ULTRA_LINES, find
from firmware.modes.delays import NONE, set_delays
from firmware.save import means
from firmware.save.scores import find_kind, find_table
from firmware.scenes.again import pack
from firmware.sound.effects import TOP_OUT_NEAR
from firmware.view.canvas import Canvas
from firmware.view.effects import COMBO, WORDS, EffectsView
from firmware.view.layouts.large import LargeView
from tests.support.drill import CODES, Drill
from tests.support.golden import compare
from tests.support.handhelds.arcade import begin, set_matrix
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import begin_game
from tests.support.results import Console, ended, fill_table

ROW = "#########."
POINTS, ALL_CLEAR = 9, 11


def fill(game: Any, rows: int) -> None:
    """Put rows with a gap at the right into a Matrix."""
    for y in range(rows):
        game.matrix.set_row(y, bytes(CODES.index(cell) for cell in ROW))


class Told:
    """A view of a drill that notes the words it shows, in order."""

    def __init__(self, drill: Drill, kind: Any = EffectsView) -> None:
        self.game = drill.game
        self.drill = drill
        self.view = kind(Canvas())
        self.view.draw(self.game)
        self.view.tell(0, self.game)

    def act(self, script: str, ms: int = 3000) -> list[str]:
        """Act, let time pass frame by frame, and return the words that showed."""
        view = self.view
        told: list[str] = []
        for word in script.split():
            view.tell(self.drill.act(word), self.game)
        for _ in range(ms // 20):
            view.tell(self.drill.wait(20), self.game)
            view.draw(self.game)
            if view._page >= 0:
                word = bytes(WORDS[view._page]).decode().strip()
                if not told or told[-1] != word:
                    told.append(word)
        return told


UPRIGHT = "cw right right right right hard"


class TestTexts:
    def test_points_are_told_after_every_line_clear(self) -> None:
        assert Told(Drill("I", art=f"{ROW}\n#.........")).act(UPRIGHT) == ["+100"]

    def test_the_points_are_those_of_the_action_without_the_drop(self) -> None:
        told = Told(Drill("I", art="#.........\n" + f"{ROW}\n" * 4, level=3))
        assert told.act("+soft 100 -soft " + UPRIGHT) == ["TETRIS", "+2400"]
        assert told.game.score > 2400

    def test_a_drop_alone_tells_nothing(self) -> None:
        assert Told(Drill("O")).act("hard 500 +soft 1500 -soft") == []

    def test_a_t_spin_without_lines_tells_its_points(self) -> None:
        told = Told(Drill("T", art=".#........"))
        assert told.act("left left left +soft 1000 -soft cw hard") == ["MINI T-SPIN", "+100"]

    def test_the_second_line_clear_in_a_row_is_a_combo(self) -> None:
        told = Told(Drill("I", art=ROW))
        said = []
        for _ in range(3):
            told.drill.draw("..........\n" * 6 + ROW)
            said.append(told.act(UPRIGHT)[:-1])
        assert said == [[], ["COMBO 1"], ["COMBO 2"]]

    @pytest.mark.parametrize(("combo", "text"), [(1, b"COMBO 1"), (9, b"COMBO 9"), (12, b"COMBO12")])
    def test_a_combo_has_room_for_two_digits(self, combo: int, text: bytes) -> None:
        told = Told(Drill("I"))
        told.game.statistics.combo = combo
        told.view.tell(events.ELIMINATED, told.game)
        assert bytes(WORDS[COMBO]) == text

    @pytest.mark.parametrize("delays", [None, NONE])
    def test_an_empty_matrix_is_an_all_clear(self, delays: int | None) -> None:
        drill = Drill("I", art="####....##")
        if delays is not None:
            set_delays(drill.game.options, delays)
            drill.game.animate_us = 0
        drill.act("right")
        assert Told(drill).act("hard") == ["ALL CLEAR", "+100"]

    def test_blocks_that_stay_are_none(self) -> None:
        assert Told(Drill("I", art="#.........\n####....##", script="right")).act("hard") == ["+100"]

    def test_a_race_tells_no_points(self) -> None:
        told = Told(Drill("I", art=f"{ROW}\n#........."))
        told.view.timed = True
        assert told.act(UPRIGHT) == []

    def test_a_continued_game_does_not_tell_its_old_points(self) -> None:
        drill = Drill("I")
        drill.game.score = 50_000
        assert Told(drill).act("hard") == []

    @pytest.mark.parametrize(("kind", "name"), [(EffectsView, "told"), (LargeView, "told_large")])
    def test_pictures(self, kind: Any, name: str) -> None:
        told = Told(Drill("I", art="####....##", level=9), kind)
        game, view = told.game, told.view
        game.score, game.statistics.combo, game.hit_count = 25_600, 12, game.matrix.top
        view.tell(events.SINGLE | events.ELIMINATED, game)
        pages = [ALL_CLEAR, COMBO, POINTS]
        for _ in range(200):
            view.draw(game)
            if pages and view._page == pages[0]:
                compare(view.canvas, f"{name}_{pages.pop(0)}")
        assert not pages


class TestMatch:
    @pytest.mark.parametrize("rivals", [1, 2, 3])
    def test_texts_show_beside_any_number_of_rivals(self, rivals: int) -> None:
        arcade = begin(OPPONENTS=rivals - 1)
        set_matrix(arcade.match, 0, "####....##\n")
        view = arcade.scene.view
        before = bytes(view.canvas.buffer[: 8 * 5])
        shown = set()
        view.tell(events.BACK_TO_BACK | events.TETRIS, arcade.match.seats[0].game)
        for _ in range(160):
            arcade.step(16)
            if view._page >= 0 and view._page not in shown:
                shown.add(view._page)
                arcade.step(16)
                compare(view.canvas, f"told_match_{rivals + 1}_{view._page}")
        assert shown == {3, 6}
        if rivals > 1:
            assert bytes(view.canvas.buffer[: 8 * 5]) == before, "the names are back"

    @pytest.mark.parametrize("rivals", [2, 3])
    @pytest.mark.parametrize(("target", "mark", "is_whole"), [(0, 1, True), (2, 0, True), (2, 2, False)])
    def test_a_rival_that_sends_lines_lights_up_wholly_if_they_come_here(
        self, rivals: int, target: int, mark: int, is_whole: bool
    ) -> None:
        arcade = begin(OPPONENTS=rivals - 1, TARGET=target)
        for seat in arcade.match.seats[1:]:
            arcade.scene.players[seat.number] = None  # nothing moves
        arcade.step(16, 30)
        view = arcade.scene.view
        at = view.rivals.matrices[0]
        area = [(x, y) for y in range(at.top, at.top + at.rows) for x in range(at.left, at.left + 10)]

        def look() -> list[int]:
            return [view.canvas.buffer[1 + 8 * y + (x >> 3)] >> (x & 7) & 1 for x, y in area]

        before = look()
        sender = arcade.match.seats[1]
        sender.sent, sender.mark = 4, mark
        arcade.step(16, rivals)
        changed = [one != other for one, other in zip(look(), before, strict=True)]
        half = len(area) // 2
        assert all(changed[half:]) and (all if is_whole else any)(changed[:half]) == is_whole
        if target == 2 and rivals == 3:
            compare(view.canvas, f"match_sends_{'here' if is_whole else 'there'}")
        arcade.step(16, 10 * rivals)
        assert look() == before

    def test_without_motion_no_rival_lights_up(self) -> None:
        arcade = begin(OPPONENTS=1)
        for seat in arcade.match.seats[1:]:
            arcade.scene.players[seat.number] = None
        view = arcade.scene.view
        view.motion_on = False
        view.reset()
        arcade.step(16, 30)
        arcade.match.seats[1].sent = 4
        arcade.step(16, 8)
        assert not any(view.rivals.lit) and view.rivals.sent[0] == 4

    @pytest.mark.parametrize("page", range(len(WORDS)))
    def test_every_text_fits_in_place_of_the_names(self, page: int) -> None:
        view = begin(OPPONENTS=1).scene.view
        view._count(POINTS, 99_999, 0, ord("+"))  # the last test's words would stay
        view._turn_page(page)  # the canvas of tests refuses what does not fit


class TestDanger:
    def near(self, rows: int = 16, **settings: int) -> Handheld:
        handheld = begin_game(music_on=1, **settings)
        fill(handheld.game, rows)
        return handheld

    def test_from_row_16_on_the_music_hurries_and_a_sound_warns(self) -> None:
        handheld = self.near(15)
        told: list[int] = []
        handheld.scene.voice.tell_menu = told.append
        handheld.step(16, 30)
        assert (handheld.voice.unit_ms, told) == (8, [])
        fill(handheld.game, 16)
        handheld.step(16, 30)
        assert (handheld.voice.unit_ms, told) == (6, [TOP_OUT_NEAR])
        handheld.game.matrix.clear()
        handheld.step(16, 30)
        assert (handheld.voice.unit_ms, told) == (8, [TOP_OUT_NEAR])

    def test_the_warning_waits_until_a_louder_effect_has_ended(self) -> None:
        handheld = self.near()
        handheld.voice.begin(events.TETRIS)
        handheld.step(16)
        assert not handheld.scene.danger
        handheld.step(16, 120)
        assert handheld.scene.danger

    @pytest.mark.parametrize("large", [0, 1])
    def test_the_warning_blinks_in_place_of_the_level_s_label(self, large: int) -> None:
        handheld = self.near(large_cells=large)
        view = handheld.scene.view
        shown = []
        for _ in range(64):
            handheld.step(16)
            shown.append(handheld.scene.warned)
        assert [shown[at] != shown[at - 1] for at in range(1, 64)].count(True) in (3, 4), "every 256 ms"
        while not handheld.scene.warned:
            handheld.step(16)
        compare(view.canvas, f"told_danger_{'large' if large else 'small'}")
        handheld.game.matrix.clear()
        handheld.step(16, 4)
        assert not handheld.scene.warned

    def test_the_tempo_is_set_only_when_the_level_or_the_danger_changes(self) -> None:
        handheld = self.near(15)
        handheld.step(16, 30)
        paces: list[int] = []
        handheld.scene.set_pace = lambda: paces.append(handheld.game.level)
        handheld.step(16, 30)
        assert paces == []
        handheld.game.level = 6
        handheld.scene.announce_events(events.LEVEL_UP)
        assert paces == [6]
        fill(handheld.game, 16)
        handheld.step(16, 60)
        assert paces == [6, 6]

    def test_the_tempo_of_the_level_comes_back(self) -> None:
        handheld = self.near()
        handheld.game.level = 7
        handheld.step(16, 30)
        assert handheld.voice.unit_ms == 6
        handheld.game.matrix.clear()
        handheld.step(16, 30)
        assert handheld.voice.unit_ms == 7


class TestResult:
    def over(self, variant: int, aim: int, best: list[int], **values: Any) -> Any:
        game = ended(variant, aim, **values)
        game.level = 1
        console = Console()
        console.session.variant = console.settings.variant = variant
        if best:
            fill_table(console, find_table(variant, aim), best)
        console.session.finish(game, pack(game.options))
        return self.show(console, game)

    def show(self, console: Console, game: Any) -> Any:
        """Open the result, past what congratulates."""
        console.open("menus.over", game)
        console.step(1000)
        if console.scene.congratulating:
            console.tap(controls.ROTATE_CW)
        return console

    @pytest.mark.parametrize(
        ("variant", "aim", "best", "values", "distance"),
        [
            (MARATHON, 0, [50000], {}, b"-4790 VS BEST"),
            (MARATHON, 0, [40000, 30000], {}, b"+5210 VS BEST"),
            (MARATHON, 0, [45210], {}, b"+0 VS BEST"),
            (MARATHON, 0, [], {}, b""),
            (SPRINT, 40, [310_000], {"over": AIM_REACHED}, b"+0:02.34 VS BEST"),
            (SPRINT, 40, [320_000], {"over": AIM_REACHED}, b"-0:07.65 VS BEST"),
            (SPRINT, 40, [320_000], {}, b""),
        ],
    )
    def test_the_distance_to_the_best_before(
        self, variant: int, aim: int, best: list[int], values: dict[str, int], distance: bytes
    ) -> None:
        console = self.over(variant, aim, best, **values)
        assert console.scene.distances == ([distance] if distance else [])

    def test_the_longest_fits(self) -> None:
        console = self.over(SPRINT, 100, [5_400_000], over=AIM_REACHED, ms=1_000)
        assert console.scene.distances == [b"-89:59.0 VS BEST"]

    def tell_mean(self, results: list[int], variant: int, aim: int = 0, **values: int) -> Console:
        """Return the result of a game after others with these results; the best one is in the table."""
        console = Console()
        record = find(variant)
        for result in results:
            means.add(console.journal, find_kind(record, aim), record, result)
        game = ended(variant, aim, **values)
        means.add(console.journal, find_kind(record, aim), record, game.mode.result(game))
        console.session.variant = variant
        return self.show(console, game)

    @pytest.mark.parametrize(
        ("results", "distances"),
        [([], []), ([40_000], [b"+5210 VS MEAN"]), ([1] * 5 + [50_000] * 10, [b"-4790 VS MEAN"])],
    )
    def test_the_distance_to_the_mean_of_the_ten_games_before(self, results: list[int], distances: list[bytes]) -> None:
        assert self.tell_mean(results, MARATHON).scene.distances == distances

    def test_the_mean_of_times_is_kept_in_hundredths(self) -> None:
        console = self.tell_mean([300_009, 320_000], SPRINT, 40, over=AIM_REACHED)
        assert console.scene.distances == [b"+0:02.34 VS MEAN"]

    def test_picture_of_both_distances(self) -> None:
        console = self.tell_mean([300_000, 320_000], SPRINT, 40, over=AIM_REACHED)
        fill_table(console, 3, [290_000])
        console.settings.generation_ms = 0
        console.open("menus.over", console.scene.game)
        console.step(1000)
        console.tap(controls.ROTATE_CW)
        console.compare("over_vs_best_and_mean")

    def test_pictures(self) -> None:
        self.over(SPRINT, 40, [310_000], over=AIM_REACHED).compare("over_vs_best")
        self.over(MARATHON, 0, [1_234_567]).compare("over_vs_best_points")

    @pytest.mark.parametrize(
        ("variant", "aim", "shows"), [(SPRINT, 40, False), (ULTRA_LINES, 2, False), (MARATHON, 0, True)]
    )
    def test_a_race_at_level_1_shows_no_level(self, variant: int, aim: int, shows: bool) -> None:
        console = self.over(variant, aim, [])
        assert console.scene.skipped == (not shows)

    def test_a_sprint_at_another_level_shows_it(self) -> None:
        console = self.over(SPRINT, 40, [])
        game = ended(SPRINT, 40)
        console.open("menus.over", game)
        assert game.level == 9 and not console.scene.skipped
