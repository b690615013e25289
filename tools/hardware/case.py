"""Make the handheld's case from the layout of its board: two shells and eight caps to print, or plates to cut.

Coordinates are the layout's: x right, y down, z out of the front, and z = 0 is the front of the board. The shells meet
halfway through the board's edge, so that the board keeps them in line. Four countersunk M2.5 screws go in from the
back, through the board, and cut their thread in the front's posts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.hardware import case_drawings, layout, solids
from tools.hardware.solids import Outline, Solid

SEAM = -layout.THICKNESS / 2
GAP = 0.3  # around the board, the caps and what passes through a wall
ROOM = 0.5  # between parts and a shell's inner face
SWELL = 1.0  # between a battery and the parts above it: a lithium cell grows with age
CHAMFER = 1.0  # of outer edges
BEVEL = 0.7  # of the window

CAP_RADIUS = 4.5
SMALL_CAP_RADIUS = 3.5
SMALL_CAPS = ("HOLD", "PAUSE")
CAP_SOCKET = 0.6  # how deep a stem stands in its cap; a cap pressed down still clears the button's body
CAP_FLANGE = 1.5  # how much wider a cap is below the face than in its opening
CAP_PLAY = 0.2  # between flange and face, and around the stem
CAP_PROUD = 1.5

POST_RADIUS = 3.0
THREAD_RADIUS = 1.05  # an M2.5 screw cuts its thread here
BACK_POST_RADIUS = 4.45
SCREW_RADIUS = 1.45
HEAD_RADIUS = 2.75  # of a countersunk M2.5 head, with room
HEAD_SEAT = 6.0  # from the front of the board to the head's rim: a screw 12 mm long bites 6 mm

PLUG = (12.0, 8.0)  # the largest housing of a USB plug
JACK_PLUG_RADIUS = 5.0  # the housing of a 3.5 mm plug
ROOF = 2.0  # how far the USB opening narrows at 45 degrees, so that it prints without supports
SOUND_RADIUS = 0.75
SOUND_RING = 4.0
RIB = 1.6
RIB_HEIGHT = 5.0
LUG_RADIUS = 4.5
LUG_HEIGHT = 4.0
LANYARD_RADIUS = 2.0
SANDWICH_WALL = 4.0  # of rings cut from sheet

# From the middle of the display's header: the middle of the picture, its width and height, upright.
VIEWS = {"0.96": (10.4, 10.86, 21.74), "1.3": (13.2, 14.70, 29.42)}
VIEW_MARGIN = 1.0  # modules differ by this much


# A flat cell of 50 x 34 mm does not fit between the screws, and a holder for AAA cells makes the case 6.5 mm thicker.
Battery = tuple[float, float, float]  # its size across, along and away from the board
AAA = (25.5, 53.0, 13.0)  # two, in a holder
FLAT_CELL = (30.5, 40.5, 6.5)  # a lithium cell 603040 with its protection


@dataclass(frozen=True)
class Figures:
    """The choices of one case; heights follow from them and from the layout."""

    wall: float = 2.0
    displays: tuple[str, ...] = ("0.96", "1.3")
    battery: Battery = FLAT_CELL

    @property
    def ceiling(self) -> float:
        return max([solids.STEM_TOP, *(part.box.height for part in layout.PARTS if not part.back)]) + ROOM

    @property
    def top(self) -> float:
        return self.ceiling + self.wall

    @property
    def floor(self) -> float:
        left, top, right, bottom = place_battery(self.battery)
        over_battery, depth = 0.0, PLUG[1] / 2 + ROOM - find_usb_axis()[1] - layout.THICKNESS
        for part in layout.PARTS:
            if part.back:
                x0, y0, x1, y1 = part.area()
                depth = max(depth, (part.mouth.high if part.mouth else part.box.height) + ROOM)
                if x0 < right and x1 > left and y0 < bottom and y1 > top:
                    over_battery = max(over_battery, part.box.height)
        return -layout.THICKNESS - max(depth, over_battery + SWELL + self.battery[2])

    @property
    def bottom(self) -> float:
        return self.floor - self.wall


def find_usb_axis() -> tuple[float, float]:
    """Return x and z of the middle of the USB socket."""
    x0, _, low, x1, _, high = solids.find_mouth(solids.find_part("PICO"))
    return (x0 + x1) / 2, (low + high) / 2


def place_battery(battery: Battery) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the battery: right of the Pico, halfway up."""
    left = solids.find_part("PICO").area()[2] + ROOM + RIB + ROOM
    width, height, _ = battery
    return left, (layout.HEIGHT - height) / 2, left + width, (layout.HEIGHT + height) / 2


def place_view(display: str) -> tuple[float, float, float, float]:
    x, y = solids.find_part("DISPLAY").point(0.0, 3.81)  # the middle of four pins; the origin is the first
    across, width, height = VIEWS[display]
    return x + across - width / 2, y - height / 2, x + across + width / 2, y + height / 2


def cap_radius(key: str) -> float:
    return SMALL_CAP_RADIUS if key in SMALL_CAPS else CAP_RADIUS


def make_posts(figures: Figures, radius: float, low: float, high: float) -> list[Solid]:
    posts = []
    for x, y in layout.HOLES:
        outwards = (6.0 if x > layout.WIDTH / 2 else -6.0, 6.0 if y > layout.HEIGHT / 2 else -6.0)
        post = solids.circle(x, y, radius)
        post = Outline.batch_hull([post, post.translate(outwards)]) ^ solids.grow_outline(GAP + figures.wall / 2)
        posts.append(solids.slab(post, low, high))
    return posts


def make_tub(figures: Figures, face: float, *lugs: Solid) -> Solid:
    """Return a shell's walls, from the seam to its outer face, and lugs on its outside."""
    outwards = 1 if face > SEAM else -1
    outer, shoulder, inside = (
        solids.grow_outline(GAP + figures.wall),
        face - outwards * CHAMFER,
        face - outwards * figures.wall,
    )
    walls = solids.slab(outer, min(SEAM, shoulder), max(SEAM, shoulder))
    block = solids.unite([walls, solids.taper(outer, shoulder, face, CHAMFER), *lugs])
    hollow = solids.slab(solids.grow_outline(GAP), min(SEAM - outwards, inside), max(SEAM - outwards, inside))
    return solids.cut(block, [hollow])


def make_front(figures: Figures) -> Solid:
    ceiling, top = figures.ceiling, figures.top
    posts = make_posts(figures, POST_RADIUS, 0.0, ceiling + figures.wall / 4)
    shell = solids.unite([make_tub(figures, top), *posts, *make_tongues(figures)])
    views = [place_view(display) for display in figures.displays]
    left, upper = min(view[0] for view in views), min(view[1] for view in views)
    right, lower = max(view[2] for view in views), max(view[3] for view in views)
    window = solids.rectangle(left, upper, right, lower).offset(VIEW_MARGIN, circular_segments=solids.SEGMENTS)
    bevel = window.offset(BEVEL, circular_segments=solids.SEGMENTS)
    holes = [solids.slab(window, ceiling - 1, top + 1), solids.taper(bevel, top, top - BEVEL, BEVEL)]
    holes += [solids.cylinder(x, y, SEAM - 1, ceiling, THREAD_RADIUS) for x, y in layout.HOLES]
    for key, (x, y) in layout.BUTTONS.items():
        holes.append(solids.cylinder(x, y, ceiling - 1, top + 1, cap_radius(key) + GAP))
    return solids.cut(shell, holes)


def make_back(figures: Figures) -> Solid:
    floor, bottom = figures.floor, figures.bottom
    corner = layout.CORNER_RADIUS
    # The lanyard's hole lies just outside the upper left corner.
    eye = corner - (corner + GAP + figures.wall + LANYARD_RADIUS + ROOM) * 0.5**0.5
    lug = Outline.batch_hull([solids.circle(eye, eye, LUG_RADIUS), solids.circle(corner, corner, LUG_RADIUS)])
    posts = make_posts(figures, BACK_POST_RADIUS, floor - figures.wall / 4, -layout.THICKNESS)
    tub = make_tub(figures, bottom, solids.slab(lug, bottom, bottom + LUG_HEIGHT))
    shell = solids.unite([tub, *posts, *make_ribs(figures)])
    holes = [solids.cylinder(eye, eye, bottom - 1, bottom + LUG_HEIGHT + 1, LANYARD_RADIUS)]
    for x, y in layout.HOLES:
        # A countersunk head's cone is 45 degrees steep and prints without supports.
        cone = solids.taper(solids.circle(x, y, HEAD_RADIUS), -HEAD_SEAT, -HEAD_SEAT + HEAD_RADIUS, HEAD_RADIUS - 0.01)
        holes += [cone, solids.cylinder(x, y, bottom - 1, -HEAD_SEAT + 0.01, HEAD_RADIUS)]
        holes.append(solids.cylinder(x, y, -HEAD_SEAT, 0.0, SCREW_RADIUS))
    left, upper, right, lower = solids.find_part("PIEZO").area()
    middle = solids.circle((left + right) / 2, (upper + lower) / 2, SOUND_RADIUS)
    ring = [middle.translate(shift) for shift in Outline.circle(SOUND_RING, 6).to_polygons()[0].tolist()]
    holes += [solids.slab(hole, bottom - 1, floor + 1) for hole in [middle, *ring]]
    return solids.cut(shell, [*holes, *make_openings(figures)])


def make_ribs(figures: Figures) -> list[Solid]:
    x0, y0, x1, y1 = place_battery(figures.battery)
    low, high = figures.floor - figures.wall / 4, figures.floor + RIB_HEIGHT
    x0, y0, x1, y1 = x0 - ROOM, y0 - ROOM, x1 + ROOM, y1 + ROOM
    middle, reach = (x0 + x1) / 2, 3.0
    ribs = [
        solids.box(x0 - RIB, (y0 + y1) / 2 + side - reach, low, x0, (y0 + y1) / 2 + side + reach, high)
        for side in (-14, 14)
    ]
    ribs += [solids.box(x1, (y0 + y1) / 2 - reach, low, x1 + RIB, (y0 + y1) / 2 + reach, high)]
    ribs += [solids.box(middle - reach, y, low, middle + reach, y + RIB, high) for y in (y0 - RIB, y1)]
    return ribs


def make_openings(figures: Figures) -> Iterable[Solid]:
    """Yield what to cut from the upper wall: slots up to the seam, and a closed opening for the USB plug."""
    outside, inside = -GAP - figures.wall - 1, 0.0
    for part in layout.PARTS:
        if not part.mouth:
            continue
        x0, y0, low, x1, _, high = solids.find_mouth(part)
        if part.name == "PICO":
            x, z = find_usb_axis()
            yield solids.make_passage(plug_outline(x, z), outside, inside)
            # The socket slides down along the wall when the board is put in.
            yield solids.box(x0 - GAP, y0 - ROOM, low - GAP, x1 + GAP, inside, SEAM + 1)
        elif solids.is_round(part):
            x, z = (x0 + x1) / 2, (low + high) / 2
            # A thick wall also leaves room for the plug, up to the socket's mouth.
            for radius, end in (((x1 - x0) / 2 + GAP, inside), (JACK_PLUG_RADIUS + GAP, y0)):
                if outside < end:
                    slot = solids.circle(x, z, radius) + solids.rectangle(x - radius, z, x + radius, SEAM + 1)
                    yield solids.make_passage(slot, outside, end)
        else:
            yield solids.make_passage(solids.rectangle(x0 - GAP, low - GAP, x1 + GAP, SEAM + 1), outside, inside)


def make_tongues(figures: Figures) -> Iterable[Solid]:
    """Yield what hangs from the front's wall and closes the back's slots above their parts."""
    for part in layout.PARTS:
        if part.mouth and part.name != "PICO":
            x0, _, _, x1, _, high = solids.find_mouth(part)
            if high + GAP < SEAM:
                yield solids.box(x0, -GAP - figures.wall, high + GAP, x1, -GAP, 0.0)


def plug_outline(x: float, z: float) -> Outline:
    """Return the opening for a USB plug, with a roof of 45 degrees."""
    width, height = PLUG[0] / 2 + GAP, PLUG[1] / 2 + GAP
    roof = solids.rectangle(x - width + ROOF, z + height, x + width - ROOF, z + height + ROOF)
    return Outline.batch_hull([solids.rectangle(x - width, z - height, x + width, z + height), roof])


def make_caps(figures: Figures) -> dict[str, Solid]:
    caps = {}
    for key, (x, y) in layout.BUTTONS.items():
        radius, shaft = cap_radius(key), figures.top + CAP_PROUD
        flange = solids.cylinder(x, y, solids.STEM_TOP - CAP_SOCKET, figures.ceiling - CAP_PLAY, radius + CAP_FLANGE)
        body = solids.cylinder(x, y, solids.STEM_TOP, shaft - CHAMFER / 2, radius)
        end = solids.taper(solids.circle(x, y, radius), shaft - CHAMFER / 2, shaft, CHAMFER / 2)
        socket = solids.cylinder(x, y, 0.0, solids.STEM_TOP, solids.STEM_RADIUS + CAP_PLAY)
        caps[key] = solids.cut(solids.unite([flange, body, end]), [socket])
    return caps


def make_prints(figures: Figures) -> dict[str, Solid]:
    buttons = solids.unite(make_caps(figures).values())
    return {"front": make_front(figures), "back": make_back(figures), "buttons": buttons}


def turn_for_printing(name: str, solid: Solid, figures: Figures, *, undo: bool = False) -> Solid:
    """Return a solid as it lies on the printer's bed, or turn it back into the case."""
    if name == "front":  # this turn is its own opposite
        return solid.mirror((0, 0, 1)).translate((0, 0, figures.top))
    low = figures.bottom if name == "back" else solids.STEM_TOP - CAP_SOCKET
    return solid.mirror((0, 1, 0)).translate((0, layout.HEIGHT, low if undo else -low))


def list_bodies(figures: Figures) -> dict[str, Solid]:
    x0, y0, x1, y1 = place_battery(figures.battery)
    battery = solids.box(x0, y0, figures.floor, x1, y1, figures.floor + figures.battery[2])
    return {**solids.make_bodies(), "the battery": battery}


def list_plates() -> list[tuple[str, float, Outline]]:
    """Return name, lower side and outline of every plate of the sandwich."""
    figures = Figures(wall=SANDWICH_WALL)
    return case_drawings.list_plates(make_front(figures), make_back(figures), figures.ceiling, figures.floor)


def list_sizes(figures: Figures) -> dict[str, str]:
    """Return what people ask before they order or print: sizes, by the names of the things."""
    across = 2 * (GAP + figures.wall)
    case = (layout.WIDTH + across, layout.HEIGHT + across, figures.top - figures.bottom)
    plates = list_plates()
    height = plates[0][1] + case_drawings.SHEET - plates[-1][1]
    far = max(distance for _corner, distance in layout.measure_reach().values())
    return {
        "circuit board": f"{layout.WIDTH:g} x {layout.HEIGHT:g} x {layout.THICKNESS:g} mm, two layers",
        "printed case": "{:.1f} x {:.1f} x {:.1f} mm".format(*case) + f", walls of {figures.wall:g} mm",
        "battery": "at most {:g} x {:g} x {:g} mm".format(*figures.battery),
        "sandwich": f"{len(plates)} plates of {case_drawings.SHEET:g} mm, {height:.1f} mm high with the board",
        "from a thumb to its buttons": f"at most {far:.0f} mm; a thumb reaches {layout.THUMB[1]:g} mm",
    }


def build(folder: Path) -> list[Path]:
    figures = Figures()
    prints, written = make_prints(figures), []
    for name, solid in prints.items():
        written.append(folder / f"case-{name}.stl")
        solids.write_stl(written[-1], turn_for_printing(name, solid, figures))
    caps = make_caps(figures)
    written.append(folder / "case-step.zip")
    shapes = {"front": prints["front"], "back": prints["back"], "cap": caps["LEFT"], "small cap": caps["HOLD"]}
    # The layout's y points down.
    solids.write_step(written[-1], {name: solid.mirror((0, 1, 0)) for name, solid in shapes.items()})
    discs = case_drawings.list_discs([cap_radius(key) for key in layout.BUTTONS], CAP_FLANGE)
    written.append(case_drawings.draw_sandwich(folder, list_plates(), discs))
    written.append(case_drawings.draw_reach(folder, prints["front"]))
    return written + case_drawings.draw_pictures(folder, prints, {**list_bodies(figures), **solids.list_stems()})
