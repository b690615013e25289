"""Copy the rules of a running App as a line, and paste others; runs in the page, too (sim/web)."""

from firmware.compat import TYPE_CHECKING
from firmware.save import rules, rules_line
from sim import pasted
from sim.scenes import is_steered

if TYPE_CHECKING:
    from firmware.app import App

BUSY = "not now: leave this screen first"
_ROOMS = ("menus", "options", "rules", "help")
_SCENES = ("match.menu", "match.rules")


def is_ready(app: "App") -> bool:
    """Return whether the scene is a menu, or a game of one player that stands still."""
    router = app.router
    if not router.scene or is_steered(router.scene):
        return False
    return router.name.split(".")[0] in _ROOMS or router.name in _SCENES or router.name == "play"


def copy_rules(app: "App") -> str:
    """Return the line that the scene shows, else that of the current rules; "" if the scene is no menu."""
    if not is_ready(app):
        return ""
    scene = app.router.scene
    numbers = getattr(scene, "numbers", None)
    if not numbers:
        matched = getattr(scene, "matched", app.router.name in _SCENES)
        numbers = rules.collect(app.context.settings, matched)
    return rules_line.write(numbers)


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
