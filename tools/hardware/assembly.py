"""Draw how the handheld is soldered together: one SVG a step, the new parts in colour, those before it grey."""

from __future__ import annotations

from dataclasses import dataclass

from tools.hardware.layout import BUTTONS, CORNER_RADIUS, HEIGHT, HOLE, HOLES, PARTS, WIDTH, Part
from tools.hardware.silkscreen import name_button

_MARGIN = 8.0
_OLD, _NEW, _BOARD = "#b9c1c9", "#f0a030", "#eef2f5"
_THICK, _THIN = 'stroke="#555" stroke-width=".3"', 'stroke="#333" stroke-width=".2"'
_MIDDLE = 'text-anchor="middle" dominant-baseline="central"'


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
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" font-family="sans-serif">',
        f'<rect width="{wide:g}" height="{high:g}" fill="#fff"/>',
        f'<text x="{_MARGIN:g}" y="9" font-size="6">{number}. {step.title}</text>',
        f'<g transform="translate({_MARGIN:g} {_MARGIN + 10:g})">',
        f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" rx="{CORNER_RADIUS:g}" fill="{_BOARD}" {_THICK}/>',
    ]
    for x, y in HOLES:
        lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{HOLE / 2:g}" fill="#fff" {_THIN}/>')
    order = sorted(PARTS, key=lambda part: (part.name in step.parts, part.box[4]))
    for part in order:
        if part.name in step.parts:
            lines += _draw_part(part, step.back, _NEW)
        elif part.name in done and part.back == step.back:
            lines += _draw_part(part, step.back, _OLD)
    lines.append("</g>")
    side = "back" if step.back else "front"
    lines.append(
        f'<text x="{wide - _MARGIN:g}" y="9" font-size="4" text-anchor="end" fill="#555">seen from the {side}</text>'
    )
    return "\n".join([*lines, "</svg>", ""])


def _draw_part(part: Part, back: bool, colour: str) -> list[str]:
    """Return the box of a part and its name; a side seen from the back is mirrored."""
    left, top, right, bottom = part.area() if part.box[4] else part.area((-1.9, -0.9, 1.9, 0.9))
    if back:
        left, right = WIDTH - right, WIDTH - left
    wide, high = right - left, bottom - top
    middle = f"{(left + right) / 2:.2f}", f"{(top + bottom) / 2:.2f}"
    turned = f' transform="rotate(-90 {middle[0]} {middle[1]})"' if high > wide else ""
    name = name_button(part.name) if part.name in BUTTONS else part.name
    size = min(3.2, max(wide, high) / max(1, len(name)) * 1.4)
    return [
        f'<rect x="{left:.2f}" y="{top:.2f}" width="{wide:.2f}" height="{high:.2f}" rx=".5" fill="{colour}" {_THIN}/>',
        f'<text x="{middle[0]}" y="{middle[1]}" font-size="{size:.2f}" {_MIDDLE}{turned}>{name}</text>',
    ]
