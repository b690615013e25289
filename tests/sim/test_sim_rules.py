"""Rules as a line in the simulator: the command line, copy and paste in the window."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pygame
import pytest

from firmware.engine.controls import HOLD, ROTATE_CCW
from firmware.modes.catalogue import MARATHON, SPRINT, STANDARD
from firmware.save import match_choices, rules_line
from firmware.save.match_choices import WINS
from sim.cli import main
from sim.clock import VirtualClock
from sim.contacts import Contacts, NoButtons
from sim.desktop.keyboard import TARGET, Keyboard
from sim.desktop.oled_surface import OledSurface
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from sim.desktop.window import Window
from sim.display import ChipDisplay
from sim.rules import BUSY, copy_rules, paste_rules
from tests.support.handhelds.command_lines import refused
from tests.support.handhelds.handheld import Handheld
from tests.support.pc_keys import key_event

SPRINT_LINE = "SKY1-22310-228M6-VE3Y"
SPRINT_NUMBERS = rules_line.read(SPRINT_LINE)
WRONG = SPRINT_LINE[:-1] + "Z"
SEEDED = rules_line.write([SPRINT + 1, 101, 777])
TWO_WINS = rules_line.write([0, 108, 1])


def begin(line: str, **how: Any) -> Session:
    """Begin a game or match by a line, as the command line does."""
    numbers = rules_line.read(line)
    first = "play" if numbers[0] else "match.play"
    return Session(VirtualClock(), NoButtons(), NoSpeaker(), first=first, rules=numbers, **how)


def run(session: Session) -> Any:
    for _ in range(5):
        session.app.step()
    return session.app.router.scene


class TestCommandLine:
    @pytest.mark.parametrize(("how", "seed"), [({}, 777), ({"seed": 5}, 5)])
    def test_a_line_begins_its_game_with_its_seed_or_the_given_one(self, how: dict[str, int], seed: int) -> None:
        session = begin(SEEDED, **how)
        game = run(session).game
        assert (session.app.session.variant, game.seed, game.goal) == (SPRINT, seed, 40)

    def test_a_line_sets_the_options_of_its_game(self) -> None:
        options = run(begin(SPRINT_LINE)).game.options
        assert (options.next_count, options.hold_on, options.lock_rule, options.aim) == (3, 0, 2, 100)

    def test_a_line_of_a_match_begins_it(self) -> None:
        session = begin(TWO_WINS)
        assert run(session).match.options.wins == 2
        assert match_choices.unpack(session.app.context.settings.versus)[WINS] == 1

    def test_explain_says_what_a_line_changes(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["--rules", SPRINT_LINE.lower(), "--explain"]) == 0
        assert capsys.readouterr().out.splitlines() == ["SPRINT 100", "NEXT 3", "HOLD OFF", "LOCK CLASSIC"]

    @pytest.mark.parametrize(
        ("numbers", "said"),
        [
            ([MARATHON + 1, 20, 2], ["180 ON"]),
            ([MARATHON + 1, 20, 5], ["COMBOS ON", "SPINS ALL"]),
            ([STANDARD + 1, 1, 3], ["LEVEL 2"]),
            ([SPRINT + 1, 10, 80, 1, 0], ["ENTRY 80 MS", "CLEAR 0 MS"]),
        ],
    )
    def test_explain_uses_the_words_of_the_pages(
        self, numbers: list[int], said: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["--rules", rules_line.write(numbers), "--explain"]) == 0
        assert capsys.readouterr().out.splitlines()[1:] == said

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["--rules", WRONG], "a letter is wrong or missing"),
            (["--rules", "hello"], "a line begins with SKY1-"),
            (["--rules", "SKY2-1AFZ0"], "made by a newer Skyline"),
            (["--explain"], "--explain needs --rules"),
            (["--rules", SPRINT_LINE, "--level", "3"], "--rules and --level"),
            (["--rules", SPRINT_LINE, "--variant", "dig"], "--rules and --variant"),
            (["--rules", SPRINT_LINE, "--play", "demo"], "--rules and --play"),
            (["--rules", SPRINT_LINE, "--host"], "--rules and --host"),
            (["--rules", SPRINT_LINE, "--players", "2"], "is for a game of one player"),
            (["--rules", SPRINT_LINE, "--computers", "3"], "is for a game of one player"),
        ],
    )
    def test_a_wrong_use_is_refused_in_one_line(self, arguments: list[str], says: str, capsys: Any) -> None:
        assert says in refused(capsys, *arguments)


class TestCopyAndPaste:
    @pytest.fixture
    def handheld(self) -> Handheld:
        return Handheld(first="menus.main")

    @pytest.mark.parametrize(
        ("name", "subject", "line"),
        [
            ("menus.main", None, "SKY1-1AFZ0"),
            ("match.menu", None, "SKY1-0M9PH"),
            ("match.custom", None, "SKY1-0M9PH"),
            ("rules.menu", (True, 0, ""), "SKY1-0M9PH"),
            ("rules.line_code", (SPRINT_NUMBERS, ("rules.menu", None), None), SPRINT_LINE),
            ("rules.line_menu", (SPRINT_NUMBERS, -1, False), SPRINT_LINE),
        ],
    )
    def test_a_menu_copies_the_line_it_shows_or_the_current_one(self, handheld, name, subject, line) -> None:
        handheld.go(name, subject)
        handheld.step(16, 2)
        assert copy_rules(handheld.app) == line

    def test_a_pasted_line_opens_its_page(self, handheld: Handheld) -> None:
        assert paste_rules(handheld.app, f" {SPRINT_LINE}\n") == ""
        handheld.step(16, 2)
        assert handheld.name == "rules.line_menu" and handheld.scene.numbers == SPRINT_NUMBERS

    def test_a_wrong_line_is_told_on_the_scene_and_to_the_caller(self, handheld: Handheld) -> None:
        assert paste_rules(handheld.app, WRONG) == "a letter is wrong or missing"
        handheld.step(16, 2)
        assert handheld.name == "rules.menu" and handheld.scene.notes[0] == b"A LETTER IS|WRONG OR|MISSING"

    def test_a_game_in_play_has_no_rules_to_copy_or_paste(self) -> None:
        handheld = Handheld(first="play")
        handheld.session.counts_down = False
        handheld.step(16, 400)
        assert copy_rules(handheld.app) == "" and paste_rules(handheld.app, SPRINT_LINE) == BUSY

    def test_a_paused_game_is_kept_when_a_line_is_pasted(self) -> None:
        handheld = Handheld(first="play")
        handheld.step(16, 400)
        handheld.tap(7)
        assert paste_rules(handheld.app, SPRINT_LINE) == ""
        handheld.step(16, 2)
        assert handheld.name == "rules.line_menu" and handheld.session.has_game()


@pytest.fixture
def window() -> Iterator[Any]:
    """A window whose contacts, copied text and pasted texts a test sees."""
    contacts = Contacts()
    opened = Window([OledSurface(ChipDisplay(), "white")], Keyboard(contacts), lambda: 77, scale=4, legend=False)
    pygame.event.clear()
    pasted: list[str] = []
    seen = SimpleNamespace(window=opened, contacts=contacts, line=SPRINT_LINE, pasted=pasted, wants=True)

    def paste(text: str) -> bool:
        pasted.append(text)
        return bool(seen.wants)

    opened.copied, opened.pasted = lambda: seen.line, paste
    yield seen
    opened.close()


def press(seen: Any, key: int) -> set[int]:
    """Press a key with Control; return the controls that are held then."""
    pygame.event.post(key_event(pygame.KEYDOWN, key, pygame.KMOD_LCTRL))
    seen.window.pump()
    return set(seen.contacts._held.values())


@pytest.mark.usefixtures("no_screen")
class TestWindow:
    def test_control_c_and_v_copy_and_paste_and_press_no_button(self, window: Any) -> None:
        assert press(window, pygame.K_c) == set() and pygame.scrap.get_text() == SPRINT_LINE
        assert press(window, pygame.K_v) == set() and window.pasted == [SPRINT_LINE]

    def test_in_play_the_keys_are_the_games(self, window: Any) -> None:
        window.line, window.wants = "", False
        assert press(window, pygame.K_c) == {HOLD}
        assert press(window, pygame.K_v) == {HOLD, TARGET}
        assert ROTATE_CCW not in press(window, pygame.K_v)
