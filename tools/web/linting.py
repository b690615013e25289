"""Check the page's scripts by strict `tsc --checkJs` and ESLint, in Node; both are pinned in tools/web/lint."""

import hashlib
import io
import platform
import shutil
import subprocess
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools import ROOT
from tools.files import write_files
from tools.web import WebError, dist, npm

HERE = Path(__file__).parent / "lint"
PINS = HERE / "packages.txt"
_TESTS = ROOT / "tests" / "web"
_NATIVE = "@typescript/typescript-"
_MACHINES = {"x86_64": "x64", "AMD64": "x64", "aarch64": "arm64", "arm64": "arm64"}
_MODULES = "node_modules/"
_UNTYPED = b"// @ts-nocheck\n"
_CHECKS = (
    ("typescript/bin/tsc", "--pretty", "false", "-p", "tsconfig.json"),
    ("typescript/bin/tsc", "--pretty", "false", "-p", "tsconfig.worker.json"),
    ("eslint/bin/eslint.js", "--max-warnings", "0", "page", "tests"),
)


def check(cache: Path | None = None) -> list[str]:
    """Return the problems that the checks find, one a line; raise WebError if they cannot run."""
    node = shutil.which("node")
    if not node:
        raise WebError("there is no Node here to check the scripts with")
    place = install(cache or npm.cache_path())
    with tempfile.TemporaryDirectory(dir=place) as name:
        folder = Path(name)
        gather(folder, cache)
        commands = [[node, str(place / _MODULES / program), *options] for program, *options in _CHECKS]
        with ThreadPoolExecutor() as threads:
            done = list(threads.map(lambda command: _run(command, folder), commands))
    return [line for output in done for line in output]


def _run(command: list[str], folder: Path) -> list[str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False)
    lines = (done.stdout + done.stderr).replace(f"{folder}/", "").splitlines()
    return [line for line in lines if line.strip()] or ["failed and did not say why"] if done.returncode else []


def gather(folder: Path, cache: Path | None) -> None:
    """Put the scripts of the page and of its tests into `folder`, with the settings of the checks."""
    addresses = dict.fromkeys(("micropython", "program", "firmware", "rest", "checker"), "")
    qr = npm.LEAN_QR.unpack(npm.LEAN_QR.fetch(cache))[npm.QR]
    files = {f"page/{name}": content for name, content in dist.gather(addresses, _UNTYPED + qr).items()}
    for path in (*dist.PAGE.glob("*.d.ts"), dist.PAGE / "offline" / dist.WORKER):
        files[f"page/{path.relative_to(dist.PAGE).as_posix()}"] = path.read_bytes()
    files |= {f"tests/{path.name}": path.read_bytes() for path in _TESTS.iterdir() if path.suffix in (".js", ".mjs")}
    files |= {path.name: path.read_bytes() for path in HERE.iterdir() if path.suffix in (".js", ".json")}
    files["package.json"] = b'{"type": "module"}'
    write_files(folder, files)


def name_folder() -> str:
    """Return the name of the folder of the pinned packages, another one for other pins."""
    return f"lint-{hashlib.sha256(PINS.read_bytes()).hexdigest()[:10]}"


def install(cache: Path) -> Path:
    """Return the folder in `cache` with the pinned packages; fetch and unpack them if it is missing."""
    place = cache / name_folder()
    if place.is_dir():
        return place
    lines = PINS.read_text(encoding="utf-8").splitlines()
    packages = [line.split() for line in lines if not line.startswith("#")]
    native = f"{_NATIVE}{platform.system().lower().replace('windows', 'win32')}-{_MACHINES.get(platform.machine())}"
    wanted = [each for each in packages if _NATIVE not in each[0] or each[0].endswith(native)]
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=cache))
    try:
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(lambda each: _unpack(temporary, each, cache), wanted))
        temporary.rename(place)
    except OSError:
        if not place.is_dir():
            raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return place


def _unpack(place: Path, pin: list[str], cache: Path) -> None:
    """Unpack a package below `place`, without the archive's top folder."""
    path, version, sha512 = pin
    folder = place / path
    package = npm.Package(path.rpartition(_MODULES)[2], version, sha512, ())
    with tarfile.open(fileobj=io.BytesIO(package.fetch(cache / "npm"))) as archive:
        for member in archive:
            name = member.name.partition("/")[2]
            content = archive.extractfile(member)
            target = folder / name
            is_below = folder.resolve() in target.resolve().parents
            if content is None or not is_below or name.endswith(".md"):
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.read())
            target.chmod(0o755 if member.mode & 0o100 else 0o644)
