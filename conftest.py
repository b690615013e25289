"""Keep this project's code.py from shadowing the standard library's `code`, which pdb imports.

`python -m pytest` puts the project root in front of everything; here it moves to the end of
sys.path, where `firmware`, `sim`, `tools` and `tests` are still found.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent

sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != ROOT] + [str(ROOT)]

# Whoever came before us may have imported the wrong one.
_code = sys.modules.get("code")
if _code is not None and Path(getattr(_code, "__file__", None) or "").resolve().parent == ROOT:
    del sys.modules["code"]
