"""Photograph and time the page in a browser without a window."""

from __future__ import annotations

import base64
import io
import os
import shutil
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sim.ownership import output, write_clone
from sim.terminal import tell_install
from tools import ROOT
from tools.web import WebError, serving

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURE = ROOT / "sim" / "web" / "page.png"
RECORDING = ROOT / "tests" / "recordings" / "fast.sky"
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FIREFOXES = ("firefox-esr",)
_PHONE = {"has_touch": True, "is_mobile": True, "device_scale_factor": 2}
VIEWS: tuple[dict[str, Any], ...] = (
    {"viewport": {"width": 390, "height": 844}, **_PHONE},
    {"viewport": {"width": 844, "height": 390}, **_PHONE},
    {"viewport": {"width": 1280, "height": 800}},
)


class Screen(NamedTuple):
    """What a browser's bars leave of a screen, in CSS pixels.

    ratio: screen pixels per CSS pixel.  has_touch: whether fingers are its chief pointer.
    """

    width: int
    height: int
    ratio: float
    has_touch: bool = True


SCREENS = {
    "iPhone SE": Screen(375, 553, 2),
    "iPhone 15": Screen(393, 659, 3),
    "iPhone 15, installed": Screen(393, 852, 3),
    "small Android": Screen(360, 560, 3),
    "Android, installed": Screen(360, 800, 3),
    "Pixel 8": Screen(412, 785, 2.625),
    "folded": Screen(280, 653, 3),
    "iPad": Screen(768, 954, 2),
    "iPhone SE on its side": Screen(667, 331, 2),
    "iPhone 15 on its side": Screen(734, 343, 3),
    "iPhone 15 on its side, installed": Screen(852, 393, 3),
    "iPad on its side": Screen(1024, 698, 2),
    "1280 by 720 at 400 %": Screen(320, 180, 4, has_touch=False),
    "small laptop": Screen(1280, 800, 1, has_touch=False),
    "laptop": Screen(1440, 900, 2, has_touch=False),
    "desk": Screen(1920, 1080, 1, has_touch=False),
}
_GAP_PX = 16
_COLOURS = 64
_WATCHED_MS = 4_750  # at eight times the speed


def find_browser() -> str:
    """Return the browser that SKYLINE_BROWSER names, else the first of BROWSERS that is installed; "" for none."""
    return os.environ.get("SKYLINE_BROWSER", "") or next(filter(None, map(shutil.which, BROWSERS)), "")


def find_firefox() -> str:
    """Return the Firefox that SKYLINE_FIREFOX names, else the first of FIREFOXES that is installed; "" for none."""
    return os.environ.get("SKYLINE_FIREFOX", "") or next(filter(None, map(shutil.which, FIREFOXES)), "")


def link(recording: bytes, player: int = 0) -> str:
    """Return the URL fragment that shows a recording, as sim/web/link/packing.js reads it.

    player: who plays on from its end at once, from 1; 0 for nobody.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = base64.urlsafe_b64encode(packer.compress(recording) + packer.flush()).decode().rstrip("=")
    return f"#game={packed}" + (f"&try={player}" if player else "")


@contextmanager
def open_browser(folder: Path) -> Iterator[tuple[Any, str]]:
    """Yield a browser and the address of the page; raise WebError if there is no browser."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise WebError(f"playwright is not installed; {tell_install('test')}") from None
    program = find_browser()
    if not program:
        raise WebError(f"there is no {BROWSERS[0]} here; Debian: apt install {BROWSERS[0]}")
    with serving.open_server(folder, 0) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser, serving.address(server)
        browser.close()
        server.shutdown()


def photograph(folder: Path) -> Path:
    """Write one picture of a game on an upright phone, a phone on its side, and a desktop; return its path."""
    from PIL import Image

    with open_browser(folder) as (browser, address):
        shots = [_take_screenshot(browser, address, view)[0] for view in VIEWS]
    upright, sideways = shots[0].reduce(2), shots[1].reduce(2)
    left = upright.width + _GAP_PX
    desk_height = upright.height - sideways.height - _GAP_PX
    desk = shots[2].resize((shots[2].width * desk_height // shots[2].height, desk_height), Image.Resampling.LANCZOS)
    picture = Image.new("RGB", (left + sideways.width, upright.height), "white")
    picture.paste(upright, (0, 0))
    picture.paste(sideways, (left, 0))
    picture.paste(desk, (left + (sideways.width - desk.width) // 2, sideways.height + _GAP_PX))
    content = BytesIO()
    picture.quantize(_COLOURS).save(content, "PNG", optimize=True)
    write_clone(PICTURE, content.getvalue())
    return PICTURE


def photograph_screens(folder: Path, path: Path) -> list[str]:
    """Write one sheet of a game on each of SCREENS, a row in the light and one in the dark.

    Return lines: the name of each, from left to right, with the glass's size, and the sheet's path.
    """
    from PIL import Image

    lines, rows = [], []
    with open_browser(folder) as (browser, address):
        for scheme in ("light", "dark"):
            found = [_take_screenshot(browser, address, _view(screen, scheme), "css") for screen in SCREENS.values()]
            rows.append([shot for shot, _ in found])
            sizes = [(name, *SCREENS[name][:2], *glass) for name, (_, glass) in zip(SCREENS, found, strict=True)]
            lines = [
                f"{name:32} {w:4} x {h:4}: glass {x:3.0f} x {y:4.0f}, {x * y:6.0f} px" for name, w, h, x, y in sizes
            ]
    high = max(shot.height for shot in rows[0])
    wide = sum(shot.width + _GAP_PX for shot in rows[0])
    sheet = Image.new("RGB", (wide, 2 * (high + _GAP_PX)), "white")
    for row, shots in enumerate(rows):
        left = 0
        for shot in shots:
            sheet.paste(shot, (left, row * (high + _GAP_PX)))
            left += shot.width + _GAP_PX
    try:
        with output(path) as file:
            sheet.save(file, "PNG")
    except OSError as problem:
        raise WebError(f"cannot write {path}: {problem}") from None
    return [*lines, str(path)]


def _view(screen: Screen, scheme: str) -> dict[str, Any]:
    size = {"width": screen.width, "height": screen.height}
    pointer = {"has_touch": screen.has_touch, "is_mobile": screen.has_touch}
    return {"viewport": size, "device_scale_factor": screen.ratio, "color_scheme": scheme, **pointer}


def _take_screenshot(
    browser: Any, address: str, view: dict[str, Any], scale: str = "device"
) -> tuple[Image, tuple[float, float]]:
    """Return a screenshot of a game that continues from the middle of a recording, and the glass's size in CSS pixels.

    scale: whether one of its pixels is one of the device's or, with "css", a CSS pixel.
    """
    from PIL import Image

    context = browser.new_context(**view)
    page = context.new_page()
    page.clock.install(time=0)
    page.clock.pause_at(1)
    page.goto(address + link(RECORDING.read_bytes()))
    page.wait_for_selector("html[data-ready]", state="attached")
    page.clock.run_for(1000)
    for _ in range(3):
        page.keyboard.press("ArrowUp")  # twice as fast
        page.clock.run_for(50)
    page.clock.run_for(_WATCHED_MS)
    for _ in range(2):  # practise, play on from this moment
        page.keyboard.press("s")
        page.clock.run_for(100)
    page.evaluate("document.getElementById('notice').replaceChildren()")
    page.clock.run_for(200)
    picture = Image.open(io.BytesIO(page.screenshot(scale=scale)))
    box = page.locator("#glass").bounding_box()
    context.close()
    return picture, (box["width"], box["height"])
