"""Fake CircuitPython's `supervisor`."""

from workbench import bench


class SafeModeReason:
    """The reason for safe mode; its text is that of the board."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        return f"supervisor.SafeModeReason.{self._name}"


class Reloaded(BaseException):
    """Ends the program: on the board reload() does not return."""


class _Runtime:
    autoreload = True
    safe_mode_reason = SafeModeReason("NONE")


runtime = _Runtime()


def ticks_ms() -> int:
    return bench.now_ms


def set_usb_identification(manufacturer: str, product: str) -> None:
    if len(manufacturer) > 126 or len(product) > 126:
        raise ValueError("USB names are at most 126 characters")
    bench.usb_identification = (manufacturer, product)


def get_previous_traceback() -> "str | None":
    """Return the traceback of the last run, or None if it ended normally."""
    return bench.previous_traceback


def set_next_code_file(filename: str, **options: bool) -> None:
    bench.next_code = {"filename": filename, **options}


def reload() -> None:
    raise Reloaded
