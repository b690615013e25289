"""Let hypothesis try the same examples every run, without deadlines.

No test fails because a machine is busy or by chance; `--hypothesis-profile=chance` looks for new examples.
"""

import hypothesis

UNHURRIED = hypothesis.settings(
    deadline=None,
    # tools.mutants runs the tests several times in one process, which is another "executor" each time.
    suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.differing_executors],
)
hypothesis.settings.register_profile("skyline", UNHURRIED, derandomize=True, database=None)
hypothesis.settings.register_profile("chance", UNHURRIED)
hypothesis.settings.load_profile("skyline")
