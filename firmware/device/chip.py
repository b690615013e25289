"""Know which pins of an RP2040 or an RP2350 work together, by their GPIO numbers as in CircuitPython's drivers.

A board loads this only after its CircuitPython refused a pin, to name the keys; deploy and the page for builders ask
beforehand, with numbers instead of pins.
"""

from firmware.compat import TYPE_CHECKING
from firmware.device.config_error import name_key, spell, word, word_pair
from firmware.device.libraries import COLOURED
from firmware.device.wiring import NONE, OWN, WiringError

if TYPE_CHECKING:
    from firmware.contracts import Callable, Found

PAIRS = "SDA GP0 4 8 12 16 20 with SCL GP1 5 9 13 17 21, or SDA GP2 6 10 14 18 26 with SCL GP3 7 11 15 19 27"
UARTS = "TX GP0 12 16 with RX GP1 13 17, or TX GP4 8 20 with RX GP5 9 21"
UARTS_2350 = "TX GP0 2 12 14 16 18 with RX GP1 3 13 15 17 19, or TX GP4 6 8 10 20 22 26 with RX GP5 7 9 11 21 27"
BUSES = "SCK GP2 6 18 22 with MOSI GP3 7 19 23, or SCK GP10 14 26 with MOSI GP11 15 27"
NEIGHBOURS = "two neighbours such as GP10 and GP11"
FREE_SLICE = "none, or a pin whose PWM is not that of the display's backlight"
_I2S = ("I2S_BIT_CLOCK", "I2S_WORD_SELECT", "I2S_DATA")


def check(found: "Found", chip: str, number: "Callable[[object], int]", backlight: int = -1) -> None:
    """Raise WiringError for pins that cannot do together what their keys ask for.

    chip: its name in capitals; of any other than the two nothing is known. number: return the GPIO number of a value of
    `found`, -1 if unknown. backlight: the number of a built-in display's backlight.
    """
    check_completeness(found)
    if not chip.startswith("RP2"):
        return
    numbers = {key: number(found[key]) for key in found}
    if found["SCK"] is not None:
        check_pair(found, numbers, "SCK", "MOSI", is_spi, BUSES)
    else:
        check_pair(found, numbers, "SDA", "SCL", is_i2c, PAIRS)
    if found["I2S_DATA"] is not None:
        check_pair(found, numbers, "I2S_BIT_CLOCK", "I2S_WORD_SELECT", is_i2s, NEIGHBOURS)
        for key in _I2S[:2]:
            check_pair(found, numbers, key, "I2S_DATA", is_in_reach, "pins below 32, or from 16 on")
    elif found["BUZZER"] is not None and found["DISPLAY"] in COLOURED:
        check_pair(found, numbers, "BUZZER", "BACKLIGHT", is_apart, word_slice(numbers["BUZZER"]))
    elif found["BUZZER"] is not None and found["DISPLAY"] == OWN and not is_apart(numbers["BUZZER"], backlight):
        raise WiringError(word_backlight(found))
    if chip.startswith("RP2350"):
        check_pair(found, numbers, "LINK_TX", "LINK_RX", is_uart_2350, UARTS_2350)
    else:
        check_pair(found, numbers, "LINK_TX", "LINK_RX", is_uart, UARTS)


def check_completeness(found: "Found") -> None:
    """Raise WiringError if a part has only some of its pins."""
    missing = [key for key in _I2S if found[key] is None]
    if 0 < len(missing) < len(_I2S):
        raise WiringError(word(missing[0], NONE, "a pin, because I2S has three"))
    if (found["LINK_TX"] is None) != (found["LINK_RX"] is None):
        raise WiringError(word_pair(found, "LINK_TX", "LINK_RX", "both or none"))


def check_pair(
    found: "Found", numbers: "dict[str, int]", key: str, other: str, fits: "Callable[[int, int], bool]", allowed: str
) -> None:
    """Raise WiringError if the pins of two keys are known, and do not fit."""
    first = numbers[key]
    second = numbers[other]
    if first >= 0 and second >= 0 and not fits(first, second):
        raise WiringError(word_pair(found, key, other, allowed))


def is_i2c(data: int, clock: int) -> bool:
    """Return whether two pins are SDA and SCL of one I2C block."""
    return data % 2 == 0 and clock % 2 == 1 and data // 2 % 2 == clock // 2 % 2


def is_spi(clock: int, data: int) -> bool:
    """Return whether two pins are SCK and TX of one SPI block."""
    return clock % 4 == 2 and data % 4 == 3 and clock // 8 % 2 == data // 8 % 2


def is_uart(tx: int, rx: int) -> bool:
    """Return whether two pins are TX and RX of one UART of an RP2040."""
    return tx % 4 == 0 and rx % 4 == 1 and is_uart_2350(tx, rx)


def is_uart_2350(tx: int, rx: int) -> bool:
    """Return whether two pins are TX and RX of one UART of an RP2350: also where an RP2040 has CTS and RTS."""
    return tx % 2 == 0 and rx % 2 == 1 and (tx + 4) // 8 % 2 == (rx + 4) // 8 % 2


def is_i2s(clock: int, select: int) -> bool:
    """Return whether a PIO program can clock both pins."""
    return select - clock in (-1, 1)


def is_in_reach(pin: int, other: int) -> bool:
    """Return whether one PIO block reaches both pins; it has 32."""
    return max(pin, other) < 32 or min(pin, other) >= 16


def slice_of(number: int) -> int:
    """Return the PWM slice of a pin: each has one frequency. From pin 32 on they are the last four of an RP2350."""
    return number // 2 % 8 if number < 32 else 8 + number // 2 % 4


def is_apart(pin: int, other: int) -> bool:
    """Return whether two pins can have PWM of two frequencies, or one is unknown."""
    return pin < 0 or other < 0 or slice_of(pin) != slice_of(other)


def word_slice(number: int) -> str:
    """Return what is allowed beside a pin with PWM: the pins of its slice are not."""
    names = ["GP" + str(pin) for pin in range(48 if number > 29 else 30) if not is_apart(pin, number)]
    return "pins of two PWM slices, but " + " ".join(names) + " are one"


def word_backlight(found: "Found") -> str:
    """Return the error line for a piezo on the slice of the built-in display's backlight."""
    spelled, value = spell(found, "BUZZER")
    return word(spelled, value, FREE_SLICE)


def refuse_claim(found: "Found", keys: str, problem: Exception) -> None:
    """Raise WiringError for pins that CircuitPython refused."""
    raise WiringError(word_claim(found, keys.split(), problem)) from None


def word_claim(found: "Found", keys: "list[str]", problem: Exception) -> str:
    """Return the error line for pins that CircuitPython refused: by the chip's rules, or in its own words."""
    try:
        check(found, find_chip(), find_number)
    except WiringError as wrong:
        return str(wrong)
    if keys == ["BUZZER"] and isinstance(problem, RuntimeError):  # another part has the PWM
        return word_backlight(found)
    names = [name_key(spell(found, key)[0]) for key in keys if found[key] is not None]
    return " and ".join(names) + ": " + str(problem)


def find_chip() -> str:
    """Return the name of this board's microcontroller in capitals, such as RP2040."""
    import os  # late, and below: a page has neither

    return os.uname()[0].upper()


def find_number(pin: object) -> int:
    """Return the GPIO number of this board's pin, -1 for anything else."""
    from microcontroller import pin as pins  # type: ignore[attr-defined]  # the stubs forget it

    for number in range(48):
        if getattr(pins, "GPIO" + str(number), pins) is pin:
            return number
    return -1
