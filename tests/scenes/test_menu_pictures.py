"""Pictures of every menu; at rest it draws, sends and allocates nothing."""

import pytest

from firmware.device.handheld import Machine
from firmware.engine.game import Game
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import DOWN, LEFT, MENUS, OURS, RIGHT, UP, A, Console, make_scene
from tests.support.needs import needs_wasm
from tools.measure import scripts

KEYS = {"L": LEFT, "R": RIGHT, "U": UP, "D": DOWN, "A": A}


class TestPictures:
    @pytest.mark.parametrize("name", OURS)
    def test_first_picture(self, name: str) -> None:
        Console(name).compare(name)

    @pytest.mark.parametrize("name", ["title", "main"])
    def test_picture_with_a_game_in_progress(self, name: str) -> None:
        Console(f"menus.{name}", suspended=Game(1), last=b"recording").compare(f"{name}_continue")

    def test_the_title_says_what_b_at_power_on_risks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Machine, "owns_drive", lambda _machine: True)
        Console("menus.title", suspended=Game(1), last=b"recording").compare("title_drive")

    @pytest.mark.parametrize(
        ("name", "line"),
        [("options.game_rules", line) for line in ("HOLD", "GHOST", "LOCK", "GOAL", "VANISH", "EXTRAS")]
        + [
            ("options.options", line)
            for line in ("SOUND", "SCREEN", "BUTTONS", "GAME RULES", "EASIER", "SHARE", "DEVICE")
        ]
        + [("options.handling", "SOFT"), ("options.handling", "GUARD"), ("options.sound", "effects_volume")]
        + [("options.controls", "HOLD"), ("options.controls", "TARGET")]
        + [("menus.main", "SPRINT"), ("menus.main", "OPTIONS"), ("menus.more_modes", "BAD DEALER")]
        + [("options.display", line) for line in ("FLIPPED", "DIM", "SLEEP", "MOTION", "CELLS")],
    )
    def test_picture_of_a_line(self, name: str, line: str) -> None:
        """By its words, or by the name of its setting if two lines have the same words."""
        console = Console(name)
        while line not in (console.scene.lines[console.scene.at].decode(), *console.scene.records[console.scene.at]):
            console.tap(DOWN)
        console.compare(f"{name}_at_{line.lower().replace(' ', '_')}")

    def test_picture_of_level_15(self) -> None:
        console = Console("menus.choose_level")
        console.tap(*[RIGHT] * 14)
        console.compare("menus.choose_level_14")

    @pytest.mark.parametrize(
        ("name", "letters"),
        [("options.game_rules", letters) for letters in ("LL", "DR", "DDR", "DDDDR")]
        + [
            ("options.device", "UUA"),
            ("options.display", "DDDDDDR"),
            ("options.sound", "R"),
            ("options.sound", "DDDDDA"),
            ("options.controls", "A"),
        ],
    )
    def test_picture_after_a_change(self, name: str, letters: str) -> None:
        console = Console(name)
        console.tap(*[KEYS[letter] for letter in letters])
        console.compare(f"{name}_{letters}")

    def test_picture_of_starting_blocks(self) -> None:
        console = Console("menus.choose_seed")
        console.tap(DOWN, DOWN, *[RIGHT] * 9)
        console.compare("choose_seed_blocks")

    @pytest.mark.parametrize(("moves", "name"), [(0, "landed"), (15, "spent"), (16, "locked")])
    def test_picture_of_the_lock_down_sample(self, moves: int, name: str) -> None:
        console = Console("options.game_rules")
        console.tap(DOWN, DOWN, DOWN)
        console.scene.begin_lock()
        console.step(10, 22 * moves + 20 if moves < 16 else 22 * 15 + 40)
        console.compare(f"options_lock_{name}")

    @pytest.mark.parametrize("name", MENUS)
    def test_nothing_is_left_over_from_another_line(self, name: str) -> None:
        """The picture of a line does not depend on the line before it."""
        console = Console(name)
        if name in ("options.game_rules", "options.handling", "options.display", "menus.choose_level"):
            console.step = lambda ms=0, frames=1: Handheld.step(console, 0, frames)  # type: ignore[method-assign]
        count = len(console.scene.lines)
        button = RIGHT if name == "menus.choose_level" else DOWN
        console.tap(button)
        before = console.picture()
        console.tap(*[button] * count)
        assert console.scene.at == 1
        if count <= console.scene.rows or name == "menus.choose_level":
            assert console.picture() == before


@pytest.mark.parametrize(
    "name", ["menus.main", "menus.more_modes", "options.options", "options.sound", "options.controls"]
)
def test_a_menu_at_rest_sends_nothing_to_the_display(name: str) -> None:
    console = Console(name)
    console.step()
    assert not any(console.display.canvas.dirty)
    console.scene.draw()
    assert not any(console.display.canvas.dirty)


LOCKED_SCRIPT = """
from firmware.save.settings import Settings

begin()
app.context.settings = Settings()
app.context.save_settings = app.context.apply_settings = lambda: None
app.idling.rest = lambda now_ms, scene: None  # the game behind the title has a test of its own
for name, lines in ({scenes}):
    go(name, frames=1)
    while app.router.loading:
        app.router.load_ahead(app.context)
    for line in range(lines):
        if line:
            app.router.scene.choose(line)
        play(3)
        play_locked(150)
    assert app.router.scene.at == lines - 1
print("frames", clock.frame)
"""


@needs_wasm
def test_a_frame_without_an_edge_allocates_nothing_at_any_line() -> None:
    """Two and a half seconds on each line; the samples move, the title blinks."""
    lines = {"menus.title": 1} | {name: len(make_scene(name).lines) for name in MENUS}
    played = scripts.run(scripts.ON_BOARD + LOCKED_SCRIPT.format(scenes=", ".join(map(str, lines.items()))))
    assert played.last_line == f"frames {153 * sum(lines.values()) + len(lines)}"
