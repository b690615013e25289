"""Skip tests with a reason if something that they need is missing."""

import pytest

from tools import interpreters

NO_WASM = interpreters.missing(interpreters.WASM)
needs_wasm = pytest.mark.skipif(bool(NO_WASM), reason=NO_WASM or "installed")
