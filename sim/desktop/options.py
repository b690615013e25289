"""Say what the options of the simulator ask for together, and refuse those that exclude each other."""

import argparse
from importlib.util import find_spec

from firmware.match.options import MOST_PLAYERS
from firmware.players.levels import BEST
from firmware.save import rules
from sim.desktop.strong_seats import count_levels
from sim.library import SPANS
from sim.terminal import Refusal, tell_install

LINKS = ("host", "join", "link")
_NOT_IN_A_MATCH = {"play": "a recording has its players", "variant": "a match has its own rules"}
# By option: the options that exclude it, each with the reason.
_EXCLUSIVE = {
    **{
        way: {
            **dict.fromkeys(LINKS, "there is one link"),
            **dict.fromkeys(
                ("headless", "play", "players", "computers", "versus", "variant", "seed"),
                "the players agree on it in the lobby",
            ),
        }
        for way in LINKS
    },
    "players": {"headless": "persons need a window", **_NOT_IN_A_MATCH},
    "computers": _NOT_IN_A_MATCH,
    "versus": _NOT_IN_A_MATCH,
    "blinka": dict.fromkeys(
        (
            *("headless", "players", "versus", "board", "scale", "no_legend"),
            *("gamepad", "gamepad_map", "keys", "keys_map", "screenshot"),
        ),
        "there is no window",
    ),
    "rules": dict.fromkeys(("play", "variant", "level", *LINKS), "the line has all rules"),
    "save_all": {"load_all": "one is enough"},
    "play": dict.fromkeys(("record", "seed", "level", "variant"), "the recording is the game"),
}
# By option: the option that it needs, and how that one is typed.
_NEEDS = {
    "explain": ("rules", "--rules LINE"),
    "pace": ("versus", "--versus COMMAND"),
    "at": ("play", "--play FILE"),
    "side": ("at", "--at MS"),
    "replace": ("load_all", "--load-all FILE"),
}


def check(options: argparse.Namespace) -> None:
    """Refuse, before the game, options that would fail during or after it."""
    _check_exclusive(options)
    for name, (needed, words) in _NEEDS.items():
        if is_given(options, name) and not is_given(options, needed):
            raise Refusal(f"{_flag(name)} needs {words}")
    if options.headless and options.at is not None:
        raise Refusal("--at needs --play FILE and a window")
    _check_seats(options)
    least, most = SPANS[options.variant or "marathon"]
    if options.level is not None and not least <= options.level <= most:
        raise Refusal(f"--level {options.level}: {options.variant or 'marathon'} has levels {least} to {most}")
    if (options.screenshot or options.gif) and find_spec("PIL") is None:
        raise Refusal(f"--screenshot and --gif need Pillow; {tell_install('sim')}")


def is_given(options: argparse.Namespace, name: str) -> bool:
    """Return whether an option is on the command line; 0 is a value, such as that of --seed."""
    value = getattr(options, name)
    return value is not None and value is not False and value != []


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _check_exclusive(options: argparse.Namespace) -> None:
    for name, reasons in _EXCLUSIVE.items():
        for other, reason in reasons.items():
            if name != other and is_given(options, name) and is_given(options, other):
                words = f"{_flag(name)} and {_flag(other)} cannot be used together"
                raise Refusal(f"{words}: {reason}")


def _check_seats(options: argparse.Namespace) -> None:
    seats = list_seats(options)
    if max(options.computers, default=0) > count_levels():
        raise Refusal(f"levels above {BEST} need Numba; {tell_install('solve')}")
    if seats and not 2 <= len(seats) <= MOST_PLAYERS:
        raise Refusal(
            f"a match has 2 to {MOST_PLAYERS} players, these are {len(seats)}: {count_persons(options)} with --players "
            f"and {len(options.computers)} with --computers" + (", and one with --versus" if options.versus else "")
        )
    if options.rules and options.rules[0] != rules.MATCH and (options.players or seats):
        raise Refusal("--rules LINE is for a game of one player, not for a match")
    if options.headless and not options.play and not seats:
        raise Refusal("--headless has nothing to play: add --play FILE, or --computers LEVEL LEVEL")


def count_persons(options: argparse.Namespace) -> int:
    return options.players or (0 if options.headless else 1)


def list_seats(options: argparse.Namespace) -> bytes:
    """Return the players of a requested match: persons first, then the computers; b"" for no match.

    A bot has the last seat, as a person: the settings of computers do not apply to it.
    """
    if not (options.computers or options.versus):
        return b""
    return bytes(count_persons(options)) + bytes(options.computers) + (b"\0" if options.versus else b"")


def asks_for_game(options: argparse.Namespace) -> bool:
    """Return whether the options, not the menus, choose the game."""
    return any(is_given(options, name) for name in ("record", "seed", "level", "variant", "rules"))


def find_first_scene(options: argparse.Namespace) -> str:
    """Return the first scene: a requested game begins at once, else the handheld's own first screen."""
    if options.play:
        return "replay.watch"  # the Session chooses another scene for a match
    if any(is_given(options, way) for way in LINKS):
        return "link.lobby"
    if options.players or list_seats(options) or options.rules and options.rules[0] == rules.MATCH:
        return "match.play" if asks_for_game(options) else "match.menu"
    return "play" if asks_for_game(options) else ""
