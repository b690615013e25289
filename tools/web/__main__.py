"""Build the page on which the handheld plays in a browser, or build and serve it."""

import argparse
import asyncio
import sys
import webbrowser
from pathlib import Path

from sim import terminal
from sim.terminal import number_within
from tools.web import WebError, browse, dist, linting, serving

PORT = 8128
_IN_A_CLONE = ("lint", "picture", "measure")


def make_parser() -> terminal.Parser:
    """Return the parser of the command line."""
    parser = terminal.Parser(prog="python -m tools.web", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    build = commands.add_parser("build", help="build the page: a folder of static files for any web host")
    serve = commands.add_parser("serve", help="build the page and serve it to this computer until Ctrl+C")
    picture = commands.add_parser("picture", help="build the page and take its picture for the README")
    speed = commands.add_parser("measure", help="build the page and measure its speed in a browser")
    commands.add_parser("lint", help="check the page's scripts by tsc and ESLint; needs Node")
    relay = commands.add_parser("relay", help="carry answers to invitations until Ctrl+C; the page needs none")
    for command in (build, serve, picture, speed):
        command.add_argument(
            "-o",
            "--output",
            type=terminal.path,
            default=dist.DEFAULT,
            metavar="FOLDER",
            help="folder to write (default: dist/)",
        )
    serve.add_argument(
        "--port",
        type=number_within(0, 65535),
        default=PORT,
        metavar="N",
        help=f"port (default {PORT}); 0 takes any free port",
    )
    relay.add_argument(
        "--host", default=serving.HOST, metavar="NAME", help="address to listen at (default: this computer)"
    )
    relay.add_argument(
        "--port",
        type=number_within(0, 65535),
        default=PORT + 1,
        metavar="N",
        help=f"port (default {PORT + 1}); 0 takes any free port",
    )
    relay.add_argument(
        "--tls", type=terminal.path, metavar="PEM", help="certificate and key, for wss:// without a proxy"
    )
    relay.add_argument("--proxied", action="store_true", help="count callers by X-Forwarded-For: a proxy is in front")
    picture.add_argument(
        "--devices", type=terminal.path, metavar="FILE", help="write a sheet of eight devices in both themes instead"
    )
    serve.add_argument("--open", action="store_true", help="open the page in the browser")
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 0, 1 if lint finds a problem, or 2 after one line on stderr."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    try:
        if options.command in _IN_A_CLONE and not terminal.IS_CLONE:
            raise WebError(f"{options.command} needs a clone of the repository")
        if options.command == "lint":
            return lint()
        if options.command == "relay":
            run_relay(options)
            return 0
        if options.command == "serve" and dist.IS_MADE and options.output == dist.DEFAULT:
            options.output = dist.MADE
        else:
            build(options.output)
        if options.command == "serve":
            serve(options)
        elif options.command == "picture":
            print(
                browse.photograph_devices(options.output, options.devices)
                if options.devices
                else browse.photograph(options.output)
            )
        elif options.command == "measure":
            print(*browse.measure(options.output), sep="\n")
    except WebError as problem:
        return parser.refuse(problem)
    return 0


def lint() -> int:
    """Print the problems in the page's scripts; return 1 if there are any."""
    found = linting.check()
    print(*found or ["no problem found"], sep="\n")
    return 1 if found else 0


def run_relay(options: argparse.Namespace) -> None:
    """Run the relay until somebody stops it."""
    try:
        from tools.web import relay
    except ImportError:
        raise WebError("websockets is not installed; pip install 'skyline-game[web]'") from None

    def print_address(address: str) -> None:
        print(f"{address}  (Ctrl+C ends it); name it in the page: More, Play together, More ways", flush=True)

    the_relay = relay.Relay(is_proxied=options.proxied)
    asyncio.run(relay.run(the_relay, options.host, options.port, options.tls, print_address))


def build(folder: Path) -> None:
    """Build the folder, and print the size of a first visit's download."""
    files = dist.build()
    dist.write(files, folder)
    sizes = dist.weigh(files)
    print(f"{folder}: {len(files)} files; a first visit downloads {sizes.total} bytes,", end=" ")
    print(f"{sizes.micropython} of MicroPython, {sizes.firmware} of firmware, {sizes.own} of the page")


def serve(options: argparse.Namespace) -> None:
    """Serve the folder until somebody stops it."""
    with serving.open_server(options.output, options.port) as server:
        print(f"{serving.address(server)}  (Ctrl+C ends it)", flush=True)
        if options.open:
            webbrowser.open(serving.address(server))
        server.serve_forever()


if __name__ == "__main__":
    sys.exit(terminal.run(main))
