"""Without KiCad, or with one for another Python, tools.hardware says so in one line."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools import ROOT
from tools.hardware import HardwareError, kicad


@pytest.fixture
def debian(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A folder of the system's modules, the only place where KiCad's module may be."""
    kicad.load.cache_clear()
    monkeypatch.delitem(sys.modules, "pcbnew", raising=False)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if not Path(entry, "pcbnew.py").exists()])
    monkeypatch.setattr(kicad, "DEBIAN", str(tmp_path))
    yield tmp_path
    sys.modules.pop("pcbnew", None)
    kicad.load.cache_clear()


def test_a_missing_kicad_is_told_in_one_line(debian: Path) -> None:
    with pytest.raises(HardwareError, match=r"^KiCad 6 is missing for this Python \(.*\): apt-get install kicad$"):
        kicad.load()


def test_a_kicad_for_another_python_is_told_in_one_line(debian: Path) -> None:
    (debian / "pcbnew.py").write_text("import _pcbnew_of_another_python\n")
    with pytest.raises(HardwareError, match=r"^KiCad's module is for the system's Python, not for \d\.\d+: /usr/bin/"):
        kicad.load()


def test_package_imports_without_kicad() -> None:
    code = "import sys; sys.modules['pcbnew'] = None; import tools.hardware.__main__"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
