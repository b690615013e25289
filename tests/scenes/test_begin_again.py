"""START held and R begin the same game again, in every scene that can follow the end of one.

ENDS is the table: a scene, and what leads there. Each is tried in every way of WAYS.
"""

import functools
from collections.abc import Callable
from typing import Any

import pytest

from firmware.engine.game import AIM_REACHED, BLOCK_OUT
from firmware.modes.catalogue import DAILY, FINESSE, MARATHON, SPRINT, STANDARD, ULTRA, ULTRA_LINES, WORST, ZEN
from firmware.modes.listing import list_tables
from firmware.resuming import resume_game
from firmware.save.scores import LETTERS, open_table
from firmware.scenes.play_state import READY, REST_MS
from firmware.tetress.record import start_record
from sim.contacts import Contacts
from sim.desktop.keyboard import Keyboard
from sim.rules import paste_rules
from sim.scenes import can_restart, is_steered
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import Arcade
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.pauses import DOWN, START, UP, A, go_on, open_game, power_on
from tests.support.variants import DIG, MASTER, SURVIVE, TEST_SPEC

FRAME_MS = 10
MOST_MS = 500  # from the press
Facts = tuple[Any, ...]


def play(variant: int, **settings: int) -> Handheld:
    """Return a handheld in a game that ends in its next frame."""
    handheld = power_on()
    handheld.change_settings(**settings)
    open_game(handheld, variant)
    handheld.wait_until(handheld.scene.is_playing, FRAME_MS)
    handheld.step(FRAME_MS, 30)
    handheld.tap(UP)
    handheld.step(40, 25)
    game = handheld.game
    game.score, game.lines = 4_000, 40
    if variant == SPRINT:
        game.mode.splits = [1_000, 2_000, 3_000]
    game.end(AIM_REACHED)
    return handheld


def play_match(wins: int) -> Handheld:
    """Return a handheld in a match whose round ends in its next frame; `wins` is its choice."""
    arcade = Arcade(WINS=wins)
    arcade.play_until_out()
    arcade.wait_until(lambda: arcade.match.time_ms >= arcade.match.ends_ms - FRAME_MS, FRAME_MS)
    return arcade


def lesson(name: str, subject: int, reason: int) -> Handheld:
    """Return a handheld in a puzzle or a training that ends in its next frame."""
    handheld = Handheld(first="menus.main", store=[RamStore()])
    handheld.open("learn." + name, subject, frames=40)
    handheld.game.end(reason)
    return handheld


def tetress() -> Handheld:
    handheld = Handheld(first="tetress.play", recording=start_record(0, 0, 7), store=[RamStore()])
    handheld.step(FRAME_MS, 5)
    handheld.tap(A)
    handheld.scene.game.over = True
    handheld.scene.ready()
    return handheld


def load_rules_in_pause() -> Handheld:
    """Return a handheld in a Sprint of 20 lines that ends in its next frame; in its pause other rules were loaded."""
    handheld = power_on()
    handheld.settings.aim = 20
    open_game(handheld, SPRINT)
    handheld.wait_until(handheld.scene.is_playing)
    handheld.tap(UP, START)
    assert not paste_rules(handheld.app, "SKY1-2A010-V4E2")
    handheld.step(frames=3)
    handheld.follow(DOWN, A, frames=3)
    assert handheld.settings.aim == 0
    resume_game(handheld.context)
    handheld.step(frames=3)
    handheld.resume()
    handheld.game.lines = 20
    handheld.game.end(AIM_REACHED)
    return handheld


MODES = {
    "marathon": (MARATHON, {"level": 7}),
    "starting blocks": (MARATHON, {"level": 2, "garbage_rows": 5}),
    "endless": (MARATHON, {"aim": 1}),
    "classic": (MARATHON, {"lock_rule": 2, "goal_rule": 1}),
    "sprint 20": (SPRINT, {"aim": 20}),
    "ultra": (ULTRA, {"level": 3}),
    "ultra lines": (ULTRA_LINES, {}),
    "dig": (DIG, {}),
    "survive": (SURVIVE, {}),
    "master": (MASTER, {}),
    "daily": (DAILY, {}),
    "zen": (ZEN, {}),
    "standard": (STANDARD, {"level": 4}),
    "test spec": (TEST_SPEC, {"level": 2}),
    "worst": (WORST, {}),
    "finesse": (FINESSE, {}),
}
FREE = ("edition", "generation_ms", "animate_ms")
PAGES = ("menus.over", "menus.over_pieces", "menus.scores_initials", "menus.scores")


def has_page(mode: str, name: str) -> bool:
    if name == "menus.over_pieces":
        return mode in ("standard", "test spec")
    if name == "menus.scores_initials":
        return mode not in ("starting blocks", "daily", "finesse")  # these games have no place in a table
    return name != "menus.over" or mode != "finesse"


# A game that is about to end, and the scene after it, or "" for the one in which it ends
ENDS: dict[str, tuple[Callable[[], Handheld], str]] = {
    "match": (lambda: play_match(0), ""),
    "match, a round": (lambda: play_match(1), ""),
    "match, match.over": (lambda: play_match(0), "match.over"),
    "puzzle, solved": (lambda: lesson("puzzle_play", 3, AIM_REACHED), ""),
    "puzzle, missed": (lambda: lesson("puzzle_play", 3, BLOCK_OUT), ""),
    "all clear, missed": (lambda: lesson("all_clear_play", 0, BLOCK_OUT), ""),
    "opener, built": (lambda: lesson("opener_play", 0, AIM_REACHED), ""),
    "tetress": (tetress, ""),
    **{
        f"{mode}, {name or 'GAME OVER'}": (functools.partial(play, MODES[mode][0], **MODES[mode][1]), name)
        for mode in MODES
        for name in ("", *PAGES)
        if has_page(mode, name)
    },
    **{f"rules loaded in the pause, {name or 'GAME OVER'}": (load_rules_in_pause, name) for name in ("", *PAGES[2:])},
}


def note(handheld: Handheld) -> tuple[object, Facts]:
    """Return the game on the screen, and what another game of the same kind has, too.

    The delays are options of the player's, which count for the next game if they changed in a pause.
    """
    scene: Any = handheld.scene
    session = handheld.session
    if handheld.name.startswith("match"):
        choices = handheld.settings.versus
        return (scene.match, scene.match.round), (choices, [vars(each) for each in scene.match.choices])
    if handheld.name == "tetress.play":
        return scene.game, (bytes(scene.head[:3]),)
    if handheld.name.startswith("learn.") and session.variant != FINESSE:
        return scene.game, (handheld.name, scene.number, getattr(scene, "task", b""), getattr(scene, "order", 0))
    options = {name: value for name, value in vars(scene.game.options).items() if name not in FREE}
    return scene.game, (session.variant, type(scene.game.mode).__name__, options)


def begins(handheld: Handheld, before: object) -> bool:
    """Return whether another game is on the screen, and runs."""
    scene: Any = handheld.scene
    if handheld.name == "match.play":
        return (scene.match, scene.match.round) != before and scene.is_playing()
    if handheld.name == "tetress.play":
        return scene.game is not before and not scene.game.over
    # A game of another class than the last one says so in READY.
    runs = scene.kind == "play" and (scene.is_playing() or handheld.name == "play.play" and scene.state == READY)
    return runs and scene.game is not before


def hold_before(handheld: Handheld) -> None:
    """Press START in the frame in which the game ends."""
    handheld.move(START, 1, FRAME_MS)


def hold_early(handheld: Handheld) -> None:
    """Press START in the first second, in which other presses mean nothing."""
    handheld.step(FRAME_MS, REST_MS // 3 // FRAME_MS)
    handheld.move(START, 1, FRAME_MS)


def press_r(handheld: Handheld) -> None:
    """Tap R on a PC."""
    contacts = Contacts()
    handheld.device.buttons = contacts
    handheld.step(FRAME_MS, 20)
    contacts.at_menu, contacts.restarts = not is_steered(handheld.scene), can_restart(handheld.scene)
    keyboard = Keyboard(contacts)
    keyboard.press("KeyR", handheld.clock.now_ms)
    handheld.step(FRAME_MS)
    keyboard.release("KeyR", handheld.clock.now_ms)


WAYS = {"held before": hold_before, "held early": hold_early, "R": press_r}


@pytest.mark.parametrize(
    ("end", "way"), [(end, way) for end in ENDS for way in WAYS if way != "held before" or not ENDS[end][1]]
)
def test_the_same_game_begins_in_half_a_second(end: str, way: str) -> None:
    make, name = ENDS[end]
    handheld = make()
    ended, facts = note(handheld)
    if name:
        go_on(handheld, name)
    WAYS[way](handheld)
    since_ms = handheld.clock.now_ms
    handheld.wait_until(lambda: begins(handheld, ended) or handheld.clock.now_ms - since_ms > MOST_MS, FRAME_MS)
    assert begins(handheld, ended), handheld.name
    again, its_facts = note(handheld)
    assert its_facts == facts
    handheld.step(FRAME_MS, 60)
    assert begins(handheld, ended) and note(handheld)[0] == again, "the same press does nothing more"


ANN_NUMBER = (ord("N") - ord("A")) * (len(LETTERS) + len(LETTERS) ** 2)


def read_initials(handheld: Handheld) -> bytes:
    """Return the initials at the first place of the table of Marathon."""
    kind = next(choice.kind for choice in list_tables() if choice.variant == MARATHON)
    return open_table(handheld.journal, kind).entry(0)[0]


@pytest.mark.parametrize("name", ["", "menus.over", "menus.scores_initials"])
@pytest.mark.parametrize(("number", "initials"), [(ANN_NUMBER, b"ANN"), (0, b"---")])
def test_the_last_initials_sign_at_once(number: int, initials: bytes, name: str) -> None:
    handheld = play(MARATHON, initials=number)
    ended = note(handheld)[0]
    handheld.step(FRAME_MS)
    assert read_initials(handheld) == initials
    if name:
        go_on(handheld, name)
    handheld.move(START, 1, FRAME_MS)
    handheld.wait_until(lambda: begins(handheld, ended), FRAME_MS)
    assert read_initials(handheld) == initials
