"""Check the types of the firmware against the stubs of both families of interpreters that run it.

    python -m tools.typecheck

`mypy` alone checks everything, firmware/device against circuitpython-stubs. This checks all of firmware/ except
firmware/device and safemode.py, which only CircuitPython runs, against micropython-rp2-stubs. Their built-in types and
modules replace CPython's.
"""

import importlib.metadata
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from sim import terminal
from sim.terminal import tell_install
from tools import ROOT

PACKAGES = ("micropython-rp2-stubs", "micropython-stdlib-stubs")
_CONFIG = """
[mypy]
python_version = 3.10
explicit_package_bases = True
check_untyped_defs = True
no_site_packages = True
mypy_path = {stubs}
custom_typeshed_dir = {stubs}
cache_dir = {cache}

[mypy-_mpy_shed.*]
# Errors within the stubs.
ignore_errors = True

[mypy-firmware.compat]
# It defines const() twice; each interpreter uses one.
disable_error_code = misc

[mypy-firmware.device.*]
# CircuitPython's side.
ignore_errors = True
ignore_missing_imports = True
"""


def portable_files() -> list[Path]:
    """Return the sources that MicroPython runs too."""
    hardware = ROOT / "firmware" / "device"
    plain = [path for path in (ROOT / "firmware").rglob("*.py") if hardware not in path.parents]
    return sorted(path for path in plain if path.name != "safemode.py")


def copy_stubs(folder: Path) -> None:
    """Copy the stubs into their own folder: among CPython's packages mypy would not use them for built-in types."""
    for package in PACKAGES:
        for file in importlib.metadata.files(package) or []:
            if file.suffix == ".pyi" or file.name == "VERSIONS":
                target = folder / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(file.locate()), target)
    # mypy requires this folder, even if empty.
    (folder / "stubs" / "mypy-extensions").mkdir(parents=True, exist_ok=True)


def check(files: list[Path], root: Path = ROOT) -> tuple[int, str]:
    """Return mypy's exit code and output for these files; raise PackageNotFoundError without the stubs."""
    with tempfile.TemporaryDirectory() as folder:
        stubs = Path(folder) / "stubs"
        copy_stubs(stubs)
        config = Path(folder) / "mypy.ini"
        config.write_text(_CONFIG.format(stubs=stubs, cache=Path(folder) / "cache"), encoding="utf-8")
        command = [sys.executable, "-m", "mypy", "--config-file", str(config), *map(str, files)]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main() -> int:
    """Run the command line; return mypy's exit code."""
    words = "Check firmware/ against MicroPython's types; mypy does the rest."
    parser = terminal.Parser(prog="python -m tools.typecheck", description=words)
    parser.parse_args()
    try:
        code, output = check(portable_files())
    except importlib.metadata.PackageNotFoundError as missing:
        return parser.refuse(f"{missing.name} is not installed; {tell_install('test')}")
    print(output, end="")
    return code


if __name__ == "__main__":
    sys.exit(terminal.run(main))
