"""Name the sets of options that are measured."""

THREE = ("OPPONENTS=3", "LEVELS=HAWK")
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
    "modern": (*THREE, "rules=1"),
    "by-ear": (*THREE, "BY EAR=ALL", "CELLS=6 PX"),
    "fattest": FATTEST,
}
# A Pico links two: three or four need a Pico 2 each.
LINKED_SETS: dict[str, tuple[str, ...]] = {"linked": (), "linked-modern": ("rules=1",), "linked-fattest": FATTEST}
NAMES = (*SETS, *LINKED_SETS)
PAUSES = 40
PAUSE_EVERY_S = 8.0  # forty pauses fit into a match of five wins
