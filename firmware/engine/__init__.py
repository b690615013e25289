"""Play the falling blocks by the rules of the 2009 guideline, without clock, screen or files.

Orientation, here and everywhere: column x counts 0..9 from the left, row y counts 0..39 from
the BOTTOM up. Rows 0..19 are the visible Matrix, rows 20..39 the Buffer Zone; the Skyline is
the line between row 19 and row 20. The guideline counts both from 1, so its cell (5, 21) is
our (4, 20).

Cells and Tetriminos share one set of codes: 0 empty, 1 I, 2 J, 3 L, 4 O, 5 S, 6 T, 7 Z, 8 garbage. Facings are 0 North,
1 East, 2 South, 3 West. A Tetrimino stands in a box, 4x4 for I and 3x3 for all others. The box's lower left cell is (x,
y). Both may be negative while the box hangs over a wall or the floor.
"""
