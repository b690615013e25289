"""The search for the fattest choices of a match, and the choices of a prepared handheld."""

import itertools
from pathlib import Path

import pytest

from firmware.save.match_choices import LEVELS, OPPONENTS, STARTING
from tools import markdown
from tools.board import BoardError, firmware_image, prepared
from tools.board.nvm import make_nvm
from tools.measure.room import __main__ as command
from tools.measure.room import fattest, matches
from tools.measure.room.fattest import Room, Row

ENDS = {"A": ("0", "1"), "B": ("0", "1", "2"), "C": ("0", "1"), "D": ("0", "1")}


def test_rows_cover_every_pair_of_ends() -> None:
    rows = list(fattest.cover_pairs(ENDS))
    for one, two in itertools.combinations(ENDS, 2):
        assert {(row[one], row[two]) for row in rows} == set(itertools.product(ENDS[one], ENDS[two]))
    assert len(rows) < 24 / 2


def test_the_search_finds_choices_that_cost_only_together() -> None:
    """C costs beside D only, and B=2 does not fit beside A."""

    def measure(row: Row) -> Room | None:
        if row["A"] == "1" and row["B"] == "2":
            return None
        free = 9000 - 500 * int(row["A"]) - 300 * int(row["B"]) - 2000 * (row["C"] == row["D"] == "1")
        return Room(free, 4096)

    row, room, table = fattest.search(measure, ENDS)

    rooms = [measure(dict(zip(ENDS, values, strict=True))) for values in itertools.product(*ENDS.values())]
    assert room == measure(row) == min(each for each in rooms if each)
    assert ["A", "1", "8,500", "4,096", "yes"] in table


def test_a_match_that_is_always_refused_is_an_error() -> None:
    with pytest.raises(BoardError, match="refused"):
        fattest.search(lambda _row: None, ENDS)


def test_every_end_of_the_search_can_be_set() -> None:
    for name, ends in fattest.ENDS.items():
        for end in ends:
            prepared.read_choices([f"{name}={end}"])


def test_filling_a_set_keeps_the_rows_of_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    begin, end = markdown.mark(*command.FIGURES)
    others = [""] * (len(matches.MOMENTS) - 1)
    old = [["10.0.0", "fattest", "1 / 2", *others], ["10.1.3", "linked", "3 / 4", *others]]
    page.write_text(begin + markdown.lay_out(matches.HEADS, old) + end)
    monkeypatch.setattr(command, "PAGE", page)
    monkeypatch.setattr(firmware_image, "choose", lambda _path: {"10.0.0": page})
    measured = [matches.Room("10.0.0", name, {"start": (5, 6)}) for name in ("fattest", "linked")]
    monkeypatch.setattr(matches, "measure", lambda _names, _versions: measured)

    assert command.main(["table", "--fill", "--options", "fattest", "linked"]) == 0

    rows = [row[:3] for row in markdown.read_rows(page, *command.FIGURES)]
    assert rows == [["10.0.0", "fattest", "5 / 6"], ["10.0.0", "linked", "5 / 6"], ["10.1.3", "linked", "3 / 4"]]


def test_choices_have_the_words_of_the_menus() -> None:
    nvm = prepared.read_choices(["OPPONENTS=3", "LEVELS=HAWK", "ROWS=5", "BY EAR=ALL", "CELLS=6 PX", "BUTTONS=6"])
    levels = dict.fromkeys(range(LEVELS, LEVELS + 3), 4)
    buttons = bytearray(b"\x01\x02\x04\x08\x10\x20\x30\x03")
    assert nvm == make_nvm({OPPONENTS: 2, STARTING: 5} | levels, by_ear=2, large_cells=1, buttons=buttons)


def test_a_field_is_set_by_its_number() -> None:
    assert prepared.read_choices(["modern=7", "by_ear=2", "DAS=90"]) == make_nvm(modern=7, by_ear=2, das_ms=90)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("SOUNDS=ON", "there is no setting 'SOUNDS'"),
        ("BY EAR=LOUD", "LOUD is none of OFF, NEXT, ALL"),
        ("ROWS", "nothing is none"),
        ("initials=70000", "70000 is not a whole number from 0 to 59319$"),
        ("das_ms=soon", "soon is not a whole number from 1 to 1000$"),
        ("versus=3", "there is no setting 'versus'"),
        ("DAS=9999", "9999 is not a whole number from "),
        ("DAS=MS", "MS is not a whole number from "),
    ],
)
def test_a_wrong_choice_gets_one_line(line: str, words: str) -> None:
    with pytest.raises(BoardError, match=words):
        prepared.read_choices([line])


def test_a_row_names_the_exception_after_the_last_moment() -> None:
    traceback = (
        "Traceback (most recent call last):\n  File ...\nMemoryError: allocating 448 bytes\n\nCode done running.\n"
    )
    room = matches.Room("10.0.0", "fattest", {"start": (9440, 5424)}, matches.find_error(traceback))
    assert room.cells[:4] == ["10.0.0", "fattest", "9,440 / 5,424", "MemoryError"]


def test_a_row_has_a_cell_for_each_moment() -> None:
    room = matches.Room("10.1.3", "fattest", {"start": (9440, 5424), "results": (20000, 640)})
    assert room.cells == ["10.1.3", "fattest", "9,440 / 5,424", *[""] * 8, "20,000 / 640"]
