"""No room has more lines of Python than its figure in size.txt.

Who needs more raises the figure in the commit that adds the lines, and says in its body what they are worth.
`git log -p tests/budgets/size.txt` then tells what each feature cost.
"""

from collections import Counter
from pathlib import Path

from tests.support.running import ROOT

FIGURES = Path(__file__).with_name("size.txt")
TOPS = ("firmware", "sim", "tools", "tests")


def name_room(path: Path) -> str:
    """Return a file's folder, at most two levels deep, relative to the root."""
    return "/".join(path.relative_to(ROOT).parts[:-1][:2]) or "."


def count_lines() -> Counter[str]:
    paths = [*ROOT.glob("*.py"), *(path for top in TOPS for path in (ROOT / top).rglob("*.py"))]
    found: Counter[str] = Counter()
    for path in paths:
        if not any(part.startswith(".") or part == "node_modules" for part in path.relative_to(ROOT).parts):
            found[name_room(path)] += len(path.read_bytes().splitlines())
    return found


def read_figures(text: str) -> dict[str, int]:
    """Return the most lines of each room; comments begin with `#`."""
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {room: int(lines) for lines, room in rows}


def find_excess(found: dict[str, int], most: dict[str, int]) -> list[str]:
    """Return one line for each room with more lines than its figure, or without one."""
    return [
        f"{room}: {found[room]} lines, {most.get(room, 0)} in size.txt"
        for room in sorted(found)
        if found[room] > most.get(room, 0)
    ]


def test_no_room_grows_past_its_figure() -> None:
    assert find_excess(count_lines(), read_figures(FIGURES.read_text(encoding="utf-8"))) == []


def test_every_figure_belongs_to_a_room() -> None:
    assert read_figures(FIGURES.read_text(encoding="utf-8")).keys() == count_lines().keys()


def test_a_room_that_grew_and_a_new_one_are_named() -> None:
    most = read_figures("# lines  room\n  10  firmware/a\n  20  firmware/b\n")
    found = find_excess({"firmware/a": 10, "firmware/b": 21, "firmware/c": 1}, most)
    assert found == ["firmware/b: 21 lines, 20 in size.txt", "firmware/c: 1 lines, 0 in size.txt"]
