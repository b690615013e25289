"""The weight of each feature.

In a low Matrix the weights come from `python -m tools.bots tune`, see tuned.jsonl. In a high one they come from tuning
with garbage, with a lower cost for few lines and a higher one for height. These two are set by hand, because the player
survives longer.
"""

from tools.bots.strong.evaluation import NAMES

# In a low Matrix, and in a high one.
_POINTS = {
    "row_changes": (-46, -56),
    "buried": (-117, -162),
    "overhung": (-70, -68),
    "hole_rows": (-43, -46),
    "cover": (-18, -7),
    "steps": (0, 17),
    "steps_squared": (-5, -5),
    "height": (0, 5),
    "above_10": (-319, -400),
    "above_15": (-156, -133),
    "ready": (38, 37),
    "ready_4": (0, 7),
    "slot_0": (2, -3),
    "slot_1": (266, 277),
    "slot_2": (848, 998),
    "slot_2_again": (206, 311),
    "triple_2": (91, 90),
    "triple_3": (329, 377),
    "notch": (110, 149),
    "chain": (321, 148),
    "hold_i": (108, 129),
    "hold_t": (12, 6),
    "hold_t_slot": (0, -21),
    "single": (-702, -80),
    "double": (-460, -60),
    "triple": (-256, 0),
    "tetris": (343, 347),
    "t_spin_0": (-21, -19),
    "t_spin_1": (-41, -52),
    "t_spin_2": (558, 924),
    "t_spin_3": (409, 250),
    "mini_1": (-148, -199),
    "mini_2": (-86, -46),
    "back_to_back": (193, 137),
    "t_wasted": (-477, -558),
    "i_wasted": (5, 13),
}

ATTACK = tuple(_POINTS[name][0] for name in NAMES)
DEFENCE = tuple(_POINTS[name][1] for name in NAMES)
