"""Modern scoring and turning: firmware/modes/README.md, 5."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from firmware.device.chords import HalfTurns
from firmware.device.edges import EdgeQueue
from firmware.engine import events
from firmware.engine.extra_rules import ALL, ExtraRulesGame
from firmware.engine.game import AIM_REACHED, Game
from firmware.engine.manipulation import MINI_SPIN, NO_SPIN
from firmware.engine.mode import Mode
from firmware.engine.options import ALL_SPINS, COMBOS, HALF_TURNS, Options
from firmware.modes.catalogue import MARATHON, SPRINT, STANDARD, make_mode
from firmware.modes.rules import find_rules
from firmware.save.buttons import TARGET, give
from firmware.save.settings import Settings
from firmware.scenes.again import pack
from firmware.view.canvas import Canvas
from firmware.view.effects import MINI, WORDS, EffectsView
from firmware.view.layouts.large import LargeView
from tests.support import golden
from tests.support.drill import Drill, choose, place_in_stacks
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, HOLD, RIGHT, UP, A, begin_game
from tests.support.variants import MASTER

RULES = (Path(__file__).parents[2] / "firmware" / "modes" / "README.md").read_text(encoding="utf-8")
HALF = "+cw +ccw -cw -ccw"  # the control of a half turn, pressed and released


def make_drill(order: str, modern: int, art: str = "", script: str = "", **options: int) -> Drill:
    return Drill(order, art, make_mode(MARATHON), script=script, modern=modern, **options)


def test_5_extra_rules_are_off_by_default() -> None:
    assert Options().modern == Settings().modern == 0
    assert type(make_drill("I", 0).game) is find_rules(Mode(), choose(Options(), modern=0)) is Game
    assert type(make_drill("I", 1).game) is find_rules(Mode(), choose(Options(), modern=2)) is ExtraRulesGame
    for variant in (STANDARD, MASTER):
        mode = make_mode(variant)
        assert find_rules(mode, choose(Options(), modern=7)) is mode.rules


class TestCombos51:
    @staticmethod
    def clear(drill: Drill, rows: str) -> int:
        """Clear a line with an upright I into the last column; return the points without those of the drop."""
        drill.draw("..........\n" * 8)
        drill.draw(rows)
        before = drill.game.score
        drill.tap("cw", *["right"] * 4)
        fallen = drill.game.y - drill.game.ghost_y
        drill.place()
        return drill.game.score - before - 2 * fallen

    def test_each_further_line_clear_of_a_combo_adds_fifty_more(self) -> None:
        drill = make_drill("I", COMBOS, level=3)
        rows = "#.........\n#########.\n"
        assert [self.clear(drill, rows) for _ in range(3)] == [300, 300 + 150, 300 + 300]
        drill.place("ccw")
        assert self.clear(drill, rows) == 300, "a Lock Down without a line ends the combo"
        assert self.clear(make_drill("I", ALL_SPINS), rows) == 100

    def test_a_tetris_that_empties_the_matrix_adds_2000_points(self) -> None:
        assert self.clear(make_drill("I", COMBOS), "#########.\n" * 4) == 800 + 2000

    @pytest.mark.parametrize(
        ("order", "art", "points"), [("I", "###....###\n", 100 + 800), ("O", "####..####\n" * 2, 300 + 1200)]
    )
    def test_points_for_an_empty_matrix_depend_on_the_lines(self, order: str, art: str, points: int) -> None:
        drill = make_drill(order, COMBOS, art)
        fallen = drill.game.y - drill.game.ghost_y
        drill.place()
        assert drill.game.score - 2 * fallen == points

    def test_a_back_to_back_tetris_that_empties_the_matrix_adds_most(self) -> None:
        drill = make_drill("I", COMBOS)
        assert self.clear(drill, "#.........\n" + "#########.\n" * 4) == 800
        drill.place("ccw")
        drill.game.statistics.combo = -1
        assert self.clear(drill, "#########.\n" * 4) == 1200 + 3200


class TestHalfTurns52:
    def read_points(self) -> list[list[tuple[int, int]]]:
        names = ("North to South", "East to West", "South to North", "West to East")
        rows = [next(line for line in RULES.splitlines() if f"| {name} |" in line) for name in names]
        return [[(int(x), int(y)) for x, y in re.findall(r"\((-?\d), (-?\d)\)", row)] for row in rows]

    @pytest.mark.no_cover
    @pytest.mark.parametrize("facing", range(4))
    @pytest.mark.parametrize("piece", range(1, 8))
    def test_the_first_point_with_room_is_taken(self, piece: int, facing: int) -> None:
        chance = random.Random(f"{piece} {facing}")
        seen = set()
        game: Any = make_drill("T", HALF_TURNS).game
        for _ in range(500):
            for y in range(12):
                game.matrix.set_row(y, bytes(8 * (chance.random() < 0.35) for _ in range(10)))
            if not game.place(piece, chance.randrange(0, 7), chance.randrange(0, 10), facing):
                continue
            x, y = game.x, game.y
            fits = []
            for number, (dx, dy) in enumerate(self.read_points()[facing], 1):
                if game.place(piece, x + dx, y + dy, facing ^ 2):
                    fits.append((number, x + dx, y + dy))
            game.place(piece, x, y, facing)
            point = game.turn_half()
            seen.add(point)
            if fits:
                assert (point, game.x, game.y, game.facing, game.turned_last) == (*fits[0], facing ^ 2, True)
            else:
                assert (point, game.x, game.y, game.facing) == (0, x, y, facing)
        assert seen >= {1, 2} if piece != 4 else 1 in seen

    def test_both_rotations_at_one_moment_are_one_half_turn(self) -> None:
        drill = make_drill("T", HALF_TURNS)
        assert drill.act(HALF) & events.ROTATED
        game = drill.game
        assert (game.facing, game.x, game.y, game.statistics.presses) == (2, 3, 18, 1)
        assert drill.act(HALF) & events.ROTATED and game.facing == 0

    @pytest.mark.parametrize(("modern", "script"), [(HALF_TURNS, "+cw 1 +ccw"), (COMBOS, HALF)])
    def test_otherwise_both_rotations_are_two_presses(self, modern: int, script: str) -> None:
        drill = make_drill("T", modern, script=script)
        assert (drill.game.facing, drill.game.statistics.presses) == (0, 2)

    def test_a_half_turn_is_one_move_on_the_ground(self) -> None:
        """Guideline 5.7."""
        drill = make_drill("J", HALF_TURNS)
        drill.until(events.LANDED)
        drill.act(HALF)
        assert drill.game.moves_left == 14
        drill.act(f"1 {HALF} " * 14)
        assert drill.game.lock_downs == 1

    def test_a_half_turn_with_a_held_direction_slides_to_the_wall(self) -> None:
        drill = make_drill("I", HALF_TURNS, arr_ms=0, das_ms=50)
        assert drill.walk("cw +left 60", HALF) == ["0", "0"] and drill.game.facing == 3

    def test_a_half_turn_without_a_free_point_changes_nothing(self) -> None:
        drill = make_drill("J", HALF_TURNS)
        game: Any = drill.game
        drill.draw("##########\n" * 3 + "###.######\n###...####\n" + "##########\n" * 2)
        assert game.place(2, 3, 1, 0)
        before = (game.x, game.y, game.moves_left, game.lock_us, game.phase)
        assert drill.act(HALF) & events.ROTATE_FAILED
        assert (game.x, game.y, game.moves_left, game.lock_us, game.phase, game.facing) == (*before, 0)

    def test_an_early_half_turn_turns_the_next_tetrimino(self) -> None:
        for on, facing in ((1, 2), (0, 0)):
            drill = make_drill("TL", HALF_TURNS, early_presses=on, initial_rotation=on, script=f"hard {HALF} 300")
            assert (drill.piece, drill.game.facing) == ("L", facing)

    def test_a_control_between_the_rotations_prevents_a_half_turn(self) -> None:
        drill = make_drill("TL", HALF_TURNS, script="+cw +hold +ccw")
        assert (drill.piece, drill.game.facing) == ("L", 3)


class TestAllSpins53:
    ART = "##........\n..########\n#..#######\n"

    def place(self, modern: int, art: str = ART) -> Drill:
        """Return a Z that has just turned, by default in a place where it is stuck."""
        drill = make_drill("Z", modern, art)
        drill.put_turned(7, 0, 0, 2)
        return drill

    def test_a_tetrimino_stuck_after_a_rotation_is_a_mini_spin(self) -> None:
        drill = self.place(ALL_SPINS, "##........\n...#######\n#...######\n")
        drill.place()
        assert drill.game.statistics.kinds[5:10] == [0] * 5, "it could move: the art leaves room"
        drill = self.place(ALL_SPINS)
        drill.place()
        game = drill.game
        assert (game.lines, game.statistics.kinds[7], game.chain, game.score) == (2, 1, 1, 400)

    @pytest.mark.parametrize(("view", "size"), [(EffectsView, "small"), (LargeView, "large")])
    def test_a_spin_is_named_after_its_tetrimino(self, view: type[EffectsView], size: str) -> None:
        canvas = Canvas()
        effects = view(canvas)
        drill = self.place(ALL_SPINS)
        game = drill.game
        effects.draw(game)
        happened = drill.press("hard")
        assert happened & events.MINI_T_SPIN
        effects.tell(happened, game)
        for _ in range(25 if size == "large" else 10):
            effects.draw(game)
        golden.compare(canvas, f"all_spin_{size}")
        game.options.modern = 0
        effects.tell(events.MINI_T_SPIN, game)
        assert bytes(WORDS[MINI]) == b"MINI T-SPIN", "the name in the guideline"

    def test_without_the_option_a_z_does_not_spin(self) -> None:
        drill = self.place(COMBOS)
        drill.place()
        assert (drill.game.lines, drill.game.statistics.kinds[2]) == (2, 1)

    def test_stuck_means_no_room_one_cell_away(self) -> None:
        """In random stacks, at every place where a Tetrimino fits."""
        game: Any = make_drill("I", ALL_SPINS).game
        counts = {True: 0, False: 0}
        for stuck in place_in_stacks(game, 53, (1, 2, 3, 5, 7)):
            assert game.spin() == NO_SPIN, "without a turn there is no spin"
            game.turned_last = True
            assert game.spin() == (MINI_SPIN if stuck else NO_SPIN)
            counts[stuck] += 1
        assert min(counts.values()) > 100, counts

    def test_no_t_o_or_i_spins_in_open_space(self) -> None:
        game: Any = make_drill("T", ALL_SPINS).game
        for piece in (0, 4, 1):
            if piece:
                game.place(piece, 3, 5, 0)
            game.turned_last = True
            assert game.spin() == 0


class TestHandheld:
    @staticmethod
    def power_on(modern: int) -> Handheld:
        handheld = Handheld(store=[RamStore(4096)], first="menus.title")
        handheld.session.counts_down = False
        handheld.settings.modern = modern
        handheld.context.apply_settings()
        return handheld

    def test_the_ninth_control_is_a_half_turn(self) -> None:
        handheld = self.power_on(HALF_TURNS)
        give(handheld.settings, TARGET, 1 << HOLD)
        handheld.context.apply_settings()
        handheld.open("play", ms=0, frames=3)
        handheld.press(HOLD, 20)
        handheld.step(30, 2)
        game = handheld.game
        assert type(game) is ExtraRulesGame
        assert (game.facing, game.statistics.presses, game.hold, game.pressed) == (2, 1, 0, 0)

    def test_a_chord_of_two_buttons_is_released_once(self) -> None:
        mapping = HalfTurns(bytes((1, 2, 4, 8, 16, 32, 64, 128, 0xC0)))
        edges = EdgeQueue(8)
        for button, pressed in ((6, 1), (7, 1), (6, 0), (7, 0)):
            edges.append(button, bool(pressed), 100 if pressed else 101)  # of one time, releases would come first
        queue = mapping.translate(edges, 101)
        translated = [(queue.button[i], bool(queue.pressed[i])) for i in range(queue.count)]
        assert translated == [(4, True), (5, True), (4, False), (5, False)]

    def test_options_turn_each_rule_on_and_off(self) -> None:
        handheld = self.power_on(0)
        handheld.open("options.extra_rules", ms=0, frames=2)
        handheld.compare_at_rest("options_extra_rules")
        handheld.tap(A, DOWN, RIGHT, DOWN, A, A, UP, UP, A)
        settings = handheld.settings
        assert (settings.modern, settings.spins, handheld.context.mapping is not None) == (HALF_TURNS, ALL, True)

    @pytest.mark.parametrize(
        ("variant", "modern", "placed"),
        [(MARATHON, 0, True), (MARATHON, 1, False), (MARATHON, 2, True), (MARATHON, 4, False), (SPRINT, 5, True)],
    )
    def test_5_4_points_of_other_rules_have_no_table(self, variant: int, modern: int, placed: bool) -> None:
        handheld = begin_game(variant, modern=modern)
        game = handheld.game
        game.score, game.time_ms = 500, 900
        game.end(AIM_REACHED)
        handheld.session.finish(game, pack(game.options))
        assert (handheld.session.placed is not None) == placed
