"""Shape solids with manifold3d, also the bodies of the board's parts, and write files of the same bytes each time.

Millimetres. Circles have 48 segments, so that files stay small.
"""

import struct
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
from manifold3d import CrossSection as Outline
from manifold3d import Manifold as Solid
from manifold3d import OpType

from tools.hardware import layout
from tools.hardware.layout import Part

SEGMENTS = 48
STEM_TOP = 5.0  # where a button's stem ends
STEM_RADIUS = 1.75
DECIMALS = 3  # of the coordinates in files: a micrometre
HEADER = b"Skyline handheld, millimetres".ljust(80)
FLAT = 1 - 1e-7  # cosine of the angle between triangles of one flat face
STEP_TOLERANCE = 0.03  # faces in STEP files are this coarse
STEP_HEAD = """ISO-10303-21;
HEADER;FILE_DESCRIPTION(('Skyline handheld'),'2;1');FILE_NAME('case.step','',(''),(''),'','','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN'));ENDSEC;DATA;
#1=APPLICATION_CONTEXT('automotive design');#2=PRODUCT('case','case','',(#3));#3=PRODUCT_CONTEXT('',#1,'mechanical');
#4=PRODUCT_DEFINITION_SHAPE('','',#5);#5=PRODUCT_DEFINITION('','',#6,#7);
#6=PRODUCT_DEFINITION_FORMATION('','',#2);#7=PRODUCT_DEFINITION_CONTEXT('',#1,'design');
#9=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#10))
GLOBAL_UNIT_ASSIGNED_CONTEXT((#11,#12,#13))REPRESENTATION_CONTEXT('',''));
#10=UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(0.01),#11,'','');#11=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));
#12=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));#13=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());"""
RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

Numbers = npt.NDArray[np.float64]
Triangles = npt.NDArray[np.float64]  # triangle, corner, axis


def rectangle(x0: float, y0: float, x1: float, y1: float, radius: float = 0.0) -> Outline:
    if not radius:
        return Outline.square((x1 - x0, y1 - y0)).translate((x0, y0))
    inner = (
        (x0 + radius, y0 + radius),
        (x1 - radius, y0 + radius),
        (x0 + radius, y1 - radius),
        (x1 - radius, y1 - radius),
    )
    return Outline.batch_hull([circle(x, y, radius) for x, y in inner])


def circle(x: float, y: float, radius: float) -> Outline:
    return Outline.circle(radius, SEGMENTS).translate((x, y))


def slab(outline: Outline, z0: float, z1: float) -> Solid:
    return outline.extrude(z1 - z0).translate((0, 0, z0))


def box(x0: float, y0: float, z0: float, x1: float, y1: float, z1: float) -> Solid:
    return Solid.cube((x1 - x0, y1 - y0, z1 - z0)).translate((x0, y0, z0))


def cylinder(x: float, y: float, z0: float, z1: float, radius: float) -> Solid:
    return slab(circle(x, y, radius), z0, z1)


def taper(outline: Outline, z0: float, z1: float, inset: float) -> Solid:
    """Return a convex outline drawn out between two heights, smaller by `inset` at z1: a chamfer."""
    smaller = outline.offset(-inset, circular_segments=SEGMENTS)
    corners = [(float(x), float(y), z) for face, z in ((outline, z0), (smaller, z1)) for x, y in face.to_polygons()[0]]
    return Solid.hull_points(corners)


def unite(solids: Iterable[Solid]) -> Solid:
    return Solid.batch_boolean(list(solids), OpType.Add)


def cut(solid: Solid, holes: Iterable[Solid]) -> Solid:
    return Solid.batch_boolean([solid, *holes], OpType.Subtract)


def overlap(solid: Solid, other: Solid) -> float:
    return float((solid ^ other).volume())


def find_triangles(solid: Solid, tolerance: float = 10.0**-DECIMALS) -> Triangles:
    """Return the triangles as a file holds them: rounded, each from its least corner on, in order."""
    mesh = solid.simplify(tolerance).to_mesh()
    corners = np.asarray(mesh.vert_properties, dtype=np.float64)[:, :3]
    places, index = np.unique(np.round(corners, DECIMALS) + 0.0, axis=0, return_inverse=True)
    faces = index.reshape(-1)[np.asarray(mesh.tri_verts)]
    # Corners that rounding joined leave triangles without a surface.
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    turns = np.argmin(faces, axis=1)[:, None]
    faces = np.take_along_axis(faces, (turns + np.arange(3)) % 3, axis=1)
    return places[faces[np.lexsort(faces.T[::-1])]]


def write_stl(path: Path, solid: Solid) -> None:
    triangles = find_triangles(solid)
    records = np.zeros(len(triangles), RECORD)
    records["corners"] = triangles
    path.write_bytes(HEADER + struct.pack("<I", len(records)) + records.tobytes())


def find_faces(triangles: Triangles) -> tuple[Triangles, list[tuple[Numbers, list[list[int]]]]]:
    """Return the corners, and of every flat face the normal and the loops of corners, the outer loop first."""
    places, index = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    sides = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals = sides / np.sqrt(np.sum(np.square(sides), axis=1))[:, None]
    owners = {}
    for face, (a, b, c) in enumerate(index.reshape(-1, 3).tolist()):
        owners.update({(a, b): face, (b, c): face, (c, a): face})
    groups = np.arange(len(triangles))
    for (a, b), face in owners.items():
        other = owners[b, a]
        if groups[face] != groups[other] and float(np.sum(normals[face] * normals[other])) > FLAT:
            groups[groups == max(groups[face], groups[other])] = min(groups[face], groups[other])
    borders: dict[int, dict[int, list[int]]] = {}
    for (a, b), face in owners.items():
        if groups[owners[b, a]] != groups[face]:
            borders.setdefault(int(groups[face]), {}).setdefault(a, []).append(b)
    faces = []
    for group, border in sorted(borders.items()):
        normal = np.sum(sides[groups == group], axis=0)
        normal = normal / np.sqrt(np.sum(np.square(normal)))
        loops = []
        for loop in follow(border):
            turns = np.cross(places[loop], np.roll(places[loop], -1, axis=0))
            loops.append((-float(np.sum(normal * turns)), loop))
        faces.append((normal, [loop for _, loop in sorted(loops)]))  # the outer loop encloses the most
    return places, faces


def follow(border: dict[int, list[int]]) -> Iterator[list[int]]:
    """Yield the loops of a border, given as the corners that follow each corner; no loop passes a corner twice."""
    while border:
        loop = [min(border)]
        while loop:
            ends = border[loop[-1]]
            following = ends.pop()
            if not ends:
                del border[loop[-1]]
            if following in loop:
                start = loop.index(following)
                yield loop[start:]
                loop = loop[: start + 1] if start else []
            else:
                loop.append(following)


def write_step(path: Path, solids: Mapping[str, Solid]) -> None:
    """Write solids as STEP into a zip: faceted boundary representations, each with all its flat faces."""
    lines, breps = [STEP_HEAD], []
    numbers: dict[str, str] = {}

    def add(text: str) -> str:
        """Return the number of an entity; equal ones are written once."""
        if text not in numbers:
            numbers[text] = f"#{len(numbers) + 20}"
            lines.append(f"{numbers[text]}={text};")
        return numbers[text]

    def add_vector(kind: str, values: Numbers) -> str:
        return add(f"{kind}('',({','.join(f'{value:.5f}'.rstrip('0') for value in (values + 0.0).tolist())}))")

    for name, solid in solids.items():
        places, faces = find_faces(find_triangles(solid, STEP_TOLERANCE))
        points = [add_vector("CARTESIAN_POINT", place) for place in places]
        written = []
        for normal, loops in faces:
            along = places[loops[0][1]] - places[loops[0][0]]
            along = along - normal * np.sum(normal * along)
            z, x = add_vector("DIRECTION", normal), add_vector("DIRECTION", along / np.sqrt(np.sum(along * along)))
            axes = add(f"AXIS2_PLACEMENT_3D('',{points[loops[0][0]]},{z},{x})")
            bounds: list[str] = []
            for loop in loops:
                line = add(f"POLY_LOOP('',({','.join(points[corner] for corner in loop)}))")
                bounds.append(add(f"{'FACE_BOUND' if bounds else 'FACE_OUTER_BOUND'}('',{line},.T.)"))
            plane = add(f"PLANE('',{axes})")
            written.append(add(f"FACE_SURFACE('',({','.join(bounds)}),{plane},.T.)"))
        shell = add(f"CLOSED_SHELL('',({','.join(written)}))")
        breps.append(add(f"FACETED_BREP('{name}',{shell})"))
    shape = add(f"FACETED_BREP_SHAPE_REPRESENTATION('',({','.join(breps)}),#9)")
    lines += [f"#8=SHAPE_DEFINITION_REPRESENTATION(#4,{shape});", "ENDSEC;", "END-ISO-10303-21;", ""]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("case.step"), "\n".join(lines), zipfile.ZIP_DEFLATED)


def list_polygons(outline: Outline) -> list[list[tuple[float, float]]]:
    """Return the corners of an outline's contours, each from its least corner on, in order."""
    contours: list[list[tuple[float, float]]] = []
    for polygon in outline.to_polygons():
        points = [(round(float(x), DECIMALS) + 0.0, round(float(y), DECIMALS) + 0.0) for x, y in polygon]
        least = points.index(min(points))
        contours.append(points[least:] + points[:least])
    return sorted(contours)


def find_part(name: str) -> Part:
    return next(part for part in layout.PARTS if part.name == name)


def find_heights(part: Part, low: float, high: float) -> tuple[float, float]:
    """Return two heights above the part's face of the board as heights of the case."""
    return (-layout.THICKNESS - high, -layout.THICKNESS - low) if part.back else (low, high)


def find_mouth(part: Part) -> tuple[float, float, float, float, float, float]:
    """Return left, top, lowest, right, bottom and highest of what a part puts through the wall."""
    mouth = part.mouth or layout.Mouth(*[0.0] * 6)
    x0, y0, x1, y1 = part.area(mouth)
    low, high = find_heights(part, mouth.low, mouth.high)
    return x0, y0, low, x1, y1, high


def is_round(part: Part) -> bool:
    return "Jack" in part.footprint


def make_passage(face: Outline, y0: float, y1: float) -> Solid:
    return face.extrude(y1 - y0).rotate((90, 0, 0)).translate((0, y1, 0))


def grow_outline(grown: float) -> Outline:
    right, bottom = layout.WIDTH + grown, layout.HEIGHT + grown
    return rectangle(-grown, -grown, right, bottom, layout.CORNER_RADIUS + grown)


def make_mouth(part: Part, mouth: tuple[float, float, float, float, float, float]) -> Solid:
    x0, y0, low, x1, y1, high = mouth
    if not is_round(part):
        return box(*mouth)
    return make_passage(circle((x0 + x1) / 2, (low + high) / 2, (x1 - x0) / 2), y0, y1)


def make_bodies() -> dict[str, Solid]:
    """Return the circuit board and the body of every part that has one, by name."""
    holes = [cylinder(x, y, -layout.THICKNESS - 1, 1, layout.HOLE / 2) for x, y in layout.HOLES]
    bodies = {"BOARD": cut(slab(grow_outline(0.0), -layout.THICKNESS, 0.0), holes)}
    for part in layout.PARTS:
        if part.box.height:
            x0, y0, x1, y1 = part.area()
            low, high = find_heights(part, 0.0, part.box.height)
            body = box(x0, y0, low, x1, y1, high)
            if "Buzzer" in part.footprint:
                body = cylinder((x0 + x1) / 2, (y0 + y1) / 2, low, high, (x1 - x0) / 2)
            bodies[part.name] = unite([body, make_mouth(part, find_mouth(part))]) if part.mouth else body
    return bodies


def list_stems() -> dict[str, Solid]:
    stems = layout.BUTTONS.items()
    return {f"the stem of {key}": cylinder(x, y, 1.0, STEM_TOP, STEM_RADIUS) for key, (x, y) in stems}
