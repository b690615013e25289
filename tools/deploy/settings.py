"""Check a drive's settings.toml as its board will (sim/settings_check.py)."""

from typing import Any

from firmware.device import profiles
from firmware.device.settings_file import parse
from firmware.device.wiring import BUTTONS, NONE, WiringError
from sim import settings_check
from tools.deploy import DeployError


def check(content: "bytes | str", board_id: str, told: str = "") -> str:
    """Return the kind of display in a settings.toml; raise DeployError for values that the board would refuse.

    board_id: from boot_out.txt; its profile counts, too. told: what else names the board's chip, as boot_out.txt does.
    """
    return str(_read(content, board_id, told)["DISPLAY"])


def describe(content: "bytes | str", board_id: str) -> str:
    """Return a line that names the board's profile and its display, buttons and sound; "" for a Pico of the guide."""
    values = _read(content, board_id)
    record = profiles.find(values["BOARD"] or board_id)
    if record is None or "DISPLAY" not in record:
        return ""

    def name(key: str) -> str:
        return str(values["written"][key][1]) if values[key] is not None else NONE

    buttons = " ".join(map(name, BUTTONS))
    sound = name("BUZZER" if values["BUZZER"] is not None else "I2S_DATA")
    return f"{record['name']}: display {values['DISPLAY']}; buttons {buttons}; sound {sound}; {record['note']}"


def _read(content: "bytes | str", board_id: str, told: str = "") -> dict[str, Any]:
    """Return the value of every key; raise DeployError."""
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogatepass")
    try:
        written = profiles.overlay(parse(content), board_id)
        return settings_check.check(written, profiles.find(board_id), board_id, told)
    except WiringError as wrong:
        raise DeployError(f"settings.toml on the drive: {wrong}") from None
