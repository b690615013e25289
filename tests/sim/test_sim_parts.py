"""The simulator's clock, loudspeaker and pictures."""

from pathlib import Path
from unittest.mock import Mock, call

import pygame
import pytest
from PIL import Image, ImageSequence

from firmware.compat import ticks_add
from sim import oled
from sim.clock import POWER_ON_MS, RealClock, VirtualClock
from sim.desktop.speaker import RATE_HZ, NoSpeaker, Speaker, open_speaker, square_wave
from sim.display import ChipDisplay
from sim.pictures import FRAME_MS, Film, draw, save_png
from sim.store import CopiedStore, open_stores

SQUARE = 32_768


def test_virtual_clock_moves_only_by_waiting_and_wraps_like_a_board() -> None:
    clock = VirtualClock()
    assert clock.ticks_ms() == POWER_ON_MS == clock.ticks_ms()
    clock.wait_until(ticks_add(POWER_ON_MS, 65_010))
    assert clock.ticks_ms() == 10
    clock.wait_until(5)
    assert clock.ticks_ms() == 10


@pytest.mark.usefixtures("pc_clock")
def test_real_clock_calls_idle_every_millisecond_of_a_wait() -> None:
    looks: list[int] = []
    clock = RealClock()
    clock.idle = lambda: looks.append(clock.ticks_ms())
    start_ms = clock.ticks_ms()
    clock.wait_until(ticks_add(start_ms, 30))
    assert looks == [ticks_add(start_ms, passed_ms) for passed_ms in range(31)]
    looks.clear()
    clock.wait_until(start_ms)
    assert len(looks) == 1


@pytest.mark.parametrize("hz", [65, 440, 441, 1760, 4000])
def test_square_wave_has_its_pitch_and_loops_without_a_seam(hz: int) -> None:
    wave = square_wave(hz, SQUARE)
    rises = sum(1 for a, b in zip(wave[-1:] + wave[:-1], wave, strict=True) if a < 0 <= b)
    assert rises * RATE_HZ / len(wave) == pytest.approx(hz, rel=0.002)


@pytest.mark.parametrize("duty", [1000, 8192, SQUARE, 60_000])
def test_square_wave_is_high_for_its_duty_and_has_mean_zero(duty: int) -> None:
    wave = square_wave(441, duty)
    high = max(wave) - min(wave)
    assert sum(value - min(wave) for value in wave) / len(wave) / high == pytest.approx(duty / 65_536, abs=0.01)
    assert sum(wave) / len(wave) == pytest.approx(0, abs=2)


@pytest.mark.parametrize(
    "tones",
    [[(441, SQUARE), (441, SQUARE), (), ()], [(441, SQUARE), (441, 0), (30_000, SQUARE)]],
    ids=["until it is off, and the same tone goes on", "until duty 0, and not above 20 kHz"],
)
def test_tone_sounds(tones: list[tuple[int, ...]]) -> None:
    mixer = Mock(Sound=lambda buffer: len(buffer))
    speaker = Speaker(mixer)
    for tone in tones:
        speaker.tone(*tone) if tone else speaker.off()
    assert mixer.Channel(0).mock_calls == [call.play(4600, loops=-1), call.stop()]


def test_pc_without_sound_gets_a_silent_buzzer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "no such driver")
    speaker = open_speaker()
    assert isinstance(speaker, NoSpeaker)
    speaker.tone(440, SQUARE)
    speaker.off()


def test_pc_with_sound_gets_a_speaker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    speaker = open_speaker()
    assert isinstance(speaker, Speaker)
    speaker.tone(440, SQUARE)
    assert pygame.mixer.get_busy()
    speaker.off()
    assert not pygame.mixer.get_busy()
    pygame.mixer.quit()


def test_simulated_display_shows_the_bytes_of_the_driver() -> None:
    display = ChipDisplay()
    shown = []
    display.shown = lambda: shown.append(display.picture)
    display.canvas.fill(5, 6, 7, 8, 1)
    assert not any(display.picture)
    display.show()
    assert shown == [bytes(display.canvas.buffer[1:])]


def test_yellow_stripe_is_the_panels_first_sixteen_rows() -> None:
    lit = b"\xff" * 1024
    assert set(oled.zones(lit, "blue")) == {oled.LIT}
    rows = oled.zones(lit, "yellow-blue")
    assert all(rows[64 * y : 64 * y + 64] == bytes([oled.LIT_2] * 16 + [oled.LIT] * 48) for y in range(128))


def test_lowest_contrast_is_dim_but_not_dark() -> None:
    bright, dim = (oled.palette("white", contrast)[oled.LIT] for contrast in (255, 0))
    assert bright == oled.COLOURS["white"].lit and 60 < dim[0] < bright[0]


@pytest.mark.parametrize("scale", [1, 2, 3, 8])
def test_a_pixel_is_drawn_at_its_place(scale: int) -> None:
    picture = bytearray(1024)
    picture[8 * 20 + 1] = 0b100  # x 10, y 20
    image = draw(bytes(picture), scale, "white")
    assert image.size == ((64 + 2 * oled.GLASS_PX) * scale, (128 + 2 * oled.GLASS_PX) * scale)
    at = [(x + oled.GLASS_PX) * scale for x in (10, 20)]
    assert image.getpixel((at[0], at[1])) == oled.LIT
    beside = image.getpixel((at[0] - 1, at[1]))
    assert isinstance(beside, int) and beside % oled.GRID == oled.UNLIT and image.getpixel((0, 0)) == oled.GLASS


def test_png_holds_the_picture(tmp_path: Path) -> None:
    save_png(tmp_path / "one.png", b"\xff" * 1024, 2, "blue")
    with Image.open(tmp_path / "one.png") as image:
        assert image.getpixel((2 * oled.GLASS_PX, 2 * oled.GLASS_PX)) == oled.COLOURS["blue"].lit


def test_film_has_the_length_of_the_game_and_merges_equal_pictures(tmp_path: Path) -> None:
    dark, lit = bytes(1024), b"\xff" * 1024
    film = Film()
    for frame in range(120):  # two seconds at 60 fps, lit from 1 s on
        film.add(lit if frame >= 60 else dark, frame * 1000 // 60)
    assert film.frames == [(dark, 1000), (lit, 1000)]
    film.end(dark)
    assert film.frames[-1] == (dark, FRAME_MS)
    film.save(tmp_path / "film", 2, "white")
    with Image.open(tmp_path / "film") as image:
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    assert durations == [1000, 1000, FRAME_MS]


def test_a_copied_bank_keeps_what_is_written_and_its_size(tmp_path: Path) -> None:
    (original, *_others) = open_stores(tmp_path)
    original.write(0, b"before")
    copied = CopiedStore(original)
    copied.write(2, b"AFTER")
    for store, wanted in ((copied, b"beAFTER"), (original, b"before")):
        found = bytearray(store.size)
        store.read(0, found)
        assert found == wanted + b"\xff" * (original.size - len(wanted))
    copied.erase()
    for store, wanted in ((copied, b""), (original, b"before")):
        store.read(0, found)
        assert found == wanted + b"\xff" * (original.size - len(wanted))
