"""A bot of the Tetris Bot Protocol for the strong player."""

import time
from typing import Any

from firmware.engine.matrix import Matrix
from sim.bots.attacks import GUIDELINE, find_attacks
from sim.bots.protocol import Message, Move, find_gap, read_matrix
from tools.bots.bot_server import STRONG_MS, BotServer
from tools.bots.strong import columns as bits
from tools.bots.strong.beam import CHAIN, make_chain, update_chain
from tools.bots.strong.preparing import prepare
from tools.bots.strong.search import NOWHERE, Search
from tools.bots.strong.weights import Learned, find_learned

_CHUNK = 4000  # nodes between two reads of the clock
_NODES_A_SECOND = 1_500_000.0  # assumed until measured
_MOST_ROWS = 20


def read_columns(matrix: Matrix) -> Any:
    return bits.make_columns(mask >> 3 for mask in matrix.masks[: matrix.top])


def read_code(code: int) -> Move:
    x, y = (code >> bits.SPOT & 15) - bits.EDGE, bits.ROWS - 1 - (code & 63)
    return Move(code >> bits.PIECE & 7, code >> bits.FACING & 3, x, y, code >> bits.SPIN & 3)


def find_code(move: Move, held: bool) -> int:
    piece, facing, x, y, spin = move
    x += int(bits.TWIN_X[piece, facing])
    y += int(bits.TWIN_Y[piece, facing])
    facing %= int(bits.KINDS[piece])
    return int(bits.pack_move(bits.ROWS - 1 - y, x + bits.EDGE, facing, piece, spin, int(held)))


class StrongBot(BotServer):
    """Answer the messages of a host.

    think_s: the least CPU time for a piece on average: what an obvious move leaves goes to the next one, up to as much
    again. The bot also thinks until the host asks, and always finishes the first ply.
    nodes: rate this many places for a piece instead; equal messages then get equal answers.
    attacks: the table of attacks, by its name.  learned: other weights and points than those in use. From the
        first announcement of garbage on, those for matches are in use.

    The extension `garbage`, a message {"type": "garbage", "rows": 3} before `suggest`: three rows will rise after
    this piece has locked down, minus the lines that it sends.
    """

    name = "Skyline STRONG"
    features = ("randomizer", "move_info", "garbage")

    def __init__(
        self,
        think_s: float = STRONG_MS / 1000,
        nodes: int = 0,
        attacks: str = GUIDELINE,
        learned: Learned | None = None,
    ) -> None:
        super().__init__()
        self.think_s = think_s
        self.nodes = nodes
        self.ponders = not nodes
        widest = max(1024, nodes // 8)
        if not 0 < nodes < 1 << 18:
            widest = max(1 << 14, min(1 << 16, (nodes or int(_NODES_A_SECOND * think_s)) // 16))
        self.of_matches = None if learned else find_learned(attacks, match=True)
        learned = learned or find_learned(attacks)
        table = find_attacks(attacks)
        weights, patterns, defence, defence_patterns = learned
        self.search = Search(weights, defence, widest, table, patterns, defence_patterns)
        self.speed = _NODES_A_SECOND
        self.rated = 0  # total of rated places; for measuring
        self.columns: Any = None
        self.chain = 0
        self.coming = 0
        self.gap = 4
        self.suggested = NOWHERE
        self.spent_s = self.saved_s = 0.0
        self.ready = False
        self.first = 0  # places to rate before choose(), in `first_s`
        self.first_s = 0.0

    def prepare(self) -> None:
        prepare()

    # -- the game -----------------------------------------------------------------------------------

    def start(self, message: Message) -> None:
        """Start from a position; keep the search's results if the last move and garbage led to it."""
        matrix = read_matrix(message.get("board"))
        self.columns = read_columns(matrix)
        self.gap = find_gap(matrix, self.gap)
        if self.suggested != NOWHERE:
            self.search.play(self.suggested)
        self.read_chain(message)
        self.reset_piece()

    def read_chain(self, message: Message) -> None:
        """Read the Back-to-Back and, if the table has combos, the Line Clears in a row.

        The protocol does not tell how many Back-to-Backs there were; the search knows if it followed the game.
        """
        known, combo = self.search.chain, message.get("combo")
        combo = max(0, combo if type(combo) is int else 0)
        chain = make_chain(int(message.get("back_to_back") is True), combo, self.search.table)
        self.chain = known if known & ~CHAIN | min(1, known & CHAIN) == chain else chain

    def accept_other(self, message: Message) -> None:
        """Accept the announced number of rows of garbage."""
        rows = message.get("rows")
        if message["type"] == "garbage" and type(rows) is int:
            self.coming = max(0, min(_MOST_ROWS, rows))
            if self.of_matches:
                self.search.set_points(self.of_matches)
                self.of_matches = None

    def append(self, piece: int) -> None:
        super().append(piece)
        self.ready = False

    def fits(self, move: Move) -> bool:
        columns = self.columns
        return all(
            0 <= x < 10 and 0 <= y < bits.ROWS and not columns[x] >> bits.ROWS - 1 - y & 1 for x, y in move.cells()
        )

    def lock_down(self, move: Move, held: bool) -> None:
        code = find_code(move, held)
        lines = max(0, int(bits.lock(self.columns, code)))
        self.chain = int(update_chain(self.chain, code, lines, self.search.table))
        if self.suggested != NOWHERE and code | 1 << bits.HELD == self.suggested | 1 << bits.HELD:
            self.search.play(self.suggested)
        self.reset_piece()

    def reset_piece(self) -> None:
        self.suggested = NOWHERE
        self.coming = 0
        if self.spent_s:
            self.saved_s = min(self.think_s, max(0.0, self.saved_s + self.think_s - self.spent_s))
        self.spent_s = 0.0
        self.ready = False

    # -- thinking -------------------------------------------------------------------------------------

    def update_search(self) -> bool:
        """Bring the search up to date with the game; return False if there is no game."""
        if not self.at_play or not self.queue:
            return False
        if not self.ready:
            self.ready = True
            hold, queue = self.hold, self.known()
            barred = not hold and len(queue) > 1
            if barred:
                hold = queue.pop(0)  # the first piece is held at once
            search = self.search
            if (
                search.hold == hold
                and search.chain == self.chain
                and search.queue == queue[: len(search.queue)]
                and search.barred == barred
                and search.follow_matrix(self.columns)
            ):
                search.queue = queue
            else:
                search.set_position(self.columns, hold, self.chain, queue, barred)
            search.bag = self.bag if len(self.bag) > 1 else []
        think_s = self.think_s + self.saved_s
        budget = max(1, self.nodes or int(self.speed * think_s))
        self.first = self.search.set_budget(budget)
        self.first_s = think_s * self.first / budget
        if self.search.coming != self.coming:
            self.search.expect_garbage(self.coming, self.gap)
        self.search.choose_weights()
        return True

    def think(self, nodes: int) -> int:
        """Rate about `nodes` more places; return their number."""
        start_s = time.process_time()
        rated = self.search.think(nodes)
        self.add_thought(start_s, rated)
        return rated

    def add_thought(self, start_s: float, rated: int) -> None:
        """Add the time since `start_s` and the places rated to the totals; learn the speed from them."""
        spent_s = time.process_time() - start_s
        self.spent_s += spent_s
        self.rated += rated
        if rated >= _CHUNK and spent_s > 0:
            self.speed += (rated / spent_s - self.speed) / 16

    def ponder(self) -> bool:
        return self.suggested == NOWHERE and self.update_search() and self.think(_CHUNK) > 0

    def suggest(self) -> tuple[Move | None, Message]:
        if not self.update_search():
            return None, {}
        search = self.search
        if self.nodes:
            self.think(self.first)
        else:
            while (search.depth == 0 or self.spent_s < self.first_s) and self.think(_CHUNK):
                pass
        start_s, rated = time.process_time(), search.rated
        self.suggested = search.choose()
        self.add_thought(start_s, search.rated - rated)
        if self.suggested == NOWHERE:
            return None, {}
        return read_code(self.suggested), {"nodes": search.rated, "nps": int(self.speed), "depth": search.depth + 1}
