"""Run Python as from a shell."""

import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def run_python(*arguments: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments in the root folder; return the finished process."""
    how: dict[str, Any] = {"cwd": ROOT, "capture_output": True, "text": True, "check": False}
    return subprocess.run([sys.executable, *map(str, arguments)], **how | options)
