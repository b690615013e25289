"""Write a source for the compiler with the line numbers of the repository, so that tracebacks on a board show these.

In a compiled file each line with code costs a byte or two; empty lines and indentation cost nothing. So consecutive
simple statements share the line of the first. A match on the real firmware then has 26.2 KB free: 24.4 KB with a line
for each statement, 26.9 KB without line numbers.
"""

import ast


def lay_out(tree: ast.Module) -> str:
    """Return the source of a stripped module; consecutive simple statements share a line."""
    text = ast.unparse(tree)
    wanted = [_first_line(node) for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    written = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)]
    by_line = {_first_line(node): (node, line) for node, line in zip(written, wanted, strict=True)}
    lines: list[str] = []
    before = None  # the indentation of the previous line if a statement can be appended there
    for number, line in enumerate(text.splitlines(), 1):
        statement, wanted_line = by_line.get(number, (None, 0))
        indentation = None
        if statement and not hasattr(statement, "body"):
            indentation = line[: statement.col_offset]
            line = indentation + _write(statement)
        if indentation is not None and indentation == before:
            lines[-1] += ";" + line.strip()
        elif line:
            lines += [""] * (wanted_line - 1 - len(lines))
            lines.append(line)
        before = indentation
    return "\n".join(lines) + "\n"


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
