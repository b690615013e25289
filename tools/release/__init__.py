"""Make all files of a release, the same bytes each time: `python -m tools.release`; RELEASING.md has the steps."""
