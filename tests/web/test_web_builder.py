"""The page for builders checks settings as the firmware does, and reads a board on USB."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web.layout import LEAST_PX
from tools.web.dist import PAGE

# A board on WebSerial that runs a game until Ctrl+C.
BOARD = """
window.board = { heard: "" };
const port = {
    open() {
        let tell;
        this.readable = new ReadableStream({ start(controller) { tell = controller; } });
        const say = (text) => tell.enqueue(new TextEncoder().encode(text));
        this.writable = new WritableStream({
            write(bytes) {
                const text = new TextDecoder().decode(bytes), playing = !board.heard;
                board.heard += text;
                if (playing) return say("Traceback...\\r\\n"); // and what came along is lost
                if (text.includes("\\x01")) say(">>> \\r\\nraw REPL; CTRL-B to exit\\r\\n>");
                else if (text.includes("SKYLINE_SDA")) {
                    say("OKBoard\\traspberry_pi_pico\\r\\nCircuitPython\\t10.2.1\\r\\n");
                    say("SKYLINE_BUZZER\\tGP14\\r\\n\\x04\\x04>");
                }
            },
        });
    },
    close() {},
};
Object.defineProperty(navigator, "serial", { value: { requestPort: async () => port } });
"""


@pytest.fixture
def bench(browser: Any, site: str) -> Iterator[Any]:
    """The page for builders, with a board on USB."""
    context = browser.new_context()
    page = context.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    page.add_init_script(BOARD)
    page.goto(f"{site}builder.html")
    page.wait_for_selector("html[data-ready]", state="attached")
    yield page
    assert problems == []
    context.close()


class TestBuilders:
    LOOK = """() => {
        const { backgroundColor } = getComputedStyle(document.documentElement);
        const { backgroundColor: accent } = getComputedStyle(document.getElementById("save"));
        const touched = [...document.querySelectorAll("a, button, select, label[for^=key]")];
        const heights = touched.map((one) => one.getBoundingClientRect().height);
        return [backgroundColor, accent, Math.min(...heights)];
    }"""

    def test_page_has_the_accent_of_the_game_page_and_large_controls(self, bench: Any) -> None:
        for scheme, name in (("dark", "theme"), ("light", "light")):
            bench.emulate_media(color_scheme=scheme)
            page, accent, least = bench.evaluate(self.LOOK)
            style = (PAGE / "style" / f"{name}.css").read_text(encoding="utf-8")
            for said, variable in ((page, "page"), (accent, "accent")):
                colour = "#{:02x}{:02x}{:02x}".format(*map(int, re.findall(r"\d+", said)))
                assert f"--{variable}: {colour};" in style
            assert least >= LEAST_PX

    def test_a_wrong_pair_of_pins_is_refused_with_the_firmwares_message(self, bench: Any) -> None:
        bench.select_option("#key-SDA", "GP26")
        assert bench.inner_text("#refused").startswith("SKYLINE_SDA is GP26 with SKYLINE_SCL GP1, allowed: SDA GP0 4 8")
        assert bench.is_disabled("#save")
        bench.select_option("#key-SCL", "GP27")
        assert bench.inner_text("#refused") == ""
        assert bench.input_value("#settings").splitlines()[1:] == ['SKYLINE_SDA = "GP26"', 'SKYLINE_SCL = "GP27"']

    def test_a_board_with_a_profile_needs_no_lines(self, bench: Any) -> None:
        bench.select_option("#board", "hack_club_sprig")
        assert bench.inner_text("#refused") == "" and "Start" in bench.inner_text("#note").title()
        assert bench.input_value("#settings").splitlines()[1:] == []
        assert bench.input_value("#key-LEFT") == "BUTTON_A" and not bench.is_visible("#pico")
        offered = bench.locator("#key-LEFT option").all_inner_texts()
        assert "GP3" in offered and "BUTTON_D" in offered and "GP22" not in offered, "a Sprig's own pins"
        bench.select_option("#key-LEFT", "GP3")
        assert bench.input_value("#settings").splitlines()[1:] == ['SKYLINE_LEFT = "GP3"']
        bench.select_option("#board", "waveshare_pico_lcd_1_3")
        assert bench.input_value("#settings").splitlines()[1:] == ['SKYLINE_BOARD = "waveshare_pico_lcd_1_3"']
        assert bench.inner_text("#refused") == ""
        bench.select_option("#board", "raspberry_pi_pico")

    def test_a_pin_can_be_chosen_in_the_drawing(self, bench: Any) -> None:
        bench.click("label[for=key-BUZZER]")
        bench.click("[data-pin=GP22]")
        assert 'SKYLINE_BUZZER = "GP22"' in bench.input_value("#settings")
        bench.click("[data-pin=GP2]")
        said = bench.inner_text("#refused")
        assert said.startswith("SKYLINE_LEFT is GP2 and SKYLINE_BUZZER is GP2, the same pin, allowed: ")

    def test_a_connected_boards_facts_and_settings_are_shown(self, bench: Any) -> None:
        bench.click("#connect")
        bench.wait_for_selector("#facts dd")
        facts = dict(zip(bench.locator("dt").all_inner_texts(), bench.locator("dd").all_inner_texts(), strict=True))
        assert facts == {"Board": "raspberry_pi_pico", "CircuitPython": "10.2.1"}
        assert 'SKYLINE_BUZZER = "GP14"' in bench.input_value("#settings")
        heard = bench.evaluate("board.heard")
        assert re.search(r"struct_time\(\(20\d\d(?:,\d{1,2}){5}, 0, -1, -1\)\)", heard)  # for DAILY
        assert heard.endswith("\x02\x04")  # the board restarts the game
