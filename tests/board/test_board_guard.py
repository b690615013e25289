"""The guard on the real firmware: CircuitPython starts code.txt when code.py is away, also after our boot.py."""

import pytest

from tests.support.handhelds.board_console import deployed, find_uf2
from tools.board.handheld import make_handheld
from tools.deploy import guard

pytestmark = pytest.mark.board


@pytest.mark.parametrize("with_boot", [True, False])
def test_the_guard_speaks_while_code_py_is_away(with_boot: bool) -> None:
    files = {name: text for name, text in deployed().items() if name != "code.py" and (with_boot or "boot" not in name)}
    handheld = make_handheld(find_uf2(), {**files, guard.NAME: guard.TEXT, "main.py": b"print('main')"})
    assert handheld.run_until(lambda: "Skyline is not whole: run  python -m tools.deploy" in handheld.serial, 9)
    assert handheld.is_lit and any(handheld.picture())
