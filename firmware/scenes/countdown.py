"""Count down before a game or a match begins or continues; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, ticks_add, ticks_diff
from firmware.scenes.play_state import READY
from firmware.sound.effects import MENU_CHOOSE, MENU_MOVE

if TYPE_CHECKING:
    from firmware.contracts import Covered, EdgeQueue


class Countdown:
    """Cover a scene of play: show the game and one word after the other. Any press only ends the countdown.

    words: the words to come, each with its milliseconds; by default 3, 2, 1. word: the word on the screen.
    """

    def __init__(self, scene: "Covered", words: "list[tuple[str, int]] | None" = None) -> None:
        self.scene = scene
        self.words = words or [("3", 500), ("2", 500), ("1", 500)]
        self.word = ""
        self.due_ms = -1  # first show the game alone for a frame

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Show the next word when it is due; after the last word start the game."""
        scene = self.scene
        for i in range(edges.count):
            if edges.pressed[i]:
                # A press during the loading before it does not begin the game in the past.
                scene.play_on(now_ms if self.due_ms < 0 else edges.t_ms[i])
                return
        if self.due_ms < 0:
            self.due_ms = now_ms
            scene.voice.silence()
        elif ticks_diff(now_ms, self.due_ms) >= 0:
            if self.words:
                self.word, ms = self.words.pop(0)
                self.due_ms = ticks_add(self.due_ms, ms)
                scene.voice.tell_menu(MENU_MOVE if self.words else MENU_CHOOSE)
            else:
                scene.play_on(self.due_ms)

    def draw(self) -> None:
        """Draw the game, then the word over it."""
        scene = self.scene
        scene.halt(READY, None)
        scene.draw()
        scene.halt(READY, self)
        if self.word and scene.view.matrix.version >= 0:  # drawing a high stack takes some frames
            scene.view.draw_message(self.word)
