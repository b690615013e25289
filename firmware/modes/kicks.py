"""Turn Tetriminos by another rotation system than SRS (README.md, 19); loaded only if the player chose one."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.game import BLOCK_OUT, SPAWN_X, SPAWN_Y
from firmware.engine.tables import SHAPES
from firmware.modes.kick_tables import ARS, SRS_PLUS_I

if TYPE_CHECKING:
    from typing import Any

# The values of the option `kicks`; 0 is SRS.
SRS_PLUS = const(1)
ARIKA = const(2)
NONE = const(3)

_I = const(1)
_O = const(4)
_SOUTH = const(2)
_TRIED = b"\0\5\3\1"  # points by the system
_ROWS = b"\0\0\x60\x60\0\x20\x60\x40"  # of the table of ARS, by the piece
_STILL = const(0x88)  # the point (0, 0)
_FLAT = const(16)  # with a target: the centre column may bar all points but the first
_CENTRE = const(2)  # a box column as a bit


def make_kicks(rules: "Any") -> "Any":
    """Return a class of games by `rules` that turn by the option `kicks`."""

    class KicksGame(rules):  # type: ignore[misc]
        """Play one game with other turns."""

        def enter(self, piece: int) -> None:
            """Generate a Tetrimino; by ARS all but I and O enter with their flat side up (19.4)."""
            system = self.options.kicks
            if system != ARIKA or piece == _I or piece == _O:
                rules.enter(self, piece)
            elif not self.place(piece, SPAWN_X, SPAWN_Y + 1, _SOUTH):
                self.end(BLOCK_OUT)
            else:
                self.events |= events.GENERATED
                self.statistics.enter()
                self.appear()
            if system == ARIKA:
                self.statistics.straight = 0  # the table of presses is that of SRS

        def turn(self, clockwise: int) -> int:
            """Turn the Tetrimino; return the point that worked, 1..5, or 0 if all failed."""
            system = self.options.kicks
            piece = self.piece
            if not system or piece == _O or system == SRS_PLUS and piece != _I:
                return rules.turn(self, clockwise)
            if system == SRS_PLUS:
                table = SRS_PLUS_I
                at = self.facing * 12 + clockwise * 6
            elif system == ARIKA:
                table = ARS
                at = _ROWS[piece] + self.facing * 8 + clockwise * 4
            else:
                table = bytes((self.facing + 2 * clockwise - 1 & 3, _STILL))
                at = 0
            target = table[at]
            at += 1
            tried = _TRIED[system]
            masks = self.matrix.masks
            shape = piece * 16 - 16 + (target & 3) * 4
            for point in range(tried):
                kick = table[at + point]
                x = self.x + (kick >> 4) - 5  # - 8 of the table, + 3 of the mask
                y = self.y + (kick & 15) - 8
                met = 0  # the first cells from above that meet a Block
                for row in range(3, -1, -1):
                    met = met or SHAPES[shape + row] & masks[y + row] >> x
                if not met:
                    fifth = self.point_5_used or point == 4  # type: ignore[has-type]  # the base is not known before
                    self.place(piece, x - 3, y, target & 3)
                    self.turned_last = True
                    self.point_5_used = fifth
                    return point + 1
                if target & _FLAT and met & -met == _CENTRE:
                    return 0  # the centre column rule
                target &= 3  # it counts for the first point only
            return 0

        def turn_half(self) -> int:
            """Turn by 180 degrees as SRS+ does; ARS and NONE have no such turn."""
            return rules.turn_half(self) if self.options.kicks == SRS_PLUS else 0

    return KicksGame
