"""Write a review as one HTML file that needs no network and no script."""

from html import escape

from sim.bots.protocol import LETTERS, Move
from tools.review.pictures import count_rows, draw_curve, draw_matrix, list_pieces, name_moment
from tools.review.positions import Position
from tools.review.reasons import KEY_COST, Outcome, count
from tools.review.report import Moment, Side

_STYLE = """
:root { color-scheme: light dark; --ink: #1c2126; --dim: #5a646e; --paper: #fbfbf9; --card: #fff; --edge: #d5dade;
  --accent: #1557b0; --bad: #b3261e; --field: #eceff1; --hole: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #a3adb6; --paper: #14181b; --card: #1d2327;
  --edge: #39424a; --accent: #8ab8ff; --bad: #ff9c92; --field: #0d1012; --hole: #ff9c92; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.3rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1.05rem; margin: 0 0 .25rem; }
a { color: var(--accent); }
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
.hole { stroke: var(--hole); stroke-width: 1.5; fill: none; }
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
_UNIT = (
    "A hole is an empty cell below a Block, hard to fill. Crosses mark new holes. "
    "Whatever else a place spoils is counted in holes, too: 2.0 holes are as bad as two more of them."
)


def write_page(sides: list[Side], title: str, facts: str, notes: list[str]) -> str:
    """Return the page; facts: a line about the game.  notes: further lines at the end."""
    body = "".join(_write_side(side) for side in sides)
    ends = "".join(f"<p>{escape(note)}</p>" for note in (*_explain_unit(), *notes))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n'
        f'<header><h1>{escape(title)}</h1><p class="dim">{escape(facts)}</p>'
        f"<p>{_UNIT}</p></header>\n<main>\n{body}</main>\n"
        f'<footer class="dim"><h2>What the numbers mean</h2>{ends}</footer>\n</body>\n</html>\n'
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


def _write_side(side: Side) -> str:
    pieces = len(side.positions)
    sums = (
        ("Tetriminos", str(pieces)),
        ("Mean loss", f"{side.mean_loss:.2f} holes"),
        ("Without loss", f"{100 * side.without_loss / pieces:.0f} %"),
        ("Finesse faults", str(sum(kind.faults for kind in side.finesse))),
    )
    listed = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in sums)
    moments = "".join(_write_moment(side, moment, at) for at, moment in enumerate(side.moments, 1))
    moments = moments or "<p>No Tetrimino cost anything.</p>"
    heading = f"<h2>{escape(side.name)}</h2>" if side.name else ""
    return (
        f'<section id="player-{side.number + 1}">{heading}<dl class="sums">{listed}</dl>{draw_curve(side)}'
        f"<h2>The moments that cost most</h2>{moments}<h2>Finesse</h2>{_write_finesse(side)}</section>\n"
    )


def _write_moment(side: Side, moment: Moment, number: int) -> str:
    position, verdict = moment.position, moment.verdict
    shown = count_rows(position.rows, position.move, verdict.move)
    minutes, seconds = divmod(position.generated_ms / 1000, 60)
    when = f"{minutes:.0f}:{seconds:04.1f}" + (f", round {position.round}" if position.round > 1 else "")
    same = position.move == verdict.move and position.held == verdict.held
    pictures = _write_picture("Yours", moment.mine, position, position.move, shown)
    if not same:
        pictures += _write_picture("Better", moment.better, position, verdict.move, shown)
    reasons = "".join(f"<li>{escape(reason.words)}</li>" for reason in moment.reasons)
    hold = LETTERS[position.hold] if position.hold else "empty"
    coming = f" Garbage coming: {position.coming}." if position.coming else ""
    return (
        f'<article id="{name_moment(side, number)}"><div class="pair">{pictures}</div><div>'
        f'<h3>{number}. Tetrimino {position.number}, {when}</h3><p class="cost">{moment.cost:.1f} holes</p>'
        f'<ul>{reasons}</ul><p class="dim">It came as {LETTERS[position.queue[0]]}. Hold: {hold}. '
        f"Next: {list_pieces(position.queue[1:])}.{coming}</p>"
        f'<p><a href="{escape(moment.link)}">Try again in the browser</a>, or in the simulator:</p>'
        f"<code>{escape(moment.command)}</code></div></article>"
    )


def _write_picture(name: str, words: str, position: Position, move: Move, shown: int) -> str:
    after = Outcome(position.rows, move)
    label = (
        f"{name}: {words}. Then the stack is {max(after.heights)} rows high, with {count(len(after.holes), 'hole')}."
    )
    picture = draw_matrix(position.rows, move, shown, label)
    return f"<figure>{picture}<figcaption><b>{name}</b>{escape(words)}</figcaption></figure>"


def _write_finesse(side: Side) -> str:
    rows = "".join(
        f'<tr><th scope="row">{LETTERS[kind.piece]}</th><td>{kind.counted}</td><td>{kind.faults}</td>'
        f"<td>{kind.wasted}</td></tr>"
        for kind in side.finesse
    )
    return (
        '<table><thead><tr><th scope="col">Tetrimino</th><th scope="col">counted</th><th scope="col">faults</th>'
        f'<th scope="col">presses in vain</th></tr></thead><tbody>{rows}</tbody></table>'
    )
