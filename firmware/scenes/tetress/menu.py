"""Set up a game of Tetress, or continue one: choose players, ask for a hint, undo a move."""

from firmware.compat import TYPE_CHECKING, const
from firmware.router import ALONE
from firmware.save.journal import BOARD_GAME
from firmware.scenes.menu import Menu
from firmware.tetress.record import AGAIN, HEAD, HINT, PLAYERS, WISH, is_whole, start_record, undo

if TYPE_CHECKING:
    from firmware.contracts import Any, Canvas, Context

_WORDS = (b"HUMAN", b"LVL 1", b"LVL 2", b"LVL 3", b"LVL 4")
_NOTES = (
    b"A PERSON AT THE|BUTTONS",
    b"A COMPUTER THAT|PLAYS AT RANDOM",
    b"A COMPUTER THAT|THINKS A LITTLE",
    b"A COMPUTER THAT|SEES YOUR REPLY",
    b"A COMPUTER THAT|LOOKS FURTHER",
)
_TOKENS = (b"SOLID TOKENS|", b"HOLLOW TOKENS|")  # the two colours on a screen without colours
# The lines for the game in progress, before those for a new game
_HINT_LINE = const(1)
_UNDO_LINE = const(2)
_REPLAY_LINE = const(3)
_SETUP = const(4)
_NEW_GAME = const(-1)  # counted from the first colour, as players are


class Scene(Menu):
    """Offer the last game, in progress or over, if there is one; then a new game."""

    keeps = ALONE
    parent = "menus.more_modes"
    heading = b"TETRESS"
    lines: tuple[bytes, ...] = (b"NEW GAME", b"SOLID", b"HOLLOW")
    notes: tuple[bytes, ...] = (b"FULL ROWS GO|IF YOU CANNOT|PLACE, YOU LOSE", b"", b"")

    def __init__(self, context: "Context", subject: object = None) -> None:
        """Begin with the record `subject`, or with the saved record."""
        record: "Any" = subject  # a bytearray, or None
        if not isinstance(subject, bytearray):
            record = context.journal.read(BOARD_GAME)
            record = bytearray(record) if is_whole(record) else None
        self.record = record
        self.first = 0
        self.players = bytearray((0, 2))
        if record:
            self.players[:] = record[PLAYERS : PLAYERS + 2]
            if len(record) > HEAD:
                self.first = _SETUP
                self.lines = (b"RESUME", b"HINT", b"UNDO", b"REPLAY") + self.lines
                self.notes = (
                    b"BACK TO THE|GAME",
                    b"THE COMPUTER|SHOWS A MOVE",
                    b"TAKE BACK YOUR|LAST MOVE",
                    b"ALL MOVES OF|THIS GAME",
                ) + self.notes
        Menu.__init__(self, context)

    def value(self, at: int) -> bytes:
        player = at - self.first - 1
        return _WORDS[self.players[player]] if player >= 0 else b""

    def turn(self, at: int, step: int) -> bool:
        """Change the player of a colour, in a game in progress, too."""
        player = at - self.first - 1
        if player < 0:
            return False
        self.players[player] = (self.players[player] + step) % len(_WORDS)
        return True

    def pick(self, at: int) -> None:
        """Change a player, or open the board as the line says."""
        context = self.context
        player = at - self.first - 1
        if player >= 0:
            self.turn(at, 1)
            return
        record = self.record
        if player == _NEW_GAME:
            record = start_record(self.players[0], self.players[1], context.session.next_seed())
        else:
            if at == _UNDO_LINE:
                record = undo(record)
            record[WISH] = HINT if at == _HINT_LINE else AGAIN if at == _REPLAY_LINE else 0
            record[PLAYERS : PLAYERS + 2] = self.players
        context.go("tetress.play", record)

    def draw_note(self, canvas: "Canvas", note: bytes) -> None:
        """Describe the line, or the player of a colour."""
        player = self.at - self.first - 1
        Menu.draw_note(self, canvas, _TOKENS[player] + _NOTES[self.players[player]] if player >= 0 else note)
