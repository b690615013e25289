"""Find the profile of a board in profiles.txt, which has one record for each; only the start loads this module."""

from firmware.compat import TYPE_CHECKING
from firmware.device.wiring import NONE, PICO, PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import GetEnv


def overlay(getenv: "GetEnv", board_id: str) -> "GetEnv":
    """Return a function like `getenv` that answers from the board's profile where `getenv` has no answer.

    SKYLINE_BOARD names another profile than that of `board_id`. A board without a profile has the defaults.
    """
    name = getenv(PREFIX.lower() + "board") or getenv(PREFIX + "BOARD") or NONE
    if name == NONE:
        name = board_id
    if str(name).startswith(PICO):
        return getenv  # without the time to read the file
    profile = find(str(name))
    if profile is None:
        if name == board_id:
            return getenv
        from firmware.device.wiring_reading import refuse

        raise refuse("BOARD", name, " ".join(list_names()))

    def look(key: str) -> "str | int | None":
        """Return the value of settings.toml, or that of the profile."""
        value = getenv(key)
        return profile.get(key[len(PREFIX) :]) if value is None and key.startswith(PREFIX) else value

    return look


def find(name: str) -> "dict[str, str] | None":
    """Return the record of a board, or None."""
    for record in read():
        if record["board"] == name:
            return record
    return None


def list_names() -> list[str]:
    """Return the names of all boards."""
    return [record["board"] for record in read()]


def read() -> "Iterator[dict[str, str]]":
    """Yield the records: lines by the word before the colon."""
    with open(__file__.rpartition("profiles")[0] + "profiles.txt") as file:
        texts = file.read().strip().split("\n\n")
    for text in texts:
        record = {}
        for line in text.split("\n"):
            word, _, value = line.partition(": ")
            record[word] = value
        if "board" in record:
            yield record
