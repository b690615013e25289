"""Play Tetress by its rules (tools/tetress/README.md); share nothing with the falling blocks.

Cells: row r counts 0..10 downward, column c 0..10 to the right, and both wrap around. A row of the board is an int of
11 bits, bit c is column c. Colours: 0 Red, who begins, 1 Blue.

An action is one number, shape * 121 + r * 11 + c. It is one of the 19 shapes of `shapes.py` with the upper left corner
of its box on cell (r, c). No two numbers cover the same four cells.
"""
