"""The ninth button is a half turn with that rule, and REWIND in Zen (firmware/nine_buttons.py)."""

from types import SimpleNamespace
from typing import Any

import pytest

from firmware.app import App
from firmware.device.edges import EdgeQueue
from firmware.engine.controls import HARD_DROP, HOLD, LEFT, PAUSE
from firmware.engine.options import HALF_TURNS
from firmware.modes.catalogue import ZEN
from firmware.nine_buttons import NineButtons, connect
from firmware.save.recorder import Recorder
from firmware.save.settings import Settings
from tests.support.handhelds.handheld import Handheld


class TestNinth:
    def translate(self, **fields: int) -> list[tuple[int, int]]:
        settings = Settings()
        session: Any = SimpleNamespace(variant=fields.pop("variant", 0))
        for name, value in fields.items():
            setattr(settings, name, value)
        edges = EdgeQueue()
        for button, pressed, t_ms in ((LEFT, 1, 100), (8, 1, 110), (8, 0, 120), (LEFT, 0, 130)):
            edges.append(button, pressed, t_ms)
        queue = NineButtons(settings, session).translate(edges, 130)
        return [(queue.button[i], queue.pressed[i]) for i in range(1, queue.count - 1)]

    def test_what_it_does_depends_on_the_game(self) -> None:
        assert self.translate() == []
        assert self.translate(modern=HALF_TURNS) == [(4, 1), (5, 1), (4, 0), (5, 0)]
        assert self.translate(variant=ZEN) == [(HOLD, 1), (PAUSE, 1), (HOLD, 0), (PAUSE, 0)]

    def test_power_on_reads_the_buttons_before_there_is_a_scene(self, build: Any) -> None:
        device = build(TARGET="GP22")
        first = App(device)
        first.context.settings.ready = 1
        first.context.save_settings()
        assert App(device).router.wanted == "menus.title"

    def test_menus_never_see_it(self, build: Any, workbench: Any) -> None:
        device = build(TARGET="GP22")
        assert device.wired == 511
        keys = device.buttons
        edges = EdgeQueue()

        def read(*pins: int) -> list[int]:
            for pin in pins:
                workbench.pins[pin].press()
                workbench.pass_time(20)
                workbench.pins[pin].release()
                workbench.pass_time(20)
            edges.clear()
            keys.poll(edges)
            return list(edges.button[: edges.count])

        assert read(22, 2, 22) == [8, 0, 0, 8], "only its releases"
        scene = SimpleNamespace(kind="play", steered=1, state=0, cover=None)
        connect(keys, SimpleNamespace(scene=scene))  # type: ignore[arg-type]
        assert read(22, 2) == [8, 8, 0, 0]
        scene.state, scene.cover = 1, None
        assert read(22) == [8]
        edges.clear()
        edges.append(8, 1, 0)
        keys.poll(edges)
        assert not edges.count, "nor a press that has waited for a frame"
        scene.cover = SimpleNamespace(steps=1)
        assert read(22) == [8, 8]
        connect(keys, SimpleNamespace(scene=SimpleNamespace(contacts=None)))  # type: ignore[arg-type]
        assert read(22) == [8, 8], "the test of the buttons tries it, too"

    @pytest.mark.parametrize("modern", [0, HALF_TURNS])
    def test_an_app_with_nine_buttons_plays_by_them(self, modern: int) -> None:
        handheld = Handheld(first="menus.title")
        handheld.device.wired = 511
        handheld.settings.modern = modern
        handheld.context.apply_settings()
        handheld.session.counts_down = False
        handheld.open("play", frames=2)
        handheld.buttons.edges.append((8, 1, handheld.clock.now_ms))
        handheld.step()
        assert handheld.game.facing == (2 if modern else 0)

    def test_in_zen_it_takes_a_tetrimino_back_and_plays_on_when_released(self) -> None:
        handheld = Handheld(first="menus.title", recorder=Recorder(4096))
        handheld.device.wired = 511
        handheld.context.apply_settings()
        handheld.session.counts_down = False
        handheld.session.choose_variant(ZEN)
        handheld.settings.variant = ZEN
        handheld.open("play", frames=2)
        for _ in range(4):
            handheld.press(HARD_DROP)
            handheld.step(16, 40)
        assert handheld.game.lock_downs == 4
        for pressed in (1, 0):
            handheld.buttons.edges.append((8, pressed, handheld.clock.now_ms))
            handheld.step(16, 30)
        assert handheld.game.lock_downs == 3 and handheld.game.pressed == 0
        handheld.press(HARD_DROP)
        handheld.step(16, 60)
        assert handheld.game.lock_downs == 4
