"""Read settings.toml once: lines of KEY = "text" or KEY = a whole number, up to the first table.

CircuitPython's os.getenv skips a line that it cannot read, and its versions differ in what they skip. This reader
refuses such a line, so every version plays by the same values. Boards, deploy and the page for builders use it.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.device.wiring import KEYS, PREFIX, WiringError

if TYPE_CHECKING:
    from firmware.contracts import Any, Written

MOST_BYTES = const(8192)
BLANK = " \t\r\v\f"
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def parse_drive(content: bytes, lenient: bool) -> "Written":
    """Return the keys of the drive's file; an error names the file."""
    try:
        return parse(content, lenient)
    except WiringError as wrong:
        raise WiringError("settings.toml: " + str(wrong)) from None


def parse(content: bytes, lenient: bool = False) -> "Written":
    """Return our keys without their prefix, in capitals, each with its spelling and its value.

    Raise WiringError for a line that CircuitPython would skip or misread, or skip it if `lenient`.
    """
    text = ""
    try:
        text = str(content, "utf-8")
    except UnicodeError:
        pass
    odd = content and not text or text[:1] == "\ufeff" or "\0" in text or len(content) > MOST_BYTES
    if odd or content.count(b"\r") != content.count(b"\r\n"):
        if not lenient:
            from firmware.device.config_error import word_content  # only now: a good file needs no words

            raise WiringError(word_content(content, MOST_BYTES))
        text = text.replace("\ufeff", "").replace("\r", "\n")
    written: "Written" = {}
    number = table = 0
    for line in text.split("\n"):
        number += 1
        line = line.strip(BLANK)
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            table = table or number
            continue
        try:
            take_line(line, number, table, written)
        except WiringError:
            if not lenient:
                raise
    return written


def take_line(line: str, number: int, table: int, written: "Written") -> None:
    """Add the key of a line to `written` if it is ours; `table` is the line of a table above it, or 0."""
    key, equals, rest = line.partition("=")
    key = key.strip(BLANK)
    ours = key.strip("\"'").upper().startswith(PREFIX[:-1])
    if table and not ours:
        return
    if not equals or not is_bare(key):
        key = ""
    value = read_value(rest)
    if value is None and not ours and is_number(rest):
        value = 0  # another program's
    name = key[len(PREFIX) :]
    known = name.upper()
    spelled = key in (PREFIX + known, PREFIX.lower() + known.lower()) and [row for row in KEYS if row[0] == known]
    if key and value is not None and not table:
        if spelled and known not in written and is_plain(str(value)):
            written[known] = (name, value)
            return
        if not ours and key[0] not in "Ss":
            return
    from firmware.device.config_error import judge_line

    judge_line(line, key, number, table, written, value)


def is_bare(key: str) -> bool:
    """Return whether a key has only letters, digits, and three signs, so that os.getenv finds it."""
    for each in key:
        if not ("a" <= each <= "z" or "A" <= each <= "Z" or "0" <= each <= "9" or each in "_-."):
            return False
    return key != ""


def is_plain(text: str) -> bool:
    """Return whether a text has only printable characters of ASCII, which every interpreter treats alike."""
    for each in text:
        if not " " <= each <= "~":
            return False
    return True


def read_value(rest: str) -> "str | int | None":
    """Return the text or the number after an equals sign; None for anything else."""
    rest = rest.strip(BLANK)
    if rest[:1] == '"':
        return read_text(rest)
    return read_number(cut_comment(rest))


def cut_comment(rest: str) -> str:
    return rest.split("#")[0].strip(BLANK)


def is_number(rest: str) -> bool:
    """Return whether another program could read this as a number or as true or false."""
    rest = cut_comment(rest)
    if rest in ("true", "false"):
        return True
    for each in rest:
        if each not in "+-.0123456789eE":
            return False
    try:
        float(rest)
    except ValueError:
        return False
    return True


def read_number(text: str) -> "int | None":
    """Return a whole number, decimal or 0x..; None for what an interpreter could take for another number."""
    digits = text[2:] if text[:2] in ("0x", "0X") else text
    hexadecimal = digits != text
    if not 0 < len(digits) < 10 or not hexadecimal and digits[0] == "0" != digits:
        return None
    for each in digits:
        if each not in ("0123456789abcdefABCDEF" if hexadecimal else "0123456789"):
            return None
    return int(digits, 16 if hexadecimal else 10)


def read_text(quoted: str) -> "str | None":
    """Return the text between double quotes, with its escapes resolved; None if it does not end as it should."""
    end = quoted.find('"', 1)
    text: "Any" = quoted[1:end]
    if "\\" in text:
        text, end = unescape(quoted)
    tail = quoted[end + 1 :].strip(BLANK)
    return text if end > 0 and (not tail or tail[0] == "#") else None


def unescape(quoted: str) -> "tuple[str, int]":
    """Return the text and the place of the quote that ends it, -1 if there is none or an escape is wrong."""
    text = ""
    at = 1
    while at < len(quoted) and quoted[at] != '"':
        each = quoted[at]
        if each == "\\":
            at += 1
            each = quoted[at : at + 1]
            if each and each in "uU":
                size = 4 if each == "u" else 8
                digits = quoted[at + 1 : at + 1 + size]
                code = read_number("0x" + digits) if len(digits) == size else None
                if code is None or code >= 0x110000 or 0xD800 <= code < 0xE000:
                    return "", -1
                each = chr(code)
                at += size
            else:
                each = _ESCAPED.get(each, each)
        text += each
        at += 1
    return text, at if at < len(quoted) else -1
