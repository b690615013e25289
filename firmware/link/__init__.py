"""Agree on a match with other devices and keep it equal on all of them; README.md has every byte.

A pipe carries bytes to the next device of a ring; wire.py turns them into frames. Each frame travels round to its
sender (ring.py). Devices find each other and agree on a match (lobby.py). Each device plays its own game, reports its
events, and rebuilds the other games from theirs (events.py, linked.py). session.py starts and stops all clocks.
"""
