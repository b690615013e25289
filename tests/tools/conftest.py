"""The firmware as deploy builds it, and a folder that stands for a board's drive."""

import os
from pathlib import Path

import pytest

from tests.support.deployed import BOOT_OUT, HEAD, Files, build
from tools.deploy import image, minifying


@pytest.fixture(scope="session")
def files() -> Files:
    return build("ssd1306")


@pytest.fixture(scope="session")
def compiled() -> Files:
    return build("ssd1306", HEAD)


@pytest.fixture(scope="session")
def prepared() -> dict[str, str]:
    """The sources with renamed names, before they are compiled."""
    return image.prepare(image.read_sources(), minifying.Cache(minifying.cache_path("renamed")))


@pytest.fixture
def drive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A drive that no sync waits for: nobody unplugs it."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    monkeypatch.setattr(os, "sync", lambda: None, raising=False)
    drive = tmp_path / "CIRCUITPY"
    drive.mkdir()
    (drive / "boot_out.txt").write_text(BOOT_OUT)
    return drive
