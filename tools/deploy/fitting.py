"""Fill the table of the boards' drives in firmware/device/README.md: how much of each the game takes.

python -m tools.deploy.fitting            rewrite it
python -m tools.deploy.fitting --check    exit 1 when the committed table differs
"""

import json
import sys
from collections.abc import Mapping

from firmware.device import profiles
from sim import terminal
from tools import ROOT, markdown
from tools.assets import generation
from tools.deploy import compiling, image, mark, minifying
from tools.deploy.volume import room_for

README = ROOT / "firmware/device/README.md"
SPARE_KB = 12  # of a drive that the game leaves free, for the recordings of first places and a report of a crash
BEFORE = "0.5.0"
# What CircuitPython writes: of boot.py, against indexes and trash, and as examples.
_ITS_OWN = {"boot_out.txt": 200, ".fseventsd/no_log": 0, "lib/": 0, "sd/placeholder.txt": 57}


def measure() -> dict[str, int]:
    files = image.build(
        "ssd1306", next(iter(compiling.FORMATS.values())), cache=minifying.Cache(minifying.cache_path("renamed"))
    )
    files[image.SETTINGS] = image.settings_text().encode()
    files[mark.NAME] = mark.of_empty_drive(files).render()
    return {name: len(content) for name, content in files.items()}


def read_released(version: str) -> dict[str, int]:
    released = json.loads((ROOT / "tools/deploy/released.json").read_text(encoding="utf-8"))
    column = list(released["roots"]).index(version)
    sizes = {name: row[column] for name, row in released["sizes"].items() if row[column]}
    return sizes | {name: len(text.encode()) for name, text in released["roots"][version].items()}


def tell_room(drive_kb: int, game: Mapping[str, int], before: Mapping[str, int]) -> tuple[int, int, str]:
    """Return the KB that a game takes of a drive and leaves free, and how an update from the version `before` goes."""
    from folder2uf2 import SECTOR, Geometry

    geometry = Geometry(drive_kb * 1024 // SECTOR)
    unit = geometry.cluster_bytes
    capacity = geometry.cluster_count * unit - room_for(_ITS_OWN, unit)
    taken, old = room_for(game, unit), room_for(before, unit)
    if old > capacity:
        update = f"{BEFORE} did not fit"
    elif taken + old <= capacity:
        update = "beside the old game"
    else:
        update = "in place of the old game" if taken <= capacity else "no"
    return taken // 1024, (capacity - taken) // 1024, update


def make_table() -> str:
    game, before = measure(), read_released(BEFORE)
    rows = []
    for record in profiles.read():
        taken_kb, free_kb, update = tell_room(int(record["drive"]), game, before)
        free = f"{free_kb:,} KB" if free_kb >= 0 else f"{-free_kb} KB too few"
        if 0 <= free_kb < SPARE_KB:
            free += ": too few"
        rows.append((record["name"], f"{int(record['drive']):,} KB", f"{taken_kb:,} KB", free, update))
    return markdown.lay_out(("board", "drive", "game", "free", f"update from {BEFORE}"), rows)


def fill() -> str:
    """Return the README with the table; raise Refusal if it has no place for it."""
    return markdown.fill_file(README, "fitting", "python -m tools.deploy.fitting", make_table())


def main(arguments: list[str] | None = None) -> int:
    return generation.main("tools.deploy.fitting", __doc__, {README: fill}, arguments)


if __name__ == "__main__":
    sys.exit(terminal.run(main))
