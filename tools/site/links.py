"""Check that every link of a site leads to a file of the site, and to a place in it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

_NAMES = ("href", "src")


class _Page(HTMLParser):
    """Collect the links and the places of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.links += [str(found[name]) for name in _NAMES if found.get(name)]
        self.places |= {str(found[name]) for name in ("id", "name") if found.get(name)}


def find_broken(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield a line for each link that leads nowhere; other sites are not asked."""
    pages = {name: _Page(content.decode()) for name, content in files.items() if name.endswith(".html")}
    for name, page in pages.items():
        for link in page.links:
            try:
                parts = urlsplit(link)
            except ValueError:
                yield f"{name} leads to {link}, which is no address"
                continue
            if parts.scheme or parts.netloc:
                continue
            path = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            )
            target = posixpath.join(path, "index.html").removeprefix("./") if _is_folder(parts.path) else path
            if target not in files:
                yield f"{name} leads to {link}, which is not there"
            elif target in pages and not _is_place(parts.fragment, pages[target]):
                yield f"{name} leads to {link}, but that page has no such place"


def _is_place(fragment: str, page: _Page) -> bool:
    return not fragment or "=" in fragment or fragment in page.places


def _is_folder(path: str) -> bool:
    return path.endswith("/") or path.rpartition("/")[2] in (".", "..")
