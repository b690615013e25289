"""Let `no_cover` turn tracing off in the workers of pytest-xdist, too."""

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Stop what pytest-cov began in a worker before it knew that it was in one: it then begins anew.

    The first one would go on tracing wherever the second one pauses.
    """
    plugin = session.config.pluginmanager.getplugin("_cov")
    if hasattr(session.config, "workerinput") and plugin and plugin.cov_controller:
        plugin.cov_controller.cov.stop()
