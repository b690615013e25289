"""What a board compiles while somebody waits, in bytes: before the first picture, a game, and another game.

Seconds are for `python -m tools.measure --start`, which knows what the real firmware took for how much.
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
        ("picture", 40_681 // 2),  # half of what it was: the notice needs no App, no buttons and no sound
        ("game", 18_000),  # after presses as quick as one can; 43,216 before, as nothing was loaded in the menus
        ("again", 7_000),  # none of the blocks: 16,465 before
        ("back", 4_000),  # from the pieces back into a pause: 17,153, a second without a sign of life, before
    ],
)
def test_no_wait_is_for_more_than_it_needs(waits: dict[str, list[str]], wait: str, most: int) -> None:
    assert sum((scenes.deployed() / name).stat().st_size for name in waits[wait]) <= most
    if wait == "picture":
        assert not {"firmware/app.py", "firmware/device/keys.py", "firmware/sound/voice.py"} & set(waits[wait])


def test_game_of_who_read_the_notice_is_all_there() -> None:
    assert not [name for name in starting.trace()["game"] if "/engine/" in name or "/view/" in name]


@needs_wasm
def test_waits_that_a_board_was_timed_at_are_printed_with_seconds() -> None:
    rows = dict(starting.rows())
    assert set(rows) == set(starting.TITLES.values())
    assert {key for key, title in starting.TITLES.items() if rows[title].endswith(" s as .mpy")} == {
        "picture",
        "chosen",
        "anew",
    }


@needs_wasm
def test_a_wait_takes_its_files_and_what_comes_besides() -> None:
    cost = starting.measure_waits()["anew"]
    assert starting.estimate_s("anew") == starting.OTHER_S["anew"] + cost.files * starting.FILE_S
