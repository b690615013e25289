"""Say READY and GO before a game begins: nothing of this is in memory while it runs."""

from firmware.compat import TYPE_CHECKING, const, ticks_add, ticks_diff
from firmware.scenes.play_state import PLAYING

if TYPE_CHECKING:
    from firmware.contracts import EdgeQueue, Play

_GO_MS = const(900)  # since the game is seen
_BEGIN_MS = const(1300)


def count(scene: "Play", edges: "EdgeQueue", now_ms: int) -> None:
    """Go from word to word in time, over the picture of what is dealt; any press begins at once and does nothing else.

    Until then the scene's `last_ms` is when its game was first seen.
    """
    view = scene.view
    for i in range(edges.count):
        if edges.pressed[i]:
            begin(scene, edges.t_ms[i])
            return
    if view.score < 0:
        scene.last_ms = now_ms
        scene.voice.silence()
        return
    passed = ticks_diff(now_ms, scene.last_ms)
    if passed >= _BEGIN_MS:
        begin(scene, ticks_add(scene.last_ms, _BEGIN_MS))
        return
    word = "READY" if passed < _GO_MS else "GO"
    if word != view.message:
        view.draw_message(word)
        scene.voice.tell_menu(0 if passed < _GO_MS else 1)


def begin(scene: "Play", t_ms: int) -> None:
    """Let the time of the game begin at `t_ms` of the clock, and its music."""
    scene.state = PLAYING
    scene.last_ms = t_ms
    scene.view.reset()
    scene.voice.resume_tune()
