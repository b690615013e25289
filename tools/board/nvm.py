"""Read and write the non-volatile memory of a handheld as the game does."""

from collections.abc import Iterable

from firmware.save import match_choices
from firmware.save.journal import SETTINGS, Journal
from firmware.save.settings import Settings
from sim.store import BANK_BYTES


class Bank:
    """The bytes of a memory as a bank of the game's journal; without content it is erased."""

    def __init__(self, content: bytes = b"\xff" * BANK_BYTES) -> None:
        self.image = bytearray(content)
        self.size = len(content)

    def read(self, offset: int, buffer: bytearray | memoryview) -> None:
        buffer[:] = self.image[offset : offset + len(buffer)]

    def write(self, offset: int, content: bytes | memoryview) -> None:
        self.image[offset : offset + len(content)] = content

    replace = write  # over any bytes

    def keep(self, pieces: Iterable[bytes | bytearray | memoryview]) -> None:
        """Refuse to write a copy, as if a PC had the drive."""
        raise OSError("the drive is the PC's")


def open_journal(nvm: bytes, copy: bytes = b"") -> Journal:
    """Return the journal in a memory; copy: of the memory on the drive, which counts as for the game."""
    return Journal([Bank(nvm)], Bank(copy) if copy else None)


def make_nvm(versus: dict[int, int] | None = None, **fields: int | bytearray) -> bytes:
    """Return a non-volatile memory with these choices of VERSUS and fields of Settings; the rest is default."""
    bank = Bank()
    journal = Journal([bank])
    settings = Settings()
    settings.ready = 1  # skips the questions of the first start
    choices = match_choices.unpack(settings.versus)
    for place, value in (versus or {}).items():
        choices[place] = value
    settings.versus = match_choices.pack(choices)
    for name, chosen in fields.items():
        setattr(settings, name, chosen)
    journal.save(SETTINGS, settings.pack(journal.payload))
    return bytes(bank.image)
