"""A game of two hundred Tetriminos that begins with a full journal goes unsaved at no byte of it.

It is played once by the buttons, on banks that note every change. Then each change is made in part, with every number
of its bytes, and a journal is opened on the result. Everything locked down eight Tetriminos ago or earlier is there,
and so is all else. Of the thousands of bytes that an erase changes, or a copy into a backup, every 31st is tried.
With `-m long` all are, and two banks, too.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from firmware.engine import controls
from firmware.modes.catalogue import make_mode
from firmware.modes.listing import list_tables
from firmware.save import suspended_revival
from firmware.save.journal import BOARD_GAME, REPORT, SETTINGS, SUSPENDED, Journal
from firmware.save.scores import Table
from firmware.save.settings import Settings
from tests.support.flash import Change, LoggingBackupBank, LoggingStore, RamBackupBank, RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.records import contents, packed, save
from tests.support.stacking import choose

pytestmark = pytest.mark.no_cover

PIECES = 200
BETWEEN = 8
MARK_BYTES = 16
SIZE = 4096
STRIDE = 31  # a prime: no field of a record is always missed


def fill(journal: Journal) -> None:
    """Save one of everything, then go on until nothing more has room."""
    for number in range(len(list_tables())):
        table = Table()
        for result in range(5):
            table.insert(0, b"ABC", 1 + result, 40, 9)
        assert save(journal, list_tables()[number].kind, packed(table))
    for kind, length in ((REPORT, 160), (BOARD_GAME, 306)):
        assert save(journal, kind, bytes(range(256))[: length // 2] * 2)
    settings = Settings()
    while journal.append(SETTINGS, settings.pack(journal.payload)):
        settings.contrast ^= 1


class Session:
    """Play, and note every change with how many Tetriminos were locked down then."""

    def __init__(self, banks: int, backup: bool) -> None:
        self.log: list[Change] = []
        stores = [LoggingStore(SIZE, bank, self.log) for bank in range(banks)]
        copy = LoggingBackupBank(SIZE + MARK_BYTES, banks, self.log) if backup else None
        journal = Journal(list(stores), copy)
        fill(journal)
        self.kept = {kind: payload for kind, payload in contents(journal).items() if kind != SUSPENDED}
        self.log.clear()
        self.images = [bytes(part.image) for part in stores] + ([bytes(copy.image)] if copy else [])
        self.marks: list[int] = []
        self.said: list[tuple[str, int]] = []
        handheld = Handheld(store=stores, backup=copy)
        self.mark(0)
        game = handheld.game
        view = handheld.scene.view
        draw_message = view.draw_message

        def note(message: str) -> None:
            draw_message(message)
            self.said.append((message, game.lock_downs))

        view.draw_message = note
        while game.lock_downs < PIECES:
            if game.piece:
                for control in (*choose(game), controls.HARD_DROP):
                    handheld.press(control)
            handheld.step()
            assert not game.over and handheld.scene.is_playing()
            self.mark(game.lock_downs)

    def mark(self, lock_downs: int) -> None:
        self.marks += [lock_downs] * (len(self.log) - len(self.marks))

    def cuts(self, stride: int) -> Iterator[tuple[int, list[bytearray]]]:
        """Yield the moments that power can fail at: Tetriminos locked down, and what the banks hold.

        stride: how many bytes of an erase or of a copy lie between two of them.
        """
        images = [bytearray(image) for image in self.images]
        for change, locked in zip(self.log, self.marks, strict=True):
            image = images[change.bank]
            before = bytes(image)
            for count in range(len(change.data)):
                if not change.erasing or not count % stride:
                    yield locked, images
                image[change.offset + count] = change.data[count]
            assert bytes(image) != before or change.data == before
        yield PIECES, images


play = cache(Session)


@cache
def count_locked(payload: bytes) -> int:
    """Return how many Tetriminos a suspended game has locked down."""
    if not payload:
        return 0
    game = suspended_revival.restore(payload, make_mode)
    assert game
    return game.lock_downs


@pytest.mark.parametrize(
    ("banks", "backup"),
    [
        pytest.param(2, False, id="two banks", marks=pytest.mark.long),
        pytest.param(1, True, id="one bank and a file"),  # as a Pico is
    ],
)
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "whole"])
def test_power_cut_at_any_byte_loses_at_most_eight_tetriminos(banks: int, backup: bool, whole: bool) -> None:
    """A journal is opened at the cuts, and looked at when it has other records than before; if `whole`, at every cut.

    It knows a record by its check sum and its sequence number. The same records in the same places are the same game,
    tables and settings.
    """
    session = play(banks, backup)
    look = Journal([])
    seen: set[tuple[int, ...]] = set()
    least = 0
    for locked, images in session.cuts(1 if whole else STRIDE):
        parts = [RamBackupBank(0) if bank == banks else RamStore(0) for bank in range(len(images))]
        for part, image in zip(parts, images, strict=True):
            part.image, part.size = image, len(image)
        look.stores, look.backup = parts[:banks], parts[banks] if backup else None
        look.open()
        key = (*look.order, *look.where)
        if whole or locked != least or key not in seen:
            seen.add(key)
            least = locked
            copy = RamBackupBank(images[banks]) if backup else None
            found = contents(Journal([RamStore(image) for image in images[:banks]], copy))
            assert count_locked(found.pop(SUSPENDED, b"")) >= locked - BETWEEN and found == session.kept
    assert len(session.log) > PIECES // BETWEEN + 2 * 2, "no room was made in play: nothing was tested"


def test_room_is_made_before_the_game_and_in_play_and_said_so() -> None:
    session = play(2, False)
    erased = [locked for change, locked in zip(session.log, session.marks, strict=True) if change.erasing]
    assert erased[0] == 0, "before the first Tetrimino"
    assert session.said == [("SAVING", locked) for locked in erased[1:]] != [], "and then where a save had no room"
