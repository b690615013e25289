"""What a file, a database or a bot says is only text in the pages that we write; nothing in them runs or loads."""

import ast
import dataclasses
import re
import sqlite3
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from firmware.save.recordings.recording import Recording
from sim.terminal import Refusal
from tests.support.recorded import RECORDINGS
from tests.support.running import ROOT
from tools.bots.arena.page import write_page
from tools.bots.arena.results import Results, Row
from tools.bots.arena.standings import Standings
from tools.markup import element
from tools.review import page as review
from tools.review.judging import Judge, Setup
from tools.review.positions import read_game
from tools.review.report import Side

EVIL = """<script>alert(1)</script>"'><img src=x onerror=alert(2)>&amp;"""
WRITER = ROOT / "tools" / "markup.py"


class Page(HTMLParser):
    """The tags, attributes and policy of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.tags.add(tag)
        self.attributes |= named.keys()
        if named.get("http-equiv") == "Content-Security-Policy":
            assert self.tags <= {"html", "head", "meta"}, "a policy counts from where it stands"
            self.policy = named["content"] or ""


def check(text: str) -> None:
    page = Page(text)
    assert page.policy.startswith("default-src 'none';") and "script-src" not in page.policy
    assert not page.tags & {"script", "img", "iframe", "object", "form"}
    assert not any(name.startswith("on") or name == "src" for name in page.attributes)


def test_hostile_text_stays_text_in_content_and_attributes() -> None:
    made = element("p", EVIL, element("b", "ours"), title=EVIL, class_=None)
    found = Page(made)
    assert (found.tags, found.attributes) == ({"p", "b"}, {"title"})


def test_hostile_every_text_of_an_arenas_database_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "bots.db"
    with Results(path) as results:
        for number, seed in enumerate((1, 2), 1):
            row = Row(number, "2026-11-26 12:00:00", "a", "b", seed, number - 1, 60_000, 100, 40, "died", 50, 10, "")
            results.add(row, b"")
    with sqlite3.connect(path) as connection:
        texts = [
            (table, column)
            for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            for _number, column, kind, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall()
            if kind == "TEXT"
        ]
    assert len(texts) >= 7
    shown = 0
    for table, column in texts:
        copy = tmp_path / f"{table}-{column}.db"
        copy.write_bytes(path.read_bytes())
        with sqlite3.connect(copy) as connection:
            connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = 1", (EVIL,))
        try:
            with Results(copy) as results:
                rows = results.read()
                write_page(tmp_path / copy.stem, EVIL, Standings(rows), rows, results)
        except Refusal:
            continue
        shown += 1
        check((tmp_path / copy.stem / "index.html").read_text(encoding="utf-8"))
    assert shown >= 5


def poison(thing: Any) -> None:
    """Put a script into each text of a review's object, where it is a field."""
    for field in dataclasses.fields(thing):
        value = getattr(thing, field.name)
        if isinstance(value, str):
            object.__setattr__(thing, field.name, EVIL)
        for each in value if isinstance(value, list) else ():
            if dataclasses.is_dataclass(each):
                poison(each)


@pytest.mark.slow
def test_hostile_every_text_of_a_review_stays_text() -> None:
    positions = read_game(Recording((RECORDINGS / "lost.sky").read_bytes()))[:6]
    judge = Judge(Setup(nodes=200))
    side = Side("", 0, positions, [judge.judge(position) for position in positions])
    assert side.moments
    poison(side)
    for moment in side.moments:
        moment.reasons = [reason._replace(words=EVIL) for reason in moment.reasons]
    text = review.write_page([side], EVIL, EVIL, [EVIL])
    assert text.count("&lt;script&gt;") > 5
    check(text)


@pytest.mark.slow
def test_hostile_text_can_only_reach_a_page_by_the_one_writer() -> None:
    """No other module puts values between tags by itself."""
    tag = re.compile(r"</?[a-zA-Z]+[\s/>]|=\"\0")
    for path in (path for folder in ("sim", "tools") for path in (ROOT / folder).rglob("*.py") if path != WRITER):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                words = "".join(str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values)
                assert not tag.search(words), f"{path}:{node.lineno}: tools/markup.py writes elements"
