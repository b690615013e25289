"""The QR code of a line: the modules of an independent encoder, read by an independent decoder (zxing-cpp)."""

import random

import pytest
import zxingcpp
from PIL import Image, ImageFilter, ImageOps

from firmware.save import rules_line
from firmware.view import qr
from firmware.view.canvas import HEIGHT, WIDTH, Canvas

LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
QR = zxingcpp.barcode_formats_from_str("QRCode")
# Of 21 to 77 letters: the other encoder takes version 1 for fewer.
SIZES = [(21, 2, "M"), (38, 2, "M"), (39, 2, "L"), (47, 2, "L"), (48, 3, "L"), (60, 3, "L"), (76, 3, "L"), (77, 3, "L")]
LINES = [[1], [2, 2, 3, 1, 0, 2, 2, 8, 100], [14, *range(1, 16)], [0, *[1] * 40]]


def encode_elsewhere(text: str, version: int, level: str) -> list[int]:
    form = zxingcpp.BarcodeFormat.QRCode
    code = zxingcpp.create_barcode(text, form, options=f"version={version},ecLevel={level},dataMask=0")
    picture = Image.fromarray(code.to_image(scale=1, add_quiet_zones=False))
    size = picture.width
    return [sum((not picture.getpixel((x, y))) << x for x in range(size)) for y in range(size)]


def show(line: str) -> Image.Image:
    """Return the picture of a line's code on a handheld."""
    canvas = Canvas()
    qr.draw(canvas, line)
    picture = Image.new("L", (WIDTH, HEIGHT))
    picture.putdata([255 * canvas.pixel(x, y) for y in range(HEIGHT) for x in range(WIDTH)])
    return picture


def photograph(picture: Image.Image) -> Image.Image:
    """Return the picture as a phone may see it: turned, blurred, with weak contrast."""
    scene = Image.new("L", (500, 800), 60)
    scene.paste(picture.resize((5 * WIDTH, 5 * HEIGHT), Image.Resampling.NEAREST), (90, 80))
    scene = scene.rotate(7, Image.Resampling.BICUBIC, fillcolor=60).filter(ImageFilter.GaussianBlur(2))
    return scene.point(lambda level: 40 + level * 150 // 255)


def decode(picture: Image.Image) -> list[str]:
    return [found.text for found in zxingcpp.read_barcodes(picture, formats=QR)]


@pytest.mark.parametrize(("count", "version", "level"), SIZES)
def test_modules_equal_those_of_another_encoder(count: int, version: int, level: str) -> None:
    rng = random.Random(count)
    for _ in range(5):
        text = "SKY" + "".join(rng.choice(LETTERS) for _ in range(count - 3))
        assert qr.encode(text) == encode_elsewhere(text, version, level)


@pytest.mark.parametrize("numbers", LINES, ids=len)
def test_a_code_is_read_at_every_size_inverted_and_as_a_photo(numbers: list[int]) -> None:
    line = rules_line.write(numbers)
    once = show(line)
    large = once.resize((4 * WIDTH, 4 * HEIGHT), Image.Resampling.NEAREST)
    photo = photograph(once)
    for picture in (once, large, ImageOps.invert(large), photo, ImageOps.invert(photo)):
        assert decode(picture) == [line]


def test_a_longer_text_is_refused() -> None:
    with pytest.raises(ValueError, match="too long"):
        qr.encode("A" * 78)
