"""The records of the options, and a new option made of one record."""

import ast
from pathlib import Path

import pytest

from firmware import option_table
from firmware.engine.options import Options
from firmware.match.options import MatchOptions
from firmware.save.settings import Settings
from tests.support.copied import ROOT, copy_sources, run_in_copy
from tests.support.records import packed

pytestmark = pytest.mark.no_cover

RECORDS = [record for record, _field in option_table.read()]
each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record[b"option"].split()[0].decode())
each_join = pytest.mark.parametrize("record", [each for each in option_table.read_records() if b"join" in each])
FIELDS = [field for _record, field in option_table.read()]
NEW_RECORDS = """
option: sparks {sparks} 0 2 1
menu: display SPARKS
words: NONE|FEW|MANY
note: NO SPARKS/A FEW SPARKS/MANY SPARKS

option: lift_ms {lift} 0 500 20
presets: 60 40 10 30 20
menu: handling LIFT
values: 10 20 40 90
note: LIFT: MS|BEFORE A|DROP

join: hold_on ghost_on
menu: rules HOLD GHOST
words: -|HOLD|GHOST|+
note: A/B/C/D
"""


def list_words(record: dict[bytes, bytes]) -> set[bytes]:
    """Return the words that begin the lines of a record, without comments."""
    return {word for word in record if word and not word.startswith(b"#")}


def test_adding_an_option_needs_only_its_record(tmp_path: Path) -> None:
    settings = Settings()
    settings.tune, settings.day, settings.das_ms = 2, 7, 200
    copy_sources(tmp_path)
    with (tmp_path / "firmware" / "options.txt").open("a", encoding="utf-8") as file:
        lift = len([field for field in FIELDS if field[0] < 100])
        file.write(NEW_RECORDS.format(lift=lift, sparks=100 + len(FIELDS) - lift))

    run_in_copy(tmp_path, "added_option.py", packed(settings).hex())


def test_every_option_has_its_default_within_its_range() -> None:
    options = Options()
    options.check()
    for name, least, most, default in option_table.GAME_FIELDS:
        assert least <= default <= most and getattr(options, name) == default


def test_places_of_a_game_and_of_the_settings_have_no_gap() -> None:
    places = sorted(field[0] for field in FIELDS)
    game = [place for place in places if place < 100]
    assert game == list(range(len(game))) and places[len(game) :] == list(range(100, 100 + len(places) - len(game)))


@each_record
def test_record_has_no_unknown_words(record: dict[bytes, bytes]) -> None:
    known = {b"option", b"presets", b"menu", b"values", b"words", b"note", b"title", b"modes"}
    assert list_words(record) <= known, "a word is misspelled"


@each_record
def test_an_option_has_a_name_a_place_a_range_and_a_default(record: dict[bytes, bytes]) -> None:
    assert len(record[b"option"].split()) == 5


@each_record
def test_an_option_with_a_line_in_a_menu_has_a_note(record: dict[bytes, bytes]) -> None:
    assert (b"menu" in record) == (b"note" in record)


def test_every_line_is_in_a_menu_that_exists() -> None:
    menus = {record[b"menu"].split()[0] for record in RECORDS if b"menu" in record}
    assert menus == {b"rules", b"handling", b"sound", b"display", b"easier", b"extras"}


@each_join
def test_a_joined_line_has_a_word_for_each_combination(record: dict[bytes, bytes]) -> None:
    names = record[b"join"].split()
    assert len(record[b"words"].split(b"|")) == 2 ** len(names)


@each_join
def test_a_joined_line_has_no_unknown_words(record: dict[bytes, bytes]) -> None:
    assert list_words(record) == {b"join", b"menu", b"words", b"note"}


@each_join
def test_a_joined_line_sets_options_of_one_menu_that_are_on_or_off(record: dict[bytes, bytes]) -> None:
    for name in record[b"join"].decode().split():
        (at,) = [at for at, field in enumerate(FIELDS) if field[1] == name]
        assert FIELDS[at][2:4] == [0, 1] and RECORDS[at][b"menu"].split()[0] == record[b"menu"].split()[0]


def test_every_option_that_the_firmware_reads_has_a_record() -> None:
    """mypy cannot check it: it accepts any attribute of these classes."""
    known = {str(field[1]) for field in FIELDS} | {*dir(Settings()), *dir(MatchOptions()), "FIELDS"}
    unknown = set()
    for path in (ROOT / "firmware").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, (ast.Name, ast.Attribute)):
                owner = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
                if owner in ("options", "settings") and not node.attr.isupper():
                    unknown.add((path.name, node.attr))
    assert {(name, attribute) for name, attribute in unknown if attribute not in known} == set()
