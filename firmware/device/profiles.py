"""Find the profile of a board in profiles.txt, which has one record for each; only the start loads this module."""

from firmware.compat import TYPE_CHECKING
from firmware.device.wiring import NONE, PICO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import Written


def overlay(written: "Written", board_id: str) -> "Written":
    """Return the keys of settings.toml, and those of the board's profile that it does not name.

    SKYLINE_BOARD names another profile than that of `board_id`. A board without a profile has the defaults.
    """
    name = str(written.get("BOARD", ("", NONE))[1]).lower()
    if name == NONE:
        name = board_id
        if name.startswith(PICO):
            return written  # without the time to read the file
    profile = find(name)
    if profile is None:
        if name == board_id:
            return written
        from firmware.device.wiring_reading import refuse

        spelled, value = written["BOARD"]
        raise refuse(spelled, value, " ".join(list_names()))
    merged: "Written" = {}
    for key in profile:
        if key.isupper():  # the others are facts about the board
            merged[key] = (key, profile[key])
    merged.update(written)
    return merged


def find_name(key: str, board_id: str) -> str:
    """Return the pin that the drive's settings.toml or the board's profile gives to a key, "" for none."""
    from firmware.device.settings import load

    return str(overlay(load(True), board_id).get(key, ("", ""))[1])


def find(name: str) -> "dict[str, str] | None":
    for record in read():
        if record["board"] == name:
            return record
    return None


def list_names() -> list[str]:
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
