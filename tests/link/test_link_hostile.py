"""One handheld on the ring lies: the others name it if they can, and lose nothing (firmware/link)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest

from firmware.engine import controls
from firmware.link.events import CLEAR, GONE, HOLD, OUT, RISE, ROUND
from firmware.link.members import LIED, LOST, RUNNING
from firmware.link.ring import BEAT, HEAD, PLAY
from firmware.link.wire import Wire
from firmware.match.seat import NOT_YET
from firmware.save import match_choices
from firmware.save.recordings.link_recording import LinkPlayer, LinkRecording
from tests.support.handhelds.linked import DOWN, NAMES, Linked, Table
from tests.support.handhelds.ring_harness import arm

UP, A = controls.HARD_DROP, controls.ROTATE_CW
FLOATING_Y = 10
FULL_NEWS = 384
REST_FRAMES = 60
CAVE = b"\x08\x08\x08\0\0\0\0\x08\x08\0"
ROOF = b"\x08\x08\x08\x08\x08\x08\x08\x08\x08\0"


@dataclass(frozen=True)
class Strategy:
    """A liar's act, done once or `again` in every frame, and the accusation that the others show.

    said: "" if they cannot know the liar.  rule: the index of a choice for the match.  armed: whether every I clears
    four lines.  wait_ms: the longest time until the accusation.  least: the fewest players.  early: whether the liar
    acts before the first start. shared: whether another of three may have caused what the others see.
    """

    act: Callable[[Linked], Any]
    said: str = "SENT BAD DATA"
    rule: int = 0
    armed: bool = False
    wait_ms: int = 3_000
    least: int = 2
    again: bool = False
    early: bool = False
    shared: bool = False


def report_lock(liar: Linked, x: int, y: int, rest: bytes = bytes(3), **forged: int) -> None:
    """Report a Lock Down of the Tetrimino in play facing North; `forged` replaces values."""
    session = liar.scene.session
    hand = session.match.seats[session.me].hand
    packed = forged.get("piece", hand.piece) << 5 | forged.get("facing", 0) << 3 | hand.hold
    time_ms = forged.get("time_ms", session.match.time_ms)
    session.match.events.add_lock(forged.get("targets", 0), time_ms, packed, x + 3, y + 3, *rest)


def find_floor(liar: Linked) -> int:
    """Return the row of the Tetrimino's box when the Tetrimino lies on the floor."""
    return -2 if liar.match.seats[liar.match.me].hand.piece == 1 else -1


def report(liar: Linked, kind: int, low: int = 0, ms: int = 0, *rest: int, times: int = 1) -> None:
    for _ in range(times):
        liar.match.events.add(kind << 4 | low, liar.match.time_ms + ms, *rest)


def report_drop(liar: Linked, *rest: int, **forged: int) -> None:
    """Report a Lock Down on the floor with these lines sent, countered and queued."""
    report_lock(liar, 3, find_floor(liar), bytes(rest or 3), **forged)


def lock_on_blocks(liar: Linked) -> None:
    arm(liar.match)
    report_lock(liar, 3, 0, facing=1)


def lock_in_a_cave(liar: Linked) -> None:
    for handheld in liar.table.handhelds:
        matrix = handheld.match.seats[liar.match.me].game.matrix
        for y, row in enumerate((CAVE, CAVE, CAVE, ROOF)):
            matrix.set_row(y, row)
    report_drop(liar)


def report_ten_tetrises(liar: Linked) -> None:
    for _ in range(10):
        report_lock(liar, 3, 0, facing=1)
        report(liar, CLEAR, 4, 300)


def rise_forty_from_the_queue(liar: Linked) -> None:
    report_drop(liar, 0, 0, 40)
    report(liar, RISE, 0, 0, 40)


def report_nothing(liar: Linked) -> None:
    """Send beats, but no events."""
    ring: Any = liar.scene.session.ring
    ring.events.clear()
    send = type(ring).send
    known_ms = ring.told_ms
    ring.send = lambda _time_ms, now_ms, status: (ring.events.clear(), send(ring, known_ms, now_ms, status))


def lock_another_tetrimino(liar: Linked) -> None:
    piece = liar.match.seats[liar.match.me].hand.piece % 7 + 1
    report_lock(liar, 3, -2 if piece == 1 else -1, piece=piece)


def play_on_after_out(liar: Linked) -> None:
    report(liar, OUT, 2)
    report_drop(liar, time_ms=liar.match.time_ms + 1)


def call_a_start_of_others(liar: Linked, ahead: int = 1, lead_ms: int = 3000) -> None:
    session = liar.scene.session
    moment = liar.clock.ticks_ms() + lead_ms & 0xFFFF
    session.match.events.add_start(session.match.time_ms, session.clock.run + ahead, session.match.round & 255, moment)


def call_a_start(liar: Linked, ahead: int = 1, lead_ms: int = 3000) -> None:
    """Call a start but do not begin, and accuse nobody of waiting."""
    call_a_start_of_others(liar, ahead, lead_ms)
    session: Any = liar.scene.session
    session.clock.run += ahead
    session.stalls.watch = lambda *_: 0


def flood(liar: Linked) -> None:
    """Send a kilobyte a frame: beats with the key, and unknown frames."""
    session = liar.scene.session
    frame = bytearray(64)
    for number in range(16):
        session.ring.write_head(frame, (BEAT, PLAY, 9)[number % 3], number * 31 & 255, number)
        frame[3] = session.me << 4
        session.ring.wire.send(frame, 30)
    session.ring.wire.push()


IN_CO_OP: dict[str, Any] = {"rule": match_choices.TOGETHER}
SILENT: dict[str, Any] = {"said": "IS SILENT", "wait_ms": 65_000, "shared": True}
SHARED: dict[str, Any] = {"shared": True}
NO_RESULT = "NO RESULT SOMEONE LIED A_NEXT"
FLOATING = Strategy(lambda liar: report_lock(liar, 3, FLOATING_Y))
STRATEGIES = {
    "a Lock Down that floats": FLOATING,
    "a Lock Down in the wall": Strategy(lambda liar: report_lock(liar, -2, find_floor(liar))),
    "a Lock Down on Blocks": Strategy(lock_on_blocks, armed=True),
    "a Lock Down in a closed cave": Strategy(lock_in_a_cave, armed=True),
    "255 lines sent and nothing cleared": Strategy(
        lambda liar: report_drop(liar, 255, 0, 0, targets=7 & ~(1 << liar.match.me))
    ),
    "CLEAR 4 ten times in a millisecond": Strategy(lambda liar: report(liar, CLEAR, 4, times=10), **IN_CO_OP),
    "ten Tetrises in a millisecond": Strategy(report_ten_tetrises, armed=True, **IN_CO_OP),
    "RISE 40 without OUT": Strategy(lambda liar: report(liar, RISE, 0, 0, 40)),
    "RISE 40 that nobody sent": Strategy(rise_forty_from_the_queue),
    "GONE of one who is connected": Strategy(
        lambda liar: report(liar, GONE, (liar.match.me + 1) % 3), least=3, **SHARED
    ),
    "beats without news": Strategy(report_nothing, **SILENT),
    "a Tetrimino that the bag has not given": Strategy(lock_another_tetrimino),
    "countered more than it had": Strategy(
        lambda liar: report_lock(liar, 3, 0, bytes([0, 4, 0]), facing=1), armed=True, **SHARED
    ),
    "time that goes backwards": Strategy(lambda liar: report_drop(liar, time_ms=liar.scene.session.ring.told_ms - 500)),
    "an event of tomorrow": Strategy(lambda liar: liar.match.events.add(OUT << 4 | 1, (1 << 24) - 1), **SHARED),
    "a Lock Down after OUT": Strategy(play_on_after_out, least=3),
    "HOLD twice for one Tetrimino": Strategy(lambda liar: report(liar, HOLD, times=2)),
    "ROUND while it is played": Strategy(
        lambda liar: liar.match.events.add(ROUND << 4, 0, liar.match.round + 1 & 255), **SHARED
    ),
    "GONE of one who does not play": Strategy(lambda liar: report(liar, GONE, 9), **SHARED),
    "GONE of oneself 50 s ahead": Strategy(lambda liar: report(liar, GONE, liar.match.me, 50_000), **SHARED),
    "START of the others alone": Strategy(call_a_start_of_others, **SHARED),
    "START of the others, before": Strategy(call_a_start_of_others, early=True, **SHARED),
    "START before the first one": Strategy(call_a_start, early=True, **SILENT),
    "START 30 s ahead, before": Strategy(lambda liar: call_a_start(liar, lead_ms=30_000), early=True, **SILENT),
    "START 15 runs ahead, before": Strategy(lambda liar: call_a_start(liar, ahead=15), early=True, **SILENT),
    "START of a match that runs": Strategy(call_a_start, **SILENT),
    "START 20 s ago": Strategy(lambda liar: call_a_start(liar, lead_ms=-20_000), **SILENT),
    "200 lines queued that nobody sent": Strategy(lambda liar: report_drop(liar, 0, 0, 200), **SHARED),
    "a flood of frames": Strategy(flood, "", again=True),
}


# All that the others cover.
COVERING = {("a flood of frames", 2), ("a Lock Down in a closed cave", 2)}


def begin(count: int, strategy: Strategy) -> Table:
    """Return a table whose match runs; if the strategy is early, it is about to start."""
    table = Table(count).meet()
    if strategy.rule:
        choices = match_choices.unpack(table.lobby(0).me.wish)
        choices[strategy.rule] = 1
        table.lobby(0).propose(match_choices.pack(choices), 1)
        table.step(40)
    if strategy.early:
        table.agree()
        return table
    table.start_match()
    if strategy.armed:
        for handheld in table.handhelds:
            arm(handheld.match)
    table.wait(lambda: all(handheld.match.time_ms > 1000 for handheld in table.handhelds))
    return table


def act_and_watch(table: Table, liar: Linked, strategy: Strategy) -> list[set[str]]:
    """Let the liar act; return the messages that each screen showed meanwhile."""
    strategy.act(liar)
    said: list[set[str]] = [set() for _ in table.handhelds]
    sessions = [handheld.scene.session for handheld in table.handhelds[:-1]]
    for _ in range(strategy.wait_ms // 17):
        table.step()
        for seen, handheld in zip(said, table.handhelds, strict=True):
            if handheld.name == "link.play":
                seen.add(handheld.scene.said)
        if strategy.again:
            strategy.act(liar)
        elif all(one.state >= LOST or one.members.accused and one.is_running() for one in sessions):
            break
    table.step(40)
    return said


# One test: each strategy plays a whole match, and all of this must hold after every lie.
@pytest.mark.parametrize(
    ("name", "count"),
    [
        pytest.param(name, count, marks=[] if (name, count) in COVERING else pytest.mark.no_cover)
        for name in STRATEGIES
        for count in (2, 3)
        if count >= STRATEGIES[name].least
    ],
)
def test_a_proved_liar_is_out_and_any_other_lie_ends_the_match(name: str, count: int) -> None:
    strategy = STRATEGIES[name]
    table = begin(count, strategy)
    liar, others = table.handhelds[-1], table.handhelds[:-1]
    for handheld in others:
        handheld.context.save_settings()
    saves = [([bytes(bank.image) for bank in one.banks], vars(one.settings).copy()) for one in others]
    said = act_and_watch(table, liar, strategy)
    words = f"{NAMES[count - 1].decode()} {strategy.said}" if strategy.said else ""
    together = strategy.shared and count == 3
    for place, handheld in enumerate(others):
        if together:
            assert {NO_RESULT, "CAT PUT ANN OUT NOBODY WINS A_NEXT"} & said[place], said[place]
            assert handheld.scene.session.state == LIED and not handheld.scene.session.members.accused
        else:
            assert any(line.startswith(words) for line in said[place]), said[place]
        check_honest(handheld, liar.match.me, strategy)
    if not strategy.said:
        finish(table, range(1, count))
    if strategy.said and count == 2:
        assert others[0].scene.session.state == LOST and others[0].scene.said.endswith("NOBODY WINS A_NEXT")
        assert liar.scene.said == "ANN PUT BOB OUT NOBODY WINS A_NEXT"
    if strategy.said and count == 3 and not together:
        assert liar.scene.session.state in (LOST, LIED)
        assert liar.scene.said in {f"{name} PUT CAT OUT NOBODY WINS A_NEXT" for name in ("ANN", "BOB")}
        for handheld in others:
            assert handheld.scene.session.state == RUNNING and handheld.match.seats[table.number(2)].out_ms != NOT_YET
        # In co-op the round ends when both are out.
        finish(table, (1, 0) if others[0].match.options.aim else (0,))
        assert all(handheld.scene.said.startswith("CAT ") for handheld in others)
    assert [([bytes(bank.image) for bank in one.banks], vars(one.settings)) for one in others] == saves


def check_honest(handheld: Linked, liar: int, strategy: Strategy) -> None:
    """Check that a lie neither broke the match of a player who told none, nor won it."""
    match = handheld.match
    assert handheld.scene.session.members.accused in (0, 1 << liar)
    assert len(match.events.buffer) == FULL_NEWS
    assert max(seat.game.matrix.top for seat in match.seats) <= 40
    assert match.winner != match.seats[liar].team or not strategy.said
    assert not any(match.wins)
    if not strategy.armed:
        LinkPlayer(LinkRecording(handheld.scene.noted.replay())).play()


def drop_until_out(table: Table, places: Iterable[int]) -> None:
    for place in places:
        table.wait(lambda place=place: table.drop(place) and table[place].own_seat.out_ms != NOT_YET)  # type: ignore[misc]


def finish(table: Table, places: Iterable[int]) -> None:
    """Top out these players; check that the round ends alike for all who are left."""
    left = [handheld for handheld in table.handhelds if handheld.scene.session.state < LOST]
    drop_until_out(table, places)
    table.wait(lambda: all(handheld.match.over for handheld in left))
    table.step(5)
    assert len({(handheld.match.ends_ms, handheld.match.winner, handheld.match.hash()) for handheld in left}) == 1


@pytest.mark.no_cover
@pytest.mark.parametrize("count", [2, 3])
def test_a_finished_round_waits_limited_time_for_reports(count: int) -> None:
    table = begin(count, STRATEGIES["beats without news"])
    liar, others = table.handhelds[-1], table.handhelds[:-1]
    drop_until_out(table, range(1, count - 1))
    report_nothing(liar)
    drop_until_out(table, (0,))
    mine = others[0].match
    table.step(60)
    assert not mine.over and others[0].scene.session.state == RUNNING

    table.wait(lambda: all(handheld.scene.session.state >= LOST for handheld in others))

    table.step(60)
    words = "BOB IS SILENT NOBODY WINS A_NEXT" if count == 2 else NO_RESULT
    assert {handheld.scene.said for handheld in others} == {words}


def test_a_match_of_three_without_a_result_says_so_here_and_in_the_lobby() -> None:
    table = begin(3, FLOATING)
    STRATEGIES["an event of tomorrow"].act(table[2])
    table.wait(lambda: all(handheld.scene.session.state == LIED for handheld in table.handhelds))
    table.step(REST_FRAMES)
    assert {handheld.scene.said for handheld in table.handhelds} == {NO_RESULT}
    table[0].compare("no_result")

    for place in range(3):
        table.tap(place, A)
    table.step(5)
    assert {handheld.scene.reason for handheld in table.handhelds} == {b"SOMEBODY LIED:|NO RESULT"}


def test_the_match_up_to_a_lie_can_be_watched() -> None:
    table = begin(2, FLOATING)
    table.tap(1, UP, frames=30)
    FLOATING.act(table[1])
    table.wait(lambda: table[0].scene.session.state == LOST)
    table.step(2)
    table[0].compare("wrong_news")

    table[0].go("link.watch")
    table.step(1)
    table.wait(lambda: table[0].scene.finished)
    table.step()

    assert table[0].match.seats[table.number(1)].game.lock_downs == 1 and not table[0].scene.view.message


@pytest.mark.parametrize("forbidden", [True, False])
def test_a_recording_is_watched_up_to_an_impossible_event(forbidden: bool) -> None:
    """An event that the rules forbid, or one that is cut off."""
    table = begin(2, FLOATING)
    table.step(100)
    session = table[0].scene.session
    noted, events = session.match.recorder, table[1].match.events
    events.clear()
    FLOATING.act(table[1])
    floating_lock = events.buffer[:10]
    events.clear()
    if forbidden:
        noted.note_event(1 - session.me, floating_lock, 0, session.match.time_ms)
    else:
        noted.recorder.put(3 << 4)
    noted.note_event(1 - session.me, floating_lock, 0, session.match.time_ms)
    noted.stop(session.match.time_ms + 1000)
    blob = noted.replay()

    table[0].go("link.watch", blob)
    for _ in range(2):
        table.step(1)
        table.wait(lambda: table[0].scene.finished)
        table.step(2)
        assert table[0].scene.view.message == "REST IS DAMAGED"
        table.tap(0, A)
    with pytest.raises(ValueError, match=r"cannot have done that|does not end"):
        LinkPlayer(LinkRecording(blob)).play()


class TestForged:
    @pytest.mark.parametrize("kind", [PLAY, BEAT])
    def test_a_forged_frame_does_not_begin_a_match_alone(self, kind: int) -> None:
        """A forged frame with the lobby's key, to a ready device without partners."""
        table = Table(2, "match.menu")
        table.tap(0, DOWN, A, frames=60)
        table.tap(0, A)
        lobby = table.lobby(0)
        assert lobby.me.ready
        for sure in (False, True):
            lobby.me.sure = sure
            for place in range(4):
                forge(lobby, table[1].device.link, kind, place)
            table.step(3)
            assert table[0].name == "link.lobby" and not lobby.agreed
        table.step(60)
        assert table[0].scene.lobby is lobby

    @pytest.mark.parametrize("kind", [PLAY, BEAT])
    @pytest.mark.parametrize("place", [0, 1, 2, 15])
    def test_only_a_frame_of_another_agreed_player_begins_the_match(self, place: int, kind: int) -> None:
        """Neither a frame of an unknown player nor one of the own number begins it."""
        table = Table(3).meet()
        lobby = table.lobby(0)
        others = [table.lobby(number) for number in (1, 2)]
        lobby.me.ready = lobby.me.sure = True
        forge(lobby, table[2].device.link, kind, place)
        table.now_ms += 17
        table.lines[2].now_ms = table.now_ms
        lobby.step(table[0].clock.now_ms)
        mine = lobby.members.index(lobby.me)
        assert lobby.agreed == (place < 3 and place != mine) and not any(other.agreed for other in others)

    def test_a_player_no_longer_ready_begins_no_match(self) -> None:
        """A forged frame has the right key but the player is not ready."""
        table = Table(3).meet()
        lobby = table.lobby(0)
        lobby.me.sure = True
        forge(lobby, table[2].device.link, PLAY, (lobby.members.index(lobby.me) + 1) % 3)
        table.lines[2].now_ms += 100
        lobby.step(table[0].clock.now_ms)
        assert not lobby.agreed


def forge(lobby: Any, pipe: Any, kind: int, place: int) -> None:
    """Send the lobby a frame of a match that has not begun."""
    frame = bytearray(HEAD + 2)
    key = lobby.digest() & 0xFFFF
    frame[:4] = bytes([kind << 4, key & 255, key >> 8, place << 4])
    wire = Wire(pipe)
    wire.send(frame, HEAD)
    wire.push()
