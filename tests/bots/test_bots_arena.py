"""The arena: its file, its schedule, results that survive, ratings, and every fault of a bot."""

import random
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import distributed
import psutil
import pytest
from openskill.models import BradleyTerryFull

from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from sim.moment import END_MS
from tests.support.handhelds.bot_processes import write_stub_bot
from tests.support.handhelds.command_lines import refused
from tests.support.running import ROOT, run_python
from tools.bots.__main__ import main
from tools.bots.arena.competitors import read_plan
from tools.bots.arena.results import Results, Row
from tools.bots.arena.standings import Pairing, Standings

LEVELS = """
[bots.NEWT]
level = 1
[bots.DUCK]
level = 2
[bots.CAT]
level = 3
"""
ARENA = [sys.executable, "-m", "tools.bots", "arena"]


def write_file(folder: Path, text: str = LEVELS) -> Path:
    path = folder / "bots.toml"
    path.write_text(text, encoding="utf-8")
    return path


def play(path: Path, games: int, *arguments: str, code: int = 0) -> None:
    assert main(["arena", str(path), "--games", str(games), "--jobs", "1", *arguments]) == code


def read_rows(path: Path) -> list[Row]:
    with Results(path.with_suffix(".db")) as results:
        return results.read()


def make_row(number: int, pairing: Pairing, winner: int, fault: str = "") -> Row:
    return Row(number, "2026-11-26 12:00:00", *pairing, winner, 60_000, 100, 40, fault, 50, 10, "")


class TestFile:
    """FILE names the competitors and the conditions."""

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("[bots.A]\nlevel = 1\n[bots.A]\nlevel = 2", r"{path} is not TOML: .*line 3"),
            ("bots = [", r"{path} is not TOML: "),
            ("", r"{path}: an arena needs two competitors"),
            ("[bots.A]\nlevel = 1", r"{path}: an arena needs two competitors"),
            ("[bot.A]\nlevel = 1", r"{path}: 'bot' is unknown; there are \[conditions\] and \[bots.NAME\]"),
            (LEVELS + "[bots.D]\nlevle = 1", r"{path}: D: 'levle' is unknown; known are level, own, "),
            (LEVELS + "[bots.D]", r"{path}: D needs one of level, own, command, policy"),
            (LEVELS + "[bots.D]\nlevel = 1\nown = 'strong'", r"{path}: D needs one of level, "),
            (LEVELS + "[bots.D]\nlevel = 6", r"{path}: D: level is 6, allowed are 1 to 5"),
            (LEVELS + "[bots.D]\nlevel = true", r"{path}: D: level is True, allowed are 1 to 5"),
            (LEVELS + "[bots.D]\ncommand = 7", r"{path}: D: command is 7, a text is needed"),
            (LEVELS + "[bots.D]\nown = 'weak'", r"{path}: D: own is 'weak', allowed are strong, tuned, dellacherie, "),
            (
                LEVELS + "[bots.D]\nlevel = 1\nnodes = 3",
                r"{path}: D: think_ms and nodes go with own = 'strong' or 'tuned'",
            ),
            (LEVELS + "[bots]\nD = 3", r"{path}: D is no table"),
            (LEVELS + "[bots.' ']\nlevel = 1", r"{path}: ' ' is no name"),
            (LEVELS + '[bots."a\\nb"]\nlevel = 1', r"{path}: 'a\\nb' is no name"),
            (LEVELS + "[conditions]\ncpu_ms = 0", r"{path}: conditions: cpu_ms is 0, allowed are 10 to 600000"),
            (LEVELS + "[bots.D]\ncommand = 'nowhere-to-be-found -x'", "D: there is no program 'nowhere-to-be-found'"),
            (LEVELS + '[bots.D]\ncommand = "\'"', "D: No closing quotation"),
            (LEVELS + "[bots.D]\npolicy = 'nowhere:low'", "D: cannot import nowhere: ModuleNotFoundError: "),
        ],
    )
    def test_a_wrong_file_is_refused_in_one_line(self, text: str, line: str, tmp_path: Path, capsys) -> None:
        path = write_file(tmp_path, text)
        said = refused(capsys, "arena", path, "--games", "1", program="tools.bots", run=main)
        assert re.match("tools.bots: " + line.format(path=re.escape(str(path))), said), said

    def test_a_missing_file_or_result_is_refused_in_one_line(self, tmp_path: Path, capsys) -> None:
        path = tmp_path / "bots.toml"
        said = refused(capsys, "arena", path, "--games", "1", program="tools.bots", run=main)
        assert said == f"tools.bots: cannot read {path}: No such file or directory\n"
        said = refused(capsys, "arena", write_file(tmp_path), "--results", program="tools.bots", run=main)
        assert said.startswith("tools.bots: there are no results yet: ")
        assert not path.with_suffix(".db").exists()


class TestSchedule:
    """Everybody meets everybody, each seed twice with changed seats; the most uncertain come first."""

    def play_on(self, standings: Standings, names: list[str], first: int, games: int) -> list[Pairing]:
        chance = random.Random(4711)
        chosen = []
        for number in range(first, first + games):
            chosen.append(standings.choose(names))
            standings.add(make_row(number, chosen[-1], chance.choice([0, 0, 1, -1])))
        return chosen

    def test_each_pair_plays_each_seed_from_both_seats(self) -> None:
        chosen = self.play_on(Standings(), ["a", "b", "c", "d"], 1, 240)
        assert len(set(chosen)) == 240
        for first, second in zip(chosen[::2], chosen[1::2], strict=True):
            assert second == Pairing(first.two, first.one, first.seed)
        games = Counter(frozenset(pairing[:2]) for pairing in chosen)
        assert len(games) == 6 and min(games.values()) > 25
        for (one, two), seeds in Counter(pairing[:2] for pairing in chosen).items():
            assert {pairing.seed for pairing in chosen if pairing[:2] == (one, two)} == {*range(1, seeds + 1)}

    def test_decided_pairs_rest_while_others_are_left(self) -> None:
        """Of 300 matches, those of the far better one end with 20:0; alone such a pair plays on."""
        standings = Standings()
        games: Counter[frozenset[str]] = Counter()
        chance = random.Random(1)
        for number in range(1, 301):
            pairing = standings.choose(["best", "b", "c"])
            winner = pairing[:2].index("best") if "best" in pairing else chance.randrange(2)
            standings.add(make_row(number, pairing, winner))
            games[frozenset(pairing[:2])] += 1
        rests = {frozenset(("best", name)): 20 for name in "bc"}
        assert games == rests | {frozenset("bc"): 260}
        assert "best" in standings.choose(["best", "b"])

    def test_equal_results_give_an_equal_schedule(self) -> None:
        standings = Standings()
        chosen = self.play_on(standings, ["a", "b", "c"], 1, 31)
        again = Standings(make_row(n, pairing, 0) for n, pairing in enumerate(chosen, 1))
        assert again.choose(["a", "b", "c"]) == Pairing(chosen[-1].two, chosen[-1].one, chosen[-1].seed)
        assert self.play_on(Standings(), ["a", "b", "c"], 1, 31) == chosen

    def test_one_who_joins_plays_at_once_and_one_who_left_no_more(self) -> None:
        standings = Standings()
        self.play_on(standings, ["a", "b", "c"], 1, 60)
        chosen = self.play_on(standings, ["b", "c", "new"], 61, 8)
        assert all("new" in pairing for pairing in chosen)
        assert not any("a" in pairing for pairing in chosen)

    def test_a_match_in_play_is_not_chosen_again(self) -> None:
        standings = Standings()
        chosen = []
        for _ in range(6):
            chosen.append(standings.choose(["a", "b"]))
            standings.begin(chosen[-1])
        assert chosen == [Pairing(*seats, seed) for seed in (1, 2, 3) for seats in (("a", "b"), ("b", "a"))]

    def test_a_match_that_was_lost_in_play_is_played_again(self) -> None:
        standings = Standings(make_row(1, Pairing("a", "b", seed), 0) for seed in (1, 3))
        assert standings.choose(["a", "b"]) == Pairing("b", "a", 1)
        for seed in (1, 2, 3):
            standings.begin(Pairing("b", "a", seed))
        assert standings.choose(["a", "b"]) == Pairing("a", "b", 2)


class TestRatings:
    """Ratings are computed from the results, in order."""

    def test_ratings_and_sums_equal_those_of_the_rows(self) -> None:
        rows = [
            make_row(1, Pairing("a", "b", 1), 0),
            make_row(2, Pairing("b", "a", 1), 1, "hangs"),
            make_row(3, Pairing("b", "c", 1), -1),
        ]
        standings = Standings(rows)
        model = BradleyTerryFull(tau=0.0)
        a, b, c = (model.rating() for _ in range(3))
        (a,), (b,) = model.rate([[a], [b]])
        (a,), (b,) = model.rate([[a], [b]])
        (b,), (c,) = model.rate([[b], [c]], ranks=[1, 1])
        for name, rating in zip("abc", (a, b, c), strict=True):
            found = standings.of[name]
            assert (found.rating.mu, found.rating.sigma) == (rating.mu, rating.sigma)
            assert found.least == rating.mu - 3 * rating.sigma
        assert [standing.name for standing in standings.rank()] == ["a", "c", "b"]
        found = standings.of["b"]
        assert (found.games, found.wins, found.pieces, found.sent, found.faults) == (3, 0.5, 250, 90, 1)
        assert found.last_fault == "match 2: it hangs" and not standings.of["a"].faults
        assert (standings.wins["a", "b"], standings.wins["c", "b"]) == (2, 0.5)

    def test_the_printed_results_are_computed_again_from_the_file(self, tmp_path: Path, capsys) -> None:
        path = write_file(tmp_path)
        play(path, 3)
        printed = capsys.readouterr().out.splitlines()
        assert main(["arena", str(path), "--results"]) == 0
        assert capsys.readouterr().out.splitlines() == printed[3:] and len(printed) == 8
        assert printed[0].startswith("match 1: NEWT ") and printed[3].startswith("| bot ")
        assert len(read_rows(path)) == 3


class TestResults:
    """Nothing is lost or played twice."""

    def test_an_arena_goes_on_where_it_ended(self, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        path, other = write_file(tmp_path), write_file(tmp_path / "other")
        play(path, 2)
        play(path, 1)
        play(other, 3)
        assert [row._replace(ended="") for row in read_rows(path)] == [
            row._replace(ended="") for row in read_rows(other)
        ]

    @pytest.mark.slow
    def test_a_recording_plays_the_match_again(self, tmp_path: Path) -> None:
        path = write_file(tmp_path, LEVELS + "[bots.plain]\nown = 'dellacherie'")
        play(path, 4)
        with Results(path.with_suffix(".db")) as results:
            for row in results.read():
                player = MatchPlayer(MatchRecording(results.find_recording(row.number).read_bytes()))
                player.advance(END_MS)
                match = player.match
                assert match.over and match.winner == row.winner and match.seed == row.seed
                pieces = [seat.game.lock_downs for seat in match.seats]
                assert pieces == [row.pieces_one, row.pieces_two]
                assert [seat.sent + seat.countered for seat in match.seats] == [row.sent_one, row.sent_two]

    def test_added_competitors_join_and_removed_ones_stay_in_the_results(self, tmp_path: Path, capsys) -> None:
        path = write_file(tmp_path)
        play(path, 2)
        write_file(tmp_path, LEVELS.replace("NEWT", "MOLE"))
        play(path, 3)
        rows = read_rows(path)
        assert all("NEWT" in row[2:4] for row in rows[:2]) and not any("NEWT" in row[2:4] for row in rows[2:])
        assert any("MOLE" in row[2:4] for row in rows[2:])
        assert "| NEWT (left) " in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            (LEVELS.replace("level = 2", "level = 4"), "DUCK has changed: give it a new name, or change it back; "),
            (LEVELS + "[conditions]\npace_ms = 9", "the conditions have changed: rename FILE, or change it back; "),
        ],
    )
    def test_a_changed_definition_is_refused(self, text: str, line: str, tmp_path: Path, capsys) -> None:
        path = write_file(tmp_path)
        play(path, 1)
        capsys.readouterr()
        write_file(tmp_path, text)
        said = refused(capsys, "arena", path, "--games", "1", program="tools.bots", run=main)
        assert said == f"tools.bots: {line}{path.with_suffix('.db')} has its results\n"
        assert main(["arena", str(path), "--results"]) == 0 and len(read_rows(path)) == 1

    def test_a_damaged_or_foreign_database_is_refused_and_kept(self, tmp_path: Path, capsys) -> None:
        path = write_file(tmp_path)
        database = path.with_suffix(".db")

        def expect(line: str) -> None:
            before = database.read_bytes()
            assert line in refused(capsys, "arena", path, "--games", "1", program="tools.bots", run=main)
            assert database.read_bytes() == before

        database.write_bytes(b"no database " * 1000)
        expect("file is not a database")
        database.unlink()
        with sqlite3.connect(database) as connection:
            connection.execute("CREATE TABLE games (name)")
        connection.close()
        expect("is not the database of an arena")
        database.unlink()
        play(path, 1)
        capsys.readouterr()
        with sqlite3.connect(database) as connection:
            connection.execute("PRAGMA user_version = 9")
        connection.close()
        expect("has version 9, this Skyline knows 1")
        database.write_bytes(database.read_bytes()[:4500])
        expect(str(database))

    def test_of_two_arenas_with_one_file_the_second_is_refused(self, tmp_path: Path) -> None:
        path = write_file(tmp_path)
        row = make_row(1, Pairing("NEWT", "DUCK", 1), 0)
        with Results(path.with_suffix(".db")) as first, Results(path.with_suffix(".db")) as second:
            first.enrol(read_plan(path))
            second.enrol(read_plan(path))
            first.add(row, b"first")
            with pytest.raises(Exception, match="another arena plays with "):
                second.add(row, b"second")
            assert second.read() == [row] and second.find_recording(1).read_bytes() == b"first"


def start_arena(path: Path, *arguments: str) -> subprocess.Popen[str]:
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([*ARENA, str(path), *arguments], text=True, cwd=ROOT, **pipes)  # type: ignore[call-overload]


@pytest.mark.long
class TestEnds:
    """An arena that is ended or killed loses only the matches in play."""

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_a_killed_arena_goes_on(self, jobs: str, tmp_path: Path) -> None:
        path = write_file(tmp_path, LEVELS + f'[bots.D]\ncommand = "{sys.executable} -m tools.bots tbp --level 1"')
        for _ in range(3):
            with start_arena(path, "--jobs", jobs) as arena:
                assert arena.stdout and arena.stderr
                for _ in range(3):
                    assert arena.stdout.readline().startswith("match ")
                arena.kill()
                arena.communicate()
        rows = read_rows(path)
        assert len(rows) >= 9 and [row.number for row in rows] == [*range(1, len(rows) + 1)]
        run_python("-m", "tools.bots", "arena", path, "--games", 8, "--jobs", jobs, check=True)
        after = read_rows(path)
        assert after[: len(rows)] == rows and len(after) == len(rows) + 8
        assert len({row[2:5] for row in after}) == len(after)

    @pytest.mark.parametrize("jobs", ["1", "2"])
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_an_interrupted_arena_says_how_to_go_on(self, number: int, jobs: str, tmp_path: Path) -> None:
        path = write_file(tmp_path)
        with start_arena(path, "--jobs", jobs) as arena:
            assert arena.stdout
            arena.stdout.readline()
            arena.send_signal(number)
            _, said = arena.communicate()
        rows = read_rows(path)
        assert arena.returncode == 128 + number
        assert said == f"tools.bots arena: ended after match {len(rows)}; the same command goes on from there\n"

    def test_an_arena_whose_process_was_killed_ends_in_one_line(self, tmp_path: Path) -> None:
        path = write_file(tmp_path)
        with start_arena(path, "--jobs", "2") as arena:
            assert arena.stdout
            arena.stdout.readline()
            children = psutil.Process(arena.pid).children()
            next(child for child in children if "spawn_main" in " ".join(child.cmdline())).kill()
            _, said = arena.communicate()
        assert (arena.returncode, said) == (2, "tools.bots: a process was killed from outside; start again to go on\n")
        play(path, 2)

    def test_a_cluster_plays_the_same_matches(self, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        path, other = write_file(tmp_path), write_file(tmp_path / "other")
        with distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
            play(path, 3, "--scheduler", cluster.scheduler_address)
        play(other, 3)
        assert [row[2:] for row in read_rows(path)] == [row[2:] for row in read_rows(other)]


# Its own CPU time, which a busy machine does not change.
BURN = """
import time
def burn(seconds):
    begun = time.process_time()
    while time.process_time() < begun + seconds: pass
"""
CHILD = "import subprocess; child = subprocess.Popen([sys.executable, '-I', '-S', '-c', {!r}], **QUIET)\n"
QUIET = "QUIET = dict.fromkeys(('stdin', 'stdout', 'stderr'), -3)\n"
FAULTS = {
    "crashes": ("greet(); 1 / 0", "died with exit code 1: 'ZeroDivisionError: division by zero'"),
    "stalls": ("greet(); wait_for('nothing')", "said no suggestion within 0.5 s"),
}
CPU, MEMORY = "took [0-9]+ ms of CPU time for a move, the limit is 100", "takes [0-9]+ MB of memory, the limit is 150"
HOG = "hog = b'x' * (300 << 20); "
LIMITS = {
    "thinks": (BURN + "queue = greet(); burn(0.3); say(type='suggestion', moves=[drop(queue[0])])", CPU),
    "never ends": ("greet()\nwhile 1: pass", CPU),
    "lets a child think": (QUIET + "greet()\n" + CHILD.format("while 1: pass") + "wait_for('quit')", CPU),
    "takes memory": (f"greet(); {HOG}wait_for('quit')", MEMORY),
    "lets a child take memory": (
        QUIET + "greet()\n" + CHILD.format(f"import time; {HOG}time.sleep(99)") + "wait_for('quit')",
        MEMORY,
    ),
}


class TestFaults:
    """A bot at fault loses, and is named with the reason."""

    def play_stub(self, text: str, conditions: str, folder: Path) -> Row:
        command = write_stub_bot(folder, text)
        bots = f"[bots.CAT]\nlevel = 3\n[bots.'the stub']\ncommand = {command!r}\n"
        path = write_file(folder, f"[conditions]\n{conditions}\n{bots}")
        play(path, 1)
        return read_rows(path)[0]

    @pytest.mark.parametrize(("text", "line"), FAULTS.values(), ids=FAULTS)
    def test_a_bot_at_fault_loses_by_name(self, text: str, line: str, tmp_path: Path, capsys) -> None:
        answer_ms = 500 if "0.5 s" in line else 60_000
        row = self.play_stub(text, f"answer_ms = {answer_ms}", tmp_path)
        assert (row.winner, row.fault_one, row.two) == (0, "", "the stub") and row.fault_two.startswith(line)
        printed = capsys.readouterr()
        assert printed.err == f"tools.bots arena: the stub loses match 1: it {row.fault_two}\n"
        assert printed.out.splitlines()[-1] == f"the stub, match 1: it {row.fault_two}"

    @pytest.mark.parametrize(("text", "line"), LIMITS.values(), ids=LIMITS)
    def test_a_bot_beyond_a_limit_is_ended_and_loses(self, text: str, line: str, tmp_path: Path) -> None:
        limit = "cpu_ms = 100" if line == CPU else "memory_mb = 150"
        row = self.play_stub(text, f"answer_ms = 60000\n{limit}", tmp_path)
        assert row.winner == 0 and re.match(line, row.fault_two), row.fault_two

    def test_cpu_time_before_the_first_question_is_free(self, tmp_path: Path) -> None:
        text = BURN + "burn(0.5); say(type='suggestion', moves=[drop(greet()[0])]); wait_for('suggest'); sys.exit(7)"
        row = self.play_stub(text, "cpu_ms = 300", tmp_path)
        assert row.fault_two == "died with exit code 7" and row.pieces_two == 1

    def test_no_process_of_a_bot_survives_its_match(self, tmp_path: Path) -> None:
        note = tmp_path / "pid"
        text = QUIET + CHILD.format("import time; time.sleep(99)")
        text += f"open({str(note)!r}, 'w').write(str(child.pid)); greet(); sys.exit()"
        self.play_stub(text, "", tmp_path)
        state = Path(f"/proc/{note.read_text()}/stat")
        assert not state.exists() or ") Z " in state.read_text()

    @pytest.mark.slow
    def test_a_bot_pauses_after_three_faults_in_a_row(self, tmp_path: Path, capsys) -> None:
        command = write_stub_bot(tmp_path, "sys.exit(1)")
        path = write_file(tmp_path, LEVELS + f"[bots.D]\ncommand = {command!r}")
        play(path, 12)
        rows = read_rows(path)
        assert len(rows) == 12 and sum("D" in row[2:4] for row in rows) == 3
        said = capsys.readouterr().err.splitlines()
        assert said[-1] == "tools.bots arena: D pauses until the next start, after 3 faults in a row"

    def test_nobody_wins_if_both_are_at_fault(self, tmp_path: Path, capsys) -> None:
        command = write_stub_bot(tmp_path, "greet(); sys.exit(1)")
        path = write_file(tmp_path, f"[bots.A]\ncommand = {command!r}\n[bots.B]\ncommand = {command!r}")
        play(path, 1)
        (row,) = read_rows(path)
        assert row.winner == -1 and row.fault_one == row.fault_two == "died with exit code 1"
        said = [f"tools.bots arena: {name} fails in match 1: it died with exit code 1" for name in "AB"]
        assert capsys.readouterr().err.splitlines() == said

    def test_an_arena_ends_when_fewer_than_two_can_play(self, tmp_path: Path) -> None:
        command = write_stub_bot(tmp_path, "sys.exit(1)")
        path = write_file(tmp_path, f"[bots.CAT]\nlevel = 3\n[bots.D]\ncommand = {command!r}")
        play(path, 9, code=1)
        assert len(read_rows(path)) == 3

    def test_a_policy_competes_and_a_wrong_action_loses(self, tmp_path: Path) -> None:
        policy = tmp_path / "low.py"
        policy.write_text(
            "def low(observation, info): return 80 if info['pieces'] == 2 else info['action_mask'].argmax()"
        )
        path = write_file(tmp_path, f"[bots.CAT]\nlevel = 3\n[bots.low]\npolicy = {f'{policy}:low'!r}")
        play(path, 1)
        (row,) = read_rows(path)
        assert row.two == "low" and row.winner == 0 and row.pieces_two == 2
        assert "the policy returned 80" in row.fault_two

    def test_a_program_that_is_gone_loses(self, tmp_path: Path) -> None:
        program = tmp_path / "program"
        program.write_text("no program")
        program.chmod(0o755)
        path = write_file(tmp_path, f"[bots.CAT]\nlevel = 3\n[bots.D]\ncommand = {shlex.quote(str(program))!r}")
        play(path, 1)
        (row,) = read_rows(path)
        assert row.winner == 0 and row.fault_two == "cannot start: [Errno 8] Exec format error: " + repr(str(program))
