"""Show a recorded game to others: as GIF, PNG, fumen link, text or sound. Write tunes and effects as sound, too.

    python -m tools.export game.sky --gif game.gif
    python -m tools.export game.sky --from 20 --to 30 --fumen
    python -m tools.export korobeiniki --wav korobeiniki.wav
    python -m tools.export stats --csv life.csv --png life.png
    python -m tools.export stats --games games.csv --progress weeks.png --days days.png
    python -m tools.export verify "SKYLINE DAILY ..." game.sky

A fumen is a link for the community's viewers. It has a page for every Tetrimino: the Matrix before it, and the place of
its Lock Down.
"""

import argparse
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from firmware.engine import events
from firmware.engine.game import AIM_REACHED, LOCK_OUT, Game
from firmware.engine.mode import Mode
from firmware.match.options import MOST_PLAYERS
from firmware.match.seat import Seat
from firmware.modes.catalogue import make_mode
from firmware.modes.rules import find_rules
from firmware.save.recordings.link_recording import LinkRecording
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.play.rewind import find_view
from firmware.sound.voice import TUNES, Voice
from sim import progress, terminal
from sim.bots.places import cells_of
from sim.clock import VirtualClock
from sim.contacts import NoButtons
from sim.desktop.session import Session
from sim.game_files import read_recording
from sim.game_record import length_s
from sim.library import open_library
from sim.oled import COLOURS
from sim.ownership import to_file
from sim.pictures import Film, save_png
from sim.terminal import Refusal, add_flag, add_number, add_path, number_within, tell_install, writing
from sim.traces import trace
from sim.wave_file import WaveFile
from tools import daily, game_stats, stats
from tools.assets import tunes

STATS = "stats"  # in place of a file
LETTERS = " IJLOSTZG"  # by cell code; G is garbage
_SUFFIXES = {"csv": ".csv", "png": ".png", "games": ".csv", "progress": ".png", "days": ".png"}
FACINGS = ("North", "East", "South", "West")
LINKS = ("https://fumen.zui.jp/?", "https://knewjade.github.io/fumen-for-mobile/#?d=")

_FUMEN_ROWS = 23
_FUMEN_PIECES = " IJLOSTZX"  # a fumen's names of our cell codes
_FUMEN_FACINGS = ("SPAWN", "RIGHT", "REVERSE", "LEFT")
_STEP_MS = 1000
_FRAMES_HZ = 60
_PAUSE_FRAMES = 30  # between two effects
_LINES = ((events.SINGLE, "Single"), (events.DOUBLE, "Double"), (events.TRIPLE, "Triple"), (events.TETRIS, "Tetris"))
_SPINS = ((events.T_SPIN, "T-Spin"), (events.MINI_T_SPIN, "Mini T-Spin"))


@dataclass
class Placement:
    """One Tetrimino, from its generation to the result of its Lock Down.

    rows: the 40 rows of the Matrix before the Lock Down, cell codes, lowest first.  x, y: lower
    left cell of its box.  generated_ms, locked_ms: rounded up to a whole millisecond.
    action: event bits.  score, level, lines: after its Line Clear.
    """

    piece: int
    facing: int
    x: int
    y: int
    rows: list[bytes]
    generated_ms: int
    locked_ms: int
    action: int = 0
    score: int = 0
    level: int = 0
    lines: int = 0

    def cells(self) -> frozenset[tuple[int, int]]:
        """Return the four cells (column, row) of its Minos."""
        return cells_of(self.piece, self.facing, self.x, self.y)

    def note_score(self, game: Game) -> None:
        self.score, self.level, self.lines = game.score, game.level, game.lines

    def name(self) -> str:
        """Return the name of the Lock Down, such as "Back-to-Back T-Spin Double", or ""."""
        words = ["Back-to-Back"] if self.action & events.BACK_TO_BACK else []
        words += [name for bit, name in _SPINS + _LINES if self.action & bit]
        return " ".join(words)


class Witness(Game):
    """Play a recording and note every Tetrimino; `witness` mixes in the rules of its variant."""

    def __init__(self, recording: Recording) -> None:
        self.placements: list[Placement] = []
        self.generated_ms = 0
        super().__init__(recording.seed, recording.options, make_mode(recording.variant))

    def moment_ms(self) -> int:
        """Return the game's time, rounded up to a whole millisecond."""
        return self.time_ms + (1 if self.time_us else 0)

    def generate(self) -> None:
        self.generated_ms = self.moment_ms()
        super().generate()

    def settle(self) -> bool:
        rows = [bytes(row) for row in self.matrix.rows]
        place = Placement(self.piece, self.facing, self.x, self.y, rows, self.generated_ms, self.moment_ms())
        self.placements.append(place)
        return super().settle()

    def lock_down(self, hard: bool = False) -> None:
        before = len(self.placements)
        super().lock_down(hard)
        self.note(before)

    def hard_drop(self) -> None:
        before = len(self.placements)
        super().hard_drop()
        self.note(before)  # a STILL game locks down without `lock_down`

    def note(self, before: int) -> None:
        """Note what a Lock Down did, if one has followed the first `before`."""
        for place in self.placements[before:]:
            place.action = self.action
            place.note_score(self)

    def eliminate(self) -> None:
        super().eliminate()
        self.placements[-1].note_score(self)


def witness(recording: Recording) -> Witness:
    recording.rewind()
    rules = find_rules(make_mode(recording.variant), recording.options)
    game = type("WitnessOf", (Witness, rules), {})(recording)
    player = Player(recording, game)
    time_ms = 0
    while not player.finished():
        time_ms += _STEP_MS
        player.advance(time_ms)
    recording.rewind()
    return game


class NotingMode(Mode):
    """Pass each step of a match's game on to its seat, and note every Tetrimino that locks down."""

    def __init__(self, seat: Seat, placements: list[Placement]) -> None:
        self.seat = seat
        self.placements = placements

    def match(self, game: Game) -> None:
        self.note(game)

    def iterate(self, game: Game) -> None:
        self.seat.iterate(game)
        self.placements[-1].action = game.action

    def complete(self, game: Game) -> None:
        self.placements[-1].note_score(game)
        self.seat.complete(game)

    def end(self, game: Game) -> None:
        self.seat.end(game)
        if game.over == LOCK_OUT:
            self.note(game)  # a Lock Out ends the game before match()

    def note(self, game: Game) -> None:
        """Note the Tetrimino that has just become Blocks."""
        rows = [bytearray(row) for row in game.matrix.rows]
        piece = 0
        for y, mask in enumerate((game.a, game.b, game.c, game.d), game.y):
            for x in range(10):
                if mask >> x + 3 & 1:
                    piece, rows[y][x] = rows[y][x], 0
        before = [bytes(row) for row in rows]
        self.placements.append(Placement(piece, game.facing, game.x, game.y, before, 0, game.time_ms))


def witness_match(recording: MatchRecording, number: int) -> list[Placement]:
    """Return all placements of a player, counted from 0, in all rounds of a match."""
    placements: list[Placement] = []
    player = MatchPlayer(recording)
    while True:
        seat = player.match.seats[number]
        seat.game.mode = NotingMode(seat, placements)
        time_ms = 0
        while not player.is_round_over():
            time_ms += _STEP_MS
            player.advance(time_ms)
        if not player.begin_next():
            return placements


def as_fumen(placements: list[Placement]) -> str:
    """Return the fumen of some placements, "v115@..." with a page for each.

    A page shows 23 rows. A Tetrimino that reaches above them is missing on its own page; the next page
    shows its Blocks.
    """
    from py_fumen_py import Field, Flags, Mino, Operation, Page, Rotation, encode

    pages: list[Page] = []
    for place in placements:
        field = Field([[Mino.parse_name(_FUMEN_PIECES[cell]) for cell in row] for row in place.rows[:_FUMEN_ROWS]])
        cells = place.cells()
        operation = Operation(Mino[LETTERS[place.piece]], Rotation[_FUMEN_FACINGS[place.facing]], 0, 0)
        shape = operation.shape()
        operation.shift(*(min(cell[axis] for cell in cells) - min(cell[axis] for cell in shape) for axis in (0, 1)))
        comment = f"{place.name()} score {place.score} level {place.level}".strip()
        inside = operation if operation.is_inside() else None
        pages.append(Page(field=field, operation=inside, comment=comment, flags=Flags(colorize=not pages)))
    return encode(pages)


def as_text(game: Witness, first: int, last: int) -> str:
    """Return a line for every Tetrimino from number `first` to `last`, and the Matrix after the last."""
    lines = [" no.  at      Tetrimino  column row   score level lines"]
    for number in range(first, last + 1):
        place = game.placements[number - 1]
        column = min(x for x, _ in place.cells())
        row = min(y for _, y in place.cells())
        minutes, ms = divmod(place.locked_ms, 60_000)
        lines.append(
            f"{number:4} {minutes:02}:{ms / 1000:06.3f}  {LETTERS[place.piece]} {FACINGS[place.facing]:5}  "
            f"{column:6} {row:3} {place.score:7} {place.level:5} {place.lines:5}  {place.name()}".rstrip()
        )
    rows = game.placements[last].rows if last < len(game.placements) else [bytes(row) for row in game.matrix.rows]
    top = max([y + 1 for y, row in enumerate(rows) if any(row)], default=0)
    lines += ["|" + "".join(LETTERS[cell] for cell in row) + "|" for row in reversed(rows[:top])]
    lines.append("+" + "-" * 10 + "+")
    if last == len(game.placements) and game.over:
        lines.append("completed" if game.over == AIM_REACHED else "game over")
    return "\n".join(lines)


def film(recording: Recording, start_ms: int, stop_ms: int) -> tuple[Session, WaveFile]:
    """Return a session whose film and picture show the game from `start_ms` to `stop_ms`, and its sound."""
    clock = VirtualClock()
    sound = WaveFile(clock)
    recording.rewind()
    # A film has no notices and trails: nothing covers score and time, wherever it begins.
    session = Session(clock, NoButtons(), sound, recording=recording, filmed=True)
    session.app.router.change(session.app.context)
    scene: Any = session.app.router.scene
    scene.view = find_view(scene)

    def present() -> None:
        bar.update((clock.passed_ms - start_ms) / 1000 - bar.n)
        if clock.passed_ms >= stop_ms:
            session.app.stop()

    session.until_end = True
    session.present = present
    clock.passed_ms = start_ms  # the first frame skips to this time
    with progress.bar("playing", (stop_ms - start_ms) / 1000, "s") as bar:
        session.run()
    session.film.frames = cut(session.film, start_ms)
    return session, sound


def cut(reel: Film, start_ms: int) -> list[tuple[bytes, int]]:
    """Return the frames of a film without its first `start_ms`."""
    frames = []
    passed_ms = 0
    for picture, lasts_ms in reel.frames:
        passed_ms += lasts_ms
        if passed_ms > start_ms:
            frames.append((picture, min(lasts_ms, passed_ms - start_ms)))
    return frames


def effects() -> list[str]:
    """Return the names of the effects, in the order of their priority."""
    return [label.lower() for label, _notes in tunes.read_score(tunes.EFFECTS).bars]


def tell(voice: Voice, label: str, now_ms: int) -> None:
    """Start the effect of a name in the score."""
    named = tunes.read_score(tunes.EFFECTS).named
    if label in named:
        voice.tell_menu(named.index(label))
    else:
        voice.tell(1 << tunes.bit_of(label), now_ms)


def listen(name: str) -> WaveFile:
    """Return a handheld's sound at 60 frames a second: a tune played once, one effect, or all effects."""
    clock = VirtualClock()
    sound = WaveFile(clock)
    voice = Voice(sound)
    frames = 0

    def play(count: int = 1) -> None:
        nonlocal frames
        for _ in range(count):
            voice.update(clock.ticks_ms())
            frames += 1
            clock.passed_ms = frames * 1000 // _FRAMES_HZ

    voice.update(clock.ticks_ms())
    if name in TUNES:
        voice.play_tune(TUNES.index(name))
        play(sum(voice.tune[:-1:2]) * tunes.UNIT_MS * _FRAMES_HZ // 1000)
        return sound
    for label in effects() if name == tunes.EFFECTS else [name]:
        if frames:
            play(_PAUSE_FRAMES)
        tell(voice, label.upper(), clock.ticks_ms())
        while voice.priority:
            play()
    return sound


def main(arguments: list[str] | None = None) -> int:
    """Export; return 0, or 2 after one line on stderr that says what was wrong."""
    command_line = sys.argv[1:] if arguments is None else arguments
    if command_line[:1] == ["verify"]:
        return daily.main(command_line)
    parser = terminal.Parser(
        prog="python -m tools.export",
        description=(
            "Export a recorded game as GIF, PNG, fumen link, text, table or sound. Also export tunes, "
            "effects and your statistics."
        ),
        epilog=(
            f"With --wav alone, FILE may be a tune ({', '.join(TUNES)}), an effect "
            f"({', '.join(effects())}) or {tunes.EFFECTS} for all of them. If FILE is `{STATS}`, --csv and "
            "--png write your statistics: totals, best results, score tables and a plot of your finesse. "
            "--games, --progress and --days write your games one by one, by week and by day. "
            "They come from the simulator's saves, or from --save."
        ),
    )
    add_path(parser, "file", "FILE", "a recording, such as `python -m sim --record` writes, or a link to a game")
    words = "write the game as an animation"
    parser.add_argument("--gif", type=to_file(".gif"), metavar="OUT.gif", help=words)
    words = "write the picture after the last Tetrimino"
    parser.add_argument("--png", type=to_file(".png"), metavar="OUT.png", help=words)
    words = "write the sound of a game, a tune or an effect"
    parser.add_argument("--wav", type=to_file(".wav"), metavar="OUT.wav", help=words)
    add_flag(parser, "--fumen", "print links for two fumen viewers; use the second one for long games")
    add_number(parser, "--player", 1, MOST_PLAYERS, None, "which player of a match --fumen shows (default: the first)")
    add_flag(parser, "--text", "print one line for each Tetrimino, and the final Matrix")
    words = f"write the numbers of `{STATS}` as a table"
    parser.add_argument("--csv", type=to_file(".csv", stats.is_table), metavar="OUT.csv", help=words)
    words = f"with `{STATS}`: write a line for each game of the simulator"
    parser.add_argument("--games", type=to_file(".csv", game_stats.is_table), metavar="OUT.csv", help=words)
    words = f"with `{STATS}`: plot results and figures of each mode by week"
    parser.add_argument("--progress", type=to_file(".png"), metavar="OUT.png", help=words)
    words = f"with `{STATS}`: plot the best of each day in each mode"
    parser.add_argument("--days", type=to_file(".png"), metavar="OUT.png", help=words)
    words = f"read `{STATS}` from here: a folder of the simulator, or a handheld's save/journal.bin"
    add_path(parser, "--save", "PATH", words)
    number = number_within(1, 1 << 30)
    words = "start with Tetrimino N (default: the first)"
    parser.add_argument("--from", dest="first", type=number, metavar="N", help=words)
    words = "stop after Tetrimino M (default: the last)"
    parser.add_argument("--to", dest="last", type=number, metavar="M", help=words)
    add_number(parser, "--scale", 1, 32, 4, "picture pixels per OLED pixel")
    parser.add_argument("--colour", choices=sorted(COLOURS), default="white", help="colour of the OLED")
    return parser.run(export, arguments)


def export_match(options: argparse.Namespace, recording: MatchRecording | LinkRecording) -> None:
    """Export a whole match as its first player saw it, or one player's Tetriminos; raise Refusal if impossible."""
    if (options.first or options.last) and not options.fumen:
        raise Refusal(f"{options.file}: this is a match; --from and --to are for games, and for --fumen")
    if options.fumen:
        if isinstance(recording, LinkRecording):
            raise Refusal(f"{options.file}: this is a linked match; --fumen is for games and matches on one device")
        number = options.player or 1
        if number > recording.options.players:
            raise Refusal(f"{options.file}: there is no player {number}, but {recording.options.players} in all")
        print_fumen(options, witness_match(recording, number - 1))
    if options.text:
        for line in trace(recording):
            print(line)
    if not (options.gif or options.png or options.wav):
        return
    clock = VirtualClock()
    sound = WaveFile(clock)
    session = Session(clock, NoButtons(), sound, recording=recording, filmed=True)
    session.until_end = True
    with progress.bar("playing", length_s(recording), "s") as bar:
        session.present = lambda: bar.update(session.passed_ms / 1000 - bar.n)
        session.run()
    save_game(options, session, sound, 0)
    if options.png:
        save_picture(options, session)


def save_game(options: argparse.Namespace, session: Session, sound: WaveFile, start_ms: int) -> None:
    """Write the requested animation and sound; raise Refusal."""
    if options.gif:
        with writing(options.gif):
            session.film.save(options.gif, options.scale, options.colour)
    if options.wav:
        with writing(options.wav):
            sound.save(options.wav, start_ms)


def save_picture(options: argparse.Namespace, session: Session) -> None:
    with writing(options.png):
        save_png(options.png, session.display.picture, options.scale, options.colour)


def choose_span(options: argparse.Namespace, count: int) -> tuple[int, int]:
    """Return the numbers of the first and the last Tetrimino to export; raise Refusal if the recording lacks them."""
    if not count:
        raise Refusal(f"{options.file}: no Tetrimino is locked down in this recording")
    first, last = options.first or 1, options.last or count
    if not first <= last <= count:
        raise Refusal(f"cannot export Tetrimino {first} to {last}: {options.file} has 1 to {count}")
    return first, last


def print_fumen(options: argparse.Namespace, placements: list[Placement]) -> None:
    first, last = choose_span(options, len(placements))
    data = as_fumen(placements[first - 1 : last])
    for link in LINKS:
        print(link + data)


def export_stats(options: argparse.Namespace) -> None:
    """Write the statistics of a save; raise Refusal with one line if that is impossible."""
    wanted = {name: getattr(options, name) for name in _SUFFIXES if getattr(options, name)}
    if not wanted:
        raise Refusal("nothing to export: add --csv, --png, --games, --progress or --days")
    lives = {"csv": stats.write_csv, "png": stats.write_png}
    if lives.keys() & wanted:
        journal = stats.open_save(options.save)
        for name in sorted(lives.keys() & wanted):
            with writing(wanted[name]):
                lives[name](wanted[name], journal)
    if lives.keys() >= wanted.keys():
        return
    if options.save and not options.save.is_dir():
        raise Refusal(f"{options.save}: --games, --progress and --days need a simulator's folder")
    if (options.progress or options.days) and find_spec("matplotlib") is None:
        raise Refusal(f"--progress and --days need matplotlib; {tell_install('stats')}")
    library = game_stats.open_games(open_library(options.save))
    for name, write in game_stats.WRITERS.items():
        if name in wanted:
            with writing(wanted[name]):
                write(wanted[name], library)
    if library.problem:
        terminal.note("tools.export", library.problem)


def check_options(options: argparse.Namespace) -> None:
    """Raise Refusal for options that do not fit a recording, or that need a missing package."""
    if options.csv or options.save or options.games or options.progress or options.days:
        raise Refusal(f"--csv, --save, --games, --progress and --days are for `{STATS}`, not for a recording")
    if not (options.gif or options.png or options.fumen or options.text or options.wav):
        raise Refusal("nothing to export: add --gif, --png, --fumen, --text or --wav")
    if options.fumen and find_spec("py_fumen_py") is None:
        raise Refusal(f"--fumen needs py-fumen-py; {tell_install('sim')}")
    if (options.gif or options.png) and find_spec("PIL") is None:
        raise Refusal(f"--gif and --png need Pillow; {tell_install('sim')}")


def export(options: argparse.Namespace) -> None:
    """Carry out the command line; raise Refusal if it cannot be done."""
    if str(options.file) == STATS:
        export_stats(options)
        return
    check_options(options)
    pictures = options.gif or options.png or options.fumen or options.text
    if options.wav and not pictures and str(options.file) in (*TUNES, tunes.EFFECTS, *effects()):
        with writing(options.wav):
            listen(str(options.file)).save(options.wav)
        return
    recording = read_recording(options.file)
    if not isinstance(recording, Recording):
        export_match(options, recording)
        return
    game = witness(recording)
    if options.player:
        raise Refusal(f"{options.file}: --player is for matches; this is a game")
    count = len(game.placements)
    first, last = choose_span(options, count)
    if options.text:
        print(as_text(game, first, last))
    if options.fumen:
        print_fumen(options, game.placements)
    # Until the next Tetrimino appears, or the recording ends
    stop_ms = game.placements[last].generated_ms if last < count else game.moment_ms()
    start_ms = game.placements[first - 1].generated_ms
    if options.gif or options.wav:
        save_game(options, *film(recording, start_ms, stop_ms), start_ms)
    if options.png:
        save_picture(options, film(recording, stop_ms, stop_ms)[0])


if __name__ == "__main__":
    sys.exit(terminal.run(main))
