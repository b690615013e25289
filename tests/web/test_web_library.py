"""The page's library keeps finished games, which can be found, watched and deleted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware.save.recordings.recording import Recording
from sim.daily import describe
from tests.web.page_saves import lose, open_section, wait_for_games
from tests.web.visit import DESK, Visit, visiting

DAY = Path(__file__).parents[1] / "recordings" / "modes" / "daily.sky"


@pytest.fixture
def loser(browser: Any, site: str, lost: Any) -> Iterator[Visit]:
    """A desk at which a game was lost before the page was opened."""
    with visiting(browser, site, **DESK, storage_state=lost) as visit:
        yield visit


def list_games(visit: Visit) -> Any:
    if not visit.page.is_visible("#games-panel"):
        open_section(visit, "games")
    visit.page.wait_for_selector("#found:has-text('of')")
    return visit.page.locator("#games li:not([hidden])")


def test_a_finished_game_is_listed_with_its_picture_at_the_next_visit(loser: Visit) -> None:
    games = list_games(loser)
    assert games.count() == 1 and games.locator("p").inner_text().startswith("marathon ")
    lit = games.locator("canvas").evaluate(
        """canvas => canvas.getContext("2d").getImageData(0, 0, 70, 134)
            .data.filter((level, at) => at % 4 === 0 && level > 128).length"""
    )
    assert 300 < lit < 6000


def test_a_reopened_list_is_empty_until_games_are_loaded(loser: Visit) -> None:
    assert list_games(loser).count() == 1
    loser.page.keyboard.press("Escape")
    loser.page.click("#more-shown")
    assert loser.page.locator("#games li").count() == 0 and loser.page.text_content("#found") == ""


def test_search_finds_all_words_in_upper_or_lower_case(loser: Visit) -> None:
    games = list_games(loser)
    for words, count in (("sprint", 0), ("MARA 1970", 1), ("marathon sprint", 0), ("", 1)):
        loser.page.fill("#search", words)
        assert games.count() == count and loser.page.inner_text("#found") == f"{count} of 1 games"


def test_a_saved_file_is_named_as_on_a_pc_and_is_the_whole_game(loser: Visit) -> None:
    with loser.page.expect_download() as download:
        list_games(loser).get_by_text("Save as .sky").click()
    assert download.value.suggested_filename.startswith("19700101-")
    assert "-marathon-" in download.value.suggested_filename
    recording = Recording(Path(download.value.path()).read_bytes())
    while recording.read():
        pass


def test_the_link_of_a_game_is_shown(loser: Visit) -> None:
    list_games(loser).get_by_text("Link").click()
    loser.page.wait_for_selector("#game-link-shown:not([hidden])")
    assert "#game=" in loser.page.input_value("#game-link")


def test_full_library_drops_the_oldest_unpinned_game(loser: Visit) -> None:
    list_games(loser).get_by_text("Pin", exact=True).click()
    loser.page.wait_for_selector("#games button:has-text('Unpin')")
    kept = loser.page.evaluate(
        """async () => {
            const library = await import("/parts/saves/library.js");
            for (let at = 1; at <= 102; at++) await library.add({ at, told: "", name: "", recording: [], picture: [] });
            return (await library.work((stored) => stored.getAll())).map(({ at }) => at);
        }"""
    )
    assert kept[1:] == list(range(3, 103))


def test_a_full_browser_shows_one_line_and_keeps_the_old_games(loser: Visit) -> None:
    answer = loser.page.evaluate(
        """async () => {
            const library = await import("/parts/saves/library.js"), { add } = IDBObjectStore.prototype;
            IDBObjectStore.prototype.add = function () { this.transaction.abort(); }; // as where a quota is spent
            await library.add({ at: 0, told: "", name: "", recording: [], picture: [] });
            IDBObjectStore.prototype.add = add;
            return (await library.work((stored) => stored.getAll())).length;
        }"""
    )
    assert answer == 1
    assert loser.notice == "This browser has no room for this game. To keep it, open More and save it as a file."


def test_game_is_watched_and_then_deleted_by_two_presses(loser: Visit) -> None:
    list_games(loser).get_by_text("Watch").click()
    loser.advance(1000)
    assert loser.scene == "replay.watch" and not loser.state("ENDED")
    games = list_games(loser)
    games.get_by_text("Delete").click()
    assert games.count() == 1
    games.get_by_text("Really delete?").click()
    loser.page.wait_for_selector("#found:has-text('0 of 0')")
    loser.page.keyboard.press("Escape")
    loser.reload()
    assert list_games(loser).count() == 0


def test_a_game_played_on_from_a_listed_one_is_practice_and_not_kept(loser: Visit) -> None:
    list_games(loser).get_by_text("Watch").click()
    loser.advance(1000)
    loser.page.click("text=Play on")
    loser.advance(500)
    assert loser.scene == "replay.practise"
    loser.press("a")
    lose(loser)
    loser.advance(5000)
    assert loser.scene == "replay.practise" and loser.ask("handheld.app.router.scene.game.over")
    assert not loser.state("ENDED") and list_games(loser).count() == 1


def test_a_daily_game_shows_its_result_line(loser: Visit) -> None:
    blob = DAY.read_bytes()
    loser.page.evaluate(
        """async content => {
            const { add } = await import("/parts/saves/library.js");
            const kept = { at: Date.now(), name: "day", told: "daily 15012", picture: new Uint8Array(1025) };
            await add({ ...kept, recording: Uint8Array.from(content) });
            await add({ ...kept, recording: Uint8Array.from(content.slice(0, -9)) });
        }""",
        list(blob),
    )
    wait_for_games(loser, 3)
    list_games(loser).nth(1).get_by_text("Result").click()
    loser.page.wait_for_selector("#line-shown:not([hidden])")
    assert loser.page.input_value("#line") == describe(blob)
    list_games(loser).first.get_by_text("Result").click()
    assert loser.notice == "day: recording is damaged: its check sum does not match."


def test_a_decided_match_is_kept_and_can_be_played_on(loser: Visit) -> None:
    loser.run("handheld.app.context.device.seats = b'\\0\\1'\nhandheld.app.context.go('match.play')")
    loser.advance(1000)
    lose(loser)
    wait_for_games(loser, 2)
    newest = list_games(loser).first
    assert newest.inner_text().startswith("versus lost, ")
    newest.get_by_text("Watch").click()
    loser.advance(1000)
    assert loser.scene == "match.watch" and loser.page.is_visible("text=Play on")


def test_hostile_entries_hide_no_game_and_are_counted(loser: Visit) -> None:
    loser.page.evaluate(
        """() => new Promise((resolve, reject) => {
            const asked = indexedDB.open("skyline");
            asked.onerror = reject;
            asked.onsuccess = () => {
                const change = asked.result.transaction("games", "readwrite");
                const games = change.objectStore("games");
                for (const bad of [{}, { told: 7 }, { told: "x", picture: 3 },
                    { told: "x", picture: new Uint8Array(9) },
                    { told: "<script>alert(1)</script>", at: {}, picture: new Uint8Array(1024), recording: "x" }]) {
                    games.add(bad);
                }
                const picture = new Uint8Array(1024), recording = new Uint8Array(9);
                games.add({ told: "<img src=x onerror=alert(1)>", at: "when", name: "<b>", picture, recording });
                change.oncomplete = resolve;
            };
        })"""
    )
    games = list_games(loser)
    assert games.count() == 2 and loser.page.inner_text("#found") == "2 of 2 games; 5 more cannot be read"
    assert loser.page.locator("#games img, #games script, #games b").count() == 0
