"""REVIEW (firmware/modes/README.md, 10): the worst moments of a recorded game, by the eyes of level 5."""

import functools
import random
from typing import Any

import pytest

from firmware.engine.game import Game
from firmware.engine.options import Options
from firmware.match.options import PERSON
from firmware.modes.catalogue import FINESSE, MARATHON, STANDARD, WORST, ZEN, make_mode
from firmware.modes.slow import STILL
from firmware.players import alone
from firmware.players.judge import Judge, read_place
from firmware.players.opening import HELD, Opening
from firmware.players.player import Player
from firmware.players.reasons import Outcome, find_reason, split_worth
from firmware.save.recorder import Recorder
from firmware.save.recordings.match_recording import MatchPlayer, MatchRecording
from firmware.save.recordings.recording import Player as Replay
from firmware.save.recordings.recording import Recording
from firmware.save.suspended_revival import restore
from firmware.scenes.review.found import Moment
from firmware.scenes.review.match import MatchReviewer
from firmware.scenes.review.pieces import Reviewer
from tests.support.drill import comparable_state
from tests.support.flash import RamStore
from tests.support.handhelds.handheld import Clock, Handheld
from tests.support.handhelds.pauses import HOLD, LEFT, RIGHT, START, UP, A, B, choose, paused, play
from tests.support.recorded import RECORDINGS, read
from tests.support.stage import CODES, Stage
from tests.support.variants import TEST_SPEC
from tools.robot import Robot

MATCH = (RECORDINGS.parent / "matches" / "three.sky").read_bytes()


@functools.cache
def record(seed: int, number: int, presses: tuple[str, ...], total: int = 18) -> bytes:
    """Return a robot's game of `total` Tetriminos with other `presses` for one of them, put in by hand."""
    robot = Robot(seed, Options(), MARATHON, 60)
    game = robot.game
    game.start(0)
    game.advance(0)
    while game.lock_downs < total:
        if game.lock_downs != number:
            robot.play_tetrimino()
        elif not game.piece:
            robot.wait(5)
        else:
            for press in presses:
                robot.press(press, 900 if press == "right" else 0)
    return robot.recorder.recorded(game.now_ms)


WITH_HOLE = functools.partial(record, 4, 9, ("hard",))
WITH_BROKEN_WELL = functools.partial(record, 2, 14, ("right", "hard"))


def review(recording: Recording, clock: Clock | None = None) -> Reviewer:
    reviewer = Reviewer(recording, make_mode)
    while not reviewer.work(clock or Clock(), clock.ticks_ms() if clock else 0):
        pass
    return reviewer


@functools.cache
def moments_of(name: str) -> list[Moment]:
    return review(read(name)).list_moments()


def game_at(moment: Moment) -> Game:
    game = restore(moment.record, make_mode)
    assert game
    return game


def tell(moment: Moment) -> bytes:
    return find_reason(game_at(moment), moment.own_plan, moment.best_plan, moment.count)


class TestCosts:
    @pytest.mark.parametrize(
        ("blob", "number", "reason"), [(WITH_HOLE, 9, b"5 HOLES"), (WITH_BROKEN_WELL, 14, b"GAP COVERED")]
    )
    def test_10_2_a_fault_put_in_by_hand_costs_most(self, blob: Any, number: int, reason: bytes) -> None:
        worst = review(Recording(blob())).list_moments()[0]
        assert (worst.number, tell(worst)) == (number, reason)

    @pytest.mark.parametrize("name", ["fast", "sprint", "lost"])
    def test_10_2_cost_is_the_difference_of_the_ratings_terms(self, name: str) -> None:
        """The rating only estimates how much a drop covers holes."""
        for moment in moments_of(name):
            game, search = game_at(moment), Opening(1)
            mine, better = (Outcome(search, game, plan, moment.count) for plan in (moment.own_plan, moment.best_plan))
            estimated = abs(better.terms[1]) + abs(mine.terms[1])
            assert abs(sum(better.terms) - sum(mine.terms) - moment.cost) <= estimated / 2

    def test_10_2_mean_cost_falls_with_the_level_of_the_player(self) -> None:
        means = [sum(costs := costs_of(level)) / len(costs) for level in (1, 3, 5)]
        assert means[0] > 2 * means[1] > 4 * means[2]

    def test_10_2_a_still_game_is_judged_to_its_end(self) -> None:
        options = Options()
        options.slow = STILL
        recorder = Recorder()
        recorder.begin_game(MARATHON, 1, options)
        for t_ms in range(5000, 9000, 500):  # the first one's timer has begun again
            for pressed in (1, 0):
                recorder.record_edge(3, pressed, t_ms)
        reviewer = review(Recording(recorder.recorded(9500)))
        assert reviewer.number == reviewer.total == 8

    def test_10_2_a_tetrimino_dropped_as_it_enters_has_no_cost(self, monkeypatch: pytest.MonkeyPatch) -> None:
        recorder = Recorder()
        recorder.begin_game(MARATHON, 1, Options())
        for t_ms in (500, 700, 900, 1500):  # two of them right after the 200 ms of the generation
            for pressed in (1, 0):
                recorder.record_edge(3, pressed, t_ms)
        reviewer = Reviewer(Recording(recorder.recorded(2000)), make_mode)
        judged: list[int] = []
        note = reviewer.note

        def listen() -> None:
            judged.append(reviewer.number)
            note()

        monkeypatch.setattr(reviewer, "note", listen)
        while not reviewer.work(Clock(), 0):
            pass
        assert judged == [0, 3] and reviewer.number == 4

    def test_10_2_no_place_costs_less_than_nothing(self) -> None:
        assert min(costs_of(3)) == 0

    def test_10_2_filling_the_empty_hold_queue_has_no_cost(self) -> None:
        game, judge = Game(1), Judge()
        game.start(0)
        game.advance(0)
        judge.enter(game)
        think(judge)
        judge.weigh(read_place(game.next[0], 0, 3, 0), 0, game.piece)
        think(judge)
        assert (judge.cost, judge.own) == (0, -1)

    def test_10_1_search_behind_a_place_goes_on_as_a_new_one(self) -> None:
        """After a place that is not the best one, the next search has the same value as from the beginning."""
        compared = 0

        def compare(judge: Judge, game: Game) -> None:
            nonlocal compared
            fresh = Judge()
            gain = judge.beam.root_gain
            fresh.enter(game)
            think(fresh)
            assert judge.best_value - gain == fresh.best_value and judge.best == fresh.best
            compared += 1

        costs_of.__wrapped__(1, compare)
        assert compared > 10

    @pytest.mark.slow
    def test_10_1_slices_change_nothing(self) -> None:
        clock = Clock(step_ms=5)
        slow = review(read("lost"), clock)
        found = [(moment.number, moment.cost, moment.own_plan) for moment in slow.list_moments()]
        assert found == [(moment.number, moment.cost, moment.own_plan) for moment in moments_of("lost")]
        assert clock.now_ms > 3000

    def test_10_4_moments_are_in_the_order_of_their_cost(self) -> None:
        costs = [moment.cost for moment in moments_of("fast")]
        assert len(costs) == 3 and costs == sorted(costs, reverse=True)

    def test_10_4_of_equal_moments_the_earlier_is_first(self) -> None:
        reviewer = Reviewer(read("fast"), make_mode)
        judge: Any = Judge()
        reviewer.judge, reviewer.total = judge, 9
        for number, cost in enumerate((5, 7, 5, 7, 0, 6)):
            judge.cost = cost
            reviewer.spare.number = number
            reviewer.note()
        assert [(moment.number, moment.cost) for moment in reviewer.list_moments()] == [(1, 7), (3, 7), (5, 6)]


def think(judge: Judge) -> None:
    while not judge.work(60):
        pass


class Placed(Game):
    """A Game that keeps the place of its last Lock Down."""

    def lock_down(self, hard: bool = False) -> None:
        self.placed = read_place(self.piece, self.facing, self.x, self.y)
        Game.lock_down(self, hard)


@functools.cache
def costs_of(level: int, compare: Any = None) -> list[int]:
    """Return the costs of 30 places of a computer; call `compare` after each search behind another place."""
    game, judge, player = Placed(5), Judge(), Player(level, 5)
    game.start(0)
    game.advance(0)
    player.watch(game)
    costs: list[int] = []
    was_worse = False
    while len(costs) < 30:
        if game.piece and game.lock_downs == len(costs) and judge.number != len(costs):
            judge.enter(game)
            think(judge)
            if compare and was_worse:
                compare(judge, game)
        alone.pass_time(player, game.time_ms + 1)
        if game.lock_downs > len(costs):
            judge.weigh(game.placed, game.spun, game.hold)
            was_worse = judge.seeks > 0
            think(judge)
            costs.append(judge.cost)
    return costs


class TestReasons:
    def test_10_5_terms_add_up_to_the_worth_of_any_matrix(self) -> None:
        chance = random.Random(1)
        for _ in range(200):
            search = Opening(1)
            ground, terms = search.ground, [0] * 8
            ground.top = chance.randint(1, 20)
            for y in range(ground.top):
                ground.rows[y] = 1023 & ~(1 << chance.choice((9, 9, chance.randrange(10)))) & chance.choice((1023, 891))
            ground.cells = sum(row.bit_count() for row in ground.rows)
            search.measure_ground(ground)
            split_worth(ground, terms)
            assert sum(terms) == ground.worth

    @pytest.mark.parametrize(
        ("matrix", "piece", "own", "best", "reason"),
        [
            ("..#.......", "S", (0, 5), (0, 0), b"HOLE"),
            ("...#......", "I", (0, 0), (0, 4), b"3 HOLES"),
            ("#########.\n##.######.\n##.######.", "I", (1, 2), (1, 5), b"COVERED"),
            ("#########.\n" * 3, "O", (0, 8), (0, 0), b"GAP COVERED"),
            ("#########.\n" * 3, "I", (1, 9), (0, 0), b"GAP BROKEN"),
            ("###.......\n##...#####\n###.######", "O", (0, 3), (0, 0), b"T-SLOT LOST"),
            ("####......\n" * 10, "I", (1, 0), (1, 9), b"TOO HIGH"),
            ("..........", "I", (1, 4), (0, 0), b"UNEVEN"),
            ("#########.\n" * 4, "I", (0, 0), (1, 9), b"TETRIS MISSED"),
            ("#########.", "I", (1, 9), (0, 0), b"TOO FEW LINES"),
        ],
    )
    def test_10_5_the_reason_is_the_term_that_differs_most(
        self, matrix: str, piece: str, own: tuple[int, int], best: tuple[int, int], reason: bytes
    ) -> None:
        """A place is a facing and the leftmost column of a drop."""
        stage: Any = Stage(matrix, piece)
        stage.chain = 0
        plans = [[stage.piece * 4 - 4 + facing | x << 5] for facing, x in (own, best)]
        assert find_reason(stage, plans[0], plans[1], 1) == reason

    @pytest.mark.parametrize(("count", "reason"), [(2, b"THINK AHEAD"), (1, b"TOO HIGH")])
    def test_10_5_without_a_difference_it_lies_ahead(self, count: int, reason: bytes) -> None:
        """A plan of one place ends with the game."""
        stage: Any = Stage("", "O")
        stage.chain = 0
        assert find_reason(stage, [12, 12], [12, 12], count) == reason

    @pytest.mark.parametrize(("hold", "reason"), [("I", b"I NOT KEPT"), ("T", b"T NOT SPUN")])
    def test_10_5_hold(self, hold: str, reason: bytes) -> None:
        """Both are put flat on the floor instead of an O."""
        stage: Any = Stage("", "O")
        stage.chain = 0
        stage.hold = CODES.index(hold)
        held = [stage.hold * 4 - 4 | HELD]
        assert find_reason(stage, held, [stage.piece * 4 - 4], 1) == reason


class Critic(Handheld):
    """A handheld whose last game is reviewed."""

    def __init__(
        self, blob: bytes = b"", variant: int = MARATHON, slow: bool = False, watcher: str = "replay.watch"
    ) -> None:
        super().__init__(first="menus.legal", recorder=Recorder(), store=[RamStore(), RamStore()])
        self.session.remember(lambda: blob or WITH_HOLE(), watcher)
        self.open("learn.menu", frames=2)
        if slow:
            self.clock = Clock(self.clock.now_ms, 5)
            self.context.clock = self.device.clock = self.clock
        self.go_down_to(b"REVIEW")
        self.follow(A, frames=2)

    def finish(self) -> "Critic":
        self.wait_until(lambda: self.name == "review.moments")
        self.step(0, 2)
        return self

    def wait_for_place(self, own: bool) -> None:
        """Wait until the player's place, or the better one, is shown."""
        self.wait_until(lambda: self.scene.own == own and not self.scene.turned)


class TestProgress:
    def test_10_3_the_screen_counts_and_lists_the_worst_so_far(self) -> None:
        critic = Critic(slow=True)
        assert critic.name == "review.review"
        critic.compare("review_reading")
        seen = []
        while critic.name == "review.review" and critic.scene.reviewer.number < 12:
            seen.append(critic.scene.reviewer.number)
            critic.step()
        assert seen == sorted(seen) and len(set(seen)) > 6
        critic.compare("review_progress")

    def test_10_3_a_frame_works_for_thirty_milliseconds(self) -> None:
        critic = Critic(slow=True)
        for _ in range(100):
            before = critic.clock.now_ms
            critic.step(0)
            assert critic.clock.now_ms - before <= 30 + 4 * 5

    def test_10_3_a_shows_the_worst_so_far(self) -> None:
        critic = Critic(slow=True)
        critic.tap(A)
        assert critic.name == "review.review"  # nothing is found yet
        critic.wait_until(lambda: critic.scene.reviewer.list_moments())
        assert critic.follow(A, frames=2) == "review.moments"
        assert critic.scene.found.moments[0].number < 9

    @pytest.mark.parametrize("button", [B, HOLD])
    def test_10_3_b_leaves(self, button: int) -> None:
        critic = Critic(slow=True)
        assert critic.follow(button, frames=2) == "learn.menu"
        assert critic.scene.lines[critic.scene.at] == b"REVIEW"

    def test_the_screen_does_not_sleep_during_a_review(self) -> None:
        critic = Critic(slow=True)
        critic.settings.sleep_s = 1
        critic.step(1100, 3)
        assert any(critic.picture())

    @pytest.mark.parametrize("variant", [STANDARD, TEST_SPEC, WORST, FINESSE])
    def test_10_7_modes_without_hints_have_no_review(self, variant: int) -> None:
        recorder = Recorder()
        recorder.begin_game(variant, 1, Options())
        critic = Critic(recorder.recorded(0))
        assert critic.scene.note == b"NOT FOR|THIS MODE"
        assert critic.follow(A, frames=2) == "review.review" and critic.follow(B, frames=2) == "learn.menu"

    def test_10_7_matches_over_a_wire_have_no_review(self) -> None:
        critic = Critic(watcher="link.watch")
        critic.compare("review_note")
        assert critic.scene.note == b"NOT FOR MATCHES|OVER A WIRE"

    def test_10_7_a_game_without_a_lock_down_has_no_review(self) -> None:
        recorder = Recorder()
        recorder.begin_game(MARATHON, 1, Options())
        assert Critic(recorder.recorded(900)).scene.note == b"NO TETRIMINO|LOCKED DOWN"

    def test_10_7_a_game_that_filled_the_recorder_is_known_up_to_there(self) -> None:
        recording = read("fast")
        recorder = Recorder(200)
        recorder.begin_game(MARATHON, recording.seed, recording.options)
        while recording.read():
            recorder.record_edge(recording.button, recording.pressed, recording.time_ms)
        assert recorder.full and 3 < review(Recording(recorder.recorded(99_999))).number < 30

    def test_a_game_without_a_fault_says_so(self) -> None:
        critic = Critic(record(4, 99, (), 2))
        critic.step(frames=2)
        critic.compare("review_no_fault")


class TestMoments:
    def test_10_4_the_places_are_shown_in_turn(self) -> None:
        critic = Critic().finish()
        critic.wait_for_place(True)
        critic.compare("review_you")
        critic.wait_for_place(False)
        critic.compare("review_best")
        critic.wait_for_place(True)
        critic.compare("review_you")

    def test_10_4_the_hold_queue_is_light_while_the_place_needs_hold(self) -> None:
        critic = Critic((RECORDINGS / "lost.sky").read_bytes()).finish()
        critic.wait_for_place(False)
        critic.compare("review_hold")

    def test_10_4_left_and_right_choose_the_moment(self) -> None:
        critic = Critic().finish()
        shown = []
        for button in (RIGHT, RIGHT, RIGHT, LEFT):
            shown.append(critic.scene.moment.number)
            critic.tap(button)
        assert len(set(shown[:3])) == 3 and shown[0] == shown[3] == 9 and critic.scene.moment.number == shown[2]

    def test_nothing_is_drawn_between_two_turns(self) -> None:
        critic = Critic().finish()
        critic.wait_for_place(False)
        canvas = critic.canvas
        for y in range(128):
            canvas.dirty[y] = 0
        critic.scene.draw()
        assert not any(canvas.dirty)

    @pytest.mark.parametrize("button", [B, HOLD])
    def test_b_leads_back_to_learn_and_the_game_can_be_watched(self, button: int) -> None:
        critic = Critic().finish()
        assert critic.follow(button, frames=2) == "learn.menu"
        assert critic.session.last() == WITH_HOLE() and critic.follow(UP, A, frames=2) == "replay.watch"


class TestTryAgain:
    def test_10_6_practice_begins_at_the_moment(self) -> None:
        """The same Matrix, Next and Hold as when the Tetrimino came into play, before its first press."""
        critic = Critic().finish()
        assert critic.follow(A, frames=2) == "replay.practise"
        recording = Recording(WITH_HOLE())
        twin = recording.game(make_mode(MARATHON))
        replay = Replay(recording, twin)
        while not (twin.lock_downs == 9 and twin.piece):
            replay.advance(twin.time_ms + 1)
        states = comparable_state(critic.game), comparable_state(twin)
        for state in states:
            del state["options"]  # Practice adopts the present handling
        assert states[0] == states[1] and not critic.scene.is_playing()

    def test_10_6_b_in_practice_leads_back_to_the_same_moment(self) -> None:
        critic = Critic().finish()
        critic.follow(RIGHT, A, frames=2)
        critic.tap(A)
        play(critic, 2)
        critic.tap(START)
        assert critic.follow(B, frames=2) == "review.moments"
        assert critic.scene.found.at == 1 and critic.session.last() == WITH_HOLE()
        assert critic.follow(B, frames=2) == "learn.menu"

    def test_10_6_a_game_in_progress_stays_as_it_is(self) -> None:
        handheld = paused(3)
        before = comparable_state(handheld.game)
        choose(handheld, 4)
        handheld.open("review.review", WITH_HOLE(), frames=3)
        assert handheld.follow(A, frames=2) == "replay.practise"
        handheld.follow(B, B, frames=2)
        assert handheld.name == "learn.menu"
        handheld.open("menus.main", frames=2)
        assert handheld.follow(A, frames=2) == "play.play" and comparable_state(handheld.game) == before


class TestMatches:
    def replay(self, reviewer: MatchReviewer, number: int) -> Game:
        """Return the player's game when its Tetrimino came into play, in a match played by the engine alone."""
        player = MatchPlayer(MatchRecording(MATCH))
        before = 0
        while True:
            game = player.match.seats[reviewer.me].game
            if before + game.lock_downs == number and game.piece:
                return game
            if player.is_round_over():
                before += game.lock_downs
                assert player.begin_next()
            player.advance(player.match.time_ms + 1)

    @pytest.mark.slow
    def test_10_8_the_moments_of_all_rounds_are_those_of_the_person(self) -> None:
        reviewer = MatchReviewer(MatchRecording(MATCH), ZEN)
        while not reviewer.work(Clock(), 0):
            pass
        assert reviewer.number == reviewer.total == 21
        assert reviewer.player.match.options.level_of(reviewer.me) == PERSON
        for moment in reviewer.list_moments():
            shown, played = game_at(moment), self.replay(reviewer, moment.number)
            assert shown.matrix.rows == played.matrix.rows and shown.next == played.next
            assert (shown.piece, shown.hold, shown.time_ms) == (played.piece, played.hold, played.time_ms)

    def test_10_8_try_again_plays_on_alone(self) -> None:
        critic = Critic(MATCH, watcher="match.watch").finish()
        critic.compare("review_match")
        before = comparable_state(critic.scene.game)
        assert critic.follow(A, frames=2) == "replay.practise" and critic.session.variant == ZEN
        critic.tap(A)
        play(critic, 3)
        assert critic.game.lock_downs > before["lock_downs"]
        critic.tap(START)
        assert critic.follow(B, frames=2) == "review.moments" and critic.session.watcher == "match.watch"
        assert critic.follow(B, frames=2) == "learn.menu" and critic.follow(UP, A, frames=2) == "match.watch"
