"""Watch a recorded match over a link: the own game from its edges, the others from their events."""

from firmware.compat import TYPE_CHECKING
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from firmware.scenes.match import watch

if TYPE_CHECKING:
    from typing import Any


class Scene(watch.Scene):
    """Show it like match/watch.py; nobody can continue it, because the games of others are not fully known.

    subject: a LinkRecording or its bytes, by default the last match.
    """

    card = b"A PLAY OR PAUSE|< > STEP|UP DOWN SPEED|A, DOWN: FIGURES|C OTHER SIDE|B BACK"

    def open(self, subject: "Any") -> "Any":
        """Return the LinkPlayer of a recording or its bytes."""
        return LinkPlayer(LinkRecording(subject) if isinstance(subject, bytes) else subject, True)

    def draw(self) -> None:
        """Draw the match, and a message if an impossible event ended the recording."""
        watch.Scene.draw(self)
        if self.finished and self.line.player.damaged and not self.whole:
            self.view.draw_message("REST IS DAMAGED")

    def name(self) -> list[bytes]:
        return self.recording.names

    def play_on(self, asked: bool) -> None:
        """Do nothing."""
