"""The files of a desktop: what is installed is removed again, what is another's stays."""

import sys
from pathlib import Path

import pytest

from sim.ownership import MARK, add_mark
from sim.terminal import Refusal
from tests.support import needs
from tests.support.rights import look
from tools.release import share
from tools.web import install as icons
from tools.wheel import desktop

pytestmark = needs.system(sys.platform not in ("win32", "darwin"), "XDG folders")
OTHER = "of another\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folders, and a wheel's files beside them."""
    for name in ("data", "cache"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    monkeypatch.setattr(desktop, "SHARE", tmp_path / "share")
    for name, content in share.make().items():
        (tmp_path / "share" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "share" / name).write_bytes(content)
    (tmp_path / "data" / "applications").mkdir(parents=True)
    (tmp_path / "data" / "applications" / "other.desktop").write_text(OTHER)
    return tmp_path


def test_every_file_of_a_desktop_carries_our_mark(home: Path) -> None:
    contents = [path.read_bytes() for path in (home / "share").rglob("*") if path.is_file()]
    assert len(contents) == 5 and all(MARK in content for content in contents)


def test_uninstalling_removes_what_installing_wrote(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {name for name, (mode, _, _) in look(home / "data").items() if mode & 0o100000}
    desktop.install()
    desktop.install()  # a second time replaces ours
    written = set(capsys.readouterr().out.splitlines())

    desktop.uninstall()

    told = capsys.readouterr().out.splitlines()
    assert set(told) >= written and len(written) == 5
    assert {name for name, (mode, _, _) in look(home / "data").items() if mode & 0o100000} == before


@pytest.mark.parametrize("link", [False, True])
def test_a_file_of_another_is_neither_replaced_nor_removed(home: Path, link: bool, capsys) -> None:
    entry = home / "data" / desktop.ENTRY
    if link:
        (home / "theirs").write_bytes(share.make()[desktop.ENTRY])
        entry.symlink_to(home / "theirs")
    else:
        entry.write_text(OTHER)
    before = look(home)
    with pytest.raises(Refusal, match=r"another file has this name|is a symbolic link"):
        desktop.install()
    desktop.uninstall()
    assert look(home) == before and f"kept: {entry} is not ours" in capsys.readouterr().out


def test_files_of_a_release_without_marks_are_removed_too(home: Path) -> None:
    old = home / "data" / "icons/hicolor/128x128/apps" / f"{desktop.NAME}.png"
    old.parent.mkdir(parents=True)
    old.write_bytes(icons.icon(128))
    (home / "data" / desktop.ENTRY).write_text(f"[Desktop Entry]\nIcon={desktop.NAME}\n")
    assert MARK not in old.read_bytes()

    desktop.uninstall()

    assert not old.exists() and not (home / "data" / desktop.ENTRY).exists()


def test_the_tools_cache_is_emptied_and_other_files_in_it_stay(home: Path, capsys) -> None:
    ours = [
        *("renamed.json", "minified.json", "circuitpython-pico-10.0.0.uf2", "lean-qr-2.7.4.tgz"),
        *("npm/eslint-9.1.0.tgz", "lint-0123456789/node_modules/eslint/bin/eslint.js"),
        *(
            "board/0123456789abcdef/rp2040_1/core.step-1.py311.1.nbc",
            "bots/0123456789abcdef/CPython-3.11.7-0.61.0-znver3",
        ),
    ]
    theirs = ["notes.txt", "board/0123456789abcdef/theirs.txt", "renamed.json.txt"]
    for name in (*ours, *theirs):
        (home / "cache/skyline" / name).parent.mkdir(parents=True, exist_ok=True)
        (home / "cache/skyline" / name).write_text(OTHER)

    desktop.uninstall()

    left = {
        path.relative_to(home / "cache/skyline").as_posix() for path in (home / "cache").rglob("*") if path.is_file()
    }
    assert left == set(theirs) and "8 files that the tools kept" in capsys.readouterr().out


def test_games_stay(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "data" / "skyline").mkdir()
    (home / "data" / "skyline" / "bank0.bin").write_bytes(add_mark(b"save"))
    desktop.uninstall()
    assert (home / "data" / "skyline" / "bank0.bin").exists()
    assert f"kept: your games, in {home / 'data' / 'skyline'}" in capsys.readouterr().out
