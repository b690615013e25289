"""Copy Skyline to the CIRCUITPY drive of a board, make one UF2 file of CircuitPython and Skyline, or set the clock."""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sim import progress, terminal
from sim.ownership import check_file, output, to_file
from sim.terminal import add_flag, add_path, tell_install, writing
from tools.deploy import (
    DeployError,
    clock,
    compiling,
    copying,
    drives,
    find_time,
    image,
    looking,
    mark,
    minifying,
    planning,
    removing,
    room,
    settings,
    tell_bytes,
    uf2,
)
from tools.deploy.volume import Volume, fold, room_for
from tools.files import write_files

# What sets the clock, makes a UF2 or removes the game, and the options beside it; --output always has a value.
_WITH = {
    "clock": "port output",
    "uf2": "board display source plain dry_run output",
    "remove": "drive dry_run yes output",
}
# folder2uf2 with another clock: equal files then make equal images.
_AT_ONE_TIME = """
import os, runpy, time
time.time = lambda: int(os.environ["SOURCE_DATE_EPOCH"])
runpy.run_module("folder2uf2", run_name="__main__")
"""


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.deploy", description=__doc__)
    add_path(parser, "--drive", "FOLDER", "the CIRCUITPY drive (default: found automatically)")
    add_flag(parser, "--dry-run", "list what would be copied, moved and removed, but change nothing")
    add_flag(parser, "--yes", "move a program of your own to before-skyline/ on the drive without a question")
    add_flag(parser, "--remove", "take Skyline off the drive, and put back what was there before")
    words = "copy the library for this display (default: the one in the drive's settings.toml)"
    parser.add_argument("--display", choices=image.KINDS, help=words)
    add_flag(parser, "--source", "copy .py files instead of .mpy and let the board compile them")
    add_flag(parser, "--plain", "like --source, but keep comments and docstrings")
    console = parser.add_argument_group("the date, over USB, of a handheld that is switched on")
    words = "set the handheld's clock and restart the game; DAILY then knows the date until power-off"
    add_flag(console, "--clock", words)
    words = "serial port of the handheld's console (default: found automatically)"
    console.add_argument("--port", metavar="PORT", default="", help=words)
    one_file = parser.add_argument_group("one file to drag onto a board in its bootloader")
    add_path(one_file, "--uf2", "FIRMWARE.UF2", "CircuitPython for this board")
    one_file.add_argument("--board", metavar="NAME", help="board name, such as raspberry_pi_pico or raspberry_pi_pico2")
    words, kind = "file to write (default: skyline.uf2)", to_file(ours=uf2.is_ours)
    one_file.add_argument("-o", "--output", type=kind, default=Path("skyline.uf2"), metavar="FILE", help=words)
    try:
        return parser.run(run, arguments)
    except KeyboardInterrupt:
        parser.refuse("stopped; run it again to finish")
        return terminal.INTERRUPTED


def run(options: argparse.Namespace) -> None:
    for way, used in _WITH.items():
        others = [name for name, value in vars(options).items() if value and name not in (way, *used.split())]
        if getattr(options, way) and others:
            raise DeployError(f"--{way} and --{others[0].replace('_', '-')} cannot be used together")
    if options.clock:
        print(f"{clock.set_clock(options.port)}: the handheld knows what day it is until it is switched off")
    elif options.uf2 or options.board:
        make_uf2(options)
    elif options.remove:
        remove(options)
    else:
        deploy(options)


def find_drive(options: argparse.Namespace) -> Path:
    if options.drive is not None:
        return options.drive
    places = drives.mounted()
    return drives.find(places, drives.windows_label) if sys.platform == "win32" else drives.find(places)


def look(drive: Path) -> looking.Drive:
    return looking.look(Volume(drive), set(image.read_sources()))


def deploy(options: argparse.Namespace) -> None:
    drive = find_drive(options)
    board = drives.check_board(drive)
    there = look(drive)
    try:
        content = there.read(image.SETTINGS) or b""
    except OSError as problem:
        raise DeployError(f"cannot read {drive / image.SETTINGS}: {problem.strerror or problem}") from None
    board_id = drives.find_board_id(drive)
    display = settings.check(content, board_id, board)
    print(f"{board}, at {drive}")
    if profile := settings.describe(content, board_id):
        print(profile)
    head = choose_format(options, compiling.find_version(board.encode()))
    files = build(options, options.display or display, head)
    if not content or image.SETTINGS + looking.NEW in there.ours:
        files = {image.SETTINGS: content or image.settings_text().encode(), **files}
    plan = planning.compare(there, files)
    if options.dry_run:
        for name, place in plan.moves.items():
            print(f"would move {name} to {place}")
    for name in plan.kept:
        print(f"kept, because it is not Skyline's: {name}")
    if options.dry_run:
        tell_files("would copy", {name: len(files[name]) for name in plan.changed})
        tell_files("would remove", {name: there.entries[fold(name)].size for name in plan.stale})
        copying.count_room(there, files, plan)
    else:
        if plan.missed and not options.yes:
            ask(plan.missed)
        copy(there, files, plan)
    report(files, plan, there.volume)
    if options.dry_run:
        print("--dry-run: nothing was changed")


def copy(there: looking.Drive, files: dict[str, bytes], plan: planning.Plan) -> None:
    """Copy the game, and tell what moved and what to do next."""
    with progress.bar("copying", sum(len(files[name]) for name in plan.changed), "B") as bar:
        copying.copy(there, files, plan, bar.update)
    for name, place in plan.moves.items():
        print(f"moved {name} to {place}; --remove puts it back")
    if plan.changed or plan.stale or plan.moves:
        print("Switch the board off and on to start the new version. Then --clock can set the date.")


def tell_files(would: str, sizes: Mapping[str, int]) -> None:
    """Print a line for each of our files at the root, and for each folder there with the number of our files in it."""
    for name, size in sizes.items():
        if "/" not in name:
            print(f"{would} {name}: {tell_bytes(size)}")
    for folder in sorted({name.split("/")[0] for name in sizes if "/" in name}):
        inside = [size for name, size in sizes.items() if name.startswith(folder + "/")]
        print(f"{would} {folder}/: {len(inside)} file{'s' * (len(inside) > 1)}, {tell_bytes(sum(inside))}")


def ask(names: list[str]) -> None:
    """Ask whether these files may move; raise DeployError unless the answer is yes."""
    some = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    if not sys.stdin.isatty():
        raise DeployError(
            f"not Skyline's: {some}; add --yes to move this to {mark.ASIDE}/, until --remove puts it back"
        )
    print(f"Not Skyline's: {some}.")
    try:
        answer = input(f"Move this to {mark.ASIDE}/? --remove puts it back. [y/N] ")
    except EOFError:  # Ctrl+D
        answer = ""
        print()
    if answer.strip().lower() not in ("y", "yes"):
        raise DeployError("nothing was changed")


def remove(options: argparse.Namespace) -> None:
    """Take our files off the drive, and put back what was there before."""
    drive = find_drive(options)
    if not drive.is_dir():
        raise DeployError(f"{drive} is no drive")
    there = look(drive)
    removal = removing.plan(there)
    would = "would " if options.dry_run else ""
    if not options.dry_run:
        removing.remove(there, removal)
    for place, path in removal.back.items():
        print(f"{would}put back {path}, which was {place}")
    for name in removal.kept:
        print(f"{would}keep {name}: it is yours")
    print(f"{would}remove {len(removal.gone)} files" if would else f"{len(removal.gone)} files removed")


def choose_format(options: argparse.Namespace, version: str) -> bytes | None:
    """Return the first bytes of compiled files for a CircuitPython, None for sources; print the choice."""
    if options.source or options.plain:
        print("copying sources, as --source asks: the board compiles them")
        return None
    head = compiling.find_format(version)
    if head:
        print(f"compiled for CircuitPython {version}")
    else:
        print(f"sources: what CircuitPython {version or 'of an unknown version'} reads is not known")
    return head


def build(options: argparse.Namespace, display: str, head: bytes | None) -> dict[str, bytes]:
    cache = minifying.Cache(minifying.cache_path("renamed" if head else "minified"))
    return image.build(display, head, not options.plain, cache)


def report(files: dict[str, bytes], plan: planning.Plan, volume: Volume) -> None:
    """Print how many files changed, and the bytes used and free."""
    counts = ((len(plan.changed), "changed"), (len(plan.unchanged), "as they were"), (len(plan.stale), "removed"))
    print(", ".join(f"{count} {words}" for count, words in counts if count))
    taken = room_for({name: len(content) for name, content in files.items()}, volume.cluster_bytes)
    print(f"{len(files)} files take {tell_bytes(taken)} of the drive; {tell_bytes(volume.free_bytes())} are free")


def make_uf2(options: argparse.Namespace) -> None:
    """Write one UF2 file with CircuitPython and a drive with the game."""
    if not options.uf2 or not options.board:
        raise DeployError("--uf2 FIRMWARE.UF2 and --board NAME go together")
    if not options.uf2.is_file():
        raise DeployError(f"there is no file {options.uf2}")
    check_file(options.output, ours=uf2.is_ours)
    firmware = terminal.read_or_refuse(options.uf2)
    place = drives.find_place(options.board)
    uf2.check(firmware, str(options.uf2), options.board)
    version = compiling.find_version(compiling.read_payload(firmware))
    display = options.display or settings.check("", options.board)
    files = build(options, display, choose_format(options, version))
    files[image.SETTINGS] = image.settings_text().encode()
    files[mark.NAME] = mark.of_empty_drive(files).render()
    if options.dry_run:
        tell_files("would hold", {name: len(content) for name, content in files.items()})
        return
    ours = tell_bytes(sum(map(len, files.values())))
    try:
        content = combine(options.uf2, files, place)
    except DriveTooSmall:
        raise DeployError(f"{options.board} has too small a drive for {ours}; {room.tell_cure(files)}") from None
    with writing(options.output), output(options.output, uf2.is_ours) as file:
        file.write(content)
    print(f"{options.output}: {tell_bytes(len(content))}, {ours} of them Skyline's")


class DriveTooSmall(Exception):
    """The files do not fit on the drive of a board."""


def combine(firmware: Path, files: dict[str, bytes], place: drives.Place) -> bytes:
    """Return one UF2 file of CircuitPython and a drive with these files; raise DriveTooSmall or DeployError."""
    with tempfile.TemporaryDirectory() as above:
        folder, made = Path(above, "drive"), Path(above, "skyline.uf2")
        write_files(folder, files)
        start, variables = ["-m", "folder2uf2"], dict(os.environ)
        time_s = find_time()
        if time_s is not None:
            start, variables["TZ"] = ["-c", _AT_ONE_TIME, "--volume-id", "0"], "UTC"
            for path in folder.rglob("*"):
                os.utime(path, (time_s, time_s))
        command = [sys.executable, *start, str(folder), *place.list_options()]
        command += ["--combine", str(firmware), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables)
        if not done.returncode:
            return made.read_bytes()
    *_, problem = done.stderr.strip().splitlines() or ["it said nothing"]
    if "No module named" in problem:
        raise DeployError(f"folder2uf2 is not installed; {tell_install('deploy')}")
    if "does not fit" in problem:
        raise DriveTooSmall
    raise DeployError(f"folder2uf2: {problem.removeprefix('folder2uf2: error: ')}")


if __name__ == "__main__":
    sys.exit(terminal.run(main))
