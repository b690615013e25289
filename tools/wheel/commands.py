"""Read the command line of `skyline`: play, or run one of the tools."""

import argparse
import runpy
import sys

from firmware.scenes.options.facts import VERSION
from sim import cli, command_line, terminal
from tools import setup
from tools.wheel import desktop

COMMANDS = {
    "deploy": "copy the game to a board, or make one UF2 file",
    "web": "play in a browser, or build the page for a web host",
    "board": "play on CircuitPython in an emulated board",
    "bots": "run a bot of the Tetris Bot Protocol, or host one",
    "versus": "let computers play against each other, and count",
    "export": "turn a recording into a GIF, a picture, text, sound or a fumen link",
    "review": "show what each Tetrimino of a game cost, and the worst moments",
    "library": "list, show and delete the games that you played",
    "daily": "write or check the line of a daily game",
    "puzzles": "show, write and solve puzzles",
    "openers": "show and prove openers, and count the bags that allow each",
    "measure": "measure what the game costs",
}
_HELP = "\n".join(f"  skyline {name:9} {words}" for name, words in COMMANDS.items())


def make_parser() -> terminal.Parser:
    """Return the parser of the game's options, with a list of all commands."""
    parser = command_line.make_parser()
    parser.prog = "skyline"
    parser.epilog = f"further commands (`skyline NAME --help` explains one):\n{_HELP}\n\n{parser.epilog}"
    words = "put the game into the menu of this desktop, with its icon and manual page"
    parser.add_argument("--install-desktop", action="store_true", help=words)
    words = "remove what --install-desktop and the tools have put into your folders, but not your games"
    parser.add_argument("--uninstall-desktop", action="store_true", help=words)
    parser.add_argument("--version", action="version", version=f"skyline {VERSION.decode()}")
    return parser


def main() -> int:
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    extra = setup.EXTRAS.get(name, setup.ALL) if name in COMMANDS else "sim"
    terminal.tell_missing(terminal.tell_install(extra))
    if name not in COMMANDS and name[:1] not in ("", "-"):
        return make_parser().refuse(terminal.tell_unknown(name, COMMANDS, "command"))
    if name not in COMMANDS:
        return terminal.run(lambda: make_parser().run(_play, None))
    module, *rest = setup.commands(name, sys.argv[2:])[0][1:]
    sys.argv[1:] = rest
    runpy.run_module(module, run_name="__main__", alter_sys=True)  # leaves by SystemExit
    return 0


def _play(options: argparse.Namespace) -> None:
    if options.install_desktop:
        desktop.install()
    elif options.uninstall_desktop:
        desktop.uninstall()
    else:
        cli.run_options(options)
