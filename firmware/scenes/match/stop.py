"""Pause a match; a running match does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.play_state import PAUSED, READY
from firmware.view.art import FONT_5X7
from firmware.view.canvas import HEIGHT, WIDTH

if TYPE_CHECKING:
    from firmware.contracts import MatchPlay

_BAND = const(16)  # rows; a whole picture takes 24 ms
_LEFT = const(11)  # left end of the words LOADING and SAVING in the middle of the screen


def pause(scene: "MatchPlay") -> None:
    """Pause the match, and save it if possible. Release all controls: the pause ignores releases."""
    let_go(scene)
    scene.remember("match.watch")
    # Saving takes a board a quarter of a second, or 0.8 s if the journal is full (see make_room in countdown.py).
    tell(scene, b"SAVING", _BAND)
    from firmware.scenes.match.round import keep

    scene.kept = keep(scene.context, scene.match)
    del keep  # frees 4 KB for the menu
    stand(scene)


def tell(scene: "MatchPlay", word: bytes = b"LOADING", height: int = HEIGHT) -> None:
    """Show a word in `height` cleared rows; announcing.py does that, too, but its names would stay in the heap."""
    canvas = scene.context.canvas
    canvas.fill(0, (HEIGHT - height) >> 1, WIDTH, height, 0)
    canvas.text(_LEFT, 60, word, FONT_5X7)
    scene.context.device.display.show()


def stand(scene: "MatchPlay") -> None:
    """Open the pause menu."""
    from firmware.scenes.match.pause import Pause

    scene.context.session.hold_game(scene.match)
    scene.voice.silence()
    scene.halt(PAUSED, Pause(scene, resume))


def resume(scene: "MatchPlay", t_ms: int) -> None:
    """Begin the countdown after a pause, or resume at the clock's `t_ms` without one; pause in a countdown."""
    was_counting = scene.state == READY
    if not was_counting and scene.cover.delays_resume(t_ms):
        return
    scene.halt(scene.state, None)
    scene.context.router.tidy()  # the menu takes 4 KB
    if was_counting:
        pause(scene)
    elif scene.context.session.counts_down:
        scene.view.reset()
        scene.halt(READY, scene.load_late("countdown").Countdown(scene))
    else:
        scene.play_on(t_ms)


def let_go(scene: "MatchPlay") -> None:
    """Release all controls of people."""
    for number in scene.persons:
        seat = scene.match.seats[number]
        for button in range(controls.PAUSE):
            if not scene.players[number] and (seat.practice or seat.game).pressed >> button & 1:
                scene.match.input(number, button, 0, scene.time_ms)
                if scene.noted and not scene.match.over:
                    scene.noted.note_edge(number, button, 0, scene.match.time_ms)
