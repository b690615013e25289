"""tools.setup: its commands, their environments and errors, and the coverage gate of `test`."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support.running import ROOT, run_python
from tools import setup


def test_the_whole_suite_runs_in_two_parts_with_a_coverage_gate() -> None:
    gated, rest = setup.commands("test", [])
    assert {"--cov", "--cov-branch", "--cov-fail-under=100", *setup.GATED} <= set(gated)
    assert {f"--ignore={folder}" for folder in setup.GATED} <= set(rest)
    assert all((ROOT / folder).is_dir() for folder in setup.GATED)


@pytest.mark.parametrize(
    ("what", "module", "options"),
    [
        ("test -k lint", "pytest", "-k lint"),  # without the coverage gate
        ("sim --level 5", "sim", "--level 5"),
        ("web", "tools.web", "serve --open"),
        ("web build", "tools.web", "build"),
        ("export --help", "tools.export", "--help"),
        ("tools.export --help", "tools.export", "--help"),
        ("tetress.tables --help", "tools.tetress.tables", "--help"),
        ("board get", "tools.board", "get"),
        ("deploy --dry-run", "tools.deploy", "--dry-run"),
    ],
)
def test_further_arguments_go_to_the_module(what: str, module: str, options: str) -> None:
    name, *arguments = what.split()
    assert setup.commands(name, arguments) == [["-m", module, *options.split()]]


@pytest.mark.parametrize("what", ["test", "sim", "web"])
def test_readme_has_the_command(what: str) -> None:
    assert f"\npython3 -m tools.setup {what}\n" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_an_old_python_is_refused_with_the_needed_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup.sys, "version_info", (3, 9, 18, "final", 0))
    with pytest.raises(setup.SetupError, match=r"Python 3\.10 or newer is needed, this one is 3\.9"):
        setup.check_python()


def test_without_ensurepip_the_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(setup.SetupError, match="python3-venv"):
        setup.check_python()


def test_an_environment_of_the_same_project_file_is_reused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(setup, "VENV", str(tmp_path))
    python = Path(setup.venv_python(str(tmp_path)))
    python.parent.mkdir()
    python.touch()
    Path(setup.stamp_path("test")).write_text(setup.fingerprint(), encoding="ascii")
    monkeypatch.setattr(setup.subprocess, "call", Mock(side_effect=AssertionError("the environment was made again")))
    setup.make_environment("test")
    setup.make_environment("sim")


def test_failed_pip_is_reported_and_leaves_no_stamp(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(setup, "VENV", str(tmp_path))
    monkeypatch.setattr(setup.subprocess, "call", lambda command, **_options: int("pip" in command))
    with pytest.raises(setup.SetupError, match="pip could not install"):
        setup.make_environment("sim")
    assert not Path(setup.stamp_path("sim")).exists()


def test_a_second_run_at_the_same_time_is_refused(monkeypatch, tmp_path) -> None:
    """Once two runs emptied each other's .venv but left a valid stamp."""
    monkeypatch.setattr(setup, "VENV", str(tmp_path / "venv"))
    held = f"from tools import setup; setup.VENV = {setup.VENV!r}; lock = setup.lock_environment(); print(); input()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", held], cwd=ROOT, stdin=pipe, stdout=pipe) as other:
        assert other.stdout and other.stdout.readline()
        with monkeypatch.context() as patch:
            patch.setattr(setup.subprocess, "call", Mock(side_effect=AssertionError("the second run began")))
            with pytest.raises(setup.SetupError, match="another run is setting up"):
                setup.make_environment("sim")
        other.kill()
    setup.lock_environment().close()  # a killed process holds no lock


def test_an_unwritable_folder_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(setup, "VENV", str(tmp_path / "none" / "venv"))
    with pytest.raises(setup.SetupError, match=r"cannot write .*: No such file or directory"):
        setup.make_environment("sim")


@pytest.mark.parametrize("arguments", [[], ["upload"]])
def test_wrong_command_is_refused_without_traceback(arguments: list[str]) -> None:
    done = run_python("-m", "tools.setup", *arguments)
    assert done.returncode == 2 and "Traceback" not in done.stderr


@pytest.mark.parametrize("what", ["dploy", "upload", "tools", "no.such", "../sim", "workers.py", ""])
def test_an_unknown_tool_is_refused(what: str) -> None:
    with pytest.raises(setup.SetupError, match=r"^there is no tool '.*'; (there are sim, test, |did you mean )"):
        setup.commands(what, [])


def test_each_extra_of_a_command_is_one_of_the_project() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for extra in {setup.ALL, setup.WIRED, *",".join(setup.EXTRAS.values()).split(",")}:
        assert f"\n{extra} = [" in project
    for what in setup.EXTRAS:
        assert setup.commands(what, ["x"])


def test_a_raspberry_pi_gets_its_own_extra() -> None:
    assert setup.find_extra(["-m", "sim", "--blinka", "my.toml"]) == setup.WIRED
    assert setup.find_extra(["-m", "sim", "--seed", "5"]) == "sim"
    assert setup.find_extra(["-m", "tools.hardware", "check"]) == setup.ALL


def test_python_in_a_quoted_command_is_the_environments() -> None:
    first = setup.environment()["PATH"].split(os.pathsep)[0]
    assert Path(first) == Path(setup.venv_python(setup.VENV)).parent
