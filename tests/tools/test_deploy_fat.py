"""Deploy on FAT images of drives: a board always has a game or says what to do, and no stranger's file is lost."""

import errno
import json
import re
import time
from bisect import bisect_left
from typing import Any

import folder2uf2
import pytest

from firmware.device import profiles
from firmware.view.art import FONT_5X7
from firmware.view.canvas import Canvas, centre
from tests.support.board_lint import Lint, rp2040
from tests.support.deployed import Files
from tests.support.fat_drive import FatVolume, cut, make_image, mounted
from tests.support.running import ROOT
from tools.deploy import (
    DeployError,
    copying,
    drives,
    fitting,
    guard,
    image,
    looking,
    mark,
    planning,
    removing,
)
from tools.deploy.volume import FILE, fold, room_for

RELEASED = json.loads((ROOT / "tools/deploy/released.json").read_text("utf-8"))
VERSIONS = list(RELEASED["roots"])
BOOT_OUT = {"boot_out.txt": b"Adafruit CircuitPython 10.0.0 on 2025-10-01; Raspberry Pi Pico with rp2040\r\n"}
OWN = {"save/best01_9.sky": b"recording" * 100, "lib/mine.py": b"mine"}

BOOT, CODE = (RELEASED["roots"]["0.5.0"][name].encode() for name in ("boot.py", "code.py"))
OLD = {
    **{
        f"firmware/{name}.mpy": f"C\6\0\x1f\0\0 firmware/{name}.mpy".encode() + b"old" * 500
        for name in ("a", "b", "x/c")
    },
    "firmware/winning.bin": b"old" * 900,
    "boot.py": BOOT,
    "safemode.py": b"from firmware.device.boot import safety",
    "code.py": CODE,
}
GONE = {f"firmware/gone{number}.bin": b"gone" * 400 for number in range(6)}
FRESH = {
    **{f"firmware/{name}.mpy": b"new" * 400 for name in ("a", "b", "y/d", "y/z/e_long_name_in_two_entries")},
    "firmware/winning.bin": OLD["firmware/winning.bin"],
    "boot.py": BOOT + b"#",
    "safemode.py": b"print(1)",
    "code.py": CODE + b"#new",
}
FOREIGN = {
    "code.py": b"mine = 1",
    "boot.py": b"mine = 2",
    "main.py": b"mine = 3",
    "notes.txt": b"mine",
    "firmware/mine/driver.py": b"mine = 4",
    "firmware/a.mpy": b"mine",
    "lib/mine.py": b"mine",
    "settings.toml": b"X = 1",
}


def released(version: str) -> Files:
    """Return the files of a version as deployed: names, sizes and root files are real, the rest is filled up."""
    files = {}
    for name, sizes in RELEASED["sizes"].items():
        if size := sizes[VERSIONS.index(version)]:
            head = f"C\6\0\x1f\0\0 {name} {version}".encode()
            files[name] = (head + b"." * size)[:size] if name.endswith(".mpy") else b"." * size
    return files | {name: text.encode() for name, text in RELEASED["roots"][version].items()}


def deploy(volume: FatVolume, files: Files) -> planning.Plan:
    drive = looking.look(volume, set())
    plan = planning.compare(drive, files)
    copying.copy(drive, files, plan)
    return plan


def remove(volume: FatVolume) -> None:
    drive = looking.look(volume, set())
    removing.remove(drive, removing.plan(drive))


def content(volume: FatVolume) -> Files:
    """Return the files of a drive, without hidden ones, and without names that were cut to their short form."""
    names = [entry.path for entry in volume.scan().values() if entry.kind == FILE]
    return {fold(name): volume.read(name) for name in names if name[0] != "." and "~" not in name}


def own(files: Files) -> Files:
    return {name: text for name, text in files.items() if name != mark.NAME}


def find_program(files: Files) -> bytes:
    """Return the program that CircuitPython starts; our boot.py asks for code.py."""
    ours = b"set_next_code_file" in files.get("boot.py", b"")
    names = ("code.txt", "code.py", "main.py", "main.txt")
    return next((files[name] for name in (("code.py", *names) if ours else names) if name in files), b"")


def tell(files: Files, *games: Files) -> int | str:
    """Return which whole game a drive has, or that the guard speaks."""
    program = find_program(files)
    if guard.is_guard(program):
        return "guard"
    for number, game in enumerate(games):
        # These the game does without: other programs, and the drive's own settings.
        others = {"settings.toml", *planning.STARTERS} - {"boot.py"}
        if program == find_program(game) and {*game.items()} - {*files.items()} <= {(n, game.get(n)) for n in others}:
            return number
    return f"broken: {program!r}"


def check_after(files: Files, whole: Files, before: Files) -> None:
    """Fail unless a drive holds `whole`, and besides it only more entries of files that were there before."""
    rest = own(files)
    assert own(whole).items() <= rest.items()
    assert {rest[name] for name in rest.keys() - whole.keys()} <= {*before.values()}


def fill(drive: Files, size_kb: int, left_bytes: int) -> bytes:
    """Return an image with the files and one more that leaves so much room."""
    with mounted(make_image(size_kb, drive)) as volume:
        ballast = volume.free_bytes() - left_bytes
    return make_image(size_kb, {**drive, "ballast": bytes(ballast)})


def marked(files: Files) -> Files:
    return {**files, mark.NAME: mark.of_empty_drive(files).render()}


CASES: dict[str, tuple[bytes, Files]] = {
    "beside the old game": (make_image(100, {**OLD, **OWN}), OLD),
    "in place": (fill({**OLD, **OWN}, 100, 6 << 10), OLD),
    "without a free byte": (fill({**OLD, **OWN, **GONE}, 100, 0), OLD),
    "with a mark": (fill(marked({**OLD, **GONE}), 100, 1 << 10), OLD),
    "over another project": (make_image(100, FOREIGN), FOREIGN),
    "over a project with code.txt": (
        make_image(100, {**FOREIGN, "code.txt": b"mine = 5"}),
        {**FOREIGN, "code.txt": b"mine = 5"},
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_a_cut_at_any_sector_leaves_a_whole_game_or_the_guard(case: str) -> None:
    before, old = CASES[case]
    with mounted(before) as volume:
        first = content(volume)
        deploy(volume, FRESH)
        last, log = content(volume), volume.disk.log
    seen = set()
    for state in cut(before, log, range(len(log) + 1)):
        with mounted(state) as volume:
            seen.add(tell(content(volume), old, FRESH))
            deploy(volume, FRESH)
            check_after(content(volume), last, first)
    assert seen == {0, 1, "guard"}


def fill_to_least(drive: Files) -> bytes:
    """Return an image with the files and no more room than an update needs."""

    def fits(left_bytes: int) -> bool:
        with mounted(fill(drive, 100, left_bytes)) as volume:
            there = looking.look(volume, set())
            try:
                copying.count_room(there, FRESH, planning.compare(there, FRESH))
            except DeployError:
                return False
            return True

    sizes = range(0, 32 << 10, 512)
    return fill(drive, 100, sizes[bisect_left(sizes, True, key=fits)])


@pytest.mark.parametrize("old", [OLD, marked(OLD), FOREIGN], ids=["our files", "our files and a mark", "a stranger's"])
def test_after_a_cut_at_any_operation_no_more_room_is_needed(old: Files) -> None:
    before = fill_to_least(old)
    with mounted(before) as volume:
        deploy(volume, FRESH)
        last, log, places = content(volume), volume.disk.log, volume.operations
    late = range(places[-1], len(log) + 1)  # while the last mark takes the place of the one before
    for state in cut(before, log, sorted({*places, *late})):
        with mounted(state) as volume:
            deploy(volume, FRESH)
            check_after(content(volume), last, old)


@pytest.mark.parametrize(
    ("others_kb", "game_kb", "name", "words"),
    [
        (
            0,
            120,
            "a.mpy",
            r"too small: Skyline needs 12\d KB, and it has 9\d KB; use a board with a drive of 508 KB or ",
        ),
        (40, 120, "a.mpy", r"too small: Skyline needs 12\d KB, and it has 9\d KB; use a board "),
        (40, 120, "a.py", r"too small: .*; compiled files take less: leave out --source and --plain"),
        (
            40,
            80,
            "a.mpy",
            r"full: Skyline needs 8\d KB, 5\d KB are free and 1 KB its own; remove 2\d KB of other files$",
        ),
    ],
)
def test_a_drive_without_room_gets_true_advice(others_kb: int, game_kb: int, name: str, words: str) -> None:
    others = {"mine.bin": bytes(others_kb << 10)} if others_kb else {}
    with mounted(make_image(100, {**BOOT_OUT, **marked({"code.py": b"old"}), **others})) as volume:
        before = content(volume)
        with pytest.raises(DeployError, match=f"^the drive is {words}"):
            deploy(volume, {f"firmware/{name}": bytes(game_kb << 10), "code.py": b"new"})
        assert content(volume) == before


def test_a_full_drive_with_the_game_needs_no_room() -> None:
    with mounted(fill(marked(FRESH), 100, 0)) as volume:
        deploy(volume, FRESH)
        assert volume.operations == []


@pytest.mark.parametrize("later", [{}, {"firmware/added.py": b"mine, too"}], ids=["as it was", "with a new file"])
@pytest.mark.parametrize("case", [name for name in CASES if "project" in name])
def test_a_removal_cut_at_any_sector_gives_the_drive_back(case: str, later: Files) -> None:
    before, old = CASES[case]
    old = old | later
    with mounted(before) as volume:
        deploy(volume, FRESH)
        for name, text in later.items():
            volume.write(name, text)
        between = bytes(volume.disk.storage)
    with mounted(between) as volume:
        remove(volume)
        assert content(volume) == old
        assert later or volume.free_bytes() >= mounted_free(before)
        log = volume.disk.log
    for state in cut(between, log, range(len(log) + 1)):
        with mounted(state) as volume:
            if looking.look(volume, set()).has_skyline:
                remove(volume)
            check_after(content(volume), old, old)


def mounted_free(image_bytes: bytes) -> int:
    with mounted(image_bytes) as volume:
        return volume.free_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "number"),
    [
        *((case, errno.EIO) for case in CASES),
        ("without a free byte", errno.ENOSPC),
        ("over another project", errno.EROFS),
    ],
)
def test_an_error_at_any_operation_is_one_line_and_mended_by_the_next_run(case: str, number: int) -> None:
    before, old = CASES[case]
    with mounted(before) as volume:
        deploy(volume, FRESH)
        last, count = content(volume), len(volume.operations)
    refusals = []
    for at in range(1, count + 1):
        with mounted(before) as volume:
            volume.fails_at, volume.fails_with = at, number
            try:
                deploy(volume, FRESH)
            except DeployError as problem:
                refusals.append(str(problem))
            assert tell(content(volume), old, FRESH) in (0, 1, "guard")
            deploy(volume, FRESH)
            assert content(volume) == last
    assert len(refusals) > count // 2
    assert not any("\n" in words for words in refusals)


def fits(size_kb: int, files: Files) -> bool:
    """Return whether a new drive of this size holds the game and 12 KB more."""
    try:
        return mounted_free(make_image(size_kb, {**BOOT_OUT, **marked(files)})) >= 12 << 10
    except ValueError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize("size_kb", [508, 1024, 8192])
@pytest.mark.parametrize("version", VERSIONS)
def test_an_update_needs_no_more_room_than_the_drive_has(version: str, size_kb: int, compiled: Files) -> None:
    old = released(version)
    try:
        before = make_image(size_kb, {**BOOT_OUT, **old})
    except ValueError:
        assert (version, size_kb) == ("0.5.0", 508), "which no Pico W could hold"
        return
    with mounted(before) as volume:
        if fits(size_kb, compiled):
            deploy(volume, compiled)
            assert own(content(volume)) == {**BOOT_OUT, "settings.toml": old["settings.toml"], **compiled}
        else:
            with pytest.raises(DeployError, match=r"the drive is full: Skyline needs \d+ KB, \d+ KB are free and"):
                deploy(volume, compiled)
            assert content(volume) == {**BOOT_OUT, **old}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_version_without_a_mark_is_known_and_removed(version: str) -> None:
    files = released(version)
    with mounted(make_image(1024, {**BOOT_OUT, **files, **OWN, "firmware/mine/driver.py": b"mine"})) as volume:
        remove(volume)
        settings = {"settings.toml": files["settings.toml"]}
        assert content(volume) == {**BOOT_OUT, **settings, **OWN, "firmware/mine/driver.py": b"mine"}


@pytest.mark.long
@pytest.mark.parametrize(("version", "size_kb", "step"), [("0.5.0", 1024, 5), ("0.3.0", 1024, 25), ("0.4.0", 8192, 25)])
def test_a_cut_of_an_update_between_releases_is_mended(version: str, size_kb: int, step: int, compiled: Files) -> None:
    old = released(version)
    growth = mounted_free(make_image(size_kb, old)) - mounted_free(make_image(size_kb, compiled))
    before = fill({**BOOT_OUT, **old, **OWN}, size_kb, max(0, growth) + (40 << 10))  # too little for both games
    with mounted(before) as volume:
        deploy(volume, compiled)
        last, log, places = content(volume), volume.disk.log, volume.operations
    halves = [(first + second) // 2 for first, second in zip(places, [*places[1:], len(log)], strict=True)]
    for state in cut(before, log, sorted({*places[::step], *halves[::step], *places[-12:], *halves[-12:], len(log)})):
        with mounted(state) as volume:
            assert tell(content(volume), old, compiled) in (0, 1, "guard")
            deploy(volume, compiled)
            assert content(volume) == last


def run_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the guard until it waits to speak again."""

    class Waits(BaseException):
        pass

    def sleep(seconds: float) -> None:
        raise Waits

    monkeypatch.setattr(time, "sleep", sleep)
    with pytest.raises(Waits):
        exec(compile(guard.TEXT, guard.NAME, "exec"), {})


def test_the_guard_tells_the_console_and_the_display(workbench: Any, capsys, monkeypatch) -> None:
    run_guard(monkeypatch)
    assert re.fullmatch(r"Skyline is not whole: run .*tools.deploy.*\n", capsys.readouterr().out)
    (chip,) = workbench.chips
    canvas = Canvas()
    centre(canvas, 56, b"COPY AGAIN", FONT_5X7)
    assert chip.picture() == bytes(canvas.buffer[1:])
    assert Lint(rp2040(), guard.TEXT.decode()).found == []
    assert len(guard.TEXT) <= 512, "one cluster, which safemode.py frees on a full drive"


def test_the_guard_runs_without_a_display(workbench: Any, capsys, monkeypatch) -> None:
    workbench.pull_ups = False
    run_guard(monkeypatch)
    assert capsys.readouterr().out.startswith("Skyline is not whole")


def test_the_table_of_drives_says_what_is_true_now(compiled: Files) -> None:
    files = marked({**compiled, "settings.toml": image.settings_text().encode()})
    game = {name: len(text) for name, text in files.items()}
    rows = [line for line in fitting.README.read_text("utf-8").splitlines() if re.search("old game|did not fit", line)]
    records = list(profiles.read())
    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        kb = int(record["drive"])
        _taken, free_kb, update = fitting.tell_room(kb, game, fitting.read_released(fitting.BEFORE))
        assert record["name"] in row and f"{kb:,} KB" in row
        assert ("too few" not in row) == (free_kb >= fitting.SPARE_KB)
        assert update in row


@pytest.mark.parametrize("size_kb", [1024, 3072, 15_360])
def test_room_is_counted_as_folder2uf2_lays_files_out(size_kb: int) -> None:
    files = {**BOOT_OUT, **released("0.5.0")}
    with mounted(make_image(size_kb, {})) as volume:
        empty, unit = volume.free_bytes(), volume.cluster_bytes
    left = mounted_free(make_image(size_kb, files))
    assert empty - left == room_for({name: len(text) for name, text in files.items()}, unit)
    assert size_kb != 1024 or left == 466_432, "which was measured on a Pico"


def test_sizes_of_drives_are_those_of_circuitpython() -> None:
    both = [name for name in profiles.list_names() if name in folder2uf2.BOARDS]
    for name in both:
        family, start, end = folder2uf2.BOARDS[name]
        assert drives.find_place(name) == (family, start, end - start)
    assert len(both) == 4


def test_no_board_gets_the_sizes_of_drives(compiled: Files) -> None:
    assert b"drive" not in compiled["firmware/device/profiles.txt"]
