"""Hand a match that is watched over to be played on; what led to it is in the recording of what follows."""

from firmware.compat import const
from firmware.engine.controls import PAUSE
from firmware.save.match_recorder import MatchRecorder, widen

_TAIL_BYTES = const(14)


def hand_over(player, number: int, level: int, recorder):
    """Return the match of a MatchPlayer for a person to play on as player `number`.

    `recorder`, or None, holds what led to it, and its owner notes on. The others are computers: of their levels, or in
    the place of a person of `level`. A head too long for the recorder leaves it full.
    """
    match = player.match
    options = match.options
    for seat in match.seats:
        if seat.number == number:
            options.who &= ~(15 << 4 * seat.number)
        elif not options.level_of(seat.number):
            options.who |= level << 4 * seat.number
    noted = copy_head(player, recorder) if recorder else None
    for seat in match.seats:
        # Nobody holds now what recorded players held.
        game = seat.practice or seat.game
        for button in range(PAUSE):
            if game.pressed >> button & 1:
                match.input(seat.number, button, 0, match.time_ms)
                if noted:
                    noted.note_of(seat.number, button, 0, match.time_ms)
    return match


def copy_head(player, recorder) -> MatchRecorder:
    """Copy the recording up to, not including, the first edge that is still to come; return what notes on."""
    recording = player.recording
    widen(recorder, player.match.options.players)
    noted = MatchRecorder(recorder)
    noted.begin_from(player.match, recording.round, recording.wins)
    used = recording.next_at
    length = used - recording.first
    if recording.shift < 7 or recorder.used + length + _TAIL_BYTES > recorder.capacity:
        recorder.full = True
        return noted
    recorder.buffer[recorder.used : recorder.used + length] = recording.blob[recording.first : used]
    recorder.used += length
    recording.at = used
    gap = recording.get() >> recording.shift
    recorder.last_ms = recording.next_ms - gap
    # What was read ahead was not copied: read what was, to know how long everybody held what.
    recording.rewind()
    while recording.at < used or recording.is_ahead():
        recording.read()
    for i in range(len(recording.due_ms)):
        noted.held_ms[i] = recording.held_ms[i]
        noted.pressed_ms[i] = recording.pressed_ms[i]
        noted.button[i] = recording.buttons[i]
    return noted
