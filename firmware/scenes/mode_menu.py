"""Offer a mode in each line: the base class of the main menu and of MORE MODES."""

from firmware.compat import TYPE_CHECKING, const
from firmware.residents import MENU
from firmware.router import PLAY
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from firmware.contracts import Any, Context, Record, Settings

_WIDEST = const(58)  # most pixels for a line and its value
_NAME_PX = const(6)  # width of a letter
_WORD_PX = const(4)


def list_modes(menu: bytes) -> "list[Record]":
    from firmware.modes.catalogue import parse, read_texts

    # A text's last line "menu" counts. Parsing every record would take a board a third of a second.
    records = [parse(text) for text in read_texts() if text.rpartition(b"\nmenu: ")[2].startswith(menu + b"\n")]
    return [record for record in records if record[b"mode"] != b"none"]


class ModeMenu(Menu):
    """List `ahead`, then modes with their aims, then `records`.

    Left and right choose another aim of a mode. An aim with a plus asks for the level and more before the game; other
    aims ask only if the mode's record says so.
    """

    keeps = MENU
    rows = 10
    pitch = 9
    note_y = 107
    lines: "list[bytes]"
    notes: "list[bytes]"
    ahead: "tuple[tuple[Any, ...], ...]" = ()

    def __init__(self, context: "Context", subject: object = None) -> None:
        # For each mode, a tuple of its offers: (aim, whether it asks for more, name, word, note).
        self.offers: "list[tuple[tuple[Any, ...], ...]]" = []
        self.variants: "list[int]" = []
        self.turned = bytearray()  # the number of each mode's chosen offer
        settings = context.settings
        from firmware.scenes.mode_opening import list_offers

        for record in self.list_modes(settings):
            offers, turned = list_offers(settings, record)
            if offers:  # PUZZLE has no line; only damaged settings can name it
                self.turned.append(turned)
                self.variants.append(int(record[b"mode"].split()[0]))
                self.offers.append(offers)
        self.first = len(self.ahead)
        self.records = self.ahead + ((b"", b"", PLAY),) * len(self.offers) + self.records
        Menu.__init__(self, context, subject)
        for mode in range(len(self.offers)):
            self.tell(mode)

    def list_modes(self, settings: "Settings") -> "list[Record]":
        return []

    def find(self, subject: object) -> int:
        """Return the first chosen line: by `subject`, else the last chosen mode unless there are lines `ahead`."""
        at = Menu.find(self, subject)
        variant = self.context.settings.variant
        if not at and variant in self.variants and (isinstance(subject, str) or subject is None and not self.first):
            at = self.first + self.variants.index(variant)
        return at

    def tell(self, mode: int) -> None:
        """Put name and note of a mode's chosen offer into its line."""
        offer = self.offers[mode][self.turned[mode]]
        self.lines[self.first + mode] = offer[2]
        self.notes[self.first + mode] = offer[4]

    def mode_of(self, at: int) -> int:
        """Return the index of a line's mode, or -1."""
        return at - self.first if self.first <= at < self.first + len(self.offers) else -1

    def value(self, at: int) -> bytes:
        """Return the word of the aim; in the chosen line between arrows if the mode has more aims."""
        mode = self.mode_of(at)
        if mode < 0:
            return b""
        _aim, _sets_up, name, word, _note = self.offers[mode][self.turned[mode]]
        if at != self.at or len(self.offers[mode]) < 2:
            return word
        arrows = b"<" + word + b">"
        return arrows if _NAME_PX * len(name) + _WORD_PX * len(arrows) <= _WIDEST else word

    def turn(self, at: int, step: int) -> bool:
        """Choose the aim before or after the current one; return whether the mode has more aims."""
        mode = self.mode_of(at)
        if mode < 0:
            return False
        count = len(self.offers[mode])
        self.turned[mode] = (self.turned[mode] + step) % count
        self.tell(mode)
        return count > 1

    def pick(self, at: int) -> None:
        """Play a mode; ask first if a game in progress would end."""
        mode = self.mode_of(at)
        if mode < 0:
            Menu.pick(self, at)
            return
        context = self.context
        aim, sets_up = self.offers[mode][self.turned[mode]][:2]
        if context.session.has_game():
            context.go("menus.continue_or_new", (context.router.name, at, self.variants[mode], aim, sets_up))
        else:
            from firmware.scenes.mode_opening import open_mode

            open_mode(context, self.variants[mode], aim, sets_up)
