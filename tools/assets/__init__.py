"""Generate tables, pictures and tunes of the firmware."""
