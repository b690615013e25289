"""Record a game so that rewind_steps.py can take its Tetriminos back.

The buffer holds groups, the oldest first. A group begins with a record of firmware/save/suspended.py, made when a
Tetrimino came into play. The edges since then follow, as in a recording. A mark, written like a released PAUSE, shows
when the next Tetrimino came into play. A group ends when replaying it would take a board about 10 ms.

`group_heads` has HEAD numbers for each group: its start in the buffer, then at NUMBER and LAST the `lock_downs` when
its first and last Tetrimino came into play. NOTED and NOTED_MS are the recorder's `used` (-1 if full or absent) and
`last_ms` at the group's beginning.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.save.recorder import ENTRY_BYTES
from firmware.save.varint import write

if TYPE_CHECKING:
    from firmware.contracts import Any, Buffer, Callable, Game, Recorder

MARK = const(7)

HEAD = const(5)
NUMBER = const(1)
LAST = const(2)
NOTED = const(3)
NOTED_MS = const(4)

_GROUP_BYTES = const(190)  # most groups take at least this
_WEIGHT = const(12)  # a Tetrimino begins a new group after 12 edges and marks: replaying them takes a board 10 ms
_LONGEST_GAP_MS = const((1 << 25) - 1)


class Rewind:
    """Replace the recorder of a game in play: keep edges and pass them on to `recorder`, unless None.

    groups: how many there are, at most len(group_heads) // HEAD. number: `lock_downs` when the last recorded Tetrimino
    came into play, -1 before the first.
    """

    def __init__(
        self,
        recorder: "Recorder | None",
        pack: "Callable[[Game, int, Buffer], int]",
        variant: int,
        payload: "Buffer",
        buffer: "Buffer",
    ) -> None:
        """Record games of `variant` in `buffer`; `pack` is suspended.pack, and `payload` has room for its output."""
        self.recorder: "Any" = recorder
        self.pack = pack
        self.variant = variant
        self.payload = payload
        self.buffer = memoryview(buffer)
        self.group_heads = [0] * (HEAD * (len(buffer) // _GROUP_BYTES))
        self.last_ms = self.weight = 0
        self.clear()

    def clear(self) -> None:
        self.groups = self.used = 0
        self.number = -1

    def record_edge(self, button: int, pressed: int, time_ms: int) -> None:
        if self.recorder:
            self.recorder.record_edge(button, pressed, time_ms)
        self.write_entry(time_ms, 8 * pressed + button)

    def note_change(self, name: str, value: int) -> None:
        """Record an option's new value; the next Tetrimino begins a group, whose record includes the value."""
        if self.recorder:
            self.recorder.note_change(name, value)
        self.weight = _WEIGHT

    def write_entry(self, time_ms: int, code: int) -> None:
        """Write an edge or a mark; drop the oldest groups to make room, and write nothing if no group is left."""
        gap = time_ms - self.last_ms
        while self.groups and (self.used + ENTRY_BYTES > len(self.buffer) or gap > _LONGEST_GAP_MS):
            self.drop()
        if not self.groups:
            return
        self.used = write(self.buffer, self.used, gap << 4 | code)
        self.last_ms = time_ms
        self.weight += 1

    def drop(self) -> None:
        """Forget the oldest group."""
        group_heads = self.group_heads
        self.groups -= 1
        start = group_heads[HEAD] if self.groups else self.used
        self.used -= start
        self.buffer[: self.used] = self.buffer[start : start + self.used]
        for i in range(HEAD * self.groups):
            group_heads[i] = group_heads[i + HEAD] - (0 if i % HEAD else start)

    def step(self, game: "Game") -> None:
        """Record a Tetrimino that has come into play.

        Call this after every advance and before the next edge, if the game's `lock_downs` is not `number`.
        """
        number = game.lock_downs
        follows = number == self.number + 1
        self.number = number
        group_heads = self.group_heads
        if self.groups and follows and self.weight < _WEIGHT:
            self.write_entry(game.now_ms, MARK)
            if self.groups:
                group_heads[HEAD * (self.groups - 1) + LAST] = number
                return
        length = self.pack(game, self.variant, self.payload)
        while self.groups and (HEAD * self.groups == len(group_heads) or self.used + length > len(self.buffer)):
            self.drop()
        used = self.used
        at = HEAD * self.groups
        group_heads[at] = used
        group_heads[at + NUMBER] = group_heads[at + LAST] = number
        recorder = self.recorder
        group_heads[at + NOTED] = recorder.used if recorder and not recorder.full else -1
        group_heads[at + NOTED_MS] = recorder.last_ms if recorder else 0
        self.groups += 1
        self.used = used + length
        self.buffer[used : self.used] = self.payload[:length]
        self.last_ms = game.now_ms
        self.weight = 0

    def cut(self, group: int, used: int, number: int, time_ms: int) -> None:
        """Forget everything after Tetrimino `number` of a group; keep the first `used` bytes of the buffer."""
        self.groups = group + 1
        self.used = used
        self.last_ms = time_ms
        self.number = self.group_heads[HEAD * group + LAST] = number
        self.weight = _WEIGHT  # the next Tetrimino begins a group
