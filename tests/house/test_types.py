"""mypy checks against the boards: a name that CircuitPython or MicroPython lacks is a type error."""

from pathlib import Path

import pytest

from tests.support import needs
from tests.support.running import ROOT, run_python
from tools import typecheck

STUBS = ("circuitpython-stubs", *typecheck.PACKAGES)

pytestmark = needs.mark_packages(*STUBS, "mypy")


@pytest.mark.long  # .ci/run also runs `python -m tools.typecheck`
def test_portable_firmware_passes_the_type_check_for_micropython() -> None:
    code, words = typecheck.check(typecheck.portable_files())
    assert code == 0, words


def test_a_name_that_micropython_lacks_is_an_error(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import gc\nimport binascii\n\ngc.freeze()\nbinascii.b2a_uu(b'abc')\n")
    code, words = typecheck.check([wrong])
    assert code == 1 and 'Module has no attribute "freeze"' in words and 'Module has no attribute "b2a_uu"' in words


def test_a_name_that_circuitpython_lacks_is_an_error(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "import keypad\nimport busio\nimport board\n\n"
        "keypad.Keys((), value_when_pressed=0, debounce=3)\nbusio.I2C(board.GP0, board.GP1).send(b'')\n"
    )
    assert pytestconfig.cache
    kept = str(pytestconfig.cache.mkdir("mypy"))  # mypy itself notices changed stubs
    done = run_python("-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", kept, wrong)
    assert 'Unexpected keyword argument "debounce" for "Keys"' in done.stdout
    assert '"I2C" has no attribute "send"' in done.stdout


def test_hardware_modules_are_not_checked_for_micropython() -> None:
    files = {path.relative_to(ROOT).as_posix() for path in typecheck.portable_files()}
    assert "firmware/engine/game.py" in files and not any(path.startswith("firmware/device/") for path in files)
