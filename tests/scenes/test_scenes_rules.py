"""OPTIONS > RULES and VERSUS > RULES > LINE: show, keep, load and delete a line of rules, by buttons alone."""

import io
from collections.abc import Callable
from typing import Any

import pytest
import zxingcpp
from PIL import Image

from firmware.engine.game import Game
from firmware.modes.catalogue import MARATHON, SPRINT
from firmware.save import kept_rules, match_choices, rules, rules_line
from firmware.save.match_choices import WINS
from firmware.save.recordings.recording import Recording
from firmware.scenes.rules import line_words
from firmware.view.canvas import WIDTH
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import VERSUS, Handheld
from tests.support.handhelds.menus import DOWN, LEFT, RIGHT, START, UP, A, B
from tests.support.recorded import RECORDINGS

SPRINT_100 = [2, 2, 3, 1, 0, 2, 2, 8, 100]  # next_count 3, hold_on 0, lock_rule 2, aim 100
SPRINT_LINE = "SKY1-22310-228M6-VE3Y"
LONGEST = [14, 1, 15, 1, 1, 1, 0, 1, 0, 1, 2, 1, 1, 4, 1000, 1, 2000, 1, 15, 1, 1000, 7, 7, 81, 2**30 - 1]
MANY = [1, *LONGEST[1:19], 1, 1, *LONGEST[21:]]  # the same in ENDLESS, which knows these rules
TWO_WINS = [0, 108, 1]
SEEDED = [SPRINT + 1, 101, 777]
QR = zxingcpp.barcode_formats_from_str("QRCode")


class Shelf(Handheld):
    """A handheld that keeps the lines of rules `kept`, in a scene."""

    def __init__(self, name: str = "rules.menu", subject: object = (False, 0, ""), kept: Any = ()) -> None:
        super().__init__(store=[RamStore(), RamStore()], first="menus.main")
        self.settings.versus = VERSUS
        for line, numbers in kept:
            kept_rules.keep(self.journal, line, numbers)
        self.visit(name, subject)

    def visit(self, name: str, subject: object = None) -> None:
        self.go(name, subject)
        self.step(frames=2)

    def take(self, *buttons: int) -> str:
        """Tap buttons and let the next scene open; return its name."""
        for button in buttons:
            self.follow(button, frames=2)
        return self.name

    def set_sprint(self) -> None:
        rules.apply(SPRINT_100, self.settings)

    def pick(self, line: bytes) -> str:
        """Choose a line of the menu and press A; return the name of the next scene."""
        self.go_down_to(line)
        return self.take(A)

    def read_code(self) -> list[str]:
        height = 128
        pixels = [255 * self.canvas.pixel(x, y) for y in range(height) for x in range(WIDTH)]
        picture = Image.frombytes("L", (WIDTH, height), bytes(pixels))
        stream = io.BytesIO()
        picture.save(stream, "PNG")
        return [found.text for found in zxingcpp.read_barcodes(Image.open(stream), formats=QR)]


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


ONE = [(b"FUN   ", SPRINT_100)]


class TestWays:
    def test_options_and_versus_lead_to_their_rules_and_back(self) -> None:
        shelf = Shelf("options.options")
        assert shelf.pick(b"SHARE") == "rules.menu" and not shelf.scene.matched
        assert (shelf.take(B), shelf.scene.lines[shelf.scene.at]) == ("options.options", b"SHARE")
        shelf.visit("match.rules")
        assert shelf.pick(b"LINE...") == "rules.menu" and shelf.scene.matched
        assert (shelf.take(B), shelf.scene.lines[shelf.scene.at]) == ("match.rules", b"LINE...")

    @pytest.mark.parametrize("button", [LEFT, RIGHT])
    def test_the_line_of_a_match_has_no_value_to_turn(self, button: int) -> None:
        shelf = Shelf("match.rules")
        shelf.take(UP, button)
        assert shelf.settings.versus == VERSUS and shelf.name == "match.rules"

    @pytest.mark.parametrize(("button", "name"), [(A, "rules.menu"), (B, "rules.menu"), (START, "rules.menu")])
    def test_a_button_leaves_the_code_for_the_line_that_led_there(self, shelf: Shelf, button: int, name: str) -> None:
        assert shelf.take(A) == "rules.line_code"
        assert (shelf.take(DOWN, button), shelf.scene.at) == (name, 0)

    def test_b_leaves_the_name_without_keeping_anything(self, shelf: Shelf) -> None:
        assert shelf.take(DOWN, A) == "rules.line_name"
        assert (shelf.take(A, A, B, B, B), shelf.scene.at) == ("rules.menu", 1)
        assert kept_rules.read(shelf.journal) == []


class TestKeeping:
    def test_the_current_rules_are_kept_by_a_name(self, shelf: Shelf) -> None:
        shelf.set_sprint()
        shelf.take(DOWN, A, DOWN, DOWN, A, DOWN, START)
        assert shelf.name == "rules.menu" and shelf.scene.lines[shelf.scene.at] == b"CA    "
        assert kept_rules.read(shelf.journal) == [(b"CA    ", SPRINT_100)]

    def test_a_name_of_blanks_keeps_nothing(self, shelf: Shelf) -> None:
        shelf.take(DOWN, A, UP, START)
        assert shelf.scene.notes[1] == b"NOT SAVED" and kept_rules.read(shelf.journal) == []

    def test_a_ninth_line_is_refused(self) -> None:
        shelf = Shelf(kept=[(b"NAME %d" % i, [1]) for i in range(8)])
        assert shelf.pick(b"KEEP") == "rules.menu" and shelf.scene.notes[1].startswith(b"EIGHT ARE KEPT")
        shelf.compare("rules.menu_full")
        shelf.visit("rules.line_menu", (SPRINT_100, -1, False))
        assert shelf.pick(b"KEEP") == "rules.line_menu" and shelf.scene.notes[3].startswith(b"EIGHT ARE KEPT")

    def test_a_line_of_a_newer_version_can_only_be_deleted(self) -> None:
        shelf = Shelf(kept=[(b"NEW   ", [99, 1, 1]), (b"EMPTY ", [])])
        shelf.pick(b"NEW   ")
        shelf.compare("rules.line_menu_newer")
        assert shelf.take(A, A) == "rules.menu" and shelf.pick(b"EMPTY ") == "rules.line_menu"
        assert shelf.take(A, A) == "rules.menu" and kept_rules.read(shelf.journal) == []

    def test_a_pasted_line_is_kept(self) -> None:
        shelf = Shelf("rules.line_menu", (SPRINT_100, -1, False))
        assert shelf.pick(b"KEEP") == "rules.line_name"
        shelf.take(START)
        assert kept_rules.read(shelf.journal) == [(b"A     ", SPRINT_100)]

    def test_a_line_is_deleted_at_the_second_press(self) -> None:
        shelf = Shelf(kept=[*ONE, (b"OTHER ", [1])])
        shelf.pick(b"FUN   ")
        assert shelf.pick(b"DELETE") == "rules.line_menu" and shelf.scene.asked
        assert (shelf.take(A), shelf.scene.lines[3:]) == ("rules.menu", [b"OTHER "])

    @pytest.mark.parametrize("button", [UP, DOWN, LEFT])
    def test_another_button_cancels_the_question(self, button: int) -> None:
        shelf = Shelf(kept=ONE)
        shelf.pick(b"FUN   ")
        shelf.pick(b"DELETE")
        shelf.take(button)
        assert not shelf.scene.asked and len(kept_rules.read(shelf.journal)) == 1


class TestLoading:
    def test_load_sets_the_rules_and_leads_to_the_mode(self) -> None:
        shelf = Shelf(kept=ONE)
        shelf.settings.das_ms = 133
        shelf.pick(b"FUN   ")
        assert shelf.pick(b"LOAD") == "menus.main" and shelf.scene.lines[shelf.scene.at] == b"SPRINT"
        assert rules.collect(shelf.settings, False) == SPRINT_100 and shelf.settings.das_ms == 133
        restarted = Handheld(store=shelf.banks, first="menus.main")
        assert rules.collect(restarted.settings, False) == SPRINT_100

    def test_play_begins_the_game_with_its_seed(self) -> None:
        shelf = Shelf("rules.line_menu", (SEEDED, -1, False))
        assert shelf.pick(b"PLAY") == "play.play"
        assert (shelf.session.variant, shelf.game.seed, shelf.game.goal) == (SPRINT, 777, 40)

    def test_play_asks_before_a_game_in_progress_ends(self) -> None:
        shelf = Shelf("rules.line_menu", (SPRINT_100, -1, False))
        shelf.session.hold_game(Game(1))
        assert shelf.pick(b"PLAY") == "rules.line_menu" and shelf.scene.asked
        assert shelf.take(A) == "play.play" and shelf.session.variant == SPRINT

    def test_a_match_is_loaded_into_versus(self) -> None:
        shelf = Shelf("rules.line_menu", (TWO_WINS, -1, True))
        assert shelf.pick(b"LOAD") == "match.menu"
        assert match_choices.unpack(shelf.settings.versus)[WINS] == 1
        assert shelf.settings.variant == MARATHON and shelf.settings.last_match

    def test_play_begins_a_match(self) -> None:
        shelf = Shelf("rules.line_menu", (TWO_WINS, -1, True))
        assert shelf.pick(b"PLAY") == "match.play"

    def test_changes_name_every_option_that_differs(self) -> None:
        shelf = Shelf()
        changes = line_words.list_changes(SPRINT_100, shelf.settings)
        assert changes == [(b"NEXT", b"3"), (b"HOLD", b"OFF"), (b"LOCK", b"CLASSIC")]
        shelf.set_sprint()
        assert line_words.list_changes(SPRINT_100, shelf.settings) == []
        assert line_words.list_changes(SEEDED, shelf.settings)[-1] == (b"SEED", b"777")

    @pytest.mark.parametrize(
        ("place", "value", "change"),
        [(0, 1, (b"RIVALS", b"2")), (1, 4, (b"FIRST", b"HAWK")), (3, 2, (b"THIRD", b"CAT"))]
        + [(4, 1, (b"TEAMS", b"TWO")), (12, 2, (b"CO-OP", b"100"))],
    )
    def test_changes_name_the_choices_of_a_match(self, place: int, value: int, change: tuple[bytes, bytes]) -> None:
        shelf = Shelf()
        choices = match_choices.unpack(shelf.settings.versus)
        choices[place] = value
        other = type(shelf.settings)()
        other.versus = match_choices.pack(choices)
        numbers = rules.collect(other, True)
        shelf.settings.versus = VERSUS
        assert change in line_words.list_changes(numbers, shelf.settings)

    @pytest.mark.parametrize(
        ("numbers", "name"),
        [
            ([1], b"MARATHON"),
            ([1, 13, 1], b"ENDLESS"),
            ([2], b"SPRINT 40"),
            ([0], b"A MATCH"),
            ([5, 13, 1], b"OLD RULES"),
        ],
    )
    def test_a_line_is_named_as_the_menus_name_its_game(self, numbers: list[int], name: bytes) -> None:
        assert line_words.name_game(numbers) == name


def enter(letters: bytes, shelf: Shelf | None = None) -> Shelf:
    """Enter letters in ENTER; the last one stays chosen."""
    shelf = shelf or Shelf("rules.line_entry", False)
    for i, letter in enumerate(letters):
        shelf.tap(*[A] * (i > 0))
        while shelf.scene.alphabet[shelf.scene.letters[i]] != letter:
            shelf.tap(DOWN)
    return shelf


class TestEntering:
    def test_an_entered_line_opens_its_page(self) -> None:
        shelf = Shelf()
        assert shelf.pick(b"ENTER") == "rules.line_entry"
        enter(SPRINT_LINE[5:].replace("-", "").encode(), shelf)
        assert shelf.take(START) == "rules.line_menu" and shelf.scene.numbers == SPRINT_100
        assert (shelf.take(B), shelf.scene.lines[shelf.scene.at]) == ("rules.menu", b"ENTER")

    def test_a_wrong_line_stays_and_says_why_until_the_next_press(self) -> None:
        shelf = enter(b"1AFZ1")
        assert shelf.take(START) == "rules.line_entry"
        shelf.compare("rules.line_entry_wrong")
        shelf.take(UP)
        assert not shelf.scene.words and shelf.take(START) == "rules.line_menu"

    def test_b_goes_back_letter_by_letter_and_leaves(self) -> None:
        shelf = enter(b"11")
        assert shelf.take(B) == "rules.line_entry"
        assert (shelf.take(B), shelf.scene.lines[shelf.scene.at]) == ("rules.menu", b"ENTER")

    def test_a_line_has_at_most_sixty_letters_after_its_head(self) -> None:
        shelf = enter(b"0")
        shelf.tap(*[RIGHT] * 70)
        assert shelf.scene.at == 59
        shelf.compare("rules.line_entry_longest")


class TestSeed:
    def test_left_and_right_add_the_seed_of_the_last_game(self, shelf: Shelf) -> None:
        shelf.session.remember(lambda: (RECORDINGS / "marathon.sky").read_bytes(), "replay.watch")
        shelf.take(A)
        plain = shelf.scene.line
        shelf.take(RIGHT)
        values = rules.check(rules_line.read(shelf.scene.line))
        assert values == {101 - 1: Recording((RECORDINGS / "marathon.sky").read_bytes()).seed}
        shelf.compare("rules.line_code_seed")
        shelf.take(LEFT)
        assert shelf.scene.line == plain

    @pytest.mark.parametrize("last", ["recordings/sprint.sky", "matches/two.sky"])
    def test_the_seed_of_another_mode_or_match_is_not_offered(self, shelf: Shelf, last: str) -> None:
        shelf.session.remember(lambda: (RECORDINGS.parent / last).read_bytes(), "replay.watch")
        shelf.take(A, RIGHT)
        assert shelf.scene.line == "SKY1-1AFZ0"


PICTURES: dict[str, Callable[[], Shelf]] = {
    "rules.menu": lambda: Shelf(kept=[*ONE, (b"TWO IN", TWO_WINS)]),
    "rules.menu_wrong": lambda: Shelf(subject=(False, 0, "a letter is wrong or missing")),
    "rules.line_code": lambda: Shelf("rules.line_code", (SPRINT_100, ("rules.menu", None), None)),
    "rules.line_code_longest": lambda: Shelf("rules.line_code", (LONGEST, ("rules.menu", None), None)),
    "rules.line_menu": lambda: Shelf("rules.line_menu", (SPRINT_100, 0, False), ONE),
    "rules.line_menu_seed": lambda: Shelf("rules.line_menu", ([14, 101, 20261122], -1, False)),
    "rules.line_menu_same": lambda: Shelf("rules.line_menu", ([1], -1, False)),
    "rules.line_menu_many": lambda: Shelf("rules.line_menu", (MANY, -1, False)),
    "rules.line_name": lambda: Shelf("rules.line_name", (SPRINT_100, ("rules.menu", None))),
}


@pytest.mark.parametrize("name", PICTURES)
def test_picture(name: str) -> None:
    PICTURES[name]().compare(name)


@pytest.mark.parametrize(("numbers", "line"), [(SPRINT_100, SPRINT_LINE), ([1], "SKY1-1AFZ0")])
def test_the_code_on_the_screen_is_the_line(numbers: list[int], line: str) -> None:
    assert Shelf("rules.line_code", (numbers, ("rules.menu", None), None)).read_code() == [line]


def test_the_longest_line_is_read_from_the_screen() -> None:
    shelf = Shelf("rules.line_code", (LONGEST, ("rules.menu", None), None))
    assert shelf.read_code() == [shelf.scene.line] and len(shelf.scene.line) > 47


@pytest.mark.parametrize("name", ["rules.menu", "rules.line_code", "rules.line_menu"])
def test_rules_at_rest_send_nothing_to_the_display(name: str) -> None:
    shelf = PICTURES[name]()
    shelf.step(frames=3)
    sent = shelf.display.canvas.dirty
    assert not any(sent)
    shelf.step(frames=3)
    assert not any(sent)
