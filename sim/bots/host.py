"""Host a bot of the Tetris Bot Protocol in Marathon: turn its moves into button edges like a person's."""

import time
from collections.abc import Callable

from firmware.engine.controls import HARD_DROP, HOLD, LEFT, RIGHT, ROTATE_CCW, ROTATE_CW
from firmware.engine.game import Game
from firmware.engine.matrix import WIDTH
from firmware.engine.mode import Mode
from firmware.engine.options import INFINITE, Options
from firmware.modes.catalogue import MARATHON
from firmware.modes.marathon import Marathon
from firmware.modes.rules import find_rules
from firmware.players.planner import PressPlanner
from firmware.save.recorder import Recorder
from sim.bots.attacks import GUIDELINE, find_attacks
from sim.bots.places import Place, Places, Step, play_steps
from sim.bots.process import Fault, Partner
from sim.bots.protocol import LETTERS, Message, Move, find_place, find_places, read_move, show, write_matrix

SEEN = (5, 6)

_ASK_AGAIN_S = 0.05
_RECORDING_BYTES = 1 << 20  # for ten thousand pieces and more
_BAG = range(1, 8)


def choose_options(seen: int) -> Options:
    """Return the options of a game for bots: no timer makes a way impossible at any level."""
    options = Options()
    options.next_count = seen
    options.lock_rule = INFINITE  # places ignore timers
    return options


def straighten(game: Game, steps: list[Step], place: Place) -> list[Step]:
    """Return steps that need no fall if such steps lead to the place too; they take no time, but maybe more presses."""
    if place.spin:
        return steps
    shadow = PressPlanner(1).shadow
    shadow.matrix = game.matrix

    def press(button: int) -> bool:
        if button in (LEFT, RIGHT):
            return bool(shadow.shift(1 if button == RIGHT else -1))
        return bool(shadow.turn(button == ROTATE_CW))

    def leads(buttons: list[int]) -> bool:
        shadow.place(game.piece, game.x, game.y, game.facing)
        return all(map(press, buttons)) and (shadow.facing, shadow.x, shadow.ghost_y) == place[:3]

    turns = [[], [ROTATE_CW], [ROTATE_CW, ROTATE_CW], [ROTATE_CCW]][place.facing - game.facing & 3]
    shifts = [RIGHT if place.x > game.x else LEFT] * abs(place.x - game.x)
    for buttons in [step.button for step in steps[:-1]], turns + shifts, shifts + turns:
        if leads(buttons):
            return [Step(0, button) for button in [*buttons, HARD_DROP]]
    return steps


def find_bag(game: Game, seen: int) -> list[int]:
    """Return the pieces left in the bag after `seen` pieces of the Next Queue; all seven if it is empty."""
    left = list(game.dealer.order[: game.dealer.left])
    for piece in reversed(game.next[seen:]):
        if len(left) == len(_BAG):
            left.clear()
        left.append(piece)
    return left or [*_BAG]


class LineCounter(Mode):
    """Wrap a mode, count the lines that its Line Clears would send by a table of attacks, and raise garbage.

    attacks: the table's name.  rows: how many rise after each `every` Lock Downs; with 0, none.  chain: Back-to-Backs
    in a row, by the table.  risen: whether the last garbage has risen and nobody has said so.
    """

    def __init__(self, mode: Mode, attacks: str = GUIDELINE, rows: int = 0, every: int = 0) -> None:
        self.mode = mode
        self.attacks = find_attacks(attacks)
        self.rows = rows
        self.every = every
        self.sent = self.chain = 0
        self.risen = False

    def begin(self, game: Game) -> None:
        self.mode.begin(game)

    def complete(self, game: Game) -> None:
        self.sent += self.attacks.count_lock_down(game, self.chain)
        self.chain = self.attacks.follow_chain(game.spun, game.cleared, self.chain)
        self.mode.complete(game)
        if self.every and not game.over and game.lock_downs % self.every == 0:
            self.risen = game.receive(self.rows, game.garbage.below(WIDTH))

    def end(self, game: Game) -> None:
        self.mode.end(game)


class Dialogue:
    """Describe a game to a bot and ask it for moves.

    seen: how many pieces of the Next Queue it sees.  queue: the pieces that it knows, the one in play first.
    fresh: whether it has suggested no move since the start.  nodes: the sum of the `nodes` that it reported.
    """

    def __init__(self, bot: Partner, game: Game, seen: int) -> None:
        self.bot = bot
        self.game = game
        self.seen = seen
        self.queue: list[int] = []
        self.fresh = True
        self.nodes = 0

    def take_new_pieces(self) -> list[int]:
        """Return the pieces that the bot has not seen yet, and note them."""
        game = self.game
        seen = [game.piece, *game.next[: self.seen]]
        new = seen[len(self.queue) :]
        self.queue = seen
        return new

    def start(self) -> None:
        """Send the bot a new position."""
        game = self.game
        if self.bot.at_play:
            self.bot.send({"type": "stop"})
        self.bot.at_play = True
        self.take_new_pieces()
        message: Message = {
            "type": "start",
            "hold": LETTERS[game.hold] if game.hold else None,
            "queue": [LETTERS[piece] for piece in self.queue],
            "combo": game.statistics.combo + 1,
            "back_to_back": self.is_chained(),
            "board": write_matrix(game.matrix),
        }
        if "randomizer" in self.bot.features:
            left = [LETTERS[piece] for piece in find_bag(game, self.seen)]
            message["randomizer"] = {"type": "seven_bag", "bag_state": left}
        self.bot.send(message)
        self.fresh = True

    def is_chained(self) -> bool:
        """Return whether the next Tetris or T-Spin is Back-to-Back."""
        return self.game.chain > 0

    def show_queue(self) -> None:
        """Send the bot the pieces that it has not seen yet: two after the first Hold."""
        for piece in self.take_new_pieces():
            self.bot.send({"type": "new_piece", "piece": LETTERS[piece]})

    def ask(self) -> tuple[Move, Message]:
        """Return the bot's first legal move, parsed and as sent; raise Fault if there is none."""
        until_s = time.monotonic() + self.bot.answer_s
        while True:
            self.bot.send({"type": "suggest"})
            message = self.bot.receive("suggestion")
            said = message.get("moves")
            if not isinstance(said, list):
                raise Fault(f"speaks nonsense: {show(said)} is not a list of moves")
            if said:
                break
            if not self.fresh:
                raise Fault("gives up", "GAVE UP")
            if time.monotonic() >= until_s:
                raise Fault(f"knew no move within {self.bot.answer_s:g} s", "HANGS")
            time.sleep(_ASK_AGAIN_S)
        self.fresh = False
        try:
            moves = [read_move(move) for move in said]
        except ValueError as problem:
            raise Fault(f"speaks nonsense: {problem}") from None
        info = message.get("move_info")
        nodes = info.get("nodes") if isinstance(info, dict) else None
        self.nodes += nodes if type(nodes) is int else 0
        for move, words in zip(moves, said, strict=True):
            if self.is_legal(move):
                return move, words
        raise Fault(f"has no move that can be played: {show(said[0])}")

    def is_legal(self, move: Move) -> bool:
        """Return whether a move can be played, maybe with Hold, by a Tetrimino that has not fallen yet."""
        game = self.game
        if move.piece not in (game.piece, game.hold or game.next[0]):
            return False
        places = find_places(game.matrix, move.piece)
        return places is not None and find_place(places, move) is not None

    def take_from_queue(self, move: Move) -> bool:
        """Remove from the queue what a move will use; return whether it begins with Hold."""
        held = move.piece != self.game.piece
        del self.queue[: 2 if held and not self.game.hold else 1]
        return held


class Host(Dialogue):
    """Play one game with a bot.

    think_s: how long the bot may think before it is asked.  garbage: rows to raise, and after how many pieces; then the
    game stays at level 1 and has no end.
    attacks: the table of attacks that counts lines, by its name.  recorder: records the game.
    """

    def __init__(
        self,
        bot: Partner,
        seed: int,
        seen: int = 5,
        think_s: float = 0.0,
        garbage: tuple[int, int] = (0, 0),
        attacks: str = GUIDELINE,
    ) -> None:
        self.mode = LineCounter(Mode() if garbage[1] else Marathon(), attacks, *garbage)
        options = choose_options(seen)
        options.spins = self.mode.attacks.spins
        super().__init__(bot, find_rules(self.mode, options)(seed, options, self.mode), seen)
        self.think_s = think_s
        self.recorder = Recorder(_RECORDING_BYTES)
        self.recorder.begin_game(MARATHON, seed, options)

    def play(self, pieces: int, look: Callable[[], object] = lambda: None) -> None:
        """Play `pieces` pieces or to the end of the game; call `look` after each. Raise Fault if the bot fails."""
        game = self.game
        game.start(0)
        self.wait()
        self.bot.greet()
        self.start()
        while not game.over:
            if self.think_s:
                time.sleep(self.think_s)
            move, said = self.ask()
            self.move(move)
            look()
            if game.lock_downs >= pieces or game.over:
                break
            if self.mode.risen:
                # The protocol has no message for risen garbage.
                self.mode.risen = False
                self.start()
                continue
            self.bot.send({"type": "play", "move": said})
            self.show_queue()

    def is_chained(self) -> bool:
        """Return whether the next Tetris or T-Spin is Back-to-Back by the table of attacks."""
        return self.mode.chain > 0

    def wait(self) -> None:
        """Advance the game until a Tetrimino is in play or the game is over."""
        game = self.game
        game.advance(game.now_ms)
        while not game.piece and not game.over:
            game.advance(game.now_ms + -(-game.wait_us // 1000))

    def move(self, move: Move) -> None:
        """Press the buttons of a legal move, and advance to the next Tetrimino."""
        game = self.game
        if self.take_from_queue(move):
            for pressed in (1, 0):
                self.record_edges([(HOLD, pressed, game.now_ms)])
                game.input(HOLD, pressed, game.now_ms)
        places = Places(game, spins=game.options.spins)
        place = find_place(places, move)
        assert place  # because the move is legal
        self.record_edges(play_steps(game, straighten(game, places.steps(place), place)))
        self.wait()

    def record_edges(self, edges: list[tuple[int, int, int]]) -> None:
        for edge in edges:
            self.recorder.record_edge(*edge)
