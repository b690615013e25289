"""Read and write the non-volatile memory of a handheld as the game does."""

from collections.abc import Iterable

from firmware.device.nvm import NvmStore
from firmware.save import match_choices
from firmware.save.journal import SETTINGS, Journal
from firmware.save.settings import Settings
from sim.store import BANK_BYTES


class Copy(NvmStore):
    """A copy of the memory, on a drive that a PC has."""

    def keep(self, pieces: Iterable[bytes | bytearray | memoryview]) -> None:
        raise OSError("the drive is the PC's")


def open_journal(nvm: bytes, copy: bytes = b"") -> Journal:
    """Return the journal in a memory; copy: of the memory on the drive, which counts as for the game."""
    return Journal([NvmStore(bytearray(nvm))], Copy(bytearray(copy)) if copy else None)


def make_nvm(versus: dict[int, int] | None = None, **fields: int | bytearray) -> bytes:
    """Return a non-volatile memory with these choices of VERSUS and fields of Settings; the rest is default."""
    memory = bytearray(b"\xff" * BANK_BYTES)
    journal = Journal([NvmStore(memory)])
    settings = Settings()
    settings.ready = 1  # skips the questions of the first start
    choices = match_choices.unpack(settings.versus)
    for place, value in (versus or {}).items():
        choices[place] = value
    settings.versus = match_choices.pack(choices)
    for name, chosen in fields.items():
        setattr(settings, name, chosen)
    journal.save(SETTINGS, settings.pack(journal.payload))
    return bytes(memory)
