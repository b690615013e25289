"""FACTS, the hidden page of Options > Device: the state of the handheld, for builders."""

import re
from pathlib import Path
from typing import Any

import pytest

from firmware.device.handheld import Machine as Plain
from firmware.save.journal import REPORT
from firmware.scenes.options.facts import VERSION
from firmware.view.canvas import Canvas
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld


class Machine(Plain):
    name = b"raspberry_pi_pico"
    version = b"10.2.1"

    def free_bytes(self) -> int:
        return 61_234


@pytest.fixture
def handheld() -> Handheld:
    handheld = Handheld(store=[RamStore(), RamStore()], first="menus.legal")
    handheld.device.machine = Machine()
    return handheld


def test_picture_of_the_facts(handheld: Handheld) -> None:
    words = b"ValueError: row 41 of 40\napp.py:148 in step"
    handheld.journal.payload[: len(words)] = words
    handheld.journal.save(REPORT, len(words))
    handheld.open("options.facts", ms=1, frames=2)
    handheld.step(16, 62)
    handheld.step(40)
    handheld.step(16, 70)
    assert handheld.scene.worst_ms == 40
    handheld.compare("options_facts")


def test_numbers_are_drawn_once_a_second(handheld: Handheld, monkeypatch: pytest.MonkeyPatch) -> None:
    handheld.open("options.facts", frames=70)
    drawn: list[int] = []
    monkeypatch.setattr(handheld.scene, "number", lambda line, _value: drawn.append(line))
    handheld.step(16, 125)
    assert drawn == [0, 1, 2] * 2


@pytest.mark.parametrize(("stores", "word"), [([], b"NONE"), ([RamStore()], b"FAILED")])
def test_a_missing_or_failed_journal_is_named(handheld: Handheld, monkeypatch, stores: list[Any], word: bytes) -> None:
    handheld.journal.stores, handheld.journal.failed = stores, True
    drawn: list[bytes] = []
    monkeypatch.setattr(Canvas, "text", lambda _canvas, _x, _y, codes, _font: drawn.append(codes))
    handheld.open("options.facts", frames=2)
    assert word in drawn


def test_version_is_that_of_the_project() -> None:
    text = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+) ", text, re.M)[0] == VERSION.decode()
