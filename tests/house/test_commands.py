"""What a bare machine runs: every module is imported, and every --help needs only the standard library."""

import json
import re

from tests.support import needs
from tests.support.parsers import COMMANDS
from tests.support.parts import PARTS
from tests.support.running import ROOT, run_python
from tools.wheel.commands import COMMANDS as WHEEL

# Imports all modules named on stdin; prints the errors by module.
IMPORTING = """
import importlib, json, sys
sys.path.append(".")
wrong = {}
for name in sys.stdin.read().split():
    try:
        importlib.import_module(name)
    except Exception as problem:
        wrong[name] = repr(problem)
print(json.dumps(wrong))
"""
# Runs `COMMAND --help` for each line of stdin and for its subcommands; prints exit code, stdout and stderr of each.
HELPING = """
import argparse, contextlib, io, json, runpy, sys
sys.path.append(".")
asked = argparse.ArgumentParser.parse_args
parsers, found = [], {}

def parse_args(self, *arguments, **options):
    parsers.append(self)
    return asked(self, *arguments, **options)

def start(program):
    if program == "skyline":
        from tools.wheel.commands import main
        sys.exit(main())
    runpy.run_module(program, run_name="__main__", alter_sys=True)

def ask(*words):
    out, err = io.StringIO(), io.StringIO()
    sys.argv = [*words, "--help"]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            start(words[0])
            code = 0
        except SystemExit as stop:
            code = stop.code
        except Exception as problem:
            code = repr(problem)
    found[" ".join(words)] = code, out.getvalue(), err.getvalue()
    parser = parsers[-1]
    if words[0] == "skyline":
        return
    for word in words[1:]:
        (parser,) = [action.choices[word] for action in parser._actions if hasattr(action.choices, "items")]
    for action in parser._actions:
        for word in action.choices if isinstance(action, argparse._SubParsersAction) else ():
            ask(*words, word)

argparse.ArgumentParser.parse_args = parse_args
for line in sys.stdin.read().splitlines():
    ask(*line.split())
print(json.dumps(found))
"""
# What a board's CircuitPython, the page's MicroPython or another environment runs.
ELSEWHERE = (
    r"firmware\.device\..*|sim\.web\.(halves|handheld|requests|web_device)|tools\.measure\.(bench|board_start|race)"
    r"|tools\.parts\.examples\..*"
)

NOT_EVERYWHERE = [name for part in PARTS.values() for name in part.packages]


def list_modules() -> list[str]:
    paths = [path for folder in ("firmware", "sim", "tools") for path in (ROOT / folder).rglob("*.py")]
    return sorted(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths)


def test_every_module_can_be_imported() -> None:
    names = list_modules()
    assert len(names) > 500
    wrong = json.loads(run_python("-c", IMPORTING, input="\n".join(names), check=True).stdout.splitlines()[-1])
    lacking = [name for name in NOT_EVERYWHERE if not needs.has_package(name)]
    assert {
        name: told
        for name, told in wrong.items()
        if not re.fullmatch(ELSEWHERE, name) and not any(f"No module named {each!r}" in told for each in lacking)
    } == {}


def test_every_help_needs_only_the_standard_library() -> None:
    asked = "\n".join([*COMMANDS, "skyline", *(f"skyline {name}" for name in WHEEL)])
    done = run_python("-S", "-W", "ignore::RuntimeWarning:runpy", "-c", HELPING, input=asked)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {"tools.web relay", "tools.bots perft", "skyline board", "tools.hardware check"} <= set(found)
    assert {words: said for words, said in found.items() if said[0] or said[2] or "usage: " not in said[1]} == {}


def test_every_skip_is_told_by_its_part() -> None:
    """tests/support/needs.py alone skips, so that the end of a run has one line a part; or this is another system."""
    skipping = re.compile(r"\bpytest\.(skip\(|mark\.skip\(|importorskip)|\bskipif\((?!sys\.platform)")
    found = {path for path in (ROOT / "tests").rglob("*.py") if skipping.search(path.read_text(encoding="utf-8"))}
    assert {path.name for path in found} == {"needs.py"}
