"""Each way to a match of a board leads through one scene, which refuses what has no room before anything loads."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware import refusing
from firmware.device.handheld import Machine
from firmware.match.match import Match
from firmware.resuming import restore
from firmware.save.journal import MATCH
from firmware.save.match_choices import OPPONENTS, unpack
from firmware.scenes.match.entrance import Scene as Entrance
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import START, A, Arcade, B
from tests.support.handhelds.ring_harness import Line, Pipe
from tests.support.standings import standing
from tools.board.player import loading

pytestmark = pytest.mark.no_cover

FIRMWARE = Path(refusing.__file__).parent
TWO_WINS = [0, 108, 1]
PLENTY = 1 << 20


class Board(Machine):
    """A board with `free` bytes, which notes the words of its restarts."""

    renews = True

    def __init__(self) -> None:
        self.free = PLENTY
        self.words: list[bytes] = []

    def free_bytes(self) -> int:
        return self.free

    def renew(self, word: bytes) -> None:
        self.words.append(word)


class Cabinet(Arcade):
    """A board that notes whether it showed LOADING."""

    def __init__(self, first: str = "menus.main", subject: object = None, **choices: Any) -> None:
        choices.setdefault("store", [RamStore(8192)])
        super().__init__("menus.title", **choices)
        self.settings.ready = 1
        self.settings.initials = 1
        self.device.link = Pipe(Line(Random(1)), Line(Random(2)))
        self.board = self.device.machine = Board()
        self.loads = False
        show = self.display.show

        def note() -> Any:
            sent = show()
            self.loads |= self.picture() == loading()
            return sent

        self.display.show = note  # type: ignore[method-assign]
        self.open(first, subject, frames=2)

    def pause(self) -> None:
        self.open("match.play", frames=30)
        self.tap(START)

    def keep_match(self) -> None:
        self.pause()
        self.go_down_to(b"MENU")
        self.follow(A, frames=2)


# Each way: what leads to its last press, and that press.
def start() -> tuple[Cabinet, int]:
    return Cabinet("match.menu"), A


def rematch() -> tuple[Cabinet, int]:
    cabinet = Cabinet("match.menu")
    cabinet.settings.last_match = 1
    cabinet.open("menus.main", frames=2)
    cabinet.go_down_to(b"REMATCH")
    return cabinet, A


def new_match() -> tuple[Cabinet, int]:
    cabinet = Cabinet()
    cabinet.keep_match()
    cabinet.open("match.menu", frames=2)
    assert cabinet.follow(A, frames=2) == "menus.continue_or_new"
    cabinet.go_down_to(b"NEW GAME")
    return cabinet, A


def retry() -> tuple[Cabinet, int]:
    cabinet = Cabinet("match.play")
    cabinet.open("match.over", cabinet.match, frames=80)
    return cabinet, A


def restart() -> tuple[Cabinet, int]:
    cabinet = Cabinet()
    cabinet.pause()
    cabinet.go_down_to(b"RESTART")
    cabinet.tap(A)
    return cabinet, A


def rules_line() -> tuple[Cabinet, int]:
    return Cabinet("rules.line_menu", (TWO_WINS, -1, True)), A


def link() -> tuple[Cabinet, int]:
    cabinet = Cabinet("match.menu")
    cabinet.go_down_to(b"LINK")
    return cabinet, A


def continue_at_power_on() -> tuple[Cabinet, int]:
    cabinet = Cabinet()
    cabinet.keep_match()
    return Cabinet("menus.title", store=cabinet.banks), A


def continue_in_menu() -> tuple[Cabinet, int]:
    cabinet = Cabinet()
    cabinet.keep_match()
    cabinet.go_down_to(b"CONTINUE")
    return cabinet, A


def continue_when_asked() -> tuple[Cabinet, int]:
    cabinet, _ = new_match()
    cabinet.go_down_to(b"CONTINUE")
    return cabinet, A


def back_from_options() -> tuple[Cabinet, int]:
    cabinet = Cabinet()
    cabinet.pause()
    cabinet.go_down_to(b"OPTIONS")
    cabinet.follow(A, frames=2)
    assert cabinet.name == "options.options"
    return cabinet, B


NEW = (start, rematch, new_match, retry, restart, rules_line)
KEPT = (continue_at_power_on, continue_in_menu, continue_when_asked, back_from_options)


def name_way(way: object) -> str:
    return str(getattr(way, "__name__", way))


@pytest.mark.parametrize("way", [*NEW, link, *KEPT], ids=name_way)
def test_no_way_loads_a_match_that_has_no_room(way: Callable[[], tuple[Cabinet, int]]) -> None:
    cabinet, button = way()
    kept = bytes(cabinet.journal.read(MATCH))
    cabinet.board.free = 20_000
    cabinet.loads = False

    cabinet.follow(button, frames=4)

    assert cabinet.name == "match.menu" and not cabinet.board.words and not cabinet.loads
    assert cabinet.scene.notes[0].endswith((b"NO MATCH", b"NO LINK"))
    assert cabinet.session.seed is None and bytes(cabinet.journal.read(MATCH)) == kept, "a kept match stays"


@pytest.mark.parametrize("way", [*NEW, link, *KEPT], ids=name_way)
def test_every_way_restarts_the_board_for_a_match_that_fits(way: Callable[[], tuple[Cabinet, int]]) -> None:
    cabinet, button = way()
    cabinet.follow(button, frames=3)
    word = b"resume_game" if way in KEPT else b"link.lobby" if way is link else b"match.play"
    assert cabinet.board.words == [word] and cabinet.picture() == loading()


@pytest.mark.parametrize("fits", [False, True])
def test_a_match_from_last_game_is_saved_and_enters_as_any_other(fits: bool) -> None:
    cabinet = Cabinet()
    cabinet.keep_match()
    cabinet.open("match.watch", frames=200)
    watched = standing(cabinet.scene.line.match)
    if not fits:
        cabinet.board.free = 20_000
    cabinet.follow(START, START, frames=4)
    assert cabinet.board.words == [b"resume_game"] * fits
    assert cabinet.name == ("match.entrance" if fits else "match.menu") and cabinet.session.has_game()
    match = restore(cabinet.context)
    assert isinstance(match, Match) and match.options.practice and standing(match) == watched


def test_a_restart_that_has_no_room_leaves_the_match_to_continue() -> None:
    cabinet, button = restart()
    cabinet.board.free = 20_000
    cabinet.follow(button, frames=4)
    assert cabinet.session.has_game() and cabinet.session.suspended is None


def test_the_seed_of_a_refused_line_is_not_that_of_the_next_game() -> None:
    cabinet, button = rules_line()
    cabinet.session.choose_seed(777)
    cabinet.board.free = 20_000
    cabinet.follow(button, frames=4)
    assert cabinet.name == "match.menu" and cabinet.session.seed is None


@pytest.mark.parametrize("rules", [0, 1])
@pytest.mark.parametrize(
    ("setting", "words"),
    [("one_switch", b"TURN OFF 1 KEY"), ("by_ear", b"RULES: GUIDE"), ("", b"RULES: GUIDE")],  # BY EAR takes nothing
)
def test_the_lobby_is_told_what_modern_needs_whatever_is_set(rules: int, setting: str, words: bytes) -> None:
    cabinet, _ = link()
    cabinet.settings.rules = rules
    modern = refusing._NEEDED[0] + refusing._LINK_BYTES + refusing._MODERN_LINK_BYTES
    if setting:
        setattr(cabinet.settings, setting, 2)
    for missing in (1, 0):
        cabinet.board.free = modern - missing
        assert not refusing.check(cabinet.context, refusing.LINK, False), "without MODERN there is room"
        assert cabinet.session.refusal.endswith(words) if missing else not cabinet.session.refusal


@pytest.mark.parametrize("is_loaded", [False, True])
def test_modern_needs_its_modules_only_until_they_are_loaded(is_loaded: bool) -> None:
    """What the first check lets in, the second one must not refuse after LOADING."""
    cabinet = Cabinet("match.menu", OPPONENTS=2)
    cabinet.settings.rules = 1
    needed = refusing._NEEDED[3] + refusing._MODERN_BYTES
    needed += -refusing._MODERN_LOADED if is_loaded else refusing._MATCH_BYTES
    for missing in (1, 0):
        cabinet.board.free = needed - missing
        assert refusing.check(cabinet.context, "match.play", is_loaded) == bool(missing)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_kept_match_needs_the_room_of_its_own_rivals(players: int) -> None:
    """The choices of the next match do not count, and its rivals cannot be fewer."""
    cabinet = Cabinet(OPPONENTS=players - 2)
    cabinet.keep_match()
    other = Cabinet("menus.title", store=cabinet.banks, OPPONENTS=(players - 1) % 3)
    assert 1 + unpack(other.settings.versus)[OPPONENTS] != players - 1
    needed = refusing._NEEDED[players - 1] + refusing._MATCH_BYTES
    for missing in (1, 0):
        other.board.free = needed - missing
        other.open("menus.title", frames=2)
        other.follow(A, frames=4)
        assert (other.name == "match.menu") == bool(missing) != bool(other.board.words)
        if missing:
            assert b"NO MATCH" in other.scene.notes[0]


def test_a_damaged_match_is_no_reason_for_an_exception() -> None:
    cabinet, _ = continue_in_menu()
    cabinet.journal.payload[:3] = b"\1\xff\xff"
    cabinet.journal.save(MATCH, 3)
    assert refusing.describe(cabinet.context, "resume_game") == (1, 0)


def test_only_the_entrance_restarts_a_board_for_a_scene() -> None:
    found = {
        str(path.relative_to(FIRMWARE))
        for path in FIRMWARE.rglob("*.py")
        if re.search(r"\.renew\(", path.read_text(encoding="utf-8"))
    }
    assert found == {"scenes/match/entrance.py"} and Entrance.keeps.startswith("-")
