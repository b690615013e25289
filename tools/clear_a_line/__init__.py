"""Prove within how many pieces a player can always clear a line, whatever pieces come.

    python -m tools.clear_a_line prove       the fewest pieces, on 4 to 10 columns
    python -m tools.clear_a_line --help      the strategies, their checker, the second proof, the figures

The literal rules: turn, then drop. No column under the piece may be full (6 rows). A row with a covered hole is lost.
A full row among the bottom six wins. With these rules 12 pieces are enough and 11 are not. The text found 13; that is
the result of --strict, by which the piece's lowest cell may not lie in the sixth row.
"""
