"""The tables in firmware/engine are what tools/ generates from the ASCII art."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from firmware.engine.profiles import FACINGS, PROFILES
from firmware.engine.tables import POINTS, SHAPES
from tools.assets import finesse, standard, tetriminos

GENERATED = [(tetriminos, "TARGET"), (tetriminos, "PROFILES_TARGET"), (finesse, "TARGET"), (standard, "TARGET")]


@pytest.mark.parametrize("generator", [tetriminos, finesse, standard])
def test_the_committed_tables_are_current(generator: ModuleType) -> None:
    assert generator.TARGET.read_text(encoding="utf-8") == generator.render()
    assert generator.main(["--check"]) == 0


@pytest.mark.parametrize(("generator", "target"), GENERATED)
def test_a_table_that_is_not_current_is_told(
    generator: ModuleType,
    target: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    stale = tmp_path / "table.py"
    stale.write_text("# old\n", encoding="utf-8")
    monkeypatch.setattr(generator, target, stale)
    assert generator.main(["--check"]) == 1
    assert "is not current" in capsys.readouterr().err
    assert generator.main([]) == 0
    assert generator.main(["--check"]) == 0


def test_a1_3_every_facing_has_four_minos() -> None:
    for shape in range(28):
        assert sum(bin(SHAPES[shape * 4 + row]).count("1") for row in range(4)) == 4


def cells_of(piece: int, facing: int) -> set[tuple[int, int]]:
    """Return the cells (column, row) of the box that hold a Mino, as the engine's masks tell."""
    start = piece * 16 + facing * 4
    return {(x, y) for y in range(4) for x in range(4) if SHAPES[start + y] >> x & 1}


@pytest.mark.parametrize("facing", range(4))
@pytest.mark.parametrize("piece", range(7))
def test_a1_3_a_profile_tells_by_columns_and_by_rows_the_shape_in_its_box(piece: int, facing: int) -> None:
    told = PROFILES[piece * 40 + facing * 10 :][:10]
    left, bottom, width = told[0] & 15, told[0] >> 4, told[1]
    by_rows = {(left + x, bottom + y) for y in range(4) for x in range(4) if told[6 + y] >> x & 1}
    by_columns = {(left + x, bottom + y) for x in range(width) for y in range(told[2 + x] & 15, told[2 + x] >> 4)}
    assert by_rows == by_columns == cells_of(piece, facing)
    assert told[2 + width : 6] == bytes(4 - width)
    assert min(told[2 + x] & 15 for x in range(width)) == 0
    assert any(told[6 + y] & 1 for y in range(4))


def test_a1_3_facings_are_counted_that_lie_differently() -> None:
    assert dict(zip(tetriminos.NAMES, FACINGS, strict=True)) == {"I": 2, "J": 4, "L": 4, "O": 1, "S": 2, "T": 4, "Z": 2}
    for piece, count in enumerate(FACINGS):
        profiles = [PROFILES[piece * 40 + facing * 10 + 1 :][:9] for facing in range(4)]
        assert len(set(profiles[:count])) == count
        assert profiles == (profiles[:count] * 4)[:4], "those after them are the same again"


def test_a1_4_turning_there_and_back_cancels_out() -> None:
    for box in range(2):
        for facing in range(4):
            there = box * 80 + facing * 20 + 10
            back = box * 80 + (facing + 1) % 4 * 20
            for value in range(10):
                assert POINTS[there + value] - 2 == -(POINTS[back + value] - 2)
