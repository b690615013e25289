"""Deal against the player: always the piece that fits the Matrix worst, in an endless Marathon.

The option `aim` is the strength: 1 nothing but S and Z, 2 the worst piece next, 3 the worst of two
pieces, as far as one fall leaves time to look. There is nothing in the Next Queue, for every piece
is chosen when it comes, by the Matrix as it lies.
"""

from firmware.compat import const
from firmware.engine.mode import Mode
from firmware.engine.phases import GENERATION
from firmware.engine.profiles import FACINGS, PROFILES
from firmware.engine.tables import FALL_US
from firmware.modes.marathon import Marathon

_S = const(5)
_Z = const(7)
_WIDTH = const(10)
_SOLID = const(0xFFFF)
_ROWS = const(40)
_HIGHEST = const(20)
_BYTES = const(10)  # of the profile of a facing
_PIECE_BYTES = const(40)
_PIECES_BYTES = const(280)
_LOOK_US = const(50_000)  # what looking at all places of all pieces takes an RP2040
_LOOKS = const(2)  # pieces that are looked at more closely
_NEVER = const(-9999)


class Nothing:
    """Deal nothing into the Next Queue; `order` and `left` are what a saved game keeps of a Bag."""

    def __init__(self) -> None:
        self.order = bytearray(7)
        self.left = 0

    def deal(self) -> int:
        """Return that there is no Tetrimino yet."""
        return 0


class Worst(Marathon):
    """Choose each piece by how well its best place serves the player: the one it serves least.

    What is done between two frames is what need not be done when the piece is wanted: the choice
    is the same however it was sliced.
    """

    def __init__(self) -> None:
        # Of the facing that is looked at: for each column as in its profile, and the masks of its rows in the Matrix.
        self.low = bytearray(4)
        self.high = bytearray(4)
        self.rows = [0] * 4
        self.heights = bytearray(_WIDTH)
        self.masks = [0] * (_ROWS + 4)
        self.saved = [0] * 8
        self.best = [0] * 7  # of each piece: how well its best place serves the player
        self.second = [0] * 7  # the same of what follows
        self.place = bytearray(14)  # number of the profile and column of that best place
        self.version = -1
        # A frame must not make room for an attribute.
        self.worst = self.candidate = self.at = self.turn = self.total = self.looks = self.spent = self.row = 0
        self.strength = 0
        self.done = True

    def begin(self, game) -> None:
        """Take the place of the Bag."""
        Marathon.begin(self, game)
        game.dealer = Nothing()
        self.strength = min(game.options.aim or 2, 3)
        # Time for think(): a look at the Matrix, ten frames for the worst piece, thirteen for the worst of two.
        pause_ms = (0, 0, 200, 420)[self.strength]
        if game.options.generation_ms < pause_ms:
            game.options.generation_ms = pause_ms

    def think(self, game) -> None:
        """Look at some facings while nothing falls: at none in the frame of a Lock Down, which is busy enough."""
        if game.phase == GENERATION and self.strength > 1:
            if self.version != game.matrix.version:
                self.prepare(game)
                return
            # At first the picture still moves.
            for _ in range(2 if self.candidate < 0 else 3):
                if not self.done:
                    self.step()

    def pick(self, game) -> int:
        """Return the Tetrimino that comes next."""
        if self.strength == 1:
            return _Z if game.random.below(2) else _S
        if self.version != game.matrix.version:
            self.prepare(game)
        while not self.done:
            self.step()
        return self.worst

    def prepare(self, game) -> None:
        """Look at the Matrix and begin to choose."""
        matrix = game.matrix
        self.version = matrix.version
        heights = self.heights
        for x in range(_WIDTH):
            heights[x] = 0
        seen = 0
        for y in range(_ROWS - 1, -1, -1):
            mask = self.masks[y] = matrix.masks[y]
            new = mask >> 3 & 1023 & ~seen
            if new:
                seen |= new
                for x in range(_WIDTH):
                    if new >> x & 1:
                        heights[x] = y + 1
        # Equals take turns.
        self.turn = game.random.below(7)
        self.at = 0
        self.candidate = -1
        self.total = -_NEVER
        self.done = False
        # How many pieces are looked at more closely: never longer than one falls.
        self.looks = 0
        if self.strength > 2 and game.level <= len(FALL_US):
            self.looks = min(FALL_US[game.level - 1] * _HIGHEST // _LOOK_US - 1, _LOOKS)
        self.spent = 0
        self.forget(self.best)

    def forget(self, worths: list) -> None:
        """Begin a comparison."""
        for piece in range(7):
            worths[piece] = _NEVER

    def step(self) -> None:
        """Look at all places of one facing; after the last one, at the next candidate."""
        candidate = self.candidate
        best = self.best if candidate < 0 else self.second
        at = self.at
        piece = at // _PIECE_BYTES
        width = PROFILES[at + 1]
        for i in range(4):
            self.low[i] = PROFILES[at + 2 + i] & 15
            self.high[i] = PROFILES[at + 2 + i] >> 4
            self.rows[i] = PROFILES[at + 6 + i] << 3
        for x in range(_WIDTH + 1 - width):
            worth = self.judge(width, x)
            if worth > best[piece]:
                best[piece] = worth
                if candidate < 0:
                    self.place[2 * piece] = at // _BYTES
                    self.place[2 * piece + 1] = x
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
            self.lift()
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
        self.put()

    def least(self, worths: list) -> int:
        """Return the piece, 0 to 6, of the least worth; equals take turns."""
        found = self.turn
        for i in range(7):
            piece = (self.turn + i) % 7
            if worths[piece] < worths[found]:
                found = piece
        return found

    def land(self, at: int, x: int) -> int:
        """Return the row where the lowest Mino of a drop comes to lie."""
        profiles = PROFILES
        y = 0
        for i in range(profiles[at + 1]):
            height = self.heights[x + i] - (profiles[at + 2 + i] & 15)
            if height > y:
                y = height
        return y

    def judge(self, width: int, x: int) -> int:
        """Return how well a drop of what step() looks at serves the player: few holes, low and level, full rows."""
        low = self.low
        high = self.high
        heights = self.heights
        y = 0
        for i in range(width):
            height = heights[x + i] - low[i]
            if height > y:
                y = height
        # 20 for each cell left empty below, 1 for each row that a column grows to, 2 for each row of a step beside it.
        worth = -4 * y - 20 * y * width
        before = after = heights[x - 1] if x else -1
        for i in range(width):
            height = heights[x + i]
            top = y + high[i]
            worth += 20 * (height - low[i]) - top
            if after >= 0:
                worth += 2 * (abs(height - before) - abs(top - after))
            before = height
            after = top
        if x + width < _WIDTH:
            worth += 2 * (abs(heights[x + width] - before) - abs(heights[x + width] - after))
        if top > _HIGHEST:
            worth -= 400
        masks = self.masks
        for row in self.rows:
            if row and masks[y] | row << x == _SOLID:
                worth += 40
            y += 1
        return worth

    def put(self) -> None:
        """Let the candidate lie in its best place."""
        piece = self.candidate
        at = self.place[2 * piece] * _BYTES
        x = self.place[2 * piece + 1]
        y = self.row = self.land(at, x)
        saved = self.saved
        for i in range(4):
            saved[i] = self.masks[y + i]
            self.masks[y + i] |= PROFILES[at + 6 + i] << x + 3
            if i < PROFILES[at + 1]:
                saved[4 + i] = self.heights[x + i]
                self.heights[x + i] = y + (PROFILES[at + 2 + i] >> 4)

    def lift(self) -> None:
        """Take the candidate away again."""
        piece = self.candidate
        at = self.place[2 * piece] * _BYTES
        x = self.place[2 * piece + 1]
        for i in range(4):
            self.masks[self.row + i] = self.saved[i]
            if i < PROFILES[at + 1]:
                self.heights[x + i] = self.saved[4 + i]


def make_mode(variant: int) -> Mode:
    """Return the mode of this variant."""
    return Worst()
