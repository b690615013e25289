"""Measure how much room matches leave in the heap of the emulated firmware."""
