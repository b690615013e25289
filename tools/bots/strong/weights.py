"""Define the weight of each feature.

For a low Matrix the weights come from `python -m tools.bots tune`, see tuned.jsonl; before it those of T-Spin Triples
were raised by hand. For a high one they come from tuning with garbage; then a lower cost of few lines and a higher cost
of height were set by hand, for longer survival.
"""

from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from firmware.match.combos import LAST
from sim import terminal
from sim.bots.attacks import GUIDELINE, find_attacks, list_names
from tools.bots.strong.patterns import ENTRIES

# Points of each feature in a low Matrix and in a high one.
_POINTS = {
    "row_changes": (-42, -56),  # between Block and empty cell, from wall to wall
    "buried": (-112, -162),  # holes closed on both sides
    "overhung": (-52, -68),  # holes open to a side
    "hole_rows": (-43, -46),  # rows with holes
    "cover": (-21, -7),  # Blocks above the topmost hole of a column, at most 6
    "steps": (5, 17),  # height differences of neighbouring columns, without the deepest one
    "steps_squared": (-5, -5),
    "height": (-2, 5),  # sum over all columns
    "above_10": (-306, -400),  # rows of the highest column above the tenth
    "above_15": (-169, -133),
    "ready": (39, 37),  # rows full except in the deepest column, upward from its top, at most 4
    "ready_4": (-3, 7),  # four ready rows
    "slot_0": (2, -3),  # for a T-Spin Double; the number counts its rows that the T fills
    "slot_1": (277, 277),
    "slot_2": (843, 998),
    "slot_2_again": (209, 311),  # a second slot_2
    "triple_2": (864, 90),  # slot for a T-Spin Triple, whose T fills two or three rows
    "triple_3": (1953, 377),
    "notch": (103, 149),  # a slot with both rows full but without an overhang
    "chain": (347, 148),  # the next one is a Back-to-Back
    "hold_i": (101, 129),
    "hold_t": (14, 6),
    "hold_t_slot": (-2, -21),  # T in Hold and a slot_2
    # Lock Downs
    "single": (-626, -80),
    "double": (-475, -60),
    "triple": (-270, 0),
    "tetris": (328, 347),
    "t_spin_0": (-19, -19),
    "t_spin_1": (-38, -52),
    "t_spin_2": (608, 924),
    "t_spin_3": (1542, 250),
    "mini_1": (-136, -199),
    "mini_2": (-87, -46),
    "back_to_back": (180, 137),
    "t_wasted": (-472, -558),  # locked down without a T-Spin Line Clear
    "i_wasted": (5, 13),  # locked down without a Tetris
}

NAMES = tuple(_POINTS)
ATTACK, DEFENCE = zip(*_POINTS.values(), strict=True)

# For other tables of attacks: points of each line that the guideline's table does not send, and of each Line Clear in a
# row. They stand after ATTACK. Those with combos were tuned for MODERN without patterns (tuned_modern.jsonl before
# commit 7cf8c51e); for other tables no better ones were found.
EXTRAS = ("more_sent", "combo")
_COMBOS = (275, 117)
_SPINS = (200, 0)  # for tables that send nothing for Line Clears in a row: by hand


def find_extras(attacks: str) -> tuple[int, ...]:
    """Return the points of EXTRAS for a table of attacks, by its name; the guideline's has none."""
    if attacks == GUIDELINE:
        return ()
    return _COMBOS if find_attacks(attacks).numbers[LAST] else _SPINS


MOST_POINTS = (1 << 15) - 1  # of a pattern: a file has 16 bits for them
_MOST_WEIGHT = 1 << 31  # a rating with greater ones could overflow
_ROLES = "", "defence_"  # how the names of arrays in a file begin; points learned without garbage have no second one


class Learned(NamedTuple):
    """Weights and points of patterns: what `python -m tools.bots learn` writes.

    defence, defence_patterns: those for a high Matrix.
    """

    weights: tuple[int, ...]
    patterns: Any
    defence: tuple[int, ...] = DEFENCE
    defence_patterns: Any = ()


def find_file(attacks: str, match: bool = False) -> Path:
    """Return the file of the learned weights in use for a table of attacks; raise ValueError for a table of no name."""
    if attacks not in list_names():
        raise ValueError(f"the points for {attacks} need a file of their own: --output FILE.npz")
    words = "learned", "match" * match, attacks * (attacks != GUIDELINE)
    return Path(__file__).with_name("_".join(filter(None, words)) + ".npz")


def find_tuned(attacks: str) -> Learned:
    """Return the tuned weights for a table of attacks, by its name, without patterns."""
    return Learned(ATTACK + find_extras(attacks), ())


def find_learned(attacks: str, match: bool = False) -> Learned:
    """Return the learned weights for a table of attacks, by its name: of its own file, or else the guideline's."""
    if attacks in list_names() and find_file(attacks, match).exists():
        return read_learned(find_file(attacks, match))
    learned = read_learned(find_file(GUIDELINE, match))
    return learned._replace(weights=learned.weights + find_extras(attacks))


def read_learned(path: Path) -> Learned:
    """Read learned weights; raise ValueError with one line for a file without them."""
    content = terminal.read(path)
    try:
        with np.load(BytesIO(content)) as file:
            if int(file["entries"]) != ENTRIES:
                raise ValueError
            roles = [_read_role(file, role) for role in _ROLES[: max(1, len(file.files) // 3)]]  # three arrays each
    except Exception:  # NumPy has many for damaged bytes
        raise ValueError(f"{path} has no learned points: get it again, or write it by tools.bots learn") from None
    return Learned(*(field for each in roles for field in each))


def _read_role(file: Any, role: str) -> tuple[tuple[int, ...], Any]:
    """Return the weights and the points of a role; raise an error for any that `save_learned` does not write."""
    points, seen = file[role + "points"], file[role + "seen"]
    weights = tuple(map(int, file[role + "weights"]))
    fit = len(weights) in (len(NAMES), len(NAMES + EXTRAS)) and all(abs(each) < _MOST_WEIGHT for each in weights)
    if not fit or points.shape != seen.shape or not np.can_cast(points.dtype, np.int16) or seen.min(initial=0) < 0:
        raise ValueError
    patterns = np.zeros(ENTRIES, np.int64)
    patterns[seen] = points
    return weights, patterns


def save_learned(learned: Learned, file: Any) -> None:
    arrays: dict[str, Any] = {"entries": np.array(ENTRIES)}
    for role, weights, patterns in zip(_ROLES, learned[::2], learned[1::2], strict=True):
        if len(patterns):
            seen = np.flatnonzero(patterns)
            arrays |= {role + "weights": np.array(weights), role + "seen": seen.astype(np.int32)}
            arrays[role + "points"] = patterns[seen].astype(np.int16)
    np.savez_compressed(file, **arrays)
