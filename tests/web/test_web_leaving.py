"""A player who leaves the page finds the game paused and saved."""

import itertools

import pytest

from firmware.modes.catalogue import make_mode
from firmware.save.recordings.recording import Player, Recording
from firmware.scenes.play_state import PAUSED, PLAYING
from tests.web.page_saves import save
from tests.web.visit import FRAME_MS, Visit

GAME = "handheld.app.router.scene.game"
HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
LEAVE = {
    "focus": "window.dispatchEvent(new Event('blur'))",
    "tab": f"[true, false].forEach({HIDE})",
    "dialog": "document.getElementById('more-shown').click()",
}


def test_the_game_pauses_and_releases_keys_when_the_window_loses_focus(playing: Visit) -> None:
    playing.hold("ArrowLeft")
    playing.page.evaluate("window.dispatchEvent(new Event('blur'))")
    assert not playing.state("PLAYING") and playing.ask(f"{GAME}.pressed") == 0
    playing.page.keyboard.up("ArrowLeft")


@pytest.mark.parametrize("scene", ["play", "match.play"])
def test_no_game_begins_behind_the_players_back(scene: str, visit: Visit) -> None:
    """Wherever its READY is, and also if READY comes only after the player left."""
    state = "handheld.app.router.scene.state"
    for frames, way in itertools.product((0, 1, 2, 60), LEAVE):
        visit.run(f"handheld.app.context.go({scene!r})")
        visit.advance(frames * FRAME_MS)
        visit.page.evaluate(LEAVE[way])
        visit.advance(3000)
        assert visit.scene == scene and visit.ask(state) == PAUSED, (way, frames)
        if way == "dialog":
            visit.press("Escape")  # closes it
        visit.press("Escape")
        visit.advance(3000)
        assert visit.ask(state) == PLAYING, (way, frames)
    assert visit.problems == []


def test_the_clock_stands_still_while_the_page_is_hidden(playing: Visit) -> None:
    playing.page.evaluate(HIDE, True)
    assert not playing.state("PLAYING")
    before = playing.ask("handheld.app.context.device.clock.ticks_ms()")
    playing.page.clock.fast_forward(60_000)
    playing.page.evaluate(HIDE, False)
    assert 0 <= playing.ask("handheld.app.context.device.clock.ticks_ms()") - before < 100


def test_events_during_a_save_start_no_step_within_the_step(visit: Visit) -> None:
    """While localStorage waits for another process, Firefox fires events of leaving the page."""
    visit.begin_game()
    visit.page.evaluate(
        """() => {
            const { handheld } = skyline, { step } = handheld, keep = Storage.prototype.setItem;
            Object.assign(window, { depth: 0, deepest: 0, kept: 0 });
            handheld.step = () => { deepest = Math.max(deepest, ++depth); step(); depth--; };
            Storage.prototype.setItem = function (...how) {
                kept++;
                for (const name of ["blur", "pagehide"]) window.dispatchEvent(new Event(name));
                keep.apply(this, how);
            };
        }"""
    )
    visit.press("Space", "Escape")
    visit.advance(500)
    assert visit.page.evaluate("[kept > 0, deepest]") == [True, 1] and not visit.state("PLAYING")
    visit.press("Escape")
    visit.advance(500)
    assert visit.state("PLAYING") and visit.problems == []


def test_a_game_continues_with_its_recording_after_a_reload(visit: Visit) -> None:
    visit.begin_game()
    visit.press("Space", "ArrowLeft", "Space")
    score = visit.ask(f"{GAME}.score")
    visit.reload()
    visit.resume()
    assert visit.state("PLAYING") and visit.scene == "play" and visit.ask(f"{GAME}.score") == score > 0
    visit.press("ArrowRight", "Space")
    assert visit.ask(f"{GAME}.lock_downs") == 3
    visit.press("Escape")
    recording = Recording(save(visit, "#save-sky"))
    game = recording.game(make_mode(recording.variant))
    player = Player(recording, game)
    player.advance(1 << 20)
    assert game.lock_downs == 3 and game.score == visit.ask(f"{GAME}.score") > 0
    assert len(save(visit, "#save-gif")) > 1000 and visit.problems == []


def test_a_game_resumed_without_a_recording_says_so_and_is_not_listed(visit: Visit) -> None:
    visit.begin_game()
    visit.press("Space", "Escape")
    visit.page.evaluate("localStorage.setItem('skyline-game', btoa('another game'))")
    visit.reload()
    visit.resume()
    for button in ("#share", "#save-sky", "#save-gif"):
        visit.page.click("#more-shown")
        visit.page.click(button)
        visit.page.wait_for_selector("#more:not([open])", state="attached")
        assert visit.notice == "This game has no recording: it continued from a save without one."
    visit.press("Escape")
    visit.press(*["Space"] * 40)
    assert visit.state("ENDED") and visit.notice == "This game has no recording, so the library cannot keep it."
    kept = "import('/parts/saves/library.js').then(library => library.work(games => games.getAll()))"
    assert visit.page.evaluate(kept) == [] and visit.problems == []
