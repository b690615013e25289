"""Give a name the same number in as many modules as possible: code with the same bytes packs smaller.

mpy-cross numbers a module's names in the order of their use. Here the name in the most modules comes first. Each name
gets the number that is free in most of its modules. Numbers from 128 on, which take two bytes, stay, and so does 0, the
module's own name. So the code keeps its length.
"""

from collections import Counter

from tools.deploy import mpy

_SHORT = 128


def renumber(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files with the names of all modules numbered alike; other files unchanged."""
    modules = {path: module for path, content in files.items() if (module := mpy.read(content))}
    free = {path: set(range(1, min(_SHORT, len(module.names)))) for path, module in modules.items()}
    orders = {path: dict(enumerate(module.names)) for path, module in modules.items()}
    holders: dict[bytes, list[str]] = {}
    for path, module in modules.items():
        for name in module.names[1:_SHORT]:
            holders.setdefault(name, []).append(path)
    unplaced = []
    for name in sorted(holders, key=lambda name: -len(holders[name])):
        votes = Counter(number for path in holders[name] for number in free[path])
        best = min(votes, key=lambda number: (-votes[number], number))
        for path in holders[name]:
            if best in free[path]:
                free[path].remove(best)
                orders[path][best] = name
            else:
                unplaced.append((path, name))
    for path, name in unplaced:
        number = min(free[path])
        free[path].remove(number)
        orders[path][number] = name
    return {**files, **{path: _rewrite(module, list(orders[path].values())) for path, module in modules.items()}}


def _rewrite(module: mpy.Module, names: list[bytes]) -> bytes:
    numbers = {name: number for number, name in enumerate(names)}
    content = bytearray(module.content)
    for at in module.find_uses():
        if content[at] < _SHORT:
            content[at] = numbers[module.names[content[at]]]
    content[module.names_at : module.constants_at] = b"".join(names)
    return bytes(content)
