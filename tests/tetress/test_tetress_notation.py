"""Actions and transcripts of Tetress as text, messages for wrong ones, and `python -m tools.tetress show`."""

from pathlib import Path

import pytest
from PIL import Image, ImageSequence

from firmware.save.journal import BOARD_GAME, Journal
from firmware.tetress.game import ACTIONS, Game
from firmware.tetress.record import pack, start_record
from sim.store import open_stores
from tests.support.handhelds.command_lines import refused
from tests.tetress.tetress_positions import BLOCKED, by_chance, position
from tools.tetress import notation
from tools.tetress.__main__ import main
from tools.tetress.notation import NotationError, format_action, parse_action, read_transcript, write_transcript

FIGURES = ["PLACE[(6,3), (7,2), (7,3), (7,4)]", "PLACE[(2,7), (2,8), (3,7), (3,8)]"]
FIGURES += ["PLACE[(6,4), (6,5), (7,5), (7,6)]", "PLACE[(8,1), (8,2), (9,2), (9,3)]"]
FIGURES += ["PLACE[(6,10), (6,0), (7,0), (7,1)]"]


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    path.write_text(write_transcript(random_game(4)), encoding="utf-8")
    return path


def random_game(seed: int) -> list[int]:
    game = by_chance(seed)
    return [game.action(i) for i in range(game.played)]


GAME = random_game(9)
PLAYED = (Path(__file__).parent.parent / "vectors" / "tetress.txt").read_text(encoding="utf-8").split("\n\n")[1:]


@pytest.mark.parametrize("played", PLAYED, ids=range(1, 11))
def test_games_under_the_courses_referee_end_here_as_there(played: str) -> None:
    """The strong player won all ten, each because the other one had no action left."""
    head, actions = played.split("\n", 1)
    players, result = head.split(": ")
    winner, red, blue = result.split()
    ours = "red" if players.startswith("skyline") else "blue"
    last = write_transcript(read_transcript(actions)).splitlines()[-1]
    loser = {"red": "Blue", "blue": "Red"}[winner]
    assert winner == ours and last.startswith(f"# {winner.title()} wins: {loser} has no legal action")
    assert last.endswith(f"tokens {red} : {blue}")


class TestActions:
    @pytest.mark.parametrize("text", FIGURES)
    def test_actions_are_printed_as_in_the_specification(self, text: str) -> None:
        assert format_action(parse_action(text)) == text

    def test_every_printed_action_can_be_read(self) -> None:
        assert all(parse_action(format_action(action)) == action for action in range(ACTIONS))

    @pytest.mark.parametrize(
        "text",
        ["PLACE[(7,4), (7,3), (6,3), (7,2)]", "place [ ( 6 , 3 ) ,(7,2),(7,3),(7,4) ]"]
        + ["  PLACE[(06,3), (7,02), (7,3), (7,4)]  ", "PLACE(6-3, 7-2, 7-3, 7-4)"]
        + ["place( 06-3,7 - 2 ,7-3,7-4 )", "PLACE((6,3), (7,2), (7,3), (7,4))"],  # as the course writes an action
    )
    def test_an_action_is_read_in_any_order_case_spacing_and_notation(self, text: str) -> None:
        assert parse_action(text) == notation.action_of([(7, 4), (6, 3), (7, 2), (7, 3)]) == parse_action(FIGURES[0])

    NONE: tuple[str, ...] = ("", "PLACE", "PLACE[]", "PLACE[(6,3) (7,2), (7,3), (7,4)]")
    NONE += ("PLACE[(6,3), (7,2), (7,3), (7,4)", "PLACE[(6,3), (7,2), (7,3), (7,4)] PLACE", "PLACE(<invalid coords>)")
    NONE += ("PLACE[(6,-3), (7,2), (7,3), (7,4)]", "PLACE(6-3, 7-2, 7-3, 7-4]", "PLACE(6-3 7-2 7-3 7-4)")

    @pytest.mark.parametrize(
        ("text", "words"),
        [(text, "not an action") for text in NONE]
        + [
            ("PLACE[(6,3), (7,2), (7,3)]", "four different cells, not 3"),
            ("PLACE[(6,3), (7,2), (7,3), (7,3)]", "four different cells, not 3"),
            ("PLACE[(6,3), (7,2), (7,3), (7,4), (7,5)]", "four different cells, not 5"),
            ("PLACE[(6,3), (7,2), (7,3), (7,11)]", "(7,11) is not on the board"),
            ("PLACE[(6,3), (7,2), (7,3), (7,5)]", "one of the 19 tetrominoes"),
            ("PLACE[(0,0), (1,1), (2,2), (3,3)]", "one of the 19 tetrominoes"),
        ],
    )
    def test_an_invalid_action_is_refused(self, text: str, words: str) -> None:
        with pytest.raises(NotationError) as error:
            parse_action(text)
        assert words in str(error.value) and "\n" not in str(error.value)


class TestTranscripts:
    def test_a_written_game_can_be_read(self) -> None:
        text = write_transcript(GAME)
        assert read_transcript(text) == GAME
        last = text.splitlines()[-1]
        assert last.startswith("# ") and "wins" in last

    def test_empty_lines_and_comments_do_not_count(self) -> None:
        assert len(read_transcript(f"# a game\n\n{FIGURES[0]}  # a T\n   \n{FIGURES[1]}")) == 2

    @pytest.mark.parametrize(
        ("lines", "words"),
        [
            ([FIGURES[0], "", FIGURES[0]], "line 3: PLACE[(6,3), (7,2), (7,3), (7,4)]: (6,3) and (7,2) and"),
            ([*FIGURES[:2], "PLACE[(7,4), (7,5), (7,6), (7,7)]"], "(7,4) is occupied (condition 2)"),
            (
                [*FIGURES[:2], "PLACE[(4,7), (4,8), (5,7), (5,8)]"],
                "line 3: PLACE[(4,7), (4,8), (5,7), (5,8)]: no cell is adjacent to a token of Red (condition 3)",
            ),
            ([FIGURES[0], "PLACE[(0,0)]"], "line 2: PLACE[(0,0)]: an action has four different cells"),
            (["nonsense " * 20], "line 1: nonsense"),
        ],
    )
    def test_an_illegal_action_is_refused_with_its_line_and_rule(self, lines: list[str], words: str) -> None:
        with pytest.raises(NotationError) as error:
            read_transcript("\n".join(lines))
        assert words in str(error.value) and len(str(error.value)) < 250

    def test_an_action_after_the_end_is_refused(self) -> None:
        with pytest.raises(NotationError, match=r"the game is over: .* wins"):
            read_transcript(write_transcript(GAME) + FIGURES[0])


def dashed(action: int) -> str:
    """Return an action as the course's referee prints it."""
    return f"PLACE({', '.join(f'{r}-{c}' for r, c in notation.cells_of(action))})"


def logged(actions: list[int]) -> str:
    """Return the log file of the course's referee."""
    lines = ["T0000.000\tRED\tinitialising", "T0000.310\tBLUE\tinitialising", "T0000.500\treferee\tgame_begin"]
    for number, action in enumerate(actions, 1):
        colour = ("BLUE", "RED")[number & 1]
        lines.append(f"T{number:08.3f}\t{colour}\tturn_begin\t{number}")
        lines.append(f"T{number:08.3f}\t{colour}\tturn_end\t{number}\t{dashed(action)}")
        lines.append(f"T{number:08.3f}\treferee\tboard_update")
    return "\n".join([*lines, "T0151.000\treferee\tgame_end\twinner:RED", ""])


def commented(actions: list[int], colouring: bool) -> str:
    """Return the output of the course's referee."""
    start, end = ("\x1b[37m", "\x1b[0m") if colouring else ("", "")
    head = f"{start}* referee : {end}"
    lines = [f"{head}all messages printed by referee/wrapper modules begin with *", "said by a player: PLACE[(0,0)]"]
    for number, action in enumerate(actions, 1):
        colour = ("BLUE", "RED")[number & 1]
        lines.append(f"{head}{colour} to play (turn {number}) ...")
        lines.append(f"{start}* player{2 - (number & 1)} : {end}  resources usage status:")
        lines.append(f"{head}{colour} plays action {dashed(action)}")
        lines.append(f"{head}                      . . r r \x1b[1m\x1b[31mr\x1b[0m b b .")
    return "\n".join([*lines, f"{start}* referee @ {end}result: player 1 [agent:Agent]", ""])


class TestReferee:
    """The log and the output of the course's referee, in the lines of its `log.py` and `run.py`."""

    def test_the_referees_log_is_read(self) -> None:
        assert read_transcript(logged(GAME)) == GAME

    @pytest.mark.parametrize("colouring", [False, True])
    def test_the_referees_output_is_read(self, colouring: bool) -> None:
        assert read_transcript(commented(GAME, colouring)) == GAME

    def test_an_action_in_both_log_and_output_counts_once(self) -> None:
        log = "".join(f"\x1b[33m* game    : \x1b[0m{line}\n" for line in logged(GAME).splitlines())
        assert read_transcript(commented(GAME, True) + log) == GAME

    def test_an_illegal_action_names_the_line(self) -> None:
        action = parse_action(FIGURES[0])
        with pytest.raises(NotationError, match=r"line 8: PLACE\(6-3, 7-2, 7-3, 7-4\): \(6,3\) and"):
            read_transcript(logged([action, action]))


DRAWN = "BB.........\nRRRRRR.....\n"
LAST = "PLACE[(4,3), (4,4), (5,3), (5,4)]"


@pytest.mark.parametrize(
    ("game", "action", "words"),
    [
        (Game(), FIGURES[0], "Blue to play action 2; tokens 4 : 0"),
        (position(BLOCKED, 3), LAST, "Blue wins: Red has no legal action after action 4; tokens 104 : 5"),
        (position(BLOCKED, 149), LAST, "Red wins by tokens after 150 actions, 104 : 5"),
        (position(DRAWN, 149), "PLACE[(10,0), (10,1), (9,0), (9,1)]", "a draw after 150 actions, 6 : 6 tokens"),
    ],
)
def test_outcome_names_the_winner_and_the_reason(game: Game, action: str, words: str) -> None:
    game.play(parse_action(action))
    assert notation.outcome(game) == words


class TestCommands:
    def test_the_board_is_printed(self, transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["show", str(transcript)]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == 13 and "wins" in lines[-1]

    def test_the_board_after_some_actions_is_printed(self, transcript: Path, capsys) -> None:
        assert main(["show", str(transcript), "--until", "2"]) == 0
        out = capsys.readouterr().out
        assert out.count("R") - 1 == out.count("B") == 4 and out.endswith("Red to play action 3; tokens 4 : 4\n")

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_a_byte_order_mark_is_ignored(self, encoding: str, transcript: Path, capsys) -> None:
        transcript.write_text(transcript.read_text(encoding="utf-8"), encoding=encoding)
        assert main(["show", str(transcript)]) == 0 and "wins" in capsys.readouterr().out

    @pytest.mark.parametrize("text", ["", "\n", "# a game\n", "\ufeff", "* referee : all messages begin with *\n"])
    def test_a_file_without_actions_is_refused(self, text: str, transcript: Path, capsys) -> None:
        transcript.write_text(text, encoding="utf-8")
        message = refused(capsys, "show", transcript, program="tools.tetress", run=main)
        assert message.endswith("game.txt has no actions\n")

    @pytest.mark.parametrize(
        "text", ["\x1b[2J\x1b]0;title\x07", "\x9b31m", "PLACE[\x1b[31m(0,0)]", "a\rb", "\u202e", "\x1b[31m\x00"]
    )
    def test_a_file_cannot_control_the_terminal(self, text: str, transcript: Path, capsys) -> None:
        transcript.write_bytes(text.encode())
        assert main(["show", str(transcript)]) == 2
        output = capsys.readouterr().err
        assert output.endswith("\n") and output[:-1].isprintable()

    def test_a_file_name_cannot_control_the_terminal(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["show", str(tmp_path / "\x1b[2J")]) == 2 and "\\x1b[2J" in capsys.readouterr().err

    def test_a_picture_and_a_film_with_a_frame_for_every_action_are_written(self, transcript: Path, tmp_path) -> None:
        assert main(["show", str(transcript), "-o", str(tmp_path / "game.png")]) == 0
        assert Image.open(tmp_path / "game.png").size == (432, 448)
        assert main(["show", str(transcript), "-o", str(tmp_path / "game.gif"), "--until", "5"]) == 0
        with Image.open(tmp_path / "game.gif") as film:
            assert sum(1 for _ in ImageSequence.Iterator(film)) == 6

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ("show missing.txt", "cannot read missing.txt: No such file"),
            ("show .", "cannot read .: "),
            ("show {game} -o picture.bmp", "a picture's name ends in .png or .gif"),
            ("show {game} -o /nowhere/picture.png", "cannot write /nowhere/picture.png"),
            ("show {wrong}", "line 2: PLACE[(6,3), (7,2), (7,3), (7,4)]: (6,3) and"),
            ("show {binary}", "is not text"),
            ("match random nobody", "no player 'nobody'"),
            ("match random no.module:Class", "no player 'no.module:Class'"),
            ("match random fractions:Nobody", "no player 'fractions:Nobody'"),
        ],
    )
    def test_a_failure_is_reported_in_one_line(
        self, arguments: str, words: str, transcript: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "wrong.txt").write_text(f"{FIGURES[0]}\n{FIGURES[0]}\n", encoding="utf-8")
        (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
        names = {"game": transcript, "wrong": tmp_path / "wrong.txt", "binary": tmp_path / "binary"}
        assert main([argument.format(**names) for argument in arguments.split()]) == 2
        output = capsys.readouterr().err.splitlines()
        assert words in output[-1] and output[-1].startswith("tools.tetress: ")

    @pytest.mark.parametrize("arguments", [["show"], ["match", "a"], ["show", "x", "--until", "0"], ["play"]])
    def test_invalid_arguments_are_refused(self, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 2 and capsys.readouterr().err.startswith("tools.tetress")

    def test_the_game_of_the_simulated_handheld_is_printed(self, tmp_path, capsys) -> None:
        journal = Journal(list(open_stores(tmp_path)))
        record = pack(by_chance(4), start_record(0, 4, 1))
        journal.payload[: len(record)] = record
        assert journal.save(BOARD_GAME, len(record)) and main(["kept", "--folder", str(tmp_path)]) == 0
        assert read_transcript(capsys.readouterr().out) == random_game(4)

    def test_a_missing_game_is_reported(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["kept", "--folder", str(tmp_path)]) == 2 and "no game of Tetress" in capsys.readouterr().err
