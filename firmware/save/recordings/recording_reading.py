"""Read what all recordings are made of: a check sum, numbers and options."""

from binascii import crc32

from firmware.compat import TYPE_CHECKING
from firmware.engine.options import FIELDS, Options
from firmware.save.varint import Reader

if TYPE_CHECKING:
    from firmware.contracts import Fields, MatchOptions


class RecordingReader(Reader):
    """Read a recording; `end` is where its check sum begins."""

    def __init__(self, blob: bytes) -> None:
        """Go behind the format; raise ValueError with one line if the check sum is wrong."""
        Reader.__init__(self, blob, 4)
        self.end -= 4
        if crc32(blob[: self.end]) != int.from_bytes(blob[self.end :], "little"):
            raise ValueError("recording is damaged: its check sum does not match")

    def get_count(self, fields: "Fields") -> int:
        """Read how many options follow."""
        count = self.get()
        if count > len(fields):
            raise ValueError("recording has %d options, this version of Skyline knows %d" % (count, len(fields)))
        return count

    def get_fields(self, owner: object, fields: "Fields", count: int) -> None:
        """Read the first `count` options; those of a later version get their defaults."""
        for i in range(len(fields)):
            setattr(owner, fields[i][0], self.get() if i < count else fields[i][3])


def read_match(reader: RecordingReader) -> "tuple[int, MatchOptions, list[Options]]":
    """Return the seed and the options of a match, and those of each player's games."""
    # Imported late: the recording of one player has no use for them.
    from firmware.match.fields import FIELDS as MATCH_FIELDS
    from firmware.match.fields import check
    from firmware.match.options import MatchOptions

    seed = reader.get()
    options = MatchOptions()
    reader.get_fields(options, MATCH_FIELDS, reader.get_count(MATCH_FIELDS))
    check(options)
    count = reader.get_count(FIELDS)
    choices = []
    for _ in range(options.players):
        choice = Options()
        reader.get_fields(choice, FIELDS, count)
        choice.check()
        choices.append(choice)
    return seed, options, choices
