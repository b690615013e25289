"""Agree on a match with other devices and keep it the same on all of them; README.md has every byte.

A pipe carries bytes (wire.py frames them) to the next device of a ring. Each frame travels round to its sender
(ring.py). Devices find each other and agree on a match (lobby.py). Each plays its own game, reports events, and builds
the others' games from theirs (events.py, linked.py). session.py starts and stops all clocks.
"""
