"""Stand in for CircuitPython's os.getenv: read settings.toml byte by byte, as its C code does, one key at a time.

It knows two ages. Up to 10.1, a bare value is a number, and a value that it cannot read raises an error. From 10.2 on,
a bare value is a text, and a value that it cannot read is None.
"""

from collections.abc import Iterator
from pathlib import Path

_SPACE = b" \t\n\r\v\f"
_ESCAPED = {ord("b"): 8, ord("r"): 13, ord("n"): 10, ord("t"): 9, ord("v"): 11, ord("f"): 12}


class Unreadable(ValueError):
    """A value that no age can read."""


class Reader:
    """A file's bytes; 0 is the end, and a NUL looks the same."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def next(self) -> int:
        self.at += 1
        return self.content[self.at - 1] if self.at <= len(self.content) else 0

    def skip_line(self) -> None:
        while self.next() not in (0, 10):
            pass

    def skip_space(self) -> int:
        while True:
            each = self.next()
            if each in (0, 10) or each not in _SPACE:
                return each


def find(reader: Reader, key: bytes) -> bool:
    """Move behind the equals sign of a key; return whether it is there."""
    while reader.at < len(reader.content):
        each = reader.skip_space()
        if each in (0, ord("[")):
            return False
        for wanted in key:
            if each != wanted:
                break
            each = reader.next()
        else:
            if each in _SPACE and each:
                each = reader.skip_space()
            if each == ord("="):
                return True
        if each != 10:
            reader.skip_line()
    return False


def read_quoted(reader: Reader) -> Iterator[int]:
    """Yield the bytes of a text after its first quote."""
    while True:
        each = reader.next()
        if each in (0, 10):
            raise Unreadable("the text has no end")
        if each == ord('"'):
            if reader.skip_space() not in (0, 10, ord("#")):
                raise Unreadable("more after the text")
            return
        if each == ord("\\"):
            each = reader.next()
            if each in (0, 10):
                raise Unreadable("the text has no end")
            if each in b"uU":
                digits = bytes(reader.next() for _ in range(4 if each == ord("u") else 8))
                try:
                    yield from chr(int(digits, 16)).encode("utf-8", "surrogatepass")
                except (ValueError, OverflowError):
                    raise Unreadable("wrong escape") from None
                continue
            each = _ESCAPED.get(each, each)
        yield each


def getenv(content: bytes, key: str, newer: bool = False) -> "str | int | None":
    reader = Reader(content)
    if not find(reader, key.encode()):
        return None
    try:
        each = reader.skip_space()
        if each == ord('"'):
            return bytes(read_quoted(reader)).decode()
        bare = bytearray()
        while each not in (0, 10, ord("#")):
            bare.append(each)
            each = reader.next()
        text = bare.decode().strip(" \t\r\v\f")
        if newer:
            if not text:
                raise Unreadable("no value")
            return text
        return int(text, 0)
    except ValueError:
        if newer:
            return None
        raise


def ask_drive(key: str, default: object = None, newer: bool = False) -> object:
    """Answer like os.getenv on the board whose drive is the current folder."""
    path = Path("settings.toml")
    answer = getenv(path.read_bytes(), key, newer) if path.is_file() else None
    return default if answer is None else answer
