"""Firmware imports, calls and writes only what the board's CircuitPython has (tests/support/board_rp2040.txt)."""

import json

import pytest

from tests.support import needs
from tests.support.board_lint import BOARD_FILE, Board, Lint, lint_all, rp2040
from tests.support.running import ROOT

MEASURED = ROOT.parent / "shared" / "board" / "rp2040.json"
FILES = sorted((ROOT / "firmware").rglob("*.py")) + [ROOT / "code.py", ROOT / "boot.py"]
BOARD = rp2040()


def test_files_use_only_modules_and_names_of_the_board() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in FILES}
    assert lint_all(BOARD, sources) == {}


def test_the_board_file_equals_the_measurement() -> None:
    needs.demand("measurements")
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    assert BOARD.modules == {name: set(names) for name, names in measured["modules"].items()}
    assert BOARD.types == {name: set(names) for name, names in measured["types"].items()}
    assert BOARD.absent == set(measured["absent"])
    assert BOARD_FILE.read_text(encoding="utf-8").splitlines()[0] == f"# {measured['about']}."


def test_the_board_file_refuses_unknown_lines() -> None:
    with pytest.raises(ValueError, match="what is 'modul gc'"):
        Board("modul gc: collect")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        # modules and their attributes
        *((f"import {name}", f"no module {name}") for name in ("enum", "typing")),
        ("from functools import reduce", "no module functools"),
        ("from . import tables", "no module (relative)"),
        ("from __future__ import annotations", "no `from __future__`"),
        ("try:\n    import numpy\nexcept ImportError:\n    pass", "no module numpy"),
        ("try:\n    from typing import Any\nexcept ValueError:\n    pass", "no module typing"),
        ("from gc import threshold", "gc has no threshold"),
        ("from time import ticks_ms", "time has no ticks_ms"),
        ("from gc import *", "one by one"),
        ("import gc\ngc.threshold(100)", "gc has no threshold"),
        ("import time as clock\nclock.ticks_ms()", "time has no ticks_ms"),
        ("import board\nboard.DISPLAY", "board has no DISPLAY"),
        ("import ulab.numpy\nulab.numpy.einsum", "ulab.numpy has no einsum"),
        ("from ulab import numpy\nnumpy.einsum", "ulab.numpy has no einsum"),
        ("import micropython\n@micropython.native\ndef f():\n    pass", "micropython has no native"),
        # attributes of hardware modules
        ("import busio\nbusio.I2S", "busio has no I2S"),
        ("from busio import OneWire", "busio has no OneWire"),
        ("import microcontroller as chip\nchip.nvm.x\nchip.delay_ms(1)", "microcontroller has no delay_ms"),
        ("import keypad\ndef f():\n    return keypad.Keypad()", "keypad has no Keypad"),
        ("import digitalio\nclass A:\n    pull = digitalio.PullUp", "digitalio has no PullUp"),
        ("import os\nos.path.join('a', 'b')", "os has no path"),
        ("import adafruit_displayio_ssd1306 as oled\noled.SH1106", "adafruit_displayio_ssd1306 has no SH1106"),
        # methods of built-in types
        ("'a b'.split().find('a')", "list has no find"),
        ("'a'.encode().isalnum()", "bytes has no isalnum"),
        ("row = b'abc'[1:]\nrow.insert(0, 1)", "bytes has no insert"),
        ("names = ['a'] + ['b']\nnames.find('a')", "list has no find"),
        ("(5).to_bytes(2, 'little').append(1)", "bytes has no append"),
        ("x = {1: 2}.copy()\nx.add(3)", "dict has no add"),
        *((f"def f(x):\n    return x.{name}(3)", f"has {name}") for name in ("zfill", "ljust", "bit_count")),
        ("def f(x):\n    count = x.removeprefix\n    return count('a')", "has removeprefix"),
        ("'abc'.title()", "str has no title"),
        ("(5).bit_count()", "int has no bit_count"),
        ("row = bytearray(10)\nrow.pop()", "bytearray has no pop"),
        ("def f(self):\n    self.row = bytearray(10)\n    self.row.clear()", "bytearray has no clear"),
        ("def f(row: bytearray):\n    row.insert(0, 1)", "bytearray has no insert"),
        ("row: bytearray = make()\ndef make():\n    row.reverse()", "bytearray has no reverse"),
        ("x = memoryview(b'abc')\nx.release()", "memoryview has no release"),
        # builtins and names
        ("print(ascii('x'))", "no ascii on the board"),
        ("import_ = breakpoint", "no breakpoint on the board"),
        ("raise RecursionError", "no RecursionError on the board"),
        ("def f():\n    return unheard_of", "no unheard_of anywhere"),
        ("print(1, flush=True)", "print() takes no flush="),
        ("zip([1], [2], strict=True)", "zip() takes no strict="),
        ("next(iter([1]), None)", "next() takes no default"),
        # syntax
        ("match 5:\n    case 5:\n        pass", "no match"),
        *((text, "no positional-only") for text in ("def f(a, /, b):\n    pass", "f = lambda a, /: a")),
        *((f"x = 'abc'[{part}]", "no step in slices") for part in ("::-1", "0:2:1")),
        *((f"a = [1]\nx = {display}", "no starred item") for display in ("[*a]", "(1, *a)", "{1, *a}")),
        ("a = {}\nx = {**a}", "no `**` in a display"),
        ("n = 3\nx = f'{n:{n}}'", "no replacement inside a format"),
        ("a = bytearray(5)\ndel a[1:3]", "no `del x[a:b]`"),
        ("def const(x):\n    return x\n_X: int = const(7)", "not folded"),
        ("async def f():\n    pass", "no async"),
        ("class A(object, metaclass=type):\n    pass", "no keywords in a class statement"),
        ("x = 3j", "no complex"),
        ("a = b = 1\na @ b", "no matrix multiplication"),
        ("größe = 1", "reads no name like größe"),
    ],
)
def test_lint_refuses(text: str, words: str) -> None:
    found = Lint(BOARD, text).found
    assert len(found) >= 1 and words in found[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "import gc\ngc.collect()",
        "import time as clock\nclock.monotonic()",
        "from micropython import const\n_X = const(7)",
        "from firmware.compat import const, ticks_diff",
        "try:\n    from typing import Any\nexcept ImportError:\n    pass",
        "import adafruit_bus_device.i2c_device\nadafruit_bus_device.i2c_device.I2CDevice",
        "from adafruit_displayio_ssd1306 import SSD1306",
        "def f(x: bytearray) -> bytearray:\n    return x.find(b'a')",
        "class Bag:\n    def title(self):\n        return 1\ndef f(bag):\n    return bag.title()",
        "def f(self):\n    self.row = bytearray(1)\n    self.row = [1]\n    self.row.pop()",
        "a, *b = [1, 2]\nprint(*b)",
        "n = 3\nx = f'{n:04d} {n!r}'",
        "def f(x: 'Any', y: unheard_of = 1) -> also_unheard_of:\n    del x[0]",
        "if (n := 3) > 2:\n    print(n, end='')",
        "rows = [i for i in range(3)]\nrows.insert(0, rows.pop())",
        "from firmware.compat import TYPE_CHECKING\nif TYPE_CHECKING:\n    from collections.abc import Callable",
        "x = 'abc'[1:]\nassert __name__\n_Y = 1_000",
    ],
)
def test_lint_allows(text: str) -> None:
    assert Lint(BOARD, text).found == []


def test_lint_names_the_line() -> None:
    assert Lint(BOARD, "x = 1\n\nimport enum\n").found == [(3, "the board has no module enum")]
