"""Give every reader damaged input; nothing but its own error, in one line, may come out."""
