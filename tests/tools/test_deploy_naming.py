"""Deploy renames names of the firmware to names in a board's ROM: it chooses them well, and the game stays the same."""

import ast
import builtins
import re
import shutil
import struct
from collections.abc import Iterable
from pathlib import Path

import pytest

from firmware import option_table
from firmware.match import fields
from firmware.save import life, settings_fields
from tests.support import needs
from tests.support.board_lint import BOARD_FILE, lint_all, rp2040
from tests.support.needs import needs_wasm
from tests.support.running import ROOT
from tools import interpreters
from tools.board import firmware_image
from tools.deploy import DeployError, arguments, compiling, image, minifying, mpy, naming, rom, sharing, stripping
from tools.files import write_files

BOARD = rp2040()
CASES = sorted((ROOT / "tests" / "portable").glob("case_*.py"))
SLOW = ("case_damage", "case_tetress", "case_vectors")
READABLE = b"M\x06"  # the head of files that MicroPython reads
FILES = ("recordings", "matches", "vectors")  # folders of tests/ that cases read
FIELDS = [row[0] for row in (*option_table.GAME_FIELDS, *fields.FIELDS, *settings_fields.FIELDS)] + list(life.FIELDS)
Names = dict[str, str]
Trees = dict[str, ast.Module]


@pytest.fixture(scope="module")
def trees() -> Trees:
    return image.read_trees(image.read_sources())


@pytest.fixture(scope="module")
def names(trees: Trees) -> Names:
    return naming.choose(trees)


@pytest.fixture(scope="module")
def with_cases() -> dict[str, str]:
    """Return the firmware and the cases, renamed together: modules share names, and a case uses several modules.

    Computers play alone on a PC only.
    """
    cases = {f"{case.stem}.py": case.read_text(encoding="utf-8").replace("compat.py", "compat.mpy") for case in CASES}
    alone = {name: (ROOT / name).read_text(encoding="utf-8") for name in image.ON_PC if name.endswith("alone.py")}
    return image.prepare(image.read_sources() | alone | cases, minifying.Cache(minifying.cache_path("renamed-cases")))


@pytest.fixture(scope="module")
def drive(with_cases: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a drive that 32-bit MicroPython can read, with the files of the cases beside it."""
    drive = tmp_path_factory.mktemp("drive")
    modules = {name: text for name, text in with_cases.items() if name.startswith("firmware/")}
    write_files(drive, compiling.compile_all(modules, READABLE) | image.read_data())
    for folder in FILES:
        shutil.copytree(ROOT / "tests" / folder, drive / "tests" / folder)
    return drive


def parse(**modules: str) -> Trees:
    """Return modules prepared for naming.choose()."""
    trees = {name: stripping.strip(ast.parse(text)) for name, text in modules.items()}
    return {f"firmware/{name.replace('_', '/', 1)}.py": tree for name, tree in trees.items()}


def chosen(**modules: str) -> set[str]:
    return set(naming.choose(parse(**modules)))


def split_paths(trees: Iterable[str]) -> set[str]:
    return {part for path in trees for part in path.removesuffix(".py").split("/")}


class TestChoice:
    def test_names_known_outside_the_firmware_stay(self, names: Names, trees: Trees) -> None:
        modules = naming._find_modules([*trees], {path: [*ast.walk(tree)] for path, tree in trees.items()})
        assert {"screen", "notice"} < modules, "imported from their packages"
        board = {name for names in BOARD.modules.values() for name in names} | set(BOARD.modules) | BOARD.methods
        assert not names.keys() & (modules | board | rom.load() | set(dir(builtins)))
        assert not [name for name in names if name.startswith("__")]

    @pytest.mark.parametrize("library", [library for library, _driver in image.LIBRARIES.values()])
    def test_names_of_a_display_library_stay(self, library: str, names: Names) -> None:
        tree = ast.parse(image.read_library(library))
        public = {node.name for node in ast.walk(tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
        assert not names.keys() & public

    def test_each_name_becomes_a_name_of_the_rom(self, names: Names) -> None:
        assert set(names.values()) <= rom.load()
        assert not [name for name in names.values() if name.startswith("__")]

    def test_the_modules_of_a_match_store_only_names_of_the_rom(self, names: Names, trees: Trees) -> None:
        for path in ("firmware/match/match.py", "firmware/engine/game.py", "firmware/scenes/match/play.py"):
            lacking = {name for name in naming._find_stored([*ast.walk(trees[path])]) if name not in names} - rom.load()
            assert not lacking - split_paths(trees) - {""}, path

    def test_no_module_has_two_names_with_one_new_name(self, names: Names, trees: Trees) -> None:
        for path, tree in trees.items():
            found = set(naming._find_all([*ast.walk(tree)]))
            given = [names.get(name, name) for name in found]
            assert len(given) == len(set(given)), path

    def test_classes_share_no_attribute_with_those_from_which_they_inherit(self) -> None:
        """Here `first` and `second` are the only attributes, so each could have the name of the other."""
        base = "class Base:\n    def __init__(self): self.first_part = 1\n"
        heir = "from firmware.view.base import Base\nclass Heir(Base):\n    def __init__(self): self.second_part = 1\n"
        other = "class Other:\n    def __init__(self): self.third_part = 1\n"
        trees = parse(view_base=base, view_heir=heir, view_other=other)
        nodes = {path: [*ast.walk(tree)] for path, tree in trees.items()}
        shared = sharing.share(nodes, ["first_part", "second_part", "third_part"], ["abs", "len"])
        assert shared["first_part"] == shared["third_part"] == "abs" and shared["second_part"] == "len"

    def test_an_attribute_set_from_outside_shares_no_name(self) -> None:
        trees = parse(view_a="class A:\n    def f(self): self.inside_1 = 1\n", view_b="x.outside_1 = 1\n")
        nodes = {path: [*ast.walk(tree)] for path, tree in trees.items()}
        assert sharing.share(nodes, ["inside_1", "outside_1"], ["abs"]) == {"inside_1": "abs"}

    def test_a_name_is_not_that_of_a_builtin_which_its_module_uses(self) -> None:
        nodes = {path: [*ast.walk(tree)] for path, tree in parse(view_a="part_1 = abs(2)\npart_2 = 3\n").items()}
        assert sharing.share(nodes, ["part_1", "part_2"], ["abs", "len"]) == {"part_1": "len"}

    def test_arguments_that_no_call_names_get_names_of_two_bytes(self, trees: Trees) -> None:
        text = "def f(row, column, deep=0):\n    return lambda row: row + column\nf(1, 2, deep=3)\n"
        (tree,) = parse(a=text).values()
        arguments.shorten({"a": tree})
        outer, inner = (node.args.args for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.Lambda)))
        given = {each.arg for each in (*outer, *inner)}
        assert given - {"deep"} < arguments.find_fixed() and "deep" in given and len(given) == 4
        assert ast.unparse(tree) == (
            f"def f({outer[0].arg}, {outer[1].arg}, deep=0):\n"
            f"    return lambda {inner[0].arg}: {inner[0].arg} + {outer[1].arg}\nf(1, 2, deep=3)"
        )

    @pytest.mark.slow
    def test_choice_is_the_same_from_run_to_run(self) -> None:
        """Each process orders sets differently; a sixth of the modules shows that as well as all."""
        script = "import ast\nfrom tools.deploy import image, naming\n"
        script += "modules = sorted(image.read_sources().items())[::6]\n"
        script += "print(naming.choose({path: ast.parse(text) for path, text in modules}))"
        first, second = (interpreters.run(interpreters.CPYTHON, script).last_line for _ in range(2))
        assert first == second and len(first) > 10_000

    def test_only_names_bound_by_the_firmware_are_renamed(self) -> None:
        assert chosen(a="def ours(ours_too):\n    ours_too.theirs(theirs_too=1)\n") == {"ours", "ours_too"}
        assert chosen(a="class Ours:\n    bare_field: int\n") == {"Ours", "bare_field"}
        assert chosen(a="from machinery import theirs\ntheirs = 2\n") == set()
        assert chosen(a="from firmware.b import ours as ours_too\n", firmware_b="ours = 1\n") == {"ours", "ours_too"}
        assert chosen(a="import machinery\nclass Part: pass\nmachinery.Part(Part)\n") == set()
        assert chosen(a="import machinery\ndef speed(): pass\nmachinery.run(speed=1)\n") == set()
        assert chosen(a="def ours():\n    number_of_rows = 1\n    return number_of_rows\n") == {"ours"}, "no local"

    @pytest.mark.parametrize(
        "text",
        [
            "FIELDS = (('das_ms', 1),)",
            "RANGES = {'das_ms': 1}",
            "def note(name): pass\nself.note('das_ms')",
            "def note_change(name): pass\nnote_change('das_ms')\nx.note_change('das_ms')",
            "hasattr(x, 'das_ms')",
            "raise ValueError('das_ms')",
            "'recording is damaged: das_ms'",
        ],
    )
    def test_a_string_that_names_a_field_is_renamed(self, text: str) -> None:
        made = parse(save_a=f"x.das_ms = 1\n{text}\n")
        names = naming.choose(made)
        assert "das_ms" in names
        renamed = ast.unparse(naming.rename(next(iter(made.values())), names))
        assert ("das_ms" in renamed) == ("damaged" in renamed)

    @pytest.mark.parametrize(
        "text",
        [
            "array('das_ms', row)",
            "first == 'das_ms'",
            "parts['das_ms']",
            "'das_ms of_it'.split()",
            "print('das_ms')",
            "struct.pack('das_ms', 1)",
        ],
    )
    def test_a_string_that_may_mean_something_else_stays(self, text: str) -> None:
        assert "das_ms" not in chosen(save_a=f"x.das_ms = 1\n{text}\n")

    def test_strings_in_device_modules_stay(self) -> None:
        table = "x.das_ms = 1\nFIELDS = (('das_ms', 1),)\n"
        assert "das_ms" in chosen(save_a=table) and "das_ms" not in chosen(device_a=table)

    def test_names_used_in_hasattr_become_no_method_of_built_in_types(self, names: Names, trees: Trees) -> None:
        """`hasattr(subject, "seats")` must not be true of bytes."""
        asked = {name for tree in trees.values() for name in naming._find_asked([*ast.walk(tree)])} & names.keys()
        assert asked >= {"steps", "is_playing"} and not {names[name] for name in asked} & naming._METHODS


class TestRom:
    def test_the_boards_names_are_in_the_rom_file(self) -> None:
        board = {name for names in BOARD.modules.values() for name in names}
        assert board - rom.load() == naming._LATER, f"{BOARD_FILE.name} is of a later CircuitPython"

    @pytest.mark.board
    def test_the_rom_file_has_the_names_that_all_uf2s_have(self) -> None:
        found = firmware_image.find_all()
        if not found.keys() >= firmware_image.SHA256.keys():
            needs.skip("uf2")
        names = [rom.read(found[version].read_bytes()) for version in firmware_image.SHA256]
        assert rom.load() == set.intersection(*names)

    def test_the_pool_of_names_is_found_in_a_uf2(self) -> None:
        assert rom.read(make_uf2(150)) == {f"name{number}" for number in range(150)}

    def test_only_names_that_all_given_uf2s_have_are_written(self, tmp_path: Path, monkeypatch) -> None:
        paths = [tmp_path / "a.uf2", tmp_path / "b.uf2"]
        for path, count in zip(paths, (150, 120), strict=True):
            path.write_bytes(make_uf2(count))
        monkeypatch.setattr(rom, "NAMES", tmp_path / "names.txt")
        monkeypatch.setattr("sys.argv", ["rom", *map(str, paths)])
        assert rom.main() == 0
        assert rom.load() == {f"name{number}" for number in range(120)}

    def test_a_uf2_without_names_is_refused(self) -> None:
        with pytest.raises(DeployError, match="no names"):
            rom.read(make_uf2(3))


def make_uf2(count: int) -> bytes:
    texts = [f"name{number}".encode() for number in range(count)]
    flash = bytearray(8 + 24 + 4 * count)
    at = []
    for text in texts:
        at.append(rom.BASE + len(flash))
        flash += text + b"\0"
    lengths = rom.BASE + len(flash)
    words = [0, 0, rom._ALLOCATED, count, 0, lengths, *at]
    flash[8 : 8 + 4 * len(words)] = struct.pack(f"<{len(words)}I", *words)
    flash += bytes(map(len, texts))
    blocks = [flash[start : start + 256] for start in range(0, len(flash), 256)]
    return b"".join(struct.pack("<16xI12x480s", len(block), block) for block in blocks)


class TestRenamed:
    @pytest.mark.slow
    def test_renamed_firmware_uses_only_features_of_the_board(self, prepared: dict[str, str]) -> None:
        whole = {path: ast.parse(text) for path, text in prepared.items()}
        for path, tree in whole.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.ImportFrom) and node.level:
                    node.module = ".".join([*path.split("/")[: -node.level], *([node.module] if node.module else [])])
                    node.level = 0
        assert lint_all(BOARD, {path: ast.unparse(tree) for path, tree in whole.items()}) == {}

    def test_no_new_name_is_a_method_that_only_a_pc_has(self, names: Names) -> None:
        assert not BOARD.pc_only_methods & {*names.values()}

    def test_compiled_files_hold_no_old_name(self, prepared: dict[str, str], names: Names, trees: Trees) -> None:
        kept = set()
        for path in ("firmware/root.py", "firmware/match/match.py", "firmware/save/settings_fields.py"):
            module = mpy.read(compiling.compile_source(path, prepared[path]))
            assert module
            kept |= {name[1:-1].decode() for name in module.names}
        modules = split_paths({*trees, *image.BY_PATH.values()})
        assert kept and not kept & names.keys() - modules, "but for names of modules"

    def test_only_the_two_variants_import_the_rules_of_standard(self, trees: Trees) -> None:
        """The deploy replaces their constants in other modules."""
        users = {path for path, tree in trees.items() if "firmware.modes.standard" in ast.unparse(tree)}
        assert users == {"firmware/modes/test_spec.py"}

    def test_strings_are_renamed_only_in_these_files(self, names: Names, trees: Trees) -> None:
        """For a new file, check what its strings mean and whether anything outside the firmware reads them."""
        found = set()
        for path, tree in trees.items():
            for node in ast.walk(tree):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names:
                    found.add(re.sub(r"^firmware/|\.py$", "", path))
        assert found == {
            # hasattr() and getattr()
            *("app", "applying", "nine_buttons", "resuming", "engine/manipulation", "sound/by_ear", "finishing"),
            *("scenes/pause", "scenes/play/start", "scenes/play/stop", "scenes/play_scene", "scenes/match/next_round"),
            "scenes/again",
            *("one_switch", "scenes/countdown", "scenes/paging", "modes/slow", "scenes/play/beginning"),
            *("scenes/play/zen", "scenes/setup/speed", "view/layouts/racing", "save/recordings/match_changes"),
            "scenes/tetress/play",
            # fields
            *("save/life", "save/settings_fields", "save/presets", "save/rules", "save/suspended"),
            "modes/catalogue",
            *("scenes/link/adopting", "scenes/link/options", "scenes/match/round", "match/tables"),
            "save/suspended_revival",
            *(
                f"scenes/options/{name}"
                for name in ("game_rules", "extra_rules", "changed", "display", "handling", "sound")
            ),
        }

    @pytest.mark.slow
    @needs_wasm
    @pytest.mark.parametrize(
        "case", [pytest.param(case, marks=[pytest.mark.long] * (case.stem in SLOW), id=case.stem) for case in CASES]
    )
    def test_a_case_has_the_same_result_with_renamed_firmware(self, case: Path, drive: Path, with_cases) -> None:
        expected = interpreters.run(interpreters.WASM, case.read_text(encoding="utf-8")).last_line
        renamed = with_cases[f"{case.stem}.py"]
        assert interpreters.run(interpreters.WASM, renamed, root=drive).last_line == expected
