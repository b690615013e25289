"""Replace buttons in the firmware's hints by keys: START, and for several persons at one keyboard all of each."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, RIGHT, ROTATE_CCW, ROTATE_CW, SOFT_DROP
from firmware.view.canvas import WIDTH, Canvas, text_width
from sim.desktop.keyboard import ALWAYS_IN_MENUS, Keys, name_in_capitals

# Matches words that name a button, not the same words in English or in a menu line's name.
_BUTTON = re.compile(
    rb"\bA(?=:? (?:BACK|MENU|NEXT|PLACE|PLAY|RESUME|RETRY|SET|SHOW|TRY|WATCH|YES)\b)|\bA(?= OR B DOWN)"
    rb"|\bB(?= (?:BACK|KEEPS|LEAVE|MENU|NO|ROTATE|STAY|TRY|TURN)\b)|(?<=A OR )B(?= DOWN)|(?<=> )B$"
    rb"|(?<=PRESS )A\b|(?!^START$)(?<!AT )(?<!THE )\bSTART\b(?! THE| WITHOUT)|\bS(?= SEED)"
    rb"|\bC(?= OTHER SIDE)|\bHOLD(?= DOWN| NEXT PIECE| TRAIN)"
    rb"|<(?= >| RIVAL| UNDO| \d)|(?<=< )>|(?<=RIVAL )>|(?<=\d )>|>(?= SHOW ME)|^[<>]$"
    rb"|\bUP(?= DOWN(?: SPEED|:)| RETRY)|(?<=UP )DOWN(?= SPEED|:)|\bDOWN(?= HINTS)"
)
_CONTROLS = {
    b"A": ROTATE_CW,
    b"B": ROTATE_CCW,
    b"C": HOLD,
    b"HOLD": HOLD,
    b"S": PAUSE,
    b"START": PAUSE,
    b"<": LEFT,
    b">": RIGHT,
    b"UP": HARD_DROP,
    b"DOWN": SOFT_DROP,
}


def name_keys(keys: Keys, number: int) -> dict[bytes, bytes]:
    """Return the key of player `number` for each button that a hint may name, as far as there is one."""
    found = {}
    for button, control in _CONTROLS.items():
        every = keys.find(number, control)
        usable = [key for key in every if ALWAYS_IN_MENUS.get(key, control) == control]
        if usable:
            name = name_in_capitals(usable[0], keys.label)
            found[button] = name[:3] if button == b"S" else name  # short: another hint stands beside it
    return found


def put_keys(codes: bytes, keys: Mapping[bytes, bytes]) -> bytes:
    """Return a text with a person's keys instead of buttons; if it gets longer, gaps shrink to one blank."""
    found = _BUTTON.sub(lambda match: keys.get(match[0], match[0]), codes)
    return codes if found == codes else re.sub(rb" {3,}", b" ", found) if len(found) > len(codes) else found


class NamingCanvas(Canvas):
    """Name the keys of player `number` in every hint, or of `buttons` only.

    hints: the text and font of each hint drawn since clear(), by x, y.
    """

    def __init__(self, keys: Keys, number: int, buttons: Sequence[bytes] = tuple(_CONTROLS)) -> None:
        self._keys = keys
        self._number = number
        self._buttons = buttons
        self.hints: dict[tuple[int, int], tuple[bytes, bytes]] = {}
        super().__init__()

    @property
    def keys(self) -> Mapping[bytes, bytes]:
        named = name_keys(self._keys, self._number)
        return {button: named[button] for button in self._buttons if button in named}

    def clear(self) -> None:
        super().clear()
        self.hints.clear()

    def text(self, x: int, y: int, codes: bytes, font: bytes) -> None:
        """Draw a line of text; a hint keeps its middle."""
        named = bytes(codes)
        if _BUTTON.search(codes):
            self.hints[x, y] = named, font
            named = put_keys(named, self.keys)
        super().text(place(x, codes, named, font), y, named, font)

    def name_hints(self, other: NamingCanvas) -> None:
        """Draw this person's keys over the hints of `other`, whose picture was copied here."""
        self.hints.clear()
        for (x, y), (codes, font) in other.hints.items():
            theirs = put_keys(codes, other.keys)
            left, width = place(x, codes, theirs, font), text_width(theirs, font)
            plain = Canvas()
            plain.text(left, y, theirs, font)
            if _pixels(self, left, y, width, font[1]) == _pixels(plain, left, y, width, font[1]):
                self.fill(left, y, width, font[1], 0)
                self.text(x, y, codes, font)


def place(x: int, codes: bytes, named: bytes, font: bytes) -> int:
    """Return the x of a text with another width that keeps its middle and fits into the picture."""
    old_width, width = text_width(codes, font), text_width(named, font)
    if x == WIDTH - old_width >> 1:
        return max(0, WIDTH - width >> 1)
    return max(0, min(WIDTH - width, x + (old_width - width) // 2))


def _pixels(canvas: Canvas, x: int, y: int, width: int, height: int) -> Sequence[int]:
    return [canvas.pixel(x + across, y + down) for down in range(height) for across in range(width)]
