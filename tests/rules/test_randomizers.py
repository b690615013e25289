"""Dealers other than the bag of seven: firmware/modes/README.md, 20."""

import itertools
from collections.abc import Iterator
from typing import Any

import gymnasium
import pytest

from firmware.engine.dealers import DOUBLE_BAG, HISTORY, MEMORYLESS, TWO_BAGS, Dealer, begin
from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.engine.randomizer import Bag, Random
from firmware.modes.catalogue import DAILY, FINESSE, MARATHON, SPRINT, ULTRA, WORST, ZEN, find
from firmware.modes.classes import OTHER, UNRANKED, find_class
from firmware.modes.listing import name_class
from firmware.save import rules, rules_line
from firmware.save.recorder import Recorder
from firmware.save.recordings.recording import Recording
from firmware.save.scores import find_kind
from firmware.save.settings import Settings
from firmware.scenes.link import start as link_start
from tests.support import kept
from tests.support.drill import choose
from tests.support.handhelds.arcade import Arcade
from tests.support.handhelds.handheld import Handheld
from tests.support.handhelds.menus import RIGHT, A
from tests.support.handhelds.pauses import begin_game
from tests.support.recorded import PATHS
from tests.support.running import loads

KINDS = (DOUBLE_BAG, TWO_BAGS, HISTORY, MEMORYLESS)
I, J, L, O, S, T, Z = range(1, 8)  # noqa: E741  # the letters of the Tetriminos
DOWN = 2


class Dice:
    """Give written numbers instead of drawing them, and check what was asked for."""

    def __init__(self, rolls: list[tuple[int, int]]) -> None:
        self.rolls = rolls

    def below(self, count: int) -> int:
        asked, number = self.rolls.pop(0)
        assert asked == count
        return number


def make_dealer(kind: int, random: Any) -> Any:
    game: Any = Game(1, choose(Options(), deal=kind))
    dealer = game.dealer
    again = Dealer(game)
    dealer.order, dealer.left, dealer.random = again.order, again.left, random
    return dealer


def deal(kind: int, seed: int, count: int) -> list[int]:
    dealer = make_dealer(kind, Random(seed))
    return [dealer.deal() for _ in range(count)]


def roll(*pieces: int) -> list[tuple[int, int]]:
    return [(7, piece - 1) for piece in pieces]


def deal_as_written(kind: int, seed: int) -> Iterator[int]:
    """Deal as README.md says, by lists alone."""
    random = Random(seed)
    bags: list[list[int]] = [[], []]
    dealt = [[*range(7, 0, -1)] * (2 if kind == DOUBLE_BAG else 1) for _ in bags]  # of each bag; the last lies on top
    history = [Z, Z, S, S]
    count = 0
    while True:
        if kind in (DOUBLE_BAG, TWO_BAGS):
            which = random.below(2) if kind == TWO_BAGS else 0
            if not bags[which]:
                bags[which], dealt[which] = dealt[which][::-1], []
            pick = random.below(len(bags[which]))
            bags[which][pick], bags[which][-1] = bags[which][-1], bags[which][pick]
            dealt[which].append(bags[which].pop())
            yield dealt[which][-1]
        elif kind == MEMORYLESS:
            yield 1 + random.below(7)
        else:
            rolled = [(I, J, L, T)[random.below(4)]] if not count else []
            while not rolled or count and rolled[-1] in history and len(rolled) < 6:
                rolled.append(1 + random.below(7))
            yield rolled[-1]
            history[count % 4] = rolled[-1]
            count += 1


class TestDealers:
    def test_20_games_deal_from_the_bag_of_seven_by_default(self) -> None:
        assert Options().deal == Settings().deal == 0
        bag = Bag(Random(5))
        game = Game(5)
        assert [game.deal() for _ in range(70)] == [bag.deal() for _ in range(70)]

    def test_20_a_game_with_the_bag_loads_no_other_dealer(self) -> None:
        assert not loads("from firmware.engine.game import Game; Game(1)", "firmware.engine.dealers")

    @pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
    def test_20_a_recording_without_the_option_has_the_bag(self, path: Any) -> None:
        assert Recording(path.read_bytes()).options.deal == 0

    @pytest.mark.parametrize("kind", KINDS)
    def test_20_1_a_dealer_deals_as_written(self, kind: int) -> None:
        for seed in range(40):
            written = deal_as_written(kind, seed)
            assert deal(kind, seed, 300) == [next(written) for _ in range(300)]

    def test_20_2_fourteen_are_two_of_each(self) -> None:
        for seed in range(60):
            dealt = deal(DOUBLE_BAG, seed, 140)
            for at in range(0, 140, 14):
                assert sorted(dealt[at : at + 14]) == sorted([*range(1, 8)] * 2)

    def test_20_2_halves_of_fourteen_are_not_bags(self) -> None:
        halves = [deal(DOUBLE_BAG, seed, 7) for seed in range(200)]
        assert sum(len(set(half)) < 7 for half in halves) > 180

    def test_20_2_at_most_four_of_a_kind_come_in_a_row(self) -> None:
        assert max(find_runs(DOUBLE_BAG)) in (3, 4)

    def test_20_2_at_most_twenty_four_come_between_two_of_a_kind(self) -> None:
        assert 18 < max(find_gaps(DOUBLE_BAG)) <= 24

    def test_20_3_one_of_two_bags_gives_each_tetrimino(self) -> None:
        """The first bag deals I and Z, then the second I: what the first still holds does not matter."""
        dealer = make_dealer(TWO_BAGS, Dice([(2, 0), (7, 0), (2, 0), (6, 0), (2, 1), (7, 0), (2, 0), (5, 4)]))
        assert [dealer.deal() for _ in range(4)] == [I, Z, I, L + 2]

    def test_20_3_each_bag_is_filled_again_when_it_is_empty(self) -> None:
        rolls = [(2, 1), (7, 3)]
        for left in range(7, 0, -1):
            rolls += [(2, 0), (left, 0)]
        dealer = make_dealer(TWO_BAGS, Dice(rolls + [(2, 0), (7, 0), (2, 1), (6, 5)]))
        dealt = [dealer.deal() for _ in range(10)]
        assert dealt[0] == O and sorted(dealt[1:8]) == [*range(1, 8)] and dealt[9] != O

    def test_20_3_of_each_kind_as_many_come_as_the_bags_allow(self) -> None:
        for seed in range(40):
            dealt = deal(TWO_BAGS, seed, 400)
            counts = [dealt.count(piece) for piece in range(1, 8)]
            assert max(counts) - min(counts) <= 2

    def test_20_4_the_first_is_i_j_l_or_t(self) -> None:
        first = [deal(HISTORY, seed, 1)[0] for seed in range(2000)]
        assert {*first} == {I, J, L, T} and min(first.count(piece) for piece in (I, J, L, T)) > 400

    @pytest.mark.parametrize(
        ("first", "rolled", "dealt"),
        [
            pytest.param(T, (Z, S, T, O), [T, O], id="Z and S count as recent for the second"),
            pytest.param(I, (J, S, Z), [I, J, Z], id="Z counts no longer for the third, but S does"),
            pytest.param(I, (J, L, S, O, S), [I, J, L, O, S], id="S counts no longer for the fifth"),
            pytest.param(I, (J, L, O, T, J, I), [I, J, L, O, T, I], id="the fifth before counts no longer"),
            pytest.param(I, (Z, S, I, Z, S, Z, J), [I, Z, J], id="the sixth try counts in any case"),
        ],
    )
    def test_20_4_a_recent_tetrimino_is_rolled_again(
        self, first: int, rolled: tuple[int, ...], dealt: list[int]
    ) -> None:
        dealer = make_dealer(HISTORY, Dice([(4, (I, J, L, T).index(first)), *roll(*rolled)]))
        assert [dealer.deal() for _ in dealt] == dealt

    def test_20_5_each_is_drawn_whatever_came_before(self) -> None:
        dealer = make_dealer(MEMORYLESS, Dice(roll(S, S, S, Z, O)))
        assert [dealer.deal() for _ in range(5)] == [S, S, S, Z, O]

    @pytest.mark.parametrize("kind", KINDS)
    def test_20_each_kind_comes_equally_often(self, kind: int) -> None:
        dealt = [piece for seed in range(20) for piece in deal(kind, seed, 700)]
        assert all(0.9 < dealt.count(piece) / 2000 < 1.1 for piece in range(1, 8))


def find_runs(kind: int) -> list[int]:
    """Return how many of a kind come in a row."""
    return [len([*group]) for seed in range(30) for _piece, group in itertools.groupby(deal(kind, seed, 1400))]


def find_gaps(kind: int) -> list[int]:
    """Return how many others come between two of a kind."""
    gaps = []
    for seed in range(60):
        last: dict[int, int] = {}
        for at, piece in enumerate(deal(kind, seed, 1400)):
            if piece in last:
                gaps.append(at - last[piece] - 1)
            last[piece] = at
    return gaps


class TestClasses:
    @pytest.mark.parametrize(("variant", "kind"), [(SPRINT, 47), (MARATHON, 48)])
    def test_20_6_other_dealers_share_a_table(self, variant: int, kind: int) -> None:
        record = find(variant)
        assert {find_class(choose(Options(), deal=deal), record) for deal in KINDS} == {OTHER}
        assert find_kind(record, 0, OTHER) == kind and name_class(record, OTHER).endswith(b" OTHER")

    @pytest.mark.parametrize("other", [{"invisible": 1}, {"generation_ms": 0}, {"slow": 1}, {"garbage_rows": 1}])
    def test_17_6_with_another_class_besides_it_has_no_table(self, other: dict[str, int]) -> None:
        assert find_class(choose(Options(), deal=HISTORY, **other), find(SPRINT)) == UNRANKED

    def test_17_6_other_aims_and_modes_have_no_table(self) -> None:
        assert not find_kind(find(SPRINT), 20, OTHER)
        assert not any(find_kind(find(variant), 0, OTHER) for variant in (ULTRA, ZEN))

    @pytest.mark.parametrize("variant", [DAILY, FINESSE, WORST])
    def test_20_a_mode_without_the_rule_deals_as_always(self, variant: int) -> None:
        game = begin_game(variant, deal=MEMORYLESS).game
        assert game.options.deal == 0 and type(game.dealer) is not Dealer

    def test_20_a_daily_recording_with_the_option_has_the_bag(self) -> None:
        game = kept.start_game(20261122, DAILY, choose(Options(), deal=MEMORYLESS))
        assert type(game.dealer) is Bag and bytes(game.next) == bytes(kept.start_game(20261122, DAILY).next)


class TestKept:
    @pytest.mark.parametrize(("kind", "left"), [(0, 8), (DOUBLE_BAG, 15), (HISTORY, 5), (MEMORYLESS, 1)])
    def test_a_save_with_too_many_left_is_refused(self, kind: int, left: int) -> None:
        game = kept.start_game(1, MARATHON, choose(Options(), deal=kind))
        assert kept.keep_and_restore(game, MARATHON)
        game.dealer.left = left
        assert not kept.keep_and_restore(game, MARATHON)

    @pytest.mark.parametrize(
        ("kind", "order"),
        [(DOUBLE_BAG, b"\1" * 14), (TWO_BAGS, b"\1\2\3\4\5\6\7" * 2), (HISTORY, b"\0\1\2\3"), (HISTORY, b"\1\2\3\x08")],
    )
    def test_a_save_with_an_impossible_order_is_refused(self, kind: int, order: bytes) -> None:
        game = kept.start_game(1, MARATHON, choose(Options(), deal=kind))
        game.dealer.order = bytearray(order)
        assert bool(kept.keep_and_restore(game, MARATHON)) == (kind == TWO_BAGS)

    @pytest.mark.parametrize("kind", KINDS)
    def test_a_recording_deals_the_same_again(self, kind: int) -> None:
        game = kept.start_game(7, SPRINT, choose(Options(), deal=kind))
        recorder = Recorder(256)
        recorder.begin_game(SPRINT, game.seed, game.options)
        again = Recording(recorder.recorded(10))
        mode = kept.start_game(1, SPRINT).mode
        assert again.options.deal == kind and bytes(again.game(mode).next) == bytes(game.next)

    @pytest.mark.parametrize("kind", [rules.MATCH, 1 + MARATHON, 1 + SPRINT, 1 + ZEN])
    def test_a_line_of_rules_carries_it(self, kind: int) -> None:
        settings = Settings()
        rules.apply(rules_line.read(rules_line.write([kind, 25, HISTORY])), settings)
        assert settings.deal == HISTORY
        assert rules.collect(settings, not kind) == [kind, 25, HISTORY]

    def test_a_line_of_a_mode_without_it_is_refused_by_name(self) -> None:
        with pytest.raises(ValueError, match=r"^finesse has no rule DEAL$"):
            rules.check([1 + FINESSE, 25, 1])


class TestMatches:
    @pytest.mark.parametrize("kind", KINDS)
    def test_20_all_players_of_a_match_get_the_same_order(self, kind: int) -> None:
        arcade = Arcade("menus.title")
        arcade.settings.deal = kind
        arcade.open("match.play", ms=0)
        dealers = [seat.game.dealer for seat in arcade.match.seats]
        assert [type(dealer) for dealer in dealers] == [Dealer] * 2
        assert len({tuple(seat.game.deal() for _ in range(40)) for seat in arcade.match.seats}) == 1

    def test_20_a_linked_match_deals_from_the_bag(self) -> None:
        handheld = Handheld(first="menus.title")
        handheld.settings.deal = MEMORYLESS
        agreed: Any = (None, 0, 1, 0, None, [b"A", b"B"], handheld.settings.versus, 1, 0)
        _options, choices = link_start.arrange(handheld.context, agreed)
        assert [choice.deal for choice in choices] == [0, 0]


class TestEnvironments:
    def test_an_environment_deals_by_the_option(self) -> None:
        env: Any = gymnasium.make("tools.bots.env:Skyline-v0", rules={"deal": HISTORY}).unwrapped
        env.reset(seed=1)
        assert type(env.game.dealer) is Dealer

    def test_an_environment_of_a_match_refuses_it(self) -> None:
        with pytest.raises(ValueError, match=r"^a match has no rule 'deal' in an environment$"):
            gymnasium.make("tools.bots.env:Skyline-v0", rules={"deal": 1}, versus=1)

    def test_the_batch_refuses_it_in_one_line(self) -> None:
        with pytest.raises(ValueError, match=r"^the batch has no rule 'deal'; make_vec.*has$"):
            gymnasium.make_vec("tools.bots.env:Skyline-v0", num_envs=2, rules={"deal": 1})


def test_20_the_options_offer_each_dealer() -> None:
    handheld = Handheld(first="menus.title")
    handheld.open("options.extra_rules", ms=0, frames=2)
    handheld.go_down_to(b"DEAL")
    handheld.tap(A, RIGHT, RIGHT)
    handheld.compare_at_rest("options_extra_rules_deal")
    assert handheld.settings.deal == HISTORY
    handheld.tap(RIGHT, RIGHT)
    assert handheld.settings.deal == 0


def test_20_ready_names_the_table() -> None:
    handheld = Handheld(first="menus.title")
    handheld.settings.deal = HISTORY
    handheld.settings.variant = SPRINT
    handheld.open("menus.main", frames=2)
    assert handheld.scene.notes[handheld.scene.at] == b"BY YOUR OPTIONS|TABLE|SPRINT 40 OTHER"


def test_20_a_dealer_of_a_mode_of_its_own_stays() -> None:
    game = Game(1, Options())
    game.dealer = own = object()
    begin(game)
    assert game.dealer is own
