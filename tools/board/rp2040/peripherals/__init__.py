"""Emulate the peripherals with a life of their own: serial buses, DMA, timers, USB."""
