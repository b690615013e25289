"""Explain the words of the game (Guideline 14)."""

from firmware.scenes.menu import Menu
from firmware.view.art import FONT_3X5


class Scene(Menu):
    """Choose a word; the meaning is below the list."""

    heading = b"WORDS"
    lines = (
        b"!!",
        b"APM",
        b"APP",
        b"AT",
        b"B2B",
        b"BACK-TO-BACK",
        b"BLOCK",
        b"BLOCK OUT",
        b"BUFFER ZONE",
        b"COLLAPSE",
        b"DF",
        b"FACING",
        b"FALL SPEED",
        b"FINESSE",
        b"GHOST PIECE",
        b"GOAL",
        b"GR",
        b"H",
        b"HARD DROP",
        b"HOLD QUEUE",
        b"KPP",
        b"LEVEL UP",
        b"LINE CLEAR",
        b"LN",
        b"LOCK DOWN",
        b"LOCK OUT",
        b"LPM",
        b"LV",
        b"MATRIX",
        b"MEAN",
        b"MINI",
        b"MINO",
        b"N",
        b"NEXT QUEUE",
        b"PPS",
        b"ROTATION",
        b"SKYLINE",
        b"SOFT DROP",
        b"SURFACE",
        b"TETRIMINO",
        b"TETRIS",
        b"TOP OUT",
        b"T-SLOT",
        b"T-SPIN",
        b"WELL",
    )
    notes = (
        b"IN PLACE OF LV:|BLOCKS ARE NEAR|THE TOP. A TOP|OUT THREATENS.",
        b"LINES OF ATTACK|A MINUTE, IN A|MATCH OR ALONE.",
        b"LINES OF ATTACK|FOR EACH|TETRIMINO.",
        b"IN A MATCH:|LINES YOU SENT|TO A RIVAL JUST|NOW, AN ATTACK.",
        b"A BACK-TO-BACK,|OR HOW MANY|THERE WERE.",
        b"TWO GREAT|ACTIONS, SUCH AS|TWO TETRISES,|WITH NO SINGLE,|DOUBLE OR TRIPLE|BETWEEN. B2B.",
        b"A MINO THAT HAS|LOCKED DOWN|IN A CELL OF|THE MATRIX.",
        b"GAME OVER: THERE|IS A BLOCK IN|THE WAY OF THE|NEW TETRIMINO.",
        b"20 ROWS ABOVE|THE MATRIX THAT|ARE NOT SEEN.",
        b"BLOCKS ABOVE A|LINE CLEAR FALL|BY AS MANY ROWS|AS WERE CLEARED.",
        b"IN A MATCH:|LINES ON THEIR|WAY TO YOU THAT|YOU CANCELLED,|YOUR DEFENCE.",
        b"NORTH, EAST,|SOUTH OR WEST:|HOW FAR A|TETRIMINO IS|ROTATED. ALL|BEGIN NORTH.",
        b"HOW FAST A|TETRIMINO FALLS|BY ITSELF. EACH|LEVEL IS FASTER.",
        b"TO MOVE EACH|TETRIMINO WITH|AS FEW PRESSES|AS THERE CAN BE.",
        b"THE OUTLINE|WHERE THE|TETRIMINO WOULD|REST IF IT WERE|DROPPED NOW.",
        b"LINES YET TO|CLEAR BEFORE THE|LEVEL UP.",
        b"IN MASTER: THE|GRADE, ONE FOR|TEN LINES.",
        b"THE HOLD QUEUE.",
        b"FALL AT ONCE TO|THE SURFACE AND|LOCK DOWN. TWO|POINTS A LINE.",
        b"WHERE ONE|TETRIMINO WAITS|TO BE USED|LATER.",
        b"PRESSES FOR|EACH TETRIMINO.",
        b"THE GOAL IS MET|AND THE NEXT|LEVEL BEGINS.",
        b"A ROW FULL OF|BLOCKS GOES.|SINGLE, DOUBLE,|TRIPLE OR TETRIS|BY THE NUMBER OF|LINES.",
        b"LINES CLEARED.",
        b"HALF A SECOND|AFTER LANDING|THE TETRIMINO|CAN NO LONGER|MOVE. ITS MINOS|ARE BLOCKS NOW.",
        b"GAME OVER:|A TETRIMINO HAS|LOCKED DOWN ALL|ABOVE THE|SKYLINE.",
        b"LINES CLEARED|A MINUTE.",
        b"THE LEVEL: HOW|FAST TETRIMINOS|FALL.",
        b"10 CELLS WIDE,|20 CELLS HIGH:|WHERE IT ALL|HAPPENS.",
        b"ALL RESULTS|TOGETHER, SHARED|OUT EVENLY: OF|YOUR LAST TEN|GAMES.",
        b"A T-SPIN THAT|SCORES LESS: SEE|HELP, T-SPINS.",
        b"ONE OF THE FOUR|SQUARES OF A|TETRIMINO.",
        b"THE NEXT QUEUE.",
        b"SHOWS THE|TETRIMINOS THAT|COME NEXT.",
        b"TETRIMINOS|A SECOND.",
        b"A QUARTER TURN,|CLOCKWISE OR|COUNTER-|CLOCKWISE.",
        b"THE LINE AT THE|TOP OF THE|MATRIX.",
        b"FALL FASTER|WHILE IT IS|HELD.|1 POINT A LINE.",
        b"THE TOP OF ANY|BLOCK, OR THE|FLOOR.",
        b"A SHAPE OF FOUR|MINOS. THERE ARE|SEVEN: I, J, L,|O, S, T AND Z.",
        b"FOUR LINES AT A|TIME, BY AN|UPRIGHT I.",
        b"GAME OVER:|BLOCKS WERE|PUSHED OUT AT|THE TOP OF THE|BUFFER ZONE.",
        b"A PLACE FOR A T|WHERE THREE OF|THE FOUR CELLS|AT THE CORNERS|OF ITS MIDDLE|ARE TAKEN.",
        b"ROTATING A T|THAT HAS LANDED|IN A T-SLOT|BEFORE IT LOCKS|DOWN.",
        b"A GAP ONE CELL|WIDE. FOUR CELLS|DEEP, IT IS MADE|FOR A TETRIS.",
    )
    parent = "help.help"
    rows = 8
    font = FONT_3X5
    pitch = 8
    note_y = 82

    def pick(self, at: int) -> None:
        """Stay: a word leads nowhere."""
