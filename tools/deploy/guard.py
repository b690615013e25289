"""The program that a board has while Skyline is copied or removed: one line that says what to do.

The serial console and a board's own display get it from print(), again and again, because a console connects late. An
SSD1306 on I2C shows COPY AGAIN, if its pins are the usual ones or those of settings.toml.
"""

from binascii import b2a_base64

from firmware.view.art import FONT_5X7
from firmware.view.canvas import Canvas, centre
from sim.terminal import name_commands

NAME = "code.txt"
_BEGINS = b't="Skyline is not whole'
_TEXT = """\
t="Skyline is not whole: run  python -m tools.deploy  again, or with --remove."
try:
 import board,busio,binascii,os
 p=lambda k,d:getattr(board,os.getenv("SKYLINE_"+k)or d)
 i=busio.I2C(p("SCL","GP1"),p("SDA","GP0"))
 i.try_lock()
 w=lambda b:i.writeto(60,b)
 w(b"\\0\\x8d\\x14 \\1!\\0\\x7f\\"\\0\\7\\xa0\\xc8\\xaf")
 w(b"@"+bytes(ABOVE)+binascii.a2b_base64("PICTURE")+bytes(BELOW))
except Exception:0
import time
while 1:print(t);time.sleep(3)
"""
_ROW_BYTES, _ROWS = 8, 128  # of the picture, which is the memory of an SSD1306
_TOP, _HEIGHT = 56, 7


def make() -> bytes:
    canvas = Canvas()
    canvas.clear()
    centre(canvas, _TOP, b"COPY AGAIN", FONT_5X7)
    pixels = bytes(canvas.buffer[1:])[_TOP * _ROW_BYTES : (_TOP + _HEIGHT) * _ROW_BYTES]
    text = _TEXT.replace("PICTURE", b2a_base64(pixels, newline=False).decode())
    text = text.replace("ABOVE", str(_TOP * _ROW_BYTES)).replace("BELOW", str((_ROWS - _TOP - _HEIGHT) * _ROW_BYTES))
    return name_commands(text).encode()


TEXT = make()


def is_guard(content: bytes) -> bool:
    """Return whether a program is the guard of this or another version."""
    return content.startswith(_BEGINS)


def is_begun(content: bytes) -> bool:
    """Return whether these may be the first bytes of the guard."""
    return content[: len(_BEGINS)] == _BEGINS[: len(content)]
