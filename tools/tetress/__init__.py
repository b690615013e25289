"""Play Tetress on a PC: transcripts and pictures, a strong player, matches between players."""
