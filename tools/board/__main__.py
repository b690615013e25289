"""Play the deployed game on the real CircuitPython, in an emulated Raspberry Pi Pico.

The official firmware runs unchanged: the interpreter, its heap, the drive, USB and flash are those of a real board.
The game is deployed by tools.deploy from the current sources. The keys are those of `python -m sim`, except that the
up key is always the button U.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from sim import board_screens, terminal
from sim.chip_commands import ChipError
from sim.oled import COLOURS
from sim.ownership import output, to_file
from sim.terminal import add_flag, add_number, add_path, read_or_refuse, read_text_or_refuse, writing
from tools.board import BoardError, prepared, script
from tools.board.wires import LINK_SETTINGS, PROFILES, Wiring

if TYPE_CHECKING:
    from tools.board.console import Console
    from tools.board.handheld import Handheld

_HEADLESS_S = 5.0


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(
        prog="python -m tools.board",
        description=__doc__,
        epilog=script.HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words = "get: download CircuitPython into the cache, then exit"
    parser.add_argument("command", nargs="?", choices=["get"], help=words)
    add_flag(parser, "--headless", "run without a window, as fast as possible, then exit")
    words = f"without a window: how long to run after the script (default {_HEADLESS_S:g} if there is no script)"
    parser.add_argument("--seconds", type=terminal.seconds_from(0), metavar="S", help=words)
    begin = parser.add_argument_group("start")
    add_path(begin, "--uf2", "FILE", "CircuitPython to run (default: SKYLINE_UF2, then the cache)")
    add_path(begin, "--folder", "FOLDER", "use this folder as the drive instead of deploying")
    words = "wire the Pico like this board, with its kind of display (default: as the build guide shows)"
    begin.add_argument("--profile", choices=sorted(PROFILES), default="raspberry_pi_pico", metavar="NAME", help=words)
    begin.add_argument("--setting", action="append", default=[], metavar="LINE", help="add a line to settings.toml")
    words = "start with a handheld that was on before, past the questions of its first start, at its title"
    add_flag(begin, "--ready", words)
    words = f"like --ready, and {prepared.HELP}"
    begin.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help=words)
    words = "keep the flash in this file, so that scores survive"
    begin.add_argument("--flash", type=to_file(ours=is_flash), metavar="FILE", help=words)
    add_number(begin, "--seed", 0, None, 1, "seed of the hardware's random numbers")
    add_flag(begin, "--slow", "do not skip CircuitPython's one-second wait after power-on")
    words = "emulate 2 to 4 handhelds, linked in a ring"
    begin.add_argument("--link", type=terminal.number_within(2, 4), metavar="N", help=words)
    actions = parser.add_argument_group("actions")
    add_path(actions, "--script", "FILE", "carry out these steps first (the steps are listed below)")
    add_path(actions, "--recording", "GAME.sky", "press the buttons as in a recorded game")
    files = parser.add_argument_group("output")
    add_flag(files, "--serial", "print the output of the serial consoles")
    words = (
        "print free heap and largest block at the end, as after a garbage collection; with MS, look at them every MS "
    )
    words += "milliseconds, and print the tightest moments, too"
    files.add_argument("--heap", type=terminal.number_within(0), nargs="?", const=0, metavar="MS", help=words)
    files.add_argument("--screenshot", type=to_file(".png"), metavar="OUT.png", help="save the last picture")
    look = parser.add_argument_group("the window")
    add_number(look, "--scale", 0, 32, 0, "screen pixels per OLED pixel")
    look.add_argument("--colour", choices=sorted(COLOURS), default="white", help="colour of the OLED (default: white)")
    add_flag(look, "--mute", "no sound")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    from tools.board import firmware_image
    from tools.board.console import Console
    from tools.board.handheld import Handheld
    from tools.board.rp2040 import compiled

    if options.command == "get":
        print(firmware_image.fetch())
        return
    count = options.link or 1
    steps = script.read(read_text_or_refuse(options.script), count) if options.script else []
    if options.recording:
        steps += script.read_recording(options.recording)
    wiring = PROFILES[options.profile]
    flash = read_flash(options, wiring)
    if not compiled.folder.is_dir():
        terminal.note("tools.board", "compiling the emulator, half a minute, once")
    handhelds = [
        Handheld(
            flash, display=wiring.display, button_pins=wiring.buttons, fast=not options.slow, seed=options.seed + number
        )
        for number in range(count)
    ]
    console = Console(handhelds, serial=options.serial, heap_s=(options.heap or 0) / 1000)
    try:
        if options.ready or options.set:
            console.start_again()
        console.carry_out(steps)
        if options.headless:
            console.run(options.seconds if options.seconds is not None else 0 if steps else _HEADLESS_S)
        else:
            show(handhelds, console, options)
        console.check_cuts()
    except KeyboardInterrupt:
        pass
    except ChipError as problem:
        raise BoardError(f"the display was sent what it cannot read: {problem}") from None
    finally:  # save the flash even if the run fails
        if options.flash:
            with writing(options.flash), output(options.flash, firmware_image.is_flash) as file:
                file.write(handhelds[0].flash)
    for handheld in handhelds:
        if options.screenshot:
            console.save_picture(options.screenshot, handheld, count > 1)
        if options.heap is not None:
            console.print_least(handheld)
            console.print_heap(handheld)


def is_flash(content: bytes) -> bool:
    """Return whether this is a flash such as the emulator keeps."""
    from tools.board import firmware_image

    return firmware_image.is_flash(content)


def show(handhelds: list[Handheld], console: Console, options: argparse.Namespace) -> None:
    """Open the window; raise BoardError if there is no screen."""
    import pygame

    from tools.board.play import play

    try:
        board = board_screens.find(options.profile)
        play(handhelds, console, options.scale, options.colour, options.mute, board)
    except pygame.error as problem:
        raise BoardError(f"cannot open a window: {problem}; --headless needs none") from None


def read_flash(options: argparse.Namespace, wiring: Wiring) -> bytes:
    """Return the flash at the start; raise Refusal."""
    from tools.board import drive, firmware_image
    from tools.board.rp2040.layout import FLASH_BYTES

    if options.set and options.flash and options.flash.is_file():
        raise BoardError("--set makes a new memory: leave out --flash of a file that is there")
    if options.flash and options.flash.is_file():
        flash = read_or_refuse(options.flash)
        if len(flash) != FLASH_BYTES:
            raise BoardError(f"{options.flash} has {len(flash)} bytes; a flash has {FLASH_BYTES}")
        return flash
    if options.folder and not options.folder.is_dir():
        raise BoardError(f"there is no folder {options.folder}")
    nvm = prepared.read_choices(options.set) if options.ready or options.set else b""
    uf2 = firmware_image.find(options.uf2)
    files = drive.read_files(options.folder) if options.folder else drive.deploy_files(wiring.deploy_options)
    lines = [*(LINK_SETTINGS if options.link else []), *wiring.settings, *options.setting]
    return firmware_image.make_flash(uf2, drive.make_drive(drive.with_settings(files, lines)), nvm)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
