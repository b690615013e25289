"""Time the page in a browser by what its main thread computes, so that other load on this computer counts little."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools.web.browse import RECORDING, link, open_browser

SLOWER = 6  # a processor that many times slower, as a cheap phone has
_LONG_MS = 50  # what a task computes beyond this delays an answer to a press
_SECONDS = 20
_THREE_HAWKS = "handheld.app.context.device.seats = bytes((0, 5, 5, 5))\nhandheld.app.context.go('match.play')"
_TASK = "ThreadControllerImpl::RunTask"
_FRAME = "FireAnimationFrame"
_CATEGORIES = ["toplevel", "devtools.timeline"]
_READY = "html[data-ready]"
_PICTURE = "performance.getEntriesByName('picture')[0].startTime"


def measure(folder: Path, seconds: int = _SECONDS) -> list[str]:
    """Return lines: the first pictures in real time, then the processor's time for a first visit and for frames."""
    with open_browser(folder) as (browser, address):
        context = browser.new_context()
        page = context.new_page()
        blocked_ms = sum(
            max(0, SLOWER * ms - _LONG_MS) for ms in _trace(context, page, _TASK, lambda: _visit(page, address))
        )
        first_ms = page.evaluate(_PICTURE)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        _visit(page, address)
        lines = [
            (
                f"first picture {first_ms:.0f} ms after the address was entered,"
                f" {page.evaluate(_PICTURE):.0f} at the next visit"
            ),
            f"on a processor {SLOWER} times slower (all below):",
            f"long tasks of a first visit delay a press by {blocked_ms:.0f} ms together",
        ]
        _visit(page, address + link(RECORDING.read_bytes()))
        lines.append(
            _describe("a Marathon", _trace(context, page, _FRAME, lambda: page.wait_for_timeout(1000 * seconds)))
        )
        page.evaluate("rules => skyline.handheld.python.runPython(rules)", _THREE_HAWKS)
        page.wait_for_timeout(1000 * 5)  # it counts down
        lines.append(
            _describe("three HAWKs", _trace(context, page, _FRAME, lambda: page.wait_for_timeout(1000 * seconds)))
        )
        context.close()
    return lines


def _visit(page: Any, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(_READY, state="attached")
    page.wait_for_timeout(2000)  # the rest of the firmware comes


def _trace(context: Any, page: Any, name: str, run: Callable[[], None]) -> list[float]:
    """Return the processor's time of each event of a name on the page's main thread while `run` runs, in ms."""
    session = context.new_cdp_session(page)
    events: list[dict[str, Any]] = []
    ended: list[object] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda event: ended.append(event))
    session.send("Tracing.start", {"traceConfig": {"includedCategories": _CATEGORIES, "excludedCategories": ["*"]}})
    run()
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    session.detach()
    frames = {(event["pid"], event["tid"]) for event in events if event["name"] == _FRAME}
    return [
        event["tdur"] / 1000
        for event in events
        if event["name"] == name and "tdur" in event and (event["pid"], event["tid"]) in frames
    ]


def _describe(what: str, frames_ms: list[float]) -> str:
    """Return a line with the 99th percentile and the longest of frames."""
    ordered = sorted(SLOWER * ms for ms in frames_ms)
    most_ms = ordered[len(ordered) * 99 // 100]
    return f"{what}: of {len(ordered)} frames 99 % take at most {most_ms:.1f} ms, all {ordered[-1]:.1f}"
