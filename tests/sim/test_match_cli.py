"""A recorded match on the command line: its trace, its film, its pictures; a damaged recording is refused."""

from pathlib import Path

import pytest

from sim.cli import main
from tests.support.handhelds.arcade import Arcade
from tests.support.handhelds.command_lines import play_script, refused
from tools import export


@pytest.fixture(scope="module")
def blob() -> bytes:
    """A match of two rounds, lost by the person."""
    arcade = Arcade(WINS=1, LEVELS=3)
    for _ in range(2):
        arcade.play_until_out()
        arcade.finish_round()
        arcade.step(16, 80)
        if arcade.match.is_decided():
            break
        arcade.tap(0x4)
        arcade.step()
    return arcade.scene.noted.replay()


@pytest.fixture
def match(blob: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "match.sky"
    path.write_bytes(blob)
    return path


def test_trace_lists_every_players_lock_downs_and_the_winner(match: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--headless", "--play", str(match), "--trace"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("round 2") and lines[-1].endswith("won by team 2")
    assert {line[9:17] for line in lines if "player" in line} == {"player 1", "player 2"}
    assert main(["--headless", "--play", str(match), "--trace"]) == 0
    assert capsys.readouterr().out.splitlines() == lines


def test_headless_writes_the_last_picture_and_the_film(match: Path, tmp_path: Path) -> None:
    png, gif = tmp_path / "last.png", tmp_path / "match.gif"
    assert main(["--headless", "--play", str(match), "--screenshot", str(png), "--gif", str(gif)]) == 0
    assert png.read_bytes()[1:4] == b"PNG" and gif.read_bytes()[:3] == b"GIF"


def test_a_match_is_exported_like_a_game(match: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gif, png, wav = tmp_path / "a.gif", tmp_path / "a.png", tmp_path / "a.wav"
    assert export.main([str(match), "--gif", str(gif), "--png", str(png), "--wav", str(wav), "--text"]) == 0
    assert gif.exists() and png.exists() and wav.exists()
    assert "won by team 2" in capsys.readouterr().out and export.main([str(match), "--text"]) == 0
    assert export.main([str(match), "--from", "2", "--text"]) == 2


def test_a_damaged_match_is_refused_in_one_line(match: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = bytearray(match.read_bytes())
    damaged[30] ^= 1
    match.write_bytes(damaged)
    assert "match.sky: recording is damaged" in refused(capsys, "--headless", "--play", match, "--trace")


def test_a_session_keeps_the_match_that_is_played() -> None:
    session = play_script([], 3000, seed=4, first="match.play")
    assert session.playing and not session.at_menu and session.recorded()[:4] == b"SKY\x04"
