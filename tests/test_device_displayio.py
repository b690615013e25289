"""The displayio path: Adafruit's driver on the same chip model shows the same picture."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "fakes" / "blinka_displayio.py"


@pytest.mark.parametrize("rotation", [90, 270])
def test_picture_through_blinka_is_the_canvas(rotation: int) -> None:
    for module, package in (
        ("board", "Adafruit-Blinka"),
        ("displayio", "adafruit-blinka-displayio"),
        ("adafruit_displayio_ssd1306", "adafruit-circuitpython-displayio-ssd1306"),
    ):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"PyPI {package} is not installed here")
    run = subprocess.run(
        [sys.executable, str(PROGRAM), str(rotation)], capture_output=True, text=True, timeout=100, check=False
    )
    assert run.stdout == "same\n", run.stderr
