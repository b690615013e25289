"""Settings outlive power-off, other versions of Skyline, and random bytes."""

import random
from types import SimpleNamespace

import pytest

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.option_table import GAME_FIELDS
from firmware.save import early_settings
from firmware.save.journal import SETTINGS, Journal
from firmware.save.presets import CUSTOM, FAST, GUIDELINE, RELAXED, find_preset, handle
from firmware.save.settings import Settings
from firmware.save.settings_fields import FIELDS, MOST_BYTES
from sim.library import MODES
from tests.support.flash import RamStore
from tests.support.records import packed

ALL_FIELDS = (*GAME_FIELDS, ("variant", 0, len(MODES) - 1, 0), *FIELDS[1:])
# Offset of the first setting after the engine's options; das_ms, generation_ms and animate_ms take two bytes.
AFTER = 2 + len(GAME_FIELDS) + 3


def restored(payload: bytes) -> Settings:
    settings = Settings()
    settings.music_on = 0
    settings.buttons[0] = 0
    settings.restore(payload)
    return settings


def chance_settings(rng: random.Random) -> Settings:
    settings = Settings()
    for name, least, most, _default in ALL_FIELDS:
        setattr(settings, name, rng.randint(least, most))
    settings.buttons[:] = rng.randbytes(8)
    return settings


def make_record(settings: Settings, fewer: int, more: bytes) -> bytes:
    """Return a record without the engine's last options, a byte each, or with one more."""
    payload = packed(settings)
    assert payload[1] == len(GAME_FIELDS)
    count = len(GAME_FIELDS) - fewer + (more != b"")
    return bytes([1, count]) + payload[2 : AFTER - fewer] + more + payload[AFTER:]


class TestRecord:
    def test_every_setting_is_restored(self) -> None:
        rng = random.Random(1)
        for _ in range(50):
            settings = chance_settings(rng)
            assert vars(restored(packed(settings))) == vars(settings)

    @pytest.mark.parametrize(("name", "least", "most", "default"), ALL_FIELDS)
    def test_value_out_of_its_range_becomes_the_default(self, name: str, least: int, most: int, default: int) -> None:
        assert least <= default <= most
        for value in {least, most, max(least - 1, 0), most + 1}:
            settings = chance_settings(random.Random(name))
            setattr(settings, name, value)
            expected = value if least <= value <= most else getattr(Settings(), name)
            assert vars(restored(packed(settings))) == {**vars(settings), name: expected}, "no other setting changes"

    def test_set_screen_applies_the_saved_settings(self) -> None:
        """The newest record counts. Without a record the screen stays as it is."""
        rng = random.Random(2)
        store = RamStore(8192)
        journal = Journal([store])
        calls: list[int] = []
        panel = SimpleNamespace(turn=calls.append, contrast=calls.append)
        assert not early_settings.set_screen([store], panel) and calls == []
        for _ in range(30):
            settings = chance_settings(rng)
            journal.save(SETTINGS, settings.pack(journal.payload))
            assert early_settings.set_screen([store], panel) == bool(settings.ready)
            assert calls[-2:] == [settings.turned, settings.contrast]
        assert len(calls) == 60

    def test_reset_sets_every_default(self) -> None:
        settings = chance_settings(random.Random(2))
        settings.reset()
        assert vars(settings) == vars(Settings())
        assert bytes(settings.buttons) == b"\x01\x02\x04\x08\x10\x20\x40\x80"

    @pytest.mark.parametrize("payload", [b"", b"\x02" + packed(chance_settings(random.Random(3)))[1:]])
    def test_invalid_record_gives_the_defaults(self, payload: bytes) -> None:
        assert vars(restored(payload)) == vars(Settings())

    def test_any_bytes_make_settings_within_their_ranges(self) -> None:
        rng = random.Random(4)
        for length in list(range(80)) * 10:
            settings = restored(b"\x01" + rng.randbytes(length))
            for name, least, most, _default in ALL_FIELDS:
                assert least <= getattr(settings, name) <= most

    def test_record_that_ends_early_leaves_the_rest_at_the_defaults(self) -> None:
        settings = Settings()
        settings.level, settings.day = 7, 1
        last, _least, most, default = FIELDS[-1]
        setattr(settings, last, most)
        record = packed(settings)
        assert all(len(restored(record[:end]).buttons) == 8 for end in range(len(record)))
        cut = restored(record[:-1])
        assert (cut.level, cut.day, getattr(cut, last)) == (7, 1, default)

    @pytest.mark.parametrize(("fewer", "more"), [(1, b""), (0, b"\x90\x01")])
    def test_record_of_an_engine_with_an_option_less_or_more_is_read(self, fewer: int, more: bytes) -> None:
        settings = Settings()
        settings.music_on = 0
        assert vars(restored(make_record(settings, fewer, more))) == vars(settings)

    def test_longest_record_has_at_most_its_bytes(self) -> None:
        settings = Settings()
        for name, _least, most, _default in ALL_FIELDS:
            setattr(settings, name, most)
        settings.buttons[:] = b"\xff" * 8
        assert len(packed(settings)) <= MOST_BYTES

    def test_apply_gives_the_engine_its_options_and_nothing_else(self) -> None:
        settings = chance_settings(random.Random(5))
        chosen = Options()
        settings.apply(chosen)
        assert vars(chosen) == {name: getattr(settings, name) for name, *_ in GAME_FIELDS}

    def test_no_field_is_named_twice(self) -> None:
        names = [name for name, *_ in ALL_FIELDS]
        assert len(set(names)) == len(names)

    def test_early_presses_and_steady_repeat_are_on_in_settings_only(self) -> None:
        """5.2: settings of older versions get them, too; the engine's own defaults stay off."""
        assert (Options().early_presses, Options().steady_repeat) == (0, 0)
        assert (Settings().early_presses, Settings().steady_repeat) == (1, 1)
        older = restored(make_record(Settings(), 2, b""))
        assert (older.early_presses, older.steady_repeat) == (1, 1)


class TestPresets:
    @pytest.mark.parametrize("preset", [RELAXED, GUIDELINE, FAST])
    def test_preset_is_recognised_until_a_number_changes(self, preset: int) -> None:
        settings = Settings()
        handle(settings, preset)
        settings.check()
        assert find_preset(settings) == preset
        settings.das_ms -= 1
        assert find_preset(settings) == CUSTOM

    def test_defaults_are_those_of_the_guideline(self) -> None:
        settings = Settings()
        assert find_preset(settings) == GUIDELINE
        handle(settings, FAST)
        handle(settings, GUIDELINE)
        assert vars(settings) == vars(Settings())

    def test_preset_changes_the_handling_only(self) -> None:
        settings = Settings()
        settings.level, settings.lock_rule, settings.music_on = 9, 2, 0
        handle(settings, FAST)
        assert (settings.level, settings.lock_rule, settings.music_on) == (9, 2, 0)

    def test_presets_grow_faster(self) -> None:
        """Measure the time from the middle to the wall with a held button."""
        needed_ms = []
        for preset in (RELAXED, GUIDELINE, FAST):
            chosen = Options()
            handle(chosen, preset)
            game = Game(1, chosen)
            game.start(0)
            game.advance(1)
            game.input(controls.LEFT, 1, 1)
            t_ms = 1
            while game.a & 7 == 0 and game.x > 0:
                t_ms += 1
                game.advance(t_ms)
            needed_ms.append(t_ms)
        assert needed_ms == sorted(needed_ms, reverse=True) and len(set(needed_ms)) == 3
