"""Cut the power in each operation of the flash, and judge what is lost after each cut.

A cut in an operation leaves its later part undone (tools/board/rp2040/ssi.py). What a record may be afterwards is what
it was before, or what it is without a cut; anything else is a loss. The flash is read as the game reads it. After one
of twenty different outcomes the handheld is switched on, too, and must say the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from tools.board import BoardError
from tools.board.firmware_image import DRIVE_START, NVM_BYTES, NVM_START
from tools.board.handheld import Handheld
from tools.board.machine import Snapshot
from tools.board.player import Player
from tools.board.rp2040.ssi import ERASE_US, PROGRAM_US
from tools.markdown import lay_out
from tools.measure.cuts.kinds import find, start
from tools.measure.cuts.records import GAMES, Records, read_files, read_records

NOTHING, WRITTEN, RECORD, GAME, ALL, PROGRAM = range(6)  # what is lost, from the least to the most
LOSSES = ("nothing", "the record being written", "a saved record", "the game in progress", "all records", "the program")
HEADS = ("power fails in", "cuts", *LOSSES, "outside the window", "erases", "window")
_STEP_S = 0.005
_MOST_DONE = 0.95
_STARTS_EVERY = 20
_COPY = "save/journal.bin"
_PAUSE_S = 0.01  # longer than from one operation to the next of the same write
_WRITTEN_BY_THE_BOARD = {"boot_out.txt", "settings.toml"}


@dataclass(frozen=True)
class Operation:
    """The `number`-th operation of the flash after `before`.  risky: whether a loss in it is stated by the README."""

    before: Snapshot
    number: int
    time_s: float
    on_drive: bool
    erases: bool
    risky: bool = False


class Tape:
    """Let time pass in small steps, and keep what was before each operation of the flash."""

    def __init__(self, handheld: Handheld) -> None:
        self.handheld = handheld
        self.operations: list[Operation] = []

    def run(self, seconds: float) -> None:
        handheld = self.handheld
        while seconds > 1e-9:
            before, count = handheld.snapshot(), len(handheld.writes)
            handheld.run(min(_STEP_S, seconds))
            seconds -= _STEP_S
            for number, write in enumerate(handheld.writes[count:], 1):
                on_drive = write.address >= DRIVE_START
                self.operations.append(Operation(before, number, write.time_s, on_drive, write.erases))


@dataclass(frozen=True)
class Result:
    """What the cuts of a kind lost.  losses: how often each of LOSSES.  window_s: the longest with a risk."""

    name: str
    losses: Sequence[int]
    outside: int
    erases: int
    window_s: float

    @property
    def cells(self) -> list[str]:
        window = f"{1000 * self.window_s:.0f} ms" if self.window_s else "none"
        numbers = [sum(self.losses), *self.losses, self.outside, self.erases]
        return [self.name, *map(str, numbers), window]


def mark_risky(operations: list[Operation]) -> tuple[list[Operation], float]:
    """Mark operations in which the README says that a cut loses something; return their longest time in a row, too.

    They are those of a rewriting, from its erase of the memory on, and all on the drive.
    """
    marked: list[Operation] = []
    risky, began_s, longest_s, last_s = False, 0.0, 0.0, -1.0
    for each in operations:
        if each.time_s - last_s > _PAUSE_S + ERASE_US / 1e6:
            risky = False
        if not risky and (each.erases or each.on_drive):
            risky, began_s = True, each.time_s
        last_s = each.time_s
        if risky:
            longest_s = max(longest_s, each.time_s + (ERASE_US if each.erases else PROGRAM_US) / 1e6 - began_s)
        marked.append(replace(each, risky=risky))
    return marked, longest_s


class CutJudge:
    """Judge the flash after cuts: equal ones once, and one of twenty by a start of the handheld, too.

    program: the files of the drive that no cut may change; holds_drive: whether the game writes there, too.
    """

    def __init__(
        self, handheld: Handheld, before: Records, after: Records, program: dict[str, bytes], holds_drive: bool
    ) -> None:
        self.handheld = handheld
        self.before = before
        self.after = after
        self.program = program
        self.holds_drive = holds_drive
        self._lost: dict[bytes, int] = {}

    def judge(self, flash: bytes) -> int:
        """Return what the handheld, cut now, has lost, as a number of LOSSES; raise BoardError."""
        key = sha256(flash[NVM_START : NVM_START + NVM_BYTES] + flash[DRIVE_START:]).digest()
        if key not in self._lost:
            self._lost[key] = lost = self._read_loss(flash)
            if lost != PROGRAM and len(self._lost) % _STARTS_EVERY == 1:
                check_start(self.handheld, self.before, self.after, lost)
        return self._lost[key]

    def _read_loss(self, flash: bytes) -> int:
        found = read_files(flash, [*self.program, _COPY]) if self.holds_drive else self.program
        if any(found.get(path) != content for path, content in self.program.items()):
            return PROGRAM
        return judge(self.before, self.after, read_records(flash, found.get(_COPY, b"")))


def cut(name: str, uf2: Path, files: dict[str, bytes], most: int) -> Result:
    """Cut a kind `most` times, and the drive at least three times in each operation; raise BoardError."""
    kind = find(name)
    player = start(kind, uf2, files)
    handheld = player.handheld
    kind.reach(player)
    before = read_records(handheld.flash)
    tape = Tape(handheld)
    kind.pass_by(Player(handheld, tape.run))
    player.check()
    after = read_records(handheld.flash)
    operations, window_s = mark_risky(tape.operations)
    if not operations:
        player.fail(f"{kind.name}: the flash did nothing")
    program = {path: content for path, content in files.items() if path not in _WRITTEN_BY_THE_BOARD}
    judging = CutJudge(handheld, before, after, program, kind.holds_b)
    losses, outside = [0] * len(LOSSES), 0
    erases = [each.erases for each in operations]
    for place, done in share(erases, most, 3 if kind.holds_b else 1):
        operation = operations[place]
        lost = judging.judge(cut_in(handheld, operation, done))
        losses[lost] += 1
        outside += lost > WRITTEN and not operation.risky
    return Result(kind.name, losses, outside, sum(erases), window_s)


def share(erases: Sequence[bool], most: int, least: int) -> Iterator[tuple[int, float]]:
    """Yield (operation, share of it that is done) of `most` cuts, half in erases; at least `least` in each operation.

    erases: whether each operation erases.
    """
    for kind in sorted(set(erases)):
        places = [place for place, each in enumerate(erases) if each is kind]
        cuts = most // 2 if len(set(erases)) == 2 else most
        for number, place in enumerate(places):
            count = max(least, cuts * (number + 1) // len(places) - cuts * number // len(places))
            for turn in range(count):
                yield place, _MOST_DONE * turn / max(1, count - 1)


def cut_in(handheld: Handheld, operation: Operation, done: float) -> bytes:
    """Cut the power in an operation; return the flash."""
    handheld.restore(operation.before)
    handheld.cut_at(operation.number, done=done)
    handheld.run(0.2)
    if handheld.is_on:
        raise BoardError("the flash did not do the same again")
    return handheld.flash


def judge(before: Records, after: Records, found: Records) -> int:
    """Return what is lost, as a number of LOSSES."""
    lost = [kind for kind in before if found.get(kind) not in (before[kind], after.get(kind))]
    if not lost:
        return NOTHING if found == after else WRITTEN
    if not found:
        return ALL
    return GAME if set(lost) & set(GAMES) else RECORD


def check_start(handheld: Handheld, before: Records, after: Records, lost: int) -> None:
    """Switch on; raise BoardError unless the game comes, and has lost no record, either.

    Without settings it asks for the buttons first.
    """
    handheld.power_on()
    player = Player(handheld)
    words = ("PRESS A", "CONTINUE") if lost <= WRITTEN else ("PRESS A", "CONTINUE", "BUTTONS")
    player.expect(lambda: player.shows(*words), 4)
    player.run(0.2)
    player.check()
    if lost <= WRITTEN and judge(before, after, read_records(handheld.flash)) > WRITTEN:
        player.fail("after the start a record was lost")


def tabulate(rows: Iterable[Sequence[str]]) -> str:
    """Return the table of the cells of results."""
    return lay_out(HEADS, rows)
