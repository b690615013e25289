"""Tell a game by tones (README.md): the figures of Tetriminos, columns, the Surface and the queues.

Only a game whose player has turned this on loads this module.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import events
from firmware.engine.matrix import EDGE, WIDTH
from firmware.engine.phases import GAME_OVER
from firmware.sound.voice import Voice

if TYPE_CHECKING:
    from typing import Any

# For each Tetrimino I J L O S T Z: pairs of a length in units of 8 ms and a note, 1 = C2, ended by 0.
FIGURES = (
    b"\x0e\x2e\x00\x06\x31\x04\x25\x02\x00\x04\x25\x00\x04\x25\x02\x00\x04\x25\x06\x31\x00"
    b"\x06\x29\x02\x00\x06\x29\x00\x06\x22\x08\x29\x00\x04\x25\x04\x2c\x04\x25\x00\x06\x29\x08\x22\x00"
)
STARTS = b"\x00\x03\x0c\x15\x1c\x21\x28"

# In `told`, above the event bits.
SURFACE = const(1 << 25)
QUEUES = const(1 << 26)
COLUMN = const(1 << 27)

ALL = const(2)  # the setting's value
FLOOR_NOTE = const(25)  # C4: an empty column
COLUMN_NOTE = const(37)  # C5: the first column
WALL_NOTE = const(15)  # D3, as the effect of a step that fails
STEP = const(2)  # semitones for a row or a column

_NO_FIGURE = const(2)  # in FIGURES: an end
_GAP = const(8)  # units between two figures
_LONG_GAP = const(20)  # between both queues
_CLICK = const(4)
_WALL = const(3)
_TONE = const(6)
_REST = const(2)
_HALF = const(4)  # the column before the rest in the middle
_WORDS_BYTES = const(80)  # both queues take 76
_MUTED = events.MOVED | events.ROTATED | events.SOFT_DROPPED  # while a new Tetrimino is told

_SILENT_AT = const(2)  # in NOTES: the end of an effect
_NOTHING = const(0)
_ENTRY = const(1)
_MOVE = const(2)
_REPORT = const(3)


class Ear(Voice):
    """Play effects and music as Voice does, and tell the game of a scene.

    told: what was told since its last reader set it to 0: event bits and those above. words, word, end: the tones to
    come, as pairs. topic: what they tell. is_word: whether one of them sounds. asks: a Listening, or None.
    turn: counts the requests for one Tetrimino.
    """

    def __init__(self, scene: "Any") -> None:
        context = scene.context
        plain: "Any" = context.voice
        self.plain = plain
        settings = context.settings
        Voice.__init__(self, plain.buzzer)
        self.scene = scene
        self.is_all = settings.by_ear >= ALL
        mapping: "Any" = context.mapping
        self.asks = mapping if hasattr(mapping, "asked") else None
        self.asked = mapping.asked if self.asks else 0
        self.volume = settings.effects_volume
        self.words = bytearray(_WORDS_BYTES)
        self.word = self.end = self.topic = self.turn = self.told = 0
        self.is_word = False
        self.last_ms = plain.last_ms
        self.soft_ms = plain.soft_ms
        self.adopt_volumes()
        if not self.is_all:
            self.tune = plain.tune
            self.tune_at = plain.tune_at
            self.playing = plain.playing
        plain.stop_tune()

    def adopt_volumes(self) -> None:
        """Take over the volumes of the handheld's voice."""
        self.music_volume = self.plain.music_volume
        self.effects_volume = self.plain.effects_volume

    # -- what happens ------------------------------------------------------------------------

    def tell(self, happened: int, now_ms: int) -> None:
        """Sound event bits as Voice does, and tell what they mean for this game."""
        if not happened:
            return
        game = self.scene.game
        if self.is_all:
            self.told |= happened
        if happened & (events.LOCKED | events.GAME_OVER):
            self.hush()
        if happened & events.GENERATED and game.piece:
            happened -= events.GENERATED
            self.turn = 0
            self.introduce(game)
        elif self.topic == _ENTRY:
            if self.is_all and happened & events.MOVED and self.is_blocked(game):
                happened |= events.MOVE_FAILED
                self.told |= events.MOVE_FAILED
            happened &= ~_MUTED
        elif self.is_all and happened & (events.MOVED | events.ROTATED) and game.piece:
            happened &= ~events.MOVED
            self.say_column(game)
        Voice.tell(self, happened, now_ms)

    def begin(self, happened: int) -> None:
        """Start an effect; a tone that it interrupts comes again."""
        if self.is_word:
            self.is_word = False
            self.word -= 2
        Voice.begin(self, happened)

    def introduce(self, game: "Any") -> None:
        """Tell the next Tetrimino, and before it the one in play if all is told."""
        self.start(_ENTRY)
        if self.priority:
            self.add(_GAP, 0)  # apart from the effect that sounds now
        if self.is_all:
            self.add_figure(game.piece)
            self.add(_GAP, 0)
        self.add_figure(game.next[0])

    def say_column(self, game: "Any") -> None:
        """Tell the leftmost column of the Tetrimino in play, and the wall or Blocks beside it."""
        self.told |= COLUMN
        self.start(_MOVE)
        self.add(_CLICK, COLUMN_NOTE + STEP * find_column(game))
        if self.is_blocked(game):
            self.told |= events.MOVE_FAILED
            self.add(_WALL, WALL_NOTE)

    def is_blocked(self, game: "Any") -> bool:
        """Return whether the Tetrimino in play cannot go on in the direction that is held."""
        step = game.shift_step
        if not step or not game.piece:
            return False
        masks = game.matrix.masks
        y = game.y
        away = 2 if step > 0 else 0  # the rows move against the Tetrimino: by 1 to the left, then by this to the right
        taken = masks[y] << 1 >> away & game.a | masks[y + 1] << 1 >> away & game.b
        taken |= masks[y + 2] << 1 >> away & game.c | masks[y + 3] << 1 >> away & game.d
        return taken > 0

    # -- what the player asks for ------------------------------------------------------------

    def answer(self) -> None:
        """Tell the Surface, and at the next request for this Tetrimino the queues."""
        game = self.scene.game
        if game.phase == GAME_OVER:
            return
        self.start(_REPORT)
        if self.turn & 1:
            self.told |= QUEUES
            if game.hold:
                self.add_figure(game.hold)
                self.add(_LONG_GAP, 0)
            for i in range(game.options.next_count):
                if game.next[i]:
                    self.add_figure(game.next[i])
                    self.add(_GAP, 0)
        else:
            self.told |= SURFACE
            for x in range(WIDTH):
                self.add(_TONE, FLOOR_NOTE + STEP * find_height(game.matrix, x))
                self.add(_REST + _TONE if x == _HALF else _REST, 0)
        self.turn += 1

    # -- tones -------------------------------------------------------------------------------

    def start(self, topic: int) -> None:
        """Forget the tones to come; those of `topic` follow."""
        if self.is_word:
            self.is_word = False
            self.priority = self.left_ms = 0
        self.topic = topic
        self.word = self.end = 0

    def hush(self) -> None:
        """Forget the tones to come, and end the one that sounds."""
        self.start(_NOTHING)

    def add(self, units: int, note: int) -> None:
        """Append a tone, or a rest."""
        self.words[self.end] = units
        self.words[self.end + 1] = note
        self.end += 2

    def add_figure(self, piece: int) -> None:
        """Append the figure of a Tetrimino."""
        at = STARTS[piece - 1] if piece else _NO_FIGURE
        while FIGURES[at]:
            self.add(FIGURES[at], FIGURES[at + 1])
            at += 2

    def update(self, now_ms: int) -> None:
        """Advance to what is due at `now_ms`; tones of the game sound while no effect does."""
        if self.asks and self.asks.asked != self.asked:
            self.asked = self.asks.asked
            if self.scene.is_playing():
                self.answer()
        Voice.update(self, now_ms)
        if self.priority:
            return
        self.is_word = False
        if self.word < self.end:
            self.priority = events.MOVED  # music keeps time below it, and any effect interrupts it
            self.phrase = 0
            self.at = _SILENT_AT
            self.left_ms += self.words[self.word] << 3
            self.is_word = True
            self.sound(self.words[self.word + 1], self.volume)
            self.word += 2
        else:
            self.topic = _NOTHING

    # -- pauses ------------------------------------------------------------------------------

    def silence(self) -> None:
        self.hush()
        Voice.silence(self)

    def resume_tune(self) -> None:
        """Continue after a pause with the volumes set there; tell again what is in play."""
        self.adopt_volumes()
        Voice.resume_tune(self)
        game = self.scene.game
        if game.piece:
            self.told |= events.GENERATED if self.is_all else 0
            self.introduce(game)


def find_column(game: "Any") -> int:
    """Return the column of the leftmost Mino in play."""
    minos = (game.a | game.b | game.c | game.d) >> EDGE
    column = 0
    while not minos >> column & 1:
        column += 1
    return column


def find_height(matrix: "Any", x: int) -> int:
    """Return the height of column `x`: the row above its highest Block."""
    y: int = matrix.top
    while y and not matrix.masks[y - 1] >> x + EDGE & 1:
        y -= 1
    return y
