"""Keep what outlives a moment: recordings, and later the journal with settings and scores."""
