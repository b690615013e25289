"""Fumens, rules and game links are found in any text, and fumens read as the community's library reads them."""

import json
import sys
import zlib
from pathlib import Path

import pytest
from py_fumen_py import Page, encode

from sim import pasted
from sim.game_files import load_link, read_recording
from sim.rules import read_rules
from sim.terminal import Refusal
from tests.support.recorded import RECORDINGS
from tools.puzzles.fumen import read_fumen
from tools.puzzles.fumen_pages import NAMES, read_pages
from tools.web.browse import link

CASES = [
    line.split()
    for line in (Path(__file__).parents[1] / "vectors" / "fumens.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
LONG = max((case[0] for case in CASES), key=len)
LETTERS = bytes.maketrans(bytes(range(len(NAMES))), NAMES.encode())
RULES = "SKY1-22310-228M6-VE3Y"
RISING = "v115@RhA8IeB8HeC8GeAYJvhAAAA"


def wrap(text: str, width: int, start: str) -> str:
    return start.join(text[at : at + width] for at in range(0, len(text), width))


def describe(fumen: str) -> str:
    """Return a line of JSON for each page."""
    lines = []
    for cells, piece, turn, x, y, comment in read_pages(fumen):
        place = [turn, x, y] if piece != "_" else [0, 0, 0]
        page = [cells.translate(LETTERS).decode(), piece, *place, comment]
        lines.append(json.dumps(page, separators=(",", ":")))
    return "\n".join(lines)


@pytest.mark.parametrize(("fumen", "count", "pieces", "checksum"), CASES)
def test_a_public_fumen_reads_as_tetris_fumen_reads_it(fumen: str, count: str, pieces: str, checksum: str) -> None:
    pages = read_pages(fumen)
    assert (str(len(pages)), "".join(page.piece for page in pages)) == (count, pieces)
    assert f"{zlib.crc32(describe(fumen).encode()):08x}" == checksum


def test_a_page_that_rises_lifts_the_row_below_the_floor() -> None:
    pages = read_pages(RISING)
    assert pages[1].cells == pages[0].cells[10:] + bytes(10)
    assert read_fumen(RISING)[0] == ["X.........", "XX........"]


@pytest.mark.parametrize("damaged", ["v115@", "v115@vhA", "v115@zzAgH", "v115@AAAgH", "v115@vhAAg"])
def test_a_damaged_fumen_is_refused_in_a_few_words(damaged: str) -> None:
    with pytest.raises(ValueError, match="fumen"):
        read_fumen(damaged)


def test_work_grows_as_the_pages_and_not_as_their_squares() -> None:
    def count_calls(pages: int) -> int:
        calls = 0

        def count(*_: object) -> None:
            nonlocal calls
            calls += 1

        fumen = encode([Page(comment="#Q=[](I)" + "OTLJSZI" * 200)] * pages)
        sys.setprofile(count)
        read_pages(fumen)
        sys.setprofile(None)
        return calls

    few, many, most = map(count_calls, (10, 110, 210))
    assert most - many < 1.1 * (many - few)


@pytest.mark.parametrize(
    "text",
    [
        LONG.replace("@", "%40").replace("?", "%3F").replace("+", "%2b"),
        f"https://fumen.zui.jp/?{LONG}",
        f"https://knewjade.github.io/fumen-for-mobile/#?d={LONG.replace('@', '%2540')}&lang=en",
        f"look: \u201c{LONG}\u201d, and {LONG[:30]}",
        f"> see\n> {wrap(LONG, 40, chr(10) + '> ')}\n> thanks",
        wrap(LONG, 33, "\r\n"),
        wrap(LONG, 47, " ") + " is what I mean",
        wrap(LONG, 20, "\u200b"),
        f"TSD {LONG} TSD",
        f"{LONG} PC in 4",
        f"{LONG}\nDPC",
        LONG.replace("v115@", "D115@"),
        LONG.replace("v115@", "m115@"),
    ],
)
def test_a_fumen_is_found_in_any_text(text: str) -> None:
    assert read_fumen(text) == read_fumen(LONG)


@pytest.mark.parametrize(
    "text",
    [
        RULES.replace("-", "\u2013"),
        f"Skyline rules: \u00ab{RULES.lower()}\u00bb, try them",
        f"https://example.org/#rules={RULES}&x=1",
        f"#rules%3D{RULES.replace('-', '%E2%80%94')}",
        f"> {wrap(RULES, 8, chr(10) + '> ')} and win",
        RULES.replace("-", " "),
        f"SKY1-1AFZ1 was wrong, so: {RULES}.",
    ],
)
def test_a_line_of_rules_is_found_in_any_text(text: str) -> None:
    assert read_rules(text) == read_rules(RULES)


def test_a_game_is_found_in_any_text_with_its_link() -> None:
    game = (RECORDINGS / "sprint.sky").read_bytes()
    letters = link(game).removeprefix("#game=")
    expected = bytes(load_link(letters).blob)
    assert "--" in letters
    for text in (
        f"https://example.org/s/{link(game, 1)}",
        f"Watch \u201chttps://example.org/#game%3D{letters.replace('-', '%E2%80%91')}\u201d!",
        f"https://example.org/{link(game).replace('--', chr(0x2014))}",
        f"> https://example.org/#game={wrap(letters, 70, chr(10) + '> ')}\n\n> cheers",
    ):
        assert bytes(pasted.read(text, pasted.GAME, load_link).blob) == expected
        assert bytes(read_recording(Path(text)).blob) == expected
    with pytest.raises(Refusal, match=r"^this link: "):
        read_recording(Path(f"https://example.org/#game={letters[:-9]}"))


@pytest.mark.parametrize("kind", [pasted.FUMEN, pasted.RULES, pasted.GAME])
def test_plain_text_holds_none_of_the_three(kind: str) -> None:
    for text in ("", "100 % of Skyline", "SKYLINE", "me@115.org", "#game"):
        assert pasted.find(text, kind) == []
