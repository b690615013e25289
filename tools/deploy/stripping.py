"""Remove annotations, docstrings and `pass`, which do nothing on a board."""

import ast
from typing import Any

BODIES = ("body", "orelse", "finalbody")


def strip(tree: ast.Module) -> ast.Module:
    """Return a module without annotations, docstrings and statements that do nothing."""
    tree = _AnnotationRemover().visit(tree)
    for node in ast.walk(tree):
        for field in BODIES:
            body = getattr(node, field, None)
            if isinstance(body, list) and body:
                kept = [part for part in body if not _is_idle(part)]
                setattr(node, field, kept or ([] if field == "orelse" else [ast.Pass()]))
    return tree


class _AnnotationRemover(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> Any:
        """Visit statements and arguments only: expressions have no annotations."""
        return node if isinstance(node, ast.expr) else super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Make `x: T = v` an assignment. Without a value keep `x: 0`, because perhaps only setattr() sets x."""
        if node.value:
            return ast.copy_location(ast.Assign([node.target], node.value), node)
        node.annotation = ast.Constant(0)
        return node


def _is_idle(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
