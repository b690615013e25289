"""Fetch MicroPython's WebAssembly build from the npm registry, once, and take nothing but what was pinned."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import os
import tarfile
import urllib.error
import urllib.request
from pathlib import Path

from tools.web import WebError

PACKAGE = "@micropython/micropython-webassembly-pyscript"
VERSION = "1.29.0-6"
# `npm view @micropython/micropython-webassembly-pyscript@1.29.0-6 dist.integrity`
SHA512 = "kLwGPJFsLY/2aUPmzZxpvauFSmKc0SlJWVvvEttULR0poVQ6W9HV//1fUJyxrGWAxCVDw9aYqJ0LAog0ZLjYVA=="
SCRIPT = "micropython.mjs"
PROGRAM = "micropython.wasm"

_REGISTRY = "https://registry.npmjs.org"
_PATIENCE_S = 60


def url() -> str:
    """Return where the package lies, in the registry that npm's environment names, or else in the public one."""
    named = {name.lower(): value for name, value in os.environ.items()}  # npm takes either case
    registry = named.get("npm_config_registry") or _REGISTRY
    return f"{registry.rstrip('/')}/{PACKAGE}/-/{PACKAGE.split('/')[1]}-{VERSION}.tgz"


def cache_path() -> Path:
    """Return where the package is kept (see platformdirs)."""
    from platformdirs import user_cache_path

    return user_cache_path("skyline", appauthor=False) / f"micropython-webassembly-{VERSION}.tgz"


def is_right(package: bytes) -> bool:
    """Return whether these bytes are the package that was pinned."""
    return base64.b64encode(hashlib.sha512(package).digest()).decode() == SHA512


def fetch(path: Path | None = None) -> bytes:
    """Return the package, from `path` if it is there, else from the registry; raise WebError."""
    path = path or cache_path()
    with contextlib.suppress(OSError):
        package = path.read_bytes()
        if is_right(package):
            return package
    try:
        with urllib.request.urlopen(url(), timeout=_PATIENCE_S) as answer:
            package = answer.read()
    except (OSError, ValueError) as problem:  # URLError is an OSError
        reason = problem.reason if isinstance(problem, urllib.error.URLError) else problem
        raise WebError(f"cannot fetch {url()}: {reason}; is the npm registry reachable?") from None
    if not is_right(package):
        raise WebError(f"{url()} is not the package that was pinned: its sha512 is another one")
    fresh = path.with_suffix(f".{os.getpid()}")
    with contextlib.suppress(OSError):  # it is fetched again, then
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(package)
        fresh.replace(path)
    return package


def unpack(package: bytes) -> dict[str, bytes]:
    """Return the script and the program of the package by their names."""
    with tarfile.open(fileobj=io.BytesIO(package)) as archive:
        found = {}
        for name in (SCRIPT, PROGRAM):
            member = archive.extractfile(f"package/{name}")
            assert member, "the pinned package has it"
            found[name] = member.read()
    return found
