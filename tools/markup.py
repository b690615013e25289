"""Write HTML and SVG: every text is escaped, so what a file, a database or a bot says stays text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

# Nothing is loaded, no script runs; only our own style, and the empty icon.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_COLOURS = """
:root { color-scheme: light dark; --ink: #1c2126; --dim: #5a646e; --paper: #fbfbf9; --card: #fff; --edge: #d5dade;
  --accent: #1557b0; --bad: #b3261e; --field: #eceff1; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --dim: #a3adb6; --paper: #14181b; --card: #1d2327;
  --edge: #39424a; --accent: #8ab8ff; --bad: #ff9c92; --field: #242b30; } }
body { margin: 0 auto; max-width: 62rem; padding: 1rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.3rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); }
"""


class Markup(str):
    """Elements; all other text is escaped where it becomes a part of them."""

    __slots__ = ()


def join(parts: Iterable[str], between: str = "") -> Markup:
    """Return parts as one; what is not Markup is escaped."""
    return Markup(between.join(part if isinstance(part, Markup) else escape(part) for part in parts))


def element(tag: str, *content: str, **attributes: str | float | None) -> Markup:
    """Return an element; `class_` becomes class, `font_size` font-size, and None leaves an attribute out.

    Without content it closes itself, as in SVG; content of "" gives an empty element of HTML.
    """
    named = "".join(
        f" {name.rstrip('_').replace('_', '-')}={quoteattr(write(value))}"
        for name, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{tag}{named}>{join(content)}</{tag}>" if content else f"<{tag}{named}/>")


def write(value: str | float) -> str:
    """Return a number with at most two decimals."""
    if isinstance(value, str):
        return value
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")  # + 0.0: no minus before a 0


def table(heads: Sequence[tuple[str, str]], rows: Iterable[Markup | Sequence[str]]) -> Markup:
    """Return a table; heads: each column's head and class, or "".  rows: cells, or a row as Markup."""

    def write_row(cells: Sequence[str]) -> Markup:
        kinds = [kind or None for _head, kind in heads[1:]]
        data = (element("td", cell, class_=kind) for cell, kind in zip(cells[1:], kinds, strict=True))
        return element("tr", element("th", cells[0], scope="row"), *data)

    top = element("tr", *(element("th", head, scope="col", class_=kind or None) for head, kind in heads))
    below = join((each if isinstance(each, Markup) else write_row(each) for each in rows), "\n")
    return element("table", element("thead", top), element("tbody", below))


def page(title: str, style: str, *body: str) -> str:
    """Return a whole page with its title, which loads nothing and runs nothing; style: beyond the common one."""
    head = (
        element("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>'),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("link", rel="icon", href="data:,"),
        element("title", title),
        Markup(f"<style>{_COLOURS}{style}</style>"),
    )
    whole = element("html", element("head", join(head, "\n")), "\n", element("body", *body), lang="en")
    return f"<!doctype html>\n{whole}\n"
