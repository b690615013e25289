"""Visit the page in a browser in real time: a test waits for frames or for a condition."""

import json
import re
from contextlib import suppress
from typing import Any, Protocol

FRAMES = 4  # between two edges of a key
PATIENCE_S = 120  # reached only if the page is broken
_UNTIL = """const [done] = arguments;
    const look = () => {
        let found;
        try { found = EXPRESSION; } catch {}
        if (found) done(found); else setTimeout(look, 10);
    };
    look();"""
_FRAMES = "let [left, done] = arguments; const next = () => (left-- ? requestAnimationFrame(next) : done()); next();"
_WORKER = "const [done] = arguments; navigator.serviceWorker.ready.then(() => done());"


class PageDriver(Protocol):
    """The methods that tests use; each browser implements the first seven.

    least_width: of the browser's window, in pixels.
    """

    least_width: int = 0

    def navigate(self, address: str) -> None: ...

    def run(self, script: str) -> Any:
        """Run a script in the page; return its result."""

    def wait_for(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page; return the value with which it calls its last argument."""

    def move_key(self, key: str, down: bool) -> None: ...

    def click(self, selector: str) -> None: ...

    def set_size(self, width: int, height: int) -> None:
        """Resize the page, also to sizes that no window can have."""

    def close(self) -> list[str]:
        """Quit; return the messages on the console."""

    def open(self, address: str) -> None:
        self.navigate("about:blank")  # a new fragment alone would load nothing
        self.navigate(address)
        self.until("'ready' in document.documentElement.dataset")

    def reload(self) -> None:
        """Load the page again and wait until it is ready; a browser's own reload may bypass the service worker."""
        self.open(self.evaluate("location.href"))

    def click_to_reload(self, selector: str) -> None:
        """Click what loads the page again some time later; wait until that page is ready."""
        state = "document.documentElement.dataset"
        self.run(f"{state}.left = ''")
        self.click(selector)
        is_ready = False
        while not is_ready:
            with suppress(Exception):  # each driver has its own for a page that goes away meanwhile
                is_ready = self.evaluate(f"!('left' in {state}) && 'ready' in {state}")

    def evaluate(self, expression: str, *arguments: Any) -> Any:
        """Return the value of an expression, or of a function with these arguments, in the page."""
        is_function = re.match(r"(\w+|\([^)]*\)) =>", expression)
        call = f"({expression})({','.join(map(json.dumps, arguments))})" if is_function else expression
        return self.run(f"return {call}")

    def until(self, expression: str) -> Any:
        """Wait until an expression is true in the page; return its value. An exception counts as false."""
        return self.wait_for(_UNTIL.replace("EXPRESSION", expression))

    def draw_frames(self, count: int = FRAMES) -> None:
        self.wait_for(_FRAMES, count)

    def wait_for_worker(self) -> None:
        self.wait_for(_WORKER)

    def press(self, *keys: str) -> None:
        for key in keys:
            for down in (True, False):
                self.move_key(key, down)
                self.draw_frames()

    def resize(self, width: int, height: int) -> None:
        self.set_size(width, height)
        self.until(f"innerWidth === {width} && innerHeight === {height}")
        self.draw_frames()

    def ask(self, expression: str) -> Any:
        return self.evaluate("text => skyline.ask(text)", expression)

    @property
    def scene(self) -> str:
        return str(self.evaluate("skyline.handheld.scene"))

    @property
    def notice(self) -> str:
        return str(self.evaluate("document.querySelector('#notice span')?.textContent ?? ''"))
