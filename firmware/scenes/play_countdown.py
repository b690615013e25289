"""Say READY and GO before a game begins: nothing of this is in memory while it runs."""

from firmware.compat import const, ticks_add, ticks_diff
from firmware.scenes.play import PLAYING

_READY_MS = const(900)
_GO_MS = const(400)


class Countdown:
    """Stand over a game in the scene of play until its time begins; any press begins it at once and does nothing else.

    What is dealt shows already.
    """

    def __init__(self, scene) -> None:
        self.scene = scene
        self.word = ""
        self.until_ms = 0
        scene.voice.silence()

    def update(self, edges, now_ms: int) -> None:
        """Take the edges of this frame, and go from word to word in time."""
        for i in range(edges.count):
            if edges.pressed[i]:
                self.begin(edges.t_ms[i])
                return
        if not self.word:
            self.say("READY", ticks_add(now_ms, _READY_MS))
        elif ticks_diff(now_ms, self.until_ms) >= 0:
            if self.word == "READY":
                self.say("GO", ticks_add(self.until_ms, _GO_MS))
            else:
                self.begin(self.until_ms)

    def say(self, word: str, until_ms: int) -> None:
        """Show a word until a moment, with a sound."""
        self.word = word
        self.until_ms = until_ms
        self.scene.voice.tell_menu(1 if word == "GO" else 0)

    def begin(self, t_ms: int) -> None:
        """Let the game begin at `t_ms` of the clock."""
        scene = self.scene
        scene.state = PLAYING
        scene.cover = None
        scene.last_ms = t_ms
        scene.view.reset()
        scene.voice.resume_tune()

    def draw(self) -> None:
        """Draw what can be seen of the game, and the word over its Matrix."""
        view = self.scene.view
        view.draw(self.scene.game)
        if self.word:
            view.draw_message(self.word)
