"""Wiring gets the same values or errors on every interpreter, and its test of the buttons the same verdicts."""

from firmware.device.config_error import list_names
from firmware.device.settings_file import parse
from firmware.device.wiring import KEYS, WiringError
from firmware.device.wiring_reading import read
from firmware.scenes.setup.contacts import Contacts

PINS = {"GP" + str(number): 100 + number for number in range(29) if number not in (23, 24)}
PINS["A0"], PINS["LED"] = PINS["GP26"], PINS["GP25"]


def write(key, value):
    return key + " = " + ('"' + value + '"' if isinstance(value, str) else str(value))


def read_wiring(settings):
    values: dict = {}
    try:
        read(parse("\n".join([write(key, settings[key]) for key in sorted(settings)]).encode()), PINS, values)
    except WiringError as wrong:
        return str(wrong)
    return " ".join([str(values[key]) for key, _default, _allowed in KEYS])


def judge_contacts():
    contacts = Contacts(0b1111, 0, 0)
    now_ms = 0
    for button in (1, 0, 2):
        contacts.take_edge(button, 1, now_ms + 50)
        contacts.advance(now_ms + 60)
        contacts.take_edge(button, 0, now_ms + 150)
        now_ms += 400
        contacts.advance(now_ms)
    contacts.advance(now_ms + 9000)
    return "%d %s" % (contacts.asked, list(contacts.verdict))


SETTINGS: tuple = (
    {},
    {"SKYLINE_I2C_ADDRESS": "0x3D", "SKYLINE_HOLD": "none", "SKYLINE_I2C_HZ": 1000000, "SKYLINE_ROTATION": "270"},
    {"SKYLINE_LEFT": "GP23"}, {"SKYLINE_LEFT": "A0", "SKYLINE_BUZZER": "GP26"},
    {"SKYLINE_SDA": "GP20", "SKYLINE_SCL": "GP19"}, {"SKYLINE_I2C_HZ": "fast"}, {"SKYLINE_DISPLAY": "oled"},
)  # fmt: skip
lines = [read_wiring(settings) for settings in SETTINGS]
contacts = judge_contacts()
assert lines[0].startswith("None ssd1306 90 60 400000 24000000 240 240 0 0 None None None"), lines[0]
assert contacts == "8 [3, 3, 1, 2, 0, 0, 0, 0]", contacts
print("; ".join(lines + [list_names(PINS), contacts]))
