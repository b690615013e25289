"""Copy the rules of a running App as a line, or a daily game's result, and paste others; also in the page (sim/web)."""

from firmware.compat import TYPE_CHECKING
from firmware.save import rules, rules_line
from sim import pasted
from sim.scenes import is_steered

if TYPE_CHECKING:
    from firmware.app import App

BUSY = "not now: leave this screen first"
_ROOMS = ("menus", "options", "rules", "help")
_SCENES = ("match.menu", "match.rules", "match.custom")


def is_ready(app: "App") -> bool:
    """Return whether the scene is a menu, or a game of one player that stands still."""
    router = app.router
    if not router.scene or is_steered(router.scene):
        return False
    return router.name.split(".")[0] in _ROOMS or router.name in _SCENES or router.name == "play"


def copy_rules(app: "App") -> str:
    """Return the line that the scene shows, else that of the current rules; "" if the scene is no menu.

    The result of a daily game gives the line that its recording proves.
    """
    if not is_ready(app):
        return ""
    if app.router.name == "menus.over":
        line = copy_result(app)
        if line:
            return line
    scene = app.router.scene
    numbers = getattr(scene, "numbers", None)
    if not numbers:
        matched = getattr(scene, "matched", app.router.name in _SCENES)
        numbers = rules.collect(app.context.settings, matched)
    return rules_line.write(numbers)


def copy_result(app: "App") -> str:
    """Return the line of the daily game that has ended; "" after another game."""
    from sim.daily import describe, is_daily

    session = app.context.session
    if not session.last or not is_daily(session.variant):
        return ""
    try:
        return describe(session.last())
    except ValueError:
        return ""  # the recorder was full


def read_rules(text: str) -> "list[int]":
    """Return the numbers of the line of rules in a text; raise ValueError with a few words if it is wrong."""
    numbers = pasted.read(text, pasted.RULES, rules_line.read)
    rules.check(numbers)
    return numbers


def paste_rules(app: "App", text: str) -> str:
    """Open the page of the line in a text; return "", or a few words if it is wrong or the scene is no menu."""
    if not is_ready(app):
        return BUSY
    app.context.voice.stop_tune()
    try:
        numbers = read_rules(text)
    except ValueError as problem:
        app.context.go("rules.menu", (False, 0, str(problem)))
        return str(problem)
    app.context.go("rules.line_menu", (numbers, -1, False))
    return ""
