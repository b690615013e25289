"""Pause a match: nothing of this is in memory while it runs."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.play_state import PAUSED, READY
from firmware.view.art import FONT_5X7

if TYPE_CHECKING:
    from firmware.contracts import MatchPlay

_LEFT = const(11)  # of LOADING, in the middle of the screen


def pause(scene: "MatchPlay") -> bool:
    """Stop the match; return whether the journal holds it. What the persons hold now may be let go unseen."""
    let_go(scene)
    scene.remember("match.watch")
    # A board takes half a second, or one and a half where its memory is full. To say so, as announcing.py does, by one
    # more module would leave names in the heap, and a match has no block to spare.
    canvas = scene.context.canvas
    canvas.clear()
    canvas.text(_LEFT, 60, b"LOADING", FONT_5X7)
    scene.context.device.display.show()
    from firmware.scenes.match.round import keep

    kept = keep(scene.context, scene.match)
    del keep  # 4 KB, before the menu takes as much
    stand(scene)
    return kept


def stand(scene: "MatchPlay") -> None:
    """Show the menu of the pause."""
    from firmware.scenes.match.pause import Pause

    scene.context.session.hold_game(scene.match)
    scene.voice.silence()
    scene.halt(PAUSED, Pause(scene, resume))


def resume(scene: "MatchPlay", t_ms: int) -> None:
    """Count down to the end of a pause; end it at `t_ms` of the clock at a press in the countdown, or without one."""
    was_paused = scene.state == PAUSED
    scene.halt(scene.state, None)
    scene.context.router.tidy()  # the menu takes 4 KB
    if was_paused and scene.context.session.counts_down:
        scene.view.reset()
        if scene.sources:
            from firmware.scenes.match.countdown import SharedCountdown

            scene.halt(READY, SharedCountdown(scene))
        else:
            from firmware.scenes.countdown import Countdown

            scene.halt(READY, Countdown(scene))
    else:
        scene.play_on(t_ms)


def let_go(scene: "MatchPlay") -> None:
    """Release every control of the persons."""
    for number in scene.persons:
        seat = scene.match.seats[number]
        for button in range(controls.PAUSE):
            if not scene.players[number] and (seat.practice or seat.game).pressed >> button & 1:
                scene.match.input(number, button, 0, scene.time_ms)
                if scene.noted and not scene.match.over:
                    scene.noted.note_of(number, button, 0, scene.match.time_ms)
