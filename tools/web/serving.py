"""Serve a folder of static files to this computer, for a look at what any host would show."""

from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tools.web import WebError

HOST = "127.0.0.1"


class Handler(SimpleHTTPRequestHandler):
    """Send files with the types that modules want, and let no browser keep an old one."""

    extensions_map = {  # noqa: RUF012
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",  # some Windows registries say otherwise
        ".mjs": "text/javascript",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        """Add what is the same for all files."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_head(self) -> Any:
        """Send the head of the answer; a name that no file can have gets an answer, too."""
        try:
            return super().send_head()
        except ValueError:  # of a null character
            self.send_error(HTTPStatus.NOT_FOUND)
            return None

    def log_message(self, *arguments: Any) -> None:
        """Say nothing."""


def open_server(folder: Path, port: int) -> ThreadingHTTPServer:
    """Return a server of `folder`, 0 for any free port; raise WebError where the port cannot be had."""

    def handle(*arguments: Any) -> Handler:
        return Handler(*arguments, directory=str(folder))

    try:
        return ThreadingHTTPServer((HOST, port), handle)
    except OSError as problem:
        raise WebError(f"port {port} cannot be had: {problem.strerror}; --port N names another") from None


def address(server: ThreadingHTTPServer) -> str:
    """Return the page's address; browsers trust this name as they do https."""
    return f"http://localhost:{server.server_port}/"
