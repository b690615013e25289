"""Give each control buttons of its own: the one rule by which the settings of buttons change."""

from firmware.compat import TYPE_CHECKING, const

if TYPE_CHECKING:
    from firmware.save.settings import Settings

TARGET = const(8)  # the number of the Target Mark's control, after those of a game
CONTROLS = const(9)

# The button of each control, or its chord if that button is missing: A with B is Hold, left with right is pause. Target
# has Hold with Start: a chord delays its buttons, which players notice least here.
_CHORDS = b"\x01\x02\x04\x08\x10\x20\x30\x03\xc0"


def find_buttons(control: int, wired: int) -> int:
    """Return the buttons that a control has by default, as a mask."""
    mask = 1 << control
    return mask if control < TARGET and mask & wired else _CHORDS[control]


def read(settings: "Settings", control: int) -> int:
    return settings.target_buttons if control == TARGET else settings.buttons[control]


def write(settings: "Settings", control: int, mask: int) -> None:
    if control == TARGET:
        settings.target_buttons = mask
    else:
        settings.buttons[control] = mask


def give(settings: "Settings", control: int, mask: int) -> None:
    """Give buttons to a control; the control that had them gets the old ones of this control."""
    had = read(settings, control)
    for other in range(CONTROLS):
        if read(settings, other) == mask:
            write(settings, other, had)
    write(settings, control, mask)


def reset(settings: "Settings", wired: int) -> None:
    for control in range(CONTROLS):
        write(settings, control, find_buttons(control, wired))


def fit(settings: "Settings", wired: int) -> None:
    """Give each control its usual buttons if its own are no one or two that are wired (mask `wired`), or another's too.

    A control with its usual buttons keeps them, so this ends.
    """
    control = 0
    while control < CONTROLS:
        mask = read(settings, control)
        usual = find_buttons(control, wired)
        third = mask & mask - 1
        third &= third - 1
        shared = [other for other in range(CONTROLS) if read(settings, other) == mask]
        if mask != usual and (not mask or third or mask & ~wired or len(shared) > 1):
            give(settings, control, usual)
            control = 0
        else:
            control += 1
