"""The handling in single milliseconds, in frames, and by presets that players know; DCD is a delay (5.2)."""

import pytest

from firmware.compat import ticks_diff
from firmware.engine.options import Options
from firmware.option_table import GAME_FIELDS, read_lines
from firmware.save.presets import FAST, GUIDELINE, HANDLING, NAMES, find_preset, handle
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.settings import Settings
from firmware.save.settings_fields import MOST_BYTES
from firmware.view.art import FONT_3X5
from firmware.view.canvas import text_width
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import open_at, read_note, read_saved
from tests.support.handhelds.pauses import LEFT, RIGHT, B
from tests.support.records import packed

LINES = {b"DAS": "das_ms", b"ARR": "arr_ms", b"GUARD": "guard_ms", b"DCD": "cut_repeat"}
OFFERED = {"das_ms": (1, 1000), "arr_ms": (0, 500), "guard_ms": (0, 500), "cut_repeat": (0, 1000)}
FIELDS = {name: (least, most, default) for name, least, most, default in GAME_FIELDS}


def hold(handheld: Handheld, button: int, ms: int) -> None:
    """Hold a button for some time, in frames of 10 ms."""
    handheld.move(button, 1, 10, ms // 10)
    handheld.move(button, 0)


class TestMilliseconds:
    @pytest.mark.parametrize(("line", "name"), LINES.items())
    def test_a_press_changes_by_one(self, line: bytes, name: str) -> None:
        handheld = open_at("options.handling", line, **{name: 167})
        handheld.tap(RIGHT)
        assert getattr(handheld.settings, name) == 168 and handheld.scene.value(handheld.scene.at) == b"168 MS"
        handheld.tap(LEFT, LEFT, B)
        assert getattr(handheld.settings, name) == getattr(read_saved(handheld), name) == 166

    @pytest.mark.parametrize(("line", "name"), LINES.items())
    def test_it_stops_at_the_ends(self, line: bytes, name: str) -> None:
        least, most = OFFERED[name]
        for end, button in ((least, LEFT), (most, RIGHT)):
            handheld = open_at("options.handling", line, **{name: end})
            handheld.tap(button)
            assert getattr(handheld.settings, name) == end

    def test_a_held_button_runs_in_tens_after_a_second(self) -> None:
        handheld = open_at("options.handling", b"DAS", das_ms=300)
        hold(handheld, LEFT, 1000)
        assert 290 < handheld.settings.das_ms < 298, "ones first"
        hold(handheld, LEFT, 2500)
        assert handheld.settings.das_ms % 10 == 0 and 140 <= handheld.settings.das_ms <= 180
        handheld.tap(LEFT)
        assert handheld.settings.das_ms % 10 == 9, "a new press goes on by one"

    def test_from_the_guideline_to_167_takes_under_four_seconds(self) -> None:
        handheld = open_at("options.handling", b"DAS", das_ms=300)
        begun_ms = handheld.clock.ticks_ms()
        handheld.move(LEFT, 1)
        while handheld.settings.das_ms > 170:
            handheld.step(10)
        handheld.move(LEFT, 0)
        handheld.tap(LEFT, LEFT, LEFT)
        assert handheld.settings.das_ms == 167
        assert ticks_diff(handheld.clock.ticks_ms(), begun_ms) < 4000

    @pytest.mark.parametrize(
        ("ms", "frames"), [(0, b"0.0"), (1, b"0.1"), (8, b"0.5"), (33, b"2.0"), (167, b"10.0"), (1000, b"60.0")]
    )
    def test_the_note_tells_frames_of_60_hz(self, ms: int, frames: bytes) -> None:
        handheld = open_at("options.handling", b"GUARD", guard_ms=ms)
        assert read_note(handheld.scene)[0] == frames + b" FRAMES"

    @pytest.mark.parametrize(("line", "name"), LINES.items())
    def test_notes_have_three_lines_that_fit(self, line: bytes, name: str) -> None:
        notes = read_note(open_at("options.handling", line, **{name: OFFERED[name][1]}).scene)
        assert len(notes) == 3 and all(text_width(note, FONT_3X5) <= 63 for note in notes)

    def test_every_time_of_the_handling_has_every_millisecond(self) -> None:
        by_ms = {line[2]: line[3] for page, line in read_lines() if page == b"handling" and line[4] == (b"MS",)}
        assert by_ms == OFFERED
        assert {name for name in HANDLING if name.endswith("_ms")} <= set(by_ms)

    def test_picture_of_milliseconds(self) -> None:
        handheld = open_at("options.handling", b"ARR", arr_ms=33)
        handheld.compare("options.handling_at_arr")


class TestDcd:
    def test_on_shows_as_das(self) -> None:
        handheld = open_at("options.handling", b"DCD", cut_repeat=1, das_ms=350)
        assert handheld.scene.value(handheld.scene.at) == b"DAS" and read_note(handheld.scene)[0] == b"21.0 FRAMES"
        handheld.compare("options.handling_at_dcd")
        handheld.tap(B)
        assert read_saved(handheld).cut_repeat == 1
        changed = open_at("options.changed", b"DCD", cut_repeat=1)
        assert changed.scene.value(changed.scene.at) == b"DAS"


class TestInitial:
    """IRS and IHS share a line; a recording and the settings keep them apart."""

    @pytest.mark.parametrize("value", range(4))
    def test_a_word_for_each_pair(self, value: int) -> None:
        handheld = open_at("options.handling", b"IRS IHS", initial_rotation=value & 1, initial_hold=value >> 1)
        words = [b"OFF", b"IRS", b"IHS", b"BOTH"]
        assert handheld.scene.value(handheld.scene.at) == words[value]
        handheld.tap(RIGHT)
        following = (value + 1) % 4
        assert handheld.scene.value(handheld.scene.at) == words[following]
        handheld.tap(B)
        saved = read_saved(handheld)
        assert (saved.initial_rotation, saved.initial_hold) == (following & 1, following >> 1)

    def test_the_preset_sets_both(self) -> None:
        handheld = open_at("options.handling", b"IRS IHS")
        handle(handheld.settings, FAST)
        assert handheld.scene.value(handheld.scene.at) == b"BOTH" and handheld.scene.value(0) == b"FAST"
        handheld.tap(RIGHT)
        assert handheld.scene.value(0) == b"OWN"

    @pytest.mark.parametrize("value", range(4))
    def test_pictures(self, value: int) -> None:
        handheld = open_at("options.handling", b"IRS IHS", initial_rotation=value & 1, initial_hold=value >> 1)
        handheld.compare(f"options.handling_at_initial_{value}")


class TestPresets:
    def test_their_names_and_figures(self) -> None:
        assert NAMES == (b"RELAXED", b"GUIDELINE", b"FAST", b"167/33", b"133/10", b"OWN")
        for preset, name in enumerate(NAMES[:-1]):
            chosen = Options()
            handle(chosen, preset)
            chosen.check()
            assert find_preset(chosen) == preset
            if b"/" in name:
                assert name == b"%d/%d" % (chosen.das_ms, chosen.arr_ms)

    def test_the_menu_goes_through_all_of_them(self) -> None:
        handheld = open_at("options.handling", b"ALL")
        shown = []
        for _ in NAMES[:-1]:
            shown.append(handheld.scene.value(0))
            if b"/" in shown[-1]:
                handheld.compare("options.handling_" + shown[-1].decode().replace("/", "_"))
            handheld.tap(RIGHT)
        assert shown == [NAMES[at % 5] for at in range(1, 6)] and handheld.scene.value(0) == NAMES[1]

    @pytest.mark.parametrize(("button", "name"), [(LEFT, b"133/10"), (RIGHT, b"RELAXED")])
    def test_beside_own_are_the_last_and_the_first(self, button: int, name: bytes) -> None:
        handheld = open_at("options.handling", b"ALL", das_ms=299)
        assert handheld.scene.value(0) == b"OWN"
        handheld.tap(button)
        assert handheld.scene.value(0) == name


class TestOlderRecords:
    def test_presets_of_older_versions_are_still_known(self) -> None:
        """Their values must not change: saved settings have the values, not the name."""
        for preset, values in ((0, (350, 90, 10, 1, 0, 0, 250, 1, 1)), (FAST, (133, 10, 40, 1, 1, 1, 100, 0, 1))):
            settings = Settings()
            for name, value in zip(HANDLING, values, strict=True):
                setattr(settings, name, value)
            assert find_preset(settings) == preset
        assert find_preset(Settings()) == GUIDELINE

    def test_the_longest_settings_still_fit(self) -> None:
        settings = Settings()
        for name, (_least, most, _default) in FIELDS.items():
            setattr(settings, name, most)
        assert len(packed(settings)) <= MOST_BYTES

    def test_a_recording_says_its_handling(self) -> None:
        chosen = Options()
        for name in LINES.values():
            setattr(chosen, name, 167)
        recorder = Recorder(200)
        recorder.begin_game(0, 1, chosen)
        found = Recording(recorder.recorded(0)).options
        assert [getattr(found, name) for name in LINES.values()] == [167] * 4
