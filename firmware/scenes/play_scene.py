"""Let the time of a game or a match stand still, and go on: the base of both scenes of play."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.play_state import PLAYING

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context


class PlayScene:
    """Own the state of what is played, and its cover.

    cover: None, or what stands over the Matrix: it takes the edges of a frame and draws in place of the scene.
    last_ms: the moment of the clock until which time has passed.
    """

    context: "Context"
    voice: "Any"
    view: "Any"
    cover: "Any"  # its owner asks it for more than a Cover does
    state: int
    last_ms: int

    def is_playing(self) -> bool:
        """Return whether time passes: what is played has begun and is neither paused nor over."""
        return self.state == PLAYING

    def halt(self, state: int, cover: "Any") -> None:
        """Let time stand still below a cover; None shows the Matrix."""
        self.state = state
        self.cover = cover

    def play_on(self, t_ms: int) -> None:
        """Let time pass from `t_ms` of the clock on, and the music play."""
        self.halt(PLAYING, None)
        self.last_ms = t_ms
        self.view.reset()
        self.voice.resume_tune()
        self.context.router.tidy()
