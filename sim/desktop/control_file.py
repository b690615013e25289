"""Read and write the files in which a player says what a key, or a button of a gamepad, does."""

import configparser
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from firmware.device.wiring import NONE
from sim import terminal

Sections = dict[str, dict[str, int | None]]  # by section: the control of each name, None for no control


class MapError(ValueError):
    """Say in one line what is wrong in a file."""

    def __init__(self, words: str) -> None:
        super().__init__(terminal.one_line(words))  # an indented line continues a value, which the words may quote


def config_path(name: str) -> Path:
    """Return the path of a file of the player's own, which need not exist (see platformdirs)."""
    from platformdirs import user_config_path

    return user_config_path("skyline", appauthor=False) / name


def read(path: Path, sections: Sequence[str], names: Iterable[str], controls: Sequence[str], what: str) -> Sections:
    """Return what a file says; raise OSError, or MapError for an invalid file.

    what: what the names stand for, such as "button of a gamepad".
    """
    parser = configparser.ConfigParser(delimiters=("=",), inline_comment_prefixes=("#",), interpolation=None)
    try:
        parser.read_string(terminal.read_text(path))
    except UnicodeDecodeError:
        raise MapError("is not text in UTF-8") from None
    except configparser.Error as problem:
        raise MapError(" ".join(problem.message.replace("'<string>'", "it").split())) from None
    if len(sections) == 1 and parser.sections() != list(sections):
        raise MapError(f"has not one section [{sections[0]}]")
    known = {name.lower(): name for name in names}
    found: Sections = {}
    for section in parser.sections():
        if section not in sections:
            raise MapError(f"[{section}] is unknown; allowed: {' '.join(f'[{each}]' for each in sections)}")
        found[section] = {}
        for name, word in parser[section].items():
            if name not in known:
                raise MapError(f"{name} is no {what}; allowed: {' '.join(known.values())}")
            if word.lower() not in (*controls, NONE):
                raise MapError(f"{known[name]} is {word}; allowed: {' '.join((*controls, NONE))}")
            found[section][known[name]] = None if word.lower() == NONE else controls.index(word.lower())
    return found


def write(sections: Mapping[str, Mapping[str, int | None]], controls: Sequence[str], head: str) -> str:
    """Return the text of a file, with its sections below `head`."""
    parts = [head]
    for section, table in sections.items():
        lines = [f"{name} = {NONE if control is None else controls[control]}" for name, control in table.items()]
        parts.append("\n".join([f"[{section}]", *lines]) + "\n")
    return "\n".join(parts) if len(sections) > 1 else "".join(parts)
