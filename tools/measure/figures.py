"""Write what the emulated firmware was measured to take."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """One measured figure; unit: s, ms, B, % or pieces/s."""

    what: str
    value: float
    unit: str = "s"

    @property
    def cell(self) -> str:
        digits = {"B": 0, "ms": 1}.get(self.unit, 2)
        return f"{self.value:,.{digits}f} {self.unit}"
