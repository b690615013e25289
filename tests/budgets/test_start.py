"""The bytes that a board compiles before the first picture, a game and another game.

`python -m tools.measure.waits` times the compiled game on the real firmware.
"""

import pytest

from tests.support.needs import needs_wasm
from tools.measure import scenes, starting


@pytest.fixture(scope="module", params=[False, True], ids=["patient", "impatient"])
def waits(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    return starting.trace(request.param)


@pytest.mark.parametrize(
    ("wait", "most"),
    [
        ("picture", 40_681 // 2),  # half of the bytes before: the notice needs no App, no buttons and no sound
        ("game", 18_000),  # after the fastest presses; was 43,216 when the menus loaded nothing
        ("again", 7_150),  # was 16,465, and 7,000 before slow play, INVISIBLE and By ear
        ("back", 4_000),  # from the choice of pieces back to a pause; was 17,153, a second without a new picture
    ],
)
def test_each_wait_compiles_at_most_its_limit(waits: dict[str, list[str]], wait: str, most: int) -> None:
    assert sum((scenes.deployed() / name).stat().st_size for name in waits[wait]) <= most
    if wait == "picture":
        assert not {"firmware/app.py", "firmware/device/keys.py", "firmware/sound/voice.py"} & set(waits[wait])


def test_a_patient_player_waits_for_no_engine_and_no_view() -> None:
    assert not [name for name in starting.trace()["game"] if "/engine/" in name or "/view/" in name]


@needs_wasm
def test_the_command_prints_each_wait() -> None:
    assert [title for title, _cost in starting.rows()] == list(starting.TITLES.values())
