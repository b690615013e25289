"""Fake CircuitPython's `storage`."""

from workbench import bench


def remount(mount_path: str, readonly: bool = False) -> None:
    """Record the owner of the drive; `readonly` means that only the PC writes."""
    assert mount_path == "/"
    bench.drive_is_ours = not readonly
