"""Drive Firefox by its own protocol."""

import gc
import re
from pathlib import Path
from typing import Any

from tests.web.page_driver import PATIENCE_S, PageDriver
from tools.web.browse import find_firefox

PACKAGE = "firefox-esr"
_MOUSE = 6  # a fine pointer that hovers; a headless Firefox has none
_LAST = "the log was read to its end"
# Firefox's own complaints begin with the name of one of its parts, and its own scripts have other addresses.
_SAID = re.compile(r'console\.(?:error|warn): (["(].*)|(JavaScript error: https?:.*)')
_RESIZE = """const [width, height] = arguments;
    const how = (name, px) => `min-${name}: ${px}px; max-${name}: ${px}px; ${name}: ${px}px;`;
    gBrowser.selectedBrowser.style.cssText = `flex: none; ${how("width", width)} ${how("height", height)}`;"""


class Firefox(PageDriver):
    """A separate headless Firefox that writes its pages' complaints into a log."""

    def __init__(self, folder: Path) -> None:
        from marionette_driver.marionette import Marionette

        self.log = folder / "log"
        preferences: dict[str, Any] = {"devtools.console.stdout.content": True, "devtools.console.stdout.chrome": False}
        preferences |= dict.fromkeys(("ui.primaryPointerCapabilities", "ui.allPointerCapabilities"), _MOUSE)
        how = {"headless": True, "port": 0, "gecko_log": str(self.log), "prefs": preferences}
        self.driver = Marionette(bin=find_firefox(), **how)
        self.driver.start_session()
        self.driver.timeout.script = PATIENCE_S

    def navigate(self, address: str) -> None:
        self.driver.navigate(address)

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script, sandbox=None)

    def wait_for(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_async_script(script, arguments, sandbox=None)

    def move_key(self, key: str, down: bool) -> None:
        keyboard = self.driver.actions.sequence("key", "keyboard")
        (keyboard.key_down if down else keyboard.key_up)(key).perform()

    def click(self, selector: str) -> None:
        self.driver.find_element("css selector", selector).click()

    def set_size(self, width: int, height: int) -> None:
        with self.driver.using_context("chrome"):
            self.driver.execute_script(_RESIZE, (width, height))

    def close(self) -> list[str]:
        self.evaluate("what => console.error(what)", _LAST)
        self.driver.quit()
        self.driver.cleanup()
        del self.driver
        gc.collect(2)  # the driver's objects cannot be freed while Python exits
        log = self.log.read_text(encoding="utf-8", errors="replace")
        said = [(said or error).strip('" ') for said, error in _SAID.findall(log)]
        assert said.pop() == _LAST
        return said
