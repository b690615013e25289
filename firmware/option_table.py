"""Make the lists of options of other modules from options.txt, which has one record for each option.

Deploy replaces calls of these functions by their results, so a board never loads this module.
"""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware.contracts import Any, Fields, Record

_SETTINGS = const(100)  # from this place on, an option belongs to the settings; below, to the game
_SHARED_PAGES = (b"delays", b"bits")  # of titles: a line there sets several options, or a part of one


def read_records() -> "Iterator[Record]":
    """Yield each paragraph, by its words."""
    with open(__file__.rpartition("option_table")[0] + "options.txt", "rb") as file:
        texts = file.read().split(b"\n\n")
    for text in texts:
        record = {}
        for line in text.split(b"\n"):
            word, _, value = line.partition(b": ")
            record[word] = value
        yield record


def read() -> "Iterator[tuple[Record, list[Any]]]":
    """Yield each record of an option, and (place, name, least, most, default)."""
    for record in read_records():
        if b"option" in record:
            words = record[b"option"].split()
            yield record, [int(words[1]), words[0].decode()] + [int(word) for word in words[2:]]


def list_fields(of_game: bool) -> "Fields":
    """Return (name, least, most, default) of a game's options, or of the other settings, sorted by place."""
    kept = sorted([field for _record, field in read() if (field[0] < _SETTINGS) == of_game])
    return tuple([tuple(field[1:]) for field in kept])


def list_column(column: int) -> "tuple[Any, ...]":
    """Return the names of a game's options, or the least, most or default values, sorted by place.

    A board keeps these in play: four tuples take half the memory of a tuple for each option.
    """
    return tuple([field[column] for field in list_fields(True)])


def list_least() -> bytes:
    """Return the least values of a game's options, sorted by place: none is over 255."""
    return bytes(list_column(1))


def list_menu(menu: str) -> "tuple[tuple[Any, ...], ...]":
    """Return the lines of a menu in the form of firmware/scenes/choices.py."""
    joined = {}
    for record in read_records():
        names = record.get(b"join", b"").decode()
        for name in names.split():
            words = tuple(record[b"words"].split(b"|"))
            joined[name] = (find_title(record), record[b"note"], names, tuple(range(len(words))), words)
    lines = [joined.get(line[2], line) for page, line in read_lines() if page == menu.encode()]
    return tuple([line for at, line in enumerate(lines) if line not in lines[:at]])


def list_lines(names: str) -> "tuple[tuple[Any, ...], ...]":
    """Return the lines of some options, whose names are separated by spaces, as `list_menu` does."""
    return tuple([line for _page, line in read_lines() if line[2] in names.split()])


def read_lines() -> "Iterator[tuple[bytes, tuple[Any, ...]]]":
    """Yield the menu of each option that has one, and its line there."""
    for record, (_place, name, least, most, _default) in read():
        page, _, line = record.get(b"menu", b"").partition(b" ")
        if page:
            values = tuple(map(int, record.get(b"values", b"").split())) or tuple(range(least, most + 1))
            words = tuple(record[b"words"].split(b"|")) if b"words" in record else None
            yield page, (line, record[b"note"], name, values, words)


def list_handling() -> "tuple[str, ...]":
    """Return the names of the options that presets set; only these may change in a game in progress."""
    return tuple([field[1] for record, field in read() if b"presets" in record])


def list_presets() -> "tuple[tuple[int, ...], ...]":
    """Return each preset's values of the options of `list_handling`."""
    return tuple(zip(*[map(int, record[b"presets"].split()) for record, _field in read() if b"presets" in record]))


def list_rules() -> bytes:
    """Return the places of a game's options without `list_handling`, the Starting Blocks and the edition."""
    free = list_handling() + ("garbage_rows", "edition")
    return bytes(sorted([field[0] for _record, field in read() if field[0] < _SETTINGS and field[1] not in free]))


def list_extras() -> "tuple[tuple[str, ...], bytes]":
    """Return the names of the rules that only some modes know, and the words for them in records of modes."""
    extras = [(field[1], record[b"modes"]) for record, field in read() if b"modes" in record]
    return tuple([name for name, _word in extras]), b" ".join([word for _name, word in extras])


def list_shared() -> "tuple[tuple[Any, ...], ...]":
    """Return (place, name, least, most, default, line, words) of each rule of a game, sorted by place.

    These are the options of a game without `list_handling` and the edition. An option without a menu has a title
    instead of a line.
    """
    lines = {line[2]: line for _page, line in read_lines()}
    free = list_handling() + ("edition",)
    shared = []
    for record, field in sorted(read(), key=lambda each: each[1]):
        if field[0] < _SETTINGS and field[1] not in free:
            line = lines.get(field[1])
            shared.append(tuple(field + [line[0] if line else find_title(record), line[4] if line else None]))
    return tuple(shared)


def find_title(record: "Record") -> bytes:
    """Return the title of an option without a menu, or the line of a menu."""
    return record.get(b"title", record.get(b"menu", b"")).partition(b" ")[2]


def list_changeable() -> "tuple[tuple[str, ...], bytes]":
    """Return the names of the options that a player can set alone, and a line for each: page, title, values and words.

    One text, because a tuple for each option takes a board 5 KB. A line without a page has that of the line before. An
    option without words has no values here; values without a gap begin with the one that is here.
    """
    names = []
    lines = []
    last = b""
    for record, field in read():
        page, _, title = record.get(b"menu", record.get(b"title", b"")).partition(b" ")
        if page and page not in _SHARED_PAGES:
            names.append(field[1])
            words = record.get(b"words", b"")
            values = record.get(b"values", b"%d" % field[2]) if words else b""
            lines.append(b"/".join((b"" if page == last else page, title, values, words)))
            last = page
    return tuple(names), b"\n".join(lines).replace(b"display", b"screen")  # as OPTIONS names it


GAME_FIELDS = list_fields(True)
