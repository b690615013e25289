"""Load what the tests of all rooms share; each module has one subject."""

import signal

import pytest

pytest_plugins = [
    "tests.support.turns",  # before caches, which imports it
    "tests.support.caches",
    "tests.support.chance",
    "tests.support.placed",
    "tests.support.rights",
    "tests.support.skipped",
    "tests.support.tracing",
    "tests.support.workbench",
]
# Each takes seconds to make.
SLOW_FIXTURES = {"browser", "built_board", "built_case", "built_site"}


def pytest_configure(config: pytest.Config) -> None:
    # What a shell starts in the background ignores Ctrl+C, and so would all that tests start and end by it.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    for item in items:
        if not SLOW_FIXTURES.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.slow)
        # pyproject.toml's time limit is for what should end within minutes.
        if item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(0))
