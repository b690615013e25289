"""Seal the frames of three or four devices, so that none can forge, alter or repeat another's frame.

A seal is a serial, and a tag for each other player: HalfSipHash-2-4 of the frame, under a key that two players share.
README.md describes it. Two devices have nobody between them: they neither load nor send any of this.
"""

from array import array

from firmware.compat import TYPE_CHECKING, const
from firmware.link.events import read_number, write_number
from firmware.link.ring import HEAD, SHARE, pass_on

if TYPE_CHECKING:
    from firmware.contracts import Any, Blob, Callable

_SHARE_BYTES = const(21)
_SHARE_AT = const(9)
_TAG_AT = const(17)
_HALVES = const(4)  # of a key or a share: numbers of 16 bits
_TAG_BYTES = const(4)
_24_BITS = const((1 << 24) - 1)
_HALF = const(0x8000)


class Seals:
    """Agree on keys in the lobby; then sign own frames, and check those of others.

    draw: returns 30 random bits. bytes: how long a seal is. keys: of this device with each player. serial: of the last
    own frame. heard: the serial of each player's last frame. broken: a bit for each player whose last frame has a wrong
    seal. low, high: the halves of the last tag.
    """

    def __init__(self, draw: "Callable[[], int]") -> None:
        self.secret = array("H", [draw() & 0xFFFF for _ in range(_HALVES)])
        self.me = self.bytes = self.serial = self.broken = self.low = self.high = 0
        self.keys: "list[array[int]]" = []
        self.heard: "list[int]" = []

    def describe(self, lobby: "Any") -> bytes:
        """Return the members and options of a lobby as bytes: two devices must see the same."""
        text = bytearray(4 * len(lobby.members) + 6)
        for place in range(len(lobby.members)):
            write_number(text, 4 * place, lobby.members[place].number)
        write_number(text, len(text) - 6, lobby.me.wish)
        text[len(text) - 2] = lobby.me.level
        text[len(text) - 1] = lobby.me.delays
        return bytes(text)

    def draw_key(self, key: "array[int]", text: "Blob") -> "array[int]":
        """Return the key that a text gives under another key."""
        found = array("H", bytes(2 * _HALVES))
        for i in range(2):
            self.find_tag(key, bytes(text) + bytes([i]), len(text) + 1)
            found[2 * i] = self.low
            found[2 * i + 1] = self.high
        return found

    def share_with(self, member: "Any") -> "array[int]":
        """Return this device's share for a member: the same one during a visit to the lobby."""
        text = bytearray(4)
        write_number(text, 0, member.number)
        return self.draw_key(self.secret, text)

    def tag_share(self, frame: "Blob", member: "Any", lobby: "Any") -> None:
        """Find the tag of a share between this device and a member."""
        key = self.share_with(member)
        for i in range(_HALVES):
            key[i] ^= member.share[i]
        text = bytes(frame[1:_TAG_AT]) + self.describe(lobby)
        self.find_tag(key, text, len(text))

    def greet(self, lobby: "Any") -> None:
        """Send a share to each member who is not sure, with a tag once its own share is known."""
        frame = bytearray(_SHARE_BYTES + 2)
        for member in lobby.members:
            if member is lobby.me or member.sure:
                continue
            frame[0] = SHARE << 4
            write_number(frame, 1, lobby.me.number)
            write_number(frame, 5, member.number)
            share = self.share_with(member)
            for i in range(_HALVES):
                frame[_SHARE_AT + 2 * i] = share[i] & 255
                frame[_SHARE_AT + 2 * i + 1] = share[i] >> 8
            self.low = self.high = 0
            if member.share:
                self.tag_share(frame, member, lobby)
            self.write_tag(frame, _TAG_AT)
            lobby.wire.send(frame, _SHARE_BYTES)

    def accept_frame(self, lobby: "Any", length: int) -> None:
        """Take a share from or for this device out of the ring, and pass on any other.

        A member's share counts until it has proved to have the same key; then only its proofs do.
        """
        frame = lobby.wire.frame
        number = read_number(frame, 1)
        if number == lobby.me.number or length != _SHARE_BYTES:
            return
        if read_number(frame, 5) != lobby.me.number:
            pass_on(lobby.wire, length)
            return
        for member in lobby.members:
            if member.number == number:
                if not member.view:
                    member.share = array("H", bytes(2 * _HALVES))
                    for i in range(_HALVES):
                        at = _SHARE_AT + 2 * i
                        member.share[i] = frame[at] | frame[at + 1] << 8
                self.tag_share(frame, member, lobby)
                if self.is_tag(frame, _TAG_AT):
                    member.view = self.describe(lobby)

    def is_ready(self, lobby: "Any") -> bool:
        """Return whether each member has proved to have the same key, members and options."""
        text = self.describe(lobby)
        for member in lobby.members:
            if member is not lobby.me and member.view != text:
                return False
        return True

    def begin(self, lobby: "Any") -> "Seals":
        """Make the keys of the match that the members agreed on; return the Seals."""
        text = self.describe(lobby)
        self.me = lobby.members.index(lobby.me)
        self.bytes = 2 + _TAG_BYTES * (len(lobby.members) - 1)
        self.heard = [0] * len(lobby.members)
        for member in lobby.members:
            key = self.share_with(member)
            for i in range(_HALVES):
                key[i] ^= member.share[i] if member.share else 0
            self.keys.append(self.draw_key(key, text))
        return self

    def sign(self, frame: bytearray, length: int) -> int:
        """Add the seal to an own frame; return its new length."""
        self.serial = serial = self.serial + 1 & _24_BITS
        at = length
        frame[at] = serial & 255
        frame[at + 1] = serial >> 8 & 255
        at += 2
        for player in range(len(self.keys)):
            if player != self.me:
                self.tag_frame(frame, length, player, serial)
                self.write_tag(frame, at)
                at += _TAG_BYTES
        return at

    def check(self, frame: bytearray, length: int) -> int:
        """Return the length of another player's frame without its seal; 0 if the seal is wrong or was heard before."""
        length -= self.bytes
        if length < HEAD:
            return 0
        player = frame[3] >> 4
        ahead = (frame[length] | frame[length + 1] << 8) - self.heard[player] & 0xFFFF
        if not ahead or ahead >= _HALF:
            return 0  # an old one; those of a dead device go round until their hops end
        serial = self.heard[player] + ahead & _24_BITS
        self.tag_frame(frame, length, player, serial)
        if not self.is_tag(frame, length + 2 + _TAG_BYTES * (self.me - (self.me > player))):
            self.broken |= 1 << player
            return 0
        self.broken &= ~(1 << player)
        self.heard[player] = serial
        return length

    def tag_frame(self, frame: bytearray, length: int, player: int, serial: int) -> None:
        """Find the tag of a frame between this device and `player`; hops, key and marks of the frame do not count."""
        first = frame[0]
        second = frame[1]
        third = frame[2]
        fourth = frame[3]
        frame[0] = first & 0xF0 | fourth >> 4
        frame[1] = serial & 255
        frame[2] = serial >> 8 & 255
        frame[3] = serial >> 16
        self.find_tag(self.keys[player], frame, length)
        frame[0] = first
        frame[1] = second
        frame[2] = third
        frame[3] = fourth

    def write_tag(self, frame: bytearray, at: int) -> None:
        frame[at] = self.low & 255
        frame[at + 1] = self.low >> 8
        frame[at + 2] = self.high & 255
        frame[at + 3] = self.high >> 8

    def is_tag(self, frame: bytearray, at: int) -> bool:
        """Return whether a frame has the last tag."""
        low = frame[at] | frame[at + 1] << 8
        return low == self.low and frame[at + 2] | frame[at + 3] << 8 == self.high

    def find_tag(self, key: "array[int]", text: "Blob", length: int) -> None:
        """Set `low` and `high` to HalfSipHash-2-4 of the first bytes of `text`.

        A small integer of a board has 31 bits, so each number of the paper is two halves, the low one first. v0 is a
        and b, v1 is c and d, v2 is e and f, v3 is g and h.
        """
        a = key[0]
        b = key[1]
        c = key[2]
        d = key[3]
        e = a ^ 0x6765
        f = b ^ 0x6C79
        g = c ^ 0x6462
        h = d ^ 0x7465
        last = length >> 2
        rounds = 2
        for word in range(last + 2):
            at = word << 2
            if word < last:
                low = text[at] | text[at + 1] << 8
                high = text[at + 2] | text[at + 3] << 8
            elif word == last:
                rest = length & 3
                low = (text[at] if rest else 0) | (text[at + 1] << 8 if rest > 1 else 0)
                high = (text[at + 2] if rest > 2 else 0) | (length & 255) << 8
            else:
                low = high = 0
                e ^= 255
                rounds = 4
            g ^= low
            h ^= high
            for _ in range(rounds):
                a += c
                b = b + d + (a >> 16) & 0xFFFF
                a &= 0xFFFF
                turned = (c << 5 | d >> 11) & 0xFFFF ^ a
                d = (d << 5 | c >> 11) & 0xFFFF ^ b
                c = turned
                e += g
                f = f + h + (e >> 16) & 0xFFFF
                e &= 0xFFFF
                turned = (g << 8 | h >> 8) & 0xFFFF ^ e
                h = (h << 8 | g >> 8) & 0xFFFF ^ f
                g = turned
                turned = b + g  # v0 has turned by half: b is its low half
                b = a + h + (turned >> 16) & 0xFFFF
                a = turned & 0xFFFF
                turned = (g << 7 | h >> 9) & 0xFFFF ^ a
                h = (h << 7 | g >> 9) & 0xFFFF ^ b
                g = turned
                e += c
                f = f + d + (e >> 16) & 0xFFFF
                e &= 0xFFFF
                turned = (c << 13 | d >> 3) & 0xFFFF ^ e
                d = (d << 13 | c >> 3) & 0xFFFF ^ f
                c = turned
                turned = e
                e = f
                f = turned
            a ^= low
            b ^= high
        self.low = c ^ g
        self.high = d ^ h
