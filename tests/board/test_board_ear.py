"""A game told by ear with invisible Blocks on the real firmware: heap, frames and the tones of the buzzer."""

import pytest

from tests.support.handhelds.board_console import make_console, watch_heap

pytestmark = [pytest.mark.board, pytest.mark.long]
MEAN_MS = 8.0
LATE_MS = 25.0


@pytest.mark.parametrize("invisible", [1, 2])
def test_a_game_by_ear_leaves_enough_heap_and_time(invisible: int) -> None:
    console = make_console(by_ear=2, invisible=invisible)
    with watch_heap(console.handheld) as figures:
        console.start_game()
        figures.note("load")
        from_s = console.handheld.time_s
        console.play(9, 1)  # after 12 s the Matrix can be full
        console.tap("C+S", after_s=1)
        console.tap("C+S", after_s=1.5)
        figures.note("play")
        taken = [1000 * each.busy_s for each in console.handheld.frames(from_s)]
        assert not console.shows("PAUSE")
        console.tap("S", after_s=0.5)
        assert console.shows("PAUSE")
        figures.note("pause")
        console.tap("S", after_s=2)
        console.top_out()
        console.run(3)
        console.check()
        figures.note("top out")
    print("HEAP", figures)
    late = sum(each > 1000 / 60 for each in taken)
    print(f"TIME {len(taken)} frames, mean {sum(taken) / len(taken):.2f} ms, longest {max(taken):.1f} ms, {late} late")
    figures.check()
    assert sum(taken) / len(taken) <= MEAN_MS and sorted(taken)[-len(taken) // 50] <= LATE_MS
