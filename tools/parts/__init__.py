"""Make parts of the firmware that other CircuitPython projects can use alone (README.md)."""
