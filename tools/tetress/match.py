"""Let two players play each other, each in a process of its own, colours alternating."""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from firmware.tetress.game import DRAWN, Game
from tools.tetress.notation import COLOURS, NotationError, action_of, cells_of, explain
from tools.tetress.players import find_player


class MatchError(RuntimeError):
    """Say in one line why a match cannot go on."""


@dataclass
class Tally:
    """What one player did in all games: results by colour, and what it took."""

    name: str
    won: list[int] = field(default_factory=lambda: [0, 0])
    lost: list[int] = field(default_factory=lambda: [0, 0])
    drawn: int = 0
    cpu_s: list[float] = field(default_factory=list)
    memory_mb: float = 0.0


@dataclass
class Result:
    """How one game ended: the colour that won or None, all actions, and why where that was not by the rules."""

    winner: int | None
    actions: list[int]
    reason: str = ""


def serve(link: Connection, name: str) -> None:
    """Be the process of one player: do what the referee asks until it hangs up."""
    player: Any = None
    begun = 0.0
    while True:
        try:
            verb, *arguments = link.recv()
        except (EOFError, KeyboardInterrupt):
            return
        try:
            answer: Any = None
            if verb == "begin":
                begun = time.process_time()
                player = find_player(name)(*arguments)
            elif verb == "choose":
                answer = [tuple(cell) for cell in player.choose()]
            elif verb == "update":
                player.update(*arguments)
            elif verb == "cost":
                answer = (time.process_time() - begun, memory_mb())
            link.send((True, answer))
        except KeyboardInterrupt:
            return
        except Exception as problem:  # whatever a player does wrong is his loss, not the referee's
            link.send((False, f"{type(problem).__name__}: {problem}"))


def memory_mb() -> float:
    """Return the most memory this process has had, in MB; 0 where the system does not say."""
    status = Path("/proc/self/status")
    if status.exists():
        # getrusage would count what the process that started this one had before it became this one.
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    try:
        import resource
    except ImportError:
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)


class Seat:
    """Talk to a player in its own process."""

    def __init__(self, name: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.link, far = context.Pipe()
        self.tally = Tally(name)
        self.process = context.Process(target=serve, args=(far, name), daemon=True)
        self.process.start()
        far.close()

    def ask(self, *words: Any) -> Any:
        """Return the player's answer; raise MatchError with what it did wrong."""
        try:
            self.link.send(words)
            done, answer = self.link.recv()
        except (EOFError, OSError):
            raise MatchError(f"{self.tally.name}: its process ended") from None
        if not done:
            raise MatchError(f"{self.tally.name}: {answer}")
        return answer

    def close(self) -> None:
        """End the process."""
        self.link.close()
        self.process.join(5)
        if self.process.is_alive():
            self.process.terminate()


def play_game(seats: tuple[Seat, Seat], seconds: float, seed: int) -> Result:
    """Play one game, seats[0] as Red; an action against the rules loses it. Raises MatchError when a player fails."""
    game = Game()
    actions: list[int] = []
    for colour, seat in enumerate(seats):
        seat.ask("begin", colour, seconds, seed)
    while not game.over:
        colour = game.played & 1
        cells = seats[colour].ask("choose")
        try:
            action = action_of(cells)
            reason = game.judge(action)
            if reason:
                raise NotationError(explain(game, action, reason))
        except NotationError as problem:
            return Result(colour ^ 1, actions, f"{COLOURS[colour]} played {cells}: {problem}")
        game.play(action)
        actions.append(action)
        for seat in seats:
            seat.ask("update", colour, cells_of(action))
    return Result(None if game.over == DRAWN else game.over - 1, actions)


def play_match(
    names: tuple[str, str], games: int, seconds: float, seed: int, see: Callable[[int, Result, list[Tally]], None]
) -> list[Tally]:
    """Play `games` games, the first named as Red in every other; tell `see` of each. Return both tallies."""
    for name in names:
        find_player(name)
    seats = (Seat(names[0]), Seat(names[1]))
    tallies = [seat.tally for seat in seats]
    try:
        for number in range(games):
            # Two games in a row begin alike, with colours changed.
            reds = seats if number % 2 == 0 else (seats[1], seats[0])
            result = play_game(reds, seconds, seed + number // 2)
            for colour, seat in enumerate(reds):
                cpu_s, seat.tally.memory_mb = seat.ask("cost")
                seat.tally.cpu_s.append(cpu_s)
                if result.winner is None:
                    seat.tally.drawn += 1
                elif result.winner == colour:
                    seat.tally.won[colour] += 1
                else:
                    seat.tally.lost[colour] += 1
            see(number, result, tallies)
    finally:
        for seat in seats:
            seat.close()
    return tallies


def table(tallies: list[Tally]) -> str:
    """Return the results as a table."""
    head = ("player", "won", "as Red", "as Blue", "drawn", "lost", "CPU s a game", "worst", "MB")
    rows = [head]
    for tally in tallies:
        seconds = tally.cpu_s or [0.0]
        rows.append(
            (
                tally.name,
                str(sum(tally.won)),
                str(tally.won[0]),
                str(tally.won[1]),
                str(tally.drawn),
                str(sum(tally.lost)),
                f"{sum(seconds) / len(seconds):.2f}",
                f"{max(seconds):.2f}",
                f"{tally.memory_mb:.0f}",
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = [
        "| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 1) + ":" for width in widths) + "|")
    return "\n".join(lines)
