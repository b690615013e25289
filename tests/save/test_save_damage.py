"""With any record that has a valid check sum, the handheld starts, and a restored game plays on."""

import random
import re
from pathlib import Path

import pytest

from firmware.engine import controls
from firmware.modes.catalogue import make_mode
from firmware.modes.listing import list_tables
from firmware.save.journal import SETTINGS, SUSPENDED, Journal
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Player, Recording
from firmware.save.scores import Table
from firmware.save.settings import Settings
from firmware.save.settings_fields import FIELDS
from firmware.save.varint import Numbers
from tests.support import kept
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Handheld
from tests.support.kept import chance_edges, chance_options, start_game
from tests.support.recorded import seal
from tests.support.records import packed, save
from tools import interpreters

pytestmark = pytest.mark.no_cover

CASE = Path(__file__).parents[1] / "portable" / "case_damage.py"
BUTTONS = 8


def damage(rng: random.Random, payload: bytes | bytearray) -> bytes:
    """Change a few bytes of a record, cut it off or make it longer."""
    damaged = bytearray(payload)
    for _ in range(rng.choice((1, 1, 2, 5))):
        damaged[rng.randrange(len(damaged))] = rng.choice((0, 1, 9, 127, 128, 255, rng.randrange(256)))
    if not rng.randrange(4):
        del damaged[rng.randrange(len(damaged)) :]
    if not rng.randrange(8):
        damaged += rng.randbytes(rng.randrange(1, 40))
    return bytes(damaged)


def power_on(kind: int, payload: bytes, first: str) -> Handheld:
    journal = Journal([RamStore()])
    assert save(journal, kind, payload)
    return Handheld(store=journal.stores, first=first)


def press_anything(rng: random.Random, handheld: Handheld, presses: int) -> None:
    for _ in range(presses):
        handheld.press(rng.randrange(BUTTONS), rng.choice((0, 10, 200)))
        handheld.step(16, rng.choice((1, 1, 4, 20)))


def play_recording(blob: bytes) -> str:
    """Play a recording to its end; return the line that refuses it, or nothing."""
    try:
        recording = Recording(blob)
        game = recording.game(make_mode(recording.variant))
        game.start(0)
        player = Player(recording, game)
        for t_ms in (0, 900, 20_000, 1 << 28):
            player.advance(t_ms)
    except ValueError as refusal:
        return str(refusal)
    return ""


class TestDamaged:
    @pytest.mark.long
    @pytest.mark.parametrize("records", [3000, 100_000])
    def test_suspended_game_of_any_numbers_plays_on_or_is_refused(self, records: int) -> None:
        script = CASE.read_text(encoding="utf-8")
        long_script, replaced = re.subn(r"(?m)^RECORDS = \d+$", f"RECORDS = {records}", script)
        assert replaced == 1
        count, _revived, _state = interpreters.run(interpreters.CPYTHON, long_script).last_line.split()
        assert int(count) == records

    def test_handheld_resumes_a_damaged_game_or_says_that_it_cannot(self) -> None:
        rng = random.Random("resume")
        resumed = 0
        for number in range(60):
            variant = number % 7
            options = chance_options(rng)
            options.aim = 1
            game = start_game(number, variant, options)
            for control, pressed, t_ms in chance_edges(rng, rng.randrange(60)):
                game.input(control, pressed, t_ms)
            payload = damage(rng, kept.packed(game, variant))
            handheld = power_on(SUSPENDED, payload, "play")
            if handheld.context.router.name != "menus.main":  # where it says so
                numbers = Numbers(payload, False)
                seed = [numbers.get() for _ in range(3)][2]  # after the format and the variant; it may be damaged
                assert handheld.game.seed == seed and not handheld.scene.is_playing()
                resumed += 1
            handheld.press(controls.PAUSE)
            press_anything(rng, handheld, 25)
        assert 5 < resumed < 55, "nothing was tested"

    def test_table_of_any_bytes_is_shown_and_takes_a_result(self) -> None:
        rng = random.Random("table")
        for number in range(60):
            at = number % (len(list_tables()))
            table = Table()
            for result in range(rng.randrange(6)):
                table.insert(0, b"ABC", 1 + result, rng.randrange(999), rng.randrange(300))
            payload = damage(rng, packed(table))
            handheld = power_on(list_tables()[at].kind, payload, "menus.title")
            handheld.open("menus.scores", (0, at), frames=3)
            table.restore(handheld.journal.read(list_tables()[at].kind))
            place = table.rank(1 << 33)
            if place >= 0:
                table.insert(place, b"ABC", 1 << 33, 1 << 33, 1 << 33)

    def test_settings_of_any_bytes_leave_a_handheld_that_can_be_used(self) -> None:
        rng = random.Random("settings")
        settings = Settings()
        for _ in range(60):
            for name, least, most, _default in FIELDS:
                setattr(settings, name, rng.randint(least, most))
            payload = damage(rng, packed(settings))
            handheld = power_on(SETTINGS, payload, "menus.title")
            assert len(handheld.settings.buttons) == BUTTONS
            press_anything(rng, handheld, 12)
            handheld.open("play")
            press_anything(rng, handheld, 6)

    def test_recording_of_any_numbers_plays_or_is_refused_in_one_line(self) -> None:
        rng = random.Random("recording")
        played = 0
        for number in range(600):
            recorder = Recorder(400)
            variant = number % 7
            recorder.begin_game(variant, number, chance_options(rng))
            for control, pressed, t_ms in chance_edges(rng, 40):
                recorder.record_edge(control, pressed, t_ms)
            body = bytearray(recorder.recorded(20_000)[:-4])
            for _ in range(rng.randrange(1, 4)):
                body[rng.randrange(4, len(body))] = rng.choice((0, 1, 4, 127, 128, 255, rng.randrange(256)))
            line = play_recording(seal(bytes(body)))
            assert "\n" not in line
            played += not line
        assert 120 < played < 560, "nothing was tested"
