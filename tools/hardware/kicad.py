"""Load KiCad's Python module, and convert between its nanometres and our millimetres."""

import importlib
import sys
from functools import cache
from pathlib import Path
from typing import Any

from tools.hardware import HardwareError

DEBIAN = "/usr/lib/python3/dist-packages"
FOOTPRINTS = Path("/usr/share/kicad/footprints")
# What two common board houses make without a surcharge, in millimetres.
LEAST_WIDTH = LEAST_CLEARANCE = 0.2
LEAST_DRILL = 0.3
EDGE = 0.3  # from copper to the board's edge
TRACK = 0.3
CLEARANCE = LEAST_CLEARANCE
VIA, VIA_DRILL = 0.8, 0.4


@cache
def load() -> Any:
    """Return the module pcbnew of KiCad 6; raise HardwareError."""
    try:
        try:
            module = importlib.import_module("pcbnew")
        except ModuleNotFoundError:
            sys.path.append(DEBIAN)  # a virtual environment does not see Debian's modules
            try:
                module = importlib.import_module("pcbnew")
            finally:
                sys.path.remove(DEBIAN)  # nor should it see the others
        version = str(module.GetBuildVersion())
    except (ImportError, AttributeError) as problem:
        if Path(DEBIAN, "pcbnew.py").exists():
            words = "KiCad's module is for the system's Python, not for {}.{}: /usr/bin/python3 -m tools.setup hardware"
            raise HardwareError(words.format(*sys.version_info[:2])) from None
        raise HardwareError(f"KiCad 6 is missing for this Python ({problem}): apt-get install kicad") from None
    if not version.startswith(("6.", "(6.")):
        raise HardwareError(f"KiCad {version} is installed; the board needs KiCad 6")
    if not FOOTPRINTS.is_dir():
        raise HardwareError(f"there are no footprints in {FOOTPRINTS}: apt-get install kicad-footprints")
    return module


def nm(mm: float) -> int:
    """Return a length of KiCad."""
    return round(mm * 1_000_000)


def mm(length: int) -> float:
    """Return millimetres of a length of KiCad."""
    return length / 1_000_000


def measure_box(item: Any) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of what an item fills, in millimetres."""
    box = item.GetBoundingBox()
    return mm(box.GetX()), mm(box.GetY()), mm(box.GetRight()), mm(box.GetBottom())


def spot(x: float, y: float) -> Any:
    """Return a point of KiCad from millimetres."""
    return load().wxPoint(nm(x), nm(y))


def set_rules(board: Any) -> None:
    """Set the design rules: KiCad keeps them outside the board's file."""
    settings = board.GetDesignSettings()
    settings.m_TrackMinWidth = nm(LEAST_WIDTH)
    settings.m_MinClearance = nm(LEAST_CLEARANCE)
    settings.m_CopperEdgeClearance = nm(EDGE)
    settings.m_MinThroughDrill = nm(LEAST_DRILL)
    settings.m_HoleClearance = nm(0.25)
    settings.m_HoleToHoleMin = nm(0.25)
    settings.m_MaxError = nm(0.02)  # of round corners in pours: a fifth of the points
    chosen = board.GetAllNetClasses()["Default"]
    chosen.SetTrackWidth(nm(TRACK))
    chosen.SetClearance(nm(CLEARANCE))
    chosen.SetViaDiameter(nm(VIA))
    chosen.SetViaDrill(nm(VIA_DRILL))


def read_board(path: Path) -> Any:
    """Load a board's file; raise HardwareError."""
    pcbnew = load()
    if not path.is_file():
        raise HardwareError(f"{path} does not exist: python -m tools.hardware build")
    try:
        board = pcbnew.LoadBoard(str(path))
    except OSError:
        board = None
    if board is None:
        raise HardwareError(f"{path} is no board of KiCad 6")
    set_rules(board)
    return board
