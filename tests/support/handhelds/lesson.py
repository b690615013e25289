"""A handheld at LEARN, whose store may outlive it."""

from firmware.modes.puzzle import PuzzleGame
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tools.puzzles import packing
from tools.puzzles.text import Step


class Lesson(Handheld):
    """frames: how long it waits for what a press begins."""

    frames = 24

    def __init__(self, store: RamStore | None = None) -> None:
        super().__init__(store=(store or RamStore(),), first="learn.menu")

    def tap_and_wait(self, *buttons: int) -> None:
        self.tap(*buttons)
        self.step(frames=self.frames)

    def play_steps(self, game: PuzzleGame, proof: tuple[Step, ...], lock_downs: int = 99) -> None:
        """Press what places the Tetriminos of a proof, as a game of its own tells, until so many have locked down."""
        scene = self.scene
        since_ms = self.clock.now_ms - scene.played_ms
        for button, pressed, t_ms in packing.play(game, proof):
            if scene.game.lock_downs == lock_downs:
                return
            while self.clock.now_ms - since_ms < t_ms:
                self.step(min(16, since_ms + t_ms - self.clock.now_ms))
            self.buttons.edges.append((button, pressed, since_ms + t_ms))
            self.step(0)
        self.step(frames=60)


def unpack_step(packed: int) -> Step:
    """Return a step of a proof that is packed for the handheld."""
    return Step(packed >> 12, packed & 3, (packed >> 2 & 15) - 3, (packed >> 6 & 63) - 3)
