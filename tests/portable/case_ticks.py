"""The clock arithmetic across the wrap at 2**29 (architecture: Device, clock)."""

from firmware.compat import TICKS_PERIOD, ticks_add, ticks_diff

LAST = TICKS_PERIOD - 1

assert TICKS_PERIOD == 536870912

# (later, earlier, difference in ms)
CASES = (
    (0, 0, 0), (10, 3, 7), (3, 10, -7), (0, LAST, 1), (LAST, 0, -1), (99, LAST - 100, 200), (LAST - 100, 99, -200),
    (TICKS_PERIOD // 2 - 1, 0, TICKS_PERIOD // 2 - 1), (TICKS_PERIOD // 2, 0, -TICKS_PERIOD // 2),
)  # fmt: skip

for later, earlier, difference in CASES:
    assert ticks_diff(later, earlier) == difference, (later, earlier)
    assert ticks_add(earlier, difference) == later, (later, earlier)

print("ticks", len(CASES), ticks_add(LAST, 16), ticks_diff(ticks_add(LAST, 16), LAST))
