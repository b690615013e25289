"""Visit the page in a browser whose clock the test moves."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 3, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
FRAME_MS = 50 / 3
PATIENCE_MS = 120_000  # reached only if the page is broken
TELL = "([line, lasting]) => import('/parts/menus/notice.js').then(({ tell }) => tell(line, lasting))"
NO_WORKER = "(globalThis.ServiceWorkerContainer ?? class {}).prototype.register = () => new Promise(() => {});"


@contextmanager
def visiting(browser: Any, site: str, **how: Any) -> Iterator["Visit"]:
    """Open the page, and check at the end that its console is empty; a failed test shows what it says."""
    with closing(Visit(browser, site, **how)) as visit:
        try:
            yield visit.open()
        finally:
            print(*visit.problems, sep="\n")
        assert visit.problems == []


class Visit:
    """A page in a new browser context, or in that of the visit `beside`, which then moves the clock of both.

    worker: whether its service worker may run. It fetches and keeps all files once more, which takes as long again.
    problems: the messages on its console.  requests: all requested addresses.
    """

    def __init__(self, browser: Any, address: str, beside: Any = None, worker: Any = False, **how: Any) -> None:
        self.address = address
        self.context = beside.context if beside else browser.new_context(**(how or DESK))
        if not (beside or worker):
            self.context.add_init_script(NO_WORKER)
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.devtools = self.context.new_cdp_session(self.page)
        self.problems: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda problem: self.problems.append(str(problem)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        if not beside:
            self.page.clock.install(time=0)
            self.page.clock.pause_at(1)

    def open(self, fragment: str = "", mark: str = "whole") -> "Visit":
        self.page.goto(self.address + fragment)
        self.wait(mark)
        return self

    def begin_anew(self) -> "Visit":
        """Open the page again without anything that it has saved."""
        self.page.goto("about:blank")
        kinds = {"origin": self.address.rstrip("/"), "storageTypes": "local_storage,indexeddb"}
        self.devtools.send("Storage.clearDataForOrigin", kinds)
        self.problems.clear()
        self.requests.clear()
        return self.open()

    def wait(self, mark: str = "whole") -> None:
        """Wait for the whole firmware; with "ready" only for the first picture."""
        self.page.wait_for_selector(f"html[data-{mark}]", state="attached")

    def reload(self) -> None:
        self.page.reload()
        self.wait()

    def advance(self, ms: float = 4 * FRAME_MS) -> None:
        """Move the clock of all pages; Playwright's own `run_for` would do it once more at each reload."""
        for page in self.context.pages:
            for frame in page.frames:
                frame.evaluate("ms => __pwClock.controller.runFor(ms)", round(ms))

    def hold(self, key: str) -> None:
        self.page.keyboard.down(key)
        self.advance()

    def release(self, key: str) -> None:
        """Release a key and run a few frames."""
        self.page.keyboard.up(key)
        self.advance()

    def press(self, *keys: str) -> "Visit":
        for key in keys:
            self.hold(key)
            self.release(key)
        return self

    def begin_game(self) -> "Visit":
        """Go from power-on to a game whose first Tetrimino falls, without READY and GO."""
        self.run("handheld.app.session.counts_down = False")
        self.press(*"aaaa")
        self.advance(400)
        assert self.scene == "play" and self.state("PLAYING")
        return self

    def resume(self) -> None:
        """Go on with the kept game, from power-on through 3-2-1."""
        self.press("a", "a")
        self.advance(2000)

    @property
    def scene(self) -> str:
        return self.page.evaluate("skyline.handheld.scene")

    def state(self, name: str) -> int:
        """Return a word of sim/web/memory.py."""
        return self.page.evaluate("name => skyline.state(name)", name)

    def ask(self, expression: str) -> Any:
        return self.page.evaluate("text => skyline.ask(text)", expression)

    def run(self, statements: str) -> None:
        self.page.evaluate("text => skyline.handheld.python.runPython(text)", statements)

    @property
    def notice(self) -> str:
        return self.page.evaluate("document.querySelector('#notice span')?.textContent ?? ''")

    def tell(self, line: str, lasting: bool) -> None:
        """Show a notice as the page shows its own."""
        self.page.evaluate(TELL, [line, lasting])

    def close(self) -> None:
        self.context.close()
