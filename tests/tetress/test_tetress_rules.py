"""The rules of Tetress: a test for each rule and each figure of the specification; a slow reference agrees."""

import random

import pytest

from firmware.tetress import game as rules
from firmware.tetress.game import ACTIONS, BLUE_WON, DRAWN, LONGEST, RED_WON, SIZE, Game
from tests.tetress.tetress_positions import BLOCKED, board, legal, position
from tests.tetress.tetress_reference import TETROMINOES, Reference, is_tetromino
from tools.tetress import tables
from tools.tetress.notation import cells_of, parse_action

EVERY = [frozenset(cells_of(action)) for action in range(ACTIONS)]
OPENING = ("(6,3), (7,2), (7,3), (7,4)", "(2,7), (2,8), (3,7), (3,8)")
LAST = "(4,3), (4,4), (5,3), (5,4)"  # in BLOCKED: leaves no four connected empty cells, as in figure 7


def play(game: Game, cells: str) -> int:
    return game.play(parse_action(f"PLACE[{cells}]"))


@pytest.fixture
def opened() -> Game:
    """A game after the actions of figure 4."""
    game = Game()
    assert [play(game, cells) for cells in OPENING] == [0, 0]
    return game


class TestTetrominoes:
    def test_there_are_19_fixed_tetrominoes_with_seven_names(self) -> None:
        assert len(tables.shapes()) == 19 and tables.starts() == bytes((0, 2, 3, 7, 11, 15, 17, 19))

    def test_every_action_is_a_tetromino_and_every_tetromino_an_action(self) -> None:
        """The reference grows its shapes from single cells; ours come from rotated drawings."""
        grown = {
            frozenset(((r + row) % SIZE, (c + column) % SIZE) for row, column in shape)
            for shape in TETROMINOES
            for r in range(SIZE)
            for c in range(SIZE)
        }
        assert len(grown) == 19 * 121 == ACTIONS and set(EVERY) == grown and all(is_tetromino(cells) for cells in EVERY)

    @pytest.mark.parametrize("shape", range(19))
    def test_each_shape_fits_everywhere_on_the_empty_torus(self, shape: int) -> None:
        """All 121 places, also across one edge and both edges, for the first action of each player."""
        for cell in range(121):
            action = shape * 121 + cell
            game = Game()
            assert game.found[shape * 6 + cell // 22] >> cell % 22 & 1 and game.play(action) == 0
            assert all(game.token(r, c) == 1 for r, c in EVERY[action]) and game.count(0) == 4
            free = {other for other in range(ACTIONS) if EVERY[other].isdisjoint(EVERY[action])}
            if cell % 12 == shape % 12:  # about ten of the places, each with all 2299 answers
                assert set(legal(game)) == free

    @pytest.mark.parametrize("shape", range(19))
    def test_a_shape_fits_and_touches_by_each_of_its_cells_at_every_place(self, shape: int) -> None:
        """It is legal in a full board with a hole of this shape beside one own token, but not with a smaller hole."""
        for cell in range(121):
            action = shape * 121 + cell
            hole = EVERY[action]
            nears = [near for r, c in sorted(hole) for near in ((r, (c + 1) % SIZE), ((r + 1) % SIZE, c))]
            beside = next(near for near in nears if near not in hole)
            game = filled_but(hole, beside)
            assert legal(game) == [action]
            for taken in hole:
                assert legal(filled_but(hole - {taken}, beside)) == []
            assert legal(filled_but(hole, None)) == []


def filled_but(hole: frozenset[tuple[int, int]], own: tuple[int, int] | None) -> Game:
    """Return a game with Red to move and Blue's tokens everywhere except in a hole and on one cell of Red."""
    game = Game()
    game.tokens[1][:] = [(1 << SIZE) - 1] * SIZE
    for r, c in [*hole, own] if own else hole:
        game.tokens[1][r] ^= 1 << c
    if own:
        game.tokens[0][own[0]] |= 1 << own[1]
    game.played = 2
    game.find()
    return game


class TestActions:
    def test_figure_4_two_opening_actions(self, opened: Game) -> None:
        reds = {(r, c) for r in range(SIZE) for c in range(SIZE) if opened.token(r, c) == 1}
        assert reds == {(6, 3), (7, 2), (7, 3), (7, 4)} and opened.played == 2

    @pytest.mark.parametrize(
        "cells", ["(6,4), (6,5), (7,5), (7,6)", "(8,1), (8,2), (9,2), (9,3)", "(6,10), (6,0), (7,0), (7,1)"]
    )
    def test_figure_5_ways_to_play_a_z(self, opened: Game, cells: str) -> None:
        action = parse_action(f"PLACE[{cells}]")
        assert tables.NAMES[sum(action // 121 >= start for start in tables.starts()) - 1] == "Z"
        assert action in legal(opened) and opened.play(action) == 0

    def test_condition_2_all_four_cells_are_unoccupied(self) -> None:
        game = Game()
        assert play(game, OPENING[0]) == 0
        assert play(game, "(7,4), (7,5), (7,6), (7,7)") == rules.OCCUPIED and game.played == 1

    @pytest.mark.parametrize(
        ("cells", "answer"),
        [("(4,7), (4,8), (5,7), (5,8)", rules.APART), ("(8,2), (8,3), (9,2), (9,3)", 0)]
        + [("(8,5), (8,6), (9,5), (9,6)", rules.APART)],  # a diagonal is not adjacent
    )
    def test_condition_3_a_cell_is_adjacent_to_its_colour(self, opened: Game, cells: str, answer: int) -> None:
        assert play(opened, cells) == answer

    def test_the_first_action_of_each_player_needs_no_token(self) -> None:
        game = Game()
        assert len(legal(game)) == ACTIONS
        assert play(game, "(0,0), (0,1), (1,0), (1,1)") == play(game, "(5,5), (5,6), (6,5), (6,6)") == 0

    def test_a_player_without_tokens_has_no_second_first_action(self) -> None:
        assert legal(position("BBB........")) == []


DARK = "...........\n"


@pytest.mark.parametrize(
    ("before", "cells", "after", "lines"),
    [
        ("RRRRBBBB...\nR..........", "(0,8), (0,9), (0,10), (1,10)", DARK + "R.........R\n", 1),
        ("..........R\n" + DARK * 4 + "..........B\n" * 6, "(1,10), (2,10), (3,10), (4,10)", "", 1),
        (
            "..BR.....R.\n" + "..BR.......\n" * 4 + "R....BBBRRR\n" + "..RB.......\n" * 5,  # figure 6b
            "(5,1), (5,2), (5,3), (5,4)",
            ".........R.\n",
            3,
        ),
        (
            "..BBBBBBRR.\nR..........\n" + DARK * 8 + "R..........\n",
            "(0,10), (0,0), (0,1), (1,1)",
            DARK + "RR.........\n" + DARK * 8 + "R..........\n",
            1,
        ),
    ],
    ids=["row", "column", "both", "across the edge"],
)
def test_full_lines_are_removed_together(before: str, cells: str, after: str, lines: int) -> None:
    game = position(before)
    assert play(game, cells) == 0 and board(game) == board(position(after)) and game.lines == lines


class TestEnd:
    def test_figure_7_a_player_who_cannot_place_loses(self) -> None:
        game = position(BLOCKED, 3)
        assert play(game, LAST) == 0 and game.over == BLUE_WON and game.is_blocked()
        assert game.play(0) == rules.TOO_LATE

    def test_150th_action_ends_by_tokens_even_if_the_next_player_is_blocked(self) -> None:
        """A blocked player loses on their turn, but after 150 actions there is no further turn."""
        game = position(BLOCKED, LONGEST - 1)
        assert play(game, LAST) == 0 and game.over == RED_WON and not game.is_blocked()

    @pytest.mark.parametrize(
        ("red", "over", "played"),
        [(7, RED_WON, LONGEST - 1), (5, BLUE_WON, LONGEST - 1), (6, DRAWN, LONGEST - 1), (5, 0, LONGEST - 3)],
    )
    def test_after_150_actions_more_tokens_win(self, red: int, over: int, played: int) -> None:
        game = position(DARK * 5 + "R" * red + "." * (11 - red) + "\n" + "BB.........\n", played)
        assert play(game, "(6,2), (6,3), (7,2), (7,3)") == 0 and game.over == over and not game.is_blocked()


def agree(seed: int) -> None:
    """Play a random game with both engines and compare all legal actions, the board and the outcome."""
    choice = random.Random(seed)
    game, reference = Game(), Reference()
    while not game.over:
        actions = legal(game)
        assert actions == sorted(set(actions))
        assert {EVERY[action] for action in actions} == reference.legal(), (seed, game.played)
        action = choice.choice(actions)
        assert game.play(action) == 0
        reference.play(EVERY[action])
        tokens = {(r, c): game.token(r, c) for r in range(SIZE) for c in range(SIZE)}
        assert {cell for cell, token in tokens.items() if token == 1} == reference.red
        assert {cell for cell, token in tokens.items() if token == 2} == reference.blue
        assert bool(game.over) == bool(reference.winner)
    assert {RED_WON: "red", BLUE_WON: "blue", DRAWN: "draw"}[game.over] == reference.winner


class TestReference:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        "seeds", [range(4), *(pytest.param(range(i, i + 100), marks=pytest.mark.long) for i in range(0, 2000, 100))]
    )
    def test_reference_agrees(self, seeds: range) -> None:
        for seed in seeds:
            agree(seed)

    def test_find_fault_accepts_exactly_the_listed_actions(self) -> None:
        choice = random.Random(5)
        game = Game()
        while not game.over:
            actions = legal(game)
            assert [action for action in range(ACTIONS) if game.find_fault(action) == 0] == actions
            game.play(choice.choice(actions))

    def test_taking_back_restores_the_game(self) -> None:
        choice = random.Random(8)
        game = Game()
        boards = [board(game)]
        while not game.over:
            game.play(choice.choice(legal(game)))
            boards.append(board(game))
        while game.played:
            count = min(choice.randrange(1, 4), game.played)
            game.take_back(count)
            assert not game.over and board(game) == boards[game.played]
