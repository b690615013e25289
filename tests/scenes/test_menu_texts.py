"""The texts of the menus fit: lines, values beside them, and notes below."""

import pytest

from firmware.modes.lessons import puzzle_file
from firmware.save import presets
from firmware.scenes import menu
from firmware.scenes.menu import Menu
from firmware.scenes.options.controls import name_buttons
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from tests.support.handhelds.menus import MENUS, MS, list_records, make_scene, read_note

CHOICES = [name for name in MENUS if list_records(name)]


class TestFit:
    @pytest.mark.parametrize("name", MENUS)
    def test_lines_are_ten_glyphs_at_most_and_values_fit_beside_them(self, name: str) -> None:
        scene = make_scene(name)
        assert all(len(line) <= 10 for line in scene.lines) and len(scene.heading) <= 10
        shown = {
            line: [b"%d MS" % values[1]] if words == MS else words or [str(value).encode() for value in values]
            for line, _note, _setting, values, words in list_records(name)
        }
        for line in scene.lines:
            values = list(shown.get(line, []))
            if name == "options.controls" and line != b"RESET":
                values += [name_buttons(1 << i | 1 << j) for i in range(8) for j in range(8)]
            if line == b"ALL":
                values += presets.NAMES
            for value in values:
                assert 2 + text_width(line, FONT_5X7) + 3 + text_width(value, FONT_3X5) <= 61, (line, value)

    def test_every_choice_of_a_match_fits_beside_its_line_and_has_a_note(self) -> None:
        scene = make_scene("match.rules")
        for at, line in enumerate(scene.lines):
            notes = set()
            first = scene.value(at)
            while True:
                assert 2 + text_width(line, FONT_5X7) + 3 + text_width(scene.value(at), FONT_3X5) <= 61
                scene.at = at
                texts = read_note(scene)
                assert len(texts) <= 3 and all(text_width(text, FONT_3X5) <= 63 for text in texts)
                notes.add(b"|".join(texts))
                scene.turn(at, 1)
                if scene.value(at) == first:
                    break
            assert len(notes) == 1 + scene.notes[at].count(b"/")

    @pytest.mark.parametrize("at", range(puzzle_file.count()))
    def test_every_goal_of_a_puzzle_fits(self, at: int) -> None:
        scene = make_scene("learn.puzzle_menu")
        scene.at = at
        texts = read_note(scene)
        assert len(texts) <= 3 and all(text_width(text, FONT_3X5) <= 63 for text in texts), texts

    @pytest.mark.parametrize("name", [name for name in MENUS if name != "menus.choose_level"])
    def test_every_line_has_a_description_of_three_lines_at_most(self, name: str) -> None:
        scene = make_scene(name)
        assert len(scene.notes) == len(scene.lines) and all(scene.notes)
        values_of = {note: values for _line, note, _setting, values, _words in list_records(name)}
        for note in scene.notes:
            of_values = note.split(b"/")
            assert note not in values_of or len(of_values) in (1, len(values_of[note])), note
            for lines in (of_value.split(b"|") for of_value in of_values):
                assert len(lines) <= 3
                assert all(line and text_width(line, FONT_3X5) <= 63 for line in lines), note

    @pytest.mark.parametrize("name", CHOICES)
    def test_every_word_of_a_value_has_its_own_note(self, name: str) -> None:
        """A note per value, not per line; a brightness or a time needs none."""
        for line, note, _setting, values, words in list_records(name):
            if words and line not in (b"LIGHT", b"DIM", b"SLEEP", b"FLIPPED", b"SOFT") and words != MS:
                assert len(set(note.split(b"/"))) == len(values), line

    @pytest.mark.parametrize("term", [b"DAS", b"ARR", b"IRS", b"IHS", b"DCD", b"SOFT DROP FACTOR"])
    def test_notes_name_the_terms_that_players_know(self, term: bytes) -> None:
        scene = make_scene("options.handling")
        assert any(term in words for words in (*scene.lines, *scene.notes))


def test_sample_of_the_menu_has_room_above_its_description() -> None:
    assert menu.SAMPLE_Y > 13 + 10 * menu.SAMPLE_ROWS - 1 and menu.SAMPLE_Y + menu.SAMPLE_HEIGHT < 101
    assert Menu.rows == menu.ROWS
