"""Keep this project's code.py from shadowing the standard library's `code`, which pdb imports.

`python -m pytest` puts the project root first in sys.path. This file moves it to the end, where Python still finds
`firmware`, `sim`, `tools` and `tests`.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent

sys.path[:] = [entry for entry in sys.path if Path(entry or ".").resolve() != ROOT] + [str(ROOT)]

# A plugin may already have imported the wrong `code`.
_code = sys.modules.get("code")
if _code is not None and Path(getattr(_code, "__file__", None) or "").resolve().parent == ROOT:
    del sys.modules["code"]
