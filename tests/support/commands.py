"""List our commands: the modules that a reader runs by `python -m`."""

from tests.support.running import ROOT

COMMANDS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for folder in ("sim", "tools")
    for path in (ROOT / folder).rglob("*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)
