"""The image of a drive holds the firmware, minified, and runs."""

import ast
import re
import shutil
from pathlib import Path

import pytest

from tests.support.board_lint import lint_all
from tests.support.deployed import BOARD, Files, build
from tests.support.needs import needs_wasm
from tests.support.running import ROOT
from tools import interpreters
from tools.deploy import image
from tools.files import write_files


def python(files: Files) -> Files:
    return {name: content for name, content in files.items() if name.endswith(".py")}


def test_the_image_holds_the_firmware_and_the_files_at_the_root(files: Files) -> None:
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "firmware").rglob("*.py")}
    sources |= {
        "firmware/match/attacks.txt",
        "firmware/modes/modes.txt",
        "firmware/device/profiles.txt",
        "firmware/all_clears.bin",
        "firmware/first_game.bin",
        "firmware/goals.txt",
        "firmware/openers.bin",
        "firmware/puzzles.bin",
        "firmware/winning.bin",
    }
    sources -= {name for name in sources if name.endswith("/__init__.py")}  # which hold only docstrings
    sources -= {image.TABLE, *image.ON_PC}  # the other files hold the values of the table
    assert set(files) == sources - {"firmware/safemode.py"} | {"safemode.py", "boot.py", "code.py"}
    assert list(files)[-1] == "code.py"


def test_no_comments_docstrings_or_annotations_are_left(files: Files) -> None:
    for name, source in python(files).items():
        assert b"#" not in source.split(b"\n")[0], name
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                assert ast.get_docstring(node) is None, name
            if isinstance(node, ast.FunctionDef):
                assert node.returns is None, name


def test_the_image_has_less_than_six_tenths_of_the_sources_bytes(files: Files) -> None:
    sources = sum(path.stat().st_size for path in (ROOT / "firmware").rglob("*.py"))
    assert sum(map(len, files.values())) < sources * 6 // 10


def test_every_file_uses_only_features_of_the_board(files: Files) -> None:
    assert lint_all(BOARD, {name: source.decode() for name, source in python(files).items()}) == {}


@needs_wasm
def test_minified_firmware_plays_the_recordings(files: Files, tmp_path: Path) -> None:
    write_files(tmp_path, files)
    shutil.copytree(ROOT / "tests" / "recordings", tmp_path / "recordings")
    script = (ROOT / "tests/portable/case_trace.py").read_text().replace("tests/recordings", "recordings")
    assert interpreters.run(interpreters.WASM, script, root=tmp_path).last_line.startswith("marathon ")


@needs_wasm
def test_every_minified_module_without_hardware_can_be_imported(files: Files, tmp_path) -> None:
    write_files(tmp_path, {**image.read_data(), **python(files)})
    paths = [name for name in python(files) if re.match("firmware/(?!device/)", name)]
    names = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in paths]
    lines = "".join(f"import {name}\n" for name in sorted(names))
    assert interpreters.run(interpreters.WASM, lines + "print('all')", root=tmp_path).last_line == "all"


@pytest.mark.parametrize(
    ("display", "library"),
    [("displayio-ssd1306", "adafruit_displayio_ssd1306"), ("sh1106", "adafruit_displayio_sh1106")],
)
def test_the_library_of_a_display_is_copied(display: str, library: str) -> None:
    source = build(display)[f"lib/{library}.py"]
    assert b"_INIT_SEQUENCE" in source
    assert b"SPDX-License-Identifier: MIT" in source, "its licence requires the notice"
