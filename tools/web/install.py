"""Make the manifest and the icons that let a browser install the page."""

import io
import json

from sim import oled

ICONS_PX = (192, 512)
ACCENT = "#ff8160"  # as style/theme.css has it
# The Minos of a T, as (column, row) in a square of five by five: no browser's mask cuts them.
_MINOS = ((1, 1), (2, 1), (3, 1), (2, 2))
_CELLS = 5


def icon(size_px: int) -> bytes:
    """Return a PNG: Minos in the accent on the handheld's body."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (size_px, size_px), oled.BODY_RGB)
    pen = ImageDraw.Draw(image)
    cell = size_px // _CELLS
    left = top = (size_px - 3 * cell) // 2 - cell
    for column, row in _MINOS:
        x, y = left + column * cell, top + row * cell + cell // 2
        pen.rounded_rectangle(
            (x + cell // 12, y + cell // 12, x + cell - cell // 12, y + cell - cell // 12), cell // 8, fill=ACCENT
        )
    file = io.BytesIO()
    image.quantize().save(file, "PNG", optimize=True)  # two colours: one bit a pixel
    return file.getvalue()


def manifest() -> bytes:
    """Return the manifest; its addresses are relative to its own place."""
    sizes = [(f"{size}x{size}", f"icon-{size}.png") for size in ICONS_PX]
    body = "#" + bytes(oled.BODY_RGB).hex()
    return json.dumps(
        {
            "name": "Skyline",
            "short_name": "Skyline",
            "description": "A falling-block game for a handheld that you can solder",
            "id": "./",
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "background_color": body,
            "theme_color": body,
            "categories": ["games"],
            "icons": [
                {"src": name, "sizes": size, "type": "image/png", "purpose": purpose}
                for size, name in sizes
                for purpose in ("any", "maskable")
            ],
        }
    ).encode()
