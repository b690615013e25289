"""No moment of the engine costs a board over 10 % more than its figure in fuel.txt.

Fuel is the number of instructions that 32-bit MicroPython executes, equal in every run; about 150
of them take a microsecond on the board.
"""

from pathlib import Path

import pytest

from tests.support.needs import needs_wasm
from tools.measure import fuel


@pytest.fixture(scope="module")
def measured() -> dict[str, int]:
    return fuel.measure_moments()


class TestFuel:
    @needs_wasm
    @pytest.mark.parametrize("moment", fuel.MOMENTS)
    def test_moment_costs_at_most_a_tenth_more_than_its_figure(self, measured: dict[str, int], moment: str) -> None:
        written = fuel.read()[moment]
        assert measured[moment] <= fuel.allowed(written), (
            f"{moment}: {measured[moment]} instructions, {100 * measured[moment] / written - 100:+.1f} % of the "
            f"{written} in tests/budgets/fuel.txt. Make it cheaper, or write the new figure down: {fuel.COMMAND}"
        )

    def test_fuel_txt_has_one_figure_for_each_moment(self) -> None:
        assert list(fuel.read()) == list(fuel.MOMENTS)

    def test_a_tenth_more_is_allowed_and_no_more(self) -> None:
        assert (fuel.allowed(1000), fuel.allowed(1001)) == (1100, 1101)

    def test_figures_survive_writing_and_reading(self, tmp_path: Path) -> None:
        path = tmp_path / "fuel.txt"
        path.write_text(fuel.render({"a short moment": 7, "another": 1234567}), encoding="utf-8")
        assert fuel.read(path) == {"a short moment": 7, "another": 1234567}

    def test_a_line_without_a_figure_is_an_error(self, tmp_path: Path) -> None:
        path = tmp_path / "fuel.txt"
        path.write_text("# head\nmuch  a moment\n", encoding="utf-8")
        with pytest.raises(ValueError, match="line 2: not a figure"):
            fuel.read(path)
