"""Build the page on which the handheld plays in a browser, or build and serve it."""

import argparse
import asyncio
import sys
import webbrowser
from functools import partial
from pathlib import Path

from sim import terminal
from sim.ownership import check_folder, to_file, to_folder, write_folder
from sim.terminal import add_flag, add_number, add_path, tell_install
from tools.web import WebError, browse, dist, linting, serving, timing


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 0, 1 if lint finds a problem, or 2 after one line on stderr."""
    parser = terminal.Parser(prog="python -m tools.web", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    build = commands.add_parser("build", help="build the page: a folder of static files for any web host")
    serve = commands.add_parser("serve", help="build the page and serve it to this computer until Ctrl+C")
    words = "build the page and take its picture for the README"
    picture = commands.add_parser("picture", help=words, needs_clone=True)
    words = "build the page and measure its speed in a browser"
    speed = commands.add_parser("measure", help=words, needs_clone=True)
    words = "check the page's scripts by tsc and ESLint; needs Node"
    commands.add_parser("lint", help=words, needs_clone=True)
    relay = commands.add_parser("relay", help="carry answers to invitations until Ctrl+C; the page needs none")
    for command in (build, serve, picture, speed):
        words, kind = "folder to write (default: dist/)", to_folder(dist.MARKER)
        command.add_argument("-o", "--output", type=kind, default=dist.DEFAULT, metavar="FOLDER", help=words)
        words = "address of the relay that the page uses (default: none), so that an invitation needs no answer by hand"
        command.add_argument("--relay", type=dist.name_relay, metavar="ADDRESS", help=words)
    add_number(serve, "--port", 0, 65535, serving.PORT, "port; 0 takes any free port")
    add_flag(serve, "--open", "open the page in the browser")
    words = "address to listen at (default: this computer)"
    relay.add_argument("--host", default=serving.HOST, metavar="NAME", help=words)
    add_number(relay, "--port", 0, 65535, serving.PORT + 1, "port; 0 takes any free port")
    add_path(relay, "--tls", "PEM", "certificate and key, for wss:// without a proxy")
    words = "a page that may call, such as https://play.example.org; again for more (default: those of this computer)"
    relay.add_argument("--origin", action="append", default=[], metavar="ORIGIN", help=words)
    add_flag(relay, "--proxied", "count callers by X-Forwarded-For: a proxy is in front")
    words = "write a sheet of these screens in both themes instead, and print the glass's sizes: "
    words += "; ".join(browse.SCREENS).replace("%", "%%")
    picture.add_argument("--screens", type=to_file(".png"), metavar="OUT.png", help=words)
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> int:
    """Carry out the command line; return the exit code. Raise WebError."""
    if options.command == "lint":
        return lint()
    if options.command == "relay":
        run_relay(options)
        return 0
    if options.command == "serve" and dist.IS_MADE and options.output == dist.DEFAULT and not options.relay:
        options.output = dist.MADE
    else:
        build(options.output, options.relay)
    if options.command == "serve":
        serve(options)
    elif options.command == "picture" and options.screens:
        print(*browse.photograph_screens(options.output, options.screens), sep="\n")
    elif options.command == "picture":
        print(browse.photograph(options.output))
    elif options.command == "measure":
        print(*timing.measure(options.output), sep="\n")
    return 0


def lint() -> int:
    """Print the problems in the page's scripts; return 1 if there are any."""
    found = linting.check()
    print(*found or ["no problem found"], sep="\n")
    return 1 if found else 0


def run_relay(options: argparse.Namespace) -> None:
    try:
        from tools.web import relay
    except ImportError:
        raise WebError(f"websockets is not installed; {tell_install('web')}") from None

    def print_address(address: str) -> None:
        print(f"{address}  (Ctrl+C ends it); name it in the page: More, Play together, More ways", flush=True)

    the_relay = relay.Relay(is_proxied=options.proxied)
    where = options.host, options.port, options.tls
    warn = partial(terminal.note, "tools.web")
    asyncio.run(relay.run(the_relay, *where, print_address, options.origin, warn))


def build(folder: Path, relay: str | None) -> None:
    check_folder(folder, dist.MARKER)
    files = dist.build(relay=relay)
    write_folder(folder, files, dist.MARKER)
    sizes = dist.weigh(files)
    print(f"{folder}: {len(files)} files; a first visit downloads {sizes.total} bytes,", end=" ")
    print(f"{sizes.micropython} of MicroPython, {sizes.firmware} of firmware, {sizes.own} of the page")


def serve(options: argparse.Namespace) -> None:
    with serving.open_server(options.output, options.port) as server:
        print(f"{serving.address(server)}  (Ctrl+C ends it)", flush=True)
        if options.open:
            webbrowser.open(serving.address(server))
        server.serve_forever()


if __name__ == "__main__":
    sys.exit(terminal.run(main))
