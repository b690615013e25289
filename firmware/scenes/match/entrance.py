"""Begin or resume a match, or open the lobby, if the heap has room for it: a board restarts for this."""

from firmware.compat import TYPE_CHECKING
from firmware.refusing import check
from firmware.residents import REFUSAL
from firmware.view.notice import draw

if TYPE_CHECKING:
    from firmware.contracts import Context, EdgeQueue


class Scene:
    """Go to VERSUS with a note if there is no room, else show LOADING and restart with an empty heap.

    A scene of its own, because the free bytes that it finds do not depend on the scene before.
    subject: the word for the next run, see resuming.py; None means a new match.
    """

    kind = "menu"
    keeps = REFUSAL

    def __init__(self, context: "Context", subject: "bytes | None" = None) -> None:
        word = subject or b"match.play"
        if check(context, word.decode(), False):
            context.session.choose_seed(None)  # a line of rules may have chosen one for this match
            return
        draw(context.canvas, True)
        context.device.display.show()
        context.device.machine.renew(word)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Wait for the restart."""

    def draw(self) -> None:
        """Leave the picture as it is."""
