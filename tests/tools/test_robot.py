"""The robot that records games plans from where a Tetrimino is."""

import pytest

from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, STANDARD
from tools.robot import Robot


@pytest.mark.parametrize("variant", [MARATHON, STANDARD])
def test_a_plan_begins_where_the_game_puts_the_tetrimino(variant: int) -> None:
    for seed in range(1, 8):
        robot = Robot(seed, Options(), variant, 60)
        game = robot.game
        game.start(0)
        while not game.piece:
            robot.wait(1)
        planned = robot.appear(game.piece)
        assert planned and (planned.x, planned.y, planned.facing) == (game.x, game.y, game.facing)
