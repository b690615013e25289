"""Deal all-clear tasks, and show the panel when one stops; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING
from firmware.engine import controls
from firmware.engine.randomizer import SEEDS
from firmware.modes.all_clear import AllClear
from firmware.modes.lessons.all_clear_file import FEWEST, fetch
from firmware.save.all_clears import PLACE, RUN, Runs
from firmware.save.journal import ALL_CLEARS
from firmware.scenes.learn import puzzle_stop
from firmware.scenes.learn.puzzle_stop import MISSED, SOLVED
from firmware.scenes.play_state import PAUSED
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE

if TYPE_CHECKING:
    from firmware.modes.puzzle import PuzzleGame
    from firmware.scenes.learn.all_clear_play import Scene as AllClearPlay


again = puzzle_stop.again
draw_panel = puzzle_stop.draw_panel


def set_up(scene: "AllClearPlay", way: bytes, count: int) -> "PuzzleGame":
    """Return the task's game after the first `count` Lock Downs of `way`; deal a task if there is none."""
    if not scene.task:
        deal(scene)
    elif scene.tries > 1 or scene.shown:
        end_run(scene)
    game = puzzle_stop.set_up_mode(scene, AllClear(scene.task), way, count)
    view = scene.view
    view.shown = view.swaps = False
    return game


def deal(scene: "AllClearPlay") -> None:
    """Take the next task: from a PC that makes new ones, else from the handheld's file."""
    context = scene.context
    runs = scene.runs
    if not runs:
        scene.runs = runs = Runs(context.journal.read(ALL_CLEARS))
        if runs.key < 0:  # a new record gets a random key
            runs.key = (context.session.noise ^ context.device.machine.draw_entropy()) & SEEDS - 1
        save(scene)
    place = runs.field(scene.grade, PLACE)
    # Only the simulator's machine has this: a method of every Machine would cost a match memory.
    make = getattr(context.device.machine, "make_all_clear", None)
    task = make(runs.key, scene.grade + FEWEST, place) if make else b""
    scene.task = task or fetch(scene.grade, runs.key, place)
    scene.tries = 1
    scene.shown = False


def save(scene: "AllClearPlay") -> None:
    """Show the run, and save the record if the journal works."""
    journal = scene.context.journal
    view = scene.view
    view.number = scene.runs.field(scene.grade, RUN)
    view.reset()
    if not journal.failed:
        journal.save(ALL_CLEARS, scene.runs.pack(journal.payload))


def end_run(scene: "AllClearPlay") -> None:
    if scene.runs.end_run(scene.grade):
        save(scene)


def go_on(scene: "AllClearPlay", solved: bool) -> None:
    """Deal the next task; one solved at the first try without a hint prolongs the run."""
    runs = scene.runs
    if not solved:
        runs.end_run(scene.grade)
    elif scene.tries == 1 and not scene.shown:
        runs.mark_solved(scene.grade)
    runs.go_on(scene.grade)
    save(scene)
    scene.task = b""
    scene.begin(0, False)
    scene.context.router.tidy()


def give_hint(scene: "AllClearPlay") -> None:
    """Take back what left the stored solution, and mark its next step."""
    scene.shown = True
    scene.begin(scene.game.mode.followed, False)
    game = scene.game
    view = scene.view
    view.shown = True
    view.swaps = game.mode.step(game) >> 12 != (game.next[0] or game.hold)


def press(scene: "AllClearPlay", button: int) -> None:
    """Handle one press while the panel is open."""
    context = scene.context
    if button == controls.ROTATE_CCW or button == controls.HOLD:
        if scene.game.lock_downs:
            end_run(scene)
        context.voice.tell_menu(MENU_BACK)
        context.go("learn.all_clear_menu", scene.grade)
    elif button == controls.RIGHT:
        context.voice.tell_menu(MENU_MOVE)
        give_hint(scene)
    elif button == controls.SOFT_DROP:
        context.voice.tell_menu(MENU_CHOOSE)
        go_on(scene, False)
    else:
        puzzle_stop.press(scene, button)


def end(scene: "AllClearPlay", solved: bool) -> None:
    """Stop the game; the scene deals the next task after a solved one."""
    if not solved:
        end_run(scene)
    scene.stop(SOLVED if solved else MISSED)


def list_rows(scene: "AllClearPlay") -> list[bytes]:
    title = b"PAUSE|A RESUME"
    if scene.state != PAUSED:
        title = b"NO WAY|A RETRY" if scene.game.goal else b"NOT YET|A RETRY"
    return puzzle_stop.split_rows(scene, title + b"|< UNDO|> HINT|DOWN SKIP|B LEAVE")
