"""Nothing saved is lost, whenever power fails and whichever bit flips.

A long session of settings, scores and games is written once into banks that note every change.
Then each change is made in part, with every number of its bytes, and the journal is opened on the result. Of an erase
every eleventh byte is tried, and all in the long sessions. With two banks that holds everywhere, and with one that has
a backup bank; with one alone, all but the window in which it is erased and written again.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from struct import unpack_from

import pytest

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.modes.listing import list_tables
from firmware.save.journal import SETTINGS, SUSPENDED, TABLES, Journal
from firmware.save.journal_compaction import compact
from firmware.save.scores import Table
from firmware.save.settings import Settings
from firmware.save.settings_fields import FIELDS
from tests.support import kept
from tests.support.flash import (
    Change,
    LoggingStore,
    PowerCut,
    RamBackupBank,
    RamStore,
    Supply,
    WeakBackupBank,
    WeakStore,
)
from tests.support.records import KINDS, contents, packed, save

pytestmark = pytest.mark.no_cover

STRIDE = 11  # bytes of an erase; every one in the long sessions

Saved = dict[int, bytes]  # the payload of each kind
Player = Callable[[int], Iterator[tuple[int, bytes]]]


@dataclass
class Call:
    """One call of the journal: what was saved before it, what it was to save, and the changes it made."""

    before: Saved
    kind: int
    payload: bytes
    changes: list[Change]

    @property
    def compacts(self) -> bool:
        return any(change.erasing for change in self.changes)


def play(seed: int) -> Iterator[tuple[int, bytes]]:
    """Yield the records (kind, payload) of settings, tables and a game that change."""
    rng = random.Random(seed)
    settings = Settings()
    tables = [Table() for table in range(3)]
    game = Game(seed, None, make_mode(MARATHON))
    game.start(0)
    while True:
        choice = rng.randrange(10)
        if choice < 2:
            name, least, most, _default = rng.choice(FIELDS)
            setattr(settings, name, rng.randint(least, most))
            yield SETTINGS, packed(settings)
        elif choice < 5:
            number = rng.randrange(len(tables))
            result = rng.randrange(1, 1000)
            place = tables[number].rank(result)
            if place >= 0:
                tables[number].insert(place, b"ABC", result, 40, 9)
            yield list_tables()[number].kind, packed(tables[number])
        elif choice == 5:
            yield SUSPENDED, b""  # the game is over
        else:
            for _ in range(6):
                game.input(rng.choice((0, 1, 4, 5, 6, 2)), 1, game.now_ms + 300)
            if rng.random() < 0.3:
                game.input(controls.HARD_DROP, 1, game.now_ms + 100)
            yield SUSPENDED, bytes(kept.packed(game, MARATHON))


def take_turns(seed: int) -> Iterator[tuple[int, bytes]]:
    """Yield one record of each kind after the other, again and again, with bytes of its own."""
    rng = random.Random(seed)
    for kind in itertools.cycle(KINDS):
        yield kind, rng.randbytes(rng.randrange(1, 14))


def session(seed: int, banks: int, size: int, count: int, make: Player = play) -> list[Call]:
    """Save `count` records as a handheld would; return the calls, which go on from empty banks."""
    log: list[Change] = []
    journal = Journal([LoggingStore(size, bank, log) for bank in range(banks)])
    saved: Saved = {}
    calls = []
    for number, (kind, payload) in zip(range(count), make(seed), strict=False):
        journal.payload[: len(payload)] = payload
        done = journal.append(kind, len(payload))
        if not done:
            # What a menu does: some leave the new record to the compaction, some compact beforehand.
            if number & 1:
                assert compact(journal)
                calls.append(Call(saved, 0, b"", log[:]))
                log.clear()
            done = save(journal, kind, payload)
        assert done
        calls.append(Call(saved, kind, payload, log[:]))
        log.clear()
        saved = {**saved, kind: payload}
    return calls


def cuts(calls: list[Call], banks: int, size: int, stride: int) -> Iterator[tuple[Call, Change, int, list[bytearray]]]:
    """Yield the moments power can fail at: the call, the change, its bytes that happened, and the banks.

    stride: how many bytes of an erase lie between two of them.
    """
    images = [bytearray(b"\xff" * size) for _ in range(banks)]
    for call in calls:
        for change in call.changes:
            for count in range(0, len(change.data), stride if change.erasing else 1):
                torn = [bytearray(image) for image in images]
                change.apply(torn, count)
                yield call, change, count, torn
            change.apply(images, len(change.data))


def opened(images: list[bytearray]) -> Journal:
    return Journal([RamStore(image) for image in images])


def expected(call: Call) -> tuple[Saved, Saved]:
    """Return what may be there when power failed in `call`: all as before, or with the new record."""
    before = {kind: payload for kind, payload in call.before.items() if payload}
    after = {kind: payload for kind, payload in {**call.before, call.kind: call.payload}.items() if payload}
    return before, after


def tear(image: bytearray, change: Change, count: int, rng: random.Random) -> None:
    """Let only some bits of the byte that was being written arrive."""
    if not change.erasing:
        image[change.offset + count] = change.data[count] | rng.randrange(256)


def go_on(journal: Journal, saved: Saved) -> None:
    """Save on after a power cut: nothing else may change, now and after the next power-on."""
    assert save(journal, TABLES + 5, b"more")
    assert contents(journal) == contents(Journal(journal.stores)) == {**saved, TABLES + 5: b"more"}


def cut_two_banks(seed: int, size: int, count: int, stride: int = 1, make: Player = play) -> list[Call]:
    rng = random.Random(seed)
    calls = session(seed, 2, size, count, make)
    assert sum(call.compacts for call in calls) >= 3, "too few compactions: nothing was tested"
    for call, change, happened, images in cuts(calls, 2, size, stride):
        if rng.randrange(2):
            tear(images[change.bank], change, happened, rng)
        journal = opened(images)
        found = contents(journal)
        assert found in expected(call), f"{happened} bytes of {vars(change)}"
        if not rng.randrange(10):
            go_on(journal, found)
    return calls


def test_power_cut_at_any_byte_of_two_banks_loses_no_record_of_any_kind() -> None:
    calls = cut_two_banks(seed=5, size=1024, count=4 * len(KINDS), stride=STRIDE, make=take_turns)
    assert {call.kind for call in calls if not call.compacts} >= set(KINDS), "each is cut while it is appended"
    before = {kind for call in calls if call.compacts for kind in call.before}
    assert before == set(KINDS), "each is there while another bank is written"


@pytest.mark.parametrize(
    ("seed", "size", "count", "stride"),
    [(1, 1024, 30, STRIDE), *(pytest.param(seed, 4096, 200, 1, marks=pytest.mark.long) for seed in range(2, 5))],
)
def test_power_cut_at_any_byte_of_two_banks_loses_nothing(seed: int, size: int, count: int, stride: int) -> None:
    cut_two_banks(seed, size, count, stride)


@pytest.mark.parametrize(
    ("seed", "size", "count", "stride"), [(1, 4096, 45, STRIDE), pytest.param(2, 4096, 400, 1, marks=pytest.mark.long)]
)
def test_with_one_bank_only_a_cut_between_erase_and_rewriting_loses(seed: int, size: int, count: int, stride) -> None:
    """Then settings are there again first, then the tables; and each kind is as it was some time, or gone."""
    rng = random.Random(seed)
    calls = session(seed, 1, size, count)
    compactions = sum(call.compacts for call in calls)
    assert 0 < compactions <= count // 15, "the window opens once in fifteen saves, or less"
    ever: dict[int, set[bytes]] = {kind: set() for kind in KINDS}
    lossy = 0
    for call, change, happened, images in cuts(calls, 1, size, stride):
        ever.setdefault(call.kind, set()).add(call.payload)
        if rng.randrange(2):
            tear(images[change.bank], change, happened, rng)
        journal = opened(images)
        found = contents(journal)
        if found not in expected(call):
            lossy += 1
            assert call.compacts, "lost by a write that only appends"
            for kind, payload in found.items():
                assert payload in ever[kind], "mixed"
            if not change.erasing and SETTINGS in call.before and happened > 80:
                assert SETTINGS in found, "settings are rewritten first"
        if not rng.randrange(10):
            go_on(journal, found)
    assert lossy, "no cut lost anything: the window was not tested"


def cut_again_and_again(seed: int, size: int, spared: bool = False) -> None:
    """Each time go on with what there is, often to be cut again within the recovery from the last cut.

    spared: of two banks the second one is the backup bank of the first.
    """
    rng = random.Random(seed)
    records = play(seed)
    images = [bytearray(b"\xff" * size), bytearray(b"\xff" * (size + 16 * spared))]
    saved: Saved = {}
    for _ in range(25):
        supply = Supply(rng.choice((20, 200, 800)) + rng.randrange(600), rng.choice((0xFF, rng.randrange(256))))
        stores = [WeakStore(image, supply) for image in images[: 1 if spared else 2]]
        backup = WeakBackupBank(images[1], supply) if spared else None
        kind, payload = 0, b""
        try:
            journal = Journal(list(stores), backup)
            while True:
                kind, payload = next(records)
                assert save(journal, kind, payload)
                saved[kind] = payload
        except PowerCut:
            images = [part.image for part in stores] + ([backup.image] if backup else [])
        found = contents(Journal([RamStore(images[0])], RamBackupBank(images[1])) if spared else opened(images))
        assert found in expected(Call(saved, kind, payload, []))
        saved = found


often = pytest.mark.parametrize("seeds", [range(20), pytest.param(range(1000, 1400), marks=pytest.mark.long)])


@often
def test_power_that_fails_again_and_again_loses_nothing(seeds: range) -> None:
    for seed in seeds:
        cut_again_and_again(seed, 1024)


@often
def test_one_bank_with_a_spare_survives_repeated_power_cuts(seeds: range) -> None:
    for seed in seeds:
        cut_again_and_again(seed, 1024, spared=True)


def records(images: list[bytearray]) -> list[tuple[int, int, int, int, bytes]]:
    """Return (sequence number, kind, bank, offset, payload) of all records of banks that are sound."""
    found = []
    for bank, image in enumerate(images):
        at = 0
        while at + 11 <= len(image) and image[at] != 0xFF:
            kind, length, order = unpack_from("<BHI", image, at)
            found.append((order, kind, bank, at, bytes(image[at + 7 : at + 7 + length])))
            at += 11 + length
    return sorted(found)


@pytest.mark.parametrize(
    ("seed", "size", "count", "flips"),
    [(1, 1024, 40, 1000), pytest.param(2, 4096, 200, 100_000, marks=pytest.mark.long)],
)
def test_flipped_bit_leaves_the_newest_valid_record(seed: int, size: int, count: int, flips: int) -> None:
    """One to four bits of the banks flip at some moment of a session, `flips` times over."""
    rng = random.Random(seed)
    calls = session(seed, 2, size, count)
    images = [bytearray(b"\xff" * size), bytearray(b"\xff" * size)]
    each, more = divmod(flips, len(calls))
    for number, call in enumerate(calls):
        for change in call.changes:
            change.apply(images, len(change.data))
        sound = records(images)
        for _ in range(each + (number < more)):
            damaged = [bytearray(image) for image in images]
            bits = {(rng.randrange(2), rng.randrange(size * 8)) for _ in range(rng.choice((1, 1, 1, 2, 4)))}
            for bank, bit in bits:
                damaged[bank][bit >> 3] ^= 1 << (bit & 7)
            newest: Saved = {}
            for _order, kind, bank, at, payload in sound:
                end = at + 11 + len(payload)
                if kind and not any(bank == hit and at <= bit >> 3 < end for hit, bit in bits):
                    newest[kind] = payload
            newest = {kind: payload for kind, payload in newest.items() if payload}
            journal = opened(damaged)
            assert contents(journal) == newest, f"bits {bits}"
            if not rng.randrange(10):
                go_on(journal, newest)
