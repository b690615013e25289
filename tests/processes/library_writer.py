"""Add five games to the library in a folder, as a simulator does: test_database.py starts several at once."""

import sys
from datetime import datetime
from pathlib import Path

from firmware.modes.catalogue import MARATHON
from sim.library import Library

library = Library(Path(sys.argv[1]))
blob = (Path(__file__).parents[1] / "recordings" / "marathon.sky").read_bytes()
first = int(sys.argv[2])
for second in range(first, first + 5):
    library.add(blob, MARATHON, 34_500, bytes(1024), datetime(2026, 11, 22, 12, 0, second))
    assert not library.problem, library.problem
