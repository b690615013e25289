"""Offer the pause menu (Guideline 13.1.6); play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine.game import AIM_REACHED
from firmware.modes.catalogue import find, make_mode
from firmware.modes.classes import find_class, has_delays
from firmware.modes.delays import write_delays
from firmware.residents import PAUSE
from firmware.save.journal import SUSPENDED
from firmware.scenes.menu import SAMPLE_Y, draw_value
from firmware.scenes.pause import MOMENT_MS, RESTART, PauseMenu
from firmware.view.art import FONT_3X5, FONT_5X7

if TYPE_CHECKING:
    from firmware.contracts import Any, Callable, EdgeQueue, Play

_NUMBERS_PITCH = const(11)
_DELAYS_Y = const(94)  # the last one that the menu clears is SAMPLE_Y + SAMPLE_HEIGHT - 1
_OPTIONS_AT = const(2)

_RESUME = b"RESUME"
_OPTIONS = b"OPTIONS"
_PIECES = b"PIECES"
_MENU = b"MENU"
_PRACTISE = b"TRAIN"
_TAKE_BACK = b"TAKE BACK"
_END = b"END"
_HANDLING = b"HANDLING"
_SOUND = b"SOUND"
_SCREEN = b"SCREEN"
_BUTTONS = b"BUTTONS"
_NOTES = {
    _RESUME: b"OR PRESS START",
    RESTART: b"A NEW GAME|IN THIS MODE",
    _OPTIONS: b"SET HANDLING,|SOUND AND MORE",
    _PIECES: b"HOW OFTEN|EACH PIECE CAME",
    _MENU: b"THE GAME IS KEPT|UNTIL YOU|CONTINUE",
    _PRACTISE: b"REPLAY FROM HERE|AS OFTEN AS YOU|LIKE: NO SCORES",
    _TAKE_BACK: b"UNDO PIECES. IN|PLAY: START WITH|HOLD DOWN",
    _END: b"END THE GAME,|SEE THE RESULT",
    _HANDLING: b"HOW FAST|TETRIMINOS|MOVE",
    _SOUND: b"MUSIC AND|EFFECTS",
    _SCREEN: b"LIGHT, SLEEP,|SIZE, MOTION",
    _BUTTONS: b"WHAT THEY DO",
}
_LOST = b"IT IS NOT SAVED:|POWER OFF LOSES|THIS GAME"
_RECORDING = b"LEAVE THIS|RECORDING"
_SCENES = {
    _PIECES: "menus.over_pieces",
    _HANDLING: "options.handling",
    _SOUND: "options.sound",
    _SCREEN: "options.display",
    _BUTTONS: "options.controls",
}


class Pause(PauseMenu):
    """Cover a game with the pause menu, which hides the Matrix and the queues. B resumes, too."""

    scene: "Play"
    question = b"PRESS AGAIN TO|LOSE THIS GAME"

    def __init__(self, scene: "Play", resume: "Callable[[Play, int], None]") -> None:
        PauseMenu.__init__(self, scene, resume)
        self.open(0)

    def update(self, edges: "EdgeQueue", now_ms: int) -> None:
        """Restart if START is held after pausing; if a best result would be lost, ask for the same press again."""
        if self.is_held(edges, now_ms):
            if self.waits or not self.is_precious():
                self.begin_again()
                return
            self.at = self.lines.index(RESTART)
            self.asked = self.fresh = True
        if not self.waits:
            PauseMenu.update(self, edges, now_ms)

    def is_precious(self) -> bool:
        """Return whether the game beats the best result so far, or in a race is half done and faster."""
        game = self.scene.game
        aim = game.options.aim
        record = find(self.context.session.variant)
        if game.time_ms < MOMENT_MS:
            return False
        best = self.context.session.best(aim, find_class(game.options, record))
        if not record[b"result"].endswith(b"fewest"):
            return game.mode.result(game) > best
        rows = aim or int(record[b"default"])
        done = rows - game.goal
        return done * 2 >= rows and (not best or game.time_ms * rows < best * done)

    def open(self, at: int) -> None:
        """Show the pause menu with the cursor at a line."""
        names = (
            (_RESUME, _MENU) if self.scene.player else tuple(find(self.context.session.variant)[b"pause"].split(b"|"))
        )
        self.offer(b"PAUSE", names, at)

    def offer(self, heading: bytes, names: tuple[bytes, ...], at: int) -> None:
        self.heading = heading
        self.lines = names
        self.notes = tuple([self.describe(name) for name in names])
        self.at = at
        self.fresh = self.whole = True

    def describe(self, name: bytes) -> bytes:
        """Return the note of a line; for MENU it tells whether the game has been saved."""
        if name == _MENU and self.scene.player:
            return _RECORDING
        if name == _MENU and not self.scene.context.session.is_in_journal:
            return _LOST
        return _NOTES[name]

    def pick(self, at: int) -> None:
        """Do what the line says: resume, restart, or go to another scene and keep the game."""
        context = self.context
        scene: "Any" = self.scene  # Zen's has take_back
        name = self.lines[at]
        if name == _RESUME:
            self.resume(scene, self.now_ms)
        elif name == RESTART:
            if self.asked or scene.game.time_ms < MOMENT_MS:
                self.begin_again()
            else:
                self.asked = True
        elif name == _OPTIONS:
            self.offer(_OPTIONS, (_HANDLING, _SOUND, _SCREEN, _BUTTONS), 0)
        elif name == _PRACTISE:
            self.practise()
        elif name == _TAKE_BACK:
            scene.take_back(0)
        elif name == _END:
            if self.asked:
                self.end()
            else:
                self.question = b"PRESS AGAIN TO|END THIS GAME"
                self.asked = True
        elif name == _MENU:
            scene.voice.stop_tune()
            context.go("menus.main")
        else:
            context.router.go(_SCENES[name], scene.game, PAUSE)

    def end(self) -> None:
        """End a game of a mode that has no end of its own."""
        scene = self.scene
        scene.play_on(self.now_ms)
        scene.game.end(AIM_REACHED)
        scene.announce_events(scene.game.advance(scene.played_ms))

    def practise(self) -> None:
        """Practise with a copy of this game, and keep this game."""
        from firmware.announcing import tell
        from firmware.save.suspended import pack
        from firmware.save.suspended_revival import restore

        context = self.context
        tell(context)
        payload = context.journal.payload
        length = pack(self.scene.game, context.session.variant, payload)
        self.scene.voice.stop_tune()
        context.go("replay.practise", restore(bytes(payload[:length]), make_mode))

    def begin_again(self) -> None:
        """Restart in the same mode."""
        from firmware.scenes import again

        session = self.context.session
        session.hold_game(None)
        journal = session.journal
        if not journal.failed and len(journal.read(SUSPENDED)):
            journal.save(SUSPENDED, 0)  # or power that fails before the next save would bring it back
        again.begin_again(self.context, None, again.pack(self.scene.game.options))

    def back(self) -> None:
        """Resume, or return from the options to the pause."""
        if self.heading == _OPTIONS:
            self.open(_OPTIONS_AT)
        else:
            self.resume(self.scene, self.now_ms)

    def draw_sample(self) -> None:
        """Draw score, level and lines."""
        canvas = self.context.canvas
        game = self.scene.game
        delays = b""
        if has_delays(find(self.context.session.variant)):
            delays = write_delays(game.options)
            canvas.text(2, _DELAYS_Y, delays, FONT_3X5)
        y = SAMPLE_Y + (not delays)  # the row of delays below needs the pixel
        for name, number in ((b"SCORE", game.score), (b"LEVEL", game.level), (b"LINES", game.lines)):
            canvas.text(2, y, name, FONT_5X7)
            draw_value(canvas, y, b"%d" % number)
            y += _NUMBERS_PITCH - (len(delays) > 0)
