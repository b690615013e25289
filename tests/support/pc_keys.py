"""Press keys of a PC by SDL's names."""

import pygame

_PLACES = pygame.key.ScancodeWrapper(tuple(range(512)))  # by key: its place in the layout in use


def key_event(kind: int, key: int, mod: int = 0) -> pygame.Event:
    """Return the event that SDL sends for a key; a screen must be open."""
    return pygame.event.Event(kind, key=key, mod=mod, scancode=_PLACES[key])
