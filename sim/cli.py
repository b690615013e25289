"""Run the command line of the simulator: play, watch or photograph a game."""

import argparse
from contextlib import ExitStack, closing
from pathlib import Path

from firmware.save.settings import Settings
from firmware.scenes.match.play import Scene as MatchPlay
from firmware.scenes.rules.line_words import list_changes, name_game
from sim import game_files, progress
from sim.bots.process import Fault, start_bot
from sim.clock import RealClock, VirtualClock
from sim.command_line import PACE_MS, make_parser
from sim.contacts import NoButtons
from sim.desktop import gamepad, key_file, playing, transfer
from sim.desktop.bot_seat import BotSeat
from sim.desktop.opening import make_session, open_link
from sim.desktop.options import check, count_persons, list_seats
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from sim.display import ChipDisplay
from sim.game_record import AnyRecording, is_recording, length_s, load
from sim.library import open_library, show_games
from sim.oled import COLOURS
from sim.ownership import output
from sim.pictures import save_png
from sim.store import find_data_folder
from sim.terminal import Refusal, writing
from sim.traces import tell_match, trace

_SCALE_OF_PICTURES = 4
_GOODBYE_S = 1.0  # the longest wait after the window is closed


def main(arguments: list[str] | None = None) -> int:
    """Run the simulator; return 0, or 2 after one line on stderr that names the error."""
    return make_parser().run(run_options, arguments)


def run_options(options: argparse.Namespace) -> None:
    """Carry out the command line; raise Refusal if that fails."""
    check(options)
    if options.library is not None:
        show_games(open_library(options.folder), "sim", options.library)
    elif options.save_all:
        print(transfer.save_all(options.save_all, *_find_own(options)))
    elif options.load_all:
        print(transfer.load_all(options.load_all, *_find_own(options), options.replace))
    elif options.explain:
        print(_explain(options.rules))
    elif options.gamepad_map:
        print(gamepad.write_map(playing.read_gamepad_map(options), options.gamepad or gamepad.controls_path()), end="")
    elif options.keys_map:
        print(key_file.write(playing.read_keys(options), options.keys or key_file.find_path()), end="")
    else:
        with ExitStack() as bots:
            _run(options, _invite(options, bots))


def _find_own(options: argparse.Namespace) -> tuple[Path, Path]:
    """Return the folder of the saves and the file of the keys."""
    return options.folder or find_data_folder(), options.keys or key_file.find_path()


def _explain(numbers: list[int]) -> str:
    """Return the game of a line of rules, and a line for each option that is not at its default."""
    changes = [f"{name.decode()} {value.decode()}" for name, value in list_changes(numbers, Settings())]
    return "\n".join([name_game(numbers).decode(), *changes])


def _invite(options: argparse.Namespace, bots: ExitStack) -> BotSeat | None:
    """Start the requested bot and send it the rules; refuse a bot that does not start."""
    if not options.versus:
        return None
    try:
        bot = start_bot(options.versus)
    except ValueError as error:
        raise Refusal(str(error)) from error
    bots.enter_context(bot)
    bot.goodbye_s = _GOODBYE_S
    try:
        bot.greet()
    except Fault as fault:
        raise Refusal(f"{bot.name} loses: it {fault}") from fault
    return BotSeat(bot, count_persons(options), PACE_MS if options.pace is None else options.pace, options.headless)


def _run(options: argparse.Namespace, bot_seat: BotSeat | None) -> None:
    recording = None
    if options.play:
        recording = game_files.read_recording(game_files.find_recording(options.play, options.folder))
    if options.headless:
        session = _play_headless(options, recording, bot_seat)
    elif options.blinka:
        session = _play_on_wires(options, recording)
    else:
        session = playing.play_in_window(options, recording, bot_seat)
    _save(session, options)
    if options.trace:
        for line in trace(recording or load(_recorded(session))):
            print(line)


def _play_headless(options: argparse.Namespace, recording: AnyRecording | None, bot_seat: BotSeat | None) -> Session:
    """Play or watch in virtual time; a recording whose pictures nobody wants is not played."""
    session = Session(
        *(VirtualClock(), NoButtons(), NoSpeaker(), options.seed, options.level or 0),
        recording=recording,
        filmed=bool(options.gif),
        first="play" if recording else "match.play",
        seats=list_seats(options),
        bot_seat=bot_seat,
        rules=options.rules,
    )
    session.until_end = True
    if recording is None:
        session.run()
        scene = session.app.router.scene
        if not options.trace and isinstance(scene, MatchPlay):  # a trace already ends with the winner
            print("\n".join(tell_match(scene.match, bot_seat.bot.name if bot_seat else "")))
    elif options.screenshot or options.gif:
        with progress.bar("playing", length_s(recording), "s") as shown:
            session.present = lambda: shown.update(session.passed_ms / 1000 - shown.n)
            session.run()
    return session


def _recorded(session: Session) -> bytes:
    """Return the recording of the session; refuse if nothing was played."""
    blob = session.recorded()
    if not blob:
        raise Refusal("nothing was played, so there is nothing to record or to trace")
    return blob


def _play_on_wires(options: argparse.Namespace, recording: AnyRecording | None) -> Session:
    """Play or watch on the parts of a Raspberry Pi until a signal ends it."""
    from sim.blinka.handheld import Handheld

    link = open_link(options)
    try:
        with closing(Handheld(options.blinka, options.mute, RealClock())) as handheld:
            session = make_session(
                *(options, handheld.clock, handheld.buttons, handheld.buzzer, recording, link), **handheld.parts
            )
            handheld.play(session)
    finally:
        if link:
            link.close()
    if handheld.display.lost:
        _save(session, options)
        raise Refusal(f"the display does not answer any more ({handheld.display.lost}): look at its wires")
    return session


def _save(session: Session, options: argparse.Namespace) -> None:
    """Write the files that the command line asked for."""
    scale = options.scale or _SCALE_OF_PICTURES
    if options.record:
        blob = _recorded(session)
        with writing(options.record), output(options.record, is_recording) as file:
            file.write(blob)
    if options.screenshot:
        with writing(options.screenshot):
            assert isinstance(session.display, ChipDisplay)
            contrast = session.display.chip.contrast
            if options.board:
                screen = options.board.enlarge(session.display.picture, COLOURS[options.colour].lit)
                with output(options.screenshot) as file:
                    screen.save(file, "PNG")
            else:
                save_png(options.screenshot, session.display.picture, scale, options.colour, contrast)
    if options.gif:
        with writing(options.gif):
            session.film.save(options.gif, scale, options.colour)
