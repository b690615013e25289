"""Say what is wired to which pin: one table of every key that settings.toml may have, and its reader.

The drive's settings.toml has lines such as `SKYLINE_LEFT = "GP10"`; a key that is not there is at its
default, which suits a Raspberry Pi Pico. A key is in capitals or in small letters, a value in either;
what is said of them shows them as they are written. tools/wiring.py draws the same table.
"""

PREFIX = "SKYLINE_"
NONE = "none"

PIN = "pin"
PIN_OR_NONE = "pin or none"
NUMBER = "number"

# What a display may be: the direct driver, the two that displayio drives over I2C, the board's own.
DIRECT = "ssd1306"
SLOW = "displayio-ssd1306"
SH1106 = "sh1106"
OWN = "board"

# (key, default, what it may be); the display's come first, so that it can show what is wrong with
# the others. A number is within its two bounds or one of more; a word is one of those listed.
# The buttons stand in the order of firmware.engine.controls.
KEYS = (
    ("DISPLAY", DIRECT, (DIRECT, SLOW, SH1106, OWN)),
    ("ROTATION", 90, (0, 90, 180, 270)),
    ("I2C_ADDRESS", 0x3C, (0x08, 0x77)),
    ("I2C_HZ", 400_000, (100_000, 1_000_000)),
    ("SDA", "GP0", PIN),
    ("SCL", "GP1", PIN),
    ("LEFT", "GP2", PIN),
    ("RIGHT", "GP3", PIN),
    ("SOFT_DROP", "GP4", PIN),
    ("HARD_DROP", "GP5", PIN),
    ("ROTATE_CW", "GP6", PIN),
    ("ROTATE_CCW", "GP7", PIN),
    ("HOLD", "GP8", PIN_OR_NONE),
    ("PAUSE", "GP9", PIN_OR_NONE),
    ("BUZZER", "GP15", PIN_OR_NONE),
)
BUTTONS = ("LEFT", "RIGHT", "SOFT_DROP", "HARD_DROP", "ROTATE_CW", "ROTATE_CCW", "HOLD", "PAUSE")
PAIRS = "SDA GP0 4 8 12 16 20 with SCL GP1 5 9 13 17 21, or SDA GP2 6 10 14 18 26 with SCL GP3 7 11 15 19 27"


class WiringError(Exception):
    """Say in one line which key is wrong and what is allowed."""


def read(getenv, pins: dict, found: dict) -> None:
    """Fill `found` with the value of every key, those of pins as the pin or None.

    `getenv` is os.getenv or its like, which may return text or numbers; `pins` has the pins of the
    board by name. Raise WiringError; `found` has then what was read before.
    """
    for key, default, allowed in KEYS:
        written, value = look_up(getenv, key)
        found[key] = take(written, default if value is None else value, allowed, pins, found)
    if found["DISPLAY"] != OWN and found["ROTATION"] % 180 == 0:
        raise refuse("ROTATION", found["ROTATION"], "90 or 270, the picture stands upright on the long side")
    check_pair(getenv, found)


def look_up(getenv, key: str) -> tuple:
    """Return a key as settings.toml writes it, in capitals or small letters, and its value or None."""
    small = key.lower()
    value = getenv(PREFIX.lower() + small)
    if value is not None:
        return small, value
    return key, getenv(PREFIX + key)


def take(key: str, value, allowed, pins: dict, found: dict):
    """Return what `value` stands for: a word, a number, a pin, or None for what is not wired."""
    if isinstance(allowed, tuple):
        return choose(key, value, allowed)
    if key.upper() in ("SDA", "SCL") and found["DISPLAY"] == OWN:
        return None
    return find_pin(key, value, allowed, pins, found)


def choose(key: str, value, allowed: tuple):
    """Return `value` as the word or number that it is."""
    words = [str(choice) for choice in allowed]
    if isinstance(allowed[0], str):
        word = str(value).lower()
        if word in allowed:
            return word
        raise refuse(key, value, ", ".join(words))
    try:
        number = int(str(value), 0)
    except ValueError:
        number = -1
    if len(allowed) > 2:
        if number in allowed:
            return number
        raise refuse(key, value, ", ".join(words))
    if allowed[0] <= number <= allowed[1]:
        return number
    if key.upper() == "I2C_ADDRESS":
        words = [hex(choice) for choice in allowed]
    raise refuse(key, value, " to ".join(words))


def find_pin(key: str, name, allowed: str, pins: dict, found: dict):
    """Return the pin of that name, None for none; no other key may have it."""
    if str(name).lower() == NONE and allowed == PIN_OR_NONE:
        return None
    written = name
    if name not in pins:
        name = str(name).upper()
    if name not in pins:
        more = " or none" if allowed == PIN_OR_NONE else ""
        raise refuse(key, written, list_names(pins) + more)
    pin = pins[name]
    for other, _default, kind in KEYS:
        if (kind == PIN or kind == PIN_OR_NONE) and found.get(other) is pin:
            raise refuse(key, written, "any pin but this, which is " + PREFIX + other)
    return pin


def check_pair(getenv, found: dict) -> None:
    """Refuse SDA and SCL of a Pico that are not of one I2C peripheral; other boards tell by themselves."""
    key, sda = look_up(getenv, "SDA")
    other, scl = look_up(getenv, "SCL")
    sda = sda or "GP0"
    scl = scl or "GP1"
    if found["SDA"] is None or not (sda.upper().startswith("GP") and scl.upper().startswith("GP")):
        return
    data = int(sda[2:].split("_")[0])
    clock = int(scl[2:].split("_")[0])
    if data % 2 or not clock % 2 or data // 2 % 2 != clock // 2 % 2:
        raise refuse(key, sda + " with " + name_key(other) + " " + scl, PAIRS)


def check_names(lines) -> None:
    """Refuse a key of ours that settings.toml misspells; `lines` are those of the file."""
    for line in lines:
        name = line.split("=")[0].strip().strip("\"'")
        if name.upper().startswith(PREFIX):
            known = [key for key, _default, _allowed in KEYS]
            if name[len(PREFIX) :].upper() not in known or name != name_key(name[len(PREFIX) :]):
                raise WiringError(name + " is no key, allowed: " + PREFIX + " and " + ", ".join(known))


def refuse(key: str, value, allowed: str) -> WiringError:
    """Return the error that says what is allowed."""
    return WiringError(name_key(key) + " is " + str(value) + ", allowed: " + allowed)


def name_key(key: str) -> str:
    """Return the whole name of a key, in small letters where it is."""
    return (PREFIX if key == key.upper() else PREFIX.lower()) + key


def list_names(pins: dict) -> str:
    """Return the names of pins in a few words: "A0-A2 GP0-GP22 LED"."""
    words: list = []
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


def sort_key(name: str) -> tuple:
    """Return the letters and the number that make a name, -2 for none."""
    letters = name
    while letters and letters[-1] in "0123456789":
        letters = letters[:-1]
    return letters, int(name[len(letters) :]) if letters != name else -2
