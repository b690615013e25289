"""Drive WebKitGTK, which shares Safari's engine, by the WebDriver protocol."""

import json
import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.web.page_driver import PATIENCE_S, PageDriver

PACKAGES = "webkit2gtk-driver xvfb"
_BROWSERS = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/lib/*/webkitgtk-6.0/MiniBrowser")
_SAID = re.compile(r"CONSOLE \w+ (?:ERROR|WARN) (.*)")
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the protocol's key for an element
_SCREEN = "1600x1200x24"


def find_browser() -> str:
    return next((str(found) for pattern in _BROWSERS for found in Path("/").glob(pattern[1:])), "")


class WebKit(PageDriver):
    least_width = 450  # for the browser's own buttons

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with ExitStack() as self.ends:  # closed at once if the browser does not start
            shown, told = os.pipe()
            xvfb = ["Xvfb", "-displayfd", str(told), "-screen", "0", _SCREEN]
            self.start(xvfb, {}, pass_fds=(told,))
            os.close(told)
            with os.fdopen(shown) as pipe:
                display = ":" + pipe.readline().strip()
            with socket.create_server(("127.0.0.1", 0)) as server:
                port = server.getsockname()[1]
            home = {"DISPLAY": display, "HOME": str(folder), "LIBGL_ALWAYS_SOFTWARE": "1"}
            driver = self.start(["WebKitWebDriver", "-p", str(port)], home)
            self.at = f"http://127.0.0.1:{port}/session"
            options = {
                "binary": find_browser(),
                "args": ["--automation", "--enable-write-console-messages-to-stdout=true"],
            }
            wanted = {"webkitgtk:browserOptions": options, "timeouts": {"script": 1000 * PATIENCE_S}}
            self.at += "/" + self.start_session(driver, wanted)["sessionId"]
            self.ends = self.ends.pop_all()

    def start(self, command: list[str], environment: dict[str, str], **how: Any) -> "subprocess.Popen[bytes]":
        """Start a program that runs until close(); its output goes into a log."""
        log = self.ends.enter_context((self.folder / f"{command[0]}.log").open("wb"))
        program = subprocess.Popen(command, env=os.environ | environment, stdout=log, stderr=log, **how)
        self.ends.callback(program.wait)
        self.ends.callback(program.terminate)
        return program

    def start_session(self, driver: "subprocess.Popen[bytes]", wanted: dict[str, Any]) -> Any:
        while driver.poll() is None:
            try:
                return self.call("POST", "", capabilities={"alwaysMatch": wanted})
            except urllib.error.HTTPError:
                raise
            except urllib.error.URLError:
                time.sleep(0.05)
        raise ChildProcessError("WebKitWebDriver has ended; its log says why")

    def call(self, method: str, path: str, **body: Any) -> Any:
        content = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self.at + path, content, method=method)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def navigate(self, address: str) -> None:
        self.call("POST", "/url", url=address)

    def run(self, script: str) -> Any:
        return self.call("POST", "/execute/sync", script=script, args=[])

    def wait_for(self, script: str, *arguments: Any) -> Any:
        return self.call("POST", "/execute/async", script=script, args=arguments)

    def move_key(self, key: str, down: bool) -> None:
        step = {"type": "keyDown" if down else "keyUp", "value": key}
        self.call("POST", "/actions", actions=[{"type": "key", "id": "keyboard", "actions": [step]}])

    def click(self, selector: str) -> None:
        found = self.call("POST", "/element", using="css selector", value=selector)[_ELEMENT]
        self.call("POST", f"/element/{found}/click")

    def set_size(self, width: int, height: int) -> None:
        for _ in range(2):  # the first try shows the size of the window's frame
            window = self.call("GET", "/window/rect")
            wide, high = self.evaluate("[innerWidth, innerHeight]")
            size = {"width": window["width"] + width - wide, "height": window["height"] + height - high}
            self.call("POST", "/window/rect", **size)

    def close(self) -> list[str]:
        with self.ends:
            self.call("DELETE", "")
        return _SAID.findall((self.folder / "WebKitWebDriver.log").read_text(encoding="utf-8", errors="replace"))
