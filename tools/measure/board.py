"""Estimate the time that frames take on the board, and find the worst of them."""

from collections.abc import Callable
from dataclasses import dataclass

from tools import interpreters
from tools.measure import scripts

# CircuitPython on an emulated RP2040 of 125 MHz, I2C at 400 kHz. The emulator takes 5.6 us for a turn of `s += i & 3`;
# the rest is for interrupts and the main loop. `python -m tools.measure --board` prints measured times of these frames.
TURN_US = 7.0
BYTE_US = 23.4
FRAME_US = 1_000_000 / scripts.FRAMES_HZ

PHASES = ("Generation", "Falling", "Lock", "Pattern", "Iterate", "Animate", "Eliminate", "Completion", "Game Over")


@dataclass(frozen=True)
class Frame:
    """One frame of a recording, its times on the board in us; the time on the bus is within `show_us`."""

    recording: str
    number: int
    phase: int
    edge: bool
    sent: int
    engine_us: float
    draw_us: float
    show_us: float
    waited_us: float  # the longest wait of an edge: it comes right after the last poll

    @property
    def board_us(self) -> float:
        return self.engine_us + self.draw_us + self.show_us

    @property
    def edge_to_pixels_us(self) -> float:
        """Return the longest time from an edge to the end of the frame that shows it."""
        return self.waited_us + self.board_us


def to_us(fuel: float) -> float:
    return fuel / interpreters.turn_fuel() * TURN_US


def frames_of(recording: str, played: scripts.Frames) -> list[Frame]:
    """Return the frames of a recording except the first, which paints the whole picture."""
    frames: list[Frame] = []
    waited_us = FRAME_US
    for number in range(len(played.bus)):
        edge, sent = bool(played.edges[number]), played.bus[number]
        engine_us, draw_us, show_us = (to_us(part[number]) for part in (played.engine, played.draw, played.show))
        show_us += sent * BYTE_US
        frame = Frame(recording, number, played.phases[number], edge, sent, engine_us, draw_us, show_us, waited_us)
        if number:
            frames.append(frame)
            waited_us = max(FRAME_US, frame.board_us)
    return frames


def thousands(number: float) -> str:
    """Write a whole number with a space between the thousands."""
    return f"{number:,.0f}".replace(",", " ")


def milliseconds(us: float) -> str:
    """Write a time in ms with one decimal."""
    return f"{us / 1000:.1f} ms"


def join_ms(*times_us: float) -> str:
    """Write times in ms, with commas between them."""
    return ", ".join(map(milliseconds, times_us))


def mean_and_worst(times_us: list[float]) -> str:
    """Write the mean and the longest of some times in ms."""
    return join_ms(sum(times_us) / len(times_us), max(times_us))


def worst(frames: list[Frame], count: int, key: Callable[[Frame], float]) -> list[Frame]:
    return sorted(frames, key=key, reverse=True)[:count]


def row_of(frame: Frame) -> tuple[str, str]:
    parts = " + ".join(f"{us / 1000:4.1f}" for us in (frame.engine_us, frame.draw_us, frame.show_us))
    name = f"{frame.recording} {frame.number} {PHASES[frame.phase]}{', edge' if frame.edge else ''}"
    edge = milliseconds(frame.edge_to_pixels_us)
    return name, f"{parts} = {milliseconds(frame.board_us)}, {frame.sent} B, edge to pixels {edge}"
