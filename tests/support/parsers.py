"""Find the commands of this project and what their parsers accept."""

import argparse
import importlib
import sys
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from sim import terminal
from sim.ownership import Output
from tests.support.running import ROOT

COMMANDS = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__main__")
    for folder in ("sim", "tools")
    for path in (ROOT / folder).rglob("*.py")
    if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
)


class Found(Exception):
    """Carry the parser of a command out of its main()."""


def find_main(command: str) -> Any:
    module = importlib.import_module(command)
    if hasattr(module, "__path__"):
        module = importlib.import_module(f"{command}.__main__")
    return module.main


def find_parser(command: str) -> argparse.ArgumentParser:
    def stop(parser: argparse.ArgumentParser, *_: object) -> None:
        raise Found(parser)

    with patch.object(terminal.Parser, "parse_args", stop), patch.object(sys, "argv", [command]):
        try:
            find_main(command)()
        except Found as found:
            return found.args[0]
    raise AssertionError(f"{command} parses no command line")


def walk(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each option and argument of a parser and of its commands, with the words that lead to it.

    The words include a value for each argument that must be given.
    """
    commands = None
    needed: list[str] = []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            commands = action
        elif action.required and not isinstance(action.type, Output):
            needed += [
                *action.option_strings[:1],
                *[find_value(action)] * (action.nargs if isinstance(action.nargs, int) else 1),
            ]
    for action in parser._actions:
        yield (*words, *needed), action
    for name, command in commands.choices.items() if commands else ():
        yield from walk(command, (*words, *needed, name))


def find_value(action: Any) -> str:
    if action.choices:
        return str(next(iter(action.choices)))
    for value in ("1", "2", "3", "x"):
        try:
            if action.type:
                action.type(value)
            return value
        except (argparse.ArgumentTypeError, ValueError):
            pass
    raise AssertionError(f"no value for {action.dest}")
