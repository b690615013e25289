"""Take Tetriminos back and replay them; a running game does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.matrix import EDGE, UNCLEARABLE, WALLS, WIDTH
from firmware.engine.options import NAMES
from firmware.save.recorder import ENTRY_BYTES
from firmware.save.recordings.rewind import HEAD, LAST, MARK, NOTED, NOTED_MS, NUMBER, Rewind
from firmware.save.suspended import SOLID_CELL, walk
from firmware.save.varint import Numbers, write

if TYPE_CHECKING:
    from firmware.contracts import Any, Blob, Game

_NONE = const(-1)


def restore(game: "Game", buffer: "Blob", at: int) -> int:
    """Restore a game from its record in `buffer` at `at`; return where the record ends."""
    game.mode.begin(game)  # the record does not have the mode's own state
    numbers = Numbers(buffer, False, at)
    form = numbers.get()
    numbers.get()  # variant
    numbers.get()  # seed
    numbers.get()  # how many options
    numbers.fields(game.options, NAMES)
    matrix = game.matrix
    was = matrix.top
    walk(game, numbers, form)
    at = numbers.at
    top = matrix.top
    for y in range(top if top > was else was):
        row = matrix.rows[y]
        mask = WALLS
        for x in range(0, WIDTH, 2):
            pair = 0
            if y < top:
                pair = buffer[at]
                at += 1
            row[x] = pair >> 4
            row[x + 1] = pair & 15
            if pair > 15:
                mask |= 1 << x + EDGE
            if pair & 15:
                mask |= 2 << x + EDGE
        if row[WIDTH - 1] == SOLID_CELL:
            row[WIDTH - 1] = row[0]
            mask = UNCLEARABLE
        matrix.masks[y] = mask
    return at


class Steps:
    """Step through the Tetriminos of a paused game recorded by `rewind`.

    The game changes in place. A step leads to the moment when a Tetrimino came into play. number: `lock_downs` of the
    current moment, or -1 before the first step. wanted: `lock_downs` of the last step's target. `cut` forgets
    the Tetriminos that were taken back.
    """

    def __init__(self, rewind: Rewind, game: "Any") -> None:
        self.rewind = rewind
        self.game = game
        self.number = self.wanted = _NONE
        self.group = 0
        self.at = rewind.used
        self.time_ms = 0
        self.noted = self.noted_ms = 0
        self.scratch = bytearray(ENTRY_BYTES)

    def can_go_back(self) -> bool:
        rewind = self.rewind
        return rewind.groups > 0 and rewind.group_heads[NUMBER] < self.game.lock_downs

    def back(self) -> bool:
        """Take back the last locked Tetrimino; return whether there was one."""
        stepped = self.set_out()
        self.arrive()
        return stepped

    def set_out(self) -> bool:
        """Begin a step back and return whether it is possible; `arrive` does the rest in a later frame."""
        self.arrive()
        if not self.can_go_back():
            return False
        rewind = self.rewind
        wanted = self.game.lock_downs - 1
        group = rewind.groups - 1
        while rewind.group_heads[HEAD * group + NUMBER] > wanted:
            group -= 1
        self.enter(group)
        self.wanted = wanted
        return True

    def arrive(self) -> None:
        """Replay the group up to the last step's target."""
        while self.number < self.wanted and self.number < self.last():
            self.run()

    def forward(self) -> bool:
        """Replay the Tetrimino taken back; return whether there was one."""
        rewind = self.rewind
        self.arrive()
        if self.number < 0:
            return False
        if self.number < self.last():
            self.run()
        elif self.group + 1 < rewind.groups:
            self.enter(self.group + 1)
        else:
            return False
        return True

    def enter(self, group: int) -> None:
        """Restore the game at the beginning of a group."""
        rewind = self.rewind
        self.group = group
        group_heads = rewind.group_heads
        at = HEAD * group
        self.at = restore(self.game, rewind.buffer, group_heads[at])
        self.number = self.wanted = group_heads[at + NUMBER]
        self.time_ms = self.game.now_ms
        self.noted = group_heads[at + NOTED]
        self.noted_ms = group_heads[at + NOTED_MS]

    def last(self) -> int:
        """Return the number of the last Tetrimino of the group."""
        return self.rewind.group_heads[HEAD * self.group + LAST]

    def run(self) -> None:
        """Replay one Tetrimino of this group."""
        game = self.game
        numbers = Numbers(self.rewind.buffer, False, self.at)
        while True:
            number = numbers.get()
            self.time_ms += number >> 4
            code = number & 15
            if code == MARK:
                self.number += 1
                self.at = numbers.at
                game.advance(self.time_ms)
                return
            game.input(code & 7, code >> 3, self.time_ms)
            if self.noted >= 0:  # count the bytes that the recorder wrote for this edge
                gap = self.time_ms - self.noted_ms
                self.noted_ms = self.time_ms
                self.noted += write(self.scratch, 0, gap << 4 | code)

    def cut(self) -> None:
        """Continue from here: forget everything after this moment, in the recorder, too."""
        if self.number < 0:
            return
        self.arrive()
        self.rewind.cut(self.group, self.at, self.number, self.time_ms)
        recorder = self.rewind.recorder
        if recorder and 0 <= self.noted < recorder.used:
            recorder.continue_at(self.noted, self.noted_ms)
