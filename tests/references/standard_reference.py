"""Play "Standard" and the test specification slowly, from their texts alone.

Nothing of firmware/ is used: cells are (x, y) from (1, 1) as in the texts, the pile is a dict, time
is in whole milliseconds. tests/references/test_standard_reference.py compares the engine with it.
"""

LETTERS = "OISZLJT"  # the values 1 to 7

# The four orientations of each piece, cells relative to its origin (README of the specifications).
O1 = [(-1, 0), (0, 0), (-1, -1), (0, -1)]
I1, I2 = [(-2, 0), (-1, 0), (0, 0), (1, 0)], [(0, 1), (0, 0), (0, -1), (0, -2)]
S1, S2 = [(0, 0), (1, 0), (-1, -1), (0, -1)], [(0, 1), (0, 0), (1, 0), (1, -1)]
Z1, Z2 = [(-1, 0), (0, 0), (0, -1), (1, -1)], [(1, 1), (0, 0), (1, 0), (0, -1)]
L1, L2 = [(-1, 0), (0, 0), (1, 0), (-1, -1)], [(0, 1), (0, 0), (0, -1), (1, -1)]
L3, L4 = [(1, 1), (-1, 0), (0, 0), (1, 0)], [(-1, 1), (0, 1), (0, 0), (0, -1)]
J1, J2 = [(-1, 0), (0, 0), (1, 0), (1, -1)], [(0, 1), (1, 1), (0, 0), (0, -1)]
J3, J4 = [(-1, 1), (-1, 0), (0, 0), (1, 0)], [(0, 1), (0, 0), (-1, -1), (0, -1)]
T1, T2 = [(-1, 0), (0, 0), (1, 0), (0, -1)], [(0, 1), (0, 0), (1, 0), (0, -1)]
T3, T4 = [(0, 1), (-1, 0), (0, 0), (1, 0)], [(0, 1), (-1, 0), (0, 0), (0, -1)]
SHAPES = {"O": [O1] * 4, "I": [I1, I2] * 2, "S": [S1, S2] * 2, "Z": [Z1, Z2] * 2}
SHAPES |= {"L": [L1, L2, L3, L4], "J": [J1, J2, J3, J4], "T": [T1, T2, T3, T4]}

DELAY_MS = [500, 450, 400, 350, 300, 250, 200, 150, 100, 50]
TEST_SPEC_LINES = [0, 100, 300, 500, 800]


class Reference:
    """One game. `initial` is 0 to 9 in both rule sets; the test specification shows it as 1 to 10."""

    def __init__(self, seed: int, initial: int, test_spec: bool) -> None:
        self.x_of_generator = seed
        self.initial = initial
        self.test_spec = test_spec
        self.pile: dict[tuple[int, int], str] = {}
        self.letter = ""
        self.orientation = 1
        self.origin = (0, 0)
        self.free_falls = self.queued = self.score = self.lines = self.landed = self.now_ms = 0
        self.counts = dict.fromkeys(LETTERS, 0)
        self.over = False
        self.next_iteration_ms = self.delay_ms()

    def actual_level(self) -> int:
        return max(self.initial, min(max((self.lines - 1) // 10, 0), 9))

    def shown_level(self) -> int:
        return self.actual_level() + (1 if self.test_spec else 0)

    def delay_ms(self) -> int:
        return DELAY_MS[self.actual_level()]

    def random_letter(self) -> str:
        self.x_of_generator = (1664525 * self.x_of_generator + 1013904223) % 2**32
        return LETTERS[self.x_of_generator % 7]

    def cells(self, origin: tuple[int, int] | None = None, orientation: int = 0) -> set[tuple[int, int]]:
        x, y = origin or self.origin
        return {(x + dx, y + dy) for dx, dy in SHAPES[self.letter][(orientation or self.orientation) - 1]}

    def possible(self, cells: set[tuple[int, int]]) -> bool:
        return all(1 <= x <= 10 and 1 <= y <= 20 and (x, y) not in self.pile for x, y in cells)

    def rests(self) -> bool:
        x, y = self.origin
        return not self.possible(self.cells((x, y - 1)))

    def pass_time(self, until_ms: int) -> None:
        while not self.over and self.next_iteration_ms <= until_ms:
            self.now_ms = self.next_iteration_ms
            self.next_iteration_ms += self.delay_ms()
            self.iterate()
        if not self.over:  # after the end, time stands still
            self.now_ms = until_ms

    def iterate(self) -> None:
        if not self.letter:
            self.spawn()
        elif self.rests():
            self.land(dropped=False)
        else:
            self.origin = (self.origin[0], self.origin[1] - 1)
            self.free_falls += 1
            for _ in range(self.queued):
                self.rotate()
            self.queued = 0

    def spawn(self) -> None:
        self.letter = self.random_letter()
        self.counts[self.letter] += 1
        self.orientation = 1
        self.origin = (6, 20)
        self.free_falls = self.queued = 0
        if not self.possible(self.cells()):
            self.over = True
            self.letter = ""

    def land(self, dropped: bool) -> None:
        level = self.shown_level()
        for cell in self.cells():
            self.pile[cell] = self.letter
        self.letter = ""
        self.landed += 1
        full = [y for y in range(1, 21) if all((x, y) in self.pile for x in range(1, 11))]
        for y in reversed(full):
            self.pile = {(cx, cy - 1 if cy > y else cy): letter for (cx, cy), letter in self.pile.items() if cy != y}
        if self.test_spec:
            self.score += level * ((20 if dropped else 10) + TEST_SPEC_LINES[len(full)])
        else:
            self.score += 24 + 3 * level - self.free_falls
        self.lines += len(full)
        self.next_iteration_ms = self.now_ms + self.delay_ms()

    def rotate(self) -> bool:
        following = 1 + self.orientation % 4
        if not self.possible(self.cells(None, following)):
            return False
        self.orientation = following
        return True

    def request(self, action: str) -> None:
        """Apply "left", "right", "rotate" or "drop" now."""
        if self.over or not self.letter:
            return
        x, y = self.origin
        if action == "rotate":
            if self.free_falls == 0:
                if not self.test_spec:
                    self.queued += 1
            else:
                self.rotate()
        elif action == "drop":
            while not self.rests():
                self.origin = (self.origin[0], self.origin[1] - 1)
            self.land(dropped=True)
        else:
            moved = (x + (1 if action == "right" else -1), y)
            if self.possible(self.cells(moved)):
                self.origin = moved
