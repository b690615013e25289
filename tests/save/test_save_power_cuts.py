"""A power cut or a flipped bit loses no other saved record.

A long session of settings, scores and games is written once into banks that record every change.
Then each change is cut after its bytes, and the journal is opened on the result. Of a write every third byte is tried,
of an erase every eleventh; `-m every` tries every byte. Two banks never lose a record, nor does one bank with a backup
bank.
One bank alone loses records only by a cut between its erase and its rewriting.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from struct import unpack_from

import pytest

from firmware.engine import controls
from firmware.match.options import MOST_PLAYERS
from firmware.modes.catalogue import MARATHON
from firmware.modes.listing import list_tables
from firmware.save.journal import MATCH_GAMES, SETTINGS, SUSPENDED, TABLES, Journal
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

# The games of a match count only together with its shared part: tests/match/test_match_suspended.py cuts them.
ALONE = [kind for kind in KINDS if not MATCH_GAMES <= kind < MATCH_GAMES + MOST_PLAYERS]
STRIDE = 11  # bytes of an erase; every one in the long sessions
WRITE_STRIDE = 3  # bytes of a write, at most

Saved = dict[int, bytes]  # the payload of each kind
Player = Callable[[int], Iterator[tuple[int, bytes]]]


@dataclass
class Call:
    """One call of the journal: the records before it, the record to save, and its changes to the banks."""

    before: Saved
    kind: int
    payload: bytes
    changes: list[Change]

    @property
    def compacts(self) -> bool:
        return any(change.erasing for change in self.changes)


def play(seed: int) -> Iterator[tuple[int, bytes]]:
    """Yield changing records (kind, payload) of settings, tables and a game, without end."""
    rng = random.Random(seed)
    settings = Settings()
    tables = [Table() for table in range(3)]
    game = kept.start_game(seed, MARATHON)
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
    """Yield records of random bytes, each kind in turn, without end."""
    rng = random.Random(seed)
    for kind in itertools.cycle(ALONE):
        yield kind, rng.randbytes(rng.randrange(1, 14))


def session(seed: int, banks: int, size: int, count: int, make: Player = play) -> list[Call]:
    """Save `count` records as a handheld would; return the calls, which begin with empty banks."""
    log: list[Change] = []
    journal = Journal([LoggingStore(size, bank, log) for bank in range(banks)])
    saved: Saved = {}
    calls = []
    for number, (kind, payload) in zip(range(count), make(seed), strict=False):
        journal.payload[: len(payload)] = payload
        done = journal.append(kind, len(payload))
        if not done:
            # Some menus compact before they save, others leave that to save().
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
    """Yield the possible power cuts: the call, the change, its bytes already written, and the banks.

    stride: bytes of an erase between two cuts.
    """
    images = [bytearray(b"\xff" * size) for _ in range(banks)]
    for number, call in enumerate(calls):
        for change in call.changes:
            step = stride if change.erasing else min(stride, WRITE_STRIDE)
            for count in range(number % step, len(change.data), step):
                torn = [bytearray(image) for image in images]
                change.apply(torn, count)
                yield call, change, count, torn
            change.apply(images, len(change.data))


def opened(images: list[bytearray]) -> Journal:
    return Journal([RamStore(image) for image in images])


def expected(call: Call) -> tuple[Saved, Saved]:
    """Return the two results of a power cut in `call`: the records before it, or with the new one."""
    before = {kind: payload for kind, payload in call.before.items() if payload}
    after = {kind: payload for kind, payload in {**call.before, call.kind: call.payload}.items() if payload}
    return before, after


def tear(image: bytearray, change: Change, count: int, rng: random.Random) -> None:
    """Write only some bits of the byte at the power cut."""
    if not change.erasing:
        image[change.offset + count] = change.data[count] | rng.randrange(256)


def save_more(journal: Journal, saved: Saved) -> None:
    """Save a record after a power cut; nothing else may change, now or after power-on."""
    assert save(journal, TABLES + 5, b"more")
    assert contents(journal) == contents(Journal(journal.stores)) == {**saved, TABLES + 5: b"more"}


def cut_two_banks(seed: int, size: int, count: int, stride: int = 1, make: Player = play) -> list[Call]:
    rng = random.Random(seed)
    calls = session(seed, 2, size, count, make)
    assert sum(call.compacts for call in calls) >= 3, "too few compactions: nothing was tested"
    for call, change, written, images in cuts(calls, 2, size, stride):
        if rng.randrange(2):
            tear(images[change.bank], change, written, rng)
        journal = opened(images)
        found = contents(journal)
        assert found in expected(call), f"{written} bytes of {vars(change)}"
        if not rng.randrange(10):
            save_more(journal, found)
    return calls


@pytest.mark.parametrize("stride", [STRIDE, pytest.param(1, marks=pytest.mark.every)])
def test_power_cut_at_any_byte_of_two_banks_loses_no_record_of_any_kind(stride: int) -> None:
    calls = cut_two_banks(seed=5, size=1024, count=4 * len(ALONE), stride=stride, make=take_turns)
    assert {call.kind for call in calls if not call.compacts} >= set(ALONE), "each kind is cut while it is appended"
    before = {kind for call in calls if call.compacts for kind in call.before}
    assert before == set(ALONE), "each kind exists while another bank is written"


@pytest.mark.parametrize(
    ("seed", "size", "count", "stride"),
    [
        (1, 1024, 30, STRIDE),
        pytest.param(1, 1024, 30, 1, marks=pytest.mark.every),
        *(pytest.param(seed, 4096, 200, 1, marks=pytest.mark.long) for seed in range(2, 5)),
    ],
)
def test_power_cut_at_any_byte_of_two_banks_loses_nothing(seed: int, size: int, count: int, stride: int) -> None:
    cut_two_banks(seed, size, count, stride)


@pytest.mark.parametrize(
    ("seed", "size", "count", "stride"),
    [
        (1, 4096, 45, STRIDE),
        pytest.param(1, 4096, 45, 1, marks=pytest.mark.every),
        pytest.param(2, 4096, 400, 1, marks=pytest.mark.long),
    ],
)
def test_one_bank_loses_records_only_between_erase_and_rewriting(seed: int, size: int, count: int, stride) -> None:
    """Records are rewritten in their order. A cut leaves an earlier record of a kind, or none."""
    rng = random.Random(seed)
    calls = session(seed, 1, size, count)
    compactions = sum(call.compacts for call in calls)
    assert 0 < compactions <= count // 15, "the window opens once in fifteen saves, or less"
    ever_saved: dict[int, set[bytes]] = {kind: set() for kind in KINDS}
    lossy = 0
    for call, change, written, images in cuts(calls, 1, size, stride):
        ever_saved.setdefault(call.kind, set()).add(call.payload)
        if rng.randrange(2):
            tear(images[change.bank], change, written, rng)
        journal = opened(images)
        found = contents(journal)
        if found not in expected(call):
            lossy += 1
            assert call.compacts, "lost by a write that only appends"
            for kind, payload in found.items():
                assert payload in ever_saved[kind], "mixed"
            if not change.erasing:
                change.apply(images, len(change.data))
                complete = opened(images)
                order = sorted(contents(complete), key=lambda kind: complete.where[kind])
                assert sorted(found, key=order.index) == order[: len(found)], "the first ones are there"
        if not rng.randrange(10):
            save_more(journal, found)
    assert lossy, "no cut lost anything: the window was not tested"


def cut_again_and_again(seed: int, size: int, with_backup: bool = False) -> None:
    """Cut the power again and again, often during the recovery from the last cut.

    with_backup: the second bank is the backup bank of the first.
    """
    rng = random.Random(seed)
    records = play(seed)
    images = [bytearray(b"\xff" * size), bytearray(b"\xff" * (size + 16 * with_backup))]
    saved: Saved = {}
    for _ in range(25):
        supply = Supply(rng.choice((20, 200, 800)) + rng.randrange(600), rng.choice((0xFF, rng.randrange(256))))
        stores = [WeakStore(image, supply) for image in images[: 1 if with_backup else 2]]
        backup = WeakBackupBank(images[1], supply) if with_backup else None
        kind, payload = 0, b""
        try:
            journal = Journal(list(stores), backup)
            while True:
                kind, payload = next(records)
                assert save(journal, kind, payload)
                saved[kind] = payload
        except PowerCut:
            images = [part.image for part in stores] + ([backup.image] if backup else [])
        found = contents(Journal([RamStore(images[0])], RamBackupBank(images[1])) if with_backup else opened(images))
        assert found in expected(Call(saved, kind, payload, []))
        saved = found


each_seed_range = pytest.mark.parametrize("seeds", [range(20), pytest.param(range(1000, 1400), marks=pytest.mark.long)])


@each_seed_range
def test_repeated_power_cuts_lose_nothing(seeds: range) -> None:
    for seed in seeds:
        cut_again_and_again(seed, 1024)


@each_seed_range
def test_one_bank_with_a_backup_survives_repeated_power_cuts(seeds: range) -> None:
    for seed in seeds:
        cut_again_and_again(seed, 1024, with_backup=True)


def records(images: list[bytearray]) -> list[tuple[int, int, int, int, bytes]]:
    """Return (sequence number, kind, bank, offset, payload) of all records of undamaged banks."""
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
    """One to four bits flip at some point of a session; this is tried `flips` times."""
    rng = random.Random(seed)
    calls = session(seed, 2, size, count)
    images = [bytearray(b"\xff" * size), bytearray(b"\xff" * size)]
    per_call, rest = divmod(flips, len(calls))
    for number, call in enumerate(calls):
        for change in call.changes:
            change.apply(images, len(change.data))
        sound = records(images)
        for _ in range(per_call + (number < rest)):
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
                save_more(journal, newest)
