"""Keep lasting data: recordings, and the journal with settings and scores."""
