"""Write the page of an arena: ratings, a cross table, and the last matches, which play on the handheld's page."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from sim import terminal
from sim.ownership import check_file, check_folder, output, write_folder
from sim.terminal import Refusal, tell_install, writing
from tools.bots.arena.results import Results, Row
from tools.bots.arena.standings import Standing, Standings
from tools.markup import Markup, element, page, table
from tools.web import dist
from tools.web.browse import link

HANDHELD = "play"  # the folder of the handheld's page, within that of ours
INDEX = "index.html"

_LISTED = 100
_SIGMAS = 2
_STYLE = """
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
    words = (
        f"A bar spans mu ± {_SIGMAS} sigma, the uncertainty; the rating is mu - 3 sigma. Wins count a draw as a half."
    )
    main = element(
        "main",
        element("h1", title),
        element("p", f"{len(rows)} matches until {datetime.now():%Y-%m-%d %H:%M}."),
        *(element("h2", "Ratings"), *_write_ratings(ranked), element("p", words)),
        *(element("h2", "Wins against each other"), _write_cross(ranked, standings)),
        *(element("h2", "Last matches"), _write_matches(rows, results)),
    )
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with output(folder / INDEX) as file:
            file.write(page(title, _STYLE, main).encode())


def _write_table(heads: Sequence[tuple[str, str]], rows: Iterable[Markup | Sequence[str]], label: str) -> Markup:
    """Return a table, in a part that scrolls if it is too wide."""
    return element("div", table(heads, rows), class_="wide", role="region", aria_label=label, tabindex="0")


def _write_ratings(ranked: Sequence[Standing]) -> list[Markup]:
    heads = [("bot", ""), ("mu ± sigma", "words"), ("rating", ""), ("mu", "spare"), ("sigma", "spare")]
    heads += [("games", ""), ("wins", ""), ("lines sent a piece", "spare"), ("faults", "")]
    least = min(one.rating.mu - _SIGMAS * one.rating.sigma for one in ranked)
    most = max(one.rating.mu + _SIGMAS * one.rating.sigma for one in ranked)

    def write(one: Standing) -> Sequence[str]:
        mu, sigma = one.rating.mu, one.rating.sigma
        at, half = (100 * length / (most - least) for length in (mu - least, _SIGMAS * sigma))
        span = element("path", class_="span", d=f"M{at - half:.1f} 6h{2 * half:.1f}")
        mean = element("rect", class_="mean", x=at - 0.75, y=1, width=1.5, height=10)
        how = {"viewBox": "0 0 100 12", "preserveAspectRatio": "none", "role": "img"}
        bar = element("svg", span, mean, **how, aria_label=f"{mu:.1f} ± {sigma:.1f}")
        figures = f"{one.least:.1f}", f"{mu:.1f}", f"{sigma:.1f}", str(one.games), f"{one.wins:g}"
        return one.name, bar, *figures, f"{one.sent_a_piece:.3f}", str(one.faults)

    faults = [element("li", f"{one.name}, {one.last_fault}", class_="fault") for one in ranked if one.faults]
    return [_write_table(heads, map(write, ranked), "Ratings"), *([element("ul", *faults)] if faults else [])]


def _write_cross(ranked: Sequence[Standing], standings: Standings) -> Markup:
    def write(one: Standing) -> Sequence[str]:
        games = [standings.count_games(one.name, other.name) for other in ranked]
        wins = [standings.wins[one.name, other.name] for other in ranked]
        return one.name, *(f"{won:g} of {count}" if count else "-" for won, count in zip(wins, games, strict=True))

    return _write_table([("bot", ""), *((one.name, "") for one in ranked)], map(write, ranked), "Wins")


def _write_matches(rows: Sequence[Row], results: Results) -> Markup:
    def write(row: Row) -> Iterator[Markup | Sequence[str]]:
        winner = "nobody" if row.winner < 0 else (row.one, row.two)[row.winner]
        path = results.find_recording(row.number)
        recording = terminal.read(path) if path.is_file() else b""
        played = element("a", f"match {row.number}", href=f"{HANDHELD}/{link(recording)}")
        number = played if recording else str(row.number)
        yield number, f"{row.one} - {row.two}", winner, f"{row.time_ms // 1000} s", row.ended
        for who, why in row.list_faults():
            yield element("tr", element("td", f"{who} {why}", colspan="5", class_="words fault"))

    heads = [("play it", ""), ("seats", "words"), ("winner", "words"), ("time", ""), ("ended", "spare")]
    return _write_table(heads, chain.from_iterable(map(write, rows[: -_LISTED - 1 : -1])), "Matches")
