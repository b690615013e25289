"""Seat a bot of the Tetris Bot Protocol in the matches of a session: in the last seat, like a person."""

from firmware.match.match import Match
from firmware.match.options import PERSON
from firmware.scenes.match.play import Scene as MatchPlay
from firmware.scenes.match.result import tell_result
from firmware.scenes.play_state import OVER
from sim import terminal
from sim.bots.process import Bot
from sim.bots.rival import LiveRival, Rival

_GAP_MS = 25  # between two presses of the bot
_LETTERS = 11  # limit of its name on the screen


class BotSeat:
    """Seat a bot in every match that a scene begins, and report a Fault by which it loses.

    persons: how many play at handhelds.  pace_ms: time from a generation to the bot's presses.
    waits: whether the match waits while the bot thinks.
    """

    def __init__(self, bot: Bot, persons: int, pace_ms: int, waits: bool) -> None:
        self.bot = bot
        self.persons = persons
        self.pace_ms = pace_ms
        self.waits = waits
        self.rival: Rival | None = None
        self.is_fault_reported = False

    def look_at_frame(self, scene: object) -> None:
        """Take the seat if a match has begun in this frame, and report a bot that fails."""
        if not isinstance(scene, MatchPlay) or not self.has_seat(scene.match):
            return
        number = scene.match.options.players - 1
        rival = self.rival
        if rival is None or scene.players[number] is not rival:
            game = scene.match.seats[number].game
            if rival:
                rival.watch(game)  # reused, because it may still wait for an answer
            else:
                kind = Rival if self.waits else LiveRival
                self.rival = rival = kind(self.bot, game, self.pace_ms, gap_ms=_GAP_MS)
            scene.players[number] = rival
            scene.pool = scene.pool or 1  # without a pool the scene calls no look()
            scene.view.names[number] = name_on_screen(self.bot.name)
            scene.view.reset()
        if rival.lost and not self.is_fault_reported:
            self.is_fault_reported = True
            terminal.note("sim", f"{self.bot.name} loses: it {rival.lost}")
        if rival.lost and scene.state == OVER:
            scene.view.draw_message(f"BOT {rival.lost.sign} {tell_result(scene.match, scene.me)}")

    def has_seat(self, match: Match) -> bool:
        """Return whether a match has a seat for the bot; a match left by another session has none."""
        levels = [match.options.level_of(number) for number in range(match.options.players)]
        return levels[-1] == PERSON and levels.count(PERSON) == self.persons + 1


def name_on_screen(name: str) -> bytes:
    """Return a name in the letters that small fonts have, or BOT."""
    letters = "".join(letter for letter in name.upper() if letter.isascii() and (letter.isalnum() or letter == " "))
    return letters[:_LETTERS].strip().encode() or b"BOT"
