"""Every record that a journal may hold, by its name, as the firmware lists them."""

import inspect
import re
from typing import Any

from firmware.match.options import MOST_PLAYERS
from firmware.modes.listing import list_tables
from firmware.save import journal
from firmware.save.journal import Journal

_SEVERAL = {
    "TABLES": [choice.kind for choice in list_tables()],
    "MATCH_GAMES": list(range(journal.MATCH_GAMES, journal.MATCH_GAMES + MOST_PLAYERS)),
}
# Of the public constants, those that journal.py has as its own.
_NAMES = re.findall(r"^([A-Z]\w*) = const", inspect.getsource(journal), re.MULTILINE)
_LISTED = {name: getattr(journal, name) for name in _NAMES}

# Pairs, not a dictionary by kinds: two records of one kind are both there.
RECORDS = [(name, number) for name, kind in _LISTED.items() for number in _SEVERAL.get(name, [kind])]
KINDS = sorted(kind for _name, kind in RECORDS)


def packed(record: Any) -> bytes:
    """Return the bytes that a journal would keep of settings, a table or numbers."""
    buffer = bytearray(437)
    return bytes(buffer[: record.pack(buffer)])


def save(into: Journal, kind: int, payload: bytes) -> bool:
    into.payload[: len(payload)] = payload
    return into.save(kind, len(payload))


def contents(of: Journal) -> dict[int, bytes]:
    return {kind: payload for kind in KINDS if (payload := bytes(of.read(kind)))}
