"""A player chooses the keys of a PC: by their place, for every control and each of four players, and keeps them."""

import ast
import itertools
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HOLD, LEFT, PAUSE, ROTATE_CCW, ROTATE_CW
from firmware.engine.options import HALF_TURNS
from firmware.modes.catalogue import ZEN
from sim.cli import main
from sim.clock import VirtualClock
from sim.contacts import HOLD_POLLS, Contacts
from sim.desktop import key_file
from sim.desktop.computer import Computer
from sim.desktop.control_file import MapError
from sim.desktop.keyboard import (
    ALONE,
    ALWAYS_IN_MENUS,
    LABELS,
    RESTART,
    RESTART_HELD_MS,
    TARGET,
    TOGETHER,
    Keyboard,
    Keys,
    choose_tables,
)
from sim.desktop.legend_rows import list_for_party, list_in_menus, list_in_play
from sim.desktop.named_keys import put_keys
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from tests.support.polling import poll
from tests.support.running import ROOT

FRAME_MS = 16
PLAYERS = [1, 2, 3, 4]


class Desk:
    """A PC with a simulated handheld and `players` persons; `tap` presses a key in the present scene."""

    def __init__(self, players: int = 1, first: str = "options.options") -> None:
        self.clock = VirtualClock()
        self.people = [Contacts() for _ in range(players)]
        self.keys = Keys(choose_tables(players))
        self.keyboard = Keyboard(*self.people, keys=self.keys)
        self.session = Session(
            *(self.clock, self.people[0], NoSpeaker()),
            seed=1,
            first=first,
            others=self.people[1:],
            wired=511,
            keys=self.keys,
            make_machine=partial(Computer, keys=self.keys),
        )
        self.step()

    @property
    def scene(self) -> Any:
        return self.session.app.router.scene

    def step(self, frames: int = 3) -> None:
        for _ in range(frames):
            self.clock.wait_until(self.clock.ticks_ms() + FRAME_MS)
            self.session.app.step()

    def tap(self, *keys: str) -> None:
        for key in keys:
            self.people[0].at_menu = self.session.at_menu
            self.keyboard.press(key, self.clock.ticks_ms())
            self.step()
            self.keyboard.release(key, self.clock.ticks_ms())
            self.step()

    def walk_to(self, line: bytes) -> None:
        for _ in self.scene.lines:
            if self.scene.lines[self.scene.at] == line:
                return
            self.tap("ArrowDown")
        raise AssertionError(f"no line {line!r}")

    def pick(self, line: bytes, *keys: str) -> None:
        """Choose a line, then press keys."""
        self.walk_to(line)
        self.tap("Enter", *keys)

    def open_page(self) -> None:
        self.pick(b"BUTTONS")
        assert self.session.app.router.name == "options.controls"


class TestPage:
    @pytest.mark.parametrize("players", PLAYERS)
    def test_it_asks_for_every_control_of_each_player(self, players: int) -> None:
        desk = Desk(players)
        desk.open_page()
        free = iter(LABELS)
        for person in range(players):
            for control in range(RESTART + 1):
                desk.scene.person = person
                desk.scene.at = control
                desk.tap("Enter")
                assert desk.scene.asked == control
                key = next(free)
                desk.tap(key)
                assert desk.scene.asked == -1 and desk.keys.find(person, control) == [key]

    def test_all_asks_for_one_control_after_the_other(self) -> None:
        desk = Desk()
        desk.open_page()
        desk.pick(b"ALL")
        chosen = [key for key in LABELS if key.startswith("Digit")]
        desk.tap(*chosen)
        assert [desk.keys.find(0, control) for control in range(RESTART + 1)] == [[key] for key in chosen]
        assert desk.scene.asked == -1

    def test_the_line_player_chooses_whose_keys(self) -> None:
        desk = Desk(players=4)
        desk.open_page()
        assert desk.scene.lines[desk.scene.at] == b"PLAYER"
        desk.tap("ArrowRight", "ArrowRight", "ArrowRight")
        desk.pick(b"180", "KeyP")
        assert desk.keys.tables[3] == {"KeyP": TARGET}

    def test_a_key_that_nobody_presses_is_not_waited_for(self) -> None:
        desk = Desk()
        desk.open_page()
        desk.pick(b"HOLD")
        desk.step(8000 // FRAME_MS - 8)
        assert desk.keys.is_asking()
        desk.step(16)
        assert not desk.keys.is_asking() and desk.scene.asked == -1 and desk.keys.tables == [ALONE]

    def test_a_button_of_a_gamepad_ends_the_wait(self) -> None:
        desk = Desk()
        desk.open_page()
        desk.pick(b"HOLD")
        desk.people[0].tap(ROTATE_CCW, desk.clock.ticks_ms())
        desk.step()
        assert not desk.keys.is_asking() and desk.scene.asked == -1

    def test_reset_brings_the_usual_keys_back(self) -> None:
        desk = Desk(players=2)
        desk.open_page()
        desk.pick(b"LEFT", "KeyP")
        assert desk.keys.tables != list(TOGETHER[:2])
        desk.pick(b"RESET")
        assert desk.keys.tables == list(TOGETHER[:2])

    def test_escape_leads_back_to_the_line_of_the_options(self) -> None:
        desk = Desk()
        desk.open_page()
        desk.tap("Escape")
        assert desk.session.app.router.name == "options.options" and desk.scene.lines[desk.scene.at] == b"BUTTONS"

    def test_one_person_reads_the_key_of_start(self) -> None:
        """No key is called START; the legend beside the game names the others."""
        desk = Desk(first="rules.line_entry")
        canvas: Any = desk.session.display.canvas
        assert b"START: DONE" in [codes for codes, _font in canvas.hints.values()]
        assert put_keys(b"START: DONE", canvas.keys) == b"S: DONE"
        assert put_keys(b"A NEXT  B MENU", canvas.keys) == b"A NEXT  B MENU"

    def test_the_help_shows_the_keys_too(self) -> None:
        desk = Desk(first="help.help")
        desk.pick(b"CONTROLS")
        assert desk.scene.heading == b"BUTTONS" and desk.scene.value(1) == b">  NUM 6"
        desk.tap("Escape")
        assert desk.session.app.router.name == "help.help" and desk.scene.lines[desk.scene.at] == b"CONTROLS"

    def test_reset_undoes_buttons_that_an_older_version_changed(self) -> None:
        desk = Desk()
        settings = desk.session.app.context.settings
        buttons = settings.buttons
        buttons[ROTATE_CW], buttons[ROTATE_CCW] = buttons[ROTATE_CCW], buttons[ROTATE_CW]
        settings.target_buttons = 0x30
        desk.open_page()
        desk.pick(b"RESET")
        assert bytes(buttons) == bytes(1 << control for control in range(8)) and settings.target_buttons == 0xC0

    def test_no_choice_locks_a_player_out_of_menus(self) -> None:
        """Every control gets a key that menus use; the arrows, Enter and Escape lead as ever."""
        desk = Desk()
        desk.open_page()
        for control, key in enumerate(ALWAYS_IN_MENUS):
            desk.keys.ask(0, control % (RESTART + 1))
            desk.keys.take(key)
        desk.pick(b"RESET")
        assert desk.keys.tables == [ALONE]
        desk.tap("Escape")
        assert desk.session.app.router.name == "options.options"

    def test_the_picture_of_the_page(self) -> None:
        from tests.support.golden import compare

        desk = Desk()
        desk.open_page()
        desk.walk_to(b"HOLD")
        desk.step(30)
        compare(desk.session.display.canvas, "pc_keys")
        desk.tap("Enter")
        desk.step(3)
        compare(desk.session.display.canvas, "pc_keys_asking")


class TestKeys:
    def test_a_key_has_one_control_and_each_control_keeps_a_key(self) -> None:
        """After any choice by any of four players no key is lost to two controls, and no control loses its last."""
        for person, control, key in itertools.product(range(4), range(TARGET + 1), list(LABELS)[::3]):
            keys = Keys(TOGETHER)
            keys.ask(person, control)
            keys.take(key)
            assert keys.find(person, control) == [key]
            every = [each for table in keys.tables for each in table]
            assert len(every) == len(set(every))
            for other in (0, 1):
                before = set(TOGETHER[other].values())
                lost = before - set(keys.tables[other].values())
                assert not lost or person > 1, "a player without keys has none to give back"

    def test_a_chosen_key_presses_its_control_and_no_longer_its_old_one(self) -> None:
        people = [Contacts()]
        people[0].connect(lambda: True)
        for control, key in itertools.product(range(RESTART + 1), ["KeyW", "Digit3", "ArrowUp", "KeyZ"]):
            keys = Keys()
            keyboard = Keyboard(*people, keys=keys)
            keys.ask(0, control)
            keyboard.press(key, 1)
            keyboard.release(key, 2)
            assert poll(people[0]) == []
            keyboard.press(key, 1000)
            found = poll(people[0])
            keyboard.release(key, 1001)
            found += [edge for _ in range(HOLD_POLLS) for edge in poll(people[0])]
            since_ms = 1000 - RESTART_HELD_MS if control == RESTART else 1000
            pressed = PAUSE if control == RESTART else control
            assert found == [(pressed, 1, since_ms), (pressed, 0, 1001)]

    def test_in_menus_letters_of_the_buttons_work_wherever_they_are(self) -> None:
        """On AZERTY the letter A is where a US layout has Q, which has no control."""
        contacts = Contacts()
        contacts.at_menu = True
        keyboard = Keyboard(contacts)
        keyboard.press("KeyQ", 5, "a")
        keyboard.release("KeyQ", 6)
        assert poll(contacts) == [(ROTATE_CW, 1, 5), (ROTATE_CW, 0, 6)]
        contacts.at_menu = False
        keyboard.press("KeyQ", 5, "a")
        assert poll(contacts) == []

    def test_the_legend_shows_what_is_set(self) -> None:
        keys = Keys()
        assert dict(list_in_menus(keys))["START: go on, done"] == ["KeyS", "Enter"]
        for control, key in ((HOLD, "KeyW"), (PAUSE, "KeyP"), (TARGET, "Digit1"), (RESTART, "Backquote")):
            keys.ask(0, control)
            keys.take(key)
        in_play = dict(list_in_play(keys, 0))
        assert [in_play[what] for what in ("Hold", "START: pause", "target, 180, rewind", "restart")] == [
            *(["KeyW"], ["KeyP"], ["Digit1"], ["Backquote"])
        ]
        assert dict(list_in_menus(keys))["START: go on, done"] == ["KeyP", "Enter"]

    def test_the_legend_shows_keys_that_player_4_chose(self) -> None:
        keys = Keys(TOGETHER)
        keys.ask(3, LEFT)
        keys.take("KeyP")
        rows = list_for_party(keys, [], {})
        at = rows.index(("player 4", ()))
        assert rows[at + 1] == ("move", ["KeyP"]) and ("player 3: plug in a gamepad", ()) in rows


class TestHalfTurn:
    @pytest.fixture
    def desk(self) -> Desk:
        desk = Desk(first="play")
        desk.session.app.context.settings.modern = HALF_TURNS
        desk.session.app.context.apply_settings()
        desk.session.app.context.go("play")
        desk.step(200)
        return desk

    def test_v_turns_by_180_degrees_with_one_press(self, desk: Desk) -> None:
        game = desk.scene.game
        desk.tap("KeyV")
        assert (game.facing, game.statistics.presses, game.hold) == (2, 1, 0)

    def test_hold_and_the_half_turn_keep_their_order(self, desk: Desk) -> None:
        """20 ms apart: the half turn turns what Hold brought."""
        game = desk.scene.game
        was, now_ms = game.piece, desk.clock.ticks_ms()
        desk.keyboard.press("KeyC", now_ms)
        desk.keyboard.press("KeyV", now_ms + 20)
        desk.step(6)
        assert (game.hold, game.facing) == (was, 2)

    def test_without_the_option_the_key_does_nothing(self) -> None:
        desk = Desk(first="play")
        desk.step(200)
        game = desk.scene.game
        desk.tap("KeyV", "Backspace")
        assert (game.facing, game.statistics.presses, game.hold) == (0, 0, 0)


def test_backspace_takes_back_in_a_game_of_zen_that_the_command_line_began() -> None:
    """The settings have another mode: what is played counts."""
    desk = Desk(first="play")
    desk.session.app.session.choose_variant(ZEN)
    desk.session.app.context.go("play")
    desk.step(200)
    desk.tap("Space")
    desk.step(60)
    assert desk.scene.game.lock_downs == 1
    desk.tap("Backspace")
    desk.step(60)
    assert (desk.scene.game.lock_downs, desk.scene.game.pressed) == (0, 0)


class TestFile:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "keys.ini"

    @pytest.mark.parametrize("players", PLAYERS)
    def test_chosen_keys_are_there_at_the_next_start(self, players: int, path: Path) -> None:
        kept = key_file.KeptKeys(key_file.USUAL, players, path)
        for person in range(players):
            kept.keys.ask(person, HOLD)
            kept.keys.take(f"Digit{person}")
        assert kept.problem == ""
        again = key_file.KeptKeys(key_file.read(path), players, path)
        for person in range(players):
            assert again.keys.find(person, HOLD) == [f"Digit{person}"]
            assert set(again.keys.tables[person].items()) == set(kept.keys.tables[person].items())

    def test_the_keys_of_several_players_stay_when_one_chooses(self, path: Path) -> None:
        for players, key in ((3, "Digit3"), (1, "Digit1")):
            tables = key_file.read(path) if path.exists() else key_file.USUAL
            kept = key_file.KeptKeys(tables, players, path)
            kept.keys.ask(players - 1, LEFT)
            kept.keys.take(key)
        tables = key_file.read(path)
        assert tables["player 3"] == {"Digit3": LEFT} and tables["alone"]["Digit1"] == LEFT

    def test_read_reads_the_text_of_write(self, path: Path) -> None:
        path.write_text(key_file.write(key_file.USUAL, path), encoding="utf-8")
        assert key_file.read(path) == key_file.USUAL and str(path) in path.read_text(encoding="utf-8")

    def test_a_file_changes_only_the_keys_that_it_names(self, path: Path) -> None:
        path.write_text("[alone]\nkeyw = HOLD # near\nKeyC=none\n[player 2]\nKeyA = left\n", encoding="utf-8")
        tables = key_file.read(path)
        wanted = {key: control for key, control in ALONE.items() if key != "KeyC"} | {"KeyW": HOLD}
        assert tables["alone"] == wanted
        assert tables["player 2"]["KeyA"] == LEFT and "KeyA" not in tables["player 1"]

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("KeyA = hold", r", line 1: no section stands above it; write \[alone\], .* or \[player 4\] above it"),
            ("dear diary", ", line 1: no section stands above it; .* or choose another file"),
            ("# nothing", r"keys.ini has no section; write \[alone\], "),
            ("[alone]\nÄ = hold", ", line 2: there is no key 'Ä'; there are KeyA, KeyB"),
            ("[alone]\nArowUp = hold", ", line 2: there is no key 'ArowUp'; did you mean ArrowUp?"),
            ("[alone]\nKeyA = jump", ", line 2: there is no control 'jump'; there are left, right"),
            ("[alone]\n\nKeyA = hold\nkeya = left", ", line 4: KeyA is in line 3 too; delete one of the two lines"),
            ("[alone]\nKeyA = hold\n left", ", line 3: 'left' has no equals sign; write a key, = and a control"),
            ("[player 5]\nKeyA = hold", r", line 1: there is no section '\[player 5\]'; did you mean \[player 4\]?"),
            (
                "[player 1]\nKeyP = hold\n[player 2]\nKeyP = left",
                ", line 4: KeyP is another player's in line 2; one of",
            ),
            ("\xff\xff", "is not text in UTF-8; save it as UTF-8"),
        ],
    )
    def test_a_wrong_line_is_told_with_its_cure(self, text: str, words: str, path: Path, capsys: Any) -> None:
        path.write_bytes(text.encode("latin-1" if "\xff" in text else "utf-8"))
        with pytest.raises(MapError, match=words) as refused:
            key_file.read(path)
        assert main(["--keys-map", "--keys", str(path)]) == 2
        assert capsys.readouterr().err == f"sim: {refused.value}\n"

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_a_file_from_windows_is_read_and_kept(self, encoding: str, path: Path, capsys: Any) -> None:
        path.write_bytes("[alone]\r\nKeyA = hold\r\n".encode(encoding))
        assert main(["--keys-map", "--keys", str(path)]) == 0
        kept = key_file.KeptKeys(key_file.read(path), 1, path)
        kept.keep()
        assert kept.problem == "" and key_file.read(path)["alone"]["KeyA"] == HOLD

    def test_the_command_prints_the_players_own_keys(self, path: Path, capsys: Any) -> None:
        path.write_text("[player 4]\nKeyP = restart\n", encoding="utf-8")
        assert main(["--keys-map", "--keys", str(path)]) == 0
        path.write_text(capsys.readouterr().out, encoding="utf-8")
        assert key_file.read(path)["player 4"] == {"KeyP": RESTART}

    def test_anothers_file_is_never_replaced(self, path: Path) -> None:
        path.write_text("dear diary", encoding="utf-8")
        kept = key_file.KeptKeys(key_file.USUAL, 1, path)
        kept.keep()
        assert "another file has this name" in kept.problem and "\n" not in kept.problem
        assert path.read_text(encoding="utf-8") == "dear diary"

    def test_a_place_that_cannot_be_written_is_told_in_one_line(self, tmp_path: Path) -> None:
        (tmp_path / "full").write_text("a file", encoding="utf-8")
        told: list[str] = []
        kept = key_file.KeptKeys(key_file.USUAL, 1, tmp_path / "full" / "keys.ini", told.append)
        kept.keys.reset()
        assert kept.problem.startswith("cannot keep the keys in ") and "\n" not in kept.problem
        (tmp_path / "full").unlink()
        problem = kept.problem
        kept.keys.reset()
        assert told == [problem] and kept.problem == ""

    def test_the_players_file_is_beside_that_of_gamepads(self) -> None:
        assert key_file.find_path().parts[-2:] == ("skyline", "keys.ini")


_ENGLISH = (b"AT THE START", b"AT THE START.", b"ROWS AT START:", b"START THE MATCH", b"START WITHOUT B.")
_LINES = (b"START",)  # of menus: it begins a match, or it is the button that the line is about


def find_texts(word: bytes) -> set[bytes]:
    """Return each line of the firmware's texts in which a word stands."""
    texts = [
        node.value
        for path in (ROOT / "firmware").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, bytes)
    ]
    texts += [path.read_bytes() for path in (ROOT / "firmware").rglob("*.txt")]
    return {line for text in texts for line in re.split(rb"[|/\n]", text) if re.search(rb"\b%b\b" % word, line)}


@pytest.mark.slow
def test_every_line_that_says_start_names_its_key() -> None:
    texts = find_texts(b"START")
    kept = {text for text in texts if put_keys(text, {b"START": b"ENTER"}) == text}
    assert len(texts) >= 20 and kept == {*_ENGLISH, *_LINES}
