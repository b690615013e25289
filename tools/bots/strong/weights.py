"""Say how much each thing that is weighed is worth: what `python -m tools.bots tune` came to, see tuned.jsonl."""

from tools.bots.strong.worth import NAMES

_POINTS = {
    "row_changes": -45,
    "buried": -122,
    "overhung": -70,
    "hole_rows": -44,
    "cover": -14,
    "steps": 1,
    "steps_squared": -4,
    "height": 2,
    "above_10": -267,
    "above_15": -161,
    "ready": 36,
    "ready_4": 3,
    "slot_0": 7,
    "slot_1": 309,
    "slot_2": 778,
    "slot_2_again": 271,
    "triple_2": 79,
    "triple_3": 320,
    "notch": 98,
    "chain": 300,
    "hold_i": 105,
    "hold_t": 4,
    "hold_t_slot": 0,
    "single": -600,
    "double": -500,
    "triple": -300,
    "tetris": 377,
    "t_spin_0": -17,
    "t_spin_1": -36,
    "t_spin_2": 772,
    "t_spin_3": 549,
    "mini_1": -154,
    "mini_2": -80,
    "back_to_back": 177,
    "t_wasted": -450,
    "i_wasted": 5,
}

WEIGHTS = tuple(_POINTS[name] for name in NAMES)
