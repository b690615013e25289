"""Play one game of Standard or Test Spec step by step; cell (1, 1) is bottom left, as in the specifications."""

from firmware.engine.game import Game
from firmware.modes.catalogue import STANDARD, make_mode
from tests.support.drill import Drill

# The delay of a free-fall iteration by the actual level of Standard, 0 to 9.
DELAY_MS = (500, 450, 400, 350, 300, 250, 200, 150, 100, 50)


class StandardDrill(Drill):
    """One game by the Standard rules; after the first free-fall delay its first piece is in play.

    `order` is dealt over and over; "" uses the game's own generator. `level` is 0 to 9 as in Standard; levels of the
    test specification are one higher.
    """

    game: Game

    def __init__(
        self,
        order: str = "O",
        art: str = "",
        variant: int = STANDARD,
        level: int = 0,
        spawned: bool = True,
        **options: int,
    ) -> None:
        super().__init__(order, art, make_mode(variant), 0, level=level + 1, **options)
        if spawned:
            self.iterate()

    def iterate(self, count: int = 1) -> int:
        """Let `count` free-fall iterations pass; return the event bits."""
        happened = 0
        for _ in range(count):
            happened |= self.wait(self.game.interval_us // 1000)
        return happened

    @property
    def place(self) -> set[tuple[int, int]]:  # type: ignore[override]
        """The cells of the piece in play, counted from 1."""
        return {(x + 1, y + 1) for x, y in self.cells}

    @property
    def pile(self) -> set[tuple[int, int]]:
        """The occupied cells of the board, counted from 1."""
        return {(x + 1, y + 1) for y, row in enumerate(self.game.matrix.rows) for x in range(10) if row[x]}
