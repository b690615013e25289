"""Find the lit pixels in a picture of 1024 bytes."""

Pixels = set[tuple[int, int]]


def find_lit(picture: bytes) -> Pixels:
    """Return the column and row of each lit pixel in the player's view."""
    return {(at % 8 * 8 + bit, at // 8) for at, byte in enumerate(picture) for bit in range(8) if byte >> bit & 1}


def lay_flat(pixels: Pixels) -> Pixels:
    """Return the same pixels of a module that lies flat, whose right edge is up in the handheld."""
    return {(127 - y, x) for x, y in pixels}
