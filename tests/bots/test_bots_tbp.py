"""Tetris Bot Protocol: host and bot over pipes, every message, and every fault of a bot."""

import io
import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware.engine import events
from firmware.engine.game import Game
from firmware.modes.catalogue import MARATHON
from firmware.players.alone import pass_time
from firmware.save.recordings.recording import Recording
from sim.bots.attacks import GUIDELINE, find_attacks
from sim.bots.host import Host, choose_options, find_bag
from sim.bots.process import Bot, Fault, start_bot
from sim.bots.protocol import Move, read_matrix, read_move, write_matrix, write_message
from sim.bots.rival import Rival
from tests.support import needs
from tests.support.handhelds.bot_processes import (
    EMPTY,
    GENEROUS_S,
    SUGGEST,
    TBP,
    start,
    start_patient_bot,
    talk,
    write_stub_bot,
)
from tests.support.handhelds.command_lines import refused
from tests.support.running import ROOT, run_python
from tools import export, versus
from tools.bots.__main__ import main
from tools.bots.bot_server import serve
from tools.bots.level_bot import LevelBot
from tools.placements import Placement, witness

# The levels' bot. It logs each message and answer, and its Matrix when garbage rises;
# `change` may replace each answer.
LOGGING_BOT = """
import json, sys
sys.path.insert(0, {root!r})
from tools.bots.bot_server import serve
from tools.bots.level_bot import LevelBot
from sim.bots.protocol import read_move, write_matrix
log = open({log!r}, "w")
def change(answer): return answer
{change}
class LoggingBot(LevelBot):
    def answer(self, message):
        board = None
        if message["type"] == "stop":
            self.play(read_move(self.last))  # the garbage rose after this move
            board = write_matrix(self.position.matrix)
        answer = super().answer(message)
        answer = answer and change(answer)
        if answer and answer.get("moves"):
            self.last = answer["moves"][0]
        print(json.dumps([message, answer, board]), file=log, flush=True)
        return answer
serve(LoggingBot(5), sys.stdin.buffer, sys.stdout.buffer)
"""


def make_logging_bot(folder: Path, change: str = "") -> tuple[str, Path]:
    """Return the command of a levels' bot that logs its messages, and the path of the log."""
    path, log = folder / "logging_bot.py", folder / "log"
    path.write_text(LOGGING_BOT.format(root=str(ROOT), log=str(log), change=change), encoding="utf-8")
    return f'"{sys.executable}" "{path}"', log


def read_log(log: Path) -> list[tuple[dict[str, Any], dict[str, Any] | None, Any]]:
    return [tuple(json.loads(line)) for line in log.read_text(encoding="utf-8").splitlines()]


def host_game(command: str, pieces: int, **options: Any) -> Host:
    with start_patient_bot(command) as bot:
        host = Host(bot, 3, **options)
        host.play(pieces)
    return host


PLACE = {"type": "T", "orientation": "north", "x": 4, "y": 0}
WRONG = [("type", "G"), ("orientation", "up"), ("orientation", []), ("x", 10), ("y", True)]


class TestMoves:
    """Moves name the centre of a Tetrimino by true SRS."""

    @pytest.mark.parametrize(
        ("piece", "cells"),
        [
            ("O", {"north": "44 54 45 55", "east": "44 54 43 53", "south": "44 34 43 33", "west": "44 34 45 35"}),
            ("I", {"north": "34 44 54 64", "east": "45 44 43 42", "south": "24 34 44 54", "west": "46 45 44 43"}),
            ("T", {"north": "34 44 54 45", "east": "43 44 45 54", "south": "34 44 54 43", "west": "43 44 45 34"}),
            *(("J", {"north": "34 44 54 35"}), ("L", {"east": "43 44 45 53"})),
            *(("S", {"north": "34 44 45 55"}), ("Z", {"west": "45 44 34 33"})),
        ],
    )
    def test_a_move_covers_the_cells_around_its_centre(self, piece: str, cells: dict[str, str]) -> None:
        for orientation, expected in cells.items():
            location = {"type": piece, "orientation": orientation, "x": 4, "y": 4}
            move = read_move({"location": location, "spin": "mini"})
            assert move.cells() == {(int(cell[0]), int(cell[1])) for cell in expected.split()}, orientation
            assert move.as_json() == {"location": location, "spin": "mini"}

    def test_a_board_survives_reading_and_writing(self) -> None:
        board: list[list[str | None]] = [["G"] * 9 + [None], list("IJLOSTZ") + [None] * 3, *EMPTY[2:]]
        assert write_matrix(read_matrix(board)) == board

    @pytest.mark.parametrize(
        "move",
        [
            *(None, {}),
            *({"location": PLACE | {name: value}} for name, value in WRONG),
            {"location": PLACE, "spin": "some"},
        ],
    )
    def test_an_invalid_move_is_refused_in_one_line(self, move: object) -> None:
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            read_move(move)


class TestBot:
    """`python -m tools.bots tbp` for a host."""

    def test_over_pipes_the_bot_greets_suggests_and_quits(self) -> None:
        with start_patient_bot(TBP) as bot:
            bot.greet()
            assert bot.name == "Skyline HAWK" and bot.features == ["randomizer", "move_info"]
            bot.send(start("TISZOLJ"))
            bot.send(SUGGEST)
            answer = bot.receive("suggestion")
            assert read_move(answer["moves"][0]) and answer["move_info"]["depth"] > 1
        assert bot.process.returncode == 0

    @pytest.mark.parametrize("level", range(1, 6))
    def test_each_level_plays_seven_pieces_of_the_queue(self, level: int) -> None:
        bot = LevelBot(level)
        talk(bot, start("TISZOLJ"))
        for piece in "IOTSZLJ":
            (answer,) = talk(bot, SUGGEST)
            assert answer["moves"][0]["location"]["type"] in "TISZOLJ"
            assert talk(bot, {"type": "play", "move": answer["moves"][0]}, {"type": "new_piece", "piece": piece}) == []
        assert bot.position and bot.position.lock_downs == 7 and (not bot.hold or level > 2)

    def test_the_first_hold_takes_two_pieces_of_the_queue(self) -> None:
        bot = LevelBot(5)
        (answer,) = talk(bot, start("TISZOLJ"), SUGGEST)
        assert answer["moves"][0]["location"]["type"] == "I"
        talk(bot, {"type": "play", "move": answer["moves"][0]})
        assert bot.hold == 6 and bot.queue == [5, 7, 4, 3, 2]

    def test_a_played_piece_other_than_the_next_implies_a_hold(self) -> None:
        bot = LevelBot(5)
        talk(bot, start("TISZ", "O"), {"type": "play", "move": Move(4, 0, 3, -1, 0).as_json()})
        assert bot.hold == 6 and bot.queue == [1, 5, 7]
        talk(bot, {"type": "play", "move": Move(1, 0, 0, 0, 0).as_json()})
        assert bot.hold == 6 and bot.queue == [5, 7]

    def test_a_tetris_clears_the_matrix_and_starts_a_back_to_back(self) -> None:
        board: list[list[str | None]] = [["G"] * 9 + [None]] * 4 + EMPTY[4:]
        bot = LevelBot(5)
        talk(bot, start("IT", board=board), {"type": "play", "move": Move(1, 1, 7, 0, 0).as_json()})
        assert bot.position and bot.position.matrix.top == 0 and bot.position.chain == 1

    def test_without_a_position_the_bot_suggests_no_move(self) -> None:
        bot = LevelBot(5)
        answers = talk(bot, SUGGEST, start("TIS"), {"type": "stop"}, SUGGEST, start(""))
        assert [answer["moves"] for answer in answers + talk(bot, SUGGEST)] == [[], [], []]

    def test_the_bot_gives_up_if_no_piece_can_enter(self) -> None:
        board: list[list[str | None]] = [["G"] * 9 + [None] for _ in range(24)] + EMPTY[24:]
        assert talk(LevelBot(5), start("TIS", board=board), SUGGEST)[0]["moves"] == []

    def test_the_last_piece_of_a_bag_is_known(self) -> None:
        """The randomizer extension."""
        bot = LevelBot(5)
        talk(bot, start("TIS", randomizer={"type": "seven_bag", "bag_state": ["Z", "O"]}), SUGGEST)
        assert bot.player.beam.known == 2
        talk(bot, {"type": "new_piece", "piece": "Z"}, SUGGEST)
        assert bot.bag == [4] and bot.player.beam.known == 4
        talk(bot, {"type": "new_piece", "piece": "O"})
        assert bot.bag == [1, 2, 3, 4, 5, 6, 7]

    def test_unknown_messages_and_keys_are_ignored(self) -> None:
        rules = {"type": "rules", "width": 12}
        assert talk(LevelBot(5), {"type": "sing", "song": 1}, rules, start("TIS", mood="good")) == [{"type": "ready"}]

    def test_the_same_messages_get_the_same_answers(self) -> None:
        first, second = (talk(LevelBot(1), *[start("TISZOLJ"), SUGGEST] * 5) for _ in range(2))
        assert first == second and len(first) == 5

    @pytest.mark.parametrize(
        "message",
        [
            *(b"hello", b"[" * 100_000, b"[]", b'{"type":1}', b'{"type":"start"}'),
            *(b'{"type":"play","move":{}}', b'{"type":"new_piece","piece":"X"}'),
            write_message({"type": "play", "move": Move(6, 0, 3, -1, 0).as_json()}),
            write_message(start("TIS", board=EMPTY[1:])),
            write_message(start("TIS", board=[*EMPTY[1:], [None]])),
            write_message(start("TIS")) + write_message({"type": "play", "move": Move(7, 0, 3, -1, 0).as_json()}),
        ],
    )
    def test_an_invalid_message_is_refused_in_one_line(self, message: bytes) -> None:
        with pytest.raises(ValueError, match=r"^[^\n]{1,150}$"):
            serve(LevelBot(5), io.BytesIO(message + b"\n"), io.BytesIO())

    def test_an_invalid_message_over_a_pipe_ends_the_bot_with_that_line(self) -> None:
        done = run_python("-m", "tools.bots", "tbp", input="hello\n")
        assert done.returncode == 2 and done.stderr.splitlines() == ["tools.bots: 'hello\\n' is not JSON"]


class TestHost:
    """`python -m tools.bots host` for a bot."""

    def test_messages_come_in_order_with_all_their_keys(self, tmp_path: Path) -> None:
        command, log = make_logging_bot(tmp_path)
        host = host_game(command, 20)
        log_entries = read_log(log)
        kinds = [message["type"] for message, _, _ in log_entries]
        assert kinds[:3] == ["rules", "start", "suggest"]
        assert kinds.count("suggest") == 20 and kinds.count("play") == 19
        assert log_entries[0][0]["randomizer"] == "seven_bag"
        begin = log_entries[1][0]
        assert begin["hold"] is None and begin["combo"] == 0 and begin["back_to_back"] is False
        assert len(begin["queue"]) == 6 and begin["board"] == EMPTY
        # One new piece for each piece played, two after the first Hold; all are from the bag.
        assert host.game.statistics.holds and kinds.count("new_piece") == 20
        assert kinds[3:6] == ["play", "new_piece", "new_piece"]
        bag = begin["randomizer"]["bag_state"]
        assert sorted(bag + begin["queue"]) == sorted("IJLOSTZ")
        for message, _, _ in log_entries:
            if message["type"] == "new_piece":
                bag.remove(message["piece"])
                bag = bag or list("IJLOSTZ")
        # Each play message repeats the move that the bot suggested.
        suggested = [answer["moves"][0] for _, answer, _ in log_entries if answer and answer["type"] == "suggestion"]
        assert [message["move"] for message, _, _ in log_entries if message["type"] == "play"] == suggested[:-1]

    @pytest.mark.parametrize("seen", [5, 6])
    def test_the_bag_of_a_start_message_is_never_empty(self, seen: int, tmp_path: Path) -> None:
        """Six pieces in the queue and one in play use up the first bag."""
        command, log = make_logging_bot(tmp_path)
        host_game(command, 1, seen=seen)
        left = read_log(log)[1][0]["randomizer"]["bag_state"]
        assert len(left) == (1 if seen == 5 else 7)

    @pytest.mark.parametrize("seen", range(1, 7))
    def test_the_bag_holds_the_pieces_left_after_the_ones_seen(self, seen: int) -> None:
        """At each point of a game; the dealt pieces give the expected bag."""
        game = Game(5)
        dealt = list(game.next)
        for _ in range(20):
            known = dealt[: len(dealt) - 6 + seen]
            full_bags = len(known) // 7 * 7
            assert sorted([*find_bag(game, seen), *known[full_bags:]]) == [1, 2, 3, 4, 5, 6, 7]
            game.deal()
            dealt.append(game.next[5])

    def test_a_bot_without_the_randomizer_feature_receives_no_bag(self, tmp_path: Path) -> None:
        text = """
say(type="info", features=["move_info"])
assert "randomizer" not in wait_for("rules")
say(type="ready")
begin = wait_for("start")
assert "randomizer" not in begin
wait_for("suggest")
say(type="suggestion", moves=[drop(begin["queue"][0])])
wait_for("quit")
"""
        assert host_game(write_stub_bot(tmp_path, text), 1).game.lock_downs == 1

    def test_a_second_game_begins_with_stop_and_start_and_no_new_greeting(self, tmp_path: Path) -> None:
        """A bot is started once and plays all rounds and rematches."""
        command, log = make_logging_bot(tmp_path)
        with start_patient_bot(command) as bot:
            rival = None
            for seed in (1, 2):
                game = Game(seed, choose_options(5))
                game.start(0)
                game.advance(0)
                rival = rival or Rival(bot, game, 0)
                rival.watch(game)
                while game.lock_downs < 3:
                    pass_time(rival, game.time_ms + 100)
        kinds = [message["type"] for message, _, _ in read_log(log)]
        assert kinds[:3] == ["rules", "start", "suggest"] and kinds.count("rules") == 1
        again = kinds.index("stop")
        assert kinds[again : again + 3] == ["stop", "start", "suggest"] and kinds.count("start") == 2

    def test_a_tetrimino_that_has_fallen_below_its_place_is_dropped(self, tmp_path: Path) -> None:
        """It is not the bot's fault."""
        game = Game(2, choose_options(5))
        game.start(0)
        game.advance(0)
        for y in range(17):
            game.matrix.set_row(y, bytes([0, 8, 8, *bytes(7)]))
        move = Move(4, 0, 0, 16, 0)  # the O, on the stack
        assert game.piece == move.piece
        text = f"""
say(type="info", features=[])
wait_for("rules")
say(type="ready")
wait_for("suggest")
say(type="suggestion", moves=[{move.as_json()}])
wait_for("quit")
"""
        with start_patient_bot(write_stub_bot(tmp_path, text)) as bot:
            rival = Rival(bot, game, 0)
            while game.y >= move.y:
                game.advance(game.time_ms + 100)
            while not game.lock_downs:
                pass_time(rival, game.time_ms + 100)
        assert rival.lost is None

    def test_garbage_is_sent_by_stop_and_a_new_start(self, tmp_path: Path) -> None:
        command, log = make_logging_bot(tmp_path)
        host = host_game(command, 11, garbage=(2, 5))
        log_entries = read_log(log)
        stops = [i for i, (message, _, _) in enumerate(log_entries) if message["type"] == "stop"]
        assert len(stops) == 2 and host.game.lock_downs == 11
        for i in stops:
            begin = log_entries[i + 1][0]
            assert begin["type"] == "start" and len(begin["queue"]) == 6
            assert begin["board"][0].count("G") == 9 and begin["board"][0] == begin["board"][1]
            assert begin["board"][2:] == log_entries[i][2][:38]
        assert begin["hold"]

    def test_moves_match_by_cells_and_no_move_yet_is_asked_for_again(self, tmp_path: Path) -> None:
        """Cold Clear 2 names S, Z and I by one of two equal orientations, and has no move right after the start."""
        command, log = make_logging_bot(
            tmp_path,
            """
asked = 0
def change(answer):
    global asked
    if answer["type"] != "suggestion": return answer
    asked += 1
    if asked < 3: return {"type": "suggestion", "moves": []}
    move = read_move(answer["moves"][0])
    for facing in range(4):
        for x in range(-3, 10):
            for y in range(-3, 20):
                other = move._replace(facing=facing, x=x, y=y)
                if other != move and other.cells() == move.cells():
                    return {"type": "suggestion", "moves": [other.as_json()]}
    return answer
""",
        )
        host = host_game(command, 14)
        assert host.game.lock_downs == 14
        kinds = [message["type"] for message, _, _ in read_log(log)]
        assert kinds.count("suggest") == 16

    def test_the_first_playable_move_is_played(self, tmp_path: Path) -> None:
        text = """
queue = greet()
far = [piece for piece in "IJLOSTZ" if piece not in queue[:2]][0]
say(type="suggestion", moves=[drop(far), drop(queue[0], y=9), drop(queue[0]), drop(queue[1])], mood="good")
wait_for("quit")
"""
        host = host_game(write_stub_bot(tmp_path, text), 1)
        assert host.game.lock_downs == 1 and host.game.matrix.rows[0][4] and not host.game.statistics.holds

    def test_unknown_messages_and_keys_are_ignored(self, tmp_path: Path) -> None:
        text = """
say(type="song")
print(flush=True)
queue = greet()
say(type="thought")
say(type="suggestion", moves=[drop(queue[0])], move_info={"nodes": 7, "extra": []})
wait_for("quit")
"""
        host = host_game(write_stub_bot(tmp_path, text), 1)
        assert host.game.lock_downs == 1 and host.nodes == 7

    def test_a_recorded_bot_game_opens_in_the_simulator_and_as_a_fumen(self, tmp_path, capsys) -> None:
        path = tmp_path / "game.sky"
        assert main(["host", TBP, "--pieces", "40", "--record", str(path)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "Skyline HAWK: 40 pieces"
        recording = Recording(path.read_bytes())
        game = witness(recording)
        assert recording.variant == MARATHON and game.lock_downs == 40
        assert lines[2] == f"{game.lines} lines, level {game.level}, {game.score} points"
        sent = sum(map(self.count_sent, game.placements))
        assert sent and lines[1].startswith(f"{sent / 40:.3f} lines sent a piece, ")
        assert export.main([str(path), "--fumen"]) == 0 and "v115@" in capsys.readouterr().out

    def count_sent(self, place: Placement) -> int:
        names = ((events.TETRIS, 4), (events.TRIPLE, 3), (events.DOUBLE, 2), (events.SINGLE, 1))
        count = next((count for bit, count in names if place.action & bit), 0)
        spin = 2 if place.action & events.T_SPIN else 1 if place.action & events.MINI_T_SPIN else 0
        chained = bool(place.action & events.BACK_TO_BACK)
        return find_attacks(GUIDELINE).count_lines(spin, count, chained, 0, False)

    def test_a_top_out_is_no_fault(self, tmp_path: Path) -> None:
        command, _ = make_logging_bot(tmp_path)
        host = host_game(command, 100, garbage=(10, 2))
        assert host.game.over and host.game.lock_downs < 100


NOBODY = 65534
GIVES_UP = "say(type='suggestion', moves=[drop(greet()[0])]); wait_for('suggest'); say(type='suggestion', moves=[])"
FAULTS = [
    ("", "died with exit code 0"),
    ("sys.exit(3)", "died with exit code 3"),
    ("wait_for('rules')", "said no info within 0.1 s"),
    ("say(type='info'); wait_for('nothing')", "said no ready within 0.1 s"),
    ("say(type='info'); say(type='error', reason='unsupported_rules')", "refuses to play: 'unsupported_rules'"),
    ("greet(); wait_for('nothing')", "said no suggestion within 0.1 s"),
    ("greet(); 1 / 0", "died with exit code 1: 'ZeroDivisionError: division by zero'"),
    ("greet(); sys.stdout.close(); import os; os.close(1); wait_for('nothing')", "closed its output"),
    ("greet(); print('hello')", "speaks nonsense: 'hello\\n' is not JSON"),
    ("greet(); print('[' * 100000)", "speaks nonsense: '[["),
    ("greet(); sys.stdout.buffer.write(bytes([255, 10]))", "speaks nonsense: '\\ufffd\\n' is not JSON"),
    ("greet(); print('7')", "speaks nonsense: 7 is not an object with a type"),
    ("greet(); say(type='suggestion')", "speaks nonsense: None is not a list of moves"),
    ("greet(); say(type='suggestion', moves=[7])", "speaks nonsense: 7 is not a move"),
    ("say(type='suggestion', moves=[drop(greet()[0], y=9)])", "has no move that can be played: {'location'"),
    ("greet()\nwhile 1: say(type='suggestion', moves=[]); wait_for('suggest')", "knew no move within 0 s"),
    ("say(type='info'); say(type='ready')\nwhile 1: say(type='suggestion', moves=[])", "knew no move within 0 s"),
    (GIVES_UP, "gives up"),
    ("for _ in range(3000): say(type='song')", "floods: 1000 messages that nobody asked for"),
    ("while 1: sys.stdout.write('x' * 65536)", "floods: a line of more than 1048576 bytes"),
]


class TimedBot(Bot):
    """A bot with generous time limits; only the limit that its fault names is short."""

    def __init__(self, command: str, line: str) -> None:
        super().__init__(command, GENEROUS_S)
        self.line = line
        self.goodbye_s = 0.1 if line == "closed its output" else GENEROUS_S

    def receive(self, kind: str) -> dict[str, Any]:
        self.answer_s = self.ready_s = 0.1 if self.line.startswith(f"said no {kind} ") else GENEROUS_S
        message = super().receive(kind)
        if self.line.startswith("knew no move"):
            self.answer_s = 0.0
        return message


class TestFaults:
    """A bot loses by a fault, reported in one line."""

    @pytest.mark.parametrize(("text", "line"), FAULTS, ids=[line for _, line in FAULTS])
    def test_a_bot_loses_by_each_fault(self, text: str, line: str, tmp_path: Path) -> None:
        bot = TimedBot(write_stub_bot(tmp_path, text), line)
        with pytest.raises(Fault) as fault, bot:
            Host(bot, 3).play(5)
        assert str(fault.value).startswith(line) and "\n" not in str(fault.value)
        assert bot.process.returncode is not None

    def test_a_bot_that_does_not_quit_is_ended_after_a_wait(self, tmp_path: Path) -> None:
        """It would exit normally after 20 s."""
        text = "import time; say(type='info'); wait_for('rules'); say(type='ready'); wait_for('quit'); time.sleep(20)"
        with Bot(write_stub_bot(tmp_path, text), GENEROUS_S) as bot:
            bot.goodbye_s = 0.1
            bot.greet()
        assert bot.process.returncode

    def test_a_bot_that_has_lost_is_ended_at_once(self, tmp_path: Path) -> None:
        text = "import time; say(type='error', reason='no'); wait_for('quit'); time.sleep(20)"
        bot = Bot(write_stub_bot(tmp_path, text), GENEROUS_S)
        bot.goodbye_s = GENEROUS_S
        with pytest.raises(Fault, match="refuses to play"), bot:
            Host(bot, 3).play(5)
        assert bot.process.returncode

    def test_a_bot_that_reads_nothing_loses_when_its_pipe_is_full(self, tmp_path: Path) -> None:
        bot = Bot(write_stub_bot(tmp_path, "import time; time.sleep(99)"), GENEROUS_S)
        with pytest.raises(Fault, match="does not read what it is told"), bot:
            any(map(bot.send, itertools.repeat(start("TIS"))))

    def test_the_command_line_reports_the_loser_and_records_the_game(self, tmp_path, capsys) -> None:
        path = tmp_path / "game.sky"
        assert main(["host", write_stub_bot(tmp_path, GIVES_UP), "--record", str(path)]) == 1
        printed = capsys.readouterr()
        assert printed.err == "tools.bots host: Stub loses: it gives up\n"
        assert printed.out.startswith("Stub: 1 pieces\n")
        assert witness(Recording(path.read_bytes())).lock_downs == 1

    @pytest.mark.parametrize(
        ("arguments", "line"),
        [
            (["host", ""], "cannot read the command '': the command is empty"),
            (["host", "'"], 'cannot read the command "\'": No closing quotation'),
            (["host", "nowhere-to-be-found"], "cannot start nowhere-to-be-found: No such file or directory"),
            (["host", "x", "--record", "x", "--garbage", "4", "7"], "--record and --garbage cannot be used together"),
            (["host", "x", "--record", "/"], "cannot write /: it is a directory"),
        ],
    )
    def test_a_wrong_argument_gets_one_line(self, arguments: list[str], line: str, capsys) -> None:
        assert refused(capsys, *arguments, program="tools.bots", run=main).startswith(f"tools.bots: {line}")


@needs.system(hasattr(os, "seteuid"), "users of POSIX")
def test_a_folder_of_path_that_cannot_be_read_hides_no_absent_program(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    monkeypatch.setenv("PATH", str(tmp_path / "closed"), prepend=os.pathsep)
    user = os.geteuid()
    os.seteuid(user or NOBODY)  # root may read everything
    try:
        with pytest.raises(ValueError, match="cannot start nowhere-to-be-found: No such file or directory"):
            start_bot("nowhere-to-be-found")
    finally:
        os.seteuid(user)


def count_garbage(board: list[list[str | None]]) -> int:
    return next(y for y, row in enumerate(board) if row.count("G") != 9 or row.count(None) != 1)


class TestVersus:
    """`python -m tools.versus` with a bot in place of a level."""

    @pytest.mark.parametrize("seed", [1, 2])
    def test_a_bot_sends_lines_and_receives_risen_garbage(self, seed: int, tmp_path: Path) -> None:
        command, log = make_logging_bot(tmp_path)
        bot, _fox = versus.play_match(versus.Pairing(command, 4, seed, pace_ms=900))
        assert bot.sent > 5
        log_entries = read_log(log)
        kinds = [message["type"] for message, _, _ in log_entries]
        assert kinds.count("start") == kinds.count("stop") + 1 > 3
        assert kinds.count("start") + kinds.count("play") == kinds.count("suggest")
        # The new start has the bot's old rows above the new garbage.
        for i, (_, _, board) in enumerate(log_entries):
            if board:
                rows = log_entries[i + 1][0]["board"]
                risen = count_garbage(rows) - count_garbage(board)
                assert risen > 0 and rows[risen:] == board[: 40 - risen]

    def test_a_bot_at_fault_loses_the_match(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        command = write_stub_bot(tmp_path, "say(type='suggestion', moves=[drop(greet()[0])]); wait_for('suggest')")
        level, bot = versus.play_match(versus.Pairing(2, command, 1))
        assert (level.wins, bot.wins, bot.pieces) == (1, 0, 1)
        assert capsys.readouterr().err.strip() == "tools.versus: Stub loses match 1: it died with exit code 0"

    def test_the_command_line_takes_a_command(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        command = write_stub_bot(tmp_path, "sys.exit(1)")
        assert versus.main(["3", command, "--games", "1", "--jobs", "1", "--quiet"]) == 0
        rows = capsys.readouterr().out.splitlines()
        assert [row.split("|")[3].strip() for row in rows[2:]] == ["1", "0"]
