"""Bundle and shorten the page's scripts and styles with esbuild, a program from the npm registry."""

import platform
import subprocess
import tempfile
from pathlib import Path

from tools.files import write_files
from tools.web import WebError, npm

_VERSION = "0.28.2"
# Every browser with WebAssembly's exceptions understands es2022.
_COMMON_OPTIONS = ("--minify", "--charset=utf8", "--target=es2022", "--log-level=error", "--color=false")
_PATIENCE_S = 60
# By platform.system() and platform.machine(): the package and its sha512.
_PINS = """
Linux x86_64 linux-x64 4xTZr1FUmSoQW4XIWmit3tzQrUTZM+N3P0XV8xROKYF50XfI7xeO90+1bZvNwxIufQ9hDQVRJH5YhgPVF8A/HQ==
Linux aarch64 linux-arm64 pW4AC0P3it8c7do9MVM4p51FzHzdM/TZrerurgRcHJ2WTa1VQ1CIq18xncfpBJw4ojkiZZrKW2yIBWBP92j6Ug==
Darwin x86_64 darwin-x64 uq6suIWYP37qzGddBKPw5QEQPi6HiLGsO7UmkpfyaYNQ3D+rN6w6WfwH+nuqcGXWvawGwxOEroO4YGnFh95azw==
Darwin arm64 darwin-arm64 n4KqkOQrraxHJcgjM1RvwbigfQKIKJVpM7xp+KsxiyUSrRdIXnt73VhrPAx0fV44hgfmIVKjxMN9J1t5jySVkw==
Windows AMD64 win32-x64 5ebpxr3nWMzrL/rnUI755Jkuee0bHL/Gq0WTF9lvcpv73wAp5eu8MfBUgWK9bhWvZjj7yX8etf/8tI8Ney695g==
Windows ARM64 win32-arm64 PIhhEkE9uPBleRBrQEJpUn7MBnibZzbGzYWPmY3x+YoVg/95zbjB4CxPPOQ8l5tYYM4mMaCthF8/1DIfBQQyWQ==
"""
PROGRAMS = {
    (system, machine): npm.Package(
        f"@esbuild/{name}", _VERSION, sha512, ("esbuild.exe" if system == "Windows" else "bin/esbuild",)
    )
    for system, machine, name, sha512 in map(str.split, _PINS.strip().splitlines())
}


def find_program() -> npm.Package:
    """Return the package with this computer's esbuild; raise WebError if there is none."""
    machine = platform.system(), platform.machine()
    if machine not in PROGRAMS:
        known = ", ".join(" ".join(each) for each in PROGRAMS)
        raise WebError(f"the page is made with esbuild, which is pinned for {known}; this is {' '.join(machine)}")
    return PROGRAMS[machine]


def bundle(sources: dict[str, bytes], entries: list[str], cache: Path | None = None) -> dict[str, bytes]:
    """Return a script or style for each of `entries` with its imports; code that several share is a separate file.

    Raise WebError if a source is wrong or esbuild is unavailable.
    """
    options = ("--bundle", "--splitting", "--format=esm", "--entry-names=[name]", "--chunk-names=shared-[hash]")
    return _run(sources, entries, options, cache)


def bundle_worker(sources: dict[str, bytes], entry: str, cache: Path | None = None) -> bytes:
    """Return `entry` with its imports as one classic script; raise WebError like bundle()."""
    (script,) = _run(sources, [entry], ("--bundle", "--format=iife"), cache).values()
    return script


def minify(name: str, content: bytes, cache: Path | None = None) -> bytes:
    """Return a shorter script of the same meaning; raise WebError like bundle()."""
    return _run({name: content}, [name], (), cache)[name]


def _run(
    sources: dict[str, bytes], entries: list[str], options: tuple[str, ...], cache: Path | None
) -> dict[str, bytes]:
    package = find_program()
    (file,) = package.files
    with tempfile.TemporaryDirectory() as folder:
        esbuild = Path(folder) / Path(file).name
        esbuild.write_bytes(package.unpack(package.fetch(cache))[file])
        esbuild.chmod(0o700)
        before, after = Path(folder) / "before", Path(folder) / "after"
        before.mkdir()
        write_files(before, sources)
        command = [str(esbuild), *entries, *_COMMON_OPTIONS, *options, f"--outdir={after}"]
        command += [f"--out-extension:.js={Path(name).suffix}" for name in entries if name.endswith(".mjs")]
        try:
            done = subprocess.run(
                command, cwd=before, capture_output=True, text=True, encoding="utf-8", check=False, timeout=_PATIENCE_S
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise WebError(f"esbuild cannot be run here: {problem}") from None
        if done.returncode:
            raise WebError(_first_fault(done.stderr))
        return {path.name: path.read_bytes() for path in sorted(after.iterdir())}


def _first_fault(output: str) -> str:
    """Return the first error in esbuild's output as one line: its place and the message."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    if not lines:
        return "esbuild failed and did not say why"
    where = lines[1].rstrip(":") + ": " if len(lines) > 1 else ""
    return where + lines[0].partition("[ERROR] ")[2]
