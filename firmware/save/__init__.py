"""Keep data that survives power-off: recordings, and the journal with settings and scores."""
