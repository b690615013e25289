"""The estimated cost of a link per frame on the board; it allocates nothing."""

import pytest

from tools.measure import link

MOST_US = 1500  # mean of a frame
MOST_BYTES = 1500  # a second and player


@pytest.mark.parametrize("players", [pytest.param(2, marks=pytest.mark.long), 4])
def test_a_link_costs_little_and_allocates_nothing(players: int) -> None:
    played = link.measure_frames(players)
    assert len(played.link_us) > 300 and sum(played.link_us) / len(played.link_us) < MOST_US
    assert played.bytes_a_second < MOST_BYTES
