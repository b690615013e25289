"""Play on a Raspberry Pi with a real display and real buttons, through Adafruit-Blinka."""
