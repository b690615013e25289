"""Prove that a player can always clear a line, whatever pieces come, and how soon.

    python -m tools.clear_a_line prove       how few pieces, on 4 to 10 columns
    python -m tools.clear_a_line --help      the strategies, their checker, the second proof, the figures

The rules, read to the letter: turn, then drop. No column under the piece may be full (6 rows). Cells above a hole are
lost for its row. One full row of the bottom six wins. So 12 pieces are enough and 11 are not. The text found 13: with
"the piece's lowest cell may not lie in the 6th row" (--strict) that is what comes out.
"""
