"""Openers (firmware/modes/README.md 15): their proofs, the bags that allow them, and the trainer on the handheld."""

import functools
import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from py_fumen_py import decode

from firmware.engine.game import AIM_REACHED
from firmware.modes.lessons import opener_file
from firmware.modes.opener import HOLD, NONE, ORDERS, PLACE
from firmware.save.journal import OPENERS as KIND
from firmware.save.puzzles import Progress
from firmware.scenes.learn.opener_stop import find
from firmware.view.art import FONT_3X5, FONT_5X7
from firmware.view.canvas import text_width
from sim.bots.places import Place, Places, cells_of, play_steps
from tests.support.flash import RamStore
from tests.support.handhelds.command_lines import refused
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.lesson import Lesson, unpack_step
from tests.support.handhelds.pauses import DOWN, LEFT, RIGHT, START, UP, A, B
from tests.support.handhelds.pauses import HOLD as HOLD_BUTTON
from tools.openers import __main__ as command
from tools.openers import packing, proof, steps, text
from tools.puzzles.solver import solve
from tools.puzzles.text import CLEAR_ALL, LETTERS, Puzzle

SOURCES = text.read()
NAMES = {source.name: number for number, source in enumerate(SOURCES)}
BAGS = ["".join(LETTERS[piece] for piece in opener_file.deal(order)) for order in range(ORDERS)]
TKI = NAMES["TKI"]
PICTURE = "SS........\n.SS.......\n"
PACKED: dict[str, bytes] = {}


def order_of(bag: str) -> int:
    return BAGS.index(bag)


def orders(name: str, mirrored: int = 0) -> frozenset[int]:
    return packing.find_orders(SOURCES[NAMES[name]], mirrored)


def parse(tmp_path: Path, words: str) -> list[text.Opener]:
    path = tmp_path / "openers.txt"
    path.write_text(words, encoding="utf-8")
    return text.read(path)


def pack_once(openers: list[text.Opener]) -> bytes:
    """Pack openers; equal ones only once, which takes seconds."""
    found = PACKED.get(repr(openers)) or packing.pack_all(openers)
    return PACKED.setdefault(repr(openers), found)


class TestDefinitions:
    def test_there_are_ten_openers_and_each_names_its_source(self) -> None:
        assert len(SOURCES) >= 10 and all(source.source for source in SOURCES)

    @pytest.mark.slow
    def test_opener_file_matches_its_text_and_fits_4_kilobytes(self) -> None:
        packed = packing.TARGET.read_bytes()
        assert packed == pack_once(SOURCES) and len(packed) <= 4096

    @pytest.mark.parametrize("name", NAMES)
    def test_attacks_are_those_of_the_engine(self, name: str) -> None:
        source = SOURCES[NAMES[name]]
        for side in (source, steps.mirror(source)):
            assert steps.find_shown(side)

    def test_a_lock_down_at_any_height_can_be_asked_for_its_attack(self) -> None:
        assert not steps.attacks_with((), Place(0, 0, 12, 0, 0), frozenset({(0, 12)}), "single")

    def test_a_wrong_attack_is_refused(self) -> None:
        wrong = replace(SOURCES[TKI], bag=replace(SOURCES[TKI].bag, attacks=("t-spin triple",)))
        with pytest.raises(text.OpenerError, match="TKI: its T is no t-spin triple"):
            steps.find_ready(wrong)

    def test_mirror_of_the_mirror_is_the_opener(self) -> None:
        for source in SOURCES:
            twice = steps.mirror(steps.mirror(source))
            assert (twice.bag.cells, twice.required) == (source.bag.cells, source.required)

    def test_fumen_has_the_first_bag_on_its_pages(self) -> None:
        from tools.openers.fumen import link

        source = SOURCES[NAMES["DT CANNON"]]
        pages = decode(link(source).partition("?")[2])
        assert len(pages) == len(steps.find_shown(source))
        filled = {(x, y) for x in range(10) for y in range(6) if pages[7].field.at(x, y).name != "_"}
        assert filled == set().union(*source.bag.cells.values())

    def test_names_and_words_fit_the_screen(self) -> None:
        for record in opener_file.read():
            name, *words = opener_file.describe(record)
            assert text_width(name, FONT_5X7) <= 62 and text_width(name, FONT_3X5) <= 44
            assert all(text_width(line, FONT_3X5) <= 64 for line in words)

    def test_unknown_opener_raises_value_error(self) -> None:
        with pytest.raises(ValueError, match="there is no opener 99 in this version"):
            opener_file.fetch(98)


class TestCover:
    """15.1: which bags allow an opener."""

    def test_every_order_of_the_bag_is_numbered_once(self) -> None:
        assert len(set(BAGS)) == ORDERS and all(len(set(bag)) == 7 for bag in BAGS)

    @pytest.mark.parametrize(
        ("name", "early", "late"), [("DT JZ BASE", "J", "IOSTZL"), ("GAMUSHIRO", "J", "L"), ("MOUNTAIN 2", "J", "L")]
    )
    def test_orders_that_the_source_names_are_covered(self, name: str, early: str, late: str) -> None:
        said = {order for order, bag in enumerate(BAGS) if all(bag.index(early) < bag.index(letter) for letter in late)}
        assert said <= orders(name)

    def test_tki_with_its_mirror_covers_half_of_all_bags(self) -> None:
        both = orders("TKI") | orders("TKI", 1)
        assert round(100 * len(both) / ORDERS) == 49

    def test_sides_cover_mirrored_orders(self) -> None:
        turned = str.maketrans("JLSZ", "LJZS")
        for name in NAMES:
            assert {BAGS[at].translate(turned) for at in orders(name)} == {BAGS[at] for at in orders(name, 1)}

    def test_some_opener_covers_every_bag(self) -> None:
        assert len(set().union(*(orders(name, side) for name in NAMES for side in (0, 1)))) == ORDERS

    def test_covered_orders_are_those_of_a_plain_search(self) -> None:
        """A search without tricks: every choice of Hold, each piece by the engine's places."""
        source = SOURCES[NAMES["HACHISPIN"]]
        ready = steps.find_common_ready(source)

        def succeeds(bag: str, kept: str, built: int, locked: bool) -> bool:
            if built == 127:
                return True
            if not bag:
                return bool(kept) and succeeds(kept, "", built, True)
            bit = steps.bit_of(bag[0])
            if ready[built] & bit and succeeds(bag[1:], kept, built | bit, False):
                return True
            if locked:
                return False
            return succeeds(kept + bag[1:], bag[0], built, True)

        for order in range(0, ORDERS, 7):
            assert succeeds(BAGS[order], "", 0, False) is (order in orders("HACHISPIN")), BAGS[order]

    @pytest.mark.long
    @pytest.mark.parametrize(("dropped", "said"), [(True, 514), (False, 711)])
    def test_pco_is_followed_by_as_many_all_clears_as_its_source_says(self, dropped: bool, said: int) -> None:
        """Hard Drop: of 840 beginnings of the second bag, 514 clear all, and 711 if I waits in Hold."""
        cells = SOURCES[NAMES["PCO"]].bag.cells
        masks = steps.to_masks(frozenset().union(*(cells[letter] for letter in cells if dropped or letter != "I")))
        solved = 0
        for queue in itertools.permutations(range(1, 8), 4):
            puzzle = Puzzle("PCO", CLEAR_ALL, 0, 1, masks, queue, 0 if dropped else LETTERS.index("I"))
            solved += solve(puzzle, 1).unique
        assert solved == said

    @pytest.mark.parametrize("number", range(2 * len(SOURCES)))
    def test_every_step_of_covered_orders_replays_press_by_press(self, number: int) -> None:
        assert proof.prove(number, 499) > 0

    @pytest.mark.long
    @pytest.mark.parametrize("number", range(2 * len(SOURCES)))
    def test_every_step_of_every_covered_order_replays(self, number: int) -> None:
        assert proof.prove(number, 1) == len(packing.find_orders(SOURCES[number // 2], number % 2))


def find_target(game: Any) -> frozenset[tuple[int, int]]:
    """Return the cells of the place of the Tetrimino in play."""
    _piece, *place = unpack_step(game.mode.places[game.piece])
    return cells_of(game.piece, *place)


class Trainer:
    """A game of an opener, played by button edges."""

    def __init__(self, name: str, bag: str, mirrored: int = 0) -> None:
        self.game = proof.begin(2 * NAMES[name] + mirrored, order_of(bag))
        self.mode: Any = self.game.mode

    def hold(self) -> int:
        self.game.input(HOLD_BUTTON, 1, self.game.now_ms)
        self.game.input(HOLD_BUTTON, 0, self.game.now_ms)
        return self.mode.advise(self.game)

    def place(self) -> None:
        play_steps(self.game, Places(self.game).steps_into(find_target(self.game)))
        self.game.advance(self.game.now_ms + 2000)


class TestRules:
    """firmware/modes/README.md 15."""

    def test_15_6_a_tetrimino_beside_its_place_is_wrong(self) -> None:
        trainer = Trainer("TKI", "IZLSOJT")
        trainer.game.input(LEFT, 1, trainer.game.now_ms)
        trainer.game.input(UP, 1, trainer.game.now_ms)
        trainer.game.advance(trainer.game.now_ms + 2000)
        assert trainer.game.over not in (0, AIM_REACHED) and not trainer.mode.there

    def test_15_6_a_place_that_bars_the_rest_is_wrong(self) -> None:
        """The J would bar the way of the Z."""
        trainer = Trainer("TKI", "OIJLSTZ")
        trainer.place()
        trainer.place()
        assert trainer.mode.advise(trainer.game) == HOLD and not trainer.game.over
        trainer.place()
        assert trainer.game.over not in (0, AIM_REACHED) and trainer.mode.there

    def test_15_6_a_hold_that_bars_the_rest_is_wrong(self) -> None:
        trainer = Trainer("TKI", "ITZLSOJ")
        assert trainer.mode.advise(trainer.game) == PLACE and trainer.hold() == NONE

    def test_15_6_another_right_order_counts(self) -> None:
        """Hold first although the mark says to place the Tetrimino."""
        trainer = Trainer("GAMUSHIRO", "OJZTSIL")
        assert trainer.mode.advise(trainer.game) == PLACE and trainer.hold() != NONE
        while not trainer.game.over:
            if trainer.mode.advise(trainer.game) == HOLD:
                trainer.hold()
            trainer.place()
        assert trainer.game.over == AIM_REACHED

    def test_15_1_the_t_of_an_attack_comes_last(self) -> None:
        trainer = Trainer("TKI", "TIZLSOJ")
        assert trainer.mode.advise(trainer.game) == HOLD
        trainer.hold()
        while trainer.game.lock_downs < 5:
            trainer.place()
        assert LETTERS[trainer.game.hold] == "T"
        trainer.hold()
        trainer.place()
        assert trainer.game.lines == 2 and trainer.game.statistics.kinds[12] == 1

    def test_15_1_a_tetrimino_without_a_place_stays_in_hold(self) -> None:
        game = proof.build(2 * NAMES["MKO"], order_of("TJLISOZ"))
        assert game and LETTERS[game.hold] == "T" and game.lock_downs == 6


class Console(Lesson):
    def enter(self, number: int, ways: int, bag: str) -> None:
        self.session.seed = order_of(bag)
        self.open("learn.opener_play", number + 64 * ways, frames=4)
        self.step(frames=24)

    def is_at(self, row: int) -> bool:
        """Return whether the Tetrimino in play has fallen to a row."""
        return self.game.y <= row

    def still(self, name: str) -> None:
        """Compare the picture while the mark is lit."""
        if hasattr(self.scene.view, "frames"):
            self.scene.view.frames = 0
        self.step(0)
        self.compare(name)

    def build(self) -> None:
        while not self.scene.state:
            if self.game.mode.advise(self.game) == HOLD:
                self.tap_and_wait(HOLD_BUTTON)
                continue
            row = self.game.y
            for rows, button in Places(self.game).steps_into(find_target(self.game)):
                row -= rows
                if rows:
                    self.move(DOWN, 1, 1)
                    self.wait_until(functools.partial(self.is_at, row), 1)
                    self.move(DOWN, 0, 0)
                self.tap(button)
                row = self.game.y
            self.step(frames=40)


@pytest.fixture
def console() -> Console:
    return Console()


class TestScenes:
    def test_learn_leads_to_the_list_and_to_three_ways(self, console: Console) -> None:
        assert console.follow(*[DOWN] * 6, A) == "learn.opener_menu"
        console.step()
        console.compare("openers")
        console.follow(RIGHT, DOWN)
        console.compare("openers_mirror")
        assert console.follow(A) == "learn.opener_ways_menu"
        console.step()
        console.compare("opener_ways")
        assert console.follow(B) == "learn.opener_menu" and console.scene.mirrored == 1
        assert (console.follow(B), console.scene.at) == ("learn.menu", 6)

    def test_15_2_each_step_is_shown_and_can_be_taken_back(self, console: Console) -> None:
        console.open("learn.opener_show", 2 * NAMES["DT CANNON"], frames=4)
        console.tap(*[A] * 13)
        console.still("opener_show")
        console.tap(RIGHT)
        console.still("opener_show_double")
        console.tap(LEFT)
        console.still("opener_show")
        console.tap(A, A)
        assert console.game.lines == 5 and console.follow(A) == "learn.opener_ways_menu"
        console.open("learn.opener_show", 0, frames=4)
        assert console.follow(B) == "learn.opener_ways_menu"

    @pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.every)], ids=["some", "every"])
    def test_15_2_every_step_to_show_ends_in_the_attacks(self, console: Console, every: bool) -> None:
        """On one side of each opener, or on every side."""
        lines = {"single": 1, "double": 2, "triple": 3, "all": 4}
        for number in range(2 * len(SOURCES)) if every else [2 * at + at % 2 for at in range(len(SOURCES))]:
            source = SOURCES[number // 2]
            attacks = [*source.bag.attacks, *(source.following.attacks if source.following else ())]
            console.open("learn.opener_show", number, frames=2)
            console.tap(*[A] * len(console.scene.steps))
            assert console.game.lines == sum(lines[attack.split()[-1]] for attack in attacks), source.name

    def test_15_5_marks_show_the_place_or_say_hold_it(self, console: Console) -> None:
        console.enter(2 * TKI, 1, "TIZLSOJ")
        console.still("opener_hold_it")
        console.tap_and_wait(HOLD_BUTTON)
        console.still("opener_marks")

    def test_15_6_wrong_steps_are_told_at_once_and_taken_back(self, console: Console) -> None:
        console.enter(2 * TKI, 2, "ITZLSOJ")
        console.tap(LEFT, UP)
        assert console.scene.word == b"NOT THERE" and console.game.lock_downs == 0
        console.step(frames=24)
        console.still("opener_not_there")
        console.tap(HOLD_BUTTON)
        assert console.scene.word == b"NO HOLD" and console.game.hold == 0
        console.step(frames=24)
        assert LETTERS[console.game.piece] == "I" and console.game.mode.advise(console.game) == PLACE

    def test_15_6_a_place_too_early_is_told(self, console: Console) -> None:
        console.enter(2 * TKI, 2, "IZLSTOJ")
        console.tap_and_wait(UP)
        console.game.mode.find = lambda *_: NONE
        console.tap(UP)
        assert console.scene.word == b"NOT YET" and console.game.lock_downs == 1

    def test_15_4_another_opener_is_named_if_the_bag_bars_it(self, console: Console) -> None:
        bag = BAGS[min(orders("TKI", 1) - orders("TKI"))]
        console.enter(2 * TKI, 2, bag)
        assert console.scene.number == 2 * TKI + 1
        console.compare("opener_barred")
        console.step(frames=63)
        console.tap_and_wait(A)
        console.build()
        assert console.game.over == AIM_REACHED

    def test_15_4_bag_that_bars_both_sides_gets_another_opener(self, console: Console) -> None:
        bag = BAGS[min(set(range(ORDERS)) - orders("TKI") - orders("TKI", 1))]
        console.enter(2 * TKI, 1, bag)
        assert console.scene.number // 2 != TKI
        console.step(frames=63)
        console.session.seed = order_of("IZLSOJT")
        console.tap_and_wait(RIGHT)
        assert console.scene.number == 2 * TKI and not console.scene.state

    def test_15_4_the_mirror_or_the_first_that_the_bag_allows_follows(self) -> None:
        allowed = [orders(source.name, side) for source in SOURCES for side in (0, 1)]
        for chosen in range(0, len(allowed), 5):
            for order in range(chosen, ORDERS, 701):
                wanted = [chosen, chosen ^ 1, *range(len(allowed))]
                fit = [number for number in wanted if order in allowed[number]]
                assert find(order, chosen) == (fit[0] if fit else chosen)

    def test_15_7_streak_without_marks_is_kept(self) -> None:
        store = RamStore()
        console = Console(store)
        console.enter(2 * TKI, 2, "IZLSOJT")
        for streak in (1, 2):
            console.build()
            assert console.scene.streak == streak
            console.step(frames=63)
            console.session.seed = order_of("LIZSOJT")
            if streak == 1:
                console.tap_and_wait(A)
        console.compare("opener_built")
        assert list(Progress(2 * len(SOURCES), Console(store).journal.read(KIND)).tries)[:2] == [2, 0]
        console.tap_and_wait(START)
        console.build()
        assert console.scene.streak == 2, "the same bag again does not count"

    def test_15_7_a_wrong_step_ends_the_streak(self, console: Console) -> None:
        console.enter(2 * TKI, 2, "IZLSOJT")
        console.scene.streak = 4
        console.tap_and_wait(LEFT, UP)
        console.build()
        assert console.scene.streak == 0

    def test_15_7_marks_do_not_count(self, console: Console) -> None:
        console.enter(2 * TKI, 1, "IZLSOJT")
        console.build()
        assert console.scene.streak == 0 and not len(console.journal.read(KIND))

    def test_pause_turns_marks_on_and_takes_back(self, console: Console) -> None:
        console.enter(2 * TKI, 2, "IZLSOJT")
        console.tap_and_wait(UP)
        console.hold(START, 48)
        console.compare("opener_pause")
        console.tap_and_wait(RIGHT)
        assert console.scene.shown and not console.scene.state
        console.hold(START, 48)
        console.tap_and_wait(LEFT)
        assert console.game.lock_downs == 0
        console.hold(START, 48)
        assert console.follow(B) == "learn.opener_ways_menu" and console.scene.at == 1

    def test_openers_are_playable_without_a_store(self) -> None:
        console = Handheld(first="learn.menu")
        console.session.seed = order_of("IZLSOJT")
        console.open("learn.opener_play", 128, frames=30)
        console.tap(UP)
        console.step(frames=60)
        assert console.game.lock_downs == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (f"= a name\nfrom X\nwords A\nbag\n{PICTURE}", "a name: a name has 1 to 10 capitals"),
        (f"= A\nfrom X\nwords no\nbag\n{PICTURE}", "A: words are 1 to 2 lines"),
        ("= A\nfrom X\nwords A\nbag\n", "A: there is no source or no picture"),
        (f"= A\nfrom X\nwords A\nbag win\n{PICTURE}", "A: 'win' is none of"),
        ("= A\nfrom X\nwords A\nbag\nSS\n", "A: row 'SS' is not 10 dots"),
        ("= A\nfrom X\nwords A\nbag\nSSSS......\n", "A: the cells S of a picture"),
        (f"= A\nfrom X\nwords A\nbag\n{PICTURE}next clear all: TQ\n", "A: 'TQ' is no queue"),
        ("", "it has no opener"),
    ],
)
def test_bad_text_is_reported_in_one_line(tmp_path: Path, words: str, why: str) -> None:
    with pytest.raises(text.OpenerError, match=why) as caught:
        parse(tmp_path, words)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("next t-spin triple: ZT\n", "A: ZT leads to no t-spin triple"),
        ("next t-spin double\nXXXX......\n", "A: the X of its second picture"),
        ("next t-spin double\n.....OO...\nXX...OO...\n.XX.......\n", "A: its Tetriminos cannot get"),
    ],
)
def test_an_impossible_second_bag_is_refused(tmp_path: Path, words: str, why: str) -> None:
    source = parse(tmp_path, "= A\nfrom X\nwords A\nbag\nZZ........\n.ZZ.......\n" + words)[0]
    with pytest.raises(text.OpenerError, match=why):
        steps.find_shown(source)


class TestCommand:
    @pytest.mark.slow
    def test_cover_prints_the_table_of_the_page(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command.main(["cover"]) == 0
        assert capsys.readouterr().out in command.README.read_text(encoding="utf-8")

    def test_show_prints_each_step_and_a_fumen(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert command.main(["show", "tki", "--mirror"]) == 0
        shown = capsys.readouterr().out
        assert "7. T S, T-Spin 2" in shown and "v115@" in shown and "four.lol" in shown

    def test_unknown_name_is_reported_in_one_line(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "there is no opener 'x'" in refused(capsys, "show", "x", program="tools.openers", run=command.main)

    def test_check_reports_a_packed_file_of_other_openers(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(command, "TARGET", tmp_path / "openers.bin")
        monkeypatch.setattr(command, "prove", lambda number, stride: 1)
        monkeypatch.setattr(command, "pack_all", pack_once)
        assert command.main(["check"]) == 1 and "is not current" in capsys.readouterr().err
        assert command.main(["build"]) == command.main(["check"]) == 0
