"""Frames over a byte pipe (firmware/link/wire.py): each arrives whole or not at all, even after noise."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.link.wire import LONGEST, Wire
from tests.support.handhelds.ring_harness import Line, Pipe

frames = st.lists(st.binary(min_size=1, max_size=LONGEST - 2), min_size=1, max_size=6)


def make_wire(noise: bytes = b"") -> tuple[Wire, Line]:
    """Return a wire that receives its own bytes, after some noise."""
    line = Line(delay_ms=0, waiting=[(0, noise)] if noise else [])
    return Wire(Pipe(line, line)), line


def exchange(wire: Wire, *sent: bytes) -> list[bytes]:
    for frame in sent:
        assert wire.send(bytearray(frame) + b"\0\0", len(frame))
    found = []
    for _ in range(60):
        wire.poll()
        wire.push()
        found += [bytes(wire.frame[:length]) for length in iter(wire.receive, 0)]
    return found


class TestFrames:
    @given(frames)
    @settings(max_examples=60)
    def test_every_frame_arrives_as_it_was(self, sent: list[bytes]) -> None:
        assert exchange(make_wire()[0], *sent) == sent

    @pytest.mark.no_cover
    @given(st.binary(max_size=300), frames)
    @settings(max_examples=60)
    def test_after_noise_at_most_one_frame_is_lost(self, noise: bytes, sent: list[bytes]) -> None:
        assert exchange(make_wire(noise)[0], b"lost, maybe", *sent)[-len(sent) :] == sent

    @pytest.mark.parametrize("bit", range(8 * 14))
    def test_a_frame_with_a_flipped_bit_is_dropped(self, bit: int) -> None:
        wire, line = make_wire()
        wire.send(bytearray(b"ten octets\0\0"), 10)
        wire.push()
        spoilt = bytearray(b"".join(chunk for _due_ms, chunk in line.waiting))
        spoilt[bit // 8] ^= 1 << bit % 8
        line.waiting[:] = [(0, bytes(spoilt))]
        assert exchange(wire) == []

    @pytest.mark.parametrize(
        "noise",
        [
            pytest.param(b"\xff" * 400 + b"\0", id="longer than any frame"),
            pytest.param(bytes(50), id="zeros alone"),
            pytest.param(b"\x03\xff\xff\0", id="the CRC of an empty frame"),
        ],
    )
    def test_bytes_that_are_no_frame_are_skipped(self, noise: bytes) -> None:
        assert exchange(make_wire(noise)[0], b"next") == [b"next"]

    @pytest.mark.parametrize("seed", range(4))
    def test_random_bytes_contain_no_frame(self, seed: int) -> None:
        assert exchange(make_wire(random.Random(seed).randbytes(20_000))[0]) == []


class TestPipes:
    def test_a_pipe_that_accepts_few_bytes_gets_the_rest_later(self) -> None:
        wire, line = make_wire()
        write = line.write
        line.write = lambda data: write(data[:5])  # type: ignore[method-assign]
        sent = [b"a frame that is longer than that"] * 3
        assert exchange(wire, *sent) == sent

    def test_a_pipe_that_accepts_all_bytes_gets_them_at_once(self) -> None:
        wire, _line = make_wire()
        for _ in range(8):
            assert wire.send(bytearray(range(62)), 60)
        wire.push()
        assert not wire.used

    def test_a_pipe_that_accepts_nothing_loses_frames_but_no_memory(self) -> None:
        wire, line = make_wire()
        line.write = lambda data: 0  # type: ignore[method-assign]
        sent = 0
        while wire.send(bytearray(range(62)), 60):
            sent += 1
        wire.push()
        assert sent > 10 and wire.receive() == 0

    def test_a_flood_waits_for_the_next_poll(self) -> None:
        wire, line = make_wire(b"\x01" * 100_000)
        wire.poll()
        assert wire.receive() == 0
        ((_due_ms, left),) = line.waiting
        assert len(left) == 100_000 - 4 * 128
