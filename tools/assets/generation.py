"""Run the generators' command line: write files of the firmware, or check that they are current."""

from collections.abc import Callable, Mapping
from pathlib import Path

from sim import terminal
from sim.ownership import write_clone
from tools import ROOT

ART = ROOT / "tools" / "art"

Render = Callable[[], str]


def as_literal(name: str, values: bytes, per_line: int, start: int = 0, constant: bool = False) -> str:
    """Return `NAME = (...)`: one bytes literal, its first `start` bytes on a line of their own.

    constant: return `NAME = const(...)`.
    """
    lines = [values[:start]] if start else []
    lines += [values[i : i + per_line] for i in range(start, len(values), per_line)]
    call = "const" if constant else ""
    return (
        f"{name} = {call}(\n"
        + "".join('    b"' + "".join(f"\\x{v:02x}" for v in line) + '"\n' for line in lines)
        + ")\n"
    )


def main(tool: str, doc: str | None, targets: Mapping[Path, Render], arguments: list[str] | None = None) -> int:
    """Rewrite or check the target files; return the exit code, and 2 after one line if a source file is wrong.

    tool: the module's name. doc: its docstring; --help shows the first line. targets: the function that renders each
    file. No file is written if one cannot be rendered.
    """
    command = f"python -m {tool}"
    parser = terminal.Parser(prog=command, description=(doc or "").split("\n")[0])
    terminal.add_flag(parser, "--check", "write nothing; exit 1 when a file is not current")
    options = parser.parse_args(arguments)
    status = 0
    try:
        texts = {target: render() for target, render in targets.items()}
        for target, text in texts.items():
            if target.exists() and target.read_text(encoding="utf-8") == text:
                continue
            if options.check:
                parser.refuse(f"{target} is not current; run {command}")
                status = 1
            else:
                write_clone(target, text.encode())
    except (OSError, terminal.Refusal) as problem:
        return parser.refuse(problem)
    return status


def make_main(tool: str, doc: str | None, targets: Mapping[Path, Render]) -> Callable[..., int]:
    """Return the main() of a generator; the arguments are as above."""
    return lambda arguments=None: main(tool, doc, targets, arguments)
