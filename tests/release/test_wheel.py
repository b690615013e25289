"""The wheel works in an empty folder beside other packages and versions, and its texts name its own commands."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from sim import terminal
from tests.release.conftest import BARE_PYTHON, BOOT_OUT, Installed
from tests.support import needs
from tests.support.rights import look
from tools.wheel import desktop
from tools.wheel.commands import COMMANDS
from tools.wheel.desktop import NAME, quote

VERSION = 'VERSION = b"{}"'
needs_xdg = needs.system(sys.platform not in ("win32", "darwin"), "XDG folders")


@pytest.mark.wheel
def test_the_wheel_installs_one_package(installed: Installed) -> None:
    (record,) = installed.site_packages().glob("skyline_game-*.dist-info/RECORD")
    tops = {re.split("[/,]", line)[0] for line in record.read_text().splitlines()}
    assert tops == {"..", "skyline_game", record.parent.name}


@pytest.mark.wheel
def test_skyline_plays_the_game_that_comes_with_it(installed: Installed) -> None:
    done = installed.run("skyline", "--headless", "--play", "demo", "--trace")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"50 +33980 ms .* score +14110 ", done.stdout.splitlines()[-1])


@pytest.mark.wheel
def test_skyline_web_build_writes_the_page_of_the_release(installed: Installed, release: Path) -> None:
    done = installed.run("skyline", "web", "build")
    assert (done.returncode, done.stderr) == (0, "")
    with zipfile.ZipFile(next(release.glob("*-page.zip"))) as page:
        for name in page.namelist():
            words = page.read(name).replace(b"python3 -m tools.setup web", b"skyline web")
            assert (installed.folder / "dist" / name).read_bytes() == words, name


@pytest.mark.wheel
def test_skyline_web_serves_the_page_and_writes_nothing(installed: Installed) -> None:
    before = sorted(installed.folder.iterdir())
    command = [str(next(Path(installed.variables["PATH"].split(os.pathsep)[0]).glob("skyline*"))), "web", "serve"]
    how = {"cwd": installed.folder, "env": installed.variables, "text": True}
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, **how) as server:  # type: ignore[call-overload]
        address = server.stdout.readline().split()[0]
        with urllib.request.urlopen(address) as page:
            assert b"<code>skyline web</code>" in page.read()
        server.terminate()
    assert sorted(installed.folder.iterdir()) == before


@pytest.mark.wheel
def test_skyline_deploy_fills_a_drive(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "boot_out.txt").write_text(BOOT_OUT)
    done = installed.run("skyline", "deploy", "--drive", tmp_path)
    assert done.returncode == 0, done.stderr
    names = ("code.py", "boot.py", "firmware/root.mpy", "firmware/puzzles.bin", "firmware/winning.bin")
    assert all((tmp_path / name).is_file() for name in names)


@pytest.mark.wheel
def test_skyline_bots_speaks_the_protocol(installed: Installed) -> None:
    done = installed.run("skyline", "bots", "tbp", told='{"type":"quit"}\n')
    assert (done.returncode, done.stderr) == (0, "") and json.loads(done.stdout)["type"] == "info"


@pytest.mark.wheel
def test_processes_of_a_command_find_our_packages(installed: Installed) -> None:
    done = installed.run("skyline", "versus", "1", "2", "--games", "2", "--jobs", "2")
    assert done.returncode == 0 and "| 2 DUCK" in done.stdout, done.stderr


@pytest.mark.wheel
@pytest.mark.parametrize("words", ["", *COMMANDS])
def test_help_names_the_commands_of_a_wheel(installed: Installed, words: str) -> None:
    done = installed.run("skyline", *words.split(), "--help")
    if "is not installed" in done.stderr:
        assert re.fullmatch(
            rf"skyline( {words})?: \w+ is not installed .*; pipx install --force '/.*\.whl\[\w+\]'\n", done.stderr
        )
    else:
        assert done.returncode == 0 and f"usage: skyline {words}".strip() in done.stdout
        assert "python" not in done.stdout.replace("CircuitPython", "").replace("MicroPython", "")


@pytest.mark.wheel
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("depoly", "skyline: there is no command 'depoly'; did you mean deploy?"),
        ("web relay", "skyline web: websockets is not installed; pipx install --force '/"),
        ("web lint", "skyline web: lint needs a clone of the repository"),
        ("openers build", "skyline openers: build needs a clone of the repository"),
        ("puzzles allclear --pack", "skyline puzzles: --pack needs a clone of the repository"),
        ("measure no.sky", "skyline measure: cannot read no.sky: No such file or directory"),
        ("puzzles show 999", "skyline puzzles: there is no puzzle '999'; `skyline puzzles list` lists 1 to"),
        ("openers show none", "skyline openers: there is no opener 'none'; there are TKI,"),
    ],
)
def test_a_refusal_names_the_commands_of_a_wheel(installed: Installed, words: str, said: str) -> None:
    done = installed.run("skyline", *words.split())
    assert done.returncode == terminal.FAILED and done.stderr.startswith(said) and done.stderr.count("\n") == 1


@pytest.mark.wheel
@needs_xdg
def test_install_desktop_names_each_file_that_it_writes(installed: Installed) -> None:
    installed.run("skyline", "--uninstall-desktop")
    share = installed.base / ".local" / "share"
    before = {path for path in share.rglob("*") if path.is_file()}
    done = installed.run("skyline", "--install-desktop")
    assert (done.returncode, done.stderr) == (0, "")
    written = {path for path in share.rglob("*") if path.is_file()} - before
    assert set(map(Path, done.stdout.splitlines())) == written
    assert {path.suffix for path in written} == {".desktop", ".xml", ".png", ".6"}


@pytest.mark.wheel
@needs_xdg
def test_the_desktop_entry_starts_the_installed_command(installed: Installed) -> None:
    installed.run("skyline", "--install-desktop")
    entry = (installed.base / ".local" / "share" / "applications" / f"{NAME}.desktop").read_text()
    command = re.search(r'^Exec="(.+)"$', entry, re.MULTILINE)
    assert command and installed.run(command[1], "--version").stdout.startswith("skyline ")


@pytest.mark.wheel
@needs_xdg
def test_uninstall_desktop_removes_what_was_installed(installed: Installed) -> None:
    written = installed.run("skyline", "--install-desktop").stdout.splitlines()
    done = installed.run("skyline", "--uninstall-desktop")
    assert (done.returncode, done.stderr) == (0, "") and set(written) <= set(done.stdout.splitlines())
    assert written and not any(Path(name).exists() for name in written)


@pytest.mark.wheel
def test_no_command_writes_into_the_installed_package(installed: Installed) -> None:
    package = installed.site_packages() / "skyline_game"
    before = {name: found for name, found in look(package).items() if "__pycache__" not in name}
    for words in ("openers build", "openers cover --fill", "puzzles build", "puzzles allclear --pack", "bots tune",
                  "measure --write-fuel", "review measure --fill", "web picture", "versus 1 2 --fill"):  # fmt: skip
        done = installed.run("skyline", *words.split())
        assert done.returncode == terminal.FAILED and done.stderr.count("\n") == 1, words
    assert {name: found for name, found in look(package).items() if "__pycache__" not in name} == before


@pytest.mark.wheel
def test_two_versions_lie_beside_each_other(installed: Installed, clones: list[Path], tmp_path: Path) -> None:
    facts = clones[1] / "firmware" / "scenes" / "options" / "facts.py"
    text = facts.read_text()
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    try:
        facts.write_text(re.sub(VERSION.format(".*"), VERSION.format("99.0"), text))
        subprocess.run(build, cwd=clones[1], check=True, capture_output=True)
    finally:
        facts.write_text(text)  # other tests use the clone
    other = Installed(tmp_path)
    other.install("--no-deps", *tmp_path.glob("*.whl"))
    assert other.run("skyline", "--version").stdout == "skyline 99.0\n"
    assert (
        installed.run("skyline", "--version").stdout == "skyline " + re.findall(VERSION.format("(.*)"), text)[0] + "\n"
    )


@pytest.mark.wheel
def test_setup_still_makes_an_environment_of_a_clone(clones: list[Path], tmp_path: Path) -> None:
    user = Installed(tmp_path)
    user.folder = clones[1]
    done = user.run(BARE_PYTHON, "-m", "tools.setup", "sim", "--headless", "--play", "demo", "--trace")
    if "is a package index reachable?" in done.stderr:
        needs.skip("registry")
    assert done.returncode == 0 and "score   14110" in done.stdout, done.stderr
    python = clones[1] / ".venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    found = user.run(python, "-c", "import os; os.chdir('/'); import firmware, code; print(firmware, code)")
    assert str(clones[1] / "firmware") in found.stdout and str(clones[1] / "code.py") not in found.stdout


def test_a_reader_of_a_clone_is_told_its_commands() -> None:
    assert terminal.IS_CLONE and terminal.name_commands("`python -m tools.web`") == "`python -m tools.web`"


@pytest.mark.parametrize(
    ("clone", "wheel"),
    [
        ("python3 -m tools.setup web relay", "skyline web relay"),
        ("python3 -m tools.setup sim", "skyline"),
        ('python -m sim --versus "python -m tools.bots tbp"', 'skyline --versus "skyline bots tbp"'),
        ("or delete them, use python -m\n  tools.library", "or delete them, use skyline library"),
        ("python -m venv x", "python -m venv x"),
    ],
)
def test_a_reader_of_a_wheel_is_told_its_commands(clone: str, wheel: str) -> None:
    assert terminal.name_commands(clone, is_clone=False) == wheel


@pytest.mark.parametrize(("system", "words"), [("win32", "make a shortcut"), ("linux", "only the wheel of a release")])
def test_a_system_without_those_files_is_told_in_one_line(system: str, words: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(desktop.sys, "platform", system)
    monkeypatch.setattr(desktop, "SHARE", tmp_path / "none")
    with pytest.raises(terminal.Refusal, match=words):
        desktop.install()


@pytest.mark.parametrize(
    ("path", "command"), [("/a b/skyline", '"/a b/skyline"'), ("/50%/s", '"/50%%/s"'), ("/a$b", '"/a\\\\$b"')]
)
def test_a_desktop_entry_quotes_the_path_of_the_command(path: str, command: str) -> None:
    assert quote(Path(path)) == command
