"""Play quick games with saves in a folder, as the simulator does; print a line for each whose end was shown.

Each game is paused once, which saves it. Usage: killed_sim.py FOLDER GAMES
"""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from firmware.engine import controls
from firmware.scenes.play_state import OVER
from sim.ending import complete
from sim.library import open_library
from sim.store import ENDING, open_stores
from tests.support.handhelds.command_lines import play_script

DROPS = [(2000 + 150 * number, controls.HARD_DROP) for number in range(80)]
SCRIPT = [(1200, controls.HARD_DROP), (1500, controls.PAUSE), (1800, controls.PAUSE), *DROPS]


def look(session: Any, _at_ms: int) -> None:
    """Tell of the end of a game once, in the frame after it was counted."""
    scene = session.app.router.scene
    if getattr(scene, "state", 0) == OVER and getattr(scene.cover, "is_counted", True) and scene not in told:
        told.append(scene)
        print("ended", flush=True)


if __name__ == "__main__":
    told: list[Any] = []
    folder = Path(sys.argv[1])
    for number in range(int(sys.argv[2])):
        stores, library = open_stores(folder), open_library(folder)
        complete(folder / ENDING, stores, library)
        play_script(SCRIPT, 15_000, look, seed=number + 1, store=stores, library=library)
    print("done", flush=True)
