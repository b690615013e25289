"""Measure every scene on 32-bit MicroPython: what the heap holds while it shows, and whether it gives that back."""

from __future__ import annotations

from tools.measure import scripts

FIRST = "legal"

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
        app.go(name, subject)
        app.change()
        frames(20)
        if name == "play":
            game = app.scene.game
        gc.collect()
        print("scene", name, gc.mem_alloc() - BASE)
"""


def measure_scenes(names: list[str], blob: bytes, rounds: int = 1) -> list[dict[str, int]]:
    """Enter the scenes in this order, `rounds` times; return for each round the bytes on the heap in each.

    blob: a recording for the scene that watches one.  "play" comes before "over", which is about its game.
    """
    scenes = ", ".join(f"({name!r}, None)" for name in names) + ","
    played = scripts.run(_ROUNDS.format(blob=blob, first=FIRST, rounds=rounds, scenes=scenes))
    lines = [line.split() for line in played.stdout.splitlines()]
    sizes = [(name, int(size)) for _word, name, size in lines]
    return [dict(sizes[at : at + len(names)]) for at in range(0, len(sizes), len(names))]
