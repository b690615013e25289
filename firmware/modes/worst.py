"""Deal against the player: always the piece that fits the Matrix worst, in an endless Marathon.

The option `aim` is the strength. 1 deals only S and Z, 2 the worst piece next, 3 the worst of two pieces, as far as one
fall leaves time to search. The Next Queue is empty, because each piece is chosen when it comes, by the current Matrix.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.mode import Mode
from firmware.engine.phases import GENERATION
from firmware.engine.profiles import FACINGS
from firmware.engine.tables import FALL_US
from firmware.modes.marathon import Marathon
from firmware.players.rating import PlacementEvaluator

if TYPE_CHECKING:
    from firmware.contracts import Game

_S = const(5)
_Z = const(7)
_HIGHEST = const(20)
_BYTES = const(10)  # of the profile of a facing
_PIECE_BYTES = const(40)
_PIECES_BYTES = const(280)
_LOOK_US = const(65_000)  # cost of a search of all places of all pieces on an RP2040
_LOOKS = const(2)  # pieces that are searched more closely
_NEVER = const(-(1 << 28))
_ANY_HOLES = const(40)
_AT_ONCE = const(9999)  # more thought than a facing takes
_LINE = const(120)


class Nothing:
    """Deal nothing into the Next Queue; a saved game keeps `order` and `left` of a Bag."""

    def __init__(self) -> None:
        self.order = bytearray(7)
        self.left = 0

    def deal(self) -> int:
        """Return 0: there is no Tetrimino yet."""
        return 0


class Eye(PlacementEvaluator):
    """Find the best place of a piece."""

    def __init__(self) -> None:
        PlacementEvaluator.__init__(self)
        self.most_holes = _ANY_HOLES
        self.place = 0

    def look(self, at: int) -> None:
        """Search all drops of one facing; remember the best one if it beats all before."""
        self.at = at
        self.beyond = at + _BYTES
        self.spots = self.fit(at)
        self.sweep(_AT_ONCE)

    def offer_place(self, value: int, at: int, x: int, y: int, way: int) -> None:
        """Remember a place: the number of its profile, its column and its row."""
        self.least = value
        self.place = at // _BYTES | x << 5 | y << 9

    def reward(self, lines: int, spin: bool) -> int:
        """Return the value of full rows to a player who survives."""
        return _LINE * lines

    def put(self, place: int) -> None:
        """Put a piece into a place, and search what follows."""
        ground = self.ground
        spare = self.spare
        spare.fill(place % 32 * _BYTES, place >> 5 & 15, place >> 9, ground.rows, 0, ground.top, ground.cells)
        self.measure_ground(spare)
        self.ground = spare
        self.spare = ground


class Worst(Marathon):
    """Choose the piece whose best place serves the player least.

    Work done between frames is missing when the piece is wanted: the choice does not depend on the slices.
    """

    def __init__(self) -> None:
        self.eye = Eye()
        self.before = self.eye.ground
        self.best = [0] * 7  # of each piece: how well its best place serves the player
        self.second = [0] * 7  # the same for the piece that follows
        self.places = [0] * 7
        self.version = -1
        # A frame must not make room for an attribute.
        self.worst = self.candidate = self.at = self.turn = self.total = self.looks = self.spent = 0
        self.strength = 0
        self.done = True

    def begin(self, game: "Game") -> None:
        """Replace the Bag."""
        Marathon.begin(self, game)
        game.dealer = Nothing()
        self.version = -1
        self.strength = min(game.options.aim or 2, 3)
        # Time for think(): one search of the Matrix, ten frames for the worst piece, twenty for the worst of two.
        pause_ms = (0, 0, 200, 550)[self.strength]
        if game.options.generation_ms < pause_ms:
            game.options.generation_ms = pause_ms

    def think(self, game: "Game") -> None:
        """Search some facings while nothing falls, but none in the busy frame of a Lock Down."""
        if game.phase == GENERATION and self.strength > 1:
            if self.version != game.matrix.version:
                self.prepare(game)
                return
            candidate = self.candidate
            for _ in range(2):
                if not self.done and self.candidate == candidate:  # searching the next one is enough work
                    self.step()

    def pick(self, game: "Game") -> int:
        """Return the Tetrimino that comes next."""
        if self.strength == 1:
            return _Z if game.random.below(2) else _S
        if game.piece:
            return game.piece  # it goes into an empty Hold Queue, and nothing has changed since the choice
        if self.version != game.matrix.version:
            self.prepare(game)
        while not self.done:
            self.step()
        return self.worst

    def prepare(self, game: "Game") -> None:
        """Look at the Matrix and begin to choose."""
        self.version = game.matrix.version
        eye = self.eye
        eye.ground.see(game.matrix)
        eye.measure_ground(eye.ground)
        # Equals take turns.
        self.turn = game.random.below(7)
        self.at = 0
        self.candidate = -1
        self.total = -_NEVER
        self.done = False
        # How many pieces are searched more closely: never longer than one falls.
        self.looks = 0
        if self.strength > 2 and game.level <= len(FALL_US):
            self.looks = min(FALL_US[game.level - 1] * _HIGHEST // _LOOK_US - 1, _LOOKS)
        self.spent = 0
        self.forget(self.best)

    def forget(self, worths: list[int]) -> None:
        """Begin a comparison."""
        for piece in range(7):
            worths[piece] = _NEVER

    def step(self) -> None:
        """Search all places of one facing; after the last one, the next candidate."""
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
        if at < _PIECES_BYTES:
            return
        self.at = 0
        if candidate < 0:
            self.worst = 1 + self.least(best)
        else:
            eye.spare = eye.ground
            eye.ground = self.before
            total = self.best[candidate] + best[self.least(best)]
            if total < self.total:
                self.total = total
                self.worst = 1 + candidate
            self.best[candidate] = -_NEVER
        if self.looks <= 0:
            self.done = True
            return
        self.looks -= 1
        self.spent += 1
        self.candidate = self.least(self.best)
        self.forget(self.second)
        self.before = eye.ground
        eye.put(self.places[self.candidate])

    def least(self, worths: list[int]) -> int:
        """Return the piece, 0 to 6, of the least value; equals take turns."""
        found = self.turn
        for i in range(7):
            piece = (self.turn + i) % 7
            if worths[piece] < worths[found]:
                found = piece
        return found


def make_mode(variant: int) -> Mode:
    """Return the mode of this variant."""
    return Worst()
