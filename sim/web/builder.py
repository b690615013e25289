"""Check a settings.toml as a board does, for the page for builders."""

import json

from firmware.device.settings_file import parse
from firmware.device.wiring import WiringError
from sim.settings_check import check as check_board


def check(text: str, record: str) -> str:
    """Return the line with which the firmware would refuse these settings, "" if it accepts them.

    record: the board's profile as JSON.
    """
    board = json.loads(record)
    try:
        check_board(parse(text.encode()), board, board["board"])
    except WiringError as wrong:
        return str(wrong)
    return ""
