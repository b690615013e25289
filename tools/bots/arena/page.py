"""Write the page of an arena: ratings, a cross table, and the last matches, which play on the handheld's page."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape
from importlib.util import find_spec
from pathlib import Path

from sim.ownership import check_file, check_folder, output, write_folder
from sim.terminal import Refusal, tell_install, writing
from tools.bots.arena.results import Results, Row
from tools.bots.arena.standings import Standing, Standings
from tools.web import dist
from tools.web.browse import link

HANDHELD = "play"  # the folder of the handheld's page, within that of ours
INDEX = "index.html"

_LISTED = 100
_SIGMAS = 2
_STYLE = """
:root { color-scheme: light dark; --ink: #1c2126; --dim: #5a646e; --paper: #fbfbf9; --edge: #d5dade; --accent: #1557b0;
  --bad: #b3261e; --field: #eceff1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #a3adb6; --paper: #14181b; --edge: #39424a;
  --accent: #8ab8ff; --bad: #ff9c92; --field: #242b30; } }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: .5rem 0; }
h2 { font-size: 1.3rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); }
p, .dim { color: var(--dim); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .3rem .5rem; border-bottom: 1px solid var(--edge); font-weight: 400; }
td:not(.words) { white-space: nowrap; }
thead th { color: var(--dim); font-size: .875rem; vertical-align: bottom; }
tbody th, th:first-child, .words { text-align: left; overflow-wrap: anywhere; min-width: 6rem; }
svg { display: block; width: 100%; min-width: 7rem; height: 1.2rem; background: var(--field); }
.span { stroke: var(--accent); stroke-width: 3; opacity: .5; vector-effect: non-scaling-stroke; }
.mean { fill: var(--accent); }
.fault { color: var(--bad); font-size: .875rem; overflow-wrap: anywhere; }
ul { padding-left: 1.2rem; }
@media (max-width: 44rem) { body { padding: .75rem; } th, td { padding: .3rem .25rem; } .spare { display: none; }
  tbody th, th:first-child, .words { min-width: 4rem; } svg { min-width: 5rem; } }
"""


def check_page(folder: Path) -> None:
    """Refuse a folder whose page is not ours."""
    check_folder(folder)
    if folder.exists():
        check_file(folder / INDEX)
    check_folder(folder / HANDHELD, dist.MARKER)


def write_handheld(folder: Path) -> None:
    """Write the handheld's page into its folder; raise Refusal."""
    check_page(folder)
    if not dist.IS_MADE and not find_spec("python_minifier"):
        raise Refusal(f"--page builds the handheld's page; {tell_install('web')}")
    write_folder(folder / HANDHELD, dist.build(), dist.MARKER)


def write_page(folder: Path, title: str, standings: Standings, rows: Sequence[Row], results: Results) -> None:
    ranked = standings.rank()
    now = f"{datetime.now():%Y-%m-%d %H:%M}"
    text = (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="icon" href="data:,">\n<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n'
        f"<main>\n<h1>{escape(title)}</h1>\n<p>{len(rows)} matches until {now}.</p>\n"
        f"<h2>Ratings</h2>\n{_write_ratings(ranked)}<p>A bar spans mu ± {_SIGMAS} sigma, the uncertainty; "
        "the rating is mu - 3 sigma. Wins count a draw as a half.</p>\n"
        f"<h2>Wins against each other</h2>\n{_write_cross(ranked, standings)}"
        f"<h2>Last matches</h2>\n{_write_matches(rows, results)}</main>\n</body>\n</html>\n"
    )
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with output(folder / INDEX) as file:
            file.write(text.encode())


def _write_table(heads: Sequence[tuple[str, str]], rows: Iterable[str], label: str) -> str:
    """Return a table, in a part that scrolls if it is too wide; heads: each column's head and its class."""
    cells = "".join(f'<th scope="col" class="{kind}">{head}</th>' for head, kind in heads)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return (
        f'<div class="wide" role="region" aria-label="{label}" tabindex="0"><table><thead><tr>{cells}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>\n"
    )


def _write_ratings(ranked: Sequence[Standing]) -> str:
    heads = [("bot", ""), ("mu ± sigma", "words"), ("rating", ""), ("mu", "spare"), ("sigma", "spare")]
    heads += [("games", ""), ("wins", ""), ("lines sent a piece", "spare"), ("faults", "")]
    least = min(one.rating.mu - _SIGMAS * one.rating.sigma for one in ranked)
    most = max(one.rating.mu + _SIGMAS * one.rating.sigma for one in ranked)

    def write(one: Standing) -> str:
        mu, sigma = one.rating.mu, one.rating.sigma
        at, half = (100 * length / (most - least) for length in (mu - least, _SIGMAS * sigma))
        bar = (
            f'<svg viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label="{mu:.1f} ± {sigma:.1f}">'
            f'<path class="span" d="M{at - half:.1f} 6h{2 * half:.1f}"/>'
            f'<rect class="mean" x="{at - 0.75:.1f}" y="1" width="1.5" height="10"/></svg>'
        )
        return (
            f'<th scope="row">{escape(one.name)}</th><td>{bar}</td><td>{one.least:.1f}</td>'
            f'<td class="spare">{mu:.1f}</td><td class="spare">{sigma:.1f}</td><td>{one.games}</td>'
            f'<td>{one.wins:g}</td><td class="spare">{one.sent_a_piece:.3f}</td><td>{one.faults}</td>'
        )

    faults = "".join(
        f'<li class="fault">{escape(one.name)}, {escape(one.last_fault)}</li>' for one in ranked if one.faults
    )
    return _write_table(heads, map(write, ranked), "Ratings") + (f"<ul>{faults}</ul>" if faults else "")


def _write_cross(ranked: Sequence[Standing], standings: Standings) -> str:
    def write(one: Standing) -> str:
        cells = [
            f"<td>{standings.wins[one.name, other.name]:g} of {games}</td>"
            if (games := standings.count_games(one.name, other.name))
            else "<td>-</td>"
            for other in ranked
        ]
        return f'<th scope="row">{escape(one.name)}</th>{"".join(cells)}'

    return _write_table([("bot", ""), *((escape(one.name), "") for one in ranked)], map(write, ranked), "Wins")


def _write_matches(rows: Sequence[Row], results: Results) -> str:
    def write(row: Row) -> str:
        winner = "nobody" if row.winner < 0 else (row.one, row.two)[row.winner]
        faults = "".join(
            f'</tr><tr><td colspan="5" class="words fault">{escape(name)} {escape(why)}</td>'
            for name, why in row.list_faults()
        )
        path = results.find_recording(row.number)
        recording = path.read_bytes() if path.is_file() else b""
        number = f'<a href="{HANDHELD}/{link(recording)}">match {row.number}</a>' if recording else f"{row.number}"
        return (
            f'<th scope="row">{number}</th><td class="words">{escape(row.one)} - {escape(row.two)}</td>'
            f'<td class="words">{escape(winner)}</td><td>{row.time_ms // 1000} s</td>'
            f'<td class="spare">{row.ended}</td>{faults}'
        )

    heads = [("play it", ""), ("seats", "words"), ("winner", "words"), ("time", ""), ("ended", "spare")]
    return _write_table(heads, map(write, rows[: -_LISTED - 1 : -1]), "Matches")
