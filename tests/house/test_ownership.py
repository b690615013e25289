"""No command writes, replaces or deletes what does not carry our mark."""

import ast
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from sim import terminal
from sim.ownership import Output, Refusal
from tests.support.parsers import COMMANDS, find_main, find_parser, walk
from tests.support.rights import look, needs_rights, without_rights
from tests.support.running import ROOT
from tools.files import write_files

LIST = Path(__file__).with_name("outputs.txt")
FOREIGN = b"not made here\n"
# Names that our commands write.
NAMES = (
    *("index.html", "code.py", "bank0.bin", "unfinished.bin", "0001.txt", "sheet_4x_1.png", "bom.csv", "SHA256SUMS"),
    *("play/index.html", "firmware/mine/driver.py", "library/games.db"),
)
# Modules that write by themselves, and why they may.
WRITERS = {
    "sim/desktop/transfer.py": "removes recordings of saves that check_saves() has seen",
    "sim/database.py": "renames a damaged database of ours, never deletes it",
    "sim/ending.py": "removes its note, which has our mark",
    "sim/library.py": "deletes games that the player names",
    "sim/ownership.py": "is the rule",
    "sim/store.py": "writes banks that check_saves() has seen",
    "tools/board/drive.py": "in a folder for temporary files",
    "tools/bots/arena/results.py": "writes a new database, or one with its application_id; never through a link",
    "tools/numba_cache.py": "marks our cache",
    "tools/bots/strong/tune.py": "continues a log that is_log() has seen",
    "tools/deploy/compiling.py": "in a folder for temporary files",
    "tools/deploy/copying.py": "has rules of its own for drives (looking.py)",
    "tools/deploy/steps.py": "as copying.py",
    "tools/deploy/volume.py": "as copying.py; never through a link",
    "tools/files.py": "in folders for temporary files",
    "tools/fuzz/readers.py": "in a folder for temporary files",
    "tools/fuzz/running.py": "in a folder for temporary files",
    "tools/fuzz/seeds.py": "in a folder for temporary files",
    "tools/hardware/board_files.py": "in a folder for temporary files",
    "tools/hardware/case_drawings.py": "in a folder for temporary files",
    "tools/hardware/circuit_board.py": "in a folder for temporary files",
    "tools/hardware/solids.py": "in a folder for temporary files",
    "tools/interpreters.py": "in a folder for temporary files",
    "tools/measure/environment.py": "in a folder with our stamp",
    "tools/measure/starting.py": "in a folder for temporary files",
    "tools/puzzles/compare.py": "in a folder for temporary files",
    "tools/mutants.py": "in a folder with our marker",
    "tools/run_cache.py": "deletes states by their names from our cache",
    "tools/setup.py": "writes its lock and its stamps",
    "tools/site/book.py": "in a folder for temporary files",
    "tools/typecheck.py": "in a folder for temporary files",
    "tools/web/bundling.py": "in a folder for temporary files",
    "tools/web/linting.py": "unpacks packages into a new folder of a cache",
    "tools/wheel/desktop.py": "deletes what check_file() has seen",
}
_WRITING = {"write_text", "write_bytes", "rmtree", "unlink", "rename"}
_WRITING |= {"rmdir", "copytree", "touch", "copyfile", "truncate"}
# Names that other owners have for what writes nothing.
_WRITING_OF = {("shutil", "copy"), ("shutil", "move"), ("os", "replace"), ("os", "remove"), ("sqlite3", "connect")}


class Case(NamedTuple):
    command: str
    words: tuple[str, ...]
    name: str
    suffix: str

    def __str__(self) -> str:
        return " ".join((self.command, *self.words, self.name)).strip()


@cache
def list_cases() -> list[Case]:
    """Return the outputs of all commands, found by walking their parsers."""
    cases = []
    for command in COMMANDS:
        for words, action in walk(find_parser(command)):
            if isinstance(action.type, Output):
                name = action.option_strings[-1] if action.option_strings else ""
                cases.append(Case(command, words, name, Path(str(action.metavar or "")).suffix.lower()))
    return cases


def fill(folder: Path) -> None:
    for name in NAMES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(FOREIGN)


def make_folder(place: Path, suffix: str) -> Path:
    fill(place / f"mine{suffix}")
    return place / f"mine{suffix}"


def make_link_to_folder(place: Path, suffix: str) -> Path:
    fill(place / "mine")
    (place / f"link{suffix}").symlink_to("mine")
    return place / f"link{suffix}"


def make_link_to_empty_folder(place: Path, suffix: str) -> Path:
    (place / "mine").mkdir()
    (place / f"link{suffix}").symlink_to("mine")
    return place / f"link{suffix}"


def make_file(place: Path, suffix: str) -> Path:
    (place / f"mine{suffix}").write_bytes(FOREIGN)
    return place / f"mine{suffix}"


def make_link_to_file(place: Path, suffix: str) -> Path:
    (place / f"link{suffix}").symlink_to(make_file(place, suffix).name)
    return place / f"link{suffix}"


def make_dangling_link(place: Path, suffix: str) -> Path:
    (place / f"link{suffix}").symlink_to("nowhere")
    return place / f"link{suffix}"


def make_closed_folder(place: Path, suffix: str) -> Path:
    (place / "closed").mkdir()
    (place / "closed").chmod(0o555)
    return place / "closed" / f"new{suffix}"


TARGETS = (
    *(make_folder, make_link_to_folder, make_link_to_empty_folder, make_file, make_link_to_file),
    *(make_dangling_link, make_closed_folder),
)


def run(case: Case, target: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run a command with this output; return its exit code and stderr."""
    name = [case.name] if case.name else []
    words = [*case.words, *name, str(target)]
    if "--folder" in name and case.command == "tools.library":  # its commands come after it
        words += ["list"]
    with patch.object(sys, "argv", [case.command, *words]), without_rights():
        try:
            code = terminal.run(find_main(case.command))
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, capsys.readouterr().err


def test_the_list_of_outputs_is_current() -> None:
    """Compare with tests/house/outputs.txt, which the reviewers of a new option read."""
    assert "".join(f"{case}\n" for case in list_cases()) == LIST.read_text(encoding="utf-8")


@needs_rights
@pytest.mark.parametrize("make", TARGETS, ids=lambda make: make.__name__.removeprefix("make_"))
@pytest.mark.parametrize("output", LIST.read_text(encoding="utf-8").splitlines())
def test_nothing_foreign_is_changed(output: str, make: Callable[..., Path], place: Path, capsys) -> None:
    (case,) = (each for each in list_cases() if str(each) == output)
    target = make(place, case.suffix)
    before = look(place)

    code, said = run(case, target, capsys)

    assert look(place) == before
    assert (code, said.count("\n")) == (terminal.FAILED, 1), said
    assert str(place) in said or make is make_folder and "arena" in output, said
    assert "must end in" not in said, said


def list_owners(folder: Path) -> set[str]:
    """Return the commands that have an option which takes this folder for its own."""
    owners = set()
    for command in COMMANDS:
        for _words, action in walk(find_parser(command)):
            if isinstance(action.type, Output):
                with suppress(Refusal):
                    action.type.check(folder)
                    owners.add(command)
    return owners


def test_a_folder_that_one_command_wrote_is_foreign_to_all_others(tmp_path: Path) -> None:
    texts = [path.read_text(encoding="utf-8") for part in ("sim", "tools") for path in (ROOT / part).rglob("*.py")]
    markers = {marker for text in texts for marker in re.findall(r'"(\.skyline-\w+)"', text)}
    write_files(tmp_path, {f"{marker}/{name}": b"" for marker in ("mine", *markers) for name in (marker, "x")})
    careful = list_owners(tmp_path / "mine")  # they check each file
    owners = {marker: list_owners(tmp_path / marker) - careful for marker in markers}
    assert all(len(commands) <= 1 for commands in owners.values()), owners
    known = {"tools.release", "tools.site", "tools.web", "tools.hardware", "tools.parts", "tools.tetress", "tools.fuzz"}
    assert known == set().union(*owners.values())


def test_every_path_that_is_written_is_an_output() -> None:
    for command in COMMANDS:
        for _words, action in walk(find_parser(command)):
            if action.type is terminal.path:
                assert not set((action.help or "").split()) & {"write", "keep", "save"}, (command, action.dest)


def test_only_known_modules_write_by_themselves() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in ("sim", "tools")
        for path in (ROOT / folder).rglob("*.py")
        if any(map(writes, ast.walk(ast.parse(path.read_text(encoding="utf-8")))))
    }
    assert found == set(WRITERS)


def writes(node: Any) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
    owner = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    if name == "open":
        modes = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        return owner != "wave" and any(set(mode) <= set("rwaxb+") and set(mode) & set("wax+") for mode in modes)
    return (name in _WRITING and owner != "naming") or (owner, name) in _WRITING_OF
