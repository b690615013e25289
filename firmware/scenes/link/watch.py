"""Watch a recorded match over a link: the own game as it was played, of the others what they told."""

from firmware.compat import TYPE_CHECKING
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from firmware.scenes.match import watch

if TYPE_CHECKING:
    from typing import Any


class Scene(watch.Scene):
    """Show it as match_watch.py does; nobody can play on where the others' games are not known.

    subject: a LinkRecording, its bytes or what returns them.
    """

    card = b"A PLAY OR PAUSE|< > STEP|UP DOWN SPEED|C OTHER SIDE|B BACK"

    def open(self, subject: "Any") -> "Any":
        """Return what plays the recording."""
        return LinkPlayer(LinkRecording(subject) if isinstance(subject, bytes) else subject, True)

    def draw(self) -> None:
        """Draw the match where it stands, and say where the recording tells what cannot be."""
        watch.Scene.draw(self)
        if self.finished and self.line.player.damaged and self.me < self.match.options.players:
            self.view.draw_message("REST IS DAMAGED")

    def name(self) -> list[bytes]:
        """Return what all players are called."""
        return self.recording.names

    def play_on(self, asked: bool) -> None:
        """Do nothing."""
