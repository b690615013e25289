""".ci/bare.py: the README's commands on a machine where every optional part is hidden; what a run skipped is told."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tests.support import needs, skipped
from tests.support.parts import PARTS
from tests.support.running import ROOT
from tools.web.browse import BROWSERS, FIREFOXES

# Parts that belong to a clone or to its environment, and those that no test can look for.
NOT_HIDDEN = {"atheris", "history", "manifold3d", "measurements", "micropython", "packages", "train"}
NOT_SOUGHT = {"compiler", "registry", "sound"}
LOOKING = """
import json, sys
sys.path.append(".")
from tests.support import needs
from tools.web import WebError, npm
found = {part: not needs.is_missing(part) for part in json.loads(sys.argv[1])}
try:
    found["registry"] = bool(npm.MICROPYTHON.fetch())
except WebError as problem:
    found["registry"] = not str(problem).endswith(needs.UNREACHABLE)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def bare() -> ModuleType:
    spec = importlib.util.spec_from_file_location("bare", ROOT / ".ci" / "bare.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_ci_begins_with_exactly_the_commands_of_the_readme(bare: ModuleType) -> None:
    readme, run = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", ".ci/run"))
    for command in (bare.PLAY, bare.TEST):
        assert f"\n{' '.join(command)}\n" in readme
    assert run.index("\npython3 .ci/bare.py ") < run.index("apt-get install") < run.index(".venv/bin/python")


def test_a_bare_machine_has_no_optional_part(bare: ModuleType, tmp_path: Path) -> None:
    machine = bare.Machine(tmp_path, "bare", Path(sys.executable))
    sought = sorted(set(PARTS) - NOT_HIDDEN - NOT_SOUGHT)
    variables = machine.variables(bare.ALL_PARTS, network=False)
    command = [sys.executable, "-c", LOOKING, json.dumps(sought)]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == dict.fromkeys([*sought, "registry"], False)


def test_programs_of_a_hidden_part_are_not_in_path(bare: ModuleType, tmp_path: Path, monkeypatch) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("node", "sed", "gcc-12", "x86_64-linux-gnu-gcc", "chromium", "git"):
        (programs / name).touch(0o755)
    monkeypatch.setenv("PATH", str(programs))
    bare.link_programs(tmp_path / "links", {*PARTS["node"].programs, *PARTS["compiler"].programs}, Path(sys.executable))
    assert {path.name for path in (tmp_path / "links").iterdir()} == {"chromium", "git", "python3", "sed"}


def test_a_bare_machine_forgets_what_names_a_part(bare: ModuleType, tmp_path: Path, monkeypatch) -> None:
    names = [name for part in PARTS.values() for name, value in part.variables if not value]
    for name in [*names, "PYTHONPATH", "XDG_CACHE_HOME"]:
        monkeypatch.setenv(name, "something")
    found = bare.Machine(tmp_path, "bare", Path(sys.executable)).variables(bare.ALL_PARTS, network=False)
    assert found["HOME"] == str(tmp_path / "bare" / "home") and "something" not in found.values()


def test_the_parts_know_the_programs_that_the_tools_look_for() -> None:
    assert set(BROWSERS) <= set(PARTS["chromium"].programs) and set(FIREFOXES) <= set(PARTS["firefox"].programs)


def test_every_python_of_the_machine_from_310_on_is_found(bare: ModuleType) -> None:
    found = bare.list_pythons()
    assert all(version >= (3, 10) for version in found) and list(found) == sorted(found)
    for version, path in found.items():
        said = subprocess.run([path, "-V"], capture_output=True, text=True, check=True).stdout
        assert said.startswith(f"Python {'.'.join(map(str, version))}")


def test_the_short_suite_names_tests_that_exist(bare: ModuleType) -> None:
    for each in bare.SHORT:
        path, *names = each.split("::")
        if path.startswith("tests/"):
            assert (ROOT / path).exists() and all(f" {name}" in (ROOT / path).read_text("utf-8") for name in names)


def test_skipped_tests_are_told_in_one_line_a_part() -> None:
    reports = [SimpleNamespace(longrepr=("x.py", line, f"Skipped: {needs.tell('node')}")) for line in range(3)]
    reports.append(SimpleNamespace(longrepr=("y.py", 1, f"Skipped: {needs.tell('uf2')}")))
    assert skipped.summarize(reports) == [f"3 skipped: {needs.tell('node')}", f"1 skipped: {needs.tell('uf2')}"]
    assert needs.tell("node") == "needs Node 20: apt install nodejs"


def test_skipped_tests_stay_in_the_list_until_they_run(tmp_path: Path) -> None:
    file = tmp_path / "skyline" / "skipped"
    skipped.keep(file, {"a", "b"}, set())
    skipped.keep(file, {"b", "c"}, {"a"})
    assert file.read_text() == "b\nc\n"


def test_bare_has_help(tmp_path: Path) -> None:
    command = [sys.executable, "-S", str(ROOT / ".ci" / "bare.py"), "--help"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "--long" in done.stdout


@pytest.mark.parametrize(("arguments", "words"), [(["--place", "{file}"], "exists"), (["--user", "nosuch"], "no user")])
def test_bad_arguments_get_one_line(
    bare: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments,
    words,
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr(os, "getuid", lambda: 0)
    given = [each.format(file=file) for each in arguments]
    monkeypatch.setattr(sys, "argv", ["bare.py", "--place", str(tmp_path / "place"), "--without", "main", *given])
    assert bare.main() == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and words in told
