"""The firmware on a faked Pico: only pins, PWM and I2C are fakes."""

from unittest.mock import Mock

import pytest

from firmware.applying import apply
from firmware.compat import ticks_add
from firmware.device.handheld import Device, Machine
from firmware.device.wiring import KEYS
from firmware.engine import controls
from firmware.save.settings import Settings
from tests.support.polling import poll, poll_untimed

SQUARE = 32_768


def pin_of(workbench, part: str):
    return workbench.pins[int(str({key: default for key, default, _ in KEYS}[part])[2:])]


@pytest.fixture
def usual(device: Device) -> None:
    apply(Settings(), device, Mock(), Mock())


class TestParts:
    @pytest.mark.parametrize("control", range(8))
    def test_pressed_pin_becomes_an_edge_of_its_control(self, device, workbench, control: int) -> None:
        names = {number: name for name, number in vars(controls).items() if isinstance(number, int)}
        pin = pin_of(workbench, names[control])
        for move, pressed in ((pin.press, 1), (pin.release, 0)):
            move()
            workbench.pass_time(20)
            assert poll_untimed(device.buttons) == [(control, pressed)]

    def test_edge_carries_the_time_of_the_contact_not_of_the_poll(self, device, workbench) -> None:
        pin_of(workbench, "LEFT").press()
        pressed_ms = workbench.now_ms
        workbench.pass_time(500)
        ((_, _, t_ms),) = poll(device.buttons)
        assert pressed_ms < t_ms <= pressed_ms + 10

    def test_a_bouncing_contact_gives_one_edge(self, device, workbench) -> None:
        pin = pin_of(workbench, "HOLD")
        for move in (pin.press, pin.release) * 4:
            move()
            workbench.pass_time(1)
        pin.press()
        workbench.pass_time(30)
        assert poll_untimed(device.buttons) == [(controls.HOLD, 1)]

    def test_edges_beyond_the_capacity_come_with_the_next_poll(self, device, workbench) -> None:
        for part in ("LEFT", "RIGHT", "HOLD"):
            pin_of(workbench, part).press()
        workbench.pass_time(20)
        assert [edge[0] for edge in poll(device.buttons, capacity=2)] == [controls.LEFT, controls.RIGHT]
        assert [edge[0] for edge in poll(device.buttons, capacity=2)] == [controls.HOLD]

    @pytest.mark.usefixtures("usual")
    @pytest.mark.parametrize(("waited_ms", "waits"), [(7, True), (8, True), (9, False), (30, False)])
    def test_a_hard_drop_of_this_moment_comes_with_the_next_poll(self, device, workbench, waited_ms, waits) -> None:
        """It is five scans old when it is an edge, and waits until it is four older."""
        pin_of(workbench, "HARD_DROP").press()
        workbench.pass_time(waited_ms)
        drop = [(controls.HARD_DROP, 1)]
        assert poll_untimed(device.buttons) == ([] if waits else drop)
        assert poll_untimed(device.buttons) == (drop if waits else [])
        assert poll_untimed(device.buttons) == []

    def test_the_button_of_a_hard_drop_waits_wherever_the_settings_put_it(self, device, workbench) -> None:
        settings = Settings()
        settings.buttons[controls.HARD_DROP] = 1 << controls.HOLD
        settings.buttons[controls.HOLD] = 1 << controls.HARD_DROP
        apply(settings, device, Mock(), Mock())
        for part, waits in (("HARD_DROP", False), ("HOLD", True)):
            pin_of(workbench, part).press()
            workbench.pass_time(7)
            assert bool(poll_untimed(device.buttons)) != waits
            workbench.pass_time(17)
            assert bool(poll_untimed(device.buttons)) == waits

    @pytest.mark.usefixtures("usual")
    @pytest.mark.parametrize("part", ["ROTATE_CW", "HOLD", "LEFT"])
    def test_what_settles_after_a_hard_drop_and_after_a_poll_comes_before_it(self, device, workbench, part: str):
        pin_of(workbench, "HARD_DROP").press()
        workbench.pass_time(2)
        pin_of(workbench, part).press()
        workbench.pass_time(4)
        assert not poll_untimed(device.buttons)
        workbench.pass_time(17)
        assert [edge[0] for edge in poll(device.buttons)] == [vars(controls)[part], controls.HARD_DROP]

    @pytest.mark.usefixtures("usual")
    def test_a_hard_drop_that_waits_keeps_its_time_and_its_release(self, device, workbench) -> None:
        pin = pin_of(workbench, "HARD_DROP")
        pin.press()
        workbench.pass_time(6)
        at_ms = workbench.now_ms
        pin.release()
        assert not poll(device.buttons)
        workbench.pass_time(17)
        (press, release) = poll(device.buttons)
        assert press[:2] == (controls.HARD_DROP, 1) and at_ms - 2 <= press[2] <= at_ms
        assert release[:2] == (controls.HARD_DROP, 0)

    @pytest.mark.usefixtures("usual")
    def test_a_hard_drop_with_later_edges_does_not_wait(self, device, workbench) -> None:
        pin_of(workbench, "HARD_DROP").press()
        workbench.pass_time(1)
        pin_of(workbench, "LEFT").press()
        workbench.pass_time(6)
        assert [edge[0] for edge in poll(device.buttons)] == [controls.LEFT, controls.HARD_DROP]

    def test_tone_sets_frequency_and_duty_and_off_mutes(self, device, workbench) -> None:
        (output,) = workbench.outputs
        assert output.pin is pin_of(workbench, "BUZZER")
        assert output.duty_cycle == 0
        device.buzzer.tone(880, SQUARE)
        assert (output.frequency, output.duty_cycle) == (880, SQUARE)
        device.buzzer.off()
        assert (output.frequency, output.duty_cycle) == (880, 0)
        for duty in (SQUARE, 1000):  # same frequency: the wave does not restart
            device.buzzer.tone(660, duty)
        assert output.history[-2:] == [(660, SQUARE), (660, 1000)]

    @pytest.mark.no_cover
    def test_clock_sleeps_until_the_deadline_across_the_wrap(self, device, workbench) -> None:
        deadline_ms = ticks_add(device.clock.ticks_ms(), 65_500)
        device.clock.wait_until(deadline_ms)
        assert device.clock.ticks_ms() == deadline_ms == 500
        slept_s = workbench.slept_s
        device.clock.wait_until(ticks_add(deadline_ms, -3))
        assert workbench.slept_s == slept_s

    def test_store_is_the_nvm(self, device, workbench) -> None:
        (store,) = device.store
        assert store.size == 4096
        store.write(10, b"skyline")
        buffer = bytearray(9)
        store.read(9, buffer)
        assert buffer == b"\xffskyline\xff"
        store.replace(12, b"EE")
        assert workbench.nvm[9:18] == b"\xffskEEine\xff"


class TestMachine:
    def test_a_machine_without_parts_has_neutral_values(self) -> None:
        machine = Machine()
        assert (machine.free_bytes(), machine.draw_entropy(), machine.read_day()) == (-1, 0, 0)
        assert machine.open_replay_files() is None and machine.list_pins() == ()

    def test_the_game_owns_the_drive_only_if_b_was_held(self, device, workbench) -> None:
        assert not Machine().owns_drive()
        assert not device.machine.owns_drive()
        workbench.drive_is_ours = True
        assert device.machine.owns_drive()

    def test_board_keeps_recordings_on_its_drive(self, device) -> None:
        assert device.machine.open_replay_files().path(3, 500) == "save/best03_500.sky"

    def test_the_board_draws_thirty_random_bits_or_0_without_a_source(self, device, monkeypatch) -> None:
        assert len({device.machine.draw_entropy() for _ in range(20)}) > 15
        monkeypatch.setattr("os.urandom", lambda count: b"\xff\xff\xff\xff\xff"[:count])
        assert device.machine.draw_entropy() == (1 << 30) - 1
        monkeypatch.setattr("os.urandom", Mock(side_effect=NotImplementedError))
        assert device.machine.draw_entropy() == 0

    def test_the_board_has_a_date_once_a_pc_has_set_its_clock(self, device, monkeypatch) -> None:
        for now, day in (((2020, 1, 1), 0), ((2026, 11, 22), 20261122)):
            monkeypatch.setattr("time.localtime", lambda now=now: now)
            assert device.machine.read_day() == day
