"""Run the simulator: `python -m sim`."""

import sys
from pathlib import Path

# `python -m` puts the project first in the path, where its code.py hides the standard library's `code`.
# At the end of the path our packages are found as well.
_ROOT = Path(__file__).resolve().parents[1]
sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != _ROOT] + [str(_ROOT)]

from sim import terminal  # noqa: E402
from sim.cli import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(terminal.run(main))
