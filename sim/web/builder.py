"""Check a settings.toml as a board does, for the page for builders."""

from firmware.device.config_error import check_names
from firmware.device.wiring import WiringError
from firmware.device.wiring_reading import read


def check(text: str, names: str) -> str:
    """Return the line with which the firmware would refuse these settings, "" if it accepts them.

    names: of the board's pins, separated by spaces.
    """
    pins = {name: [name] for name in names.split(" ")}
    lines = [line for line in text.split("\n") if not line.startswith("#")]
    values = {}
    for line in lines:
        key, equals, value = line.partition("=")
        if equals:
            values[key.strip()] = value.strip().strip('"')
    try:
        check_names(lines)
        read(values.get, pins, {})
    except WiringError as wrong:
        return str(wrong)
    return ""
