"""The displayio path through Blinka: Adafruit's drivers on models of their chips show the same picture."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[1] / "fakes" / "blinka_displayio.py"
PACKAGES = (
    ("board", "Adafruit-Blinka"),
    ("displayio", "adafruit-blinka-displayio"),
    ("adafruit_displayio_ssd1306", "adafruit-circuitpython-displayio-ssd1306"),
    ("adafruit_displayio_sh1106", "adafruit-circuitpython-displayio-sh1106"),
)


@pytest.mark.parametrize(
    ("kind", "rotation"),
    [
        ("ssd1306", 0),
        ("sh1106", 180),
        ("colour", 180),
        *(pytest.param(*pair, marks=pytest.mark.long) for pair in (("ssd1306", 180), ("sh1106", 0), ("colour", 0))),
    ],
)
def test_picture_through_blinka_is_the_canvas(kind: str, rotation: int) -> None:
    """A colour display is a board's own and stands upright; the OLEDs are held with an edge up."""
    for module, package in PACKAGES:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"PyPI {package} is not installed here")
    upright = 0 if kind == "colour" else 90
    run = subprocess.run([sys.executable, str(PROGRAM), kind, str(upright + rotation)], capture_output=True, text=True)
    assert run.stdout == "same\n", run.stderr
