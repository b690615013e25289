"""Handle errors alike in all command lines: a bad argument or a full disk prints one line and sets an exit code.

The syntax is that of Python 3.6, because tools/setup.py uses this module.
"""

import argparse
import contextlib
import errno
import json
import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

FAILED = 2
INTERRUPTED = 130
TERMINATED = 143
_LEAST_PART, _MOST_NEAR = 3, 3  # letters of a part that tells a name, and names to propose
_MOST_LETTERS = 2000  # of a message
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_MOST_BYTES = 1 << 24  # of a file to read; a device may be endless
# Else a wheel is installed (tools/wheel), where the command is `skyline`.
IS_CLONE = Path(__file__).resolve().parents[1].joinpath("pyproject.toml").exists()
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_WHOLE = re.compile("-?[0-9]{1,18}")
_COMMAND = re.compile(r"python3?\s+-m\s+(?:tools\.setup\s+|tools\.|(?=sim\b))(\w+)")


class Refusal(Exception):
    """Say in one line what cannot be done."""


def name_commands(text: str, is_clone: bool = IS_CLONE) -> str:
    """Return `text` with the commands that this reader has: those of a clone, or `skyline NAME`."""
    if is_clone:
        return text
    return _COMMAND.sub(lambda found: "skyline" if found[1] == "sim" else "skyline " + found[1], text)


def plain(text: str) -> str:
    """Return a text with its control characters spelled out: a file or a bot may send them to the terminal."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def one_line(text: str) -> str:
    """Return a text as one line for the terminal; of a very long one, which quotes a file, the middle is left out."""
    words = plain(text).replace("\n", "\\n")
    return (
        words if len(words) <= _MOST_LETTERS else words[: _MOST_LETTERS // 2] + " ... " + words[-_MOST_LETTERS // 2 :]
    )


def first_line(problem: BaseException) -> str:
    """Return the first line of what an exception says, or the name of its class if it says nothing."""
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]


def note(command: str, words: str) -> None:
    """Print on stderr what `command`, such as sim or tools.bots, has to say."""
    name = name_commands("python -m " + command).split(" -m ")[-1]
    print(one_line(f"{name}: {words}"), file=sys.stderr, flush=True)


class Parser(argparse.ArgumentParser):
    """Report errors in one line without the usage: `tools.NAME: what is wrong; what would be right`.

    needs_clone: whether this command changes the sources, so that an installed wheel refuses it.
    """

    def __init__(self, prog: str, needs_clone: bool = False, **options: "Any") -> None:
        super().__init__(prog=name_commands(prog), **options)
        self.needs_clone = needs_clone

    def parse_known_args(self, args: "Any" = None, namespace: "Any" = None) -> "tuple[Any, list[str]]":
        """Parse the command line; raise Refusal, before any work, for what may not be written."""
        found, rest = super().parse_known_args(args, namespace)
        if rest and find_near(rest[0], self._option_string_actions):
            self.error(tell_unknown(rest[0], self._option_string_actions, "option"))
        if self.needs_clone:
            check_clone(self.prog.split()[-1])
        for action in self._actions:
            value = getattr(found, action.dest, None)
            check = getattr(action.type, "check", None)  # of an Output, sim/ownership.py
            if check and value is not None and value is not action.default:
                check(value)
        return found, rest

    def format_help(self) -> str:
        """Return the help with the commands that this reader has."""
        return name_commands(super().format_help())

    def refuse(self, problem: "object") -> int:
        """Print a problem in one line; return FAILED."""
        words = one_line(name_commands(str(problem)))
        print("{}: {}".format(self.prog.split(" -m ")[-1], words), file=sys.stderr)
        return FAILED

    def _check_value(self, action: "Any", value: "Any") -> None:
        if action.choices is not None and value not in action.choices:
            raise argparse.ArgumentError(action, tell_unknown(value, action.choices))

    def error(self, message: str) -> None:  # type: ignore[override]
        self.exit(self.refuse(message + (" " if message.endswith("?") else "; ") + "see --help"))

    def run(self, work: "Callable[[argparse.Namespace], int | None]", arguments: "list[str] | None") -> int:
        """Parse the command line and do `work`; return its exit code, or FAILED after one line for a Refusal."""
        try:
            return work(self.parse_args(arguments)) or 0
        except Refusal as problem:
            return self.refuse(problem)


def tell_unknown(name: "object", known: "Iterable[object]", what: str = "") -> str:
    """Return the words for a name that no `what` has, with the nearest names or all."""
    names = [str(each) for each in known]
    near = find_near(str(name), names)
    told = "did you mean " + " or ".join(near) + "?" if near else "there are " + ", ".join(names)
    return "there is no {}; {}".format(" ".join([*what.split(), repr(str(name))]), told)


def find_near(name: str, known: "Iterable[str]") -> "list[str]":
    """Return the known names that a wrong one may mean: those that contain it, or the one most like it."""
    import difflib

    text, names = name.lower(), {each.lower(): each for each in known}
    around = [each for each in names if len(text) >= _LEAST_PART and text in each]
    found = around if 0 < len(around) <= _MOST_NEAR else difflib.get_close_matches(text, names, 1)
    return [names[each] for each in found]


def path(text: str) -> Path:
    """Read a path of the command line; refuse an impossible one, and the empty one, pathlib's current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the path is empty: name a file or a folder, such as game.sky")
    try:
        os.lstat(text)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as problem:
        raise argparse.ArgumentTypeError(f"{text}: {problem.strerror}") from None
    return Path(text)


def read(file: Path) -> bytes:
    """Return the bytes of a file; raise OSError, also for more than _MOST_BYTES."""
    with file.open("rb") as stream:
        content = stream.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {_MOST_BYTES >> 20} MB", str(file))
    return content


def read_or_refuse(file: Path) -> bytes:
    """Return the bytes of a file; raise Refusal."""
    try:
        return read(file)
    except OSError as problem:
        raise Refusal(f"cannot read {file}: {problem.strerror}") from problem


def decode(content: bytes) -> str:
    """Return the text of a file that a user may have edited; raise UnicodeDecodeError.

    Editors of Windows begin it with a byte order mark, and its shell redirects as UTF-16.
    """
    return content.decode("utf-16" if content[:2] in _UTF_16_MARKS else "utf-8-sig").replace("\r\n", "\n")


def read_text(file: Path) -> str:
    """Return the text of a file; raise OSError or UnicodeDecodeError."""
    return decode(read(file))


def read_text_or_refuse(file: Path) -> str:
    """Return the text of a file; raise Refusal."""
    try:
        return decode(read_or_refuse(file))
    except UnicodeDecodeError:
        raise Refusal(f"{file} is not text in UTF-8; save it as UTF-8") from None


def tell_line(file: "object", number: int, problem: "object") -> str:
    """Return `FILE, line N: what is wrong; how to fix it`; `problem` says the last two."""
    return f"{file}, line {number}: {problem}"


def read_whole(text: str) -> int:
    """Return a whole number in ASCII digits, at most 18; raise ValueError for any other text.

    Python's int() also takes digits of other scripts and underscores, and has an error of its own above 4,300 digits.
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text)


def number_within(least: int, most: "int | None" = None) -> "Callable[[str], int]":
    """Return a parser of whole numbers from `least` to `most`; None for no upper limit."""

    def number(text: str) -> int:
        try:
            value = read_whole(text)
        except ValueError:
            value = least - 1
        if value < least or most is not None and value > most:
            limit = "on" if most is None else f"to {most}"
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} {limit}")
        return value

    return number


def seconds_from(least: float) -> "Callable[[str], float]":
    def seconds(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = least - 1
        if not least <= value < 1e6:
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from {least:g} on")
        return value

    return seconds


def add_number(
    parser: "argparse._ActionsContainer",
    name: str,
    least: int,
    most: "int | None",
    default: "int | None",
    words: str,
    metavar: str = "N",
) -> None:
    """Add an option for a whole number from `least` to `most`; --help shows its default."""
    if default:
        words = f"{words} (default {default})"
    parser.add_argument(name, type=number_within(least, most), default=default, metavar=metavar, help=words)


def add_path(
    parser: "argparse._ActionsContainer", name: str, metavar: str, words: str, default: "Path | None" = None
) -> None:
    parser.add_argument(name, type=path, metavar=metavar, help=words, default=default)


def add_fill(parser: "argparse._ActionsContainer", words: str, name: str = "--fill") -> None:
    """Add an option that changes a page or a table of the sources; an installed wheel refuses it."""
    parser.add_argument(name, action=_Fill, default=False, help=words)


class _Fill(argparse.Action):
    def __init__(self, **options: "Any") -> None:
        super().__init__(nargs=0, **options)

    def __call__(self, parser: "Any", namespace: "Any", values: "Any", option_string: "str | None" = None) -> None:
        check_clone(option_string or self.dest)
        setattr(namespace, self.dest, True)


def check_clone(what: str) -> None:
    """Refuse in an installed package what changes the sources."""
    if not IS_CLONE:
        raise Refusal(f"{what} needs a clone of the repository: an installed package stays as it is")


def add_flag(parser: "argparse._ActionsContainer", name: str, words: str) -> None:
    parser.add_argument(name, action="store_true", help=words)


@contextlib.contextmanager
def writing(target: Path) -> "Iterator[None]":
    """Turn an OSError in this context into a Refusal that names `target`."""
    try:
        yield
    except OSError as problem:
        raise Refusal(f"cannot write {target}: {problem.strerror or problem}") from problem


def name_command() -> str:
    """Return the module name after `python -m`, or `skyline NAME` in an installed wheel."""
    name = getattr(sys.modules["__main__"].__spec__, "name", "") or os.path.basename(sys.argv[0])
    return name_commands("python -m " + name.replace(".__main__", "")).split(" -m ")[-1]


def tell_setup() -> str:
    """Return the command that installs the missing packages and runs this command."""
    what = name_command()
    words = [what[len("tools.") :] if what.startswith("tools.") else what] + sys.argv[1:]
    return " ".join(["python3 -m tools.setup"] + [shlex.quote(word) for word in words])


def tell_install(extra: str, is_clone: bool = IS_CLONE) -> str:
    """Return the command that installs an extra of pyproject.toml from what this reader has: a clone, or a wheel.

    Skyline is on no package index. A stranger could register its name, so no message says `pip install NAME`.
    """
    if is_clone:
        return f"pip install -e '.[{extra}]'"
    return f"pipx install --force '{_find_wheel()}[{extra}]'"


def _find_wheel() -> str:
    """Return the path of the wheel file that was installed, or words for it."""
    import urllib.parse
    import urllib.request
    from importlib import metadata

    try:
        text = metadata.distribution("skyline-game").read_text("direct_url.json") or "{}"
        found = urllib.request.url2pathname(urllib.parse.urlparse(json.loads(text).get("url", "")).path)
    except (metadata.PackageNotFoundError, ValueError, AttributeError):
        found = ""
    return found if found.endswith(".whl") else "./FILE.whl"


def tell_missing(cure: str = "") -> None:
    """Report a missing module in one line from now on; call this before importing modules that may be missing.

    cure: what installs it, by default the command for a clone.
    """

    def tell(kind: "Any", problem: "BaseException", trace: "Any") -> None:
        lacking = problem.name or "" if isinstance(problem, ModuleNotFoundError) else ""
        if lacking.partition(".")[0] in ("", "firmware", "sim", "tools"):
            sys.__excepthook__(kind, problem, trace)
            return
        what_helps = cure or f"`{tell_setup()}` makes .venv and runs it there"
        print(f"{name_command()}: {lacking} is not installed for this Python; {what_helps}", file=sys.stderr)
        raise SystemExit(FAILED)

    sys.excepthook = tell


class OutputLost(Exception):
    """Nothing more can be printed; `__cause__` says why."""


class Output:
    """Wrap a text stream: it prints no control characters, and its failure raises OutputLost.

    Commands would take an OSError for a file's failure.
    """

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write `text`; raise OutputLost."""
        try:
            return self.stream.write(plain(text))
        except OSError as problem:
            raise OutputLost from problem

    def flush(self) -> None:
        """Write the buffered text; raise OutputLost."""
        try:
            self.stream.flush()
        except OSError as problem:
            raise OutputLost from problem


def run(main: "Callable[[], int]") -> int:
    """Run a command line; return its exit code, FAILED if a file or the output fails, or INTERRUPTED.

    SIGTERM raises SystemExit with TERMINATED, so that its processes end and unfinished files are removed.
    """
    if threading.current_thread() is not threading.main_thread():
        return _run(main)
    codes = []
    old_hook: Any = getattr(sys, "unraisablehook", None)

    def stop(number: int, _frame: "Any") -> None:
        codes.append(INTERRUPTED if number == signal.SIGINT else TERMINATED)
        sys.unraisablehook = lambda _: None  # a compiler's callback would print a traceback
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(TERMINATED)

    signals = [number for number in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(number) != signal.SIG_IGN]
    before = [(number, signal.signal(number, stop)) for number in signals]
    try:
        return _run(main)
    except Exception:
        if not codes:
            raise
        return codes[0]  # an interrupted compiler may raise any exception
    finally:
        sys.unraisablehook = old_hook
        for number, handler in before:
            signal.signal(number, handler)


def _run(main: "Callable[[], int]") -> int:
    if sys.stdout is None:  # closed before we began: print() does nothing
        return main()
    if getattr(sys.stdout, "errors", "") == "strict" and hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # like stderr: file names may have letters that it lacks
    output = sys.stdout = Output(sys.stdout)
    try:
        try:
            return main()
        finally:  # --help leaves by SystemExit
            output.flush()
    except OutputLost as lost:
        # The rest of the buffer would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), output.fileno())
        if isinstance(lost.__cause__, BrokenPipeError):  # `| head` has closed the pipe
            return 0
        print("{}: cannot print: {}".format(name_command(), getattr(lost.__cause__, "strerror", "")), file=sys.stderr)
        return FAILED
    except OSError as problem:
        where = f"{problem.filename}: " if problem.filename else ""
        print(f"{name_command()}: {where}{problem.strerror or problem}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        sys.stdout = output.stream
