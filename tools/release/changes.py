"""Read the versions and the notes of CHANGELOG.md, which CITATION.cff and a tag must agree with."""

import re
from datetime import datetime, timezone

from sim.terminal import Refusal
from tools import ROOT

_NO_ADDRESS = "//OWNER."  # stands in README.md until the page is somewhere
_HEADING = re.compile(r"^## (\S+) \((\d{4}-\d\d-\d\d)\)$", re.MULTILINE)


def read_versions() -> list[tuple[str, str]]:
    """Return version and date of each section, the newest first."""
    return _HEADING.findall(_read())


def read_notes(version: str) -> str:
    """Return the section of `version`, which must be the first; refuse any other."""
    _, *parts = _HEADING.split(_read())
    if parts[:1] != [version]:
        raise Refusal(f"CHANGELOG.md begins with {parts[0]}, but firmware/scenes/options/facts.py has {version}")
    return f"# Skyline {version}\n\n{parts[2].strip()}\n"


def check_citation() -> None:
    """Refuse a CITATION.cff of another version or day than the first section."""
    version, day = read_versions()[0]
    lines = (ROOT / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    for line in (f"version: {version}", f"date-released: {day}"):
        if line not in lines:
            raise Refusal(f"CITATION.cff needs the line {line!r}, as CHANGELOG.md has it")


def check_tag(tag: str, version: str) -> None:
    """Refuse a tag of another version, and a README that does not say where the page is."""
    if tag != f"v{version}":
        raise Refusal(f"the tag {tag} is not that of version {version}: v{version}")
    if _NO_ADDRESS in (ROOT / "README.md").read_text(encoding="utf-8"):
        raise Refusal(f"README.md says {_NO_ADDRESS!r}: write the owner of the page into its link")


def find_epoch() -> int:
    """Return the day of the newest section, in seconds since 1970."""
    day = datetime.strptime(read_versions()[0][1], "%Y-%m-%d").replace(tzinfo=timezone.utc)
    return int(day.timestamp())


def _read() -> str:
    return (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
