"""Draw how the handheld is soldered together: one SVG a step, the new parts in colour, those before it grey."""

from dataclasses import dataclass
from typing import Any

from tools.hardware.layout import BUTTONS, CORNER_RADIUS, HEIGHT, HOLE, HOLES, PARTS, WIDTH, Part
from tools.hardware.silkscreen import name_button
from tools.markup import Markup, element, join
from tools.svg import picture, text

_MARGIN = 8.0
_OLD, _NEW, _BOARD = "#b9c1c9", "#f0a030", "#eef2f5"
_THICK: dict[str, Any] = {"stroke": "#555", "stroke_width": 0.3}
_THIN: dict[str, Any] = {"stroke": "#333", "stroke_width": 0.2}
_MIDDLE = {"text_anchor": "middle", "dominant_baseline": "central"}


@dataclass(frozen=True)
class Step:
    """One step: what to solder, why in this order, and the names of its parts; the flat parts come first."""

    title: str
    words: str
    parts: tuple[str, ...]
    back: bool = True


STEPS = (
    Step("Resistor", "On the back. It has no direction. Without a link leave it out.", ("R1",)),
    Step("Diode", "On the back, the stripe up, as printed. Without a battery leave it out.", ("D1",)),
    Step("Jumpers", "Look at your display: bridge the pads on the side that its first two pins name.", ("JP1", "JP2")),
    Step(
        "Sockets of the Pico",
        "Plug them on the Pico while you solder: so they stand straight. Cut their wires flush.",
        ("J1", "J2"),
    ),
    Step("Switch and battery", "The plug's red wire belongs to +. Measure it: sellers differ.", ("POWER", "BATTERY")),
    Step("Piezo", "Either way round.", ("PIEZO",)),
    Step("Link sockets", "Press them flat on the board. Without a link leave them out.", ("OUT", "IN")),
    Step(
        "Buttons",
        "On the front. They click into their holes.",
        ("LEFT", "RIGHT", "HARD_DROP", "SOFT_DROP", "ROTATE_CW", "ROTATE_CCW", "HOLD", "PAUSE"),
        back=False,
    ),
    Step(
        "Display",
        "On the front, its pins at the left. Leave a card under it: it must touch no solder joint.",
        ("DISPLAY",),
        False,
    ),
    Step("Pico", "Plug it in, its USB socket up and its chip outwards. Then copy the game to it.", ("PICO",)),
)


def draw_all() -> dict[str, str]:
    return {f"assembly-{number:02d}.svg": draw(number) for number in range(1, len(STEPS) + 1)}


def list_steps(folder: str) -> str:
    steps = []
    for number, step in enumerate(STEPS, 1):
        head = f"{number}. "
        picture = f"![{step.title}]({folder}/assembly-{number:02d}.svg)"
        steps.append(f"{head}**{step.title}.** {step.words}\n\n{' ' * len(head)}{picture}\n")
    return "\n".join(steps)


def draw(number: int) -> str:
    """Return the drawing of a step, 1 to the number of STEPS."""
    step = STEPS[number - 1]
    done = {name for each in STEPS[: number - 1] for name in each.parts}
    wide, high = WIDTH + 2 * _MARGIN, HEIGHT + 2 * _MARGIN + 12
    shapes = [element("rect", width=WIDTH, height=HEIGHT, rx=CORNER_RADIUS, fill=_BOARD, **_THICK)]
    shapes += [element("circle", cx=x, cy=y, r=HOLE / 2, fill="#fff", **_THIN) for x, y in HOLES]
    for part in sorted(PARTS, key=lambda part: (part.name in step.parts, part.box.height)):
        if part.name in step.parts:
            shapes += _draw_part(part, step.back, _NEW)
        elif part.name in done and part.back == step.back:
            shapes += _draw_part(part, step.back, _OLD)
    side = "back" if step.back else "front"
    all_shapes = [
        element("rect", width=wide, height=high, fill="#fff"),
        text(_MARGIN, 9, f"{number}. {step.title}", 6),
        element("g", "\n", join(shapes, "\n"), "\n", transform=f"translate({_MARGIN:g} {_MARGIN + 10:g})"),
        text(wide - _MARGIN, 9, f"seen from the {side}", 4, text_anchor="end", fill="#555"),
    ]
    return picture((0, 0, wide, high), all_shapes)


def _draw_part(part: Part, back: bool, colour: str) -> list[Markup]:
    """Return the box of a part and its name; a side seen from the back is mirrored."""
    left, top, right, bottom = part.area() if part.box.height else part.area((-1.9, -0.9, 1.9, 0.9))
    if back:
        left, right = WIDTH - right, WIDTH - left
    wide, high = right - left, bottom - top
    x, y = (left + right) / 2, (top + bottom) / 2
    turned = f"rotate(-90 {x:.2f} {y:.2f})" if high > wide else None
    name = name_button(part.name) if part.name in BUTTONS else part.name
    size = min(3.2, max(wide, high) / max(1, len(name)) * 1.4)
    return [
        element("rect", x=left, y=top, width=wide, height=high, rx=0.5, fill=colour, **_THIN),
        text(x, y, name, size, **_MIDDLE, transform=turned),
    ]
