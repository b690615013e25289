"""Deal the bags of the opener trainer, and show its panel; play does not keep this module in memory."""

from firmware.compat import TYPE_CHECKING, const
from firmware.engine import controls
from firmware.engine.events import HOLD_FAILED
from firmware.engine.options import Options
from firmware.modes.lessons import opener_file, puzzle_file
from firmware.modes.opener import ORDERS, Opener
from firmware.modes.puzzle import PuzzleGame
from firmware.save.journal import OPENERS
from firmware.save.puzzles import MOST_TRIES, Progress
from firmware.scenes.learn import puzzle_stop
from firmware.scenes.learn.opener_menu import ALONE, MARKS, SIDES
from firmware.scenes.play_state import PAUSED
from firmware.sound.effects import MENU_BACK, MENU_CHOOSE, MENU_MOVE

if TYPE_CHECKING:
    from firmware.scenes.learn.opener_play import Scene as OpenerPlay

draw_panel = puzzle_stop.draw_panel

_BUILT = const(3)
_BARRED = const(4)


def set_up(scene: "OpenerPlay", way: bytes, count: int) -> PuzzleGame:
    """Return the game of the bag after the first `count` Lock Downs of `way`, and set up its view."""
    context = scene.context
    options = Options()
    context.settings.apply(options)
    options.next_count = 6  # the whole bag decides
    game = PuzzleGame(scene.number * ORDERS + scene.order, options, Opener())
    game.start(0)
    puzzle_file.restore(game, way, count)
    view = scene.view
    view.motion_on = bool(context.settings.motion_on)
    view.show_ghost = options.ghost_on > 0 and not scene.shown  # two outlines would look alike
    view.number = scene.streak - 1
    view.heading = b"|" + name(scene.number) + b"|"  # not on the line of the word HOLD
    view.shown = scene.shown
    view.reset()
    return game


def name(number: int) -> bytes:
    return opener_file.describe(opener_file.fetch(number >> 1))[0]


def deal(scene: "OpenerPlay") -> None:
    """Deal another bag; if it does not allow the chosen opener, find one that it allows and open the panel."""
    scene.order = scene.context.session.next_seed() % ORDERS
    scene.tries = 1
    scene.word = b""
    scene.number = find(scene.order, scene.chosen)
    scene.begin(0, False)
    if scene.number != scene.chosen:
        scene.stop(_BARRED)


def find(order: int, chosen: int) -> int:
    """Return the chosen opener if the bag allows it, else its mirror, else the first that it allows."""
    mode = Opener()
    bag = opener_file.deal(order)
    records = opener_file.read()
    for i in range(2 * len(records) + 2):
        number = chosen ^ i if i < 2 else i - 2
        opener_file.fill(mode, records[number >> 1], number)
        if mode.fits(bag):
            return number
    return chosen


def take_back(scene: "OpenerPlay", count: int, word: bytes) -> None:
    """Tell a wrong step, and put back the moment after `count` Lock Downs."""
    scene.begin(count, True)
    scene.context.voice.begin(HOLD_FAILED)
    scene.say(word)


def again(scene: "OpenerPlay") -> None:
    """Start the same bag again."""
    scene.context.voice.tell_menu(MENU_MOVE)
    scene.word = b""
    scene.tries = 2  # the same bag again does not count
    scene.begin(0, False)


def press(scene: "OpenerPlay", button: int) -> None:
    """Handle one press while the panel is open."""
    context = scene.context
    state = scene.state
    if button == controls.ROTATE_CCW or button == controls.HOLD:
        context.voice.tell_menu(MENU_BACK)
        context.go("learn.opener_ways_menu", scene.chosen + SIDES * (MARKS if scene.shown else ALONE))
    elif button == controls.ROTATE_CW:
        context.voice.tell_menu(MENU_CHOOSE)
        if state == _BUILT:
            deal(scene)
        else:
            scene.resume()
    elif button == controls.LEFT and state == PAUSED and scene.game.lock_downs:
        context.voice.tell_menu(MENU_MOVE)
        scene.begin(scene.game.lock_downs - 1, True)
    elif button == controls.RIGHT and state == PAUSED:
        context.voice.tell_menu(MENU_MOVE)
        scene.shown = not scene.shown
        scene.view.shown = scene.shown
        scene.view.show_ghost = scene.game.options.ghost_on > 0 and not scene.shown
        scene.resume()
    elif button == controls.RIGHT:
        context.voice.tell_menu(MENU_MOVE)
        deal(scene)


def end(scene: "OpenerPlay", built: bool) -> None:
    """Take a wrong Lock Down back, or count a complete opener and open the panel."""
    if not built:
        count = scene.game.lock_downs - 1
        take_back(scene, count, b"NOT YET" if scene.game.mode.there else b"NOT THERE")
        return
    scene.stop(_BUILT)
    if scene.shown:
        return
    if scene.tries == 1:
        scene.streak += 1
        scene.view.number = scene.streak - 1
        scene.view.reset()
    journal = scene.context.journal
    if journal.failed:
        return
    progress = Progress(2 * len(opener_file.read()), journal.read(OPENERS))
    streak = min(scene.streak, MOST_TRIES)
    if streak > progress.tries[scene.number]:
        progress.tries[scene.number] = streak
        journal.save(OPENERS, progress.pack(journal.payload))


def list_rows(scene: "OpenerPlay") -> list[bytes]:
    marks = b"> NO MARKS" if scene.shown else b"> MARKS"
    lines = b"PAUSE|A RESUME|< UNDO|" + marks + b"|START RETRY|B LEAVE"
    if scene.state == _BARRED:
        side = b"MIRROR" if scene.number & 1 else b"NORMAL"
        lines = b"NOT NOW|THIS BAG|ALLOWS|" + name(scene.number) + b"|" + side + b"|A BUILD IT|> OTHER BAG|B LEAVE"
    if scene.state == _BUILT:
        result = b"WITH MARKS" if scene.shown else b"STREAK %d" % scene.streak
        lines = b"BUILT|" + result + b"|A NEXT BAG|START RETRY|B LEAVE"
    return puzzle_stop.split_rows(scene, lines)
