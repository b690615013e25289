"""Read from a recording what the database keeps of it: seed, options and the figures of play."""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields

from firmware.engine.game import Game
from firmware.match import fields as match_options
from firmware.match.figures import count, measure
from firmware.match.match import Match
from firmware.match.seat import NOT_YET
from firmware.modes.catalogue import make_mode
from firmware.option_table import GAME_FIELDS
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording, is_linked
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording, is_match
from firmware.save.recordings.recording import Player, Recording
from sim.moment import END_MS

AnyRecording = Recording | MatchRecording | LinkRecording

_STEP_MS = 1000


@dataclass(frozen=True)
class Figures:
    """The figures of play of a game, or of the player here in the last round of a match (firmware/modes/README.md, F).

    pps, apm, app, kpp: hundredths.  finesse: percent.
    """

    score: int
    lines: int
    level: int
    time_ms: int
    pieces: int
    pps: int
    apm: int
    app: int
    kpp: int
    finesse: int


FIGURES = tuple(field.name for field in fields(Figures))
NO_FIGURES = (0,) * len(FIGURES)


def is_recording(blob: bytes) -> bool:
    """Return whether a file with these bytes begins like a recording, whole or cut."""
    return blob[:3] == b"SKY" and len(blob) > 3 and blob[3] < ord(" ")


def load(blob: bytes) -> AnyRecording:
    """Return the recorded game or match in these bytes; raise ValueError if they are damaged."""
    kind = LinkRecording if is_linked(blob) else MatchRecording if is_match(blob) else Recording
    recording: AnyRecording = kind(blob)
    if length_s(recording) * 1000 > END_MS:  # five bytes can claim 24 days, and to play them takes long
        raise ValueError(f"recording is damaged: it is longer than {END_MS // 3_600_000} hours")
    return recording


def length_s(recording: AnyRecording) -> float:
    """Return the length of a recording, without the breaks between the rounds of a match."""
    length_ms = 0
    while recording.read():
        if not isinstance(recording, Recording) and recording.next_round:
            length_ms += recording.time_ms
    length_ms += recording.time_ms
    recording.rewind()
    return length_ms / 1000


def measure_game(game: Game) -> Figures:
    return _measure(game, game.time_ms, count(game))


def measure_match(match: Match, me: int) -> Figures:
    """Return the figures of player `me` in the round of a match that has just ended."""
    seat = match.seats[me]
    return _measure(seat.game, match.ends_ms if seat.out_ms == NOT_YET else seat.out_ms, seat.sent)


def _measure(game: Game, time_ms: int, attack: int) -> Figures:
    figures = measure(game, time_ms, attack)
    return Figures(game.score, game.lines, game.level, time_ms, game.statistics.pieces, *figures)


def measure_recording(blob: bytes) -> tuple[int, ...]:
    """Play a recording to its end and return its figures as a tuple; zeros if it is damaged."""
    try:
        recording = load(blob)
        if isinstance(recording, Recording):
            game = recording.game(make_mode(recording.variant))
            player = Player(recording, game)
            while not player.finished():
                player.advance(game.time_ms + _STEP_MS)
            return astuple(measure_game(game))
        side = LinkPlayer(recording) if isinstance(recording, LinkRecording) else MatchPlayer(recording)
        while True:
            time_ms = 0
            while not side.is_round_over():
                time_ms += _STEP_MS
                side.advance(time_ms)
            found = astuple(measure_match(side.match, side.me))
            if not side.begin_next():
                return found
    except (ValueError, IndexError):
        return NO_FIGURES


def read_head(blob: bytes) -> tuple[int, int, str]:
    """Return the seed, the aim, and the options that differ from their defaults; raise ValueError for damaged bytes.

    The options are "name=value", with commas between; those of a match begin with its own.
    """
    recording = load(blob)
    if isinstance(recording, Recording):
        return recording.seed, recording.options.aim, _list_options(recording.options, GAME_FIELDS)
    me = recording.me if isinstance(recording, LinkRecording) else MatchPlayer.me
    own = _list_options(recording.choices[me], GAME_FIELDS)
    listed = _list_options(recording.options, match_options.FIELDS)
    return recording.seed, recording.options.aim, ",".join(filter(None, (listed, own)))


def _list_options(owner: object, table: tuple[tuple[str, int, int, int], ...]) -> str:
    values = ((name, getattr(owner, name), default) for name, _least, _most, default in table)
    return ",".join(f"{name}={value}" for name, value, default in values if value != default)
