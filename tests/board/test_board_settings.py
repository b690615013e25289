"""Wrong settings on the real firmware: the page PROBLEM and the console name the key in deploy's words."""

import pytest

from sim.pictures import save_png
from tests.support.handhelds.board_console import deployed, find_uf2
from tools.board import wires
from tools.board.handheld import make_handheld
from tools.deploy import DeployError, settings

pytestmark = pytest.mark.board

CASES = {
    # The backlight is on GP13, whose PWM slice has GP28, too.
    "waveshare_pico_lcd_1_3": [b'SKYLINE_BUZZER = "GP28"'],
    "raspberry_pi_pico": [
        b"SKYLINE_LEFFT = 1",
        b"x = [1,",
        b'[pins]\nSKYLINE_LEFT = "GP20"',
        b'SKYLINE_LINK_TX = "GP12"\nSKYLINE_LINK_RX = "GP21"',
        b'\xef\xbb\xbfSKYLINE_LEFT = "GP20"',
        b'# old Mac\rSKYLINE_LEFT = "GP20"\r',
        b"# \xe4",
        b'SKYLINE_SDA = "GP2"\nSKYLINE_LEFT = "GP0"',
    ],
}


@pytest.mark.parametrize(
    ("profile", "content"),
    [
        pytest.param(profile, content, marks=() if at < 2 else pytest.mark.long)
        for profile, contents in CASES.items()
        for at, content in enumerate(contents)
    ],
)
def test_wrong_settings_are_named_as_deploy_names_them(profile: str, content: bytes, tmp_path) -> None:
    wired = wires.PROFILES[profile]
    files = deployed(*wired.deploy_options)
    content += "".join(f"\n{line}" for line in wired.settings).encode()
    with pytest.raises(DeployError) as refusal:
        settings.check(content, "raspberry_pi_pico")
    words = str(refusal.value).removeprefix("settings.toml on the drive: ")

    handheld = make_handheld(
        find_uf2(), files | {"settings.toml": content}, display=wired.display, button_pins=wired.buttons
    )
    assert handheld.run_until(lambda: words in handheld.serial, 6), handheld.serial
    handheld.run(1)

    assert handheld.is_lit and not handheld.problem
    save_png(tmp_path / "problem.png", handheld.picture(), 4, "white")
    print(tmp_path / "problem.png")
    handheld.tap("A")
    assert handheld.run_until(lambda: handheld.serial.count(words) == 2, 6), "a button restarts the game"
