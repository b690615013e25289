"""Name the places of the memory that a page and its handheld share; tools/web hands them to the scripts.

state   one word of 32 bits for each name of STATE
edges   CAPACITY edges, two words each: control | pressed << 3, and the reading of the clock; a ring. Edge n is at
        n % CAPACITY; the page counts those it wrote in WRITTEN, the handheld those it took in TAKEN.
blob    LARGEST bytes: a recording on its way in or out, or a line of text
inbox   LINK_BYTES of what others said over the link, a ring too: the page counts those it wrote in HEARD, the handheld
        those it took in READ
outbox  as many of what the handheld says: it counts those it wrote in SAID, the page those it took in SENT
"""

from firmware.compat import const

PICTURE = const(0)  # how many different pictures there were
CONTRAST = const(1)
ASLEEP = const(2)
TURNED = const(3)
HZ = const(4)  # 0 for silence
DUTY = const(5)
AT_MENU = const(6)  # whether the buttons lead through menus
PLAYING = const(7)  # whether a Tetrimino can fall
WRITTEN = const(8)
TAKEN = const(9)
LINKED = const(10)  # whether it listens to its link
HEARD = const(11)
READ = const(12)
SAID = const(13)
SENT = const(14)
TAKES_BACK = const(15)  # whether Tetriminos can be taken back, by HOLD and PAUSE
ENDED = const(16)  # why a game that was played, not watched, is over, or whether a match is; 0 before
SCORE = const(17)
LEVEL = const(18)
LINES = const(19)
CLEAR = const(20)  # the event bits that name the last Lock Down

STATE = (
    "PICTURE",
    "CONTRAST",
    "ASLEEP",
    "TURNED",
    "HZ",
    "DUTY",
    "AT_MENU",
    "PLAYING",
    "WRITTEN",
    "TAKEN",
    "LINKED",
    "HEARD",
    "READ",
    "SAID",
    "SENT",
    "TAKES_BACK",
    "ENDED",
    "SCORE",
    "LEVEL",
    "LINES",
    "CLEAR",
)
HEAP_BYTES = const(1 << 20)
CAPACITY = const(64)
LARGEST = const(1 << 16)
BANK_BYTES = const(4096)
LINK_BYTES = const(1 << 11)

# What `places` tells the addresses of, in this order.
PLACES = ("CANVAS", "STATE", "EDGES", "BLOB", "BANK0", "BANK1", "INBOX", "OUTBOX")
