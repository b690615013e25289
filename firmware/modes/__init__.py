"""Define the modes, one in each module, by the hooks of engine/mode.py."""
