"""List every package that travels with the wheel, the page and the board, with its licence, as CycloneDX JSON."""

import dataclasses
import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

from firmware.scenes.options.facts import VERSION
from sim.terminal import Refusal, tell_install
from tools import ROOT
from tools.deploy.image import LIBRARIES, name_package
from tools.measure.environment import call
from tools.web import npm

_MOST_LETTERS = 40  # a longer License field holds the whole text


def make() -> bytes:
    """Return the bill; refuse if a package is missing or has no licence."""
    parts = [_describe_pypi(name, "wheel") for name in list_required(_read_dependencies())]
    parts += [_describe_npm(package, "page") for package in npm.PACKAGES]
    parts += [_describe_pypi(name_package(module), "board") for module, _driver in LIBRARIES.values()]
    ours = {"type": "application", **_describe("skyline-game", VERSION.decode(), {"expression": "MIT"}, "pypi")}
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": {"component": ours}}
    return json.dumps({**bill, "components": parts}, indent=1).encode() + b"\n"


def list_required(requirements: list[str]) -> list[str]:
    """Return the names of all packages that these requirements install here, sorted."""
    from packaging.requirements import Requirement

    found: set[str] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        wanted = waiting.pop()
        if wanted.name.lower() not in found and (not wanted.marker or wanted.marker.evaluate({"extra": ""})):
            found.add(wanted.name.lower())
            waiting += [Requirement(text) for text in _find(wanted.name).requires or []]
    return sorted(found)


def _read_dependencies() -> list[str]:
    printed = call([sys.executable, "-m", "hatchling", "metadata", "dependencies"], "hatchling", cwd=ROOT)
    return [str(each) for each in json.loads(printed)]


def _find(name: str) -> Any:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise Refusal(f"{name} is not installed; {tell_install('release')}") from None


def _describe_pypi(name: str, place: str) -> dict[str, Any]:
    found = _find(name).metadata
    kinds = [kind.rpartition(" :: ")[2] for kind in found.get_all("Classifier", []) if kind.startswith("License")]
    words = found.get("License") or ""
    expression, named = found.get("License-Expression"), words if 0 < len(words) < _MOST_LETTERS else " ".join(kinds)
    if not expression and not named:
        raise Refusal(f"{name} does not say its licence")
    licence = {"expression": expression} if expression else {"name": named}
    return _place(_describe(name, found["Version"], licence, "pypi"), place)


def _describe_npm(package: npm.Package, place: str) -> dict[str, Any]:
    content = dataclasses.replace(package, files=("package.json",)).unpack(package.fetch())["package.json"]
    licence = {"expression": json.loads(content)["license"]}
    return _place(_describe(package.name, package.version, licence, "npm"), place)


def _describe(name: str, version: str, licence: dict[str, str], registry: str) -> dict[str, Any]:
    address = f"pkg:{registry}/{name.replace('@', '%40')}@{version}"
    licences = [licence if "expression" in licence else {"license": licence}]
    return {"name": name, "version": version, "bom-ref": address, "purl": address, "licenses": licences}


def _place(part: dict[str, Any], place: str) -> dict[str, Any]:
    return {"type": "library", **part, "properties": [{"name": "skyline:travels-with", "value": place}]}
