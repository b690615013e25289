"""The weight of each feature.

For a low Matrix the weights come from `python -m tools.bots tune`, see tuned.jsonl. For a high one they come from
tuning with garbage. A lower cost of few lines and a higher cost of height are set by hand: so the player survives
longer.
"""

# What is weighed, and its points in a low Matrix and in a high one.
_POINTS = {
    "row_changes": (-46, -56),  # between Block and empty, from wall to wall
    "buried": (-117, -162),  # cells under Blocks
    "overhung": (-70, -68),  # those that are open from the side
    "hole_rows": (-43, -46),  # rows with such cells
    "cover": (-18, -7),  # Blocks above the topmost hole of a column, at most 6
    "steps": (0, 17),  # between neighbouring columns, but for the deepest one
    "steps_squared": (-5, -5),
    "height": (0, 5),  # of all columns
    "above_10": (-319, -400),  # rows of the highest column above the tenth
    "above_15": (-156, -133),
    "ready": (38, 37),  # rows full but for the deepest column, upward from its top, at most 4
    "ready_4": (0, 7),  # four of them
    "slot_0": (2, -3),  # for a T-Spin Double, with no, one or both rows full but for the T
    "slot_1": (266, 277),
    "slot_2": (848, 998),
    "slot_2_again": (206, 311),  # one more with both
    "triple_2": (91, 90),  # for a T-Spin Triple, with two or three rows full but for the T
    "triple_3": (329, 377),
    "notch": (110, 149),  # a slot with both rows full but without an overhang
    "chain": (321, 148),  # the next one is a Back-to-Back
    "hold_i": (108, 129),
    "hold_t": (12, 6),
    "hold_t_slot": (0, -21),  # while there is a slot with both rows full
    # Lock Downs
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
    "t_wasted": (-477, -558),  # locked down without a spin that clears
    "i_wasted": (5, 13),  # without a Tetris
}

NAMES = tuple(_POINTS)
ATTACK, DEFENCE = zip(*_POINTS.values(), strict=True)
