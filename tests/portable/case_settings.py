"""settings.toml is read and refused in the same words on every interpreter, whatever its bytes are."""

from firmware.device.settings_file import parse
from firmware.device.wiring import WiringError


def judge(content):
    try:
        written = parse(content)
    except WiringError as wrong:
        return str(wrong)
    return repr([(key, written[key]) for key in sorted(written)])


CONTENTS = (
    b"",
    b'# a comment\r\n\r\n  SKYLINE_LEFT="GP10"\t# left\r\nskyline_i2c_hz = 0x186A0#fast\r\n',
    b'SKYLINE_LEFT = "\\u0047\\U00000050\\"2\\\\"',
    b"\xef\xbb\xbfSKYLINE_ROTATION = 90\n",
    b"\xff\xfeS\0K\0",
    b"# \xfcber\n",
    b"A = 1\n# one\rSKYLINE_LEFT = 2\n",
    b"A = 1\nB = \0\n",
    b"[table]\nSKYLINE_LEFT = 2\n",
    b"x = [1,\n",
    b"x = true\ny = -1.5e3\nz = 'a'\n",
    b'SKYLINE_LEFT = "GP2"\nskyline_left = "GP2"\n',
    b"SKYLINE_LEFFT = 1\n",
    b'"SKYLINE_LEFT" = "GP2"\n',
    b"SKYLINE_LEFT\n",
    b"SKYLINE_LEFT = GP2\n",
    b"SKYLINE_ROTATION = 090\n",
    b"SKYLINE_ROTATION = 0b1\n",
    b"SKYLINE_ROTATION = 1_0\n",
    b'SKYLINE_LEFT = "GP2\n',
    b'SKYLINE_LEFT = "\\uD800"\n',
    b'SKYLINE_LEFT = "\\u12"\n',
    b'SKYLINE_LEFT = "\xc3\xbc"\n',
    b"SKYLINE_LEFT = '" + b"x" * 100 + b"'\n",
    b"SPEED = 1\nSKYLIN_LEFT = 1\n",
    b"A" * 9000,
    b"SKYLINE_LEFT\xc2\xa0= 2\n",
)
lines = [judge(content) for content in CONTENTS]
for line in lines:
    assert len(line) < 140, line
print("; ".join(lines))
