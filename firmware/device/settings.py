"""Read the drive's settings.toml; the parser is loaded only for a file with more than comments, as few have more."""

from firmware.compat import TYPE_CHECKING
from firmware.device.settings_file import MOST_BYTES

if TYPE_CHECKING:
    from firmware.contracts import Written


def load(lenient: bool = False) -> "Written":
    """Return our keys of the file, which may be missing; settings_file.parse() says what they are."""
    try:
        with open("settings.toml", "rb") as file:
            content = file.read(MOST_BYTES + 1)  # more is an error that the parser words
    except OSError:
        return {}
    odd = len(content) > MOST_BYTES or b"\r" in content or b"\0" in content or content and max(content) > 127
    for line in content.split(b"\n"):
        if odd or line.strip()[:1] not in b"#":  # also if empty
            from firmware.device.settings_file import parse_drive

            return parse_drive(content, lenient)
    return {}
