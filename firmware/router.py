"""Load, drop and announce scenes; keep the modules that the next one needs again."""

import gc
import sys

from firmware.compat import TYPE_CHECKING, const
from firmware.residents import STAY

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, EdgeQueue, Scene

PLAY = "play"  # means the scene that plays the session's variant
GAMES = const("play replay review learn tetress against ")  # rooms whose scenes load a game, except their menus
ALONE = "-"  # begins a scene's `keeps`: drop every other module, because the scene needs the whole heap


def load(path: str) -> "Any":
    """Return a module; import it if needed."""
    __import__(path)
    return sys.modules[path]


def find_view(large_cells: int) -> str:
    """Return the view module of a game; a board has no room for both views."""
    return "firmware.view.layouts.large" if large_cells else "firmware.view.effects"


def load_view(large_cells: int) -> "Any":
    """Import the view module of a game and return its class View."""
    return load(find_view(large_cells)).View


def find_scene(name: str, variant: int) -> str:
    """Return the module of a scene: some variants have their own play scene."""
    if name == PLAY:
        from firmware.modes.catalogue import find

        name = find(variant)[b"scene"].decode()
    return "firmware.scenes." + name


def lists(names: str, name: str) -> bool:
    """Return whether `names`, each with a space behind it, has a module or one inside it. A split would take 2 KB."""
    at = names.find(name)
    while at >= 0:
        after = names[at + len(name)]
        if (not at or names[at - 1] == " ") and (after == " " or after == "."):
            return True
        at = names.find(name, at + 1)
    return False


def loads_game(name: str) -> bool:
    """Return whether a scene loads a game, which takes long; the name of a menu in such a room ends with "menu"."""
    return lists(GAMES, name[: name.find(".")]) and not name.endswith("menu")


def list_ahead(residents: str) -> list[str]:
    """Return the modules of STAY and of another list of residents, both up to the bar."""
    return (STAY.partition("|")[0] + residents.partition("|")[0]).split()


class Router:
    """Show one scene after the other.

    The name of a scene is its folder and module in firmware/scenes, such as "menus.main". The module has a class
    `Scene(context, subject)` with these attributes:
    kind: "menu", "play" or "watch".
    steered: in play, one bit for each state in which the buttons steer a Tetrimino; in other states they are a menu's.
    keeps: the modules that stay loaded, see residents.py.  leaves: the same until the next scene opens, by default
    `keeps`.
    leaves_time: present if the scene only waits for a press; the router then loads a game's modules.
    takes_long: present if a board needs a third of a second or more to make the scene.

    scene, name: the scene on the screen.  opened_ms: when it opened or loaded more, -1 after its next frame.  is_slow:
    whether changing to it takes long.  wanted, subject: the next scene and its argument.  home: the scene to return to
    after watching, or after the options.
    """

    scene: "Scene"  # None only while scenes change
    subject: object

    def __init__(self) -> None:
        self.scene = self.subject = None  # type: ignore[assignment]  # until the first change
        self.wanted = self.name = self.keeps = ""
        self.home = "menus.main"
        self.loading = self.is_slow = False
        self.opened_ms = -1
        self.resident = set(sys.modules)

    def go(self, name: str, subject: object = None, keeps: str = "") -> None:
        """Ask for the scene `name` after this frame; `subject` is its argument, `keeps` lists modules to keep."""
        self.wanted = name
        self.subject = subject
        self.keeps = keeps or self.keeps

    def hold(self, path: str) -> None:
        """Load a module, which stays loaded from now on."""
        load(path)
        self.resident.add(path)

    def watch(self, name: str, subject: object = None, home: str = "menus.main") -> None:
        """Ask for the scene `name` after this frame, and return to the scene `home` later."""
        self.home = home
        self.go(name, subject)

    def go_home(self) -> None:
        """Ask for the scene `home`, and make the main menu the next `home`."""
        self.watch(self.home)

    def change(self, context: "Context") -> None:
        """Leave the scene and free its memory, then enter the next scene."""
        self.leave()
        context.forget_presses()  # their releases after the change go to other scenes
        buttons: "Any" = context.device.buttons
        if hasattr(buttons, "tapped"):  # 1 KEY attends to the scene that goes, and would keep its memory
            buttons.enter(None)
        subject = self.subject
        self.subject = None
        if self.name == PLAY:
            self.announce(context)  # no collection first: it takes 20 ms, and there is room
        else:
            gc.collect()
            if self.is_slow:
                self.tell_loading(context)
        own = context.device.machine.pages.get(self.name)
        self.scene = load(own or find_scene(self.name, context.session.variant)).Scene  # its class, then the scene
        self.keeps = getattr(self.scene, "keeps", "")
        if self.name != PLAY:
            if hasattr(self.scene, "takes_long"):
                self.tell_loading(context)
            self.tidy()
            gc.collect()
        self.scene = self.scene(context, subject)  # type: ignore[operator]  # so far its class
        self.tidy()
        gc.collect()
        self.loading = hasattr(self.scene, "leaves_time")
        self.opened_ms = context.clock.ticks_ms()

    def defer_edges(self, now_ms: int) -> None:
        """After more loading, let edges from before `now_ms` count from then on in the next frame."""
        self.opened_ms = now_ms

    def admit(self, edges: "EdgeQueue") -> None:
        """In the frame after a scene opened or loaded more, let edges from before count from then on."""
        if self.opened_ms >= 0:
            edges.restamp(self.opened_ms)
            self.opened_ms = -1

    def leave(self) -> None:
        """Drop the scene, and the modules that it does not leave to the next one."""
        if self.scene:
            leaves = getattr(self.scene, "leaves", self.keeps)
            self.is_slow = loads_game(self.name) or loads_game(self.wanted)
            self.scene = None  # type: ignore[assignment]  # a change follows
            self.drop(leaves)
        self.name = self.wanted
        self.wanted = ""

    def free(self) -> None:
        """Drop the scene: reporting a failure needs its memory."""
        self.scene = None  # type: ignore[assignment]

    def announce(self, context: "Context") -> None:
        """Before a game, make room for its saves, load the module that packs them, and announce long waits."""
        view = find_view(context.settings.large_cells)
        if self.is_slow or "firmware.engine.game" not in sys.modules or view not in sys.modules:
            self.tell_loading(context)
        if context.journal.is_short():
            from firmware.announcing import make_room

            make_room(context)
        load("firmware.save.suspended")

    def tell_loading(self, context: "Context") -> None:
        from firmware.announcing import tell

        tell(context)

    def load_ahead(self, context: "Context") -> None:
        """Load one more module for play while the scene waits for a press."""
        from firmware.preloading import load_next

        self.loading = load_next(list_ahead(self.keeps), find_view(context.settings.large_cells))
        if self.loading:
            gc.collect()

    def tidy(self) -> None:
        """Drop the modules that the scene does not keep."""
        self.drop(self.keeps)

    def drop(self, keeps: str) -> None:
        """Drop every module that is neither resident nor kept; objects that the scene took from them stay alive."""
        # Filter while listing: a list of all modules takes half a kilobyte, and a full heap would grow. All in
        # one call: a press that ends a pause comes here 11 calls deep of the 12 allowed (tests/support/call_depth.py).
        stay = "" if keeps.startswith(ALONE) else STAY
        idle = []
        for path in sys.modules:
            if path.startswith("firmware.") and path not in self.resident:
                name = path[9:]
                if not lists(keeps, name) and not lists(stay, name):
                    idle.append(path)
        for path in idle:
            del sys.modules[path]
            package, _, name = path.rpartition(".")
            if package in sys.modules and hasattr(sys.modules[package], name):
                delattr(sys.modules[package], name)
