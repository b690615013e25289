"""Keep to ourselves what libraries written in C print on stderr: ALSA alone has eight lines for a PC without sound."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

_STDERR = 2


@contextmanager
def silence() -> Iterator[None]:
    """Send what is printed past Python to nowhere; errors are raised all the same."""
    try:
        kept = os.dup(_STDERR)
    except OSError:  # closed
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, _STDERR)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)
        os.close(nowhere)
