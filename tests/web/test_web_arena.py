"""The page of an arena in a browser: its matches play on the handheld's page, and names are only text."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.handhelds.bot_processes import write_stub_bot
from tests.web import axe
from tests.web.host import Host
from tests.web.visit import DESK, PHONE, Visit
from tools.bots.__main__ import main
from tools.bots.arena import page
from tools.bots.arena.results import Results, Row

NAME = "<script>alert(1)</script>\\\"'&amp;"
BOTS = """
[bots.DUCK]
level = 2
[bots."{name}"]
level = 1
[bots.'<img>OfFortyLettersWithoutAnySpaceInIt']
command = {command!r}
"""


@pytest.fixture(scope="module")
def arena(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arena")
    command = write_stub_bot(folder, "say(type='info', name='<b>bold</b>'); print('<script>alert(2)</script>')")
    path = folder / "bots.toml"
    path.write_text(BOTS.format(name=NAME, command=command), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page.dist, "build", lambda: page.dist.read(dist))
        assert main(["arena", str(path), "--games", "4", "--jobs", "1", "--page", str(folder / "page")]) == 0
    return folder


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def visit(request: Any, browser: Any, arena: Path) -> Iterator[Visit]:
    with contextlib.closing(Host(arena / "page")) as host:
        visit = Visit(browser, host.address, **request.param)
        visit.page.goto(visit.address)
        yield visit
        assert visit.problems == []
        visit.close()


def read_rows(arena: Path) -> list[Row]:
    with Results(arena / "bots.db") as results:
        return results.read()


def test_names_and_faults_are_only_text(visit: Visit, arena: Path) -> None:
    names = visit.page.locator("tbody th[scope=row]").all_text_contents()
    assert any(name == NAME.replace('\\"', '"') for name in names)
    assert visit.page.locator("b, img, main script").count() == 0
    assert visit.page.locator("text='<script>alert(2)").count() >= 2


def test_no_part_is_wider_than_the_screen(visit: Visit) -> None:
    wide, room = visit.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide == room


def test_axe_finds_no_fault_in_both_themes(visit: Visit, script: str) -> None:
    assert axe.look_in_both_themes(visit, script) == {"light": [], "dark": []}


def test_a_match_plays_on_the_handhelds_page(visit: Visit, arena: Path) -> None:
    row = next(row for row in read_rows(arena) if not row.list_faults())
    visit.page.click(f"text='match {row.number}'")
    visit.wait()
    visit.advance(5000)
    match = "handheld.app.router.scene.match"
    assert (visit.scene, visit.ask(f"{match}.first_seed")) == ("match.watch", row.seed)
    assert visit.ask(f"{match}.seats[0].game.lock_downs") > 2
