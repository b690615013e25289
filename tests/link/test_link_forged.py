"""One device of three or four lies: no two others show different winners, and none of them is put out."""

import itertools
import random
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from firmware.link.events import GONE, GUILTY, HOLD, LATE, LOCK, OUT, RISE, ROUND, START, SUM
from firmware.link.members import LIED, LOST, OVER, PAUSED, READY, WAITING
from firmware.link.ring import BEAT, HEAD, MOST_HOPS, PLAY
from tests.support.handhelds.liars import Liar, Rewrite, arrange, play_out
from tests.support.handhelds.ring_harness import make_event

Frames = Iterable[bytes | bytearray]
EVENTS = ("leave", "out", "gone", "liar", "lock", "start", "round", "sum", "rise", "late", "hold")


def forge_news(name: str, time_ms: int, player: int, other: int, run: int) -> bytes:
    """Return an event that a liar might report of a player, here with its time."""
    event = {
        "leave": make_event(GONE, time_ms, 0, 0, low=player),
        "out": make_event(OUT, time_ms, low=2),
        "gone": make_event(GONE, time_ms, 3, 0, low=other),
        "liar": make_event(GONE, time_ms, 3, GUILTY >> 8, low=other),
        "lock": make_event(LOCK, time_ms, 1 << 5, 6, 13, 0, 0, 0),
        "start": make_event(START, time_ms, run + 1 & 31, 0, 0, 0),
        "round": make_event(ROUND, 0, 1),
        "sum": make_event(SUM, time_ms, 1, 2, 3, 4),
        "rise": make_event(RISE, time_ms, 3),
        "late": make_event(LATE, time_ms, 3, low=other),
        "hold": make_event(HOLD, time_ms),
    }[name]
    return bytes(event)


def once(liar: Liar, frame: bytearray) -> bool:
    """Return whether the liar has not lied yet and has heard a frame of all others; note that it lies now."""
    ready = not liar.told and all(player in liar.last for player in liar.others) and frame[3] >> 4 == liar.me
    liar.told += ready
    return ready


def forge_event(name: str) -> Rewrite:
    """Return a lie: one play of the device before the liar, which has the longest way to its own frame."""

    def rewrite(liar: Liar, frame: bytearray) -> Frames:
        if once(liar, frame):
            player, other = liar.others[-1], liar.others[0]
            run = liar.side.session.clock.run
            yield liar.forge(player, PLAY, forge_news(name, liar.time_ms, player, other, run))
        yield frame

    return rewrite


def forge_state(state: int) -> Rewrite:
    """Return a lie: each beat and play of the others also comes in this state."""

    def rewrite(liar: Liar, frame: bytearray) -> Frames:
        yield frame
        player = frame[3] >> 4
        if player != liar.me:
            yield liar.forge(player, BEAT, state=state)

    return rewrite


def alter(at: int, bit: int = 1) -> Rewrite:
    """Return a lie: one byte of others' plays changes, at `at`."""

    def rewrite(liar: Liar, frame: bytearray) -> Frames:
        if frame[3] >> 4 != liar.me and at < len(frame) and (at < HEAD or frame[0] >> 4 == PLAY):
            frame[at] ^= bit
        yield frame

    return rewrite


def replay_plays(liar: Liar, frame: bytearray) -> Frames:
    """Send all plays of the others again, with the number of the next one."""
    yield frame
    player = liar.others[-1]
    if frame[3] >> 4 == player:
        for play in liar.plays.get(player, [])[-8:]:
            copied = bytearray(play)
            copied[4] = liar.last[player][4]
            yield copied


def mark_all(liar: Liar, frame: bytearray) -> Frames:
    """Drop the plays of another, but say in its beats that all have accepted them."""
    if frame[3] >> 4 == liar.me:
        yield frame
    elif frame[0] >> 4 == BEAT:
        frame[3] |= 15
        yield frame


def drop_plays_for_a_while(liar: Liar, frame: bytearray) -> Frames:
    liar.told += 1
    if frame[0] >> 4 != PLAY or frame[3] >> 4 == liar.me or liar.told > 300:
        yield frame


def lengthen(liar: Liar, frame: bytearray) -> Frames:
    """Put two zeros between the events of others' plays and the seal."""
    size = liar.side.session.ring.seals.bytes
    if frame[3] >> 4 != liar.me and frame[0] >> 4 == PLAY and len(frame) < 60:
        frame[-size:-size] = bytes(2)
    yield frame


def claim_hops(liar: Liar, frame: bytearray) -> Frames:
    frame[0] = frame[0] & 0xF0 | liar.told % (MOST_HOPS + 1)
    liar.told += 1
    yield frame


def tell_one_only(name: str) -> Rewrite:
    """Return a lie in the own name that only the next device hears; the later ones hear another."""

    def rewrite(liar: Liar, frame: bytearray) -> Frames:
        if once(liar, frame):
            ring = liar.side.session.ring
            run = liar.side.session.clock.run
            number = ring.first + ring.waiting & 255
            says: tuple[tuple[int, str], ...] = ((MOST_HOPS, name), (0, "hold"))
            for hops, told in says:
                play = bytearray(64)
                said = forge_news(told, liar.time_ms + 1, liar.me, liar.others[0], run)
                ring.write_head(play, PLAY, number, liar.time_ms)
                play[HEAD : HEAD + len(said)] = said
                play[3] = liar.me << 4
                play[5] = ring.status
                length = ring.seals.sign(play, HEAD + len(said))
                play[0] |= hops
                yield play[:length]
            ring.first = ring.first + 1 & 255
        yield frame

    return rewrite


def report_nothing_to_the_last(liar: Liar, frame: bytearray) -> Frames:
    """Let only the next device hear the own plays."""
    if frame[3] >> 4 == liar.me and frame[0] >> 4 == PLAY:
        frame[0] |= MOST_HOPS
    yield frame


LIES: dict[str, Rewrite] = {
    **{f"forged {name}": forge_event(name) for name in EVENTS},
    **{f"forged state {state}": forge_state(state) for state in (WAITING, PAUSED, OVER, READY, LOST, LIED)},
    **{f"told one only: {name}": tell_one_only(name) for name in EVENTS},
    "altered kind and bits of an event": alter(HEAD, 16),
    "altered event": alter(HEAD + 4, 8),
    "altered time of an event": alter(HEAD + 2),
    "altered known time": alter(7, 4),
    "altered status": alter(5, 32),
    "altered clock": alter(10, 16),
    "altered number of a play": alter(4),
    "altered player": alter(3, 16),
    "altered length": lengthen,
    "replayed plays": replay_plays,
    "marks of acceptance": mark_all,
    "plays dropped for a while": drop_plays_for_a_while,
    "hops": claim_hops,
    "own plays to one only": report_nothing_to_the_last,
}
ORDERS: dict[int, list[tuple[int, ...]]] = {
    3: list(itertools.permutations(range(3))),
    4: [(0, 1, 2, 3), (1, 3, 0, 2), (2, 0, 3, 1), (3, 2, 1, 0)],
}


def lie_in(name: str, orders: list[tuple[int, ...]]) -> None:
    for order in orders:
        ring = arrange(len(order), order, quicken_s=0)
        play_out(ring, Liar(ring, 0, LIES[name]))


@pytest.mark.no_cover
@pytest.mark.parametrize("name", LIES)
def test_a_lie_splits_no_result_and_puts_no_honest_player_out(name: str) -> None:
    """In one order of three or four players round the ring; the next lie has another one."""
    place = list(LIES).index(name)
    orders = ORDERS[3 + place % 2]
    lie_in(name, [orders[place // 2 % len(orders)]])


@pytest.mark.every
@pytest.mark.no_cover
@pytest.mark.parametrize("count", ORDERS)
@pytest.mark.parametrize("name", LIES)
def test_a_lie_in_any_order_of_the_players_splits_no_result(name: str, count: int) -> None:
    lie_in(name, ORDERS[count])


@dataclass
class Mood:
    """How a liar by chance lies, for a while."""

    chance: random.Random
    until: int = 0
    deed: str = ""
    player: int = 0
    at: int = 0
    bit: int = 1
    often: float = 1


DEEDS = ("alter", "drop", "repeat", "forge", "state", "mark", "hops", "own", "one", "nothing")


def lie_by_chance(seed: int) -> Rewrite:
    """Return lies that change every few hundred frames; none is silent for 30 s, which is no lie but a pulled cable."""
    mood = Mood(random.Random(seed))
    chance = mood.chance

    def rewrite(liar: Liar, frame: bytearray) -> Frames:
        liar.told += 1
        if liar.told > mood.until:
            mood.until = liar.told + chance.choice((1, 5, 40, 200))
            mood.deed = chance.choice(DEEDS)
            mood.player = chance.choice(liar.others)
            mood.at = chance.choice((3, 4, 5, 6, 7, 8, 9, 10, chance.randrange(len(frame))))
            mood.bit = 1 << chance.randrange(8)
            mood.often = chance.choice((0.05, 0.5, 1))
        return list(change(liar, frame, mood))

    return rewrite


def change(liar: Liar, frame: bytearray, mood: Mood) -> Frames:
    chance = mood.chance
    player = frame[3] >> 4
    if frame[0] >> 4 not in (PLAY, BEAT) or chance.random() > mood.often or mood.player not in liar.last:
        yield frame
    elif mood.deed in ("forge", "own"):
        yield frame
        run = liar.side.session.clock.run
        source = mood.player if mood.deed == "forge" else liar.me
        said = forge_news(chance.choice(EVENTS), liar.time_ms, source, chance.choice(liar.others), run)
        if mood.deed == "forge":
            yield liar.forge(source, PLAY, said)
        elif not liar.side.session.ring.events.used:
            events = liar.side.session.match.events
            at = events.reserve(said[0], liar.time_ms)
            events.buffer[at : at + len(said)] = said
    elif mood.deed == "state":
        yield frame
        yield liar.forge(mood.player, BEAT, state=chance.randrange(8), more=chance.randrange(3))
    elif mood.deed == "repeat":
        yield frame
        yield liar.last[mood.player]
        yield from liar.plays.get(mood.player, [])[-3:]
    elif mood.deed == "one" and player == liar.me:
        frame[0] |= MOST_HOPS
        yield frame
    elif player != mood.player or mood.deed == "one":
        yield frame
    elif mood.deed != "drop":
        if mood.deed == "alter":
            frame[mood.at % len(frame)] ^= mood.bit
        elif mood.deed == "mark":
            frame[3] |= 15
        elif mood.deed == "hops":
            frame[0] = frame[0] & 0xF0 | chance.randrange(MOST_HOPS + 1)
        yield frame


def play_with_random_lies(seed: int) -> None:
    chance = random.Random(seed)
    count = chance.choice((3, 3, 4))
    ring = arrange(count, chance.sample(range(count), count), seed, quicken_s=0)
    play_out(ring, Liar(ring, 0, lie_by_chance(seed)), chance.choice((500, 3000, 10_000)))


@pytest.mark.no_cover
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.every) for part in range(1, 10))])
def test_random_lies_split_no_result(part: int) -> None:
    for seed in range(part * 20, part * 20 + 20):
        play_with_random_lies(seed)


@pytest.mark.long
@pytest.mark.no_cover
@pytest.mark.parametrize("part", range(100))
def test_ten_thousand_random_lies_split_no_result(part: int) -> None:
    for seed in range(1000 + part * 100, 1000 + part * 100 + 100):
        play_with_random_lies(seed)
