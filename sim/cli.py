"""Read the command line of the simulator and play, watch or photograph a game."""

import argparse
from collections.abc import Sequence
from contextlib import ExitStack, closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.engine.controls import PAUSE
from firmware.engine.randomizer import SEEDS
from firmware.match.options import MOST_PLAYERS
from firmware.modes.catalogue import make_mode
from firmware.option_table import GAME_FIELDS
from firmware.players.levels import BEST, STRONGEST
from firmware.save import rules, rules_line
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from firmware.save.recordings.match_recording import MatchRecording
from firmware.save.recordings.recording import Recording
from firmware.save.settings import Settings
from firmware.scenes.match.play import Scene as MatchPlay
from firmware.scenes.rules.line_words import list_changes, name_game
from sim import board_screens, moment, progress, terminal
from sim.blinka.wiring import SETTINGS
from sim.bots.process import Fault, split_command, start_bot
from sim.clock import RealClock, VirtualClock
from sim.contacts import Contacts, NoButtons
from sim.desktop import gamepad
from sim.desktop.bot_seat import BotSeat
from sim.desktop.keyboard import HALVES, Keyboard
from sim.desktop.session import Session, tell_match, trace
from sim.desktop.speaker import NoSpeaker, open_speaker
from sim.desktop.strong_seats import count_levels
from sim.display import ChipDisplay
from sim.game_record import AnyRecording, is_recording, load
from sim.library import MODES, VARIANTS, open_library, show_games
from sim.link import LOOPBACK, Hub, Pipe, join, open_serial
from sim.oled import COLOURS
from sim.ownership import Output, output, to_file
from sim.pictures import save_png
from sim.rules import copy_rules, paste_rules
from sim.store import CopiedStore, FileStore, check_saves, open_stores
from sim.terminal import Refusal, add_flag, add_number, add_path, number_within, tell_install, writing

if TYPE_CHECKING:
    from firmware.contracts import Buttons, Buzzer

_SCALE_OF_PICTURES = 4
_NOT_WITH_PLAYERS = {
    "headless": "persons need a window",
    "play": "a recording has its players",
    "variant": "a match has its own rules",
}
_PACE_MS = 600
_MOST_PACE_MS = 10_000
_GOODBYE_S = 1.0  # the longest wait after the window is closed
_NOT_ON_WIRES = ("headless", "players", "versus", "board", "scale", "no_legend", "gamepad", "gamepad_map", "screenshot")
_NOT_WITH_COMPUTERS = {name: reason for name, reason in _NOT_WITH_PLAYERS.items() if name != "headless"}
LEVELS = next(most for name, _, most, _ in GAME_FIELDS if name == "level")
_WITHOUT_WINDOW = "`python3 -m tools.setup web` plays in a browser, --headless --play FILE needs no window"
DEMO = Path(__file__).with_name("demo.sky")
_SPANS = {name: tuple(map(int, MODES[name][b"levels"].split())) for name in VARIANTS}

_EPILOG = """\
keys in play (A, B, C and S are named like the handheld's buttons):
  left / right          LEFT, RIGHT or numpad 4, 6
  soft / hard drop      DOWN or numpad 2 / SPACE or numpad 8
  rotate clockwise      A, X, UP or numpad 1, 5, 9
  rotate the other way  B, Z, CONTROL or numpad 3, 7
  hold                  C, SHIFT or numpad 0
  pause                 S, ESCAPE, F1 or ENTER

keys in menus: the arrows; A, X or SPACE for A; B, Z, ESCAPE or BACKSPACE for B; S, F1 or ENTER for START.

keys of the window: TAB shows or hides the legend, F11 is full screen, CONTROL + and - the size. In menus CONTROL C
copies the rules as a line such as SKY1-22310-228M6-VE3Y, and CONTROL V loads a copied line.

--players 2, 3 or 4 puts that many handhelds on the screen, in one match:
  player 1   A and D move; S soft-drops, W or SPACE hard-drops; G or E and F or Q rotate; R or SHIFT hold; ESCAPE pauses
  player 2   the arrows move and drop; L and K rotate; O or SHIFT hold; ENTER pauses; or use the numpad
  player 3, 4   the first gamepads that you plug in; further ones are for players 1 and 2

--computers 3 5 adds computers of these levels. With --players 2, two people play against or beside them.

--versus "COMMAND" adds a program that speaks the Tetris Bot Protocol, such as "python -m tools.bots tbp".
It may think until its presses are due, --pace after its Tetrimino comes. It loses if it hangs, crashes or sends
nonsense. Such a match leaves your settings alone and is kept only as a recording in the library.

Gamepads: directional pad or left stick; A or Y and B or X rotate; a shoulder button holds; START pauses.
--gamepad-map prints the buttons that you can change, and the file to change them in.

--host, --join and --link lead to the lobby, where A means that you are ready. If you leave you lose at once; if you
cannot be reached you lose after half a minute.

--seed, --level, --variant, --rules and --record start a game at once; without them you choose in the menus.

Keys in a replay: LEFT and RIGHT step by one Tetrimino, UP and DOWN set the speed, X pauses, and DOWN then shows the
figures of play. ENTER plays on from there, ESCAPE leaves, and C shows the next player of a match. While you practise
after a Top Out, C with S asks for a hint.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the simulator; return 0, or 2 after one line on stderr that names the error."""
    return make_parser().run(run_options, arguments)


def run_options(options: argparse.Namespace) -> None:
    """Carry out the command line; raise Refusal if that fails."""
    _check(options)
    if options.library is not None:
        show_games(open_library(options.folder), "sim", options.library)
    elif options.explain:
        print(_explain(options.rules))
    elif options.gamepad_map:
        print(gamepad.write_map(_gamepad_map(options), options.gamepad or gamepad.map_path()), end="")
    else:
        with ExitStack() as bots:
            _run(options, _invite(options, bots))


def make_parser() -> terminal.Parser:
    """Return the parser of the command line."""
    parser = terminal.Parser(
        prog="python -m sim",
        description="Play Skyline in a window that looks like the handheld's OLED.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    game = parser.add_argument_group("the game")
    add_number(game, "--seed", 0, SEEDS - 1, None, "play the game of this seed")
    game.add_argument("--variant", choices=VARIANTS, help="which mode to play (default: the last one played)")
    others = ", ".join(f"{name} has {span[0]} to {span[1]}" for name, span in _SPANS.items() if span != (1, LEVELS))
    add_number(game, "--level", 0, LEVELS, None, f"start at level 1 to {LEVELS}; {others}")
    words = "watch a recorded game: a file, a game of the library by its number or name, or demo, our own"
    add_path(game, "--play", "FILE", words)
    words = "with --play: play on from this time yourself, a game in Practice, a match against computers"
    add_number(game, "--at", 0, None, None, words, "MS")
    add_number(game, "--side", 1, MOST_PLAYERS, None, "with --at: as this player of a match (default: the first)")
    words = "list the finished games that were played here, or those that contain every WORD. "
    words += "To see their pictures or delete them, use python -m tools.library"
    game.add_argument("--library", nargs="*", metavar="WORD", help=words)
    words = f"2 to {MOST_PLAYERS} people on one PC, in a match with the rules of the VERSUS menu"
    add_number(game, "--players", 2, MOST_PLAYERS, None, words)
    words = "play by the rules of this line at once: a game, or a match"
    game.add_argument("--rules", type=_rules, metavar="LINE", help=words)
    add_flag(game, "--explain", "only say what the rules of --rules are")
    link = parser.add_argument_group("other devices")
    words = f"host a match for 1 to {MOST_PLAYERS - 1} other simulators on this computer; "
    words += "give an ADDRESS[:PORT] such as 0.0.0.0 to let other computers join"
    link.add_argument("--host", nargs="?", const=LOOPBACK, metavar="ADDRESS", help=words)
    link.add_argument("--join", metavar="ADDRESS", help="join the match that is hosted at ADDRESS[:PORT]")
    words = "play against a handheld on this serial port (its USB, with SKYLINE_LINK_USB = 1)"
    link.add_argument("--link", metavar="PORT", help=words)
    words = f"add computer players of level 1 to {STRONGEST}, up to {MOST_PLAYERS} players in all; those above {BEST} "
    words += "need Numba. "
    words += "Without --players you play against them; with --headless they play each other"
    game.add_argument(
        "--computers", type=number_within(1, STRONGEST), nargs="+", default=[], metavar="LEVEL", help=words
    )
    words = "add a bot that speaks the Tetris Bot Protocol; COMMAND starts it"
    game.add_argument("--versus", type=_command, metavar="COMMAND", help=words)
    words = f"milliseconds from the bot's next Tetrimino to its first press (default {_PACE_MS})"
    add_number(game, "--pace", 0, _MOST_PACE_MS, None, words, "MS")
    words = "write a recording of the game; if you play several, of the last one"
    game.add_argument("--record", type=to_file(ours=is_recording), metavar="FILE", help=words)
    words = "where scores and the game in progress are kept (default: your data folder). "
    words += "Games with --play, --record, --seed, --level, --variant or --rules do not touch them"
    game.add_argument("--folder", type=Output(check_saves), metavar="DIR", help=words)
    words = "run without window, sound or waiting; needs --play, --computers or --versus"
    add_flag(game, "--headless", words)
    words = "play on this Raspberry Pi's own display and buttons, wired as FILE says (default: settings.toml in the "
    words += "current folder, if it is there)"
    parts = parser.add_argument_group("a Raspberry Pi")
    parts.add_argument("--blinka", type=terminal.path, nargs="?", const=SETTINGS, metavar="FILE", help=words)
    look = parser.add_argument_group("look and sound")
    words = "show the screen of this board, such as hack_club_sprig, as fast as it is, and name its buttons; "
    words += "also in --screenshot"
    look.add_argument("--board", type=board_screens.find, metavar="NAME", help=words)
    look.add_argument("--colour", choices=sorted(COLOURS), default="white", help="colour of the OLED (default: white)")
    add_number(look, "--scale", 1, 32, 0, "screen pixels per OLED pixel (default: as large as fits)")
    add_flag(look, "--mute", "no sound")
    add_flag(look, "--no-legend", "start with the key legend hidden (Tab shows it)")
    pads = parser.add_argument_group("gamepads")
    add_path(pads, "--gamepad", "FILE", "read the gamepad's buttons from this file (default: your own file)")
    add_flag(pads, "--gamepad-map", "print the gamepad's buttons in the format of that file, and where to put it")
    files = parser.add_argument_group("output")
    files.add_argument("--screenshot", type=to_file(".png"), metavar="OUT.png", help="save the last picture")
    files.add_argument("--gif", type=to_file(".gif"), metavar="OUT.gif", help="save the whole game as an animation")
    add_flag(files, "--trace", "print the running hash of the game at each Lock Down")
    return parser


def _command(text: str) -> str:
    """Return a command for a bot; refuse a command that cannot be split into words."""
    try:
        split_command(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a command: {error}") from None
    return text


def _rules(text: str) -> list[int]:
    """Return the numbers of a line of rules; refuse a wrong line."""
    try:
        numbers = rules_line.read(text)
        rules.check(numbers)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}") from None
    return numbers


def _explain(numbers: list[int]) -> str:
    """Return the game of a line of rules, and a line for each option that is not at its default."""
    changes = [f"{name.decode()} {value.decode()}" for name, value in list_changes(numbers, Settings())]
    return "\n".join([name_game(numbers).decode(), *changes])


def _check(options: argparse.Namespace) -> None:
    """Refuse, before the game, options that would fail during or after it."""
    ways = [name for name in ("host", "join", "link") if getattr(options, name) is not None]
    if len(ways) > 1:
        raise Refusal(f"--{ways[0]} and --{ways[1]} cannot be used together: there is one link")
    if ways:
        for name in ("headless", "play", "players", "computers", "versus", "variant", "seed"):
            if getattr(options, name) or name == "seed" and options.seed is not None:
                raise Refusal(f"--{ways[0]} and --{name} cannot be used together: the players agree on it in the lobby")
    if max(options.computers, default=0) > count_levels():
        raise Refusal(f"levels above {BEST} need Numba; {tell_install('solve')}")
    for asked, reasons in (
        ("players", _NOT_WITH_PLAYERS),
        ("computers", _NOT_WITH_COMPUTERS),
        ("versus", _NOT_WITH_COMPUTERS),
    ):
        if getattr(options, asked):
            for name, reason in reasons.items():
                if getattr(options, name):
                    raise Refusal(f"--{asked} and --{name} cannot be used together: {reason}")
    seats = _seats(options)
    if seats and not 2 <= len(seats) <= MOST_PLAYERS:
        raise Refusal(
            f"a match has 2 to {MOST_PLAYERS} players, these are {len(seats)}: {_persons(options)} with --players "
            f"and {len(options.computers)} with --computers" + (", and one with --versus" if options.versus else "")
        )
    for name in _NOT_ON_WIRES if options.blinka else ():
        if getattr(options, name):
            raise Refusal(f"--blinka and --{name.replace('_', '-')} cannot be used together: there is no window")
    if options.explain and not options.rules:
        raise Refusal("--explain needs --rules LINE")
    if options.rules:
        for name in ("play", "variant", "level", *ways):
            if getattr(options, name) is not None:
                raise Refusal(f"--rules and --{name} cannot be used together: the line has all rules")
        if options.rules[0] != rules.MATCH and (options.players or seats):
            raise Refusal("--rules LINE is for a game of one player, not for a match")
    if options.pace is not None and not options.versus:
        raise Refusal("--pace needs --versus COMMAND")
    if options.at is not None and (options.headless or not options.play):
        raise Refusal("--at needs --play FILE and a window" if options.headless else "--at needs --play FILE")
    if options.side is not None and options.at is None:
        raise Refusal("--side needs --at MS")
    if options.headless and not options.play and not seats:
        raise Refusal("--headless has nothing to play: add --play FILE, or --computers LEVEL LEVEL")
    if options.play:
        for name in ("record", "seed", "level", "variant"):
            if getattr(options, name) is not None:
                raise Refusal(f"--play and --{name} cannot be used together: the recording is the game")
    least, most = _SPANS[options.variant or "marathon"]
    if options.level is not None and not least <= options.level <= most:
        raise Refusal(f"--level {options.level}: {options.variant or 'marathon'} has levels {least} to {most}")
    if (options.screenshot or options.gif) and find_spec("PIL") is None:
        raise Refusal(f"--screenshot and --gif need Pillow; {tell_install('sim')}")


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
    return BotSeat(bot, _persons(options), _PACE_MS if options.pace is None else options.pace, options.headless)


def _run(options: argparse.Namespace, bot_seat: BotSeat | None) -> None:
    recording = read_recording(_find_recording(options)) if options.play else None
    if options.headless:
        session = Session(
            VirtualClock(),
            NoButtons(),
            NoSpeaker(),
            options.seed,
            options.level or 0,
            recording=recording,
            filmed=bool(options.gif),
            first="play" if recording else "match.play",
            seats=_seats(options),
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
    elif options.blinka:
        session = _play_on_wires(options, recording)
    else:
        session = _play_in_window(options, recording, bot_seat)
    _save(session, options)
    if options.trace:
        for line in trace(recording or load(_recorded(session))):
            print(line)


def _find_recording(options: argparse.Namespace) -> Path:
    """Return the file to watch."""
    path: Path = options.play
    try:
        entry = None if path.exists() else open_library(options.folder).find(str(path))
    except OSError:  # read_recording() reports it
        entry = None
    if entry:
        return entry.path
    return DEMO if str(path) == DEMO.stem and not path.exists() else path


def _recorded(session: Session) -> bytes:
    """Return the recording of the session; refuse if nothing was played."""
    blob = session.recorded()
    if not blob:
        raise Refusal("nothing was played, so there is nothing to record or to trace")
    return blob


def read_recording(path: Path) -> AnyRecording:
    """Return a recorded game or match that can be played to its end; refuse any other file."""
    try:
        recording = load(terminal.read_or_refuse(path))
        while recording.read():
            pass
        recording.rewind()
        if isinstance(recording, LinkRecording):
            LinkPlayer(recording).play()
            recording.rewind()
        if isinstance(recording, Recording):
            make_mode(recording.variant)
    except ValueError as error:
        raise Refusal(f"{path}: {error}") from error
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


def _play_on_wires(options: argparse.Namespace, recording: AnyRecording | None) -> Session:
    """Play or watch on the parts of a Raspberry Pi until a signal ends it."""
    from sim.blinka.handheld import Handheld

    link = _open_link(options)
    try:
        with closing(Handheld(options.blinka, options.mute, RealClock())) as handheld:
            session = _make_session(
                *(options, handheld.clock, handheld.buttons, handheld.buzzer, recording, link), **handheld.parts
            )
            handheld.play(session)
    finally:
        if link:
            link.close()
    if session.problem:
        terminal.note("sim", str(session.problem))
    if handheld.display.lost:
        _save(session, options)
        raise Refusal(f"the display does not answer any more ({handheld.display.lost}): look at its wires")
    return session


def _play_in_window(options: argparse.Namespace, recording: AnyRecording | None, bot_seat: BotSeat | None) -> Session:
    """Play or watch until the window is closed."""
    if find_spec("pygame") is None:
        raise Refusal(f"the window needs pygame-ce; {tell_install('sim')}, or {_WITHOUT_WINDOW}")
    import pygame

    link = _open_link(options)
    try:
        return _open_and_play(options, recording, link, bot_seat)
    except pygame.error as error:
        raise Refusal(f"cannot open a window ({error}); {_WITHOUT_WINDOW}") from error
    finally:
        pygame.quit()
        if link:
            link.close()


def _open_link(options: argparse.Namespace) -> Pipe | None:
    """Return the pipe to other players, or None if no link is requested; raise LinkError."""
    if options.host is not None:
        hub = Hub(options.host)
        terminal.note("sim", f"others join with --join {hub.address}")
        return hub
    if options.join is not None:
        return join(options.join)
    return open_serial(options.link) if options.link is not None else None


def _open_and_play(
    options: argparse.Namespace, recording: AnyRecording | None, link: Pipe | None, bot_seat: BotSeat | None
) -> Session:
    from sim.desktop.controllers import Controllers
    from sim.desktop.further_handhelds import FurtherHandhelds
    from sim.desktop.legend import board_rows
    from sim.desktop.oled_surface import OledSurface
    from sim.desktop.screen_surface import make_board_surface
    from sim.desktop.window import Window

    clock = RealClock()
    contacts = Contacts()
    people = [contacts, *(Contacts() for _ in range(1, options.players or 1))]
    # Players without keys get the first gamepads.
    first, *more = people[len(HALVES) :] + people[: len(HALVES)]
    controllers = Controllers(gamepad.Gamepads(first, _gamepad_map(options), more, menus=contacts))
    speaker = NoSpeaker() if options.mute else open_speaker()
    session = _make_session(*(options, clock, contacts, speaker, recording, link), others=people[1:], bot_seat=bot_seat)
    further_handhelds = FurtherHandhelds(session.app)
    assert isinstance(session.display, ChipDisplay)
    displays = [session.display, *further_handhelds.displays]

    def make_surface(display: ChipDisplay) -> OledSurface:
        screen: board_screens.BoardScreen | None = options.board
        if screen is None:
            return OledSurface(display, options.colour)
        return make_board_surface(display, screen, COLOURS[options.colour].lit)

    window = Window(
        [make_surface(display) for display in displays],
        Keyboard(*people),
        clock.ticks_ms,
        options.scale,
        controllers,
        not options.no_legend,
        board_rows(options.board.name, options.board.buttons) if options.board else (),
    )
    if isinstance(speaker, NoSpeaker) and speaker.reason:
        terminal.note("sim", f"there is no sound ({speaker.reason}); use --mute to hide this message")

    def pause() -> None:
        if session.playing and link is None:  # a link's pause would stop all players
            contacts.tap(PAUSE, clock.ticks_ms())

    def copy() -> str:
        line = copy_rules(session.app)
        if line:
            terminal.note("sim", f"copied {line}")
        return line

    def paste(text: str) -> bool:
        if not session.at_menu:
            return False
        problem = paste_rules(session.app, text)
        if problem:
            terminal.note("sim", f"cannot load these rules: {problem}")
        return True

    def look_after_window() -> None:
        contacts.at_menu = session.at_menu
        contacts.takes_back = session.takes_back
        window.pump()
        if window.closed:
            session.app.stop()

    def present() -> None:
        further_handhelds.show()
        window.present()

    window.focus_lost = pause
    window.copied, window.pasted = copy, paste
    clock.idle = look_after_window
    session.present = present
    with closing(window):
        session.run()
    if session.problem:
        terminal.note("sim", str(session.problem))
    return session


def _make_session(
    options: argparse.Namespace,
    clock: RealClock,
    buttons: "Buttons",
    buzzer: "Buzzer",
    recording: AnyRecording | None,
    link: Pipe | None,
    **parts: Any,
) -> Session:
    """Return the session that the options ask for; `parts` are further arguments of a Session."""
    variant = options.variant or "marathon"
    stores = _stores(options)
    session = Session(
        *(clock, buttons, buzzer, options.seed),
        0 if options.level is None else options.level + 1 - _SPANS[variant][0],
        VARIANTS[variant],
        recording=recording,
        filmed=bool(options.gif),
        first=_first_scene(options),
        store=stores,
        library=open_library(options.folder) if stores else None,
        link=link,
        seats=_seats(options),
        rules=options.rules,
        **parts,
    )
    if recording and options.at is not None:
        play_on(session, recording, options.at, options.side or 1)
    if session.sets_aside:
        terminal.note("sim", "your unfinished game stays saved; this match cannot be resumed once you leave it")
    return session


def play_on(session: Session, recording: AnyRecording, at_ms: int, number: int) -> None:
    """Let the session begin at a moment of a recording, played on by player `number`; refuse if that is impossible."""
    context = session.app.context
    if isinstance(recording, Recording):
        plays_on = moment.practise(context, recording, at_ms)
    elif isinstance(recording, MatchRecording):
        if number > recording.options.players:
            raise Refusal(f"--side {number}: the match has {recording.options.players} players")
        plays_on = moment.play_on(context, recording, at_ms, number - 1)
    else:
        raise Refusal("a match between devices cannot be played on")
    if not plays_on:
        raise Refusal(f"--at {at_ms}: the game is over by then")


def _gamepad_map(options: argparse.Namespace) -> dict[str, int | None]:
    """Return the control of each gamepad button: from a file, or our defaults."""
    path = options.gamepad or gamepad.map_path()
    try:
        return gamepad.read_map(path)
    except (FileNotFoundError, NotADirectoryError):
        if not options.gamepad:
            return gamepad.DEFAULTS
        raise Refusal(f"cannot read {path}: there is no such file; --gamepad-map prints one") from None
    except OSError as error:
        raise Refusal(f"cannot read {path}: {error.strerror}") from error
    except gamepad.MapError as error:
        raise Refusal(f"{path}: {error}") from error


def _first_scene(options: argparse.Namespace) -> str:
    """Return the first scene: a requested game begins at once, else the handheld's own first screen."""
    if options.play:
        return "play.watch"  # the Session chooses another scene for a match
    if any(value is not None for value in (options.host, options.join, options.link)):
        return "link.lobby"
    if options.players or _seats(options) or options.rules and options.rules[0] == rules.MATCH:
        return "match.play" if _asks_for_game(options) else "match.menu"
    return "play" if _asks_for_game(options) else ""


def _persons(options: argparse.Namespace) -> int:
    """Return how many persons play."""
    return options.players or (0 if options.headless else 1)


def _seats(options: argparse.Namespace) -> bytes:
    """Return the players of a requested match: persons first, then the computers; b"" for no match.

    A bot has the last seat, as a person: the settings of computers do not apply to it.
    """
    if not (options.computers or options.versus):
        return b""
    return bytes(_persons(options)) + bytes(options.computers) + (b"\0" if options.versus else b"")


def _asks_for_game(options: argparse.Namespace) -> bool:
    """Return whether the options, not the menus, choose the game."""
    return any(getattr(options, name) is not None for name in ("record", "seed", "level", "variant", "rules"))


def _stores(options: argparse.Namespace) -> Sequence[FileStore | CopiedStore]:
    """Return the banks for games and scores; none for a game chosen by options, copies for --versus."""
    if options.play or _asks_for_game(options):
        return []
    stores = open_stores(options.folder)
    if not options.versus:
        return stores
    try:
        return [CopiedStore(store) for store in stores]
    except OSError:
        return []


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
