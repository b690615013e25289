"""Fake CircuitPython's `alarm`."""

from workbench import bench


class SleepMemory:
    """RAM that survives a reload; like on the board it has items and a length but no iteration."""

    __iter__ = None

    def __len__(self) -> int:
        return len(bench.sleep_memory)

    def __getitem__(self, index):
        return bench.sleep_memory[index]

    def __setitem__(self, index, value) -> None:
        bench.sleep_memory[index] = value


sleep_memory = SleepMemory()
