"""Modules that a board loads together lie in one file, and do the same there."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.running import ROOT
from tools.deploy import DeployError, bundling, image
from tools.files import write_files

PARTS = {
    "firmware/low.py": """
        import gc
        from binascii import crc32

        _count = 1
        TABLE = b"low"

        def draw(value):
            global _count
            _count += 1
            count = len(TABLE)
            return [value for value in range(count)], _count, gc is not None, crc32(b"")
        """,
    "firmware/high.py": """
        from binascii import crc32 as gc
        from firmware import low
        from firmware.low import draw as draw_low

        TABLE = b"high"

        class High:
            name = TABLE

            def draw(self):
                from firmware.low import TABLE as table

                return draw_low(0), table, low.TABLE, self.name, gc(TABLE)
        """,
    "firmware/head.py": """
        from firmware.high import TABLE, High

        def draw():
            return High().draw(), TABLE
        """,
    "main.py": """
        from firmware import high, low
        from firmware.head import draw

        before = "head.later low high head"
        print(draw(), high.High().draw()[1:], low.draw(3)[0], low.TABLE)
        """,
}


def parse(sources: dict[str, str]) -> bundling.Trees:
    return {path: ast.parse("\n".join(line[8:] for line in text.split("\n"))) for path, text in sources.items()}


def run(trees: bundling.Trees, folder: Path) -> str:
    """Return what main.py prints with these modules and no others."""
    write_files(folder, {path: ast.unparse(tree).encode() for path, tree in trees.items()})
    program = [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, sys.argv[1]); import main", str(folder)]
    return subprocess.run(program, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def bundles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundling, "BUNDLES", {"head": "low high"})


def test_a_bundle_does_what_its_parts_did(bundles: None, tmp_path: Path) -> None:
    trees = bundling.merge(parse(PARTS))
    assert trees.keys() == {"firmware/head.py", "main.py"}
    assert run(trees, tmp_path / "bundle") == run(parse(PARTS), tmp_path / "apart") != ""


def test_lines_of_a_bundle_count_on_by_300_for_each_part(bundles: None) -> None:
    tree = bundling.merge(parse(PARTS))["firmware/head.py"]
    lines = [node.lineno for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    assert lines == [8, 308, 604]
    assert bundling.LINES == 300, "as the README says"


def test_lists_of_modules_lose_the_parts_of_bundles(bundles: None) -> None:
    tree = bundling.merge(parse(PARTS))["main.py"]
    assert "head.later head" in ast.unparse(tree)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('load("firmware.low")', "main.py names firmware.low, a part of a bundle"),
        ("import gc, firmware.low", "main.py imports firmware.low, a part of a bundle: write `from PACKAGE import"),
        ("from firmware import low; print(low)", "main.py uses firmware.low, a part of a bundle, as a value"),
        ("f(draw=1)", "an argument has the name of something in its module: draw"),
    ],
)
def test_what_a_bundle_cannot_keep_is_refused(bundles: None, line: str, words: str) -> None:
    sources = {**PARTS, "main.py": f"        {line}\n"}
    sources["firmware/low.py"] += "\n        def other(draw):\n            pass\n"
    with pytest.raises(DeployError, match=words):
        bundling.merge(parse(sources))


def test_a_part_that_asks_for_its_own_path_is_refused(bundles: None) -> None:
    sources = {**PARTS, "firmware/low.py": PARTS["firmware/low.py"] + "\n        PATH = __file__\n"}
    with pytest.raises(DeployError, match=r"firmware/low.py asks for its own path, but is a part of a bundle"):
        bundling.merge(parse(sources))


def test_a_part_comes_after_those_that_it_imports() -> None:
    sources = image.read_sources()
    for head, parts in bundling.BUNDLES.items():
        order = [f"firmware.{part}" for part in [*parts.split(), head]]
        for number, module in enumerate(order):
            for statement in ast.parse(sources[bundling.find_path(module)]).body:
                if isinstance(statement, ast.ImportFrom):
                    named = {str(statement.module), *(f"{statement.module}.{each.name}" for each in statement.names)}
                    assert not named & {*order[number + 1 :]}, f"{module} imports from a later part"


def test_a_module_that_a_start_drops_holds_no_part_that_stays() -> None:
    """What stays would keep alive all names of the module, and what these hold: 4 KB of a match for the bus."""
    start = ast.parse((ROOT / "firmware/device/boot/pico.py").read_text(encoding="utf-8"))
    set_there = [node for node in start.body if isinstance(node, ast.Assign)]
    (listed,) = [node for node in set_there if ast.unparse(node.targets[0]) == "_START_MODULES"]
    dropped = {*ast.literal_eval(listed.value).split()}
    mixed = {head for head, parts in bundling.BUNDLES.items() if head in dropped and {*parts.split()} - dropped}
    assert mixed == {"device.panels"}, "only with an LCD; it saves a small drive half a kilobyte"
