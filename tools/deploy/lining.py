"""Write a source for the compiler with the line numbers of the repository, so that tracebacks on a board show these.

In a compiled file each line with code costs a byte or two; empty lines and indentation cost nothing. So consecutive
simple statements share the line of the first, and that of the `if` or `def` above if they are all that it has. All
files together have 21 KB of line numbers with a line for each run of statements, and 18.5 KB so.
"""

import ast
from dataclasses import dataclass


@dataclass
class _Line:
    """A line of the source for the compiler.

    number: where it should be; 0 for an `else`, which no tree has.  is_simple: whether it has no body.
    never_fails: whether no traceback shows it.
    """

    number: int
    indentation: str
    words: str
    is_simple: bool
    never_fails: bool


def lay_out(tree: ast.Module) -> str:
    """Return the source of a stripped module."""
    text = ast.unparse(tree)
    wanted = [_first_line(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    written = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    by_line = {_first_line(node): (node, number) for node, number in zip(written, wanted, strict=True)}
    lines: list[_Line] = []
    for at, line in enumerate(text.splitlines(), 1):
        words = line.lstrip()
        statement, number = by_line.get(at, (None, 0))
        is_simple = statement is not None and not hasattr(statement, "body")
        never_fails = statement is None or isinstance(statement, (ast.FunctionDef, ast.Try))
        new = _Line(number, line[: len(line) - len(words)], words, is_simple, never_fails)
        if statement and is_simple:
            new.words = _write(statement)
        if is_simple and lines and lines[-1].is_simple and lines[-1].indentation == new.indentation:
            lines[-1].words += ";" + new.words
        elif words:
            lines.append(new)
    _join_bodies(lines)
    laid: list[str] = []
    for each in lines:
        laid += [""] * (each.number - 1 - len(laid))
        laid.append(each.indentation + each.words)
    return "\n".join(laid) + "\n"


def _join_bodies(lines: list[_Line]) -> None:
    """Write a body that is all simple statements beside its head, in place."""
    for at in range(len(lines) - 2, -1, -1):
        head, body = lines[at : at + 2]
        ends = at + 2 == len(lines) or len(lines[at + 2].indentation) <= len(head.indentation)
        if not head.is_simple and body.is_simple and len(body.indentation) > len(head.indentation) and ends:
            head.words += " " + body.words
            if head.never_fails:
                head.number = body.number or head.number
            del lines[at + 1]


def _write(statement: ast.stmt) -> str:
    """Return a simple statement; `(a, b) = (1, 2)` loses its brackets: MicroPython compiles them to more code.

    Python 3.10 writes both, later ones those of the value.
    """
    if isinstance(statement, ast.Assign):
        return " = ".join(map(_write_side, [*statement.targets, statement.value]))
    return ast.unparse(statement)


def _write_side(side: ast.expr) -> str:
    if isinstance(side, ast.Tuple) and len(side.elts) > 1:
        return ", ".join(map(ast.unparse, side.elts))
    return ast.unparse(side)


def _first_line(statement: ast.stmt) -> int:
    """Return the first line of a statement and its decorators; 0 if it was not in the source."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([getattr(statement, "lineno", 0), *(each.lineno for each in decorators)])
