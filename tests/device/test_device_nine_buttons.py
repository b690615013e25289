"""The ninth button is a half turn with that rule, and REWIND in Zen (firmware/nine_buttons.py)."""

from types import SimpleNamespace
from typing import Any

import pytest

from firmware.app import App
from firmware.device.edges import EdgeQueue
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE, ROTATE_CCW, ROTATE_CW
from firmware.engine.options import HALF_TURNS
from firmware.modes.catalogue import MARATHON, ZEN
from firmware.nine_buttons import NineButtons, connect
from firmware.save.recorder import Recorder
from firmware.save.settings import Settings
from tests.support.handhelds.handheld import Handheld
from tests.support.polling import poll_untimed, read_untimed

NINTH = 8
NINTH_PIN, LEFT_PIN = 22, 2


@pytest.fixture
def keys(build: Any) -> Any:
    """The board's buttons, the ninth on a pin of its own."""
    return build(TARGET=f"GP{NINTH_PIN}").buttons


def tap(keys: Any, bench: Any, *pins: int) -> list[int]:
    """Press and release pins one after the other; return the button of each edge."""
    for pin in pins:
        bench.pins[pin].press()
        bench.pass_time(20)
        bench.pins[pin].release()
        bench.pass_time(20)
    return [button for button, _pressed in poll_untimed(keys)]


def show(keys: Any, **scene: object) -> None:
    """Let a scene with these attributes be on the screen."""
    router: Any = SimpleNamespace(scene=SimpleNamespace(**scene))
    connect(keys, router)


def play(variant: int, modern: int = 0) -> Handheld:
    """Return a handheld of nine buttons in a game without countdown."""
    handheld = Handheld(first="menus.title", wired=511, recorder=Recorder(4096))
    handheld.change_settings(variant=variant, modern=modern)
    handheld.context.apply_settings()
    handheld.session.counts_down = False
    handheld.session.choose_variant(variant)
    handheld.open("play", frames=2)
    return handheld


class TestNinth:
    @pytest.mark.parametrize(
        ("modern", "variant", "edges"),
        [
            (0, MARATHON, []),
            (HALF_TURNS, MARATHON, [(ROTATE_CW, 1), (ROTATE_CCW, 1), (ROTATE_CW, 0), (ROTATE_CCW, 0)]),
            (0, ZEN, [(HOLD, 1), (PAUSE, 1), (HOLD, 0), (PAUSE, 0)]),
        ],
    )
    def test_what_it_does_depends_on_the_game(self, modern: int, variant: int, edges: list[tuple[int, int]]) -> None:
        settings = Settings()
        settings.modern = modern
        session: Any = SimpleNamespace(variant=variant)
        queue = EdgeQueue()
        for button, pressed, t_ms in ((LEFT, 1, 100), (NINTH, 1, 110), (NINTH, 0, 120), (LEFT, 0, 130)):
            queue.append(button, pressed, t_ms)
        assert read_untimed(NineButtons(settings, session).translate(queue, 130)) == [(LEFT, 1), *edges, (LEFT, 0)]

    def test_power_on_reads_the_buttons_before_there_is_a_scene(self, build: Any) -> None:
        device = build(TARGET=f"GP{NINTH_PIN}")
        first = App(device)
        first.context.settings.ready = 1
        first.context.save_settings()
        assert App(device).router.wanted == "menus.title"

    def test_before_the_first_scene_only_its_releases_are_seen(self, keys: Any, workbench: Any) -> None:
        assert keys.wired == 511
        assert tap(keys, workbench, NINTH_PIN, LEFT_PIN, NINTH_PIN) == [NINTH, LEFT, LEFT, NINTH]

    @pytest.mark.parametrize(
        ("scene", "edges"),
        [
            pytest.param({"kind": "menu"}, 1, id="a menu"),
            pytest.param({"kind": "play", "steered": 1, "state": 0, "cover": None}, 2, id="a Tetrimino in play"),
            pytest.param({"kind": "play", "steered": 1, "state": 1, "cover": None}, 1, id="a pause"),
            pytest.param({"kind": "play", "cover": SimpleNamespace(steps=1)}, 2, id="REWIND"),
            pytest.param({"contacts": None}, 2, id="the test of the buttons"),
        ],
    )
    def test_a_press_is_seen_only_where_it_has_a_meaning(
        self, keys: Any, workbench: Any, scene: dict[str, object], edges: int
    ) -> None:
        """Menus do not know the button; a release always passes."""
        show(keys, **scene)
        assert tap(keys, workbench, NINTH_PIN) == [NINTH] * edges

    def test_a_menu_does_not_see_a_press_that_has_waited_for_a_frame(self, keys: Any) -> None:
        show(keys, kind="menu")
        edges = EdgeQueue()
        edges.append(NINTH, 1, 0)
        keys.poll(edges)
        assert not edges.count

    @pytest.mark.parametrize(("modern", "facing"), [(0, 0), (HALF_TURNS, 2)])
    def test_an_app_with_nine_buttons_plays_by_them(self, modern: int, facing: int) -> None:
        handheld = play(MARATHON, modern)
        handheld.move(NINTH, 1)
        assert handheld.game.facing == facing

    def test_in_zen_it_takes_a_tetrimino_back_and_plays_on_when_released(self) -> None:
        handheld = play(ZEN)
        for _ in range(4):
            handheld.press(HARD_DROP)
            handheld.step(16, 40)
        assert handheld.game.lock_downs == 4
        handheld.hold(NINTH, 30)
        handheld.step(16, 30)
        assert handheld.game.lock_downs == 3 and handheld.game.pressed == 0
        handheld.press(HARD_DROP)
        handheld.step(16, 60)
        assert handheld.game.lock_downs == 4
