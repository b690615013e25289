"""Fake CircuitPython's `supervisor`."""

from workbench import bench


class _Runtime:
    autoreload = True


runtime = _Runtime()


def ticks_ms() -> int:
    """Return the time of the workbench."""
    return bench.now_ms


def set_usb_identification(manufacturer: str, product: str) -> None:
    """Remember how the board would name itself on USB."""
    if len(manufacturer) > 126 or len(product) > 126:
        raise ValueError("USB names are at most 126 characters")
    bench.usb_identification = (manufacturer, product)
