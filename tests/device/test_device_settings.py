"""settings.toml as deploy, the page for builders and the board judge it: the same file, the same words."""

import importlib
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware.device import profiles
from firmware.device.chip import is_spi
from firmware.device.libraries import COLOURED
from firmware.device.settings_file import parse
from firmware.device.wiring import KEYS, NONE, OWN, PIN, PIN_OR_NONE, PREFIX, WiringError
from sim.settings_check import find_chip, find_pins
from sim.web import builder
from tools.deploy import DeployError, settings

RECORDS = {record["board"]: record for record in profiles.read()}
UNKNOWN = "adafruit_feather_rp2040"
SEEN = [name for name in RECORDS if "waveshare" not in name]  # CircuitPython takes that one for a Pico
PIN_KEYS = [key for key, _default, allowed in KEYS if allowed in (PIN, PIN_OR_NONE)]
ON_DRIVE = "settings.toml on the drive: "
ST7789 = 'SKYLINE_DISPLAY = "st7789"\nSKYLINE_SCK = "GP18"\nSKYLINE_MOSI = "GP19"\nSKYLINE_DC = "GP20"\n'
MOST_LETTERS = 320  # of an error line; only the list of boards is that long


def test_spi_has_the_pins_of_the_datasheet() -> None:
    """RP2040, 1.4.3: SCK and TX of SPI0 and SPI1."""
    blocks = [((2, 6, 18, 22), (3, 7, 19, 23)), ((10, 14, 26), (11, 15, 27))]
    wanted = {(clock, data) for clocks, datas in blocks for clock in clocks for data in datas}
    assert {pair for pair in itertools.product(range(30), repeat=2) if is_spi(*pair)} == wanted


def judge(content: bytes | str, board_id: str) -> str:
    """Return deploy's error line without its beginning, "" if it accepts the settings."""
    try:
        settings.check(content, board_id)
    except DeployError as refusal:
        return str(refusal).removeprefix(ON_DRIVE)
    return ""


class Boards:
    """One faked board after another, each with its settings.toml in the current folder."""

    def __init__(self, bench: Any) -> None:
        self.bench = bench
        self.module: Any = importlib.import_module("board")
        self.microcontroller: Any = importlib.import_module("microcontroller")
        self.pico = importlib.import_module("firmware.device.boot.pico")

    def plug_in(self, board_id: str) -> None:
        """Take a new board of this kind; its built-in display already has its pins and its backlight."""
        bench, record = self.bench, RECORDS.get(board_id, {})
        bench.__init__()
        bench.chips.append(importlib.import_module("sim.chip").Ssd1306Chip())
        bench.chip = record.get("chip", "RP2040")
        bench.board_id = board_id
        names = find_pins(record, board_id, find_chip(board_id)) or {f"D{n}": n for n in range(26)} | {"GP0": 0}
        fields: dict[str, Any] = {name: bench.pins[number] for name, number in names.items()}
        self.module.__dict__.update(dict.fromkeys([name for name in dir(self.module) if name.isupper()]))
        self.module.__dict__.update(fields, board_id="raspberry_pi_pico" if "waveshare" in board_id else board_id)
        self.microcontroller.pin = SimpleNamespace(**{f"GPIO{pin.number}": pin for pin in bench.pins})
        if record.get("DISPLAY") == OWN:
            width, height = map(int, record["display"].split("x"))
            light = bench.pins[int(record["backlight"])] if "backlight" in record else None
            self.module.DISPLAY = sys.modules["workbench"].Panel("own", width=width, height=height, backlight_pin=light)

    def start(self, content: bytes, board_id: str) -> str:
        """Start the game with this file; return the line of the page PROBLEM, "" if the Device is built."""
        Path("settings.toml").write_bytes(content)
        self.plug_in(board_id)
        try:
            self.pico.build()
        except WiringError as problem:
            return str(problem).removeprefix("settings.toml: ")
        return ""


@pytest.fixture
def boards(workbench: Any) -> Boards:
    return Boards(workbench)


# The line of settings.toml, the board, and what deploy says.
REFUSED = [
    (
        'SKYLINE_BACKLIGHT = "GP14"',
        "",
        f"SKYLINE_BACKLIGHT is GP14, allowed: none, because only {' and '.join(COLOURED)}",
    ),
    (
        ST7789 + 'SKYLINE_BACKLIGHT = "GP14"',
        "",
        "SKYLINE_BUZZER is GP15 with SKYLINE_BACKLIGHT GP14, allowed: pins of two PWM",
    ),
    (
        ST7789 + 'SKYLINE_BACKLIGHT = "GP16"\nskyline_buzzer = "gp1"',
        "",
        "skyline_buzzer is gp1 with SKYLINE_BACKLIGHT GP16",
    ),
    (
        'SKYLINE_BUZZER = "SPEAKER"',
        "tinycircuits_thumby_color",
        "SKYLINE_BUZZER is SPEAKER, allowed: none, or a pin whose",
    ),
    (b"\xef\xbb\xbfSKYLINE_LEFT = 1", "", "a byte order mark hides line 1, allowed: UTF-8 without it"),
    ("SKYLINE_LEFT = 1".encode("utf-16"), "", "it is in UTF-16, allowed: UTF-8"),
    ("SKYLINE_LEFT = 1".encode("utf-16-le"), "", "line 1 has a NUL character"),
    (b"# \xe4\n", "", "line 1 is not in UTF-8"),
    (b"# text\0", "", "line 1 has a NUL character"),
    ("# Mac\rSKYLINE_LEFT = 1\r", "", "line 1 has a carriage return without a line feed"),
    ('[wires]\n\nSKYLINE_LEFT = "GP20"', "", "SKYLINE_LEFT in line 3 is below the table of line 1, allowed: above it"),
    ("x = [1,\n2]", "", 'line 1: x = [1,, allowed: "text" in double quotes or a whole number'),
    ("SKYLINE_ROTATION 90", "", 'line 1: SKYLINE_ROTATION 90, allowed: KEY = "text" or KEY = a whole number'),
    ('"SKYLINE_LEFT" = "GP20"', "", 'line 1: "SKYLINE_LEFT" = "GP20", allowed: KEY = "text"'),
    ('SKYLINE_LEFT = "GP20"\n\nSKYLINE_LEFT = "GP21"', "", "SKYLINE_LEFT in line 3 is there twice, allowed: once"),
    ('skyline_left = "GP20"\nSKYLINE_LEFT = ""', "", "SKYLINE_LEFT in line 2 is there twice, first as skyline_left"),
    ("SKYLINE_ROTATION = 090", "", "line 1: SKYLINE_ROTATION = 090, allowed"),
    ('SKYLINE_LEFT = "\\tGP2\\u0007"', "", "line 1: SKYLINE_LEFT = "),
    ('SKYLINE_LEFT = "\\ud800"', "", "line 1: SKYLINE_LEFT = "),
    ('SKYLINE_LEFT = "' + "x" * 5000 + '"', "", "SKYLINE_LEFT is " + "x" * 40 + "..., allowed: "),
    ('SKYLINE_BUZZER = "x\ufeff' + "x" * 300 + '"', "", 'line 1: SKYLINE_BUZZER = "x\\ufeffxx'),
    ("SKYLINE_I2C_HZ = " + "9" * 5000, "", "line 1: SKYLINE_I2C_HZ = " + "9" * 23 + "..., allowed: "),
    ("x = 1\n" * 2000, "", "it is too long, allowed: 8192 bytes"),
    ("# text\n" * 2000, "", "it is too long, allowed: 8192 bytes"),
    ("SKYLINE_LINK_RX = 5", "hack_club_sprig", "SKYLINE_LINK_RX is 5, allowed: AUDIO_BCLK"),
    ('SKYLINE_LINK_RX = "GP3"', "hack_club_sprig", "SKYLINE_LINK_TX is none with SKYLINE_LINK_RX GP3, allowed: both"),
    ("SKYLINE_BOARD = 7", "", "SKYLINE_BOARD is 7, allowed: raspberry_pi_pico "),
    ('SKYLINE_BOARD = "raspberry_pi_pic0"', "", "SKYLINE_BOARD is raspberry_pi_pic0, allowed: "),
    ('SKYLINE_LEFT = "GP24"', "raspberry_pi_pico_w", "SKYLINE_LEFT is GP24, allowed: A0-A3 GP0-GP22 GP26-GP28"),
    (
        'SKYLINE_I2S_BIT_CLOCK = "GP10"\nSKYLINE_I2S_WORD_SELECT = "GP12"\nSKYLINE_I2S_DATA = "GP13"',
        "",
        "SKYLINE_I2S_BIT_CLOCK is GP10 with SKYLINE_I2S_WORD_SELECT GP12, allowed: two neighbours",
    ),
    ('SKYLINE_I2S_DATA = "GP10"', "", "SKYLINE_I2S_BIT_CLOCK is none, allowed: a pin, because I2S has three"),
    (ST7789.replace("GP19", "GP22"), "", "SKYLINE_SCK is GP18 with SKYLINE_MOSI GP22, allowed: SCK GP2 6 18 22 with"),
    (ST7789.replace("GP18", "GP17"), "", "SKYLINE_SCK is GP17 with SKYLINE_MOSI GP19, allowed: SCK GP2 6 18 22 with"),
    (ST7789.replace("GP19", "GP27"), "", "SKYLINE_SCK is GP18 with SKYLINE_MOSI GP27, allowed: SCK GP2 6 18 22 with"),
    ('SKYLINE_LINK_TX = "GP12"\nSKYLINE_LINK_RX = "GP21"', "", "SKYLINE_LINK_TX is GP12 with SKYLINE_LINK_RX GP21"),
    ('SKYLINE_DISPLAY="board"', "", "SKYLINE_DISPLAY is board, allowed: only where the board has a display of its own"),
]


@pytest.mark.parametrize(("content", "board_id", "words"), REFUSED)
def test_deploy_page_and_board_refuse_in_the_same_words(
    boards: Boards, content: bytes | str, board_id: str, words: str
) -> None:
    board_id = board_id or "raspberry_pi_pico"
    content = content.encode() if isinstance(content, str) else content

    refusal = judge(content, board_id)

    assert refusal.startswith(words)
    assert boards.start(content, board_id) == refusal
    if b"SKYLINE_BOARD" not in content and not refusal.endswith("UTF-8") and b"\xef\xbb\xbf" not in content:
        named = "".join(
            f"{PREFIX}{key} = {json.dumps(value)}\n"
            for key, value in RECORDS[board_id].items()
            if key.isupper() and f"{PREFIX}{key} ".encode() not in content
        )
        if not named:
            assert builder.check(content.decode(), json.dumps(RECORDS[board_id])) == refusal
        elif "line" not in refusal:  # the page names every key
            assert builder.check(named + content.decode(), json.dumps(RECORDS[board_id])) == refusal


@pytest.mark.parametrize(
    ("content", "board_id"),
    [
        ('CIRCUITPY_WIFI_SSID = "\\u00e4 \\"quoted\\"" # home\nPORT = 80\nspeed = -1.5\nS = true', ""),
        ('SKYLINE_LEFT = "GP20"\r\n[table]\r\nleft = [1,\r\n"x" = \'y\'\r\n', ""),
        (ST7789 + 'SKYLINE_BACKLIGHT = "GP13"', ""),
        (ST7789 + 'SKYLINE_BACKLIGHT = "GP14"\nSKYLINE_BUZZER = "none"', ""),
        ('SKYLINE_LINK_TX = "GP14"\nSKYLINE_LINK_RX = "GP19"\nSKYLINE_BUZZER = "none"', "raspberry_pi_pico2"),
        ('SKYLINE_I2S_BIT_CLOCK = "GP11"\nSKYLINE_I2S_WORD_SELECT = "GP10"\nSKYLINE_I2S_DATA = "GP28"', ""),
        ('SKYLINE_LINK_TX = "TX"\nSKYLINE_LINK_RX = "RX"', "pimoroni_picosystem"),
    ],
)
def test_settings_that_the_chip_can_carry_out_are_accepted(boards: Boards, content: str, board_id: str) -> None:
    board_id = board_id or "raspberry_pi_pico"
    assert judge(content, board_id) == "" == boards.start(content.encode(), board_id)


@pytest.mark.parametrize(
    ("name", "told", "accepted"),
    [
        ("GP29", "Feather with rp2040", True),
        ("GP30", "Feather with rp2040", False),
        ("GP47", "Board with rp2350b", True),
        ("GP48", "Board with rp2350b", False),
        ("GP48", "Board with ESP32S3", True),
        ("GP99", "Board with ESP32S3", False),
        ("GP01", "Feather with rp2040", False),
        ("GP123", "Feather with rp2040", False),
        ("D5", "Feather with rp2040", True),
    ],
)
def test_an_unknown_board_has_the_pins_of_its_chip(name: str, told: str, accepted: bool) -> None:
    text = f'SKYLINE_LEFT = "{name}"'
    if accepted:
        settings.check(text, "somebodys_board", told)
    else:
        with pytest.raises(DeployError, match=f"SKYLINE_LEFT is {name}, allowed: a pin of this board"):
            settings.check(text, "somebodys_board", told)


def test_a_wrong_line_of_another_key_does_not_hide_the_display(boards: Boards) -> None:
    Path("settings.toml").write_bytes(b'x = [1,\nSKYLINE_SDA = "GP20"\nSKYLINE_SCL = "GP21"\n\xef\xbb\xbf')
    boards.plug_in("raspberry_pi_pico")
    guess = importlib.import_module("firmware.device.boot.crash_parts").guess
    assert (guess()["SDA"], guess()["SCL"]) == (boards.bench.pins[20], boards.bench.pins[21])


def test_a_crash_page_reads_what_it_can_of_an_odd_file() -> None:
    content = b'\xef\xbb\xbf# old Mac\rSKYLINE_LEFT = "GP20"\r'
    assert parse(content, lenient=True) == {"LEFT": ("LEFT", "GP20")}


VALUES = {
    PIN: ("GP{}", "gp{}", "A0", "LED", "none", "GP99", "D5", 5, ""),
    PIN_OR_NONE: ("GP{}", "GP{}", "none", "None", "A1", "GP33", 0, "x" * 300),
}
NOISE = (
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\0",
    b"\r",
    b"[t]\n",
    b'"',
    b"\\",
    b"\xff",
    b"=",
    b"#",
    b"\n",
    b"\xc2\xa0",
    b"\\u00",
)
FOREIGN = (b'CIRCUITPY_WIFI_SSID = "a"', b"x = [1,", b"y = 3.5", b"SKYLINE_LEFFT = 1", b"s = 1", b"# text", b"", b"= 1")


def write_value(chance: random.Random, board_id: str, default: object, allowed: Any) -> bytes:
    value: Any
    if allowed in (PIN, PIN_OR_NONE):
        names = [*find_pins(RECORDS.get(board_id), board_id, "")] or ["D4", "D5", "D6", "GP0", "GP3"]
        value = chance.choice(names) if chance.random() < 0.9 else chance.choice(VALUES[allowed])
        value = value.format(chance.randrange(32)) if isinstance(value, str) else value
    elif isinstance(allowed, tuple):
        value = chance.choice([default, *allowed, allowed[-1], "oled", -1, 90.5])
    else:
        value = chance.choice([*RECORDS, NONE, NONE, NONE, "spring", 3])
    return json.dumps(value).encode() if chance.random() < 0.97 else str(value).encode()


def write_file(number: int) -> tuple[bytes, str]:
    """Return a settings.toml and a board: a few keys, now and then a slip of the keyboard or of an editor."""
    chance = random.Random(number)
    board_id = chance.choice([*SEEN, "raspberry_pi_pico", UNKNOWN])
    lines = []
    for key, default, allowed in chance.sample(KEYS, chance.choice([0, 1, 1, 2, 2, 3, 5, 9])):
        name = (PREFIX + key).encode()
        name = name.lower() if chance.random() < 0.1 else name
        lines.append(name + b" = " + write_value(chance, board_id, default, allowed))
    if chance.random() < 0.3:  # a display in colours, with its backlight
        pins = ("SCK", "MOSI", "DC", "BACKLIGHT")
        lines.append(b'SKYLINE_DISPLAY = "st7789"')
        lines += [
            f'{PREFIX}{key} = "GP{chance.choice((at, 2 + at, 14 + at, 10, 11, 18, 19))}"'.encode()
            for at, key in enumerate(pins)
        ]
    if chance.random() < 0.2:
        first = 4 * chance.randrange(7)
        lines += [f'SKYLINE_LINK_TX = "GP{first}"'.encode(), f'SKYLINE_LINK_RX = "GP{first + 1}"'.encode()]
    if chance.random() < 0.2:
        lines.insert(chance.randrange(len(lines) + 1), chance.choice(FOREIGN))
    content = chance.choice([b"\n", b"\r\n"]).join(lines)
    if chance.random() < 0.15:
        at = chance.randrange(len(content) + 1)
        content = content[:at] + chance.choice(NOISE) + content[at + chance.randrange(2) :]
    return content, board_id


def compare(numbers: range, boards: Boards, getenv: Callable[..., Any]) -> int:
    """Check each file's verdicts against each other; return how many files were accepted."""
    accepted = 0
    for number in numbers:
        content, board_id = write_file(number)
        refusal = judge(content, board_id)
        problem = boards.start(content, board_id)
        assert len(refusal) <= MOST_LETTERS and refusal.isprintable() and refusal.isascii(), (number, refusal)
        if board_id == UNKNOWN:
            continue  # nobody knows its pins beforehand, but its page names a key, or start() had failed
        assert problem == refusal, (number, content, board_id)
        if refusal:
            continue
        accepted += 1
        written = parse(content)
        for key, _default, _allowed in KEYS:
            spelled, value = written.get(key, (key, None))
            name = PREFIX + spelled if spelled.isupper() else PREFIX.lower() + spelled
            assert getenv(content, name) == value, (number, name, "CircuitPython up to 10.1")
            newer = getenv(content, name, True)
            assert newer == value or int(newer, 0) == value, (number, name, "CircuitPython from 10.2 on")
    return accepted


LONG = (pytest.mark.long, pytest.mark.no_cover)


@pytest.mark.parametrize(
    "seeds",
    [
        range(120),  # enough to cover each branch
        pytest.param(range(120, 400), marks=pytest.mark.no_cover),
        pytest.param(range(400, 1500), marks=[pytest.mark.every, pytest.mark.no_cover]),
        *(pytest.param(range(i, i + 10_000), marks=LONG) for i in range(0, 100_000, 10_000)),
    ],
)
def test_accepted_settings_build_and_refused_ones_name_a_key(boards: Boards, seeds: range) -> None:
    assert compare(seeds, boards, importlib.import_module("settings_toml").getenv) > len(seeds) // 10


def overrides(record: dict[str, str]) -> Iterator[bytes]:
    """Yield files that override keys of a profile: each pin alone and each pair, by the same and by other pins."""
    names = [*find_pins(record, record["board"], "")]
    keys = [key for key in PIN_KEYS if key in record] or PIN_KEYS[6:18]
    for count in (1, 2):
        for chosen in itertools.combinations(keys, count):
            for shift in (0, 1, 5):
                lines = [f'{PREFIX}{key} = "{names[(keys.index(key) + shift) % len(names)]}"' for key in chosen]
                yield "\n".join(lines).encode()


@pytest.mark.no_cover
@pytest.mark.parametrize("board_id", RECORDS)
def test_a_profile_with_any_two_keys_overridden_gets_one_verdict(boards: Boards, board_id: str) -> None:
    verdicts = set()
    for content in overrides(RECORDS[board_id]):
        named = b"" if "waveshare" not in board_id else b'SKYLINE_BOARD = "%s"\n' % board_id.encode()
        refusal = judge(named + content, board_id)
        assert boards.start(named + content, board_id) == refusal, content
        verdicts.add(refusal)
    assert "" in verdicts and len(verdicts) > 5
