"""Refuse modules, methods, builtins and syntax in firmware that the board's CircuitPython does not have.

board_rp2040.txt lists its modules and methods; this module lists the syntax that its compiler cannot read.
"""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

BOARD_FILE = Path(__file__).with_name("board_rp2040.txt")

# Libraries that are copied to a board's lib/ folder beside firmware/.
LIBRARIES = {"adafruit_displayio_ssd1306": {"SSD1306"}, "adafruit_displayio_sh1106": {"SH1106"}}
OURS = "firmware"
# May be imported in `try: ... except ImportError`, because the firmware works without them.
OPTIONAL = {"typing"}
PC_TYPES = (str, bytes, bytearray, memoryview, int, float, list, tuple, dict, set, frozenset)
MISSING_KEYWORDS = {"print": {"flush"}, "zip": {"strict"}, "open": {"errors", "newline"}}
# Attributes of objects of the board's own modules that a PC's built-in types have, too: of storage.VfsFat.
OF_OBJECTS = {"readonly"}
DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: "list",
    ast.ListComp: "list",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.Tuple: "tuple",
    ast.JoinedStr: "str",
}
# The types that methods of built-in types return, for methods of the board.
RETURNS = {
    "str": {
        "encode": "bytes",
        **dict.fromkeys(("split", "rsplit", "splitlines"), "list"),
        **dict.fromkeys(("partition", "rpartition"), "tuple"),
        **dict.fromkeys(("find", "rfind", "index", "rindex", "count"), "int"),
        **dict.fromkeys(["center", "format", "join", "lower", "lstrip", "replace", "rstrip", "strip", "upper"], "str"),
    },
    "bytes": {
        "decode": "str",
        **dict.fromkeys(("split", "rsplit", "splitlines"), "list"),
        **dict.fromkeys(("find", "rfind", "index", "rindex", "count"), "int"),
        **dict.fromkeys(["center", "join", "lower", "lstrip", "replace", "rstrip", "strip", "upper"], "bytes"),
    },
    "bytearray": {"decode": "str", **dict.fromkeys(("find", "rfind", "index", "count"), "int")},
    "int": {"to_bytes": "bytes", "bit_length": "int"},
    "list": {"copy": "list", "index": "int", "count": "int"},
    "dict": {"copy": "dict"},
    "set": {"copy": "set", "union": "set", "difference": "set", "intersection": "set"},
}
SLICED = {"str", "bytes", "bytearray", "memoryview", "list", "tuple"}
MODULE_NAMES = {"__name__", "__file__", "__path__"}


class Running(ast.NodeTransformer):
    """Leave out the code under `if TYPE_CHECKING:`, which no interpreter runs."""

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        return node.orelse if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node


class Board:
    """Know the modules, attributes and methods of one CircuitPython build."""

    def __init__(self, text: str):
        self.modules: dict[str, set[str]] = {}
        self.types: dict[str, set[str]] = {}
        self.absent: set[str] = set()
        for line in text.splitlines():
            if not line or line.startswith("#"):
                continue
            head, _, names = line.partition(":")
            kind, _, name = head.partition(" ")
            if kind == "module":
                self.modules[name] = set(names.split())
            elif kind == "type":
                self.types[name] = set(names.split())
            elif kind == "absent":
                self.absent = set(names.split())
            else:
                raise ValueError(f"{BOARD_FILE.name}: what is {head!r}?")
        self.methods = set().union(*self.types.values())
        of_pc = {name for pc_type in PC_TYPES for name in dir(pc_type) if not name.startswith("_")}
        self.pc_only_methods = of_pc - self.methods - OF_OBJECTS


def rp2040() -> Board:
    return Board(BOARD_FILE.read_text(encoding="utf-8"))


def names_defined(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the methods, fields and functions that these nodes define."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.ClassDef):
            targets = [target for line in node.body if isinstance(line, ast.Assign) for target in line.targets]
            found.update(target.id for target in targets if isinstance(target, ast.Name))
    return found


def lint_all(board: Board, sources: Mapping[str, str]) -> dict[str, list[tuple[int, str]]]:
    """Lint files that may use each other's names; return the findings of each file that has any."""
    trees = {name: ast.parse(text, name) for name, text in sources.items()}
    own_names = names_defined(node for tree in trees.values() for node in ast.walk(tree))
    found = {name: Lint(board, tree, own_names).found for name, tree in trees.items()}
    return {name: wrong for name, wrong in found.items() if wrong}


class Lint:
    """Collect code of one module that fails on the board; `found` is a list of (line, words)."""

    def __init__(self, board: Board, source: str | ast.Module, own_names: Iterable[str] = ()):
        self.board = board
        self.found: list[tuple[int, str]] = []
        self.tree = Running().visit(ast.parse(source) if isinstance(source, str) else source)
        # Walked once, because walking a tree takes longer than all checks.
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes = [self.tree]
        for node in self.nodes:
            children = list(ast.iter_child_nodes(node))
            self.parents.update(dict.fromkeys(children, node))
            self.nodes += children
        self.own_names = set(own_names) | names_defined(self.nodes)
        self.modules: dict[str, str] = {}
        defined = [node.name for node in self.nodes if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
        imports = [node for node in self.nodes if isinstance(node, ast.ImportFrom)]
        self.bound = {*defined, *(alias.asname or alias.name for node in imports for alias in node.names)}
        self.types = self._infer_types()
        for node in self.nodes:
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                self._imports(node)
        for node in self.nodes:
            self._syntax(node)
            if isinstance(node, ast.Attribute):
                self._attributes(node)
            elif isinstance(node, ast.Call):
                self._calls(node)
        self._names()
        self.found.sort()

    def refuse(self, node: ast.AST, words: str) -> None:
        self.found.append((getattr(node, "lineno", 0), words))

    # Imports

    def _imports(self, node: ast.Import | ast.ImportFrom) -> None:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if self._has_module(node, alias.name):
                    first = alias.name.split(".")[0]
                    self.modules[alias.asname or first] = alias.name if alias.asname else first
            return
        module = node.module or ""
        if module == "__future__":
            self.refuse(node, "no `from __future__` on the board")
            return
        if not self._has_module(node, module) or module.split(".")[0] in {OURS} | OPTIONAL:
            return
        names = self.board.modules.get(module, LIBRARIES.get(module, set()))
        for alias in node.names:
            if alias.name == "*":
                self.refuse(node, f"import names from {module} one by one")
            elif f"{module}.{alias.name}" in self.board.modules:
                self.modules[alias.asname or alias.name] = f"{module}.{alias.name}"
            elif alias.name not in names:
                self.refuse(node, f"the board's {module} has no {alias.name}")

    def _has_module(self, node: ast.AST, module: str) -> bool:
        if module.split(".")[0] == OURS or module in self.board.modules or module in LIBRARIES:
            return True
        if not (module in OPTIONAL and self._is_guarded(node)):
            self.refuse(node, f"the board has no module {module or '(relative)'}")
        return False

    def _is_guarded(self, node: ast.AST) -> bool:
        parent = self.parents.get(node)
        return isinstance(parent, ast.Try) and any(
            isinstance(handler.type, ast.Name) and handler.type.id == "ImportError" for handler in parent.handlers
        )

    # Attributes of modules and built-in types

    def _infer_types(self) -> dict[str, str]:
        """Return the built-in type of each name and field whose values all have one type."""
        seen: dict[str, set[str]] = {}
        for node in self.nodes:
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    seen.setdefault(_written(target), set()).add(self._type_of(node.value))
            elif isinstance(node, ast.AnnAssign):
                seen.setdefault(_written(node.target), set()).add(self._annotated(node.annotation))
            elif isinstance(node, ast.arg):
                seen.setdefault(node.arg, set()).add(self._annotated(node.annotation))
            elif isinstance(node, (ast.For, ast.comprehension, ast.NamedExpr, ast.AugAssign)):
                seen.setdefault(_written(node.target), set()).add("")
        return {name: types.pop() for name, types in seen.items() if len(types) == 1 and types != {""}}

    def _annotated(self, annotation: ast.expr | None) -> str:
        name = annotation.id if isinstance(annotation, ast.Name) else ""
        return name if name in self.board.types else ""

    def _type_of(self, value: ast.expr) -> str:
        """Return the built-in type of an expression, '' if unknown."""
        if type(value) in DISPLAYS:
            return DISPLAYS[type(value)]
        if isinstance(value, ast.Constant):
            name = type(value.value).__name__
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            name = "" if value.func.id in self.bound else value.func.id  # a new name may hide a builtin
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            name = RETURNS.get(self._type_of(value.func.value), {}).get(value.func.attr, "")
        elif isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice):
            owner = self._type_of(value.value)
            name = owner if owner in SLICED else ""
        elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
            left, right = self._type_of(value.left), self._type_of(value.right)
            name = left if left == right else ""
        else:
            name = self.types.get(_written(value), "") if hasattr(self, "types") else ""
        return name if name in self.board.types else ""

    def _attributes(self, node: ast.Attribute) -> None:
        owner = _written(node.value)
        module = self.modules.get(owner.split(".")[0])
        if module is not None:
            module = ".".join([module, *owner.split(".")[1:]])
            if module in self.board.modules:
                if node.attr not in self.board.modules[module] and f"{module}.{node.attr}" not in self.board.modules:
                    self.refuse(node, f"the board's {module} has no {node.attr}")
                return
            if module in LIBRARIES:
                if node.attr not in LIBRARIES[module]:
                    self.refuse(node, f"the library {module} has no {node.attr}")
                return
        kind = self._type_of(node.value)
        if kind:
            if node.attr not in self.board.types[kind]:
                self.refuse(node, f"the board's {kind} has no {node.attr}")
        elif node.attr in self.board.pc_only_methods and node.attr not in self.own_names:
            self.refuse(node, f"no built-in type of the board has {node.attr}")

    def _calls(self, node: ast.Call) -> None:
        if not isinstance(node.func, ast.Name):
            return
        name = node.func.id
        if name == "next" and len(node.args) > 1:
            self.refuse(node, "next() takes no default on the board")
        for keyword in node.keywords:
            if keyword.arg in MISSING_KEYWORDS.get(name, ()):
                self.refuse(node, f"{name}() takes no {keyword.arg}= on the board")

    # Names that must be defined

    def _names(self) -> None:
        bound = set(MODULE_NAMES)
        for node in self.nodes:
            bound.update(_bound_by(node))
        known = bound | self.board.modules["builtins"]
        annotations = set(self._inside_annotations())
        for node in self.nodes:
            is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in annotations
            if isinstance(node, ast.Name) and is_read and node.id not in known:
                where = "on the board" if hasattr(builtins, node.id) else "anywhere"
                self.refuse(node, f"there is no {node.id} {where}")

    def _inside_annotations(self) -> Iterator[ast.AST]:
        """Yield the nodes of annotations, which are parsed but never evaluated."""
        for node in self.nodes:
            for field in ("annotation", "returns"):
                annotation = getattr(node, field, None)
                if isinstance(annotation, ast.AST):
                    yield from ast.walk(annotation)

    # Syntax that the compiler cannot read

    # One list: a case for each syntax that the board lacks.
    def _syntax(self, node: ast.AST) -> None:
        if type(node) in UNREADABLE:
            self.refuse(node, f"no {UNREADABLE[type(node)]} on the board")
        match node:
            case ast.arguments(posonlyargs=[first, *_]):
                self.refuse(first, "no positional-only `/` on the board")
            case ast.Slice(step=ast.expr()):
                self.refuse(node, "no step in slices on the board")
            case ast.List(items, ast.Load()) | ast.Tuple(items, ast.Load()) | ast.Set(items):
                if any(isinstance(item, ast.Starred) for item in items):
                    self.refuse(node, "no starred item in a display on the board")
            case ast.Dict(keys) if None in keys:
                self.refuse(node, "no `**` in a display on the board")
            case ast.FormattedValue(format_spec=ast.expr() as wanted):
                if any(isinstance(part, ast.FormattedValue) for part in ast.walk(wanted)):
                    self.refuse(node, "no replacement inside a format specification on the board")
            case ast.Delete(targets):
                for target in targets:
                    if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                        self.refuse(node, "no `del x[a:b]` on the board")
            case ast.AnnAssign(value=ast.Call(func=ast.Name("const"))):
                self.refuse(node, "an annotated const() is not folded on the board")
            case ast.ClassDef(keywords=[_, *_]):
                self.refuse(node, "no keywords in a class statement on the board")
            case ast.Constant(complex()):
                self.refuse(node, "no complex literals: integers only")
        if getattr(node, "type_params", None):
            self.refuse(node, "no type parameters on the board")
        if isinstance(node, ast.Name) and not node.id.isascii():
            self.refuse(node, f"the board reads no name like {node.id}")


# Looked up by name: an older Python lacks some of these nodes, and their syntax.
UNREADABLE = {
    getattr(ast, name): words
    for name, words in {
        "Match": "match",
        **dict.fromkeys(("AsyncFunctionDef", "AsyncFor", "AsyncWith", "Await"), "async (there is no asyncio)"),
        "TryStar": "except*",
        "TypeAlias": "type statement",
        "TemplateStr": "template string",
        "MatMult": "matrix multiplication",
    }.items()
    if hasattr(ast, name)
}


def _written(node: ast.AST) -> str:
    """Return the source of `node`, as `ast.unparse` does, but faster for names and their attributes."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and not isinstance(node.value, ast.Constant):
        return f"{_written(node.value)}.{node.attr}"
    return ast.unparse(node)


def _bound_by(node: ast.AST) -> list[str]:
    """Return the names that `node` binds, in any scope."""
    match node:
        case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name) | ast.ExceptHandler(name=str(name)):
            return [name]
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return [name]
        case ast.Import(names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name.split(".")[0] for alias in names]
    return []
