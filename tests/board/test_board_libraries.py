"""The parts for others run on the real firmware, compiled, each by its own example."""

import pytest

from tests.support.handhelds.board_console import find_uf2
from tools.board.handheld import make_handheld
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


def test_each_part_runs_its_example_from_lib_alone() -> None:
    files = {"code.py": CODE.encode()}
    for name in PARTS:
        for path, content in make(name).items():
            if path.startswith(("lib/", "examples/")):
                files[path.removeprefix("examples/")] = content
    handheld = make_handheld(find_uf2(), files)

    assert handheld.run_until(lambda: "EDGES" in handheld.serial or bool(handheld.problem), 20), handheld.serial
    handheld.run(0.5)
    handheld.tap("A")
    assert handheld.run_until(lambda: "DONE" in handheld.serial or bool(handheld.problem), 20), handheld.serial
    assert not handheld.problem, handheld.problem

    assert "button 0 down at" in handheld.serial and "button 0 up at" in handheld.serial
    assert handheld.picture() == bytes(120 * 8) + b"\xff" * 8 * 8
    sent = [transfer.bytes for transfer in handheld.transfers if transfer.bytes > 40]
    assert max(sent) == sent[0] == 1025 and max(sent[1:]) == 9 * 8 + 1
    assert len({tone.hz for tone in handheld.tones}) > 5
    handheld.restart()
    assert handheld.run_until(lambda: "started 2 times" in handheld.serial, 20), handheld.serial
