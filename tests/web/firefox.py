"""Visit the page in Firefox, whose time passes by itself: a test waits for frames or for a condition."""

import gc
import json
import re
from pathlib import Path
from typing import Any

from tools.web.browse import find_firefox

PACKAGE = "firefox-esr"
FRAMES = 4  # between two edges of a key
PATIENCE_S = 120  # with a page that is not as it should be: no test depends on it
_MOUSE = 6  # fine, and hovers: without a window there is none
LAST = "the log was read to its end"
# What Firefox itself complains of begins with the name of a part of it, and its scripts have other addresses.
_SAID = re.compile(r'console\.(?:error|warn): (["(].*)|(JavaScript error: https?:.*)')
_UNTIL = """const [done] = arguments;
    const look = () => {
        let found;
        try { found = EXPRESSION; } catch {}
        if (found) done(found); else setTimeout(look, 10);
    };
    look();"""
_RESIZE = """const [width, height] = arguments;
    const how = (name, px) => `min-${name}: ${px}px; max-${name}: ${px}px; ${name}: ${px}px;`;
    gBrowser.selectedBrowser.style.cssText = `flex: none; ${how("width", width)} ${how("height", height)}`;"""


def missing() -> str:
    return "" if find_firefox() else f"there is no {PACKAGE} here; Debian: apt install {PACKAGE}"


class Firefox:
    """A Firefox of its own, without a window, that writes what its pages complain of into a log."""

    def __init__(self, log: Path) -> None:
        from marionette_driver.marionette import Marionette

        self.log = log
        told: dict[str, Any] = {f"devtools.console.stdout.{who}": who == "content" for who in ("content", "chrome")}
        told |= dict.fromkeys(("ui.primaryPointerCapabilities", "ui.allPointerCapabilities"), _MOUSE)
        how = {"headless": True, "port": 0, "gecko_log": str(log), "prefs": told}
        self.driver = Marionette(bin=find_firefox(), **how)
        self.driver.start_session()
        self.driver.timeout.script = PATIENCE_S

    def open(self, address: str) -> None:
        self.driver.navigate("about:blank")  # another fragment alone would load nothing
        self.driver.navigate(address)
        self.wait()

    def reload(self) -> None:
        """Load the page again and wait until the handheld is on; refresh() would ask no service worker."""
        self.open(self.driver.get_url())

    def wait(self) -> None:
        self.until("'ready' in document.documentElement.dataset")

    def evaluate(self, expression: str, *arguments: Any) -> Any:
        """Return what an expression, or a function of these arguments, is in the page."""
        is_function = re.match(r"(\w+|\([^)]*\)) =>", expression)
        call = f"({expression})({','.join(map(json.dumps, arguments))})" if is_function else expression
        return self.driver.execute_script(f"return {call}", sandbox=None)

    def until(self, expression: str) -> Any:
        """Wait until an expression is true in the page; return it. An exception is the same as false."""
        return self.driver.execute_async_script(_UNTIL.replace("EXPRESSION", expression), sandbox=None)

    def frames(self, count: int = FRAMES) -> None:
        """Wait until so many frames were drawn."""
        self.driver.execute_async_script(
            "let [left, done] = arguments;const next = () => (left-- ? requestAnimationFrame(next) : done()); next();",
            (count,),
            sandbox=None,
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.driver.actions.sequence("key", "keyboard").key_down(key).perform()
            self.frames()
            self.driver.actions.sequence("key", "keyboard").key_up(key).perform()
            self.frames()

    def click(self, selector: str) -> None:
        self.driver.find_element("css selector", selector).click()

    def resize(self, width: int, height: int) -> None:
        """Give the page other measures, also those that no window can have."""
        with self.driver.using_context("chrome"):
            self.driver.execute_script(_RESIZE, (width, height))
        self.until(f"innerWidth === {width} && innerHeight === {height}")
        self.frames()

    def ask(self, expression: str) -> Any:
        return self.evaluate("text => skyline.ask(text)", expression)

    @property
    def scene(self) -> str:
        return str(self.evaluate("skyline.handheld.scene"))

    @property
    def notice(self) -> str:
        return str(self.evaluate("document.querySelector('#notice span')?.textContent ?? ''"))

    def close(self) -> list[str]:
        """Quit; return what the console said, LAST at the end if the log holds all of it."""
        self.evaluate("what => console.error(what)", LAST)
        self.driver.quit()
        self.driver.cleanup()
        del self.driver
        gc.collect()  # what it holds cannot be let go of while Python ends
        log = self.log.read_text(encoding="utf-8", errors="replace")
        return [(said or error).strip('" ') for said, error in _SAID.findall(log)]
