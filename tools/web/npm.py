"""Fetch packages from the npm registry, once, and accept only the pinned ones."""

import base64
import contextlib
import hashlib
import io
import os
import tarfile
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from sim.ownership import replace
from tools.web import WebError

_REGISTRY = "https://registry.npmjs.org"
_PATIENCE_S = 60


@dataclass(frozen=True)
class Package:
    """A package and its files for the page; `npm view NAME@VERSION dist.integrity` prints its sha512."""

    name: str
    version: str
    sha512: str
    files: tuple[str, ...]

    @property
    def file_name(self) -> str:
        return f"{self.name.rpartition('/')[2]}-{self.version}.tgz"

    @property
    def url(self) -> str:
        """Return its address in the registry that npm's environment variables name, or else in the public one."""
        named = {name.lower(): value for name, value in os.environ.items()}  # npm takes either case
        registry = named.get("npm_config_registry") or _REGISTRY
        return f"{registry.rstrip('/')}/{self.name}/-/{self.file_name}"

    def is_right(self, content: bytes) -> bool:
        return base64.b64encode(hashlib.sha512(content).digest()).decode() == self.sha512

    def fetch(self, folder: Path | None = None) -> bytes:
        """Return the package's bytes from `folder`, or else from the registry; raise WebError."""
        path = (folder or cache_path()) / self.file_name
        with contextlib.suppress(OSError):
            content = path.read_bytes()
            if self.is_right(content):
                return content
        try:
            with urllib.request.urlopen(self.url, timeout=_PATIENCE_S) as answer:
                content = answer.read()
        except (OSError, ValueError) as problem:  # URLError is an OSError
            reason = problem.reason if isinstance(problem, urllib.error.URLError) else problem
            raise WebError(f"cannot fetch {self.url}: {reason}; is the npm registry reachable?") from None
        if not self.is_right(content):
            raise WebError(f"{self.url} is not the package that was pinned: its sha512 is another one")
        with contextlib.suppress(OSError):  # without a copy, the next call fetches it again
            path.parent.mkdir(parents=True, exist_ok=True)
            with replace(path) as file:
                file.write(content)
        return content

    def unpack(self, content: bytes) -> dict[str, bytes]:
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            found = {}
            for name in self.files:
                member = archive.extractfile(f"package/{name}")
                assert member, "the pinned package has it"
                found[name] = member.read()
        return found


SCRIPT = "micropython.mjs"
PROGRAM = "micropython.wasm"
MICROPYTHON = Package(
    "@micropython/micropython-webassembly-pyscript",
    "1.29.0-6",
    "kLwGPJFsLY/2aUPmzZxpvauFSmKc0SlJWVvvEttULR0poVQ6W9HV//1fUJyxrGWAxCVDw9aYqJ0LAog0ZLjYVA==",
    (SCRIPT, PROGRAM),
)
QR = "nano.mjs"  # shows a QR code
LEAN_QR = Package(
    "lean-qr",
    "2.7.4",
    "tlMPFfqhAAZN7+j/djRSvl/2+AYT2+7RRuyq8bvcbV8gMiENiscquQ9WTfCSyeEdxsVaEB+tU7e9nFZC63BFnQ==",
    (QR,),
)
PACKAGES = (MICROPYTHON, LEAN_QR)


def cache_path() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("skyline", appauthor=False)
