"""firmware/match agrees with tests/references/match_reference.py on random matches in random time slices.

Match number N is the same everywhere: rules, Blocks at the start and edges all come from N.
`play(N)` replays it.
"""

import random
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, ROTATE_CCW, ROTATE_CW
from firmware.engine.options import Options
from firmware.match.fields import FIELDS
from firmware.match.match import Match
from firmware.match.options import MatchOptions
from tests.references.match_reference import MatchReference
from tests.support.drill import Order

CHUNK = 100
CHUNKS = 3
LONG_CHUNKS = 20

# Plans that clear many lines: the order of Tetriminos, the presses, and the open columns of the rows.
PLANS = (
    *[("I", (ROTATE_CW, HARD_DROP), (5,))] * 2,
    ("O", (HARD_DROP,), (4, 5)),
    ("OI", (HARD_DROP,), (3, 4, 5, 6)),
    ("IJL", (ROTATE_CCW, HARD_DROP), (4,)),
    ("IJLOSTZ", (HARD_DROP, LEFT, HARD_DROP, HOLD), (4, 5)),
)


def choose_rules(chance: random.Random) -> dict[str, int]:
    rules = {name: default for name, _least, _most, default in FIELDS}
    players = rules["players"] = chance.choice((2, 2, 3, 4))
    if chance.random() < 0.4:
        rules["teams"] = chance.randrange(1, (1 << players) - 1)
    rules |= {"target": chance.randrange(3), "solid": chance.random() < 0.1}
    rules |= {"starting": chance.choice((0, 0, 0, 3, 10)), "starting_solid": chance.random() < 0.2}
    rules |= {"quicken_s": chance.choice((0, 1, 2, 30)), "aim": chance.choice((0, 0, 0, 0, 2, 5))}
    return rules | {"handicaps": chance.choice((0, 0, 0b1001, 0b0110_0100))}


def choose_options(chance: random.Random) -> Options:
    options = Options()
    options.level = chance.choice((1, 5, 15))
    options.generation_ms = chance.choice((0, 1, 50, 200))
    options.animate_ms = chance.choice((0, 0, 1, 300))
    options.lock_rule = chance.randrange(3)
    options.das_ms = chance.choice((1, 100, 300))
    return options


def build_rows(chance: random.Random, open_columns: tuple[int, ...]) -> list[bytes]:
    """Return rows with these columns open, and sometimes with one more hole."""
    rows = []
    for _ in range(chance.randint(2, 16)):
        row = bytearray(8 * (x not in open_columns) for x in range(10))
        if chance.random() < 0.1:
            row[chance.randrange(10)] = 0
        rows.append(bytes(row))
    return rows


def choose_edges(chance: random.Random, plans: list[tuple[int, ...]]) -> list[tuple[int, int, int, int]]:
    """Return (time, player, control, pressed): mostly each player's plan, repeated."""
    edges, t_ms = [], 0
    pace_ms = chance.choice((20, 60, 200))
    done = [0 for _ in plans]
    for _ in range(chance.randint(20, 120)):
        t_ms += chance.choice((0, 1, chance.randint(0, pace_ms)))
        player = chance.randrange(len(plans))
        control = plans[player][done[player] % len(plans[player])]
        done[player] += 1
        if chance.random() < 0.1:
            control = chance.randrange(8)
        edges.append((t_ms, player, control, 1))
        if chance.random() < 0.7:
            edges.append((t_ms, player, control, 0))
    return edges


def state_of(match: Match) -> dict[str, Any]:
    for seat in match.seats:
        seat.arrive(match.time_ms if seat.out_ms < 0 else seat.out_ms)
    return {
        "time_ms": match.time_ms,
        "rows": [[bytes(row) for row in seat.game.matrix.rows] for seat in match.seats],
        "scores": [(s.game.score, s.game.level, s.game.lines, s.game.lock_downs) for s in match.seats],
        "waiting": [seat.queued for seat in match.seats],
        "sent": [seat.sent for seat in match.seats],
        "rose": [seat.received for seat in match.seats],
        "outs": [seat.out_ms for seat in match.seats],
        "ends and winner": (match.ends_ms, match.winner),
        "marks": [seat.mark for seat in match.seats],
    }


def play(number: int) -> dict[str, Any]:
    """Play one match in engine and reference; return its state."""
    chance = random.Random(f"skyline match {number}")
    rules = choose_rules(chance)
    choices = [choose_options(chance) for _ in range(rules["players"])]
    options = MatchOptions()
    for name, value in rules.items():
        setattr(options, name, int(value))
    seed = chance.randrange(1 << 30)
    match = Match(seed, options, choices)
    reference = MatchReference(seed, rules, choices)
    plans: list[tuple[int, ...]] = []
    for player in range(rules["players"]):
        order, plan, open_columns = chance.choice(PLANS)
        plans.append(plan)
        rows = build_rows(chance, open_columns) if chance.random() < 0.8 else []
        for game in (match.seats[player].game, reference.games[player]):
            game.dealer = Order(order)
            for i in range(6):
                game.next[i] = game.dealer.deal()
            for y, row in enumerate(rows):
                game.matrix.set_row(y, row)
            game.generate()
    now_ms = 0
    edges = choose_edges(chance, plans)
    for t_ms, player, control, pressed in edges:
        while chance.random() < 0.3:
            now_ms = chance.randint(now_ms, t_ms)
            match.advance(now_ms)
        now_ms = t_ms
        match.input(player, control, pressed, t_ms)
        reference.input(player, control, pressed, t_ms)
    for end_ms in (now_ms + chance.randint(0, 3000), now_ms + 20_000):
        match.advance(end_ms)
        reference.advance(end_ms)
        state, expected = state_of(match), reference.state()
        for name in expected:
            assert state[name] == expected[name], f"match {number}: {name}"
    assert match.over == reference.over()
    return state


@pytest.mark.parametrize(
    "chunk", [*range(CHUNKS), *(pytest.param(chunk, marks=pytest.mark.long) for chunk in range(CHUNKS, LONG_CHUNKS))]
)
def test_match_agrees_with_the_reference(chunk: int) -> None:
    states = [play(number) for number in range(chunk * CHUNK, (chunk + 1) * CHUNK)]
    assert sum(sum(state["sent"]) for state in states) > CHUNK
    assert sum(sum(state["rose"]) for state in states) > CHUNK
    assert sum(state["ends and winner"][1] >= 0 for state in states) > CHUNK // 2
