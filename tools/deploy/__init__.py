"""Put Skyline on a board: build what goes there, find the drive, copy so that nothing is ever half there."""


class DeployError(Exception):
    """Say in one line why nothing, or no more, was copied."""


def tell_bytes(count: int) -> str:
    """Return a number of bytes as a person says it: "512 bytes", "17 KB", "1.4 MB"; 1 KB is 1024 bytes."""
    if count < 1024:
        return f"{count} bytes"
    return f"{count / 1024:.0f} KB" if count < 1024 * 1000 else f"{count / 1024 / 1024:.1f} MB"
