"""`python -m tools.review` writes one file, or JSON, and says in one line what it cannot review."""

import json
from datetime import datetime
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest

from firmware.modes.catalogue import MARATHON
from sim import game_files
from sim.library import open_library
from tests.support.handhelds import command_lines
from tests.support.handhelds.command_lines import SCRIPT, play_script
from tests.support.recorded import RECORDINGS
from tools.review import __main__ as program
from tools.review.report import MOST_MOMENTS

refused = partial(command_lines.refused, program="tools.review", run=program.main)
MATCH = RECORDINGS.parent / "matches" / "two.sky"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a match."""
    path = tmp_path_factory.mktemp("review") / "review.html"
    words = ["--output", str(path), "--no-open", "--nodes", "400", "--jobs", "1", "--page", "https://play.test/"]
    assert program.main([str(MATCH), *words]) == 0
    return path.read_text(encoding="utf-8")


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for one, attributes in self.tags if one == tag]


def test_the_file_needs_no_network_and_no_script(made: str) -> None:
    page = Page(made)
    assert not page.of("script") and not page.of("img") and "url(" not in made
    assert all((link["href"] or "").startswith("data:") for link in page.of("link"))
    addresses = [link["href"] or "" for link in page.of("a")]
    assert all(one.startswith(("#player-", "https://play.test/#game=")) for one in addresses)


def test_every_picture_says_what_it_shows(made: str) -> None:
    page = Page(made)
    labels = [picture.get("aria-label") or "" for picture in page.of("svg")]
    assert all(picture["role"] == "img" for picture in page.of("svg")) and min(map(len, labels)) > 40
    assert len(page.of("article")) > 2 * MOST_MOMENTS
    assert len(labels) == 2 + len(page.of("figure"))


def test_a_match_has_a_section_for_each_player(made: str) -> None:
    page = Page(made)
    assert [section["id"] for section in page.of("section")] == ["player-1", "player-2"]
    marks = {link["href"] for link in page.of("a") if link.get("class") == "mark"}
    assert marks == {f"#{article['id']}" for article in page.of("article")} and len(marks) > 2 * MOST_MOMENTS


def test_json_alone_is_printed_and_nothing_is_written(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert program.main([str(RECORDINGS / "lost.sky"), "--json", "--nodes", "400", "--jobs", "1"]) == 0
    told = json.loads(capsys.readouterr().out)
    (player,) = told["players"]
    assert len(player["placements"]) == player["pieces"] and not list(tmp_path.iterdir())
    assert player["mean_loss"] == pytest.approx(
        sum(one["loss"] for one in player["placements"]) / player["pieces"], abs=0.002
    )


def test_it_opens_in_the_browser(tmp_path, monkeypatch, capsys) -> None:
    opened: list[str] = []
    monkeypatch.setattr(program.webbrowser, "open", opened.append)
    monkeypatch.chdir(tmp_path)
    assert program.main([str(RECORDINGS / "lost.sky"), "--nodes", "400", "--jobs", "1"]) == 0
    assert opened == [(tmp_path / "lost-review.html").as_uri()] and "mean loss" in capsys.readouterr().out


def test_a_game_of_the_library_is_found_by_its_number(tmp_path, monkeypatch) -> None:
    library = open_library(tmp_path)
    library.add((RECORDINGS / "lost.sky").read_bytes(), MARATHON, 1, bytes(1024), datetime(2026, 11, 22))
    monkeypatch.setattr(game_files, "open_library", lambda _folder: library)
    path = program.find_recording(Path("1"), None)
    assert path.read_bytes() == (RECORDINGS / "lost.sky").read_bytes() and path.parent == library.folder


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("none.sky", "", "cannot read none.sky: No such file or directory"),
        ("standard.sky", "", "this is a game of standard; a review needs a mode with the guideline's rules"),
        ("modes/finesse.sky", "", "this is a game of finesse; a review needs"),
        ("lost.sky", "--player 2", "this is a game of one player; --player is for matches"),
        ("../matches/two.sky", "--player 3", "there is no player 3, but 2 in all"),
        ("lost.sky", "--output out.txt", "its name ends in .txt; it must end in .html"),
        ("lost.sky", "--think 0", "'0' is not a whole number from 1 to 10000"),
    ],
)
def test_bad_input_gets_one_line(name: str, more: str, says: str, capsys) -> None:
    path = RECORDINGS / name
    assert says in refused(capsys, path if path.exists() else name, "--no-open", *more.split())


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"hello, I am a text", "it should begin with SKY"),
        ((RECORDINGS / "lost.sky").read_bytes()[:-9], "its check sum does not match"),
    ],
)
def test_a_damaged_recording_gets_one_line(content: bytes, says: str, tmp_path: Path, capsys) -> None:
    (tmp_path / "game.sky").write_bytes(content)
    assert says in refused(capsys, tmp_path / "game.sky", "--no-open")


def test_a_game_without_a_lock_down_gets_one_line(tmp_path: Path, capsys) -> None:
    (tmp_path / "game.sky").write_bytes(play_script(SCRIPT, 300, seed=42).recorded())
    said = refused(capsys, tmp_path / "game.sky", "--no-open")
    assert said.endswith("no Tetrimino locked down, so there is nothing to review\n")


def test_without_numba_one_line_says_what_helps(monkeypatch, capsys) -> None:
    monkeypatch.setattr(program, "find_spec", lambda name: None)
    assert "a review needs Numba" in refused(capsys, RECORDINGS / "lost.sky", "--no-open")
