"""Play many games of Skyline-v0 at once: compiled by Numba, equal to the engine.

Functions of numbers are the engine's own, compiled: its random numbers and Back-to-Backs. Its tables are used, too:
awards, profiles, rotation points, fonts, Minos and the empty picture. games.py and pixels.py repeat its methods. Numba
compiles no plain classes, and the engine takes 20 us for a step that takes 0.2 us here.

tests/bots/test_bots_batch.py proves them equal. It plays both side by side and compares each field of each game, the
observations, rewards, ends and pixels. test_bots_batch_long.py does so for a hundred thousand compiled steps.
"""
