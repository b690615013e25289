"""Name the numbers of a journal's records and places (journal.py); deploy puts them where they are used."""

from firmware.compat import const

HEAD_BYTES = const(7)
FRAME_BYTES = const(11)  # bytes of a record without its payload
# A place is the offset of a record * 3 + its bank: two banks or one, and the backup.
PLACES = const(3)
NOWHERE = const(0xFFFF)
REFUSED = const(-1)  # in place of the end of a rewritten journal
