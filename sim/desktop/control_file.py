"""Read and write the files in which a player says what a key, or a button of a gamepad, does."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from firmware.device.wiring import NONE
from sim import terminal


class MapError(terminal.Refusal):
    """Say in one line what is wrong in a file."""


class Line(NamedTuple):
    """A line that gives a name a control, None for no control."""

    number: int
    section: str
    name: str
    control: int | None


def config_path(name: str) -> Path:
    """Return the path of a file of the player's own, which need not exist (see platformdirs)."""
    from platformdirs import user_config_path

    return user_config_path("skyline", appauthor=False) / name


def read(path: Path, sections: Sequence[str], names: Iterable[str], controls: Sequence[str], what: str) -> list[Line]:
    """Return the lines of a file below its sections; raise OSError, or MapError for an invalid file.

    what: what the names stand for, such as "button of a gamepad".
    """
    try:
        text = terminal.read_text(path)
    except UnicodeDecodeError:
        raise MapError(f"{path} is not text in UTF-8; save it as UTF-8") from None
    known = {name.lower(): name for name in names}
    heads = [f"[{section}]" for section in sections]
    found: dict[tuple[str, str], Line] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if not words or words[0] == ";":
            continue
        try:
            if words[0] == "[":
                section = _find(words, {head: head for head in heads}, "section")[1:-1]
                continue
            if not section:
                raise ValueError(f"no section stands above it; write {_list(heads)} above it, or choose another file")
            each = _read_line(number, section, words, known, (*controls, NONE), what)
            other = found.setdefault((section, each.name), each)
            if other is not each:
                raise ValueError(f"{each.name} is in line {other.number} too; delete one of the two lines")
        except ValueError as problem:
            raise MapError(terminal.tell_line(path, number, problem)) from None
    if text and not section:
        raise MapError(f"{path} has no section; write {_list(heads)} into it, or choose another file")
    return list(found.values())


def _read_line(
    number: int, section: str, words: str, known: Mapping[str, str], choices: Sequence[str], what: str
) -> Line:
    """Return what a line says; raise ValueError."""
    name, equals, choice = (part.strip() for part in words.partition("="))
    if not equals:
        raise ValueError(f"{words!r} has no equals sign; write a {what}, = and a control, or delete it")
    control = _find(choice, {each: each for each in choices}, "control")
    return Line(number, section, _find(name, known, what), None if control == NONE else choices.index(control))


def _find(word: str, known: Mapping[str, str], what: str) -> str:
    """Return what a word stands for, by the words in small letters; raise ValueError."""
    if word.lower() not in known:
        raise ValueError(terminal.tell_unknown(word, known.values(), what))
    return known[word.lower()]


def _list(words: Sequence[str]) -> str:
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def write(sections: Mapping[str, Mapping[str, int | None]], controls: Sequence[str], head: str) -> str:
    """Return the text of a file, with its sections below `head`."""
    parts = [head]
    for section, table in sections.items():
        lines = [f"{name} = {NONE if control is None else controls[control]}" for name, control in table.items()]
        parts.append("\n".join([f"[{section}]", *lines]) + "\n")
    return "\n".join(parts) if len(sections) > 1 else "".join(parts)
