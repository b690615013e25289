"""Time the tag of a seal on the emulated board, on each CircuitPython that is here."""

import argparse
import re
import sys
from pathlib import Path

from sim import terminal
from sim.terminal import add_fill, add_path
from tools.board import BoardError
from tools.markdown import lay_out, show

PAGE = Path(__file__).parents[2] / "firmware" / "link" / "README.md"
FIGURES = ("seal", "python -m tools.measure.seal --fill")
# The bytes of the text: of a beat, and of the longest play of three and of four devices.
TEXTS = {"a beat": 11, "the longest play of three": 52, "the longest play of four": 48}
_TIMES = 50
_PATIENCE_S = 60
# In place of code.py; the deployed modules stay as they are.
_SCRIPT = """
import supervisor
from firmware.link.seals import Seals
seals = Seals(lambda: 12345)
text = bytearray(64)
for length in {lengths}:
    begun = supervisor.ticks_ms()
    for _ in range({times}):
        seals.find_tag(seals.secret, text, length)
    print("tag", length, supervisor.ticks_ms() - begun)
"""


def measure(uf2: Path) -> dict[str, float]:
    """Return the milliseconds of a tag for each text; raise BoardError if the board prints none."""
    from firmware.device.wiring import DIRECT
    from tools.board import firmware_image
    from tools.board.handheld import make_handheld
    from tools.deploy import compiling, image

    script = _SCRIPT.format(lengths=tuple(TEXTS.values()), times=_TIMES)
    sources = {**image.read_sources(), "code.py": script}
    head = compiling.find_format(firmware_image.VERSION)
    handheld = make_handheld(uf2, image.build(DIRECT, head, sources=sources))
    for _ in range(_PATIENCE_S):
        handheld.run(1)
        found = {int(length): int(ms) for length, ms in re.findall(r"tag (\d+) (\d+)\r?\n", handheld.serial)}
        if len(found) == len(TEXTS):
            return {name: found[length] / _TIMES for name, length in TEXTS.items()}
    raise BoardError(f"the board printed no times: {handheld.serial[-200:]!a}")


def main(arguments: list[str] | None = None) -> int:
    parser = terminal.Parser(prog="python -m tools.measure.seal", description=__doc__)
    add_path(parser, "--uf2", "FILE", "only this CircuitPython (default: SKYLINE_UF2 and all in the cache)")
    add_fill(parser, "put the table into firmware/link/README.md, too")
    return parser.run(run, arguments)


def run(options: argparse.Namespace) -> None:
    from tools.board import firmware_image

    found = {version: measure(uf2) for version, uf2 in firmware_image.choose(options.uf2).items()}
    rows = [[f"{name}, {TEXTS[name]} bytes", *(f"{found[each][name]:.1f} ms" for each in found)] for name in TEXTS]
    table = lay_out(["one tag of", *found], rows)
    show(table, PAGE, *FIGURES, options.fill)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
