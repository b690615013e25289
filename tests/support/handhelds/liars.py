"""A liar in a ring of devices: it sees all that its neighbour behind sends, and decides what the next one hears."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from firmware.link.members import LIED, LOST
from firmware.link.ring import BEAT, HEAD, PLAY
from tests.support.handhelds.ring_harness import RingHarness, Side

Rewrite = Callable[["Liar", bytearray], Iterable[bytes | bytearray]]
WAIT_MS = 150_000  # longer than each patience of the link together
LIE_MS = 2_000


class Liar:
    """Send what `rewrite` makes of each frame that this device sends or passes on, once `lying`.

    last: the last play or beat of each player. plays: the plays of each player.
    """

    def __init__(self, ring: RingHarness, place: int, rewrite: Rewrite) -> None:
        self.ring = ring
        self.side = ring.sides[place]
        self.rewrite = rewrite
        self.lying = False
        self.last: dict[int, bytes] = {}
        self.plays: dict[int, list[bytes]] = {}
        self.chance = random.Random(place)
        self.told = 0
        self.side.wire.tap = self.send

    @property
    def me(self) -> int:
        return int(self.side.match.me)

    @property
    def time_ms(self) -> int:
        return int(self.side.match.time_ms)

    @property
    def others(self) -> list[int]:
        """The players after the liar, in the order of the ring: what the first hears, it passes on to the rest."""
        count = len(self.ring.sides)
        place = self.ring.sides.index(self.side)
        return [self.ring.sides[(place + more) % count].match.me for more in range(1, count)]

    def send(self, frame: bytearray, length: int) -> bool:
        kept = bytearray(frame[:length])
        if kept[0] >> 4 in (PLAY, BEAT):
            player = kept[3] >> 4
            self.last[player] = bytes(kept)
            if kept[0] >> 4 == PLAY:
                self.plays.setdefault(player, []).append(bytes(kept))
        for changed in self.rewrite(self, kept) if self.lying else [kept]:
            self.say(changed)
        return True

    def say(self, frame: bytes | bytearray) -> None:
        """Send a frame without a change, as the device itself would."""
        self.side.wire.send_on(bytearray(frame) + bytearray(2), len(frame))

    def forge(self, player: int, kind: int, events: bytes = b"", state: int | None = None, more: int = 0) -> bytes:
        """Return a frame in a player's name that follows its last one; the seal is that one's, a serial later."""
        last = bytearray(self.last[player])
        seal = last[-self.side.session.ring.seals.bytes :]
        seal[0] = seal[0] + 1 & 255
        if last[0] >> 4 == PLAY:
            last[4] = last[4] + 1 & 255
        last[0] = kind << 4
        last[3] &= 0xF0
        last[4] = last[4] + more & 255
        if state is not None:
            last[5] = state << 5 | last[5] & 31
        return bytes(last[:HEAD]) + events + seal


def arrange(count: int, order: Iterable[int], seed: int = 1, **rules: Any) -> RingHarness:
    """Return a ring whose devices have the player numbers `order`, before the lobby."""
    ring = RingHarness(count, seed, **rules)
    for side, number in zip(ring.sides, order, strict=True):
        side.number = 1000 + number
        side.enter(0)
    return ring


def play_out(ring: RingHarness, liar: Liar, lie_ms: int = LIE_MS) -> dict[Side, tuple[int, int]]:
    """Let the honest players top out one after the other; return the results that they showed, by device."""
    ring.run(lambda: all(side.session and side.match.time_ms > 300 for side in ring.sides), 60_000)
    honest = [side for side in ring.sides if side is not liar.side]
    shown: dict[Side, tuple[int, int]] = {}

    def is_done() -> bool:
        for side in honest:
            if side.session.is_settled() and side not in shown:
                shown[side] = (side.match.ends_ms, side.match.winner)
        return all(side in shown or side.session.state in (LOST, LIED) for side in honest)

    liar.lying = True
    start_ms = ring.now_ms
    ring.run(lambda: is_done() or ring.now_ms > start_ms + lie_ms, WAIT_MS)
    for side in ring.sides:
        if side is not honest[0]:
            side.drop_all()
    end_ms = ring.now_ms + WAIT_MS
    ring.run(lambda: is_done() or ring.now_ms > end_ms, WAIT_MS + 1000)
    check(honest, shown)
    return shown


def check(honest: list[Side], shown: dict[Side, tuple[int, int]]) -> None:
    """Check that no two honest devices show different results, and that none plays on without an honest player."""
    assert len(set(shown.values())) <= 1, shown
    for side in honest:
        if side in shown or side.session.state < LOST:
            gone = [other.match.me for other in honest if other is not side and side.seat_of(other).gone]
            assert not gone, (side.match.me, gone, side.session.state)
