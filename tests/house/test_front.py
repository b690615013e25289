"""What stands at the front door for strangers: the page about accessibility, and the forms of issues."""

import re
from pathlib import Path

import pytest

from tests.support.running import ROOT

PAGE = (ROOT / "ACCESSIBILITY.md").read_text(encoding="utf-8")
ROWS = [line.strip("| ").split(" | ") for line in re.findall(r"^\| (?!point).*\|$", PAGE, re.MULTILINE)]
FORMS = [path for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")) if path.stem != "config"]


def test_each_point_names_tests_that_exist_or_a_reason() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(ROWS) > 50 and {len(row) for row in ROWS} == {3}
    for point, _what, shown in ROWS:
        names = re.findall(r"`(test_\w+)`", shown)
        assert names or shown.startswith("none"), point
        assert [name for name in names if f"def {name}(" not in sources] == [], point


def test_all_points_of_the_xbox_guidelines_are_there() -> None:
    numbers = [int(point[:3]) for point, *_ in ROWS if point[:3].isdecimal()]
    assert numbers == list(range(101, 124))


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_for_the_version_and_the_recording(path: Path) -> None:
    head, *fields = path.read_text(encoding="utf-8").split("\n  - type: ")
    assert re.match(r"name: .+\ndescription: .+\nbody:$", head)
    found = {re.findall(r"^    id: (\w+)$", field, re.MULTILINE)[0]: field for field in fields}
    assert "required: true" in found["version"] and "recording" in found


@pytest.mark.parametrize("name", [".github/SUPPORT.md", "ACCESSIBILITY.md", "SECURITY.md", "RELEASING.md"])
def test_links_of_a_page_lead_to_files(name: str) -> None:
    page = ROOT / name
    links = re.findall(r"\]\(([^):]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
