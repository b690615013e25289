"""Check the case's solids against the layout of the board: each fault is one line in a HardwareError."""

import functools
import struct
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from manifold3d import Mesh

from tools.hardware import HardwareError, case, case_drawings, layout, solids
from tools.hardware.case import Figures
from tools.hardware.solids import Solid

LEAST_WALL = 1.2
LEAST_OVERLAP = 0.01  # mm3: faces that touch share rounding errors
TRAVELS = (0.25, 0.5)  # how far buttons of this kind go down
LEAST_HOLD = 0.8  # how much wider than its hole a cap's flange is at the least, on each side
LONGEST_BRIDGE = 10.0
LIFTS = (0, 2, 5, 10, 15, 20)  # the board goes into the back from the front
LAYER = 0.2  # of a print
SAMPLES_PER_MM = 0.4  # along the sides of a triangle
SKIN = 0.01  # rays begin this far below the surface
PLUG_LENGTH = 20.0


def read_triangles(path: Path) -> solids.Triangles:
    data = path.read_bytes() if path.is_file() else b""
    if len(data) < 84 or len(data) != 84 + solids.RECORD.itemsize * struct.unpack_from("<I", data, 80)[0]:
        raise HardwareError(f"{path.name} is missing or no binary STL file")
    corners = np.frombuffer(data, solids.RECORD, offset=84)["corners"].astype(np.float64)
    return np.round(corners, solids.DECIMALS) + 0.0


def find_open_edge(triangles: solids.Triangles) -> str:
    """Return where an edge lacks the neighbour that runs along it the other way, or '' if the surface is closed."""
    _, index = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    faces = index.reshape(-1, 3)
    count = int(faces.max()) + 1
    starts, ends = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    forward, backward = starts * count + ends, ends * count + starts
    if np.array_equal(np.sort(forward), np.sort(backward)):
        return ""
    edge = int([*np.setxor1d(forward, backward), forward[0]][0])
    x, y, z = triangles.reshape(-1, 3)[np.flatnonzero(index.reshape(-1) == edge // count)[0]]
    return f"({x:.1f}, {y:.1f}, {z:.1f})"


def make_solid(triangles: solids.Triangles) -> Solid:
    """Return the solid that triangles enclose; raise HardwareError if they leave a gap."""
    places, index = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    mesh = Mesh(places.astype(np.float32), index.reshape(-1, 3).astype(np.uint32))
    solid = Solid(mesh)
    if solid.is_empty():
        raise HardwareError(f"the surface is not closed ({solid.status().name})")
    return solid


def read_prints(folder: Path, figures: Figures) -> dict[str, Solid]:
    """Return the solids of the STL files, turned back into the case; raise HardwareError where one is not closed."""
    prints = {}
    for name in ("front", "back", "buttons"):
        triangles = read_triangles(folder / f"case-{name}.stl")
        gap = find_open_edge(triangles)
        if gap:
            raise HardwareError(f"case-{name}.stl is not watertight: its surface is open at {gap}")
        prints[name] = case.turn_for_printing(name, make_solid(triangles), figures, undo=True)
    return prints


def check_walls(name: str, solid: Solid) -> None:
    """Check that no wall is thin: rays go in from points all over the surface, and come out 1.2 mm further or more."""
    if solid.is_empty():
        raise HardwareError(f"{name}: there is no solid to measure")
    triangles = solids.find_triangles(solid)
    sides = triangles[:, 1:] - triangles[:, :1]
    normals = np.cross(sides[:, 0], sides[:, 1])
    lengths = np.sqrt(np.sum(np.square(normals), axis=1))
    longest = np.sqrt(np.sum(np.square(sides), axis=2)).max(axis=1)
    for at in np.flatnonzero(lengths >= 0.02).tolist():  # a sliver lies along an edge of its neighbours
        inward = -normals[at] / lengths[at]
        points = triangles[at, 0] + spread(1 + int(SAMPLES_PER_MM * longest[at])) @ sides[at]
        starts, ends = (points + inward * SKIN).tolist(), (points + inward * LEAST_WALL).tolist()
        for (x, y, z), start, end in zip(points.tolist(), starts, ends, strict=True):
            hits = solid.ray_cast(start, end)
            if hits and hits[0].distance < 0.995:
                thick = SKIN + (LEAST_WALL - SKIN) * hits[0].distance
                raise HardwareError(
                    f"{name}: the wall at ({x:.1f}, {y:.1f}, {z:.1f}) is {thick:.1f} mm thick, {LEAST_WALL} wanted"
                )


@functools.cache
def spread(parts: int) -> npt.NDArray[np.float64]:
    """Return points all over a triangle, as shares of two sides: the middles of equal parts."""
    return (np.array([(i, j) for i in range(parts) for j in range(parts - i)]) + 1 / 3) / parts


def check_apart(what: str, solid: Solid, others: Mapping[str, Solid]) -> None:
    for name, other in others.items():
        shared = solids.overlap(solid, other)
        if shared > LEAST_OVERLAP:
            raise HardwareError(f"{what} meets {name}: they share {shared:.2f} mm3")


def check_shells(prints: Mapping[str, Solid], figures: Figures) -> None:
    """Check that the shells meet neither each other nor what is inside, and that the board can be put in."""
    bodies = {**case.list_bodies(figures), **solids.list_stems()}
    check_apart("the front", prints["front"], {"the back": prints["back"], **bodies})
    battery = bodies.pop("the battery")
    check_apart("the battery", battery, {"the back": prints["back"], **bodies})
    for lift in LIFTS:
        lifted = {name: body.translate((0, 0, lift)) for name, body in bodies.items()}
        check_apart(f"the back, the board {lift} mm above its place," if lift else "the back", prints["back"], lifted)


def split_caps(prints: Mapping[str, Solid]) -> dict[str, Solid]:
    """Return each button's cap: the piece that holds most of the space above the button's stem."""
    pieces = prints["buttons"].decompose()
    caps = {}
    for key, (x, y) in layout.BUTTONS.items():
        above = solids.cylinder(x, y, solids.STEM_TOP, solids.STEM_TOP + 1, solids.STEM_RADIUS)
        cap = max(pieces, key=lambda piece: solids.overlap(piece, above))
        if solids.overlap(cap, above) < 0.95 * above.volume():
            raise HardwareError(f"the cap of {key} does not stand on its button's stem")
        caps[key] = cap
    return caps


def check_buttons(prints: Mapping[str, Solid], figures: Figures) -> None:
    """Check that every cap goes down with its button, meets nothing on its way and cannot fall out."""
    bodies, stems, caps = case.list_bodies(figures), solids.list_stems(), split_caps(prints)
    shells = {"the front": prints["front"], "the back": prints["back"]}
    for key, cap in caps.items():
        check_apart(f"the cap of {key}", cap, {**shells, **bodies, **stems})
        for travel in TRAVELS:
            pressed = cap.translate((0, 0, -travel))
            check_apart(f"the cap of {key}, pressed by {travel} mm,", pressed, {**shells, **bodies})
            if solids.overlap(pressed, stems[f"the stem of {key}"]) < LEAST_OVERLAP:
                raise HardwareError(f"the cap of {key}, pressed by {travel} mm, does not reach its button")
        if cap.bounding_box()[5] - TRAVELS[-1] < figures.top + 0.5:
            raise HardwareError(f"the cap of {key}, pressed by {TRAVELS[-1]} mm, sinks into the face")
        flange = cap.slice(figures.ceiling - case.CAP_PLAY - SKIN)
        opening = flange.offset(1.0) - prints["front"].slice(figures.ceiling + SKIN)
        if (opening - flange.offset(-LEAST_HOLD)).area() > SKIN:
            raise HardwareError(
                f"the cap of {key} can fall out: its flange is not {LEAST_HOLD} mm wider than its opening"
            )


def list_plugs() -> dict[str, Solid]:
    """Return the housings of the plugs, pushed in as far as they go."""
    plugs = {}
    for part in layout.PARTS:
        if part.name == "PICO":
            (x, z), y = case.find_usb_axis(), solids.find_mouth(part)[1]
            width, height = case.PLUG[0] / 2, case.PLUG[1] / 2
            plugs["the USB plug"] = solids.box(x - width, y - PLUG_LENGTH, z - height, x + width, y, z + height)
        elif solids.is_round(part):
            x0, y, low, x1, _, high = solids.find_mouth(part)
            face = solids.circle((x0 + x1) / 2, (low + high) / 2, case.JACK_PLUG_RADIUS)
            plugs[f"the plug of {part.name}"] = solids.make_passage(face, y - PLUG_LENGTH, y)
    return plugs


def check_plugs(prints: Mapping[str, Solid], figures: Figures) -> None:
    """Check that the plugs go in as far as they must, side by side."""
    plugs = list_plugs()
    for name, plug in plugs.items():
        others = {other: solid for other, solid in plugs.items() if other != name}
        check_apart(name, plug, {"the front": prints["front"], "the back": prints["back"], **others})


def check_window(prints: Mapping[str, Solid], figures: Figures) -> None:
    """Check that the front hides nothing of any display's picture."""
    for display in figures.displays:
        x0, y0, x1, y1 = case.place_view(display)
        picture = solids.box(x0, y0, 0.0, x1, y1, figures.top + 1)
        check_apart(f"the picture of the {display} inch display", picture, {"the front": prints["front"]})


def check_overhangs(name: str, solid: Solid) -> None:
    """Check a solid on its bed: each layer lies on the one below, but for 45 degrees and short bridges."""
    _, _, low, _, _, high = solid.bounding_box()
    under = solid.slice(low + LAYER / 2)
    for number in range(1, int((high - low) / LAYER)):
        layer = solid.slice(low + (number + 0.5) * LAYER)
        # A little more than the layer's height: 45 degrees, and the corners of polygons.
        for loose in (layer - under.offset(LAYER * 1.2)).decompose():
            if loose.is_empty():
                continue
            x0, y0, x1, y1 = loose.bounds()
            if max(x1 - x0, y1 - y0) > LONGEST_BRIDGE and min(x1 - x0, y1 - y0) > LAYER:
                z = number * LAYER
                raise HardwareError(
                    f"{name}: {x1 - x0:.1f} x {y1 - y0:.1f} mm at ({x0:.1f}, {y0:.1f}, {z:.1f}) would print in the air"
                )
        under = layer


def check_prints(prints: Mapping[str, Solid], figures: Figures) -> None:
    """Check everything about solids in the case's coordinates; raise HardwareError at the first fault."""
    check_buttons(prints, figures)
    check_shells(prints, figures)
    check_plugs(prints, figures)
    check_window(prints, figures)
    for name, solid in prints.items():
        check_walls(f"case-{name}", solid)
        check_overhangs(f"case-{name}", case.turn_for_printing(name, solid, figures))


def check_sandwich(figures: Figures) -> None:
    """Check that the sandwich's plates, stacked, leave room for the board, its parts, the battery and the plugs."""
    bodies = {**case.list_bodies(figures), **list_plugs()}
    for name, low, outline in case.list_plates():
        check_apart(f"the plate '{name}'", solids.slab(outline, low, low + case_drawings.SHEET), bodies)
