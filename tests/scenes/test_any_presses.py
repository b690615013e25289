"""Any presses on any screen, and power cuts: a handheld keeps running, alone and linked."""

import random

import pytest

from firmware.engine import controls
from firmware.save import match_choices
from sim.library import MODES
from tests.support.flash import RamStore
from tests.support.handhelds.arcade import Arcade
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.linked import Linked, Table
from tests.support.handhelds.walker import find_game
from tests.support.stacking import choose_moves

pytestmark = pytest.mark.no_cover

A, START, DROP = controls.ROTATE_CW, controls.PAUSE, controls.HARD_DROP
BUTTONS = 8
CHOICES = (
    *("OPPONENTS", "LEVELS", "TEAMS", "TARGET", "WINS", "STARTING", "STARTING_SOLID", "SOLID"),
    *("QUICKEN", "HANDICAP", "TOGETHER"),
)
SCENES = (
    *("menus.title", "menus.main", "match.menu", "match.rules", "menus.more_modes", "learn.puzzle_menu"),
    *("learn.menu", "options.options", "options.access", "rules.menu", "rules.line_entry"),
    *("learn.opener_menu", "learn.all_clear_menu"),
)
MENUS = (
    *SCENES,
    *("help.help", "against.menu", "menus.score_list", "menus.scores", "menus.lifetime_statistics"),
    *("tetress.menu", "link.lobby"),
)
TARGETS = (
    *("menus.main", "menus.more_modes", "match.play", "learn.puzzle_menu", "tetress.menu", "against.menu"),
    "menus.lifetime_statistics",
)


class Person:
    """Press buttons: mostly good moves in play, so that lines are cleared and sent; elsewhere any button.

    paused, played: the number of pauses, and of Tetriminos played.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.paused = self.played = 0

    def press(self, handheld: Handheld) -> int:
        """Press a button, or play a Tetrimino; return the number of frames to wait."""
        rng = self.rng
        game = find_game(handheld.scene)
        if game and game.piece and rng.random() < 0.85:
            if rng.random() < 0.06:
                self.paused += 1
                handheld.press(START)
                return 1
            for button in choose_moves(game):
                handheld.press(button)
            self.played += 1
            handheld.press(DROP)
            return rng.choice((1, 2, 6, 20))
        button = rng.choice((A, A, A, START, *range(BUTTONS)))
        if handheld.name == "link.lobby" and rng.random() < 0.7:
            button = A
        handheld.press(button, rng.choice((0, 0, 30, 300)))
        if rng.random() < 0.2:
            handheld.press(rng.randrange(BUTTONS))  # within the same frame
        return rng.choice((1, 2, 5, 30))


def power_on(rng: random.Random, stores: list[RamStore]) -> Arcade:
    """Start a handheld at a random screen, half of the time in a match with random choices."""
    first = "match.play" if rng.random() < 0.5 else rng.choice(SCENES)
    chosen = {name: rng.randrange(match_choices.COUNTS[getattr(match_choices, name)]) for name in CHOICES}
    return Arcade(first, store=stores, **chosen)


@pytest.mark.parametrize(
    ("seed", "presses"), [(103, 700), *(pytest.param(seed, 1500, marks=pytest.mark.long) for seed in range(60))]
)
def test_a_handheld_survives_any_presses(seed: int, presses: int) -> None:
    rng = random.Random(seed)
    person = Person(rng)
    stores = [RamStore(rng.choice((4096, 8192))) for _ in range(rng.choice((1, 2)))]
    handheld = power_on(rng, stores)
    for _ in range(presses):
        handheld.step(rng.choice((8, 16, 16, 40)), person.press(handheld))
        if handheld.name in MENUS and rng.random() < 0.1:
            # Go to another screen, or to a new game of any mode, as presses could.
            settings, session = handheld.settings, handheld.session
            settings.variant, settings.aim, name = rng.randrange(len(MODES)), rng.randrange(2), rng.choice(TARGETS)
            if session.last and rng.random() < 0.2:
                handheld.router.watch(rng.choice((session.watcher, "review.review")), None, "learn.menu")
            elif session.suspended and name == "match.play":
                handheld.go("menus.continue_or_new", ("match.menu", 0))
            else:
                handheld.go(name, rng.randrange(3) if name == "menus.lifetime_statistics" else None)
        if rng.random() < 0.004:
            handheld = power_on(rng, stores)
    assert person.paused and person.played


@pytest.mark.parametrize(
    ("seed", "frames"), [(7, 2500), *(pytest.param(seed, 10_000, marks=pytest.mark.long) for seed in range(40))]
)
def test_linked_handhelds_survive_any_presses(seed: int, frames: int) -> None:
    rng = random.Random(seed)
    table = Table(rng.choice((2, 3, 4)))
    table.meet()
    persons = [Person(rng) for _ in table.handhelds]
    due_frames = [0] * len(persons)
    for frame in range(frames):
        for place, person in enumerate(persons):
            if frame < due_frames[place]:
                continue
            handheld = table[place]
            if handheld.name in MENUS and handheld.name != "link.lobby" and rng.random() < 0.3:
                handheld.go("link.lobby")
            due_frames[place] = frame + 2 + person.press(handheld)
            if rng.random() < 0.0007:
                table.handhelds[place] = Linked(handheld.pipe, place, "link.lobby")
        table.step()
    assert any(person.played for person in persons)
