"""OPTIONS > CHANGED: every option that is not at its default has a line in the words of its page, and a reset.

After any reset the settings are some that the option's own page can make, and what works is what a power-on with these
settings makes.
"""

import itertools
import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest

from firmware.engine.options import HALF_TURNS
from firmware.modes.catalogue import MARATHON, SPRINT, STANDARD, find
from firmware.modes.delays import NONE, OTHER, SHORT, find_delays, set_delays
from firmware.option_table import GAME_FIELDS, list_changeable, read_lines
from firmware.save.buttons import CONTROLS, TARGET, find_buttons, give, read
from firmware.save.settings import Settings
from firmware.save.settings_fields import FIELDS
from firmware.scenes.options import changed
from tests.support.drill import choose
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Bus, Handheld
from tests.support.handhelds.menus import open_at, read_saved
from tests.support.handhelds.pauses import A
from tests.support.records import packed

NAMES = list_changeable()[0]
VALUES: dict[str, Sequence[int]] = {
    name: range(least, most + 1) for name, least, most, _default in GAME_FIELDS + FIELDS if name in NAMES
}
VALUES |= {line[2]: line[3] for _page, line in read_lines() if line[4] != (b"MS",)}  # what a page offers
VALUES |= {"aim": (0, 20, 40, 100), "level": range(1, 16), "steady_repeat": (0, 1), "fast_bus": (0, 1)}
HOLD = 6
SINGLES = [1 << button for button in range(8)]

Change = Callable[[Settings], object]


class Kit(Handheld):
    """A handheld with a bus of two speeds and some wired buttons, just switched on with these settings."""

    def __init__(self, saved: bytes = b"", wired: int = 255) -> None:
        store = [RamStore(4096)]
        if saved:
            first = Handheld(store=store, first="menus.title")
            first.settings.restore(saved)
            first.context.save_settings()
        super().__init__(store=store, first="menus.title", wired=wired, bus=Bus())
        self.step(16, 2)

    def list_changed(self) -> Any:
        """Make the page without a picture; return its records."""
        self.page = changed.Scene(self.context)
        return self.page.records

    def reset(self, at: int) -> None:
        self.page.pick(at)

    def list_in_force(self) -> dict[str, Any]:
        """Return what the settings have done to the parts of the handheld."""
        context, device = self.context, self.device
        mapping: Any = context.mapping
        return {
            "settings": packed(self.settings),
            "screen": (self.display.chip.contrast, self.display.chip.com_remap, self.canvas.blocks),
            "bus": device.bus.hz,  # type: ignore[union-attr]
            "volumes": (self.voice.music_volume, self.voice.effects_volume),
            "buttons": (type(device.buttons).__name__, self.buttons.drops),
            "mapping": mapping and (type(mapping).__name__, bytes(mapping.masks), bytes(mapping.single)),
        }


def add_modern_rule(settings: Settings, rule: int) -> None:
    settings.modern |= 1 << rule


def list_single_changes() -> dict[str, Change]:
    """Return a change of each option to a value of its page that is no default."""
    usual = Settings()
    changes: dict[str, Change] = {}
    for name in NAMES:
        values = [value for value in VALUES[name] if value and value != getattr(usual, name)]
        changes[name] = partial(choose, **{name: values[-1] if values else 0})
    changes["delays"] = partial(set_delays, delays=NONE)
    for rule in range(2):
        changes[f"modern {rule}"] = partial(add_modern_rule, rule=rule)
    for control in range(CONTROLS):
        changes[f"buttons {control}"] = partial(give, control=control, mask=SINGLES[(control + 1) % 8])
    return changes


CHANGES = list_single_changes()


def draw_settings(draw: random.Random, wired: int) -> Settings:
    """Return settings with some options changed as their pages do."""
    settings = Settings()
    settings.variant = draw.choice((MARATHON, SPRINT, STANDARD))
    for name in draw.sample(NAMES, draw.randrange(len(NAMES))):
        setattr(settings, name, draw.choice(VALUES[name]))
    settings.modern = draw.randrange(4)
    set_delays(settings, draw.randrange(3))
    masks = [*SINGLES, *(1 << i | 1 << j for i, j in itertools.combinations(range(8), 2))]
    masks = [mask for mask in masks if not mask & ~wired]
    for _ in range(draw.randrange(5)):
        give(settings, draw.randrange(CONTROLS), draw.choice(masks))
    return settings


def list_masks(settings: Settings) -> list[int]:
    return [read(settings, control) for control in range(CONTROLS)]


def test_every_option_of_a_player_is_listed() -> None:
    game = {field[0] for field in GAME_FIELDS} - {"edition"}  # which no player chooses
    assert {*NAMES, "modern", "generation_ms", "animate_ms"} >= game, "every rule and all of the handling"
    assert {line[2] for _page, line in read_lines()} <= set(NAMES)


@pytest.mark.parametrize("name", CHANGES)
def test_each_option_has_a_line_that_resets_it_alone(name: str) -> None:
    kit = Kit()
    before = packed(kit.settings)
    CHANGES[name](kit.settings)
    kit.context.apply_settings()
    lines = kit.list_changed()
    assert lines[0][0] != b"NOTHING" and len(lines) == (2 if name.startswith("buttons") else 1)
    kit.reset(0)
    assert kit.page.lines == [b"NOTHING"] and packed(kit.settings) == before


@pytest.mark.parametrize("first", CHANGES)
def test_of_any_two_options_one_reset_leaves_the_other(first: str) -> None:
    kit = Kit()
    for second in CHANGES:
        if second == first or {first, second} == {"aim", "level"}:
            continue
        kit.settings.reset()
        CHANGES[second](kit.settings)
        alone = packed(kit.settings)
        kept = {record[2] for record in kit.list_changed()}
        CHANGES[first](kit.settings)
        kit.list_changed()
        for _ in range(CONTROLS):
            added = [at for at, record in enumerate(kit.page.records) if record[2] not in kept]
            if not added or not kit.page.records[added[0]][0]:
                break
            kit.reset(added[0])
            assert len({*list_masks(kit.settings)}) == CONTROLS, (first, second)
        if not (first.startswith("buttons") and second.startswith("buttons")):
            assert packed(kit.settings) == alone, (first, second)


@pytest.mark.parametrize("wired", [255, 511, 0x3F])
@pytest.mark.parametrize("seed", range(6))
def test_after_any_reset_the_handheld_is_as_after_a_power_on(seed: int, wired: int) -> None:
    draw = random.Random(1000 * wired + seed)
    kit = Kit(packed(draw_settings(draw, wired)), wired)
    while kit.list_changed()[0][2] != "":
        kit.reset(draw.randrange(len(kit.page.records)))
        assert len({*list_masks(kit.settings)}) == CONTROLS and find_delays(kit.settings) != OTHER
        wires = [mask for mask in list_masks(kit.settings)[:TARGET] if mask & ~wired]
        assert not wires and all(list_masks(kit.settings))
        kit.context.save_settings()
        kit.open("options.options", ms=0, frames=2)
        again = Kit(packed(read_saved(kit)), wired)
        again.open("options.options", ms=0, frames=3)
        assert kit.list_in_force() == again.list_in_force()
    assert list_masks(kit.settings) == [find_buttons(control, wired) for control in range(CONTROLS)]
    fresh = Kit(b"", wired).list_in_force()
    assert {**kit.list_in_force(), "settings": b""} == {**fresh, "settings": b""}, "of another mode"


PAGES = {"handling": "options.handling", "sound": "options.sound", "screen": "options.display"}
PAGES |= {"rules": "options.game_rules", "easier": "options.access", "extras": "options.extra_rules"}
PAGES |= {"buttons": "options.controls", "device": "options.device"}


@pytest.mark.parametrize("seed", range(8))
def test_a_line_has_the_words_of_its_page(seed: int) -> None:
    draw = random.Random(seed)
    settings = draw_settings(draw, 255)
    settings.one_switch = 0  # its cursor moves
    settings.steady_repeat = 1  # which no page shows
    kit = Kit(packed(settings))
    usual = Kit()
    for title, note, _option, value in kit.list_changed():
        page, _, line = note.split(b"|")[0].partition(b": ")
        scene = PAGES[page.decode().lower()]
        if title not in (b"LEVEL", b"BLOCKS", b"AIM", b"REPEAT"):  # which no page shows
            for each, shown in ((kit, value), (usual, note.split(b"|")[1].removeprefix(b"USUAL: "))):
                each.open(scene, ms=0, frames=3)
                values = [(name, each.scene.value(at)) for at, name in enumerate(each.scene.lines)]
                found = [spoken for name, spoken in values if name == title]
                if title in (b"IRS", b"IHS"):  # HANDLING has both in a line
                    found = [
                        b"ON" if spoken in (title, b"BOTH") else b"OFF" for name, spoken in values if title in name
                    ]
                assert line == title and shown in found, (title, shown, found)


def test_buttons_while_target_is_on_c_and_turns_by_180_are_on() -> None:
    kit = Kit()
    give(kit.settings, TARGET, SINGLES[HOLD])
    kit.settings.modern = HALF_TURNS
    records = kit.list_changed()
    shown = [(record[0], record[3]) for record in records]
    assert shown == [(b"180", b"ON"), (b"HOLD", b"C+S"), (b"TARGET", b"C")]
    kit.reset(1)
    assert kit.page.lines == [b"180"] and list_masks(kit.settings) == list_masks(Settings())


def test_a_hard_drop_moved_back_behind_a_switch_waits_for_its_own_button() -> None:
    settings = Settings()
    give(settings, 3, SINGLES[4])
    settings.one_switch = 600
    kit = Kit(packed(settings))
    assert kit.buttons.drops == SINGLES[4]
    assert [record[0] for record in kit.list_changed()] == [b"1 KEY", b"HARD", b"CW"]
    kit.reset(1)
    assert kit.buttons.drops == SINGLES[3]


@pytest.mark.parametrize(
    ("variant", "aim", "lines"),
    [(SPRINT, 40, [b"NOTHING"]), (SPRINT, 0, [b"NOTHING"]), (SPRINT, 100, [b"AIM"]), (STANDARD, 1, [b"REPEAT"])]
    + [(MARATHON, 1, [b"AIM"])],
)
def test_an_aim_is_changed_if_it_is_not_its_modes_first(variant: int, aim: int, lines: list[bytes]) -> None:
    kit = Kit()
    kit.settings.variant, kit.settings.aim = variant, aim
    kit.list_changed()
    assert kit.page.lines == lines
    if lines != [b"NOTHING"]:
        kit.reset(0)
        assert kit.page.lines == [b"NOTHING"] and kit.settings.aim == int(find(variant)[b"default"])


def test_a_level_goes_back_where_the_next_game_asks_for_one() -> None:
    kit = Kit()
    kit.settings.level = kit.settings.start_level = 7
    kit.list_changed()
    kit.reset(0)
    kit.open("menus.choose_level", frames=2)
    assert kit.scene.at == 0


def test_delays_are_one_line() -> None:
    kit = Kit()
    set_delays(kit.settings, SHORT)
    assert [record[0::3] for record in kit.list_changed()] == [(b"DELAYS", b"SHORT")]


class TestPictures:
    def test_nothing(self) -> None:
        open_at("options.changed", b"NOTHING").compare_at_rest("options_changed_nothing")

    def test_several(self) -> None:
        several = {"generation_ms": 80, "das_ms": 133, "garbage_rows": 3, "slow": 2, "music_volume": 1, "contrast": 15}
        open_at("options.changed", b"SPEED", **several).compare_at_rest("options_changed")

    def test_buttons(self) -> None:
        kit = Kit()
        give(kit.settings, TARGET, SINGLES[HOLD])
        kit.settings.modern = HALF_TURNS
        kit.open("options.changed", frames=3)
        kit.tap(A)
        kit.compare_at_rest("options_changed_buttons")
