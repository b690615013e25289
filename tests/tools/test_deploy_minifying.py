"""Modules are minified with the values of constants, and only when they have changed."""

import sys
from pathlib import Path

import pytest

from tests.support.deployed import content, deploy
from tests.support.running import ROOT
from tools.deploy import image, minifying

MODULES = {
    "firmware/tones.py": "from firmware.compat import const\nLOW = const(3)\nBOTH = const(LOW | 4)\n",
    "firmware/named.py": "from firmware.tones import BOTH, LOW as DEEP\nprint(BOTH, DEEP)\n",
    "firmware/whole.py": "from firmware import tones\ndef f():\n    return tones.BOTH\n",
    "firmware/late.py": "def f():\n    from firmware.tones import LOW\n    return LOW\n",
    "firmware/other.py": "from firmware import tones\nprint(tones.LOW, tones)\n",
    "firmware/typed.py": "if 0:\n    from firmware.tones import LOW\nprint(1)\n",
}


class TestConstants:
    """Constants become their values in all modules, so a module with only constants is not loaded."""

    def test_constants_become_their_values(self) -> None:
        made = minifying.minify_all(MODULES)
        assert made["firmware/named.py"] == "print(7,3)" and made["firmware/whole.py"] == "def f():return 7"
        assert made["firmware/late.py"] == "def f():return 3"
        assert "print(1)" in made["firmware/typed.py"] and "tones" not in made["firmware/typed.py"]

    def test_constants_of_bytes_become_their_values(self) -> None:
        table = "from firmware.compat import const\nORDER = const(b'IJLOSTZ')\n"
        user = "from firmware.order import ORDER\nprint(ORDER[2], len(ORDER))\n"
        made = minifying.minify_all({"firmware/order.py": table, "firmware/user.py": user})
        assert made["firmware/user.py"] == "print(b'IJLOSTZ'[2],len(b'IJLOSTZ'))"

    def test_calls_of_the_option_table_become_their_results(self) -> None:
        text = "from firmware.option_table import list_menu, list_rules as rules\n"
        text += "class A:\n    records = list_menu('none') + ((b'LINE', b'NOTE'),)\n    fixed = rules()\n"
        made = minifying.minify(text, "a.py")
        assert "table" not in made and "records=(b'LINE',b'NOTE')," in made and "fixed=b'\\x00" in made

    def test_slots_are_removed_because_a_board_ignores_them(self) -> None:
        assert "slots" not in minifying.minify('class A:\n    __slots__ = "x y".split()\n    z = 1\n', "a.py")

    def test_a_board_gets_no_words_for_a_pc_without_its_modules(self) -> None:
        made = minifying.minify((ROOT / "code.py").read_text(encoding="utf-8"), "code.py")
        assert "import supervisor" in made and "SystemExit" not in made and "Raspberry" not in made
        kept = "try:\n    import keypad\nexcept ImportError:\n    keypad = None\nprint(keypad)\n"
        assert "except ImportError" in minifying.minify(kept, "a.py")

    def test_a_module_that_is_used_as_a_value_is_imported(self) -> None:
        assert minifying.minify_all(MODULES)["firmware/other.py"] == "from firmware import tones\nprint(3,tones)"

    def test_a_new_value_minifies_its_users_again(self, tmp_path: Path) -> None:
        cache = minifying.Cache(tmp_path / "minified.json")
        minifying.minify_all(MODULES, cache)
        tones = "from firmware.compat import const\nLOW = const(9)\nBOTH = const(8)\n"
        changed = minifying.minify_all(MODULES | {"firmware/tones.py": tones}, cache)
        assert changed["firmware/named.py"] == "print(8,9)"


class TestCache:
    @pytest.fixture
    def sources(self) -> dict[str, str]:
        return {f"m{number}.py": f"# note\ndef f{number}(value):\n    return value\n" for number in range(10)}

    @pytest.fixture
    def cache(self, tmp_path: Path) -> minifying.Cache:
        return minifying.Cache(tmp_path / "cache" / "minified.json")

    def test_cached_files_are_not_minified_again(self, sources: dict[str, str], cache: minifying.Cache) -> None:
        made = minifying.minify_all(sources, cache)
        assert made == {name: minifying.minify(text, name) for name, text in sources.items()}
        marked = dict.fromkeys(cache.known, "as it was")
        cache.keep(marked)
        again = minifying.minify_all(sources | {"m1.py": "b = 1\n"}, minifying.Cache(cache.path))
        assert again == dict.fromkeys(sources, "as it was") | {"m1.py": "b=1"}

    def test_a_new_minifier_version_minifies_all_again(self, sources, cache: minifying.Cache, monkeypatch) -> None:
        minifying.minify_all(sources, cache)
        before = set(cache.known)
        monkeypatch.setattr(minifying, "version", lambda name: "99")
        minifying.minify_all(sources, cache)
        assert not before & set(cache.known)

    def test_changed_options_rename_all_again(self, cache: minifying.Cache, tmp_path: Path, monkeypatch) -> None:
        table = tmp_path / "options.txt"
        monkeypatch.setattr(image, "CALLED", (table,))
        known = []
        for text in ("option: das_ms 9 1 1000 300", "option: das_ms 9 1 1000 200"):
            table.write_text(text)
            image.prepare({"firmware/a.py": "a = 1\n"}, cache)
            known.append(set(cache.known))
        assert all(known) and known[0].isdisjoint(known[1])

    def test_the_cache_keeps_only_files_in_use(self, sources: dict[str, str], cache: minifying.Cache) -> None:
        minifying.minify_all(sources, cache)
        minifying.minify_all({"m1.py": sources["m1.py"]}, cache)
        assert len(minifying.Cache(cache.path).known) == 1

    @pytest.mark.parametrize("damaged", [b"{", b"[]", b"\xff", b""])
    def test_a_damaged_cache_is_ignored(self, damaged: bytes, cache: minifying.Cache) -> None:
        cache.path.parent.mkdir()
        cache.path.write_bytes(damaged)
        assert minifying.minify_all({"a.py": "a = 1 # one\n"}, minifying.Cache(cache.path)) == {"a.py": "a=1"}

    def test_a_cache_that_cannot_be_written_is_ignored(self, tmp_path: Path) -> None:
        (tmp_path / "cache").write_text("a file where a folder should be")
        cache = minifying.Cache(tmp_path / "cache" / "minified.json")
        assert minifying.minify_all({"a.py": "a = 1\n"}, cache) == {"a.py": "a=1"}

    @pytest.mark.slow
    @pytest.mark.parametrize("options", [(), ("--source",)], ids=["renamed", "minified"])
    def test_a_second_deploy_minifies_nothing(self, options: tuple[str, ...], drive: Path, monkeypatch) -> None:
        assert deploy(drive, *options) == 0
        there = content(drive)
        if options:  # using these fails now
            monkeypatch.setitem(sys.modules, "python_minifier", None)
        else:
            monkeypatch.setattr(image, "read_trees", None)
        assert deploy(drive, *options) == 0 and content(drive) == there
