"""Hold a match between two players, each in its own process, with alternating colours."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import islice
from multiprocessing.connection import Connection
from operator import index
from pathlib import Path
from typing import Any

from firmware.tetress.game import DRAWN, Game
from tools.tetress.notation import COLOURS, Cell, NotationError, action_of, cells_of, explain
from tools.tetress.players import accepted, find_player

START_S = 600.0  # wall-clock time to begin a game: the strong player may have to be compiled first
PATIENCE = 4.0  # an answer may take this many times the player's CPU time left on the wall clock,
GRACE_S = 10.0  # and this in addition, because other programs use the machine too


class Forfeit(Exception):
    """Say in one line why the player at a seat loses the game."""

    def __init__(self, seat: Seat, words: str) -> None:
        super().__init__(words)
        self.seat = seat


@dataclass
class Tally:
    """One player's results in all games by colour, with time and memory."""

    name: str
    won: list[int] = field(default_factory=lambda: [0, 0])
    lost: list[int] = field(default_factory=lambda: [0, 0])
    drawn: int = 0
    cpu_s: list[float] = field(default_factory=list)
    memory_mb: float = 0.0


@dataclass
class Result:
    """The result of one game: the winner's colour or None, all actions, and the reason of a forfeit."""

    winner: int | None
    actions: list[int]
    reason: str = ""


def serve(link: Connection, name: str) -> None:
    """Run the process of one player: answer the referee until it closes the link."""
    sys.stdout = sys.stderr  # keep a player's prints out of the table
    if find_spec("numpy"):
        import numpy  # noqa: F401  # as the course's referee does before it measures memory
    before_mb = address_space_mb("VmSize")
    player: Any = None
    begun_s = seconds = 0.0
    while True:
        try:
            verb, *arguments = link.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer: Any = None
            if verb == "begin":
                begun_s = time.process_time()
                seconds = arguments[1]
                player = find_player(name)(*arguments)
            elif verb == "choose":
                left_s = seconds - (time.process_time() - begun_s)
                answer = plain_cells(player.choose(**accepted(player.choose, seconds_left=left_s)))
            elif verb == "update":
                player.update(*arguments)
            elif verb == "weigh":
                answer = address_space_mb("VmPeak") - before_mb
            link.send((True, answer, time.process_time() - begun_s))
        except KeyboardInterrupt:
            return
        except Exception as problem:  # any error of a player costs its game, but does not end the match
            link.send((False, f"{type(problem).__name__}: {problem}"[:200], time.process_time() - begun_s))


def plain_cells(answer: Any) -> list[Cell]:
    """Return a player's choice as at most five pairs of whole numbers; raise TypeError for anything else."""
    try:
        cells = [(cell.r, cell.c) if hasattr(cell, "r") else cell for cell in islice(answer, 5)]
        return [(index(r), index(c)) for r, c in cells]
    except (TypeError, ValueError):
        raise TypeError(f"choose() returned no four (r, c) but a {type(answer).__name__}") from None


def address_space_mb(row: str) -> float:
    """Return the address space of this process, "VmSize", or its peak, "VmPeak"; 0 if the system does not tell."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith(f"{row}:")), 0.0)


class Seat:
    """Talk to a player in its own process, which starts with a game, and again if it has ended.

    grace_s: see GRACE_S.
    """

    def __init__(self, name: str, grace_s: float = GRACE_S) -> None:
        self.tally = Tally(name)
        self.grace_s = grace_s
        self.process: Any = None
        self.seconds = 0.0
        self.cpu_s = 0.0

    def start_player(self, colour: int, seconds: float, seed: int) -> None:
        """Make the player of a new game, in a new process if necessary; raise Forfeit."""
        self.seconds = seconds
        self.cpu_s = 0.0
        if self.process is None:
            context = multiprocessing.get_context("spawn")
            self.link, player_link = context.Pipe()
            self.process = context.Process(target=serve, args=(player_link, self.tally.name), daemon=True)
            self.process.start()
            player_link.close()
        self.demand(START_S, "begin", colour, seconds, seed)

    def choose(self) -> list[Cell]:
        """Return the cells that the player chooses; raise Forfeit."""
        cells: list[Cell] = self.demand(self.patience_s(), "choose")
        return cells

    def update(self, colour: int, cells: tuple[Cell, ...]) -> None:
        """Send the player an action; raise Forfeit."""
        self.demand(self.patience_s(), "update", colour, cells)

    def patience_s(self) -> float:
        """Return how long the referee waits for an answer."""
        return PATIENCE * max(0.0, self.seconds - self.cpu_s) + self.grace_s

    def demand(self, wall_s: float, *words: Any) -> Any:
        """Return the player's answer; raise Forfeit, also when it used more CPU time than it has."""
        answer = self.ask(wall_s, *words)
        if self.cpu_s > self.seconds:
            raise Forfeit(self, f"took {self.cpu_s:.2f} s of CPU time of {self.seconds:g} s")
        return answer

    def ask(self, wall_s: float, *words: Any) -> Any:
        """Return the player's answer; raise Forfeit with its fault."""
        try:
            self.link.send(words)
            if not self.link.poll(wall_s):
                self.close()
                raise Forfeit(self, f"no answer for {wall_s:.0f} s")
            done, answer, self.cpu_s = self.link.recv()
        except (EOFError, OSError):
            self.close()
            raise Forfeit(self, "its process ended") from None
        if not done:
            raise Forfeit(self, answer)
        return answer

    def settle(self, colour: int, winner: int | None) -> None:
        tally = self.tally
        tally.cpu_s.append(self.cpu_s)
        if winner is None:
            tally.drawn += 1
        elif winner == colour:
            tally.won[colour] += 1
        else:
            tally.lost[colour] += 1
        if self.process is not None:
            try:
                tally.memory_mb = max(tally.memory_mb, self.ask(self.grace_s, "weigh"))
            except Forfeit:
                return

    def close(self) -> None:
        if self.process is None:
            return
        self.link.close()
        self.process.join(0.5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process = None


def play_game(seats: tuple[Seat, Seat], seconds: float, seed: int, count: Callable[[int], None]) -> Result:
    """Play one game, seats[0] as Red; a player that breaks a rule, fails or takes too long loses.

    count: called with the number of actions after each action.
    """
    game = Game()
    actions: list[int] = []
    try:
        for colour, seat in enumerate(seats):
            seat.start_player(colour, seconds, seed)
        while not game.over:
            mover = game.played & 1
            action = demand_action(game, seats[mover])
            game.play(action)
            actions.append(action)
            count(len(actions))
            for seat in seats:
                if not game.over:
                    seat.update(mover, cells_of(action))
    except Forfeit as reason:
        loser = seats.index(reason.seat)
        return Result(loser ^ 1, actions, f"{reason.seat.tally.name} ({COLOURS[loser]}) loses: {reason}")
    return Result(None if game.over == DRAWN else game.over - 1, actions)


def demand_action(game: Game, seat: Seat) -> int:
    """Return the number of the action that a player chooses; raise Forfeit if it breaks a rule."""
    cells = seat.choose()
    try:
        action = action_of(cells)
        reason = game.find_fault(action)
        if reason:
            raise NotationError(explain(game, action, reason))
    except NotationError as problem:
        raise Forfeit(seat, f"played {cells}: {problem}") from None
    return action


def play_match(
    names: tuple[str, str],
    games: int,
    seconds: float,
    seed: int,
    show_result: Callable[[int, Result, list[Tally]], None],
    count: Callable[[int], None] = lambda actions: None,
    grace_s: float = GRACE_S,
) -> list[Tally]:
    """Play `games` games with alternating colours, names[0] as Red in the first one; return both tallies.

    show_result: called after each game.  count: called with the number of a game's actions after each action.
    """
    seats = (Seat(names[0], grace_s), Seat(names[1], grace_s))
    tallies = [seat.tally for seat in seats]
    try:
        for number in range(games):
            # Two successive games have the same seed, with colours changed.
            reds = seats if number % 2 == 0 else (seats[1], seats[0])
            result = play_game(reds, seconds, seed + number // 2, count)
            for colour, seat in enumerate(reds):
                seat.settle(colour, result.winner)
            show_result(number, result, tallies)
    finally:
        for seat in seats:
            seat.close()
    return tallies
