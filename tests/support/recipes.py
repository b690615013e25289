"""Carry out the recipes of a page: its examples and commands, in their order, in a copy of the sources."""

import os
import re
from pathlib import Path

from tests.support import needs
from tests.support.running import ROOT, run_python

_NAME = r"[\w./-]+\.(?:py|txt|tune|toml)"
_STEP = re.compile(
    rf"^(?P<indent> *)```(?P<language>\w+)\n(?P<block>.*?)^(?P=indent)```"
    rf"|`(?P<writes>SKYLINE_WRITE_GOLDEN=1 )?python -m (?P<command>(?:tools\.|pytest )[^`]+)`"
    rf"|`(?P<install>pip install -e \.\[deploy\])`"
    rf"|\]\((?P<link>{_NAME})\)|`(?P<path>{_NAME})`",
    re.M | re.S,
)


def find_section(page: str, heading: str) -> str:
    """Return the text below a heading of a page, up to the next heading that is no smaller."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = re.search(rf"^(##|###) {re.escape(heading)}\n(.*?)(?=^## |^\1 |\Z)", text, re.M | re.S)
    assert found, f"{page} has no heading '{heading}'"
    return found[2]


def carry_out(page: str, heading: str, copy: Path) -> list[str]:
    """Write each block of a section into the file that the words before it name last, and run the commands.

    A diff changes lines of that file, another block makes the file or goes to its end. Return the files.
    """
    place = ""
    written = []
    for step in _STEP.finditer(find_section(page, heading)):
        if step["command"]:
            code, output = run_in(copy, "-m", *step["command"].split(), writes=bool(step["writes"]))
            assert code == 0, output
        elif step["install"]:
            install_new(copy)
        elif step["link"] or step["path"]:
            place = step["path"] or os.path.normpath(Path(page).parent / step["link"])
        else:
            block = re.sub(rf"^{step['indent']}", "", step["block"], flags=re.M)
            write(copy / place, block, step["language"] == "diff")
            written.append(place)
    return written


def write(path: Path, block: str, is_diff: bool) -> None:
    """Change, lengthen or make a file."""
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if is_diff:
        before = "".join(line[1:] for line in block.splitlines(True) if line[0] != "+")
        after = "".join(line[1:] for line in block.splitlines(True) if line[0] != "-")
        assert old.count(before) == 1, f"{path} has other lines than the page says: {before}"
        new = old.replace(before, after)
    else:
        new = f"{old}\n{block}" if old else block
    path.write_text(new, encoding="utf-8")


def install_new(copy: Path) -> None:
    """Install the requirements that the copy has and the sources lack; skip where no package index can be reached."""
    old, new = (
        re.findall(r'"([\w-]+==[\d.]+)"', (root / "pyproject.toml").read_text("utf-8")) for root in (ROOT, copy)
    )
    wanted = [name for name in new if name not in old]
    done = run_python("-m", "pip", "install", "--quiet", "--no-deps", "--target", find_installed(copy), *wanted)
    needs.skip_if_offline(done)
    assert wanted and done.returncode == 0, done.stderr


def find_installed(copy: Path) -> Path:
    """Return the folder of the packages that only the copy needs: beside it, for the copy has what git would have."""
    return copy.with_name("installed")


def run_in(copy: Path, *arguments: str, writes: bool = False) -> tuple[int, str]:
    """Run Python in the copy, where tests may write golden frames; return its status, and its output or error."""
    places = os.pathsep.join(map(str, (copy, find_installed(copy))))
    more = {"SKYLINE_WRITE_GOLDEN": "1"} if writes else {}
    done = run_python(*arguments, cwd=copy, env={**os.environ, "PYTHONPATH": places, **more})
    return done.returncode, (done.stdout + done.stderr)[-4000:]
