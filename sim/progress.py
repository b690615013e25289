"""Show progress on stderr for work that takes longer than a second (tqdm)."""

from collections.abc import Iterable
from typing import Any, TypeVar

Item = TypeVar("Item")

_PATIENCE_S = 1.0


def bar(title: str, total: float, unit: str) -> Any:
    """Return tqdm's bar of `total` units as a context manager; it appears after a second, and never in a file."""
    from tqdm import tqdm

    return tqdm(
        desc=title,
        total=total,
        unit=unit,
        delay=_PATIENCE_S,
        leave=False,
        disable=None,
        bar_format="{l_bar}{bar}| {n:.0f}/{total:.0f} {unit}, {remaining} left",
    )


def follow(items: Iterable[Item], title: str, total: int, unit: str) -> Iterable[Item]:
    with bar(title, total, unit) as shown:
        for item in items:
            yield item
            shown.update()
