"""Skip tests that need a part that is missing here; the end of a run tells each missing part in one line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import distributions
from importlib.util import find_spec
from typing import Any, NoReturn

import pytest

from tests.support.parts import PARTS
from tools import ROOT, interpreters
from tools.board import BoardError
from tools.hardware import HardwareError, kicad
from tools.web import WebError
from tools.web.browse import find_browser, find_firefox

NODE = 20  # the oldest version
NEEDS = "needs "
UNREACHABLE = "is the npm registry reachable?"


@cache
def find_node() -> str:
    """Return the path of Node, "" if there is none or it is too old."""
    found = shutil.which("node") or ""
    if not found:
        return ""
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=False).stdout
    return found if version[1:].split(".")[0].isdecimal() and int(version[1:].split(".")[0]) >= NODE else ""


def has_webkit() -> object:
    from tests.web import webkit

    return shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and webkit.find_browser()


def has_uf2() -> bool:
    from tools.board import firmware_image

    try:
        return bool(firmware_image.find())
    except BoardError:
        return False


def has_kicad() -> bool:
    try:
        return bool(kicad.load())
    except HardwareError:
        return False


def has_history() -> bool:
    command = ["git", "rev-parse", "--is-shallow-repository"]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, check=False).stdout == b"false\n"
    except OSError:
        return False


def has_package(name: str) -> bool:
    """Return whether a module, or a distribution without one, is installed."""
    return bool(find_spec(name.replace("-", "_")) or list(distributions(name=name)))


_CHECKS: dict[str, Callable[[], object]] = {
    "kicad": has_kicad,
    "chromium": find_browser,
    "firefox": find_firefox,
    "webkit": has_webkit,
    "node": find_node,
    "screen": lambda: shutil.which("Xvfb") and shutil.which("xdotool"),
    "strace": lambda: shutil.which("strace"),
    "atheris": lambda: has_package("atheris"),
    "manifold3d": lambda: has_package("manifold3d"),
    "uf2": has_uf2,
    "train": lambda: all(map(has_package, PARTS["train"].packages)),
    "micropython": lambda: not interpreters.missing(interpreters.NATIVE),
    "history": has_history,
    "measurements": (ROOT.parent / "shared").is_dir,
}


@cache
def is_missing(part: str) -> bool:
    """Return whether a part of PARTS is missing here; raise KeyError for one that only its use can tell."""
    return not _CHECKS[part]()


def tell(part: str) -> str:
    """Return why a test is skipped: the same words for each test."""
    return f"{NEEDS}{PARTS[part].name}: {PARTS[part].cure}"


def skip(part: str, **where: Any) -> NoReturn:
    """Skip this test, or with allow_module_level=True this file, because a part is missing."""
    pytest.skip(tell(part), **where)


def mark(*parts: str) -> pytest.MarkDecorator:
    """Return the mark of tests that are skipped if one of these parts is missing."""
    missing = [part for part in parts if is_missing(part)]
    return pytest.mark.skipif(bool(missing), reason=tell(missing[0]) if missing else "all is here")


def demand(*parts: str, **where: Any) -> None:
    """Skip this test or file if one of these parts is missing."""
    for part in parts:
        if is_missing(part):
            skip(part, **where)


def demand_packages(*names: str, **where: Any) -> None:
    """Skip this test or file if one of these packages is missing."""
    if not all(map(has_package, names)):
        skip("packages", **where)


def mark_packages(*names: str) -> pytest.MarkDecorator:
    """Return the mark of tests that are skipped if one of these packages is missing."""
    return pytest.mark.skipif(not all(map(has_package, names)), reason=tell("packages"))


def demand_interpreter(name: str) -> None:
    """Skip this test if an interpreter of tools.interpreters is missing."""
    if interpreters.missing(name):
        skip("micropython" if name == interpreters.NATIVE else "packages")


@contextmanager
def registry() -> Iterator[None]:
    """Skip the test if a package of the page cannot be fetched."""
    try:
        yield
    except WebError as problem:
        if not str(problem).endswith(UNREACHABLE):
            raise
        skip("registry")


def system(has: object, words: str) -> pytest.MarkDecorator:
    """Return the mark of a test for systems that have something."""
    return pytest.mark.skipif(not has, reason=f"not on this system: {words}")


def skip_system(words: str) -> NoReturn:
    """Skip this test because this system has no such thing."""
    pytest.skip(f"not on this system: {words}")


def skip_if_offline(done: subprocess.CompletedProcess[str]) -> None:
    """Skip this test if pip could reach no package index."""
    if "No matching distribution" in done.stderr or "onnection" in done.stderr:
        skip("registry")


def skip_done(words: str) -> NoReturn:
    """Skip this test because an earlier run has done it."""
    pytest.skip(words)


needs_wasm = pytest.mark.skipif(bool(interpreters.missing(interpreters.WASM)), reason=tell("packages"))
