"""On each device and in both themes, no part of the page is cut off, covered or too small to touch."""

import json
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from tests.web import layout
from tests.web.page_saves import open_section, press_tool
from tests.web.visit import PHONE, Visit, visiting
from tools.web import install
from tools.web.browse import DEVICES
from tools.web.dist import PAGE

SIZES = pytest.mark.parametrize(
    ("zoom", "letters"), [(1, ""), (1, "32px"), (2, "")], ids=["as it is", "large letters", "zoomed in"]
)


@pytest.fixture(scope="module")
def phone(browser: Any, site: str) -> Iterator[Visit]:
    """A phone at the first screen; tests give it the sizes of other devices."""
    with visiting(browser, site, **PHONE) as visit:
        yield visit


def become(visit: Visit, width: int, height: int, ratio: float) -> None:
    how = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": True}
    visit.devtools.send("Emulation.setDeviceMetricsOverride", how)
    visit.page.wait_for_function("size => innerWidth === size[0] && innerHeight === size[1]", arg=[width, height])
    settle(visit)


def settle(visit: Visit) -> None:
    visit.page.evaluate("dispatchEvent(new Event('resize'))")  # a browser fires this only when it next draws
    visit.advance()


def enlarge(visit: Visit, letters: str) -> None:
    visit.page.evaluate("size => { document.documentElement.style.fontSize = size; }", letters)


def check(visit: Visit, width: int, height: int) -> dict[str, Any]:
    """Check that no part is cut off, covered or too small; return the measures."""
    found: dict[str, Any] = visit.page.evaluate(layout.MEASURE)
    layout.check(found, width, height)
    return found


def test_hardly_anything_moves_while_the_page_loads(browser: Any, site: str) -> None:
    visit = Visit(browser, site, **PHONE)
    visit.page.add_init_script(
        """shifts = [];
        new PerformanceObserver((list) => shifts.push(...list.getEntries().map((entry) => entry.value)))
            .observe({type: "layout-shift", buffered: true});"""
    )
    visit.open().advance(500)
    assert sum(visit.page.evaluate("shifts")) < 0.01  # the glass snaps to whole pixels; people notice 0.1
    visit.close()


class TestDevices:
    """The same rules on eight devices, at normal size, with large letters, and zoomed in."""

    CUT = """lists => lists.filter((list) => {
        const shown = list.offsetWidth;
        list.style.minWidth = "max-content";
        const whole = list.offsetWidth;
        list.style.minWidth = "";
        return whole > shown;
    }).map((list) => list.id)"""

    @pytest.mark.parametrize("device", DEVICES)
    @SIZES
    def test_nothing_is_cut_off(self, phone: Visit, device: str, zoom: int, letters: str) -> None:
        width, height, ratio = DEVICES[device]
        become(phone, width // zoom, height // zoom, ratio * zoom)
        enlarge(phone, letters)
        phone.advance()
        glass = check(phone, width // zoom, height // zoom)["glass"]
        enlarge(phone, "")
        assert zoom > 1 or letters or glass["bottom"] - glass["top"] >= height / 2

    def test_a_fractional_scale_is_scaled_down_from_the_next_whole_one(self, phone: Visit) -> None:
        become(phone, *DEVICES["iPhone SE"])
        dots, shown = phone.page.evaluate("(c => [c.width, c.getBoundingClientRect().width * 2])(glass)")
        assert dots % 70 == 0 and dots - 70 < shown <= dots and shown / 70 > 2

    @pytest.mark.parametrize("section", ["share", "games", "together", "settings"])
    def test_sections_cut_nothing_off_with_large_letters(self, phone: Visit, section: str) -> None:
        become(phone, *DEVICES["iPhone SE"])
        enlarge(phone, "32px")
        open_section(phone, section)
        panel = phone.page.locator(f"#{section}-panel")
        assert panel.evaluate("panel => panel.scrollWidth - panel.clientWidth") <= 0
        assert phone.page.evaluate(layout.SMALL, layout.LEAST_PX) == []
        assert panel.locator("select").evaluate_all(self.CUT) == []
        phone.page.click("#more [aria-label=Close]")
        enlarge(phone, "")

    @pytest.mark.parametrize("page", ["index.html", "builder.html"])
    def test_a_phone_zooms_in_on_no_field(self, page: str, phone: Visit, site: str) -> None:
        """Safari zooms in on a field that is touched if its letters have less than 16 px."""
        other = phone.context.new_page()
        other.goto(site + page)
        sizes = other.evaluate(
            """[...document.querySelectorAll("input, select, textarea")].map(
                (one) => [one.id, getComputedStyle(one).fontSize])"""
        )
        other.close()
        assert sizes and not [name for name, size in sizes if float(size.removesuffix("px")) < 16]


class TestNotices:
    """A toast covers neither the glass nor, if there is room, a button; it disappears unless it offers something."""

    TELL = "([line, lasting]) => import('/parts/menus/notice.js').then(({ tell }) => tell(line, lasting))"
    PLACES: ClassVar = {**DEVICES, "small window": (620, 580, 1)}

    @pytest.mark.parametrize("device", PLACES)
    @SIZES
    def test_a_toast_does_not_cover_the_glass(self, phone: Visit, device: str, zoom: int, letters: str) -> None:
        width, height, ratio = self.PLACES[device]
        width, height = width // zoom, height // zoom
        become(phone, width, height, ratio * zoom)
        enlarge(phone, letters)
        phone.page.evaluate(self.TELL, ["Skyline is open in another tab. Only that tab saves scores.", True])
        settle(phone)
        found = check(phone, width, height)
        glass, notice = found["glass"], found["notice"]
        is_crowded = height < (300 if width > height else 420)
        kept = [glass, *found["buttons"] * (not is_crowded)]
        assert not [box for box in kept if layout.overlap(box, notice)]
        assert glass["bottom"] - glass["top"] >= height / 3
        close = phone.page.locator("#notice [aria-label=Close]").bounding_box()
        assert notice["top"] <= close["y"] and close["y"] + close["height"] <= notice["bottom"] <= height
        enlarge(phone, "")
        phone.page.evaluate("document.querySelector('#notice [aria-label=Close]').click()")
        assert phone.notice == ""

    def test_a_toast_disappears_by_itself(self, phone: Visit) -> None:
        phone.page.evaluate(self.TELL, ["Copied.", False])
        phone.advance(7000)
        assert phone.notice == "Copied."
        phone.advance(2000)
        assert phone.notice == ""


class TestThemes:
    PAGE_COLOUR = "getComputedStyle(document.documentElement).backgroundColor"
    CONTRAST = """pairs => pairs.map((pair) => {
        const [one, other] = pair.map((name) => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.style.color = `var(--${name})`;
            const levels = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map((level) => level / 255);
            probe.remove();
            const [r, g, b] = levels.map((l) => (l <= 0.04045 ? l / 12.92 : ((l + 0.055) / 1.055) ** 2.4));
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        });
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    })"""

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_words_and_accent_have_enough_contrast(self, phone: Visit, scheme: str) -> None:
        phone.page.emulate_media(color_scheme=scheme)
        words = [[ink, paper] for ink in ("text", "strong", "faint", "accent") for paper in ("panel", "page", "body-2")]
        words += [["on-accent", "accent"], ["cap-text", "cap"]]
        ratios = phone.page.evaluate(self.CONTRAST, words)
        assert [pair for pair, ratio in zip(words, ratios, strict=True) if ratio < 4.5] == []

    def test_the_theme_follows_the_system_or_the_choice(self, visits: Any) -> None:
        visit = visits(color_scheme="light").open()
        light = visit.page.evaluate(self.PAGE_COLOUR)
        visit.page.emulate_media(color_scheme="dark")
        dark = visit.page.evaluate(self.PAGE_COLOUR)
        assert light != dark
        open_section(visit, "settings")
        visit.page.select_option("#theme", "light")
        assert visit.page.evaluate(self.PAGE_COLOUR) == light
        visit.reload()
        assert visit.page.evaluate(self.PAGE_COLOUR) == light

    def test_icon_has_the_accent_of_the_page(self) -> None:
        assert f"--accent: {install.ACCENT};" in (PAGE / "style" / "theme.css").read_text(encoding="utf-8")

    def test_pressed_button_has_another_shape(self, phone: Visit) -> None:
        shape = "one => [one.borderRadius, one.transform, one.boxShadow].join()"
        look = f"button => ({shape})(getComputedStyle(button))"
        for control in (0, 4):
            button = phone.page.locator(f"[data-control='{control}']")
            before = button.evaluate(look)
            button.evaluate("button => { button.style.transition = 'none'; button.classList.add('down'); }")
            after = button.evaluate(look)
            button.evaluate("button => { button.removeAttribute('style'); button.classList.remove('down'); }")
            assert all(one != other for one, other in zip(before.split(","), after.split(",")[:1], strict=False))


class TestLegend:
    """The legend of keys opens by itself only if it fits beside the handheld."""

    @pytest.mark.parametrize(("width", "height"), [(375, 553), (700, 900), (700, 650), (900, 700), (844, 390)])
    def test_a_legend_that_would_cover_the_game_opens_only_on_request(self, width: int, height: int, visits) -> None:
        visit = visits(viewport={"width": width, "height": height}).open()
        assert not visit.page.is_visible("#legend")
        press_tool(visit, "#keys-shown")
        assert visit.page.is_visible("#legend")
        visit.page.click("#legend")
        assert not visit.page.is_visible("#legend")
        visit.page.set_viewport_size({"width": 1280, "height": 800})
        visit.page.wait_for_selector("#legend", state="visible")
        visit.page.set_viewport_size({"width": width, "height": height})
        visit.page.wait_for_selector("#legend", state="hidden")
        chosen = visit.page.evaluate("localStorage.getItem('skyline-page')")
        assert "keys" not in json.loads(chosen)  # the request is not saved

    @pytest.mark.parametrize("letters", ["16px", "32px"])
    def test_an_open_legend_is_whole_and_beside_the_handheld(self, letters: str, visits: Any) -> None:
        visit = visits(viewport={"width": 1280, "height": 800})
        large = f"document.documentElement.style.fontSize = '{letters}'"
        visit.page.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ {large}; }})")
        visit.open()
        assert visit.page.is_visible("#legend") is (letters == "16px")
        if letters == "16px":
            legend, handheld = (visit.page.locator(what).bounding_box() for what in ("#legend", "main"))
            assert legend["x"] >= handheld["x"] + handheld["width"] and legend["x"] + legend["width"] <= 1280
            assert legend["y"] + legend["height"] <= 800


def test_two_fingers_do_not_zoom(phone: Visit) -> None:
    """Zoomed in, a player could not zoom out, because the game takes all gestures."""
    for place in ("main", "header"):
        box = phone.page.locator(place).bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for apart in range(10, 160, 6):
            points = [{"x": x + way * apart, "y": y, "id": way + 1} for way in (-1, 1)]
            kind = "touchMove" if apart > 10 else "touchStart"
            phone.devtools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        phone.devtools.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        phone.advance()
        assert phone.page.evaluate("visualViewport.scale") == 1
