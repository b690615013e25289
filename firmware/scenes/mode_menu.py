"""Offer modes, one a line: the base of the main menu and of MORE MODES."""

from firmware.compat import TYPE_CHECKING, const
from firmware.router import GAME, PLAY
from firmware.scenes.menu import Menu

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context, Record, Settings

_WIDEST = const(58)  # pixels that a line and its value take at most
_NAME_PX = const(6)  # a glyph
_WORD_PX = const(4)


def list_modes(menu: bytes) -> "list[Record]":
    """Return the records of the modes that a menu offers."""
    from firmware.modes.catalogue import parse, read_texts

    # The last line with the word counts. To take every record apart takes a board a third of a second.
    records = [parse(text) for text in read_texts() if text.rpartition(b"\nmenu: ")[2].startswith(menu + b"\n")]
    return [record for record in records if record[b"mode"] != b"none"]


def open_mode(context: "Context", variant: int, aim: int, sets_up: bool) -> None:
    """Begin a game of a mode at once, or go to the scene that asks for its level or its day first."""
    # Imported late here and below: 4 KB of heap while a menu stands.
    from firmware.modes.catalogue import find

    record = find(variant)
    settings = context.settings
    context.session.choose_variant(variant)
    settings.variant = variant
    settings.aim = aim
    settings.last_match = 0
    more = record[b"more"].split(b"|")[0].decode()
    following = more if sets_up else record[b"next"].decode()
    if following == PLAY:
        settings.level = 1
        settings.garbage_rows = 0
        if record[b"below"] == b"day":
            from firmware.modes.days import is_day, pack_day

            day = context.device.machine.read_day()
            if is_day(day):
                settings.day = pack_day(day)
            else:
                following = more
        context.save_settings()
    context.go(following)


class ModeMenu(Menu):
    """List `ahead`, then modes with their aims, then `records`.

    Left and right turn to another aim of a mode. Its aims with a plus ask for the level and more; without, a mode asks
    only where that matters.
    """

    keeps = GAME
    rows = 10
    pitch = 9
    note_y = 107
    lines: "list[bytes]"
    notes: "list[bytes]"
    ahead: "tuple[tuple[Any, ...], ...]" = ()

    def __init__(self, context: "Context", subject: object = None) -> None:
        # Of each mode: aim, whether more is asked, name, word, note.
        self.offers: "list[tuple[tuple[Any, ...], ...]]" = []
        self.variants: "list[int]" = []
        self.turned = bytearray()  # which of its offers each mode shows
        settings = context.settings
        from firmware.modes.listing import list_choices

        for record in self.list_modes(settings):
            variant = int(record[b"mode"].split()[0])
            aim = settings.aim if variant == settings.variant else 0
            offers: "list[tuple[Any, ...]]" = [
                (aim if b"aim any" in record else choice.aim, False, choice.name, choice.word, choice.note)
                for choice in list_choices([record])
            ]
            if not offers:
                continue  # PUZZLE, which only damaged settings name: no line begins it
            aims = [each[0] for each in offers]
            scene, _, note = record[b"more"].partition(b"|")
            if scene and record[b"next"] == b"play":
                offers += [(each[0], True, each[2], each[3] + b"+", note) for each in offers]
            aim = aim or int(record[b"default"])
            self.turned.append(aims.index(aim) if aim in aims else 0)
            self.variants.append(variant)
            self.offers.append(tuple(offers))  # a list of them takes 160 bytes more
        self.first = len(self.ahead)
        self.records = self.ahead + ((b"", b"", PLAY),) * len(self.offers) + self.records
        Menu.__init__(self, context, subject)
        for mode in range(len(self.offers)):
            self.tell(mode)

    def list_modes(self, settings: "Settings") -> "list[Record]":
        """Return the records of the modes to offer."""
        return []

    def find(self, subject: object) -> int:
        """Return the line to begin with: without another that of the mode chosen last, unless something is ahead."""
        at = Menu.find(self, subject)
        variant = self.context.settings.variant
        if not at and variant in self.variants and (isinstance(subject, str) or subject is None and not self.first):
            at = self.first + self.variants.index(variant)
        return at

    def tell(self, mode: int) -> None:
        """Put name and description of a mode's offer into its line."""
        offer = self.offers[mode][self.turned[mode]]
        self.lines[self.first + mode] = offer[2]
        self.notes[self.first + mode] = offer[4]

    def mode_of(self, at: int) -> int:
        """Return which mode a line is, or -1."""
        return at - self.first if self.first <= at < self.first + len(self.offers) else -1

    def value(self, at: int) -> bytes:
        """Return the word of the aim; in the chosen line between arrows if there is another one."""
        mode = self.mode_of(at)
        if mode < 0:
            return b""
        _aim, _sets_up, name, word, _note = self.offers[mode][self.turned[mode]]
        if at != self.at or len(self.offers[mode]) < 2:
            return word
        arrows = b"<" + word + b">"
        return arrows if _NAME_PX * len(name) + _WORD_PX * len(arrows) <= _WIDEST else word

    def turn(self, at: int, step: int) -> bool:
        """Take the aim before or after."""
        mode = self.mode_of(at)
        if mode < 0:
            return False
        count = len(self.offers[mode])
        self.turned[mode] = (self.turned[mode] + step) % count
        self.tell(mode)
        return count > 1

    def pick(self, at: int) -> None:
        """Play a mode, or ask first what is to become of a game in progress."""
        mode = self.mode_of(at)
        if mode < 0:
            Menu.pick(self, at)
            return
        context = self.context
        aim, sets_up = self.offers[mode][self.turned[mode]][:2]
        if context.session.has_game():
            context.go("menus.continue_or_new", (context.router.name, at, self.variants[mode], aim, sets_up))
        else:
            open_mode(context, self.variants[mode], aim, sets_up)
