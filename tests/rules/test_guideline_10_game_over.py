"""Guideline 10: the seven situations around the Buffer Zone."""

from firmware.engine import events, phases
from firmware.engine.game import BLOCK_OUT, LOCK_OUT, TOP_OUT
from tests.support.drill import Drill, Garbage


class TestGameOver10:
    def test_10_1_game_continues_after_a_lock_down_below_the_skyline(self) -> None:
        drill = Drill("O")
        drill.place()
        assert (drill.game.over, drill.piece) == (0, "O")

    def test_10_2_game_continues_after_peeking_over_the_skyline(self) -> None:
        drill = Drill("O", art="....##....\n" * 19, script="hard")
        assert not drill.game.over and drill.game.matrix.rows[20][4] and drill.game.matrix.rows[19][4]

    def test_10_3_game_continues_while_playing_above_the_skyline(self) -> None:
        drill = Drill("O", art="...####...\n" * 20)
        assert drill.tap("left", "cw", "left") & events.MOVED and not drill.game.over

    def test_10_4_game_continues_with_blocks_forced_above_the_skyline(self) -> None:
        drill = Drill("I", art="#.........\n" * 20, mode=Garbage(4, 9), script="cw right*4")
        assert drill.act("hard 200") & events.GARBAGE and drill.game.matrix.rows[23][0] and not drill.game.over

    def test_10_5_top_out_when_a_block_is_forced_past_the_buffer_zone(self) -> None:
        mode = Garbage(4, 9)
        drill = Drill("I", art="#.........\n" * 37, mode=mode)
        happened = drill.act("hard 0")
        assert happened & events.GARBAGE and happened & events.GAME_OVER and mode.answers == [False]
        assert (drill.game.over, drill.game.phase) == (TOP_OUT, phases.GAME_OVER)

    def test_10_5_game_continues_with_blocks_forced_up_to_the_last_row(self) -> None:
        drill = Drill("I", art="#.........\n" * 36, mode=Garbage(4, 9), script="hard 0")
        assert drill.game.matrix.rows[39][0] and not drill.game.over

    def test_10_6_lock_out_when_a_tetrimino_is_wholly_above_the_skyline(self) -> None:
        drill = Drill("O", art="....##....\n" * 20)
        assert drill.tap("hard") == events.HARD_DROPPED | events.LOCKED | events.GAME_OVER
        assert drill.game.over == LOCK_OUT

    def test_10_7_block_out_when_the_next_tetrimino_is_blocked(self) -> None:
        drill = Drill("O", art="....##....\n" * 19, script="hard")
        assert drill.wait(200) & events.GAME_OVER and drill.game.over == BLOCK_OUT
        assert (drill.game.phase, drill.piece) == (phases.GAME_OVER, ".")

    def test_10_a_hold_can_block_out_as_well(self) -> None:
        drill = Drill("I")
        drill.game.matrix.set_row(20, bytes([0, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
        drill.tap("hold")
        assert drill.game.over == BLOCK_OUT

    def test_10_after_the_end_nothing_happens_and_time_stands_still(self) -> None:
        drill = Drill("O", art="....##....\n" * 20, script="123 hard")
        assert drill.game.time_ms == 123 and drill.act("5000 left cw soft hard hold") == 0
        assert drill.game.time_ms == 123
