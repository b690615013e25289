"""Count a player's actions in a game (Guideline 2.3.1, A1.2.7)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.finesse import PRESSES

if TYPE_CHECKING:
    from firmware.engine.manipulation import Manipulation

_COLUMNS = const(5)


class Statistics:
    """Count the actions of one game.

    kinds: 15 counts of Lock Downs, index spin * 5 + lines: spin 0 none, 1 Mini T-Spin, 2 T-Spin. So kinds[4] counts the
    Tetrises and kinds[12] the T-Spin Doubles. combo: Lock Downs in a row that each clear a line, minus 1; -1 for none.
    straight: 1 while the Tetrimino in play has moved in free fall only, 2 from its Soft Drop on, 0 if it is not judged.
    faults: Tetriminos that took more presses than their place needs. keys: presses of all controls. minis: the
    Back-to-Back Mini T-Spin Singles, which send nothing in a match.
    """

    def __init__(self) -> None:
        self.kinds = [0] * (3 * _COLUMNS)
        self.back_to_backs = 0
        self.combo = -1
        self.longest_combo = 0
        self.pieces = 0
        self.holds = 0
        self.faults = 0
        self.presses = 0
        self.straight = 1
        self.keys = 0
        self.minis = 0

    def enter(self) -> None:
        """Start counting for a new Tetrimino."""
        self.presses = 0
        self.straight = 1

    def place(self, tetrimino: "Manipulation", dropped: bool) -> None:
        """Count the Tetrimino that locks down; check the presses of one that was dropped and did not spin.

        The table of an empty Matrix knows only places that a Hard Drop from above the Blocks reaches.
        """
        self.pieces += 1
        at = (tetrimino.piece * 4 + tetrimino.facing - 4) * 13 + tetrimino.x + 3
        if dropped and self.straight and self.presses > PRESSES[at]:
            self.faults += tetrimino.find_ghost(tetrimino.matrix.top + 1) == tetrimino.y

    def count(self, spun: int, lines: int, action: int) -> None:
        """Count a Lock Down by its kind."""
        self.kinds[spun * _COLUMNS + (lines if lines < 4 else 4)] += 1
        if action & events.BACK_TO_BACK:
            self.back_to_backs += 1
            if lines == 1:  # no Single without a spin is Back-to-Back
                self.minis += spun == 1
        if lines:
            self.combo += 1
            if self.combo > self.longest_combo:
                self.longest_combo = self.combo
        else:
            self.combo = -1
