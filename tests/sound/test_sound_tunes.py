"""tools/assets/tunes.py makes the modules of firmware/sound/ from the scores in tools/art/."""

from pathlib import Path

import pytest

from firmware.sound import voice
from tools.assets import generation, tunes

NOTES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
TUNE = "title A tune\nmetre 2/4\ntempo 150\norder A\n\n= A\nC4/4 D4/4\n"


def note_name(number: int) -> str:
    return f"{NOTES[(number - 1) % 12]}{(number - 1) // 12 + 2}" if number else "-"


@pytest.fixture
def score(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(generation, "ART", tmp_path)
    return tmp_path / "korobeiniki.tune"


class TestScores:
    def test_the_voice_plays_the_generated_tunes(self) -> None:
        assert (*voice.TUNES, tunes.EFFECTS) == tunes.NAMES

    def test_voice_and_tool_agree_on_the_pitch_of_notes(self) -> None:
        for note in range(1, 73):
            assert tunes.pitch_hz(note) == pytest.approx(voice.pitch_hz(note), abs=1)

    @pytest.mark.parametrize(
        ("name", "bars", "length_ms"),
        [("korobeiniki", 24, 38_400), ("minuet", 32, 46_080), ("mountain_king", 24, 42_240)],
    )
    def test_a_tune_is_as_long_as_its_bars(self, name: str, bars: int, length_ms: int) -> None:
        score, pairs = tunes.read_pairs(name)
        assert len(score.bars) == bars
        assert sum(units for bar in pairs for units, _note in bar) * tunes.UNIT_MS == length_ms

    def test_13_3_korobeiniki_has_the_notes_of_the_song(self) -> None:
        """The notes, and their lengths in eighths of the bar."""
        bars = [notes for _label, notes in tunes.read_score("korobeiniki").bars[:8]]
        sung = [" ".join(f"{note_name(note.number)}.{note.length_ms / 200}" for note in notes) for notes in bars]
        line = "A4.2 A4.1 C5.1 E5.2 D5.1 C5.1, B4.3 C5.1 D5.2 E5.2, C5.2 A4.2 A4.2 -.2"
        assert ", ".join(sung[:4]) == f"E5.2 B4.1 C5.1 D5.2 C5.1 B4.1, {line}"
        line = "E5.3 C5.1 E5.2 D5.1 C5.1, B4.2 B4.1 C5.1 D5.2 E5.2, C5.2 A4.2 A4.2 -.2"
        assert ", ".join(sung[4:]) == f"-.1 D5.2 F5.1 A5.2 G5.1 F5.1, {line}"

    def test_the_slow_strain_is_made_of_the_songs_own_motifs(self) -> None:
        """The head of A at half speed, then a fifth lower; the head of B an octave lower; the cadence of the song."""
        bars = [notes for _label, notes in tunes.read_score("korobeiniki").bars]
        a, b, slow = bars[:4], bars[4:8], bars[16:]
        scale = [number for number in range(1, 73) if note_name(number)[1] != "#"]  # A minor

        def lengths(notes: list[tunes.Note]) -> list[int]:
            return [int(note.length_ms) for note in notes]

        def degrees(notes: list[tunes.Note]) -> list[int]:
            return [scale.index(note.number) for note in notes if note.number]

        assert degrees(slow[0] + slow[1]) == degrees(a[0])
        assert degrees(slow[2] + slow[3]) == [degree - 4 for degree in degrees(a[0])]
        for answer in (slow[0] + slow[1], slow[2] + slow[3]):
            assert lengths(answer) == [2 * length for length in lengths(a[0])]
        assert degrees(slow[4] + slow[5]) == [degree - 7 for degree in degrees(b[0] + b[1][:1])]
        assert slow[6:] == a[2:] != b[2:] and b[3] == a[3]

    def test_the_minuet_stays_in_its_key(self) -> None:
        """G major, with the C sharp of its turn to D major."""
        names = {note_name(note.number)[:-1] for _label, notes in tunes.read_score("minuet").bars for note in notes}
        assert names == {"G", "A", "B", "C", "D", "E", "F#", "C#"}

    def test_the_mountain_king_repeats_his_theme_a_fifth_higher(self) -> None:
        bars = [notes for _label, notes in tunes.read_score("mountain_king").bars]
        major = [7, 7, 8, 7, 7, 8, 7]  # the third is B minor's, then F sharp major's
        assert [after.number - note.number for note, after in zip(bars[0], bars[4], strict=True)] == major

    @pytest.mark.parametrize("name", tunes.NAMES[:-1])
    def test_notes_of_the_same_pitch_are_separated(self, name: str) -> None:
        pairs = [pair for bar in tunes.read_pairs(name)[1] for pair in bar]
        for (_units, note), (_after, following) in zip(pairs, pairs[1:] + pairs[:1], strict=True):
            assert not note or note != following

    def test_lengths_do_not_drift_at_a_tempo_without_whole_units(self, score: Path) -> None:
        bar = "C4/8 D4/8 C4/8 D4/8\n"
        score.write_text(TUNE.replace("150", "133").replace("C4/4 D4/4\n", bar * 50))
        units = sum(units for notes in tunes.read_pairs("korobeiniki")[1] for units, _note in notes)
        assert units == round(100 * 60_000 / 133 / tunes.UNIT_MS)

    def test_a_note_too_long_for_a_byte_continues_in_the_next_pair(self, score: Path) -> None:
        score.write_text(TUNE.replace("150", "50").replace("2/4", "3/4").replace("C4/4 D4/4", "C4/2 D4/4"))
        assert tunes.read_pairs("korobeiniki")[1] == [[(255, 25), (45, 25), (150, 27)]]
