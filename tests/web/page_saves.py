"""Wait for what the page keeps."""

from __future__ import annotations

from pathlib import Path

from tests.web.visit import Visit


def save(visit: Visit, button: str) -> bytes:
    """Press a button of the dialog; return the file that the browser saves."""
    if visit.page.locator("#more").get_attribute("open") is None:
        visit.page.click("#more-shown")
    with visit.page.expect_download() as download:
        visit.page.click(button)
    return Path(download.value.path()).read_bytes()


def wait_for_games(visit: Visit, count: int) -> None:
    """Wait until so many games are kept."""
    visit.page.wait_for_function(
        """count => new Promise((resolve, reject) => {
            const asked = indexedDB.open("skyline");
            asked.onerror = reject;
            asked.onsuccess = () => {
                const counted = asked.result.transaction("games").objectStore("games").count();
                counted.onsuccess = () => { asked.result.close(); resolve(counted.result === count); };
            };
        })""",
        arg=count,
        polling=50,
    )
