"""What a copy and a removal do to a mounted drive; test_deploy_fat.py interrupts them at each step."""

import errno
import os
import shutil
from pathlib import Path

import pytest

from tests.support.deployed import BOOT_OUT, Files, content, deploy, own, refusal
from tests.support.rights import needs_rights, without_rights
from tools.deploy import DeployError, copying, guard, looking, mark, planning, removing
from tools.deploy.volume import Volume, room_for
from tools.files import write_files

OLD = {"firmware/app.py": b"old app", "firmware/gone.py": b"gone", "boot.py": b"boot", "code.py": b"old code"}
FRESH = {"firmware/app.py": b"new app", "firmware/view/art.py": b"art", "boot.py": b"boot", "code.py": b"new code"}


@pytest.fixture
def old(drive: Path) -> Path:
    copy(drive, OLD)
    return drive


def copy(drive: Path, files: Files) -> planning.Plan:
    there = looking.look(Volume(drive), set(files))
    plan = planning.compare(there, files)
    copying.copy(there, files, plan)
    return plan


def remove(drive: Path) -> removing.Removal:
    there = looking.look(Volume(drive), set())
    removal = removing.plan(there)
    removing.remove(there, removal)
    return removal


def test_only_changed_files_and_code_py_are_written(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    write = Volume.write

    def note(volume: Volume, path: str, data: bytes) -> None:
        written.append(path)
        write(volume, path, data)

    monkeypatch.setattr(Volume, "write", note)
    copy(old, FRESH)
    assert own(old) == FRESH
    staged = ["firmware/app.py.new", "firmware/view/art.py.new", "code.py.new"]
    assert written == ["skyline.txt.new", *staged, "code.txt.new", "skyline.txt.new"]
    written.clear()
    copy(old, FRESH)
    assert written == []


def test_a_compiled_file_takes_the_place_of_its_source(old: Path) -> None:
    copy(old, {**FRESH, "firmware/app.mpy": FRESH["firmware/app.py"]})
    compiled = {name.replace("app.py", "app.mpy"): text for name, text in FRESH.items()}
    copy(old, compiled)
    assert own(old) == compiled


def test_what_a_stranger_added_stays(old: Path) -> None:
    mine = {"lib/other.py": b"mine", "notes.txt": b"mine", "code.py.bak": b"mine", "firmware/mine.py": b"mine"}
    write_files(old, mine)
    assert copy(old, FRESH).kept == ["firmware/mine.py"]
    assert own(old) == {**FRESH, **mine}


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("firmware/view/art.py", "before-skyline/firmware/view/art.py"),  # ours has this name
        ("firmware/View/ART.py", "before-skyline/firmware/View/ART.py"),  # to a board, too
        ("firmware/app.mpy/x.py", "before-skyline/firmware/app.mpy"),
        ("firmware/app/x.py", "before-skyline/firmware/app"),  # imported before app.py
        ("code.txt", "before-skyline/code.txt"),  # started before code.py
        ("Code.TXT", "before-skyline/Code.TXT"),
        ("code.txt/x.py", "before-skyline/code.txt"),
        ("Main.PY", "before-skyline/Main.PY"),
        ("code.txt.new", "before-skyline/code.txt.new"),  # a copy writes these
        ("code.py.new", "before-skyline/code.py.new"),
    ],
)
def test_what_would_win_over_us_moves_aside_and_back(old: Path, name: str, place: str) -> None:
    check_aside_and_back(old, name, place)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("skyline.txt", "before-skyline/skyline.txt"),
        ("skyline.txt/x.py", "before-skyline/skyline.txt"),
        ("skyline.txt.new", "before-skyline/skyline.txt.new"),
    ],
)
def test_a_strangers_file_with_the_name_of_the_mark_moves_aside_and_back(drive: Path, name: str, place: str) -> None:
    check_aside_and_back(drive, name, place)


def check_aside_and_back(drive: Path, name: str, place: str) -> None:
    write_files(drive, {name: b"mine"})
    copy(drive, FRESH)
    there = own(drive)
    assert [text for path, text in there.items() if path.startswith(place)] == [b"mine"]
    assert {path.lower(): text for path, text in there.items() if text != b"mine"} == FRESH
    remove(drive)
    assert own(drive) == {name: b"mine"}


def test_a_changed_file_of_ours_moves_aside_and_a_second_one_too(old: Path) -> None:
    for version in (b"mine", b"mine, too"):
        (old / "boot.py").write_bytes(version)
        assert copy(old, FRESH).missed == ["boot.py"]
    assert own(old) == {**FRESH, "before-skyline/boot.py": b"mine", "before-skyline/boot-2.py": b"mine, too"}
    assert remove(old).kept == ["before-skyline/boot-2.py"]
    assert own(old) == {"boot.py": b"mine", "before-skyline/boot-2.py": b"mine, too"}


@pytest.mark.parametrize(
    "name", ["firmware", "lib", "code.py", "firmware/view", "firmware/app.py", "before-skyline", "code.txt.new"]
)
def test_nothing_is_changed_behind_a_link(old: Path, tmp_path: Path, name: str) -> None:
    behind = tmp_path / "elsewhere"
    files = {"app.py": b"mine", "view/art.py": b"mine"}
    write_files(behind, files)
    if (old / name).is_dir():
        shutil.rmtree(old / name)
    (old / name).unlink(missing_ok=True)
    (old / "main.py").write_bytes(b"mine")
    (old / name).symlink_to(behind / "app.py" if name.endswith(".py") else behind)
    image = {**FRESH, "lib/display.py": b"ours"}
    if name == "before-skyline":
        with pytest.raises(DeployError, match="before-skyline is a symbolic link"):
            copy(old, image)
    else:
        copy(old, image)
        assert image.items() <= own(old).items()
        assert (old / "before-skyline" / name).is_symlink()
        remove(old)
    assert {path.relative_to(behind).as_posix(): path.read_bytes() for path in behind.rglob("*.py")} == files


def test_a_file_before_skyline_is_refused_before_any_change(old: Path) -> None:
    write_files(old, {"before-skyline": b"mine", "main.py": b"mine"})
    there = content(old)
    with pytest.raises(DeployError, match="before-skyline is a file"):
        copy(old, FRESH)
    assert content(old) == there


def test_a_file_aside_leaves_room_for_a_folder_of_its_name(drive: Path) -> None:
    write_files(drive, {"firmware": b"mine"})
    copy(drive, OLD)
    write_files(drive, {"firmware/app.py": b"mine, too"})
    copy(drive, FRESH)
    second = {"before-skyline/2/firmware/app.py": b"mine, too"}
    assert own(drive) == {**FRESH, "before-skyline/firmware": b"mine", **second}
    assert remove(drive).kept == [*second]
    assert own(drive) == {"firmware": b"mine", **second}


def test_what_cannot_come_back_is_said_to_stay(drive: Path) -> None:
    write_files(drive, {"firmware": b"mine"})
    copy(drive, OLD)
    (drive / "firmware/mine").mkdir()
    removal = remove(drive)
    assert (removal.back, removal.kept) == ({}, ["before-skyline/firmware"])
    assert own(drive) == {"before-skyline/firmware": b"mine"}


@pytest.mark.parametrize("name", ["Code.txt.new", "code.py.new", "skyline.txt.new"])
def test_remove_overwrites_nothing_that_came_later(old: Path, name: str) -> None:
    write_files(old, {name: b"mine"})
    there = content(old)
    with pytest.raises(DeployError, match=f"{name} is not Skyline's.*rename it"):
        remove(old)
    assert content(old) == there


def test_remove_leaves_a_file_in_the_place_of_a_folder_of_ours(old: Path) -> None:
    shutil.rmtree(old / "firmware")
    write_files(old, {"firmware": b"mine"})
    remove(old)
    assert own(old) == {"firmware": b"mine"}


@pytest.mark.parametrize("name", [".Spotlight-V100", "System Volume Information"])
def test_a_folder_that_the_pc_keeps_to_itself_does_not_matter(old: Path, monkeypatch, name: str) -> None:
    (old / name).mkdir()
    scan = os.scandir

    def refuse(path: Path) -> object:
        if path.name == name:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return scan(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        copy(old, FRESH)
    assert own(old) == FRESH


def test_a_drive_that_is_a_link_is_refused(old: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = old.parent / "link"
    link.symlink_to(old)
    assert deploy(link) == 2 and "is a symbolic link: name the drive itself" in refusal(capsys)


def test_names_that_differ_in_capitals_only_are_refused(old: Path) -> None:
    (old / "CODE.py").write_bytes(b"mine")
    with pytest.raises(DeployError, match="are one file to a board"):
        copy(old, FRESH)


def test_a_mark_that_leads_off_the_drive_is_none(old: Path) -> None:
    (old.parent / "other.py").write_bytes(b"mine")
    text = mark.Mark({"../other.py": {mark.digest(b"mine")}}).render()
    assert mark.read(text) is None
    assert mark.read(text.replace(b"../", b"")) is not None
    assert mark.read(text[:-3]) is None


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the drive is full"),
        (errno.EROFS, "the drive is read-only: .*; switch the board off and on, with no button held"),
        (errno.EACCES, "you have no permission for .*CIRCUITPY: change that, or mount it as yours"),
        (errno.EIO, "cannot use .*: Input/output error"),
    ],
)
def test_a_failing_write_does_not_change_the_program(old: Path, monkeypatch, number: int, words: str) -> None:
    def write(volume: Volume, path: str, data: bytes) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Volume, "write", write)
    with pytest.raises(DeployError, match=words):
        copy(old, FRESH)
    assert own(old) == OLD


@pytest.mark.parametrize("rotten", ["firmware/app.py.new", "firmware/view/art.py"])
def test_a_file_that_reads_back_differently_is_reported(old: Path, monkeypatch, rotten: str) -> None:
    """While it is written, when the program is unchanged, or in its final place."""
    read = Volume.read
    monkeypatch.setattr(Volume, "read", lambda volume, path: b"?" if path == rotten else read(volume, path))
    with pytest.raises(DeployError, match=rf"{rotten.removesuffix('.new')} reads back differently"):
        copy(old, FRESH)
    assert (own(old) == OLD) == rotten.endswith(".new")
    assert (old / "code.py").exists() != (old / guard.NAME).exists()


@needs_rights
@pytest.mark.parametrize(("mode", "words"), [(0o555, "you have no permission for "), (0, "cannot read ")])
def test_a_folder_without_rights_is_not_called_read_only(place: Path, capsys, mode: int, words: str) -> None:
    (place / "boot_out.txt").write_text(BOOT_OUT)
    place.chmod(mode)
    with without_rights():
        assert deploy(place, "--plain") == 2
    place.chmod(0o755)
    assert words + str(place) in refusal(capsys) and content(place) == {}


def test_room_is_counted_in_clusters_with_folders() -> None:
    assert room_for({"a": 0, "b": 1, "c": 512, "d": 513}, 512) == 512 * 4
    assert room_for({"x/y/a": 1}, 512) == 512 * 3


def test_a_cluster_size_is_assumed_if_the_system_has_no_statvfs(drive: Path, monkeypatch) -> None:
    assert Volume(drive).cluster_bytes in (512, 1024, 2048, 4096, 8192)
    monkeypatch.delattr(os, "statvfs", raising=False)
    assert Volume(drive).cluster_bytes == 512
