"""Issue 17, in the page: the link ends in another window, another phone or a handheld, and both see the same match."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.visit import Visit

TURN_MS = 50
TURNS = 600
RESULT = "'%d %d %d' % (match.ends_ms, match.winner, match.hash())"


def open_lobby(*all_of_them: Visit) -> None:
    """Open LINK on each."""
    for visit in all_of_them:
        visit.page.evaluate("skyline.handheld.python.runPython(\"handheld.app.go('link_lobby')\")")


def wait(until: Callable[[], bool], *clocks: Visit) -> None:
    """Let time pass wherever it passes apart, until something is so."""
    for _ in range(TURNS):
        if until():
            return
        for visit in clocks:
            visit.advance(TURN_MS)
    raise AssertionError([(visit.scene, visit.notice) for visit in clocks])


def ask(visit: Visit, expression: str) -> Any:
    """Return what an expression is that may speak of the lobby or the match."""
    names = {"lobby": "handheld.app.scene.lobby", "match": "handheld.app.scene.match"}
    for name, path in names.items():
        expression = expression.replace(name, path)
    return visit.ask(expression)


def meet(sides: tuple[Visit, ...], clocks: tuple[Visit, ...]) -> None:
    """Open LINK on each and wait until all see all."""
    open_lobby(*sides)
    wait(lambda: all(visit.scene == "link_lobby" for visit in sides), *clocks)
    wait(lambda: all(ask(visit, "lobby.is_whole() and len(lobby.members)") == len(sides) for visit in sides), *clocks)


def play(sides: tuple[Visit, ...], clocks: tuple[Visit, ...]) -> set[str]:
    """Press A on each, let all but the last drop everything in the middle; return what they say of the round's end."""
    for visit in sides:
        visit.press("a")
    wait(lambda: all(visit.scene == "link_play" for visit in sides), *clocks)
    wait(lambda: all(ask(visit, "match.time_ms") > 0 for visit in sides), *clocks)

    def drop() -> bool:
        if all(ask(visit, "match.over") for visit in sides):
            return True
        for visit in sides[:-1]:
            visit.page.keyboard.press("Space")
        return False

    wait(drop, *clocks)
    return {ask(visit, RESULT) for visit in sides}


@pytest.mark.parametrize("count", [2, 3])
def test_windows_of_one_browser_play_a_match_to_the_same_hash(visits: Any, count: int) -> None:
    first = visits().open()
    sides = (first, *(visits(beside=first).open() for _ in range(count - 1)))
    meet(sides, (first,))
    results = play(sides, (first,))
    assert len(results) == 1
    assert all(visit.problems == [] for visit in sides)
