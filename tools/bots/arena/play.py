"""Play one match of an arena, here or in another process."""

import multiprocessing
import signal
import sys
import threading
from contextlib import ExitStack
from typing import NamedTuple

from firmware.match.match import NOBODY
from sim.bots.process import Partner
from tools.bots.arena.competitors import Competitor, Conditions
from tools.bots.arena.standings import Pairing
from tools.bots.match import Outcome, play_seats
from tools.bots.tally import Tally


class Task(NamedTuple):
    """A match to play; it goes to other processes."""

    pairing: Pairing
    competitors: tuple[Competitor, Competitor]
    conditions: Conditions


def play(task: Task) -> tuple[Pairing, Outcome]:
    """Play a match; who cannot start loses it."""
    seats: list[int | Partner] = []
    faults = ["", ""]
    with ExitStack() as bots:
        if multiprocessing.parent_process() and threading.current_thread() is threading.main_thread():
            # When this process is ended, its bots end, too.
            bots.callback(signal.signal, signal.SIGTERM, signal.signal(signal.SIGTERM, lambda *_: sys.exit()))
        for number, competitor in enumerate(task.competitors):
            try:
                player = competitor.open(task.conditions)
            except (OSError, ValueError) as problem:
                faults[number] = f"cannot start: {problem}"
            else:
                seats.append(bots.enter_context(player) if isinstance(player, Partner) else player)
        if any(faults):
            winner = NOBODY if all(faults) else faults.index("")
            return task.pairing, Outcome(winner, [Tally(), Tally()], faults, b"")
        conditions = task.conditions
        return task.pairing, play_seats(seats, task.pairing.seed, conditions.pace_ms, conditions.think_ms)
