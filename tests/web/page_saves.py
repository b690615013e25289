"""Get files and games that the page saves, and give it files."""

import base64
from pathlib import Path

from tests.web.visit import Visit

_MOST_DROPS = 40
# Drops a file with this name and, in base64, this content.
DROP = """([name, text]) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], name));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
}"""


def press_tool(visit: Visit, button: str) -> None:
    """Press a button of the page; on a narrow page, open the menu first."""
    if not visit.page.is_visible(button):
        visit.page.click("#menu-shown")
    visit.page.click(button)


def open_section(visit: Visit, name: str) -> None:
    if visit.page.locator("#more").get_attribute("open") is None:
        press_tool(visit, "#more-shown")
    visit.page.click(f"#tab-{name}")


def save(visit: Visit, button: str) -> bytes:
    """Press a button of the dialog; return the file that the browser saves."""
    open_section(visit, "settings" if button == "#save-all" else "share")
    with visit.page.expect_download() as download:
        visit.page.click(button)
    return Path(download.value.path()).read_bytes()


def drop(visit: Visit, name: str, content: bytes) -> None:
    visit.page.evaluate(DROP, [name, base64.b64encode(content).decode()])


def lose(visit: Visit) -> None:
    for _ in range(_MOST_DROPS):
        visit.press("Space")
        if visit.state("ENDED"):
            break


def wait_for_games(visit: Visit, count: int) -> None:
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
