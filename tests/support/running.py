"""Run Python as somebody types it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def run_python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in the folder of the sources; return what it said."""
    how: dict[str, Any] = {"cwd": ROOT, "capture_output": True, "text": True, "check": False}
    return subprocess.run([sys.executable, *map(str, arguments)], **how | options)
