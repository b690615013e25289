"""The first start and Options > Device, by edges, with all wiring faults of a button."""

from typing import Any

import pytest

from firmware.device.edges import EdgeQueue
from firmware.device.handheld import Machine as Plain
from firmware.resuming import open_first
from firmware.save.journal import SETTINGS
from firmware.save.presets import FAST, GUIDELINE, find_preset
from firmware.scenes.setup.contacts import ABSENT, BOUNCING, GOOD, OTHER, STUCK, TOUCHING, UNTRIED, Contacts
from firmware.view.art import FONT_3X5
from firmware.view.canvas import Canvas
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Bus, Handheld
from tests.support.handhelds.menus import read_saved
from tests.support.handhelds.pauses import DOWN, LEFT, RIGHT, UP, A, B


class Bench(Handheld):
    def __init__(self, first: str = "setup.buttons", subject: object = None, wired: int = 255, bus: Any = None) -> None:
        super().__init__(store=[RamStore(), RamStore()], wired=wired, bus=bus)
        self.router.home = "menus.title"
        self.go(first, subject)

    def go(self, name: str, subject: object = None) -> None:
        super().go(name, subject)
        self.step(1, 2)

    def edge(self, button: int, pressed: int, after_ms: int = 50) -> None:
        """Let time pass, then add an edge of a contact."""
        self.step(after_ms)
        self.buttons.edges.append((button, pressed, self.clock.now_ms))

    def tap(self, *buttons: int) -> None:
        for button in buttons:
            self.edge(button, 1)
            self.edge(button, 0, 80)
            self.step(16, 20)

    def wait(self, ms: int) -> None:
        self.step(50, ms // 50)


@pytest.fixture
def bench() -> Bench:
    return Bench()


class TestContacts:
    @pytest.mark.parametrize("wired", [255, 0b0011_1111, 0b1011_1111, 511])
    def test_good_buttons_are_asked_for_in_turn(self, wired: int) -> None:
        bench = Bench(wired=wired)
        contacts = bench.scene.contacts
        buttons = [button for button in range(9) if wired >> button & 1]
        for button in buttons:
            assert contacts.asked == button
            bench.tap(button)
        assert contacts.good() and [contacts.verdict[button] for button in buttons] == [GOOD] * len(buttons)
        assert bench.leads(A) == "setup.upright"

    def test_a_button_is_asked_for_with_the_name_of_its_pin(self, monkeypatch: pytest.MonkeyPatch) -> None:
        names = [b"KEY2", b"KEY8", b"KEY5", b"KEY6", b"KEY10", b"KEY7", b"KEY1", b"KEY12", b"KEY3"]
        monkeypatch.setattr(Plain, "list_pins", lambda _machine: names)
        bench = Bench(wired=511)
        bench.tap(*range(8))
        bench.compare("setup_buttons_ninth")

    def test_swapped_wires_are_found(self, bench: Bench) -> None:
        bench.tap(RIGHT, LEFT, *range(2, 8))
        contacts = bench.scene.contacts
        assert list(contacts.verdict) == [OTHER, OTHER] + [GOOD] * 6 and not contacts.good()
        assert (contacts.other[LEFT], contacts.other[RIGHT]) == (RIGHT, LEFT)
        bench.compare("setup_buttons_swapped")

    def test_button_without_contact_is_found_and_skipped(self, bench: Bench) -> None:
        bench.tap(LEFT)
        bench.wait(9000)
        bench.tap(*range(2, 8))
        assert bench.scene.contacts.verdict[RIGHT] == ABSENT

    def test_button_that_never_comes_up_is_stuck(self, bench: Bench) -> None:
        bench.edge(LEFT, 1)
        bench.wait(3500)
        contacts = bench.scene.contacts
        assert (contacts.verdict[LEFT], contacts.asked) == (STUCK, RIGHT)
        bench.tap(*range(1, 8))
        assert list(contacts.verdict) == [STUCK] + [GOOD] * 7

    def test_button_that_was_down_from_the_start_is_stuck_and_not_asked_for(self) -> None:
        bench = Bench(subject=1 << DOWN)
        bench.wait(3500)
        bench.tap(LEFT, RIGHT, *range(3, 8))
        assert bench.scene.contacts.verdict[DOWN] == STUCK

    def test_button_that_was_held_and_released_is_not_stuck(self) -> None:
        bench = Bench(subject=1 << A)
        bench.edge(A, 0)
        bench.wait(3500)
        assert bench.scene.contacts.verdict[A] == UNTRIED

    def test_several_edges_of_one_press_are_bouncing(self, bench: Bench) -> None:
        for pressed, after_ms in ((1, 50), (0, 12), (1, 12), (0, 90)):
            bench.edge(LEFT, pressed, after_ms)
        bench.step(16, 20)
        contacts = bench.scene.contacts
        assert (contacts.verdict[LEFT], contacts.asked) == (BOUNCING, RIGHT)

    @pytest.mark.parametrize("order", [(LEFT, UP), (UP, LEFT)])
    def test_wires_that_touch_are_found(self, bench: Bench, order: tuple[int, int]) -> None:
        for pressed in (1, 0):
            for button in order:
                bench.edge(button, pressed, 40)
        bench.step(16, 20)
        contacts = bench.scene.contacts
        assert (contacts.verdict[LEFT], contacts.other[LEFT]) == (TOUCHING, UP)

    def test_wrong_button_that_is_held_is_judged_after_a_while(self, bench: Bench) -> None:
        bench.edge(B, 1)
        bench.wait(3500)
        assert bench.scene.contacts.verdict[LEFT] == OTHER

    @pytest.mark.parametrize(
        ("edges", "until_ms", "verdict"),
        [
            *[([], 7999, UNTRIED), ([], 8000, ABSENT)],
            *[([(1, 10)], 3009, UNTRIED), ([(1, 10)], 3010, STUCK)],
            *[([(1, 10), (0, 39)], 300, BOUNCING), ([(1, 10), (0, 40)], 300, GOOD)],
        ],
    )
    def test_a_verdict_needs_its_time(self, edges: list[tuple[int, int]], until_ms: int, verdict: int) -> None:
        """Nobody presses a button for eight seconds, holds it for three, or lets it go within 30 ms."""
        contacts = Contacts(1, 0, 0)
        for pressed, t_ms in edges:
            contacts.take_edge(0, pressed, t_ms)
        contacts.advance(until_ms)
        assert contacts.verdict[0] == verdict

    def test_edges_after_the_last_button_are_not_judged(self) -> None:
        contacts = Contacts(1, 0, 0)
        contacts.take_edge(0, 1, 10)
        contacts.take_edge(0, 0, 100)
        contacts.advance(300)
        assert contacts.asked == 8
        contacts.take_edge(3, 1, 400)
        contacts.advance(9000)
        assert list(contacts.verdict) == [GOOD] + [UNTRIED] * 7

    def test_every_fault_has_words_that_fit(self, bench: Bench) -> None:
        scene = bench.scene
        scene.contacts.asked = 8
        scene.contacts.verdict[:] = bytes((ABSENT, OTHER, TOUCHING, STUCK, BOUNCING, OTHER, GOOD, TOUCHING))
        scene.contacts.other[:] = bytes(range(7, -1, -1))
        scene.fresh = True
        bench.step()
        bench.compare("setup_buttons_troubles")

    def test_picture_of_the_request(self, bench: Bench) -> None:
        bench.tap(LEFT, RIGHT)
        bench.compare("setup_buttons_asking")

    def test_b_tries_again(self, bench: Bench) -> None:
        bench.tap(*range(8))
        bench.compare("setup_buttons_good")
        assert (bench.leads(B), bench.scene.contacts.asked) == ("setup.buttons", LEFT)

    def test_handheld_without_a_single_button_continues_by_itself(self, bench: Bench) -> None:
        bench.wait(8 * 8100)
        assert list(bench.scene.contacts.verdict) == [ABSENT] * 8
        bench.wait(31_000)
        assert bench.name == "setup.upright"

    def test_the_whole_first_start_leads_to_the_title_and_is_saved(self) -> None:
        bench = Bench(bus=Bus())
        bench.tap(*range(8))
        presses = {"upright": (A,), "speed": (B, A), "loudness": (A, A), "handling": (LEFT, A)}
        for name, buttons in presses.items():
            assert bench.leads(*buttons) == f"setup.{name}"
        assert bench.leads(A) == "menus.title"
        for settings in (bench.settings, read_saved(bench)):
            assert (settings.turned, settings.fast_bus, settings.effects_volume, settings.ready) == (1, 1, 3, 1)


class TestFirstStart:
    """The notice leads to the wizard, once."""

    @pytest.fixture
    def bench(self) -> Bench:
        bench = Bench("menus.legal")
        bench.device.handmade = True
        return bench

    @pytest.mark.parametrize(
        ("ready", "failed", "name"), [(0, False, "setup.buttons"), (1, False, "menus.title"), (0, True, "menus.title")]
    )
    def test_handmade_handheld_tests_its_buttons_once(self, bench: Bench, ready: int, failed: bool, name: str) -> None:
        bench.settings.ready = ready
        bench.journal.failed = failed
        bench.wait(3100)
        assert bench.name == name

    def test_the_wizard_gets_the_buttons_that_are_down(self, bench: Bench) -> None:
        bench.edge(UP, 1)
        bench.edge(UP, 0, 0)
        bench.edge(DOWN, 1, 0)
        bench.step(1, 2)
        assert bench.name == "setup.buttons" and bench.scene.contacts.down == 1 << DOWN

    def test_ready_made_device_asks_only_for_the_handling_and_once(self, bench: Bench) -> None:
        """The simulator is ready-made, too."""
        bench.device.handmade = False
        open_first(bench.context, EdgeQueue(), "", None)
        assert bench.follow() == "menus.title"
        assert bench.leads(A) == "setup.handling" and bench.leads(A) == "menus.main"
        open_first(bench.context, EdgeQueue(), "", None)
        assert bench.follow() == "menus.title" and bench.leads(A) == "menus.main"

    @pytest.mark.parametrize(("ready", "name"), [(0, "menus.legal"), (1, "menus.title")])
    def test_handheld_built_by_hand_shows_the_legal_text_once(self, bench: Bench, ready: int, name: str) -> None:
        bench.settings.ready = ready
        open_first(bench.context, EdgeQueue(), "", None)
        assert bench.follow() == name


class TestSteps:
    """The first start asks for a preset of the handling; FAST is the default."""

    @pytest.mark.parametrize(("presses", "preset"), [((), FAST), ((DOWN,), GUIDELINE), ((UP, DOWN), FAST)])
    def test_the_answer_is_a_preset_and_is_saved(self, presses: tuple[int, ...], preset: int) -> None:
        bench = Bench("setup.handling")
        bench.compare("setup_handling")
        assert bench.leads(*presses, A) == "menus.title"
        saved = read_saved(bench)
        assert (find_preset(saved), saved.ready) == (preset, 1)

    def test_both_samples_run_at_their_own_pace(self) -> None:
        """From the first step to the wall: the delay, then seven repeats."""
        bench = Bench("setup.handling")
        bench.step(700)  # both have begun
        times: list[dict[int, int]] = [{}, {}]
        bench.scene.places[:] = bytes(2)
        bench.scene.until_ms[:] = [bench.clock.now_ms + 1] * 2
        for _ in range(900):
            bench.step(1)
            for runner, place in enumerate(bench.scene.places):
                times[runner].setdefault(place, bench.clock.now_ms)
        assert [at[9] - at[1] for at in times] == [300 + 7 * 55, 133 + 7 * 10]

    def test_both_samples_begin_again_where_they_began(self) -> None:
        bench = Bench("setup.handling")
        bench.step(700)
        after: list[set[int]] = [set(), set()]  # by sample: the places that follow the one at the wall
        before = list(bench.scene.places)
        for _ in range(3000):
            bench.step(1)
            for runner, place in enumerate(bench.scene.places):
                if before[runner] == 9 != place:
                    after[runner].add(place)
            before = list(bench.scene.places)
        assert after == [{0}, {0}]

    def test_picture_turns_until_it_is_right(self) -> None:
        bench = Bench("setup.upright")
        bench.compare("setup_upright")
        before = bench.picture()
        bench.tap(B)
        bench.step(16, 40)
        assert bench.picture() == bytes(int(f"{byte:08b}"[::-1], 2) for byte in reversed(before))
        bench.tap(B, A)
        assert bench.settings.turned == 0
        assert bench.name == "setup.loudness", "this device has no choice of speed"


def read_seconds(canvas: Canvas) -> int:
    """Return the digit behind GOES BACK IN, 0 for none."""
    rows = range(1 + 8 * 114 + 52 // 8, 1 + 8 * 119, 8)
    for digit in range(1, 10):
        drawn = Canvas()
        drawn.number(52, 114, digit, -1, 1, FONT_3X5, False)
        if all((canvas.buffer[at] ^ drawn.buffer[at]) & 0x70 == 0 for at in rows):
            return digit
    return 0


class TestSpeed:
    @pytest.fixture
    def bus(self) -> Bus:
        return Bus()

    @pytest.fixture
    def speed(self, bus: Bus) -> Bench:
        bench = Bench("setup.speed", bus=bus)
        bench.compare("setup_speed")
        bench.tap(A)
        assert bus.hz == 1_000_000
        return bench

    def test_confirmed_speed_stays(self, speed: Bench, bus: Bus) -> None:
        speed.compare("setup_speed_trying")
        speed.tap(A)
        assert (bus.hz, speed.name) == (1_000_000, "setup.loudness")

    def test_unconfirmed_speed_is_reset_after_eight_seconds(self, speed: Bench, bus: Bus) -> None:
        speed.wait(8100)
        assert (bus.hz, speed.name, speed.scene.trying) == (400_000, "setup.speed", False)

    @pytest.mark.parametrize("button", [B, LEFT, UP])
    def test_any_other_button_resets_the_speed(self, speed: Bench, bus: Bus, button: int) -> None:
        speed.tap(button)
        assert bus.hz == 400_000 and speed.leads(B) == "setup.loudness" and speed.settings.fast_bus == 0

    def test_lost_display_resets_the_speed(self, speed: Bench, bus: Bus) -> None:
        speed.display.bus.unplug(speed.display.chip)
        speed.step(16, 3)
        assert bus.hz == 400_000

    def test_seconds_count_down(self, speed: Bench) -> None:
        shown = []
        for _ in range(8):
            shown.append(read_seconds(speed.canvas))
            speed.wait(1000)
        assert shown == [8, 7, 6, 5, 4, 3, 2, 1]

    def test_display_without_a_choice_of_speed_skips_the_step(self) -> None:
        assert Bench("setup.speed").name == "setup.loudness"

    def test_loudness_stops_at_both_ends(self) -> None:
        bench = Bench("setup.loudness")
        bench.compare("setup_loudness")
        settings = bench.settings
        for buttons, volume in (((RIGHT, RIGHT, UP), 5), ((LEFT, LEFT, LEFT, DOWN, LEFT), 1)):
            bench.tap(*buttons)
            assert (settings.effects_volume, settings.music_volume) == (volume, volume)

    def test_each_step_sounds(self) -> None:
        bench = Bench("setup.loudness")
        bench.edge(LEFT, 1)
        bench.step()
        assert bench.buzzer.hz


class TestDevice:
    @pytest.fixture
    def device(self) -> Bench:
        return Bench("options.device", bus=Bus())

    @pytest.mark.parametrize(
        ("at", "name"), [(0, "setup.buttons"), (1, "setup.upright"), (2, "setup.speed"), (3, "setup.loudness")]
    )
    def test_each_line_leads_to_one_step_and_back(self, device: Bench, at: int, name: str) -> None:
        device.compare("options_device_bus")
        assert device.leads(*[DOWN] * at, A) == name
        if name == "setup.buttons":
            device.tap(*range(8))
        device.tap(*([A, A] if name == "setup.speed" else [A]))
        assert (device.name, device.scene.at) == ("options.device", at) and len(device.journal.read(SETTINGS))

    def test_device_without_a_choice_of_speed_shows_a_dash(self) -> None:
        bench = Bench("options.device", 2)
        assert bench.scene.value(2) == b"-" and bench.leads(A) == "options.device"

    def test_b_leads_back_to_the_options(self, device: Bench) -> None:
        assert device.leads(B) == "options.options"

    def test_five_times_left_opens_the_hidden_page(self, device: Bench) -> None:
        assert device.leads(LEFT, LEFT, LEFT, LEFT, DOWN, LEFT) == "options.device"
        assert device.leads(LEFT, LEFT, LEFT, LEFT) == "options.facts" and device.leads(A) == "options.device"
