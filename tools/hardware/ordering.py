"""Write a file of KiCad the same way each time: its items come sorted, with ids that follow from their place."""

import re
import uuid

_ID = re.compile(r"\(tstamp [0-9a-f-]{36}\)")
_EDIT = re.compile(r"\(tedit [0-9A-F]+\)")
_POINT = re.compile(r"\(xy (\S+) ([^\s)]+)\)")
_POLYGON = re.compile(r"\(pts\n(?:\s*\(xy [^()]*\)\n){40,}")  # the pours: nothing else has so many points
_SPACE = uuid.UUID("5b1f7d0c-3a52-4c1e-8f43-0d6a2b9c7e11")
# Items that KiCad sorts by their ids, which are random: at the top of the file, and within a footprint.
_TOP = ("footprint", "gr_line", "gr_arc", "gr_text", "gr_circle", "gr_rect", "gr_poly", "segment", "via", "zone")
_WITHIN = ("fp_text", "fp_line", "fp_arc", "fp_circle", "fp_rect", "fp_poly", "pad")


def order(text: str) -> str:
    """Return the text of a board's file with its items sorted and its ids replaced."""
    lines = [line for line in text.splitlines() if line.strip()]
    blocks = split(lines[1:-1], "  ")
    sorted_blocks = sort(blocks, _TOP, "  ")
    text = "\n".join([lines[0], *(line for block in sorted_blocks for line in arrange(block)), lines[-1]]) + "\n"
    number = iter(range(1_000_000))
    text = _ID.sub(lambda _: f"(tstamp {uuid.uuid5(_SPACE, str(next(number)))})", text)
    return _POLYGON.sub(shorten, _EDIT.sub("(tedit 0)", text))


def shorten(polygon: re.Match[str]) -> str:
    """Return a poured polygon with its points in micrometres, twelve a line."""
    points = [f"(xy {round(float(x), 3):g} {round(float(y), 3):g})" for x, y in _POINT.findall(polygon[0])]
    lines = [" ".join(points[i : i + 12]) for i in range(0, len(points), 12)]
    return "(pts\n" + "\n".join(lines) + "\n"


def arrange(block: list[str]) -> list[str]:
    """Return the lines of a block; those of a footprint with its items sorted."""
    if not block[0].startswith("  (footprint "):
        return block
    inner = split(block[1:-1], "    ")
    return [block[0], *(line for each in sort(inner, _WITHIN, "    ") for line in each), block[-1]]


def split(lines: list[str], indent: str) -> list[list[str]]:
    """Return the blocks of lines that begin with a bracket at `indent`."""
    blocks: list[list[str]] = []
    for line in lines:
        if line.startswith(f"{indent}(") or not blocks:
            blocks.append([line])
        else:
            blocks[-1].append(line)
    return blocks


def sort(blocks: list[list[str]], kinds: tuple[str, ...], indent: str) -> list[list[str]]:
    """Return the blocks with those of some kinds sorted at the end, the others as they were."""

    def kind(block: list[str]) -> str:
        return block[0][len(indent) + 1 :].split(" ", 1)[0]

    def key(block: list[str]) -> tuple[int, str]:
        text = "\n".join(block)
        name = re.search(r'fp_text reference "(\w+)"', text)
        return kinds.index(kind(block)), (name[1] if name else "") + _ID.sub("", text)

    head = [block for block in blocks if kind(block) not in kinds]
    return head + sorted((block for block in blocks if kind(block) in kinds), key=key)
