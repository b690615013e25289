"""Find the other devices of a ring, show their proposals, and agree on a match without a leader.

README.md describes the bytes of a greeting. The first four are the same in every version.
"""

from firmware.compat import TYPE_CHECKING, const, ticks_diff
from firmware.engine.randomizer import Random
from firmware.link.events import read_number, write_number
from firmware.link.ring import BEAT, GREETING, HEAD, PLAY, SHARE, pass_on
from firmware.link.wire import Wire

if TYPE_CHECKING:
    from firmware.contracts import Any

VERSION = const(5)
RULES = const(1)  # grows with each change of the rules that makes the same edges give another game

MOST = const(4)
_BYTES = const(28)  # with its CRC and the bytes of COBS one write of 32
_GREET_MS = const(200)
_GONE_MS = const(1500)
_LOADING_MS = const(6000)  # a sure device may be silent this long, because a board then loads the match
_HALF = const(0x8000)
SURE = const(2)
_PAIR = const(2)  # of devices: nobody else is between them
_30_BITS = const((1 << 30) - 1)
_WISH_BITS = const((1 << 29) - 1)  # others would count in the digest alone
_LADDER = const(5)  # bits of the wish in its last byte
_MOST_DELAYS = const(2)
_A = const(65)
_Z = const(90)
_DASH = const(45)


class Member:
    """Hold the last greeting of a device.

    wish, level, delays: the options that it proposes. changes: how often they were edited. chooser: the number of the
    player who edited them last. ready: whether its player pressed READY. consent: the hash that it agrees to. sure:
    whether it knows that all others agree, too. heard_ms: when its last greeting came. ladder: the best level beaten.
    """

    share: "Any" = None  # these two are of seals.py
    view = b""

    def __init__(self, number: int, now_ms: int) -> None:
        self.number = number
        self.name = bytearray(b"---")
        self.ready = self.sure = False
        self.wish = self.ladder = self.delays = self.changes = self.consent = 0
        self.level = 1
        self.chooser = number
        self.heard_ms = now_ms

    def proposal(self) -> "tuple[int, int, int]":
        return self.wish, self.level, self.delays

    def take_name(self, source: "bytes | bytearray", at: int) -> None:
        """Take the initials from byte `at` on; replace all but capitals by dashes."""
        for i in range(3):
            letter = source[at + i]
            self.name[i] = letter if _A <= letter <= _Z else _DASH


class Lobby:
    """Greet until all devices are ready for the same match.

    me: the local Member. members: all devices with this one, sorted by number. refused: None, or the (version, rules)
    of an incompatible device. most: how many devices may play. crowded: whether there are more. lost: whether a device
    fell silent. length: the number of devices in the ring, 0 if unknown. agreed: whether the match may begin with
    `key`, `seed` and `place`, the local player's number in it. draw: returns 30 random bits. seals: None for two.
    """

    refused: "tuple[int, ...] | None"
    seals: "Any"
    draw: "Any"

    def __init__(
        self, wire: Wire, number: int, name: bytes, wish: int, level: int, now_ms: int, most: int = MOST
    ) -> None:
        self.wire = wire
        self.most = most
        self.me = Member(number & _30_BITS or 1, now_ms)
        self.me.take_name(name, 0)
        self.me.wish = wish
        self.me.level = level
        self.members = [self.me]
        self.crowded = self.lost = self.agreed = False
        self.key = self.seed = self.place = self.length = 0
        self.random = Random(0)
        self.refused = self.seals = self.draw = None
        self.refused_ms = self.crowded_ms = self.back_ms = now_ms
        self.greeted_ms = now_ms - _GREET_MS
        self.frame = bytearray(_BYTES + 2)

    def step(self, now_ms: int) -> None:
        """Handle greetings, greet, and check whether all agree."""
        wire = self.wire
        wire.poll()
        while not self.agreed:
            length = wire.receive()
            if not length:
                break
            kind = wire.frame[0] >> 4
            if kind == GREETING:
                self.accept_greeting(wire.frame, length, now_ms)
            elif kind == SHARE and self.seals:
                self.seals.accept_frame(self, length)
            elif length >= HEAD and (kind == PLAY or kind == BEAT):
                if self.is_of_agreed_match(wire.frame):
                    self.agree()  # that device has begun the match; its last greeting was lost
                pass_on(wire, length)
        if self.agreed:
            wire.push()
            return  # from now on the match handles silent devices
        self.members = [member for member in self.members if self.is_there(member, now_ms)]
        if ticks_diff(now_ms, self.back_ms) > self.find_patience_ms():
            self.length = 0
        if ticks_diff(now_ms, self.refused_ms) > _GONE_MS:
            self.refused = None
        if ticks_diff(now_ms, self.crowded_ms) > _GONE_MS:
            self.crowded = False
        self.check_agreement(now_ms)
        if ticks_diff(now_ms, self.greeted_ms) >= _GREET_MS:
            self.greet(now_ms)
        wire.push()

    def is_of_agreed_match(self, frame: bytearray) -> bool:
        """Return whether another member has sent a frame of the match to which this device agrees."""
        me = self.me
        agreed = me.ready and me.sure and frame[1] | frame[2] << 8 == self.digest() & 0xFFFF
        place = frame[3] >> 4
        return agreed and place < len(self.members) and self.members[place] is not me

    def is_there(self, member: Member, now_ms: int) -> bool:
        """Return whether a device was heard recently."""
        if member is self.me or ticks_diff(now_ms, member.heard_ms) < self.find_patience_ms():
            return True
        self.lost = True
        self.me.ready = False
        return False

    def find_patience_ms(self) -> int:
        """Return how long a device may be silent."""
        return _LOADING_MS if self.me.sure else _GONE_MS

    def accept_greeting(self, frame: bytearray, length: int, now_ms: int) -> None:
        """Accept a greeting, and pass it on unless this device sent it."""
        if length < 4:
            return
        theirs = (frame[1], frame[2] | frame[3] << 8)
        if theirs != (VERSION, RULES):
            self.refused = theirs
            self.refused_ms = now_ms
            self.me.ready = False
            pass_on(self.wire, length)
            return
        if length != _BYTES:
            return
        number = read_number(frame, 4)
        if number == self.me.number:
            self.length = (frame[0] & 15) + 1
            self.back_ms = now_ms
            return
        member = self.find(number, now_ms)
        if member:
            member.heard_ms = now_ms
            member.take_name(frame, 8)
            member.ready = frame[11] > 0
            member.sure = frame[11] == SURE
            member.wish = read_number(frame, 12) & _WISH_BITS
            member.ladder = frame[15] >> _LADDER
            member.level = min(15, max(1, frame[16]))
            member.changes = frame[17] | frame[18] << 8
            member.consent = read_number(frame, 19)
            member.chooser = read_number(frame, 23)
            member.delays = min(_MOST_DELAYS, frame[27])
            self.adopt(member)
        pass_on(self.wire, length)

    def find_tag(self, place: int) -> bytes:
        """Return the initials of a member; if others have the same, the last letter becomes its place, from 1."""
        name = bytes(self.members[place].name)
        for member in self.members:
            if member is not self.members[place] and bytes(member.name) == name:
                return b"%s%d" % (name[:2], place + 1)
        return name

    def find(self, number: int, now_ms: int) -> "Member | None":
        """Return the member with this number, a new one if needed, or None if there is no room."""
        for member in self.members:
            if member.number == number:
                return member
        if len(self.members) == self.most:
            self.crowded = True
            self.crowded_ms = now_ms
            return None
        member = Member(number, now_ms)
        self.members.append(member)
        self.members.sort(key=lambda member: member.number)
        if len(self.members) > _PAIR and not self.seals:
            from firmware.link.seals import Seals

            self.seals = Seals(self.draw)
        self.me.ready = False
        self.lost = False
        return member

    def adopt(self, member: Member) -> None:
        """Adopt the most-edited proposal; on a tie, the one from the higher player number.

        The edit count wraps. Otherwise a device that claims 65535 edits would always win.
        """
        me = self.me
        further = member.changes - me.changes & 0xFFFF
        if 0 < further < _HALF or not further and member.chooser > me.chooser:
            if member.proposal() != me.proposal():
                me.ready = False
            me.wish, me.level, me.delays = member.proposal()
            me.changes = member.changes
            me.chooser = member.chooser

    def propose(self, wish: int, level: int) -> None:
        """Propose other options, and the delays that `me` has."""
        me = self.me
        me.wish = wish
        me.level = level
        me.changes = me.changes + 1 & 0xFFFF
        me.chooser = me.number
        me.ready = False

    def digest(self) -> int:
        """Return a 30-bit hash of the members and the options; never 0.

        Seeding a generator mixes the input, so that each bit of the hash depends on all of it.
        """
        mixer = self.random
        me = self.me
        mixer.seed(me.wish)
        for member in self.members:
            mixer.seed(mixer.a ^ member.number ^ me.delays ^ me.level << 2)
        return mixer.a & _30_BITS or 1

    def is_whole(self) -> bool:
        """Return whether all devices of the ring are members: own greetings return with that number of hops."""
        return 1 < len(self.members) == self.length

    def check_agreement(self, now_ms: int) -> None:
        """Become sure once everybody agrees to the local hash, and greet at once; agree once everybody is sure.

        A device that begins earlier would leave behind devices that do not yet know that all agree.
        """
        sure = self.is_whole() and (len(self.members) == _PAIR or self.seals.is_ready(self))
        digest = self.digest()
        for member in self.members:
            if not member.ready or member is not self.me and member.consent != digest:
                sure = False
        if sure != self.me.sure:
            self.me.sure = sure
            self.greet(now_ms)
        for member in self.members:
            sure = sure and member.sure
        if sure:
            self.agree()

    def agree(self) -> None:
        """Set the seed, the key and the local player's place; end the lobby."""
        self.agreed = True
        self.seed = self.digest()
        self.key = self.seed & 0xFFFF
        self.place = self.members.index(self.me)
        self.seals = self.seals.begin(self) if len(self.members) > _PAIR else None

    def greet(self, now_ms: int) -> None:
        self.greeted_ms = now_ms
        frame = self.frame
        me = self.me
        frame[0] = GREETING << 4
        frame[1] = VERSION
        frame[2] = RULES & 255
        frame[3] = RULES >> 8
        write_number(frame, 4, me.number)
        frame[8:11] = me.name
        frame[11] = SURE if me.sure else me.ready
        write_number(frame, 12, me.wish)
        frame[15] |= me.ladder << _LADDER
        frame[16] = me.level
        frame[17] = me.changes & 255
        frame[18] = me.changes >> 8
        write_number(frame, 19, self.digest() if me.ready else 0)
        write_number(frame, 23, me.chooser)
        frame[27] = me.delays
        self.wire.send(frame, _BYTES)
        if len(self.members) > _PAIR:
            self.seals.greet(self)
