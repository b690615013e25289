"""Measure what Skyline costs a board: heap, instructions, bytes on the bus, and the time they take."""

import ast

from tools.interpreters import ROOT

ROOTS = ("firmware.app", "firmware.device.ssd1306", "firmware.device.handheld")


def firmware_modules() -> list[str]:
    """Return the modules that ROOTS import, each after its own imports."""
    found: list[str] = []
    seen: set[str] = set()  # imports for type checkers run in circles

    def visit(module: str) -> None:
        path = ROOT / (module.replace(".", "/") + ".py")
        if module in seen or not path.exists():
            return
        seen.add(module)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("firmware"):
                visit(node.module or "")
                for alias in node.names:
                    visit(f"{node.module}.{alias.name}")
        found.append(module)

    for root in ROOTS:
        visit(root)
    return found
