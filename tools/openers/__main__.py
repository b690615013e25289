"""Show, prove and pack the handheld's openers, and count the bags that allow them.

    python -m tools.openers cover
    python -m tools.openers show TKI
    python -m tools.openers check --all

`build` writes firmware/openers.bin from tools/openers/openers.txt. Copy the firmware to the board afterwards.
"""

import argparse
import sys
from collections.abc import Set
from pathlib import Path

from sim import progress, terminal
from sim.ownership import write_clone
from sim.terminal import Refusal, add_fill, add_flag, note, tell_unknown
from tools import markdown
from tools.openers.packing import TARGET, find_orders, pack_all
from tools.openers.proof import prove
from tools.openers.steps import mirror
from tools.openers.text import Opener, read

README = Path(__file__).with_name("README.md")
COVER = "python -m tools.openers cover --fill"
STALE = 1
_SAMPLE = 97  # of the orders, one in so many


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return 0, 1 if openers.bin is not current, or 2 after one line on stderr."""
    words = "Show, prove and pack the handheld's openers; tools/openers/README.md describes their format."
    parser = terminal.Parser(prog="python -m tools.openers", description=words)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser("cover", help="print how many bags allow each opener")
    add_fill(command, "also put the table into tools/openers/README.md")
    command = commands.add_parser("show", help="show an opener, its steps and its fumen")
    command.add_argument("opener", metavar="NAME", help="name or number of the opener")
    add_flag(command, "--mirror", "show the mirrored opener")
    command = commands.add_parser(
        "check", help="prove the openers by the engine, and check that openers.bin is current"
    )
    add_flag(command, "--all", "replay every order of the bag, not one in 97 (takes half an hour)")
    commands.add_parser("build", help="write firmware/openers.bin", needs_clone=True)
    return parser.run(run, arguments)


def find(openers: list[Opener], key: str) -> Opener:
    """Return the opener with this name or number; raise Refusal if there is none."""
    for number, opener in enumerate(openers, 1):
        if key.upper() in (str(number), opener.name):
            return opener
    raise Refusal(tell_unknown(key, [opener.name for opener in openers], "opener"))


def lay_out_cover(openers: list[Opener]) -> str:
    heads = ["opener", "attack", "orders of 5,040", "percent", "with the mirror", "percent"]
    rows = []
    both_of_all: set[int] = set()
    for opener in openers:
        one = find_orders(opener, 0)
        both = one | find_orders(opener, 1)
        both_of_all |= both
        attacks = [*opener.bag.attacks, *(opener.following.attacks if opener.following else ())]
        rows.append([opener.name, ", ".join(attacks), *count(one), *count(both)])
    rows.append(["any of them", "", "", "", *count(both_of_all)])
    return markdown.lay_out(heads, rows)


def count(orders: Set[int]) -> tuple[str, str]:
    return f"{len(orders):,}", f"{len(orders) / 50.4:.1f} %"


def show(opener: Opener) -> None:
    """Print an opener's source, its steps with the Matrix after each, and its fumen."""
    from tools.openers.fumen import draw_steps, link

    print(f"{opener.name}: {opener.source}\n")
    print("\n\n".join(draw_steps(opener)))
    print(f"\n{link(opener)}")


def run(options: argparse.Namespace) -> int:
    openers = read()
    if options.command == "cover":
        table = lay_out_cover(openers)
        markdown.show(table, README, "cover", COVER, options.fill)
        return 0
    if options.command == "show":
        opener = find(openers, options.opener)
        show(mirror(opener) if options.mirror else opener)
        return 0
    packed = pack_all(openers)
    if options.command == "build":
        write_clone(TARGET, packed)
        note("tools.openers", f"wrote {TARGET}, {len(packed)} bytes")
        return 0
    if not TARGET.exists() or TARGET.read_bytes() != packed:
        print(f"{TARGET} is not current; run python -m tools.openers build", file=sys.stderr)
        return STALE
    games = 0
    with progress.bar("proving", 2 * len(openers), " openers") as bar:
        for number in range(2 * len(openers)):
            games += prove(number, 1 if options.all else _SAMPLE)
            bar.update(1)
    print(f"{games:,} bags built by the engine, press by press; {TARGET.name} is current, {len(packed)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(terminal.run(main))
