"""Matches of players of Tetress: the table, the transcripts, and how a faulty player loses."""

import pytest

from firmware.tetress.game import LONGEST
from tests.tetress.tetress_players import KINDS
from tools.tetress import match
from tools.tetress.__main__ import main
from tools.tetress.notation import read_transcript


@pytest.fixture(scope="module")
def faulty_games() -> list[match.Result]:
    """Let a faulty player play two games with each fault, against a correct one."""
    results: list[match.Result] = []
    players = ("tests.tetress.tetress_players:various", "random")
    tallies = match.play_match(players, 2 * len(KINDS), 5.0, 0, lambda _n, result, _t: results.append(result))
    assert sum(tallies[0].lost) == sum(tallies[1].won) == 2 * len(KINDS)
    return results


def test_a_match_prints_its_table_and_keeps_its_games(tmp_path, capsys) -> None:
    assert main(["match", "random", "level1", "--games", "4", "--quiet", "--save", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert [row[0] for row in cells[2:]] == ["random", "level1"]
    assert sum(int(row[1]) for row in cells[2:]) + int(cells[2][4]) == 4
    for path in sorted(tmp_path.glob("*.txt")):
        assert read_transcript(path.read_text(encoding="utf-8"))
    assert len(list(tmp_path.glob("*.txt"))) == 4


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Wrong", "(Red) loses: played [(0, 0), (0, 1), (0, 2), (0, 3)]: "),
        ("Unmade", "loses: RuntimeError: no way"),
        ("Raising", "loses: KeyError: 'what'"),
        ("Deaf", "loses: ValueError: not heard"),
        ("Leaving", "loses: its process ended"),
        ("Dying", "loses: its process ended"),
        ("Telling", "loses: RuntimeError: 0 5 6 True"),
        ("Nothing", "loses: TypeError: choose() returned no four (r, c) but a NoneType"),
        ("Words", "loses: TypeError: choose() returned no four (r, c) but a str"),
        ("Halves", "loses: TypeError: choose() returned no four (r, c) but a list"),
        ("Endless", "loses: played [(0, 0), (0, 0), (0, 0), (0, 0), (0, 0)]: an action has four different cells"),
    ],
)
def test_a_faulty_player_loses_and_the_match_continues(faulty_games: list[match.Result], name: str, words: str) -> None:
    assert words in faulty_games[2 * KINDS.index(name)].reason


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "grace_s", "words"),
    [("burning", 300.0, " s of CPU time of 0.3 s"), ("sleeping", 1.0, "loses: no answer for 2 s")],
)
def test_a_player_that_takes_too_long_loses(name: str, grace_s: float, words: str) -> None:
    reasons: list[str] = []
    players = f"tests.tetress.tetress_players:{name}", "random"
    match.play_match(players, 1, 0.3, 5, lambda _n, result, _t: reasons.append(result.reason), grace_s=grace_s)
    assert len(reasons) == 1 and words in reasons[0]


def test_a_players_error_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    unmade = "tests.tetress.tetress_players:Unmade"
    assert main(["match", "random", unmade, "--games", "1", "--quiet"]) == 0
    output = capsys.readouterr()
    assert f"game 1: {unmade} (Blue) loses: RuntimeError: no way\\x1b[2J\\nto begin\n" in output.err
    assert "\x1b" not in output.err + output.out


@pytest.mark.slow
def test_progress_is_shown_within_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[int] = []
    results: list[match.Result] = []
    match.play_match(("random", "random"), 1, 60.0, 1, lambda _n, result, _t: results.append(result), seen.append)
    assert seen == list(range(1, len(results[0].actions) + 1))
    assert main(["match", "random", "random", "--games", "1"]) == 0
    assert f"/{LONGEST} [" in capsys.readouterr().err
