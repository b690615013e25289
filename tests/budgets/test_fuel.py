"""No moment of the engine costs a board more than 10 % above the figure written down in fuel.txt.

Fuel is the instructions that 32-bit MicroPython executes, the same number every run; some 150
of them take a microsecond on the board.
"""

from pathlib import Path

import pytest

from tests.support.needs import needs_wasm
from tools.measure import fuel, scripts


@pytest.fixture(scope="module")
def measured() -> dict[str, int]:
    return scripts.measure_moments()


class TestFuel:
    @needs_wasm
    @pytest.mark.parametrize("moment", scripts.MOMENTS)
    def test_moment_costs_what_is_written_down(self, measured: dict[str, int], moment: str) -> None:
        written = fuel.read()[moment]
        assert measured[moment] <= fuel.allowed(written), (
            f"{moment}: {measured[moment]} instructions, {100 * measured[moment] / written - 100:+.1f} % of the "
            f"{written} in tests/budgets/fuel.txt. Make it cheaper, or write the new figure down: {fuel.COMMAND}"
        )

    @needs_wasm
    def test_the_same_moment_costs_the_same_every_time(self, measured: dict[str, int]) -> None:
        assert scripts.measure_moments() == measured

    def test_every_moment_has_its_figure_and_none_is_left_over(self) -> None:
        assert list(fuel.read()) == list(scripts.MOMENTS)

    def test_a_tenth_more_is_allowed_and_no_more(self) -> None:
        assert (fuel.allowed(1000), fuel.allowed(1001)) == (1100, 1101)

    def test_figures_are_read_as_they_are_written(self, tmp_path: Path) -> None:
        path = tmp_path / "fuel.txt"
        path.write_text(fuel.render({"a short moment": 7, "another": 1234567}), encoding="utf-8")
        assert fuel.read(path) == {"a short moment": 7, "another": 1234567}

    def test_a_line_that_is_no_figure_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "fuel.txt"
        path.write_text("# head\nmuch  a moment\n", encoding="utf-8")
        with pytest.raises(ValueError, match="line 2: not a figure"):
            fuel.read(path)
