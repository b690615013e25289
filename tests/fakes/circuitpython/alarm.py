"""Fake CircuitPython's `alarm`."""

from workbench import bench


class SleepMemory:
    """RAM that a reload spares; on the board it has a length and items, but nothing goes through it."""

    __iter__ = None

    def __len__(self) -> int:
        return len(bench.sleep_memory)

    def __getitem__(self, at):
        return bench.sleep_memory[at]

    def __setitem__(self, at, value) -> None:
        bench.sleep_memory[at] = value


sleep_memory = SleepMemory()
