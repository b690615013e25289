"""The numbers of modes that the firmware itself never names, by the names in modes.txt."""

import pytest

from firmware.modes.catalogue import STANDARD, read

_WORDS = [record[b"mode"].split() for record in read()]
_NUMBERS = {words[1]: int(words[0]) for words in _WORDS if len(words) > 1}

TEST_SPEC = _NUMBERS[b"test-spec"]
DIG = _NUMBERS[b"dig"]
SURVIVE = _NUMBERS[b"survive"]
MASTER = _NUMBERS[b"master"]

both_standards = pytest.mark.parametrize("variant", [STANDARD, TEST_SPEC])
