"""Name the moments at which the handheld writes its flash, and the way to each."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from firmware.device.nvm import NvmStore
from firmware.save.journal import SETTINGS, Journal
from firmware.save.scores import Table
from tools.board.handheld import make_handheld
from tools.board.nvm import make_nvm, open_journal
from tools.board.player import Player

_SIDES = ("LLLL", "RRRR", "LL", "", "RR")
_DROPS = 9  # a game is saved at every eighth Lock Down
_TABLES = (2, 3, 4)  # kinds of tables of scores
_SAVE_BYTES = 230  # of a game in progress, at most as long as it is low
_PAUSES = 12  # the journal is rewritten after one of them at the latest
_ROOM_BYTES = 1200  # more than a quarter of the page, so that the rewriting does not come before the game


@dataclass(frozen=True)
class Kind:
    """A moment that is cut.  reach: leads to it.  pass_by: lets it pass.  holds_b: the game has the drive."""

    name: str
    reach: Callable[[Player], None]
    pass_by: Callable[[Player], None]
    holds_b: bool = False
    worn: bool = False


def make_worn_nvm(room: int) -> bytes:
    """Return a memory with settings and three tables, in which `room` bytes or a little more are left."""
    memory = bytearray(make_nvm())
    journal = Journal([NvmStore(memory)])
    settings = bytes(journal.read(SETTINGS))
    table = Table()
    for place in range(5):
        table.insert(place, b"ABC", 9000 - 1000 * place, 40, 5)
    for kind in _TABLES:
        journal.append(kind, table.pack(journal.payload))
    while len(memory) - journal.end - len(settings) - 11 > room:
        journal.payload[: len(settings)] = settings
        journal.append(SETTINGS, len(settings))
    return bytes(memory)


def start(kind: Kind, uf2: Path, files: dict[str, bytes]) -> Player:
    """Return a player at the title of a handheld that was on before, B held or not, or off if B is held first."""
    nvm = make_worn_nvm(_ROOM_BYTES) if kind.worn else make_nvm()
    handheld = make_handheld(uf2, files, nvm=nvm)
    handheld.run(3)
    handheld.power_off()
    player = Player(handheld)
    if kind.reach is not stay_off:
        switch_on(player, kind.holds_b)
    return player


def switch_on(player: Player, holds_b: bool = False) -> None:
    handheld = player.handheld
    handheld.power_on()
    if holds_b:
        handheld.press("B")
        player.run(1)
        handheld.release("B")
    player.to_title()


def stay_off(player: Player) -> None:
    """Leave the power off."""


def drop(player: Player, count: int, sides: tuple[str, ...] = _SIDES) -> None:
    for number in range(count):
        for button in sides[number % len(sides)]:
            player.tap(button, 0.03, 0.03)
        player.tap("U", 0.05, 0.4)


def play(player: Player) -> None:
    player.start_game()
    drop(player, _DROPS)


def fill(player: Player) -> None:
    """Play a Marathon, and pause it until the next save has no room."""
    play(player)
    while open_journal(player.handheld.nvm).room >= _SAVE_BYTES:
        pause(player)
        player.tap("A", after_s=4)
        drop(player, 1)


def pause(player: Player) -> None:
    player.tap("S", after_s=1.2)


def pile_up(player: Player) -> None:
    """Play a Marathon until it was saved once, all in the middle."""
    player.start_game()
    drop(player, _DROPS, ("",))


def top_out(player: Player) -> None:
    """Hard Drop until the game is over, and see its result."""
    drop(player, 4, ("",))
    player.run(3.5)


def open_sound(player: Player) -> None:
    player.to_menu()
    player.choose("OPTIONS")
    player.choose("SOUND")


def change(player: Player) -> None:
    player.tap("R")
    player.run(2)


def pause_match(player: Player) -> None:
    player.start_versus()
    player.run(4)
    pause(player)
    player.tap("A", after_s=4)


def fill_by_match(player: Player) -> None:
    """Play a match, and pause it until the journal is rewritten before the match goes on."""
    handheld = player.handheld
    player.start_versus()
    for _ in range(_PAUSES):
        player.run(4)
        pause_long(player)
        before, count = handheld.snapshot(), len(handheld.writes)
        resume(player)
        if any(each.erases for each in handheld.writes[count:]):
            handheld.restore(before)
            return
    player.fail("the journal was not rewritten")


def pause_long(player: Player) -> None:
    player.tap("S", after_s=2)


def resume(player: Player) -> None:
    player.tap("A", after_s=2)


KINDS = (
    Kind("a save in play", play, lambda player: drop(player, _DROPS)),
    Kind("the save of a pause", play, pause),
    Kind("the save of a match's pause", pause_match, pause_long),
    Kind("settings that rested for a second", open_sound, change),
    Kind("the score at GAME OVER", pile_up, top_out),
    Kind("rewriting the journal", fill, pause, worn=True),
    Kind("rewriting the journal before a match goes on", fill_by_match, resume, worn=True),
    Kind("the first start, B held", stay_off, lambda player: switch_on(player, True), holds_b=True),
    Kind("rewriting the journal, B held", fill, pause, holds_b=True, worn=True),
    Kind("a recording kept at GAME OVER, B held", pile_up, top_out, holds_b=True),
)
NAMES = [kind.name for kind in KINDS]


def find(name: str) -> Kind:
    return next(kind for kind in KINDS if kind.name == name)
