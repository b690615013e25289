"""Draw the case: pictures of its solids, the reach of two thumbs, and the plates of a sandwich to cut by laser."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from tools.hardware import layout, solids
from tools.hardware.silkscreen import name_button
from tools.hardware.solids import Outline, Solid
from tools.markup import element
from tools.svg import picture, text

Colour = tuple[int, int, int]
Painted = tuple[Solid, Colour]
Numbers = npt.NDArray[np.float64]
PAPER: Colour = (255, 255, 255)
LINE: Colour = (40, 44, 52)
LIGHT = (-0.3, 0.3, 0.9)  # towards the light, in the picture's axes
AMBIENT = 0.5
CREASE = 0.9  # edges where the surface turns by more than 25 degrees get a line
STEP = 0.8  # and those where one lies so many millimetres behind the other
COLOURS: dict[str, Colour] = {
    "front": (240, 200, 80),
    "back": (88, 128, 184),
    "buttons": (208, 76, 64),
    "BOARD": (176, 182, 180),
    "DISPLAY": (64, 68, 76),
    "PICO": (150, 154, 158),
    "the battery": (120, 126, 134),
    "PART": (206, 208, 210),
}
SHEET = 3.0  # the thickness of the sandwich's plates
PLATE_GAP = 4.0
COLUMNS = 3
POST = 4.5  # the radius of plate around a screw
THUMBS = (0.0, layout.WIDTH)  # where they turn
THUMB_Y = layout.HEIGHT
REACH = layout.THUMB[1]
LINES: dict[str, Any] = {"fill": "none", "stroke_width": 0.3}
OVERSAMPLED = 2  # pictures are drawn larger and shrunk, for smooth edges


@dataclass(frozen=True)
class View:
    """Where one looks from: degrees turned about the vertical, then tilted; size in pixels; pixels a millimetre."""

    turn: float
    tilt: float
    width: int = 1200
    height: int = 900
    scale: float = 8.0

    def project(self, points: Numbers) -> Numbers:
        """Return x right, y up and depth towards the eye of points of the layout."""
        turn, tilt = np.radians(self.turn), np.radians(self.tilt)
        x, y, z = points[..., 0], -points[..., 1], points[..., 2]
        # Written out: a matrix product may round differently on another processor.
        across, away = x * np.cos(turn) + z * np.sin(turn), z * np.cos(turn) - x * np.sin(turn)
        return np.stack(
            [across, y * np.cos(tilt) - away * np.sin(tilt), y * np.sin(tilt) + away * np.cos(tilt)], axis=-1
        )


def draw_solids(path: Path, painted: Sequence[Painted], view: View) -> None:
    """Draw solids with shading and with lines along their edges."""
    shapes = [view.project(solids.find_triangles(solid)) for solid, _ in painted]
    triangles = np.concatenate(shapes)
    colours = np.repeat(np.array([colour for _, colour in painted], float), [len(shape) for shape in shapes], axis=0)
    # The layout's y points down and a picture's up: triangles turn the other way round.
    normals = -np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals /= np.maximum(np.sqrt(np.sum(np.square(normals), axis=1)), 1e-12)[:, None]
    middle = (triangles.reshape(-1, 3).min(axis=0) + triangles.reshape(-1, 3).max(axis=0)) / 2
    width, height, scale = view.width * OVERSAMPLED, view.height * OVERSAMPLED, view.scale * OVERSAMPLED
    corners = (triangles - middle) * scale * (1, -1, 1) + (width / 2, height / 2, 0)
    depths = np.full((height, width), -1e6)
    faces = np.full((height, width), len(triangles))  # the triangle that a pixel shows; the last is the paper
    for face in np.flatnonzero(normals[:, 2] > 1e-6).tolist():
        fill_triangle(corners[face], face, depths, faces)
    light = np.array(LIGHT) / np.sqrt(np.sum(np.square(LIGHT)))
    shades = colours * (AMBIENT + (1 - AMBIENT) * (0.5 + 0.5 * np.sum(normals * light, axis=1)))[:, None]
    pixels = np.concatenate([np.round(shades), [PAPER]]).astype(np.uint8)[faces]
    pixels[find_edges(depths / scale, faces, np.concatenate([normals, [(0, 0, 0)]]))] = LINE
    picture = Image.fromarray(pixels, "RGB").resize((view.width, view.height), Image.Resampling.BOX)
    picture.quantize(64, Image.Quantize.MEDIANCUT).save(path, optimize=True)


def fill_triangle(triangle: Numbers, face: int, depths: Numbers, faces: npt.NDArray[np.int64]) -> None:
    """Fill one triangle where it is nearer than what stands there."""
    height, width = depths.shape
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle.tolist()
    left, right = max(0, int(min(ax, bx, cx))), min(width, int(max(ax, bx, cx)) + 1)
    top, bottom = max(0, int(min(ay, by, cy))), min(height, int(max(ay, by, cy)) + 1)
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if left >= right or top >= bottom or abs(area) < 1e-9:
        return
    x, y = np.arange(left, right)[None, :] + (0.5 - ax), np.arange(top, bottom)[:, None] + (0.5 - ay)
    second = (x * (cy - ay) - y * (cx - ax)) / area
    third = ((bx - ax) * y - (by - ay) * x) / area
    depth = az + second * (bz - az) + third * (cz - az)
    there = depths[top:bottom, left:right]
    seen = (second >= 0) & (third >= 0) & (second + third <= 1) & (depth > there)
    there[seen] = depth[seen]
    faces[top:bottom, left:right][seen] = face


def find_edges(depths: Numbers, faces: npt.NDArray[np.int64], normals: Numbers) -> npt.NDArray[np.bool_]:
    """Return the pixels where the surface turns or a nearer one ends."""
    edge = np.zeros(faces.shape, dtype=bool)
    for here, ahead in ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])):
        changed = np.nonzero(faces[here] != faces[ahead])
        turned = np.sum(normals[faces[here][changed]] * normals[faces[ahead][changed]], axis=1) < CREASE
        stepped = np.abs(depths[here][changed] - depths[ahead][changed]) > STEP
        edge[here][changed] = edge[here][changed] | turned | stepped
    return edge


def list_plates(front: Solid, back: Solid, ceiling: float, floor: float) -> list[tuple[str, float, Outline]]:
    """Return name, lower side and outline of every plate of the sandwich, cut from the shells' solids."""
    rings = int(np.ceil(ceiling / SHEET))
    plates = [("face", rings * SHEET, cut_plate(front, (ceiling + 1.0, ceiling + 1.2)))]
    plates += [("front ring", number * SHEET, cut_plate(front, (1.0, ceiling - 1.0))) for number in range(rings)]
    rings = int(np.ceil((-layout.THICKNESS - floor) / SHEET))
    for number in range(rings):
        top = -layout.THICKNESS - number * SHEET
        heights = np.linspace(top - 0.05, max(top - SHEET, floor) + 0.05, 7)
        plates.append((f"back ring {number + 1}", top - SHEET, cut_plate(back, heights.tolist())))
    plates.append(("back", -layout.THICKNESS - (rings + 1) * SHEET, cut_plate(back, (floor - 1.0,))))
    return plates


def cut_plate(solid: Solid, heights: Sequence[float]) -> Outline:
    """Return what a solid fills at all heights, as one piece with a hole for each screw."""
    plate = solid.slice(heights[0])
    for height in heights[1:]:
        plate ^= solid.slice(height)
    screws = [solids.circle(x, y, layout.HOLE / 2 + 0.1) for x, y in layout.HOLES]
    posts = [solids.circle(x, y, POST) for x, y in layout.HOLES]
    plate = (plate + Outline.compose(posts)) - Outline.compose(screws)
    # Between two slots a piece may be left that no screw holds.
    return max(plate.simplify(0.01).decompose(), key=lambda piece: piece.area())


def list_discs(radii: Sequence[float], flange: float) -> list[tuple[str, Outline]]:
    """Return the discs that make caps: for each a flange and two discs to glue on it."""
    discs = []
    for radius in radii:
        discs.append(("flange of a cap", solids.circle(0, 0, radius + flange)))
        discs += [("cap", solids.circle(0, 0, radius))] * 2
    return discs


def arrange(shapes: Sequence[tuple[str, Outline]], plates: int) -> list[tuple[str, Outline]]:
    """Return shapes side by side: the first `plates` in columns, the rest in one row below."""
    placed: list[tuple[str, Outline]] = []
    x, y, lowest = 0.0, 0.0, 0.0
    for number, (name, outline) in enumerate(shapes):
        if number <= plates and number % COLUMNS == 0 or number == plates:
            x, y = 0.0, lowest + (PLATE_GAP if number else 0.0)
        left, top, right, bottom = outline.bounds()
        placed.append((name, outline.translate((x - left, y - top))))
        x, lowest = x + right - left + PLATE_GAP, max(lowest, y + bottom - top)
    return placed


def write_path(outline: Outline) -> str:
    polygons = solids.list_polygons(outline.simplify(0.01))
    return "".join("M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in polygon) + "Z" for polygon in polygons)


def draw_sandwich(
    folder: Path, plates: Sequence[tuple[str, float, Outline]], discs: Sequence[tuple[str, Outline]]
) -> Path:
    """Write the plates and discs as SVG in millimetres: red lines are to be cut, blue numbers to be engraved."""
    shapes = arrange([*((name, outline) for name, _, outline in plates), *discs], len(plates))
    width, height = (max(outline.bounds()[side] for _, outline in shapes) for side in (2, 3))
    numbers = []
    for number, (_name, outline) in enumerate(shapes[: len(plates)], 1):
        _left, _top, right, bottom = outline.bounds()  # the lug is left
        numbers.append(text(right - 2, bottom - layout.HEIGHT / 2, str(number)))
    lines = [
        element("title", f"Case of the Skyline handheld, to cut from {SHEET:g} mm sheet"),
        *(element("path", element("title", name), d=write_path(outline)) for name, outline in shapes),
        element("g", *numbers, stroke="none", fill="#00f", font_size=2.6, text_anchor="middle"),
    ]
    drawn = picture((0, 0, width, height), lines, "mm", fill="none", stroke="#f00", stroke_width=0.1)
    return write_drawing(folder / "case-sandwich.svg", drawn)


def write_drawing(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8", newline="\n")
    return path


def draw_reach(folder: Path, front: Solid) -> Path:
    """Draw to scale how far each button is from where its thumb turns."""
    near, far = THUMBS
    x0, y0, width, height = near - 12, -20.0, far - near + 34, layout.HEIGHT + 42.0
    shell = write_path(front.slice(front.bounding_box()[5] - 1.2))
    lines = [
        element("title", f"Every button lies within {REACH:g} mm of where a thumb turns"),
        element("rect", x=x0, y=y0, width=width, height=height, fill="#fff"),
        element("path", d=shell, fill="#eceef2", fill_rule="evenodd"),
    ]
    # From straight up to straight across: how a thumb sweeps over the face.
    for root, side in ((near, 1), (far, -1)):
        arc = f"A{REACH:g} {REACH:g} 0 0 {int(side > 0)} {root + side * REACH:g} {THUMB_Y:g}"
        lines.append(element("path", d=f"M{root:g} {THUMB_Y - REACH:g}{arc}", stroke="#36c", **LINES))
        lines.append(element("circle", cx=root, cy=THUMB_Y, r=2, fill="#36c"))
    names = []
    for key, (root, distance) in layout.measure_reach().items():
        x, y = layout.BUTTONS[key]
        lines.append(element("path", d=f"M{root:g} {THUMB_Y:g}L{x:g} {y:g}", stroke="#c33", **LINES))
        lines.append(element("circle", cx=x, cy=y, r=0.6, fill="#c33"))
        under = any(other_y < y and abs(other_x - x) < 13 for other_x, other_y in layout.BUTTONS.values())
        names.append(text(x, y + 8 if under else y - 6, name_button(key)))
        names.append(text(x, y - 1, f"{distance:.0f}", font_weight="bold"))
    left, top, right, bottom = front.project().bounds()
    across = f"M{left:g} {bottom + 2:g}v6m0 -2h{right - left:g}m0 2v-6"
    down = f"M{right + 2:g} {top:g}h6m-2 0v{bottom - top:g}m2 0h-6"
    note = f"Millimetres from where each thumb turns (blue); the arcs are {REACH:g} mm around it."
    lines += [
        *names,
        element("path", d=across + down, stroke="#444", **LINES),
        text((left + right) / 2, bottom + 10, f"{right - left:.1f}"),
        text(right + 12, top + 20, f"{bottom - top:.1f}"),
        text(layout.WIDTH / 2, bottom + 17, note),
    ]
    drawn = picture((x0, y0, width, height), lines, "mm", font_size=3, text_anchor="middle")
    return write_drawing(folder / "case-reach.svg", drawn)


def draw_pictures(folder: Path, prints: Mapping[str, Solid], bodies: Mapping[str, Solid]) -> list[Path]:
    """Draw the case closed from both sides, taken apart, and open with the board in it."""
    parts = {name: (body, COLOURS.get(name, COLOURS["PART"])) for name, body in bodies.items()}
    shells = {name: (solid, COLOURS[name]) for name, solid in prints.items()}
    closed = [
        *shells.values(),
        parts["DISPLAY"],
        *(parts[name] for name in parts if name in ("IN", "OUT", "POWER", "PICO")),
    ]
    board = [part for name, part in parts.items() if name != "the battery"]
    apart = [
        *lift([shells["front"]], 78.0),
        *lift([shells["buttons"]], 46.0),
        *board,
        *lift([parts["the battery"]], -48.0),
        *lift([shells["back"]], -60.0),
    ]
    scenes = {
        "case-closed": (closed, View(-24, -32)),
        "case-closed-back": (closed, View(204, 28)),
        "case-open": (apart, View(-52, -28, 1400, 900, 5.6)),
        "assembly-board": ([*board, shells["back"]], View(-24, -32)),
        "assembly-back": ([*board, parts["the battery"], shells["front"]], View(204, 28)),
    }
    written = []
    for name, (painted, view) in scenes.items():
        written.append(folder / f"{name}.png")
        draw_solids(written[-1], painted, view)
    return written


def lift(painted: Sequence[Painted], height: float) -> list[Painted]:
    """Return solids moved out of the front."""
    return [(solid.translate((0, 0, height)), colour) for solid, colour in painted]
