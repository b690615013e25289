"""Build the page on which the handheld plays in a browser, and serve it."""


class WebError(Exception):
    """Say in one line why a command failed."""
