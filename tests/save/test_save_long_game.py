"""A power cut at any byte of a long game loses at most eight Tetriminos.

A game of 200 Tetriminos begins with a full journal. It is played once, on banks that record every change. Then each
change is cut after its bytes, and a journal is opened on the result. It has all other records, and a game that lacks
eight Tetriminos at most. Of a write every third byte is tried, of an erase, a rewriting of a whole bank and a copy into
a backup every 31st. `-m every` tries every byte of a write; `-m long` tries every byte, and two banks.
"""

from collections.abc import Iterator
from functools import cache

import pytest

from firmware.engine import controls
from firmware.modes.catalogue import make_mode
from firmware.modes.listing import list_tables
from firmware.save import suspended_revival
from firmware.save.journal import BOARD_GAME, REPORT, SETTINGS, SUSPENDED, Journal
from firmware.save.journal_reading import find_order
from firmware.save.scores import CLASSES, CLASSES_END, FEW_PLACES, PLACES, Table
from firmware.save.settings import Settings
from tests.support.flash import Change, LoggingBackupBank, LoggingStore, RamBackupBank, RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.records import KINDS, contents, packed, save
from tests.support.stacking import choose_moves

pytestmark = pytest.mark.no_cover

PIECES = 200
SAVE_EVERY = 8
MARK_BYTES = 16
SIZE = 4096
STRIDE = 31  # a prime: no field of a record is always missed
WRITE_STRIDE = 3


def fill(journal: Journal) -> None:
    """Save one of everything, then settings until there is no room."""
    for number in range(len(list_tables())):
        kind = list_tables()[number].kind
        table = Table(places=FEW_PLACES if CLASSES <= kind < CLASSES_END else PLACES)
        for result in range(5):
            table.insert(0, b"ABC", 1 + result, 40, 9)
        assert save(journal, kind, packed(table))
    for kind, length in ((REPORT, 160), (BOARD_GAME, 306)):
        assert save(journal, kind, bytes(range(256))[: length // 2] * 2)
    settings = Settings()
    while journal.append(SETTINGS, settings.pack(journal.payload)):
        settings.contrast ^= 1


class Session:
    """Play; record every change of the banks, and the number of Lock Downs at each change."""

    def __init__(self, banks: int, backup: bool) -> None:
        self.log: list[Change] = []
        stores = [LoggingStore(SIZE, bank, self.log) for bank in range(banks)]
        copy = LoggingBackupBank(SIZE + MARK_BYTES, banks, self.log) if backup else None
        journal = Journal(list(stores), copy)
        fill(journal)
        self.other_records = {kind: payload for kind, payload in contents(journal).items() if kind != SUSPENDED}
        self.log.clear()
        self.images = [bytes(part.image) for part in stores] + ([bytes(copy.image)] if copy else [])
        self.marks: list[int] = []
        self.messages: list[tuple[str, int]] = []
        handheld = Handheld(store=stores, backup=copy)
        self.mark(0)
        game = handheld.game
        view = handheld.scene.view
        draw_message = view.draw_message

        def note(message: str) -> None:
            draw_message(message)
            self.messages.append((message, game.lock_downs))

        view.draw_message = note
        while game.lock_downs < PIECES:
            if game.piece:
                for control in (*choose_moves(game), controls.HARD_DROP):
                    handheld.press(control)
            handheld.step()
            assert not game.over and handheld.scene.is_playing()
            self.mark(game.lock_downs)

    def mark(self, lock_downs: int) -> None:
        self.marks += [lock_downs] * (len(self.log) - len(self.marks))

    def cuts(self, stride: int, write_stride: int) -> Iterator[tuple[int, list[bytearray]]]:
        """Yield the possible power cuts: the number of Lock Downs, and the contents of the banks.

        stride: bytes of a change of a whole bank between two cuts.  write_stride: of any other change.
        """
        images = [bytearray(image) for image in self.images]
        for number, (change, locked) in enumerate(zip(self.log, self.marks, strict=True)):
            image = images[change.bank]
            before = bytes(image)
            step = write_stride if len(change.data) < SIZE else stride
            for count in range(len(change.data)):
                if count % step == number % step:
                    yield locked, images
                image[change.offset + count] = change.data[count]
            assert bytes(image) != before or change.data == before
        yield PIECES, images


play = cache(Session)


@cache
def count_locked(payload: bytes) -> int:
    """Return the number of Lock Downs of a suspended game."""
    if not payload:
        return 0
    game = suspended_revival.restore(payload, make_mode)
    assert game
    return game.lock_downs


@pytest.mark.parametrize(
    ("banks", "backup"),
    [
        pytest.param(2, False, id="two banks", marks=pytest.mark.long),
        pytest.param(1, True, id="one bank and a file"),  # like a Pico
    ],
)
@pytest.mark.parametrize(
    "strides",
    [
        pytest.param((STRIDE, WRITE_STRIDE), id="some"),
        pytest.param((STRIDE, 1), id="writes", marks=pytest.mark.every),
        pytest.param((1, 1), id="whole", marks=pytest.mark.long),
    ],
)
def test_power_cut_at_any_byte_loses_at_most_eight_tetriminos(banks: int, backup: bool, strides: tuple) -> None:
    """A journal is opened at every cut, and compared if its records differ from those before; if whole, always.

    Records in the same order and places have the same contents.
    """
    session = play(banks, backup)
    journal = Journal([])
    seen: set[tuple[int, ...]] = set()
    least = 0
    whole = strides == (1, 1)
    for locked, images in session.cuts(*strides):
        parts = [RamBackupBank(0) if bank == banks else RamStore(0) for bank in range(len(images))]
        for part, image in zip(parts, images, strict=True):
            part.image, part.size = image, len(image)
        journal.stores, journal.backup = parts[:banks], parts[banks] if backup else None
        journal.open()
        key = (*[find_order(journal, kind) for kind in KINDS], *journal.where)
        if whole or locked != least or key not in seen:
            seen.add(key)
            least = locked
            copy = RamBackupBank(images[banks]) if backup else None
            records = contents(Journal([RamStore(image) for image in images[:banks]], copy))
            assert count_locked(records.pop(SUSPENDED, b"")) >= locked - SAVE_EVERY and records == session.other_records
    assert len(session.log) > PIECES // SAVE_EVERY + 2 * 2, "no compaction in play: nothing was tested"


def test_compactions_run_before_and_in_play_and_show_a_message() -> None:
    session = play(2, False)
    erased = [locked for change, locked in zip(session.log, session.marks, strict=True) if change.erasing]
    assert erased[0] == 0, "before the first Tetrimino"
    assert session.messages == [("SAVING", locked) for locked in erased[1:]] != [], "then whenever a save had no room"
