"""Read and write actions as the rules do, `PLACE[(6,3), (7,2), (7,3), (7,4)]`, and transcripts with one a line.

It also reads the output of the course's referee: its actions, `PLACE(6-3, 7-2, 7-3, 7-4)`, and its logs.
"""

import re
from collections.abc import Iterable

from firmware.tetress.game import ACTIONS, APART, BLUE_WON, CELL_COUNT, OCCUPIED, RED_WON, SIZE, Game
from firmware.tetress.shapes import CELLS

Cell = tuple[int, int]

COLOURS = ("Red", "Blue")

_ACTION = re.compile(r"\s*PLACE\s*(?:\[(.*)\]|\((.*)\))\s*", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"\s*(?:\(\s*(\d{1,4})\s*,\s*(\d{1,4})\s*\)|(\d{1,4})\s*-\s*(\d{1,4}))\s*")
_COLOURING = re.compile(r"\x1b\[[0-9;]*m")
_LOGGED = re.compile(r"\* \w+ +[~:#!@] |T\d+\.\d+\t")
# Actions in a log for programs and in a log for people; a file may contain both logs.
_LOGGED_ACTIONS = (re.compile(r"\tturn_end\t\d+\t(.*)"), re.compile(r" plays action (.*)"))


class NotationError(ValueError):
    """Say in one line what is wrong with an action or a transcript."""


def cells_of(action: int) -> tuple[Cell, Cell, Cell, Cell]:
    """Return the four cells (r, c) of an action, in the order of its shape's box."""
    shape, cell = divmod(action, CELL_COUNT)
    a, b, c, d = (
        ((cell // SIZE + (part >> 4)) % SIZE, (cell % SIZE + (part & 15)) % SIZE)
        for part in CELLS[shape * 4 : shape * 4 + 4]
    )
    return a, b, c, d


_NUMBERS = {frozenset(cells_of(action)): action for action in range(ACTIONS)}


def action_of(cells: Iterable[Cell]) -> int:
    """Return the number of the action that covers four cells, in any order; raise NotationError if there is none."""
    listed = [(int(r), int(c)) for r, c in cells]
    for r, c in listed:
        if not (0 <= r < SIZE and 0 <= c < SIZE):
            raise NotationError(f"({r},{c}) is not on the board: rows and columns count from 0 to 10")
    if len(listed) != 4 or len(set(listed)) != 4:
        raise NotationError(f"an action has four different cells, not {len(set(listed))}")
    try:
        return _NUMBERS[frozenset(listed)]
    except KeyError:
        raise NotationError("the four cells do not form one of the 19 tetrominoes") from None


def format_action(action: int) -> str:
    return f"PLACE[{', '.join(f'({r},{c})' for r, c in cells_of(action))}]"


def parse_action(text: str) -> int:
    """Return the number of the action in a line of text; raise NotationError for any other text."""
    match = _ACTION.fullmatch(text)
    inside = (match.group(1) or match.group(2) or "") if match else ""
    if not re.fullmatch(rf"{_CELL.pattern}(,{_CELL.pattern})*", inside):
        raise NotationError("not an action: one reads PLACE[(6,3), (7,2), (7,3), (7,4)]")
    return action_of((int(a or c), int(b or d)) for a, b, c, d in _CELL.findall(inside))


def explain(game: Game, action: int, reason: int) -> str:
    """Return the broken rule in words, for a reason from `Game.find_fault` or `Game.play`."""
    colour = COLOURS[game.played & 1]
    if reason == OCCUPIED:
        occupied = [f"({r},{c})" for r, c in cells_of(action) if game.token(r, c)]
        return f"{' and '.join(occupied)} {'is' if len(occupied) == 1 else 'are'} occupied (condition 2)"
    if reason == APART:
        return f"no cell is adjacent to a token of {colour} (condition 3)"
    return f"the game is over: {outcome(game)}"


def outcome(game: Game) -> str:
    """Return the result of a game in one line, or the turn and the tokens if it is not over."""
    red, blue = game.count(0), game.count(1)
    if not game.over:
        return f"{COLOURS[game.played & 1]} to play action {game.played + 1}; tokens {red} : {blue}"
    if game.is_blocked():
        loser = COLOURS[game.over == RED_WON]
        winner = COLOURS[game.over == BLUE_WON]
        return f"{winner} wins: {loser} has no legal action after action {game.played}; tokens {red} : {blue}"
    if game.over in (RED_WON, BLUE_WON):
        return f"{COLOURS[game.over == BLUE_WON]} wins by tokens after {game.played} actions, {red} : {blue}"
    return f"a draw after {game.played} actions, {red} : {blue} tokens"


def printable(text: str) -> str:
    """Return text of unknown origin as one line without control characters for the terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _actions_in(text: str) -> list[tuple[int, str]]:
    """Return the lines with actions of a transcript or of a referee's log, each with its line number."""
    lines = list(enumerate(_COLOURING.sub("", text).splitlines(), 1))
    if any(_LOGGED.match(line) for _, line in lines):
        for form in _LOGGED_ACTIONS:
            found = [(number, match.group(1).strip()) for number, line in lines if (match := form.search(line))]
            if found:
                return found
        return []
    bare = [(number, line.partition("#")[0].strip()) for number, line in lines]
    return [(number, line) for number, line in bare if line]


def read_transcript(text: str) -> list[int]:
    """Return the actions of a transcript, all legal; ignore empty lines and text after a #.

    In a log of the course's referee only the actions count. Raise NotationError with the line, the
    action and the broken rule.
    """
    game = Game()
    actions = []
    for number, line in _actions_in(text):
        quoted = printable(line if len(line) <= 80 else line[:77] + "...")
        try:
            action = parse_action(line)
        except NotationError as problem:
            raise NotationError(f"line {number}: {quoted}: {problem}") from None
        reason = game.play(action)
        if reason:
            raise NotationError(f"line {number}: {quoted}: {explain(game, action, reason)}")
        actions.append(action)
    return actions


def write_transcript(actions: Iterable[int]) -> str:
    """Return the text of a transcript; its last line is a comment with the result.

    Raise NotationError for an illegal action.
    """
    game = Game()
    lines = []
    for action in actions:
        reason = game.play(action)
        if reason:
            raise NotationError(f"{format_action(action)}: {explain(game, action, reason)}")
        lines.append(format_action(action))
    return "".join(f"{line}\n" for line in [*lines, f"# {outcome(game)}"])
