"""Make the session that a command line asks for."""

import argparse
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from firmware.save.journal import Journal
from firmware.save.recordings.match_recording import MatchRecording
from firmware.save.recordings.recording import Recording
from sim import moment, terminal
from sim.clock import RealClock
from sim.desktop import key_file, transfer
from sim.desktop.options import asks_for_game, find_first_scene, list_seats
from sim.desktop.session import Session
from sim.ending import complete
from sim.game_record import AnyRecording
from sim.hub import Hub
from sim.library import SPANS, VARIANTS, open_library
from sim.link import Pipe, join, open_serial
from sim.ownership import replace
from sim.store import ENDING, CopiedStore, FileStore, claim, open_stores
from sim.terminal import Refusal

if TYPE_CHECKING:
    from firmware.contracts import Buttons, Buzzer


def open_link(options: argparse.Namespace) -> Pipe | None:
    """Return the pipe to other players, or None if no link is requested; raise LinkError."""
    if options.host is not None:
        hub = Hub(options.host)
        terminal.note("sim", f"others join with --join {hub.address}")
        return hub
    if options.join is not None:
        return join(options.join)
    return open_serial(options.link) if options.link is not None else None


def make_session(
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
    stores = _open_banks(options)
    session = Session(
        *(clock, buttons, buzzer, options.seed),
        0 if options.level is None else options.level + 1 - SPANS[variant][0],
        VARIANTS[variant],
        recording=recording,
        filmed=bool(options.gif),
        first=find_first_scene(options),
        store=stores,
        library=open_library(options.folder) if stores else None,
        link=link,
        seats=list_seats(options),
        rules=options.rules,
        **parts,
    )
    if options.versus:
        session.app.context.settings.deal = 0  # bots are told that the bag of seven deals
    if recording and options.at is not None:
        _play_on(session, recording, options.at, options.side or 1)
    if session.sets_aside:
        terminal.note("sim", "your unfinished game stays saved; this match cannot be resumed once you leave it")
    return session


def _open_banks(options: argparse.Namespace) -> Sequence[FileStore | CopiedStore]:
    """Return the banks for games and scores; none for a game chosen by options, copies for --versus."""
    if options.play or asks_for_game(options):
        return []
    stores = open_stores(options.folder)
    if not options.versus:
        _claim(stores, options.keys)
        return stores
    try:
        return [CopiedStore(store) for store in stores]
    except OSError:
        return []


def _claim(stores: Sequence[FileStore], keys: Path | None = None) -> None:
    """Let no other simulator write the saves, and finish what a killed one has begun; say what is impossible."""
    folder = stores[0].path.parent
    try:
        stores[0].lock = claim(folder)
    except OSError as error:
        terminal.note("sim", f"nothing can be saved in {folder} ({error.strerror}); --folder DIR names another folder")
        return
    if not stores[0].lock:
        words = f"another simulator saves in {folder}, so this one saves no scores; finished games go to the library"
        terminal.note("sim", f"{words}; --folder DIR gives it saves of its own")
        for store in stores:
            store.refusal = f"another simulator saves in {folder}"
        return
    try:
        transfer.finish(folder, keys or key_file.find_path())
    except (OSError, Refusal) as error:
        terminal.note("sim", f"{error}; delete it if this happens again")
    _copy_damaged(stores)
    try:
        problem = complete(folder / ENDING, stores, open_library(folder))
    except OSError as error:
        problem = f"{folder / ENDING}: {error.strerror or error}"
    if problem:
        terminal.note("sim", problem)


def _copy_damaged(stores: Sequence[FileStore]) -> None:
    """Copy each bank that has something, but no record that can be read: the game would erase it."""
    for store in stores:
        content = bytearray(store.size)
        store.read(0, content)
        if content.strip(b"\xff") and not Journal([store]).last:
            copy = store.path.with_name(f"{store.path.stem}-damaged-{datetime.now():%Y%m%d-%H%M%S-%f}.bin")
            try:
                with replace(copy) as file:
                    file.write(content)
            except OSError as error:
                raise Refusal(f"{store.path} is damaged, and there is no room for a copy: {error.strerror}") from None
            terminal.note("sim", f"{store.path} is damaged, so what it saved begins anew; {copy.name} is a copy")


def _play_on(session: Session, recording: AnyRecording, at_ms: int, number: int) -> None:
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
