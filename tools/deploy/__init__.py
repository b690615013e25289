"""Put Skyline on a board: build the files, find the drive, copy so that a cut leaves no broken game."""

import argparse
import os

from sim.terminal import Refusal, number_within

_EARLIEST_S = 315_532_800  # 1980, where the times of zips and of FAT begin


class DeployError(Refusal):
    """Describe in one line why copying failed."""


def find_time() -> int | None:
    """Return SOURCE_DATE_EPOCH, the time in all made files, or None; raise DeployError if it is no time."""
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if text is None:
        return None
    try:
        return number_within(_EARLIEST_S, (1 << 32) - 1)(text)
    except argparse.ArgumentTypeError:
        words = f"SOURCE_DATE_EPOCH is {text!r}: set it to seconds since 1970, from {_EARLIEST_S} on"
        raise DeployError(words) from None


def tell_bytes(count: int) -> str:
    """Return a readable number of bytes: "512 bytes", "17 KB", "1.4 MB"; 1 KB is 1024 bytes."""
    if count < 1024:
        return f"{count} bytes"
    return f"{count / 1024:.0f} KB" if count < 1024 * 1000 else f"{count / 1024 / 1024:.1f} MB"
