"""Measure the places of the page's parts: none may be cut off, covered or too small to touch."""

from typing import Any

LEAST_PX = 44  # the size of a touch target
MEASURE = """() => {
    const seen = (element) => element.checkVisibility() && element.getBoundingClientRect();
    const list = (what) => [...document.querySelectorAll(what)].filter(seen).map((element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        const cut = Math.max(element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight);
        return { name: element.id || element.ariaLabel, left, top, right, bottom, cut };
    });
    return {
        glass: list("#glass")[0], notice: list("#notice")[0],
        buttons: list("main button, #menu-shown, #tools button, #friend"),
        overflow: document.documentElement.scrollWidth - innerWidth,
    };
}"""
SMALL = """least => [...document.querySelectorAll("#more button, #more select, #more input:not([readonly])")]
    .filter((one) => one.checkVisibility() && one.type !== "checkbox" && one.offsetHeight < least)
    .map((one) => one.id)"""


def overlap(one: dict[str, float], other: dict[str, float]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    return across > 0.5 and min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 0.5


def check(found: dict[str, Any], width: int, height: int) -> None:
    """Check that no part found by MEASURE is cut off, covered or too small."""
    boxes = [*found["buttons"], found["glass"]]
    assert len(boxes) >= 10 and found["overflow"] <= 0
    for at, box in enumerate(boxes):
        assert box["left"] >= 0 and box["top"] >= 0 and box["right"] <= width and box["bottom"] <= height, box
        assert box["cut"] <= 1, box
        assert not [other for other in boxes[:at] if overlap(box, other)], box
    for box in found["buttons"]:
        assert min(box["right"] - box["left"], box["bottom"] - box["top"]) >= LEAST_PX - 0.01, box
