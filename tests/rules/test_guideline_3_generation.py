"""Guideline 3 and A1.2.1: how Tetriminos come into play."""

import pytest

from firmware.engine import events, phases
from firmware.engine.randomizer import Bag, Random
from tests.support.drill import CODES, Drill


class TestBag33:
    def test_3_3_every_bag_holds_each_tetrimino_once(self) -> None:
        bag = Bag(Random(7))
        for _ in range(1000):
            assert sorted(bag.deal() for _ in range(7)) == [1, 2, 3, 4, 5, 6, 7]

    @pytest.mark.no_cover
    @pytest.mark.parametrize("bags", [20_000, pytest.param(100_000, marks=pytest.mark.long)])
    def test_3_3_each_place_of_the_bag_is_fair(self, bags: int) -> None:
        bag = Bag(Random(2009))
        counts = [[0] * 8 for _ in range(7)]
        for _ in range(bags):
            for place in range(7):
                counts[place][bag.deal()] += 1
        expected = bags / 7
        # Chi-square with 6 degrees of freedom stays under 22.5 in 999 of 1000 fair draws, for each place.
        for place in range(7):
            assert sum((count - expected) ** 2 / expected for count in counts[place][1:]) < 22.5

    @pytest.mark.no_cover
    def test_3_3_every_order_of_two_neighbours_occurs_equally(self) -> None:
        bag = Bag(Random(5))
        pairs: dict[tuple[int, int], int] = {}
        for _ in range(42_000):
            order = [bag.deal() for _ in range(7)]
            pairs[order[0], order[1]] = pairs.get((order[0], order[1]), 0) + 1
        assert len(pairs) == 42
        assert sum((count - 1000) ** 2 / 1000 for count in pairs.values()) < 75  # 41 degrees of freedom, 1 in 1000

    def test_3_3_the_same_seed_deals_the_same_order_and_neighbours_differ(self) -> None:
        orders = []
        for seed in (1, 1, 2, 3, 4):
            bag = Bag(Random(seed))
            orders.append("".join(CODES[bag.deal()] for _ in range(35)))
        assert orders[0] == orders[1] and len(set(orders)) == 4

    def test_3_3_only_the_low_30_bits_of_a_seed_count(self) -> None:
        assert vars(Random(5)) == vars(Random(5 + (1 << 30)))

    def test_3_3_the_generator_stays_in_30_bits_and_never_repeats(self) -> None:
        random = Random(0)
        seen = set()
        for _ in range(10_000):
            random.below(7)
            assert 0 < random.a < 1 << 30 and 0 < random.b < 1 << 30
            seen.add((random.a, random.b))
        assert len(seen) == 10_000

    def test_3_3_front_of_the_queue_enters_play_and_the_bag_refills_it(self) -> None:
        drill = Drill("IJLOSTZ")
        for piece, following in (("I", "JLOSTZ"), ("J", "LOSTZI")):
            assert (drill.piece, [CODES[piece] for piece in drill.game.next]) == (piece, list(following))
            drill.place()


class TestStart34:
    @pytest.mark.parametrize(
        ("letter", "cells"),
        [("I", {(3, 20), (4, 20), (5, 20), (6, 20)}), ("J", {(3, 20), (4, 20), (5, 20), (3, 21)})]
        + [("L", {(3, 20), (4, 20), (5, 20), (5, 21)}), ("O", {(4, 20), (5, 20), (4, 21), (5, 21)})]
        + [("S", {(3, 20), (4, 20), (4, 21), (5, 21)}), ("T", {(3, 20), (4, 20), (5, 20), (4, 21)})]
        + [("Z", {(4, 20), (5, 20), (3, 21), (4, 21)})],
    )
    def test_3_4_starting_location(self, letter: str, cells: set[tuple[int, int]]) -> None:
        blocked = Drill(letter, art="...######.\n" * 20)  # a blocked path keeps it in its starting location
        assert blocked.cells == cells
        free = Drill(letter)
        assert free.cells == {(x, y - 1) for x, y in cells}  # a free path lets it drop one row at once
        assert free.game.facing == 0

    def test_3_4_a_blocked_tetrimino_has_landed_and_can_be_moved(self) -> None:
        drill = Drill("O", art="....##....\n" * 20)
        assert drill.game.phase == phases.LOCK
        drill.tap("left", "left")
        assert (drill.game.phase, drill.columns) == (phases.FALLING, [2, 3])

    @pytest.mark.parametrize(("art", "y"), [("", -1), ("....#.....", 0)])
    def test_3_4_the_ghost_appears_at_once_on_the_surface_below(self, art: str, y: int) -> None:
        # Box row 1 holds the lowest Minos, so at -1 they rest on the floor.
        assert Drill("T", art=art).game.ghost_y == y

    def test_a1_2_1_generation_takes_200_ms_after_lock_down(self) -> None:
        drill = Drill()
        assert drill.happened == events.GENERATED, "the first Tetrimino does not wait"
        drill.tap("hard")
        assert not drill.wait(199) & events.GENERATED and drill.wait(1) & events.GENERATED

    def test_2_4_starting_blocks_do_not_change_the_order_of_the_tetriminos(self) -> None:
        assert Drill("", seed=9).game.next == Drill("", seed=9, garbage_rows=8).game.next


class TestInitialActions:
    """Handling beyond the guideline: controls that are down when a Tetrimino is generated."""

    @pytest.mark.parametrize(("controls", "facing"), [("+cw", 1), ("+ccw", 3), ("+cw +ccw", 0)])
    def test_initial_rotation_turns_the_tetrimino_before_it_appears(self, controls: str, facing: int) -> None:
        drill = Drill("JT", initial_rotation=1, script=f"hard {controls} 200")
        assert (drill.piece, drill.game.facing) == ("T", facing)

    def test_initial_hold_brings_the_next_but_one(self) -> None:
        drill = Drill("JTL", initial_hold=1, script="hard +hold")
        assert drill.wait(200) & events.HELD and drill.queues == ("L", "T")

    def test_initial_hold_brings_back_the_held_tetrimino(self) -> None:
        drill = Drill("JTLO", initial_hold=1)
        drill.place("hold")  # J is held, T placed, L comes into play
        drill.act("hard +hold 200")
        assert drill.queues == ("J", "O")

    def test_initial_actions_are_off_by_default(self) -> None:
        drill = Drill("JTL", script="hard +hold +cw 200")
        assert (*drill.queues, drill.game.facing) == ("T", ".", 0)

    def test_initial_hold_respects_hold_off(self) -> None:
        assert Drill("JTL", initial_hold=1, hold_on=0, script="hard +hold 200").queues == ("T", ".")


def early_drill(order: str, script: str, art: str = "", **options: int) -> Drill:
    """Return a drill with early presses; `script` begins 50 ms after a Hard Drop."""
    return Drill(order, art, None, 1, early_presses=1, **options, script=f"hard 50 {script}")


class TestEarlyPresses:
    """Handling beyond the guideline: presses while no Tetrimino is in play."""

    def test_5_2_an_early_step_is_taken_when_the_tetrimino_appears(self) -> None:
        drill = early_drill("JT", "left")
        assert not drill.wait(149)
        assert drill.wait(1) & (events.GENERATED | events.MOVED) == events.GENERATED | events.MOVED
        assert (drill.piece, drill.columns) == ("T", [2, 3, 4])

    @pytest.mark.parametrize(
        ("presses", "leftmost"),
        [("left left", 1), ("right right left", 4), ("left right", 3), ("left*9", 0), ("right*9", 7)]
        + [("left*9 right", 0)],
    )
    def test_5_2_every_press_counts_and_none_goes_through_a_wall(self, presses: str, leftmost: int) -> None:
        assert early_drill("JT", f"{presses} 150").columns[0] == leftmost

    def test_5_2_an_early_step_without_room_fails_with_an_event(self) -> None:
        assert early_drill("JT", "left*4").wait(150) & events.MOVE_FAILED

    def test_5_2_held_press_steps_and_repeats_after_its_own_delay(self) -> None:
        assert early_drill("JT", "+left").walk("150", "149", "1") == ["234", "234", "123"]

    def test_5_2_a_direction_held_before_the_lock_down_is_no_early_press(self) -> None:
        assert Drill("JT", early_presses=1).walk("+left hard 200") == ["345"]

    def test_5_2_with_an_auto_repeat_of_0_ms_the_last_side_wins(self) -> None:
        assert early_drill("JT", "left +right 150", arr_ms=0, das_ms=100).columns[-1] == 9

    def test_5_6_an_early_hold_takes_the_tetrimino_before_it_appears(self) -> None:
        drill = early_drill("JTL", "hold")
        assert drill.wait(150) & events.HELD and (*drill.queues, drill.game.held) == ("L", "T", True)

    def test_5_6_hold_pressed_twice_is_one_hold(self) -> None:
        assert early_drill("JTL", "hold hold 150").queues == ("L", "T")

    def test_5_6_early_steps_move_the_tetrimino_that_comes_into_play(self) -> None:
        drill = early_drill("JTL", "left hold 150")
        assert (drill.piece, drill.columns[0]) == ("L", 2)

    def test_5_6_an_early_hold_does_nothing_if_hold_is_off(self) -> None:
        assert early_drill("JTL", "hold 150", hold_on=0).queues == ("T", ".")

    @pytest.mark.parametrize(
        ("presses", "on", "facing"),
        [("cw", 1, 1), ("ccw", 1, 3), ("cw cw", 1, 2), ("cw ccw", 1, 0), ("ccw*5", 1, 3), ("cw", 0, 0)]
        + [pytest.param("+cw", 1, 1, id="an early press that is still held turns once")],
    )
    def test_5_3_early_rotations_need_initial_rotation(self, presses: str, on: int, facing: int) -> None:
        assert early_drill("JT", f"{presses} 150", initial_rotation=on).game.facing == facing

    def test_5_3_a_held_rotation_adds_to_early_rotations(self) -> None:
        assert Drill("JT", early_presses=1, initial_rotation=1, script="+cw hard +ccw 200").game.facing == 0

    def test_5_4_an_early_hard_drop_is_ignored(self) -> None:
        drill = early_drill("JT", "hard 150")
        assert (drill.piece, drill.game.lock_downs) == ("T", 1)

    def test_a1_2_7_presses_during_a_line_clear_are_early_presses(self) -> None:
        drill = early_drill("ITL", "", "###....###", initial_rotation=1)
        assert drill.game.phase == phases.ANIMATE
        drill.act("left hold cw 500")
        assert (*drill.queues, drill.game.facing, drill.game.x) == ("L", "T", 1, 2)

    def test_early_presses_apply_to_the_next_tetrimino_only(self) -> None:
        drill = early_drill("JTL", "left cw 150 hard 200", initial_rotation=1)
        assert (drill.piece, drill.game.facing, drill.columns[0]) == ("L", 0, 3)

    def test_statistics_count_the_early_steps_taken(self) -> None:
        assert early_drill("JT", "left left right left 150", initial_rotation=1).game.statistics.presses == 2

    def test_early_presses_are_off_by_default(self) -> None:
        drill = Drill("JT", initial_rotation=1, script="hard left hold cw 200")
        assert (drill.piece, drill.columns[0], drill.game.facing) == ("T", 3, 0)
