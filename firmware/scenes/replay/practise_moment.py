"""Stop in Practice; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.engine.events import HOLD_FAILED
from firmware.modes.catalogue import find
from firmware.save.recordings.rewind_steps import Steps, restore
from firmware.scenes.play.rewind import TakeBack
from firmware.scenes.replay.watch_words import write
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE
from firmware.view.art import FONT_3X5

if TYPE_CHECKING:
    from firmware.scenes.replay.practise import Practise

_HINT_X = const(22)
_HINT_Y = const(8)
# The box with the keys, over the Matrix
_BOX_Y = const(42)
_BOX_WIDTH = const(52)
_BOX_HEIGHT = const(61)
_KEYS = b"TRAINING|A PLAY|< > PIECES|DOWN HINTS|B LEAVE|UP RETRY. IN|PLAY: START"


class Moment(TakeBack):
    """Take back and replay Tetriminos as in ZEN; up goes back to the moment, down switches hints, B leaves.

    telling: whether the keys are shown, until the first press. advising: whether `draw` must start the hints. `press`
    and `play_on` repeat code of TakeBack, because a board's stack has no room for deeper calls.
    """

    def __init__(self, scene: "Practise", steps: int, telling: bool) -> None:
        TakeBack.__init__(self, scene, steps)
        self.telling = telling
        self.advising = False

    def press(self, button: int, t_ms: int) -> None:
        scene = self.scene
        if self.telling:
            self.telling = False
            self.view.reset()
            self.fresh = True
        if button == controls.HARD_DROP:
            self.retry()
        elif button == controls.SOFT_DROP:
            self.advise()
        elif button == controls.ROTATE_CCW and not self.by_hold:
            scene.voice.tell_menu(MENU_BACK)
            scene.voice.stop_tune()
            scene.context.router.go_home()
        elif button == controls.ROTATE_CW:
            self.play_on(t_ms)
        elif button <= controls.RIGHT:
            self.button = button
            self.step(button)

    def play_on(self, t_ms: int) -> None:
        """Continue the game unless it is over."""
        if self.scene.game.over:
            self.scene.voice.begin(HOLD_FAILED)
            return
        self.settle()
        self.scene.play_on(t_ms)
        if self.scene.adviser:
            self.scene.adviser.attend()

    def retry(self) -> None:
        scene = self.scene
        restore(scene.game, scene.moment, 0)
        scene.rewind.clear()
        self.steps = Steps(scene.rewind, scene.game)
        scene.voice.tell_menu(MENU_CHOOSE)
        self.fresh = True

    def advise(self) -> None:
        """Switch hints on or off; modes with other rules have none."""
        scene = self.scene
        self.fresh = True
        if scene.game.options.kicks or b"hints" in find(scene.context.session.variant)[b"lacks"]:
            scene.voice.begin(HOLD_FAILED)
            return
        scene.voice.tell_menu(MENU_CHOOSE)
        if scene.adviser:
            scene.set_adviser(None)
        else:
            self.advising = True

    def draw(self) -> None:
        """Draw the game, the word HINT if hints are on, and the keys if `telling`."""
        fresh = self.fresh
        if self.advising:
            self.advising = False
            from firmware.announcing import tell

            tell(self.scene.context)
            from firmware.scenes.replay.practise_hints import Adviser

            self.scene.set_adviser(Adviser(self.scene))
            self.scene.view.reset()
        TakeBack.draw(self)
        if fresh:
            canvas = self.scene.context.canvas
            if self.scene.adviser:
                canvas.text(_HINT_X, _HINT_Y, b"HINT", FONT_3X5)
            if self.telling:
                canvas.fill(0, _BOX_Y - 4, _BOX_WIDTH, _BOX_HEIGHT, 1)
                canvas.fill(1, _BOX_Y - 3, _BOX_WIDTH - 2, _BOX_HEIGHT - 2, 0)
                write(canvas, _BOX_Y, _KEYS, _BOX_WIDTH)
