"""Go to a moment of a recording and let a person play on from there; runs in the page, too (sim/web)."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.controls import PAUSE
from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording

if TYPE_CHECKING:
    from firmware.contracts import Context
    from firmware.save.recordings.match_recording import MatchRecording

_LEVEL = 3  # of a computer that replaces a recorded person, as in firmware/scenes/match/watch.py
_SLICE_MS = 1000
_OVER = "the game is over by then"


def practise(context: "Context", recording: Recording, at_ms: int) -> None:
    """Open Practice at a moment of a recorded game; raise ValueError with one line if the game is over by then."""
    recording.rewind()
    game = recording.game(make_mode(recording.variant))
    Player(recording, game).advance(at_ms)
    if game.over:
        raise ValueError(_OVER)
    for button in range(PAUSE):
        if game.pressed >> button & 1:
            game.input(button, 0, game.now_ms)
    context.session.choose_variant(recording.variant)
    context.go("play.practise", game)


def play_on(context: "Context", recording: "MatchRecording", at_ms: int, number: int) -> None:
    """Continue a recorded match as player `number`, from 0, against computers; raise ValueError if it is over by then.

    The rounds before count for `at_ms`. If a game is in progress, show the recording instead: there START asks first.
    """
    from firmware.save.recordings.match_handover import hand_over
    from firmware.save.recordings.match_recording import MatchPlayer

    if number >= recording.options.players:
        raise ValueError(f"there is no player {number + 1}")
    if context.session.has_game():
        context.go("match.watch", recording)
        return
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
    if match.over or match.seats[number].out_ms >= 0:
        raise ValueError(_OVER)
    match = hand_over(player, number, _LEVEL, context.session.recorder)
    context.session.hold_game(match)
    context.go("match.play", match)
