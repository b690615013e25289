"""Play many games of Skyline-v0 at once: Numba over arrays, equal to the engine.

games.py and pixels.py say again what the engine and the view say. Neither can be generated from them: an object with
methods, which a board needs, costs microseconds a call, and thousands of games have as many nanoseconds. Their numbers
come from the engine's tables (scoring, profiles, rotation points, seeds, fonts, Minos, the empty picture). The rest is
proved equal: tests/bots/test_bots_batch.py plays both side by side and compares every word, cell, reward and pixel;
test_bots_batch_long.py does so for a hundred thousand steps.
"""
