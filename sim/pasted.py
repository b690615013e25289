"""Find a fumen, a line of rules or a game link in pasted text; runs in the page, too (sim/web)."""

from firmware.compat import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")

FUMEN = "fumen"
RULES = "rules"
GAME = "game"
_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WORDS = "0123456789" + _CAPITALS + _CAPITALS.lower()
_MARKS = {
    FUMEN: [kind + version for version in ("115@", "110@") for kind in "vmdVMD"],
    RULES: [head + digit for digit in "123456789" for head in ("SKY", "sky", "Sky")],
    GAME: ["#game="],
}
_LETTERS = {FUMEN: _WORDS + "+/?", RULES: _WORDS + "-", GAME: _WORDS + "-_"}
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
_FRAME = ">|*`"  # what mail and chats put before each line
_MOST_PARTS = {FUMEN: 10_000, RULES: 16, GAME: 10_000}
_WORDS_AFTER = 8  # of a sentence that goes on behind, when a fumen or a game has spaces or wraps in it
_LONGEST_WORD = 20
_MOST_ESCAPED = 3  # times


def undo_escapes(text: str) -> str:
    """Return the text with %40 as @ and so on; what is no escape stays."""
    first, *parts = text.encode("utf-8", "replace").split(b"%")
    plain = bytearray(first)
    for part in parts:
        try:
            plain.append(int(part[:2], 16))
            plain.extend(part[2:])
        except ValueError:
            plain.extend(b"%" + part)
    try:
        return bytes(plain).decode()
    except UnicodeError:
        return text


def clean(text: str) -> str:
    """Return the text in ASCII: escapes undone, dashes plain, quotes and the like as spaces."""
    for _ in range(_MOST_ESCAPED):
        text = undo_escapes(text) if "%" in text else text
    letters = ["-" if letter in _DASHES else letter for letter in text if letter not in _INVISIBLE]
    return "".join([letter if " " < letter <= "~" else " " for letter in letters])


def list_parts(text: str, kind: str) -> "list[str]":
    """Return the words that a text begins with, as long as they may go on with the first one after a wrap."""
    letters = _LETTERS[kind]
    parts: list[str] = []
    for word in text.split():
        word = word.strip(_FRAME)
        length = 0
        while length < len(word) and word[length] in letters:
            length += 1
        if length or not parts:
            parts.append(word[:length])
        if length < len(word) or len(parts) == _MOST_PARTS[kind]:
            break
        if kind != RULES and len(parts) > 1 and is_prose(word):
            break
    return parts


def is_prose(word: str) -> bool:
    """Return whether a word looks like one of a sentence; of wrapped data only the short last line may."""
    tail = word[1:]
    return len(word) <= _LONGEST_WORD and word.isalpha() and tail == tail.lower()


def find(text: str, kind: str) -> "list[str]":
    """Return what may be a FUMEN, RULES or the letters of a GAME in a text, the likeliest first.

    How far it goes on after a space or a wrap shows only when it is read.
    """
    plain = clean(text)
    found = []
    for mark in _MARKS[kind]:
        for tail in plain.split(mark)[1:]:
            parts = list_parts(tail, kind)
            fewest = 1 if kind == RULES else max(1, len(parts) - _WORDS_AFTER)
            head = "" if kind == GAME else mark
            found.extend([head + "".join(parts[:count]) for count in range(len(parts), fewest - 1, -1)])
    if kind == GAME and "\u2014" in text:  # a phone makes it of two hyphens
        found.extend(find(text.replace("\u2014", "--"), kind))
    return found


def read(text: str, kind: str, reader: "Callable[[str], T]") -> "T":
    """Return what the reader makes of the first thing of this kind; raise its ValueError if nothing can be read.

    Without any, it reads the text as it is, and so says what is missing.
    """
    found = find(text, kind) or [text]
    for each in found[:-1]:
        try:
            return reader(each)
        except ValueError:
            pass
    return reader(found[-1])
