"""Load, drop and announce scenes; keep the modules that the next one needs again."""

import gc
import sys

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context

PLAY = "play"  # stands for the scene that plays the variant of the session
GAMES = "play."  # begins the names of scenes that load a game, and what reads or thinks beside it

# Beginnings of names of modules below firmware, as text: a tuple of strings would take a kilobyte in play. A package
# stays with its modules. Behind a bar stand those to be dropped nevertheless.
# These take a board a second to load, and stay until Tetress needs the room.
_STAY = "scenes._ engine. view.art view.blocks view.c view.m view.playfield "
# A scene keeps these where the next one is probably a game.
VIEW = "view.effects view.layouts.large "
GAME = VIEW + "modes.marathon scenes.play.play save.varint save.suspended |save.suspended_"
ALONE = "-"  # as a scene's `keeps`: it needs all the room there is


def load(path: str) -> "Any":
    """Return a module; import it if needed."""
    __import__(path)
    return sys.modules[path]


def find_view(large_cells: int) -> str:
    """Return the view module of a game: there is no room for both."""
    return "firmware.view.layouts.large" if large_cells else "firmware.view.effects"


def load_view(large_cells: int) -> "Any":
    """Return the class of the view of a game."""
    return load(find_view(large_cells)).View


def find_scene(name: str, variant: int) -> str:
    """Return the module of a scene: some variants have their own play scene."""
    if name == PLAY:
        from firmware.modes.catalogue import find

        name = find(variant)[b"scene"].decode()
    return "firmware.scenes." + name


def stays(name: str, beginnings: "list[str]", leaving: "list[str]") -> bool:
    """Return whether a module, or the package of one, is among those that stay."""
    for beginning in leaving:
        if name.startswith(beginning):
            return False
    for beginning in beginnings:
        if name.startswith(beginning) or beginning.startswith(name):
            return True
    return False


class Router:
    """Show one scene after the other.

    A scene is named by its room and module in firmware/scenes, as "menus.main". The module has a class `Scene(context,
    subject)`, which says what it is:
    kind: "menu", "play" or "watch".
    steered: of play, a bit for each of its states in which the buttons steer a Tetrimino; else they are those of menus.
    keeps: which modules stay loaded beside it.  leaves: those that stay until the next scene is there, if not these.
    leaves_time: it only waits for a press, so that a game is loaded meanwhile.
    takes_long: to make it takes a board a third of a second or more.

    scene: the one on the screen, and its name.  is_slow: whether the way to it takes long.  wanted, subject: the next
    one and its argument.  home: where the way back leads from watching, or from the options.
    """

    # Any: scenes differ.
    scene: "Any"
    subject: object

    def __init__(self) -> None:
        self.scene = self.subject = None
        self.wanted = self.name = self.keeps = ""
        self.home = "menus.main"
        self.loading = self.is_slow = False
        self.resident = set(sys.modules)

    def go(self, name: str, subject: object = None, keeps: str = "") -> None:
        """Ask for the scene `name` after this frame; `subject` is its argument, `keeps` what stays for it."""
        self.wanted = name
        self.subject = subject
        self.keeps = keeps or self.keeps

    def watch(self, name: str, subject: object = None, home: str = "menus.main") -> None:
        """Ask for a scene from which the way leads back to the scene `home`."""
        self.home = home
        self.go(name, subject)

    def go_home(self) -> None:
        """Ask for the scene where the way back leads; whoever had asked for more asked for this once."""
        self.watch(self.home)

    def change(self, context: "Context") -> None:
        """Leave the scene and enter the next one, which finds the old one's memory free."""
        self.leave()
        subject = self.subject
        self.subject = None
        if self.name == PLAY:
            self.announce(context)  # there is room beside what was, and a collection takes 20 ms
        else:
            gc.collect()
            if self.is_slow:
                self.tell_loading(context)
        self.scene = load(find_scene(self.name, context.session.variant)).Scene  # its class, then the scene
        self.keeps = getattr(self.scene, "keeps", "")
        if self.name != PLAY:
            if hasattr(self.scene, "takes_long"):
                self.tell_loading(context)
            self.tidy()
            gc.collect()
        self.scene = self.scene(context, subject)
        self.tidy()
        gc.collect()
        self.loading = hasattr(self.scene, "leaves_time")

    def leave(self) -> None:
        """Drop the scene and what it does not leave to the next one."""
        if self.scene:
            leaves = getattr(self.scene, "leaves", self.keeps)
            self.is_slow = self.name.startswith(GAMES) or self.wanted.startswith(GAMES)
            self.scene = None
            self.drop(leaves)
        self.name = self.wanted
        self.wanted = ""

    def free(self) -> None:
        """Let go of the scene, whose memory tells of a failure."""
        self.scene = None

    def announce(self, context: "Context") -> None:
        """Make room for saves before a game, load what it needs for them, and announce long waits."""
        view = find_view(context.settings.large_cells)
        if self.is_slow or "firmware.engine.game" not in sys.modules or view not in sys.modules:
            self.tell_loading(context)
        if context.journal.is_short():
            from firmware.announcing import make_room

            make_room(context)
        load("firmware.save.suspended")

    def tell_loading(self, context: "Context") -> None:
        """Say LOADING, by code that is forgotten right after it."""
        from firmware.announcing import tell

        tell(context)

    def load_ahead(self, context: "Context") -> None:
        """Load one more module for play while nobody waits."""
        from firmware.preloading import load_next

        self.loading = load_next(find_view(context.settings.large_cells))
        if self.loading:
            gc.collect()

    def tidy(self) -> None:
        """Forget the modules that the scene has used and does not keep."""
        self.drop(self.keeps)

    def drop(self, keeps: str) -> None:
        """Forget every module that is neither resident nor kept; the scene has what it uses of them."""
        beginnings, _, leaving = keeps.partition("|")
        kept = [] if keeps == ALONE else (_STAY + beginnings).split()
        dropped = leaving.split()
        # Not a list of all modules: where the heap is full, its half kilobyte would make the heap grow.
        for path in [path for path in sys.modules if self.is_idle(path, kept, dropped)]:
            del sys.modules[path]
            package, _, name = path.rpartition(".")
            if package in sys.modules and hasattr(sys.modules[package], name):
                delattr(sys.modules[package], name)

    def is_idle(self, path: str, kept: "list[str]", dropped: "list[str]") -> bool:
        """Return whether a module is one of ours, and neither resident nor kept."""
        return path.startswith("firmware.") and path not in self.resident and not stays(path[9:], kept, dropped)
