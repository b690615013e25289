"""Move a bar down an SSD1306 of 128 x 64 pixels that is mounted upright; only rows that change are sent."""

import board
import busio
from ssd1306_vertical import SSD1306, Canvas

canvas = Canvas()
display = SSD1306(busio.I2C(board.GP1, board.GP0, frequency=400_000), canvas)
display.show()
for y in range(120):
    canvas.fill(0, y, 64, 1, 0)
    canvas.fill(0, y + 1, 64, 8, 1)
    display.show()
