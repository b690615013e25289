"""Lay out the screens of matches and of special modes."""
