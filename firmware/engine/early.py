"""Remember what is pressed while no Tetrimino is in play, and give it to the one that comes (Guideline 3.3, 5).

The guideline knows only presses that find a Tetrimino. A player who is quick presses before it is there,
during the generation delay or a Line Clear, and means the next one: nothing that was pressed is lost.
"""

from firmware.compat import TYPE_CHECKING
from firmware.engine.controls import RIGHT, ROTATE_CCW, ROTATE_CW
from firmware.engine.events import MOVE_FAILED, MOVED

if TYPE_CHECKING:
    from firmware.engine.handling import Handling


def press(game: "Handling", button: int) -> None:
    """Remember a press: every step and every quarter turn, Hold once. A Hard Drop was meant for the one before.

    No wall is farther than four steps from where a Tetrimino is generated.
    """
    if game.options.early_presses:
        game.early |= 1 << button
        steps = game.early_steps + (button == RIGHT) - (button < RIGHT)
        if -5 < steps < 5:
            game.early_steps = steps
        game.early_turns = game.early_turns + (button == ROTATE_CW) - (button == ROTATE_CCW) & 3


def turn(game: "Handling") -> None:
    """Turn the new Tetrimino as was asked for, and by the one rotation button that is down since before."""
    turns = game.early_turns
    game.statistics.presses += 1 if turns == 3 else turns
    down = game.pressed & ~game.early
    turns = turns + (down >> ROTATE_CW & 1) - (down >> ROTATE_CCW & 1) & 3
    if turns == 3:
        game.turn(0)
    else:
        for _ in range(turns):
            game.turn(1)


def step(game: "Handling") -> None:
    """Take the steps to the side that were asked for, as far as there is room, and forget all that was remembered."""
    steps = game.early_steps
    game.early = game.early_steps = game.early_turns = 0
    one = 1 if steps > 0 else -1
    while steps:
        steps -= one
        game.statistics.presses += 1
        if not game.shift(one):
            game.events |= MOVE_FAILED
            return
        game.events |= MOVED
        game.follow()
