"""Route a placed board: a search for the cheapest ways on a grid, with both sides and 45 degrees.

All nets are routed again and again; a place that two nets want becomes dearer each time, until none is wanted twice.
PyPI's freeroute found ways too, but as stairs of half a millimetre.
"""

import functools
import heapq
import itertools
from dataclasses import dataclass, field
from typing import Any

from tools.hardware import HardwareError, kicad, layout
from tools.hardware.grid import COLUMNS, ROWS, SIZE, Node, list_cells, list_shifts, locate, measure_pad

VIA_COST, BEND_COST = 12.0, 0.4
ROUNDS = 40
# Between its nodes a slanting track comes up to 0.05 mm nearer to a round pad.
CLEARANCE, HOLE_CLEARANCE = kicad.CLEARANCE + 0.06, 0.32
_FREE, _BLOCKED = 0, -1
_MOVES = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
_VIA_SAMPLES = [2 * (dy * COLUMNS + dx) for dx, dy in _MOVES]


@dataclass
class Net:
    """One net: its pads, and the nodes that its tracks take."""

    name: str
    code: int
    pads: list[Any]
    paths: list[list[Node]] = field(default_factory=list)


class Router:
    """Know which places of the grid are taken, by pads for good and by tracks for now."""

    def __init__(self, board: Any, ground: str) -> None:
        self.owner = [_FREE] * (2 * SIZE)  # the code of the only net that may go there
        self.via_owner = [_FREE] * SIZE
        self.uses = [0] * (2 * SIZE)  # tracks that pass, or pass too close
        self.history = [0.0] * (2 * SIZE)
        nets: dict[str, Net] = {}
        pcbnew = kicad.load()
        for pad in board.GetPads():
            name, code = pad.GetNetname(), pad.GetNetCode()
            if name and name != ground:
                nets.setdefault(name, Net(name, code, [])).pads.append(pad)
            is_hole = pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH
            box, is_round = measure_pad(pad)
            layers = [layer for layer, each in enumerate((pcbnew.F_Cu, pcbnew.B_Cu)) if pad.IsOnLayer(each) or is_hole]
            reach = (HOLE_CLEARANCE if is_hole else CLEARANCE) + kicad.TRACK / 2
            cells = list_cells(box, reach, is_round)
            for layer in layers:
                self.take(self.owner, (layer * SIZE + cell for cell in cells), _BLOCKED if is_hole else code)
            wide = list_cells(box, CLEARANCE + kicad.VIA / 2, is_round)
            self.take(self.via_owner, wide, _BLOCKED)
        self.close_edge()
        grounds = [pad for pad in board.GetPads() if pad.GetNetname() == ground]
        for pad in grounds:
            if not pad.GetDrillSize().x:  # tracks may cut a pad of one side off from its pour
                nearest = min(
                    (each for each in grounds if each.GetDrillSize().x), key=lambda each: measure_gap(pad, each)
                )
                name = f"{ground} {pad.GetParent().GetReference()}"
                nets[name] = Net(name, pad.GetNetCode(), [pad, nearest])
        # Short ways first; by name where they are alike.
        self.nets = sorted(nets.values(), key=lambda net: (measure_net(net), net.name))

    @staticmethod
    def take(owner: list[int], cells: Any, code: int) -> None:
        """Let only the net of `code` pass through cells; nobody where another one had them."""
        for cell in cells:
            owner[cell] = code if owner[cell] in (_FREE, code) and code > 0 else _BLOCKED

    def close_edge(self) -> None:
        """Keep tracks and vias away from the board's edge, and out of its corners."""
        margin, r = kicad.EDGE + 0.2, layout.CORNER_RADIUS
        for cell in range(SIZE):
            x, y = locate(cell)
            dx = max(r - x, x - (layout.WIDTH - r), 0)
            dy = max(r - y, y - (layout.HEIGHT - r), 0)
            inside = r - (dx**2 + dy**2) ** 0.5  # from the edge, near it
            if inside < margin + kicad.TRACK / 2:
                self.owner[cell] = self.owner[SIZE + cell] = _BLOCKED
            if inside < margin + kicad.VIA / 2:
                self.via_owner[cell] = _BLOCKED

    def run(self) -> None:
        """Find ways for all nets; raise HardwareError."""
        for turn in range(ROUNDS):
            for net in self.nets:
                self.count(net, -1)
                net.paths = []
                self.connect(net, 0.5 + turn * 0.8)
                self.count(net, 1)
            crowded = self.find_crowded()
            if not crowded:
                return
            for node in crowded:
                self.history[node] += 1.0
        names = sorted({net.name for net in self.nets if set(self.widen(net)) & set(crowded)})
        raise HardwareError(f"no way found for the nets {', '.join(names)}: they want the same place")

    def find_crowded(self) -> list[Node]:
        """Return the nodes of tracks that come too close to another net's."""
        crowded = set()
        for net in self.nets:
            own = set(self.widen(net))
            crowded |= {node for path in net.paths for node in path if self.uses[node] > (node in own)}
        return sorted(crowded)

    def widen(self, net: Net) -> list[Node]:
        """Return the nodes that other nets must leave alone because of a net's tracks and vias."""
        nodes: set[Node] = set()
        for path in net.paths:
            for i, node in enumerate(path):
                is_via = any(abs(node - each) == SIZE for each in path[max(i - 1, 0) : i + 2])
                nodes.update(node + shift for shift in SHIFTS[is_via])
        return [node for node in nodes if 0 <= node < 2 * SIZE]

    def count(self, net: Net, change: int) -> None:
        for node in self.widen(net):
            self.uses[node] += change

    def connect(self, net: Net, crowding: float) -> None:
        """Connect a net's pads one after the other with what is connected already."""
        groups = [set(self.list_targets(pad)) for pad in net.pads]
        if not all(groups):
            raise HardwareError(f"no track reaches a pad of the net {net.name}")
        done = groups.pop(0)
        while groups:
            path = self.search(net.code, done, set().union(*groups), crowding)
            if not path:
                raise HardwareError(f"no way is left for the net {net.name}: move its parts apart")
            net.paths.append(path)
            reached = next(group for group in groups if path[-1] in group)
            groups.remove(reached)
            done |= reached | set(path)

    def list_targets(self, pad: Any) -> list[Node]:
        pcbnew = kicad.load()
        box, is_round = measure_pad(pad)
        half = min(box[2] - box[0], box[3] - box[1]) / 2
        inner = (box[0] + half, box[1] + half, box[2] - half, box[3] - half)
        cells = list_cells(inner, half if is_round else half * 0.9)
        layers = [layer for layer, each in enumerate((pcbnew.F_Cu, pcbnew.B_Cu)) if pad.IsOnLayer(each)]
        code = pad.GetNetCode()
        return [layer * SIZE + cell for layer in layers for cell in cells if self.owner[layer * SIZE + cell] == code]

    def search(self, code: int, starts: set[Node], ends: set[Node], crowding: float) -> list[Node]:
        """Return the cheapest way from some nodes to others."""
        columns = [node % SIZE % COLUMNS for node in ends]
        rows = [node % SIZE // COLUMNS for node in ends]
        left, right, top, bottom = min(columns), max(columns), min(rows), max(rows)
        across = [max(left - column, column - right, 0) for column in range(COLUMNS)]
        down = [max(top - row, row - bottom, 0) for row in range(ROWS)]

        def guess(node: Node) -> float:
            row, column = divmod(node % SIZE, COLUMNS)
            dx, dy = across[column], down[row]
            return dx + 0.414 * dy if dx > dy else dy + 0.414 * dx

        owner, uses, history, via_owner = self.owner, self.uses, self.history, self.via_owner
        best = dict.fromkeys(starts, 0.0)
        came: dict[Node, Node] = {}
        heap = [(guess(node), node) for node in sorted(starts)]
        heapq.heapify(heap)
        closed = set()
        while heap:
            _, node = heapq.heappop(heap)
            if node in closed:
                continue
            closed.add(node)
            if node in ends:
                return trace_back(node, came)
            cost, before = best[node], came.get(node, node)
            last = node - before
            steps = list_steps(node)
            other = (node + SIZE) % (2 * SIZE)
            # The crowd around a via is dear to count: only where a free way through may be the cheapest.
            if via_owner[node % SIZE] == _FREE and cost + VIA_COST < best.get(other, 1e9):
                near = sum(uses[layer + node % SIZE + shift] for layer in (0, SIZE) for shift in _VIA_SAMPLES)
                steps = (*steps, (other, VIA_COST + near * crowding))
            for target, length in steps:
                if owner[target] not in (_FREE, code) or target in closed:
                    continue
                bend = BEND_COST if last and target - node != last else 0.0
                new = cost + bend + length * (1 + history[target] + crowding * uses[target])
                if new < best.get(target, 1e9):
                    best[target] = new
                    came[target] = node
                    heapq.heappush(heap, (new + guess(target), target))
        return []


@functools.cache
def list_steps(node: Node) -> tuple[tuple[Node, float], ...]:
    """Return the neighbours of a node on its layer, with their distances in columns."""
    row, column = divmod(node % SIZE, COLUMNS)
    layer_start = node - node % SIZE
    return tuple(
        (layer_start + (row + dy) * COLUMNS + column + dx, 1.414 if dx and dy else 1.0)
        for dx, dy in _MOVES
        if 0 <= column + dx < COLUMNS and 0 <= row + dy < ROWS
    )


def trace_back(node: Node, came: dict[Node, Node]) -> list[Node]:
    """Return the nodes on the way to a node, from the first one on."""
    path = [node]
    while node in came:
        node = came[node]
        path.append(node)
    return path[::-1]


def measure_net(net: Net) -> float:
    boxes = [measure_pad(pad)[0] for pad in net.pads]
    return round(
        max(b[2] for b in boxes) - min(b[0] for b in boxes) + max(b[3] for b in boxes) - min(b[1] for b in boxes), 3
    )


def measure_gap(pad: Any, other: Any) -> tuple[float, str]:
    """Return the distance of two pads' middles, and a name that decides where distances are alike."""
    a, b = pad.GetPosition(), other.GetPosition()
    return round(((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5), f"{other.GetParent().GetReference()} {other.GetName()}"


# By whether it is a via: the nodes around one that no other net's track may take.
SHIFTS = {False: list_shifts(kicad.TRACK + CLEARANCE), True: list_shifts(kicad.VIA / 2 + kicad.TRACK / 2 + CLEARANCE)}


def route(board: Any, ground: str) -> None:
    """Add the tracks and vias of all nets but `ground`, which pours of copper connect."""
    router = Router(board, ground)
    router.run()
    for net in router.nets:
        for path in net.paths:
            lay_path(board, net.code, path)


def lay_path(board: Any, code: int, path: list[Node]) -> None:
    pcbnew = kicad.load()
    corners = [path[0]]
    corners += [b for a, b, c in zip(path, path[1:], path[2:], strict=False) if b - a != c - b]
    corners.append(path[-1])
    for start, end in itertools.pairwise(corners):
        if abs(end - start) == SIZE:
            item = pcbnew.PCB_VIA(board)
            item.SetPosition(kicad.spot(*locate(start)))
            item.SetWidth(kicad.nm(kicad.VIA))
            item.SetDrill(kicad.nm(kicad.VIA_DRILL))
        else:
            item = pcbnew.PCB_TRACK(board)
            item.SetStart(kicad.spot(*locate(start)))
            item.SetEnd(kicad.spot(*locate(end)))
            item.SetWidth(kicad.nm(kicad.TRACK))
            item.SetLayer((pcbnew.F_Cu, pcbnew.B_Cu)[start // SIZE])
        item.SetNetCode(code)
        board.Add(item)
