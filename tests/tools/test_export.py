"""Exports of a recording show the game that was played."""

import functools
import itertools
import wave
from array import array
from functools import partial
from pathlib import Path

import pytest
from PIL import Image, ImageSequence
from py_fumen_py import decode

from firmware.engine.options import Options
from firmware.modes.catalogue import MARATHON, make_mode
from firmware.modes.slow import STILL
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.view.playfield import PlayView
from sim.desktop.speaker import RATE_HZ
from tests.support.handhelds import command_lines
from tests.support.handhelds.handheld import Handheld
from tests.support.recorded import NAMES, RECORDINGS, play, read
from tools.assets import tunes
from tools.export import LINKS, main
from tools.placements import LETTERS, Placement, Witness, as_fumen, as_text, witness

FUMEN_ROWS = 23
FUMEN_FACINGS = {"SPAWN": 0, "RIGHT": 1, "REVERSE": 2, "LEFT": 3}


def path_of(name: str) -> str:
    return str(RECORDINGS / f"{name}.sky")


@functools.cache
def witnessed(name: str) -> Witness:
    return witness(read(name))


@functools.cache
def matrices(name: str) -> list[list[str]]:
    """Return the Matrix after every Lock Down, a string a row, as the engine plays it in steps of 4 ms.

    Full rows are removed: the Matrix is read at the end of the turn.
    """
    recording = read(name)
    game = recording.game(make_mode(recording.variant))
    player = Player(recording, game)
    found: list[list[str]] = []
    time_ms = 0
    while not player.finished():
        time_ms += 4
        player.advance(time_ms)
        while len(found) < game.lock_downs and (not game.hit_count or game.over):
            found.append(["".join(LETTERS[cell] for cell in row) for row in game.matrix.rows])
    return found


def as_rows(field) -> list[str]:
    names = {"_": " ", "X": "G"}
    return ["".join(names.get(mino.name, mino.name) for mino in field[y]) for y in range(FUMEN_ROWS)]


class TestFumen:
    @pytest.mark.parametrize("name", NAMES)
    def test_every_page_has_the_matrix_before_its_tetrimino(self, name: str) -> None:
        before = [" " * 10] * FUMEN_ROWS
        found = matrices(name)
        pages = decode(as_fumen(witnessed(name).placements))
        assert len(pages) == len(found) > 29
        for page, after in zip(pages, found, strict=True):
            assert as_rows(page.field) == before
            before = after[:FUMEN_ROWS]

    @pytest.mark.parametrize("name", NAMES)
    def test_locking_each_page_in_a_viewer_gives_the_next_matrix(self, name: str) -> None:
        for page, after in zip(decode(as_fumen(witnessed(name).placements)), matrices(name), strict=True):
            page.field.lock(page.operation)
            page.field.clear_line()
            assert as_rows(page.field) == after[:FUMEN_ROWS]

    @pytest.mark.parametrize("name", NAMES)
    def test_only_the_first_page_stores_a_field(self, name: str) -> None:
        pages = decode(as_fumen(witnessed(name).placements))
        assert [page.refs.field for page in pages] == [None] + [0] * (len(pages) - 1)

    def test_decoded_pages_have_the_operations_and_comments(self) -> None:
        placements = witnessed("marathon").placements
        for page, place in zip(decode(as_fumen(placements)), placements, strict=True):
            assert page.operation.mino.name == LETTERS[place.piece]
            assert FUMEN_FACINGS[page.operation.rotation.name] == place.facing
            assert {tuple(cell) for cell in page.operation.shape()} == place.cells() and page.flags.lock
            assert page.comment.endswith(f"score {place.score} level {place.level}")
            assert page.comment.startswith(place.name())

    def test_a_part_begins_with_its_own_matrix(self) -> None:
        pages = decode(as_fumen(witnessed("marathon").placements[100:110]))
        assert len(pages) == 10 and as_rows(pages[0].field) == matrices("marathon")[99][:FUMEN_ROWS]

    def test_garbage_is_grey(self) -> None:
        options = Options()
        options.garbage_rows = 4
        recorder = Recorder()
        recorder.begin_game(0, 5, options)
        recorder.record_edge(3, 1, 500)
        page = decode(as_fumen(witness(Recording(recorder.recorded(1500))).placements))[0]
        rows = as_rows(page.field)
        assert [row.count("G") for row in rows[:5]] == [9, 9, 9, 9, 0]

    def test_a_still_game_has_every_tetrimino(self) -> None:
        options = Options()
        options.slow = STILL
        recorder = Recorder()
        recorder.begin_game(MARATHON, 1, options)
        for t_ms in (5000, 5500, 6000):  # after the first one's timer has begun again
            for pressed in (1, 0):
                recorder.record_edge(3, pressed, t_ms)
        game = witness(Recording(recorder.recorded(9000)))
        assert len(game.placements) == game.lock_downs == 3 and all(place.action for place in game.placements)

    def test_rows_above_the_23rd_are_left_out(self) -> None:
        rows = [b"\x08" * 9 + b"\0"] * 24 + [bytes(10)] * 16
        above = Placement(6, 0, 3, 24, rows, 0, 0)
        below = Placement(1, 1, 7, 0, rows, 0, 0)
        pages = decode(as_fumen([above, below]))
        assert [page.operation is None for page in pages] == [True, False]
        assert as_rows(pages[1].field) == ["G" * 9 + " "] * FUMEN_ROWS

    def test_both_viewers_links_have_the_same_data(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main([path_of("lost"), "--fumen"]) == 0
        data = as_fumen(witnessed("lost").placements)
        assert data.startswith("v115@") and capsys.readouterr().out.splitlines() == [link + data for link in LINKS]

    def test_a_match_shows_its_first_player_unless_another_is_named(self, capsys: pytest.CaptureFixture[str]) -> None:
        pages = []
        for words in ((), ("--player", "1"), ("--player", "2")):
            assert main([str(RECORDINGS.parent / "matches" / "two.sky"), "--fumen", *words]) == 0
            pages.append(capsys.readouterr().out)
        assert pages[0] == pages[1] != pages[2]


class TestText:
    @pytest.mark.parametrize("name", NAMES)
    def test_every_tetrimino_has_a_line_and_the_matrix_comes_last(self, name: str, capsys) -> None:
        assert main([path_of(name), "--text"]) == 0
        lines = capsys.readouterr().out.splitlines()
        game, _ = play(read(name))
        assert [int(line.split()[0]) for line in lines[1 : game.lock_downs + 1]] == list(range(1, game.lock_downs + 1))
        assert lines[game.lock_downs].split()[6:9] == [str(game.score), str(game.level), str(game.lines)]
        rows = ["".join(LETTERS[cell] for cell in row) for row in game.matrix.rows]
        drawn = [line.strip("|") for line in lines[game.lock_downs + 1 :] if line.startswith("|")]
        assert drawn == [row for row in reversed(rows) if row.strip()]

    def test_actions_have_their_exact_names(self) -> None:
        game = witnessed("marathon")
        named = {place.name() for place in game.placements}
        assert {"", "Single", "Tetris", "Back-to-Back Tetris"} <= named
        tetrises = sum(place.name().endswith("Tetris") for place in game.placements)
        assert tetrises == game.statistics.kinds[4]

    def test_a_part_ends_with_the_matrix_after_it(self) -> None:
        text = as_text(witnessed("marathon"), 3, 20)
        drawn = [line.strip("|") for line in text.splitlines() if line.startswith("|")]
        assert drawn == [row for row in reversed(matrices("marathon")[19]) if row.strip()]
        assert len(text.splitlines()) == 1 + 18 + len(drawn) + 1

    @pytest.mark.parametrize(("name", "end"), [("lost", "game over"), ("sprint", "completed"), ("fast", "+")])
    def test_the_text_ends_with_the_reason_of_the_end(self, name: str, end: str) -> None:
        game = witnessed(name)
        assert as_text(game, 1, len(game.placements)).splitlines()[-1].startswith(end)


class TestPictures:
    @pytest.mark.parametrize("name", NAMES)
    def test_every_recording_becomes_a_gif_and_a_png(self, name: str, tmp_path: Path) -> None:
        gif, png = tmp_path / "out.gif", tmp_path / "out.png"
        assert main([path_of(name), "--from", "11", "--to", "14", "--gif", str(gif), "--png", str(png)]) == 0
        placements = witnessed(name).placements
        expected_ms = placements[14].generated_ms - placements[10].generated_ms
        with Image.open(gif) as image:
            lasts_ms = sum(frame.info["duration"] for frame in ImageSequence.Iterator(image))
            image.seek(image.n_frames - 1)
            last = image.convert("RGB").tobytes()
        assert abs(lasts_ms - expected_ms) <= 150
        with Image.open(png) as image:
            assert image.convert("RGB").tobytes() == last

    def test_a_film_is_as_long_as_the_game(self, tmp_path: Path) -> None:
        gif = tmp_path / "out.gif"
        assert main([path_of("lost"), "--gif", str(gif), "--scale", "1"]) == 0
        with Image.open(gif) as image:
            assert image.size == (70, 134)
            lasts_ms = sum(frame.info["duration"] for frame in ImageSequence.Iterator(image))
        assert abs(lasts_ms - witnessed("lost").time_ms) <= 150

    def test_the_picture_shows_the_game_at_that_moment(self, tmp_path: Path) -> None:
        png = tmp_path / "out.png"
        assert main([path_of("fast"), "--to", "50", "--png", str(png), "--scale", "1"]) == 0
        handheld = Handheld(recording=read("fast"))
        handheld.scene.view = PlayView(handheld.device.display.canvas)
        handheld.step(witnessed("fast").placements[50].generated_ms)
        with Image.open(png) as image:
            panel = image.convert("L").crop((3, 3, 67, 131))
        lit = [value > 128 for value in panel.tobytes()]
        assert lit == [bool(handheld.picture()[i >> 3] >> (i & 7) & 1) for i in range(64 * 128)]


class TestSound:
    """The sound is one square wave, like the piezo's: a narrower pulse is softer."""

    @staticmethod
    def written(path: Path, name: str, *arguments: str) -> "array[int]":
        assert main([name, "--wav", str(path / "out.wav"), *arguments]) == 0
        with wave.open(str(path / "out.wav")) as file:
            assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
            return array("h", file.readframes(file.getnframes()))

    @staticmethod
    def rises(samples: "array[int]") -> int:
        return sum(a <= 0 < b for a, b in itertools.pairwise(samples))

    def test_a_tune_is_written_once(self, tmp_path: Path) -> None:
        assert len(self.written(tmp_path, "korobeiniki")) / RATE_HZ == pytest.approx(38.4, abs=0.02)

    def test_a_tune_has_the_pitches_of_the_score_at_their_times(self, tmp_path: Path) -> None:
        samples = self.written(tmp_path, "korobeiniki")
        bars = tunes.read_pairs("korobeiniki")[1]
        begun = 0
        for units, note in [pair for bar in bars for pair in bar]:
            length = units * tunes.UNIT_MS * RATE_HZ // 1000
            middle = samples[begun + length // 4 : begun + length * 3 // 4]
            if units > 10:  # a shorter note may be shifted by a frame
                heard_hz = self.rises(middle) * RATE_HZ / len(middle)
                assert heard_hz == pytest.approx(tunes.pitch_hz(note) if note else 0, rel=0.02, abs=8), begun
            begun += length

    @pytest.mark.parametrize(("name", "volume"), [("minuet", 3), ("game_over", 4)])
    def test_the_pulse_width_follows_the_volume(self, tmp_path: Path, name: str, volume: int) -> None:
        samples = self.written(tmp_path, name)[: RATE_HZ // 20]
        high = sum(sample > 0 for sample in samples) / len(samples)
        assert high == pytest.approx((1024 << volume) / 65_536, abs=0.02)

    def test_all_effects_are_written_one_after_another(self, tmp_path: Path) -> None:
        samples = self.written(tmp_path, "effects")
        loud = [at for at, sample in enumerate(samples) if sample]
        pauses = [after - at for at, after in itertools.pairwise(loud) if after - at > RATE_HZ // 3]
        assert len(pauses) + 1 == len(tunes.read_score("effects").bars)

    @pytest.mark.parametrize("name", ["tetris", "eliminated", "menu_choose"])
    def test_an_effect_is_written_alone_as_long_as_its_notes(self, tmp_path: Path, name: str) -> None:
        score, bars = tunes.read_pairs("effects")
        notes = bars[[label for label, _notes in score.bars].index(name.upper())]
        samples = self.written(tmp_path, name)
        written_ms = sum(units for units, _note in notes) * tunes.UNIT_MS
        assert len(samples) * 1000 / RATE_HZ == pytest.approx(written_ms, abs=40)
        first = samples[: notes[0][0] * tunes.UNIT_MS * RATE_HZ // 1000]
        assert self.rises(first) * RATE_HZ / len(first) == pytest.approx(tunes.pitch_hz(notes[0][1]), rel=0.15)

    def test_the_sound_is_as_long_as_the_game(self, tmp_path: Path) -> None:
        game = witnessed("lost")
        samples = self.written(tmp_path, path_of("lost"), "--from", "3", "--to", "5")
        lasts_ms = game.placements[5].generated_ms - game.placements[2].generated_ms
        assert len(samples) * 1000 / RATE_HZ == pytest.approx(lasts_ms, abs=20) and any(samples)


refused = partial(command_lines.refused, program="tools.export", run=main)


@pytest.mark.slow
def test_a_match_is_exported_like_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = str(RECORDINGS.parent / "matches" / "two.sky")
    gif, png, wav = tmp_path / "a.gif", tmp_path / "a.png", tmp_path / "a.wav"
    assert main([match, *f"--gif {gif} --png {png} --wav {wav} --scale 1 --text".split()]) == 0
    assert gif.exists() and png.exists() and wav.exists()
    assert "won by team 2" in capsys.readouterr().out and main([match, "--text"]) == 0
    assert main([match, "--from", "2", "--text"]) == 2


class TestRefusal:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ([], "nothing to export"),
            (["--text", "--from", "0"], "from 1 to"),
            (["--text", "--to", "last"], "from 1 to"),
            (["--text", "--from", "31"], "has 1 to 30"),
            (["--text", "--from", "5", "--to", "4"], "Tetrimino 5 to 4"),
            (["--fumen", "--to", "99"], "has 1 to 30"),
            (["--png", "no/such/place.png"], "there is no directory"),
            (["--gif", "."], "it is a directory"),
            (["--gif", "a.gif", "--scale", "0"], "from 1 to 32"),
            (["--colour", "mauve", "--text"], "there is no 'mauve'; there are blue, "),
            (["--wav", "no/such/place.wav"], "there is no directory"),
        ],
    )
    def test_an_impossible_export_is_refused(self, arguments: list[str], message: str, capsys) -> None:
        assert message in refused(capsys, path_of("lost"), *arguments)

    @pytest.mark.parametrize("arguments", [("minuet", "--wav", "a.wav", "--gif", "a.gif"), ("no.sky", "--text")])
    def test_a_file_that_cannot_be_read_is_named(self, arguments: tuple[str, ...], capsys) -> None:
        assert f"cannot read {arguments[0]}" in refused(capsys, *arguments)

    def test_a_file_without_a_recording_or_a_lock_down_is_refused(self, tmp_path: Path, capsys) -> None:
        recorder = Recorder()
        recorder.begin_game(0, 1, Options())
        wrong = dict.fromkeys((b"", b"GIF89a" * 9, b"SKY\x01" + bytes(20)), "game.sky: ")
        for blob, said in (wrong | {bytes(recorder.recorded(2000)): "no Tetrimino"}).items():
            (tmp_path / "game.sky").write_bytes(blob)
            for option in ("--fumen", "--text"):
                assert said in refused(capsys, tmp_path / "game.sky", option)

    @pytest.mark.parametrize(("option", "package"), [("--fumen", "py_fumen_py"), ("--png=a.png", "PIL")])
    def test_a_missing_package_is_named(self, option: str, package: str, capsys, monkeypatch) -> None:
        monkeypatch.setattr("tools.export.find_spec", lambda name: None if name == package else name)
        assert "pip install" in refused(capsys, path_of("lost"), option)
