"""Rotation systems beside SRS: firmware/modes/README.md, 19."""

import random
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.mode import Mode
from firmware.engine.options import HALF_TURNS, Options
from firmware.modes.catalogue import DAILY, MARATHON, SPRINT, find, make_mode
from firmware.modes.classes import OTHER, find_class
from firmware.modes.kicks import ARIKA, NONE, SRS_PLUS
from firmware.modes.rules import find_rules
from firmware.modes.slow import STILL
from firmware.players.reachable import Reachable
from sim.bots.places import cells_of
from tests.support import kept
from tests.support.drill import CODES, Drill, choose
from tests.support.running import loads

VECTORS = Path(__file__).parents[1] / "vectors" / "kicks.txt"
SYSTEMS = {"SRS+": SRS_PLUS, "ARS": ARIKA, "NONE": NONE}
CASES = [line.split(" | ") for line in VECTORS.read_text("utf-8").splitlines() if not line.startswith("#")]


def make(order: str, kicks: int, art: str = "", **options: int) -> Drill:
    return Drill(order=order, art=art, mode=make_mode(MARATHON), kicks=kicks, **options)


def find_cells(game: Any) -> list[int]:
    return sorted(row * 10 + column for column, row in cells_of(game.piece, game.facing, game.x, game.y))


def answer(kicks: int, asked: str) -> str:
    """Return what a game answers to a line of tools/kicks/__main__.py."""
    letter, facing, turn, *numbers = asked.split()
    options = choose(Options(), kicks=kicks, modern=HALF_TURNS)
    game: Any = find_rules(Mode(), options)(1, options, Mode())
    for y, row in enumerate(map(int, numbers[8:])):
        game.matrix.set_row(y, bytes(8 if row >> x & 1 else 0 for x in range(10)))
    wanted = sorted(int(numbers[i + 1]) * 10 + int(numbers[i]) for i in range(0, 8, 2))
    piece = CODES.index(letter)
    places = [(x, y) for x in range(-3, 10) for y in range(-3, 24)]
    for x, y in places:
        if game.place(piece, x, y, int(facing)) and find_cells(game) == wanted:
            break
    turned = game.turn_half() if turn == "2" else game.turn(int(turn))
    return " ".join(map(str, find_cells(game))) if turned else "-"


@pytest.mark.no_cover
@pytest.mark.parametrize("name", SYSTEMS)
def test_19_a_game_turns_as_a_foreign_engine_does(name: str) -> None:
    cases = [case for case in CASES if case[0].startswith(name + " ")]
    assert len(cases) == 120
    assert [(asked, answer(SYSTEMS[name], asked)) for _engine, asked, _told in cases] == [
        (asked, told) for _engine, asked, told in cases
    ]


def test_19_a_game_by_srs_loads_no_other_system() -> None:
    script = "from firmware.modes.rules import find_rules; from firmware.engine.options import Options\n"
    script += "from firmware.engine.mode import Mode; find_rules(Mode(), Options())"
    assert not loads(script, "firmware.modes.kicks")


@pytest.mark.parametrize("letter", "JLSTZ")
def test_19_4_by_ars_they_enter_with_the_flat_side_up(letter: str) -> None:
    drill = make(letter, ARIKA)
    assert drill.game.facing == 2 and {cell // 10 for cell in find_cells(drill.game)} == {19, 20}


@pytest.mark.parametrize("letter", "IO")
def test_19_4_i_and_o_enter_as_always(letter: str) -> None:
    assert find_cells(make(letter, ARIKA).game) == find_cells(make(letter, 0).game)


def test_19_3_right_comes_before_left() -> None:
    """An S lies on the floor, and a Block is where its upper end would turn to."""
    game = make("S", ARIKA, "....#.....\n..........\n..........").game
    game.place(5, 4, 0, 2)
    assert game.turn(1) and find_cells(game) == [6, 15, 16, 25]


def test_19_3_the_middle_column_bars_a_kick() -> None:
    game = make("J", ARIKA, "..........\n....#.....\n..........\n..........").game
    game.place(2, 3, 0, 2)
    assert not game.turn(1)


def test_19_5_none_never_moves_a_tetrimino_aside() -> None:
    game = make("T", NONE).game
    game.place(6, -1, 3, 1)
    assert not game.turn(1)


def test_19_6_only_srs_plus_has_turns_by_180_degrees() -> None:
    turned = []
    for kicks in (0, SRS_PLUS, ARIKA, NONE):
        game: Any = make("T", kicks, modern=HALF_TURNS).game
        turned.append(bool(game.turn_half()))
    assert turned == [True, True, False, False]


@pytest.mark.parametrize("kicks", [SRS_PLUS, ARIKA, NONE])
def test_19_7_the_game_has_class_6(kicks: int) -> None:
    assert find_class(choose(Options(), kicks=kicks), find(SPRINT)) == OTHER


def walk(game: Any) -> set[int]:
    """Return all states that shifts and turns of a game lead to, without a fall, as Reachable numbers them."""
    begun = (game.x, game.y, game.facing)
    left, seen = [begun], {begun}
    while left:
        x, y, facing = left.pop()
        for move, argument in ((game.shift, -1), (game.shift, 1), (game.turn, 0), (game.turn, 1)):
            game.place(game.piece, x, y, facing)
            move(argument)
            state = (game.x, game.y, game.facing)
            if state not in seen:
                seen.add(state)
                left.append(state)
    return {facing << 9 | x + 3 << 5 | y + 3 for x, y, facing in seen}


@pytest.mark.parametrize("slow", [0, STILL])
@pytest.mark.parametrize("kicks", [0, SRS_PLUS, ARIKA, NONE])
def test_19_6_a_switch_finds_the_places_that_its_game_reaches(kicks: int, slow: int) -> None:
    walked = []
    for letter in "IOTSZJL":
        for seed in range(5):
            game: Any = make(letter, kicks, slow=slow).game
            chance = random.Random(seed)
            taken = find_cells(game)
            for y in range(17, 23):
                row = [chance.random() < 0.3 and y * 10 + x not in taken for x in range(10)]
                game.matrix.set_row(y, bytes(8 * block for block in row))
            game.place(game.piece, game.x, game.y, game.facing)
            reach = Reachable()
            reach.begin(game, False)
            reach.search(1000)
            found = set(reach.state[: reach.states])
            assert found == walk(game)
            walked.append(len(found))
    assert max(walked) > 20


def test_19_a_daily_recording_with_the_option_turns_by_srs() -> None:
    game = kept.start_game(20261122, DAILY, choose(Options(), kicks=NONE))
    game.place(6, -1, 3, 1)
    assert game.turn(1)
