"""A moment of a recording opens in the window, to be played on."""

from pathlib import Path

import pytest

from firmware.save.recordings.match_recording import MatchRecording
from sim.cli import main
from sim.desktop.session import Session
from tests.support.handhelds.command_lines import SCRIPT, play_script, refused
from tests.support.running import ROOT
from tools.review.positions import read_match

pytestmark = pytest.mark.usefixtures("no_screen")


def start(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> Session:
    """Run a command line for a few frames; return the session."""
    sessions: list[Session] = []

    def step(session: Session) -> None:
        sessions.append(session)
        for _ in range(3):
            session.app.step()

    monkeypatch.setattr(Session, "run", step)
    assert main(["--mute", *map(str, arguments)]) == 0
    return sessions[0]


def test_a_game_opens_in_practice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.sky"
    path.write_bytes(play_script(SCRIPT, 4000, seed=42, level=3).recorded())
    scene = start(monkeypatch, "--play", path, "--at", 1900).app.router.scene
    assert type(scene).__name__ == "Practise" and scene.game.time_ms == 1900
    assert (scene.game.lock_downs, scene.game.pressed) == (1, 0)


@pytest.mark.parametrize("side", [1, 2])
def test_a_match_continues_in_its_round_as_the_player(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ROOT / "tests" / "matches" / "three.sky"
    recording = MatchRecording(path.read_bytes())
    position = read_match(recording, side)[-1]
    scene = start(monkeypatch, "--play", path, "--at", position.at_ms, "--side", side + 1).app.router.scene
    match = scene.match
    assert (scene.me, match.round, match.time_ms) == (side, 1, position.generated_ms) and position.round == 2
    assert match.options.level_of(side) == 0 and match.seats[side].game.piece


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("--at 5", "--at needs --play FILE"),
        ("--play demo --at 5 --headless", "--at needs --play FILE and a window"),
        ("--play tests/recordings/lost.sky --at 99999999", "--at 99999999: the game is over by then"),
        ("--play tests/matches/two.sky --at 99999999", "--at 99999999: the game is over by then"),
        ("--play tests/matches/two.sky --at 1000 --side 3", "--side 3: the match has 2 players"),
        ("--play demo --side 1", "--side needs --at MS"),
    ],
)
def test_an_impossible_moment_is_refused_in_one_line(arguments: str, says: str, capsys) -> None:
    assert refused(capsys, *arguments.split()) == f"sim: {says}\n"
