"""Keep the place of each grade of all-clear tasks in its order, and the longest run.

The record: format (1 byte), then the key of the order and for each grade PLACE, RUN and BEST, as
firmware/save/varint.py writes them.
"""

from firmware.compat import TYPE_CHECKING, const
from firmware.modes.lessons.all_clear_file import GRADES
from firmware.save.varint import Numbers

if TYPE_CHECKING:
    from firmware.contracts import Blob, Buffer

PLACE = const(0)
RUN = const(1)
BEST = const(2)
FIELDS = const(3)

_FORMAT = const(1)
_MOST = const(999)  # of a run; as many as the screen shows


class Runs:
    """Hold the numbers of all grades in counts[grade * FIELDS + field]. key: of the order, or -1 if there is none."""

    def __init__(self, record: "Blob") -> None:
        self.key = -1
        self.counts = [0] * (GRADES * FIELDS)
        numbers = Numbers(record)
        try:
            if numbers.get() == _FORMAT:
                self.key = numbers.get()
                for i in range(GRADES * FIELDS):
                    self.counts[i] = numbers.get()
        except ValueError:
            pass

    def field(self, grade: int, field: int) -> int:
        """Return one of a grade's numbers, PLACE to BEST."""
        return self.counts[grade * FIELDS + field]

    def find_longest(self) -> int:
        """Return the most tasks that were solved in a row, of any grade."""
        return max([self.counts[at] for at in range(BEST, GRADES * FIELDS, FIELDS)])

    def mark_solved(self, grade: int) -> None:
        """Count one more task of the run."""
        at = grade * FIELDS
        self.counts[at + RUN] = run = min(_MOST, self.counts[at + RUN] + 1)
        self.counts[at + BEST] = max(run, self.counts[at + BEST])

    def end_run(self, grade: int) -> bool:
        """End the run; return whether there was one."""
        at = grade * FIELDS + RUN
        was = self.counts[at]
        self.counts[at] = 0
        return was > 0

    def go_on(self, grade: int) -> None:
        """Turn to the next task."""
        self.counts[grade * FIELDS + PLACE] += 1

    def pack(self, buffer: "Buffer") -> int:
        """Write the record to `buffer`; return its length, at most 42 bytes."""
        numbers = Numbers(buffer, True)
        numbers.walk(_FORMAT)
        numbers.walk(self.key)
        for count in self.counts:
            numbers.walk(count)
        return numbers.at
