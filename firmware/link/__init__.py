"""Agree on a match with other devices, and keep it the same on all of them; README.md has every byte.

A pipe carries bytes (wire.py makes frames of them) to the next device of a ring. Each frame goes round until it is
back at its sender (ring.py). Devices find each other and agree on a match (lobby.py); each plays its own
game and tells of it, the others' are built from that (news.py, linked.py); keeper.py starts and stops all clocks.
"""
