"""tools.release makes the same bytes each time, from files that belong together."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.scenes.options.facts import VERSION
from sim.terminal import Refusal
from tests.release.conftest import BOOT_OUT
from tests.support.running import ROOT, run_python
from tools.deploy.image import LIBRARIES, name_package
from tools.parts.packages import PARTS, make
from tools.release import archives, bill, changes
from tools.release.__main__ import build_packages
from tools.web import npm

NAME = f"skyline-{VERSION.decode()}"
PACKAGE = f"skyline_game-{VERSION.decode()}"
PLACE = "skyline:travels-with"


@pytest.mark.wheel
def test_two_releases_have_equal_sums(clones: list[Path]) -> None:
    first, second = ((clone / "build" / "release" / "SHA256SUMS").read_text() for clone in clones)
    assert first == second


@pytest.mark.wheel
def test_the_sums_are_those_of_all_files(release: Path) -> None:
    sums = dict(line.split("  ")[::-1] for line in (release / "SHA256SUMS").read_text().splitlines())
    names = (
        f"{NAME}-page.zip",
        f"{NAME}-circuitpython-10.zip",
        f"{NAME}-hardware.zip",
        *(f"circuitpython-{part.replace('_', '-')}-{VERSION.decode()}.zip" for part in PARTS),
        f"{NAME}.cdx.json",
        "release-notes.md",
    )
    assert set(sums) == {*names, f"{PACKAGE}.tar.gz", f"{PACKAGE}-py3-none-any.whl"}
    assert {name: hashlib.sha256((release / name).read_bytes()).hexdigest() for name in sums} == sums


@pytest.mark.wheel
def test_the_zip_for_a_board_is_what_deploy_copies(release: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(release / f"{NAME}-circuitpython-10.zip") as drive:
        drive.extractall(tmp_path)
    (tmp_path / "boot_out.txt").write_text(BOOT_OUT)
    done = run_python("-m", "tools.deploy", "--dry-run", "--drive", tmp_path)
    assert done.returncode == 0 and "would" not in done.stdout and " as they were" in done.stdout


@pytest.mark.wheel
def test_each_part_is_a_zip_with_its_package_compiled(release: Path) -> None:
    for part in PARTS:
        folder = f"circuitpython-{part.replace('_', '-')}-{VERSION.decode()}"
        with zipfile.ZipFile(release / f"{folder}.zip") as packed:
            found = {name: packed.read(name) for name in packed.namelist()}
        assert found == {f"{folder}/{name}": content for name, content in make(part).items()}
        assert found[f"{folder}/lib/{part}/__init__.mpy"][:1] == b"C"


@pytest.mark.wheel
def test_the_wheel_has_the_bill_in_its_place(release: Path) -> None:
    with zipfile.ZipFile(release / f"{PACKAGE}-py3-none-any.whl") as wheel:
        inside = wheel.read(f"{PACKAGE}.dist-info/sboms/skyline_game/bill.cdx.json")
    assert inside == (release / f"{NAME}.cdx.json").read_bytes()


def test_the_bill_names_each_package_with_its_licence(packages: None) -> None:
    parts = json.loads(bill.make())["components"]
    assert all(part["version"] and part["licenses"] for part in parts)
    found = {(part["properties"][0]["value"], part["name"].lower()) for part in parts}
    text = (ROOT / "pyproject.toml").read_text().split("\ndependencies = [", 1)[1].split("]")[0]
    wanted = [line.strip(' ",\n') for line in text.splitlines() if line]
    assert found == {
        *(("wheel", name) for name in bill.list_required(wanted)),
        *(("page", package.name) for package in npm.PACKAGES),
        *(("board", name_package(module)) for module, _driver in LIBRARIES.values()),
    }


@pytest.mark.parametrize("step", [bill.make, build_packages])
def test_a_hatchling_that_ends_without_a_word_gets_one_line(step: Callable[[], object], monkeypatch) -> None:
    """As where the system kills it."""
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    with pytest.raises(Refusal, match=r"^hatchling: exit code 1$"):
        step()


def test_the_licences_of_the_page_name_its_packages() -> None:
    text = (ROOT / "sim" / "web" / "licences.txt").read_text()
    assert [package.name for package in npm.PACKAGES if package.name not in text] == []


def test_a_zip_depends_on_its_files_alone() -> None:
    files = {"b": b"2", "a/c": b"1"}
    packed = archives.pack_zip(files, 1_764_000_000)
    assert packed == archives.pack_zip(dict(sorted(files.items())), 1_764_000_000)


def test_notes_are_the_first_section_of_the_changes() -> None:
    notes = changes.read_notes(VERSION.decode())
    assert notes.startswith(f"# Skyline {VERSION.decode()}\n\n- ") and "##" not in notes
    with pytest.raises(Refusal, match=r"CHANGELOG.md begins with .*, but firmware/scenes/options/facts.py has 9$"):
        changes.read_notes("9")


def test_the_citation_has_version_and_day_of_the_changelog(monkeypatch: pytest.MonkeyPatch) -> None:
    changes.check_citation()
    monkeypatch.setattr(changes, "read_versions", lambda: [("9", "2026-01-01")])
    with pytest.raises(Refusal, match=r"CITATION.cff needs the line 'version: 9', as CHANGELOG.md has it$"):
        changes.check_citation()


def test_a_tag_names_its_version_and_the_readme_where_the_page_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "ROOT", tmp_path)
    page = tmp_path / "README.md"
    page.write_text("[Play now](https://OWNER.github.io/skyline/)")
    with pytest.raises(Refusal, match=r"^README.md says '//OWNER\.': write the owner of the page into its link$"):
        changes.check_tag("v9", "9")
    page.write_text("[Play now](https://example.org/skyline/)")
    changes.check_tag("v9", "9")
    with pytest.raises(Refusal, match=r"^the tag v8 is not that of version 9: v9$"):
        changes.check_tag("v8", "9")


def test_the_readme_begins_with_a_picture_play_install_and_build() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## ")[0]
    assert re.findall(r"(?:!|\*\*)\[(\w+)", text) == ["The", "Play", "Install", "Build", "Eight"]


def test_a_release_of_a_tag_checks_it_before_anything_is_made() -> None:
    """So the placeholder of the page's address cannot stay in a release."""
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    assert '--tag "$GITHUB_REF_NAME"' in workflow
    done = run_python("-m", "tools.release", "--tag", "v0", cwd=ROOT)
    assert (done.returncode, done.stdout) == (2, "") and "the tag v0 is not that of version" in done.stderr
