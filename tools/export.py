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
from importlib.util import find_spec
from typing import Any

from firmware.match.options import MOST_PLAYERS
from firmware.save.recordings.link_recording import LinkRecording
from firmware.save.recordings.match_recording import MatchRecording
from firmware.save.recordings.recording import Recording
from firmware.scenes.play.rewind import find_view
from firmware.sound.voice import TUNES
from sim import progress, terminal
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
from tools.placements import Placement, as_fumen, as_text, witness, witness_match
from tools.sounds import list_effects, listen

STATS = "stats"  # in place of a file
LINKS = ("https://fumen.zui.jp/?", "https://knewjade.github.io/fumen-for-mobile/#?d=")
_OF_STATS = ("csv", "png", "games", "progress", "days")  # options


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
            f"({', '.join(list_effects())}) or {tunes.EFFECTS} for all of them. If FILE is `{STATS}`, --csv and "
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
    wanted = {name: getattr(options, name) for name in _OF_STATS if getattr(options, name)}
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
    if options.wav and not pictures and str(options.file) in (*TUNES, tunes.EFFECTS, *list_effects()):
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
