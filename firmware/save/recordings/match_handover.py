"""Hand a watched match over to a player; the new recording begins with the watched part."""

from firmware.compat import TYPE_CHECKING
from firmware.engine.controls import PAUSE
from firmware.save.recordings import recording_reading as reading
from firmware.save.recordings.match_recorder import SHIFT, TAIL_BYTES, MatchRecorder

if TYPE_CHECKING:
    from firmware.contracts import Match, Recorder
    from firmware.save.recordings.match_recording import MatchPlayer


class HandedOverRecorder(MatchRecorder):
    """Continue the recording of a watched match; `adopt` is not in MatchRecorder to save heap in play."""

    def adopt(self, keys: "tuple[list[int], list[int], bytes]") -> None:
        """Take over the last presses of another recording; `keys` is the result of MatchRecording.mark."""
        self.held_ms, self.pressed_ms, buttons = keys
        self.button = bytearray(buttons)


def hand_over(player: "MatchPlayer", number: int, level: int, recorder: "Recorder | None") -> "Match":
    """Return the match of a MatchPlayer for a person to continue as player `number`.

    Copy the watched part into `recorder`, unless None; its owner continues the recording. A part too long for the
    recorder leaves it full. Other players are computers; those that replace a person have `level`. The match is
    Practice, because the player knows what comes.
    """
    match = player.match
    options = match.options
    options.practice = 1
    for seat in match.seats:
        if seat.number == number:
            options.who &= ~(15 << 4 * seat.number)
        elif not options.level_of(seat.number):
            options.who |= level << 4 * seat.number
    noted = copy_head(player, recorder) if recorder else None
    for seat in match.seats:
        # Release the buttons that the recorded players hold.
        game = seat.practice or seat.game
        for button in range(PAUSE):
            if game.pressed >> button & 1:
                match.input(seat.number, button, 0, match.time_ms)
                if noted:
                    noted.note_edge(seat.number, button, 0, match.time_ms)
    return match


def copy_head(player: "MatchPlayer", recorder: "Recorder") -> MatchRecorder:
    """Copy the recording up to the current moment; return a recorder that continues it."""
    recording = player.recording
    noted = HandedOverRecorder(recorder)
    used = recording.next_at
    recording.at = used
    last_ms = recording.next_ms - (recording.get() >> recording.shift)
    recording.rewind()
    noted.begin_from(player.match, recording.choices, recording.round, recording.wins)
    tail_bytes = TAIL_BYTES if recording.shift == SHIFT else recorder.capacity  # an old format is not continued
    reading.copy_head(recorder, recorder.used, recording.blob[recording.first : used], last_ms, tail_bytes)
    if recorder.full:
        return noted
    recorder.buffer[3] = recording.blob[3]
    # Read all copied edges again: edges read ahead have changed the holding times.
    while recording.at < used or recording.is_ahead():
        recording.read()
    noted.adopt(recording.mark())
    return noted
