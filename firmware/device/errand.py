"""Read the word that the last run of code.py left in RAM (machine.py writes it)."""

try:
    from alarm import sleep_memory
except ImportError:
    sleep_memory = b""  # type: ignore[assignment]  # a board without it cannot restart with an empty heap

MARK = b"Sky"


def take_word() -> str:
    """Return the word and clear it; return "" if there is none."""
    word = bytes(sleep_memory[:64]).split(b"\0")[0]
    if word[:3] != MARK:
        return ""
    sleep_memory[0] = 0
    return word[3:].decode()
