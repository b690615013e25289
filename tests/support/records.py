"""List every record that a journal may hold: each kind that the firmware names, and each table of scores."""

import ast
import re
from importlib import import_module
from typing import Any

from firmware.match.options import MOST_PLAYERS
from firmware.modes.listing import list_tables, name_table
from firmware.save.journal import Journal
from firmware.save.scores import CLASSES, CLASSES_END
from tests.support.flash import RamStore
from tests.support.running import ROOT

_SEVERAL = {"firmware.save.journal.MATCH_GAMES": MOST_PLAYERS}
_NAMED = re.compile(r"\bjournal\.(?:read|save|append)\(([A-Z_]+|\d+)")


def find_owner(module: str, name: str) -> tuple[str, int]:
    """Return the constant that a name of a module stands for, by the module that defines it, and its value."""
    if name.isdigit():
        return f"{module}: {name}", int(name)
    source = (ROOT / module.replace(".", "/")).with_suffix(".py").read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return find_owner(str(node.module), name)
    return f"{module}.{name}", getattr(import_module(module), name)


def list_records() -> list[tuple[str, int]]:
    """Return (owner, kind) of every constant that the firmware reads or saves in a journal, and of every table."""
    owners = set()
    for path in (ROOT / "firmware").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        owners |= {find_owner(module, name) for name in _NAMED.findall(path.read_text(encoding="utf-8"))}
    kinds = [(name, kind + i) for name, kind in sorted(owners) for i in range(_SEVERAL.get(name, 1))]
    return kinds + [(f"the table {name_table(choice).decode()}", choice.kind) for choice in list_tables()]


# Pairs, not a dictionary, so that two records with the same kind both appear.
RECORDS = list_records()
KINDS = sorted(kind for _name, kind in RECORDS)
LONGEST_BYTES = len(Journal([RamStore()]).payload)


def tell_free() -> str:
    """Return the next free kinds of tables of classes, and of all others, as part of a sentence."""
    spans = range(CLASSES, CLASSES_END), range(CLASSES_END, len(Journal([]).where))
    few, others = ([kind for kind in span if kind not in KINDS][:3] for span in spans)
    return f"free are {few} for tables of classes, {others} for all others"


def packed(record: Any) -> bytes:
    """Return the bytes of settings, a table or numbers as a journal keeps them."""
    buffer = bytearray(LONGEST_BYTES)
    return bytes(buffer[: record.pack(buffer)])


def save(into: Journal, kind: int, payload: bytes) -> bool:
    into.payload[: len(payload)] = payload
    return into.save(kind, len(payload))


def contents(of: Journal) -> dict[int, bytes]:
    return {kind: payload for kind in KINDS if (payload := bytes(of.read(kind)))}
