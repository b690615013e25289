"""Measure a match on one handheld: its heap, its frames while computers think, and its allocations."""

from dataclasses import dataclass

from tools import interpreters
from tools.measure import board, scenes, scripts

LEVEL = 5  # thinks the most
FRAMES = 1500
_SEED = 7

_FRAMES = (
    scripts.MARKED
    + """
class Thinking(Marked):
    def draw(self):
        thought[0] = False
        Marked.draw(self)
        if not thought[0]:
            mark()
            mark()

def think(load):
    thought[0] = True
    mark()
    thinking(load)
    mark()

def is_over(scene):
    return {over}

def play(frame, end):
    while frame < end:
        device.clock.tick()
        bus.count = 0
        mark()
        app.step()
        mark()
        if is_over(app.router.scene.inner):
            break
        counts[frame] = bus.count
        if not frame & 127:
            held[0] = gc.mem_alloc()
        frame += 1
    return frame

from firmware.save.recorder import Recorder

mark()
mark()
frames = {frames}
counts = array("H", bytes(2 * frames))
bus = Bus()
device = build(bus, {seed}, mark)
device.buttons.at_play = False
app = App(device, {seed}, recorder=Recorder({recorder}), first="menus.title")
app.session.counts_down = False  # measure a running match
app.router.change(app.context)
app.context.settings.versus = {versus}
app.context.go("{scene}")
app.router.change(app.context)
{before}
device.buttons.at_play = {pressed}
thought = [False]
if hasattr(app.router.scene, "think"):
    thinking = app.router.scene.think
    app.router.scene.think = think
app.router.scene = Thinking(app.router.scene)
held = [0]
before = 0  # define all names first: else this script's dictionary grows while it counts
before = gc.mem_alloc()
frames = play(0, frames)
print("allocated", held[0] - before)
report("counts", counts, frames)
"""
)

# Knocks the person out, who then asks for hints again and again.
_PRACTISE = """
def ask(scene):
    if scene.adviser.mark.piece or not scene.adviser.is_asked:
        scene.adviser.ask(scene.shown)
    return scene.state

for row in range(21):
    app.router.scene.match.seats[0].game.matrix.set_row(row, bytes((8, 8, 8, 8, 8, 8, 8, 8, 8, 0)))
while not app.router.scene.adviser:
    device.clock.tick()
    app.router.scene.update(app.edges, device.clock.ticks_ms())
"""

# Lets the title play.
_DEMONSTRATE = """
app.idling.idle_s = 1
while not app.router.scene.show:
    device.clock.tick()
    app.router.scene.update(app.edges, device.clock.ticks_ms())
    app.router.load_ahead(app.context)
"""


@dataclass(frozen=True)
class MatchFrames:
    """Board time in us of each frame of a match but the first."""

    engine_us: list[float]  # edges, rules, sound
    draw_us: list[float]
    thought_us: list[float]  # of all computers together
    show_us: list[float]
    allocated: int  # bytes, all frames together

    @property
    def board_us(self) -> list[float]:
        return [sum(parts) for parts in zip(self.engine_us, self.draw_us, self.thought_us, self.show_us, strict=True)]


def choose(players: int) -> int:
    """Return the setting for a match of `players`: one person, the others computers."""
    from firmware.save import match_choices

    choices = match_choices.unpack(0)
    choices[match_choices.OPPONENTS] = players - 2
    for i in range(3):
        choices[match_choices.LEVELS + i] = LEVEL - 1
    choices[match_choices.QUICKEN] = 2
    return match_choices.pack(choices)


def measure_heap(players: int) -> int:
    return scenes.measure_match(choose(players))["play"]


def measure_frames(players: int, frames: int = FRAMES) -> MatchFrames:
    """Play a match through the App with buttons pressed at random, until the person is out or `frames` have passed."""
    return count_frames(match_script(players, frames))


def match_script(players: int, frames: int) -> str:
    """Return the script of a match until the person is out: Practice would begin new games."""
    return _fill("match.play", "scene.state or scene.match.seats[0].out_ms >= 0", choose(players), frames)


def demo_script(frames: int) -> str:
    return _fill("menus.title", "False", choose(2), frames, pressed=False, before=_DEMONSTRATE)


def hints_script(players: int, frames: int) -> str:
    """Return the script of Practice in which the knocked-out person keeps asking for hints."""
    return _fill("match.play", "ask(scene)", choose(players), frames, pressed=False, before=_PRACTISE)


def _fill(scene: str, over: str, versus: int, frames: int, *, pressed: bool = True, before: str = "") -> str:
    """Return the script that plays a scene until the expression `over` is true; `before`: commands to run first."""
    more = {"seed": _SEED, "recorder": scenes.RECORDER_BYTES}
    return _FRAMES.format(scene=scene, over=over, pressed=pressed, before=before, versus=versus, frames=frames, **more)


def count_frames(script: str) -> MatchFrames:
    result = scripts.run(script, 4 * interpreters.FUEL_LIMIT)
    found = scripts.read_reports(result)
    counts = found["counts"]
    parts = [
        [board.to_us(fuel) for fuel in scripts.spans_of_frames(result, first, 6, len(counts))[1:]]
        for first in (0, 1, 2, 4)
    ]
    show_us = [fuel_us + count * board.BYTE_US for fuel_us, count in zip(parts[3], counts[1:], strict=True)]
    return MatchFrames(parts[0], parts[1], parts[2], show_us, found["allocated"][0])


def count_locked(script: str) -> int:
    """Run a script with the heap locked in all frames but the first ones; return how many frames passed."""
    script = script.replace("        app.step()", "        app.step() if frame < 2 else step()")
    locked = (
        "import micropython\ndef step():\n    micropython.heap_lock()\n    app.step()\n    micropython.heap_unlock()\n"
    )
    return len(scripts.read_reports(scripts.run(locked + script, 4 * interpreters.FUEL_LIMIT))["counts"])


def rows() -> list[tuple[str, str]]:
    found = []
    for players in (2, 4):
        name = f"match of {players}, level {LEVEL}"
        found.append((f"{name}: heap in play on a board", f"{measure_heap(players):,} B"))
        played = measure_frames(players)
        times = played.board_us
        late = sum(us > board.FRAME_US for us in times)
        found.append((f"{name}: frame mean, worst", board.mean_and_worst(times)))
        found.append((f"{name}: thought mean, worst", board.mean_and_worst(played.thought_us)))
        parts = [sum(one) / len(one) for one in (played.engine_us, played.draw_us, played.show_us)]
        found.append((f"{name}: rules, draw, show", board.join_ms(*parts)))
        found.append((f"{name}: later than 1/60 s", f"{100 * late / len(times):.2f} % of {len(times):,}"))
        found.append((f"{name}: allocated in all frames", f"{played.allocated:,} B"))
    return found
