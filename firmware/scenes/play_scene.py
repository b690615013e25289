"""Stop and continue a game or a match: the base class of both scenes of play."""

from firmware.compat import TYPE_CHECKING
from firmware.scenes.play_state import PLAYING

if TYPE_CHECKING:
    from firmware.contracts import Any, Context


class PlayScene:
    """Own the state of a game or a match, and its cover.

    cover: None, or an object over the Matrix that handles the edges of a frame and draws instead of the scene.
    last_ms: the clock's time up to which the game has advanced.
    """

    context: "Context"
    voice: "Any"
    view: "Any"
    cover: "Any"  # Any: some have more methods than the protocol Cover
    state: int
    last_ms: int

    def is_playing(self) -> bool:
        """Return whether time passes: the game has begun and is neither paused nor over."""
        return self.state == PLAYING

    def halt(self, state: int, cover: "Any") -> None:
        self.state = state
        self.cover = cover

    def play_on(self, t_ms: int) -> None:
        """Remove the cover, and continue game and music from the clock's time `t_ms` on.

        Half a chord that the cover has seen becomes no press of the game. The mapping knows all other buttons.
        """
        self.halt(PLAYING, None)
        self.start_ms = -1
        mapping: "Any" = getattr(self, "mapping", self.context.mapping)
        if mapping:
            mapping.waiting = 0
        self.last_ms = t_ms
        self.view.reset()
        self.voice.resume_tune()
        router = self.context.router
        router.drop(router.keeps)  # `tidy` would be one call too deep (tests/support/call_depth.py)
