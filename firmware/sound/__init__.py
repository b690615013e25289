"""Play sound on the buzzer's one voice."""
