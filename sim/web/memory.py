"""Name the parts of the memory that a page and its handheld share; tools/web copies the names to the scripts.

state   one word of 32 bits for each name of STATE
edges   a ring of CAPACITY edges, two words each: control | pressed << 4, and the time by the clock. Edge n is at
        n % CAPACITY. WRITTEN counts the edges that the page wrote, TAKEN those that the handheld took.
blob    LARGEST bytes: a recording that goes in or out, or a line of text
inbox   a ring of LINK_BYTES received over the link. HEARD counts the bytes that the page wrote, READ those that the
        handheld took.
outbox  a ring of LINK_BYTES to send. SAID counts the bytes that the handheld wrote, SENT those that the page took.
"""

from firmware.compat import const

PICTURE = const(0)  # count of changed pictures
CONTRAST = const(1)
ASLEEP = const(2)
TURNED = const(3)
HZ = const(4)  # 0 for silence
DUTY = const(5)
AT_MENU = const(6)  # 1 if the buttons lead through menus, 2 if START held begins a game again there
PLAYING = const(7)  # 1 while START would pause a game, 2 in a countdown to it
WRITTEN = const(8)
TAKEN = const(9)
LINKED = const(10)  # whether the handheld listens to its link
HEARD = const(11)
READ = const(12)
SAID = const(13)
SENT = const(14)
ASKED = const(15)  # the control that waits for a key, from 1 on; 0 for none, also once the page has the key
ENDED = const(16)  # why the game is over, 1 for a decided match; 0 before, and for a watched game
SCORE = const(17)
LEVEL = const(18)
LINES = const(19)
CLEAR = const(20)  # the event bits that name the last Lock Down, from its elimination on
TOLD = const(21)  # not 0 if the game told something by ear in this frame
SWITCH = const(22)  # whether all buttons are one switch
HALF_TURNS = const(23)  # whether a ninth button makes half turns
WAITING = const(24)  # whether a scene waits for the rest of the firmware
BY_EAR = const(25)  # whether BY EAR is at ALL

_NAMES = (
    "PICTURE CONTRAST ASLEEP TURNED HZ DUTY AT_MENU PLAYING WRITTEN TAKEN LINKED HEARD READ SAID SENT ASKED ENDED "
    "SCORE LEVEL LINES CLEAR TOLD SWITCH HALF_TURNS WAITING BY_EAR"
)
STATE = _NAMES.split(" ")
HEAP_BYTES = const(1 << 20)
CAPACITY = const(64)
LARGEST = const(1 << 16)
BANK_BYTES = const(4096)
LINK_BYTES = const(1 << 11)

# The order of the addresses that `places` returns.
PLACES = ("CANVAS", "STATE", "EDGES", "BLOB", "BANK0", "BANK1", "INBOX", "OUTBOX")
