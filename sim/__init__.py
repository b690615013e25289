"""Run the handheld on a PC: the same Device, with a window, a keyboard and a loudspeaker."""

import os
import sys

# Keeps pygame-ce from printing a line when it is imported.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# Else Windows stretches the window to the scaling of the desktop, and pixels are no longer crisp.
os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")

if sys.argv[:1] == ["-m"]:  # this package is imported for a command
    from sim import terminal

    terminal.tell_missing()
