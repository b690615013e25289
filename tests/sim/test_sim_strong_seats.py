"""The levels above HAWK: the strong player in a match of the simulator."""

import re

import pytest

from firmware.players.levels import BEST, NAMES, STRONGEST
from firmware.save.recordings.match_recording import MatchRecording
from firmware.scenes.match.play import Scene as MatchPlay
from sim import cli
from sim.bots.process import Bot, split_command
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.desktop import session, strong_seats
from sim.desktop.speaker import NoSpeaker
from tests.support import needs
from tests.support.handhelds.bot_processes import GENEROUS_S, write_stub_bot
from tools import placements

needs.demand_packages("numba", allow_module_level=True)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a strong player all the time that it takes to start, however busy this computer is."""
    start = strong_seats.start_strong_bot

    def start_patiently(level: int, rules: int) -> Bot:
        bot = start(level, rules)
        bot.answer_s = GENEROUS_S
        return bot

    monkeypatch.setattr(strong_seats, "start_strong_bot", start_patiently)


def begin(seats: bytes) -> session.Session:
    return session.Session(VirtualClock(), NoButtons(), NoSpeaker(), 5, 1, first="match.play", seats=seats)


@pytest.mark.slow
@pytest.mark.usefixtures("patience")
def test_the_levels_play_two_and_three_and_a_half_pieces_a_second() -> None:
    playing = begin(bytes([7, 6]))
    playing.until_end = True  # in virtual time, so it waits for the processes

    def stop_after_4_s() -> None:
        scene = playing.app.router.scene
        playing.app.running = not (isinstance(scene, MatchPlay) and scene.match.time_ms > 4_000)

    playing.present = stop_after_4_s
    playing.run()

    recording = playing.recorded()
    for number, span_ms in ((0, 286), (1, 500)):
        found = placements.witness_match(MatchRecording(recording), number)
        first, last = found[0].locked_ms, found[-1].locked_ms
        mean_ms = (last - first) / (len(found) - 1)
        assert len(found) > 6 and abs(mean_ms - span_ms) < span_ms / 20


def test_without_numba_a_pc_has_the_levels_of_a_handheld(monkeypatch, capsys) -> None:
    monkeypatch.setattr(strong_seats, "find_spec", lambda name: None)
    assert begin(b"").app.device.machine.levels == BEST
    assert cli.main(["--headless", "--computers", "6", "1"]) == 2
    assert capsys.readouterr().err.splitlines() == ["sim: levels above 5 need Numba; pip install -e '.[solve]'"]


@pytest.mark.slow
@pytest.mark.usefixtures("patience")
def test_the_clock_stands_still_until_the_strong_player_is_ready() -> None:
    playing = begin(bytes([0, STRONGEST]))
    seats = strong_seats.StrongSeats(waits=False)
    playing._strong_seats = seats
    times, pictures = [], []

    def look() -> None:
        scene = playing.app.router.scene
        assert isinstance(scene, MatchPlay)
        times.append(scene.match.time_ms)
        pictures.append(playing.display.picture)
        rival = seats.rivals.get(1)
        ready = rival is not None and rival.bot.greeted
        playing.app.running = not (ready and scene.match.time_ms > 500)
        if rival and rival.answer:  # type: ignore[attr-defined]
            rival.answer.exception()  # type: ignore[attr-defined]

    playing.present = look
    playing.run()
    waiting = [time_ms for time_ms in times if time_ms < 100]
    assert len(waiting) > 1 and times[-1] > 500 and not seats.rivals


def test_a_strong_player_that_fails_is_named_and_its_rival_wins(tmp_path, monkeypatch, capsys) -> None:
    stub = split_command(write_stub_bot(tmp_path, "sys.exit(3)"))
    monkeypatch.setattr(strong_seats, "start_strong_bot", lambda level, rules: Bot(stub))
    playing = begin(bytes([1, 6]))
    playing.until_end = True
    playing.run()
    scene = playing.app.router.scene
    assert isinstance(scene, MatchPlay) and scene.match.winner == 0
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and re.match(rf"sim: {NAMES[5].decode()} loses: it died with exit code 3", told[0])
