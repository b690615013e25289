"""The folder made by tools.web: its files, its weight, and messages for errors."""

import hashlib
import io
import json
import re
import subprocess
import tarfile
import urllib.error
import urllib.request
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from firmware.device import profiles
from firmware.device.chip import FREE_SLICE
from firmware.engine.controls import HARD_DROP, LEFT, ROTATE_CCW
from sim.web import memory
from tests.support import needs
from tests.support.running import ROOT
from tests.web import realm
from tests.web.host import Host
from tests.web.realm import PACKAGES
from tools.deploy import compiling, image, mpy
from tools.web import WebError, bundling, linting, npm, numbering, packing, romfs, serving, sorting, tables
from tools.web import dist as made
from tools.web.__main__ import main

Answers = dict[str, Any]
Files = dict[str, bytes]
MOST, MOST_OWN = 306 * 1024, 48 * 1024


@pytest.fixture(scope="module")
def files(dist: Path) -> dict[str, bytes]:
    found = {path.relative_to(dist).as_posix(): path.read_bytes() for path in dist.rglob("*") if path.is_file()}
    others = (made.MARKER, "package.json", realm.PARTS)
    return {name: content for name, content in found.items() if name.split("/")[0] not in others}


def test_a_first_visit_stays_within_its_download_limit(files: Files) -> None:
    sizes = made.weigh(files)
    assert sizes.total <= MOST and sizes.own <= MOST_OWN


def test_a_build_loads_the_rest_of_its_own_firmware(files: Files) -> None:
    (rest,) = (name for name in files if name.startswith("rest-"))
    assert rest == f"rest-{made.hash_files({'rest': files[rest]})}.bin"
    assert any(f"../{rest}".encode() in content for name, content in files.items() if name.endswith(".js"))


def test_loader_is_left_without_what_only_its_makers_need(files: Files) -> None:
    (loader,) = (content for name, content in files.items() if name.endswith(".mjs"))
    for words in (b"missing Wasm export", b"getNativeTypeSize", b"process.stdin.isTTY"):
        assert words not in loader


def test_every_address_is_relative_and_leads_to_a_file(files: Files) -> None:
    for name in ("index.html", "builder.html"):
        page = files[name].decode()
        addresses = re.findall(r'(?:src|href)="([^"#]+)"', page)
        assert addresses
        for address in addresses:
            assert not address.startswith("/") and "://" not in address
            assert (address if address != "./" else "index.html") in files
    for name, content in files.items():
        if name.endswith(".js"):
            folder = name.rpartition("/")[0]
            for address in re.findall(r'(?:from|new URL\()"(?:\./)?([\w.-]+\.js)"(?!,document)', content.decode()):
                assert f"{folder}/{address}".lstrip("/") in files


def test_service_worker_has_the_sum_of_each_file_and_keeps_some_later(files: Files) -> None:
    lists = [
        json.loads(found) for found in re.findall(r"\{(?:\"[^\"]*\":\"[0-9a-f]{8}\",?)+\}", files["sw.js"].decode())
    ]
    first, later = ({"index.html" if name == "./" else name: digits for name, digits in each.items()} for each in lists)
    assert {name for name in later if "builder" not in name} == {
        "licences.txt",
        *find(files, "studio.js", "archive.js"),
    }
    assert len(later) == 8 and not set(first) & set(later)
    sums = {name: hashlib.sha256(content).hexdigest()[:8] for name, content in files.items() if name != "sw.js"}
    assert first | later == sums


def find(files: Files, *names: str) -> set[str]:
    """Return the paths of the scripts that have one of these names in any folder."""
    return {path for path in files if path.rpartition("/")[2] in names}


def test_a_changed_file_gets_a_new_name(dist: Path, files: Files) -> None:
    place = next(name for name in files if name.startswith("app-")).split("/")[0]
    app = {name.split("/")[1]: content for name, content in files.items() if name.startswith(place)}
    assert place == f"app-{made.hash_files(app)}"
    app["main.js"] += b" "
    assert place != f"app-{made.hash_files(app)}"


def test_the_manifest_lets_browsers_install_the_page(files: Files) -> None:
    manifest = json.loads(files["manifest.webmanifest"])
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("./", "./", "standalone")
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}
    for icon in manifest["icons"]:
        picture = Image.open(io.BytesIO(files[icon["src"]]))
        assert f"{picture.width}x{picture.height}" == icon["sizes"]


def test_third_party_licences_are_included(files: Files) -> None:
    assert b"Copyright (c) 2013-2026 Damien P. George" in files["licences.txt"]
    assert b"Copyright (c) 2021-2025 David Evans" in files["licences.txt"]


def test_the_image_holds_the_firmware_without_hardware_modules() -> None:
    names = {name for name in image.read_sources() if romfs.is_wanted(name)}
    assert {"firmware/app.py", "firmware/scenes/play/play.py", "firmware/device/edges.py"} <= names
    assert not {"firmware/device/boot/pico.py", "safemode.py", "code.py", "boot.py"} & names
    for name in names | {*romfs.CHECKING}:
        imported = re.findall(r"^(?:from|import) (\w+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        assert set(imported) <= {"firmware", "gc", "sys", "array", "binascii", "struct"}


def test_the_builders_image_checks_settings_without_the_game(dist: Path, tmp_path: Path) -> None:
    needs.demand("node")
    parts = realm.unpack(dist, tmp_path, "builder-*.bin")
    settings = 'SKYLINE_DISPLAY = "board"\nSKYLINE_ROTATION = 0\nSKYLINE_BUZZER = "{}"\nSKYLINE_LEFT = "BUTTON_LEFT"\n'
    settings += "".join(f'SKYLINE_{key} = "BUTTON_{pin}"\n' for key, pin in (("RIGHT", "RIGHT"), ("SOFT_DROP", "DOWN")))
    settings += "".join(f'SKYLINE_{key} = "BUTTON_{pin}"\n' for key, pin in (("HARD_DROP", "UP"), ("ROTATE_CW", "A")))
    settings += 'SKYLINE_ROTATE_CCW = "BUTTON_B"\nSKYLINE_HOLD = "none"\nSKYLINE_PAUSE = "none"\n'
    record = json.dumps(profiles.find("tinycircuits_thumby_color"))

    def check(buzzer: str) -> str:
        command = [
            needs.find_node(),
            str(realm.ANSWERER.with_name("checker.mjs")),
            *parts,
            settings.format(buzzer),
            record,
        ]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    assert check("none") == ""
    assert check("SPEAKER") == f"SKYLINE_BUZZER is SPEAKER, allowed: {FREE_SLICE}"


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

    def test_missing_node_is_reported_in_one_line(self, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        monkeypatch.setattr("shutil.which", lambda _name: None)
        assert main(["lint"]) == 2
        assert capsys.readouterr().err.endswith("there is no Node here to check the scripts with\n")


def test_an_unsupported_computer_is_told_where_esbuild_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(WebError, match=r"esbuild, which is pinned for Linux x86_64, .*; this is \w+ riscv64$"):
        bundling.find_program()


@settings(max_examples=20)
@given(st.binary(max_size=2000))
def test_unpacking_inverts_packing(content: bytes) -> None:
    assert packing.unpack(packing.pack(content)) == content


def test_restoring_inverts_sorting_which_cuts_modules_by_kind() -> None:
    module = b"M\x06\x00\x1f" + b"\x03\x04" + b"\x02a\x00\x81\x01\x02b\x00"
    constants = b"\x05\x01x\x00" + b"\x0a\x02\x01\x07\x0212" + b"\x03" + b"\x06\x00\x00"
    files = [module + constants + b"code", b"no module\xff", b"a text", module + constants]
    assert [sorting.cut(file) for file in files] == [(6, 14, 29), (0, 0, 10), (0, 0, 6), (6, 14, 29)]
    one, two = (compiling.compile_source(name, text, "-O3") for name, text in SOURCES.items())
    image = b"head" + one + b"between" + files[1] + files[2] + files[3] + two + b"foot"
    content = sorting.sort(image, [one, *files[1:], two])
    modules = [mpy.read(each) for each in (one, two)]
    names = [each.content[each.names_at : each.constants_at] for each in modules if each]
    assert names[0] + module[6:] + names[1] in content and b"no module\xffa text" + constants in content
    assert sorting.restore(content) == image


SOURCES = {
    "one.py": "def turn(piece, *, times=1):\n    try:\n        return lambda: [piece.x + i for i in range(times)]\n"
    "    except ValueError as problem:\n        raise problem\n",
    "two.py": "import sys\nfor times in sys.argv:\n    print(times.x, **{'piece': 100000})\n",
}


def test_renumbered_modules_share_numbers_and_use_the_same_names() -> None:
    files = {name: compiling.compile_source(name, text, "-O3") for name, text in SOURCES.items()}
    numbered = numbering.renumber({**files, "winning.bin": b"no module"})
    assert numbered.pop("winning.bin") == b"no module"
    before, after = ([mpy.read(content) for content in each.values()] for each in (files, numbered))
    for old, new in zip(before, after, strict=True):
        assert old and new
        used = [[module.names[module.content[at]] for at in module.find_uses()] for module in (old, new)]
        assert used[0] == used[1] and old.names[0] == new.names[0]
    for name in (b"\x0atimes\x00", b"\x0apiece\x00"):
        assert len({module.names.index(name) for module in after if module}) == 1
        assert len({module.names.index(name) for module in before if module}) == 2


def test_tables_use_the_browsers_names_of_keys() -> None:
    found: Any = tables.build()
    assert found["KEYS"][LEFT] == "ArrowLeft Numpad4" and "KeyZ ControlLeft" in found["KEYS"][ROTATE_CCW]
    assert found["LABELS"]["Escape"] == "Esc" and not {"KeyA", "Digit1", "Numpad1", "F1"} & set(found["LABELS"])
    assert found["PAD_BUTTONS"][12] == HARD_DROP and found["PAD_STICKS"]["0-"] == LEFT
    assert found["MENU_STICKS"] == {"1-": HARD_DROP}


def test_states_have_the_numbers_of_their_names() -> None:
    assert [getattr(memory, name) for name in memory.STATE] == list(range(len(memory.STATE)))


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


class TestCommandLine:
    @pytest.fixture(autouse=True)
    def built(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(made, "build", lambda **_how: {"index.html": b"<p>", "app-1/main.js": b"x()"})

    def test_build_writes_the_folder_and_prints_its_weight(self, tmp_path: Path, capsys: Any) -> None:
        (tmp_path / "dist").mkdir()
        assert main(["build", "--output", str(tmp_path / "dist")]) == 0
        assert (tmp_path / "dist" / "app-1" / "main.js").read_bytes() == b"x()"
        assert "a first visit downloads" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("name", "folder", "said"),
        [
            (made.MARKER, ".", r"\S+ is damaged: name a new .*"),
            ("file", "file/dist", r"cannot write \S+: \S+ is no folder"),
        ],
    )
    def test_an_unusable_folder_is_reported(self, tmp_path: Path, capsys, name: str, folder: str, said: str) -> None:
        (tmp_path / name).write_bytes(b"\xff")
        assert main(["build", "--output", str(tmp_path / folder)]) == 2
        assert re.fullmatch(rf"tools\.web: {said}\n", capsys.readouterr().err)

    def test_a_port_in_use_is_reported(self, tmp_path: Path, capsys: Any) -> None:
        with serving.open_server(tmp_path, 0) as other:
            assert main(["serve", "--output", str(tmp_path / "dist"), "--port", str(other.server_port)]) == 2
        assert "cannot be had" in capsys.readouterr().err

    def test_browsers_ask_for_every_file_again(self, tmp_path: Path) -> None:
        main(["build", "--output", str(tmp_path)])
        with closing(Host(tmp_path)) as host:
            for name in ("", "app-1/main.js"):
                with urllib.request.urlopen(host.address + name) as answer:
                    assert answer.headers["Cache-Control"] == "no-cache"

    def test_an_impossible_file_name_is_not_found(self, tmp_path: Path, capsys: Any) -> None:
        with closing(Host(tmp_path)) as host, closing(HTTPConnection(serving.HOST, host.server.server_port)) as asker:
            asker.request("GET", "/%00")
            assert asker.getresponse().status == 404
        assert capsys.readouterr().err == ""

    def test_a_hostile_link_is_not_served_and_nothing_is_guessed(self, tmp_path: Path) -> None:
        folder = tmp_path / "dist"
        (folder / "inner").mkdir(parents=True)
        (tmp_path / "secret").mkdir()
        (tmp_path / "secret" / "key.txt").write_text("secret")
        (folder / "inner" / "page.html").write_text("<p>")
        (folder / "out.txt").symlink_to(tmp_path / "secret" / "key.txt")
        (folder / "out").symlink_to(tmp_path / "secret")
        (folder / "in.html").symlink_to("inner/page.html")
        with closing(Host(folder)) as host:
            for name in ("out.txt", "out/key.txt", "out/", "inner/", "", "%2e%2e/secret/key.txt"):
                with pytest.raises(urllib.error.HTTPError, match="404"):
                    urllib.request.urlopen(host.address + name)
            with urllib.request.urlopen(host.address + "in.html") as answer:
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self';") and "frame-ancestors 'none'" in policy
