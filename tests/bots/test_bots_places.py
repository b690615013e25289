"""Places of bots, the steps to them, and undo, compared with a search through `Game.input`."""

import random
from pathlib import Path

import pytest

import tools.bots
from firmware.engine import controls
from firmware.engine.extra_rules import ALL, STUCK, ExtraRulesGame
from firmware.engine.game import Game
from firmware.engine.options import HALF_TURNS, INFINITE, Options
from firmware.modes.marathon import Marathon
from sim.bots.host import straighten
from sim.bots.places import Place, Places, Step, play_steps
from sim.bots.snapshot import restore, snapshot
from tests.support.drill import choose, state

O, T = 4, 6  # noqa: E741 - Tetriminos
Cells = frozenset[tuple[int, int]]
HALF_TURN = -1
PRESSES = (controls.LEFT, controls.RIGHT, controls.ROTATE_CW, controls.ROTATE_CCW)


def begin(seed: int, **rules: int) -> Game:
    options = choose(Options(), lock_rule=INFINITE, **rules)
    game = (ExtraRulesGame if rules else Game)(seed, options, Marathon())
    game.start(0)
    game.advance(0)
    return game


def make_position(seed: int, **rules: int) -> Game:
    """Return a game with a random Matrix and a random Tetrimino somewhere above or within it."""
    chance, game = random.Random(seed), begin(seed, **rules)
    height = chance.choice((0, 4, 8, 12, 16, 19))
    full = chance.choice((0.5, 0.7, 0.9))
    for y in range(height):
        row = [8 * (chance.random() < full) for _ in range(10)]
        row[chance.randrange(10)] = 0
        game.matrix.set_row(y, bytes(row))
    game.enter(chance.randint(1, 7))
    for _ in range(chance.randrange(6)):
        fall(game) if chance.random() < 0.5 else tap(game, chance.choice(PRESSES))
    return game


def tap(game: Game, button: int) -> None:
    buttons = (controls.ROTATE_CW, controls.ROTATE_CCW) if button == HALF_TURN else (button,)
    for pressed in (1, 0):
        for each in buttons:
            game.input(each, pressed, game.now_ms)
    if isinstance(game, ExtraRulesGame):
        game.turned_ms = -1  # what comes next is not in this millisecond


def fall(game: Game) -> None:
    game.input(controls.SOFT_DROP, 1, game.now_ms)
    row = game.y
    while not game.rests() and game.y == row:
        game.advance(game.now_ms + max(1, -(-game.fall_us // 1000)))
    game.input(controls.SOFT_DROP, 0, game.now_ms)


def cells(game: Game) -> Cells:
    masks = (game.a, game.b, game.c, game.d)
    return frozenset((bit - 3, game.y + row) for row, mask in enumerate(masks) for bit in range(16) if mask >> bit & 1)


def search(game: Game, presses_tried: tuple[int, ...] = PRESSES) -> dict[tuple[Cells, int], int]:
    """Return the fewest presses to each resting place and spin, found by trying all buttons everywhere."""
    seen = set()
    found: dict[tuple[Cells, int], int] = {}
    now, presses = [snapshot(game)], 0
    while now:
        later = []
        while now:
            here = now.pop()
            restore(game, here)
            key = (game.facing, game.x, game.y, game.turned_last, game.point_5_used)
            if key in seen:
                continue
            seen.add(key)
            if game.rests():
                found.setdefault((cells(game), game.spin()), presses)
            else:
                fall(game)
                now.append(snapshot(game))
            for button in presses_tried:
                restore(game, here)
                tap(game, button)
                later.append(snapshot(game))
        now, presses = later, presses + 1
    return found


def cells_of(game: Game, place: Place) -> Cells:
    before = snapshot(game)
    game.place(game.piece, place.x, place.y, place.facing)
    found = cells(game)
    restore(game, before)
    return found


def check_places(seed: int, **rules: int) -> int:
    """Compare all places; return how many of another piece than T are a spin."""
    game = make_position(seed, **rules)
    if not game.piece:
        return 0
    here = snapshot(game)
    expected = search(game)
    restore(game, here)
    places = Places(game, spins=game.options.spins)
    assert {(cells_of(game, place), place.spin): place.presses for place in places} == expected
    assert len(places) == len(expected)
    for place in places:
        there = cells_of(game, place)
        steps = places.steps(place)
        assert len(steps) == place.presses + 1
        play_steps(game, steps)
        assert game.lock_downs == 1 and game.spun == place.spin and all(game.matrix.rows[y][x] for x, y in there)
        restore(game, here)
    return sum(place.spin > 0 for place in places if game.piece != T)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(24), pytest.param(range(2_000), marks=pytest.mark.long)])
@pytest.mark.parametrize("rules", [{}, {"spins": STUCK}, {"spins": ALL}, {"modern": HALF_TURNS}], ids=str)
def test_23_places_and_steps_equal_those_that_buttons_reach(rules: dict[str, int], seeds: range) -> None:
    """By the rules of each game. With half turns two quarter turns in a row need two milliseconds (5.2)."""
    found = sum(check_places(seed, **rules) for seed in seeds)
    assert found > 2 if rules == {"spins": ALL} else found == 0


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(12), pytest.param(range(1_000), marks=pytest.mark.long)])
def test_places_with_half_turns_equal_those_that_buttons_reach(seeds: range) -> None:
    for seed in seeds:
        game = make_position(seed, modern=HALF_TURNS)
        if game.piece:
            here = snapshot(game)
            expected = search(game, (*PRESSES, HALF_TURN))
            restore(game, here)
            found = {(cells_of(game, place), place.spin): place.presses for place in Places(game, True)}
            assert found == expected, seed


def test_no_steps_lead_through_half_turns() -> None:
    places = Places(begin(1), half_turns=True)
    with pytest.raises(ValueError, match="cannot be reached"):
        places.steps(next(iter(places)))


def test_places_without_a_tetrimino_in_play_raise_value_error() -> None:
    with pytest.raises(ValueError, match="no Tetrimino"):
        Places(Game(1))


def test_steps_to_an_unreachable_place_raise_value_error() -> None:
    places = Places(make_position(1))
    with pytest.raises(ValueError, match="cannot be reached"):
        places.steps(Place(0, 0, 30, 0, 0))


def enter_shaft(level: int) -> tuple[Game, list[Step]]:
    game = begin(1)
    game.level = level
    for y in range(7):  # a shaft two columns wide, with a cave beside it in rows 2 and 3
        game.matrix.set_row(y, bytes(2) + bytes([0 if y in (2, 3) else 8] * 7) + b"\x08")
    game.enter(O)
    places = Places(game)
    return game, places.steps(next(place for place in places if place.y == 1 and place.x > 3))


def test_no_soft_drop_is_used_if_it_is_too_fast_to_stop_at_a_row() -> None:
    for level, soft in ((1, True), (12, True), (13, False), (15, False)):
        game, steps = enter_shaft(level)
        assert (controls.SOFT_DROP in [button for button, *_ in play_steps(game, steps)]) == soft
        assert game.lock_downs == 1 and game.matrix.rows[3][2:9].count(0) == 5


def test_a_way_under_an_overhang_is_refused_if_gravity_is_too_fast() -> None:
    game, steps = enter_shaft(20)
    with pytest.raises(ValueError, match="at level 20 it falls too fast to stop at row 1"):
        play_steps(game, steps)


def test_straighten_needs_no_fall_if_a_hard_drop_leads_to_the_place() -> None:
    """A rotation at the floor saves a press but costs twenty rows of Soft Drop."""
    game = begin(1)
    here = snapshot(game)
    kicked = 0
    for piece in range(1, 8):
        game.enter(piece)
        places = Places(game)
        there = snapshot(game)
        for place in places:
            steps = places.steps(place)
            kicked += any(step.rows for step in steps)
            straight = straighten(game, steps, place)
            assert not any(step.rows for step in straight)
            cells = cells_of(game, place)
            assert len(play_steps(game, straight)) == 2 * len(straight)
            assert all(game.matrix.rows[y][x] for x, y in cells)
            restore(game, there)
        restore(game, here)
    assert kicked


def test_restore_brings_back_the_whole_game() -> None:
    """Lines, bag, garbage, score, queues, statistics: everything that `state` compares."""
    chance = random.Random(5)
    game = Game(7, None, Marathon())
    game.start(0)
    t_ms = 0
    kept = []
    for _ in range(300):
        t_ms += chance.randrange(200)
        game.input(chance.randrange(7), chance.randrange(2), t_ms)
        if chance.random() < 0.05:
            kept.append((snapshot(game), state(game), [bytes(row) for row in game.matrix.rows]))
    assert len(kept) > 5 and game.lock_downs > 10
    for taken, seen, rows in reversed(kept):
        restore(game, taken)
        assert state(game) == seen and [bytes(row) for row in game.matrix.rows] == rows


def test_a_restored_game_plays_on_as_before() -> None:
    def play_on(game: Game) -> dict[str, object]:
        chance = random.Random(3)
        t_ms = game.now_ms
        for _ in range(200):
            t_ms += chance.randrange(300)
            game.input(chance.randrange(7), chance.randrange(2), t_ms)
        return state(game)

    game = Game(3, None, Marathon())
    game.start(0)
    game.advance(500)
    taken = snapshot(game)
    first = play_on(game)
    restore(game, taken)
    assert play_on(game) == first


def test_the_program_in_the_readme_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(tools.bots.__file__).parent / "README.md").read_text(encoding="utf-8")
    program = text.split("```python\n")[1].split("```")[0]
    exec(compile(program, "README.md", "exec"), {})
    assert capsys.readouterr().out.endswith(" points\n")
