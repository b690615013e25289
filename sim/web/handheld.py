"""Run the handheld for the page: functions take and return small integers; other data is in shared memory."""

import sys
from array import array

import host
import uctypes

from firmware.app import App
from firmware.compat import TYPE_CHECKING
from firmware.device.handheld import Device
from firmware.engine import events, options
from firmware.engine.phases import ANIMATE
from firmware.modes.catalogue import find
from firmware.router import Router
from firmware.save.journal import SETTINGS
from firmware.save.recorder import Recorder
from firmware.scenes.play_state import OVER, PLAYING
from sim.reading import ReadCanvas, Reader
from sim.scenes import can_restart, is_steered, runs
from sim.suspended_recording import SuspendedRecording
from sim.web import halves, web_device
from sim.web.memory import (
    AT_MENU,
    BY_EAR,
    CLEAR,
    ENDED,
    HALF_TURNS,
    LARGEST,
    LEVEL,
    LINES,
    LINKED,
    PLACES,
    SCORE,
    STATE,
    SWITCH,
    TAKEN,
    TOLD,
    WAITING,
)
from sim.web.memory import PLAYING as IS_PLAYING

if TYPE_CHECKING:
    from typing import Any

    from firmware.contracts import Context

state = array("i", [0] * len(STATE))
canvas = ReadCanvas()
display = web_device.Display(state, canvas)
buttons = web_device.Buttons(state)
banks = (web_device.Bank(0), web_device.Bank(1))
link = web_device.Link(state)
blob = bytearray(LARGEST)
_addresses = array("i", [0] * len(PLACES))
reader = Reader(canvas)
app: "Any" = None
suspended_recording: "Any" = None
is_offering = False  # whether this is a first visit, and nothing was read yet
NOT_RECORDED = -1
_NINE_BUTTONS = 511  # as a Device's `wired`
_ALL = 2  # as settings.by_ear
_OFFER = " To play by ear, press Tab, then Enter."
_NAMED = events.LINES | events.T_SPIN | events.MINI_T_SPIN | events.BACK_TO_BACK


def places() -> int:
    """Return the address of the words that hold the addresses of memory.PLACES."""
    found = (canvas.buffer, state, buttons.edges, blob, banks[0].bytes, banks[1].bytes, link.inbox, link.outbox)
    for at, place in enumerate(found):
        _addresses[at] = uctypes.addressof(place)
    return uctypes.addressof(_addresses)


def begin(calm: int, seed: int) -> None:
    """Switch on, with the saves that the page put into the banks.

    calm: whether to turn motion off if no settings are saved.  seed: of the next game, -1 for any.
    """
    global app, is_offering, suspended_recording
    buzzer = web_device.Buzzer(state)
    machine = web_device.Page(web_device.Keys(state, blob))
    device = Device(display, buttons, buzzer, web_device.Clock(), banks, link, _NINE_BUTTONS, machine=machine)
    app = App(device, None if seed < 0 else seed, recorder=Recorder(LARGEST))
    if calm and not len(app.context.journal.read(SETTINGS)):
        app.context.settings.motion_on = 0
    suspended_recording = SuspendedRecording(app)
    is_offering = not app.context.settings.ready
    app.router.change = hold


def complete(address: int, length: int) -> None:
    """Take the rest of the firmware, an image at an address in memory."""
    if not halves.parts:
        halves.join(address, length)


def give_up() -> None:
    """Open the main menu instead of the scene that waits: the rest of the firmware cannot be loaded."""
    app.context.go("menus.main", b"NOT LOADED YET:|NO CONNECTION")


def hold(context: "Context") -> None:
    """Change the scene as Router.change; first show LOADING and wait if the scene needs the rest of the firmware."""
    router = app.router
    if halves.is_there(context, router.wanted):
        Router.change(router, context)
        return
    state[WAITING] = 1
    context.voice.silence()
    router.tell_loading(context)


def revive(length: int) -> None:
    """Restore the recording of the game in progress from `blob` if it belongs to the save."""
    suspended_recording.revive(bytes(memoryview(blob)[:length]))


def step() -> None:
    """Run one frame; show an error on the display and raise it to the page."""
    try:
        if state[WAITING]:
            if not halves.is_there(app.context, app.router.wanted):
                return
            state[WAITING] = 0
            app.router.change(app.context)
        app.step()
    except Exception as problem:
        sys.print_exception(problem)  # type: ignore[attr-defined]
        from firmware.scenes import error_screen

        state[IS_PLAYING] = 0
        text = type(problem).__name__ + ": " + str(problem)
        error_screen.note(banks, text)
        error_screen.tell(display, b"PROBLEM", text + "\nRELOAD THE PAGE")
        raise
    noted = suspended_recording.read_change()
    if noted is not None:
        host.keep_game(put(noted))
    _write_state(app.router.scene)


def _write_state(scene: "Any") -> None:
    """Tell the page what the handheld does now."""
    state[AT_MENU] = 0 if is_steered(scene) else 1 + can_restart(scene)
    state[IS_PLAYING] = (1 if scene.state == PLAYING else 2) if runs(scene) else 0
    state[TOLD] = getattr(getattr(scene, "voice", None), "told", 0)
    settings = app.context.settings
    state[SWITCH] = settings.one_switch > 0
    state[BY_EAR] = settings.by_ear == _ALL
    state[HALF_TURNS] = settings.modern & options.HALF_TURNS
    state[LINKED] = hasattr(scene, "lobby") or hasattr(scene, "session")
    if app.router.name == "play":
        state[ENDED] = not scene.recording and scene.game.over
    else:
        state[ENDED] = hasattr(scene, "noted") and scene.state == OVER and scene.match.is_decided()
    if state[IS_PLAYING] or state[ENDED]:
        _write_numbers(scene)


def _write_numbers(scene: "Any") -> None:
    """Tell the page the numbers of the player's own game."""
    game = scene.match.seats[scene.me].game if hasattr(scene, "match") else scene.game
    state[SCORE] = game.score
    state[LEVEL] = game.level
    state[LINES] = game.lines
    state[CLEAR] = 0 if game.phase == ANIMATE else game.action & _NAMED  # its numbers come with the elimination


def open_link() -> None:
    """Open LINK, unless it or a linked match is open."""
    if not state[LINKED]:
        app.context.go("link.lobby")


def write_recording() -> int:
    """Put the game in play or watched into `blob`, else the last game; return its length, 0 if there is none yet.

    Return NOT_RECORDED for a game or match in play that is not recorded from its beginning.
    """
    from firmware.scenes.play.stop import find_recorder

    scene = app.router.scene
    content = b""
    if app.router.name == "play" and not scene.recording:
        if not find_recorder(scene):
            return NOT_RECORDED
        content = app.session.recorder.recorded(scene.played_ms)
    elif hasattr(scene, "noted") and not scene.noted:
        return NOT_RECORDED
    elif hasattr(scene, "is_playing") and getattr(scene, "recording", None):
        content = scene.recording.blob
    elif app.session.last:
        content = app.session.last()
    return put(content) if len(content) <= LARGEST else 0


def result() -> int:
    """Put the result of the game or match into `blob`, as a number and as text; return the length."""
    if app.router.name != "play":
        match = app.router.scene.match
        return tell("1 won" if match.winner == match.seats[app.router.scene.me].team else "0 lost")
    from firmware.scenes.menus.scores_result import write_result

    game = app.router.scene.game
    number = game.mode.result(game)
    kind = find(app.session.variant)[b"result"]
    return tell(str(number) + " " + (write_result(kind, number).decode() if number else "no result"))


def watched() -> int:
    """Return how many percent of a recording were shown; -1 while it is loaded, or if none is watched."""
    scene = app.router.scene
    if app.router.name == "replay.watch" and not scene.line.reading:
        line = scene.line
        return line.time_ms * 100 // line.end_ms if line.end_ms else 100
    if app.router.name.endswith(".watch"):
        return 100 if scene.finished else 0
    return -1


def name() -> int:
    """Put the name of the scene into `blob`; return its length."""
    return tell(app.router.name)


def initials() -> int:
    """Put the initials of all players of the lobby or linked match into `blob`; return the length."""
    scene = app.router.scene
    lobby = getattr(scene, "lobby", None)
    if lobby:
        names = [lobby.find_tag(place) for place in range(len(lobby.members))]
    else:
        names = getattr(getattr(scene, "view", None), "names", [])
    return tell(b" and ".join(names).decode())


def told() -> int:
    """Put what the game told by ear into `blob`, in words; return the length."""
    from sim.spoken import describe

    return tell(describe(app.router.scene))


def read() -> int:
    """Put what is new on the screen into `blob`, in words; return the length."""
    global is_offering
    said = reader.read(app.router.scene, state[TAKEN])
    if said and is_offering:
        is_offering = False
        if app.context.settings.by_ear != _ALL:
            said += _OFFER
    return tell(said)


def play_by_ear() -> None:
    """Set BY EAR to ALL; a paused game or match waits in the main menu, because only a new scene has it."""
    context = app.context
    context.settings.by_ear = _ALL
    state[BY_EAR] = 1
    context.apply_settings()
    context.save_settings()
    if app.router.name in ("play", "match.play") and app.router.scene.state != OVER:
        context.go("menus.main")


def tell(line: str) -> int:
    return put(line.encode())


def put(content: bytes) -> int:
    blob[: len(content)] = content
    return len(content)
