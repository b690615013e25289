"""What `python -m tools.deploy` does with a drive: it copies, asks, refuses and removes."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from tests.support.deployed import Files, content, deploy, own, refusal
from tools.deploy import copying, drives, image, mark
from tools.deploy.__main__ import main
from tools.files import write_files

PROJECT = {"code.py": b"mine=1", "boot.py": b"mine=2", "firmware/mine/driver.py": b"mine=3", "lib/own.py": b"mine=4"}


@pytest.mark.slow
def test_a_fresh_drive_gets_all_files_and_a_settings_file(drive: Path, compiled: Files, capsys) -> None:
    assert deploy(drive) == 0 and own(drive) == compiled
    assert (drive / "settings.toml").read_text() == image.settings_text()
    said = capsys.readouterr().out
    room = rf"^{len(compiled) + 1} files take [\d.]+ [KM]B of the drive; [\d.]+ [KM]B are free$"
    assert re.search(room, said, re.MULTILINE) and "CircuitPython 10.2.1" in said and deploy(drive) == 0
    assert f"\n{len(compiled)} as they were\n" in capsys.readouterr().out


def test_dry_run_lists_and_copies_nothing(drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = {
        "firmware/old.py": b"from firmware import other",
        "boot.py": b"supervisor.set_usb_identification('Skyline')",
    }
    write_files(drive, old | {"main.py": b"mine"})
    (drive / "firmware/old.mpy").write_bytes(b"C\6\0\x1f\0\0 firmware/old.mpy")
    before = content(drive)
    assert deploy(drive, "--dry-run", "--plain") == 0
    said = capsys.readouterr().out
    lines = [line for line in said.splitlines() if line.startswith(("would", "kept"))]
    assert lines[0] == "would move main.py to before-skyline/main.py" and len(lines) < 10
    assert re.fullmatch(r"would copy firmware/: \d{3} files, [\d.]+ [KM]B", lines[-2])
    assert lines[-1] == "would remove firmware/: 1 file, 23 bytes" and "would copy code.py: " in said
    assert "kept, because it is not Skyline's: firmware/old.py" in said
    assert content(drive) == before


@pytest.mark.slow
def test_the_owners_settings_stay_and_choose_the_library(drive: Path) -> None:
    text = 'SKYLINE_DISPLAY = "sh1106"\n'
    (drive / "settings.toml").write_text(text)
    assert deploy(drive, "--plain") == 0 and (drive / "settings.toml").read_text() == text
    assert (drive / "lib/adafruit_displayio_sh1106.py").exists()


def test_wrong_settings_are_refused_before_anything_is_copied(drive: Path, capsys) -> None:
    for text, options, words in (
        (b'SKYLINE_LEFFT = "GP2"\n', (), "SKYLINE_LEFFT is no key"),
        (b'SKYLINE_LEFT = "GP33"\n', ("--display", "sh1106"), "SKYLINE_LEFT is GP33, allowed: A0-A3 GP0-GP28"),
        (b"\xff\xfe", (), "settings.toml on the drive: it is in UTF-16, allowed: UTF-8"),
    ):
        (drive / "settings.toml").write_bytes(text)
        assert deploy(drive, *options) == 2 and words in refusal(capsys)
    assert content(drive) == {}


def test_a_missing_drive_is_reported(capsys, monkeypatch) -> None:
    monkeypatch.setattr(drives, "mounted", list)
    assert main([]) == 2 and "no CIRCUITPY drive" in refusal(capsys)


@pytest.mark.slow
def test_a_missing_minifier_is_reported_in_one_line(drive: Path, capsys, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "python_minifier", None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(drive.parent / "empty"))
    assert deploy(drive, "--source") == 2 and "python-minifier is not installed" in refusal(capsys)
    assert deploy(drive, "--plain") == 0 and image.prepare({"firmware/new.py": "ROWS = 20\n"})


def test_a_missing_library_is_reported_in_one_line(drive: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert deploy(drive, "--display", "sh1106", "--plain") == 2
    assert "adafruit-circuitpython-displayio-sh1106 is not installed" in refusal(capsys)


@pytest.mark.slow
def test_another_project_moves_only_after_a_yes(drive: Path, capsys, monkeypatch) -> None:
    write_files(drive, PROJECT)
    assert deploy(drive, "--plain") == 2
    assert "not Skyline's: boot.py, code.py, firmware; add --yes to move this to before-skyline/" in refusal(capsys)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("builtins.input", lambda question: "n" if "before-skyline" in question else "y")
    assert deploy(drive, "--plain") == 2 and "nothing was changed" in refusal(capsys)
    assert content(drive) == PROJECT
    monkeypatch.setattr("builtins.input", lambda question: "y" if "before-skyline" in question else "n")
    assert deploy(drive, "--plain") == 0
    assert "moved firmware to before-skyline/firmware; --remove puts it back" in capsys.readouterr().out
    moved = [name for name in PROJECT if not name.startswith("lib/")]
    assert [(drive / "before-skyline" / name).read_bytes() for name in moved] == [PROJECT[name] for name in moved]
    assert (drive / "lib/own.py").read_bytes() == PROJECT["lib/own.py"]


def test_the_end_of_the_input_is_a_no(drive: Path, capsys, monkeypatch) -> None:
    write_files(drive, PROJECT)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True, readline=lambda: ""))
    assert deploy(drive, "--plain") == 2 and "nothing was changed" in refusal(capsys)
    assert content(drive) == PROJECT


def test_remove_gives_the_drive_back(drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_files(drive, PROJECT | {"settings.toml": b""})
    assert deploy(drive, "--plain", "--yes", "--display", "sh1106") == 0
    assert deploy(drive, "--remove", "--dry-run") == 0
    assert "would put back boot.py, which was before-skyline/boot.py" in capsys.readouterr().out
    assert mark.NAME in content(drive)
    assert deploy(drive, "--remove") == 0
    assert content(drive) == PROJECT and (drive / "settings.toml").read_bytes() == b""
    assert not (drive / "before-skyline").exists()
    capsys.readouterr()
    assert deploy(drive, "--remove") == 2 and "there is no Skyline on" in refusal(capsys)


@pytest.mark.slow
def test_remove_keeps_what_the_owner_changed_and_says_so(drive: Path, capsys) -> None:
    assert deploy(drive, "--plain") == 0
    write_files(drive, {"settings.toml": b"X = 1", "firmware/app.py": b"mine", "save/best01_9.sky": b"mine"})
    assert deploy(drive, "--remove") == 0
    said = capsys.readouterr().out
    assert "keep settings.toml: it is yours" in said and "keep firmware/app.py: it is yours" in said
    assert content(drive) == {"firmware/app.py": b"mine", "save/best01_9.sky": b"mine"}


@pytest.mark.slow
def test_remove_puts_a_folder_back_into_one_that_stays(drive: Path, capsys) -> None:
    write_files(drive, PROJECT | {"firmware/x/y.py": b"mine"})
    assert deploy(drive, "--plain", "--yes") == 0
    later = {"firmware/added.py": b"later", "firmware/x/y.py": b"later"}
    write_files(drive, later)
    assert deploy(drive, "--remove") == 0
    assert content(drive) == {**PROJECT, **later, "before-skyline/firmware/x/y.py": b"mine"}
    kept = [line for line in capsys.readouterr().out.splitlines() if line.endswith(": it is yours")]
    names = ("before-skyline/firmware/x/y.py", "firmware/added.py", "firmware/x/y.py")
    assert sorted(kept) == [f"keep {name}: it is yours" for name in names]


def test_a_new_drive_asks_nothing(drive: Path) -> None:
    """CircuitPython writes a sample and empty settings to it."""
    fresh = {"code.py": b'print("Hello World!")\n', "settings.toml": b"", "sd/placeholder.txt": b"SD cards"}
    write_files(drive, fresh)
    (drive / "lib").mkdir()
    assert deploy(drive, "--plain") == 0
    assert (drive / "settings.toml").read_text() == image.settings_text()
    assert deploy(drive, "--remove") == 0
    assert {name: (drive / name).read_bytes() for name in fresh} == fresh and (drive / "lib").is_dir()


def test_ctrl_c_says_to_run_it_again(drive: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(copying, "copy", Mock(side_effect=KeyboardInterrupt))
    assert deploy(drive, "--plain") == 130 and "run it again" in refusal(capsys)
