"""Count what must show that nobody lies and nothing is lost: `python -m tests.support.shown` fills tests/README.md."""

import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from tests.support.running import ROOT, SLOW_TOO
from tools.markdown import fill_page, lay_out

FIGURES = ("shown", "python -m tests.support.shown")
KINDS = ("forged", "hostile", "ownership")
_LIES = "tests/link/test_link_forged.py::test_ten_thousand_random_lies_split_no_result"
_IN_PART = 100  # lies
_BROKEN = ("failure", "error")


def count_tests(report: Path) -> dict[str, Counter[str]]:
    """Return for each kind, from pytest's report as XML, how many tests passed, were skipped or failed."""
    found = {kind: Counter[str]() for kind in KINDS}
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}".lower()
        ended = {part.tag for part in case}
        result = "failed" if ended & set(_BROKEN) else "skipped" if "skipped" in ended else "passed"
        found[next(kind for kind in KINDS if kind in name)][result] += 1
    return found


def run_tests(*words: str) -> dict[str, Counter[str]]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", *words, f"--junitxml={report}"]
        subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
        return count_tests(report)


def tell_lies(count: int) -> Counter[str]:
    """Let one device of a ring lie so often; return how often no honest one was wronged, by parts of the long test."""
    found = run_tests("-m", "long", *(f"{_LIES}[{part}]" for part in range(count // _IN_PART)))["forged"]
    return Counter({result: parts * _IN_PART for result, parts in found.items()})


def fill(lies: int) -> None:
    found = {f"tests named {kind}": results for kind, results in run_tests(*SLOW_TOO, "-k", " or ".join(KINDS)).items()}
    found["random lies in a ring of three or four"] = tell_lies(lies)
    rows = [
        (name, *(f"{results[each]:,}" for each in ("passed", "skipped", "failed"))) for name, results in found.items()
    ]
    table = lay_out(["what", "held", "skipped", "broken"], rows)
    print(table, end="")
    fill_page(ROOT / "tests" / "README.md", *FIGURES, table)


if __name__ == "__main__":
    fill(int(sys.argv[1]) if sys.argv[1:] else 10_000)
