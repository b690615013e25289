"""The modules of firmware/sound/ are what tools/assets/tunes.py makes of the scores in tools/art/."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware.sound import voice
from tools.assets import tunes

NOTES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
TUNE = "title A tune\nmetre 2/4\ntempo 150\norder A\n\n= A\nC4/4 D4/4\n"


def note_name(number: int) -> str:
    """Return a note as it is written in a score."""
    return f"{NOTES[(number - 1) % 12]}{(number - 1) // 12 + 2}" if number else "-"


@pytest.mark.parametrize("name", tunes.NAMES)
def test_the_committed_module_is_current(name: str) -> None:
    assert (tunes.SOUND / f"{name}.py").read_text(encoding="utf-8") == tunes.render(name)


def test_check_finds_a_module_that_is_not_current(tmp_path: Path, monkeypatch, capsys) -> None:
    assert tunes.main(["--check"]) == 0
    monkeypatch.setattr(tunes, "SOUND", tmp_path)
    assert tunes.main(["--check"]) == 1
    assert "is not current" in capsys.readouterr().err
    assert tunes.main([]) == 0
    assert tunes.main(["--check"]) == 0


def test_the_voice_plays_the_tunes_that_are_made() -> None:
    assert (*voice.TUNES, tunes.EFFECTS) == tunes.NAMES


def test_both_agree_on_what_a_note_is() -> None:
    for note in range(1, 73):
        assert tunes.pitch_hz(note) == pytest.approx(voice.pitch_hz(note), abs=1)


@pytest.mark.parametrize(
    ("name", "bars", "length_ms"),
    [("korobeiniki", 24, 38_400), ("minuet", 32, 46_080), ("mountain_king", 24, 42_240)],
)
def test_a_tune_is_as_long_as_its_bars(name: str, bars: int, length_ms: int) -> None:
    score, pairs = tunes.read_pairs(name)
    assert len(score.bars) == bars
    assert sum(units for bar in pairs for units, _note in bar) * tunes.UNIT_MS == length_ms


def test_13_3_korobeiniki_is_set_as_it_is_sung() -> None:
    """The notes, and their lengths in eighths of the bar."""
    score = tunes.read_score("korobeiniki")
    eighth_ms = 200
    sung = [
        " ".join(f"{note_name(note.number)}.{note.length_ms / eighth_ms}" for note in notes)
        for _label, notes in score.bars[:8]
    ]
    assert sung == [
        "E5.2 B4.1 C5.1 D5.2 C5.1 B4.1",
        "A4.2 A4.1 C5.1 E5.2 D5.1 C5.1",
        "B4.3 C5.1 D5.2 E5.2",
        "C5.2 A4.2 A4.2 -.2",
        "-.1 D5.2 F5.1 A5.2 G5.1 F5.1",
        "E5.3 C5.1 E5.2 D5.1 C5.1",
        "B4.2 B4.1 C5.1 D5.2 E5.2",
        "C5.2 A4.2 A4.2 -.2",
    ]


def test_the_slow_strain_is_made_of_the_songs_own_motifs() -> None:
    """Head of A at half its speed, then a fifth below; head of B an octave below; the cadence as it is sung."""
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
    assert slow[6:] == a[2:] != b[2:]
    assert b[3] == a[3]


def test_the_minuet_stays_in_its_key() -> None:
    """G major, with the C sharp of its turn to D major."""
    names = {note_name(note.number)[:-1] for _label, notes in tunes.read_score("minuet").bars for note in notes}
    assert names == {"G", "A", "B", "C", "D", "E", "F#", "C#"}


def test_the_mountain_king_repeats_his_theme_a_fifth_higher() -> None:
    bars = [notes for _label, notes in tunes.read_score("mountain_king").bars]
    major = [7, 7, 8, 7, 7, 8, 7]  # the third is B minor's, then F sharp major's
    assert [after.number - note.number for note, after in zip(bars[0], bars[4], strict=True)] == major


@pytest.mark.parametrize("name", tunes.NAMES[:-1])
def test_no_two_notes_of_the_same_pitch_run_into_one(name: str) -> None:
    pairs = [pair for bar in tunes.read_pairs(name)[1] for pair in bar]
    for (_units, note), (_after, following) in zip(pairs, pairs[1:] + pairs[:1], strict=True):
        assert not note or note != following


def write(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str = "korobeiniki") -> None:
    monkeypatch.setattr(tunes, "ART", folder)
    (folder / f"{name}.tune").write_text(text, encoding="utf-8")


def test_lengths_do_not_drift_at_a_tempo_that_is_no_whole_number_of_units(tmp_path: Path, monkeypatch) -> None:
    bar = "C4/8 D4/8 C4/8 D4/8\n"
    write(tmp_path, monkeypatch, TUNE.replace("150", "133").replace("C4/4 D4/4\n", bar * 50))
    units = sum(units for notes in tunes.read_pairs("korobeiniki")[1] for units, _note in notes)
    assert units == round(100 * 60_000 / 133 / tunes.UNIT_MS)


def test_a_note_longer_than_a_byte_tells_goes_on_in_the_next(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, monkeypatch, TUNE.replace("150", "50").replace("2/4", "3/4").replace("C4/4 D4/4", "C4/2 D4/4"))
    pairs = tunes.read_pairs("korobeiniki")[1]
    assert pairs == [[(255, 25), (45, 25), (150, 27)]]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("C4/4", "H4/4", "line 7: 'H4/4' is not a note"),
        ("C4/4", "C8/4", "line 7: 'C8/4' is not a note"),
        ("C4/4", "C4/3", "line 7: 'C4/3' is not a note"),
        ("C4/4", "C4/2", "bar 1 (A) is 1.5 of a bar"),
        ("C4/4 D4/4", "Cb2/4 D4/4", "line 7: 'Cb2/4' is not within 60 to 5000 Hz"),
        ("C4/4 D4/4", "C4:3 D4:797", "a note of 3 ms is too short"),
        ("order A", "order A B", "'B' is not written"),
        ("tempo 150", "tempo fast", "line 3: what is 'tempo fast'?"),
        ("tempo 150\n", "", "line 3: what is 'order A'?"),
        ("metre 2/4\n", "", "line 3: what is 'order A'?"),
        ("order A\n", "", "no notes"),
        ("title A tune\n", "", "no title"),
        ("C4/4 D4/4\n", "C4/4 D4/4\n= A\n", "line 8: 'A' is written twice"),
    ],
)
def test_a_score_that_is_wrong_is_told_in_one_line(
    tmp_path: Path, monkeypatch, capsys, before: str, after: str, told: str
) -> None:
    write(tmp_path, monkeypatch, TUNE.replace(before, after))
    assert tunes.main(["--check"]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_an_effect_of_no_event_is_told(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, monkeypatch, "title Effects\n= SNEEZED\nC4:16\n", "effects")
    with pytest.raises(tunes.TuneError, match="there is no event 'SNEEZED'"):
        tunes.render("effects")


def test_too_many_notes_in_the_effects_are_told(tmp_path: Path, monkeypatch) -> None:
    write(tmp_path, monkeypatch, "title Effects\n= MOVED\n" + "C4:16 " * 128, "effects")
    with pytest.raises(tunes.TuneError, match="257 bytes"):
        tunes.render("effects")


def test_a_score_that_is_not_there_is_told(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(tunes, "ART", tmp_path)
    assert tunes.main(["--check"]) == 2
    assert capsys.readouterr().err.startswith("tools.assets.tunes: ")
