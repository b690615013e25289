"""Name the sets of options that are measured."""

from firmware.save.match_choices import OWN, pack_own

THREE = ("OPPONENTS=3", "LEVELS=HAWK")
MODERN = "rules=1"
# The last value of each rule of CUSTOM is the dearest, but of B2B, whose CHAIN counts in thousandths.
_DEAREST = bytes((2, 2, 2, 2, 1, 2, 2, 1))
DEAREST = ("rules=2", f"custom={pack_own(bytes(OWN) + _DEAREST)}")
# What fattest.py finds among the choices that can be made together.
FATTEST = (
    *(*THREE, "ROWS=10", "TARGET=MARK", "BY EAR=ALL", "CELLS=6 PX", "BLOCKS=ICONS", "modern=7", "VANISH=INVIS"),
    "BUTTONS=6",
)
SETS: dict[str, tuple[str, ...]] = {
    "one-computer": (),
    "two-hawks": ("OPPONENTS=2", "LEVELS=HAWK"),
    "three-hawks": THREE,
    "teams": (*THREE, "TEAMS=ALONE", "ROWS=5"),
    "by-ear": (*THREE, "BY EAR=ALL", "CELLS=6 PX"),
    "fattest": FATTEST,
    "modern": (*THREE, MODERN),
    "custom": (*THREE, *DEAREST),
    "modern-fattest": (*FATTEST, MODERN),
    "modern-two": (*FATTEST, MODERN, "OPPONENTS=2"),
    "modern-one": (*FATTEST, MODERN, "OPPONENTS=1"),
}
# A Pico links two: three or four need a Pico 2 each.
LINKED_SETS: dict[str, tuple[str, ...]] = {
    "linked": (),
    "linked-fattest": FATTEST,
    "linked-modern": (MODERN,),
    "linked-custom": DEAREST,
    "linked-modern-fattest": (*FATTEST, MODERN),
}
TITLE = "title"  # no match: the title, and the game that moves behind it
NAMES = (TITLE, *SETS, *LINKED_SETS)
PAUSES = 40
PAUSE_EVERY_S = 8.0  # forty pauses fit into a match of five wins
