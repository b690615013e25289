"""Measure every scene on 32-bit MicroPython: what the heap holds while it shows, and whether it gives that back."""

from __future__ import annotations

from tools import interpreters
from tools.measure import scripts

FIRST = "legal"
# Of a game of their own: tests of these measure them.
ELSEWHERE = {"tetress_play", "pieces", "over"}

_ROUNDS = """
import firmware.app
blob = {blob!r}
device = build(Bus(), 0)
app = firmware.app.App(device, 1, first="{first}")

def frames(count):
    for frame in range(count):
        device.clock.tick()
        app.step()

frames(2)
game = None
for turn in range({rounds}):
    for name, subject in (({scenes})):
        if name == "over":
            subject = game
        elif name == "watch":
            subject = blob
        elif name == "initials":
            subject = (0, 0)
        elif name == "demo":
            subject = 0
        app.go(name, subject)
        app.change()
        frames({frames})
        if name == "play":
            game = app.scene.game
        gc.collect()
        print("scene", name, gc.mem_alloc() - BASE)
"""


def measure_scenes(names: list[str], blob: bytes, rounds: int = 1, frames: int = 20) -> list[dict[str, int]]:
    """Enter the scenes in this order, `rounds` times; return for each round the bytes on the heap in each.

    frames: how long it stays in each.  blob: a recording for the scene that watches one.

    "play" comes before "over", which is about its game.
    """
    scenes = ", ".join(f"({name!r}, None)" for name in names) + ","
    # Most of it goes into the garbage collector, which sweeps a heap of 32 MB each time.
    fuel = rounds * interpreters.FUEL_LIMIT // 10
    played = scripts.run(
        _ROUNDS.format(blob=blob, first=FIRST, rounds=rounds, frames=frames, scenes=scenes),
        fuel,
    )
    lines = [line.split() for line in played.stdout.splitlines()]
    sizes = [(name, int(size)) for _word, name, size in lines]
    return [dict(sizes[at : at + len(names)]) for at in range(0, len(sizes), len(names))]


def name_scenes() -> list[str]:
    """Return all scenes in the order of their names: modules of firmware/scenes/ with a class Scene, and play."""
    folder = interpreters.ROOT / "firmware" / "scenes"
    names = {path.stem for path in folder.glob("*.py") if "\nclass Scene" in path.read_text(encoding="utf-8")}
    return [*sorted((names | {"play"}) - ELSEWHERE), "over"]
