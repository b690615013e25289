"""Put modules that a board always loads together into one file.

A module costs heap for its path, its name and its table of names, and a part of a cluster on the drive. In one file all
parts together have a table, and each name once: a match has 2.7 KB more heap, the title 4.4 KB, the drive 24 KB. A
traceback shows line 300 * n + m for line m of part n, counted from 0 as BUNDLES lists them. The module that gives a
bundle its name comes last. On a board the bundle `app` has the name `root` (image.py).
"""

import ast
from collections.abc import Iterator, Mapping

from tools.deploy import DeployError, stripping

# The module that stays, and those that move into it: each after those that it imports.
BUNDLES = {
    "compat": "device.errand",
    "app": (
        "engine.options save.settings sound.effects sound.voice context idling router session save.varint save.recorder"
    ),
    "finishing": "save.splits save.means save.week",
    "device.panels": "device.displayio_screen",
    "device.wiring_reading": (
        "device.claims device.wiring device.settings_file device.settings device.libraries device.pin_names"
    ),
    "device.boot.pico": "device.taps",
    "device.boot.crash_parts": "device.boot.safety",
    "device.machine": "device.ticks device.handheld device.piezo device.keys device.backup_bank",
    "engine.manipulation": "engine.tables engine.matrix",
    "engine.game": (
        "engine.scoring engine.finesse engine.statistics engine.randomizer engine.initial_actions engine.mode "
        "engine.handling"
    ),
    "match.match": "match.flight match.seat",
    "match.tables": "match.fields match.combos",
    "match.options": "match.attack",
    "modes.catalogue": "modes.classes modes.rules",
    "modes.finesse": "modes.lessons.finesse_ways",
    "modes.kicks": "modes.kick_tables",
    "modes.standard": "modes.standard_pieces",
    "scenes.against.choose": "modes.always_clear",
    "scenes.link.watch": "save.recordings.link_recording",
    "scenes.match.entrance": "refusing",
    "scenes.match.watch": "save.recordings.match_timeline view.layouts.equal",
    "scenes.help.demo": "modes.lessons.demonstration",
    "scenes.learn.all_clear_play": "view.layouts.all_clear",
    "scenes.learn.all_clear_stop": "modes.all_clear",
    "scenes.learn.first_game": "modes.first_game",
    "scenes.learn.puzzle_play": "view.layouts.puzzle",
    "scenes.menus.demo": "scenes.menus.demo_game",
    "scenes.menus.over": "view.layouts.fireworks scenes.menus.over_facts",
    "scenes.mode_opening": "modes.listing",
    "scenes.play.places_cursor": "players.reachable",
    "scenes.play.start": "scenes.saving",
    "scenes.play.stop": "scenes.play.curtain",
    "scenes.play.rewind": "save.recordings.rewind_steps",
    "scenes.play.zen": "scenes.play.zen_start",
    "scenes.replay.practise_moment": "scenes.replay.practise_hints",
    "scenes.review.moments": "players.reasons",
    "scenes.review.review": "players.judge scenes.review.pieces scenes.review.match",
    "save.rules_line": "save.kept_rules",
    "scenes.rules.line_code": "view.qr",
    "scenes.rules.line_menu": "scenes.rules.line_words",
    "scenes.setup.buttons": "scenes.setup.contacts",
    "scenes.tetress.play": "view.layouts.panel view.layouts.torus",
    "tetress.computer": "tetress.mobility",
    "tetress.game": "tetress.shapes tetress.actions",
    "players.player": (
        "players.weights players.ground players.features players.rating players.ply players.opening players.beam "
        "players.planner"
    ),
    "scenes.countdown": "view.message",
    "scenes.match.end": "save.match_scores",
    "scenes.match.names": "players.levels",
    "scenes.paging": "match.figures",
    "view.art": "view.minos view.blocks",
    "view.canvas": "device.nvm",
    "view.playfield": "view.cells view.matrix",
    "view.layouts.large": "view.large_cells",
    "view.layouts.match": "view.rising view.word view.small view.layouts.rivals",
    "scenes.match.round": "save.match_suspended",
    "save.half_match": "save.journal_walk",
    "scenes.pause": "scenes.menu",
    "link.ring": "link.events link.wire",
    "link.session": "link.reachability link.far_flight link.players link.linked link.clock link.members link.stalls",
}
LINES = 300  # a module has fewer

_OURS = "firmware."
_LEAST_WORDS = 3  # of a list

Trees = dict[str, ast.Module]
"""Syntax trees by path on the drive."""


def list_parts() -> dict[str, str]:
    """Return the dotted name of each module that moves, with that of the module it moves into."""
    return {_OURS + part: _OURS + head for head, parts in BUNDLES.items() for part in parts.split()}


def find_path(module: str) -> str:
    return module.replace(".", "/") + ".py"


def merge(trees: Mapping[str, ast.Module]) -> Trees:
    """Return the trees with each bundle as one module; change the trees in place. Raise DeployError."""
    heads = {part: head for part, head in list_parts().items() if find_path(part) in trees}
    _shorten_texts(trees, heads)
    for path, tree in trees.items():
        _redirect(path, tree, heads)
    merged = {path: tree for path, tree in trees.items() if path not in set(map(find_path, heads))}
    keywords = {node.arg for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    for head in dict.fromkeys(heads.values()):
        parts = [part for part in heads if heads[part] == head]
        merged[find_path(head)] = _join(head, {part: trees[find_path(part)] for part in [*parts, head]}, keywords)
    return merged


def _shorten_texts(trees: Mapping[str, ast.Module], heads: Mapping[str, str]) -> None:
    """Take moved modules out of texts that list several; raise DeployError if another text names one."""
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id == "__file__" and path in map(find_path, heads):
                raise DeployError(f"{path} asks for its own path, but is a part of a bundle")
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            words = node.value.split()
            moved = [word for word in words if word in heads or _OURS + word in heads]
            if not moved:
                continue
            if len(words) < _LEAST_WORDS:
                raise DeployError(f"{path} names {moved[0]}, a part of a bundle: load the bundle instead")
            end = " " * node.value.endswith(" ")
            node.value = " ".join(word for word in words if word not in moved) + end


def _redirect(path: str, tree: ast.Module, heads: Mapping[str, str]) -> None:
    """Import what moved from where it is now, in place; also what is used as an attribute of a moved module.

    Raise DeployError for a moved module that is imported or used in another way.
    """
    aliases: dict[str, str] = {}
    moves = False
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            moves |= str(node.module) in heads
            for alias in node.names:
                if f"{node.module}.{alias.name}" in heads:
                    aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Import) and (moved := heads.keys() & {alias.name for alias in node.names}):
            raise DeployError(f"{path} imports {min(moved)}, a part of a bundle: write `from PACKAGE import MODULE`")
    if not moves and not aliases:
        return
    used: dict[str, set[str]] = {}
    if aliases:
        _Attributes(aliases, used).visit(tree)
    for parent in ast.walk(tree):
        if isinstance(parent, ast.Name) and parent.id in aliases:
            raise DeployError(f"{path} uses {aliases[parent.id]}, a part of a bundle, as a value: use what is in it")
        for field in stripping.BODIES:
            body = getattr(parent, field, None)
            if isinstance(body, list) and any(isinstance(each, ast.ImportFrom) for each in body):
                statements = [new for each in body for new in _redirect_import(each, heads, used)]
                setattr(parent, field, statements or [ast.Pass()])


class _Attributes(ast.NodeTransformer):
    """Make an attribute of a moved module a name, and note it by that module."""

    def __init__(self, aliases: Mapping[str, str], used: dict[str, set[str]]) -> None:
        self.aliases = aliases
        self.used = used

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace `module.name`."""
        self.generic_visit(node)
        module = self.aliases.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if not module:
            return node
        self.used.setdefault(module, set()).add(node.attr)
        return ast.copy_location(ast.Name(_name_anew(module, node.attr), node.ctx), node)


def _name_anew(module: str, name: str) -> str:
    """Return the name of what a moved module binds, one that no other part has."""
    return f"{module.rpartition('.')[2]}__{name}"


def _redirect_import(node: ast.AST, heads: Mapping[str, str], used: Mapping[str, set[str]]) -> list[ast.AST]:
    """Return what replaces a statement: itself, or imports of the same from their bundles."""
    if not isinstance(node, ast.ImportFrom):
        return [node]
    wanted: dict[str, list[ast.alias]] = {}
    package = str(node.module)
    for alias in node.names:
        module = f"{package}.{alias.name}"
        if module in heads:
            names = [ast.alias(_name_anew(module, name)) for name in sorted(used.get(module, ()))]
            wanted.setdefault(heads[module], []).extend(names)
        elif package in heads:
            new = ast.alias(_name_anew(package, alias.name), alias.asname or alias.name)
            wanted.setdefault(heads[package], []).append(new)
        else:
            wanted.setdefault(package, []).append(alias)
    return [ast.copy_location(ast.ImportFrom(where, names, 0), node) for where, names in wanted.items() if names]


def _join(head: str, parts: Mapping[str, ast.Module], keywords: set[str | None]) -> ast.Module:
    """Return one module with all statements, in their order; each part's lines begin at a multiple of LINES."""
    body: list[ast.stmt] = []
    origins: dict[str, str] = {}  # of the names that imports bind, and what they stand for
    for number, (module, tree) in enumerate(parts.items()):
        own = {name for statement in tree.body for name in _find_bound(statement)}
        names = {name: name if module == head else _name_anew(module, name) for name in own}
        origins |= dict.fromkeys(names.values(), "")
        tree.body = [kept for each in tree.body if (kept := _take_import(each, head, module, origins, names))]
        _rename(tree, {name: new for name, new in names.items() if name != new}, keywords)
        for node in ast.walk(tree):
            if hasattr(node, "lineno"):
                node.lineno += LINES * number
        body += tree.body
    return ast.Module(body, [])


def _take_import(
    statement: ast.stmt, head: str, module: str, origins: dict[str, str], names: dict[str, str]
) -> ast.stmt | None:
    """Return a statement of a part, None for an import of what is in the bundle already; note its names."""
    if not isinstance(statement, (ast.Import, ast.ImportFrom)):
        return statement
    kept = []
    for alias in statement.names:
        bound = alias.asname or alias.name
        place = getattr(statement, "module", "")
        if place == head:
            names[bound] = alias.name
            continue
        new, origin = bound, f"{place} {alias.name}"
        if origins.get(new, origin) != origin:
            new = _name_anew(module, bound)
        names[bound] = new
        if new not in origins:
            origins[new] = origin
            kept.append(ast.alias(alias.name, None if new == alias.name else new))
    statement.names = kept
    return statement if kept else None


def _find_bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a module's statement binds; of imports none."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        for child in ast.iter_child_nodes(node):
            yield from _find_bound(child)


def _rename(tree: ast.Module, names: Mapping[str, str], keywords: set[str | None]) -> None:
    """Rename in a whole part, local variables too; raise DeployError for a name that is an attribute or an argument."""
    members = {part for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for part in node.body}
    for part in members:
        if not isinstance(part, (ast.FunctionDef, ast.ClassDef)) and names.keys() & {*_find_bound(part)}:
            raise DeployError(f"a class attribute has the name of something in its module: {ast.unparse(part)}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg) and node.arg in names:
            if node.arg in keywords:
                raise DeployError(f"an argument has the name of something in its module: {node.arg}")
            node.arg = names[node.arg]
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler)) and node not in members:
            node.name = names.get(node.name or "", node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            node.names = [names.get(name, name) for name in node.names]
        elif isinstance(node, ast.alias) and node not in _find_outer(tree):
            bound = node.asname or node.name
            node.asname = names.get(bound, node.asname)


def _find_outer(tree: ast.Module) -> list[ast.alias]:
    return [alias for each in tree.body if isinstance(each, (ast.Import, ast.ImportFrom)) for alias in each.names]
