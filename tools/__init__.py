"""Host programs: generators of tables, glyphs and tunes; deploy; measure; set up.

`python -m tools.X` puts the project root first in sys.path, where our code.py would shadow the standard library's
`code`. This package moves the root to the end.
"""

import os
import sys
from pathlib import Path

ROOT = Path(os.path.abspath(__file__)).parent.parent  # of the repository

if (ROOT / "pyproject.toml").exists():  # in a wheel, tools/wheel/launcher.py has put it ahead of other packages
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry or ".") != str(ROOT)] + [str(ROOT)]

if sys.argv[:1] == ["-m"]:  # this package is imported for a command
    from sim import terminal

    terminal.tell_missing()
