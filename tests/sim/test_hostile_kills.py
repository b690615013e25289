"""Kill the simulator at random system calls, by strace: each finished game is counted and in the library.

`python -m tests.sim.test_hostile_kills` puts the table of 200 kills into SECURITY.md.
"""

import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP
from firmware.finishing import count, finish
from firmware.modes.catalogue import find, make_mode
from firmware.save import goals
from firmware.save.journal import NUMBERS, SETTINGS, SPLITS, SUSPENDED, Journal
from firmware.save.life import Life
from firmware.save.recordings.recording import Player, Recording
from firmware.save.scores import LETTERS, find_kind, open_table, read_splits
from firmware.save.settings import Settings
from sim.ending import EndingNote, complete
from sim.library import open_library
from sim.moment import END_MS
from sim.store import ENDING, FileStore, open_stores
from tests.support import needs
from tests.support.handhelds.command_lines import play_script
from tests.support.recorded import read
from tests.support.running import ROOT
from tools.markdown import fill_page, lay_out

GAMES = 2
PLAYS = [sys.executable, str(ROOT / "tests" / "processes" / "killed_sim.py")]
CALLS = ("openat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "mkdir")
_CALL = re.compile(r"(?:\d+ +)?(\w+)\(")


def trace(log: Path, folder: Path, *words: str) -> str:
    """Play under strace; return what the process printed."""
    command = ["strace", "-f", "-o", str(log), "-e", f"trace={','.join(CALLS)}", *words, *PLAYS, str(folder)]
    done = subprocess.run([*command, str(GAMES)], capture_output=True, text=True, check=False, cwd=ROOT)
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def list_calls(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield each system call, by its name and number, from the first that names the folder on."""
    seen: Counter[str] = Counter()
    begun = False
    trace(folder / "log", folder / "saves")
    lines = (folder / "log").read_text(errors="replace").splitlines()
    main = lines[0].split()[0]
    for line in lines:
        found = _CALL.match(line)
        if not found or line.split()[0] != main:
            continue
        seen[found[1]] += 1
        begun = begun or str(folder / "saves") in line
        if begun:
            yield found[1], seen[found[1]]


def check(folder: Path, said: str) -> str:
    """Start again; return what is wrong with the saves, or ""."""
    stores, library = open_stores(folder), open_library(folder)
    if problem := complete(folder / ENDING, stores, library):
        return problem
    journal = Journal(list[FileStore](stores))
    counted, kept = Life(journal.read(NUMBERS)).games, library.count()
    if not said.count("ended") <= counted == kept:
        return f"{said.count('ended')} games ended, {counted} are counted, {kept} are in the library"
    if any((entry.path.read_bytes() == b"") for entry in library.entries()):
        return "an empty recording"
    if len(journal.read(SUSPENDED)):
        session = play_script([], 100, store=stores, library=library)
        if not session.app.session.last:
            return "the game in progress has lost its recording"
    return ""


def kill_often(times: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """Kill at so many random calls; return how often the process died in each, and what was lost."""
    calls = list(list_calls(folder))
    killed: Counter[str] = Counter()
    lost = []
    for at, (name, number) in enumerate(random.Random(54).choices(calls, k=times)):
        said = trace(Path("/dev/null"), folder / f"{at}", "-e", f"inject={name}:signal=KILL:when={number}")
        killed[name] += "done" not in said
        if problem := check(folder / f"{at}", said):
            lost.append(f"{name} {number}: {problem}")
    return killed, lost


@pytest.mark.slow
@needs.mark("strace")
@pytest.mark.parametrize(
    "times", [3, pytest.param(8, marks=pytest.mark.every), pytest.param(200, marks=pytest.mark.long)]
)
def test_hostile_kill_at_a_system_call_loses_no_finished_game(times: int, tmp_path: Path) -> None:
    killed, lost = kill_often(times, tmp_path)
    assert lost == []
    assert killed.total() > 0.9 * times  # the last calls may come after the last word


def write_note(folder: Path, name: str) -> tuple[Journal, Recording, Any]:
    """Leave what a simulator does that was killed at the end of a game; return journal, recording and game."""
    recording = read(name)
    game = recording.game(make_mode(recording.variant))
    Player(recording, game).advance(END_MS)
    journal = Journal(list[FileStore](open_stores(folder)))
    EndingNote(folder / ENDING).write(journal, recording.variant, game, bytes(1024), recording.blob)
    return journal, recording, game


def start_again(folder: Path) -> Journal:
    assert complete(folder / ENDING, open_stores(folder), open_library(folder)) == ""
    assert not (folder / ENDING).exists()
    return Journal(list[FileStore](open_stores(folder)))


def test_a_game_that_the_next_start_ranks_has_the_last_initials(tmp_path: Path) -> None:
    journal, recording, game = write_note(tmp_path, "lost")
    settings = Settings()
    settings.initials = 1 + len(LETTERS) * 2  # BCA
    journal.save(SETTINGS, settings.pack(journal.payload))
    kind = find_kind(find(recording.variant), game.options.aim, 0)
    assert open_table(start_again(tmp_path), kind).entry(0)[0] == b"BCA"


@pytest.mark.parametrize("done", [0, 1, 2])
def test_22_2_the_next_start_judges_the_goals_of_a_game(done: int, tmp_path: Path) -> None:
    """Also if the game was ranked, or counted, before."""
    journal, recording, game = write_note(tmp_path, "sprint")
    if done > 0:
        finish(journal, recording.variant, game, 0)
    if done > 1:
        count(journal, recording.variant, game, True)
    journal = start_again(tmp_path)
    assert goals.has(goals.load(journal), 10)  # 40 LINES
    assert Life(journal.read(NUMBERS)).games == 1
    assert [row[1] for row in read_splits(journal.read(SPLITS))] == [game.mode.result(game)]


def test_a_note_stays_until_the_goals_are_judged(tmp_path: Path) -> None:
    stores, library = open_stores(tmp_path), open_library(tmp_path)
    journal, life = Journal(list[FileStore](stores)), Life()
    life.games = 9  # the next one reaches 10 GAMES
    journal.save(NUMBERS, life.pack(journal.payload))
    seen = set()

    def look(session: Any, _at_ms: int) -> None:
        journal = session.app.session.journal
        seen.add((Life(journal.read(NUMBERS)).games, goals.has(goals.load(journal), 12), (tmp_path / ENDING).exists()))

    play_script([(2000 + 150 * at, HARD_DROP) for at in range(80)], 15_000, look, store=stores, library=library)
    ended, counted, judged = (9, False, True), (10, False, True), (10, True, True)
    assert seen == {(9, False, False), ended, counted, judged, (10, True, False)}


def test_hostile_note_of_an_end_is_named_and_changes_nothing(tmp_path: Path) -> None:
    stores, library = open_stores(tmp_path), open_library(tmp_path)
    write_note(tmp_path, "lost")
    unknown = (tmp_path / ENDING).read_bytes().replace(b'"variant": 0', b'"variant": 99', 1)
    texts = b"", b"{}", b"skyline ending 1\n", b"skyline ending 1\n[]\n", b"skyline ending 1\n" + b"[" * 9999, unknown
    for text in texts:
        (tmp_path / ENDING).write_bytes(text)
        assert complete(tmp_path / ENDING, stores, library).endswith("delete this file")
    assert library.count() == 0 and (tmp_path / ENDING).exists()


def fill() -> None:
    """Put the table into SECURITY.md."""
    with tempfile.TemporaryDirectory() as folder:
        killed, lost = kill_often(200, Path(folder))
    rows = [(name, f"{killed[name]}", f"{sum(each.startswith(f'{name} ') for each in lost)}") for name in CALLS]
    rows.append(("all", f"{killed.total()}", f"{len(lost)}"))
    table = lay_out(["killed in", "times", "something lost"], rows)
    print(table, end="")
    fill_page(ROOT / "SECURITY.md", "kills", "python -m tests.sim.test_hostile_kills", table)


if __name__ == "__main__":
    fill()
