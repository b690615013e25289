"""On each device and in both themes, no part of the page is cut off, covered or too small to touch."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.web import layout
from tests.web.page_saves import open_section, press_tool
from tests.web.visit import DESK, PHONE, Visit, visiting
from tools.web import install
from tools.web.browse import SCREENS, Screen
from tools.web.dist import PAGE

# Some reach the browser by a fixture that tests/conftest.py cannot see.
pytestmark = pytest.mark.slow
# The least width of the glass on each screen, in CSS pixels.
GLASS_PX = {
    "iPhone SE": 190,
    "iPhone 15": 217,
    "iPhone 15, installed": 293,
    "small Android": 193,
    "Android, installed": 275,
    "Pixel 8": 257,
    "folded": 221,
    "iPad": 377,
    "iPhone SE on its side": 156,
    "iPhone 15 on its side": 162,
    "iPhone 15 on its side, installed": 186,
    "iPad on its side": 343,
    "1280 by 720 at 400 %": 76,
    "small laptop": 329,
    "laptop": 379,
    "desk": 473,
}
# Also windows that are no whole screen.
PLACES = {
    **SCREENS,
    "small window": Screen(620, 580, 1, has_touch=False),
    "small window, touched": Screen(620, 580, 1),
}
# Narrow, low and square windows.
SMALL_PX = [(320, 480), (320, 568), (480, 320), (360, 640), (280, 653), (400, 401), (320, 321), (321, 320)]
SMALL_PX += [(320, 256), (320, 240), (400, 216), (400, 215), (541, 541), (1280, 360)]
LEGENDS = ((700, 900), (700, 650), (844, 390))  # windows without room for the legend beside the handheld
FOUR_BUTTONS_PX = 4 * layout.LEAST_PX  # no page is narrower
# Each place as it is, and by turns with large letters or zoomed in.
SIZES = pytest.mark.parametrize(
    ("name", "zoom", "letters"),
    [
        pytest.param(name, zoom, letters, marks=[pytest.mark.every] * (way == number % 2))
        for number, (name, screen) in enumerate(PLACES.items())
        for way, (zoom, letters) in enumerate(((1, "32px"), (2, ""), (1, "")))
        if screen.width // zoom >= FOUR_BUTTONS_PX
    ],
)


@pytest.fixture(scope="module")
def phone(browser: Any, site: str) -> Iterator[Visit]:
    """A phone at the first screen; tests give it the sizes of other devices."""
    with visiting(browser, site, **PHONE) as visit:
        yield visit


@pytest.fixture(scope="module")
def desk(browser: Any, site: str) -> Iterator[Visit]:
    """A computer with a mouse at the first screen."""
    with visiting(browser, site, **DESK) as visit:
        yield visit


@pytest.fixture
def screen(name: str, zoom: int, letters: str, request: pytest.FixtureRequest) -> Iterator[tuple[Visit, int, int]]:
    """The page on a screen, zoomed in or with large letters; and its width and height."""
    it = PLACES[name]
    visit: Visit = request.getfixturevalue("phone" if it.has_touch else "desk")
    width, height = it.width // zoom, it.height // zoom
    become(visit, Screen(width, height, it.ratio * zoom, it.has_touch))
    enlarge(visit, letters)
    settle(visit)
    yield visit, width, height
    enlarge(visit, "")


def become(visit: Visit, screen: Screen) -> None:
    width, height, ratio, has_touch = screen
    how = {"width": width, "height": height, "deviceScaleFactor": ratio, "mobile": has_touch}
    visit.devtools.send("Emulation.setDeviceMetricsOverride", how)
    visit.page.wait_for_function("size => innerWidth === size[0] && innerHeight === size[1]", arg=[width, height])
    settle(visit)


def settle(visit: Visit) -> None:
    visit.page.evaluate("dispatchEvent(new Event('resize'))")  # a browser fires this only when it next draws
    visit.advance()


def adjust(visit: Visit, grown: float = 1, lift_px: int = 0, inset_px: int = 0) -> None:
    """Move the sliders of the buttons' size, height and distance from the edge."""
    for name, value in (("grown", grown), ("lift", f"{lift_px}px"), ("inset", f"{inset_px}px")):
        set_it = "([name, value]) => document.documentElement.style.setProperty(name, value)"
        visit.page.evaluate(set_it, [f"--{name}", str(value)])
    settle(visit)


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


class TestScreens:
    """The same rules on 16 screens, at normal size, with large letters, and zoomed in."""

    CUT = """lists => lists.filter((list) => {
        const shown = list.offsetWidth;
        list.style.minWidth = "max-content";
        const whole = list.offsetWidth;
        list.style.minWidth = "";
        return whole > shown;
    }).map((list) => list.id)"""

    @SIZES
    def test_nothing_is_cut_off_and_the_glass_is_large(
        self, screen: tuple[Visit, int, int], name: str, zoom: int, letters: str
    ) -> None:
        _, _, height = screen
        glass = check(*screen)["glass"]
        assert glass["bottom"] - glass["top"] >= height / 3
        if (zoom, letters) == (1, "") and name in SCREENS:
            assert glass["right"] - glass["left"] >= GLASS_PX[name] - 0.01

    @pytest.mark.parametrize(("zoom", "letters"), [(1, "")])
    @pytest.mark.parametrize("name", SCREENS)
    def test_no_slider_moves_a_button_over_another(self, screen: tuple[Visit, int, int]) -> None:
        visit, _, _ = screen
        found = []
        for grown, lift_px, inset_px in ((0.7, 0, 0), (1.4, 0, 0), (1, 100, 60), (1.4, 100, 60)):
            adjust(visit, grown, lift_px, inset_px)
            found.append(visit.page.evaluate(layout.MEASURE))
        adjust(visit)
        for each in found:
            layout.check(each, *screen[1:])

    @pytest.mark.parametrize(("name", "zoom", "letters"), [("iPad on its side", 1, "")])
    def test_buttons_of_a_tablet_stand_at_the_edges(self, screen: tuple[Visit, int, int]) -> None:
        _, width, height = screen
        boxes = {box["name"]: box for box in check(*screen)["buttons"]}
        assert boxes["Left"]["left"] <= 0.05 * width and boxes["Left"]["top"] >= height / 2
        assert boxes["A: rotate clockwise; select in menus"]["right"] >= 0.95 * width

    @pytest.mark.parametrize("grown", [0.7, 1, 1.4])
    @pytest.mark.parametrize("name", ["iPhone SE", "iPhone 15, installed", "iPad"])
    def test_the_larger_glass_counts_with_buttons_of_any_size(self, phone: Visit, name: str, grown: float) -> None:
        """HOLD and START stand beside the glass or below it; either way by force gives no larger glass."""
        become(phone, SCREENS[name])
        adjust(phone, grown)
        heights = []
        for below in ("", "-999px", "999px"):
            phone.page.evaluate("below => document.body.style.setProperty('--below', below)", below)
            settle(phone)
            heights.append(phone.page.locator("#glass").bounding_box()["height"])
        adjust(phone)
        phone.page.evaluate("document.body.style.removeProperty('--below')")
        assert heights[0] == max(heights) > min(heights)

    def test_a_fractional_scale_is_scaled_down_from_the_next_whole_one(self, phone: Visit) -> None:
        become(phone, SCREENS["iPhone SE"])
        dots, shown = phone.page.evaluate("(c => [c.width, c.getBoundingClientRect().width * 2])(glass)")
        assert dots % 70 == 0 and dots - 70 < shown <= dots and shown / 70 > 2

    @pytest.mark.parametrize(("zoom", "letters"), [(1, "")])
    @pytest.mark.parametrize("name", SCREENS)
    def test_the_menu_is_whole(self, screen: tuple[Visit, int, int]) -> None:
        visit, width, height = screen
        if not visit.page.is_visible("#tools"):
            visit.page.click("#menu-shown")
        tools = visit.page.locator("#tools")
        box = tools.bounding_box()
        cut = tools.evaluate("tools => tools.scrollHeight - tools.clientHeight")
        visit.page.press("body", "Escape")
        assert cut <= 0 and box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height

    @pytest.mark.parametrize(("zoom", "letters"), [(1, ""), (1, "32px")])
    @pytest.mark.parametrize("name", SCREENS)
    def test_the_first_stop_of_tab_covers_half_of_no_button(self, screen: tuple[Visit, int, int]) -> None:
        visit, _, _ = screen
        visit.page.focus("#ear")
        seen = visit.page.locator("#friend").evaluate("friend => friend.checkVisibility({checkOpacity: true})")
        first, second = (visit.page.locator(name).bounding_box() for name in ("#ear", "#friend"))
        visit.page.evaluate("document.activeElement.blur()")
        apart = not second or any(
            one[at] + one[size] <= other[at]
            for one, other in ((first, second), (second, first))
            for at, size in (("x", "width"), ("y", "height"))
        )
        assert apart or not seen

    @pytest.mark.parametrize("section", ["share", "games", "together", "settings"])
    def test_sections_cut_nothing_off_with_large_letters(self, phone: Visit, section: str) -> None:
        become(phone, SCREENS["iPhone SE"])
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


@pytest.mark.parametrize("grown", [0.7, 1, 1.4])
def test_windows_smaller_than_any_screen_hold_it_all(desk: Visit, grown: float) -> None:
    for width, height in SMALL_PX:
        become(desk, Screen(width, height, 1, has_touch=False))
        adjust(desk, grown)
        check(desk, width, height)
    adjust(desk)


class TestNotices:
    """A toast floats over the empty body; it disappears unless it offers something."""

    BROKEN = """() => {
        const text = document.querySelector("#notice span").firstChild;
        return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            return range.getClientRects().length > 1;
        }).map(([word]) => word);
    }"""
    IS_LONG = "notice.classList.contains('long')"
    LINES = ("Copied.", "Skyline is open in another tab. Only that tab saves scores.")
    LONG = (
        "Xbox 360 Controller (Vendor: 045e Product: 028e) has no mapping here, so it does nothing. "
        "Steam Input or its mode XInput (X) gives it one."
    )

    @SIZES
    def test_nothing_moves_and_no_button_is_covered(
        self, screen: tuple[Visit, int, int], name: str, zoom: int, letters: str
    ) -> None:
        visit, width, height = screen
        before = check(*screen)
        for line in self.LINES:
            visit.tell(line, True)
            settle(visit)
            found = check(*screen)
            notice = found["notice"]
            if (zoom, letters) == (1, "") and name in SCREENS and line == self.LINES[-1]:
                assert notice["cut"] <= 0 and not visit.page.evaluate(self.IS_LONG)
                assert visit.page.evaluate(self.BROKEN) == []
            names = {box["name"] for box in found["buttons"]}  # without that of the button in whose place it stands
            stayed = [box for box in before["buttons"] if box["name"] in names]
            assert found == before | {"notice": notice, "buttons": stayed}
            assert {box["name"] for box in before["buttons"]} - names <= {"friend"}
            kept = [*found["buttons"], *[found["glass"]] * (not visit.page.evaluate(self.IS_LONG))]
            assert not [box for box in kept if layout.overlap(box, notice)]
            close = visit.page.locator("#notice [aria-label=Close]").bounding_box()
            assert min(notice["left"], notice["top"]) >= 0 and notice["right"] <= width
            assert notice["top"] <= close["y"] and close["y"] + close["height"] <= notice["bottom"] <= height
            visit.page.evaluate("document.querySelector('#notice [aria-label=Close]').click()")
            settle(visit)
            assert visit.notice == "" and check(*screen) == before

    @pytest.mark.parametrize("touched", [False, True], ids=["mouse", "touch"])
    def test_a_long_line_is_wide_and_covers_no_control(self, touched: bool, request: pytest.FixtureRequest) -> None:
        """Not even in windows that are smaller than any screen, and beside an offer."""
        visit: Visit = request.getfixturevalue("phone" if touched else "desk")
        offer = "import('/parts/menus/notice.js').then(({ offer }) => offer('A new version.', 'Take it', () => {}))"
        visit.tell(self.LONG, True)
        for _ in range(2):
            for width, height in SMALL_PX:
                become(visit, Screen(width, height, 1, has_touch=touched))
                found = visit.page.evaluate(layout.MEASURE)
                notice = found["notice"]
                controls = [box for box in found["buttons"] if box["name"] != "friend"]
                assert not [box for box in controls if layout.overlap(box, notice)], (width, height)
                assert min(notice["left"], notice["top"]) >= 0 and notice["right"] <= width, (width, height)
                assert notice["bottom"] - notice["top"] >= layout.LEAST_PX, (width, height)
                hidden = visit.page.evaluate("notice.scrollHeight - notice.clientHeight")
                assert notice["right"] - notice["left"] > width / 2 or not hidden, (width, height)
            visit.page.evaluate(offer)
        visit.tell("", False)
        assert visit.notice == "A new version."
        visit.page.click("#notice button:text-is('Take it')")
        assert visit.notice == ""

    def test_a_line_stands_beside_an_offer(self, phone: Visit) -> None:
        """A shared game offers to play on until the player answers."""
        phone.page.evaluate(
            """() => import("/parts/menus/notice.js").then(({ offer, tell }) => {
                offer("A game.", "Play on", () => { window.taken = "an older one"; });
                offer("A new version.", "Take it", () => {});
                tell("Copied.");
                offer("Another game.", "Play on", () => { window.taken = "the last one"; });
            })"""
        )
        said = "[...document.querySelectorAll('#notice span')].map((line) => line.textContent)"
        assert phone.page.evaluate(said) == ["Copied.", "A new version.", "Another game."]
        phone.advance(9000)
        assert phone.page.evaluate(said) == ["A new version.", "Another game."]
        phone.page.click("#notice button:text-is('Play on')")
        phone.page.click("#notice [aria-label=Close]")
        assert phone.page.evaluate(said) == [] and phone.page.evaluate("taken") == "the last one"

    def test_a_toast_disappears_by_itself(self, phone: Visit) -> None:
        phone.tell("Copied.", False)
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

    def test_buttons_have_edges_in_the_colours_of_the_system(self, visits: Any) -> None:
        """There no button has a ground or a shadow."""
        visit = visits(forced_colors="active").open()
        visit.page.click("#more-shown")
        bare = """[...document.querySelectorAll("button, dialog")].filter(
            (one) => one.checkVisibility() && parseFloat(getComputedStyle(one).borderTopWidth) < 1
        ).map((one) => one.id || one.ariaLabel)"""
        assert visit.page.evaluate(bare) == []

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

    @pytest.mark.parametrize(
        ("width", "height"),
        [(375, 553), (900, 700), *(pytest.param(*size, marks=pytest.mark.every) for size in LEGENDS)],
    )
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


def test_the_player_can_set_place_and_size_of_the_buttons(visit: Visit) -> None:
    button = visit.page.locator("[data-control='0']")
    slide = "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }"
    visit.page.set_viewport_size({"width": 768, "height": 954})  # a phone has no room for larger buttons
    before = button.bounding_box()
    for slider, value in {"thumb": 120, "lift": 40, "inset": 10}.items():
        visit.page.locator(f"#{slider}").evaluate(slide, value)
    changed = button.bounding_box()
    assert changed["width"] == pytest.approx(before["width"] * 1.2, abs=1)
    assert changed["x"] == pytest.approx(before["x"] + 10, abs=1) and changed["y"] < before["y"] - 40
    remembered = json.loads(visit.page.evaluate("localStorage.getItem('skyline-page')"))
    assert (remembered["thumb"], remembered["lift"], remembered["inset"]) == (120, 40, 10) and visit.problems == []


@pytest.mark.parametrize("scale", [1, 2.5, 4])  # pixels without lines between, shrunk ones with lines, whole ones
def test_a_changed_picture_looks_like_one_drawn_at_once(phone: Visit, scale: float) -> None:
    differences = phone.page.evaluate(
        """async scale => {
            const { Glass } = await import("/parts/glass/glass.js");
            const make = () => {
                const canvas = document.createElement("canvas");
                canvas.getContext("2d", { alpha: false, willReadFrequently: true });
                const glass = new Glass(canvas);
                glass.fit(70 * scale, 134 * scale, 1);
                return glass;
            };
            const read = ({ pen, canvas }) => pen.getImageData(0, 0, canvas.width, canvas.height).data;
            const kept = make();
            const picture = new Uint8Array(1024);
            let noise = 1;
            const draw = (below) => ((noise = (Math.imul(noise, 1103515245) + 12345) >>> 0) >>> 16) % below;
            let different = 0;
            for (let round = 0; round < 40; round++) {
                for (let bytes = draw(9); bytes; bytes--) picture[draw(1024)] = draw(256);
                const how = [picture, round % 10 ? 255 : 40, round > 25];
                if (round === 15) kept.colour = "yellow-blue";
                const fresh = make();
                fresh.colour = kept.colour;
                kept.draw(...how);
                fresh.draw(...how);
                const [one, other] = [read(kept), read(fresh)];
                if (!one.every((level, at) => level === other[at])) different++;
            }
            return different;
        }""",
        scale,
    )
    assert differences == 0
