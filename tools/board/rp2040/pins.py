"""Emulate the pins: their levels, the display's answer on a bit-banged I2C bus, an SPI display's control pins."""

from tools.board.rp2040 import compiled
from tools.board.rp2040.layout import LOG_DISPLAY_PINS, LOG_I2C_BYTE, LOG_I2C_START, LOG_I2C_STOP
from tools.board.rp2040.log import note


@compiled
def levels(chip):
    """Return the level of every pin: driven by SIO, else held low from outside, else pulled."""
    driven = chip.gpio_oe & chip.sio_pins
    return chip.gpio_out & driven | (chip.pulled_up | chip.pads_pulled_up) & ~chip.held_low & ~driven


@compiled
def _wire(chip, pin):
    """Return the level of an I2C wire from the chip's side; a resistor pulls it up if the chip does not drive it."""
    driven = chip.gpio_oe & chip.sio_pins
    return (chip.gpio_out | ~driven) >> pin & 1


@compiled
def look_at_wires(chip):
    """Follow the wires to the display after a change of the pins."""
    if chip.display_pins:
        _look_at_control_pins(chip)
    else:
        _look_at_bus(chip)


@compiled
def _look_at_control_pins(chip):
    """Log the levels of an SPI display's control pins if one changed; a resistor pulls up a pin that is not driven."""
    levels = (chip.gpio_out | ~(chip.gpio_oe & chip.sio_pins)) & chip.display_pins
    if levels != chip.display_levels:
        chip.display_levels = levels
        note(chip, LOG_DISPLAY_PINS, levels)


@compiled
def _look_at_bus(chip):
    """Follow the I2C wires like the display: start, eight bits, acknowledge, stop."""
    sda, scl = _wire(chip, chip.sda), _wire(chip, chip.scl)
    if sda == chip.probe_sda and scl == chip.probe_scl:
        return
    if sda != chip.probe_sda and scl and chip.probe_scl:
        if not sda:
            chip.probe_on = 1
            chip.probe_bit = chip.probe_byte = chip.probe_bytes = chip.probe_hit = 0
        elif chip.probe_on:
            chip.probe_on = 0
            if chip.probe_hit:
                note(chip, LOG_I2C_STOP, 0)
            chip.held_low &= ~(1 << chip.sda)
    if chip.probe_on and scl and not chip.probe_scl and chip.probe_bit < 8:
        chip.probe_byte = chip.probe_byte << 1 | sda
        chip.probe_bit += 1
    elif chip.probe_on and not scl and chip.probe_scl:
        if chip.probe_bit == 8:
            _take_byte(chip)
        elif chip.probe_bit == 9:
            chip.probe_bit = chip.probe_byte = 0
            chip.held_low &= ~(1 << chip.sda)
    chip.probe_sda, chip.probe_scl = sda, scl


@compiled
def _take_byte(chip):
    """Acknowledge a complete byte if it is addressed to the display."""
    chip.probe_bit = 9
    chip.probe_bytes += 1
    if chip.probe_bytes == 1:
        chip.probe_hit = 1 if chip.probe_byte >> 1 == chip.display_address else 0
        if chip.probe_hit:
            note(chip, LOG_I2C_START, chip.probe_byte)
    elif chip.probe_hit:
        note(chip, LOG_I2C_BYTE, chip.probe_byte)
    if chip.probe_hit:
        chip.held_low |= 1 << chip.sda
