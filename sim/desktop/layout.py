"""Find keys by their place, and what the layout in use prints on them (pygame-ce)."""

import re
from collections.abc import Iterator
from typing import Any

import pygame

from sim.desktop.keyboard import LABELS

_NAMES = {
    "Enter": "RETURN",
    "Equal": "EQUALS",
    "BracketLeft": "LEFTBRACKET",
    "BracketRight": "RIGHTBRACKET",
    "Quote": "APOSTROPHE",
    "Backquote": "GRAVE",
    "IntlBackslash": "NONUSBACKSLASH",
    "ControlLeft": "LCTRL",
    "ControlRight": "RCTRL",
    "ShiftLeft": "LSHIFT",
    "ShiftRight": "RSHIFT",
    "NumpadEnter": "KP_ENTER",
    "NumpadDecimal": "KP_PERIOD",
    "NumpadAdd": "KP_PLUS",
    "NumpadSubtract": "KP_MINUS",
    "NumpadMultiply": "KP_MULTIPLY",
    "NumpadDivide": "KP_DIVIDE",
}
_MOST_SCANCODES = 512


def find_scancode(key: str) -> int:
    """Return SDL's number of a key's place."""
    name = _NAMES.get(key) or re.sub("^(Key|Digit|Arrow)", "", re.sub("^Numpad", "KP_", key)).upper()
    return getattr(pygame, f"KSCAN_{name}")


KEYS = {find_scancode(key): key for key in LABELS}


def _list_letters() -> Iterator[str]:
    """Yield what layouts print on keys: ASCII first, then Latin, Greek, Cyrillic and other letters."""
    yield from map(chr, range(0x21, 0x7F))
    yield from (chr(code) for code in range(0xA1, 0x2000) if chr(code).isalpha())


class Layout:
    """Know what the layout prints on each key, from the last `read` on."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}

    def read(self) -> None:
        """Read the layout in use; SDL says where a letter is, not what a key prints."""
        places = pygame.key.ScancodeWrapper(tuple(range(_MOST_SCANCODES)))
        self._letters = {}
        for letter in _list_letters():
            key = KEYS.get(places[ord(letter)])
            if key and len(LABELS[key]) == 1 and not key.startswith("Arrow"):
                self._letters.setdefault(key, letter.upper() if len(letter.upper()) == 1 else letter)

    def label(self, key: str) -> str:
        return self._letters.get(key) or LABELS[key]


def find_letter(event: Any) -> str:
    """Return the Latin letter of a key event, or ""; a layout without Latin letters has those of a US one."""
    if event.key < 0x80:
        return chr(event.key)
    key = KEYS.get(event.scancode, "")
    return LABELS[key].lower() if key.startswith("Key") else ""
