"""The tests of Skyline; see README.md in this folder."""
