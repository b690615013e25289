"""Begin the steps of FIRST GAME, and show its panels; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const, ticks_add
from firmware.engine import controls
from firmware.engine.events import HOLD_FAILED
from firmware.modes.catalogue import MARATHON
from firmware.modes.first_game import DONE, FILE, FLAGS, GOES_ON, LOCKED, MARKS, PRESSED, STUCK_MS, TOLD, Step
from firmware.modes.lessons.puzzle_file import count, fetch, fill
from firmware.router import load
from firmware.scenes.learn import puzzle_stop
from firmware.scenes.play_state import PAUSED
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE

if TYPE_CHECKING:
    from firmware.modes.puzzle import PuzzleGame
    from firmware.scenes.learn.first_game import Scene

draw_panel = puzzle_stop.draw_panel

_ALL = const(8)  # controls
_MOST_FAILED = const(3)  # times; then the screen tells how to skip the step
_ORDER = b"\x04\x05\x06\x00\x01\x02\x03"  # of the buttons on the screen: what turns comes first


def set_up(scene: "Scene", _way: bytes, _count: int) -> "PuzzleGame":
    """Return the game of the scene's step, and set up its view."""
    if not scene.names:
        # Whoever shows the buttons in the help names them here, too.
        path = scene.context.device.machine.pages.get("help.mapping")
        if path:
            page = load(path)
        else:
            from firmware.scenes.options import controls as page
        scene.names = [page.name_control(scene.context, control) for control in range(_ALL)]
        scene.view.total = count(FILE)
    record = fetch(scene.number, FILE)
    mode = Step(record)
    game = puzzle_stop.set_up_mode(scene, mode, b"", 0)
    present(scene, mode, record)
    return game


def present(scene: "Scene", mode: Step, record: bytes) -> None:
    """Show the words and the buttons of a step."""
    view = scene.view
    view.number = scene.number
    view.heading = mode.words.rpartition(b"|")[0]
    view.caps = [scene.names[control] for control in _ORDER if mode.kind >> control & 1]
    view.start = scene.names[controls.PAUSE]
    view.is_stuck = False
    view.shown = record[FLAGS] & MARKS > 0
    view.show_ghost = not view.shown  # two outlines would look alike
    view.reset()
    scene.done = 0
    now_ms = scene.context.clock.ticks_ms()
    scene.since_ms = ticks_add(now_ms, -STUCK_MS) if scene.failed >= _MOST_FAILED else now_ms


def tell(scene: "Scene") -> None:
    """Show the praise, or that it was wrong."""
    view = scene.view
    goal = scene.game.mode.goal
    view.heading = (
        b"NOT THERE" if goal == LOCKED else b"NOT THAT BUTTON" if goal == PRESSED else b"NO DROP YET"
    ) + b"|TRY AGAIN"
    view.caps = []
    view.is_stuck = False
    view.reset()
    if scene.good:
        view.heading = scene.game.mode.words.rpartition(b"|")[2] or b"GOOD"
        scene.context.voice.tell_menu(MENU_CHOOSE)
    else:
        scene.context.voice.begin(HOLD_FAILED)


def go_on(scene: "Scene") -> None:
    """Begin the next step, or after a mistake the same one, each with the game that it needs."""
    scene.number += 1 if scene.good else 0
    if scene.number == scene.view.total:
        scene.number -= 1
        scene.failed = 0
        scene.view.is_stuck = False  # START begins again
        scene.stop(DONE)
        if scene.whole:
            from firmware.save.goals import count_saves, judge

            judge(scene.context, count_saves(scene.context.journal, b"taught"))
        return
    record = fetch(scene.number, FILE)
    if scene.good and record[FLAGS] & GOES_ON:
        fill(scene.game.mode, record)
        present(scene, scene.game.mode, record)
        scene.resume()
        return
    scene.failed = 0 if scene.good else scene.failed + 1
    while fetch(scene.number, FILE)[FLAGS] & GOES_ON:
        scene.number -= 1
    scene.begin(0, False)


def skip(scene: "Scene") -> None:
    """Begin the next step that needs no game of another one."""
    while scene.number + 1 < scene.view.total and fetch(scene.number + 1, FILE)[FLAGS] & GOES_ON:
        scene.number += 1
    scene.good = True
    scene.whole = False
    go_on(scene)


def press_start(scene: "Scene") -> None:
    """Close the panel of the pause, or begin with the first step again."""
    scene.context.voice.tell_menu(MENU_CHOOSE)
    if scene.state == PAUSED:
        scene.resume()
    else:
        scene.number = 0
        scene.whole = True
        scene.begin(0, False)


def press(scene: "Scene", button: int) -> None:
    """Handle one press while a panel is open."""
    context = scene.context
    state = scene.state
    if state == TOLD:
        return
    if button == controls.ROTATE_CCW or button == controls.HOLD:
        context.voice.tell_menu(MENU_BACK)
        context.go(scene.home, "learn.first_game")
        return
    context.voice.tell_menu(MENU_CHOOSE)
    if state == PAUSED:
        if button == controls.RIGHT:
            skip(scene)
        elif button == controls.ROTATE_CW:
            scene.resume()
    elif button == controls.ROTATE_CW:
        if context.session.has_game():
            context.go("menus.main")
            return
        settings = context.settings
        settings.variant = MARATHON
        settings.aim = settings.garbage_rows = settings.last_match = 0
        settings.level = 1
        context.session.choose_variant(MARATHON)
        context.begin_game()


def list_rows(scene: "Scene") -> "list[bytes]":
    rows = b"PAUSE|A RESUME|" + scene.names[controls.RIGHT][:5] + b" SKIPS|B LEAVE"
    if scene.state == DONE:
        rows = b"GREAT|ALL DONE|A PLAY|START RETRY|B LEAVE"
    return rows.split(b"|")
