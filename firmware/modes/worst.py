"""Deal the piece that fits the Matrix worst, in a Marathon.

The option `aim` is the strength: 1 deals only S and Z, 2 the worst next piece. 3 deals the worst next two pieces, if a
fall lasts long enough for the search. The Next Queue is empty: each piece is chosen for the Matrix that it enters.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.mode import Mode
from firmware.engine.phases import GENERATION
from firmware.engine.profiles import FACINGS
from firmware.engine.tables import FALL_US
from firmware.modes.marathon import Marathon
from firmware.players.features import ANY_HOLES
from firmware.players.rating import PlacementEvaluator

if TYPE_CHECKING:
    from firmware.contracts import Game

_S = const(5)
_Z = const(7)
_HIGHEST = const(20)
_BYTES = const(10)  # profile of one facing
_PIECE_BYTES = const(40)  # profiles of one piece
_PIECES_BYTES = const(280)  # profiles of all pieces
_LOOK_US = const(65_000)  # an RP2040 takes this long to search all places of all pieces
_LOOKS = const(2)  # most pieces for which the piece after them is searched
_NEVER = const(-(1 << 28))
_AT_ONCE = const(9999)  # more steps than the search of a facing takes
_LINE = const(120)  # value of a full row to the player


class Nothing:
    """Leave the Next Queue empty. Saves need `order` and `left`, as a Bag has them."""

    def __init__(self) -> None:
        self.order = bytearray(7)
        self.left = 0

    def deal(self) -> int:
        """Return 0: no Tetrimino is chosen yet."""
        return 0


class Eye(PlacementEvaluator):
    """Find the best place of a piece, for the player."""

    def __init__(self) -> None:
        PlacementEvaluator.__init__(self)
        self.most_holes = ANY_HOLES
        self.place = 0

    def look(self, at: int) -> None:
        """Search all drops of the facing whose profile is at `at`; keep the best place if it beats all before."""
        self.at = at
        self.beyond = at + _BYTES
        self.spots = self.fit(at)
        self.sweep(_AT_ONCE)

    def offer_place(self, value: int, at: int, x: int, y: int, way: int) -> None:
        """Keep a place: the number of its profile, its column and its row."""
        self.least = value
        self.place = at // _BYTES | x << 5 | y << 9

    def reward(self, lines: int, spin: bool) -> int:
        """Return the value of full rows to the player."""
        return _LINE * lines

    def put(self, place: int) -> None:
        """Put a piece into a place; from now on search the resulting Matrix."""
        ground = self.ground
        spare = self.spare
        spare.fill(place % 32 * _BYTES, place >> 5 & 15, place >> 9, ground.rows, 0, ground.top, ground.cells)
        self.measure_ground(spare)
        self.ground = spare
        self.spare = ground


class Worst(Marathon):
    """Choose the piece whose best place is worth least to the player.

    `think` searches in spare time, and `pick` does the rest of the search. So the choice does not depend on timing.
    """

    def __init__(self) -> None:
        self.eye = Eye()
        self.before = self.eye.ground
        self.best = [0] * 7  # the value of each piece's best place
        self.second = [0] * 7  # the same for the piece after the candidate
        self.places = [0] * 7
        self.version = -1
        # Made here: a new attribute would allocate in a frame.
        self.worst = self.candidate = self.at = self.turn = self.total = self.looks = self.spent = 0
        self.strength = 0
        self.done = True

    def begin(self, game: "Game") -> None:
        """Replace the Bag, and lengthen the generation delay to leave time for the search."""
        Marathon.begin(self, game)
        game.dealer = Nothing()
        self.version = -1
        self.strength = min(game.options.aim or 2, 3)
        # Time for `think` by strength.
        pause_ms = (0, 0, 200, 550)[self.strength]
        if game.options.generation_ms < pause_ms:
            game.options.generation_ms = pause_ms

    def think(self, game: "Game") -> None:
        """Search some facings while no Tetrimino falls; only prepare in the busy frame of a Lock Down."""
        if game.phase == GENERATION and self.strength > 1:
            if self.version != game.matrix.version:
                self.prepare(game)
                return
            candidate = self.candidate
            for _ in range(2):
                if not self.done and self.candidate == candidate:  # changing the candidate fills a frame
                    self.step()

    def pick(self, game: "Game") -> int:
        """Return the next Tetrimino; finish the search first."""
        if self.strength == 1:
            return _Z if game.random.below(2) else _S
        if game.piece:
            return game.piece  # Hold was empty: the Matrix is the same, so the worst piece is, too
        if self.version != game.matrix.version:
            self.prepare(game)
        while not self.done:
            self.step()
        return self.worst

    def prepare(self, game: "Game") -> None:
        """Read the Matrix and begin the search."""
        self.version = game.matrix.version
        eye = self.eye
        eye.ground.see(game.matrix)
        eye.measure_ground(eye.ground)
        # Random, so that equally bad pieces take turns.
        self.turn = game.random.below(7)
        self.at = 0
        self.candidate = -1
        self.total = -_NEVER
        self.done = False
        # Only as many pieces as can be searched while one falls.
        self.looks = 0
        if self.strength > 2 and game.level <= len(FALL_US):
            self.looks = min(FALL_US[game.level - 1] * _HIGHEST // _LOOK_US - 1, _LOOKS)
        self.spent = 0
        self.forget(self.best)

    def forget(self, worths: list[int]) -> None:
        """Set all values to the lowest."""
        for piece in range(7):
            worths[piece] = _NEVER

    def step(self) -> None:
        """Search all places of one facing; after the last facing of all pieces, `choose`."""
        candidate = self.candidate
        best = self.best if candidate < 0 else self.second
        at = self.at
        piece = at // _PIECE_BYTES
        eye = self.eye
        eye.least = best[piece]
        eye.look(at)
        if eye.least > best[piece]:
            best[piece] = eye.least
            if candidate < 0:
                self.places[piece] = eye.place
        at += _BYTES
        if at == piece * _PIECE_BYTES + FACINGS[piece] * _BYTES:
            at = (piece + 1) * _PIECE_BYTES
        self.at = at
        if at == _PIECES_BYTES:
            self.at = 0
            self.choose(best)

    def choose(self, best: list[int]) -> None:
        """Choose the piece whose best place is worth least, then look behind the next candidate, if time allows."""
        candidate = self.candidate
        eye = self.eye
        if candidate < 0:
            self.worst = 1 + self.find_least(best)
        else:
            eye.spare = eye.ground
            eye.ground = self.before
            total = self.best[candidate] + best[self.find_least(best)]
            if total < self.total:
                self.total = total
                self.worst = 1 + candidate
            self.best[candidate] = -_NEVER
        if self.looks <= 0:
            self.done = True
            return
        self.looks -= 1
        self.spent += 1
        self.candidate = self.find_least(self.best)
        self.forget(self.second)
        self.before = eye.ground
        eye.put(self.places[self.candidate])

    def find_least(self, worths: list[int]) -> int:
        """Return the piece, 0 to 6, with the least value; of equals, the first from `turn` on."""
        found = self.turn
        for i in range(7):
            piece = (self.turn + i) % 7
            if worths[piece] < worths[found]:
                found = piece
        return found


def make_mode(variant: int) -> Mode:
    return Worst()
