"""tools.sheet: golden frames on sheets, and its errors."""

import re
import shlex
from pathlib import Path

import pytest
from PIL import Image

from firmware.view.canvas import Canvas
from tests.support.golden import as_text
from tests.support.handhelds.command_lines import refused
from tests.support.running import ROOT
from tools import sheet


def put_frame(folder: Path, name: str) -> Canvas:
    canvas = Canvas()
    canvas.fill(3, 5, 7, 2, 1)
    (folder / f"{name}.txt").write_text(as_text(canvas), encoding="utf-8")
    return canvas


def test_a_frame_is_read_pixel_by_pixel(tmp_path: Path) -> None:
    canvas = put_frame(tmp_path, "one")
    frame = sheet.read_frame(tmp_path / "one.txt")
    assert all(frame.getpixel((x, y)) == 255 * canvas.pixel(x, y) for y in range(128) for x in range(64))


def test_every_frame_is_on_a_large_and_on_the_blurred_sheet(tmp_path, capsys) -> None:
    for i in range(25):
        put_frame(tmp_path, f"frame_{i:02}")
    assert sheet.main(["--golden", str(tmp_path), "--into", str(tmp_path)]) == 0
    names = ["sheet_4x_1.png", "sheet_4x_2.png", "sheet_blurred.png"]
    assert capsys.readouterr().out.split() == [str(tmp_path / name) for name in names]
    with Image.open(tmp_path / names[1]) as last:  # only the 25th frame
        assert last.size == (64 * 4 + 16, 128 * 4 + 28)
        assert last.getpixel((8 + 3 * 4, 20 + 5 * 4)) == 255 and last.getpixel((8 + 10 * 4, 20 + 5 * 4)) == 0
    with Image.open(tmp_path / names[2]) as blurred:
        assert blurred.size == (16 * 72 + 8, 2 * 148 + 8)
        assert 0 < blurred.getpixel((8 + 3, 20 + 4)) < blurred.getpixel((8 + 6, 20 + 5)) < 255


def test_names_choose_frames(tmp_path: Path) -> None:
    for name in ("large", "large_pause", "title"):
        put_frame(tmp_path, name)
    assert sheet.main(["large*", "--golden", str(tmp_path), "--into", str(tmp_path)]) == 0
    with Image.open(tmp_path / "sheet_4x_1.png") as picture:
        assert picture.width == 2 * 264 + 8


def test_a_frame_can_have_other_words_than_its_name(tmp_path: Path) -> None:
    for name in ("mid_game", "title"):
        put_frame(tmp_path, name)
    place = ["--golden", str(tmp_path), "--output"]
    assert sheet.main(["mid_game=A game", "title", *place, str(tmp_path / "named.png")]) == 0
    assert sheet.main(["mid_game", "title", *place, str(tmp_path / "plain.png")]) == 0
    words, plain = ((tmp_path / name).read_bytes() for name in ("named.png", "plain.png"))
    assert words != plain


@pytest.mark.parametrize(
    ("text", "names", "into", "error"),
    [
        ("|no frame|\n", [], ".", "is not a golden frame"),
        (None, ["nothing"], ".", "there is no frame 'nothing'; there are one"),
        (None, ["on"], ".", "there is no frame 'on'; did you mean one?"),
        (None, [], "absent", "cannot write"),
    ],
)
def test_an_error_gets_one_line(text, names: list[str], into: str, error: str, tmp_path, capsys) -> None:
    put_frame(tmp_path, "one")
    if text is not None:
        (tmp_path / "one.txt").write_text(text, encoding="utf-8")
    arguments = (*names, "--golden", tmp_path, "--into", tmp_path / into)
    assert error in refused(capsys, *arguments, program="tools.sheet", run=sheet.main)


def test_one_picture_has_the_frames_in_alphabetical_order(tmp_path: Path) -> None:
    for name, row in (("a", "|█" + " " * 63 + "|\n"), ("b", "|" + " " * 64 + "|\n")):
        (tmp_path / f"{name}.txt").write_text(row * 64, encoding="utf-8")
    target = tmp_path / "both.png"
    assert sheet.main(["b", "a", "--golden", str(tmp_path), "--output", str(target)]) == 0
    with Image.open(target) as picture:
        assert [picture.getpixel((8 + column * 264, 60)) for column in range(2)] == [0, 255]
    assert sheet.main(["a", "--golden", str(tmp_path), "--output", str(tmp_path / "a.gif")]) == 2


def test_the_readmes_screens_are_those_of_today(tmp_path: Path) -> None:
    """Captions are left out: another Pillow draws them with another font."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (words,) = re.findall(r"`python -m tools.sheet ([^`]+) --output sim/screens.png`", page)
    assert sheet.main([*shlex.split(words), "--output", str(tmp_path / "now.png")]) == 0
    pictures = [Image.open(path) for path in (ROOT / "sim" / "screens.png", tmp_path / "now.png")]
    shown = [picture.crop((0, 20, *picture.size)).tobytes() for picture in pictures]
    assert shown[0] == shown[1], "make sim/screens.png again: CONTRIBUTING has the command"
