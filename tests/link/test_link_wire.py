"""Frames over a byte pipe (firmware/link/wire.py): whole or not at all, and found again after anything."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware.link.wire import LONGEST, Wire
from tests.support.handhelds.ring_harness import Line, Pipe

frames = st.lists(st.binary(min_size=1, max_size=LONGEST - 2), min_size=1, max_size=6)


def make_wire() -> tuple[Wire, Line]:
    """Return a wire whose own bytes come back to it."""
    line = Line(delay_ms=0)
    return Wire(Pipe(line, line)), line


def send(wire: Wire, frame: bytes) -> bool:
    return wire.send(bytearray(frame) + b"\0\0", len(frame))


def receive(wire: Wire) -> list[bytes]:
    found = []
    for _ in range(60):
        wire.poll()
        wire.push()
        while length := wire.receive():
            found.append(bytes(wire.frame[:length]))
    return found


@given(frames)
@settings(max_examples=60)
def test_every_frame_arrives_as_it_was(sent: list[bytes]) -> None:
    wire, _line = make_wire()
    for frame in sent:
        assert send(wire, frame)
    assert receive(wire) == sent


@pytest.mark.no_cover
@given(st.binary(max_size=300), frames)
@settings(max_examples=60)
def test_after_any_garbage_the_next_but_one_frame_is_found(garbage: bytes, sent: list[bytes]) -> None:
    wire, line = make_wire()
    line.waiting.append((0, garbage))
    for frame in [b"lost, maybe", *sent]:
        send(wire, frame)
    assert receive(wire)[-len(sent) :] == sent


def test_a_frame_with_a_flipped_bit_is_not_accepted() -> None:
    for bit in range(8 * 14):
        wire, line = make_wire()
        send(wire, b"ten octets")
        wire.push()
        (_due_ms, chunk) = line.waiting.pop()
        spoilt = bytearray(chunk)
        spoilt[bit // 8] ^= 1 << bit % 8
        line.waiting.append((0, bytes(spoilt)))
        assert receive(wire) == []


def test_what_is_longer_than_any_frame_is_skipped() -> None:
    wire, line = make_wire()
    line.waiting.append((0, b"\xff" * 400 + b"\0"))
    send(wire, b"next")
    assert receive(wire) == [b"next"]


def test_zeros_alone_are_no_frames() -> None:
    wire, line = make_wire()
    line.waiting.append((0, bytes(50)))
    send(wire, b"next")
    assert receive(wire) == [b"next"]


def test_a_crc_alone_is_no_frame() -> None:
    """The CRC of nothing is 0xFFFF: two bytes of it decode to a frame of no length."""
    wire, line = make_wire()
    line.waiting.append((0, b"\x03\xff\xff\0"))
    send(wire, b"next")
    assert receive(wire) == [b"next"]


def test_a_pipe_that_takes_little_gets_the_rest_later() -> None:
    wire, line = make_wire()
    write = line.write
    line.write = lambda data: write(data[:5])  # type: ignore[method-assign]
    sent = [b"a frame that is longer than that"] * 3
    for frame in sent:
        send(wire, frame)
    assert receive(wire) == sent


def test_a_pipe_that_takes_nothing_costs_frames_but_no_memory() -> None:
    wire, line = make_wire()
    line.write = lambda data: 0  # type: ignore[method-assign]
    sent = 0
    while send(wire, bytes(range(60))):
        sent += 1
    assert sent > 10
    wire.push()
    assert wire.receive() == 0


def test_a_flood_waits_for_the_next_poll() -> None:
    wire, line = make_wire()
    line.waiting.append((0, b"\x01" * 100_000))
    wire.poll()
    assert wire.receive() == 0
    ((_due_ms, left),) = line.waiting
    assert len(left) == 100_000 - 4 * 128


@pytest.mark.parametrize("seed", range(4))
def test_noise_is_no_frame(seed: int) -> None:
    wire, line = make_wire()
    line.waiting.append((0, random.Random(seed).randbytes(20_000)))
    assert receive(wire) == []
