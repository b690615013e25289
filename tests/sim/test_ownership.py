"""The rule of ownership: what is new or empty or carries our mark may be written, nothing else."""

import io
import os
import sqlite3
import subprocess
import sys
import wave
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from PIL import Image

from sim import ownership, terminal
from sim.database import COUNT, Database, Unusable
from sim.ownership import add_mark, carries_mark, check_file, check_folder, output, replace, write_folder
from sim.store import BANK_BYTES, check_saves
from sim.terminal import Refusal
from tests.support import needs
from tests.support.running import ROOT, run_python

MARKER = ".skyline-test"
OTHER = "of another"
# Commands that write a picture, a sound, a table, a page or a recording, each into a file of this name.
WRITING = [
    *("sim --headless --play {game} --gif out.gif --scale 1", "sim --headless --play {game} --screenshot out.png"),
    *("sim --headless --computers 1 1 --record out.sky", "tools.robot --seconds 2 --output out.sky"),
    *("tools.export {game} --png out.png", "tools.export held --wav out.wav"),
    *("tools.sheet title --output out.png", "tools.sheet title --into ."),
    *("tools.tetress show game.txt -o out.png", "tools.tetress show game.txt -o out.gif"),
    "tools.tetress match random random --games 1 --quiet --save matches",
]


def make_png() -> bytes:
    content = io.BytesIO()
    Image.new("1", (8, 8)).save(content, "PNG")
    return content.getvalue()


def make_gif() -> bytes:
    content = io.BytesIO()
    Image.new("1", (8, 8)).save(content, "GIF", save_all=True, append_images=[Image.new("1", (8, 8), 1)], loop=0)
    return content.getvalue()


def make_wav() -> bytes:
    content = io.BytesIO()
    with wave.open(content, "wb") as sound:
        sound.setparams((1, 2, 8000, 0, "NONE", ""))
        sound.writeframes(b"\1\2\3\4")
    return content.getvalue()


@pytest.mark.parametrize("make", [make_png, make_gif])
def test_a_marked_picture_shows_the_same(make) -> None:
    plain, marked = make(), add_mark(make())
    assert carries_mark(marked) and not carries_mark(plain) and add_mark(marked) == marked
    with Image.open(io.BytesIO(plain)) as before, Image.open(io.BytesIO(marked)) as after:
        for number in range(getattr(before, "n_frames", 1)):
            before.seek(number)
            after.seek(number)
            assert before.convert("RGB").tobytes() == after.convert("RGB").tobytes()
        assert getattr(after, "n_frames", 1) == getattr(before, "n_frames", 1)
        after.load()


def test_a_marked_sound_plays_the_same() -> None:
    with wave.open(io.BytesIO(add_mark(make_wav()))) as sound:
        assert sound.readframes(9) == b"\1\2\3\4"
    marked = add_mark(make_wav())
    assert carries_mark(marked) and int.from_bytes(marked[4:8], "little") == len(marked) - 8


@pytest.mark.parametrize("begin", [b"<!doctype html>", b"[Desktop Entry]\n", b".TH SKYLINE 6\n"])
def test_a_text_ends_with_the_mark_in_a_comment(begin: bytes) -> None:
    assert add_mark(begin).startswith(begin) and carries_mark(add_mark(begin))


def test_an_empty_file_may_be_written(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    check_file(tmp_path / "a")


def test_a_stream_is_written_to_directly(tmp_path: Path) -> None:
    link = tmp_path / "null.png"
    link.symlink_to(os.devnull)
    with output(link) as file:
        file.write(make_png())
    assert link.is_symlink()


def test_a_link_to_a_file_of_ours_is_refused_too(tmp_path: Path) -> None:
    (tmp_path / "ours.png").write_bytes(add_mark(make_png()))
    (tmp_path / "link.png").symlink_to("ours.png")
    with pytest.raises(Refusal, match="is a symbolic link: name what it leads to"):
        check_file(tmp_path / "link.png")


def test_a_replaced_link_does_not_change_its_target(tmp_path: Path) -> None:
    (tmp_path / "target").write_text(OTHER)
    (tmp_path / "link").symlink_to("target")
    with replace(tmp_path / "link") as file:
        file.write(b"ours")
    assert (tmp_path / "target").read_text() == OTHER and not (tmp_path / "link").is_symlink()


class TestFolder:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        write_folder(tmp_path / "out", {"a": b"1", "b/c": b"2"}, MARKER)
        return tmp_path / "out"

    def test_the_next_time_replaces_and_removes_only_what_we_wrote(self, folder: Path) -> None:
        (folder / "b" / "theirs").write_text(OTHER)
        write_folder(folder, {"a": b"3"}, MARKER)
        assert (folder / "a").read_bytes() == b"3" and not (folder / "b" / "c").exists()
        assert (folder / "b" / "theirs").read_text() == OTHER

    def test_the_folders_of_removed_files_are_removed_when_empty(self, folder: Path) -> None:
        write_folder(folder, {"a": b"3"}, MARKER)
        assert sorted(path.name for path in folder.iterdir()) == [MARKER, "a"]

    def test_files_of_earlier_times_can_be_kept(self, folder: Path) -> None:
        write_folder(folder, {"d": b"4"}, MARKER, keeps_old=True)
        write_folder(folder, {"e": b"5"}, MARKER)
        assert sorted(path.name for path in folder.iterdir()) == [MARKER, "e"]

    @pytest.mark.parametrize("name", ["d", "b/d", "b"])
    def test_another_file_in_the_way_is_refused_before_any_change(self, folder: Path, name: str) -> None:
        if name != "b":
            (folder / name).write_text(OTHER)
        with pytest.raises(Refusal, match="in the way, and is not ours"):
            write_folder(folder, {"a": b"3", name: b"4"}, MARKER)
        assert (folder / "a").read_bytes() == b"1" and (folder / "b" / "c").read_bytes() == b"2"

    def test_a_link_in_the_way_is_refused_and_its_target_stays(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "theirs").mkdir()
        (tmp_path / "theirs" / "c").write_text(OTHER)
        (folder / "b" / "c").unlink()
        (folder / "b").rmdir()
        (folder / "b").symlink_to("../theirs")
        with pytest.raises(Refusal, match="in the way"):
            write_folder(folder, {"b/c": b"4"}, MARKER)
        write_folder(folder, {"a": b"3"}, MARKER)
        assert (tmp_path / "theirs" / "c").read_text() == OTHER

    @pytest.mark.parametrize("name", ["../theirs", "/etc/hostname", "b/../../theirs"])
    def test_a_marker_that_names_files_outside_removes_nothing(self, folder: Path, tmp_path: Path, name: str) -> None:
        (tmp_path / "theirs").write_text(OTHER)
        (folder / MARKER).write_text(f"{name}\na\n")
        write_folder(folder, {"d": b"4"}, MARKER)
        assert (tmp_path / "theirs").read_text() == OTHER and not (folder / "a").exists()

    def test_a_marker_that_is_a_link_marks_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "theirs").write_text("a\n")
        folder = tmp_path / "folder"
        folder.mkdir()
        (folder / "a").write_text(OTHER)
        (folder / MARKER).symlink_to("../theirs")
        with pytest.raises(Refusal, match="holds something else"):
            check_folder(folder, MARKER)

    def test_an_emptied_folder_keeps_its_marker_and_follows_no_link(self, folder: Path, tmp_path: Path) -> None:
        (tmp_path / "theirs").mkdir()
        (tmp_path / "theirs" / "file").write_text(OTHER)
        (folder / "link").symlink_to("../theirs")
        ownership.empty_folder(folder, MARKER)
        assert [path.name for path in folder.iterdir()] == [MARKER]
        assert (tmp_path / "theirs" / "file").read_text() == OTHER

    def test_a_folder_without_our_marker_is_never_emptied(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text(OTHER)
        with pytest.raises(Refusal, match="is not ours"):
            ownership.remove_folder(tmp_path, MARKER)
        assert (tmp_path / "file").read_text() == OTHER


@pytest.mark.slow
@pytest.mark.parametrize("line", WRITING)
def test_a_command_replaces_its_own_earlier_output(line: str, tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_text("PLACE[(6,3), (7,2), (7,3), (7,4)]\n")
    command = line.format(game=ROOT / "tests/recordings/lost.sky").split()
    for _ in range(2):
        done = run_python("-m", *command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)})
        assert (done.returncode, done.stderr) == (0, ""), done.stderr


@pytest.mark.parametrize("name", ["sim/skyline.gif", "sim/screens.png", "sim/demo.sky"])
def test_pictures_of_the_repository_can_be_made_again(name: str) -> None:
    content = (ROOT / name).read_bytes()
    assert carries_mark(content) or content.startswith(b"SKY")


def test_saves_of_ours_are_taken_and_others_refused(tmp_path: Path) -> None:
    for content in (b"\xff" * 5, b"\0" * BANK_BYTES):
        (tmp_path / "bank0.bin").write_bytes(content)
        check_saves(tmp_path)
    (tmp_path / "bank0.bin").write_text(OTHER)
    with pytest.raises(Refusal, match=r"bank0\.bin is not a save of Skyline"):
        check_saves(tmp_path)


def test_a_foreign_database_gets_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as theirs, theirs:
        theirs.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(Unusable, match="of another program"):
        Database(path).run(lambda connection: connection.execute(COUNT).fetchone())
    assert path.read_bytes() == before


def test_an_installed_package_is_not_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "IS_CLONE", False)
    with pytest.raises(Refusal, match="needs a clone of the repository"):
        ownership.write_clone(tmp_path / "openers.bin", b"")
    assert not list(tmp_path.iterdir())


@needs.system(sys.platform != "win32", "a pipe with a name")
def test_a_pipe_with_a_name_is_a_stream(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        with output(pipe) as file:
            file.write(b"told")
        assert reader.stdout and reader.stdout.read() == b"told"


def test_a_failing_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(add_mark(make_png()))
    with patch.object(Path, "replace", side_effect=OSError(28, "No space left on device")):  # noqa: SIM117
        with pytest.raises(OSError, match="No space"), output(path) as file:
            file.write(b"new")
    assert path.read_bytes() == add_mark(make_png()) and list(tmp_path.iterdir()) == [path]


class Cut(BaseException):
    """Power fails."""


def cut_at(number: int, calls: list[str]) -> Any:
    """Return a wrapper for a function of the system: the call with this number, over all functions, fails."""

    def wrap(name: str, call: Any) -> Any:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            if len(calls) > number:
                raise Cut
            return call(*arguments, **options)

        return wrapped

    return wrap


@pytest.mark.parametrize("number", range(5))
def test_ownership_a_cut_anywhere_leaves_the_old_or_the_new_file(number: int, tmp_path: Path) -> None:
    """The order is: write, fsync, rename, fsync of the folder."""
    path = tmp_path / "bank"
    path.write_bytes(b"old")
    calls: list[str] = []
    wrap = cut_at(number, calls)
    with pytest.MonkeyPatch.context() as patch, suppress(Cut):
        patch.setattr(os, "fsync", wrap("fsync", os.fsync))
        patch.setattr(Path, "replace", wrap("rename", Path.replace))
        patch.setattr(Path, "unlink", wrap("unlink", Path.unlink))
        with ownership.replace(path) as file:
            wrap("write", file.write)(b"new")
    assert calls[: number + 1] == ["write", "fsync", "rename", "fsync"][: number + 1]
    assert path.read_bytes() == (b"new" if number > 2 else b"old")


def test_ownership_left_overs_of_the_dead_go_and_of_the_living_stay(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as dead:
        dead.wait()
    parts = [tmp_path / f".skyline-{name}.part" for name in (dead.pid, f"{dead.pid}-3", os.getpid(), "x", "1")]
    for part in parts:
        part.write_bytes(b"half")
    (tmp_path / f".skyline-{dead.pid}-4.part").mkdir()
    with ownership.replace(tmp_path / "file") as file:
        file.write(b"whole")
    assert [part.exists() for part in parts] == [False, False, True, True, True]
    assert (tmp_path / "file").read_bytes() == b"whole" and len([*tmp_path.iterdir()]) == 5
