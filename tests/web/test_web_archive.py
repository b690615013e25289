"""All that a browser keeps is one file: it goes to the simulator and comes back; a damaged file changes nothing."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import LEFT
from sim.desktop import archive, key_file, transfer
from sim.desktop.archive import Archive
from sim.library import open_library
from tests.support import archives
from tests.support.archives import CHOSEN, make_archive, make_banks
from tests.web.page_saves import drop, open_section, save
from tests.web.visit import DESK, Visit, visiting

# All that the browser keeps, but not the ids of games; bytes as lists.
LOOK = """async () => {
    const { work } = await import("/parts/saves/library.js");
    const games = await work((stored) => stored.getAll());
    const kept = games.map(({ id, pinned, ...game }) => ({ ...game, pinned: Boolean(pinned) }));
    const entries = Object.entries(localStorage).filter(([key]) => key !== "skyline-replaced").sort();
    return JSON.stringify([kept, entries], (_, value) => (value instanceof Uint8Array ? [...value] : value));
}"""
# Whether each file is refused: its line, or "".
UNPACK = """async (files) => {
    const { unpack } = await import("/parts/saves/archive.js");
    return files.map((text) => {
        try {
            unpack(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
            return "";
        } catch (problem) {
            return problem.message;
        }
    });
}"""
# The lines about a file that is cut to each of these lengths, and how many changes of a byte are accepted and matter.
SPOIL = """async ([text, lengths, places]) => {
    const { pack, unpack } = await import("/parts/saves/archive.js");
    const whole = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const tell = (file) => {
        try {
            return pack(unpack(file)).join();
        } catch (problem) {
            return problem.message;
        }
    };
    const right = tell(whole);
    const flip = (place, bits) => whole.map((byte, at) => (at === place ? byte ^ bits : byte));
    const flipped = places.flatMap((place) => [tell(flip(place, 1)), tell(flip(place, 255))]);
    return [lengths.map((length) => tell(whole.slice(0, length))), flipped.filter((told) => told !== right)];
}"""
DAMAGED = "the archive is damaged"


@pytest.fixture
def phone(browser: Any, site: str, lost: Any) -> Iterator[Visit]:
    """A page with a lost game that is pinned, a game in progress, a chosen key and a theme."""
    with visiting(browser, site, **DESK, storage_state=lost) as visit:
        visit.page.evaluate(
            """async (keys) => {
                const { work } = await import("/parts/saves/library.js");
                const [game] = await work((games) => games.getAll());
                await work((games) => games.put({ ...game, pinned: true }));
                const choices = { theme: "light", thumb: 120, sound: true, "pressed by": keys };
                localStorage.setItem("skyline-page", JSON.stringify(choices));
            }""",
            CHOSEN,
        )
        visit.reload()
        visit.begin_game().press("Space", "KeyJ", "Space", "Escape")
        yield visit


@pytest.fixture
def other(browser: Any, site: str) -> Iterator[Visit]:
    """A page that nobody has visited."""
    with visiting(browser, site) as visit:
        yield visit


def load(visit: Visit, content: bytes) -> None:
    drop(visit, "skyline.zip", content)
    visit.page.wait_for_selector("#notice button:has-text('Load it')")
    with visit.page.expect_navigation():
        visit.page.click("#notice button:has-text('Load it')")
    visit.wait()


def look(visit: Visit) -> Any:
    games, entries = json.loads(visit.page.evaluate(LOOK))
    entries = dict(entries)
    return games, {**entries, "skyline-page": json.loads(entries.get("skyline-page", "{}"))}


def test_a_player_moves_from_a_phone_to_a_pc_and_back(phone: Visit, other: Visit, tmp_path: Path) -> None:
    path, folder, keys = tmp_path / "phone.zip", tmp_path / "saves", tmp_path / "keys.ini"
    path.write_bytes(save(phone, "#save-all"))
    before = look(phone)
    score = phone.ask("handheld.app.router.scene.game.score")
    assert [game["pinned"] for game in before[0]] == [True] and "skyline-game" in before[1] and score > 0

    assert "with 1 new games" in transfer.load_all(path, folder, keys, replaces=False)
    assert key_file.read(keys)["alone"]["KeyJ"] == LEFT
    (entry,) = open_library(folder).entries()
    assert [*entry.path.read_bytes()] == before[0][0]["recording"] and entry.told in before[0][0]["told"]
    transfer.save_all(tmp_path / "pc.zip", folder, keys)
    assert archive.read(tmp_path / "pc.zip") == archive.read(path)

    drop(other, "pc.zip", (tmp_path / "pc.zip").read_bytes())
    other.page.wait_for_selector("#notice:has-text('saves, keys and choices, and add 1 games? Settings')")
    load(other, (tmp_path / "pc.zip").read_bytes())
    assert look(other) == before
    other.resume()
    assert other.ask("handheld.app.router.scene.game.score") == score
    assert other.ask("bool(handheld.app.session.recorder.used)")


def test_a_load_can_be_undone_and_done_again(phone: Visit) -> None:
    save(phone, "#save-all")  # which pauses the game
    phone.page.keyboard.press("Escape")
    before = look(phone)
    dark = {"theme": "dark", "sound": True}
    load(phone, archive.pack(Archive(make_banks(b"others"), keys={"alone": {}}, choices=dark)))
    loaded = look(phone)
    assert loaded[0] == before[0] and loaded[1]["skyline-page"] == dark and "skyline-game" not in loaded[1]
    for expected in (before, loaded):
        open_section(phone, "settings")
        phone.page.click("#undo")
        phone.page.wait_for_selector("#notice button:has-text('Load it')")
        assert phone.notice == "Replace your saves, keys and choices? Settings can undo it."
        with phone.page.expect_navigation():
            phone.page.click("#notice button:has-text('Load it')")
        phone.wait()
        assert look(phone) == expected


def test_undo_is_offered_only_after_a_load(other: Visit) -> None:
    open_section(other, "settings")
    assert not other.page.is_visible("#undo")


def test_games_are_added_and_a_pin_stays(phone: Visit) -> None:
    (mine,), _ = look(phone)
    given = archive.unpack(save(phone, "#save-all"))
    phone.page.keyboard.press("Escape")
    given.games[0].pinned = False
    given.games += make_archive().games
    for _ in range(2):
        load(phone, archive.pack(given))
        games, _ = look(phone)
        assert games[0] == mine and [game["pinned"] for game in games] == [True, True, False]
        assert [game["name"] for game in games[1:]] == [game.name for game in make_archive().games]
    assert games[1]["picture"] == [*archives.PICTURE] and games[2]["picture"] == [0] * 1024


def test_what_an_archive_lacks_stays(phone: Visit) -> None:
    save(phone, "#save-all")
    phone.page.keyboard.press("Escape")
    before = look(phone)
    load(phone, archive.pack(Archive(make_banks(b"others"))))
    games, entries = look(phone)
    assert games == before[0] and entries["skyline-page"] == before[1]["skyline-page"]


def test_saves_of_an_older_page_are_loaded(phone: Visit, other: Visit) -> None:
    found = archive.unpack(save(phone, "#save-all"))
    content = b"SKYLINE SAVES 1\n" + b"".join(found.banks)
    load(other, content + archive.crc32(content).to_bytes(4, "little"))
    other.resume()
    assert other.ask("handheld.app.router.scene.game.score") == phone.ask("handheld.app.router.scene.game.score")


FAULTS = {
    "no room": "Storage.prototype.setItem = function () { throw new Error('no room'); }",
    "no room for the choices": """const { setItem } = Storage.prototype;
        Storage.prototype.setItem = function (key, text) {
            if (key === "skyline-page" && !window.full++) throw new Error("no room");
            setItem.call(this, key, text);
        };
        window.full = 0;""",
    "no room for games": "IDBObjectStore.prototype.add = function () { this.transaction.abort(); }",
    "no games": "IDBObjectStore.prototype.add = function () { throw new Error('no room'); }",
    "no room at last": """const { count } = IDBObjectStore.prototype;
        IDBObjectStore.prototype.count = function () {
            const asked = count.call(this);
            asked.addEventListener("success", () => setTimeout(() => {}) && this.transaction.abort());
            return asked;
        };""",
}


WHOLE = "[Storage.prototype.setItem, IDBObjectStore.prototype.add, IDBObjectStore.prototype.count]"


def test_a_load_that_fails_changes_nothing(phone: Visit) -> None:
    save(phone, "#save-all")
    phone.page.keyboard.press("Escape")
    before = look(phone)
    phone.page.evaluate(f"window.whole = {WHOLE}")
    for name, fault in FAULTS.items():
        phone.page.evaluate(f"() => {{ {fault} }}")
        drop(phone, "skyline.zip", archive.pack(make_archive()))
        phone.page.click("#notice button:has-text('Load it')")
        phone.page.wait_for_selector("#notice:has-text('nothing was changed')")
        phone.page.evaluate(f"{WHOLE} = window.whole")
        phone.page.click("#notice [aria-label=Close]")
        assert look(phone) == before, name
    phone.problems.clear()


def test_hostile_entries_stay_in_the_browser_and_are_told(other: Visit) -> None:
    other.page.evaluate(
        """async () => {
            const { work } = await import("/parts/saves/library.js");
            const forged = { name: "20261122-051530-marathon-1", at: 1, told: "", recording: "SKY", picture: "" };
            for (const bad of [{}, { name: "<b>" }, forged]) await work((games) => games.add(bad));
        }"""
    )
    found = archive.unpack(save(other, "#save-all"))
    assert found.games == [] and other.notice == "The file is without 3 games that cannot be read."
    load(other, archive.pack(make_archive()))
    assert len(look(other)[0]) == 5


def test_forged_archives_are_refused_by_the_page_as_by_the_simulator(other: Visit) -> None:
    forged = list(archives.forge())
    told = other.page.evaluate(UNPACK, [base64.b64encode(content).decode() for _, content, _ in forged])
    assert [(what, says in line) for (what, _, says), line in zip(forged, told, strict=True)] == [
        (what, True) for what, *_ in forged
    ]


def test_a_damaged_archive_is_refused_or_reads_as_before(other: Visit) -> None:
    whole = archive.pack(make_archive())
    places = [*range(64), *range(64, len(whole), 211), *range(whole.index(b"PK\1\2"), len(whole), 3)]
    lengths = [*range(0, len(whole), 97), len(whole) - 1]
    cut, flipped = other.page.evaluate(SPOIL, [base64.b64encode(whole).decode(), lengths, places])
    assert set(cut) == {DAMAGED} and set(flipped) <= {DAMAGED}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (archive.pack(make_archive())[:-1], DAMAGED),
        (archives.zip_up({"readme.txt": b""}), "this zip is no archive of Skyline"),
    ],
)
def test_an_unusable_archive_is_reported_in_one_line(other: Visit, content: bytes, says: str) -> None:
    before = look(other)
    drop(other, "mine.zip", content)
    other.page.wait_for_selector(f"#notice:has-text('{says}')")
    assert other.notice == f"mine.zip: {says}." and look(other) == before


def test_a_large_file_is_refused_before_it_is_read(other: Visit) -> None:
    answer = other.page.evaluate(
        """async (bytes) => {
            const { open } = await import("/parts/saves/archive.js");
            let read = 0;
            await open(null, { name: "large.zip", size: bytes, arrayBuffer: () => read++ });
            return read;
        }""",
        archive.MOST_BYTES + 1,
    )
    assert answer == 0 and other.notice == "large.zip: it is larger than 64 MB."


def test_the_script_is_loaded_when_it_is_asked_for(other: Visit) -> None:
    assert not [address for address in other.requests if address.endswith("/archive.js") and "/app-" in address]
    save(other, "#save-all")
    assert len({address for address in other.requests if address.endswith("/archive.js") and "/app-" in address}) == 1
