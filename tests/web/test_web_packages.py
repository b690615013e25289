"""What the page is made with: pinned packages of the npm registry, esbuild, and the lint in Node."""

import io
import re
import tarfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest

from tests.support import needs
from tests.web.realm import PACKAGES
from tools.web import WebError, bundling, linting, npm
from tools.web import dist as made
from tools.web.__main__ import main

Answers = dict[str, Any]


class TestBundling:
    SOURCES: ClassVar = {
        "a.js": b'/** What. */\nimport { amount } from "./b.js";\nconsole.log(amount); // said\n',
        "b.js": b'export const amount = "// no";\nexport function unasked() {}\n',
    }

    @pytest.fixture(autouse=True)
    def esbuild(self) -> None:
        with needs.registry():
            bundling.find_program().fetch(PACKAGES)

    def test_bundled_scripts_are_shorter(self) -> None:
        assert bundling.bundle(self.SOURCES, ["a.js"], PACKAGES) == {"a.js": b'var o="// no";console.log(o);\n'}

    def test_shared_code_is_bundled_once(self) -> None:
        found = bundling.bundle({**self.SOURCES, "c.js": self.SOURCES["a.js"]}, ["a.js", "c.js"], PACKAGES)
        assert sum(content.count(b"// no") for content in found.values()) == 1
        assert [name for name in found if name.startswith("shared-")] == [name for name in found if len(name) > 4]

    def test_a_minified_script_keeps_its_suffix(self) -> None:
        assert bundling.minify("m.mjs", b"export   let a = 1", PACKAGES) == b"export let a=1;\n"

    def test_a_syntax_error_is_reported_with_file_and_line(self) -> None:
        with pytest.raises(WebError, match=r'^b\.js:2:9: Expected identifier but found "\{"$'):
            bundling.bundle({**self.SOURCES, "b.js": b"\nfunction {"}, ["a.js"], PACKAGES)

    def test_a_missing_import_is_reported(self) -> None:
        with pytest.raises(WebError, match=r'^a\.js:2:23: Could not resolve "\./b\.js"$'):
            bundling.bundle({"a.js": self.SOURCES["a.js"]}, ["a.js"], PACKAGES)


class TestLint:
    def test_lint_reports_a_wrong_type_and_a_shadowed_name_with_lines(self, monkeypatch: pytest.MonkeyPatch) -> None:
        script = b"export const find = (/** @type {number} */ at) => [1].map((at) => at.length);\n"
        monkeypatch.setattr(made, "gather", lambda _addresses, _qr: {"a.js": script})
        needs.demand("node")
        with needs.registry():
            found = "\n".join(linting.check(PACKAGES))
        assert "page/a.js(1,70): error TS2339: Property 'length' does not exist on type 'number'." in found
        assert re.search(r"'at' is already declared in the upper scope .* no-shadow", found)

    def test_packages_that_another_process_unpacked_meanwhile_are_taken(self, tmp_path: Path, monkeypatch) -> None:
        def unpack(temporary: Path, pin: list[str], _cache: Path) -> None:
            for folder in (temporary, place):
                (folder / pin[0]).mkdir(parents=True, exist_ok=True)

        place = tmp_path / linting.name_folder()
        monkeypatch.setattr(linting, "_unpack", unpack)
        assert linting.install(tmp_path) == place and list(tmp_path.iterdir()) == [place]

    def test_packages_that_cannot_be_written_leave_nothing_behind(self, tmp_path: Path, monkeypatch) -> None:
        monkeypatch.setattr(linting, "_unpack", Mock(side_effect=OSError("the disk is full")))
        with pytest.raises(OSError, match="the disk is full"):
            linting.install(tmp_path)
        assert list(tmp_path.iterdir()) == []

    def test_missing_node_is_reported_in_one_line(self, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        monkeypatch.setattr("shutil.which", lambda _name: None)
        assert main(["lint"]) == 2
        assert capsys.readouterr().err.endswith("there is no Node here to check the scripts with\n")


def test_an_unsupported_computer_is_told_where_esbuild_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(WebError, match=r"esbuild, which is pinned for Linux x86_64, .*; this is \w+ riscv64$"):
        bundling.find_program()


class TestFetching:
    """Third-party packages come from the npm registry and must match their pinned checksum."""

    @pytest.fixture
    def registry(self, monkeypatch: pytest.MonkeyPatch) -> Answers:
        answers: Answers = {}

        def urlopen(url: str, **_how: Any) -> Any:
            answers["asked"] = url
            if isinstance(answers["answer"], Exception):
                raise answers["answer"]
            return io.BytesIO(answers["answer"])

        monkeypatch.setattr(urllib.request, "urlopen", urlopen)
        monkeypatch.delenv("npm_config_registry", raising=False)  # the developer's own
        return answers

    def test_another_package_is_refused(self, registry: Answers, tmp_path: Path) -> None:
        registry["answer"] = b"something else"
        with pytest.raises(WebError, match=r"is not the package that was pinned: its sha512 is another one"):
            npm.MICROPYTHON.fetch(tmp_path)
        assert not list(tmp_path.iterdir())

    def test_an_unreachable_registry_is_reported_in_one_line(self, registry: Answers, tmp_path: Path) -> None:
        registry["answer"] = urllib.error.URLError("no route to host")
        with pytest.raises(WebError, match=r"^cannot fetch https://\S+: no route to host; is the npm registry reach"):
            npm.MICROPYTHON.fetch(tmp_path)

    def test_a_package_is_cached_and_fetched_again_if_damaged(self, registry: Answers, tmp_path, monkeypatch) -> None:
        registry["answer"] = b"the package"
        monkeypatch.setattr(npm.Package, "is_right", lambda _self, content: content == b"the package")
        path = tmp_path / "cache" / npm.LEAN_QR.file_name
        assert npm.LEAN_QR.fetch(path.parent) == path.read_bytes() == b"the package"
        registry["answer"] = urllib.error.URLError("gone")
        assert npm.LEAN_QR.fetch(path.parent) == b"the package"
        path.write_bytes(b"damaged")
        with pytest.raises(WebError):
            npm.LEAN_QR.fetch(path.parent)

    def test_the_registry_of_the_environment_is_used(self, registry: Answers, tmp_path, monkeypatch) -> None:
        monkeypatch.setenv("npm_config_registry", "https://mirror.example/npm/")
        registry["answer"] = b""
        with pytest.raises(WebError):
            npm.MICROPYTHON.fetch(tmp_path)
        mirror = "https://mirror.example/npm/@micropython/micropython-webassembly-pyscript/-/"
        assert registry["asked"].startswith(mirror)

    def test_only_the_needed_files_are_unpacked(self) -> None:
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz") as archive:
            for name in (npm.SCRIPT, npm.PROGRAM, "README.md"):
                member = tarfile.TarInfo(f"package/{name}")
                member.size = len(name)
                archive.addfile(member, io.BytesIO(name.encode()))
        found = npm.MICROPYTHON.unpack(packed.getvalue())
        assert found == {name: name.encode() for name in (npm.SCRIPT, npm.PROGRAM)}
