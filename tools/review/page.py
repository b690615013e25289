"""Write a review as one HTML file that needs no network and no script."""

from sim.bots.protocol import LETTERS, Move
from tools.markup import Markup, element, page, table
from tools.review.pictures import count_rows, draw_curve, draw_matrix, list_pieces, name_moment
from tools.review.positions import Position
from tools.review.reasons import KEY_COST, Outcome, count
from tools.review.report import Moment, Side

_STYLE = """
@media (prefers-color-scheme: dark) { :root { --field: #0d1012; } }
* { box-sizing: border-box; }
body { overflow-wrap: anywhere; }
h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
.dim { color: var(--dim); }
.sums { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .5rem; margin: 1rem 0; }
.sums div, article { background: var(--card); border: 1px solid var(--edge); border-radius: .5rem; padding: .75rem; }
.sums dt { color: var(--dim); font-size: .875rem; }
.sums dd { margin: 0; font-size: 1.4rem; font-weight: 600; }
article { margin: 1rem 0; display: grid; grid-template-columns: minmax(16rem, 22rem) 1fr; gap: 1rem;
  scroll-margin-top: .5rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; align-content: start; }
figure { margin: 0; }
figcaption { font-size: .875rem; margin-top: .25rem; }
figcaption b { display: block; }
.matrix { display: block; width: 100%; max-height: 24rem; }
.field { fill: var(--field); }
.matrix rect { opacity: .5; }
.matrix .field, .matrix .now { opacity: 1; }
.now { stroke: var(--ink); stroke-width: 1.4; }
.hole { stroke: var(--bad); stroke-width: 1.5; fill: none; }
.clear { stroke: var(--ink); stroke-width: .8; stroke-dasharray: 3 2; }
.c1 { fill: #2aa7c9; } .c2 { fill: #3f63d6; } .c3 { fill: #dd8120; } .c4 { fill: #cfae1d; } .c5 { fill: #3f9c45; }
.c6 { fill: #9a4fc4; } .c7 { fill: #cf3d3d; } .c8 { fill: #808890; }
.cost { color: var(--bad); font-weight: 600; }
ul { margin: .5rem 0; padding-left: 1.2rem; }
code { display: block; background: var(--field); border-radius: .3rem; padding: .4rem .5rem; font-size: .8125rem; }
.curve { margin-top: 1rem; }
.curve svg { display: block; width: 100%; height: 9rem; background: var(--card); border: 1px solid var(--edge); }
.bars { fill: var(--bad); }
polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
.round { stroke: var(--dim); stroke-dasharray: 4 3; vector-effect: non-scaling-stroke; }
.marks { position: relative; height: 1.9rem; }
.mark { position: absolute; transform: translateX(-50%); min-width: 1.5rem; line-height: 1.5rem; text-align: center;
  border-radius: .75rem; background: var(--accent); color: var(--paper); text-decoration: none; font-size: .8125rem;
  margin-top: .25rem; }
.legend { font-size: .875rem; color: var(--dim); margin: 0; }
.bar, .line { display: inline-block; width: .9rem; height: .7rem; background: var(--bad); }
.line { height: .2rem; background: var(--accent); vertical-align: .25rem; margin-left: .75rem; }
table { border-collapse: collapse; width: 100%; max-width: 34rem; }
th, td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--edge); }
th { overflow-wrap: normal; }
th:first-child, td:first-child { text-align: left; }
@media (max-width: 44rem) { article { grid-template-columns: 1fr; } body { padding: .75rem; }
  th, td { padding: .25rem .35rem; } }
"""
# How the heading of an example begins; its kind is one of report.EXAMPLES.
_NAMES = {
    "hole": "Hole: ",
    "well": "Well: ",
    "height": "Height: ",
    "t_slot": "T-Spin slot: ",
    "keys": "Presses: ",
    "all_clear": "All-clear: ",
}
_UNIT = (
    "A hole is an empty cell below a Block, hard to fill. Crosses mark new holes. "
    "Whatever else a place spoils is counted in holes, too: 2.0 holes are as bad as two more of them."
)


def write_page(sides: list[Side], title: str, facts: str, notes: list[str]) -> str:
    """Return the page; facts: a line about the game.  notes: further lines at the end."""
    ends = (element("p", note) for note in (*_explain_unit(), *notes))
    return page(
        title,
        _STYLE,
        element("header", element("h1", title), element("p", facts, class_="dim"), element("p", _UNIT)),
        element("main", *map(_write_side, sides)),
        element("footer", element("h2", "What the numbers mean"), *ends, class_="dim"),
    )


def _explain_unit() -> list[str]:
    unit = (
        "A loss compares your place with the best one that the strong player found. Both are valued after their best "
        "continuation with the pieces that you saw, Hold included."
    )
    cost = (
        f"The cost of a Tetrimino is its loss, and {KEY_COST} holes for each press more than the fewest. Finesse "
        "counts Tetriminos that were turned and moved in free fall and then hard-dropped."
    )
    return [unit, cost]


def _write_side(side: Side) -> Markup:
    pieces = len(side.positions)
    sums = (
        ("Tetriminos", str(pieces)),
        ("Mean loss", f"{side.mean_loss:.2f} holes"),
        ("Without loss", f"{100 * side.without_loss / pieces:.0f} %"),
        ("Finesse faults", str(sum(kind.faults for kind in side.finesse))),
    )
    listed = (element("div", element("dt", name), element("dd", value)) for name, value in sums)
    moments = [_write_moment(side, moment, at) for at, moment in enumerate(side.moments, 1)]
    examples = [
        _write_moment(side, moment, at, _NAMES[kind])
        for at, (kind, moment) in enumerate(side.examples.items(), len(moments) + 1)
    ]
    return element(
        "section",
        *([element("h2", side.name)] if side.name else []),
        *(element("dl", *listed, class_="sums"), draw_curve(side), element("h2", "The moments that cost most")),
        *(moments or [element("p", "No Tetrimino cost anything.")]),
        *([element("h2", "One example of each other fault"), *examples] if examples else []),
        *(element("h2", "Finesse"), _write_finesse(side)),
        id=f"player-{side.number + 1}",
    )


def _write_moment(side: Side, moment: Moment, number: int, name: str = "") -> Markup:
    position, verdict = moment.position, moment.verdict
    shown = count_rows(position.rows, position.move, verdict.move)
    minutes, seconds = divmod(position.generated_ms / 1000, 60)
    when = f"{minutes:.0f}:{seconds:04.1f}" + (f", round {position.round}" if position.round > 1 else "")
    pictures = [_write_picture("Yours", moment.mine, position, position.move, shown)]
    if (position.move, position.held) != (verdict.move, verdict.held):
        pictures.append(_write_picture("Better", moment.better, position, verdict.move, shown))
    hold = LETTERS[position.hold] if position.hold else "empty"
    coming = f" Garbage coming: {position.coming}." if position.coming else ""
    came = f"It came as {LETTERS[position.queue[0]]}. Hold: {hold}. Next: {list_pieces(position.queue[1:])}.{coming}"
    words = element(
        "div",
        element("h3", f"{number}. {name}Tetrimino {position.number}, {when}"),
        element("p", f"{moment.cost:.1f} holes", class_="cost"),
        element("ul", *(element("li", reason.words) for reason in moment.reasons)),
        element("p", came, class_="dim"),
        element("p", element("a", "Try again in the browser", href=moment.link), ", or in the simulator:"),
        element("code", moment.command),
    )
    return element("article", element("div", *pictures, class_="pair"), words, id=name_moment(side, number))


def _write_picture(name: str, words: str, position: Position, move: Move, shown: int) -> Markup:
    after = Outcome(position.rows, move)
    label = (
        f"{name}: {words}. Then the stack is {max(after.heights)} rows high, with {count(len(after.holes), 'hole')}."
    )
    picture = draw_matrix(position.rows, move, shown, label)
    return element("figure", picture, element("figcaption", element("b", name), words))


def _write_finesse(side: Side) -> Markup:
    heads = [(head, "") for head in ("Tetrimino", "counted", "faults", "presses in vain")]
    figures = ((LETTERS[kind.piece], kind.counted, kind.faults, kind.wasted) for kind in side.finesse)
    return table(heads, ([str(each) for each in row] for row in figures))
