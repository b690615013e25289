"""Go to a moment of a recording and let a person play on from there; runs in the page, too (sim/web)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.controls import PAUSE
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording

if TYPE_CHECKING:
    from firmware.contracts import Context
    from firmware.save.recordings.match_recording import MatchRecording

END_MS = const(1 << 28)  # the end of any recording
_LEVEL = const(3)  # of a computer that replaces a recorded person, as in firmware/scenes/match/watch.py
_SLICE_MS = const(1000)


def practise(context: "Context", recording: Recording, at_ms: int) -> bool:
    """Open Practice at a moment of a recorded game; return False if the game is over by then."""
    game = recording.game(make_mode(recording.variant))
    Player(recording, game).advance(at_ms)
    for button in range(PAUSE):
        if game.pressed >> button & 1:
            game.input(button, 0, game.now_ms)
    context.session.choose_variant(recording.variant)
    context.go("replay.practise", game)
    return not game.over


def play_on(context: "Context", recording: "MatchRecording", at_ms: int, number: int) -> bool:
    """Continue a recorded match as player `number`, from 0, against computers; return False if that one does not play.

    The rounds before count for `at_ms`. If a game is in progress, show the recording instead: there START asks first.
    """
    from firmware.save.recordings.match_handover import hand_over
    from firmware.save.recordings.match_recording import MatchPlayer

    if context.session.has_game():
        context.go("match.watch", recording)
        return True
    player = MatchPlayer(recording)
    match = player.match
    time_ms = 0
    while time_ms < at_ms:
        if player.is_round_over():
            at_ms -= match.time_ms
            if not player.begin_next():
                break
            time_ms = 0
        time_ms = min(at_ms, time_ms + _SLICE_MS)
        player.advance(time_ms)
    if match.over or number >= len(match.seats) or match.seats[number].out_ms >= 0:
        return False
    match = hand_over(player, number, _LEVEL, context.session.recorder)
    context.session.hold_game(match)
    context.go("match.play", match)
    return True
