"""The file of a game review in a browser: no request, no fault by axe, no text beside the screen."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.recorded import RECORDINGS
from tests.web import axe
from tests.web.visit import DESK, PHONE, Visit
from tools.review.__main__ import main


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("review") / "review.html"
    arguments = ["--output", str(path), "--no-open", "--nodes", "400", "--jobs", "1"]
    assert main([str(RECORDINGS / "faults" / "t_slot.sky"), *arguments]) == 0
    return path


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def visit(request: Any, browser: Any, review: Path) -> Iterator[Visit]:
    visit = Visit(browser, review.as_uri(), **request.param)
    visit.page.goto(visit.address)
    yield visit
    visit.close()


def test_nothing_is_loaded_and_nothing_is_wider_than_the_screen(visit: Visit) -> None:
    asked = [address for address in visit.requests if not address.startswith("data:")]
    assert (asked, visit.problems) == ([visit.address], [])
    wide, room = visit.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide == room


def test_axe_finds_no_fault_in_both_themes(visit: Visit, script: str) -> None:
    assert axe.look_in_both_themes(visit, script) == {"light": [], "dark": []}


def test_a_number_below_the_curve_leads_to_its_moment(visit: Visit) -> None:
    mark = visit.page.locator(".mark").nth(3)
    mark.click()
    name = str(mark.get_attribute("href"))[1:]
    top, height = visit.page.evaluate(
        "name => [document.getElementById(name).getBoundingClientRect().top, innerHeight]", name
    )
    assert 0 <= top < height
