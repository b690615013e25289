"""Model the chips of displays that only the emulated board and displayio drive; chip.py has the SSD1306."""
