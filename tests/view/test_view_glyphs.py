"""The tables of pixels match the drawings, and the drawings have the properties that the view needs."""

from itertools import combinations

import pytest

from firmware.engine.matrix import GARBAGE_CELL
from firmware.engine.tables import SHAPES
from firmware.view import blocks
from firmware.view.art import FONT_3X5, FONT_3X7, FONT_5X7
from firmware.view.canvas import text_width
from firmware.view.minos import CELLS, MINIS, MINOS

SOLID = range(1, 9)
BLOCKS = range(34, 42)  # with patterns
IN_PLAY = range(9, 16)
OUTLINES = range(16, 32)
FLASH = 32
PLAIN = 33  # outlined


def rows(mino: int) -> bytes:
    return MINOS[mino * 5 : mino * 5 + 5]


def lit(mino: int) -> int:
    return sum(bin(row).count("1") for row in rows(mino))


class TestMinos:
    def test_all_minos_differ(self) -> None:
        kinds = [*BLOCKS, *IN_PLAY, FLASH]
        assert len({rows(mino) for mino in kinds}) == len(kinds) and not any(rows(0))
        assert len({MINIS[piece * 12 : piece * 12 + 12] for piece in range(7)}) == 7  # in the queue

    @pytest.mark.parametrize(
        ("ones", "others", "pixels"),
        [
            (BLOCKS, BLOCKS, 4),  # with fewer, two Blocks look alike on a small display
            ([*BLOCKS, PLAIN], [*IN_PLAY, *OUTLINES, FLASH], 6),
            ([1], [*IN_PLAY, *OUTLINES, *BLOCKS, PLAIN], 4),
        ],
        ids=["blocks", "blocks from tetriminos and the ghost", "solid blocks from all else"],
    )
    def test_minos_differ_in_enough_pixels(self, ones: list[int], others: list[int], pixels: int) -> None:
        for one, other in [(one, other) for one in ones for other in others if one != other]:
            assert sum(bin(a ^ b).count("1") for a, b in zip(rows(one), rows(other), strict=True)) >= pixels

    def test_solid_blocks_are_alike_and_have_one_dark_corner(self) -> None:
        assert len({rows(block) for block in SOLID[:7]}) == 1 and lit(1) == 24 and not rows(1)[0] & 1

    def test_garbage_has_its_own_texture_among_solid_blocks(self) -> None:
        assert lit(GARBAGE_CELL) == 22 and not rows(GARBAGE_CELL)[0] & 1
        assert all(wide & narrow == wide for wide, narrow in zip(rows(GARBAGE_CELL), rows(1), strict=True))

    @pytest.mark.parametrize("look", [blocks.PATTERNS, blocks.SOLID, blocks.OUTLINES])
    def test_garbage_differs_from_other_blocks_in_each_look(self, look: int) -> None:
        garbage = rows(blocks.choose_mino(GARBAGE_CELL, look))
        assert all(garbage != rows(blocks.choose_mino(block, look)) for block in SOLID[:7])

    def test_3_2_each_of_the_seven_patterns_is_half_lit_with_a_dark_mark(self) -> None:
        """Guideline 2.4, 3.2: a Block must look solid despite its pattern."""
        assert all(13 <= lit(block) < 16 for block in BLOCKS[:7])

    def test_tetrimino_in_play_is_brighter_than_any_block(self) -> None:
        assert min(lit(mino) for mino in IN_PLAY) > max(lit(mino) for mino in [*BLOCKS, PLAIN])

    def test_blocks_leave_a_gap_to_their_neighbours_and_show_above_the_skyline(self) -> None:
        for mino in [*BLOCKS, PLAIN]:
            assert rows(mino)[0] == 0 and not any(row & 1 for row in rows(mino))
            assert rows(mino)[3] and rows(mino)[4]

    @pytest.mark.parametrize("outline", OUTLINES)
    def test_the_ghost_is_hollow_with_edges_on_sides_without_neighbours(self, outline: int) -> None:
        art = rows(outline)
        edges = (art[0] == 0x1F, all(row & 16 for row in art), art[4] == 0x1F, all(row & 1 for row in art))
        assert edges == tuple(not outline - 16 >> side & 1 for side in range(4))
        assert not any(row & 0x0E for row in art[1:4])

    def test_cells_match_the_shapes(self) -> None:
        for start in range(0, len(SHAPES), 4):
            shape = {(x, y) for y in range(4) for x in range(4) if SHAPES[start + y] >> x & 1}
            minos = {(cell & 3, cell >> 2 & 3): cell >> 4 for cell in CELLS[start : start + 4]}
            assert set(minos) == shape
            for (x, y), neighbours in minos.items():
                beside = [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]
                assert neighbours == sum(1 << side for side, cell in enumerate(beside) if cell in shape)


FONTS = pytest.mark.parametrize("font", [FONT_5X7, FONT_3X5, FONT_3X7], ids=["5x7", "3x5", "3x7"])


def glyphs_of(font: bytes) -> dict[str, set[tuple[int, int]]]:
    """Return the lit pixels (column, row) of every glyph that is drawn."""
    _, height, first, count = font[:4]
    drawn = {
        chr(first + i): {(x, y) for y in range(height) for x in range(8) if font[4 + i * height + y] >> x & 1}
        for i in range(count)
    }
    return {glyph: pixels for glyph, pixels in drawn.items() if pixels}


class TestFonts:
    @FONTS
    def test_fonts_have_all_digits_at_one_width(self, font: bytes) -> None:
        width, height, first, count = font[:4]
        widths = font[4 + height * count :] or bytes([width]) * count
        assert set("0123456789") <= set(glyphs_of(font)) and len(widths) == count
        assert {widths[ord(digit) - first] for digit in "0123456789"} == {width}

    @FONTS
    def test_a_glyph_is_narrower_than_its_advance(self, font: bytes) -> None:
        for glyph, lit_pixels in glyphs_of(font).items():
            assert max(x for x, _ in lit_pixels) < text_width(glyph.encode(), font) <= 5, glyph

    @pytest.mark.parametrize("font", [FONT_5X7, FONT_3X5])
    def test_fonts_have_every_capital_and_m_and_w_are_five_wide(self, font: bytes) -> None:
        assert set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") <= set(glyphs_of(font))
        assert text_width(b"M", font) == text_width(b"W", font) == 5

    @FONTS
    def test_any_two_glyphs_differ_in_two_pixels_at_any_offset(self, font: bytes) -> None:
        """One pixel is easily missed: people read HOW as HOH, and 0 as O."""
        for (one, its), (other, others) in combinations(glyphs_of(font).items(), 2):
            apart = min(len(its ^ {(x + by, y) for x, y in others}) for by in range(-5, 6))
            assert apart >= 2, (one, other)
