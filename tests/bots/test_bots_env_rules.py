"""An environment refuses a rule that its variant does not know, or that only handhelds play."""

from typing import Any

import gymnasium
import pytest

from tests.support import needs

NAMES = ["tools.bots.env:Skyline-v0", "tools.bots.env:Skyline-Edges-v0"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("rule", "options", "says"),
    [(rule, {"variant": "sprint"}, "sprint") for rule in ("modern", "slow", "invisible")]
    + [(rule, {"versus": 1}, "a match") for rule in ("garbage_rows", "aim", "modern", "slow", "invisible")],
)
def test_a_rule_that_games_do_not_know_is_refused(name: str, rule: str, options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=rf"^{says} has no rule '{rule}' in an environment$"):
        gymnasium.make(name, rules={rule: 1}, **options)


@pytest.mark.parametrize("variant", ["endless", "marathon", "sprint", "ultra"])
@pytest.mark.parametrize("rule", ["garbage_rows", "aim", "level", "das_ms", "generation_ms", "animate_ms"])
def test_a_rule_that_games_know_is_played(variant: str, rule: str) -> None:
    env: Any = gymnasium.make(NAMES[0], variant=variant, rules={rule: 3}).unwrapped
    env.reset(seed=1)
    assert getattr(env.game.options, rule) == 3


@pytest.mark.parametrize("rule", ["modern", "slow"])
def test_match_rules_a_batch_refuses_a_rule_that_it_does_not_play(rule: str) -> None:
    needs.demand_packages("numba")
    with pytest.raises(ValueError, match=rf"^endless has no rule '{rule}' in an environment$"):
        gymnasium.make_vec(NAMES[0], num_envs=2, rules={rule: 1})
