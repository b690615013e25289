"""Tetress on the handheld by its buttons alone: the menu, the board, the ends of games, and saves."""

import random
from typing import Any

import pytest

from firmware.engine import events
from firmware.save.journal import BOARD_GAME, Journal
from firmware.tetress.game import Game
from firmware.tetress.record import AGAIN, HEAD, PLAYERS, WISH, is_whole, pack, start_record, undo
from tests.support.call_depth import Depth, is_short
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, HOLD, LEFT, RIGHT, START, UP, A, B
from tests.tetress.tetress_positions import BLOCKED, by_chance, legal, position
from tools.tetress.notation import cells_of, parse_action

PERSONS = start_record(0, 0, 7)
SECOND = (RIGHT, RIGHT, RIGHT, DOWN, DOWN, A)
LAST = "PLACE[(4,3), (4,4), (5,3), (5,4)]"


class Table(Handheld):
    def __init__(self, name: str = "tetress.play", subject: object = None, store: RamStore | None = None) -> None:
        self.store = store or RamStore(4096)
        if name == "tetress.play" and subject is None:
            subject = bytearray(PERSONS)
        super().__init__(store=[self.store], first=name, recording=subject)
        self.heard: list[int] = []
        voice: Any = self.voice
        tell = voice.tell

        def hear(happened: int, now_ms: int) -> None:
            self.heard.append(happened)
            tell(happened, now_ms)

        voice.tell = hear

    def compare(self, name: str) -> None:
        super().compare(f"tetress_{name}")

    def lay(self, game: Game, action: str, played: bool = True) -> None:
        """Copy another game's tokens and number of actions to the board, then play an action."""
        mine = self.scene.game
        for colour in (0, 1):
            mine.tokens[colour][:] = game.tokens[colour]
        if played:
            mine.played = game.played
        mine.find()
        self.scene.play(parse_action(action))

    def finish(self, frames: int = 4000) -> None:
        while not self.scene.game.over:
            frames -= 1
            assert frames, "the game does not end"
            self.step(100)

    def kept_actions(self) -> float:
        return (len(Journal([self.store]).read(BOARD_GAME)) - HEAD) / 2


def after(seed: int, actions: int, head: bytearray = PERSONS) -> bytearray:
    return pack(by_chance(seed, actions), head)


class TestBoard:
    @pytest.fixture
    def table(self) -> Table:
        return Table()

    def test_a_game_begins_with_a_piece_in_the_middle(self, table: Table) -> None:
        table.compare("begin")

    def test_the_board_shows_both_players_the_last_action_and_wraps(self) -> None:
        table = Table(subject=after(3, 21))
        table.compare("middle")
        table.tap(*[UP] * 5, *[LEFT] * 5)
        table.compare("wrapped")  # the edges are repeated faintly
        cells = cells_of(table.scene.action())
        assert ({r for r, _ in cells} == {0, 1} or 10 in {r for r, _ in cells}) and {0, 10} <= {c for _, c in cells}

    def test_eleven_steps_lead_round_the_torus(self, table: Table) -> None:
        at = table.scene.action()
        for button in (LEFT, UP, RIGHT, DOWN):
            table.tap(*[button] * 11)
            assert table.scene.action() == at

    def test_a_held_button_repeats(self, table: Table) -> None:
        table.move(RIGHT, 1)
        assert table.scene.column == 6
        table.step(280)
        table.step(90)
        assert table.scene.column == 8
        table.move(RIGHT, 0)
        table.step(500)
        assert table.scene.column == 8

    def test_hold_changes_the_piece_and_b_rotates_it(self, table: Table) -> None:
        seen = set()
        for _ in range(7):
            for _ in range(4):
                seen.add(table.scene.shape)
                table.tap(B)
            table.tap(HOLD)
        assert seen == set(range(19))

    @pytest.mark.parametrize(("moves", "name"), [((), "taken"), ((UP,) * 4, "apart")])
    def test_a_places_the_piece_or_shows_why_not(self, table: Table, moves: tuple[int, ...], name: str) -> None:
        table.tap(A)
        assert table.scene.game.played == 1
        table.tap(*SECOND)
        assert table.scene.game.played == 2
        table.compare("second")
        table.tap(*moves)
        table.heard.clear()
        table.tap(A)
        assert table.scene.game.played == 2 and table.heard == [events.ROTATE_FAILED]
        table.compare(name)

    def test_a_line_sounds_like_a_single(self, table: Table) -> None:
        table.tap(A, *SECOND)
        game = position("RRRRBBBB...\n" + "...........\n" * 9 + "...BB......")
        table.lay(game, "PLACE[(0,8), (0,9), (0,10), (1,10)]", played=False)
        assert table.heard[-1] == events.SINGLE
        table.step()
        assert table.scene.game.count(0) == 1

    @pytest.mark.parametrize(
        ("game", "action", "name"),
        [(position(BLOCKED, played), LAST, name) for played, name in ((3, "blocked"), (149, "tokens"))]
        + [(position("BB.........\nRRRRRR.....", 149), "PLACE[(10,0), (10,1), (9,0), (9,1)]", "draw")],
    )
    def test_the_end_shows_the_winner_and_the_reason(self, table: Table, game: Game, action: str, name: str) -> None:
        if name != "draw":
            table.tap(A)
        table.lay(game, action)
        assert table.heard[-1] == events.GAME_OVER
        table.step()
        table.compare(name)
        assert table.follow(A) == "tetress.play", "a late press skips no result"
        table.step(frames=63)
        assert table.follow(A) == "tetress.menu"

    @pytest.mark.parametrize("seed", [1, 2])
    def test_drawing_changes_gives_the_same_picture_as_drawing_all(self, seed: int) -> None:
        choice = random.Random(seed)
        table = Table(subject=after(seed, 8))
        for _ in range(60):
            table.tap(*choice.choices((LEFT, RIGHT, UP, DOWN, B, HOLD, A), k=8))
            if table.scene.game.over:
                break
            changed = table.picture()
            table.scene.view.reset()
            table.scene.panel.reset()
            table.canvas.clear()
            table.scene.fresh = True
            assert table.step(0) == changed
        assert table.scene.game.played > 9


class TestComputer:
    def test_the_computer_answers_a_person(self) -> None:
        table = Table(subject=start_record(0, 2, 7))
        table.tap(A)
        assert table.scene.thinking
        table.step(100, 10)
        assert table.scene.game.played == 2 and not table.scene.thinking

    def test_frames_go_on_while_the_computer_thinks(self) -> None:
        table = Table(subject=start_record(4, 0, 7))
        clock, computer = table.clock, table.scene.computer

        def think(positions: int) -> bool:
            clock.now_ms += 7  # as on a board
            return type(computer).think(computer, positions)

        computer.think = think
        frames = 0
        while table.scene.thinking:
            begun_ms = clock.now_ms
            table.step(0)
            assert clock.now_ms - begun_ms <= 30
            frames += 1
            if frames == 160:
                table.compare("thinking")
        assert frames > 300 and table.scene.game.played == 1

    def test_buttons_do_nothing_while_the_computer_thinks(self) -> None:
        table = Table(subject=start_record(4, 0, 7))
        table.scene.computer.think = lambda positions: False
        at = table.scene.action()
        table.tap(LEFT, A, B, HOLD)
        assert table.scene.action() == at and table.follow(START) == "tetress.menu"

    def test_a_restored_game_of_computers_continues_as_before(self) -> None:
        table = Table(subject=start_record(2, 1, 7))
        table.finish()
        whole = pack(table.scene.game, start_record(2, 1, 7))
        half = bytearray(whole[: HEAD + 20])
        again = Table(subject=half)
        again.finish()
        assert pack(again.scene.game, half) == whole

    def test_screen_stays_on_for_the_computer_and_sleeps_for_idle_people(self) -> None:
        table = Table(subject=start_record(1, 1, 7))
        assert table.scene.is_playing()
        table.finish()
        assert not table.scene.is_playing() and not Table().scene.is_playing()
        table = Table("tetress.menu", after(3, 21))
        table.follow(DOWN, DOWN, DOWN, A)
        assert table.scene.is_playing()


@pytest.mark.parametrize(("players", "frames"), [((0, 0), 150), ((4, 3), 60), ((0, 2), 150)])
def test_chains_of_calls_are_short(players: tuple[int, int], frames: int) -> None:
    """Also when a save has to make room."""
    table = Table(subject=start_record(*players, 7))
    depth = Depth()
    depth.of(table, frames, ms=100)
    assert table.scene.game.played > 1
    while table.journal.room > 12:
        table.journal.append(1, 1)
    depth.of(table, frames // 2, ms=100)
    table.scene.saved = -1
    table.press(START)
    depth.of(table, 3, mash=False)
    assert table.name == "tetress.menu"
    assert is_short(depth.longest), depth.longest


class TestMenu:
    def test_who_plays_is_chosen_for_each_colour(self) -> None:
        table = Table("tetress.menu")
        table.compare("menu")
        table.tap(DOWN, RIGHT, DOWN, RIGHT, A)
        table.compare("menu_players")
        table.follow(UP, UP, A)
        assert bytes(table.scene.head[PLAYERS : PLAYERS + 2]) == bytes((1, 4))

    def test_start_opens_the_menu_and_a_returns_to_the_same_game(self) -> None:
        record = after(3, 21)
        table = Table(subject=record)
        table.follow(START)
        table.compare("menu_in_game")
        table.follow(A)
        assert pack(table.scene.game, record) == record

    def test_a_hint_shows_a_piece_at_a_legal_place(self) -> None:
        table = Table(subject=after(3, 21))
        table.follow(START)
        table.tap(DOWN, A)
        table.step(16, 60)
        assert not table.scene.thinking and table.scene.game.find_fault(table.scene.action()) == 0
        table.tap(A)
        assert table.scene.game.played == 22

    def test_point_moves_the_piece_to_an_action(self) -> None:
        table = Table(subject=after(3, 21))
        for action in legal(table.scene.game):
            table.scene.point(action)
            assert table.scene.action() == action

    @pytest.mark.parametrize(("actions", "head", "left"), [(21, PERSONS, 20), (20, start_record(0, 2, 7), 18)])
    def test_undo_takes_a_computers_answer_back_and_saves_it(self, actions: int, head: bytearray, left: int) -> None:
        table = Table("tetress.menu", after(3, actions, head))
        table.follow(DOWN, DOWN, A)
        assert table.scene.game.played == left
        table.follow(START)
        assert table.kept_actions() == left

    def test_replay_shows_all_actions_one_by_one(self) -> None:
        record = after(3, 21)
        table = Table("tetress.menu", bytearray(record))
        table.follow(DOWN, DOWN, DOWN, A)
        seen = [table.scene.game.played]
        for _ in range(200):
            table.step(100)
            seen.append(table.scene.game.played)
        assert seen[0] == 0 and set(seen) == set(range(22)) and pack(table.scene.game, record) == record
        table.tap(A)

    def test_leaving_a_replay_keeps_the_whole_game(self) -> None:
        record = after(3, 21)
        table = Table("tetress.menu", bytearray(record))
        table.tap(DOWN, DOWN, DOWN, A)
        table.step(100, 20)
        table.follow(START)
        assert len(table.scene.record) == len(record)

    def test_b_returns_to_the_menu_line_of_tetress(self) -> None:
        table = Table("tetress.menu")
        assert (table.follow(B), table.scene.lines[table.scene.at]) == ("menus.more_modes", b"TETRESS")
        assert table.follow(A) == "tetress.menu"


class TestSaves:
    def test_a_left_game_survives_power_off(self) -> None:
        table = Table()
        table.follow(A, *SECOND, START)
        again = Table("tetress.menu", store=table.store)
        assert again.scene.lines[0] == b"RESUME"
        again.follow(A)
        assert again.scene.game.played == 2

    def test_a_new_game_without_an_action_does_not_replace_the_save(self) -> None:
        table = Table("tetress.menu", after(3, 21))
        table.follow(A)
        table.follow(START)
        table.follow(DOWN, DOWN, DOWN, DOWN, A)
        assert table.scene.game.played == 0
        table.follow(START)
        assert table.kept_actions() == 21

    def test_a_game_in_progress_is_saved_repeatedly(self) -> None:
        table = Table(subject=start_record(1, 1, 7))
        while table.scene.game.played < 8:
            table.step(100)
        assert table.kept_actions() >= 6

    def test_a_whole_game_fits_a_record(self) -> None:
        assert len(Journal([RamStore(4096)]).payload) >= HEAD + 2 * 150

    @pytest.mark.parametrize(
        "damage",
        [lambda record: record[:-1], lambda record: record[:3], lambda record: bytearray(b"\x02") + record[1:]]
        + [lambda record: record[:1] + b"\x05" + record[2:], lambda record: record + b"\xff\xff"]
        + [lambda record: record + bytes(400)],
    )
    def test_damaged_records_are_not_restored(self, damage: Any) -> None:
        record = after(3, 21)
        assert is_whole(record) and not is_whole(damage(record))

    def test_a_record_is_restored_up_to_its_first_illegal_action(self) -> None:
        record = after(3, 21)
        record[HEAD + 20 : HEAD + 22] = record[HEAD + 18 : HEAD + 20]
        assert Table(subject=record).scene.game.played == 10

    def test_undo_without_actions_changes_nothing(self) -> None:
        assert undo(PERSONS) == PERSONS

    def test_the_wish_is_not_saved(self) -> None:
        record = after(3, 21)
        record[WISH] = AGAIN
        assert pack(Game(), record)[WISH] == 0
