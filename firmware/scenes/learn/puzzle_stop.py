"""Begin a puzzle, and show the panel when it stops; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.engine.options import Options
from firmware.modes.lessons import puzzle_file
from firmware.modes.puzzle import Puzzle, PuzzleGame
from firmware.save.journal import PUZZLES
from firmware.save.puzzles import Progress
from firmware.scenes.play_state import PAUSED
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width

if TYPE_CHECKING:
    from firmware.contracts import Canvas
    from firmware.scenes.learn.puzzle_play import Scene as PuzzlePlay

MISSED = const(2)
SOLVED = const(3)

_PANEL_X = const(2)
_PANEL_Y = const(44)
_PANEL_WIDTH = const(48)
_PITCH = const(8)
_TITLE_PITCH = const(12)


def set_up(scene: "PuzzlePlay", way: bytes, count: int) -> PuzzleGame:
    """Return the puzzle's game after the first `count` Lock Downs of `way`, and set up its view."""
    return set_up_mode(scene, Puzzle(), way, count)


def set_up_mode(scene: "PuzzlePlay", mode: Puzzle, way: bytes, count: int) -> PuzzleGame:
    context = scene.context
    options = Options()
    context.settings.apply(options)
    if options.slow:
        from firmware.modes import slow

        slow.apply(options, mode, 0)
    game = PuzzleGame(scene.number, options, mode)
    game.start(0)
    puzzle_file.restore(game, way, count)
    view = scene.view
    view.motion_on = bool(context.settings.motion_on)
    view.show_ghost = bool(options.ghost_on)
    view.show_hold = options.hold_on > 0
    view.heading = puzzle_file.describe(game.mode)
    view.shown = scene.shown or game.mode.lesson
    view.reset()
    return game


def again(scene: "PuzzlePlay") -> None:
    """Restart the puzzle; this is another try if there was a Lock Down."""
    scene.context.voice.tell_menu(MENU_MOVE)
    scene.begin(0, scene.game.lock_downs > 0)


def press(scene: "PuzzlePlay", button: int) -> None:
    """Handle one press while the panel is open."""
    context = scene.context
    state = scene.state
    if button == controls.ROTATE_CCW or button == controls.HOLD:
        context.voice.tell_menu(MENU_BACK)
        context.go("learn.puzzle_menu", scene.number)
    elif button == controls.ROTATE_CW and state == SOLVED:
        context.voice.tell_menu(MENU_CHOOSE)
        if scene.number + 1 < puzzle_file.count():
            context.go("learn.puzzle_play", scene.number + 1)
        else:
            context.go("learn.puzzle_menu", scene.number)
    elif button == controls.ROTATE_CW and state == PAUSED:
        context.voice.tell_menu(MENU_CHOOSE)
        scene.resume()
    elif button == controls.ROTATE_CW:
        again(scene)
    elif button == controls.LEFT and state != SOLVED and scene.game.lock_downs:
        context.voice.tell_menu(MENU_MOVE)
        scene.begin(scene.game.lock_downs - 1, True)
    elif button == controls.RIGHT and state != SOLVED:
        context.voice.tell_menu(MENU_MOVE)
        scene.show_steps()


def end(scene: "PuzzlePlay", solved: bool) -> None:
    """Open the panel; save that the puzzle is solved, unless its steps were shown."""
    scene.stop(SOLVED if solved else MISSED)
    journal = scene.context.journal
    if not solved or journal.failed or scene.shown and not scene.game.mode.lesson:
        return
    progress = Progress(puzzle_file.count(), journal.read(PUZZLES))
    if progress.mark_solved(scene.number, scene.tries):
        journal.save(PUZZLES, progress.pack(journal.payload))


def list_rows(scene: "PuzzlePlay") -> list[bytes]:
    """Return the title and the other rows of the panel; a row of a button begins with its name."""
    lines = b"PAUSE|A RESUME|< UNDO|> SHOW ME|START RETRY|B LEAVE"
    if scene.state == MISSED:
        lines = b"NOT YET|A RETRY|< UNDO|> SHOW ME|B LEAVE"
    if scene.state == SOLVED:
        result = b"AT ONCE" if scene.tries == 1 else b"IN %d TRIES" % scene.tries
        lines = b"SOLVED|" + (b"SHOWN" if scene.shown else result) + b"|A NEXT|START RETRY|B LEAVE"
    return split_rows(scene, lines)


def split_rows(scene: "PuzzlePlay", lines: bytes) -> list[bytes]:
    """Return the rows of a panel, without UNDO while there is nothing to take back."""
    return (lines if scene.game.lock_downs else lines.replace(b"< UNDO|", b"")).split(b"|")


def draw_panel(canvas: "Canvas", rows: list[bytes]) -> None:
    """Draw a framed panel over the Matrix: a title, and the other rows in small letters below."""
    height = 10 + _PITCH * len(rows)
    canvas.fill(_PANEL_X - 1, _PANEL_Y - 1, _PANEL_WIDTH + 2, height + 2, 0)
    canvas.fill(_PANEL_X, _PANEL_Y, _PANEL_WIDTH, height, 1)
    canvas.fill(_PANEL_X + 1, _PANEL_Y + 1, _PANEL_WIDTH - 2, height - 2, 0)
    y = _PANEL_Y + 4
    font = FONT_5X7
    for row in rows:
        canvas.text(_PANEL_X + (_PANEL_WIDTH - text_width(row, font) >> 1), y, row, font)
        y += _TITLE_PITCH if font is FONT_5X7 else _PITCH
        font = FONT_3X5
