"""A session records and plays back what is played."""

from typing import Any

from firmware.engine import controls
from firmware.save.recordings.recording import Recording
from sim.clock import VirtualClock
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from sim.traces import trace
from tests.support.handhelds.command_lines import SCRIPT, Script, play_script


def test_recording_plays_back_to_the_same_game() -> None:
    played = play_script(SCRIPT, 4000, seed=42, level=3)
    watched = Session(VirtualClock(), Script(VirtualClock()), NoSpeaker(), recording=Recording(played.recorded()))
    watched.until_end = True
    watched.run()
    again, before = (session.app.router.scene.game for session in (watched, played))
    assert again.score == before.score > 0 and again.matrix.rows == before.matrix.rows


def test_a_paused_game_is_recorded_in_menus_too() -> None:
    def look(session: Session, passed_ms: int) -> None:
        if passed_ms > 3500 and session.app.router.name == "play":
            session.app.context.go("menus.main")

    session = play_script([*SCRIPT[:3], (3000, controls.PAUSE)], 4000, look, seed=42)
    assert session.app.router.name == "menus.main" and Recording(session.recorded()).seed == 42


def test_a_finished_game_is_recorded_until_the_next_game_begins() -> None:
    script = [(500 * n, controls.HARD_DROP) for n in range(1, 20)]  # about the twelfth ends the game
    recordings: dict[int, bytes] = {}

    def look(session: Session, passed_ms: int) -> None:
        if not recordings:  # the next game follows at once, without a result
            context: Any = session.app.context
            original_go = context.go
            context.go = lambda name, subject=None: original_go("play")
        recordings[passed_ms // 1000] = session.recorded()

    play_script([*script, (14_000, controls.LEFT)], 15_000, look, seed=1)
    assert len(list(trace(Recording(recordings[11])))) >= 10
    assert recordings[11] == recordings[12] == recordings[13], "the next game waits for its first edge"
    assert recordings[14] != recordings[11] and not list(trace(Recording(recordings[14])))


def test_a_session_keeps_the_match_that_is_played() -> None:
    session = play_script([], 3000, seed=4, first="match.play")
    assert session.playing and not session.at_menu and session.recorded()[:4] == b"SKY\x04"
