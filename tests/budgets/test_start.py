"""What a board compiles while somebody waits, in bytes: before the first picture, a game, and another game.

Seconds are for `python -m tools.measure --start`, which knows what the real firmware took for how much.
"""

import pytest

from tests.support.needs import needs_wasm
from tools.measure import scenes, starting


@pytest.fixture(scope="module", params=[False, True], ids=["patient", "impatient"])
def waits(request: pytest.FixtureRequest) -> dict[str, list[str]]:
    return starting.trace(request.param)


def size(names: list[str]) -> int:
    return sum((scenes.deployed() / name).stat().st_size for name in names)


def test_before_the_first_picture_half_of_what_it_was(waits: dict[str, list[str]]) -> None:
    """The legal notice needs neither the App nor the buttons nor sound."""
    assert size(waits["picture"]) <= 40_681 // 2
    assert not {"firmware/app.py", "firmware/device/keys.py", "firmware/sound/voice.py"} & set(waits["picture"])


def test_game_after_presses_as_quick_as_one_can(waits: dict[str, list[str]]) -> None:
    """The rest was loaded while the notice, the title and the menu stood: 43,216 bytes before."""
    assert size(waits["game"]) <= 18_000


def test_game_of_who_read_the_notice_is_all_there() -> None:
    assert not [name for name in starting.trace()["game"] if "/engine/" in name or "/view/" in name]


def test_another_game_loads_none_of_the_blocks(waits: dict[str, list[str]]) -> None:
    """16,465 bytes before."""
    assert size(waits["again"]) <= 7_000


def test_from_the_pieces_back_into_a_pause(waits: dict[str, list[str]]) -> None:
    """17,153 bytes and a second without a sign of life before."""
    assert size(waits["back"]) <= 4_000


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
    assert starting.estimate_s("anew") == starting.BESIDES_S["anew"] + cost.files * starting.FILE_S
