"""Put a review together: moments, sums, finesse; as an object for programs, too."""

from dataclasses import dataclass, field
from typing import Any

from sim.bots.protocol import LETTERS, Move
from tools.review.judging import Verdict
from tools.review.positions import Position
from tools.review.reasons import KEY_COST, Reason, describe, explain

MOST_MOMENTS = 5
EXAMPLES = ("hole", "well", "height", "t_slot", "keys", "all_clear")  # the kinds of faults of which a review shows one

_LEAST_COST = 0.05


@dataclass
class Moment:
    """One of the placements that cost most; cost in holes, with its wasted keys.  link, command: to try again."""

    position: Position
    verdict: Verdict
    cost: float
    reasons: list[Reason]
    link: str = ""
    command: str = ""

    @property
    def mine(self) -> str:
        return describe(self.position, self.position.move, self.position.held)

    @property
    def better(self) -> str:
        """The best place found in words."""
        return describe(self.position, self.verdict.move, self.verdict.held)


@dataclass
class Finesse:
    """One Tetrimino's finesse: how many were counted, how many took too many presses, and the presses in vain."""

    piece: int
    counted: int = 0
    faults: int = 0
    wasted: int = 0


@dataclass
class Side:
    """The review of one player.

    name: "" in a game alone.  costs: of each placement, in holes.  moments: the worst, by their cost.  examples: by
    its kind the worst fault of each kind that no moment shows.
    """

    name: str
    number: int
    positions: list[Position]
    verdicts: list[Verdict]
    costs: list[float] = field(init=False)
    moments: list[Moment] = field(init=False)
    examples: dict[str, Moment] = field(default_factory=dict)
    finesse: list[Finesse] = field(init=False)

    def __post_init__(self) -> None:
        self.costs = [
            verdict.loss + KEY_COST * position.wasted
            for position, verdict in zip(self.positions, self.verdicts, strict=True)
        ]
        order = sorted(range(len(self.costs)), key=lambda at: (-self.costs[at], at))
        found = [self._make_moment(at) for at in order if self.costs[at] >= _LEAST_COST or self.verdicts[at].let_go]
        self.moments = [moment for moment in found[:MOST_MOMENTS] if moment.cost >= _LEAST_COST]
        self._find_examples(found)
        self.finesse = [Finesse(piece) for piece in range(1, 8)]
        for position in self.positions:
            if position.fewest >= 0:
                kind = self.finesse[position.move.piece - 1]
                kind.counted += 1
                kind.faults += position.wasted > 0
                kind.wasted += position.wasted

    def _make_moment(self, at: int) -> Moment:
        position, verdict = self.positions[at], self.verdicts[at]
        return Moment(position, verdict, self.costs[at], explain(position, verdict))

    def _find_examples(self, found: list[Moment]) -> None:
        """Of each kind of fault take the one for which this reason costs most, if no moment shows it."""
        for kind in EXAMPLES:
            costs = [sum(reason.cost for reason in moment.reasons if reason.kind == kind) for moment in found]
            if any(costs):
                worst = found[costs.index(max(costs))]
                if worst not in self.shown:
                    self.examples[kind] = worst

    @property
    def shown(self) -> list[Moment]:
        """All placements that a review explains: the moments, then the examples."""
        return [*self.moments, *self.examples.values()]

    @property
    def mean_loss(self) -> float:
        """The mean loss of a placement, in holes."""
        return sum(verdict.loss for verdict in self.verdicts) / max(1, len(self.verdicts))

    @property
    def without_loss(self) -> int:
        """How many placements cost nothing."""
        return sum(verdict.loss == 0 for verdict in self.verdicts)


def as_json(sides: list[Side], file: str) -> dict[str, Any]:
    """Return a review for programs; losses and costs are in holes, times in ms, columns and rows from 0."""
    return {"file": file, "unit": "holes", "key_cost": KEY_COST, "players": [_side_as_json(side) for side in sides]}


def _side_as_json(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "pieces": len(side.positions),
        "mean_loss": round(side.mean_loss, 3),
        "without_loss": side.without_loss,
        "placements": [
            {
                "number": position.number,
                "round": position.round,
                "at_ms": position.at_ms,
                "loss": round(verdict.loss, 3),
                "cost": round(cost, 3),
                "chosen": _place(position.move, position.held),
                "best": _place(verdict.move, verdict.held),
                "presses": position.presses,
                "fewest": position.fewest if position.fewest >= 0 else None,
            }
            for position, verdict, cost in zip(side.positions, side.verdicts, side.costs, strict=True)
        ],
        "moments": [_moment_as_json(moment) for moment in side.moments],
        "examples": {kind: _moment_as_json(moment) for kind, moment in side.examples.items()},
        "finesse": {
            LETTERS[kind.piece]: {"counted": kind.counted, "faults": kind.faults, "wasted": kind.wasted}
            for kind in side.finesse
        },
    }


def _moment_as_json(moment: Moment) -> dict[str, Any]:
    return {
        "number": moment.position.number,
        "round": moment.position.round,
        "at_ms": moment.position.at_ms,
        "cost": round(moment.cost, 3),
        "reasons": [reason._asdict() | {"cost": round(reason.cost, 3)} for reason in moment.reasons],
        "link": moment.link,
        "command": moment.command,
    }


def _place(move: Move, held: bool) -> dict[str, Any]:
    return {"piece": LETTERS[move.piece], "hold": held, "spin": move.spin, "cells": sorted(map(list, move.cells()))}
