"""Say what is wired to which pin: one table of every key that settings.toml may have, and its reader.

The drive's settings.toml has lines such as `SKYLINE_LEFT = "GP10"`; a key that is not there is at its
default, which suits a Raspberry Pi Pico. A key is in capitals or in small letters, a value in either;
what is said of them, in refusal.py, shows them as they are written. tools/wiring.py draws the same table.
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
    if isinstance(allowed[0], str):
        found = str(value).lower()
        if found in allowed:
            return found
    else:
        try:
            number = int(str(value), 0)
        except ValueError:
            number = -1
        if number in allowed or len(allowed) == 2 and allowed[0] <= number <= allowed[1]:
            return number
    raise refuse(key, value, allowed)


def find_pin(key: str, name, allowed: str, pins: dict, found: dict):
    """Return the pin of that name, None for none; no other key may have it."""
    if str(name).lower() == NONE and allowed == PIN_OR_NONE:
        return None
    written = name
    if name not in pins:
        name = str(name).upper()
    if name not in pins:
        raise refuse(key, written, pins)
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
        from firmware.device.refusal import word_pair

        raise WiringError(word_pair(key, sda, other, scl))


def refuse(key: str, value, allowed) -> WiringError:
    """Return the error that says what is allowed, see refusal.word."""
    # Imported late: with nothing wrong no board compiles it before the first picture.
    from firmware.device.refusal import word

    return WiringError(word(key, value, allowed))
