"""A faked Raspberry Pi Pico for the tests of the board's own code."""

import importlib
import os
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from firmware.device.libraries import LIBRARIES
from sim.chip import Ssd1306Chip
from tests.support.running import ROOT

FAKES = ROOT / "tests" / "fakes" / "circuitpython"

# Modules of firmware.device that import no hardware; the others are imported anew for every board.
PLAIN = (
    "chords",
    "edges",
    "handheld",
    "nvm",
    "config_error",
    "replay_files",
    "ssd1306",
    "chip",
    "settings_file",
    "wiring",
    "wiring_reading",
)


@pytest.fixture
def workbench(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """A bare board with an OLED on its bus, under the import names of CircuitPython; its drive is `tmp_path`."""
    forget_modules()
    kept = {path: module for path, module in sys.modules.items() if path.startswith("firmware.")}
    monkeypatch.syspath_prepend(str(FAKES))
    monkeypatch.chdir(tmp_path)
    made = importlib.import_module("workbench")
    for library, driver in LIBRARIES.values():
        monkeypatch.setitem(sys.modules, library, SimpleNamespace(**{driver: partial(made.Panel, driver)}))
    bench = made.bench
    bench.chips.append(Ssd1306Chip())
    monkeypatch.setattr(time, "sleep", bench.sleep)
    ask_drive, ask_pc = importlib.import_module("settings_toml").ask_drive, os.getenv
    monkeypatch.setattr(
        os, "getenv", lambda key, *rest: (ask_drive if "skyline" in key.lower() else ask_pc)(key, *rest)
    )
    monkeypatch.setattr(
        os, "uname", lambda: os.uname_result((bench.chip, bench.chip, "10.0.0", "10.0.0", bench.board_id))
    )
    yield bench
    forget_modules()
    # What a start forgets comes back: other tests hold classes of these modules.
    for path, module in kept.items():
        sys.modules[path] = module
        package, _, name = path.rpartition(".")
        if package in sys.modules:
            setattr(sys.modules[package], name, module)


def forget_modules() -> None:
    """Let nothing of another test's board, nor of Blinka's, stay imported."""
    for path in FAKES.glob("*.py"):
        sys.modules.pop(path.stem, None)
    for path in (ROOT / "firmware" / "device").rglob("[!_]*.py"):
        if path.stem not in (*PLAIN, "__init__"):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            sys.modules.pop(name, None)
            package = sys.modules.get(name.rpartition(".")[0])
            if package:
                vars(package).pop(path.stem, None)


@pytest.fixture
def pico(workbench: Any) -> ModuleType:
    return importlib.import_module("firmware.device.boot.pico")


@pytest.fixture
def device(pico: ModuleType) -> Any:
    return pico.build()
