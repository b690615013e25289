"""Every command in a README runs as printed, in a copy of the sources.

New commands run by default. NOT_RUN lists commands that cannot run, with the reason; LONG and EVERY list slow ones;
ENDLESS lists commands that run until they are ended. CHOSEN fills in the reader's choices. The parsers of all of them
read the arguments.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from py_fumen_py import Field, Page, encode

from firmware.modes.catalogue import MARATHON
from firmware.save.journal import BOARD_GAME, NUMBERS, Journal
from firmware.save.life import Life
from firmware.tetress.game import Game as Tetress
from firmware.tetress.record import pack, start_record
from sim.library import open_library
from sim.store import open_stores
from sim.terminal import TERMINATED
from tests.support import needs
from tests.support.copied import copy_clone
from tests.support.parsers import find_parser
from tests.support.results import ended
from tests.support.running import ROOT
from tests.web import realm
from tests.web.realm import PACKAGES
from tools import setup
from tools.board import firmware_image
from tools.board.rp2040 import compiled

READMES = [*sorted(ROOT.glob("[!.]*/**/README.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
PROGRAMS = r"python3? -m |pytest\b|ruff |mypy\b|\.ci/|pip |apt |\. |\.\.\. deploy |git [a-z]+ |tools(?:\.\w+)+ "
COMMAND = re.compile(rf"(?:[A-Z_]+=\S+ )?(?:{PROGRAMS}).*")

pytestmark = [pytest.mark.no_cover, needs.system(sys.platform != "win32", "a POSIX shell, which runs the READMEs")]


def find_commands(text: str) -> list[str]:
    """Return the commands in a README: code spans, and lines of code blocks without trailing notes."""
    blocks = r"^ *```[^\n]*\n(.*?)^ *```"
    lines = [line for block in re.findall(blocks, text, re.MULTILINE | re.DOTALL) for line in block.splitlines()]
    text = re.sub(blocks, "", text, flags=re.MULTILINE | re.DOTALL)
    lines += re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    spans = [" ".join(span.split()) for span in re.findall(r"`([^`]+)`", text)]
    found = [*spans, *(re.split(r"\s{2,}", line.strip())[0] for line in lines)]
    return [command for command in found if COMMAND.fullmatch(command)]


PRINTED = {command: path for path in READMES for command in find_commands(path.read_text(encoding="utf-8"))}
Done = subprocess.CompletedProcess[str]
NETWORK = "installs or fetches from the network"
BOARD = "needs a board on USB, or its drive"
PI = "needs a Raspberry Pi, with a display"
SUITE = "would run these tests inside themselves"
HOURS = "takes half an hour or more"
RECIPE = "belongs to a recipe, which test_recipes carries out in a copy"
ATHERIS = "needs atheris, which has wheels for some systems only"
REASONS = {NETWORK, BOARD, PI, SUITE, HOURS, RECIPE, ATHERIS}

NOT_RUN = {
    "pytest -m long tests/bots/test_bots_batch_long.py -k hundred": SUITE,
    "python3 -m tools.setup board get": NETWORK,
    "pip install -e .[solve]": NETWORK,
    "pip install -e .[train]": NETWORK,
    "apt install chromium-headless-shell": NETWORK,
    "apt install firefox-esr": NETWORK,
    "apt install webkit2gtk-driver xvfb": NETWORK,
    "python -m tools.measure --peers": NETWORK,
    "python -m tools.measure --batch --fill": NETWORK,
    "python -m tools.puzzles compare CLASSPATH": NETWORK,
    "python -m tools.release": NETWORK,
    "python -m tools.export chime --wav chime.wav": RECIPE,
    "pip install -e .[deploy]": RECIPE,
    "SKYLINE_WRITE_GOLDEN=1 python -m pytest tests/scenes/test_thanks.py": RECIPE,
    "python -m tools.sheet help_thanks": RECIPE,
    "python3 -m tools.setup deploy": BOARD,
    "python3 -m tools.setup deploy --dry-run": BOARD,
    "... deploy --clock": BOARD,
    "... deploy --remove": BOARD,
    "python -m tools.deploy --clock": BOARD,
    "python3 -m tools.setup sim --blinka": PI,
    "python3 -m tools.setup test": SUITE,
    "python3 -m tools.setup test -k lint": SUITE,
    'python3 -m tools.setup test -m "not long" -k blinka': SUITE,
    "python3 -m tools.setup test -m long": SUITE,
    'python3 -m tools.setup test -m "slow and not long" -n auto': SUITE,
    'pytest -m "slow and not long" -n auto': SUITE,
    'pytest -m ""': SUITE,
    "pytest -m long -k tetress": SUITE,
    "pytest --hypothesis-profile=chance": SUITE,
    ".ci/run": SUITE,
    ".ci/run --long": SUITE,
    ".ci/bare.py": SUITE,
    'pytest -m "" @.pytest_cache/skyline/skipped': SUITE,
    "python -m tests.support.shown": SUITE,
    "python -m tools.mutants --sample 200 --fill": SUITE,
    "python -m tools.clear_a_line small": HOURS,
    "python -m tools.fuzz": ATHERIS,
    "python -m tools.mutants": HOURS,
    "python -m tools.measure --board": HOURS,
    "python -m tools.measure --write-board": HOURS,
    "python -m tools.measure.waits --fill": HOURS,
    "python -m tools.measure.presses --fill": HOURS,
    "python -m tools.measure.room table": HOURS,
    "python -m tools.measure.room table --fill": HOURS,
    "python -m tools.measure.room fattest": HOURS,
    "python -m tools.measure.room pauses": HOURS,
    "python -m tools.measure.cuts": HOURS,
    "python -m tools.measure.cuts --fill": HOURS,
    "python -m tools.tetress match strong two --games 100 --seconds 12": HOURS,
}

# They run a window or a server until they are ended.
ENDLESS = {
    *("python3 -m tools.setup sim", "python3 -m tools.setup sim --host", "python3 -m tools.setup sim --host 0.0.0.0"),
    "python3 -m tools.setup sim --link PORT",
    "python3 -m tools.setup sim --players 2 --computers 3",
    "python3 -m tools.setup sim --variant standard --seed 0",
    'python -m sim --versus "python -m tools.bots tbp --level 3" --pace 800',
    'python -m sim --versus "python -m tools.bots tbp --policy tools/bots/examples/first_player.py:policy" --pace 800',
    *('python -m sim --versus "python -m tools.bots tbp --strong"', "python3 -m tools.setup board"),
    "python -m tools.bots arena bots.toml",
    *("python -m tools.board --link 3", "python3 -m tools.setup web", "python3 -m tools.setup web relay"),
    "python -m tools.board --ready",
    # They learn for ten minutes.
    *("python -m tools.bots learn", "python -m tools.bots learn --fill", "python -m tools.bots learn --match --fill"),
}
RUNS_S = 10  # enough to start

EMULATED = {
    "python -m tools.measure.seal --fill",
    "python3 -m tools.setup board",
    "python -m tools.board --link 3",
    "python -m tools.board --ready",
    "python -m tools.board --headless --script steps.txt --serial --heap --screenshot last.png",
    "... deploy --uf2 adafruit-circuitpython-raspberry_pi_pico.uf2 --board raspberry_pi_pico -o skyline.uf2",
}

# What commands need, by a part of their words; see tests/support/parts.py.
PARTS = {"tools.hardware": ("kicad",), "web": ("registry",), "website": ("registry",), "lint": ("node",)}
PARTS |= {"tools.site": ("registry",), "web measure": ("chromium",), "web picture": ("chromium",), "git": ("history",)}
PARTS |= dict.fromkeys(EMULATED, ("uf2",)) | dict.fromkeys(("tools.bots train", "first_player.py:policy"), ("train",))

LONG = ENDLESS | {
    "python -m tools.sheet",  # `--into` runs it anyway
    "python -m tools.web build",  # the tests of the page build it anyway
    "python -m tools.site build",  # as do those of the site
    "python3 -m tools.setup web build --relay relay.example.org",
    "python -m tools.web picture --screens screens.png",  # and look at it on these screens
    # The tests of the room hardware make the files and run each check anyway, in another time zone.
    *("python -m tools.hardware build", "python -m tools.hardware check"),
    "python -m tools.openers cover",  # `--fill` runs it anyway
    *("python -m tools.openers check", "python -m tools.openers build"),  # tests/modes/test_openers.py does both
    "python -m tools.web lint",  # .ci/run runs it anyway
    *("python -m tools.measure --fill", "python -m tools.clear_a_line check firmware/winning.bin --fill"),
    *("mypy", "pytest -k lock_down", "SKYLINE_WRITE_GOLDEN=1 python -m pytest tests/view/test_view_golden.py"),
    *("python -m tools.clear_a_line check FILE", "python -m tools.clear_a_line fastest FILE"),
    *("python -m tools.clear_a_line prove --columns 10", 'python -m tools.versus 5 "COMMAND"'),
    *("python3 -m tools.setup web build", "python -m tools.bots tbp --strong"),
    'python -m tools.bots host "python -m tools.bots tbp --strong --attacks tetrio" --attacks tetrio',
    # They compile, too.
    *("python -m tools.bots sent", "python -m tools.bots sent --games 40 --fill"),
    "python -m tools.bots curve --think 5 --think 20 --think 100 --think 500 --games 3 --fill",
    "python -m tools.bots perft 4 --fill",
    "python -m tools.bots perft 3 --hold --half-turns --spins --position kicks",
    "python -m tools.bots perft 3 --check",
    "python -m tools.bots perft 7 --by columns --queue IOLJSZT",
    *("python -m tools.bots tune --log mine.jsonl", "python -m tools.measure", "python -m tools.typecheck"),
    "python -m tools.versus strong 5 --nodes 5000 --games 100 --fill",
    "python -m tools.versus strong tuned --think 10 --games 200 --fill",
    *("python -m tools.versus --ladder --fill", "python -m tools.versus --ladder --rules modern --fill"),
    "python -m tools.versus strong 5 --nodes 5000 --rules modern --fill",
    *("python -m tools.versus strong dellacherie --nodes 5000 --games 100 --fill", "python -m tools.web measure"),
    *("python -m tools.web picture", "python -m tools.puzzles allclear --pack"),
    *("python -m tools.review game.sky", "python3 -m tools.setup review game.sky"),  # they compile, once
    "python -m tools.review measure --fill",
    "python -m tools.bots arena bots.toml --games 4 --page website",  # it builds the page
    "python -m tools.bots card tools.bots.examples.afterstates:policy",
    "python -m tools.bots card mine.py:policy --quick",
    "OPENBLAS_NUM_THREADS=1 python -m mine --stretches 100",  # it compiles
    *("python -m tools.bots train", "python -m tools.bots train --fill"),
    "python -m tools.bots learn --rounds 2 --games 10 --output mine.npz",
}

# .ci/run runs these seconds; other tests do in their own process what they do.
EVERY = {
    *("... deploy --source", "python -m tools.measure --modules", "python -m tools.measure.blinka --fill"),
    *('python -m tools.bots card "python -m tools.bots tbp --level 2" --quick', "python -m tools.openers cover --fill"),
    "python -m tools.bots card tools/bots/examples/first_player.py:policy --quick",
    "python3 -m tools.setup export stats --games games.csv --progress weeks.png --days days.png",
    *("python -m tools.puzzles allclear --count 4 --seed 7", "python -m tools.puzzles allclear --pieces 5 --count 2"),
    "python -m tools.sheet --into /tmp",
}

DAY = "tests/recordings/modes/daily.sky"
QUIZ = Page(field=Field(["XX_X__X___", "XXXX___XXX", "XXXXX_XXXX"]), comment="#Q=[](T)")
FUMEN = "https://fumen.zui.jp/?" + encode([QUIZ])
# Replacements for the reader's choices.
DRIVE = {"...": "python3 -m tools.setup"}
CHOSEN = {
    "... deploy --drive /media/you/CIRCUITPY": DRIVE | {"/media/you/CIRCUITPY": "../CIRCUITPY"},
    "... deploy --source": DRIVE | {"--source": "--source --drive ../CIRCUITPY"},
    "... deploy --uf2 adafruit-circuitpython-raspberry_pi_pico.uf2 --board raspberry_pi_pico -o skyline.uf2": DRIVE
    | {"adafruit-circuitpython-raspberry_pi_pico.uf2": '"$SKYLINE_UF2"'},
    "python3 -m tools.setup sim --link PORT": {"PORT": "/dev/ptmx"},
    "python -m tools.interpreters FILE": {"FILE": "tests/portable/case_save.py"},
    "python -m tools.interpreters tests/portable/case_NAME.py": {"NAME": "save"},
    "python -m tools.daily line RECORDING": {"RECORDING": DAY},
    "python -m tools.daily verify LINE RECORDING": {"LINE": f'"$(python -m tools.daily line {DAY})"', "RECORDING": DAY},
    'python -m tools.versus 5 "COMMAND"': {"COMMAND": "python -m tools.bots tbp --level 1"},
    "OPENBLAS_NUM_THREADS=1 python -m mine --stretches 100": {"mine --": "tools.bots.examples.afterstates --"},
    "python -m tools.bots card mine.py:policy --quick": {"mine.py": "tools/bots/examples/afterstates.py"},
    "python -m tools.clear_a_line fastest FILE": {"FILE": "strategy.txt"},
    "python -m tools.clear_a_line check FILE": {"FILE": "firmware/winning.bin"},
    'python -m tools.puzzles add "https://fumen.zui.jp/?v115@..." --name "MINE" --goal "t-spin double"': {
        "https://fumen.zui.jp/?v115@...": FUMEN
    },
    "python -m tools.tetress show FILE": {"FILE": "game.txt"},
    "python -m tools.sheet NAME": {"NAME": "title"},
    "python -m tools.NAME": {"NAME": "sheet title"},
    "python3 -m tools.setup NAME": {"NAME": "sheet title"},
    "python -m tools.sheet --into /tmp": {"/tmp": "."},
}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the sources with an environment, saved games and recordings."""
    base = tmp_path_factory.mktemp("readme")
    clone = copy_clone(base / "skyline")
    make_environment(clone)
    (base / "bin").mkdir()
    (base / "bin" / "python3").symlink_to(bare_python())
    (base / "CIRCUITPY").mkdir()
    board = "Adafruit CircuitPython 10.0.0 on 2025-10-10; Raspberry Pi Pico with rp2040\nBoard ID:raspberry_pi_pico\n"
    (base / "CIRCUITPY" / "boot_out.txt").write_text(board)
    put_inputs(clone)
    put_saves(base / "data" / "skyline")
    return clone


def make_environment(clone: Path) -> None:
    """Make a .venv like a new one, with the packages of this environment."""
    venv = clone / ".venv"
    (venv / "bin").mkdir(parents=True)
    for path in Path(sys.executable).parent.iterdir():
        (venv / "bin" / path.name).symlink_to(path)
    (venv / "lib").symlink_to(Path(sys.prefix) / "lib")
    (venv / "pyvenv.cfg").write_text(f"home = {Path(bare_python()).parent}\ninclude-system-site-packages = false\n")
    stamp = "from tools import setup\nopen(setup.stamp_path(setup.ALL), 'w').write(setup.fingerprint())"
    subprocess.run([bare_python(), "-c", stamp], cwd=clone, check=True)


def put_inputs(clone: Path) -> None:
    """Write the files that printed commands read: recordings, and the examples of the pages."""
    for name in ("game.sky", "demo.sky"):
        shutil.copy(ROOT / "tests" / "recordings" / "lost.sky", clone / name)
    shutil.copy(ROOT / "tests" / "matches" / "two.sky", clone / "match.sky")
    (clone / "steps.txt").write_text("wait 3\ntap A\nheap\n")
    (clone / "game.txt").write_text("PLACE[(6,3), (7,2), (7,3), (7,4)]\n")
    for room, kind, name in (("puzzles", r"text\n(?= *= )", "my.txt"), ("bots", r"toml\n", "bots.toml")):
        page = (ROOT / "tools" / room / "README.md").read_text(encoding="utf-8")
        example = re.findall(rf"^ *```{kind}(.*?)^ *```", page, re.MULTILINE | re.DOTALL)[0]
        (clone / name).write_text(textwrap.dedent(example), encoding="utf-8")


def put_saves(folder: Path) -> None:
    """Save the numbers of one game, its recording, and a Tetress in progress, as a player's simulator does."""
    journal = Journal(list(open_stores(folder)))
    life = Life()
    life.add_game(ended())
    assert journal.save(NUMBERS, life.pack(journal.payload))
    played = (ROOT / "tests" / "recordings" / "fast.sky").read_bytes()
    open_library(folder).add(played, MARATHON, 1, bytes(1024), datetime(2026, 11, 22))
    record = pack(Tetress(), start_record(0, 4, 1))
    journal.payload[: len(record)] = record
    assert journal.save(BOARD_GAME, len(record))


def bare_python() -> str:
    return getattr(sys, "_base_executable", sys.executable)


def environment(clone: Path, activated: bool) -> dict[str, str]:
    """Return the variables of a shell with .venv `activated`, or of a new user's shell."""
    first = clone / ".venv" / "bin" if activated else clone.parent / "bin"
    place = os.pathsep.join([str(first), os.environ.get("PATH", os.defpath)])
    data = {"XDG_DATA_HOME": str(clone.parent / "data"), "HOME": str(clone.parent)}
    return os.environ | data | {"PATH": place, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}


def run(clone: Path, command: str, activated: bool, runs_s: int = 0, **variables: str) -> Done:
    """Run a command in a shell; terminate it if it still runs after `runs_s`."""
    pipe = subprocess.PIPE
    how: dict[str, Any] = {"cwd": clone, "env": environment(clone, activated) | variables, "start_new_session": True}
    how |= {"stdin": subprocess.DEVNULL, "stdout": pipe, "stderr": pipe, "text": True}
    with subprocess.Popen(["sh", "-c", command], **how) as process:
        if runs_s:
            time.sleep(runs_s)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        output, problems = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, output, problems)


def parametrize() -> list[object]:
    """Return the commands to run, those of LONG, EVERY and EMULATED with their marks."""
    wanted = [command for command in PRINTED if command not in NOT_RUN]
    marks = {command: [pytest.mark.long] * (command in LONG) for command in wanted}
    for command in EVERY:
        marks[command].append(pytest.mark.every)
    for command in EMULATED:
        marks[command].append(pytest.mark.board)
    return [pytest.param(command, marks=marks[command]) for command in wanted]


@pytest.mark.slow
@pytest.mark.parametrize("command", parametrize())
def test_command_of_a_readme_runs_as_printed(command: str, clone: Path) -> None:
    parts = list_parts(command)
    needs.demand(*(part for part in parts if part != "registry"))
    if "registry" in parts:
        bring_packages(clone)
    variables = {"GIT_DIR": find_history()} if "history" in parts else {}
    variables |= find_firmware() if "uf2" in parts else {}
    chosen = fill_in(command)
    activated = not chosen.startswith("python3 ")
    done = run(clone, chosen, activated, RUNS_S if command in ENDLESS else 0, **variables)
    assert done.returncode in ((TERMINATED, -signal.SIGTERM) if command in ENDLESS else (0,)), done.stderr[-2000:]
    assert "Traceback" not in done.stderr


def fill_in(command: str) -> str:
    """Return a command with the reader's choices."""
    for word, choice in CHOSEN.get(command, DRIVE if command.startswith("... ") else {}).items():
        command = command.replace(word, choice)
    return command


def test_the_parsers_read_every_printed_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sim").mkdir()  # pictures go there
    monkeypatch.chdir(tmp_path)
    read = 0
    for command in map(fill_in, PRINTED):
        words = shlex.split(re.sub(r"^[A-Z_]+=\S+ ", "", command))
        if words[1:2] != ["-m"] or not words[2].startswith(("sim", "tools.")):
            continue
        module, rest = words[2], words[3:]
        if module == "tools.setup":
            (_python, module, *rest), *_more = setup.commands(rest[0], rest[1:])
        if module != "pytest" and "--help" not in rest:
            find_parser(module).parse_args(rest)
            read += 1
    assert read > 100


def list_parts(command: str) -> list[str]:
    needed = [words for words in PARTS if re.search(rf"(?<!\w){re.escape(words)}(?!\w)", command)]
    return [part for words in needed for part in PARTS[words]]


def find_history() -> str:
    command = ["git", "rev-parse", "--absolute-git-dir"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def find_firmware() -> dict[str, str]:
    """Return variables with the paths of CircuitPython and the compiled emulator."""
    return {firmware_image.VARIABLE: str(firmware_image.find()), "NUMBA_CACHE_DIR": str(compiled.folder)}


def bring_packages(clone: Path) -> None:
    """Copy the page's packages into the clone's cache; skip if they cannot be fetched."""
    realm.fetch_packages(PACKAGES)
    script = "from tools.web import npm; print(npm.cache_path())"
    python = [str(clone / ".venv" / "bin" / "python"), "-c", script]
    output = subprocess.run(python, cwd=clone, env=environment(clone, True), capture_output=True, text=True, check=True)
    shutil.copytree(PACKAGES, Path(output.stdout.strip()), dirs_exist_ok=True)


@pytest.mark.slow
def test_python_in_a_quoted_bot_command_is_the_environments(clone: Path) -> None:
    """A new user's shell may lack `python`, or its packages."""
    command = 'python3 -m tools.setup sim --versus "python -m tools.bots tbp --level 1" --computers 1 --headless'
    done = run(clone, command, activated=False)
    assert (done.returncode, done.stderr) == (0, "") and "won by player" in done.stdout


def test_commands_for_players_need_no_environment() -> None:
    play = (ROOT / "README.md").read_text(encoding="utf-8").split("\n## Change\n")[0]
    page = (ROOT / "sim" / "README.md").read_text(encoding="utf-8")
    commands = find_commands(re.sub(r"<!--.*?-->", "", play + page))  # what a reader sees
    assert len(commands) > 10
    assert [command for command in commands if not command.startswith("python3 -m tools.setup ")] == []


def test_the_lists_name_only_commands_in_a_readme() -> None:
    """Each command not run has one known reason, and is in no other list."""
    assert {*NOT_RUN, *LONG, *EVERY, *CHOSEN, *EMULATED} - set(PRINTED) == set()
    assert set(NOT_RUN.values()) == REASONS
    assert not set(NOT_RUN) & {*LONG, *EVERY, *CHOSEN, *EMULATED} and not LONG & EVERY


@pytest.mark.parametrize("command", ["python -m sim --new", "git show 0123456", "tools.export new.sky --gif"])
@pytest.mark.parametrize("text", ["`{}`", "```\n{}   new\n```", "    {}"])
def test_a_new_command_is_found(text: str, command: str) -> None:
    assert find_commands(f"Words, and\n\n{text.format(command)}\n\nwords.") == [command]
