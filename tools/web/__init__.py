"""Build the page on which the handheld plays in a browser, and serve it."""

from sim.terminal import Refusal


class WebError(Refusal):
    """Say in one line why a command failed."""
