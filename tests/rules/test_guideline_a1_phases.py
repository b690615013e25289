"""Guideline A1.1, A1.2: the phases, the time they take, and the hooks of a variant."""

import functools

import pytest

from firmware.engine import events, phases
from firmware.engine.mode import Mode
from tests.support.drill import Drill

NAMES = ("GENERATION", "FALLING", "LOCK", "PATTERN", "ITERATE", "ANIMATE", "ELIMINATE", "COMPLETION")


class HookLog(Mode):
    def __init__(self) -> None:
        self.seen: list[tuple[str, int, int]] = []
        for hook in ("match", "iterate", "complete", "end"):
            setattr(self, hook, functools.partial(self.note, hook))

    def note(self, hook: str, game) -> None:
        self.seen.append((hook, game.phase, game.time_ms))


class FourInARow(Mode):
    """A small variant: a row that begins with four I Blocks counts as full, and row 5 is always emptied."""

    def match(self, game) -> None:
        for y in range(20):
            row = game.matrix.rows[y]
            if row[0] == 1 and bytes(row[:4]) == bytes([1, 1, 1, 1]) and y not in game.hits[: game.hit_count]:
                game.hits[game.hit_count] = y
                game.hit_count += 1

    def iterate(self, game) -> None:
        row = game.matrix.rows[5]
        if any(row):
            game.matrix.set_row(5, bytes(10))


class TestPhasesA1:
    def test_a1_1_the_phases_exist_by_these_names(self) -> None:
        assert [getattr(phases, name) for name in NAMES] == list(range(8))

    def test_a1_2_the_order_and_the_times_of_a_line_clear(self) -> None:
        hook_log = HookLog()
        Drill("I", art="#########.", mode=hook_log, script="50 cw right*4 hard 1000")
        seen = [("match", phases.PATTERN, 50), ("iterate", phases.ITERATE, 50), ("complete", phases.COMPLETION, 350)]
        assert hook_log.seen == seen

    def test_a1_2_without_a_line_nothing_is_animated(self) -> None:
        hook_log = HookLog()
        Drill("I", mode=hook_log).act("hard 0")
        seen = [(hook, time_ms) for hook, _, time_ms in hook_log.seen]
        assert seen == [("match", 0), ("iterate", 0), ("complete", 0)]

    def test_a1_2_6_the_animate_phase_shows_the_full_rows_and_takes_its_time(self) -> None:
        drill = Drill("I", art="#########.\n#########.", animate_ms=400)
        drill.tap("cw", *["right"] * 4, "hard")
        assert drill.game.phase == phases.ANIMATE
        assert (drill.game.hit_count, list(drill.game.hits[:2])) == (2, [0, 1])
        assert not drill.wait(399) & events.ELIMINATED and drill.wait(1) & events.ELIMINATED
        assert drill.game.phase == phases.GENERATION

    def test_a1_2_7_rows_above_fall_by_the_rows_cleared(self) -> None:
        drill = Drill("I", art="T.........\n#########.\n.J........\n#########.\n#########.")
        drill.act("cw right*4 hard 300")
        assert drill.matrix(4) == ["..........", "..........", "T.........", ".J.......I"]

    def test_a1_2_4_a_mode_adds_a_pattern_without_touching_the_engine(self) -> None:
        drill = Drill("I", mode=FourInARow(), script="left left left hard")
        assert drill.game.hit_count == 1
        drill.wait(300)
        assert drill.matrix(1) == [".........."] and drill.game.lines == 1

    def test_a1_2_5_a_mode_adds_an_iterate_step_without_touching_the_engine(self) -> None:
        drill = Drill("I", art="########..\n" + "..........\n" * 5, mode=FourInARow(), script="hard")
        assert drill.game.matrix.rows[5] == bytearray(10)

    def test_a1_2_8_a_mode_may_end_the_game(self) -> None:
        class Once(Mode):
            def complete(self, game) -> None:
                game.end(4)

        drill = Drill("I", mode=Once())
        assert drill.tap("hard") | drill.wait(0) & events.COMPLETED and drill.game.phase == phases.GAME_OVER

    def test_a1_2_the_mode_is_called_at_the_end_of_the_game(self) -> None:
        hook_log = HookLog()
        Drill("O", art="....##....\n" * 20, mode=hook_log).tap("hard")
        assert hook_log.seen == [("end", phases.GAME_OVER, 0)]

    @pytest.mark.parametrize("hook", ["begin", "match", "iterate", "complete", "end"])
    def test_a1_2_every_hook_is_optional(self, hook: str) -> None:
        assert getattr(Mode(), hook)(None) is None
