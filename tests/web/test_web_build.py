"""The folder made by tools.web: its files, its weight, how it is served, and messages for errors."""

import hashlib
import io
import json
import re
import urllib.error
import urllib.request
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.web import realm
from tests.web.host import Host
from tools.web import dist as made
from tools.web import serving
from tools.web.__main__ import main

Files = dict[str, bytes]
MOST, MOST_OWN = 306 * 1024, 48 * 1024


@pytest.fixture(scope="module")
def files(dist: Path) -> dict[str, bytes]:
    found = {path.relative_to(dist).as_posix(): path.read_bytes() for path in dist.rglob("*") if path.is_file()}
    others = (made.MARKER, "package.json", realm.PARTS)
    return {name: content for name, content in found.items() if name.split("/")[0] not in others}


@pytest.mark.slow
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
