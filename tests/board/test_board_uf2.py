"""Which UF2 of CircuitPython the emulated board runs, and how it gets one."""

from functools import partial
from pathlib import Path

import pytest

from tests.support.handhelds import command_lines
from tests.support.uf2 import FLASH_START, uf2_blocks
from tools.board import BoardError, firmware_image
from tools.board.__main__ import main

refused = partial(command_lines.refused, program="tools.board", run=main)


def make_uf2(text: bytes) -> bytes:
    return uf2_blocks(text, FLASH_START + 256)


@pytest.fixture
def no_uf2(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.delenv(firmware_image.VARIABLE, raising=False)
    monkeypatch.setattr(firmware_image, "cache_path", lambda _version="": tmp_path / "missing.uf2")
    monkeypatch.setattr(firmware_image, "_MORE", tmp_path / "missing")
    return tmp_path


def test_a_missing_uf2_gets_one_line_with_the_three_ways(no_uf2: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "--headless") == (
        f"tools.board: CircuitPython {firmware_image.VERSION} is not here: run  python -m tools.board get,  "
        "or set SKYLINE_UF2 to its UF2 file, or name it with --uf2\n"
    )


@pytest.mark.parametrize("by_variable", [False, True])
def test_a_file_without_circuitpython_10_for_the_pico_is_refused(
    no_uf2: Path, capsys, monkeypatch, by_variable: bool
) -> None:
    other = no_uf2 / "other.uf2"
    other.write_bytes(b"UF2\n")
    if by_variable:
        monkeypatch.setenv(firmware_image.VARIABLE, str(other))
    arguments = ["--headless"] if by_variable else ["--headless", "--uf2", other]
    assert "is not CircuitPython 10 for the Raspberry Pi Pico" in refused(capsys, *arguments)


@pytest.mark.parametrize(
    "made_for",
    ["9.2.8 on 2025-05-01; Raspberry Pi Pico with rp2040", "10.1.3 on 2026-02-20; Raspberry Pi Pico W with rp2040"],
)
def test_another_version_or_board_is_refused(tmp_path: Path, made_for: str) -> None:
    other = tmp_path / "other.uf2"
    other.write_bytes(make_uf2(f"Adafruit CircuitPython {made_for}".encode()))
    with pytest.raises(BoardError, match="is not CircuitPython 10"):
        firmware_image.find(other)


def test_another_release_for_the_pico_gets_one_line_and_runs(tmp_path: Path, capsys) -> None:
    other = tmp_path / "other.uf2"
    other.write_bytes(make_uf2(b"Adafruit CircuitPython 10.2.0 on 2026-05-01; Raspberry Pi Pico with rp2040"))
    assert firmware_image.find(other) == other
    errors = capsys.readouterr().err
    assert errors.startswith("tools.board: not seen before: other.uf2, CircuitPython 10.2.0, SHA-256 ")
    assert errors.count("\n") == 1


def test_the_newest_cached_uf2_runs(no_uf2: Path, monkeypatch) -> None:
    paths = {version: no_uf2 / f"{version}.uf2" for version in firmware_image.SHA256}
    monkeypatch.setattr(firmware_image, "cache_path", paths.get)
    rest = "on 2026-01-01; Raspberry Pi Pico with rp2040"
    for version, path in paths.items():
        path.write_bytes(make_uf2(f"Adafruit CircuitPython {version} {rest}".encode()))
        assert firmware_image.find() == path


def test_get_keeps_only_the_official_file(tmp_path: Path) -> None:
    source = tmp_path / "served.uf2"
    source.write_bytes(b"something else")
    with pytest.raises(BoardError, match="is not the official"):
        firmware_image.fetch(tmp_path / "kept.uf2", source.as_uri())
    assert not (tmp_path / "kept.uf2").exists()


def test_get_raises_board_error_without_a_network(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match="cannot fetch"):
        firmware_image.fetch(tmp_path / "kept.uf2", (tmp_path / "none").as_uri())
