"""Run the simulator, and print what its window shows after each change (tests/sim/test_sim_layouts.py)."""

import json
import sys
from typing import Any

from sim import cli
from sim.desktop import opening, window
from sim.desktop.session import Session

sessions: list[Session] = []


class Begun(Session):
    """Remember the session."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        sessions.append(self)


class Told(window.Window):
    """Print scene, line, wanted key, the piece's Facing, the held piece and the legend, in JSON at each change."""

    told = ""

    def present(self) -> None:
        super().present()
        scene: Any = sessions[0].app.router.scene
        lines = getattr(scene, "lines", ())
        game = getattr(scene, "game", None)
        cap = self._legend._cap
        told = json.dumps(
            {
                "scene": sessions[0].app.router.name,
                "line": lines[scene.at].decode() if lines else "",
                "asked": getattr(scene, "asked", -1),
                "facing": game.facing if game and game.piece else -1,
                "held": game.hold if game and hasattr(game, "hold") else -1,
                "legend": {what: [cap(key) for key in keys] for what, keys in self._legend.rows if keys},
            }
        )
        if told != self.told:
            self.told = told
            print(told, flush=True)


if __name__ == "__main__":
    opening.Session = Begun  # type: ignore[misc]
    window.Window = Told  # type: ignore[misc]
    sys.exit(cli.main(sys.argv[1:]))
