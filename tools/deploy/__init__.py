"""Put Skyline on a board: build the files, find the drive, copy so that a cut leaves no broken game."""

from sim.terminal import Refusal


class DeployError(Refusal):
    """Describe in one line why copying failed."""


def tell_bytes(count: int) -> str:
    """Return a readable number of bytes: "512 bytes", "17 KB", "1.4 MB"; 1 KB is 1024 bytes."""
    if count < 1024:
        return f"{count} bytes"
    return f"{count / 1024:.0f} KB" if count < 1024 * 1000 else f"{count / 1024 / 1024:.1f} MB"
