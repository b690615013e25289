"""In the page keys are chosen by their place too, and named by the layout; a gamepad without a mapping is told."""

from typing import Any

import pytest

from firmware.engine.controls import HOLD, PAUSE, ROTATE_CCW, ROTATE_CW
from firmware.modes.catalogue import ZEN
from firmware.scenes.play_state import READY
from sim.desktop.keyboard import ALONE, RESTART
from sim.desktop.legend_rows import IN_MENUS, IN_PLAY
from tests.web.visit import FRAME_MS, Visit

GAME = "handheld.app.router.scene.game"
SCENE = "handheld.app.router.scene"
# What each layout prints on the places that a US layout calls X, Z, A and W.
LAYOUTS = {"us": "xzaw", "fr": "xwqz", "ru": "\u0447\u044f\u0444\u0446", "dvorak": "q;a,"}
PLACES = ("KeyX", "KeyZ", "KeyA", "KeyW")
every = pytest.mark.every
OF_THE_BROWSER = "Object.defineProperty(navigator, 'keyboard', {value: %s})"


def give_layout(visit: Visit, letters: str) -> None:
    """Let the browser of a page that opens later have a layout; without letters it does not tell its layout."""
    pairs = [[place, letter] for place, letter in zip(PLACES, letters, strict=False)]
    keyboard = f"{{getLayoutMap: async () => new Map({pairs})}}" if letters else "undefined"
    visit.page.add_init_script(OF_THE_BROWSER % keyboard)


def type_key(visit: Visit, code: str, letter: str) -> None:
    """Press and release a key that has `letter` in the layout."""
    for kind in ("rawKeyDown", "keyUp"):
        visit.devtools.send("Input.dispatchKeyEvent", {"type": kind, "code": code, "key": letter})
        visit.advance()


def read_legend(visit: Visit) -> dict[str, list[str]]:
    rows = visit.page.evaluate(
        """[...document.querySelectorAll("#legend dt")].map(
            (term) => [term.nextSibling.textContent, [...term.children].map((cap) => cap.textContent)])"""
    )
    return dict(rows)


def open_keys(visit: Visit, line: str) -> None:
    """Open OPTIONS > BUTTONS by the menus, and choose a line there."""
    visit.press("a", "a")
    for wanted in ("OPTIONS", "BUTTONS", line):
        if wanted != "OPTIONS":
            visit.press("Enter")
        for _ in range(40):
            if visit.ask(f"{SCENE}.lines[{SCENE}.at] == b'{wanted}'"):
                break
            visit.press("ArrowDown")
        assert visit.ask(f"{SCENE}.lines[{SCENE}.at] == b'{wanted}'"), wanted


@pytest.mark.parametrize("layout", ["fr", "ru", pytest.param("us", marks=every), pytest.param("dvorak", marks=every)])
def test_keys_are_chosen_and_named_in_every_layout(layout: str, visits: Any) -> None:
    """OPTIONS > BUTTONS gives Hold the key where a US layout has W; the legend names it as the layout does."""
    x, z, a, w = list(LAYOUTS[layout])
    visit = visits()
    give_layout(visit, LAYOUTS[layout])
    visit.open()
    legend = read_legend(visit)
    assert legend["turn clockwise"][:2] == [a.upper(), x.upper()] and z.upper() in legend["turn back"]
    open_keys(visit, "HOLD")
    visit.press("Enter")
    assert visit.ask(f"{SCENE}.asked") == HOLD
    type_key(visit, "KeyW", w)
    assert visit.ask(f"{SCENE}.asked") == -1 and read_legend(visit)["Hold"] == [w.upper()]
    visit.reload()
    assert read_legend(visit)["Hold"] == [w.upper()]
    visit.begin_game()
    first = visit.ask(f"{GAME}.facing")
    for code, letter, turns in (("KeyX", x, 1), ("KeyZ", z, 0), ("KeyA", a, 1), ("KeyC", "?", 1)):
        type_key(visit, code, letter)
        assert (visit.ask(f"{GAME}.facing"), visit.ask(f"{GAME}.hold")) == (first + turns & 3, 0), code
    type_key(visit, "KeyW", w)
    assert visit.ask(f"{GAME}.hold") > 0
    assert visit.problems == []


def test_a_browser_that_tells_no_layout_learns_it_by_presses(visits: Any) -> None:
    visit = visits()
    give_layout(visit, "")
    visit.open()
    assert read_legend(visit)["turn back"][1] == "Z"
    type_key(visit, "KeyZ", "\u044f")
    assert read_legend(visit)["turn back"][1] == "\u042f"


def test_the_page_asks_for_every_control_and_resets_them(visit: Visit) -> None:
    open_keys(visit, "ALL")
    visit.press("Enter")
    digits = [f"Digit{digit}" for digit in "1234567890"]
    visit.press(*digits)
    assert visit.ask(f"{SCENE}.asked") == -1
    assert [caps for what, caps in read_legend(visit).items() if what in dict(IN_PLAY)] == [
        *(["1", "2"], ["3"], ["4"], ["5"], ["6"], ["7"], ["8"], ["9"], ["0"])
    ]
    visit.press("ArrowDown", "ArrowDown", "Enter")
    assert visit.ask(f"{SCENE}.lines[{SCENE}.at] == b'RESET'")
    assert read_legend(visit)["Hold"] == ["C", "Shift"]


def test_the_legends_keys_press_their_controls(visit: Visit) -> None:
    legend = read_legend(visit)
    assert list(legend) == [*dict(IN_PLAY), *dict(IN_MENUS)]
    assert legend["START: go on, done"] == ["S", "Enter"]
    wanted = {control: [key for key, other in ALONE.items() if other == control] for control in range(RESTART + 1)}
    for what, controls in IN_PLAY:
        keys = visit.page.evaluate(
            "controls => import('/parts/input/keys.js').then(({Keys}) => controls.map(each => new Keys().find(each)))",
            list(controls),
        )
        assert keys == [wanted[control] for control in controls], what


def test_damaged_keys_count_as_none(visit: Visit) -> None:
    usual = read_legend(visit)
    wrong = ("99", '"left"', '"0"', "null", "[]", "0.5", '"length"')
    one = [f'{{"KeyA": {control}}}' for control in wrong]
    damaged = [*one, '{"Nowhere": 1}', '{"constructor": 0}', "[1, 2]", '"keys"', "null"]
    believed = visit.page.evaluate(
        """async (texts) => {
            const { load } = await import("/parts/input/keys.js");
            const { remember } = await import("/parts/saves/choices.js");
            const usual = String([...load()]);
            return texts.filter((text) => (remember("pressed by", JSON.parse(text)), String([...load()]) !== usual));
        }""",
        damaged,
    )
    visit.reload()
    assert (believed, read_legend(visit), visit.problems) == ([], usual, [])


def test_180_degrees_have_a_key(visit: Visit) -> None:
    visit.run("handheld.app.context.settings.modern = 2\nhandheld.app.context.apply_settings()")
    visit.begin_game()
    visit.press("KeyV")
    assert (visit.ask(f"{GAME}.facing"), visit.ask(f"{GAME}.statistics.presses")) == (2, 1)
    visit.press("Backspace")
    assert (visit.ask(f"{GAME}.facing"), visit.ask(f"{GAME}.hold")) == (0, 0)
    visit.press("r")
    assert visit.problems == []


def test_backspace_takes_back_in_zen_as_on_a_pc(visit: Visit) -> None:
    visit.run("app = handheld.app\napp.session.counts_down = False")
    visit.run(f"app.session.variant = {ZEN}\napp.context.go('play')")
    visit.advance(1000)
    visit.press("Space")
    visit.advance(1000)
    assert visit.ask(f"{GAME}.lock_downs") == 1
    visit.press("Backspace")
    visit.advance(500)
    assert visit.ask(f"{GAME}.lock_downs") == 0
    assert visit.ask(f"{GAME}.pressed") == 0


@pytest.mark.parametrize("pauses", [False, True])
def test_a_short_tap_of_r_restarts_in_play_and_in_a_pause(pauses: bool, visit: Visit) -> None:
    visit.begin_game()
    visit.run("handheld.app.session.counts_down = True")
    visit.press(" ")
    assert visit.ask(f"{GAME}.lock_downs") == 1
    if pauses:
        visit.press("s")
    visit.page.keyboard.down("r")
    visit.advance(2 * FRAME_MS)
    visit.release("r")
    visit.advance(200)
    assert visit.ask(f"{GAME}.lock_downs") == 0 and visit.ask(f"{SCENE}.state") == READY
    assert visit.problems == []


def test_letters_of_the_buttons_work_in_menus_wherever_they_are(visit: Visit) -> None:
    """On AZERTY the letter A is where a US layout has Q."""
    type_key(visit, "KeyQ", "a")
    assert visit.scene != "menus.title"


@pytest.mark.parametrize(("key", "control"), [("s", PAUSE), ("b", ROTATE_CCW), ("a", ROTATE_CW)])
def test_a_chosen_key_gives_its_old_control_another(key: str, control: int, visit: Visit) -> None:
    """Hold takes the key of another control, which has others left, and Hold's keys are free."""
    open_keys(visit, "HOLD")
    visit.press("Enter", key)
    table = visit.page.evaluate("JSON.parse(localStorage.getItem('skyline-page'))['pressed by']")
    assert [code for code, other in table.items() if other == HOLD] == [f"Key{key.upper()}"]
    assert control in table.values()


def test_the_help_of_by_ear_names_keys_as_the_layout_does(visits: Any) -> None:
    visit = visits()
    give_layout(visit, LAYOUTS["fr"])
    visit.open().page.focus("#ear")
    visit.press("Enter")
    assert "The key Q turns, Space drops, C holds." in visit.page.text_content("#said")
