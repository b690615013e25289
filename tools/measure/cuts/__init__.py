"""Cut the power of the emulated firmware in every operation of its flash, and count what is lost."""
