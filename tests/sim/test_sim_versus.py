"""A person against a bot of the Tetris Bot Protocol: `python -m sim --versus COMMAND`."""

import re
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, ROTATE_CW
from firmware.engine.game import Game
from firmware.players.player import IDLE
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.scenes.match.pause import Pause
from firmware.scenes.match.play import Scene as MatchPlay
from firmware.scenes.play_state import OVER
from sim import cli
from sim.bots.process import Fault
from sim.bots.rival import LiveRival
from sim.clock import VirtualClock
from sim.contacts import Contacts, NoButtons
from sim.desktop.bot_seat import BotSeat, name_on_screen
from sim.desktop.session import Session
from sim.desktop.speaker import NoSpeaker
from tests.support.handhelds.bot_processes import TBP, start_patient_bot, write_stub_bot
from tools import export
from tools.placements import witness_match


def play_live(command: str, goes_on: Callable[[Any, Any], bool], buttons: Any = None) -> tuple[Session, LiveRival]:
    """Let a bot play against a person while `goes_on(scene, now_ms)`; return the session and the bot.

    Time stands still while the bot thinks; otherwise all is as in a window.
    """
    with start_patient_bot(command) as bot:
        bot.greet()
        bot_seat = BotSeat(bot, 1, 0, waits=False)
        clock = VirtualClock()
        options: dict[str, Any] = {"first": "match.play", "seats": b"\0\0", "bot_seat": bot_seat}
        session = Session(clock, buttons or NoButtons(), NoSpeaker(), 4, 1, **options)

        def look() -> None:
            rival = bot_seat.rival
            if isinstance(rival, LiveRival) and rival.answer:
                rival.answer.exception()  # waits for the answer
            session.app.running = goes_on(session.app.router.scene, clock.ticks_ms())

        session.present = look
        session.run()
    assert isinstance(bot_seat.rival, LiveRival)
    return session, bot_seat.rival


def until(pieces: int = 99) -> Callable[[Any, int], bool]:
    """Return a `goes_on` that ends with the round or with `pieces` Lock Downs of the bot."""
    return lambda scene, _now_ms: scene.state != OVER and scene.match.seats[1].game.lock_downs < pieces


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The recording of a headless match with a bot, and its trace."""
    path = tmp_path_factory.mktemp("match") / "match.sky"
    command = ["--headless", "--computers", "1", "--versus", f"{TBP} --level 3", "--seed", "7", "--trace"]
    with redirect_stdout(StringIO()) as printed:
        assert cli.main([*command, "--record", str(path)]) == 0
    return path, printed.getvalue().splitlines()


def test_a_recorded_headless_bot_match_plays_back_to_its_trace(recorded: tuple[Path, list[str]], capsys) -> None:
    path, lines = recorded
    assert lines[-1].endswith("won by team 2") and cli.main(["--headless", "--play", str(path), "--trace"]) == 0
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("number", [1, 2])
def test_export_notes_each_lock_down_of_a_player(number: int, recorded: tuple[Path, list[str]]) -> None:
    path, lines = recorded
    placements = witness_match(MatchRecording(path.read_bytes()), number - 1)
    assert len(placements) == sum(f"player {number}" in line for line in lines)
    assert {place.action for place in placements} > {placements[0].action}


@pytest.mark.parametrize(("number", "code", "links"), [(1, 0, 2), (2, 0, 2), (3, 2, 0)])
def test_export_links_a_fumen_of_a_player_who_was_there(number: int, code: int, links: int, recorded, capsys) -> None:
    assert export.main([str(recorded[0]), "--fumen", "--player", str(number)]) == code
    assert capsys.readouterr().out.count("v115@") == links


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["--computers", "1", "--versus", f"{TBP} --level 3"], ["computer of level 1", "Skyline CAT"]),
        (["--computers", "1", "4", "1"], ["computer of level 1", "computer of level 4", "computer of level 1"]),
    ],
    ids=["a bot", "computers"],
)
def test_headless_prints_the_players_and_the_winner(arguments: list[str], names: list[str], capsys) -> None:
    assert cli.main(["--headless", "--seed", "7", *arguments]) == 0
    *players, won = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in players] == [f"player {i}, {name}" for i, name in enumerate(names, 1)]
    assert won == f"won by player 2, {names[1]}"
    assert [" out after " in line for line in players] == [name != names[1] for name in names]
    assert re.search(r": lines \d+  sent [1-9]\d*  received \d+$", players[1])


def test_a_fumen_of_a_match_shows_the_tetriminos_of_its_player() -> None:
    """Each placement starts with the Blocks of the earlier ones; no line was cleared and no garbage rose."""
    session, _rival = play_live(f"{TBP} --level 3", until(4))
    placements = witness_match(MatchRecording(session.recorded()), 1)
    rows = {(x, y): cell for y, row in enumerate(placements[0].rows) for x, cell in enumerate(row) if cell}
    for place in placements:
        assert rows == {(x, y): cell for y, row in enumerate(place.rows) for x, cell in enumerate(row) if cell}
        rows |= dict.fromkeys(place.cells(), place.piece)
    assert len(placements) == 4


def test_the_bot_presses_buttons_one_by_one_and_its_name_is_shown() -> None:
    session, rival = play_live(f"{TBP} --level 3", until(6))
    scene: Any = session.app.router.scene
    assert scene.view.names == [b"P1", b"SKYLINE CAT"] and not rival.lost
    recording = MatchRecording(session.recorded())
    moments = []
    while recording.read():
        moments.append(recording.time_ms)
        assert recording.number == 1 or recording.ended
    assert len({one for one in moments if moments.count(one) < 3}) > 6, "no more than two edges at once"
    player = MatchPlayer(MatchRecording(session.recorded()))
    player.advance(1 << 20)
    assert player.match.seats[1].game.matrix.rows == scene.match.seats[1].game.matrix.rows


def test_the_pause_shows_the_bots_name() -> None:
    session, _rival = play_live(f"{TBP} --level 1", until(1))
    scene: Any = session.app.router.scene
    pause = Pause(scene, lambda _scene, _now_ms: None)
    assert [pause.name(number) for number in range(2)] == [b"YOU", b"SKYLIN"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("greet(); 1 / 0", "died with exit code 1: 'ZeroDivisionError: division by zero'", "BOT DIED"),
        ("greet(); print('hello')", "speaks nonsense: 'hello\\n' is not JSON", "BOT ERRED"),
        ("greet()\nfor _ in range(3000): say(type='song')", "floods: 1000 messages that nobody", "BOT FLOODS"),
        (
            "say(type='suggestion', moves=[drop(greet()[0])]); wait_for('suggest'); say(type='suggestion', moves=[])",
            "gives up",
            "BOT GAVE UP",
        ),
    ],
)
def test_a_bot_at_fault_loses_its_match_and_a_line_says_so(text: str, line: str, words: str, tmp_path, capsys) -> None:
    """The screen and the terminal name the fault. The bot then only hard-drops, so the recording is a whole match."""
    session, _rival = play_live(write_stub_bot(tmp_path, text), until())
    scene: Any = session.app.router.scene
    assert scene.match.winner == 0 and scene.view.message == f"{words} YOU WIN"
    error = capsys.readouterr().err
    assert error.startswith(f"sim: Stub loses: it {line}") and error.count("\n") == 1
    player = MatchPlayer(MatchRecording(session.recorded()))
    player.advance(1 << 20)
    assert player.match.over and player.match.winner == 0


def test_the_same_bot_process_plays_the_next_match() -> None:
    """It receives `stop`, then a new `start`."""
    contacts = Contacts()
    matches: list[Any] = []

    def press(scene: Any, now_ms: int) -> bool:
        """Press Hard Drop in the match, A on every other screen."""
        at_match = isinstance(scene, MatchPlay)
        if at_match and scene.match not in matches:
            matches.append(scene.match)
        contacts.tap(HARD_DROP if at_match and scene.is_playing() else ROTATE_CW, now_ms)
        return len(matches) < 2 or matches[1].seats[1].game.lock_downs < 3

    _session, rival = play_live(f"{TBP} --level 1", press, contacts)
    assert len(matches) == 2 and not rival.lost
    assert matches[0].winner == 1 and matches[0].seats[1].game.lock_downs > 3


def test_a_bot_plays_the_next_round() -> None:
    contacts = Contacts()

    def press(scene: Any, now_ms: int) -> bool:
        """Press Hard Drop in a round, A after it."""
        scene.match.options.wins = 2
        contacts.tap(HARD_DROP if scene.is_playing() else ROTATE_CW, now_ms)
        return scene.match.round < 1 or scene.match.seats[1].game.lock_downs < 3

    session, rival = play_live(f"{TBP} --level 1", press, contacts)
    match = session.app.router.scene.match
    assert match.wins[1] == 1 and match.round == 1 and not rival.lost


class SilentBot:
    """Sends nothing until `free` is set, then raises the Fault HANGS."""

    features: tuple[str, ...] = ()
    greeted = at_play = True
    answer_s = 0.0

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.free = threading.Event()

    def greet(self) -> None:
        pass

    def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "suggest":
            self.asked.set()

    def receive(self, kind: str) -> dict[str, Any]:
        self.free.wait()
        raise Fault(f"said no {kind} within 0 s", "HANGS")


def test_time_passes_while_a_bot_thinks_and_it_loses_when_it_hangs() -> None:
    game = Game(4)
    game.start(0)
    game.advance(0)
    bot = SilentBot()
    rival = LiveRival(bot, game, 0)  # type: ignore[arg-type]
    rival.look()
    bot.asked.wait()
    while not game.lock_downs:
        game.advance(game.now_ms + 17)
        rival.look()
        assert rival.due_ms == IDLE and not rival.lost
    bot.free.set()
    assert rival.answer and rival.answer.exception()
    while not rival.lost or rival.due_ms == IDLE:
        game.advance(game.now_ms + 17)
        rival.look()
    assert rival.lost.sign == "HANGS" and rival.button == HARD_DROP


@pytest.mark.parametrize(
    ("name", "shown"), [("Cold Clear", b"COLD CLEAR"), ("Zetris v2.1 (mini)", b"ZETRIS V21"), ("テトリス", b"BOT")]
)
def test_a_bots_name_is_shown_in_the_letters_of_the_font(name: str, shown: bytes) -> None:
    assert name_on_screen(name) == shown
