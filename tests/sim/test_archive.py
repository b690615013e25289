"""One file has all that a player has: it is saved and loaded as a whole, or not at all."""

import errno
import os
from contextlib import suppress
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from sim.cli import main
from sim.desktop import archive, key_file, transfer
from sim.desktop.archive import Archive
from sim.desktop.opening import _claim as claim_saves
from sim.library import KINDS, open_library
from sim.pictures import encode_png, read_png
from sim.store import claim, open_stores
from sim.terminal import Refusal
from tests.support import archives, needs
from tests.support.archives import CHOSEN, PICTURE, RECORDED, make_archive, make_banks
from tests.support.flash import PowerCut
from tests.support.handhelds.command_lines import refused

LINES = ("the archive is damaged", "this is no archive of Skyline", "this zip is no archive of Skyline")
FORGED = list(archives.forge())
STEP = 37  # bytes between two places of damage: no field and no file is between them


class Player:
    """A folder of saves and a file of keys."""

    def __init__(self, place: Path) -> None:
        self.folder, self.keys = place / "saves", place / "keys.ini"
        self.place = place
        place.mkdir(exist_ok=True)

    def load(self, found: Archive, replaces: bool = False) -> str:
        path = self.place / "given.zip"
        path.write_bytes(archive.pack(found))
        return transfer.load_all(path, self.folder, self.keys, replaces)

    def save(self) -> Archive:
        transfer.save_all(self.place / "made.zip", self.folder, self.keys)
        return archive.read(self.place / "made.zip")

    def look(self) -> dict[str, bytes]:
        """Return all files by path, but not the database, which is made of them, and its lock."""
        paths = [
            path for path in self.place.rglob("*") if path.is_file() and path.name not in ("games.db", "saves.lock")
        ]
        return {str(path.relative_to(self.place)): path.read_bytes() for path in paths}


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(tmp_path / "player")


def test_packing_and_unpacking_change_nothing() -> None:
    assert archive.unpack(archive.pack(make_archive())) == make_archive()
    assert archive.is_archive(archive.pack(make_archive()))


def test_a_loaded_archive_is_saved_again_as_it_was(player: Player) -> None:
    given = make_archive()
    given.unfinished = b""  # it belongs to no save
    says = player.load(given)
    assert says.endswith("given.zip is loaded, with 2 new games")
    if not find_spec("PIL"):
        given.games[0].picture = b""
    assert player.save() == given
    assert [entry.name for entry in open_library(player.folder).entries()] == [game.name for game in given.games[::-1]]
    assert key_file.read(player.keys) == {**key_file.USUAL, "alone": CHOSEN}


def test_saves_are_replaced_only_on_request_and_a_copy_brings_them_back(player: Player) -> None:
    first, second = make_archive(), Archive(make_banks(b"others"), keys={"alone": {}}, choices={})
    first.unfinished = b""
    player.load(first)
    before, is_same = player.save(), player.look()
    with pytest.raises(Refusal, match=r"would replace the saves in .* with --replace it does"):
        player.load(second)
    is_same["given.zip"] = archive.pack(second)
    assert player.look() == is_same

    says = player.load(second, replaces=True)
    copy = Path(says.partition("; ")[2].partition(" has what")[0])
    now = player.save()
    assert (now.banks, now.keys, now.choices, now.games) == (second.banks, {}, {}, before.games)
    transfer.load_all(copy, player.folder, player.keys, replaces=True)
    assert player.save() == before


def test_missing_parts_of_an_archive_leave_the_old_ones(player: Player) -> None:
    player.load(make_archive())
    player.load(Archive(make_banks(b"of a phone that has neither keys nor choices")), replaces=True)
    found = player.save()
    assert found.keys == {"alone": CHOSEN} and found.choices == make_archive().choices and len(found.games) == 2


def test_games_are_added_once_and_a_pin_stays(player: Player) -> None:
    given = make_archive()
    player.load(given)
    given.games[0].pinned = False
    given.games[1].recording += b"\0"  # another game that ended in the same second
    assert "with 1 new games" in player.load(given, replaces=True)
    assert "with 0 new games" in player.load(given, replaces=True)
    names = {game.name: game.pinned for game in player.save().games}
    assert names == {
        "20261122-051530-marathon-34500": True,
        "20261122-061530-sprint-0-2": False,
        "20261122-061530-sprint-0-3": False,
    }


def test_a_game_that_only_this_computer_knows_has_its_time_and_its_result(player: Player) -> None:
    ended = datetime(2026, 11, 22, 5, 15, 30)
    open_library(player.folder).add(RECORDED, KINDS.index("marathon"), 34500, PICTURE, ended)
    (game,) = player.save().games
    assert (game.at, game.told, game.pinned) == (int(ended.timestamp() * 1000), "marathon 34500", False)


def test_older_unpinned_games_are_dropped_first(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    player.load(make_archive())
    monkeypatch.setattr(archive, "MOST_GAMES", 1)
    says = transfer.save_all(player.place / "made.zip", player.folder, player.keys)
    assert says.endswith("and 1 games; 1 older games found no room")
    assert [game.pinned for game in archive.read(player.place / "made.zip").games] == [True]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_a_disk_that_fails_at_any_write_leaves_all_as_it_was(
    player: Player, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.load(Archive(make_banks(b"mine")))
    given = make_archive()
    before = {**player.look(), "given.zip": archive.pack(given)}
    put, left = transfer._put, 0

    def fail_once(path: Path, content: bytes) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise OSError(number, os.strerror(number))
        put(path, content)

    monkeypatch.setattr(transfer, "_put", fail_once)
    for count in range(1, 20):
        left = count
        try:
            player.load(given, replaces=True)
        except Refusal as problem:
            told = str(problem)
        else:
            break
        assert os.strerror(number) in told and player.look() == before
    assert 8 < count < 19 and player.save().games


@pytest.mark.slow
def test_a_load_that_is_killed_at_any_write_is_finished_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = make_archive()
    given.unfinished = b""
    put, left = transfer._put, 0

    def die(path: Path, content: bytes) -> None:
        nonlocal left
        left -= 1
        if left <= 0:
            raise PowerCut
        put(path, content)

    found = []
    for count in range(1, 20):
        player = Player(tmp_path / str(count))
        player.load(Archive(make_banks(b"mine")))
        before, left = player.save(), count
        with monkeypatch.context() as patch, suppress(PowerCut):
            patch.setattr(transfer, "_put", die)
            player.load(given, replaces=True)
        stores = open_stores(player.folder)
        claim_saves(stores, player.keys)
        stores[0].release()
        now = player.save()
        found.append((now == given) - (now == before))
    # The first two writes are the copy and the archive: a cut there changes no save; after any later one all is loaded.
    assert found == [-1, -1, *[1] * 17] and not (player.folder / "loading.zip").exists()


def test_an_archive_that_cannot_be_finished_costs_one_line(player: Player, capsys: Any) -> None:
    player.load(make_archive())
    before = player.look()
    (player.folder / "loading.zip").write_bytes(b"PK damaged")
    stores = open_stores(player.folder)
    claim_saves(stores, player.keys)
    stores[0].release()
    told = capsys.readouterr().err
    assert "loading.zip: this is no archive of Skyline; delete it" in told and told.count("\n") == 1
    assert {**player.look(), "saves/loading.zip": b""} == {**before, "saves/loading.zip": b""}


def test_a_damaged_archive_is_refused_at_any_cut() -> None:
    whole = archive.pack(make_archive())
    for end in (*range(0, len(whole), STEP), len(whole) - 1):
        with pytest.raises(ValueError, match=r"^(the archive is damaged|this is no archive of Skyline)$"):
            archive.unpack(whole[:end])


def test_a_changed_byte_is_refused_or_changes_nothing() -> None:
    whole = archive.pack(make_archive())
    # Every byte of the directory at the end and of the first file's head, and samples of the contents.
    places = {*range(64), *range(0, len(whole), STEP), *range(whole.index(b"PK\1\2"), len(whole))}
    told = []
    for place in sorted(places):
        for flipped in (1, 255):
            content = bytearray(whole)
            content[place] ^= flipped
            try:
                assert archive.unpack(bytes(content)) == make_archive()
            except ValueError as problem:
                told.append(str(problem))
    assert len(told) > len(places) and all(line in LINES or line.startswith(f"{LINES[0]}: it holds") for line in told)


@pytest.mark.parametrize(("what", "content", "says"), FORGED, ids=[what for what, *_ in FORGED])
def test_hostile_archive_is_refused_in_one_line(
    player: Player, what: str, content: bytes, says: str, capsys: Any
) -> None:
    player.load(make_archive())
    before = player.look()
    path = player.place.parent / "hostile.zip"
    path.write_bytes(content)
    folders = ["--folder", str(player.folder), "--keys", str(player.keys)]
    assert main(["--load-all", str(path), "--replace", *folders]) == 2
    told = capsys.readouterr().err
    assert says in told and told.count("\n") == 1, what
    assert player.look() == before


def test_the_command_line_saves_and_loads_all(tmp_path: Path, capsys: Any) -> None:
    path, place = tmp_path / "all.zip", ["--folder", str(tmp_path / "saves"), "--keys", str(tmp_path / "keys.ini")]
    path.write_bytes(archive.pack(make_archive()))
    assert main(["--load-all", str(path), *place]) == 0
    assert capsys.readouterr().out == f"{path} is loaded, with 2 new games\n"
    assert main(["--save-all", str(path), *place]) == 0
    assert capsys.readouterr().out == f"{path} has the saves, the keys and 2 games\n"
    assert "with --replace it does" in refused(capsys, "--load-all", path, *place)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--replace", "--replace needs --load-all FILE"),
        ("--save-all b.zip --load-all a.zip", "--save-all and --load-all cannot be used"),
        ("--load-all none.zip --folder saves --keys keys.ini", "none.zip: No such file"),
        ("--save-all b.zip --folder file --keys keys.ini", "it is no folder"),
    ],
)
def test_a_wrong_use_of_archives_is_refused_in_one_line(
    words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert says in refused(capsys, *words.split())


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.zip"
    with path.open("wb") as file:
        file.truncate(archive.MOST_BYTES + 1)
    with pytest.raises(Refusal, match="larger than 64 MB"):
        archive.read(path)


def test_nothing_moves_while_a_simulator_plays(player: Player) -> None:
    player.load(make_archive())
    before = player.look()
    lock = claim(player.folder)
    assert lock
    with lock:
        for work in (player.save, lambda: player.load(make_archive(), replaces=True)):
            with pytest.raises(Refusal, match=r"another simulator saves in .*: close it first"):
                work()
    assert {name: content for name, content in player.look().items() if name != "given.zip"} == {
        name: content for name, content in before.items() if name != "given.zip"
    }


def test_a_bank_that_cannot_be_read_is_left_out_and_told(player: Player, capsys: Any) -> None:
    player.load(make_archive())
    (store, other) = open_stores(player.folder)
    store.path.write_bytes(b"x" * 4096)
    assert player.save().banks == [b"\xff" * 4096, other.path.read_bytes()]
    assert "bank0.bin is damaged, so the archive has it empty" in capsys.readouterr().err


def test_damaged_facts_of_the_page_are_left_out(player: Player) -> None:
    player.load(make_archive())
    for content in (b'{"skyline":', b'{"skyline": 1, "choices": {}, "games": {"x": [1]}}', b'{"skyline": 1}'):
        (player.folder / "page.json").write_bytes(content)
        found = player.save()
        assert found.choices is None and [game.pinned for game in found.games] == [False, False]


def test_a_file_with_the_name_of_the_pages_facts_is_not_replaced(player: Player) -> None:
    player.folder.mkdir()
    (player.folder / "page.json").write_bytes(b"not made here\n")
    with pytest.raises(Refusal, match=r"page\.json is not a save of Skyline"):
        player.load(make_archive())


def test_pictures_are_read_from_their_files(tmp_path: Path) -> None:
    needs.demand_packages("PIL")
    path = tmp_path / "picture.png"
    for colour in ("white", "blue"):
        path.write_bytes(encode_png(PICTURE, 2, colour))
        assert read_png(path, 2) == PICTURE
    for content in (b"", b"\x89PNG", encode_png(PICTURE, 3, "white"), path.read_bytes()[:-300]):
        path.write_bytes(content)
        assert read_png(path, 2) == b""
