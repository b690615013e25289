"""A command that fails or is stopped prints at most one line and sets its exit code."""

import ast
import contextlib
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import IO

import pytest

from firmware.save.journal import NUMBERS, Journal
from firmware.save.life import Life
from sim import progress, terminal
from sim.ownership import MARK
from sim.store import open_stores
from tests.support import needs
from tests.support.parsers import COMMANDS, find_parser, walk
from tests.support.results import ended
from tests.support.running import ROOT, run_python

RECORDING = "tests/recordings/fast.sky"
FULL = Path("/dev/full")

needs_a_full_disc = needs.system(FULL.exists(), "/dev/full, a disc that is always full")


def start(*arguments: str, unbuffered: str, stdout: IO[str] | int) -> tuple[int, str]:
    """Run `python -m` with these arguments; return its exit code and stderr."""
    how = {"capture_output": False, "stdout": stdout, "stderr": subprocess.PIPE}
    done = run_python("-m", *arguments, env=os.environ | {"PYTHONUNBUFFERED": unbuffered}, **how)
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_run_by_the_terminal(command: str) -> None:
    path = ROOT / command.replace(".", "/")
    source = (path / "__main__.py" if path.is_dir() else path.with_suffix(".py")).read_text(encoding="utf-8")
    assert source.endswith('\n\nif __name__ == "__main__":\n    sys.exit(terminal.run(main))\n')


@pytest.mark.parametrize(
    ("command", "lacking"),
    [
        ("sim --library", "platformdirs"),
        ("tools.library list", "platformdirs"),
        ("tools.export stats --csv life.csv --png life.png", "platformdirs"),
        ("tools.versus 1 2 --games 1 --jobs 1", "tqdm"),
        ("tools.sheet title", "PIL"),
        ("tools.board --headless", "numpy"),
    ],
)
def test_a_missing_module_is_reported_in_one_line(command: str, lacking: str) -> None:
    done = run_python("-S", "-m", *command.split())  # without installed packages
    assert done.returncode == terminal.FAILED
    assert done.stderr == (
        f"{command.split()[0]}: {lacking} is not installed for this Python; "
        f"`python3 -m tools.setup {command.removeprefix('tools.')}` makes .venv and runs it there\n"
    )


@needs_a_full_disc
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["at the end", "at once"])
@pytest.mark.parametrize(
    "command",
    [
        f"sim --headless --play {RECORDING} --trace",
        f"tools.export {RECORDING} --text",
        "tools.puzzles list",
        "tools.setup --help",
    ],
)
def test_output_to_a_full_disk_is_reported_in_one_line(command: str, unbuffered: str) -> None:
    with FULL.open("w") as full:
        outcome = start(*command.split(), unbuffered=unbuffered, stdout=full)
    assert outcome == (2, f"{command.split()[0]}: cannot print: No space left on device\n")


@needs.system(sys.platform != "win32", "POSIX's error of a closed pipe")
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["at the end", "at once"])
def test_a_closed_pipe_is_no_failure(unbuffered: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w") as pipe:
        assert start("tools.puzzles", "list", unbuffered=unbuffered, stdout=pipe) == (0, "")


def test_an_interrupted_command_prints_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def main() -> int:
        raise KeyboardInterrupt

    assert terminal.run(main) == 130 and capsys.readouterr() == ("", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_compiler_prints_nothing(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    """In Numba's callbacks from C an exception is printed and lost, and another error follows."""
    call_back = ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(number))

    def main() -> int:
        call_back()
        raise RuntimeError("no compiled object yet")

    hook = sys.unraisablehook
    assert terminal.run(main) == (130 if number == signal.SIGINT else 143) and capsys.readouterr() == ("", "")
    assert sys.unraisablehook is hook


@pytest.mark.parametrize(("name", "where"), [("game.sky", "game.sky: "), (None, "")])
def test_a_failing_file_is_reported_in_one_line(name: str | None, where: str, capsys) -> None:
    def main() -> int:
        raise OSError(28, "No space left on device", name)

    assert terminal.run(main) == terminal.FAILED
    assert capsys.readouterr().err.endswith(f": {where}No space left on device\n")


def test_a_letter_that_the_output_lacks_is_escaped() -> None:
    script = "import sys; from sim import terminal; terminal.run(lambda: print(sys.argv[1]))"
    done = run_python("-c", script, "\N{SNOWMAN}", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.stdout, done.stderr) == ("\\u2603\n", "")


def test_a_message_that_quotes_a_whole_file_is_cut_in_its_middle(capsys: pytest.CaptureFixture[str]) -> None:
    assert terminal.Parser(prog="tools.x").refuse("a\nb" + "x" * 9000 + "; the cure") == terminal.FAILED
    said = capsys.readouterr().err
    assert said.startswith("tools.x: a\\nbxxx") and said.endswith("xxx; the cure\n")
    assert "x ... x" in said and len(said) < 2100


def test_an_empty_path_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    parser = terminal.Parser(prog="python -m sim")
    parser.add_argument("--play", type=terminal.path)
    with pytest.raises(SystemExit) as ended:
        parser.parse_args(["--play", ""])
    assert ended.value.code == 2
    expected = "sim: argument --play: the path is empty: name a file or a folder, such as game.sky; see --help\n"
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("marks", "there is no 'marks'; did you mean mark? see --help"),
        ("x", "there is no 'x'; there are mark, two words; see --help"),
        ("mark --widht 4", "there is no option '--widht'; did you mean --width? see --help"),
        ("mark --qqq 4", "unrecognized arguments: --qqq 4; see --help"),
        ("mark --width 5", "argument --width: there is no '5'; there are 4, 6; see --help"),
    ],
)
def test_a_wrong_word_gets_the_nearest_one_or_all(line: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = terminal.Parser(prog="python -m sim")
    verbs = parser.add_subparsers(dest="verb")
    for verb in ("mark", "two words"):
        verbs.add_parser(verb).add_argument("--width", type=int, choices=(4, 6))
    with pytest.raises(SystemExit):
        parser.parse_args(line.split())
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("sim") and said.endswith(words)


def test_a_near_name_contains_the_wrong_one_or_is_like_it() -> None:
    known = ["pajenicko_picopad", "SDPC", "pico_1", "pico_2"]
    assert [terminal.find_near(name, known) for name in ("picopad", "sdcp", "p")] == [known[:1], known[1:2], []]
    assert terminal.find_near("pico", known) == ["pajenicko_picopad", "pico_1", "pico_2"]


# One process runs all commands, because imports take longer than refusals.
REFUSING = """
import contextlib, io, json, runpy, sys
outcomes = {}
for line in sys.stdin.read().splitlines():
    sys.argv = line.split()
    code, out, err = None, io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_module(sys.argv[0], run_name="__main__")
        except SystemExit as ended:
            code = ended.code
    outcomes[line] = (code, out.getvalue(), err.getvalue())
print(json.dumps(outcomes))
"""
Outcome = tuple[int, str, str]

DIGITS = "9" * 5000  # more than Python's int() takes
LONG = "a" * 300 + ".sky"
TOO_LONG = f"{LONG}: File name too long"
ENDLESS = "it is larger than 16 MB"
UNNAMED = [
    *("sim --headless --computers 1 1 --record", "sim --headless --play", "sim --library --folder"),
    *("tools.board --script", "tools.bots host cat --record", "tools.deploy --drive", "tools.sheet --golden"),
]
UNREAD = [
    *("sim --gamepad-map --gamepad", "sim --headless --play", "tools.board --script", "tools.interpreters"),
    *("tools.measure", "tools.tetress show", "tools.clear_a_line check", "tools.puzzles add"),
]
# Commands that would crash or never end if they were not refused, and the refusal.
HOPELESS = {
    **{f"{command} {LONG}": f"argument {command.split()[-1]}: {TOO_LONG}" for command in UNNAMED},
    **{f"{command} /dev/zero": f"cannot read /dev/zero: {ENDLESS}" for command in UNREAD},
    f"sim --headless --play {RECORDING} --gif {LONG}.gif": f"argument --gif: {LONG}.gif: File name too long",
    "sim --host --seed 0": "--host and --seed cannot be used together: the players agree on it in the lobby",
    "tools.board --headless --scale -1": "argument --scale: '-1' is not a whole number from 0 to 32",
    "tools.board --headless --seed -1": "argument --seed: '-1' is not a whole number from 0 on",
    "tools.bots tune --log /dev/zero": f"/dev/zero: {ENDLESS}",
    "tools.bots tune --log sim": "cannot write sim: it is a directory",
    "tools.clear_a_line fastest no/such": "cannot write no/such: there is no directory no",
    "tools.bots tune --games 0": "argument --games: '0' is not a whole number from 1 to 100000",
    "tools.bots tune --jobs 99999": "argument --jobs: '99999' is not a whole number from 1 to 61",
    "tools.clear_a_line prove --rows 0": "argument --rows: '0' is not a whole number from 1 to 6",
    "tools.clear_a_line small --output sim": "cannot write sim: it is a directory",
    "tools.deploy.rom README.md": "no names of CircuitPython for an RP2040 in this file",
    f"tools.export {RECORDING} --wav {LONG}.wav": f"argument --wav: {LONG}.wav: File name too long",
    "tools.interpreters no_such.py": "cannot read no_such.py: No such file or directory",
    "tools.measure no_such.sky": "cannot read no_such.sky: No such file or directory",
    "tools.measure LICENSE": "LICENSE: not a Skyline recording: it should begin with SKY",
    "tools.measure --peaks -1": "argument --peaks: '-1' is not a whole number from 1 on",
    f"tools.library show {DIGITS}": terminal.one_line(
        f"there is no game '{DIGITS}'; `python -m tools.library list` lists 0"
    ),
    f"tools.mutants --sample {DIGITS}": terminal.one_line(
        f"argument --sample: '{DIGITS}' is not a whole number from 1 on; see --help"
    ),
    "tools.mutants --sample 0": "argument --sample: '0' is not a whole number from 1 on",
    "tools.puzzles add sim/screens.png": "sim/screens.png is not text in UTF-8; save it as UTF-8",
    "tools.puzzles invent spin 1 8": "a T-Spin clears at most 3 lines, not 8",
    "tools.robot --output a.sky --aim 99999": "argument --aim: '99999' is not a whole number from 0 to 1000",
    "tools.robot --output a.sky --seed -1": "argument --seed: '-1' is not a whole number from 0 to 1073741823",
    "tools.tetress match nobody two": "there is no player 'nobody'; there are "
    "strong, random, greedy, two, level1, level2, level3, level4, module:Class",
    "tools.versus 5 4 --games 0": "argument --games: '0' is not a whole number from 1 on",
    "tools.versus 5 4 --jobs 99999": "argument --jobs: '99999' is not a whole number from 1 to 61",
    "tools.web serve --port -1": "argument --port: '-1' is not a whole number from 0 to 65535",
    "tools.web serve --port 99999": "argument --port: '99999' is not a whole number from 0 to 65535",
}


def refuse(lines: list[str], folder: Path = ROOT, limit: Callable[[], None] | None = None) -> dict[str, Outcome]:
    """Run command lines that are refused; return exit code, stdout and stderr of each."""
    data = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "XDG_DATA_HOME": str(folder)}
    options = {"cwd": folder, "input": "\n".join(lines), "check": True, "env": os.environ | data, "preexec_fn": limit}
    return json.loads(run_python("-W", "ignore::RuntimeWarning:runpy", "-c", REFUSING, **options).stdout)


@pytest.fixture(scope="module")
def refused() -> dict[str, Outcome]:
    """Return the outcome of an unknown option for every command."""
    return refuse([f"{command} --no-such-option" for command in COMMANDS])


@pytest.fixture(scope="module")
def hopeless() -> dict[str, Outcome]:
    """Return the outcomes of HOPELESS; a command that is not refused may never end."""
    return refuse([line for line in HOPELESS if FULL.exists() or "/dev/" not in line])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_in_one_line_of_one_form(command: str, refused: dict[str, Outcome]) -> None:
    code, out, err = refused[f"{command} --no-such-option"]
    assert (code, out, err.count("\n")) == (2, "", 1) and re.match(rf"{re.escape(command)}: .+; see --help\n", err)


@needs.system(sys.platform != "win32", "POSIX's words for errors")
@pytest.mark.parametrize("line", HOPELESS, ids=lambda line: line.replace(LONG, "LONG").replace(DIGITS, "DIGITS"))
def test_an_impossible_command_is_refused_at_once(line: str, hopeless: dict[str, Outcome]) -> None:
    if line not in hopeless:
        needs.skip_system("Linux's /dev")
    code, out, err = hopeless[line]
    assert (code, out) == (2, "")
    assert re.fullmatch(rf"(sim|tools\.[a-z_. ]+): {re.escape(HOPELESS[line])}(; see --help)?\n", err)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_number_of_a_command_line_is_read_by_terminal(command: str) -> None:
    """int() takes digits of every script, and float() takes nan."""
    assert [action.dest for _words, action in walk(find_parser(command)) if action.type in (int, float)] == []


@pytest.mark.parametrize("text", ["", "1.0", "1_0", "+1", " 1", "²", "٣", "--1", DIGITS], ids=lambda text: text[:9])
def test_a_whole_number_has_plain_digits(text: str) -> None:
    with pytest.raises(ValueError, match="is not a whole number"):
        terminal.read_whole(text)
    assert terminal.read_whole("-0123") == -123


# Commands that write a named file.
WRITTEN = [
    *("sim --headless --play game.sky --gif out.gif", "sim --headless --play game.sky --screenshot out.png"),
    *("sim --headless --computers 1 1 --record out.sky", "tools.robot --seconds 60 --output out.sky"),
    *("tools.export game.sky --gif out.gif", "tools.export game.sky --png out.png", "tools.export held --wav out.wav"),
    *("tools.export stats --csv out.csv", "tools.export stats --png plot.png"),
    *("tools.tetress show game.txt -o out.png", "tools.tetress show game.txt -o out.gif"),
]


@pytest.mark.slow
@needs.system(sys.platform != "win32", "a limit for file sizes")
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    import resource

    shutil.copy(ROOT / "tests/recordings/lost.sky", tmp_path / "game.sky")
    journal = Journal(list(open_stores(tmp_path / "skyline")))
    life = Life()
    life.add_game(ended())
    assert journal.save(NUMBERS, life.pack(journal.payload))
    (tmp_path / "game.txt").write_text("PLACE[(6,3), (7,2), (7,3), (7,4)]\n")
    for line in WRITTEN:
        path = tmp_path / line.split()[-1]
        path.write_bytes(b"section,name,value\n" if path.suffix == ".csv" else b"SKY\1" + MARK)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}

    limits = (100, resource.RLIM_INFINITY)
    outcomes = refuse(WRITTEN, tmp_path, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits))

    for line in WRITTEN:
        name = line.split()[-1]
        assert outcomes[line][0] == 2, line
        matplotlib = "Could not save font_manager cache [Errno 27] File too large\n"
        assert outcomes[line][2].replace(matplotlib, "") == f"{line.split()[0]}: cannot write {name}: File too large\n"
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.*")} == before


def test_setup_and_all_that_it_imports_can_be_read_by_python_3_6() -> None:
    for name in ("sim/__init__.py", "sim/ownership.py", "sim/terminal.py", "tools/__init__.py", "tools/setup.py"):
        ast.parse((ROOT / name).read_text(encoding="utf-8"), feature_version=(3, 6))


# Long work shows its progress on a terminal, and prints nothing elsewhere.
_SLOW = """
import time
from sim import progress
progress._PATIENCE_S = 0.1
for _ in progress.follow(range(9), "at work", 9, "files"):
    time.sleep(0.12)
"""


def test_no_bar_is_written_to_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.follow([1, 2], "at work", 2, "files")) == [1, 2] and capsys.readouterr() == ("", "")


@pytest.mark.slow
@needs.system(find_spec("fcntl"), "a terminal that a program can be")
def test_a_terminal_shows_progress_and_is_cleared_at_the_end() -> None:
    import fcntl
    import struct
    import termios

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    subprocess.run([sys.executable, "-c", _SLOW], cwd=ROOT, stderr=theirs, check=True)
    os.close(theirs)
    parts = []
    with contextlib.suppress(OSError):  # Linux ends a terminal that nobody writes to with an error
        while part := os.read(ours, 65_536):  # it comes in parts
            parts.append(part)
    os.close(ours)
    shown = b"".join(parts).decode()
    assert "at work:" in shown and " 4/9 files" in shown
    assert not shown.split("\r")[-1].strip(), "the bar is taken away"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"])
def test_a_text_of_windows_is_read(encoding: str, tmp_path: Path) -> None:
    """Notepad begins a file with a byte order mark, and PowerShell redirects as UTF-16."""
    begin = "\ufeff" if "16" in encoding else ""
    (tmp_path / "a").write_bytes(f"{begin}Größe\r\n2\r\n".encode(encoding))
    assert terminal.read_text(tmp_path / "a") == terminal.read_text_or_refuse(tmp_path / "a") == "Größe\n2\n"


def test_every_text_of_a_user_is_read_by_terminal() -> None:
    """A text that is decoded where it is read would keep a byte order mark."""
    by_hand = re.compile(r"\b(?:terminal\.read|read_or_refuse|read_bytes)\([^()]*\)\.decode|configparser")
    paths = [path for room in ("sim", "tools") for path in (ROOT / room).rglob("*.py")]
    assert [path.name for path in paths if by_hand.search(path.read_text(encoding="utf-8"))] == []
    assert by_hand.search("terminal.read_or_refuse(options.file).decode()")
