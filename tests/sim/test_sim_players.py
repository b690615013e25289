"""Several persons at handhelds side by side, in one match: `python -m sim --players N`."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pygame
import pytest
from pygame import K_DOWN, K_ESCAPE, K_LEFT, K_RETURN, K_RIGHT, K_SPACE, K_UP, K_a, K_d, K_g, K_l

from firmware.engine.controls import LEFT, PAUSE, RIGHT, ROTATE_CW
from firmware.engine.options import Options
from firmware.match.match import Match
from firmware.save import match_revival, match_suspended
from firmware.save.journal import MATCH, SETTINGS, Journal
from firmware.save.match_choices import WINS, make_options, unpack
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.settings import Settings
from firmware.scenes.play_state import OVER, PAUSED, PLAYING
from firmware.view.art import FONT_3X5
from firmware.view.canvas import Canvas, centre
from sim import board_screens, cli
from sim.bots.rival import LiveRival
from sim.clock import VirtualClock
from sim.contacts import Contacts
from sim.desktop import legend_rows, opening, playing
from sim.desktop.gamepad import Gamepads
from sim.desktop.keyboard import ALONE, LEFT_HALF, RESTART, RIGHT_HALF, TOGETHER, Keyboard, Keys
from sim.desktop.named_keys import name_keys, put_keys
from sim.desktop.session import Session
from sim.desktop.window import Window
from sim.store import open_stores
from tests.support.golden import compare
from tests.support.handhelds.bot_processes import TBP
from tests.support.pc_keys import key_event
from tests.support.polling import poll_untimed

pytestmark = pytest.mark.usefixtures("no_screen")
Step = int | tuple[int, ...] | Callable[[], object] | None  # keys to tap, or a function to call
Plan = dict[int, Step]


class Table:
    """The command line's own window and session, with a plan of key presses by frame."""

    def __init__(self) -> None:
        self.session: Any = None
        self.window: Any = None
        self.frame = 0
        self.plan: Plan = {}

    @property
    def scene(self) -> Any:
        return self.session.app.router.scene

    @property
    def name(self) -> str:
        return self.session.app.router.name

    @property
    def match(self) -> Any:
        return self.scene.match

    def pictures(self) -> list[bytes]:
        return [oled.display.picture for oled in self.window.oleds]

    def post(self, kind: int, **how: int) -> None:
        pygame.event.post(pygame.event.Event(kind, **how))

    def do(self, step: Step) -> None:
        if callable(step):
            step()
        elif step:
            for key in (step,) if isinstance(step, int) else step:
                for kind in (pygame.KEYDOWN, pygame.KEYUP):
                    pygame.event.post(key_event(kind, key))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    table = Table()

    class Clock(VirtualClock):
        """Without waiting, but the window is pumped as by the real clock."""

        idle: Any = None

        def wait_until(self, t_ms: int) -> None:
            super().wait_until(t_ms)
            if table.frame in table.plan:
                table.do(table.plan.pop(table.frame))
            table.frame += 1
            if self.idle:
                self.idle()

    class Opened(Window):
        closed_in_time = False

        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            pygame.event.clear()
            table.window = self

        def close(self) -> None:
            super().close()
            self.closed_in_time = pygame.display.get_init()

    class Begun(Session):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            table.session = self

    monkeypatch.setattr(playing, "RealClock", Clock)
    monkeypatch.setattr(opening, "Session", Begun)
    monkeypatch.setattr("sim.desktop.window.Window", Opened)
    return table


TWO = "--players 2 --seed 4"
READY_FRAMES = 90  # a match begins after them


def run(table: Table, plan: Plan, *arguments: object) -> None:
    """Run the simulator by a plan, and close the window two frames after its last step.

    An argument that begins with -- may hold several words.
    """
    plan = {READY_FRAMES + frame: step for frame, step in plan.items()}
    table.plan = {**plan, max(plan) + 2: lambda: table.post(pygame.QUIT)}
    words = [word for one in map(str, arguments) for word in (one.split() if one.startswith("--") else [one])]
    assert cli.main(["--mute", *words]) == 0 and not table.plan


def read_levels(match: Match) -> list[int]:
    return [match.options.level_of(i) for i in range(match.options.players)]


def test_no_key_of_several_persons_restarts_the_match() -> None:
    assert set(LEFT_HALF.values()) == set(RIGHT_HALF.values()) == set(ALONE.values()) - {RESTART}


def test_two_sets_of_keys_reach_two_seats(table: Table) -> None:
    seen = []

    def look() -> None:
        seen.append([seat.game.x for seat in table.match.seats])

    run(table, {60: look, 61: (K_a, K_RIGHT), 65: look}, TWO)
    before, after = seen
    assert after == [before[0] - 1, before[1] + 1] and table.match.options.who == 0


def test_each_screen_shows_the_matrix_of_its_own_person(table: Table) -> None:
    """The two persons drop the first Tetrimino at different places."""
    run(table, {60: (K_a, K_a, K_SPACE), 61: K_UP, 110: None}, TWO)
    left, right = (one[8 * 123 : 8 * 126] for one in table.pictures())
    assert left != right and any(any(half) for half in (left, right))
    own = table.session.app.context.canvas
    assert table.window.oleds[0].display.canvas is own is not table.window.oleds[1].display.canvas


def test_both_screens_differ_only_in_names_after_equal_presses(table: Table) -> None:
    run(table, {60: (K_SPACE, K_UP), 160: None}, TWO)
    left, right = table.pictures()
    assert left[8 * 28 :] == right[8 * 28 :]
    assert left != right, "the rival is another one"


def test_match_goes_on_as_if_nobody_watched_it(table: Table, tmp_path: Path) -> None:
    """The recording plays back to the same match."""
    path = tmp_path / "match.sky"
    taps = {at: (K_SPACE if at % 20 else K_UP, K_d) for at in range(60, 240, 10)}
    run(table, {**taps, 258: None}, "--players 3 --seed 9 --record", path)
    played = table.match
    player = MatchPlayer(MatchRecording(path.read_bytes()))
    player.advance(played.time_ms)
    assert player.match.options.players == 3 and player.match.options.who == 0
    for seat, again in zip(played.seats, player.match.seats, strict=True):
        assert again.game.matrix.rows == seat.game.matrix.rows
        assert (again.game.x, again.game.score) == (seat.game.x, seat.game.score)
    assert cli.main(["--headless", "--play", str(path)]) == 0


@pytest.mark.parametrize("count", [2, 3, 4])
def test_the_window_has_a_screen_for_each_person(table: Table, count: int) -> None:
    run(table, {30: None}, "--players", count, "--seed 1")
    assert len(table.window.oleds) == len(table.match.seats) == len(table.scene.persons) == count
    panels = [oled.panel for oled in table.window.oleds]
    assert all(left.right < right.left for left, right in pairwise(panels))


def test_window_is_closed_before_sdl_ends(table: Table) -> None:
    """The garbage collector could close it later, together with a new window in the same place."""
    run(table, {0: None}, "--players 2 --seed 1")
    assert table.window.closed_in_time


def test_anyones_pause_covers_every_matrix_and_anyone_can_resume(table: Table) -> None:
    def look() -> None:
        assert table.scene.state == PAUSED
        left, right = table.pictures()
        assert left[: 8 * 100] == right[: 8 * 100], "only the hint differs"

    def count() -> None:
        assert table.scene.cover.word == "2"
        left, right = table.pictures()
        assert left != right, "each its own Matrix"

    run(table, {60: K_RETURN, 64: look, 66: K_l, 100: count, 164: None}, TWO)
    assert table.scene.state == PLAYING
    left, right = table.pictures()
    assert left != right


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (b"A NEXT  B MENU", b"G NEXT  F MENU", b"L NEXT  K MENU"),
        (b"A PLAY    S SEED", b"G PLAY F1 SEED", b"L PLAY ENT SEED"),
        (b"START: DONE", b"F1: DONE", b"ENTER: DONE"),
        (b"OR PRESS START", b"OR PRESS F1", b"OR PRESS ENTER"),
        (b"< RIVAL > B BACK", b"A RIVAL D F BACK", b"< RIVAL > K BACK"),
        (b"< 1/5 >  B BACK", b"A 1/5 D  F BACK", b"< 1/5 >  K BACK"),
        (b">", b"D", b">"),
        (b"UP DOWN: CHANGE", b"W S: CHANGE", b"UP DOWN: CHANGE"),
        (b"A PLACE  B TURN", b"G PLACE  F TURN", b"L PLACE  K TURN"),
        (b"HOLD NEXT PIECE", b"R NEXT PIECE", b"O NEXT PIECE"),
        (b"KEEP A OR B DOWN", b"KEEP G OR F DOWN", b"KEEP L OR K DOWN"),
        (b"PIECES. A: SET IT", b"PIECES. G: SET IT", b"PIECES. L: SET IT"),
        (b"A RESUME", b"G RESUME", b"L RESUME"),
        (b"< UNDO", b"A UNDO", b"< UNDO"),
        (b"> SHOW ME", b"D SHOW ME", b"> SHOW ME"),
        (b"DOWN HINTS", b"S HINTS", b"DOWN HINTS"),
        (b"UP RETRY. IN", b"W RETRY. IN", b"UP RETRY. IN"),
        (b"PLAY: START WITH", b"PLAY: F1 WITH", b"PLAY: ENTER WITH"),
        (b"THE NEXT A ROW", b"THE NEXT A ROW", b"THE NEXT A ROW"),
        (b"UP DOWN SPEED", b"W S SPEED", b"UP DOWN SPEED"),
        (b"C OTHER SIDE", b"R OTHER SIDE", b"O OTHER SIDE"),
        (b"A NEW BEST", b"A NEW BEST", b"A NEW BEST"),
        (b"START", b"START", b"START"),
    ],
)
def test_a_hint_names_the_keys_of_each_person(text: bytes, first: bytes, second: bytes) -> None:
    assert [put_keys(text, name_keys(Keys(TOGETHER[:3]), number)) for number in range(3)] == [first, second, text]


def read_hints(table: Table) -> list[list[bytes]]:
    """Return the hints on each screen, with that person's keys, in the order of the firmware."""
    canvases: list[Any] = [oled.display.canvas for oled in table.window.oleds]
    return [[put_keys(codes, canvas.keys) for codes, _font in canvas.hints.values()] for canvas in canvases]


def test_a_mirrored_menu_names_the_keys_of_its_own_person(table: Table) -> None:
    run(table, {60: K_RETURN, 80: None}, TWO)
    assert read_hints(table) == [[b"OR PRESS F1"], [b"OR PRESS ENTER"]]
    for number, oled in enumerate(table.window.oleds, 1):
        compare(oled.display.canvas, f"players_pause_{number}")


DROPS = dict.fromkeys(range(60, 1560, 60), K_SPACE)  # until the first person is out


@pytest.mark.slow
def test_each_screen_shows_its_persons_result_and_keys(table: Table) -> None:
    run(table, {**DROPS, 1600: None}, TWO)
    assert table.scene.state == OVER and table.match.winner == 1
    assert table.scene.view.message == "YOU LOSE A_NEXT"
    left, right = table.pictures()
    assert left != right and read_hints(table) == [[b"G NEXT"], [b"L NEXT"]]
    compare(table.window.oleds[1].display.canvas, "players_round_won")


@pytest.mark.slow
def test_a_second_round_removes_the_result_from_every_screen(table: Table) -> None:
    def ask_for_two_rounds() -> None:
        table.match.options.wins = 2

    run(table, {30: ask_for_two_rounds, **DROPS, 1700: K_g, 1760: None}, TWO)
    assert table.match.round == 1
    left, right = table.pictures()
    assert left[8 * 28 : 8 * 120] == right[8 * 28 : 8 * 120], "nobody has pressed anything yet"


def test_every_screen_names_the_winner_of_a_match(table: Table) -> None:
    run(table, {**DROPS, 1700: K_g, 1720: None}, TWO)
    assert table.name == "match.over"
    expected = Canvas()
    centre(expected, 3, b"PLAYER 2 WINS", FONT_3X5)
    own = table.session.app.context.canvas
    assert own.buffer[1 : 1 + 8 * 10] == expected.buffer[1 : 1 + 8 * 10]
    left, right = table.pictures()
    assert left[: 8 * 111] == right[: 8 * 111], "only the hints differ"


def test_the_match_menu_comes_first_if_no_game_is_requested(table: Table, tmp_path: Path) -> None:
    names = []

    def look() -> None:
        names.append(table.name)
        left, right = table.pictures()
        assert (left == right) == (len(names) == 1)

    run(table, {10: look, 20: K_g, 120: K_UP, 180: look}, "--players 2 --folder", tmp_path)
    assert names == ["match.menu", "match.play"]


def test_lost_focus_releases_everybodys_keys_and_pauses(table: Table) -> None:
    def lose() -> None:
        for key in (K_LEFT, K_d):
            pygame.event.post(key_event(pygame.KEYDOWN, key))
        table.post(pygame.WINDOWFOCUSLOST)

    run(table, {60: lose, 64: None}, TWO)
    assert table.scene.state == PAUSED and [seat.game.pressed for seat in table.match.seats] == [0, 0]


def test_lost_focus_pauses_in_ready_too(table: Table) -> None:
    run(table, {10 - READY_FRAMES: lambda: table.post(pygame.WINDOWFOCUSLOST), READY_FRAMES: None}, TWO)
    assert table.scene.state == PAUSED and table.match.time_ms == 0


def test_players_without_keys_get_the_first_gamepads() -> None:
    people = [Contacts() for _ in range(4)]
    gamepads = Gamepads(people[2], more=[people[3], people[0], people[1]])
    assert [people.index(gamepads.owner(pad)) for pad in (7, 3, 8, 1, 5)] == [2, 3, 0, 1, 2]
    gamepads.move_button(3, "dpleft", True, 5)
    assert [poll_untimed(one) for one in people] == [[], [], [], [(LEFT, 1)]]
    gamepads.remove(3, 6)
    assert poll_untimed(people[3]) == [(LEFT, 0)]
    assert people.index(gamepads.owner(9)) == 3, "a new gamepad goes to the person without one"


def test_everybody_can_use_menus_and_no_button_stays_held() -> None:
    people = [Contacts(), Contacts()]
    keyboard = Keyboard(*people)
    gamepads = Gamepads(people[0], more=people[1:], menus=people[0])
    people[0].at_menu = True
    gamepads.owner(0)
    gamepads.move_button(1, "a", True, 1)
    keyboard.press("ArrowRight", 1)
    people[0].at_menu = False
    gamepads.move_button(1, "a", False, 2)
    keyboard.release("ArrowRight", 2)
    assert poll_untimed(people[0]) == [(ROTATE_CW, 1), (RIGHT, 1), (ROTATE_CW, 0), (RIGHT, 0)]
    keyboard.press("Enter", 3)
    keyboard.press("KeyZ", 3)
    assert [poll_untimed(one) for one in people] == [[], [(PAUSE, 1)]]


def test_the_legend_names_each_persons_keys() -> None:
    rows = legend_rows.list_for_party(Keys(TOGETHER[:3]), [(2, "Pad"), (0, "Stick")], {"a": ROTATE_CW})
    headings = [what for what, keys in rows if not keys]
    assert headings[:3] == ["player 1 and Stick", "player 2", "player 3 and Pad"]
    controls = dict(legend_rows.IN_PLAY)
    for number, half in enumerate((LEFT_HALF, RIGHT_HALF)):
        first = rows.index((headings[number], ())) + 1
        shown = rows[first : first + len(controls) - 1]
        assert [what for what, _keys in shown] == list(controls)[:-1]
        assert all(half[key] in controls[what] for what, keys in shown for key in keys)
    assert ("player 4: plug in a gamepad", ()) in legend_rows.list_for_party(Keys(TOGETHER), [], {})


def test_the_legend_names_the_buttons_of_a_board() -> None:
    rows = legend_rows.list_on_board("Sprig", board_screens.find("hack_club_sprig").buttons)
    assert rows == [
        ("Sprig", ()),
        ("move", ["A", "D"]),
        ("Soft Drop", ["S"]),
        ("Hard Drop", ["W"]),
        ("turn clockwise", ["L"]),
        ("turn back", ["J"]),
        ("Hold", ["I"]),
        ("START: pause", ["K"]),
    ]
    macropad = legend_rows.list_on_board("MacroPad", board_screens.find("adafruit_macropad_rp2040").buttons)
    assert macropad[-1] == ("target, 180, rewind", ["KEY3"])


def test_persons_and_computers_play_one_match(table: Table) -> None:
    """Persons have the first seats; each computer has its level."""
    run(table, {400: None}, "--players 2 --computers 5 1 --seed 4")
    assert read_levels(table.match) == [0, 0, 5, 1] and len(table.window.oleds) == 2
    assert bytes(table.scene.persons) == b"\x00\x01"
    assert [player and player.level for player in table.scene.players] == [None, None, 5, 1]
    assert table.match.seats[2].game.lock_downs > 2


def test_the_menu_does_not_offer_players_chosen_by_options(table: Table, tmp_path: Path) -> None:
    run(table, {10: None}, "--players 2 --computers 4 --folder", tmp_path)
    assert table.name == "match.menu"
    assert table.scene.lines == [b"START", b"RIVAL", b"RULES...", b"SCORES"] and table.scene.value(1) == b"FOX"


def test_a_bot_plays_beside_persons(table: Table) -> None:
    """The bot has the last seat and no screen; the persons' screens name it."""
    run(table, {30: None}, "--players 2 --computers 3 --versus", f"{TBP} --level 4", "--pace 90 --seed 4")
    assert read_levels(table.match) == [0, 0, 3, 0] and len(table.window.oleds) == len(table.scene.persons) == 2
    assert isinstance(table.scene.players[3], LiveRival) and table.scene.players[3].pace_ms == 90
    assert table.scene.view.names[3] == b"SKYLINE FOX"


def test_a_match_with_a_bot_begins_at_its_menu_and_is_not_saved(table: Table, tmp_path: Path) -> None:
    def look() -> None:
        assert table.name == "match.menu" and not table.session.app.context.journal.failed

    plan: Plan = {10: look, 11: K_a, 60: K_ESCAPE, 78: None}
    run(table, plan, "--versus", f"{TBP} --level 4", "--folder", tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_bag_of_seven_deals_to_a_bot_whatever_the_settings_say(table: Table, tmp_path: Path) -> None:
    """The host tells a bot the bag of seven."""
    settings = Settings()
    settings.deal = 4
    journal = Journal(list(open_stores(tmp_path)))
    assert journal.save(SETTINGS, settings.pack(journal.payload))
    found: list[int] = []
    plan: Plan = {10: lambda: found.append(table.session.app.context.settings.deal), 12: None}
    run(table, plan, "--versus", f"{TBP} --level 4", "--folder", tmp_path)
    assert found == [0]
    settings.restore(Journal(list(open_stores(tmp_path))).read(SETTINGS))
    assert settings.deal == 4


def test_headless_computers_play_a_match_to_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, png = tmp_path / "match.sky", tmp_path / "match.png"
    command = ["--headless", "--computers", "1", "4", "--seed", "7", "--trace"]
    assert cli.main([*command, "--record", str(path), "--screenshot", str(png)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("round ") and lines[-1].endswith("won by team 2")
    player = MatchPlayer(MatchRecording(path.read_bytes()))
    assert player.match.options.who == 0x41 and png.exists()
    assert cli.main(["--headless", "--play", str(path), "--trace"]) == 0
    assert capsys.readouterr().out.splitlines() == lines


class TestSuspendedMatch:
    """A match was left and is suspended in the folder of the saves."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        return tmp_path / "save"

    def suspend(self, folder: Path, *levels: int) -> bytes:
        """Save a match of players of these levels; return its record."""
        journal = Journal(list(open_stores(folder)))
        options = make_options(unpack(0), bytes(levels))
        assert match_suspended.suspend(Match(5, options, [Options() for _ in levels]), journal)
        return bytes(journal.read(MATCH))

    @pytest.mark.parametrize(
        ("left", "asked", "seats"),
        [
            ((0, 0), ["--computers", "3"], [0, 3]),
            ((0, 0), ["--players", "3"], [0, 0, 0]),
            ((0, 5), ["--players", "2", "--computers", "5"], [0, 0, 5]),
            ((0, 4), ["--computers", "3"], [0, 3]),
            ((0, 0), ["--versus", TBP], [0, 0]),
        ],
        ids=str,
    )
    def test_the_requested_match_begins_and_the_suspended_one_stays(
        self, table: Table, folder: Path, capsys: Any, left: tuple[int, ...], asked: list[str], seats: list[int]
    ) -> None:
        record = self.suspend(folder, *left)

        def look() -> None:
            assert read_levels(table.match) == seats and table.match.first_seed != 5
            assert len(table.window.oleds) == len(table.scene.persons)

        run(table, {5: K_RETURN, 60: look, 90: K_ESCAPE, 100: None}, "--folder", folder, *asked)
        assert table.scene.state == PAUSED
        journal = Journal(list(open_stores(folder)))
        assert bytes(journal.read(MATCH)) == record
        kept = match_revival.restore(journal)
        assert kept and read_levels(kept) == list(left)
        assert capsys.readouterr().err.startswith("sim: your unfinished game stays saved")

    def test_a_suspended_match_of_the_same_players_can_be_resumed(self, table: Table, folder: Path) -> None:
        self.suspend(folder, 0, 0, 2)
        names: list[str] = []
        looks: Plan = {20: lambda: names.append(table.name), 40: lambda: names.append(str(table.match.first_seed))}
        run(table, {5: K_RETURN, 21: K_RETURN, **looks}, "--folder", folder, "--players 2 --computers 2")
        assert names == ["menus.continue_or_new", "5"] and not table.session.sets_aside

    def test_a_paused_match_resumes_while_another_one_stays_suspended(self, table: Table, folder: Path) -> None:
        record = self.suspend(folder, 0, 0)
        found: list[Any] = []
        plan: Plan = {5: K_RETURN, 90: K_ESCAPE, 100: K_DOWN, 104: K_DOWN, 108: K_RETURN}
        plan |= {60: lambda: found.append(table.match)}
        plan |= {130: lambda: found.append(table.session.app.session.suspended)}
        run(table, plan, "--folder", folder, "--computers 3")
        assert found[0] is found[1] and bytes(Journal(list(open_stores(folder))).read(MATCH)) == record

    def test_settings_are_saved_while_a_match_stays_suspended(self, table: Table, folder: Path) -> None:

        self.suspend(folder, 0, 0)
        keys = (K_DOWN, K_DOWN, K_a, K_DOWN, K_DOWN, K_RIGHT)
        plan = {5 + 4 * i: key for i, key in enumerate(keys)} | {60: K_ESCAPE, 66: K_ESCAPE}
        run(table, {**plan, 78: None}, "--folder", folder, "--computers 3")
        settings = Settings()
        settings.restore(Journal(list(open_stores(folder))).read(SETTINGS))
        assert unpack(settings.versus)[WINS] == 1 + unpack(Settings().versus)[WINS]
