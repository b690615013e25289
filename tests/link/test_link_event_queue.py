"""Events are queued whole and hashed by each byte (firmware/link/events.py)."""

import pytest

from firmware.engine.matrix import Matrix
from firmware.link.events import HOLD, LATE, LOCK, RISE, EventHash, EventQueue


class TestHash:
    def test_the_latest_events_can_be_dropped(self) -> None:
        one, other = EventHash(), EventHash()
        for i in range(10):
            one.add(i, 100 * i)
            if i < 6:
                other.add(i, 100 * i)
        one.drop_after(599)
        assert (one.value, one.count) == (other.value, other.count)
        one.drop_after(600)
        assert one.count == 6
        one.keep_first(0)
        assert one.value == one.count == 0

    def test_the_hash_depends_on_each_byte_of_a_lock_down(self) -> None:
        matrix = Matrix()
        values = set()
        for changed in range(3, 10):
            event = bytearray(10)
            event[changed] = changed > 3
            hashed = EventHash()
            hashed.add_lock(event, 0, matrix, 100)
            values.add(hashed.value)
        assert len(values) == 7

    def test_hashes_have_30_bits(self) -> None:
        matrix = Matrix()
        hashed = EventHash()
        for i in range(1000):
            hashed.add(i * 7919 & 0xFFFFFF, i)
            assert hashed.value < 1 << 30
            hashed.add_lock(bytes(range(i & 127, 10 + (i & 127))), 0, matrix, i)
            assert hashed.value < 1 << 30


class TestQueue:
    def test_events_are_moved_whole_in_order_and_with_their_time(self) -> None:
        events = EventQueue()
        events.add(RISE << 4, 0x030201, 7)
        events.add(LATE << 4 | 2, 0x060504, 9)
        events.add_start(0x0908, 3, 4, 0x0605)
        sent = (bytes([RISE << 4, 1, 2, 3, 7]), bytes([LATE << 4 | 2, 4, 5, 6, 9]), bytes([0x80, 8, 9, 0, 3, 4, 5, 6]))
        assert bytes(events.buffer[: events.used]) == b"".join(sent)
        frame = bytearray(20)
        assert events.move(frame, 2, 10) == 10 and bytes(frame[2:13]) == sent[0] + sent[1] + b"\0"
        assert events.moved_ms == 0x060504 and events.used == 8
        assert events.move(frame, 0, 7) == 0 and events.move(frame, 0, 8) == 8
        assert bytes(frame[:8]) == sent[2] and events.used == 0

    @pytest.mark.parametrize(("kind", "used"), [(HOLD, 384), (LOCK, 380)])
    def test_a_full_queue_drops_an_event_and_sets_overflowed(self, kind: int, used: int) -> None:
        events = EventQueue()
        while not events.overflowed:
            events.add(kind << 4, 0)
        assert (events.used, len(events.buffer)) == (used, 384)
