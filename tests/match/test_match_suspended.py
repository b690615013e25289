"""A suspended match continues unchanged after power-off; invalid records restore no match."""

import itertools
import random
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from firmware.engine.controls import HARD_DROP, PAUSE
from firmware.engine.options import Options
from firmware.match.fields import FIELDS
from firmware.match.match import Match
from firmware.match.options import AT_RANDOM, MARKED, MatchOptions
from firmware.match_modules import forget
from firmware.save import match_revival, match_suspended
from firmware.save.journal import MATCH, MATCH_GAMES, Journal
from firmware.save.journal_compaction import compact, weigh
from firmware.save.journal_layout import PLACES
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.varint import Numbers
from tests.support.drill import choose
from tests.support.flash import BrokenStore, PowerCut, RamBackupBank, RamStore, Supply, WeakStore
from tests.support.handhelds.arcade import DOWN, START, A, Arcade
from tests.support.handhelds.handheld import Handheld
from tests.support.standings import standing

MATCHES = Path(__file__).parents[1] / "matches"
FRAME_BYTES = 11
Edges = list[tuple[int, int, int, int]]


def make_edges(seed: int, players: int, until_ms: int) -> Edges:
    choice = random.Random(seed)
    edges: Edges = []
    t_ms = 0
    while t_ms < until_ms:
        t_ms += choice.randrange(10, 200)
        number, button = choice.randrange(players), choice.choice((0, 1, 2, 3, 3, 3, 4, 5, 6, PAUSE))
        edges.append((number, button, 1, t_ms))
        if button != PAUSE:
            edges.append((number, button, 0, t_ms))
    return edges


def begin(players: int = 2, **options: int) -> Match:
    chosen = choose(MatchOptions(), **{"players": players, "wins": 3, "starting": 3} | options)
    return Match(77, chosen, [Options() for _ in range(players)])


def play(match: Match, edges: Edges, from_ms: int, to_ms: int) -> None:
    for number, button, pressed, t_ms in edges:
        if from_ms <= t_ms < to_ms:
            match.input(number, button, pressed, t_ms)
    match.advance(to_ms)


def suspend(match: Match, size: int = 8192) -> tuple[Journal, bool]:
    journal = Journal([RamStore(size)])
    return journal, match_suspended.suspend(match, journal)


def restore(match: Match) -> Match:
    journal, saved = suspend(match)
    assert saved
    again = match_revival.restore(journal)
    assert again
    return again


def is_refused(match: Match) -> bool:
    return match_revival.restore(suspend(match)[0]) is None


def rewrite(journal: Journal, kind: int, record: bytes | bytearray) -> Match | None:
    """Replace a record; return the restored match or None."""
    compact(journal)  # so that no rewriting comes between the two
    journal.payload[: len(record)] = record
    journal.save(kind, len(record))
    if kind != MATCH:  # it comes last in a save
        journal.save(MATCH, len(journal.read(MATCH)))
    return match_revival.restore(journal)


def clear_a_line(match: Match, queued: int) -> None:
    """Complete a row by the first player's Hard Drop, with lines in the Receiving Queue."""
    match.advance(500)
    seat = match.seats[0]
    probe = begin(starting=0)
    probe.advance(500)
    probe.input(0, HARD_DROP, 1, 500)
    seat.game.matrix.set_row(0, bytes(not cell for cell in probe.seats[0].game.matrix.rows[0]))
    seat.game.find_ghost(seat.game.y)
    seat.queued = queued
    match.input(0, HARD_DROP, 1, 500)
    assert seat.game.hit_count == 1


class TestRestored:
    @pytest.mark.parametrize(
        "moment_ms", [*(pytest.param(ms, marks=pytest.mark.no_cover) for ms in (0, 1, 777, 3000, 5000)), 6400]
    )
    @pytest.mark.parametrize(
        ("players", "options"),
        [(2, {}), (3, {"target": MARKED}), (4, {"teams": 5, "target": AT_RANDOM, "handicaps": 1}), (2, {"aim": 40})],
    )
    def test_a_restored_match_plays_on_as_without_a_suspend(self, players: int, options, moment_ms: int) -> None:
        edges = make_edges(5, players, 60_000)
        match = begin(players, who=0x4321 & (1 << 4 * players) - 1, **options)
        play(match, edges, 0, moment_ms)
        again = restore(match)
        assert standing(again) == standing(match)
        play(match, edges, moment_ms, 60_000)
        play(again, edges, moment_ms, 60_000)
        assert standing(again) == standing(match)

    @pytest.mark.no_cover
    @pytest.mark.parametrize("name", ["two", "three"])
    def test_a_recorded_match_can_be_suspended_at_any_moment(self, name: str) -> None:
        player = MatchPlayer(MatchRecording((MATCHES / f"{name}.sky").read_bytes()))
        match = player.match
        rising = 0
        while True:
            while not player.is_round_over():
                player.advance(match.time_ms + 300)
                if not match.over:
                    rising += any(seat.rising for seat in match.seats)
                    assert standing(restore(match)) == standing(match)
            if not player.begin_next():
                break
        assert rising, "no moment had lines about to rise"

    def test_the_round_and_the_wins_are_restored(self) -> None:
        match = begin()
        while not match.over:
            match.input(0, 3, 1, match.time_ms + 200)
        match.begin_round(1)
        match.advance(3000)
        again = restore(match)
        assert (again.round, bytes(again.wins), standing(again)) == (1, b"\x00\x01", standing(match))

    def test_a_player_who_is_out_gets_a_new_practice(self) -> None:
        match = begin(3)
        while match.seats[0].out_ms < 0:
            match.input(0, 3, 1, match.time_ms + 200)
        match.advance(match.time_ms + 900)
        seat = restore(match).seats[0]
        assert seat.practice and (seat.out_ms, seat.practice.time_ms) == (match.seats[0].out_ms, 0)

    def test_arrived_lines_wait_for_the_lock_down_after_a_restore(self) -> None:
        match = begin()
        match.advance(1000)
        match.seats[0].coming.send(1200, 3)
        match.advance(4000)
        match.seats[0].coming.send(4300, 2)
        again = restore(match)
        for one in (match, again):
            one.input(0, 3, 1, 4100)
            one.advance(4600)
            assert (one.seats[0].received, one.seats[0].coming.total()) == (3, 2)

    def test_rising_lines_rise_after_the_line_clear(self) -> None:
        """A Single counters no line. Once a suspend during its Line Clear raised an exception."""
        match = begin(starting=0)
        clear_a_line(match, 3)
        again = restore(match)
        for one in (match, again):
            assert one.seats[0].rising == 3
            one.advance(1500)
            assert (one.seats[0].received, one.seats[0].queued, one.seats[0].rising) == (3, 0, 0)
        assert standing(again) == standing(match)

    def test_lines_that_a_top_out_kept_from_rising_are_restored(self) -> None:
        match = begin(3)
        match.advance(500)
        seat = match.seats[0]
        seat.queued = 60
        while not seat.game.over:
            match.input(0, HARD_DROP, 1, match.time_ms + 200)
        assert seat.rising and standing(restore(match)) == standing(match)

    @pytest.mark.parametrize("deal", range(1, 5))
    def test_a_restored_match_keeps_its_dealer(self, deal: int) -> None:
        match = begin()
        match = Match(7, match.options, [choose(Options(), deal=deal) for _ in range(2)])
        edges = make_edges(deal, 2, 6000)
        play(match, edges, 0, 3000)
        again = restore(match)
        for each in (match, again):
            play(each, edges, 3000, 6000)
        assert standing(again) == standing(match)

    def test_a_restored_round_deals_the_same_tetriminos(self) -> None:
        """A player who is out practises with the player's own options."""
        match = begin(3)
        match.choices[0].das_ms = 123
        match.begin_round(2)
        match.advance(500)
        seat = match.seats[0]
        while not seat.game.over:
            match.input(0, HARD_DROP, 1, match.time_ms + 200)
        again = restore(match)
        assert again.round == 2 and again.seats[1].game.next == match.seats[1].game.next
        assert again.seats[0].practice.options.das_ms == 123


class TestRefused:
    @pytest.mark.parametrize(("place", "was", "becomes"), [(2, 1 + 1, 2 + 1), (3, 0, 3)], ids=["winner", "rounds won"])
    def test_a_round_with_an_impossible_winner_is_refused(self, place: int, was: int, becomes: int) -> None:
        """Won by an unknown team, or by one that had already won the match."""
        match = begin(3, teams=0b001)
        match.advance(500)
        match.ends_ms = 900
        match.winner = 1
        assert restore(match).winner == 1
        journal, _ = suspend(match)
        record = bytearray(journal.read(MATCH))
        numbers = Numbers(record, False)
        numbers.at = 2
        for _ in range(3 + len(FIELDS) + place):
            numbers.get()
        assert record[numbers.at] == was
        record[numbers.at] = becomes
        assert rewrite(journal, MATCH, record) is None

    @pytest.mark.parametrize(("attribute", "most"), [("round", 1 << 16), ("first_seed", (1 << 30) - 1)])
    def test_a_round_or_seed_out_of_range_is_refused(self, attribute: str, most: int) -> None:
        match = begin()
        setattr(match, attribute, most)
        assert getattr(restore(match), attribute) == most
        setattr(match, attribute, most + 1)
        assert is_refused(match)

    @pytest.mark.parametrize(("queued", "rising"), [(3, 4), (1, 3)])
    def test_more_rising_lines_than_queued_ones_are_refused(self, queued: int, rising: int) -> None:
        match = begin(starting=0)
        clear_a_line(match, 3)
        match.seats[0].queued, match.seats[0].rising = queued, rising
        assert is_refused(match)

    @pytest.mark.parametrize(
        ("place", "names", "value"),
        [("own seat", "queued rising", 2), ("chance", "a", 0), ("chance", "b", 0), ("game", "now_ms", 501)]
        + [("game", "time_ms", 499), ("game", "over", 1), ("seat", "out_ms", 500), ("seat", "mark", 2)],
    )
    def test_a_seat_that_contradicts_its_match_is_refused(self, place: str, names: str, value: int) -> None:
        """One case has rising lines while a Tetrimino is in play."""
        match = begin()
        match.advance(500)
        assert restore(match)
        own, seat = match.seats
        places = {"own seat": own, "chance": match.randoms[1], "game": seat.game, "seat": seat}
        for name in names.split():
            setattr(places[place], name, value)
        assert is_refused(match)

    def test_a_forgotten_match_is_not_restored(self) -> None:
        journal, _ = suspend(begin())
        held: list[object] = []
        session: Any = SimpleNamespace(journal=journal, hold_game=held.append)
        forget(session)
        forget(session)
        assert held == [None, None]
        assert match_revival.restore(journal) is match_revival.restore(Journal([RamStore(4096)])) is None

    @pytest.mark.parametrize("size", [32, 128, 256])
    def test_without_room_no_match_is_saved(self, size: int) -> None:
        match = begin()
        match.advance(4000)
        journal, saved = suspend(match, size)
        assert not saved and match_revival.restore(journal) is None

    def test_a_bank_that_cannot_be_rewritten_keeps_the_save_before(self) -> None:
        match = begin()
        store = BrokenStore(1500)
        store.broken = "erase"
        journal = Journal([store])
        saved = standing(match)
        while match_suspended.suspend(match, journal):
            saved = standing(match)
            match.advance(match.time_ms + 500)
        again = match_revival.restore(Journal([RamStore(store.image)]))
        assert again and standing(again) == saved

    def test_a_match_of_four_fits_into_four_kilobytes(self) -> None:
        match = begin(4, starting=10)
        match.advance(8000)
        assert suspend(match, 4096)[1]

    @pytest.mark.parametrize("size", range(1024, 1536, 32))
    def test_the_callback_comes_before_a_full_journal_is_rewritten(self, size: int) -> None:
        match = begin()
        match.advance(1000)
        journal = Journal([RamStore(size), RamStore(size)])

        def note(seen: list[int]) -> None:
            seen.append(journal.bank)

        rewritten = 0
        for _ in range(20):
            banks = [journal.bank]
            assert match_suspended.suspend(match, journal, partial(note, banks))
            banks.append(journal.bank)
            rewritten += banks[0] != banks[-1]
            assert banks[1] == banks[0] and banks[-2] == banks[-1], "called before it and after it"
        assert rewritten

    def test_a_record_of_another_version_is_refused(self) -> None:
        journal, _ = suspend(begin())
        for kind, at, value in ((MATCH, 1, 9), (MATCH, 9, 127), (MATCH_GAMES, 1, 9), (MATCH_GAMES, 4, 3)):
            good = bytes(journal.read(kind))
            assert rewrite(journal, kind, good[:at] + bytes([value]) + good[at + 1 :]) is None
            assert rewrite(journal, kind, good)

    @pytest.mark.parametrize(
        "seed",
        [0, 2, *(pytest.param(seed, marks=[pytest.mark.no_cover, pytest.mark.every]) for seed in (1, 3, 4, 5))],
    )
    def test_a_match_restored_from_damaged_records_plays_on(self, seed: int) -> None:
        choice = random.Random(seed)
        match = begin(3, target=MARKED)
        play(match, make_edges(seed, 3, 9000), 0, 9000)
        match.seats[1].coming.send(match.time_ms + 300, 2)
        journal, saved = suspend(match)
        assert saved
        good = {kind: bytes(journal.read(kind)) for kind in (MATCH, MATCH_GAMES, MATCH_GAMES + 1, MATCH_GAMES + 2)}
        restored_count = 0
        for _ in range(150):
            kind = choice.choice(sorted(good))
            bad = bytearray(good[kind])
            for _ in range(choice.randrange(1, 3)):
                bad[choice.randrange(1, len(bad))] = choice.randrange(256)
            bad = bad[: choice.randrange(len(bad) // 2, len(bad) + 1)] if choice.random() < 0.2 else bad
            again = rewrite(journal, kind, bad)
            if again:
                restored_count += 1
                from_ms = again.time_ms
                for number, button, pressed, t_ms in make_edges(1, again.options.players, 3000):
                    again.input(number, button, pressed, from_ms + t_ms)
                again.advance(from_ms + 4000)
                assert again.is_decided() or restore(again)
            assert rewrite(journal, kind, good[kind])
        assert restored_count


class SafelyErased(WeakStore):
    """Flash whose power fails in writes only, not while it is erased."""

    def replace(self, offset: int, data: bytes | bytearray | memoryview) -> None:
        image = bytearray(self.image)
        image[offset : offset + len(data)] = data
        self.image[:] = image


class TestPowerCuts:
    def test_games_of_another_save_do_not_belong_to_a_match(self) -> None:
        journal, _ = suspend(begin())
        record = bytearray(journal.read(MATCH))
        record[0] += 1
        assert rewrite(journal, MATCH, record) is None

    def test_a_store_that_fails_saves_nothing(self) -> None:
        match = begin()
        journal, _ = suspend(match)
        broken = BrokenStore(8192)
        broken.broken = "read"
        journal.stores[0] = broken
        assert not match_suspended.suspend(match, journal) and journal.failed

    @pytest.mark.no_cover
    @pytest.mark.parametrize("players", [2, 4])
    def test_a_cut_anywhere_in_a_save_leads_back_to_the_save_before(self, players: int) -> None:
        match = begin(players)
        match.advance(1000)
        journal, _ = suspend(match)
        before, image = standing(match), bytes(journal.stores[0].image)
        match.advance(2000)
        most = 2000 * players

        for left in [*range(0, most, 61), most]:
            supply = Supply(left)
            store = WeakStore(image, supply)
            with suppress(PowerCut):
                match_suspended.suspend(match, Journal([store]))
            again = match_revival.restore(Journal([RamStore(store.image)]))
            assert again and standing(again) == (before if not supply.left else standing(match))

        assert supply.left

    def test_a_cut_before_a_rewriting_has_begun_or_after_it_loses_no_match(self) -> None:
        match = begin()
        store = RamStore(3000)
        journal = Journal([store])
        erases = 0
        for pause in range(1, 12):
            match.advance(200 * pause)
            image, before = bytes(store.image), standing(match_revival.restore(journal) or match)
            assert match_suspended.suspend(match, journal)
            rewrites, erases = store.erases - erases, store.erases
            assert rewrites <= 1
            for left in range(0, 700, 37) if rewrites else ():
                weak = SafelyErased(image, Supply(left))
                with suppress(PowerCut):
                    match_suspended.suspend(match, Journal([weak]))
                again = match_revival.restore(Journal([RamStore(weak.image)]))
                assert again and standing(again) in (before, standing(match))
        assert erases

    def test_after_a_cut_the_journal_is_rewritten_with_the_save_before(self) -> None:
        match = begin()
        match.advance(1000)
        journal, _ = suspend(match)
        before = standing(match)
        match.advance(2000)
        store = WeakStore(journal.stores[0].image, Supply(300))
        with pytest.raises(PowerCut):
            match_suspended.suspend(match, Journal([store]))
        journal = Journal([RamStore(store.image)])
        assert compact(journal)
        again = match_revival.restore(journal)
        assert again and standing(again) == before

    @pytest.mark.no_cover
    @pytest.mark.parametrize("players", [2, *(pytest.param(count, marks=pytest.mark.every) for count in (3, 4))])
    def test_a_cut_in_the_rewriting_after_a_cut_in_a_save_loses_no_match(self, players: int) -> None:
        match = begin(players)
        match.advance(1000)
        backup = RamBackupBank(4112)
        journal = Journal([RamStore(4096)], backup)
        assert match_suspended.suspend(match, journal)
        before, image, copy = standing(match), bytes(journal.stores[0].image), bytes(backup.image)
        match.advance(2000)

        for half, erased in itertools.product(range(50, 900, 170), range(0, 4096, 192)):
            backup = RamBackupBank(copy)
            store = WeakStore(image, Supply(half))
            with suppress(PowerCut):
                match_suspended.suspend(match, Journal([store], backup))
            if store.supply.left:
                continue  # the save was whole
            store.supply.left = erased
            with suppress(PowerCut):
                compact(Journal([store], backup))
            bank = RamStore(store.image)
            journal = Journal([bank], RamBackupBank(backup.image))
            for each in (journal, Journal([bank])):
                again = match_revival.restore(each)
                assert again and standing(again) == before, (half, erased)

    @pytest.mark.no_cover
    def test_a_damaged_save_is_not_completed_by_games_of_another(self) -> None:
        weak = WeakStore(b"\xff" * 4096, Supply(300))
        with suppress(PowerCut):  # the first game's record only
            match_suspended.suspend(begin(), Journal([weak]))
        journal = Journal([RamStore(weak.image)])
        match = Match(78, begin().options, [Options(), Options()])
        assert match_suspended.suspend(match, journal)
        first, last = (journal.where[kind] // PLACES for kind in (MATCH_GAMES, MATCH))
        for at in range(first, last):
            image = bytearray(journal.stores[0].image)
            image[at] ^= 1
            assert match_revival.restore(Journal([RamStore(image)])) is None, at

    def test_a_store_that_fails_restores_no_match(self) -> None:
        journal, _ = suspend(begin())
        broken = BrokenStore(8192)
        broken.broken = "read"
        journal.stores[0] = broken
        assert match_revival.restore(journal) is None

    def test_the_games_of_a_match_that_is_over_are_not_kept(self) -> None:
        journal, _ = suspend(begin(4))
        assert journal.save(MATCH, 0) and compact(journal)
        assert not len(journal.read(MATCH_GAMES)) and weigh(journal) == FRAME_BYTES

    def test_a_save_without_room_beside_the_one_before_replaces_it(self) -> None:
        match = begin()
        match.advance(1000)
        journal, _ = suspend(match, 1024)
        for _ in range(5):
            match.advance(match.time_ms + 500)
            assert match_suspended.suspend(match, journal)
            again = match_revival.restore(Journal(journal.stores))
            assert again and standing(again) == standing(match)


def restart(arcade: Arcade) -> Arcade:
    later = Arcade("menus.title", store=arcade.banks)
    later.follow(A)
    return later


class TestHandheld:
    def test_a_match_paused_at_power_off_continues_from_the_title(self) -> None:
        arcade = Arcade(store=[RamStore(4096)])
        arcade.follow(DOWN, frames=200)
        arcade.tap(START)
        later = restart(arcade)
        assert later.name == "match.play" and standing(later.match) == standing(arcade.match)
        later.tap(A)
        lock_downs = later.match.seats[1].game.lock_downs
        later.step(16, 600)
        assert later.match.seats[1].game.lock_downs > lock_downs

    def test_a_power_cut_in_play_leads_back_to_the_rounds_start(self) -> None:
        arcade = Arcade(store=[RamStore(4096)], WINS=1, LEVELS=1)
        arcade.lose_round(80)
        arcade.follow(A, DOWN, frames=300)
        assert arcade.match.round == 1 and arcade.scene.is_playing()
        later = restart(arcade)
        match = later.match
        assert later.name == "match.play" and (match.round, match.time_ms, bytes(match.wins)) == (1, 0, b"\x00\x01")
        later.follow(A, frames=600)
        assert match.seats[1].game.lock_downs

    def test_a_power_cut_after_a_pause_leads_back_to_the_pause(self) -> None:
        arcade = Arcade(store=[RamStore(4096)])
        arcade.step(16, 200)
        arcade.tap(START)
        before = standing(arcade.match)
        arcade.follow(START, frames=200)
        assert standing(restart(arcade).match) == before

    def test_continue_with_a_store_that_fails_meanwhile_ends_in_no_error(self) -> None:
        store = BrokenStore(8192)
        match_suspended.suspend(begin(), Journal([store]))
        handheld = Handheld(store=[store], first="menus.main")
        handheld.step(frames=3)
        store.broken = "read"
        assert handheld.follow(A, frames=3) == "menus.main" and handheld.journal.failed

    def test_a_decided_match_is_not_offered_again(self) -> None:
        arcade = Arcade(store=[RamStore(4096)])
        arcade.tap(START)
        arcade.resume()
        arcade.lose_round()
        assert Arcade("menus.title", store=arcade.banks).app.session.suspended is None
