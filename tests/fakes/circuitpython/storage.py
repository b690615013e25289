"""Fake CircuitPython's `storage`."""

from types import SimpleNamespace

from workbench import bench


def remount(mount_path: str, readonly: bool = False) -> None:
    """Record the owner of the drive; `readonly` means that only the PC writes."""
    assert mount_path == "/"
    bench.drive_is_ours = not readonly


def getmount(mount_path: str) -> SimpleNamespace:
    """Return the drive; `readonly` means that the game cannot write."""
    assert mount_path == "/"
    return SimpleNamespace(readonly=not bench.drive_is_ours)
