"""Put Skyline on a board: build what goes there, find the drive, copy so that nothing is ever half there."""


class DeployError(Exception):
    """Say in one line why nothing, or no more, was copied."""
