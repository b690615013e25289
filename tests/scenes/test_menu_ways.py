"""The ways through the menus: a graph of all places, walked press by press, and the depth of the pages of options."""

from collections import deque
from typing import Any

import pytest

from firmware.engine.game import Game
from firmware.modes.catalogue import MARATHON, STANDARD
from firmware.save.buttons import CONTROLS
from firmware.scenes.link.options import Page
from tests.support.handhelds.menus import (
    DOWN,
    LEFT,
    MENUS,
    OURS,
    RIGHT,
    START,
    UP,
    A,
    B,
    Console,
    find_class,
    make_scene,
)

Ways = dict[Any, dict[int, Any]]
READ = ("help.help", "learn.menu", "menus.score_list")  # the tests of the help walk through its pages


class TestNavigation:
    """All menus as a graph: a place is a node, a press an edge. It is walked press by press."""

    BUTTONS = (UP, DOWN, LEFT, RIGHT, A, B, START)
    PLAIN = (UP, DOWN, A, B, START)  # for menus where left and right change values that no place contains

    @pytest.fixture(scope="class")
    @classmethod
    def ways(cls) -> Ways:
        """Press every button in every place that can be reached from the title; return the place after each press.

        From a finished place the walk continues, by buttons too, to the nearest unfinished one.
        """
        console = Console(suspended=Game(1), last=b"recording", ours=(*OURS, *READ))
        console.display.show = lambda: None  # type: ignore[method-assign]
        ways: Ways = {console.place(): {}}
        while path := cls.path(ways, console.place()):
            for button in path:
                before = console.place()
                console.follow(button)
                after = console.place()
                console.settings.reset()  # else a menu would open at the last choice
                assert ways[before].setdefault(button, after) == after, f"{before} {button} leads to two places"
                ways.setdefault(after, {})
        return ways

    @classmethod
    def path(cls, ways: Ways, start: object) -> list[int]:
        """Return the fewest presses of which only the last is untried, by breadth-first search."""
        queue: deque[tuple[Any, list[int]]] = deque([(start, [])])
        seen = {start}
        while queue:
            place, buttons = queue.popleft()
            for button in cls.PLAIN if place[0] in ("menus.main", "menus.more_modes") else cls.BUTTONS:
                after = ways[place].get(button)
                if after is None:
                    return [*buttons, button]
                if after not in seen:
                    seen.add(after)
                    queue.append((after, [*buttons, button]))
        return []

    def test_every_menu_is_reached_by_buttons_from_the_title(self, ways: Ways) -> None:
        assert {place[0] for place in ways} == {*OURS, *READ}

    def test_every_line_of_every_menu_is_reached(self, ways: Ways) -> None:
        for name in MENUS:
            count = len(make_scene(name).lines) + (name == "menus.main")  # a game in progress adds a line
            assert {place[1] for place in ways if place[0] == name} == set(range(count)), name

    def test_b_alone_leads_to_the_title_from_everywhere(self, ways: Ways) -> None:
        for start in ways:
            place = start
            for _ in range(5):
                place = ways[place][B]
            assert place[0] == "menus.title", f"B from {start}"

    def test_b_returns_to_the_line_that_led_there(self, ways: Ways) -> None:
        assert len(ways) > 60
        for start, presses in ways.items():
            after = presses[A]
            if start[0] in ("menus.main", "options.options") and after[0] not in (start[0], "menus.title"):
                assert ways[after][B] == start

    def test_up_and_down_wrap(self, ways: Ways) -> None:
        for start, presses in ways.items():
            if start[0] in MENUS and start[0] != "menus.choose_level" and not start[2] and not start[3]:
                assert ways[presses[DOWN]][UP] == start and ways[presses[UP]][DOWN] == start

    def test_right_cycles_through_all_levels(self, ways: Ways) -> None:
        for count, variant in ((15, MARATHON), (10, STANDARD)):
            start: Any = ("menus.choose_level", 0, False, False, 0, 0, variant, ())
            place = start
            for turn in range(count):
                assert (place == start) == (turn == 0)
                place = ways[place][RIGHT]
            assert place == start


def find_groups() -> dict[str, int]:
    """Return the pages of options, and how many presses of A from the main menu open each."""
    groups = {"options.options": 1}
    waiting = deque(groups)
    while waiting:
        parent = waiting.popleft()
        for record in find_class(parent).records:
            name = record[2] if len(record) in (3, 4) else None
            if isinstance(name, str) and name.startswith("options.") and name not in groups:
                groups[name] = groups[parent] + 1
                waiting.append(name)
    return groups


GROUPS = find_groups()
LONGER = {"options.controls": CONTROLS + 1}  # a line for each control, and RESET


class TestGroups:
    def test_every_page_of_options_is_found(self) -> None:
        found = {name for name in MENUS if name.startswith("options.")}
        assert found == GROUPS.keys() - {"options.changed"}, "which is as long as a player's changes"

    @pytest.mark.parametrize("name", GROUPS)
    def test_a_group_has_eight_lines_at_most(self, name: str) -> None:
        assert len(make_scene(name).lines) <= LONGER.get(name, 8)

    @pytest.mark.parametrize("name", GROUPS)
    def test_a_group_is_three_presses_deep_at_most(self, name: str) -> None:
        assert GROUPS[name] <= 3

    def test_the_pause_of_a_match_by_cable_has_eight_lines_at_most(self) -> None:
        assert len(Page.records) <= 8
