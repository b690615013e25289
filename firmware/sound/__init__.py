"""Make the buzzer's one voice tell what happens."""
