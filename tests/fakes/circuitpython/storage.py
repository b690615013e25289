"""Fake CircuitPython's `storage`."""

from workbench import bench


def remount(mount_path: str, readonly: bool = False) -> None:
    """Remember whose the drive is; "readonly" is meant for the board."""
    assert mount_path == "/"
    bench.drive_is_ours = not readonly
