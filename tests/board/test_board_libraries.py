"""The parts for others run on the real firmware, compiled, each by its own example."""

import pytest

from tests.support.handhelds.board_console import find_uf2
from tools.board.handheld import Handheld, make_handheld
from tools.parts.packages import PARTS, make

pytestmark = pytest.mark.board

# After half a second: output is lost until the computer opens the port.
CODE = """\
import time
time.sleep(0.5)
import nvm_journal_simpletest
import ssd1306_vertical_simpletest
import one_voice_simpletest
print("EDGES")
import edge_queue_simpletest
print("DONE")
"""


def wait_for(handheld: Handheld, words: str) -> None:
    """Run the board until it prints these words; fail if it has a problem or does not."""
    assert handheld.run_until(lambda: words in handheld.serial or bool(handheld.problem), 20), handheld.serial
    assert not handheld.problem, handheld.problem


@pytest.fixture(scope="module")
def played() -> Handheld:
    """A board that has run all examples, each part from lib alone; A was pressed in the last one."""
    files = {"code.py": CODE.encode()}
    for name in PARTS:
        for path, content in make(name).items():
            if path.startswith(("lib/", "examples/")):
                files[path.removeprefix("examples/")] = content
    handheld = make_handheld(find_uf2(), files)
    wait_for(handheld, "EDGES")
    handheld.run(0.5)
    handheld.tap("A")
    wait_for(handheld, "DONE")
    return handheld


def test_edge_queue_prints_the_edges_of_a_press(played: Handheld) -> None:
    assert "button 0 down at" in played.serial and "button 0 up at" in played.serial


def test_ssd1306_vertical_shows_a_bar_at_the_bottom(played: Handheld) -> None:
    assert played.picture() == bytes(120 * 8) + b"\xff" * 8 * 8


def test_ssd1306_vertical_sends_only_changed_rows(played: Handheld) -> None:
    first, *later = [transfer.bytes for transfer in played.transfers if transfer.bytes > 40]
    assert first == 1025 and max(later) == 9 * 8 + 1


def test_one_voice_plays_a_tune(played: Handheld) -> None:
    assert len({tone.hz for tone in played.tones}) > 5


# The last test: it restarts the board of the others.
def test_nvm_journal_counts_the_starts(played: Handheld) -> None:
    assert "started 1 times" in played.serial
    played.restart()
    wait_for(played, "started 2 times")
