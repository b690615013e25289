"""Turn modules of the firmware into a package that stands alone."""

import ast
import re
from typing import NamedTuple

from firmware.scenes.options.facts import VERSION
from tools import ROOT
from tools.deploy import DeployError, compiling

_TEXTS = ROOT / "tools" / "parts"
_CONTRACTS = ROOT / "firmware" / "contracts.pyi"
_ROOM = re.compile(r"\bfirmware\.(?:device|engine|save|sound|view)\b|\bfirmware(?=\.(?:compat|contracts)\b)")
_IMPORTED = re.compile(r"^ *(?:from firmware\b|import firmware\b)", re.M)
_HEADER = "# SPDX-FileCopyrightText: {year} {holder}\n#\n# SPDX-License-Identifier: MIT\n"
_PROJECT = """\
[project]
name = "circuitpython-{dashed}"
version = "{version}"
description = "{summary}"
readme = "README.md"
license = "MIT"
requires-python = ">=3.10"
dependencies = ["Adafruit-Blinka"]

[tool.setuptools]
packages = ["{name}"]
"""


class Part(NamedTuple):
    """A part: its modules below firmware/, and what `from NAME import ...` gives, by module."""

    modules: tuple[str, ...]
    exports: dict[str, str]


PARTS = {
    "edge_queue": Part(("device/edges", "device/keys"), {"edges": "EdgeQueue", "keys": "Keys"}),
    "nvm_journal": Part(
        (
            *(f"save/journal{room}" for room in ("", "_compaction", "_copy", "_layout", "_reading", "_walk")),
            *("save/half_match", "device/nvm"),
        ),
        {"journal": "Journal", "nvm": "NvmStore"},
    ),
    "one_voice": Part(
        ("sound/voice", "sound/effects", "engine/events", "device/piezo")
        + tuple(f"sound/{tune}" for tune in ("korobeiniki", "minuet", "mountain_king")),
        {"piezo": "Piezo", "voice": "Voice"},
    ),
    "ssd1306_vertical": Part(("device/ssd1306", "view/canvas"), {"canvas": "Canvas", "ssd1306": "SSD1306"}),
}


def make(name: str, repository: str = "") -> dict[str, bytes]:
    """Return the files of a part by their paths; raise DeployError without a compiler, or if a module is missing."""
    part = PARTS[name]
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    year, holder = re.findall(r"Copyright \(c\) (\d+) (.+)", licence)[0]
    header = _HEADER.format(year=year, holder=holder)
    text = (_TEXTS / f"{name}.md").read_text(encoding="utf-8")
    summary = text.splitlines()[2]
    version = VERSION.decode()
    sources = {}
    for module in ("compat", *part.modules):
        source = _ROOM.sub(name, (ROOT / "firmware" / f"{module}.py").read_text(encoding="utf-8"))
        if _IMPORTED.search(source):
            raise DeployError(f"{name}: {module}.py does not stand alone")
        sources[f"{name}/{module.rpartition('/')[2]}.py"] = header + source
    lines = [f'"""{summary}"""', "", f'__version__ = "{version}"', f'__repo__ = "{repository}"', ""]
    lines += [f"from {name}.{module} import {exported}" for module, exported in part.exports.items()]
    lines += ["", f"__all__ = {sorted(part.exports.values())}".replace("'", '"')]
    sources[f"{name}/__init__.py"] = header + "\n".join(lines) + "\n"
    compiled = compiling.compile_all(sources, compiling.FORMATS[max(compiling.FORMATS)])
    example = header + (_TEXTS / "examples" / f"{name}_simpletest.py").read_text(encoding="utf-8")
    texts = {
        "LICENSE": licence,
        "README.md": f"{text}\n## Example\n\n```python\n{example}```\n",
        "pyproject.toml": _PROJECT.format(name=name, dashed=name.replace("_", "-"), version=version, summary=summary),
        f"examples/{name}_simpletest.py": example,
        f"{name}/contracts.pyi": header + write_contracts(name, part, "".join(sources.values())),
        f"{name}/py.typed": "",
    }
    files = {path: content.encode() for path, content in (sources | texts).items()}
    return files | {f"lib/{path}": content for path, content in compiled.items()}


def write_contracts(name: str, part: Part, sources: str) -> str:
    """Return what firmware/contracts.pyi says of the names that these sources take from it."""
    text = _CONTRACTS.read_text(encoding="utf-8")
    places = {f"firmware.{module.replace('/', '.')}" for module in part.modules}
    wanted = set(re.findall(r"\w+", " ".join(re.findall(rf"from {name}\.contracts import (.*)", sources))))
    kept: list[str] = []
    for node in reversed(ast.parse(text).body):
        segment = ast.get_source_segment(text, node) or ""
        if isinstance(node, ast.ImportFrom):
            if wanted & {each.name for each in node.names} and not (node.module or "").startswith("firmware"):
                kept.append(segment)
            elif node.module in places:
                kept.append(_ROOM.sub(name, segment))
        elif isinstance(node, ast.ClassDef | ast.AnnAssign):
            own = node.name if isinstance(node, ast.ClassDef) else ast.unparse(node.target)
            if own in wanted:
                kept.append(segment)
                wanted |= {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    return "\n".join(reversed(kept)) + "\n"
