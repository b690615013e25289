"""Hide what C libraries print on stderr: ALSA alone prints eight lines on a PC without sound."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

_STDERR = 2


@contextmanager
def silence() -> Iterator[None]:
    """Discard output that bypasses Python; errors are still raised."""
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
