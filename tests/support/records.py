"""List every record that a journal may hold, by its name in the firmware."""

import inspect
import re
from typing import Any

from firmware.match.options import MOST_PLAYERS
from firmware.modes.listing import list_tables
from firmware.save import journal
from firmware.save.journal import Journal
from tests.support.flash import RamStore

_SEVERAL = {
    "TABLES": [choice.kind for choice in list_tables()],
    "MATCH_GAMES": list(range(journal.MATCH_GAMES, journal.MATCH_GAMES + MOST_PLAYERS)),
}
# The public constants that journal.py defines itself.
_NAMES = re.findall(r"^([A-Z]\w*) = const", inspect.getsource(journal), re.MULTILINE)
_LISTED = {name: getattr(journal, name) for name in _NAMES}

# Pairs, not a dictionary, so that two records with the same kind both appear.
RECORDS = [(name, number) for name, kind in _LISTED.items() for number in _SEVERAL.get(name, [kind])]
KINDS = sorted(kind for _name, kind in RECORDS)
LONGEST_BYTES = len(Journal([RamStore()]).payload)


def packed(record: Any) -> bytes:
    """Return the bytes of settings, a table or numbers as a journal keeps them."""
    buffer = bytearray(LONGEST_BYTES)
    return bytes(buffer[: record.pack(buffer)])


def save(into: Journal, kind: int, payload: bytes) -> bool:
    into.payload[: len(payload)] = payload
    return into.save(kind, len(payload))


def contents(of: Journal) -> dict[int, bytes]:
    return {kind: payload for kind in KINDS if (payload := bytes(of.read(kind)))}
