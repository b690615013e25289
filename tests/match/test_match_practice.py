"""Practice of a player who is out of the round, and its hints."""

from firmware.view.minos import CELLS
from tests.support.handhelds.arcade import DOWN, HOLD, LEFT, RIGHT, START, TOWER, UP, A, Arcade, B, set_matrix

RIVALS_END = 8 * 22  # bytes of a picture with the rivals, which are drawn over several frames


def redraw(arcade: Arcade) -> bytes:
    arcade.scene.view.reset()
    for _ in range(40):
        arcade.scene.draw()
    arcade.display.show()
    return arcade.picture()


def begin_practice(lock_downs: int = 0) -> Arcade:
    arcade = Arcade(OPPONENTS=1)
    arcade.play_until_out()
    arcade.step(16, 10)
    for _ in range(lock_downs):
        arcade.follow(LEFT, UP, frames=30)
    return arcade


def ask_for_hint(arcade: Arcade) -> None:
    arcade.tap_together(HOLD, START)
    arcade.wait_until(lambda: arcade.scene.adviser.mark.piece)


def test_a_player_who_is_out_sees_and_plays_practice() -> None:
    arcade = begin_practice()
    assert arcade.scene.view.practised and arcade.scene.shown is arcade.match.seats[0].practice
    arcade.compare("practice")
    before = arcade.picture()
    arcade.tap(LEFT)
    assert arcade.picture() != before


def test_movement_under_practice_leaves_no_stray_pixels() -> None:
    arcade = Arcade(OPPONENTS=1)
    arcade.play_until_out()
    for _ in range(12):
        arcade.follow(UP, frames=40)
    arcade.step(16, 90)
    arcade.clock.now_ms -= 16
    kept = arcade.picture()
    assert redraw(arcade) == kept


def test_a_restarted_practice_reuses_its_game_with_an_empty_matrix() -> None:
    arcade = begin_practice()
    seat = arcade.match.seats[0]
    game = seat.practice
    while seat.practised == 1:
        arcade.follow(UP, frames=10)
    arcade.step(16, 40)
    assert seat.practice is game and game.matrix.top == 0 and arcade.scene.view.practised == 2
    kept = arcade.picture()
    assert redraw(arcade) == kept


def test_hold_at_the_place_of_generation_leaves_no_stray_pixels() -> None:
    arcade = begin_practice()
    game = arcade.scene.shown
    while {1, 4} & set(game.next[:2]):  # I and O begin elsewhere
        arcade.follow(UP, frames=30)
    for y in range(16):
        game.matrix.set_row(y, b"\x08" * 9 + b"\0")  # the Ghost Piece lies under the word
    redraw(arcade)
    was = game.next[0]
    arcade.tap(UP)
    arcade.wait_until(lambda: game.piece == was)

    arcade.tap(HOLD)
    arcade.wait_until(lambda: game.hold == was)  # half of a chord waits for the other
    arcade.step(0, 40)

    kept = arcade.picture()
    assert redraw(arcade) == kept


def test_in_practice_hold_with_start_asks_for_a_hint() -> None:
    arcade = begin_practice(2)
    game = arcade.scene.shown
    mark = [seat.mark for seat in arcade.match.seats]
    ask_for_hint(arcade)
    shown, hint = arcade.scene.adviser.mark, arcade.scene.adviser.hint
    assert shown.piece == (game.hold or game.next[0] if hint.from_hold else game.piece)
    arcade.step(16, 10)
    arcade.compare("hint")
    assert mark == [seat.mark for seat in arcade.match.seats] and arcade.scene.is_playing()
    arcade.follow(UP)
    assert not arcade.scene.adviser.mark.piece, "a Hard Drop removes the hint"


def test_a_hint_shows_a_free_place_on_the_floor_or_on_blocks() -> None:
    arcade = begin_practice()
    game = arcade.scene.shown
    ask_for_hint(arcade)
    mark = arcade.scene.adviser.mark
    minos = CELLS[16 * mark.piece + 4 * mark.facing - 16 :][:4]
    cells = [(mark.x + (mino & 3), mark.y + (mino >> 2 & 3)) for mino in minos]
    assert all(0 <= x < 10 and y >= 0 and not game.matrix.rows[y][x] for x, y in cells)
    assert any(y == 0 or game.matrix.rows[y - 1][x] for x, y in cells)


def test_movement_under_a_hint_leaves_no_stray_pixels() -> None:
    arcade = begin_practice(3)
    ask_for_hint(arcade)
    for button in (LEFT, A, RIGHT, RIGHT, B):
        arcade.tap(button)
    arcade.step(16, 40)
    assert arcade.scene.adviser.mark.piece
    arcade.clock.now_ms -= 16
    kept = arcade.picture()
    assert redraw(arcade)[RIVALS_END:] == kept[RIVALS_END:]


def test_the_pause_of_practice_offers_a_hint() -> None:
    arcade = begin_practice()
    arcade.follow(START, frames=3)  # half of a chord waits for the other
    arcade.compare("pause_practice")
    arcade.tap(DOWN, A)
    arcade.wait_until(arcade.scene.is_playing)
    assert arcade.scene.adviser.is_asked
    arcade.step(16, 60)
    assert arcade.scene.adviser.mark.piece


def test_the_next_round_has_no_hint() -> None:
    arcade = Arcade(OPPONENTS=1, WINS=2, LEVELS=0)
    arcade.play_until_out()
    set_matrix(arcade.match, 1, TOWER)
    arcade.step(16, 10)
    assert arcade.scene.adviser
    arcade.finish_round()
    arcade.step(16, 80)
    arcade.follow(A)
    assert arcade.match.round == 1 and not arcade.scene.adviser and not arcade.scene.view.mark
    arcade.tap(START)
    assert not arcade.scene.is_playing() and b"HINT" not in arcade.scene.cover.lines
