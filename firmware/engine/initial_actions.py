"""Remember presses made while no Tetrimino is in play, and apply them to the next one (Guideline 3.3, 5).

The guideline defines presses only while a Tetrimino is in play. A quick player also presses during the generation delay
or a Line Clear. Such a press applies to the next Tetrimino.
"""

from firmware.compat import TYPE_CHECKING
from firmware.engine.controls import RIGHT, ROTATE_CCW, ROTATE_CW
from firmware.engine.events import MOVE_FAILED, MOVED

if TYPE_CHECKING:
    from firmware.engine.handling import Handling


def remember_press(game: "Handling", button: int) -> None:
    """Remember a press; count steps and quarter turns. No wall is more than four steps from a new Tetrimino."""
    if game.options.early_presses:
        game.early |= 1 << button
        if button <= RIGHT:
            steps = game.early_steps + 2 * button - 1
            if -5 < steps < 5:
                game.early_steps = steps
        game.early_turns = game.early_turns + (button == ROTATE_CW) - (button == ROTATE_CCW) & 3


def apply_turns(game: "Handling") -> None:
    """Turn the new Tetrimino by the early presses and by the one rotation button that is still down."""
    down = game.pressed & ~game.early
    turns = game.early_turns + (down >> ROTATE_CW & 1) - (down >> ROTATE_CCW & 1) & 3
    if turns == 3:
        game.turn(0)
    else:
        for _ in range(turns):
            game.turn(1)


def apply_steps(game: "Handling") -> None:
    """Take the early steps to the side, as far as there is room, and forget all early presses."""
    steps = game.early_steps
    game.early = game.early_steps = game.early_turns = 0
    game.statistics.presses += abs(steps)
    held = game.shift_step
    game.shift_step = one = 1 if steps > 0 else -1
    while steps and game.shift(one):  # copied from Handling.move: a board's stack has no room for another call
        game.events |= MOVED
        game.follow()
        steps -= one
    if steps:
        game.events |= MOVE_FAILED
    game.shift_step = held
