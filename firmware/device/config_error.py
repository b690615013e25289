"""Word errors in settings.toml in one line each, with the allowed values; wiring.py has the keys.

A board loads this only when something is wrong, or for a display beyond the build guide.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.device.wiring import DIRECT, KEYS, NONE, PIN_OR_NONE, PREFIX, WiringError

if TYPE_CHECKING:
    from firmware.contracts import Any, Found, Pins, Written

_MOST_SHOWN = const(40)  # characters of a value: the display shows 250
_SIMILAR = const(2)  # letters by which a foreign key may differ from ours to be taken for a slip


def word(key: str, value: "Any", allowed: "Any") -> str:
    """Return the error line for a refused value.

    allowed: a text, the tuple of wiring.KEYS (words, numbers, or two bounds), this board's pins by name, or another key
    that has this pin. For that, `value` is all of `found`: either of the two keys may be the wrong one.
    """
    if [row for row in KEYS if row[0] == allowed]:
        pairs = [spell(value, each) for each in (allowed, key.upper())]
        lines = " and ".join([name_key(spelled) + " is " + show(pin) for spelled, pin in pairs])
        return lines + ", the same pin, allowed: one for each, and a key without a line has its default"
    if isinstance(allowed, dict):
        optional = (key.upper(), PIN_OR_NONE) in [(known, kind) for known, _default, kind in KEYS]
        allowed = (list_names(allowed) or "a pin of this board") + (" or none" if optional else "")
    elif isinstance(allowed, tuple):
        choices = [hex(choice) if key.upper() == "I2C_ADDRESS" else str(choice) for choice in allowed]
        bounds = len(allowed) == 2 and not isinstance(allowed[0], str)
        allowed = (" to " if bounds else ", ").join(choices)
    return name_key(key) + " is " + show(value) + ", allowed: " + allowed


def word_pair(found: "Found", key: str, other: str, allowed: str) -> str:
    """Return the error line for two keys whose pins do not belong together, both as written."""
    spelled, value = spell(found, key)
    with_key, with_value = spell(found, other)
    return word(spelled, show(value) + " with " + name_key(with_key) + " " + show(with_value), allowed)


def spell(found: "Found", key: str) -> "tuple[str, Any]":
    """Return a key and its value as settings.toml or the profile spells them, or the default."""
    written = found["written"]
    for known, default, _allowed in KEYS:
        if known == key and key not in written:
            return key, default
    return written[key]


def word_content(content: bytes, most: int) -> str:
    """Return the error line for a file whose bytes CircuitPython would misread, or that has more than `most`."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "it is in UTF-16, allowed: UTF-8"
    if content[:3] == b"\xef\xbb\xbf":
        return "a byte order mark hides line 1, allowed: UTF-8 without it"
    if len(content) > most:
        return "it is too long, allowed: " + str(most) + " bytes"
    lines = content.split(b"\n")
    number = 0
    while True:  # the last line is reached only if it is the wrong one
        line = lines[number]
        number += 1
        where = "line " + str(number)
        if b"\0" in line:
            return where + " has a NUL character, allowed: text in UTF-8"
        if line.count(b"\r") > (line[-1:] == b"\r" and number <= content.count(b"\n")):
            return where + " has a carriage return without a line feed, allowed: lines that end in LF or CRLF"
        try:
            str(line, "utf-8")
        except UnicodeError:
            return where + " is not in UTF-8, allowed: UTF-8"


def judge_line(line: str, key: str, number: int, table: int, written: "Written", value: object) -> None:
    """Raise WiringError for a line that CircuitPython skips, or whose key or value is not ours; else do nothing.

    key: "" if the line has none. value: None if it cannot be read.
    """
    where = " in line " + str(number)
    name = key[len(PREFIX) :]
    shown = "line " + str(number) + ": " + show(line)
    if table:
        key = line.partition("=")[0].strip()
        raise WiringError(show(key) + where + " is below the table of line " + str(table) + ", allowed: above it")
    if not key:
        raise WiringError(shown + ', allowed: KEY = "text" or KEY = a whole number')
    ours = key.upper().startswith(PREFIX[:-1])
    near, steps = find_nearest(key)
    if steps and (ours or steps <= _SIMILAR) or ours and key != name_key(name):
        raise WiringError(show(key) + " is no key" + where + ", the nearest is " + near)
    if value is None:
        raise WiringError(shown + ', allowed: "text" in double quotes or a whole number')
    if ours and name.upper() in written:
        twin = name_key(written[name.upper()][0])
        first = ", first as " + twin if twin != key else ""
        raise WiringError(
            show(key) + where + " is there twice" + first + ", allowed: once, so delete one of the two lines"
        )
    if ours:
        raise WiringError(shown + ", allowed: letters and digits without accents")


def find_nearest(key: str) -> "tuple[str, int]":
    """Return our key that takes the fewest changes of a letter, and how many."""
    key = key.upper()[:_MOST_SHOWN]
    nearest = ("", len(key) + _MOST_SHOWN)
    for known, _default, _allowed in KEYS:
        known = PREFIX + known
        steps = list(range(len(known) + 1))
        for i in range(len(key)):
            before = steps[0]
            steps[0] = i + 1
            for j in range(len(known)):
                least = min(before + (key[i] != known[j]), steps[j] + 1, steps[j + 1] + 1)
                before = steps[j + 1]
                steps[j + 1] = least
        if steps[-1] < nearest[1]:
            nearest = (known, steps[-1])
    return nearest


def show(value: object) -> str:
    """Return a value in one short line: control and foreign characters escaped, a long one cut."""
    text = str(value)
    shown = ""
    for each in text[:_MOST_SHOWN]:
        code = ord(each)
        if 32 <= code < 127:
            shown += each
        else:
            shown += "\\x%02x" % code if code < 256 else "\\u%04x" % code if code < 65536 else "\\U%08x" % code
    return shown + ("..." if len(text) > _MOST_SHOWN else "")


def check_display(found: "Found") -> None:
    """Raise WiringError if the display cannot stand upright, or is on another bus than its driver needs."""
    from firmware.device.libraries import COLOURED, LYING  # a start without a mistake needs neither

    kind = found["DISPLAY"]
    if kind in LYING and found["ROTATION"] % 180 == 0:
        raise WiringError(word("ROTATION", found["ROTATION"], "90 or 270, the picture stands upright on the long side"))
    if found["SCK"] is not None and kind == DIRECT:
        raise WiringError(word("DISPLAY", kind, "displayio-ssd1306 or another kind, if SKYLINE_SCK names a pin of SPI"))
    if found["SCK"] is not None or kind in COLOURED:
        for key in ("SCK", "MOSI", "DC"):
            if found[key] is None:
                raise WiringError(word(key, NONE, "a pin, because the display is on SPI"))
    if found["BACKLIGHT"] is not None and kind not in COLOURED:
        spelled, value = spell(found, "BACKLIGHT")
        raise WiringError(word(spelled, value, "none, because only " + " and ".join(COLOURED) + " have a backlight"))


def name_key(key: str) -> str:
    """Return the full name of a key, in small letters if the file has it so."""
    return (PREFIX if key == key.upper() else PREFIX.lower()) + key


def list_names(pins: "Pins") -> str:
    """List the names of pins briefly: "A0-A2 GP0-GP22 LED"."""
    words: list[str] = []
    stem = ""
    last = -2
    for name in sorted(pins, key=sort_key):
        letters, number = sort_key(name)
        if letters == stem and number == last + 1:
            words[-1] = words[-1].split("-")[0] + "-" + name
        else:
            words.append(name)
        stem = letters
        last = number
    return " ".join(words)


def sort_key(name: str) -> tuple[str, int]:
    """Return the letters and the number of a pin's name, -2 without a number."""
    letters = name.rstrip("0123456789")
    return letters, int(name[len(letters) :]) if letters != name else -2
