"""Review the last game in the spare time of frames, and show the progress (modes/README 10)."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.scenes.replay.watch_words import write
from firmware.scenes.review.found import Found
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import centre

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue
    from firmware.scenes.review.found import Moment

_NOTE_Y = const(44)
_COUNT_Y = const(20)
_BAR_X = const(8)
_BAR_Y = const(30)
_BAR_WIDTH = const(48)
_LIST_Y = const(46)
_PITCH = const(8)
_KEYS_Y = const(92)
_KEYS = b"A SHOW THEM NOW|THEN: < > OTHERS|A TRY AGAIN|B BACK"
_LINK = b"NOT FOR MATCHES|OVER A WIRE"
_MODE = b"NOT FOR|THIS MODE"
_NO_PIECE = b"NO TETRIMINO|LOCKED DOWN"
_NO_FAULT = b"WELL DONE:|LEVEL 5 KNOWS|NOTHING BETTER"


class Scene:
    """Judge the last game, then show its worst moments; A shows the worst so far, B leaves.

    note: why there is nothing to show, or empty. listed: the moment drawn last as the worst, second and third.
    """

    kind = "watch"
    takes_long = True

    def __init__(self, context: "Context", subject: "Any" = None) -> None:
        """Review `subject`, a recording's bytes, by default the last game; raise ValueError if it is damaged."""
        self.context = context
        self.last = (lambda: subject) if subject else context.session.last
        self.reviewer: "Any" = None
        self.note = b""
        self.variant = 0
        watcher = "replay.watch" if subject else context.session.watcher
        if watcher == "replay.watch":
            self.open()
        elif watcher == "match.watch":
            self.open_match()
        else:
            self.note = _LINK
        self.fresh = True
        self.counted = self.shown = -1
        self.listed: "list[Moment | None]" = [None] * 3

    def open(self) -> None:
        """Read the head of the recording."""
        # Imported late: a match needs other modules.
        from firmware.modes.catalogue import find, find_maker
        from firmware.save.recordings.recording import Recording

        recording = Recording(self.last())  # type: ignore[misc]  # LEARN asks first
        self.variant = recording.variant
        record = find(self.variant)
        if recording.options.kicks or b"hints" in record[b"lacks"]:
            self.note = _MODE
            return
        from firmware.scenes.review.pieces import Reviewer

        self.reviewer = Reviewer(recording, find_maker(record))

    def open_match(self) -> None:
        """Read the head of the recorded match; its moments are practised by the rules of ZEN, which has no goal."""
        from firmware.modes.catalogue import ZEN
        from firmware.save.recordings.match_recording import MatchRecording
        from firmware.scenes.review.match import MatchReviewer

        self.variant = ZEN
        self.reviewer = MatchReviewer(MatchRecording(self.last()), ZEN)  # type: ignore[misc]

    def is_playing(self) -> bool:
        """Return whether the review goes on: the screen does not sleep meanwhile."""
        return not self.note

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        for i in range(edges.count):
            if edges.pressed[i]:
                self.press(edges.button[i])
        if not self.note and not self.context.router.wanted and self.reviewer.work(self.context.clock, now_ms):
            self.show(_NO_FAULT if self.reviewer.total else _NO_PIECE)
        self.context.voice.update(now_ms)

    def press(self, button: int) -> None:
        if button == controls.ROTATE_CCW or button == controls.HOLD:
            self.context.voice.tell_menu(MENU_BACK)
            self.context.go("learn.menu", "review.review")
        elif button == controls.ROTATE_CW or button == controls.PAUSE:
            self.context.voice.tell_menu(MENU_CHOOSE)
            if not self.note and self.reviewer.list_moments():
                self.show(b"")

    def show(self, note: bytes) -> None:
        """Show the moments found, or `note` if there is none."""
        moments = self.reviewer.list_moments()
        if moments:
            found = Found(self.last, self.context.session.watcher, self.variant, moments)  # type: ignore[arg-type]
            self.context.go("review.moments", found)
        else:
            self.note = note
            self.fresh = True
        self.reviewer = None

    def draw(self) -> None:
        """Draw what has changed of the progress, or the note."""
        canvas = self.context.canvas
        reviewer = self.reviewer
        if self.fresh:
            self.fresh = False
            self.counted = self.shown = -1
            canvas.clear()
            centre(canvas, 2, b"REVIEW", FONT_5X7)
            canvas.fill(0, 10, 64, 1, 1)
            if self.note:
                write(canvas, _NOTE_Y, self.note, 64)
                write(canvas, 120, b"B BACK", 64)
                return
            canvas.fill(_BAR_X - 2, _BAR_Y - 2, _BAR_WIDTH + 4, 8, 1)
            canvas.fill(_BAR_X - 1, _BAR_Y - 1, _BAR_WIDTH + 2, 6, 0)
            write(canvas, _KEYS_Y, _KEYS, 64)
        if not reviewer:
            return
        if reviewer.total:
            self.draw_count()
            done = reviewer.number * _BAR_WIDTH // reviewer.total
        else:
            if self.counted < 0:
                self.counted = 0
                write(canvas, _COUNT_Y, b"READING", 64)
            recording = reviewer.recording
            done = (recording.at - recording.first) * _BAR_WIDTH // (recording.end - recording.first)
        if done != self.shown:
            if done < self.shown:
                canvas.fill(_BAR_X, _BAR_Y, _BAR_WIDTH, 4, 0)
            self.shown = done
            canvas.fill(_BAR_X, _BAR_Y, done, 4, 1)

    def draw_count(self) -> None:
        """Draw how many Tetriminos are judged, and the worst so far."""
        reviewer = self.reviewer
        canvas = self.context.canvas
        if reviewer.number + 1 != self.counted:
            self.counted = reviewer.number + 1
            canvas.fill(0, _COUNT_Y, 64, 5, 0)
            write(canvas, _COUNT_Y, b"PIECE %d OF %d" % (min(self.counted, reviewer.total), reviewer.total), 64)
        for i in range(3):
            moment = reviewer.kept[i]
            if moment is not self.listed[i] and moment.cost:
                self.listed[i] = moment
                if not i:
                    write(canvas, _LIST_Y, b"WORST SO FAR", 64)
                y = _LIST_Y + (i + 1) * _PITCH
                canvas.fill(0, y, 64, 5, 0)
                canvas.text(10, y, b"%d" % (moment.number + 1), FONT_3X5)
                canvas.text(38, y, b"-%d" % moment.cost, FONT_3X5)
