"""The tables in firmware/engine are what tools/ generates from the ASCII art."""

from __future__ import annotations

from types import ModuleType

import pytest

from firmware.engine.tables import POINTS, SHAPES
from tools import finesse, standard, tetriminos


@pytest.mark.parametrize("generator", [tetriminos, finesse, standard])
def test_the_committed_table_is_current(generator: ModuleType) -> None:
    assert generator.TARGET.read_text(encoding="utf-8") == generator.render()
    assert generator.main(["--check"]) == 0


@pytest.mark.parametrize("generator", [tetriminos, finesse, standard])
def test_a_table_that_is_not_current_is_told(
    generator: ModuleType, tmp_path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "table.py"
    stale.write_text("# old\n", encoding="utf-8")
    monkeypatch.setattr(generator, "TARGET", stale)
    assert generator.main(["--check"]) == 1
    assert "is not current" in capsys.readouterr().err
    assert generator.main([]) == 0
    assert generator.main(["--check"]) == 0


def test_a1_3_every_facing_has_four_minos() -> None:
    for shape in range(28):
        assert sum(bin(SHAPES[shape * 4 + row]).count("1") for row in range(4)) == 4


def test_a1_4_turning_there_and_back_cancels_out() -> None:
    for box in range(2):
        for facing in range(4):
            there = box * 80 + facing * 20 + 10
            back = box * 80 + (facing + 1) % 4 * 20
            for value in range(10):
                assert POINTS[there + value] - 2 == -(POINTS[back + value] - 2)
