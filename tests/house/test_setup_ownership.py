"""tools.setup makes, fills and empties only a .venv that it made itself."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support.rights import look, needs_rights, without_rights
from tools import setup

STRANGE = "not made here"


@pytest.fixture
def calls(place: Path, monkeypatch: pytest.MonkeyPatch) -> Mock:
    """Let setup work on place/.venv, and note the processes that it would start."""
    monkeypatch.setattr(setup, "VENV", str(place / ".venv"))

    def make(command: list[str], **_options: object) -> int:
        python = Path(setup.venv_python(command[-1]))
        if "venv" in command:
            python.parent.mkdir()
            python.touch()
        return 0

    monkeypatch.setattr(setup.subprocess, "call", calls := Mock(side_effect=make))
    return calls


def make_link_to_environment(venv: Path) -> None:
    shared = venv.with_name("shared")
    (shared / "lib").mkdir(parents=True)
    (shared / "lib" / "module.py").write_text(STRANGE)
    (shared / "skyline-test.stamp").write_text("of another day")
    venv.symlink_to("shared")


def make_dangling_link(venv: Path) -> None:
    venv.symlink_to("nowhere")


def make_file(venv: Path) -> None:
    venv.write_text(STRANGE)


def make_environment_by_hand(venv: Path) -> None:
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (venv / "bin" / "python").write_text(STRANGE)
    venv.chmod(0o777)


def make_closed_folder(venv: Path) -> None:
    venv.mkdir()
    venv.chmod(0o555)


def make_link_for_lock(venv: Path) -> None:
    venv.with_name("theirs").write_text(STRANGE)
    venv.with_name(".venv.lock").symlink_to("theirs")


def make_dangling_lock(venv: Path) -> None:
    venv.with_name(".venv.lock").symlink_to("nowhere")


FOREIGN = {
    make_link_to_environment: r"\.venv is a symbolic link: name",
    make_dangling_link: r"\.venv is a symbolic link: name",
    make_file: r"\.venv: it is no folder",
    make_environment_by_hand: "this command did not make; activate it .* or rename or delete it",
    make_closed_folder: "permission denied",
    make_link_for_lock: "is a link or no file: delete it",
    make_dangling_lock: "is a link or no file: delete it",
}


@needs_rights
@pytest.mark.parametrize("make", FOREIGN, ids=lambda make: make.__name__.removeprefix("make_"))
def test_what_setup_did_not_make_is_refused_untouched(make, calls: Mock, place: Path) -> None:
    make(place / ".venv")
    place.chmod(0o777)
    before = look(place)

    setup.check_python()  # imports what others may not read
    with without_rights(), pytest.raises(setup.SetupError, match=FOREIGN[make]) as refused:
        setup.make_environment("test")

    assert look(place) == before and not calls.mock_calls and "\n" not in str(refused.value)


def test_an_old_environment_of_ours_is_emptied_and_made_again(calls: Mock, place: Path) -> None:
    venv = place / ".venv"
    (venv / "lib").mkdir(parents=True)
    (venv / "lib" / "old.py").touch()
    python = Path(setup.venv_python(str(venv)))
    python.parent.mkdir()
    python.touch()
    for extra in ("sim", "test"):
        (venv / f"skyline-{extra}.stamp").write_text("of another day")
    (venv / "lib64").symlink_to("lib")

    setup.make_environment("test")

    assert sorted(path.name for path in venv.iterdir()) == ["bin", "skyline-made.stamp", "skyline-test.stamp"]
    making, installing = (call.args[0] for call in calls.mock_calls)
    assert making == [sys.executable, "-m", "venv", str(venv)] and installing[2] == "pip"
    assert setup.is_installed("test", setup.fingerprint())


def test_an_interrupted_setup_is_ours_the_next_time(calls: Mock, place: Path) -> None:
    make, calls.side_effect = calls.side_effect, KeyboardInterrupt
    with pytest.raises(KeyboardInterrupt):
        setup.make_environment("test")
    (place / ".venv" / "half").touch()
    calls.side_effect = make

    setup.make_environment("test")

    assert not (place / ".venv" / "half").exists() and setup.is_made("test")


def test_the_folder_behind_a_link_survives_the_command(tmp_path: Path) -> None:
    for name in ("tools", "sim", "pyproject.toml"):
        (tmp_path / name).symlink_to(setup.ROOT + "/" + name)
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "packages").write_text(STRANGE)
    (tmp_path / ".venv").symlink_to("shared")
    code = "import sys, tools.setup as s; s.VENV = sys.argv.pop(1); sys.exit(s.main())"
    command = [sys.executable, "-c", code, str(tmp_path / ".venv"), "sim"]
    done = subprocess.run(command, cwd=setup.ROOT, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1) and "is a symbolic link" in done.stderr
    assert (shared / "packages").read_text() == STRANGE and [path.name for path in shared.iterdir()] == ["packages"]
