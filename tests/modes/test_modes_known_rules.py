"""Each mode declares the rules that it knows (firmware/modes/README.md, 17): others are refused, or harmless."""

import re

import pytest

from firmware.engine import controls
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.modes.catalogue import DAILY, FINESSE, MARATHON, PUZZLE, ZEN, find, make_mode
from firmware.modes.classes import choose_options
from firmware.modes.finesse import Finesse
from firmware.modes.listing import list_choices
from firmware.modes.rules import find_rules
from firmware.modes.slow import can_be_slow
from firmware.option_table import GAME_FIELDS, list_extras
from firmware.save import rules, rules_line
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.rules import MATCH, OPTIONS, knows
from firmware.save.settings import Settings
from sim.library import MODES
from tests.support.drill import choose
from tests.support.handhelds.pauses import begin_game
from tests.support.recorded import play

EXTRAS = list_extras()[0]
VARIANTS = sorted(int(record[b"mode"].split()[0]) for record in MODES.values())
PLAYED = [variant for variant in VARIANTS if variant != PUZZLE]  # a puzzle begins from its own file
UNKNOWN = [(variant, name) for variant in PLAYED for name in EXTRAS if not knows(find(variant), name)]
PLACES = {option[1]: option[0] for option in OPTIONS}
ISSUE = "SKY1-DC1S5-H2V9K-4"  # FINESSE with Starting Blocks


def make(variant: int, **options: int) -> Game:
    chosen = choose(Options(), **options)
    mode = make_mode(variant)
    game = find_rules(mode, chosen)(1, chosen, mode)
    game.start(0)
    game.advance(0)
    return game


def drop(game: Game, column: int, turns: int) -> None:
    """Turn the Tetrimino in play, move it to a column counted from the left wall, and drop it."""
    for _ in range(40):
        if not game.piece:
            game.advance(game.now_ms + 100)
    for control in [controls.ROTATE_CW] * turns + [controls.LEFT] * 7 + [controls.RIGHT] * column:
        for pressed in (1, 0):
            game.input(control, pressed, game.now_ms + 20)
    game.input(controls.HARD_DROP, 1, game.now_ms + 20)
    game.input(controls.HARD_DROP, 0, game.now_ms + 20)
    for _ in range(8):
        game.advance(game.now_ms + 500)


def count_blocks(game: Game) -> int:
    return sum(map(bool, b"".join(game.matrix.rows)))


class TestRecords:
    def test_the_rules_that_modes_know_are_those_that_options_txt_marks(self) -> None:
        words = {word for record in MODES.values() for word in record[b"knows"].decode().split()}
        assert words - {"nothing"} == set(list_extras()[1].decode().split())
        assert {name for name, *_rest in GAME_FIELDS} > set(EXTRAS)

    def test_a_mode_knows_slow_play_if_its_games_can_be_slow(self) -> None:
        slow = [variant for variant in PLAYED if knows(find(variant), "slow")]
        assert slow == [MARATHON, ZEN] == [variant for variant in PLAYED if can_be_slow(make_mode(variant))]

    @pytest.mark.parametrize("variant", PLAYED)
    def test_a_mode_offers_several_aims_only_if_it_knows_the_aim(self, variant: int) -> None:
        record = find(variant)
        aims = [word for word in record if re.fullmatch(rb"aim \d+", word)]
        assert not aims or knows(record, "aim")


class TestRefused:
    def test_the_line_of_finesse_with_blocks_is_refused_by_name(self) -> None:
        with pytest.raises(ValueError, match=r"^finesse has no rule BLOCKS$"):
            rules.check(rules_line.read(ISSUE))

    @pytest.mark.parametrize(("variant", "name"), UNKNOWN)
    def test_a_line_with_a_rule_that_the_mode_does_not_know(self, variant: int, name: str) -> None:
        with pytest.raises(ValueError, match=r"^[a-z-]+ has no rule [A-Z]+$"):
            rules.check([1 + variant, 1 + PLACES[name], 1])

    @pytest.mark.parametrize("name", ["garbage_rows", "aim", "modern", "slow", "invisible"])
    def test_a_line_of_a_match_with_a_rule_of_games(self, name: str) -> None:
        with pytest.raises(ValueError, match=r"^match has no rule [A-Z]+$"):
            rules.check([MATCH, 1 + PLACES[name], 1])


class TestHarmless:
    @pytest.mark.parametrize("variant", PLAYED)
    def test_settings_reach_a_game_only_where_its_mode_knows_them(self, variant: int) -> None:
        settings = Settings()
        for name in EXTRAS:
            setattr(settings, name, 1)
        options = choose_options(settings, find(variant))
        usual = Options()
        for name in EXTRAS:
            assert getattr(options, name) == (1 if knows(find(variant), name) else getattr(usual, name)), name

    def test_a_daily_game_begins_without_the_blocks_of_the_last_game(self) -> None:
        game = begin_game(DAILY, garbage_rows=5, generation_ms=0, slow=2, modern=7).game
        assert not game.matrix.top and game.options.generation_ms == 200

    @pytest.mark.parametrize("variant", PLAYED)
    def test_a_line_of_the_current_rules_holds_only_what_the_mode_knows(self, variant: int) -> None:
        settings = Settings()
        for name in EXTRAS:
            setattr(settings, name, 1)
        aims = [choice.aim for choice in list_choices([find(variant)]) if choice.aim]
        settings.variant, settings.aim = variant, aims[0] if aims else 1
        values = rules.check(rules.collect(settings, False))
        assert values.keys() == {PLACES[name] for name in EXTRAS if knows(find(variant), name)}

    def test_a_recording_of_finesse_with_blocks_plays(self) -> None:
        game = make(FINESSE, garbage_rows=5)
        recorder = Recorder(4096)
        recorder.begin_game(FINESSE, game.seed, game.options)
        for control in (controls.LEFT, controls.HARD_DROP, controls.HARD_DROP):
            for pressed in (1, 0):
                recorder.record_edge(control, pressed, recorder.last_ms + 300)
        again, _trace = play(Recording(recorder.recorded(5000)))
        assert again.lock_downs == 2


class TestEnds:
    """Every mode plays with every rule at its ends, also those that no menu and no line offers."""

    @pytest.mark.parametrize("variant", PLAYED)
    def test_first_drops_into_gaps_of_blocks(self, variant: int) -> None:
        for rows in (1, 15):
            for column in range(10):
                for turns in range(4):
                    game = make(variant, garbage_rows=rows)
                    drop(game, column, turns)
                    assert game.lock_downs or game.over

    @pytest.mark.no_cover
    @pytest.mark.parametrize("variant", PLAYED)
    @pytest.mark.parametrize("field", GAME_FIELDS, ids=lambda field: field[0])
    def test_each_option_at_its_ends(self, variant: int, field: tuple[str, int, int, int]) -> None:
        for value in field[1:3]:
            self.play(make(variant, **{field[0]: value}))

    @pytest.mark.parametrize("variant", PLAYED)
    def test_all_options_at_their_ends(self, variant: int) -> None:
        least = {name: value for name, value, _most, _default in GAME_FIELDS}
        most = {name: value for name, _least, value, _default in GAME_FIELDS}
        for ends in (least, most, most | {"garbage_rows": 0}):  # 15 rows end some games at once
            self.play(make(variant, **ends))

    def play(self, game: Game) -> None:
        blocks = count_blocks(game)
        for column, turns in ((0, 0), (4, 1), (9, 3), (3, 2)):
            drop(game, column, turns)
        assert game.lock_downs or game.over
        lines = sum(number * (kind % 5) for kind, number in enumerate(game.statistics.kinds))
        if not isinstance(game.mode, Finesse):  # it empties the Matrix
            assert count_blocks(game) >= blocks + 4 * game.lock_downs - 10 * lines, "no Mino is lost"
