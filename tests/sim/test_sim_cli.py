"""The command line plays, writes and prints games and matches, and refuses bad arguments."""

import os
import sys
from pathlib import Path
from typing import Any

import pygame
import pytest
from PIL import Image, ImageSequence

from firmware.app import App
from firmware.engine import controls
from firmware.modes.catalogue import WORST
from firmware.save.recordings.recording import Recording
from sim.cli import main
from sim.traces import trace
from tests.support import needs
from tests.support.handhelds.arcade import Arcade
from tests.support.handhelds.command_lines import SCRIPT, play_script, refused
from tests.support.running import ROOT, run_python


@pytest.fixture(scope="module")
def played() -> bytes:
    """Four seconds of a game, played by SCRIPT."""
    return play_script(SCRIPT, 4000, seed=42, level=3).recorded()


@pytest.fixture
def recording(played: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "game.sky"
    path.write_bytes(played)
    return path


def test_a_board_has_its_own_screen_in_screenshots(recording: Path, tmp_path: Path) -> None:
    picture = tmp_path / "board.png"
    assert (
        main(["--headless", "--play", str(recording), "--board", "pimoroni_picosystem", "--screenshot", str(picture)])
        == 0
    )
    with Image.open(picture) as screen:
        lit = screen.convert("L").point(lambda level: 255 * (level > 99))
        assert screen.size == (240, 240) and (lit.getbbox() or (0,))[0] >= 60, "the sides stay dark"


def test_an_unknown_board_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no board 'spring'; there are raspberry_pi_pico, " in refused(capsys, "--headless", "--board", "spring")


def test_trace_has_a_line_for_every_lock_down(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--headless", "--play", str(recording), "--trace"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == ["1", "2", "3"]
    assert out.splitlines() == list(trace(Recording(recording.read_bytes()))) and err == ""


def test_trace_deals_the_pieces_that_a_mode_picks() -> None:
    blob = play_script(SCRIPT, 4000, seed=42, variant=WORST).recorded()
    assert [line.split()[0] for line in trace(Recording(blob))] == ["1", "2", "3"]


def test_headless_writes_the_last_picture_and_the_film(recording: Path, tmp_path: Path) -> None:
    png, gif = tmp_path / "out.png", tmp_path / "out.gif"
    assert main(["--headless", "--play", str(recording), "--screenshot", str(png), "--gif", str(gif)]) == 0
    with Image.open(png) as image:
        assert image.size == (280, 536)
    with Image.open(gif) as image:
        lasted_ms = sum(frame.info["duration"] for frame in ImageSequence.Iterator(image))
    assert 3950 <= lasted_ms <= 4150


def test_headless_needs_no_pygame(recording: Path, tmp_path: Path) -> None:
    program = "import sys; sys.modules['pygame'] = None; from sim.cli import main; sys.exit(main(sys.argv[1:]))"
    picture = tmp_path / "a.png"
    done = run_python("-c", program, "--headless", "--play", recording, "--trace", "--screenshot", picture)
    assert (done.returncode, done.stderr) == (0, "") and len(done.stdout.splitlines()) == 3


def flip_bit(blob: bytes, at: int) -> bytes:
    return b"".join(bytes([byte ^ 0x10 * (i == at % len(blob))]) for i, byte in enumerate(blob))


@pytest.mark.parametrize("damage", [flip_bit, lambda blob, length: blob[:length]], ids=["flipped", "cut"])
@pytest.mark.parametrize("at", [0, 1, 3, 5, 7, 20, -6, -1])
def test_damaged_recording_is_refused(recording: Path, damage, at: int, capsys) -> None:
    recording.write_bytes(damage(recording.read_bytes(), at))
    assert "game.sky: " in refused(capsys, "--headless", "--play", recording, "--trace")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--headless"], "nothing to play"),
        (["--level", "0"], "marathon has levels 1 to 15"),
        (["--level", "high"], "from 0 to 15"),
        (["--variant", "standard", "--level", "10"], "standard has levels 0 to 9"),
        (["--variant", "test-spec", "--level", "0"], "test-spec has levels 1 to 10"),
        (["--variant", "chess"], "chess"),
        (["--seed", "-1"], "from 0 to"),
        (["--scale", "99"], "from 1 to 32"),
        (["--colour", "green"], "green"),
        (["--sound"], "--sound"),
        (["--play", "nothing.sky"], "cannot read nothing.sky"),
        (["--play", "sim"], "cannot read sim"),
        (["--play", "a", "--record", "b"], "cannot be used together"),
        (["--play", "a", "--seed", "0"], "cannot be used together"),
        (["--play", "a", "--level", "1"], "cannot be used together"),
        (["--play", "a", "--variant", "standard"], "cannot be used together"),
        (["--gamepad-map", "--gamepad", "no/such.ini"], "no such file"),
        (["--gamepad-map", "--gamepad", "README.md"], "README.md, line 3: no section stands above it"),
        (["--record", "no/such/place.sky"], "no directory"),
        (["--record", "sim"], "is a directory"),
        (["--headless", "--play", "a", "--gif", "no/such/place.gif"], "no directory"),
        (["--headless", "--play", "a", "--gif", "game.mp4"], "its name ends in .mp4; it must end in .gif"),
        (["--headless", "--play", "a", "--screenshot", "game"], "its name ends in nothing; it must end in .png"),
        *((["--players", count], "is not a whole number from 2 to 4") for count in ("1", "5", "two")),
        (["--players", "2", "--headless"], "--players and --headless cannot be used together: persons need a window"),
        (["--players", "2", "--play", "a"], "--players and --play cannot be used together: a recording has its"),
        (["--players", "2", "--variant", "sprint"], "--players and --variant cannot be used together: a match has"),
        (["--players", "3", "--computers", "1", "1"], "a match has 2 to 4 players, these are 5: 3 with --players and"),
        (["--headless", "--computers", "1"], "a match has 2 to 4 players, these are 1: 0 with --players and 1 with"),
        (["--computers", "1", "--play", "a"], "--computers and --play cannot be used together"),
        (["--computers", "1", "--variant", "sprint"], "--computers and --variant cannot be used together"),
        (["--computers", "8"], "is not a whole number from 1 to 7"),
        (["--versus", "nowhere-to-be-found"], "sim: cannot start nowhere-to-be-found: No such file or directory"),
        (["--versus", "'"], "is not a command: No closing quotation"),
        (["--versus", f'"{sys.executable}" -c "raise SystemExit(3)"'], "loses: it died with exit code 3"),
        (["--versus", "x", "--headless"], "these are 1: 0 with --players and 0 with --computers, and one with"),
        (["--versus", "x", "--players", "4"], "these are 5: 4 with --players and 0 with --computers, and one with"),
        (["--versus", "x", "--play", "a"], "--versus and --play cannot be used together"),
        (["--versus", "x", "--host"], "--host and --versus cannot be used together"),
        (["--pace", "3"], "--pace needs --versus"),
        (["--host", "--join", "x"], "--host and --join cannot be used together"),
        (["--join", "x", "--players", "2"], "--join and --players cannot be used together"),
        (["--join", "here:port"], "is not an address"),
        (["--link", "/dev/nothing"], "sim: cannot open /dev/nothing: No such file or directory\n"),
        (["--host", "127.0.0.1:0x"], "is not an address"),
        (["--host", "192.0.2.1"], "assign requested address; it is not an address of this computer, as 0.0.0.0 is"),
    ],
    ids=" ".join,
)
def test_bad_arguments_are_refused_in_one_line(arguments: list[str], message: str, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    assert message in refused(capsys, *arguments)


@needs.system(Path("/dev/full").exists(), "/dev/full, a disc that is always full")
def test_a_failure_to_write_the_picture_is_reported(recording: Path, capsys: pytest.CaptureFixture[str]) -> None:
    full = recording.with_name("full.png")
    full.symlink_to("/dev/full")
    message = refused(capsys, "--headless", "--play", recording, "--screenshot", full)
    assert f"cannot write {full}: No space left on device" in message


def test_gamepad_map_has_defaults_if_the_config_home_is_no_folder(monkeypatch, capsys) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", f"{os.devnull}/.config")
    assert main(["--gamepad-map"]) == 0 and "= hold" in capsys.readouterr().out


@pytest.mark.usefixtures("no_screen", "pc_clock")
class TestWindow:
    """The whole program with SDL's dummy screen and sound, in real time."""

    def play(self, monkeypatch: pytest.MonkeyPatch, frames: dict[int, pygame.event.Event], *arguments: object) -> App:
        """Run the program and post each event after its frame."""
        from sim.desktop.window import Window

        present, begin = Window.present, App.__init__
        apps, seen = [], []

        def post_and_present(window: Window) -> None:
            present(window)
            seen.append(window)
            if len(seen) in frames:
                pygame.event.post(frames[len(seen)])

        def remember(app: App, *args: Any, **kwargs: Any) -> None:
            apps.append(app)
            begin(app, *args, **kwargs)

        monkeypatch.setattr(Window, "present", post_and_present)
        monkeypatch.setattr(App, "__init__", remember)
        assert main([str(argument) for argument in arguments]) == 0
        return apps[0]

    def test_game_is_played_with_keys_and_recorded(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        path = tmp_path / "mine.sky"
        how = {"key": pygame.K_SPACE, "mod": 0, "scancode": pygame.KSCAN_SPACE}
        space = [pygame.event.Event(kind, how) for kind in (pygame.KEYDOWN, pygame.KEYUP)]
        frames = {25: space[0], 27: space[1], 32: pygame.event.Event(pygame.QUIT)}
        self.play(monkeypatch, frames, "--record", path, "--seed", 9, "--level", 2)
        recording = Recording(path.read_bytes())
        assert (recording.seed, recording.options.level) == (9, 2) and recording.read()
        assert (recording.button, recording.pressed) == (controls.HARD_DROP, 1) and len(list(trace(recording))) == 1

    def test_lost_focus_pauses_the_game_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        lost = pygame.event.Event(pygame.WINDOWFOCUSLOST)
        frames = {5: lost, 9: lost, 20: pygame.event.Event(pygame.QUIT)}
        app = self.play(monkeypatch, frames, "--mute", "--seed", 9)
        assert 0 < app.router.scene.game.time_ms < 200

    def test_a_missing_screen_is_reported(self, monkeypatch, capsys) -> None:
        monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
        assert "cannot open a window" in refused(capsys)


def test_a_missing_pygame_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sim.desktop.playing.find_spec", lambda name: None)
    assert "the window needs pygame-ce; pip install -e '.[sim]'" in refused(capsys)


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
        arcade.tap(controls.ROTATE_CW)
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


def test_headless_writes_the_last_picture_and_the_film_of_a_match(match: Path, tmp_path: Path) -> None:
    png, gif = tmp_path / "last.png", tmp_path / "match.gif"
    assert main(["--headless", "--play", str(match), "--screenshot", str(png), "--gif", str(gif)]) == 0
    for path in (png, gif):
        with Image.open(path) as image:
            image.seek(image.n_frames - 1)
            assert image.convert("L").getextrema()[1] > 128, "a lit pixel"


def test_a_damaged_match_is_refused_in_one_line(match: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged = bytearray(match.read_bytes())
    damaged[30] ^= 1
    match.write_bytes(damaged)
    assert "match.sky: recording is damaged" in refused(capsys, "--headless", "--play", match, "--trace")
