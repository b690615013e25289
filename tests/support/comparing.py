"""Compare pictures and games."""

from typing import Any

from firmware.engine.game import Game
from tests.support.drill import state
from tests.support.handhelds.handheld import Handheld


def compare(handheld: Handheld, name: str) -> None:
    handheld.step(0, 4)
    handheld.compare(name)


def comparable_state(game: Game) -> dict[str, Any]:
    return {name: value for name, value in state(game).items() if name != "mode"}
