"""The records of the modes."""

import re
from pathlib import Path

import pytest

from firmware.modes import catalogue
from firmware.modes.listing import list_choices
from firmware.router import find_scene, load
from firmware.save.settings import Settings
from firmware.scenes.mode_opening import list_offers
from firmware.scenes.play.pause import _NOTES as PAUSE
from sim.library import MODES as MODES_BY_NAME
from tests.support.running import ROOT

DEFAULTS, *OTHERS = catalogue.read()
MODES = list(MODES_BY_NAME.values())
each_record = pytest.mark.parametrize("record", OTHERS, ids=lambda record: record[b"mode"].decode())
each_mode = pytest.mark.parametrize("record", MODES, ids=lambda record: record[b"mode"].decode())


class TestRegistry:
    def test_modes_are_numbered_without_a_gap(self) -> None:
        assert [int(record[b"mode"].split()[0]) for record in MODES] == list(range(len(MODES)))

    @each_record
    def test_record_has_no_unknown_words(self, record: dict[bytes, bytes]) -> None:
        aims = {word for word in record if re.fullmatch(rb"aim (any|\d+)|class \d", word)}
        assert set(record) - aims - {b"", b"help", b"picture", b"layout"} <= set(DEFAULTS), "a word is misspelled"

    @each_record
    def test_record_has_known_lines_of_a_pause_and_a_known_result(self, record: dict[bytes, bytes]) -> None:
        assert set(record[b"pause"].split(b"|")) <= set(PAUSE)
        assert re.fullmatch(rb"(points|lines|time) (most|fewest)", record[b"result"])

    @each_record
    def test_layout_and_scenes_of_a_record_exist(self, record: dict[bytes, bytes]) -> None:
        if b"layout" in record:
            assert callable(load(f"firmware.view.layouts.{record[b'layout'].decode()}").adapt)
        for word in (b"scene", b"next", b"menu"):
            assert Path(ROOT, *find_scene(record[word].decode(), 0).split(".")).with_suffix(".py").exists()

    @each_mode
    def test_default_is_one_of_the_aims(self, record: dict[bytes, bytes]) -> None:
        aims = [choice.aim for choice in list_choices([record])]
        assert not aims or int(record[b"default"]) in aims

    @each_mode
    def test_names_words_and_notes_fit_the_menu(self, record: dict[bytes, bytes]) -> None:
        for _aim, _sets_up, name, word, note in list_offers(Settings(), record)[0]:
            pixels = 6 * len(name) + 4 * len(word)
            assert len(name) <= 10 and pixels <= 58, f"'{name.decode()} {word.decode()}' has {pixels} pixels, 58 fit"
            lines = note.decode().split("|")
            assert len(lines) <= 3 and max(map(len, lines)) <= 16, f"a note has three lines of 16 glyphs: {lines}"

    def test_constants_of_the_catalogue_match_the_records(self) -> None:
        names = {record[b"mode"].split()[1].decode().upper().replace("-", "_"): at for at, record in enumerate(MODES)}
        names["ULTRA_LINES"] = names.pop("LINES")
        named = {name: value for name, value in vars(catalogue).items() if name[0].isalpha() and type(value) is int}
        assert "MARATHON" in named and named.items() <= names.items()
