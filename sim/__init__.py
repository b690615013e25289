"""Run the handheld on a PC: the same Device, with a window, a keyboard and a loudspeaker."""

import os
import sys

# Or pygame-ce prints a line when it is imported.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# Or Windows scales the window with the desktop, which blurs the pixels.
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")

if sys.argv[:1] == ["-m"]:  # this package is imported for a command
    from sim import terminal

    terminal.tell_missing()
