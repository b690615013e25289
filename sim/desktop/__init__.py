"""Show handhelds in a window, and play by keyboard and gamepads (pygame-ce)."""
